//! Memory behind the cache: single lines, in order, after a latency; with pauses, failures and answers of the wrong length. What stands
//! between is the memory port: it counts lines and reads that are owed, and forgets both when one of them is none.

use super::twin::texel;
use crate::support::{is_high, number};
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_rtl::engines::mesh::texture_cache::TextureCache;
use tmu_rtl::engines::mesh::words::LINE_ADDRESS_BITS;
use tmu_stages::{Check, Rig};

/// What memory does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) latency_clocks: u64,
    /// It pauses in one of so many clocks; never at 0.
    pub(crate) pauses: u32,
    /// One of so many lines cannot be read; all of them can at 0.
    pub(crate) failures: u32,
    /// One of so many answers has the wrong length; none at 0.
    pub(crate) wrong_lengths: u32,
}

/// A beat on its way.
#[derive(Clone, Copy, Debug)]
struct Beat {
    line: u64,
    at: u64,
    response: u64,
    is_last: bool,
}

/// See the module's documentation.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    beats: VecDeque<Beat>,
    lines_owed: u64,
    reads_owed: u64,
    ready: bool,
    clock: u64,
    /// Lines asked for, in order.
    pub(crate) asked: VecDeque<u64>,
    /// Whether an answer had the wrong length.
    pub(crate) is_broken: bool,
    /// Lines that could not be read, and their responses.
    pub(crate) failed: Vec<(u64, u64)>,
}

impl Memory {
    /// Nothing is under way.
    pub(crate) fn is_quiet(&self) -> bool {
        self.beats.is_empty()
    }

    /// Drives the inputs of a clock.
    pub(crate) fn drive(&mut self, check: &mut Check, rig: &Rig<TextureCache>, manner: &Manner, job: u64) {
        let pauses = |check: &mut Check| manner.pauses > 0 && check.one_in(manner.pauses);
        self.ready = !pauses(check);
        rig.read.ready.drive(self.ready);
        let is_due = self.beats.front().is_some_and(|beat| beat.at <= self.clock);
        let beat = if is_due && !pauses(check) { self.beats.pop_front() } else { None };
        let is_owed = self.lines_owed > 0 && self.reads_owed > 0;
        rig.outstanding.drive(is_owed);
        rig.line_valid.drive(beat.is_some() && is_owed);
        rig.unexpected.drive(beat.is_some() && !is_owed);
        let Some(beat) = beat else { return };
        rig.line_data.drive(stack((0..8).map(|place| number(16, texel(job, 8 * beat.line + place)))));
        rig.line_response.drive(beat.response);
        rig.line_last.drive(beat.is_last);
        if is_owed {
            self.lines_owed -= 1;
            self.reads_owed -= u64::from(beat.is_last);
            if self.lines_owed == 0 || self.reads_owed == 0 {
                (self.lines_owed, self.reads_owed) = (0, 0);
            }
        }
    }

    /// Takes what was asked for in the clock.
    pub(crate) fn take(&mut self, check: &mut Check, rig: &Rig<TextureCache>, manner: &Manner) {
        self.clock += 1;
        if !self.ready || !is_high(rig.read.valid.val()) {
            return;
        }
        let word = rig.read.data.val();
        let line = word.low(LINE_ADDRESS_BITS).to_u64();
        check.same("lines of a read, less one", word.high(1).to_u64(), 0);
        self.asked.push_back(line);
        self.lines_owed += 1;
        self.reads_owed += 1;
        let fails = manner.failures > 0 && check.one_in(manner.failures);
        let response = if fails { check.pick(&[2, 3]) } else { 0 };
        if fails {
            self.failed.push((line, response));
        }
        let at = self.clock + manner.latency_clocks;
        let is_wrong = manner.wrong_lengths > 0 && check.one_in(manner.wrong_lengths);
        self.is_broken |= is_wrong;
        // Without its end, or with a beat too many.
        let ends: &[bool] = match (is_wrong, check.one_in(2)) {
            (false, _) => &[true],
            (true, false) => &[false, true],
            (true, true) => &[true, true],
        };
        self.beats.extend(ends.iter().map(|is_last| Beat { line, at, response, is_last: *is_last }));
    }
}
