//! What the nodes of a block are called: nets, ports of its sub-blocks, `let`s and named constants.

use super::error::{Made, Refusal};
use crate::design::Design;
use crate::record::scope::plain_name;
use crate::record::{AtomId, Body, NodeId, NodeKind};
use crate::verilog::roots;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Something that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thing {
    /// A net or register.
    Net(AtomId),
    /// A `let` or a named constant.
    Node(NodeId),
}

/// One name.
struct Named {
    thing: Thing,
    /// The scopes around it, outermost first: what each is called, and what it may be called besides, without its number
    /// or with it.
    scopes: Vec<[String; 2]>,
    name: String,
    /// Of a `let` beside a net of its name: the name by which it is told from the net.
    value: Option<String>,
}

impl Named {
    /// The longest name.
    fn full(&self) -> String {
        let scopes = self.scopes.iter().map(|[shown, _]| shown.as_str());
        let name = self.value.as_ref().filter(|_| self.scopes.is_empty()).unwrap_or(&self.name);
        scopes.chain([name.as_str()]).collect::<Vec<_>>().join(".")
    }

    /// Whether `wanted` is its name behind some of the scopes around it, in their order.
    fn is_called(&self, wanted: &str) -> bool {
        let mut parts = wanted.split('.').rev();
        if !parts.next().is_some_and(|last| last == self.name || Some(last) == self.value.as_deref()) {
            return false;
        }
        let mut scopes = self.scopes.iter().rev();
        parts.all(|part| scopes.any(|ways| ways.iter().any(|way| way == part)))
    }
}

/// The names of one block.
pub(super) struct Names {
    all: Vec<Named>,
    shown: FxHashMap<usize, String>,
}

impl Names {
    /// The names of the block at `index`.
    pub(super) fn of(design: &Design, index: usize) -> Names {
        let block = &design.blocks[index];
        let plain = |name: String, thing| Named { thing, scopes: vec![], name, value: None };
        let mut all: Vec<Named> =
            block.nets.iter().map(|net| plain(net.name.clone(), Thing::Net(net.id))).collect();
        for &child in &block.children {
            let child = &design.blocks[child];
            all.extend(child.nets.iter().filter(|net| net.is_port()).map(|net| Named {
                thing: Thing::Net(net.id),
                scopes: vec![[child.name.clone(), child.name.clone()]],
                name: net.name.clone(),
                value: None,
            }));
        }
        let own: BTreeSet<String> = block.nets.iter().map(|net| net.name.clone()).collect();
        let mut shown = FxHashMap::default();
        for (id, name) in used_lets(&block.body) {
            let scopes = scopes_of(&block.body, id);
            let name = plain_name(&name);
            // As in Verilog, where a wire beside a net of its name is what the net is made from.
            let value = own.contains(&name).then(|| format!("{name}_value"));
            let named = Named { thing: Thing::Node(id), scopes, name, value };
            shown.insert(id.index(), named.full());
            all.push(named);
        }
        Names { all, shown }
    }

    /// What is called so.
    pub(super) fn find(&self, wanted: &str) -> Made<Thing> {
        let mut found: Vec<&Named> = self.all.iter().filter(|named| named.is_called(wanted)).collect();
        // The whole name is never ambiguous because of longer ones.
        if let Some(whole) = found.iter().position(|named| named.full() == wanted) {
            found = vec![found[whole]];
        }
        match found.as_slice() {
            [one] => Ok(one.thing),
            [] => Err(Refusal::new(
                format!("nothing is called `{wanted}`"),
                self.like(wanted),
                "take the name that it has in the source now",
            )),
            several => Err(Refusal::new(
                format!("`{wanted}` is the name of {} nodes", several.len()),
                several.iter().map(|named| format!("`{}`", named.full())).collect(),
                "put names of scopes before it, `lane_3.of_second`, until one is left",
            )),
        }
    }

    /// The names that share a word with one; all where none does.
    fn like(&self, wanted: &str) -> Vec<String> {
        let split = |c| c == '_' || c == '.';
        let words: BTreeSet<&str> = wanted.split(split).collect();
        let all: BTreeSet<String> = self.all.iter().map(Named::full).collect();
        let like: Vec<String> = all
            .iter()
            .filter(|name| name.split(split).any(|word| words.contains(word)))
            .map(|name| format!("`{name}`"))
            .collect();
        if like.is_empty() { all.iter().map(|name| format!("`{name}`")).collect() } else { like }
    }

    /// The name of a node that has one.
    pub(super) fn of_node(&self, id: NodeId) -> Option<&str> {
        self.shown.get(&id.index()).map(String::as_str)
    }
}

/// The nodes with names that statements use, with these.
fn used_lets(body: &Body) -> Vec<(NodeId, String)> {
    let mut seen = vec![false; body.nodes.len()];
    let mut stack = roots(&body.statements);
    let mut found = vec![];
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        let node = body.node(id);
        found.extend(node.name.clone().map(|name| (id, name)));
        if let NodeKind::Op(_, args) = &node.kind {
            stack.extend(args);
        }
    }
    found.sort_by_key(|(id, _)| id.index());
    found
}

/// The scopes around a node, outermost first. Those that stand alone under their name need no number.
fn scopes_of(body: &Body, id: NodeId) -> Vec<[String; 2]> {
    let mut found = vec![];
    let mut scope = body.node(id).scope;
    while let Some(index) = scope.index() {
        let own = &body.scopes[index];
        let same = |other: &usize| {
            let other = &body.scopes[*other];
            other.parent == own.parent && other.name == own.name
        };
        let number = own.number.unwrap_or_else(|| (0..index).filter(same).count());
        let (plain, numbered) = (own.name.to_string(), format!("{}_{number}", own.name));
        let is_alone = (0..body.scopes.len()).filter(same).count() == 1;
        found.push(if is_alone { [plain, numbered] } else { [numbered, plain] });
        scope = own.parent;
    }
    found.reverse();
    found
}
