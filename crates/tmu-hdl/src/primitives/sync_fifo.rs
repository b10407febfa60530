//! A FIFO on one clock.

use super::{RamShape, RamSimpleDualPort, RamStyle, ReadAhead};
use crate::prelude::*;

/// A FIFO on one clock.
///
/// `ready`, `valid`, `data` and `level` come from registers. `level` counts every item from the edge that takes
/// it to the edge that hands it on, so it is at most the depth. Latency 2 clocks on LUT RAM; 3 on block RAM and
/// UltraRAM, whose output register is used. II 1 at any level below the depth.
#[derive(Debug, LogicBlock)]
pub struct SyncFifo {
    /// The clock of both sides.
    pub clocks: Clocks,
    /// Where items come in.
    pub input: StreamIn,
    /// Where they leave, in the same order.
    pub output: StreamOut,
    /// Items held, 0 to depth.
    pub level: Net<Out>,
    write_address: Reg,
    read_address: Reg,
    given: Optional<Reg>,
    held: Reg,
    ready: Reg,
    ram: RamSimpleDualPort,
    read_ahead: ReadAhead,
}

impl SyncFifo {
    /// A FIFO in LUT RAM that holds `depth` items, a power of two of at least 4, of `width` bits.
    #[track_caller]
    pub fn new(depth: usize, width: usize) -> SyncFifo {
        SyncFifo::with_style(depth, width, RamStyle::Distributed)
    }

    /// A FIFO that keeps its items in a RAM of this style.
    #[track_caller]
    pub fn with_style(depth: usize, width: usize, style: RamStyle) -> SyncFifo {
        assert!(depth >= 4 && depth.is_power_of_two(), "a FIFO holds 4, 8, 16 … items, not {depth}");
        let clocks = Clocks::new();
        let shape = fifo_memory(depth, width, style);
        let address_bits = shape.address_bits();
        SyncFifo {
            input: StreamIn::new(width),
            output: StreamOut::new(width),
            level: Net::new(address_bits + 1),
            write_address: Reg::with_reset(&clocks, address_bits, 0),
            read_address: Reg::with_reset(&clocks, address_bits, 0),
            given: Optional::new(false, || Reg::with_reset(&clocks, 1, 0)),
            held: Reg::with_reset(&clocks, address_bits + 1, 0),
            ready: Reg::with_reset(&clocks, 1, 0),
            read_ahead: ReadAhead::new(shape.output_register),
            ram: RamSimpleDualPort::new(shape),
            clocks,
        }
    }

    /// The same FIFO, but `level` and `ready` count an item for one more clock after it was handed on. That ends the path
    /// from `output.ready` at a register; II 1 at any level below the depth less one, and at depths of at least 8.
    #[must_use]
    pub fn with_late_level(mut self) -> SyncFifo {
        assert!(self.depth() >= 8, "a FIFO of {} items would stop between items", self.depth());
        self.given = Optional::new(true, || Reg::with_reset(&self.clocks, 1, 0));
        self
    }

    /// Items that it holds at most.
    pub fn depth(&self) -> usize {
        1 << self.write_address.width()
    }

    /// Clocks from the edge that takes an item to the edge that can hand it on, when the FIFO is empty.
    pub fn latency_clocks(&self) -> u32 {
        2 + u32::from(self.read_ahead.forward.is_some())
    }
}

/// The memory of a FIFO. LUT RAM has a flip-flop behind it anyway; the others are slow without their register. An item is read
/// when both addresses differ, so never while it is written.
pub(super) fn fifo_memory(depth: usize, width: usize, style: RamStyle) -> RamShape {
    RamShape::new(depth, width).style(style).output_register(style != RamStyle::Distributed).reads_apart()
}

/// FIFO on one clock. Every output comes from a register.
#[kernel]
impl SyncFifo {
    fn module_name(&self) -> String {
        let late = if self.given.is_some() { "_late" } else { "" };
        format!("sync_fifo_{}x{}{late}", self.depth(), self.input.data.width())
    }

    fn logic(&self) {
        timing(self.latency_clocks(), 1);
        let one = lit(self.write_address.width(), 1u32);
        self.ram.clocks.follow(&self.clocks);
        self.read_ahead.clocks.follow(&self.clocks);

        /// # Write
        let taken = self.input.valid.val() & self.ready.val();
        self.ram.write_enable.next = taken;
        self.ram.write_address.next = self.write_address.val();
        self.ram.write_data.next = self.input.data.val();
        if taken {
            self.write_address.next = self.write_address.val() + one;
        }

        /// # Read
        self.ram.read_enable.next = self.read_ahead.fetch.val();
        self.ram.read_address.next = self.read_address.val();
        /// The addresses differ while the memory holds an item: it never holds as many as it has words, since
        /// the oldest moves to the output by then.
        self.read_ahead.available.next = self.write_address.val() != self.read_address.val();
        self.read_ahead.clear.next = 0;
        self.read_ahead.ready.next = self.output.ready.val();
        if let (Some(enable), Some(forward)) = (&*self.ram.output_enable, &*self.read_ahead.forward) {
            enable.next = forward.val();
        }
        if self.read_ahead.fetch.val() {
            self.read_address.next = self.read_address.val() + one;
        }

        /// # Level
        let gives = self.read_ahead.valid.val() & self.output.ready.val();
        let given = match &*self.given {
            Some(given) => {
                given.next = gives;
                given.val()
            }
            None => gives,
        };
        /// The direction is `taken` alone, and what cancels out stops the count: so both come in late.
        let held = self.held.val();
        let step = cat(&[(!taken).repeat(held.width() - 1), one.low(1)]);
        if given ^ taken {
            self.held.next = held + step;
        }
        /// What `held` will be is not waited for: it is full if it was and nothing goes, or if the last place is taken.
        let is_full = held.high(1);
        let fills = held.low(held.width() - 1).all() & taken;
        self.ready.next = given | !(is_full | fills);

        self.input.ready.next = self.ready.val();
        self.output.valid.next = self.read_ahead.valid.val();
        self.output.data.next = self.ram.read_data.val();
        self.level.next = self.held.val();
    }
}
