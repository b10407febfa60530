//! `lod`: the level of detail of each quad.
//!
//! While the four pixels of a quad pass by, the four components of its two edges go one after the other through
//! one subtractor, one shifter and one squarer. The larger of the two squared lengths is never formed: the
//! highest bit set in either decides. The pixels wait beside it and leave with their level.
//!
//! Latency 11 slots. Initiation interval 4 slots a quad. One multiplier of 17 x 17 bits, registered at operands,
//! product and output.

use super::delay::Delay;
use super::words::{QUAD_BITS, SLOTS, slot_layout};
use crate::bundles::BindingField::{self, HeightLog2, IsMipmapped, MaxLod, WidthLog2};
use crate::bundles::{BindingState, Layout};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};
use tmu_spec::{Config, fixed};

/// Slots from a pixel to the same pixel with its level.
pub const LATENCY_SLOTS: usize = 11;

/// What the stage needs of a binding.
pub const BINDING_FIELDS: [BindingField; 4] = [IsMipmapped, WidthLog2, HeightLog2, MaxLod];

/// Levels that a footprint can ask for, besides level 0.
const LEVELS: usize = 12;

/// Slots from a quad's first pixel to the squared length of its row.
const ROW_SLOTS: usize = 6;
/// Slots from a quad's first pixel to the highest level reached.
const HIGHEST_SLOTS: usize = 10;

/// See the module's documentation. A configuration without mipmaps has none.
#[derive(LogicBlock)]
pub struct Lod {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All slots move on at the next edge.
    pub advance: Net<In>,
    /// There is something in the slot.
    pub active: Net<In>,
    /// The slot, see [`slot_layout`].
    pub slot: Net<In>,
    /// The quad that the slot belongs to.
    pub quad: Net<In>,
    /// Its valid bits.
    pub valid_pixels: Net<In>,
    /// Its binding.
    pub binding: BindingState<In>,
    /// There is something in the slot that leaves.
    pub leaves: Net<Out>,
    /// The slot that leaves.
    pub left: Net<Out>,
    /// The level of its quad.
    pub level: Net<Out>,
    waiting: Delay,
    slots: Delay,
    step: Reg,
    difference: Reg,
    shift: Reg,
    magnitude: Reg,
    fine_shift: Reg,
    operand: Net<Local>,
    square: Multiplier,
    square_before: Reg,
    row_length: Reg,
    length_bits: Reg,
    highest: Reg,
    limits: Delay,
    quad_level: Reg,
    _slot: Layout,
}

impl Lod {
    /// The stage for a configuration with mipmaps.
    pub fn new(config: &Config) -> Lod {
        let clocks = Clocks::new();
        let slot = slot_layout();
        let footprint_bits = fixed::FOOTPRINT.bits() as usize;
        let lod_bits = fixed::LOD_BITS as usize;
        Lod {
            advance: Net::bit(),
            active: Net::bit(),
            slot: Net::new(slot.width()),
            quad: Net::new(QUAD_BITS),
            valid_pixels: Net::new(4),
            binding: BindingState::new(config, &BINDING_FIELDS),
            leaves: Net::bit(),
            left: Net::new(slot.width()),
            level: Net::new(lod_bits),
            waiting: Delay::flag(&clocks, LATENCY_SLOTS),
            slots: Delay::new(&clocks, LATENCY_SLOTS, slot.width()),
            step: Reg::new(&clocks, HIGHEST_SLOTS),
            difference: Reg::new(&clocks, 33),
            shift: Reg::new(&clocks, 4),
            magnitude: Reg::new(&clocks, fixed::COORDINATE_DELTA.bits() as usize),
            fine_shift: Reg::new(&clocks, 2),
            operand: Net::new(footprint_bits),
            square: Multiplier::new(Operand::unsigned(footprint_bits), Operand::unsigned(footprint_bits)),
            square_before: Reg::new(&clocks, 2 * footprint_bits),
            row_length: Reg::new(&clocks, fixed::FOOTPRINT_SQUARED.bits() as usize),
            length_bits: Reg::new(&clocks, LEVELS),
            highest: Reg::new(&clocks, lod_bits),
            limits: Delay::new(&clocks, HIGHEST_SLOTS, lod_bits),
            quad_level: Reg::new(&clocks, lod_bits),
            clocks,
            _slot: slot,
        }
    }
}

/// Level of detail of each quad, one component after the other.
#[kernel]
impl Lod {
    fn logic(&self) {
        timing(LATENCY_SLOTS as u32, SLOTS as u32);
        self.wait();
        self.difference();
        self.footprint();
        self.level();
    }

    fn wait(&self) {
        /// # Slots
        let number = self._slot.get(self.slot.val(), "number");
        let starts = self.active.val() && !number.any();
        self.waiting.take(self.active.val(), self.advance.val());
        self.slots.take(self.slot.val(), self.advance.val());
        if self.advance.val() {
            /// One bit walks along with a quad's first pixel.
            self.step.next = cat(&[self.step.val().low(HIGHEST_SLOTS - 1), starts]);
        }
        self.leaves.next = self.waiting.last();
        self.left.next = self.slots.last();
        self.level.next = self.quad_level.val();
    }

    fn difference(&self) {
        /// # Differences along the row and the column
        /// Only the length of an edge counts, so one of its ends may always be the first or the last pixel and the
        /// other one the second or the third.
        let quad = self.quad.val();
        let valid = self.valid_pixels.val();
        discard(valid.bit(0), "the first pixel is the far end of neither edge");
        let lower_row = valid.bit(2) && valid.bit(3);
        let right_column = valid.bit(1) && valid.bit(3);
        let component = self._slot.get(self.slot.val(), "number");
        let (is_v, is_column) = (component.bit(0), component.bit(1));
        let has_last = if is_column { right_column } else { lower_row };
        let has_third = if is_column { !right_column } else { lower_row };
        let pixel = |number: usize| {
            let (u, v) = (quad.slice(64 * number, 32), quad.slice(64 * number + 32, 32));
            if is_v { v } else { u }
        };
        let outer = if has_last { pixel(3) } else { pixel(0) };
        let inner = if has_third { pixel(2) } else { pixel(1) };
        /// Texels, with 5 fraction bits, are the difference times the size, 11 bits down.
        let size_log2 = if is_v { self.binding.get(HeightLog2) } else { self.binding.get(WidthLog2) };
        if self.advance.val() {
            self.difference.next = outer.sign_extend(33) - inner.sign_extend(33);
            self.shift.next = lit(4, 11u32) - size_log2;
        }
    }

    fn footprint(&self) {
        /// # Footprint in texels, squared
        let difference = self.difference.val();
        let negative = difference.bit(32);
        let magnitude = (difference.low(32) ^ negative.repeat(32)) + negative.zero_extend(32);
        /// First by fours, then by ones.
        let fours = cat(&[self.shift.val().high(2), lit(2, 0u32)]);
        let shifted = self.magnitude.val() >> self.fine_shift.val();
        let operand_bits = self.operand.width();
        let saturates = shifted.high(32 - operand_bits).any();
        self.operand.next = shifted.low(operand_bits) | saturates.repeat(operand_bits);
        self.square.clocks.follow(&self.clocks);
        self.square.enable.next = self.advance.val();
        self.square.a.next = self.operand.val();
        self.square.b.next = self.operand.val();
        if self.advance.val() {
            self.magnitude.next = magnitude >> fours;
            self.fine_shift.next = self.shift.val().low(2);
            self.square_before.next = self.square.product.val();
        }
    }

    fn level(&self) {
        /// # Level
        let length_bits = self.row_length.width();
        let length = self.square_before.val().zero_extend(length_bits)
            + self.square.product.val().zero_extend(length_bits);
        /// The level rises with every second bit of the squared length, from bit 11 up.
        let longest = self.row_length.val() | length;
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
            spans.fold(lit(1, 0u32), |any, span| any || span)
        };
        let (highest, limit) = (self.highest.val(), self.limits.last());
        /// Without mipmaps the limit is level 0.
        let own_limit = self.binding.get(MaxLod) & self.binding.get(IsMipmapped).repeat(limit.width());
        self.limits.take(own_limit, self.advance.val());
        if self.advance.val() {
            if self.step.val().bit(ROW_SLOTS - 1) {
                self.row_length.next = length;
            }
            self.length_bits.next = cat(&reaches);
            self.highest.next = cat(&[bit(8), bit(4), bit(2), bit(1)]);
            if self.step.val().bit(HIGHEST_SLOTS - 1) {
                self.quad_level.next = if highest > limit { limit } else { highest };
            }
        }
    }
}
