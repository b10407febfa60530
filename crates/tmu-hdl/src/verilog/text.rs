//! Text helpers of the printer: ranges, selections, line wrapping.

const LINE_CHARS: usize = 112;

/// `[7:0] ` for vectors, nothing for single bits.
pub(crate) fn range(width: usize) -> String {
    if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) }
}

/// `[lo]` or `[hi:lo]`.
pub(crate) fn select(lo: usize, width: usize) -> String {
    if width == 1 { format!("[{lo}]") } else { format!("[{}:{lo}]", lo + width - 1) }
}

/// A constant of `width` zeros.
pub(crate) fn zeros(width: usize) -> String {
    if width == 1 { "1'b0".into() } else { format!("{width}'d0") }
}

/// A part of a concatenation that stands `times` in a row.
pub(crate) fn repeated(times: usize, part: &str) -> String {
    if times == 1 { part.into() } else { format!("{{{times}{{{part}}}}}") }
}

/// Indents a line and breaks it after an operator or a comma where it is too long.
pub(crate) fn wrap(indent: usize, line: &str) -> String {
    let mut out = String::new();
    let mut margin = "    ".repeat(indent);
    let mut rest = line;
    while margin.len() + rest.len() > LINE_CHARS {
        let limit = LINE_CHARS - margin.len();
        let Some(at) = break_before(rest, limit) else { break };
        out.push_str(&format!("{margin}{}\n", rest[..at].trim_end()));
        rest = rest[at..].trim_start();
        margin = "    ".repeat(indent + 1);
    }
    out.push_str(&format!("{margin}{rest}\n"));
    out
}

/// The last place not past `limit` where a line may end: behind an operator or comma that a space follows, and
/// not inside a string.
fn break_before(line: &str, limit: usize) -> Option<usize> {
    let ends = ["||", "&&", "|", "&", "^", "+", ",", ":", "?", "="];
    let mut in_string = false;
    let spaces = line.char_indices().filter(|&(_, c)| {
        in_string ^= c == '"';
        c == ' ' && !in_string
    });
    let mut words = spaces.map(|(i, _)| i).peekable();
    let mut best = None;
    while let Some(at) = words.next_if(|&at| at <= limit) {
        if ends.iter().any(|e| line[..at].ends_with(e)) {
            best = Some(at);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_break_behind_operators_only() {
        let terms: Vec<String> = (0..30).map(|i| format!("term_{i}")).collect();
        let wrapped = wrap(1, &format!("assign out = {};", terms.join(" | ")));
        assert!(wrapped.lines().all(|l| l.len() <= LINE_CHARS), "{wrapped}");
        assert!(
            wrapped.lines().count() == 3 && wrapped.lines().take(2).all(|l| l.ends_with('|')),
            "{wrapped}"
        );
        assert_eq!(wrap(0, "a"), "a\n");
        let text = format!("(* a = \"{}\" *) wire x;", "one, two, ".repeat(20));
        assert_eq!(wrap(0, &text).matches('\n').count(), 2, "a string is not broken");
    }
}
