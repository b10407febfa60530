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
    let image = ImageRef::new(level.width() as u32, level.height() as u32, &points).expect("the level's own size");
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

