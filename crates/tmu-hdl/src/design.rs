//! A design as data: the tree of blocks with their nets and recorded kernels.
//!
//! [`crate::elaborate`] makes it; the checks, the Verilog back end and the manifest read it.

use crate::crossing::Declared;
use crate::diagnostic::Source;
use crate::enums::Names;
use crate::primitive::Fabric;
use crate::record::{AtomId, Body, Node, NodeId, NodeKind, Statement};
use crate::register::RegisterDetails;
use rustc_hash::FxHashMap;

/// A whole design. Block 0 is the top; parents stand before their children.
#[derive(Clone, Debug)]
pub struct Design {
    /// All blocks.
    pub blocks: Vec<BlockDesign>,
    /// Where each net lives: block and position among its nets.
    pub places: FxHashMap<AtomId, (usize, usize)>,
    /// What its primitives are printed for. It changes nothing that is computed.
    pub fabric: Fabric,
}

/// One block of the design.
#[derive(Clone, Debug)]
pub struct BlockDesign {
    /// Name of the field that holds it, with array positions as `_0`.
    pub name: String,
    /// Position in the array that its name ends in.
    pub position: Option<usize>,
    /// Path from the top, `top.unit_0.lod`.
    pub path: String,
    /// The block around it.
    pub parent: Option<usize>,
    /// The blocks inside it.
    pub children: Vec<usize>,
    /// Ports, wires, registers and constants in declaration order.
    pub nets: Vec<NetDesign>,
    /// What its kernel recorded.
    pub body: Body,
}

/// What a net is.
#[derive(Clone, Debug, PartialEq)]
// A register's values are as wide as nets may be; boxing them would cost a lookup for each of the few nets saved.
#[allow(clippy::large_enum_variant)]
pub enum NetKind {
    /// An input port.
    Input,
    /// An output port.
    Output,
    /// A wire inside the block.
    Wire,
    /// A register.
    Register(RegisterDetails),
}

/// One net.
#[derive(Clone, Debug)]
pub struct NetDesign {
    /// Its identity.
    pub id: AtomId,
    /// Its name in the source, with `_` between the parts.
    pub name: String,
    /// Position in the array that its name ends in.
    pub position: Option<usize>,
    /// Width in bits.
    pub width: usize,
    /// What the width is called, where its constructor says.
    pub width_name: Option<&'static str>,
    /// What its codes are called, for those of an enum.
    pub code_names: Option<Names>,
    /// What it is.
    pub kind: NetKind,
    /// What its constructor declares about crossings.
    pub declared: Declared,
    /// Verilog attributes.
    pub attributes: Vec<String>,
    /// Where it was made; rust-hdl's own signals do not know.
    pub source: Option<Source>,
}

impl NetDesign {
    /// True for input and output ports.
    pub fn is_port(&self) -> bool {
        matches!(self.kind, NetKind::Input | NetKind::Output)
    }

    /// The register's clock, reset and values, for registers.
    pub fn register(&self) -> Option<&RegisterDetails> {
        match &self.kind {
            NetKind::Register(details) => Some(details),
            _ => None,
        }
    }
}

impl BlockDesign {
    /// The port called `name` in the source.
    pub fn port(&self, name: &str) -> Option<&NetDesign> {
        self.nets.iter().find(|n| n.is_port() && n.name == name)
    }
}

impl Design {
    /// The net with this identity.
    pub fn net(&self, id: AtomId) -> &NetDesign {
        let (block, net) = self.places[&id];
        &self.blocks[block].nets[net]
    }

    /// The block that declares the net.
    pub fn block_of(&self, id: AtomId) -> usize {
        self.places[&id].0
    }

    /// Name of a net for messages, seen from `block`: ports of sub-blocks carry the sub-block's name.
    pub fn name_in(&self, block: usize, id: AtomId) -> String {
        let owner = self.block_of(id);
        let net = &self.net(id).name;
        if owner == block { net.clone() } else { format!("{}.{net}", self.blocks[owner].name) }
    }
}

impl Body {
    /// The node behind a handle.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Calls `f` for every net that the expression reads.
    pub fn for_each_net(&self, root: NodeId, f: &mut impl FnMut(AtomId)) {
        let mut seen = vec![false; root.index() + 1];
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            match &self.node(id).kind {
                NodeKind::Literal(_) => {}
                NodeKind::Net(net) => f(*net),
                NodeKind::Op(_, args) => stack.extend(args),
            }
        }
    }
}

/// A drive of a net, with the conditions around it.
pub struct DriveSite<'a> {
    /// The net.
    pub target: AtomId,
    /// The value.
    pub value: NodeId,
    /// Where it was written.
    pub source: Source,
    /// The conditions of the `if`s around it, outermost first.
    pub conditions: &'a [NodeId],
}

/// Calls `f` for every drive among `statements`.
pub fn for_each_drive(statements: &[Statement], f: &mut impl FnMut(DriveSite<'_>)) {
    fn walk(statements: &[Statement], conditions: &mut Vec<NodeId>, f: &mut impl FnMut(DriveSite<'_>)) {
        for statement in statements {
            match statement {
                Statement::Drive { target, value, source } => {
                    f(DriveSite { target: *target, value: *value, source, conditions });
                }
                Statement::If { condition, then, otherwise } => {
                    conditions.push(*condition);
                    walk(then, conditions, f);
                    walk(otherwise, conditions, f);
                    conditions.pop();
                }
                Statement::Comment(_)
                | Statement::Banner(_)
                | Statement::Property(_)
                | Statement::Discard { .. } => {}
            }
        }
    }
    walk(statements, &mut vec![], f);
}
