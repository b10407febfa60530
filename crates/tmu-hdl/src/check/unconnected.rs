//! Every output, every wire that is read, every register and every input of a sub-block has a driver.

use crate::design::{BlockDesign, Design, NetDesign, NetKind, for_each_drive};
use crate::diagnostic::{Diagnostic, Rule};
use crate::record::{AtomId, NodeKind};
use std::collections::HashSet;

/// Nets that nothing drives.
pub(crate) fn check(design: &Design) -> Vec<Diagnostic> {
    let mut driven: HashSet<AtomId> = HashSet::new();
    let mut read: HashSet<AtomId> = HashSet::new();
    for block in &design.blocks {
        for_each_drive(&block.body.statements, &mut |site| {
            driven.insert(site.target);
        });
        read.extend(block.body.nodes.iter().filter_map(|n| match n.kind {
            NodeKind::Net(net) => Some(net),
            _ => None,
        }));
    }
    let mut found = vec![];
    for (index, block) in design.blocks.iter().enumerate() {
        for net in &block.nets {
            let needed = match net.kind {
                NetKind::Input => index > 0,
                NetKind::Output => block.body.primitive.is_none(),
                NetKind::Wire => read.contains(&net.id),
                NetKind::Register(_) => true,
            };
            if needed && !driven.contains(&net.id) {
                found.push(diagnostic(block, net));
            }
        }
    }
    found
}

fn diagnostic(block: &BlockDesign, net: &NetDesign) -> Diagnostic {
    let what = match net.kind {
        NetKind::Input => "input",
        NetKind::Output => "output",
        NetKind::Wire => "wire",
        NetKind::Register(_) => "register",
    };
    Diagnostic {
        rule: Rule::Unconnected,
        block: block.path.clone(),
        message: format!("{what} `{}` ({} bits) has no driver", net.name, net.width),
        places: net.source.map(|s| ("made".to_string(), s)).into_iter().collect(),
        remedy: match net.kind {
            NetKind::Input => "drive it in the kernel of the block around",
            _ => "drive it in the kernel of its block, or remove it",
        },
    }
}
