//! Whether a run on single sides did what the graph says for these sides.

use super::Run;
use super::evaluate::same_values;
use crate::diagnostic::Source;
use crate::op::Op;
use crate::property::Property;
use crate::record::{AtomId, Body, Condition, NodeId, NodeKind, Region, Statement, Trace};
use std::collections::BTreeMap;
use tmu_problem::Note;

/// What a run did otherwise than the graph.
#[derive(Debug)]
pub(super) enum Difference {
    /// A net takes another value; where it is driven.
    Drive { target: AtomId, source: Source },
    /// An assertion, assumption or cover is another one.
    Property { source: Source },
    /// A branch has another condition.
    Condition { source: Source },
    /// There is another branch, or none, at this place.
    Course { source: Source },
    /// A value is computed in another way; where.
    Value { source: Source },
    /// Statements come in another order.
    Order,
    /// The declared timing is another one.
    Timing,
    /// The run broke a rule.
    Refused { message: String, places: Vec<Note> },
    /// The run panicked.
    Panic,
    /// The run does not end.
    Endless,
}

/// One of the two graphs, with the bits that the sides taken fix.
pub(super) struct Graph<'a> {
    pub(super) body: &'a Body,
    /// The value of each node that is a condition, where the run took a side of it.
    pub(super) fixed: Vec<Option<bool>>,
}

impl Graph<'_> {
    fn new(body: &Body) -> Graph<'_> {
        Graph { body, fixed: vec![None; body.nodes.len()] }
    }

    /// The node that stands for the value of `id` on the sides taken.
    pub(super) fn resolve(&self, mut id: NodeId) -> NodeId {
        loop {
            id = match &self.body.node(id).kind {
                NodeKind::Op(Op::Mux, args) => match self.fixed[args[0].index()] {
                    Some(true) => args[1],
                    Some(false) => args[2],
                    None => return id,
                },
                NodeKind::Op(Op::Repeat(1), args) => args[0],
                _ => return id,
            };
        }
    }

    /// True for `&&` and `||` that their left side decides.
    fn is_decided(&self, op: Op, args: &[NodeId]) -> bool {
        match op {
            Op::LogicalAnd => self.fixed[args[0].index()] == Some(false),
            Op::LogicalOr => self.fixed[args[0].index()] == Some(true),
            _ => false,
        }
    }
}

/// Compares what `body` and `trace` say with the graph of `joint`.
pub(super) fn compare(joint: &Run, body: &Body, trace: &Trace) -> Result<(), Difference> {
    let mut pair = Pair {
        joint: Graph::new(&joint.body),
        run: Graph::new(body),
        matched: vec![u32::MAX; body.nodes.len()],
    };
    let branches = pair.branches(&joint.trace, trace)?;
    for (in_joint, in_run) in branches {
        pair.condition(&joint.trace, in_joint, trace, in_run)?;
    }
    let (expected, stated) = pair.expected(&joint.body.statements)?;
    pair.properties(&stated, &properties(&body.statements))?;
    let mut found = BTreeMap::new();
    last_drives(&body.statements, &mut found);
    for (&target, &(value, source)) in &found {
        let same = expected.get(&target).is_some_and(|&(expected, _)| pair.same(expected, value, false));
        if !same {
            return Err(Difference::Drive { target, source });
        }
    }
    for (&target, &(_, source)) in &expected {
        if !found.contains_key(&target) {
            return Err(Difference::Drive { target, source });
        }
    }
    let timing = |body: &Body| (body.latency_clocks, body.initiation_interval_clocks);
    if timing(&joint.body) == timing(body) { Ok(()) } else { Err(Difference::Timing) }
}

/// Where two runs that took both sides of every branch differ: they should have recorded the same.
pub(super) fn unlike(first: &Body, second: &Body) -> Option<Difference> {
    for (a, b) in first.nodes.iter().zip(&second.nodes) {
        let same = match (&a.kind, &b.kind) {
            (NodeKind::Literal(a), NodeKind::Literal(b)) => a == b,
            (NodeKind::Net(a), NodeKind::Net(b)) => a == b,
            (NodeKind::Op(op, left), NodeKind::Op(other, right)) => {
                op == other && left.iter().map(|id| id.index()).eq(right.iter().map(|id| id.index()))
            }
            _ => false,
        };
        if !same {
            return Some(Difference::Value { source: b.source });
        }
    }
    unlike_statements(&first.statements, &second.statements).or_else(|| {
        let more = first.nodes.get(second.nodes.len()).or(second.nodes.get(first.nodes.len()));
        more.map(|node| Difference::Value { source: node.source })
    })
}

fn unlike_statements(first: &[Statement], second: &[Statement]) -> Option<Difference> {
    let found = first.iter().zip(second).find_map(|(a, b)| unlike_statement(a, b));
    found.or_else(|| {
        let extra = first.get(second.len()).or(second.get(first.len()));
        extra.map(|statement| alone(statement).unwrap_or(Difference::Order))
    })
}

fn unlike_statement(first: &Statement, second: &Statement) -> Option<Difference> {
    match (first, second) {
        (Statement::Drive { target, value, .. }, Statement::Drive { target: other, value: by, source }) => {
            let same = target == other && value.index() == by.index();
            (!same).then_some(Difference::Drive { target: *other, source })
        }
        (
            Statement::If { condition, then, otherwise },
            Statement::If { condition: on, then: left, otherwise: right },
        ) if condition.index() == on.index() => {
            unlike_statements(then, left).or_else(|| unlike_statements(otherwise, right))
        }
        (Statement::Property(a), Statement::Property(b)) => {
            let same = states_the_same(a, b) && a.condition.index() == b.condition.index();
            (!same).then_some(Difference::Property { source: b.source })
        }
        (Statement::Discard { value, .. }, Statement::Discard { value: other, .. }) => {
            (value.index() != other.index()).then_some(Difference::Order)
        }
        (Statement::Comment(_), Statement::Comment(_)) | (Statement::Banner(_), Statement::Banner(_)) => None,
        _ => alone(second).or(alone(first)).or(Some(Difference::Order)),
    }
}

/// A property that only one run states.
fn alone(statement: &Statement) -> Option<Difference> {
    match statement {
        Statement::Property(property) => Some(Difference::Property { source: property.source }),
        _ => None,
    }
}

/// Whether two properties are the same but for their conditions, which are nodes of two graphs.
fn states_the_same(a: &Property, b: &Property) -> bool {
    (a.kind, &a.text, a.clocks, a.source) == (b.kind, &b.text, b.clocks, b.source)
}

type Drives = BTreeMap<AtomId, (NodeId, Source)>;

/// Of several drives of a net the last one counts.
fn last_drives(statements: &[Statement], drives: &mut Drives) {
    for statement in statements {
        if let Statement::Drive { target, value, source } = statement {
            drives.insert(*target, (*value, *source));
        }
    }
}

/// What a run states, in its order.
fn properties(statements: &[Statement]) -> Vec<&Property> {
    let mut stated = vec![];
    for statement in statements {
        if let Statement::Property(property) = statement {
            stated.push(property);
        }
    }
    stated
}

struct Pair<'a> {
    joint: Graph<'a>,
    run: Graph<'a>,
    /// The node of `joint` that a node of `run` was found to be equal to.
    matched: Vec<u32>,
}

impl Pair<'_> {
    /// Pairs the branches of the run with those of the graph and fixes their conditions.
    fn branches(&mut self, joint: &Trace, run: &Trace) -> Result<Vec<(usize, usize)>, Difference> {
        let mut pairs = vec![];
        let mut regions = vec![(Region::Top, Region::Top)];
        while let Some((in_joint, in_run)) = regions.pop() {
            let (left, right) = (joint.inside(in_joint), run.inside(in_run));
            for (&i, &j) in left.iter().zip(right) {
                let (a, b) = (&joint.occurrences[i], &run.occurrences[j]);
                let Some(taken) = b.taken.filter(|_| a.source == b.source) else {
                    return Err(Difference::Course { source: b.source });
                };
                match (a.condition, b.condition) {
                    (Condition::Node(node), other) => {
                        self.joint.fixed[node.index()] = Some(taken);
                        if let Condition::Node(node) = other {
                            self.run.fixed[node.index()] = Some(taken);
                        }
                        pairs.push((i, j));
                    }
                    (Condition::Constant(a), Condition::Constant(b)) if a == b => {}
                    // The run could not see that it is a constant; `condition` looks whether it is.
                    (Condition::Constant(a), Condition::Node(node)) if a == taken => {
                        self.run.fixed[node.index()] = Some(taken);
                        pairs.push((i, j));
                    }
                    _ => return Err(Difference::Course { source: b.source }),
                }
                regions.push((Region::Side(i, taken), Region::Side(j, taken)));
            }
            if left.len() != right.len() {
                let extra = left.get(right.len()).map(|&i| joint.occurrences[i].source);
                let missing = right.get(left.len()).map(|&j| run.occurrences[j].source);
                if let Some(source) = extra.or(missing) {
                    return Err(Difference::Course { source });
                }
            }
        }
        pairs.sort_unstable();
        Ok(pairs)
    }

    fn condition(&mut self, joint: &Trace, i: usize, run: &Trace, j: usize) -> Result<(), Difference> {
        let (a, b) = (&joint.occurrences[i], &run.occurrences[j]);
        let same = match (a.condition, b.condition) {
            (Condition::Node(a), Condition::Node(b)) => self.same(a, b, true),
            (Condition::Node(a), Condition::Constant(b)) => super::evaluate::is_always(&self.joint, a, b),
            (Condition::Constant(a), Condition::Node(b)) => super::evaluate::is_always(&self.run, b, a),
            _ => true,
        };
        if same { Ok(()) } else { Err(Difference::Condition { source: b.source }) }
    }

    /// Whether a run states the same of the same values.
    fn properties(&mut self, in_joint: &[&Property], in_run: &[&Property]) -> Result<(), Difference> {
        for (a, b) in in_joint.iter().zip(in_run) {
            if !(states_the_same(a, b) && self.same(a.condition, b.condition, false)) {
                return Err(Difference::Property { source: b.source });
            }
        }
        let extra = in_joint.get(in_run.len()).or(in_run.get(in_joint.len()));
        extra.map_or(Ok(()), |property| Err(Difference::Property { source: property.source }))
    }

    /// What the graph drives and states on the sides taken.
    fn expected<'s>(&self, statements: &'s [Statement]) -> Result<(Drives, Vec<&'s Property>), Difference> {
        let mut drives = Drives::new();
        let mut stated = vec![];
        let mut lists = vec![statements.iter()];
        while let Some(list) = lists.last_mut() {
            match list.next() {
                None => {
                    lists.pop();
                }
                Some(Statement::Drive { target, value, source }) => {
                    drives.insert(*target, (*value, *source));
                }
                Some(Statement::If { condition, then, otherwise }) => {
                    match self.joint.fixed[condition.index()] {
                        Some(true) => lists.push(then.iter()),
                        Some(false) => lists.push(otherwise.iter()),
                        None => {
                            let source = self.joint.body.node(*condition).source;
                            return Err(Difference::Course { source });
                        }
                    }
                }
                Some(Statement::Property(property)) => stated.push(property),
                Some(Statement::Comment(_) | Statement::Banner(_) | Statement::Discard { .. }) => {}
            }
        }
        Ok((drives, stated))
    }

    /// Whether two nodes have the same value; `is_condition` says that what they are fixed to does not count.
    fn same(&mut self, in_joint: NodeId, in_run: NodeId, is_condition: bool) -> bool {
        self.same_structure(in_joint, in_run)
            || same_values(&self.joint, in_joint, &self.run, in_run, is_condition)
    }

    fn same_structure(&mut self, in_joint: NodeId, in_run: NodeId) -> bool {
        let mut open = vec![(in_joint, in_run)];
        let mut noted = vec![];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.joint.resolve(a), self.run.resolve(b));
            if self.matched[b.index()] as usize == a.index() {
                continue;
            }
            let same = match (&self.joint.body.node(a).kind, &self.run.body.node(b).kind) {
                (NodeKind::Literal(a), NodeKind::Literal(b)) => a == b,
                (NodeKind::Net(a), NodeKind::Net(b)) => a == b,
                (NodeKind::Op(op, left), NodeKind::Op(other, right)) => {
                    let decided = self.joint.is_decided(*op, left) && self.run.is_decided(*other, right);
                    let operands = left.iter().copied().zip(right.iter().copied());
                    open.extend(operands.take(if decided { 1 } else { left.len() }));
                    op == other && left.len() == right.len()
                }
                _ => false,
            };
            if !same {
                noted.iter().for_each(|&b: &usize| self.matched[b] = u32::MAX);
                return false;
            }
            self.matched[b.index()] = u32::try_from(a.index()).unwrap_or(u32::MAX);
            noted.push(b.index());
        }
        true
    }
}
