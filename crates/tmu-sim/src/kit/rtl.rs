//! The hardware to be simulated, as data.

use tmu_hdl::diagnostic::Problems;
use tmu_rtl::outputs::Hardware;
use tmu_spec::Config;
use tmu_verilate::{Model, ModelOptions, ModelSource, Port, SourceFile};

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
    pub fn generate(config: &Config) -> Result<Self, Problems> {
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

    /// The Verilog, which is one file.
    #[must_use]
    pub fn verilog(&self) -> &str {
        let file = self.source.files.iter().find(|file| file.is_verilog());
        &file.expect("hardware is emitted as a file of Verilog").text
    }

    /// The same, to be changed.
    pub fn verilog_mut(&mut self) -> &mut String {
        let file = self.source.files.iter_mut().find(|file| file.is_verilog());
        &mut file.expect("hardware is emitted as a file of Verilog").text
    }

    /// The hardware with a fault planted in it: one text of the Verilog stands for another.
    ///
    /// # Panics
    /// If the Verilog has the text not exactly once.
    #[must_use]
    pub fn with_fault(mut self, right: &str, wrong: &str) -> Self {
        let verilog = self.verilog_mut();
        assert_eq!(verilog.matches(right).count(), 1, "{right} has one place in the Verilog");
        *verilog = verilog.replace(right, wrong);
        self
    }
}

/// Why hardware cannot be simulated.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The design checks refused the hardware.
    #[error("the hardware of this configuration does not pass the design checks:\n{0}")]
    Design(#[from] Problems),
    /// A tool is missing or failed.
    #[error(transparent)]
    Model(#[from] tmu_verilate::Error),
}

/// Emits the hardware of a configuration and compiles it for simulation, or finds it in the cache.
///
/// # Errors
/// If Verilator or the C++ compiler is missing or fails.
pub fn build(config: &Config, options: &ModelOptions) -> Result<(Rtl, Model), SetupError> {
    let rtl = Rtl::generate(config)?;
    let model = Model::build(&rtl.source, options)?;
    Ok((rtl, model))
}
