//! `unit`: one texture unit between its request FIFO and its result FIFO. Wires only.

use crate::cache::blocking::Cache;
use crate::datapath::address::blocking::Address;
use crate::datapath::bundles::{BindingField, BindingState, line_bits};
use crate::datapath::coordinate::blocking::Coordinate;
use crate::datapath::decode::blocking::Decode;
use crate::datapath::filter::blocking::{Filter, RESULT_BITS};
use crate::datapath::lod::blocking::Lod;
use crate::datapath::request::blocking::Request;
use crate::engine::memory::{LINE_BITS, ReadChannel};
use crate::sampler::engine::read_shape;
use crate::sampler::ports::{
    RequestStream, ResultStream, UnitControl, UnitPorts, UnitReport, follow_clocks, pass_counts, receive,
    send,
};
use crate::sampler::result_register::ResultRegister;
use crate::system::counters::{COUNTS, Counters, Increment, PLACE_BITS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::AsyncFifo;
use tmu_spec::Config;
use tmu_spec::fixed;

/// How fast each count rises.
const INCREMENTS: [Increment; COUNTS] = {
    let mut all = [Increment::ONE; COUNTS];
    all[1] = Increment::PIXELS;
    all
};

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Sampler {
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
    /// Lines wanted from memory.
    pub read: StreamOut,
    /// The line has come.
    pub line_valid: Net<In>,
    /// The line.
    pub line_data: Net<In>,
    /// The line could not be read.
    pub line_error: Net<In>,
    /// Empty the cache.
    pub invalidate_cache: Optional<Net<In>>,
    /// What the control port wants to know.
    pub report: Optional<UnitReport>,
    /// The count that passes by, and its number.
    pub count: Optional<Net<Out>>,
    /// Number of the count.
    pub count_number: Optional<Net<Out>>,
    request_fifo: AsyncFifo,
    request: Request,
    lod: Optional<Lod>,
    coordinate: Coordinate,
    address: Address,
    cache: Cache,
    decode: Decode,
    filter: Filter,
    result_fifo: AsyncFifo,
    result_register: ResultRegister,
    counters: Optional<Counters>,
    _config: Config,
}

impl Sampler {
    /// A unit of a configuration.
    pub fn new(config: &Config) -> Sampler {
        let beat_bits = config.request().beats_per_quad().tdata_bits() as usize + 2;
        let has_control = config.control().port();
        let has_counters = has_control && config.control().counters();
        Sampler {
            core: Clocks::named("core"),
            tmu: Clocks::named("tmu"),
            flush: Net::bit(),
            stopped: Net::bit(),
            s_axis_req: RequestStream::new(config),
            m_axis_res: ResultStream::new(),
            read: StreamOut::new(line_bits(config)),
            line_valid: Net::bit(),
            line_data: Net::new(LINE_BITS),
            line_error: Net::bit(),
            invalidate_cache: Optional::new(has_control, Net::bit),
            report: Optional::new(has_control, UnitReport::new),
            count: Optional::new(has_counters, || Net::new(32)),
            count_number: Optional::new(has_counters, || Net::new(PLACE_BITS)),
            request_fifo: AsyncFifo::new(config.request().fifo_depth() as usize, beat_bits),
            request: Request::new(config),
            lod: Optional::new(config.features().mipmaps(), || Lod::new(config)),
            coordinate: Coordinate::new(config),
            address: Address::new(config),
            cache: Cache::new(config),
            decode: Decode::new(config),
            filter: Filter::new(config),
            result_fifo: AsyncFifo::new(config.result().fifo_depth() as usize, RESULT_BITS)
                .with_write_level(),
            result_register: ResultRegister::new(),
            counters: Optional::new(has_counters, || Counters::new(INCREMENTS)),
            _config: config.clone(),
        }
    }
}

impl Sampler {
    /// Its outside.
    pub fn ports(&self) -> UnitPorts<'_> {
        UnitPorts {
            core: &self.core,
            tmu: &self.tmu,
            flush: &self.flush,
            stopped: &self.stopped,
            s_axis_req: &self.s_axis_req,
            m_axis_res: &self.m_axis_res,
            read: ReadChannel {
                shape: read_shape(&self._config, 0),
                read: &self.read,
                line_valid: &self.line_valid,
                line_data: &self.line_data,
                line_response: &self.line_error,
                bursts: None,
                fault: None,
            },
            control: self.control_ports(),
        }
    }

    fn control_ports(&self) -> Option<UnitControl<'_>> {
        Some(UnitControl {
            invalidate_cache: self.invalidate_cache.as_ref()?,
            report: self.report.as_ref()?,
            count: self.count.as_ref().zip(self.count_number.as_ref()),
        })
    }
}

/// One texture unit: request FIFO, stages in data-flow order, result FIFO.
#[kernel]
impl Sampler {
    fn logic(&self) {
        self.resets();
        self.requests();
        self.quads();
        self.texels();
        self.results();
        self.control();
    }

    fn resets(&self) {
        /// # Clocks and resets
        let (clk, flush) = (self.tmu.clk.val(), self.flush.val());
        let stages = [
            &self.request.clocks,
            &self.coordinate.clocks,
            &self.address.clocks,
            &self.cache.clocks,
            &self.decode.clocks,
            &self.filter.clocks,
        ];
        for clocks in stages {
            clocks.follow_with(clk, flush);
        }
        let optional = [self.lod.as_ref().map(|lod| &lod.clocks), self.counters.as_ref().map(|c| &c.clocks)];
        for clocks in optional.into_iter().flatten() {
            clocks.follow_with(clk, flush);
        }
        follow_clocks(&self.ports(), &self.request_fifo, &self.result_fifo);
    }

    fn requests(&self) {
        /// # Request FIFO
        receive(&self.s_axis_req, &self.request_fifo, &self.request.beat);
    }

    fn quads(&self) {
        /// # Quads
        self.bind(&self.coordinate.binding);
        self.bind(&self.address.binding);
        self.bind(&self.decode.binding);
        self.bind(&self.filter.binding);
        match self.lod.as_ref() {
            Some(lod) => {
                self.bind(&lod.binding);
                lod.input.take_from(&self.request.quad);
                self.coordinate.input.take_from(&lod.output);
            }
            None => {
                let lod = lit(fixed::LOD_BITS as usize, 0u32);
                self.coordinate.input.valid.next = self.request.quad.valid.val();
                self.coordinate.input.data.next = cat(&[lod, self.request.quad.data.val()]);
                self.request.quad.ready.next = self.coordinate.input.ready.val();
            }
        }
        self.address.input.take_from(&self.coordinate.output);
        if let (Some(to), Some(from)) = (self.address.table_load.as_ref(), self.request.table_load.as_ref()) {
            to.next = from.val();
        }
    }

    /// Hands the binding in force to a stage.
    fn bind(&self, stage: &BindingState<In>) {
        for field in BindingField::ALL {
            if let (Some(to), Some(from)) = (stage.net(field), self.request.binding.net(field)) {
                to.next = from.val();
            }
        }
    }

    fn texels(&self) {
        /// # Texels
        let (cache, decode, filter) = (&self.cache, &self.decode, &self.filter);
        cache.input.take_from(&self.address.output);
        self.read.forward(&cache.read);
        cache.line_valid.next = self.line_valid.val();
        cache.line_data.next = self.line_data.val();
        cache.line_error.next = self.line_error.val();
        decode.in_valid.next = cache.out_valid.val();
        decode.sideband.next = cache.sideband.val();
        decode.is_fetched.next = cache.is_fetched.val();
        decode.held_line.next = cache.held_line.val();
        decode.fetched_line.next = cache.fetched_line.val();
        decode.error.next = cache.error.val();
        if let (Some(to), Some(from)) = (self.request.table_done.as_ref(), decode.table_done.as_ref()) {
            to.next = from.val();
        }
        filter.in_valid.next = decode.out_valid.val();
        filter.tap.next = decode.tap.val();
        filter.color.next = decode.color.val();
        filter.tap_error.next = decode.tap_error.val();
    }

    fn results(&self) {
        /// # Result FIFO
        let fifo = &self.result_fifo;
        fifo.input.valid.next = self.filter.done.val();
        fifo.input.data.next = self.filter.result.val();
        discard(fifo.input.ready.val(), "no more quads are let in than there is room for");
        self.request.quad_done.next = self.filter.done.val();
        if let Some(level) = fifo.write_level.as_ref() {
            self.request.result_level.next = level.val();
        }
        send(fifo, &self.result_register, &self.ports());
    }

    fn control(&self) {
        /// # Control and counters
        let invalidating = self.cache.invalidating.val();
        self.request.invalidating.next = invalidating;
        let entry_drops = self.request.invalidate_cache.val();
        self.cache.invalidate.next = match self.invalidate_cache.as_ref() {
            Some(invalidate) => invalidate.val() || entry_drops,
            None => entry_drops,
        };
        if let Some(report) = self.report.as_ref() {
            report.broken_rules.next = self.request.broken_rules.val();
            report.packet_dropped.next = self.request.packet_dropped.val();
            report.invalidating.next = invalidating;
        }
        let (Some(counters), Some(count), Some(number)) =
            (self.counters.as_ref(), self.count.as_ref(), self.count_number.as_ref())
        else {
            return;
        };
        let events = self.cache.events.val();
        let event = |bit: usize| events.bit(bit);
        pass_counts(
            counters,
            [
                self.request.quad_enters.val(),
                self.request.pixels_enter.val(),
                event(0),
                event(1),
                event(2),
                event(3),
                self.line_valid.val(),
                event(4),
                self.request.packet_dropped.val(),
            ],
            count,
            number,
        );
    }
}
