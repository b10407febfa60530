//! Values of expressions on directed and random values of the nets.

use super::compare::Graph;
use crate::op::Op;
use crate::record::{AtomId, NodeId, NodeKind};
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Sets of values that two expressions are compared on.
const SAMPLES: u64 = 64;

/// Whether two expressions have the same values. `ignores_root` says that what their roots are fixed to does not
/// count: they are the conditions themselves.
pub(super) fn same_values(
    a: &Graph<'_>,
    root_a: NodeId,
    b: &Graph<'_>,
    root_b: NodeId,
    ignores_root: bool,
) -> bool {
    if a.body.node(root_a).width != b.body.node(root_b).width {
        return false;
    }
    let cones = [Cone::new(a, root_a, ignores_root), Cone::new(b, root_b, ignores_root)];
    let nets = Nets::new(&cones);
    (0..SAMPLES).all(|sample| cones[0].value(&nets, sample) == cones[1].value(&nets, sample))
}

/// Whether an expression of one bit always has this value.
pub(super) fn is_always(graph: &Graph<'_>, root: NodeId, value: bool) -> bool {
    let cone = [Cone::new(graph, root, true)];
    let nets = Nets::new(&cone);
    (0..SAMPLES).all(|sample| cone[0].value(&nets, sample).bit(0) == value)
}

/// The nodes that a value is computed from, operands before users.
struct Cone<'a> {
    graph: &'a Graph<'a>,
    nodes: Vec<usize>,
    root: usize,
    ignores_root: bool,
}

impl<'a> Cone<'a> {
    fn new(graph: &'a Graph<'a>, root: NodeId, ignores_root: bool) -> Cone<'a> {
        let root = root.index();
        let mut needed = vec![false; root + 1];
        needed[root] = true;
        let mut nodes = vec![];
        for index in (0..=root).rev().filter(|_| true) {
            if !needed[index] {
                continue;
            }
            nodes.push(index);
            let is_fixed = graph.fixed[index].is_some() && !(ignores_root && index == root);
            if let NodeKind::Op(op, args) = &graph.body.nodes[index].kind
                && !is_fixed
            {
                let side = (*op == Op::Mux).then(|| graph.fixed[args[0].index()]).flatten();
                for (i, arg) in args.iter().enumerate() {
                    needed[arg.index()] |= side.is_none_or(|then| i == if then { 1 } else { 2 });
                }
            }
        }
        nodes.reverse();
        Cone { graph, nodes, root, ignores_root }
    }

    fn value(&self, nets: &Nets, sample: u64) -> Value {
        let mut values: BTreeMap<usize, Value> = BTreeMap::new();
        for &index in &self.nodes {
            let node = &self.graph.body.nodes[index];
            let fixed = self.graph.fixed[index].filter(|_| !(self.ignores_root && index == self.root));
            let value = match (&node.kind, fixed) {
                (_, Some(bit)) => Value::from_bool(bit),
                (NodeKind::Literal(value), _) => *value,
                (NodeKind::Net(net), _) => nets.value(*net, node.width, sample),
                (NodeKind::Op(Op::Mux, args), _) if self.graph.fixed[args[0].index()].is_some() => {
                    let then = self.graph.fixed[args[0].index()] == Some(true);
                    values[&args[if then { 1 } else { 2 }].index()]
                }
                (NodeKind::Op(op, args), _) => {
                    let args: Vec<Value> = args.iter().map(|a| values[&a.index()]).collect();
                    op.eval(&args)
                }
            };
            values.insert(index, value);
        }
        values[&self.root]
    }
}

/// Values for the nets that expressions read.
struct Nets {
    /// Constants of the expressions: what nets are compared with.
    constants: Vec<Value>,
    /// Numbers that do not change from run to run, as identities do.
    numbers: BTreeMap<AtomId, usize>,
}

impl Nets {
    fn new(cones: &[Cone<'_>]) -> Nets {
        let mut constants = BTreeSet::new();
        let mut nets = BTreeSet::new();
        for cone in cones {
            for &index in &cone.nodes {
                match cone.graph.body.nodes[index].kind {
                    NodeKind::Literal(value) => {
                        constants.insert(value);
                    }
                    NodeKind::Net(net) => {
                        nets.insert(net);
                    }
                    NodeKind::Op(..) => {}
                }
            }
        }
        let numbers = nets.into_iter().enumerate().map(|(i, net)| (net, i)).collect();
        Nets { constants: constants.into_iter().collect(), numbers }
    }

    fn value(&self, net: AtomId, width: usize, sample: u64) -> Value {
        let hash = |i: u64| {
            let mut hasher = DefaultHasher::new();
            (self.numbers.get(&net), sample, i).hash(&mut hasher);
            hasher.finish()
        };
        let random = || {
            let limbs: Vec<u64> = (0..width.div_ceil(64) as u64).map(hash).collect();
            Value::from_limbs(width, &limbs)
        };
        let zero = Value::zero(width);
        match (sample, hash(u64::MAX) % 8) {
            (0, _) => zero,
            (1, _) => Op::Not.eval(&[zero]),
            (_, 0..=2) if !self.constants.is_empty() => {
                let constant = self.constants[hash(u64::MAX - 1) as usize % self.constants.len()];
                constant.resized(width)
            }
            (_, 3) => Value::from_u128(width, u128::from(hash(u64::MAX - 1) % 4)),
            (_, 4) => zero,
            _ => random(),
        }
    }
}
