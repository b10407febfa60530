//! `filter` against `tmu_model::datapath::filter`: quads in any order of good, failed and of pixels that are not valid.

use crate::support::{any_bits, configs, drive_binding, is_high, number, turns};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_model::datapath::filter;
use tmu_rtl::datapath::bundles::{BindingField, Layout, tap_layout};
use tmu_rtl::datapath::filter::{blocking, pipelined};
use tmu_rtl::datapath::words::{self, lane_layout, lanes};
use tmu_spec::quad::PIXELS;
use tmu_spec::{Config, QuadResult, fixed};
use tmu_stages::{Check, Flow, Rig};

const QUADS: usize = 700;

/// A quad's result, as the word of the result FIFO.
pub(crate) fn result(word: Bits) -> QuadResult {
    let colors = word.low(128).value().low_u128();
    QuadResult::from_beat(colors, word.high(word.width() - 128).to_u64() as u8)
}

/// Four taps and two weights.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    taps: [u32; 4],
    weights: [u32; 2],
}

impl Sample {
    fn any(check: &mut Check) -> Sample {
        let mut weight = || check.rng.random_range(0..=fixed::WEIGHT.max()) as u32;
        let weights = [weight(), weight()];
        Sample { taps: std::array::from_fn(|_| color(check)), weights }
    }
}

fn color(check: &mut Check) -> u32 {
    match check.rng.random_range(0..4) {
        0 => 0,
        1 => u32::MAX,
        _ => check.rng.random(),
    }
}

pub(crate) fn of_quad(colors: [u32; PIXELS], valid: u8, failed: bool) -> QuadResult {
    if failed {
        QuadResult::failed(valid)
    } else {
        QuadResult::new(colors.map(u32::to_le_bytes), valid, false)
    }
}

#[test]
pub(crate) fn blocking() {
    let config = configs::blocking();
    let layout = tap_layout(&config);
    let mut check = Check::new("filter::blocking");
    let mut rig = Rig::new("filter_blocking", blocking::Filter::new(&config));
    let mut owed: Flow<QuadResult> = Flow::default();
    let mut bound = crate::support::binding_of(&mut check, &config);
    let mut results = vec![];
    for quad in 0..QUADS {
        if quad % 16 == 0 {
            results.extend((0..16).filter_map(|_| send(&mut rig, &mut check, None)));
            bound = crate::support::binding_of(&mut check, &config);
            drive_binding(&rig.binding, &bound);
        }
        let is_good = quad / 16 % 4 != 3;
        rig.binding.net(BindingField::Good).into_iter().for_each(|net| net.drive(is_good));
        let (valid, fails_at) = (check.rng.random_range(0..16u8), check.rng.random_range(0..64u32));
        let is_bilinear = bound.sampler.bilinear;
        let tap = |is_end, pixel, tap, weights| tap_word(&layout, valid, is_end, pixel, tap, weights);
        let mut colors = [0; PIXELS];
        let mut failed = !is_good;
        for pixel in (0..PIXELS).filter(|pixel| valid >> pixel & 1 == 1) {
            let mut sample = Sample::any(&mut check);
            if !is_bilinear {
                sample.weights = [0; 2];
            }
            colors[pixel] = if is_bilinear {
                filter::bilinear(sample.taps, sample.weights[0], sample.weights[1])
            } else {
                sample.taps[0]
            };
            for number in 0..if is_bilinear { 4 } else { 1 } {
                while check.one_in(5) {
                    results.extend(send(&mut rig, &mut check, None));
                }
                let error = fails_at == (pixel * 4 + number) as u32;
                failed |= error;
                let word = tap(false, pixel, number, sample.weights);
                results.extend(send(&mut rig, &mut check, Some((word, sample.taps[number], error))));
            }
        }
        owed.put(of_quad(colors, valid, failed));
        let word = tap(true, 0, 0, [0; 2]);
        let end = color(&mut check);
        results.extend(send(&mut rig, &mut check, Some((word, end, false))));
        // The end of a quad takes two places.
        results.extend(send(&mut rig, &mut check, None));
        for got in results.drain(..) {
            let expected = owed.next(&mut check);
            check.same(format_args!("quad {quad} or one before, {:?}", bound.sampler), got, expected);
        }
    }
    results.extend((0..20).filter_map(|_| send(&mut rig, &mut check, None)));
    for got in results {
        let expected = owed.next(&mut check);
        check.same("one of the last quads", got, expected);
    }
    owed.is_done(&mut check);
    check.at_least(QUADS as u64);
}

/// A clock, with a tap where there is one; the result that leaves, if one does.
fn send(
    rig: &mut Rig<blocking::Filter>,
    check: &mut Check,
    tap: Option<(Bits, u32, bool)>,
) -> Option<QuadResult> {
    rig.in_valid.drive(tap.is_some());
    let (word, color, error) = tap.unwrap_or_else(|| (any_bits(check, rig.tap.width()), 0, false));
    rig.tap.drive(word);
    rig.color.drive(u64::from(color));
    rig.tap_error.drive(error);
    rig.settle();
    let got = is_high(rig.done.val()).then(|| result(rig.result.val()));
    rig.tick();
    got
}

fn tap_word(layout: &Layout, valid: u8, is_end: bool, pixel: usize, tap: usize, weights: [u32; 2]) -> Bits {
    let width = layout.bits("weight_x").len();
    layout.pack(&[
        ("is_end", number(1, is_end)),
        ("valid_pixels", number(4, valid)),
        ("pixel", number(2, pixel as u64)),
        ("tap", number(2, tap as u64)),
        ("weight_x", number(width, weights[0])),
        ("weight_y", number(width, weights[1])),
    ])
}

#[test]
pub(crate) fn pipelined_pixel() {
    pipelined("filter_pixel", &configs::pixel());
}

#[test]
fn pipelined_pixel_of_beats() {
    pipelined("filter_pixel_of_beats", &configs::pixel_of_beats());
}

#[test]
pub(crate) fn pipelined_quad() {
    pipelined("filter_quad", &configs::quad());
}

/// An item on its way to the filter.
struct Item {
    first: usize,
    is_last: bool,
    mask: u64,
    error: bool,
    is_failed: bool,
}

fn pipelined(name: &str, config: &Config) {
    let mut check = Check::new(name);
    let mut rig = Rig::new(name, pipelined::Filter::new(config));
    let mut owed: Flow<QuadResult> = Flow::default();
    for quad in 0..QUADS {
        let valid = check.rng.random_range(0..16u8);
        let samples: [Sample; PIXELS] = std::array::from_fn(|_| Sample::any(&mut check));
        let is_failed = quad % 9 == 8;
        let mut failed = is_failed;
        for mut item in items(&mut check, config, valid) {
            item.is_failed = is_failed;
            failed |= item.error;
            drive(&mut check, config, &rig, &item, &samples, valid);
            clock(&mut rig, &mut check, &mut owed);
            rig.in_valid.drive(false);
            for _ in 0..check.rng.random_range(0..3) {
                clock(&mut rig, &mut check, &mut owed);
            }
        }
        let colors = std::array::from_fn(|pixel| {
            let Sample { taps, weights: [x, y] } = samples[pixel];
            if valid >> pixel & 1 == 1 { filter::bilinear(taps, x, y) } else { 0 }
        });
        owed.put(of_quad(colors, valid, failed));
    }
    (0..20).for_each(|_| clock(&mut rig, &mut check, &mut owed));
    owed.is_done(&mut check);
    check.at_least(QUADS as u64);
}

/// The items of a quad: those of its turns; with four pixels all in one, or one for each that is valid.
fn items(check: &mut Check, config: &Config, valid: u8) -> Vec<Item> {
    let goes_apart = check.one_in(2);
    let mut item = |first: usize, is_last: bool, mask: u64| Item {
        first,
        is_last,
        mask,
        error: check.one_in(24),
        is_failed: false,
    };
    if lanes(config) == 1 {
        let turns = turns(config, valid);
        return turns.iter().map(|pixel| item(*pixel, Some(pixel) == turns.last(), 1)).collect();
    }
    let pixels: Vec<usize> = (0..PIXELS).filter(|pixel| valid >> pixel & 1 == 1).collect();
    match pixels.last() {
        Some(last) if goes_apart => pixels.iter().map(|pixel| item(0, pixel == last, 1 << pixel)).collect(),
        _ => vec![item(0, true, 0b1111)],
    }
}

fn drive(
    check: &mut Check,
    config: &Config,
    rig: &Rig<pipelined::Filter>,
    item: &Item,
    samples: &[Sample; PIXELS],
    valid: u8,
) {
    let (lanes, tap, lane_layout) = (lanes(config), words::tap_layout(config), lane_layout(config));
    let lane = |number: usize, check: &mut Check| {
        let Sample { weights, .. } = samples[item.first + number];
        let weight = |name: &str, weight: u32| number_in(lane_layout.bits(name).len(), weight);
        lane_layout.pack(&[
            ("column_bit1", any_bits(check, 2)),
            ("row_bit1", any_bits(check, 2)),
            ("odd_weight_x", weight("odd_weight_x", weights[0])),
            ("odd_weight_y", weight("odd_weight_y", weights[1])),
        ])
    };
    let all: Vec<Bits> = (0..lanes).map(|number| lane(number, check)).collect();
    let own_valid = if lanes == 1 { u64::from(valid >> item.first & 1) } else { valid.into() };
    rig.in_valid.drive(true);
    rig.error.drive(item.error);
    rig.tap.drive(tap.pack(&[
        ("is_table", number(1, 0u32)),
        ("pixel", number(2, item.first as u64)),
        ("is_last", number(1, item.is_last)),
        ("pixel_mask", number(lanes, if lanes == 1 { 1 } else { item.mask })),
        ("is_valid", number(lanes, own_valid)),
        ("is_failed", number(1, item.is_failed)),
        ("lanes", stack(all)),
        ("is_indexed", any_bits(check, 1)),
    ]));
    for (number, net) in rig.colors.iter().enumerate() {
        net.drive(u64::from(samples[item.first + number / 4].taps[number % 4]));
    }
}

fn number_in(width: usize, value: u32) -> Bits {
    number(width.max(1), value)
}

fn clock(rig: &mut Rig<pipelined::Filter>, check: &mut Check, owed: &mut Flow<QuadResult>) {
    rig.settle();
    if is_high(rig.done.val()) {
        let expected = owed.next(check);
        check.same("result of a quad", result(rig.result.val()), expected);
    }
    rig.tick();
}
