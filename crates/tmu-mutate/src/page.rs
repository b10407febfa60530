//! `docs/reference/mutants.md`: what was planted, what was found, and why the rest was not.
//!
//! The table of runs is that of the run that made the page; the table of reasons is the list of survivors.

use crate::Mutant;
use crate::runs::Fate;
use crate::survivors::{Kind, Survivor};
use std::fmt::Write as _;

const HEAD: &str = "<!-- Made by UPDATE_MEASURED=1 cargo test --release -p tmu-mutate --test mutants -- --include-ignored. -->

# Planted faults

How many faults in the emitted Verilog the simulations find. A *mutant* is the design with one expression changed: another
operator, a negation lost, branches exchanged, a constant off by one, the next bit, a stuck value, a condition ignored or
inverted (`crates/tmu-mutate/src/operators.rs` has the table). All mutants of a run are in one Verilated model, in which an input
selects one. What registers get in reset is not changed: runs from random values and from X, and resets at any moment, test that.

A mutant has to survive, from cheap to dear: random quads against the golden model; a tour of all registers, of textures that change
in memory, of failing reads and of bad packets; five patterns by the clock; directed quads (edges of exactly the lengths at which a
level begins, single texels that cannot be read); more random quads with pauses, bad input, resets and single faults. Expected in the
tour and the patterns is what the design as it was shows, which the tests of `tmu-sim` hold to the golden model; a rate may be a
hundredth lower.

";

const REASONS: &str = "
## Why the others survive

`*` stands for any text.

| modules | statement | becomes | kind | reason |
| --- | --- | --- | --- | --- |
";

const SURVIVORS: &str = "
## Those that survived

| preset | module | statement | becomes | kind |
| --- | --- | --- | --- | --- |
";

const KINDS: &str = "
- *equivalent*: the outside cannot tell it from the design as it was. Not counted in the share of those killed.
- *rate*: results are right, at a rate that differs by less than the runs notice.
- *elsewhere*: the runs do not do what would show it; the test or proof named does.
- *gap*: nothing tests it.
";

/// What a run on one preset came to.
#[derive(Debug, Clone)]
pub struct Score {
    /// The preset.
    pub preset: String,
    /// Mutants that its text has.
    pub possible: usize,
    /// Mutants drawn.
    pub drawn: usize,
    /// Of these, killed.
    pub killed: usize,
    /// Survivors, with what the list makes of them.
    pub explained: Vec<(Mutant, Kind)>,
    /// Survivors that the list does not explain.
    pub unexplained: Vec<Mutant>,
}

impl Score {
    /// What the fates of drawn mutants come to.
    #[must_use]
    pub fn new(preset: &str, possible: usize, drawn: &[Mutant], fates: &[Fate], list: &[Survivor]) -> Self {
        let mut score = Self {
            preset: preset.to_owned(),
            possible,
            drawn: drawn.len(),
            killed: fates.iter().filter(|fate| **fate != Fate::Survived).count(),
            explained: Vec::new(),
            unexplained: Vec::new(),
        };
        let survivors = drawn.iter().zip(fates).filter(|(_, fate)| **fate == Fate::Survived);
        for (mutant, _) in survivors {
            match list.iter().find(|line| line.covers(mutant)) {
                Some(line) => score.explained.push((mutant.clone(), line.kind)),
                None => score.unexplained.push(mutant.clone()),
            }
        }
        score
    }

    /// The part killed of those that are not known to be equivalent.
    #[must_use]
    pub fn killed_part(&self) -> f64 {
        let counted = self.drawn - self.count(Kind::Equivalent);
        self.killed as f64 / counted.max(1) as f64
    }

    /// Survivors of a kind.
    fn count(&self, kind: Kind) -> usize {
        self.explained.iter().filter(|(_, of)| *of == kind).count()
    }

    /// Its row of the page.
    fn row(&self) -> String {
        let Self { preset, possible, drawn, killed, .. } = self;
        let [equivalent, rate, elsewhere, gap] = Kind::ALL.map(|kind| self.count(kind));
        format!(
            "| `{preset}` | {possible} | {drawn} | {killed} | {equivalent} | {rate} | {elsewhere} | {gap} | {:.1} % |",
            100.0 * self.killed_part()
        )
    }
}

/// The page of these runs.
#[must_use]
pub fn page(scores: &[Score], list: &[Survivor]) -> String {
    let mut text = HEAD.to_owned();
    text.push_str("| preset | mutants there are | drawn | killed | equivalent | rate | elsewhere | gap | killed of those not equivalent |\n");
    text.push_str("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for score in scores {
        let _ = writeln!(text, "{}", score.row());
    }
    text.push_str(KINDS);
    text.push_str(SURVIVORS);
    for score in scores {
        for (mutant, kind) in &score.explained {
            let (statement, changed) = (code(&short(&mutant.statement, 0)), code(&change(mutant)));
            let (preset, module, kind) = (&score.preset, &mutant.module, kind.name());
            let _ = writeln!(text, "| `{preset}` | `{module}` | {statement} | {changed} | {kind} |");
        }
    }
    text.push_str(&reasons(list));
    text
}

/// Letters of a long text that are shown.
const SHOWN_LETTERS: usize = 90;

/// Letters that are shown before a difference.
const CONTEXT_LETTERS: usize = 30;

/// What an expression becomes, from a little before the first difference.
fn change(mutant: &Mutant) -> String {
    let same = mutant.original.chars().zip(mutant.changed.chars()).take_while(|(one, other)| one == other);
    short(&mutant.changed, same.count().saturating_sub(CONTEXT_LETTERS))
}

/// A text, or if it is too long what stands behind some letters.
fn short(text: &str, skipped: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= SHOWN_LETTERS {
        return text.to_owned();
    }
    let end = (skipped + SHOWN_LETTERS).min(letters.len());
    let dots = |is_cut: bool| if is_cut { "…" } else { "" };
    let shown: String = letters[skipped..end].iter().collect();
    format!("{}{shown}{}", dots(skipped > 0), dots(end < letters.len()))
}

/// Verilog in a table.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

/// The last part of the page, which follows from the list.
#[must_use]
pub fn reasons(list: &[Survivor]) -> String {
    let mut text = REASONS.to_owned();
    for Survivor { modules, statement, changed, kind, reason } in list {
        let modules: Vec<_> = modules.iter().map(|module| code(module)).collect();
        let (modules, statement, changed) = (modules.join(", "), code(statement), code(changed));
        let _ = writeln!(text, "| {modules} | {statement} | {changed} | {} | {reason} |", kind.name());
    }
    text
}
