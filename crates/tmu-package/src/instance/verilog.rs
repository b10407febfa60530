//! The template in Verilog.

use super::title;
use crate::interfaces::interfaces;
use std::fmt::Write as _;
use tmu_hdl::manifest::Manifest;

/// A module without ports around the instance.
pub(super) fn template(manifest: &Manifest, header: &str) -> String {
    let name = &manifest.top;
    let mut text = format!(
        "// {header}\n//\n// How {name} is instantiated: copy the signals and the instance into your module, leave out what \
         you have\n// already, and drive every signal that is an input of the core. Do not add this file to a design.\n\
         `default_nettype none\n\nmodule {name}_inst;\n"
    );
    for interface in interfaces(manifest) {
        let _ = writeln!(text, "    // {}", title(&interface));
        for (_, port) in &interface.signals {
            let range =
                if port.width_bits == 1 { String::new() } else { format!("[{}:0] ", port.width_bits - 1) };
            let _ = writeln!(text, "    wire {range}{};", port.name);
        }
    }
    let longest = manifest.ports.iter().map(|port| port.name.len()).max().unwrap_or(0);
    let connections = manifest.ports.iter().map(|port| {
        let (name, direction) = (&port.name, port.direction);
        (format!("        .{name:longest$} ({name})"), direction)
    });
    let last = manifest.ports.len().saturating_sub(1);
    let _ = writeln!(text, "\n    {name} u_core (");
    for (number, (connection, direction)) in connections.enumerate() {
        let comma = if number == last { "" } else { "," };
        let _ = writeln!(text, "{connection}{comma} // {direction}");
    }
    text + "    );\nendmodule\n\n`default_nettype wire\n"
}
