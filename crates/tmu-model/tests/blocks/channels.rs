//! From a block to the channels of the filter: what lies between the decoders and `decode`.

use crate::others::{Decode, others};
use crate::random::Mode;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use tmu_model::MemoryImage;
use tmu_model::datapath::fetch::SliceSource;
use tmu_model::general::decode::{BlockMemo, Decoder};
use tmu_spec::Format;
use tmu_spec::format::Texel;
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{Kind, Swizzle, Texture};

const BLOCKS: usize = 2000;

/// `round(v × (2^C − 1) / (2^n − 1))`.
fn widened(value: u16, bits: i32, channel_bits: u32) -> u32 {
    let most = 2f64.powi(channel_bits as i32) - 1.0;
    (f64::from(value) * most / (2f64.powi(bits) - 1.0)).round() as u32
}

/// `round(65535 × linear(v / 255))`.
fn linear(value: u16) -> u32 {
    let coded = f64::from(value) / 255.0;
    let linear = if coded <= 0.04045 { coded / 12.92 } else { ((coded + 0.055) / 1.055).powf(2.4) };
    (65535.0 * linear).round() as u32
}

/// What the channels of a texel are to be.
fn expected(texel: [u16; 4], format: Format, channel_bits: u32, is_srgb: bool) -> [u32; 4] {
    let Texel::Block(block) = format.texel() else { panic!("{format} has no blocks") };
    let bits = if matches!(format, Format::EacR11 | Format::EacRg11) { 11 } else { 8 };
    std::array::from_fn(|channel| match channel {
        _ if channel < 3 && is_srgb => linear(texel[channel]),
        _ if channel < block.channels as usize => widened(texel[channel], bits, channel_bits),
        3 => (1 << channel_bits) - 1,
        _ => 0,
    })
}

fn compare(format: Format, decode: Decode, channel_bits: u32, is_srgb: bool) {
    let shape = Shape { kind: Kind::D2, width: 4, height: 4, depth: 1, levels: 1, format };
    let texture = Texture::packed(shape, Swizzle::NONE, is_srgb).expect("one block is legal");
    let decoder = Decoder::new(&texture, 0, channel_bits, &MemoryImage::new(0, Vec::new()));
    let (modes, mut rng) = (Mode::all(format), ChaCha8Rng::seed_from_u64(1));
    let blocks: Vec<_> = (0..BLOCKS).map(|number| modes[number % modes.len()].block(&mut rng)).collect();
    let bytes: Vec<u8> = blocks.iter().flatten().copied().collect();
    // One for all: each must know its block from the others.
    let mut memo = BlockMemo::default();
    for (number, block) in blocks.iter().enumerate() {
        let tile = (number * block.len()) as u32;
        for (texel, decoded) in decode(block).into_iter().enumerate() {
            let got = decoder.texel(&mut SliceSource(&bytes), &mut memo, tile, texel as u32);
            let expected = expected(decoded, format, channel_bits, is_srgb);
            assert_eq!(
                got,
                Ok(expected),
                "{format} {block:02x?}, texel {texel}, {channel_bits} bits, sRGB {is_srgb}"
            );
        }
    }
}

#[test]
fn channels_of_the_filter() {
    for format in Format::BLOCKS {
        let decode = others(format)[0].decode;
        compare(format, decode, 8, false);
        compare(format, decode, 16, false);
        if format.can_be_srgb() {
            compare(format, decode, 16, true);
        }
    }
}
