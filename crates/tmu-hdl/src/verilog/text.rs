//! Text helpers of the printer: ranges, selections, line wrapping.

use super::names::is_identifier;

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
/// neither inside a string nor between the brackets of a selection.
fn break_before(line: &str, limit: usize) -> Option<usize> {
    let ends = ["||", "&&", "|", "&", "^", "+", ",", ":", "?", "="];
    let mut in_string = false;
    let mut brackets = 0usize;
    let spaces = line.char_indices().filter(|&(_, c)| {
        in_string ^= c == '"';
        match c {
            '[' => brackets += 1,
            ']' => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        c == ' ' && !in_string && brackets == 0
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

/// What tools take for a directive where a comment begins with it.
const DIRECTIVES: &[&str] = &[
    "altera",
    "ambit",
    "cadence",
    "coverage",
    "exemplar",
    "pragma",
    "surelint",
    "synopsys",
    "synthesis",
    "translate_off",
    "translate_on",
    "verific",
    "verilint",
    "vcs",
    "xilinx",
];

/// A line of a comment, after its `//`: text from the source must not instruct a tool.
pub(crate) fn comment(line: &str) -> String {
    let word = line.trim_start().split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
    let word = word.to_ascii_lowercase();
    let instructs = word.starts_with("verilator") || DIRECTIVES.contains(&word.as_str());
    format!("// {}{line}", if instructs { "note: " } else { "" }).trim_end().into()
}

/// A file of the source, from the workspace or else from the folder of its crate, never from the root: what is emitted
/// says nothing of the machine that it was made on. The compiler knows crates outside of the workspace by whole paths.
pub(crate) fn source_file(path: &str) -> String {
    let path = path.replace('\\', "/");
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let is_whole = path.starts_with('/') || parts.first().is_some_and(|part| part.ends_with(':'));
    let leaves = parts.first().is_some_and(|part| *part == "..");
    if !(is_whole || leaves) {
        return path;
    }
    let folder = parts.iter().rposition(|part| ["src", "tests", "examples", "benches"].contains(part));
    let first = folder.map_or(parts.len().saturating_sub(1), |at| at.saturating_sub(1));
    parts[first..].join("/")
}

/// An attribute as Verilog has it: `name` or `name = value`. What stands between the outer quotes of a string may be
/// anything. `None` for what is no attribute.
pub(crate) fn attribute(text: &str) -> Option<String> {
    let Some((name, value)) = text.split_once('=') else {
        return is_identifier(text.trim()).then(|| text.trim().into());
    };
    let (name, value) = (name.trim(), value.trim());
    if !is_identifier(name) {
        return None;
    }
    let string = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let number = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
    let value = match string {
        Some(inner) => format!("\"{}\"", escaped(inner)),
        None if !value.is_empty() && value.chars().all(number) => value.into(),
        None => return None,
    };
    Some(format!("{name} = {value}"))
}

/// The inside of a string of Verilog.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_ascii_control() => out.push_str(&format!("\\{:03o}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_the_source_does_not_instruct_a_tool() {
        let table = [
            ("verilator lint_off WIDTH", "// note: verilator lint_off WIDTH"),
            (" Verilator_config", "// note:  Verilator_config"),
            ("synopsys translate_off", "// note: synopsys translate_off"),
            ("The verilator model", "// The verilator model"),
            ("synthesised", "// synthesised"),
            ("", "//"),
        ];
        for (line, expected) in table {
            assert_eq!(comment(line), expected);
        }
    }

    #[test]
    fn places_say_nothing_of_the_machine() {
        let table = [
            ("crates/tmu-rtl/src/stream/lod.rs", "crates/tmu-rtl/src/stream/lod.rs"),
            ("src/sum.rs", "src/sum.rs"),
            ("/home/me/tmugen/crates/tmu-hdl/src/bus/axi.rs", "tmu-hdl/src/bus/axi.rs"),
            ("/home/me/src/tmugen/crates/tmu-hdl/tests/course/mux.rs", "tmu-hdl/tests/course/mux.rs"),
            ("../tmugen/crates/tmu-hdl/src/net.rs", "tmu-hdl/src/net.rs"),
            ("C:\\me\\blocks\\src\\main.rs", "blocks/src/main.rs"),
            ("/generated.rs", "generated.rs"),
        ];
        for (path, expected) in table {
            assert_eq!(source_file(path), expected);
        }
    }

    #[test]
    fn the_text_of_an_attribute_is_escaped_and_its_form_kept() {
        let table = [
            ("keep", Some("keep")),
            ("keep = \"true\"", Some("keep = \"true\"")),
            ("depth=4'hf", Some("depth = 4'hf")),
            ("a = \"x\" *) wire y; (* b = \"z\"", Some("a = \"x\\\" *) wire y; (* b = \\\"z\"")),
            ("a = \"one\ntwo\\\"", Some("a = \"one\\ntwo\\\\\"")),
            ("a b", None),
            ("a = x y", None),
            ("a = \"", None),
            ("*) wire x", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(attribute(text).as_deref(), expected, "{text}");
        }
    }

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
