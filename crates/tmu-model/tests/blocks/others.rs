//! The model's decoders and the independent ones, in one form.
//!
//! | format | by | why |
//! | --- | --- | --- |
//! | BC1 to BC5 | [`written`](crate::written) | the rounding of docs/reference/general.md |
//! | | `texture2ddecoder` | rounds as the page does; BC2 and BC3 are adapted, see [`four_colors`] |
//! | BC7 | `bcdec_rs` | port of the best-known small decoder, with tables of its own |
//! | | `texture2ddecoder` | comes from another one |
//! | ETC2 | `texture2ddecoder` | the only kept decoder in Rust; colours of transparent texels are taken off, which it leaves |
//! | its alpha | and `written` | so that the tables there are checked |
//! | EAC | `written` | `texture2ddecoder` 0.1.2 has 8 bits only and reads the indices from the wrong end |
//!
//! `bcdec_rs` 0.2 is not asked for BC1 to BC5: it rounds what lies between to the nearest, from end points that are not cut to 8 bits.
//! So does `image_dds`, which calls it. `texpresso` reads BC1 to BC5 and belongs to `tmu-assets`, whose tests compare it with the model.

use crate::written;
pub(crate) use tmu_model::datapath::blocks::TEXELS;
use tmu_model::datapath::blocks::{Rgba, bc, bc7, eac, etc2};
use tmu_spec::Format;

/// R, G, B, A of the texels of a block, row by row, in the bits of the format: 8, or 11 of EAC. Channels that it lacks are 0.
pub(crate) type Texels = [[u16; 4]; TEXELS];

/// From a block to its texels.
pub(crate) type Decode = fn(&[u8]) -> Texels;

/// An independent decoder.
pub(crate) struct Other {
    /// Who has made it.
    pub(crate) name: &'static str,
    pub(crate) decode: Decode,
}

/// As many bytes as a decoder takes.
fn array<const BYTES: usize>(block: &[u8]) -> [u8; BYTES] {
    block.try_into().expect("the block is one of the format")
}

fn rgba(texels: [Rgba; TEXELS]) -> Texels {
    texels.map(|texel| texel.map(u16::from))
}

/// The model's decoder of a format.
pub(crate) fn model(format: Format) -> Decode {
    match format {
        Format::Bc1 => |block| rgba(bc::bc1(array(block))),
        Format::Bc2 => |block| rgba(bc::bc2(array(block))),
        Format::Bc3 => |block| rgba(bc::bc3(array(block))),
        Format::Bc4 => |block| bc::bc4(array(block)).map(|r| [r.into(), 0, 0, 0]),
        Format::Bc5 => |block| bc::bc5(array(block)).map(|[r, g]| [r.into(), g.into(), 0, 0]),
        Format::Bc7 => |block| rgba(bc7::bc7(array(block))),
        Format::Etc2Rgb8 => |block| rgba(etc2::rgb8(array(block))),
        Format::Etc2Rgb8a1 => |block| rgba(etc2::rgb8a1(array(block))),
        Format::Etc2Rgba8 => |block| rgba(etc2::rgba8(array(block))),
        Format::EacR11 => |block| eac::r11(array(block)).map(|r| [r, 0, 0, 0]),
        Format::EacRg11 => |block| eac::rg11(array(block)).map(|[r, g]| [r, g, 0, 0]),
        _ => panic!("{format} has no blocks"),
    }
}

const fn by_page(decode: Decode) -> Other {
    Other { name: "the page", decode }
}

const fn by_texture2d(decode: Decode) -> Other {
    Other { name: "texture2ddecoder", decode }
}

/// The independent decoders of a format.
pub(crate) fn others(format: Format) -> &'static [Other] {
    match format {
        Format::Bc1 => &const { [by_page(written::bc1), by_texture2d(texture2d_bc1)] },
        Format::Bc2 => &const { [by_page(written::bc2), by_texture2d(texture2d_bc2)] },
        Format::Bc3 => &const { [by_page(written::bc3), by_texture2d(texture2d_bc3)] },
        Format::Bc4 => &const { [by_page(written::bc4), by_texture2d(texture2d_bc4)] },
        Format::Bc5 => &const { [by_page(written::bc5), by_texture2d(texture2d_bc5)] },
        Format::Bc7 => {
            &const { [Other { name: "bcdec_rs", decode: bcdec_bc7 }, by_texture2d(texture2d_bc7)] }
        }
        Format::Etc2Rgb8 => &const { [by_texture2d(texture2d_rgb8)] },
        Format::Etc2Rgb8a1 => &const { [by_texture2d(texture2d_rgb8a1)] },
        Format::Etc2Rgba8 => {
            &const { [by_texture2d(texture2d_rgba8), by_page(texture2d_rgb8_and_written_alpha)] }
        }
        Format::EacR11 => &const { [by_page(written::eac_r11)] },
        Format::EacRg11 => &const { [by_page(written::eac_rg11)] },
        _ => panic!("{format} has no blocks"),
    }
}

fn bcdec_bc7(block: &[u8]) -> Texels {
    let mut bytes = [0; 4 * TEXELS];
    bcdec_rs::bc7(block, &mut bytes, 16);
    std::array::from_fn(|texel| std::array::from_fn(|channel| bytes[4 * texel + channel].into()))
}

/// What `texture2ddecoder` makes of a block: B, G, R, A at rising bytes, all but alpha 0 before.
fn texture2d(decode: fn(&[u8], &mut [u32]), block: &[u8]) -> Texels {
    let mut texels = [0xff00_0000; TEXELS];
    decode(block, &mut texels);
    texels.map(|texel| {
        let [b, g, r, a] = texel.to_le_bytes();
        [r, g, b, a].map(u16::from)
    })
}

fn texture2d_bc1(block: &[u8]) -> Texels {
    texture2d(texture2ddecoder::decode_bc1a_block, block)
}

/// A block of BC2 or BC3 whose colours BC1 takes for four as well, as `texture2ddecoder` does in all of them: where the first is not the
/// larger, both change places, and so do 0 and 1, 2 and 3 of the indices; where they are equal, all indices are 0.
fn four_colors(block: &[u8]) -> [u8; 16] {
    let mut block: [u8; 16] = array(block);
    let [first, second] = [8, 10].map(|at| u16::from_le_bytes([block[at], block[at + 1]]));
    if first < second {
        block[8..12].rotate_left(2);
        block[12..].iter_mut().for_each(|indices| *indices ^= 0b0101_0101);
    } else if first == second {
        block[12..].fill(0);
    }
    block
}

fn texture2d_bc2(block: &[u8]) -> Texels {
    texture2d(texture2ddecoder::decode_bc2_block, &four_colors(block))
}

fn texture2d_bc3(block: &[u8]) -> Texels {
    texture2d(texture2ddecoder::decode_bc3_block, &four_colors(block))
}

fn texture2d_bc4(block: &[u8]) -> Texels {
    texture2d(texture2ddecoder::decode_bc4_block, block).map(|[r, ..]| [r, 0, 0, 0])
}

fn texture2d_bc5(block: &[u8]) -> Texels {
    texture2d(texture2ddecoder::decode_bc5_block, block).map(|[r, g, ..]| [r, g, 0, 0])
}

fn texture2d_bc7(block: &[u8]) -> Texels {
    texture2d(texture2ddecoder::decode_bc7_block, block)
}

fn texture2d_rgb8(block: &[u8]) -> Texels {
    texture2d(texture2ddecoder::decode_etc2_rgb_block, block)
}

fn texture2d_rgb8a1(block: &[u8]) -> Texels {
    let texels = texture2d(texture2ddecoder::decode_etc2_rgba1_block, block);
    texels.map(|texel| if texel[3] == 0 { [0; 4] } else { texel })
}

fn texture2d_rgba8(block: &[u8]) -> Texels {
    texture2d(texture2ddecoder::decode_etc2_rgba8_block, block)
}

fn texture2d_rgb8_and_written_alpha(block: &[u8]) -> Texels {
    let (colors, alpha) = (texture2d_rgb8(&block[8..]), written::etc2_alpha(block));
    std::array::from_fn(|texel| {
        let [r, g, b, _] = colors[texel];
        [r, g, b, alpha[texel]]
    })
}
