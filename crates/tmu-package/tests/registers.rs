//! The register map in each language, read by a tool of that language.

use std::path::Path;
use std::process::Command;
use tmu_driver::mesh::{Job, Mesh, register};
use tmu_package::registers;
use tmu_rtl::system::registers::{Access, PlacedRegister, map};
use tmu_spec::Config;
use tmu_spec::choice::Choice;
use tmu_spec::config::EngineKind;
use tmu_testing::{check_committed, repository};
use tmu_verilate::Tools;

/// The other tests are silent about tools that are not there; this one says what to install.
#[test]
fn the_tools_are_installed() {
    let missing = Tools::missing_for_packages();
    assert!(missing.is_empty(), "{}", missing.iter().map(|tool| format!("{tool}\n")).collect::<String>());
}

const CONFIGURATIONS: [&str; 3] = [
    "name = \"field\"\nunits = 4\n[axi]\nwindow_base = 0x12_3456_7000",
    "name = \"t\"\nunits = 16",
    "name = \"t\"\n[control]\ncounters = false",
];

/// They and the examples of engines.
fn configurations() -> Vec<&'static str> {
    let examples = EngineKind::CHOICES.iter().filter_map(|kind| kind.example());
    CONFIGURATIONS.into_iter().chain(examples).collect()
}

/// A file of a configuration in a folder of its own.
fn written(folder: &Path, toml: &str, extension: &str) -> (Config, std::path::PathBuf) {
    let config = Config::from_toml(toml).unwrap();
    let name = format!("{}_registers.{extension}", config.name());
    let file = registers::files(&config).into_iter().find(|file| file.name == name).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, file.text).unwrap();
    (config, path)
}

/// Elaborates SystemRDL and prints one line a field: path, address, bits, reset, access.
const READ_SYSTEMRDL: &str = r#"
import sys
from systemrdl import RDLCompiler, RDLWalker, RDLListener
from systemrdl.node import FieldNode
from systemrdl.messages import MessagePrinter
compiler = RDLCompiler()
compiler.compile_file(sys.argv[1])
root = compiler.elaborate()
for register in root.top.descendants(unroll=True):
    if isinstance(register, FieldNode):
        parent, access = register.parent, register.get_property("sw").name
        write = register.get_property("onwrite")
        print(parent.get_path(), hex(parent.absolute_address), register.inst_name, register.msb, register.lsb,
              hex(register.get_property("reset")), access, write.name if write else "-",
              "pulse" if register.get_property("singlepulse") else "-")
"#;

fn expected_systemrdl(config: &Config) -> Vec<String> {
    let mut lines = Vec::new();
    for PlacedRegister { register, unit, engine, address, reset_value } in map(config) {
        let unit = unit.map_or(String::new(), |unit| format!("UNIT[{unit}]."));
        let engine = engine.map_or(String::new(), |kind| format!("{}.", kind.name().to_uppercase()));
        let path = format!("{}_registers.{unit}{engine}{}", config.name(), register.name);
        let access = match register.access {
            Access::ReadOnly => "r - -",
            Access::ReadWrite => "rw - -",
            Access::Command => "w - pulse",
            Access::WriteOneToClear => "rw woclr -",
            Access::ReadWriteUntil => "rw - -",
        };
        for field in register.fields {
            let (msb, reset) = (field.shift + field.width_bits - 1, field.extract(reset_value));
            let name = field.name;
            lines.push(format!("{path} {address:#x} {name} {msb} {} {reset:#x} {access}", field.shift));
        }
    }
    lines
}

#[test]
fn systemrdl_elaborates_to_the_register_table() {
    let Ok(python) = Tools::systemrdl() else { return };
    let folder = tempfile::tempdir().unwrap();
    for toml in configurations() {
        let (config, path) = written(folder.path(), toml, "rdl");
        let output = Command::new(&python.program).args(["-c", READ_SYSTEMRDL]).arg(&path).output().unwrap();
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && messages.is_empty(), "{messages}");
        let fields = String::from_utf8(output.stdout).unwrap();
        assert_eq!(fields.lines().collect::<Vec<_>>(), expected_systemrdl(&config));
    }
}

/// Compiles the constants without `std` and compares those of each register with the table.
#[test]
fn rust_constants_compile_and_are_those_of_the_table() {
    let folder = tempfile::tempdir().unwrap();
    for toml in configurations() {
        let (config, path) = written(folder.path(), toml, "rs");
        let mut checks = format!("#![deny(warnings)]\n#![allow(dead_code)]\n#[path = {path:?}] mod r;\n");
        checks += &format!("const _: () = assert!(r::UNITS == {});\n", config.units());
        for PlacedRegister { register, unit, engine, address, reset_value } in map(&config) {
            let name = register.name;
            if let Some(engine) = engine {
                checks += &format!("const _: () = assert!(r::{engine}::{name} == {address});\n");
                continue;
            }
            if let Some(unit) = unit {
                let sum = format!("r::UNIT_BASE + {unit} * r::UNIT_STRIDE + r::UNIT_{name}");
                checks += &format!("const _: () = assert!({sum} == {address});\n");
                continue;
            }
            checks += &format!("const _: () = assert!(r::{name} == {address});\n");
            checks += &format!("const _: () = assert!(r::{name}_RESET == {reset_value});\n");
            for field in register.fields {
                let (part, shift, mask) = (field.name, field.shift, field.mask());
                checks += &format!(
                    "const _: () = assert!(r::{name}_{part}_SHIFT == {shift} && r::{name}_{part}_MASK == {mask});\n"
                );
            }
        }
        let source = folder.path().join("checks.rs");
        std::fs::write(&source, format!("#![no_std]\n{checks}")).unwrap();
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output = Command::new(rustc)
            .args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "-o"])
            .arg(folder.path().join("checks.rmeta"))
            .arg(&source)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn c_headers_compile_by_themselves() {
    let Ok(compiler) = Tools::cc() else { return };
    let folder = tempfile::tempdir().unwrap();
    let config = Config::from_toml("name = \"t\"\nunits = 2").unwrap();
    let hardware = tmu_rtl::outputs::Hardware::new(&config).unwrap();
    let header = tmu_package::files(&hardware).into_iter().find(|file| file.name == "t_registers.h").unwrap();
    let mut checks = format!("{}\n{}", header.text, registers::driver_c_header());
    for PlacedRegister { register, unit, address, .. } in map(&config) {
        let (name, at) = (register.name, format!("c_{address:x}"));
        match unit {
            Some(unit) => {
                let sum = format!("TMU_UNIT_BASE + {unit} * TMU_UNIT_STRIDE + TMU_UNIT_{name}");
                checks += &format!("typedef char {at}[(T_UNIT{unit}_{name} == {sum}) ? 1 : -1];\n");
            }
            None => checks += &format!("typedef char {at}[(T_{name} == TMU_{name}) ? 1 : -1];\n"),
        }
    }
    let source = folder.path().join("checks.c");
    std::fs::write(&source, checks).unwrap();
    let output = Command::new(&compiler.program)
        .args(["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"])
        .arg(&source)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What the table makes beside the emitted files.
#[test]
fn committed_files_are_made_from_the_table() {
    let check =
        |file: &str, text: &str, variable| check_committed(file, text, variable, "cargo test -p tmu-package");
    check("docs/reference/registers.md", &registers::page(), "UPDATE_DOCS");
    for kind in EngineKind::CHOICES.iter().filter(|kind| **kind != EngineKind::Sampler) {
        let file = format!("docs/reference/engines/{kind}.md");
        check(&file, &registers::engine_page(*kind), "UPDATE_DOCS");
    }
    check("docs/reference/streams.md", &tmu_package::streams::page(), "UPDATE_DOCS");
    check("crates/tmu-driver/src/binding.rs", &registers::driver_rust_binding(), "UPDATE_DRIVERS");
    check(
        "crates/tmu-driver/src/general/field.rs",
        &registers::driver_rust_general_fields(),
        "UPDATE_DRIVERS",
    );
    check("crates/tmu-driver/src/general/codes.rs", &registers::driver_rust_codes(), "UPDATE_DRIVERS");
    check("drivers/c/tmu_general_fields.h", &registers::driver_c_general(), "UPDATE_DRIVERS");
    check("drivers/c/tmu_registers.h", &registers::driver_c_header(), "UPDATE_DRIVERS");
    check("crates/tmu-driver/src/registers.rs", &registers::driver_rust_module(), "UPDATE_DRIVERS");
    check("crates/tmu-driver/src/formats.rs", &registers::driver_rust_formats(), "UPDATE_DRIVERS");
}

/// The registers of an engine by name and offset in its block, in order.
fn offsets_of(kind: EngineKind) -> Vec<(String, u32)> {
    let config = Config::from_toml(kind.example().unwrap()).unwrap();
    let table: Vec<_> = map(&config)
        .into_iter()
        .filter(|placed| placed.engine == Some(kind))
        .map(|placed| (placed.register.name, placed.address))
        .collect();
    let base = table.iter().map(|(_, address)| *address).min().unwrap();
    let mut offsets: Vec<_> =
        table.iter().map(|(name, address)| ((*name).to_owned(), address - base)).collect();
    offsets.sort();
    offsets
}

/// What a header in C says of them.
fn offsets_in_header(header: &str, prefix: &str) -> Vec<(String, u32)> {
    let header = std::fs::read_to_string(repository().join(header)).unwrap();
    let (_, constants) =
        header.split_once("/* Registers by byte offset in the engine's block. */\n").unwrap();
    let (constants, _) = constants.split_once("\n\n").unwrap();
    let constant = |line: &str| {
        let (name, value) = line.strip_prefix(prefix)?.split_once(" 0x")?;
        Some((name.to_owned(), u32::from_str_radix(value.strip_suffix('u')?, 16).ok()?))
    };
    let mut found: Vec<_> =
        constants.lines().map(|line| constant(line).unwrap_or_else(|| panic!("{line}"))).collect();
    found.sort();
    found
}

/// Holds what both drivers of an engine say against its table.
fn check_offsets(kind: EngineKind, of_driver: &[(&str, u32)]) {
    let expected = offsets_of(kind);
    let header = format!("drivers/c/tmu_{kind}.h");
    let prefix = format!("#define TMU_{}_", kind.to_string().to_uppercase());
    assert_eq!(offsets_in_header(&header, &prefix), expected, "{header}");
    for (name, offset) in of_driver {
        assert!(
            expected.contains(&((*name).to_owned(), *offset)),
            "{name} of tmu_driver::{kind} is {offset:#x}"
        );
    }
}

/// The drivers of the engine `mesh` have offsets of their own, from where its block begins.
#[test]
fn offsets_of_the_mesh_drivers_are_those_of_the_table() {
    check_offsets(
        EngineKind::Mesh,
        &[
            ("CONTROL", register::CONTROL),
            ("HMESHLAST", register::HMESHLAST),
            ("IDENTITY", register::IDENTITY),
            ("INTERRUPT_ENABLE", register::INTERRUPT_ENABLE),
            ("INTERRUPT", register::INTERRUPT),
            ("STATUS", register::STATUS),
            ("FAULT_ADDRESS", register::FAULT_ADDRESS),
            ("PIXELS_DRAWN", register::PIXELS_DRAWN),
            ("RESET", register::RESET),
        ],
    );
}

/// Those of the engine `pixel`, too.
#[test]
fn offsets_of_the_pixel_drivers_are_those_of_the_table() {
    use tmu_driver::pixel::engine::register;
    check_offsets(
        EngineKind::Pixel,
        &[
            ("CONTROL", register::CONTROL),
            ("FRAME", register::FRAME),
            ("IDENTITY", register::IDENTITY),
            ("INTERRUPT_ENABLE", register::INTERRUPT_ENABLE),
            ("INTERRUPT", register::INTERRUPT),
            ("STATUS", register::STATUS),
            ("FAULT_ADDRESS", register::FAULT_ADDRESS),
            ("LINES_READ", register::LINES_READ),
            ("RESET", register::RESET),
        ],
    );
}

/// Those of the engine `loader`, too, and its registers of a job stand in the order in which the driver writes them.
#[test]
fn offsets_of_the_loader_drivers_are_those_of_the_table() {
    use tmu_driver::loader::register;
    check_offsets(
        EngineKind::Loader,
        &[
            ("CONTROL", register::CONTROL),
            ("PICTURE", register::PICTURE),
            ("PITCH", register::PICTURE + 4),
            ("SLICE_PITCH", register::PICTURE + 8),
            ("TEXTURE", register::PICTURE + 12),
            ("WIDTH", register::PICTURE + 16),
            ("HEIGHT", register::PICTURE + 20),
            ("DEPTH", register::PICTURE + 24),
            ("FORMAT", register::PICTURE + 28),
            ("LEVELS", register::PICTURE + 32),
            ("IDENTITY", register::IDENTITY),
            ("INTERRUPT_ENABLE", register::INTERRUPT_ENABLE),
            ("INTERRUPT", register::INTERRUPT),
            ("STATUS", register::STATUS),
            ("FAULT_ADDRESS", register::FAULT_ADDRESS),
            ("LINES_READ", register::LINES_READ),
            ("LINES_WRITTEN", register::LINES_READ + 4),
            ("BUSY_CLOCKS", register::LINES_READ + 8),
            ("RESET", register::RESET),
        ],
    );
}

/// Takes down what is written, and says that it is the engine.
struct Written(Vec<(u32, u32)>);

impl tmu_driver::mesh::Bus for Written {
    type Error = std::convert::Infallible;

    fn read(&mut self, _: u32) -> Result<u32, Self::Error> {
        Ok(tmu_driver::mesh::MAGIC)
    }

    fn write(&mut self, address: u32, value: u32) -> Result<(), Self::Error> {
        self.0.push((address, value));
        Ok(())
    }
}

/// A job's registers are written one behind the other; those of the driver's own default are the table's after a reset.
#[test]
fn the_default_job_of_the_mesh_driver_is_the_table_after_a_reset() {
    let config = Config::from_toml(EngineKind::Mesh.example().unwrap()).unwrap();
    let mut mesh = Mesh::open(Written(Vec::new()), 0).unwrap();
    mesh.submit(&Job::default()).unwrap();
    let Written(written) = mesh.into_bus();
    let last_of_job = 0x48;
    let of_mesh = map(&config).into_iter().filter(|placed| placed.engine == Some(EngineKind::Mesh));
    let mut checked = 0;
    for PlacedRegister { register, reset_value, .. } in of_mesh {
        if (register::HMESHLAST..=last_of_job).contains(&register.offset_bytes) {
            assert!(
                written.contains(&(register.offset_bytes, reset_value)),
                "{}: {reset_value:#x}",
                register.name
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 18);
}
