//! Registers: their process, what they get in reset, and rows of them that move on.

use super::arrays::{Name, constant};
use super::expression::literal;
use super::fault::{Fault, is_planted};
use super::module::Printer;
use super::process::{Plan, project};
use super::text::wrap;
use crate::design::for_each_drive;
use crate::record::{AtomId, NodeKind, Statement};
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

impl Printer<'_> {
    pub(super) fn clocked(
        &mut self,
        plan: &Plan,
        targets: &BTreeSet<AtomId>,
        clock: AtomId,
        reset: Option<AtomId>,
    ) {
        let projected = project(&self.block().body, plan, targets);
        let reset = reset.filter(|_| !is_planted(Fault::NoReset));
        // One `if` behind the reset continues its chain, anything else stands inside its `else`.
        let chained = matches!(projected.as_slice(), [first @ Statement::If { .. }] if !self.is_case(first));
        let level = if reset.is_some() && !chained { 3 } else { 2 };
        let arrow = if is_planted(Fault::BlockingAssignment) { "=" } else { "<=" };
        let mut text = self.statements(&projected, level, arrow);
        if let Some(reset) = reset {
            let mut lines = format!("        if ({}) begin\n", self.expressions.net_name(reset));
            lines.push_str(&self.resets(targets, arrow));
            text = match chained {
                true => format!("{lines}        end else {}", text.trim_start()),
                false => format!("{lines}        end else begin\n{text}        end\n"),
            };
        }
        self.flush_wires();
        let clock = self.expressions.net_name(clock).to_string();
        let edge = if reset.is_none() && is_planted(Fault::WrongEdge) { "negedge" } else { "posedge" };
        self.out.push_str(&format!("    always @({edge} {clock}) begin\n{text}    end\n"));
    }

    /// What registers get in reset. A vector whose items are all reset is reset in one line.
    fn resets(&self, targets: &BTreeSet<AtomId>, arrow: &str) -> String {
        let mut rows: Vec<(&Name, &'static str, Value)> = vec![];
        for net in self.block().nets.iter().filter(|n| targets.contains(&n.id)) {
            let Some(register) = net.register() else { continue };
            let Some(value) = register.reset_value else { continue };
            let value = zeroed_by(Fault::WrongResetValue, value);
            rows.push((self.expressions.net_name(net.id), register.reset_name.unwrap_or(""), value));
        }
        let mut vectors: FxHashMap<&str, Vec<(usize, Value)>> = FxHashMap::default();
        for (name, _, value) in &rows {
            if let Some(item) = name.item() {
                vectors.entry(&item.vector).or_default().push((item.position, *value));
            }
        }
        let mut lines = String::new();
        for (name, reset_name, value) in &rows {
            let whole = name.item().filter(|item| vectors[item.vector.as_str()].len() == item.count);
            let line = match whole {
                Some(item) if item.position > 0 => continue,
                Some(item) => {
                    let mut values = vectors[item.vector.as_str()].clone();
                    values.sort_by_key(|(position, _)| *position);
                    let values: Vec<Value> = values.into_iter().map(|(_, value)| value).collect();
                    format!("{} {arrow} {};", item.vector, constant(&values))
                }
                None => {
                    let known = self.expressions.parameter(reset_name, *value);
                    format!("{name} {arrow} {};", known.unwrap_or_else(|| literal(value)))
                }
            };
            lines.push_str(&wrap(3, &line));
        }
        lines
    }

    /// The vectors whose items all get the one before them, but for item 0: a row that moves on prints in one line. What
    /// an `if` drives besides keeps its place among the statements, so its vector prints item by item.
    pub(super) fn shift_rows(&self, statements: &[Statement]) -> FxHashSet<String> {
        let mut moved: FxHashMap<&str, (usize, BTreeSet<usize>)> = FxHashMap::default();
        let mut others: FxHashSet<&str> = FxHashSet::default();
        for statement in statements {
            let is_alone = matches!(statement, Statement::Drive { .. });
            for_each_drive(std::slice::from_ref(statement), &mut |site| {
                let Some(item) = self.expressions.net_name(site.target).item() else { return };
                let before = match self.block().body.node(site.value).kind {
                    NodeKind::Net(net) => self.expressions.net_name(net).item(),
                    _ => None,
                };
                let follows =
                    before.is_some_and(|b| b.vector == item.vector && b.position + 1 == item.position);
                let (_, positions) = moved.entry(&item.vector).or_insert((item.count, BTreeSet::new()));
                let is_first = positions.insert(item.position);
                if !(is_alone && is_first && (follows || item.position == 0)) {
                    others.insert(&item.vector);
                }
            });
        }
        let whole = moved
            .into_iter()
            .filter(|(vector, (count, positions))| positions.len() == *count && !others.contains(vector));
        whole.map(|(vector, _)| vector.to_string()).collect()
    }
}

/// The value, or zero where this fault is planted.
pub(super) fn zeroed_by(fault: Fault, value: Value) -> Value {
    if is_planted(fault) { Value::zero(value.width()) } else { value }
}
