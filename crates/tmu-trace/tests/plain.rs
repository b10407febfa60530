//! Traced pictures against a tracer that tests every triangle with every ray and looks at no texture.

use rayon::prelude::*;
use std::path::Path;
use tmu_scene::{AnyScene, ImageSize};
use tmu_spec::general::General;
use tmu_spec::{Config, Preset};
use tmu_trace::picture::{rays_from_eye, seen};
use tmu_trace::ray::{Hit, Ray};
use tmu_trace::unit::Missing;
use tmu_trace::{Picture, Traced, Way, World, trace};

fn world(scene: &str, size: &str) -> World {
    let path = tmu_testing::repository().join("scenes").join(scene);
    let size: ImageSize = size.parse().unwrap();
    let scene = AnyScene::load(&path).unwrap_or_else(|problems| panic!("{problems}"));
    let scene = scene.into_general(&General::ALL);
    World::new(&scene, &path, size).unwrap_or_else(|problems| panic!("{problems}"))
}

fn preset(name: &str) -> Config {
    Preset::find(name).unwrap().config().unwrap()
}

/// Every triangle with every ray.
fn plain(world: &World) -> Picture {
    let nearest = |ray: &Ray| {
        let triangles = 0..world.triangles.len() as u32;
        triangles.fold(None, |met, number| Hit::nearer(met, ray, world.triangle(number)))
    };
    let pixel = |ray: &Option<Ray>| {
        let ray = ray.expect("every pixel has a ray");
        let hit = nearest(&ray);
        let is_lit = hit.is_some_and(|hit| nearest(&hit.to_lamp(&ray, world.lift())).is_none());
        seen(world, &ray, hit, is_lit)
    };
    let pixels: Vec<_> = rays_from_eye(world).par_iter().map(pixel).collect();
    Picture { size: world.size, rgb: pixels.into_flattened() }
}

fn traced(world: &World, config: &Config, way: Way) -> Traced {
    let traced = trace(world, config, way).unwrap_or_else(|missing| panic!("{missing:?}"));
    assert!(!traced.has_error);
    traced
}

#[test]
fn pictures_are_those_of_a_plain_tracer() {
    for (scene, size) in [("trace/torus.toml", "97x55"), ("sphere-palette.toml", "64x36")] {
        let world = world(scene, size);
        let expected = plain(&world);
        let colors = expected.rgb.as_chunks::<3>().0;
        let covered = colors.iter().filter(|color| **color != world.background).count();
        assert!((colors.len() / 5..colors.len()).contains(&covered), "{scene}: {covered} pixels are covered");
        for way in [Way::Direct, Way::Indirect] {
            let Traced { picture, .. } = traced(&world, &preset("indirect"), way);
            let pixels = std::iter::zip(picture.rgb.as_chunks::<3>().0, colors);
            let differing = pixels.filter(|(a, b)| a != b).count();
            assert_eq!(differing, 0, "{scene}, {way:?}: pixels differ");
        }
    }
}

#[test]
fn the_shipped_scene_gives_its_picture_in_the_docs() {
    let world = world("trace/torus.toml", "640x360");
    let Traced { picture, .. } = traced(&world, &preset("indirect"), Way::Indirect);
    let path = tmu_testing::repository().join("docs/images/trace-torus.png");
    let expected = tmu_assets::Picture::open(&path).unwrap_or_else(|problems| panic!("{problems}"));
    let texels = expected.texels().iter().map(|[r, g, b, _]| [*r, *g, *b]).collect::<Vec<_>>();
    let repeat = "cargo run --release -- trace scenes/trace/torus.toml -o docs/images/trace-torus.png";
    assert!(picture.rgb == texels.as_flattened(), "look at the new picture, then `{repeat}`");
}

/// What is asked for is the same, but for the corners of triangles: four operations become one, two round trips one.
#[test]
fn indirect_look_ups_save_operations_trips_and_bytes() {
    let world = world("trace/torus.toml", "48x27");
    let config = preset("indirect");
    let [direct, indirect] = [Way::Direct, Way::Indirect].map(|way| traced(&world, &config, way).cost);
    let (before, after) = (direct.triangles, indirect.triangles);
    assert!(before.operations > 10_000, "{before:?}");
    assert_eq!((before.operations, before.quads), (4 * after.operations, 4 * after.quads));
    assert_eq!(before.round_trips, 2 * after.round_trips);
    // u, v and the operation in 48 bytes and the valid bits; singles of four channels of four pixels.
    let (request, result) = (49, 64);
    assert_eq!(before.bytes(), before.quads * (request + result));
    assert_eq!(after.bytes(), after.quads * (request + 3 * result));
    assert!(after.bytes() * 10 <= before.bytes() * 6);
    let rest = |all: u64, of_triangles: u64| all - of_triangles;
    assert_eq!(
        rest(direct.all.operations, before.operations),
        rest(indirect.all.operations, after.operations)
    );
    assert_eq!(rest(direct.all.bytes(), before.bytes()), rest(indirect.all.bytes(), after.bytes()));
}

#[test]
fn what_is_not_built_is_named() {
    let world = world("trace/torus.toml", "4x4");
    let missing = |name: &str, way| -> Vec<Missing> { trace(&world, &preset(name), way).unwrap_err() };
    let found = missing("multi-lite", Way::Direct);
    for part in ["a result in singles", "the operation fetch", "format rgba32f", "a channel of 16 bits"] {
        assert!(found.iter().any(|of| of.what.contains(part)), "no {part:?}: {found:?}");
    }
    let formats = found.iter().filter(|of| of.what == "format rgba32f is not built");
    assert_eq!(formats.count(), 1, "{found:?}");
    let text = Preset::find("indirect").unwrap().toml().replace("indirect = true", "indirect = false");
    let config = Config::from_toml(&text).unwrap();
    let [only] = &trace(&world, &config, Way::Indirect).unwrap_err()[..] else { panic!("one is missing") };
    assert_eq!(only.what, "indirect look-ups are not built");
    traced(&world, &config, Way::Direct);
}

/// Units that fetch nothing have no packet for it either.
#[test]
fn every_preset_traces_or_names_what_is_not_built() {
    let world = world("trace/torus.toml", "4x4");
    let mut tracing = vec![];
    for preset in Preset::all() {
        let config = preset.config().unwrap();
        for way in [Way::Direct, Way::Indirect] {
            match trace(&world, &config, way) {
                Ok(traced) => {
                    assert!(!traced.has_error, "{}, {way:?}", preset.name());
                    tracing.push((preset.name(), way));
                }
                Err(missing) => assert!(!missing.is_empty(), "{}, {way:?}", preset.name()),
            }
        }
    }
    assert!(tracing.contains(&("indirect", Way::Indirect)), "{tracing:?}");
    let of = |name: &str| trace(&world, &preset(name), Way::Direct).unwrap_err();
    for name in ["fury", "fury-single", "stream", "quad", "quad-far", "stream-ecp5", "quad-ecp5"] {
        let found = of(name);
        let fetch = found.iter().find(|of| of.what == "the operation fetch is not built");
        assert!(fetch.is_some_and(|of| of.help.contains("request.operations")), "{name}: {found:?}");
    }
}

#[test]
fn scenes_that_cannot_be_traced_are_refused() {
    let path = tmu_testing::repository().join("scenes/mesh-files.toml");
    let scene = AnyScene::load(&path).unwrap().into_general(&General::ALL);
    let error = World::new(&scene, Path::new("s.toml"), "8x8".parse().unwrap()).unwrap_err().to_string();
    assert!(error.contains("E0316") && error.contains("mesh 3 reaches to the horizon"), "{error}");
    let error = World::new(&scene, Path::new("s.toml"), "2049x8".parse().unwrap()).unwrap_err().to_string();
    assert!(error.contains("E0309") && error.contains("at most 2048 a side"), "{error}");
}
