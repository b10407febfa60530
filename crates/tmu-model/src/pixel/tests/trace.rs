//! What is told of a pixel, beside what is drawn.

use super::super::{Build, Tiles, tile_fetch};
use super::frames::put_texture;
use super::memory::{Corner, Scene, pixel, state};
use crate::general::request::{Bound, Texel};
use crate::memory::MemoryImage;
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{self, CompareOp, Kind, Swizzle};
use tmu_spec::pixel::record::State;
use tmu_spec::pixel::{Blend, Part};
use tmu_spec::{Format, Preset};

/// A triangle over a frame of 8 × 8 whose first coordinates go from 0 to 1 over it.
fn over_all(z: f32, color: [u8; 4]) -> [Corner; 3] {
    [[0, 0], [256, 0], [0, 256]].map(|[x, y]| Corner {
        coordinates: [x as f32 / 128.0, y as f32 / 128.0, 0.0, 0.0],
        ..Corner::new(x, y, z, color)
    })
}

/// A texture under all, and a half-transparent red over it.
fn scene(sampler: general::Sampler) -> Scene {
    let mut scene = Scene::new(8, 8);
    put_texture(&mut scene, sampler);
    let textured = scene.state("texld r0, t0|add r0.rgb, r0, r0|+mov r0.a, v0.a", state());
    let glass = scene.state("mov r0, v0", State { blend: Blend::Alpha, ..state() });
    scene.triangle(Part::Opaque, textured, CompareOp::Lequal, &over_all(0.5, [255; 4]));
    scene.triangle(Part::Translucent, glass, CompareOp::Lequal, &over_all(0.25, [255, 0, 0, 51]));
    scene.finish();
    scene
}

#[test]
fn what_is_told_ends_in_what_is_drawn() {
    for sampler in
        [general::Sampler::default(), general::Sampler { mag: general::Filter::Linear, ..Default::default() }]
    {
        let scene = scene(sampler);
        let (picture, counts) = scene.draw();
        assert!(counts.is_ok(), "{counts:?}");
        let image = MemoryImage::new(0, &scene.bytes);
        let frame = tile_fetch::frame(&image, scene.address).unwrap();
        let mut tiles = Tiles::new(&image, frame, &Build::preset());
        for [x, y] in [[0, 0], [3, 1], [7, 0], [2, 5]] {
            let trace = tiles.trace([x, y]).unwrap();
            assert_eq!(trace.color, pixel(scene.frame.picture_pitch, &picture, x, y), "{x}, {y}");
            let [textured, glass] = &trace.layers[..] else { panic!("{} layers", trace.layers.len()) };
            assert_eq!((textured.z, glass.z, trace.depth), (0.5, 0.25, 0.5));
            assert_eq!((textured.steps.len(), glass.steps.len()), (3, 1));
            assert_eq!(glass.drawn, Some(trace.color));
            assert_eq!(glass.shaded.color, [255, 0, 0, 51]);
            let looked = textured.steps[0].look_up.as_ref().unwrap();
            let at = |of: u32| (f64::from(of) + 0.5) / 8.0;
            assert_eq!(looked.coordinates.map(f64::from), [at(x), at(y), 0.0]);
            let sampled = textured.steps[0].registers.temporary[0];
            let summed = textured.steps[1].registers.temporary[0];
            assert_eq!(summed[..3], sampled[..3].iter().map(|value| 2 * value).collect::<Vec<_>>());
            assert!(textured.steps[1..].iter().all(|step| step.look_up.is_none()));
            let (first, channels) = looked.texels[0];
            assert_eq!(first.level, [0, 0]);
            if sampler.mag == general::Filter::Nearest {
                assert_eq!((first.place, looked.texels.len()), ([x / 2, y / 2, 0], 1));
            } else {
                // Centres of pixels lie a quarter of a texel beside centres of texels.
                assert_eq!(looked.texels.len(), 4);
            }
            let [column, row, _] = first.place;
            assert_eq!(channels.unwrap()[..2], [17 * 257 * column, 17 * 257 * row]);
        }
    }
}

#[test]
fn a_pixel_where_nothing_is_drawn_has_no_layers() {
    let mut scene = Scene::new(8, 8);
    let plain = scene.state("mov r0, v0", state());
    let corners = [[0, 0], [32, 0], [0, 32]].map(|[x, y]| Corner::new(x, y, 0.5, [9; 4]));
    scene.triangle(Part::Opaque, plain, CompareOp::Lequal, &corners);
    scene.finish();
    let image = MemoryImage::new(0, &scene.bytes);
    let frame = tile_fetch::frame(&image, scene.address).unwrap();
    let mut tiles = Tiles::new(&image, frame, &Build::preset());
    assert_eq!(tiles.trace([0, 0]).unwrap().layers.len(), 1);
    // Another pixel of the quad, which the triangle does not cover.
    let beside = tiles.trace([1, 1]).unwrap();
    assert_eq!((beside.layers.len(), beside.color), (0, scene.frame.clear_color));
    assert!(beside.seen().is_none());
}

/// A packed texture as the preset binds it.
fn bound(shape: Shape, sampler: &general::Sampler) -> Bound {
    let config = Preset::find("pixel").unwrap().config().unwrap();
    let features = *config.features();
    let unit = features.general().unwrap().with_store(0);
    let features = features.with_general(unit, features.max_size_log2());
    let memory = MemoryImage::new(0, vec![0; 1 << 20]);
    let texture = general::Texture::packed(shape, Swizzle::NONE, false).unwrap();
    Bound::new(&texture, 0, sampler, &features, &unit, &memory).unwrap()
}

#[test]
fn texels_are_found_by_their_places() {
    let shapes = [(Kind::D2, [32, 8, 1], 6, Format::Rgba8), (Kind::Cube, [16, 16, 1], 5, Format::Rgba8)];
    for (kind, [width, height, depth], levels, format) in shapes {
        let shape = Shape { kind, width, height, depth, levels, format };
        let bound = bound(shape, &general::Sampler::default());
        for number in 0..levels {
            let level = bound.level(number);
            let [width, height, slices] = level.size;
            for [x, y, slice] in [[0, 0, 0], [width - 1, 0, slices - 1], [width / 2, height - 1, slices / 2]]
            {
                let found = bound.texel_at(level.column(x).with(level.row(y, slice)));
                assert_eq!(found, Texel { level: [number; 2], place: [x, y, slice] }, "{kind:?}");
            }
        }
    }
}

#[test]
fn texels_of_ripmaps_have_two_levels() {
    let shape = Shape { kind: Kind::D2, width: 32, height: 16, depth: 1, levels: 1, format: Format::Rgba8 };
    let bound = bound(shape, &general::Sampler { mip: general::MipFilter::Ripmap, ..Default::default() });
    for levels in [[0, 0], [1, 0], [0, 3], [4, 3], [2, 1]] {
        let level = bound.level(0).of_ripmap(levels);
        let [width, height, _] = level.size;
        for [x, y] in [[0, 0], [width - 1, height - 1]] {
            let found = bound.texel_at(level.column(x).with(level.row(y, 0)));
            assert_eq!(found, Texel { level: levels, place: [x, y, 0] });
        }
    }
}
