//! Which random run: seed and options.

use crate::engines::sampler::regression::items::Items;
use crate::kit::pauses::Pauses;
use std::fmt;
use std::path::PathBuf;

/// A random run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regression {
    /// Everything random follows from it.
    pub seed: u64,
    /// Quads, over all units, that are answered when the run ends: exactly so many.
    pub quads: u64,
    /// Clocks of the memory port from address to data.
    pub latency_clocks: u32,
    /// Pauses of every stream and of memory.
    pub pauses: Pauses,
    /// Bad bindings, broken packets, failing reads and answers of memory of the wrong length.
    pub errors: bool,
    /// Resets of any side, soft resets and invalidations at random moments.
    pub resets: bool,
    /// Faults to inject one by one and to judge, instead of all these; the run ends after so many.
    pub faults: u64,
    /// Clocks as they are configured, without jitter, and memory that answers in order at its full width.
    pub plain: bool,
    /// Of all that the run does only these items; it ends after the last one.
    pub only: Option<Items>,
    /// A waveform of the whole run; the model must be built for it.
    pub waves: Option<PathBuf>,
    /// A directory for the files of coverage at the start and at the end; the model must be built for coverage.
    pub code_coverage: Option<PathBuf>,
}

impl Regression {
    /// A run without pauses, errors and resets.
    #[must_use]
    pub const fn new(seed: u64, quads: u64, latency_clocks: u32) -> Self {
        Self {
            seed,
            quads,
            latency_clocks,
            pauses: Pauses::NONE,
            errors: false,
            resets: false,
            faults: 0,
            plain: false,
            only: None,
            waves: None,
            code_coverage: None,
        }
    }
}

impl fmt::Display for Regression {
    /// The arguments with which `tmugen sim` repeats the run.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, quads, latency_clocks, pauses, errors, resets, faults, plain, only, .. } = self;
        write!(f, "--seed {seed}")?;
        match (only, faults) {
            (None, 0) => write!(f, " --quads {quads}")?,
            (Some(_), 0) => {}
            _ => write!(f, " --faults {faults}")?,
        }
        write!(f, " --latency {latency_clocks}")?;
        if *pauses != Pauses::NONE {
            write!(f, " --pauses {pauses}")?;
        }
        for (given, switch) in [(*errors, " --errors"), (*resets, " --resets"), (*plain, " --plain")] {
            f.write_str(if given { switch } else { "" })?;
        }
        match only {
            Some(only) => write!(f, " --only {only}"),
            None => Ok(()),
        }
    }
}
