//! Random bindings of the general numerics that a unit was built for.

use rand::Rng;
use tmu_spec::choice::Choice;
use tmu_spec::general::texture::{MAX_LEVELS, Shape};
use tmu_spec::general::{Binding, Filter, Kind, MipFilter, Sampler, Swizzle, Texture};
use tmu_spec::{Config, Preset, TEXTURE_ADDRESS_BITS};
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

/// Any legal binding of a configuration.
pub(crate) fn binding(check: &mut Check, config: &Config) -> Binding {
    let features = config.features();
    let kinds: Vec<Kind> = features.general().expect("it is general").kinds().collect();
    let formats: Vec<_> = features.formats().collect();
    let modes: Vec<_> = features.address_modes().collect();
    let kind = check.pick(&kinds);
    let width = side(check);
    let height = if kind == Kind::Cube { width } else { side(check) };
    let mut shape = Shape { kind, width, height, depth: 1, levels: 1, format: check.pick(&formats) };
    shape.levels = check.rng.random_range(1..=shape.most_levels());
    // Levels may stand anywhere.
    let lines = 1u32 << (TEXTURE_ADDRESS_BITS - 4);
    let mut end = 0;
    let mut offsets = vec![];
    for level in 0..shape.levels.min(MAX_LEVELS) {
        offsets.push(end);
        end += (shape.level_bytes(level) / 16) as u32
            + check.rng.random_range(0..3) * check.rng.random_range(0..100);
    }
    let offsets: Vec<u32> = offsets.iter().map(|line| line * 16).collect();
    let texture = Texture::new(shape, &offsets, Swizzle::NONE, false).expect("the texture is legal");
    let room = lines - end;
    let base = 16 * if check.one_in(4) { room } else { check.rng.random_range(0..=room) };
    let filter = |check: &mut Check| if check.one_in(3) { Filter::Nearest } else { Filter::Linear };
    let lods = [check.rng.random_range(-8192..=8192), check.rng.random_range(-8192..=8192)];
    let sampler = Sampler {
        min: filter(check),
        mag: filter(check),
        mip: check.pick(MipFilter::CHOICES),
        lod_bias: check.rng.random_range(-600..=600),
        min_lod: lods[0].min(lods[1]),
        max_lod: lods[0].max(lods[1]),
        cube_seamless: !check.one_in(3),
        address: [0, 1, 2].map(|_| check.pick(&modes)),
        ..Sampler::default()
    };
    Binding { base, texture, sampler, drop_cache: check.one_in(2) }
}
