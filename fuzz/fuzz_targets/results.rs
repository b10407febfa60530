//! Results of `tmugen explore`: any bytes are refused or shown.
#![no_main]

use std::path::Path;

libfuzzer_sys::fuzz_target!(|content: &[u8]| {
    let _ = tmugen::inputs::explored(content, Path::new("r.jsonl"));
});
