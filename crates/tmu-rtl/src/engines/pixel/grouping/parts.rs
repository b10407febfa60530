//! What `grouping` keeps.

use crate::engines::pixel::words::{FoundWord, PIXELS, TileShape};
use tmu_hdl::prelude::*;

/// What was found.
#[derive(Bundle)]
pub(super) struct Entry {
    pub(super) valid: Reg,
    pub(super) found: FoundWord<FieldReg>,
}

/// What is done.
#[derive(Bundle)]
pub(super) struct Turn {
    /// The bank that takes what is found.
    pub(super) bank: Reg,
    /// After reset: all banks are emptied.
    pub(super) clears: Reg,
    /// Nothing else is.
    pub(super) is_idle: Reg,
    /// Two rows are read, then the first pixel is sought in groups, then among these.
    pub(super) reads: Reg,
    pub(super) seeks: Reg,
    pub(super) picks: Reg,
    /// A triangle is looked for.
    pub(super) scans: Reg,
    /// All is done: the end leaves.
    pub(super) ends: Reg,
    /// The two rows whose first pixel is sought.
    pub(super) rows: Reg,
    /// The two rows that are read next.
    pub(super) next_rows: Reg,
    /// They are not behind the last ones.
    pub(super) has_next: Reg,
    /// The triangle.
    pub(super) number: Reg,
    /// No quad of it has left.
    pub(super) is_first: Reg,
}

/// Two rows.
#[derive(Bundle)]
pub(super) struct Rows {
    pub(super) valid: Reg,
    pub(super) rows: Reg,
    pub(super) is_last: Reg,
    pub(super) pending: Reg,
    pub(super) numbers: Vec<Reg>,
}

/// Pixels of the triangle.
#[derive(Bundle)]
pub(super) struct Matched {
    pub(super) valid: Reg,
    pub(super) rows: Reg,
    pub(super) is_last: Reg,
    /// By rows.
    pub(super) pixels: Reg,
}

/// Quads of the triangle.
#[derive(Bundle)]
pub(super) struct Counted {
    pub(super) valid: Reg,
    pub(super) rows: Reg,
    pub(super) is_last: Reg,
    pub(super) masks: Vec<Reg>,
    pub(super) are_there: Reg,
}

/// Quads that leave.
#[derive(Bundle)]
pub(super) struct QuadsLeft {
    pub(super) rows: Reg,
    pub(super) is_last: Reg,
    pub(super) masks: Vec<Reg>,
    pub(super) are_there: Reg,
    /// All but the first of them.
    pub(super) others: Reg,
    /// There is one, and there are others: kept, since all that moves asks.
    pub(super) has_quad: Reg,
    pub(super) has_more: Reg,
}

fn low(clocks: &Clocks) -> Reg {
    Reg::with_reset(clocks, 1, 0)
}

/// Bits of the number of two rows.
fn row_bits(shape: &TileShape) -> usize {
    shape.height_log2 - 1
}

impl Entry {
    pub(super) fn new(shape: &TileShape, clocks: &Clocks) -> Entry {
        Entry { valid: low(clocks), found: FoundWord::of(shape).registers(clocks) }
    }
}

impl Turn {
    pub(super) fn new(shape: &TileShape, clocks: &Clocks) -> Turn {
        let low = || low(clocks);
        Turn {
            bank: low(),
            clears: Reg::with_reset(clocks, 1, 1),
            is_idle: low(),
            reads: low(),
            seeks: low(),
            picks: low(),
            scans: low(),
            ends: low(),
            rows: Reg::with_reset(clocks, row_bits(shape), 0),
            next_rows: Reg::new(clocks, row_bits(shape)),
            has_next: low(),
            number: Reg::new(clocks, shape.number_bits),
            is_first: Reg::new(clocks, 1),
        }
    }
}

impl Rows {
    pub(super) fn new(shape: &TileShape, clocks: &Clocks) -> Rows {
        let pixels = 2 * shape.width();
        Rows {
            valid: low(clocks),
            rows: Reg::new(clocks, row_bits(shape)),
            is_last: Reg::new(clocks, 1),
            pending: Reg::new(clocks, pixels),
            numbers: Reg::array(pixels, clocks, shape.number_bits),
        }
    }
}

impl Matched {
    pub(super) fn new(shape: &TileShape, clocks: &Clocks) -> Matched {
        Matched {
            valid: low(clocks),
            rows: Reg::new(clocks, row_bits(shape)),
            is_last: Reg::new(clocks, 1),
            pixels: Reg::new(clocks, 2 * shape.width()),
        }
    }
}

impl Counted {
    pub(super) fn new(shape: &TileShape, clocks: &Clocks) -> Counted {
        let quads = shape.width() / 2;
        Counted {
            valid: low(clocks),
            rows: Reg::new(clocks, row_bits(shape)),
            is_last: Reg::new(clocks, 1),
            masks: Reg::array(quads, clocks, PIXELS),
            are_there: Reg::new(clocks, quads),
        }
    }
}

impl QuadsLeft {
    pub(super) fn new(shape: &TileShape, clocks: &Clocks) -> QuadsLeft {
        let quads = shape.width() / 2;
        QuadsLeft {
            rows: Reg::new(clocks, row_bits(shape)),
            is_last: low(clocks),
            masks: Reg::array(quads, clocks, PIXELS),
            are_there: Reg::with_reset(clocks, quads, 0),
            others: Reg::new(clocks, quads),
            has_quad: low(clocks),
            has_more: low(clocks),
        }
    }
}
