//! `filter`: from the colours of a pixel's taps to the result of its quad.
//!
//! Two interpolations along the rows, one between them, four channels each, two channels in one DSP slice, always from
//! the even one to the odd one: it is the weights that are turned round. The
//! samples of a quad pass into a row of registers, one a clock, and leave together.
//!
//! Latency 8 clocks from colours to sample, 1 more to the quad. Initiation interval 1. Six DSP slices; none
//! without bilinear filtering.

use super::delay::Delay;
use super::words::{SLOTS, tap_layout};
use crate::bundles::Layout;
use crate::filter::RESULT_BITS;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::LerpPair;
use tmu_spec::Config;

/// Clocks of one interpolation.
const LERP_CLOCKS: usize = LerpPair::LATENCY_CLOCKS as usize;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Filter {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A pixel comes.
    pub comes: Net<In>,
    /// What belongs to it, see [`tap_layout`].
    pub tap: Net<In>,
    /// Colours of its taps: the even row's even and odd column, then the odd row's.
    pub colors: Vec<Net<In>>,
    /// A texel that it needs could not be read.
    pub error: Net<In>,
    /// A result, for one clock.
    pub done: Net<Out>,
    /// Colours, valid bits, error.
    pub result: Net<Out>,
    rows: Vec<Lerp>,
    column: Optional<Lerp>,
    column_weight: Optional<Delay>,
    passed: Optional<Reg>,
    waiting: Delay,
    marks: Delay,
    samples: Vec<Reg>,
    valids: Reg,
    error_so_far: Reg,
    failed: Reg,
    finished: Reg,
    _tap: Layout,
    _marks: Layout,
}

/// One interpolation of four channels.
#[derive(Bundle)]
struct Lerp {
    red_green: LerpPair,
    blue_alpha: LerpPair,
}

impl Lerp {
    fn new() -> Lerp {
        Lerp { red_green: LerpPair::new(), blue_alpha: LerpPair::new() }
    }
}

impl Filter {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Filter {
        let clocks = Clocks::new();
        let tap = tap_layout(config);
        let bilinear = config.features().bilinear();
        let marks = Layout::new(&[("number", 2, true), ("is_valid", 1, true), ("fails", 1, true)]);
        let steps = if bilinear { 2 * LERP_CLOCKS } else { 1 };
        Filter {
            comes: Net::bit(),
            tap: Net::new(tap.width()),
            colors: Net::array(if bilinear { 4 } else { 1 }, 32),
            error: Net::bit(),
            done: Net::bit(),
            result: Net::new(RESULT_BITS),
            rows: (0..if bilinear { 2 } else { 0 }).map(|_| Lerp::new()).collect(),
            column: Optional::new(bilinear, Lerp::new),
            column_weight: Optional::new(bilinear, || Delay::new(&clocks, LERP_CLOCKS, LerpPair::WEIGHT_BITS)),
            passed: Optional::new(!bilinear, || Reg::new(&clocks, 32)),
            waiting: Delay::flag(&clocks, steps),
            marks: Delay::new(&clocks, steps, marks.width()),
            samples: Reg::array(SLOTS, &clocks, 32),
            valids: Reg::new(&clocks, SLOTS),
            error_so_far: Reg::with_reset(&clocks, 1, 0),
            failed: Reg::new(&clocks, 1),
            finished: Reg::with_reset(&clocks, 1, 0),
            clocks,
            _tap: tap,
            _marks: marks,
        }
    }
}

/// Weighted taps to samples, samples to quads.
#[kernel]
impl Filter {
    fn logic(&self) {
        timing(if self.rows.is_empty() { 2 } else { 9 }, 1);
        let sample = self.interpolate();
        self.gather(sample);
    }

    fn interpolate(&self) -> Bits {
        let always = lit(1, 1u32);
        let field = |name: &str| self._tap.get(self.tap.val(), name);
        let places = ["is_table", "is_indexed", "column_bit1", "row_bit1"].map(field);
        discard(cat(&places), "they have done their work");
        let fails = self.error.val() || field("is_failed");
        let marks =
            [("number", field("number")), ("is_valid", field("is_valid")), ("fails", fails)];
        self.waiting.take(self.comes.val(), always);
        self.marks.take(self._marks.pack(&marks), always);
        if let Some(passed) = self.passed.as_ref() {
            discard(cat(&[field("odd_weight_x"), field("odd_weight_y")]), "there is one tap");
            passed.next = self.colors[0].val();
            return passed.val();
        }
        let (Some(column), Some(column_weight)) = (self.column.as_ref(), self.column_weight.as_ref()) else {
            unreachable!("there is bilinear filtering, or there is not");
        };
        /// # Along the rows
        for (number, row) in self.rows.iter().enumerate() {
            let (first, second) = (self.colors[2 * number].val(), self.colors[2 * number + 1].val());
            self.lerp(row, first, second, field("odd_weight_x"));
        }
        column_weight.take(field("odd_weight_y"), always);
        /// # Between the rows
        self.lerp(column, self.color(&self.rows[0]), self.color(&self.rows[1]), column_weight.last());
        self.color(column)
    }

    /// Interpolates between two colours.
    fn lerp(&self, lerp: &Lerp, first: Bits, second: Bits, weight: Bits) {
        for (pair, lo) in [(&lerp.red_green, 0), (&lerp.blue_alpha, 16)] {
            pair.clocks.follow(&self.clocks);
            pair.enable.next = 1;
            pair.x0.next = first.slice(lo, 8);
            pair.x1.next = first.slice(lo + 8, 8);
            pair.y0.next = second.slice(lo, 8);
            pair.y1.next = second.slice(lo + 8, 8);
            pair.weight.next = weight;
        }
    }

    /// The colour between.
    fn color(&self, lerp: &Lerp) -> Bits {
        let (red_green, blue_alpha) = (&lerp.red_green, &lerp.blue_alpha);
        cat(&[
            blue_alpha.result1.val(),
            blue_alpha.result0.val(),
            red_green.result1.val(),
            red_green.result0.val(),
        ])
    }

    fn gather(&self, sample: Bits) {
        /// # Gather
        let field = |name: &str| self._marks.get(self.marks.last(), name);
        let (comes, is_valid) = (self.waiting.last(), field("is_valid"));
        let is_last = comes && field("number").all();
        let fails = self.error_so_far.val() || field("fails");
        if comes {
            self.error_so_far.next = fails && !is_last;
            self.failed.next = fails;
            self.valids.next = cat(&[is_valid, self.valids.val().high(SLOTS - 1)]);
        }
        self.finished.next = is_last;
        /// Pixels that are not valid, and all of a quad that failed, are 0.
        let clears = is_last && fails;
        for place in 0..SLOTS {
            if clears {
                self.samples[place].next = 0;
            } else if comes {
                let newest = sample & is_valid.repeat(32);
                self.samples[place].next =
                    if place == SLOTS - 1 { newest } else { self.samples[(place + 1) % SLOTS].val() };
            }
        }
        let samples: Vec<Bits> = self.samples.iter().rev().map(|reg| reg.val()).collect();
        self.done.next = self.finished.val();
        self.result.next = cat(&[self.failed.val(), self.valids.val(), cat(&samples)]);
    }
}
