//! A net has one driver: a later unconditional drive must not make an earlier one dead.

use crate::design::Design;
use crate::diagnostic::{Diagnostic, Rule, Source};
use crate::record::{AtomId, Statement};
use std::collections::HashMap;

/// Nets that a kernel drives again without looking at what it drove before.
pub(crate) fn check(design: &Design) -> Vec<Diagnostic> {
    let mut found = vec![];
    for (index, block) in design.blocks.iter().enumerate() {
        walk(&block.body.statements, &mut HashMap::new(), &mut |target, first, second| {
            found.push(Diagnostic {
                rule: Rule::DoublyDriven,
                block: block.path.clone(),
                message: format!("`{}` is driven twice", design.name_in(index, target)),
                places: vec![("first".into(), first), ("again".into(), second)],
                remedy: "keep one; a default followed by a drive under `if` is fine",
            });
        });
    }
    found
}

fn walk(
    statements: &[Statement],
    before: &mut HashMap<AtomId, Source>,
    report: &mut impl FnMut(AtomId, Source, Source),
) {
    for statement in statements {
        match statement {
            Statement::Drive { target, source, .. } => {
                if let Some(first) = before.insert(*target, source) {
                    report(*target, first, source);
                }
            }
            Statement::If { then, otherwise, .. } => {
                // A drive inside a branch overrides a default before it, which is the point of a default.
                let mut then_driven = HashMap::new();
                let mut otherwise_driven = HashMap::new();
                walk(then, &mut then_driven, report);
                walk(otherwise, &mut otherwise_driven, report);
                before.extend(then_driven);
                before.extend(otherwise_driven);
            }
            Statement::Comment(_) | Statement::Banner(_) | Statement::Discard { .. } => {}
        }
    }
}
