//! The ports of the top are names that others rely on: they must stand in Verilog as they are.

use crate::design::Design;
use crate::diagnostic::{Diagnostic, Rule};
use crate::verilog::names::is_reserved;
use std::collections::HashMap;

/// Top-level ports that would have to be renamed. Inside the design the back end renames by itself.
pub(crate) fn check(design: &Design) -> Vec<Diagnostic> {
    let top = &design.blocks[0];
    let mut found = vec![];
    let mut seen = HashMap::new();
    for net in top.nets.iter().filter(|n| n.is_port()) {
        let places: Vec<_> = net.source.map(|s| ("made".to_string(), s)).into_iter().collect();
        let mut refuse = |message: String, remedy| {
            let (rule, block, places) = (Rule::NameCollision, top.path.clone(), places.clone());
            found.push(Diagnostic { rule, block, message, places, remedy });
        };
        if is_reserved(&net.name) {
            refuse(
                format!("port `{}` has the name of a Verilog or SystemVerilog keyword", net.name),
                "rename the field",
            );
        }
        if seen.insert(net.name.clone(), ()).is_some() {
            refuse(format!("two ports of the top are called `{}`", net.name), "rename a field or its bundle");
        }
    }
    found
}
