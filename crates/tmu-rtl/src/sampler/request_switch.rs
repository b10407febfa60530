//! `request_switch`: lets the bring-up kit send a unit's requests in place of its stream, and keeps their results.
//!
//! Changes hands between packets only, and is given away only once all quads have been answered: quads that go in and are not dropped
//! for their length are counted against results. While one side sends, packets of the other one wait.
//!
//! Latency 1 clock. Initiation interval one beat.

use crate::datapath::general::result::result_bits;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SkidBuffer;
use tmu_spec::Config;

/// Bits of the number of quads under way in a unit.
const IN_FLIGHT_BITS: usize = 13;

/// What the bring-up kit and a unit tell each other, as the unit sees it.
#[derive(Bundle)]
pub struct KitPorts {
    /// The unit's requests are to be those of the kit.
    pub wants: Net<In>,
    /// They are, and all others have been answered.
    pub owns: Net<Out>,
    /// Nothing is under way in the unit.
    pub idle: Net<Out>,
    /// All quads that have gone into the unit have been answered.
    pub settled: Net<Out>,
    /// A beat of the kit's requests.
    pub beat: StreamIn,
    /// A result to the kit's requests.
    pub result_valid: Net<Out>,
    /// The result.
    pub result: Net<Out>,
    /// A beat, whoever sent it, has gone into the unit.
    pub taken: Net<Out>,
    /// It is the first one of its packet.
    pub taken_is_first: Net<Out>,
    /// The beat.
    pub taken_beat: Net<Out>,
}

impl KitPorts {
    /// Those of a configuration's units.
    pub fn new(config: &Config) -> KitPorts {
        let beat_bits = config.request_tdata_bits() as usize + 2;
        KitPorts {
            wants: Net::bit(),
            owns: Net::bit(),
            idle: Net::bit(),
            settled: Net::bit(),
            beat: StreamIn::new(beat_bits),
            result_valid: Net::bit(),
            result: Net::new(result_bits(config)),
            taken: Net::bit(),
            taken_is_first: Net::bit(),
            taken_beat: Net::new(beat_bits),
        }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct RequestSwitch {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Requests of the stream: `tdata`, then one bit for a binding, then one for the last beat of a packet.
    pub stream: StreamIn,
    /// Those of the kit.
    pub kit: StreamIn,
    /// The kit is to send.
    pub wants: Net<In>,
    /// A quad has been answered.
    pub answered: Net<In>,
    /// A packet of the wrong length, whose last beat went in a clock ago, is dropped.
    pub dropped: Net<In>,
    /// Requests of either.
    pub output: StreamOut,
    /// Results are those of the kit.
    pub owns: Net<Out>,
    /// Nothing is under way.
    pub idle: Net<Out>,
    /// All quads that have gone in have been answered; packets may wait.
    pub settled: Net<Out>,
    /// The beat that goes in is the first one of its packet.
    pub is_first: Net<Out>,
    skid: SkidBuffer,
    is_kit: Reg,
    in_packet: Reg,
    is_kits: Reg,
    first: Reg,
    in_binding: Reg,
    ended: Reg,
    in_flight: Reg,
    is_idle: Reg,
    is_settled: Reg,
}

impl RequestSwitch {
    /// For a configuration.
    pub fn new(config: &Config) -> RequestSwitch {
        let clocks = Clocks::new();
        let beat_bits = config.request_tdata_bits() as usize + 2;
        let flag = || Reg::with_reset(&clocks, 1, 0);
        RequestSwitch {
            stream: StreamIn::new(beat_bits),
            kit: StreamIn::new(beat_bits),
            wants: Net::bit(),
            answered: Net::bit(),
            dropped: Net::bit(),
            output: StreamOut::new(beat_bits),
            owns: Net::bit(),
            idle: Net::bit(),
            settled: Net::bit(),
            is_first: Net::bit(),
            skid: SkidBuffer::new(beat_bits),
            is_kit: flag(),
            in_packet: flag(),
            is_kits: flag(),
            first: Reg::with_reset(&clocks, 1, 1),
            in_binding: flag(),
            ended: flag(),
            in_flight: Reg::with_reset(&clocks, IN_FLIGHT_BITS, 0),
            is_idle: flag(),
            is_settled: flag(),
            clocks,
        }
    }
}

/// Requests of a stream, or of the bring-up kit.
#[kernel]
impl RequestSwitch {
    fn logic(&self) {
        timing(1, 1);
        /// # Who sends
        let skid = &self.skid;
        skid.clocks.follow(&self.clocks);
        let is_kit = self.is_kit.val();
        let changes = (self.wants.val() != is_kit) && !self.in_packet.val();
        let offered = if is_kit { self.kit.valid.val() } else { self.stream.valid.val() };
        let beat = if is_kit { self.kit.data.val() } else { self.stream.data.val() };
        let (free, last) = (skid.input.ready.val(), beat.high(1));
        skid.input.valid.next = offered && !changes;
        skid.input.data.next = beat;
        self.kit.ready.next = is_kit && !changes && free;
        self.stream.ready.next = !is_kit && !changes && free;
        if offered && !changes && free {
            self.in_packet.next = !last;
        }
        /// The unit is given back when the kit's quads have been answered.
        if changes && (self.wants.val() || self.is_idle.val()) {
            self.is_kit.next = self.wants.val();
        }
        self.is_kits.next = is_kit && (self.is_kits.val() || self.is_idle.val());
        self.owns.next = self.is_kits.val();

        /// # What is under way
        self.output.forward(&skid.output);
        let moves = skid.output.valid.val() && self.output.ready.val();
        let out = skid.output.data.val();
        let is_last = out.high(1);
        let is_binding = out.bit(out.width() - 2);
        let first = self.first.val();
        let of_binding = if first { is_binding } else { self.in_binding.val() };
        if moves {
            self.first.next = is_last;
            self.in_binding.next = of_binding;
        }
        self.is_first.next = first;
        self.ended.next = moves && is_last && !of_binding;
        let enters = self.ended.val() && !self.dropped.val();
        let leaves = self.answered.val();
        if enters && !leaves {
            self.in_flight.next = self.in_flight.val() + 1;
        } else if leaves && !enters {
            self.in_flight.next = self.in_flight.val() - 1;
        }
        let none_under_way = !self.ended.val() && !self.in_flight.val().any();
        self.is_idle.next = !skid.output.valid.val() && none_under_way;
        self.idle.next = self.is_idle.val();
        self.is_settled.next = none_under_way;
        self.settled.next = self.is_settled.val();
    }
}
