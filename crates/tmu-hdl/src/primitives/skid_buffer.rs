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
    /// What `input.ready` is, from a register of its own; see [`SkidBuffer::with_far_ready`].
    pub far_ready: Optional<Net<Out>>,
    ready: Reg,
    ready_far: Optional<Reg>,
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
            far_ready: Optional::new(false, Net::bit),
            ready_far: Optional::new(false, || Reg::with_reset(&clocks, 1, 1)),
            ready: Reg::with_reset(&clocks, 1, 0),
            valid: Reg::with_reset(&clocks, 1, 0),
            data: Reg::new(&clocks, width),
            skid_valid: Reg::with_reset(&clocks, 1, 0),
            skid_data: Reg::new(&clocks, width),
            clocks,
        }
    }

    /// The same buffer with `far_ready`, for readers that are many or far from those of `input.ready`. It is high during a reset, when
    /// nothing comes, where `input.ready` is low; so no tool makes one register of both.
    #[must_use]
    pub fn with_far_ready(mut self) -> Self {
        self.far_ready = Optional::new(true, Net::bit);
        self.ready_far = Optional::new(true, || Reg::with_reset(&self.clocks, 1, 1));
        self
    }
}

/// Stream register that cuts both directions of the handshake.
#[kernel]
impl SkidBuffer {
    fn module_name(&self) -> String {
        let far = if self.far_ready.is_some() { "_far" } else { "" };
        format!("skid_buffer_{}{far}", self.data.width())
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
        if let (Some(register), Some(net)) = (self.ready_far.as_ref(), self.far_ready.as_ref()) {
            register.next = !aside;
            net.next = register.val();
        }
        /// Ready is low while an item waits aside, so this register never loses it.
        if self.ready.val() {
            self.skid_data.next = self.input.data.val();
        }

        self.input.ready.next = self.ready.val();
        self.output.valid.next = self.valid.val();
        self.output.data.next = self.data.val();
    }
}
