//! What passes between the parts of `projection`, and which parts a configuration needs.

use super::FACE_BITS;
use crate::datapath::general::words::{NUMBER_BITS, PIXELS, PLACE_BITS, Place, general, has_fetch, lanes};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::{Kind, Numbers};

/// Bits of the fraction of a single.
pub(super) const FRACTION_BITS: usize = 23;
/// Bits of the exponent of a single.
pub(super) const EXPONENT_BITS: usize = 8;
/// Bits of the number of places by which digits go down.
pub(super) const DOWN_BITS: usize = 6;
/// Places by which digits go down at least, unless they are over every limit.
pub(super) const LEAST_DOWN: u64 = 3;
/// Bits of a magnitude that is not over every limit: the half that is added to a coordinate on a face may bring it back.
pub(super) const MAGNITUDE_BITS: usize = PLACE_BITS + 1;
/// Digits of a quotient of singles.
pub(super) const DIGITS: usize = MAGNITUDE_BITS + LEAST_DOWN as usize;

/// What a configuration needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// Numbers are singles.
    pub(super) floats: bool,
    /// There are cubes.
    pub(super) cube: bool,
    /// Coordinates are divided by q.
    pub(super) projective: bool,
    /// There are textures along one axis.
    pub(super) line: bool,
    /// There are volumes.
    pub(super) volume: bool,
    /// There are arrays.
    pub(super) layers: bool,
    /// Places have a third coordinate.
    pub(super) w: bool,
    /// Numbers may be integers that go on as they are.
    pub(super) fetch: bool,
    /// All pixels of a quad go side by side; otherwise one behind the other.
    pub(super) wide: bool,
    /// This is for a pixel beside which the first one goes, which has what is the same for all of them.
    pub(super) follows: bool,
}

impl Parts {
    pub(super) fn of(config: &Config) -> Parts {
        let general = general(config);
        Parts {
            floats: general.numbers == Numbers::Fp32,
            cube: general.has_kind(Kind::Cube),
            projective: general.projective,
            line: general.has_kind(Kind::D1),
            volume: general.has_kind(Kind::D3),
            layers: general.has_kind(Kind::D2Array),
            w: Place::of(config).w.packed_bits() > 0,
            fetch: has_fetch(config),
            wide: lanes(config) == PIXELS,
            follows: false,
        }
    }

    /// For the other pixels of a quad.
    pub(super) fn followers(self) -> Parts {
        Parts { follows: true, ..self }
    }

    /// How many pixels go beside the first one.
    pub(super) fn others(self) -> usize {
        if self.wide { PIXELS - 1 } else { 0 }
    }

    /// The number that stands for 1.
    pub(super) fn one(self) -> u32 {
        if self.floats { Numbers::Fp32.one() } else { Numbers::S16p16.one() }
    }

    /// Something is divided.
    pub(super) fn divides(self) -> bool {
        self.cube || self.projective
    }

    /// The third coordinate goes through the divider too.
    pub(super) fn divides_third(self) -> bool {
        self.projective && (self.volume || self.layers)
    }

    /// Bits of the number of an axis that is divided.
    pub(super) fn axis_bits(self) -> usize {
        if self.divides_third() { 2 } else { 1 }
    }

    /// Bits of a magnitude.
    pub(super) fn magnitude_bits(self) -> usize {
        if self.floats { NUMBER_BITS - 1 } else { NUMBER_BITS }
    }

    /// Bits of a number as it comes to be divided. Side by side numbers come with sign and magnitude.
    pub(super) fn number_bits(self) -> usize {
        if self.wide && self.divides() { self.magnitude_bits() + 1 } else { NUMBER_BITS }
    }

    /// Steps of the divider's ring: side by side a coordinate on a face takes one round, otherwise two.
    pub(super) fn steps(self) -> usize {
        if self.wide { 20 } else { 10 }
    }

    /// Rounds of a coordinate on its face: one bit in front of the point, and 19 behind it.
    pub(super) fn short_rounds(self) -> u32 {
        if self.wide { 1 } else { 2 }
    }

    /// Rounds of a division whose quotient may be large: 21 bits in front of the point and 19 behind it, or as many digits; 41 in
    /// front and 19 behind where any number is divided by any other.
    pub(super) fn long_rounds(self) -> u32 {
        if self.projective && !self.floats { 3 * self.short_rounds() } else { 2 * self.short_rounds() }
    }

    /// Bits of a divisor.
    pub(super) fn divisor_bits(self) -> usize {
        if self.floats { FRACTION_BITS + 1 } else { NUMBER_BITS }
    }

    /// Bits of a dividend. Beside a coordinate on a face, which has 19 bits behind the point, one that is divided by q has 20: its
    /// dividend stands a bit higher.
    pub(super) fn dividend_bits(self) -> usize {
        self.divisor_bits() + usize::from(self.projective && !self.floats)
    }

    /// Bits of what comes out of the divider: digits of singles, else a coordinate.
    pub(super) fn quotient_bits(self) -> usize {
        if self.floats { DIGITS } else { PLACE_BITS }
    }

    /// The shape of "the quotient may be 2 or more": each is one that is divided by q where there are no cubes.
    fn long(self) -> Width {
        if self.cube { Width::bits(1) } else { Width::constant(1, 1) }
    }

    /// The shape of "it is a coordinate on a face".
    fn on_face(self) -> Width {
        if self.projective { Width::bits(1).when(self.cube) } else { Width::constant(1, self.cube.into()) }
    }
}

/// Which coordinate of which pixel.
#[derive(Clone, Debug, Record)]
pub(super) struct Mark<T = Bits> {
    /// The pixel.
    pub(super) pixel: T,
    /// The axis, of what is divided. All axes of other pixels go side by side.
    pub(super) axis: T,
    /// It is divided a second time, on the face of the first valid pixel: for the edges, not for its place.
    pub(super) is_extra: T,
    /// With the pixel before it, it is the quad's row.
    pub(super) to_row: T,
    /// With the one before that, it is the quad's column.
    pub(super) to_column: T,
    /// It is the last one of its quad.
    pub(super) is_last: T,
}

impl Mark<Width> {
    pub(super) fn of(parts: Parts) -> Mark<Width> {
        let bit = Width::bits(1);
        Mark {
            pixel: Width::bits(2).when(!parts.wide),
            axis: Width::bits(parts.axis_bits()).when(parts.divides() && !parts.follows),
            is_extra: bit.when(parts.cube && !parts.follows),
            to_row: bit.when(!parts.wide),
            to_column: bit.when(!parts.wide),
            is_last: bit.when(!parts.follows),
        }
    }

    /// As it goes to what chooses a division: beside the first pixel too it counts which one it is.
    fn of_wanted(parts: Parts) -> Mark<Width> {
        let axis = Width::bits(parts.axis_bits()).when(parts.divides());
        Mark { axis, is_extra: Width::bits(1).when(parts.cube), ..Mark::of(parts) }
    }
}

/// A pixel as it is divided.
#[derive(Clone, Debug, Record)]
pub(super) struct Wanted<T = Bits> {
    /// Which one, and what for.
    pub(super) mark: Mark<T>,
    /// Its numbers: u, v and w.
    pub(super) numbers: [T; 3],
    /// What they are divided by.
    pub(super) q: T,
    /// Numbers are a direction into a cube.
    pub(super) is_cube: T,
    /// See [`Division`].
    pub(super) is_long: T,
    /// The pixel is at an end of an edge.
    pub(super) is_end: T,
    /// The face of the first valid pixel, for one that is divided a second time. Side by side the face for which it is divided.
    pub(super) face: T,
    /// Side by side: it is a layer, which is divided by 1.
    pub(super) is_layer: T,
    /// Side by side: which of u, v, w and q are nothing.
    pub(super) is_none: [T; 4],
}

impl Wanted<Width> {
    pub(super) fn of(parts: Parts) -> Wanted<Width> {
        let number = Width::bits(parts.number_bits());
        let third = number.when(parts.w || parts.cube);
        let is_none = Width::bits(1).when(parts.wide && parts.cube);
        let q_is_none = Width::bits(1).when(parts.wide && parts.projective);
        Wanted {
            mark: Mark::of_wanted(parts),
            numbers: [number, number, third],
            q: number.when(parts.projective),
            is_cube: parts.on_face(),
            is_long: parts.long(),
            is_end: Width::bits(1).when(parts.cube),
            face: Width::bits(FACE_BITS).when(parts.cube),
            is_layer: Width::bits(1).when(parts.wide && parts.divides_third() && parts.layers),
            is_none: [is_none, is_none, is_none, q_is_none],
        }
    }
}

/// How the numbers of a pixel become a place where they are not divided.
#[derive(Clone, Debug, Record)]
pub(super) struct Manner<T = Bits> {
    /// They go on as they are: integers, or the data of a register.
    pub(super) is_raw: T,
    /// w means something.
    pub(super) has_w: T,
    /// w is nothing, though u and v are divided.
    pub(super) clears_w: T,
}

impl Manner<Width> {
    pub(super) fn of(parts: Parts) -> Manner<Width> {
        let bit = Width::bits(1);
        Manner { is_raw: bit, has_w: bit.when(parts.w), clears_w: bit.when(parts.w && parts.divides()) }
    }
}

/// What is divided by what.
#[derive(Clone, Debug, Record)]
pub(super) struct Division<T = Bits> {
    /// Which coordinate it is.
    pub(super) mark: Mark<T>,
    /// It is one on a face: half of the quotient, and a half.
    pub(super) is_cube: T,
    /// The quotient may be 2 or more.
    pub(super) is_long: T,
    /// Magnitude of the dividend; of singles its significand.
    pub(super) dividend: T,
    /// Divisor, over 0 unless `is_behind`; of singles its significand.
    pub(super) divisor: T,
    /// The quotient is negative, or 0.
    pub(super) is_negative: T,
    /// The direction does not lie in front of the face: the quotient means nothing.
    pub(super) is_behind: T,
    /// Places by which digits go down.
    pub(super) down: T,
    /// The quotient is over every limit.
    pub(super) is_over: T,
}

impl Division<Width> {
    pub(super) fn of(parts: Parts) -> Division<Width> {
        let bit = Width::bits(1);
        Division {
            mark: Mark::of(parts),
            is_cube: parts.on_face(),
            is_long: parts.long(),
            dividend: Width::bits(parts.dividend_bits()),
            divisor: Width::bits(parts.divisor_bits()),
            is_negative: bit,
            is_behind: bit.when(parts.cube),
            down: Width::bits(DOWN_BITS).when(parts.floats),
            is_over: bit.when(parts.floats),
        }
    }
}

/// What comes of it. Only `quotient` has bits where numbers are no singles: it is the coordinate already.
#[derive(Clone, Debug, Record)]
pub(super) struct Quotient<T = Bits> {
    /// Which coordinate it is.
    pub(super) mark: Mark<T>,
    /// See [`Division`].
    pub(super) is_behind: T,
    /// Digits, one in front of the point and the others behind it; or the coordinate.
    pub(super) quotient: T,
    /// See [`Division`].
    pub(super) is_cube: T,
    /// See [`Division`].
    pub(super) is_negative: T,
    /// Nothing remains.
    pub(super) is_exact: T,
    /// See [`Division`].
    pub(super) down: T,
    /// See [`Division`].
    pub(super) is_over: T,
}

impl Quotient<Width> {
    pub(super) fn of(parts: Parts) -> Quotient<Width> {
        let bit = Width::bits(1);
        let cube = if parts.floats { parts.on_face() } else { Width::constant(1, 0) };
        Quotient {
            mark: Mark::of(parts),
            is_behind: bit.when(parts.cube),
            quotient: Width::bits(parts.quotient_bits()),
            is_cube: cube,
            is_negative: bit.when(parts.floats),
            is_exact: bit.when(parts.floats),
            down: Width::bits(DOWN_BITS).when(parts.floats),
            is_over: bit.when(parts.floats),
        }
    }
}
