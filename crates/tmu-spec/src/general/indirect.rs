//! Indirect look-ups: texels of a primary texture are the places of texels in a secondary one, whose values come back one by one or
//! put together.
//!
//! Value i of a pixel is found at the primary texel (x + i·`offset_u`, y + i·`offset_v`), of level 0 and as it is stored: no filter, no
//! swizzle, no sRGB. Two of its components are the integer coordinates of a texel of level 0 of the secondary texture. Where a texture
//! is `1d`, y is not looked at.

use super::field::REGISTER_BITS;
use super::request::{Operation, Pixel, Quad};
use super::texture::{Kind, Texture};
use crate::binding::field::Field;
use crate::choice::{Choice, impl_choice, list};
use crate::features::Features;
use crate::format::{Format, Texel};
use crate::quad::PIXELS;

/// Most values of a pixel.
pub const MAX_VALUES: u32 = 4;

/// What becomes of the values of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Aggregate {
    /// They come back one by one, each in a result of its own.
    #[default]
    None = 0,
    /// They are added.
    Sum = 1,
    /// They are multiplied.
    Product = 2,
    /// They are added and divided by their number.
    Average = 3,
    /// The least of each channel.
    Min = 4,
    /// The largest of each channel.
    Max = 5,
}

impl_choice!(
    Aggregate,
    "an operation on looked-up values",
    None = "none",
    Sum = "sum",
    Product = "product",
    Average = "average",
    Min = "min",
    Max = "max",
);

/// The component of a primary texel that is a coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Part {
    /// Red.
    R = 0,
    /// Green.
    G = 1,
    /// Blue.
    B = 2,
    /// Alpha.
    A = 3,
}

impl_choice!(Part, "a component", R = "r", G = "g", B = "b", A = "a");

/// What an indirect look-up does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Setup {
    /// What becomes of the values.
    pub operation: Aggregate,
    /// How many values a pixel has: 1 to [`MAX_VALUES`].
    pub values: u32,
    /// Texels from the place of a value in the primary texture to that of the next one, along u.
    pub offset_u: i16,
    /// The same along v.
    pub offset_v: i16,
    /// The component that is the first coordinate in the secondary texture.
    pub u_field: Part,
    /// The component that is the second one; means nothing where the secondary texture is `1d`.
    pub v_field: Part,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            operation: Aggregate::None,
            values: 1,
            offset_u: 0,
            offset_v: 0,
            u_field: Part::R,
            v_field: Part::G,
        }
    }
}

/// The operation.
pub const OPERATION: Field =
    Field::new("operation", 0, 0, 3, "0 none, 1 sum, 2 product, 3 average, 4 min, 5 max");
/// The number of values less one.
pub const VALUES: Field = Field::new("values", 0, 3, 2, "values of a pixel, less one");
/// The component that is the first coordinate.
pub const U_FIELD: Field =
    Field::new("u_field", 0, 5, 2, "component that is the first coordinate: 0 to 3 for R, G, B, A");
/// The component that is the second coordinate.
pub const V_FIELD: Field = Field::new("v_field", 0, 7, 2, "component that is the second coordinate");
/// Texels between values along u.
pub const OFFSET_U: Field =
    Field::new("offset_u", 0, REGISTER_BITS, 16, "texels between values along u, signed");
/// Texels between values along v.
pub const OFFSET_V: Field =
    Field::new("offset_v", 0, REGISTER_BITS + 16, 16, "texels between values along v, signed");

/// Every field of a set-up's word, by rising bits. All other bits are reserved and must be 0.
pub const ALL: [Field; 6] = [OPERATION, VALUES, U_FIELD, V_FIELD, OFFSET_U, OFFSET_V];

/// The bits of a set-up's word that a field has.
pub const KNOWN: u64 = {
    let (mut known, mut number) = (0, 0);
    while number < ALL.len() {
        known |= ALL[number].mask() as u64;
        number += 1;
    }
    known
};

/// A word that is no set-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WordError {
    /// A reserved bit is set.
    #[error("the word {0:#x} of a set-up has reserved bits that are not 0")]
    Reserved(u64),
    /// There is no such operation.
    #[error("the word of a set-up has operation {0}, which is none of 0 to 5")]
    Operation(u32),
}

impl Setup {
    /// Its word.
    ///
    /// # Panics
    /// If there are no values or too many: [`Rule::broken`] says so before.
    #[must_use]
    pub fn word(&self) -> u64 {
        assert!((1..=MAX_VALUES).contains(&self.values), "the set-up keeps the rules");
        let fields = [
            (OPERATION, self.operation as u32),
            (VALUES, self.values - 1),
            (U_FIELD, self.u_field as u32),
            (V_FIELD, self.v_field as u32),
            (OFFSET_U, u32::from(self.offset_u as u16)),
            (OFFSET_V, u32::from(self.offset_v as u16)),
        ];
        fields.into_iter().fold(0, |word, (field, value)| word | u64::from(value) << field.shift)
    }

    /// Reads a set-up from its word.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_word(word: u64) -> Result<Self, WordError> {
        if word & !KNOWN != 0 {
            return Err(WordError::Reserved(word));
        }
        let of = |field: Field| ((u128::from(word) & field.mask()) >> field.shift) as u32;
        let code = of(OPERATION);
        let operation = Aggregate::CHOICES.get(code as usize).copied().ok_or(WordError::Operation(code))?;
        let offset = |field| of(field) as u16 as i16;
        Ok(Self {
            operation,
            values: of(VALUES) + 1,
            offset_u: offset(OFFSET_U),
            offset_v: offset(OFFSET_V),
            u_field: Part::CHOICES[of(U_FIELD) as usize],
            v_field: Part::CHOICES[of(V_FIELD) as usize],
        })
    }

    /// How many results a quad has.
    #[must_use]
    pub const fn results(&self) -> u32 {
        match self.operation {
            Aggregate::None => self.values,
            _ => 1,
        }
    }
}

/// Four pixels of an indirect look-up, in Z order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct IndirectQuad {
    /// The texels of the primary texture at which the first values are found: x and y.
    pub places: [[i32; 2]; PIXELS],
    /// Bit i is set if pixel i counts.
    pub valid: u8,
}

impl IndirectQuad {
    /// Whether a pixel counts.
    #[must_use]
    pub const fn is_valid(&self, pixel: usize) -> bool {
        self.valid >> pixel & 1 != 0
    }

    /// The quad that fetches the texels at these places, of level 0.
    #[must_use]
    pub fn fetched(&self) -> Quad {
        let pixel = |[x, y]: [i32; 2]| Pixel { u: x as u32, v: y as u32, ..Pixel::default() };
        Quad { pixels: self.places.map(pixel), valid: self.valid, lod: 0, operation: Operation::Fetch }
    }
}

/// Whether texels of a format hold whole numbers that may be places.
#[must_use]
pub fn holds_places(format: Format) -> bool {
    primary_formats().any(|of| of == format)
}

/// The formats whose texels hold whole numbers that may be places.
pub fn primary_formats() -> impl Iterator<Item = Format> {
    use Format::{R8, R16, Rg8, Rg16, Rgb8, Rgba8, Rgba16};
    [Rgba8, Rgb8, R8, Rg8, R16, Rg16, Rgba16].into_iter()
}

/// Whether textures of a kind are looked up by places.
#[must_use]
pub const fn has_places(kind: Kind) -> bool {
    matches!(kind, Kind::D1 | Kind::D2)
}

/// Which of the two textures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The one that holds places.
    Primary,
    /// The one that holds values.
    Secondary,
}

impl_choice!(Role, "a texture of an indirect look-up", Primary = "primary", Secondary = "secondary");

/// A rule that two textures and a set-up break together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rule {
    /// The unit was not built to do it.
    #[error("indirect look-ups are not built")]
    NotBuilt,
    /// A texture has other axes than x and y.
    #[error("the {0} texture has kind {1}, but is looked up by x and y alone")]
    Kind(Role, Kind),
    /// Texels hold no whole numbers.
    #[error("the primary texture has format {0}, whose texels are no places")]
    Format(Format),
    /// The primary texel has no such component.
    #[error("{key} is {field}, which texels of format {format} have not")]
    Field {
        /// The key.
        key: &'static str,
        /// Its value.
        field: Part,
        /// The format of the primary texture.
        format: Format,
    },
    /// There are no values, or too many.
    #[error("values is {0}, but a pixel has 1 to {MAX_VALUES}")]
    Values(u32),
}

impl Rule {
    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> String {
        match self {
            Rule::NotBuilt => "set texture.indirect = true in the configuration".into(),
            Rule::Kind(..) => "use a texture of kind 1d or 2d".into(),
            Rule::Format(_) => {
                let names: Vec<_> = primary_formats().map(Choice::name).collect();
                format!("use one of {}", names.join(", "))
            }
            Rule::Field { format, .. } => {
                let stored = Part::CHOICES.iter().filter(|part| has_part(*format, **part));
                let names: Vec<_> = stored.map(|part| part.name()).collect();
                format!("use one of {}, or another format", names.join(", "))
            }
            Rule::Values(_) => format!("use 1 to {MAX_VALUES}"),
        }
    }

    /// Every rule that a set-up and its textures break for a unit.
    #[must_use]
    pub fn broken(setup: &Setup, primary: &Texture, secondary: &Texture, features: &Features) -> Vec<Rule> {
        let mut broken = Vec::new();
        if !features.has_indirect() {
            broken.push(Rule::NotBuilt);
        }
        for (role, texture) in [(Role::Primary, primary), (Role::Secondary, secondary)] {
            if !has_places(texture.kind()) {
                broken.push(Rule::Kind(role, texture.kind()));
            }
        }
        let format = primary.format();
        let fields = [("u_field", setup.u_field), ("v_field", setup.v_field)];
        let looked_at = if secondary.kind() == Kind::D1 { 1 } else { fields.len() };
        if holds_places(format) {
            let missing = fields.into_iter().take(looked_at).filter(|(_, field)| !has_part(format, *field));
            broken.extend(missing.map(|(key, field)| Rule::Field { key, field, format }));
        } else {
            broken.push(Rule::Format(format));
        }
        if !(1..=MAX_VALUES).contains(&setup.values) {
            broken.push(Rule::Values(setup.values));
        }
        broken
    }
}

/// Whether the components of a format are bytes, or there are none.
#[must_use]
pub fn has_bytes(format: Format) -> bool {
    matches!(format.texel(), Texel::Color(packing) if packing.channels.iter().all(|channel| channel.bits <= 8))
}

/// Whether texels of a format of whole numbers have a component.
#[must_use]
pub fn has_part(format: Format, part: Part) -> bool {
    matches!(format.texel(), Texel::Color(packing) if packing.channels[part as usize].bits != 0)
}

/// The two components that are coordinates, as a word like `rg`.
///
/// # Errors
/// A message that says what a word of components is.
pub fn parse_fields(word: &str) -> Result<[Part; 2], String> {
    let of = |letter: char| Part::CHOICES.iter().copied().find(|part| part.name().starts_with(letter));
    let parts: Option<Vec<_>> = word.chars().map(of).collect();
    let parts = parts.and_then(|parts| <[Part; 2]>::try_from(parts).ok());
    parts.ok_or_else(|| format!("the fields of a place are two of {}, like \"rg\"", list::<Part>()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::general::texture::{Shape, Swizzle};

    fn texture(kind: Kind, format: Format) -> Texture {
        let side = if kind == Kind::D1 { 1 } else { 8 };
        let shape = Shape { kind, width: 8, height: side, depth: 1, levels: 1, format };
        Texture::packed(shape, Swizzle::NONE, false).unwrap()
    }

    #[test]
    fn fields_stand_side_by_side_each_in_a_register() {
        let mut taken = 0;
        for field in ALL {
            assert_eq!((field.word, field.mask() & taken), (0, 0), "{}", field.name);
            assert_eq!(field.shift / 32, (field.shift + field.bits - 1) / 32, "{}", field.name);
            taken |= field.mask();
        }
        assert!(Aggregate::CHOICES.len() <= 1 << OPERATION.bits);
        assert_eq!(MAX_VALUES, 1 << VALUES.bits);
    }

    #[test]
    fn words_round_trip_and_are_what_is_written() {
        let setup = Setup {
            operation: Aggregate::Max,
            values: 4,
            offset_u: -2,
            offset_v: 300,
            u_field: Part::A,
            v_field: Part::B,
        };
        assert_eq!(setup.word(), 300 << 48 | 0xfffe << 32 | 2 << 7 | 3 << 5 | 3 << 3 | 5);
        for setup in [setup, Setup::default()] {
            assert_eq!(Setup::from_word(setup.word()), Ok(setup));
        }
        assert_eq!(Setup::from_word(6), Err(WordError::Operation(6)));
        assert_eq!(Setup::from_word(1 << 9), Err(WordError::Reserved(1 << 9)));
    }

    /// The formats with places are those of whole numbers from 8 bits a component on, by their codes.
    #[test]
    fn formats_of_places_by_code() {
        let codes: Vec<_> = primary_formats().map(Format::code).collect();
        assert_eq!(codes, [0, 1, 4, 5, 10, 11, 12]);
        for format in Format::ALL {
            let wide = |packing: crate::format::Packing| {
                packing.channels.iter().all(|channel| [0, 8, 16].contains(&channel.bits))
            };
            let whole = matches!(format.texel(), Texel::Color(packing) if wide(packing));
            assert_eq!(holds_places(format), whole, "{format}");
        }
    }

    #[test]
    fn each_rule_alone() {
        let plain = Setup::default();
        let (places, values) = (texture(Kind::D2, Format::Rg16), texture(Kind::D2, Format::Rgba32f));
        let row = texture(Kind::D1, Format::R16);
        let cube = texture(Kind::Cube, Format::Rgba8);
        let with = |u_field, v_field| Setup { u_field, v_field, ..plain };
        let missing = |key, field, format| vec![Rule::Field { key, field, format }];
        let table = [
            (plain, places, values, vec![]),
            (plain, row, row, vec![]),
            (plain, row, values, missing("v_field", Part::G, Format::R16)),
            (with(Part::B, Part::G), places, values, missing("u_field", Part::B, Format::Rg16)),
            (with(Part::B, Part::A), texture(Kind::D2, Format::Rgba8), values, vec![]),
            (plain, values, values, vec![Rule::Format(Format::Rgba32f)]),
            (plain, texture(Kind::D2, Format::Rgb565), values, vec![Rule::Format(Format::Rgb565)]),
            (plain, cube, values, vec![Rule::Kind(Role::Primary, Kind::Cube)]),
            (plain, places, cube, vec![Rule::Kind(Role::Secondary, Kind::Cube)]),
            (Setup { values: 0, ..plain }, places, values, vec![Rule::Values(0)]),
            (Setup { values: 5, ..plain }, places, values, vec![Rule::Values(5)]),
        ];
        for (number, (setup, primary, secondary, expected)) in table.into_iter().enumerate() {
            let broken = Rule::broken(&setup, &primary, &secondary, &Features::GENERAL);
            assert_eq!(broken, expected, "case {number}");
            assert!(broken.iter().all(|rule| !rule.help().is_empty()));
        }
        assert_eq!(Rule::broken(&plain, &places, &values, &Features::ALL), [Rule::NotBuilt]);
    }

    #[test]
    fn words_of_components() {
        assert_eq!(parse_fields("rg"), Ok([Part::R, Part::G]));
        assert_eq!(parse_fields("ab"), Ok([Part::A, Part::B]));
        for wrong in ["", "r", "rgb", "r0", "RG"] {
            assert!(parse_fields(wrong).unwrap_err().contains("two of r, g, b, a"), "{wrong}");
        }
    }
}
