//! What passes from `walk` on: a piece of a region, and what it is for.

use super::words::{AXES, PLACE_BITS};
use tmu_hdl::prelude::*;

/// Bits of a place in a line.
pub const BYTE_BITS: usize = 4;

/// A piece of a region.
#[derive(Clone, Debug, Record)]
pub struct PieceWord<T = Bits> {
    /// Its line in the ring.
    pub line: T,
    /// Its first byte there.
    pub byte: T,
    /// The last of its texels that lies in the level, of level 0.
    pub last: T,
    /// What it is for.
    pub tap: TapWord<T>,
}

/// What a piece is for.
#[derive(Clone, Debug, Record)]
pub struct TapWord<T = Bits> {
    /// Place of the texel that is made.
    pub place: [T; AXES],
    /// Which of the taps on each axis.
    pub number: [T; AXES],
    /// The first piece of a texel.
    pub is_first: T,
    /// The last one.
    pub is_last: T,
    /// The last one of the level.
    pub is_end: T,
}

/// Shape of a [`TapWord`].
pub fn tap_word() -> TapWord<Width> {
    let bit = || Width::bits(1);
    TapWord {
        place: [Width::bits(PLACE_BITS); AXES],
        number: [Width::bits(2); AXES],
        is_first: bit(),
        is_last: bit(),
        is_end: bit(),
    }
}

/// Shape of a [`PieceWord`], in a ring whose places have so many bits.
pub fn piece_word(ring_bits: usize) -> PieceWord<Width> {
    PieceWord {
        line: Width::bits(ring_bits),
        byte: Width::bits(BYTE_BITS),
        last: Width::bits(2),
        tap: tap_word(),
    }
}
