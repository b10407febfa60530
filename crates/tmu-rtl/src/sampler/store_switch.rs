//! `store_switch`: lets packets of the `store_port` in between packets of the request stream.
//!
//! 1. A packet is never split: the change from the stream to the port waits for the end of the stream's packet, the change back for the
//!    end of the port's.
//! 2. An offer stays: while a beat of the stream is offered between two packets, its packet goes first. So no beat that has been shown to
//!    the stage behind is taken back.
//! 3. Neither starves: behind a packet of the port the stream's turn comes first, behind each packet of the stream the port's.
//!
//! Beats of the stream pass in the same clock, through a choice by a register; those of the port take a clock and come every second one
//! at most, through a `slot` whose ready is a register. A unit waits about twelve clocks for a packet of the port, which is less than it
//! works on one. Costs 131 flip-flops, and a LUT for each bit of a beat.

use crate::datapath::general::slot::Slot;
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// Bits of a beat of the port: a word of a binding, and above it whether it is the last one of its packet.
pub const STORE_BEAT_BITS: usize = tmu_spec::binding::field::WORD_BITS as usize + 1;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct StoreSwitch {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Requests of the stream: `tdata`, then one bit for a binding, then one for the last beat of a packet.
    pub stream: StreamIn,
    /// Words of bindings that the port sends, each with a bit above that says whether it is the last one.
    pub port: StreamIn,
    /// Requests of either.
    pub output: StreamOut,
    slot: Slot,
    is_port: Reg,
    in_packet: Reg,
}

impl StoreSwitch {
    /// For a configuration.
    pub fn new(config: &Config) -> StoreSwitch {
        let clocks = Clocks::new();
        let beat_bits = config.request_tdata_bits() as usize + 2;
        StoreSwitch {
            stream: StreamIn::new(beat_bits),
            port: StreamIn::new(STORE_BEAT_BITS),
            output: StreamOut::new(beat_bits),
            slot: Slot::new(STORE_BEAT_BITS),
            is_port: Reg::with_reset(&clocks, 1, 0),
            in_packet: Reg::with_reset(&clocks, 1, 0),
            clocks,
        }
    }
}

/// Packets of a stream, and in between those that a port sends.
#[kernel]
impl StoreSwitch {
    fn logic(&self) {
        timing(0, 1);
        /// # Beats
        let slot = &self.slot;
        slot.clocks.follow(&self.clocks);
        slot.input.forward(&self.port);
        let (is_port, takes) = (self.is_port.val(), self.output.ready.val());
        let (beat, stored) = (self.stream.data.val(), slot.output.data.val());
        let tdata = stored.low(STORE_BEAT_BITS - 1).zero_extend(beat.width() - 2);
        let offers = if is_port { slot.output.valid.val() } else { self.stream.valid.val() };
        self.output.valid.next = offers;
        self.output.data.next = if is_port { cat(&[stored.high(1), lit(1, 1u32), tdata]) } else { beat };
        self.stream.ready.next = takes && !is_port;
        slot.output.ready.next = takes && is_port;

        /// # Whose turn it is
        let moves = self.stream.valid.val() && takes && !is_port;
        let last = beat.high(1);
        if moves {
            self.in_packet.next = !last;
        }
        let ends = moves && last;
        let is_between = !self.stream.valid.val() && !self.in_packet.val();
        if is_port {
            self.is_port.next = !(slot.output.valid.val() && takes && stored.high(1));
        } else {
            self.is_port.next = slot.output.valid.val() && (ends || is_between);
        }
    }
}
