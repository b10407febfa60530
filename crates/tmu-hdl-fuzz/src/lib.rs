//! Nothing but tests: the build script writes random Rust programs, which the tests compile through `#[kernel]`.
//!
//! `TMUGEN_FUZZ_PROGRAMS` is their number, 1,250 without it, and `TMUGEN_SEED` what they come from. The compiler takes
//! the programs of one build at once, so a longer run is many builds of different seeds, as `scripts/test-long` makes it.
