//! Files of .dds and .ktx2: any bytes are refused or become a texture, whose levels can be read.
#![no_main]

use std::path::Path;
use tmu_assets::Container;

// A panic in a reader, which is caught, is no crash.
libfuzzer_sys::fuzz_target!(init: tmugen::hush_decoders(), |bytes: &[u8]| {
    let path = Path::new("a.ktx2");
    if let Ok(Container { image, .. }) = Container::decode(bytes, path) {
        for level in 0..image.texture().levels() {
            assert!(image.level(level, path).is_ok());
        }
    }
});
