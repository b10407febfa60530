//! A FIFO between two clocks.

use super::sync_fifo::fifo_memory;
use super::{DualClockRam, FifoFlush, RamStyle, ReadAhead, Synchroniser};
use crate::prelude::*;
use crate::value::Value;

/// Flip-flops of each synchroniser.
const STAGES: usize = 2;

/// A FIFO between two clocks of any ratio and phase.
///
/// `ready`, `valid` and `data` come from registers of their side, so that nothing combinational passes from one
/// side to the other. Items leave in order, each exactly once.
///
/// Latency: an item that is taken at a write edge can leave after 4 to 5 read clocks, 5 to 6 on block RAM.
/// II 1 on both sides for a depth of at least 16: then each side moves an item in every clock for as long as
/// the other side, if it is the slower one, moves one in each of its own. A smaller FIFO is limited by the round
/// trip of its pointers, about ten clocks.
///
/// Each side has a synchronous reset of its clock; both may be high at any time, in any order and for any time
/// from one clock up. The reset of one side empties both: from the edge that sees it, that side's `ready` or
/// `valid` is low, and the other side's as soon as it learns of it. Both stay low until both sides are empty,
/// some twenty clocks of the slower side. Items that were taken before the write side's `ready` fell are gone,
/// unless they had left; items that are taken after it has risen again all arrive. So does the FIFO start
/// after configuration, with or without reset. Both clocks must run for it.
#[derive(Debug, LogicBlock)]
pub struct AsyncFifo {
    /// The clock on which items come in, and its reset.
    pub write: Clocks,
    /// The clock on which they leave, and its reset.
    pub read: Clocks,
    /// Where items come in.
    pub input: StreamIn,
    /// Where they leave.
    pub output: StreamOut,
    /// High on the write side while a reset of either side empties the FIFO.
    pub write_stopped: Net<Out>,
    /// High on the read side while a reset of either side empties the FIFO.
    pub read_stopped: Net<Out>,
    /// Items in the memory as the write side knows it, two clocks late for those that come, more for those that
    /// leave.
    pub write_level: Optional<Net<Out>>,
    write_flush: FifoFlush,
    read_flush: FifoFlush,
    request_to_read: Synchroniser,
    request_to_write: Synchroniser,
    ack_to_read: Synchroniser,
    ack_to_write: Synchroniser,
    write_count: Reg,
    write_pointer: Reg,
    write_pointer_after: Reg,
    pointer_to_read: Synchroniser,
    read_count: Reg,
    read_pointer: Reg,
    read_pointer_after: Reg,
    pointer_to_write: Synchroniser,
    ready: Reg,
    ram: DualClockRam,
    read_ahead: ReadAhead,
    level: Optional<Reg>,
}

impl AsyncFifo {
    /// A FIFO in LUT RAM that holds `depth` items, a power of two of at least 4, of `width` bits.
    #[track_caller]
    pub fn new(depth: usize, width: usize) -> AsyncFifo {
        AsyncFifo::with_style(depth, width, RamStyle::Distributed)
    }

    /// A FIFO that keeps its items in a RAM of this style: LUT RAM or block RAM.
    #[track_caller]
    pub fn with_style(depth: usize, width: usize, style: RamStyle) -> AsyncFifo {
        assert!(depth >= 4 && depth.is_power_of_two(), "a FIFO holds 4, 8, 16 … items, not {depth}");
        let (write, read) = (Clocks::named("write"), Clocks::named("read"));
        let shape = fifo_memory(depth, width, style);
        // One bit more than an address tells a full memory from an empty one.
        let pointer_bits = shape.address_bits() + 1;
        AsyncFifo {
            input: StreamIn::new(width),
            output: StreamOut::new(width),
            write_flush: FifoFlush::new(),
            read_flush: FifoFlush::new(),
            request_to_read: Synchroniser::new(1, STAGES),
            request_to_write: Synchroniser::new(1, STAGES),
            ack_to_read: Synchroniser::new(1, STAGES),
            ack_to_write: Synchroniser::new(1, STAGES),
            write_count: Reg::new(&write, pointer_bits),
            write_pointer: Reg::new(&write, pointer_bits),
            write_pointer_after: Reg::new(&write, pointer_bits).init(Value::from_u128(pointer_bits, 1)),
            pointer_to_read: Synchroniser::new(pointer_bits, STAGES),
            read_count: Reg::new(&read, pointer_bits),
            read_pointer: Reg::new(&read, pointer_bits),
            read_pointer_after: Reg::new(&read, pointer_bits).init(Value::from_u128(pointer_bits, 1)),
            pointer_to_write: Synchroniser::new(pointer_bits, STAGES),
            ready: Reg::with_reset(&write, 1, 0),
            write_stopped: Net::bit(),
            read_stopped: Net::bit(),
            write_level: Optional::new(false, || Net::new(pointer_bits)),
            level: Optional::new(false, || Reg::new(&write, pointer_bits)),
            read_ahead: ReadAhead::new(shape.output_register),
            ram: DualClockRam::new(shape),
            write,
            read,
        }
    }

    /// The same FIFO with a count of its items on the write side, for writers that must not wait.
    pub fn with_write_level(mut self) -> AsyncFifo {
        let pointer_bits = self.write_count.width();
        self.write_level = Optional::new(true, || Net::new(pointer_bits));
        self.level = Optional::new(true, || Reg::new(&self.write, pointer_bits));
        self
    }

    /// Items that its memory holds.
    pub fn depth(&self) -> usize {
        1 << (self.write_count.width() - 1)
    }
}

/// The gray code of a count: neighbours differ in one bit.
#[kernel]
fn gray(count: Bits) -> Bits {
    count ^ (count >> 1)
}

/// The count behind a gray code: each bit is the parity of all from it upwards.
#[kernel]
fn binary(gray: Bits) -> Bits {
    let bits: Vec<Bits> = (0..gray.width()).rev().map(|bit| gray.high(gray.width() - bit).parity()).collect();
    cat(&bits)
}

/// FIFO between two clocks. Pointers cross in gray code; every output comes from a register.
#[kernel]
impl AsyncFifo {
    fn module_name(&self) -> String {
        let level = if self.level.is_some() { "_with_level" } else { "" };
        format!("async_fifo_{}x{}{level}", self.depth(), self.input.data.width())
    }

    fn logic(&self) {
        let pointer_bits = self.write_count.width();
        let address_bits = pointer_bits - 1;
        self.ram.write.follow(&self.write);
        self.ram.read.follow(&self.read);
        self.read_ahead.clocks.follow(&self.read);

        /// # Empty both sides when one is reset
        self.write_flush.clocks.follow(&self.write);
        self.read_flush.clocks.follow(&self.read);
        cross(&self.request_to_read, &self.read, self.write_flush.request.val());
        cross(&self.ack_to_read, &self.read, self.write_flush.ack.val());
        cross(&self.request_to_write, &self.write, self.read_flush.request.val());
        cross(&self.ack_to_write, &self.write, self.read_flush.ack.val());
        self.read_flush.other_request.next = self.request_to_read.data_out.val();
        self.read_flush.other_ack.next = self.ack_to_read.data_out.val();
        self.write_flush.other_request.next = self.request_to_write.data_out.val();
        self.write_flush.other_ack.next = self.ack_to_write.data_out.val();
        cross(&self.pointer_to_read, &self.read, self.write_pointer.val());
        cross(&self.pointer_to_write, &self.write, self.read_pointer.val());

        /// # Write side
        let taken = self.input.valid.val() & self.ready.val() & !self.write.reset();
        self.ram.write_enable.next = taken;
        self.ram.write_address.next = self.write_count.val().low(address_bits);
        self.ram.write_data.next = self.input.data.val();
        /// The pointer after this one stands ready, so that nothing has to be added up between the streams.
        if self.write_flush.clear.val() {
            self.write_count.next = 0;
            self.write_pointer.next = 0;
            self.write_pointer_after.next = 1;
        } else if taken {
            self.write_count.next = self.write_count.val() + 1;
            self.write_pointer.next = self.write_pointer_after.val();
            self.write_pointer_after.next = gray(self.write_count.val() + 2);
        }
        /// Full is the pointer of the other side one lap ahead: in gray code its two top bits inverted.
        let other = self.pointer_to_write.data_out.val();
        let lap_ahead = cat(&[!other.high(2), other.low(pointer_bits - 2)]);
        let is_full = self.write_pointer.val() == lap_ahead;
        let becomes_full = self.write_pointer_after.val() == lap_ahead;
        let full = if taken { becomes_full } else { is_full };
        self.ready.next = !full & !self.write_flush.stopped.val();
        self.input.ready.next = self.ready.val();
        self.write_stopped.next = self.write_flush.stopped.val();
        self.read_stopped.next = self.read_flush.stopped.val();
        if let (Some(write_level), Some(level)) = (self.write_level.as_ref(), self.level.as_ref()) {
            level.next = self.write_count.val() - binary(other);
            write_level.next = level.val();
        }

        /// # Read side
        let holds_items = self.pointer_to_read.data_out.val() != self.read_pointer.val();
        self.read_ahead.available.next = holds_items & !self.read_flush.stopped.val();
        self.read_ahead.clear.next = self.read_flush.stopped.val();
        self.read_ahead.ready.next = self.output.ready.val();
        let fetch = self.read_ahead.fetch.val();
        self.ram.read_enable.next = fetch;
        self.ram.read_address.next = self.read_count.val().low(address_bits);
        if let (Some(enable), Some(forward)) = (&*self.ram.output_enable, &*self.read_ahead.forward) {
            enable.next = forward.val();
        }
        if self.read_flush.clear.val() {
            self.read_count.next = 0;
            self.read_pointer.next = 0;
            self.read_pointer_after.next = 1;
        } else if fetch {
            self.read_count.next = self.read_count.val() + 1;
            self.read_pointer.next = self.read_pointer_after.val();
            self.read_pointer_after.next = gray(self.read_count.val() + 2);
        }
        self.output.valid.next = self.read_ahead.valid.val();
        self.output.data.next = self.ram.read_data.val();
    }
}

/// Feeds a synchroniser that receives on the clock of `to`.
#[kernel]
fn cross(synchroniser: &Synchroniser, to: &Clocks, value: Bits) {
    synchroniser.clocks.follow(to);
    synchroniser.data_in.next = value;
}
