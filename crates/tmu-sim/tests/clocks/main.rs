//! How many clocks everything takes: measured in simulation of `fury_single` and held against the bounds and against
//! `docs/reference/clocks.md`, which the long run writes.

mod measure;
mod page;
mod stages;
mod streams;
#[path = "../support/mod.rs"]
mod support;
mod waves;

use page::{Bound, Row, page};
use support::built;
use tmu_spec::presets::Preset;
use tmu_testing::{UPDATE_MEASURED, is_set, repository, write_measured};
use tmu_verilate::ModelOptions;

const PAGE: &str = "docs/reference/clocks.md";

/// By how many percent hardware may be slower than the page says before the page is wrong.
const MARGIN_PERCENT: u64 = 10;

/// The most clocks that the page claims for something, unless it does not speak of it.
fn claimed(page: &str, what: &str) -> Option<u64> {
    let row =
        page.lines().find_map(|line| line.strip_prefix("| ")?.strip_prefix(what)?.strip_prefix(" | "))?;
    row.split(" |").next()?.rsplit(' ').next()?.parse().ok()
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
    // What a row counts is clocks but for the quads in flight, which have a bound.
    let wrong =
        rows().filter(|row| row.bound.is_none_or(|bound| matches!(bound, Bound::AtMost(_)))).filter(|row| {
            let claim = claimed(&committed, &row.what);
            claim.is_none_or(|most| *row.clocks.end() > most + (most * MARGIN_PERCENT).div_ceil(100))
        });
    let wrong: Vec<_> = wrong.map(Row::to_string).collect();
    assert!(
        wrong.is_empty() || is_set(UPDATE_MEASURED),
        "slower than {PAGE} claims by more than {MARGIN_PERCENT} %, or not on it:\n{}\n{UPDATE_MEASURED}=1 cargo test -p \
         tmu-sim --test clocks writes it anew",
        wrong.join("\n")
    );
}
