//! A design as one graph without blocks: expressions, registers and memories of all instances together.
//!
//! Every net stands for the expression that drives it, whatever number of ports lies between, so a clock is the
//! clock of its root and a register behind a wire moves with all others.

use super::unravel::unravel;
use crate::behaviour::Behaviour;
use crate::design::{Design, NetKind};
use crate::diagnostic::{Problems, Rule, Source, refusal};
use crate::op::Op;
use crate::property::PropertyKind;
use crate::record::{AtomId, Node, NodeId, NodeKind, Statement};
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Position of a node in a [`Graph`].
pub(super) type NodeIndex = usize;

/// What a node is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Constant(Value),
    /// A port of the top, by its net.
    Input,
    /// The output of a register.
    Register(usize),
    /// The word of a memory at an address.
    Read {
        memory: usize,
        address: NodeIndex,
    },
    Operation(Op, Vec<NodeIndex>),
    /// Another net's value.
    Net(AtomId),
}

#[derive(Clone, Debug)]
pub(super) struct GraphNode {
    pub(super) kind: Kind,
    pub(super) width: usize,
}

#[derive(Clone, Debug)]
pub(super) struct GraphRegister {
    pub(super) output: NodeIndex,
    pub(super) next: NodeIndex,
    pub(super) clock: NodeIndex,
    pub(super) init: Value,
    /// Power-up is undefined in hardware.
    pub(super) starts_undefined: bool,
    pub(super) has_reset: bool,
    pub(super) is_primitive: bool,
    pub(super) set: Option<NodeIndex>,
}

#[derive(Clone, Debug)]
pub(super) struct GraphWrite {
    pub(super) memory: usize,
    pub(super) clock: NodeIndex,
    pub(super) enable: NodeIndex,
    pub(super) address: NodeIndex,
    pub(super) data: NodeIndex,
}

/// An assertion, assumption or cover point with the condition under which it counts.
#[derive(Clone, Debug)]
pub(super) struct GraphProperty {
    pub(super) kind: PropertyKind,
    pub(super) path: String,
    pub(super) text: String,
    pub(super) source: Source,
    pub(super) clock: NodeIndex,
    /// Counts where this is high.
    pub(super) active: NodeIndex,
    pub(super) condition: NodeIndex,
}

#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<GraphNode>,
    /// Node of each net.
    pub(super) nets: FxHashMap<AtomId, NodeIndex>,
    pub(super) registers: Vec<GraphRegister>,
    pub(super) memories: Vec<crate::behaviour::Memory>,
    pub(super) writes: Vec<GraphWrite>,
    pub(super) properties: Vec<GraphProperty>,
}

impl Graph {
    /// Flattens a design.
    ///
    /// # Errors
    /// Primitives whose behaviour is not told.
    pub(super) fn new(design: &Design) -> Result<Graph, Problems> {
        let mut graph = Graph::default();
        graph.declare(design);
        let mut found = vec![];
        for (index, block) in design.blocks.iter().enumerate() {
            match &block.body.primitive {
                None => graph.kernel(design, index),
                Some(primitive) => match &primitive.behaviour {
                    Some(behaviour) => graph.primitive(behaviour),
                    None => {
                        let message = format!(
                            "the primitive `{}` cannot be simulated in Rust: it does not say what it computes",
                            primitive.module
                        );
                        let remedy = "give its description a `behaviour` (tmu_hdl::behaviour::Behaviour)";
                        found.push(refusal(Rule::Unsupported, &block.path, message, [], remedy));
                    }
                },
            }
        }
        graph.drive_the_rest(design);
        unravel(&mut graph);
        Problems::check(found)?;
        Ok(graph)
    }

    pub(super) fn push(&mut self, kind: Kind, width: usize) -> NodeIndex {
        self.nodes.push(GraphNode { kind, width });
        self.nodes.len() - 1
    }

    /// A node for the value of a net, wherever it is driven.
    fn net(&mut self, net: AtomId, width: usize) -> NodeIndex {
        self.push(Kind::Net(net), width)
    }

    /// Inputs of the top and registers are where values begin.
    fn declare(&mut self, design: &Design) {
        for (index, block) in design.blocks.iter().enumerate() {
            for net in &block.nets {
                match &net.kind {
                    NetKind::Input if index == 0 => {
                        let node = self.push(Kind::Input, net.width);
                        self.nets.insert(net.id, node);
                    }
                    NetKind::Register(details) => {
                        let output = self.push(Kind::Register(self.registers.len()), net.width);
                        let clock = self.net(details.clock, 1);
                        self.registers.push(GraphRegister {
                            output,
                            next: output,
                            clock,
                            init: details.init,
                            starts_undefined: false,
                            has_reset: details.reset.is_some(),
                            is_primitive: false,
                            set: None,
                        });
                        self.nets.insert(net.id, output);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Adds recorded nodes and returns the position of the first.
    fn nodes(&mut self, nodes: &[Node]) -> usize {
        let base = self.nodes.len();
        self.nodes.extend(nodes.iter().map(|node| GraphNode {
            width: node.width,
            kind: match &node.kind {
                NodeKind::Literal(value) => Kind::Constant(*value),
                NodeKind::Net(net) => Kind::Net(*net),
                NodeKind::Op(op, args) => {
                    Kind::Operation(*op, args.iter().map(|arg| base + arg.index()).collect())
                }
            },
        }));
        base
    }

    fn kernel(&mut self, design: &Design, index: usize) {
        let block = &design.blocks[index];
        let base = self.nodes(&block.body.nodes);
        let mut walk =
            Walk { graph: self, design, index, base, values: vec![FxHashMap::default()], path: vec![] };
        walk.statements(&block.body.statements);
        let driven: BTreeMap<AtomId, NodeIndex> = walk.values.pop().into_iter().flatten().collect();
        for net in &block.nets {
            let Some(details) = net.register() else { continue };
            let output = self.nets[&net.id];
            let mut next = driven.get(&net.id).copied().unwrap_or(output);
            if let (Some(reset), Some(value)) = (details.reset, details.reset_value) {
                let reset = self.net(reset, 1);
                let value = self.push(Kind::Constant(value), net.width);
                next = self.push(Kind::Operation(Op::Mux, vec![reset, value, next]), net.width);
            }
            if let Kind::Register(register) = self.nodes[output].kind {
                self.registers[register].next = next;
            }
        }
        for (net, value) in driven {
            self.nets.entry(net).or_insert(value);
        }
    }

    fn primitive(&mut self, behaviour: &Behaviour) {
        let base = self.nodes(&behaviour.nodes);
        let at = |node: NodeId| base + node.index();
        let first_memory = self.memories.len();
        self.memories.extend(behaviour.memories.iter().cloned());
        for register in &behaviour.registers {
            let output = self.push(Kind::Register(self.registers.len()), register.width);
            let clock = self.net(register.clock, 1);
            self.registers.push(GraphRegister {
                output,
                next: register.next.map_or(output, at),
                clock,
                init: register.init.unwrap_or(Value::zero(register.width)),
                starts_undefined: register.init.is_none(),
                has_reset: false,
                is_primitive: true,
                set: register.set.map(at),
            });
            self.nets.insert(register.id, output);
        }
        for read in &behaviour.reads {
            let memory = first_memory + read.memory;
            let kind = Kind::Read { memory, address: at(read.address) };
            let node = self.push(kind, self.memories[memory].width);
            self.nets.insert(read.word, node);
        }
        for write in &behaviour.writes {
            let clock = self.net(write.clock, 1);
            self.writes.push(GraphWrite {
                memory: first_memory + write.memory,
                clock,
                enable: at(write.enable),
                address: at(write.address),
                data: at(write.data),
            });
        }
        for &(net, value) in &behaviour.outputs {
            self.nets.insert(net, at(value));
        }
    }

    /// What nobody drives, since nobody reads it, is zero.
    fn drive_the_rest(&mut self, design: &Design) {
        for net in design.blocks.iter().flat_map(|block| &block.nets) {
            if !self.nets.contains_key(&net.id) {
                let zero = self.push(Kind::Constant(Value::zero(net.width)), net.width);
                self.nets.insert(net.id, zero);
            }
        }
    }

    /// The node behind wires: never a [`Kind::Net`].
    pub(super) fn resolve(&self, mut node: NodeIndex) -> NodeIndex {
        // A loop of wires has been refused.
        while let Kind::Net(net) = self.nodes[node].kind {
            node = self.nets[&net];
        }
        node
    }
}

/// A walk through the statements of a kernel: what each net is worth behind them.
struct Walk<'a> {
    graph: &'a mut Graph,
    design: &'a Design,
    index: usize,
    base: usize,
    /// Values that the open sides of `if`s gave, outermost first.
    values: Vec<FxHashMap<AtomId, NodeIndex>>,
    /// Conditions around, each with the level that leads here.
    path: Vec<(NodeIndex, bool)>,
}

impl Walk<'_> {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Drive { target, value, .. } => {
                    let value = self.base + value.index();
                    if let Some(values) = self.values.last_mut() {
                        values.insert(*target, value);
                    }
                }
                Statement::If { condition, then, otherwise } => {
                    self.branch(self.base + condition.index(), then, otherwise);
                }
                Statement::Property(property) => self.property(property),
                Statement::Comment(_) | Statement::Banner(_) | Statement::Discard { .. } => {}
            }
        }
    }

    fn side(
        &mut self,
        condition: NodeIndex,
        level: bool,
        statements: &[Statement],
    ) -> FxHashMap<AtomId, NodeIndex> {
        self.values.push(FxHashMap::default());
        self.path.push((condition, level));
        self.statements(statements);
        self.path.pop();
        self.values.pop().unwrap_or_default()
    }

    fn branch(&mut self, condition: NodeIndex, then: &[Statement], otherwise: &[Statement]) {
        let then = self.side(condition, true, then);
        let otherwise = self.side(condition, false, otherwise);
        let targets: BTreeMap<AtomId, ()> =
            then.keys().chain(otherwise.keys()).map(|&target| (target, ())).collect();
        for target in targets.into_keys() {
            let before = self.before(target);
            let side = |side: &FxHashMap<AtomId, NodeIndex>| side.get(&target).copied().or(before);
            // A wire without a value on one side gets one later, or it would be a latch.
            let (a, b) = match (side(&then), side(&otherwise)) {
                (Some(a), Some(b)) => (a, b),
                (Some(only), None) | (None, Some(only)) => (only, only),
                (None, None) => continue,
            };
            let width = self.graph.nodes[a].width;
            let value = match a == b {
                true => a,
                false => self.graph.push(Kind::Operation(Op::Mux, vec![condition, a, b]), width),
            };
            if let Some(values) = self.values.last_mut() {
                values.insert(target, value);
            }
        }
    }

    /// What a net is worth so far: a register holds.
    fn before(&self, target: AtomId) -> Option<NodeIndex> {
        let given = self.values.iter().rev().find_map(|values| values.get(&target).copied());
        let held = || self.design.net(target).register().map(|_| self.graph.nets[&target]);
        given.or_else(held)
    }

    fn property(&mut self, property: &crate::property::Property) {
        let Some((clock, reset)) = crate::property::clock(self.design, self.index, property) else { return };
        let clock = self.graph.net(clock, 1);
        let mut active = self.graph.push(Kind::Constant(Value::from_bool(true)), 1);
        let reset = reset.map(|reset| (self.graph.net(reset, 1), false));
        for (condition, level) in reset.into_iter().chain(self.path.clone()) {
            let condition = match level {
                true => condition,
                false => self.graph.push(Kind::Operation(Op::Not, vec![condition]), 1),
            };
            active = self.graph.push(Kind::Operation(Op::And, vec![active, condition]), 1);
        }
        self.graph.properties.push(GraphProperty {
            kind: property.kind,
            path: self.design.blocks[self.index].path.clone(),
            text: property.text.clone(),
            source: property.source,
            clock,
            active,
            condition: self.base + property.condition.index(),
        });
    }
}
