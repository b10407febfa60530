//! `quad_scheduler`: which pixels of a quad pass the prefetching cache together, as one item, by the tiles that they span.
//!
//! With one pixel a clock each valid pixel is an item, and a quad with fewer than [`LEAST_ITEMS`] has others that look nothing
//! up. With four a quad is a single item if tags and texels serve all its valid
//! pixels at once, and otherwise each of those is an item. A bank of tags gives one tile in a clock, and a bank of texels
//! one row or column of one tile, so in each axis by itself:
//!
//! - the columns that are needed lie in at most one even and one odd column of tiles;
//! - columns that share a bank of texels, which is chosen by the lowest two bits, lie in one column of tiles.
//!
//! The same holds for rows. Constant time, integers only.

use crate::cache::prefetch::tile::Tile;
use crate::datapath::address::{Level, line_of, texture_address};
use crate::datapath::coordinate::{self, AxisTaps};
use crate::datapath::fetch::TexelSource;
use crate::datapath::request::Bound;
use crate::memory::LineError;
use arrayvec::ArrayVec;
use tmu_spec::quad::PIXELS;
use tmu_spec::{Binding, Quad, tile};

/// Least items of a quad with one pixel a clock. A unit that takes a quad as one beat may pass some with one.
pub const LEAST_ITEMS: usize = 2;

/// A source of texels that is not asked for taps without weight: there an axis reads its first tap twice.
#[derive(Debug)]
pub struct WithoutWeightless<S>(pub S);

impl<S: TexelSource> TexelSource for WithoutWeightless<S> {
    fn bytes<const BYTES: usize>(&mut self, offset: u32) -> Result<[u8; BYTES], LineError> {
        self.0.bytes(offset)
    }

    fn taps_read(&self, taps: AxisTaps) -> AxisTaps {
        without_weightless(taps)
    }
}

/// The taps of an axis with the second left out where it has no weight.
const fn without_weightless(taps: AxisTaps) -> AxisTaps {
    AxisTaps { second: if taps.weight == 0 { taps.first } else { taps.second }, ..taps }
}

/// What a unit does with quads in front of its prefetching cache.
#[derive(Debug, Clone, Copy)]
pub struct Scheduler {
    /// A quad may be an item.
    pub takes_quads: bool,
    /// Taps without weight are left out.
    pub drops_weightless_taps: bool,
}

impl Scheduler {
    /// Visits the items of a quad in their order, with the tiles that each looks up, by rising bank.
    pub fn items(&self, bound: &Bound, quad: &Quad, mut visit: impl FnMut(&[Tile])) {
        let level = bound.level(quad);
        let footprints: [_; PIXELS] = std::array::from_fn(|pixel| {
            quad.is_valid(pixel).then(|| self.footprint(bound.binding(), level, quad.uv()[pixel]))
        });
        let mut item = |pixels: &[Option<Footprint>]| {
            let mut of_banks = [None; tile::BANKS as usize];
            for place in pixels.iter().flatten().flat_map(Footprint::tiles) {
                let tile = tile_at(bound.binding(), level, place);
                of_banks[tile.bank() as usize] = Some(tile);
            }
            visit(&of_banks.into_iter().flatten().collect::<ArrayVec<Tile, { tile::BANKS as usize }>>());
        };
        if !self.takes_quads {
            let valid = footprints.iter().flatten().count();
            footprints.chunks(1).filter(|pixel| pixel[0].is_some()).for_each(&mut item);
            (valid..LEAST_ITEMS).for_each(|_| item(&[]));
        } else if is_one_item(&footprints) {
            item(&footprints);
        } else {
            footprints.chunks(1).filter(|pixel| pixel[0].is_some()).for_each(item);
        }
    }

    /// The texels that a pixel needs.
    fn footprint(&self, binding: &Binding, level: &Level, uv: [i32; 2]) -> Footprint {
        let sampler = binding.sampler();
        let places = coordinate::places(uv, sampler);
        let [columns, rows] = if sampler.bilinear {
            coordinate::taps(places, level.sizes_log2(), sampler).map(|taps| {
                let taps = if self.drops_weightless_taps { without_weightless(taps) } else { taps };
                [taps.first, taps.second]
            })
        } else {
            coordinate::nearest_texels(places, level.sizes_log2()).map(|texel| [texel; 2])
        };
        Footprint { columns, rows }
    }
}

/// The tile in some column and row of a level.
fn tile_at(binding: &Binding, level: &Level, [column, row]: [u32; 2]) -> Tile {
    let format = binding.texture().format();
    let line = |[column, row]: [u32; 2]| {
        let (x, y) = (level.column(column * tile::COLUMNS), level.row(row * tile::ROWS));
        line_of(texture_address(binding.base(), level.texel_offset(x, y, format.bytes_per_texel())))
    };
    let (first_line, level_line) = (line([column, row]), line([0, 0]));
    Tile { column, row, first_line, level_line, kind: format }
}

/// Texels that a pixel needs: those of some columns in some rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footprint {
    /// Columns in the level; the same one twice where one is needed.
    pub columns: [u32; 2],
    /// Rows in the level, likewise.
    pub rows: [u32; 2],
}

impl Footprint {
    /// Columns and rows of the tiles under it, each pair once.
    pub fn tiles(&self) -> impl Iterator<Item = [u32; 2]> {
        let columns = distinct(self.columns.map(|column| column / tile::COLUMNS));
        let rows = distinct(self.rows.map(|row| row / tile::ROWS));
        rows.into_iter()
            .flatten()
            .flat_map(move |row| columns.into_iter().flatten().map(move |column| [column, row]))
    }
}

/// The second only if it differs from the first.
fn distinct([first, second]: [u32; 2]) -> [Option<u32>; 2] {
    [Some(first), Some(second).filter(|other| *other != first)]
}

/// Whether the valid pixels of a quad, those that have a footprint, pass as one item.
#[must_use]
pub fn is_one_item(footprints: &[Option<Footprint>; PIXELS]) -> bool {
    let valid = || footprints.iter().flatten();
    fits_banks::<{ tile::COLUMNS as usize }>(valid().flat_map(|pixel| pixel.columns))
        && fits_banks::<{ tile::ROWS as usize }>(valid().flat_map(|pixel| pixel.rows))
}

/// One axis: whether no bank is asked for two things. `SIDE` is that of a tile.
fn fits_banks<const SIDE: usize>(mut texels: impl Iterator<Item = u32>) -> bool {
    let (mut by_parity, mut by_bank) = ([None; 2], [None; SIDE]);
    texels.all(|texel| {
        let tile = texel / SIDE as u32;
        let of_tags = by_parity[tile as usize % 2].get_or_insert(tile);
        let of_texels = by_bank[texel as usize % SIDE].get_or_insert(tile);
        *of_tags == tile && *of_texels == tile
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A footprint of 2 x 2 texels, or of one in an axis where the two are the same.
    const fn pixel(columns: [u32; 2], rows: [u32; 2]) -> Option<Footprint> {
        Some(Footprint { columns, rows })
    }

    #[test]
    fn tiles_of_a_pixel_by_hand() {
        let tiles = |columns, rows| Footprint { columns, rows }.tiles().collect::<Vec<_>>();
        assert_eq!(tiles([3, 3], [0, 1]), [[0, 0]]);
        assert_eq!(tiles([3, 4], [0, 1]), [[0, 0], [1, 0]]);
        assert_eq!(tiles([3, 4], [11, 12]), [[0, 2], [1, 2], [0, 3], [1, 3]]);
        // Wrapped around 16 texels.
        assert_eq!(tiles([15, 0], [5, 5]), [[3, 1], [0, 1]]);
    }

    #[test]
    fn items_by_hand() {
        let four = |columns: [[u32; 2]; 4]| is_one_item(&columns.map(|columns| pixel(columns, [0, 1])));
        // 1:1 within a tile, across a boundary, and on odd columns.
        assert!(four([[0, 1], [1, 2], [0, 1], [1, 2]]));
        assert!(four([[3, 4], [4, 5], [3, 4], [4, 5]]));
        assert!(four([[6, 7], [7, 8], [6, 7], [7, 8]]));
        // Two texels a pixel: 2 to 5 are in four banks of texels, 0 to 3 in one tile.
        assert!(four([[2, 3], [4, 5], [2, 3], [4, 5]]));
        // 3 and 7 share a bank of texels, though their tiles do not share one of tags.
        assert!(!four([[3, 4], [6, 7], [3, 4], [6, 7]]));
        assert!(four([[3, 4], [6, 6], [3, 4], [6, 6]]));
        // 0 and 9 share no bank of texels, but even columns of tiles are looked up.
        assert!(!four([[0, 0], [9, 9], [0, 0], [0, 0]]));
        // A turn around the edge of 16 texels; of 4, which are one tile, all fits.
        assert!(four([[15, 0], [14, 15], [15, 0], [0, 1]]));
        assert!(four([[3, 0], [2, 3], [1, 2], [0, 1]]));
        // Rows count as columns do.
        let rows = |rows: [[u32; 2]; 4]| is_one_item(&rows.map(|rows| pixel([0, 1], rows)));
        assert!(rows([[3, 4], [3, 4], [4, 5], [4, 5]]));
        assert!(!rows([[3, 4], [3, 4], [7, 8], [7, 8]]));
        // Pixels that are not valid count for nothing.
        assert!(is_one_item(&[None, pixel([9, 10], [3, 4]), None, None]));
        assert!(is_one_item(&[None; 4]));
    }

    fn any_axis() -> impl Strategy<Value = [[u32; 2]; 4]> {
        // Near each other as in a quad, on an axis of 32 texels that wraps.
        (0..32u32, prop::array::uniform4((0..10u32, 0..2u32))).prop_map(|(first, pixels)| {
            pixels.map(|(at, more)| [(first + at) % 32, (first + at + more) % 32])
        })
    }

    proptest! {
        /// By the banks themselves: each gives one tile, one row or column.
        #[test]
        fn no_bank_is_asked_for_two_things(columns in any_axis(), rows in any_axis(), valid in 0..16u32) {
            let footprints: [_; 4] = std::array::from_fn(|at| {
                pixel(columns[at], rows[at]).filter(|_| valid >> at & 1 == 1)
            });
            let texels: Vec<_> = footprints.iter().flatten()
                .flat_map(|pixel| pixel.columns.map(|x| pixel.rows.map(|y| [x, y])))
                .flatten()
                .collect();
            let clash = texels.iter().any(|a| texels.iter().any(|b| (0..2).any(|axis| {
                let (a, b) = (a[axis], b[axis]);
                a / 4 != b / 4 && (a / 4 % 2 == b / 4 % 2 || a % 4 == b % 4)
            })));
            prop_assert_eq!(is_one_item(&footprints), !clash);
            // A single pixel always is an item.
            for one in footprints {
                prop_assert!(is_one_item(&[one, None, None, None]));
            }
        }
    }
}
