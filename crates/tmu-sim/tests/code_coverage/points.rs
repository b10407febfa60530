//! Points of coverage by the text of the Verilog, so that they are the same in every configuration and stay the same
//! when lines are added.

use crate::Measured;
use crate::choices::condition;
use std::collections::{BTreeMap, HashMap};
use tmu_verilate::{CoverageCounts, CoverageKind, CoveragePoint};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// An `always` block.
    Block,
    /// An `if` that is taken.
    Then,
    /// An `if` that is not taken.
    Else,
    /// A choice that is true.
    True,
    /// A choice that is false.
    False,
    /// One bit of a net that rises and falls.
    Toggle,
}

impl Kind {
    /// As the table of holes has it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Kind::Block => "block",
            Kind::Then => "then",
            Kind::Else => "else",
            Kind::True => "true",
            Kind::False => "false",
            Kind::Toggle => "toggle",
        }
    }
}

/// A point, wherever it stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point {
    /// The module's name without its sizes.
    pub(crate) module: String,
    pub(crate) kind: Kind,
    /// The statement with everything that is executed with it, the condition of a choice, or the bit of a net.
    pub(crate) text: String,
}

/// Covered and all.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Share {
    pub(crate) covered: u64,
    pub(crate) all: u64,
}

impl Share {
    fn count(&mut self, covered: bool) {
        self.covered += u64::from(covered);
        self.all += 1;
    }

    pub(crate) fn add(&mut self, other: Share) {
        self.covered += other.covered;
        self.all += other.all;
    }

    /// Whether this many of a hundred are covered.
    pub(crate) fn is_at_least(self, percent: u64) -> bool {
        self.covered * 100 >= self.all * percent
    }
}

/// The shares of a module.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Shares {
    pub(crate) lines: Share,
    pub(crate) branches: Share,
    pub(crate) choices: Share,
    pub(crate) toggles: Share,
}

impl Shares {
    pub(crate) fn add(&mut self, other: &Shares) {
        self.lines.add(other.lines);
        self.branches.add(other.branches);
        self.choices.add(other.choices);
        self.toggles.add(other.toggles);
    }
}

/// What one configuration has covered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Covered {
    /// Shares by module, without sizes; all modules that have the name in common are added up.
    pub(crate) modules: BTreeMap<String, Shares>,
    /// How many of the places that have a point's text have met it.
    pub(crate) points: BTreeMap<Point, Share>,
}

impl Covered {
    /// What was counted in the Verilog of a configuration whose top module has a name.
    pub(crate) fn new(verilog: &str, top: &str, counts: &CoverageCounts) -> Self {
        let source = Source::new(verilog, top, counts);
        let mut covered = Self::default();
        // A line may belong to several points, such as the `end else begin` between two branches.
        let mut lines: BTreeMap<(String, u32), bool> = BTreeMap::new();
        for (point, count) in counts.iter() {
            let Some((kind, text)) = source.describe(point) else { continue };
            let module = source.module(&point.module);
            // Once up and once down.
            let met = count >= if kind == Kind::Toggle { 2 } else { 1 };
            let shares = covered.modules.entry(module.clone()).or_default();
            match kind {
                Kind::Block => {}
                Kind::Then | Kind::Else => shares.branches.count(met),
                Kind::True | Kind::False => shares.choices.count(met),
                Kind::Toggle => shares.toggles.count(met),
            }
            if matches!(kind, Kind::Block | Kind::Then | Kind::Else) {
                for line in &point.lines {
                    *lines.entry((module.clone(), *line)).or_default() |= met;
                }
            }
            covered.points.entry(Point { module, kind, text }).or_default().count(met);
        }
        for ((module, _), met) in lines {
            covered.modules.entry(module).or_default().lines.count(met);
        }
        covered
    }

    /// Branches that some place has not met.
    pub(crate) fn unmet_branches(&self) -> impl Iterator<Item = &Point> {
        let is_unmet = |share: &Share| share.covered < share.all;
        let is_branch = |point: &Point| matches!(point.kind, Kind::Then | Kind::Else);
        self.points
            .iter()
            .filter(move |(point, share)| is_branch(point) && is_unmet(share))
            .map(|(point, _)| point)
    }

    /// All modules together.
    pub(crate) fn total(&self) -> Shares {
        let mut total = Shares::default();
        self.modules.values().for_each(|shares| total.add(shares));
        total
    }
}

/// Where a point was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Met {
    /// In no configuration at all of its places.
    Never,
    /// In some configuration at all of its places.
    Somewhere,
    /// So in each configuration that has it.
    Everywhere,
}

/// The points of all configurations.
pub(crate) fn all(measured: &[Measured]) -> BTreeMap<Point, Met> {
    let mut all = BTreeMap::new();
    for (point, share) in measured.iter().flat_map(|one| &one.covered.points) {
        let met = if share.is_at_least(100) { Met::Everywhere } else { Met::Never };
        all.entry(point.clone())
            .and_modify(|before| {
                if *before != met {
                    *before = Met::Somewhere;
                }
            })
            .or_insert(met);
    }
    all
}

struct Source<'a> {
    /// Without comments.
    lines: Vec<&'a str>,
    top: &'a str,
    /// The way that each `if` takes, by module and line.
    taken: HashMap<(&'a str, u32), &'a CoveragePoint>,
}

impl<'a> Source<'a> {
    fn new(verilog: &'a str, top: &'a str, counts: &'a CoverageCounts) -> Self {
        let code = |line: &'a str| line.split("//").next().unwrap_or_default().trim();
        let ifs = counts.iter().map(|(point, _)| point).filter(|point| point.comment == "if");
        Self {
            lines: verilog.lines().map(code).collect(),
            top,
            taken: ifs.map(|point| ((point.module.as_str(), point.line), point)).collect(),
        }
    }

    /// Everything that is executed with a point.
    fn text(&self, point: &CoveragePoint) -> String {
        let lines: Vec<_> = point.lines.iter().map(|line| self.line(*line)).collect();
        without_numbers(&lines.join(" "))
    }

    /// A module's name without the top's and without the parts that are sizes: `top_sync_fifo_512x257_late` is a
    /// `sync_fifo_late`.
    fn module(&self, name: &str) -> String {
        if name == self.top {
            return "top".to_owned();
        }
        let is_size = |part: &&str| {
            let digits = part.trim_start_matches(['u', 's']);
            digits.starts_with(|first: char| first.is_ascii_digit())
        };
        let own = name.strip_prefix(self.top).and_then(|rest| rest.strip_prefix('_'));
        own.unwrap_or(name).split('_').filter(|part| !is_size(part)).collect::<Vec<_>>().join("_")
    }

    fn line(&self, number: u32) -> &str {
        number.checked_sub(1).and_then(|at| self.lines.get(at as usize)).copied().unwrap_or_default()
    }

    /// The kind and the text of a point; none for initial values, which are always met.
    fn describe(&self, point: &CoveragePoint) -> Option<(Kind, String)> {
        if point.kind == CoverageKind::Toggle {
            return Some((Kind::Toggle, point.comment.clone()));
        }
        let line = self.line(point.line);
        match (point.comment.as_str(), condition(line)) {
            ("if", Some(condition)) => Some((Kind::True, without_numbers(condition))),
            ("else", Some(condition)) => Some((Kind::False, without_numbers(condition))),
            (_, Some(_)) => None,
            ("block", None) => line.starts_with("always").then(|| (Kind::Block, self.text(point))),
            // By the other way: this one may have no text.
            ("else", None) => {
                let taken = self.taken.get(&(point.module.as_str(), point.line));
                Some((Kind::Else, taken.map_or_else(|| without_numbers(line), |taken| self.text(taken))))
            }
            _ => Some((Kind::Then, self.text(point))),
        }
    }
}

/// Verilog without what depends on sizes and on what else is emitted: numbers behind names, widths of constants and
/// selected bits. `ready_2 <= x[5:0] == 6'd7` becomes `ready <= x[] == 'd7`.
fn without_numbers(code: &str) -> String {
    let mut text = String::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let end = rest.find(|character| !is_word(character)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(if end == 0 { first.len_utf8() } else { end });
        rest = behind;
        if first.is_ascii_digit() && rest.starts_with('\'') {
            continue;
        }
        if word == "["
            && let Some(end) = rest.find(|character: char| !character.is_ascii_digit() && character != ':')
            && rest[end..].starts_with(']')
        {
            rest = &rest[end..];
        }
        let mut name = word;
        while let Some((shorter, number)) = name.rsplit_once('_')
            && !shorter.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && !number.is_empty()
        {
            name = shorter;
        }
        text += name;
    }
    text
}

#[test]
fn numbers_that_sizes_decide_are_left_out() {
    for (code, expected) in [
        ("ready_2 <= x[5:0] == 6'd7;", "ready <= x[] == 'd7;"),
        ("if (level_0_12 && data_[3]) a1 <= {2{b_c}};", "if (level && data_[]) a1 <= {2{b_c}};"),
        ("memory[address_3] <= y[number];", "memory[address] <= y[number];"),
        ("way_2_is_known || a_b_c", "way_2_is_known || a_b_c"),
    ] {
        assert_eq!(without_numbers(code), expected);
    }
}
