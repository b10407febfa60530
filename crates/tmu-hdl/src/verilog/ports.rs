//! How ports and instances are called and declared.

use super::fault::{Fault, is_planted};
use super::names::Names;
use super::process::Plan;
use super::text::{attribute, range};
use crate::design::{BlockDesign, NetDesign, NetKind};
use crate::record::AtomId;

/// The names of a block's ports in its Verilog, in the order of the ports.
///
/// A primitive's text says what its ports are called; elsewhere keywords and names that meet give way.
pub(crate) fn port_names(block: &BlockDesign) -> Vec<(AtomId, String)> {
    let mut names = Names::default();
    let ports = block.nets.iter().filter(|n| n.is_port());
    ports
        .map(|n| (n.id, if block.body.primitive.is_some() { n.name.clone() } else { names.take(&n.name) }))
        .collect()
}

/// The declaration of a port.
pub(super) fn port(net: &NetDesign, name: &str, is_reg: bool) -> String {
    let attributes = attributes(net);
    let direction = match (&net.kind, is_reg) {
        (NetKind::Input, _) => "input  wire",
        (_, true) => "output reg ",
        (_, false) => "output wire",
    };
    // On a line of their own, so that the ports stay one below the other.
    let attributes =
        if attributes.is_empty() { attributes } else { format!("    {}\n", attributes.trim_end()) };
    format!("\n{attributes}    {direction} {}{name}", range(net.width))
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
pub(super) fn instance_name(child: &BlockDesign) -> String {
    let text = child.body.primitive.as_ref().map_or("", |primitive| &primitive.verilog);
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    if words.any(|word| word == child.name) { format!("{}_instance", child.name) } else { child.name.clone() }
}

/// True for an output of a sub-block that the kernel leaves alone.
pub(super) fn is_unused_output(net: &NetDesign, plan: &Plan) -> bool {
    net.kind == NetKind::Output && !plan.read.contains(&net.id)
}
