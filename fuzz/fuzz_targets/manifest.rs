//! Manifests of emitted folders: any text is refused or lists files.
#![no_main]

use std::path::Path;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = tmugen::inputs::manifest(text, Path::new("manifest.json"));
});
