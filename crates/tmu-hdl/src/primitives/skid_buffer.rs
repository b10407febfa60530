//! A stream register that cuts both directions of the handshake.

use crate::prelude::*;

/// A stream register that cuts both directions of the handshake.
///
/// `ready`, `valid` and `data` come from registers, so that nothing combinational passes from one side to the
/// other. Holds two items. Latency 1, II 1. Costs 2 × width + 3 flip-flops.
#[derive(Debug, LogicBlock)]
pub struct SkidBuffer {
    /// The clock of both sides.
    pub clocks: Clocks,
    /// Where items come in.
    pub input: StreamIn,
    /// Where they leave.
    pub output: StreamOut,
    ready: Reg,
    valid: Reg,
    data: Reg,
    skid_valid: Reg,
    skid_data: Reg,
}

impl SkidBuffer {
    /// A buffer of items of `width` bits.
    #[track_caller]
    pub fn new(width: usize) -> SkidBuffer {
        let clocks = Clocks::new();
        SkidBuffer {
            input: StreamIn::new(width),
            output: StreamOut::new(width),
            ready: Reg::with_reset(&clocks, 1, 0),
            valid: Reg::with_reset(&clocks, 1, 0),
            data: Reg::new(&clocks, width),
            skid_valid: Reg::with_reset(&clocks, 1, 0),
            skid_data: Reg::new(&clocks, width),
            clocks,
        }
    }
}

/// Stream register that cuts both directions of the handshake.
#[kernel]
impl SkidBuffer {
    fn module_name(&self) -> String {
        format!("skid_buffer_{}", self.data.width())
    }

    fn logic(&self) {
        timing(1, 1);
        let taken = self.input.valid.val() & self.ready.val();
        let free = !self.valid.val() | self.output.ready.val();

        /// The output takes the older item; what comes in while it is blocked waits aside.
        if free {
            self.valid.next = self.skid_valid.val() | taken;
            self.data.next = if self.skid_valid.val() { self.skid_data.val() } else { self.input.data.val() };
        }
        let aside = !free & (self.skid_valid.val() | taken);
        self.skid_valid.next = aside;
        self.ready.next = !aside;
        /// Ready is low while an item waits aside, so this register never loses it.
        if self.ready.val() {
            self.skid_data.next = self.input.data.val();
        }

        self.input.ready.next = self.ready.val();
        self.output.valid.next = self.valid.val();
        self.output.data.next = self.data.val();
    }
}
