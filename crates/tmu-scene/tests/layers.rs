//! What is told of the pixels of a frame, against the frame.

use std::collections::BTreeSet;
use tmu_scene::{AnyScene, GeneralGoldenEngine, ImageSize, NO_QUAD, layers_at, render, render_seen};
use tmu_spec::Preset;
use tmu_testing::repository;

#[test]
fn the_layers_of_a_pixel_end_in_its_colour() {
    let config = Preset::find("multi").unwrap().config().unwrap();
    let size = ImageSize::new(64, 48).unwrap();
    // Alpha and light over what is below; a classic scene; one on the screen.
    for (name, most) in [("sky-lake", 2), ("shadow-map", 3), ("cube-photo", 1), ("rectangle-photo", 1)] {
        let path = repository().join(format!("scenes/{name}.toml"));
        let scene = AnyScene::load(&path).unwrap_or_else(|problems| panic!("{problems}"));
        let scene = scene.into_general(config.features().general().unwrap());
        let engine = || GeneralGoldenEngine::new(scene.memory(), &config);
        let (frame, statistics) = render(&scene, size, &mut engine(), &mut |_, _| {}).unwrap();
        let (same, counts, seen) = render_seen(&scene, size, &mut engine()).unwrap();
        assert!(frame == same && statistics == counts, "{name}");
        let mut numbers = BTreeSet::new();
        for [x, y] in (0..48).step_by(5).flat_map(|y| (0..64).step_by(7).map(move |x| [x, y])) {
            let layers = layers_at(&scene, size, [x, y], &mut engine()).unwrap();
            numbers.insert(layers.len());
            let at = (y * 64 + x) as usize;
            let last = layers.iter().rev().find_map(|layer| layer.drawn);
            assert_eq!(last.is_none(), seen[at] == NO_QUAD, "{name} ({x}, {y})");
            assert_eq!(last.unwrap_or(scene.background()), frame.rgb()[3 * at..][..3], "{name} ({x}, {y})");
            assert!(layers.windows(2).all(|pair| pair[0].mesh <= pair[1].mesh), "{name} ({x}, {y})");
            for layer in &layers {
                let [left, top] = layer.place;
                assert_eq!([left + layer.number as u32 % 2, top + layer.number as u32 / 2], [x, y], "{name}");
            }
        }
        assert!(numbers.last() >= Some(&most), "{name}: {numbers:?}");
        let quads: BTreeSet<_> = seen.iter().filter(|quad| **quad != NO_QUAD).collect();
        assert!(quads.iter().all(|quad| u64::from(**quad) < statistics.requests.quads), "{name}");
    }
}
