//! `store_switch`: lets packets of the `store_port` in between packets of the request stream.
//!
//! 1. A packet is never split: the change from the stream to the port waits for the end of the stream's packet, the change back for the
//!    end of the port's.
//! 2. Neither starves: behind the end of a packet the other side's is next, if it waits. While a beat of the stream waits between two packets, its
//!    packet goes first.
//!
//! Both sides pass through a skid buffer, so that what `request` can take does not reach the request FIFO in the same clock, nor what stands
//! in the FIFO what it can take. Latency 1 clock, initiation interval one beat; a unit waits 5 clocks for a packet of the port, which is less
//! than it works on one. Costs two flip-flops and about two LUTs for each bit of a beat.

use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SkidBuffer;
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
    skid: SkidBuffer,
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
            skid: SkidBuffer::new(beat_bits),
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
        timing(1, 1);
        /// # Beats
        let skid = &self.skid;
        skid.clocks.follow(&self.clocks);
        self.output.forward(&skid.output);
        let (is_port, takes) = (self.is_port.val(), skid.input.ready.val());
        let (beat, stored) = (self.stream.data.val(), self.port.data.val());
        let tdata = stored.low(STORE_BEAT_BITS - 1).zero_extend(beat.width() - 2);
        skid.input.valid.next = if is_port { self.port.valid.val() } else { self.stream.valid.val() };
        skid.input.data.next = if is_port { cat(&[stored.high(1), lit(1, 1u32), tdata]) } else { beat };
        self.stream.ready.next = takes && !is_port;
        self.port.ready.next = takes && is_port;

        /// # Whose turn it is
        let moves = self.stream.valid.val() && takes && !is_port;
        let last = beat.high(1);
        if moves {
            self.in_packet.next = !last;
        }
        let ends = moves && last;
        let is_between = !self.stream.valid.val() && !self.in_packet.val();
        if is_port {
            self.is_port.next = !(self.port.valid.val() && takes && stored.high(1));
        } else {
            self.is_port.next = self.port.valid.val() && (ends || is_between);
        }
    }
}
