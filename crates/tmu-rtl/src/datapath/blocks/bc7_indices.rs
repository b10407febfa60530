//! Indices of BC7, each turned to its texel's place.
//!
//! A set of indices stands at the end of a block. The index of an anchor has a bit less, so an index stands as many bits further on
//! as there are anchors from its texel on: none, one or two behind the first texel. The two modes with two sets have the first one
//! in front of the second, at places that do not change.

use super::TEXELS;
use super::bc7::{Layout, MODES, partition, selects_second};
use super::header::Stage;
use super::select::{aligned, choose, table};
use tmu_hdl::prelude::*;
use tmu_spec::blocks::{ANCHOR_OF_TWO, ANCHORS_OF_THREE, SUBSETS_OF_THREE, SUBSETS_OF_TWO};

/// Bits of a block.
const BLOCK_BITS: usize = 128;
/// Bits of an index, in the order of the codes of [`Place`].
const WIDTHS: [usize; 3] = [2, 3, 4];

/// Where the index of a texel stands.
#[derive(Clone, Debug, Record)]
struct Place<T = Bits> {
    /// Its width, from 0 for two bits, above the bits by which it stands further on than the last place that it may have: all
    /// ones for four bits.
    code: T,
    /// It has a bit less.
    is_anchor: T,
    /// The number of the texel's end points.
    pair: T,
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

/// Where the index of a texel stands, by mode and partition.
#[kernel]
fn place(number: Bits, partition: Bits, texel: usize) -> Place {
    let is_three = modes(number, |layout| layout.mode.subsets == 3);
    let is_two = modes(number, |layout| layout.mode.subsets == 2);
    let is_wide = modes(number, |layout| last_index_bits(layout) > 2);
    let is_widest = modes(number, |layout| last_index_bits(layout) > 3);
    let anchors = |partition: u64| {
        let [second, third] = ANCHORS_OF_THREE.map(|anchors| usize::from(anchors[partition as usize]));
        (usize::from(ANCHOR_OF_TWO[partition as usize]), [second, third])
    };
    let subset_of_two = table(partition, 1, |number| u64::from(SUBSETS_OF_TWO[number as usize] >> texel & 1));
    let subset_of_three =
        table(partition, 2, |number| u64::from(SUBSETS_OF_THREE[number as usize] >> (2 * texel) & 3));
    let pair_of_two = cat(&[lit(1, 0u32), subset_of_two & is_two]);
    /// The first texel is an anchor in all modes, and its index stands in front of all others.
    let further_of_two = table(partition, 1, |number| u64::from(anchors(number).0 >= texel));
    let further_of_three = table(partition, 2, |number| {
        anchors(number).1.into_iter().filter(|anchor| *anchor >= texel).count() as u64
    });
    let anchor_of_two = table(partition, 1, |number| u64::from(anchors(number).0 == texel));
    let anchor_of_three = table(partition, 1, |number| u64::from(anchors(number).1.contains(&texel)));
    let further_of_few = cat(&[lit(1, 0u32), further_of_two & is_two]);
    let further = if is_three { further_of_three } else { further_of_few };
    let anchor = if is_three { anchor_of_three } else { anchor_of_two & is_two };
    Place {
        code: cat(&[is_wide, further | is_widest.repeat(2)]),
        is_anchor: if texel == 0 { lit(1, 1u32) } else { anchor },
        pair: if is_three { subset_of_three } else { pair_of_two },
    }
}

/// An index of the set that ends a block, at the top of four bits.
#[kernel]
fn last_set(block: Bits, place: &Place, texel: usize) -> Bits {
    let bit = |from_top: usize| {
        let of_code = |code: usize| {
            let (width, further) = if code == 7 { (WIDTHS[2], 0) } else { (WIDTHS[code >> 2], code & 3) };
            if code == 3 {
                return None;
            }
            let Some(bit) = width.checked_sub(1 + from_top) else { return Some(lit(1, 0u32)) };
            // The index of the first texel stands further on by its own bit that is not there.
            let further = further + usize::from(texel == 0);
            let place = BLOCK_BITS - width * (TEXELS - texel) + further + bit;
            (place < BLOCK_BITS).then(|| block.bit(place))
        };
        let of_codes: Vec<Option<Bits>> = (0..8).map(of_code).collect();
        let bit = choose(place.code, &of_codes).unwrap_or_else(|| lit(1, 0u32));
        if from_top == 0 { bit & !place.is_anchor } else { bit }
    };
    cat(&[bit(0), bit(1), bit(2), bit(3)])
}

/// An index of the first of two sets, at the top of four bits. All such indices have two bits.
#[kernel]
fn first_set(number: Bits, block: Bits, texel: usize) -> Bits {
    let of_mode = |number: usize| {
        let layout = Layout::of(number);
        (layout.mode.index_bits[1] > 0).then(|| {
            let place = layout.indices + (2 * texel).saturating_sub(1);
            if texel == 0 { cat(&[lit(1, 0u32), block.bit(place)]) } else { block.slice(place, 2) }
        })
    };
    let of_modes: Vec<Option<Bits>> = (0..MODES).map(of_mode).collect();
    aligned(choose(number, &of_modes).unwrap_or_else(|| lit(2, 0u32)), 4)
}

/// The indices of colours, at the top of four bits, and the others, at the top of three: those of alpha, or the numbers of end
/// points. All are those of [`Stage::Ends`].
#[kernel]
pub(super) fn indices(
    pipe: &Run<'_, Stage>,
    mode: &Payload<'_, Stage, Bits>,
    block: &Payload<'_, Stage, Bits>,
) -> (Vec<Bits>, Vec<Bits>) {
    /// # Indices of BC7
    let number = mode.at(Stage::Parts);
    let partition = partition(number, block.at(Stage::Parts));
    let places: Vec<Place> = (0..TEXELS).map(|texel| place(number, partition, texel)).collect();
    let has_two = modes(number, |layout| layout.mode.index_bits[1] > 0);
    let has_two_sets = pipe.put(Stage::Parts, "has_two_sets", has_two).at(Stage::Ends);
    let first = has_two & !selects_second(number, block.at(Stage::Parts));
    let has_first = pipe.put(Stage::Parts, "has_first_set", first).at(Stage::Ends);
    let mut colors = vec![];
    let mut others = vec![];
    for (texel, place) in places.into_iter().enumerate() {
        let place = pipe.put(Stage::Parts, &format!("place_{texel}"), place).at(Stage::Ends);
        let last = last_set(block.at(Stage::Ends), &place, texel);
        let first = first_set(mode.at(Stage::Ends), block.at(Stage::Ends), texel);
        colors.push(if has_first { first } else { last });
        let of_alpha = if has_first { last } else { first };
        let pair = cat(&[place.pair, lit(1, 0u32)]);
        others.push(if has_two_sets { of_alpha.high(3) } else { pair });
    }
    (colors, others)
}
