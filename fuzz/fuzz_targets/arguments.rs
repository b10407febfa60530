//! Command lines, a word on each line: refused or understood, not run.
#![no_main]

libfuzzer_sys::fuzz_target!(|lines: &str| {
    let _ = tmugen::inputs::is_command_line(lines);
});
