//! Frames by the driver in C: the same bytes as by the driver in Rust, and the same refusals.

#[path = "support/program.rs"]
mod program;

use program::Program;
use proptest::prelude::*;
use std::sync::LazyLock;
use tmu_driver::pixel::{
    Corner, Error, Frame, Light, Lists, Matrix, Part, Settings, State, TEXTURE_WORDS, TileSize, Triangle,
    Viewport, lit,
};

const MOST_BYTES: usize = 1 << 18;
const MOST_LISTS: usize = 1024;
const MOST_TEXTURES: usize = 4;
const PROGRAM_BYTES: usize = 64;
/// Ends the frames that the program in C reads.
const END: u32 = u32::MAX;

static DRIVER: LazyLock<Program> =
    LazyLock::new(|| Program::new(&["tmu_pixel_frame", "tmu_pixel_geometry"], "pixel_frames"));

/// A corner before it is transformed and lit.
#[derive(Debug, Clone)]
struct Vertex {
    place: [f32; 4],
    surface: [u8; 4],
    normal: [f32; 3],
    ambient: [f32; 3],
    second_color: [f32; 4],
    coordinates: [[f32; 4]; 6],
}

#[derive(Debug, Clone)]
struct Scene {
    base: u32,
    bytes: u32,
    lists: u32,
    settings: Settings,
    textures: u32,
    texture_words: [[u32; TEXTURE_WORDS]; MOST_TEXTURES],
    viewport: Option<Viewport>,
    program: Vec<u8>,
    state: State,
    matrices: [Matrix; 2],
    lights: [Light; 2],
    triangles: Vec<(Part, [u32; 2], [Vertex; 3])>,
}

/// A number as a program may have it, now and then one that nobody expects.
fn single(range: std::ops::Range<f32>) -> impl Strategy<Value = f32> {
    prop_oneof![
        60 => range,
        1 => prop::sample::select(vec![0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 3e38, -3e38, 1e-40]),
    ]
}

fn singles<const COUNT: usize>(range: std::ops::Range<f32>) -> impl Strategy<Value = [f32; COUNT]> {
    prop::collection::vec(single(range), COUNT).prop_map(|values| values.try_into().unwrap())
}

fn vertex() -> impl Strategy<Value = Vertex> {
    let place = prop_oneof![
        4 => singles::<4>(-2.0..2.0),
        2 => (singles::<2>(-900.0..900.0), single(-0.5..1.0), single(0.001..1.5)).prop_map(|([x, y], z, w)| [x, y, z, w]),
    ];
    let coordinates = prop::collection::vec(singles::<4>(-4.0..4.0), 6);
    (place, any::<[u8; 4]>(), singles(-1.0..1.0), singles(0.0..1.0), singles(-50.0..300.0), coordinates)
        .prop_map(|(place, surface, normal, ambient, second_color, coordinates)| Vertex {
            place,
            surface,
            normal,
            ambient,
            second_color,
            coordinates: coordinates.try_into().unwrap(),
        })
}

/// A value that is mostly one of `most`, or one more.
fn code(most: u32) -> impl Strategy<Value = u32> {
    prop_oneof![30 => 0..=most, 1 => Just(most + 1)]
}

fn settings() -> impl Strategy<Value = Settings> {
    let tile = prop::sample::select(vec![
        TileSize::Square16,
        TileSize::Square32,
        TileSize::Square64,
        TileSize::Row32,
    ]);
    let side = || prop_oneof![40 => 1u32..200, 1 => prop::sample::select(vec![0, 4097])];
    let address = || prop_oneof![40 => (0u32..1000).prop_map(|line| 16 * line), 1 => any::<u32>()];
    let depth = prop::option::of((address(), 50u32..60).prop_map(|(address, lines)| [address, 16 * lines]));
    (
        side(),
        side(),
        tile,
        code(2),
        any::<bool>(),
        any::<[u8; 4]>(),
        single(0.0..1.0),
        address(),
        address(),
        depth,
    )
        .prop_map(
            |(width, height, tile, output, dithers, clear_color, clear_depth, picture, more, depth)| {
                let settings = Settings::new(width, height);
                let picture_pitch = settings.picture_pitch.wrapping_add(more);
                Settings {
                    tile,
                    output,
                    dithers,
                    clear_color,
                    clear_depth,
                    picture,
                    picture_pitch,
                    depth,
                    ..settings
                }
            },
        )
}

fn state() -> impl Strategy<Value = State> {
    let textures = prop::array::uniform6(prop_oneof![20 => 0u8..2, 1 => 0u8..5]);
    let numbers = || prop::array::uniform6(any::<i16>());
    (code(4), code(7), any::<u8>(), code(6), any::<bool>(), textures, numbers(), numbers()).prop_map(
        |(blend, alpha_compare, alpha_reference, sets, has_colors, textures, bump, constants)| {
            let mut state =
                State { blend, alpha_compare, alpha_reference, sets, has_colors, textures, ..State::new(0) };
            for stage in 0..6 {
                state.bump[stage][stage % 4] = bump[stage];
                state.constants[stage][stage % 4] = constants[stage];
            }
            state
        },
    )
}

fn matrix() -> impl Strategy<Value = Matrix> {
    let moved = prop::array::uniform4(singles::<4>(-0.4..0.4)).prop_map(|noise| {
        let mut matrix = Matrix::IDENTITY;
        matrix.0.iter_mut().flatten().zip(noise.iter().flatten()).for_each(|(value, noise)| *value += noise);
        matrix
    });
    prop_oneof![Just(Matrix::IDENTITY), moved]
}

fn scene() -> impl Strategy<Value = Scene> {
    let part = prop::sample::select(vec![Part::Opaque, Part::PunchThrough, Part::Translucent]);
    let triangle = (part, [code(7), code(2)], prop::array::uniform3(vertex()));
    let light =
        || (singles(-1.0..1.0), singles(0.0..1.0)).prop_map(|(direction, color)| Light { direction, color });
    let program =
        (prop::collection::vec(any::<u8>(), PROGRAM_BYTES), 0..30u32).prop_map(|(mut bytes, other)| {
            if other != 0 {
                bytes[..4].copy_from_slice(b"TPS1");
            }
            bytes
        });
    let base = prop_oneof![30 => (1u32..1 << 20).prop_map(|line| 16 * line), 1 => prop::sample::select(vec![0, 0x18, 0xffff_f000])];
    let bytes = prop_oneof![20 => Just(MOST_BYTES as u32), 1 => 0..4096u32];
    let lists = prop_oneof![20 => Just(MOST_LISTS as u32), 1 => 0..8u32];
    let words = prop::collection::vec(any::<u32>(), MOST_TEXTURES * TEXTURE_WORDS);
    let viewport = prop::option::of(
        (singles(-20.0..50.0), singles(1.0..150.0)).prop_map(|(corner, size)| Viewport { corner, size }),
    );
    let memory = (base, bytes, lists, settings());
    let textures = (2..=MOST_TEXTURES as u32, words, viewport);
    let how = (program, state(), [matrix(), matrix()], [light(), light()]);
    (memory, textures, how, prop::collection::vec(triangle, 0..12)).prop_map(
        |(
            (base, bytes, lists, settings),
            (textures, words, viewport),
            (program, state, matrices, lights),
            triangles,
        )| Scene {
            base,
            bytes,
            lists,
            settings,
            textures,
            texture_words: std::array::from_fn(|texture| {
                std::array::from_fn(|word| words[texture * TEXTURE_WORDS + word])
            }),
            viewport,
            program,
            state,
            matrices,
            lights,
            triangles,
        },
    )
}

impl Scene {
    /// What the program in C reads.
    fn numbers(&self) -> Vec<u32> {
        let Settings { width, height, tile, output, dithers, clear_color, clear_depth, picture, .. } =
            self.settings;
        let more = self.settings.picture_pitch.wrapping_sub(Settings::new(width, height).picture_pitch);
        let [depth, depth_pitch] = self.settings.depth.unwrap_or_default();
        let mut numbers =
            vec![self.base, self.bytes, self.lists, width, height, tile as u32, output, dithers.into()];
        numbers.extend(clear_color.map(u32::from));
        numbers.extend([
            clear_depth.to_bits(),
            picture,
            more,
            self.settings.depth.is_some().into(),
            depth,
            depth_pitch,
        ]);
        numbers.push(self.textures);
        numbers.extend(self.texture_words.iter().flatten());
        let Viewport { corner, size } =
            self.viewport.unwrap_or(Viewport { corner: [0.0; 2], size: [0.0; 2] });
        numbers.push(self.viewport.is_some().into());
        numbers.extend(corner.into_iter().chain(size).map(f32::to_bits));
        numbers.extend(self.program.iter().map(|byte| u32::from(*byte)));
        let State { blend, alpha_compare, alpha_reference, sets, has_colors, textures, .. } = self.state;
        numbers.extend([blend, alpha_compare, alpha_reference.into(), sets, has_colors.into()]);
        for stage in 0..6 {
            numbers.push(textures[stage].into());
            numbers
                .extend([self.state.bump[stage], self.state.constants[stage]].map(|of| of[stage % 4] as u32));
        }
        let mut put = |values: &[f32]| numbers.extend(values.iter().map(|value| value.to_bits()));
        self.matrices.iter().flat_map(|matrix| matrix.0).for_each(|row| put(&row));
        for Light { direction, color } in self.lights {
            put(&direction);
            put(&color);
        }
        numbers.push(self.triangles.len() as u32);
        for (part, [compare, cull], vertices) in &self.triangles {
            numbers.extend([*part as u32, *compare, *cull]);
            for vertex in vertices {
                numbers.extend(vertex.place.map(f32::to_bits));
                numbers.extend(vertex.surface.map(u32::from));
                let singles = vertex.normal.iter().chain(&vertex.ambient).chain(&vertex.second_color);
                numbers
                    .extend(singles.chain(vertex.coordinates.iter().flatten()).map(|value| value.to_bits()));
            }
        }
        numbers
    }

    /// What it is to write: by the driver in Rust.
    fn expected(&self) -> Vec<u8> {
        let mut told = vec![];
        let mut memory = vec![0; self.bytes as usize];
        if let Ok((record, triangles, used)) = self.put(&mut memory, &mut told) {
            told.extend([record, triangles]);
            let words = told.iter().flat_map(|word| word.to_le_bytes());
            return words.chain(memory[..used].iter().copied()).collect();
        }
        told.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn put(&self, memory: &mut [u8], told: &mut Vec<u32>) -> Result<(u32, u32, usize), Error> {
        let mut tell =
            |status: Option<Error>| told.push(status.map_or(0, |error| -status_in_c(error) as u32));
        macro_rules! called {
            ($call:expr) => {{
                let result = $call;
                tell(result.as_ref().err().copied());
                result?
            }};
        }
        let mut lists = vec![Lists::EMPTY; self.lists as usize];
        let textures = &self.texture_words[..self.textures as usize];
        let mut frame = called!(Frame::new(memory, self.base, &mut lists, self.settings, textures));
        let program = called!(frame.program(&self.program));
        let state = called!(frame.state(&State { program, ..self.state }));
        if let Some(viewport) = self.viewport {
            frame.set_viewport(viewport);
        }
        let matrix = self.matrices[0].after(&self.matrices[1]);
        for (part, [compare, cull], vertices) in &self.triangles {
            let how = Triangle { compare: *compare, cull: *cull, ..Triangle::new(*part, state) };
            let corners = vertices.each_ref().map(|vertex| Corner {
                place: matrix.place(vertex.place),
                colors: [
                    lit(vertex.surface, vertex.normal, vertex.ambient, &self.lights).map(f32::from),
                    vertex.second_color,
                ],
                coordinates: vertex.coordinates,
            });
            called!(frame.triangle(&how, &corners));
        }
        let triangles = frame.triangles();
        let record = called!(frame.finish());
        // The record is put last.
        Ok((record, triangles, (record - self.base) as usize + 64))
    }
}

/// The negative of `enum tmu_pixel_status`.
const fn status_in_c(error: Error) -> i32 {
    match error {
        Error::Memory => 4,
        Error::Base => 5,
        Error::Size => 6,
        Error::Picture => 7,
        Error::Lists => 8,
        Error::List => 9,
        Error::Textures => 10,
        Error::Program => 11,
        Error::Sets => 12,
        Error::Alignment => 13,
        Error::Code => 14,
    }
}

proptest! {
    #[test]
    fn frames_are_the_same_bytes_in_both(scenes in prop::collection::vec(scene(), 1..6)) {
        let numbers = scenes.iter().flat_map(Scene::numbers).chain([END]);
        let written = DRIVER.run(&numbers.flat_map(u32::to_le_bytes).collect::<Vec<_>>());
        let expected: Vec<u8> = scenes.iter().flat_map(Scene::expected).collect();
        let differs = written.iter().zip(&expected).position(|(got, wanted)| got != wanted);
        prop_assert_eq!(differs, None, "byte {:?} differs", differs);
        prop_assert_eq!(written.len(), expected.len());
    }
}
