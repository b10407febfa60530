//! Scenes: any text is refused or becomes a scene. Files that it names are looked for in the tests' corpus.
#![no_main]

use std::path::Path;
use tmu_scene::Scene;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/tmugen/tests/corpus/scene/good.toml");
    let _ = Scene::parse(Path::new(path), text);
});
