//! Indices of BC7, each turned to its texel's place.
//!
//! A set of indices stands at the end of a block. The index of an anchor has a bit less, so an index stands as many bits further on
//! as there are anchors from its texel on: none, one or two behind the first texel. The two modes with two sets have the first one
//! in front of the second, at places that do not change.

use super::TEXELS;
use super::bc7::{Layout, MODES, selects_second};
use super::header::Stage;
use super::select::{aligned, choose, merged, table};
use tmu_hdl::prelude::*;
use tmu_spec::blocks::{ANCHOR_OF_TWO, ANCHORS_OF_THREE, SUBSETS_OF_THREE, SUBSETS_OF_TWO};

/// Bits of a block.
const BLOCK_BITS: usize = 128;
/// Where the first indices may stand.
const LOWEST_INDEX: usize = 50;

/// What tells where indices stand.
#[derive(Clone, Debug, Record)]
struct Places<T = Bits> {
    /// For each texel, whether it stands in front of the second and of the third anchor, or is it.
    in_front: [Vec<T>; 2],
    /// The number of each texel's end points.
    pairs: Vec<T>,
    /// Indices of the set that ends the block have more than two bits.
    is_wide: T,
    /// They have four.
    is_widest: T,
    /// There are two sets.
    has_two_sets: T,
    /// The first one is that of colours.
    has_first: T,
    /// The mode is the latter of those with two sets.
    is_latter: T,
}

/// The modes that are so, as a table of their number.
#[kernel]
fn modes(number: Bits, is_so: impl Fn(&Layout) -> bool) -> Bits {
    table(number, 1, |number| u64::from(is_so(&Layout::of(number as usize))))
}

/// The bits of an index of the set that ends a block: that of the mode's second set, where it has one.
fn last_index_bits(layout: &Layout) -> usize {
    let [first, second] = layout.mode.index_bits;
    if second > 0 { second as usize } else { first as usize }
}

/// Where the indices of a block stand.
#[kernel]
fn places([number, partition, block]: [Bits; 3]) -> Places {
    let is_three = modes(number, |layout| layout.mode.subsets == 3);
    let is_two = modes(number, |layout| layout.mode.subsets == 2);
    let has_two_sets = modes(number, |layout| layout.mode.index_bits[1] > 0);
    let of_two = table(partition, 4, |number| ANCHOR_OF_TWO[number as usize].into());
    let [second, third] =
        ANCHORS_OF_THREE.map(|anchors| table(partition, 4, |number| anchors[number as usize].into()));
    /// Without an anchor the number is that of the first texel, and none stands in front of it.
    let second = if is_three { second } else { of_two & is_two.repeat(4) };
    let third = third & is_three.repeat(4);
    let in_front = |anchor: Bits, is_there: Bits| {
        let of_texel = |texel: usize| match texel {
            0 => is_there,
            _ => table(anchor, 1, |anchor| u64::from(anchor as usize >= texel)),
        };
        (0..TEXELS).map(of_texel).collect()
    };
    let pair = |texel: usize| {
        let of_two = table(partition, 1, |number| u64::from(SUBSETS_OF_TWO[number as usize] >> texel & 1));
        let of_three =
            table(partition, 2, |number| u64::from(SUBSETS_OF_THREE[number as usize] >> (2 * texel) & 3));
        if is_three { of_three } else { (of_two & is_two).zero_extend(2) }
    };
    Places {
        in_front: [in_front(second, is_two | is_three), in_front(third, is_three)],
        pairs: (0..TEXELS).map(pair).collect(),
        is_wide: modes(number, |layout| last_index_bits(layout) > 2),
        is_widest: modes(number, |layout| last_index_bits(layout) > 3),
        has_two_sets,
        is_latter: number.bit(0),
        has_first: has_two_sets & !selects_second(number, block),
    }
}

/// An index of the set that ends a block, at the top of four bits; bits below are of others.
#[kernel]
fn last_set(bits: Bits, places: &Places, texel: usize) -> Bits {
    let [second, third] = &places.in_front;
    let in_front = cat(&[third[texel], second[texel]]);
    let bit = |from_top: usize| {
        let of_width = |width: usize| {
            let bit = width.checked_sub(1 + from_top)?;
            // The index of the first texel stands further on by its own bit that is not there.
            let first = BLOCK_BITS - width * (TEXELS - texel) + usize::from(texel == 0) + bit;
            let further = |anchors: usize| {
                (first + anchors < BLOCK_BITS && width < 4 || anchors == 0)
                    .then(|| bits.bit(first + anchors - LOWEST_INDEX))
            };
            choose(in_front, &[further(0), further(1), further(1), further(2)])
        };
        merged([(places.is_widest, of_width(4)), (places.is_wide, of_width(3)), (lit(1, 1u32), of_width(2))])
    };
    let is_anchor = |in_front: &Vec<Bits>| match in_front.get(texel + 1) {
        Some(behind) => in_front[texel] & !*behind,
        None => in_front[texel],
    };
    let is_anchor = if texel == 0 { lit(1, 1u32) } else { is_anchor(second) | is_anchor(third) };
    cat(&[bit(0) & !is_anchor, bit(1), bit(2), bit(3)])
}

/// An index of the first of two sets. All such indices have two bits, and two modes have them.
#[kernel]
fn first_set(bits: Bits, places: &Places, texel: usize) -> Bits {
    let of_modes = (0..MODES).map(Layout::of).filter(|layout| layout.mode.index_bits[1] > 0);
    let of_modes: Vec<Bits> = of_modes
        .map(|layout| match layout.indices - LOWEST_INDEX {
            place if texel == 0 => cat(&[lit(1, 0u32), bits.bit(place)]),
            place => bits.slice(place + 2 * texel - 1, 2),
        })
        .collect();
    if places.is_latter { of_modes[1] } else { of_modes[0] }
}

/// The indices of colours, at the top of four bits, and the others, at the top of three: those of alpha, or the numbers of end
/// points. All are those of [`Stage::Ends`]; `partition` is that of [`Stage::Parts`].
#[kernel]
pub(super) fn indices(
    pipe: &Run<'_, Stage>,
    mode: &Payload<'_, Stage, Bits>,
    block: &Payload<'_, Stage, Bits>,
    partition: Bits,
) -> (Vec<Bits>, Vec<Bits>) {
    /// # Indices of BC7
    let places = places([mode.at(Stage::Parts), partition, block.at(Stage::Parts)]);
    let places = pipe.put(Stage::Parts, "places", places).at(Stage::Ends);
    let bits = block.at(Stage::Parts).high(BLOCK_BITS - LOWEST_INDEX);
    let bits = pipe.put(Stage::Parts, "index_bits", bits).at(Stage::Ends);
    let of_texel = |texel: usize| {
        let last = last_set(bits, &places, texel);
        let first = first_set(bits, &places, texel);
        /// The first set has two bits, and what is below them is not looked at.
        let color = if places.has_first { first } else { last.high(2) };
        let alpha = if places.has_first { last.high(3) } else { aligned(first, 3) };
        let pair = aligned(places.pairs[texel], 3);
        (cat(&[color, last.low(2)]), if places.has_two_sets { alpha } else { pair })
    };
    (0..TEXELS).map(of_texel).unzip()
}
