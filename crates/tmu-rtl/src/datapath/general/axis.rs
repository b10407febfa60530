//! `axis` of the general numerics: one coordinate of a pixel to the texels on either side, in a level of any size. Part of
//! `coordinate`.
//!
//! Reduce by the address mode, scale to texels, find the neighbours, limit them to the level or tell that they lie outside.
//!
//! Contract: a texel that is outside goes by a flag, and its number means nothing; with the border either side is outside, and
//! across the edge of a cube the first texel is in front of the face or the second one behind it. Otherwise texels are limited
//! to the level or wrap round. Without a second tap both texels are the same and the weight is 0.
//!
//! Cost: latency [`Stage`], initiation interval 1; one multiplier of 23 x 13 bits.

use crate::datapath::bundles::is_mode;
use Stage::{Compare, Entry, Exit, Factors, Reduce, Scaled};
use tmu_hdl::pipe::Registered;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};
use tmu_spec::Config;
use tmu_spec::texture::AddressMode;

/// Bits behind the point of a coordinate.
const FRACTION_BITS: usize = 20;
/// Bits of a coordinate: s16.20, and one more, since probes lie beside pixels.
pub const COORDINATE_BITS: usize = 37;
/// Bits of a size: 1 to 4096 texels.
pub const SIZE_BITS: usize = 13;
/// Bits of a texel's number.
pub const TEXEL_BITS: usize = 12;
/// Bits of an address mode.
pub const MODE_BITS: usize = 3;
/// Bits of a reduced coordinate: -1 to 2 in front of the point.
const REDUCED_BITS: usize = 3 + FRACTION_BITS;
/// Bits of a position in whole texels: -4096 to 8192.
const POSITION_BITS: usize = 15;
/// Bits of a weight.
pub const WEIGHT_BITS: usize = 8;

/// Where a coordinate is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in, and is looked at: inside, next to the texture, or far away.
    Entry,
    /// Its address mode reduces it.
    Reduce,
    /// It goes into the multiplier with the size.
    Factors,
    /// It is in the multiplier.
    Operands,
    /// It is multiplied.
    Multiply,
    /// Its position in texels is there, and is compared with the level.
    Scaled,
    /// The texels on either side are limited to the level.
    Compare,
    /// They leave.
    Exit,
}

/// What comes in.
#[derive(Clone, Debug, Record)]
pub struct AxisInput<T = Bits> {
    /// The coordinate: two's complement with 20 bits behind the point.
    pub coordinate: T,
    /// Texels of the level along the axis.
    pub size: T,
    /// Address mode.
    pub mode: T,
    /// Two weighted texels.
    pub is_linear: T,
    /// The axis goes on in the next face of a cube.
    pub is_seamless: T,
}

impl AxisInput<Width> {
    fn shape() -> AxisInput<Width> {
        AxisInput {
            coordinate: Width::bits(COORDINATE_BITS),
            size: Width::bits(SIZE_BITS),
            mode: Width::bits(MODE_BITS),
            is_linear: Width::bits(1),
            is_seamless: Width::bits(1),
        }
    }
}

/// Texels on either side of a coordinate.
#[derive(Clone, Debug, Record)]
pub struct AxisTaps<T = Bits> {
    /// The first texel.
    pub first: T,
    /// The second one.
    pub second: T,
    /// The weight of the second one, of 256.
    pub weight: T,
    /// The first texel lies outside.
    pub first_is_outside: T,
    /// The second texel lies outside.
    pub second_is_outside: T,
}

impl AxisTaps<Width> {
    /// Its shape.
    pub fn shape() -> AxisTaps<Width> {
        AxisTaps {
            first: Width::bits(TEXEL_BITS),
            second: Width::bits(TEXEL_BITS),
            weight: Width::bits(WEIGHT_BITS),
            first_is_outside: Width::bits(1),
            second_is_outside: Width::bits(1),
        }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Axis {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All coordinates move on at the next edge.
    pub advance: Net<In>,
    /// A coordinate.
    pub input: AxisInput<Field<In>>,
    /// Its texels.
    pub taps: AxisTaps<Field<Out>>,
    pipe: Pipe<Stage>,
    scale: Multiplier,
    _config: Config,
}

impl Axis {
    /// Steps from a coordinate to its texels.
    pub const LATENCY_STEPS: usize = Stage::ALL.len() - 1;

    /// An axis of a configuration.
    pub fn new(config: &Config) -> Axis {
        let axis = Axis {
            clocks: Clocks::new(),
            advance: Net::bit(),
            input: AxisInput::shape().nets(),
            taps: AxisTaps::shape().nets(),
            pipe: Pipe::new(),
            scale: Multiplier::new(Operand::signed(REDUCED_BITS), Operand::unsigned(SIZE_BITS)),
            _config: config.clone(),
        };
        axis.pipe.plan(&axis.clocks, || axis.logic());
        axis
    }
}

/// How a texel lies to its level.
#[derive(Clone, Debug, Record)]
struct Side<T = Bits> {
    /// In front of texel 0.
    is_low: T,
    /// Behind the last texel.
    is_high: T,
}

/// One coordinate of a pixel to the texels on either side.
#[kernel]
impl Axis {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        pipe.timing();
        let reduced = self.reduced(&pipe);
        /// # Scale to texels
        let size = pipe.put(Entry, "size", self.input.size.val());
        let product = pipe.through(Factors, "scale", &self.scale, (reduced, size.at(Factors))).at(Scaled);
        discard(product.low(FRACTION_BITS - WEIGHT_BITS), "weights have 8 bits");
        discard(product.high(1), "a position is at most twice the size");
        let position = product.slice(FRACTION_BITS, POSITION_BITS);
        let part = product.slice(FRACTION_BITS - WEIGHT_BITS, WEIGHT_BITS);
        /// # Neighbours
        /// A footprint begins half a texel to the left.
        let is_half = part.high(1);
        let is_linear = pipe.put(Entry, "is_linear", self.input.is_linear.val());
        let last = pipe.put(Entry, "last", self.input.size.val() - 1).at(Scaled);
        let size = size.at(Scaled).zero_extend(POSITION_BITS);
        let wide_last = last.zero_extend(POSITION_BITS);
        let (is_negative, is_zero) = (position.high(1), position == 0);
        let is_beyond = |limit: Bits| position.signed() > limit.signed();
        let at_or_past = !is_negative && is_beyond(wide_last);
        let is_past = !is_negative && is_beyond(size);
        let is_last = position == wide_last;
        let middle = Side { is_low: is_negative, is_high: at_or_past };
        let before = Side { is_low: is_negative || is_zero, is_high: is_past };
        let after = Side { is_low: is_negative && !position.all(), is_high: at_or_past || is_last };
        let (linear, half) = (is_linear.at(Scaled), is_half);
        let takes_before = linear && !half;
        let takes_after = linear && half;
        let first = pipe.put(Scaled, "first", if takes_before { position - 1 } else { position });
        let second = pipe.put(Scaled, "second", if takes_after { position + 1 } else { position });
        let first_side = pipe.put(Scaled, "first_side", if takes_before { before } else { middle.clone() });
        let second_side = pipe.put(Scaled, "second_side", if takes_after { after } else { middle });
        let weight = cat(&[!half, part.low(WEIGHT_BITS - 1)]) & linear.repeat(WEIGHT_BITS);
        let weight = pipe.put(Scaled, "weight", weight).at(Compare);
        let last = pipe.put(Scaled, "last_texel", last.low(TEXEL_BITS)).at(Compare);
        let texels = [first.at(Compare), second.at(Compare)];
        let sides = [first_side.at(Compare), second_side.at(Compare)];
        let taps = self.limited(&pipe, texels, sides, last, is_linear.at(Compare), weight);
        self.taps.next = pipe.put(Compare, "taps", taps).at(Exit);
    }

    /// The coordinate after its address mode, in front of the multiplier.
    fn reduced<'a>(&self, pipe: &Run<'a, Stage>) -> Bits {
        /// # Look at the coordinate
        let coordinate = self.input.coordinate.val();
        let whole = coordinate.high(COORDINATE_BITS - FRACTION_BITS);
        let above = whole.high(COORDINATE_BITS - FRACTION_BITS - 1);
        let none_above = pipe.put(Entry, "none_above", !above.any()).at(Reduce);
        let all_above = pipe.put(Entry, "all_above", above.all()).at(Reduce);
        let is_odd = pipe.put(Entry, "is_odd", whole.bit(0)).at(Reduce);
        let is_negative = pipe.put(Entry, "is_negative", coordinate.high(1)).at(Reduce);
        let fraction = pipe.put(Entry, "fraction", coordinate.low(FRACTION_BITS)).at(Reduce);
        let of_mode = |name: &str, mode: AddressMode| {
            let is_it = is_mode(&self._config, self.input.mode.val(), mode);
            pipe.put(Entry, name, is_it).at(Reduce)
        };
        let clamps = of_mode("clamps", AddressMode::Clamp);
        let mirrors = of_mode("mirrors", AddressMode::Mirror);
        let mirrors_once = of_mode("mirrors_once", AddressMode::MirrorOnce);
        let borders = of_mode("borders", AddressMode::Border);
        /// # Reduce by the address mode
        /// From 0 up to 1, from 1 up to 2, and from -1 up to 0.
        let is_inside = none_above && !is_odd;
        let is_next = none_above && is_odd;
        let is_before = all_above && is_odd;
        /// A mirrored coordinate is 1 less its fraction.
        let turns = (mirrors && is_odd) || (mirrors_once && is_negative);
        let part = (fraction ^ turns.repeat(FRACTION_BITS)).zero_extend(FRACTION_BITS + 1)
            + turns.zero_extend(FRACTION_BITS + 1);
        let is_far = (clamps && !is_inside)
            || (mirrors_once && !is_inside && !is_before)
            || (borders && !is_inside && !is_next && !is_before);
        let limited = part.low(FRACTION_BITS) & (!is_far).repeat(FRACTION_BITS);
        /// In front of the point: of what is far away the limit, otherwise where it is.
        let low_limit = if borders { lit(3, 7u32) } else { lit(3, 0u32) };
        let high_limit = if borders { lit(3, 2u32) } else { lit(3, 1u32) };
        let limit = if is_negative && !mirrors_once { low_limit } else { high_limit };
        let place = if is_before { lit(3, 7u32) } else { is_next.zero_extend(3) };
        let near = if borders { place } else { part.high(1).zero_extend(3) };
        pipe.put(Reduce, "reduced", cat(&[if is_far { limit } else { near }, limited])).at(Factors)
    }

    /// Texels inside the level, or flags.
    fn limited(
        &self,
        pipe: &Run<'_, Stage>,
        texels: [Bits; 2],
        sides: [Side; 2],
        last: Bits,
        is_linear: Bits,
        weight: Bits,
    ) -> AxisTaps {
        /// # Limit to the level
        let of_mode = |name: &str, mode: AddressMode| {
            let is_it = is_mode(&self._config, self.input.mode.val(), mode);
            pipe.put(Entry, name, is_it).at(Compare)
        };
        let wraps = of_mode("wraps", AddressMode::Wrap);
        let has_border = of_mode("has_border", AddressMode::Border);
        let is_seamless = pipe.put(Entry, "is_seamless", self.input.is_seamless.val()).at(Compare);
        let goes_on = has_border || (is_seamless && is_linear);
        let limited = |texel: Bits, side: &Side| {
            discard(texel.high(POSITION_BITS - TEXEL_BITS), "texels inside are below 4096");
            let is_last = if wraps { side.is_low } else { side.is_high };
            let edge = last & is_last.repeat(TEXEL_BITS);
            if side.is_low || side.is_high { edge } else { texel.low(TEXEL_BITS) }
        };
        let is_outside = |side: &Side| goes_on && (side.is_low || side.is_high);
        AxisTaps {
            first: limited(texels[0], &sides[0]),
            second: limited(texels[1], &sides[1]),
            weight,
            first_is_outside: is_outside(&sides[0]),
            second_is_outside: is_outside(&sides[1]),
        }
    }
}

impl Registered for Axis {
    type Input = AxisInput;
    type Output = AxisTaps;
    fn moves(&self) -> usize {
        Axis::LATENCY_STEPS
    }
    fn connect(&self, clocks: &Clocks, advance: Bits, input: AxisInput) -> AxisTaps {
        self.clocks.follow(clocks);
        self.advance.drive(advance);
        self.input.drive(input);
        self.taps.val()
    }
}
