//! The mip chain: every level from the one above it, by a separable kernel that halves each axis.
//!
//! Contract: level 0 is the picture itself, bit for bit; level *m* has `max(1, size >> m)` texels on each axis; the
//! last level is 1 × 1. Averages are made in linear light and weighted by alpha (except `box-encoded`), beyond an edge
//! the edge texel is repeated, and nothing is rounded between levels. The result does not depend on the number of
//! threads: each texel is summed in one fixed order.
//! Cost: `taps` multiply-adds per texel and axis; a 2048 × 2048 chain peaks at about 100 MB.

use crate::light::LightPicture;
use crate::picture::Picture;
use crate::transfer::Transfer;
use rayon::prelude::*;
use std::f64::consts::PI;
use std::fmt;
use std::str::FromStr;

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
}

impl MipFilter {
    /// Every filter, in the order of the help text.
    pub const ALL: [MipFilter; 5] =
        [MipFilter::Box, MipFilter::BoxEncoded, MipFilter::Triangle, MipFilter::Lanczos3, MipFilter::Point];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            MipFilter::Box => "box",
            MipFilter::BoxEncoded => "box-encoded",
            MipFilter::Triangle => "triangle",
            MipFilter::Lanczos3 => "lanczos3",
            MipFilter::Point => "point",
        }
    }

    fn transfer(self) -> Transfer {
        match self {
            MipFilter::BoxEncoded => Transfer::Identity,
            _ => Transfer::Srgb,
        }
    }

    /// Weights of the source texels `2x + 1 - n/2 …` that make texel `x`; their sum is 1.
    fn taps(self) -> Vec<f32> {
        match self {
            MipFilter::Box | MipFilter::BoxEncoded => vec![0.5, 0.5],
            MipFilter::Triangle => sampled_kernel(1, |distance| 1.0 - distance),
            MipFilter::Lanczos3 => sampled_kernel(3, |distance| sinc(distance) * sinc(distance / 3.0)),
            MipFilter::Point => vec![1.0, 0.0],
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

/// `kernel(distance)` at the centres of the source texels within `radius` target texels, made to sum to 1.
fn sampled_kernel(radius: usize, kernel: impl Fn(f64) -> f64) -> Vec<f32> {
    let taps = 4 * radius;
    let centre = (taps - 1) as f64 / 2.0;
    let weights: Vec<f64> = (0..taps).map(|tap| kernel((tap as f64 - centre).abs() / 2.0)).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| (weight / sum) as f32).collect()
}

/// Of any `x` but 0, where no tap is: all lie between two source texels.
fn sinc(x: f64) -> f64 {
    (PI * x).sin() / (PI * x)
}

/// All levels of a picture down to 1 × 1, the picture itself first.
pub fn mip_chain(picture: &Picture, filter: MipFilter) -> Vec<Picture> {
    let (taps, transfer) = (filter.taps(), filter.transfer());
    let mut light = LightPicture::from_picture(picture, transfer);
    let mut chain = vec![picture.clone()];
    while light.width > 1 || light.height > 1 {
        light = halve_height(halve_width(light, &taps), &taps);
        chain.push(light.to_picture(transfer));
    }
    chain
}

/// The source texel of a tap, with the edge texel repeated beyond the edge.
fn tap_source(target: usize, tap: usize, taps: usize, size: usize) -> usize {
    (2 * target + 1 + tap).saturating_sub(taps / 2).min(size - 1)
}

fn halve_width(source: LightPicture, taps: &[f32]) -> LightPicture {
    if source.width == 1 {
        return source;
    }
    let width = source.width / 2;
    let mut texels = vec![[0.0; 4]; width * source.height];
    texels.par_chunks_mut(width).zip(source.texels.par_chunks(source.width)).for_each(|(target, row)| {
        for (x, texel) in target.iter_mut().enumerate() {
            for (tap, &weight) in taps.iter().enumerate() {
                accumulate(texel, row[tap_source(x, tap, taps.len(), row.len())], weight);
            }
        }
    });
    LightPicture { width, height: source.height, texels }
}

fn halve_height(source: LightPicture, taps: &[f32]) -> LightPicture {
    if source.height == 1 {
        return source;
    }
    let (width, height) = (source.width, source.height / 2);
    let mut texels = vec![[0.0; 4]; width * height];
    texels.par_chunks_mut(width).enumerate().for_each(|(y, target)| {
        for (tap, &weight) in taps.iter().enumerate() {
            let start = tap_source(y, tap, taps.len(), source.height) * width;
            for (texel, &from) in target.iter_mut().zip(&source.texels[start..start + width]) {
                accumulate(texel, from, weight);
            }
        }
    });
    LightPicture { width, height, texels }
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

    /// The first half of the taps of each filter: the second is its mirror image, but for `point`.
    #[test]
    fn taps_are_those_of_the_textbook() {
        // sinc(d) · sinc(d / 3) at d = 2.75, 2.25 … 0.25, over twice its sum.
        const LANCZOS3: [f32; 6] =
            [0.003_689_1, 0.015_056_1, -0.033_998_6, -0.066_637_3, 0.135_505_3, 0.446_385_4];
        let cases: [(MipFilter, &[f32]); 5] = [
            (MipFilter::Box, &[0.5]),
            (MipFilter::BoxEncoded, &[0.5]),
            (MipFilter::Triangle, &[0.125, 0.375]),
            (MipFilter::Lanczos3, &LANCZOS3),
            (MipFilter::Point, &[1.0]),
        ];
        for (filter, expected) in cases {
            let taps = filter.taps();
            assert_eq!(taps.len(), 2 * expected.len(), "{filter}");
            for (tap, (got, expected)) in taps.iter().zip(expected).enumerate() {
                assert!((got - expected).abs() < 1e-6, "{filter}: tap {tap} is {got}, not {expected}");
            }
            let mirrored: Vec<f32> = taps.iter().rev().copied().collect();
            assert!(filter == MipFilter::Point || mirrored == taps, "{filter}: {taps:?}");
            let sum: f32 = taps.iter().sum();
            assert!((sum - 1.0).abs() < 1e-6, "{filter}: {sum}");
        }
    }

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
        let cases: [(usize, usize, Sizes); 4] = [
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
    fn the_tent_reads_four_texels_a_side() {
        // Linear ramp of light in one row: 1/8, 3/8, 3/8, 1/8 of texels 1 … 4 gives the value between 2 and 3.
        let taps = MipFilter::Triangle.taps();
        assert_eq!(taps, [0.125, 0.375, 0.375, 0.125]);
        let ramp = LightPicture { width: 8, height: 1, texels: (0..8).map(|x| [x as f32; 4]).collect() };
        let half = halve_width(ramp, &taps);
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
        assert!(error.contains("box, box-encoded, triangle, lanczos3, point"), "{error}");
    }
}
