//! The engines that there are.
//!
//! Texture units stand in [`crate::sampler`], since their stages are most of this crate; every other engine has a folder here.

use crate::engine::{Engine, Engines};
use crate::sampler::engine::Samplers;
use tmu_spec::Config;

/// The engines of a configuration.
#[must_use]
pub fn engines(config: &Config) -> Engines {
    let samplers: Box<dyn Engine> = Box::new(Samplers::new(config));
    Engines(vec![samplers])
}
