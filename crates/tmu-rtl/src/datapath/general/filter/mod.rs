//! `filter` of the general numerics: from the colours of taps to the sample of a pixel, or to the result of a quad.
//!
//! The taps of a probe gather in four registers, whatever items bring them; then they are interpolated along the rows and between them,
//! always from the even one to the odd one. At the corner of a cube the last tap is the mean of the others, a third of their sum. Of
//! two probes of a pixel the second one is weighted against the first one: with weights of 256ths that is an interpolation too, and a
//! probe with all the weight stays as it is. Where a pixel may have more probes, as with anisotropic filtering and volumes, they are
//! multiplied by their weights and added to the pixel's sum. What is not weighted passes by: floats, of which one tap counts, and the
//! components of a gather.
//!
//! Where results are just the channels of samples, each sample has a place in a row of registers, where pixels that are not valid are
//! zero; a quad's leave together. Otherwise samples go on to [`result`](super::result).
//!
//! A unit of several lanes has [`lanes`](mod@lanes) instead.
//!
//! Contract: items as [`FilterTap`] says; the last one of a quad is the last one of a pixel, and that the last one of a probe. The
//! weights of a pixel's probes are 65536 together. Where they are interpolated, a pixel has one probe, or two whose weights are
//! multiples of 256, the second one behind the first one; sums take them in any order, with those of other pixels between. Floats
//! come in one probe of one tap. A quad of which any item failed is zero in all pixels. Items come one a clock, of quads one behind
//! the other. The places of a gather's texels are those of [`FilterTap`], in which a corner is the last one, and so is what
//! `first_is_odd` says.
//!
//! Cost: initiation interval 1. Latency from the last item of a quad to its result 3 clocks, with bilinear filtering 7 more, with
//! corners of cubes 3 more, with two levels or sums 4 more. Six DSP slices for a probe, two for a pair of probes, twice as many with
//! 16 bits a channel; a slice a channel for sums, and a LUT RAM of four words. With all that the preset `multi-lite` has 411
//! LUTs and 2295 flip-flops, as Yosys 0.70 estimates them for UltraScale+: two thirds of it are adders that go into the DSP slices.
//! With everything it is 1482 LUTs and 16 DSP slices: a third of it such adders, the most of the rest sums and what is not weighted.

mod bilinear;
mod colors;
mod lane;
pub mod lanes;
mod stages;
mod straight;
mod sum;
mod taps;
mod totals;

use crate::datapath::general::decode::FilterTap;
use crate::datapath::general::result::{Sample, are_floats, result_bits, shown};
use crate::datapath::general::row::{self, Row};
use crate::datapath::general::words::{PIXELS, TAPS, channels_bits, lanes};
use bilinear::Bilinear;
use stages::Parts;
pub use stages::Stage;
use straight::{choice, straight};
use sum::{Pair, Sum, of_all, of_pair};
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Filter {
    /// Clock and reset.
    pub clocks: Clocks,
    /// An item comes.
    pub in_valid: Net<In>,
    /// What belongs to it, see [`FilterTap`].
    pub tap: Net<In>,
    /// Colours of the taps that it brings, R in the lowest byte; 0 of others.
    pub colors: Vec<Net<In>>,
    /// A texel that it needs could not be read.
    pub error: Net<In>,
    /// A result, or a sample, for one clock.
    pub done: Net<Out>,
    /// Colours, valid bits, error.
    pub result: Optional<Net<Out>>,
    /// See [`Sample`].
    pub sample: Optional<Net<Out>>,
    taps: Vec<Reg>,
    failed: Reg,
    bilinear: Optional<Bilinear>,
    pair: Optional<Pair>,
    sum: Optional<Sum>,
    row: Optional<Flat<Row>>,
    pipe: Pipe<Stage>,
    _parts: Parts,
    _config: Config,
}

impl Filter {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Filter {
        assert_eq!(lanes(config), 1, "several lanes have `FilterLanes`");
        let clocks = Clocks::new();
        let parts = Parts::of(config);
        let texel_bits = channels_bits(config);
        let filter = Filter {
            in_valid: Net::bit(),
            tap: Net::new(FilterTap::of(config).width()),
            colors: Net::array(TAPS, texel_bits),
            error: Net::bit(),
            done: Net::bit(),
            result: Optional::new(!parts.result, || Net::new(result_bits(config))),
            sample: Optional::new(parts.result, || Net::new(Sample::of(config).width())),
            taps: Reg::array(TAPS, &clocks, texel_bits),
            failed: Reg::with_reset(&clocks, 1, 0),
            bilinear: Optional::new(parts.bilinear, || Bilinear::new(parts.channel_bits)),
            pair: Optional::new(parts.pair, || Pair::new(&clocks, parts.channel_bits, PIXELS)),
            sum: Optional::new(parts.sum, || Sum::new(&clocks, parts.channel_bits)),
            row: Optional::new(!parts.result, || Flat(Row::new(&clocks, parts.color_bits()))),
            pipe: Pipe::with(&parts.stages()),
            clocks,
            _parts: parts,
            _config: config.clone(),
        };
        filter.pipe.plan(&filter.clocks, || filter.logic());
        filter
    }

    /// Clocks from an item to what leaves.
    pub fn latency_clocks(&self) -> u32 {
        self.pipe.latency_clocks()
    }
}

/// What becomes of a probe, known when it comes in.
#[derive(Clone, Debug, Record)]
struct Marks<T = Bits> {
    pixel: T,
    is_valid: T,
    ends_pixel: T,
    ends_quad: T,
    valid: T,
    /// An item of its quad up to it failed.
    fails: T,
}

/// Taps to probes, probes to samples, samples to quads.
#[kernel]
impl Filter {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        let in_tap = FilterTap::of(&self._config).unpack(self.tap.val());
        self.leave_out(&in_tap);
        taps::gather(&self.taps, &self.colors, self.in_valid.val(), &in_tap);
        let fails = self.fails(&in_tap);
        let is_probe = pipe.flag(Stage::Entry, "is_probe", self.in_valid.val() && in_tap.ends_probe);
        let marks = Marks {
            pixel: in_tap.pixel,
            is_valid: in_tap.is_valid,
            ends_pixel: in_tap.ends_pixel,
            ends_quad: in_tap.ends_quad,
            valid: in_tap.valid,
            fails,
        };
        let marks = pipe.put(Stage::Entry, "marks", marks);
        let tap = pipe.put(Stage::Entry, "tap", in_tap.clone());
        let taps: Vec<Bits> = self.taps.iter().map(|tap| tap.val()).collect();
        let colors: Vec<Bits> = taps.iter().map(|tap| taps::color_of(self._parts, *tap)).collect();
        let of_taps = taps::probe(&pipe, self._parts, &self.bilinear, &tap, &colors);
        let probe = of_taps.0;
        let last = of_taps.1;
        let sample = self.sample(&pipe, &tap, &is_probe, probe);
        let is_probe = is_probe.at(Stage::Sample);
        match self.row.as_ref() {
            Some(row) => self.place(&pipe, &marks, row, is_probe, sample),
            None => {
                let are_floats = are_floats(&self._config, &in_tap);
                let seen = (&in_tap, are_floats);
                let channels = self.channels(&pipe, seen, &tap, &taps, (sample, last));
                self.hand_on(&pipe, &marks, seen, is_probe, channels);
            }
        }
    }

    /// What those in front have used up.
    fn leave_out(&self, tap: &FilterTap) {
        let (of, shape) = (&tap.texels, FilterTap::of(&self._config).texels);
        let used = [
            (shape.border_taps, of.border_taps),
            (shape.border, of.border),
            (shape.is_srgb, of.is_srgb),
            (shape.compare, of.compare),
            (shape.reference, of.reference),
        ];
        for (width, value) in used {
            if width.packed_bits() > 0 {
                discard(value, "texels are decoded and compared");
            }
        }
    }

    /// One bit: an item of the quad failed so far.
    fn fails(&self, tap: &FilterTap) -> Bits {
        /// # Errors
        let fails = self.failed.val() || self.error.val() || tap.is_failed;
        if self.in_valid.val() {
            self.failed.next = fails && !tap.ends_quad;
        }
        fails
    }

    /// The sample at [`Stage::Sample`], at the last probe of a pixel.
    fn sample(
        &self,
        pipe: &Run<'_, Stage>,
        tap: &Payload<'_, Stage, FilterTap>,
        is_probe: &Payload<'_, Stage, Bits>,
        probe: Bits,
    ) -> Bits {
        match (self.pair.as_ref(), self.sum.as_ref()) {
            (Some(pair), _) => of_pair(pipe, pair, tap, is_probe, probe),
            (_, Some(sum)) => of_all(pipe, &self.clocks, sum, tap, is_probe, probe),
            _ => probe,
        }
    }

    /// The channels of a sample, weighted or not: lanes as [`Sample`] has them.
    fn channels(
        &self,
        pipe: &Run<'_, Stage>,
        (in_tap, are_floats): (&FilterTap, Bits),
        tap: &Payload<'_, Stage, FilterTap>,
        taps: &[Bits],
        (sample, last): (Bits, Bits),
    ) -> [Bits; 4] {
        let (parts, bits) = (self._parts, self._parts.channel_bits);
        let weighted = [0, 1, 2, 3].map(|number: usize| sample.slice(bits * number, bits));
        if !parts.straight() {
            return weighted;
        }
        let lanes = straight(pipe, parts, &choice(parts, in_tap, are_floats), tap, taps, last, None);
        let is_straight = in_tap.texels.is_gather || are_floats;
        let is_straight = pipe.put(Stage::Entry, "is_straight", is_straight).at(Stage::Sample);
        let lane = |number: usize| {
            let lane = lanes[number];
            let low = if is_straight { lane.low(bits) } else { weighted[number] };
            if parts.floats { cat(&[lane.high(lane.width() - bits), low]) } else { low }
        };
        [lane(0), lane(1), lane(2), lane(3)]
    }

    fn hand_on(
        &self,
        pipe: &Run<'_, Stage>,
        marks: &Payload<'_, Stage, Marks>,
        (in_tap, are_floats): (&FilterTap, Bits),
        is_probe: Bits,
        channels: [Bits; 4],
    ) {
        /// # Samples
        let Marks { ends_pixel, .. } = marks.at(Stage::Sample);
        let Marks { pixel, is_valid, ends_quad, valid, fails, .. } = marks.at(Stage::Exit);
        self.done.next = pipe.flag(Stage::Sample, "is_sample", is_probe && ends_pixel).at(Stage::Exit);
        let Some(sample) = self.sample.as_ref() else { return };
        let shown = shown(&self._config, &in_tap.texels);
        let shown = pipe.put(Stage::Entry, "shown", shown);
        let are_floats = pipe.put(Stage::Entry, "are_floats", are_floats);
        sample.next = Sample::of(&self._config).pack(&Sample {
            pixel,
            is_valid,
            ends_quad,
            valid,
            fails,
            channels: pipe.put(Stage::Sample, "channels", channels).at(Stage::Exit),
            are_floats: are_floats.at(Stage::Exit),
            shown: shown.at(Stage::Exit),
        });
    }

    fn place(
        &self,
        pipe: &Run<'_, Stage>,
        marks: &Payload<'_, Stage, Marks>,
        row: &Row,
        is_probe: Bits,
        sample: Bits,
    ) {
        /// # Places of samples
        let Marks { pixel, is_valid, ends_pixel, ends_quad, fails, .. } = marks.at(Stage::Sample);
        let is_sample = is_probe && ends_pixel;
        let is_last = row::place(row, &row::Marks { pixel, is_valid, ends_quad, fails }, is_sample, sample);
        /// # Results
        self.done.next = pipe.flag(Stage::Sample, "is_last", is_last).at(Stage::Exit);
        let Marks { valid, fails, .. } = marks.at(Stage::Exit);
        let Some(result) = self.result.as_ref() else { return };
        result.next = cat(&[fails, valid, row::samples(row)]);
    }
}
