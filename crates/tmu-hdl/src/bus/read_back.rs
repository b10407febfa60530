//! What a master has written, kept in block RAM so that it can be read back without a multiplexer of all registers.

use super::register_bank::{FieldAccess, RegisterRecord};
use super::register_port::{DATA_BITS, STROBES};
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitives::{RamShape, RamSimpleDualPort, RamStyle};

/// Bits of a byte lane.
const LANE_BITS: usize = DATA_BITS / STROBES;

/// Registers that only a master changes, read back from a copy in block RAM.
///
/// The copy knows nothing of a reset. So a flip-flop for each byte of a register says whether it has been written since: until then
/// the byte reads as its reset value. Bits that no field has read 0.
///
/// Latency 1 clock from an address to what stands there.
#[derive(Debug, LogicBlock)]
pub(super) struct ReadBack {
    /// The clock.
    pub(super) clocks: Clocks,
    /// A register's number.
    pub(super) address: Net<In>,
    /// Which of the registers it is: one bit at most, a clock later.
    pub(super) selected: Net<In>,
    /// Bytes that are written, when `selected` is there.
    pub(super) writes: Net<In>,
    /// What is written.
    pub(super) write_data: Net<In>,
    /// What the selected register reads; 0 where none is.
    pub(super) read_data: Net<Out>,
    copy: RamSimpleDualPort,
    /// The number that `selected` says, where it is one of the copy.
    number: Reg,
    is_here: Reg,
    /// For each register, bytes that have been written.
    written: Vec<Reg>,
    /// Bytes that have been written of the register that was read from the copy.
    is_written: Reg,
    _records: Vec<RegisterRecord>,
}

/// Whether a register is one that only a master changes.
pub(super) fn is_settings(record: &RegisterRecord) -> bool {
    !record.fields.is_empty() && record.fields.iter().all(|field| field.access == FieldAccess::ReadWrite)
}

/// What a register's bit is after a reset, where it has one.
fn reset_of(record: &RegisterRecord, bit: usize) -> Option<bool> {
    let field = record.fields.iter().find(|f| (f.low_bit..f.low_bit + f.width_bits).contains(&bit))?;
    Some(field.reset >> (bit - field.low_bit) & 1 == 1)
}

/// Bytes of a register, up to the last one with a field.
fn lanes_of(record: &RegisterRecord) -> usize {
    let ends = record.fields.iter().map(|field| field.low_bit + field.width_bits);
    ends.max().unwrap_or_default().div_ceil(LANE_BITS)
}

/// One of a power of two.
#[kernel]
fn select(from: &[Bits], number: Bits) -> Bits {
    match from {
        [one] => *one,
        _ => {
            let (low, high) = from.split_at(from.len() / 2);
            let bit = from.len().ilog2() as usize - 1;
            if number.bit(bit) { select(high, number) } else { select(low, number) }
        }
    }
}

/// One bit: any of them.
#[kernel]
fn any(bits: &[Bits]) -> Bits {
    bits.iter().fold(lit(1, 0), |any, bit| any | *bit)
}

impl ReadBack {
    /// For these registers, whose numbers have so many bits among addresses of `address_bits`.
    pub(super) fn new(address_bits: usize, number_bits: usize, records: Vec<RegisterRecord>) -> ReadBack {
        let clocks = Clocks::new();
        let shape = RamShape::new(1 << number_bits, DATA_BITS).style(RamStyle::Block).lanes(LANE_BITS);
        ReadBack {
            address: Net::new(address_bits),
            selected: Net::new(records.len()),
            writes: Net::new(STROBES),
            write_data: Net::new(DATA_BITS),
            read_data: Net::new(DATA_BITS),
            copy: RamSimpleDualPort::new(shape),
            number: Reg::new(&clocks, number_bits),
            is_here: Reg::new(&clocks, 1),
            written: records.iter().map(|record| Reg::with_reset(&clocks, lanes_of(record), 0)).collect(),
            is_written: Reg::new(&clocks, STROBES),
            clocks,
            _records: records,
        }
    }

    /// The bits for a byte of all numbers, of which `found` makes that of a register that has the byte.
    fn of_numbers(&self, lane: usize, found: impl Fn(&Reg) -> Bits) -> Vec<Bits> {
        let mut bits = vec![lit(1, 0); 1 << self.copy.read_address.width()];
        for (record, written) in self._records.iter().zip(&self.written) {
            if lane < written.width() {
                bits[record.number()] = found(written);
            }
        }
        bits
    }
}

/// What a master has written.
#[kernel]
impl ReadBack {
    fn module_name(&self) -> String {
        format!("read_back_{}", self._records.len())
    }

    fn logic(&self) {
        timing(1, 1);
        /// # Copy
        let (copy, address, writes) = (&self.copy, self.address.val(), self.writes.val());
        let number = address.low(copy.read_address.width());
        let others = address.width() - number.width();
        let is_here = if others > 0 { !address.high(others).any() } else { lit(1, 1) };
        copy.clocks.follow(&self.clocks);
        self.number.next = number;
        self.is_here.next = is_here;
        copy.write_enable.next = writes & self.is_here.val().repeat(STROBES);
        copy.write_address.next = self.number.val();
        copy.write_data.next = self.write_data.val();
        /// Nothing is read of what is being written.
        let reads = !writes.any();
        copy.read_enable.next = reads;
        copy.read_address.next = number;
        /// # Bytes that have been written
        for (register, written) in self.written.iter().enumerate() {
            let selected = self.selected.val().bit(register);
            written.next = written.val() | (writes.low(written.width()) & selected.repeat(written.width()));
        }
        let is_written = |lane: usize| {
            let written = self.of_numbers(lane, |written| written.val().bit(lane));
            is_here & select(&written, number)
        };
        let is_written = stack((0..STROBES).map(is_written));
        if reads {
            self.is_written.next = is_written;
        }
        /// # Answer
        self.read_data.next = stack((0..DATA_BITS).map(|bit| self.bit(bit)));
    }

    /// A bit of the answer: what was written, otherwise the reset value.
    fn bit(&self, bit: usize) -> Bits {
        let lane = bit / LANE_BITS;
        let (mut has_none, mut resets) = (vec![], vec![]);
        for (register, record) in self._records.iter().enumerate() {
            let selected = self.selected.val().bit(register);
            match reset_of(record, bit) {
                Some(true) => resets.push(selected),
                Some(false) => (),
                None if lane < lanes_of(record) => has_none.push(selected),
                None => (),
            }
        }
        let is_written = self.is_written.val().bit(lane) & !any(&has_none);
        if is_written { self.copy.read_data.val().bit(bit) } else { any(&resets) }
    }
}
