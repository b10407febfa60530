//! Every size, level and format: what is packed can be fetched from where the hardware looks for it.

use std::path::Path;
use tmu_assets::{Picture, TextureImage};
use tmu_spec::{Format, Texture};

/// The output function of SplitMix64, to give every texel of every level its own colour.
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// One of 240 colours, or any where the format has no colour table.
fn color(format: Format, level: u32, index: u32) -> [u8; 4] {
    let hash = mix(u64::from(level) << 32 | u64::from(index));
    let [r, g, b, a] = if format.has_color_table() {
        (mix(hash % 240) as u32).to_le_bytes()
    } else {
        (hash as u32).to_le_bytes()
    };
    match format {
        Format::Rgb8 | Format::I8Rgb8 => [r, g, b, 255],
        Format::Rgb565 => [widened(r >> 3, 31), widened(g >> 2, 63), widened(b >> 3, 31), 255],
        _ => [r, g, b, a],
    }
}

/// The nearest of 256 steps.
fn widened(value: u8, most: u32) -> u8 {
    (f64::from(value) * 255.0 / f64::from(most)).round() as u8
}

fn chain(texture: Texture) -> Vec<Picture> {
    let picture = |level| {
        let (width, height) = (texture.width(level), texture.height(level));
        let texels = (0..width * height).map(|index| color(texture.format(), level, index)).collect();
        Picture::from_texels(width as usize, height as usize, texels)
    };
    (0..texture.levels()).map(picture).collect()
}

/// A level of a memory image, read as the contract describes it, from the bytes alone.
struct StoredLevel<'m> {
    memory: &'m [u8],
    format: Format,
    /// Texels of all levels that stand before this one.
    texels_before: usize,
    tiles_per_row: usize,
}

impl<'m> StoredLevel<'m> {
    /// Levels are stored smallest first, each with sides of at least 4 texels.
    fn new(memory: &'m [u8], texture: Texture, level: u32) -> Self {
        let stored = |size_log2: u32, level: u32| 1 << size_log2.saturating_sub(level).max(2);
        let stored_texels =
            |level| stored(texture.width_log2(), level) * stored(texture.height_log2(), level);
        StoredLevel {
            memory,
            format: texture.format(),
            texels_before: (level + 1..texture.levels()).map(stored_texels).sum(),
            tiles_per_row: stored(texture.width_log2(), level) / 4,
        }
    }

    /// Texels stand in 4 × 4 tiles; both tiles and texels go row by row.
    fn fetch(&self, x: usize, y: usize) -> [u8; 4] {
        let texel = self.texels_before + 16 * (y / 4 * self.tiles_per_row + x / 4) + y % 4 * 4 + x % 4;
        match self.format {
            Format::Rgba8 => self.color(4 * texel, true),
            Format::Rgb8 => self.color(3 * texel, false),
            Format::I8Rgba8 => self.color(4 * usize::from(self.memory[1024 + texel]), true),
            Format::I8Rgb8 => self.color(3 * usize::from(self.memory[768 + texel]), false),
            Format::Rgb565 => {
                let [low, high] = [self.memory[2 * texel], self.memory[2 * texel + 1]];
                [widened(high >> 3, 31), widened((high & 7) << 3 | low >> 5, 63), widened(low & 31, 31), 255]
            }
            other => panic!("no classic texture is {other}"),
        }
    }

    fn color(&self, start: usize, has_alpha: bool) -> [u8; 4] {
        let at = |byte| self.memory[start + byte];
        [at(0), at(1), at(2), if has_alpha { at(3) } else { 255 }]
    }
}

fn check(texture: Texture) {
    let chain = chain(texture);
    let image = TextureImage::from_chain(texture, &chain, false);
    assert_eq!(image.memory().len(), texture.bytes() as usize);
    for (level, picture) in (0..).zip(&chain) {
        let stored = StoredLevel::new(image.memory(), texture, level);
        for (y, row) in picture.texels().chunks(picture.width()).enumerate() {
            for (x, expected) in row.iter().enumerate() {
                assert_eq!(stored.fetch(x, y), *expected, "{texture:?} level {level} ({x}, {y})");
            }
        }
        let unpacked = image.level(level, Path::new("t.toml")).unwrap();
        assert!(unpacked == *picture, "{texture:?} level {level} unpacks to something else");
    }
}

/// All 12 × 12 sizes; a test for each format, so that they run side by side.
fn check_sizes(format: Format) {
    for size in 0..144 {
        let (width_log2, height_log2) = (size / 12, size % 12);
        check(Texture::new(format, width_log2, height_log2, 0).unwrap());
    }
}

#[test]
fn every_size_and_level_of_rgba8() {
    check_sizes(Format::Rgba8);
}

#[test]
fn every_size_and_level_of_rgb8() {
    check_sizes(Format::Rgb8);
}

#[test]
fn every_size_and_level_of_i8_rgba8() {
    check_sizes(Format::I8Rgba8);
}

#[test]
fn every_size_and_level_of_i8_rgb8() {
    check_sizes(Format::I8Rgb8);
}

#[test]
fn every_size_and_level_of_rgb565() {
    check_sizes(Format::Rgb565);
}

#[test]
fn a_texel_is_read_by_its_place() {
    for format in Format::CLASSIC {
        let texture = Texture::new(format, 4, 3, 0).unwrap();
        let chain = chain(texture);
        let image = TextureImage::from_chain(texture, &chain, false);
        for (level, picture) in (0..).zip(&chain) {
            for (index, expected) in (0..).zip(picture.texels()) {
                let (x, y) = (index % texture.width(level), index / texture.width(level));
                assert_eq!(image.texel(level, x, y), *expected, "{format} level {level} ({x}, {y})");
            }
        }
    }
}

#[test]
fn padding_repeats_the_edge() {
    for format in Format::CLASSIC {
        let texture = Texture::new(format, 1, 4, 0).unwrap();
        let image = TextureImage::from_chain(texture, &chain(texture), false);
        for level in 0..texture.levels() {
            for y in 0..1 << texture.stored_height_log2(level) {
                for x in 0..1 << texture.stored_width_log2(level) {
                    let edge = (x.min(texture.width(level) - 1), y.min(texture.height(level) - 1));
                    let got = image.texel(level, x, y);
                    assert_eq!(got, image.texel(level, edge.0, edge.1), "{format} level {level} ({x}, {y})");
                }
            }
        }
    }
}
