//! What passes between the parts of the cache.

use super::fill::TEXEL_BITS;
use crate::datapath::bundles::{Layout, line_bits};
use crate::datapath::format::{Kind, has_indices, has_packed, has_rgb, packing_bits};
use crate::datapath::general::words::{has_blocks, has_rows};
use crate::datapath::words::{bank_columns, lanes, tap_bits, word_select_bits};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::tile::{BANKS, COLUMNS};

/// Bits that number items behind the tags: so many more than the queue is long that a number that is long gone is hardly
/// ever taken for one that still waits. If it is, a fill waits for its own item, which is always safe.
pub const AGE_BITS: usize = 14;

/// Entries of the queue of items that miss.
pub const MISS_DEPTH: usize = 32;

/// Items that may be on their way behind `tag_stage` when a queue reports that it fills.
pub const MARGIN: usize = 12;

/// Bits of a place in a bank of tags: way above set.
pub fn place_bits(config: &Config) -> usize {
    (config.cache().way_bits() + config.cache().bank_set_bits()) as usize
}

/// Bits that tell apart the items in the queue and those just behind it.
pub fn sequence_bits(config: &Config) -> usize {
    config.cache().queue_depth().ilog2() as usize + 1
}

/// Bits of the count of fills: twice as many as there can be between an item at the end of the queue and one that is
/// still to come, four each.
pub fn fill_count_bits(config: &Config) -> usize {
    let most = 4 * (config.cache().queue_depth() as usize + MISS_DEPTH);
    most.next_power_of_two().ilog2() as usize + 1
}

/// Banks of texels. Lanes of the general numerics have as many each, with the same texels in all lanes.
pub fn texel_banks(config: &Config) -> usize {
    let copies = if has_rows(config) { lanes(config) } else { 1 };
    copies * bank_columns(config) * bank_columns(config)
}

/// Bits of a word of a bank of texels: the texel that a tile has there, or the two that a row of a tile has there, those
/// with bit 1 of the column low and high.
pub fn word_bits(config: &Config) -> usize {
    TEXEL_BITS * COLUMNS as usize / bank_columns(config)
}

/// Bits of a word's address in a bank of texels: parities of the tile's column and row, place of the tile; where a tile has
/// two words there, upper bit of the row.
pub fn word_address_bits(config: &Config) -> usize {
    place_bits(config) + 2 + usize::from(bank_columns(config) == 2)
}

/// An item that misses: which banks, and for each the tile's first line, its place and the last item that looked into its
/// set; the item's own number.
pub fn miss_layout(config: &Config) -> Layout {
    let (line, place) = (line_bits(config), place_bits(config));
    Layout::new(&[
        ("misses", BANKS as usize, true),
        ("is_rgb", 1, has_rgb(config)),
        ("is_indexed", 1, has_indices(config)),
        ("packing", packing_bits(config), has_packed(config)),
        ("is_block", 1, has_blocks(config)),
        ("sequence", sequence_bits(config), true),
        ("line0", line, true),
        ("line1", line, true),
        ("line2", line, true),
        ("line3", line, true),
        ("place0", place, true),
        ("place1", place, true),
        ("place2", place, true),
        ("place3", place, true),
        ("last_reader0", AGE_BITS, true),
        ("last_reader1", AGE_BITS, true),
        ("last_reader2", AGE_BITS, true),
        ("last_reader3", AGE_BITS, true),
    ])
}

/// What the texels are of a word with the kind's fields: [`miss_layout`], [`fill_layout`].
pub fn kind_in(layout: &Layout, word: Bits) -> Kind {
    let field = |name: &str| layout.get(word, name);
    let [is_rgb, is_indexed, is_block] = ["is_rgb", "is_indexed", "is_block"].map(field);
    Kind { is_rgb, is_indexed, packing: field("packing"), is_block }
}

/// Names of a bank's fields of [`miss_layout`].
pub const LINES: [&str; 4] = ["line0", "line1", "line2", "line3"];
/// As [`LINES`].
pub const PLACES: [&str; 4] = ["place0", "place1", "place2", "place3"];
/// As [`LINES`].
pub const LAST_READERS: [&str; 4] = ["last_reader0", "last_reader1", "last_reader2", "last_reader3"];

/// A tile on its way from memory. What tells when it may be written stands on top.
pub fn fill_layout(config: &Config) -> Layout {
    Layout::new(&[
        ("bank", 2, true),
        ("is_rgb", 1, has_rgb(config)),
        ("is_indexed", 1, has_indices(config)),
        ("packing", packing_bits(config), has_packed(config)),
        ("is_block", 1, has_blocks(config)),
        ("place", place_bits(config), true),
        ("line", line_bits(config), true),
        ("sequence", sequence_bits(config), true),
        ("last_reader", AGE_BITS, true),
    ])
}

/// An item that waits for its texels: the words to read, one for each bank of texels, and how many fills must have been
/// done before. Of a row of lanes the words follow from the places of its four tiles.
pub fn queue_layout(config: &Config) -> Layout {
    let has_rows = has_rows(config);
    Layout::new(&[
        ("fills", fill_count_bits(config), true),
        ("words", texel_banks(config) * word_address_bits(config), !has_rows),
        ("places", BANKS as usize * place_bits(config), has_rows),
        ("word_selects", word_select_bits(config), has_rows),
        ("tap", tap_bits(config), true),
    ])
}

/// The item whose turn it is: as in the queue, with its words.
pub fn head_layout(config: &Config) -> Layout {
    Layout::new(&[
        ("fills", fill_count_bits(config), true),
        ("words", texel_banks(config) * word_address_bits(config), true),
        ("tap", tap_bits(config), true),
    ])
}
