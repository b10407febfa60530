//! What `tmugen explore` varies: any text is refused or becomes jobs.
#![no_main]

libfuzzer_sys::fuzz_target!(|lines: &str| {
    let _ = tmugen::inputs::sweep(lines);
});
