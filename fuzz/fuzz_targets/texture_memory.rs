//! Texture memory: any bytes are refused or unpacked, level by level.
#![no_main]

use std::path::Path;
use tmu_assets::{TextureImage, parse_descriptor};

libfuzzer_sys::fuzz_target!(|memory: &[u8]| {
    let text = include_str!("../../crates/tmugen/tests/corpus/descriptor/good.toml");
    let Ok(texture) = parse_descriptor(text, Path::new("good.toml")) else { unreachable!("it is good") };
    if let Ok(image) = TextureImage::from_memory(texture, memory.to_vec()) {
        for level in 0..=texture.max_lod() + 1 {
            let _ = image.level(level, Path::new("good.toml"));
        }
    }
});
