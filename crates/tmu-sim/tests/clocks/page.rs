//! Measured clocks as a page of the documentation.

use std::fmt::{self, Write as _};
use std::ops::RangeInclusive;

/// What a quantity must be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bound {
    /// This much or less.
    AtMost(u64),
    /// This much or more.
    AtLeast(u64),
}

impl Bound {
    /// Whether everything measured keeps it.
    pub(crate) fn contains(self, clocks: &RangeInclusive<u64>) -> bool {
        match self {
            Bound::AtMost(most) => *clocks.end() <= most,
            Bound::AtLeast(least) => *clocks.start() >= least,
        }
    }
}

/// A quantity that was measured many times.
pub(crate) struct Row {
    pub(crate) what: String,
    /// The least and the most.
    pub(crate) clocks: RangeInclusive<u64>,
    pub(crate) bound: Option<Bound>,
}

impl fmt::Display for Row {
    /// A row of a table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { what, clocks, bound } = self;
        let (least, most) = (clocks.start(), clocks.end());
        write!(f, "| {what} | {least}")?;
        if least != most {
            write!(f, " to {most}")?;
        }
        match bound {
            None => write!(f, " | |"),
            Some(Bound::AtMost(most)) => write!(f, " | at most {most} |"),
            Some(Bound::AtLeast(least)) => write!(f, " | at least {least} |"),
        }
    }
}

/// Quantities that belong together.
pub(crate) struct Section {
    pub(crate) title: &'static str,
    /// What the quantities are, in Markdown.
    pub(crate) text: &'static str,
    /// What is counted: the heading of the column.
    pub(crate) unit: &'static str,
    pub(crate) rows: Vec<Row>,
}

const INTRODUCTION: &str = "<!-- Measured in simulation. UPDATE_MEASURED=1 cargo test -p tmu-sim --test clocks writes it anew, and so does scripts/test-long. -->\n\n\
     # Clocks\n\n\
     Measured in simulation of `fury-single`: core clock 400 MHz, units' clock 480 MHz, memory port on the units' clock. \
     Where two numbers stand, they are the least and the most that was seen. The last column is the bound that the test \
     holds the hardware to.\n";

/// The page.
pub(crate) fn page(sections: &[Section]) -> String {
    let mut page = INTRODUCTION.to_owned();
    for Section { title, text, unit, rows } in sections {
        let _ = write!(page, "\n## {title}\n\n{text}\n\n| | {unit} | bound |\n| --- | --- | --- |\n");
        for row in rows {
            let _ = writeln!(page, "{row}");
        }
    }
    page
}
