//! What a bench is told: clocks, memory, pauses.

use crate::kit::clock::ClockShape;
use crate::kit::memory::MemoryTiming;
use crate::kit::pauses::Pauses;
use tmu_spec::Config;
use tmu_verilate::Initial;

/// How a system is set up.
#[derive(Debug, Clone, Copy)]
pub struct SystemOptions {
    /// `core_aclk`.
    pub core: ClockShape,
    /// `tmu_aclk`.
    pub tmu: ClockShape,
    /// `m_axi_aclk`, if there is one.
    pub memory: ClockShape,
    /// The memory's behaviour.
    pub memory_timing: MemoryTiming,
    /// Pauses of the control port.
    pub control_pauses: Pauses,
    /// What registers hold before the first reset.
    pub initial: Initial,
    /// Drives pauses, jitter and reordering.
    pub seed: u64,
    /// Clocks of `core_aclk` without any transfer, while something is due, after which the hardware hangs.
    pub patience_clocks: u64,
}

impl SystemOptions {
    /// The clocks of a configuration, memory of a latency, no pauses.
    #[must_use]
    pub fn new(config: &Config, latency_clocks: u32) -> Self {
        let clocks = config.clocks();
        let tmu = ClockShape { phase_fs: 311_000, ..ClockShape::from_mhz(clocks.tmu_mhz()) };
        let memory = clocks.memory_mhz().map_or(tmu, ClockShape::from_mhz);
        Self {
            core: ClockShape::from_mhz(clocks.core_mhz()),
            tmu,
            memory: ClockShape { phase_fs: 173_000, ..memory },
            memory_timing: MemoryTiming::latency(latency_clocks),
            control_pauses: Pauses::NONE,
            initial: Initial::Random(1),
            seed: 0,
            patience_clocks: 100_000,
        }
    }

    /// The seed of a part of the bench.
    #[must_use]
    pub const fn seed_of(&self, part: u64) -> u64 {
        self.seed.wrapping_mul(0x9e37_79b9).wrapping_add(part << 8)
    }
}
