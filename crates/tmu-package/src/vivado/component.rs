//! `component.xml`: the core as an IP of Vivado's catalogue.
//!
//! The vocabulary is that of IEEE 1685-2009 with Vivado's own bus definitions and extensions. Clocks carry no
//! frequency: a block design sets it, and a fixed one would have to be matched exactly.

use crate::interfaces::{Interface, Kind, interfaces};
use crate::xml::{Element, document};
use tmu_hdl::manifest::{Manifest, Port};
use tmu_rtl::engines::reads_in_flight;
use tmu_rtl::system::registers::{self, ADDRESS_BITS, Access, Field, PlacedRegister, REGISTER_BYTES};
use tmu_spec::Config;
use tmu_spec::config::Family;

const NAMESPACES: [(&str, &str); 3] = [
    ("xmlns:xilinx", "http://www.xilinx.com"),
    ("xmlns:spirit", "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"),
    ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
];

/// Views: name, environment, and the file set that each reads.
const VIEWS: [(&str, &str, &str); 2] = [
    ("xilinx_anylanguagesynthesis", "vivado.xilinx.com:synthesis", "synthesis_files"),
    ("xilinx_anylanguagebehavioralsimulation", "vivado.xilinx.com:simulation", "simulation_files"),
];

fn element(name: &str) -> Element {
    Element::new(&format!("spirit:{name}"))
}

fn text(name: &str, text: impl ToString) -> Element {
    Element::text(&format!("spirit:{name}"), text)
}

/// The whole document; `files` are those that may be in file sets.
pub(super) fn component(config: &Config, manifest: &Manifest, files: &[&str], header: &str) -> String {
    // Vivado has no buses of Wishbone: the ports stand by themselves.
    let is_known =
        |interface: &Interface<'_>| !matches!(interface.kind, Kind::WishboneSlave | Kind::WishboneMaster);
    let interfaces: Vec<_> = interfaces(manifest).into_iter().filter(is_known).collect();
    let mut root = NAMESPACES.iter().fold(element("component"), |root, (name, uri)| root.with(name, uri));
    root = root
        .child(text("vendor", "tmugen"))
        .child(text("library", "tmu"))
        .child(text("name", config.name()))
        .child(text("version", version()))
        .child(
            element("busInterfaces")
                .children(interfaces.iter().map(|i| bus_interface(i, &interfaces, config))),
        )
        .child(element("addressSpaces").child(address_space(config)));
    if config.control().port() {
        root = root.child(element("memoryMaps").child(memory_map(config)));
    }
    let views = element("views").children(VIEWS.iter().map(|view| self::view(view, config.name())));
    let ports = element("ports").children(manifest.ports.iter().map(port));
    root = root
        .child(element("model").child(views).child(ports))
        .child(file_sets(config.name(), files))
        .child(text("description", description(config)))
        .child(element("parameters").child(component_name(config)))
        .child(extensions(config));
    document(header, &root)
}

/// Vivado's versions have two numbers.
fn version() -> &'static str {
    concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"))
}

fn description(config: &Config) -> String {
    match config.units() {
        0 => {
            let names: Vec<_> = config.engines().iter().map(ToString::to_string).collect();
            format!("engine {}, made by tmugen", names.join(", "))
        }
        1 => "1 GPU texture unit, made by tmugen".to_owned(),
        units => format!("{units} GPU texture units, made by tmugen"),
    }
}

fn bus_interface(interface: &Interface<'_>, all: &[Interface<'_>], config: &Config) -> Element {
    let (library, bus) = match interface.kind {
        Kind::Clock => ("signal", "clock"),
        Kind::Interrupt => ("signal", "interrupt"),
        Kind::Reset => ("signal", "reset"),
        Kind::StreamIn | Kind::StreamOut => ("interface", "axis"),
        Kind::Memory | Kind::Control | Kind::WishboneSlave | Kind::WishboneMaster => ("interface", "aximm"),
    };
    let of_vendor = |element: Element, name: &str| {
        let library = element.with("spirit:vendor", "xilinx.com").with("spirit:library", library);
        library.with("spirit:name", name).with("spirit:version", "1.0")
    };
    let reference = |of: &str| {
        let name = format!("spirit:{of}Ref");
        Element::new(&name).with(&name, &interface.name)
    };
    let mode = match interface.kind {
        Kind::Memory => element("master").child(reference("addressSpace")),
        Kind::StreamOut | Kind::Interrupt | Kind::WishboneMaster => element("master"),
        Kind::Control => element("slave").child(reference("memoryMap")),
        Kind::Clock | Kind::Reset | Kind::StreamIn | Kind::WishboneSlave => element("slave"),
    };
    let port_map = |(signal, port): &(&str, &Port)| {
        let logical = match *signal {
            "aclk" => "CLK".to_owned(),
            "aresetn" => "RST".to_owned(),
            "interrupt" => "INTERRUPT".to_owned(),
            signal => signal.to_uppercase(),
        };
        element("portMap")
            .child(element("logicalPort").child(text("name", logical)))
            .child(element("physicalPort").child(text("name", &port.name)))
    };
    let parameters = parameters(interface, all, config).into_iter().map(|(name, value)| {
        let id = format!("BUSIFPARAM_VALUE.{}.{name}", interface.name.to_uppercase());
        element("parameter").child(text("name", name)).child(text("value", value).with("spirit:id", id))
    });
    element("busInterface")
        .child(text("name", &interface.name))
        .child(of_vendor(element("busType"), bus))
        .child(of_vendor(element("abstractionType"), &format!("{bus}_rtl")))
        .child(mode)
        .child(element("portMaps").children(interface.signals.iter().map(port_map)))
        .child(element("parameters").children(parameters))
}

/// What Vivado wants to know of an interface beside its ports.
fn parameters(
    interface: &Interface<'_>,
    all: &[Interface<'_>],
    config: &Config,
) -> Vec<(&'static str, String)> {
    let number = |value: usize| value.to_string();
    let is_bus = |other: &&Interface<'_>| !matches!(other.kind, Kind::Clock | Kind::Reset | Kind::Interrupt);
    match interface.kind {
        Kind::Clock => {
            let of_clock = || all.iter().filter(|other| other.clock == interface.name);
            let buses: Vec<_> = of_clock().filter(is_bus).map(|other| other.name.as_str()).collect();
            let resets: Vec<_> = of_clock()
                .filter(|other| other.kind == Kind::Reset)
                .map(|other| other.name.as_str())
                .collect();
            let mut parameters = vec![("ASSOCIATED_RESET", resets.join(":"))];
            // A clock may have no bus: then its parameter is left out rather than empty.
            if !buses.is_empty() {
                parameters.insert(0, ("ASSOCIATED_BUSIF", buses.join(":")));
            }
            parameters
        }
        Kind::Reset => vec![("POLARITY", "ACTIVE_LOW".to_owned())],
        Kind::WishboneSlave | Kind::WishboneMaster => Vec::new(),
        Kind::Interrupt => vec![("SENSITIVITY", "LEVEL_HIGH".to_owned())],
        Kind::StreamIn | Kind::StreamOut => vec![
            ("TDATA_NUM_BYTES", number(interface.width_bits("tdata").div_ceil(8))),
            ("TUSER_WIDTH", number(interface.width_bits("tuser"))),
            ("HAS_TREADY", number(interface.width_bits("tready"))),
            ("HAS_TLAST", number(interface.width_bits("tlast"))),
        ],
        Kind::Memory => vec![
            ("PROTOCOL", "AXI4".to_owned()),
            ("READ_WRITE_MODE", read_write_mode(interface).to_owned()),
            ("DATA_WIDTH", number(interface.width_bits("rdata"))),
            ("ADDR_WIDTH", number(interface.width_bits("araddr"))),
            ("ID_WIDTH", number(interface.width_bits("arid"))),
            ("SUPPORTS_NARROW_BURST", "0".to_owned()),
            ("NUM_READ_OUTSTANDING", reads_in_flight(config).iter().sum::<u32>().to_string()),
        ],
        Kind::Control => vec![
            ("PROTOCOL", "AXI4LITE".to_owned()),
            ("DATA_WIDTH", number(interface.width_bits("rdata"))),
            ("ADDR_WIDTH", number(interface.width_bits("araddr"))),
        ],
    }
}

/// Whether the memory port has write channels.
fn read_write_mode(interface: &Interface<'_>) -> &'static str {
    if interface.width_bits("awaddr") > 0 { "READ_WRITE" } else { "READ_ONLY" }
}

fn address_space(config: &Config) -> Element {
    let bits = config.axi().address_bits();
    element("addressSpace")
        .child(text("name", "m_axi"))
        .child(text("range", format!("0x{:x}", 1u128 << bits)).with("spirit:format", "long"))
        .child(text("width", 128).with("spirit:format", "long"))
}

fn memory_map(config: &Config) -> Element {
    let block = element("addressBlock")
        .child(text("name", "registers"))
        .child(text("baseAddress", 0).with("spirit:format", "long"))
        .child(text("range", 1u32 << ADDRESS_BITS).with("spirit:format", "long"))
        .child(text("width", 8 * REGISTER_BYTES).with("spirit:format", "long"))
        .child(text("usage", "register"))
        .children(registers::map(config).iter().map(register));
    element("memoryMap").child(text("name", "s_axil")).child(block)
}

fn register(placed: &PlacedRegister) -> Element {
    let PlacedRegister { register, address, reset_value, .. } = placed;
    let reset = element("reset").child(text("value", format!("0x{reset_value:08x}")));
    element("register")
        .child(text("name", placed.full_name()))
        .child(text("description", register.doc))
        .child(text("addressOffset", format!("0x{address:03x}")))
        .child(text("size", 8 * REGISTER_BYTES).with("spirit:format", "long"))
        .child(text("volatile", register.access != Access::ReadWrite))
        .child(text("access", access(register.access)))
        .child(reset)
        .children(register.fields.iter().map(|field| self::field(field, register.access)))
}

const fn access(access: Access) -> &'static str {
    match access {
        Access::ReadOnly => "read-only",
        Access::ReadWrite | Access::Command | Access::WriteOneToClear | Access::ReadWriteUntil => {
            "read-write"
        }
    }
}

fn field(field: &Field, of_register: Access) -> Element {
    let write = match of_register {
        Access::ReadOnly | Access::ReadWrite | Access::ReadWriteUntil => None,
        Access::Command => Some("oneToSet"),
        Access::WriteOneToClear => Some("oneToClear"),
    };
    element("field")
        .child(text("name", field.name))
        .child(text("description", field.doc))
        .child(text("bitOffset", field.shift))
        .child(text("bitWidth", field.width_bits).with("spirit:format", "long"))
        .child(text("access", access(of_register)))
        .children(write.map(|write| text("modifiedWriteValue", write)))
}

fn view((name, environment, file_set): &(&str, &str, &str), top: &str) -> Element {
    element("view")
        .child(text("name", name))
        .child(text("envIdentifier", format!(":{environment}")))
        .child(text("language", "Verilog"))
        .child(text("modelName", top))
        .child(element("fileSetRef").child(text("localName", file_set)))
}

fn port(port: &Port) -> Element {
    let mut wire = element("wire").child(text("direction", port.direction));
    if port.width_bits > 1 {
        let end = |name: &str, bit: usize| text(name, bit).with("spirit:format", "long");
        wire = wire.child(element("vector").child(end("left", port.width_bits - 1)).child(end("right", 0)));
    }
    let of_type =
        VIEWS.iter().fold(element("wireTypeDef").child(text("typeName", "wire")), |of_type, (view, ..)| {
            of_type.child(text("viewNameRef", view))
        });
    wire = wire.child(element("wireTypeDefs").child(of_type));
    element("port").child(text("name", &port.name)).child(wire)
}

fn file_sets(top: &str, files: &[&str]) -> Element {
    let typed = |name: &str, kinds: &[&str]| {
        let file = element("file").child(text("name", name));
        kinds.iter().fold(file, |file, kind| match *kind {
            "verilogSource" => file.child(text("fileType", kind)),
            kind => file.child(text("userFileType", kind)),
        })
    };
    let hdl: Vec<_> = files
        .iter()
        .filter_map(|name| match name.rsplit('.').next() {
            Some("v") => Some(typed(name, &["verilogSource"])),
            Some("mem") => Some(typed(name, &["mem"])),
            _ => None,
        })
        .collect();
    // Crossings are constrained by the clocks of the design around, which must be there before, and by bus skew, which
    // synthesis does not know.
    let late = element("define").child(text("name", "processing_order")).child(text("value", "late"));
    let constraints = [
        typed(&format!("{top}.xdc"), &["xdc", "USED_IN_implementation"]).child(late),
        typed(&format!("{top}_ooc.xdc"), &["xdc", "USED_IN_out_of_context", "USED_IN_synthesis"]),
    ];
    let set = |name: &str, files: Vec<Element>| element("fileSet").child(text("name", name)).children(files);
    element("fileSets")
        .child(set(VIEWS[0].2, hdl.iter().cloned().chain(constraints).collect()))
        .child(set(VIEWS[1].2, hdl))
}

fn component_name(config: &Config) -> Element {
    let value = text("value", format!("{}_v{}", config.name(), version().replace('.', "_")))
        .with("spirit:resolve", "user")
        .with("spirit:id", "PARAM_VALUE.Component_Name")
        .with("spirit:order", 1);
    element("parameter").child(text("name", "Component_Name")).child(value)
}

fn extensions(config: &Config) -> Element {
    let xilinx = |name: &str| Element::new(&format!("xilinx:{name}"));
    let families = match config.family() {
        Family::Series7 => ["zynq", "kintex7", "virtex7", "artix7"],
        _ => ["zynquplus", "kintexuplus", "virtexuplus", "artixuplus"],
    };
    let families = families
        .map(|family| Element::text("xilinx:family", family).with("xilinx:lifeCycle", "Pre-Production"));
    let core = xilinx("coreExtensions")
        .child(xilinx("supportedFamilies").children(families))
        .child(xilinx("taxonomies").child(Element::text("xilinx:taxonomy", "/UserIP")))
        .child(Element::text("xilinx:displayName", format!("Texture unit {}", config.name())))
        .child(Element::text("xilinx:definitionSource", "package_project"))
        .child(Element::text("xilinx:coreRevision", 1));
    element("vendorExtensions").child(core)
}
