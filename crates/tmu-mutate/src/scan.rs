//! The expressions of an emitted file: what wires and registers get, and what `if` asks.
//!
//! What a register gets in reset is left out: of most it does not matter, since a valid bit beside it says so, and no tool here
//! can tell which. Runs from random initial values and from X, and resets at any moment, are what tests it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// What an expression is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// The value of a wire of so many bits.
    Wire(u32),
    /// The next value of a register of this name and so many bits.
    Register(String, u32),
    /// What is written to a word of a memory, of so many bits.
    Word(u32),
    /// What an `if` asks.
    Condition,
}

/// An expression that may be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The module that it is in.
    pub module: String,
    /// Line on which its statement begins, from 1.
    pub line: usize,
    /// Where it stands in the text, in bytes.
    pub place: Range<usize>,
    /// The statement, on one line.
    pub statement: String,
    /// What it is for.
    pub role: Role,
}

/// A statement that ends with `;`, `begin`, or an opening or closing parenthesis of a list of ports.
struct Statement<'a> {
    text: &'a str,
    start: usize,
    line: usize,
}

/// All statements in order. Blank lines and comments come alone and are left out.
fn statements(verilog: &str) -> Vec<Statement<'_>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    let mut position = 0;
    for (number, line) in verilog.split_inclusive('\n').enumerate() {
        let begin = position;
        position += line.len();
        let text = line.trim();
        if open.is_none() && (text.is_empty() || text.starts_with("//") || text.starts_with('`')) {
            continue;
        }
        let (start, line_number) = *open.get_or_insert((begin, number + 1));
        if text.ends_with([';', '(', ',']) && !goes_on(verilog[start..position].trim())
            || text.ends_with("begin")
            || matches!(text, "end" | "endcase" | "endmodule" | ")")
            || text.starts_with("input ")
            || text.starts_with("output ")
            || text.starts_with('.')
        {
            found.push(Statement { text: &verilog[start..position], start, line: line_number });
            open = None;
        }
    }
    found
}

/// Whether a statement that stops at `,` or `(` is an expression broken over lines.
fn goes_on(statement: &str) -> bool {
    !statement.ends_with(';')
        && (statement.contains(" = ") || statement.contains(" <= ") || statement.starts_with("if "))
}

/// Width and name of a declaration without its keywords: `[7:0] name`, `[BITS - 1:0] name` or, of a vector of items,
/// `[4*8-1:0] name` and `[4*BITS-1:0] name`.
fn declared(text: &str, parameters: &HashMap<String, u32>) -> Option<(String, u32)> {
    let text = text.trim().trim_end_matches([',', ';']).trim();
    let (width, rest) = match text.strip_prefix('[') {
        Some(range) => {
            let (range, rest) = range.split_once(']')?;
            let high = range.split_once(':')?.0;
            let number = |text: &str| parameters.get(text).copied().or_else(|| text.parse().ok());
            let width = match high.strip_suffix("-1").and_then(|items| items.split_once('*')) {
                Some((count, width)) => number(count)? * number(width)?,
                None => match high.strip_suffix(" - 1") {
                    Some(name) => number(name)?,
                    None => high.parse::<u32>().ok()? + 1,
                },
            };
            (width, rest)
        }
        None => (1, text),
    };
    let name = rest.split_whitespace().next()?;
    Some((name.to_owned(), width))
}

/// Names and widths of the module that is being read.
#[derive(Default)]
struct Module {
    name: String,
    widths: HashMap<String, u32>,
    /// Those of memories, whose widths are of a word.
    memories: HashSet<String>,
    /// Those that are plain numbers: names of widths.
    parameters: HashMap<String, u32>,
}

impl Module {
    /// Takes note of a declaration.
    fn declare(&mut self, statement: &str) {
        let text = statement.trim().trim_start_matches("(* ");
        let text = text.split_once(" *) ").map_or(text, |(_, rest)| rest);
        let keywords = ["input  wire ", "output wire ", "output reg  ", "wire ", "reg  ", "reg "];
        if let Some(rest) = keywords.iter().find_map(|keyword| text.strip_prefix(keyword))
            && let Some((name, width)) = declared(rest, &self.parameters)
        {
            if rest.contains(&format!("{name} [")) {
                self.memories.insert(name.clone());
            }
            self.widths.insert(name, width);
        }
        if let Some((name, number)) = text.strip_prefix("localparam ").and_then(|rest| rest.split_once(" = "))
        {
            let number = number.trim_end_matches(';').parse::<u32>().ok();
            self.parameters.extend(number.map(|number| (name.to_owned(), number)));
        }
    }

    /// Role and expression of a statement, if it has one that may be changed.
    fn expression<'a>(&self, statement: &'a str) -> Option<(Role, &'a str)> {
        let text = statement.trim();
        if let Some(rest) = text.strip_suffix("begin") {
            let rest = rest.trim_start_matches("end else ").trim_start();
            let condition = rest.strip_prefix("if (")?.trim_end().strip_suffix(')')?;
            return Some((Role::Condition, condition));
        }
        let text = text.strip_suffix(';')?;
        if let Some(rest) = text.strip_prefix("wire ") {
            let (left, right) = rest.split_once(" = ")?;
            return Some((Role::Wire(declared(left, &self.parameters)?.1), right));
        }
        if let Some(rest) = text.strip_prefix("assign ") {
            let (left, right) = rest.split_once(" = ")?;
            let is_unused = left == "unused" || left.starts_with("unused_");
            return (!is_unused).then_some((Role::Wire(self.width(left)?), right));
        }
        let (left, right) = text.split_once(" <= ")?;
        let name = left.split_once('[').map_or(left, |(name, _)| name);
        if name.contains(' ') {
            return None;
        }
        let width = self.width(left)?;
        let is_word = self.memories.contains(name);
        Some((if is_word { Role::Word(width) } else { Role::Register(left.to_owned(), width) }, right))
    }

    /// Width of what is assigned to: a net, a word of a memory, or an item of a vector, `items[2*8 +: 8]` or `bits[2]`.
    fn width(&self, left: &str) -> Option<u32> {
        match left.split_once('[') {
            None => self.widths.get(left).copied(),
            Some((memory, _)) if self.memories.contains(memory) => self.widths.get(memory).copied(),
            Some((_, item)) => match item.split_once(" +: ") {
                Some((_, width)) => width.trim_end_matches(']').parse().ok(),
                None => Some(1),
            },
        }
    }
}

/// Every expression that may be changed, in the order of the text. The first module is the top, whose name stands before those
/// of the others; sites name modules without it.
#[must_use]
pub fn sites(verilog: &str) -> Vec<Site> {
    let mut module = Module::default();
    let mut prefix = None;
    let mut found = Vec::new();
    let mut in_reset = false;
    for Statement { text, start, line } in statements(verilog) {
        if text.trim() == "end" || text.trim_start().starts_with("end ") {
            in_reset = false;
        }
        if let Some(name) = text.trim().strip_prefix("module ") {
            let name = name.trim_end_matches(['(', ';', ' ']);
            let own = prefix.as_ref().and_then(|prefix: &String| name.strip_prefix(prefix.as_str()));
            module = Module { name: own.unwrap_or(name).to_owned(), ..Module::default() };
            prefix.get_or_insert_with(|| format!("{name}_"));
            continue;
        }
        module.declare(text);
        let Some((role, expression)) = module.expression(text) else { continue };
        if in_reset {
            continue;
        }
        in_reset = role == Role::Condition && (expression == "rst" || expression.ends_with("_rst"));
        let begin = start + (expression.as_ptr() as usize - text.as_ptr() as usize);
        found.push(Site {
            module: module.name.clone(),
            line,
            place: begin..begin + expression.len(),
            statement: crate::on_one_line(text),
            role,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERILOG: &str = "\
// A block.
module block (
    input  wire clk,
    input  wire [7:0] a,
    output wire [3:0] y,
    output wire z
);
    reg  [3:0] held = 4'd0;
    reg  [15:0] words [0:31];
    reg  ends = 1'b0;

    wire [7:0] sum = a + {4'd0,
        held};
    other one (
        .clk(clk),
        .z(z)
    );
    (* unused *) wire unused;
    assign unused = &{1'b0, sum};
    always @(posedge clk) begin
        if (a == 8'd1) begin
            held <= sum[3:0];
        end else if (sum < 8'd2) begin
            held <= 4'd0;
        end
        words[held] <= {a, a};
    end
    always @(posedge clk) begin
        if (rst) begin
            ends <= 1'b0;
            held <= 4'd0;
        end else begin
            held <= a[3:0];
        end
    end
    assign y = held;
endmodule
";

    #[test]
    fn widths_with_names_and_arms_of_cases_are_read() {
        let verilog = "\
module block (
    input  wire clk
);
    localparam BITS = 5;
    localparam [1:0] STATE_IDLE = 2'd0;
    reg  [BITS - 1:0] held = 5'd0;
    reg  [1:0] state = 2'd0;
    reg  [3*BITS-1:0] sums = {3{5'd0}};
    wire [1:0] ready;

    always @(posedge clk) begin
        case (state)
            STATE_IDLE: begin
                held <= held + 5'd1;
            end
            // STATE_RUN
            default: begin
                state <= STATE_IDLE;
            end
        endcase
    end
    always @(posedge clk) begin
        sums[0*5 +: 5] <= sums[1*5 +: 5];
        sums <= {sums[2*5-1:0], held};
    end
    assign ready[1] = state[0];
endmodule
";
        let found: Vec<_> = sites(verilog).into_iter().map(|site| (site.line, site.role)).collect();
        let register = |name: &str, width| Role::Register(name.to_owned(), width);
        let expected = [
            (14, register("held", 5)),
            (18, register("state", 2)),
            (23, register("sums[0*5 +: 5]", 5)),
            (24, register("sums", 15)),
            (26, Role::Wire(1)),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn expressions_are_found_with_their_roles() {
        let found: Vec<_> = sites(VERILOG)
            .into_iter()
            .map(|site| (site.line, VERILOG[site.place].to_owned(), site.role))
            .collect();
        let register = || Role::Register("held".to_owned(), 4);
        let expected = [
            (12, "a + {4'd0,\n        held}", Role::Wire(8)),
            (21, "a == 8'd1", Role::Condition),
            (22, "sum[3:0]", register()),
            (23, "sum < 8'd2", Role::Condition),
            (24, "4'd0", register()),
            (26, "{a, a}", Role::Word(16)),
            (29, "rst", Role::Condition),
            (33, "a[3:0]", register()),
            (36, "held", Role::Wire(4)),
        ];
        assert_eq!(found, expected.map(|(line, text, role)| (line, text.to_owned(), role)));
    }
}
