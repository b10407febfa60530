//! The lines of a texture that a frame looked up, as a picture of its levels.
//!
//! Level 0 stands left, the others in a column beside it, one under the other. A texel whose line was looked up has the
//! colour of the count, on a logarithmic scale from blue to white; one that was not shows itself, dimmed. Where level 0 is
//! larger than the picture may be, a pixel stands for a square of texels and shows the largest count among them.
//!
//! Cost: one look at every texel.

use rayon::prelude::*;
use serde::Serialize;
use tmu_assets::TextureImage;
use tmu_spec::{LINE_BYTES, Texture};

/// Longest side of level 0 in pixels.
const MAX_LEVEL_PIXELS: u32 = 512;

/// Pixels between levels.
const GAP_PIXELS: u32 = 2;

/// Colours of rising counts.
const RAMP: [[u8; 3]; 6] =
    [[24, 38, 140], [126, 36, 158], [206, 54, 96], [244, 120, 40], [252, 202, 60], [255, 255, 224]];

/// The part of a texel's brightness that is left where its line was not looked up.
const DIMMED: u16 = 3;

/// What was looked up of a level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct LevelCounts {
    width: u32,
    height: u32,
    /// Lines that it is stored in.
    lines: u64,
    /// Those of them that were looked up.
    touched: u64,
    /// Look-ups of its lines.
    lookups: u64,
}

/// The picture, with what stands in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct HeatMap {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Look-ups of the line that was looked up most often.
    most: u32,
    levels: Vec<LevelCounts>,
    #[serde(skip)]
    pub(crate) rgb: Vec<u8>,
}

/// Where a level stands in the picture.
struct Place {
    level: u32,
    left: u32,
    top: u32,
    width: u32,
    height: u32,
}

/// Draws the counts of the lines of a texture that begins at line 0.
pub(crate) fn heat_map(image: Option<&TextureImage>, texture: Texture, counts: &[u32]) -> HeatMap {
    let texels_log2 =
        texture.width(0).max(texture.height(0)).div_ceil(MAX_LEVEL_PIXELS).next_power_of_two().ilog2();
    let places = places(texture, texels_log2);
    let width = places.iter().map(|place| place.left + place.width).max().unwrap_or(1);
    let height = places.iter().map(|place| place.top + place.height).max().unwrap_or(1);
    let most = counts.iter().copied().max().unwrap_or(0);
    let lines = Lines {
        texture,
        counts,
        scale: f32::from(RAMP.len() as u8 - 1) / (1.0 + most as f32).log2().max(1.0),
    };
    let mut rgb = vec![0; 3 * (width * height) as usize];
    rgb.par_chunks_mut(3 * width as usize).zip(0..height).for_each(|(row, y)| {
        for place in places.iter().filter(|place| (place.top..place.top + place.height).contains(&y)) {
            for x in 0..place.width {
                let texel = [x << texels_log2, (y - place.top) << texels_log2];
                let pixel = lines.pixel(image, place.level, texel, 1 << texels_log2);
                row[3 * (place.left + x) as usize..][..3].copy_from_slice(&pixel);
            }
        }
    });
    HeatMap { width, height, most, levels: levels(texture, counts), rgb }
}

/// Level 0 left, the others in a column right of it.
fn places(texture: Texture, texels_log2: u32) -> Vec<Place> {
    let side = |texels: u32| (texels >> texels_log2).max(1);
    let (column, mut below) = (side(texture.width(0)) + GAP_PIXELS, 0);
    let place = |level| {
        let (width, height) = (side(texture.width(level)), side(texture.height(level)));
        if level == 0 {
            return Place { level, left: 0, top: 0, width, height };
        }
        let top = below;
        below += height + GAP_PIXELS;
        Place { level, left: column, top, width, height }
    };
    (0..texture.levels()).map(place).collect()
}

/// The counts of the lines of a texture.
struct Lines<'a> {
    texture: Texture,
    counts: &'a [u32],
    /// Steps of the ramp for each doubling of the count.
    scale: f32,
}

impl Lines<'_> {
    /// The colour of a square of texels.
    fn pixel(&self, image: Option<&TextureImage>, level: u32, [x, y]: [u32; 2], side: u32) -> [u8; 3] {
        let [right, bottom] = [self.texture.width(level), self.texture.height(level)];
        let columns = x..(x + side).min(right);
        let square = (y..(y + side).min(bottom)).flat_map(|y| columns.clone().map(move |x| [x, y]));
        let count = square.map(|texel| self.count(level, texel)).max().unwrap_or(0);
        if count == 0 {
            let [r, g, b, _] = image.map_or([0; 4], |image| image.texel(level, x, y));
            return [r, g, b].map(|code| (u16::from(code) / DIMMED) as u8);
        }
        ramp((1.0 + count as f32).log2() * self.scale)
    }

    /// Look-ups of the lines that a texel stands in.
    fn count(&self, level: u32, [x, y]: [u32; 2]) -> u32 {
        let first = self.texture.texel_byte_offset(level, x, y);
        let last = first + self.texture.format().bytes_per_texel() - 1;
        let of_line = |byte: u32| self.counts.get((byte / LINE_BYTES) as usize).copied().unwrap_or(0);
        of_line(first).max(of_line(last))
    }
}

/// A colour between those of the ramp.
fn ramp(at: f32) -> [u8; 3] {
    let step = (at.max(0.0) as usize).min(RAMP.len() - 2);
    let part = (at - step as f32).clamp(0.0, 1.0);
    std::array::from_fn(|channel| {
        let [low, high] = [RAMP[step][channel], RAMP[step + 1][channel]].map(f32::from);
        (low + (high - low) * part).round() as u8
    })
}

/// The sums over the lines of each level.
fn levels(texture: Texture, counts: &[u32]) -> Vec<LevelCounts> {
    let of_level = |level| {
        let first = texture.level_byte_offset(level) / LINE_BYTES;
        let lines = first as usize..(first + texture.level_bytes(level) / LINE_BYTES) as usize;
        let counts = counts.get(lines).unwrap_or_default();
        LevelCounts {
            width: texture.width(level),
            height: texture.height(level),
            lines: counts.len() as u64,
            touched: counts.iter().filter(|count| **count > 0).count() as u64,
            lookups: counts.iter().map(|count| u64::from(*count)).sum(),
        }
    };
    (0..texture.levels()).map(of_level).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_spec::Format;

    fn pixel(map: &HeatMap, x: u32, y: u32) -> [u8; 3] {
        *map.rgb[3 * (y * map.width + x) as usize..].first_chunk().unwrap()
    }

    #[test]
    fn a_line_lights_its_texels_and_no_others() {
        // 8 x 8 texels of four bytes: a line is a row of a tile.
        let texture = Texture::new(Format::Rgba8, 3, 3, 3).unwrap();
        let mut counts = vec![0; (texture.bytes() / LINE_BYTES) as usize];
        let first_line = |level| (texture.level_byte_offset(level) / LINE_BYTES) as usize;
        counts[first_line(0) + 5] = 7;
        counts[first_line(1)] = 1;
        let map = heat_map(None, texture, &counts);
        assert_eq!((map.width, map.height, map.most), (8 + GAP_PIXELS + 4, 4 + 2 + 1 + 2 * GAP_PIXELS, 7));
        for (x, y) in (0..8).flat_map(|y| (0..8).map(move |x| (x, y))) {
            // Line 5 of the level is row 1 of the second tile.
            let expected = if y == 1 && x >= 4 { RAMP[RAMP.len() - 1] } else { [0; 3] };
            assert_eq!(pixel(&map, x, y), expected, "{x}, {y}");
        }
        assert_ne!(pixel(&map, 8 + GAP_PIXELS, 0), [0; 3]);
        let sums: Vec<_> =
            map.levels.iter().map(|level| (level.lines, level.touched, level.lookups)).collect();
        assert_eq!(sums, [(16, 1, 7), (4, 1, 1), (4, 0, 0), (4, 0, 0)]);
    }

    #[test]
    fn no_line_is_lost_where_the_texture_is_larger_than_the_picture() {
        let texture = Texture::new(Format::Rgb8, 11, 9, 0).unwrap();
        let mut counts = vec![0; (texture.bytes() / LINE_BYTES) as usize];
        for line in [0, 777, 5000, 100_000] {
            counts[line] = 3;
            let map = heat_map(None, texture, &counts);
            assert_eq!(map.width, MAX_LEVEL_PIXELS + GAP_PIXELS + 256);
            assert!(map.rgb.iter().any(|code| *code > 0), "line {line}");
            counts[line] = 0;
        }
        assert!(heat_map(None, texture, &counts).rgb.iter().all(|code| *code == 0));
    }

    #[test]
    fn the_ramp_begins_and_ends_with_its_colours() {
        assert_eq!([ramp(0.0), ramp(5.0), ramp(99.0)], [RAMP[0], RAMP[5], RAMP[5]]);
        assert_eq!(ramp(0.5), [75, 37, 149]);
    }
}
