//! What users get wrong ends alike in every command: one exit code for one kind of mistake, everything wrong at once, and
//! in JSON where that is asked for.

use crate::support::Workshop;
use serde_json::Value;
use tmu_verilate::Tools;

/// The command, without the mistake and with it in place of `{}`.
type Cases<'c> = &'c [&'c str];

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.succeed("tmugen pack emblem.png -o t.bin --format rgba8 -q");
    workshop.succeed("tmugen generate --preset fury-single --out hdl -q");
    let quads = "0,0,128,0,0,128,128,128,15\n".repeat(64);
    workshop.write("q.csv", &format!("u0,v0,u1,v1,u2,v2,u3,v3,valid\n{quads}"));
    let explore = "tmugen explore --vary cache.sets=64 --pattern hits --size 32 --results r.jsonl -q";
    workshop.succeed(explore);
    workshop
}

/// Runs every command with every mistake: they end with one code and write nothing.
fn all_end_with(workshop: &Workshop, exit: i32, mistakes: &[&str], commands: Cases<'_>) {
    let before = workshop.names();
    for command in commands {
        for mistake in mistakes {
            let command = command.replace("{}", mistake);
            let run = workshop.run(&command);
            assert_eq!((run.exit, run.out.as_str()), (exit, ""), "{run}");
            assert_eq!(workshop.names(), before, "{command} left something behind");
            // The same in JSON, on standard output alone; what is drawn before it cannot be written takes too long for two.
            if command.starts_with("tmugen completions") || exit == 4 {
                continue;
            }
            let run = workshop.run(&format!("{command} --json"));
            assert_eq!((run.exit, run.err.as_str()), (exit, ""), "{run}");
            let told: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run}"));
            assert_eq!((&told["ok"], &told["exit"]), (&false.into(), &exit.into()), "{run}");
            let problem = &told["problems"][0];
            for key in ["code", "message", "help"] {
                assert!(problem[key].as_str().is_some_and(|text| !text.is_empty()), "{key} in {run}");
            }
        }
    }
}

#[test]
fn a_missing_input_file_is_one_kind_of_mistake() {
    let cases = [
        "tmugen check {}.toml",
        "tmugen generate {}.toml --out new",
        "tmugen generate --config {}.toml --out new",
        "tmugen pack {}.png -o x.bin --format rgb8",
        "tmugen unpack {}.toml -o x.png",
        "tmugen info {}.toml",
        "tmugen assemble {}.psh -o x.tps",
        "tmugen sample --texture {}.toml --quads q.csv -o x.csv",
        "tmugen sample --texture t.toml --quads {}.csv -o x.csv",
        "tmugen sample --texture t.toml --quads q.csv -o x.csv --config {}.toml",
        "tmugen render {}.toml -o x.png",
        "tmugen render scenes/cube-photo.toml -o x.png --config {}.toml",
        "tmugen view {}.png",
        "tmugen sim --config {}.toml",
        "tmugen bench {}.toml",
        "tmugen bench --quads {}.csv",
        "tmugen bench --quads q.csv --texture {}.toml",
        "tmugen explore {}.toml",
        "tmugen explore --quads {}.csv",
        "tmugen explore merge {}.jsonl",
        "tmugen estimate {}",
        "tmugen estimate --compare {}.json",
        "tmugen report --config {}.toml --out x.html",
    ];
    all_end_with(&workshop(), 1, &["nothing"], &cases);
}

/// A file that is there and holds something else: a picture for a text, a text for a picture.
#[test]
fn a_damaged_file_is_one_kind_of_mistake() {
    let workshop = workshop();
    let picture = std::fs::read(workshop.path("emblem.png")).unwrap();
    for name in ["bad.toml", "bad.csv", "bad.jsonl", "bad.json"] {
        std::fs::write(workshop.path(name), &picture).unwrap();
    }
    std::fs::write(workshop.path("bad.png"), &picture[..picture.len() / 2]).unwrap();
    std::fs::create_dir(workshop.path("bad")).unwrap();
    workshop.write("bad/manifest.json", "{");
    let cases = [
        "tmugen check bad.toml",
        "tmugen generate bad.toml --out new",
        "tmugen pack bad.png -o x.bin --format rgb8",
        "tmugen unpack bad.toml -o x.png",
        "tmugen info bad.toml",
        "tmugen assemble bad.toml -o x.tps",
        "tmugen sample --texture bad.toml --quads q.csv -o x.csv",
        "tmugen sample --texture t.toml --quads bad.csv -o x.csv",
        "tmugen render bad.toml -o x.png",
        "tmugen view bad.png",
        "tmugen sim --config bad.toml",
        "tmugen bench bad.toml",
        "tmugen bench --quads bad.csv",
        "tmugen explore bad.toml",
        "tmugen explore --size 32 --pattern hits --results bad.jsonl",
        "tmugen explore merge bad.jsonl",
        "tmugen estimate bad",
        "tmugen estimate --compare bad.json",
        "tmugen report --config bad.toml --out x.html",
    ];
    all_end_with(&workshop, 1, &[""], &cases);
}

#[test]
fn a_bad_name_of_an_output_is_one_kind_of_mistake() {
    let cases = [
        "tmugen pack emblem.png -o x{} --format rgb8",
        "tmugen unpack t.toml -o x{}",
        "tmugen unpack nothing.toml -o x{}",
        "tmugen render scenes/cube-photo.toml -o x{}",
        "tmugen render scenes/cube-photo.toml -o x.png --compare y{}",
        "tmugen render scenes/cube-photo.toml -o x.png --record-texture paving --record-quads y{}",
    ];
    all_end_with(&workshop(), 2, &[".txt", ".toml", ".p"], &cases);
}

#[test]
fn a_bad_value_is_one_kind_of_mistake() {
    let cases = [
        "tmugen nonsense",
        "tmugen new",
        "tmugen new x.toml --preset nope",
        "tmugen presets show nope",
        "tmugen check",
        "tmugen explain E9999",
        "tmugen generate --preset nope --out new",
        "tmugen generate --preset fury",
        "tmugen pack emblem.png -o x.bin --format rgb666",
        "tmugen pack emblem.png -o x.bin --format rgb8 --mip-filter nope",
        "tmugen unpack t.toml -o x.png --level=-1",
        "tmugen info",
        "tmugen sample --texture t.toml --quads q.csv -o x.csv --filter nope",
        "tmugen render scenes/cube-photo.toml -o x.png --size nope",
        "tmugen view --port 99999",
        "tmugen view --address 0.0.0.0",
        "tmugen sim --quads 0",
        "tmugen sim --quads=-1",
        "tmugen sim --faults 0",
        "tmugen sim --latency 0",
        "tmugen sim --pauses 96",
        "tmugen sim --only 5-3",
        "tmugen bench --pattern nope",
        "tmugen bench --compare nope",
        "tmugen bench --latency nope",
        "tmugen explore --vary nope",
        "tmugen explore --vary cache.nope=1",
        "tmugen explore --vary cache.ways=3",
        "tmugen explore --shard 3/2 --results new.jsonl",
        "tmugen explore merge",
        "tmugen estimate --nope",
        "tmugen report --preset fury",
        "tmugen doctor --nope",
        "tmugen completions nope",
        "tmugen man",
    ];
    all_end_with(&workshop(), 2, &[""], &cases);
}

#[test]
fn an_output_that_cannot_be_written_is_one_kind_of_mistake() {
    let workshop = workshop();
    let mut cases = vec![
        "tmugen new no/x.toml",
        "tmugen generate --preset fury-single --out q.csv",
        "tmugen pack emblem.png -o no/x.bin --format rgb8",
        "tmugen unpack t.toml -o no/x.png",
        "tmugen sample --texture t.toml --quads q.csv -o no/x.csv",
        "tmugen render scenes/cube-photo.toml --size 32x32 -o no/x.png",
        "tmugen render scenes/cube-photo.toml --size 32x32 -o x.png --stats no/x.json",
        "tmugen explore --vary cache.sets=64 --pattern hits --size 32 --csv no/x.csv",
        "tmugen explore --vary cache.sets=64 --pattern hits --size 32 --results no/x.jsonl",
        "tmugen explore merge r.jsonl -o no/x.jsonl",
        "tmugen man --out q.csv",
    ];
    if Tools::verilator().is_ok() && Tools::cxx().is_ok() {
        cases.push("tmugen sim --quads 20 --coverage no/x.csv");
        cases.push("tmugen bench --pattern hits --size 32 --latency 0 -o no/x.json");
    }
    if Tools::yosys().is_ok() {
        cases.push("tmugen estimate --preset fury-single --top reset --netlist no/x.json");
    }
    all_end_with(&workshop, 4, &[""], &cases);
}

#[test]
fn an_output_that_is_a_file_of_the_same_run_is_one_kind_of_mistake() {
    let cases = [
        "tmugen pack t.toml -o t.bin --format rgb8",
        "tmugen sample --texture t.toml --quads q.csv -o q.csv",
        "tmugen render scenes/cube-photo.toml -o x.png --stats x.png",
        "tmugen sim --coverage x --waves x",
        "tmugen bench --pattern hits --size 32 -o x --page x",
        "tmugen explore --pattern hits --size 32 --csv x --svg x",
        "tmugen explore merge r.jsonl -o r.jsonl",
    ];
    all_end_with(&workshop(), 2, &[""], &cases);
}

/// A file of another kind than the output, or a configuration for `new`.
#[test]
fn an_output_that_would_replace_another_file_is_one_kind_of_mistake() {
    let workshop = workshop();
    workshop.write("mine", "of nobody else\n");
    workshop.write("mine.toml", "# mine\nunits = 1\n");
    workshop.write("mine.png", "of nobody else\n");
    let cases = [
        "tmugen new mine.toml",
        "tmugen pack emblem.png -o mine.bin --format rgb8",
        "tmugen unpack t.toml -o mine.png",
        "tmugen sample --texture t.toml --quads q.csv -o mine",
        "tmugen render scenes/cube-photo.toml -o mine.png",
        "tmugen sim --coverage mine",
        "tmugen bench --pattern hits --size 32 -o mine",
        "tmugen explore --pattern hits --size 32 --csv mine",
        "tmugen explore merge r.jsonl -o mine",
        "tmugen estimate --preset fury-single --netlist mine",
        "tmugen report --preset fury-single --out mine",
    ];
    all_end_with(&workshop, 1, &[""], &cases);
}

#[test]
fn a_value_that_does_not_fit_its_file_is_one_kind_of_mistake() {
    let cases = [
        "tmugen unpack t.toml --level 9 -o x.png",
        "tmugen sample --texture t.toml --quads q.csv -o x.csv --max-lod 9",
        "tmugen render scenes/cube-photo.toml -o x.png --record-quads y.csv --record-texture nope",
        "tmugen sim --only 0",
    ];
    all_end_with(&workshop(), 1, &[""], &cases);
}

#[test]
fn a_missing_tool_is_one_kind_of_mistake() {
    let workshop = workshop();
    let cases = [
        "sim",
        "bench",
        "sample --texture t.toml --quads q.csv -o x.csv --engine rtl",
        "render scenes/cube-photo.toml -o x.png --engine rtl",
        "render scenes/cube-photo.toml -o x.png --size 32x32 --compare y.png",
        "explore --vary cache.sets=64 --pattern hits --size 32 --engine rtl",
        "explore --vary cache.sets=64 --pattern hits --size 32 --luts",
        "estimate --preset fury-single",
        "report --preset fury-single --out x.html --bench",
        "report --preset fury-single --out x.html --area",
    ];
    let (before, no_tools) = (workshop.names(), tempfile::tempdir().unwrap());
    for arguments in cases {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_tmugen"))
            .args(arguments.split(' '))
            .env("PATH", no_tools.path())
            .env("TMUGEN_CACHE_DIR", no_tools.path().join("cache"))
            .env_remove("VERILATOR_ROOT")
            .current_dir(workshop.path(""))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{arguments}: {text}");
        assert!(text.contains("E0210") && text.contains("scripts/setup"), "{arguments}: {text}");
        assert_eq!(workshop.names(), before, "{arguments} left something behind");
    }
}

#[test]
fn json_holds_for_usage_errors() {
    let workshop = Workshop::new();
    for (command, code, parts) in [
        ("tmugen pack --json", "E0200", ["required arguments were not provided", "--output <T.bin>"]),
        ("tmugen --json bench --pattern scan,scam", "E0200", ["--json", "Usage"]),
        ("tmugen bench --pattern scam --json", "E0200", ["invalid value 'scam' for '--pattern", "'scan'"]),
        ("tmugen bench --json --compare nope,nada", "E0200", ["'nope', 'nada'", "fury-single"]),
        ("tmugen nonsense --json", "E0200", ["unrecognized subcommand 'nonsense'", "Usage"]),
        ("tmugen sim --quads 0 --json", "E0200", ["'0'", "--quads"]),
        ("tmugen explain E9999 --json", "E0211", ["E9999", "lists all codes"]),
    ] {
        let run = workshop.run(command);
        assert_eq!((run.exit, run.err.as_str()), (2, ""), "{run}");
        let told: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run}"));
        let problem = &told["problems"][0];
        assert_eq!((&told["exit"], &problem["code"]), (&2.into(), &code.into()), "{run}");
        let text = format!("{} / {}", problem["message"], problem["help"]);
        for part in parts {
            assert!(text.contains(part), "{part:?} is not in {text}");
        }
        assert!(!text.contains('\u{1b}') && !text.contains("\\n"), "plain text in one line: {text}");
    }
    // Behind `--` it is a name, not an option.
    let run = workshop.run("tmugen info nothing.toml nor -- --json");
    assert!(run.exit == 2 && run.out.is_empty() && run.err.contains("Usage"), "{run}");
}

/// Command, exit code, and everything that must be named.
#[test]
fn a_list_reports_all_its_faults() {
    let workshop = workshop();
    workshop.write("modes.toml", "[texture]\nformats = [\"rgb666\", \"rgba8\", \"rgba4\"]\n");
    let rows = "x,0,0,0,0,0,0,0,15\n".repeat(30);
    workshop.write("rows.csv", &format!("u0,v0,u1,v1,u2,v2,u3,v3,valid\n{rows}"));
    workshop.write("bad.jsonl", "nonsense\n");
    let cases: [(&str, i32, &[&str]); 9] = [
        ("tmugen bench --pattern scam,scan,vertikal", 2, &["'scam', 'vertikal'", "'scan', 'vertical'"]),
        ("tmugen bench --compare furry,fury,streem", 2, &["'furry', 'streem'", "'fury', 'stream'"]),
        ("tmugen bench --latency 20,x,10001", 2, &["'x', '10001'", "0 to 10000"]),
        ("tmugen sim --only 7-5,9,x", 2, &["'7-5'", "'x'"]),
        (
            "tmugen explore --vary cache.sets=64,65 --vary cache.ways=3,4,x",
            2,
            &["sets=65", "ways=3", "ways=x"],
        ),
        ("tmugen explore --vary sets --vary =1", 2, &["--vary sets:", "--vary =1:"]),
        ("tmugen explore merge bad.jsonl r.jsonl no.jsonl", 1, &["bad.jsonl:1", "no.jsonl"]),
        (
            "tmugen check modes.toml no.toml",
            1,
            &["modes.toml:2:12", "\"rgb666\"", "modes.toml:2:31", "\"rgba4\"", "no.toml"],
        ),
        (
            "tmugen sample --texture t.toml --quads rows.csv -o x.csv",
            1,
            &["rows.csv:2:1", "rows.csv:21:1", "10 more of the same kind"],
        ),
    ];
    for (command, exit, parts) in cases {
        let run = workshop.run(command);
        assert_eq!((run.exit, run.out.as_str()), (exit, ""), "{run}");
        for part in parts {
            assert!(run.err.contains(part), "{part:?} is not in {run}");
        }
    }
}

/// Texts that are none, and texts that are far too long: the help is about that.
#[test]
fn files_that_are_no_text_or_too_long_get_a_fitting_help() {
    let workshop = workshop();
    let utf_16: Vec<u8> = "units = 1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf_16 = [&[0xff, 0xfe], utf_16.as_slice()].concat();
    for name in ["utf16.toml", "utf16.csv", "utf16.json", "utf16.jsonl"] {
        std::fs::write(workshop.path(name), &utf_16).unwrap();
    }
    std::fs::write(workshop.path("utf16.bin"), "").unwrap();
    workshop.write("long.toml", &"# a comment that goes on\n".repeat(400_000));
    let cases: [(&str, &[&str]); 10] = [
        ("tmugen check utf16.toml", &["E0201", "not text in UTF-8", "not UTF-16 or Latin-1"]),
        ("tmugen info utf16.toml", &["E0101", "not text in UTF-8", "tmugen pack"]),
        ("tmugen render utf16.toml -o x.png", &["not text in UTF-8", "not UTF-16 or Latin-1"]),
        ("tmugen sample --texture t.toml --quads utf16.csv -o x.csv", &["E0202", "not UTF-16 or Latin-1"]),
        ("tmugen explore merge utf16.jsonl", &["E0221", "not text", "explore has written"]),
        ("tmugen estimate --compare utf16.json", &["E0201", "not text in UTF-8", "estimate --json"]),
        ("tmugen check long.toml", &["E0201", "longer than 1048576 bytes", "a few kilobytes"]),
        ("tmugen sim --config long.toml", &["E0201", "the configuration that you mean"]),
        ("tmugen info long.toml", &["E0101", "longer than 65536 bytes", "a few lines"]),
        ("tmugen render long.toml -o x.png", &["over", "files of their own"]),
    ];
    for (command, parts) in cases {
        let run = workshop.run(command);
        assert_eq!((run.exit, run.out.as_str()), (1, ""), "{run}");
        for part in parts {
            assert!(run.err.contains(part), "{part:?} is not in {run}");
        }
        assert!(!run.err.contains("check the path"), "the path is right: {run}");
    }
}
