//! The register map in the languages of those who use it.
//!
//! All are views of the one table in `tmu_rtl::system::registers`. The map of a configuration is written beside its Verilog:
//! SystemRDL and Rust here; Markdown, C and IP-XACT by `tmu-rtl`. The map without a configuration is what drivers are
//! compiled with, since it is the same for every core, and what `docs/reference/registers.md` shows.

mod driver;
mod general;
mod page;
mod rust;
mod systemrdl;

pub use driver::c_header as driver_c_header;
pub use general::{
    c_header as driver_c_general, rust_codes as driver_rust_codes, rust_fields as driver_rust_general_fields,
};
pub use page::{engine_page, page};
pub use rust::{
    binding as driver_rust_binding, formats as driver_rust_formats, module_of_any as driver_rust_module,
};

use crate::header;
use tmu_rtl::outputs::OutputFile;
use tmu_rtl::sampler::store_port::registers as store;
use tmu_rtl::system::bring_up::registers as kit;
use tmu_rtl::system::registers::{Field, Register};
use tmu_spec::binding::field;
use tmu_spec::general::indirect::{Part, has_part, holds_places};
use tmu_spec::{Config, Format};

/// What is written for a configuration: nothing, if it has no control port.
#[must_use]
pub fn files(config: &Config) -> Vec<OutputFile> {
    if !config.control().port() {
        return Vec::new();
    }
    let (name, header) = (config.name(), header(config));
    vec![
        OutputFile { name: format!("{name}_registers.rdl"), text: systemrdl::addrmap(config, &header) },
        OutputFile { name: format!("{name}_registers.rs"), text: rust::module_of(config, &header) },
    ]
}

/// Registers of the bring-up kit, with their addresses in place of their distance from the first.
fn bring_up() -> impl Iterator<Item = Register> {
    let placed = |register: Register| Register {
        offset_bytes: kit::BRING_UP_SPACE.base_bytes + register.offset_bytes,
        ..register
    };
    kit::TABLE.iter().copied().chain(kit::BINDING).map(placed)
}

/// Registers that write parameter stores, those of the table among them, with their addresses.
fn store_port() -> impl Iterator<Item = Register> {
    let placed = |register: Register| Register {
        offset_bytes: store::STORE_SPACE.base_bytes + register.offset_bytes,
        ..register
    };
    store::TABLE.iter().chain(store::OF_TABLE).copied().chain(store::BINDING).map(placed)
}

/// Words of 32 bits, as drivers write them, of a beat of a binding.
const WORDS_PER_BEAT: usize = field::WORD_BITS as usize / 32;

/// A field of a binding's record, by words of 32 bits.
struct BindingField {
    word: usize,
    shift: u32,
    mask: u32,
}

impl BindingField {
    fn of(field: &field::Field) -> BindingField {
        let (word, shift) = (field.shift / 32, field.shift % 32);
        BindingField {
            word: field.word * WORDS_PER_BEAT + word as usize,
            shift,
            mask: (field.mask() >> (32 * word)) as u32,
        }
    }
}

/// What a format is or is not, as rules of bindings ask for.
struct FormatProperty {
    /// The function in Rust; what is behind its last `_` names the mask in C.
    name: &'static str,
    doc: &'static str,
    has: fn(Format) -> bool,
}

const FORMAT_PROPERTIES: [FormatProperty; 8] = [
    FormatProperty { name: "is_block", doc: "Texels stand in compressed blocks.", has: Format::is_block },
    FormatProperty { name: "is_depth", doc: "Texels are depths.", has: Format::is_depth },
    FormatProperty { name: "is_float", doc: "Texels are floats.", has: Format::is_float },
    FormatProperty { name: "can_be_srgb", doc: "Colours may be sRGB-coded.", has: Format::can_be_srgb },
    FormatProperty {
        name: "holds_places",
        doc: "Texels may be places of an indirect look-up.",
        has: holds_places,
    },
    FormatProperty {
        name: "holds_green",
        doc: "They have G.",
        has: |format| holds_places(format) && has_part(format, Part::G),
    },
    FormatProperty {
        name: "holds_blue",
        doc: "They have B.",
        has: |format| holds_places(format) && has_part(format, Part::B),
    },
    FormatProperty {
        name: "holds_alpha",
        doc: "They have A.",
        has: |format| holds_places(format) && has_part(format, Part::A),
    },
];

/// Bits of a field as people write them: `7:4`, or `3`.
fn bits(field: &Field) -> String {
    bit_range(field.shift, field.width_bits)
}

/// So many bits from `low` on, as people write them.
pub(crate) fn bit_range(low: u32, count: u32) -> String {
    if count == 1 { low.to_string() } else { format!("{}:{low}", low + count - 1) }
}
