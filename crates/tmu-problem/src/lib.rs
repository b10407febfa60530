//! What is wrong with an input or a design, as data: a stable code, the place, the message and what to do.
//!
//! Each crate keeps its own rules, an enum that is [`RuleCode`]; what breaks one is a [`Problem`] that no longer knows the
//! enum, so that problems of all crates go into one list and are printed by one printer.
//!
//! Contract: a [`Problems`] that is returned as an error is never empty and holds everything that was found, in the order
//! in which it was found. Nothing here reads files or prints. The crate depends on nothing, as all others wait for it.
//!
//! ```
//! use tmu_problem::{Problem, RuleCode};
//!
//! #[derive(Clone, Copy)]
//! struct PowerOfTwo;
//! impl RuleCode for PowerOfTwo {
//!     fn code(self) -> &'static str {
//!         "E0005"
//!     }
//! }
//!
//! let problem = Problem::new(PowerOfTwo, "must be a power of two", "use 64").about("cache.sets", "65");
//! let text = "error[E0005]: cache.sets = 65: must be a power of two\n  help: use 64";
//! assert_eq!(problem.to_string(), text);
//! ```

mod list;
mod place;

pub use list::{Problems, Report};
pub use place::Place;

use std::fmt;
use std::path::Path;

/// A rule with a stable code.
pub trait RuleCode {
    /// The code that `tmugen explain` takes, such as `E0106`. Codes keep their meaning for ever.
    fn code(self) -> &'static str;
}

/// One thing that is wrong, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The code of the rule that is broken.
    pub code: &'static str,
    /// The key whose value breaks it, if it is about one.
    pub subject: Option<Subject>,
    /// What is wrong, in one sentence: of a problem with a subject what must hold of it.
    pub message: String,
    /// What to do, in one sentence.
    pub help: String,
    /// Where it is wrong, as far as that is known.
    pub place: Place,
    /// What else has to do with it.
    pub notes: Vec<Note>,
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The full key, like `cache.sets`.
    pub key: String,
    /// The value as it stands in the text, or the default that was not overridden; empty if there is none.
    pub value: String,
}

/// A line below the message of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What the note says or names.
    pub text: String,
    /// Where that stands; [`Place::default`] if nowhere.
    pub place: Place,
}

impl Problem {
    /// A problem at no place yet.
    pub fn new(rule: impl RuleCode, message: impl Into<String>, help: impl Into<String>) -> Self {
        Problem {
            code: rule.code(),
            subject: None,
            message: message.into(),
            help: help.into(),
            place: Place::default(),
            notes: Vec::new(),
        }
    }

    /// The same problem, of a key and its value; an empty value is none.
    #[must_use]
    pub fn about(self, key: impl Into<String>, value: impl Into<String>) -> Self {
        Problem { subject: Some(Subject { key: key.into(), value: value.into() }), ..self }
    }

    /// The same problem, in a file.
    #[must_use]
    pub fn in_file(mut self, file: &Path) -> Self {
        self.place.file = Some(file.to_path_buf());
        self
    }

    /// The same problem, at a line of its file and a column, both from 1.
    #[must_use]
    pub fn at(mut self, line: usize, column: Option<usize>) -> Self {
        (self.place.line, self.place.column) = (Some(line), column);
        self
    }

    /// The same problem, with a note, which may have a place.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>, place: impl Into<Place>) -> Self {
        self.notes.push(Note { text: text.into(), place: place.into() });
        self
    }

    /// The subject, if there is one, and the message.
    pub fn statement(&self) -> String {
        match &self.subject {
            Some(subject) => format!("{subject}: {}", self.message),
            None => self.message.clone(),
        }
    }
}

/// `key = value`.
impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)?;
        if self.value.is_empty() { Ok(()) } else { write!(f, " = {}", self.value) }
    }
}

/// `text: place`.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        if self.place.is_known() { write!(f, ": {}", self.place) } else { Ok(()) }
    }
}

/// `place: error[code]: statement`, and notes and help on lines below it.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_known() {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "error[{}]: {}", self.code, self.statement())?;
        for note in &self.notes {
            write!(f, "\n  {note}")?;
        }
        write!(f, "\n  help: {}", self.help)
    }
}

#[cfg(test)]
mod tests;
