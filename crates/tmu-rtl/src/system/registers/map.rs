//! The registers of one configuration: where they stand and what they read after reset.

use super::*;
use crate::engines;
use crate::sampler::store_port::registers as store_port;
use crate::system::bring_up::registers as bring_up;
use tmu_hdl::bus::{FieldAccess, FieldRecord, RegisterRecord};
use tmu_spec::choice::Choice;
use tmu_spec::config::CacheKind;
use tmu_spec::{BeatsPerQuad, Config};

/// What a register reads after reset.
#[must_use]
pub fn reset_value(register: &Register, config: &Config) -> u32 {
    // Not a match: patterns of structs with text and fields in them take the compiler 40 s.
    let own = of_configuration(config).into_iter().find(|(own, _)| own == register);
    own.map_or_else(|| register.reset(), |(_, value)| value)
}

/// The registers that tell the configuration, with what they read.
fn of_configuration(config: &Config) -> [(Register, u32); 8] {
    // Without texture units nothing of theirs is built.
    let units = if config.units() == 0 { [0; 4] } else { of_units(config) };
    let [capabilities, geometry, formats_low, formats_high] = units;
    let window_base = config.axi().window_base();
    [
        (ID, ID_VALUE),
        (VERSION, version()),
        (CAPABILITIES, capabilities),
        (CACHE_GEOMETRY, geometry),
        (FORMATS_LOW, formats_low),
        (FORMATS_HIGH, formats_high),
        (WINDOW_BASE_LOW, window_base as u32),
        (WINDOW_BASE_HIGH, (window_base >> 32) as u32),
    ]
}

/// [`CAPABILITIES`], [`CACHE_GEOMETRY`], [`FORMATS_LOW`] and [`FORMATS_HIGH`] of texture units.
fn of_units(config: &Config) -> [u32; 4] {
    let cache = config.cache();
    let geometry = CACHE_GEOMETRY_WAYS.place(cache.ways())
        | CACHE_GEOMETRY_SETS.place(cache.sets())
        | CACHE_GEOMETRY_LINE_BYTES.place(cache.line_bytes());
    let formats = config.features().format_mask();
    [capabilities(config), geometry, formats as u32, (formats >> 32) as u32]
}

/// The version of this crate as [`VERSION`] shows it.
fn version() -> u32 {
    let number = |text: &str| text.parse::<u32>().unwrap_or_default();
    let [patch, minor, major] = VERSION.fields else { unreachable!("VERSION has three fields") };
    patch.place(number(env!("CARGO_PKG_VERSION_PATCH")))
        | minor.place(number(env!("CARGO_PKG_VERSION_MINOR")))
        | major.place(number(env!("CARGO_PKG_VERSION_MAJOR")))
}

fn capabilities(config: &Config) -> u32 {
    let features = config.features();
    let kind = match config.cache().kind() {
        CacheKind::Blocking => 0,
        CacheKind::Prefetch => 1,
    };
    let formats = features.format_mask() as u32 & (CAPABILITIES_FORMATS.mask() >> CAPABILITIES_FORMATS.shift);
    let modes = features.address_modes().fold(0, |mask, mode| mask | 1 << mode.code());
    let modes = modes & (CAPABILITIES_ADDRESS_MODES.mask() >> CAPABILITIES_ADDRESS_MODES.shift);
    CAPABILITIES_LAST_UNIT.place(config.units() - 1)
        | CAPABILITIES_FORMATS.place(formats)
        | CAPABILITIES_BILINEAR.place(features.bilinear().into())
        | CAPABILITIES_MIPMAPS.place(features.mipmaps().into())
        | CAPABILITIES_ADDRESS_MODES.place(modes)
        | CAPABILITIES_MAX_SIZE_LOG2.place(features.max_size_log2())
        | CAPABILITIES_COUNTERS.place(config.control().counters().into())
        | CAPABILITIES_ONE_BEAT.place((config.request().beats_per_quad() == BeatsPerQuad::One).into())
        | CAPABILITIES_CACHE_KIND.place(kind)
        | CAPABILITIES_GENERAL.place(features.general().is_some().into())
        | CAPABILITIES_LAYOUT.place(CAPABILITIES_LAYOUT_VALUE)
}

/// A register at its place in the map of one configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedRegister {
    /// The register; its offset counts from the start of what it belongs to.
    pub register: Register,
    /// The unit whose counter it is; none for registers that there are once.
    pub unit: Option<u32>,
    /// The engine whose register it is; none for those of the system.
    pub engine: Option<EngineKind>,
    /// Byte address.
    pub address: u32,
    /// What it reads after reset.
    pub reset_value: u32,
}

impl PlacedRegister {
    /// Unique name: counters carry their unit's number, registers of engines the engine's name.
    #[must_use]
    pub fn full_name(&self) -> String {
        let name = self.register.name;
        match (self.unit, self.engine) {
            (Some(unit), _) => format!("UNIT{unit}_{name}"),
            (None, Some(engine)) => format!("{}_{name}", engine.name().to_uppercase()),
            (None, None) => name.to_owned(),
        }
    }
}

/// Byte address of an engine's block: the same for every configuration.
#[must_use]
pub fn engine_base_bytes(kind: EngineKind) -> u32 {
    let with_blocks = EngineKind::CHOICES.iter().filter(|other| **other != EngineKind::Sampler);
    let block = with_blocks.take_while(|other| **other != kind).count() as u32;
    ENGINE_BASE_BYTES + block * ENGINE_STRIDE_BYTES
}

/// Whether an engine's registers stand behind the control port, and not on a bus of their own.
fn is_on_control_port(kind: EngineKind, config: &Config) -> bool {
    kind != EngineKind::Mesh || !config.engine_configs().mesh().is_wishbone()
}

/// The registers of an engine at their places behind the control port.
pub fn of_engine(kind: EngineKind) -> impl Iterator<Item = PlacedRegister> {
    engines::register_table(kind).iter().map(move |register| PlacedRegister {
        register: *register,
        unit: None,
        engine: Some(kind),
        address: engine_base_bytes(kind) + register.offset_bytes,
        reset_value: register.reset(),
    })
}

/// A register of the bring-up kit at its place.
fn of_kit(register: Register) -> PlacedRegister {
    let address = bring_up::BRING_UP_SPACE.base_bytes + register.offset_bytes;
    PlacedRegister {
        register,
        unit: None,
        engine: None,
        address,
        reset_value: bring_up::reset_value(&register),
    }
}

/// A register of the store port at its place.
fn of_store(register: Register) -> PlacedRegister {
    let address = store_port::STORE_SPACE.base_bytes + register.offset_bytes;
    PlacedRegister { register, unit: None, engine: None, address, reset_value: register.reset() }
}

/// An engine's table as the toolkit makes a bank of it.
#[must_use]
pub fn records(table: &[Register]) -> Vec<RegisterRecord> {
    let field = |register: &Register, field: &Field| FieldRecord {
        name: field.name,
        low_bit: field.shift as usize,
        width_bits: field.width_bits as usize,
        access: match register.access {
            Access::ReadOnly => FieldAccess::ReadOnly,
            Access::ReadWrite => FieldAccess::ReadWrite,
            Access::Command => FieldAccess::Pulse,
            Access::WriteOneToClear => FieldAccess::WriteOneToClear,
            Access::ReadWriteUntil => FieldAccess::ReadWriteUntil,
        },
        // What is only read holds nothing: hardware says what it reads.
        reset: if register.access == Access::ReadOnly { 0 } else { field.reset },
        doc: field.doc,
    };
    let record = |register: &Register| RegisterRecord {
        name: register.name,
        offset_bytes: register.offset_bytes as usize,
        fields: register.fields.iter().map(|of| field(register, of)).collect(),
        doc: register.doc,
    };
    table.iter().map(record).collect()
}

/// Every register of a configuration's control port, by rising address.
#[must_use]
pub fn map(config: &Config) -> Vec<PlacedRegister> {
    let core = CORE.into_iter().map(|register| PlacedRegister {
        register,
        unit: None,
        engine: None,
        address: register.offset_bytes,
        reset_value: reset_value(&register, config),
    });
    let counting_units = if config.control().counters() { config.units() } else { 0 };
    let counters = (0..counting_units).flat_map(|unit| {
        Counter::ALL.map(|counter| PlacedRegister {
            register: counter.register(),
            unit: Some(unit),
            engine: None,
            address: counter.address(unit),
            reset_value: 0,
        })
    });
    let kit = if config.control().bring_up() { bring_up::table(config) } else { vec![] };
    let kit = kit.into_iter().map(of_kit);
    let store = if config.control().store_port() { store_port::table(config) } else { vec![] };
    let store = store.into_iter().map(of_store);
    let on_port = config.engines().iter().filter(|kind| is_on_control_port(**kind, config));
    let engines = on_port.flat_map(|kind| of_engine(*kind));
    core.chain(counters).chain(kit).chain(store).chain(engines).collect()
}

/// The registers of engines that have a bus of their own, by engine: their addresses count from the bus's first one.
#[must_use]
pub fn on_own_buses(config: &Config) -> Vec<(EngineKind, Vec<PlacedRegister>)> {
    let own = config.engines().iter().filter(|kind| !is_on_control_port(**kind, config));
    let placed = |kind: EngineKind| {
        let at_offset = |of: PlacedRegister| PlacedRegister { address: of.register.offset_bytes, ..of };
        (kind, of_engine(kind).map(at_offset).collect())
    };
    own.map(|kind| placed(*kind)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(toml: &str) -> Config {
        Config::from_toml(toml).unwrap()
    }

    #[test]
    fn addresses_rise_within_the_port() {
        let placed = map(&config("units = 16"));
        assert_eq!(placed.len(), CORE.len() + 16 * Counter::ALL.len());
        for pair in placed.windows(2) {
            assert!(pair[0].address < pair[1].address, "{} and {}", pair[0].address, pair[1].address);
        }
        for PlacedRegister { address, register, .. } in placed {
            assert!(address < 1 << ADDRESS_BITS && address % REGISTER_BYTES == 0, "{}", register.name);
        }
        assert_eq!(Counter::ALL.len() as u32 * REGISTER_BYTES, 0x24);
        assert_eq!(Counter::DroppedPackets.address(15), 0x4e0);
    }

    #[test]
    fn registers_of_engines_stay_in_their_blocks() {
        for kind in EngineKind::CHOICES.iter().filter(|kind| **kind != EngineKind::Sampler) {
            let placed: Vec<_> = of_engine(*kind).collect();
            let block = engine_base_bytes(*kind)..engine_base_bytes(*kind) + ENGINE_STRIDE_BYTES;
            assert!(block.end <= 1 << ADDRESS_BITS, "{kind}");
            assert!(placed.iter().all(|register| block.contains(&register.address)), "{kind}");
            assert!(placed.windows(2).all(|pair| pair[0].address < pair[1].address), "{kind}");
        }
    }

    #[test]
    fn fields_do_not_overlap() {
        let of_engines = EngineKind::CHOICES.iter().flat_map(|kind| engines::register_table(*kind)).copied();
        for register in CORE.into_iter().chain(Counter::ALL.map(Counter::register)).chain(of_engines) {
            let mut taken = 0;
            for field in register.fields {
                assert!(field.shift + field.width_bits <= 32, "{} {}", register.name, field.name);
                assert_eq!(taken & field.mask(), 0, "{} {}", register.name, field.name);
                assert!(field.mask() > taken, "{} {} is out of order", register.name, field.name);
                taken |= field.mask();
            }
            assert_eq!(register.mask(), taken);
        }
    }

    #[test]
    fn reset_values_tell_the_configuration() {
        let of = |toml: &str, register| reset_value(&register, &config(toml));
        assert_eq!(of("", ID), 0x544d_5547);
        assert_eq!(of("", VERSION) & VERSION.mask(), of("", VERSION));
        assert_ne!(of("", VERSION), 0);
        assert_eq!([of("", FORMATS_LOW), of("", FORMATS_HIGH)], [15, 0]);
        // Layout 1, counters, size 11, all modes, mipmaps, bilinear, all formats, one unit.
        assert_eq!(of("", CAPABILITIES), 1 << 28 | 1 << 17 | 11 << 13 | 7 << 10 | 3 << 8 | 15 << 4);
        let small = "units = 16\n[texture]\nformats = [\"rgb8\"]\naddress_modes = [\"mirror\"]\nbilinear = false\n\
                     mipmaps = false\nmax_size_log2 = 4\n[request]\nbeats_per_quad = 1\n[control]\ncounters = false";
        assert_eq!(of(small, CAPABILITIES), 1 << 28 | 1 << 18 | 4 << 13 | 4 << 10 | 2 << 4 | 15);
        // Layout 1, general, prefetching, 4096 texels; modes beyond the third have no bit.
        let general = "[texture]\nsizes = \"any\"\nmax_size_log2 = 12\naddress_modes = [\"clamp\", \"mirror_once\"]\n\
                       formats = [\"rgba8\", \"bc1\"]\n[request]\nfifo_depth = 32\n[result]\nfifo_depth = 128\n[cache]\n\
                       kind = \"prefetch\"\n[axi]\noutstanding_reads = 64\n[control]\ncounters = false";
        let expected = 1 << 28 | 1 << 21 | 1 << 19 | 12 << 13 | 2 << 10 | 3 << 8 | 1 << 4;
        assert_eq!(of(general, CAPABILITIES), expected);
        assert_eq!(of("[cache]\nways = 2\nsets = 64", CACHE_GEOMETRY), 16 << 24 | 64 << 8 | 2);
        let window = "[axi]\nwindow_base = 0x12_3456_7000";
        assert_eq!([of(window, WINDOW_BASE_LOW), of(window, WINDOW_BASE_HIGH)], [0x3456_7000, 0x12]);
        assert_eq!(map(&config(small)).len(), CORE.len());
    }

    #[test]
    fn the_error_bits_are_those_of_the_rules() {
        for rule in BindingRule::ALL {
            assert_eq!(ERROR_BINDING_RULES.extract(u32::from(rule.mask())), u32::from(rule.mask()));
        }
    }
}
