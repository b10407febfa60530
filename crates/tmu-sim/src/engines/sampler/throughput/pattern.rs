//! Named patterns: what a rasteriser asks for in the cases that make caches differ.
//!
//! A pattern follows from its name, the side of its square picture in pixels and what the configuration builds. All
//! but `random`, `levels` and `hits` draw the picture in scan order, row of quads by row of quads. Positions lie a sixteenth of
//! a texel off the texel centres, so that all four taps of a pixel count; in `diagonal`, `random` and `floor` now and
//! then a position meets a centre.

use super::{Workload, sampler};
use crate::engines::sampler::contents::TextureMemory;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ops::RangeInclusive;
use std::sync::Arc;
use tmu_spec::{Config, Features, Format, Quad, Texture};

/// Log2 of the sides that pictures may have.
pub const SIDES_LOG2: RangeInclusive<u32> = 5..=9;

/// Side of the region of `hits`, in pixels and texels.
const HITS_SIDE: u32 = 32;

/// Side of the region of each level in `levels`, in texels.
const REGION_SIDE: i32 = 16;

/// Least number of times that `hits` goes through its region, on each unit.
const LEAST_PASSES: u32 = 4;

/// 1.0 in s16.16: the full extent of a texture.
const ONE: i32 = 1 << 16;

/// cos 45° in 1/65536.
const DIAGONAL: i32 = 46_341;

/// See the module's documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// A region of 32 x 32 texels at 1:1, again and again.
    Hits,
    /// A texture as large as the picture at 1:1, in scan order.
    Scan,
    /// The same, rotated by 45°.
    Diagonal,
    /// The same, rotated by 90°: pixel rows run along texture columns.
    Vertical,
    /// Three texels a pixel along both axes, with mipmaps.
    Minified,
    /// Eight pixels a texel along both axes.
    Magnified,
    /// Each pixel anywhere in the largest texture there is: as good as no hits.
    Random,
    /// A floor to the horizon in perspective, with mipmaps.
    Floor,
    /// Each quad at some level of the largest texture there is, in a small region of it.
    Levels,
}

impl Pattern {
    /// All patterns, in the order of reports.
    pub const ALL: [Pattern; 9] = [
        Pattern::Hits,
        Pattern::Scan,
        Pattern::Diagonal,
        Pattern::Vertical,
        Pattern::Minified,
        Pattern::Magnified,
        Pattern::Random,
        Pattern::Floor,
        Pattern::Levels,
    ];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Pattern::Hits => "hits",
            Pattern::Scan => "scan",
            Pattern::Diagonal => "diagonal",
            Pattern::Vertical => "vertical",
            Pattern::Minified => "minified",
            Pattern::Magnified => "magnified",
            Pattern::Random => "random",
            Pattern::Floor => "floor",
            Pattern::Levels => "levels",
        }
    }

    /// What it is, in a few words.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Pattern::Hits => "a region of 32 x 32 texels at 1:1, again and again",
            Pattern::Scan => "a texture at 1:1 in scan order",
            Pattern::Diagonal => "a texture at 1:1, rotated by 45 degrees",
            Pattern::Vertical => "a texture at 1:1, rotated by 90 degrees",
            Pattern::Minified => "three texels a pixel, with mipmaps",
            Pattern::Magnified => "eight pixels a texel",
            Pattern::Random => "each pixel anywhere in a large texture",
            Pattern::Floor => "a floor to the horizon in perspective, with mipmaps",
            Pattern::Levels => "each quad at some level of a large texture, in 16 x 16 texels of it",
        }
    }

    /// Whether it needs mipmapping.
    #[must_use]
    pub const fn is_mipmapped(self) -> bool {
        matches!(self, Pattern::Minified | Pattern::Floor | Pattern::Levels)
    }

    /// The pattern with a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pattern| pattern.name() == name)
    }

    /// Log2 of the texture's side for a picture's: a rasteriser picks textures to fit the picture, except that
    /// `minified` and `floor` look at a larger one from afar.
    fn texture_side_log2(self, side_log2: u32, features: &Features) -> u32 {
        let fitting = match self {
            Pattern::Minified | Pattern::Floor => side_log2 + 2,
            Pattern::Random | Pattern::Levels => features.max_size_log2(),
            _ => side_log2,
        };
        fitting.min(features.max_size_log2())
    }

    /// The pattern for a configuration: a picture of `2^side_log2` pixels squared, of a texture in a format that
    /// the configuration builds. What the configuration has no bilinear filter, mipmaps or wrapping for is done
    /// with what it has.
    #[must_use]
    pub fn workload(self, config: &Config, format: Format, side_log2: u32) -> Workload {
        let features = config.features();
        let texture_side_log2 = self.texture_side_log2(side_log2, features);
        let Ok(texture) = Texture::new(format, texture_side_log2, texture_side_log2, texture_side_log2)
        else {
            unreachable!("the texture is within its limits")
        };
        let sampler = sampler(features, true, self.is_mipmapped());
        let side = 1 << side_log2;
        let texel = ONE >> texture_side_log2;
        let quads = match self {
            Pattern::Hits => {
                let passes = (side / HITS_SIDE).pow(2).max(LEAST_PASSES) * config.units();
                let pass = Walk::upright(texel, [texel, texel]).quads(HITS_SIDE);
                pass.repeat(passes as usize)
            }
            Pattern::Scan => Walk::upright(texel, [texel, texel]).quads(side),
            Pattern::Diagonal => {
                let step = ((i64::from(texel) * i64::from(DIAGONAL)) >> 16) as i32;
                Walk { dx: [step, step], dy: [-step, step], ..Walk::upright(texel, [texel, texel]) }
                    .quads(side)
            }
            Pattern::Vertical => {
                Walk { dx: [0, texel], dy: [texel, 0], ..Walk::upright(texel, [texel, texel]) }.quads(side)
            }
            Pattern::Minified => Walk::upright(texel, [3 * texel, 3 * texel]).quads(side),
            Pattern::Magnified => Walk::upright(texel, [(texel / 8).max(1); 2]).quads(side),
            Pattern::Random => random_quads(side * side / 16),
            Pattern::Floor => floor_quads(side, texel),
            Pattern::Levels => levels_quads(side * side / 4, texture_side_log2),
        };
        let hits_pass = (HITS_SIDE * HITS_SIDE / 4) as usize;
        let memory = Arc::new(TextureMemory::noise(1));
        Workload {
            warm_up_quads: if self == Pattern::Hits { hits_pass } else { 0 },
            ..Workload::new(self.name().to_owned(), texture, sampler, memory, quads)
        }
    }
}

/// A picture whose texture coordinates grow evenly, in s16.16.
#[derive(Debug, Clone, Copy)]
struct Walk {
    origin: [i32; 2],
    /// From a pixel to the one on its right.
    dx: [i32; 2],
    /// From a pixel to the one below.
    dy: [i32; 2],
}

impl Walk {
    /// Rows along u, columns along v; a sixteenth of a texel off the centre of the first.
    const fn upright(texel: i32, [du, dv]: [i32; 2]) -> Self {
        let first = texel / 2 + texel / 16;
        Self { origin: [first, first], dx: [du, 0], dy: [0, dv] }
    }

    fn quads(&self, side: u32) -> Vec<Quad> {
        let at = |x: u32, y: u32| {
            [0, 1].map(|axis| self.origin[axis] + self.dx[axis] * x as i32 + self.dy[axis] * y as i32)
        };
        picture(side, side, at)
    }
}

/// The quads of a picture in scan order, all pixels valid.
fn picture(width: u32, height: u32, at: impl Fn(u32, u32) -> [i32; 2]) -> Vec<Quad> {
    let rows = (0..height).step_by(2);
    let places = rows.flat_map(|y| (0..width).step_by(2).map(move |x| (x, y)));
    places.map(|(x, y)| Quad::new([at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)], 15)).collect()
}

fn random_quads(count: u32) -> Vec<Quad> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut pixel = || [(); 2].map(|()| random.random_range(0..ONE));
    (0..count).map(|_| Quad::new([(); 4].map(|()| pixel()), 15)).collect()
}

/// One texel a pixel of the quad's level, in the first [`REGION_SIDE`] texels of it along both axes.
fn levels_quads(count: u32, texture_side_log2: u32) -> Vec<Quad> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let quad = |_| {
        let texel = ONE >> (texture_side_log2 - random.random_range(0..=texture_side_log2));
        let first = [(); 2].map(|()| texel * random.random_range(0..REGION_SIDE) + texel / 2 + texel / 16);
        let at = |x: i32, y: i32| [first[0] + x * texel, first[1] + y * texel];
        Quad::new([at(0, 0), at(1, 0), at(0, 1), at(1, 1)], 15)
    };
    (0..count).map(quad).collect()
}

/// Rows from the horizon down to where the floor is magnified twice. A row at distance d below the horizon shows
/// texels side / 2 / d wide; the horizon itself lies between pixel rows.
fn floor_quads(side: u32, texel: i32) -> Vec<Quad> {
    let half = f64::from(side) / 2.0;
    // Only sums, products and quotients of doubles: the same on every machine.
    let at = |x: u32, y: u32| {
        let below = f64::from(y) + 0.5;
        let across = (f64::from(x) + 0.5 - half) * half / below;
        let away = half * half * 2.0 / below;
        [across, away].map(|texels| (texels * f64::from(texel)) as i32)
    };
    picture(side, side, at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_model::datapath::coordinate;
    use tmu_model::{LineError, Memory, TextureUnit};
    use tmu_spec::AddressMode;

    struct Nothing;
    impl Memory for Nothing {
        fn read_line(&self, _: u32) -> Result<[u8; 16], LineError> {
            Err(LineError)
        }
    }

    fn config(toml: &str) -> Config {
        Config::from_toml(toml).unwrap()
    }

    /// How many quads are sampled from each level, and the pixels whose taps lie in one, two, … lines.
    fn levels_and_lines(workload: &Workload) -> ([u64; 12], u64) {
        let mut unit = TextureUnit::new(Nothing);
        unit.bind(&workload.binding).unwrap();
        let (mut levels, mut lookups) = ([0; 12], 0);
        for quad in workload.quads.iter() {
            levels[unit.lod(quad).unwrap() as usize] += 1;
            unit.lookups(quad, |_| lookups += 1);
        }
        (levels, lookups)
    }

    #[test]
    fn patterns_are_what_their_names_say() {
        let config = config("");
        for pattern in Pattern::ALL {
            let workload = pattern.workload(&config, Format::Rgba8, 6);
            let (levels, lookups) = levels_and_lines(&workload);
            assert_eq!(lookups, workload.samples() * 4, "{}: four taps a pixel", pattern.name());
            let [first, second, third, ..] = levels;
            match pattern {
                Pattern::Minified => assert_eq!([first, second, third], [0, 0, 1024]),
                Pattern::Floor => assert!(levels[..6].iter().all(|count| *count > 0), "{levels:?}"),
                Pattern::Levels => assert!(levels.iter().all(|count| *count > 0), "{levels:?}"),
                _ => assert_eq!(first, workload.quads.len() as u64, "{}", pattern.name()),
            }
        }
    }

    #[test]
    fn all_four_taps_count() {
        let config = config("");
        for pattern in
            [Pattern::Hits, Pattern::Scan, Pattern::Vertical, Pattern::Minified, Pattern::Magnified]
        {
            for side_log2 in SIDES_LOG2 {
                let workload = pattern.workload(&config, Format::Rgba8, side_log2);
                let size_log2 = workload.binding.texture().width_log2();
                let level = if pattern == Pattern::Minified { 2 } else { 0 };
                for coordinate in workload.quads.iter().flat_map(|quad| quad.uv().as_flattened()) {
                    let place = coordinate::addressed(*coordinate, AddressMode::Wrap);
                    let taps = coordinate::bilinear(place, size_log2 - level, AddressMode::Wrap);
                    assert_ne!(taps.weight, 0, "{} {side_log2}: {coordinate}", pattern.name());
                }
            }
        }
    }

    #[test]
    fn what_is_touched_is_what_the_pattern_covers() {
        let config = config("");
        let touched = |pattern: Pattern, format| pattern.workload(&config, format, 6).touched_bytes(&config);
        assert_eq!(touched(Pattern::Scan, Format::Rgba8), 64 * 64 * 4);
        assert_eq!(touched(Pattern::Vertical, Format::Rgb8), 64 * 64 * 3);
        assert_eq!(touched(Pattern::Scan, Format::I8Rgb8), 64 * 64 + 256 * 3);
        // Level 2 of 256 x 256, three quarters of a texel a pixel.
        assert!(touched(Pattern::Minified, Format::Rgba8) <= 64 * 64 * 4);
        // 32 x 32 texels and the right and lower neighbours.
        assert!((4096..6000).contains(&touched(Pattern::Hits, Format::Rgba8)));
    }

    #[test]
    fn every_configuration_gets_what_it_builds() {
        let least = config(
            "[texture]\nformats = [\"rgb8\"]\naddress_modes = [\"mirror\"]\nbilinear = false\nmipmaps = false\n\
             max_size_log2 = 4",
        );
        for pattern in Pattern::ALL {
            let workload = pattern.workload(&least, Format::Rgb8, 5);
            let mut unit = TextureUnit::with_features(Nothing, *least.features());
            unit.bind(&workload.binding).unwrap();
        }
    }

    #[test]
    fn stretches_are_all_the_quads() {
        let four = config("units = 4");
        let hits = Pattern::Hits.workload(&four, Format::Rgba8, 5);
        let stretches: Vec<_> = hits.stretches(4).collect();
        assert!(
            stretches.iter().all(|stretch| stretch.len() == 4 * 256 && stretch[..256] == stretch[256..512])
        );
        assert_eq!(hits.stretches(3).map(<[Quad]>::len).sum::<usize>(), hits.quads.len());
        let short = Workload { quads: hits.quads[..2].into(), ..hits };
        assert_eq!(short.stretches(4).map(<[Quad]>::len).collect::<Vec<_>>(), [1, 1, 0, 0]);
    }
}
