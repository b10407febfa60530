//! `estimate` and `doctor`, where the tools are there and where they are not.

use crate::support::Workshop;
use serde_json::Value;
use tmu_verilate::Tools;

/// One small module, so that synthesis takes seconds.
const SMALL: &str = "tmugen estimate --preset fury-single --top reset";

#[test]
fn figures_are_printed_kept_and_compared() {
    // A test of `tmu-verilate` says what to install.
    if Tools::yosys().is_err() {
        return;
    }
    let workshop = Workshop::new();
    let printed = workshop.succeed(&format!("{SMALL} --json --netlist net.json"));
    let estimate: Value = serde_json::from_str(&printed).unwrap();
    let total = &estimate["total"];
    assert_eq!((&estimate["ok"], total["module"].as_str()), (&Value::Bool(true), Some("fury_single_reset")));
    assert!(total["flip_flops"].as_u64() > Some(0) && total["dsp"] == 0, "{total}");
    assert_eq!(estimate["faults"], 0);
    let netlist: Value = serde_json::from_str(&workshop.read("net.json")).unwrap();
    assert!(netlist["modules"]["fury_single_reset"].is_object());

    workshop.write("old.json", &printed);
    assert_eq!(workshop.succeed(&format!("{SMALL} --compare old.json")), "nothing has changed\n");
    let mut other = estimate.clone();
    other["total"]["flip_flops"] = (total["flip_flops"].as_u64().unwrap() + 3).into();
    workshop.write("old.json", &other.to_string());
    // A folder that was written gives the figures of its configuration.
    workshop.succeed("tmugen generate --preset fury-single --out hdl");
    let compared = workshop.succeed("tmugen estimate hdl --top reset --compare old.json");
    let row: Vec<_> = compared.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!((row[0], row[1], row[4]), ("fury_single_reset", "FF", "-3"), "{compared}");
    assert_eq!(compared.lines().count(), 2, "{compared}");
}

#[test]
fn what_cannot_be_estimated_is_told() {
    let workshop = Workshop::new();
    workshop.write("old.json", "{}");
    std::fs::create_dir(workshop.path("empty")).unwrap();
    std::fs::create_dir(workshop.path("broken")).unwrap();
    workshop.write("broken/manifest.json", "{\"files\": []}");
    let mut cases = vec![
        ("tmugen estimate empty".to_owned(), "E0201", "empty/manifest.json"),
        ("tmugen estimate broken".to_owned(), "E0230", "names no top module"),
        (format!("{SMALL} --compare old.json"), "E0230", "old.json"),
        (format!("{SMALL} --compare none.json"), "E0201", "none.json"),
    ];
    if Tools::yosys().is_ok() {
        let unknown = "tmugen estimate --preset fury-single --top nothing".to_owned();
        cases.push((unknown, "E0231", "nothing"));
    }
    for (command, code, part) in cases {
        let run = workshop.run(&command);
        assert_eq!(run.exit, 1, "{run}");
        assert!(run.err.contains(code) && run.err.contains(part), "{run}");
    }
}

#[test]
fn the_doctor_names_every_tool() {
    let workshop = Workshop::new();
    let told: Value = serde_json::from_str(&workshop.succeed("tmugen doctor --json")).unwrap();
    let tools = told["tools"].as_array().unwrap();
    assert_eq!(tools.len(), Tools::all().len());
    for (tool, found) in tools.iter().zip(Tools::all()) {
        assert_eq!(tool["version"].is_string(), found.is_ok(), "{tool}");
        assert_ne!(tool["version"], "of unknown version", "{tool}");
    }
}

#[test]
fn the_doctor_says_how_to_get_what_is_missing() {
    let workshop = Workshop::new();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tmugen"))
        .arg("doctor")
        .env("PATH", workshop.path("none"))
        .env("TMUGEN_CACHE_DIR", workshop.path("cache"))
        .output()
        .unwrap();
    assert!(output.status.success(), "what is missing is no failure");
    let text = String::from_utf8(output.stdout).unwrap();
    for part in
        ["Verilator 5", "missing", "apt-get install verilator", "pip install fusesoc", "scripts/setup"]
    {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
}

/// Synthesises a unit twice, which takes a minute.
#[test]
#[ignore = "takes a minute; scripts/test-long runs it"]
fn features_cost_what_they_add() {
    if Tools::yosys().is_err() {
        return;
    }
    let workshop = Workshop::new();
    let texture = "formats = [\"rgba8\"]\naddress_modes = [\"wrap\"]\nmipmaps = false\nbilinear = true\n";
    workshop.write("small.toml", &format!("units = 1\n[texture]\n{texture}[control]\nport = false\n"));
    let table: Value =
        serde_json::from_str(&workshop.succeed("tmugen estimate --config small.toml --features --json"))
            .unwrap();
    let without = table["without"].as_array().unwrap();
    let names: Vec<_> = without.iter().map(|row| row["feature"].as_str().unwrap()).collect();
    assert_eq!(names, ["texture.bilinear"], "{table}");
    let dsp = |figures: &Value| figures["dsp"].as_u64().unwrap();
    assert!(dsp(&table["whole"]) > dsp(&without[0]["figures"]), "{table}");
}
