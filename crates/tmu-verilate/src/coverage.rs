//! What models have covered: Verilator's coverage files, read and put together.
//!
//! A file has a line for each point and what it was counted to. A point is known by everything that the file says
//! of it but the instance: Verilator adds the instances of a module up itself.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use crate::error::{Error, IoContext as _, Result};

/// What is counted at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CoverageKind {
    /// Statements that are executed together.
    Line,
    /// One of the two ways of an `if`.
    Branch,
    /// Changes of one bit.
    Toggle,
    /// Combinations of the operands of an expression; later versions of Verilator have it.
    Expression,
    /// A `cover` statement.
    User,
}

impl CoverageKind {
    /// As the file's page begins.
    const NAMES: [(&'static str, Self); 5] = [
        ("v_line", Self::Line),
        ("v_branch", Self::Branch),
        ("v_toggle", Self::Toggle),
        ("v_expr", Self::Expression),
        ("v_user", Self::User),
    ];
}

/// A place in the Verilog where something is counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CoveragePoint {
    /// The Verilog file.
    pub file: String,
    /// The module.
    pub module: String,
    /// What is counted.
    pub kind: CoverageKind,
    /// Line in the file, from 1.
    pub line: u32,
    /// Column in the line, from 1. The two ways of an `if` differ in it.
    pub column: u32,
    /// `block`, `if`, `elsif`, `else`; the bit of a net, such as `data[3]`.
    pub comment: String,
    /// The lines that are executed whenever this is counted, in order. None for toggles.
    pub lines: Vec<u32>,
}

/// Points, and how often each was met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoverageCounts(BTreeMap<CoveragePoint, u64>);

impl CoverageCounts {
    /// Reads what [`Instance::coverage_write`](crate::Instance::coverage_write) has written.
    ///
    /// # Errors
    /// If the file cannot be read, or does not have Verilator's form.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::parse(&fs::read_to_string(path).context("read", path)?)
    }

    /// Reads the text of such a file. Points that are there several times are added up.
    ///
    /// # Errors
    /// If it does not have Verilator's form.
    pub fn parse(text: &str) -> Result<Self> {
        let mut counts = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            if line.starts_with('#') || line.is_empty() {
                continue;
            }
            let fault = |reason: String| Error::Output {
                tool: "Verilator (a coverage file)",
                reason: format!("line {number}: {reason}"),
            };
            let (point, count) = point(line).map_err(fault)?;
            let sum = counts.0.entry(point).or_default();
            *sum = sum.saturating_add(count);
        }
        Ok(counts)
    }

    /// Adds what another run, or another model, has covered.
    pub fn add(&mut self, other: &Self) {
        for (point, count) in &other.0 {
            let sum = self.0.entry(point.clone()).or_default();
            *sum = sum.saturating_add(*count);
        }
    }

    /// What was covered behind the moment at which the same instance had counted `earlier`.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let before = |point| earlier.0.get(point).copied().unwrap_or_default();
        let rest = self.0.iter().map(|(point, count)| (point.clone(), count.saturating_sub(before(point))));
        Self(rest.collect())
    }

    /// The points in order of file, module, kind and place, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (&CoveragePoint, u64)> + Clone {
        self.0.iter().map(|(point, count)| (point, *count))
    }
}

/// A line of the file: `C '`, fields that begin with \x01 and hold a key and a value with \x02 between, `' `, the count.
fn point(line: &str) -> Result<(CoveragePoint, u64), String> {
    let parts = line.strip_prefix("C '").and_then(|rest| rest.rsplit_once("' "));
    let (fields, count) = parts.ok_or_else(|| "this is no coverage point: C '...' and a count".to_owned())?;
    let count = count.parse().map_err(|_| format!("`{count}` is no count"))?;
    let fields: BTreeMap<&str, &str> =
        fields.split('\u{1}').filter_map(|field| field.split_once('\u{2}')).collect();
    let field = |key: &str| fields.get(key).copied().ok_or_else(|| format!("the field `{key}` is missing"));
    let number = |key: &str| {
        let text = field(key)?;
        text.parse::<u32>().map_err(|_| format!("the field `{key}` is `{text}`, not a number"))
    };
    let page = field("page")?;
    let (kind, module) = page.split_once('/').ok_or_else(|| format!("`{page}` names no module"))?;
    let known = CoverageKind::NAMES.into_iter().find(|(name, _)| *name == kind);
    let (_, kind) = known.ok_or_else(|| format!("`{kind}` is no kind of coverage that is known here"))?;
    let point = CoveragePoint {
        file: field("f")?.to_owned(),
        module: module.to_owned(),
        kind,
        line: number("l")?,
        column: number("n")?,
        comment: field("o")?.to_owned(),
        lines: lines(fields.get("S").copied().unwrap_or_default())?,
    };
    Ok((point, count))
}

/// The most lines that one point may have; the longest module has a hundredth of it.
const MAX_LINES: u32 = 1 << 20;

/// Lines such as `6047-6049,6051`.
fn lines(text: &str) -> Result<Vec<u32>, String> {
    let fault = || format!("`{text}` is no list of lines, such as 3-5,7");
    let mut lines = Vec::new();
    for range in text.split(',').filter(|range| !range.is_empty()) {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let bound = |text: &str| text.parse::<u32>().map_err(|_| fault());
        let (first, last) = (bound(first)?, bound(last)?);
        if last < first || last - first >= MAX_LINES {
            return Err(fault());
        }
        lines.extend(first..=last);
    }
    Ok(lines)
}

impl fmt::Display for CoveragePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, module, line, comment, .. } = self;
        write!(f, "{file}:{line}: {comment} in {module}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(fields: &[(&str, &str)], count: &str) -> String {
        let fields: String = fields.iter().map(|(key, value)| format!("\u{1}{key}\u{2}{value}")).collect();
        format!("C '{fields}' {count}\n")
    }

    const BRANCH: [(&str, &str); 7] = [
        ("f", "top.v"),
        ("l", "6"),
        ("n", "9"),
        ("page", "v_branch/fifo"),
        ("o", "if"),
        ("S", "6-8,11"),
        ("h", "TOP.top.fifo"),
    ];

    fn without(key: &str) -> String {
        let rest: Vec<_> = BRANCH.into_iter().filter(|(name, _)| *name != key).collect();
        line(&rest, "1")
    }

    fn with(key: &'static str, value: &'static str) -> String {
        line(&BRANCH.map(|field| if field.0 == key { (key, value) } else { field }), "1")
    }

    #[test]
    fn a_point_is_all_that_the_file_says_of_it() {
        let counts =
            CoverageCounts::parse(&format!("# SystemC::Coverage-3\n{}", line(&BRANCH, "12"))).unwrap();
        let expected = CoveragePoint {
            file: "top.v".to_owned(),
            module: "fifo".to_owned(),
            kind: CoverageKind::Branch,
            line: 6,
            column: 9,
            comment: "if".to_owned(),
            lines: vec![6, 7, 8, 11],
        };
        assert_eq!(counts.iter().collect::<Vec<_>>(), [(&expected, 12)]);
        assert_eq!(expected.to_string(), "top.v:6: if in fifo");
    }

    #[test]
    fn instances_and_runs_add_up_and_what_was_before_goes_off() {
        let text = with("h", "TOP.top.first") + &with("h", "TOP.top.second") + &with("o", "else");
        let mut all = CoverageCounts::parse(&text).unwrap();
        let of = |counts: &CoverageCounts| counts.iter().map(|(_, count)| count).collect::<Vec<_>>();
        assert_eq!(of(&all), [1, 2], "`else` and twice `if`");
        let earlier = CoverageCounts::parse(&with("o", "if")).unwrap();
        assert_eq!(of(&all.since(&earlier)), [1, 1]);
        all.add(&CoverageCounts::parse(&(with("f", "other.v") + &with("o", "else"))).unwrap());
        assert_eq!(of(&all), [1, 2, 2], "other.v first");
    }

    #[test]
    fn what_is_not_of_this_form_is_refused_by_line_and_field() {
        for (text, expected) in [
            ("C 'x' many\n".to_owned(), "`many` is no count"),
            ("D 'x' 1\n".to_owned(), "this is no coverage point"),
            ("C 'x 1\n".to_owned(), "this is no coverage point"),
            (without("page"), "the field `page` is missing"),
            (without("f"), "the field `f` is missing"),
            (with("l", "-6"), "the field `l` is `-6`, not a number"),
            (with("page", "v_branch"), "`v_branch` names no module"),
            (with("page", "v_fsm/fifo"), "`v_fsm` is no kind of coverage"),
            (with("S", "8-6"), "`8-6` is no list of lines"),
            (with("S", "1-4000000000"), "is no list of lines"),
            (with("S", "a"), "`a` is no list of lines"),
        ] {
            let error = CoverageCounts::parse(&format!("# first\n{text}")).unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains("line 2: "), "{text:?}: {error}");
        }
    }
}
