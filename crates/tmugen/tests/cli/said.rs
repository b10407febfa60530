//! What commands say is true: of the configuration, of what was asked for, and nothing where nothing is to be said.

use crate::support::Workshop;
use serde_json::Value;
use tmu_spec::presets::classic;
use tmu_verilate::Tools;

fn simulates() -> bool {
    Tools::verilator().is_ok() && Tools::cxx().is_ok()
}

/// The line of `check` with a heading, without it.
fn line<'t>(text: &'t str, heading: &str) -> &'t str {
    let found = text.lines().find_map(|line| line.trim().strip_prefix(heading));
    found.unwrap_or_else(|| panic!("no {heading} in {text}")).trim()
}

#[test]
fn check_says_what_is_sampled() {
    let workshop = Workshop::new();
    let all = "bilinear and nearest; mipmaps, levels 0 to 11; textures up to 2048 x 2048";
    let blocking = "4 ways x 1024 sets x 16 bytes = 64 KiB a unit";
    for (name, toml, sampling, cache) in [
        (
            "plain",
            "[texture]\nbilinear = false\nmipmaps = false\n",
            "nearest only; no mipmaps, level 0 only; textures up to 2048 x 2048",
            blocking,
        ),
        (
            "flat",
            "[texture]\nmipmaps = false\nmax_size_log2 = 8\n",
            "bilinear and nearest; no mipmaps, level 0 only; textures up to 256 x 256",
            blocking,
        ),
        (
            "point",
            "[texture]\nbilinear = false\nmax_size_log2 = 2\n",
            "nearest only; mipmaps, levels 0 to 2; textures up to 4 x 4",
            blocking,
        ),
        ("least", "[cache]\nways = 1\nsets = 16\n", all, "1 ways x 16 sets x 16 bytes = 256 bytes a unit"),
    ] {
        workshop.write(&format!("{name}.toml"), toml);
        let text = workshop.succeed(&format!("tmugen check {name}.toml"));
        assert_eq!(line(&text, "sampling"), sampling, "{text}");
        assert!(line(&text, "cache").starts_with(cache), "{text}");
    }
    for (preset, config) in classic() {
        let name = preset.name();
        workshop.write(&format!("{name}.toml"), preset.toml());
        let text = workshop.succeed(&format!("tmugen check {name}.toml"));
        let (features, cache) = (config.features(), config.cache());
        assert!(features.bilinear() && features.mipmaps() && features.max_size_log2() == 11, "{name}");
        assert_eq!(line(&text, "sampling"), all, "{name}");
        let has = line(&text, "cache");
        let sets = format!("{} ways x {} sets ", cache.ways(), cache.sets());
        assert!(has.starts_with(&sets), "{has}");
        assert_eq!(
            has.contains("tiles of 4 x 4 texels"),
            matches!(name, "stream" | "quad" | "quad-far"),
            "{has}"
        );
        let json: Value =
            serde_json::from_str(&workshop.succeed(&format!("tmugen check {name}.toml --json"))).unwrap();
        assert_eq!(
            (&json["configs"][0]["mipmaps"], &json["configs"][0]["levels"]),
            (&true.into(), &12.into())
        );
    }
}

/// Commands that print what was asked for are as quiet as those that write it: only the exit code speaks.
#[test]
fn quiet_is_quiet_in_every_command() {
    let workshop = Workshop::new();
    workshop.succeed("tmugen pack emblem.png -o t.bin --format rgba8 -q");
    let explore = "tmugen explore --vary cache.sets=64 --pattern hits --size 32";
    workshop.succeed(&format!("{explore} --results r.jsonl -q"));
    for command in [
        "tmugen info t.toml",
        explore,
        "tmugen explore merge r.jsonl",
        "tmugen presets",
        "tmugen explain E0101",
        "tmugen doctor",
        "tmugen check t.toml",
    ] {
        let is_wrong = command.contains("check");
        let run = workshop.run(&format!("{command} -q"));
        assert_eq!(
            (run.exit, run.out.as_str(), run.err.is_empty()),
            (i32::from(is_wrong), "", !is_wrong),
            "{run}"
        );
    }
    assert!(workshop.succeed(&format!("{explore} -q --json")).contains("\"ok\": true"), "JSON was asked for");
}

#[test]
fn sim_runs_exactly_the_quads_that_are_asked_for() {
    if !simulates() {
        return;
    }
    let workshop = Workshop::new();
    for options in ["", "--errors --resets --pauses 20", "--preset fury --resets"] {
        for quads in [1, 200] {
            let text = workshop.succeed(&format!("tmugen sim --quads {quads} {options} --json"));
            let json: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(json["quads"], quads, "{options}: {json}");
        }
    }
}

#[test]
fn sim_of_no_quads_is_an_error() {
    let workshop = Workshop::new();
    let run = workshop.run("tmugen sim --quads 0");
    assert!(run.exit == 2 && run.err.contains("'0' for '--quads <N>'"), "{run}");
    // A run begins with a binding, which nothing comes of.
    let run = workshop.run("tmugen sim --only 0");
    assert_eq!((run.exit, run.out.as_str()), (1, ""), "{run}");
    for part in ["E0225", "--only 0: none of these items is a quad", "--quads"] {
        assert!(run.err.contains(part), "{part:?} is not in {run}");
    }
    if simulates() {
        workshop.succeed("tmugen sim --only 0-9");
    }
}

#[test]
fn the_first_result_of_sim_says_what_it_means() {
    if !simulates() {
        return;
    }
    let text = Workshop::new().succeed("tmugen sim --quads 200");
    for part in [
        "fury-single: passed. The hardware in simulation answered 200 quads (2 x 2 pixels each)",
        "every bit as the golden model does",
        "clocks of tmu_aclk",
        "reads of 16 bytes from memory",
        "bins of functional coverage reached",
        "(a bin is a situation to be tried, such as bilinear RGB8 at level 3",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
}
