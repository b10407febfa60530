//! What a bench is told: clocks, memory, pauses, checks.

use crate::kit::clock::ClockShape;
use crate::kit::memory::MemoryTiming;
use crate::kit::pauses::Pauses;
use crate::kit::system::SystemOptions;
use tmu_spec::Config;
use tmu_verilate::Initial;

/// How a bench is set up.
#[derive(Debug, Clone, Copy)]
pub struct BenchOptions {
    /// `core_aclk`.
    pub core: ClockShape,
    /// `tmu_aclk`.
    pub tmu: ClockShape,
    /// `m_axi_aclk`, if there is one.
    pub memory: ClockShape,
    /// The memory's behaviour.
    pub memory_timing: MemoryTiming,
    /// Pauses of requests, results and the control port.
    pub stream_pauses: Pauses,
    /// Pauses of results, where they are others.
    pub result_pauses: Option<Pauses>,
    /// What registers hold before the first reset.
    pub initial: Initial,
    /// Compare results and reads with the golden model.
    pub checked: bool,
    /// Keep results for [`Bench::take_results`](super::Bench::take_results), reads for
    /// [`Bench::take_reads`](super::Bench::take_reads).
    pub collected: bool,
    /// Drives pauses, jitter and reordering.
    pub seed: u64,
    /// Clocks of `core_aclk` without any transfer, while something is due, after which the hardware hangs.
    pub patience_clocks: u64,
}

impl BenchOptions {
    /// The clocks of a configuration, memory of a latency, no pauses, checked.
    #[must_use]
    pub fn new(config: &Config, latency_clocks: u32) -> Self {
        let SystemOptions {
            core,
            tmu,
            memory,
            memory_timing,
            control_pauses,
            initial,
            seed,
            patience_clocks,
        } = SystemOptions::new(config, latency_clocks);
        Self {
            core,
            tmu,
            memory,
            memory_timing,
            stream_pauses: control_pauses,
            result_pauses: None,
            initial,
            checked: true,
            collected: false,
            seed,
            patience_clocks,
        }
    }

    /// The same, but results are left to the caller, who knows what they must be.
    #[must_use]
    pub fn collecting(config: &Config, latency_clocks: u32) -> Self {
        Self { checked: false, collected: true, ..Self::new(config, latency_clocks) }
    }

    /// Those of the system between the streams.
    pub(super) const fn system(&self) -> SystemOptions {
        let Self { core, tmu, memory, memory_timing, stream_pauses, initial, seed, patience_clocks, .. } =
            *self;
        let control_pauses = stream_pauses;
        SystemOptions { core, tmu, memory, memory_timing, control_pauses, initial, seed, patience_clocks }
    }
}
