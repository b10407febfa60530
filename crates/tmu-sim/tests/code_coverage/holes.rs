//! The committed table of what no run meets, and why.

use crate::points::{Kind, Met, Point};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The table's text.
const TEXT: &str = include_str!("../../coverage-holes.toml");

/// The table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    /// Lines, branches and choices.
    #[serde(rename = "hole", default)]
    pub(crate) holes: Vec<Hole>,
    /// Bits that stand still.
    #[serde(rename = "still", default)]
    pub(crate) still: Vec<Still>,
}

/// Points that cannot be met.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hole {
    /// The module without its sizes.
    pub(crate) module: String,
    pub(crate) kind: Kind,
    /// How the points' texts begin.
    pub(crate) text: String,
    pub(crate) reason: String,
}

/// Nets with bits that do not both rise and fall, for one reason.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Still {
    pub(crate) reason: String,
    /// `module.net`, where `*` stands for any characters.
    pub(crate) nets: Vec<String>,
}

impl Table {
    pub(crate) fn read() -> Self {
        toml::from_str(TEXT).unwrap_or_else(|error| panic!("coverage-holes.toml: {error}"))
    }

    /// What is wrong between the table and lines, branches and choices. With `everything` the points are those of
    /// all configurations, so that each entry has to be among them.
    pub(crate) fn faults(&self, points: &BTreeMap<Point, Met>, everything: bool) -> Vec<String> {
        let points = || points.iter().filter(|(point, _)| point.kind != Kind::Toggle);
        let name = |point: &Point| format!("{}, {}: {}", point.module, point.kind.name(), point.text);
        let mut faults = Vec::new();
        for (point, _) in points().filter(|(_, met)| **met == Met::Never) {
            if !self.holes.iter().any(|hole| hole.is_of(point)) {
                faults.push(format!("never met and not listed: {}", name(point)));
            }
        }
        for hole in &self.holes {
            let mut of_hole = points().filter(|(point, _)| hole.is_of(point)).peekable();
            if of_hole.peek().is_none() && everything {
                let Hole { module, kind, text, .. } = hole;
                faults.push(format!("listed, but not in the hardware: {module}, {}: {text}", kind.name()));
            }
            let met = of_hole.filter(|(_, met)| **met == Met::Everywhere);
            faults.extend(met.map(|(point, _)| format!("listed, but met: {}", name(point))));
        }
        faults
    }

    /// The reason why a bit stands still.
    pub(crate) fn reason(&self, point: &Point) -> Option<&str> {
        let name = format!("{}.{}", point.module, point.text);
        let still = self.still.iter().find(|still| still.nets.iter().any(|net| matches(net, &name)));
        still.map(|still| still.reason.as_str())
    }

    /// Reasons of the table that no bit has.
    pub(crate) fn idle_reasons(&self, points: &BTreeMap<Point, Met>) -> Vec<String> {
        let still =
            points.iter().filter(|(point, met)| point.kind == Kind::Toggle && **met != Met::Everywhere);
        let names: Vec<_> = still.map(|(point, _)| format!("{}.{}", point.module, point.text)).collect();
        let nets = self.still.iter().flat_map(|still| &still.nets);
        let idle = nets.filter(|net| !names.iter().any(|name| matches(net, name)));
        idle.map(|net| format!("listed as standing still, but none of it does: {net}")).collect()
    }
}

impl Hole {
    pub(crate) fn is_of(&self, point: &Point) -> bool {
        self.module == point.module && self.kind == point.kind && point.text.starts_with(&self.text)
    }
}

/// Whether a net, or one bit of it, has the name; `*` stands for any characters.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => name.strip_prefix(pattern).is_some_and(|rest| rest.is_empty() || rest.starts_with('[')),
        Some((before, behind)) => name.strip_prefix(before).is_some_and(|rest| {
            let ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            ends.into_iter().any(|at| matches(behind, &rest[at..]))
        }),
    }
}

#[test]
fn nets_match_with_their_bits() {
    for (pattern, name, expected) in [
        ("cache.hit", "cache.hit", true),
        ("cache.hit", "cache.hit[3]", true),
        ("cache.hit", "cache.hits", false),
        ("cache.hit[3]", "cache.hit[3]", true),
        ("cache.hit[3]", "cache.hit[30]", false),
        ("*.araddr[3*]", "top.araddr[35]", true),
        ("*.araddr[3*]", "top.araddr[5]", false),
        ("top.*_size", "top.m_axi_ar_size[2]", true),
        ("top.*_size", "top.m_axi_ar_sizes", false),
    ] {
        assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
    }
}

#[cfg(test)]
mod table {
    use super::*;

    fn point(kind: Kind, text: &str) -> Point {
        Point { module: "fetch".to_owned(), kind, text: text.to_owned() }
    }

    fn table() -> Table {
        let text = "[[hole]]\nmodule = \"fetch\"\nkind = \"else\"\ntext = \"if (a)\"\nreason = \"so\"\n\
                    [[still]]\nreason = \"constant\"\nnets = [\"fetch.size\"]\n";
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_hole_is_listed_and_what_is_listed_is_a_hole() {
        let [listed, other] = [point(Kind::Else, "if (a) b <= c;"), point(Kind::Then, "if (a) b <= c;")];
        let faults = |points: &[(&Point, Met)], everything| {
            let points = points.iter().map(|(point, met)| ((*point).clone(), *met)).collect();
            table().faults(&points, everything).join("\n")
        };
        assert_eq!(faults(&[(&listed, Met::Never), (&other, Met::Everywhere)], true), "");
        assert_eq!(faults(&[(&listed, Met::Somewhere), (&other, Met::Somewhere)], true), "");
        assert_eq!(
            faults(&[(&listed, Met::Everywhere), (&other, Met::Everywhere)], true),
            "listed, but met: fetch, else: if (a) b <= c;"
        );
        assert_eq!(
            faults(&[(&listed, Met::Never), (&other, Met::Never)], true),
            "never met and not listed: fetch, then: if (a) b <= c;"
        );
        assert_eq!(
            faults(&[(&other, Met::Everywhere)], true),
            "listed, but not in the hardware: fetch, else: if (a)"
        );
        assert_eq!(faults(&[(&other, Met::Everywhere)], false), "");
    }

    #[test]
    fn bits_that_stand_still_have_a_reason_and_each_reason_has_bits() {
        let (still, other) = (point(Kind::Toggle, "size[2]"), point(Kind::Toggle, "data[2]"));
        assert_eq!(table().reason(&still), Some("constant"));
        assert_eq!(table().reason(&other), None);
        assert_eq!(table().idle_reasons(&[(still.clone(), Met::Somewhere)].into()), Vec::<String>::new());
        let idle = table().idle_reasons(&[(still, Met::Everywhere), (other, Met::Never)].into());
        assert_eq!(idle.len(), 1);
    }
}
