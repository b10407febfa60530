//! `unit`: one texture unit between its request FIFO and its result FIFO. Wires only.

use crate::cache::blocking::Cache;
use crate::datapath::address::blocking::Address;
use crate::datapath::bundles::{BindingField, BindingState, line_bits};
use crate::datapath::coordinate::blocking::Coordinate;
use crate::datapath::decode::blocking::Decode;
use crate::datapath::filter::blocking::Filter;
use crate::datapath::lod::blocking::Lod;
use crate::datapath::request::blocking::Request;
use crate::engine::memory::{LINE_BITS, ReadChannel};
use crate::sampler::engine::read_shape;
use crate::sampler::ports::{
    Behind, Outside, Results, UnitPorts, count, follow_clocks, receive, report, request_fifo, request_switch,
    send, watch,
};
use crate::sampler::request_switch::RequestSwitch;
use crate::sampler::stream_fifo::StreamFifo;
use crate::system::counters::{COUNTS, Increment};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::RamStyle;
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
    outside: Flat<Outside>,
    /// Lines wanted from memory.
    pub read: StreamOut,
    /// The line has come.
    pub line_valid: Net<In>,
    /// The line.
    pub line_data: Net<In>,
    /// The line could not be read.
    pub line_error: Net<In>,
    request_fifo: StreamFifo,
    request_switch: Optional<RequestSwitch>,
    request: Request,
    lod: Optional<Lod>,
    coordinate: Coordinate,
    address: Address,
    cache: Cache,
    decode: Decode,
    filter: Filter,
    results: Flat<Results>,
    _config: Config,
}

impl Sampler {
    /// A unit of a configuration.
    pub fn new(config: &Config) -> Sampler {
        Sampler {
            outside: Flat(Outside::new(config)),
            read: StreamOut::new(line_bits(config)),
            line_valid: Net::bit(),
            line_data: Net::new(LINE_BITS),
            line_error: Net::bit(),
            request_fifo: request_fifo(config, RamStyle::Distributed),
            request_switch: request_switch(config),
            request: Request::new(config),
            lod: Optional::new(config.features().mipmaps(), || Lod::new(config)),
            coordinate: Coordinate::new(config),
            address: Address::new(config),
            cache: Cache::new(config),
            decode: Decode::new(config),
            filter: Filter::new(config),
            results: Flat(Results::new(config, RamStyle::Distributed, INCREMENTS)),
            _config: config.clone(),
        }
    }
}

impl Sampler {
    /// Its outside.
    pub fn ports(&self) -> UnitPorts<'_> {
        self.outside.ports(ReadChannel {
            shape: read_shape(&self._config, 0),
            read: &self.read,
            line_valid: &self.line_valid,
            line_data: &self.line_data,
            line_response: &self.line_error,
            bursts: None,
            fault: None,
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
        let stages = [
            Some(&self.request.clocks),
            Some(&self.coordinate.clocks),
            Some(&self.address.clocks),
            Some(&self.cache.clocks),
            Some(&self.decode.clocks),
            Some(&self.filter.clocks),
            self.lod.as_ref().map(|lod| &lod.clocks),
        ];
        follow_clocks(&self.outside, &self.request_fifo, &stages, &self.results);
    }

    fn requests(&self) {
        /// # Request FIFO
        let behind = Behind { kit: self.request_switch.as_ref(), ..Behind::default() };
        receive(&self.outside, &self.request_fifo, behind, &self.request.beat);
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
        let (done, fifo) = (self.filter.done.val(), &self.results.result_fifo);
        send(&self.outside, &self.results, self.request_switch.as_ref(), done, self.filter.result.val());
        watch(self.request_switch.as_ref(), done, self.request.packet_dropped.val());
        discard(fifo.input().ready.val(), "no more quads are let in than there is room for");
        self.request.quad_done.next = done;
        if let Some(level) = fifo.write_level() {
            self.request.result_level.next = level.val();
        }
    }

    fn control(&self) {
        /// # Control and counters
        let invalidating = self.cache.invalidating.val();
        self.request.invalidating.next = invalidating;
        let entry_drops = self.request.invalidate_cache.val();
        self.cache.invalidate.next = match self.outside.invalidate_cache.as_ref() {
            Some(invalidate) => invalidate.val() || entry_drops,
            None => entry_drops,
        };
        let packet_dropped = self.request.packet_dropped.val();
        report(&self.outside, self.request.broken_rules.val(), packet_dropped, invalidating);
        let events = self.cache.events.val();
        let event = |bit: usize| events.bit(bit);
        count(
            &self.outside,
            &self.results,
            [
                self.request.quad_enters.val(),
                self.request.pixels_enter.val(),
                event(0),
                event(1),
                event(2),
                event(3),
                self.line_valid.val(),
                event(4),
                packet_dropped,
            ],
        );
    }
}
