//! Compressed blocks of 4 x 4 texels: written and read.
//!
//! | formats | written by | read by |
//! | --- | --- | --- |
//! | BC1 to BC5 | `texpresso`, libsquish in Rust | `texpresso` |
//! | BC7 | `block_compression`, Intel's ISPC compressor in Rust | `texture2ddecoder` |
//! | ETC2 | [`etc2`] | `texture2ddecoder` |
//! | EAC | [`eac`] | [`eac`] |
//!
//! All are Rust: compressors in C++ and ISPC are faster, but take a compiler or a prebuilt library, and choose by the machine
//! what they do, so that equal pictures would not give equal files. `texture2ddecoder` is not asked for BC1 to BC3, which it
//! reads wrongly. The golden model, which has decoders of its own, reads every format as this does: a test holds that.
//! Contract: any bytes are a block. Cost: some 40 to 100 microseconds to write a block, less than one to read it.

mod eac;
mod etc2;

use crate::texel::{Code, raster_bits};
use block_compression::{BC7Settings, CompressionVariant, encode::compress_rgba8};
use eac::Channel;
use etc2::Texels;
use texpresso::{COLOUR_WEIGHTS_UNIFORM, Params};
use tmu_spec::Format;
use tmu_spec::format::Texel;

/// Texels of a block.
pub(crate) const TEXELS: usize = 16;

/// The bytes of the longest block.
pub(crate) const MAX_BYTES: usize = 16;

/// A block of texels of 16 bits a channel, row by row: as many bytes as the format's blocks have, and zeros.
///
/// # Panics
/// If the format has no blocks.
pub(crate) fn encode(format: Format, wide: &[[u16; 4]; TEXELS]) -> [u8; MAX_BYTES] {
    // Exactly the 8 bits that were widened, or the nearest.
    let texels = wide.map(|texel| texel.map(|code| ((u32::from(code) * 255 + 32767) / 65535) as u8));
    let of_11_bits =
        |channel: usize| wide.map(|texel| ((u32::from(texel[channel]) * 2047 + 32767) / 65535) as u16);
    let single = |channel: usize| eac::encode(Channel::Color, &of_11_bits(channel));
    match format {
        Format::Bc7 => bc7(&texels),
        Format::Etc2Rgb8 => joined(etc2::encode(&Texels::opaque(&texels), false), [0; 8]),
        Format::Etc2Rgb8a1 => joined(etc2::encode(&Texels::punched(&texels), true), [0; 8]),
        Format::Etc2Rgba8 => {
            let alpha = eac::encode(Channel::Alpha, &texels.map(|texel| texel[3].into()));
            joined(alpha, etc2::encode(&Texels::opaque(&texels), false))
        }
        Format::EacR11 => joined(single(0), [0; 8]),
        Format::EacRg11 => joined(single(0), single(1)),
        _ => {
            let mut block = [0; MAX_BYTES];
            let params = Params { weights: COLOUR_WEIGHTS_UNIFORM, ..Params::default() };
            let bc = bc_of(format).expect("a block format");
            bc.compress_block_masked(texels, 0xffff, params, &mut block[..format.tile_bytes() as usize]);
            block
        }
    }
}

/// The texels of a block, row by row: 11 bits of EAC's channels as 16, all others as 8.
///
/// # Panics
/// If the format has no blocks, or the block is too short.
pub(crate) fn decode(format: Format, block: &[u8]) -> [[u16; 4]; TEXELS] {
    let (bits, wanted_bits) = (channel_bits(format), raster_bits(format));
    decode_exactly(format, block)
        .map(|texel| texel.map(|value| Code { value, bits }.scaled(wanted_bits) as u16))
}

/// Bits of a channel as the format's decoder gives it.
///
/// # Panics
/// If the format has no blocks.
pub(crate) fn channel_bits(format: Format) -> u32 {
    let Texel::Block(block) = format.texel() else { unreachable!("{format} has no blocks") };
    block.channel_bits
}

/// The texels of a block, row by row, of [`channel_bits`] each.
///
/// # Panics
/// If the format has no blocks, or the block is too short.
pub(crate) fn decode_exactly(format: Format, block: &[u8]) -> [[u16; 4]; TEXELS] {
    const FULL: u16 = (1 << 11) - 1;
    let half = |number: usize| -> [u8; 8] { block[8 * number..][..8].try_into().expect("8 bytes") };
    let single = |number| eac::decode(Channel::Color, half(number));
    match format {
        Format::EacR11 => single(0).map(|r| [r, 0, 0, FULL]),
        Format::EacRg11 => {
            let (r, g) = (single(0), single(1));
            std::array::from_fn(|texel| [r[texel], g[texel], 0, FULL])
        }
        Format::Bc7 => read_by(texture2ddecoder::decode_bc7_block, block),
        Format::Etc2Rgb8 => read_by(texture2ddecoder::decode_etc2_rgb_block, block),
        Format::Etc2Rgb8a1 => read_by(texture2ddecoder::decode_etc2_rgba1_block, block)
            .map(|texel| if texel[3] == 0 { [0; 4] } else { texel }),
        Format::Etc2Rgba8 => {
            let alpha = eac::decode(Channel::Alpha, half(0));
            let colors = read_by(texture2ddecoder::decode_etc2_rgb_block, &half(1));
            std::array::from_fn(|texel| {
                let [r, g, b, _] = colors[texel];
                [r, g, b, alpha[texel]]
            })
        }
        _ => {
            let bc = bc_of(format).expect("a block format");
            let texels = bc.decompress_block(block).map(|texel| texel.map(u16::from));
            let channels = if bc == texpresso::Format::Bc4 { 1 } else { 2 };
            match bc {
                texpresso::Format::Bc4 | texpresso::Format::Bc5 => {
                    texels.map(|[r, g, ..]| [r, if channels == 1 { 0 } else { g }, 0, 255])
                }
                _ => texels,
            }
        }
    }
}

fn joined(first: [u8; 8], second: [u8; 8]) -> [u8; MAX_BYTES] {
    std::array::from_fn(|byte| if byte < 8 { first[byte] } else { second[byte - 8] })
}

fn bc_of(format: Format) -> Option<texpresso::Format> {
    Some(match format {
        Format::Bc1 => texpresso::Format::Bc1,
        Format::Bc2 => texpresso::Format::Bc2,
        Format::Bc3 => texpresso::Format::Bc3,
        Format::Bc4 => texpresso::Format::Bc4,
        Format::Bc5 => texpresso::Format::Bc5,
        _ => return None,
    })
}

fn bc7(texels: &[[u8; 4]; TEXELS]) -> [u8; MAX_BYTES] {
    let is_opaque = texels.iter().all(|texel| texel[3] == 255);
    let settings = if is_opaque { BC7Settings::opaque_basic() } else { BC7Settings::alpha_basic() };
    let mut block = [0; MAX_BYTES];
    compress_rgba8(CompressionVariant::BC7(settings), texels.as_flattened(), &mut block, 4, 4, 16);
    block
}

/// The texels that a decoder of `texture2ddecoder` gives, which are B, G, R, A at rising bytes.
fn read_by(decode: impl Fn(&[u8], &mut [u32]), block: &[u8]) -> [[u16; 4]; TEXELS] {
    let mut texels = [0; TEXELS];
    decode(block, &mut texels);
    texels.map(|texel: u32| {
        let [b, g, r, a] = texel.to_le_bytes();
        [r, g, b, a].map(u16::from)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Picture;
    use std::path::Path;
    use tmu_model::datapath::blocks::{bc, bc7, eac, etc2};

    fn golden(format: Format, block: &[u8]) -> [[u16; 4]; TEXELS] {
        let rgba = |texels: [[u8; 4]; 16]| texels.map(|texel| texel.map(u16::from));
        let short = || -> [u8; 8] { block[..8].try_into().unwrap() };
        let long = || -> [u8; 16] { block[..16].try_into().unwrap() };
        let wide = |value: u16| ((2 * u64::from(value) * 65535 + 2047) / 4094) as u16;
        match format {
            Format::Bc1 => rgba(bc::bc1(short())),
            Format::Bc2 => rgba(bc::bc2(long())),
            Format::Bc3 => rgba(bc::bc3(long())),
            Format::Bc4 => bc::bc4(short()).map(|r| [r.into(), 0, 0, 255]),
            Format::Bc5 => bc::bc5(long()).map(|[r, g]| [r.into(), g.into(), 0, 255]),
            Format::Etc2Rgb8 => rgba(etc2::rgb8(short())),
            Format::Etc2Rgb8a1 => rgba(etc2::rgb8a1(short())),
            Format::Etc2Rgba8 => rgba(etc2::rgba8(long())),
            Format::EacR11 => eac::r11(short()).map(|r| [wide(r), 0, 0, 0xffff]),
            Format::EacRg11 => eac::rg11(long()).map(|[r, g]| [wide(r), wide(g), 0, 0xffff]),
            _ => rgba(bc7::bc7(long())),
        }
    }

    fn block_formats() -> impl Iterator<Item = Format> {
        Format::ALL.into_iter().filter(|format| format.is_block())
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(4000))]
        /// Every block is read as the golden model reads it.
        #[test]
        fn blocks_are_read_as_the_golden_model_does(block: [u8; 16], mode in 0u32..9) {
            for format in block_formats() {
                let mut block = block;
                if format == Format::Bc7 && mode < 8 {
                    block[0] = (block[0] | 1) << mode;
                }
                assert_eq!(decode(format, &block), golden(format, &block), "{format} {block:02x?}");
            }
        }
    }

    /// PSNR in dB of what comes back of a photograph, over the channels that the format has; with a soft slope of alpha or without.
    const QUALITY: [(Format, bool, f64); 13] = [
        (Format::Bc1, false, 39.9),
        (Format::Bc2, true, 37.1),
        (Format::Bc3, false, 39.9),
        (Format::Bc3, true, 39.1),
        (Format::Bc4, false, 45.9),
        (Format::Bc5, false, 46.1),
        (Format::Etc2Rgb8, false, 38.9),
        (Format::Etc2Rgb8a1, false, 40.1),
        (Format::Etc2Rgba8, true, 39.4),
        (Format::EacR11, false, 46.9),
        (Format::EacRg11, false, 47.0),
        (Format::Bc7, false, 47.4),
        (Format::Bc7, true, 39.5),
    ];

    #[test]
    fn photographs_come_back_well() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/chelsea.png");
        let picture = Picture::open(&path).unwrap();
        let mut found = Vec::new();
        for (format, has_alpha, least) in QUALITY {
            let (mut total, mut count) = (0.0, 0.0);
            for (x, y) in
                (0..picture.height() / 8).flat_map(|y| (0..picture.width() / 8).map(move |x| (x, y)))
            {
                let texel = |number: usize| picture.texel(8 * x + number % 4, 8 * y + number / 4);
                let mut texels: [[u8; 4]; 16] = std::array::from_fn(texel);
                // Another slope in each block.
                if has_alpha {
                    (0..16).for_each(|number| texels[number][3] = (x % 8 * 24 + 4 * number) as u8);
                }
                let wide = texels.map(|texel| texel.map(|code| u16::from(code) * 257));
                let back = decode(format, &encode(format, &wide));
                let tmu_spec::format::Texel::Block(block) = format.texel() else { unreachable!() };
                let scale = if block.channel_bits == 8 { 1.0 } else { 257.0 };
                for (a, b) in back.iter().zip(&texels) {
                    for channel in 0..block.channels as usize {
                        total += (f64::from(a[channel]) / scale - f64::from(b[channel])).powi(2);
                        count += 1.0;
                    }
                }
            }
            let db = 10.0 * (255.0 * 255.0 * count / total).log10();
            found.push((format, least, db));
        }
        assert!(found.iter().all(|&(_, least, db)| db >= least && db < least + 0.2), "{found:.2?}");
    }

    #[test]
    fn blocks_of_one_colour_are_exact_or_nearly() {
        for format in block_formats() {
            for color in [[0u8, 0, 0, 255], [255; 4], [200, 17, 96, 255], [128, 128, 128, 255]] {
                let wide = [color.map(|code| u16::from(code) * 257); 16];
                let back = decode(format, &encode(format, &wide));
                let tmu_spec::format::Texel::Block(block) = format.texel() else { unreachable!() };
                let scale = if block.channel_bits == 8 { 1 } else { 257 };
                for texel in back {
                    for channel in 0..block.channels as usize {
                        let off = (texel[channel] / scale).abs_diff(color[channel].into());
                        assert!(off <= 3, "{format} of {color:?}: {texel:?}");
                    }
                }
            }
        }
    }

    /// Texels that are not there stay so, and the others keep their colour.
    #[test]
    fn one_bit_of_alpha_is_kept() {
        for format in [Format::Bc1, Format::Etc2Rgb8a1] {
            let texel =
                |number: usize| if number.is_multiple_of(3) { [9, 9, 9, 0] } else { [60, 120, 180, 255] };
            let texels: [[u8; 4]; 16] = std::array::from_fn(texel);
            let back =
                decode(format, &encode(format, &texels.map(|texel| texel.map(|c| u16::from(c) * 257))));
            for (number, texel) in back.iter().enumerate() {
                assert_eq!(texel[3] == 0, number % 3 == 0, "{format}: {number}");
                if number % 3 != 0 {
                    assert!(texel[0].abs_diff(60) < 8 && texel[2].abs_diff(180) < 8, "{format}: {texel:?}");
                }
            }
            let clear = decode(format, &encode(format, &[[0; 4]; 16]));
            assert_eq!(clear, [[0; 4]; 16], "{format}");
        }
    }
}
