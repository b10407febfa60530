//! A FIFO between two clocks.

use super::gray_pointer::{half_number_of, number_of_half};
use super::sync_fifo::fifo_memory;
use super::{DualClockRam, FifoFlush, GrayPointer, RamStyle, ReadAhead, Synchroniser};
use crate::prelude::*;

/// Flip-flops of each synchroniser.
const STAGES: usize = 2;

/// Why the bits of the flush handshake may meet each other and the pointers.
const HANDSHAKE_IS_PROVED: &str = "the four-phase handshake acts on no two of its bits as on one value; the FIFO is proved \
    and simulated with bits that arrive a clock apart";

/// A FIFO between two clocks of any ratio and phase.
///
/// `ready`, `valid` and `data` come from registers of their side, so that nothing combinational passes from one
/// side to the other. Items leave in order, each exactly once.
///
/// Latency: an item that is taken at a write edge can leave after 5 to 6 read clocks, 6 to 7 on block RAM.
/// II 1 on both sides for a depth of at least 16: then each side moves an item in every clock for as long as
/// the other side, if it is the slower one, moves one in each of its own. A smaller FIFO is limited by the round
/// trip of its pointers, about ten clocks.
///
/// Each side has a synchronous reset of its clock; both may be high at any time, in any order and for any time
/// from one clock up. The reset of one side empties both: from the edge that sees it, that side's `ready` or
/// `valid` is low, and the other side's as soon as it learns of it. Both are open again, and empty, at most
/// 24 clocks of the slower side after the last reset. Items that were taken before the write side's `ready`
/// fell are gone, unless they had left; items that are taken after it has risen again all arrive. So does the
/// FIFO start after configuration, with or without reset. Both clocks must run for it.
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
    write_pointer: GrayPointer,
    pointer_to_read: Synchroniser,
    read_pointer: GrayPointer,
    pointer_to_write: Synchroniser,
    ready: Reg,
    holds_items: Reg,
    holds_more: Reg,
    fetched: Reg,
    ram: DualClockRam,
    read_ahead: ReadAhead,
    level: Optional<Level>,
}

/// What counts the items on the write side.
#[derive(Debug, Bundle)]
struct Level {
    /// The pointer of the read side, half way from gray code to a number.
    read: Reg,
    items: Reg,
}

impl Level {
    fn new(write: &Clocks, pointer_bits: usize) -> Level {
        Level { read: Reg::new(write, pointer_bits), items: Reg::new(write, pointer_bits) }
    }
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
        let address_bits = shape.address_bits();
        let pointer_bits = address_bits + 1;
        AsyncFifo {
            input: StreamIn::new(width),
            output: StreamOut::new(width),
            write_flush: FifoFlush::new(),
            read_flush: FifoFlush::new(),
            request_to_read: Synchroniser::new(1, STAGES),
            request_to_write: Synchroniser::new(1, STAGES),
            ack_to_read: Synchroniser::new(1, STAGES),
            ack_to_write: Synchroniser::new(1, STAGES),
            write_pointer: GrayPointer::new(address_bits, false),
            pointer_to_read: Synchroniser::new(pointer_bits, STAGES),
            read_pointer: GrayPointer::new(address_bits, false),
            pointer_to_write: Synchroniser::new(pointer_bits, STAGES),
            holds_items: Reg::with_reset(&read, 1, 0),
            holds_more: Reg::with_reset(&read, 1, 0),
            fetched: Reg::with_reset(&read, 1, 0),
            ready: Reg::with_reset(&write, 1, 0),
            write_stopped: Net::bit(),
            read_stopped: Net::bit(),
            write_level: Optional::new(false, || Net::new(pointer_bits)),
            level: Optional::new(false, || Level::new(&write, pointer_bits)),
            read_ahead: ReadAhead::new(shape.output_register),
            ram: DualClockRam::new(shape),
            write,
            read,
        }
    }

    /// The same FIFO with a count of its items on the write side, for writers that must not wait.
    pub fn with_write_level(mut self) -> AsyncFifo {
        let address_bits = self.write_pointer.address.width();
        self.write_pointer = GrayPointer::new(address_bits, true);
        self.write_level = Optional::new(true, || Net::new(address_bits + 1));
        self.level = Optional::new(true, || Level::new(&self.write, address_bits + 1));
        self
    }

    /// Read clocks from the edge that takes an item to the edge that can hand it on, when the FIFO is empty; one
    /// more where a synchroniser sees the pointer late.
    pub fn latency_clocks(&self) -> u32 {
        STAGES as u32 + 3 + u32::from(self.read_ahead.forward.is_some())
    }

    /// Items that its memory holds.
    pub fn depth(&self) -> usize {
        1 << self.write_pointer.address.width()
    }
}

/// FIFO between two clocks. Pointers cross in gray code; every output comes from a register.
#[kernel]
impl AsyncFifo {
    fn module_name(&self) -> String {
        let level = if self.level.is_some() { "_with_level" } else { "" };
        format!("async_fifo_{}x{}{level}", self.depth(), self.input.data.width())
    }

    fn logic(&self) {
        self.write_flush.clocks.follow(&self.write);
        self.write_pointer.clocks.follow(&self.write);
        self.ram.write.follow(&self.write);
        self.read_flush.clocks.follow(&self.read);
        self.read_pointer.clocks.follow(&self.read);
        self.ram.read.follow(&self.read);
        self.read_ahead.clocks.follow(&self.read);

        /// # Between the clocks
        cross(&self.request_to_read, &self.read, self.write_flush.request.val());
        cross(&self.ack_to_read, &self.read, self.write_flush.ack.val());
        cross(&self.pointer_to_read, &self.read, self.write_pointer.pointer.val());
        cross(&self.request_to_write, &self.write, self.read_flush.request.val());
        cross(&self.ack_to_write, &self.write, self.read_flush.ack.val());
        cross(&self.pointer_to_write, &self.write, self.read_pointer.pointer.val());
        let handshake =
            [&self.request_to_read, &self.ack_to_read, &self.request_to_write, &self.ack_to_write];
        for part in handshake {
            crossing_waiver(&part.data_out, CrossingRule::Reconvergence, HANDSHAKE_IS_PROVED);
        }
        self.write_flush.other_request.next = self.request_to_write.data_out.val();
        self.write_flush.other_ack.next = self.ack_to_write.data_out.val();
        self.read_flush.other_request.next = self.request_to_read.data_out.val();
        self.read_flush.other_ack.next = self.ack_to_read.data_out.val();
        self.write_stopped.next = self.write_flush.stopped.val();
        self.read_stopped.next = self.read_flush.stopped.val();

        /// # Write side
        let taken = self.input.valid.val() & self.ready.val() & !self.write.reset();
        self.ram.write_enable.next = taken;
        self.ram.write_address.next = self.write_pointer.address.val();
        self.ram.write_data.next = self.input.data.val();
        self.write_pointer.step.next = taken;
        self.write_pointer.clear.next = self.write_flush.clear.val();
        let read = self.pointer_to_write.data_out.val();
        /// Full is one lap ahead of the other side: in gray code its two top bits inverted.
        let lap_ahead = cat(&[!read.high(2), read.low(read.width() - 2)]);
        let full_now = self.write_pointer.pointer.val() == lap_ahead;
        let full_stepped = self.write_pointer.stepped.val() == lap_ahead;
        /// No multiplexer: tools would put it in front of a comparison for both, into the way of `taken`.
        let full = (full_stepped & taken) | (full_now & !taken);
        if self.write_flush.stopped.val() {
            self.ready.next = 0;
        } else {
            self.ready.next = !full;
        }
        self.input.ready.next = self.ready.val();
        if let (Some(count), Some(level), Some(write_level)) =
            (&*self.write_pointer.count, &*self.level, &*self.write_level)
        {
            level.read.next = half_number_of(read);
            level.items.next = count.val() - number_of_half(level.read.val());
            write_level.next = level.items.val();
        }

        /// # Read side
        let fetch = self.read_ahead.fetch.val();
        let written = self.pointer_to_read.data_out.val();
        /// `fetch` waits for whoever reads, so the comparisons for both that it may be go into registers, and what it
        /// was chooses between them a clock later.
        if self.read_flush.stopped.val() {
            self.holds_items.next = 0;
            self.holds_more.next = 0;
        } else {
            self.holds_items.next = self.read_pointer.pointer.val() != written;
            self.holds_more.next = self.read_pointer.stepped.val() != written;
        }
        self.fetched.next = fetch;
        let holds = if self.fetched.val() { self.holds_more.val() } else { self.holds_items.val() };
        /// This need not look at `stopped`: at the edge at which this side stops for a reset of its own
        /// both registers fall too, and while the other side's request is high a clear pointer takes no step.
        self.read_ahead.available.next = holds;
        self.read_ahead.clear.next = self.read_flush.stopped.val();
        self.read_ahead.ready.next = self.output.ready.val();
        self.ram.read_enable.next = fetch;
        self.ram.read_address.next = self.read_pointer.address.val();
        if let (Some(enable), Some(forward)) = (&*self.ram.output_enable, &*self.read_ahead.forward) {
            enable.next = forward.val();
        }
        self.read_pointer.step.next = fetch;
        self.read_pointer.clear.next = self.read_flush.clear.val();
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
