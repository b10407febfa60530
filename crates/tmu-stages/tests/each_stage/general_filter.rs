//! `filter` of the general numerics against `tmu_model::general::filter`: probes in one item or in several, corners, one or two probes
//! a pixel, quads of any pixels, some of them failed, with and without clocks between.

use crate::filter::{of_quad, result};
use crate::support::{configs, is_high, noise, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_model::general::filter::{Sum, WHOLE, bilinear};
use tmu_rtl::datapath::general::decode::FilterTap;
use tmu_rtl::datapath::general::filter::Filter;
use tmu_rtl::datapath::general::words::{PIXELS, TAPS, TexelUse};
use tmu_spec::general::Kind;
use tmu_spec::{Config, QuadResult};
use tmu_stages::{Check, Flow, Rig};

const QUADS: usize = 2500;

#[test]
pub(crate) fn multi_lite() {
    filter("general_filter", &configs::multi_lite());
}

#[test]
fn less() {
    let (kinds, linear) = (("[\"2d\", \"cube\"]", "[\"2d\"]"), ("bilinear = true", "bilinear = false"));
    let one_level = ("trilinear = true", "trilinear = false");
    for changes in [&[kinds][..], &[one_level], &[kinds, one_level], &[linear], &[linear, one_level]] {
        filter(&format!("{changes:?}"), &configs::multi_lite_with(changes));
    }
}

/// The taps of a probe by place, those that are brought, and its weights.
#[derive(Clone, Debug)]
struct Probe {
    colors: [[u8; 4]; TAPS],
    brings: u64,
    odd_weights: [u64; 2],
    has_corner: bool,
    weight: u32,
    filtered: [u32; 4],
}

impl Probe {
    fn any(check: &mut Check, config: &Config, weight: u32) -> Probe {
        let is_linear = config.features().bilinear() && !check.one_in(4);
        let has_cubes = config.features().general().is_some_and(|general| general.has_kind(Kind::Cube));
        let has_corner = is_linear && has_cubes && check.one_in(3);
        // The parities of the first column and row.
        let first: [usize; 2] = std::array::from_fn(|_| check.rng.random_range(0..2));
        let weights: [u32; 2] = std::array::from_fn(|_| match check.rng.random_range(0..4) {
            _ if !is_linear => 0,
            0 => 0,
            _ => check.rng.random_range(0..256),
        });
        let mut colors = [(); TAPS].map(|()| color(check));
        if has_corner {
            colors[3] = std::array::from_fn(|channel| {
                let sum: u32 = colors[..3].iter().map(|color| u32::from(color[channel])).sum();
                ((sum + 1) / 3) as u8
            });
        }
        // The taps (x0, y0), (x1, y0), (x0, y1), (x1, y1) by their places.
        let places: [usize; TAPS] =
            std::array::from_fn(|tap| (first[1] ^ tap >> 1) << 1 | (first[0] ^ tap & 1));
        let filtered = bilinear(places.map(|place| colors[place].map(u32::from)), weights[0], weights[1]);
        let has_weight = |tap: usize| (0..2).all(|axis| weights[axis] != 0 || tap >> axis & 1 == 0);
        let needed = (0..TAPS).filter(|tap| has_weight(*tap)).fold(0, |mask, tap| mask | 1 << places[tap]);
        Probe {
            colors,
            brings: if has_corner { 0b111 } else { needed },
            odd_weights: std::array::from_fn(|axis| {
                let weight = u64::from(weights[axis]);
                if first[axis] == 0 { weight } else { 256 - weight }
            }),
            has_corner,
            weight,
            filtered,
        }
    }

    /// The places that each of its items brings.
    fn items(&self, check: &mut Check) -> Vec<u64> {
        let mut items = vec![0; check.rng.random_range(1..=self.brings.count_ones() as usize)];
        for place in (0..TAPS).filter(|place| self.brings >> place & 1 == 1) {
            let item = check.rng.random_range(0..items.len());
            items[item] |= 1 << place;
        }
        items
    }
}

fn color(check: &mut Check) -> [u8; 4] {
    match check.rng.random_range(0..4) {
        0 => [0; 4],
        1 => [255; 4],
        _ => check.rng.random(),
    }
}

/// An item on its way to the filter.
#[derive(Clone, Debug)]
struct Item {
    pixel: usize,
    is_valid: bool,
    is_failed: bool,
    /// It is the first one and the last one of its probe, the last one of its pixel and of its quad.
    marks: [bool; 4],
    brings: u64,
    probe: Probe,
    error: bool,
}

/// The items of a quad, and what becomes of it.
fn quad(check: &mut Check, config: &Config) -> (u8, Vec<Item>, QuadResult) {
    let valid = check.rng.random_range(0..16u8);
    let is_failed = check.one_in(12);
    let fails_often = check.one_in(8);
    let has_pairs = config.features().general().is_some_and(|general| general.trilinear);
    let mut items = vec![];
    let mut colors = [0u32; PIXELS];
    let pixels = (0..PIXELS).filter(|pixel| valid >> pixel & 1 == 1 && !is_failed);
    for pixel in pixels {
        let fraction = if has_pairs && check.one_in(2) { check.rng.random_range(1..256) } else { 0 };
        let weights = [WHOLE - 256 * fraction, 256 * fraction];
        let mut sum = Sum::default();
        let count = if fraction == 0 { 1 } else { 2 };
        for (number, weight) in weights.into_iter().take(count).enumerate() {
            let probe = Probe::any(check, config, weight);
            sum.add(weight, probe.filtered);
            let parts = probe.items(check);
            for (part, brings) in parts.iter().enumerate() {
                let (starts, ends) = (part == 0, part + 1 == parts.len());
                items.push((
                    number,
                    Item {
                        pixel,
                        is_valid: true,
                        is_failed: false,
                        marks: [starts, ends, ends && number + 1 == count, false],
                        brings: *brings,
                        probe: probe.clone(),
                        error: fails_often && check.one_in(6),
                    },
                ));
            }
        }
        colors[pixel] = u32::from_le_bytes(sum.total().map(|channel| channel as u8));
    }
    // Smaller levels come behind those of all pixels.
    items.sort_by_key(|(level, _)| *level);
    let mut items: Vec<Item> = items.into_iter().map(|(_, item)| item).collect();
    if items.is_empty() {
        let probe = Probe::any(check, config, WHOLE);
        let (pixel, brings) = (check.rng.random_range(0..PIXELS), check.rng.random_range(0..16));
        items.push(Item { pixel, is_valid: false, is_failed, marks: [true; 4], brings, probe, error: false });
    }
    items.last_mut().expect("there is one").marks[3] = true;
    let fails = is_failed || items.iter().any(|item| item.error);
    (valid, items, of_quad(colors, valid, fails))
}

fn drive(rig: &Rig<Filter>, config: &Config, item: &Item, valid: u8) {
    let shape = FilterTap::of(config);
    let of = |width: Width, value: u64| number(width.value_bits(), value);
    let [starts_probe, ends_probe, ends_pixel, ends_quad] = item.marks.map(|mark| number(1, mark));
    let Probe { colors, odd_weights, has_corner, weight, .. } = &item.probe;
    rig.in_valid.drive(true);
    rig.error.drive(item.error);
    rig.tap.drive(shape.pack(&FilterTap {
        pixel: of(shape.pixel, item.pixel as u64),
        is_valid: number(1, item.is_valid),
        is_failed: number(1, item.is_failed),
        starts_probe,
        ends_probe,
        ends_pixel,
        ends_quad,
        valid: of(shape.valid, valid.into()),
        brings: of(shape.brings, item.brings),
        odd_weight_x: of(shape.odd_weight_x, odd_weights[0]),
        odd_weight_y: of(shape.odd_weight_y, odd_weights[1]),
        has_corner: number(1, *has_corner),
        weight: of(shape.weight, (*weight).into()),
        texels: TexelUse::plain(),
        format: of(shape.format, 0),
    }));
    for (place, net) in rig.colors.iter().enumerate() {
        let is_brought = item.brings >> place & 1 == 1;
        net.drive(if is_brought { u64::from(u32::from_le_bytes(colors[place])) } else { 0 });
    }
}

fn clock(rig: &mut Rig<Filter>, check: &mut Check, owed: &mut Flow<(Vec<Item>, QuadResult)>) {
    rig.settle();
    if is_high(rig.done.val()) {
        let (items, expected) = owed.next(check);
        check.same(format!("result of {items:?}"), result(rig.result.val()), expected);
    }
    rig.tick();
}

fn filter(name: &str, config: &Config) {
    let mut check = Check::new(name);
    let mut rig = Rig::new("filter", Filter::new(config));
    let mut owed = Flow::default();
    for number in 0..QUADS {
        let (valid, items, expected) = quad(&mut check, config);
        owed.put((items.clone(), expected));
        // Stretches without a bubble.
        let is_dense = number / 50 % 2 == 0;
        for item in &items {
            drive(&rig, config, item, valid);
            clock(&mut rig, &mut check, &mut owed);
            if is_dense {
                continue;
            }
            rig.in_valid.drive(false);
            let width = rig.tap.width();
            rig.tap.drive(Bits::constant(noise(&mut check, width)));
            rig.error.drive(check.one_in(2));
            for _ in 0..check.rng.random_range(0..3) {
                clock(&mut rig, &mut check, &mut owed);
            }
        }
    }
    rig.in_valid.drive(false);
    (0..20).for_each(|_| clock(&mut rig, &mut check, &mut owed));
    owed.is_done(&mut check);
    check.at_least(QUADS as u64);
}
