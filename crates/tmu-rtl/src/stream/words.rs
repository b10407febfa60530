//! What passes between the stages of the streaming unit.
//!
//! Everything from `request` to the tags moves in slots: a quad takes four, one for each pixel, and so do a
//! binding and a row of four entries of a colour table. Slots pass one a clock, all in step, in request order.

use crate::bundles::{Layout, line_bits, texel_bits};
use tmu_hdl::prelude::*;
use tmu_spec::tile::BANKS;
use tmu_spec::{BeatsPerQuad, Config, fixed};

/// Bits of a tile's kind: three bytes a texel, and below it one byte a texel.
pub const KIND_BITS: usize = 2;

/// Slots that a quad takes.
pub const SLOTS: usize = 4;

/// Bits of a quad's coordinates.
pub const QUAD_BITS: usize = 256;

/// A slot in front of the cache: `is_binding` and `is_table` say what is in it, otherwise a pixel; `number` counts
/// the slots of a quad. `is_valid`: the pixel is valid; of a binding, that it broke no rule.
///
/// A binding's bits stand in `u` and `v`, in the slot of that pixel that comes with the beat's lowest bits, see
/// [`binding_slot`].
pub fn slot_layout() -> Layout {
    Layout::new(&[
        ("is_binding", 1, true),
        ("is_table", 1, true),
        ("number", 2, true),
        ("is_valid", 1, true),
        ("u", 32, true),
        ("v", 32, true),
    ])
}

/// Number of the slot that carries a binding's bits: the first pixel of a quad's last beat.
pub fn binding_slot(config: &Config) -> u64 {
    match config.request().beats_per_quad() {
        BeatsPerQuad::Two => 2,
        BeatsPerQuad::One => 0,
    }
}

/// What `coordinate` hands to `address`: the texels around a pixel. `is_failed`: its binding broke a rule.
pub fn footprint_layout(config: &Config) -> Layout {
    let texel_bits = texel_bits(config);
    let bilinear = config.features().bilinear();
    let weight_bits = fixed::WEIGHT.bits() as usize;
    Layout::new(&[
        ("is_binding", 1, true),
        ("is_table", 1, config.features().has_color_table()),
        ("number", 2, true),
        ("is_valid", 1, true),
        ("is_failed", 1, true),
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

/// What travels from the footprint to the filter. The columns and rows of a footprint stand by their parity, the even
/// one in bit 0 of a field: `column_bit1` and `row_bit1` are bit 1 of their numbers. The weights are those of the odd
/// ones, 0 to 256. Without bilinear filtering only the highest bit is left: the one texel is odd.
pub fn tap_layout(config: &Config) -> Layout {
    let indexed = config.features().has_color_table();
    let weight_bits = odd_weight_bits(config);
    Layout::new(&[
        ("is_table", 1, indexed),
        ("is_indexed", 1, indexed),
        ("number", 2, true),
        ("is_valid", 1, true),
        ("is_failed", 1, true),
        ("column_bit1", 2, true),
        ("row_bit1", 2, indexed),
        ("odd_weight_x", weight_bits, true),
        ("odd_weight_y", weight_bits, true),
    ])
}

/// Bits of the weight of an odd column or row.
fn odd_weight_bits(config: &Config) -> usize {
    if config.features().bilinear() { fixed::WEIGHT.bits() as usize + 1 } else { 1 }
}

/// Where the texels of a footprint lie in their tiles, as far as their rows' addresses need it; by parity, the even
/// column and row in bit 0: bit 2 of a column or row is the parity of its tile, bit 1 of a row its half of the tile.
pub fn sides_layout() -> Layout {
    Layout::new(&[("column_bit2", 2, true), ("row_bit2", 2, true), ("row_bit1", 2, true)])
}

/// The tiles of a footprint, one for each bank, as `address` hands them to the tags.
#[derive(Debug, Bundle)]
pub struct TileRequest<D: tmu_hdl::rust_hdl::core::prelude::Direction> {
    /// There is something in the slot.
    pub active: Net<D>,
    /// It is the first slot of a binding that drops what the cache holds.
    pub drops: Net<D>,
    /// A bank's tile is needed.
    pub used: Net<D>,
    /// It is the tile that the bank looked up last.
    pub repeats: Net<D>,
    /// Wait until the tags have settled: one of the slots just before looks into the same set.
    pub is_near: Net<D>,
    /// First line of each tile.
    pub line: Vec<Net<D>>,
    /// Set of each tile.
    pub set: Vec<Net<D>>,
    /// Three bytes a texel, and below it one byte a texel.
    pub kind: Net<D>,
    /// See [`sides_layout`].
    pub sides: Net<D>,
    /// See [`tap_layout`].
    pub tap: Net<D>,
}

impl<D: tmu_hdl::rust_hdl::core::prelude::Direction> TileRequest<D> {
    /// The ports of a configuration.
    pub fn new(config: &Config) -> Self {
        let banks = BANKS as usize;
        TileRequest {
            active: Net::bit(),
            drops: Net::bit(),
            used: Net::new(banks),
            repeats: Net::new(banks),
            is_near: Net::bit(),
            line: Net::array(banks, line_bits(config)),
            set: Net::array(banks, config.cache().bank_set_bits() as usize),
            kind: Net::new(KIND_BITS),
            sides: Net::new(sides_layout().width()),
            tap: Net::new(tap_layout(config).width()),
        }
    }
}
