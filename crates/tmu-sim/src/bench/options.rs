//! What a bench is told: clocks, memory, pauses, checks.

use crate::bus::memory::MemoryTiming;
use crate::clock::ClockShape;
use crate::pauses::Pauses;
use tmu_spec::Config;
use tmu_spec::config::AxiClock;
use tmu_verilate::Initial;

/// A clock with its reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// `core_aclk`: streams and control port.
    Core,
    /// `tmu_aclk`: everything between the FIFOs.
    Tmu,
    /// `m_axi_aclk`: the memory port, where it has its own clock.
    Memory,
}

impl Domain {
    /// All of them; the last one is there only where the memory port has its own clock.
    pub const ALL: [Domain; 3] = [Domain::Core, Domain::Tmu, Domain::Memory];

    /// What the names of its ports begin with.
    pub(crate) const fn prefix(self) -> &'static str {
        match self {
            Domain::Core => "core",
            Domain::Tmu => "tmu",
            Domain::Memory => "m_axi",
        }
    }

    /// Those that a configuration has.
    #[must_use]
    pub fn of(config: &Config) -> &'static [Domain] {
        &Self::ALL[..if config.axi().clock() == AxiClock::Own { 3 } else { 2 }]
    }
}

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
    /// Keep results for [`Bench::take_results`](super::Bench::take_results).
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
        let clocks = config.clocks();
        let tmu = ClockShape { phase_fs: 311_000, ..ClockShape::from_mhz(clocks.tmu_mhz()) };
        let memory = clocks.memory_mhz().map_or(tmu, ClockShape::from_mhz);
        Self {
            core: ClockShape::from_mhz(clocks.core_mhz()),
            tmu,
            memory: ClockShape { phase_fs: 173_000, ..memory },
            memory_timing: MemoryTiming::latency(latency_clocks),
            stream_pauses: Pauses::NONE,
            result_pauses: None,
            initial: Initial::Random(1),
            checked: true,
            collected: false,
            seed: 0,
            patience_clocks: 100_000,
        }
    }
}
