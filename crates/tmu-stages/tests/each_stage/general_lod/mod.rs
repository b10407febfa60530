//! `lod` of the general numerics against `tmu_model::general::lod`: edges around the lengths at which something changes, levels of detail
//! of all kinds, bindings between quads.

mod quads;
mod rate;

use self::quads::{binding, quad, registers};
use crate::support::{any_bits, is_high, number};
use tmu_hdl::prelude::*;
use tmu_hdl::records::LayoutRow;
use tmu_hdl::value::Value;
use tmu_model::general::lod::{Lod as GoldenLod, edges, of_quad};
use tmu_model::general::projection::Position;
use tmu_model::general::request::Bound;
use tmu_rtl::datapath::general::lod::Lod;
use tmu_rtl::datapath::general::ripmap::Ripmap;
use tmu_rtl::datapath::general::words::{
    EDGE_BITS, ItemHead, LEVEL_BITS, LeveledItem, LookUp, NUMBER_BITS, OPERATION_BITS, PARTS_LOG2_BITS,
    PLACE_BITS, Pass, Place, ProjectedItem, QuadMarks,
};
use tmu_spec::general::features::OperationName;
use tmu_spec::general::sampler::lod_steps;
use tmu_spec::general::{Filter, General, Kind, Operation, Quad};
use tmu_spec::{Config, Preset};
use tmu_stages::{Check, Flow, Rig};

const QUADS: usize = 6000;

fn config(changes: &[(&str, &str)]) -> Config {
    changed(Preset::find("multi-lite").expect("the preset is there").toml(), changes)
}

fn changed(text: &str, changes: &[(&str, &str)]) -> Config {
    let mut text = text.to_owned();
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    Config::from_toml(&text).unwrap_or_else(|refused| panic!("{refused}"))
}

fn general(config: &Config) -> General {
    *config.features().general().expect("the numerics are general")
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
        lod: GoldenLod { filter, level, fraction: 0, ripmap: None, probes_log2: 0, axis: [0; 2] },
        is_outside,
    };
    let largest = bound.is_ripmap().then_some([0; 2]);
    match quad.operation {
        Operation::Fetch => {
            let level = lod_steps(f32::from_bits(quad.lod)) >> 8;
            let inside = u32::try_from(level).ok().filter(|level| *level < bound.texture().levels());
            of(Filter::Nearest, inside.unwrap_or(0), inside.is_none())
        }
        Operation::Gather(_) => {
            let gathered = of(Filter::Linear, 0, false);
            Chosen { lod: GoldenLod { ripmap: largest, ..gathered.lod }, ..gathered }
        }
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
    /// Quads of volumes with an edge whose squared length is past what two components have.
    long: u32,
    /// Quads of ripmaps by the smaller number of their levels, and those whose levels differ by more than one.
    levels: [u32; 13],
    slanted: u32,
}

/// `lod`, with what stands around it in units with ripmaps.
#[derive(LogicBlock)]
struct Levels {
    clocks: Clocks,
    input: StreamIn,
    output: StreamOut,
    ripmap: Optional<Ripmap>,
    lod: Lod,
}

impl Levels {
    fn new(config: &Config) -> Levels {
        Levels {
            clocks: Clocks::new(),
            input: StreamIn::new(ProjectedItem::of(config).width()),
            output: StreamOut::new(LeveledItem::of(config).width()),
            ripmap: Optional::new(general(config).ripmaps, || Ripmap::new(config)),
            lod: Lod::new(config),
        }
    }
}

#[kernel]
impl Levels {
    fn logic(&self) {
        let lod = &self.lod;
        lod.clocks.follow(&self.clocks);
        if let Some(ripmap) = self.ripmap.as_ref() {
            ripmap.clocks.follow(&self.clocks);
            ripmap.input.forward(&self.input);
            lod.input.take_from(&ripmap.turned);
            ripmap.leveled.take_from(&lod.output);
            self.output.forward(&ripmap.output);
        } else {
            lod.input.forward(&self.input);
            self.output.forward(&lod.output);
        }
    }
}

/// Whether the squared length of an edge of a volume is 2^35 or more when it is shifted: more than two components have.
fn is_long(bound: &Bound, edges: [[i64; 3]; 2]) -> bool {
    const MOST: u64 = (1 << 33) - 1;
    let texels = edges.map(|edge| {
        let size = bound.level(0).size;
        [0, 1, 2].map(|axis| (edge[axis].unsigned_abs() * u64::from(size[axis])).min(MOST))
    });
    let largest = texels.as_flattened().iter().copied().max().unwrap_or(0);
    let square = |edge: [u64; 3]| edge.iter().map(|side| u128::from(*side).pow(2)).sum::<u128>();
    largest > 0 && texels.into_iter().any(|edge| square(edge) >> (2 * largest.ilog2() + 3) > 0)
}

impl Bench {
    fn new(name: &str, config: &Config) -> Bench {
        let mut check = Check::new(name);
        let bound = binding(&mut check, config);
        let registers = registers(&mut check, &bound).into_iter().enumerate().rev().collect();
        Bench {
            check,
            config: config.clone(),
            bound,
            registers,
            cut: [0; 5],
            long: 0,
            levels: [0; 13],
            slanted: 0,
        }
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
            self.long +=
                u32::from(is_volume && quad.operation != Operation::Lod && is_long(&self.bound, edges));
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
                pass: Pass::none(),
                ripmap: [0, 1].map(|axis: usize| {
                    number(LEVEL_BITS, lod.ripmap.map_or(0, |levels| u64::from(levels[axis] + 1)))
                }),
            },
            parts_log2: number(PARTS_LOG2_BITS, lod.probes_log2),
            deltas: lod.axis.map(|delta| bits(EDGE_BITS, delta)),
        };
        self.cut[lod.probes_log2 as usize] += 1;
        if let Some([u, v]) = lod.ripmap {
            self.levels[u.min(v) as usize] += 1;
            self.slanted += u32::from(u.abs_diff(v) > 1);
        }
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

fn same(check: &mut Check, layout: &[LayoutRow], got: Bits, owed: &Owed) {
    let counts = |name: &str| match name {
        "is_linear" | "parts_log2" => owed.has_filter,
        name if name.starts_with("look_up") => owed.has_filter,
        "level" | "fraction" => owed.has_level,
        name if name.starts_with("deltas") => owed.has_deltas,
        _ => true,
    };
    check.same_parts(layout, [got, Bits::constant(owed.item)], counts, format_args!("of {}", owed.said));
}

fn run(name: &str, config: &Config) {
    let mut bench = Bench::new(name, config);
    let mut rig = Rig::new(name, Levels::new(config));
    let mut owed: Flow<Owed> = Flow::default();
    let layout = LeveledItem::of(config).layout();
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
            same(&mut bench.check, &layout, rig.output.data.val(), &item);
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
        bench.check.holds(quads > 20, format_args!("only {quads} quads with 2^{log2} parts"));
    }
    let (has_volumes, long) = (general(config).has_kind(Kind::D3), bench.long);
    bench
        .check
        .holds(!has_volumes || long > 20, format_args!("only {long} quads of volumes with long edges"));
    let (has_ripmaps, levels, slanted) = (general(config).ripmaps, bench.levels, bench.slanted);
    let has_seen = levels[..8].iter().all(|quads| *quads > 0) && slanted > 100;
    bench
        .check
        .holds(!has_ripmaps || has_seen, format_args!("levels of ripmaps: {levels:?}, {slanted} slanted"));
}

/// Configurations that leave different things out, or have more.
pub(crate) fn configs() -> Vec<(&'static str, Config)> {
    let kinds = |kinds| ("[\"2d\", \"cube\"]", kinds);
    let operations = |operations| ("[\"sample\", \"lod\", \"bias\"]", operations);
    let anisotropy = |anisotropy| ("trilinear = true", anisotropy);
    let ripmaps = ("trilinear = true", "trilinear = true\nripmaps = true");
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
        ("general_lod_ripmaps", config(&[all_operations, ripmaps])),
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

/// The same with four lanes.
pub(crate) fn of_four_lanes(config: &Config) -> Config {
    let lanes = ("pixels_per_clock = 1", "pixels_per_clock = 4");
    let beats = ("beats_per_quad = 2", "beats_per_quad = 1");
    changed(config.canonical_toml(), &[lanes, beats])
}

/// Runs a configuration with one lane and with four.
fn run_one(name: &str) {
    let (name, config) = configs().into_iter().find(|(of, _)| *of == name).expect("a configuration");
    run(name, &config);
    run(&format!("{name}_four_lanes"), &of_four_lanes(&config));
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

/// Levels along u and along v, each by itself.
#[test]
fn of_ripmaps() {
    run_one("general_lod_ripmaps");
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
