//! Verilator's coverage files: any text is refused or becomes counts.
#![no_main]

use tmu_verilate::CoverageCounts;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(counts) = CoverageCounts::parse(text) {
        assert!(counts.since(&counts).iter().all(|(_, count)| count == 0));
    }
});
