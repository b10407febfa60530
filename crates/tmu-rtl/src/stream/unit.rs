//! `unit`: one streaming texture unit between its request FIFO and its result FIFO, in block RAM. Wires only.

use super::address::Address;
use super::cache::fetch::{Fetch, LENGTH_BITS};
use super::cache::fill::Fill;
use super::cache::lookup::Lookup;
use super::cache::texels::Texels;
use super::coordinate::Coordinate;
use super::decode::Decode;
use super::filter::Filter;
use super::lod::Lod;
use super::request::Request;
use super::span::Span;
use super::words::lanes;
use crate::bundles::{BindingField, line_bits};
use crate::cache::LINE_BITS;
use crate::counters::{COUNTS, Counters, Increment, PLACE_BITS};
use crate::filter::RESULT_BITS;
use crate::memory_port::FAULT_BITS;
use crate::result_register::ResultRegister;
use crate::unit_ports::{
    BurstPorts, RequestStream, ResultStream, UnitPorts, UnitReport, follow_clocks, pass_counts, receive, send,
};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{AsyncFifo, RamStyle};
use tmu_spec::{Config, fixed};

/// Quads that may be on their way to the result FIFO when it reports that it fills: the slots from `texels` to there, a
/// quad each with four pixels a slot, and those that leave before the report has come.
const fn result_margin(lanes: usize) -> usize {
    if lanes == 1 { 8 } else { 24 }
}

/// How fast each count rises.
fn increments(lanes: usize) -> [Increment; COUNTS] {
    let mut all = [Increment::ONE; COUNTS];
    all[1] = if lanes == 1 { Increment::PIXELS } else { Increment::FOUR };
    all[2] = Increment::FOUR;
    all[3] = Increment::FOUR;
    all[4] = Increment::FOUR;
    all[5] = Increment::FOUR;
    all
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct StreamUnit {
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
    /// Lines wanted from memory: the first, and above it their number less one.
    pub read: StreamOut,
    /// A line has come.
    pub line_valid: Net<In>,
    /// The line.
    pub line_data: Net<In>,
    /// Its response.
    pub line_response: Net<In>,
    /// It is the last one of its answer.
    pub line_last: Net<In>,
    /// A line has come that was not asked for.
    pub unasked: Net<In>,
    /// Lines are to come.
    pub owed: Net<In>,
    /// A line could not be read: bit 0 with SLVERR, bit 1 with DECERR.
    pub fault: Net<Out>,
    /// Which line.
    pub fault_line: Optional<Net<Out>>,
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
    span: Span,
    address: Address,
    lookup: Lookup,
    fetch: Fetch,
    fill: Fill,
    texels: Texels,
    decode: Decode,
    filter: Filter,
    result_fifo: AsyncFifo,
    result_register: ResultRegister,
    result_room: Reg,
    drop_reg: Reg,
    counters: Optional<Counters>,
    _config: Config,
}

impl StreamUnit {
    /// A unit of a configuration.
    pub fn new(config: &Config) -> StreamUnit {
        let beat_bits = config.request().beats_per_quad().tdata_bits() as usize + 2;
        let has_control = config.control().port();
        let has_counters = has_control && config.control().counters();
        let tmu = Clocks::named("tmu");
        // With a quad a slot, what it reads next waits for all slots: block RAM takes a level of logic more there.
        let request_style = if lanes(config) > 1 { RamStyle::Distributed } else { RamStyle::Block };
        StreamUnit {
            core: Clocks::named("core"),
            result_room: Reg::with_reset(&tmu, 1, 0),
            drop_reg: Reg::with_reset(&tmu, 1, 0),
            tmu,
            flush: Net::bit(),
            stopped: Net::bit(),
            request: RequestStream::new(config),
            result: ResultStream::new(),
            read: StreamOut::new(line_bits(config) + LENGTH_BITS),
            line_valid: Net::bit(),
            line_data: Net::new(LINE_BITS),
            line_response: Net::new(2),
            line_last: Net::bit(),
            unasked: Net::bit(),
            owed: Net::bit(),
            fault: Net::new(FAULT_BITS),
            fault_line: Optional::new(has_control, || Net::new(line_bits(config))),
            drop_cache: Optional::new(has_control, Net::bit),
            report: Optional::new(has_control, UnitReport::new),
            count: Optional::new(has_counters, || Net::new(32)),
            count_number: Optional::new(has_counters, || Net::new(PLACE_BITS)),
            request_fifo: AsyncFifo::with_style(
                config.request().fifo_depth() as usize,
                beat_bits,
                request_style,
            ),
            entry: Request::new(config),
            lod: Optional::new(config.features().mipmaps(), || Lod::new(config)),
            coordinate: Coordinate::new(config),
            span: Span::new(config),
            address: Address::new(config),
            lookup: Lookup::new(config),
            fetch: Fetch::new(config),
            fill: Fill::new(config),
            texels: Texels::new(config),
            decode: Decode::new(config),
            filter: Filter::new(config),
            result_fifo: AsyncFifo::with_style(
                config.result().fifo_depth() as usize,
                RESULT_BITS,
                RamStyle::Block,
            )
            .with_write_level(),
            result_register: ResultRegister::new(),
            counters: Optional::new(has_counters, || Counters::new(increments(lanes(config)))),
            _config: config.clone(),
        }
    }
}

impl StreamUnit {
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
            line_response: &self.line_response,
            bursts: Some(BurstPorts { last: &self.line_last, unasked: &self.unasked, owed: &self.owed }),
            fault: self.fault_line.as_ref().map(|line| (&self.fault, line)),
            drop_cache: self.drop_cache.as_ref(),
            report: self.report.as_ref(),
            count: self.count.as_ref(),
            count_number: self.count_number.as_ref(),
        }
    }
}

/// One streaming texture unit: request FIFO, stages in data-flow order, result FIFO.
#[kernel]
impl StreamUnit {
    fn module_name(&self) -> String {
        "unit".into()
    }

    fn logic(&self) {
        self.resets();
        self.requests();
        self.slots();
        self.tiles();
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
            &self.lookup.clocks,
            &self.fetch.clocks,
            &self.fill.clocks,
            &self.texels.clocks,
            &self.decode.clocks,
            &self.filter.clocks,
        ];
        for clocks in stages {
            clocks.follow_with(clk, flush);
        }
        let optional = [
            self.lod.as_ref().map(|lod| &lod.clocks),
            self.span.clocks.as_ref(),
            self.counters.as_ref().map(|c| &c.clocks),
        ];
        for clocks in optional.into_iter().flatten() {
            clocks.follow_with(clk, flush);
        }
        follow_clocks(&self.ports(), &self.request_fifo, &self.result_fifo);
    }

    fn requests(&self) {
        /// # Request FIFO
        receive(&self.request, &self.request_fifo, &self.entry.beat);
    }

    fn slots(&self) {
        /// # Slots
        let advance = self.lookup.advance.val();
        let (entry, coordinate, span, address) = (&self.entry, &self.coordinate, &self.span, &self.address);
        for stage in [&span.advance, &address.advance] {
            stage.next = advance;
        }
        let moves = span.moves.val();
        for stage in [&entry.advance, &coordinate.advance] {
            stage.next = moves;
        }
        match self.lod.as_ref() {
            Some(lod) => {
                lod.advance.next = moves;
                lod.active.next = entry.active.val();
                lod.slot.next = entry.slot.val();
                lod.quad.next = entry.quad.val();
                lod.valid_pixels.next = entry.valid_pixels.val();
                for field in BindingField::ALL {
                    if let (Some(to), Some(from)) = (lod.binding.net(field), entry.binding.net(field)) {
                        to.next = from.val();
                    }
                }
                coordinate.active.next = lod.leaves.val();
                coordinate.slot.next = lod.left.val();
                coordinate.level.next = lod.level.val();
            }
            None => {
                discard(entry.quad.val(), "there is one level");
                discard(entry.valid_pixels.val(), "there is one level");
                coordinate.active.next = entry.active.val();
                coordinate.slot.next = entry.slot.val();
                coordinate.level.next = lit(fixed::LOD_BITS as usize, 0u32);
            }
        }
        span.active.next = coordinate.leaves.val();
        span.footprint.next = coordinate.footprint.val();
        address.active.next = span.leaves.val();
        address.span.next = span.left.val();
        address.dropping.next = self.lookup.dropping.val();
    }

    fn tiles(&self) {
        /// # Tiles
        let (lookup, fetch) = (&self.lookup, &self.fetch);
        lookup.tiles.next = self.address.tiles.val();
        lookup.has_room.next = fetch.has_room.val() && self.texels.has_room.val();
        fetch.misses.next = lookup.misses.val();
        fetch.miss.next = lookup.miss.val();
        fetch.may_fetch.next = self.fill.may_fetch.val();
        self.read.forward(&fetch.read);
    }

    fn texels(&self) {
        /// # Texels
        let (fill, texels, decode, filter) = (&self.fill, &self.texels, &self.decode, &self.filter);
        fill.asks.next = self.fetch.asks.val();
        fill.tile.next = self.fetch.fill.val();
        fill.splits.next = self.fetch.splits.val();
        fill.line_valid.next = self.line_valid.val();
        fill.line_data.next = self.line_data.val();
        fill.line_response.next = self.line_response.val();
        fill.line_last.next = self.line_last.val();
        fill.unasked.next = self.unasked.val();
        fill.owed.next = self.owed.val();
        fill.sends.next = self.fetch.sends.val();
        fill.next_read.next = texels.next_read.val();
        fill.last_read.next = texels.last_read.val();
        texels.comes.next = self.lookup.leaves.val();
        texels.slot.next = self.lookup.slot.val();
        texels.writes.next = fill.writes.val();
        texels.write_address.next = fill.write_address.val();
        texels.even.next = fill.even.val();
        texels.odd.next = fill.odd.val();
        texels.fills.next = fill.fills.val();
        texels.may_leave.next = self.result_room.val();
        decode.comes.next = texels.leaves.val();
        decode.tap.next = texels.tap.val();
        for (to, from) in decode.words.iter().zip(&texels.words) {
            to.next = from.val();
        }
        filter.comes.next = decode.leaves.val();
        filter.tap.next = decode.tap_left.val();
        filter.error.next = decode.error.val();
        for (to, from) in filter.colors.iter().zip(&decode.colors) {
            to.next = from.val();
        }
    }

    fn results(&self) {
        /// # Result FIFO
        let fifo = &self.result_fifo;
        fifo.input.valid.next = self.filter.done.val();
        fifo.input.data.next = self.filter.result.val();
        discard(fifo.input.ready.val(), "nothing leaves the cache when there is no room");
        if let Some(level) = fifo.write_level.as_ref() {
            let most = self._config.result().fifo_depth() as usize - result_margin(lanes(&self._config));
            self.result_room.next = level.val() < most as u64;
        }
        send(fifo, &self.result_register, &self.ports());
    }

    fn control(&self) {
        /// # Control and counters
        let fault = self.fill.fault.val();
        self.fault.next = fault;
        if let (Some(to), Some(from)) = (self.fault_line.as_ref(), self.fill.fault_line.as_ref()) {
            to.next = from.val();
        }
        /// A line that could not be read is not kept: the tags are emptied.
        let drops = self.drop_cache.as_ref().map_or_else(|| lit(1, 0u32), |net| net.val());
        self.drop_reg.next = drops || fault.any();
        self.lookup.drop.next = self.drop_reg.val();
        if let Some(report) = self.report.as_ref() {
            report.broken_rules.next = self.entry.broken_rules.val();
            report.packet_dropped.next = self.entry.packet_dropped.val();
            report.dropping.next = self.lookup.dropping.val();
        } else {
            discard(self.entry.broken_rules.val(), "there is no control port");
            discard(self.entry.packet_dropped.val(), "there is no control port");
        }
        let (Some(counters), Some(count), Some(number), Some(events)) = (
            self.counters.as_ref(),
            self.count.as_ref(),
            self.count_number.as_ref(),
            self.lookup.events.as_ref(),
        ) else {
            discard(self.texels.stalls.val(), "nothing counts");
            return;
        };
        let event = |number: usize| events.val().slice(3 * number, 3);
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
                self.texels.stalls.val(),
                self.entry.packet_dropped.val(),
            ],
            count,
            number,
        );
    }
}
