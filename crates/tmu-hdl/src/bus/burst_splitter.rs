//! Commands of any length as bursts that AXI4 allows.

use super::AxiShape;
use crate::kernel::timing;
use crate::prelude::*;

/// Commands of any length as bursts that AXI4 allows.
///
/// A burst ends at each multiple of the largest burst's bytes and so never crosses 4 KiB: the first one of a command
/// reaches to such a multiple, all others but the last are as long as a burst may be. A burst is `{is_last, length - 1, address}`
/// in transfers. A command past the end of the address space goes on at its beginning.
///
/// Latency 1; a burst a clock, and a clock between two commands. No path from one side to the other.
#[derive(Debug, LogicBlock)]
pub struct BurstSplitter {
    /// The clock.
    pub clocks: Clocks,
    /// Byte address above the number of transfers less one.
    pub command: StreamIn,
    /// Whether it is the last of its command, its transfers less one in 8 bits, and its first transfer's address.
    pub burst: StreamOut,
    busy: Reg,
    address: Reg,
    left: Reg,
    _shape: AxiShape,
}

impl BurstSplitter {
    /// A splitter for a master of this shape.
    #[track_caller]
    pub fn new(shape: &AxiShape) -> BurstSplitter {
        shape.check();
        let clocks = Clocks::new();
        BurstSplitter {
            command: StreamIn::new(shape.command_bits()),
            burst: StreamOut::new(shape.beat_address_bits() + 9),
            busy: Reg::with_reset(&clocks, 1, 0),
            address: Reg::new(&clocks, shape.beat_address_bits()),
            // As wide as a place in a burst at least.
            left: Reg::new(&clocks, shape.length_bits.max(shape.place_bits().max(1))),
            _shape: shape.clone(),
            clocks,
        }
    }
}

/// Commands of any length as bursts that end at multiples of the largest one.
#[kernel]
impl BurstSplitter {
    fn module_name(&self) -> String {
        format!("burst_splitter_{}", self._shape.name())
    }

    fn logic(&self) {
        timing(1, 1);
        let shape = &self._shape;
        let (byte_bits, place_bits) = (shape.byte_bits(), shape.place_bits());
        let (busy, address, left) = (self.busy.val(), self.address.val(), self.left.val());
        let left_bits = left.width();

        /// # Burst
        /// Transfers to the next multiple of a burst, less one: it takes all that are left if they are no more.
        let room = if place_bits == 0 {
            lit(left_bits, 0)
        } else {
            (!address.low(place_bits)).zero_extend(left_bits)
        };
        let is_last = left <= room;
        let length = is_last.mux(left, room);
        let length = length.low(left_bits.min(8)).zero_extend(8);
        self.burst.valid.next = busy;
        self.burst.data.next = cat(&[is_last, length, address]);

        /// # Command
        self.command.ready.next = !busy;
        let command = self.command.data.val();
        let start = command.high(shape.beat_address_bits());
        if byte_bits > 0 {
            discard(command.slice(shape.length_bits, byte_bits), "transfers are whole");
        }
        let moves = busy & self.burst.ready.val();
        if !busy {
            self.busy.next = self.command.valid.val();
            self.address.next = start;
            self.left.next = command.low(shape.length_bits).zero_extend(left_bits);
        } else if moves {
            self.busy.next = !is_last;
            self.address.next = self.following(address);
            self.left.next = left - room - 1;
        }
    }

    /// The next multiple of a burst.
    fn following(&self, address: Bits) -> Bits {
        let place_bits = self._shape.place_bits();
        if place_bits == 0 {
            return address + 1;
        }
        cat(&[address.high(address.width() - place_bits) + 1, lit(place_bits, 0)])
    }
}
