//! Pixel shaders: their three forms, and what is wrong with them.

use crate::support::Workshop;
use serde_json::Value;
use std::fs;

#[test]
fn the_shipped_programs_go_through_every_form() {
    let workshop = Workshop::new();
    for name in ["light_map", "bump_reflection"] {
        let source = format!("scenes/programs/{name}.psh");
        workshop.succeed(&format!("tmugen assemble {source} -o p.tps"));
        workshop.succeed("tmugen assemble p.tps -o p.pso --to byte-code");
        workshop.succeed("tmugen assemble p.pso -o p.psh --to text");
        workshop.succeed("tmugen assemble p.psh -o again.tps");
        let [first, again] = ["p.tps", "again.tps"].map(|name| fs::read(workshop.path(name)).unwrap());
        assert_eq!(first, again, "{name}");
    }
    let told = workshop.succeed("tmugen assemble scenes/programs/bump_reflection.psh --json");
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["textures"], serde_json::json!([0, 1, 2]));
    assert_eq!(told["phases"][0], serde_json::json!({ "texture": 2, "arithmetic": 1 }));
}

#[test]
fn everything_wrong_is_said_by_line() {
    let workshop = Workshop::new();
    workshop.write("p.psh", "ps_1_4\ntex t0\nmov r0, -c0\n");
    let run = workshop.run("tmugen assemble p.psh -o p.tps");
    assert_eq!(run.exit, 1, "{run}");
    for part in ["p.psh:2: error[E0502]", "p.psh:3: error[E0509]", "help: "] {
        assert!(run.err.contains(part), "{part} in {run}");
    }
    assert!(!workshop.path("p.tps").exists());
}
