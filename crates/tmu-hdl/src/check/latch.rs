//! A wire takes a value on every path through its kernel; only registers hold.

use crate::design::{Design, for_each_drive};
use crate::diagnostic::{Problem, Rule, refusal};
use crate::record::{AtomId, Statement};
use rustc_hash::FxHashSet;

/// Wires that some path leaves without a value.
pub(crate) fn check(design: &Design) -> Vec<Problem> {
    let mut found = vec![];
    for (index, block) in design.blocks.iter().enumerate() {
        let always = always_driven(&block.body.statements);
        let mut reported = FxHashSet::default();
        for_each_drive(&block.body.statements, &mut |site| {
            let net = design.net(site.target);
            if net.register().is_some() || always.contains(&site.target) || !reported.insert(site.target) {
                return;
            }
            let mut places = vec![("driven under a condition".to_string(), site.source)];
            places.extend(net.source.map(|s| ("made".to_string(), s)));
            found.push(refusal(
                Rule::Latch,
                &block.path,
                format!("wire `{}` would be a latch", design.name_in(index, site.target)),
                places,
                "give it a default before the `if`, drive it in every branch, or make it a register",
            ));
        });
    }
    found
}

fn always_driven(statements: &[Statement]) -> FxHashSet<AtomId> {
    let mut driven = FxHashSet::default();
    for statement in statements {
        match statement {
            Statement::Drive { target, .. } => {
                driven.insert(*target);
            }
            Statement::If { then, otherwise, .. } => {
                driven.extend(always_driven(then).intersection(&always_driven(otherwise)));
            }
            Statement::Comment(_)
            | Statement::Banner(_)
            | Statement::Property(_)
            | Statement::Discard { .. } => {}
        }
    }
    driven
}

#[cfg(test)]
mod tests {
    use crate::elaborate::elaborate;
    use crate::prelude::*;
    use crate::testing::refusals;

    #[derive(LogicBlock)]
    struct Holds {
        clocks: Clocks,
        select: Net<In>,
        other: Net<In>,
        half: Net<Out>,
        nested: Net<Out>,
        register: Reg,
    }

    #[kernel]
    impl Holds {
        fn logic(&self) {
            if self.select.val() {
                self.half.next = 1;
                self.register.next = 1;
            }
            if self.select.val() {
                self.nested.next = self.register.val();
            } else if self.other.val() {
                self.nested.next = 1;
            }
        }
    }

    #[derive(LogicBlock)]
    struct Complete {
        select: Net<In>,
        other: Net<In>,
        out: Net<Out>,
    }

    #[kernel]
    impl Complete {
        fn logic(&self) {
            if self.select.val() {
                if self.other.val() {
                    self.out.next = 0;
                } else {
                    self.out.next = 1;
                }
            } else {
                self.out.next = 2;
            }
        }
    }

    #[test]
    fn a_wire_that_holds_is_refused_and_a_register_is_not() {
        let clocks = Clocks::without_reset();
        let block = Holds {
            select: Net::bit(),
            other: Net::bit(),
            half: Net::bit(),
            nested: Net::bit(),
            register: Reg::new(&clocks, 1),
            clocks,
        };
        let expected = "\
error[H005]: wire `half` would be a latch
  in top
  driven under a condition: self.half.next = 1;
  made: half: Net::bit(),
  help: give it a default before the `if`, drive it in every branch, or make it a register
error[H005]: wire `nested` would be a latch
  in top
  driven under a condition: self.nested.next = self.register.val();
  made: nested: Net::bit(),
  help: give it a default before the `if`, drive it in every branch, or make it a register";
        assert_eq!(refusals("top", &block), expected);
    }

    #[test]
    fn a_drive_in_every_branch_passes() {
        let block = Complete { select: Net::bit(), other: Net::bit(), out: Net::new(2) };
        elaborate("top", &block).unwrap();
    }
}
