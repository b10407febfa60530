//! `write_combiner`: memory after a job holds the pixels that were drawn and is untouched elsewhere, in few writes.

use super::{LINE_BITS, Pixel, any_color, any_place};
use crate::support::is_high;
use rand::Rng;
use std::collections::{BTreeMap, VecDeque};
use tmu_hdl::prelude::*;
use tmu_rtl::engines::mesh::words::{PLACE_BITS, RESPONSE_BITS};
use tmu_rtl::engines::mesh::write_combiner::{BURST_LINES, WriteCombiner};
use tmu_stages::{Check, Rig};

/// Lines between boundaries of 4 KiB.
const PAGE_LINES: u64 = 256;

/// A write that memory has been asked for.
struct Write {
    first: u64,
    lines: u64,
    given: u64,
}

struct Bench {
    rig: Rig<WriteCombiner>,
    /// Asked for, and lines to come; then those to be answered.
    writes: VecDeque<Write>,
    to_answer: VecDeque<u64>,
    /// What was written, by byte.
    bytes: BTreeMap<u64, u64>,
    expected: BTreeMap<u64, u64>,
    may_fail: bool,
    /// Response and line of the job's first write that failed.
    fault: Option<(u64, u64)>,
    has_failed: bool,
    counts: [usize; 2],
    writes_of_job: usize,
    finished: usize,
    waited: usize,
}

impl Bench {
    fn new() -> Bench {
        Bench {
            rig: Rig::new("write_combiner", WriteCombiner::new(LINE_BITS)),
            writes: VecDeque::new(),
            to_answer: VecDeque::new(),
            bytes: BTreeMap::new(),
            expected: BTreeMap::new(),
            may_fail: false,
            fault: None,
            has_failed: false,
            counts: [0; 2],
            writes_of_job: 0,
            finished: 0,
            waited: 0,
        }
    }

    /// A clock, with a pixel or none. Whether it was taken.
    fn clock(&mut self, check: &mut Check, pixel: Option<Pixel>) -> bool {
        let rig = &self.rig;
        rig.input.valid.drive(pixel.is_some());
        if let Some(pixel) = pixel {
            rig.input.data.drive(pixel.word());
        }
        rig.write.ready.drive(check.one_in(2));
        let takes_line = self.writes.front().is_some() && !check.one_in(3);
        rig.line.ready.drive(takes_line);
        let answers = !self.to_answer.is_empty() && check.one_in(3);
        let response = if self.may_fail && check.one_in(8) { check.rng.random_range(0..4) } else { 0 };
        rig.write_done.drive(answers);
        rig.write_response.drive(lit(RESPONSE_BITS, response));
        self.rig.settle();
        if answers
            && let Some(first) = self.to_answer.pop_front()
            && response > 1
            && !self.has_failed
        {
            self.has_failed = true;
            self.fault = Some((response, first));
        }
        self.look(check, takes_line);
        let taken = is_high(self.rig.input.moves());
        self.rig.tick();
        taken
    }

    fn look(&mut self, check: &mut Check, takes_line: bool) {
        let rig = &self.rig;
        if is_high(rig.finished.val()) {
            self.finished += 1;
            check.holds(self.writes.is_empty() && self.to_answer.is_empty(), "all writes are answered");
        }
        if is_high(rig.fault.happened.val()) {
            let told = (rig.fault.response.val().to_u64(), rig.fault.line.val().to_u64());
            check.same("fault, once", Some(told), self.fault.take());
        }
        self.counts[0] += usize::from(is_high(rig.draws.val()));
        self.counts[1] += usize::from(is_high(rig.leaves_out.val()));
        self.waited = if takes_line && !is_high(rig.line.valid.val()) { self.waited + 1 } else { 0 };
        check.same("clocks that a line keeps a write waiting", self.waited, 0);
        if takes_line && is_high(rig.line.valid.val()) {
            self.take_line(check);
        }
        let rig = &self.rig;
        if is_high(rig.write.moves()) {
            let word = rig.write.data.val();
            let (first, lines) = (word.low(LINE_BITS).to_u64(), word.high(3).to_u64() + 1);
            check.holds(first % PAGE_LINES + lines <= PAGE_LINES, "no write crosses 4 KiB");
            self.writes.push_back(Write { first, lines, given: 0 });
            self.writes_of_job += 1;
        }
    }

    fn take_line(&mut self, check: &mut Check) {
        let word = self.rig.line.data.val();
        let (data, strobes) = (word.low(128).value(), word.high(16).to_u64());
        let Some(write) = self.writes.front_mut() else { check.fail("a line without a write") };
        let line = write.first + write.given;
        write.given += 1;
        check.holds(strobes != 0, "something of the line is written");
        for byte in (0..16).filter(|byte| strobes >> byte & 1 == 1) {
            self.bytes.insert(16 * line + byte, data.limbs()[byte as usize / 8] >> (8 * (byte % 8)) & 255);
        }
        if write.given == write.lines {
            self.to_answer.push_back(write.first);
            self.writes.pop_front();
        }
    }

    /// Sends pixels and the end and waits for it; `cancels` before the pixel of that number.
    fn job(&mut self, check: &mut Check, pixels: &[Pixel], cancels: Option<usize>) -> usize {
        let (mut number, mut clocks, mut is_offered) = (0, 0, false);
        (self.counts, self.writes_of_job, self.finished, self.has_failed) = ([0; 2], 0, 0, false);
        let mut expected_counts = [0; 2];
        while self.finished == 0 {
            let is_cancelled = cancels.is_some_and(|first| number >= first);
            self.rig.cancelled.drive(is_cancelled);
            is_offered = number < pixels.len() && (is_offered || !check.one_in(6));
            let pixel = is_offered.then(|| pixels[number]);
            if self.clock(check, pixel)
                && let Some(pixel) = pixel
            {
                let is_drawn = pixel.is_drawn && !is_cancelled;
                expected_counts[usize::from(!is_drawn)] += usize::from(!pixel.is_end);
                if is_drawn {
                    self.expected.insert(2 * pixel.place, pixel.color & 255);
                    self.expected.insert(2 * pixel.place + 1, pixel.color >> 8);
                }
                number += 1;
                is_offered = false;
            }
            clocks += 1;
            check.holds(clocks < 30 * pixels.len() + 1000, "the job ends");
        }
        for _ in 0..4 {
            self.clock(check, None);
        }
        check.same("pixels before the end", number, pixels.len());
        check.same("times that it ends", self.finished, 1);
        check.same("pixels drawn and left out", self.counts, expected_counts);
        check.same("fault that is not told", self.fault, None);
        check.holds(self.bytes == self.expected, "memory holds what was drawn and nothing else");
        self.writes_of_job
    }
}

/// Runs of pixels, many of which go on where the last one has ended.
fn random_pixels(check: &mut Check) -> Vec<Pixel> {
    let mut place = any_place(check);
    let mut line = None;
    let mut pixels: Vec<Pixel> = (0..check.rng.random_range(0..200))
        .map(|_| {
            let opens_line = line != Some(place / 8);
            line = Some(place / 8);
            let is_drawn = !check.one_in(4);
            let pixel = Pixel { color: any_color(check), place, opens_line, is_drawn, is_end: false };
            place = match check.rng.random_range(0..24) {
                0 => any_place(check),
                // Before a boundary.
                1 => (place | 2047) - check.rng.random_range(0..9),
                // Another line, in the same page or not.
                2 => place ^ 8 << check.rng.random_range(0..PLACE_BITS - 3),
                3..6 => place + 8,
                _ => place + 1,
            } % (1 << PLACE_BITS);
            pixel
        })
        .collect();
    pixels.push(Pixel::end());
    pixels
}

#[test]
pub(crate) fn write_combiner() {
    let mut check = Check::new("write_combiner");
    let mut bench = Bench::new();
    for number in 0..32 {
        bench.may_fail = number % 4 == 1;
        let pixels = random_pixels(&mut check);
        let cancels = (number % 5 == 2).then(|| check.rng.random_range(0..pixels.len()));
        bench.job(&mut check, &pixels, cancels);
    }
    check.at_least(3000);
}

/// A row of pixels becomes as few writes as bursts and boundaries allow.
#[test]
fn rows_become_bursts() {
    let mut check = Check::new("write_combiner");
    for (first, count) in [(0u64, 640u64), (3, 640), (2000, 100), (2047, 2), (7, 1)] {
        let mut bench = Bench::new();
        let pixels = (first..first + count).map(|place| Pixel {
            color: place & 0xffff,
            place,
            opens_line: place == first || place % 8 == 0,
            is_drawn: true,
            is_end: false,
        });
        let pixels: Vec<Pixel> = pixels.chain([Pixel::end()]).collect();
        let writes = bench.job(&mut check, &pixels, None) as u64;
        // Each page by itself.
        let (mut expected, mut line, last) = (0, first / 8, (first + count - 1) / 8);
        while line <= last {
            let lines = (last + 1 - line).min(BURST_LINES as u64).min(PAGE_LINES - line % PAGE_LINES);
            (expected, line) = (expected + 1, line + lines);
        }
        check.same(format_args!("writes of {count} pixels from {first} on"), writes, expected);
    }
}
