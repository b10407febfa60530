//! What passes between the stages.

use tmu_hdl::prelude::*;
use tmu_hdl::rust_hdl::core::prelude::Direction;
use tmu_spec::Config;
use tmu_spec::fixed;
use tmu_spec::texture::AddressMode;

/// Bits of a line's address: a texture address without the byte in the line.
pub(crate) fn line_bits(config: &Config) -> usize {
    config.cache().line_address_bits() as usize
}

/// Texture and sampler state, held still while any quad that it belongs to is in flight.
///
/// Parts that a configuration leaves no choice for are absent and read as constants.
#[derive(Debug, Bundle)]
pub struct BindingState<D: Direction> {
    /// The binding broke no rule. Otherwise its quads return with the error bit and read no memory.
    pub good: Net<D>,
    /// Code of the texel format, without the bit that asks for a colour table.
    pub is_rgb: Optional<Net<D>>,
    /// Texels are indices into the colour table.
    pub is_indexed: Optional<Net<D>>,
    /// Four weighted taps a pixel instead of one.
    pub is_bilinear: Optional<Net<D>>,
    /// Choose the level by the footprint.
    pub is_mipmapped: Optional<Net<D>>,
    /// log2 of the width in texels.
    pub width_log2: Net<D>,
    /// log2 of the height in texels.
    pub height_log2: Net<D>,
    /// The smallest level that may be sampled.
    pub max_lod: Optional<Net<D>>,
    /// Address mode of u.
    pub mode_u: Optional<Net<D>>,
    /// Address mode of v.
    pub mode_v: Optional<Net<D>>,
    /// Line address of the levels; of the colour table while it is loaded.
    pub first_line: Net<D>,
}

/// A net that exists only where the configuration leaves a choice.
fn optional<D: Direction>(present: bool, width: usize) -> Optional<Net<D>> {
    Optional::new(present, || Net::new(width))
}

impl<D: Direction> BindingState<D> {
    /// The ports that the configuration needs.
    pub fn new(config: &Config) -> Self {
        let features = config.features();
        let has_modes = address_modes(config).len() > 1;
        BindingState {
            good: Net::bit(),
            is_rgb: optional(has_rgb(config) && has_rgba(config), 1),
            is_indexed: optional(features.has_color_table(), 1),
            is_bilinear: optional(features.bilinear(), 1),
            is_mipmapped: optional(features.mipmaps(), 1),
            width_log2: Net::new(4),
            height_log2: Net::new(4),
            max_lod: optional(features.mipmaps(), fixed::LOD_BITS as usize),
            mode_u: optional(has_modes, 2),
            mode_v: optional(has_modes, 2),
            first_line: Net::new(line_bits(config)),
        }
    }

    /// One bit: a texel has three bytes.
    pub fn is_rgb(&self, config: &Config) -> Bits {
        self.is_rgb.as_ref().map_or_else(|| lit(1, has_rgb(config)), |net| net.val())
    }

    /// One bit: texels are indices.
    pub fn is_indexed(&self) -> Bits {
        self.is_indexed.as_ref().map_or_else(|| lit(1, 0u32), |net| net.val())
    }

    /// One bit: bilinear.
    pub fn is_bilinear(&self) -> Bits {
        self.is_bilinear.as_ref().map_or_else(|| lit(1, 0u32), |net| net.val())
    }

    /// The address mode of an axis, u or v.
    pub fn mode(&self, config: &Config, is_v: bool) -> Bits {
        let net = if is_v { &self.mode_v } else { &self.mode_u };
        net.as_ref().map_or_else(|| lit(2, address_modes(config)[0].code()), |net| net.val())
    }
}

/// The modes that the configuration builds, at least one.
pub(crate) fn address_modes(config: &Config) -> Vec<AddressMode> {
    AddressMode::ALL.into_iter().filter(|mode| config.features().has_address_mode(*mode)).collect()
}

/// Whether any format has three bytes a colour.
pub(crate) fn has_rgb(config: &Config) -> bool {
    use tmu_spec::texture::Format::{I8Rgb8, Rgb8};
    [Rgb8, I8Rgb8].iter().any(|format| config.features().has_format(*format))
}

/// Whether any format has four bytes a colour.
pub(crate) fn has_rgba(config: &Config) -> bool {
    use tmu_spec::texture::Format::{I8Rgba8, Rgba8};
    [Rgba8, I8Rgba8].iter().any(|format| config.features().has_format(*format))
}

/// A word of named fields: what a stream between two stages carries. Fields lie upwards from bit 0.
///
/// A field that the configuration does not need takes no bits and reads as zero, so that a stage is written
/// once for every configuration.
#[derive(Debug, Clone)]
pub struct Layout {
    fields: Vec<Field>,
}

#[derive(Debug, Clone)]
struct Field {
    name: &'static str,
    width: usize,
    lo: usize,
    present: bool,
}

impl Layout {
    fn new(fields: &[(&'static str, usize, bool)]) -> Layout {
        let mut lo = 0;
        let place = |&(name, width, present): &(&'static str, usize, bool)| {
            let field = Field { name, width, lo, present };
            lo += if present { width } else { 0 };
            field
        };
        Layout { fields: fields.iter().map(place).collect() }
    }

    /// Bits of the word.
    pub fn width(&self) -> usize {
        self.fields.iter().filter(|f| f.present).map(|f| f.width).sum()
    }

    fn field(&self, name: &str) -> &Field {
        let found = self.fields.iter().find(|f| f.name == name);
        found.unwrap_or_else(|| panic!("the layout has no field `{name}`"))
    }

    /// The value of a field in `word`.
    ///
    /// # Panics
    /// When there is no such field: a fault of the stage, whatever the configuration.
    #[track_caller]
    pub fn get(&self, word: Bits, name: &str) -> Bits {
        let field = self.field(name);
        if field.present { word.slice(field.lo, field.width) } else { lit(field.width, 0u32) }
    }

    /// A word of these values, one for each field.
    ///
    /// # Panics
    /// When a field has no value: a fault of the stage.
    #[track_caller]
    pub fn pack(&self, values: &[(&str, Bits)]) -> Bits {
        let value = |field: &Field| {
            let found = values.iter().find(|(name, _)| *name == field.name);
            found.unwrap_or_else(|| panic!("field `{}` has no value", field.name)).1
        };
        let parts: Vec<Bits> = self.fields.iter().rev().filter(|f| f.present).map(value).collect();
        cat(&parts)
    }
}

/// What `coordinate` hands to `address`: the texels around one valid pixel, or the end of a quad.
///
/// `x0`, `x1`, `y0`, `y1` are columns and rows of the taps, `weight_x` and `weight_y` belong to `x1` and `y1`;
/// `level_offset` is where the level starts, in tiles, `tiles_log2` the log2 of its stored width in tiles.
pub fn footprint_layout(config: &Config) -> Layout {
    let bilinear = config.features().bilinear();
    let texel_bits = texel_bits(config);
    let weight_bits = fixed::WEIGHT.bits() as usize;
    Layout::new(&[
        ("is_end", 1, true),
        ("valid_pixels", 4, true),
        ("pixel", 2, true),
        ("x0", texel_bits, true),
        ("x1", texel_bits, bilinear),
        ("y0", texel_bits, true),
        ("y1", texel_bits, bilinear),
        ("weight_x", weight_bits, bilinear),
        ("weight_y", weight_bits, bilinear),
        ("level_offset", tmu_spec::level_offset::ENTRY_BITS as usize, true),
        ("tiles_log2", 4, true),
    ])
}

/// Bits of a column or row number, in stored texels.
pub(crate) fn texel_bits(config: &Config) -> usize {
    // The colour table is addressed as a row of 16 tiles.
    let least = if config.features().has_color_table() { 6 } else { 3 };
    (config.features().max_size_log2() as usize).max(least)
}

/// What a look-up takes along through the cache: one line of a texel, or the end of a quad.
///
/// `is_table` sends the texel into the colour table; `byte` is where the texel starts in the line; `is_rest` marks
/// the line after a texel that lies across two; `completes` the last line of a texel; `tap` is the tap's number.
/// An end carries the quad's valid bits.
pub fn slot_layout(config: &Config) -> Layout {
    let mut fields = vec![
        ("byte", config.cache().line_offset_bits() as usize, true),
        ("is_rest", 1, has_rgb(config)),
        ("completes", 1, has_rgb(config)),
        ("is_table", 1, config.features().has_color_table()),
    ];
    fields.extend(tap_fields(config));
    Layout::new(&fields)
}

/// What a texel takes along through the filter.
pub fn tap_layout(config: &Config) -> Layout {
    Layout::new(&tap_fields(config))
}

/// The fields of a slot that the filter still needs.
pub(crate) fn tap_fields(config: &Config) -> Vec<(&'static str, usize, bool)> {
    let bilinear = config.features().bilinear();
    let weight_bits = fixed::WEIGHT.bits() as usize;
    vec![
        ("is_end", 1, true),
        ("valid_pixels", 4, true),
        ("pixel", 2, true),
        ("tap", 2, bilinear),
        ("weight_x", weight_bits, bilinear),
        ("weight_y", weight_bits, bilinear),
    ]
}
