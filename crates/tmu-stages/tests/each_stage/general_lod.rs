//! `lod` of the general numerics against `tmu_model::general::lod`: edges around the lengths at which something changes, levels of detail
//! of all kinds, bindings between quads.

use crate::support::{any_bits, is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::MemoryImage;
use tmu_model::general::lod::{edges, of_quad};
use tmu_model::general::projection::Position;
use tmu_model::general::request::Bound;
use tmu_rtl::datapath::general::lod::Lod;
use tmu_rtl::datapath::general::words::{
    EDGE_BITS, ItemHead, LeveledItem, NUMBER_BITS, OPERATION_BITS, PLACE_BITS, Place, ProjectedItem,
    QuadMarks,
};
use tmu_spec::binding::field::Field as RecordField;
use tmu_spec::choice::Choice;
use tmu_spec::general::features::OperationName;
use tmu_spec::general::texture::Shape as TextureShape;
use tmu_spec::general::{
    Filter, General, Kind, MipFilter, Operation, Pixel, Quad, Sampler, Swizzle, Texture, field,
};
use tmu_spec::{Config, Format, Preset};
use tmu_stages::{Check, Flow, Rig};

const QUADS: usize = 6000;
/// Least and most coordinate.
const COORDINATES: [i64; 2] = [-(1 << 35), (1 << 35) - 1];

fn config(changes: &[(&str, &str)]) -> Config {
    let mut text = Preset::find("multi-lite").expect("the preset is there").toml().to_owned();
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    Config::from_toml(&text).unwrap_or_else(|refused| panic!("{refused}"))
}

fn general(config: &Config) -> General {
    *config.features().general().expect("the numerics are general")
}

/// A texture and a sampler, anything that the unit has.
fn binding(check: &mut Check, config: &Config) -> Bound {
    let (features, general) = (config.features(), general(config));
    let kind = check.pick(&general.kinds().collect::<Vec<_>>());
    let side = |check: &mut Check| match check.rng.random_range(0..3) {
        0 => check.pick(&[1, 2, 3, 4095, 4096]),
        1 => 1 << check.rng.random_range(0..=12),
        _ => check.rng.random_range(1..=4096),
    };
    let width = side(check);
    let height = if kind == Kind::Cube { width } else { side(check) };
    let mut shape = TextureShape { kind, width, height, depth: 1, levels: 1, format: Format::Bc1 };
    if !check.one_in(6) {
        shape.levels = check.rng.random_range(1..=shape.most_levels());
    }
    let texture = Texture::packed(shape, Swizzle::NONE, false).unwrap_or_else(|rules| panic!("{rules:?}"));
    let filters = if features.bilinear() { Filter::CHOICES } else { &[Filter::Nearest] };
    let mips = match (features.mipmaps(), general.trilinear) {
        (false, _) => &MipFilter::CHOICES[..1],
        (true, false) => &MipFilter::CHOICES[..2],
        (true, true) => MipFilter::CHOICES,
    };
    let limit = |check: &mut Check| match check.rng.random_range(0..4) {
        0 => check.pick(&[i16::MIN, -1, 0, 1, i16::MAX]).into(),
        1 => i32::from(check.rng.random::<i16>()),
        _ => check.rng.random_range(-1000..4000),
    };
    let (one, other) = (limit(check), limit(check));
    let limits = if check.one_in(2) { [-8192, 8192] } else { [one.min(other), one.max(other)] };
    let lod_bias = match check.rng.random_range(0..4) {
        0 => 0,
        1 => i32::from(check.rng.random::<i16>()),
        _ => check.rng.random_range(-10 * 256..20 * 256),
    };
    let sampler = Sampler {
        min: check.pick(filters),
        mag: check.pick(filters),
        mip: if check.one_in(2) { mips[mips.len() - 1] } else { check.pick(mips) },
        lod_bias,
        min_lod: limits[0],
        max_lod: limits[1],
        ..Sampler::default()
    };
    Bound::new(&texture, 0, &sampler, config.features(), &general, &MemoryImage::new(0, vec![0u8; 0]))
        .unwrap_or_else(|rules| panic!("{rules:?}"))
}

/// The registers of a binding. Fields that the stage does not look at are noise.
fn registers(check: &mut Check, bound: &Bound) -> Vec<u32> {
    let mut registers: Vec<u32> = (0..field::REGISTERS).map(|_| check.rng.random()).collect();
    let mut set = |of: RecordField, value: u32| {
        let (register, shift) = field::place(of);
        let mask = ((1u64 << of.bits) - 1) as u32;
        let word = &mut registers[register as usize];
        *word = *word & !(mask << shift) | (value & mask) << shift;
    };
    let (shape, sampler) = (bound.texture().shape(), bound.sampler());
    set(field::WIDTH, shape.width - 1);
    set(field::HEIGHT, shape.height - 1);
    set(field::LEVELS, shape.levels - 1);
    set(field::KIND, shape.kind.code().into());
    set(field::MIN, sampler.min as u32);
    set(field::MAG, sampler.mag as u32);
    set(field::MIP, sampler.mip as u32);
    set(field::LOD_BIAS, sampler.lod_bias as u32);
    set(field::MIN_LOD, sampler.min_lod as u32);
    set(field::MAX_LOD, sampler.max_lod as u32);
    registers
}

/// A difference of coordinates: none, one that gives so many texels, or any.
fn difference(check: &mut Check, size: u32) -> i64 {
    let near = check.rng.random_range(-2..=2i64);
    let units = match check.rng.random_range(0..8) {
        0 => 0,
        // Powers of two, and the edges that two of them along both axes make.
        1 | 2 => (1i64 << check.rng.random_range(0..36)) + near,
        3 => ((1u64 << check.rng.random_range(0..64)).isqrt() as i64 + near) / i64::from(size),
        4 | 5 => (1i64 << check.rng.random_range(10..36)) / i64::from(size) + near,
        _ => check.rng.random::<i64>() >> check.rng.random_range(27..63),
    };
    if check.one_in(2) { -units } else { units }
}

fn positions(check: &mut Check, bound: &Bound) -> [Position; 4] {
    let size = bound.level(0).size;
    let mut uvw = [[0; 3]; 4];
    for axis in 0..2 {
        let any = check.rng.random::<i64>() >> 28;
        let start = check.pick(&[COORDINATES[0], -70_000, 0, 12_345, COORDINATES[1], any]);
        let still = check.one_in(6);
        let mut step = || if still { 0 } else { difference(check, size[axis]) };
        let (right, down) = (step(), step());
        let twist = if check.one_in(3) { difference(check, size[axis]) } else { 0 };
        let pixels = [start, start + right, start + down, start + right + down + twist];
        for (of, at) in uvw.iter_mut().zip(pixels) {
            of[axis] = at.clamp(COORDINATES[0], COORDINATES[1]);
        }
    }
    uvw.map(|uvw| Position { uvw, slice: 0 })
}

/// Pixels of a cube: directions close together or not.
fn directions(check: &mut Check) -> [Pixel; 4] {
    let spread = check.rng.random_range(0..31);
    let middle: [i32; 3] =
        std::array::from_fn(|_| check.rng.random::<i32>() >> check.rng.random_range(0..20));
    std::array::from_fn(|_| {
        let [u, v, w] = middle.map(|of| of.wrapping_add(check.rng.random::<i32>() >> spread) as u32);
        Pixel { u, v, w, ..Pixel::default() }
    })
}

/// A level of detail or a bias: halves of steps, limits, or anything.
fn float(check: &mut Check) -> u32 {
    let halves = check.rng.random_range(-17_000..17_000i32) as f32 / 512.0;
    match check.rng.random_range(0..6) {
        0 => check.rng.random(),
        1 => halves.to_bits(),
        2 => halves.to_bits().wrapping_add(check.pick(&[1, u32::MAX])),
        3 => check
            .pick(&[0.0, -0.0, 32.0, -32.0, 31.999, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-42])
            .to_bits(),
        4 => (check.rng.random::<f32>() - 0.5).to_bits(),
        _ => check.rng.random_range(-14.0..14.0f32).to_bits(),
    }
}

fn quad(check: &mut Check, bound: &Bound) -> (Quad, [Position; 4]) {
    let operations = [Operation::Sample, Operation::Sample, Operation::Lod, Operation::Bias];
    let operations: Vec<_> = operations.into_iter().filter(|of| bound.general().has_operation(*of)).collect();
    let mut quad = Quad {
        pixels: [Pixel::default(); 4],
        valid: if check.one_in(3) { check.rng.random_range(1..16) } else { 15 },
        lod: float(check),
        operation: check.pick(&operations),
    };
    if bound.texture().kind() == Kind::Cube {
        quad.pixels = directions(check);
        let positions = quad.pixels.map(|pixel| Position::of(bound, &pixel));
        return (quad, positions);
    }
    (quad, positions(check, bound))
}

/// What comes out, packed, and whether level and filter count.
#[derive(Debug)]
struct Owed {
    item: Value,
    has_level: bool,
    said: String,
}

struct Bench {
    check: Check,
    config: Config,
    bound: Bound,
    /// What of a binding has not come yet.
    registers: Vec<(usize, u32)>,
}

impl Bench {
    fn new(name: &str, config: &Config) -> Bench {
        let mut check = Check::new(name);
        let bound = binding(&mut check, config);
        let registers = registers(&mut check, &bound).into_iter().enumerate().rev().collect();
        Bench { check, config: config.clone(), bound, registers }
    }

    /// Parts that a configuration does without are 0.
    fn part(&mut self, width: Width) -> Bits {
        let bits = width.value_bits();
        if width.packed_bits() == 0 { number(bits, 0u64) } else { any_bits(&mut self.check, bits) }
    }

    /// What comes in next, and what comes of it.
    fn next(&mut self) -> (Value, Owed, bool) {
        if self.registers.is_empty() && self.check.one_in(25) {
            self.bound = binding(&mut self.check, &self.config);
            self.registers = registers(&mut self.check, &self.bound).into_iter().enumerate().rev().collect();
        }
        let shape = ProjectedItem::of(&self.config);
        let mut item = shape.unpack(any_bits(&mut self.check, shape.width()));
        let leveled = LeveledItem::of(&self.config);
        if let Some((register, data)) = self.registers.pop() {
            item.head = ItemHead { is_binding: number(1, 1u64), register: number(5, register as u64) };
            item.places[0].u = cat(&[item.places[0].u.high(PLACE_BITS - 32), number(32, data)]);
            let out = LeveledItem {
                head: item.head.clone(),
                valid: item.marks.valid,
                is_failed: item.marks.is_failed,
                places: item.places.clone(),
                is_linear: self.part(leveled.is_linear),
                level: self.part(leveled.level),
                fraction: self.part(leveled.fraction),
                ..leveled.unpack(lit(leveled.width(), 0u32))
            };
            let owed = Owed { item: leveled.pack(&out).value(), has_level: false, said: "a binding".into() };
            return (shape.pack(&item).value(), owed, false);
        }
        let (quad, positions) = quad(&mut self.check, &self.bound);
        let edges = edges(&self.bound, &quad, &positions);
        let lod = of_quad(&self.bound, &quad, &positions);
        let bits = |width: usize, value: i64| number(width, value as u64 & ((1 << width) - 1));
        let is_failed = self.check.one_in(10);
        item.head.is_binding = number(1, 0u64);
        item.marks = QuadMarks {
            valid: number(4, quad.valid),
            is_failed: number(1, u64::from(is_failed)),
            operation: number(OPERATION_BITS, OperationName::from(quad.operation) as u64),
            lod: number(NUMBER_BITS, quad.lod),
            component: number(2, 0u64),
        };
        item.places = std::array::from_fn(|pixel| {
            let Position { uvw: [u, v, _], slice } = positions[pixel];
            let face = number(item.places[pixel].face.width(), slice);
            Place { u: bits(PLACE_BITS, u), v: bits(PLACE_BITS, v), face, ..item.places[pixel].clone() }
        });
        if let Some(edges) = edges {
            item.edges = edges.map(|[u, v, _]| [bits(EDGE_BITS, u), bits(EDGE_BITS, v), bits(EDGE_BITS, 0)]);
        }
        item.is_behind = number(1, u64::from(edges.is_none()));
        let out = LeveledItem {
            head: item.head.clone(),
            valid: item.marks.valid,
            is_failed: item.marks.is_failed,
            places: item.places.clone(),
            is_linear: number(1, lod.filter as u64),
            level: number(leveled.level.value_bits(), lod.level),
            fraction: number(leveled.fraction.value_bits(), lod.fraction),
            ..leveled.unpack(lit(leveled.width(), 0u32))
        };
        let (texture, sampler) = (self.bound.texture().shape(), self.bound.sampler());
        let said = format!("{lod:?} of {edges:?}, {quad:?}, {texture:?}, {sampler:?}");
        let owed = Owed { item: leveled.pack(&out).value(), has_level: !is_failed, said };
        (shape.pack(&item).value(), owed, true)
    }
}

fn same(check: &mut Check, config: &Config, got: Bits, owed: &Owed) {
    let shape = LeveledItem::of(config);
    let expected = Bits::constant(owed.item);
    for row in shape.layout() {
        let is_level = matches!(&row.name[..], "is_linear" | "level" | "fraction");
        if owed.has_level || !is_level {
            let of = |word: Bits| word.slice(row.lsb, row.width).to_u64();
            check.same(format!("{}: {}", row.name, owed.said), of(got), of(expected));
        }
    }
}

fn run(name: &str, config: &Config) {
    let mut bench = Bench::new(name, config);
    let mut rig = Rig::new(name, Lod::new(config));
    let mut owed: Flow<Owed> = Flow::default();
    let mut offered: Option<(Value, Owed, bool)> = None;
    let (mut quads, mut gap, mut stop) = (0, 1, 1);
    while quads < QUADS || offered.is_some() || !owed.is_empty() {
        if bench.check.one_in(300) {
            gap = bench.check.pick(&[1, 1, 3, 12]);
            stop = bench.check.pick(&[1, 1, 3, 12]);
        }
        if offered.is_none() && quads < QUADS && bench.check.one_in(gap) {
            let item = bench.next();
            quads += usize::from(item.2);
            offered = Some(item);
        }
        let ready = bench.check.one_in(stop);
        rig.output.ready.drive(ready);
        rig.input.valid.drive(offered.is_some());
        let width = rig.input.data.width();
        let data = match &offered {
            Some((item, ..)) => Bits::constant(*item),
            None => any_bits(&mut bench.check, width),
        };
        rig.input.data.drive(data);
        rig.settle();
        if ready && is_high(rig.output.valid.val()) {
            let item = owed.next(&mut bench.check);
            same(&mut bench.check, config, rig.output.data.val(), &item);
        }
        if is_high(rig.input.ready.val())
            && let Some((_, item, _)) = offered.take()
        {
            owed.put(item);
        }
        rig.tick();
    }
    owed.is_done(&mut bench.check);
    bench.check.at_least(10 * QUADS as u64);
}

/// Configurations that leave different things out.
pub(crate) fn configs() -> [(&'static str, Config); 5] {
    let only_2d = ("[\"2d\", \"cube\"]", "[\"2d\"]");
    let only_samples = ("[\"sample\", \"lod\", \"bias\"]", "[\"sample\"]");
    let no_explicit = ("[\"sample\", \"lod\", \"bias\"]", "[\"sample\", \"bias\"]");
    let no_trilinear = ("trilinear = true", "trilinear = false");
    let no_mipmaps = ("mipmaps = true", "mipmaps = false");
    let no_bilinear = ("bilinear = true", "bilinear = false");
    [
        ("general_lod", config(&[])),
        ("general_lod_2d_samples", config(&[only_2d, only_samples])),
        ("general_lod_nearest", config(&[no_trilinear, no_bilinear, no_explicit])),
        ("general_lod_filters", config(&[no_trilinear, no_mipmaps])),
        ("general_lod_register", config(&[no_trilinear, no_mipmaps, no_bilinear])),
    ]
}

fn run_one(number: usize) {
    let (name, config) = &configs()[number];
    run(name, config);
}

#[test]
pub(crate) fn general_lod() {
    run_one(0);
}

#[test]
fn of_2d_samples() {
    run_one(1);
}

#[test]
fn of_nearest_levels_and_biases() {
    run_one(2);
}

/// The filter still follows the footprint.
#[test]
fn of_one_level() {
    run_one(3);
}

/// Nothing is chosen.
#[test]
fn of_one_filter() {
    run_one(4);
}

/// A quad every four clocks, also where each one is looked at for four clocks before the next one is taken.
#[test]
fn interval() {
    let config = config(&[]);
    let mut bench = Bench::new("general_lod: interval", &config);
    let shape = ProjectedItem::of(&config);
    let mut item = shape.unpack(any_bits(&mut bench.check, shape.width()));
    item.head.is_binding = number(1, 0u64);
    for rest in [0, 3] {
        let mut rig = Rig::new("general_lod", Lod::new(&config));
        rig.input.valid.drive(true);
        rig.input.data.drive(shape.pack(&item));
        let mut left: Vec<usize> = vec![];
        for clock in 0..400 {
            let ready = left.last().is_none_or(|last| clock > last + rest);
            rig.output.ready.drive(ready);
            rig.settle();
            if ready && is_high(rig.output.valid.val()) {
                left.push(clock);
            }
            rig.tick();
        }
        for (number, clock) in left.iter().enumerate() {
            bench.check.same("a clock in which a quad leaves", *clock, 24 + 4 * number);
        }
    }
    bench.check.at_least(180);
}
