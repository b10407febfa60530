//! What follows from what within one clock, through conditions, the ports of blocks and the paths of primitives.

use crate::design::{Design, for_each_drive};
use crate::record::AtomId;
use std::collections::{BTreeMap, BTreeSet};

/// For each wire the nets and registers that it depends on within one clock. Registers themselves have no entry.
pub(crate) type Dependencies = BTreeMap<AtomId, Vec<AtomId>>;

/// The dependencies of all wires of a design.
pub(crate) fn dependencies(design: &Design) -> Dependencies {
    let mut graph = Dependencies::new();
    for block in &design.blocks {
        for_each_drive(&block.body.statements, &mut |site| {
            if design.net(site.target).register().is_some() {
                return;
            }
            let from = graph.entry(site.target).or_default();
            for &root in site.conditions.iter().chain([&site.value]) {
                block.body.for_each_net(root, &mut |net| from.push(net));
            }
        });
        if let Some(primitive) = &block.body.primitive {
            for (input, output) in &primitive.paths {
                if let (Some(input), Some(output)) = (block.port(input), block.port(output)) {
                    graph.entry(output.id).or_default().push(input.id);
                }
            }
        }
    }
    for from in graph.values_mut() {
        from.sort_unstable();
        from.dedup();
    }
    graph
}

/// Whether one of `nets` depends, directly or through others, on what `wanted` asks for.
pub(crate) fn reaches(
    dependencies: &Dependencies,
    nets: impl IntoIterator<Item = AtomId>,
    wanted: impl Fn(AtomId) -> bool,
) -> bool {
    let mut seen = BTreeSet::new();
    let mut stack: Vec<AtomId> = nets.into_iter().collect();
    while let Some(net) = stack.pop() {
        for &from in dependencies.get(&net).into_iter().flatten() {
            if wanted(from) {
                return true;
            }
            if seen.insert(from) {
                stack.push(from);
            }
        }
    }
    false
}
