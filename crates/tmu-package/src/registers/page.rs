//! The reference page of the register map.

use super::bits;
use std::fmt::Write as _;
use tmu_rtl::system::registers::{
    self, ADDRESS_BITS, Access, CORE, Counter, ENGINE_BASE_BYTES, ENGINE_STRIDE_BYTES, MAX_UNITS, Register,
    UNIT_BASE_BYTES, UNIT_STRIDE_BYTES,
};
use tmu_spec::Config;
use tmu_spec::config::EngineKind;

const HEAD: &str = "\
<!-- Made from the register table. UPDATE_DOCS=1 cargo test -p tmu-package writes it anew. -->

# Registers

The control port `s_axil` is AXI4-Lite on `core_aclk`, with registers of 32 bits. It is there unless `control.port` is
false. The map is the same for every configuration; only what `CAPABILITIES`, `CACHE_GEOMETRY` and the window's base
read after reset depends on it. `tmugen generate` writes the map of a configuration beside its Verilog, each from the
same table:

| file | for |
| --- | --- |
| `NAME_registers.md` | people |
| `NAME_registers.h` | drivers in C |
| `NAME_registers.rs` | drivers in Rust |
| `NAME_registers.rdl` | SystemRDL 2.0 tools |
| `NAME_registers.xml` | IP-XACT tools (IEEE 1685-2014 `memoryMaps`) |

Bits without a field read 0 and ignore writes. An address without a register answers SLVERR, and so does every access
while `tmu_aclk` is in reset.
";

/// The page of an engine: what it is, the keys of its table, its registers, an example.
#[must_use]
pub fn engine_page(kind: EngineKind) -> String {
    let mut text = format!(
        "<!-- Made from the tables of the engine. UPDATE_DOCS=1 cargo test -p tmu-package writes it anew. -->\n\n\
         # Engine `{kind}`\n\n{}\n{}",
        kind.about(),
        kind.reference()
    );
    text += "\n## Registers\n\n| address | register | access | after a reset | |\n| --- | --- | --- | --- | --- |\n";
    for placed in registers::of_engine(kind) {
        let (name, access) = (placed.full_name(), placed.register.access.abbreviation());
        let (address, reset, doc) = (placed.address, placed.reset_value, placed.register.doc);
        let _ = writeln!(text, "| 0x{address:03x} | `{name}` | {access} | {reset:#x} | {doc} |");
    }
    for placed in registers::of_engine(kind) {
        let _ = write!(text, "\n### {}\n\n| bits | field | |\n| --- | --- | --- |\n", placed.full_name());
        for field in placed.register.fields.iter().rev() {
            let _ = writeln!(text, "| {} | `{}` | {} |", bits(field), field.name, field.doc);
        }
    }
    let example = kind.example().unwrap_or_default();
    text + "\n## Example\n\n```toml\n" + example + "```\n"
}

/// The page, for every configuration.
#[must_use]
pub fn page() -> String {
    let mut text = String::from(HEAD);
    text += "\n| access | reading | writing |\n| --- | --- | --- |\n";
    for (access, reading, writing) in [
        (Access::ReadOnly, "the value", "changes nothing"),
        (Access::ReadWrite, "what was written", "sets the value"),
        (Access::Command, "0", "1 starts something, 0 does nothing"),
        (Access::WriteOneToClear, "what has happened", "1 clears the bit, 0 leaves it"),
        (Access::ReadWriteUntil, "what was written, until the hardware clears it", "sets the value"),
    ] {
        let _ = writeln!(text, "| {} | {reading} | {writing} |", access.abbreviation());
    }
    let _ = write!(
        text,
        "\n## Map\n\nAddresses have {ADDRESS_BITS} bits and count bytes.\n\n\
         | address | register | access | |\n| --- | --- | --- | --- |\n"
    );
    for Register { name, offset_bytes, access, doc, .. } in CORE {
        let _ = writeln!(text, "| 0x{offset_bytes:03x} | `{name}` | {} | {doc} |", access.abbreviation());
    }
    text += &counters();
    let _ = write!(
        text,
        "\n## Engines\n\nAn engine other than texture units has a block of its own of 0x{ENGINE_STRIDE_BYTES:x} bytes, from \
         0x{ENGINE_BASE_BYTES:03x} up; its page in [engines](engines/) has the table. Where there are no texture units, \
         `CAPABILITIES` and `CACHE_GEOMETRY` read 0.\n"
    );
    text += &bring_up();
    text += &store_port();
    text += "\n## Fields\n";
    let fury = Config::from_toml("").unwrap_or_else(|error| unreachable!("no key is set: {error}"));
    for register in CORE {
        text += &fields(&register, &fury);
    }
    text
}

fn store_port() -> String {
    let head = "\n## Parameter stores\n\nThere with `control.store_port`, `STORE_COUNT` and those behind it up to the binding with `control.store_table`; \
                [how entries are written](general.md#written-over-the-control-port) says how to use them.\n\n";
    head.to_owned() + &block(super::store_port().collect(), "STORE_BINDING")
}

fn bring_up() -> String {
    let head = "\n## Bring-up kit\n\nThere with `control.bring_up`; [first light](../book/how-to/first-light.md) says how to use it. Classic \
         units have the first four registers of the binding.\n\n";
    head.to_owned() + &block(super::bring_up().collect(), "BRING_UP_BINDING")
}

/// Tables of registers and of their fields, but for those of words whose names begin so.
fn block(registers: Vec<Register>, words: &str) -> String {
    let mut text = String::from("| address | register | access | |\n| --- | --- | --- | --- |\n");
    for Register { name, offset_bytes, access, doc, .. } in &registers {
        let _ = writeln!(text, "| 0x{offset_bytes:03x} | `{name}` | {} | {doc} |", access.abbreviation());
    }
    text += "\n| register | bits | field | |\n| --- | --- | --- | --- |\n";
    for register in registers.iter().filter(|register| !register.name.starts_with(words)) {
        for field in register.fields.iter().rev() {
            let _ = writeln!(
                text,
                "| `{}` | {} | `{}` | {} |",
                register.name,
                bits(field),
                field.name,
                field.doc
            );
        }
    }
    text
}

fn counters() -> String {
    let mut text = format!(
        "\n## Counters\n\nThere unless `control.counters` is false. Unit *n*, 0 to {} at most, counts at \
         0x{UNIT_BASE_BYTES:03x} + 0x{UNIT_STRIDE_BYTES:x} *n* and up. Counters are read-only, \
         stop at 2^32 - 1, and are read while the core runs.\n\n\
         | distance | counter | |\n| --- | --- | --- |\n",
        MAX_UNITS - 1
    );
    for counter in Counter::ALL {
        let Register { name, offset_bytes, doc, .. } = counter.register();
        let _ = writeln!(text, "| 0x{offset_bytes:02x} | `UNITn_{name}` | {doc} |");
    }
    text
}

fn fields(register: &Register, config: &Config) -> String {
    let reset = registers::reset_value(register, config);
    let mut text = format!(
        "\n### {}\n\n0x{reset:08x} after reset in a configuration with no key set.\n\n\
         | bits | field | |\n| --- | --- | --- |\n",
        register.name
    );
    for field in register.fields.iter().rev() {
        let _ = writeln!(text, "| {} | `{}` | {} |", bits(field), field.name, field.doc);
    }
    text
}
