//! Fair choice between requesters.

use crate::prelude::*;

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
    granted_index: Optional<Reg>,
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
            granted_index: Optional::new(registered, || register(index_bits)),
            clocks,
        }
    }
}

/// The lowest bit that is set, alone.
#[kernel]
fn lowest(bits: Bits) -> Bits {
    let mut alone = bits.bit(0);
    for i in 1..bits.width() {
        let first = bits.bit(i) & !bits.low(i).any();
        alone = cat(&[first, alone]);
    }
    alone
}

/// The number of the bit that is set; 0 where none is.
#[kernel]
fn encode(one_hot: Bits, width: usize) -> Bits {
    let number = |i: usize| one_hot.bit(i).repeat(width) & lit(width, i as u32);
    (1..one_hot.width()).fold(lit(width, 0u32), |index, i| index | number(i))
}

/// The requesters behind the one that is set.
#[kernel]
fn behind(one_hot: Bits) -> Bits {
    let bits: Vec<Bits> = (0..one_hot.width())
        .rev()
        .map(|i| if i > 0 { one_hot.low(i).any() } else { lit(1, 0u32) })
        .collect();
    cat(&bits)
}

/// The first of the candidates that are favoured, or of all.
#[kernel]
fn choose(candidates: Bits, favoured: Bits) -> Bits {
    let first = candidates & favoured;
    if first.any() { lowest(first) } else { lowest(candidates) }
}

/// Chooses between requesters in turn: who was served last comes last.
#[kernel]
impl RoundRobinArbiter {
    fn module_name(&self) -> String {
        let registered = if self.granted.is_some() { "_registered" } else { "" };
        format!("round_robin_arbiter_{}{registered}", self.requests.width())
    }

    fn logic(&self) {
        let requests = self.requests.val();
        if let (Some(granted), Some(granted_index)) = (&*self.granted, &*self.granted_index) {
            /// Who is granted has been chosen, so that those behind come first, and is no candidate.
            let grant = granted.val();
            let favoured = if grant.any() { behind(grant) } else { self.favoured.val() };
            let chosen = choose(requests & !grant, favoured);
            if !grant.any() | self.accept.val() {
                granted.next = chosen;
                granted_index.next = encode(chosen, self.grant_index.width());
            }
            self.favoured.next = favoured;
            self.grant.next = grant;
            self.grant_index.next = granted_index.val();
        } else {
            let chosen = choose(requests, self.favoured.val());
            if self.accept.val() && chosen.any() {
                self.favoured.next = behind(chosen);
            }
            self.grant.next = chosen;
            self.grant_index.next = encode(chosen, self.grant_index.width());
        }
        timing(self.granted.iter().count() as u32, 1);
    }
}
