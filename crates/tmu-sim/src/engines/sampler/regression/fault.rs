//! Faults that are done to the hardware one by one, and what became of them.

use crate::engines::sampler::lengths::can_meet;
use crate::kit::memory::LengthFault;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use tmu_rtl::system::registers;
use tmu_spec::{BeatsPerQuad, Config};

/// Most beats that an answer has too many.
const MOST_BEATS_TOO_MANY: u8 = 12;

/// Something bad that is done to the hardware.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// A read is answered SLVERR.
    ReadSlverr,
    /// A read is answered DECERR.
    ReadDecerr,
    /// See [`LengthFault::Early`].
    AnswerTooShort,
    /// See [`LengthFault::EarlyAndDue`].
    RlastTwice,
    /// See [`LengthFault::Late`].
    AnswerTooLong,
    /// See [`LengthFault::Absent`].
    NoRlast,
    /// See [`Breakage::QuadTooShort`](crate::engines::sampler::streams::request::Breakage::QuadTooShort).
    QuadTooShort,
    /// See [`Breakage::QuadTooLong`](crate::engines::sampler::streams::request::Breakage::QuadTooLong).
    QuadTooLong,
    /// See [`Breakage::BindingTooLong`](crate::engines::sampler::streams::request::Breakage::BindingTooLong).
    BindingTooLong,
    /// See [`Breakage::BindingTooShort`](crate::engines::sampler::streams::request::Breakage::BindingTooShort).
    BindingTooShort,
    /// `tuser` changes inside a quad of the classic numerics, of which the first beat says what it is.
    TuserChanges,
    /// `tuser` changes inside a packet of the general numerics, which is dropped.
    PacketOfBothSorts,
    /// A binding breaks a rule.
    IllegalBinding,
    /// The side of the streams is reset.
    CoreReset,
    /// The units' side is reset.
    TmuReset,
    /// The memory port's side is reset.
    MemoryReset,
    /// Several sides are reset.
    SeveralResets,
    /// A reset by command.
    SoftReset,
    /// The caches are invalidated by command.
    Invalidation,
    /// A register is accessed that there is not.
    UnmappedAccess,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [FaultKind; 20] = [
        FaultKind::ReadSlverr,
        FaultKind::ReadDecerr,
        FaultKind::AnswerTooShort,
        FaultKind::RlastTwice,
        FaultKind::AnswerTooLong,
        FaultKind::NoRlast,
        FaultKind::QuadTooShort,
        FaultKind::QuadTooLong,
        FaultKind::BindingTooLong,
        FaultKind::BindingTooShort,
        FaultKind::TuserChanges,
        FaultKind::PacketOfBothSorts,
        FaultKind::IllegalBinding,
        FaultKind::CoreReset,
        FaultKind::TmuReset,
        FaultKind::MemoryReset,
        FaultKind::SeveralResets,
        FaultKind::SoftReset,
        FaultKind::Invalidation,
        FaultKind::UnmappedAccess,
    ];

    /// In words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::ReadSlverr => "a read is answered SLVERR",
            FaultKind::ReadDecerr => "a read is answered DECERR",
            FaultKind::AnswerTooShort => LengthFault::Early.name(),
            FaultKind::RlastTwice => LengthFault::EarlyAndDue.name(),
            FaultKind::AnswerTooLong => LengthFault::Late(1).name(),
            FaultKind::NoRlast => LengthFault::Absent.name(),
            FaultKind::QuadTooShort => "`tlast` one beat early in a quad",
            FaultKind::QuadTooLong => "`tlast` late in a quad",
            FaultKind::BindingTooLong => "`tlast` late in a binding",
            FaultKind::BindingTooShort => "`tlast` early in a binding",
            FaultKind::TuserChanges => "`tuser` changes inside a quad",
            FaultKind::PacketOfBothSorts => "a packet that is a quad and a binding",
            FaultKind::IllegalBinding => "a binding breaks a rule",
            FaultKind::CoreReset => "reset of `core_aclk`'s side",
            FaultKind::TmuReset => "reset of `tmu_aclk`'s side",
            FaultKind::MemoryReset => "reset of `m_axi_aclk`'s side",
            FaultKind::SeveralResets => "resets of several sides",
            FaultKind::SoftReset => "soft reset",
            FaultKind::Invalidation => "invalidation of the caches",
            FaultKind::UnmappedAccess => "access to a register that there is not",
        }
    }

    /// Bits of which the register `ERROR` must have one or more afterwards; 0 where it must have none.
    pub(crate) const fn error_bits(self) -> u32 {
        match self {
            FaultKind::ReadSlverr => registers::ERROR_MEMORY_SLVERR.mask(),
            FaultKind::ReadDecerr => registers::ERROR_MEMORY_DECERR.mask(),
            FaultKind::AnswerTooShort
            | FaultKind::RlastTwice
            | FaultKind::AnswerTooLong
            | FaultKind::NoRlast => registers::ERROR_MEMORY_LENGTH.mask(),
            FaultKind::QuadTooShort
            | FaultKind::QuadTooLong
            | FaultKind::BindingTooLong
            | FaultKind::BindingTooShort
            | FaultKind::PacketOfBothSorts => registers::ERROR_PACKET_LENGTH.mask(),
            FaultKind::IllegalBinding => registers::ERROR_BINDING_RULES.mask(),
            _ => 0,
        }
    }

    /// Whether the hardware must report it: in the register, or by the answer to an access.
    #[must_use]
    pub const fn is_reported(self) -> bool {
        self.error_bits() != 0 || matches!(self, FaultKind::UnmappedAccess)
    }

    /// How the answer to a read is of the wrong length, where that is the fault; one beat too many for any number.
    pub(crate) const fn length_fault(self) -> Option<LengthFault> {
        match self {
            FaultKind::AnswerTooShort => Some(LengthFault::Early),
            FaultKind::RlastTwice => Some(LengthFault::EarlyAndDue),
            FaultKind::AnswerTooLong => Some(LengthFault::Late(1)),
            FaultKind::NoRlast => Some(LengthFault::Absent),
            _ => None,
        }
    }

    /// Whether it is a fault of memory, which there is only where something is read.
    pub(crate) const fn is_of_memory(self) -> bool {
        matches!(self, FaultKind::ReadSlverr | FaultKind::ReadDecerr) || self.length_fault().is_some()
    }

    /// Whether it can be done to this hardware.
    #[must_use]
    pub fn fits(self, config: &Config) -> bool {
        if let Some(fault) = self.length_fault() {
            return can_meet(fault, config);
        }
        let has_several_beats = config.request().beats_per_quad() == BeatsPerQuad::Two;
        let is_general = config.features().general().is_some();
        match self {
            FaultKind::QuadTooShort => has_several_beats,
            FaultKind::TuserChanges => has_several_beats && !is_general,
            FaultKind::BindingTooShort | FaultKind::PacketOfBothSorts => is_general,
            FaultKind::MemoryReset => config.clocks().memory_mhz().is_some(),
            FaultKind::SoftReset | FaultKind::Invalidation | FaultKind::UnmappedAccess => {
                config.control().port()
            }
            _ => true,
        }
    }
}

/// What became of the faults of a kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Faults that took place.
    pub injected: u64,
    /// Faults that the hardware reported.
    pub reported: u64,
    /// Faults behind which good requests were served as if nothing had been.
    pub recovered: u64,
    /// Quads that came back with the error bit for a read that failed or was answered with the wrong length.
    pub excused_quads: u64,
}

/// Faults by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tallies(BTreeMap<FaultKind, Tally>);

impl Tallies {
    /// Of one kind.
    pub(crate) fn of_mut(&mut self, kind: FaultKind) -> &mut Tally {
        self.0.entry(kind).or_default()
    }

    /// By kind, those of which there was none left out.
    pub fn iter(&self) -> impl Iterator<Item = (FaultKind, Tally)> + '_ {
        self.0.iter().map(|(kind, tally)| (*kind, *tally))
    }

    /// Of all kinds.
    #[must_use]
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.0.values().for_each(|tally| total.add(*tally));
        total
    }

    /// Adds those of another run.
    pub fn add(&mut self, other: &Tallies) {
        for (kind, tally) in other.iter() {
            self.of_mut(kind).add(tally);
        }
    }
}

impl Tally {
    const fn add(&mut self, other: Tally) {
        self.injected += other.injected;
        self.reported += other.reported;
        self.recovered += other.recovered;
        self.excused_quads += other.excused_quads;
    }
}

/// A fault of its kind, with any number of beats.
pub(crate) fn some_length(fault: LengthFault, random: &mut ChaCha8Rng) -> LengthFault {
    match fault {
        LengthFault::Late(_) => LengthFault::Late(random.random_range(1..=MOST_BEATS_TOO_MANY)),
        _ => fault,
    }
}
