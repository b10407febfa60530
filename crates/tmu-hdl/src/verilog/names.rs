//! Names: plain, from the source, legal in Verilog-2005 and SystemVerilog, unique in their module.

use super::fault::{Fault, is_planted};
use rustc_hash::{FxHashMap, FxHashSet};

/// Keywords of Verilog-2005 and SystemVerilog (IEEE 1364-2005 annex B, IEEE 1800-2017 annex B), sorted.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "accept_on", "alias", "always", "always_comb", "always_ff", "always_latch", "and", "assert", "assign",
    "assume", "automatic", "before", "begin", "bind", "bins", "binsof", "bit", "break", "buf", "bufif0",
    "bufif1", "byte", "case", "casex", "casez", "cell", "chandle", "checker", "class", "clocking", "cmos",
    "config", "const", "constraint", "context", "continue", "cover", "covergroup", "coverpoint", "cross",
    "deassign", "default", "defparam", "design", "disable", "dist", "do", "edge", "else", "end", "endcase",
    "endchecker", "endclass", "endclocking", "endconfig", "endfunction", "endgenerate", "endgroup",
    "endinterface", "endmodule", "endpackage", "endprimitive", "endprogram", "endproperty", "endsequence",
    "endspecify", "endtable", "endtask", "enum", "event", "eventually", "expect", "export", "extends",
    "extern", "final", "first_match", "for", "force", "foreach", "forever", "fork", "forkjoin", "function",
    "generate", "genvar", "global", "highz0", "highz1", "if", "iff", "ifnone", "ignore_bins", "illegal_bins",
    "implements", "implies", "import", "incdir", "include", "initial", "inout", "input", "inside", "instance",
    "int", "integer", "interconnect", "interface", "intersect", "join", "join_any", "join_none", "large",
    "let", "liblist", "library", "local", "localparam", "logic", "longint", "macromodule", "matches",
    "medium", "modport", "module", "nand", "negedge", "nettype", "new", "nexttime", "nmos", "nor",
    "noshowcancelled", "not", "notif0", "notif1", "null", "or", "output", "package", "packed", "parameter",
    "pmos", "posedge", "primitive", "priority", "program", "property", "protected", "pull0", "pull1",
    "pulldown", "pullup", "pulsestyle_ondetect", "pulsestyle_onevent", "pure", "rand", "randc", "randcase",
    "randsequence", "rcmos", "real", "realtime", "ref", "reg", "reject_on", "release", "repeat", "restrict",
    "return", "rnmos", "rpmos", "rtran", "rtranif0", "rtranif1", "s_always", "s_eventually", "s_nexttime",
    "s_until", "s_until_with", "scalared", "sequence", "shortint", "shortreal", "showcancelled", "signed",
    "small", "soft", "solve", "specify", "specparam", "static", "string", "strong", "strong0", "strong1",
    "struct", "super", "supply0", "supply1", "sync_accept_on", "sync_reject_on", "table", "tagged", "task",
    "this", "throughout", "time", "timeprecision", "timeunit", "tran", "tranif0", "tranif1", "tri", "tri0",
    "tri1", "triand", "trior", "trireg", "type", "typedef", "union", "unique", "unique0", "unsigned", "until",
    "until_with", "untyped", "use", "uwire", "var", "vectored", "virtual", "void", "wait", "wait_order",
    "wand", "weak", "weak0", "weak1", "while", "wildcard", "wire", "with", "within", "wor", "xnor", "xor",
];

/// True for a keyword of Verilog-2005 or SystemVerilog.
pub fn is_reserved(name: &str) -> bool {
    RESERVED.binary_search(&name).is_ok()
}

/// True for letters, digits and underscores that do not start with a digit.
pub fn is_identifier(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty() && name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// The names taken in one scope.
#[derive(Default)]
pub(crate) struct Names {
    taken: FxHashSet<String>,
    /// The last number behind each name that was wanted more than once.
    numbers: FxHashMap<String, usize>,
}

impl Names {
    /// Keeps a name from being given, whether or not something has it already.
    pub(crate) fn reserve(&mut self, name: &str) {
        self.taken.insert(name.into());
    }

    /// True for a name that nothing has.
    pub(crate) fn is_free(&self, name: &str) -> bool {
        !self.taken.contains(name) && !is_reserved(name)
    }

    /// A legal, unused name as close to `wanted` as possible, now taken.
    pub(crate) fn take(&mut self, wanted: &str) -> String {
        let mut base: String =
            wanted.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
        if base.is_empty() || base.starts_with(|c: char| c.is_ascii_digit()) {
            base.insert(0, '_');
        }
        let mut name = if is_reserved(&base) { format!("{base}_") } else { base.clone() };
        if self.taken.contains(&name) && !is_planted(Fault::NameCollision) {
            let number = self.numbers.entry(base.clone()).or_insert(1);
            while self.taken.contains(&name) {
                *number += 1;
                name = format!("{base}_{number}");
            }
        }
        self.taken.insert(name.clone());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_so_that_the_search_finds_every_keyword() {
        assert!(RESERVED.is_sorted());
        assert!(RESERVED.iter().all(|k| is_reserved(k)));
    }

    #[test]
    fn collisions_and_keywords_get_the_nearest_free_name() {
        let mut names = Names::default();
        let table = [
            ("a_0", "a_0"),
            ("a_0", "a_0_2"),
            ("a_0", "a_0_3"),
            ("reg", "reg_"),
            ("reg", "reg_2"),
            ("logic", "logic_"),
            ("1x", "_1x"),
            ("a$b", "a_b"),
        ];
        for (wanted, expected) in table {
            assert_eq!(names.take(wanted), expected);
        }
    }
}
