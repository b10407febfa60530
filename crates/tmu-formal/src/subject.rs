//! The Verilog of the blocks that proofs are about.

use crate::bank;
use crate::credits::Credits;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use tmu_hdl::bus::{
    AxiLiteSlave, AxiReadMaster, AxiShape, AxiWriteMaster, RegisterBank, WishboneMaster, WishboneSlave,
};
use tmu_hdl::design::Design;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::mutate::{Mutation, MutationError, wire};
use tmu_hdl::prelude::Block;
use tmu_hdl::primitives::{AsyncFifo, GrantTiming, RamStyle, RoundRobinArbiter, SkidBuffer, SyncFifo};
use tmu_hdl::verilog::{Module, Modules, emit};
use tmu_rtl::datapath::general;
use tmu_rtl::datapath::general::indirect::{aggregate::Aggregate, look_ahead::LookAhead};
use tmu_rtl::engines::pixel;
use tmu_rtl::engines::pixel::shade::{self, words::ShadeShape};
use tmu_rtl::engines::pixel::words::{LINE_NUMBER_BITS, TileShape};
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
    /// Modules of a configuration of `proofs/configurations`, as they are emitted.
    Configuration {
        /// Name of its file without the extension.
        configuration: String,
        /// The modules; of several the properties file wires them together.
        modules: Vec<String>,
    },
    /// A stage of the general numerics with the features of a preset, by itself.
    General {
        /// The preset.
        preset: String,
        /// The stage.
        general: GeneralStage,
    },
    /// A stage of the pixel pipeline by itself, for tiles that are as small as it takes them.
    Pixel {
        /// The stage.
        pixel: PixelStage,
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

/// A stage of the general numerics, made without the unit around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GeneralStage {
    /// Puts packets together and deals them out.
    Request,
    /// Of each quad its probes.
    Probes,
    /// From the texels under a probe to items for the cache.
    Footprint,
    /// A tap across an edge of a cube.
    CubeEdge,
    /// First passes of indirect quads, and what waits for them. Eight bits more belong to an item.
    LookAhead,
    /// Values of indirect quads put together, with as many on their way as a unit has.
    Aggregate,
}

impl GeneralStage {
    /// The name of its module.
    const fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Probes => "probes",
            Self::Footprint => "footprint",
            Self::CubeEdge => "cube_edge",
            Self::LookAhead => "look_ahead",
            Self::Aggregate => "aggregate",
        }
    }

    fn design(self, config: &Config) -> Result<Design, Error> {
        let name = self.name();
        match self {
            Self::Request => of_block(name, &general::request::Request::new(config)),
            Self::Probes => of_block(name, &general::probes::Probes::new(config)),
            Self::Footprint => of_block(name, &general::footprint::FootprintStage::new(config)),
            Self::CubeEdge => of_block(name, &general::cube_edge::CubeEdge::new(config)),
            Self::LookAhead => of_block(name, &LookAhead::new(8)),
            Self::Aggregate => of_block(name, &Aggregate::new(config, 64)),
        }
    }
}

/// A stage of the pixel pipeline, made without the engine around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PixelStage {
    /// From the triangles that are seen to quads.
    Grouping,
    /// Reads of records.
    Reads,
    /// Texture instructions.
    ShadeTexture,
    /// What texture instructions give.
    ShadeAnswers,
    /// Lines of tiles to writes.
    Writes,
}

/// 4 × 4 pixels, two of them a clock, of four triangles.
const TILE: TileShape = TileShape { width_log2: 2, height_log2: 2, lanes_log2: 1, number_bits: 2 };

/// Four quads on their way, two states, a bit that goes along.
const SHADE: ShadeShape = ShadeShape { quads_log2: 2, slots_log2: 1, lanes: 4, along_bits: 1 };

impl PixelStage {
    /// The name of its module.
    const fn name(self) -> &'static str {
        match self {
            Self::Grouping => "grouping",
            Self::Reads => "pixel_reads",
            Self::ShadeTexture => "shade_texture",
            Self::ShadeAnswers => "shade_answers",
            Self::Writes => "writes",
        }
    }

    fn design(self) -> Result<Design, Error> {
        let name = self.name();
        match self {
            Self::Grouping => of_block(name, &pixel::grouping::Grouping::new(&TILE)),
            Self::Reads => of_block(name, &pixel::reads::Reads::new(LINE_NUMBER_BITS)),
            Self::ShadeTexture => of_block(name, &shade::texture::ShadeTexture::new(&SHADE)),
            Self::ShadeAnswers => of_block(name, &shade::answers::ShadeAnswers::new(&SHADE)),
            Self::Writes => of_block(name, &pixel::writes::Writes::new(LINE_NUMBER_BITS)),
        }
    }
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
    /// A counter of credits, whose properties stand in its kernel.
    Credits,
    /// An AXI4 read master of bytes, with so many transfers a burst.
    AxiReadMaster,
    /// An AXI4 write master of bytes, with so many transfers a burst.
    AxiWriteMaster,
    /// An AXI4-Lite slave, with so many address bits.
    AxiLiteSlave,
    /// A Wishbone slave, with so many address bits.
    WishboneSlave,
    /// A Wishbone master, with so many address bits.
    WishboneMaster,
    /// A bank of registers of each kind.
    RegisterBank,
}

/// The module of a primitive, whichever it is.
const PRIMITIVE: &str = "block";

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
            Self::Credits => "counter of credits",
            Self::AxiReadMaster => "AXI4 read master, transfers a burst:",
            Self::AxiWriteMaster => "AXI4 write master, transfers a burst:",
            Self::AxiLiteSlave => "AXI4-Lite slave, address",
            Self::WishboneSlave => "Wishbone slave, address",
            Self::WishboneMaster => "Wishbone master, address",
            Self::RegisterBank => "register bank, address",
        }
    }
}

/// Configurations for what no preset has, by name.
const CONFIGURATIONS: &[(&str, &str)] = &[
    ("copy", include_str!("../proofs/configurations/copy.toml")),
    ("mesh", include_str!("../proofs/configurations/mesh.toml")),
    ("own_clock", include_str!("../proofs/configurations/own_clock.toml")),
    ("small", include_str!("../proofs/configurations/small.toml")),
    ("stores", include_str!("../proofs/configurations/stores.toml")),
];

/// Why there is no Verilog.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The table names a preset that does not ship.
    #[error("there is no preset `{0}`")]
    NoPreset(String),
    /// The table names a configuration that is not there.
    #[error("there is no configuration `{0}`")]
    NoConfiguration(String),
    /// The table's configuration is not legal.
    #[error("{0}")]
    Config(String),
    /// The design checks found something.
    #[error("{0}")]
    Design(String),
    /// The table names a module that is not emitted.
    #[error("no module `{0}` is emitted")]
    NoModule(String),
    /// The table names a node that is not there.
    #[error("{0}")]
    Node(String),
    /// The table names a change that cannot be made.
    #[error(transparent)]
    Mutation(#[from] MutationError),
}

impl Subject {
    /// What it is called in reports.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Preset { preset, module } => format!("`{module}` of `{preset}`"),
            Self::Configuration { configuration, modules } => {
                format!("`{}` of `configurations/{configuration}.toml`", modules.join("`, `"))
            }
            Self::General { preset, general } => {
                format!("`{}` of the general numerics, of `{preset}`", general.name())
            }
            Self::Pixel { pixel } => format!("`{}` of the pixel pipeline", pixel.name()),
            Self::Primitive { primitive, depth, width } => match (depth, width) {
                (0, width) => format!("{} of {width} bits", primitive.name()),
                (depth, 0) => format!("{} of {depth}", primitive.name()),
                (depth, width) => format!("{} of {depth} x {width}", primitive.name()),
            },
        }
    }

    /// The block as it is recorded, with all that are below it.
    ///
    /// # Errors
    /// If the table is wrong.
    pub fn recorded(&self) -> Result<Recorded, Error> {
        match self {
            Self::Preset { preset, module } => Recorded::of_config(&config_of(preset)?, vec![module.clone()]),
            Self::General { preset, general } => {
                Ok(Recorded::of_design(general.design(&config_of(preset)?)?, general.name()))
            }
            Self::Configuration { configuration, modules } => {
                let (_, text) = CONFIGURATIONS
                    .iter()
                    .find(|(name, _)| name == configuration)
                    .ok_or_else(|| Error::NoConfiguration(configuration.clone()))?;
                let config = Config::from_toml(text).map_err(|errors| Error::Config(errors.to_string()))?;
                Recorded::of_config(&config, modules.clone())
            }
            Self::Pixel { pixel } => Ok(Recorded::of_design(pixel.design()?, pixel.name())),
            Self::Primitive { primitive, depth, width } => {
                Ok(Recorded::of_design(of_primitive(*primitive, *depth, *width)?, PRIMITIVE))
            }
        }
    }
}

/// A block as it is recorded, and as it is emitted.
#[derive(Debug, Clone)]
pub struct Recorded {
    design: Design,
    modules: Modules,
    /// The kinds of the modules that the proof is about, without those below.
    tops: Vec<String>,
}

impl Recorded {
    fn of_config(config: &Config, tops: Vec<String>) -> Result<Self, Error> {
        let hardware = Hardware::new(config).map_err(|found| Error::Design(found.to_string()))?;
        Ok(Self { design: hardware.design().clone(), modules: hardware.modules().clone(), tops })
    }

    fn of_design(design: Design, top: &str) -> Self {
        let modules = emit(&design);
        Self { design, modules, tops: vec![top.to_owned()] }
    }

    /// Makes changes in the blocks that the proof is about.
    ///
    /// # Errors
    /// As [`Mutation::apply`]; if the table names a module that is not emitted.
    pub fn mutate(&mut self, changes: &[&Mutation]) -> Result<(), Error> {
        if changes.is_empty() {
            return Ok(());
        }
        let blocks = self.blocks()?;
        for change in changes {
            change.apply(&mut self.design, |block| blocks.contains(&block))?;
        }
        self.modules = emit(&self.design);
        Ok(())
    }

    /// The blocks that the proof is about, with those below; and those elsewhere that share a module with one of them.
    fn blocks(&self) -> Result<HashSet<usize>, Error> {
        let kept: HashSet<String> = self.modules()?.into_iter().map(|(kind, _)| kind).collect();
        let kinds = self.modules.modules.iter().filter(|module| kept.contains(&module.kind));
        let names: HashSet<&str> = kinds.map(|module| module.name.as_str()).collect();
        let all = 0..self.design.blocks.len();
        Ok(all.filter(|block| names.contains(self.modules.module_of[block].as_str())).collect())
    }

    /// The modules and all that are below them: their kinds and texts.
    ///
    /// # Errors
    /// If the table names a module that is not emitted.
    pub fn modules(&self) -> Result<Vec<(String, String)>, Error> {
        let tops: Vec<&str> = self.tops.iter().map(String::as_str).collect();
        below(&tops, &by_kind(&self.modules.modules))
    }

    /// What the Verilog calls a node of the module of kind `dut`, of the first one where none is named. Inside the modules
    /// that `stands_in` names, the properties file says.
    ///
    /// # Errors
    /// If there is no such module or node.
    pub fn wire(
        &self,
        dut: Option<&str>,
        node: &str,
        stands_in: impl Fn(&str) -> bool,
    ) -> Result<String, Error> {
        let dut = dut.unwrap_or(&self.tops[0]);
        let modules = &self.modules.modules;
        let top = modules.iter().find(|module| module.kind == dut);
        let top = top.ok_or_else(|| Error::NoModule(dut.to_owned()))?;
        let opaque = |block: usize| {
            let name = &self.modules.module_of[&block];
            modules.iter().any(|module| module.name == *name && stands_in(&module.kind))
        };
        wire(&self.design, &self.modules, top.block, node, &opaque)
            .map_err(|error| Error::Node(error.to_string()))
    }
}

fn config_of(preset: &str) -> Result<Config, Error> {
    let found = Preset::find(preset).ok_or_else(|| Error::NoPreset(preset.to_owned()))?;
    found.config().map_err(|errors| Error::Config(errors.to_string()))
}

/// Modules and their texts without comments above, under their kinds: properties know no top.
fn by_kind(modules: &[Module]) -> Vec<(String, String)> {
    let kinds: BTreeMap<_, _> =
        modules.iter().map(|module| (module.name.as_str(), module.kind.as_str())).collect();
    let renamed = |line: &str| {
        // A module's header, or an instance of one.
        let start =
            if line.starts_with("module ") { "module ".len() } else { line.len() - line.trim_start().len() };
        let (name, rest) = line[start..].split_at(line[start..].find(' ').unwrap_or(line.len() - start));
        format!("{}{}{rest}\n", &line[..start], kinds.get(name).unwrap_or(&name))
    };
    let text = |module: &Module| {
        module.text.lines().skip_while(|line| !line.starts_with("module ")).map(renamed).collect()
    };
    modules.iter().map(|module| (module.kind.clone(), text(module))).collect()
}

fn of_primitive(primitive: Primitive, depth: usize, width: usize) -> Result<Design, Error> {
    let alone = |block: &dyn Block| of_block(PRIMITIVE, block);
    match primitive {
        Primitive::SkidBuffer => alone(&SkidBuffer::new(width)),
        Primitive::SyncFifo => alone(&SyncFifo::new(depth, width)),
        Primitive::SyncFifoBlock => alone(&SyncFifo::with_style(depth, width, RamStyle::Block)),
        Primitive::SyncFifoBlockLate => {
            alone(&SyncFifo::with_style(depth, width, RamStyle::Block).with_late_level())
        }
        Primitive::AsyncFifo => alone(&AsyncFifo::new(depth, width)),
        Primitive::Arbiter => alone(&RoundRobinArbiter::new(depth, GrantTiming::Combinational)),
        Primitive::Credits => alone(&Credits::new(depth)),
        Primitive::ArbiterRegistered => alone(&RoundRobinArbiter::new(depth, GrantTiming::Registered)),
        Primitive::AxiReadMaster => alone(&AxiReadMaster::new(&axi_shape(depth))),
        Primitive::AxiWriteMaster => alone(&AxiWriteMaster::new(&axi_shape(depth))),
        Primitive::AxiLiteSlave => alone(&AxiLiteSlave::new(width)),
        Primitive::WishboneSlave => alone(&WishboneSlave::new(width)),
        Primitive::WishboneMaster => alone(&WishboneMaster::new(width)),
        Primitive::RegisterBank => alone(&RegisterBank::new(width, bank::TABLE)),
    }
}

/// The smallest shape in which every rule matters: bytes, two regions of 4 KiB, commands of up to two bursts and more.
const fn axi_shape(burst_beats: usize) -> AxiShape {
    AxiShape {
        address_bits: 13,
        data_bytes: 1,
        id_bits: 1,
        id: 1,
        burst_beats,
        outstanding: 4,
        length_bits: 3,
    }
}

/// A block by itself, under a name.
fn of_block(name: &str, block: &dyn Block) -> Result<Design, Error> {
    elaborate(name, block).map_err(|found| Error::Design(found.to_string()))
}

/// Modules and all that they are made of, in the order of `all`.
fn below(tops: &[&str], all: &[(String, String)]) -> Result<Vec<(String, String)>, Error> {
    let mut wanted = BTreeSet::new();
    let mut open = tops.to_vec();
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
