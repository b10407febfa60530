//! The FIFO between a unit's stream and its stages: between two clocks, or, of a unit inside another engine, on one.

use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{AsyncFifo, SyncFifo};

/// See the module's documentation.
#[expect(clippy::large_enum_variant, reason = "a unit has two, and lives as long as its design")]
pub enum StreamFifo {
    /// The streams have a clock of their own.
    Crossing(AsyncFifo),
    /// They are on the clock of the stages.
    Inside(SyncFifo),
}

impl StreamFifo {
    /// Where words come in.
    pub fn input(&self) -> &StreamIn {
        match self {
            StreamFifo::Crossing(fifo) => &fifo.input,
            StreamFifo::Inside(fifo) => &fifo.input,
        }
    }

    /// Where they leave.
    pub fn output(&self) -> &StreamOut {
        match self {
            StreamFifo::Crossing(fifo) => &fifo.output,
            StreamFifo::Inside(fifo) => &fifo.output,
        }
    }

    /// Words that it holds, as the input sees them, where that is asked for.
    pub fn write_level(&self) -> Option<&Net<Out>> {
        match self {
            StreamFifo::Crossing(fifo) => fifo.write_level.as_ref(),
            StreamFifo::Inside(fifo) => Some(&fifo.level),
        }
    }

    /// Gives both sides their clocks; inside another engine the stages' holds for both.
    pub(super) fn follow(&self, write: &Clocks, read: &Clocks, stages: &Clocks) {
        match self {
            StreamFifo::Crossing(fifo) => {
                fifo.write.follow(write);
                fifo.read.follow(read);
            }
            StreamFifo::Inside(fifo) => fifo.clocks.follow(stages),
        }
    }

    /// One bit: the side of the stages is being emptied after a reset. `reads` if that is where words leave.
    pub(super) fn is_stopped(&self, reads: bool) -> Bits {
        match self {
            StreamFifo::Crossing(fifo) if reads => fifo.read_stopped.val(),
            StreamFifo::Crossing(fifo) => fifo.write_stopped.val(),
            StreamFifo::Inside(_) => lit(1, 0u32),
        }
    }
}

impl Logic for StreamFifo {
    fn update(&mut self) {}
}

impl Block for StreamFifo {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        match self {
            StreamFifo::Crossing(fifo) => fifo.update_all(),
            StreamFifo::Inside(fifo) => fifo.update_all(),
        }
    }

    fn has_changed(&self) -> bool {
        match self {
            StreamFifo::Crossing(fifo) => fifo.has_changed(),
            StreamFifo::Inside(fifo) => fifo.has_changed(),
        }
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        match self {
            StreamFifo::Crossing(fifo) => fifo.accept(name, probe),
            StreamFifo::Inside(fifo) => fifo.accept(name, probe),
        }
    }
}
