//! The clocks that a system has.

use tmu_spec::Config;
use tmu_spec::config::AxiClock;

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
