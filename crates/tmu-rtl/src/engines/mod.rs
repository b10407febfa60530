//! The engines that there are.
//!
//! Texture units stand in [`crate::sampler`], since their stages are most of this crate; every other engine has a folder here.

pub mod copy;
pub mod loader;
pub mod mesh;
pub mod pixel;

use crate::engine::{Engine, Engines};
use crate::sampler::engine::Samplers;
use crate::system::registers::Register;
use tmu_spec::Config;
use tmu_spec::config::EngineKind;

/// The hardware of an engine.
fn engine(kind: EngineKind, config: &Config) -> Box<dyn Engine> {
    match kind {
        EngineKind::Sampler => Box::new(Samplers::new(config)),
        EngineKind::Copy => Box::new(copy::Copy::new(config)),
        EngineKind::Mesh => Box::new(mesh::Mesh::new(config)),
        EngineKind::Loader => Box::new(loader::Loader::new(config)),
        EngineKind::Pixel => Box::new(pixel::Pixel::new(config)),
    }
}

/// The registers of an engine, in a block of its own; texture units have none but those of the system.
#[must_use]
pub fn register_table(kind: EngineKind) -> &'static [Register] {
    match kind {
        EngineKind::Sampler => &[],
        EngineKind::Copy => copy::registers::TABLE,
        EngineKind::Mesh => mesh::registers::TABLE,
        EngineKind::Loader => loader::registers::TABLE,
        EngineKind::Pixel => pixel::registers::TABLE,
    }
}

/// Most reads that each channel has in flight, in the order of the channels.
#[must_use]
pub fn reads_in_flight(config: &Config) -> Vec<u32> {
    let of_kind = |kind: &EngineKind| match kind {
        EngineKind::Sampler => {
            let units = vec![config.axi().outstanding_reads(); config.units() as usize];
            units.into_iter().chain(config.control().store_table().then_some(1)).collect::<Vec<_>>()
        }
        kind => engine(*kind, config).reads().iter().map(|channel| channel.shape.most_reads as u32).collect(),
    };
    config.engines().iter().flat_map(of_kind).collect()
}

/// The engines of a configuration.
#[must_use]
pub fn engines(config: &Config) -> Engines {
    Engines(config.engines().iter().map(|kind| engine(*kind, config)).collect())
}
