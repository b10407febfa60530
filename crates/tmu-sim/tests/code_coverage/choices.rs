//! Choices: `a ? b : c` in emitted Verilog, made visible to a coverage tool that counts `if` only.
//!
//! Most decisions of the hardware are such expressions. Each condition of a module gets an `if` of its own behind
//! the module's last line, with nothing in either way.

/// How the line of a choice begins, behind its indentation.
const BEGINS: &str = "always @* if (|(";

/// How it ends.
const ENDS: &str = ")) begin end else begin end";

/// The condition of a choice, from its line.
pub(crate) fn condition(line: &str) -> Option<&str> {
    line.trim().strip_prefix(BEGINS)?.strip_suffix(ENDS)
}

/// The same Verilog with an `if` for each condition of a choice.
pub(crate) fn expose(verilog: &str) -> String {
    let mut text = String::new();
    let mut conditions: Vec<String> = Vec::new();
    let mut statement = String::new();
    for line in verilog.lines() {
        let code = line.split("//").next().unwrap_or_default().trim();
        if code == "endmodule" {
            for condition in conditions.drain(..) {
                text += &format!("    {BEGINS}{condition}{ENDS}\n");
            }
        }
        text += line;
        text.push('\n');
        statement += code;
        statement.push(' ');
        if [";", "begin", "end", "else"].iter().any(|end| code.ends_with(end)) {
            for condition in conditions_of(&statement) {
                if !conditions.contains(&condition) {
                    conditions.push(condition);
                }
            }
            statement.clear();
        }
    }
    text
}

/// What stands in front of each `?` of a statement.
fn conditions_of(statement: &str) -> Vec<String> {
    let marks = statement.char_indices().filter(|(_, character)| *character == '?');
    marks.map(|(at, _)| statement[begin_of_expression(statement, at)..at].trim().to_owned()).collect()
}

/// Where the expression that ends at `end` begins. Nothing binds less than a choice, so it begins behind whatever
/// opened a bracket around it, parts a list or another choice, or assigns.
fn begin_of_expression(statement: &str, end: usize) -> usize {
    let bytes = statement.as_bytes();
    let mut depth = 0u32;
    for at in (0..end).rev() {
        match bytes[at] {
            b')' | b']' | b'}' => depth += 1,
            b'(' | b'[' | b'{' if depth > 0 => depth -= 1,
            b'(' | b'[' | b'{' => return at + 1,
            b'?' | b':' | b',' if depth == 0 => return at + 1,
            b'=' if depth == 0 && assigns(statement, at) => return at + 1,
            _ => {}
        }
    }
    0
}

/// Whether the `=` at a place assigns, on its own or as a part of `<=`.
fn assigns(statement: &str, at: usize) -> bool {
    let is_name =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_[]:".contains(&byte));
    let (before, behind) = (&statement[..at], &statement[at + 1..]);
    if behind.starts_with('=') || before.ends_with(['=', '!', '>']) {
        return false;
    }
    // A comparison has an assignment, or the condition of an `if`, in front of it.
    before.strip_suffix('<').is_none_or(|target| is_name(target.rsplit(") ").next().unwrap_or(target).trim()))
}

#[test]
fn the_conditions_of_choices_are_found() {
    let found = |statement| conditions_of(statement).join(" | ");
    for (statement, expected) in [
        ("assign y = a ? b : c;", "a"),
        ("wire [3:0] y = a == b ? c : d[1:0];", "a == b"),
        ("wire y = a <= b && c ? d : e;", "a <= b && c"),
        ("y <= a >= b ? c : d;", "a >= b"),
        ("if (enable) memory[address] <= a ? b : c;", "a"),
        ("wire [7:0] y = {a ? b : c, (d | e[2]) != 0 ? f : g ? h : i};", "a | (d | e[2]) != 0 | g"),
        ("y <= x + (a ? 27'h30 : 27'h40);", "a"),
        (".data(&a[3:1] ? b : c), .ready(d));", "&a[3:1]"),
        ("assign y = a;", ""),
    ] {
        assert_eq!(found(statement), expected, "{statement}");
    }
}

#[test]
fn each_condition_of_a_module_gets_one_line() {
    let verilog = "module m;\n    // why ? so : so\n    assign y = a ?\n        b : c;\n    assign z = a ? b : d;\nendmodule\n";
    let expected =
        verilog.replace("endmodule", "    always @* if (|(a)) begin end else begin end\nendmodule");
    assert_eq!(expose(verilog), expected);
    assert_eq!(expected.lines().filter_map(condition).collect::<Vec<_>>(), ["a"]);
}
