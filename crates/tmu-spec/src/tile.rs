//! Tiles in the prefetching cache.
//!
//! The cache holds whole tiles of 4 × 4 texels. Tiles whose column and row have the same parities share a bank, so
//! that the tiles under any 2 × 2 texels, and under any 4 × 4, lie in different banks: neighbours differ in
//! parity, and where a coordinate wraps from the last tile to the first it goes from odd to even.
//!
//! The set of a tile within its bank is three numbers against each other, bit by bit:
//!
//! - its column's bits above the parity, as many as a set has;
//! - as many of its row's, in reverse: a walk along a row or a column visits all sets, and so does a square of tiles;
//! - the number of the first line of its level, cut from bit 0 up into pieces of [`SET_FOLD_BITS`] that go against each
//!   other: small levels of a texture share few sets, nor do the same places of several textures.
//!
//! A colour table is a level of its own.

/// Banks: `{tile row parity, tile column parity}`.
pub const BANKS: u32 = 4;

/// Rows of a tile.
pub const ROWS: u32 = 4;

/// Texels of a row of a tile.
pub const COLUMNS: u32 = 4;

/// Most lines that a tile is read in: one with four bytes a texel takes 4, with three 3, with one 1.
pub const MOST_LINES: u32 = 4;

/// Bits of the pieces into which the number of the first line of a level is cut, see above. Levels of a square texture begin
/// at sums of every second power of two, so that an even number would leave most of them alike.
pub const SET_FOLD_BITS: u32 = 5;
