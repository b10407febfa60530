//! Frames of the golden pixel pipeline a second, on all threads: `cargo bench -p tmu-scene --bench pixel`.

use tmu_scene::{ImageSize, PixelScene, render_pixel};

fn main() {
    divan::main();
}

#[divan::bench(args = ["light-mapped-level", "courtyard"], sample_count = 10)]
fn frame(bencher: divan::Bencher<'_, '_>, name: &str) {
    let path = tmu_testing::repository().join(format!("scenes/pixel/{name}.toml"));
    let scene = PixelScene::load(&path).expect("a shipped scene");
    let size = ImageSize::new(640, 480).expect("a size");
    bencher.bench(|| render_pixel(&scene, size).expect("a frame"));
}
