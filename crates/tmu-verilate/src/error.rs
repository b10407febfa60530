//! What can go wrong between Verilog text and a running model.
//!
//! Every message names the tool, file or port, the value, and what to do about it. Text printed by a tool is
//! kept as the tool wrote it, because it names the file and line in the Verilog.

use std::path::{Path, PathBuf};

use crate::cache::CACHE_VARIABLE;
use crate::route::Over;
use crate::tools::MissingTool;

/// Why a model could not be built, run or checked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A tool that the operation needs is not installed.
    #[error(transparent)]
    MissingTool(#[from] MissingTool),
    /// The description of the Verilog is wrong by itself; all faults found are listed.
    #[error("the model source `{top}` cannot be used:{}", bullets(.faults))]
    Source {
        /// Name of the top module.
        top: String,
        /// One sentence per fault.
        faults: Vec<String>,
    },
    /// A tool refused its input.
    #[error("{tool} failed on `{top}` ({status}):\n{output}")]
    Tool {
        /// Name of the tool.
        tool: &'static str,
        /// Name of the top module.
        top: String,
        /// Exit status as the system reports it.
        status: String,
        /// What the tool printed, standard error and standard output.
        output: String,
    },
    /// A device has too few sites for a design.
    #[error("`{top}` does not fit {device}: {}", overs(.over))]
    DoesNotFit {
        /// Name of the top module.
        top: String,
        /// The device.
        device: &'static str,
        /// Every kind of site that is too few.
        over: Vec<Over>,
    },
    /// The file system or a process failed.
    #[error("cannot {action} {}: {source}", .path.display())]
    Io {
        /// What was attempted, for example "write".
        action: &'static str,
        /// The file, directory or program.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The cache of compiled models cannot be written, or is full.
    #[error(
        "the cache of compiled models, {}, cannot be used: {reason} ({CACHE_VARIABLE} names another directory)",
        .path.display()
    )]
    Cache {
        /// The file or directory.
        path: PathBuf,
        /// What was attempted, and the system's reason or the tool's words.
        reason: String,
    },
    /// A compiled model cannot be loaded into this process.
    #[error("cannot load the compiled model {}: {reason} (delete this directory to have it built again)", .path.display())]
    Load {
        /// The shared library.
        path: PathBuf,
        /// The loader's reason.
        reason: String,
    },
    /// The model stopped: an assertion failed, `$stop`, `$fatal`, or a loop that does not settle.
    #[error("the model `{top}` failed at time {time}{}:\n{message}", .row.map(|row| format!(", row {row}")).unwrap_or_default())]
    Failed {
        /// Name of the top module.
        top: String,
        /// Simulation time of the evaluation.
        time: u64,
        /// Row of the input in a run over rows.
        row: Option<usize>,
        /// What the model printed while it failed.
        message: String,
    },
    /// Something was asked of a model that it was not built for, or of a port that it does not have.
    #[error("{0}")]
    Usage(String),
    /// A tool's output does not have the form that this crate reads.
    #[error("cannot read the output of {tool}: {reason}")]
    Output {
        /// Name of the tool.
        tool: &'static str,
        /// What was expected and what was found.
        reason: String,
    },
}

/// Result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

fn overs(over: &[Over]) -> String {
    let one = |Over { sites, by }: &Over| {
        format!("it takes {} {}, {by} more than the {} there are", sites.used, sites.site, sites.available)
    };
    over.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn bullets(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n  - {line}")).collect()
}

/// How systems and tools say that there is no room.
const FULL: [&str; 4] =
    ["No space left on device", "Disk quota exceeded", "File too large", "Read-only file system"];

impl Error {
    /// The same, or that the cache is full where that was the reason.
    pub(crate) fn if_cache_is_full(self, root: &Path) -> Self {
        let reason = match &self {
            Error::Tool { tool, output, .. } => {
                let line = output.lines().find(|line| FULL.iter().any(|reason| line.contains(reason)));
                line.map(|line| format!("{tool} says: {line}"))
            }
            Error::Io { source, .. } => {
                use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
                let is_full =
                    [FileTooLarge, QuotaExceeded, ReadOnlyFilesystem, StorageFull].contains(&source.kind());
                is_full.then(|| self.to_string())
            }
            _ => None,
        };
        reason.map(|reason| Error::Cache { path: root.to_path_buf(), reason }).unwrap_or(self)
    }
}

/// Adds to an I/O error what was attempted and on what.
pub(crate) trait IoContext<T> {
    fn context(self, action: &'static str, path: impl Into<PathBuf>) -> Result<T>;

    /// The same of a file of the cache.
    fn in_cache(self, action: &'static str, path: impl Into<PathBuf>) -> Result<T>;
}

impl<T> IoContext<T> for std::io::Result<T> {
    fn context(self, action: &'static str, path: impl Into<PathBuf>) -> Result<T> {
        self.map_err(|source| Error::Io { action, path: path.into(), source })
    }

    fn in_cache(self, action: &'static str, path: impl Into<PathBuf>) -> Result<T> {
        self.map_err(|source| Error::Cache {
            path: path.into(),
            reason: format!("cannot {action} it: {source}"),
        })
    }
}
