//! What can be done in a run: packets, resets, commands, faults, judgements.

use crate::engines::sampler::bench::Resets;
use crate::engines::sampler::regression::fault::FaultKind;
use crate::engines::sampler::scoreboard::binding_text;
use crate::engines::sampler::streams::request::{Packet, Request};
use crate::kit::control::Access;
use crate::kit::memory::Fault;
use crate::kit::memory::LengthFault;
use std::fmt::Write as _;
use tmu_spec::Config;

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Queue a packet for a unit.
    Send {
        /// The unit.
        unit: usize,
        /// The packet.
        packet: Packet,
    },
    /// Let some clock edges pass.
    Pass(u32),
    /// Reset some sides.
    Reset(Resets),
    /// Reset by command.
    SoftReset,
    /// Invalidate the caches by command.
    Invalidate,
    /// Access a register that there is not.
    Access(Access),
    /// Make the next read fail that memory could answer.
    FailRead(Fault),
    /// Make the next answer of memory of the wrong length that can be.
    BreakAnswer(LengthFault),
    /// Wait until nothing is under way, and ask the hardware what it makes of the fault.
    Judge,
    /// Wait until nothing is under way, and find everything as if there had been no fault.
    Recovered,
}

/// An item of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What it does.
    pub action: Action,
    /// The fault that it is, where faults are counted.
    pub fault: Option<FaultKind>,
}

impl Item {
    /// An item that is no fault.
    #[must_use]
    pub const fn new(action: Action) -> Self {
        Self { action, fault: None }
    }

    /// Whether it is a quad to be answered.
    #[must_use]
    pub const fn is_quad(&self) -> bool {
        matches!(self.action, Action::Send { packet: Packet { request: Request::Sample(_), .. }, .. })
    }

    /// In words.
    #[must_use]
    pub fn text(&self, config: &Config) -> String {
        match &self.action {
            Action::Send { unit, packet: Packet { request, beats } } => match request {
                Request::Bind(record) => {
                    format!("unit {unit}: {}", binding_text(Some(*record), config.features()))
                }
                Request::Sample(quad) => {
                    format!("unit {unit}: quad, valid {:04b}, at {:?}", quad.valid(), quad.uv())
                }
                Request::Broken(breakage) => {
                    format!("unit {unit}: {}, {} beats", breakage.name(), beats.len())
                }
            },
            Action::Pass(steps) => format!("{steps} clock edges"),
            Action::Reset(Resets { asserted, held_clocks, released }) => {
                let mut text = "reset of ".to_owned();
                for (number, (domain, _)) in asserted.iter().enumerate() {
                    let _ = write!(text, "{}{domain:?}", if number == 0 { "" } else { ", " });
                }
                let released: Vec<_> = released.iter().map(|(domain, _)| format!("{domain:?}")).collect();
                let _ = write!(text, ", {held_clocks} clocks, released {}", released.join(", "));
                text
            }
            Action::SoftReset => "soft reset".to_owned(),
            Action::Invalidate => "invalidation".to_owned(),
            Action::Access(access) => format!("{access:x?}"),
            Action::FailRead(fault) => format!("a read fails, response {}", fault.response()),
            Action::BreakAnswer(fault) => fault.name().to_owned(),
            Action::Judge | Action::Recovered => "wait until idle".to_owned(),
        }
    }
}
