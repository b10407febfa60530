//! The templates of an instance, read by tools of their languages: Verilator holds the one in Verilog against the core, GHDL
//! reads the one in VHDL.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tmu_rtl::outputs::Hardware;
use tmu_spec::choice::Choice;
use tmu_spec::config::EngineKind;
use tmu_spec::{Config, presets::PRESETS};
use tmu_verilate::Tools;

/// Names that are no basic identifiers of VHDL, one core with and one without a control port.
const NAMES: [&str; 2] = [
    "name = \"signal\"",
    "name = \"bare_\"\n[control]\nport = false\ncounters = false\n[axi]\nclock = \"own\"\n[clock]\nmemory_mhz = 300",
];

/// Every preset, every engine's example, and names that take care.
fn configurations() -> Vec<Config> {
    let examples = EngineKind::CHOICES.iter().filter_map(|kind| kind.example());
    let others = examples.chain(NAMES).map(|toml| Config::from_toml(toml).unwrap());
    PRESETS.iter().map(|preset| preset.config().unwrap()).chain(others).collect()
}

/// Writes everything that is emitted.
fn write(config: &Config, folder: &Path) {
    for file in tmu_package::files(&Hardware::new(config).unwrap()) {
        fs::write(folder.join(file.name), file.text).unwrap();
    }
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text)).concat()
}

/// Lints the template of a core. Its signals wait for what drives and reads them.
fn lint(name: &str, folder: &Path) -> Output {
    let verilator = Tools::verilator().unwrap();
    let warnings = ["-Wall", "-Wno-UNDRIVEN", "-Wno-UNUSED", "-Wno-DECLFILENAME"];
    Command::new(&verilator.program)
        .arg("--lint-only")
        .args(warnings)
        .args(["--top-module", &format!("{name}_inst"), &format!("{name}_inst.v"), &format!("{name}.v")])
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn the_verilog_template_fits_the_core() {
    if Tools::verilator().is_err() {
        return;
    }
    for config in configurations() {
        let folder = tempfile::tempdir().unwrap();
        write(&config, folder.path());
        let output = lint(config.name(), folder.path());
        assert!(output.status.success(), "{}\n{}", config.name(), text(&output));
    }
}

/// What makes the test above fail: a port that is not there, one that is left out, one of another width.
#[test]
fn a_template_that_does_not_fit_is_found() {
    if Tools::verilator().is_err() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    write(&Config::from_toml("name = \"t\"").unwrap(), folder.path());
    let path = folder.path().join("t_inst.v");
    let template = fs::read_to_string(&path).unwrap();
    for (from, to, warning) in [
        ("wire [127:0] m_axi_rdata;", "wire [126:0] m_axi_rdata;", "WIDTH"),
        (".m_axi_rdata ", ".m_axi_wdata ", "PINNOTFOUND"),
        ("        .tmu_aclk ", "        // .tmu_aclk ", "PINMISSING"),
    ] {
        assert!(template.contains(from), "{from}");
        fs::write(&path, template.replace(from, to)).unwrap();
        let output = lint("t", folder.path());
        assert!(!output.status.success() && text(&output).contains(warning), "{warning}\n{}", text(&output));
    }
}

#[test]
fn the_vhdl_template_is_read() {
    let Ok(ghdl) = Tools::ghdl() else { return };
    for config in configurations() {
        let folder = tempfile::tempdir().unwrap();
        for file in tmu_package::instance::files(&Hardware::new(&config).unwrap()) {
            fs::write(folder.path().join(file.name), file.text).unwrap();
        }
        // Both standards read the same, but for reserved words.
        let standards: &[&str] =
            if NAMES.iter().any(|toml| toml.contains(config.name())) { &["93", "08"] } else { &["93"] };
        for standard in standards {
            let output = Command::new(&ghdl.program)
                .args([
                    "-a",
                    &format!("--std={standard}"),
                    "--warn-error",
                    &format!("{}_inst.vhd", config.name()),
                ])
                .current_dir(folder.path())
                .output()
                .unwrap();
            assert!(output.status.success(), "{} --std={standard}\n{}", config.name(), text(&output));
        }
    }
}

/// The two templates and the manifest name the same ports.
#[test]
fn both_languages_have_every_port_once() {
    for config in configurations() {
        let hardware = Hardware::new(&config).unwrap();
        let files = tmu_package::instance::files(&hardware);
        for port in &hardware.manifest().ports {
            let verilog = files[0].text.lines().filter(|line| line.contains(&format!("({})", port.name)));
            assert_eq!(verilog.count(), 1, "{} {}", config.name(), port.name);
            let bits = if port.width_bits == 1 {
                "std_logic;".to_owned()
            } else {
                format!("std_logic_vector({} downto 0);", port.width_bits - 1)
            };
            let is_signal = |line: &&str| {
                let words: Vec<_> = line.trim().splitn(4, ' ').collect();
                words.first() == Some(&"signal")
                    && words.get(1) == Some(&port.name.as_str())
                    && line.ends_with(&bits)
            };
            assert_eq!(files[1].text.lines().filter(is_signal).count(), 1, "{} {}", config.name(), port.name);
        }
    }
}
