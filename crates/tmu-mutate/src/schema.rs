//! One text with many mutants, of which an input of every module selects the one that lives.
//!
//! A changed expression becomes `(mutant == 16'd7 ? changed : expression)`. Both sides have the width that their place gives them,
//! so 0 selects the design as it was.

use crate::Mutant;
use std::fmt::Write as _;
use std::ops::Range;

/// The input that selects a mutant; 0 is the design as it was.
pub const SELECT: &str = "mutant";

/// Width of [`SELECT`], and what bounds the mutants of a model.
pub const SELECT_BITS: u32 = 16;

/// The text with these mutants, numbered from 1 in the order given. Those of one expression must stand together.
///
/// # Panics
/// If there are more mutants than numbers, or if they are not in the order of the text.
#[must_use]
pub fn schema(verilog: &str, mutants: &[Mutant]) -> String {
    assert!(mutants.len() < 1 << SELECT_BITS, "{} mutants need more than {SELECT_BITS} bits", mutants.len());
    let mut text = String::with_capacity(2 * verilog.len());
    let mut position = 0;
    for (number, mutant) in mutants.iter().enumerate() {
        let Range { start, end } = mutant.place;
        let is_first = number == 0 || mutants[number - 1].place != mutant.place;
        let is_last = mutants.get(number + 1).is_none_or(|next| next.place != mutant.place);
        if is_first {
            assert!(start >= position, "mutants are in the order of the text");
            text.push_str(&verilog[position..start]);
            text.push('(');
        }
        let _ = write!(text, "{SELECT} == {SELECT_BITS}'d{} ? ({}) : ", number + 1, mutant.changed);
        if is_last {
            let _ = write!(text, "({}))", &verilog[start..end]);
            position = end;
        }
    }
    text.push_str(&verilog[position..]);
    with_select(&text)
}

/// The text with [`SELECT`] as the first input of every module.
fn with_select(verilog: &str) -> String {
    let mut text = String::with_capacity(verilog.len() + verilog.len() / 8);
    for line in verilog.split_inclusive('\n') {
        text.push_str(line);
        let Some(head) = line.trim_end().strip_suffix('(') else { continue };
        let words: Vec<_> = head.split_whitespace().collect();
        match words[..] {
            ["module", _] => {
                let _ = writeln!(text, "    input  wire [{}:0] {SELECT},", SELECT_BITS - 1);
            }
            [_, _] => {
                let _ = writeln!(text, "        .{SELECT}({SELECT}),");
            }
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_selects_among_the_changes_of_an_expression() {
        let verilog =
            "module a (\n    input  wire b,\n    output wire y\n);\n    assign y = !b;\nendmodule\n";
        let mutants = crate::mutants(verilog);
        let changed: Vec<_> = mutants.iter().map(|mutant| mutant.changed.as_str()).collect();
        assert_eq!(changed, ["b", "1'd0"]);
        let expected = "module a (\n    input  wire [15:0] mutant,\n    input  wire b,\n    output wire y\n);\n    \
                        assign y = (mutant == 16'd1 ? (b) : mutant == 16'd2 ? (1'd0) : (!b));\nendmodule\n";
        assert_eq!(schema(verilog, &mutants), expected);
    }
}
