//! `result_register`: the result that is offered, behind the result FIFO.
//!
//! A reset of the units empties the FIFO at once, and what it offers falls. AXI4-Stream wants an offer to stay until it is
//! taken, so what is offered outside stands here, where only the streams' own reset reaches it. Nothing follows it but
//! results of requests from after the reset.
//!
//! Latency 1 clock, initiation interval 1. No RAM.

use tmu_hdl::prelude::*;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct ResultRegister {
    /// Clock and reset of the streams.
    pub clocks: Clocks,
    /// Results out of the FIFO, which may take back what it offers.
    pub input: StreamIn,
    /// The result that is offered.
    pub output: StreamOut,
    full: Reg,
    held: Reg,
}

impl ResultRegister {
    /// The register for results of so many bits.
    pub fn new(bits: usize) -> ResultRegister {
        let clocks = Clocks::new();
        ResultRegister {
            input: StreamIn::new(bits),
            output: StreamOut::new(bits),
            full: Reg::with_reset(&clocks, 1, 0),
            held: Reg::new(&clocks, bits),
            clocks,
        }
    }
}

/// The result that is offered stays until it is taken.
#[kernel]
impl ResultRegister {
    fn logic(&self) {
        timing(1, 1);
        let free = !self.full.val() || self.output.ready.val();
        self.input.ready.next = free;
        if free {
            self.full.next = self.input.valid.val();
            self.held.next = self.input.data.val();
        }
        self.output.valid.next = self.full.val();
        self.output.data.next = self.held.val();
    }
}
