//! What drivers need of the general numerics: fields and codes, as a C header and as modules in Rust.

use super::rust::{field_constants, hex};
use super::{BindingField, WORDS_PER_BEAT};
use std::fmt::{Debug, Write as _};
use tmu_spec::AddressMode;
use tmu_spec::binding::field::Field;
use tmu_spec::choice::Choice;
use tmu_spec::general::features::OperationName;
use tmu_spec::general::indirect::{self, Aggregate, MAX_VALUES};
use tmu_spec::general::packet::{COMPONENT_SHIFT, Extras, INDIRECT, OPERATION_SHIFT, SETUP_SHIFT};
use tmu_spec::general::sampler::{LOD_STEPS, MAX_LOD};
use tmu_spec::general::texture::{MAX_LAYERS, MAX_LEVELS, MAX_SIZE};
use tmu_spec::general::{
    CompareOp, Component, Filter, Kind, MipFilter, Numbers, ResultNumbers, built, field,
};

/// Fields that only some units have: with indirect look-ups, and with a parameter store.
const OF_SOME: [Field; 5] =
    [field::SECONDARY, field::ENTRY, field::STORES, field::ENABLES, field::SETS_ENABLES];

/// Values that go by codes: a type of the specification as drivers name it.
struct Codes {
    /// The type in Rust.
    rust: &'static str,
    /// The type in C, and what its constants begin with.
    c: [&'static str; 2],
    doc: &'static str,
    /// Names, and variants in Rust, by code.
    values: Vec<[String; 2]>,
}

impl Codes {
    fn of<T: Choice + Debug>(rust: &'static str, c: [&'static str; 2], doc: &'static str) -> Self {
        let value = |value: &T| [value.name().to_owned(), format!("{value:?}")];
        Self { rust, c, doc, values: T::CHOICES.iter().map(value).collect() }
    }
}

/// The address modes, which classic bindings have too.
fn address_modes() -> Codes {
    Codes::of::<AddressMode>(
        "AddressMode",
        ["tmu_address_mode", "TMU"],
        "What lies outside the texture. Cores of the classic numerics have the first three at most.",
    )
}

/// Every other such type.
fn codes() -> [Codes; 9] {
    [
        Codes::of::<Kind>(
            "Kind",
            ["tmu_kind", "TMU_KIND"],
            "How many axes a texture has, and what its slices are.",
        ),
        Codes::of::<Component>(
            "Component",
            ["tmu_component", "TMU_COMPONENT"],
            "What a channel of a result shows.",
        ),
        Codes::of::<Filter>(
            "Filter",
            ["tmu_filter", "TMU_FILTER"],
            "How many texels of a level a sample takes.",
        ),
        Codes::of::<MipFilter>("MipFilter", ["tmu_mip_filter", "TMU_MIP"], "Which levels a sample takes."),
        Codes::of::<CompareOp>(
            "CompareOp",
            ["tmu_compare_op", "TMU_COMPARE"],
            "How a reference is compared with a depth: true where `reference op depth` holds.",
        ),
        Codes::of::<OperationName>(
            "Operation",
            ["tmu_operation", "TMU_OPERATION"],
            "What is done with the pixels of a quad.",
        ),
        Codes::of::<Numbers>("Numbers", ["tmu_numbers", "TMU_NUMBERS"], "How coordinates are given."),
        Codes::of::<ResultNumbers>(
            "ResultNumbers",
            ["tmu_result_numbers", "TMU_RESULT"],
            "How channels of a result are given.",
        ),
        Codes::of::<Aggregate>(
            "Aggregate",
            ["tmu_aggregate", "TMU_AGGREGATE"],
            "What becomes of a pixel's values in an indirect look-up.",
        ),
    ]
}

/// A number that limits what a binding may say, or a place in a packet.
struct Limit {
    name: &'static str,
    value: i64,
    /// Its type in Rust.
    of: &'static str,
    doc: &'static str,
}

fn limits() -> [Limit; 11] {
    let limit = |name, value: i64, of, doc| Limit { name, value, of, doc };
    [
        limit("MAX_SIZE", MAX_SIZE.into(), "u32", "Longest side of a texture in texels."),
        limit("MAX_LAYERS", MAX_LAYERS.into(), "u32", "Most layers of an array."),
        limit("MAX_LEVELS", MAX_LEVELS.into(), "usize", "Most levels of a texture."),
        limit("LOD_STEPS", LOD_STEPS.into(), "i16", "Steps of a level of detail between two levels."),
        limit(
            "MAX_LOD",
            (MAX_LOD * LOD_STEPS).into(),
            "i16",
            "Farthest level of detail on either side of 0.",
        ),
        limit("QUAD_BEATS", Extras::ALL.words() as i64, "usize", "Most beats of a quad."),
        limit("OPERATION_SHIFT", OPERATION_SHIFT.into(), "u32", "Lowest bit of the operation in its beat."),
        limit(
            "COMPONENT_SHIFT",
            COMPONENT_SHIFT.into(),
            "u32",
            "Lowest bit of the component in the same beat.",
        ),
        limit(
            "INDIRECT_OPERATION",
            INDIRECT.into(),
            "u32",
            "The code of indirect look-ups among operations.",
        ),
        limit("SETUP_SHIFT", SETUP_SHIFT.into(), "u32", "Lowest bit of their set-up in the same beat."),
        limit("MAX_VALUES", MAX_VALUES.into(), "u32", "Most values of a pixel."),
    ]
}

/// Fields, codes and limits as `TMU_` macros and enums.
#[must_use]
pub fn c_header() -> String {
    let mut text = String::from(
        "/* Fields and codes of bindings and quads of the general numerics, the same for every core.\n\
         \x20* Made from the generator's tables: UPDATE_DRIVERS=1 cargo test -p tmu-package writes it anew. */\n\
         #ifndef TMU_GENERAL_FIELDS_H\n#define TMU_GENERAL_FIELDS_H\n",
    );
    for Codes { c: [name, prefix], doc, values, .. } in codes() {
        text += &c_enum(name, prefix, doc, &values);
    }
    for Limit { name, value, of, doc } in limits() {
        let suffix = if of.starts_with('i') { "" } else { "u" };
        let _ = write!(text, "\n/* {doc} */\n#define TMU_{name} {value}{suffix}\n");
    }
    let _ = write!(
        text,
        "\n/* Fields of a binding: the word of 32 bits that has them, counted from 0, and where they stand in it. */\n\
         #define TMU_GENERAL_BEATS {}u\n#define TMU_GENERAL_WORDS_PER_BEAT {WORDS_PER_BEAT}u\n",
        field::WORDS
    );
    let define = |text: &mut String, prefix: &str, own: &Field| {
        let BindingField { word, shift, mask } = BindingField::of(own);
        let name = format!("TMU_{prefix}_{}", own.name.to_uppercase());
        let _ = writeln!(
            text,
            "\n/* {} */\n#define {name}_WORD {word}u\n#define {name}_SHIFT {shift}u\n#define {name}_MASK 0x{mask:08x}u",
            own.doc
        );
    };
    field::ALL.iter().chain(&OF_SOME).for_each(|own| define(&mut text, "GENERAL", own));
    text += "\n/* Fields of the set-up of an indirect look-up, a word of 64 bits. */\n";
    indirect::ALL.iter().for_each(|own| define(&mut text, "SETUP", own));
    text += "\n/* What the units were built to do: the word NAME_BUILT of a core's header. */\n";
    built::ALL.iter().for_each(|own| define(&mut text, "BUILT", own));
    text + "\n#endif\n"
}

fn c_enum(name: &str, prefix: &str, doc: &str, values: &[[String; 2]]) -> String {
    // "s16.16" is the one name that is no part of a C name.
    let constant = |(code, [value, _]): (usize, &[String; 2])| {
        format!("  {prefix}_{} = {code}", value.to_uppercase().replace('.', "P"))
    };
    let constants: Vec<_> = values.iter().enumerate().map(constant).collect();
    format!("\n/* {doc} */\nenum {name} {{\n{}\n}};\n", constants.join(",\n"))
}

/// The address modes, which the header of all cores has.
pub(super) fn c_address_modes() -> String {
    let Codes { c: [name, prefix], doc, values, .. } = address_modes();
    c_enum(name, prefix, doc, &values)
}

/// The enums for drivers in Rust.
#[must_use]
pub fn rust_codes() -> String {
    let mut text = String::from(
        "//! Values that go by codes, and limits.\n\
         //!\n\
         //! Made from the generator's tables: `UPDATE_DRIVERS=1 cargo test -p tmu-package` writes it anew.\n",
    );
    for Codes { rust, doc, values, .. } in codes().into_iter().chain([address_modes()]) {
        let _ = write!(
            text,
            "\n/// {doc}\n#[derive(Debug, Clone, Copy, PartialEq, Eq)]\n#[repr(u8)]\npub enum {rust} {{\n"
        );
        for (code, [name, variant]) in values.iter().enumerate() {
            let _ = writeln!(text, "    /// `{name}`.\n    {variant} = {code},");
        }
        let all: Vec<_> = values.iter().map(|[_, variant]| format!("{rust}::{variant}")).collect();
        let _ = write!(
            text,
            "}}\n\nimpl {rust} {{\n    /// Every value, by rising code.\n    #[rustfmt::skip]\n    pub const ALL: [{rust}; {}] = [{}];\n}}\n",
            all.len(),
            all.join(", ")
        );
    }
    for Limit { name, value, of, doc } in limits() {
        let _ = write!(text, "\n/// {doc}\npub const {name}: {of} = {value};\n");
    }
    text
}

/// The fields for drivers in Rust.
#[must_use]
pub fn rust_fields() -> String {
    let mut text = format!(
        "//! Fields of a binding of the general numerics, by words of 32 bits.\n\
         //!\n\
         //! Made from the table of fields: `UPDATE_DRIVERS=1 cargo test -p tmu-package` writes it anew.\n\n\
         use crate::binding::Field;\n\n\
         /// Beats of a binding.\npub const BEATS: usize = {};\n\
         /// Words in each beat.\npub const WORDS_PER_BEAT: usize = {WORDS_PER_BEAT};\n",
        field::WORDS
    );
    text += &field_constants(&field::ALL, "");
    text += &field_constants(&OF_SOME, "");
    text += "\n/// The set-up of an indirect look-up, a word of 64 bits.\npub mod setup {\n    use crate::binding::Field;\n";
    text += &field_constants(&indirect::ALL, "    ");
    text += "}\n";
    text += "\n/// What the units were built to do: the constant `BUILT` of a core's registers.\npub mod built {\n    \
             use crate::binding::Field;\n";
    text += &field_constants(&built::ALL, "    ");
    text + "}\n"
}

/// The word of a configuration, for its header in Rust.
pub(super) fn rust_built(word: u32) -> String {
    format!(
        "\n/// What the units were built to do, as their driver is told.\npub const BUILT: u32 = {};\n",
        hex(word)
    )
}
