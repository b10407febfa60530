//! What every unit has around its stages: ports, FIFOs and counters.
//! Wires only.

use crate::datapath::general::result::result_bits;
use crate::datapath::general::words::has_indirect;
use crate::engine::memory::ReadChannel;
use crate::sampler::request_switch::{KitPorts, RequestSwitch};
use crate::sampler::result_register::ResultRegister;
use crate::sampler::store_switch::{STORE_BEAT_BITS, StoreSwitch};
use crate::sampler::stream_fifo::StreamFifo;
use crate::system::counters::{COUNTS, Counters, Increment, PLACE_BITS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{AsyncFifo, RamStyle, SkidBuffer, SyncFifo};
use tmu_spec::Config;
use tmu_spec::binding::BindingRule;

/// The request stream, named as Vivado infers it.
#[derive(Debug, Bundle)]
pub struct RequestStream {
    /// A beat is offered.
    pub tvalid: Net<In>,
    /// The beat is taken.
    pub tready: Net<Out>,
    /// Half a quad, a quad, or a binding.
    pub tdata: Net<In>,
    /// The packet is a binding.
    pub tuser: Net<In>,
    /// The packet ends here.
    pub tlast: Net<In>,
}

/// The result stream, named as Vivado infers it.
#[derive(Debug, Bundle)]
pub struct ResultStream {
    /// A result is offered.
    pub tvalid: Net<Out>,
    /// The result is taken.
    pub tready: Net<In>,
    /// Four colours, pixel 0 lowest, R in the lowest byte of each.
    pub tdata: Net<Out>,
    /// The valid bits, and the error bit above.
    pub tuser: Net<Out>,
    /// It is the last result of its quad. Only with indirect look-ups, where a quad may have several.
    pub tlast: Optional<Net<Out>>,
}

impl RequestStream {
    /// The stream of a configuration.
    pub fn new(config: &Config) -> RequestStream {
        RequestStream {
            tvalid: Net::bit(),
            tready: Net::bit(),
            tdata: Net::new(config.request_tdata_bits() as usize),
            tuser: Net::bit(),
            tlast: Net::bit(),
        }
    }
}

impl ResultStream {
    /// The stream of a configuration.
    pub fn new(config: &Config) -> ResultStream {
        let tdata = Net::new(config.result_tdata_bits() as usize);
        ResultStream {
            tvalid: Net::bit(),
            tready: Net::bit(),
            tdata,
            tuser: Net::new(RESULT_USER_BITS),
            tlast: Optional::new(has_indirect(config), Net::bit),
        }
    }
}

/// Bits of what stands above the channels of a result: the valid bits and the error bit.
const RESULT_USER_BITS: usize = 5;

/// What a unit tells the control port.
#[derive(Debug, Bundle)]
pub struct UnitReport {
    /// Rules that a binding has just broken.
    pub broken_rules: Net<Out>,
    /// A packet of the wrong length has just been dropped.
    pub packet_dropped: Net<Out>,
    /// The cache is emptying.
    pub invalidating: Net<Out>,
}

impl UnitReport {
    /// The report, the same for every configuration.
    pub fn new() -> UnitReport {
        UnitReport {
            broken_rules: Net::new(BindingRule::ALL.len()),
            packet_dropped: Net::bit(),
            invalidating: Net::bit(),
        }
    }
}

impl Default for UnitReport {
    fn default() -> Self {
        UnitReport::new()
    }
}

/// What a unit and the control port tell each other.
#[derive(Clone, Copy)]
pub struct UnitControl<'a> {
    /// Empty the cache.
    pub invalidate_cache: &'a Net<In>,
    /// What the control port wants to know.
    pub report: &'a UnitReport,
    /// The count that passes by, and its number.
    pub count: Option<(&'a Net<Out>, &'a Net<Out>)>,
    /// The bring-up kit's side, with the channel to memory that it measures.
    pub kit: Option<(&'a KitPorts, ReadChannel<'a>)>,
}

/// The outside of a unit, the same for every kind.
#[derive(Clone, Copy)]
pub struct UnitPorts<'a> {
    /// Clock and reset of the streams.
    pub core: &'a Clocks,
    /// Clock and reset of everything between the FIFOs.
    pub tmu: &'a Clocks,
    /// Resets the stages, not the FIFOs.
    pub flush: &'a Net<In>,
    /// High while a FIFO is being emptied after a reset.
    pub stopped: &'a Net<Out>,
    /// Requests.
    pub s_axis_req: &'a RequestStream,
    /// Results.
    pub m_axis_res: &'a ResultStream,
    /// Packets of the store port.
    pub stored: Option<&'a StreamIn>,
    /// Lines of memory.
    pub read: ReadChannel<'a>,
    /// What it and the control port tell each other, where there is one.
    pub control: Option<UnitControl<'a>>,
}

/// The ports that every unit has.
#[derive(Bundle)]
pub struct Outside {
    /// Clock and reset of the streams.
    pub core: Clocks,
    /// Clock and reset of everything between the FIFOs.
    pub tmu: Clocks,
    /// Resets the stages, not the FIFOs.
    pub flush: Net<In>,
    /// High while a FIFO is being emptied after a reset.
    pub stopped: Net<Out>,
    /// Requests.
    pub s_axis_req: RequestStream,
    /// Results.
    pub m_axis_res: ResultStream,
    /// Empty the cache.
    pub invalidate_cache: Optional<Net<In>>,
    /// What the control port wants to know.
    pub report: Optional<UnitReport>,
    /// The count that passes by, and its number.
    pub count: Optional<Net<Out>>,
    /// Number of the count.
    pub count_number: Optional<Net<Out>>,
    /// The bring-up kit's side.
    pub kit: Optional<KitPorts>,
    /// Packets of the store port.
    pub stored: Optional<StreamIn>,
}

/// What every unit has behind its stages: results on their way out, and what is counted.
#[derive(Bundle)]
pub struct Results {
    pub(super) result_fifo: StreamFifo,
    result_register: ResultRegister,
    counters: Optional<Counters>,
}

impl Outside {
    /// The ports of a configuration's unit.
    pub fn new(config: &Config) -> Outside {
        let has_control = config.control().port();
        let has_counters = has_control && config.control().counters();
        Outside {
            core: Clocks::named("core"),
            tmu: Clocks::named("tmu"),
            flush: Net::bit(),
            stopped: Net::bit(),
            s_axis_req: RequestStream::new(config),
            m_axis_res: ResultStream::new(config),
            invalidate_cache: Optional::new(has_control, Net::bit),
            report: Optional::new(has_control, UnitReport::new),
            count: Optional::new(has_counters, || Net::new(32)),
            count_number: Optional::new(has_counters, || Net::new(PLACE_BITS)),
            kit: Optional::new(config.control().bring_up(), || KitPorts::new(config)),
            stored: Optional::new(config.control().store_port(), || StreamIn::new(STORE_BEAT_BITS)),
        }
    }

    /// The outside, with the unit's channel to memory.
    pub fn ports<'a>(&'a self, read: ReadChannel<'a>) -> UnitPorts<'a> {
        UnitPorts {
            core: &self.core,
            tmu: &self.tmu,
            flush: &self.flush,
            stopped: &self.stopped,
            s_axis_req: &self.s_axis_req,
            m_axis_res: &self.m_axis_res,
            stored: self.stored.as_ref(),
            read,
            control: self.control(read),
        }
    }

    fn control<'a>(&'a self, read: ReadChannel<'a>) -> Option<UnitControl<'a>> {
        Some(UnitControl {
            invalidate_cache: self.invalidate_cache.as_ref()?,
            report: self.report.as_ref()?,
            count: self.count.as_ref().zip(self.count_number.as_ref()),
            kit: self.kit.as_ref().map(|kit| (kit, read)),
        })
    }
}

impl Results {
    /// Those of a configuration's unit, with its FIFO in such RAM, whose counts rise so fast.
    pub fn new(config: &Config, fifo_style: RamStyle, increments: [Increment; COUNTS]) -> Results {
        let has_counters = config.control().port() && config.control().counters();
        let depth = config.result().fifo_depth() as usize;
        Results {
            result_fifo: if config.is_inside() {
                StreamFifo::Inside(SyncFifo::with_style(depth, result_bits(config), fifo_style))
            } else {
                let fifo = AsyncFifo::with_style(depth, result_bits(config), fifo_style);
                StreamFifo::Crossing(fifo.with_write_level())
            },
            result_register: ResultRegister::new(result_bits(config)),
            counters: Optional::new(has_counters, || Counters::new(increments)),
        }
    }
}

/// Where the bring-up kit comes in, in a configuration with one.
pub(super) fn request_switch(config: &Config) -> Optional<RequestSwitch> {
    Optional::new(config.control().bring_up(), || RequestSwitch::new(config))
}

/// Where the store port comes in, in a configuration with one.
pub(super) fn store_switch(config: &Config) -> Optional<StoreSwitch> {
    Optional::new(config.control().store_port(), || StoreSwitch::new(config))
}

/// The request FIFO of a configuration's unit, in such RAM.
pub(super) fn request_fifo(config: &Config, style: RamStyle) -> StreamFifo {
    let (depth, beat_bits) =
        (config.request().fifo_depth() as usize, config.request_tdata_bits() as usize + 2);
    if config.is_inside() {
        StreamFifo::Inside(SyncFifo::with_style(depth, beat_bits, style))
    } else {
        StreamFifo::Crossing(AsyncFifo::with_style(depth, beat_bits, style))
    }
}

/// Clocks and resets of the stages, the FIFOs and the counters, and whether a reset is still under way in a FIFO.
#[kernel]
pub(super) fn follow_clocks(
    outside: &Outside,
    request_fifo: &StreamFifo,
    stages: &[Option<&Clocks>],
    results: &Results,
) {
    let (clk, flush) = (outside.tmu.clk.val(), outside.flush.val());
    let counters = results.counters.as_ref().map(|counters| &counters.clocks);
    for clocks in stages.iter().copied().chain([counters]).flatten() {
        clocks.follow_with(clk, flush);
    }
    let result_fifo = &results.result_fifo;
    request_fifo.follow(&outside.core, &outside.tmu, &outside.tmu);
    result_fifo.follow(&outside.tmu, &outside.core, &outside.tmu);
    outside.stopped.next = request_fifo.is_stopped(true) || result_fifo.is_stopped(false);
    if let StreamFifo::Inside(fifo) = request_fifo {
        discard(fifo.level.val(), "ready says enough");
    }
}

/// What stands between the request FIFO and `request`.
#[derive(Clone, Copy, Default)]
pub(super) struct Behind<'a> {
    pub(super) buffer: Option<&'a SkidBuffer>,
    pub(super) store: Option<&'a StoreSwitch>,
    pub(super) kit: Option<&'a RequestSwitch>,
}

/// Beats through the request FIFO and the buffer behind it, if there is one, with packets of the store port in between.
#[kernel]
fn requests<'a>(outside: &'a Outside, fifo: &'a StreamFifo, behind: Behind<'a>) -> &'a StreamOut {
    let beats = match behind.buffer {
        Some(buffer) => {
            buffer.clocks.follow_with(outside.tmu.clk.val(), outside.flush.val());
            buffer.input.take_from(fifo.output());
            &buffer.output
        }
        None => fifo.output(),
    };
    let (Some(store), Some(stored)) = (behind.store, outside.stored.as_ref()) else { return beats };
    store.clocks.follow_with(outside.tmu.clk.val(), outside.flush.val());
    store.stream.take_from(beats);
    store.port.forward(stored);
    &store.output
}

/// Beats through the request FIFO and what stands behind it, or from the bring-up kit.
#[kernel]
pub(super) fn receive(outside: &Outside, fifo: &StreamFifo, behind: Behind<'_>, beat: &StreamIn) {
    let s_axis_req = &outside.s_axis_req;
    fifo.input().valid.next = s_axis_req.tvalid.val();
    fifo.input().data.next = cat(&[s_axis_req.tlast.val(), s_axis_req.tuser.val(), s_axis_req.tdata.val()]);
    s_axis_req.tready.next = fifo.input().ready.val();
    let beats = requests(outside, fifo, behind);
    let (Some(switch), Some(kit)) = (behind.kit, outside.kit.as_ref()) else {
        beat.take_from(beats);
        return;
    };
    switch.clocks.follow_with(outside.tmu.clk.val(), outside.flush.val());
    switch.stream.take_from(beats);
    switch.kit.forward(&kit.beat);
    switch.wants.next = kit.wants.val();
    beat.take_from(&switch.output);
    kit.taken.next = switch.output.valid.val() && beat.ready.val();
    kit.taken_is_first.next = switch.is_first.val();
    kit.taken_beat.next = switch.output.data.val();
    kit.owns.next = switch.owns.val();
    kit.idle.next = switch.idle.val();
    kit.settled.next = switch.settled.val();
}

/// What the bring-up kit's switch is told of the stages: a quad is answered, a packet dropped.
#[kernel]
pub(super) fn watch(switch: Option<&RequestSwitch>, answered: Bits, dropped: Bits) {
    if let Some(switch) = switch {
        switch.answered.next = answered;
        switch.dropped.next = dropped;
    }
}

/// Results through the result FIFO, where there is room. What is offered stays, even where a reset of the units empties the
/// FIFO.
#[kernel]
pub(super) fn send(
    outside: &Outside,
    results: &Results,
    switch: Option<&RequestSwitch>,
    done: Bits,
    result: Bits,
) {
    let (fifo, register, stream) = (&results.result_fifo, &results.result_register, &outside.m_axis_res);
    // Results to the requests of the kit stay with the kit.
    fifo.input().valid.next = match (switch, outside.kit.as_ref()) {
        (Some(switch), Some(kit)) => {
            kit.result_valid.next = done && switch.owns.val();
            kit.result.next = result;
            done && !switch.owns.val()
        }
        _ => done,
    };
    fifo.input().data.next = result;
    register.clocks.follow(&outside.core);
    register.input.take_from(fifo.output());
    let m_axis_res = register.output.data.val();
    stream.tvalid.next = register.output.valid.val();
    stream.tdata.next = m_axis_res.low(stream.tdata.width());
    if let Some(tlast) = stream.tlast.as_ref() {
        stream.tuser.next = m_axis_res.slice(stream.tdata.width(), RESULT_USER_BITS);
        tlast.next = m_axis_res.high(1);
    } else {
        stream.tuser.next = m_axis_res.high(RESULT_USER_BITS);
    }
    register.output.ready.next = stream.tready.val();
}

/// What has happened, to the control port: rules that a binding broke, a dropped packet, a cache that empties.
#[kernel]
pub(super) fn report(outside: &Outside, broken_rules: Bits, packet_dropped: Bits, invalidating: Bits) {
    if let Some(report) = outside.report.as_ref() {
        report.broken_rules.next = broken_rules;
        report.packet_dropped.next = packet_dropped;
        report.invalidating.next = invalidating;
    } else {
        discard(cat(&[broken_rules, packet_dropped]), "there is no control port");
    }
}

/// Events to the counters, where there are any, and the count that passes by to the control port.
#[kernel]
pub(super) fn count(outside: &Outside, results: &Results, events: [Bits; COUNTS]) {
    let (Some(counters), Some(count), Some(number)) =
        (results.counters.as_ref(), outside.count.as_ref(), outside.count_number.as_ref())
    else {
        return;
    };
    for (counted, event) in counters.events.all().into_iter().zip(events) {
        counted.next = event;
    }
    count.next = counters.count.val();
    number.next = counters.number.val();
}
