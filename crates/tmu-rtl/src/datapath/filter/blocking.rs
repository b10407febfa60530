//! `filter`: from colours to the result of a quad.
//!
//! Two interpolations follow each other: along the row, when its second tap comes, and between the rows, when the
//! second row is done. A texel that is not filtered passes through both with all the weight. The samples of a quad
//! gather in a register that is empty when the next quad begins; at the quad's end it goes into the result FIFO,
//! which has room for it.
//!
//! Latency 8 clocks from the last texel of a pixel to its sample, 1 more to the gathered quad. Initiation
//! interval 1. Four DSP slices, used for all taps in turn; none without bilinear filtering.

use crate::datapath::bundles::BindingField::{Good, IsBilinear};
use crate::datapath::bundles::{BindingState, Layout, tap_layout};
use crate::datapath::filter::color_lerp::{LERP_CLOCKS, color_lerp};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::LerpPair;
use tmu_spec::Config;

/// Bits of a result: four colours, the valid bits, the error bit.
pub const RESULT_BITS: usize = 4 * 32 + 4 + 1;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Filter {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A texel, or the end of a quad, comes.
    pub in_valid: Net<In>,
    /// What belongs to it, see [`tap_layout`].
    pub tap: Net<In>,
    /// Its colour, R in the lowest byte.
    pub color: Net<In>,
    /// A line that it needed could not be read.
    pub tap_error: Net<In>,
    /// The binding in force.
    pub binding: BindingState<In>,
    /// A result, for one clock.
    pub done: Net<Out>,
    /// Colours, valid bits, error.
    pub result: Net<Out>,
    row: Optional<Lerp>,
    column: Optional<Lerp>,
    samples: Vec<Reg>,
    valid_pixels: Reg,
    error: Reg,
    finished: Reg,
    sample_valid: Net<Local>,
    sample_tap: Net<Local>,
    sample_error: Net<Local>,
    sample: Net<Local>,
    _layout: Layout,
}

/// One interpolation of four channels, and what travels beside it.
#[derive(Bundle)]
struct Lerp {
    red_green: LerpPair,
    blue_alpha: LerpPair,
    /// The colour before.
    before: Reg,
    is_valid: Vec<Reg>,
    tap: Vec<Reg>,
    error: Vec<Reg>,
}

impl Lerp {
    fn new(clocks: &Clocks, layout: &Layout) -> Lerp {
        Lerp {
            red_green: LerpPair::new(),
            blue_alpha: LerpPair::new(),
            before: Reg::new(clocks, 32),
            is_valid: (0..LERP_CLOCKS).map(|_| Reg::with_reset(clocks, 1, 0)).collect(),
            tap: (0..LERP_CLOCKS).map(|_| Reg::with_reset(clocks, layout.width(), 0)).collect(),
            error: (0..LERP_CLOCKS).map(|_| Reg::with_reset(clocks, 1, 0)).collect(),
        }
    }
}

/// A colour with what belongs to it, on its way through the filter.
#[derive(Clone, Copy)]
struct Passing {
    in_valid: Bits,
    tap: Bits,
    error: Bits,
    color: Bits,
}

impl Filter {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Filter {
        let clocks = Clocks::new();
        let layout = tap_layout(config);
        let bilinear = config.features().bilinear();
        Filter {
            in_valid: Net::bit(),
            tap: Net::new(layout.width()),
            color: Net::new(32),
            tap_error: Net::bit(),
            binding: BindingState::new(config, &[Good, IsBilinear]),
            done: Net::bit(),
            result: Net::new(RESULT_BITS),
            row: Optional::new(bilinear, || Lerp::new(&clocks, &layout)),
            column: Optional::new(bilinear, || Lerp::new(&clocks, &layout)),
            samples: (0..4).map(|_| Reg::with_reset(&clocks, 32, 0)).collect(),
            valid_pixels: Reg::new(&clocks, 4),
            error: Reg::with_reset(&clocks, 1, 0),
            finished: Reg::with_reset(&clocks, 1, 0),
            sample_valid: Net::bit(),
            sample_tap: Net::new(layout.width()),
            sample_error: Net::bit(),
            sample: Net::new(32),
            clocks,
            _layout: layout,
        }
    }
}

/// Weighted taps to samples, samples to quads.
#[kernel]
impl Filter {
    fn logic(&self) {
        timing(if self.row.is_some() { 9 } else { 1 }, 1);
        self.interpolate();
        self.gather();
    }

    fn interpolate(&self) {
        let texel = Passing {
            in_valid: self.in_valid.val(),
            tap: self.tap.val(),
            error: self.tap_error.val(),
            color: self.color.val(),
        };
        let mut sample = texel;
        if let (Some(row), Some(column)) = (self.row.as_ref(), self.column.as_ref()) {
            /// # Along the row
            let weight_x = self._layout.get(texel.tap, "weight_x");
            let mixed = self.lerp(row, texel, weight_x, texel.in_valid);
            /// # Between the rows
            let weight_y = self._layout.get(mixed.tap, "weight_y");
            let completes_row = self._layout.get(mixed.tap, "tap").bit(0) || !self.binding.get(IsBilinear);
            sample = self.lerp(column, mixed, weight_y, mixed.in_valid && completes_row);
        }
        self.sample_valid.next = sample.in_valid;
        self.sample_tap.next = sample.tap;
        self.sample_error.next = sample.error;
        self.sample.next = sample.color;
    }

    /// Interpolates between the colour before and this one; `keeps` says that this one is the next one's before.
    fn lerp(&self, lerp: &Lerp, now: Passing, weight: Bits, keeps: Bits) -> Passing {
        if keeps {
            lerp.before.next = now.color;
        }
        /// Without interpolation the weight is 0 from the start, so that this makes it 256.
        let weight = cat(&[!self.binding.get(IsBilinear), weight]);
        let before = lerp.before.val();
        let pairs = [&lerp.red_green, &lerp.blue_alpha];
        let color = color_lerp(&self.clocks, pairs, before, now.color, weight);
        for step in 0..LERP_CLOCKS {
            lerp.is_valid[step].next = if step == 0 { now.in_valid } else { lerp.is_valid[step - 1].val() };
            lerp.tap[step].next = if step == 0 { now.tap } else { lerp.tap[step - 1].val() };
            lerp.error[step].next = if step == 0 { now.error } else { lerp.error[step - 1].val() };
        }
        let last = LERP_CLOCKS - 1;
        Passing {
            in_valid: lerp.is_valid[last].val(),
            tap: lerp.tap[last].val(),
            error: lerp.error[last].val(),
            color,
        }
    }

    fn gather(&self) {
        /// # Gather
        let (in_valid, tap) = (self.sample_valid.val(), self.sample_tap.val());
        let field = |name: &str| self._layout.get(tap, name);
        discard(cat(&[field("weight_x"), field("weight_y")]), "the weights have done their work");
        let is_end = field("is_end");
        let completes = !is_end && (field("tap") == 3 || !self.binding.get(IsBilinear));
        let ends = in_valid && is_end;
        let fails = self.error.val() || !self.binding.get(Good);
        self.finished.next = ends;
        if ends {
            self.valid_pixels.next = field("valid_pixels");
        }
        if self.finished.val() {
            self.error.next = 0;
        } else if ends {
            self.error.next = fails;
        } else if in_valid && self.sample_error.val() {
            self.error.next = 1;
        }
        /// Pixels that are not valid, and all of a quad that failed, are 0.
        let clears = self.finished.val() || (ends && fails);
        for (pixel, reg) in self.samples.iter().enumerate() {
            if clears {
                reg.next = 0;
            } else if in_valid && completes && field("pixel") == pixel as u64 {
                reg.next = self.sample.val();
            }
        }
        let samples: Vec<Bits> = self.samples.iter().rev().map(|reg| reg.val()).collect();
        self.done.next = self.finished.val();
        self.result.next = cat(&[self.error.val(), self.valid_pixels.val(), cat(&samples)]);
    }
}
