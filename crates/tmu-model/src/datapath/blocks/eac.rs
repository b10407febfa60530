//! EAC: a base value, a multiplier, and a table of eight modifiers, one for each texel.

use super::TEXELS;
use super::bc::halves;
use tmu_spec::blocks::EAC_MODIFIERS;

/// What a block says of its texels, row by row: base, multiplier, and each texel's modifier.
fn parts(block: [u8; 8]) -> (i32, i32, [i32; TEXELS]) {
    let bits = u64::from_be_bytes(block);
    let table = EAC_MODIFIERS[(bits >> 48 & 15) as usize];
    let modifier = |texel: usize| {
        // Texels go column by column, the first one on top.
        let place = 4 * (texel % 4) + texel / 4;
        table[(bits >> (45 - 3 * place) & 7) as usize]
    };
    ((bits >> 56) as i32, (bits >> 52 & 15) as i32, std::array::from_fn(modifier))
}

/// Values of a block at 8 bits: the alpha of ETC2.
pub(super) fn alpha(block: [u8; 8]) -> [u8; TEXELS] {
    let (base, multiplier, modifiers) = parts(block);
    modifiers.map(|modifier| (base + modifier * multiplier).clamp(0, 255) as u8)
}

/// R of the texels of a block with one channel, 0 to 2047.
#[must_use]
pub fn r11(block: [u8; 8]) -> [u16; TEXELS] {
    let (base, multiplier, modifiers) = parts(block);
    // A multiplier of 0 stands for an eighth.
    let scale = if multiplier == 0 { 1 } else { 8 * multiplier };
    modifiers.map(|modifier| (8 * base + 4 + modifier * scale).clamp(0, 2047) as u16)
}

/// R and G of the texels of a block with two channels, 0 to 2047 each.
#[must_use]
pub fn rg11(block: [u8; 16]) -> [[u16; 2]; TEXELS] {
    let [r, g] = halves(block).map(r11);
    std::array::from_fn(|texel| [r[texel], g[texel]])
}
