//! No bit of a net depends on itself without a register between.
//!
//! Nets are looked at as wholes first; those that then form loops, bit by bit.

use super::bit_loop;
use crate::dependencies::{Dependencies, dependencies};
use crate::design::{Design, for_each_drive};
use crate::diagnostic::{Problem, Rule, refusal};
use crate::record::AtomId;
use std::collections::BTreeSet;

/// Combinational loops, one problem each, with the nets in order.
pub(crate) fn check(design: &Design) -> Vec<Problem> {
    let graph = dependencies(design);
    let nets = in_loops(&graph);
    if nets.is_empty() {
        return vec![];
    }
    let found = bit_loop::loops(design, &nets);
    if !found.is_empty() {
        return found.iter().map(|nets| problem(design, nets)).collect();
    }
    read_by_themselves(design, &graph, &nets)
}

/// The nets that lie on loops, and those between two loops: what is left without those that nothing in the set depends
/// on and those that depend on nothing in it.
fn in_loops(graph: &Dependencies) -> BTreeSet<AtomId> {
    let mut nets: BTreeSet<AtomId> = graph.keys().copied().collect();
    loop {
        let used: BTreeSet<AtomId> =
            nets.iter().flat_map(|net| &graph[net]).copied().filter(|from| nets.contains(from)).collect();
        let kept: BTreeSet<AtomId> =
            used.iter().copied().filter(|net| graph[net].iter().any(|from| used.contains(from))).collect();
        if kept.len() == nets.len() {
            return kept;
        }
        nets = kept;
    }
}

/// Nets that take their value in a process, since it depends on conditions, and there read themselves: the process would
/// see the value that it is about to change.
fn read_by_themselves(design: &Design, graph: &Dependencies, nets: &BTreeSet<AtomId>) -> Vec<Problem> {
    let mut found = vec![];
    for block in &design.blocks {
        let mut reported = BTreeSet::new();
        for_each_drive(&block.body.statements, &mut |site| {
            let net = site.target;
            if site.conditions.is_empty() || !nets.contains(&net) || !graph[&net].contains(&net) {
                return;
            }
            if reported.insert(net) {
                let name = &design.net(net).name;
                found.push(refusal(
                    Rule::CombinationalLoop,
                    &block.path,
                    format!("`{name}` is driven under a condition and reads its own bits"),
                    [("driven".into(), site.source)],
                    "make a net of each part, or choose the value with `if` and drive it once",
                ));
            }
        });
    }
    found
}

fn problem(design: &Design, nets: &[AtomId]) -> Problem {
    let name = |&id: &AtomId| format!("{}.{}", design.blocks[design.block_of(id)].path, design.net(id).name);
    // The search walks from users to sources; the reader wants the direction in which the signal flows.
    let names: Vec<String> = nets.iter().rev().map(name).collect();
    refusal(
        Rule::CombinationalLoop,
        &design.blocks[design.block_of(nets[0])].path,
        format!("combinational loop: {} -> {}", names.join(" -> "), names[0]),
        nets.iter().rev().filter_map(|&n| design.net(n).source.map(|s| (design.net(n).name.clone(), s))),
        "put a register into the loop",
    )
}

#[cfg(test)]
mod tests {
    use crate::elaborate::elaborate;
    use crate::prelude::*;
    use crate::simulate::Simulator;
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
  help: put a register into the loop";
        assert_eq!(refusals("top", &block), expected);
    }

    /// A carry that ripples through the bits of one net, and a pair of nets that cross.
    #[derive(LogicBlock)]
    struct Ripple {
        a: Net<In>,
        b: Net<In>,
        carry: Net<Local>,
        left: Net<Local>,
        right: Net<Local>,
        sum: Net<Out>,
        crossed: Net<Out>,
    }

    #[kernel]
    impl Ripple {
        fn logic(&self) {
            let (a, b, carry) = (self.a.val(), self.b.val(), self.carry.val());
            self.carry.next =
                cat(&[a.low(7) & b.low(7) | (a.low(7) ^ b.low(7)) & carry.low(7), lit(1, 0u32)]);
            self.sum.next = a ^ b ^ carry;
            self.left.next = cat(&[self.right.val().bit(0), a.bit(0)]);
            self.right.next = cat(&[b.bit(0), self.left.val().bit(0)]);
            self.crossed.next = self.left.val() + self.right.val();
        }
    }

    fn ripple() -> Ripple {
        let net = || Net::new(8);
        let (carry, left, right) = (Net::new(8), Net::new(2), Net::new(2));
        Ripple { a: net(), b: net(), carry, left, right, sum: Net::new(8), crossed: Net::new(2) }
    }

    #[test]
    fn bits_of_a_net_that_form_no_loop_pass_and_settle() {
        let mut simulator = Simulator::new("ripple", ripple()).unwrap();
        for (a, b) in [(0u64, 0u64), (1, 255), (170, 85), (200, 100), (255, 255)] {
            simulator.block.a.drive(a);
            simulator.block.b.drive(b);
            simulator.settle();
            assert_eq!(simulator.block.sum.val().to_u64(), (a + b) % 256, "{a} + {b}");
        }
    }

    /// The sum of a net with itself moved up is no loop of bits, moved down it is one.
    #[derive(LogicBlock)]
    struct Shifted {
        a: Net<In>,
        word: Net<Local>,
        out: Net<Out>,
        _up: bool,
    }

    #[kernel]
    impl Shifted {
        fn logic(&self) {
            let word = self.word.val();
            self.word.next = self.a.val() + if self._up { word << 1 } else { word >> 1 };
            self.out.next = word;
        }
    }

    #[test]
    fn a_carry_that_comes_back_is_a_loop() {
        let block = |up| Shifted { a: Net::new(4), word: Net::new(4), out: Net::new(4), _up: up };
        elaborate("top", &block(true)).unwrap();
        assert!(refusals("top", &block(false)).contains("combinational loop: top.word -> top.word"));
    }

    #[derive(LogicBlock)]
    struct Conditional {
        a: Net<In>,
        word: Net<Local>,
        out: Net<Out>,
    }

    #[kernel]
    impl Conditional {
        fn logic(&self) {
            self.word.next = 0;
            if self.a.val() {
                self.word.next = cat(&[self.word.val().bit(0), self.a.val()]);
            }
            self.out.next = self.word.val();
        }
    }

    #[test]
    fn a_process_does_not_read_what_it_drives() {
        let block = Conditional { a: Net::bit(), word: Net::new(2), out: Net::new(2) };
        let expected = "\
error[H004]: `word` is driven under a condition and reads its own bits
  in top
  driven: self.word.next = cat(&[self.word.val().bit(0), self.a.val()]);
  help: make a net of each part, or choose the value with `if` and drive it once";
        assert_eq!(refusals("top", &block), expected);
    }

    #[test]
    fn a_register_breaks_a_loop() {
        let clocks = Clocks::without_reset();
        let block = Toggle { state: Reg::new(&clocks, 1), out: Net::bit(), clocks };
        elaborate("top", &block).unwrap();
    }
}
