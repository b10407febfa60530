//! The register map as documents: Markdown, a C header, an IP-XACT memory map. One source: [`crate::registers`].

use crate::registers::{ADDRESS_BITS, Access, PlacedRegister, UNIT_STRIDE_BYTES, map};
use std::fmt::Write;
use tmu_spec::Config;

/// The register map in Markdown.
pub(super) fn markdown(config: &Config) -> String {
    let mut out = format!(
        "# Control registers of `{}`\n\n\
         32-bit registers on `s_axil`. Bits without a field read 0. An address that is not listed answers SLVERR.\n\n\
         | address | register | access | after reset | |\n| --- | --- | --- | --- | --- |\n",
        config.name()
    );
    for placed in map(config) {
        let _ = writeln!(
            out,
            "| 0x{:03X} | `{}` | {} | 0x{:08X} | {} |",
            placed.address,
            name(&placed),
            placed.register.access.abbreviation(),
            placed.reset_value,
            placed.register.doc
        );
    }
    out.push_str("\n## Fields\n\n| register | bits | field | |\n| --- | --- | --- | --- |\n");
    for placed in map(config).iter().filter(|placed| placed.unit.unwrap_or(0) == 0) {
        for field in placed.register.fields {
            let top = field.shift + field.width_bits - 1;
            let bits = if field.width_bits == 1 { format!("{top}") } else { format!("{top}:{}", field.shift) };
            let _ = writeln!(out, "| `{}` | {bits} | `{}` | {} |", placed.register.name, field.name, field.doc);
        }
    }
    out.push_str("\nRO reads only, RW reads what was written, W1S starts something where 1 is written and reads 0, W1C is set by events and cleared where 1 is written.\n");
    out
}

fn name(placed: &PlacedRegister) -> String {
    match placed.unit {
        Some(unit) => format!("UNIT{unit}_{}", placed.register.name),
        None => placed.register.name.into(),
    }
}

/// The register map as a C header.
pub(super) fn c_header(config: &Config) -> String {
    let guard = format!("{}_REGISTERS_H", config.name().to_uppercase().replace('-', "_"));
    let mut out = format!(
        "/* Control registers of {}: byte offsets, masks and shifts. Made by the generator. */\n\
         #ifndef {guard}\n#define {guard}\n\n#define TMU_UNIT_STRIDE_BYTES 0x{UNIT_STRIDE_BYTES:X}u\n",
        config.name()
    );
    for placed in map(config).iter().filter(|placed| placed.unit.unwrap_or(0) == 0) {
        let prefix = match placed.unit {
            Some(_) => format!("TMU_UNIT_{}", placed.register.name),
            None => format!("TMU_{}", placed.register.name),
        };
        let _ = writeln!(out, "\n/* {} */", placed.register.doc);
        let _ = writeln!(out, "#define {prefix} 0x{:03X}u", placed.address);
        for field in placed.register.fields {
            let _ = writeln!(out, "#define {prefix}_{}_MASK 0x{:08X}u", field.name, field.mask());
            let _ = writeln!(out, "#define {prefix}_{}_SHIFT {}u", field.name, field.shift);
        }
    }
    let _ = writeln!(out, "\n#endif /* {guard} */");
    out
}

/// The register map as an IP-XACT memory map (IEEE 1685-2009).
pub(super) fn ip_xact(config: &Config) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <spirit:memoryMap xmlns:spirit=\"http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009\">\n\
         \x20 <spirit:name>s_axil</spirit:name>\n  <spirit:addressBlock>\n    <spirit:name>registers</spirit:name>\n\
         \x20   <spirit:baseAddress>0</spirit:baseAddress>\n    <spirit:range>{}</spirit:range>\n\
         \x20   <spirit:width>32</spirit:width>\n    <spirit:usage>register</spirit:usage>\n",
        1u32 << ADDRESS_BITS
    );
    for placed in map(config) {
        let access = match placed.register.access {
            Access::ReadOnly => "read-only",
            Access::ReadWrite | Access::WriteOneToClear => "read-write",
            Access::Command => "write-only",
        };
        let _ = write!(
            out,
            "    <spirit:register>\n      <spirit:name>{}</spirit:name>\n      <spirit:description>{}</spirit:description>\n\
             \x20     <spirit:addressOffset>0x{:X}</spirit:addressOffset>\n      <spirit:size>32</spirit:size>\n\
             \x20     <spirit:access>{access}</spirit:access>\n      <spirit:reset><spirit:value>0x{:X}</spirit:value></spirit:reset>\n",
            name(&placed),
            escaped(placed.register.doc),
            placed.address,
            placed.reset_value
        );
        for field in placed.register.fields {
            let _ = writeln!(
                out,
                "      <spirit:field><spirit:name>{}</spirit:name><spirit:description>{}</spirit:description>\
                 <spirit:bitOffset>{}</spirit:bitOffset><spirit:bitWidth>{}</spirit:bitWidth></spirit:field>",
                field.name,
                escaped(field.doc),
                field.shift,
                field.width_bits
            );
        }
        out.push_str("    </spirit:register>\n");
    }
    out.push_str("  </spirit:addressBlock>\n</spirit:memoryMap>\n");
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
