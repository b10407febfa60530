//! Properties of a kernel as immediate assertions, for provers and simulators alike.
//!
//! They stand at the end of the module under `TMUGEN_PROPERTIES`, with the wires that only they need, so that whoever
//! does not define it, synthesis above all, sees nothing of them.

use super::module::Printer;
use crate::property::{self, Property};
use crate::record::{NodeId, Statement};

/// Properties, each with the conditions around it and the level of each that leads there.
type Found<'a> = Vec<(&'a Property, Vec<(NodeId, bool)>)>;

impl Printer<'_> {
    /// Prints all properties of the block.
    pub(super) fn properties(&mut self) {
        let mut found = vec![];
        collect(&self.block().body.statements, &mut vec![], &mut found);
        if found.is_empty() {
            return;
        }
        self.out.push_str("`ifdef TMUGEN_PROPERTIES\n");
        for (property, path) in found {
            self.property(property, &path);
        }
        self.out.push_str("`endif\n");
    }

    fn property(&mut self, property: &Property, path: &[(NodeId, bool)]) {
        let Some((clock, reset)) = property::clock(self.design, self.index, property) else { return };
        let keyword = property.kind.keyword();
        let label = format!("{keyword}_{}", words(&property.text));
        let label = self.expressions.take_name(&label, None, Some(property.source));
        let mut conditions: Vec<String> = vec![];
        conditions.extend(reset.map(|reset| format!("!{}", self.expressions.net_name(reset))));
        for &(condition, level) in path {
            let text = self.expressions.condition(condition, &label);
            conditions.push(if level { format!("({text})") } else { format!("!({text})") });
        }
        let condition = self.expressions.condition(property.condition, &label);
        self.flush_wires();
        self.comment(1, &property.text);
        let clock = self.expressions.net_name(clock).to_string();
        let guard = if conditions.is_empty() { "1'b1".into() } else { conditions.join(" && ") };
        self.line(1, &format!("always @(posedge {clock}) begin"));
        self.line(2, &format!("if ({guard}) begin"));
        self.line(3, &format!("{label}: {keyword} ({condition});"));
        self.line(2, "end");
        self.line(1, "end");
    }
}

fn collect<'a>(statements: &'a [Statement], path: &mut Vec<(NodeId, bool)>, found: &mut Found<'a>) {
    for statement in statements {
        match statement {
            Statement::Property(property) => found.push((property, path.clone())),
            Statement::If { condition, then, otherwise } => {
                for (side, level) in [(then, true), (otherwise, false)] {
                    path.push((*condition, level));
                    collect(side, path, found);
                    path.pop();
                }
            }
            _ => {}
        }
    }
}

/// A text as part of a name.
fn words(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
    plain.to_lowercase().split_whitespace().collect::<Vec<_>>().join("_")
}
