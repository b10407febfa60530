//! What passes between the stages of the streaming unit.
//!
//! Everything from `request` to the tags moves in items, one a clock, all in step, in request order. A binding takes one
//! item. With one pixel a clock a quad takes an item for each valid pixel, but see [`least_items`]; a row of four entries of a
//! colour table takes four. With four pixels a clock a quad takes one item, up to `quad_scheduler`, where one that spans too
//! many tiles is dealt out pixel by pixel; so does each entry of a colour table.

use crate::cache::prefetch::tag_stage::{REMEMBERED, UNSETTLED_STEPS};
use crate::datapath::bundles::{Layout, line_bits, texel_bits};
use crate::datapath::format::{Kind, has_packed, packing_bits};
use crate::datapath::general::words::{RowTap, WordSelect, has_blocks, has_rows};
use tmu_hdl::prelude::*;
use tmu_spec::tile::BANKS;
use tmu_spec::{BeatsPerQuad, Config, fixed};

/// Bits of a tile's kind, which tells tiles of different formats apart: three bytes a texel, and below it one byte a texel;
/// above how colours are packed, where any are; on top whether tiles are compressed, where any are.
pub fn kind_bits(config: &Config) -> usize {
    2 + if has_packed(config) { packing_bits(config) } else { 0 } + usize::from(has_blocks(config))
}

/// A tile's kind as a word, see [`kind_bits`].
#[kernel]
pub fn kind_word(config: &Config, kind: &Kind) -> Bits {
    let word = cat(&[kind.is_rgb, kind.is_indexed]);
    let word = if has_packed(config) { cat(&[kind.packing, word]) } else { word };
    if has_blocks(config) { cat(&[kind.is_block, word]) } else { word }
}

/// What [`kind_word`] was made of.
pub fn kind_of_word(config: &Config, word: Bits) -> Kind {
    let packing = if has_packed(config) { word.slice(2, packing_bits(config)) } else { lit(1, 0u32) };
    let is_block = if has_blocks(config) { word.high(1) } else { lit(1, 0u32) };
    Kind { is_rgb: word.bit(1), is_indexed: word.bit(0), packing, is_block }
}

/// Bits that are compared in a clock, by one LUT.
pub const PART_BITS: usize = 3;

/// Pixels of a quad.
pub const LANES_OF_QUAD: usize = 4;

/// Pixels in an item.
pub fn lanes(config: &Config) -> usize {
    config.datapath().pixels_per_clock() as usize
}

/// Whether a unit has more registers than elsewhere, since the LUTs of its device have four inputs and wires are slow. A unit of
/// the general numerics has none of them yet.
pub fn has_short_paths(config: &Config) -> bool {
    config.family().wants_short_paths() && config.features().general().is_none()
}

/// Most items of a quad up to `quad_scheduler`, and items of a row of four entries of a colour table.
pub const fn items_of_quad(lanes: usize) -> usize {
    LANES_OF_QUAD / lanes
}

/// Places of the result FIFO for which a quad may take a single item, see
/// [`result_margin`](crate::sampler::quad::result_margin).
const RESULTS_FOR_ONE_ITEM: u32 = 32;

/// Least items of a quad with so many valid pixels. Those that no valid pixel takes bring one that is not valid.
///
/// Two where the quad's beats take two clocks to come, and where `lod` takes an edge of the quad an item; a quad without valid
/// pixels needs no level.
pub fn least_items(config: &Config, valid_pixels: usize) -> usize {
    let comes_at_once = config.request().beats_per_quad() == BeatsPerQuad::One;
    let has_places = config.result().fifo_depth() >= RESULTS_FOR_ONE_ITEM;
    let needs_level = valid_pixels > 0 && config.features().mipmaps();
    if lanes(config) > 1 || (comes_at_once && has_places && !needs_level) { 1 } else { 2 }
}

/// Bits of a quad's coordinates.
pub const QUAD_BITS: usize = 256;

/// An item in front of the cache: `is_binding` and `is_table` say what is in it, otherwise pixels. Where it has one pixel
/// `pixel` is its number, and `is_last` marks the last item of a quad, of a row of entries, and a binding. `is_valid`: the
/// pixel is valid; of a binding, that it broke no rule. `pixels`: u below v.
///
/// A binding's bits stand in the pixel that comes with the beat's lowest bits, see [`binding_pixel`].
pub fn item_layout(config: &Config) -> Layout {
    let lanes = lanes(config);
    Layout::new(&[
        ("is_binding", 1, true),
        ("is_table", 1, config.features().has_color_table()),
        ("pixel", 2, lanes == 1),
        ("is_last", 1, lanes == 1),
        ("is_valid", lanes, true),
        ("pixels", lanes * PIXEL_BITS, true),
    ])
}

/// Bits of a pixel's coordinates.
pub const PIXEL_BITS: usize = QUAD_BITS / LANES_OF_QUAD;

/// Number of the pixel in whose place a binding's bits stand: the first one of a quad's last beat.
pub fn binding_pixel(config: &Config) -> usize {
    match config.request().beats_per_quad() {
        BeatsPerQuad::Two => 2,
        BeatsPerQuad::One => 0,
    }
}

/// What `address` needs of a binding.
#[derive(Clone, Debug, Record)]
pub struct BindingPlace<T = Bits> {
    /// First line of the levels, or of the colour table.
    pub line: T,
    /// What the texels are.
    pub kind: Kind<T>,
    /// The cache drops what it holds.
    pub invalidates: T,
}

impl BindingPlace<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> BindingPlace<Width> {
        BindingPlace {
            line: Width::bits(line_bits(config)),
            kind: Kind::of(config),
            invalidates: Width::bits(1),
        }
    }
}

/// What `coordinate` hands to `quad_scheduler`: the texels around the item's pixels, see [`taps_layout`]. `place`: of a
/// binding, its bits for `address`; `is_failed`: the pixels' binding broke a rule. The taps stand on top, since the rest goes
/// on as it is.
pub fn footprint_layout(config: &Config) -> Layout {
    let lanes = lanes(config);
    Layout::new(&[
        ("is_binding", 1, true),
        ("is_table", 1, config.features().has_color_table()),
        ("pixel", 2, lanes == 1),
        ("is_last", 1, lanes == 1),
        ("is_valid", lanes, true),
        ("is_failed", 1, true),
        ("level_lines", LEVEL_LINE_BITS, true),
        ("tiles_log2", 4, true),
        ("place", BindingPlace::of(config).width(), true),
        ("taps", lanes * taps_layout(config).width(), true),
    ])
}

/// The texels around a pixel, and the weights of the second ones.
pub fn taps_layout(config: &Config) -> Layout {
    let texel_bits = texel_bits(config);
    let bilinear = config.features().bilinear();
    let weight_bits = fixed::WEIGHT.bits() as usize;
    Layout::new(&[
        ("x0", texel_bits, true),
        ("x1", texel_bits, bilinear),
        ("y0", texel_bits, true),
        ("y1", texel_bits, bilinear),
        ("weight_x", weight_bits, bilinear),
        ("weight_y", weight_bits, bilinear),
    ])
}

/// Bits of a tile's column or row.
pub const COLUMN_BITS: usize = 9;

/// Bits of the number of lines of a tile, at most four.
pub const TILE_LINE_BITS: usize = 3;

/// Bits of the lines in front of a level.
pub const LEVEL_LINE_BITS: usize = tmu_spec::level_offset::ENTRY_BITS as usize + 2;

/// What `quad_scheduler` hands to `address`: the columns and rows of the tiles under an item, by parity.
#[derive(Clone, Debug, Record)]
pub struct ScheduledTiles<T = Bits> {
    /// It is a binding.
    pub is_binding: T,
    /// Columns of tiles, the even one first.
    pub column: [T; 2],
    /// Rows of tiles, the even one first.
    pub row: [T; 2],
    /// The tiles that are needed, a bit for each bank.
    pub needed: T,
    /// Lines in front of the level.
    pub level_lines: T,
    /// log2 of the tiles in a row.
    pub tiles_log2: T,
    /// See [`BindingPlace`].
    pub place: T,
    /// See [`word_select_layout`].
    pub word_selects: T,
    /// All of [`tap_layout`] but its topmost bit.
    pub tap: T,
}

impl ScheduledTiles<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> ScheduledTiles<Width> {
        let tap_bits = tap_layout(config).width() - usize::from(config.features().has_color_table());
        ScheduledTiles {
            is_binding: Width::bits(1),
            column: [Width::bits(COLUMN_BITS); 2],
            row: [Width::bits(COLUMN_BITS); 2],
            needed: Width::bits(BANKS as usize),
            level_lines: Width::bits(LEVEL_LINE_BITS),
            tiles_log2: Width::bits(4),
            place: Width::bits(BindingPlace::of(config).width()),
            word_selects: Width::bits(word_select_layout(config).width()),
            tap: Width::bits(tap_bits),
        }
    }
}

/// Banks of texels side by side, and as many on top of one another: one for each parity of columns where an item has one
/// pixel, one for each column of a tile where it has four. Lanes of the general numerics have banks of their own, and so two.
pub fn bank_columns(config: &Config) -> usize {
    if lanes(config) == 1 || has_rows(config) { 2 } else { 4 }
}

/// What travels from the footprint to the filter. `is_last` marks a quad's last item, `pixel` or `pixel_mask` the pixels that
/// the item brings. `lanes`: see [`lane_layout`]. `is_indexed` stands on top, since it is `address` that knows it.
pub fn tap_layout(config: &Config) -> Layout {
    let lanes = lanes(config);
    let indexed = config.features().has_color_table();
    Layout::new(&[
        ("is_table", 1, indexed),
        ("pixel", 2, lanes == 1),
        ("is_last", 1, true),
        ("pixel_mask", lanes, lanes > 1),
        ("is_valid", lanes, true),
        ("is_failed", 1, true),
        ("lanes", lanes * lane_layout(config).width(), true),
        ("is_indexed", 1, indexed),
    ])
}

/// The taps of a pixel. Its columns and rows stand by their parity, the even one in bit 0 of a field: `column_bit1` and
/// `row_bit1` are bit 1 of their numbers. The weights are those of the odd ones, which may take all, see
/// [`odd_weight_bits`].
pub fn lane_layout(config: &Config) -> Layout {
    let weight_bits = odd_weight_bits(config);
    Layout::new(&[
        ("column_bit1", 2, true),
        ("row_bit1", 2, config.features().has_color_table() || lanes(config) > 1),
        ("odd_weight_x", weight_bits, true),
        ("odd_weight_y", weight_bits, true),
    ])
}

/// Bits of the weight of an odd column or row, 0 to 256. Without bilinear filtering only the highest is left: the one
/// texel is odd.
pub fn odd_weight_bits(config: &Config) -> usize {
    if config.features().bilinear() { fixed::WEIGHT.bits() as usize + 1 } else { 1 }
}

/// Where the texels of an item lie in their tiles, as far as their words' addresses need it: for each column and each row of
/// banks bit 2 of the texels' columns or rows, which is the parity of their tile; for each parity of rows bit 1.
pub fn word_select_layout(config: &Config) -> Layout {
    let bank_columns = bank_columns(config);
    Layout::new(&[
        ("column_bit2", bank_columns, true),
        ("row_bit2", bank_columns, true),
        ("row_bit1", 2, lanes(config) == 1),
    ])
}

/// Bits of what tells which words an item reads: [`word_select_layout`], in a unit of the general numerics a [`WordSelect`] a lane,
/// that of the first one lowest.
pub fn word_select_bits(config: &Config) -> usize {
    match config.features().general() {
        Some(_) => lanes(config) * WordSelect::shape().width(),
        None => word_select_layout(config).width(),
    }
}

/// Bits of what an item takes along to the filter: [`tap_layout`], in a unit of the general numerics [`RowTap`].
pub fn tap_bits(config: &Config) -> usize {
    match config.features().general() {
        Some(_) => RowTap::of(config).width(),
        None => tap_layout(config).width(),
    }
}

/// The tiles under an item, one for each bank, as `address` hands them to the tags. A fully associative cache has no sets, and finds
/// out by itself which tiles were looked up just before.
#[derive(Clone, Debug, Record)]
pub struct TileRequest<T = Bits> {
    /// There is something in the item.
    pub valid: T,
    /// It is a binding that drops what the cache holds.
    pub invalidates: T,
    /// A bank's tile is needed.
    pub needed: T,
    /// It is the tile that the bank looked up last; where a bank remembers several, one of these.
    pub same_tile: T,
    /// Where a bank remembers several tiles, those that are this one, the last one lowest. Where none is, the one that stays where it
    /// is though it lies in the set that is looked into.
    pub remembered: Vec<T>,
    /// Wait while a bit is set, of several lanes the only one: one of the items just before looks into the same set, and its tags
    /// have not settled.
    pub waits: T,
    /// First line of each tile.
    pub line: Vec<T>,
    /// Set of each tile.
    pub set: Vec<T>,
    /// See [`kind_word`].
    pub kind: T,
    /// See [`word_select_bits`].
    pub word_selects: T,
    /// See [`tap_bits`].
    pub tap: T,
}

impl TileRequest<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> TileRequest<Width> {
        let (banks, has_sets) = (BANKS as usize, !config.cache().is_associative());
        let set_bits = config.cache().bank_set_bits() as usize;
        TileRequest {
            valid: Width::bits(1),
            invalidates: Width::bits(1),
            needed: Width::bits(banks),
            same_tile: Width::bits(banks).when(has_sets),
            remembered: vec![Width::bits(REMEMBERED).when(keeps_others(config)); banks],
            waits: Width::bits(if has_rows(config) { 1 } else { UNSETTLED_STEPS }).when(has_sets),
            line: vec![Width::bits(line_bits(config)); banks],
            set: vec![Width::bits(set_bits.max(1)).when(has_sets); banks],
            kind: Width::bits(kind_bits(config)),
            word_selects: Width::bits(word_select_bits(config)),
            tap: Width::bits(tap_bits(config)),
        }
    }
}

/// Whether a bank remembers several tiles, and has ways to keep one when another takes its place in the set.
pub fn keeps_others(config: &Config) -> bool {
    has_rows(config) && config.cache().ways() > 1 && !config.cache().is_associative()
}

/// One of four values, numbered `{row, column}`.
#[kernel]
pub(crate) fn by_parity(column: Bits, row: Bits, values: &[Bits]) -> Bits {
    let even = if column { values[1] } else { values[0] };
    let odd = if column { values[3] } else { values[2] };
    if row { odd } else { even }
}
