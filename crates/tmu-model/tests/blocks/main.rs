//! The decoders of compressed tiles against independent ones: a million random blocks of each format, every mode of it as often as
//! every other, all texels. `TMUGEN_DECODED_BLOCKS` asks for more, `TMUGEN_SEED` for others.

mod channels;
mod others;
mod random;
mod written;

use others::{Decode, Other, Texels, model, others};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use random::{Bytes, Mode};
use rayon::prelude::*;
use std::fmt;
use tmu_model::datapath::blocks::{TEXELS, bc};
use tmu_spec::Format;
use tmu_testing::setting;

/// Random blocks of each format in the test command.
const QUICK: u64 = 1_000_000;
/// Blocks that come from one stream of random numbers, so that a block is the same however many there are.
const CHUNK: u64 = 4096;

/// A texel that the model sees otherwise.
struct Difference {
    format: Format,
    mode: String,
    block: Bytes,
    /// Who says so.
    other: &'static str,
    texel: usize,
    expected: [u16; 4],
    got: [u16; 4],
    seed: u64,
    blocks: u64,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { format, mode, texel, other, expected, got, seed, blocks, .. } = self;
        let bytes: String = self.block.iter().map(|byte| format!("{byte:02x}")).collect();
        let (x, y) = (texel % 4, texel / 4);
        write!(
            f,
            "{format} block {bytes}, mode: {mode}, texel ({x}, {y}): expected {expected:?} by {other}, got {got:?}\n\
             repeat: TMUGEN_SEED={seed} TMUGEN_DECODED_BLOCKS={blocks} cargo test -p tmu-model --test blocks {format}"
        )
    }
}

/// Compares a decoder with others; the first difference, if there is one.
fn compare(format: Format, decode: Decode, others: &[Other], blocks: u64, seed: u64) -> Option<Difference> {
    let modes = Mode::all(format);
    let in_chunk = |chunk: u64| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(chunk);
        (chunk * CHUNK..blocks.min((chunk + 1) * CHUNK)).find_map(|number| {
            let mode = &modes[number as usize % modes.len()];
            let block = mode.block(&mut rng);
            let (got, expected) = (decode(&block), |other: &Other| (other.decode)(&block));
            let differs = |(other, expected): (&'static str, Texels)| {
                let texel = (0..TEXELS).find(|texel| got[*texel] != expected[*texel])?;
                Some((other, texel, expected[texel]))
            };
            let (other, texel, expected) =
                others.iter().find_map(|other| differs((other.name, expected(other))))?;
            let (mode, got) = (mode.name(), got[texel]);
            Some(Difference { format, mode, block, other, texel, expected, got, seed, blocks })
        })
    };
    (0..blocks.div_ceil(CHUNK)).into_par_iter().find_map_first(in_chunk)
}

/// Compares the model's decoder of a format with the independent ones.
fn prove(format: Format) {
    let blocks = setting("TMUGEN_DECODED_BLOCKS").unwrap_or(QUICK);
    let seed = setting("TMUGEN_SEED").unwrap_or(1);
    if let Some(difference) = compare(format, model(format), others(format), blocks, seed) {
        panic!("{difference}");
    }
}

/// A test for each format, with its name.
macro_rules! formats {
    ($($name:ident: $format:ident,)*) => {
        $(#[test] fn $name() { prove(Format::$format) })*

        #[test]
        fn every_format_has_its_test() {
            let tested = [$((stringify!($name), Format::$format)),*];
            assert_eq!(tested.map(|(_, format)| format), Format::BLOCKS);
            for (name, format) in tested {
                assert_eq!(name, format.to_string());
            }
        }
    };
}

formats! {
    bc1: Bc1,
    bc2: Bc2,
    bc3: Bc3,
    bc4: Bc4,
    bc5: Bc5,
    etc2_rgb8: Etc2Rgb8,
    etc2_rgb8a1: Etc2Rgb8a1,
    etc2_rgba8: Etc2Rgba8,
    eac_r11: EacR11,
    eac_rg11: EacRg11,
    bc7: Bc7,
}

/// One wrong texel in one mode of nine is found, and all that it takes to look at it is said.
#[test]
fn a_difference_is_found_and_named() {
    fn wrong(block: &[u8]) -> Texels {
        let mut texels = model(Format::Bc7)(block);
        texels[6][1] ^= u16::from(block[0] & 0x3f == 0x20);
        texels
    }
    let found = compare(Format::Bc7, wrong, others(Format::Bc7), 100, 7).expect("mode 5 is wrong");
    assert_eq!(found.block[0] & 0x3f, 0x20);
    let said = found.to_string();
    for part in ["bc7 block ", "mode: 5, texel (2, 1): ", "by bcdec_rs, got", "TMUGEN_SEED=7"] {
        assert!(said.contains(part), "{part:?} in {said:?}");
    }
}

/// Alpha rising, and colours of which the first is the larger, then the smaller.
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
        let texels = model(Format::EacR11)(&block(base, multiplier, index));
        assert_eq!(texels, [[expected, 0, 0, 0]; TEXELS], "{base} {multiplier} {index}");
    }
}
