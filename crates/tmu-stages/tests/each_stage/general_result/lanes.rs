//! The result of four lanes: a quad of samples a clock.

use super::{Has, Pixel, all_forms, channels_of, result};
use crate::support::{any_bits, configs, is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_rtl::datapath::general::result::lanes::ResultLanes;
use tmu_rtl::datapath::general::result::{PixelSample, QuadSample, result_bits};
use tmu_rtl::datapath::general::words::PIXELS;
use tmu_spec::Config;
use tmu_spec::general::QuadResult;
use tmu_stages::{Check, Flow, Rig};

const QUADS: usize = 2500;

#[test]
pub(crate) fn everything() {
    results("general_result lanes", &configs::multi_quad());
}

#[test]
fn forms() {
    for changes in all_forms() {
        results(&format!("lanes {changes:?}"), &configs::multi_lite_quad(&changes));
    }
}

/// The samples of a quad, and its result.
#[derive(Clone, Debug)]
struct Quad {
    pixels: Vec<Pixel>,
    fails: bool,
    are_floats: bool,
    expected: QuadResult,
}

fn quad(check: &mut Check, has: &Has) -> Quad {
    let valid = check.rng.random_range(0..16u8);
    let are_floats = has.shape.are_floats.packed_bits() > 0 && check.one_in(2);
    let fails = check.one_in(6);
    // Those that are not valid have samples too, which do not count.
    let pixels: Vec<Pixel> =
        (0..PIXELS).map(|pixel| Pixel::any(check, has, pixel, are_floats, fails)).collect();
    let mut expected = QuadResult { valid, ..QuadResult::default() };
    for (place, pixel) in pixels.iter().enumerate() {
        if valid >> place & 1 == 1 {
            expected.channels[place] = pixel.numbers;
        }
    }
    let expected = if fails { QuadResult::failed(valid) } else { expected };
    Quad { pixels, fails, are_floats, expected }
}

fn drive(rig: &Rig<ResultLanes>, config: &Config, has: &Has, quad: &Quad) {
    let pixel = |place: usize| {
        let (channels, shown) = channels_of(has, &quad.pixels[place]);
        PixelSample { channels, shown }
    };
    rig.in_valid.drive(true);
    rig.sample.drive(QuadSample::of(config).pack(&QuadSample {
        valid: number(PIXELS, quad.expected.valid),
        fails: number(1, quad.fails),
        are_floats: number(1, quad.are_floats),
        is_last: number(1, quad.expected.valid & 1),
        pixels: [0, 1, 2, 3].map(pixel),
    }));
}

fn clock(rig: &mut Rig<ResultLanes>, has: &Has, check: &mut Check, owed: &mut Flow<Quad>) {
    rig.settle();
    if is_high(rig.done.val()) {
        let quad = owed.next(check);
        let got = result(rig.quad_result.val().value(), has.numbers.channel_bits() as usize);
        check.same(format_args!("result of {quad:x?}"), got, quad.expected);
        if rig.quad_result.width() > 16 * has.numbers.channel_bits() as usize + 5 {
            check.same(
                "it is the last one",
                is_high(rig.quad_result.val().high(1)),
                quad.expected.valid & 1 == 1,
            );
        }
    }
    rig.tick();
}

fn results(name: &str, config: &Config) {
    let mut check = Check::new(name);
    let mut rig = Rig::new("result_lanes", ResultLanes::new(config));
    let mut owed = Flow::default();
    let has = Has::of(config);
    assert_eq!(rig.quad_result.width(), result_bits(config));
    for place in 0..QUADS {
        let quad = quad(&mut check, &has);
        owed.put(quad.clone());
        drive(&rig, config, &has, &quad);
        clock(&mut rig, &has, &mut check, &mut owed);
        // Stretches without a bubble.
        if place / 50 % 2 == 0 {
            continue;
        }
        rig.in_valid.drive(false);
        let width = rig.sample.width();
        rig.sample.drive(any_bits(&mut check, width));
        for _ in 0..check.rng.random_range(0..3) {
            clock(&mut rig, &has, &mut check, &mut owed);
        }
    }
    rig.in_valid.drive(false);
    (0..12).for_each(|_| clock(&mut rig, &has, &mut check, &mut owed));
    owed.is_done(&mut check);
    check.at_least(QUADS as u64);
}
