//! `axis`: one coordinate of a pixel to the texels on either side. Part of `coordinate`.
//!
//! Reduce by the address mode, scale to texels, find the neighbours, limit them to the level.
//!
//! Latency 4 slots, initiation interval 1. No RAM, no multiplier.

use crate::bundles::{address_modes, texel_bits};
use tmu_hdl::prelude::*;
use tmu_spec::texture::AddressMode;
use tmu_spec::{Config, fixed};

/// Slots from a coordinate to its texels.
pub const LATENCY_SLOTS: usize = 4;

/// Bits of a position in whole texels: 0 to 2048.
const POSITION_BITS: usize = 12;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Axis {
    /// Clock; nothing here needs the reset.
    pub clocks: Clocks,
    /// All slots move on at the next edge.
    pub advance: Net<In>,
    /// The coordinate, s16.16.
    pub coordinate: Net<In>,
    /// log2 of the level's size in texels.
    pub size_log2: Net<In>,
    /// Address mode.
    pub mode: Net<In>,
    /// Two weighted taps.
    pub is_bilinear: Net<In>,
    /// The size that goes with the coordinate, one slot later.
    pub level_size_log2: Net<Out>,
    /// First texel.
    pub low: Net<Out>,
    /// Second texel.
    pub high: Optional<Net<Out>>,
    /// Weight of the second texel.
    pub weight: Optional<Net<Out>>,
    magnitude: Reg,
    is_below: Reg,
    is_above: Reg,
    reduced_size_log2: Reg,
    position: Reg,
    last_texel: Reg,
    beside: Beside,
    limited_low: Reg,
    limited_high: Optional<Reg>,
    limited_weight: Optional<Reg>,
    wraps: Vec<Reg>,
    bilinear: Vec<Reg>,
    _config: Config,
}

/// A position with its neighbours.
#[derive(Debug, Bundle)]
struct Beside {
    position: Reg,
    before: Reg,
    after: Reg,
    is_half: Reg,
    is_first: Reg,
    is_last: Reg,
    is_past: Reg,
    weight: Reg,
    last_texel: Reg,
}

impl Axis {
    /// An axis of a configuration.
    pub fn new(config: &Config) -> Axis {
        let clocks = Clocks::without_reset();
        let texel_bits = texel_bits(config);
        let bilinear = config.features().bilinear();
        let weight_bits = fixed::WEIGHT.bits() as usize;
        let bit = || Reg::new(&clocks, 1);
        let position = || Reg::new(&clocks, POSITION_BITS);
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
            magnitude: Reg::new(&clocks, fixed::ADDRESSED.bits() as usize),
            is_below: bit(),
            is_above: bit(),
            reduced_size_log2: Reg::new(&clocks, 4),
            position: Reg::new(&clocks, POSITION_BITS + 8),
            last_texel: position(),
            beside: Beside {
                position: position(),
                before: position(),
                after: position(),
                is_half: bit(),
                is_first: bit(),
                is_last: bit(),
                is_past: bit(),
                weight: Reg::new(&clocks, weight_bits),
                last_texel: position(),
            },
            limited_low: Reg::new(&clocks, texel_bits),
            limited_high: Optional::new(bilinear, || Reg::new(&clocks, texel_bits)),
            limited_weight: Optional::new(bilinear, || Reg::new(&clocks, weight_bits)),
            wraps: Reg::array(LATENCY_SLOTS - 1, &clocks, 1),
            bilinear: Reg::array(if bilinear { LATENCY_SLOTS - 1 } else { 0 }, &clocks, 1),
            clocks,
            _config: config.clone(),
        }
    }
}

/// One coordinate of a pixel to the texels on either side.
#[kernel]
impl Axis {
    fn logic(&self) {
        timing(LATENCY_SLOTS as u32, 1);
        self.reduce();
        self.scale();
        self.neighbours();
        self.limit();
    }

    fn reduce(&self) {
        /// # Reduce by the address mode
        let coordinate = self.coordinate.val();
        let mode = self.mode.val();
        let fraction = coordinate.low(16);
        let mirrored = self.is_mode(mode, AddressMode::Mirror) && coordinate.bit(16);
        let clamped = self.is_mode(mode, AddressMode::Clamp);
        if self.advance.val() {
            /// A mirrored coordinate is 65536 less its fraction.
            self.magnitude.next =
                (fraction ^ mirrored.repeat(16)).zero_extend(17) + mirrored.zero_extend(17);
            self.is_below.next = clamped && coordinate.bit(31);
            self.is_above.next = clamped && coordinate.slice(16, 15).any();
            self.reduced_size_log2.next = self.size_log2.val();
            self.wraps[0].next = self.is_mode(mode, AddressMode::Wrap);
            for place in 1..self.wraps.len() {
                self.wraps[place].next = self.wraps[place - 1].val();
            }
            for place in 0..self.bilinear.len() {
                let before = place.wrapping_sub(1);
                self.bilinear[place].next =
                    if place == 0 { self.is_bilinear.val() } else { self.bilinear[before].val() };
            }
        }
        if self.bilinear.is_empty() {
            discard(self.is_bilinear.val(), "one tap a pixel");
        }
        self.level_size_log2.next = self.reduced_size_log2.val();
    }

    fn scale(&self) {
        /// # Scale to texels
        let one = lit(17, fixed::ADDRESSED.one());
        let inside = if self.is_above.val() { one } else { self.magnitude.val() };
        let addressed = inside & (!self.is_below.val()).repeat(17);
        let size_log2 = self.reduced_size_log2.val();
        let position = addressed.zero_extend(fixed::POSITION.bits() as usize) << size_log2;
        let fine_bits = fixed::POSITION.bits() as usize - POSITION_BITS - 8;
        discard(position.low(fine_bits), "weights have 8 bits");
        let last_texel: Vec<Bits> = (0..POSITION_BITS as u64).rev().map(|bit| size_log2 > bit).collect();
        if self.advance.val() {
            self.position.next = position.high(POSITION_BITS + 8);
            self.last_texel.next = cat(&last_texel);
        }
    }

    fn neighbours(&self) {
        /// # Neighbours
        let scaled = self.position.val();
        let position = scaled.high(POSITION_BITS);
        let last_texel = self.last_texel.val();
        if self.advance.val() {
            let beside = &self.beside;
            beside.position.next = position;
            beside.before.next = position - 1;
            beside.after.next = position + 1;
            beside.is_half.next = scaled.bit(7);
            beside.is_first.next = position == 0;
            beside.is_last.next = position == last_texel;
            beside.is_past.next = (position & !last_texel).any();
            /// The footprint is half a texel to the left, so the weight's top bit turns round.
            beside.weight.next = cat(&[!scaled.bit(7), scaled.low(7)]);
            beside.last_texel.next = last_texel;
        }
    }

    fn limit(&self) {
        /// # Limit to the level
        let beside = &self.beside;
        let wraps = self.wraps[LATENCY_SLOTS - 2].val();
        let bilinear = self.bilinear.last().map_or_else(|| lit(1, 0u32), |reg| reg.val());
        let (position, before) = (beside.position.val(), beside.before.val());
        let last_texel = beside.last_texel.val();
        let none = lit(POSITION_BITS, 0u32);
        let nearest = if beside.is_past.val() { before } else { position };
        let before_wrapped = if wraps { before & last_texel } else { before };
        let left_limited = if beside.is_first.val() && !wraps { none } else { before_wrapped };
        let left = if beside.is_half.val() { position } else { left_limited };
        let right_end = if wraps { none } else { position };
        let right_limited = if beside.is_last.val() { right_end } else { beside.after.val() };
        let right = if beside.is_half.val() { right_limited } else { nearest };
        let low = if bilinear { left } else { nearest };
        let texel_bits = self.limited_low.width();
        if texel_bits < POSITION_BITS {
            discard(low.high(POSITION_BITS - texel_bits), "a column or row is below the size");
        }
        if self.advance.val() {
            self.limited_low.next = fit(low, texel_bits);
        }
        self.low.next = self.limited_low.val();
        if let (Some(high), Some(weight), Some(limited_high), Some(limited_weight)) = (
            self.high.as_ref(),
            self.weight.as_ref(),
            self.limited_high.as_ref(),
            self.limited_weight.as_ref(),
        ) {
            if texel_bits < POSITION_BITS {
                discard(right.high(POSITION_BITS - texel_bits), "as above");
            }
            if self.advance.val() {
                limited_high.next = fit(right, texel_bits);
                limited_weight.next = beside.weight.val() & bilinear.repeat(limited_weight.width());
            }
            high.next = limited_high.val();
            weight.next = limited_weight.val();
        } else {
            discard(right, "one tap a pixel");
            for unread in [&beside.weight, &beside.is_first, &beside.last_texel] {
                discard(unread.val(), "one tap a pixel");
            }
        }
    }

    /// One bit: the mode is this one. Modes that are not built are never it.
    fn is_mode(&self, mode: Bits, wanted: AddressMode) -> Bits {
        if address_modes(&self._config).contains(&wanted) {
            mode == u64::from(wanted.code())
        } else {
            lit(1, 0u32)
        }
    }
}

/// A texel number in the width of the largest level, which may be less or, for the colour table, more.
#[kernel]
fn fit(texel: Bits, width: usize) -> Bits {
    if width <= texel.width() { texel.low(width) } else { texel.zero_extend(width) }
}
