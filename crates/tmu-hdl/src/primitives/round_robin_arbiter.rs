//! Fair choice between requesters.

use crate::prelude::*;
use crate::value::Value;

/// When a grant answers a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantTiming {
    /// In the same clock, through about four LUTs for eight requesters. II 1.
    Combinational,
    /// In the next clock, from a register. A requester that was served is not chosen in the clock that serves
    /// it, so that a lone requester is served in every other clock; several share every clock.
    Registered,
}

/// Chooses between requesters in turn.
///
/// A requester keeps its request high until its grant and `accept` are high together: that serves it. Who was
/// served last comes last, so that nobody waits for more than one turn of each other. `accept` without a grant
/// means nothing. Latency 0 or 1, see [`GrantTiming`].
#[derive(Debug, LogicBlock)]
pub struct RoundRobinArbiter {
    /// The clock.
    pub clocks: Clocks,
    /// One bit for each requester.
    pub requests: Net<In>,
    /// High to serve the requester that is granted, at the next edge.
    pub accept: Net<In>,
    /// One bit for each requester, at most one of them high.
    pub grant: Net<Out>,
    /// The number of the requester that is granted; 0 without a grant.
    pub grant_index: Net<Out>,
    /// The requesters behind the one served last: they come first.
    favoured: Reg,
    granted: Optional<Reg>,
}

impl RoundRobinArbiter {
    /// An arbiter between `count` requesters, at least one.
    #[track_caller]
    pub fn new(count: usize, timing: GrantTiming) -> RoundRobinArbiter {
        let clocks = Clocks::new();
        let index_bits = (count.next_power_of_two().ilog2() as usize).max(1);
        let register = |width| Reg::with_reset(&clocks, width, 0);
        let registered = timing == GrantTiming::Registered;
        RoundRobinArbiter {
            requests: Net::new(count),
            accept: Net::bit(),
            grant: Net::new(count),
            grant_index: Net::new(index_bits),
            favoured: register(count),
            granted: Optional::new(registered, || register(count)),
            clocks,
        }
    }
}

/// The bits above the lowest one that is set.
#[kernel]
fn above_lowest(bits: Bits) -> Bits {
    let zero = lit(1, 0u32);
    let mut above = if bits.width() > 1 { cat(&[bits.low(bits.width() - 1), zero]) } else { zero };
    let mut distance = 1;
    while distance < bits.width() {
        above = above | (above << distance);
        distance *= 2;
    }
    above
}

/// The number of the bit that is set; 0 where none is.
#[kernel]
fn encode(one_hot: Bits, width: usize) -> Bits {
    let ones = |digit: usize| Value::from_bits((0..one_hot.width()).map(|i| i >> digit & 1 == 1));
    let digits: Vec<Bits> =
        (0..width).rev().map(|digit| (one_hot & Bits::constant(ones(digit))).any()).collect();
    cat(&digits)
}

/// Chooses between requesters in turn: who was served last comes last.
#[kernel]
impl RoundRobinArbiter {
    fn module_name(&self) -> String {
        let registered = if self.granted.is_some() { "_registered" } else { "" };
        format!("round_robin_arbiter_{}{registered}", self.requests.width())
    }

    fn logic(&self) {
        let mut candidates = self.requests.val();
        let mut free = lit(1, 1u32);
        if let Some(granted) = &*self.granted {
            candidates = candidates & !granted.val();
            free = !granted.val().any() | self.accept.val();
        }
        let favoured = candidates & self.favoured.val();
        /// Both choices are made at once, so that only a multiplexer waits for `favoured`.
        let (behind_favoured, behind_others) = (above_lowest(favoured), above_lowest(candidates));
        let any_favoured = favoured.any();
        let behind = if any_favoured { behind_favoured } else { behind_others };
        let chosen = if any_favoured { favoured & !behind_favoured } else { candidates & !behind_others };

        let mut served = self.accept.val();
        let mut grant = chosen;
        if let Some(granted) = &*self.granted {
            if free {
                granted.next = chosen;
            }
            served = free;
            grant = granted.val();
        }
        /// The number follows from the register: finding it out beside the choice would make that path the longest.
        let grant_index = encode(grant, self.grant_index.width());
        self.grant.next = grant;
        self.grant_index.next = grant_index;

        if served && candidates.any() {
            self.favoured.next = behind;
        }
        timing(self.granted.iter().count() as u32, 1);
    }
}
