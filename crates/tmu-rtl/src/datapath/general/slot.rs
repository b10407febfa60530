//! `slot`: a place for one item between two handshakes, so that no stage waits in the same clock for how the one behind it ends.
//!
//! Contract: latency 1 clock. A slot that flows takes an item as another one leaves, initiation interval 1; what it can take depends on
//! what is behind it in the same clock. One that does not has a register for ready, initiation interval 2. Flip-flops only.

use tmu_hdl::prelude::*;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Slot {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Items.
    pub input: StreamIn,
    /// The same items.
    pub output: StreamOut,
    full: Reg,
    item: Reg,
    _flows: bool,
}

impl Slot {
    /// A place for items of so many bits whose ready is a register.
    pub fn new(bits: usize) -> Slot {
        let clocks = Clocks::new();
        Slot {
            input: StreamIn::new(bits),
            output: StreamOut::new(bits),
            full: Reg::with_reset(&clocks, 1, 0),
            item: Reg::new(&clocks, bits),
            clocks,
            _flows: false,
        }
    }

    /// One that flows.
    pub fn flowing(bits: usize) -> Slot {
        Slot { _flows: true, ..Slot::new(bits) }
    }
}

/// Holds an item until it is taken.
#[kernel]
impl Slot {
    fn logic(&self) {
        timing(1, if self._flows { 1 } else { 2 });
        let full = self.full.val();
        let leaves = self.output.ready.val();
        let is_free = if self._flows { !full || leaves } else { !full };
        self.input.ready.next = is_free;
        if is_free {
            self.full.next = self.input.valid.val();
            self.item.next = self.input.data.val();
        } else if leaves {
            self.full.next = 0;
        }
        self.output.valid.next = full;
        self.output.data.next = self.item.val();
    }
}
