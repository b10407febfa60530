//! Whole frames: parts of a list, what is seen, where it is written.

use super::memory::{Corner, PICTURE, Scene, pixel, state};
use proptest::prelude::*;
use tmu_spec::choice::Choice;
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{self, CompareOp, Kind, Swizzle};
use tmu_spec::pixel::record::State;
use tmu_spec::pixel::{Blend, OutputFormat, Part, TileSize};
use tmu_spec::{Format, LINE_BYTES};

const PLAIN: &str = "mov r0, v0";
const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const CLEAR: [u8; 4] = [1, 2, 3, 4];

/// A triangle over the whole of a small frame, at one depth.
fn over_all(z: f32, color: [u8; 4]) -> [Corner; 3] {
    [[0, 0], [4096, 0], [0, 4096]].map(|[x, y]| Corner::new(x, y, z, color))
}

/// A triangle over all: state, part, depth, colour.
type Layer = (State, Part, f32, [u8; 4]);

#[test]
fn parts_by_hand() {
    let cut = State { alpha_compare: CompareOp::Gequal, alpha_reference: 128, ..state() };
    let glass = State { blend: Blend::Alpha, ..state() };
    let half = [200, 100, 0, 128];
    // Program and state, part, depth, colour of each triangle; the colour in the end.
    let table: [(&str, &[Layer], [u8; 4]); 8] = [
        ("nothing", &[], CLEAR),
        ("the nearer one", &[(state(), Part::Opaque, 0.25, RED), (state(), Part::Opaque, 0.5, GREEN)], RED),
        (
            "the last one that passed",
            &[(state(), Part::Opaque, 0.5, RED), (state(), Part::Opaque, 0.5, GREEN)],
            GREEN,
        ),
        ("behind all", &[(state(), Part::Opaque, 1.5, RED)], CLEAR),
        (
            "what lets nothing stay writes no depth",
            &[(cut, Part::PunchThrough, 0.2, [9, 9, 9, 127]), (state(), Part::PunchThrough, 0.5, GREEN)],
            GREEN,
        ),
        (
            "what stays writes depth",
            &[(cut, Part::PunchThrough, 0.2, half), (state(), Part::PunchThrough, 0.5, GREEN)],
            half,
        ),
        // 200·128/255 + 0, 100·128/255 + 255·127/255, 128·128/255 + 255·127/255, halves up.
        (
            "translucent ones blend",
            &[(state(), Part::Opaque, 0.5, GREEN), (glass, Part::Translucent, 0.25, half)],
            [100, 177, 0, 191],
        ),
        (
            "and write no depth",
            &[
                (state(), Part::Opaque, 0.9, GREEN),
                (glass, Part::Translucent, 0.25, half),
                (state(), Part::Translucent, 0.5, RED),
            ],
            RED,
        ),
    ];
    for (name, triangles, expected) in table {
        let mut scene = Scene::new(5, 3);
        for (state, part, z, color) in triangles {
            let state = scene.state(PLAIN, *state);
            scene.triangle(*part, state, CompareOp::Lequal, &over_all(*z, *color));
        }
        let pitch = scene.frame.picture_pitch;
        let (picture, _) = scene.drawn();
        for (x, y) in [(0, 0), (4, 2), (3, 1)] {
            assert_eq!(pixel(pitch, &picture, x, y), expected, "{name}");
        }
        // Between rows nothing is written.
        assert_eq!(picture[20..32], [0; 12], "{name}");
    }
}

#[test]
fn pixels_that_a_program_lets_go() {
    // x of t0 grows from −8 to 8 over the frame: pixels on its left go.
    let corner = |x: i32, y: i32| Corner {
        coordinates: [x as f32 / 16.0 - 8.0, 0.0, 0.0, 0.0],
        ..Corner::new(x, y, 0.5, RED)
    };
    let corners = [corner(0, 0), corner(512, 0), corner(0, 512)];
    let kill = "texcrd r0.rgb, t0|phase|texkill t0|mov r0, v0";
    let depth = "texcrd r5.rgb, t0|phase|texdepth r5|mov r0, v0";
    for (program, expected) in [(kill, [CLEAR, RED]), (depth, [RED, RED])] {
        let mut scene = Scene::new(16, 16);
        let state = scene.state(program, state());
        scene.triangle(Part::PunchThrough, state, CompareOp::Lequal, &corners);
        let pitch = scene.frame.picture_pitch;
        let (picture, counts) = scene.drawn();
        let found = [7, 8].map(|x| pixel(pitch, &picture, x, 3));
        assert_eq!(found, expected, "{program}");
        assert_eq!(counts.shaded, 256);
    }
}

#[test]
fn depth_is_written_where_it_is_asked_for() {
    let mut scene = Scene::new(4, 2);
    let state = scene.state("texcrd r5.rgb, t0|phase|texdepth r5|mov r0, v0", state());
    let corner = |x, y| Corner { coordinates: [0.25, 2.0, 0.0, 0.0], ..Corner::new(x, y, 0.75, RED) };
    // The left half of the frame alone.
    scene.triangle(
        Part::PunchThrough,
        state,
        CompareOp::Less,
        &[corner(0, -512), corner(32, 16), corner(0, 512)],
    );
    scene.frame.writes_depth = true;
    // Behind the rows of the picture.
    (scene.frame.picture_pitch, scene.frame.depth_pitch, scene.frame.depth) = (32, 32, PICTURE + 16);
    let (picture, counts) = scene.drawn();
    let depths: Vec<_> =
        picture[16..32].chunks(4).map(|depth| f32::from_le_bytes(*depth.first_chunk().unwrap())).collect();
    assert_eq!(depths, [0.125, 0.125, 1.0, 1.0]);
    assert_eq!(counts.bytes_written, 2 * 2 * 16);
}

/// A texture of 4 × 4 texels whose red is 17 times their column and green that of their row.
pub(super) fn put_texture(scene: &mut Scene, sampler: general::Sampler) {
    let texels: Vec<u8> = (0..16u8).flat_map(|texel| [17 * (texel % 4), 17 * (texel / 4), 0, 255]).collect();
    let base = scene.put(&texels);
    let shape = Shape { kind: Kind::D2, width: 4, height: 4, depth: 1, levels: 1, format: Format::Rgba8 };
    let texture = general::Texture::packed(shape, Swizzle::NONE, false).unwrap();
    let words = general::Binding { base, texture, sampler, drop_cache: false }.words();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(base % LINE_BYTES, 0);
    (scene.frame.textures, scene.frame.texture_count) = (scene.put(&bytes), 1);
}

#[test]
fn textures_stand_in_perspective() {
    let mut scene = Scene::new(8, 8);
    put_texture(&mut scene, general::Sampler::default());
    let state = scene.state("texld r0, t0", state());
    // Twice as far away on the right: RHW falls from 1 to 1/2 over 16 pixels, u·RHW grows from 0 to 1/2.
    let corner = |x: i32, y: i32| {
        let along = x as f32 / 256.0;
        Corner {
            rhw: 1.0 - along / 2.0,
            coordinates: [along / 2.0, 0.3 * (1.0 - along / 2.0), 0.0, 0.0],
            ..Corner::new(x, y, 0.5, RED)
        }
    };
    scene.triangle(
        Part::Opaque,
        state,
        CompareOp::Lequal,
        &[corner(0, -256), corner(256, 0), corner(0, 256)],
    );
    let pitch = scene.frame.picture_pitch;
    let (picture, counts) = scene.drawn();
    for x in 0..8 {
        let along = (f64::from(x) + 0.5) / 16.0;
        let u = along / 2.0 / (1.0 - along / 2.0);
        assert_eq!(pixel(pitch, &picture, x, 0), [17 * (u * 4.0) as u8, 17, 0, 255], "column {x}");
    }
    assert_eq!(counts.sampled_quads, counts.quads);
}

/// Places, depths and a colour.
type Drawn = ([[i32; 2]; 3], [f32; 3], [u8; 4]);

/// Triangles at random: places around a frame of 70 × 50, depths of a few values, colours.
fn triangles() -> impl Strategy<Value = Vec<Drawn>> {
    let place = [-400..1600, -400..1200];
    let depth = prop::sample::select(vec![0.25f32, 0.5, 0.75, 1.0]);
    let one = (prop::array::uniform3(place), prop::array::uniform3(depth), any::<[u8; 4]>());
    prop::collection::vec(one, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Tiles are no part of what is seen; every form of the picture holds the same colours.
    #[test]
    fn tiles_are_not_seen(triangles in triangles(), modes in prop::collection::vec(prop::sample::select(Blend::CHOICES.to_vec()), 3)) {
        let draw = |tile: TileSize, output: OutputFormat| {
            let mut scene = Scene::new(70, 50);
            (scene.frame.tile, scene.frame.output) = (tile, output);
            let plain = scene.state(PLAIN, state());
            let glass = modes.iter().map(|blend| scene.state(PLAIN, State { blend: *blend, ..state() })).collect::<Vec<_>>();
            for (number, (places, depths, color)) in triangles.iter().enumerate() {
                let (part, state) = match triangles.len() - number {
                    left @ 1..=3 => (Part::Translucent, glass[left - 1]),
                    _ => (Part::Opaque, plain),
                };
                let corners = [0, 1, 2].map(|at| Corner::new(places[at][0], places[at][1], depths[at], *color));
                scene.triangle(part, state, CompareOp::Lequal, &corners);
            }
            scene.drawn()
        };
        let (expected, counts) = draw(TileSize::Square32, OutputFormat::Rgba8);
        for tile in TileSize::CHOICES {
            let (picture, found) = draw(*tile, OutputFormat::Rgba8);
            prop_assert!(picture == expected, "{}", tile);
            prop_assert_eq!((found.shaded, found.covered, found.passed), (counts.shaded, counts.covered, counts.passed));
        }
        let (mut picture, _) = draw(TileSize::Row32, OutputFormat::Bgra8);
        picture.chunks_exact_mut(4).for_each(|color| color.swap(0, 2));
        prop_assert!(picture == expected);
    }

    /// What is seen is what triangles leave that are drawn one after the other, and each opaque pixel is shaded once.
    #[test]
    fn hidden_surfaces_are_not_shaded(triangles in triangles()) {
        let mut scene = Scene::new(70, 50);
        let plain = scene.state(PLAIN, state());
        let mut shown = Vec::new();
        for (places, depths, color) in &triangles {
            let corners = [0, 1, 2].map(|at| Corner::new(places[at][0], places[at][1], depths[at], *color));
            scene.triangle(Part::Opaque, plain, CompareOp::Lequal, &corners);
        }
        // The same in the punch-through part, which writes colours at once.
        let mut others = scene.clone();
        for entry in &mut others.list {
            if let tmu_spec::pixel::Entry::Triangle(part, _) = entry {
                *part = Part::PunchThrough;
            }
        }
        let (picture, counts) = scene.drawn();
        let (expected, drawn) = others.drawn();
        prop_assert!(picture == expected);
        shown.extend(picture.chunks(288).flat_map(|row| row[..280].chunks(4)).filter(|color| **color != CLEAR));
        prop_assert!(counts.shaded >= shown.len() as u64 && counts.shaded <= 70 * 50);
        prop_assert_eq!((drawn.covered, drawn.passed, drawn.shaded), (counts.covered, counts.passed, counts.passed));
    }
}
