//! SystemRDL 2.0: one `addrmap`, with the counters of the units as an array of register files.

use std::fmt::Write as _;
use tmu_rtl::system::registers::{
    self, Access, CORE, Counter, Field, REGISTER_BYTES, Register, UNIT_BASE_BYTES, UNIT_STRIDE_BYTES,
};
use tmu_spec::Config;
use tmu_spec::choice::Choice;
use tmu_spec::config::EngineKind;

/// The map of a configuration. Its name ends in `_registers`, so that it is no keyword of SystemRDL.
pub(super) fn addrmap(config: &Config, header: &str) -> String {
    let name = config.name();
    let mut text = format!(
        "// {header}\n\naddrmap {name}_registers {{\n    name = \"Registers of {name}\";\n    \
         desc = \"AXI4-Lite port s_axil. Addresses without a register answer SLVERR.\";\n    \
         default regwidth = {bits};\n    default accesswidth = {bits};\n    lsb0;\n",
        bits = 8 * REGISTER_BYTES
    );
    for register in CORE {
        text += &instance(&register, registers::reset_value(&register, config), 1);
    }
    if config.control().counters() && config.units() > 0 {
        text += "\n    regfile unit_counters {\n        name = \"Counters of a unit\";\n";
        for counter in Counter::ALL {
            text += &instance(&counter.register(), 0, 2);
        }
        let units = config.units();
        let _ = writeln!(
            text,
            "    }};\n    unit_counters UNIT[{units}] @ 0x{UNIT_BASE_BYTES:03x} += 0x{UNIT_STRIDE_BYTES:x};"
        );
    }
    for kind in config.engines().iter().filter(|kind| **kind != EngineKind::Sampler) {
        let _ = write!(text, "\n    regfile {kind}_registers {{\n        name = \"Registers of {kind}\";\n");
        for register in registers::register_table(*kind) {
            text += &instance(register, 0, 2);
        }
        let (name, base) = (kind.name().to_uppercase(), registers::engine_base_bytes(*kind));
        let _ = writeln!(text, "    }};\n    {kind}_registers {name} @ 0x{base:03x};");
    }
    text + "};\n"
}

fn instance(register: &Register, reset_value: u32, depth: usize) -> String {
    let indent = "    ".repeat(depth);
    let mut text = format!("\n{indent}reg {{\n{indent}    desc = \"{}\";\n", quoted(register.doc));
    for field in register.fields {
        text += &field_of(field, register.access, reset_value, &indent);
    }
    let _ = writeln!(text, "{indent}}} {} @ 0x{:03x};", register.name, register.offset_bytes);
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
