//! Texture descriptors: any text is refused or becomes a texture that its descriptor gives back.
#![no_main]

use std::path::Path;
use tmu_assets::parse_any_descriptor;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let path = Path::new("t.toml");
    if let Ok(texture) = parse_any_descriptor(text, path) {
        assert_eq!(parse_any_descriptor(&texture.descriptor(), path), Ok(texture));
    }
});
