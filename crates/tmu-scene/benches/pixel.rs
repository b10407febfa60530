//! Frames of 640 x 480 pixels a second by the golden pixel pipeline, on all threads: `cargo bench -p tmu-scene --bench pixel`. The
//! items that are counted are frames. `RAYON_NUM_THREADS` says on how many threads.
//!
//! The aim is ten frames a second of the level with two textures on two cores.

use divan::counter::ItemsCount;
use tmu_model::pixel::Build;
use tmu_scene::{ImageSize, PixelScene, PixelTile, draw_pixel, put_pixel, render_pixel};

const SCENES: [&str; 2] = ["light-mapped-level", "courtyard"];

fn main() {
    divan::main();
}

fn scene(name: &str) -> (PixelScene, ImageSize) {
    let path = tmu_testing::repository().join(format!("scenes/pixel/{name}.toml"));
    (PixelScene::load(&path).expect("a shipped scene"), ImageSize::new(640, 480).expect("a size"))
}

/// The driver's part and the model's: from meshes to the picture.
#[divan::bench(args = SCENES, sample_count = 20)]
fn frame(bencher: divan::Bencher<'_, '_>, name: &str) {
    let (scene, size) = scene(name);
    bencher.counter(ItemsCount::new(1_u32)).bench(|| render_pixel(&scene, size).expect("a frame"));
}

/// The model's part: from the frame in memory to the picture.
#[divan::bench(args = SCENES, sample_count = 20)]
fn model(bencher: divan::Bencher<'_, '_>, name: &str) {
    let (scene, size) = scene(name);
    let put = put_pixel(&scene, size, PixelTile::default()).expect("a frame that fits");
    bencher.counter(ItemsCount::new(1_u32)).bench(|| draw_pixel(&put, &Build::preset()).expect("a frame"));
}
