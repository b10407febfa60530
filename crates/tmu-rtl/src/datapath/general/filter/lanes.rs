//! `filter` of several lanes: from the colours of taps to the samples of a quad, or to its result.
//!
//! Each lane has its taps and its probe, see `lane`. Where pixels have sums, the lanes of a pixel are added and its sum grows, all
//! four pixels' at once; otherwise a lane has its pixel, and the last probe of it, or the last two, are the sample. What is not
//! weighted takes the same way, as the only thing that comes to a sum; bits that a weighted sample does not have stand beside it.
//!
//! Contract: rows of items as [`RowTap`](crate::datapath::general::words::RowTap) says, a [`FilterTap`] a lane, one row a clock, of
//! quads one behind the other. What is the same for all lanes counts in the first one, and does so where this has no item too; other
//! lanes without an item are not valid, bring nothing, and neither start nor end a probe. Lanes may have their items in different
//! clocks, up to the row that ends the quad; those of a clock are of one row. Weights of a pixel's probes are 65536 together; a pixel
//! that has two lanes or more in a row is that of [`Probe`](crate::datapath::general::words::Probe). What is not weighted has a lane a
//! pixel and one probe, and so has what is not there. A quad of which any item failed is zero in all pixels.
//!
//! Cost: initiation interval 1. Latency from the last row of a quad to its result 4 clocks, with bilinear filtering 7 more, with
//! corners of cubes 3 more, with two levels 4 more, with sums 3, where pixels may have several lanes 2 more. DSP slices as those of
//! four filters, no RAM. With what `multi-lite` has 1598 LUTs, with everything 5995 LUTs and 64 slices, as Yosys 0.70 estimates them
//! for UltraScale+. By their bits, about a third of that are adders that go into the slices, and a fifth sums.

use super::lane::{self, Lane};
use super::straight::{Choice, choice};
use super::totals::{Totals, addends, grow, whole};
use super::{Parts, Stage};
use crate::datapath::general::decode::FilterTap;
use crate::datapath::general::result::{PixelSample, QuadSample, are_floats, result_bits, shown};
use crate::datapath::general::words::{PIXELS, TAPS, TexelUse, channels_bits, lanes};
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct FilterLanes {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A row comes.
    pub in_valid: Net<In>,
    /// What belongs to the item of each lane, see [`FilterTap`].
    pub taps: Vec<Net<In>>,
    /// Colours of the taps that it brings, lane by lane, R in the lowest byte; 0 of others.
    pub colors: Vec<Net<In>>,
    /// A texel that it needs could not be read: a bit a lane.
    pub errors: Net<In>,
    /// A result, or the samples of a quad, for one clock.
    pub done: Net<Out>,
    /// Colours, valid bits, error.
    pub result: Optional<Net<Out>>,
    /// See [`QuadSample`].
    pub sample: Optional<Net<Out>>,
    lanes: Vec<Lane>,
    /// What lanes keep of the last item.
    looks: Vec<Look<FieldReg>>,
    failed: Reg,
    totals: Optional<Totals>,
    samples: Vec<Reg>,
    /// What floats have above the bits of a channel.
    above: Vec<Reg>,
    pipe: Pipe<Stage>,
    _parts: Parts,
    _config: Config,
}

/// What counts of the last item of a lane when the quad ends.
#[derive(Clone, Debug, Record)]
struct Look<T = Bits> {
    is_void: T,
    first_is_odd: [T; 2],
}

impl Look<Width> {
    fn of(config: &Config) -> Look<Width> {
        let TexelUse { is_void, first_is_odd, .. } = FilterTap::of(config).texels;
        Look { is_void, first_is_odd }
    }
}

impl FilterLanes {
    /// The stage for a configuration of several lanes.
    pub fn new(config: &Config) -> FilterLanes {
        assert_eq!(lanes(config), PIXELS, "a lane a pixel");
        let clocks = Clocks::new();
        let parts = Parts::of(config);
        let samples = if parts.sum { 0 } else { PIXELS };
        let above = if parts.floats { PIXELS } else { 0 };
        let filter = FilterLanes {
            in_valid: Net::bit(),
            taps: Net::array(PIXELS, FilterTap::of(config).width()),
            colors: Net::array(PIXELS * TAPS, channels_bits(config)),
            errors: Net::new(PIXELS),
            done: Net::bit(),
            result: Optional::new(!parts.result, || Net::new(result_bits(config))),
            sample: Optional::new(parts.result, || Net::new(QuadSample::of(config).width())),
            lanes: (0..PIXELS).map(|_| Lane::new(config)).collect(),
            looks: (0..PIXELS).map(|_| Look::of(config).registers(&clocks)).collect(),
            failed: Reg::with_reset(&clocks, 1, 0),
            totals: Optional::new(parts.sum, || Totals::new(&clocks, parts.channel_bits)),
            samples: Reg::array(samples, &clocks, parts.color_bits()),
            above: Reg::array(above, &clocks, TAPS * (parts.lane_bits() - parts.channel_bits)),
            pipe: Pipe::with(&parts.stages()),
            clocks,
            _parts: parts,
            _config: config.clone(),
        };
        filter.pipe.plan(&filter.clocks, || filter.logic());
        filter
    }

    /// Clocks from a row to what leaves.
    pub fn latency_clocks(&self) -> u32 {
        self.pipe.latency_clocks()
    }
}

/// What ends in a row.
struct Ends {
    /// The probes of lanes.
    lanes: [Bits; PIXELS],
    quad: Bits,
}

/// What goes for a quad, known when its last row comes in.
#[derive(Clone, Debug, Record)]
struct Marks<T = Bits> {
    valid: T,
    /// An item of it failed.
    fails: T,
    /// What is the same for all lanes.
    texels: TexelUse<T>,
    are_floats: T,
    /// What is not.
    looks: [Look<T>; PIXELS],
}

/// Taps of lanes to probes, probes to samples.
#[kernel]
impl FilterLanes {
    fn module_name(&self) -> String {
        "filter".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        let shape = FilterTap::of(&self._config);
        let taps: Vec<FilterTap> = self.taps.iter().map(|tap| shape.unpack(tap.val())).collect();
        taps.iter().enumerate().for_each(|(lane, tap)| self.leave_out(lane, tap));
        let in_valid = self.in_valid.val();
        let ends_quad = in_valid && taps[0].ends_quad;
        let ends = [0, 1, 2, 3].map(|lane: usize| in_valid && taps[lane].ends_probe);
        let looks = [0, 1, 2, 3].map(|lane: usize| self.look(lane, &taps[lane], &taps[0]));
        let are_floats = are_floats(&self._config, &taps[0]);
        let is_straight = taps[0].texels.is_gather || are_floats;
        self.drive_lanes(&taps, are_floats, is_straight);
        let marks = Marks {
            valid: taps[0].valid,
            fails: self.fails(&taps[0]),
            texels: taps[0].texels.clone(),
            are_floats,
            looks,
        };
        let marks = pipe.put(Stage::Entry, "marks", marks);
        let ends = Ends { lanes: ends, quad: ends_quad };
        let samples = self.samples(&pipe, &taps, ends, is_straight);
        if self._parts.result {
            self.hand_on(&pipe, &marks, samples);
        } else {
            self.leave(&pipe, &marks, samples);
        }
    }

    /// What nothing here asks for, or only in the first lane.
    fn leave_out(&self, lane: usize, tap: &FilterTap) {
        let (parts, of, shape) = (self._parts, &tap.texels, FilterTap::of(&self._config));
        let texels = &shape.texels;
        let (is_other, has_look) = (lane > 0, Look::of(&self._config).width() > 0);
        let used_up = [
            (true, texels.border_taps, of.border_taps),
            (true, texels.border, of.border),
            (true, texels.is_srgb, of.is_srgb),
            (true, texels.compare, of.compare),
            (true, texels.reference, of.reference),
            (is_other || !parts.floats, texels.compares, of.compares),
            (!parts.spread, shape.pixel, tap.pixel),
            (!has_look, shape.is_valid, tap.is_valid),
            (true, shape.ends_pixel, tap.ends_pixel),
            (is_other || !parts.floats, shape.format, tap.format),
            (is_other, shape.is_failed, tap.is_failed),
            (is_other, shape.ends_quad, tap.ends_quad),
            (is_other, shape.spread, tap.spread),
            (is_other, shape.valid, tap.valid),
            (is_other, texels.swizzle, of.swizzle),
            (is_other, texels.is_gather, of.is_gather),
            (is_other, texels.component, of.component),
        ];
        for (is_left, width, value) in used_up {
            if is_left && width.packed_bits() > 0 {
                discard(value, "others have used it, or it is the same in all lanes");
            }
        }
    }

    /// What is to stand of the last item of a lane.
    fn look(&self, lane: usize, tap: &FilterTap, first: &FilterTap) -> Look {
        /// # Last items
        let held = &self.looks[lane];
        let own = Look { is_void: tap.texels.is_void, first_is_odd: tap.texels.first_is_odd };
        if self.in_valid.val() && tap.is_valid {
            held.next = &own;
        }
        let last = if tap.is_valid { own } else { held.val() };
        /// Where a pixel has several lanes its texels are there.
        let is_void = last.is_void && !first.spread.any();
        Look { is_void, ..last }
    }

    /// One bit: an item of the quad failed so far.
    fn fails(&self, first: &FilterTap) -> Bits {
        /// # Errors
        let fails = self.failed.val() || self.errors.val().any() || first.is_failed;
        if self.in_valid.val() {
            self.failed.next = fails && !first.ends_quad;
        }
        fails
    }

    fn drive_lanes(&self, taps: &[FilterTap], are_floats: Bits, is_straight: Bits) {
        /// # Lanes
        let parts = self._parts;
        let choice = parts.gather.then(|| choice(parts, &taps[0], are_floats));
        for (lane, (to, tap)) in self.lanes.iter().zip(taps).enumerate() {
            to.clocks.follow(&self.clocks);
            to.in_valid.next = self.in_valid.val();
            to.tap.next = lane::shape(&self._config).pack(tap);
            if let (Some(to), Some(choice)) = (to.choice.as_ref(), choice.as_ref()) {
                to.next = Choice::of(parts).pack(choice);
            }
            if let Some(to) = to.is_straight.as_ref() {
                to.next = is_straight;
            }
            for (to, color) in to.colors.iter().zip(&self.colors[TAPS * lane..]) {
                to.next = color.val();
            }
        }
    }

    /// The samples of pixels at [`Stage::Quad`], where a quad has ended.
    fn samples(
        &self,
        pipe: &Run<'_, Stage>,
        taps: &[FilterTap],
        ends: Ends,
        is_straight: Bits,
    ) -> [Bits; PIXELS] {
        let parts = self._parts;
        let quad = pipe.flag(Stage::Entry, "ends_quad", ends.quad);
        self.done.next = quad.at(Stage::Exit);
        let of_lanes = [0, 1, 2, 3].map(|lane: usize| self.lanes[lane].sample.val());
        let straight = parts.straight().then(|| self.straight(pipe, ends.lanes));
        let Some(totals) = self.totals.as_ref() else {
            /// # Places of samples
            let ends = pipe.flag(Stage::Entry, "ends", ends.lanes).at(Stage::Sample);
            let samples = match straight.as_ref() {
                Some(straight) => {
                    let is_straight = pipe.put(Stage::Entry, "is_straight", is_straight).at(Stage::Sample);
                    let straight = straight.at(Stage::Sample);
                    [0, 1, 2, 3].map(|lane: usize| if is_straight { straight[lane] } else { of_lanes[lane] })
                }
                None => of_lanes,
            };
            for (lane, held) in self.samples.iter().enumerate() {
                if ends[lane] {
                    held.next = samples[lane];
                }
            }
            return [0, 1, 2, 3].map(|lane: usize| self.samples[lane].val());
        };
        let own = |place: usize| {
            let is_of = |lane: usize| ends.lanes[lane] && taps[lane].pixel == place as u64;
            if parts.spread { is_of(0) || is_of(1) || is_of(2) || is_of(3) } else { ends.lanes[place] }
        };
        let is_grown = stack([own(0), own(1), own(2), own(3)]);
        let is_grown = pipe.flag(Stage::Entry, "is_grown", is_grown).at(Stage::Add);
        let addends = if parts.spread {
            let spread = pipe.put(Stage::Entry, "spread", taps[0].spread);
            addends(pipe, &spread, of_lanes, straight.as_ref())
        } else {
            match straight.as_ref() {
                Some(straight) => {
                    let straight = straight.at(Stage::Add);
                    [0, 1, 2, 3].map(|lane: usize| of_lanes[lane] | whole(straight[lane]))
                }
                None => of_lanes,
            }
        };
        grow(totals, addends, is_grown, quad.at(Stage::Add))
    }

    /// What is not weighted: the bits of four channels each. What floats have above takes its place.
    fn straight<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        ends: [Bits; PIXELS],
    ) -> Payload<'a, Stage, [Bits; PIXELS]> {
        /// # Without weights
        let (parts, bits) = (self._parts, self._parts.channel_bits);
        let of = |lane: usize, lo: usize, width: usize| match self.lanes[lane].straight.as_ref() {
            Some(straight) => {
                let straight = straight.val();
                stack((0..TAPS).map(|number| straight.slice(parts.lane_bits() * number + lo, width)))
            }
            None => panic!("something is not weighted"),
        };
        if parts.floats {
            let rest = parts.lane_bits() - bits;
            let above = [0, 1, 2, 3].map(|lane: usize| of(lane, bits, rest));
            let above = pipe.put(parts.lane_end(), "above", above).at(parts.grows());
            let ends = pipe.flag(Stage::Entry, "ends_straight", ends).at(parts.grows());
            for (lane, held) in self.above.iter().enumerate() {
                if ends[lane] {
                    held.next = above[lane];
                }
            }
        }
        pipe.put(parts.lane_end(), "straight", [0, 1, 2, 3].map(|lane: usize| of(lane, 0, bits)))
    }

    fn hand_on(&self, pipe: &Run<'_, Stage>, marks: &Payload<'_, Stage, Marks>, samples: [Bits; PIXELS]) {
        /// # Samples
        let Some(out) = self.sample.as_ref() else { return };
        let Marks { texels, looks, .. } = marks.at(Stage::Quad);
        let pixel = |place: usize| {
            let Look { is_void, first_is_odd, .. } = looks[place].clone();
            let texels = TexelUse { is_void, first_is_odd, ..texels.clone() };
            let sample = PixelSample {
                channels: self.channels(place, samples[place]),
                shown: shown(&self._config, &texels),
            };
            pipe.put(Stage::Quad, &format!("pixel_{place}"), sample).at(Stage::Exit)
        };
        let pixels = [pixel(0), pixel(1), pixel(2), pixel(3)];
        let Marks { valid, fails, are_floats, .. } = marks.at(Stage::Exit);
        let is_last = lit(1, 1u32);
        out.next =
            QuadSample::of(&self._config).pack(&QuadSample { valid, fails, are_floats, is_last, pixels });
    }

    /// The channels of a sample.
    fn channels(&self, place: usize, sample: Bits) -> [Bits; TAPS] {
        let (bits, rest) = (self._parts.channel_bits, self._parts.lane_bits() - self._parts.channel_bits);
        [0, 1, 2, 3].map(|number: usize| {
            let low = sample.slice(bits * number, bits);
            match self.above.get(place) {
                Some(above) => cat(&[above.val().slice(rest * number, rest), low]),
                None => low,
            }
        })
    }

    fn leave(&self, pipe: &Run<'_, Stage>, marks: &Payload<'_, Stage, Marks>, samples: [Bits; PIXELS]) {
        /// # Results
        let Some(out) = self.result.as_ref() else { return };
        let Marks { valid, fails, .. } = marks.at(Stage::Quad);
        let pixel = |place: usize| {
            let sample = samples[place];
            /// Pixels that are not valid, and all of a quad that failed, are zero.
            let is_zero = fails || !valid.bit(place);
            let sample = if is_zero { lit(sample.width(), 0u32) } else { sample };
            pipe.put(Stage::Quad, &format!("pixel_{place}"), sample).at(Stage::Exit)
        };
        let pixels = [pixel(3), pixel(2), pixel(1), pixel(0)];
        let Marks { valid, fails, .. } = marks.at(Stage::Exit);
        out.next = cat(&[fails, valid, cat(&pixels)]);
    }
}
