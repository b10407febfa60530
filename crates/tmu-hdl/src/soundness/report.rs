//! Which branch is to blame, and the message.

use super::Run;
use super::compare::Difference;
use crate::diagnostic::{Problem, Rule, Source, refusal};
use crate::record::{self, Change, Condition, Region};
use tmu_problem::Note;

/// Runs that are spent on finding the branch.
const SEARCH_RUNS: usize = 256;

/// The refusal of a kernel that differs from its graph on `sides`; `run` tries other sides.
pub(super) fn refuse(
    path: &str,
    joint: &Run,
    sides: &[bool],
    difference: Difference,
    run: impl Fn(Vec<bool>) -> Option<Difference>,
) -> Problem {
    let occurrences = &joint.trace.occurrences;
    let is_hardware = |&i: &usize| matches!(occurrences[i].condition, Condition::Node(_));
    let branches: Vec<usize> = (0..occurrences.len()).filter(is_hardware).collect();
    if branches.is_empty() || run(sides.to_vec()).is_none() {
        return unsteady(path, &difference);
    }
    let seen = seen(path, &difference);
    let blamed = blame(&branches, sides, run);
    let is_blamed = |change: &&Change| match change.region {
        Region::Top => false,
        region => blamed.is_none_or(|i| {
            [true, false].iter().any(|&then| joint.trace.is_inside(region, Region::Side(i, then)))
        }),
    };
    let changes: Vec<&Change> = joint.trace.changes.iter().filter(is_blamed).collect();
    let branch = &occurrences[blamed.unwrap_or(branches[0])];
    let condition = if branch.is_operator { "condition" } else { "if" };
    let mut places: Vec<(String, Source)> = vec![];
    let message = match changes.as_slice() {
        [first, rest @ ..] => {
            places.push(("changed".into(), first.source));
            let others = rest.iter().filter(|c| c.name != first.name);
            places.extend(others.map(|c| (format!("changed, `{}`", c.name), c.source)));
            places.dedup();
            format!("the variable `{}` changes under a condition that only hardware knows", first.name)
        }
        [] => format!("a Rust value changes under a condition that only hardware knows{}", seen.0),
    };
    places.push((condition.into(), branch.source));
    let remedy = "write `name = if condition { … } else { name };`, or drive a net";
    let mut problem = refusal(Rule::Unsupported, path, message, places, remedy);
    problem.notes.extend(seen.1);
    problem
}

/// The refusal of a kernel whose runs differ although they take the same sides.
pub(super) fn unsteady(path: &str, difference: &Difference) -> Problem {
    let (what, places) = seen(path, difference);
    let message = format!("the kernel does not do the same each time it runs{what}");
    let remedy =
        "keep what lasts from clock to clock in registers; what a kernel is built from must not change";
    let mut problem = refusal(Rule::Unsupported, path, message, [], remedy);
    problem.notes.extend(places);
    problem
}

/// What depends on the value, as the end of a message, and where it is seen.
fn seen(path: &str, difference: &Difference) -> (String, Vec<Note>) {
    let at = |what: &str, source: Source| vec![Note { text: what.to_string(), place: source.into() }];
    match difference {
        Difference::Drive { target, source } => {
            let name = record::net_name(path, *target).unwrap_or("a net".into());
            (format!(", and {name} depends on it"), at("seen", source))
        }
        Difference::Property { source } => (", and a property depends on it".into(), at("seen", source)),
        Difference::Condition { source } => (", and a condition depends on it".into(), at("seen", source)),
        Difference::Course { source } => {
            (", and so does which conditions there are".into(), at("seen", source))
        }
        Difference::Value { source } => (String::new(), at("seen", source)),
        Difference::Order => (String::new(), vec![]),
        Difference::Timing => (", and the declared timing depends on it".into(), vec![]),
        Difference::Refused { message, places } => {
            (format!(", and with one side alone: {message}"), places.clone())
        }
        Difference::Panic => (", and with one side alone the kernel panics".into(), vec![]),
        Difference::Endless => (", and with one side alone the kernel does not end".into(), vec![]),
    }
}

/// The branch whose side makes the difference: with the sides before it turned round the run still differs, with its
/// own it does not.
fn blame(branches: &[usize], sides: &[bool], run: impl Fn(Vec<bool>) -> Option<Difference>) -> Option<usize> {
    let differs = |sides: &[bool]| run(sides.to_vec()).is_some();
    // A single one that makes the difference is the best answer.
    for &branch in branches.iter().take(SEARCH_RUNS / 2) {
        let mut turned = sides.to_vec();
        turned[branch] = !turned[branch];
        if !differs(&turned) {
            return Some(branch);
        }
    }
    let ends = [vec![true; sides.len()], vec![false; sides.len()], sides.iter().map(|s| !s).collect()];
    let end = ends.into_iter().find(|end| !differs(end))?;
    let (mut low, mut high) = (0, branches.len());
    // The first `low` branches of `end` are not enough, the first `high` are.
    while low + 1 < high {
        let middle = low.midpoint(high);
        let mut turned = sides.to_vec();
        branches[..middle].iter().for_each(|&i| turned[i] = end[i]);
        if differs(&turned) {
            low = middle;
        } else {
            high = middle;
        }
    }
    branches.get(low).copied()
}
