//! Expressions: from the typed graph to text.
//!
//! The rule that makes the text mean what the graph means: wherever Verilog lets the context decide a width
//! (arithmetic, bitwise operators, multiplexers, the left side of a shift), graph typing has already made all
//! widths equal, so the context decides nothing. Products, arithmetic shifts and selections of something that
//! is not a name break that rule or the grammar; they get a wire of their own.

use super::arrays::{Name, vector_range};
use super::fault::{Fault, is_planted};
use super::names::Names;
use super::operator::Strength;
use super::scopes::Ways;
use super::text;
use super::{Called, Declaration};
use crate::diagnostic::Source;
use crate::op::Op;
use crate::record::{AtomId, Body, NodeId, NodeKind};
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};

/// Prints the expressions of one module.
pub(crate) struct Expressions<'a> {
    pub(super) body: &'a Body,
    pub(super) net_names: FxHashMap<AtomId, Name>,
    pub(super) names: Names,
    pub(super) ways: Ways,
    /// What nodes are called that have a name in the source.
    pub(super) wire_names: FxHashMap<usize, Name>,
    /// Vectors of wires that are not declared yet.
    pub(super) undeclared: FxHashSet<String>,
    /// What the module declares, in the order in which names were given.
    pub(super) declarations: Vec<Declaration>,
    /// Names that stand for items of vectors or were not needed, which are not declared.
    items: FxHashSet<String>,
    /// How often each node is used by what will be printed.
    pub(super) uses: Vec<u32>,
    /// Nodes that have a wire already.
    wires: FxHashMap<NodeId, Name>,
    /// Named constants, by the position of their node.
    pub(super) parameters: FxHashMap<usize, Name>,
    /// Wire declarations that must stand before the statement being printed.
    pending: Vec<String>,
    /// What unnamed wires are called after.
    pub(super) target: String,
    /// Levels of operators below each node, and whether it gets a wire since too many of them would be one expression.
    levels: Vec<(usize, bool)>,
}

/// Levels of operators in one expression, past which a part gets a wire of its own.
const MOST_LEVELS: usize = 100;
/// Levels of operators past which the wires below an expression are printed one by one, not from within each other.
const MOST_NESTED_LEVELS: usize = 500;

impl<'a> Expressions<'a> {
    pub(crate) fn new(body: &'a Body, names: Names, roots: &[NodeId]) -> Expressions<'a> {
        let mut expressions = Expressions {
            body,
            net_names: FxHashMap::default(),
            names,
            ways: Ways::new(body),
            wire_names: FxHashMap::default(),
            undeclared: FxHashSet::default(),
            declarations: vec![],
            items: FxHashSet::default(),
            uses: vec![0; body.nodes.len()],
            wires: FxHashMap::default(),
            parameters: FxHashMap::default(),
            pending: vec![],
            target: String::new(),
            levels: vec![],
        };
        for &root in roots {
            expressions.count(root);
        }
        expressions.count_levels();
        expressions
    }

    fn count_levels(&mut self) {
        let mut in_one: Vec<usize> = vec![0; self.body.nodes.len()];
        self.levels = vec![(0, false); self.body.nodes.len()];
        for (index, node) in self.body.nodes.iter().enumerate() {
            let NodeKind::Op(_, args) = &node.kind else { continue };
            let below = args.iter().map(|a| self.levels[a.index()].0).max().unwrap_or(0);
            let inside = args.iter().map(|a| in_one[a.index()]).max().unwrap_or(0) + 1;
            let is_deep = inside >= MOST_LEVELS;
            self.levels[index] = (below + 1, is_deep);
            let has_wire = is_deep || node.name.is_some() || self.uses[index] > 1 || needs_wire(&node.kind);
            in_one[index] = if has_wire { 0 } else { inside };
        }
    }

    /// Makes the wires that a very deep expression needs, those that others are made of first: printing goes down an
    /// expression, and a long sum would take it down as many levels as it has terms.
    fn prepare(&mut self, root: NodeId) {
        if self.levels[root.index()].0 <= MOST_NESTED_LEVELS {
            return;
        }
        let mut below = std::collections::BTreeMap::new();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if let NodeKind::Op(_, args) = &self.body.node(id).kind
                && below.insert(id.index(), id).is_none()
            {
                stack.extend(args);
            }
        }
        below.remove(&root.index());
        for id in below.into_values() {
            if self.has_own_wire(id) {
                self.name_of(id);
            }
        }
    }

    /// True for an operand that is printed as the name of a wire.
    fn has_own_wire(&self, id: NodeId) -> bool {
        let node = self.body.node(id);
        let shared = self.uses[id.index()] > 1 && !self.is_cheap(id);
        node.name.is_some() || shared || needs_wire(&node.kind) || self.levels[id.index()].1
    }

    fn count(&mut self, root: NodeId) {
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            self.uses[id.index()] += 1;
            if self.uses[id.index()] == 1
                && let NodeKind::Op(_, args) = &self.body.node(id).kind
            {
                stack.extend(args);
            }
        }
    }

    pub(crate) fn set_net_name(&mut self, net: AtomId, name: Name) {
        self.net_names.insert(net, name);
    }

    pub(crate) fn net_name(&self, net: AtomId) -> &Name {
        &self.net_names[&net]
    }

    /// A free name for the vector of an array whose items have taken the names `words`.
    pub(crate) fn take_vector_name(&mut self, stem: &str, words: impl IntoIterator<Item = String>) -> String {
        self.items.extend(words);
        let wanted = if self.names.is_free(stem) { stem.to_string() } else { format!("{stem}_array") };
        self.take_name(&wanted, None, None)
    }

    /// A free name for something that is declared; `position` is the one in an array that `wanted` ends in.
    pub(crate) fn take_name(
        &mut self,
        wanted: &str,
        position: Option<usize>,
        source: Option<Source>,
    ) -> String {
        let name = self.names.take(wanted);
        let position = position.filter(|position| name.ends_with(&format!("_{position}")));
        self.declarations.push(Declaration { name: name.clone(), position, is_instance: false, source });
        name
    }

    /// A name that turns out not to be declared.
    pub(crate) fn hide(&mut self, name: &Name) {
        self.items.insert(name.word().into());
    }

    /// A free name for an instance.
    pub(crate) fn take_instance_name(&mut self, wanted: &str, position: Option<usize>) -> String {
        let name = self.take_name(wanted, position, None);
        self.declarations.last_mut().into_iter().for_each(|declaration| declaration.is_instance = true);
        name
    }

    /// What nets and expressions are called.
    pub(crate) fn called(self) -> Called {
        Called { nets: self.net_names, wires: self.wires }
    }

    /// What the module declares.
    pub(crate) fn take_declarations(&mut self) -> Vec<Declaration> {
        let mut declarations = std::mem::take(&mut self.declarations);
        declarations.retain(|declaration| !self.items.contains(&declaration.name));
        declarations
    }

    /// The `localparam` of a named constant, where the module has it.
    pub(crate) fn parameter(&self, name: &str, value: Value) -> Option<String> {
        let same = |index: &usize| {
            let node = &self.body.nodes[*index];
            node.name.as_deref() == Some(name) && matches!(node.kind, NodeKind::Literal(v) if v == value)
        };
        self.parameters.iter().find(|(index, _)| same(index)).map(|(_, name)| name.to_string())
    }

    /// Keeps a name from being given to anything.
    pub(crate) fn reserve_name(&mut self, name: &str) {
        self.names.reserve(name);
    }

    /// Wire declarations that the last expressions need, oldest first.
    pub(crate) fn take_pending(&mut self) -> Vec<String> {
        std::mem::take(&mut self.pending)
    }

    /// The right side of an assignment to `target`, which is exactly as wide as the expression.
    pub(crate) fn right_side(&mut self, id: NodeId, target: &str) -> String {
        self.target = target.into();
        self.prepare(id);
        if self.wires.contains_key(&id) || self.body.node(id).name.is_some() {
            return self.name_of(id).to_string();
        }
        self.render(id, true).0
    }

    /// A one-bit condition.
    pub(crate) fn condition(&mut self, id: NodeId, target: &str) -> String {
        self.target = target.into();
        self.prepare(id);
        self.operand(id, Strength::Choice)
    }

    /// True for what reads well as a port connection: names, constants and selections of names.
    pub(crate) fn is_plain(&self, id: NodeId) -> bool {
        let node = self.body.node(id);
        match &node.kind {
            NodeKind::Literal(_) | NodeKind::Net(_) => true,
            NodeKind::Op(Op::Slice { .. }, args) => self.has_name(args[0]),
            NodeKind::Op(..) => self.has_name(id),
        }
    }

    /// The name that the node is printed as, where it has one.
    pub(super) fn known_name(&mut self, id: NodeId) -> Option<Name> {
        self.has_name(id).then(|| self.name_of(id))
    }

    /// True when the node is printed as a name without asking for a new wire.
    fn has_name(&self, id: NodeId) -> bool {
        let node = self.body.node(id);
        matches!(node.kind, NodeKind::Net(_)) || node.name.is_some() || self.wires.contains_key(&id)
    }

    /// A name that holds the value: the net itself or a wire, made where there is none.
    pub(super) fn name_of(&mut self, id: NodeId) -> Name {
        let node = self.body.node(id);
        if let NodeKind::Net(net) = node.kind {
            return self.net_name(net).clone();
        }
        if let Some(name) = self.wires.get(&id).or_else(|| self.parameters.get(&id.index())) {
            return name.clone();
        }
        let role = if let NodeKind::Op(op, _) = &node.kind { role(*op) } else { "constant" };
        let text = self.render(id, true).0;
        let name = match self.wire_names.get(&id.index()) {
            Some(name) => name.clone(),
            None => Name::plain(self.name_unnamed(id, role)),
        };
        match name.item() {
            None => self.pending.push(format!("wire {}{name} = {text};", text::range(node.width))),
            Some(item) => {
                if self.undeclared.remove(&item.vector) {
                    let range = vector_range(item.count, &item.width.to_string());
                    self.pending.push(format!("wire {range}{};", item.vector));
                }
                self.pending.push(format!("assign {name} = {text};"));
            }
        }
        self.wires.insert(id, name.clone());
        name
    }

    /// The expression as an operand that must bind at least as strongly as `least`.
    pub(super) fn operand(&mut self, id: NodeId, least: Strength) -> String {
        let planted = least < Strength::Unary && is_planted(Fault::NoParentheses);
        self.operand_where(id, |strength| strength >= least || planted)
    }

    /// The expression as an operand, in parentheses unless it `stands_alone` with its strength.
    pub(super) fn operand_where(&mut self, id: NodeId, stands_alone: impl Fn(Strength) -> bool) -> String {
        let node = self.body.node(id);
        if matches!(node.kind, NodeKind::Net(_)) || self.has_own_wire(id) {
            return self.name_of(id).to_string();
        }
        let (text, strength) = self.render(id, false);
        if stands_alone(strength) { text } else { format!("({text})") }
    }

    /// Selections of names, extensions of them and constants are repeated rather than given a wire.
    fn is_cheap(&self, id: NodeId) -> bool {
        match &self.body.node(id).kind {
            NodeKind::Literal(_) | NodeKind::Net(_) => true,
            NodeKind::Op(Op::Slice { .. } | Op::Not | Op::Any | Op::All, args) => self.has_name(args[0]),
            NodeKind::Op(Op::Index, args) => self.has_name(args[0]) && self.has_name(args[1]),
            NodeKind::Op(..) => false,
        }
    }

    /// Text and strength; `whole` says that the expression is a whole right side.
    fn render(&mut self, id: NodeId, whole: bool) -> (String, Strength) {
        let node = self.body.node(id);
        match &node.kind {
            NodeKind::Literal(value) => (literal(value), Strength::Primary),
            NodeKind::Net(net) => (self.net_name(*net).to_string(), Strength::Primary),
            NodeKind::Op(op, args) => {
                debug_assert!(whole || !needs_wire(&node.kind));
                self.render_op(*op, args, node.width)
            }
        }
    }
}

/// Products and arithmetic shifts take their width or sign from the context, so they stand alone.
fn needs_wire(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::Op(Op::Mul | Op::MulSigned | Op::ShrSigned, _))
}

/// What an unnamed wire is called after, behind the name of its target.
fn role(op: Op) -> &'static str {
    match op {
        Op::Add | Op::Sub | Op::Neg => "sum",
        Op::Mul | Op::MulSigned => "product",
        Op::Shl | Op::Shr | Op::ShrSigned => "shifted",
        Op::Mux => "choice",
        Op::Concat | Op::Repeat(_) | Op::ZeroExtend(_) | Op::SignExtend(_) => "joined",
        Op::Slice { .. } | Op::Index => "part",
        _ => "term",
    }
}

/// A sized literal: binary for one bit, decimal below ten, hexadecimal above.
pub(crate) fn literal(value: &Value) -> String {
    let lost_bits = usize::from(value.width() > 1 && is_planted(Fault::NarrowLiteral));
    let value = value.resized(value.width() - lost_bits);
    let width = value.width();
    match value.to_u64() {
        Some(number) if width == 1 => format!("1'b{number}"),
        Some(number) if number < 10 => format!("{width}'d{number}"),
        Some(number) if is_planted(Fault::WrongRadix) => format!("{width}'h{number}"),
        _ => format!("{width}'h{value:x}"),
    }
}
