//! What a simulation can end with other than success.

use std::any::Any;
use std::fmt;

/// A rule of a bus that the hardware broke.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The interface, as its signals are prefixed: `m_axi`.
    pub interface: String,
    /// What it did and what the rule is, in one sentence.
    pub what: String,
}

impl Violation {
    pub(crate) fn new(interface: impl Into<String>, what: impl Into<String>) -> Self {
        Self { interface: interface.into(), what: what.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.interface, self.what)
    }
}

/// What an engine did that its golden model does not do.
pub trait Wrong: Any + std::error::Error + Send + Sync {
    /// Its kind among those of the engine.
    fn kind(&self) -> &'static str;
}

/// Why a simulation stopped.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// The model cannot be built or broke down, for example by an assertion in the Verilog.
    #[error(transparent)]
    Model(#[from] tmu_verilate::Error),
    /// The hardware broke a rule of a bus.
    #[error("{0}")]
    Violation(Violation),
    /// What an engine gave is not what its golden model gives.
    #[error("{0}")]
    Wrong(Box<dyn Wrong>),
    /// Nothing moved for a long time although something was asked for.
    #[error("nothing moved for {clocks} clocks of core_aclk while {waiting}")]
    Hang {
        /// Clocks without a transfer.
        clocks: u64,
        /// What was waited for.
        waiting: String,
    },
    /// Something else that was checked is not so.
    #[error("{0}")]
    Check(String),
}

/// What sort of failure it is: two runs with failures of one kind most likely show the same mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// The model broke down.
    Model,
    /// A rule of this interface was broken, and the rule's words begin so.
    Violation(String, String),
    /// An engine is wrong in this way; see [`Wrong::kind`].
    Wrong(&'static str),
    /// Standstill.
    Hang,
    /// Something else that was checked, in words that begin so.
    Check(String),
}

impl Cause {
    /// What was wrong, if it is of this sort.
    #[must_use]
    pub fn wrong<W: Wrong>(&self) -> Option<&W> {
        let Cause::Wrong(wrong) = self else { return None };
        let wrong: &dyn Any = &**wrong;
        wrong.downcast_ref()
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        // Numbers differ between runs that show the same mistake.
        let words = |text: &str| {
            let is_word = |word: &&str| !word.contains(|letter: char| letter.is_ascii_digit());
            text.split(' ').filter(is_word).take(3).collect::<Vec<_>>().join(" ")
        };
        match self {
            Cause::Model(_) => Kind::Model,
            Cause::Violation(Violation { interface, what }) => Kind::Violation(
                interface.trim_end_matches(|end: char| end.is_ascii_digit()).to_owned(),
                words(what),
            ),
            Cause::Wrong(wrong) => Kind::Wrong(wrong.kind()),
            Cause::Hang { .. } => Kind::Hang,
            Cause::Check(text) => Kind::Check(words(text)),
        }
    }
}

impl<W: Wrong> From<W> for Cause {
    fn from(wrong: W) -> Self {
        Cause::Wrong(Box::new(wrong))
    }
}

impl From<Violation> for Cause {
    fn from(violation: Violation) -> Self {
        Cause::Violation(violation)
    }
}

/// A simulation that stopped, with the time at which it did.
#[derive(Debug, thiserror::Error)]
#[error("at {time_ps} ps: {cause}{}{}", line("last of all", .last_event), line("repeat with", .repeat))]
pub struct Failure {
    /// Why.
    pub cause: Cause,
    /// When, in simulated time.
    pub time_ps: u64,
    /// What was done to the hardware last, apart from requests: a reset, an invalidation.
    pub last_event: Option<String>,
    /// The command that repeats the run, where one does.
    pub repeat: Option<String>,
}

impl Failure {
    /// The model failed before the first clock.
    pub fn at_start(cause: tmu_verilate::Error) -> Self {
        Self { cause: cause.into(), time_ps: 0, last_event: None, repeat: None }
    }
}

fn line(label: &str, text: &Option<String>) -> String {
    text.as_ref().map(|text| format!("\n{label}: {text}")).unwrap_or_default()
}

/// Result of a simulation.
pub type Result<T, E = Failure> = std::result::Result<T, E>;
