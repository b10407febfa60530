//! `places` of indirect look-ups: from integer places of a quad to texels of level 0, by the address modes.
//!
//! A place is an integer of 32 bits with sign. With y for a place that is not negative, and its complement for one that is, all modes
//! look at y and the sign. What repeats is divided by its period, the side or twice that: within two periods by a subtraction, beyond
//! by a long division, which all places of the quad make at once.
//!
//! Contract: quads leave in the order in which they came, with what came along. A texel outside, which only the border has, tells so, and
//! its number means nothing. Pixels that do not count may have any places and texels. Where the texture has one row, rows mean nothing.
//! `input.ready` depends on `output.ready` in the same clock.
//!
//! Cost: latency 4 clocks, initiation interval 1; a quad with a place beyond two periods takes 32 clocks more. No multipliers.
//! 1850 LUTs, as Yosys 0.70 estimates them for UltraScale+.

use crate::datapath::bundles::is_mode;
use crate::datapath::general::axis::{MODE_BITS, SIZE_BITS, TEXEL_BITS};
use crate::datapath::general::words::{NUMBER_BITS, PIXELS};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::texture::AddressMode;

/// Axes of a place.
const AXES: usize = 2;
/// Bits of a place without its sign.
const MAGNITUDE_BITS: usize = NUMBER_BITS - 1;
/// Bits of a period: a side, or twice that.
const PERIOD_BITS: usize = SIZE_BITS + 1;
/// Bits of what is within two periods.
const NEAR_BITS: usize = PERIOD_BITS + 1;
/// Bits of the number of a step of a division.
const STEP_BITS: usize = 5;

/// Where a quad is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in; periods are found.
    Entry,
    /// Places are compared with sides and periods.
    Compare,
    /// Places become less than a period. Long divisions are waited for.
    Reduce,
    /// They are turned round, or limited.
    Turn,
    /// It leaves.
    Exit,
}

/// What is looked up along an axis.
#[derive(Clone, Debug, Record)]
pub struct Extent<T = Bits> {
    /// Texels of the side.
    pub side: T,
    /// The address mode.
    pub mode: T,
}

impl Extent<Width> {
    /// Its shape.
    pub fn shape() -> Extent<Width> {
        Extent { side: Width::bits(SIZE_BITS), mode: Width::bits(MODE_BITS) }
    }
}

/// A quad of places.
#[derive(Clone, Debug, Record)]
pub struct QuadPlaces<T = Bits> {
    /// Pixels that count.
    pub valid: T,
    /// The places, x and y.
    pub places: [[T; AXES]; PIXELS],
    /// What they are looked up in.
    pub extents: [Extent<T>; AXES],
    /// The texture has one row.
    pub is_row: T,
    /// What comes along.
    pub along: T,
}

impl QuadPlaces<Width> {
    /// The shape with so many bits that come along.
    pub fn of(along_bits: usize) -> QuadPlaces<Width> {
        QuadPlaces {
            valid: Width::bits(PIXELS),
            places: [[Width::bits(NUMBER_BITS); AXES]; PIXELS],
            extents: [Extent::shape(), Extent::shape()],
            is_row: Width::bits(1),
            along: Width::bits(along_bits),
        }
    }
}

/// A texel along an axis.
#[derive(Clone, Debug, Record)]
pub struct Texel<T = Bits> {
    /// Its number.
    pub number: T,
    /// There is none.
    pub is_outside: T,
}

/// A quad of texels.
#[derive(Clone, Debug, Record)]
pub struct QuadTexels<T = Bits> {
    /// Pixels that count.
    pub valid: T,
    /// The texels, column and row.
    pub texels: [[Texel<T>; AXES]; PIXELS],
    /// What came along.
    pub along: T,
}

impl QuadTexels<Width> {
    /// The shape with so many bits that come along.
    pub fn of(config: &Config, along_bits: usize) -> QuadTexels<Width> {
        let has_border = config.features().has_address_mode(AddressMode::Border);
        let texel = || Texel { number: Width::bits(TEXEL_BITS), is_outside: Width::bits(1).when(has_border) };
        let pixel = || [texel(), texel()];
        QuadTexels {
            valid: Width::bits(PIXELS),
            texels: [pixel(), pixel(), pixel(), pixel()],
            along: Width::bits(along_bits),
        }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Places {
    /// Clock and reset.
    pub clocks: Clocks,
    /// [`QuadPlaces`].
    pub input: StreamIn,
    /// [`QuadTexels`].
    pub output: StreamOut,
    /// What is left to divide of each place, x and y of one pixel beside each other, and the rest so far.
    dividends: Vec<Reg>,
    rests: Vec<Reg>,
    step: Reg,
    is_divided: Reg,
    advance: Net<Local>,
    pipe: Pipe<Stage>,
    _along_bits: usize,
    _config: Config,
}

impl Places {
    /// The stage for a configuration, with so many bits that come along.
    pub fn new(config: &Config, along_bits: usize) -> Places {
        let clocks = Clocks::new();
        let places = Places {
            input: StreamIn::new(QuadPlaces::of(along_bits).width()),
            output: StreamOut::new(QuadTexels::of(config, along_bits).width()),
            dividends: Reg::array(AXES * PIXELS, &clocks, MAGNITUDE_BITS),
            rests: Reg::array(AXES * PIXELS, &clocks, SIZE_BITS),
            step: Reg::with_reset(&clocks, STEP_BITS, 0),
            is_divided: Reg::with_reset(&clocks, 1, 0),
            advance: Net::bit(),
            pipe: Pipe::new(),
            clocks,
            _along_bits: along_bits,
            _config: config.clone(),
        };
        places.pipe.plan(&places.clocks, || places.logic());
        places
    }
}

/// What an axis is: its side, its period, and what the mode makes of places.
#[derive(Clone, Debug, Record)]
struct Manner<T = Bits> {
    side: T,
    period: T,
    wraps: T,
    mirrors: T,
    clamps: T,
    has_border: T,
}

/// How a place is to the side and the period.
#[derive(Clone, Debug, Record)]
struct Compared<T = Bits> {
    /// Its low bits, which are all within a period.
    near: T,
    /// The same less a period.
    less_period: T,
    is_below_period: T,
    /// It lies beyond the last texel.
    is_past: T,
    is_negative: T,
}

/// A place on its way to a texel.
#[derive(Clone, Debug, Record)]
struct Reduced<T = Bits> {
    /// Less than a period.
    repeated: T,
    /// At most the last texel.
    limited: T,
    is_past: T,
    is_negative: T,
}

/// Names of the axes of the pixels.
const NAMES: [[&str; AXES]; PIXELS] = [["x_0", "y_0"], ["x_1", "y_1"], ["x_2", "y_2"], ["x_3", "y_3"]];

/// Integer places to texels.
#[kernel]
impl Places {
    fn module_name(&self) -> String {
        "indirect_places".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        pipe.timing();
        let quad = QuadPlaces::of(self._along_bits).unpack(self.input.data.val());
        let is_quad = pipe.flag(Stage::Entry, "is_quad", self.input.valid.val());
        let valid = pipe.put(Stage::Entry, "valid", quad.valid);
        let along = pipe.put(Stage::Entry, "along", quad.along).at(Stage::Exit);
        let [columns, rows] = quad.extents.clone();
        /// A texture of one row has no rows to repeat.
        let clamp = lit(MODE_BITS, u32::from(AddressMode::Clamp.code()));
        let rows = Extent { mode: if quad.is_row { clamp } else { rows.mode }, ..rows };
        let manners = [
            pipe.put(Stage::Entry, "columns", self.manner(&columns)),
            pipe.put(Stage::Entry, "rows", self.manner(&rows)),
        ];
        let place = |pixel: usize, axis: usize| {
            let is_valid = valid.at(Stage::Compare).bit(pixel);
            self.compare(&pipe, &manners[axis], quad.places[pixel][axis], is_valid, [pixel, axis])
        };
        let all: Vec<_> = (0..AXES * PIXELS).map(|at| place(at / AXES, at % AXES)).collect();
        let are_far = pipe.put(Stage::Compare, "are_far", stack(all.iter().map(|(_, is_far)| *is_far)));
        let is_dividing =
            is_quad.at(Stage::Reduce) && are_far.at(Stage::Reduce).any() && !self.is_divided.val();
        self.divide(&manners, is_dividing);
        let is_leaving = is_quad.at(Stage::Exit);
        self.advance.next = !is_dividing && (!is_leaving || self.output.ready.val());
        self.input.ready.next = self.advance.val();
        let texel = |pixel: usize, axis: usize| {
            let at = AXES * pixel + axis;
            let (compared, is_far) = (&all[at].0, are_far.at(Stage::Reduce).bit(at));
            let reduced = self.reduce(&pipe, &manners[axis], compared, is_far, [pixel, axis]);
            self.turn(&pipe, &manners[axis], &reduced, [pixel, axis])
        };
        let pixel = |pixel: usize| [texel(pixel, 0), texel(pixel, 1)];
        let texels = [pixel(0), pixel(1), pixel(2), pixel(3)];
        /// # Texels
        self.output.valid.next = is_leaving && !is_dividing;
        let shape = QuadTexels::of(&self._config, self._along_bits);
        self.output.data.next = shape.pack(&QuadTexels { valid: valid.at(Stage::Exit), texels, along });
    }

    fn manner(&self, extent: &Extent) -> Manner {
        /// # Modes
        let is = |mode: AddressMode| is_mode(&self._config, extent.mode, mode);
        let mirrors = is(AddressMode::Mirror);
        let twice = cat(&[extent.side, lit(1, 0u32)]);
        let once = extent.side.zero_extend(PERIOD_BITS);
        Manner {
            side: extent.side,
            period: if mirrors { twice } else { once },
            wraps: is(AddressMode::Wrap),
            mirrors,
            clamps: is(AddressMode::Clamp),
            has_border: is(AddressMode::Border),
        }
    }

    /// A place beside side and period, at [`Stage::Reduce`], and one bit at [`Stage::Compare`]: it has to be divided.
    fn compare<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        manner: &Payload<'a, Stage, Manner>,
        place: Bits,
        is_valid: Bits,
        [pixel, axis]: [usize; 2],
    ) -> (Payload<'a, Stage, Compared>, Bits) {
        /// # Places
        let name = NAMES[pixel][axis];
        let is_negative = place.high(1);
        let magnitude = place.low(MAGNITUDE_BITS) ^ is_negative.repeat(MAGNITUDE_BITS);
        let magnitude = pipe.put(Stage::Entry, &format!("magnitude_{name}"), magnitude).at(Stage::Compare);
        let is_negative = pipe.put(Stage::Entry, &format!("is_negative_{name}"), is_negative);
        let dividend = &self.dividends[AXES * pixel + axis];
        if self.advance.val() {
            dividend.next = magnitude;
        } else {
            dividend.next = cat(&[dividend.val().low(MAGNITUDE_BITS - 1), lit(1, 0u32)]);
        }
        let Manner { side, period, wraps, mirrors, .. } = manner.at(Stage::Compare);
        let near = magnitude.low(NEAR_BITS);
        let is_beyond = magnitude.high(MAGNITUDE_BITS - NEAR_BITS).any();
        let two_periods = cat(&[period, lit(1, 0u32)]);
        let is_far = is_beyond || near >= two_periods;
        let compared = Compared {
            near: near.low(SIZE_BITS),
            less_period: near.low(SIZE_BITS) - period.low(SIZE_BITS),
            is_below_period: near < period.zero_extend(NEAR_BITS),
            is_past: is_beyond || near >= side.zero_extend(NEAR_BITS),
            is_negative: is_negative.at(Stage::Compare),
        };
        let compared = pipe.put(Stage::Compare, &format!("compared_{name}"), compared);
        (compared, is_far && is_valid && (wraps || mirrors))
    }

    /// A bit of every place a clock.
    fn divide(&self, manners: &[Payload<'_, Stage, Manner>; AXES], is_dividing: Bits) {
        /// # Long divisions
        let step = self.step.val();
        if self.advance.val() {
            self.step.next = 0;
            self.is_divided.next = 0;
        } else if is_dividing {
            self.step.next = step + 1;
            self.is_divided.next = step == (MAGNITUDE_BITS - 1) as u64;
        }
        for (at, (rest, dividend)) in self.rests.iter().zip(&self.dividends).enumerate() {
            let period = manners[at % AXES].at(Stage::Reduce).period;
            let next = cat(&[rest.val(), dividend.val().high(1)]);
            let less = next.low(SIZE_BITS) - period.low(SIZE_BITS);
            if self.advance.val() {
                rest.next = 0;
            } else if is_dividing {
                rest.next = if next < period { next.low(SIZE_BITS) } else { less };
            }
        }
    }

    /// A place that is less than a period, or limited, at [`Stage::Turn`].
    fn reduce(
        &self,
        pipe: &Run<'_, Stage>,
        manner: &Payload<'_, Stage, Manner>,
        compared: &Payload<'_, Stage, Compared>,
        is_far: Bits,
        [pixel, axis]: [usize; 2],
    ) -> Reduced {
        /// # Periods and limits
        let name = NAMES[pixel][axis];
        let Compared { near, less_period, is_below_period, is_past, is_negative } =
            compared.at(Stage::Reduce);
        let within = if is_below_period { near } else { less_period };
        let rest = self.rests[AXES * pixel + axis].val();
        let last = manner.at(Stage::Reduce).side - 1;
        discard(last.high(1), "a side has 4096 texels at most");
        let reduced = Reduced {
            repeated: if is_far { rest } else { within },
            limited: if is_past { last.low(TEXEL_BITS) } else { near.low(TEXEL_BITS) },
            is_past,
            is_negative,
        };
        pipe.put(Stage::Reduce, &format!("reduced_{name}"), reduced).at(Stage::Turn)
    }

    /// The texel, at [`Stage::Exit`].
    fn turn(
        &self,
        pipe: &Run<'_, Stage>,
        manner: &Payload<'_, Stage, Manner>,
        reduced: &Reduced,
        [pixel, axis]: [usize; 2],
    ) -> Texel {
        /// # Texels by the modes
        let name = NAMES[pixel][axis];
        let Manner { side, period, wraps, mirrors, clamps, has_border } = manner.at(Stage::Turn);
        let Reduced { repeated, limited, is_past, is_negative } = reduced.clone();
        discard(period.high(PERIOD_BITS - TEXEL_BITS), "a texel has fewer bits");
        /// A period less one less the place.
        let turned = period.low(TEXEL_BITS) + !repeated.low(TEXEL_BITS);
        let turns = (wraps && is_negative) || (mirrors && repeated >= side);
        let own = if turns { turned } else { repeated.low(TEXEL_BITS) };
        let is_first = clamps && is_negative;
        let other = limited & (!is_first).repeat(TEXEL_BITS);
        let texel = Texel {
            number: if wraps || mirrors { own } else { other },
            is_outside: has_border && (is_negative || is_past),
        };
        pipe.put(Stage::Turn, &format!("texel_{name}"), texel).at(Stage::Exit)
    }
}
