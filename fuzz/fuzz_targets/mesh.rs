//! Meshes: any bytes are refused or become triangles, as each kind of file. Buffers are looked for in the tests' corpus.
#![no_main]

use std::path::Path;

libfuzzer_sys::fuzz_target!(|content: &[u8]| {
    for name in ["a.obj", "a.gltf", "a.glb"] {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/tmugen/tests/corpus/mesh/");
        let _ = tmu_scene::count_triangles(content, &Path::new(path).join(name));
    }
});
