//! A wire takes a value on every path through its kernel; only registers hold.

use crate::design::{Design, for_each_drive};
use crate::diagnostic::{Diagnostic, Rule};
use crate::record::{AtomId, Statement};
use std::collections::HashSet;

/// Wires that some path leaves without a value.
pub(crate) fn check(design: &Design) -> Vec<Diagnostic> {
    let mut found = vec![];
    for (index, block) in design.blocks.iter().enumerate() {
        let always = always_driven(&block.body.statements);
        let mut reported = HashSet::new();
        for_each_drive(&block.body.statements, &mut |site| {
            let net = design.net(site.target);
            if net.register().is_some() || always.contains(&site.target) || !reported.insert(site.target) {
                return;
            }
            let mut places = vec![("driven under a condition".to_string(), site.source)];
            places.extend(net.source.map(|s| ("made".to_string(), s)));
            found.push(Diagnostic {
                rule: Rule::Latch,
                block: block.path.clone(),
                message: format!("wire `{}` would be a latch", design.name_in(index, site.target)),
                places,
                remedy: "give it a default before the `if`, drive it in every branch, or make it a register",
            });
        });
    }
    found
}

fn always_driven(statements: &[Statement]) -> HashSet<AtomId> {
    let mut driven = HashSet::new();
    for statement in statements {
        match statement {
            Statement::Drive { target, .. } => {
                driven.insert(*target);
            }
            Statement::If { then, otherwise, .. } => {
                driven.extend(always_driven(then).intersection(&always_driven(otherwise)));
            }
            Statement::Comment(_) | Statement::Banner(_) | Statement::Discard { .. } => {}
        }
    }
    driven
}
