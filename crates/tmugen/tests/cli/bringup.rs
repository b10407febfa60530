//! `bringup`, and what it writes sent once more by `sim --replay`.

use crate::support::Workshop;
use serde_json::Value;
use tmu_testing::repository;
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

/// What the kit of a core in simulation has captured, and the driver in Rust has written: a test of `tmu-sim` holds the file to that.
const CAPTURED: &str = "crates/tmugen/tests/captured.txt";

#[test]
fn what_the_kit_has_captured_is_replayed_read_by_read() {
    if Tools::verilator().is_err() || Tools::cxx().is_err() {
        return;
    }
    let workshop = Workshop::new();
    let text = std::fs::read_to_string(repository().join(CAPTURED)).unwrap();
    let bytes: Vec<u8> = (0..6000u32).map(|byte| ((byte * 37) ^ (byte >> 5)) as u8).collect();
    std::fs::write(workshop.path("t.bin"), bytes).unwrap();
    let captured = text.matches("\nread ").count();
    assert!(captured > 20 && text.matches("\nquad ").count() == 40, "{text}");
    // Memory's latency and pauses change nothing of it.
    workshop.write("r.txt", &format!("{text}memory 0x00040000 t.bin\n"));
    for options in ["", "--latency 1", "--latency 200 --pauses 30 --seed 5"] {
        let replayed =
            workshop.succeed(&format!("tmugen sim --preset stream --replay r.txt --json {options}"));
        let replayed: Value = serde_json::from_str(&replayed).unwrap();
        assert_eq!([&replayed["quads"], &replayed["quads_with_errors"]], [40, 0], "{options}");
        assert_eq!([&replayed["reads_captured"], &replayed["reads_compared"]], [captured; 2], "{options}");
    }
    // Another read is found.
    let (before, last) = text.trim_end().rsplit_once("read 0x").unwrap();
    let other = format!("{before}read 0x7ffffff0 1\nmemory 0x00040000 t.bin\n");
    workshop.write("r.txt", &other);
    let run = workshop.run("tmugen sim --preset stream --replay r.txt");
    assert!(run.exit == 5 && run.err.contains("captured were 16 bytes from 0x7ffffff0 on"), "{last}: {run}");
    // Where memory does not answer, reads are not compared.
    workshop.write("r.txt", &text);
    let said = workshop.succeed("tmugen sim --preset stream --replay r.txt");
    assert!(said.contains("captured reads are not compared"), "{said}");
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
