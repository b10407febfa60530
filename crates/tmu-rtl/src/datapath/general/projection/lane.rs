//! `lane`: numbers of one axis to coordinates, whether they were divided or not.
//!
//! Without singles numbers are shifted, and quotients are coordinates already. Singles and their quotients are digits that go down to
//! where they stand, get their sign and are limited.
//!
//! Latency: the stages of [`Stage`], of which all but the first and the last are for singles only; quotients come in at the second one
//! then. Initiation interval 1. What is not divided and what is do not come at once.

use super::number::{
    DISTANCE_BITS, HIGHEST_BITS, is_limited, is_low_zero, is_nothing, moved_down, placing, signed,
};
use super::shapes::{DIGITS, DOWN_BITS, EXPONENT_BITS, FRACTION_BITS, MAGNITUDE_BITS, Mark, Parts, Quotient};
use crate::datapath::general::words::{NUMBER_BITS, PLACE_BITS};
use tmu_hdl::prelude::*;

/// Bits behind the point of a coordinate that a number has not.
const SHIFT_BITS: usize = 4;
/// Exponent of a single whose digits, one in front of the point, need not go down for a coordinate's last bit to be theirs.
const TOP_EXPONENT: u32 = 127 + DIGITS as u32 - 1 - 20;

/// Where a coordinate is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub(super) enum Stage {
    /// A number comes in.
    Number,
    /// Its digits are there, or those of a quotient.
    Digits,
    /// They go down by multiples of 16.
    Coarse,
    /// They go down by multiples of 4.
    Middle,
    /// They go down by the rest.
    Fine,
    /// They are compared with the limits.
    Limit,
    /// They get a sign.
    Sign,
    /// It leaves.
    Exit,
}

/// The stages without singles.
const FIXED: [Stage; 2] = [Stage::Number, Stage::Exit];

/// A coordinate that comes.
#[derive(Clone, Debug, Record)]
pub(super) struct Arrival<T = Bits> {
    /// Whose it is.
    pub(super) mark: Mark<T>,
    /// The pixel does not lie in front of the face.
    pub(super) is_behind: T,
    /// It was divided.
    pub(super) is_divided: T,
}

impl Arrival<Width> {
    pub(super) fn of(parts: Parts) -> Arrival<Width> {
        Arrival {
            mark: Mark::of(parts),
            is_behind: Width::bits(1).when(parts.cube),
            is_divided: Width::bits(1).when(parts.divides() && !parts.follows),
        }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Lane {
    /// Clock and reset.
    pub(super) clocks: Clocks,
    /// All coordinates move on at the next edge.
    pub(super) advance: Net<In>,
    /// There is a number.
    pub(super) in_valid: Net<In>,
    /// The number.
    pub(super) number: Net<In>,
    /// It goes on as it is.
    pub(super) is_raw: Net<In>,
    /// Side by side, of singles: it counts as nothing.
    pub(super) is_void: Optional<Net<In>>,
    /// Whose it is.
    pub(super) mark: Mark<Field<In>>,
    /// Where this axis is divided.
    pub(super) divided: Optional<Divided>,
    /// There is a coordinate.
    pub(super) out_valid: Net<Out>,
    /// Whose it is.
    pub(super) arrival: Arrival<Field<Out>>,
    /// The coordinate.
    pub(super) value: Net<Out>,
    pipe: Pipe<Stage>,
    _parts: Parts,
}

/// What comes from the divider.
#[derive(Bundle)]
pub(super) struct Divided {
    /// There is a quotient.
    pub(super) valid: Net<In>,
    /// The quotient.
    pub(super) quotient: Quotient<Field<In>>,
}

impl Lane {
    pub(super) fn new(parts: Parts, is_divided: bool) -> Lane {
        let lane = Lane {
            clocks: Clocks::new(),
            advance: Net::bit(),
            in_valid: Net::bit(),
            number: Net::new(NUMBER_BITS),
            is_raw: Net::bit(),
            is_void: Optional::new(parts.wide && parts.floats, Net::bit),
            mark: Mark::of(parts).nets(),
            divided: Optional::new(is_divided, || Divided {
                valid: Net::bit(),
                quotient: Quotient::of(parts).nets(),
            }),
            out_valid: Net::bit(),
            arrival: Arrival::of(parts).nets(),
            value: Net::new(PLACE_BITS),
            pipe: if parts.floats { Pipe::new() } else { Pipe::with(&FIXED) },
            _parts: parts,
        };
        lane.pipe.plan(&lane.clocks, || lane.logic());
        lane
    }
}

/// What goes down, and what comes with it.
#[derive(Clone, Debug, Record)]
struct Falling<T = Bits> {
    arrival: Arrival<T>,
    is_raw: T,
    is_cube: T,
    is_negative: T,
    is_exact: T,
    is_over: T,
}

/// Numbers and quotients to coordinates.
#[kernel]
impl Lane {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        pipe.timing();
        if self._parts.floats {
            self.singles(&pipe);
        } else {
            self.fixed(&pipe);
        }
    }

    /// What a number brings with it.
    fn own(&self, mark: Mark) -> Arrival {
        Arrival { mark, is_behind: lit(1, 0u32), is_divided: lit(1, 0u32) }
    }

    fn fixed(&self, pipe: &Run<'_, Stage>) {
        /// # Coordinates
        let number = self.number.val();
        let whole = number.sign_extend(PLACE_BITS);
        let shifted = cat(&[number, lit(SHIFT_BITS, 0u32)]);
        let plain = if self.is_raw.val() { whole } else { shifted };
        let own = self.own(self.mark.val());
        let (valid, arrival, value) = match self.divided.as_ref() {
            Some(divided) => {
                let (comes, quotient) = (divided.valid.val(), divided.quotient.val());
                let Quotient { mark, is_behind, quotient, .. } = quotient;
                let other = Arrival { mark, is_behind, is_divided: lit(1, 1u32) };
                let arrival = if comes { other } else { own };
                (comes || self.in_valid.val(), arrival, if comes { quotient } else { plain })
            }
            None => (self.in_valid.val(), own, plain),
        };
        self.out_valid.next = pipe.flag(Stage::Number, "valid", valid).at(Stage::Exit);
        self.arrival.next = pipe.put(Stage::Number, "arrival", arrival).at(Stage::Exit);
        self.value.next = pipe.put(Stage::Number, "value", value).at(Stage::Exit);
    }

    fn singles(&self, pipe: &Run<'_, Stage>) {
        /// # Digits of a number
        let number = self.number.val();
        let is_raw = self.is_raw.val();
        let given = pipe.put(Stage::Number, "given", number).at(Stage::Digits);
        let is_none = is_nothing(number) && !is_raw;
        let is_none = match self.is_void.as_ref() {
            Some(is_void) => is_none || is_void.val(),
            None => is_none,
        };
        let is_none = pipe.put(Stage::Number, "is_none", is_none);
        let exponent = number.slice(FRACTION_BITS, EXPONENT_BITS).zero_extend(DISTANCE_BITS);
        let (down, is_over) = placing(lit(DISTANCE_BITS, TOP_EXPONENT) - exponent);
        let raw_down = lit(DOWN_BITS, (DIGITS - PLACE_BITS) as u32);
        let down = pipe.put(Stage::Number, "down", if is_raw { raw_down } else { down });
        let falling = Falling {
            arrival: self.own(self.mark.val()),
            is_raw,
            is_cube: lit(1, 0u32),
            is_negative: number.high(1) && !is_raw,
            is_exact: lit(1, 1u32),
            is_over: is_over && !is_raw,
        };
        let falling = pipe.put(Stage::Number, "falling", falling).at(Stage::Digits);
        let valid = pipe.flag(Stage::Number, "valid", self.in_valid.val()).at(Stage::Digits);
        let counts = !is_none.at(Stage::Digits);
        let falling = Falling { is_over: falling.is_over && counts, ..falling };
        let significand = cat(&[lit(1, 1u32), given.low(FRACTION_BITS)]);
        let own_digits = cat(&[significand, lit(DIGITS - FRACTION_BITS - 1, 0u32)]);
        let whole = cat(&[given.sign_extend(PLACE_BITS), lit(DIGITS - PLACE_BITS, 0u32)]);
        let digits = (if falling.is_raw { whole } else { own_digits }) & counts.repeat(DIGITS);
        let down = down.at(Stage::Digits);
        let (valid, falling, digits, down) = match self.divided.as_ref() {
            Some(divided) => {
                let (comes, of) = (divided.valid.val(), divided.quotient.val());
                let other = Falling {
                    arrival: Arrival { mark: of.mark, is_behind: of.is_behind, is_divided: lit(1, 1u32) },
                    is_raw: lit(1, 0u32),
                    is_cube: of.is_cube,
                    is_negative: of.is_negative,
                    is_exact: of.is_exact,
                    is_over: of.is_over,
                };
                let falling = if comes { other } else { falling };
                let digits = if comes { of.quotient } else { digits };
                (comes || valid, falling, digits, if comes { of.down } else { down })
            }
            None => (valid, falling, digits, down),
        };
        self.fall(pipe, (valid, falling), digits, down);
    }

    fn fall(&self, pipe: &Run<'_, Stage>, (valid, falling): (Bits, Falling), digits: Bits, down: Bits) {
        /// # Down
        let valid = pipe.flag(Stage::Digits, "comes", valid);
        let falling = pipe.put(Stage::Digits, "fallen", falling);
        let times = [down.slice(4, 2), down.slice(2, 2), down.low(2)];
        let times = pipe.put(Stage::Digits, "times", times);
        let digits = pipe.put(Stage::Digits, "digits_all", digits).at(Stage::Coarse);
        let (left, lost) = moved_down(digits, times.at(Stage::Coarse)[0], 16);
        let left = pipe.put(Stage::Coarse, "left_coarse", left).at(Stage::Middle);
        let lost = pipe.put(Stage::Coarse, "lost_coarse", lost);
        let (left, lost_middle) = moved_down(left, times.at(Stage::Middle)[1], 4);
        let left = pipe.put(Stage::Middle, "left_middle", left).at(Stage::Fine);
        let lost_middle = pipe.put(Stage::Middle, "lost_middle", lost_middle);
        let (left, lost_fine) = moved_down(left, times.at(Stage::Fine)[2], 1);
        let lost = lost.at(Stage::Fine) || lost_middle.at(Stage::Fine) || lost_fine;
        let is_exact = pipe.put(Stage::Fine, "is_whole", falling.at(Stage::Fine).is_exact && !lost);
        let magnitude = pipe.put(Stage::Fine, "magnitude", left.low(PLACE_BITS));
        let highest =
            pipe.put(Stage::Fine, "highest", left.slice(MAGNITUDE_BITS - HIGHEST_BITS, HIGHEST_BITS));
        discard(left.high(DIGITS - MAGNITUDE_BITS), "digits over every limit stand here, and are limited");
        /// # Limits and signs
        let at_limit = falling.at(Stage::Limit);
        let may_be_face = self._parts.cube && self.divided.is_some();
        let on_face = may_be_face.then_some(at_limit.is_cube);
        let limited = is_limited(highest.at(Stage::Limit), at_limit.is_negative, on_face);
        let limited = pipe.put(Stage::Limit, "is_limited", (limited || at_limit.is_over) && !at_limit.is_raw);
        let at_sign = falling.at(Stage::Sign);
        let flags = [limited.at(Stage::Sign), at_sign.is_negative, is_exact.at(Stage::Sign), at_sign.is_cube];
        let is_low_zero = pipe.put(Stage::Limit, "is_low_zero", is_low_zero(magnitude.at(Stage::Limit)));
        let value = signed(magnitude.at(Stage::Sign), is_low_zero.at(Stage::Sign), flags);
        self.value.next = pipe.put(Stage::Sign, "value", value).at(Stage::Exit);
        self.out_valid.next = valid.at(Stage::Exit);
        self.arrival.next = falling.at(Stage::Exit).arrival;
    }
}
