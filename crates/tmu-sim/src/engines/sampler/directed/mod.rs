//! Quads made for what random ones hardly ever meet.
//!
//! | module | holds |
//! | --- | --- |
//! | [`footprints`] | edges of exactly the lengths at which the level of detail changes |
//! | [`failing_taps`] | single texels in lines that cannot be read |

pub mod failing_taps;
pub mod footprints;

use crate::engines::sampler::throughput::Workload;
use tmu_spec::Config;

/// All that a configuration can be given.
#[must_use]
pub fn workloads(config: &Config) -> Vec<Workload> {
    [footprints::workloads(config), failing_taps::workloads(config)].concat()
}
