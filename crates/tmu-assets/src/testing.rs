//! Pictures for tests that need content but not a photograph.

use crate::picture::Picture;

/// A picture of noise that depends on the seed alone (SplitMix64 over the texel index).
pub(crate) fn hashed_picture(width: usize, height: usize, seed: u64) -> Picture {
    let texels =
        (0..(width * height) as u64).map(|index| (mix(seed ^ mix(index)) as u32).to_le_bytes()).collect();
    Picture::from_texels(width, height, texels)
}

/// The output function of SplitMix64.
pub(crate) fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
