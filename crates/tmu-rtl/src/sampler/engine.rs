//! Texture units as an engine: a request stream and a result stream each.
//!
//! Each unit reads through a channel of its own, inside the texture window. Wires only.

use crate::datapath::bundles::line_bits;
use crate::engine::memory::{ReadChannel, ReadShape};
use crate::engine::{Engine, RegisterBlock, SystemClocks};
use crate::sampler::fury::Sampler;
use crate::sampler::general::GeneralSampler;
use crate::sampler::ports::{RequestStream, ResultStream, UnitControl, UnitPorts};
use crate::sampler::quad::QuadSampler;
use crate::sampler::store_port::StorePort;
use crate::sampler::store_port::loading::TablePorts;
use crate::sampler::store_port::registers::STORE_SPACE;
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::config::CacheKind;

/// The texture units of a configuration.
#[derive(Bundle)]
pub struct Samplers {
    /// Requests, one stream a unit.
    pub s_axis_req: Numbered<RequestStream>,
    /// Results, one stream a unit.
    pub m_axis_res: Numbered<ResultStream>,
    unit: Vec<Sampler>,
    quad_unit: Vec<QuadSampler>,
    general_unit: Vec<GeneralSampler>,
    store_port: Optional<StorePort>,
}

impl Samplers {
    /// The units of a configuration.
    pub fn new(config: &Config) -> Samplers {
        let units = config.units() as usize;
        let is_general = config.features().general().is_some();
        let prefetches = config.cache().kind() == CacheKind::Prefetch && !is_general;
        let blocks = !prefetches && !is_general;
        Samplers {
            s_axis_req: Numbered((0..units).map(|_| RequestStream::new(config)).collect()),
            m_axis_res: Numbered((0..units).map(|_| ResultStream::new(config)).collect()),
            unit: (0..if blocks { units } else { 0 }).map(|_| Sampler::new(config)).collect(),
            quad_unit: (0..if prefetches { units } else { 0 }).map(|_| QuadSampler::new(config)).collect(),
            general_unit: (0..if is_general { units } else { 0 })
                .map(|_| GeneralSampler::new(config))
                .collect(),
            store_port: Optional::new(config.control().store_port(), || StorePort::new(config)),
        }
    }

    /// The units, whichever kind they are of.
    fn ports(&self) -> Vec<UnitPorts<'_>> {
        let blocking = self.unit.iter().map(Sampler::ports);
        let prefetching = self.quad_unit.iter().map(QuadSampler::ports);
        blocking.chain(prefetching).chain(self.general_unit.iter().map(GeneralSampler::ports)).collect()
    }
}

impl Engine for Samplers {
    fn connect(&self, clocks: SystemClocks) {
        connect(self, clocks);
    }

    fn reads(&self) -> Vec<ReadChannel<'_>> {
        let table = self.store_port.as_ref().and_then(|port| port.table.as_ref());
        self.ports().iter().map(|unit| unit.read).chain(table.map(TablePorts::channel)).collect()
    }

    fn registers(&self) -> Option<RegisterBlock<'_>> {
        self.store_port.as_ref().map(|port| RegisterBlock { port: &port.registers, space: STORE_SPACE })
    }

    fn units(&self) -> Vec<UnitControl<'_>> {
        self.ports().iter().filter_map(|unit| unit.control).collect()
    }

    fn stopped(&self) -> Vec<&Net<Out>> {
        self.ports().iter().map(|unit| unit.stopped).collect()
    }
}

#[kernel]
fn connect(samplers: &Samplers, clocks: SystemClocks) {
    /// # Units
    for (number, unit) in samplers.ports().iter().enumerate() {
        unit.core.follow_with(clocks.core, clocks.core_reset);
        unit.tmu.follow_with(clocks.tmu, clocks.fifo_reset);
        unit.flush.next = clocks.flush;
        let (outer, inner) = (&samplers.s_axis_req[number], unit.s_axis_req);
        inner.tvalid.next = outer.tvalid.val();
        inner.tdata.next = outer.tdata.val();
        inner.tuser.next = outer.tuser.val();
        inner.tlast.next = outer.tlast.val();
        outer.tready.next = inner.tready.val();
        let (outer, inner) = (&samplers.m_axis_res[number], unit.m_axis_res);
        outer.tvalid.next = inner.tvalid.val();
        outer.tdata.next = inner.tdata.val();
        outer.tuser.next = inner.tuser.val();
        if let (Some(outer), Some(inner)) = (outer.tlast.as_ref(), inner.tlast.as_ref()) {
            outer.next = inner.val();
        }
        inner.tready.next = outer.tready.val();
    }
    let Some(port) = samplers.store_port.as_ref() else { return };
    /// # Parameter stores
    port.clocks.follow_with(clocks.tmu, clocks.flush);
    for (unit, packets) in samplers.ports().iter().zip(&port.units) {
        unit.stored.expect("the configuration has the port").take_from(packets);
    }
}

/// What a unit may ask of memory.
pub(super) fn read_shape(config: &Config, length_bits: usize) -> ReadShape {
    let tiles = config.axi().outstanding_reads() as usize;
    // The read of a tile may be split in two at a boundary.
    let (most_reads, most_lines) = if length_bits > 0 { (2 * tiles, tiles << length_bits) } else { (1, 1) };
    ReadShape {
        line_bits: line_bits(config),
        length_bits,
        most_reads,
        most_lines,
        is_windowed: true,
        reports_faults: length_bits > 0 && config.control().port(),
    }
}
