//! `unit`: one texture unit between its request FIFO and its result FIFO. Wires only.

use crate::address::Address;
use crate::bundles::{BindingField, BindingState, line_bits};
use crate::cache::{Cache, LINE_BITS};
use crate::coordinate::Coordinate;
use crate::counters::{COUNTS, Counters, Increment, PLACE_BITS};
use crate::decode::Decode;
use crate::filter::{Filter, RESULT_BITS};
use crate::lod::Lod;
use crate::request::Request;
use crate::result_register::ResultRegister;
use crate::unit_ports::{
    RequestStream, ResultStream, UnitPorts, UnitReport, follow_clocks, pass_counts, receive, send,
};
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
pub struct Unit {
    /// Clock and reset of the streams.
    pub core: Clocks,
    /// Clock and reset of everything between the FIFOs.
    pub tmu: Clocks,
    /// Resets the stages, not the FIFOs.
    pub flush: Net<In>,
    /// High while a FIFO is being emptied after a reset.
    pub stopped: Net<Out>,
    /// Requests.
    pub request: RequestStream,
    /// Results.
    pub result: ResultStream,
    /// Lines wanted from memory.
    pub read: StreamOut,
    /// The line has come.
    pub line_valid: Net<In>,
    /// The line.
    pub line_data: Net<In>,
    /// The line could not be read.
    pub line_error: Net<In>,
    /// Empty the cache.
    pub drop_cache: Optional<Net<In>>,
    /// What the control port wants to know.
    pub report: Optional<UnitReport>,
    /// The count that passes by, and its number.
    pub count: Optional<Net<Out>>,
    /// Number of the count.
    pub count_number: Optional<Net<Out>>,
    request_fifo: AsyncFifo,
    entry: Request,
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

impl Unit {
    /// A unit of a configuration.
    pub fn new(config: &Config) -> Unit {
        let beat_bits = config.request().beats_per_quad().tdata_bits() as usize + 2;
        let has_control = config.control().port();
        let has_counters = has_control && config.control().counters();
        Unit {
            core: Clocks::named("core"),
            tmu: Clocks::named("tmu"),
            flush: Net::bit(),
            stopped: Net::bit(),
            request: RequestStream::new(config),
            result: ResultStream::new(),
            read: StreamOut::new(line_bits(config)),
            line_valid: Net::bit(),
            line_data: Net::new(LINE_BITS),
            line_error: Net::bit(),
            drop_cache: Optional::new(has_control, Net::bit),
            report: Optional::new(has_control, UnitReport::new),
            count: Optional::new(has_counters, || Net::new(32)),
            count_number: Optional::new(has_counters, || Net::new(PLACE_BITS)),
            request_fifo: AsyncFifo::new(config.request().fifo_depth() as usize, beat_bits),
            entry: Request::new(config),
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

impl Unit {
    /// Its outside.
    pub fn ports(&self) -> UnitPorts<'_> {
        UnitPorts {
            core: &self.core,
            tmu: &self.tmu,
            flush: &self.flush,
            stopped: &self.stopped,
            request: &self.request,
            result: &self.result,
            read: &self.read,
            line_valid: &self.line_valid,
            line_data: &self.line_data,
            line_response: &self.line_error,
            bursts: None,
            fault: None,
            drop_cache: self.drop_cache.as_ref(),
            report: self.report.as_ref(),
            count: self.count.as_ref(),
            count_number: self.count_number.as_ref(),
        }
    }
}

/// One texture unit: request FIFO, stages in data-flow order, result FIFO.
#[kernel]
impl Unit {
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
            &self.entry.clocks,
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
        receive(&self.request, &self.request_fifo, &self.entry.beat);
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
                lod.input.take_from(&self.entry.quad);
                self.coordinate.input.take_from(&lod.output);
            }
            None => {
                let lod = lit(fixed::LOD_BITS as usize, 0u32);
                self.coordinate.input.valid.next = self.entry.quad.valid.val();
                self.coordinate.input.data.next = cat(&[lod, self.entry.quad.data.val()]);
                self.entry.quad.ready.next = self.coordinate.input.ready.val();
            }
        }
        self.address.input.take_from(&self.coordinate.output);
        if let (Some(to), Some(from)) = (self.address.table_load.as_ref(), self.entry.table_load.as_ref()) {
            to.next = from.val();
        }
    }

    /// Hands the binding in force to a stage.
    fn bind(&self, stage: &BindingState<In>) {
        for field in BindingField::ALL {
            if let (Some(to), Some(from)) = (stage.net(field), self.entry.binding.net(field)) {
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
        decode.comes.next = cache.leaves.val();
        decode.slot.next = cache.slot.val();
        decode.is_fetched.next = cache.is_fetched.val();
        decode.held_line.next = cache.held_line.val();
        decode.fetched_line.next = cache.fetched_line.val();
        decode.error.next = cache.error.val();
        if let (Some(to), Some(from)) = (self.entry.table_done.as_ref(), decode.table_done.as_ref()) {
            to.next = from.val();
        }
        filter.comes.next = decode.leaves.val();
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
        self.entry.quad_done.next = self.filter.done.val();
        if let Some(level) = fifo.write_level.as_ref() {
            self.entry.result_level.next = level.val();
        }
        send(fifo, &self.result_register, &self.ports());
    }

    fn control(&self) {
        /// # Control and counters
        let dropping = self.cache.dropping.val();
        self.entry.dropping.next = dropping;
        let entry_drops = self.entry.drop_cache.val();
        self.cache.drop.next = match self.drop_cache.as_ref() {
            Some(drop) => drop.val() || entry_drops,
            None => entry_drops,
        };
        if let Some(report) = self.report.as_ref() {
            report.broken_rules.next = self.entry.broken_rules.val();
            report.packet_dropped.next = self.entry.packet_dropped.val();
            report.dropping.next = dropping;
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
                self.entry.quad_enters.val(),
                self.entry.pixels_enter.val(),
                event(0),
                event(1),
                event(2),
                event(3),
                self.line_valid.val(),
                event(4),
                self.entry.packet_dropped.val(),
            ],
            count,
            number,
        );
    }
}
