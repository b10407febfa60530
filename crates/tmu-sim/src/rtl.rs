//! The hardware to be simulated, as data.

use tmu_hdl::diagnostic::Diagnostics;
use tmu_rtl::outputs::Hardware;
use tmu_spec::Config;
use tmu_verilate::{ModelSource, Port, SourceFile};

/// Emitted hardware with the configuration that it was made from.
#[derive(Debug, Clone)]
pub struct Rtl {
    /// What it was built to do.
    pub config: Config,
    /// Verilog, ROM contents, and the top module with its ports.
    pub source: ModelSource,
}

impl Rtl {
    /// Emits the hardware of a configuration.
    ///
    /// # Errors
    /// What the design checks found; a legal configuration has none.
    pub fn generate(config: &Config) -> Result<Self, Diagnostics> {
        let hardware = Hardware::new(config)?;
        let port = |port: tmu_rtl::outputs::TopPort| match (port.is_clock(), port.is_input) {
            (true, _) => Port::clock(port.name),
            (false, true) => Port::input(port.name, port.width_bits),
            (false, false) => Port::output(port.name, port.width_bits),
        };
        let files = hardware.verilog_files().into_iter();
        let source = ModelSource {
            top: hardware.top().to_owned(),
            files: files.map(|file| SourceFile::new(file.name, file.text)).collect(),
            ports: hardware.ports().map(port).collect(),
        };
        Ok(Self { config: config.clone(), source })
    }
}
