//! A kernel reads and drives its own nets and the ports of its direct sub-blocks, nothing else.

use crate::design::{Design, NetKind, for_each_drive};
use crate::diagnostic::{Diagnostic, Rule, Source};
use crate::record::{AtomId, NodeKind};

/// Nets that are used from a block that does not hold them, or driven against their direction.
pub(crate) fn check(design: &Design) -> Vec<Diagnostic> {
    let mut found = vec![];
    for (index, block) in design.blocks.iter().enumerate() {
        let mut refuse = |message: String, net: AtomId, used: Source, remedy| {
            let mut places = vec![("used".to_string(), used)];
            if let Some(&(owner, n)) = design.places.get(&net) {
                places.extend(design.blocks[owner].nets[n].source.map(|s| ("net".to_string(), s)));
            }
            let rule = Rule::Unsupported;
            found.push(Diagnostic { rule, block: block.path.clone(), message, places, remedy });
        };
        for node in &block.body.nodes {
            if let NodeKind::Net(net) = node.kind
                && !is_visible(design, index, net)
            {
                let message =
                    format!("net `{}` is read from a block that does not hold it", name(design, net));
                refuse(message, net, node.source, "pass it through ports, block by block");
            }
        }
        for_each_drive(&block.body.statements, &mut |site| {
            if !is_visible(design, index, site.target) {
                let name = name(design, site.target);
                let message = format!("net `{name}` is driven from a block that does not hold it");
                refuse(
                    message,
                    site.target,
                    site.source,
                    "drive an input of a direct sub-block, or an own net",
                );
                return;
            }
            let own = design.block_of(site.target) == index;
            let against = match design.net(site.target).kind {
                NetKind::Input => own,
                _ => !own,
            };
            if against {
                let name = design.name_in(index, site.target);
                let message = format!("`{name}` is driven from inside and from outside its block");
                refuse(
                    message,
                    site.target,
                    site.source,
                    "inputs are driven outside their block, all else inside",
                );
            }
        });
    }
    found
}

fn is_visible(design: &Design, block: usize, net: AtomId) -> bool {
    let Some(&(owner, position)) = design.places.get(&net) else { return false };
    let net = &design.blocks[owner].nets[position];
    owner == block || (design.blocks[owner].parent == Some(block) && net.is_port())
}

fn name(design: &Design, net: AtomId) -> String {
    match design.places.get(&net) {
        Some(&(owner, n)) => format!("{}.{}", design.blocks[owner].path, design.blocks[owner].nets[n].name),
        None => "(outside the design)".into(),
    }
}
