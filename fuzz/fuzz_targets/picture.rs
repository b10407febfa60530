//! Pictures: any bytes are refused or become a picture, under each ending that a picture may have.
#![no_main]

use std::path::Path;
use tmu_assets::Picture;

// A panic in a decoder, which is caught, is no crash.
libfuzzer_sys::fuzz_target!(init: tmugen::hush_decoders(), |bytes: &[u8]| {
    for name in ["a.png", "a.jpg", "a.tga", "a.bmp"] {
        let _ = Picture::decode(bytes, Path::new(name));
    }
});
