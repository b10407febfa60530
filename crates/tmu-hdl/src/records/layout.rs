//! The table of a packed record.

use serde::Serialize;
use std::fmt;

/// A part of a packed record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LayoutRow {
    /// Its name.
    pub name: String,
    /// Its lowest bit.
    pub lsb: usize,
    /// Bits.
    pub width: usize,
    /// The documentation of the field.
    pub docs: String,
}

impl fmt::Display for LayoutRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LayoutRow { name, lsb, width, docs } = self;
        write!(f, "{name} [{}:{lsb}] {docs}", lsb + width - 1)
    }
}
