//! How many clocks everything takes: measured in simulation of `fury_single`, held against the bounds, and
//! written down in `docs/reference/clocks.md`.

mod measure;
mod page;
mod stages;
mod streams;
mod waves;

use page::{Row, page};
use std::path::Path;
use tmu_sim::{SetupError, build};
use tmu_spec::presets::Preset;
use tmu_verilate::{Error, ModelOptions};

#[test]
fn clocks_are_within_their_bounds_and_the_page_says_them() {
    let config = Preset::find("fury-single").unwrap().config().unwrap();
    let options = ModelOptions { fst: true, ..ModelOptions::default() };
    let (rtl, model) = match build(&config, &options) {
        Ok(built) => built,
        Err(SetupError::Model(Error::MissingTool(_))) => return,
        Err(error) => panic!("{error}"),
    };
    let sections = measure::all(&rtl, &model);
    let rows = || sections.iter().flat_map(|section| &section.rows);
    let broken = rows().filter(|row| row.bound.is_some_and(|bound| !bound.contains(&row.clocks)));
    let broken: Vec<_> = broken.map(Row::to_string).collect();
    assert!(broken.is_empty(), "out of their bounds:\n{}", broken.join("\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/clocks.md");
    let page = page(&sections);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == page,
        "out of date: run UPDATE_DOCS=1 cargo test -p tmu-sim --test clocks and commit {}; measured now:\n{page}",
        path.display()
    );
}
