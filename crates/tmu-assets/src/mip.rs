//! The mip chain: every level from the one above it, by a separable kernel that halves each axis.
//!
//! Contract: level 0 is the picture itself, bit for bit; level *m* has `max(1, size >> m)` texels on each axis; the
//! last level is 1 × 1. Averages are made in linear light and weighted by alpha (except `box-encoded` and `exact`), beyond an edge
//! the edge texel is repeated, and nothing is rounded between levels (except `exact`). The result does not depend on the number of
//! threads: each texel is summed in one fixed order.
//!
//! An odd side of w = 2n + 1 texels becomes n, so that a texel of the smaller level covers w / n of the larger: the box
//! weighs each by what is covered of it, texels 2x, 2x + 1 and 2x + 2 by (n - x) / w, n / w and (x + 1) / w, so that
//! each counts the same in the level as a whole; the other kernels are as much wider.
//! Cost: `taps` multiply-adds per texel and axis; a 2048 × 2048 chain peaks at about 100 MB.

pub(crate) mod exact;
mod taps;

use crate::light::Light;
use crate::picture::Picture;
use crate::raster::Raster;
use crate::transfer::Transfer;
use exact::exact_chain;
use rayon::prelude::*;
use std::fmt;
use std::str::FromStr;
use taps::axis_taps;

/// The kernel that makes a smaller level from a larger one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MipFilter {
    /// Mean of 2 × 2 texels in linear light: brightness is kept from level to level.
    #[default]
    Box,
    /// Mean of 2 × 2 colour codes as they are: for data that is not colour, such as heights and masks.
    BoxEncoded,
    /// Tent over 4 × 4 texels in linear light: softer, fewer stair steps than the box.
    Triangle,
    /// Windowed sinc over 12 × 12 texels in linear light: sharper, may ring at hard edges.
    Lanczos3,
    /// The upper left of 2 × 2 texels: makes no new colours, for pixel art and indices.
    Point,
    /// The box in integers, of texels as they are stored: what the loader engine makes, byte for byte.
    Exact,
}

impl MipFilter {
    /// Every filter, in the order of the help text.
    pub const ALL: [MipFilter; 6] = [
        MipFilter::Box,
        MipFilter::BoxEncoded,
        MipFilter::Triangle,
        MipFilter::Lanczos3,
        MipFilter::Point,
        MipFilter::Exact,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            MipFilter::Box => "box",
            MipFilter::BoxEncoded => "box-encoded",
            MipFilter::Triangle => "triangle",
            MipFilter::Lanczos3 => "lanczos3",
            MipFilter::Point => "point",
            MipFilter::Exact => "exact",
        }
    }

    fn transfer(self) -> Transfer {
        match self {
            MipFilter::BoxEncoded | MipFilter::Exact => Transfer::Identity,
            _ => Transfer::Srgb,
        }
    }
}

impl fmt::Display for MipFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for MipFilter {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        MipFilter::ALL.into_iter().find(|filter| filter.name() == name).ok_or_else(|| {
            let names: Vec<_> = MipFilter::ALL.iter().map(|filter| filter.name()).collect();
            format!("no mip filter is called `{name}`: use one of {}", names.join(", "))
        })
    }
}

/// All levels of a picture down to 1 × 1, the picture itself first.
pub fn mip_chain(picture: &Picture, filter: MipFilter) -> Vec<Picture> {
    if filter == MipFilter::Exact {
        let base = Raster::from(picture);
        let levels = picture.width().max(picture.height()).ilog2() + 1;
        return exact_chain(&base, levels, true, false).iter().map(|level| level.to_picture(0)).collect();
    }
    let transfer = filter.transfer();
    let mut light = Light::from_picture(picture, transfer);
    let mut chain = vec![picture.clone()];
    while light.size != [1; 3] {
        light = halved(light, filter);
        chain.push(light.to_picture(transfer));
    }
    chain
}

/// So many levels of a raster whose slices are those of a volume, the raster itself first.
pub(crate) fn raster_chain(raster: &Raster, filter: MipFilter, levels: u32) -> Vec<Raster> {
    if filter == MipFilter::Exact {
        return exact_chain(raster, levels, true, false);
    }
    let transfer = filter.transfer();
    let mut chain = vec![raster.clone()];
    if levels > 1 {
        let mut light = Light::from_raster(raster, transfer);
        for _ in 1..levels {
            light = halved(light, filter);
            chain.push(light.to_raster(transfer, raster.bits()));
        }
    }
    chain
}

/// The picture of a ripmap, of twice the sides: level (u, v), smaller by u along x and by v along y, begins at
/// (2w - (2w >> u), 2h - (2h >> v)). What no level has is 0.
///
/// # Panics
/// If the raster has several slices, or a side is no power of two.
pub(crate) fn ripmap(raster: &Raster, filter: MipFilter) -> Raster {
    let [width, height, slices] = raster.size();
    assert!(
        slices == 1 && width.is_power_of_two() && height.is_power_of_two(),
        "{width} x {height} x {slices}"
    );
    let transfer = filter.transfer();
    let mut texels = vec![[0; 4]; 4 * width * height];
    let mut place = |level: &Raster, [left, top]: [usize; 2]| {
        for (row, from) in level.texels().chunks(level.size()[0]).enumerate() {
            texels[(top + row) * 2 * width + left..][..from.len()].copy_from_slice(from);
        }
    };
    let mut column = Light::from_raster(raster, transfer);
    for u in 0..=width.ilog2() {
        let mut light = column.clone();
        for v in 0..=height.ilog2() {
            let origin = [2 * width - ((2 * width) >> u), 2 * height - ((2 * height) >> v)];
            // The picture itself goes along as it is.
            if [u, v] == [0, 0] {
                place(raster, origin);
            } else {
                place(&light.to_raster(transfer, raster.bits()), origin);
            }
            light = halve_axis(light, filter, 1);
        }
        column = halve_width(column, filter);
    }
    Raster::new([2 * width, 2 * height, 1], raster.bits(), texels)
}

fn halved(light: Light, filter: MipFilter) -> Light {
    let light = halve_width(light, filter);
    halve_axis(halve_axis(light, filter, 1), filter, 2)
}

fn halve_width(source: Light, filter: MipFilter) -> Light {
    let [size, height, slices] = source.size;
    if size == 1 {
        return source;
    }
    let taps = axis_taps(filter, size);
    let width = taps.len();
    let mut texels = vec![[0.0; 4]; width * height * slices];
    texels.par_chunks_mut(width).zip(source.texels.par_chunks(size)).for_each(|(target, row)| {
        for (texel, taps) in target.iter_mut().zip(&taps) {
            for &(from, weight) in taps {
                accumulate(texel, row[from], weight);
            }
        }
    });
    Light { size: [width, height, slices], texels }
}

/// Halves the rows, axis 1, or the slices, axis 2.
fn halve_axis(source: Light, filter: MipFilter, axis: usize) -> Light {
    let size = source.size[axis];
    if size == 1 {
        return source;
    }
    let taps = axis_taps(filter, size);
    // What lies side by side on this axis: rows, or slices.
    let run: usize = source.size[..axis].iter().product();
    let outer: usize = source.size[axis + 1..].iter().product();
    let mut texels = vec![[0.0; 4]; outer * taps.len() * run];
    texels.par_chunks_mut(run).enumerate().for_each(|(number, target)| {
        let before = number / taps.len() * size;
        for &(from, weight) in &taps[number % taps.len()] {
            let start = (before + from) * run;
            for (texel, &from) in target.iter_mut().zip(&source.texels[start..start + run]) {
                accumulate(texel, from, weight);
            }
        }
    });
    let mut target = source.size;
    target[axis] = taps.len();
    Light { size: target, texels }
}

fn accumulate(sum: &mut [f32; 4], texel: [f32; 4], weight: f32) {
    for (channel, value) in sum.iter_mut().zip(texel) {
        *channel += value * weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::hashed_picture;

    #[test]
    fn a_constant_picture_stays_constant_in_every_filter() {
        for filter in MipFilter::ALL {
            for texel in [[0, 0, 0, 0], [255; 4], [200, 100, 3, 17], [1, 2, 3, 255], [90, 80, 70, 0]] {
                let picture = Picture::from_texels(16, 8, vec![texel; 128]);
                for (level, smaller) in mip_chain(&picture, filter).iter().enumerate() {
                    for got in smaller.texels() {
                        assert_eq!(*got, texel, "{filter} level {level}");
                    }
                }
            }
        }
    }

    #[test]
    fn sizes_halve_down_to_one_by_one() {
        type Sizes = &'static [(usize, usize)];
        let cases: [(usize, usize, Sizes); 5] = [
            (7, 3, &[(7, 3), (3, 1), (1, 1)]),
            (1, 1, &[(1, 1)]),
            (8, 1, &[(8, 1), (4, 1), (2, 1), (1, 1)]),
            (2, 8, &[(2, 8), (1, 4), (1, 2), (1, 1)]),
            (4, 4, &[(4, 4), (2, 2), (1, 1)]),
        ];
        for (width, height, expected) in cases {
            for filter in MipFilter::ALL {
                let chain = mip_chain(&hashed_picture(width, height, 1), filter);
                let sizes: Vec<_> = chain.iter().map(|level| (level.width(), level.height())).collect();
                assert_eq!(sizes, expected, "{filter} of {width}x{height}");
            }
        }
    }

    #[test]
    fn blocks_of_one_colour_become_texels() {
        let small = hashed_picture(8, 4, 6).opaque();
        let texels = (0..16 * 8).map(|index| small.texel(index % 16 / 2, index / 32)).collect();
        let picture = Picture::from_texels(16, 8, texels);
        for filter in [MipFilter::Box, MipFilter::BoxEncoded, MipFilter::Point] {
            assert_eq!(mip_chain(&picture, filter)[1], small, "{filter}");
        }
    }

    /// One 2 × 2 picture, its single smaller texel worked out by hand.
    #[test]
    fn hand_worked_averages() {
        const BLACK: [u8; 4] = [0, 0, 0, 255];
        const WHITE: [u8; 4] = [255; 4];
        const RED: [u8; 4] = [255, 0, 0, 255];
        const CLEAR_GREEN: [u8; 4] = [0, 255, 0, 0];
        type Case = (&'static str, MipFilter, [[u8; 4]; 4], [u8; 4]);
        let cases: [Case; 9] = [
            (
                "half the light is code 188",
                MipFilter::Box,
                [BLACK, WHITE, WHITE, BLACK],
                [188, 188, 188, 255],
            ),
            ("a quarter is code 137", MipFilter::Box, [BLACK, BLACK, WHITE, BLACK], [137, 137, 137, 255]),
            ("codes as they are", MipFilter::BoxEncoded, [BLACK, WHITE, WHITE, BLACK], [128, 128, 128, 255]),
            (
                "clear texels do not bleed",
                MipFilter::Box,
                [RED, CLEAR_GREEN, CLEAR_GREEN, RED],
                [255, 0, 0, 128],
            ),
            ("nor here", MipFilter::BoxEncoded, [RED, CLEAR_GREEN, CLEAR_GREEN, RED], [255, 0, 0, 128]),
            ("clear stays green", MipFilter::Box, [CLEAR_GREEN; 4], CLEAR_GREEN),
            ("upper left", MipFilter::Point, [RED, BLACK, WHITE, CLEAR_GREEN], RED),
            // On 2 × 2 the edge rule makes every even kernel the mean.
            ("edges repeat", MipFilter::Triangle, [BLACK, WHITE, WHITE, BLACK], [188, 188, 188, 255]),
            ("edges repeat", MipFilter::Lanczos3, [BLACK, WHITE, WHITE, BLACK], [188, 188, 188, 255]),
        ];
        for (name, filter, texels, expected) in cases {
            let chain = mip_chain(&Picture::from_texels(2, 2, texels.to_vec()), filter);
            assert_eq!(chain[1].texels(), [expected], "{name} ({filter})");
        }
    }

    #[test]
    fn volumes_halve_on_three_axes() {
        // One texel of eight is white: an eighth of the light.
        let texel = |number| if number == 5 { [0xffff; 4] } else { [0, 0, 0, 0xffff] };
        let volume = Raster::new([2, 2, 2], 16, (0..8).map(texel).collect());
        let chain = raster_chain(&volume, MipFilter::BoxEncoded, 2);
        assert_eq!(chain[1].texels(), [[0x2000, 0x2000, 0x2000, 0xffff]]);
        let sizes: Vec<_> =
            raster_chain(&Raster::new([5, 3, 6], 8, vec![[9, 8, 7, 6]; 90]), MipFilter::Box, 3)
                .iter()
                .map(|level| (level.size(), level.texels().iter().all(|&texel| texel == [9, 8, 7, 6])))
                .collect();
        assert_eq!(sizes, [([5, 3, 6], true), ([2, 1, 3], true), ([1, 1, 1], true)]);
    }

    /// The diagonal of a ripmap is the mip chain, and what lies beside it is smaller along one axis only.
    #[test]
    fn ripmaps_hold_every_pair_of_levels() {
        let raster = Raster::from(&hashed_picture(16, 4, 9));
        // Exact levels come from stored ones, and there are no such ripmaps.
        for filter in MipFilter::ALL.into_iter().filter(|filter| *filter != MipFilter::Exact) {
            let picture = ripmap(&raster, filter);
            assert_eq!(picture.size(), [32, 8, 1]);
            let level = |u: usize, v: usize| {
                let [left, top] = [32 - (32 >> u), 8 - (8 >> v)];
                let texels = (0..4 >> v).flat_map(|y| (0..16 >> u).map(move |x| [left + x, top + y, 0]));
                Raster::new([16 >> u, 4 >> v, 1], 8, texels.map(|place| picture.texel(place)).collect())
            };
            for (number, expected) in raster_chain(&raster, filter, 3).iter().enumerate() {
                assert_eq!(level(number, number), *expected, "{filter}, level {number}");
            }
            // Along x alone: that of each row by itself.
            for row in 0..4 {
                let own = Raster::new([16, 1, 1], 8, raster.texels()[16 * row..][..16].to_vec());
                let chain = raster_chain(&own, filter, 5);
                for (number, expected) in chain.iter().enumerate() {
                    let size = 16 >> number;
                    let found = &level(number, 0).texels()[size * row..][..size].to_vec();
                    assert_eq!(found, expected.texels(), "{filter}, level {number}, 0, row {row}");
                }
            }
            assert_eq!(picture.texel([31, 7, 0]), [0; 4]);
        }
    }

    /// A picture of powers of two has the same chain either way.
    #[test]
    fn rasters_and_pictures_have_one_chain() {
        let picture = hashed_picture(16, 4, 9);
        for filter in MipFilter::ALL {
            let chain = raster_chain(&Raster::from(&picture), filter, 5);
            let pictures: Vec<_> = chain.iter().map(|level| level.to_picture(0)).collect();
            assert_eq!(pictures, mip_chain(&picture, filter), "{filter}");
        }
    }

    #[test]
    fn the_tent_reads_four_texels_a_side() {
        // Linear ramp of light in one row: 1/8, 3/8, 3/8, 1/8 of texels 1 … 4 gives the value between 2 and 3.
        let taps = MipFilter::Triangle.taps();
        assert_eq!(taps, [0.125, 0.375, 0.375, 0.125]);
        let ramp = Light { size: [8, 1, 1], texels: (0..8).map(|x| [x as f32; 4]).collect() };
        let half = halve_width(ramp, MipFilter::Triangle);
        let values: Vec<_> = half.texels.iter().map(|texel| texel[0]).collect();
        assert_eq!(values, [0.625, 2.5, 4.5, 6.375]);
    }

    #[test]
    fn the_number_of_threads_does_not_show() {
        let picture = hashed_picture(64, 128, 7);
        for filter in MipFilter::ALL {
            let chains = [1, 3].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| mip_chain(&picture, filter))
            });
            assert_eq!(chains[0], chains[1], "{filter}");
        }
    }

    #[test]
    fn names_parse_back() {
        for filter in MipFilter::ALL {
            assert_eq!(filter.to_string().parse(), Ok(filter));
        }
        let error = "gauss".parse::<MipFilter>().unwrap_err();
        assert!(error.contains("box, box-encoded, triangle, lanczos3, point, exact"), "{error}");
    }
}
