//! The invariants of ARCHITECTURE.md that a test can check.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tmu_testing::repository;

fn crates() -> Vec<String> {
    let entries = fs::read_dir(repository().join("crates")).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn manifest(name: &str) -> toml::Table {
    let path = repository().join("crates").join(name).join("Cargo.toml");
    fs::read_to_string(path).unwrap().parse().unwrap()
}

/// Normal dependencies of a crate on crates of the workspace.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = manifest(name);
    let table = manifest.get("dependencies").and_then(|value| value.as_table()).cloned().unwrap_or_default();
    table.keys().filter(|key| key.starts_with("tmu")).cloned().collect()
}

/// The Rust files of a folder and those in it, one after the other; nothing where there is no folder.
fn sources(folder: &Path) -> String {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let text = |path: PathBuf| match path.extension() {
        Some(extension) if extension == "rs" => fs::read_to_string(path).unwrap(),
        _ => sources(&path),
    };
    entries.map(text).collect()
}

/// The Rust files of a folder and those in it.
fn source_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { source_files(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

#[test]
fn crates_depend_only_on_what_stands_before_them() {
    let allowed: [(&str, &[&str]); 22] = [
        ("tmu-testing", &[]),
        ("tmu-problem", &[]),
        ("tmu-spec", &["tmu-problem"]),
        ("tmu-shader", &["tmu-problem"]),
        ("tmu-hdl-macros", &[]),
        ("tmu-hdl", &["tmu-problem", "tmu-hdl-macros"]),
        ("tmu-hdl-fuzz", &[]),
        ("tmu-rtl", &["tmu-spec", "tmu-shader", "tmu-hdl"]),
        ("tmu-model", &["tmu-spec", "tmu-shader"]),
        ("tmu-model-c", &["tmu-problem", "tmu-spec", "tmu-model"]),
        ("tmu-assets", &["tmu-problem", "tmu-spec"]),
        ("tmu-scene", &["tmu-problem", "tmu-spec", "tmu-shader", "tmu-model", "tmu-driver", "tmu-assets"]),
        ("tmu-trace", &["tmu-problem", "tmu-spec", "tmu-model", "tmu-scene"]),
        ("tmu-package", &["tmu-spec", "tmu-hdl", "tmu-rtl"]),
        ("tmu-driver", &[]),
        ("tmu-verilate", &[]),
        ("tmu-cosim", &["tmu-hdl", "tmu-verilate"]),
        ("tmu-stages", &["tmu-hdl"]),
        ("tmu-formal", &["tmu-spec", "tmu-hdl", "tmu-rtl", "tmu-verilate"]),
        ("tmu-view", &["tmu-problem", "tmu-spec", "tmu-shader", "tmu-model", "tmu-assets", "tmu-scene"]),
        ("tmu-sim", &["tmu-spec", "tmu-hdl", "tmu-model", "tmu-rtl", "tmu-verilate"]),
        ("tmu-mutate", &["tmu-spec", "tmu-rtl", "tmu-verilate", "tmu-sim"]),
    ];
    // The command line stands behind all.
    for name in crates().into_iter().filter(|name| name != "tmugen") {
        let known = allowed.iter().find(|(known, _)| *known == name);
        let (_, allowed) = known.unwrap_or_else(|| panic!("{name} has no place among the crates"));
        for dependency in dependencies(&name) {
            assert!(allowed.contains(&dependency.as_str()), "{name} must not depend on {dependency}");
        }
    }
}

/// Model and hardware meet in two places, beside the command line.
#[test]
fn model_and_hardware_meet_where_they_are_compared() {
    let depends = |name: &str, on: &str| {
        let manifest = manifest(name);
        let tables = ["dependencies", "dev-dependencies"]
            .map(|table| manifest.get(table).and_then(|table| table.get(on)));
        tables.iter().any(Option::is_some)
    };
    let both = crates().into_iter().filter(|name| depends(name, "tmu-rtl") && depends(name, "tmu-model"));
    let both: BTreeSet<_> = both.filter(|name| name != "tmugen").collect();
    assert_eq!(both, BTreeSet::from(["tmu-sim", "tmu-stages"].map(String::from)));
}

#[test]
fn only_the_command_line_prints() {
    for name in crates() {
        let inherits = manifest(&name)
            .get("lints")
            .is_some_and(|lints| lints.get("workspace").and_then(toml::Value::as_bool).unwrap_or(false));
        let denies = inherits
            || fs::read_to_string(repository().join("crates").join(&name).join("Cargo.toml"))
                .unwrap()
                .contains("print_stdout = \"deny\"");
        assert!(denies, "{name} does not deny printing");
    }
}

/// A stage has one name: file in the hardware, file in the model, heading.
#[test]
fn stages_have_one_name() {
    let architecture = fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let stages =
        ["request", "lod", "coordinate", "address", "decode", "filter"].map(|stage| (stage, "datapath/"));
    for (stage, folder) in stages.into_iter().chain([("cache", "")]) {
        for part in ["tmu-rtl", "tmu-model"] {
            let file =
                repository().join("crates").join(part).join("src").join(folder).join(format!("{stage}.rs"));
            let folder = file.with_extension("");
            assert!(file.exists() || folder.exists(), "{part} has no {stage}");
        }
        assert!(architecture.contains(&format!("\n### {stage}\n")), "ARCHITECTURE.md has no heading {stage}");
    }
    let crates = repository().join("crates");
    for stage in ["request", "projection", "lod", "probes", "coordinate", "decode", "filter"] {
        for folder in ["tmu-rtl/src/datapath/general", "tmu-model/src/general"] {
            let file = crates.join(folder).join(format!("{stage}.rs"));
            assert!(file.exists() || file.with_extension("").exists(), "{folder} has no {stage}");
        }
        let is_alone = architecture.contains(&format!("\n### {stage}\n"));
        let of_general = architecture.contains(&format!("\n### {stage} of the general numerics\n"));
        assert!(is_alone || of_general, "ARCHITECTURE.md has no heading {stage}");
    }
}

/// The same of the mesh engine. What only moves data between a bus and its neighbours is not in the model.
#[test]
fn stages_of_the_mesh_engine_have_one_name() {
    let architecture = fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let both: &[&str] = &["tmu-rtl", "tmu-model"];
    let stages = [
        ("job", both),
        ("vertices", both),
        ("interpolate", both),
        ("coordinate", both),
        ("frame_reader", &both[..1]),
        ("address", both),
        ("texture_cache", &both[..1]),
        ("filter", both),
        ("shade", both),
        ("blend", both),
        ("write_combiner", &both[..1]),
    ];
    let mut before = 0;
    for (stage, parts) in stages {
        for part in parts {
            let file =
                repository().join("crates").join(part).join("src/engines/mesh").join(format!("{stage}.rs"));
            assert!(
                file.exists() || file.with_extension("").exists(),
                "{part} has no {stage} of the mesh engine"
            );
        }
        let headings = [format!("\n### {stage}\n"), format!("\n### mesh {stage}\n")];
        let place = headings.iter().rev().find_map(|heading| architecture.find(heading));
        let place = place.unwrap_or_else(|| panic!("ARCHITECTURE.md has no heading {stage}"));
        assert!(place > before, "{stage} is not behind the stages that it follows in the flow of data");
        before = place;
    }
}

/// The same of the loader engine, whose model is written level by level: it has the job, the averages and the tiles.
#[test]
fn stages_of_the_loader_engine_have_one_name() {
    let architecture = fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let both: &[&str] = &["tmu-rtl", "tmu-model"];
    let hardware = &both[..1];
    let stages = [
        ("job_port", hardware),
        ("job", both),
        ("regions", hardware),
        ("answers", hardware),
        ("walk", hardware),
        ("texels", hardware),
        ("average", both),
        ("pack", hardware),
        ("writer", hardware),
    ];
    let mut before = architecture.find("\n## The loader engine\n").expect("a heading of the engine");
    for (stage, parts) in stages {
        for part in parts {
            let file =
                repository().join("crates").join(part).join("src/engines/loader").join(format!("{stage}.rs"));
            assert!(
                file.exists() || file.with_extension("").exists(),
                "{part} has no {stage} of the loader engine"
            );
        }
        let headings = [format!("\n### {stage}\n"), format!("\n### loader {stage}\n")];
        let place = headings.iter().rev().find_map(|heading| architecture.find(heading));
        let place = place.unwrap_or_else(|| panic!("ARCHITECTURE.md has no heading {stage}"));
        assert!(place > before, "{stage} is not behind the stages that it follows in the flow of data");
        before = place;
    }
}

/// Results follow from the written numerics alone: what the model's stages import are stages, memory and the specification.
#[test]
fn the_models_datapath_knows_nothing_of_caches() {
    let datapath = sources(&repository().join("crates/tmu-model/src/datapath"));
    let imports: BTreeSet<_> = datapath
        .split("crate::")
        .skip(1)
        .map(|rest| rest.split(|c: char| c != '_' && !c.is_alphanumeric()).next().unwrap())
        .collect();
    assert_eq!(imports, BTreeSet::from(["datapath", "memory"]));
}

/// What every simulation is made of serves every engine.
#[test]
fn the_kit_of_simulation_knows_no_engine() {
    let kit = sources(&repository().join("crates/tmu-sim/src/kit"));
    for word in ["engines::", "tmu_model", "EngineKind"] {
        assert!(!kit.contains(word), "kit/ has {word}");
    }
}

/// A size that the long run sets is one that some test asks for.
#[test]
fn settings_of_the_long_run_are_read() {
    let script = fs::read_to_string(repository().join("scripts/test-long")).unwrap();
    let settings: BTreeSet<_> = script
        .split(|c: char| c != '_' && !c.is_ascii_uppercase())
        .filter(|word| word.strip_prefix("TMUGEN_").is_some_and(|rest| !rest.is_empty()))
        .collect();
    assert!(settings.len() > 5, "{settings:?}");
    let tests: String =
        crates().iter().map(|name| sources(&repository().join("crates").join(name).join("tests"))).collect();
    let unread: Vec<_> =
        settings.iter().filter(|name| !tests.contains(&format!("setting(\"{name}\")"))).collect();
    assert!(unread.is_empty(), "no test reads {unread:?}");
}

/// Ways to write, replace or remove files.
const WAYS_TO_WRITE: [&str; 16] = [
    "fs::write(",
    "File::create",
    "File::options",
    "OpenOptions",
    "fs::copy(",
    "fs::rename(",
    "hard_link(",
    "symlink(",
    "create_dir",
    "remove_file(",
    "remove_dir",
    "set_len(",
    "tempfile::",
    "tempdir",
    "Writer::from_path",
    ".save(",
];

/// What a command writes goes through `files/`, where it is made sure that nothing of the user's is lost.
#[test]
fn commands_write_through_one_place() {
    let place = repository().join("crates/tmugen/src/files");
    let mut met = BTreeSet::new();
    for name in ["tmugen", "tmu-view"] {
        for path in source_files(&repository().join("crates").join(name).join("src")) {
            let text = fs::read_to_string(&path).unwrap();
            let program = text.split("#[cfg(test)]\n").next().unwrap();
            // Calls of the place itself.
            let program = program.replace("PendingFile::create(", "").replace("PendingWaves::create(", "");
            let found: Vec<_> = WAYS_TO_WRITE.into_iter().filter(|way| program.contains(way)).collect();
            if path.starts_with(&place) {
                met.extend(found);
            } else {
                assert!(found.is_empty(), "{} has {found:?}; write through files/", path.display());
            }
        }
    }
    assert!(met.len() >= 8, "the place where files are written has only {met:?}");
}
