//! `reset`: what each reset reaches, on the units' clock.
//!
//! A reset of any clock ends in every unit: the FIFOs between the clocks tell both their sides, and while any of
//! them is being emptied the stages are held in reset. Where the memory port is reset, the units' FIFOs are too. So after the last reset everything starts empty.
//!
//! Latency 1 clock.

use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Reset {
    /// The units' clock and its reset.
    pub clocks: Clocks,
    /// A soft reset, for one clock.
    pub soft_reset: Net<In>,
    /// FIFOs of the units that are being emptied.
    pub stopped: Optional<Net<In>>,
    /// FIFOs of the memory port that are being emptied: reads that units wait for are lost.
    pub port_stopped: Net<In>,
    /// FIFOs of the control port that are being emptied.
    pub control_stopped: Net<In>,
    /// Resets the memory port.
    pub hard: Net<Out>,
    /// Resets the units' sides of their FIFOs.
    pub fifos: Net<Out>,
    /// Resets the stages and drops what they wait for.
    pub flush: Net<Out>,
    /// Resets the registers of the control port.
    pub control: Net<Out>,
    hard_reset: Reg,
    fifo_reset: Reg,
    flushing: Reg,
    control_reset: Reg,
}

impl Reset {
    /// For this number of stop signals.
    pub fn new(stops: usize) -> Reset {
        let clocks = Clocks::new();
        let reset = || Reg::new(&clocks, 1).init(Value::from_bool(true));
        Reset {
            soft_reset: Net::bit(),
            stopped: Optional::new(stops > 0, || Net::new(stops)),
            port_stopped: Net::bit(),
            control_stopped: Net::bit(),
            hard: Net::bit(),
            fifos: Net::bit(),
            flush: Net::bit(),
            control: Net::bit(),
            hard_reset: reset(),
            fifo_reset: reset(),
            flushing: reset(),
            control_reset: reset(),
            clocks,
        }
    }
}

/// What each reset reaches.
#[kernel]
impl Reset {
    fn logic(&self) {
        let hard = self.clocks.reset();
        let resets = hard || self.soft_reset.val() || self.port_stopped.val();
        self.hard_reset.next = hard;
        self.fifo_reset.next = resets;
        /// The FIFOs need a clock to see their reset; the stages stay in theirs meanwhile.
        self.flushing.next = match self.stopped.as_ref() {
            Some(stopped) => resets || self.fifo_reset.val() || stopped.val().any(),
            None => resets || self.fifo_reset.val(),
        };
        self.control_reset.next = hard || self.control_stopped.val();
        self.hard.next = self.hard_reset.val();
        self.fifos.next = self.fifo_reset.val();
        self.flush.next = self.flushing.val();
        self.control.next = self.control_reset.val();
    }
}
