//! `unit`: one texture unit that takes a quad a clock, or with one lane a valid pixel of it, between its request FIFO and its
//! result FIFO, in block RAM. The presets `quad` and `stream` differ in the widths of the stages and not in what is between them.
//! Wires only.

use crate::cache::prefetch::data_stage::DataStage;
use crate::cache::prefetch::fill::Fill;
use crate::cache::prefetch::miss_queue::{LENGTH_BITS, MissQueue};
use crate::cache::prefetch::quad_scheduler::QuadScheduler;
use crate::cache::prefetch::tag_stage::TagStage;
use crate::datapath::address::pipelined::Address;
use crate::datapath::bundles::{BindingField, line_bits};
use crate::datapath::coordinate::pipelined::Coordinate;
use crate::datapath::decode::pipelined::Decode;
use crate::datapath::filter::pipelined::Filter;
use crate::datapath::lod::pipelined::Lod;
use crate::datapath::request::pipelined::Request;
use crate::datapath::words::{ScheduledTiles, footprint_layout, has_short_paths, lanes, least_items};
use crate::engine::memory::{BurstPorts, FAULT_BITS, LINE_BITS, ReadChannel};
use crate::sampler::engine::read_shape;
use crate::sampler::ports::{
    Behind, Outside, Results, UnitPorts, count, follow_clocks, receive, report, request_fifo, request_switch,
    send, watch,
};
use crate::sampler::request_switch::RequestSwitch;
use crate::sampler::stream_fifo::StreamFifo;
use crate::system::counters::{COUNTS, Increment};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SkidBuffer};
use tmu_spec::{Config, fixed};

/// Quads that may be on their way to the result FIFO when it reports that it fills: those among the items from `data_stage` to
/// there and the items that leave before the report has come, 24 together, and 2 more where paths are to be short.
pub fn result_margin(config: &Config) -> usize {
    (24 + 2 * usize::from(has_short_paths(config))).div_ceil(least_items(config, 0))
}

/// How fast each count rises.
fn increments(lanes: usize) -> [Increment; COUNTS] {
    let mut all = [Increment::ONE; COUNTS];
    all[1] = if lanes == 1 { Increment::ONE } else { Increment::FOUR };
    all[2] = Increment::FOUR;
    all[3] = Increment::FOUR;
    all[4] = Increment::FOUR;
    all[5] = Increment::FOUR;
    all
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct QuadSampler {
    outside: Flat<Outside>,
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
    pub unexpected: Net<In>,
    /// Lines are to come.
    pub outstanding: Net<In>,
    /// A line could not be read: bit 0 with SLVERR, bit 1 with DECERR.
    pub fault: Net<Out>,
    /// Which line.
    pub fault_line: Optional<Net<Out>>,
    request_fifo: StreamFifo,
    /// Where paths are to be short: what leaves the FIFO does not wait for what `request` takes in the same clock.
    entered: Optional<SkidBuffer>,
    request_switch: Optional<RequestSwitch>,
    request: Request,
    lod: Optional<Lod>,
    coordinate: Coordinate,
    /// Where paths are to be short: items move up to `scheduled` whatever the tags do in the same clock, and up to `arrived` whatever
    /// the scheduler does where it takes several clocks for a quad.
    arrived: Optional<SkidBuffer>,
    quad_scheduler: QuadScheduler,
    scheduled: Optional<SkidBuffer>,
    address: Address,
    tag_stage: TagStage,
    miss_queue: MissQueue,
    fill: Fill,
    data_stage: DataStage,
    decode: Decode,
    filter: Filter,
    results: Flat<Results>,
    result_room: Reg,
    invalidate_reg: Reg,
    _config: Config,
}

impl QuadSampler {
    /// A unit of a configuration.
    pub fn new(config: &Config) -> QuadSampler {
        let has_control = config.control().port();
        // With a quad an item, what it reads next waits for all items: block RAM takes a level of logic more there.
        let request_style = if lanes(config) > 1 { RamStyle::Distributed } else { RamStyle::Block };
        let outside = Outside::new(config);
        let is_short = has_short_paths(config);
        QuadSampler {
            result_room: Reg::with_reset(&outside.tmu, 1, 0),
            invalidate_reg: Reg::with_reset(&outside.tmu, 1, 0),
            outside: Flat(outside),
            read: StreamOut::new(line_bits(config) + LENGTH_BITS),
            line_valid: Net::bit(),
            line_data: Net::new(LINE_BITS),
            line_response: Net::new(2),
            line_last: Net::bit(),
            unexpected: Net::bit(),
            outstanding: Net::bit(),
            fault: Net::new(FAULT_BITS),
            fault_line: Optional::new(has_control, || Net::new(line_bits(config))),
            request_fifo: request_fifo(config, request_style),
            entered: Optional::new(is_short, || SkidBuffer::new(config.request_tdata_bits() as usize + 2)),
            request_switch: request_switch(config),
            request: Request::new(config),
            lod: Optional::new(config.features().mipmaps(), || Lod::new(config)),
            coordinate: Coordinate::new(config),
            arrived: Optional::new(is_short && lanes(config) > 1, || {
                SkidBuffer::new(footprint_layout(config).width()).with_far_ready()
            }),
            quad_scheduler: QuadScheduler::new(config),
            scheduled: Optional::new(is_short, || {
                let buffer = SkidBuffer::new(ScheduledTiles::of(config).width());
                if lanes(config) > 1 { buffer } else { buffer.with_far_ready() }
            }),
            address: Address::new(config),
            tag_stage: TagStage::new(config),
            miss_queue: MissQueue::new(config),
            fill: Fill::new(config),
            data_stage: DataStage::new(config),
            decode: Decode::new(config),
            filter: Filter::new(config),
            results: Flat(Results::new(config, RamStyle::Block, increments(lanes(config)))),
            _config: config.clone(),
        }
    }
}

impl QuadSampler {
    /// Its outside.
    pub fn ports(&self) -> UnitPorts<'_> {
        self.outside.ports(ReadChannel {
            shape: read_shape(&self._config, LENGTH_BITS),
            read: &self.read,
            line_valid: &self.line_valid,
            line_data: &self.line_data,
            line_response: &self.line_response,
            bursts: Some(BurstPorts {
                last: &self.line_last,
                unexpected: &self.unexpected,
                outstanding: &self.outstanding,
            }),
            fault: self.fault_line.as_ref().map(|line| (&self.fault, line)),
        })
    }
}

/// One texture unit: request FIFO, stages in data-flow order, result FIFO.
#[kernel]
impl QuadSampler {
    fn module_name(&self) -> String {
        "unit".into()
    }

    fn logic(&self) {
        self.resets();
        self.requests();
        self.items();
        self.tiles();
        self.texels();
        self.results();
        self.control();
    }

    fn resets(&self) {
        /// # Clocks and resets
        let stages = [
            Some(&self.request.clocks),
            Some(&self.coordinate.clocks),
            Some(&self.address.clocks),
            Some(&self.tag_stage.clocks),
            Some(&self.miss_queue.clocks),
            Some(&self.fill.clocks),
            Some(&self.data_stage.clocks),
            Some(&self.decode.clocks),
            Some(&self.filter.clocks),
            self.lod.as_ref().map(|lod| &lod.clocks),
            self.quad_scheduler.clocks.as_ref(),
            self.arrived.as_ref().map(|buffer| &buffer.clocks),
            self.scheduled.as_ref().map(|buffer| &buffer.clocks),
        ];
        follow_clocks(&self.outside, &self.request_fifo, &stages, &self.results);
    }

    fn requests(&self) {
        /// # Request FIFO
        let behind =
            Behind { buffer: self.entered.as_ref(), kit: self.request_switch.as_ref(), ..Behind::default() };
        receive(&self.outside, &self.request_fifo, behind, &self.request.beat);
    }

    fn items(&self) {
        /// # Items
        let advance = self.tag_stage.advance.val();
        let (request, coordinate, quad_scheduler, address) =
            (&self.request, &self.coordinate, &self.quad_scheduler, &self.address);
        let ready = |buffer: &SkidBuffer| buffer.input.ready.val();
        address.advance.next = advance;
        quad_scheduler.advance.next = self.scheduled.as_ref().map_or(advance, ready);
        let takes = quad_scheduler.upstream_advance.val();
        let advance_front = self.arrived.as_ref().map_or(takes, ready);
        let far_ready = [&self.arrived, &self.scheduled].map(|buffer| buffer.as_ref()?.far_ready.as_ref());
        let advance_request = far_ready.into_iter().flatten().next().map_or(advance_front, |net| net.val());
        request.advance.next = advance_request;
        coordinate.advance.next = advance_front;
        match self.lod.as_ref() {
            Some(lod) => {
                lod.advance.next = advance_front;
                lod.in_valid.next = request.out_valid.val();
                lod.in_item.next = request.out_item.val();
                lod.quad.next = request.quad.val();
                lod.valid_pixels.next = request.valid_pixels.val();
                for field in BindingField::ALL {
                    if let (Some(to), Some(from)) = (lod.binding.net(field), request.binding.net(field)) {
                        to.next = from.val();
                    }
                }
                coordinate.in_valid.next = lod.out_valid.val();
                coordinate.in_item.next = lod.out_item.val();
                coordinate.level.next = lod.level.val();
            }
            None => {
                discard(request.quad.val(), "there is one level");
                discard(request.valid_pixels.val(), "there is one level");
                coordinate.in_valid.next = request.out_valid.val();
                coordinate.in_item.next = request.out_item.val();
                coordinate.level.next = lit(fixed::LOD_BITS as usize, 0u32);
            }
        }
        let footprint =
            through(&self.arrived, takes, [coordinate.out_valid.val(), coordinate.footprint.val()]);
        quad_scheduler.in_valid.next = footprint[0];
        quad_scheduler.footprint.next = footprint[1];
        let tiles = [quad_scheduler.out_valid.val(), quad_scheduler.out_tiles.val()];
        let tiles = through(&self.scheduled, advance, tiles);
        address.in_valid.next = tiles[0];
        address.in_tiles.next = tiles[1];
        address.invalidating.next = self.tag_stage.invalidating.val();
    }

    fn tiles(&self) {
        /// # Tiles
        let (tag_stage, miss_queue) = (&self.tag_stage, &self.miss_queue);
        tag_stage.tiles.next = self.address.tiles.val();
        tag_stage.has_room.next = miss_queue.has_room.val() && self.data_stage.has_room.val();
        miss_queue.misses.next = tag_stage.misses.val();
        miss_queue.miss.next = tag_stage.miss.val();
        miss_queue.may_fetch.next = self.fill.may_fetch.val();
        self.read.forward(&miss_queue.read);
    }

    fn texels(&self) {
        /// # Texels
        let (fill, data_stage, decode, filter) = (&self.fill, &self.data_stage, &self.decode, &self.filter);
        fill.asks.next = self.miss_queue.asks.val();
        fill.tile.next = self.miss_queue.fill.val();
        fill.splits.next = self.miss_queue.splits.val();
        fill.line_valid.next = self.line_valid.val();
        fill.line_data.next = self.line_data.val();
        fill.line_response.next = self.line_response.val();
        fill.line_last.next = self.line_last.val();
        fill.unexpected.next = self.unexpected.val();
        fill.outstanding.next = self.outstanding.val();
        fill.sends.next = self.miss_queue.sends.val();
        fill.next_read.next = data_stage.next_read.val();
        fill.last_read.next = data_stage.last_read.val();
        data_stage.in_valid.next = self.tag_stage.out_valid.val();
        data_stage.queue_entry.next = self.tag_stage.queue_entry.val();
        data_stage.writes.next = fill.writes.val();
        data_stage.write_address.next = fill.write_address.val();
        data_stage.even.next = fill.even.val();
        data_stage.odd.next = fill.odd.val();
        data_stage.fills.next = fill.fills.val();
        data_stage.out_ready.next = self.result_room.val();
        decode.in_valid.next = data_stage.out_valid.val();
        decode.tap.next = data_stage.tap.val();
        for (to, from) in decode.words.iter().zip(&data_stage.words) {
            to.next = from.val();
        }
        filter.in_valid.next = decode.out_valid.val();
        filter.tap.next = decode.out_tap.val();
        filter.error.next = decode.error.val();
        for (to, from) in filter.colors.iter().zip(&decode.colors) {
            to.next = from.val();
        }
    }

    fn results(&self) {
        /// # Result FIFO
        let fifo = &self.results.result_fifo;
        let (switch, done) = (self.request_switch.as_ref(), self.filter.done.val());
        send(&self.outside, &self.results, switch, done, self.filter.result.val());
        watch(switch, done, self.request.packet_dropped.val());
        discard(fifo.input().ready.val(), "nothing leaves the cache when there is no room");
        if let Some(level) = fifo.write_level() {
            let most = self._config.result().fifo_depth() as usize - result_margin(&self._config);
            self.result_room.next = level.val() < most as u64;
        }
    }

    fn control(&self) {
        /// # Control and counters
        let fault = self.fill.fault.val();
        self.fault.next = fault;
        if let (Some(to), Some(from)) = (self.fault_line.as_ref(), self.fill.fault_line.as_ref()) {
            to.next = from.val();
        }
        /// A line that could not be read is not kept: the tags are emptied.
        let invalidates =
            self.outside.invalidate_cache.as_ref().map_or_else(|| lit(1, 0u32), |net| net.val());
        self.invalidate_reg.next = invalidates || fault.any();
        self.tag_stage.invalidate.next = self.invalidate_reg.val();
        let packet_dropped = self.request.packet_dropped.val();
        let invalidating = self.tag_stage.invalidating.val();
        report(&self.outside, self.request.broken_rules.val(), packet_dropped, invalidating);
        let Some(events) = self.tag_stage.events.as_ref() else {
            discard(self.data_stage.stalls.val(), "nothing counts");
            return;
        };
        let event = |number: usize| events.val().slice(3 * number, 3);
        count(
            &self.outside,
            &self.results,
            [
                self.request.quad_enters.val(),
                self.request.pixels_leave.val(),
                event(0),
                event(1),
                event(2),
                event(3),
                self.line_valid.val(),
                self.data_stage.stalls.val(),
                packet_dropped,
            ],
        );
    }
}

/// An item, and whether there is one, behind a buffer; as it is where there is none.
#[kernel]
fn through(buffer: &Optional<SkidBuffer>, takes: Bits, item: [Bits; 2]) -> [Bits; 2] {
    let Some(buffer) = buffer.as_ref() else { return item };
    buffer.input.valid.next = item[0];
    buffer.input.data.next = item[1];
    buffer.output.ready.next = takes;
    [buffer.output.valid.val(), buffer.output.data.val()]
}
