//! A FIFO on one clock.

use super::{RamShape, RamSimpleDualPort, RamStyle, ReadAhead, SkidBuffer};
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
    buffer: Optional<SkidBuffer>,
    entry: Optional<Entry>,
}

/// What is on its way into the memory of a FIFO with a buffer, a clock later than elsewhere.
#[derive(Debug, Bundle)]
struct Entry {
    valid: Reg,
    address: Reg,
    data: Reg,
    /// The memory holds an item, known a clock after it is written.
    holds: Reg,
}

impl Entry {
    fn new(clocks: &Clocks, address_bits: usize, width: usize) -> Entry {
        let flag = || Reg::with_reset(clocks, 1, 0);
        Entry {
            valid: flag(),
            address: Reg::with_reset(clocks, address_bits, 0),
            data: Reg::new(clocks, width),
            holds: flag(),
        }
    }
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
            buffer: Optional::new(false, || SkidBuffer::new(width)),
            entry: Optional::new(false, || Entry::new(&clocks, address_bits, width)),
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

    /// The same FIFO with a [`SkidBuffer`] behind its memory and a register in front of it, so that neither `output.ready` nor
    /// `input.valid` reaches the memory's enables in the same clock: block RAM stands in a few columns of the device, and wires to
    /// it are long. Nor does the comparison that says whether there is an item. Latency three more clocks; `level` counts an item until it goes to the buffer. For a clock that is fast
    /// for its device, at depths of at least 8.
    #[must_use]
    pub fn with_output_buffer(mut self, buffered: bool) -> Self {
        let width = self.input.data.width();
        self.buffer = Optional::new(buffered, || SkidBuffer::new(width));
        let address_bits = self.write_address.width();
        self.entry = Optional::new(buffered, || Entry::new(&self.clocks, address_bits, width));
        self
    }

    /// Items that it holds at most, but for those in an output buffer.
    pub fn depth(&self) -> usize {
        1 << self.write_address.width()
    }

    /// Clocks from the edge that takes an item to the edge that can hand it on, when the FIFO is empty.
    pub fn latency_clocks(&self) -> u32 {
        2 + u32::from(self.read_ahead.forward.is_some()) + 3 * u32::from(self.buffer.is_some())
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
        let buffered = if self.buffer.is_some() { "_buffered" } else { "" };
        format!("sync_fifo_{}x{}{late}{buffered}", self.depth(), self.input.data.width())
    }

    fn logic(&self) {
        timing(self.latency_clocks(), 1);
        self.ram.clocks.follow(&self.clocks);
        self.read_ahead.clocks.follow(&self.clocks);
        let taken = self.input.valid.val() & self.ready.val();
        self.write(taken);
        let ready = self.output();
        self.read(ready);
        self.count(taken, self.read_ahead.valid.val() & ready);
        self.input.ready.next = self.ready.val();
        self.level.next = self.held.val();
    }

    fn write(&self, taken: Bits) {
        /// # Write
        let now = [taken, self.write_address.val(), self.input.data.val()];
        let [enable, address, data] = match self.entry.as_ref() {
            Some(Entry { valid, address, data, .. }) => {
                let registers = [valid, address, data];
                for (register, value) in registers.into_iter().zip(now) {
                    register.next = value;
                }
                registers.map(Reg::val)
            }
            None => now,
        };
        self.ram.write_enable.next = enable;
        self.ram.write_address.next = address;
        self.ram.write_data.next = data;
        if taken {
            self.write_address.next = self.write_address.val() + 1;
        }
    }

    fn read(&self, ready: Bits) {
        /// # Read
        let fetch = self.read_ahead.fetch.val();
        self.ram.read_enable.next = fetch;
        self.ram.read_address.next = self.read_address.val();
        /// The addresses differ while the memory holds an item: it never holds as many as it has words, since
        /// the oldest moves to the output by then.
        let read = self.read_address.val();
        self.read_ahead.available.next = match self.entry.as_ref() {
            Some(Entry { address, holds, .. }) => {
                /// Behind what is on its way.
                let written = address.val();
                let (same, same_as_next) = (written == read, written == read + 1);
                holds.next = if fetch { !same_as_next } else { !same };
                holds.val()
            }
            None => self.write_address.val() != read,
        };
        self.read_ahead.clear.next = 0;
        self.read_ahead.ready.next = ready;
        if let (Some(enable), Some(forward)) = (&*self.ram.output_enable, &*self.read_ahead.forward) {
            enable.next = forward.val();
        }
        if fetch {
            self.read_address.next = read + 1;
        }
    }

    fn count(&self, taken: Bits, gives: Bits) {
        /// # Level
        let given = match &*self.given {
            Some(given) => {
                given.next = gives;
                given.val()
            }
            None => gives,
        };
        /// The direction is `taken` alone, and what cancels out stops the count: so both come in late.
        let held = self.held.val();
        let step = cat(&[(!taken).repeat(held.width() - 1), lit(1, 1u32)]);
        if given ^ taken {
            self.held.next = held + step;
        }
        /// What `held` will be is not waited for: it is full if it was and nothing goes, or if the last place is taken.
        let is_full = held.high(1);
        let fills = held.low(held.width() - 1).all() & taken;
        self.ready.next = given | !(is_full | fills);
    }

    /// The output, through the buffer where there is one. Gives whether what was read ahead is taken.
    fn output(&self) -> Bits {
        let (valid, data) = (self.read_ahead.valid.val(), self.ram.read_data.val());
        let Some(buffer) = self.buffer.as_ref() else {
            self.output.valid.next = valid;
            self.output.data.next = data;
            return self.output.ready.val();
        };
        buffer.clocks.follow(&self.clocks);
        buffer.input.valid.next = valid;
        buffer.input.data.next = data;
        self.output.forward(&buffer.output);
        buffer.input.ready.val()
    }
}
