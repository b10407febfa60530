//! `turns`: when items move from place to place, and when a quad comes twice.
//!
//! A quad of a volume whose footprint counts comes twice: u and v in its first turn, w in the second one. It is a quad in the second
//! turn only; the first one goes through the places in front of it.

use super::Items;
use super::steps::{INTERVAL_CLOCKS, Place};
use tmu_hdl::prelude::*;

/// When items move.
#[derive(Bundle)]
pub(super) struct Turns {
    /// The clock's number in a place.
    phase: Reg,
    /// There has been an item in front of the stage since phase 0.
    pub(super) is_offered: Reg,
    /// There is an item at the output.
    pub(super) is_full: Reg,
    double: Optional<Double>,
}

/// Quads that come twice.
#[derive(Bundle)]
struct Double {
    /// The one in front of the stage does.
    is_double: Reg,
    /// It does for the second time.
    is_second: Reg,
}

/// When registers move, and when items do.
pub(super) struct Moves {
    pub(super) phase: Bits,
    /// Registers take what comes.
    pub(super) all: Bits,
    /// Items go on to the next place.
    pub(super) items: Bits,
}

/// The turn of what stands in front of the stage, a bit each.
#[derive(Clone, Debug, Record)]
pub(super) struct Turn<T = Bits> {
    /// It is the first one of two.
    pub(super) is_first: T,
    /// It is the second one.
    pub(super) is_second: T,
}

/// What stands in front of the stage.
pub(super) struct Offer {
    pub(super) valid: Bits,
    pub(super) is_binding: Bits,
    /// It comes twice.
    pub(super) is_double: Bits,
}

impl Turns {
    pub(super) fn new(clocks: &Clocks, has_volumes: bool) -> Turns {
        let bit = || Reg::with_reset(clocks, 1, 0);
        Turns {
            phase: Reg::with_reset(clocks, 2, 0),
            is_offered: bit(),
            is_full: bit(),
            double: Optional::new(has_volumes, || Double { is_double: bit(), is_second: bit() }),
        }
    }
}

#[kernel]
pub(super) fn moves(turns: &Turns) -> Moves {
    /// # Turns
    let phase = turns.phase.val();
    let is_last = phase == (INTERVAL_CLOCKS - 1) as u64;
    let is_held = turns.is_full.val();
    Moves { phase, all: !is_last || !is_held, items: is_last && !is_held }
}

/// The turn of what stands in front of the stage; none where no quad comes twice.
#[kernel]
pub(super) fn turn(turns: &Turns) -> Option<Turn> {
    let double = turns.double.as_ref()?;
    let is_second = double.is_second.val();
    Some(Turn { is_first: double.is_double.val() && !is_second, is_second })
}

/// One bit: what stands in front of the stage goes in for the last time.
#[kernel]
pub(super) fn is_last(turns: &Turns) -> Bits {
    match turn(turns) {
        Some(turn) => turns.is_offered.val() && !turn.is_first,
        None => turns.is_offered.val(),
    }
}

/// What is on its way.
pub(super) struct OnWay<'a, 'b> {
    pub(super) bindings: &'a Items<'b>,
    pub(super) quads: &'a Items<'b>,
    /// Where the arithmetic is.
    pub(super) working: &'a [Place],
    /// What stands at the output is taken.
    pub(super) is_taken: Bits,
}

/// Counts the clocks of a place. A binding alone needs no arithmetic.
#[kernel]
pub(super) fn take(turns: &Turns, moves: &Moves, offer: &Offer, on_way: &OnWay<'_, '_>) {
    let OnWay { bindings, quads, working, is_taken } = on_way;
    let has_quads = stack(working.iter().map(|place| quads.at(*place))).any();
    let is_first = moves.phase == 0;
    if is_first {
        turns.is_offered.next = offer.valid;
    }
    if let Some(double) = turns.double.as_ref() {
        if is_first {
            double.is_double.next = offer.valid && offer.is_double;
        }
        if moves.items {
            double.is_second.next = double.is_double.val() && !double.is_second.val();
        }
    }
    /// A binding alone needs no arithmetic.
    if is_first && offer.valid && offer.is_binding && !has_quads {
        turns.phase.next = (INTERVAL_CLOCKS - 1) as u64;
    } else if moves.all {
        turns.phase.next = moves.phase + 1;
    }
    if moves.items {
        turns.is_full.next = bindings.at(Place::Limit) || quads.at(Place::Limit);
    } else if *is_taken {
        turns.is_full.next = 0;
    }
}
