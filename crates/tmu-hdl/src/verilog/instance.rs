//! Instances of sub-blocks: what each port is connected with.

use super::arrays::{joined, vector_range, whole_vector};
use super::fault::{Fault, is_planted};
use super::module::Printer;
use super::ports::Port;
use super::process::Plan;
use super::text::{range, wrap};
use crate::design::NetKind;
use crate::record::{AtomId, NodeId};
use rustc_hash::FxHashMap;

/// A port of a sub-block and what stands in its parentheses.
struct Connection {
    port: String,
    text: String,
    is_input: bool,
    /// Bits of the whole port.
    width: usize,
}

impl Printer<'_> {
    pub(super) fn instance(&mut self, child: usize, plan: &Plan, module_of: &FxHashMap<usize, String>) {
        let mut connections = vec![];
        for port in &self.ports_of[&child] {
            let net = self.design.net(port.nets[0]);
            let text = match port.nets.as_slice() {
                [one] => self.connected_net(*one, plan),
                nets => self.connected_vector(port, nets, plan),
            };
            connections.push(Connection {
                port: port.name.clone(),
                text,
                is_input: net.kind == NetKind::Input,
                width: net.width * port.nets.len(),
            });
        }
        if is_planted(Fault::SwappedConnection) {
            swap_two_inputs(&mut connections);
        }
        let lines =
            connections.iter().map(|Connection { port, text, .. }| wrap(2, &format!(".{port}({text})")));
        let lines: Vec<String> = lines.map(|line| line.trim_end().to_string()).collect();
        self.flush_wires();
        let (module, instance) = (&module_of[&child], &self.instances[&child]);
        self.out.push_str(&format!("    {module} {instance} (\n{}\n    );\n", lines.join(",\n")));
    }

    fn connected_net(&mut self, id: AtomId, plan: &Plan) -> String {
        let name = self.expressions.net_name(id).clone();
        let Some(&value) = plan.connections.get(&id) else { return name.to_string() };
        let text = self.expressions.right_side(value, name.word());
        if self.expressions.is_plain(value) {
            self.expressions.hide(&name);
            return text;
        }
        self.flush_wires();
        let range = range(self.design.net(id).width);
        self.line(1, &format!("wire {range}{name} = {text};"));
        name.to_string()
    }

    /// A vector that is connected with the items of one, item by item with others, or with a vector made for it.
    fn connected_vector(&mut self, port: &Port, nets: &[AtomId], plan: &Plan) -> String {
        let values: Vec<Option<NodeId>> = nets.iter().map(|id| plan.connections.get(id).copied()).collect();
        if values.iter().flatten().any(|&value| !self.expressions.is_plain(value)) {
            return self.new_vector(port, nets, plan);
        }
        let mut names = vec![];
        let mut texts = vec![];
        for (&id, value) in nets.iter().zip(values) {
            let own = self.expressions.net_name(id).clone();
            if value.is_some() {
                self.expressions.hide(&own);
            }
            texts.push(value.map_or(own.to_string(), |value| self.expressions.right_side(value, own.word())));
            names.push(value.map_or(Some(own), |value| self.expressions.known_name(value)));
        }
        whole_vector(&names).unwrap_or_else(|| joined(texts.into_iter()))
    }

    /// Declares a vector for the items of a port that are made from expressions.
    fn new_vector(&mut self, port: &Port, nets: &[AtomId], plan: &Plan) -> String {
        let words: Vec<String> = nets.iter().map(|&id| self.expressions.net_name(id).word().into()).collect();
        let stem = words[0].strip_suffix("_0").unwrap_or(&port.name).to_string();
        let vector = self.expressions.take_vector_name(&stem, words);
        let width = self.design.net(nets[0]).width;
        self.line(1, &format!("wire {}{vector};", vector_range(nets.len(), &width.to_string())));
        let inside = Port { name: vector.clone(), nets: nets.to_vec() };
        for (position, &id) in nets.iter().enumerate() {
            let name = inside.item(position, width);
            let own = self.expressions.net_name(id).clone();
            let text = match plan.connections.get(&id) {
                Some(&value) => self.expressions.right_side(value, name.word()),
                None => own.to_string(),
            };
            self.flush_wires();
            self.line(1, &format!("assign {name} = {text};"));
        }
        vector
    }
}

/// A planted fault: what the first two inputs of equal width are connected with changes places.
fn swap_two_inputs(connections: &mut [Connection]) {
    let inputs: Vec<usize> = (0..connections.len()).filter(|&i| connections[i].is_input).collect();
    let widths = |i: usize| connections[i].width;
    let pair = inputs.windows(2).find(|pair| widths(pair[0]) > 1 && widths(pair[0]) == widths(pair[1]));
    if let Some(&[first, second]) = pair {
        let text = std::mem::take(&mut connections[first].text);
        connections[first].text = std::mem::replace(&mut connections[second].text, text);
    }
}
