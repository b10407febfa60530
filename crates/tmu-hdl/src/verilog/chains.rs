//! Arrays whose items follow from each other within a clock: as one vector they would be a loop for tools that look at
//! whole variables, so they print item by item.

use crate::dependencies::{Dependencies, reaches};
use crate::design::{Design, NetKind, for_each_drive};
use crate::record::{AtomId, Body, NodeId, NodeKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// The nets of arrays that form a loop when each array is taken as one net.
pub(crate) fn chained_nets(design: &Design, dependencies: &Dependencies) -> FxHashSet<AtomId> {
    let mut arrays: FxHashMap<(usize, u8, &str), AtomId> = FxHashMap::default();
    let mut members: FxHashMap<AtomId, Vec<AtomId>> = FxHashMap::default();
    let mut array_of: FxHashMap<AtomId, AtomId> = FxHashMap::default();
    for (index, block) in design.blocks.iter().enumerate() {
        for net in block.nets.iter().filter(|net| net.register().is_none()) {
            let Some(position) = net.position else { continue };
            let kind = match net.kind {
                NetKind::Input => 0,
                NetKind::Output => 1,
                _ => 2,
            };
            let stem = net.name.strip_suffix(&format!("_{position}")).unwrap_or(&net.name);
            let first = *arrays.entry((index, kind, stem)).or_insert(net.id);
            array_of.insert(net.id, first);
            members.entry(first).or_default().push(net.id);
        }
    }
    members.retain(|_, nets| nets.len() > 1);
    let vertex =
        |net: AtomId| array_of.get(&net).copied().filter(|of| members.contains_key(of)).unwrap_or(net);
    let mut graph = Dependencies::new();
    for (&net, from) in dependencies {
        graph.entry(vertex(net)).or_default().extend(from.iter().map(|&from| vertex(from)));
    }
    let looped = |array: &&AtomId| reaches(&graph, [**array], |net| net == **array);
    let chained: Vec<&AtomId> =
        members.keys().filter(|array| graph.contains_key(array)).filter(looped).collect();
    chained.into_iter().flat_map(|array| members[array].iter().copied()).collect()
}

/// Whether one of these nodes follows from another one within a clock, be it through nets and sub-blocks.
/// They are given by their positions in the body.
pub(crate) fn nodes_are_chained(body: &Body, dependencies: &Dependencies, nodes: &[usize]) -> bool {
    let members: FxHashSet<usize> = nodes.iter().copied().collect();
    let mut nets = vec![];
    for &node in nodes {
        let NodeKind::Op(_, args) = &body.nodes[node].kind else { continue };
        if cone_meets(body, args, &members, &mut nets) {
            return true;
        }
    }
    if nets.is_empty() {
        return false;
    }
    // Nets that are made from one of the nodes.
    let mut made: FxHashSet<AtomId> = FxHashSet::default();
    for_each_drive(&body.statements, &mut |site| {
        let roots: Vec<NodeId> = site.conditions.iter().copied().chain([site.value]).collect();
        if cone_meets(body, &roots, &members, &mut vec![]) {
            made.insert(site.target);
        }
    });
    // A register's value does not follow from what drives it.
    made.retain(|net| dependencies.contains_key(net));
    let is_made = |net| made.contains(&net);
    nets.iter().any(|&net| is_made(net)) || reaches(dependencies, nets, is_made)
}

/// Whether one of `members` is among the roots or what they are made from; adds the nets that these are made from.
fn cone_meets(body: &Body, roots: &[NodeId], members: &FxHashSet<usize>, nets: &mut Vec<AtomId>) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = roots.to_vec();
    while let Some(id) = stack.pop() {
        if members.contains(&id.index()) {
            return true;
        }
        if !seen.insert(id.index()) {
            continue;
        }
        match &body.node(id).kind {
            NodeKind::Net(net) => nets.push(*net),
            NodeKind::Op(_, args) => stack.extend(args),
            NodeKind::Literal(_) => {}
        }
    }
    false
}
