//! The engine `pixel`: tile-based deferred rendering with a programmable shader. Wires only; [`pipeline`] holds the stages, and beside it stands the texture unit.

pub mod depth_setup;
pub mod drawing;
pub mod grouping;
pub mod hidden_surfaces;
pub mod interpolation;
pub mod job;
pub mod pipeline;
pub mod reads;
pub mod reciprocal;
mod records;
pub mod registers;
pub mod sampling;
pub mod shade;
mod step;
pub mod tile_buffer;
pub mod tile_depths;
pub mod tile_draw;
pub mod tile_fetch;
pub mod tile_walk;
pub mod triangle_data;
pub mod triangle_setup;
pub mod words;
pub mod write_back;
pub mod writes;

use crate::engine::memory::{ReadChannel, WriteChannel, line_bits};
use crate::engine::{Engine, RegisterBlock, SystemClocks};
use crate::sampler::general::GeneralSampler;
use pipeline::Pipeline;
use reads::read_shape;
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::config::EngineKind;
use writes::write_shape;

/// The engine: its interrupt and its hardware.
#[derive(Bundle)]
pub struct Pixel {
    /// A frame has ended.
    pub pixel_interrupt: Net<Out>,
    pipeline: Pipeline,
    pixel_unit: GeneralSampler,
}

impl Pixel {
    /// The engine of a configuration.
    #[must_use]
    pub fn new(config: &Config) -> Pixel {
        let unit = config.inside();
        Pixel {
            pixel_interrupt: Net::bit(),
            pipeline: Pipeline::new(config),
            pixel_unit: GeneralSampler::new(&unit),
        }
    }
}

impl Engine for Pixel {
    fn connect(&self, clocks: SystemClocks) {
        connect(self, clocks);
    }

    fn reads(&self) -> Vec<ReadChannel<'_>> {
        let pipeline = &self.pipeline;
        let shape = read_shape(line_bits(pipeline.config()));
        let own = [&pipeline.list_memory, &pipeline.data_memory, &pipeline.binding_memory];
        own.map(|memory| memory.channel(shape)).into_iter().chain([self.pixel_unit.ports().read]).collect()
    }

    fn writes(&self) -> Vec<WriteChannel<'_>> {
        let pipeline = &self.pipeline;
        vec![WriteChannel {
            shape: write_shape(),
            write: &pipeline.write,
            line: &pipeline.line,
            done: &pipeline.write_done,
            response: &pipeline.write_response,
        }]
    }

    fn registers(&self) -> Option<RegisterBlock<'_>> {
        Some(RegisterBlock::of(&self.pipeline.registers, EngineKind::Pixel))
    }

    fn stopped(&self) -> Vec<&Net<Out>> {
        vec![self.pixel_unit.ports().stopped]
    }
}

/// The pipeline and its texture unit, whose streams stay inside.
#[kernel]
fn connect(pixel: &Pixel, clocks: SystemClocks) {
    /// # Pixel pipeline
    let (pipeline, unit) = (&pixel.pipeline, pixel.pixel_unit.ports());
    pipeline.clocks.follow_with(clocks.tmu, clocks.flush);
    pixel.pixel_interrupt.next = pipeline.interrupt.val();
    unit.core.follow_with(clocks.tmu, clocks.fifo_reset);
    unit.tmu.follow_with(clocks.tmu, clocks.fifo_reset);
    unit.flush.next = clocks.flush;
    let (requests, results) = (unit.s_axis_req, unit.m_axis_res);
    let beat = pipeline.beat.data.val();
    let bits = requests.tdata.width();
    requests.tvalid.next = pipeline.beat.valid.val();
    requests.tdata.next = beat.low(bits);
    requests.tuser.next = beat.bit(bits);
    requests.tlast.next = beat.bit(bits + 1);
    pipeline.beat.ready.next = requests.tready.val();
    pipeline.result.valid.next = results.tvalid.val();
    pipeline.result.data.next = cat(&[results.tuser.val(), results.tdata.val()]);
    results.tready.next = pipeline.result.ready.val();
    let control = unit.control.expect("engines have a control port");
    control.invalidate_cache.next = 0;
    pipeline.breaks_rule.next = control.report.broken_rules.val().any();
    discard(control.report.packet_dropped.val(), "packets have the right length");
    discard(control.report.invalidating.val(), "requests wait by themselves");
}
