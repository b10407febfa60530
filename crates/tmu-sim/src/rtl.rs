//! The hardware to be simulated, as data.

use tmu_spec::Config;
use tmu_verilate::ModelSource;

/// Emitted hardware with the configuration that it was made from.
#[derive(Debug, Clone)]
pub struct Rtl {
    /// What it was built to do.
    pub config: Config,
    /// Verilog, ROM contents, and the top module with its ports.
    pub source: ModelSource,
}
