//! The recorder: while a design is elaborated, kernels run once and leave behind what they would compute.
//!
//! A kernel is ordinary Rust over [`crate::bits::Bits`]. In simulation a `Bits` carries a value; under the recorder
//! it carries a node of the block's expression graph, and driving a net appends a statement. One recorder
//! serves one block at a time; [`crate::elaborate`] opens and closes it around each call of `Logic::hdl`.
//!
//! The run whose graph becomes hardware takes both sides of every hardware `if`, one after the other. Further runs
//! take one side of each, as simulation does; `soundness` compares them with the graph.

use crate::crossing::CrossingWaiver;
use crate::diagnostic::{Problem, Rule, Source, refusal};
use crate::op::Op;
use crate::primitive::Primitive;
use crate::property::Property;
use crate::value::Value;
use branch::OpenBranch;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

mod branch;
pub(crate) mod scope;
mod trace;

pub(crate) use branch::{
    close_branch, finish_branch, in_hardware_branch, known_shortcut, note_change, note_shortcut, open_branch,
    open_decided_branch, statement, turn_branch,
};
pub use scope::{Scope, ScopeId};
pub(crate) use trace::{Change, Condition, Endless, Region, Shortcut, Sides, Trace};

/// Identity of a net, register or port: what rust-hdl's `Atom::id` returns.
pub type AtomId = usize;

/// A node of the expression graph of the block being recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId {
    /// Which block recorded it; a node must not leave its block.
    block: u32,
    index: u32,
}

impl NodeId {
    /// Stands for a value that has been refused: whatever is computed from it is silent.
    pub(crate) const POISON: NodeId = NodeId { block: u32::MAX, index: 0 };

    /// Position in [`Body::nodes`].
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// The node of the same block at another position.
    pub(crate) fn at(self, index: usize) -> NodeId {
        NodeId { index: u32::try_from(index).unwrap_or(u32::MAX), ..self }
    }
}

/// What a node computes.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// A constant; one with a name becomes a `localparam`.
    Literal(Value),
    /// The settled value of a net or register.
    Net(AtomId),
    /// An operator over earlier nodes.
    Op(Op, Vec<NodeId>),
}

/// One expression.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it computes.
    pub kind: NodeKind,
    /// Width of the result in bits.
    pub width: usize,
    /// The name of the `let` that holds it, or of the constant; `$` stands before the position in an array.
    pub name: Option<String>,
    /// Where in the kernel it got its name, or was made.
    pub scope: ScopeId,
    /// Where it was written.
    pub source: Source,
}

/// One statement of a kernel.
#[derive(Clone, Debug)]
pub enum Statement {
    /// A net or register takes a value.
    Drive {
        /// The target.
        target: AtomId,
        /// The value, as wide as the target.
        value: NodeId,
        /// Where it was written.
        source: Source,
    },
    /// A condition known only in hardware.
    If {
        /// One bit.
        condition: NodeId,
        /// Taken when the bit is set.
        then: Vec<Statement>,
        /// Taken otherwise.
        otherwise: Vec<Statement>,
    },
    /// A comment from the source.
    Comment(String),
    /// A stage banner from the source.
    Banner(String),
    /// What must hold, may be relied on, or must be possible.
    Property(Property),
    /// Bits that are deliberately not used.
    Discard {
        /// The unused value.
        value: NodeId,
        /// Why it may be dropped.
        reason: String,
    },
}

/// What a condition that a `match` made is one of.
#[derive(Clone, Debug)]
pub struct Case {
    /// The `match`: its number among those of the kernel.
    pub number: usize,
    /// What it looks at.
    pub scrutinee: NodeId,
    /// The constants that the condition holds for.
    pub codes: Vec<NodeId>,
}

/// What one kernel left behind.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Type of the block in `snake_case`: the name of its module.
    pub type_name: String,
    /// Doc comment of the kernel, shown above the module.
    pub docs: String,
    /// Expressions, operands before users.
    pub nodes: Vec<Node>,
    /// The scopes that nodes are in, those around others first.
    pub scopes: Vec<Scope>,
    /// Statements in source order.
    pub statements: Vec<Statement>,
    /// Clocks from an accepted input to its output, where the block declares it.
    pub latency_clocks: Option<u32>,
    /// Clocks between two accepted inputs, where the block declares it.
    pub initiation_interval_clocks: Option<u32>,
    /// Set when the block is a primitive rather than a kernel.
    pub primitive: Option<Primitive>,
    /// Crossing rules that the kernel sets aside.
    pub crossing_waivers: Vec<CrossingWaiver>,
    /// The conditions that belong to a `match`, by the position of their node.
    pub cases: BTreeMap<usize, Case>,
    /// What the last arm of each `match` is for, where its values have names.
    pub last_arms: BTreeMap<usize, String>,
    /// How many `match`es on hardware ran.
    pub matches: usize,
}

struct Recorder {
    block: u32,
    path: String,
    body: Body,
    /// Statement lists of the open hardware branches; the last one takes new statements.
    lists: Vec<Vec<Statement>>,
    branches: Vec<OpenBranch>,
    trace: Trace,
    /// Which sides of hardware branches run.
    sides: Sides,
    /// The innermost open scope.
    scope: ScopeId,
}

thread_local! {
    static RECORDING: Cell<bool> = const { Cell::new(false) };
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
    static BLOCKS: Cell<u32> = const { Cell::new(0) };
    static NETS: RefCell<FxHashMap<AtomId, NetPlace>> = RefCell::default();
    static PROBLEMS: RefCell<Vec<Problem>> = const { RefCell::new(Vec::new()) };
}

/// What messages say about a net.
#[derive(Clone, Debug)]
pub(crate) struct NetPlace {
    /// Path from the top.
    pub(crate) path: String,
    /// Where it was made, as far as it knows.
    pub(crate) source: Option<Source>,
}

/// Lays down what the nets of the design to be recorded are called.
pub(crate) fn set_net_places(places: FxHashMap<AtomId, NetPlace>) {
    NETS.set(places);
}

/// The net as the block being recorded sees it: its own nets without a path.
pub(crate) fn net_place(net: AtomId) -> Option<NetPlace> {
    let mut place = NETS.with_borrow(|nets| nets.get(&net).cloned())?;
    let block = with(|r| format!("{}.", r.path))?;
    if let Some(local) = place.path.strip_prefix(&block) {
        place.path = local.to_string();
    }
    Some(place)
}

/// The name of a net for messages about the block at `path`.
pub(crate) fn net_name(path: &str, net: AtomId) -> Option<String> {
    let place = NETS.with_borrow(|nets| nets.get(&net).cloned())?;
    let local = place.path.strip_prefix(path).and_then(|rest| rest.strip_prefix('.'));
    Some(format!("`{}`", local.unwrap_or(&place.path)))
}

/// True while a kernel is recorded rather than simulated.
pub fn is_recording() -> bool {
    RECORDING.get()
}

/// What one run of a kernel left behind.
pub(crate) struct Recorded<R> {
    pub(crate) result: R,
    pub(crate) body: Body,
    pub(crate) trace: Trace,
    /// What it broke.
    pub(crate) problems: Vec<Problem>,
}

/// Runs `kernel` as the block at `path`, on the sides of its hardware branches that `sides` says.
pub(crate) fn record<R>(path: &str, sides: Sides, kernel: impl FnOnce() -> R) -> Recorded<R> {
    /// Leaves no recorder and no message behind, even where the kernel panics.
    struct Open;
    impl Drop for Open {
        fn drop(&mut self) {
            RECORDING.set(false);
            RECORDER.set(None);
            PROBLEMS.take();
        }
    }
    let block = BLOCKS.get() + 1;
    BLOCKS.set(block);
    let fresh = Recorder {
        block,
        path: path.into(),
        body: Body::default(),
        lists: vec![vec![]],
        branches: vec![],
        trace: Trace::default(),
        sides,
        scope: ScopeId::default(),
    };
    let open = Open;
    RECORDER.set(Some(fresh));
    RECORDING.set(true);
    let result = kernel();
    RECORDING.set(false);
    let (mut body, mut trace) = (Body::default(), Trace::default());
    if let Some(mut recorder) = RECORDER.take() {
        recorder.body.statements = recorder.lists.swap_remove(0);
        (body, trace) = (recorder.body, recorder.trace);
    }
    let problems = PROBLEMS.take();
    drop(open);
    Recorded { result, body, trace, problems }
}

fn with<R>(f: impl FnOnce(&mut Recorder) -> R) -> Option<R> {
    RECORDER.with_borrow_mut(|recorder| recorder.as_mut().map(f))
}

/// Changes the body being recorded; does nothing in simulation.
pub(crate) fn with_body(f: impl FnOnce(&mut Body)) {
    if is_recording() {
        with(|r| f(&mut r.body));
    }
}

/// Shows what has been recorded so far, outside of hardware branches.
pub(crate) fn with_body_so_far(f: impl FnOnce(&Body)) {
    with(|recorder| {
        std::mem::swap(&mut recorder.body.statements, &mut recorder.lists[0]);
        f(&recorder.body);
        std::mem::swap(&mut recorder.body.statements, &mut recorder.lists[0]);
    });
}

/// Refuses something: collected under the recorder, a panic in simulation, which elaboration comes before.
pub(crate) fn refuse(rule: Rule, message: String, places: Vec<(String, Source)>, remedy: &'static str) {
    let block = with(|r| r.path.clone()).unwrap_or_else(|| "(simulation)".into());
    let problem = refusal(rule, &block, message, places, remedy);
    if is_recording() {
        PROBLEMS.with_borrow_mut(|list| list.push(problem));
    } else {
        panic!("{problem}");
    }
}

/// Adds an expression and returns its handle.
pub(crate) fn node(kind: NodeKind, width: usize, source: Source) -> Option<NodeId> {
    with(|r| {
        r.sides.count_step();
        let index = u32::try_from(r.body.nodes.len()).unwrap_or(u32::MAX);
        r.body.nodes.push(Node { kind, width, name: None, scope: r.scope, source });
        NodeId { block: r.block, index }
    })
}

/// What `look` makes of the expression behind a handle, unless that belongs to another block. `look` must not record.
pub(crate) fn look_up<T>(id: NodeId, look: impl FnOnce(&Node) -> T) -> Option<T> {
    with(|r| (id.block == r.block).then(|| look(&r.body.nodes[id.index()]))).flatten()
}

/// Gives an expression the name of its `let`; the first name stays.
pub(crate) fn name_node(id: NodeId, name: &str) {
    with(|r| {
        if id.block == r.block && matches!(r.body.nodes[id.index()].kind, NodeKind::Op(..)) {
            let node = &mut r.body.nodes[id.index()];
            if node.name.is_none() {
                (node.name, node.scope) = (Some(name.into()), r.scope);
            }
        }
    });
}

/// A constant with a name; one name stands for one constant.
pub(crate) fn parameter(name: &str, value: Value, source: Source) -> Option<NodeId> {
    with(|r| {
        let nodes = &mut r.body.nodes;
        let same = |n: &Node| {
            matches!(n.kind, NodeKind::Literal(v) if v == value) && n.name.as_deref() == Some(name)
        };
        let index = nodes.iter().position(same).unwrap_or(nodes.len());
        if index == nodes.len() {
            let kind = NodeKind::Literal(value);
            let scope = ScopeId::default();
            nodes.push(Node { kind, width: value.width(), name: Some(name.into()), scope, source });
        }
        NodeId { block: r.block, index: u32::try_from(index).unwrap_or(u32::MAX) }
    })
}

/// The number of a `match` that begins, and the names of the values that take its last arm.
pub(crate) fn next_case(last_arm: &[String]) -> usize {
    with(|r| {
        r.body.matches += 1;
        if !last_arm.is_empty() {
            r.body.last_arms.insert(r.body.matches, last_arm.join(", "));
        }
        r.body.matches
    })
    .unwrap_or(0)
}

/// Notes that a condition belongs to a `match`.
pub(crate) fn note_case(condition: NodeId, case: Case) {
    with_body(|body| {
        body.cases.insert(condition.index(), case);
    });
}

/// True for a constant, which has a node where it has a name.
pub(crate) fn is_constant(id: NodeId) -> bool {
    look_up(id, |node| matches!(node.kind, NodeKind::Literal(_))).unwrap_or(false)
}
