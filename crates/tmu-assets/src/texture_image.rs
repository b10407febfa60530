//! The memory image of a texture: levels and colour table as the hardware reads them, and the way back.
//!
//! Contract: the layout is that of [`tmu_spec::Texture`]; nothing here knows a tile or an offset of its own. Texels
//! that pad a level to its stored size repeat the edge, so that equal pictures give equal bytes.
//! Cost: one pass over the texels each way.

use crate::general_pack::{GeneralOptions, pack_general};
use crate::mip::{MipFilter, mip_chain};
use crate::palette::{IndexedChain, TABLE_ENTRIES, quantise};
use crate::picture::Picture;
use crate::problem::{Rule, check_level};
use crate::raster::Raster;
use crate::resize::{MAX_SIDE, nearest_power_of_two};
use std::ops::Range;
use std::path::Path;
use tmu_problem::{Problems, Report};
use tmu_spec::format::{Channel, Packing};
use tmu_spec::general::texture::MAX_SIZE as MAX_GENERAL_SIDE;
use tmu_spec::general::{Kind, Pyramid, Swizzle};
use tmu_spec::{Format, Texture};

/// What becomes of a picture on its way into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackOptions {
    /// How texels are stored.
    pub format: Format,
    /// How smaller levels are made.
    pub mip_filter: MipFilter,
    /// Whether levels other than 0 may be sampled (`max_lod`). They are stored in either case.
    pub mipmaps: bool,
    /// Whether colours that the table lacks are made up from their neighbours. For formats with a table.
    pub dither: bool,
}

/// A texture and its bytes, as many as its layout says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureImage {
    texture: Texture,
    memory: Vec<u8>,
}

/// Makes the memory image of a picture; `path` is for messages.
///
/// # Errors
/// [`Rule::PictureSize`] and [`Rule::PicturePowerOfTwo`], for each side that breaks them; [`Rule::TextureShape`] for a format
/// that textures of powers of two do not have.
pub fn pack(picture: &Picture, options: &PackOptions, path: &Path) -> Result<TextureImage, Problems> {
    if !Format::CLASSIC.contains(&options.format) {
        let message = format!("textures of powers of two have no texels of format {}", options.format);
        let help = "use one of rgba8, rgb8, i8_rgba8, i8_rgb8 and rgb565, or pack it with --kind 2d";
        return Err(Problems::one(Rule::TextureShape, path, message, help));
    }
    check_sides(picture, path)?;
    let width_log2 = picture.width().ilog2();
    let height_log2 = picture.height().ilog2();
    let max_lod = if options.mipmaps { width_log2.max(height_log2) } else { 0 };
    let texture =
        Texture::new(options.format, width_log2, height_log2, max_lod).expect("sides of 1 to 2048 texels");
    if options.mip_filter == MipFilter::Exact {
        return exact(texture, picture, options.format, path);
    }
    let chain = if options.format.colors().has_alpha() {
        mip_chain(picture, options.mip_filter)
    } else {
        // Alpha is not stored, so it must not weigh either.
        mip_chain(&picture.opaque(), options.mip_filter)
    };
    Ok(TextureImage::from_chain(texture, &chain, options.dither))
}

/// The texture whose smaller levels are made of texels as they are stored: the same bytes as one of any size has.
fn exact(texture: Texture, picture: &Picture, format: Format, path: &Path) -> Result<TextureImage, Problems> {
    let options = GeneralOptions {
        kind: Kind::D2,
        format,
        levels: None,
        swizzle: Swizzle::NONE,
        is_srgb: false,
        pyramid: Pyramid::Mipmap,
        mip_filter: MipFilter::Exact,
        dither: false,
    };
    let image = pack_general(&[Raster::from(picture)], &options, &[path.to_owned()])?;
    Ok(TextureImage { texture, memory: image.memory().to_vec() })
}

/// Every side that no texture can have, with the `--resize` that would help.
fn check_sides(picture: &Picture, path: &Path) -> Result<(), Problems> {
    let mut report = Report::new(path);
    let mut remedy = format!(
        "`--resize pow2` makes the picture {} x {}",
        nearest_power_of_two(picture.width()),
        nearest_power_of_two(picture.height())
    );
    if picture.width().max(picture.height()) <= MAX_GENERAL_SIDE as usize {
        remedy += "; `--kind 2d` packs any size, for units that have it";
    }
    for (side, texels) in [("width", picture.width()), ("height", picture.height())] {
        if texels > MAX_SIDE {
            let message = format!("the {side} is {texels} texels, over the limit of {MAX_SIDE}");
            report.add(Rule::PictureSize, None, message, &remedy);
        }
        if !texels.is_power_of_two() {
            let message = format!("the {side} is {texels} texels, not a power of two");
            report.add(Rule::PicturePowerOfTwo, None, message, &remedy);
        }
    }
    report.finish(())
}

impl TextureImage {
    /// Bytes that were read from somewhere, as a texture; the number of bytes if it is not that of the layout.
    pub fn from_memory(texture: Texture, memory: Vec<u8>) -> Result<Self, usize> {
        if memory.len() == texture.bytes() as usize {
            Ok(TextureImage { texture, memory })
        } else {
            Err(memory.len())
        }
    }

    /// The image of a whole chain, level 0 first. Formats without alpha drop it.
    ///
    /// # Panics
    /// If the levels are not those of the texture.
    pub fn from_chain(texture: Texture, chain: &[Picture], dither: bool) -> Self {
        assert_eq!(chain.len(), texture.levels() as usize, "levels of {texture:?}");
        let mut image = TextureImage { texture, memory: vec![0; texture.bytes() as usize] };
        if texture.format().has_color_table() {
            let IndexedChain { table, levels } = quantise(chain, dither);
            image.store_table(&table);
            for (level, indices) in (0..).zip(&levels) {
                image.store_level::<1>(level, indices.as_chunks().0);
            }
        } else {
            for (level, picture) in (0..).zip(chain) {
                let colors = texture.format().colors();
                match colors.bytes {
                    4 => image.store_level(level, picture.texels()),
                    3 => image.store_level(level, &without_alpha(picture)),
                    _ => image.store_level(level, &packed(picture, colors)),
                }
            }
        }
        image
    }

    /// Format, size and layout.
    pub fn texture(&self) -> Texture {
        self.texture
    }

    /// Both by themselves.
    pub(crate) fn into_parts(self) -> (Texture, Vec<u8>) {
        (self.texture, self.memory)
    }

    /// The bytes from the texture's base on.
    pub fn memory(&self) -> &[u8] {
        &self.memory
    }

    /// The colour table, if the format has one; entries without alpha have 255.
    pub fn table(&self) -> Option<[[u8; 4]; TABLE_ENTRIES]> {
        let entry_bytes = self.texture.format().color_table_entry_bytes() as usize;
        (entry_bytes > 0).then(|| {
            let colors = self.texture.format().colors();
            std::array::from_fn(|entry| color(&self.memory[entry * entry_bytes..][..entry_bytes], colors))
        })
    }

    /// R, G, B, A of a texel of the stored level, through the colour table.
    ///
    /// # Panics
    /// If there is no such level, or `x` and `y` lie outside the level as it is stored.
    pub fn texel(&self, level: u32, x: u32, y: u32) -> [u8; 4] {
        let texture = self.texture;
        let texel_bytes = texture.format().bytes_per_texel() as usize;
        let stored = &self.memory[texture.texel_byte_offset(level, x, y) as usize..][..texel_bytes];
        match texture.format().color_table_entry_bytes() as usize {
            0 => color(stored, texture.format().colors()),
            entry_bytes => {
                let entry = &self.memory[usize::from(stored[0]) * entry_bytes..][..entry_bytes];
                color(entry, texture.format().colors())
            }
        }
    }

    /// One level as a picture of its true size (without the texels that only pad it).
    ///
    /// # Errors
    /// [`Rule::TextureLevel`] if there is no such level; `path` is for the message.
    pub fn level(&self, level: u32, path: &Path) -> Result<Picture, Problems> {
        let texture = self.texture;
        check_level(level, texture.levels(), path)?;
        let colors = texture.format().colors();
        let texels = match (colors.bytes, self.table()) {
            (_, Some(table)) => self.read_level(level, |[index]| table[usize::from(index)]),
            (4, None) => self.read_level(level, |rgba| rgba),
            (3, None) => self.read_level(level, |[r, g, b]| [r, g, b, 255]),
            (_, None) => self.read_level(level, |bytes: [u8; 2]| color(&bytes, colors)),
        };
        Ok(Picture::from_texels(texture.width(level) as usize, texture.height(level) as usize, texels))
    }

    /// The texels of a level, row by row in its true size.
    fn read_level<const BYTES: usize>(
        &self,
        level: u32,
        decode: impl Fn([u8; BYTES]) -> [u8; 4],
    ) -> Vec<[u8; 4]> {
        let texture = self.texture;
        let stored = self.memory[level_range(texture, level)].as_chunks::<BYTES>().0;
        let texel = |x, y| decode(stored[texture.texel_index(level, x, y) as usize]);
        (0..texture.height(level))
            .flat_map(|y| (0..texture.width(level)).map(move |x| (x, y)))
            .map(|(x, y)| texel(x, y))
            .collect()
    }

    fn store_table(&mut self, table: &[[u8; 4]; TABLE_ENTRIES]) {
        let entry_bytes = self.texture.format().color_table_entry_bytes() as usize;
        for (target, entry) in self.memory.chunks_exact_mut(entry_bytes).zip(table) {
            target.copy_from_slice(&entry[..entry_bytes]);
        }
    }

    /// Writes the texels of a level, given row by row in its true size, to their tiles.
    fn store_level<const BYTES: usize>(&mut self, level: u32, texels: &[[u8; BYTES]]) {
        let texture = self.texture;
        let (width, height) = (texture.width(level) as usize, texture.height(level) as usize);
        assert_eq!(texels.len(), width * height, "texels of level {level} of {texture:?}");
        let stored = self.memory[level_range(texture, level)].as_chunks_mut::<BYTES>().0;
        for y in 0..1 << texture.stored_height_log2(level) {
            let row = &texels[(y as usize).min(height - 1) * width..][..width];
            for x in 0..1 << texture.stored_width_log2(level) {
                stored[texture.texel_index(level, x, y) as usize] = row[(x as usize).min(width - 1)];
            }
        }
    }
}

/// The bytes of a level.
fn level_range(texture: Texture, level: u32) -> Range<usize> {
    let start = texture.level_byte_offset(level) as usize;
    start..start + texture.level_bytes(level) as usize
}

fn without_alpha(picture: &Picture) -> Vec<[u8; 3]> {
    picture.texels().iter().map(|&[r, g, b, _]| [r, g, b]).collect()
}

/// The stored bytes of a colour as R, G, B, A of 8 bits each.
fn color(stored: &[u8], packing: &Packing) -> [u8; 4] {
    let texel = stored.iter().rev().fold(0, |texel, byte| texel << 8 | u32::from(*byte));
    std::array::from_fn(|number| {
        let Channel { lo, bits } = packing.channels[number];
        if bits == 0 { missing(number) } else { scaled(texel >> lo, bits, 8) }
    })
}

/// A picture's colours as they are packed, two bytes each.
fn packed(picture: &Picture, packing: &Packing) -> Vec<[u8; 2]> {
    let pack = |rgba: &[u8; 4]| {
        let channels = packing.channels.iter().zip(rgba).filter(|(channel, _)| channel.bits > 0);
        let place = |(channel, value): (&Channel, &u8)| {
            u16::from(scaled(u32::from(*value), 8, channel.bits)) << channel.lo
        };
        channels.map(place).fold(0, |texel, part| texel | part).to_le_bytes()
    };
    picture.texels().iter().map(pack).collect()
}

/// A channel that a colour lacks.
fn missing(channel: usize) -> u8 {
    if channel == 3 { 255 } else { 0 }
}

/// The lowest bits of a value, so many, as the nearest value of another number of bits.
fn scaled(value: u32, from_bits: u32, to_bits: u32) -> u8 {
    let [from, to] = [from_bits, to_bits].map(|bits| (1u32 << bits) - 1);
    ((2 * (value & from) * to + from) / (2 * from)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::hashed_picture;

    const OPTIONS: PackOptions =
        PackOptions { format: Format::Rgba8, mip_filter: MipFilter::Box, mipmaps: true, dither: false };

    #[test]
    fn every_side_that_no_texture_has_is_named() {
        for (width, height, expected) in [
            (2048, 1, None),
            (
                4096,
                1,
                Some(
                    "a.png: error[E0105]: the width is 4096 texels, over the limit of 2048\n  \
                     help: `--resize pow2` makes the picture 2048 x 1; `--kind 2d` packs any size, for units that have it",
                ),
            ),
            (
                8,
                12,
                Some(
                    "a.png: error[E0106]: the height is 12 texels, not a power of two\n  \
                     help: `--resize pow2` makes the picture 8 x 16; `--kind 2d` packs any size, for units that have it",
                ),
            ),
        ] {
            let picture = Picture::from_texels(width, height, vec![[0; 4]; width * height]);
            let packed = pack(&picture, &OPTIONS, Path::new("a.png"));
            assert_eq!(packed.err().map(|problems| problems.to_string()).as_deref(), expected);
        }
        let both = pack(&hashed_picture(3, 2049, 1), &OPTIONS, Path::new("a.png")).unwrap_err();
        let codes: Vec<_> = both.as_slice().iter().map(|problem| problem.code).collect();
        assert_eq!(codes, ["E0106", "E0105", "E0106"]);
    }

    #[test]
    fn levels_are_packed_whether_they_may_be_sampled_or_not() {
        let picture = hashed_picture(8, 2, 4);
        for (mipmaps, max_lod) in [(true, 3), (false, 0)] {
            let image = pack(&picture, &PackOptions { mipmaps, ..OPTIONS }, Path::new("a.png")).unwrap();
            assert_eq!((image.texture().max_lod(), image.texture().levels()), (max_lod, 4));
            assert_eq!(image.level(0, Path::new("a.png")).unwrap(), picture);
            let problems = image.level(4, Path::new("a.png")).unwrap_err();
            assert!(problems.to_string().contains("the texture has levels 0 to 3"), "{problems}");
        }
    }

    /// Where alpha is not stored a clear texel counts as much as any other.
    #[test]
    fn alpha_weighs_only_where_it_is_stored() {
        let picture = Picture::from_texels(2, 1, vec![[255, 255, 255, 255], [0, 0, 0, 0]]);
        for (format, expected) in [
            (Format::Rgba8, [255, 255, 255, 128]),
            (Format::I8Rgba8, [255, 255, 255, 128]),
            (Format::Rgb8, [188, 188, 188, 255]),
            (Format::I8Rgb8, [188, 188, 188, 255]),
        ] {
            let image = pack(&picture, &PackOptions { format, ..OPTIONS }, Path::new("a.png")).unwrap();
            assert_eq!(image.level(1, Path::new("a.png")).unwrap().texel(0, 0), expected, "{format}");
            assert_eq!(image.table().is_some(), format.has_color_table(), "{format}");
        }
    }
}
