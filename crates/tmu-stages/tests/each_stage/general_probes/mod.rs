//! `probes` of the general numerics against the levels of `tmu_model::general::lod`: none is lost, doubled or out of order, however
//! the stage behind moves.

pub(crate) mod rows;

use crate::support::{any_bits, is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_hdl::records::LayoutRow;
use tmu_hdl::value::Value;
use tmu_model::general::lod::Lod;
use tmu_rtl::datapath::general::axis::COORDINATE_BITS;
use tmu_rtl::datapath::general::probes::Probes;
use tmu_rtl::datapath::general::words::{
    EDGE_BITS, LeveledItem, PIXELS, PLACE_BITS, Place, Probe, has_parts,
};
use tmu_spec::general::Filter;
use tmu_spec::general::field::REGISTERS;
use tmu_spec::{Config, Preset};
use tmu_stages::{Check, Flow, Rig};

const ITEMS: usize = 8000;

fn config(changes: &[(&str, &str)]) -> Config {
    let mut text = Preset::find("multi-lite").expect("the preset is there").toml().to_owned();
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    Config::from_toml(&text).unwrap_or_else(|refused| panic!("{refused}"))
}

/// Parts that a configuration does without are 0.
fn part(check: &mut Check, width: Width) -> Bits {
    if width.packed_bits() == 0 {
        number(width.value_bits(), 0u64)
    } else {
        any_bits(check, width.value_bits())
    }
}

/// A register of a binding, or a quad.
fn item(check: &mut Check, config: &Config) -> LeveledItem {
    let shape = LeveledItem::of(config);
    let mut item = LeveledItem {
        head: shape.unpack(any_bits(check, shape.width())).head,
        valid: any_bits(check, PIXELS),
        is_failed: number(1, u64::from(check.one_in(8))),
        places: std::array::from_fn(|place| Place {
            u: any_bits(check, PLACE_BITS),
            v: any_bits(check, PLACE_BITS),
            w: part(check, shape.places[place].w),
            face: part(check, shape.places[place].face),
            reference: part(check, shape.places[place].reference),
        }),
        is_linear: part(check, shape.is_linear),
        level: part(check, shape.level),
        fraction: part(check, shape.fraction),
        ..shape.unpack(any_bits(check, shape.width()))
    };
    item.head.is_binding = number(1, u64::from(check.one_in(6)));
    item.head.register = number(item.head.register.width(), check.rng.random_range(0..u64::from(REGISTERS)));
    // Smaller levels than the last one are never named.
    if shape.level.packed_bits() > 0 {
        item.level = number(item.level.width(), check.rng.random_range(0..12u64));
    }
    if shape.parts_log2.packed_bits() > 0 {
        item.parts_log2 = number(3, check.pick(&[0, 0, 1, 2, 3, 4u64]));
        let one = |check: &mut Check| match check.rng.random_range(0..4) {
            0 => {
                check.pick(&[0, 1, 2, (1 << EDGE_BITS) - 1, 1 << (EDGE_BITS - 1), (1 << (EDGE_BITS - 1)) - 1])
            }
            1 => check.rng.random_range(0..1 << 24),
            _ => check.rng.random_range(0..1u64 << EDGE_BITS),
        };
        item.deltas = [(); 2].map(|()| number(EDGE_BITS, one(check)));
    }
    if check.one_in(2) {
        item.fraction = number(item.fraction.width(), 0u64);
    }
    item
}

/// A two's complement number.
fn signed(bits: Bits) -> i64 {
    (bits.to_u64() << (64 - bits.width())) as i64 >> (64 - bits.width())
}

/// A valid probe of an item, but for what it ends: of a pixel's part of so many, in a level with this weight of 256.
fn probe(config: &Config, item: &LeveledItem, pixel: usize, part: i64, [level, weight]: [u32; 2]) -> Probe {
    let flag = |flag: bool| number(1, u64::from(flag));
    let log2 = item.parts_log2.to_u64();
    let beside = |axis: usize| (signed(item.deltas[axis]) * (2 * part + 1 - (1 << log2))) >> (log2 + 1);
    let Place { u, v, w, face, reference } = item.places[pixel].clone();
    let moved = |place: Bits, by: i64| {
        let place = signed(place) + by;
        number(COORDINATE_BITS, place as u64 & ((1 << COORDINATE_BITS) - 1))
    };
    let shape = Probe::of(config);
    let weight = if shape.weight.packed_bits() > 0 { (256 >> log2) * weight } else { 0 };
    Probe {
        head: item.head.clone(),
        pixel: number(2, pixel as u64),
        is_valid: flag(true),
        is_failed: item.is_failed,
        is_table: flag(false),
        ends_pixel: flag(false),
        ends_quad: flag(false),
        spread: number(2, 0u64),
        valid: item.valid,
        u: moved(u, beside(0)),
        v: moved(v, beside(1)),
        w,
        face,
        reference,
        look_up: item.look_up.clone(),
        is_linear: item.is_linear,
        level: number(item.level.width(), level),
        weight: number(shape.weight.value_bits(), weight),
    }
}

/// The probe of what has none: it is not valid, and ends everything.
fn no_probe(config: &Config, item: &LeveledItem) -> Probe {
    let flag = |flag: bool| number(1, u64::from(flag));
    let whole =
        LeveledItem { parts_log2: number(3, 0u64), deltas: [number(EDGE_BITS, 0u64); 2], ..item.clone() };
    let probe = probe(config, &whole, 0, 0, [item.level.to_u64() as u32, 0]);
    Probe { is_valid: flag(false), ends_pixel: flag(true), ends_quad: flag(true), ..probe }
}

/// The pixels of an item that have probes.
fn pixels(item: &LeveledItem) -> Vec<usize> {
    let is_empty = is_high(item.head.is_binding) || is_high(item.is_failed);
    (0..PIXELS).filter(|pixel| !is_empty && is_high(item.valid.bit(*pixel))).collect()
}

/// The levels of an item, each with its weight.
fn levels(item: &LeveledItem) -> Vec<[u32; 2]> {
    let lod = Lod {
        filter: Filter::Linear,
        level: item.level.to_u64() as u32,
        fraction: item.fraction.to_u64() as u32,
        ripmap: None,
        probes_log2: item.parts_log2.to_u64() as u32,
        axis: [0; 2],
    };
    lod.levels().map(|(level, weight)| [level, weight]).collect()
}

/// The probes of an item: of each level its pixels, and of each pixel its parts.
fn expected(config: &Config, item: &LeveledItem) -> Vec<Probe> {
    let flag = |flag: bool| number(1, u64::from(flag));
    let mut probes = vec![];
    let levels = levels(item);
    let parts = 1i64 << item.parts_log2.to_u64();
    for (number, level) in levels.iter().enumerate() {
        for pixel in pixels(item) {
            for part in 0..parts {
                let ends_pixel = flag(number + 1 == levels.len() && part + 1 == parts);
                probes.push(Probe { ends_pixel, ..probe(config, item, pixel, part, *level) });
            }
        }
    }
    if probes.is_empty() {
        probes.push(no_probe(config, item));
    }
    probes.last_mut().expect("a probe").ends_quad = flag(true);
    probes
}

/// Of a register of a binding only its data count; of a probe that is not valid only what it ends.
fn same(check: &mut Check, (shape, layout): &ProbeWord, got: &Probe, expected: Value) {
    let word = Bits::constant(expected);
    let probe = shape.unpack(word);
    let (is_binding, is_valid) = (is_high(probe.head.is_binding), is_high(probe.is_valid));
    let counts = |name: &str| match name {
        "head_is_binding" | "is_valid" | "ends_pixel" | "ends_quad" => true,
        "head_register" => is_binding,
        "is_failed" | "valid" => !is_binding,
        "u" => is_valid || is_binding,
        _ => is_valid,
    };
    check.same_parts(layout, [shape.pack(got), word], counts, format_args!("of {expected:?}"));
}

/// The shape of a probe and the layout of its packed word, which take longer to make than probes to compare.
type ProbeWord = (Probe<Width>, Vec<LayoutRow>);

fn probe_word(config: &Config) -> ProbeWord {
    let shape = Probe::of(config);
    let layout = shape.layout();
    (shape, layout)
}

/// How often items come and probes are taken.
#[derive(Clone, Copy)]
struct Pace {
    in_one_of: u32,
    out_one_of: u32,
}

fn run(name: &str, config: &Config) {
    let mut check = Check::new(name);
    let (probe_word, item_shape) = (probe_word(config), LeveledItem::of(config));
    let mut rig = Rig::new(name, Probes::new(config));
    let mut owed: Flow<Value> = Flow::default();
    let mut offered: Option<LeveledItem> = None;
    let mut items = 0;
    let mut pace = Pace { in_one_of: 1, out_one_of: 1 };
    while items < ITEMS || offered.is_some() || !owed.is_empty() {
        if check.one_in(200) {
            pace = Pace { in_one_of: check.pick(&[1, 1, 2, 6]), out_one_of: check.pick(&[1, 1, 2, 6]) };
        }
        if offered.is_none() && items < ITEMS && check.one_in(pace.in_one_of) {
            offered = Some(item(&mut check, config));
            items += 1;
        }
        let advance = check.one_in(pace.out_one_of);
        rig.advance.drive(advance);
        rig.input.valid.drive(offered.is_some());
        let data = match &offered {
            Some(item) => item_shape.pack(item),
            None => any_bits(&mut check, item_shape.width()),
        };
        rig.input.data.drive(data);
        rig.settle();
        if advance && is_high(rig.out_valid.val()) {
            let expected = owed.next(&mut check);
            same(&mut check, &probe_word, &rig.probe.val(), expected);
        }
        let takes = is_high(rig.input.ready.val()) && offered.is_some();
        rig.tick();
        if takes && let Some(item) = offered.take() {
            expected(config, &item)
                .into_iter()
                .for_each(|probe| owed.put(Probe::of(config).pack(&probe).value()));
        }
    }
    owed.is_done(&mut check);
    check.at_least(10 * ITEMS as u64);
}

/// Configurations that leave different things out.
pub(crate) fn configs() -> Vec<(&'static str, Config)> {
    let least = [
        ("trilinear = true", "trilinear = false"),
        ("mipmaps = true", "mipmaps = false"),
        ("[\"2d\", \"cube\"]", "[\"2d\"]"),
        ("[\"sample\", \"lod\", \"bias\"]", "[\"sample\"]"),
    ];
    let parts_alone = [
        ("trilinear = true", "trilinear = false\nmax_anisotropy = 4"),
        ("mipmaps = true", "mipmaps = false"),
        ("bilinear = true", "bilinear = false"),
        ("[\"2d\", \"cube\"]", "[\"2d\"]"),
        ("[\"sample\", \"lod\", \"bias\"]", "[\"sample\"]"),
    ];
    let all = [
        ("trilinear = true", "trilinear = true\nmax_anisotropy = 16"),
        ("[\"2d\", \"cube\"]", "[\"1d\", \"2d\", \"3d\", \"cube\", \"2d_array\"]"),
        ("[\"sample\", \"lod\", \"bias\"]", "[\"sample\", \"lod\", \"bias\", \"fetch\", \"gather\"]"),
    ];
    vec![
        ("general_probes", config(&[])),
        ("general_probes_bilinear", config(&[("trilinear = true", "trilinear = false")])),
        ("general_probes_least", config(&least)),
        ("general_probes_parts", config(&[("trilinear = true", "trilinear = true\nmax_anisotropy = 16")])),
        ("general_probes_parts_alone", config(&parts_alone)),
        ("general_probes_all", config(&all)),
    ]
}

fn run_one(number: usize) {
    let (name, config) = &configs()[number];
    run(name, config);
}

#[test]
pub(crate) fn general_probes() {
    run_one(0);
}

#[test]
fn without_trilinear() {
    run_one(1);
}

#[test]
fn without_mipmaps_and_cubes() {
    run_one(2);
}

#[test]
fn with_parts() {
    run_one(3);
}

#[test]
fn with_parts_alone() {
    run_one(4);
}

#[test]
fn with_everything() {
    run_one(5);
}

#[test]
fn no_bubble() {
    leaves_no_bubble(&config(&[]));
}

#[test]
fn no_bubble_between_parts() {
    leaves_no_bubble(&configs()[5].1);
}

/// While items come and probes leave in each clock, so does a probe.
fn leaves_no_bubble(config: &Config) {
    let first = if has_parts(config) { 3 } else { 2 };
    let mut check = Check::new("general_probes: no bubble");
    let mut rig = Rig::new("general_probes", Probes::new(config));
    let mut next = item(&mut check, config);
    rig.advance.drive(true);
    rig.input.valid.drive(true);
    for clock in 0..3000 {
        rig.input.data.drive(LeveledItem::of(config).pack(&next));
        rig.settle();
        check.holds(clock < first || is_high(rig.out_valid.val()), format_args!("a probe in clock {clock}"));
        let takes = is_high(rig.input.ready.val());
        rig.tick();
        if takes {
            next = item(&mut check, config);
        }
    }
}
