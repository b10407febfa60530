//! What a design declares about clock crossings, beyond what primitives say of themselves.
//!
//! - [`Net::on_clock`](crate::net::Net::on_clock) and [`Net::asynchronous`](crate::net::Net::asynchronous) say where an
//!   input of the top comes from.
//! - [`Reg::one_bit_at_a_time`](crate::register::Reg::one_bit_at_a_time) says that a register holds a code that may cross
//!   through flip-flops, bit by bit.
//! - [`crossing_waiver`] lets pass what a rule would refuse, and says why. It names one net and one rule, and one that
//!   waives nothing is refused itself, so that none outlives its cause.
//!
//! Declarations with a reason stand in the [manifest](crate::manifest), and constraints repeat them. The check believes
//! them; whoever writes one owes the proof.

use crate::diagnostic::{Rule, RuleCode, Source};
use crate::record::{self, AtomId};
use rust_hdl_core::prelude::Atom;
use std::panic::Location;

/// A rule about what a crossing primitive may be fed with, and about what belongs to a clock at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CrossingRule {
    /// An input of the top is sampled on one clock only, unless it is declared.
    InputOfTwoClocks,
    /// A register is reset by a reset of its own clock.
    ForeignReset,
    /// Bits that came from one clock through different synchronisers do not meet.
    Reconvergence,
    /// Several bits through one synchroniser are a code of which one bit changes at a time.
    UnsteadyBus,
    /// A synchroniser is fed straight from a register.
    LogicBeforeSynchroniser,
    /// A synchroniser is fed from one clock, and not from its own.
    SynchroniserSource,
    /// A clock drives clock ports and nothing else.
    ClockAsData,
}

impl CrossingRule {
    /// All rules, in the order of their codes.
    pub const ALL: [CrossingRule; 7] = [
        CrossingRule::InputOfTwoClocks,
        CrossingRule::ForeignReset,
        CrossingRule::Reconvergence,
        CrossingRule::UnsteadyBus,
        CrossingRule::LogicBeforeSynchroniser,
        CrossingRule::SynchroniserSource,
        CrossingRule::ClockAsData,
    ];
}

impl RuleCode for CrossingRule {
    /// `H006.1` and up.
    fn code(self) -> &'static str {
        match self {
            CrossingRule::InputOfTwoClocks => "H006.1",
            CrossingRule::ForeignReset => "H006.2",
            CrossingRule::Reconvergence => "H006.3",
            CrossingRule::UnsteadyBus => "H006.4",
            CrossingRule::LogicBeforeSynchroniser => "H006.5",
            CrossingRule::SynchroniserSource => "H006.6",
            CrossingRule::ClockAsData => "H006.7",
        }
    }
}

/// Where an input of the top comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Belongs {
    /// Not said: then to the one clock that samples it.
    #[default]
    Undeclared,
    /// It is a clock.
    IsClock,
    /// To this clock.
    To(AtomId),
    /// To no clock; its bits have nothing to do with each other.
    Asynchronous,
}

/// What the constructor of a net or register declares about crossings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// Where it comes from, for inputs of the top.
    pub belongs: Belongs,
    /// Set for the reset of [`Clocks`](crate::clock::Clocks).
    pub is_reset: bool,
    /// Why no two of its bits ever change at once, where that is so.
    pub one_bit_at_a_time: Option<String>,
}

/// A rule that a kernel sets aside for one net.
#[derive(Clone, Debug)]
pub struct CrossingWaiver {
    /// The net.
    pub net: AtomId,
    /// The rule.
    pub rule: CrossingRule,
    /// Why that is safe.
    pub reason: String,
    /// Where it was written.
    pub source: Source,
}

/// Sets a crossing rule aside for one net, for a `reason` that the manifest and the constraints repeat.
///
/// The net is the one that the refusal names first: the input, the register, or the input of a synchroniser. For
/// [`CrossingRule::Reconvergence`] any port of a synchroniser will do too: then its output may meet others anywhere.
///
/// ```
/// use tmu_hdl::{elaborate::elaborate, prelude::*, primitives::Synchroniser};
///
/// /// Eight switches that nobody moves while the machine is on.
/// #[derive(LogicBlock)]
/// struct Switches {
///     clocks: Clocks,
///     switches: Net<In>,
///     synchroniser: Synchroniser,
///     seen: Net<Out>,
/// }
///
/// #[kernel]
/// impl Switches {
///     fn logic(&self) {
///         self.synchroniser.clocks.follow(&self.clocks);
///         self.synchroniser.data_in.next = self.switches.val();
///         crossing_waiver(&self.synchroniser.data_in, CrossingRule::UnsteadyBus, "set while the power is off");
///         self.seen.next = self.synchroniser.data_out.val();
///     }
/// }
///
/// # fn main() -> Result<(), tmu_hdl::diagnostic::Problems> {
/// let (switches, seen) = (Net::new(8), Net::new(8));
/// let clocks = Clocks::without_reset();
/// elaborate("switches", &Switches { clocks, switches, synchroniser: Synchroniser::new(8, 2), seen })?;
/// # Ok(())
/// # }
/// ```
#[track_caller]
pub fn crossing_waiver(net: &dyn Atom, rule: CrossingRule, reason: &str) {
    let source = Location::caller();
    if reason.trim().is_empty() {
        record::refuse(
            Rule::Crossing(rule),
            format!("a waiver of {} has no reason", rule.code()),
            vec![("waiver".into(), source)],
            "say why the crossing is safe",
        );
    }
    let (net, reason) = (net.id(), reason.to_string());
    record::with_body(|body| body.crossing_waivers.push(CrossingWaiver { net, rule, reason, source }));
}
