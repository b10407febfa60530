//! SystemRDL 2.0: one `addrmap`, with the counters of the units as an array of register files, behind one for each bus that an engine has for itself.

use std::fmt::Write as _;
use tmu_rtl::system::registers::{
    self, Access, Counter, Field, PlacedRegister, REGISTER_BYTES, Register, UNIT_BASE_BYTES,
    UNIT_STRIDE_BYTES,
};
use tmu_spec::Config;
use tmu_spec::choice::Choice;
use tmu_spec::config::EngineKind;

/// The map of a configuration. Its name ends in `_registers`, so that it is no keyword of SystemRDL.
pub(super) fn addrmap(config: &Config, header: &str) -> String {
    let name = config.name();
    let mut text = format!("// {header}\n\n");
    // The last one is the one that tools begin with.
    for (kind, registers) in registers::on_own_buses(config) {
        text += &own_bus(name, kind, &registers);
    }
    let _ = write!(
        text,
        "addrmap {name}_registers {{\n    name = \"Registers of {name}\";\n    \
         desc = \"AXI4-Lite port s_axil. Addresses without a register answer SLVERR.\";\n    \
         default regwidth = {bits};\n    default accesswidth = {bits};\n    lsb0;\n",
        bits = 8 * REGISTER_BYTES
    );
    let map = registers::map(config);
    for placed in map.iter().filter(|placed| placed.unit.is_none() && placed.engine.is_none()) {
        text += &instance(&placed.register, placed.address, placed.reset_value, 1);
    }
    if config.control().counters() && config.units() > 0 {
        text += "\n    regfile unit_counters {\n        name = \"Counters of a unit\";\n";
        for counter in Counter::ALL {
            let register = counter.register();
            text += &instance(&register, register.offset_bytes, 0, 2);
        }
        let units = config.units();
        let _ = writeln!(
            text,
            "    }};\n    unit_counters UNIT[{units}] @ 0x{UNIT_BASE_BYTES:03x} += 0x{UNIT_STRIDE_BYTES:x};"
        );
    }
    for kind in config.engines() {
        let mut registers = map.iter().filter(|placed| placed.engine == Some(*kind)).peekable();
        if registers.peek().is_none() {
            continue;
        }
        let _ = write!(text, "\n    regfile {kind}_registers {{\n        name = \"Registers of {kind}\";\n");
        for PlacedRegister { register, reset_value, .. } in registers {
            text += &instance(register, register.offset_bytes, *reset_value, 2);
        }
        let (name, base) = (kind.name().to_uppercase(), registers::engine_base_bytes(*kind));
        let _ = writeln!(text, "    }};\n    {kind}_registers {name} @ 0x{base:03x};");
    }
    text + "};\n"
}

/// The registers of an engine that has a bus of its own.
fn own_bus(name: &str, kind: EngineKind, registers: &[PlacedRegister]) -> String {
    let mut text = format!(
        "addrmap {name}_{kind}_registers {{\n    name = \"Registers of the engine {kind}\";\n    \
         desc = \"Wishbone slave {kind}_slave.\";\n    \
         default regwidth = {bits};\n    default accesswidth = {bits};\n    lsb0;\n",
        bits = 8 * REGISTER_BYTES
    );
    for PlacedRegister { register, address, reset_value, .. } in registers {
        text += &instance(register, *address, *reset_value, 1);
    }
    text + "};\n\n"
}

fn instance(register: &Register, offset_bytes: u32, reset_value: u32, depth: usize) -> String {
    let indent = "    ".repeat(depth);
    let mut text = format!("\n{indent}reg {{\n{indent}    desc = \"{}\";\n", quoted(register.doc));
    for field in register.fields {
        text += &field_of(field, register.access, reset_value, &indent);
    }
    let _ = writeln!(text, "{indent}}} {} @ 0x{offset_bytes:03x};", register.name);
    text
}

fn field_of(field: &Field, access: Access, reset_value: u32, indent: &str) -> String {
    // What software may do, what hardware does, and what a write means.
    let access = match access {
        Access::ReadOnly => "sw = r; hw = w;",
        Access::ReadWrite => "sw = rw; hw = r;",
        Access::Command => "sw = w; hw = r; singlepulse;",
        Access::WriteOneToClear => "sw = rw; hw = rw; onwrite = woclr;",
        Access::ReadWriteUntil => "sw = rw; hw = rw; hwclr;",
    };
    let Field { name, shift, width_bits, doc, .. } = field;
    let (msb, reset) = (shift + width_bits - 1, field.extract(reset_value));
    format!(
        "{indent}    field {{ desc = \"{}\"; {access} }} {name}[{msb}:{shift}] = {width_bits}'h{reset:x};\n",
        quoted(doc)
    )
}

/// Text as it stands between quotation marks.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
