//! `unit`: one texture unit of the general numerics, between its request FIFO and its result FIFO. It takes a probe a clock, or with
//! four lanes a row of them. Wires only.
//!
//! In front of `probes` quads move under handshakes; from there to the tags everything moves in step; behind the queue of the
//! `data_stage` items flow freely, since what leaves it has room in the result FIFO.
//!
//! | module | what |
//! | --- | --- |
//! | `entered` | what `request` hands on |
//! | `lane` | the stages of one lane in front of the tags and behind the texels |
//! | `lanes` | those of four |
//! | `indirect` | those of indirect look-ups, in front of `probes` and behind `filter` |
//! | `off` | which quads are answered with zeros and without an error |

mod entered;
mod indirect;
mod lane;
mod lanes;
mod off;

use crate::cache::prefetch::data_stage::DataStage;
use crate::cache::prefetch::fill::Fill;
use crate::cache::prefetch::miss_queue::{LENGTH_BITS, MissQueue};
use crate::cache::prefetch::tag_stage::TagStage;
use crate::datapath::bundles::line_bits;
use crate::datapath::general::address::Address;
use crate::datapath::general::lod::Lod;
use crate::datapath::general::projection::Projection;
use crate::datapath::general::request::Request;
use crate::datapath::general::ripmap::Ripmap;
use crate::datapath::general::slot::Slot;
use crate::datapath::general::words::{
    LeveledItem, ProjectedItem, general, has_indirect, has_stored_texels, lanes as lanes_of,
};
use crate::datapath::general::{LANES_MARGIN, RESULT_MARGIN, VALUES_MARGIN, WIDE_MARGIN};
use crate::engine::memory::{BurstPorts, FAULT_BITS, LINE_BITS, ReadChannel};
use crate::sampler::engine::read_shape;
use crate::sampler::ports::{
    Behind, Outside, Results, UnitPorts, count, follow_clocks, receive, report, request_fifo, request_switch,
    send, store_switch, watch,
};
use crate::sampler::request_switch::RequestSwitch;
use crate::sampler::store_switch::StoreSwitch;
use crate::sampler::stream_fifo::StreamFifo;
use crate::system::counters::{COUNTS, Increment};
use indirect::Indirect;
use lane::Lane;
use lanes::Lanes;
use off::Off;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SkidBuffer};
use tmu_spec::Config;

/// How fast each count rises.
fn increments() -> [Increment; COUNTS] {
    let mut all = [Increment::ONE; COUNTS];
    all[1] = Increment::FOUR;
    all[2] = Increment::FOUR;
    all[3] = Increment::FOUR;
    all[4] = Increment::FOUR;
    all[5] = Increment::FOUR;
    all
}

/// Quads that may be on their way from the `data_stage` to the stages that only some configurations have, and until it hears that
/// there is no more room.
fn texels_margin(config: &Config) -> usize {
    let lanes = if lanes_of(config) > 1 { LANES_MARGIN as usize } else { 0 };
    let wide = if has_stored_texels(config) { WIDE_MARGIN } else { 0 };
    RESULT_MARGIN + wide + lanes
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct GeneralSampler {
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
    store_switch: Optional<StoreSwitch>,
    request_switch: Optional<RequestSwitch>,
    request: Request,
    indirect: Optional<Flat<Indirect>>,
    off: Optional<Off>,
    entered: Optional<SkidBuffer>,
    projection: Projection,
    projected: Between,
    offered: Slot,
    ripmap: Optional<Ripmap>,
    lod: Lod,
    /// Behind indirect look-ups quads leave a FIFO.
    leveled: Optional<Between>,
    lane: Optional<Flat<Lane>>,
    lanes: Optional<Flat<Lanes>>,
    address: Address,
    tag_stage: TagStage,
    miss_queue: MissQueue,
    fill: Fill,
    data_stage: DataStage,
    results: Flat<Results>,
    result_room: Reg,
    invalidate_reg: Reg,
    _config: Config,
}

/// A place for quads between two stages, so that the ready of neither reaches the other one: with one lane a quad comes every fourth
/// clock, with several every clock.
#[derive(Bundle)]
struct Between {
    slot: Optional<Slot>,
    skid: Optional<SkidBuffer>,
}

impl Between {
    fn new(config: &Config, bits: usize) -> Between {
        let has_lanes = lanes_of(config) > 1;
        Between {
            slot: Optional::new(!has_lanes, || Slot::new(bits)),
            skid: Optional::new(has_lanes, || SkidBuffer::new(bits)),
        }
    }

    fn clocks(&self) -> &Clocks {
        let skid = self.skid.as_ref().map(|skid| &skid.clocks);
        self.slot.as_ref().map(|slot| &slot.clocks).or(skid).expect("one of them")
    }

    fn input(&self) -> &StreamIn {
        let skid = self.skid.as_ref().map(|skid| &skid.input);
        self.slot.as_ref().map(|slot| &slot.input).or(skid).expect("one of them")
    }

    fn output(&self) -> &StreamOut {
        let skid = self.skid.as_ref().map(|skid| &skid.output);
        self.slot.as_ref().map(|slot| &slot.output).or(skid).expect("one of them")
    }
}

impl GeneralSampler {
    /// A unit of a configuration.
    pub fn new(config: &Config) -> GeneralSampler {
        let has_control = config.control().port();
        let outside = Outside::new(config);
        let lanes = Optional::new(lanes_of(config) > 1, || Flat(Lanes::new(config)));
        let compare = lanes.as_ref().map_or(0, |lanes| lanes.compare_clocks() as usize);
        let indirect = Optional::new(has_indirect(config), || {
            Flat(Indirect::new(config, &outside.tmu, texels_margin(config) + compare))
        });
        GeneralSampler {
            result_room: Reg::with_reset(&outside.tmu, 1, 0),
            off: Optional::new(Off::is_built(config), || Off::new(config, &outside.tmu)),
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
            request_fifo: request_fifo(config, RamStyle::Block),
            store_switch: store_switch(config),
            request_switch: request_switch(config),
            request: Request::new(config),
            indirect,
            entered: entered::buffer(config),
            projection: Projection::new(config),
            projected: Between::new(config, ProjectedItem::of(config).width()),
            offered: Slot::flowing(ProjectedItem::of(config).width()),
            ripmap: Optional::new(general(config).ripmaps, || Ripmap::new(config)),
            lod: Lod::new(config),
            leveled: Optional::new(!has_indirect(config), || {
                Between::new(config, LeveledItem::of(config).width())
            }),
            lane: Optional::new(lanes_of(config) == 1, || Flat(Lane::new(config))),
            lanes,
            address: Address::new(config),
            tag_stage: TagStage::new(config),
            miss_queue: MissQueue::new(config),
            fill: Fill::new(config),
            data_stage: DataStage::new(config),
            results: Flat(Results::new(config, RamStyle::Block, increments())),
            _config: config.clone(),
        }
    }

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
impl GeneralSampler {
    fn module_name(&self) -> String {
        "unit".into()
    }

    fn logic(&self) {
        self.resets();
        self.quads();
        self.probes();
        self.tiles();
        self.texels();
        self.results();
        self.control();
    }

    fn resets(&self) {
        /// # Clocks and resets
        let stages = [
            Some(&self.request.clocks),
            self.entered.as_ref().map(|entered| &entered.clocks),
            Some(&self.projection.clocks),
            Some(self.projected.clocks()),
            Some(&self.offered.clocks),
            self.ripmap.as_ref().map(|ripmap| &ripmap.clocks),
            Some(&self.lod.clocks),
            self.leveled.as_ref().map(|leveled| leveled.clocks()),
            Some(&self.address.clocks),
            Some(&self.tag_stage.clocks),
            Some(&self.miss_queue.clocks),
            Some(&self.fill.clocks),
            Some(&self.data_stage.clocks),
        ];
        let own = match (self.lane.as_ref(), self.lanes.as_ref()) {
            (Some(lane), _) => lane.clocks(),
            (_, Some(lanes)) => lanes.clocks(),
            _ => vec![],
        };
        let of_indirect = self.indirect.as_ref().map_or_else(Vec::new, |indirect| indirect.clocks());
        let own = own.into_iter().chain(of_indirect).chain(self.off.as_ref().map(Off::clocks));
        let stages: Vec<_> = stages.into_iter().chain(own.map(Some)).collect();
        follow_clocks(&self.outside, &self.request_fifo, &stages, &self.results);
    }

    fn quads(&self) {
        /// # Quads
        let behind = Behind {
            store: self.store_switch.as_ref(),
            kit: self.request_switch.as_ref(),
            ..Behind::default()
        };
        receive(&self.outside, &self.request_fifo, behind, &self.request.beat);
        if let Some(indirect) = self.indirect.as_ref() {
            indirect::enter(indirect, self);
        } else {
            let input = &self.projection.input;
            let entered = entered::leaves(self, input.ready.val());
            input.valid.next = entered.valid;
            input.data.next = entered.item;
        }
        /// With one lane `lod` takes an item in one clock of four, and `projection` makes one in four; neither waits for the other in
        /// its clock.
        self.projected.input().take_from(&self.projection.output);
        self.offered.input.take_from(self.projected.output());
        if let Some(ripmap) = self.ripmap.as_ref() {
            ripmap.input.take_from(&self.offered.output);
            self.lod.input.take_from(&ripmap.turned);
            ripmap.leveled.take_from(&self.lod.output);
        } else {
            self.lod.input.take_from(&self.offered.output);
        }
        /// What `probes` can take depends on all stages up to the tags.
        let leveled = self.ripmap.as_ref().map_or(&self.lod.output, |ripmap| &ripmap.output);
        let probes = match (self.lane.as_ref(), self.lanes.as_ref()) {
            (Some(lane), _) => lane.input(),
            (_, Some(lanes)) => lanes.input(),
            _ => unreachable!("there are lanes"),
        };
        if let Some(indirect) = self.indirect.as_ref() {
            indirect::passes(indirect, self, leveled, probes);
        } else if let Some(between) = self.leveled.as_ref() {
            between.input().take_from(leveled);
            probes.take_from(between.output());
        }
    }

    fn probes(&self) {
        if let Some(lane) = self.lane.as_ref() {
            lane::probes(lane, self);
        } else if let Some(lanes) = self.lanes.as_ref() {
            lanes::probes(lanes, self);
        }
        /// # Addresses
        self.address.advance.next = self.tag_stage.advance.val();
        self.address.invalidating.next = self.tag_stage.invalidating.val();
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
        /// # Texels of tiles
        let (fill, data_stage) = (&self.fill, &self.data_stage);
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
        data_stage.out_ready.next = match self.indirect.as_ref() {
            Some(indirect) => indirect::has_room(indirect),
            None => self.result_room.val(),
        };
    }

    fn results(&self) {
        /// # Result FIFO
        let fifo = &self.results.result_fifo;
        let made = match (self.lane.as_ref(), self.lanes.as_ref()) {
            (Some(lane), _) => Some(lane::texels(lane, &self.data_stage)),
            (_, Some(lanes)) => Some(lanes::texels(lanes, self)),
            _ => None,
        };
        if let Some([done, result]) = made {
            let result = off::result(self, done, result);
            let switch = self.request_switch.as_ref();
            send(&self.outside, &self.results, switch, done, result);
            watch(switch, done, self.request.packet_dropped.val());
        }
        discard(fifo.input().ready.val(), "nothing leaves the cache when there is no room");
        if let Some(level) = fifo.write_level() {
            let most = self._config.result().fifo_depth() as usize - self.result_margin();
            self.result_room.next = level.val() < most as u64;
        }
    }

    /// Quads that may be on their way to the result FIFO when it reports that it fills.
    fn result_margin(&self) -> usize {
        let lane = self.lane.as_ref().map_or(0, |lane| lane.more_clocks());
        let lanes = self.lanes.as_ref().map_or(0, |lanes| lanes.more_clocks());
        let more = (lane + lanes) as usize;
        if self.indirect.is_some() { VALUES_MARGIN + more } else { texels_margin(&self._config) + more }
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
