//! Where in a record something stands.

use crate::record::scope::{POSITION_MARK, plain_name};

/// A place in a record: its name, with `_` between the names of nested records and the positions of arrays, and its docs.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// With a mark before the positions in arrays.
    marked: String,
    docs: &'static str,
}

impl Part {
    /// The record itself.
    pub fn root() -> Part {
        Part::default()
    }

    /// The record itself, where it has a name.
    pub fn named(name: &str) -> Part {
        Part { marked: name.into(), docs: "" }
    }

    /// A part of what stands here.
    pub fn field(&self, name: &str, docs: &'static str) -> Part {
        let marked = match self.marked.as_str() {
            "" => name.into(),
            around => format!("{around}_{name}"),
        };
        Part { marked, docs }
    }

    /// An item of the array that stands here.
    pub fn index(&self, index: usize) -> Part {
        let marked = match self.marked.as_str() {
            "" => index.to_string(),
            around => format!("{around}{POSITION_MARK}{index}"),
        };
        Part { marked, docs: self.docs }
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
