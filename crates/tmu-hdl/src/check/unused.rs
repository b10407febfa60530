//! Every register reaches something that is seen, and every input of a block is read.
//!
//! What is seen: the outputs of the top, the inputs of memories and other primitives, properties, what
//! [`discard`](crate::kernel::discard) names with a reason, and outputs of sub-blocks that the block around does not read,
//! since leaving them open is its decision. A register that only reaches registers which reach nothing is dead with them.
//! Clocks and resets are not asked for: whether registers have a reset is a matter of each register.
//!
//! Cost: every expression of the design is visited once.

use crate::crossing::Belongs;
use crate::design::{BlockDesign, Design, NetDesign, NetKind, for_each_drive};
use crate::diagnostic::{Problem, Rule, bits, refusal};
use crate::record::{AtomId, NodeId, NodeKind, Statement};
use crate::verilog::roots;
use rustc_hash::{FxHashMap, FxHashSet};

/// Dead registers and inputs that nothing reads.
pub(crate) fn check(design: &Design) -> Vec<Problem> {
    let read: FxHashSet<AtomId> = design.blocks.iter().flat_map(read_by).collect();
    let seen = Seen::of(design, &read);
    let mut found = vec![];
    for block in design.blocks.iter().filter(|block| block.body.primitive.is_none()) {
        for net in &block.nets {
            match net.kind {
                NetKind::Register(_) if !seen.nets.contains(&net.id) => found.push(dead(block, net)),
                NetKind::Input if !read.contains(&net.id) && !is_of_clocks(net) => {
                    found.push(unused(block, net));
                }
                _ => {}
            }
        }
    }
    found
}

/// What the statements of a block read, and the clocks of its registers.
fn read_by(block: &BlockDesign) -> Vec<AtomId> {
    let mut nets = vec![];
    let mut visited = vec![false; block.body.nodes.len()];
    let mut open = roots(&block.body.statements);
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut visited[id.index()], true) {
            continue;
        }
        match &block.body.node(id).kind {
            NodeKind::Literal(_) => {}
            NodeKind::Net(net) => nets.push(*net),
            NodeKind::Op(_, args) => open.extend(args),
        }
    }
    nets
}

fn is_of_clocks(net: &NetDesign) -> bool {
    net.declared.belongs == Belongs::IsClock || net.declared.is_reset
}

/// The nets whose values something sees.
struct Seen<'a> {
    design: &'a Design,
    nets: FxHashSet<AtomId>,
    /// What each net is driven with and under: block and expression.
    sources: FxHashMap<AtomId, Vec<(usize, NodeId)>>,
    visited: Vec<Vec<bool>>,
    open: Vec<AtomId>,
}

impl Seen<'_> {
    fn of<'a>(design: &'a Design, read: &FxHashSet<AtomId>) -> Seen<'a> {
        let mut seen = Seen {
            design,
            nets: FxHashSet::default(),
            sources: FxHashMap::default(),
            visited: design.blocks.iter().map(|block| vec![false; block.body.nodes.len()]).collect(),
            open: vec![],
        };
        for (index, block) in design.blocks.iter().enumerate() {
            for_each_drive(&block.body.statements, &mut |site| {
                let from = seen.sources.entry(site.target).or_default();
                from.extend(site.conditions.iter().chain([&site.value]).map(|&node| (index, node)));
            });
        }
        for (index, block) in design.blocks.iter().enumerate() {
            seen.statements(index, &block.body.statements);
            for net in &block.nets {
                let is_open = index == 0 || !read.contains(&net.id);
                match net.kind {
                    NetKind::Output if is_open => seen.see(net.id),
                    NetKind::Input if block.body.primitive.is_some() => seen.see(net.id),
                    _ => {}
                }
            }
        }
        while let Some(net) = seen.open.pop() {
            for (block, node) in seen.sources.remove(&net).unwrap_or_default() {
                seen.expression(block, node);
            }
            if let Some(register) = design.net(net).register() {
                seen.see(register.clock);
                register.reset.into_iter().for_each(|reset| seen.see(reset));
            }
        }
        seen
    }

    fn see(&mut self, net: AtomId) {
        if self.nets.insert(net) {
            self.open.push(net);
        }
    }

    /// Properties and what is dropped deliberately.
    fn statements(&mut self, block: usize, statements: &[Statement]) -> bool {
        let mut any = false;
        for statement in statements {
            any |= match statement {
                Statement::Property(property) => self.expression(block, property.condition),
                Statement::Discard { value, .. } => self.expression(block, *value),
                Statement::If { condition, then, otherwise } => {
                    let inside = self.statements(block, then) | self.statements(block, otherwise);
                    inside && self.expression(block, *condition)
                }
                Statement::Drive { .. } | Statement::Comment(_) | Statement::Banner(_) => false,
            };
        }
        any
    }

    fn expression(&mut self, block: usize, root: NodeId) -> bool {
        let design = self.design;
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut self.visited[block][id.index()], true) {
                continue;
            }
            match &design.blocks[block].body.node(id).kind {
                NodeKind::Literal(_) => {}
                NodeKind::Net(net) => self.see(*net),
                NodeKind::Op(_, args) => open.extend(args),
            }
        }
        true
    }
}

fn dead(block: &BlockDesign, net: &NetDesign) -> Problem {
    refusal(
        Rule::DeadRegister,
        &block.path,
        format!(
            "the value of register `{}` ({}) reaches no output, memory or property",
            net.name,
            bits(net.width)
        ),
        net.source.map(|s| ("made".to_string(), s)),
        "remove it, or say why it stays: discard(register.val(), \"reason\")",
    )
}

fn unused(block: &BlockDesign, net: &NetDesign) -> Problem {
    refusal(
        Rule::UnusedInput,
        &block.path,
        format!("nothing reads input `{}` ({})", net.name, bits(net.width)),
        net.source.map(|s| ("made".to_string(), s)),
        "remove it, or say why it stays: discard(input.val(), \"reason\")",
    )
}

#[cfg(test)]
mod tests {
    use crate::elaborate::elaborate;
    use crate::prelude::*;
    use crate::primitives::{RamShape, RamSimpleDualPort};
    use crate::testing::refusals;

    /// A register, and one behind it that nothing reads.
    #[derive(LogicBlock)]
    struct Inner {
        clocks: Clocks,
        data: Net<In>,
        idle: Net<In>,
        out: Net<Out>,
        behind: Net<Out>,
        first: Reg,
        second: Reg,
    }

    impl Inner {
        fn new() -> Inner {
            let clocks = Clocks::new();
            Inner {
                data: Net::new(4),
                idle: Net::bit(),
                out: Net::new(4),
                behind: Net::new(4),
                first: Reg::new(&clocks, 4),
                second: Reg::new(&clocks, 4),
                clocks,
            }
        }
    }

    #[kernel]
    impl Inner {
        fn logic(&self) {
            self.first.next = self.data.val();
            self.second.next = self.first.val();
            self.out.next = self.first.val();
            self.behind.next = self.second.val();
        }
    }

    #[derive(LogicBlock)]
    struct Dead {
        clocks: Clocks,
        data: Net<In>,
        out: Net<Out>,
        inner: Inner,
        round: Reg,
        after: Reg,
        checked: Reg,
        stated: Reg,
        dropped: Reg,
        _discards: bool,
    }

    impl Dead {
        fn new(discards: bool) -> Dead {
            let clocks = Clocks::new();
            Dead {
                data: Net::new(4),
                out: Net::new(4),
                inner: Inner::new(),
                round: Reg::with_reset(&clocks, 4, 0),
                after: Reg::new(&clocks, 4),
                checked: Reg::with_reset(&clocks, 1, 0),
                stated: Reg::with_reset(&clocks, 1, 0),
                dropped: Reg::new(&clocks, 4),
                _discards: discards,
                clocks,
            }
        }
    }

    #[kernel]
    impl Dead {
        fn logic(&self) {
            self.inner.clocks.follow(&self.clocks);
            self.inner.data.next = self.data.val();
            self.inner.idle.next = self.data.val().bit(1);
            self.out.next = self.inner.out.val();
            // It reaches only itself, and a register that reaches nothing.
            self.round.next = self.round.val() + 1;
            if self.round.val() == 3 {
                self.after.next = self.inner.behind.val();
            }
            // These reach a property, one as its condition.
            self.checked.next = self.data.val().bit(0);
            self.stated.next = self.data.val().bit(1);
            if self.checked.val() {
                assert(self.stated.val(), "bit 1 follows bit 0");
            }
            self.dropped.next = self.data.val();
            discard(self.dropped.val(), "for the debugger");
            let discards = self._discards;
            if discards {
                discard(self.after.val(), "for the debugger, too");
            }
        }
    }

    #[test]
    fn dead_registers_and_unused_inputs_are_refused() {
        let expected = "\
error[H009]: the value of register `round` (4 bits) reaches no output, memory or property
  in top
  made: round: Reg::with_reset(&clocks, 4, 0),
  help: remove it, or say why it stays: discard(register.val(), \"reason\")
error[H009]: the value of register `after` (4 bits) reaches no output, memory or property
  in top
  made: after: Reg::new(&clocks, 4),
  help: remove it, or say why it stays: discard(register.val(), \"reason\")
error[H010]: nothing reads input `idle` (1 bit)
  in top.inner
  made: idle: Net::bit(),
  help: remove it, or say why it stays: discard(input.val(), \"reason\")
error[H009]: the value of register `second` (4 bits) reaches no output, memory or property
  in top.inner
  made: second: Reg::new(&clocks, 4),
  help: remove it, or say why it stays: discard(register.val(), \"reason\")";
        assert_eq!(refusals("top", &Dead::new(false)), expected);
    }

    #[test]
    fn a_reason_keeps_what_leads_to_it() {
        let expected = "\
error[H010]: nothing reads input `idle` (1 bit)
  in top.inner
  made: idle: Net::bit(),
  help: remove it, or say why it stays: discard(input.val(), \"reason\")";
        assert_eq!(refusals("top", &Dead::new(true)), expected);
    }

    #[derive(LogicBlock)]
    struct Alive {
        clocks: Clocks,
        address: Net<In>,
        spare: Net<In>,
        out: Net<Out>,
        write_address: Reg,
        memory: RamSimpleDualPort,
    }

    #[kernel]
    impl Alive {
        fn logic(&self) {
            self.memory.clocks.follow(&self.clocks);
            self.write_address.next = self.address.val();
            self.memory.write_enable.next = 1;
            self.memory.write_address.next = self.write_address.val();
            self.memory.write_data.next = 5;
            self.memory.read_enable.next = 1;
            self.memory.read_address.next = self.address.val();
            self.out.next = self.memory.read_data.val();
            discard(self.spare.val(), "for boards that have it");
        }
    }

    #[test]
    fn what_a_memory_or_a_reason_needs_is_used() {
        let clocks = Clocks::new();
        let block = Alive {
            address: Net::new(4),
            spare: Net::bit(),
            out: Net::new(8),
            write_address: Reg::new(&clocks, 4),
            memory: RamSimpleDualPort::new(RamShape::new(16, 8)),
            clocks,
        };
        elaborate("top", &block).unwrap();
    }
}
