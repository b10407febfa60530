//! The invariants of ARCHITECTURE.md that a test can check.

use std::fs;
use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn manifest(name: &str) -> toml::Table {
    let path = workspace().join("crates").join(name).join("Cargo.toml");
    fs::read_to_string(path).unwrap().parse().unwrap()
}

/// Normal dependencies of a crate on crates of the workspace.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = manifest(name);
    let table = manifest.get("dependencies").and_then(|value| value.as_table()).cloned().unwrap_or_default();
    table.keys().filter(|key| key.starts_with("tmu")).cloned().collect()
}

#[test]
fn crates_depend_only_on_what_stands_before_them() {
    let allowed: [(&str, &[&str]); 12] = [
        ("tmu-spec", &[]),
        ("tmu-hdl", &["tmu-hdl-macros"]),
        ("tmu-rtl", &["tmu-spec", "tmu-hdl"]),
        ("tmu-model", &["tmu-spec"]),
        ("tmu-assets", &["tmu-spec"]),
        ("tmu-scene", &["tmu-spec", "tmu-model", "tmu-assets"]),
        ("tmu-package", &["tmu-spec", "tmu-hdl", "tmu-rtl"]),
        ("tmu-driver", &[]),
        ("tmu-verilate", &[]),
        ("tmu-formal", &["tmu-spec", "tmu-hdl", "tmu-rtl", "tmu-verilate"]),
        ("tmu-view", &["tmu-spec", "tmu-assets", "tmu-scene"]),
        ("tmu-sim", &["tmu-spec", "tmu-hdl", "tmu-model", "tmu-rtl", "tmu-verilate"]),
    ];
    for (name, allowed) in allowed {
        for dependency in dependencies(name) {
            assert!(allowed.contains(&dependency.as_str()), "{name} must not depend on {dependency}");
        }
    }
}

#[test]
fn only_the_command_line_prints() {
    for entry in fs::read_dir(workspace().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let inherits = manifest(&name)
            .get("lints")
            .is_some_and(|lints| lints.get("workspace").and_then(toml::Value::as_bool).unwrap_or(false));
        let denies = inherits
            || fs::read_to_string(workspace().join("crates").join(&name).join("Cargo.toml"))
                .unwrap()
                .contains("print_stdout = \"deny\"");
        assert!(denies, "{name} does not deny printing");
    }
}

/// A stage has one name: file in the hardware, file in the model, heading.
#[test]
fn stages_have_one_name() {
    let architecture = fs::read_to_string(workspace().join("ARCHITECTURE.md")).unwrap();
    for stage in ["lod", "coordinate", "address", "cache", "decode", "filter"] {
        for part in ["tmu-rtl", "tmu-model"] {
            let file = workspace().join("crates").join(part).join("src").join(format!("{stage}.rs"));
            let folder = file.with_extension("");
            assert!(file.exists() || folder.exists(), "{part} has no {stage}");
        }
        assert!(architecture.contains(&format!("\n### {stage}\n")), "ARCHITECTURE.md has no heading {stage}");
    }
}
