//! `tmugen explore` as a user runs it, on small sweeps.

use crate::support::{Run, Workshop};
use serde_json::Value;
use std::fs;

const SMALL: &str = "--vary cache.ways=1,2 --vary cache.sets=16,64 --pattern scan,vertical --size 32";

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Command, exit code, and parts of standard error. Nothing may be written.
#[test]
fn wrong_input_is_refused_before_anything_is_done() {
    let workshop = Workshop::new();
    workshop.write("no_result.jsonl", "{\"sweep\": 1}\nnonsense\n");
    workshop.write("empty.jsonl", "");
    let mut cases: Vec<(String, i32, Vec<&str>)> = Vec::new();
    let mut refused = |command: &str, exit, parts: &[&'static str]| {
        cases.push((format!("tmugen explore {command}"), exit, parts.to_vec()));
    };
    refused("--shard 3/2 --results r.jsonl", 2, &["'3/2'", "K/N", "K from 1 to N"]);
    refused("--shard 0/2 --results r.jsonl", 2, &["'0/2'"]);
    refused("--shard 1/2", 2, &["--results"]);
    refused("--vary cache.ways", 2, &["KEY=VALUE"]);
    refused("--latency 10001", 2, &["10001"]);
    refused("--pattern scam", 2, &["'scam'", "a similar value exists: 'scan'"]);
    refused(
        "--vary cache.wayz=1 --vary cache.sets=64,65 --vary cache.data_ram=blok --results r.jsonl",
        2,
        &[
            "E0002",
            "--vary cache.wayz=1",
            "E0005",
            "--vary cache.sets=65",
            "E0006",
            "--vary cache.data_ram=blok",
        ],
    );
    refused("--vary cache.ways --vary =4", 2, &["--vary cache.ways:", "--vary =4:"]);
    refused("--vary units=1 --vary units=2", 2, &["E0220", "units is varied twice"]);
    refused(
        "--vary axi.outstanding_reads=2",
        2,
        &["E0220", "none of the 1 combinations", "axi.outstanding_reads"],
    );
    refused("--quads no.csv", 1, &["E0201", "no.csv"]);
    refused(
        "--results no_result.jsonl",
        1,
        &["no_result.jsonl:1: error[E0221]", "no_result.jsonl:2: error[E0221]"],
    );
    refused("--results no/r.jsonl", 4, &["E0209", "no/r.jsonl"]);
    refused("merge", 2, &["R.jsonl"]);
    refused("merge no.jsonl nor.jsonl", 1, &["E0201", "no.jsonl", "nor.jsonl"]);
    refused("merge empty.jsonl", 1, &["E0221", "empty.jsonl", "no results"]);
    let before = workshop.names();
    for (command, exit, parts) in cases {
        let run = workshop.run(&command);
        assert_eq!((run.exit, run.out.as_str()), (exit, ""), "{run}");
        for part in parts {
            assert!(run.err.contains(part), "{part:?} is not in {run}");
        }
        assert_eq!(workshop.names(), before, "{command} left something behind");
    }
}

#[test]
fn the_front_is_shown_and_written() {
    let workshop = Workshop::new();
    let text = workshop.succeed(&format!("tmugen explore {SMALL} --csv f.csv --svg f.svg"));
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        lines[0].split_whitespace().collect::<Vec<_>>(),
        ["cache.ways", "cache.sets", "memory", "Kb", "BRAM36", "URAM288", "samples/clock", "B/sample"]
    );
    assert!(text.contains("of 4 configurations are worth their cost"), "{text}");
    let csv = workshop.read("f.csv");
    assert_eq!(csv.lines().count(), 5, "{csv}");
    assert!(csv.starts_with("job,front,cache.ways,cache.sets,memory_kb,"), "{csv}");
    assert!(
        csv.lines()
            .next()
            .unwrap()
            .ends_with("vertical:samples_per_clock,vertical:bytes_per_sample,vertical:hit_rate")
    );
    assert!(workshop.read("f.svg").contains("Throughput and memory: cache.ways / cache.sets"));
    let all = parsed(&workshop.succeed(&format!("tmugen explore {SMALL} --json")));
    let results = all["results"].as_array().unwrap();
    assert_eq!(
        (results.len(), &all["done"], &all["jobs"], &all["illegal"]),
        (4, &4.into(), &4.into(), &0.into())
    );
    // A larger cache never reads more.
    let bytes = |ways: &str, sets: &str| {
        let is_it =
            |one: &&Value| one["settings"]["cache.ways"] == ways && one["settings"]["cache.sets"] == sets;
        results.iter().find(is_it).unwrap()["workloads"][0]["bytes_per_sample"].as_f64().unwrap()
    };
    assert!(bytes("2", "64") <= bytes("1", "16"));
    assert!(results.iter().any(|one| one["front"] == true));
}

#[test]
fn a_sweep_goes_on_where_it_was_stopped() {
    let workshop = Workshop::new();
    let command = format!("tmugen explore {SMALL} --results r.jsonl");
    let first = workshop.succeed(&command);
    let lines = workshop.read("r.jsonl");
    assert_eq!(lines.lines().count(), 4);
    // Nothing is left to do.
    assert_eq!(workshop.succeed(&command), first);
    assert_eq!(workshop.read("r.jsonl"), lines);
    // Stopped in the middle of a line: two jobs are done, the third again.
    let two: Vec<_> = lines.lines().take(2).collect();
    workshop.write("r.jsonl", &format!("{}\n{{\"sweep\":\"", two.join("\n")));
    assert_eq!(workshop.succeed(&command), first);
    let mut again: Vec<_> = workshop.read("r.jsonl").lines().map(str::to_owned).collect();
    assert_eq!(again[..2], two);
    let mut all: Vec<_> = lines.lines().map(str::to_owned).collect();
    again.sort();
    all.sort();
    assert_eq!(again, all);
    // Another sweep does not go into the same file.
    for other in ["--latency 20", "--all --size 64", "--engine rtl", "--preset fury"] {
        let other = format!("tmugen explore --vary cache.ways=1,2 --pattern scan --results r.jsonl {other}");
        let run = workshop.run(&other);
        assert_eq!(run.exit, 1, "{run}");
        assert!(run.err.contains("r.jsonl: error[E0222]: the file holds results of sweep"), "{run}");
    }
}

#[test]
fn a_merge_with_a_missing_part_is_refused_unless_partial_is_given() {
    let workshop = Workshop::new();
    for shard in [1, 2, 3] {
        let command = format!("tmugen explore {SMALL} --results {shard}.jsonl --shard {shard}/3");
        workshop.succeed(&command);
        let json = parsed(&workshop.succeed(&format!("{command} --json")));
        assert_eq!(
            (&json["shard"], &json["complete"]),
            (&format!("{shard}/3").into(), &false.into()),
            "{json}"
        );
    }
    let before = workshop.names();
    let run = workshop.run("tmugen explore merge 1.jsonl 3.jsonl -o all.jsonl --csv all.csv --svg all.svg");
    assert_eq!((run.exit, run.out.as_str()), (1, ""), "{run}");
    for part in ["E0224", "1 of 4 configurations have no result", "any of shard 2/3", "--partial"] {
        assert!(run.err.contains(part), "{part:?} is not in {run}");
    }
    assert_eq!(workshop.names(), before, "nothing is written");
    let said = workshop.run("tmugen explore merge 1.jsonl 3.jsonl --complete -o all.jsonl");
    assert!(said.exit == 1 && said.err.contains("E0224"), "{said}");
    let both = workshop.run("tmugen explore merge 1.jsonl 3.jsonl --complete --partial");
    assert!(both.exit == 2 && both.err.contains("cannot be used with"), "{both}");
    assert_eq!(workshop.names(), before, "nothing is written");
    let two = workshop.succeed("tmugen explore merge 1.jsonl 3.jsonl --partial -o two.jsonl --svg two.svg");
    assert!(two.contains("1 of 4 configurations are still to be done"), "{two}");
    assert!(workshop.read("two.svg").contains("(3 of 4 configurations)"));
    // What was put together in part can be completed.
    let json =
        parsed(&workshop.succeed("tmugen explore merge two.jsonl 2.jsonl --complete --json -o all.jsonl"));
    assert_eq!((&json["complete"], &json["shard"]), (&true.into(), &Value::Null), "{json}");
    assert!(!workshop.read("all.jsonl").contains("shard"));
    // A run that was stopped in the middle of a shard is missing too, whichever shards there are.
    let cut = workshop.read("1.jsonl");
    workshop.write("1.jsonl", cut.lines().next().unwrap());
    let run = workshop.run("tmugen explore merge 1.jsonl 2.jsonl 3.jsonl");
    assert!(run.exit == 1 && run.err.contains("E0224"), "{run}");
}

#[test]
fn shards_are_merged_to_the_whole() {
    let workshop = Workshop::new();
    let whole = workshop.succeed(&format!("tmugen explore {SMALL} --results whole.jsonl"));
    for shard in [1, 2, 3] {
        let text =
            workshop.succeed(&format!("tmugen explore {SMALL} --results {shard}.jsonl --shard {shard}/3"));
        assert!(text.contains("of 4 configurations are still to be done"), "{text}");
        assert!(text.contains(&format!("This is shard {shard}/3: the front is that of")), "{text}");
        let lines = workshop.read(&format!("{shard}.jsonl"));
        let of: Vec<_> = lines.lines().map(|line| parsed(line)["shard"].clone()).collect();
        assert!(!of.is_empty() && of.iter().all(|one| *one == format!("{shard}/3")), "{lines}");
    }
    // A file that is given twice changes nothing.
    let merged =
        workshop.succeed("tmugen explore merge 1.jsonl 2.jsonl 3.jsonl 2.jsonl -o all.jsonl --csv all.csv");
    assert_eq!(merged, whole);
    let mut lines: Vec<_> = workshop.read("whole.jsonl").lines().map(str::to_owned).collect();
    lines.sort_by_key(|line| parsed(line)["job"].as_u64());
    assert_eq!(workshop.read("all.jsonl").lines().collect::<Vec<_>>(), lines);

    let refused = |run: Run, part: &str| {
        assert_eq!(run.exit, 1, "{run}");
        assert!(run.err.contains("E0222") && run.err.contains(part), "{run}");
    };
    workshop.succeed("tmugen explore --vary units=1 --pattern scan --size 32 --results other.jsonl");
    refused(workshop.run("tmugen explore merge all.jsonl other.jsonl -o no.jsonl"), "other.jsonl");
    let changed = workshop.read("2.jsonl").replace("\"multipliers\":5", "\"multipliers\":6");
    workshop.write("changed.jsonl", &changed);
    refused(workshop.run("tmugen explore merge 2.jsonl changed.jsonl -o no.jsonl"), "two different results");
    assert!(!workshop.path("no.jsonl").exists());
}

#[test]
fn combinations_that_are_not_legal_are_counted() {
    let workshop = Workshop::new();
    let text = workshop
        .succeed("tmugen explore --vary units=2,3 --vary axi.id_bits=1,2 --pattern scan --size 32 --all");
    assert!(
        text.contains("1 combinations are no legal configuration, the first: units=3 axi.id_bits=1"),
        "{text}"
    );
    assert_eq!(text.lines().filter(|line| line.starts_with('*')).count(), 2, "{text}");
}

#[test]
fn the_hardware_is_no_faster_than_the_model_says() {
    if tmu_verilate::Tools::verilator().is_err() || tmu_verilate::Tools::cxx().is_err() {
        return;
    }
    let workshop = Workshop::new();
    fs::write(
        workshop.path("small.toml"),
        "name = \"small_cache\"\n[cache]\nways = 2\nsets = 64\nreplacement = \"round_robin\"\ndata_ram = \"block\"\n",
    )
    .unwrap();
    let run = |engine: &str| {
        let command =
            "tmugen explore small.toml --vary cache.sets=64 --pattern floor --size 32 --latency 20 --json";
        parsed(&workshop.succeed(&format!("{command} --engine {engine}")))["results"][0].clone()
    };
    let (model, rtl) = (run("model"), run("rtl"));
    let rate = |result: &Value| result["samples_per_clock"].as_f64().unwrap();
    assert!(rate(&rtl) > 0.0 && rate(&rtl) < rate(&model), "{rtl} {model}");
    for figure in ["bytes_per_sample", "hit_rate"] {
        assert_eq!(rtl["workloads"][0][figure], model["workloads"][0][figure], "{figure}");
    }
    assert_eq!(rtl["cost"], model["cost"]);
}

#[test]
fn four_pixels_a_clock_are_a_key_like_any_other() {
    let workshop = Workshop::new();
    workshop.write(
        "ahead.toml",
        "name = \"ahead\"\nrequest = { beats_per_quad = 1 }\nresult = { fifo_depth = 64 }\n\
         cache = { kind = \"prefetch\", replacement = \"round_robin\" }\naxi = { outstanding_reads = 64 }\n",
    );
    let command =
        "tmugen explore ahead.toml --vary datapath.pixels_per_clock=1,4 --pattern hits,scan --size 32 --json";
    let all = parsed(&workshop.succeed(command));
    let rates = |workload: usize| {
        let rate =
            |job: usize| all["results"][job]["workloads"][workload]["samples_per_clock"].as_f64().unwrap();
        [rate(0), rate(1)]
    };
    assert_eq!(rates(0), [1.0, 4.0], "{all}");
    assert!(rates(1)[1] > 3.0 && rates(1)[0] <= 1.0, "{all}");
    // Quads of two beats, a short result FIFO and the other cache are refused beside it.
    let vary = "--vary datapath.pixels_per_clock=1,4";
    let others = "--vary request.beats_per_quad=1,2 --vary result.fifo_depth=16,64 --pattern hits --size 32";
    let text = workshop.succeed(&format!("tmugen explore ahead.toml {vary} {others}"));
    assert!(text.contains("3 combinations are no legal configuration"), "{text}");
    let refused = workshop.run("tmugen explore --vary datapath.pixels_per_clock=4 --pattern hits");
    assert_eq!(refused.exit, 2, "{refused}");
    assert!(refused.err.contains("is not built with cache.kind = \"blocking\""), "{refused}");
}

/// Takes the time of two syntheses of the least that can be built.
#[test]
fn luts_are_a_second_cost() {
    if tmu_verilate::Tools::yosys().is_err() {
        return;
    }
    let workshop = Workshop::new();
    workshop.write(
        "least.toml",
        "name = \"least\"\nrequest = { beats_per_quad = 1, fifo_depth = 4 }\nresult = { fifo_depth = 4 }\n\
         texture = { formats = [\"rgb8\"], address_modes = [\"wrap\"], bilinear = false, mipmaps = false, max_size_log2 = 2 }\n\
         cache = { ways = 1, sets = 16, tag_ram = \"distributed\", data_ram = \"distributed\" }\n\
         axi = { address_bits = 32, id_bits = 1 }\ncontrol = { port = false, counters = false }\n",
    );
    let sweep = "--vary cache.data_ram=distributed,block --pattern hits --size 32";
    let text = workshop
        .succeed(&format!("tmugen explore least.toml {sweep} --luts --results r.jsonl --csv f.csv --all"));
    assert!(text.lines().next().unwrap().contains("  LUT  "), "{text}");
    let results: Vec<_> = workshop.read("r.jsonl").lines().map(parsed).collect();
    let luts = |data_ram: &str| {
        let is_it = |one: &&Value| one["settings"][0][1] == data_ram;
        results.iter().find(is_it).and_then(|one| one["cost"]["luts"].as_u64()).unwrap()
    };
    // 16 lines of 128 bits take LUTs, unless they are in block RAM.
    assert!(luts("distributed") > luts("block") + 50 && luts("block") > 300, "{results:?}");
    for data_ram in ["distributed", "block"] {
        assert!(workshop.read("f.csv").contains(&format!(",{},", luts(data_ram))));
    }
}
