//! `read_capture`: what a unit reads from memory, read by read, from the binding of a capture on until the memory is full.
//!
//! Only where all quads in front of the binding have been answered when it comes: otherwise nothing is captured, since nobody could tell
//! reads for them from those for what follows. What is asked for by `place` stands at `word` 3 clocks later. One RAM of 512 reads.

use super::request_capture::{CAPTURE_DEPTH, PLACE_BITS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle};

/// Bits of a read as it is shown: the line, above it the lines behind it.
pub(super) const READ_BITS: usize = 32;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct ReadCapture {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Forgets what was captured.
    pub start: Net<In>,
    /// The binding has come, a clock ago at least.
    pub bound: Net<In>,
    /// All quads that have gone into the unit have been answered.
    pub settled: Net<In>,
    /// The memory port takes a read.
    pub valid: Net<In>,
    /// Its first line, above it its lines less one, where reads have several.
    pub read: Net<In>,
    /// Reads that were captured.
    pub reads: Net<Out>,
    /// Which one.
    pub place: Net<In>,
    /// That one.
    pub word: Net<Out>,
    waits: Reg,
    captures: Reg,
    count: Reg,
    taken: Reg,
    taken_read: Reg,
    taken_place: Reg,
    ram: RamSimpleDualPort,
}

impl ReadCapture {
    /// For reads of so many bits.
    pub fn new(read_bits: usize) -> ReadCapture {
        assert!(read_bits <= READ_BITS, "a read of {read_bits} bits does not fit a register");
        let clocks = Clocks::new();
        let shape = RamShape::new(CAPTURE_DEPTH, read_bits).style(RamStyle::Block).output_register(true);
        ReadCapture {
            start: Net::bit(),
            bound: Net::bit(),
            settled: Net::bit(),
            valid: Net::bit(),
            read: Net::new(read_bits),
            reads: Net::new(PLACE_BITS + 1),
            place: Net::new(PLACE_BITS),
            word: Net::new(READ_BITS),
            waits: Reg::with_reset(&clocks, 1, 0),
            captures: Reg::with_reset(&clocks, 1, 0),
            count: Reg::with_reset(&clocks, PLACE_BITS + 1, 0),
            taken: Reg::with_reset(&clocks, 1, 0),
            taken_read: Reg::new(&clocks, read_bits),
            taken_place: Reg::new(&clocks, PLACE_BITS),
            ram: RamSimpleDualPort::new(shape),
            clocks,
        }
    }
}

/// Reads of a unit.
#[kernel]
impl ReadCapture {
    fn logic(&self) {
        /// # Capture
        let count = self.count.val();
        let takes = self.valid.val() && self.captures.val() && !count.high(1);
        if self.start.val() {
            self.waits.next = 1;
            self.captures.next = 0;
            self.count.next = 0;
        } else {
            if self.waits.val() && self.bound.val() {
                self.waits.next = 0;
                self.captures.next = self.settled.val();
            }
            if takes {
                self.count.next = count + 1;
            }
        }
        self.taken.next = takes && !self.start.val();
        self.taken_read.next = self.read.val();
        self.taken_place.next = count.low(PLACE_BITS);
        self.reads.next = count;
        let ram = &self.ram;
        ram.clocks.follow(&self.clocks);
        ram.write_enable.next = self.taken.val();
        ram.write_address.next = self.taken_place.val();
        ram.write_data.next = self.taken_read.val();
        /// # Show
        ram.read_enable.next = 1;
        ram.read_address.next = self.place.val();
        if let Some(enable) = ram.output_enable.as_ref() {
            enable.next = 1;
        }
        self.word.next = ram.read_data.val().zero_extend(READ_BITS);
    }
}
