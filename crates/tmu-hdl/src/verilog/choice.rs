//! `case`: what a `match` of the kernel is printed as.

use super::fault::{Fault, is_planted};
use super::module::{Printer, first_target};
use super::text::wrap;
use crate::record::{Body, Case, Statement};

/// A `match` again, from the chain of `if`s that it was recorded as.
struct Chain<'a> {
    arms: Vec<(&'a Case, &'a [Statement])>,
    last: &'a [Statement],
}

impl<'a> Chain<'a> {
    fn of(body: &'a Body, statement: &'a Statement) -> Option<Chain<'a>> {
        let mut chain = Chain { arms: vec![], last: std::slice::from_ref(statement) };
        while let [Statement::If { condition, then, otherwise }] = chain.last
            && let Some(case) = body.cases.get(&condition.index())
            && chain.arms.first().is_none_or(|(first, _)| first.number == case.number)
        {
            chain.arms.push((case, then));
            chain.last = otherwise;
        }
        // An `if` alone says it better.
        (chain.arms.len() > 1).then_some(chain)
    }
}

impl Printer<'_> {
    /// Whether a statement is printed as a `case`.
    pub(super) fn is_case(&self, statement: &Statement) -> bool {
        Chain::of(&self.block().body, statement).is_some()
    }

    /// The `case` of a `match`; `None` for an `if` of another kind.
    pub(super) fn case(&mut self, statement: &Statement, indent: usize, arrow: &str) -> Option<String> {
        let body = &self.block().body;
        let Chain { mut arms, last } = Chain::of(body, statement)?;
        let (number, scrutinee) = (arms[0].0.number, arms[0].0.scrutinee);
        if last.is_empty() {
            arms.retain(|(_, statements)| !statements.is_empty());
        }
        if is_planted(Fault::LostArm) {
            arms.pop();
        }
        let target = self.word_of(first_target(statement), "choice");
        let scrutinee = self.expressions.condition(scrutinee, &target);
        let mut out = wrap(indent, &format!("case ({scrutinee})"));
        for (case, statements) in arms {
            let codes: Vec<String> =
                case.codes.iter().map(|&code| self.expressions.condition(code, &target)).collect();
            out.push_str(&self.arm(&codes.join(", "), statements, indent + 1, arrow));
        }
        if let Some(names) = body.last_arms.get(&number).filter(|_| !last.is_empty()) {
            out.push_str(&format!("{}// {names}\n", "    ".repeat(indent + 1)));
        }
        out.push_str(&self.arm("default", last, indent + 1, arrow));
        out.push_str(&format!("{}endcase\n", "    ".repeat(indent)));
        Some(out)
    }

    fn arm(&mut self, label: &str, statements: &[Statement], indent: usize, arrow: &str) -> String {
        if statements.is_empty() {
            return wrap(indent, &format!("{label}: ;"));
        }
        let statements = self.statements(statements, indent + 1, arrow);
        let begin = wrap(indent, &format!("{label}: begin"));
        format!("{begin}{statements}{}end\n", "    ".repeat(indent))
    }
}
