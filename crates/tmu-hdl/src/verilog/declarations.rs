//! What a module declares, and under which names.

use super::arrays::{Candidate, Item, Name, arrays, constant, vector_range};
use super::clocked::zeroed_by;
use super::expression::literal;
use super::fault::Fault;
use super::module::Printer;
use super::ports::{attributes, instance_name, is_unused_output};
use super::process::{Plan, Process};
use super::text::{range, wrap};
use crate::design::{NetDesign, NetKind};
use crate::record::{AtomId, NodeKind};
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};

/// What all items of a vector share: how they are declared, and the process that drives them.
#[derive(PartialEq)]
struct Shape {
    width: usize,
    width_name: Option<&'static str>,
    is_register: bool,
    is_unused: bool,
    process: Option<usize>,
}

impl Printer<'_> {
    /// Ports first, so that they are called what [`super::ports::ports`] says; then own nets, instances and the ports of
    /// sub-blocks. None is called as the instance of the block itself, which it would hide.
    pub(super) fn name_nets(&mut self, plan: &Plan) {
        let block = self.block();
        for port in self.ports.clone() {
            let net = self.design.net(port.nets[0]);
            let position = net.position.filter(|_| port.nets.len() == 1);
            self.expressions.take_name(&port.name, position, net.source);
            for (position, &id) in port.nets.iter().enumerate() {
                let name = port.item(position, net.width);
                self.expressions.reserve_name(name.word());
                self.expressions.set_net_name(id, name);
            }
        }
        if block.parent.is_some() {
            self.expressions.reserve_name(&block.name);
        }
        for net in block.nets.iter().filter(|n| !n.is_port()) {
            let name = self.expressions.take_name(&net.name, net.position, net.source);
            self.expressions.set_net_name(net.id, Name::plain(name));
        }
        for &child in &block.children {
            let block = &self.design.blocks[child];
            let name = self
                .expressions
                .take_instance_name(&instance_name(block, self.design.fabric), block.position);
            self.instances.insert(child, name);
        }
        for &index in &block.children {
            let child = &self.design.blocks[index];
            for port in &self.ports_of[&index] {
                for &id in &port.nets {
                    let net = self.design.net(id);
                    let prefix = if is_unused_output(net, plan) { "unused_" } else { "" };
                    // The only item of an array is called as the array.
                    let is_only = port.nets.len() == 1 && net.name.starts_with(&format!("{}_", port.name));
                    let own = if is_only { &port.name } else { &net.name };
                    let position = net.position.filter(|_| !is_only);
                    let wanted = format!("{prefix}{}_{own}", child.name);
                    let name = self.expressions.take_name(&wanted, position, net.source);
                    self.expressions.set_net_name(id, Name::plain(name));
                }
            }
        }
    }

    /// `assign out = child_out;` says nothing: the sub-block drives the port itself.
    pub(super) fn alias_outputs(&mut self, plan: &Plan) {
        let body = &self.block().body;
        for process in &plan.processes {
            let Process::Assign { target, value } = process else { continue };
            let NodeKind::Net(source) = body.node(*value).kind else { continue };
            let source_is_child_output =
                self.design.block_of(source) != self.index && self.design.net(source).kind == NetKind::Output;
            let target_is_output = self.design.net(*target).kind == NetKind::Output;
            let taken = self.direct_outputs.contains(&source);
            if source_is_child_output && target_is_output && !taken {
                let name = self.expressions.net_name(*target).clone();
                self.expressions.set_net_name(source, name);
                self.direct_outputs.extend([*target, source]);
            }
        }
    }

    /// The nets that are declared below the ports: own ones, then the ports of sub-blocks.
    fn declared_nets(&self, plan: &Plan) -> Vec<&NetDesign> {
        let block = self.block();
        let own = block.nets.iter().filter(|n| !n.is_port() && exists(n, plan));
        let ports = block.children.iter().flat_map(|&child| &self.design.blocks[child].nets);
        let ports = ports
            .filter(|n| n.is_port())
            .filter(|n| !plan.connections.contains_key(&n.id) && !self.direct_outputs.contains(&n.id));
        own.chain(ports).collect()
    }

    /// Puts the items of arrays into vectors.
    pub(super) fn name_vectors(&mut self, plan: &Plan) {
        let mut processes: FxHashMap<AtomId, usize> = FxHashMap::default();
        for (index, process) in plan.processes.iter().enumerate() {
            if let Process::Clocked { targets, .. } | Process::Combinational { targets } = process {
                processes.extend(targets.iter().map(|&target| (target, index)));
            }
        }
        let nets = self.declared_nets(plan);
        let candidates: Vec<_> = nets
            .iter()
            .map(|net| Candidate {
                word: self.expressions.net_name(net.id).word().to_string(),
                position: net
                    .position
                    .filter(|_| net.attributes.is_empty() && !self.chained.contains(&net.id)),
                shape: Shape {
                    width: net.width,
                    width_name: net.width_name,
                    is_register: net.register().is_some(),
                    is_unused: is_unused_output(net, plan),
                    process: processes.get(&net.id).copied(),
                },
            })
            .collect();
        let ids: Vec<AtomId> = nets.iter().map(|net| net.id).collect();
        for (stem, members) in arrays(&candidates) {
            let words = members.iter().map(|&m| candidates[m].word.clone());
            let vector = self.expressions.take_vector_name(&stem, words);
            let (count, width) = (members.len(), candidates[members[0]].shape.width);
            for (position, &member) in members.iter().enumerate() {
                let name = Name::of_item(Item { vector: vector.clone(), position, width, count });
                self.expressions.set_net_name(ids[member], name);
            }
        }
    }

    pub(super) fn declarations(&self, plan: &Plan, parameters: &[(String, Value)]) -> String {
        let mut out = String::new();
        for (name, width) in &self.widths {
            out.push_str(&wrap(1, &format!("localparam {name} = {width};")));
        }
        for (name, value) in parameters {
            let line = format!("localparam {}{name} = {};", range(value.width()), literal(value));
            out.push_str(&wrap(1, &line));
        }
        let nets = self.declared_nets(plan);
        let mut items: FxHashMap<&str, Vec<&NetDesign>> = FxHashMap::default();
        for net in &nets {
            if let Some(item) = self.expressions.net_name(net.id).item() {
                items.entry(&item.vector).or_default().push(net);
            }
        }
        let mut done = FxHashSet::default();
        for net in nets {
            let name = self.expressions.net_name(net.id);
            match name.item().map(|item| item.vector.as_str()) {
                None => out.push_str(&self.declaration(&name.to_string(), &[net], plan)),
                Some(vector) if done.insert(vector) => {
                    items.get_mut(vector).into_iter().for_each(|items| {
                        items.sort_by_key(|net| net.position);
                        out.push_str(&self.declaration(vector, items, plan));
                    });
                }
                Some(_) => {}
            }
        }
        out
    }

    /// The declaration of a net, or of the vector of some.
    fn declaration(&self, name: &str, nets: &[&NetDesign], plan: &Plan) -> String {
        let net = nets[0];
        let (attributes, range) = match self.design.block_of(net.id) == self.index {
            true => (attributes(net), self.range(net, nets.len())),
            false if is_unused_output(net, plan) => ("(* unused *) ".into(), self.range(net, nets.len())),
            false => (String::new(), self.range(net, nets.len())),
        };
        let inits: Option<Vec<Value>> = nets
            .iter()
            .map(|net| net.register().map(|register| zeroed_by(Fault::WrongInitialValue, register.init)))
            .collect();
        let line = match inits {
            Some(inits) => format!("{attributes}reg  {range}{name} = {};", constant(&inits)),
            None if self.comb.contains(&net.id) => format!("{attributes}reg  {range}{name};"),
            None => format!("{attributes}wire {range}{name};"),
        };
        wrap(1, &line)
    }

    /// Names the widths of nets that have a name, in the order of the nets.
    pub(super) fn name_widths(&mut self, plan: &Plan) {
        for net in self.block().nets.iter().filter(|n| !n.is_port() && exists(n, plan)) {
            let Some(wanted) = net.width_name else { continue };
            if !self.width_names.contains_key(&(wanted, net.width)) {
                let name = self.expressions.take_name(wanted, None, None);
                self.width_names.insert((wanted, net.width), name.clone());
                self.widths.push((name, net.width));
            }
        }
    }

    /// The range of a declaration of `count` nets inside the module.
    fn range(&self, net: &NetDesign, count: usize) -> String {
        let is_own = self.design.block_of(net.id) == self.index;
        let named = net.width_name.filter(|_| is_own);
        let named = named.and_then(|name| self.width_names.get(&(name, net.width)));
        match (named, count) {
            (Some(name), 1) => format!("[{name} - 1:0] "),
            (None, 1) => range(net.width),
            (Some(name), _) => vector_range(count, name),
            (None, _) => vector_range(count, &net.width.to_string()),
        }
    }
}

/// A wire that nothing drives is not read either, or the design would have been refused.
fn exists(net: &NetDesign, plan: &Plan) -> bool {
    net.register().is_some() || plan.driven.contains(&net.id)
}
