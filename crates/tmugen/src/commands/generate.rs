//! `tmugen generate`: Verilog from a configuration, once the hardware is in the build.

use crate::args::ConfigArgs;
use crate::console::{Summary, Verbosity};
use crate::engine::no_hardware;
use crate::problem::Failure;
use std::path::PathBuf;

/// Write the Verilog of a texture unit (not in this build yet)
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tmugen generate --preset fury -o hdl/

This build has no hardware yet: the command checks the configuration and ends with exit code 3.")]
pub(crate) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    /// The folder to write to
    #[arg(short, long, value_name = "FOLDER")]
    out: PathBuf,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        self.config.load()?;
        Err(no_hardware(&format!(
            "{} is legal, but nothing was written to {}",
            self.config.name(),
            self.out.display()
        )))
    }
}
