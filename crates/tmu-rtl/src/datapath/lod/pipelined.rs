//! `lod`: the level of detail of each quad.
//!
//! A component of one of a quad's two edges goes through a subtractor, a shifter and a squarer. With one pixel an item u and v
//! have a path each, through which the row goes with a quad's first item and the column with those behind; where four pixels
//! come together, each of the four components has a path of its own. The larger of the two squared lengths is never formed:
//! the highest bit set in either decides. The pixels wait beside it and leave with their level.
//!
//! Latency 10 steps and two multipliers of 18 x 18 bits with one pixel an item, 9 steps and four multipliers with four.
//! Initiation interval one item, where a quad has two at least; one that has a single item has no level. Where paths are to be
//! short two steps more: the ends of an edge are chosen a step before they are subtracted, and a side is rounded one before it is
//! squared.
//! Multipliers are registered at operands, product and output.

use crate::datapath::bundles::BindingField::{self, HeightLog2, IsMipmapped, MaxLod, WidthLog2};
use crate::datapath::bundles::{BindingState, Layout};
use crate::datapath::delay::Delay;
use crate::datapath::lod::level::{ends, highest, reached};
use crate::datapath::words::{LANES_OF_QUAD, QUAD_BITS, has_short_paths, item_layout, lanes};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};
use tmu_spec::{Config, fixed};

/// Items from a pixel to the same pixel with its level.
const fn latency_steps(lanes: usize, extra_steps: usize) -> usize {
    extra_steps + if lanes == 1 { 10 } else { 9 }
}

/// Steps that there are where paths are to be short.
const EXTRA_STEPS: usize = 2;

/// What the stage needs of a binding.
pub const BINDING_FIELDS: [BindingField; 4] = [IsMipmapped, WidthLog2, HeightLog2, MaxLod];

/// Bits of a footprint's side with its sign.
const SIDE_BITS: usize = fixed::FOOTPRINT.bits() as usize + 1;

/// Bits of a difference of two coordinates.
const DIFFERENCE_BITS: usize = 33;

/// A side of so many bits beside its sign, or more, reaches every level that there is.
const LARGE_LOG2: usize = fixed::FOOTPRINT.bits() as usize - 1;

/// Most places of the second shift. Texels, with 5 fraction bits, are the difference times the size, 11 places down: two steps
/// of four and three more, as many fewer as the size says.
const MOST_ONES: usize = 3;

/// Bits that the first shift leaves to the second one.
const SHIFTED_BITS: usize = LARGE_LOG2 + MOST_ONES;

/// Items from an edge to its squared length, but for extra ones.
const LENGTH_STEPS: usize = 6;

/// Items from an edge to the highest level that it reaches, but for extra ones.
const HIGHEST_STEPS: usize = LENGTH_STEPS + 2;

/// See the module's documentation. A configuration without mipmaps has none.
#[derive(LogicBlock)]
pub struct Lod {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All items move on at the next edge.
    pub advance: Net<In>,
    /// There is something in the item.
    pub in_valid: Net<In>,
    /// The item, see [`item_layout`].
    pub in_item: Net<In>,
    /// The quad that the item belongs to.
    pub quad: Net<In>,
    /// Its valid bits.
    pub valid_pixels: Net<In>,
    /// Its binding.
    pub binding: BindingState<In>,
    /// There is something in the item that leaves.
    pub out_valid: Net<Out>,
    /// The item that leaves.
    pub out_item: Net<Out>,
    /// The level of its quad.
    pub level: Net<Out>,
    waiting: Delay,
    items: Delay,
    components: Vec<Component>,
    lengths: Vec<Reg>,
    length_bits: Reg,
    highest: Reg,
    limits: Delay,
    quad_level: Reg,
    _item: Layout,
    _lanes: usize,
    _levels: usize,
    _extra_steps: usize,
}

/// From the ends of an edge to the square of what lies between them in texels, along one axis.
#[derive(Bundle)]
struct Component {
    ends: Optional<Ends>,
    difference: Reg,
    size_log2: Reg,
    is_negative: Reg,
    is_large: Reg,
    rounds: Reg,
    shifted: Reg,
    ones: Reg,
    operand: Net<Local>,
    rounded: Optional<Reg>,
    square: Multiplier,
}

/// The ends of an edge, where they are chosen a step before they are subtracted, and the size that goes with them.
#[derive(Bundle)]
struct Ends {
    outer: Reg,
    inner: Reg,
    size_log2: Reg,
}

impl Ends {
    fn new(clocks: &Clocks) -> Ends {
        let end = || Reg::new(clocks, 32);
        Ends { outer: end(), inner: end(), size_log2: Reg::new(clocks, 4) }
    }
}

impl Component {
    fn new(clocks: &Clocks, is_short: bool) -> Component {
        let factor = || Operand::signed(SIDE_BITS);
        Component {
            ends: Optional::new(is_short, || Ends::new(clocks)),
            difference: Reg::new(clocks, DIFFERENCE_BITS),
            size_log2: Reg::new(clocks, 4),
            is_negative: Reg::new(clocks, 1),
            is_large: Reg::new(clocks, 1),
            rounds: Reg::new(clocks, 1),
            shifted: Reg::new(clocks, SHIFTED_BITS),
            ones: Reg::new(clocks, 2),
            operand: Net::new(SIDE_BITS),
            rounded: Optional::new(is_short, || Reg::new(clocks, SIDE_BITS)),
            square: Multiplier::new(factor(), factor()),
        }
    }
}

impl Lod {
    /// The stage for a configuration with mipmaps.
    pub fn new(config: &Config) -> Lod {
        let clocks = Clocks::new();
        let in_item = item_layout(config);
        let lanes = lanes(config);
        let is_short = has_short_paths(config);
        let extra_steps = if is_short { EXTRA_STEPS } else { 0 };
        let latency = latency_steps(lanes, extra_steps);
        let lod_bits = fixed::LOD_BITS as usize;
        let levels = config.features().max_size_log2() as usize;
        let components = if lanes == 1 { 2 } else { 4 };
        Lod {
            advance: Net::bit(),
            in_valid: Net::bit(),
            in_item: Net::new(in_item.width()),
            quad: Net::new(QUAD_BITS),
            valid_pixels: Net::new(LANES_OF_QUAD),
            binding: BindingState::new(config, &BINDING_FIELDS),
            out_valid: Net::bit(),
            out_item: Net::new(in_item.width()),
            level: Net::new(lod_bits),
            waiting: Delay::flag(&clocks, latency),
            items: Delay::new(&clocks, latency, in_item.width()),
            components: (0..components).map(|_| Component::new(&clocks, is_short)).collect(),
            lengths: Reg::array(components / 2, &clocks, 2 * SIDE_BITS),
            length_bits: Reg::new(&clocks, levels),
            highest: Reg::new(&clocks, lod_bits),
            limits: Delay::new(&clocks, HIGHEST_STEPS + extra_steps, lod_bits),
            quad_level: Reg::new(&clocks, lod_bits),
            clocks,
            _item: in_item,
            _lanes: lanes,
            _levels: levels,
            _extra_steps: extra_steps,
        }
    }
}

/// Level of detail of each quad.
#[kernel]
impl Lod {
    fn logic(&self) {
        timing(latency_steps(self._lanes, self._extra_steps) as u32, 1);
        self.wait();
        for number in 0..self.components.len() {
            self.difference(number);
            self.footprint(number);
        }
        self.lengths();
        self.level();
    }

    fn wait(&self) {
        /// # Items
        self.waiting.take(self.in_valid.val(), self.advance.val());
        self.items.take(self.in_item.val(), self.advance.val());
        self.out_valid.next = self.waiting.last();
        self.out_item.next = self.items.last();
        self.level.next = self.quad_level.val();
    }

    /// One bit: the item that came so many steps ago has one of its own quad before it. It brings the column.
    fn is_behind(&self, steps: usize) -> Bits {
        self.waiting.after(steps + 1) && !self._item.get(self.items.after(steps + 1), "is_last")
    }

    fn difference(&self, number: usize) {
        /// # Differences along the row and the column
        let quad = self.quad.val();
        let [row, column] = ends(self.valid_pixels.val());
        let by_edge = |column: Bits, row: Bits| {
            if self._lanes > 1 {
                return if number > 1 { column } else { row };
            }
            if self.is_behind(0) { column } else { row }
        };
        let has_last = by_edge(column.has_last, row.has_last);
        let has_third = by_edge(column.has_third, row.has_third);
        let axis = number & 1;
        let pixel = |pixel: usize| quad.slice(64 * pixel + 32 * axis, 32);
        let outer = if has_last { pixel(3) } else { pixel(0) };
        let inner = if has_third { pixel(2) } else { pixel(1) };
        let size_log2 = self.binding.get([WidthLog2, HeightLog2][axis]);
        let component = &self.components[number];
        let (outer, inner, size_log2) = match component.ends.as_ref() {
            Some(ends) => {
                if self.advance.val() {
                    ends.outer.next = outer;
                    ends.inner.next = inner;
                    ends.size_log2.next = size_log2;
                }
                (ends.outer.val(), ends.inner.val(), ends.size_log2.val())
            }
            None => (outer, inner, size_log2),
        };
        if self.advance.val() {
            component.difference.next =
                outer.sign_extend(DIFFERENCE_BITS) - inner.sign_extend(DIFFERENCE_BITS);
            component.size_log2.next = size_log2;
        }
    }

    fn footprint(&self, number: usize) {
        /// # Footprint in texels, squared
        let component = &self.components[number];
        let (difference, size_log2) = (component.difference.val(), component.size_log2.val());
        let is_negative = difference.high(1);
        /// First by fours, then by ones. Bits of the size say what is left of the most places.
        let (fours, ones) = (size_log2.high(2), size_log2.low(2));
        let by_four =
            if fours == 1 { difference.slice(4, SHIFTED_BITS) } else { difference.slice(8, SHIFTED_BITS) };
        let shifted = if fours.bit(1) { difference.low(SHIFTED_BITS) } else { by_four };
        let differs = |from: Bits| (from ^ is_negative.repeat(from.width())).any();
        /// What is left above by the first shift, and by the second one.
        let above = |fours: usize| differs(difference.slice(SHIFTED_BITS + 4 * fours, 4));
        let is_above = differs(difference.slice(SHIFTED_BITS + 8, 5))
            || (fours.any() && above(1))
            || (fours.bit(1) && above(0));
        let upper = shifted.high(MOST_ONES) ^ is_negative.repeat(MOST_ONES);
        let stays = |place: usize| upper.bit(place) && ones >= (MOST_ONES - place) as u64;
        let is_large = is_above || stays(0) || stays(1) || stays(2);
        /// What is lost below by the first shift, and by the second one.
        let lost =
            (!fours.bit(1) && difference.low(4).any()) || (!fours.any() && difference.slice(4, 4).any());
        let goes = |place: usize| shifted.bit(place) && ones < (MOST_ONES - place) as u64;
        let loses = lost || goes(0) || goes(1) || goes(2);
        let side = component.shifted.val() >> !component.ones.val();
        discard(side.high(SHIFTED_BITS - LARGE_LOG2), "as above");
        let sign = component.is_negative.val();
        let side = cat(&[sign, sign ^ component.is_large.val(), side.low(LARGE_LOG2)]);
        component.operand.next = side + component.rounds.val().zero_extend(SIDE_BITS);
        component.square.clocks.follow(&self.clocks);
        component.square.enable.next = self.advance.val();
        let operand = match component.rounded.as_ref() {
            Some(rounded) => {
                if self.advance.val() {
                    rounded.next = component.operand.val();
                }
                rounded.val()
            }
            None => component.operand.val(),
        };
        component.square.a.next = operand;
        component.square.b.next = operand;
        if self.advance.val() {
            component.is_negative.next = is_negative;
            component.is_large.next = is_large;
            /// A length is rounded towards zero, but the shifts round down.
            component.rounds.next = is_negative && loses;
            component.shifted.next = shifted;
            component.ones.next = ones;
        }
    }

    fn lengths(&self) {
        /// # Squared lengths of the edges
        for (edge, length) in self.lengths.iter().enumerate() {
            let square = |axis: usize| self.components[2 * edge + axis].square.product.val();
            if self.advance.val() {
                length.next = square(0) + square(1);
            }
        }
    }

    fn level(&self) {
        /// # Level
        let longest = self.lengths.iter().fold(lit(2 * SIDE_BITS, 0u32), |all, length| all | length.val());
        let reaches = reached(longest, self._levels);
        let level =
            highest(self._levels, |level| self.length_bits.val().high(self._levels + 1 - level).any());
        let (level_reached, limit) = (self.highest.val(), self.limits.last());
        /// Without mipmaps the limit is level 0.
        let own_limit = self.binding.get(MaxLod) & self.binding.get(IsMipmapped).repeat(limit.width());
        self.limits.take(own_limit, self.advance.val());
        /// One pixel an item: the column adds to the row, and its level stays for all items of the quad.
        let is_serial = self._lanes == 1;
        let before = if is_serial {
            self.length_bits.val() & self.is_behind(LENGTH_STEPS + self._extra_steps).repeat(self._levels)
        } else {
            lit(self._levels, 0u32)
        };
        let is_known =
            if is_serial { self.is_behind(HIGHEST_STEPS + self._extra_steps) } else { lit(1, 1u32) };
        if self.advance.val() {
            self.length_bits.next = reaches | before;
            self.highest.next = level;
        }
        if self.advance.val() && is_known {
            self.quad_level.next = if level_reached > limit { limit } else { level_reached };
        }
    }
}
