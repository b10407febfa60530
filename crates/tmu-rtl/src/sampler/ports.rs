//! The outside of a unit, the same for the blocking and the streaming one: its ports, and what stands right behind them.
//! Wires only.

use crate::engine::memory::ReadChannel;
use crate::sampler::result_register::ResultRegister;
use crate::system::counters::{COUNTS, Counters};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::AsyncFifo;
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
}

impl RequestStream {
    /// The stream of a configuration.
    pub fn new(config: &Config) -> RequestStream {
        RequestStream {
            tvalid: Net::bit(),
            tready: Net::bit(),
            tdata: Net::new(config.request().beats_per_quad().tdata_bits() as usize),
            tuser: Net::bit(),
            tlast: Net::bit(),
        }
    }
}

impl ResultStream {
    /// The stream, the same for every configuration.
    pub fn new() -> ResultStream {
        ResultStream { tvalid: Net::bit(), tready: Net::bit(), tdata: Net::new(128), tuser: Net::new(5) }
    }
}

impl Default for ResultStream {
    fn default() -> Self {
        ResultStream::new()
    }
}

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
    /// Lines of memory.
    pub read: ReadChannel<'a>,
    /// What it and the control port tell each other, where there is one.
    pub control: Option<UnitControl<'a>>,
}

/// Clocks of the two FIFOs, and whether a reset is still under way in either.
#[kernel]
pub(crate) fn follow_clocks(ports: &UnitPorts<'_>, request_fifo: &AsyncFifo, result_fifo: &AsyncFifo) {
    request_fifo.write.follow(ports.core);
    request_fifo.read.follow(ports.tmu);
    result_fifo.write.follow(ports.tmu);
    result_fifo.read.follow(ports.core);
    ports.stopped.next = request_fifo.read_stopped.val() || result_fifo.write_stopped.val();
}

/// Beats through the request FIFO.
#[kernel]
pub(crate) fn receive(s_axis_req: &RequestStream, fifo: &AsyncFifo, beat: &StreamIn) {
    fifo.input.valid.next = s_axis_req.tvalid.val();
    fifo.input.data.next = cat(&[s_axis_req.tlast.val(), s_axis_req.tuser.val(), s_axis_req.tdata.val()]);
    s_axis_req.tready.next = fifo.input.ready.val();
    beat.take_from(&fifo.output);
}

/// Results out of the result FIFO. What is offered stays, even where a reset of the units empties the FIFO.
#[kernel]
pub(crate) fn send(fifo: &AsyncFifo, register: &ResultRegister, ports: &UnitPorts<'_>) {
    let stream = ports.m_axis_res;
    register.clocks.follow(ports.core);
    register.input.take_from(&fifo.output);
    let m_axis_res = register.output.data.val();
    stream.tvalid.next = register.output.valid.val();
    stream.tdata.next = m_axis_res.low(128);
    stream.tuser.next = m_axis_res.high(5);
    register.output.ready.next = stream.tready.val();
}

/// Events to the counters, and the count that passes by to the control port.
#[kernel]
pub(crate) fn pass_counts(counters: &Counters, events: [Bits; COUNTS], count: &Net<Out>, number: &Net<Out>) {
    for (counted, event) in counters.events.all().into_iter().zip(events) {
        counted.next = event;
    }
    count.next = counters.count.val();
    number.next = counters.number.val();
}
