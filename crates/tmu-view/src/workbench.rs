//! What the view asks of whoever knows configurations and simulates hardware.

use serde::Serialize;
use tmu_problem::Problem;
use tmu_scene::Engine;
use tmu_spec::{Binding, Config};

/// What the hardware's counters have counted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct HardwareCounts {
    /// All look-ups.
    pub lookups: u64,
    /// Look-ups that read memory.
    pub misses: u64,
    /// The part of all look-ups that read no memory.
    pub hit_rate: f64,
}

/// An engine of scenes that is hardware.
pub trait HardwareEngine: Engine {
    /// What was counted since it was made; none where no counters are built.
    ///
    /// # Errors
    /// If the simulation breaks down.
    fn counts(&mut self) -> Result<Option<HardwareCounts>, Vec<Problem>>;
}

/// What knows configurations and simulates them.
pub trait Workbench: Send + Sync + 'static {
    /// Everything that a binding needs and a configuration, which the user calls `name`, does not build.
    fn not_built(&self, binding: &Binding, config: &Config, name: &str) -> Vec<Problem>;

    /// The tool without which nothing can be simulated here, if one is missing.
    fn missing(&self) -> Option<Problem>;

    /// Hardware over memory from texture address 0 on; `progress` is told how many quads are done.
    ///
    /// # Errors
    /// If it cannot be simulated.
    fn hardware(
        &self,
        config: &Config,
        memory: &[u8],
        progress: Box<dyn FnMut(u64)>,
    ) -> Result<Box<dyn HardwareEngine>, Vec<Problem>>;
}
