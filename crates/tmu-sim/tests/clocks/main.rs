//! How many clocks everything takes: measured in simulation of `fury_single` and held against the bounds and against
//! `docs/reference/clocks.md`, which the long run writes.

mod measure;
mod page;
mod stages;
mod streams;
#[path = "../support/mod.rs"]
mod support;
mod waves;

use page::{Bound, Row, Section, page};
use support::built;
use tmu_spec::presets::Preset;
use tmu_testing::{UPDATE_MEASURED, is_set, repository, write_measured};
use tmu_verilate::ModelOptions;

const PAGE: &str = "docs/reference/clocks.md";

/// By how many percent hardware may be slower than the page says before the page is wrong.
const MARGIN_PERCENT: u64 = 10;

/// What the rows of a section of the page speak of, with the most that each claims.
fn claims<'p>(page: &'p str, title: &str) -> Vec<(&'p str, u64)> {
    let (_, section) = page.split_once(&format!("\n## {title}\n")).unwrap_or_default();
    let rows = section.split("\n## ").next().unwrap_or_default().lines();
    let claim = |row: &'p str| {
        let (what, rest) = row.strip_prefix("| ")?.split_once(" | ")?;
        Some((what, rest.split(" |").next()?.rsplit(' ').next()?.parse().ok()?))
    };
    rows.filter_map(claim).collect()
}

/// Rows of which the page claims less, or does not speak.
fn unclaimed<'s>(page: &str, section: &'s Section) -> Vec<&'s Row> {
    let mut claims = claims(page, section.title).into_iter();
    let mut is_claimed = |row: &Row| {
        let Some((what, most)) = claims.next() else { return false };
        let is_more_better = matches!(row.bound, Some(Bound::AtLeast(_)));
        let limit = most + (most * MARGIN_PERCENT).div_ceil(100);
        what == row.what && (is_more_better || *row.clocks.end() <= limit)
    };
    section.rows.iter().filter(|row| !is_claimed(row)).collect()
}

#[test]
fn clocks_are_within_their_bounds_and_what_the_page_claims() {
    let config = Preset::find("fury-single").unwrap().config().unwrap();
    let options = ModelOptions { fst: true, ..ModelOptions::default() };
    let Some((rtl, model)) = built(&config, &options) else { return };
    let sections = measure::all(&rtl, &model);
    let rows = || sections.iter().flat_map(|section| &section.rows);
    let broken = rows().filter(|row| row.bound.is_some_and(|bound| !bound.contains(&row.clocks)));
    let broken: Vec<_> = broken.map(Row::to_string).collect();
    assert!(broken.is_empty(), "out of their bounds:\n{}", broken.join("\n"));
    write_measured(PAGE, &page(&sections));
    let committed = std::fs::read_to_string(repository().join(PAGE)).unwrap();
    let wrong: Vec<_> = sections.iter().flat_map(|section| unclaimed(&committed, section)).collect();
    let wrong: Vec<_> = wrong.into_iter().map(Row::to_string).collect();
    assert!(
        wrong.is_empty() || is_set(UPDATE_MEASURED),
        "slower than {PAGE} claims by more than {MARGIN_PERCENT} %, or not on it:\n{}\n{UPDATE_MEASURED}=1 cargo test -p \
         tmu-sim --test clocks writes it anew",
        wrong.join("\n")
    );
}
