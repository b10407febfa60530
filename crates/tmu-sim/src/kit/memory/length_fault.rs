//! Answers of memory that have more or fewer beats than were asked for.

/// How the beats of an answer disagree with ARLEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LengthFault {
    /// There are fewer: RLAST comes with an earlier beat, and none behind it.
    Early,
    /// RLAST comes with an earlier beat, and the others come all the same, with another RLAST.
    EarlyAndDue,
    /// There are so many more, and RLAST comes with the last one.
    Late(u8),
    /// RLAST comes with none.
    Absent,
}

impl LengthFault {
    /// One of each kind.
    pub const KINDS: [LengthFault; 4] =
        [LengthFault::Early, LengthFault::EarlyAndDue, LengthFault::Late(1), LengthFault::Absent];

    /// The number of its kind among [`LengthFault::KINDS`].
    #[must_use]
    pub const fn number(self) -> usize {
        match self {
            LengthFault::Early => 0,
            LengthFault::EarlyAndDue => 1,
            LengthFault::Late(_) => 2,
            LengthFault::Absent => 3,
        }
    }

    /// In words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            LengthFault::Early => "an answer of memory ends a beat early",
            LengthFault::EarlyAndDue => "RLAST a beat early and again when due",
            LengthFault::Late(_) => "an answer of memory has beats too many",
            LengthFault::Absent => "an answer of memory without RLAST",
        }
    }

    /// Beats of the answer to a read of so many.
    pub(super) const fn beats(self, asked: u32) -> u32 {
        match self {
            LengthFault::Early => asked - 1,
            LengthFault::EarlyAndDue | LengthFault::Absent => asked,
            LengthFault::Late(more) => asked + more as u32,
        }
    }

    /// Whether an answer can have it.
    pub(super) const fn fits(self, asked: u32) -> bool {
        asked > 1 || matches!(self, LengthFault::Late(_) | LengthFault::Absent)
    }

    /// RLAST of a beat, with so many behind it.
    pub(super) const fn last(self, left: u32) -> bool {
        match self {
            LengthFault::Absent => false,
            LengthFault::EarlyAndDue => left < 2,
            LengthFault::Early | LengthFault::Late(_) => left == 0,
        }
    }
}
