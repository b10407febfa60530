//! Pixels of two bytes, and what dithers them. Wires only.

use crate::engines::pixel::tile_buffer::COLOR_BITS;
use tmu_hdl::prelude::*;
use tmu_spec::pixel::DITHER;

/// Bits of a channel.
const CHANNEL_BITS: usize = 8;
/// Bits of what dithers.
const NOISE_BITS: usize = 4;

/// What is added, by row and column of the picture.
#[kernel]
pub(super) fn dithered(row: Bits, column: Bits, dithers: Bits) -> Bits {
    let bit = |bit: usize| {
        let own = (0..16).filter(|place| DITHER[place / 4][place % 4] >> bit & 1 == 1);
        let place = cat(&[row, column]);
        let found: Vec<Bits> = own.map(|own| place == own as u64).collect();
        stack(found).any() && dithers
    };
    stack((0..NOISE_BITS).map(bit))
}

/// Red in bits 15:11, green in 10:5, blue in 4:0: each with half of what dithers, or a quarter, at most 255, and cut.
#[kernel]
pub(super) fn packed(color: Bits, noise: Bits) -> Bits {
    let channel = |number: usize, noise: Bits, bits: usize| {
        let own = color.slice(number * CHANNEL_BITS, CHANNEL_BITS).zero_extend(CHANNEL_BITS + 1);
        let sum = own + noise.zero_extend(CHANNEL_BITS + 1);
        discard(sum.low(CHANNEL_BITS - bits), "it is cut off");
        sum.slice(CHANNEL_BITS - bits, bits) | sum.high(1).repeat(bits)
    };
    let half = noise.high(NOISE_BITS - 1);
    let quarter = noise.high(NOISE_BITS - 2);
    discard(noise.low(1), "a half of it is added at most");
    discard(color.high(COLOR_BITS - 3 * CHANNEL_BITS), "alpha is not written");
    cat(&[channel(0, half, 5), channel(1, quarter, 6), channel(2, half, 5)])
}
