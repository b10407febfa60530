//! BC1 to BC5, also known as S3TC and RGTC. End points and what lies between them have 8 bits; divisions truncate.

use super::{Rgba, TEXELS, replicate, with_alpha};

/// Transparent black.
const NOTHING: Rgba = [0; 4];

/// How a block's two colours make four.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Colors {
    /// Two between, or one between and transparent black where the first is not the larger.
    FourOrThree,
    /// Two between.
    Four,
}

/// The colours of the eight bytes that BC1, BC2 and BC3 have in common; alpha is 255 but of transparent black.
fn colors(bytes: [u8; 8], colors: Colors) -> [Rgba; TEXELS] {
    let [a, b, c, d, e, f, g, h] = bytes;
    let ends = [u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])];
    let [first, second] = ends.map(rgb565);
    let mix = |of_first: u32, of_second: u32| {
        let channel = |number: usize| {
            let sum = of_first * u32::from(first[number]) + of_second * u32::from(second[number]);
            (sum / (of_first + of_second)) as u8
        };
        [channel(0), channel(1), channel(2), 255]
    };
    let table = if colors == Colors::Four || ends[0] > ends[1] {
        [first, second, mix(2, 1), mix(1, 2)]
    } else {
        [first, second, mix(1, 1), NOTHING]
    };
    let indices = u32::from_le_bytes([e, f, g, h]);
    std::array::from_fn(|texel| table[(indices >> (2 * texel) & 3) as usize])
}

/// R in bits 15:11, G in 10:5, B in 4:0.
fn rgb565(color: u16) -> Rgba {
    let color = u32::from(color);
    [replicate(color >> 11, 5), replicate(color >> 5 & 63, 6), replicate(color & 31, 5), 255]
}

/// The values of the eight bytes that BC3's alpha, BC4 and BC5 have in common.
fn values(bytes: [u8; 8]) -> [u8; TEXELS] {
    let [first, second, ..] = bytes;
    let (a, b) = (u32::from(first), u32::from(second));
    let value = |index: u32| match index {
        0 => a,
        1 => b,
        _ if first > second => ((8 - index) * a + (index - 1) * b) / 7,
        6 => 0,
        7 => 255,
        _ => ((6 - index) * a + (index - 1) * b) / 5,
    };
    let indices = u64::from_le_bytes(bytes) >> 16;
    std::array::from_fn(|texel| value((indices >> (3 * texel) & 7) as u32) as u8)
}

/// The halves of a block of 16 bytes.
pub(super) fn halves(block: [u8; 16]) -> [[u8; 8]; 2] {
    [std::array::from_fn(|byte| block[byte]), std::array::from_fn(|byte| block[byte + 8])]
}

/// Texels of a BC1 block: alpha is 255, or all is 0.
#[must_use]
pub fn bc1(block: [u8; 8]) -> [Rgba; TEXELS] {
    colors(block, Colors::FourOrThree)
}

/// Texels of a BC2 block: four bits of alpha each.
#[must_use]
pub fn bc2(block: [u8; 16]) -> [Rgba; TEXELS] {
    let [alpha, color] = halves(block);
    let bits = u64::from_le_bytes(alpha);
    let alpha = std::array::from_fn(|texel| replicate((bits >> (4 * texel) & 15) as u32, 4));
    with_alpha(colors(color, Colors::Four), alpha)
}

/// Texels of a BC3 block: alpha as a BC4 block's value.
#[must_use]
pub fn bc3(block: [u8; 16]) -> [Rgba; TEXELS] {
    let [alpha, color] = halves(block);
    with_alpha(colors(color, Colors::Four), values(alpha))
}

/// R of the texels of a BC4 block.
#[must_use]
pub fn bc4(block: [u8; 8]) -> [u8; TEXELS] {
    values(block)
}

/// R and G of the texels of a BC5 block.
#[must_use]
pub fn bc5(block: [u8; 16]) -> [[u8; 2]; TEXELS] {
    let [r, g] = halves(block).map(values);
    std::array::from_fn(|texel| [r[texel], g[texel]])
}
