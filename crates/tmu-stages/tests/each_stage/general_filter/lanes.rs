//! The filter of four lanes: rows of pixels, of parts and of levels, whose lanes come in any clocks.

use super::{
    Changes, Channel, Has, Item, Probe, Use, as_shown, brought, channels, features, plain_result, tap_of,
    without,
};
use crate::filter::result;
use crate::support::{any_bits, configs, is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_model::general::filter::{Sum, WHOLE};
use tmu_rtl::datapath::general::decode::FilterTap;
use tmu_rtl::datapath::general::filter::lanes::FilterLanes;
use tmu_rtl::datapath::general::result::QuadSample;
use tmu_rtl::datapath::general::words::{PIXELS, TAPS, TexelUse};
use tmu_spec::{Config, QuadResult};
use tmu_stages::{Check, Flow, Rig};

const QUADS: usize = 1500;

#[test]
pub(crate) fn multi_lite() {
    filter("general_filter lanes", &configs::multi_lite_quad(&[]));
}

#[test]
pub(crate) fn everything() {
    filter("general_filter lanes everything", &configs::multi_quad());
}

#[test]
fn less() {
    all_of(without());
}

#[test]
fn more() {
    all_of(features());
}

/// Sums without parts of a pixel, and parts without a second level.
#[test]
fn sums() {
    let long = ("bilinear = true", "bilinear = true\nmax_anisotropy = 2");
    let volumes = ("[\"2d\", \"cube\"]", "[\"3d\", \"cube\"]");
    let one_level = ("trilinear = true", "trilinear = false");
    let gather = ("\"bias\"]", "\"bias\", \"gather\", \"fetch\"]");
    all_of(vec![
        vec![volumes, one_level],
        vec![long, one_level],
        vec![volumes, gather],
        vec![long, volumes, gather],
    ]);
}

fn all_of(changes: Vec<Changes>) {
    for changes in changes {
        filter(&format!("lanes {changes:?}"), &configs::multi_lite_quad(&changes));
    }
}

/// The items of a row, by lanes: each has those of a probe, or of several one behind the other.
type Row = [Vec<Item>; PIXELS];

/// What a clock has: the items of lanes.
type Clock = [Option<Item>; PIXELS];

/// A quad on its way, and what becomes of it.
#[derive(Clone, Debug)]
struct Quad {
    valid: u8,
    spread: u64,
    is_failed: bool,
    of: Use,
    clocks: Vec<Clock>,
    expected: Expected,
}

/// What leaves for a quad.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Expected {
    Result(QuadResult),
    /// Valid bits, whether it failed, and if not whether channels are floats, and those of pixels that count.
    Samples(u8, bool, Option<(bool, [Option<[Channel; 4]>; PIXELS])>),
}

/// The rows of a quad: of each lane its pixel.
fn rows_of(valid: u8, spread: u64, groups: usize, levels: usize) -> Vec<[Option<usize>; PIXELS]> {
    let counts = |pixel: usize| (valid >> pixel & 1 == 1).then_some(pixel);
    let of_level: Vec<[Option<usize>; PIXELS]> = match spread {
        0 => vec![[0, 1, 2, 3].map(counts)],
        1 => [0, 2].map(|pixel| [pixel, pixel, pixel + 1, pixel + 1].map(counts)).into(),
        _ => (0..PIXELS).flat_map(|pixel| vec![[counts(pixel); PIXELS]; groups]).collect(),
    };
    let has_any = |row: &[Option<usize>; PIXELS]| row.iter().any(Option::is_some);
    let of_level: Vec<_> = of_level.into_iter().filter(has_any).collect();
    (0..levels).flat_map(|_| of_level.clone()).collect()
}

/// Weights of so many probes of a pixel.
fn weights(check: &mut Check, has: &Has, count: usize) -> Vec<u32> {
    if !has.sums() && count == 2 {
        let fraction = check.rng.random_range(1..256);
        return vec![WHOLE - 256 * fraction, 256 * fraction];
    }
    let mut rest = WHOLE;
    let mut weights: Vec<u32> = (1..count)
        .map(|_| {
            let weight = check.rng.random_range(0..=rest);
            rest -= weight;
            weight
        })
        .collect();
    weights.push(rest);
    // The last one is not always the smallest.
    let turn = if has.sums() { check.rng.random_range(0..count) } else { 0 };
    weights.rotate_left(turn);
    weights
}

/// The items of a probe.
fn items_of(check: &mut Check, probe: &Probe, of: Use, pixel: usize, fails_often: bool) -> Vec<Item> {
    let parts = probe.items(check);
    let item = |check: &mut Check, part: usize| Item {
        pixel,
        is_valid: true,
        is_failed: false,
        marks: [part == 0, part + 1 == parts.len(), check.one_in(2), false],
        brings: parts[part],
        probe: probe.clone(),
        of,
        error: fails_often && check.one_in(12),
    };
    (0..parts.len()).map(|part| item(check, part)).collect()
}

/// The clocks of a row: in each step lanes have an item or none, and those that have one go together or not.
fn clocks_of(check: &mut Check, row: Row) -> Vec<Clock> {
    let mut left = row.map(|items| items.into_iter());
    let mut clocks = vec![];
    let splits_often = check.one_in(2);
    loop {
        let mut step: Clock = std::array::from_fn(|lane| left[lane].next());
        if step.iter().all(Option::is_none) {
            return clocks;
        }
        while step.iter().any(Option::is_some) {
            let goes: [bool; PIXELS] = std::array::from_fn(|_| !splits_often || check.one_in(2));
            let clock: Clock = std::array::from_fn(|lane| if goes[lane] { step[lane].take() } else { None });
            if clock.iter().any(Option::is_some) {
                clocks.push(clock);
            }
        }
    }
}

fn quad(check: &mut Check, has: &Has) -> Quad {
    let valid = check.rng.random_range(0..16u8);
    let is_failed = check.one_in(12);
    let fails_often = check.one_in(8);
    let of = Use::any(check, has);
    let is_plain = of.gathers.is_none() && !of.are_floats && !of.is_void;
    let has_parts = has.general.max_anisotropy > 1 && is_plain;
    let spread = if has_parts { check.rng.random_range(0..3) } else { 0 };
    let groups = check.pick(&[1, 1, 2, 4]);
    let levels = if has.general.trilinear && is_plain { check.rng.random_range(1..=2) } else { 1 };
    let counting = if is_failed { 0 } else { valid };
    let rows = rows_of(counting, spread, groups, levels);
    // Of each row and lane the probes: slices of a volume may be two.
    let most = if has.sums() && is_plain { 2 } else { 1 };
    let counts: Vec<[usize; PIXELS]> = rows
        .iter()
        .map(|row| row.map(|pixel| pixel.map_or(0, |_| check.rng.random_range(1..=most))))
        .collect();
    let count = |pixel: usize| -> usize {
        let of_row = |(row, counts): (&[Option<usize>; PIXELS], &[usize; PIXELS])| -> usize {
            row.iter().zip(counts).filter(|(own, _)| **own == Some(pixel)).map(|(_, count)| *count).sum()
        };
        rows.iter().zip(&counts).map(of_row).sum()
    };
    let mut left = [0, 1, 2, 3].map(|pixel| weights(check, has, count(pixel).max(1)).into_iter());
    let mut sums: [Sum; PIXELS] = Default::default();
    let mut of_pixels = [None; PIXELS];
    let is_void =
        [(); PIXELS].map(|()| has.fetch && is_plain && spread == 0 && levels == 1 && check.one_in(4));
    let mut clocks = vec![];
    for (row, counts) in rows.iter().zip(&counts) {
        let mut lanes: Row = Default::default();
        for (lane, pixel) in row.iter().enumerate() {
            let Some(pixel) = *pixel else { continue };
            let of = Use { is_void: of.is_void || is_void[pixel], ..of };
            for _ in 0..counts[lane] {
                let weight = left[pixel].next().expect("a weight for each probe");
                let probe = Probe::any(check, has, of, weight);
                sums[pixel].add(weight, probe.filtered);
                of_pixels[pixel] = Some(channels(of, &probe, sums[pixel].total()));
                lanes[lane].extend(items_of(check, &probe, of, pixel, fails_often));
            }
        }
        clocks.extend(clocks_of(check, lanes));
    }
    let fails = is_failed || clocks.iter().flatten().flatten().any(|item| item.error);
    let expected = if has.result() {
        let samples = (!fails).then_some((of.are_floats, of_pixels));
        Expected::Samples(valid, fails, samples)
    } else {
        Expected::Result(plain_result(of_pixels, valid, fails))
    };
    Quad { valid, spread, is_failed, of, clocks, expected }
}

/// What is the same for all lanes of a row.
fn with_row(shape: &FilterTap<Width>, quad: &Quad, tap: FilterTap, ends_quad: bool) -> FilterTap {
    let of = |width: Width, value: u64| number(width.value_bits(), value);
    let swizzle = quad.of.swizzle.iter().rev().fold(0u64, |word, shown| word << 3 | *shown as u64);
    FilterTap {
        is_failed: number(1, quad.is_failed),
        ends_quad: number(1, ends_quad),
        spread: of(shape.spread, quad.spread),
        valid: of(shape.valid, quad.valid.into()),
        format: of(shape.format, quad.of.format.code().into()),
        texels: TexelUse {
            compares: number(1, false),
            swizzle: of(shape.texels.swizzle, swizzle),
            is_gather: number(1, quad.of.gathers.is_some()),
            component: of(shape.texels.component, quad.of.gathers.unwrap_or_default() as u64),
            ..tap.texels
        },
        ..tap
    }
}

/// What is not the same for all lanes, beside anything.
fn own_of(anything: FilterTap, own: FilterTap) -> FilterTap {
    FilterTap {
        is_failed: anything.is_failed,
        ends_pixel: anything.ends_pixel,
        ends_quad: anything.ends_quad,
        spread: anything.spread,
        valid: anything.valid,
        format: anything.format,
        texels: TexelUse {
            is_void: own.texels.is_void,
            first_is_odd: own.texels.first_is_odd,
            ..anything.texels
        },
        ..own
    }
}

/// A tap without an item.
fn idle(anything: FilterTap) -> FilterTap {
    let no = || number(1, false);
    FilterTap {
        is_valid: no(),
        starts_probe: no(),
        ends_probe: no(),
        brings: number(TAPS, false),
        ..anything
    }
}

/// Drives the clock `number` of a quad.
fn drive(
    rig: &Rig<FilterLanes>,
    (config, has): (&Config, &Has),
    check: &mut Check,
    quad: &Quad,
    number: usize,
) {
    let shape = &has.tap;
    let none = Clock::default();
    let items = quad.clocks.get(number).unwrap_or(&none);
    let ends_quad = number + 1 >= quad.clocks.len();
    let mut errors = 0u64;
    rig.in_valid.drive(true);
    for (lane, item) in items.iter().enumerate() {
        let anything = shape.unpack(any_bits(check, shape.width()));
        let tap = match item {
            Some(item) => own_of(anything, tap_of(shape, item, quad.valid)),
            // A quad without a pixel that counts has a probe that does not.
            None if quad.clocks.is_empty() && lane == 0 => {
                FilterTap { is_valid: idle(anything.clone()).is_valid, ..anything }
            }
            None => idle(anything),
        };
        let tap = if lane == 0 { with_row(shape, quad, tap, ends_quad) } else { tap };
        rig.taps[lane].drive(shape.pack(&tap));
        errors |= u64::from(item.as_ref().is_some_and(|item| item.error)) << lane;
        for (place, net) in rig.colors[TAPS * lane..][..TAPS].iter().enumerate() {
            net.drive(match item {
                Some(item) => brought(config, has, item, place),
                None => any_bits(check, net.width()),
            });
        }
    }
    rig.errors.drive(errors);
}

/// What has left, where `expected` says what counts.
fn left(rig: &Rig<FilterLanes>, config: &Config, expected: &Expected) -> Expected {
    let Expected::Samples(_, _, samples) = expected else {
        return Expected::Result(result(rig.result.as_ref().expect("it has one").val()));
    };
    let word = rig.sample.as_ref().expect("it has one").val();
    let sample = QuadSample::of(config).unpack(word);
    let are_floats = is_high(sample.are_floats);
    let pixel = |place: usize, counts: bool| {
        let pixel = &sample.pixels[place];
        counts.then(|| as_shown(config, &pixel.channels, &pixel.shown, are_floats))
    };
    let samples = samples
        .as_ref()
        .map(|(_, pixels)| (are_floats, std::array::from_fn(|place| pixel(place, pixels[place].is_some()))));
    Expected::Samples(sample.valid.to_u64() as u8, is_high(sample.fails), samples)
}

fn clock(rig: &mut Rig<FilterLanes>, config: &Config, check: &mut Check, owed: &mut Flow<Quad>) {
    rig.settle();
    if is_high(rig.done.val()) {
        let quad = owed.next(check);
        check.same(format_args!("result of {quad:#?}"), &left(rig, config, &quad.expected), &quad.expected);
    }
    rig.tick();
}

fn filter(name: &str, config: &Config) {
    let mut check = Check::new(name);
    let has = Has::of(config);
    let top = if has.result() { "filter_of_quads" } else { "filter_lanes" };
    let mut rig = Rig::new(top, FilterLanes::new(config));
    let mut owed = Flow::default();
    let quads = if has.sums() { QUADS / 2 } else { QUADS };
    for number in 0..quads {
        let quad = quad(&mut check, &has);
        owed.put(quad.clone());
        // Stretches without a bubble.
        let is_dense = number / 50 % 2 == 0;
        for number in 0..quad.clocks.len().max(1) {
            drive(&rig, (config, &has), &mut check, &quad, number);
            clock(&mut rig, config, &mut check, &mut owed);
            if is_dense {
                continue;
            }
            rig.in_valid.drive(false);
            for tap in &rig.taps {
                tap.drive(any_bits(&mut check, tap.width()));
            }
            rig.errors.drive(any_bits(&mut check, PIXELS));
            for _ in 0..check.rng.random_range(0..3) {
                clock(&mut rig, config, &mut check, &mut owed);
            }
        }
    }
    rig.in_valid.drive(false);
    (0..32).for_each(|_| clock(&mut rig, config, &mut check, &mut owed));
    owed.is_done(&mut check);
    check.at_least(quads as u64);
}
