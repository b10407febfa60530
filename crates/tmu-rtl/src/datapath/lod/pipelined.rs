//! `lod`: the level of detail of each quad.
//!
//! A component of one of a quad's two edges goes through a subtractor, a shifter and a squarer. Where the four pixels
//! of a quad pass by one after the other, so do its four components; where they come together, each component has a
//! path of its own. The larger of the two squared lengths is never formed: the highest bit set in either decides. The
//! pixels wait beside it and leave with their level.
//!
//! Latency 12 steps and one multiplier of 17 x 17 bits with one pixel an item, 10 steps and four multipliers with four.
//! Initiation interval one quad. Multipliers are registered at operands, product and output.

use crate::datapath::bundles::BindingField::{self, HeightLog2, IsMipmapped, MaxLod, WidthLog2};
use crate::datapath::bundles::{BindingState, Layout};
use crate::datapath::delay::Delay;
use crate::datapath::words::{LANES_OF_QUAD, QUAD_BITS, item_layout, items_of_quad, lanes};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};
use tmu_spec::{Config, fixed};

/// Items from a pixel to the same pixel with its level.
const fn latency_steps(lanes: usize) -> usize {
    if lanes == 1 { 12 } else { 10 }
}

/// What the stage needs of a binding.
pub const BINDING_FIELDS: [BindingField; 4] = [IsMipmapped, WidthLog2, HeightLog2, MaxLod];

/// Bits of a footprint's side.
const FOOTPRINT_BITS: usize = fixed::FOOTPRINT.bits() as usize;

/// Places that a difference is shifted down at most: texels, with 5 fraction bits, are the difference times the size, so many
/// places down.
const MOST_SHIFT: usize = 11;

/// Levels that a footprint can ask for, besides level 0.
const LEVELS: usize = 12;

/// Items from a quad's first pixel to the squared length of its row, where its pixels come one after the other.
const ROW_STEPS: usize = 7;
/// Items from a quad's first pixel to the highest level reached, where its pixels come one after the other.
const HIGHEST_STEPS: usize = 11;

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
    step: Optional<Reg>,
    square_before: Optional<Reg>,
    row_length: Reg,
    column_length: Optional<Reg>,
    length_bits: Reg,
    highest: Reg,
    limits: Delay,
    quad_level: Reg,
    _item: Layout,
    _lanes: usize,
}

/// From the ends of an edge to the square of what lies between them in texels, along one axis.
#[derive(Bundle)]
struct Component {
    difference: Reg,
    shift: Delay,
    shift_is_below: Delay,
    length: Reg,
    magnitude: Reg,
    fine_shift: Reg,
    operand: Net<Local>,
    square: Multiplier,
}

impl Component {
    fn new(clocks: &Clocks) -> Component {
        let bits = FOOTPRINT_BITS;
        Component {
            difference: Reg::new(clocks, 33),
            shift: Delay::new(clocks, 2, 4),
            shift_is_below: Delay::new(clocks, 2, MOST_SHIFT),
            length: Reg::new(clocks, 32),
            magnitude: Reg::new(clocks, FOOTPRINT_BITS + 3),
            fine_shift: Reg::new(clocks, 2),
            operand: Net::new(bits),
            square: Multiplier::new(Operand::unsigned(bits), Operand::unsigned(bits)),
        }
    }
}

impl Lod {
    /// The stage for a configuration with mipmaps.
    pub fn new(config: &Config) -> Lod {
        let clocks = Clocks::new();
        let in_item = item_layout(config);
        let lanes = lanes(config);
        let latency = latency_steps(lanes);
        let is_serial = lanes == 1;
        let lod_bits = fixed::LOD_BITS as usize;
        let length = || Reg::new(&clocks, fixed::FOOTPRINT_SQUARED.bits() as usize);
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
            components: (0..lanes).map(|_| Component::new(&clocks)).collect(),
            step: Optional::new(is_serial, || Reg::with_reset(&clocks, HIGHEST_STEPS, 0)),
            square_before: Optional::new(is_serial, || {
                Reg::new(&clocks, 2 * fixed::FOOTPRINT.bits() as usize)
            }),
            row_length: length(),
            column_length: Optional::new(!is_serial, length),
            length_bits: Reg::new(&clocks, LEVELS),
            highest: Reg::new(&clocks, lod_bits),
            limits: Delay::new(&clocks, latency - 1, lod_bits),
            quad_level: Reg::new(&clocks, lod_bits),
            clocks,
            _item: in_item,
            _lanes: lanes,
        }
    }
}

/// Level of detail of each quad.
#[kernel]
impl Lod {
    fn logic(&self) {
        timing(latency_steps(self._lanes) as u32, items_of_quad(self._lanes) as u32);
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
        if let Some(step) = self.step.as_ref() {
            let starts = self.in_valid.val() && !self._item.get(self.in_item.val(), "pixel").any();
            if self.advance.val() {
                /// One bit walks along with a quad's first pixel.
                step.next = cat(&[step.val().low(HIGHEST_STEPS - 1), starts]);
            }
        } else {
            discard(self.in_valid.val(), "what is not there has a level too, which nobody reads");
        }
        self.out_valid.next = self.waiting.last();
        self.out_item.next = self.items.last();
        self.level.next = self.quad_level.val();
    }

    /// The one or the other, by a bit of the component's number: {along the column, of v}.
    fn by(&self, number: usize, bit: usize, one: Bits, zero: Bits) -> Bits {
        if self._lanes > 1 {
            return if number >> bit & 1 == 1 { one } else { zero };
        }
        if self._item.get(self.in_item.val(), "pixel").bit(bit) { one } else { zero }
    }

    fn difference(&self, number: usize) {
        /// # Differences along the row and the column
        /// Only the length of an edge counts, so one of its ends may always be the first or the last pixel and the
        /// other one the second or the third.
        let quad = self.quad.val();
        let valid = self.valid_pixels.val();
        discard(valid.bit(0), "the first pixel is the far end of neither edge");
        let lower_row = valid.bit(2) && valid.bit(3);
        let right_column = valid.bit(1) && valid.bit(3);
        let has_last = self.by(number, 1, right_column, lower_row);
        let has_third = self.by(number, 1, !right_column, lower_row);
        let pixel =
            |pixel: usize| self.by(number, 0, quad.slice(64 * pixel + 32, 32), quad.slice(64 * pixel, 32));
        let outer = if has_last { pixel(3) } else { pixel(0) };
        let inner = if has_third { pixel(2) } else { pixel(1) };
        let size_log2 = self.by(number, 0, self.binding.get(HeightLog2), self.binding.get(WidthLog2));
        let below: Vec<Bits> = (0..MOST_SHIFT as u64).map(|size| size_log2 > size).collect();
        let component = &self.components[number];
        if self.advance.val() {
            component.difference.next = outer.sign_extend(33) - inner.sign_extend(33);
        }
        component.shift.take(lit(4, MOST_SHIFT as u32) - size_log2, self.advance.val());
        component.shift_is_below.take(cat(&below), self.advance.val());
    }

    fn footprint(&self, number: usize) {
        /// # Footprint in texels, squared
        let component = &self.components[number];
        let difference = component.difference.val();
        let negative = difference.bit(32);
        let magnitude = component.length.val();
        /// First by fours, then by ones.
        let shift = component.shift.last();
        let fours = cat(&[shift.high(2), lit(2, 0u32)]);
        let shifted = magnitude >> fours;
        discard(shifted.high(32 - component.magnitude.width()), "these bits saturate");
        /// A bit that both shifts leave above the operand makes it saturate: all bits are set between the shifts.
        let is_above = |bit: usize| {
            let least = bit - FOOTPRINT_BITS + 1;
            let stays = if least <= MOST_SHIFT {
                component.shift_is_below.last().bit(least - 1)
            } else {
                lit(1, 1u32)
            };
            magnitude.bit(bit) && stays
        };
        let saturates = (FOOTPRINT_BITS..32).fold(lit(1, 0u32), |any, bit| any || is_above(bit));
        let operand = component.magnitude.val() >> component.fine_shift.val();
        discard(operand.high(operand.width() - FOOTPRINT_BITS), "as above");
        component.operand.next = operand.low(FOOTPRINT_BITS);
        component.square.clocks.follow(&self.clocks);
        component.square.enable.next = self.advance.val();
        component.square.a.next = component.operand.val();
        component.square.b.next = component.operand.val();
        if self.advance.val() {
            component.length.next = (difference.low(32) ^ negative.repeat(32)) + negative.zero_extend(32);
            component.magnitude.next = if saturates {
                lit(1, 1u32).repeat(component.magnitude.width())
            } else {
                shifted.low(component.magnitude.width())
            };
            component.fine_shift.next = shift.low(2);
        }
    }

    fn lengths(&self) {
        /// # Squared lengths of the edges
        let length_bits = self.row_length.width();
        let square = |number: usize| self.components[number].square.product.val().zero_extend(length_bits);
        let advance = self.advance.val();
        if let Some(column_length) = self.column_length.as_ref() {
            if advance {
                self.row_length.next = square(0) + square(1);
                column_length.next = square(2) + square(3);
            }
            return;
        }
        let (Some(square_before), Some(step)) = (self.square_before.as_ref(), self.step.as_ref()) else {
            unreachable!("one pixel a slot");
        };
        if advance {
            square_before.next = self.components[0].square.product.val();
        }
        if advance && step.val().bit(ROW_STEPS - 1) {
            self.row_length.next = self.last_length();
        }
    }

    /// The squared length of the column.
    fn last_length(&self) -> Bits {
        if let Some(column_length) = self.column_length.as_ref() {
            return column_length.val();
        }
        let Some(square_before) = self.square_before.as_ref() else { unreachable!("one pixel a slot") };
        let length_bits = self.row_length.width();
        square_before.val().zero_extend(length_bits)
            + self.components[0].square.product.val().zero_extend(length_bits)
    }

    fn level(&self) {
        /// # Level
        /// The level rises with every second bit of the squared length, from bit 11 up.
        let longest = self.row_length.val() | self.last_length();
        let reaches: Vec<Bits> =
            (1..=LEVELS).rev().map(|level| longest.slice(2 * level + 9, 2).any()).collect();
        discard(longest.low(11), "lengths below one and a half texels are level 0");
        /// The highest level reached: each bit of its number counts the steps that toggle it.
        let at_least = |level: usize| {
            if level > LEVELS { lit(1, 0u32) } else { self.length_bits.val().high(LEVELS + 1 - level).any() }
        };
        let bit = |weight: usize| {
            let steps = (1..=LEVELS / weight).filter(|step| step % 2 == 1);
            let spans = steps.map(|step| at_least(step * weight) && !at_least((step + 1) * weight));
            spans.fold(lit(1, 0u32), |any, quad_scheduler| any || quad_scheduler)
        };
        let (highest, limit) = (self.highest.val(), self.limits.last());
        /// Without mipmaps the limit is level 0.
        let own_limit = self.binding.get(MaxLod) & self.binding.get(IsMipmapped).repeat(limit.width());
        self.limits.take(own_limit, self.advance.val());
        let is_there =
            self.step.as_ref().map_or_else(|| lit(1, 1u32), |step| step.val().bit(HIGHEST_STEPS - 1));
        if self.advance.val() {
            self.length_bits.next = cat(&reaches);
            self.highest.next = cat(&[bit(8), bit(4), bit(2), bit(1)]);
        }
        if self.advance.val() && is_there {
            self.quad_level.next = if highest > limit { limit } else { highest };
        }
    }
}
