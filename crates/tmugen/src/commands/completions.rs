//! `tmugen completions`: completion scripts for shells.

use crate::cli::Cli;
use crate::console::{Summary, Verbosity};
use crate::problem::Failure;
use clap_complete::Shell;
use serde_json::Value;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tmugen completions bash
  tmugen completions zsh")]
pub(crate) struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
    #[arg(skip)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::parser(), "tmugen", &mut script);
        Ok(Summary::needed(String::from_utf8_lossy(&script), Value::Null))
    }
}
