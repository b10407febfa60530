//! A level from the one above it.

use super::level::{Level, MOST_BYTES};
use tmu_spec::Format;
use tmu_spec::format::{Channel, Packing};
use tmu_spec::general::tables::srgb_to_linear;
use tmu_spec::loader::srgb_thresholds;

/// Texels of an axis and their weights of 256.
type Taps = Vec<(usize, u64)>;

/// What texel `index` of the smaller level is made from, on an axis of so many texels.
#[must_use]
pub fn taps(size: usize, index: usize) -> Taps {
    let half = size / 2;
    if size == 1 {
        return vec![(index, 256)];
    }
    if size.is_multiple_of(2) {
        return vec![(2 * index, 128), (2 * index + 1, 128)];
    }
    let part = (1 << 20) / size as u64;
    let share = |texels: usize| (texels as u64 * part + 2048) >> 12;
    let (first, last) = (share(half - index), share(index + 1));
    vec![(2 * index, first), (2 * index + 1, 256 - first - last), (2 * index + 2, last)]
}

/// The level below one; a volume has half as many slices there.
///
/// # Panics
/// If the format has no colours.
#[must_use]
pub fn smaller(level: &Level, format: Format, is_srgb: bool, is_volume: bool) -> Level {
    let packing = format.packing().expect("a format with colours");
    let halved = |side: usize| (side / 2).max(1);
    let [width, height, slices] = level.size;
    let size = [halved(width), halved(height), if is_volume { halved(slices) } else { slices }];
    let mut texels = Vec::with_capacity(size.iter().product());
    for z in 0..size[2] {
        let deep = if is_volume { taps(slices, z) } else { vec![(z, 256)] };
        for y in 0..size[1] {
            let down = taps(height, y);
            for x in 0..size[0] {
                texels.push(mean(level, packing, is_srgb, [&taps(width, x), &down, &deep]));
            }
        }
    }
    Level { size, texels }
}

fn mean(
    level: &Level,
    packing: &Packing,
    is_srgb: bool,
    [across, down, deep]: [&Taps; 3],
) -> [u8; MOST_BYTES] {
    let mut sums = [0; 4];
    for &(z, depth_weight) in deep {
        for &(y, row_weight) in down {
            for &(x, column_weight) in across {
                let weight = column_weight * row_weight * depth_weight;
                let stored = level.at([x, y, z]);
                let word = u64::from_le_bytes(stored[..8].try_into().expect("eight bytes"));
                for (number, channel) in packing.channels.iter().enumerate() {
                    sums[number] += weight * value(channel, word, is_srgb && number < 3);
                }
            }
        }
    }
    let mut word = 0;
    for (number, channel) in packing.channels.iter().enumerate() {
        let mean = (sums[number] + (1 << 23)) >> 24;
        word |= code(mean, is_srgb && number < 3) << channel.lo;
    }
    let mut stored = [0; MOST_BYTES];
    stored[..8].copy_from_slice(&word.to_le_bytes());
    stored
}

/// What is averaged of a channel: its code, or the light that it stands for.
fn value(channel: &Channel, word: u64, is_light: bool) -> u64 {
    let code = word >> channel.lo & ((1 << channel.bits) - 1);
    if is_light { srgb_to_linear(code as u8).into() } else { code }
}

/// The code of a mean.
fn code(mean: u64, is_light: bool) -> u64 {
    if !is_light {
        return mean;
    }
    srgb_thresholds().partition_point(|least| u64::from(*least) <= mean) as u64 - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_256_and_those_of_odd_sides_by_what_is_covered() {
        assert_eq!(taps(1, 7), [(7, 256)]);
        assert_eq!(taps(6, 2), [(4, 128), (5, 128)]);
        assert_eq!(taps(5, 0), [(0, 102), (1, 103), (2, 51)]);
        assert_eq!(taps(5, 1), [(2, 51), (3, 103), (4, 102)]);
        for size in 2..=4095 {
            for index in [0, 1, size / 4, size / 2 - 1] {
                let taps = taps(size, index.min(size / 2 - 1));
                assert_eq!(taps.iter().map(|(_, weight)| weight).sum::<u64>(), 256, "{size} {index}");
            }
        }
    }

    #[test]
    fn even_sides_are_rounded_as_the_contract_says() {
        let texel = |code: u8| std::array::from_fn(|byte| if byte == 0 { code } else { 0 });
        for codes in [[0, 0, 1, 1], [1, 2, 3, 4], [255; 4], [0, 0, 0, 1], [7, 8, 9, 250]] {
            let level = Level { size: [2, 2, 1], texels: codes.map(texel).to_vec() };
            let expected = (codes.iter().map(|code| u32::from(*code)).sum::<u32>() + 2) / 4;
            let got = smaller(&level, Format::R8, false, false);
            assert_eq!((got.size, u32::from(got.texels[0][0])), ([1, 1, 1], expected), "{codes:?}");
        }
    }

    #[test]
    fn srgb_colours_are_averaged_as_light_and_alpha_is_not() {
        let texel = |codes: [u8; 4]| std::array::from_fn(|byte| codes.get(byte).copied().unwrap_or(0));
        let texels = [[0, 255, 9, 0], [255, 255, 9, 255]].map(texel).to_vec();
        let level = Level { size: [2, 1, 1], texels };
        assert_eq!(smaller(&level, Format::Rgba8, true, false).texels[0][..4], [188, 255, 9, 128]);
        assert_eq!(smaller(&level, Format::Rgba8, false, false).texels[0][..4], [128, 255, 9, 128]);
    }
}
