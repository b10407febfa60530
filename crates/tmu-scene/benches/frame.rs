//! Frames a second by the golden model: `cargo bench -p tmu-scene`.
//!
//! The aim is a 1920 × 1080 frame of the floor to the horizon within one second on two cores.

use divan::counter::ItemsCount;
use tmu_scene::{GoldenEngine, ImageSize, Scene, render};
use tmu_spec::Config;

fn main() {
    divan::main();
}

/// Draws a shipped scene; the items that are counted are pixels.
#[divan::bench(args = ["horizon-floor", "cube-photo", "sphere-palette"], sample_count = 10)]
fn frame_1920x1080(bencher: divan::Bencher<'_, '_>, name: &str) {
    let path = tmu_testing::repository().join(format!("scenes/{name}.toml"));
    let scene = Scene::load(&path).expect("a shipped scene");
    let config = Config::from_toml("").expect("the default configuration");
    let size = ImageSize::new(1920, 1080).expect("a size within the limits");
    bencher.counter(ItemsCount::new(1920_u32 * 1080)).bench(|| {
        let mut engine = GoldenEngine::new(scene.memory(), &config);
        render(&scene, size, &mut engine, &mut |_, _| {}).expect("the golden model does not break")
    });
}
