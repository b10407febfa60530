//! What passes from `group` to `address`.

use crate::datapath::general::coordinate::LevelPlace;
use crate::datapath::general::footprint::TapItem;
use crate::datapath::general::tile::{TILE_BITS, entry_row_bits};
use crate::datapath::general::words::{RowTap, WordSelect, lanes};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::tile::BANKS;

/// Items of lanes that look up tags together: a tile for each bank of tags.
#[derive(Clone, Debug, Record)]
pub struct Group<T = Bits> {
    /// The cache drops what it holds: there are no lanes.
    pub invalidates: T,
    /// The tiles that are needed, a bit for each bank.
    pub needed: T,
    /// The column of tiles of each bank's tile.
    pub column: [T; BANKS as usize],
    /// Its row of entries.
    pub row: [T; BANKS as usize],
    /// Its slice.
    pub slice: [T; BANKS as usize],
    /// Where the level of all of them stands.
    pub level: LevelPlace<T>,
    /// Which words each lane reads.
    pub word_selects: Vec<WordSelect<T>>,
    /// What goes on to the filter.
    pub tap: RowTap<T>,
}

impl Group<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> Group<Width> {
        let TapItem { invalidates, slice, level, .. } = TapItem::of(config);
        let (tile, none) = (Width::bits(TILE_BITS), Width::bits(1).when(false));
        let row = Width::bits(entry_row_bits(config));
        Group {
            invalidates,
            needed: Width::bits(BANKS as usize),
            column: [tile; BANKS as usize],
            row: [row; BANKS as usize],
            slice: [slice; BANKS as usize],
            level: LevelPlace { is_odd: none, format: none, is_block: none, ..level },
            word_selects: vec![WordSelect::shape(); lanes(config)],
            tap: RowTap::of(config),
        }
    }
}
