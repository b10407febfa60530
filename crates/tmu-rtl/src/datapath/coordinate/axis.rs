//! `axis`: one coordinate of a pixel to the texels on either side. Part of `coordinate`.
//!
//! Reduce by the address mode, scale to texels, find the neighbours, limit them to the level.
//!
//! Latency 6 steps, or 7 where paths are to be short: then what the address mode asks for is found out a step before the
//! coordinate is reduced. Initiation interval 1. One multiplier of 17 x 12 bits scales.

use crate::datapath::bundles::{is_mode, texel_bits};
use crate::datapath::coordinate::blocking::fit;
use crate::datapath::delay::Delay;
use crate::datapath::words::has_short_paths;
use tmu_hdl::pipe::Registered;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};
use tmu_spec::texture::AddressMode;
use tmu_spec::{Config, fixed};

/// Items from a coordinate to its texels.
fn latency_steps(config: &Config) -> usize {
    6 + usize::from(has_short_paths(config))
}

/// Items that the multiplier takes.
const SCALE_STEPS: usize = Multiplier::LATENCY_CLOCKS as usize;

/// Bits of a coordinate's fraction.
const FRACTION_BITS: usize = 16;
/// Bits of a position in whole texels: 0 to 2048.
const POSITION_BITS: usize = 12;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Axis {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All items move on at the next edge.
    pub advance: Net<In>,
    /// The coordinate, s16.16.
    pub coordinate: Net<In>,
    /// log2 of the level's size in texels.
    pub size_log2: Net<In>,
    /// Address mode.
    pub mode: Net<In>,
    /// Two weighted taps.
    pub is_bilinear: Net<In>,
    /// The size that goes with the coordinate, one item later.
    pub level_size_log2: Net<Out>,
    /// First texel.
    pub low: Net<Out>,
    /// Second texel.
    pub high: Optional<Net<Out>>,
    /// Weight of the second texel.
    pub weight: Optional<Net<Out>>,
    folded: Optional<Folded>,
    fraction: Reg,
    is_one: Reg,
    reduced_size_log2: Reg,
    scale: Multiplier,
    size_log2_scaled: Delay,
    ends: Delay,
    last_texel: Reg,
    neighbour: Neighbours,
    limited_low: Reg,
    limited_high: Optional<Reg>,
    limited_weight: Optional<Reg>,
    wraps: Delay,
    bilinear: Optional<Delay>,
    _config: Config,
}

/// A coordinate on its way, where it is reduced in two steps.
#[derive(Debug, Bundle)]
struct Folded {
    /// The fraction, or what is left of it to 65535 where it is mirrored.
    fraction: Reg,
    is_mirrored: Reg,
    /// Where it is limited to an edge, and to which.
    is_limited: Reg,
    is_negative: Reg,
    size_log2: Reg,
}

impl Folded {
    fn new(clocks: &Clocks) -> Folded {
        let bit = || Reg::new(clocks, 1);
        Folded {
            fraction: Reg::new(clocks, FRACTION_BITS),
            is_mirrored: bit(),
            is_limited: bit(),
            is_negative: bit(),
            size_log2: Reg::new(clocks, 4),
        }
    }
}

/// A position with its neighbours.
#[derive(Debug, Bundle)]
struct Neighbours {
    position: Reg,
    before: Reg,
    after: Reg,
    low: Choice,
    high: Optional<Choice>,
    weight: Delay,
    last_texel: Reg,
}

/// Which of a position and its neighbour a tap takes; none of them is texel 0. Both is the neighbour on the other side.
#[derive(Debug, Bundle)]
struct Choice {
    takes_position: Reg,
    takes_neighbour: Reg,
}

impl Choice {
    fn new(clocks: &Clocks) -> Choice {
        Choice { takes_position: Reg::new(clocks, 1), takes_neighbour: Reg::new(clocks, 1) }
    }
}

impl Axis {
    /// An axis of a configuration.
    pub fn new(config: &Config) -> Axis {
        let clocks = Clocks::new();
        let texel_bits = texel_bits(config);
        let bilinear = config.features().bilinear();
        let weight_bits = fixed::WEIGHT.bits() as usize;
        let bit = || Reg::new(&clocks, 1);
        let position = || Reg::new(&clocks, POSITION_BITS);
        let latency = latency_steps(config);
        Axis {
            advance: Net::bit(),
            coordinate: Net::new(32),
            size_log2: Net::new(4),
            mode: Net::new(2),
            is_bilinear: Net::bit(),
            level_size_log2: Net::new(4),
            low: Net::new(texel_bits),
            high: Optional::new(bilinear, || Net::new(texel_bits)),
            weight: Optional::new(bilinear, || Net::new(weight_bits)),
            folded: Optional::new(has_short_paths(config), || Folded::new(&clocks)),
            fraction: Reg::new(&clocks, FRACTION_BITS),
            is_one: bit(),
            reduced_size_log2: Reg::new(&clocks, 4),
            scale: Multiplier::new(
                Operand::unsigned(fixed::ADDRESSED.bits() as usize),
                Operand::unsigned(POSITION_BITS),
            ),
            size_log2_scaled: Delay::new(&clocks, SCALE_STEPS - 1, 4),
            ends: Delay::new(&clocks, SCALE_STEPS, 1),
            last_texel: position(),
            neighbour: Neighbours {
                position: position(),
                before: position(),
                after: position(),
                low: Choice::new(&clocks),
                high: Optional::new(bilinear, || Choice::new(&clocks)),
                weight: Delay::new(&clocks, 1, weight_bits),
                last_texel: position(),
            },
            limited_low: Reg::new(&clocks, texel_bits),
            limited_high: Optional::new(bilinear, || Reg::new(&clocks, texel_bits)),
            limited_weight: Optional::new(bilinear, || Reg::new(&clocks, weight_bits)),
            wraps: Delay::new(&clocks, latency - 2, 1),
            bilinear: Optional::new(bilinear, || Delay::new(&clocks, latency - 1, 1)),
            clocks,
            _config: config.clone(),
        }
    }
}

/// One coordinate of a pixel to the texels on either side.
#[kernel]
impl Axis {
    fn logic(&self) {
        timing(latency_steps(&self._config) as u32, 1);
        self.reduce();
        self.scale();
        self.neighbours();
        self.limit();
    }

    fn reduce(&self) {
        /// # Reduce by the address mode
        let coordinate = self.coordinate.val();
        let mode = self.mode.val();
        let fraction = coordinate.low(FRACTION_BITS);
        let mirrored = is_mode(&self._config, mode, AddressMode::Mirror) && coordinate.bit(16);
        let clamped = is_mode(&self._config, mode, AddressMode::Clamp);
        if !self._config.features().has_address_mode(AddressMode::Clamp) {
            discard(coordinate.high(15), "what lies outside folds back");
        }
        let fraction = fraction ^ mirrored.repeat(FRACTION_BITS);
        let is_limited = clamped && coordinate.high(32 - FRACTION_BITS).any();
        let is_below = coordinate.bit(31);
        let now = || [fraction, mirrored, is_limited, is_below, self.size_log2.val()];
        let [fraction, mirrored, is_limited, is_negative, size_log2] = match self.folded.as_ref() {
            Some(Folded { fraction, is_mirrored, is_limited, is_negative, size_log2 }) => {
                let held = [fraction, is_mirrored, is_limited, is_negative, size_log2];
                if self.advance.val() {
                    for (reg, value) in held.into_iter().zip(now()) {
                        reg.next = value;
                    }
                }
                held.map(Reg::val)
            }
            None => now(),
        };
        /// A mirrored coordinate is 65536 less its fraction.
        let magnitude = fraction.zero_extend(FRACTION_BITS + 1) + mirrored.zero_extend(FRACTION_BITS + 1);
        if self.advance.val() {
            if is_limited {
                self.fraction.next = 0;
                self.is_one.next = !is_negative;
            } else {
                self.fraction.next = magnitude.low(FRACTION_BITS);
                self.is_one.next = magnitude.high(1);
            }
            self.reduced_size_log2.next = size_log2;
        }
        self.wraps.take(is_mode(&self._config, mode, AddressMode::Wrap), self.advance.val());
        if let Some(bilinear) = self.bilinear.as_ref() {
            bilinear.take(self.is_bilinear.val(), self.advance.val());
        } else {
            discard(self.is_bilinear.val(), "one tap a pixel");
        }
        self.level_size_log2.next = self.reduced_size_log2.val();
    }

    fn scale(&self) {
        /// # Scale to texels
        let size_log2 = self.reduced_size_log2.val();
        /// A multiplication by a power of two, since a shifter of this width costs many LUTs.
        let size: Vec<Bits> = (0..POSITION_BITS as u64).rev().map(|bit| size_log2 == bit).collect();
        self.scale.clocks.follow(&self.clocks);
        self.scale.enable.next = self.advance.val();
        self.scale.a.next = cat(&[self.is_one.val(), self.fraction.val()]);
        self.ends.take(self.is_one.val(), self.advance.val());
        self.scale.b.next = cat(&size);
        self.size_log2_scaled.take(size_log2, self.advance.val());
        let size_log2 = self.size_log2_scaled.last();
        let last_texel: Vec<Bits> = (0..POSITION_BITS as u64).rev().map(|bit| size_log2 > bit).collect();
        if self.advance.val() {
            self.last_texel.next = cat(&last_texel);
        }
    }

    fn neighbours(&self) {
        /// # Neighbours
        let product = self.scale.product.val();
        let scaled = product.slice(fixed::ADDRESSED.frac_bits() as usize - 8, POSITION_BITS + 8);
        discard(product.low(fixed::ADDRESSED.frac_bits() as usize - 8), "weights have 8 bits");
        discard(product.high(1), "a position is at most the size");
        let position = scaled.high(POSITION_BITS);
        let last_texel = self.last_texel.val();
        self.choose(position, scaled.bit(7));
        /// The footprint is half a texel to the left, so the weight's top bit turns round.
        self.neighbour.weight.take(cat(&[!scaled.bit(7), scaled.low(7)]), self.advance.val());
        if self.advance.val() {
            let neighbour = &self.neighbour;
            neighbour.position.next = position;
            neighbour.before.next = position - 1;
            neighbour.after.next = position + 1;
            neighbour.last_texel.next = last_texel;
        }
    }

    /// Finds out which texels the taps take, so that no more than that is left to do behind the registers.
    fn choose(&self, position: Bits, is_half: Bits) {
        /// # Which neighbours
        let wraps = self.wraps.last();
        let bilinear = self
            .bilinear
            .as_ref()
            .map_or_else(|| lit(1, 0u32), |delay| delay.after(latency_steps(&self._config) - 2));
        let last_texel = self.last_texel.val();
        let is_first = position == 0;
        /// Only at the far edge does a position lie behind the last texel.
        let is_past = self.ends.last();
        let (low, high) = (&self.neighbour.low, self.neighbour.high.as_ref());
        if self.advance.val() {
            low.takes_position.next = if bilinear { is_half } else { !is_past };
            low.takes_neighbour.next = if bilinear { !is_half && (wraps || !is_first) } else { is_past };
            if let Some(high) = high {
                let is_last = position == last_texel;
                /// The one behind the position; at the last texel the position itself, or texel 0. Left of a texel's middle the
                /// position itself, or the one before.
                high.takes_position.next = !is_half || (is_last && !wraps);
                high.takes_neighbour.next = if is_half { !is_last } else { is_past };
            } else {
                discard(cat(&[is_first, wraps]), "one tap a pixel");
            }
        }
    }

    fn limit(&self) {
        /// # Limit to the level
        let neighbour = &self.neighbour;
        let bilinear = self.bilinear.as_ref().map_or_else(|| lit(1, 0u32), Delay::last);
        let (position, before) = (neighbour.position.val(), neighbour.before.val());
        let none = lit(POSITION_BITS, 0u32);
        /// What is in front of texel 0 wraps round to the last one.
        let wrapped =
            if neighbour.low.takes_neighbour.val() { before & neighbour.last_texel.val() } else { none };
        let low = if neighbour.low.takes_position.val() { position } else { wrapped };
        let texel_bits = self.limited_low.width();
        if texel_bits < POSITION_BITS {
            discard(low.high(POSITION_BITS - texel_bits), "a column or row is below the size");
        }
        if self.advance.val() {
            self.limited_low.next = fit(low, texel_bits);
        }
        self.low.next = self.limited_low.val();
        if let (Some(choice), Some(high), Some(weight), Some(limited_high), Some(limited_weight)) = (
            neighbour.high.as_ref(),
            self.high.as_ref(),
            self.weight.as_ref(),
            self.limited_high.as_ref(),
            self.limited_weight.as_ref(),
        ) {
            let takes_neighbour = choice.takes_neighbour.val();
            let own = if takes_neighbour { before } else { position };
            let other = if takes_neighbour { neighbour.after.val() } else { none };
            let right = if choice.takes_position.val() { own } else { other };
            if texel_bits < POSITION_BITS {
                discard(right.high(POSITION_BITS - texel_bits), "as above");
            }
            if self.advance.val() {
                limited_high.next = fit(right, texel_bits);
                limited_weight.next = neighbour.weight.last() & bilinear.repeat(limited_weight.width());
            }
            high.next = limited_high.val();
            weight.next = limited_weight.val();
        } else {
            discard(cat(&[neighbour.weight.last(), neighbour.after.val(), bilinear]), "one tap a pixel");
        }
    }
}

impl Registered for Axis {
    /// The coordinate, log2 of the level's size, the address mode, and whether there are two taps.
    type Input = [Bits; 4];
    /// First and second texel, and the weight of the second; where there is but one, zeros stand for the others.
    type Output = [Bits; 3];
    fn moves(&self) -> usize {
        latency_steps(&self._config)
    }
    fn connect(&self, clocks: &Clocks, advance: Bits, input: [Bits; 4]) -> [Bits; 3] {
        let [coordinate, size_log2, mode, is_bilinear] = input;
        self.clocks.follow(clocks);
        self.advance.drive(advance);
        self.coordinate.drive(coordinate);
        self.size_log2.drive(size_log2);
        self.mode.drive(mode);
        self.is_bilinear.drive(is_bilinear);
        let or_none = |net: &Option<Net<Out>>| net.as_ref().map_or_else(|| lit(1, 0u32), Net::val);
        [self.low.val(), or_none(&self.high), or_none(&self.weight)]
    }
}
