//! `projection` against `tmu_model::general::projection`: pictures, cubes whose quads show one face or several, registers of bindings
//! between them.

use crate::general_support::{binding, config};
use crate::support::{is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_model::MemoryImage;
use tmu_model::general::lod;
use tmu_model::general::projection::Position;
use tmu_model::general::unit::Unit;
use tmu_rtl::datapath::general::projection::Projection;
use tmu_rtl::datapath::general::words::{ItemHead, PixelNumbers, ProjectedItem, QuadMarks, RequestItem};
use tmu_spec::Config;
use tmu_spec::general::field::REGISTERS;
use tmu_spec::general::{Binding, Kind, Pixel, Quad};
use tmu_stages::{Check, Flow, Rig};

/// What must leave.
#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "there are few of them")]
enum Item {
    Register { number: u32, data: u32 },
    Quad { quad: Quad, places: [[i64; 3]; 4], edges: Option<[[i64; 3]; 2]> },
}

fn near(check: &mut Check, of: i64, spread: i64) -> u32 {
    let value = of + check.rng.random_range(-spread..=spread);
    value.clamp(i32::MIN.into(), i32::MAX.into()) as i32 as u32
}

fn quad(check: &mut Check) -> Quad {
    let length = check.rng.random_range(0..32);
    let mut start = [0; 3].map(|_: u32| i64::from(check.rng.random::<i32>()) >> (31 - length.min(31)));
    let largest = start.iter().map(|of| of.abs()).max().unwrap_or(0);
    for of in &mut start {
        match check.rng.random_range(0..6) {
            0 => *of = largest * of.signum(),
            1 => *of = check.pick(&[0, 1, -1, i64::from(i32::MIN), i64::from(i32::MAX)]),
            _ => {}
        }
    }
    let spread = match check.rng.random_range(0..4) {
        0 => 0,
        1 => 1,
        2 => largest >> check.rng.random_range(1..12),
        _ => largest,
    };
    let pixels = std::array::from_fn(|_| {
        let [u, v, w] = start.map(|of| near(check, of, spread));
        if check.one_in(40) { Pixel::default() } else { Pixel { u, v, w, q: 0, d: 0 } }
    });
    let valid = if check.one_in(2) { 0xf } else { check.rng.random_range(0..16) };
    Quad { pixels, valid, ..Quad::default() }
}

fn item_of(config: &Config, head: (bool, u32), quad: &Quad) -> Bits {
    RequestItem::of(config).pack(&RequestItem {
        head: ItemHead { is_binding: number(1, head.0), register: number(5, head.1) },
        marks: QuadMarks {
            valid: number(4, quad.valid),
            is_failed: number(1, quad.valid & 1),
            operation: number(3, 2u32),
            component: number(2, 0u32),
            lod: number(32, quad.pixels[0].u ^ 0x1234),
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

/// The registers of a binding, then quads for it.
fn items(check: &mut Check, config: &Config, binding: &Binding, quads: usize) -> Vec<(Bits, Item)> {
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
    for _ in 0..quads {
        let quad = quad(check);
        let positions = quad.pixels.map(|pixel| Position::of(bound, &pixel));
        let places = positions.map(|position| [position.uvw[0], position.uvw[1], position.slice.into()]);
        let edges = lod::edges(bound, &quad, &positions);
        items.push((item_of(config, (false, 0), &quad), Item::Quad { quad, places, edges }));
    }
    items
}

fn run(name: &str, config: &Config, bindings: usize, may_be: impl Fn(&Binding) -> bool) {
    let mut check = Check::new(name);
    let mut rig = Rig::new("projection", Projection::new(config));
    let mut waiting: VecDeque<(Bits, Item)> = VecDeque::new();
    let mut owed: Flow<Item> = Flow::default();
    let (mut left, mut idle, mut offers) = (bindings, 0, false);
    while idle < 120 {
        if waiting.is_empty() && left > 0 {
            left -= 1;
            let bound =
                std::iter::repeat_with(|| binding(&mut check, config)).find(&may_be).expect("one is found");
            let quads = check.rng.random_range(0..60);
            waiting.extend(items(&mut check, config, &bound, quads));
        }
        offers = !waiting.is_empty() && (offers || !check.one_in(4));
        rig.input.valid.drive(offers);
        if let Some((word, _)) = waiting.front() {
            rig.input.data.drive(*word);
        }
        rig.output.ready.drive(!check.one_in(3));
        rig.settle();
        if is_high(rig.output.moves()) {
            let item = ProjectedItem::of(config).unpack(rig.output.data.val());
            let expected = owed.next(&mut check);
            same(&mut check, &item, &expected);
        }
        if is_high(rig.input.moves()) {
            offers = false;
            owed.put(waiting.pop_front().expect("it was offered").1);
        }
        rig.tick();
        idle = if left == 0 && waiting.is_empty() && owed.is_empty() { idle + 1 } else { 0 };
    }
    owed.is_done(&mut check);
    check.at_least(20 * bindings as u64);
}

fn same(check: &mut Check, item: &ProjectedItem, expected: &Item) {
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
            check.same("it is a quad", is_high(item.head.is_binding), false);
            check.same("valid", item.marks.valid.to_u64(), quad.valid.into());
            check.same("failed", item.marks.is_failed.to_u64(), u64::from(quad.valid & 1));
            check.same("lod", item.marks.lod.to_u64(), u64::from(quad.pixels[0].u ^ 0x1234));
            let mask = |value: i64, bits: u32| value as u64 & ((1 << bits) - 1);
            for (pixel, (got, wanted)) in item.places.iter().zip(places).enumerate() {
                let got = [got.u.to_u64(), got.v.to_u64(), got.face.to_u64()];
                let wanted = [mask(wanted[0], 36), mask(wanted[1], 36), wanted[2] as u64];
                check.same(format!("place of pixel {pixel} of {quad:?}"), got, wanted);
            }
            let is_behind = is_high(item.is_behind);
            check.same(format!("it lies behind: {quad:?}"), is_behind, edges.is_none());
            if let Some(edges) = edges {
                let got = item.edges.each_ref().map(|[u, v, _]| [u.to_u64(), v.to_u64()]);
                let wanted = edges.map(|edge| [mask(edge[0], 37), mask(edge[1], 37)]);
                check.same(format!("edges of {quad:?}"), got, wanted);
            }
        }
    }
}

#[test]
pub(crate) fn general_projection() {
    run("general::projection", &config(), 220, |_| true);
}

#[test]
fn of_cubes() {
    run("general::projection, cubes", &config(), 150, |binding| binding.texture.kind() == Kind::Cube);
}

/// Clocks that quads of one face and pictures take, one behind the other.
#[test]
fn interval() {
    let config = config();
    for (kind, most) in [(Kind::D2, 4.05), (Kind::Cube, 18.05)] {
        let mut check = Check::new("general::projection, interval");
        let mut rig = Rig::new("projection", Projection::new(&config));
        let bound = std::iter::repeat_with(|| binding(&mut check, &config))
            .find(|bound| bound.texture.kind() == kind);
        let words = items(&mut check, &config, &bound.expect("there is one"), 0);
        let near_z = std::array::from_fn(|pixel| Pixel { u: 5 + pixel as u32, v: 9, w: 1000, q: 0, d: 0 });
        let quad = item_of(&config, (false, 0), &Quad { pixels: near_z, valid: 0xf, ..Quad::default() });
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
        let quads = left - words.len() - 10;
        let clocks = f64::from(last - first) / quads as f64;
        assert!(clocks <= most, "{kind}: {clocks} clocks a quad");
    }
}
