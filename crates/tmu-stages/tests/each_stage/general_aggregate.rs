//! `aggregate` against `tmu_model::general::indirect::aggregate`: any values, operations, components and constants, quads of any pixels,
//! some of which failed; and how many clocks they take.

use crate::support::{any_bits, configs, is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_model::general::indirect::aggregate::{of_floats, of_unorms};
use tmu_rtl::datapath::general::indirect::aggregate::{Aggregate as Stage, LATE_RESULTS};
use tmu_rtl::datapath::general::result::{PixelSample, QuadSample, Shown};
use tmu_rtl::datapath::general::words::PIXELS;
use tmu_spec::Config;
use tmu_spec::choice::Choice;
use tmu_spec::general::indirect::{Aggregate, MAX_VALUES};
use tmu_stages::{Check, Flow, Rig};

const QUADS: usize = 900;
/// Values that may be on their way to the stage.
const MARGIN: usize = 24;
/// Channels of a pixel.
const CHANNELS: usize = 4;

#[test]
pub(crate) fn with_floats() {
    values("general_aggregate", &configs::indirect());
}

#[test]
pub(crate) fn without_floats() {
    values("general_aggregate without floats", &configs::multi_lite_quad(&[]));
}

#[test]
fn of_wide_channels() {
    let wide = ("[cache]\n", "[filter]\nchannel_bits = 16\n\n[cache]\n");
    let fetch = ("\"bias\"]", "\"bias\", \"fetch\"]");
    values("general_aggregate of wide channels", &configs::multi_lite_quad(&[wide, fetch]));
}

/// What a configuration has.
struct Has {
    shape: QuadSample<Width>,
    channel_bits: u32,
}

impl Has {
    fn of(config: &Config) -> Has {
        let channel_bits = config.features().general().expect("it is general").channel_bits;
        Has { shape: QuadSample::of(config), channel_bits }
    }

    fn floats(&self) -> bool {
        self.shape.are_floats.packed_bits() > 0
    }
}

/// The channels of a value's pixels, and what is shown of them: a channel, or 0 or 1.
type Value = [([u32; CHANNELS], [(usize, Option<bool>); CHANNELS]); PIXELS];

/// A quad of a look-up.
#[derive(Clone, Debug)]
struct Quad {
    operation: Aggregate,
    values: Vec<Value>,
    /// Which of them failed.
    fail: Vec<bool>,
    valid: u8,
    are_floats: bool,
}

/// A result: valid bits, and the channels of the pixels that are valid, unless it failed.
#[derive(Clone, Debug, PartialEq)]
struct Expected {
    valid: u8,
    channels: Option<[[u32; CHANNELS]; PIXELS]>,
    are_floats: bool,
}

fn float(check: &mut Check) -> u32 {
    const EDGES: [u32; 8] =
        [0, 1, 0x007f_ffff, 0x0080_0000, 0x3f80_0000, 0x7f7f_ffff, 0x7f80_0000, 0x7f80_0001];
    let sign = u32::from(check.one_in(2)) << 31;
    match check.rng.random_range(0..4) {
        0 => check.rng.random(),
        1 => check.pick(&EDGES) | sign,
        2 => (check.rng.random_range(-4f32..4.0)).to_bits(),
        _ => check.rng.random_range(0..0x0180_0000u32) | sign,
    }
}

fn value(check: &mut Check, has: &Has, are_floats: bool) -> Value {
    let most = (1u32 << has.channel_bits) - 1;
    let shape = has.shape.pixels[0].shown[0].clone();
    let is_there = |width: Width| width.packed_bits() > 0;
    std::array::from_fn(|_| {
        let channels = std::array::from_fn(|_| match check.rng.random_range(0..5) {
            _ if are_floats => float(check),
            0 => check.pick(&[0, 1, most - 1, most]),
            1 => most >> check.rng.random_range(0..has.channel_bits),
            _ => check.rng.random_range(0..=most),
        });
        let shown = std::array::from_fn(|own| {
            let channel = if is_there(shape.channel) { check.rng.random_range(0..CHANNELS) } else { own };
            let is_constant = is_there(shape.is_constant) && check.one_in(5);
            let is_one = is_there(shape.is_one) && check.one_in(2);
            (channel, is_constant.then_some(is_one))
        });
        (channels, shown)
    })
}

impl Quad {
    fn any(check: &mut Check, has: &Has) -> Quad {
        let count = check.rng.random_range(1..=MAX_VALUES) as usize;
        let are_floats = has.floats() && check.one_in(2);
        let fails = check.one_in(8);
        Quad {
            operation: check.pick(Aggregate::CHOICES),
            values: (0..count).map(|_| value(check, has, are_floats)).collect(),
            fail: (0..count).map(|_| fails && check.one_in(2)).collect(),
            valid: check.rng.random_range(0..16),
            are_floats,
        }
    }

    /// What a channel of a value shows.
    fn shown(&self, has: &Has, value: usize, pixel: usize, channel: usize) -> u32 {
        let (channels, shown) = &self.values[value][pixel];
        match shown[channel] {
            (of, None) => channels[of],
            (_, Some(false)) => 0,
            (_, Some(true)) if self.are_floats => 1f32.to_bits(),
            (_, Some(true)) => (1 << has.channel_bits) - 1,
        }
    }

    fn expected(&self, has: &Has) -> Vec<Expected> {
        let is_alone = self.operation == Aggregate::None || self.values.len() == 1;
        let results = if is_alone { self.values.len() } else { 1 };
        let channel = |result: usize, pixel: usize, channel: usize| {
            let all: Vec<u32> =
                (0..self.values.len()).map(|value| self.shown(has, value, pixel, channel)).collect();
            match (is_alone, self.are_floats) {
                _ if self.valid >> pixel & 1 == 0 => 0,
                (true, _) => all[result],
                (false, true) => of_floats(self.operation, &all),
                (false, false) => of_unorms(self.operation, &all, has.channel_bits),
            }
        };
        let pixels = |result: usize| {
            std::array::from_fn(|pixel| std::array::from_fn(|number| channel(result, pixel, number)))
        };
        let of = |result: usize| Expected {
            valid: self.valid,
            channels: (!self.fail.contains(&true)).then(|| pixels(result)),
            are_floats: self.are_floats,
        };
        (0..results).map(of).collect()
    }
}

fn drive(rig: &Rig<Stage>, has: &Has, quad: &Quad, value: usize) {
    let pixel = |place: usize| {
        let shape = &has.shape.pixels[place];
        let of = |width: Width, value: u64| number(width.value_bits(), value);
        let (channels, shown) = &quad.values[value][place];
        PixelSample {
            channels: [0, 1, 2, 3].map(|at: usize| of(shape.channels[at], channels[at].into())),
            shown: [0, 1, 2, 3].map(|at: usize| {
                let (channel, constant) = shown[at];
                let shape = &shape.shown[at];
                Shown {
                    channel: of(shape.channel, channel as u64),
                    is_constant: of(shape.is_constant, constant.is_some().into()),
                    is_one: of(shape.is_one, (constant == Some(true)).into()),
                }
            }),
        }
    };
    rig.in_valid.drive(true);
    rig.ends_quad.drive(value + 1 == quad.values.len());
    rig.marks.operation.drive(number(3, quad.operation as u64));
    rig.marks.more.drive(number(2, quad.values.len() as u64 - 1));
    rig.sample.drive(has.shape.pack(&QuadSample {
        valid: number(PIXELS, quad.valid),
        fails: number(1, quad.fail[value]),
        are_floats: number(1, quad.are_floats),
        is_last: number(1, 1u32),
        pixels: [0, 1, 2, 3].map(pixel),
    }));
}

fn got(has: &Has, packed: Bits) -> Expected {
    let sample = has.shape.unpack(packed);
    let valid = sample.valid.to_u64() as u8;
    let channel = |pixel: usize, number: usize| {
        let value = sample.pixels[pixel].channels[number].to_u64() as u32;
        if valid >> pixel & 1 == 1 { value } else { 0 }
    };
    let channels = std::array::from_fn(|pixel| std::array::from_fn(|number| channel(pixel, number)));
    Expected {
        valid,
        channels: (!is_high(sample.fails)).then_some(channels),
        are_floats: has.floats() && is_high(sample.are_floats),
    }
}

/// The stage, and what it owes.
struct Bench {
    rig: Rig<Stage>,
    has: Has,
    owed: Flow<Expected>,
    /// Results that left since there was room.
    late: usize,
    /// Whether there was room, as it is known so many clocks later.
    room: VecDeque<bool>,
}

impl Bench {
    fn new(config: &Config) -> Bench {
        let rig =
            Rig::new(&format!("aggregate_of_{}", QuadSample::of(config).width()), Stage::new(config, MARGIN));
        let room = [false; MARGIN - 4].into();
        Bench { rig, has: Has::of(config), owed: Flow::default(), late: 0, room }
    }

    fn has_room(&self) -> bool {
        self.room[0]
    }

    fn clock(&mut self, check: &mut Check, out_ready: bool) {
        self.rig.out_ready.drive(out_ready);
        self.rig.settle();
        if is_high(self.rig.done.val()) {
            let expected = self.owed.next(check);
            self.late += usize::from(!out_ready);
            check.holds(self.late <= LATE_RESULTS, "it leaves where there was room");
            check.same("sample", got(&self.has, self.rig.out_sample.val()), expected);
        }
        if out_ready {
            self.late = 0;
        }
        self.room.pop_front();
        self.room.push_back(is_high(self.rig.has_room.val()));
        self.rig.tick();
    }
}

fn values(name: &str, config: &Config) {
    let mut check = Check::new(name);
    let mut bench = Bench::new(config);
    for place in 0..QUADS {
        let quad = Quad::any(&mut check, &bench.has);
        quad.expected(&bench.has).into_iter().for_each(|expected| bench.owed.put(expected));
        // Stretches without a bubble, and in which little leaves.
        let is_dense = place / 60 % 2 == 0;
        let pause = if place / 120 % 2 == 0 { 8 } else { 2 };
        for value in 0..quad.values.len() {
            let mut waits: u32 = if is_dense { 0 } else { check.rng.random_range(0..3) };
            while waits > 0 || !bench.has_room() {
                let width = bench.rig.sample.width();
                bench.rig.in_valid.drive(false);
                bench.rig.sample.drive(any_bits(&mut check, width));
                let out_ready = !check.one_in(pause);
                bench.clock(&mut check, out_ready);
                waits = waits.saturating_sub(1);
            }
            drive(&bench.rig, &bench.has, &quad, value);
            let out_ready = !check.one_in(pause);
            bench.clock(&mut check, out_ready);
        }
    }
    bench.rig.in_valid.drive(false);
    (0..8000).for_each(|_| bench.clock(&mut check, true));
    bench.owed.is_done(&mut check);
    check.at_least(2 * QUADS as u64);
}

/// Quads whose clocks are counted.
const COUNT: usize = 30;

/// Clocks of a quad of four values, which come every other clock, as they do in a unit.
#[test]
fn clocks_of_operations() {
    use Aggregate::{Average, Max, Min, None, Product, Sum};
    let table = [
        (None, false, 8),
        (None, true, 8),
        (Sum, false, 8),
        (Min, false, 8),
        (Max, false, 8),
        (Average, false, 8),
        (Product, false, 64),
        (Sum, true, 64),
        (Max, true, 64),
        (Average, true, 80),
    ];
    for (operation, are_floats, expected) in table {
        let mut check = Check::new("general_aggregate clocks");
        let mut bench = Bench::new(&configs::indirect());
        let (mut clocks, mut first) = (0, 0);
        let mut clock = |bench: &mut Bench, check: &mut Check| {
            let owed = bench.owed.len();
            bench.clock(check, true);
            clocks += 1;
            if first == 0 && bench.owed.len() < owed {
                first = clocks;
            }
            clocks - first
        };
        let quad = |bench: &Bench, check: &mut Check| Quad {
            operation,
            values: (0..4).map(|_| value(check, &bench.has, are_floats)).collect(),
            fail: vec![false; 4],
            valid: 15,
            are_floats,
        };
        let quads: Vec<Quad> = (0..COUNT).map(|_| quad(&bench, &mut check)).collect();
        let owe = |bench: &mut Bench, quad: &Quad| {
            quad.expected(&bench.has).into_iter().for_each(|expected| bench.owed.put(expected));
        };
        quads.iter().for_each(|quad| owe(&mut bench, quad));
        for (quad, value) in quads.iter().flat_map(|quad| (0..4).map(move |value| (quad, value))) {
            while {
                bench.rig.in_valid.drive(false);
                clock(&mut bench, &mut check);
                !bench.has_room()
            } {}
            drive(&bench.rig, &bench.has, quad, value);
            clock(&mut bench, &mut check);
        }
        bench.rig.in_valid.drive(false);
        let mut since_first = 0;
        while !bench.owed.is_empty() {
            since_first = clock(&mut bench, &mut check);
        }
        // Of values that go on alone the first result is of the first one, and a result may wait for a clock in which no value comes.
        let most = expected * (COUNT - 1) + 8;
        let what = format!("{operation}, floats {are_floats}: {since_first} clocks, at most {most}");
        check.holds(since_first <= most, what);
    }
}
