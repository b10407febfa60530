//! `block_header` and `block_texel` against the decoders of the golden model: every texel of blocks at random, and of blocks in which
//! each mode, partition and order of end points comes up.

pub(crate) mod directed;
mod synthesis;

use crate::support::number;
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_model::datapath::blocks::{TEXELS, bc, bc7, eac, etc2};
use tmu_rtl::datapath::blocks::{BlockFormats, BlockHeader, BlockTexel, Header};
use tmu_stages::{Check, Rig};
use tmu_testing::setting;

use tmu_spec::Format;
use tmu_spec::Format::{Bc1, Bc2, Bc3, Bc4, Bc5, Bc7, EacR11, EacRg11, Etc2Rgb8, Etc2Rgb8a1, Etc2Rgba8};

/// Blocks at random of each format.
fn random_blocks() -> usize {
    setting("TMUGEN_BLOCKS").unwrap_or(60) as usize
}

#[test]
pub(crate) fn palettes() {
    decode("palettes", &[Bc1, Bc2, Bc3], AT_ONCE);
}

#[test]
pub(crate) fn header() {
    decode("block_header", &Format::BLOCKS, AT_ONCE);
}

#[test]
pub(crate) fn texel() {
    decode("block_texel", &Format::BLOCKS, BY_TURNS);
}

#[test]
fn some_together() {
    for formats in SOME {
        decode(&format!("{formats:?}"), formats, AT_ONCE);
    }
}

/// Formats that share parts.
const SOME: [&[Format]; 9] = [
    &[Bc1, Bc2],
    &[Bc1, Bc2, Etc2Rgba8],
    &[Bc2, Bc3],
    &[Bc1, Bc4],
    &[Bc1, Bc2, Bc3, Bc4, Bc5],
    &[Bc1, Etc2Rgb8a1],
    &[Etc2Rgb8, Etc2Rgb8a1, Etc2Rgba8, EacR11, EacRg11],
    &[Bc1, Bc3, Bc7],
    &[Etc2Rgba8, Bc7],
];

/// What the stages are built for when they are built for one format.
#[test]
fn each_alone() {
    for format in Format::BLOCKS {
        decode(&format!("{format:?}"), &[format], AT_ONCE);
    }
}

/// Headers of so many blocks come before their texels. Whichever stage has clocks enough first is the one that goes through
/// Verilator, too.
const AT_ONCE: usize = 1000;
const BY_TURNS: usize = 8;

/// A block, and its format.
pub(crate) type Block = (Format, [u8; 16]);

fn decode(name: &str, formats: &[Format], at_once: usize) {
    let mut check = Check::new(name);
    let built = BlockFormats::new(formats);
    let mut blocks: Vec<Block> = formats
        .iter()
        .flat_map(|format| directed::blocks(*format, &mut check).into_iter().map(|block| (*format, block)))
        .collect();
    for _ in 0..random_blocks() * formats.len() {
        let format = check.pick(formats);
        blocks.push((format, check.rng.random()));
    }
    // Formats follow upon each other in every order.
    for place in 1..blocks.len() {
        let other = check.rng.random_range(0..=place);
        blocks.swap(place, other);
    }
    let mut header = Rig::new("block_header", BlockHeader::new(&built));
    let mut texel = Rig::new("block_texel", BlockTexel::new(&built));
    let mut clocks = 0;
    for some in blocks.chunks(at_once) {
        let headers = headers(&mut header, some);
        clocks += texels(&mut check, &mut texel, some, &headers);
    }
    check.at_least(clocks);
}

/// The headers of blocks, one a clock.
fn headers(rig: &mut Rig<BlockHeader>, blocks: &[Block]) -> Vec<Header> {
    let mut headers = vec![];
    let latency = BlockHeader::LATENCY_CLOCKS as usize;
    for clock in 0..blocks.len() + latency {
        if let Some((format, block)) = blocks.get(clock) {
            if let Some(code) = rig.format.as_ref() {
                code.drive(u64::from(format.code()));
            }
            let (low, high) = halves(*block);
            let width = rig.block.val().width();
            let block = stack([number(64, low), number(64, high)]);
            rig.block.drive(block.low(width));
        }
        rig.settle();
        if clock >= latency {
            headers.push(rig.header.val());
        }
        rig.tick();
    }
    headers
}

fn halves(block: [u8; 16]) -> (u64, u64) {
    let bits = u128::from_le_bytes(block);
    (bits as u64, (bits >> 64) as u64)
}

/// All texels of headers, one a clock, in an order that leaves tiles again and again. Returns how many there were.
fn texels(check: &mut Check, rig: &mut Rig<BlockTexel>, blocks: &[Block], headers: &[Header]) -> u64 {
    let mut all: Vec<(usize, usize)> =
        (0..blocks.len()).flat_map(|block| (0..TEXELS).map(move |texel| (block, texel))).collect();
    for place in 1..all.len() {
        let other = check.rng.random_range(place.saturating_sub(20)..=place);
        all.swap(place, other);
    }
    let expected: Vec<[Texel; TEXELS]> = blocks.iter().map(|block| expected(*block)).collect();
    let latency = BlockTexel::LATENCY_CLOCKS as usize;
    for clock in 0..all.len() + latency {
        if let Some((block, texel)) = all.get(clock) {
            rig.header.drive(&headers[*block]);
            rig.texel.drive(*texel as u64);
        }
        rig.settle();
        if clock >= latency {
            let (block, texel) = all[clock - latency];
            let (format, bytes) = blocks[block];
            let color = rig.color.val();
            let channels = color.channels.map(|channel| channel.to_u64() as u16);
            let got = (channels, color.is_eleven.value().bit(0));
            let bits = u128::from_le_bytes(bytes);
            check.same(format_args!("texel {texel} of {format:?} {bits:032x}"), got, expected[block][texel]);
        }
        rig.tick();
    }
    all.len() as u64
}

/// R, G, B and A, and whether values have 11 bits.
pub(crate) type Texel = ([u16; 4], bool);

pub(crate) fn expected((format, block): Block) -> [Texel; TEXELS] {
    let half = std::array::from_fn(|byte| block[byte]);
    let color = |texels: [[u8; 4]; TEXELS]| texels.map(|texel| (texel.map(u16::from), false));
    let one = |texels: [u16; TEXELS], is_eleven| texels.map(|r| ([r, 0, 0, 255], is_eleven));
    let two = |texels: [[u16; 2]; TEXELS], is_eleven| texels.map(|[r, g]| ([r, g, 0, 255], is_eleven));
    match format {
        Bc1 => color(bc::bc1(half)),
        Bc2 => color(bc::bc2(block)),
        Bc3 => color(bc::bc3(block)),
        Bc4 => one(bc::bc4(half).map(u16::from), false),
        Bc5 => two(bc::bc5(block).map(|texel| texel.map(u16::from)), false),
        Etc2Rgb8 => color(etc2::rgb8(half)),
        Etc2Rgb8a1 => color(etc2::rgb8a1(half)),
        Etc2Rgba8 => color(etc2::rgba8(block)),
        EacR11 => one(eac::r11(half), true),
        EacRg11 => two(eac::rg11(block), true),
        Bc7 => color(bc7::bc7(block)),
        _ => panic!("{format} has no blocks"),
    }
}
