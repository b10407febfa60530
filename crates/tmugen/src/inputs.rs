//! Readers of files that users hand to commands, with what commands make of them, but without tools and output:
//! where fuzz targets enter.
//!
//! Each gives the text that its command would show. [`crate::quads`] reads lists of quads; configurations, textures,
//! pictures, meshes and scenes have readers in their own crates.

use crate::cli::Cli;
use crate::commands::{estimate, explore};
use crate::problem::Failure;
use std::path::Path;

/// Results of `tmugen explore`, as table, CSV and plot.
///
/// # Errors
/// Lines that are no results, and results that do not belong together.
pub fn explored(content: &[u8], path: &Path) -> Result<String, Failure> {
    explore::shown(content, path)
}

/// The jobs of a sweep over the default configuration; each line is a `--vary`. None is done.
///
/// # Errors
/// Keys and values that no configuration has, or too many of them.
pub fn sweep(lines: &str) -> Result<usize, Failure> {
    explore::jobs(lines)
}

/// An estimate that was saved, compared with itself.
///
/// # Errors
/// If it is none.
pub fn saved_estimate(text: &str, path: &Path) -> Result<String, Failure> {
    estimate::saved(text, path)
}

/// Names of the top module and of the files that the manifest of an emitted folder lists.
///
/// # Errors
/// If it is none.
pub fn manifest(text: &str, path: &Path) -> Result<Vec<String>, Failure> {
    estimate::listed(text, path)
}

/// A command line, with a word for each line; whether it is one. The command is not run.
#[must_use]
pub fn is_command_line(lines: &str) -> bool {
    Cli::parse_from(std::iter::once("tmugen").chain(lines.lines())).is_ok()
}
