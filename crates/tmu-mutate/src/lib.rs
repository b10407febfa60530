//! Faults planted in the emitted Verilog, to measure what the regressions find.
//!
//! A *mutant* is the design with one expression changed. All mutants of a run are compiled into one model, in which an input
//! of the top module selects the one that lives, so that a thousand of them cost one build. In the order of work:
//!
//! | module | holds |
//! | --- | --- |
//! | [`scan`] | the expressions of an emitted file |
//! | [`operators`] | what may be wrong with an expression |
//! | [`schema`] | one text with many mutants, selected by an input |
//! | [`register_check`](mod@register_check) | what random traffic does not look at |
//! | [`runs`] | the runs that a mutant has to survive |
//! | [`survivors`] | mutants that nothing kills, with the reason |
//! | [`page`](mod@page) | the page of the documentation |
//!
//! Works on what the printer of `tmu-hdl` emits: one statement for each signal, plain expressions, no functions or loops.

pub mod runs;
pub mod operators;
pub mod page;
pub mod scan;
pub mod schema;
pub mod survivors;
pub mod register_check;

use rand::SeedableRng;
use rand::seq::IteratorRandom;
use rand_chacha::ChaCha8Rng;
use std::fmt;
use std::ops::Range;

/// One expression of the design, changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The module that it is in.
    pub module: String,
    /// Line of the emitted file, from 1.
    pub line: usize,
    /// Where the expression stands in the text, in bytes.
    pub place: Range<usize>,
    /// The statement, on one line.
    pub statement: String,
    /// The expression, on one line.
    pub original: String,
    /// What takes its place, on one line.
    pub changed: String,
}

/// Text on one line.
fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}: `{}` becomes `{}`", self.module, self.line, self.statement, self.changed)
    }
}

/// Every mutant of an emitted file, in the order of its text.
#[must_use]
pub fn mutants(verilog: &str) -> Vec<Mutant> {
    let of_site = |site: scan::Site| {
        let original = on_one_line(&verilog[site.place.clone()]);
        let changes = operators::changes(&original, &site.role);
        changes.into_iter().map(move |changed| Mutant {
            module: site.module.clone(),
            line: site.line,
            place: site.place.clone(),
            statement: site.statement.clone(),
            original: original.clone(),
            changed,
        })
    };
    scan::sites(verilog).into_iter().flat_map(of_site).collect()
}

/// So many of the mutants, drawn from a seed; all if there are no more.
#[must_use]
pub fn draw(mutants: Vec<Mutant>, count: usize, seed: u64) -> Vec<Mutant> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn = mutants.into_iter().enumerate().choose_multiple(&mut random, count);
    drawn.sort_by_key(|(number, _)| *number);
    drawn.into_iter().map(|(_, mutant)| mutant).collect()
}
