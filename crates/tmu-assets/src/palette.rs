//! One colour table of 256 entries for a whole mip chain, and the index of every texel.
//!
//! Contract: up to 256 distinct colours in the chain are kept exactly. If only level 0 has so few (a palettised
//! picture), level 0 is kept exactly and the smaller levels share the entries that are left. Otherwise the table
//! minimises the squared error of the colour codes, the domain in which the hardware filters. Entries are sorted,
//! unused ones are zero; the same levels give the same table and indices on any number of threads.
//! Cost: a sort of all texels, then work by distinct colour; see `benches/pack.rs`.

use crate::cluster::{ColourCount, cluster};
use crate::metric::{Point, point};
use crate::picture::Picture;
use quantette::color_map::{IndexedColorMap, NearestNeighborColorMap};
use quantette::{ImageRef, PaletteBuf, dither::FloydSteinberg};
use rayon::prelude::*;

/// Entries of a colour table.
pub const TABLE_ENTRIES: usize = 256;

/// A colour table and the indices of all levels of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedChain {
    /// R, G, B, A of each entry.
    pub table: [[u8; 4]; TABLE_ENTRIES],
    /// For each level its indices, row by row.
    pub levels: Vec<Vec<u8>>,
}

/// Finds the table for `chain` (level 0 first) and replaces every texel by an index.
///
/// With `dither`, errors are spread over the neighbours (Floyd and Steinberg 1976) level by level.
pub fn quantise(chain: &[Picture], dither: bool) -> IndexedChain {
    let entries = choose_entries(chain);
    let mut table = [[0; 4]; TABLE_ENTRIES];
    table[..entries.len()].copy_from_slice(&entries);
    if entries.is_empty() {
        return IndexedChain { table, levels: chain.iter().map(|_| Vec::new()).collect() };
    }
    let points = entries.iter().map(|&entry| point(entry)).collect();
    let map = ColourMap::new(PaletteBuf::new(points).expect("1 … 256 entries"));
    let index = |level: &Picture| if dither { dithered(&map, level) } else { nearest(&map, level) };
    IndexedChain { table, levels: chain.par_iter().map(index).collect() }
}

/// Finds the nearest entry in the quantiser's metric.
type ColourMap = NearestNeighborColorMap<Point, f32, 4>;

fn nearest(map: &ColourMap, level: &Picture) -> Vec<u8> {
    level.texels().par_iter().map(|&texel| map.palette_index(&point(texel))).collect()
}

fn dithered(map: &ColourMap, level: &Picture) -> Vec<u8> {
    let points: Vec<Point> = level.texels().par_iter().map(|&texel| point(texel)).collect();
    let image =
        ImageRef::new(level.width() as u32, level.height() as u32, &points).expect("the level's own size");
    FloydSteinberg::new().dither_image_to_indexed(image, map.clone()).into_parts().1
}

/// At most 256 entries, sorted.
fn choose_entries(chain: &[Picture]) -> Vec<[u8; 4]> {
    let all = count_colours(chain);
    let mut entries = if all.len() <= TABLE_ENTRIES {
        colours(&all)
    } else {
        let fixed = colours(&count_colours(&chain[..1]));
        if fixed.len() <= TABLE_ENTRIES {
            let rest: Vec<_> =
                all.into_iter().filter(|count| fixed.binary_search(&count.colour).is_err()).collect();
            let free = TABLE_ENTRIES - fixed.len();
            [fixed, cluster(&rest, free)].concat()
        } else {
            cluster(&all, TABLE_ENTRIES)
        }
    };
    entries.sort_unstable();
    entries.dedup();
    entries
}

fn colours(counts: &[ColourCount]) -> Vec<[u8; 4]> {
    counts.iter().map(|count| count.colour).collect()
}

/// The distinct colours of some levels, ascending, with how many texels have them.
fn count_colours(levels: &[Picture]) -> Vec<ColourCount> {
    let mut keys: Vec<u32> =
        levels.iter().flat_map(|level| level.texels()).map(|&texel| u32::from_be_bytes(texel)).collect();
    keys.par_sort_unstable();
    keys.chunk_by(|a, b| a == b)
        .map(|run| ColourCount { colour: run[0].to_be_bytes(), texels: run.len() as u32 })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mip::{MipFilter, mip_chain};
    use crate::quality::psnr_db;
    use crate::testing::{hashed_picture, mix};
    use std::collections::BTreeSet;

    fn color_of(chain: &IndexedChain, level: usize, texel: usize) -> [u8; 4] {
        chain.table[usize::from(chain.levels[level][texel])]
    }

    /// Level 0 as it comes out of the table.
    fn level_0(picture: &Picture, indexed: &IndexedChain) -> Picture {
        let texels = (0..picture.texels().len()).map(|texel| color_of(indexed, 0, texel)).collect();
        Picture::from_texels(picture.width(), picture.height(), texels)
    }

    /// Texels of one of `colors` hashed colours.
    fn speckled(width: usize, height: usize, colors: u64) -> Picture {
        let texel = |index: u64| (mix(mix(index) % colors) as u32).to_le_bytes();
        Picture::from_texels(width, height, (0..(width * height) as u64).map(texel).collect())
    }

    #[test]
    fn few_colours_are_kept_exactly_in_every_level() {
        for colors in [1, 2, 7, 255, 256] {
            for dither in [false, true] {
                let chain = mip_chain(&speckled(64, 32, colors), MipFilter::Point);
                let indexed = quantise(&chain, dither);
                for (level, picture) in chain.iter().enumerate() {
                    for (index, texel) in picture.texels().iter().enumerate() {
                        let got = color_of(&indexed, level, index);
                        assert_eq!(
                            got, *texel,
                            "{colors} colours, dither {dither}, level {level}, texel {index}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_palettised_picture_keeps_level_0() {
        let chain = mip_chain(&speckled(64, 64, 200), MipFilter::Box);
        let indexed = quantise(&chain, false);
        for (index, texel) in chain[0].texels().iter().enumerate() {
            assert_eq!(color_of(&indexed, 0, index), *texel, "texel {index}");
        }
        // The other 56 entries serve the smaller levels: their colours were not in level 0.
        let kept: BTreeSet<_> = chain[0].texels().iter().copied().collect();
        let smaller = (1..chain.len())
            .flat_map(|level| (0..chain[level].texels().len()).map(move |texel| (level, texel)));
        let others: BTreeSet<_> = smaller
            .map(|(level, texel)| color_of(&indexed, level, texel))
            .filter(|color| !kept.contains(color))
            .collect();
        assert!(others.len() > 40, "smaller levels have {} entries of their own", others.len());
    }

    #[test]
    fn photographs_lose_little() {
        for (name, width, height, expected_db) in
            [("coffee.jpg", 512, 512, 39.5), ("chelsea.png", 451, 300, 40.0)]
        {
            let path = tmu_testing::repository().join("assets").join(name);
            let picture = Picture::open(&path).unwrap();
            assert_eq!((picture.width(), picture.height()), (width, height));
            let indexed = quantise(std::slice::from_ref(&picture), false);
            let db = psnr_db(&picture, &level_0(&picture, &indexed)).unwrap();
            assert!(db > expected_db, "{name}: {db:.2} dB, expected {expected_db}");
        }
    }

    #[test]
    fn alpha_is_kept_where_colours_are_many() {
        // A ramp of alpha over noise in colour: more than 256 colours in level 0.
        let texels = (0..256u64)
            .flat_map(|y| (0..256u64).map(move |x| [mix(x / 8) as u8, (x / 2) as u8, y as u8, y as u8]))
            .collect();
        let picture = Picture::from_texels(256, 256, texels);
        let indexed = quantise(std::slice::from_ref(&picture), false);
        let worst =
            picture.texels().iter().enumerate().map(|(index, texel)| {
                i32::from(color_of(&indexed, 0, index)[3]).abs_diff(i32::from(texel[3]))
            });
        assert!(worst.max().unwrap() < 48, "alpha is off by more than a sixth");
    }

    #[test]
    fn dithering_keeps_the_mean() {
        // A ramp of 2048 hues: nearest colours make steps, diffusion keeps every 32 × 32 block's mean.
        let texels = (0..128usize)
            .flat_map(|y| (0..128usize).map(move |x| [(2 * x) as u8, (2 * y) as u8, (x ^ y) as u8, 255]))
            .collect();
        let picture = Picture::from_texels(128, 128, texels);
        let indexed = quantise(std::slice::from_ref(&picture), true);
        for block in 0..16 {
            let (left, top) = (block % 4 * 32, block / 4 * 32);
            for channel in 0..3 {
                let mean = |color: &dyn Fn(usize) -> [u8; 4]| {
                    let texels = (0..1024).map(|texel| (top + texel / 32) * 128 + left + texel % 32);
                    texels.map(|index| f64::from(color(index)[channel])).sum::<f64>() / 1024.0
                };
                let expected = mean(&|index| picture.texels()[index]);
                let got = mean(&|index| color_of(&indexed, 0, index));
                assert!(
                    (got - expected).abs() < 3.0,
                    "block {block} channel {channel}: {got} for {expected}"
                );
            }
        }
    }

    #[test]
    fn the_number_of_threads_does_not_show() {
        let chain = mip_chain(&hashed_picture(128, 128, 9), MipFilter::Box);
        for dither in [false, true] {
            let results = [1, 3].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| quantise(&chain, dither))
            });
            assert_eq!(results[0], results[1], "dither {dither}");
        }
    }
}
