//! Blocks that are made for something.

use rand::Rng;
use tmu_spec::Format;
use tmu_spec::Format::{Bc1, Bc2, Bc3, Bc4, Bc5, Bc7, EacR11, EacRg11, Etc2Rgb8, Etc2Rgb8a1, Etc2Rgba8};
use tmu_stages::Check;

/// Blocks of a format in which all that it can be comes up.
pub(crate) fn blocks(format: Format, check: &mut Check) -> Vec<[u8; 16]> {
    let low = |check: &mut Check, half: Vec<[u8; 8]>| -> Vec<[u8; 16]> {
        half.into_iter().map(|half| joined(half, check.rng.random())).collect()
    };
    match format {
        Bc1 => {
            let halves = colors(check);
            low(check, halves)
        }
        Bc2 | Bc3 => {
            let colors = colors(check);
            let mut blocks: Vec<[u8; 16]> =
                colors.into_iter().map(|half| joined(check.rng.random(), half)).collect();
            blocks.extend(values(check).into_iter().map(|half| joined(half, check.rng.random())));
            blocks
        }
        Bc4 => {
            let halves = values(check);
            low(check, halves)
        }
        Bc5 => {
            let halves = values(check);
            let others = values(check);
            halves.into_iter().zip(others).map(|(low, high)| joined(low, high)).collect()
        }
        EacR11 => {
            let halves = modified(check);
            low(check, halves)
        }
        EacRg11 => {
            let halves = modified(check);
            let others = modified(check);
            halves.into_iter().zip(others.into_iter().rev()).map(|(low, high)| joined(low, high)).collect()
        }
        Etc2Rgb8 | Etc2Rgb8a1 => {
            let halves = painted(check);
            low(check, halves)
        }
        Etc2Rgba8 => {
            let halves = painted(check);
            let alphas = modified(check);
            let pairs = halves.into_iter().zip(alphas.into_iter().cycle());
            pairs.map(|(color, alpha)| joined(alpha, color)).collect()
        }
        Bc7 => every_mode(check),
        _ => panic!("{format} has no blocks"),
    }
}

fn joined(low: [u8; 8], high: [u8; 8]) -> [u8; 16] {
    std::array::from_fn(|byte| if byte < 8 { low[byte] } else { high[byte - 8] })
}

/// Pairs of colours in both orders, equal ones, ones that differ by little and the limits, with all indices.
fn colors(check: &mut Check) -> Vec<[u8; 8]> {
    let mut pairs =
        vec![[0, 0], [0xffff, 0xffff], [0, 0xffff], [0xffff, 0], [0x1234, 0x1235], [0x1235, 0x1234]];
    for _ in 0..8 {
        let color: u16 = check.rng.random();
        let other = color ^ 1 << check.rng.random_range(0..16);
        pairs.extend([[color, color], [color, other], [other, color]]);
    }
    let half = |[first, second]: [u16; 2]| {
        let indices: u32 = if check.one_in(2) { 0xe41b_1be4 } else { check.rng.random() };
        let bits = u64::from(first) | u64::from(second) << 16 | u64::from(indices) << 32;
        bits.to_le_bytes()
    };
    pairs.into_iter().map(half).collect()
}

/// Pairs of values in both orders, equal ones and the limits, each with all indices.
fn values(check: &mut Check) -> Vec<[u8; 8]> {
    let mut pairs: Vec<[u8; 2]> = vec![[0, 0], [255, 255], [0, 255], [255, 0], [7, 8], [8, 7], [254, 255]];
    for _ in 0..16 {
        let value: u8 = check.rng.random();
        pairs.extend([[value, value], [value, check.rng.random()]]);
    }
    // The indices 0 to 7, twice.
    let indices = 0xfac688u64 | 0xfac688u64 << 24;
    let half =
        |[first, second]: [u8; 2]| (u64::from(first) | u64::from(second) << 8 | indices << 16).to_le_bytes();
    pairs.into_iter().map(half).collect()
}

/// All tables of modifiers, with bases at the limits and in the middle, and multipliers of which one is none.
fn modified(check: &mut Check) -> Vec<[u8; 8]> {
    let mut halves = vec![];
    for table in 0..16 {
        for (base, multiplier) in [(0, 0), (0, 1), (255, 0), (255, 15), (1, 0), (254, 0), (128, 15), (100, 7)]
        {
            let indices: [u8; 6] = check.rng.random();
            let mut half = [base, multiplier << 4 | table, 0, 0, 0, 0, 0, 0];
            half[2..].copy_from_slice(&indices);
            halves.push(half);
        }
    }
    halves
}

/// Blocks of ETC2 in each mode, with the bit that means either differences or opaque ones, set and not: a channel whose second
/// value is over or below its limits chooses the mode, the first such one of three; with none of them halves lie either way.
fn painted(check: &mut Check) -> Vec<[u8; 8]> {
    let mut halves = vec![];
    for overflowing in 0..4 {
        for number in 0..48 {
            let mut bits: u64 = check.rng.random();
            for channel in 0..3 {
                let low = 56 - 8 * channel;
                let (base, difference): (u64, u64) = match (channel.cmp(&overflowing), number % 2) {
                    (std::cmp::Ordering::Equal, 0) => (31, check.rng.random_range(1..4)),
                    (std::cmp::Ordering::Equal, _) => (check.rng.random_range(0..4), 4),
                    (std::cmp::Ordering::Less, _) => {
                        (check.rng.random_range(4..28), check.rng.random_range(0..8))
                    }
                    (std::cmp::Ordering::Greater, _) => continue,
                };
                bits = bits & !(0xff << low) | (base << 3 | difference) << low;
            }
            // All indices in a row, now and then.
            if number % 3 == 0 {
                bits = bits & !0xffff_ffff | 0x00ff_0f0f;
            }
            bits = bits & !(0b11 << 32) | (number >> 1 & 0b11) << 32;
            halves.push(bits.to_be_bytes());
        }
    }
    halves
}

/// Every mode of BC7 with every partition, rotation and selection, and the reserved one.
fn every_mode(check: &mut Check) -> Vec<[u8; 16]> {
    let mut blocks = vec![[0; 16]];
    for mode in 0..9 {
        for fields in 0..64u128 {
            let bits: u128 = check.rng.random();
            let bits = bits >> (mode + 7) << (mode + 7) | fields << (mode + 1);
            let bits = if mode < 8 { bits | 1 << mode } else { bits };
            blocks.push(bits.to_le_bytes());
        }
    }
    blocks
}
