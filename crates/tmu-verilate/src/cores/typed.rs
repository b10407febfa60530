//! The Rust source of a core's type: text for each port, from the list of ports alone.

use std::fmt::Write as _;

use crate::source::{Direction, ModelSource, Port};

/// The type of a core and the record of its clock edges. `clocks` are names of ports with MHz.
pub(super) fn rust(source: &ModelSource, clocks: &[(&str, u32)]) -> String {
    let top = &source.top;
    let name = camel(top);
    let mut methods = String::new();
    for (index, port) in source.ports.iter().enumerate() {
        match port.direction {
            Direction::Clock => {}
            Direction::Input => methods += &setter(index, port),
            Direction::Output => methods += &getter(index, port),
        }
    }
    let names: Vec<_> = source.ports.iter().map(|port| format!("{:?}", port.name)).collect();
    let (mut fields, mut filled, mut rates) = (String::new(), String::new(), String::new());
    for (bit, (clock, mhz)) in clocks.iter().enumerate() {
        let _ = writeln!(fields, "    /// Whether `{clock}` rises.\n    pub {}: bool,", identifier(clock));
        let _ = write!(filled, "{}: rising >> {bit} & 1 == 1, ", identifier(clock));
        let _ = write!(rates, "({clock:?}, {mhz}), ");
    }
    include_str!("template.rs.in")
        .replace("/*PORTS*/", &names.join(", "))
        .replace("/*CLOCKS*/", rates.trim_end_matches(", "))
        .replace("/*FIELDS*/", fields.trim_end())
        .replace("/*EDGES*/", filled.trim_end_matches(", "))
        .replace("/*METHODS*/", methods.trim_end())
        .replace("NAME", &name)
        .replace("TOP", top)
}

/// The Rust type that holds a port's value.
fn value_type(width_bits: u32) -> String {
    match width_bits {
        1 => "bool".to_owned(),
        2..=8 => "u8".to_owned(),
        9..=16 => "u16".to_owned(),
        17..=32 => "u32".to_owned(),
        33..=64 => "u64".to_owned(),
        65..=128 => "u128".to_owned(),
        _ => format!("[u32; {}]", width_bits.div_ceil(32)),
    }
}

/// Bits of the type of a port, where it is a number.
fn type_bits(width_bits: u32) -> Option<u32> {
    (2..=128).contains(&width_bits).then(|| width_bits.next_power_of_two().max(8))
}

fn setter(index: usize, port: &Port) -> String {
    let Port { name, width_bits, .. } = port;
    let (value, method) = (value_type(*width_bits), plain(name));
    let mut checked = String::new();
    if type_bits(*width_bits).is_some_and(|bits| bits != *width_bits) {
        checked = format!(
            "        assert!(value >> {width_bits} == 0, \"{name} has {width_bits} bits: {{value:#x}}\");\n"
        );
    }
    let body = match width_bits {
        ..=64 => format!("self.instance.set(self.ports[{index}], value.into())"),
        65..=128 => {
            let words = "let words = [0, 32, 64, 96].map(|shift| (value >> shift) as u32);\n        ";
            format!("{words}self.instance.set_wide(self.ports[{index}], &words)")
        }
        _ => format!("self.instance.set_wide(self.ports[{index}], &value)"),
    };
    let note = if *width_bits > 128 { ", the lowest word first" } else { "" };
    format!(
        "    /// Input `{name}`, {}{note}.\n    pub fn set_{method}(&mut self, value: {value}) {{\n{checked}        {body}\n    }}\n\n",
        bits(*width_bits)
    )
}

fn getter(index: usize, port: &Port) -> String {
    let Port { name, width_bits, .. } = port;
    let body = match width_bits {
        1 => format!("self.instance.get(self.ports[{index}]) != 0"),
        64 => format!("self.instance.get(self.ports[{index}])"),
        ..=64 => format!("self.instance.get(self.ports[{index}]) as {}", value_type(*width_bits)),
        65..=128 => format!("self.instance.get_u128(self.ports[{index}])"),
        _ => format!(
            "self.instance.get_wide(self.ports[{index}]).try_into().expect(\"as many words as the port has\")"
        ),
    };
    let note = if *width_bits > 128 { ", the lowest word first" } else { "" };
    let method = identifier(name);
    format!(
        "    /// Output `{name}`, {}{note}.\n    pub fn {method}(&self) -> {} {{\n        {body}\n    }}\n\n",
        bits(*width_bits),
        value_type(*width_bits)
    )
}

fn bits(width_bits: u32) -> String {
    if width_bits == 1 { "one bit".to_owned() } else { format!("{width_bits} bits") }
}

/// A Verilog name as the type's.
fn camel(name: &str) -> String {
    let parts = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let upper = |part: &str| part[..1].to_ascii_uppercase() + &part[1..];
    let joined: String = parts.map(upper).collect();
    if joined.starts_with(|c: char| c.is_ascii_digit()) { format!("Core{joined}") } else { joined }
}

/// A Verilog name as part of a method's: `$` is the one character that Rust does not take.
fn plain(name: &str) -> String {
    name.replace('$', "_dollar_")
}

/// A Verilog name as a method's or a field's; raw where Rust has the word for itself.
fn identifier(name: &str) -> String {
    /// Words of Rust that can be raw.
    const KEYWORDS: [&str; 44] = [
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
        "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
        "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static",
        "struct", "trait", "true", "try", "type", "unsafe", "use", "where", "while",
    ];
    /// What cannot be raw, and the methods that every core has.
    const TAKEN: [&str; 11] =
        ["self", "Self", "super", "crate", "_", "new", "with_initial", "advance", "rise", "eval", "instance"];
    let name = plain(name);
    if KEYWORDS.contains(&name.as_str()) {
        format!("r#{name}")
    } else if TAKEN.contains(&name.as_str()) {
        format!("port_{name}")
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_rusts() {
        let table =
            [("fury_single", "FurySingle"), ("x", "X"), ("_3d$unit", "Core3dUnit"), ("TMU_2", "TMU2")];
        for (name, expected) in table {
            assert_eq!(camel(name), expected);
        }
        let table = [
            ("ready", "ready"),
            ("type", "r#type"),
            ("self", "port_self"),
            ("eval", "port_eval"),
            ("a$b", "a_dollar_b"),
        ];
        for (name, expected) in table {
            assert_eq!(identifier(name), expected);
        }
    }

    #[test]
    fn every_width_has_a_type_and_what_does_not_fit_is_refused() {
        let table = [
            (1, "bool", false),
            (2, "u8", true),
            (8, "u8", false),
            (9, "u16", true),
            (16, "u16", false),
            (33, "u64", true),
            (64, "u64", false),
            (65, "u128", true),
            (128, "u128", false),
            (136, "[u32; 5]", false),
        ];
        for (width, value, is_checked) in table {
            let text = setter(3, &Port::input("a", width));
            assert!(text.contains(&format!("set_a(&mut self, value: {value})")), "{text}");
            assert_eq!(text.contains("assert!"), is_checked, "{text}");
            let text = getter(3, &Port::output("a", width));
            assert!(text.contains(&format!("a(&self) -> {value}")), "{text}");
        }
    }
}
