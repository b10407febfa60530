//! The recorder's branches: which statements stand under which conditions, which sides run.

use super::trace::{Change, Condition, Region, Shortcut, Sides};
use super::{NodeId, Recorder, Statement, refuse, with};
use crate::diagnostic::{Rule, Source};
use crate::record::AtomId;

/// An open branch: hardware conditions carry their node.
pub(super) struct OpenBranch {
    /// The condition of the statements in it; `None` where they stand under no `if` of their own.
    condition: Option<NodeId>,
    then: Vec<Statement>,
    source: Source,
    /// Both sides ran to their ends.
    finished: bool,
    /// Statements in the list around it when it opened.
    statements_before: usize,
    /// Its place in the trace, with the side that is running; a Rust `bool` leaves no trace.
    traced: Option<(usize, bool)>,
    /// Its place in the trace of the run that the choices speak of.
    counterpart: Option<usize>,
}

/// Appends a statement to the innermost open branch.
pub(crate) fn statement(statement: Statement) {
    with(|r| {
        r.sides.count_step();
        if let Statement::Drive { target, .. } = statement {
            r.drop_overridden(target);
        }
        if let Region::Side(occurrence, _) = r.region() {
            r.trace.occurrences[occurrence].has_statements = true;
        }
        // What is dropped is dropped whatever the conditions around it.
        let is_discard = matches!(statement, Statement::Discard { .. });
        let list = if is_discard { r.lists.first_mut() } else { r.lists.last_mut() };
        if let Some(list) = list {
            list.push(statement);
        }
    });
}

impl Recorder {
    /// A drive under an `if` that elaboration has decided takes the place of what was driven before that `if`,
    /// as it would under a hardware `if`.
    fn drop_overridden(&mut self, target: AtomId) {
        if matches!(self.sides, Sides::One { .. }) {
            // The last drive counts.
            return;
        }
        let decided = self.branches.iter().rposition(|b| b.condition.is_some()).map_or(0, |i| i + 1);
        let Some(innermost) = self.branches.get(decided..).and_then(<[_]>::last) else { return };
        let Some(list) = self.lists.last_mut() else { return };
        let end = innermost.statements_before;
        let mut position = 0;
        let mut dropped = vec![];
        list.retain_mut(|statement| {
            let keep = position >= end || keeps(statement, target);
            dropped.extend((!keep).then_some(position));
            position += 1;
            keep
        });
        for branch in &mut self.branches[decided..] {
            branch.statements_before -= dropped.iter().filter(|&&p| p < branch.statements_before).count();
        }
    }

    /// Where the kernel is.
    pub(super) fn region(&self) -> Region {
        let traced = self.branches.iter().rev().find_map(|b| b.traced);
        traced.map_or(Region::Top, |(occurrence, then)| Region::Side(occurrence, then))
    }

    /// The branch of the run that the choices speak of which stands where one is about to be opened.
    fn counterpart(&self) -> Option<usize> {
        let Sides::One { chosen: (trace, _), .. } = &self.sides else { return None };
        let around = self.branches.iter().rev().find(|b| b.traced.is_some());
        let (region, number) = match around {
            None => (Region::Top, self.trace.top.len()),
            Some(branch) => {
                let (occurrence, then) = branch.traced?;
                let number = self.trace.occurrences[occurrence].inside[usize::from(then)].len();
                (Region::Side(branch.counterpart?, then), number)
            }
        };
        trace.inside(region).get(number).copied()
    }

    /// The side that runs; `None` for both.
    fn side(&self, counterpart: Option<usize>) -> Option<bool> {
        match &self.sides {
            Sides::Both => None,
            // A branch that is not known will be refused. Where the graph has a constant, one side does not exist.
            Sides::One { chosen: (trace, sides), .. } => {
                Some(counterpart.is_some_and(|i| match trace.occurrences[i].condition {
                    Condition::Constant(then) => then,
                    Condition::Node(_) => sides[i],
                }))
            }
        }
    }

    fn push(&mut self, condition: Option<NodeId>, source: Source) -> &mut OpenBranch {
        let statements_before = self.lists.last().map_or(0, Vec::len);
        let last = self.branches.len();
        self.branches.push(OpenBranch {
            condition,
            then: vec![],
            source,
            finished: false,
            statements_before,
            traced: None,
            counterpart: None,
        });
        &mut self.branches[last]
    }
}

/// Takes every drive of `target` out of a statement; false where nothing is left of it.
fn keeps(statement: &mut Statement, target: AtomId) -> bool {
    match statement {
        Statement::Drive { target: driven, .. } => *driven != target,
        Statement::If { then, otherwise, .. } => {
            then.retain_mut(|s| keeps(s, target));
            otherwise.retain_mut(|s| keeps(s, target));
            !(then.is_empty() && otherwise.is_empty())
        }
        Statement::Comment(_) | Statement::Banner(_) | Statement::Property(_) | Statement::Discard { .. } => {
            true
        }
    }
}

/// Opens a branch that Rust decides, or that has been refused: it leaves no trace.
pub(crate) fn open_decided_branch(source: Source) {
    with(|r| {
        r.push(None, source);
    });
}

/// Opens a branch on one bit and says which of its sides run, `then` first. `is_operator` says that it is the right
/// side of `&&` or `||`.
pub(crate) fn open_branch(condition: Condition, source: Source, is_operator: bool) -> (bool, bool) {
    let taken = with(|r| {
        r.sides.count_step();
        let counterpart = r.counterpart();
        let taken = match condition {
            Condition::Constant(then) => Some(then),
            Condition::Node(_) => r.side(counterpart),
        };
        let region = r.region();
        let occurrence = r.trace.open(region, condition, source, taken);
        r.trace.occurrences[occurrence].is_operator = is_operator;
        let node = match condition {
            Condition::Node(node) if taken.is_none() => Some(node),
            _ => None,
        };
        let branch = r.push(node, source);
        branch.traced = Some((occurrence, true));
        branch.counterpart = counterpart;
        if node.is_some() {
            r.lists.push(vec![]);
        }
        taken
    });
    match taken.flatten() {
        None => (true, true),
        Some(then) => (then, !then),
    }
}

/// Notes what the operator that opened the innermost branch became.
pub(crate) fn note_shortcut(shortcut: Option<Shortcut>) {
    with(|r| {
        if let Some((occurrence, _)) = r.branches.last().and_then(|b| b.traced) {
            r.trace.occurrences[occurrence].shortcut = shortcut;
        }
    });
}

/// What the operator that opened the innermost branch became in the run that the choices speak of.
pub(crate) fn known_shortcut() -> Option<Shortcut> {
    with(|r| {
        let Sides::One { chosen: (trace, _), .. } = &r.sides else { return None };
        trace.occurrences[r.branches.last()?.counterpart?].shortcut
    })
    .flatten()
}

/// Turns from the `then` side to the `otherwise` side.
pub(crate) fn turn_branch() {
    with(|r| {
        let Some(branch) = r.branches.last_mut() else { return };
        if let Some((_, then)) = &mut branch.traced {
            *then = false;
        }
        if let Some(list) = r.lists.last_mut()
            && branch.condition.is_some()
        {
            branch.then = std::mem::take(list);
        }
    });
}

/// Notes that both sides of the innermost branch ran to their ends.
pub(crate) fn finish_branch() {
    with(|r| {
        if let Some(branch) = r.branches.last_mut() {
            branch.finished = true;
        }
    });
}

/// Closes the innermost branch and appends it where it drove anything.
pub(crate) fn close_branch() {
    let left_early = with(|r| {
        let OpenBranch { condition, then, source, finished, traced, .. } = r.branches.pop()?;
        if let Some((occurrence, _)) = traced
            && r.trace.occurrences[occurrence].has_statements
            && let Region::Side(around, _) = r.region()
        {
            r.trace.occurrences[around].has_statements = true;
        }
        let condition = condition?;
        let otherwise = r.lists.pop().unwrap_or_default();
        if !(then.is_empty() && otherwise.is_empty())
            && let Some(list) = r.lists.last_mut()
        {
            list.push(Statement::If { condition, then, otherwise });
        }
        (!finished).then_some(source)
    });
    if let Some(Some(source)) = left_early
        && !std::thread::panicking()
    {
        refuse(
            Rule::Unsupported,
            "a kernel leaves an `if` whose condition only hardware knows".into(),
            vec![("if".into(), source)],
            "take `return`, `break` and `continue` out of the `if`; both of its sides exist in hardware",
        );
    }
}

/// Notes that a Rust variable changes, where one of the `levels` innermost branches depends on hardware.
pub(crate) fn note_change(name: &str, source: Source, levels: usize) {
    with(|r| {
        if r.branches.iter().rev().take(levels).any(|b| b.condition.is_some()) {
            let change = Change { name: name.into(), source, region: r.region() };
            r.trace.changes.push(change);
        }
    });
}

/// True under a condition that only hardware knows.
pub(crate) fn in_hardware_branch() -> bool {
    let is_hardware = |r: &Recorder, occurrence: usize| {
        matches!(r.trace.occurrences[occurrence].condition, Condition::Node(_))
    };
    with(|r| r.branches.iter().filter_map(|b| b.traced).any(|(occurrence, _)| is_hardware(r, occurrence)))
        .unwrap_or(false)
}
