//! `result` of the general numerics against `tmu_model::general::result`: any channels, components and constants, quads of any pixels,
//! some of them failed, with and without clocks between.

pub(crate) mod lanes;

use crate::support::{configs, is_high, noise, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::general::result::{of_float, of_unorm};
use tmu_rtl::datapath::general::result::{ResultStage, Sample, Shown, result_bits};
use tmu_rtl::datapath::general::words::PIXELS;
use tmu_spec::Config;
use tmu_spec::general::{QuadResult, ResultNumbers};
use tmu_stages::{Check, Flow, Rig};

const QUADS: usize = 4000;

#[test]
pub(crate) fn everything() {
    results("general_result", &configs::multi_pixel(&[]));
}

/// All forms of results of all channels.
#[test]
fn forms() {
    for changes in all_forms() {
        results(&format!("{changes:?}"), &configs::multi_lite_with(&changes));
    }
}

/// Changes of the preset.
fn all_forms() -> Vec<Vec<(&'static str, &'static str)>> {
    let wide = ("[cache]\n", "[filter]\nchannel_bits = 16\n\n[cache]\n");
    let floats = ("[\"rgba8\",", "[\"rgba8\", \"rgba16f\",");
    let swizzle = ("bilinear = true", "bilinear = true\nswizzle = true");
    let fetch = ("\"bias\"]", "\"bias\", \"fetch\"]");
    let gather = ("\"bias\"]", "\"bias\", \"gather\"]");
    let of = |form: &'static str| ("fifo_depth = 64", form);
    let byte = of("fifo_depth = 64\nnumbers = \"unorm8\"");
    let word = of("fifo_depth = 64\nnumbers = \"unorm16\"");
    let single = of("fifo_depth = 64\nnumbers = \"fp32\"");
    vec![
        vec![word],
        vec![single],
        vec![wide],
        vec![wide, word],
        vec![wide, single],
        vec![swizzle],
        vec![fetch],
        vec![gather],
        vec![swizzle, wide],
        vec![floats],
        vec![floats, word],
        vec![floats, single],
        vec![floats, wide, byte, swizzle],
        vec![floats, wide, word, gather],
        vec![floats, wide, single, fetch],
    ]
}

/// A sample, and what becomes of it.
#[derive(Clone, Debug)]
struct Pixel {
    pixel: usize,
    is_valid: bool,
    fails: bool,
    channels: [u32; 4],
    are_floats: bool,
    /// The channel that is shown, and 0 or 1 instead.
    shown: [(usize, Option<bool>); 4],
    numbers: [u32; 4],
}

/// What a configuration has.
struct Has {
    channel_bits: u32,
    numbers: ResultNumbers,
    shape: Sample<Width>,
}

impl Has {
    fn of(config: &Config) -> Has {
        let general = config.features().general().expect("it is general");
        Has { channel_bits: general.channel_bits, numbers: general.result, shape: Sample::of(config) }
    }
}

fn float(check: &mut Check) -> u32 {
    let near = |check: &mut Check, of: u32| of.wrapping_add(check.rng.random_range(0..4)).wrapping_sub(2);
    match check.rng.random_range(0..8) {
        0 => check.rng.random(),
        1 => check.pick(&[0, 1 << 31, 1, 0x3f80_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xff80_0001]),
        // Half way between two numbers of 8 and of 16 bits, or nearly.
        2 => near(check, 0.5f32.to_bits()),
        3 => {
            let half = (check.rng.random_range(0..256) as f32 + 0.5) / 255.0;
            near(check, half.to_bits())
        }
        4 => {
            let half = (f64::from(check.rng.random_range(0..65536)) + 0.5) / 65535.0;
            near(check, (half as f32).to_bits())
        }
        5 => {
            let exponent = check.rng.random_range(105..=128u32);
            exponent << 23 | check.rng.random_range(0..1 << 23)
        }
        _ => (check.rng.random_range(0..1 << 24) as f32 / 16_777_216.0).to_bits(),
    }
}

impl Pixel {
    fn any(check: &mut Check, has: &Has, pixel: usize, are_floats: bool, fails: bool) -> Pixel {
        let most = (1u32 << has.channel_bits) - 1;
        let channels = [(); 4].map(|()| match check.rng.random_range(0..6) {
            _ if are_floats => float(check),
            0 => 0,
            1 => most,
            2 => most >> check.rng.random_range(0..has.channel_bits),
            3 => 1 << check.rng.random_range(0..has.channel_bits),
            _ => check.rng.random_range(0..=most),
        });
        let is_there = |width: Width| width.packed_bits() > 0;
        let of = &has.shape.shown[0];
        let shown = [0, 1, 2, 3].map(|own| {
            let channel = if is_there(of.channel) { check.rng.random_range(0..4) } else { own };
            let is_constant = is_there(of.is_constant) && check.one_in(4);
            let is_one = is_there(of.is_one) && check.one_in(2);
            (channel, is_constant.then_some(is_one))
        });
        let numbers = shown.map(|(channel, constant)| match constant {
            Some(true) => of_unorm(most, has.channel_bits, has.numbers),
            Some(false) => 0,
            None if are_floats => of_float(channels[channel], has.numbers),
            None => of_unorm(channels[channel], has.channel_bits, has.numbers),
        });
        Pixel { pixel, is_valid: true, fails, channels, are_floats, shown, numbers }
    }
}

/// The samples of a quad, and its result.
fn quad(check: &mut Check, has: &Has) -> (Vec<Pixel>, QuadResult) {
    let valid = check.rng.random_range(0..16u8);
    let are_floats = has.shape.are_floats.packed_bits() > 0 && check.one_in(2);
    // Nothing of it counts before the last one.
    let mut fails = || check.rng.random_range(0..12) == 0;
    let fails = [fails(), fails(), fails(), fails()];
    let pixels: Vec<usize> = (0..PIXELS).filter(|pixel| valid >> pixel & 1 == 1).collect();
    let mut samples: Vec<Pixel> = pixels
        .iter()
        .map(|pixel| Pixel::any(check, has, *pixel, are_floats, fails[..=*pixel].contains(&true)))
        .collect();
    if samples.is_empty() {
        let pixel = check.rng.random_range(0..PIXELS);
        let sample = Pixel::any(check, has, pixel, are_floats, fails[0]);
        samples.push(Pixel { is_valid: false, ..sample });
    }
    let last_fails = samples.last().is_some_and(|sample| sample.fails);
    let mut result = QuadResult { valid, ..QuadResult::default() };
    for sample in samples.iter().filter(|sample| sample.is_valid) {
        result.channels[sample.pixel] = sample.numbers;
    }
    (samples, if last_fails { QuadResult::failed(valid) } else { result })
}

/// The channels of a sample, and what is shown of them.
fn channels_of(has: &Has, sample: &Pixel) -> ([Bits; 4], [Shown; 4]) {
    let shape = &has.shape;
    let of = |width: Width, value: u64| number(width.value_bits(), value);
    let lane = |number: usize| of(shape.channels[number], sample.channels[number].into());
    let shown = |number: usize| {
        let (channel, constant) = sample.shown[number];
        let shape = &shape.shown[number];
        Shown {
            channel: of(shape.channel, channel as u64),
            is_constant: of(shape.is_constant, constant.is_some().into()),
            is_one: of(shape.is_one, (constant == Some(true)).into()),
        }
    };
    ([0, 1, 2, 3].map(lane), [0, 1, 2, 3].map(shown))
}

fn drive(rig: &Rig<ResultStage>, has: &Has, sample: &Pixel, valid: u8, ends_quad: bool) {
    let shape = &has.shape;
    let of = |width: Width, value: u64| number(width.value_bits(), value);
    let (channels, shown) = channels_of(has, sample);
    rig.in_valid.drive(true);
    rig.sample.drive(shape.pack(&Sample {
        pixel: of(shape.pixel, sample.pixel as u64),
        is_valid: number(1, sample.is_valid),
        ends_quad: number(1, ends_quad),
        valid: of(shape.valid, valid.into()),
        fails: number(1, sample.fails),
        channels,
        are_floats: number(1, sample.are_floats),
        shown,
    }));
}

fn result(word: Value, bits: usize) -> QuadResult {
    let word = Bits::constant(word);
    let number = |at: usize| word.slice(bits * at, bits).to_u64() as u32;
    let above = word.slice(16 * bits, 5).to_u64();
    QuadResult {
        channels: std::array::from_fn(|pixel| std::array::from_fn(|channel| number(4 * pixel + channel))),
        valid: (above & 0xf) as u8,
        error: above >> 4 != 0,
    }
}

type Owed = Flow<(Vec<Pixel>, QuadResult)>;

fn clock(rig: &mut Rig<ResultStage>, has: &Has, check: &mut Check, owed: &mut Owed) {
    rig.settle();
    if is_high(rig.done.val()) {
        let (samples, expected) = owed.next(check);
        let got = result(rig.quad_result.val().value(), has.numbers.channel_bits() as usize);
        check.same(format_args!("result of {samples:x?}"), got, expected);
    }
    rig.tick();
}

fn results(name: &str, config: &Config) {
    let mut check = Check::new(name);
    let mut rig = Rig::new("result", ResultStage::new(config));
    let mut owed = Flow::default();
    let has = Has::of(config);
    assert_eq!(rig.quad_result.width(), result_bits(config));
    for number in 0..QUADS {
        let (samples, expected) = quad(&mut check, &has);
        owed.put((samples.clone(), expected));
        // Stretches without a bubble.
        let is_dense = number / 50 % 2 == 0;
        for (place, sample) in samples.iter().enumerate() {
            drive(&rig, &has, sample, expected.valid, place + 1 == samples.len());
            clock(&mut rig, &has, &mut check, &mut owed);
            if is_dense {
                continue;
            }
            rig.in_valid.drive(false);
            let width = rig.sample.width();
            rig.sample.drive(Bits::constant(noise(&mut check, width)));
            for _ in 0..check.rng.random_range(0..3) {
                clock(&mut rig, &has, &mut check, &mut owed);
            }
        }
    }
    rig.in_valid.drive(false);
    (0..12).for_each(|_| clock(&mut rig, &has, &mut check, &mut owed));
    owed.is_done(&mut check);
    check.at_least(QUADS as u64);
}
