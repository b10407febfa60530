//! Items that look into one set, where each bank remembers several tiles: one for each turn. Part of `address`.
//!
//! Rows of two levels, those of the two textures of indirect look-ups, and of two slices of a volume, come in turn every clock. Whose
//! turn it is says the parity of the level, or which texture it is, and the parity of the slice. A bank remembers the tile that it was asked for last in each turn; an item that asks for that of its turn again finds it
//! where it was (`same_tile`) and does not look it up.
//!
//! # Why it is right
//!
//! What is remembered must be in the cache when the item comes that is told so, and in the way that `tag_stage` has noted for its
//! turn. Let T be a remembered tile, in set S of its bank, and L any look-up of that bank that comes behind the one of T. An item that
//! finds its tile looks nothing up, and changes no tags.
//!
//! - L is not in S: it puts no tile into S.
//! - L is of T's turn: its tile is remembered from then on, not T.
//! - L is of another turn and in S, and no other tile that is remembered lies in S: L `keeps` T. If it misses, `tag_stage` fills any
//!   way but T's. It knows that way: L waits for all items just before that look into S, among them the one that looked T up, so
//!   its way was chosen long before L's is.
//! - More of the remembered tiles lie in S, or there is one way only: all those of other turns that lie in S are forgotten. The item
//!   behind L finds that out in time, since what is remembered is looked at and changed at the same stage.
//! - All tiles are forgotten where the cache is emptied. An item that has been told before, and stands at the exit meanwhile, reads
//!   texels that are still there: nothing has been filled since.
//!
//! Items that find their tile do not wait, but later look-ups of their set wait for them as for others. They still read their texels:
//! the number of such an item must be that of its set's last reader when a look-up is about to fill a way of the set, or else the
//! fill might come before the item has read. This costs nothing while the tiles stay the same.
//!
//! The way noted for a turn changes with look-ups of this turn only, in their order, and items learn it in the same order.

use crate::cache::prefetch::tag_stage::UNSETTLED_STEPS;
use crate::datapath::address::hazards::{near, wait};
use crate::datapath::bundles::{line_bits, same_parts};
use crate::datapath::general::words::turn_bits;
use crate::datapath::words::{PART_BITS, kind_bits};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::tile::BANKS;

const BANK_COUNT: usize = BANKS as usize;

/// What is kept of the items before.
#[derive(Bundle)]
pub(super) struct Remembered {
    /// A bit for each turn.
    valid: Vec<Reg>,
    /// Bank by bank, turn by turn: set above line and kind.
    tiles: Vec<Reg>,
    /// Wait while a bit is set.
    pub(super) waits: Reg,
}

impl Remembered {
    pub(super) fn new(config: &Config, clocks: &Clocks) -> Remembered {
        let turns = 1 << turn_bits(config);
        let key_bits = config.cache().bank_set_bits() as usize + line_bits(config) + kind_bits(config);
        Remembered {
            valid: (0..BANK_COUNT).map(|_| Reg::with_reset(clocks, turns, 0)).collect(),
            tiles: Reg::array(BANK_COUNT * turns, clocks, key_bits),
            waits: Reg::with_reset(clocks, UNSETTLED_STEPS, 0),
        }
    }
}

/// What the items ask for: which banks, whose turn it is in each, kind, set and line of each bank's tile.
pub(super) struct Wanted<'p, 'a, S> {
    pub(super) needed: &'p Payload<'a, S, Bits>,
    pub(super) invalidates: &'p Payload<'a, S, Bits>,
    pub(super) kind: &'p Payload<'a, S, Bits>,
    pub(super) turn: &'p Payload<'a, S, Vec<Bits>>,
    pub(super) sets: &'p Payload<'a, S, Vec<Bits>>,
    pub(super) lines: &'p Payload<'a, S, Vec<Bits>>,
}

/// What is said of an item.
pub(super) struct Marks<'a, S> {
    /// Banks whose tile is the one remembered.
    pub(super) same_tile: Payload<'a, S, Bits>,
    /// The tile of another turn that stays, for each bank.
    pub(super) keeps: Payload<'a, S, Vec<Bits>>,
}

/// Parts of a word that are brought together in the clock in which they are compared.
const PARTS_AT_ONCE: usize = 3;

/// What of a remembered tile is the same as of a bank's tile.
#[derive(Clone, Debug, Record)]
struct Same<T = Bits> {
    /// Set.
    set: T,
    /// Line and kind, in parts, and it is the item's own.
    tile: T,
    /// It is the tile of the item's turn, and the item needs one.
    is_own: T,
}

/// As the classic [`hazards`](crate::datapath::address::hazards), with several tiles a bank.
#[kernel]
pub(super) fn remembered<'a, S: Stages>(
    held: &Remembered,
    pipe: &Run<'a, S>,
    [tile, compare, mark]: [S; 3],
    [invalidating, advance]: [Bits; 2],
    wanted: &Wanted<'_, 'a, S>,
    ways: usize,
) -> Marks<'a, S> {
    let near = near(pipe, [tile, compare], wanted.needed, wanted.sets).at(mark);
    /// # Remembered tiles
    let turns = held.tiles.len() / BANK_COUNT;
    let (needed, kind) = (wanted.needed.at(compare), wanted.kind.at(compare));
    let (sets, lines, turn) = (wanted.sets.at(compare), wanted.lines.at(compare), wanted.turn.at(compare));
    let same = |(number, last): (usize, &Reg)| {
        let (bank, of) = (number / turns, number % turns);
        let key = cat(&[lines[bank], kind]);
        let is_own = needed.bit(bank) && turn[bank] == of as u64;
        if is_own && advance {
            last.next = cat(&[sets[bank], key]);
        }
        let last = last.val();
        let parts = same_parts(key, last.low(key.width()), PART_BITS);
        let parts = parts.chunks(PARTS_AT_ONCE).map(|parts| stack(parts.to_vec()).all() && is_own);
        Same {
            set: stack(same_parts(sets[bank], last.high(sets[bank].width()), PART_BITS)).all(),
            tile: stack(parts.collect::<Vec<_>>()),
            is_own,
        }
    };
    let same: Vec<Same> = held.tiles.iter().enumerate().map(same).collect();
    let same = pipe.put(compare, "same", same).at(mark);
    /// # What becomes of them
    let needed = wanted.needed.at(mark);
    let forgets_all = invalidating || (wanted.invalidates.at(mark) && advance);
    let (mut same_tile, mut keeps) = (vec![], vec![]);
    for (bank, valid) in held.valid.iter().enumerate() {
        let own = &same[bank * turns..][..turns];
        let known = valid.val();
        let is_same = |of: usize| known.bit(of) && own[of].set && own[of].tile.all();
        let is_same = stack((0..turns).map(is_same)).any();
        let is_own = stack(own.iter().map(|same| same.is_own));
        let in_set = stack((0..turns).map(|of: usize| known.bit(of) && own[of].set));
        let others = in_set & !is_own;
        let stay = if ways > 1 { at_most_one(others) } else { lit(1, 0u32) };
        let looks_up = needed.bit(bank) && !is_same;
        let forgotten = others & (looks_up && !stay).repeat(turns);
        if forgets_all {
            valid.next = 0;
        } else if advance {
            valid.next = (known & !forgotten) | is_own;
        }
        same_tile.push(is_same);
        keeps.push(others & stay.repeat(turns));
    }
    let same_tile = stack(same_tile);
    wait(&held.waits, near, same_tile, advance);
    Marks { same_tile: pipe.put(mark, "same_tile", same_tile), keeps: pipe.put(mark, "keeps", keeps) }
}

/// One bit: no two bits of a word that has a zero are set.
#[kernel]
fn at_most_one(bits: Bits) -> Bits {
    if bits.width() <= 2 {
        // One of the two is the item's own.
        return lit(1, 1u32);
    }
    let pairs = (0..bits.width()).flat_map(|one| (0..one).map(move |other| (one, other)));
    !pairs.fold(lit(1, 0u32), |any, (one, other)| any || (bits.bit(one) && bits.bit(other)))
}
