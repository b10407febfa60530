//! Names of the wires and constants that expressions need.

use super::Declaration;
use super::arrays::{Candidate, Item, Name, arrays};
use super::chains::nodes_are_chained;
use super::expression::Expressions;
use super::scopes::wanted_names;
use crate::dependencies::Dependencies;
use crate::op::Op;
use crate::record::scope::{plain_name, position_at_end};
use crate::record::{NodeId, NodeKind};
use crate::value::Value;

impl Expressions<'_> {
    /// Names all wires that have a name in the source, once the nets have theirs.
    pub(crate) fn name_wires(&mut self, dependencies: &Dependencies) {
        let mut wires = vec![];
        for (index, wanted) in wanted_names(self.body, &self.ways, &self.uses) {
            let node = &self.body.nodes[index];
            let longer = self.ways.longer_names(node.scope, &wanted);
            let mut names = [wanted.clone()].into_iter().chain(longer);
            let free = names.find(|name| self.names.is_free(&plain_name(name)));
            // A wire beside a net of its name is what the net is made from, or made of.
            let free = free.unwrap_or_else(|| format!("{wanted}_value"));
            let position = position_at_end(&free);
            let word = self.take_name(&plain_name(&free), position, Some(node.source));
            self.wire_names.insert(index, Name::plain(&word));
            wires.push((index, Candidate { word, position, shape: node.width }));
        }
        let (indices, candidates): (Vec<usize>, Vec<_>) = wires.into_iter().unzip();
        for (stem, members) in arrays(&candidates) {
            let nodes: Vec<usize> = members.iter().map(|&m| indices[m]).collect();
            if nodes.len() > 1 && nodes_are_chained(self.body, dependencies, &nodes) {
                continue;
            }
            let vector = self.take_vector_name(&stem, members.iter().map(|&m| candidates[m].word.clone()));
            let (count, width) = (members.len(), candidates[members[0]].shape);
            if count > 1 {
                self.undeclared.insert(vector.clone());
            }
            for (position, &member) in members.iter().enumerate() {
                let name = Name::of_item(Item { vector: vector.clone(), position, width, count });
                self.wire_names.insert(indices[member], name);
            }
        }
    }

    /// Names the constants that have a name in the source and are used, in their order there.
    pub(crate) fn name_parameters(&mut self) -> Vec<(String, Value)> {
        let mut named = vec![];
        for (index, node) in self.body.nodes.iter().enumerate().filter(|(i, _)| self.uses[*i] > 0) {
            if let (NodeKind::Literal(value), Some(wanted)) = (&node.kind, &node.name) {
                let name = self.names.take(&plain_name(wanted));
                let source = Some(node.source);
                self.declarations.push(Declaration {
                    name: name.clone(),
                    position: None,
                    is_instance: false,
                    source,
                });
                named.push((name.clone(), *value));
                self.parameters.insert(index, Name::plain(name));
            }
        }
        named
    }

    /// A name for a wire that has none in the source: after what it is for, or after where it is made.
    pub(super) fn name_unnamed(&mut self, id: NodeId, role: &str) -> String {
        let node = self.body.node(id);
        let wanted = format!("{}_{role}", self.target);
        let longer = self.ways.longer_names(node.scope, role);
        let mut names = [wanted.clone()].into_iter().chain(longer);
        let free = names.find(|name| self.names.is_free(name)).unwrap_or(wanted);
        self.take_name(&free, None, Some(node.source))
    }

    /// A name for a wire that takes bits which nothing uses: after what they are bits of.
    pub(crate) fn name_unused(&mut self, value: NodeId) -> String {
        let mut names = vec!["unused".to_string()];
        let mut id = value;
        let of = loop {
            let node = self.body.node(id);
            match (&node.kind, &node.name) {
                (NodeKind::Net(net), _) => break Some(self.net_name(*net).word()),
                (NodeKind::Op(..), Some(_)) => break self.wire_names.get(&id.index()).map(Name::word),
                (NodeKind::Op(_, args), None) => id = args[0],
                (NodeKind::Literal(_), _) => break None,
            }
        };
        if let Some(of) = of {
            names.push(format!("unused_{of}_bits"));
            let longer = self.ways.longer_names(self.body.node(value).scope, &format!("{of}_bits"));
            names.extend(longer.iter().map(|name| format!("unused_{name}")));
            if let NodeKind::Op(Op::Slice { lo, .. }, _) = self.body.node(value).kind {
                names.push(format!("unused_{of}_from_{lo}_upward"));
            }
        }
        let free = names.iter().find(|name| self.names.is_free(name)).or(names.last()).cloned();
        let source = Some(self.body.node(value).source);
        self.take_name(&free.unwrap_or_default(), None, source)
    }
}
