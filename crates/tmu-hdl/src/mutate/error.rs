//! Why a mutation cannot be made.

use std::fmt;

/// Why a mutation cannot be made: what it is about, what is wrong, what there is, what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutationError {
    /// What was asked for, in words.
    pub about: String,
    /// The rule that it breaks.
    pub what: String,
    /// What there is instead.
    pub there_is: Vec<String>,
    /// What to do.
    pub remedy: &'static str,
}

impl fmt::Display for MutationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.about, self.what)?;
        if !self.there_is.is_empty() {
            write!(f, "\n  there is: {}", self.there_is.join(", "))?;
        }
        write!(f, "\n  remedy: {}", self.remedy)
    }
}

impl std::error::Error for MutationError {}

/// What is wrong, before it is known of which mutation.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) what: String,
    pub(super) there_is: Vec<String>,
    pub(super) remedy: &'static str,
}

impl Refusal {
    pub(super) fn new(what: impl Into<String>, there_is: Vec<String>, remedy: &'static str) -> Refusal {
        Refusal { what: what.into(), there_is, remedy }
    }
}

/// What is wrong with a mutation, or with what is looked for.
pub(super) fn of(about: String, refusal: Refusal) -> MutationError {
    let Refusal { what, there_is, remedy } = refusal;
    MutationError { about, what, there_is, remedy }
}

/// The first fault, or what was made.
pub(super) type Made<T> = Result<T, Refusal>;
