//! `tmugen render --record-quads`: a scene's quads as other commands read them.

use crate::support::Workshop;
use serde_json::Value;
use std::collections::BTreeSet;

const RENDER: &str = "tmugen render scenes/cube-photo.toml -o cube.png --size 96x64";

#[test]
fn quads_of_a_scene_are_what_other_commands_read() {
    let workshop = Workshop::new();
    let command = format!("{RENDER} --record-quads paving.csv --record-texture paving --stats s.json --json");
    let report: Value = serde_json::from_str(&workshop.succeed(&command)).unwrap();
    let stats: Value = serde_json::from_str(&workshop.read("s.json")).unwrap();
    let paving = stats["textures"].as_array().unwrap().iter().find(|one| one["name"] == "paving").unwrap();
    let rows = workshop.read("paving.csv");
    let valid = |row: &str| row.rsplit(',').next().unwrap().parse::<u8>().unwrap();
    let samples: u64 = rows.lines().skip(1).map(|row| u64::from(valid(row).count_ones())).sum();
    let quads = rows.lines().count() as u64 - 1;
    assert_eq!((&paving["quads"], &paving["samples"]), (&quads.into(), &samples.into()), "{stats}");
    assert_eq!(report["recorded_quads"], quads, "{report}");
    let valid: BTreeSet<u8> = rows.lines().skip(1).map(valid).collect();
    assert!(valid.len() > 2 && !valid.contains(&0), "edges of the floor have quads in part: {valid:?}");
    // The same texture as packed by itself.
    workshop.succeed("tmugen pack scenes/textures/paving.png -o packed.bin --format rgb8 --quiet");
    assert_eq!(workshop.read("paving.toml"), workshop.read("packed.toml"));
    let memory = |name: &str| std::fs::read(workshop.path(name)).unwrap();
    assert!(memory("paving.bin") == memory("packed.bin"), "the texture is not the scene's");
    workshop.succeed("tmugen sample --texture paving.toml --quads paving.csv -o samples.csv");
    assert_eq!(workshop.read("samples.csv").lines().count() as u64, quads + 1);
    let explored = workshop.succeed(
        "tmugen explore --preset stream --vary cache.sets=64,256 --quads paving.csv --texture paving.toml --all",
    );
    assert!(explored.contains("of 2 configurations are worth their cost"), "{explored}");
}

#[test]
fn a_recording_is_of_one_texture() {
    let workshop = Workshop::new();
    let before = workshop.names();
    for (arguments, exit, parts) in [
        ("--record-quads q.csv", 1, ["E0223", "samples 2 textures", "one of coffee, paving"]),
        (
            "--record-quads q.csv --record-texture pave",
            1,
            ["E0223", "named \"pave\"", "one of coffee, paving"],
        ),
        ("--record-quads q.txt --record-texture paving", 2, ["E0207", "q.txt", "use q.csv"]),
        ("--record-texture paving", 2, ["--record-quads", "required", "Usage"]),
    ] {
        let run = workshop.run(&format!("{RENDER} {arguments}"));
        assert_eq!((run.exit, run.out.as_str()), (exit, ""), "{run}");
        for part in parts {
            assert!(run.err.contains(part), "{part:?} is not in {run}");
        }
        assert_eq!(workshop.names(), before, "{arguments} left something behind");
    }
}
