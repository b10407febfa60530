//! The Verilog of the blocks that proofs are about.

use serde::Deserialize;
use std::collections::BTreeSet;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::Block;
use tmu_hdl::primitives::{AsyncFifo, GrantTiming, RamStyle, RoundRobinArbiter, SkidBuffer, SyncFifo};
use tmu_hdl::verilog::emit;
use tmu_rtl::outputs::Hardware;
use tmu_spec::{Config, Preset};

/// Where a block's Verilog comes from.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", untagged)]
pub enum Subject {
    /// A module of a preset, as it is emitted.
    Preset {
        /// The preset.
        preset: String,
        /// The module.
        module: String,
    },
    /// A primitive of the toolkit by itself.
    Primitive {
        /// Which one.
        primitive: Primitive,
        /// Items that it holds, or requests that it chooses from.
        #[serde(default)]
        depth: usize,
        /// Bits of an item.
        #[serde(default)]
        width: usize,
    },
}

/// A primitive of the toolkit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Primitive {
    /// A register stage between two streams.
    SkidBuffer,
    /// A FIFO in LUT RAM.
    SyncFifo,
    /// A FIFO in block RAM, whose output register is used.
    SyncFifoBlock,
    /// As before, with a level that counts an item for one more clock.
    SyncFifoBlockLate,
    /// A FIFO between two clocks.
    AsyncFifo,
    /// An arbiter that grants at once.
    Arbiter,
    /// An arbiter that grants from registers.
    ArbiterRegistered,
}

impl Primitive {
    /// What it is called in reports.
    const fn name(self) -> &'static str {
        match self {
            Self::SkidBuffer => "skid buffer",
            Self::SyncFifo => "FIFO in LUT RAM",
            Self::SyncFifoBlock => "FIFO in block RAM",
            Self::SyncFifoBlockLate => "FIFO in block RAM, late level",
            Self::AsyncFifo => "FIFO between clocks",
            Self::Arbiter => "arbiter",
            Self::ArbiterRegistered => "arbiter with registers",
        }
    }
}

/// Why there is no Verilog.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The table names a preset that does not ship.
    #[error("there is no preset `{0}`")]
    NoPreset(String),
    /// The table's configuration is not legal.
    #[error("{0}")]
    Config(String),
    /// The design checks found something.
    #[error("{0}")]
    Design(String),
    /// The table names a module that is not emitted.
    #[error("no module `{0}` is emitted")]
    NoModule(String),
}

impl Subject {
    /// What it is called in reports.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Preset { preset, module } => format!("`{module}` of `{preset}`"),
            Self::Primitive { primitive, depth, width } => match (depth, width) {
                (0, width) => format!("{} of {width} bits", primitive.name()),
                (depth, 0) => format!("{} of {depth}", primitive.name()),
                (depth, width) => format!("{} of {depth} x {width}", primitive.name()),
            },
        }
    }

    /// Name of the module.
    #[must_use]
    pub fn module(&self) -> String {
        match self {
            Self::Preset { module, .. } => module.clone(),
            Self::Primitive { .. } => "block".to_owned(),
        }
    }

    /// The module and all that are below it, as they are emitted.
    ///
    /// # Errors
    /// If the table is wrong.
    pub fn modules(&self) -> Result<Vec<(String, String)>, Error> {
        let all = match self {
            Self::Preset { preset, .. } => {
                let found = Preset::find(preset).ok_or_else(|| Error::NoPreset(preset.clone()))?;
                emitted(&found.config().map_err(|errors| Error::Config(errors.to_string()))?)?
            }
            Self::Primitive { primitive, depth, width } => of_primitive(*primitive, *depth, *width)?,
        };
        below(&self.module(), &all)
    }
}

/// All modules of a configuration.
fn emitted(config: &Config) -> Result<Vec<(String, String)>, Error> {
    let hardware = Hardware::new(config).map_err(|found| Error::Design(found.to_string()))?;
    let files = hardware.verilog_files();
    Ok(files.iter().filter(|file| file.name.ends_with(".v")).flat_map(|file| split(&file.text)).collect())
}

/// A file's modules, by name.
fn split(text: &str) -> Vec<(String, String)> {
    let parts = text.split("\nmodule ").skip(1);
    parts
        .filter_map(|part| {
            let (body, _) = part.split_once("\nendmodule")?;
            let name = body.split([' ', '(']).next()?;
            Some((name.to_owned(), format!("module {body}\nendmodule\n")))
        })
        .collect()
}

fn of_primitive(primitive: Primitive, depth: usize, width: usize) -> Result<Vec<(String, String)>, Error> {
    match primitive {
        Primitive::SkidBuffer => of_block(&SkidBuffer::new(width)),
        Primitive::SyncFifo => of_block(&SyncFifo::new(depth, width)),
        Primitive::SyncFifoBlock => of_block(&SyncFifo::with_style(depth, width, RamStyle::Block)),
        Primitive::SyncFifoBlockLate => {
            of_block(&SyncFifo::with_style(depth, width, RamStyle::Block).with_late_level())
        }
        Primitive::AsyncFifo => of_block(&AsyncFifo::new(depth, width)),
        Primitive::Arbiter => of_block(&RoundRobinArbiter::new(depth, GrantTiming::Combinational)),
        Primitive::ArbiterRegistered => of_block(&RoundRobinArbiter::new(depth, GrantTiming::Registered)),
    }
}

fn of_block(block: &dyn Block) -> Result<Vec<(String, String)>, Error> {
    let design = elaborate("block", block).map_err(|found| Error::Design(found.to_string()))?;
    let modules = emit(&design).modules;
    // A module's text begins with its comment.
    Ok(modules.into_iter().flat_map(|module| split(&format!("\n{}", module.text))).collect())
}

/// A module and all that it is made of, in the order of `all`.
fn below(top: &str, all: &[(String, String)]) -> Result<Vec<(String, String)>, Error> {
    let mut wanted = BTreeSet::new();
    let mut open = vec![top];
    while let Some(name) = open.pop() {
        let (_, text) =
            all.iter().find(|(known, _)| known == name).ok_or_else(|| Error::NoModule(name.to_owned()))?;
        if wanted.insert(name) {
            let used = text.lines().filter_map(|line| line.strip_prefix("    ")?.split(' ').next());
            open.extend(
                used.filter_map(|word| all.iter().find(|(known, _)| known == word)).map(|(n, _)| n.as_str()),
            );
        }
    }
    Ok(all.iter().filter(|(name, _)| wanted.contains(name.as_str())).cloned().collect())
}
