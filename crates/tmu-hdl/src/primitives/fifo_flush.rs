//! The handshake that empties an asynchronous FIFO when either side is reset.
//!
//! A reset of one side must empty the other side too, whatever the two clocks and however short the reset, and
//! no side may ever act on a pointer that the other one is clearing. Each side has this block; the two talk
//! through synchronisers with a request and its acknowledgement, a four-phase handshake in each direction:
//!
//! 1. A reset leaves this side stopped and `pending`. As soon as the last handshake is over it raises `request`.
//! 2. The other side sees the request: it stops, clears its pointer and then raises `ack`.
//! 3. This side sees the acknowledgement, so the other side is stopped: it clears its own pointer, and one clock
//!    later, when the cleared pointer is on its way, it drops the request, but not before the reset is over.
//! 4. The other side sees the request fall and may go on; the pointer that it sees is clear. It drops `ack`.
//! 5. This side sees that and may go on.
//!
//! A side is stopped while a reset of its own is pending, until its own handshake is over, and while it sees the
//! other side's request. So a pointer is cleared only while both sides are stopped, and neither goes on before it sees the
//! other's pointer clear. Both directions may be under way at once; they do not wait for each other.

use crate::prelude::*;

/// One side's part of the handshake that empties an asynchronous FIFO; see the module for the protocol.
#[derive(Debug, LogicBlock)]
pub struct FifoFlush {
    /// The clock of this side, and its reset.
    pub clocks: Clocks,
    /// The other side's request, synchronised.
    pub other_request: Net<In>,
    /// The other side's acknowledgement, synchronised.
    pub other_ack: Net<In>,
    /// To the other side: stop and clear.
    pub request: Net<Out>,
    /// To the other side: stopped and cleared.
    pub ack: Net<Out>,
    /// High while nothing may enter or leave on this side.
    pub stopped: Net<Out>,
    /// High to clear this side's pointer at the next edge.
    pub clear: Net<Out>,
    pending: Reg,
    requesting: Reg,
    cleared: Reg,
    acknowledging: Reg,
}

impl FifoFlush {
    /// One side. Both start with a flush after configuration.
    #[track_caller]
    pub fn new() -> FifoFlush {
        let clocks = Clocks::new();
        FifoFlush {
            other_request: Net::bit(),
            other_ack: Net::bit(),
            request: Net::bit(),
            ack: Net::bit(),
            stopped: Net::bit(),
            clear: Net::bit(),
            pending: Reg::with_reset(&clocks, 1, 1),
            requesting: Reg::new(&clocks, 1),
            cleared: Reg::new(&clocks, 1),
            acknowledging: Reg::new(&clocks, 1),
            clocks,
        }
    }
}

impl Default for FifoFlush {
    #[track_caller]
    fn default() -> Self {
        FifoFlush::new()
    }
}

/// One side's part of the handshake that empties an asynchronous FIFO when either side is reset.
#[kernel]
impl FifoFlush {
    fn logic(&self) {
        let requesting = self.requesting.val();
        let both_stopped = requesting & self.other_ack.val();
        /// The own pointer is clear for a clock before the request falls.
        self.cleared.next = both_stopped;
        /// While the reset lasts the request stays, so that the other side does not go on in between.
        let finished = both_stopped & self.cleared.val() & !self.clocks.reset();
        if requesting {
            self.requesting.next = !finished;
        } else {
            self.requesting.next = self.pending.val() & !self.other_ack.val();
        }
        if finished {
            self.pending.next = 0;
        }
        self.acknowledging.next = self.other_request.val();

        self.request.next = requesting;
        self.ack.next = self.acknowledging.val();
        self.stopped.next = self.pending.val() | self.other_ack.val() | self.other_request.val();
        self.clear.next = both_stopped | self.other_request.val();
    }
}
