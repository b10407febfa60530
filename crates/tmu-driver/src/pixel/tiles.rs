//! Which tiles a triangle touches, and the lists of tiles.
//!
//! A list is a chain of blocks of [`BLOCK`] entries, whose last one jumps to the next block, one chain for each part of each tile.

use super::error::Error;
use super::record::Arena;
use super::set_up::area;

/// Entries of a block.
const BLOCK: u32 = 16;
const ENTRY_BYTES: u32 = 4;
const JUMP: u32 = 4;
const PARTS: usize = 3;

/// The pixels of a tile. Values are codes of the frame's record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum TileSize {
    /// 16 × 16.
    Square16 = 0,
    /// 32 × 32.
    #[default]
    Square32 = 1,
    /// 64 × 64.
    Square64 = 2,
    /// 32 × 4.
    Row32 = 3,
}

impl TileSize {
    /// Columns and rows.
    #[must_use]
    pub const fn pixels(self) -> [u32; 2] {
        [[16, 16], [32, 32], [64, 64], [32, 4]][self as usize]
    }

    /// Tiles of a row and rows of tiles of a frame.
    #[must_use]
    pub const fn tiles(self, width: u32, height: u32) -> [u32; 2] {
        let [columns, rows] = self.pixels();
        [width.div_ceil(columns), height.div_ceil(rows)]
    }
}

/// A part of a list. Values are kinds of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Part {
    /// Hides what lies behind.
    Opaque = 1,
    /// With an alpha test, texkill or texdepth.
    PunchThrough = 2,
    /// Blended with what is there.
    Translucent = 3,
}

/// A chain of blocks: its first entry, the next that is free, and how many are free in its last block; all 0 while there is none.
#[derive(Debug, Clone, Copy)]
struct Chain {
    first: u32,
    next: u32,
    free: u32,
}

/// The lists of a tile while a frame is made.
#[derive(Debug, Clone, Copy)]
pub struct Lists {
    parts: [Chain; PARTS],
    entries: u32,
}

impl Lists {
    /// Those of a tile without triangles.
    pub const EMPTY: Lists = Lists { parts: [Chain { first: 0, next: 0, free: 0 }; PARTS], entries: 0 };

    /// Adds a triangle by its address.
    pub(super) fn add(&mut self, arena: &mut Arena<'_>, part: Part, triangle: u32) -> Result<(), Error> {
        let chain = &mut self.parts[part as usize - 1];
        // The last entry of a block is kept for the jump to the next one.
        if chain.free <= 1 {
            let block = arena.take((BLOCK * ENTRY_BYTES) as usize)?;
            if chain.first == 0 {
                chain.first = block;
            } else {
                arena.set(chain.next, block | JUMP);
                self.entries += 1;
            }
            (chain.next, chain.free) = (block, BLOCK);
        }
        arena.set(chain.next, triangle | part as u32);
        chain.next += ENTRY_BYTES;
        chain.free -= 1;
        self.entries += 1;
        Ok(())
    }

    /// Joins the parts; gives the entry of the table of tiles and the entries of the list.
    pub(super) fn finish(&self, arena: &mut Arena<'_>) -> (u32, u32) {
        let mut start = 0;
        let mut end = None;
        let mut entries = self.entries;
        for chain in self.parts.iter().filter(|chain| chain.first != 0) {
            match end {
                // The entry behind the last triangle is free, and 0, an end.
                Some(end) => arena.set(end, chain.first | JUMP),
                None => start = chain.first | JUMP,
            }
            end = Some(chain.next);
            entries += 1;
        }
        (start, entries)
    }
}

/// Gives the tiles of a frame that a triangle may touch, row by row: those of its bounds no edge of it has outside.
pub(super) fn touched(
    places: &[[i32; 2]; 3],
    tile: TileSize,
    [width, height]: [u32; 2],
    mut found: impl FnMut(u32) -> Result<(), Error>,
) -> Result<(), Error> {
    let pixels = tile.pixels();
    let across = tile.tiles(width, height);
    let bounds = |axis: usize| {
        let [a, b, c] = places.map(|place| place[axis]);
        let size = 16 * pixels[axis] as i32;
        let tiles = |place: i32| place.div_euclid(size).clamp(-1, across[axis] as i32);
        (
            tiles(a.min(b).min(c)).max(0) as u32,
            (tiles(a.max(b).max(c)) + 1).clamp(0, across[axis] as i32) as u32,
        )
    };
    let ((left, right), (top, bottom)) = (bounds(0), bounds(1));
    for row in top..bottom {
        for column in left..right {
            if !is_outside(places, [column, row], pixels) {
                found(row * across[0] + column)?;
            }
        }
    }
    Ok(())
}

/// Whether all centres of pixels of a tile lie outside an edge of a triangle.
fn is_outside(places: &[[i32; 2]; 3], tile: [u32; 2], pixels: [u32; 2]) -> bool {
    let sign = if area(places) < 0 { -1 } else { 1 };
    let [columns, rows] = [0, 1].map(|axis: usize| {
        let first = i64::from(16 * tile[axis] * pixels[axis] + 8);
        [first, first + i64::from(16 * (pixels[axis] - 1))]
    });
    (0..3).any(|number: usize| {
        let [x0, y0] = places[number].map(i64::from);
        let [x1, y1] = places[(number + 1) % 3].map(i64::from);
        let inside = |x: i64, y: i64| sign * ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) >= 0;
        !columns.iter().any(|x| rows.iter().any(|y| inside(*x, *y)))
    })
}
