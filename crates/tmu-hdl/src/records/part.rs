//! Where in a record something stands.

use crate::enums::Names;
use crate::record::scope::{POSITION_MARK, plain_name};

/// A place in a record: its name, with `_` between the names of nested records and the positions of arrays, and its docs.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// With a mark before the positions in arrays.
    marked: String,
    /// Nobody asks for the name, or for that of a part of what stands here: putting names together takes most of the time that a
    /// record of numbers takes.
    is_nameless: bool,
    docs: &'static str,
    /// What its codes are called, for an enum.
    names: Option<Names>,
}

impl Part {
    /// The record itself.
    pub fn root() -> Part {
        Part::default()
    }

    /// The record itself, where nobody asks for the names of its parts.
    pub fn nameless() -> Part {
        Part { is_nameless: true, ..Part::default() }
    }

    /// The record itself, where it has a name.
    pub fn named(name: &str) -> Part {
        Part { marked: name.into(), ..Part::default() }
    }

    /// A part of what stands here.
    pub fn field(&self, name: &str, docs: &'static str) -> Part {
        if self.is_nameless {
            return Part::nameless();
        }
        let marked = match self.marked.as_str() {
            "" => name.into(),
            around => format!("{around}_{name}"),
        };
        Part { marked, docs, ..Part::default() }
    }

    /// An item of the array that stands here.
    pub fn index(&self, index: usize) -> Part {
        if self.is_nameless {
            return Part::nameless();
        }
        let marked = match self.marked.as_str() {
            "" => index.to_string(),
            around => format!("{around}{POSITION_MARK}{index}"),
        };
        Part { marked, docs: self.docs, ..Part::default() }
    }

    /// The same place, where an enum stands.
    pub(crate) fn with_names(&self, names: Names) -> Part {
        Part { names: Some(names), ..self.clone() }
    }

    /// What its codes are called, for an enum.
    pub(crate) fn names(&self) -> Option<Names> {
        self.names
    }

    /// The name, empty for the record itself.
    pub fn name(&self) -> String {
        plain_name(&self.marked)
    }

    /// The name, with a mark before the positions in arrays.
    pub(crate) fn marked_name(&self) -> &str {
        &self.marked
    }

    /// The documentation of the field, one line.
    pub fn docs(&self) -> &'static str {
        self.docs
    }
}
