//! `proofs/made.toml`: which proofs have been made, of what, and how long each took.
//!
//! A proof holds wherever it was made, so one whose digest stands here needs not be made again: the digest is of
//! everything that it is made of, the emitted block, the properties, what Yosys does with them and what the provers are
//! asked.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

const HEAD: &str =
    "# Which proofs have been made, of what, and how long each took with its covers. Written by
# UPDATE_DOCS=1 cargo test -p tmu-formal --test proofs
";

/// All proofs that have been made, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ledger {
    entries: BTreeMap<String, Entry>,
}

/// A proof that has been made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// SHA-256 of everything that the proof was made of.
    of: String,
    /// Seconds that proof and covers took.
    seconds: u64,
}

/// Why there is no ledger.
#[derive(Debug, Error)]
pub enum Error {
    /// It cannot be read or written.
    #[error("{}: {source}", Ledger::file().display())]
    File {
        /// What the system says.
        #[from]
        source: io::Error,
    },
    /// It is not what this module writes.
    #[error("{}: {source}", Ledger::file().display())]
    Text {
        /// Where it is something else.
        #[from]
        source: toml::de::Error,
    },
}

impl Ledger {
    fn file() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("proofs/made.toml")
    }

    /// The ledger of the source tree.
    ///
    /// # Errors
    /// If it cannot be read, or is none.
    pub fn read() -> Result<Self, Error> {
        Ok(toml::from_str(&fs::read_to_string(Self::file())?)?)
    }

    /// Writes it to the source tree.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self) -> Result<(), Error> {
        let text =
            toml::to_string(self).unwrap_or_else(|error| unreachable!("text and numbers only: {error}"));
        Ok(fs::write(Self::file(), format!("{HEAD}\n{text}"))?)
    }

    /// Whether the proof of this name has been made of what has this digest.
    #[must_use]
    pub fn has(&self, proof: &str, digest: &str) -> bool {
        self.entries.get(proof).is_some_and(|entry| entry.of == digest)
    }

    /// How long a proof took, if it has been made.
    #[must_use]
    pub fn seconds(&self, proof: &str) -> Option<u64> {
        self.entries.get(proof).map(|entry| entry.seconds)
    }

    /// Enters a proof that was made just now.
    pub fn enter(&mut self, proof: &str, digest: String, seconds: u64) {
        self.entries.insert(proof.to_owned(), Entry { of: digest, seconds });
    }

    /// Keeps only what stands in the table of proofs.
    pub fn keep(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.entries.retain(|name, _| is_kept(name));
    }
}
