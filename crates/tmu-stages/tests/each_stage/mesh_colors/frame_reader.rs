//! `frame_reader`: a line for each run of pixels, in order, whatever memory does.

use super::{LINE_BITS, any_place};
use crate::support::{any_bits, is_high};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_rtl::engines::mesh::colors::frame_line;
use tmu_rtl::engines::mesh::frame_reader::FrameReader;
use tmu_rtl::engines::mesh::words::{COORDINATE_BITS, PLACE_BITS, PixelWord, RESPONSE_BITS, pixel_word};
use tmu_stages::{Check, Flow, Rig};

/// A beat of memory: the line that it answers, its response, and whether it ends its answer.
type Beat = (u64, u64, bool);

/// Memory that answers in order.
#[derive(Default)]
struct Memory {
    beats: VecDeque<Beat>,
    /// Lines that the port still waits for.
    owed: usize,
    /// An answer has had the wrong length.
    is_wrong: bool,
}

impl Memory {
    /// Drives an answer, or none. Of a broken answer the next lines come at other times than they are owed at.
    fn drive(&mut self, check: &mut Check, rig: &Rig<FrameReader>, may_break: bool) {
        rig.outstanding.drive(self.owed > 0);
        let comes = !self.beats.is_empty() && !check.one_in(3);
        let breaks = comes && may_break && !self.is_wrong && check.one_in(12);
        self.is_wrong |= breaks;
        let beat = if comes { self.beats.pop_front() } else { None };
        let (line, response, is_last) = beat.unwrap_or_default();
        rig.line_valid.drive(comes && self.owed > 0);
        rig.unexpected.drive(comes && self.owed == 0);
        rig.line_data.drive(contents(line));
        rig.line_response.drive(lit(RESPONSE_BITS, response));
        rig.line_last.drive(is_last && !breaks);
        if breaks {
            self.beats.push_front((line, response, true));
        }
        self.owed -= usize::from(comes && self.owed > 0);
    }
}

/// What a line holds.
fn contents(line: u64) -> Bits {
    Bits::constant(Value::from_limbs(128, &[line, !line]))
}

/// What is expected of a line: its number and response.
type Expected = (u64, u64);

struct Bench {
    rig: Rig<FrameReader>,
    pixels: VecDeque<Bits>,
    is_offered: bool,
    /// Memory's responses are any.
    may_fail: bool,
    may_break: bool,
    memory: Memory,
    through: Flow<Value>,
    asks: Flow<u64>,
    lines: Flow<Expected>,
    reads_frame: bool,
    fails_from_here: bool,
}

impl Bench {
    fn new() -> Bench {
        Bench {
            rig: Rig::new("frame_reader", FrameReader::new(LINE_BITS)),
            pixels: VecDeque::new(),
            is_offered: false,
            may_fail: false,
            may_break: false,
            memory: Memory::default(),
            through: Flow::default(),
            asks: Flow::default(),
            lines: Flow::default(),
            reads_frame: false,
            fails_from_here: false,
        }
    }

    fn clock(&mut self, check: &mut Check) {
        let rig = &self.rig;
        self.is_offered = !self.pixels.is_empty() && (self.is_offered || !check.one_in(6));
        rig.input.valid.drive(self.is_offered);
        if let Some(word) = self.pixels.front() {
            rig.input.data.drive(*word);
        }
        rig.output.ready.drive(!check.one_in(5));
        rig.read.ready.drive(check.one_in(2));
        rig.lines.ready.drive(check.one_in(3));
        self.memory.drive(check, rig, self.may_break);
        self.rig.settle();
        self.look(check);
        self.rig.tick();
    }

    fn look(&mut self, check: &mut Check) {
        let rig = &self.rig;
        if is_high(rig.output.moves()) {
            let word = rig.output.data.val();
            check.holds(is_high(rig.input.moves()), "a pixel passes at once");
            self.pixels.pop_front();
            self.is_offered = false;
            let owed = self.through.next(check);
            check.same("pixel", word.value(), owed);
            self.pass(word);
        } else {
            check.holds(!is_high(self.rig.input.moves()), "no pixel is lost");
        }
        let rig = &self.rig;
        if is_high(rig.read.moves()) {
            let read = rig.read.data.val();
            let owed = self.asks.next(check);
            check.same("line that is asked for", read.to_u64(), owed);
            let response = if self.may_fail && check.one_in(10) { check.rng.random_range(0..4) } else { 0 };
            self.memory.beats.push_back((owed, response, true));
            self.memory.owed += 1;
        }
        if is_high(rig.lines.moves()) {
            let got = frame_line().unpack(rig.lines.data.val());
            let (line, response) = self.lines.next(check);
            let got_response = got.response.to_u64();
            if self.memory.is_wrong && got_response == 1 {
                self.fails_from_here = true;
            } else {
                let responses = if self.may_fail { vec![0, 2, 3] } else { vec![response] };
                check.holds(responses.contains(&got_response), format_args!("response {got_response}"));
                check.same("line", got.pixels.value(), contents(line).value());
            }
        }
    }

    /// What follows from a pixel that has passed.
    fn pass(&mut self, word: Bits) {
        let pixel = pixel_word().unpack(word);
        let line = pixel.place.to_u64() / 8;
        if self.reads_frame && is_high(pixel.opens_line) {
            self.asks.put(line);
            self.lines.put((line, 0));
        }
    }

    fn job(&mut self, check: &mut Check, reads_frame: bool) {
        self.reads_frame = reads_frame;
        self.rig.reads_frame.drive(reads_frame);
        let (mut place, mut line) = (any_place(check), None);
        for number in (0..80).rev() {
            place = match check.rng.random_range(0..8) {
                0 => any_place(check),
                1 => place ^ 1 << check.rng.random_range(0..PLACE_BITS),
                _ => (place + 1) % (1 << PLACE_BITS),
            };
            // At times one is said to open the line in which the one before lies: the stage compares nothing.
            let opens_line = number > 0 && (line != Some(place / 8) || check.one_in(20));
            line = Some(place / 8);
            let word = pixel_word().pack(&PixelWord {
                u: any_bits(check, COORDINATE_BITS),
                v: any_bits(check, COORDINATE_BITS),
                place: lit(PLACE_BITS, place),
                opens_line: lit(1, u64::from(opens_line)),
                is_end: lit(1, u64::from(number == 0)),
            });
            self.pixels.push_back(word);
            self.through.put(word.value());
        }
        let mut clocks = 0;
        while !self.through.is_empty() || !self.lines.is_empty() || !self.memory.beats.is_empty() {
            self.clock(check);
            clocks += 1;
            check.holds(clocks < 4000, "the job ends");
        }
    }
}

#[test]
pub(crate) fn frame_reader() {
    let mut check = Check::new("frame_reader");
    let mut bench = Bench::new();
    for number in 0..24 {
        bench.may_fail = number % 4 == 1;
        bench.job(&mut check, number % 4 != 2);
    }
    check.at_least(3000);
}

/// An answer of the wrong length: its line fails and those that are owed; those of later pixels come as they are.
#[test]
fn wrong_length() {
    let mut check = Check::new("frame_reader");
    let mut broken = 0;
    for _ in 0..12 {
        let mut bench = Bench::new();
        bench.may_break = true;
        bench.job(&mut check, true);
        broken += usize::from(bench.memory.is_wrong);
        check.same("some line fails", bench.fails_from_here, bench.memory.is_wrong);
        // What belongs to the broken answers is gone when the next job's lines come.
        (bench.may_break, bench.memory.is_wrong) = (false, false);
        bench.job(&mut check, true);
    }
    check.holds(broken > 3, "answers are broken");
}

/// Memory that never answers holds pixels back before there is no room for their lines.
#[test]
fn has_room() {
    let mut check = Check::new("frame_reader");
    let mut rig = Rig::new("frame_reader", FrameReader::new(LINE_BITS));
    rig.reads_frame.drive(true);
    rig.input.valid.drive(true);
    rig.output.ready.drive(true);
    rig.read.ready.drive(true);
    let (mut asked, mut passed) = (0, 0);
    for clock in 0..400u64 {
        let word = PixelWord {
            place: lit(PLACE_BITS, 8 * passed),
            opens_line: lit(1, 1u32),
            ..pixel_word().unpack(lit(pixel_word().width(), 0u32))
        };
        rig.input.data.drive(pixel_word().pack(&word));
        rig.settle();
        passed += u64::from(is_high(rig.input.moves()));
        asked += u64::from(is_high(rig.read.moves()));
        check.holds(clock < 300 || !is_high(rig.input.ready.val()), "pixels are held back");
        rig.tick();
    }
    check.same("lines asked for", asked, passed);
    check.holds((58..=64).contains(&asked), format_args!("{asked} lines on their way"));
}
