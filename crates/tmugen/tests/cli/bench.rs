//! `tmugen bench` as a user runs it, on small pictures.

use crate::support::Workshop;
use serde_json::Value;

/// A cache that is quick to compile and too small for most patterns.
const SMALL: &str = "name = \"small_cache\"\n[cache]\nways = 2\nsets = 64\nreplacement = \"round_robin\"\n\
                     data_ram = \"block\"\n";

pub(crate) fn has_verilator() -> bool {
    tmu_verilate::Tools::verilator().is_ok() && tmu_verilate::Tools::cxx().is_ok()
}

fn quads(count: u32) -> String {
    let mut text = "u0,v0,u1,v1,u2,v2,u3,v3,valid\n".to_owned();
    for number in 0..count {
        let u = number * 512 % 65536;
        text += &format!("{u},0,{0},0,{u},256,{0},256,15\n", u + 256);
    }
    text
}

/// Command, exit code, and parts of standard error. Nothing may be written.
#[test]
fn wrong_input_is_refused_before_anything_is_measured() {
    let workshop = Workshop::new();
    workshop.write("plain.toml", "[texture]\nformats = [\"rgb8\"]\nmipmaps = false\n");
    workshop.write("few.csv", &quads(70));
    workshop.write("four.toml", "units = 4\n");
    let cases: [(&str, i32, &[&str]); 14] = [
        ("tmugen bench --pattern hit", 2, &["'hit'", "a similar value exists: 'hits'"]),
        ("tmugen bench --pattern", 2, &["a value is required", "[possible values: hits, scan"]),
        ("tmugen bench --latency 20,10001", 2, &["10001", "0 to 10000"]),
        ("tmugen bench --latency=-1", 2, &["-1"]),
        ("tmugen bench --size 100", 2, &["'100'", "a power of two of 32 to 512"]),
        ("tmugen bench --size 1024", 2, &["a power of two of 32 to 512"]),
        ("tmugen bench --pauses=96", 2, &["96", "0..=95"]),
        ("tmugen bench --compare fury,furry", 2, &["'furry'", "fury"]),
        ("tmugen bench --compare fury --preset fury", 2, &["cannot be used with"]),
        ("tmugen bench --texture t.toml", 2, &["--quads"]),
        (
            "tmugen bench plain.toml --pattern floor,scan --format rgba8",
            1,
            &["E0205", "plain.toml does not build mipmapping, which pattern floor needs", "format rgba8"],
        ),
        ("tmugen bench --quads no.csv", 1, &["E0201", "no.csv"]),
        (
            "tmugen bench four.toml --quads few.csv",
            1,
            &["E0218", "few.csv", "70 of the quads", "256 are needed"],
        ),
        ("tmugen bench no.toml", 1, &["E0201", "no.toml"]),
    ];
    let before = workshop.names();
    for (command, exit, parts) in cases {
        let run = workshop.run(&format!("{command} -o r.json --page p.md"));
        assert_eq!((run.exit, run.out.as_str()), (exit, ""), "{run}");
        for part in parts {
            assert!(run.err.contains(part), "{part:?} is not in {run}");
        }
        assert_eq!(workshop.names(), before, "{command} left something behind");
    }
}

#[test]
fn the_table_has_a_row_for_each_pattern_and_unit() {
    if !has_verilator() {
        return;
    }
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    let text = workshop.succeed(
        "tmugen bench small.toml --compare fury-single --pattern scan,hits --size 32 --latency 20,20,4",
    );
    let lines: Vec<_> = text.lines().collect();
    let cells = |line: usize| lines[line].split_whitespace().collect::<Vec<_>>();
    assert_eq!(cells(0)[..7], ["pattern", "unit", "L=0", "L=4", "L=20", "kept", "4"], "{text}");
    let named = |line: usize, names: &[&str]| assert_eq!(cells(line)[..names.len()], *names, "{text}");
    named(1, &["scan", "small.toml"]);
    named(2, &["fury-single"]);
    named(3, &["hits", "small.toml"]);
    named(4, &["fury-single"]);
    assert!(text.contains("small.toml: 1 unit, issues at most 0.25 samples a clock"), "{text}");
    assert!(text.contains("32 x 32 pixels, rgba8; memory of 16 bytes a clock, without pauses"), "{text}");
    // Whatever the cache, the first pass of `hits` brings all that fits this one in.
    let hits = cells(4);
    assert_eq!(hits[1..4], [hits[1]; 3], "{text}");
}

#[test]
fn figures_hang_together() {
    if !has_verilator() {
        return;
    }
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    let command = "tmugen bench small.toml --size 32 --latency 60 --format i8_rgb8 --pauses -o r.json --json";
    let printed: Value = serde_json::from_str(&workshop.succeed(command)).unwrap();
    let written: Value = serde_json::from_str(&workshop.read("r.json")).unwrap();
    assert_eq!(printed["results"], written["results"]);
    assert_eq!((&printed["ok"], &printed["pauses_percent"]), (&true.into(), &10.into()));
    let results = written["results"].as_array().unwrap();
    let patterns: Vec<_> = results.iter().map(|result| result["pattern"].as_str().unwrap()).collect();
    let all = ["hits", "scan", "diagonal", "vertical", "minified", "magnified", "random", "floor", "levels"];
    assert_eq!(patterns, all);
    for result in results {
        let close = |value: &Value, expected: f64| {
            let value = value.as_f64().unwrap_or(f64::NAN);
            assert!((value - expected).abs() <= 1e-12 * expected, "{value} should be {expected}: {result}");
        };
        let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{value} in {result}"));
        let runs = result["runs"].as_array().unwrap();
        assert_eq!(
            runs.iter().map(|run| run["latency_clocks"].as_u64().unwrap()).collect::<Vec<_>>(),
            [0, 60]
        );
        for run in runs {
            let rate = number(&run["samples_per_clock"]);
            close(&run["samples_per_clock"], number(&run["timed_samples"]) / number(&run["timed_clocks"]));
            close(&run["share_of_zero_latency"], rate / number(&runs[0]["samples_per_clock"]));
            close(&run["bytes_per_sample"], number(&run["bytes"]) / number(&result["samples"]));
            assert!(number(&run["share_of_bound"]) <= 1.0 && number(&run["hit_rate"]) <= 1.0, "{result}");
            assert!(number(&run["bytes_per_touched_byte"]) >= 1.0, "{result}");
        }
    }
}

#[test]
fn lists_of_quads_and_pages() {
    if !has_verilator() {
        return;
    }
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    workshop.write("walk.csv", &quads(300));
    workshop.succeed("tmugen pack emblem.png -o t.bin --format i8_rgba8 --quiet");
    let command = "tmugen bench small.toml --quads walk.csv --texture t.toml --latency 20 --page page.md";
    let text = workshop.succeed(command);
    assert!(text.lines().nth(1).unwrap().starts_with("walk.csv  small.toml"), "{text}");
    let page = workshop.read("page.md");
    for part in [
        "page-rate.svg",
        "page-bytes.svg",
        "| walk.csv | small.toml |",
        "-- bench small.toml --quads walk.csv --texture t.toml --size 256 --latency 0,20 --page page.md",
    ] {
        assert!(page.contains(part), "{part:?} is not in {page}");
    }
    for plot in ["page-rate.svg", "page-bytes.svg"] {
        let svg = workshop.read(plot);
        assert!(svg.starts_with("<svg") && svg.contains("walk.csv") && svg.contains("small.toml"), "{svg}");
    }
    // The same quads once more, next to a pattern and without a texture of their own.
    let both =
        workshop.succeed("tmugen bench small.toml --quads walk.csv --pattern hits --size 32 --latency 0");
    assert!(both.contains("\nhits") && both.contains("\nwalk.csv"), "{both}");
}

/// Pixels that are not valid cost `stream` nothing, and few quads of a frame have only one that is.
#[test]
fn a_frame_is_timed_texture_by_texture_at_nearly_a_sample_a_clock() {
    if !has_verilator() {
        return;
    }
    let workshop = Workshop::new();
    let command = "tmugen bench --preset stream --frame scenes/cube-photo.toml --latency 0 --json";
    let report: Value = serde_json::from_str(&workshop.succeed(command)).unwrap();
    let results = report["results"].as_array().unwrap();
    let names: Vec<_> = results.iter().map(|row| row["pattern"].as_str().unwrap()).collect();
    assert_eq!(names, ["frame:cube-photo/coffee", "frame:cube-photo/paving"]);
    for row in results {
        let run = &row["runs"][0];
        assert!(run["samples_per_clock"].as_f64().unwrap() >= 0.98, "{row}");
        assert!(run["timed_samples"].as_u64().unwrap() < 4 * row["quads"].as_u64().unwrap(), "{row}");
    }
}

#[test]
fn a_scene_that_is_not_there_is_refused() {
    let run = Workshop::new().run("tmugen bench --preset stream --frame no.toml");
    assert_eq!((run.exit, run.out.as_str()), (1, ""), "{run}");
    assert!(run.err.contains("no.toml"), "{run}");
}
