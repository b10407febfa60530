//! The engine `loader`: textures of pictures in memory. Wires only; [`loading`] holds the stages.

pub mod answers;
pub mod average;
pub mod job_streams;
pub mod job_port;
pub mod job;
pub mod loading;
pub mod pack;
pub mod pieces;
pub mod regions;
pub mod registers;
pub mod texels;
pub mod walk;
pub mod weights;
pub mod words;
pub mod writer;

use crate::engine::memory::{ReadChannel, WriteChannel};
use crate::engine::{Engine, RegisterBlock, SystemClocks};
use job_streams::JobStreams;
use loading::Loading;
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::config::EngineKind;

/// Bits of a place in the ring of lines.
#[must_use]
pub fn ring_bits(config: &Config) -> usize {
    config.engine_configs().loader().buffer_bits() as usize
}

/// The engine: its interrupt, its streams and its hardware.
#[derive(Bundle)]
pub struct Loader {
    /// A job has ended.
    pub loader_interrupt: Net<Out>,
    streams: Optional<Flat<JobStreams>>,
    loader: Loading,
}

impl Loader {
    /// The engine of a configuration.
    #[must_use]
    pub fn new(config: &Config) -> Loader {
        let has_job_port = config.engine_configs().loader().job_port();
        Loader {
            loader_interrupt: Net::bit(),
            streams: Optional::new(has_job_port, || Flat(JobStreams::new())),
            loader: Loading::new(config),
        }
    }
}

impl Engine for Loader {
    fn connect(&self, clocks: SystemClocks) {
        self.loader.clocks.follow_with(clocks.tmu, clocks.flush);
        self.loader_interrupt.drive(self.loader.interrupt.val());
        if let (Some(streams), Some(ports)) = (self.streams.as_ref(), self.loader.job_port()) {
            job_streams::connect(streams, clocks, ports.0, ports.1);
        }
    }

    fn reads(&self) -> Vec<ReadChannel<'_>> {
        vec![self.loader.memory.channel(regions::read_shape(&self.loader._config))]
    }

    fn writes(&self) -> Vec<WriteChannel<'_>> {
        let loader = &self.loader;
        vec![WriteChannel {
            shape: writer::write_shape(),
            write: &loader.write,
            line: &loader.line,
            done: &loader.write_done,
            response: &loader.write_response,
        }]
    }

    fn registers(&self) -> Option<RegisterBlock<'_>> {
        Some(RegisterBlock::of(&self.loader.registers, EngineKind::Loader))
    }

    fn stopped(&self) -> Vec<&Net<Out>> {
        self.streams.iter().flat_map(|streams| streams.stopped()).collect()
    }
}
