//! `lod` of the general numerics against `tmu_model::general::lod`: edges around the lengths at which something changes, levels of detail
//! of all kinds, bindings between quads.

use crate::support::{any_bits, is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::MemoryImage;
use tmu_model::general::lod::{Lod as GoldenLod, edges, of_quad};
use tmu_model::general::projection::Position;
use tmu_model::general::request::Bound;
use tmu_rtl::datapath::general::lod::Lod;
use tmu_rtl::datapath::general::words::{
    EDGE_BITS, ItemHead, LeveledItem, LookUp, NUMBER_BITS, OPERATION_BITS, PARTS_LOG2_BITS, PLACE_BITS,
    Place, ProjectedItem, QuadMarks,
};
use tmu_spec::binding::field::Field as RecordField;
use tmu_spec::choice::Choice;
use tmu_spec::general::features::OperationName;
use tmu_spec::general::sampler::{ANISOTROPIES, lod_steps};
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
    let height = match kind {
        Kind::Cube => width,
        Kind::D1 => 1,
        // Texels of which edges are alike, so that their ratio is.
        _ if check.one_in(3) => width,
        _ => side(check),
    };
    // All of it has to lie in memory.
    let most_slices = (1 << 28) / (u32::next_multiple_of(width, 4) * u32::next_multiple_of(height, 4));
    let depth = match kind {
        Kind::D3 => side(check).min(most_slices),
        Kind::D2Array => side(check).min(most_slices).min(2048),
        _ => 1,
    };
    let format = Format::Rgba8;
    let mut shape = TextureShape { kind, width, height, depth, levels: 1, format };
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
        max_anisotropy: anisotropy(check, &general),
        ..Sampler::default()
    };
    Bound::new(&texture, 0, &sampler, config.features(), &general, &MemoryImage::new(0, vec![0u8; 0]))
        .unwrap_or_else(|rules| panic!("{rules:?}"))
}

/// Most probes of a footprint: often as many as there may be.
fn anisotropy(check: &mut Check, general: &General) -> u32 {
    let most = general.max_anisotropy;
    if check.one_in(2) { most } else { check.pick(&ANISOTROPIES).min(most) }
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
    set(field::DEPTH, shape.depth - 1);
    set(field::LEVELS, shape.levels - 1);
    set(field::KIND, shape.kind.code().into());
    set(field::MIN, sampler.min as u32);
    set(field::MAG, sampler.mag as u32);
    set(field::MIP, sampler.mip as u32);
    set(field::ANISOTROPY, sampler.max_anisotropy.ilog2());
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

/// Right angled footprints of which one side is about 1 to 32 times as long as the other one.
fn long_footprint(check: &mut Check, size: [u32; 3]) -> [[i64; 3]; 4] {
    let [one, other] = [0, 1].map(|_| {
        let most = 1i64 << check.rng.random_range(1..20);
        check.rng.random_range(0..most) - 3
    });
    let one = if check.one_in(2) { 0 } else { one };
    let times = 1i64 << check.rng.random_range(0..6);
    let near = check.pick(&[0, 0, 0, -1, 1, 700, -700]);
    let [mut short, mut long] = [[one, other], [other * times + near, -one * times]];
    if check.one_in(2) {
        std::mem::swap(&mut short, &mut long);
    }
    // In texels of the wider side.
    let widest = i64::from(size[0].max(size[1]));
    let units = |edge: [i64; 2]| [0, 1].map(|axis| edge[axis] * (widest / i64::from(size[axis])));
    let ([u, v], [s, t]) = (units(short), units(long));
    let start = check.rng.random::<i64>() >> 30;
    [[0, 0], [u, v], [s, t], [u + s, v + t]].map(|[u, v]| [start + u, start + v, 0])
}

fn positions(check: &mut Check, bound: &Bound) -> [Position; 4] {
    let size = bound.level(0).size;
    if check.one_in(if bound.general().max_anisotropy > 1 { 2 } else { 20 }) {
        return long_footprint(check, size).map(|uvw| Position { uvw, slice: 0 });
    }
    let mut uvw = [[0; 3]; 4];
    for axis in 0..3 {
        let any = check.rng.random::<i64>() >> 28;
        let start = check.pick(&[COORDINATES[0], -70_000, 0, 12_345, COORDINATES[1], any]);
        let still = check.one_in(6);
        // Edges along w are often the shorter ones, and still add to the length.
        let far = if axis == 2 { check.pick(&[0, 0, 1, 3, 20]) } else { 0 };
        let mut step = || if still { 0 } else { difference(check, size[axis]) >> far };
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
    let component = check.rng.random_range(0..4);
    let operations = [
        Operation::Sample,
        Operation::Sample,
        Operation::Lod,
        Operation::Bias,
        Operation::Fetch,
        Operation::Gather(component),
    ];
    let operations: Vec<_> = operations.into_iter().filter(|of| bound.does(*of)).collect();
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

/// What comes out, packed, and what of it counts.
#[derive(Debug)]
struct Owed {
    item: Value,
    /// Filter and number of parts do.
    has_filter: bool,
    /// The level does.
    has_level: bool,
    /// The edge does that is cut.
    has_deltas: bool,
    said: String,
}

/// What is chosen for a quad, by the golden model.
struct Chosen {
    lod: GoldenLod,
    is_outside: bool,
}

fn chosen(bound: &Bound, quad: &Quad, positions: &[Position; 4]) -> Chosen {
    let of = |filter, level, is_outside| Chosen {
        lod: GoldenLod { filter, level, fraction: 0, probes_log2: 0, axis: [0; 2] },
        is_outside,
    };
    match quad.operation {
        Operation::Fetch => {
            let level = lod_steps(f32::from_bits(quad.lod)) >> 8;
            let inside = u32::try_from(level).ok().filter(|level| *level < bound.texture().levels());
            of(Filter::Nearest, inside.unwrap_or(0), inside.is_none())
        }
        Operation::Gather(_) => of(Filter::Linear, 0, false),
        _ => Chosen { lod: of_quad(bound, quad, positions), is_outside: false },
    }
}

struct Bench {
    check: Check,
    config: Config,
    bound: Bound,
    /// What of a binding has not come yet.
    registers: Vec<(usize, u32)>,
    /// Quads with so many parts, by the logarithm.
    cut: [u32; 5],
}

impl Bench {
    fn new(name: &str, config: &Config) -> Bench {
        let mut check = Check::new(name);
        let bound = binding(&mut check, config);
        let registers = registers(&mut check, &bound).into_iter().enumerate().rev().collect();
        Bench { check, config: config.clone(), bound, registers, cut: [0; 5] }
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
            let owed = Owed {
                item: leveled.pack(&out).value(),
                has_filter: false,
                has_level: false,
                has_deltas: false,
                said: "a binding".into(),
            };
            return (shape.pack(&item).value(), owed, false);
        }
        let (quad, positions) = quad(&mut self.check, &self.bound);
        let edges = edges(&self.bound, &quad, &positions);
        let Chosen { lod, is_outside } = chosen(&self.bound, &quad, &positions);
        let bits = |width: usize, value: i64| number(width, value as u64 & ((1 << width) - 1));
        let is_failed = self.check.one_in(10);
        item.head.is_binding = number(1, 0u64);
        item.marks = QuadMarks {
            valid: number(4, quad.valid),
            is_failed: number(1, u64::from(is_failed)),
            operation: number(OPERATION_BITS, OperationName::from(quad.operation) as u64),
            lod: number(NUMBER_BITS, quad.lod),
            component: match quad.operation {
                Operation::Gather(component) => number(2, component),
                _ => self.part(shape.marks.component),
            },
        };
        item.places = std::array::from_fn(|pixel| {
            let Position { uvw: [u, v, _], slice } = positions[pixel];
            let face = number(item.places[pixel].face.width(), slice);
            Place { u: bits(PLACE_BITS, u), v: bits(PLACE_BITS, v), face, ..item.places[pixel].clone() }
        });
        let has_edges = !matches!(quad.operation, Operation::Fetch | Operation::Gather(_));
        if let Some(edges) = edges
            && has_edges
        {
            let is_volume = self.bound.texture().kind() == Kind::D3;
            item.edges = edges.map(|[u, v, w]| {
                let third = if is_volume { bits(EDGE_BITS, w) } else { self.part(shape.edges[0][2]) };
                [bits(EDGE_BITS, u), bits(EDGE_BITS, v), third]
            });
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
            look_up: LookUp {
                is_fetch: number(1, u64::from(quad.operation == Operation::Fetch)),
                is_outside: number(1, u64::from(is_outside)),
                is_gather: number(1, u64::from(matches!(quad.operation, Operation::Gather(_)))),
                component: item.marks.component,
            },
            parts_log2: number(PARTS_LOG2_BITS, lod.probes_log2),
            deltas: lod.axis.map(|delta| bits(EDGE_BITS, delta)),
        };
        self.cut[lod.probes_log2 as usize] += 1;
        let (texture, sampler) = (self.bound.texture().shape(), self.bound.sampler());
        let said = format!("{lod:?} of {edges:?}, {quad:?}, {texture:?}, {sampler:?}");
        let owed = Owed {
            item: leveled.pack(&out).value(),
            has_filter: !is_failed,
            has_level: !is_failed && !is_outside,
            has_deltas: !is_failed && lod.probes_log2 > 0,
            said,
        };
        (shape.pack(&item).value(), owed, true)
    }
}

fn same(check: &mut Check, config: &Config, got: Bits, owed: &Owed) {
    let shape = LeveledItem::of(config);
    let expected = Bits::constant(owed.item);
    for row in shape.layout() {
        let counts = match &row.name[..] {
            "is_linear" | "parts_log2" => owed.has_filter,
            name if name.starts_with("look_up") => owed.has_filter,
            "level" | "fraction" => owed.has_level,
            name if name.starts_with("deltas") => owed.has_deltas,
            _ => true,
        };
        if counts {
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
    let most = general(config).max_anisotropy.ilog2();
    for (log2, quads) in bench.cut.into_iter().enumerate().take(most as usize + 1) {
        bench.check.holds(quads > 20, format!("only {quads} quads with 2^{log2} parts"));
    }
}

/// Configurations that leave different things out, or have more.
pub(crate) fn configs() -> Vec<(&'static str, Config)> {
    let kinds = |kinds| ("[\"2d\", \"cube\"]", kinds);
    let operations = |operations| ("[\"sample\", \"lod\", \"bias\"]", operations);
    let anisotropy = |anisotropy| ("trilinear = true", anisotropy);
    let no_trilinear = ("trilinear = true", "trilinear = false");
    let no_mipmaps = ("mipmaps = true", "mipmaps = false");
    let no_bilinear = ("bilinear = true", "bilinear = false");
    let all_operations = operations("[\"sample\", \"lod\", \"bias\", \"fetch\", \"gather\"]");
    let all_kinds = kinds("[\"1d\", \"2d\", \"3d\", \"cube\", \"2d_array\"]");
    let all_parts = anisotropy("trilinear = true\nmax_anisotropy = 16");
    vec![
        ("general_lod", config(&[])),
        ("general_lod_2d_samples", config(&[kinds("[\"2d\"]"), operations("[\"sample\"]")])),
        ("general_lod_nearest", config(&[no_trilinear, no_bilinear, operations("[\"sample\", \"bias\"]")])),
        ("general_lod_filters", config(&[no_trilinear, no_mipmaps])),
        ("general_lod_register", config(&[no_trilinear, no_mipmaps, no_bilinear])),
        ("general_lod_lines", config(&[kinds("[\"1d\", \"2d_array\"]")])),
        ("general_lod_volumes", config(&[kinds("[\"2d\", \"3d\"]")])),
        ("general_lod_fetch", config(&[all_operations])),
        (
            "general_lod_fetch_alone",
            config(&[no_trilinear, no_mipmaps, no_bilinear, operations("[\"fetch\"]")]),
        ),
        (
            "general_lod_gather_alone",
            config(&[no_trilinear, no_mipmaps, no_bilinear, operations("[\"sample\", \"gather\"]")]),
        ),
        ("general_lod_parts", config(&[all_parts, kinds("[\"2d\"]")])),
        (
            "general_lod_four_parts",
            config(&[
                anisotropy("trilinear = false\nmax_anisotropy = 4"),
                no_mipmaps,
                no_bilinear,
                operations("[\"sample\", \"gather\"]"),
            ]),
        ),
        ("general_lod_all", config(&[all_kinds, all_operations, all_parts])),
    ]
}

fn run_one(name: &str) {
    let (name, config) = configs().into_iter().find(|(of, _)| *of == name).expect("a configuration");
    run(name, &config);
}

#[test]
pub(crate) fn general_lod() {
    run_one("general_lod");
}

#[test]
fn of_2d_samples() {
    run_one("general_lod_2d_samples");
}

#[test]
fn of_nearest_levels_and_biases() {
    run_one("general_lod_nearest");
}

/// The filter still follows the footprint.
#[test]
fn of_one_level() {
    run_one("general_lod_filters");
}

/// Nothing is chosen.
#[test]
fn of_one_filter() {
    run_one("general_lod_register");
}

#[test]
fn of_lines_and_arrays() {
    run_one("general_lod_lines");
}

#[test]
fn of_volumes() {
    run_one("general_lod_volumes");
}

#[test]
fn of_fetches_and_gathers() {
    run_one("general_lod_fetch");
}

/// The only levels are those of fetches.
#[test]
fn of_fetches_alone() {
    run_one("general_lod_fetch_alone");
}

/// The filter follows the operation.
#[test]
fn of_gathers_alone() {
    run_one("general_lod_gather_alone");
}

#[test]
fn of_parts() {
    run_one("general_lod_parts");
}

/// There are parts, and nothing else is chosen.
#[test]
fn of_four_parts() {
    run_one("general_lod_four_parts");
}

#[test]
fn of_everything() {
    run_one("general_lod_all");
}

/// The clocks in which items leave that all come at once: a register that says of which kind the texture is, if one is given, and
/// quads. Each is looked at for so many clocks more before the next one is taken.
fn leaving(config: &Config, kind: Option<Kind>, rest: usize) -> Vec<usize> {
    let mut check = Check::new("general_lod: interval");
    let shape = ProjectedItem::of(config);
    let mut quad = shape.unpack(any_bits(&mut check, shape.width()));
    quad.head.is_binding = number(1, 0u64);
    quad.marks.operation = number(OPERATION_BITS, OperationName::Sample as u64);
    let register = kind.map(|kind| {
        let (register, shift) = field::place(field::KIND);
        let mut item = quad.clone();
        item.head = ItemHead { is_binding: number(1, 1u64), register: number(5, u64::from(register)) };
        item.places[0].u = number(PLACE_BITS, u64::from(kind.code()) << shift);
        item
    });
    let mut rig = Rig::new("general_lod", Lod::new(config));
    rig.input.valid.drive(true);
    let (mut next, mut left) = (register.as_ref().unwrap_or(&quad), vec![]);
    for clock in 0..400 {
        rig.input.data.drive(shape.pack(next));
        let ready = left.last().is_none_or(|last| clock > last + rest);
        rig.output.ready.drive(ready);
        rig.settle();
        if ready && is_high(rig.output.valid.val()) {
            left.push(clock);
        }
        let takes = is_high(rig.input.ready.val());
        rig.tick();
        if takes {
            next = &quad;
        }
    }
    left
}

/// A quad every four clocks, whatever else is built; one of a volume every eight.
#[test]
fn interval() {
    let mut check = Check::new("general_lod: interval");
    let table = [
        ("general_lod", None, 24, 4),
        ("general_lod_parts", None, 28, 4),
        ("general_lod_volumes", None, 28, 4),
        ("general_lod_volumes", Some(Kind::D3), 0, 8),
        ("general_lod_all", None, 32, 4),
        ("general_lod_all", Some(Kind::D3), 0, 8),
    ];
    let configs = configs();
    for (name, kind, latency, interval) in table {
        let (_, config) = configs.iter().find(|(of, _)| *of == name).expect("a configuration");
        for rest in [0, 3] {
            let left = leaving(config, kind, rest);
            if kind.is_none() {
                check.same(format!("{name}: the clock in which the first quad leaves"), left[0], latency);
            }
            for (number, pair) in left.windows(2).enumerate().skip(usize::from(kind.is_some())) {
                let what = format!("{name}, {kind:?}: clocks between items {number} and {}", number + 1);
                check.same(what, pair[1] - pair[0], interval);
            }
        }
    }
    check.at_least(500);
}
