//! The statements that drive a net: their values, and the conditions around them.

use crate::record::{AtomId, NodeId, Statement};

/// The values that are driven into `target`, in the order of the statements.
pub(super) fn values(statements: &mut [Statement], target: AtomId) -> Vec<&mut NodeId> {
    let mut found = vec![];
    for statement in statements {
        match statement {
            Statement::Drive { target: driven, value, .. } if *driven == target => found.push(value),
            Statement::If { then, otherwise, .. } => {
                found.extend(values(then, target));
                found.extend(values(otherwise, target));
            }
            _ => {}
        }
    }
    found
}

/// The conditions of the `if`s that hold a drive of `target`, those around others first.
pub(super) fn conditions(statements: &mut [Statement], target: AtomId) -> Vec<&mut NodeId> {
    let mut found = vec![];
    for statement in statements.iter_mut().filter(|statement| drives(statement, target)) {
        if let Statement::If { condition, then, otherwise } = statement {
            found.push(condition);
            found.extend(conditions(then, target));
            found.extend(conditions(otherwise, target));
        }
    }
    found
}

fn drives(statement: &Statement, target: AtomId) -> bool {
    match statement {
        Statement::Drive { target: driven, .. } => *driven == target,
        Statement::If { then, otherwise, .. } => then.iter().chain(otherwise).any(|s| drives(s, target)),
        _ => false,
    }
}

/// Gives the drives of `target` `if`s of their own, so that a condition can change for them alone.
pub(super) fn isolate(statements: &mut Vec<Statement>, target: AtomId) {
    let mut apart = vec![];
    for statement in statements.drain(..) {
        if let Statement::If { .. } = statement
            && drives(&statement, target)
        {
            apart.extend(part(&statement, &|s| !is_drive_of(s, target)));
            apart.extend(part(&statement, &|s| is_drive_of(s, target)));
        } else {
            apart.push(statement);
        }
    }
    *statements = apart;
}

fn is_drive_of(statement: &Statement, target: AtomId) -> bool {
    matches!(statement, Statement::Drive { target: driven, .. } if *driven == target)
}

/// What is left of a statement with only those inside it that are `kept`; nothing where it would do nothing.
fn part(statement: &Statement, kept: &impl Fn(&Statement) -> bool) -> Option<Statement> {
    let Statement::If { condition, then, otherwise } = statement else {
        return kept(statement).then(|| statement.clone());
    };
    let side = |side: &[Statement]| side.iter().filter_map(|s| part(s, kept)).collect::<Vec<_>>();
    let (then, otherwise) = (side(then), side(otherwise));
    let is_comment = |s: &Statement| matches!(s, Statement::Comment(_) | Statement::Banner(_));
    let is_empty = then.iter().chain(&otherwise).all(is_comment);
    (!is_empty).then_some(Statement::If { condition: *condition, then, otherwise })
}
