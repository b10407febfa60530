//! What may be wrong with an expression: the faults that a designer makes, one at a time.
//!
//! | fault | from | to |
//! | --- | --- | --- |
//! | other operator | `a && b`, `a + b`, `a == b`, `a < b` | `a \|\| b`, `a - b`, `a != b`, `a <= b` and `a >= b` |
//! | negation lost | `!a`, `~a` | `a` |
//! | branches exchanged | `a ? b : c` | `!(a) ? b : c` |
//! | constant off by one | `8'd3` | `8'd4` |
//! | next bit | `a[3]` | `a[2]` |
//! | stuck value | `a` | `0`, and for a register its old value |
//! | condition ignored or inverted | `if (a)` | `if (1)`, `if (0)`, `if (!a)` |

use crate::scan::Role;

/// The parts of an expression, each with where it stands.
fn tokens(expression: &str) -> Vec<(usize, &str)> {
    const LONG: [&str; 9] = [">>>", "<<", ">>", "&&", "||", "==", "!=", "<=", ">="];
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = expression[at..].chars().next() {
        let rest = &expression[at..];
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '$');
        let length = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            LONG.iter().find(|long| rest.starts_with(**long)).map_or(first.len_utf8(), |long| long.len())
        };
        found.push((at, &rest[..length]));
        at += length;
    }
    found
}

/// Whether a part ends an operand, so that what follows takes two.
fn ends_operand(part: &str) -> bool {
    part.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ')' | ']' | '}'))
}

/// Operators that may be taken for one with two operands.
fn instead_of_binary(operator: &str) -> &'static [&'static str] {
    match operator {
        "&&" => &["||"],
        "||" => &["&&"],
        "&" => &["|"],
        "|" => &["&"],
        "^" => &["|"],
        "+" => &["-"],
        "-" | "*" => &["+"],
        "==" => &["!="],
        "!=" => &["=="],
        "<" => &["<=", ">="],
        "<=" => &["<", ">"],
        ">" => &[">=", "<="],
        ">=" => &[">", "<"],
        "<<" => &[">>"],
        ">>" | ">>>" => &["<<"],
        _ => &[],
    }
}

/// The next value of a sized constant: `8'hff` gives `8'd0`.
fn next_constant(part: &str) -> Option<String> {
    let (width, digits) = part.split_once('\'')?;
    let bits: u32 = width.parse().ok()?;
    let radix = match digits.chars().next()? {
        'b' => 2,
        'd' => 10,
        'h' => 16,
        _ => return None,
    };
    let value = u64::from_str_radix(&digits[1..], radix).ok()?;
    let mask = if bits >= 64 { return None } else { (1 << bits) - 1 };
    Some(format!("{bits}'d{}", (value + 1) & mask))
}

/// Where the condition of the `?` at a part begins: behind the nearest open bracket, `,`, `?` or `:`.
fn condition_start(parts: &[(usize, &str)], question: usize) -> usize {
    let mut depth = 0;
    for (number, (_, part)) in parts[..question].iter().enumerate().rev() {
        match *part {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth > 0 => depth -= 1,
            "(" | "[" | "{" | "," | "?" | ":" if depth == 0 => return number + 1,
            _ => {}
        }
    }
    0
}

/// Every text that an expression may become.
#[must_use]
pub fn changes(expression: &str, role: &Role) -> Vec<String> {
    let parts = tokens(expression);
    let with = |at: usize, length: usize, text: &str| {
        format!("{}{text}{}", &expression[..at], &expression[at + length..])
    };
    let mut found = Vec::new();
    for (number, &(at, part)) in parts.iter().enumerate() {
        let before = number.checked_sub(1).map(|before| parts[before].1);
        let after = parts.get(number + 1).map(|(_, after)| *after);
        let is_binary = before.is_some_and(ends_operand);
        if is_binary {
            found.extend(instead_of_binary(part).iter().map(|other| with(at, part.len(), other)));
        } else if matches!(part, "&" | "|") {
            found.push(with(at, 1, if part == "&" { "|" } else { "&" }));
        } else if matches!(part, "!" | "~") {
            found.push(with(at, 1, ""));
        }
        if part == "?" {
            let begin = parts[condition_start(&parts, number)].0;
            let condition = expression[begin..at].trim_end();
            found.push(with(begin, condition.len(), &format!("!({condition})")));
        }
        found.extend(next_constant(part).map(|next| with(at, part.len(), &next)));
        if before == Some("[") && after == Some("]") {
            let bit = part.parse::<u32>().ok().and_then(|bit| bit.checked_sub(1));
            found.extend(bit.map(|bit| with(at, part.len(), &bit.to_string())));
        }
    }
    match role {
        Role::Wire(bits) | Role::Word(bits) => found.push(format!("{bits}'d0")),
        Role::Register(name, bits) => found.extend([format!("{bits}'d0"), name.clone()]),
        Role::Condition => found.extend(["1'b1".to_owned(), "1'b0".to_owned(), format!("!({expression})")]),
    }
    found.retain(|changed| changed != expression && !same_constant(changed, expression));
    found.dedup();
    found
}

/// Whether two texts are the same number: `4'h0` and `4'd0`.
fn same_constant(one: &str, other: &str) -> bool {
    next_constant(one).is_some_and(|next| Some(next) == next_constant(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operator_is_changed() {
        let table: &[(&str, Role, &[&str])] = &[
            ("a && !b", Role::Wire(1), &["a || !b", "a && b", "1'd0"]),
            ("(&c[3:1])", Role::Wire(1), &["(|c[3:1])", "1'd0"]),
            (
                "x ? a + 8'hff : b[3]",
                Role::Register("r".into(), 8),
                &[
                    "!(x) ? a + 8'hff : b[3]",
                    "x ? a - 8'hff : b[3]",
                    "x ? a + 8'd0 : b[3]",
                    "x ? a + 8'hff : b[2]",
                    "8'd0",
                    "r",
                ],
            ),
            (
                "{a < b, c ? d : e}",
                Role::Word(2),
                &["{a <= b, c ? d : e}", "{a >= b, c ? d : e}", "{a < b, !(c) ? d : e}", "2'd0"],
            ),
            ("go", Role::Condition, &["1'b1", "1'b0", "!(go)"]),
            ("4'h0", Role::Register("r".into(), 4), &["4'd1", "r"]),
        ];
        for (expression, role, expected) in table {
            assert_eq!(changes(expression, role), *expected, "{expression}");
        }
    }
}
