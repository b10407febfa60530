//! What passes between the stages.

use super::format::{all_are_rgb, has_packed, has_rgb, packing_bits};
use std::ops::Range;
use tmu_hdl::prelude::*;
use tmu_hdl::rust_hdl::core::prelude::Direction;
use tmu_spec::Config;
use tmu_spec::fixed;
use tmu_spec::texture::AddressMode;

/// Bits of a line's address: a texture address without the byte in the line.
pub(crate) fn line_bits(config: &Config) -> usize {
    config.cache().line_address_bits() as usize
}

/// A part of the binding in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingField {
    /// The binding broke no rule. Otherwise its quads return with the error bit and read no memory.
    Good,
    /// Colours have three bytes.
    IsRgb,
    /// Texels are indices into the colour table.
    IsIndexed,
    /// How colours of two bytes are packed, see [`Kind`](crate::datapath::format::Kind).
    Packing,
    /// Four weighted taps a pixel instead of one.
    IsBilinear,
    /// Choose the level by the footprint.
    IsMipmapped,
    /// log2 of the width in texels.
    WidthLog2,
    /// log2 of the height in texels.
    HeightLog2,
    /// The smallest level that may be sampled.
    MaxLod,
    /// Address mode of u.
    ModeU,
    /// Address mode of v.
    ModeV,
    /// Line address of the levels; of the colour table while it is loaded.
    FirstLine,
}

impl BindingField {
    /// Every field.
    pub const ALL: [BindingField; 12] = [
        BindingField::Good,
        BindingField::IsRgb,
        BindingField::IsIndexed,
        BindingField::Packing,
        BindingField::IsBilinear,
        BindingField::IsMipmapped,
        BindingField::WidthLog2,
        BindingField::HeightLog2,
        BindingField::MaxLod,
        BindingField::ModeU,
        BindingField::ModeV,
        BindingField::FirstLine,
    ];

    fn name(self) -> &'static str {
        match self {
            BindingField::Good => "good",
            BindingField::IsRgb => "is_rgb",
            BindingField::IsIndexed => "is_indexed",
            BindingField::Packing => "packing",
            BindingField::IsBilinear => "is_bilinear",
            BindingField::IsMipmapped => "is_mipmapped",
            BindingField::WidthLog2 => "width_log2",
            BindingField::HeightLog2 => "height_log2",
            BindingField::MaxLod => "max_lod",
            BindingField::ModeU => "mode_u",
            BindingField::ModeV => "mode_v",
            BindingField::FirstLine => "first_line",
        }
    }

    fn width(self, config: &Config) -> usize {
        match self {
            BindingField::WidthLog2 | BindingField::HeightLog2 => 4,
            BindingField::MaxLod => fixed::LOD_BITS as usize,
            BindingField::ModeU | BindingField::ModeV => 2,
            BindingField::FirstLine => line_bits(config),
            BindingField::Packing => packing_bits(config),
            _ => 1,
        }
    }

    /// The only value that the field can have, where the configuration leaves no choice.
    fn constant(self, config: &Config) -> Option<u32> {
        let features = config.features();
        let off = |present: bool| (!present).then_some(0);
        let modes: Vec<_> = features.address_modes().collect();
        match self {
            BindingField::IsRgb if all_are_rgb(config) => Some(1),
            BindingField::IsRgb => off(has_rgb(config)),
            BindingField::Packing => off(has_packed(config)),
            BindingField::IsIndexed => off(features.has_color_table()),
            BindingField::IsBilinear => off(features.bilinear()),
            BindingField::IsMipmapped | BindingField::MaxLod => off(features.mipmaps()),
            BindingField::ModeU | BindingField::ModeV if modes.len() == 1 => Some(modes[0].code().into()),
            _ => None,
        }
    }
}

/// Texture and sampler state, held still while any quad that it belongs to is in flight: those fields that a
/// stage asks for and that the configuration leaves a choice in.
#[derive(Debug)]
pub struct BindingState<D: Direction> {
    fields: Vec<(BindingField, Net<D>)>,
    asked: Vec<BindingField>,
    config: Config,
}

impl<D: Direction> BindingState<D> {
    /// The ports of a stage that needs these fields.
    pub fn new(config: &Config, asked: &[BindingField]) -> Self {
        let needed = asked.iter().filter(|field| field.constant(config).is_none());
        BindingState {
            fields: needed.map(|&field| (field, Net::new(field.width(config)))).collect(),
            asked: asked.to_vec(),
            config: config.clone(),
        }
    }

    /// The value of a field.
    ///
    /// # Panics
    /// When the stage has not asked for the field: a fault of its constructor, whatever the configuration.
    pub fn get(&self, field: BindingField) -> Bits {
        assert!(self.asked.contains(&field), "the stage has not asked for {field:?}");
        match self.net(field) {
            Some(net) => net.val(),
            None => lit(field.width(&self.config), field.constant(&self.config).unwrap_or(0)),
        }
    }

    /// The net of a field, where there is one.
    pub fn net(&self, field: BindingField) -> Option<&Net<D>> {
        self.fields.iter().find(|(own, _)| *own == field).map(|(_, net)| net)
    }
}

impl<D: Direction> Logic for BindingState<D> {
    fn update(&mut self) {}
}

impl<D: Direction> Block for BindingState<D> {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        self.fields.iter_mut().for_each(|(_, net)| net.update_all());
    }

    fn has_changed(&self) -> bool {
        self.fields.iter().any(|(_, net)| net.has_changed())
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_namespace(name, self);
        self.fields.iter().for_each(|(field, net)| net.accept(field.name(), probe));
        probe.visit_end_namespace(name, self);
    }
}

/// One bit: the mode is this one. Modes that are not built are never it.
#[kernel]
pub(crate) fn is_mode(config: &Config, mode: Bits, wanted: AddressMode) -> Bits {
    if config.features().has_address_mode(wanted) { mode == u64::from(wanted.code()) } else { lit(1, 0u32) }
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
    pub(crate) fn new(fields: &[(&'static str, usize, bool)]) -> Layout {
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

    /// The bits of the word that a field takes; none where the configuration does not need it.
    ///
    /// # Panics
    /// When there is no such field.
    #[track_caller]
    pub fn bits(&self, name: &str) -> Range<usize> {
        let field = self.field(name);
        field.lo..field.lo + if field.present { field.width } else { 0 }
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
pub fn sideband_layout(config: &Config) -> Layout {
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

/// The fields of a look-up that the filter still needs.
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

/// Parts in which words of this many bits are compared: one clock compares the parts, the next brings them together.
pub(crate) fn parts(width: usize, part_bits: usize) -> usize {
    width.div_ceil(part_bits)
}

/// Whether each part of two words is the same.
#[kernel]
pub(crate) fn same_parts(one: Bits, other: Bits, part_bits: usize) -> Vec<Bits> {
    (0..one.width())
        .step_by(part_bits)
        .map(|lo| {
            let width = part_bits.min(one.width() - lo);
            one.slice(lo, width) == other.slice(lo, width)
        })
        .collect()
}
