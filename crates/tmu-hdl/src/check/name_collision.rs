//! Names that others rely on must stand in Verilog as they are: the top module's, its ports', and the ports that
//! the text of a primitive speaks of. Everything else the back end renames by itself.

use crate::design::{BlockDesign, Design};
use crate::diagnostic::{Problem, Rule, Source, refusal};
use crate::verilog::names::{is_identifier, is_reserved};
use rustc_hash::FxHashSet;

/// Fixed names that Verilog does not accept, or that stand for two things.
pub(crate) fn check(design: &Design) -> Vec<Problem> {
    let top = &design.blocks[0];
    let mut found = vec![];
    if let Some(fault) = fault(&top.name) {
        let message = format!("the top module's name `{}` {fault}", top.name);
        found.push(problem(top, message, None, "elaborate the design under another name"));
    }
    for (index, block) in design.blocks.iter().enumerate() {
        if index > 0 && block.body.primitive.is_none() {
            continue;
        }
        let mut seen = FxHashSet::default();
        for net in block.nets.iter().filter(|n| n.is_port()) {
            if let Some(fault) = fault(&net.name) {
                let message = format!("the port name `{}` {fault}", net.name);
                found.push(problem(block, message, net.source, "rename the field"));
            }
            if !seen.insert(&net.name) {
                let message = format!("two ports are called `{}`", net.name);
                found.push(problem(block, message, net.source, "rename a field or its bundle"));
            }
        }
    }
    found
}

/// What Verilog has against a name.
fn fault(name: &str) -> Option<&'static str> {
    match name {
        _ if is_reserved(name) => Some("is a keyword of Verilog or SystemVerilog"),
        _ if !is_identifier(name) => Some("is not a plain Verilog identifier"),
        _ => None,
    }
}

fn problem(block: &BlockDesign, message: String, made: Option<Source>, remedy: &'static str) -> Problem {
    refusal(Rule::NameCollision, &block.path, message, made.map(|source| ("made".into(), source)), remedy)
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use crate::testing::refusals;

    #[derive(Bundle)]
    struct Side {
        data: Net<Out>,
    }

    #[derive(LogicBlock)]
    struct Names {
        priority: Net<In>,
        left: Side,
        left_data: Net<Out>,
    }

    #[kernel]
    impl Names {
        fn logic(&self) {
            self.left.data.next = self.priority.val();
            self.left_data.next = self.priority.val();
        }
    }

    #[test]
    fn names_that_others_rely_on_are_refused_rather_than_changed() {
        let block = Names { priority: Net::bit(), left: Side { data: Net::bit() }, left_data: Net::bit() };
        let expected = "\
error[H007]: the top module's name `2fast` is not a plain Verilog identifier
  in 2fast
  help: elaborate the design under another name
error[H007]: the port name `priority` is a keyword of Verilog or SystemVerilog
  in 2fast
  made: let block = Names { priority: Net::bit(), left: Side { data: Net::bit() }, left_data: Net::bit() };
  help: rename the field
error[H007]: two ports are called `left_data`
  in 2fast
  made: let block = Names { priority: Net::bit(), left: Side { data: Net::bit() }, left_data: Net::bit() };
  help: rename a field or its bundle";
        assert_eq!(refusals("2fast", &block), expected);
    }
}
