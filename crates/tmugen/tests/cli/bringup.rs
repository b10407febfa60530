//! `bringup`, and what it writes sent once more by `sim --replay`.

use crate::support::Workshop;
use serde_json::Value;
use tmu_verilate::Tools;

#[test]
fn what_bringup_writes_is_replayed_with_the_same_crc() {
    let workshop = Workshop::new();
    workshop.succeed("tmugen pack coffee.jpg -o t.bin --format rgb8 --resize pow2 --quiet");
    let command = "tmugen bringup --preset stream --texture t.toml --quads 200 --row 8 --json";
    let all: Value = serde_json::from_str(&workshop.succeed(command)).unwrap();
    let all = &all["patterns"];
    assert_eq!(all.as_array().map(Vec::len), Some(5));
    let one = workshop.succeed(&format!("{command} --base 0x4000 --pattern rotated --requests r.txt"));
    let one: Value = serde_json::from_str(&one).unwrap();
    let rotated = &one["patterns"][0];
    // The texels are the same, wherever they stand.
    assert_eq!(rotated["crc"], all[3]["crc"]);
    assert!(
        workshop.read("r.txt").starts_with("tmugen requests 1\ntdata 136\nmemory 0x00004000 t.bin\nbinding ")
    );
    if Tools::verilator().is_err() || Tools::cxx().is_err() {
        return;
    }
    let replayed = workshop.succeed("tmugen sim --preset stream --replay r.txt --pauses 10 --json");
    let replayed: Value = serde_json::from_str(&replayed).unwrap();
    assert_eq!((&replayed["crc"], &replayed["quads"]), (&rotated["crc"], &rotated["results"]));
}

#[test]
fn wrong_requests_are_refused_all_at_once() {
    let workshop = Workshop::new();
    workshop.write("r.txt", "tmugen requests 1\ntdata 264\nquad 12\nwhat\n");
    let run = workshop.run("tmugen sim --preset stream --replay r.txt");
    assert_eq!(run.exit, 1, "{run}");
    assert_eq!(run.err.matches("error[E0245]").count(), 3, "{run}");
    workshop.write("r.txt", &format!("tmugen requests 1\ntdata 136\nmemory 0 none.bin\nbinding {:034}\n", 0));
    let run = workshop.run("tmugen sim --preset stream --replay r.txt");
    assert!(run.exit == 1 && run.err.contains("none.bin cannot be read"), "{run}");
}
