//! BC7: eight modes, with one to three pairs of end points, each for some of the texels.
//!
//! Of a header the end points are taken from where the mode has them, and the indices are turned so that each texel's stand in its
//! own place. Indices stand at the end of a block: behind a texel only the anchors shorten them, so a place is one of at most three
//! for each width of indices.

use super::bc7_indices;
use super::header::{Colors, Stage};
use super::record::{Blend, SECOND_ALPHA_BITS, THIRD_CHANNEL_BITS};
use super::select::{choose, expand, for_texels, merged, table};
use tmu_hdl::prelude::*;
use tmu_spec::blocks::{BC7_MODES, Bc7Mode};

/// Where the first bits of end points may stand.
const LOWEST_END: usize = 5;

/// Modes.
pub(super) const MODES: usize = 8;

/// A mode, and where its parts begin.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub(super) mode: Bc7Mode,
    partition: usize,
    rotation: usize,
    selection: usize,
    ends: usize,
    alphas: usize,
    lowest: usize,
    /// The first set of indices.
    pub(super) indices: usize,
}

impl Layout {
    pub(super) fn of(number: usize) -> Layout {
        let mode = BC7_MODES[number];
        let bits = |bits: u32| bits as usize;
        let partition = number + 1;
        let rotation = partition + bits(mode.partition_bits);
        let selection = rotation + bits(mode.rotation_bits);
        let ends = selection + bits(mode.selection_bits);
        let points = 2 * mode.subsets;
        let alphas = ends + 3 * points * bits(mode.color_bits);
        let lowest = alphas + points * bits(mode.alpha_bits);
        let indices = lowest + points.checked_div(mode.shared_by).unwrap_or(0);
        Layout { mode, partition, rotation, selection, ends, alphas, lowest, indices }
    }

    /// A channel of an end point, its lowest bit included; none where the mode has no such end point or channel.
    fn channel(&self, block: Bits, point: usize, channel: usize) -> Option<Bits> {
        let Layout { mode, .. } = self;
        let (first, bits) = match channel {
            3 => (self.alphas, mode.alpha_bits as usize),
            _ => {
                (self.ends + 2 * mode.subsets * channel * mode.color_bits as usize, mode.color_bits as usize)
            }
        };
        if point >= 2 * mode.subsets || bits == 0 {
            return None;
        }
        let value = block.slice(first + point * bits, bits);
        Some(match point.checked_div(mode.shared_by) {
            Some(shared) => cat(&[value, block.bit(self.lowest + shared)]),
            None => value,
        })
    }
}

/// The mode of a block: the number of its lowest bit that is set.
#[kernel]
fn mode(block: Bits) -> Bits {
    merged((0..MODES).map(|number| (block.bit(number), Some(lit(3, number as u32)))))
}

/// End points at 8 bits a channel, those of the third pair at 5, the second alphas at 6.
#[derive(Clone, Debug, Record)]
struct Points<T = Bits> {
    first: [T; 2],
    second: [T; 2],
    third: [T; 2],
    alphas: [T; 2],
    second_alphas: [T; 2],
}

/// The end points of a block.
#[kernel]
fn points(number: Bits, block: Bits) -> Points {
    let channel = |point: usize, channel: usize, shown: &dyn Fn(Bits) -> Bits, width: usize| {
        let of_mode = |number: usize| Layout::of(number).channel(block, point, channel).map(shown);
        let of_modes: Vec<Option<Bits>> = (0..MODES).map(of_mode).collect();
        choose(number, &of_modes).unwrap_or_else(|| lit(width, 0u32))
    };
    let color = |point: usize| stack((0..3).map(|number| channel(point, number, &expand, 8)));
    let small =
        |point: usize| stack((0..3).map(|number| channel(point, number, &|value| value, THIRD_CHANNEL_BITS)));
    /// The modes with alpha are the upper four; the others are opaque.
    let is_opaque = !number.bit(2);
    let alpha = |point: usize| channel(point, 3, &expand, 8) | is_opaque.repeat(8);
    let small_alpha = |point: usize| {
        channel(point, 3, &|value| value, SECOND_ALPHA_BITS) | is_opaque.repeat(SECOND_ALPHA_BITS)
    };
    Points {
        first: [color(0), color(1)],
        second: [color(2), color(3)],
        third: [small(4), small(5)],
        alphas: [alpha(0), alpha(1)],
        second_alphas: [small_alpha(2), small_alpha(3)],
    }
}

/// How colours of a block lie between end points.
#[kernel]
fn blend(number: Bits, block: Bits) -> Blend {
    let of = |value: fn(&Layout) -> u64| move |number: u64| value(&Layout::of(number as usize));
    let rotation = (0..MODES).map(|number| {
        let layout = Layout::of(number);
        (layout.mode.rotation_bits > 0).then(|| block.slice(layout.rotation, 2))
    });
    let rotation: Vec<Option<Bits>> = rotation.collect();
    let rotation = choose(number, &rotation).unwrap_or_else(|| lit(2, 0u32));
    let is_dual = table(number, 1, of(|layout| u64::from(layout.mode.index_bits[1] > 0)));
    let selects = selects_second(number, block);
    let [first, second] = [0, 1].map(|set: usize| {
        table(number, 2, move |number| {
            u64::from(Layout::of(number as usize).mode.index_bits[set]).saturating_sub(1)
        })
    });
    Blend {
        index_bits: if selects { second } else { first },
        is_dual,
        has_long_alpha: if selects { first.bit(1) } else { second.bit(1) },
        rotation: rotation & is_dual.repeat(2),
    }
}

/// One bit: the second set of indices is the colours'.
#[kernel]
pub(super) fn selects_second(number: Bits, block: Bits) -> Bits {
    let bits = (0..MODES).map(|own| {
        let layout = Layout::of(own);
        let is_own = if layout.mode.selection_bits > 0 { number == own as u64 } else { lit(1, 0u32) };
        is_own & block.bit(layout.selection)
    });
    bits.fold(lit(1, 0u32), |any, bit| any | bit)
}

/// The number that says which texels belong to which pair, by the bits of the mode, for which it need not be known first.
#[kernel]
fn partition(block: Bits) -> Bits {
    merged((0..MODES).map(|number| {
        let layout = Layout::of(number);
        let bits = layout.mode.partition_bits as usize;
        (block.bit(number), (bits > 0).then(|| block.slice(layout.partition, bits).zero_extend(6)))
    }))
}

/// What a block of BC7 says.
pub(super) struct Bc7 {
    pub(super) colors: Colors,
    pub(super) third: [Bits; 2],
    pub(super) alphas: [Bits; 2],
    pub(super) second_alphas: [Bits; 2],
    pub(super) seconds: Bits,
    pub(super) blend: Blend,
}

/// What a block says. It is that of [`Stage::Entry`].
#[kernel]
pub(super) fn header(
    pipe: &Run<'_, Stage>,
    block: Bits,
    is_bc7: Bits,
    [index_bits, second_bits]: [usize; 2],
) -> Bc7 {
    /// # Mode
    let is_reserved = pipe.put(Stage::Entry, "is_reserved", !block.low(MODES).any()).at(Stage::Ends);
    let mode = pipe.put(Stage::Entry, "mode", mode(block));
    let partition = pipe.put(Stage::Entry, "partition", partition(block)).at(Stage::Parts);
    let block = pipe.put(Stage::Entry, "whole", block);
    /// # End points of BC7
    let bits = block.at(Stage::Parts);
    discard(bits.low(LOWEST_END), "mode and partition");
    let points = points(mode.at(Stage::Parts), bits);
    let blend = blend(mode.at(Stage::Parts), bits);
    let blend = pipe.put(Stage::Parts, "blend", blend).at(Stage::Ends);
    let points = pipe.put(Stage::Parts, "points", points).at(Stage::Ends);
    let (indices, others) = bc7_indices::indices(pipe, &mode, &block, partition);
    let colors = Colors {
        ends: [points.first.map(Some), points.second.map(Some)],
        indices: for_texels(index_bits, |texel| indices[texel]),
        // Of a reserved mode no texel is there.
        has_holes: is_reserved & is_bc7,
    };
    Bc7 {
        colors,
        third: points.third,
        alphas: points.alphas,
        second_alphas: points.second_alphas,
        seconds: for_texels(second_bits, |texel| others[texel]),
        blend: Blend {
            index_bits: blend.index_bits & is_bc7.repeat(2),
            rotation: blend.rotation & is_bc7.repeat(2),
            ..blend
        },
    }
}

/// The number of a texel's end points, 0 to 2, by its second index.
#[kernel]
pub(super) fn pair_number(blend: &Blend, second: Bits) -> Bits {
    if blend.is_dual { lit(2, 0u32) } else { second.high(2) }
}

/// Weights of colours and of alpha in the digits that [`weight_digits`] has, of the end point that is farther.
#[kernel]
pub(super) fn weights(blend: &Blend, index: Bits, second: Bits) -> [Bits; 2] {
    let of_color = table(cat(&[blend.index_bits, index]), 6, |entry| weight_digits(entry >> 4, entry & 15));
    let second = second.high(3);
    let of_alpha = table(cat(&[blend.has_long_alpha, second]), 6, |entry| {
        weight_digits(1 + (entry >> 3), (entry & 7) << 1)
    });
    [of_color, if blend.is_dual { of_alpha } else { of_color }]
}

/// Three digits of two bits each, units lowest: so many units, none, one, two or minus one times four, and none, one or two
/// times sixteen.
fn weight_digits(more_bits: u64, index: u64) -> u64 {
    let weight = weight(more_bits, index);
    let (units, fours) = (weight & 3, weight >> 2 & 3);
    let sixteens = (weight >> 4) + u64::from(fours == 3);
    sixteens << 4 | fours << 2 | units
}

/// Weights in 64ths of the end point that is farther, by an index of so many bits more than one that is at the top of four. Colours
/// of other formats have an index of one bit, and none.
fn weight(more_bits: u64, index: u64) -> u64 {
    let index = index >> (3 - more_bits);
    let most = (2 << more_bits) - 1;
    let near = index.min(most - index) as usize;
    match more_bits {
        1 => [0, 21][near],
        2 => [0, 9, 18, 27][near],
        3 => [0, 4, 9, 13, 17, 21, 26, 30][near],
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_weights() {
        for entry in 0..64 {
            let digits = weight_digits(entry >> 4, entry & 15);
            let fours = [0, 1, 2, -1][(digits >> 2 & 3) as usize];
            let sum = (digits & 3) as i64 + 4 * fours + 16 * (digits >> 4) as i64;
            assert_eq!(sum, weight(entry >> 4, entry & 15) as i64, "{entry}");
            assert!(digits >> 4 < 3, "{entry}");
        }
    }
}
