//! How refusals speak of nets.

use crate::design::Design;
use crate::diagnostic::Source;
use crate::record::AtomId;

/// The path of a net from the top.
pub(super) fn path(design: &Design, net: AtomId) -> String {
    format!("{}.{}", design.blocks[design.block_of(net)].path, design.net(net).name)
}

/// Where a net was made, as far as it knows.
pub(super) fn place(design: &Design, what: &str, net: AtomId) -> Option<(String, Source)> {
    let net = design.net(net);
    net.source.map(|source| (format!("{what} `{}`", net.name), source))
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
