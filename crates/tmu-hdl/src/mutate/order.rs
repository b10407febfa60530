//! Operands stand before their users among the nodes of a body: restores that order.

use super::error::{Made, Refusal};
use crate::record::{Body, NodeId, NodeKind, Statement};

/// Puts the nodes into an order in which operands come before their users, the old one as far as that goes.
pub(super) fn restore(body: &mut Body) -> Made<()> {
    let order = order(body)?;
    let mut position = vec![0; body.nodes.len()];
    for (new, &old) in order.iter().enumerate() {
        position[old] = new;
    }
    if position.iter().enumerate().all(|(old, &new)| old == new) {
        return Ok(());
    }
    let moved = |id: NodeId| id.at(position[id.index()]);
    body.nodes = order.iter().map(|&old| body.nodes[old].clone()).collect();
    for node in &mut body.nodes {
        if let NodeKind::Op(_, args) = &mut node.kind {
            args.iter_mut().for_each(|arg| *arg = moved(*arg));
        }
    }
    let cases = std::mem::take(&mut body.cases).into_iter().map(|(condition, mut case)| {
        case.scrutinee = moved(case.scrutinee);
        case.codes.iter_mut().for_each(|code| *code = moved(*code));
        (position[condition], case)
    });
    body.cases = cases.collect();
    let mut statements = std::mem::take(&mut body.statements);
    for_each_node(&mut statements, &mut |id| *id = moved(*id));
    body.statements = statements;
    Ok(())
}

/// The old positions of the nodes in their new order.
fn order(body: &Body) -> Made<Vec<usize>> {
    let mut order = vec![];
    // Open: its operands are being placed.
    let (mut is_open, mut is_placed) = (vec![false; body.nodes.len()], vec![false; body.nodes.len()]);
    for root in 0..body.nodes.len() {
        let mut stack = vec![root];
        while let Some(&index) = stack.last() {
            let NodeKind::Op(_, args) = &body.nodes[index].kind else {
                place(index, &mut order, &mut is_placed);
                stack.pop();
                continue;
            };
            let open: Vec<usize> = args.iter().map(|a| a.index()).filter(|&a| !is_placed[a]).collect();
            if open.is_empty() {
                place(index, &mut order, &mut is_placed);
                stack.pop();
            } else if std::mem::replace(&mut is_open[index], true) && open.iter().any(|&a| stack.contains(&a))
            {
                let what = "what is put there follows from the node itself";
                return Err(Refusal::new(what, vec![], "take a term that does not follow from the node"));
            } else {
                stack.extend(open.into_iter().rev());
            }
        }
    }
    Ok(order)
}

fn place(index: usize, order: &mut Vec<usize>, is_placed: &mut [bool]) {
    if !std::mem::replace(&mut is_placed[index], true) {
        order.push(index);
    }
}

/// Calls `f` for every node that statements name.
fn for_each_node(statements: &mut [Statement], f: &mut impl FnMut(&mut NodeId)) {
    for statement in statements {
        match statement {
            Statement::Drive { value, .. } | Statement::Discard { value, .. } => f(value),
            Statement::If { condition, then, otherwise } => {
                f(condition);
                for_each_node(then, f);
                for_each_node(otherwise, f);
            }
            Statement::Property(property) => f(&mut property.condition),
            Statement::Comment(_) | Statement::Banner(_) => {}
        }
    }
}
