//! The template in VHDL (1993 and later).

use super::title;
use crate::interfaces::interfaces;
use std::fmt::Write as _;
use tmu_hdl::manifest::{Manifest, Port};

/// Reserved words of VHDL-2008, without those that are reserved in Verilog and SystemVerilog too: no core has the name
/// of one of these.
const RESERVED: &[&str] = &[
    "abs",
    "access",
    "after",
    "all",
    "architecture",
    "array",
    "assume_guarantee",
    "attribute",
    "block",
    "body",
    "buffer",
    "bus",
    "component",
    "configuration",
    "constant",
    "disconnect",
    "downto",
    "elsif",
    "entity",
    "exit",
    "fairness",
    "file",
    "generic",
    "group",
    "guarded",
    "impure",
    "in",
    "inertial",
    "is",
    "label",
    "linkage",
    "literal",
    "loop",
    "map",
    "mod",
    "next",
    "of",
    "on",
    "open",
    "others",
    "out",
    "port",
    "postponed",
    "procedure",
    "process",
    "range",
    "record",
    "register",
    "reject",
    "rem",
    "report",
    "restrict_guarantee",
    "rol",
    "ror",
    "select",
    "severity",
    "shared",
    "signal",
    "sla",
    "sll",
    "sra",
    "srl",
    "subtype",
    "then",
    "to",
    "transport",
    "unaffected",
    "units",
    "variable",
    "vmode",
    "vprop",
    "vunit",
    "when",
];

/// A name as VHDL takes it: an extended identifier where it is no basic one. Names of cores are lower-case and have no
/// `__`.
fn identifier(name: &str) -> String {
    let is_basic = !name.ends_with('_') && !name.contains("__") && !RESERVED.contains(&name);
    if is_basic { name.to_owned() } else { format!("\\{name}\\") }
}

fn subtype(port: &Port) -> String {
    match port.width_bits {
        1 => "std_logic".to_owned(),
        bits => format!("std_logic_vector({} downto 0)", bits - 1),
    }
}

/// A package with the component, and an entity around the instance.
pub(super) fn template(manifest: &Manifest, header: &str) -> String {
    let [name, package, user] =
        ["", "_component", "_inst"].map(|end| identifier(&format!("{}{end}", manifest.top)));
    let longest = manifest.ports.iter().map(|port| port.name.len()).max().unwrap_or(0);
    let separated = |lines: Vec<String>, separator: &str| lines.join(&format!("{separator}\n"));
    let ports = manifest
        .ports
        .iter()
        .map(|port| format!("      {:longest$} : {:3} {}", port.name, port.direction, subtype(port)));
    let connections = manifest.ports.iter().map(|port| format!("      {0:longest$} => {0}", port.name));
    let (ports, connections) = (separated(ports.collect(), ";"), separated(connections.collect(), ","));
    let mut signals = String::new();
    for interface in interfaces(manifest) {
        let _ = writeln!(signals, "  -- {}", title(&interface));
        for (_, port) in &interface.signals {
            let _ = writeln!(signals, "  signal {:longest$} : {};", port.name, subtype(port));
        }
    }
    format!(
        "-- {header}\n--\n-- How {name}, which is Verilog, is instantiated from VHDL: compile the package as it stands, or copy \
         the component;\n-- copy the signals and the instance, and drive every signal that is an input of the core.\n\n\
         library ieee;\nuse ieee.std_logic_1164.all;\n\npackage {package} is\n  component {name} is\n    port (\n{ports}\n    \
         );\n  end component;\nend package;\n\nlibrary ieee;\nuse ieee.std_logic_1164.all;\n\nentity {user} is\nend \
         entity;\n\narchitecture template of {user} is\n{signals}begin\n  u_core : component work.{package}.{name}\n    port map \
         (\n{connections}\n    );\nend architecture;\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_rtl::outputs::is_keyword;

    #[test]
    fn names_that_vhdl_does_not_take_are_extended_identifiers() {
        for (name, expected) in
            [("fury", "fury"), ("signal", "\\signal\\"), ("a_", "\\a_\\"), ("a__inst", "\\a__inst\\")]
        {
            assert_eq!(identifier(name), expected);
        }
    }

    #[test]
    fn the_reserved_words_are_sorted_and_those_that_a_core_may_have() {
        assert!(RESERVED.is_sorted());
        let needless: Vec<_> = RESERVED.iter().filter(|word| is_keyword(word)).collect();
        assert!(needless.is_empty(), "{needless:?}");
    }
}
