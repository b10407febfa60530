//! How many clocks everything takes: measured in simulation of `fury_single`, held against the bounds, and
//! written down in `docs/reference/clocks.md`.

mod measure;
mod page;
mod stages;
mod streams;
#[path = "../support/mod.rs"]
mod support;
mod waves;

use page::{Row, page};
use support::built;
use tmu_spec::presets::Preset;
use tmu_testing::check_committed;
use tmu_verilate::ModelOptions;

#[test]
fn clocks_are_within_their_bounds_and_the_page_says_them() {
    let config = Preset::find("fury-single").unwrap().config().unwrap();
    let options = ModelOptions { fst: true, ..ModelOptions::default() };
    let Some((rtl, model)) = built(&config, &options) else { return };
    let sections = measure::all(&rtl, &model);
    let rows = || sections.iter().flat_map(|section| &section.rows);
    let broken = rows().filter(|row| row.bound.is_some_and(|bound| !bound.contains(&row.clocks)));
    let broken: Vec<_> = broken.map(Row::to_string).collect();
    assert!(broken.is_empty(), "out of their bounds:\n{}", broken.join("\n"));
    let command = "cargo test -p tmu-sim --test clocks";
    check_committed("docs/reference/clocks.md", &page(&sections), "UPDATE_DOCS", command);
}
