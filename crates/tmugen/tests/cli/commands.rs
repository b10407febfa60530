//! The commands as a user runs them: files in, files out, exit codes.

use crate::support::Workshop;
use serde_json::Value;
use std::fs;
use tmu_testing::{is_set, repository};

#[test]
fn a_picture_comes_back_from_every_format() {
    let workshop = Workshop::new();
    for (picture, format) in [
        ("coffee.jpg", "rgba8"),
        ("coffee.jpg", "rgb8"),
        ("emblem.png", "i8_rgba8"),
        ("emblem.png", "rgba8"),
        ("gravel.png", "i8_rgb8"),
    ] {
        workshop.succeed(&format!("tmugen pack {picture} -o t.bin --format {format}"));
        workshop.succeed("tmugen unpack t.toml -o back.png");
        let [original, back] =
            [picture, "back.png"].map(|name| tmu_assets::Picture::open(&workshop.path(name)).unwrap());
        assert!(original == back, "{picture} as {format} differs");
    }
}

#[test]
fn the_descriptor_is_what_the_contract_says() {
    let workshop = Workshop::new();
    workshop.succeed("tmugen pack chelsea.png -o dir.bin --format rgb8 --resize pow2 --no-mipmaps --quiet");
    assert_eq!(
        workshop.read("dir.toml"),
        "format = \"rgb8\"\nwidth_log2 = 9\nheight_log2 = 8\nmax_lod = 0\nbytes = 524400\n"
    );
    // All levels are there: 512 × 256, 256 × 128 … 4 × 4 (stored for 8 × 4 and below as at least 4 × 4).
    let texels: u64 = (0..10).map(|level| (512u64 >> level).max(4) * (256u64 >> level).max(4)).sum();
    assert_eq!(fs::metadata(workshop.path("dir.bin")).unwrap().len(), 3 * texels);
}

#[test]
fn samples_follow_the_numerics() {
    let workshop = Workshop::new();
    // 2 × 2 texels: red, green, blue, white; packed without a picture file.
    let texels = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255; 4]];
    let picture = tmu_assets::Picture::from_texels(2, 2, texels.to_vec());
    fs::write(workshop.path("p.png"), picture.encode(&workshop.path("p.png")).unwrap()).unwrap();
    workshop.succeed("tmugen pack p.png -o p.bin --format rgba8");
    // Texel centres, a point half way between red and green, outside, and a quad without valid pixels.
    let quads = "u0,v0,u1,v1,u2,v2,u3,v3,valid\n\
                 16384,16384,49152,16384,16384,49152,49152,49152,15\n\
                 32768,16384,32768,16384,32768,16384,32768,16384,1\n\
                 -8192,16384,-8192,16384,-8192,16384,-8192,16384,2\n\
                 0,0,0,0,0,0,0,0,0\n";
    workshop.write("q.csv", quads);
    let sample = |flags: &str| {
        workshop
            .succeed(&format!("tmugen sample --texture p.toml --quads q.csv -o r.csv --mipmaps off {flags}"));
        workshop.read("r.csv")
    };
    let rows = |second: &str, third: &str| {
        format!(
            "rgba0,rgba1,rgba2,rgba3,valid,error\nff0000ff,00ff00ff,0000ffff,ffffffff,15,0\n\
             {second},00000000,00000000,00000000,1,0\n00000000,{third},00000000,00000000,2,0\n\
             00000000,00000000,00000000,00000000,0,0\n"
        )
    };
    // Half red, half green is (128·255 + 128) >> 8 = 128 of each. At u = -1/8, wrapped 7/8: p = 1.75 texels, so a = 1/4
    // from green towards red: green 192·255 … = (255·256 - 64·255 + 128) >> 8 = 191, red (64·255 + 128) >> 8 = 64.
    assert_eq!(sample(""), rows("808000ff", "40bf00ff"));
    assert_eq!(sample("--address-u clamp"), rows("808000ff", "ff0000ff"));
    assert_eq!(sample("--filter nearest --address-u mirror"), rows("00ff00ff", "ff0000ff"));
}

#[test]
fn the_level_follows_the_footprint_up_to_max_lod() {
    let workshop = Workshop::new();
    workshop.succeed("tmugen pack coffee.jpg -o t.bin --format rgba8");
    // One quad over the whole texture: the footprint is 512 texels, level 9.
    workshop.write("q.csv", "u0,v0,u1,v1,u2,v2,u3,v3,valid\n0,0,65536,0,0,65536,65536,65536,15\n");
    let sample = |flags: &str| {
        workshop.succeed(&format!("tmugen sample --texture t.toml --quads q.csv -o r.csv {flags}"));
        workshop.read("r.csv").lines().nth(1).unwrap()[..8].to_owned()
    };
    for (flags, level) in [("", 9), ("--max-lod 3", 3), ("--mipmaps off", 0)] {
        workshop.succeed(&format!("tmugen unpack t.toml --level {level} -o l.png"));
        let picture = tmu_assets::Picture::open(&workshop.path("l.png")).unwrap();
        let hex: String = picture.texel(0, 0).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(sample(&format!("{flags} --filter nearest")), hex, "{flags}");
    }
}

/// Command, exit code, and parts of standard error. Nothing may be written.
#[test]
fn wrong_input_is_refused_with_everything_that_is_wrong() {
    let workshop = Workshop::new();
    workshop.succeed("tmugen pack emblem.png -o t.bin --format rgba8");
    fs::copy(workshop.path("t.toml"), workshop.path("short.toml")).unwrap();
    workshop.write("short.bin", "abc");
    workshop.write("bad.toml", "cache.ways = 3\nunits = 99\nwidht = 4\n");
    workshop.write("small.toml", "[texture]\nformats = [\"rgb8\"]\nbilinear = false\n");
    workshop.write("keyword.toml", "name = \"small\"\n");
    workshop.write("bad.csv", "u0,v0,u1,v1,u2,v2,u3,v3,valid\n0,0,x,0,0,0,0,0,15\n1,2\n");
    workshop.write("q.csv", "u0,v0,u1,v1,u2,v2,u3,v3,valid\n");
    let sample = "tmugen sample --texture t.toml -o r.csv --quads";
    let cases: [(&str, i32, &[&str]); 21] = [
        (
            "tmugen pack chelsea.png -o x.bin --format rgb8",
            1,
            &["E0106", "width is 451", "height is 300", "512 x 256"],
        ),
        ("tmugen pack q.csv -o x.bin --format rgb8", 1, &["E0102", "q.csv"]),
        ("tmugen pack nothing.png -o x.bin --format rgb8", 1, &["E0101", "nothing.png"]),
        ("tmugen pack emblem.png -o x.toml --format rgb8", 2, &["E0207", "x.bin"]),
        ("tmugen pack emblem.png -o x.bin --format rgb666", 2, &["rgb666", "i8_rgba8"]),
        ("tmugen pack emblem.png -o no/x.bin --format rgb8", 4, &["E0209", "no/x.bin"]),
        ("tmugen unpack t.toml --level 9 -o x.png", 1, &["E0111", "levels 0 to 8"]),
        ("tmugen unpack t.toml -o x.gif", 2, &["E0207", "x.gif", ".ktx2"]),
        ("tmugen info short.toml", 1, &["E0110", "short.bin", "3 bytes", "349632"]),
        (
            "tmugen check bad.toml",
            1,
            &["bad.toml:1:", "cache.ways = 3", "bad.toml:2:", "bad.toml:3:", "widht"],
        ),
        ("tmugen new small.toml", 1, &["E0208", "--force"]),
        (&format!("{sample} bad.csv"), 1, &["bad.csv:2:3", "(u1) holds \"x\"", "bad.csv:3:3", "2 fields"]),
        (&format!("{sample} q.csv --max-lod 9"), 1, &["E0206", "0 to 8"]),
        (
            &format!("{sample} q.csv --config small.toml --filter bilinear --max-lod 11"),
            1,
            &["format rgba8", "bilinear filtering", "texture.formats", "last level of the texture is 8"],
        ),
        ("tmugen generate bad.toml --out hdl", 1, &["bad.toml:1:", "cache.ways = 3", "bad.toml:3:"]),
        ("tmugen generate --preset fury --out q.csv", 4, &["E0209", "q.csv"]),
        ("tmugen generate --preset fury --out hdl --check", 1, &["E0213", "hdl/fury.v", "hdl/manifest.json"]),
        ("tmugen sim --config bad.toml", 1, &["bad.toml:1:"]),
        ("tmugen check keyword.toml", 1, &["E0217", "keyword.toml", "\"small\"", "keyword"]),
        ("tmugen generate keyword.toml --out hdl", 1, &["E0217", "small_tmu"]),
        ("tmugen sim --pauses 96", 2, &["96", "0..=95"]),
    ];
    let before = workshop.names();
    for (command, exit, parts) in cases {
        let run = workshop.run(command);
        assert_eq!((run.exit, run.out.as_str()), (exit, ""), "{run}");
        for part in parts {
            assert!(run.err.contains(part), "{part:?} is not in {run}");
        }
        assert_eq!(workshop.names(), before, "{command} left something behind");
    }
}

#[test]
fn a_picture_on_which_its_decoder_panics_is_reported_as_damaged() {
    let workshop = Workshop::new();
    fs::copy("tests/corpus/picture/palette-cut.png", workshop.path("cut.png")).unwrap();
    let run = workshop.run("tmugen pack cut.png -o t.bin --format rgba8");
    assert_eq!(run.exit, 1, "{run}");
    assert!(run.err.starts_with("cut.png: error[E0103]: "), "{run}");
    assert!(!run.err.contains("panicked"), "{run}");
}

#[test]
fn json_is_one_object_and_quiet_is_silent() {
    let workshop = Workshop::new();
    let parsed =
        |out: &str| serde_json::from_str::<Value>(out).unwrap_or_else(|error| panic!("{error}: {out}"));
    let packed = parsed(&workshop.succeed("tmugen pack emblem.png -o t.bin --format i8_rgba8 --json"));
    assert_eq!(
        (&packed["ok"], &packed["bytes"], &packed["psnr_db"]),
        (&true.into(), &88432.into(), &Value::Null)
    );
    let info = parsed(&workshop.succeed("tmugen info t.toml --json"));
    assert_eq!((info["levels"].as_array().unwrap().len(), &info["levels"][8]["offset"]), (9, &1024.into()));
    for command in ["tmugen presets", "tmugen explain", "tmugen explain E0001", "tmugen presets show fury"] {
        assert_eq!(parsed(&workshop.succeed(&format!("{command} --json")))["ok"], true, "{command}");
    }
    let failed = workshop.run("tmugen info no.toml --json");
    assert_eq!((failed.exit, failed.err.as_str()), (1, ""), "{failed}");
    assert_eq!(parsed(&failed.out)["problems"][0]["code"], "E0101");
    assert_eq!(workshop.succeed("tmugen pack emblem.png -o t.bin --format rgb8 --quiet"), "");
    assert_eq!(workshop.succeed("tmugen new my.toml -q"), "");
    assert_eq!(workshop.succeed("tmugen info t.toml -q"), "");
}

#[test]
fn every_preset_starts_a_legal_configuration() {
    let workshop = Workshop::new();
    for preset in tmu_spec::presets::PRESETS {
        let name = preset.name();
        workshop.succeed(&format!("tmugen new {name}.toml --preset {name}"));
        assert_eq!(workshop.read(&format!("{name}.toml")), preset.toml());
        let checked = workshop.succeed(&format!("tmugen check {name}.toml"));
        assert!(checked.contains("is a legal configuration"), "{checked}");
    }
}

#[test]
fn the_number_of_threads_does_not_show() {
    let workshop = Workshop::new();
    let pack = |threads: &str| {
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_tmugen"))
            .args(["pack", "coffee.jpg", "-o", "t.bin", "--format", "i8_rgba8", "--quiet"])
            .env("RAYON_NUM_THREADS", threads)
            .current_dir(workshop.path(""))
            .status();
        assert!(status.unwrap().success());
        fs::read(workshop.path("t.bin")).unwrap()
    };
    assert!(pack("1") == pack("3"), "the texture depends on the number of threads");
}

#[test]
fn manual_pages_cover_every_command() {
    let workshop = Workshop::new();
    workshop.succeed("tmugen man --out man");
    for page in ["tmugen.1", "tmugen-pack.1", "tmugen-presets-show.1"] {
        let text = workshop.read(&format!("man/{page}"));
        assert!(text.contains(".SH NAME") && text.contains(".SH SYNOPSIS"), "{page}: {text}");
    }
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(workshop.succeed(&format!("tmugen completions {shell}")).contains("mip-filter"), "{shell}");
    }
}

#[test]
fn generate_puts_places_in_the_source_behind_assignments() {
    let workshop = Workshop::new();
    workshop.succeed("tmugen generate --preset stream --out plain");
    workshop.succeed("tmugen generate --preset stream --out places --source-places");
    workshop.succeed("tmugen generate --preset stream --out places --source-places --check");
    let [plain, places] = ["plain", "places"].map(|folder| workshop.read(&format!("{folder}/stream.v")));
    let mut files = std::collections::BTreeSet::new();
    let without: Vec<&str> = places
        .lines()
        .map(|line| match line.rsplit_once(" // ") {
            Some((code, place)) if place.contains(".rs:") => {
                let (file, number) = place.split_once(':').unwrap();
                assert!(file.starts_with("crates/tmu-"), "{line}");
                let source = fs::read_to_string(repository().join(file)).unwrap();
                assert!(number.parse::<usize>().unwrap() <= source.lines().count(), "{line}");
                files.insert(file.to_owned());
                code
            }
            _ => line,
        })
        .collect();
    assert!(files.len() > 20, "{files:?}");
    assert_eq!(without.join("\n"), plain.trim_end());
}

#[test]
fn generate_writes_all_files_and_checks_them() {
    let workshop = Workshop::new();
    workshop.write("my.toml", "name = \"mine\"\n[cache]\nsets = 64\n");
    let written = workshop.succeed("tmugen generate my.toml --out hdl");
    assert!(written.contains("top module mine"), "{written}");
    let manifest: Value = serde_json::from_str(&workshop.read("hdl/manifest.json")).unwrap();
    assert_eq!(manifest["top"], "mine");
    let names = |list: &str| manifest[list].as_array().unwrap().clone();
    let mut listed: Vec<_> = [names("files"), names("templates")]
        .concat()
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect();
    listed.push("manifest.json".to_owned());
    listed.sort();
    let mut found: Vec<_> = fs::read_dir(workshop.path("hdl"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert_eq!(found, listed);
    assert!(workshop.read("hdl/mine.v").contains("module mine ("));
    workshop.succeed("tmugen generate my.toml --out hdl --check");

    // Whatever is changed, missing or no longer written is named.
    workshop.write("hdl/mine.v", &(workshop.read("hdl/mine.v") + "// changed\n"));
    fs::remove_file(workshop.path("hdl/mine.xdc")).unwrap();
    let outdated = workshop.run("tmugen generate my.toml --out hdl --check");
    assert_eq!(outdated.exit, 1, "{outdated}");
    for part in ["hdl/mine.v: error[E0213]", "not what is written now", "hdl/mine.xdc", "missing"] {
        assert!(outdated.err.contains(part), "{part:?} is not in {outdated}");
    }
    workshop.write("my.toml", "name = \"yours\"\n");
    let renamed = workshop.run("tmugen generate my.toml --out hdl --check");
    assert!(renamed.err.contains("hdl/mine.v") && renamed.err.contains("not written any more"), "{renamed}");
    workshop.succeed("tmugen generate my.toml --out hdl");
    workshop.succeed("tmugen generate my.toml --out hdl --check");
    assert!(!workshop.path("hdl/mine.v").exists());
}

#[test]
fn the_committed_hardware_is_what_is_written() {
    let workshop = Workshop::new();
    for preset in tmu_spec::presets::PRESETS.iter().map(tmu_spec::Preset::name) {
        let folder = repository().join("hdl-out").join(preset);
        if is_set("UPDATE_HDL") {
            workshop.succeed(&format!("tmugen generate --preset {preset} --out {}", folder.display()));
        }
        let run =
            workshop.run(&format!("tmugen generate --preset {preset} --out {} --check", folder.display()));
        assert_eq!(
            run.exit, 0,
            "out of date: run UPDATE_HDL=1 cargo test -p tmugen and commit hdl-out\n{run}"
        );
    }
}

/// The program where no tools are to be found.
fn without_tools(workshop: &Workshop, arguments: &[&str]) -> std::process::Output {
    std::process::Command::new(env!("CARGO_BIN_EXE_tmugen"))
        .args(arguments)
        .env("PATH", workshop.path("none"))
        .env_remove("VERILATOR_ROOT")
        .current_dir(workshop.path(""))
        .output()
        .unwrap()
}

#[test]
fn without_verilator_only_simulation_is_missing() {
    let workshop = Workshop::new();
    workshop.succeed("tmugen pack emblem.png -o t.bin --format rgba8");
    workshop.write("q.csv", "u0,v0,u1,v1,u2,v2,u3,v3,valid\n0,0,65536,0,0,65536,65536,65536,15\n");
    let sample = ["sample", "--texture", "t.toml", "--quads", "q.csv", "-o", "r.csv"];
    for arguments in [&["sim"][..], &["bench"], &[&sample[..], &["--engine", "rtl"]].concat()] {
        let output = without_tools(&workshop, arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {text}");
        for part in ["E0210", "Verilator", "is not installed", "apt-get install verilator", "scripts/setup"] {
            assert!(text.contains(part), "{part:?} is not in {text}");
        }
    }
    assert!(!workshop.path("r.csv").exists());
    for arguments in [&sample[..], &["generate", "--preset", "fury", "--out", "hdl"]] {
        assert!(without_tools(&workshop, arguments).status.success(), "{arguments:?}");
    }
}

#[test]
fn a_random_run_says_what_it_has_exercised() {
    if tmu_verilate::Tools::verilator().is_err() || tmu_verilate::Tools::cxx().is_err() {
        return;
    }
    let workshop = Workshop::new();
    let run = workshop.succeed("tmugen sim --quads 300 --errors --coverage bins.csv");
    assert!(run.contains("bins of functional coverage reached"), "{run}");
    let bins = workshop.read("bins.csv");
    assert!(
        bins.starts_with(
            "cross,bin,count\nformat x filter x mipmaps x mode of u x mode of v,\"rgba8, nearest"
        )
    );
    let counts: u64 =
        bins.lines().skip(1).map(|row| row.rsplit(',').next().unwrap().parse::<u64>().unwrap()).sum();
    assert!(bins.lines().count() > 900 && counts > 300, "{counts}");
    let run = workshop.succeed("tmugen sim --faults 80");
    assert!(run.contains("a binding breaks a rule: ") && run.contains("recovered from"), "{run}");
    let run = workshop.run("tmugen sim --only 5-3");
    assert!(run.exit == 2 && run.to_string().contains("numbers and ranges that rise"), "{run}");
}

#[test]
fn the_hardware_samples_and_draws_what_the_golden_model_does() {
    if tmu_verilate::Tools::verilator().is_err() || tmu_verilate::Tools::cxx().is_err() {
        return;
    }
    let workshop = Workshop::new();
    workshop.succeed("tmugen pack coffee.jpg -o t.bin --format i8_rgb8");
    let mut quads = "u0,v0,u1,v1,u2,v2,u3,v3,valid\n".to_owned();
    for number in 0..5000i64 {
        let [u, v] = [number * 7919 % 200_000 - 70_000, number * 104_729 % 150_000 - 40_000];
        let step = 1 << (number % 12);
        let (right, down) = (u + step, v + step);
        quads += &format!("{u},{v},{right},{v},{u},{down},{right},{down},{}\n", number % 16);
    }
    workshop.write("q.csv", &quads);
    for flags in ["", "--filter nearest --address-u mirror --address-v clamp --preset fury"] {
        for engine in ["golden", "rtl"] {
            workshop.succeed(&format!(
                "tmugen sample --texture t.toml --quads q.csv -o {engine}.csv --engine {engine} {flags}"
            ));
        }
        assert!(workshop.read("rtl.csv") == workshop.read("golden.csv"), "samples differ with {flags:?}");
    }
    let picture = |name: &str| tmu_assets::Picture::open(&workshop.path(name)).unwrap();
    for (engine, other) in [("golden", ""), ("rtl", "--compare difference.png --json")] {
        let out = workshop.succeed(&format!(
            "tmugen render scenes/cube-photo.toml -o {engine}.png --size 96x64 --engine {engine} {other}"
        ));
        assert!(engine == "golden" || out.contains("\"differing_pixels\": 0"), "{out}");
    }
    assert!(picture("golden.png") == picture("rtl.png"), "the pictures differ");
    let black = tmu_assets::Picture::from_texels(96, 64, vec![[0, 0, 0, 255]; 96 * 64]);
    assert!(picture("difference.png") == black, "the difference is not black");
    let report = workshop.succeed("tmugen sim --quads 500 --seed 3 --errors --json");
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["quads"], 500, "{report}");
}

/// Every scene that ships, by every kind of unit, in a small size.
#[test]
fn the_hardware_draws_the_shipped_scenes_as_the_model_does() {
    if tmu_verilate::Tools::verilator().is_err() || tmu_verilate::Tools::cxx().is_err() {
        return;
    }
    let workshop = Workshop::new();
    let scenes = std::fs::read_dir(repository().join("scenes")).unwrap();
    let names = scenes.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    // Those of the general numerics are drawn beside the other tests of these.
    let is_classic = |name: &String| !workshop.read(&format!("scenes/{name}")).contains("numerics = ");
    let scenes: Vec<String> = names.filter(|name| name.ends_with(".toml") && is_classic(name)).collect();
    assert!(scenes.len() >= 6, "{scenes:?}");
    for scene in scenes {
        for preset in ["fury-single", "stream", "quad"] {
            let out = workshop.succeed(&format!(
                "tmugen render scenes/{scene} -o drawn.png --size 160x120 --engine rtl --preset {preset} --compare \
                 difference.png --json"
            ));
            assert!(out.contains("\"differing_pixels\": 0"), "{scene}, {preset}: {out}");
        }
    }
}

/// The README shows a photograph drawn by the model and by the hardware, and where they differ.
#[test]
fn the_pictures_of_the_readme_are_what_is_drawn() {
    let workshop = Workshop::new();
    let shown = |name: &str| {
        let path = repository().join("docs/images").join(name);
        tmu_assets::Picture::open(&path).unwrap()
    };
    workshop.succeed("tmugen render scenes/cube-photo.toml -o drawn.png --size 320x180");
    let drawn = tmu_assets::Picture::open(&workshop.path("drawn.png")).unwrap();
    assert!(shown("cube-photo-golden.png") == drawn, "the golden model draws something else");
    assert!(shown("cube-photo-rtl.png") == drawn, "the hardware's picture is not that of the golden model");
    let black = tmu_assets::Picture::from_texels(320, 180, vec![[0, 0, 0, 255]; 320 * 180]);
    assert!(shown("cube-photo-difference.png") == black, "the difference is not black");
}
