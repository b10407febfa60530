//! `filter`: from the colours of the taps of an item's pixels to the result of their quad.
//!
//! For each pixel two interpolations along the rows, one between them, four channels each, two channels in one DSP slice,
//! always from the even one to the odd one: it is the weights that are turned round. Each sample has a place in a row of
//! registers, where those that have no item or are not valid are zero; a quad's leave together.
//!
//! Latency 8 clocks from colours to sample, 1 more to the quad. Initiation interval 1. Six DSP slices a pixel of an item;
//! none without bilinear filtering.

use crate::datapath::bundles::Layout;
use crate::datapath::delay::Delay;
use crate::datapath::filter::blocking::RESULT_BITS;
use crate::datapath::filter::color_lerp::{LERP_CLOCKS, color_lerp};
use crate::datapath::words::{LANES_OF_QUAD, by_parity, lane_layout, lanes, tap_layout};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::LerpPair;
use tmu_spec::Config;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Filter {
    /// Clock and reset.
    pub clocks: Clocks,
    /// An item comes.
    pub in_valid: Net<In>,
    /// What belongs to it, see [`tap_layout`].
    pub tap: Net<In>,
    /// Colours of its taps, pixel by pixel: the even row's even and odd column, then the odd row's.
    pub colors: Vec<Net<In>>,
    /// A texel that it needs could not be read.
    pub error: Net<In>,
    /// A result, for one clock.
    pub done: Net<Out>,
    /// Colours, valid bits, error.
    pub result: Net<Out>,
    lanes: Vec<Lane>,
    waiting: Delay,
    sideband: Delay,
    samples: Vec<Reg>,
    valids: Reg,
    is_first: Optional<Reg>,
    error_so_far: Reg,
    failed: Reg,
    finished: Reg,
    _tap: Layout,
    _lane: Layout,
    _marks: Layout,
}

/// From the colours of a pixel's taps to its sample.
#[derive(Bundle)]
struct Lane {
    rows: Vec<Lerp>,
    column: Optional<Lerp>,
    column_weight: Optional<Delay>,
    passed: Optional<Reg>,
}

impl Lane {
    fn new(clocks: &Clocks, bilinear: bool) -> Lane {
        Lane {
            rows: (0..if bilinear { 2 } else { 0 }).map(|_| Lerp::new()).collect(),
            column: Optional::new(bilinear, Lerp::new),
            column_weight: Optional::new(bilinear, || Delay::new(clocks, LERP_CLOCKS, LerpPair::WEIGHT_BITS)),
            passed: Optional::new(!bilinear, || Reg::new(clocks, 32)),
        }
    }
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

    fn pairs(&self) -> [&LerpPair; 2] {
        [&self.red_green, &self.blue_alpha]
    }
}

impl Filter {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Filter {
        let clocks = Clocks::new();
        let tap = tap_layout(config);
        let bilinear = config.features().bilinear();
        let lanes = lanes(config);
        let sideband = Layout::new(&[
            ("pixel", 2, lanes == 1),
            ("is_last", 1, true),
            ("pixel_mask", lanes, lanes > 1),
            ("is_valid", lanes, true),
            ("fails", 1, true),
        ]);
        let steps = if bilinear { 2 * LERP_CLOCKS } else { 1 };
        Filter {
            in_valid: Net::bit(),
            tap: Net::new(tap.width()),
            colors: Net::array(if bilinear || lanes > 1 { 4 * lanes } else { 1 }, 32),
            error: Net::bit(),
            done: Net::bit(),
            result: Net::new(RESULT_BITS),
            lanes: (0..lanes).map(|_| Lane::new(&clocks, bilinear)).collect(),
            waiting: Delay::flag(&clocks, steps),
            sideband: Delay::new(&clocks, steps, sideband.width()),
            samples: Reg::array(LANES_OF_QUAD, &clocks, 32),
            valids: Reg::new(&clocks, LANES_OF_QUAD),
            is_first: Optional::new(lanes == 1, || Reg::with_reset(&clocks, 1, 1)),
            error_so_far: Reg::with_reset(&clocks, 1, 0),
            failed: Reg::new(&clocks, 1),
            finished: Reg::with_reset(&clocks, 1, 0),
            clocks,
            _tap: tap,
            _lane: lane_layout(config),
            _marks: sideband,
        }
    }
}

/// Weighted taps to samples, samples to quads.
#[kernel]
impl Filter {
    fn logic(&self) {
        timing(if self.lanes[0].rows.is_empty() { 2 } else { 9 }, 1);
        self.sideband();
        let samples: Vec<Bits> = (0..self.lanes.len()).map(|lane| self.interpolate(lane)).collect();
        self.gather(&samples);
    }

    fn sideband(&self) {
        /// # Items
        let always = lit(1, 1u32);
        let field = |name: &str| self._tap.get(self.tap.val(), name);
        let places = ["is_table", "is_indexed"].map(field);
        discard(cat(&places), "they have done their work");
        let sideband = self._marks.pack(&[
            ("pixel", field("pixel")),
            ("is_last", field("is_last")),
            ("pixel_mask", field("pixel_mask")),
            ("is_valid", field("is_valid")),
            ("fails", self.error.val() || field("is_failed")),
        ]);
        self.waiting.take(self.in_valid.val(), always);
        self.sideband.take(sideband, always);
    }

    fn interpolate(&self, number: usize) -> Bits {
        let always = lit(1, 1u32);
        let lane = &self.lanes[number];
        let width = self._lane.width();
        let word = self._tap.get(self.tap.val(), "lanes").slice(number * width, width);
        let field = |name: &str| self._lane.get(word, name);
        discard(cat(&[field("column_bit1"), field("row_bit1")]), "they have done their work");
        let colors = &self.colors[number * self.colors.len() / self.lanes.len()..];
        if let Some(passed) = lane.passed.as_ref() {
            let (x, y) = (field("odd_weight_x"), field("odd_weight_y"));
            if self.lanes.len() == 1 {
                discard(cat(&[x, y]), "there is one tap");
                passed.next = colors[0].val();
            } else {
                passed.next = by_parity(x, y, &[0, 1, 2, 3].map(|tap| colors[tap].val()));
            }
            return passed.val();
        }
        let (Some(column), Some(column_weight)) = (lane.column.as_ref(), lane.column_weight.as_ref()) else {
            unreachable!("there is bilinear filtering, or there is not");
        };
        /// # Along the rows
        let row = |row: usize| {
            let (even, odd) = (colors[2 * row].val(), colors[2 * row + 1].val());
            color_lerp(&self.clocks, lane.rows[row].pairs(), even, odd, field("odd_weight_x"))
        };
        let (even, odd) = (row(0), row(1));
        column_weight.take(field("odd_weight_y"), always);
        /// # Between the rows
        color_lerp(&self.clocks, column.pairs(), even, odd, column_weight.last())
    }

    fn sideband_of(&self, name: &str) -> Bits {
        self._marks.get(self.sideband.last(), name)
    }

    fn gather(&self, samples: &[Bits]) {
        /// # Gather
        let in_valid = self.waiting.last();
        let is_last = self.sideband_of("is_last");
        let clears = self.finish(is_last);
        let (has_sample, is_blank) = self.places(in_valid, is_last);
        for (place, held) in self.samples.iter().enumerate() {
            let blanks = clears || (in_valid && is_blank.bit(place));
            if blanks {
                held.next = 0;
            } else if in_valid && has_sample.bit(place) {
                held.next = samples[place * samples.len() / LANES_OF_QUAD];
            }
        }
    }

    /// For each place of a quad, whether the item brings its sample, and whether it tells that the place has none, of one pixel
    /// so far.
    fn places(&self, in_valid: Bits, is_last: Bits) -> (Bits, Bits) {
        let is_valid = self.sideband_of("is_valid");
        let Some(is_first) = self.is_first.as_ref() else {
            if in_valid {
                self.valids.next = is_valid;
            }
            return (self.sideband_of("pixel_mask"), !is_valid);
        };
        let pixel = self.sideband_of("pixel");
        let has_sample = stack((0..LANES_OF_QUAD as u64).map(|place| is_valid && pixel == place));
        let is_blank = !has_sample & is_first.val().repeat(LANES_OF_QUAD);
        if in_valid {
            is_first.next = is_last;
            self.valids.next = has_sample | (self.valids.val() & !is_blank);
        }
        (has_sample, is_blank)
    }

    /// Hands the quad on behind its last item. One bit: pixels that are not valid, and all of a quad that failed, are 0;
    /// it failed.
    fn finish(&self, is_last_item: Bits) -> Bits {
        let in_valid = self.waiting.last();
        let is_last = in_valid && is_last_item;
        let fails = self.error_so_far.val() || self.sideband_of("fails");
        if in_valid {
            self.error_so_far.next = fails && !is_last;
            self.failed.next = fails;
        }
        self.finished.next = is_last;
        let samples: Vec<Bits> = self.samples.iter().rev().map(|reg| reg.val()).collect();
        self.done.next = self.finished.val();
        self.result.next = cat(&[self.failed.val(), self.valids.val(), cat(&samples)]);
        is_last && fails
    }
}
