//! `blend`: both formulas, lines and pixels in step, and lines that could not be read.

use super::{LARGEST, Pixel, any_color, any_place, half_even, joined, parts, send};
use crate::support::is_high;
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_rtl::engines::mesh::blend::Blend;
use tmu_rtl::engines::mesh::colors::{FrameLine, frame_line};
use tmu_rtl::engines::mesh::words::{RESPONSE_BITS, SHARE_BITS};
use tmu_stages::{Check, Rig};

/// Both formulas.
fn mixed(color: u64, there: u64, alpha: u64, is_additive: bool) -> u64 {
    let (color, there) = (parts(color), parts(there));
    let rest = if is_additive { 64 } else { 63 - alpha };
    let part = |n: usize| half_even((alpha + 1) * color[n] + rest * there[n], 6).min(LARGEST[n]);
    joined([part(0), part(1), part(2)])
}

/// A line of the frame buffer, and why it could not be read.
type Line = ([u64; 8], u64);

fn line_word((pixels, response): Line) -> Bits {
    let limbs = [0, 4].map(|at| (0..4).fold(0, |limb, n| limb | pixels[at + n] << (16 * n)));
    let pixels = Bits::constant(Value::from_limbs(128, &limbs));
    frame_line().pack(&FrameLine { pixels, response: lit(RESPONSE_BITS, response) })
}

#[derive(Default)]
struct Job {
    items: Vec<(Bits, Pixel)>,
    lines: VecDeque<Line>,
    /// Response and line.
    fault: Option<(u64, u64)>,
}

impl Job {
    fn run(&mut self, check: &mut Check, rig: &mut Rig<Blend>, [alpha, is_additive]: [u64; 2]) {
        rig.settings.alpha.drive(lit(SHARE_BITS, alpha));
        rig.settings.is_additive.drive(is_additive == 1);
        rig.settings.reads_frame.drive(reads_frame(alpha, is_additive));
        let (items, mut fault) = (std::mem::take(&mut self.items), self.fault.take());
        let (lines, mut is_offered) = (&mut self.lines, false);
        let around = |check: &mut Check, rig: &Rig<Blend>, is_settled: bool| {
            if !is_settled {
                is_offered = !lines.is_empty() && (is_offered || !check.one_in(4));
                rig.lines.valid.drive(is_offered);
                rig.lines.data.drive(line_word(lines.front().copied().unwrap_or_default()));
                return;
            }
            if is_offered && is_high(rig.lines.ready.val()) {
                lines.pop_front();
                is_offered = false;
            }
            if is_high(rig.fault.happened.val()) {
                let told = (rig.fault.response.val().to_u64(), rig.fault.line.val().to_u64());
                check.same("fault, once", Some(told), fault.take());
            }
        };
        send(
            check,
            rig,
            |stage| (&stage.input, &stage.output),
            items,
            around,
            |check, word, expected| {
                let got = Pixel::of(word);
                let hidden = !expected.is_drawn;
                check.same("pixel", if hidden { Pixel { color: 0, ..got } } else { got }, expected);
            },
        );
        check.same("fault that is not told", fault, None);
        check.holds(self.lines.is_empty(), "all lines are taken");
    }

    /// A pixel over what is there.
    fn put(&mut self, pixel: Pixel, there: u64, [alpha, is_additive]: [u64; 2]) {
        let has_failed = self.fault.is_some();
        let is_drawn = pixel.is_drawn && !has_failed;
        let color = if is_drawn { mixed(pixel.color, there, alpha, is_additive == 1) } else { 0 };
        self.items.push((pixel.word(), Pixel { color, is_drawn, ..pixel }));
    }
}

fn reads_frame(alpha: u64, is_additive: u64) -> bool {
    alpha != 63 || is_additive == 1
}

/// Runs of pixels in lines, with settings.
fn random_job(check: &mut Check, settings: [u64; 2]) -> Job {
    let reads = reads_frame(settings[0], settings[1]);
    let mut job = Job::default();
    for _ in 0..check.rng.random_range(1..12) {
        let first = any_place(check);
        let mut pixels = [(); 8].map(|()| any_color(check));
        let response = if check.one_in(60) { check.rng.random_range(1..4) } else { 0 };
        if reads {
            job.lines.push_back((pixels, response));
            if response != 0 && job.fault.is_none() {
                job.fault = Some((response, first / 8));
            }
        } else {
            pixels = [0; 8];
        }
        for number in 0..check.rng.random_range(1..10) {
            let place = first / 8 * 8 + (first + number) % 8;
            let (color, is_drawn) = (any_color(check), !check.one_in(4));
            let pixel = Pixel { color, place, opens_line: number == 0, is_drawn, is_end: false };
            job.put(pixel, pixels[place as usize % 8], settings);
        }
    }
    job.items.push((Pixel::end().word(), Pixel::end()));
    job
}

#[test]
pub(crate) fn blend() {
    let mut check = Check::new("blend");
    let mut rig = Rig::new("blend", Blend::new());
    for number in 0..128 {
        let settings = [63 - number % 64, number / 64];
        random_job(&mut check, settings).run(&mut check, &mut rig, settings);
    }
    check.at_least(2000);
}

#[test]
#[ignore = "half a million pixels"]
fn every_alpha_and_every_component() {
    let mut check = Check::new("blend");
    let mut rig = Rig::new("blend", Blend::new());
    for settings in (0..128).map(|number| [number % 64, number / 64]) {
        let mut job = Job::default();
        for there in 0..64 {
            let pixel_there = joined([there % 32, there, there / 2]);
            if reads_frame(settings[0], settings[1]) {
                job.lines.push_back(([pixel_there; 8], 0));
            }
            for part in 0..64 {
                let color = joined([part % 32, part, part / 2]);
                let pixel = Pixel {
                    color,
                    place: 8 * there + part % 8,
                    opens_line: part == 0,
                    is_drawn: true,
                    is_end: false,
                };
                job.put(pixel, pixel_there, settings);
            }
        }
        job.run(&mut check, &mut rig, settings);
    }
    check.at_least(128 * 64 * 64);
}
