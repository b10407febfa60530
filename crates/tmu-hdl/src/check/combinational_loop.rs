//! No net depends on itself without a register between.

use crate::dependencies::{Dependencies, dependencies};
use crate::design::Design;
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

/// Depth first from `start`; `state` holds `false` for nets on the path and `true` for finished ones.
fn find_loop(graph: &Dependencies, start: AtomId, state: &mut BTreeMap<AtomId, bool>) -> Option<Vec<AtomId>> {
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
            .rev()
            .filter_map(|&n| design.net(n).source.map(|s| (design.net(n).name.clone(), s)))
            .collect(),
        remedy: "put a register into the loop",
    }
}

#[cfg(test)]
mod tests {
    use crate::elaborate::elaborate;
    use crate::prelude::*;
    use crate::testing::refusals;

    #[derive(LogicBlock)]
    struct Through {
        data: Net<In>,
        out: Net<Out>,
    }

    #[kernel]
    impl Through {
        fn logic(&self) {
            self.out.next = !self.data.val();
        }
    }

    /// A loop through the ports of a sub-block, closed by a condition.
    #[derive(LogicBlock)]
    struct Ring {
        through: Through,
        chosen: Net<Local>,
        out: Net<Out>,
    }

    #[kernel]
    impl Ring {
        fn logic(&self) {
            self.through.data.next = self.chosen.val();
            self.chosen.next = 0;
            if self.through.out.val() {
                self.chosen.next = 1;
            }
            self.out.next = self.chosen.val();
        }
    }

    #[derive(LogicBlock)]
    struct Toggle {
        clocks: Clocks,
        state: Reg,
        out: Net<Out>,
    }

    #[kernel]
    impl Toggle {
        fn logic(&self) {
            self.state.next = !self.state.val();
            self.out.next = self.state.val();
        }
    }

    #[test]
    fn a_loop_is_told_in_the_direction_of_the_signal() {
        let block = Ring {
            through: Through { data: Net::bit(), out: Net::bit() },
            chosen: Net::bit(),
            out: Net::bit(),
        };
        let expected = "\
error[H004]: combinational loop: top.through.out -> top.chosen -> top.through.data -> top.through.out
  in top.through
  out: through: Through { data: Net::bit(), out: Net::bit() },
  chosen: chosen: Net::bit(),
  data: through: Through { data: Net::bit(), out: Net::bit() },
  remedy: put a register into the loop";
        assert_eq!(refusals("top", &block), expected);
    }

    #[test]
    fn a_register_breaks_a_loop() {
        let clocks = Clocks::without_reset();
        let block = Toggle { state: Reg::new(&clocks, 1), out: Net::bit(), clocks };
        elaborate("top", &block).unwrap();
    }
}
