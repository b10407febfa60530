//! A module around a core whose pins any package has: four a clock.
//!
//! | pin | what it is |
//! | --- | --- |
//! | `clkN` | the core's clock number N, in the order of its ports |
//! | `pin_inN` | what is shifted into the register that gives the core's inputs on that clock |
//! | `pin_shiftN` | high: the register behind the core's outputs is shifted; low: it takes them |
//! | `pin_outN` | what is shifted out of it |
//!
//! So every path of the core begins and ends in a register, as in a design around it, and nothing of it is constant and gone.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::WRAPPER;
use crate::error::{Error, Result};
use crate::source::{Direction, ModelSource, Port};

/// The clock ports in the order of the pins, and the module.
pub(super) fn wrapper(
    source: &ModelSource,
    clock_of: &BTreeMap<String, String>,
) -> Result<(Vec<String>, String)> {
    let clocks: Vec<_> = source.ports.iter().filter(|port| port.direction == Direction::Clock).collect();
    let Some(first) = clocks.first() else {
        return Err(Error::Usage(format!("`{}` has no clock: nothing of it has a rate", source.top)));
    };
    let mut text = String::new();
    let pins = (0..clocks.len()).map(|n| {
        format!(
            "    input wire clk{n},\n    input wire pin_in{n},\n    input wire pin_shift{n},\n    output wire pin_out{n}"
        )
    });
    let _ = writeln!(text, "module {WRAPPER} (\n{}\n);", pins.collect::<Vec<_>>().join(",\n"));
    let mut connections = Vec::new();
    for (number, clock) in clocks.iter().enumerate() {
        connections.push(format!(".{}(clk{number})", clock.name));
        let of_clock = |direction| {
            let belongs = move |port: &&Port| {
                port.direction == direction && clock_of.get(&port.name).unwrap_or(&first.name) == &clock.name
            };
            source.ports.iter().filter(belongs)
        };
        let given = connect(&mut connections, of_clock(Direction::Input), &format!("given{number}"));
        let shown = connect(&mut connections, of_clock(Direction::Output), &format!("shown{number}"));
        text += &inputs(number, given);
        text += &outputs(number, shown);
    }
    let _ =
        writeln!(text, "{} {} (\n    {}\n);\nendmodule", source.top, source.top, connections.join(",\n    "));
    Ok((clocks.into_iter().map(|clock| clock.name.clone()).collect(), text))
}

/// Connects ports to the bits of a vector, the first one lowest, and gives the number of bits.
fn connect<'a>(connections: &mut Vec<String>, ports: impl Iterator<Item = &'a Port>, vector: &str) -> u32 {
    let mut bits = 0;
    for port in ports {
        let end = bits + port.width_bits;
        connections.push(format!(".{}({vector}[{}:{bits}])", port.name, end - 1));
        bits = end;
    }
    bits
}

/// The register in front of the core.
fn inputs(n: usize, bits: u32) -> String {
    let more = match bits {
        0 => return String::new(),
        1 => format!("pin_in{n}"),
        _ => format!("{{given{n}[{}:0], pin_in{n}}}", bits - 2),
    };
    format!("reg [{}:0] given{n};\nalways @(posedge clk{n}) given{n} <= {more};\n", bits - 1)
}

/// The register behind it.
fn outputs(n: usize, bits: u32) -> String {
    let shifted = match bits {
        0 => return format!("assign pin_out{n} = 1'b0;\n"),
        1 => "1'b0".to_owned(),
        _ => format!("{{caught{n}[{}:0], 1'b0}}", bits - 2),
    };
    let high = bits - 1;
    format!(
        "wire [{high}:0] shown{n};\nreg [{high}:0] caught{n};\nassign pin_out{n} = caught{n}[{high}];\n\
         always @(posedge clk{n}) caught{n} <= pin_shift{n} ? {shifted} : shown{n};\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_clock_has_its_pins_and_ports() {
        let ports = vec![
            Port::clock("a_clk"),
            Port::clock("b_clk"),
            Port::input("go", 1),
            Port::input("word", 8),
            Port::output("sum", 9),
            Port::output("free", 1),
        ];
        let source = ModelSource::single("core", "", ports);
        let of = [("go", "a_clk"), ("word", "a_clk"), ("sum", "b_clk")];
        let clock_of = of.map(|(port, clock)| (port.to_owned(), clock.to_owned())).into();
        let (clocks, text) = wrapper(&source, &clock_of).unwrap();
        assert_eq!(clocks, ["a_clk", "b_clk"]);
        for part in [
            ".a_clk(clk0)",
            ".b_clk(clk1)",
            ".go(given0[0:0])",
            ".word(given0[8:1])",
            "given0 <= {given0[7:0], pin_in0};",
            ".sum(shown1[8:0])",
            // What no register gives is caught on the first clock.
            ".free(shown0[0:0])",
            "caught0 <= pin_shift0 ? 1'b0 : shown0;",
            "caught1 <= pin_shift1 ? {caught1[7:0], 1'b0} : shown1;",
            "core core (",
        ] {
            assert!(text.contains(part), "no `{part}` in\n{text}");
        }
        assert!(!text.contains("given1"), "{text}");
        let source = ModelSource { ports: vec![Port::input("a", 1)], ..source };
        assert!(wrapper(&source, &BTreeMap::new()).unwrap_err().to_string().contains("has no clock"));
    }
}
