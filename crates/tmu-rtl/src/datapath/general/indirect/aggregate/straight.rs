//! What of `aggregate` takes all channels of a value at once: sums, averages, least and largest of unsigned numbers; and where results
//! wait to be written.
//!
//! Each channel has one adder. It adds a value to what is held, or to nothing. Of least and largest numbers it first takes what is held from
//! the value, so that the sign tells whether the value is to be held, and then lets it through. An average adds one with its second
//! value, and with its third one too where there are four, so that what is cut off rounds.
//!
//! Contract: a value is over in the clock in which it comes, or in the next one where it is compared. The last one of a quad comes only where
//! `may_end` was high in the clock before. A result waits until it can be written; results of the walk do while those of a quad are
//! under way here.

use super::order::Task;
use super::shown::{Put, PutHead};
use super::walk::WalkPut;
use super::{ALL_CHANNELS, CARRY_BITS, Operation, PLACE_BITS};
use crate::datapath::general::words::general;
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// Bits of what is done with a result that is held.
const CUT_BITS: usize = 2;
/// It is taken as it is, half of it, or a quarter, or what comes from the walk instead.
const WHOLE: u32 = 0;
const HALF: u32 = 1;
const QUARTER: u32 = 2;
const OF_WALK: u32 = 3;

/// What is held, and a result.
#[derive(Bundle)]
pub(super) struct Straight {
    held: Vec<Reg>,
    /// The value has been compared, and whether it is taken.
    is_compared: Reg,
    takes: Vec<Reg>,
    /// What is held is a result.
    finishes: Reg,
    place: Reg,
    cut: Reg,
    is_limited: Reg,
    may_end: Reg,
    has_put: Reg,
    put: Put<FieldReg>,
}

impl Straight {
    pub(super) fn new(clocks: &Clocks, config: &Config) -> Straight {
        let bits = general(config).channel_bits as usize;
        Straight {
            held: Reg::array(ALL_CHANNELS, clocks, bits + CARRY_BITS),
            is_compared: Reg::with_reset(clocks, 1, 0),
            takes: Reg::array(ALL_CHANNELS, clocks, 1),
            finishes: Reg::with_reset(clocks, 1, 0),
            place: Reg::new(clocks, PLACE_BITS),
            cut: Reg::new(clocks, CUT_BITS),
            is_limited: Reg::new(clocks, 1),
            may_end: Reg::with_reset(clocks, 1, 1),
            has_put: Reg::with_reset(clocks, 1, 0),
            put: Put::of(config).registers(clocks),
        }
    }
}

/// What becomes of a value.
#[derive(Clone, Copy)]
pub(super) struct Straights {
    /// The next one may come.
    pub(super) is_over: Bits,
    /// It ends its quad.
    ends: Bits,
    /// A result of the walk may come.
    pub(super) takes_walk: Bits,
    is_free: Bits,
}

/// One bit: a result waits to be written.
#[kernel]
pub(super) fn has_put(straight: &Straight) -> Bits {
    straight.has_put.val()
}

/// The result.
#[kernel]
pub(super) fn put_of(straight: &Straight) -> Put {
    straight.put.val()
}

/// Puts a value, which was at the place `of`, to what is held. `is_put`: a result that waits is written.
#[kernel]
pub(super) fn put(
    straight: &Straight,
    (task, of): (&Task, Bits),
    values: &[Bits],
    is_there: Bits,
    is_put: Bits,
) -> Straights {
    /// # Unsigned numbers
    let Straight { held, is_compared, takes, finishes, place, cut, is_limited, has_put, .. } = straight;
    let wide = held[0].width();
    let bits = wide - CARRY_BITS;
    let compares = task.compares && !is_compared.val();
    let is_free = !has_put.val() || is_put;
    let is_over = !compares;
    let grows = is_there && is_over;
    is_compared.next = is_there && compares;
    let keeps = task.is_sum && !task.is_first;
    let is_max = task.operation == Operation::Max as u64;
    for ((held, takes), value) in held.iter().zip(takes).zip(values) {
        // Nothing, what is held, or its complement.
        let other = (held.val() ^ compares.repeat(wide)) & (keeps || compares).repeat(wide);
        let carry = compares || (keeps && task.rounds);
        // One below the lowest bit carries one into the others.
        let sum = cat(&[value.low(bits).zero_extend(wide), carry]) + cat(&[other, carry]);
        discard(sum.bit(0), "what carries");
        if grows && (!task.compares || takes.val()) {
            held.next = sum.high(wide);
        }
        if compares {
            takes.next = sum.high(1) ^ is_max;
        }
    }
    let ends = grows && task.is_last;
    finishes.next = ends;
    place.next = of;
    let is_average = task.operation == Operation::Average as u64;
    let of_average = if task.more == 1 { lit(CUT_BITS, HALF) } else { lit(CUT_BITS, QUARTER) };
    let own = if is_average { of_average } else { lit(CUT_BITS, WHOLE) };
    cut.next = if ends { own } else { lit(CUT_BITS, OF_WALK) };
    is_limited.next = ends && task.operation == Operation::Sum as u64;
    Straights { is_over, ends, takes_walk: is_free && !finishes.val(), is_free }
}

/// One bit: the last value of a quad may be taken, since what comes of it will find room.
#[kernel]
pub(super) fn may_end(straight: &Straight) -> Bits {
    straight.may_end.val()
}

/// A result comes to wait: of what is held, or of the walk. `comes_behind`: in the next clock no result is written; `is_taken`: the last
/// value of a quad comes then.
#[kernel]
pub(super) fn finish(
    straight: &Straight,
    walk: &WalkPut,
    comes: Bits,
    of: Straights,
    [comes_behind, is_taken]: [Bits; 2],
) {
    /// # Results
    let Straight { held, finishes, place, cut, is_limited, has_put, put, .. } = straight;
    let bits = held[0].width() - CARRY_BITS;
    let finishes = finishes.val();
    let takes = comes && of.takes_walk;
    let will_have_put = finishes || takes || !of.is_free;
    has_put.next = will_have_put;
    straight.may_end.next = (!will_have_put || !comes_behind) && !of.ends && !is_taken;
    let cut = cut.val();
    let result = |channel: usize| {
        let held = held[channel].val();
        let is_over = is_limited.val() && held.high(CARRY_BITS).any();
        let few = if cut.bit(0) { held.slice(1, bits) } else { held.low(bits) };
        let many = if cut.bit(0) { walk.value.low(bits) } else { held.slice(2, bits) };
        let number = if cut.bit(1) { many } else { few };
        if is_over { !lit(bits, 0u32) } else { number }
    };
    if finishes || takes {
        let above = walk.value.width() - bits;
        let above = if above > 0 { walk.value.high(above) } else { lit(1, 0u32) };
        put.next = Put {
            head: PutHead {
                place: if finishes { place.val() } else { walk.place },
                is_whole: finishes,
                number: walk.number,
            },
            numbers: std::array::from_fn(result),
            above: if finishes { lit(above.width(), 0u32) } else { above },
        };
    }
}
