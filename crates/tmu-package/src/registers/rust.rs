//! Constants for drivers in Rust: a file to be included as a module, without dependencies and without `std`.

use super::{BindingField, FORMAT_PROPERTIES, FormatProperty, WORDS_PER_BEAT, bits, general};
use std::fmt::Write as _;
use tmu_rtl::system::registers::{
    self, CORE, Counter, Field, ID_VALUE, MAX_UNITS, PlacedRegister, Register, UNIT_BASE_BYTES,
    UNIT_STRIDE_BYTES,
};
use tmu_spec::binding::field;
use tmu_spec::config::EngineKind;
use tmu_spec::general::built;
use tmu_spec::quad::MOST_TDATA_BYTES;
use tmu_spec::{Config, Format};

/// The constants of a configuration: with what the registers read after reset.
pub(super) fn module_of(config: &Config, header: &str) -> String {
    let name = config.name();
    let mut text = format!(
        "// {header}\n\
         // Registers of {name}. To be used as a module: #[path = \"{name}_registers.rs\"] mod registers;\n\n"
    );
    let _ = writeln!(text, "/// Texture units.\npub const UNITS: u32 = {};\n", config.units());
    let _ = write!(
        text,
        "/// Whether every unit has counters.\npub const HAS_COUNTERS: bool = {};\n",
        config.control().counters()
    );
    if config.features().general().is_some() {
        text += &general::rust_built(built::word(config.features()));
    }
    text += &constants(|register| Some(registers::reset_value(register, config)));
    if config.control().bring_up() {
        text += &bring_up();
    }
    if config.control().store_port() {
        text += &store_port();
    }
    let own_buses = registers::on_own_buses(config);
    for kind in config.engines().iter().filter(|kind| **kind != EngineKind::Sampler) {
        match own_buses.iter().find(|(own, _)| own == kind) {
            Some((_, placed)) => text += &engine(*kind, ", from the first address of its own bus on", placed),
            None => text += &engine(*kind, "", &registers::of_engine(*kind).collect::<Vec<_>>()),
        }
    }
    text
}

/// The registers of an engine; `place` is what is to be said of their addresses.
fn engine(kind: EngineKind, place: &str, registers: &[PlacedRegister]) -> String {
    let mut text = format!("\n/// Registers of the engine `{kind}`{place}.\npub mod {kind} {{\n");
    for PlacedRegister { register, address, .. } in registers {
        text += &constants_of(&Register { offset_bytes: *address, ..*register });
    }
    text + "}\n"
}

/// The constants that are the same for every configuration.
#[must_use]
pub fn module_of_any() -> String {
    let mut text = String::from(
        "//! Addresses and fields of the control port, the same for every core.\n\
         //!\n\
         //! Made from the register table: `UPDATE_DRIVERS=1 cargo test -p tmu-package` writes it anew.\n\n",
    );
    let _ = writeln!(text, "/// Most units of a core.\npub const MAX_UNITS: u32 = {MAX_UNITS};");
    text + &constants(|_| None) + &bring_up() + &store_port()
}

/// Registers of the bring-up kit, at their addresses.
fn bring_up() -> String {
    super::bring_up().map(|register| constants_of(&register)).collect()
}

/// Registers that write parameter stores, at their addresses.
fn store_port() -> String {
    super::store_port().map(|register| constants_of(&register)).collect()
}

fn constants(reset_value: impl Fn(&Register) -> Option<u32>) -> String {
    let mut text = String::new();
    for register in CORE {
        text += &constants_of(&register);
        if let Some(value) = reset_value(&register) {
            let name = register.name;
            let _ = writeln!(
                text,
                "/// What [`{name}`] reads after reset.\npub const {name}_RESET: u32 = {};",
                hex(value)
            );
        }
    }
    let _ = write!(
        text,
        "\n/// What [`ID`] reads.\npub const ID_VALUE: u32 = {};\n\
         \n/// Address of the first counter of unit 0.\npub const UNIT_BASE: u32 = 0x{UNIT_BASE_BYTES:03x};\n\
         /// Bytes from the counters of one unit to those of the next.\n\
         pub const UNIT_STRIDE: u32 = 0x{UNIT_STRIDE_BYTES:03x};\n",
        hex(ID_VALUE)
    );
    for counter in Counter::ALL {
        let Register { name, offset_bytes, doc, .. } = counter.register();
        let _ = write!(
            text,
            "\n/// {} Counts from [`UNIT_BASE`] and the unit's stride.\npub const UNIT_{name}: u32 = 0x{offset_bytes:03x};\n",
            rustdoc(doc)
        );
    }
    text
}

fn constants_of(register: &Register) -> String {
    let Register { name, offset_bytes, doc, .. } = register;
    let mut text = format!("\n/// {}\npub const {name}: u32 = 0x{offset_bytes:03x};\n", rustdoc(doc));
    for field in register.fields {
        let Field { name: part, shift, doc, .. } = field;
        let _ = write!(
            text,
            "/// Lowest bit of field `{part}` ({}) of [`{name}`]. {}\npub const {name}_{part}_SHIFT: u32 = {shift};\n\
             /// The bits of field `{part}` in [`{name}`].\npub const {name}_{part}_MASK: u32 = {};\n",
            bits(field),
            rustdoc(doc),
            hex(field.mask())
        );
    }
    text
}

/// The formats of texels as an enum for drivers.
#[must_use]
pub fn formats() -> String {
    let mut text = String::from(
        "//! Formats of texels.\n\
         //!\n\
         //! Made from the table of formats: `UPDATE_DRIVERS=1 cargo test -p tmu-package` writes it anew.\n\n\
         /// How texels lie in memory.\n\
         #[derive(Debug, Clone, Copy, PartialEq, Eq)]\n#[repr(u8)]\npub enum Format {\n",
    );
    let variant = |format: Format| format!("{format:?}");
    for format in Format::ALL {
        let doc = rustdoc(format.descriptor().doc.trim());
        let _ = writeln!(text, "    /// {doc}\n    {} = {},", variant(format), format.code());
    }
    text += "}\n\nimpl Format {\n    /// Every format, by rising code.\n    #[rustfmt::skip]\n";
    let all = Format::ALL.map(|format| format!("Format::{}", variant(format)));
    let _ = writeln!(text, "    pub const ALL: [Format; {}] = [{}];", all.len(), all.join(", "));
    let by_format = |text: &mut String, doc: &str, name: &str, bytes: fn(Format) -> u32| {
        let _ = writeln!(
            text,
            "\n    /// {doc}\n    #[must_use]\n    pub const fn {name}(self) -> u64 {{\n        match self {{"
        );
        for format in Format::ALL {
            let _ = writeln!(text, "            Format::{} => {},", variant(format), bytes(format));
        }
        *text += "        }\n    }\n";
    };
    by_format(&mut text, "Bytes of a tile of 4 x 4 texels.", "tile_bytes", Format::tile_bytes);
    by_format(
        &mut text,
        "Bytes of the colour table, 0 without one.",
        "table_bytes",
        Format::color_table_bytes,
    );
    for FormatProperty { name, doc, has } in FORMAT_PROPERTIES {
        let those: Vec<_> = Format::ALL
            .into_iter()
            .filter(|format| has(*format))
            .map(|format| format!("Format::{}", variant(format)))
            .collect();
        let _ = write!(
            text,
            "\n    /// {doc}\n    #[must_use]\n    #[rustfmt::skip]\n    pub const fn {name}(self) -> bool {{\n        matches!(self, {})\n    }}\n",
            those.join(" | ")
        );
    }
    text + "}\n"
}

/// The fields of a binding's record for drivers.
#[must_use]
pub fn binding() -> String {
    let mut text = format!(
        "//! Fields of a binding, by words of 32 bits.\n\
         //!\n\
         //! Made from the table of fields: `UPDATE_DRIVERS=1 cargo test -p tmu-package` writes it anew.\n\n\
         /// Beats of a binding.\npub const BEATS: usize = {};\n\
         /// Words in each beat.\npub const WORDS_PER_BEAT: usize = {WORDS_PER_BEAT};\n\
         /// Most bytes of a beat of requests.\npub const BEAT_BYTES: usize = {MOST_TDATA_BYTES};\n\n\
         /// Some bits of a word.\npub struct Field {{\n\
         \x20   /// Number of the word, from the first of the first beat.\n    pub word: usize,\n\
         \x20   /// Lowest bit.\n    pub shift: u32,\n\
         \x20   /// All bits.\n    pub mask: u32,\n}}\n",
        field::WORDS
    );
    text += &field_constants(&field::ALL, "");
    text
}

/// A constant for each field, indented.
pub(super) fn field_constants(fields: &[field::Field], indent: &str) -> String {
    let mut text = String::new();
    for field in fields {
        let BindingField { word, shift, mask } = BindingField::of(field);
        let _ = write!(
            text,
            "\n{indent}/// {}.\n{indent}pub const {}: Field = Field {{ word: {word}, shift: {shift}, mask: {} }};\n",
            field.doc,
            field.name.to_uppercase(),
            hex(mask)
        );
    }
    text
}

/// A word as Rust's lints like it.
pub(super) fn hex(value: u32) -> String {
    format!("0x{:04x}_{:04x}", value >> 16, value & 0xffff)
}

/// Brackets would be links.
fn rustdoc(doc: &str) -> String {
    doc.replace('[', "\\[").replace(']', "\\]")
}
