//! Items that look into one set: which of them wait, and which find the tile of the time before. Part of `address`.

use crate::cache::prefetch::tag_stage::UNSETTLED_STEPS;
use crate::datapath::bundles::{line_bits, same_parts};
use crate::datapath::words::{PART_BITS, kind_bits};
use std::array;
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::tile::BANKS;

const BANK_COUNT: usize = BANKS as usize;

/// What is kept of the items before.
#[derive(Bundle)]
pub(crate) struct Hazards {
    last_valid: Reg,
    last: Vec<Reg>,
    /// Wait while a bit is set.
    pub(crate) waits: Reg,
}

impl Hazards {
    pub(crate) fn new(config: &Config, clocks: &Clocks) -> Hazards {
        let set_bits = config.cache().bank_set_bits() as usize;
        Hazards {
            last_valid: Reg::with_reset(clocks, BANK_COUNT, 0),
            waits: Reg::with_reset(clocks, UNSETTLED_STEPS, 0),
            last: Reg::array(BANK_COUNT, clocks, set_bits + line_bits(config) + kind_bits(config)),
        }
    }
}

/// The banks that were asked for the same tile the time before. Counts down how long an item waits at the exit for the
/// set of another bank. Sets are compared at the first of three stages, lines at the next one, where so many parts are brought together;
/// the answer is there at the last.
#[kernel]
pub(crate) fn hazards<'a, S: Stages>(
    held: &Hazards,
    pipe: &Run<'a, S>,
    [tile, compare, mark]: [S; 3],
    [invalidating, advance]: [Bits; 2],
    [needed, kind, invalidates]: [&Payload<'_, S, Bits>; 3],
    [sets, lines]: [&Payload<'_, S, Vec<Bits>>; 2],
    together: usize,
) -> Payload<'a, S, Bits> {
    let near = near(pipe, [tile, compare], needed, sets).at(mark);
    /// # The tile of the time before
    let needed = needed.at(compare);
    let known = needed & held.last_valid.val();
    /// The set tells apart a tile of another texture that starts with the same line.
    let key = |bank: usize| cat(&[sets.at(compare)[bank], lines.at(compare)[bank], kind.at(compare)]);
    let key: Vec<Bits> = (0..BANK_COUNT).map(key).collect();
    let same = |(bank, last): (usize, &Reg)| {
        if needed.bit(bank) && advance {
            last.next = key[bank];
        }
        let parts = || bring_together(same_parts(key[bank], last.val(), PART_BITS), together);
        stack(parts().into_iter().chain([known.bit(bank)]))
    };
    let same: Vec<Bits> = held.last.iter().enumerate().map(same).collect();
    let same = pipe.put(compare, "same_parts", same).at(mark);
    let forgets = invalidating || (invalidates.at(compare) && advance);
    if forgets {
        held.last_valid.next = 0;
    } else if advance {
        held.last_valid.next = held.last_valid.val() | needed;
    }
    let same_tile = stack(same.into_iter().map(Bits::all));
    let left = held.waits.val().high(UNSETTLED_STEPS - 1);
    held.waits.next = waits(left, near, same_tile, advance);
    pipe.put(mark, "same_tile", same_tile)
}

/// Parts of which so many are one bit.
pub(crate) fn bring_together(parts: Vec<Bits>, together: usize) -> Vec<Bits> {
    match together {
        1 => parts,
        _ => parts.chunks(together).map(|parts| stack(parts.to_vec()).all()).collect(),
    }
}

/// Of each item just before, the nearest one first, the banks that look into the same set as the one at the second stage.
#[kernel]
pub(crate) fn near<'a, S: Stages>(
    pipe: &Run<'a, S>,
    [tile, compare]: [S; 2],
    needed: &Payload<'_, S, Bits>,
    sets: &Payload<'_, S, Vec<Bits>>,
) -> Payload<'a, S, Vec<Bits>> {
    /// # Sets just before
    let same_sets = array::from_fn::<_, UNSETTLED_STEPS, _>(|number| {
        let pairs = sets.before(tile, number + 1).into_iter().zip(sets.at(tile));
        pairs.map(|(other, own)| stack(same_parts(other, own, PART_BITS))).collect::<Vec<_>>()
    });
    let same_sets = pipe.put(tile, "same_sets", same_sets).at(compare);
    let is_used = |before: usize| needed.before(compare, before);
    let near = |number: usize| {
        let same_set = stack(same_sets[number].iter().map(|parts| parts.all()));
        same_set & is_used(0) & is_used(number + 1)
    };
    let near = (0..UNSETTLED_STEPS).map(near).collect::<Vec<_>>();
    pipe.put(compare, "set_hazards", near)
}

/// How long an item waits that is [`near`] others; `left`: what is left of the clocks of one that waits, but for the last one.
#[kernel]
pub(crate) fn waits(left: Bits, near: Vec<Bits>, same_tile: Bits, advance: Bits) -> Bits {
    /// # Clocks to wait
    /// A bit for each item just before, the nearest one on top: it leaves when that item has settled.
    let hazards = near.into_iter().rev().map(|near| (near & !same_tile).any());
    /// Nothing moves while a bit is set, so that those that are left and new ones never meet.
    let left = left.zero_extend(UNSETTLED_STEPS);
    (stack(hazards) & advance.repeat(UNSETTLED_STEPS)) | left
}
