//! The C header that drivers are compiled with: the map of every core, without reset values.

use super::{BindingField, FORMAT_PROPERTIES, FormatProperty, WORDS_PER_BEAT};
use std::fmt::Write as _;
use tmu_rtl::system::registers::{
    CORE, Counter, Field, ID_VALUE, MAX_UNITS, Register, UNIT_BASE_BYTES, UNIT_STRIDE_BYTES,
};
use tmu_spec::Format;
use tmu_spec::binding::field;
use tmu_spec::quad::MOST_TDATA_BYTES;

/// Addresses and fields as `TMU_` macros.
#[must_use]
pub fn c_header() -> String {
    let mut text = String::from(
        "/* Addresses and fields of the control port, fields of a binding, formats of texels and address modes, the same for every core.\n\
         \x20* Made from the generator's tables: UPDATE_DRIVERS=1 cargo test -p tmu-package writes it anew. */\n\
         #ifndef TMU_REGISTERS_H\n#define TMU_REGISTERS_H\n",
    );
    for register in CORE.into_iter().chain(super::bring_up()).chain(super::store_port()) {
        let Register { name, offset_bytes, doc, fields, .. } = register;
        let _ = write!(text, "\n/* {doc} */\n#define TMU_{name} 0x{offset_bytes:03x}u\n");
        for field in fields {
            let Field { name: part, shift, .. } = field;
            let _ = writeln!(text, "#define TMU_{name}_{part}_SHIFT {shift}u");
            let _ = writeln!(text, "#define TMU_{name}_{part}_MASK 0x{:08x}u", field.mask());
        }
    }
    let _ = write!(
        text,
        "\n/* What TMU_ID reads. */\n#define TMU_ID_VALUE 0x{ID_VALUE:08x}u\n\
         \n/* Most units of a core; the counters of unit n start at TMU_UNIT_BASE + n * TMU_UNIT_STRIDE. */\n\
         #define TMU_MAX_UNITS {MAX_UNITS}u\n#define TMU_UNIT_BASE 0x{UNIT_BASE_BYTES:03x}u\n\
         #define TMU_UNIT_STRIDE 0x{UNIT_STRIDE_BYTES:03x}u\n"
    );
    for counter in Counter::ALL {
        let Register { name, offset_bytes, doc, .. } = counter.register();
        let _ = write!(text, "\n/* {doc} */\n#define TMU_UNIT_{name} 0x{offset_bytes:03x}u\n");
    }
    text + &binding() + &formats() + &super::general::c_address_modes() + "\n#endif\n"
}

/// Fields of a binding's record, by words of 32 bits.
fn binding() -> String {
    let mut text = String::from(
        "\n/* Fields of a binding: the word of 32 bits that has them, counted from 0, and where they stand in it. */\n",
    );
    let _ = write!(
        text,
        "#define TMU_BINDING_BEATS {}u\n#define TMU_BINDING_WORDS_PER_BEAT {WORDS_PER_BEAT}u\n\n\
         /* Most bytes of a beat of requests. */\n#define TMU_BEAT_BYTES {MOST_TDATA_BYTES}u\n",
        field::WORDS
    );
    for field in field::ALL {
        let BindingField { word, shift, mask } = BindingField::of(&field);
        let name = format!("TMU_BINDING_{}", field.name.to_uppercase());
        let _ = write!(
            text,
            "\n/* {} */\n#define {name}_WORD {word}u\n#define {name}_SHIFT {shift}u\n#define {name}_MASK 0x{mask:08x}u\n",
            field.doc
        );
    }
    text
}

/// Formats by their codes, and what they are as initialisers of tables indexed by the code, and as masks of codes.
fn formats() -> String {
    let mut text =
        String::from("\n/* Formats of texels; the codes between are reserved. */\nenum tmu_format {\n");
    for format in Format::ALL {
        let (name, code, doc) = (format.name().to_uppercase(), format.code(), format.descriptor().doc.trim());
        let _ = writeln!(text, "  TMU_{name} = {code}, /* {doc} */");
    }
    let last = Format::ALL.map(Format::code).into_iter().max().unwrap_or_default();
    let table = |bytes: fn(Format) -> u32| {
        let of_code = |code| Format::from_code(code).map_or(0, bytes).to_string();
        (0..=last).map(of_code).collect::<Vec<_>>().join(", ")
    };
    let _ = write!(
        text,
        "  TMU_LAST_FORMAT = {last}\n}};\n\n\
         /* Bytes of a tile of 4 x 4 texels and of the colour table by the format's code; 0 for a reserved one. */\n\
         #define TMU_FORMAT_TILE_BYTES {{{}}}\n#define TMU_FORMAT_TABLE_BYTES {{{}}}\n",
        table(Format::tile_bytes),
        table(Format::color_table_bytes)
    );
    text += "\n/* Formats with a property: bit n for the format of code n. */\n";
    for FormatProperty { name, doc, has } in FORMAT_PROPERTIES {
        let mask = Format::ALL
            .into_iter()
            .filter(|format| has(*format))
            .fold(0, |mask, format| mask | 1u64 << format.code());
        let name = name.rsplit('_').next().unwrap_or(name).to_uppercase();
        let _ = writeln!(text, "/* {doc} */\n#define TMU_FORMATS_{name} 0x{mask:012x}ull");
    }
    text
}
