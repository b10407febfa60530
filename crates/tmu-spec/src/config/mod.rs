//! Configuration: from TOML to validated types.
//!
//! [`Config::from_toml`] reads the settings, checks each by itself and then the rules across them, and
//! returns either a [`Config`], which cannot be wrong, or every rule that is broken at once. Widths that
//! follow from settings have their one home in the accessors here: `config.cache().tag_bits()`.
//!
//! | module | holds |
//! | --- | --- |
//! | `choice` | settings that are one of a few names |
//! | `value` | the types and limits of settings |
//! | `setting` | one setting: reading and writing it, declaring groups of them |
//! | `settings` | every setting, documented where it is defined |
//! | [`engines`] | engines other than texture units, with their tables |
//! | `features` | what the settings build |
//! | `rules` | rules across settings |
//! | `error` | codes and their explanations |

mod choice;
pub mod engines;
mod error;
mod features;
mod hardware;
mod rules;
mod setting;
mod settings;
mod value;

pub use choice::{AxiClock, CacheKind, Family, RamStyle, Replacement};
pub use engines::{Channels, EngineConfigs, EngineKind};
pub use error::{ErrorCode, explain};
pub use hardware::GENERAL_RESULTS;

use crate::features::Features;
use crate::general::ResultNumbers;
use crate::general::packet::Extras;
use crate::quad::BeatsPerQuad;
use crate::{LINE_BYTES, TEXTURE_ADDRESS_BITS};
use setting::Reader;
use settings::Settings;
use sha2::{Digest, Sha256};
use tmu_problem::Problems;

/// All settings outside tables of engines, in Markdown.
pub(crate) fn settings_in_markdown() -> String {
    Settings::docs().iter().map(setting::GroupDoc::markdown).collect()
}

/// A legal configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    name: String,
    units: u32,
    engines: Vec<EngineKind>,
    engine_configs: EngineConfigs,
    clocks: Clocks,
    features: Features,
    request: RequestConfig,
    result: ResultConfig,
    datapath: DatapathConfig,
    cache: CacheConfig,
    axi: AxiConfig,
    control: ControlConfig,
    family: Family,
    is_inside: bool,
    canonical: String,
}

impl Config {
    /// Reads a configuration. Keys that are absent have their defaults, so an empty text is legal.
    ///
    /// # Errors
    /// Every rule that is broken.
    pub fn from_toml(text: &str) -> Result<Self, Problems> {
        let (mut reader, mut file) = Reader::parse(text)?;
        let mut settings = Settings::read(&mut reader, &mut file);
        settings.fit_defaults_to_family();
        rules::check(&mut reader, &settings);
        reader.check()?;
        Ok(Self::from_settings(&settings))
    }

    /// Makes the typed form of settings that break no rule. Their limits keep every number within 32 bits
    /// where a `u32` takes it.
    fn from_settings(settings: &Settings) -> Self {
        let Settings {
            whole,
            clock,
            texture: _,
            request,
            result,
            datapath,
            filter: _,
            cache,
            axi,
            control,
            device,
            engines,
        } = settings;
        let channels = whole.engines.value.channels(whole.units.value, control.store_table.value);
        let beats_per_quad =
            if request.beats_per_quad.value == 1 { BeatsPerQuad::One } else { BeatsPerQuad::Two };
        Self {
            name: whole.name.value.clone(),
            units: whole.engines.value.units(whole.units.value),
            engines: whole.engines.value.kinds().to_vec(),
            engine_configs: EngineConfigs::new(engines),
            clocks: Clocks {
                core_mhz: clock.core_mhz.value as u32,
                tmu_mhz: clock.tmu_mhz.value as u32,
                memory_mhz: clock.memory_mhz.value.map(|mhz| mhz as u32),
            },
            features: features::of(settings),
            request: RequestConfig { beats_per_quad, fifo_depth: request.fifo_depth.value as u32 },
            result: ResultConfig { fifo_depth: result.fifo_depth.value as u32 },
            datapath: DatapathConfig { pixels_per_clock: datapath.pixels_per_clock.value as u32 },
            cache: CacheConfig::of(cache),
            axi: AxiConfig {
                address_bits: axi.address_bits.value as u32,
                id_bits: axi.id_bits.value as u32,
                unit_id_bits: rules::unit_id_bits(channels.reads.into()),
                outstanding_reads: axi.outstanding_reads.value as u32,
                clock: axi.clock.value,
                window_base: axi.window_base.value,
                arcache: axi.arcache.value as u32,
                arprot: axi.arprot.value as u32,
                arqos: axi.arqos.value as u32,
            },
            control: ControlConfig {
                port: control.port.value,
                counters: control.counters.value,
                bring_up: control.bring_up.value,
                store_port: control.store_port.value,
                store_table: control.store_table.value,
            },
            family: device.family.value,
            is_inside: false,
            canonical: settings.to_toml(),
        }
    }

    /// Name of the emitted hardware: a lower-case identifier.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of texture units: none in a system without them.
    #[must_use]
    pub const fn units(&self) -> u32 {
        self.units
    }

    /// The engines, in the order in which they are listed to users.
    #[must_use]
    pub fn engines(&self) -> &[EngineKind] {
        &self.engines
    }

    /// What engines other than texture units were configured to be.
    #[must_use]
    pub const fn engine_configs(&self) -> &EngineConfigs {
        &self.engine_configs
    }

    /// Channels to memory of all engines.
    #[must_use]
    pub fn channels(&self) -> Channels {
        Channels::of(&self.engines, self.units).with_reads(self.control.store_table.into())
    }

    /// Clock frequencies.
    #[must_use]
    pub const fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// What can be sampled.
    #[must_use]
    pub const fn features(&self) -> &Features {
        &self.features
    }

    /// The request streams.
    #[must_use]
    pub const fn request(&self) -> &RequestConfig {
        &self.request
    }

    /// Bits of `tdata` of a request.
    #[must_use]
    pub fn request_tdata_bits(&self) -> u32 {
        let beats = self.request.beats_per_quad();
        self.features.general().map_or(beats.tdata_bits(), |general| Extras::of(general).tdata_bits(beats))
    }

    /// Where the valid bits start in each beat of a quad.
    #[must_use]
    pub fn request_valid_shift(&self) -> u32 {
        let beats = self.request.beats_per_quad();
        self.features.general().map_or(beats.valid_shift(), |general| Extras::of(general).valid_shift(beats))
    }

    /// Bits of `tdata` of a result.
    #[must_use]
    pub fn result_tdata_bits(&self) -> u32 {
        self.features.general().map_or(ResultNumbers::Unorm8, |general| general.result).tdata_bits()
    }

    /// The result streams.
    #[must_use]
    pub const fn result(&self) -> &ResultConfig {
        &self.result
    }

    /// How much of a unit there is.
    #[must_use]
    pub const fn datapath(&self) -> &DatapathConfig {
        &self.datapath
    }

    /// The caches.
    #[must_use]
    pub const fn cache(&self) -> &CacheConfig {
        &self.cache
    }

    /// The memory port.
    #[must_use]
    pub const fn axi(&self) -> &AxiConfig {
        &self.axi
    }

    /// The control port.
    #[must_use]
    pub const fn control(&self) -> &ControlConfig {
        &self.control
    }

    /// The same for a unit inside another engine: its streams are on its own clock, and it counts nothing, since nobody could read
    /// that.
    #[must_use]
    pub fn inside(&self) -> Self {
        let control = ControlConfig { counters: false, ..self.control };
        Self { control, is_inside: true, ..self.clone() }
    }

    /// Whether it is that of a unit inside another engine.
    #[must_use]
    pub const fn is_inside(&self) -> bool {
        self.is_inside
    }

    /// The device family.
    #[must_use]
    pub const fn family(&self) -> Family {
        self.family
    }

    /// Every setting as TOML, in a fixed order and form: equal configurations have equal text, and reading the
    /// text gives the configuration back.
    #[must_use]
    pub fn canonical_toml(&self) -> &str {
        &self.canonical
    }

    /// SHA-256 of [`Config::canonical_toml`] in 64 hex digits.
    #[must_use]
    pub fn hash(&self) -> String {
        Sha256::digest(&self.canonical).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The first 12 digits of [`Config::hash`], for banners and file names.
    #[must_use]
    pub fn short_hash(&self) -> String {
        self.hash()[..12].to_owned()
    }
}

/// Gives a struct one accessor per field.
macro_rules! accessors {
    ($type:ident { $( $(#[$doc:meta])* $field:ident: $of:ty, )* }) => {
        impl $type {
            $(
                $(#[$doc])*
                #[must_use]
                pub const fn $field(&self) -> $of {
                    self.$field
                }
            )*
        }
    };
}

/// Clock frequencies in MHz.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    core_mhz: u32,
    tmu_mhz: u32,
    memory_mhz: Option<u32>,
}

accessors! { Clocks {
    /// Frequency of `core_aclk` in MHz.
    core_mhz: u32,
    /// Frequency of `tmu_aclk` in MHz.
    tmu_mhz: u32,
    /// Frequency of `m_axi_aclk` in MHz; there if and only if the port has its own clock.
    memory_mhz: Option<u32>,
} }

/// The request stream of each unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestConfig {
    beats_per_quad: BeatsPerQuad,
    fifo_depth: u32,
}

accessors! { RequestConfig {
    /// Beats that carry one quad, and with them the width of `tdata`.
    beats_per_quad: BeatsPerQuad,
    /// Depth of the FIFO in beats: a power of two.
    fifo_depth: u32,
} }

/// The result stream of each unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultConfig {
    fifo_depth: u32,
}

accessors! { ResultConfig {
    /// Depth of the FIFO in quads: a power of two.
    fifo_depth: u32,
} }

/// How much of a unit there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatapathConfig {
    pixels_per_clock: u32,
}

accessors! { DatapathConfig {
    /// Pixels that enter each clock, where the cache prefetches: 1 or 4.
    pixels_per_clock: u32,
} }

impl DatapathConfig {
    /// Whether a quad whose tiles and texels lie in different banks passes the cache as one.
    #[must_use]
    pub const fn takes_quads(&self) -> bool {
        self.pixels_per_clock as usize == crate::quad::PIXELS
    }
}

/// The texture cache of each unit. For the blocking cache a texture address is `{tag, set, line offset}`; the
/// prefetching cache tags whole tiles, see [`crate::tile`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheConfig {
    kind: CacheKind,
    ways: u32,
    sets: u32,
    queue_depth: u32,
    line_bits: u32,
    replacement: Replacement,
    tag_ram: RamStyle,
    data_ram: RamStyle,
    is_associative: bool,
}

accessors! { CacheConfig {
    /// What the cache does on a miss.
    kind: CacheKind,
    /// Lines or tiles of a set: 1, 2, 4 or 8; of a fully associative cache all that a bank holds.
    ways: u32,
    /// Sets: a power of two; of a fully associative cache one in each bank.
    sets: u32,
    /// Slots, of a pixel or a whole quad each, between tags and texels of the prefetching cache: a power of two.
    queue_depth: u32,
    /// Bits of a line.
    line_bits: u32,
    /// Which way of a full set gives up its line.
    replacement: Replacement,
    /// What tags are kept in.
    tag_ram: RamStyle,
    /// What lines are kept in.
    data_ram: RamStyle,
    /// Whether a tile may stand anywhere in its bank.
    is_associative: bool,
} }

impl CacheConfig {
    /// The typed form of settings that break no rule.
    fn of(cache: &settings::CacheSettings) -> CacheConfig {
        let own = CacheConfig {
            kind: cache.kind.value,
            ways: cache.ways.value as u32,
            sets: cache.sets.value as u32,
            queue_depth: cache.queue_depth.value as u32,
            line_bits: cache.line_bits.value as u32,
            replacement: cache.replacement.value,
            tag_ram: cache.tag_ram.value,
            data_ram: cache.data_ram.value,
            is_associative: cache.associative_lines.value > 0,
        };
        if !own.is_associative {
            return own;
        }
        CacheConfig {
            ways: cache.associative_lines.value as u32,
            sets: crate::tile::BANKS,
            replacement: Replacement::RoundRobin,
            ..own
        }
    }

    /// Bytes of a line.
    #[must_use]
    pub const fn line_bytes(&self) -> u32 {
        self.line_bits / 8
    }

    /// Bits of an address that choose a byte of the line.
    #[must_use]
    pub const fn line_offset_bits(&self) -> u32 {
        self.line_bytes().ilog2()
    }

    /// Bits of an address above the line offset: those of a line's number.
    #[must_use]
    pub const fn line_address_bits(&self) -> u32 {
        TEXTURE_ADDRESS_BITS - self.line_offset_bits()
    }

    /// Bits of an address that choose the set.
    #[must_use]
    pub const fn set_bits(&self) -> u32 {
        self.sets.ilog2()
    }

    /// Bits of an address that the tag holds.
    #[must_use]
    pub const fn tag_bits(&self) -> u32 {
        self.line_address_bits() - self.set_bits()
    }

    /// Bits of one entry of a tag RAM: the tag and a valid bit.
    #[must_use]
    pub const fn tag_entry_bits(&self) -> u32 {
        self.tag_bits() + 1
    }

    /// Bits that name a way; 0 for a direct-mapped cache.
    #[must_use]
    pub const fn way_bits(&self) -> u32 {
        self.ways.ilog2()
    }

    /// Sets of each of the four banks of the prefetching cache.
    #[must_use]
    pub const fn bank_sets(&self) -> u32 {
        self.sets / crate::tile::BANKS
    }

    /// Bits of a tile's place that choose the set of a bank of the prefetching cache.
    #[must_use]
    pub const fn bank_set_bits(&self) -> u32 {
        self.bank_sets().ilog2()
    }

    /// Lines of the whole cache.
    #[must_use]
    pub const fn lines(&self) -> u32 {
        self.ways * self.sets
    }

    /// Bits that name a line of the data RAM: `{way, set}`.
    #[must_use]
    pub const fn data_address_bits(&self) -> u32 {
        self.way_bits() + self.set_bits()
    }

    /// Bytes of data that the cache holds.
    #[must_use]
    pub const fn data_bytes(&self) -> u32 {
        self.lines() * self.line_bytes()
    }
}

// The memory port transfers lines of the size in which everything else counts them.
const _: () = assert!(LINE_BYTES == 128 / 8);

/// The memory port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AxiConfig {
    address_bits: u32,
    id_bits: u32,
    unit_id_bits: u32,
    outstanding_reads: u32,
    clock: AxiClock,
    window_base: u64,
    arcache: u32,
    arprot: u32,
    arqos: u32,
}

accessors! { AxiConfig {
    /// Bits of an address.
    address_bits: u32,
    /// Bits of an ID.
    id_bits: u32,
    /// Bits of an ID that name the channel for reads, which is the unit; 0 for a single one.
    unit_id_bits: u32,
    /// Reads that each unit may have in flight.
    outstanding_reads: u32,
    /// The port's clock.
    clock: AxiClock,
    /// Byte address of the texture window: a multiple of 4096.
    window_base: u64,
    /// Value of `ARCACHE`.
    arcache: u32,
    /// Value of `ARPROT`.
    arprot: u32,
    /// Value of `ARQOS`.
    arqos: u32,
} }

impl AxiConfig {
    /// Bits of a data transfer.
    #[must_use]
    pub const fn data_bits(&self) -> u32 {
        LINE_BYTES * 8
    }
}

/// The control port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ControlConfig {
    port: bool,
    counters: bool,
    bring_up: bool,
    store_port: bool,
    store_table: bool,
}

accessors! { ControlConfig {
    /// Whether there is a control port.
    port: bool,
    /// Whether units count; only with a control port.
    counters: bool,
    /// Whether there is a bring-up kit; only with a control port, texture units and coordinates in s16.16.
    bring_up: bool,
    /// Whether entries of the parameter store are written over the control port; only with both.
    store_port: bool,
    /// Whether they are loaded from memory, too; only with `store_port`.
    store_table: bool,
} }
