//! Random bindings of the general numerics that a unit was built for.

use rand::Rng;
use tmu_spec::choice::Choice;
use tmu_spec::general::texture::{Component, MAX_LAYERS, MAX_LEVELS, MAX_SIZE, Shape};
use tmu_spec::general::{Binding, CompareOp, Filter, Kind, MipFilter, Sampler, Swizzle, Texture};
use tmu_spec::{Config, Format, Preset, TEXTURE_ADDRESS_BITS};
use tmu_stages::Check;

/// The preset with one lane.
pub(crate) fn config() -> Config {
    Preset::find("multi-lite").expect("the preset is there").config().expect("it is legal")
}

/// Sides of textures: often small, powers of two or the largest.
fn side(check: &mut Check) -> u32 {
    match check.rng.random_range(0..4) {
        0 => 1 << check.rng.random_range(0..=12),
        1 => check.rng.random_range(1..=20),
        2 => check.rng.random_range(1..=4096),
        _ => check.pick(&[1, 2, 3, 4, 5, 8, 9, 12, 16, 17, 20, 4095, 4096]),
    }
}

/// The preset with other values of keys, each named with its section: everything else stays.
pub(crate) fn changed(name: &str, changes: &str) -> Config {
    with(&config(), name, changes)
}

/// The same configuration with four lanes.
pub(crate) fn in_four_lanes(config: &Config) -> Config {
    with(config, config.name(), "[datapath]\npixels_per_clock = 4\n[request]\nbeats_per_quad = 1")
}

/// A configuration with other values of keys.
fn with(config: &Config, name: &str, changes: &str) -> Config {
    let text = config.canonical_toml().to_owned();
    let mut table: toml::Table = text.parse().expect("a configuration is TOML");
    let other: toml::Table = changes.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
    for (section, keys) in other {
        let own = table.entry(&section).or_insert_with(|| toml::Table::new().into());
        let own = own.as_table_mut().expect("a section is a table");
        own.extend(keys.as_table().expect("changes are of sections").clone());
    }
    table.insert("name".into(), name.into());
    let text = toml::to_string(&table).expect("a table is TOML");
    Config::from_toml(&text).unwrap_or_else(|problems| panic!("{name}: {problems:?}"))
}

/// The preset with four lanes and other values of keys.
pub(crate) fn lanes_with(name: &str, changes: &str) -> Config {
    in_four_lanes(&changed(name, changes))
}

/// The sampler without weights: nearest texels of one level.
fn unweighted(sampler: Sampler) -> Sampler {
    let mip = if sampler.mip == MipFilter::Linear { MipFilter::Nearest } else { sampler.mip };
    Sampler { min: Filter::Nearest, mag: Filter::Nearest, mip, max_anisotropy: 1, ..sampler }
}

/// Any legal binding of a configuration.
pub(crate) fn binding(check: &mut Check, config: &Config) -> Binding {
    let features = config.features();
    let general = features.general().expect("it is general");
    let kinds: Vec<Kind> = general.kinds().collect();
    let formats: Vec<_> = features.formats().collect();
    let modes: Vec<_> = features.address_modes().collect();
    let kind = check.pick(&kinds);
    let width = side(check);
    let height = match kind {
        Kind::Cube => width,
        Kind::D1 => 1,
        _ => side(check),
    };
    let (height, depth) = match kind {
        Kind::D3 => (height.min(64), side(check).min(64)),
        Kind::D2Array => (height, check.rng.random_range(1..=MAX_LAYERS)),
        _ => (height, 1),
    };
    let fits = |format: &Format| !(format.is_block() && matches!(kind, Kind::D1 | Kind::D3));
    let formats: Vec<_> = formats.into_iter().filter(fits).collect();
    let format = check.pick(&formats);
    // Textures that fit into the window.
    let most = match (kind, format.bytes_per_texel() > 4) {
        (Kind::Cube, true) => MAX_SIZE / 2,
        (Kind::D2Array, true) => 128,
        (Kind::D2Array, false) => 256,
        _ => MAX_SIZE,
    };
    let (width, height) = (width.min(most), height.min(most));
    let mut shape = Shape { kind, width, height, depth, levels: 1, format };
    let is_ripmap = general.ripmaps && kind == Kind::D2 && check.one_in(2);
    if is_ripmap {
        [shape.width, shape.height] = [width, height].map(|side| side.next_power_of_two().clamp(2, most));
    } else {
        shape.levels = check.rng.random_range(1..=shape.most_levels());
    }
    // Levels may stand anywhere.
    let lines = 1u32 << (TEXTURE_ADDRESS_BITS - 4);
    let mut end = format.color_table_bytes() / 16;
    let mut offsets = vec![];
    for level in 0..shape.levels.min(MAX_LEVELS) {
        offsets.push(end);
        end += (shape.level_bytes(level) / 16) as u32
            + check.rng.random_range(0..3) * check.rng.random_range(0..100);
    }
    let offsets: Vec<u32> = offsets.iter().map(|line| line * 16).collect();
    let component = |check: &mut Check| check.pick(Component::CHOICES);
    let swizzle = if general.swizzle { Swizzle([(); 4].map(|()| component(check))) } else { Swizzle::NONE };
    let is_srgb = general.srgb && general.channel_bits == 16 && shape.format.can_be_srgb() && check.one_in(2);
    let texture = Texture::new(shape, &offsets, swizzle, is_srgb).expect("the texture is legal");
    let room = lines - end;
    let base = 16 * if check.one_in(4) { room } else { check.rng.random_range(0..=room) };
    let filter = |check: &mut Check| if check.one_in(3) { Filter::Nearest } else { Filter::Linear };
    let lods = [check.rng.random_range(-8192..=8192), check.rng.random_range(-8192..=8192)];
    let compares = general.compare && shape.format.is_depth() && !check.one_in(3);
    let compare = compares.then(|| check.pick(CompareOp::CHOICES));
    let most_log2 = general.max_anisotropy.ilog2();
    let is_float = shape.format.is_float() && compare.is_none();
    let mips: Vec<MipFilter> = MipFilter::CHOICES
        .iter()
        .copied()
        .filter(|mip| match mip {
            MipFilter::None => true,
            MipFilter::Nearest => features.mipmaps(),
            MipFilter::Linear => features.mipmaps() && general.trilinear,
            MipFilter::Ripmap => false,
        })
        .collect();
    let sampler = Sampler {
        min: filter(check),
        mag: filter(check),
        mip: if is_ripmap { MipFilter::Ripmap } else { check.pick(&mips) },
        max_anisotropy: if is_ripmap { 1 } else { 1 << check.rng.random_range(0..=most_log2) },
        border: check.rng.random(),
        compare,
        lod_bias: check.rng.random_range(-600..=600),
        min_lod: lods[0].min(lods[1]),
        max_lod: lods[0].max(lods[1]),
        cube_seamless: !check.one_in(3),
        address: [0, 1, 2].map(|_| check.pick(&modes)),
    };
    let sampler = if is_float { unweighted(sampler) } else { sampler };
    Binding { base, texture, sampler, drop_cache: check.one_in(2) }
}
