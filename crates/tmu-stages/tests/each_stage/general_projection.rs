//! `projection` against `tmu_model::general::projection`: textures of all kinds, numbers of both forms, divisors, cubes whose quads show
//! one face or several, texels by their numbers, registers of bindings between them.

use crate::support::{is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_model::MemoryImage;
use tmu_model::general::lod;
use tmu_model::general::projection::Position;
use tmu_model::general::unit::Unit;
use tmu_rtl::datapath::general::projection::Projection;
use tmu_rtl::datapath::general::words::{
    ItemHead, PixelNumbers, ProjectedItem, QuadMarks, RequestItem, extras,
};
use tmu_spec::Config;
use tmu_spec::general::features::OperationName;
use tmu_spec::general::field::REGISTERS;
use tmu_spec::general::texture::Shape as TextureShape;
use tmu_spec::general::{Binding, General, Kind, Numbers, Operation, Pixel, Quad, Sampler, Swizzle, Texture};
use tmu_stages::{Check, Flow, Rig};

/// What must leave.
#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "there are few of them")]
enum Item {
    Register { number: u32, data: u32 },
    Quad { quad: Quad, places: [Wanted; 4], edges: Option<[[i64; 3]; 2]> },
}

/// Where a pixel is.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Wanted {
    uvw: [i64; 3],
    face: Option<u32>,
}

fn general(config: &Config) -> General {
    *config.features().general().expect("it is general")
}

/// `multi-lite` with other values of keys. A key without a value of its own there stands in the table's first line.
pub(crate) fn config(keys: &[(&str, &str, &str)]) -> Config {
    with(&crate::general_support::config(), keys)
}

/// A configuration with other values of keys.
fn with(config: &Config, keys: &[(&str, &str, &str)]) -> Config {
    let mut text = config.canonical_toml().to_owned();
    for (table, key, value) in keys {
        let lines: Vec<_> = text.lines().filter(|line| !line.starts_with(&format!("{key} ="))).collect();
        text = lines.join("\n").replace(&format!("[{table}]"), &format!("[{table}]\n{key} = {value}"));
    }
    Config::from_toml(&text).unwrap_or_else(|refused| panic!("{refused}"))
}

const SINGLES: (&str, &str, &str) = ("request", "numbers", "\"fp32\"");
const DIVISOR: (&str, &str, &str) = ("request", "projective", "true");
const FETCH: (&str, &str, &str) = ("request", "operations", "[\"sample\", \"bias\", \"fetch\"]");
const SAMPLES: (&str, &str, &str) = ("request", "operations", "[\"sample\"]");
const COMPARES: (&str, &str, &str) = ("texture", "compare", "true");

const fn kinds(of: &'static str) -> (&'static str, &'static str, &'static str) {
    ("texture", "kinds", of)
}

const ALL_KINDS: (&str, &str, &str) = kinds("[\"1d\", \"2d\", \"3d\", \"cube\", \"2d_array\"]");

/// Whatever may be left out, each by itself, and everything.
pub(crate) fn configs() -> Vec<(&'static str, Config)> {
    let of = |name: &'static str, keys: &[_]| (name, config(keys));
    vec![
        of("multi-lite", &[]),
        of("2d", &[kinds("[\"2d\"]"), SAMPLES]),
        of("volumes", &[kinds("[\"3d\"]")]),
        of("arrays", &[kinds("[\"1d\", \"2d_array\"]"), COMPARES]),
        of("all kinds", &[ALL_KINDS]),
        of("fetch of pictures", &[kinds("[\"2d\"]"), FETCH]),
        of("fetch of cubes", &[kinds("[\"cube\"]"), FETCH]),
        of("singles of pictures", &[kinds("[\"2d\"]"), SINGLES]),
        of("singles of cubes", &[kinds("[\"cube\"]"), SINGLES]),
        of("singles of all kinds", &[ALL_KINDS, SINGLES, FETCH]),
        of("divisors of pictures", &[kinds("[\"2d\"]"), DIVISOR]),
        of("divisors of all kinds", &[ALL_KINDS, DIVISOR]),
        of("divided singles of pictures", &[kinds("[\"2d\"]"), DIVISOR, SINGLES]),
        of("everything", &[ALL_KINDS, DIVISOR, SINGLES, FETCH, COMPARES]),
    ]
}

const LANES: [(&str, &str, &str); 2] =
    [("datapath", "pixels_per_clock", "4"), ("request", "beats_per_quad", "1")];

/// The same for units of four lanes.
pub(crate) fn configs_of_four_lanes() -> Vec<(&'static str, Config)> {
    configs().into_iter().map(|(name, config)| (name, with(&config, &LANES))).collect()
}

/// Numbers where something changes.
fn special(numbers: Numbers) -> Vec<u32> {
    match numbers {
        Numbers::S16p16 => {
            let steps = [0, 1, 2, 3, 7, 65535, 65536, 65537, 1 << 20, i32::MAX - 1, i32::MAX, i32::MIN];
            steps.into_iter().flat_map(|of: i32| [of as u32, of.wrapping_neg() as u32]).collect()
        }
        Numbers::Fp32 => {
            let steps = [
                0.0,
                1.0,
                0.75,
                3.0,
                1.0 / 3.0,
                32_767.998,
                32_768.0,
                32_768.004,
                65_536.0,
                1.0 / 1_048_576.0,
                1.5 / 1_048_576.0,
                f32::MIN_POSITIVE,
                f32::MAX,
                f32::INFINITY,
                f32::NAN,
                1e-42,
                1e-30,
            ];
            steps.into_iter().flat_map(|of: f32| [of.to_bits(), of.to_bits() ^ 1 << 31]).collect()
        }
    }
}

/// Numbers of a quad: `start`, and how far pixels are from each other.
fn fixed(check: &mut Check) -> [[u32; 3]; 4] {
    let length = check.rng.random_range(0..32);
    let mut start = [0; 3].map(|_: u32| i64::from(check.rng.random::<i32>()) >> (31 - length.min(31)));
    let largest = start.iter().map(|of| of.abs()).max().unwrap_or(0);
    for of in &mut start {
        match check.rng.random_range(0..6) {
            0 => *of = largest * of.signum(),
            1 => *of = i64::from(check.pick(&special(Numbers::S16p16)) as i32),
            _ => {}
        }
    }
    let spread = match check.rng.random_range(0..4) {
        0 => 0,
        1 => 1,
        2 => largest >> check.rng.random_range(1..12),
        _ => largest,
    };
    let near = |check: &mut Check, of: i64| {
        let value = of + check.rng.random_range(-spread..=spread);
        value.clamp(i32::MIN.into(), i32::MAX.into()) as i32 as u32
    };
    std::array::from_fn(|_| start.map(|of| near(check, of)))
}

fn single(check: &mut Check, exponent: i32) -> u32 {
    let sign = u32::from(check.one_in(2)) << 31;
    let fraction = match check.rng.random_range(0..4) {
        0 => 0,
        1 => check.rng.random_range(0..8) << 20,
        _ => check.rng.random_range(0..1 << 23),
    };
    sign | (exponent.clamp(0, 255) as u32) << 23 | fraction
}

fn singles(check: &mut Check) -> [[u32; 3]; 4] {
    let top = match check.rng.random_range(0..4) {
        0 => check.rng.random_range(0..256),
        _ => 127 + check.rng.random_range(-24..20),
    };
    let below = check.pick(&[0, 1, 3, 26, 60]);
    let start = [0; 3].map(|_: u32| {
        let exponent = top - check.rng.random_range(0..=below);
        if check.one_in(8) { check.pick(&special(Numbers::Fp32)) } else { single(check, exponent) }
    });
    let spread = check.pick(&[0u32, 1, 1 << 10, 1 << 20, 1 << 23]);
    std::array::from_fn(|_| {
        let near = start.map(|of| of.wrapping_add(check.rng.random_range(0..=spread)));
        // Components that are as large as each other.
        let tied = near.map(|of| if check.one_in(2) { near[0] & !(1 << 31) | of & 1 << 31 } else { of });
        if check.one_in(6) { tied } else { near }
    })
}

/// Divisors of a quad.
fn divisors(check: &mut Check, numbers: Numbers) -> [u32; 4] {
    let one = numbers.one();
    let drawn = match numbers {
        Numbers::S16p16 => fixed(check),
        Numbers::Fp32 => singles(check),
    };
    match check.rng.random_range(0..6) {
        0 | 1 => [one; 4],
        2 => [0; 4].map(|_: u32| one.wrapping_add(check.rng.random_range(0..3)).wrapping_sub(1)),
        3 => [0; 4].map(|_: u32| check.pick(&special(numbers))),
        _ => drawn.map(|of| of[0]),
    }
}

/// A number whose quotient by q is whole, in steps of a coordinate, or nearly.
fn whole(check: &mut Check, q: u32, numbers: Numbers) -> u32 {
    let steps = check.rng.random_range(-9..=9i32);
    match numbers {
        Numbers::S16p16 => (q as i32).wrapping_mul(steps) as u32,
        Numbers::Fp32 => (f32::from_bits(q & !0x7ff) * steps as f32 / 1_048_576.0).to_bits(),
    }
}

fn quad(check: &mut Check, config: &Config) -> Quad {
    let general = general(config);
    let numbers = general.numbers;
    let drawn = match numbers {
        Numbers::S16p16 => fixed(check),
        Numbers::Fp32 => singles(check),
    };
    let q = divisors(check, numbers);
    let is_whole = check.one_in(8);
    let pixels = std::array::from_fn(|pixel| {
        let [u, v, w] = drawn[pixel];
        let q = if general.projective { q[pixel] } else { 0 };
        let u = if is_whole { whole(check, q, numbers) } else { u };
        let is_nothing = check.one_in(40);
        let [u, v, w] = if is_nothing { [0; 3] } else { [u, v, w] };
        Pixel { u, v, w, q, d: check.rng.random() }
    });
    let valid = if check.one_in(2) { 0xf } else { check.rng.random_range(0..16) };
    let operation = match check.rng.random_range(0..4) {
        0 if general.has_operation(Operation::Fetch) => Operation::Fetch,
        1 if general.has_operation(Operation::Bias) => Operation::Bias,
        _ => Operation::Sample,
    };
    Quad { pixels, valid, operation, lod: check.rng.random() }
}

fn item_of(config: &Config, head: (bool, u32), quad: &Quad) -> Bits {
    RequestItem::of(config).pack(&RequestItem {
        head: ItemHead { is_binding: number(1, head.0), register: number(5, head.1) },
        marks: QuadMarks {
            valid: number(4, quad.valid),
            is_failed: number(1, quad.valid & 1),
            operation: number(3, OperationName::from(quad.operation) as u32),
            component: number(2, 0u32),
            lod: number(32, quad.lod),
        },
        pixels: quad.pixels.map(|pixel| PixelNumbers {
            u: number(32, pixel.u),
            v: number(32, pixel.v),
            w: number(32, pixel.w),
            q: number(32, pixel.q),
            reference: number(32, pixel.d),
        }),
    })
}

/// A legal binding of a kind.
fn binding(check: &mut Check, config: &Config, kind: Kind) -> Binding {
    let width = check.rng.random_range(1..40);
    let height = match kind {
        Kind::D1 => 1,
        Kind::Cube => width,
        _ => check.rng.random_range(1..40),
    };
    let depth = if matches!(kind, Kind::D3 | Kind::D2Array) { check.rng.random_range(1..40) } else { 1 };
    let format = config.features().formats().next().expect("there is one");
    let shape = TextureShape { kind, width, height, depth, levels: 1, format };
    let texture = Texture::new(shape, &[0], Swizzle::NONE, false).expect("the texture is legal");
    let base = 16 * check.rng.random_range(0..1 << 20);
    Binding { base, texture, sampler: Sampler::default(), drop_cache: check.one_in(2) }
}

fn wanted(config: &Config, kind: Kind, quad: &Quad, positions: &[Position; 4]) -> [Wanted; 4] {
    let has_w = general(config).kinds().any(|kind| matches!(kind, Kind::D3 | Kind::D2Array | Kind::Cube));
    std::array::from_fn(|pixel| {
        let Pixel { u, v, w, .. } = quad.pixels[pixel];
        if quad.operation == Operation::Fetch {
            let uvw = [u, v, if has_w { w } else { 0 }].map(|of| i64::from(of as i32));
            return Wanted { uvw, face: None };
        }
        let Position { uvw, slice } = positions[pixel];
        let has_face = general(config).has_kind(Kind::Cube) && kind != Kind::D2Array;
        Wanted { uvw, face: has_face.then_some(slice) }
    })
}

/// The registers of a binding, then quads for it.
fn items(config: &Config, binding: &Binding, quads: impl IntoIterator<Item = Quad>) -> Vec<(Bits, Item)> {
    let words = binding.words();
    let mut items = vec![];
    for number in 0..REGISTERS {
        let data = (words[number as usize / 4] >> (number % 4 * 32)) as u32;
        let mut shown = Quad::default();
        shown.pixels[0].u = data;
        items.push((item_of(config, (true, number), &shown), Item::Register { number, data }));
    }
    let mut unit = Unit::new(MemoryImage::new(0, &[]), *config.features());
    unit.bind(&binding.texture, 0, &binding.sampler).expect("it is legal");
    let bound = unit.bound().expect("it is bound");
    for quad in quads {
        let positions = quad.pixels.map(|pixel| Position::of(bound, &pixel));
        let places = wanted(config, binding.texture.kind(), &quad, &positions);
        let edges = lod::edges(bound, &quad, &positions);
        items.push((item_of(config, (false, 0), &quad), Item::Quad { quad, places, edges }));
    }
    items
}

/// Whatever `next` gives, until it gives nothing.
fn run(check: &mut Check, config: &Config, mut next: impl FnMut(&mut Check) -> Option<(Binding, Vec<Quad>)>) {
    let general = general(config);
    // Stages of different configurations are different modules in Verilog.
    let name = match (general.numbers, general.projective) {
        (Numbers::S16p16, _) => "projection",
        (Numbers::Fp32, false) => "projection_of_singles",
        (Numbers::Fp32, true) => "projection_of_everything",
    };
    let mut rig = Rig::new(name, Projection::new(config));
    let mut waiting: VecDeque<(Bits, Item)> = VecDeque::new();
    let mut owed: Flow<Item> = Flow::default();
    let (mut is_over, mut idle, mut offers) = (false, 0, false);
    // Without gaps as many items are under way as can be.
    let mut has_gaps = false;
    while idle < 200 {
        if waiting.is_empty() && !is_over {
            has_gaps = check.one_in(2);
            match next(check) {
                Some((binding, quads)) => waiting.extend(items(config, &binding, quads)),
                None => is_over = true,
            }
        }
        offers = !waiting.is_empty() && (offers || !has_gaps || !check.one_in(4));
        rig.input.valid.drive(offers);
        if let Some((word, _)) = waiting.front() {
            rig.input.data.drive(*word);
        }
        rig.output.ready.drive(!has_gaps || !check.one_in(3));
        rig.settle();
        if is_high(rig.output.moves()) {
            let item = ProjectedItem::of(config).unpack(rig.output.data.val());
            let expected = owed.next(check);
            same(check, config, &item, &expected);
        }
        if is_high(rig.input.moves()) {
            offers = false;
            owed.put(waiting.pop_front().expect("it was offered").1);
        }
        rig.tick();
        idle = if is_over && waiting.is_empty() && owed.is_empty() { idle + 1 } else { 0 };
    }
    owed.is_done(check);
}

fn same(check: &mut Check, config: &Config, item: &ProjectedItem, expected: &Item) {
    match expected {
        Item::Register { number, data } => {
            check.same(
                "register",
                (is_high(item.head.is_binding), item.head.register.to_u64()),
                (true, (*number).into()),
            );
            check.same("data", item.places[0].u.to_u64() & 0xffff_ffff, u64::from(*data));
        }
        Item::Quad { quad, places, edges } => {
            let general = general(config);
            check.same("it is a quad", is_high(item.head.is_binding), false);
            check.same("valid", item.marks.valid.to_u64(), quad.valid.into());
            check.same("failed", item.marks.is_failed.to_u64(), u64::from(quad.valid & 1));
            if extras(config).operation {
                let operation = OperationName::from(quad.operation) as u64;
                let got = (item.marks.operation.to_u64(), item.marks.lod.to_u64());
                check.same("operation", got, (operation, quad.lod.into()));
            }
            let mask = |value: i64, bits: u32| value as u64 & ((1 << bits) - 1);
            for (pixel, (got, wanted)) in item.places.iter().zip(places).enumerate() {
                let what = || format!("pixel {pixel} of {quad:x?}");
                let uvw = [got.u, got.v, got.w].map(|of| of.to_u64());
                check.same(what(), uvw, wanted.uvw.map(|of| mask(of, 36)));
                if let Some(face) = wanted.face {
                    check.same(what(), got.face.to_u64(), face.into());
                }
                if general.compare {
                    check.same(what(), got.reference.to_u64(), quad.pixels[pixel].d.into());
                }
            }
            if quad.operation == Operation::Fetch {
                return;
            }
            let is_behind = is_high(item.is_behind);
            check.same(format_args!("it lies behind: {quad:x?}"), is_behind, edges.is_none());
            if let Some(edges) = edges {
                let axes = if general.has_kind(Kind::D3) { 3 } else { 2 };
                for (got, wanted) in item.edges.iter().zip(edges) {
                    let got: Vec<_> = got.iter().take(axes).map(|of| of.to_u64()).collect();
                    let wanted: Vec<_> = wanted.iter().take(axes).map(|edge| mask(*edge, 37)).collect();
                    check.same(format_args!("edge of {quad:x?}"), got, wanted);
                }
            }
        }
    }
}

/// Random quads of random kinds.
fn run_random(name: &str, config: &Config, bindings: usize) {
    let mut check = Check::new(&format!("general::projection, {name}"));
    let kinds: Vec<Kind> = general(config).kinds().collect();
    let mut left = bindings;
    run(&mut check, config, |check| {
        left = left.checked_sub(1)?;
        let kind = check.pick(&kinds);
        let count = check.rng.random_range(0..60);
        let quads = (0..count).map(|_| quad(check, config)).collect();
        Some((binding(check, config, kind), quads))
    });
    check.at_least(20 * bindings as u64);
}

/// Every special number by every one; the second coordinate goes through them the other way round.
fn run_special(name: &str, config: &Config, kind: Kind) {
    let mut check = Check::new(&format!("general::projection, {name}"));
    let numbers = special(general(config).numbers);
    let some: Vec<u32> = numbers.iter().copied().filter(|_| numbers.len() < 30 || check.one_in(2)).collect();
    let pixel = |u, v, w, q| Pixel { u, v, w, q, d: 0 };
    let mut pixels: Vec<Pixel> = vec![];
    if kind == Kind::Cube {
        for x in &some {
            for y in &some {
                pixels.extend(some.iter().map(|z| pixel(*x, *y, *z, 0)));
            }
        }
    } else {
        for (place, a) in numbers.iter().enumerate() {
            let back = numbers.iter().rev().cycle().skip(place);
            pixels.extend(numbers.iter().zip(back).map(|(b, c)| pixel(*a, *c, *c, *b)));
        }
    }
    // Quads as they come, and ones whose first pixel looks along an axis.
    let apart = pixels.chunks_exact(4).map(|of| [of[0], of[1], of[2], of[3]]);
    let from_face = pixels.chunks_exact(3).map(|of| [pixel(0, 0, of[0].w, 0), of[0], of[1], of[2]]);
    let quads: Vec<Quad> = if kind == Kind::Cube { from_face.collect::<Vec<_>>() } else { apart.collect() }
        .into_iter()
        .map(|pixels| Quad { pixels, valid: check.pick(&[0xf, 0xf, 7, 3, 5]), ..Quad::default() })
        .collect();
    let mut quads = Some(quads);
    run(&mut check, config, |check| Some((binding(check, config, kind), quads.take()?)));
    check.at_least(500);
}

fn run_one_of_four_lanes(number: usize, bindings: usize) {
    let (name, config) = &configs_of_four_lanes()[number];
    run_random(&format!("four lanes, {name}"), config, bindings);
}

fn run_one(number: usize, bindings: usize) {
    let (name, config) = &configs()[number];
    run_random(name, config, bindings);
}

#[test]
pub(crate) fn general_projection() {
    run_one(0, 150);
}

#[test]
fn of_pictures() {
    run_one(1, 60);
}

#[test]
fn of_volumes() {
    run_one(2, 60);
}

#[test]
fn of_arrays_with_references() {
    run_one(3, 60);
}

#[test]
fn of_all_kinds() {
    run_one(4, 80);
}

#[test]
fn of_fetches_of_pictures() {
    run_one(5, 60);
}

#[test]
fn of_fetches_of_cubes() {
    run_one(6, 60);
}

#[test]
pub(crate) fn of_singles() {
    run_one(7, 100);
    run_special("special singles", &config(&[kinds("[\"2d\"]"), SINGLES]), Kind::D2);
}

#[test]
fn of_singles_of_cubes() {
    run_one(8, 100);
}

#[test]
fn of_singles_of_all_kinds() {
    run_one(9, 80);
}

#[test]
fn of_divisors() {
    run_one(10, 60);
}

#[test]
fn of_divisors_of_all_kinds() {
    run_one(11, 80);
}

#[test]
fn of_divided_singles() {
    run_one(12, 80);
}

#[test]
pub(crate) fn of_everything() {
    run_one(13, 120);
}

#[test]
fn of_special_cubes() {
    run_special("special cubes", &config(&[]), Kind::Cube);
}

#[test]
fn of_special_singles_of_cubes() {
    run_special("special singles of cubes", &config(&[SINGLES]), Kind::Cube);
}

#[test]
fn of_special_divisors() {
    run_special("special divisors", &config(&[ALL_KINDS, DIVISOR]), Kind::D3);
}

#[test]
fn of_special_divided_singles() {
    run_special("special divided singles", &config(&[ALL_KINDS, DIVISOR, SINGLES]), Kind::D3);
}

/// The same in units of four lanes.
mod of_four_lanes {
    use super::*;

    #[test]
    fn of_multi_lite() {
        run_one_of_four_lanes(0, 60);
    }

    #[test]
    fn of_pictures() {
        run_one_of_four_lanes(1, 60);
    }

    #[test]
    fn of_volumes() {
        run_one_of_four_lanes(2, 60);
    }

    #[test]
    fn of_arrays_with_references() {
        run_one_of_four_lanes(3, 60);
    }

    #[test]
    fn of_all_kinds() {
        run_one_of_four_lanes(4, 60);
    }

    #[test]
    fn of_fetches_of_pictures() {
        run_one_of_four_lanes(5, 60);
    }

    #[test]
    fn of_fetches_of_cubes() {
        run_one_of_four_lanes(6, 60);
    }

    #[test]
    fn of_singles_of_pictures() {
        run_one_of_four_lanes(7, 60);
    }

    #[test]
    fn of_singles_of_cubes() {
        run_one_of_four_lanes(8, 60);
    }

    #[test]
    fn of_singles_of_all_kinds() {
        run_one_of_four_lanes(9, 60);
    }

    #[test]
    fn of_divisors() {
        run_one_of_four_lanes(10, 60);
    }

    #[test]
    fn of_divisors_of_all_kinds() {
        run_one_of_four_lanes(11, 60);
    }

    #[test]
    fn of_divided_singles() {
        run_one_of_four_lanes(12, 60);
    }

    #[test]
    fn of_everything() {
        run_one_of_four_lanes(13, 60);
    }

    #[test]
    fn of_special_cubes() {
        run_special("four lanes, special cubes", &config(&LANES), Kind::Cube);
    }

    #[test]
    fn of_special_singles_of_cubes() {
        let config = with(&config(&[SINGLES]), &LANES);
        run_special("four lanes, special singles of cubes", &config, Kind::Cube);
    }

    #[test]
    fn of_special_divisors() {
        let config = with(&config(&[ALL_KINDS, DIVISOR]), &LANES);
        run_special("four lanes, special divisors", &config, Kind::D3);
    }

    #[test]
    fn of_special_divided_singles() {
        let config = with(&config(&[ALL_KINDS, DIVISOR, SINGLES]), &LANES);
        run_special("four lanes, special divided singles", &config, Kind::D3);
    }
}

/// Clocks that a quad takes, one behind the other.
fn interval(config: &Config, kind: Kind, pixels: [Pixel; 4]) -> f64 {
    let mut check = Check::new("general::projection, interval");
    let mut rig = Rig::new("projection", Projection::new(config));
    let bound = binding(&mut check, config, kind);
    let words = items(config, &bound, []);
    let quad = item_of(config, (false, 0), &Quad { pixels, valid: 0xf, ..Quad::default() });
    let (mut sent, mut left, mut first, mut last) = (0, 0, 0, 0);
    rig.output.ready.drive(true);
    rig.input.valid.drive(true);
    for clock in 0..3000u32 {
        rig.input.data.drive(words.get(sent).map_or(quad, |(word, _)| *word));
        rig.settle();
        if is_high(rig.output.moves()) {
            left += 1;
            first = if left == words.len() + 10 { clock } else { first };
            last = clock;
        }
        sent += usize::from(is_high(rig.input.moves()));
        rig.tick();
    }
    f64::from(last - first) / (left - words.len() - 10) as f64
}

#[test]
fn intervals() {
    let near_z = |pixel: u32, numbers: Numbers, q: u32| {
        let of = |value: u32| match numbers {
            Numbers::S16p16 => value,
            Numbers::Fp32 => (value as f32).to_bits(),
        };
        Pixel { u: of(5 + pixel), v: of(9), w: of(1000), q, d: 0 }
    };
    let one = Numbers::Fp32.one();
    let lite = config(&[]);
    let singles = config(&[ALL_KINDS, SINGLES, DIVISOR]);
    for (config, kind, q, most) in [
        (&lite, Kind::D2, 0, 4.05),
        (&lite, Kind::Cube, 0, 16.1),
        (&singles, Kind::D2, one, 4.05),
        (&singles, Kind::D3, one, 4.05),
        (&singles, Kind::Cube, one, 18.05),
        (&singles, Kind::D2, one + 1, 32.1),
        (&singles, Kind::D3, one + 1, 48.1),
    ] {
        let numbers = general(config).numbers;
        let pixels = std::array::from_fn(|pixel| near_z(pixel as u32, numbers, q));
        let clocks = interval(config, kind, pixels);
        assert!(clocks <= most, "{kind}, {numbers:?}, q {q:x}: {clocks} clocks a quad");
    }
}

/// Of units of four lanes.
#[test]
fn intervals_of_four_lanes() {
    let one = Numbers::Fp32.one();
    let pixel = |u: f32, w: f32, q: u32| Pixel { u: u.to_bits(), v: 9f32.to_bits(), w: w.to_bits(), q, d: 0 };
    let same = |q: u32| [1., 2., 3., 4.].map(|u| pixel(u, 1000., q));
    // The row, or both, lie across an edge.
    let across = [1., 2000., 3., 2000.].map(|u| pixel(u, 1000., one));
    let everything = with(&config(&[ALL_KINDS, SINGLES, DIVISOR]), &LANES);
    let fixed = with(&config(&[ALL_KINDS, DIVISOR]), &LANES);
    let lite = with(&config(&[]), &LANES);
    for (what, config, kind, pixels, most) in [
        ("plain", &lite, Kind::D2, same(one), 1.0),
        ("cube, fixed-point numbers", &lite, Kind::Cube, same(one), 2.0),
        ("plain", &everything, Kind::D2, same(one), 1.0),
        ("volume", &everything, Kind::D3, same(one), 1.0),
        ("cube", &everything, Kind::Cube, same(one), 2.0),
        ("cube across faces", &everything, Kind::Cube, across, 24.0),
        ("q", &everything, Kind::D2, same(one + 1), 4.0),
        ("q of a volume", &everything, Kind::D3, same(one + 1), 6.0),
        ("q, fixed-point numbers", &fixed, Kind::D2, same(one + 1), 6.0),
    ] {
        let clocks = interval(config, kind, pixels);
        assert!(clocks <= most + 0.05, "{what}: {clocks} clocks a quad");
    }
}
