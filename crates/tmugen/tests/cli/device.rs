//! `check --device`: how often a core fits, and what is said where it does not or nobody knows.

use crate::support::{Workshop, without_hardware};
use serde_json::Value;

fn json(workshop: &Workshop, command: &str) -> Value {
    serde_json::from_str(&workshop.succeed(&format!("{command} --json"))).unwrap()
}

#[test]
fn what_fits_and_what_runs_out_is_told() {
    let workshop = Workshop::new();
    let text = workshop.succeed("tmugen check --preset fury --device zu3eg");
    for part in [
        "fury on ZU3EG (Zynq UltraScale+ MPSoC)",
        "fits     not at all: too few URAM",
        "ZU3EG has no UltraRAM: set cache.data_ram = \"block\"",
        "at most that: --measure simulates",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    // The remedy helps.
    workshop.write("block.toml", "units = 4\n[cache]\ndata_ram = \"block\"\n");
    let device = &json(&workshop, "tmugen check block.toml --device ZU3EG")["configs"][0]["device"];
    assert!(
        device["fit"]["cores"].as_u64() >= Some(1) && device["notes"] == Value::Array(Vec::new()),
        "{device}"
    );
    // It is no preset: nobody has counted its LUTs.
    assert_eq!((&device["fit"]["has_logic"], &device["logic_origin"]), (&false.into(), &Value::Null));

    let text = workshop.succeed("tmugen check --preset fury-single --device LFE5U-85F");
    for part in
        ["LUT4", "not known: no synthesis for ECP5", "has no UltraRAM", "ECP5 takes the Verilog alone"]
    {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    let text = workshop.succeed("tmugen check --preset multi-lite --device K26");
    assert!(text.contains("everything hits"), "{text}");
    for (device, part) in
        [("KU3P", "has is not confirmed"), ("ZU4EV", "only this is confirmed: LUT, FF, BRAM")]
    {
        let text = workshop.succeed(&format!("tmugen check --preset stream --device {device}"));
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
}

#[test]
fn samples_follow_clocks_and_memory() {
    let workshop = Workshop::new();
    let scan = |options: &str| {
        let data = json(&workshop, &format!("tmugen check --preset stream --device K26 {options}"));
        let rates = data["configs"][0]["device"]["rates"].as_array().unwrap().clone();
        let scan = rates.into_iter().find(|rate| rate["name"] == "scan").unwrap();
        let speed = &scan["speed"];
        (speed["msamples_per_s"].as_f64().unwrap(), speed["is_memory_bound"].as_bool().unwrap())
    };
    let (fast, slow) = (scan("--tmu-mhz 400"), scan("--tmu-mhz 200"));
    assert!((fast.0 / slow.0 - 2.0).abs() < 1e-9 && (390.0..=400.0).contains(&fast.0), "{fast:?} {slow:?}");
    // A sample at 1:1 reads its four bytes.
    let (starved, is_memory_bound) = scan("--tmu-mhz 400 --memory-mb-s 400");
    assert!(is_memory_bound && (95.0..=100.0).contains(&starved), "{starved}");
}

#[test]
fn an_estimate_says_luts_of_its_own_family_alone() {
    let workshop = Workshop::new();
    let total = "{\"module\": \"m\", \"instances\": 1, \"lut\": 90, \"lut_memory\": 10, \"flip_flops\": 50, \
                 \"flip_flops_in_dsp\": 0, \"bram36\": 1.0, \"uram\": 0, \"dsp\": 1, \"depth\": 5}";
    let estimate = format!(
        "{{\"yosys\": \"Yosys 0.70 (x)\", \"family\": \"xcup\", \"total\": {total}, \"modules\": [], \"paths\": [], \
         \"faults\": 0, \"warnings\": []}}"
    );
    workshop.write("area.json", &estimate);
    workshop.write("no_hardware.toml", &without_hardware());
    let data = json(&workshop, "tmugen check --preset stream --device AU7P --area area.json");
    let device = &data["configs"][0]["device"];
    assert_eq!(device["fit"]["rows"][0]["core"], 100);
    assert_eq!(device["logic_origin"], "Yosys 0.70, xcup");
    for (command, exit, parts) in [
        ("--preset stream --device LFE5U-45F --area area.json", 2, ["E0232", "their LUTs do not compare"]),
        (
            "--preset stream --preset quad --device K26 --area area.json",
            2,
            ["E0200", "there are 2 configurations"],
        ),
        ("--preset stream --device K26 --area none.json", 1, ["E0201", "none.json"]),
        ("--preset stream --device ZU3", 2, ["E0232", "near it are ZU3EG, ZU3CG"]),
        ("no_hardware.toml --device ZU3EG", 1, ["E0205", "no hardware yet"]),
        ("--preset stream --tmu-mhz 100", 2, ["required", "--device"]),
    ] {
        let run = workshop.run(&format!("tmugen check {command}"));
        assert!(run.exit == exit && parts.iter().all(|part| run.err.contains(part)), "{parts:?}: {run}");
    }
}
