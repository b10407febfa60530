//! `lod`: the level of detail of a quad.
//!
//! The footprint's two edges are measured component by component: u and v along the row, u and v along the
//! column go one after the other through one subtractor, one shifter and one squarer. The larger of the two
//! squared lengths is never formed: the highest bit set in either decides the level.
//!
//! Latency 11 clocks from an accepted quad to its level; 1 when the binding has no mipmaps. Initiation interval
//! 12. One multiplier of 17 x 17 bits, registered at operands, product and output.

use crate::datapath::bundles::BindingField::{HeightLog2, IsMipmapped, MaxLod, WidthLog2};
use crate::datapath::bundles::BindingState;
use crate::datapath::lod::level::{ends, highest, reached};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};
use tmu_spec::{Config, fixed};

/// Clocks from an accepted quad to its level.
pub const LATENCY_CLOCKS: usize = 11;

/// Levels that a footprint can ask for, besides level 0.
const LEVELS: usize = 12;

/// See the module's documentation. A configuration without mipmaps has none.
#[derive(LogicBlock)]
pub struct Lod {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Quads.
    pub input: StreamIn,
    /// The binding in force.
    pub binding: BindingState<In>,
    /// Quads, with the level above the valid bits.
    pub output: StreamOut,
    quad: Reg,
    busy: Reg,
    step: Reg,
    done: Reg,
    is_v: Reg,
    has_last: Reg,
    has_third: Reg,
    difference: Reg,
    magnitude: Reg,
    shift: Reg,
    fine_shift: Reg,
    square: Multiplier,
    operand: Net<Local>,
    square_before: Reg,
    row_length: Reg,
    length_bits: Reg,
    allowed: Reg,
    level: Reg,
}

impl Lod {
    /// The stage for a configuration with mipmaps.
    pub fn new(config: &Config) -> Lod {
        let clocks = Clocks::new();
        let footprint_bits = fixed::FOOTPRINT.bits() as usize;
        let length_bits = fixed::FOOTPRINT_SQUARED.bits() as usize;
        Lod {
            input: StreamIn::new(260),
            binding: BindingState::new(config, &[IsMipmapped, WidthLog2, HeightLog2, MaxLod]),
            output: StreamOut::new(260 + fixed::LOD_BITS as usize),
            quad: Reg::new(&clocks, 260),
            busy: Reg::with_reset(&clocks, 1, 0),
            step: Reg::with_reset(&clocks, LATENCY_CLOCKS - 1, 0),
            done: Reg::with_reset(&clocks, 1, 0),
            is_v: Reg::new(&clocks, 1),
            has_last: Reg::new(&clocks, 1),
            has_third: Reg::new(&clocks, 1),
            difference: Reg::new(&clocks, 33),
            magnitude: Reg::new(&clocks, fixed::COORDINATE_DELTA.bits() as usize),
            shift: Reg::new(&clocks, 4),
            fine_shift: Reg::new(&clocks, 2),
            square: Multiplier::new(Operand::unsigned(footprint_bits), Operand::unsigned(footprint_bits)),
            operand: Net::new(footprint_bits),
            square_before: Reg::new(&clocks, 2 * footprint_bits),
            row_length: Reg::new(&clocks, length_bits),
            length_bits: Reg::new(&clocks, LEVELS),
            allowed: Reg::new(&clocks, LEVELS),
            level: Reg::new(&clocks, fixed::LOD_BITS as usize),
            clocks,
        }
    }
}

/// Level of detail of a quad, one component after the other.
#[kernel]
impl Lod {
    fn logic(&self) {
        timing(LATENCY_CLOCKS as u32, LATENCY_CLOCKS as u32 + 1);
        self.handshake();
        self.difference();
        self.footprint();
        self.level();
    }

    fn handshake(&self) {
        /// # Handshake
        let accepts = self.input.valid.val() && !self.busy.val();
        let out_valid = self.done.val() && self.output.ready.val();
        self.input.ready.next = !self.busy.val();
        self.output.valid.next = self.done.val();
        self.output.data.next = cat(&[self.level.val(), self.quad.val()]);
        let mipmapped = self.binding.get(IsMipmapped);
        if accepts {
            self.busy.next = 1;
        } else if out_valid {
            self.busy.next = 0;
        }
        /// What comes without a quad does no harm: the next one takes its place.
        if !self.busy.val() {
            self.quad.next = self.input.data.val();
        }
        /// One bit walks through the steps of a quad.
        let start = accepts && mipmapped;
        self.step.next = cat(&[self.step.val().low(LATENCY_CLOCKS - 2), start]);
        if accepts {
            self.done.next = !mipmapped;
        } else {
            self.done.next = (self.done.val() && !out_valid) || self.step.val().high(1);
        }
    }

    fn difference(&self) {
        /// # Differences along the row and the column
        /// Which pixels are the ends is known a clock ahead, to keep the subtractor short.
        let quad = self.quad.val();
        let step = self.step.val();
        let valid = if self.busy.val() { quad.slice(256, 4) } else { self.input.data.val().slice(256, 4) };
        let [row, column] = ends(valid);
        let to_column = step.bit(1) || step.bit(2);
        self.is_v.next = step.bit(0) || step.bit(2);
        self.has_last.next = if to_column { column.has_last } else { row.has_last };
        self.has_third.next = if to_column { column.has_third } else { row.has_third };
        let pixel = |number: usize| {
            let (u, v) = (quad.slice(64 * number, 32), quad.slice(64 * number + 32, 32));
            if self.is_v.val() { v } else { u }
        };
        let outer = if self.has_last.val() { pixel(3) } else { pixel(0) };
        let inner = if self.has_third.val() { pixel(2) } else { pixel(1) };
        self.difference.next = outer.sign_extend(33) - inner.sign_extend(33);
    }

    fn footprint(&self) {
        /// # Footprint in texels, squared
        let difference = self.difference.val();
        let negative = difference.bit(32);
        let magnitude = (difference.low(32) ^ negative.repeat(32)) + negative.zero_extend(32);
        /// Texels, with 5 fraction bits: the difference times the size, 11 bits down; first by fours, then by ones.
        let is_v = self.is_v.val();
        let size_log2 = if is_v { self.binding.get(HeightLog2) } else { self.binding.get(WidthLog2) };
        self.shift.next = lit(4, 11u32) - size_log2;
        let fours = cat(&[self.shift.val().high(2), lit(2, 0u32)]);
        self.magnitude.next = magnitude >> fours;
        self.fine_shift.next = self.shift.val().low(2);
        let shifted = self.magnitude.val() >> self.fine_shift.val();
        let operand_bits = self.operand.width();
        /// Of the bits above the operand only the lowest three can be shifted into it.
        let saturates = self.magnitude.val().high(29 - operand_bits).any()
            || (self.magnitude.val().slice(operand_bits, 3) >> self.fine_shift.val()).any();
        discard(shifted.high(32 - operand_bits), "saturates");
        self.operand.next = shifted.low(operand_bits) | saturates.repeat(operand_bits);
        self.square.clocks.follow(&self.clocks);
        self.square.enable.next = 1;
        self.square.a.next = self.operand.val();
        self.square.b.next = self.operand.val();
        self.square_before.next = self.square.product.val();
    }

    fn level(&self) {
        /// # Level
        let length_bits = self.row_length.width();
        let length = self.square_before.val().zero_extend(length_bits)
            + self.square.product.val().zero_extend(length_bits);
        if self.step.val().bit(6) {
            self.row_length.next = length;
        }
        self.length_bits.next = reached(self.row_length.val() | length, LEVELS);
        /// The highest level reached and allowed.
        let max_lod = self.binding.get(MaxLod);
        let allowed: Vec<Bits> = (1..=LEVELS).rev().map(|level| max_lod >= level as u64).collect();
        self.allowed.next = cat(&allowed);
        let level = highest(LEVELS, |level| {
            self.length_bits.val().high(LEVELS + 1 - level).any() && self.allowed.val().bit(level - 1)
        });
        if self.step.val().high(1) {
            self.level.next = level;
        } else if !self.busy.val() {
            self.level.next = 0;
        }
    }
}
