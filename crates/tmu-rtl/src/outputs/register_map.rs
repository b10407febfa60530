//! The register map as Markdown, as a C header and as an IP-XACT memory map: three views of [`registers::map`].

use crate::system::registers::{
    self, ADDRESS_BITS, Access, Field, PlacedRegister, REGISTER_BYTES, RegisterSpace,
};
use std::fmt::Write as _;
use tmu_spec::Config;
use tmu_spec::general::built;

fn bits(field: &Field) -> String {
    match field.width_bits {
        1 => field.shift.to_string(),
        width => format!("{}:{}", field.shift + width - 1, field.shift),
    }
}

/// The map for people.
pub(super) fn markdown(config: &Config, header: &str) -> String {
    let mut text = format!("<!-- {header} -->\n\n# Registers of {}\n\n", config.name());
    let _ = write!(
        text,
        "AXI4-Lite port `s_axil` on `core_aclk`: {ADDRESS_BITS} address bits, registers of 32 bits. RO reads; RW reads \
         and writes; W1S starts something where a 1 is written and reads 0; W1C clears the bits where a 1 is written. \
         Bits without a field read 0. Addresses without a register answer SLVERR, and so does every access while \
         `tmu_aclk` is in reset.\n\n\
         | address | register | access | reset | |\n| --- | --- | --- | --- | --- |\n"
    );
    let map = registers::map(config);
    text.extend(map.iter().map(markdown_row));
    let own_buses = registers::on_own_buses(config);
    for (kind, registers) in &own_buses {
        let _ = write!(
            text,
            "\n## Registers of the engine {kind}\n\nWishbone slave `{kind}_slave`: addresses are in bytes from \
             its first register.\n\n| address | register | access | reset | |\n| --- | --- | --- | --- | --- |\n"
        );
        text.extend(registers.iter().map(markdown_row));
    }
    text += "\n## Fields\n\nCounters are whole registers: they stop at 2^32 - 1.\n";
    let on_buses = own_buses.iter().flat_map(|(_, registers)| registers);
    for placed in map.iter().filter(|placed| placed.unit.is_none()).chain(on_buses) {
        let _ = write!(
            text,
            "\n### {}\n\n| bits | field | reset | |\n| --- | --- | --- | --- |\n",
            placed.full_name()
        );
        for field in placed.register.fields.iter().rev() {
            let reset = field.extract(placed.reset_value);
            let _ = writeln!(text, "| {} | `{}` | {reset:#x} | {} |", bits(field), field.name, field.doc);
        }
    }
    text
}

fn markdown_row(placed: &PlacedRegister) -> String {
    let PlacedRegister { register, address, reset_value, .. } = placed;
    let (name, access, doc) = (placed.full_name(), register.access.abbreviation(), register.doc);
    format!("| 0x{address:03x} | `{name}` | {access} | 0x{reset_value:08x} | {doc} |\n")
}

/// The map for drivers.
pub(super) fn c_header(config: &Config, header: &str) -> String {
    let prefix = config.name().to_uppercase();
    let guard = format!("{prefix}_REGISTERS_H");
    let mut text = format!("/* {header} */\n#ifndef {guard}\n#define {guard}\n");
    let on_buses = registers::on_own_buses(config).into_iter().flat_map(|(_, registers)| registers);
    for placed in registers::map(config).into_iter().chain(on_buses) {
        let name = format!("{prefix}_{}", placed.full_name());
        let _ = write!(text, "\n/* {} */\n#define {name} 0x{:03x}u\n", placed.register.doc, placed.address);
        if placed.unit.is_some() {
            continue;
        }
        for field in placed.register.fields {
            let _ = writeln!(text, "#define {name}_{}_SHIFT {}u", field.name, field.shift);
            let _ = writeln!(text, "#define {name}_{}_MASK 0x{:08x}u", field.name, field.mask());
        }
    }
    let _ = write!(
        text,
        "\n/* What {prefix}_ID reads. */\n#define {prefix}_ID_VALUE 0x{:08x}u\n",
        registers::ID_VALUE
    );
    if config.features().general().is_some() {
        let word = built::word(config.features());
        let _ = write!(
            text,
            "\n/* What the units were built to do, as their driver is told. */\n#define {prefix}_BUILT 0x{word:08x}u\n"
        );
    }
    let _ = write!(text, "\n#endif\n");
    text
}

/// The map for IP catalogues: a `memoryMaps` element of IEEE 1685-2014 (IP-XACT).
pub(super) fn ip_xact(config: &Config, header: &str) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- {header} -->\n\
         <ipxact:memoryMaps xmlns:ipxact=\"http://www.accellera.org/XMLSchema/IPXACT/1685-2014\">\n"
    );
    text += &ip_xact_map("s_axil", 1 << ADDRESS_BITS, &registers::map(config));
    for (kind, registers) in registers::on_own_buses(config) {
        text += &ip_xact_map(&format!("{kind}_slave"), RegisterSpace::of_engine(kind).bytes, &registers);
    }
    text + "</ipxact:memoryMaps>\n"
}

/// The registers of an interface.
fn ip_xact_map(interface: &str, bytes: u32, registers: &[PlacedRegister]) -> String {
    let mut text = format!(
        "  <ipxact:memoryMap>\n\
         \x20   <ipxact:name>{interface}</ipxact:name>\n\
         \x20   <ipxact:addressBlock>\n\
         \x20     <ipxact:name>registers</ipxact:name>\n\
         \x20     <ipxact:baseAddress>0x0</ipxact:baseAddress>\n\
         \x20     <ipxact:range>{bytes}</ipxact:range>\n\
         \x20     <ipxact:width>32</ipxact:width>\n"
    );
    text.extend(registers.iter().map(ip_xact_register));
    text + "      <ipxact:addressUnitBits>8</ipxact:addressUnitBits>\n    </ipxact:addressBlock>\n  </ipxact:memoryMap>\n"
}

fn ip_xact_register(placed: &PlacedRegister) -> String {
    let element = |depth: usize, name: &str, value: &str| {
        format!("{:indent$}<ipxact:{name}>{value}</ipxact:{name}>\n", "", indent = 2 * depth)
    };
    let mut text = "      <ipxact:register>\n".to_owned();
    text += &element(4, "name", &placed.full_name());
    text += &element(4, "description", placed.register.doc);
    text += &element(4, "addressOffset", &format!("0x{:x}", placed.address));
    text += &element(4, "size", &(8 * REGISTER_BYTES).to_string());
    for field in placed.register.fields {
        text += "        <ipxact:field>\n";
        text += &element(5, "name", field.name);
        text += &element(5, "description", field.doc);
        text += &element(5, "bitOffset", &field.shift.to_string());
        let reset = element(7, "value", &format!("0x{:x}", field.extract(placed.reset_value)));
        text += &format!(
            "          <ipxact:resets>\n            <ipxact:reset>\n{reset}            </ipxact:reset>\n          </ipxact:resets>\n"
        );
        text += &element(5, "bitWidth", &field.width_bits.to_string());
        let (access, write) = match placed.register.access {
            Access::ReadOnly => ("read-only", None),
            Access::ReadWrite => ("read-write", None),
            Access::Command => ("read-write", Some("oneToSet")),
            Access::WriteOneToClear => ("read-write", Some("oneToClear")),
            Access::ReadWriteUntil => ("read-write", None),
        };
        text += &element(5, "access", access);
        text += &write.map(|write| element(5, "modifiedWriteValue", write)).unwrap_or_default();
        text += "        </ipxact:field>\n";
    }
    text + "      </ipxact:register>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> Config {
        Config::from_toml("name = \"two\"\nunits = 2").unwrap()
    }

    #[test]
    fn every_register_is_in_every_view() {
        let [markdown, header, xml] =
            [markdown, c_header, ip_xact].map(|print| print(&config(), "made by a test"));
        for placed in registers::map(&config()) {
            let (name, address) = (placed.full_name(), placed.address);
            for (view, row) in [
                (&markdown, format!("| 0x{address:03x} | `{name}` |")),
                (&header, format!("#define TWO_{name} 0x{address:03x}u\n")),
                (&xml, format!("<ipxact:name>{name}</ipxact:name>")),
            ] {
                assert_eq!(view.matches(&row).count(), 1, "{row:?}");
            }
        }
        assert!(header.contains("#define TWO_CONTROL_CACHE_INVALIDATE_MASK 0x00000002u"), "{header}");
        assert!(markdown.contains("| 12:10 | `ADDRESS_MODES` | 0x7 |"), "{markdown}");
    }

    /// Of an engine that is told by a bus of its own: its registers, from the first address of that bus on.
    #[test]
    fn registers_of_other_buses_are_in_every_view() {
        let config = Config::from_toml(
            "name = \"w\"\nengines = [\"mesh\"]\naxi = { address_bits = 32 }\nmesh = { bus = \"wishbone\" }",
        )
        .unwrap();
        let [markdown, header, xml] =
            [markdown, c_header, ip_xact].map(|print| print(&config, "made by a test"));
        let [(_, registers)] = &registers::on_own_buses(&config)[..] else { panic!("one engine") };
        for placed in registers {
            let (name, address) = (placed.full_name(), placed.address);
            let rows =
                [format!("| 0x{address:03x} | `{name}` |"), format!("#define W_{name} 0x{address:03x}u\n")];
            for (view, row) in [(&markdown, &rows[0]), (&header, &rows[1])] {
                assert_eq!(view.matches(row).count(), 1, "{row:?}");
            }
            assert!(xml.contains(&format!("<ipxact:name>{name}</ipxact:name>")), "{name}");
        }
        assert!(markdown.contains("| 0x100 | `MESH_IDENTITY` | RO | 0x4d455348 |"), "{markdown}");
        assert!(xml.contains("<ipxact:name>mesh_slave</ipxact:name>"), "{xml}");
    }

    #[test]
    fn elements_are_closed() {
        let xml = ip_xact(&config(), "made by a test");
        let mut open = Vec::new();
        for tag in xml.split('<').skip(1).filter(|tag| !tag.starts_with(['?', '!'])) {
            let name = tag.split(['>', ' ']).next().unwrap();
            match name.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None => open.push(name),
            }
        }
        assert_eq!(open, Vec::<&str>::new());
    }
}
