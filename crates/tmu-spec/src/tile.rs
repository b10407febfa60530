//! Tiles in the prefetching cache.
//!
//! The cache holds whole tiles of 4 × 4 texels. Tiles whose column and row have the same parities share a bank, so
//! that the tiles under any 2 × 2 texels, and under any 4 × 4, lie in different banks: neighbours differ in
//! parity, and where a coordinate wraps from the last tile to the first it goes from odd to even.

/// Banks: `{tile row parity, tile column parity}`.
pub const BANKS: u32 = 4;

/// Rows of a tile.
pub const ROWS: u32 = 4;

/// Texels of a row of a tile.
pub const COLUMNS: u32 = 4;

/// Most lines that a tile is read in: one with four bytes a texel takes 4, with three 3, with one 1.
pub const MOST_LINES: u32 = 4;
