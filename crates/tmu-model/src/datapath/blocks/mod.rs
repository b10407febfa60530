//! Texels of compressed tiles: a block of 8 or 16 bytes is a tile of 4 x 4 texels.
//!
//! Every decoder gives the sixteen texels of a block row by row, in the integers that the formats' specifications give: 8 bits a
//! channel, 11 of EAC's single channels. How wide a channel is behind that, swizzle and colour space are no matter of theirs. Any
//! bytes are a block.
//!
//! | module | formats | source |
//! | --- | --- | --- |
//! | [`bc`] | BC1 to BC5 | Khronos Data Format Specification 1.3, chapters 18 and 19 |
//! | [`etc2`] | ETC2 with none, one or eight bits of alpha | the same, chapter 21 |
//! | [`eac`] | EAC with one or two channels, and the alpha of ETC2 | the same, chapter 21 |
//! | [`bc7`] | BC7 | the same, chapter 20 |

pub mod bc;
pub mod bc7;
pub mod eac;
pub mod etc2;

/// Texels of a block.
pub const TEXELS: usize = 16;

/// R, G, B, A of a texel.
pub type Rgba = [u8; 4];

/// Texels with other alpha.
fn with_alpha(texels: [Rgba; TEXELS], alpha: [u8; TEXELS]) -> [Rgba; TEXELS] {
    std::array::from_fn(|texel| {
        let [r, g, b, _] = texels[texel];
        [r, g, b, alpha[texel]]
    })
}

/// A value of so many bits at 8 bits, its upper bits repeated below.
fn replicate(value: u32, bits: u32) -> u8 {
    let shifted = value << (8 - bits);
    (shifted | shifted >> bits) as u8
}
