//! Multipliers of Lattice ECP5, instantiated: no open tool puts registers into them.
//!
//! A MULT18X18D has registers at its inputs, behind its partial products and at its output. With all three a product takes three
//! clocks, as in a DSP48E2, so that both fabrics have the same latency.

use std::fmt::Write as _;

/// Bits of each factor of a site.
pub(in crate::primitives) const FACTOR_BITS: usize = 18;
/// Bits of its product.
const PRODUCT_BITS: usize = 2 * FACTOR_BITS;

/// A factor of a site: an expression of at most 18 bits.
pub(in crate::primitives) struct Factor<'a> {
    /// A name of so many bits.
    pub(in crate::primitives) name: &'a str,
    pub(in crate::primitives) width: usize,
    pub(in crate::primitives) signed: bool,
}

impl Factor<'_> {
    /// The factor in as many bits as the site has.
    fn extended(&self) -> String {
        let Factor { name, width, signed } = *self;
        assert!(width <= FACTOR_BITS, "a factor of {width} bits for a site of {FACTOR_BITS}");
        match (FACTOR_BITS - width, signed, width) {
            (0, ..) => name.to_owned(),
            (more, true, 1) => format!("{{{}{{{name}}}}}", more + 1),
            (more, true, _) => format!("{{{{{more}{{{name}[{}]}}}}, {name}}}", width - 1),
            (more, false, _) => format!("{{{more}'b0, {name}}}"),
        }
    }
}

/// An instance of the site called `name`, on `clk`, whose registers all move with `enable`. The wire `NAME_p` has its 36 bits.
pub(in crate::primitives) fn multiplier(name: &str, a: &Factor<'_>, b: &Factor<'_>) -> String {
    let high = FACTOR_BITS - 1;
    let mut text = format!(
        "wire [{high}:0] {name}_a;\nwire [{high}:0] {name}_b;\nwire [{}:0] {name}_p;\n\
         assign {name}_a = {};\nassign {name}_b = {};\nMULT18X18D #(\n",
        PRODUCT_BITS - 1,
        a.extended(),
        b.extended()
    );
    for register in ["INPUTA", "INPUTB", "PIPELINE", "OUTPUT"] {
        let _ = writeln!(
            text,
            "    .REG_{register}_CLK(\"CLK0\"), .REG_{register}_CE(\"CE0\"), .REG_{register}_RST(\"RST0\"),"
        );
    }
    let _ =
        writeln!(text, "    .REG_INPUTC_CLK(\"NONE\"), .GSR(\"DISABLED\"), .RESETMODE(\"SYNC\")\n) {name} (");
    let sign = |factor: &Factor<'_>| u8::from(factor.signed);
    let _ = writeln!(
        text,
        "    .CLK0(clk), .CE0(enable), .RST0(1'b0),\n    .SIGNEDA(1'b{}), .SIGNEDB(1'b{}), .SOURCEA(1'b0), .SOURCEB(1'b0),",
        sign(a),
        sign(b)
    );
    let pins = |port: char, bits: usize| {
        let pin = |bit| match port {
            'C' => format!(".C{bit}(1'b0)"),
            _ => format!(".{port}{bit}({name}_{}[{bit}])", port.to_ascii_lowercase()),
        };
        (0..bits).map(pin).collect::<Vec<_>>().chunks(6).map(|line| line.join(", ")).collect::<Vec<_>>()
    };
    let lines = [('A', FACTOR_BITS), ('B', FACTOR_BITS), ('C', FACTOR_BITS), ('P', PRODUCT_BITS)];
    let lines: Vec<_> = lines.into_iter().flat_map(|(port, bits)| pins(port, bits)).collect();
    let _ = writeln!(text, "    {}\n);", lines.join(",\n    "));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_fill_the_site() {
        for (width, signed, expected) in [
            (18, true, "x"),
            (18, false, "x"),
            (17, false, "{1'b0, x}"),
            (9, true, "{{9{x[8]}}, x}"),
            (1, true, "{18{x}}"),
            (1, false, "{17'b0, x}"),
        ] {
            assert_eq!(Factor { name: "x", width, signed }.extended(), expected);
        }
    }

    #[test]
    fn every_pin_is_connected_once() {
        let factor = |name| Factor { name, width: 18, signed: true };
        let text = multiplier("m", &factor("a"), &factor("b"));
        for (port, bits) in [('A', 18), ('B', 18), ('C', 18), ('P', 36)] {
            for bit in 0..bits {
                assert_eq!(text.matches(&format!(".{port}{bit}(")).count(), 1, "{port}{bit}");
            }
        }
    }
}
