//! The golden model against a software renderer of OpenGL, as Mesa's llvmpipe: look-ups with a level that is given, in textures of
//! every kind, with every filter and address mode, and compared. One texel is the same to the last bit away from ties; weighted ones
//! differ by 2 of 255 at most.
//!
//! It needs EGL and Mesa, which `scripts/setup` installs. `TMUGEN_TEXTURES` asks for more textures of each kind, `TMUGEN_SEED` for
//! others.

mod cases;
mod opengl;

use cases::{Case, Look};
use opengl::Renderer;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tmu_model::MemoryImage;
use tmu_model::general::unit::Unit;
use tmu_spec::Features;
use tmu_spec::Format;
use tmu_spec::general::{Filter, General, Kind, MipFilter, Operation, Pixel, Quad};
use tmu_testing::setting;

/// Look-ups in each texture.
const LOOKS: usize = 4096;

/// Kinds that OpenGL 3.3 looks up at a level that is given; with comparison fewer.
const SUBJECTS: [(Kind, bool); 7] = [
    (Kind::D1, false),
    (Kind::D2, false),
    (Kind::D3, false),
    (Kind::Cube, false),
    (Kind::D2Array, false),
    (Kind::D1, true),
    (Kind::D2, true),
];

#[test]
fn look_ups_are_those_of_opengl() {
    let seed = setting("TMUGEN_SEED").unwrap_or(1);
    let textures = setting("TMUGEN_TEXTURES").unwrap_or(20);
    let renderer = Renderer::new().unwrap_or_else(|error| {
        panic!("there is no renderer of OpenGL: {error}\nscripts/setup installs one, or apt-get install libegl1 libgl1-mesa-dri")
    });
    let mut worst = 0.0f32;
    let mut compared = 0;
    for number in 0..textures {
        for (kind, compares) in SUBJECTS {
            let mut random = ChaCha8Rng::seed_from_u64(seed.wrapping_mul(1 << 20).wrapping_add(number));
            let case = Case::random(&mut random, kind, compares);
            let looks: Vec<_> = (0..LOOKS).map(|_| case.look(&mut random)).collect();
            let looks: Vec<_> = looks.into_iter().filter(|look| !case.is_tie(look)).collect();
            let (got, expected) = (golden(&case, &looks), renderer.look_up(&case, &looks));
            for ((look, got), expected) in looks.iter().zip(got).zip(expected) {
                let difference = difference(&case, got, expected);
                assert!(
                    difference <= most(&case),
                    "texture {number}: {case:?}\n{look:?}: golden {got:?}, {} {expected:?}\n\
                     repeat: TMUGEN_SEED={seed} TMUGEN_TEXTURES={textures} cargo test -p tmu-model --test renderer",
                    renderer.name(),
                );
                worst = worst.max(difference);
                compared += 1;
            }
        }
    }
    let all = textures * (SUBJECTS.len() * LOOKS) as u64;
    report(&format!(
        "{compared} of {all} look-ups, {} textures, {}: at most {worst:.3} of 255 differ (seed {seed})",
        textures * SUBJECTS.len() as u64,
        renderer.name()
    ));
    assert!(compared > all / 3, "{} of {all} look-ups are ties", all - compared);
}

/// What the golden model says.
fn golden(case: &Case, looks: &[Look]) -> Vec<[f32; 4]> {
    let features = Features::GENERAL.with_general(General::ALL, 12);
    let mut unit = Unit::new(MemoryImage::new(0, case.memory.clone()), features);
    unit.bind(&case.texture, 0, &case.sampler).expect("a sound binding");
    let sample = |look: &Look| {
        let [u, v, w] = look.at.map(f32::to_bits);
        let pixel = Pixel { u, v, w, q: 1f32.to_bits(), d: look.depth.to_bits() };
        let quad = Quad { pixels: [pixel; 4], valid: 1, lod: look.lod.to_bits(), operation: Operation::Lod };
        let result = unit.sample(&quad);
        assert!(!result.error, "{look:?}");
        result.channels[0].map(f32::from_bits)
    };
    looks.iter().map(sample).collect()
}

/// Whether texels are not weighted.
fn is_exact(case: &Case) -> bool {
    let sampler = &case.sampler;
    sampler.min == Filter::Nearest && sampler.mag == Filter::Nearest && sampler.mip != MipFilter::Linear
}

/// Most difference of a channel, of 255.
fn most(case: &Case) -> f32 {
    match is_exact(case) {
        // Both renderers have a table of sRGB of their own.
        true if !case.texture.is_srgb() => 0.0,
        _ => 2.0,
    }
}

/// The largest difference of a channel, of 255. Texels that are not weighted count as the integers that they are made from.
fn difference(case: &Case, got: [f32; 4], expected: [f32; 4]) -> f32 {
    let steps = match case.texture.format() {
        Format::Rgba16 | Format::D16 => 65535.0,
        _ => 255.0,
    };
    let is_float = case.texture.format() == Format::Rgba32f;
    let channel = |(got, expected): (f32, f32)| match is_exact(case) {
        true if is_float => {
            if got.to_bits() == expected.to_bits() {
                0.0
            } else {
                f32::INFINITY
            }
        }
        true => ((got * steps).round() - (expected * steps).round()).abs() / steps * 255.0,
        false => (got - expected).abs() * 255.0,
    };
    got.into_iter().zip(expected).map(channel).fold(0.0, f32::max)
}

/// What was compared, for the log of the long run.
#[expect(clippy::print_stderr, reason = "the figures of the long run")]
fn report(text: &str) {
    eprintln!("{text}");
}
