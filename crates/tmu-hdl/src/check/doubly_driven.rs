//! A net has one driver: a later unconditional drive must not make an earlier one dead.

use crate::design::Design;
use crate::diagnostic::{Problem, Rule, Source, refusal};
use crate::record::{AtomId, Statement};
use rustc_hash::FxHashMap;

/// Nets that a kernel drives again without looking at what it drove before.
pub(crate) fn check(design: &Design) -> Vec<Problem> {
    let mut found = vec![];
    for (index, block) in design.blocks.iter().enumerate() {
        walk(&block.body.statements, &mut FxHashMap::default(), &mut |target, first, second| {
            found.push(refusal(
                Rule::DoublyDriven,
                &block.path,
                format!("`{}` is driven twice", design.name_in(index, target)),
                [("first".into(), first), ("again".into(), second)],
                "keep one; a default followed by a drive under `if` is fine",
            ));
        });
    }
    found
}

fn walk(
    statements: &[Statement],
    before: &mut FxHashMap<AtomId, Source>,
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
                let mut then_driven = FxHashMap::default();
                let mut otherwise_driven = FxHashMap::default();
                walk(then, &mut then_driven, report);
                walk(otherwise, &mut otherwise_driven, report);
                before.extend(then_driven);
                before.extend(otherwise_driven);
            }
            Statement::Comment(_)
            | Statement::Banner(_)
            | Statement::Property(_)
            | Statement::Discard { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::elaborate::elaborate;
    use crate::prelude::*;
    use crate::testing::refusals;
    use crate::verilog::{Header, emit};

    #[derive(LogicBlock)]
    struct Twice {
        select: Net<In>,
        plain: Net<Out>,
        late: Net<Out>,
        nested: Net<Out>,
    }

    #[kernel]
    impl Twice {
        fn logic(&self) {
            self.plain.next = 0;
            self.plain.next = 1;
            if self.select.val() {
                self.late.next = 2;
            }
            self.late.next = 3;
            self.nested.next = 4;
            if self.select.val() {
                self.nested.next = 5;
                self.nested.next = 6;
            }
        }
    }

    /// A default, two `if`s of which the later wins, and an `else`: all of it has one meaning.
    #[derive(LogicBlock)]
    struct Prioritised {
        select: Net<In>,
        other: Net<In>,
        out: Net<Out>,
        both: Net<Out>,
        configured: Net<Out>,
        _feature: bool,
    }

    #[kernel]
    impl Prioritised {
        fn logic(&self) {
            self.configured.next = 1;
            if self.other.val() {
                self.configured.next = 2;
            }
            if self._feature {
                self.configured.next = 3;
            }
            self.out.next = 0;
            if self.select.val() {
                self.out.next = 1;
            }
            if self.other.val() {
                self.out.next = 2;
            }
            if self.other.val() {
                self.both.next = 1;
            } else {
                self.both.next = 2;
            }
        }
    }

    #[test]
    fn a_dead_drive_is_named_with_both_places() {
        let block = Twice { select: Net::bit(), plain: Net::new(3), late: Net::new(3), nested: Net::new(3) };
        let expected = "\
error[H003]: `plain` is driven twice
  in top
  first: self.plain.next = 0;
  again: self.plain.next = 1;
  help: keep one; a default followed by a drive under `if` is fine
error[H003]: `late` is driven twice
  in top
  first: self.late.next = 2;
  again: self.late.next = 3;
  help: keep one; a default followed by a drive under `if` is fine
error[H003]: `nested` is driven twice
  in top
  first: self.nested.next = 5;
  again: self.nested.next = 6;
  help: keep one; a default followed by a drive under `if` is fine";
        assert_eq!(refusals("top", &block), expected);
    }

    #[test]
    fn defaults_and_priorities_pass() {
        for feature in [false, true] {
            let (select, other, out, both, configured) =
                (Net::bit(), Net::bit(), Net::new(2), Net::new(2), Net::new(2));
            let block = Prioritised { select, other, out, both, configured, _feature: feature };
            let text = emit(&elaborate("top", &block).unwrap()).to_file(&Header::default());
            assert_eq!(text.contains("assign configured = 2'd3;"), feature, "{text}");
            assert_eq!(text.contains("configured = 2'd2;"), !feature, "{text}");
        }
    }
}
