//! Saved estimates: any text is refused, or shown and compared.
#![no_main]

use std::path::Path;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = tmugen::inputs::saved_estimate(text, Path::new("old.json"));
});
