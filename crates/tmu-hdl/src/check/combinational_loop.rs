//! No net depends on itself without a register between.

use crate::design::{Design, for_each_drive};
use crate::diagnostic::{Diagnostic, Rule};
use crate::record::AtomId;
use std::collections::BTreeMap;

/// Combinational loops, one diagnostic each, with the nets in order.
pub(crate) fn check(design: &Design) -> Vec<Diagnostic> {
    let graph = dependencies(design);
    let mut state: BTreeMap<AtomId, bool> = BTreeMap::new();
    let mut found = vec![];
    for &start in graph.keys() {
        if let Some(path) = find_loop(&graph, start, &mut state) {
            found.push(diagnostic(design, &path));
        }
    }
    found
}

/// For each wire the nets and registers that it depends on within one clock. Registers themselves have no entry.
pub(crate) fn dependencies(design: &Design) -> BTreeMap<AtomId, Vec<AtomId>> {
    let mut graph: BTreeMap<AtomId, Vec<AtomId>> = BTreeMap::new();
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
            let id = |name: &str| block.nets.iter().find(|n| n.name == name).map(|n| n.id);
            for (input, output) in &primitive.paths {
                if let (Some(input), Some(output)) = (id(input), id(output)) {
                    graph.entry(output).or_default().push(input);
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

/// Depth first from `start`; `state` holds `false` for nets on the path and `true` for finished ones.
fn find_loop(
    graph: &BTreeMap<AtomId, Vec<AtomId>>,
    start: AtomId,
    state: &mut BTreeMap<AtomId, bool>,
) -> Option<Vec<AtomId>> {
    if state.contains_key(&start) {
        return None;
    }
    let mut path = vec![(start, 0)];
    state.insert(start, false);
    while let Some((net, next)) = path.last_mut() {
        let Some(&from) = graph.get(net).and_then(|from| from.get(*next)) else {
            state.insert(*net, true);
            path.pop();
            continue;
        };
        *next += 1;
        match state.get(&from) {
            None => {
                state.insert(from, false);
                path.push((from, 0));
            }
            Some(false) => {
                let nets: Vec<AtomId> = path.iter().map(|p| p.0).collect();
                let begin = nets.iter().position(|&n| n == from).unwrap_or(0);
                nets.iter().for_each(|&n| {
                    state.insert(n, true);
                });
                return Some(nets[begin..].to_vec());
            }
            Some(true) => {}
        }
    }
    None
}

fn diagnostic(design: &Design, nets: &[AtomId]) -> Diagnostic {
    let name = |&id: &AtomId| format!("{}.{}", design.blocks[design.block_of(id)].path, design.net(id).name);
    // The search walks from users to sources; the reader wants the direction in which the signal flows.
    let names: Vec<String> = nets.iter().rev().map(name).collect();
    Diagnostic {
        rule: Rule::CombinationalLoop,
        block: design.blocks[design.block_of(nets[0])].path.clone(),
        message: format!("combinational loop: {} -> {}", names.join(" -> "), names[0]),
        places: nets
            .iter()
            .filter_map(|&n| design.net(n).source.map(|s| (design.net(n).name.clone(), s)))
            .collect(),
        remedy: "put a register into the loop",
    }
}
