//! Texels converted from format to format.

use crate::decode;
use std::path::Path;
use tmu_assets::{ContainerOptions, GeneralImage, write_ktx2};
use tmu_spec::Format;
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{Kind, Swizzle, Texture};

/// A picture of 256 x 256 texels, or a row of blocks, with these bytes.
fn stored(format: Format, width: u32, height: u32, bytes: Vec<u8>) -> Vec<u8> {
    let shape = Shape { kind: Kind::D2, width, height, depth: 1, levels: 1, format };
    let texture = Texture::packed(shape, Swizzle::NONE, false).unwrap();
    write_ktx2(&GeneralImage::from_memory(texture, bytes).unwrap(), Path::new("a")).unwrap()
}

/// A channel of n bits becomes one of m by one rounding, v / (2^n - 1) x (2^m - 1), and a float by one division.
#[test]
fn conversions_round_once() {
    let words: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    let tens: Vec<u8> = (0..1024u32).flat_map(|red| red.to_le_bytes()).collect();
    let red_of = |file: &[u8], format: Format, bytes: usize| -> Vec<u64> {
        let options = ContainerOptions { format: Some(format), ..Default::default() };
        let image = decode(file).with(&options, Path::new("a")).unwrap().image;
        let texel_bytes = format.bytes_per_texel() as usize;
        let red = |texel: &[u8]| texel[..bytes].iter().rev().fold(0, |red, &byte| red << 8 | u64::from(byte));
        image.memory().chunks_exact(texel_bytes).map(red).collect()
    };
    let rounded = |value: u64, from: u32, to: u32| {
        let [from, to] = [from, to].map(|bits| (1u64 << bits) - 1);
        (2 * value * to + from) / (2 * from)
    };
    let five_six_five = stored(Format::Rgb565, 256, 256, words);
    for (number, red) in (0..).zip(red_of(&five_six_five, Format::Rgba16, 2)) {
        assert_eq!(red, rounded(number >> 11, 5, 16), "{number:#x}");
    }
    assert_eq!(red_of(&five_six_five, Format::Rgba16, 2)[27 << 11], 57079);
    let ten = stored(Format::Rgb10a2, 256, 4, tens);
    for (number, red) in (0..).zip(red_of(&ten, Format::R8, 1)) {
        assert_eq!(red, rounded(number, 10, 8), "{number}");
    }
    for (number, red) in (0..).zip(red_of(&ten, Format::R32f, 4)) {
        assert_eq!(red, u64::from((number as f32 / 1023.0).to_bits()), "{number}");
    }
    // Halves: the nearest of all of them, the even one of two.
    for (number, red) in (0..).zip(red_of(&ten, Format::R16f, 2)) {
        let value = f64::from(number) / 1023.0;
        let half = |bits: u64| match (bits >> 10, bits & 1023) {
            (0, fraction) => fraction as f64 / 16_777_216.0,
            (exponent, fraction) => (1024 + fraction) as f64 * 2f64.powi(exponent as i32 - 25),
        };
        let off = (half(red) - value).abs();
        for other in [red.saturating_sub(1), red + 1].into_iter().filter(|&other| other != red) {
            let is_nearer = off < (half(other) - value).abs();
            assert!(is_nearer || (off == (half(other) - value).abs() && red % 2 == 0), "{number}");
        }
    }
    // 11 bits: base 100, multiplier 0, so 8 x 100 + 4 + modifiers 0, 2, 5, 8 and so on less.
    let block = [100, 0x00, 0, 0, 0, 0, 0, 0];
    let eleven = stored(Format::EacR11, 4, 4, [block, [0; 8]].concat());
    let modifier = i64::from(tmu_spec::blocks::EAC_MODIFIERS[0][0]);
    let value = 804 + modifier;
    let reds = red_of(&eleven, Format::R32f, 4);
    assert_eq!(reds, [u64::from((value as f32 / 2047.0).to_bits()); 16]);
}
