//! Lists of quads: any bytes are refused, with a list of problems that ends, or read.
#![no_main]

use std::path::Path;
use tmugen::quads::{MAX_PROBLEMS, read_quads};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Err(failure) = read_quads(bytes, Path::new("q.csv"), |_| Ok(())) {
        assert!((1..=MAX_PROBLEMS).contains(&failure.problems.len()));
    }
});
