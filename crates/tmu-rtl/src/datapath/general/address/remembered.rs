//! Items that look into one set, where each bank remembers its last tiles. Part of `address`.
//!
//! A bank remembers the tiles that the last [`REMEMBERED`] items asked it for. An item that asks for one of them again finds it where
//! it was (`same_tile`) and does not look it up. They are as many as items that have not settled: so an item never waits for one that
//! asked for its own tile, in whatever order tiles take turns.
//!
//! # Why it is right
//!
//! What is remembered must be in the cache when the item comes that is told so, and in the way that `tag_stage` has noted for it.
//! Let T be a remembered tile, in set S of its bank, and L any look-up of that bank that comes behind the last one that asked for T. An
//! item that finds its tile looks nothing up, and changes no tags.
//!
//! - L is not in S: it puts no tile into S.
//! - L is in S, and no item between asked for another tile in S that is remembered: L `keeps` T. If it misses, `tag_stage` fills
//!   any way but T's. It knows that way: L waits for all items just before that look into S, among them the one that looked T up, so
//!   its way was chosen long before L's is.
//! - An item between asked for another tile in S, or there is one way only: T is forgotten. The item behind L finds that out in time,
//!   since what is remembered is looked at and changed at the same stage.
//! - All tiles are forgotten where the cache is emptied. An item that has been told before, and stands at the exit meanwhile, reads
//!   texels that are still there: nothing has been filled since.
//!
//! Items that find their tile do not wait, but later look-ups of their set wait for them as for others. They still read their texels:
//! the number of such an item must be that of its set's last reader when a look-up is about to fill a way of the set, or else the
//! fill might come before the item has read. This costs nothing while the tiles stay the same.
//!
//! Both sides count alike: `tag_stage` notes the way of each item that needs the bank, in the order in which they leave here. A tile
//! that several items asked for stands there several times, each time with the same way.

use crate::cache::prefetch::tag_stage::{REMEMBERED, UNSETTLED_STEPS};
use crate::datapath::address::hazards::{bring_together, near, waits};
use crate::datapath::bundles::{line_bits, same_parts};
use crate::datapath::words::{PART_BITS, kind_bits};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::tile::BANKS;

const BANK_COUNT: usize = BANKS as usize;
/// Parts of a tile that are brought together as they are compared: with more of them a comparison is deeper than the limit.
const TOGETHER: usize = 5;

/// What is kept of the items before.
#[derive(Bundle)]
pub(super) struct Remembered {
    /// A bit for each tile of a bank, the last one lowest.
    valid: Vec<Reg>,
    /// Bank by bank, the last one first: set above line and kind.
    tiles: Vec<Reg>,
    /// Wait: all that moves depends on this one bit, which saves it a level of logic.
    pub(super) is_waiting: Reg,
    /// Bits that are set say how long yet, but for this clock.
    left: Reg,
}

impl Remembered {
    pub(super) fn new(config: &Config, clocks: &Clocks) -> Remembered {
        let key_bits = config.cache().bank_set_bits() as usize + line_bits(config) + kind_bits(config);
        Remembered {
            valid: (0..BANK_COUNT).map(|_| Reg::with_reset(clocks, REMEMBERED, 0)).collect(),
            tiles: Reg::array(BANK_COUNT * REMEMBERED, clocks, key_bits),
            is_waiting: Reg::with_reset(clocks, 1, 0),
            left: Reg::with_reset(clocks, UNSETTLED_STEPS - 1, 0),
        }
    }
}

/// What the items ask for: which banks, kind, set and line of each bank's tile.
pub(super) struct Wanted<'p, 'a, S> {
    pub(super) needed: &'p Payload<'a, S, Bits>,
    pub(super) invalidates: &'p Payload<'a, S, Bits>,
    pub(super) kind: &'p Payload<'a, S, Bits>,
    pub(super) sets: &'p Payload<'a, S, Vec<Bits>>,
    pub(super) lines: &'p Payload<'a, S, Vec<Bits>>,
}

/// What is said of an item.
pub(super) struct Marks<'a, S> {
    /// Banks whose tile is remembered.
    pub(super) same_tile: Payload<'a, S, Bits>,
    /// Of the tiles that each bank remembers those that are this one; where none is, the one that stays.
    pub(super) remembered: Payload<'a, S, Vec<Bits>>,
}

/// What of a remembered tile is the same as of a bank's tile.
#[derive(Clone, Debug, Record)]
struct Same<T = Bits> {
    /// Set.
    set: T,
    /// Line and kind, in parts.
    tile: T,
}

/// As the classic [`hazards`](crate::datapath::address::hazards), with several tiles a bank and a stage more.
#[kernel]
pub(super) fn remembered<'a, S: Stages>(
    held: &Remembered,
    pipe: &Run<'a, S>,
    [tile, compare, mark, count]: [S; 4],
    [invalidating, advance]: [Bits; 2],
    wanted: &Wanted<'_, 'a, S>,
    ways: usize,
) -> Marks<'a, S> {
    let near = near(pipe, [tile, compare], wanted.needed, wanted.sets).at(count);
    /// # Remembered tiles
    let (needed, kind) = (wanted.needed.at(compare), wanted.kind.at(compare));
    let (sets, lines) = (wanted.sets.at(compare), wanted.lines.at(compare));
    let mut same = vec![];
    for (bank, tiles) in held.tiles.chunks(REMEMBERED).enumerate() {
        let (set, tile) = (sets[bank], cat(&[lines[bank], kind]));
        let mut coming = cat(&[set, tile]);
        for remembered in tiles {
            let held = remembered.val();
            if needed.bit(bank) && advance {
                remembered.next = coming;
            }
            coming = held;
            let parts = same_parts(tile, held.low(tile.width()), PART_BITS);
            same.push(Same {
                set: stack(same_parts(set, held.high(set.width()), PART_BITS)).all(),
                tile: stack(bring_together(parts, TOGETHER)),
            });
        }
    }
    let same = pipe.put(compare, "same", same).at(mark);
    /// # What becomes of them
    let needed = wanted.needed.at(mark);
    let forgets_all = invalidating || (wanted.invalidates.at(mark) && advance);
    let (mut same_tile, mut found, mut left) = (vec![], vec![], vec![]);
    for (bank, valid) in held.valid.iter().enumerate() {
        let known = valid.val();
        let own = &same[bank * REMEMBERED..][..REMEMBERED];
        let in_set = known & stack(own.iter().map(|same| same.set));
        let is_same = in_set & stack(own.iter().map(|same| same.tile.all()));
        let stays = if ways > 1 { lowest_one(in_set) } else { lit(REMEMBERED, 0u32) };
        /// The oldest one makes place for this one.
        let older = |bits: Bits| bits.low(REMEMBERED - 1);
        let forgotten = older(in_set) & !older(stays) & (!is_same.any()).repeat(REMEMBERED - 1);
        if forgets_all {
            valid.next = 0;
        } else if needed.bit(bank) && advance {
            valid.next = cat(&[older(known) & !forgotten, lit(1, 1u32)]);
        }
        same_tile.push(is_same.any());
        found.push(is_same);
        left.push(stays);
    }
    let same_tile = pipe.put(mark, "same_tile", stack(same_tile));
    let found = pipe.put(mark, "is_same", found).at(count);
    let left = pipe.put(mark, "stays", left).at(count);
    /// # What is said of the item
    /// A stage behind its marks: both in one clock are too deep.
    let finds = same_tile.at(count);
    let waits = waits(held.left.val(), near, finds, advance);
    held.is_waiting.next = waits.any();
    held.left.next = waits.high(UNSETTLED_STEPS - 1);
    let marked = |bank: usize| if finds.bit(bank) { found[bank] } else { left[bank] };
    Marks { same_tile, remembered: pipe.put(count, "remembered", (0..BANK_COUNT).map(marked).collect()) }
}

/// The lowest bit that is set, alone.
#[kernel]
fn lowest_one(bits: Bits) -> Bits {
    let alone = |number: usize| {
        if number == 0 { bits.bit(0) } else { bits.bit(number) && !bits.low(number).any() }
    };
    stack((0..bits.width()).map(alone))
}
