//! The stages of the loader engine between its ring and its writes, against the golden model and against a few lines.

use crate::support::{is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::engines::loader::Level;
use tmu_model::engines::loader::average::{smaller, taps};
use tmu_rtl::engines::loader::average::Average;
use tmu_rtl::engines::loader::job::reciprocal::Reciprocal;
use tmu_rtl::engines::loader::pack::Pack;
use tmu_rtl::engines::loader::texels::Texels;
use tmu_rtl::engines::loader::weights::Weights;
use tmu_rtl::engines::loader::words::{TEXEL_BYTES, layout_of};
use tmu_spec::Format;
use tmu_spec::loader::has_means;
use tmu_stages::{Check, Rig};

/// Bits of a place in the ring.
const RING_BITS: usize = 9;
/// Clocks in which all that is under way has come out.
const DRAIN_CLOCKS: usize = 40;

/// What hardware is told of an odd side: R, and n times it.
fn shares(side: u64) -> [u64; 2] {
    let part = if side > 1 && side % 2 == 1 { (1 << 20) / side } else { 0 };
    [part, side / 2 * part]
}

fn side(check: &mut Check) -> u64 {
    match check.rng.random_range(0..3) {
        0 => check.pick(&[1, 2, 3, 4, 5, 4093, 4095, 4096]),
        1 => check.rng.random_range(1..=4096),
        _ => check.rng.random_range(1..=33),
    }
}

#[test]
fn loader_reciprocal() {
    let mut check = Check::new("loader_reciprocal");
    let mut rig = Rig::new("loader_reciprocal", Reciprocal::new());
    for round in 0..400 {
        let side = if round < 20 { 2 * round + 1 } else { self::side(&mut check) };
        rig.side.drive(number(13, side));
        rig.start.drive(number(1, 1u64));
        rig.tick();
        rig.start.drive(number(1, 0u64));
        let is_divided = side > 1 && side % 2 == 1;
        let mut clocks = 0;
        while !is_high(rig.done.val()) {
            rig.tick();
            clocks += 1;
            check.holds(clocks < 30, format_args!("{side} is divided by in {clocks} clocks"));
            rig.settle();
        }
        if is_divided {
            let got = [rig.reciprocal.val().to_u64(), rig.whole.val().to_u64()];
            check.same(side, got, shares(side));
        }
    }
    check.at_least(1000);
}

/// Puts a place and its axis in front of the weights; gives the weights of the golden model.
fn axis(check: &mut Check, weights: &Weights, axis: usize) -> Vec<u64> {
    let side = side(check);
    let place = check.rng.random_range(0..(side / 2).max(1));
    let expected: Vec<_> =
        taps(side as usize, place as usize).into_iter().map(|(_, weight)| weight).collect();
    let [part, whole] = shares(side);
    weights.place[axis].drive(number(12, place));
    weights.reciprocal[axis].drive(number(20, part));
    weights.whole[axis].drive(number(20, whole));
    weights.is_odd[axis].drive(number(1, u64::from(part > 0)));
    weights.is_single[axis].drive(number(1, u64::from(side == 1)));
    expected
}

#[test]
fn loader_weights() {
    let mut check = Check::new("loader_weights");
    let mut rig = Rig::new("loader_weights", Weights::new());
    for _ in 0..1500 {
        let [x, y, z] = [0, 1, 2].map(|number| axis(&mut check, &rig, number));
        let pair = check.rng.random_range(0..x.len().div_ceil(2));
        let [row, slice] = [&y, &z].map(|weights| check.rng.random_range(0..weights.len()));
        for (net, tap) in rig.number.iter().zip([pair, row, slice]) {
            net.drive(number(2, tap as u64));
        }
        for _ in 0..11 {
            rig.tick();
        }
        rig.settle();
        let across = [rig.across[0].val().to_u64(), rig.across[1].val().to_u64()];
        let expected = [x[2 * pair], x.get(2 * pair + 1).copied().unwrap_or(0)];
        check.same("a pair", across, expected);
        check.same("a row", rig.line.val().to_u64(), y[row] * z[slice]);
    }
    check.at_least(3000);
}

/// A bit for a texel size.
fn size_bit(bytes: u32) -> u64 {
    1 << TEXEL_BYTES.iter().position(|size| *size == bytes).expect("a size")
}

/// A level of random texels, for one texel of the smaller one.
fn level(check: &mut Check, format: Format) -> Level {
    let size = [0; 3].map(|_| check.rng.random_range(1..=3usize));
    let bytes = format.bytes_per_texel() as usize;
    let mut texel = || std::array::from_fn(|byte| if byte < bytes { check.rng.random() } else { 0 });
    let texels = (0..size.iter().product()).map(|_| texel()).collect();
    Level { size, texels }
}

#[test]
fn loader_average() {
    let mut check = Check::new("loader_average");
    let mut rig = Rig::new("loader_average", Average::new());
    let formats: Vec<_> = Format::ALL.into_iter().filter(|format| has_means(*format)).collect();
    for round in 0..300 {
        let format = formats[round % formats.len()];
        let is_srgb = format.can_be_srgb() && check.one_in(2);
        let level = level(&mut check, format);
        let bytes = format.bytes_per_texel();
        let word = &rig.level;
        word.bytes.drive(number(6, size_bit(bytes)));
        word.layout.drive(number(6, 1u64 << layout_of(format).expect("a layout")));
        word.is_srgb.drive(number(1, u64::from(is_srgb)));
        for axis in 0..3 {
            let side = level.size[axis] as u64;
            let [part, whole] = shares(side);
            word.reciprocal[axis].drive(number(20, part));
            word.whole[axis].drive(number(20, whole));
            word.is_odd[axis].drive(number(1, u64::from(part > 0)));
            word.is_single[axis].drive(number(1, u64::from(side == 1)));
        }
        let expected = smaller(&level, format, is_srgb, true).texels[0];
        let [width, height, depth] = level.size;
        let pairs = width.div_ceil(2);
        let mut given = 0;
        let mut got = Vec::new();
        for clock in 0..pairs * height * depth + DRAIN_CLOCKS {
            let comes = clock < pairs * height * depth;
            rig.valid.drive(number(1, u64::from(comes)));
            if comes {
                let [x, y, z] = [clock % pairs * 2, clock / pairs % height, clock / pairs / height];
                let mut data = [0u8; 16];
                check.rng.fill(&mut data);
                for (side, place) in [x, x + 1].into_iter().filter(|place| *place < width).enumerate() {
                    data[side * bytes as usize..][..bytes as usize]
                        .copy_from_slice(&level.at([place, y, z])[..bytes as usize]);
                }
                rig.data.drive(Bits::constant(Value::from_u128(128, u128::from_le_bytes(data))));
                for (net, tap) in rig.tap.number.iter().zip([x / 2, y, z]) {
                    net.drive(number(2, tap as u64));
                }
                given += 1;
                rig.tap.is_first.drive(number(1, u64::from(clock == 0)));
                rig.tap.is_last.drive(number(1, u64::from(given == pairs * height * depth)));
            }
            rig.tick();
            rig.settle();
            if is_high(rig.texel_valid.val()) {
                got.push(rig.texel.val().to_u64());
            }
        }
        let mask = if bytes == 8 { u64::MAX } else { (1 << (8 * bytes)) - 1 };
        let wanted = u64::from_le_bytes(expected[..8].try_into().unwrap());
        check.same(format_args!("{format} {:?} {is_srgb}", level.size), got.len(), 1);
        check.same(format_args!("{format} {:?} {is_srgb}", level.size), got[0] & mask, wanted);
    }
    check.at_least(600);
}

#[test]
fn loader_pack() {
    let mut check = Check::new("loader_pack");
    let mut rig = Rig::new("loader_pack", Pack::new());
    for round in 0..24 {
        let bytes = TEXEL_BYTES[round % 6];
        let is_copy = check.one_in(2) || bytes == 16;
        let count = if is_copy { (4 * bytes).min(16) } else { bytes } as usize;
        rig.bytes.drive(number(6, size_bit(bytes)));
        rig.is_copy.drive(number(1, u64::from(is_copy)));
        rig.valid.drive(number(1, 0u64));
        rig.tick();
        rig.tick();
        let (mut given, mut got, mut ends) = (Vec::new(), Vec::new(), 0);
        let total = 48 * count;
        for _ in 0..1000 {
            let comes = given.len() < total && !check.one_in(3);
            rig.valid.drive(number(1, u64::from(comes)));
            let mut data = [0u8; 16];
            check.rng.fill(&mut data);
            rig.data.drive(Bits::constant(Value::from_u128(128, u128::from_le_bytes(data))));
            if comes {
                given.extend(&data[..count]);
            }
            rig.is_end.drive(number(1, u64::from(comes && given.len() == total)));
            rig.tick();
            rig.settle();
            if is_high(rig.line_valid.val()) {
                let line = rig.line.val();
                got.extend((0..16).map(|byte| line.slice(8 * byte, 8).to_u64() as u8));
                ends += usize::from(is_high(rig.line_ends.val()));
                check.same("the end of the level", got.len() == total, is_high(rig.line_ends.val()));
            }
        }
        check.same(format_args!("bytes of texels of {bytes}, level 0: {is_copy}"), got, given);
        check.same("ends", ends, 1);
    }
    check.at_least(700);
}

#[test]
fn loader_texels() {
    let mut check = Check::new("loader_texels");
    let mut rig = Rig::new("loader_texels", Texels::new(RING_BITS));
    let lines: Vec<[u8; 16]> = (0..1 << RING_BITS).map(|_| check.rng.random()).collect();
    rig.writes.drive(number(1, 1u64));
    for (place, line) in lines.iter().enumerate() {
        rig.place.drive(number(RING_BITS, place as u64));
        rig.line.drive(Bits::constant(Value::from_u128(128, u128::from_le_bytes(*line))));
        rig.tick();
    }
    rig.writes.drive(number(1, 0u64));
    for round in 0..800 {
        let bytes = TEXEL_BYTES[round % 6] as usize;
        let is_copy = check.one_in(2);
        rig.bytes.drive(number(6, size_bit(bytes as u32)));
        rig.is_copy.drive(number(1, u64::from(is_copy)));
        let (place, byte) = (check.rng.random_range(0..lines.len()), check.rng.random_range(0..16usize));
        let last = check.rng.random_range(0..4usize);
        rig.piece.line.drive(number(RING_BITS, place as u64));
        rig.piece.byte.drive(number(4, byte as u64));
        rig.piece.last.drive(number(2, last as u64));
        rig.valid.drive(number(1, 1u64));
        rig.tick();
        rig.valid.drive(number(1, 0u64));
        for _ in 0..10 {
            rig.settle();
            if is_high(rig.texel_valid.val()) {
                break;
            }
            rig.tick();
        }
        check.holds(is_high(rig.texel_valid.val()), "a piece comes out");
        let stored = |at: usize| lines[(place + (byte + at) / 16) % lines.len()][(byte + at) % 16];
        let count = if is_copy { (16 / bytes).min(4) * bytes } else { 16 };
        let from = |at: usize| if is_copy { (at / bytes).min(last) * bytes + at % bytes } else { at };
        let expected: Vec<_> = (0..count).map(|at| stored(from(at))).collect();
        let data = rig.data.val();
        let got: Vec<_> = (0..count).map(|at| data.slice(8 * at, 8).to_u64() as u8).collect();
        check.same(format_args!("{bytes} bytes, level 0: {is_copy}, last {last}"), got, expected);
        rig.tick();
    }
    check.at_least(1600);
}
