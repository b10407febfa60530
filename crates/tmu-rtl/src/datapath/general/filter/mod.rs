//! `filter` of the general numerics: from the colours of taps to the result of a quad.
//!
//! The taps of a probe gather in four registers, whatever items bring them; then they are interpolated along the rows and between them,
//! always from the even one to the odd one. At the corner of a cube the last tap is the mean of the others, a third of their sum. Of
//! two probes of a pixel the second one is weighted against the first one: with weights of 256ths that is an interpolation too, and a
//! probe with all the weight stays as it is. Each sample has a place in a row of registers, where pixels that are not valid are zero; a
//! quad's leave together.
//!
//! Contract: items as [`FilterTap`] says; the last one of a quad is the last one of a pixel, and that the last one of a probe. A pixel
//! has one probe, of weight 65536, or two, whose weights are that together, multiples of 256. A quad of which any item failed is zero
//! in all pixels. Items come one a clock, of quads one behind the other.
//!
//! Cost: initiation interval 1. Latency from the last item of a quad to its result 3 clocks, with bilinear filtering 7 more, with
//! corners of cubes 3 more, with two levels 4 more. Six DSP slices for a probe, two for a pair of probes. No RAM. With all of it 411
//! LUTs and 2295 flip-flops, as Yosys 0.70 estimates them for UltraScale+: two thirds of it are adders that go into the DSP slices.

use crate::datapath::blocks::select::divide;
use crate::datapath::filter::blocking::RESULT_BITS;
use crate::datapath::format::COLOR_BITS;
use crate::datapath::general::decode::FilterTap;
use crate::datapath::general::words::{PIXELS, TAPS, general};
use crate::datapath::words::by_parity;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::LerpPair;
use tmu_spec::Config;
use tmu_spec::general::{Kind, ResultNumbers};

/// Where an item, a probe, a sample is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// An item comes in.
    Entry,
    /// The taps of a probe are together.
    Gathered,
    /// Two taps beside a corner are added.
    Sum,
    /// So is the third one.
    Third,
    /// The corner is there. Taps are interpolated along the rows.
    Rows,
    /// They are on their way.
    RowSubtract,
    /// As before.
    RowMultiply,
    /// As before.
    RowAdd,
    /// Rows are interpolated.
    Column,
    /// They are on their way.
    ColumnSubtract,
    /// As before.
    ColumnMultiply,
    /// As before.
    ColumnAdd,
    /// The probe is there.
    Probe,
    /// It is interpolated with the one before.
    PairSubtract,
    /// As before.
    PairMultiply,
    /// As before.
    PairAdd,
    /// The sample is there, and finds its place.
    Sample,
    /// Its quad leaves.
    Exit,
}

/// What a configuration has of the filter.
#[derive(Clone, Copy, Debug)]
struct Parts {
    bilinear: bool,
    /// Taps at corners of cubes.
    corner: bool,
    /// Two probes a pixel.
    pair: bool,
}

impl Parts {
    fn of(config: &Config) -> Parts {
        let (bilinear, general) = (config.features().bilinear(), general(config));
        assert!(general.max_anisotropy == 1 && !general.has_kind(Kind::D3), "a pixel has two probes at most");
        assert!(general.channel_bits == 8 && general.result == ResultNumbers::Unorm8, "results are channels");
        assert!(!general.swizzle, "components stand in their places");
        Parts { bilinear, corner: bilinear && general.has_kind(Kind::Cube), pair: general.trilinear }
    }

    /// Whether there is such a stage.
    fn has(self, stage: &Stage) -> bool {
        use Stage::{
            Column, ColumnAdd, ColumnMultiply, ColumnSubtract, Entry, Exit, Gathered, PairAdd, PairMultiply,
            PairSubtract, Probe, RowAdd, RowMultiply, RowSubtract, Rows, Sample, Sum, Third,
        };
        match stage {
            Entry | Gathered | Sample | Exit => true,
            Sum | Third | Rows => self.corner,
            RowSubtract | RowMultiply | RowAdd => self.bilinear,
            Column | ColumnSubtract | ColumnMultiply | ColumnAdd => self.bilinear,
            Probe | PairSubtract | PairMultiply | PairAdd => self.pair,
        }
    }

    /// Where all taps are there.
    fn rows(self) -> Stage {
        if self.corner { Stage::Rows } else { Stage::Gathered }
    }

    /// Where a probe is there.
    fn probe(self) -> Stage {
        if self.pair { Stage::Probe } else { Stage::Sample }
    }
}

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
    /// A result, for one clock.
    pub done: Net<Out>,
    /// Colours, valid bits, error.
    pub result: Net<Out>,
    taps: Vec<Reg>,
    failed: Reg,
    bilinear: Optional<Bilinear>,
    pair: Optional<Pair>,
    samples: Vec<Reg>,
    is_first: Reg,
    pipe: Pipe<Stage>,
    _parts: Parts,
    _config: Config,
}

/// Four taps to a probe.
#[derive(Bundle)]
struct Bilinear {
    rows: Vec<Lerp>,
    column: Lerp,
}

/// Two probes to a sample.
#[derive(Bundle)]
struct Pair {
    before: Vec<Reg>,
    lerp: Lerp,
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
        let parts = Parts::of(config);
        let stages: Vec<Stage> = Stage::ALL.iter().copied().filter(|stage| parts.has(stage)).collect();
        let filter = Filter {
            in_valid: Net::bit(),
            tap: Net::new(FilterTap::of(config).width()),
            colors: Net::array(TAPS, COLOR_BITS),
            error: Net::bit(),
            done: Net::bit(),
            result: Net::new(RESULT_BITS),
            taps: Reg::array(TAPS, &clocks, COLOR_BITS),
            failed: Reg::with_reset(&clocks, 1, 0),
            bilinear: Optional::new(parts.bilinear, || Bilinear {
                rows: (0..2).map(|_| Lerp::new()).collect(),
                column: Lerp::new(),
            }),
            pair: Optional::new(parts.pair, || Pair {
                before: Reg::array(PIXELS, &clocks, COLOR_BITS),
                lerp: Lerp::new(),
            }),
            samples: Reg::array(PIXELS, &clocks, COLOR_BITS),
            is_first: Reg::with_reset(&clocks, 1, 1),
            pipe: Pipe::with(&stages),
            clocks,
            _parts: parts,
            _config: config.clone(),
        };
        filter.pipe.plan(&filter.clocks, || filter.logic());
        filter
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
        self.gather(&in_tap);
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
        let tap = pipe.put(Stage::Entry, "tap", in_tap);
        let probe = self.probe(&pipe, &tap);
        let sample = self.sample(&pipe, &tap, &is_probe, probe);
        self.place(&pipe, &marks, is_probe.at(Stage::Sample), sample);
    }

    fn gather(&self, tap: &FilterTap) {
        /// # Taps of a probe
        for (place, (held, color)) in self.taps.iter().zip(&self.colors).enumerate() {
            /// A tap that is not brought is zero, so that the first item clears it.
            if self.in_valid.val() && (tap.starts_probe || tap.brings.bit(place)) {
                held.next = color.val();
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

    /// The probe where it is there.
    fn probe(&self, pipe: &Run<'_, Stage>, tap: &Payload<'_, Stage, FilterTap>) -> Bits {
        let parts = self._parts;
        let taps: Vec<Bits> = self.taps.iter().map(|tap| tap.val()).collect();
        let Some(bilinear) = self.bilinear.as_ref() else {
            /// # The only tap
            let own = tap.at(Stage::Gathered);
            let (x, y) = (own.odd_weight_x.high(1), own.odd_weight_y.high(1));
            return pipe.put(Stage::Gathered, "only_tap", by_parity(x, y, &taps)).at(parts.probe());
        };
        /// # Along the rows
        let weight = tap.at(Stage::Gathered).odd_weight_x;
        let even = between(pipe, Stage::Gathered, "even_row", &bilinear.rows[0], [taps[0], taps[1]], weight);
        let lower = self.lower_taps(pipe, tap, &taps);
        let weight = tap.at(parts.rows()).odd_weight_x;
        let odd = between(pipe, parts.rows(), "odd_row", &bilinear.rows[1], lower, weight);
        /// # Between the rows
        let rows = [even, odd].map(|row| color(&row, Stage::Column));
        let weight = tap.at(Stage::Column).odd_weight_y;
        color(&between(pipe, Stage::Column, "probe", &bilinear.column, rows, weight), parts.probe())
    }

    /// The taps of the odd row, where the last one may be the mean of the others.
    fn lower_taps(
        &self,
        pipe: &Run<'_, Stage>,
        tap: &Payload<'_, Stage, FilterTap>,
        taps: &[Bits],
    ) -> [Bits; 2] {
        let lower = [taps[2], taps[3]];
        if !self._parts.corner {
            return lower;
        }
        /// # Corner
        let lower = pipe.put(Stage::Gathered, "lower", lower);
        let channel = |color: Bits, number: usize| color.slice(8 * number, 8);
        let of_channel = |number: usize| {
            /// Less what is missing to all ones: two channels and one.
            let two = channel(taps[0], number).zero_extend(9) - !channel(taps[1], number).zero_extend(9);
            let name = |part: &str| format!("{}_{part}", CHANNELS[number]);
            let two = pipe.put(Stage::Gathered, &name("of_two"), two).at(Stage::Sum);
            let third = channel(lower.at(Stage::Sum)[0], number);
            let three = two.zero_extend(10) + third.zero_extend(10);
            divide(pipe.put(Stage::Sum, &name("of_three"), three).at(Stage::Third), &[3], None)
        };
        let mean = stack((0..4).map(of_channel));
        let [first, last] = lower.at(Stage::Third);
        let last = if tap.at(Stage::Third).has_corner { mean } else { last };
        pipe.put(Stage::Third, "lower_taps", [first, last]).at(Stage::Rows)
    }

    /// The sample at [`Stage::Sample`], at the last probe of a pixel.
    fn sample(
        &self,
        pipe: &Run<'_, Stage>,
        tap: &Payload<'_, Stage, FilterTap>,
        is_probe: &Payload<'_, Stage, Bits>,
        probe: Bits,
    ) -> Bits {
        let Some(Pair { before, lerp }) = self.pair.as_ref() else { return probe };
        /// # Between two probes
        let pixel = tap.at(Stage::Probe).pixel;
        for (place, held) in before.iter().enumerate() {
            if is_probe.at(Stage::Probe) && pixel == place as u64 {
                held.next = probe;
            }
        }
        let [first, second, third, fourth] = [0, 1, 2, 3].map(|place: usize| before[place].val());
        let upper = if pixel.bit(0) { second } else { first };
        let lower = if pixel.bit(0) { fourth } else { third };
        let before = if pixel.bit(1) { lower } else { upper };
        let weight = tap.at(Stage::Probe).weight;
        discard(weight.low(WEIGHT_SHIFT), "weights are 256ths");
        let weight = weight.high(LerpPair::WEIGHT_BITS);
        color(&between(pipe, Stage::Probe, "sample", lerp, [before, probe], weight), Stage::Sample)
    }

    fn place(&self, pipe: &Run<'_, Stage>, marks: &Payload<'_, Stage, Marks>, is_probe: Bits, sample: Bits) {
        /// # Places of samples
        let Marks { pixel, is_valid, ends_pixel, ends_quad, fails, .. } = marks.at(Stage::Sample);
        let is_sample = is_probe && ends_pixel;
        if is_sample {
            self.is_first.next = ends_quad;
        }
        let is_last = is_sample && ends_quad;
        for (place, held) in self.samples.iter().enumerate() {
            let is_own = is_valid && pixel == place as u64;
            /// Pixels without a sample, and all of a quad that failed, are zero.
            if (is_last && fails) || (is_sample && self.is_first.val() && !is_own) {
                held.next = 0;
            } else if is_sample && is_own {
                held.next = sample;
            }
        }
        /// # Results
        self.done.next = pipe.flag(Stage::Sample, "is_last", is_last).at(Stage::Exit);
        let samples: Vec<Bits> = self.samples.iter().rev().map(|reg| reg.val()).collect();
        let Marks { valid, fails, .. } = marks.at(Stage::Exit);
        self.result.next = cat(&[fails, valid, cat(&samples)]);
    }
}

/// Bits of a probe's weight below 256ths.
const WEIGHT_SHIFT: usize = 8;

/// What channels are called.
const CHANNELS: [&str; 4] = ["red", "green", "blue", "alpha"];

/// Red and green, then blue and alpha, of a colour on its way.
type Colors<'a> = [Payload<'a, Stage, [Bits; 2]>; 2];

/// The colour between two, by the weight of the second one.
#[kernel]
fn between<'a>(
    pipe: &Run<'a, Stage>,
    stage: Stage,
    name: &str,
    lerp: &Lerp,
    [first, second]: [Bits; 2],
    weight: Bits,
) -> Colors<'a> {
    let half = |part: &str, pair: &LerpPair, lo: usize| {
        let channels = |color: Bits| [color.slice(lo, 8), color.slice(lo + 8, 8)];
        let input = (channels(first), channels(second), weight);
        pipe.through(stage, &format!("{name}_{part}"), pair, input)
    };
    [half("red_green", &lerp.red_green, 0), half("blue_alpha", &lerp.blue_alpha, 16)]
}

/// A colour on its way, at a stage.
#[kernel]
fn color(colors: &Colors<'_>, stage: Stage) -> Bits {
    let [red_green, blue_alpha] = [colors[0].at(stage), colors[1].at(stage)];
    cat(&[stack(blue_alpha), stack(red_green)])
}
