//! How ports and instances are called and declared.

use super::arrays::{Candidate, Item, Name, arrays, vector_range};
use super::fault::{Fault, is_planted};
use super::names::Names;
use super::process::Plan;
use super::text::{attribute, range};
use crate::design::{BlockDesign, NetDesign, NetKind};
use crate::primitive::Fabric;
use crate::record::AtomId;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// A port of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// The net that it is; the items of an array, item 0 first.
    pub nets: Vec<AtomId>,
}

impl Port {
    /// What an item is called inside the module.
    pub(super) fn item(&self, position: usize, width: usize) -> Name {
        Name::of_item(Item { vector: self.name.clone(), position, width, count: self.nets.len() })
    }
}

/// The ports of a block's module in their order.
///
/// A primitive's text says what its ports are called; elsewhere keywords and names that meet give way. Arrays are vectors,
/// but for those of the top: its ports are what others connect to, and keep their names whatever else there is. `comb` are
/// the outputs that are declared `reg`, `chained` the nets of arrays that may not be vectors.
pub(crate) fn ports(block: &BlockDesign, comb: &BTreeSet<AtomId>, chained: &FxHashSet<AtomId>) -> Vec<Port> {
    let mut names = Names::default();
    let is_primitive = block.body.primitive.is_some();
    let nets: Vec<&NetDesign> = block.nets.iter().filter(|n| n.is_port()).collect();
    let word = |n: &&NetDesign| if is_primitive { n.name.clone() } else { names.take(&n.name) };
    let words: Vec<String> = nets.iter().map(word).collect();
    let mut ports: Vec<Option<Port>> = nets
        .iter()
        .zip(&words)
        .map(|(n, name)| Some(Port { name: name.clone(), nets: vec![n.id] }))
        .collect();
    if block.parent.is_some() && !is_primitive {
        let candidates: Vec<_> = nets
            .iter()
            .zip(words)
            .map(|(net, word)| Candidate {
                word,
                position: net.position.filter(|_| net.attributes.is_empty() && !chained.contains(&net.id)),
                shape: (net.kind == NetKind::Input, net.width, comb.contains(&net.id)),
            })
            .collect();
        for (stem, items) in arrays(&candidates) {
            let name = if names.is_free(&stem) { names.take(&stem) } else { continue };
            let ids = items.iter().map(|&i| nets[i].id).collect();
            items.iter().for_each(|&i| ports[i] = None);
            ports[items.iter().copied().min().unwrap_or(0)] = Some(Port { name, nets: ids });
        }
    }
    ports.into_iter().flatten().collect()
}

/// The declaration of a port of `count` items like `net`.
pub(super) fn declaration(net: &NetDesign, name: &str, count: usize, is_reg: bool) -> String {
    let attributes = attributes(net);
    let direction = match (&net.kind, is_reg) {
        (NetKind::Input, _) => "input  wire",
        (_, true) => "output reg ",
        (_, false) => "output wire",
    };
    // On a line of their own, so that the ports stay one below the other.
    let attributes =
        if attributes.is_empty() { attributes } else { format!("    {}\n", attributes.trim_end()) };
    let range = if count == 1 { range(net.width) } else { vector_range(count, &net.width.to_string()) };
    format!("\n{attributes}    {direction} {range}{name}")
}

/// The attributes of a net, before its declaration.
pub(super) fn attributes(net: &NetDesign) -> String {
    let lost = if net.is_port() { Fault::LostPortAttributes } else { Fault::LostNetAttributes };
    // A check has refused what is no attribute.
    let attributes: Vec<String> = net.attributes.iter().filter_map(|text| attribute(text)).collect();
    if attributes.is_empty() || is_planted(lost) {
        String::new()
    } else {
        format!("(* {} *) ", attributes.join(", "))
    }
}

/// The name that a sub-block should have: its own, unless the text of a primitive has something of that name.
pub(super) fn instance_name(child: &BlockDesign, fabric: Fabric) -> String {
    let text = child.body.primitive.as_ref().map_or_else(String::new, |primitive| primitive.text(fabric));
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    if words.any(|word| word == child.name) { format!("{}_instance", child.name) } else { child.name.clone() }
}

/// True for an output of a sub-block that the kernel leaves alone.
pub(super) fn is_unused_output(net: &NetDesign, plan: &Plan) -> bool {
    net.kind == NetKind::Output && !plan.read.contains(&net.id)
}
