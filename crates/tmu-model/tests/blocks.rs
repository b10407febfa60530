//! The decoders of compressed tiles against a decoder that others have written, on random blocks of every kind.

use proptest::prelude::*;
use tmu_model::datapath::blocks::{Rgba, TEXELS, bc, bc7, eac, etc2};

/// A decoder of others: blocks, width and height in texels, and texels as B, G, R, A from the lowest byte.
type Decoder = fn(&[u8], usize, usize, &mut [u32]) -> Result<(), &'static str>;

/// What the other decoder makes of one block.
fn other(decode: Decoder, block: &[u8]) -> [Rgba; TEXELS] {
    let mut texels = [0; TEXELS];
    decode(block, 4, 4, &mut texels).unwrap();
    texels.map(|texel| {
        let [b, g, r, a] = texel.to_le_bytes();
        [r, g, b, a]
    })
}

/// Blocks of eight bytes: any, and those whose colours are close, which other modes have.
fn half() -> impl Strategy<Value = [u8; 8]> {
    let close = (any::<[u8; 8]>(), any::<u8>()).prop_map(|([_, b, c, d, rest @ ..], a)| {
        let [e, f, g, h] = rest;
        [a, b, a.wrapping_add(c % 3), (d % 4) | b & 0xfc, e, f, g, h]
    });
    prop_oneof![any::<[u8; 8]>(), close]
}

fn whole() -> impl Strategy<Value = [u8; 16]> {
    (half(), half())
        .prop_map(|(low, high)| std::array::from_fn(|byte| if byte < 8 { low[byte] } else { high[byte - 8] }))
}

/// A BC7 block of each mode equally often.
fn block_of_bc7() -> impl Strategy<Value = [u8; 16]> {
    (any::<u128>(), 0..9u32).prop_map(|(bits, mode)| match mode {
        8 => (bits & !0xff).to_le_bytes(),
        _ => (bits >> (mode + 1) << (mode + 1) | 1 << mode).to_le_bytes(),
    })
}

fn opaque(texels: [Rgba; TEXELS]) -> [Rgba; TEXELS] {
    texels.map(|[r, g, b, _]| [r, g, b, 255])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn bc1_blocks(block in half()) {
        prop_assert_eq!(bc::bc1(block), other(texture2ddecoder::decode_bc1a, &block));
    }

    /// The other decoder takes a first colour that is not the larger for three colours, which only BC1 has.
    #[test]
    fn bc3_blocks(block in whole()) {
        let mut block = block;
        let ends = [8, 10].map(|byte| u16::from_le_bytes([block[byte], block[byte + 1]]));
        if ends[0] < ends[1] {
            block[8..12].rotate_left(2);
        }
        prop_assume!(ends[0] != ends[1]);
        prop_assert_eq!(bc::bc3(block), other(texture2ddecoder::decode_bc3, &block));
    }

    #[test]
    fn bc4_blocks(block in half()) {
        let expected = other(texture2ddecoder::decode_bc4, &block).map(|[r, ..]| r);
        prop_assert_eq!(bc::bc4(block), expected);
    }

    #[test]
    fn bc5_blocks(block in whole()) {
        let expected = other(texture2ddecoder::decode_bc5, &block).map(|[r, g, ..]| [r, g]);
        prop_assert_eq!(bc::bc5(block), expected);
    }

    #[test]
    fn etc2_blocks(block in half()) {
        prop_assert_eq!(etc2::rgb8(block), opaque(other(texture2ddecoder::decode_etc2_rgb, &block)));
    }

    /// The other decoder leaves colours to transparent texels.
    #[test]
    fn etc2_blocks_with_a_bit_of_alpha(block in half()) {
        let expected = other(texture2ddecoder::decode_etc2_rgba1, &block);
        prop_assert_eq!(etc2::rgb8a1(block), expected.map(|texel| if texel[3] == 0 { [0; 4] } else { texel }));
    }

    #[test]
    fn etc2_blocks_with_alpha(block in whole()) {
        prop_assert_eq!(etc2::rgba8(block), other(texture2ddecoder::decode_etc2_rgba8, &block));
    }

    #[test]
    fn bc7_blocks(block in block_of_bc7()) {
        prop_assert_eq!(bc7::bc7(block), other(texture2ddecoder::decode_bc7, &block));
    }

    /// The channels of EAC are the alpha of ETC2, which has another decoder, with three more bits.
    #[test]
    fn eac_blocks(block in half(), other in half()) {
        // Without a multiplier they differ.
        let mut block = block;
        block[1] |= if block[1] >> 4 == 0 { 0x10 } else { 0 };
        let whole = |low: [u8; 8], high: [u8; 8]| [low, high].concat().try_into().unwrap();
        let alpha = etc2::rgba8(whole(block, other)).map(|[.., alpha]| alpha);
        for (value, alpha) in eac::r11(block).into_iter().zip(alpha) {
            let is_limited = alpha == 0 || alpha == 255;
            prop_assert!(value >> 3 == u16::from(alpha) && (is_limited || value & 7 == 4), "{} of {}", value, alpha);
        }
        let both = eac::rg11(whole(other, block));
        prop_assert_eq!(both.map(|[r, _]| r), eac::r11(other));
        prop_assert_eq!(both.map(|[_, g]| g), eac::r11(block));
    }
}

/// Without a multiplier the modifiers themselves are added; values are limited at either end.
#[test]
fn eac_by_hand() {
    let block = |base: u8, multiplier: u8, index: u64| {
        let indices = (0..16).fold(0, |all: u64, _| all << 3 | index);
        (u64::from(base) << 56 | u64::from(multiplier) << 52 | indices).to_be_bytes()
    };
    for (base, multiplier, index, expected) in [
        (0, 0, 7, 4 + 14),
        (0, 0, 3, 0),
        (255, 0, 7, 2047),
        (16, 0, 0, 129),
        (16, 1, 0, 108),
        (255, 15, 7, 2047),
    ] {
        assert_eq!(
            eac::r11(block(base, multiplier, index)),
            [expected; TEXELS],
            "{base} {multiplier} {index}"
        );
    }
}

/// BC2 has no other decoder here: by hand, alpha rising, and colours of BC3's, whose alpha is another's.
#[test]
fn bc2_by_hand() {
    let mut block = [0; 16];
    block[..8].copy_from_slice(&0xfedc_ba98_7654_3210_u64.to_le_bytes());
    block[8..].copy_from_slice(&[0xff, 0xff, 0, 0, 0b1110_0100, 0, 0, 0]);
    let texels = bc::bc2(block);
    assert_eq!(texels.map(|[.., a]| a), std::array::from_fn(|texel| 17 * texel as u8));
    assert_eq!([0, 1, 2, 3].map(|texel| texels[texel][0]), [255, 0, 170, 85]);
    // Four colours also where the first is not the larger.
    block[8..12].copy_from_slice(&[0, 0, 0xff, 0xff]);
    assert_eq!([0, 1, 2, 3].map(|texel| bc::bc2(block)[texel][0]), [0, 255, 85, 170]);
    assert_eq!([0, 1, 2, 3].map(|texel| bc::bc3(block)[texel][0]), [0, 255, 85, 170]);
}
