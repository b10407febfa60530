//! Texture descriptors: any text is refused or becomes a texture that its descriptor gives back.
#![no_main]

use std::path::Path;
use tmu_assets::{descriptor, parse_descriptor};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let path = Path::new("t.toml");
    if let Ok(texture) = parse_descriptor(text, path) {
        assert_eq!(parse_descriptor(&descriptor(texture), path), Ok(texture));
    }
});
