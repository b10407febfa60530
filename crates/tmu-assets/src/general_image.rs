//! The memory image of a texture of any kind and size, and the way back.
//!
//! Contract: the layout is that of [`tmu_spec::general::Texture`]; nothing here knows a tile or an offset of its own. Texels that
//! pad a level to whole tiles repeat its edge. Cost: one pass over the texels each way, on all threads where they stand in blocks.

use crate::block;
use crate::descriptor::with_bytes;
use crate::palette::{IndexedChain, TABLE_ENTRIES, quantise};
use crate::picture::Picture;
use crate::problem::check_level;
use crate::raster::Raster;
use crate::texel::{self, Code, raster_bits};
use crate::texture_image::TextureImage;
use rayon::prelude::*;
use std::path::Path;
use tmu_problem::Problems;
use tmu_spec::format::Texel;
use tmu_spec::general::texture::Component;
use tmu_spec::general::{Kind, Swizzle, Texture};

/// A texture of any kind and its bytes: at least to the end of its last level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneralImage {
    texture: Texture,
    memory: Vec<u8>,
}

/// Columns, rows and texels of a tile.
const TILE: usize = 4;
const TILE_TEXELS: usize = 16;

/// The texels of one tile and what is in them.
struct Tile {
    /// Bytes from the texture's base.
    offset: usize,
    /// Column, row and slice of each texel, which may lie beyond the level's edge.
    texels: [[usize; 3]; TILE_TEXELS],
}

/// The tiles of a level in the order of memory.
fn tiles(texture: &Texture, level: u32) -> impl Iterator<Item = Tile> {
    let [columns, rows] = texture.shape().level_tiles(level).map(|count| count as usize);
    let slices = texture.shape().level_size(level)[2] as usize;
    let is_row = texture.kind() == Kind::D1;
    let places = (0..slices).flat_map(move |slice| {
        (0..rows).flat_map(move |row| (0..columns).map(move |column| [column, row, slice]))
    });
    places.map(move |[column, row, slice]| {
        let texels = std::array::from_fn(|texel| match is_row {
            true => [column * TILE_TEXELS + texel, 0, slice],
            false => [column * TILE + texel % TILE, row * TILE + texel / TILE, slice],
        });
        let first = texels[0].map(|place| place as u32);
        Tile { offset: texture.tile_of(level, first).0 as usize, texels }
    })
}

impl GeneralImage {
    /// Bytes that were read from somewhere, as a texture.
    ///
    /// # Errors
    /// The number of bytes, if they do not reach the end of its last level.
    pub fn from_memory(texture: Texture, memory: Vec<u8>) -> Result<Self, usize> {
        if memory.len() < texture.bytes() as usize { Err(memory.len()) } else { Ok(Self { texture, memory }) }
    }

    /// The image of all levels, level 0 first. Channels that the format lacks are dropped; `dither` is for colour tables.
    ///
    /// # Panics
    /// If the levels are not those of the texture.
    #[must_use]
    pub fn from_levels(texture: Texture, levels: &[Raster], dither: bool) -> Self {
        assert_eq!(levels.len(), texture.levels() as usize, "levels of {texture:?}");
        let mut image = Self { texture, memory: vec![0; texture.bytes() as usize] };
        for (level, raster) in (0..).zip(levels) {
            let size = texture.shape().level_size(level).map(|side| side as usize);
            assert_eq!(raster.size(), size, "level {level} of {texture:?}");
        }
        if texture.format().has_color_table() {
            image.store_indexed(levels, dither);
            return image;
        }
        for (level, raster) in (0..).zip(levels) {
            if texture.format().is_block() {
                image.store_blocks(level, raster);
            } else {
                image.store(level, |place| {
                    texel::encode(texture.format(), raster.texel(place), raster.bits())
                });
            }
        }
        image
    }

    /// The image of texels, or blocks, as files have them: `stored` gives the bytes of one by level, slice and its number there,
    /// row by row.
    pub(crate) fn from_slices(
        texture: Texture,
        stored: impl Fn(u32, u32, usize) -> [u8; texel::MAX_BYTES],
    ) -> Self {
        let mut image = Self { texture, memory: vec![0; texture.bytes() as usize] };
        for level in 0..texture.levels() {
            let [width, height, slices] = texture.shape().level_size(level).map(|side| side as usize);
            if !texture.format().is_block() {
                image.store(level, |[x, y, slice]| {
                    stored(level, slice as u32, y.min(height - 1) * width + x.min(width - 1))
                });
                continue;
            }
            let bytes = texture.format().tile_bytes() as usize;
            let tiles_per_slice = tiles(&texture, level).count() / slices;
            for (number, tile) in tiles(&texture, level).enumerate() {
                let (slice, block) = (number / tiles_per_slice, number % tiles_per_slice);
                image.memory[tile.offset..][..bytes]
                    .copy_from_slice(&stored(level, slice as u32, block)[..bytes]);
            }
        }
        image
    }

    /// Appends a level as files have it: slices one after the other, rows of texels or blocks without gaps.
    pub(crate) fn append_rows(&self, level: u32, rows: &mut Vec<u8>) {
        let texture = &self.texture;
        if texture.format().is_block() {
            self.tiles(level).for_each(|block| rows.extend(block));
            return;
        }
        let [width, height, slices] = texture.shape().level_size(level);
        let bytes = texture.format().bytes_per_texel();
        for slice in 0..slices {
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let (tile, texel) = texture.tile_of(level, [x, y, slice]);
                rows.extend(&self.memory[(tile + texel * bytes) as usize..][..bytes as usize]);
            }
        }
    }

    /// The same texels as another texture, which has the same sizes and format, and as many levels or fewer.
    pub(crate) fn with_texture(&self, texture: Texture) -> Self {
        let mut image = Self { texture, memory: vec![0; texture.bytes() as usize] };
        let table = texture.format().color_table_bytes() as usize;
        image.memory[..table].copy_from_slice(&self.memory[..table]);
        for level in 0..texture.levels() {
            let from = self.texture.level_offsets()[level as usize] as usize;
            let to = texture.level_offsets()[level as usize] as usize;
            let bytes = texture.shape().level_bytes(level) as usize;
            image.memory[to..][..bytes].copy_from_slice(&self.memory[from..][..bytes]);
        }
        image
    }

    fn store(&mut self, level: u32, texel: impl Fn([usize; 3]) -> [u8; texel::MAX_BYTES]) {
        let texture = self.texture;
        let bytes = texture.format().bytes_per_texel() as usize;
        for tile in tiles(&texture, level) {
            let stored = &mut self.memory[tile.offset..][..TILE_TEXELS * bytes];
            for (target, place) in stored.chunks_exact_mut(bytes).zip(tile.texels) {
                target.copy_from_slice(&texel(place)[..bytes]);
            }
        }
    }

    fn store_blocks(&mut self, level: u32, raster: &Raster) {
        let format = self.texture.format();
        let wide = raster.with_bits(16);
        let tiles: Vec<_> = tiles(&self.texture, level).collect();
        let blocks: Vec<_> = tiles
            .par_iter()
            .map(|tile| block::encode(format, &tile.texels.map(|place| wide.texel(place))))
            .collect();
        let bytes = format.tile_bytes() as usize;
        for (tile, block) in tiles.iter().zip(blocks) {
            self.memory[tile.offset..][..bytes].copy_from_slice(&block[..bytes]);
        }
    }

    fn store_indexed(&mut self, levels: &[Raster], dither: bool) {
        // Slices one above the other are a picture.
        let picture = |raster: &Raster| {
            let [width, height, slices] = raster.size();
            let texels: Vec<_> =
                raster.with_bits(8).texels().iter().map(|texel| texel.map(|code| code as u8)).collect();
            Picture::from_texels(width, height * slices, texels)
        };
        let chain: Vec<_> = levels.iter().map(picture).collect();
        let IndexedChain { table, levels: indices } = quantise(&chain, dither);
        let entry_bytes = self.texture.format().color_table_entry_bytes() as usize;
        for (target, entry) in self.memory.chunks_exact_mut(entry_bytes).zip(table) {
            target.copy_from_slice(&entry[..entry_bytes]);
        }
        for ((level, raster), indices) in (0..).zip(levels).zip(&indices) {
            let [width, height, _] = raster.size();
            self.store(level, |[x, y, slice]| {
                let number = (slice * height + y.min(height - 1)) * width + x.min(width - 1);
                let mut stored = [0; texel::MAX_BYTES];
                stored[0] = indices[number];
                stored
            });
        }
    }

    /// Format, sizes and layout.
    #[must_use]
    pub fn texture(&self) -> &Texture {
        &self.texture
    }

    /// The bytes from the texture's base on.
    #[must_use]
    pub fn memory(&self) -> &[u8] {
        &self.memory
    }

    /// The text of its descriptor.
    #[must_use]
    pub fn descriptor(&self) -> String {
        with_bytes(&self.texture, self.memory.len() as u32)
    }

    /// The bytes of each tile of a level, in the order of memory.
    pub(crate) fn tiles(&self, level: u32) -> impl Iterator<Item = &[u8]> {
        let bytes = self.texture.format().tile_bytes() as usize;
        tiles(&self.texture, level).map(move |tile| &self.memory[tile.offset..][..bytes])
    }

    /// How many entries of the colour table texels of any level refer to; none without a table.
    #[must_use]
    pub fn used_colors(&self) -> Option<usize> {
        self.texture.format().has_color_table().then(|| {
            let mut used = [false; TABLE_ENTRIES];
            for level in 0..self.texture.levels() {
                self.tiles(level).flatten().for_each(|&index| used[usize::from(index)] = true);
            }
            used.iter().filter(|&&is_used| is_used).count()
        })
    }

    /// A level as it is stored, without swizzle, in its true size.
    ///
    /// # Errors
    /// [`crate::Rule::TextureLevel`] if there is no such level; `path` is for the message.
    pub fn level(&self, level: u32, path: &Path) -> Result<Raster, Problems> {
        let texture = self.texture;
        check_level(level, texture.levels(), path)?;
        Ok(self.raster(level, raster_bits(texture.format()), |stored| self.tile_texels(stored)))
    }

    /// A level in its true size, of tiles that give texels of so many bits a channel.
    fn raster(&self, level: u32, bits: u32, of_tile: impl Fn(&[u8]) -> [[u16; 4]; TILE_TEXELS]) -> Raster {
        let [width, height, slices] = self.texture.shape().level_size(level).map(|side| side as usize);
        let mut texels = vec![[0; 4]; width * height * slices];
        for (tile, stored) in tiles(&self.texture, level).zip(self.tiles(level)) {
            for ([x, y, slice], texel) in tile.texels.into_iter().zip(of_tile(stored)) {
                if x < width && y < height {
                    texels[(slice * height + y) * width + x] = texel;
                }
            }
        }
        Raster::new([width, height, slices], bits, texels)
    }

    /// What a sampler shows of it as another texture, which has the same sizes, and as many levels or fewer. Each channel is rounded
    /// once; blocks and colour tables are made of 8 bits a channel, EAC of 16.
    ///
    /// # Panics
    /// If its texels are indices, depths or floats.
    pub(crate) fn converted(&self, texture: Texture) -> Self {
        let format = texture.format();
        if format.is_block() || format.has_color_table() {
            let bits = raster_bits(format);
            let levels: Vec<_> = (0..texture.levels()).map(|level| self.shown(level, bits)).collect();
            return Self::from_levels(texture, &levels, false);
        }
        let mut image = Self { texture, memory: vec![0; texture.bytes() as usize] };
        let bytes = format.bytes_per_texel() as usize;
        for level in 0..texture.levels() {
            let [width, height, _] = texture.shape().level_size(level).map(|side| side as usize);
            // Tiles of all formats stand in the same order.
            for (tile, source) in tiles(&texture, level).zip(self.tiles(level)) {
                let codes = self.tile_codes(source);
                let stored = &mut image.memory[tile.offset..][..TILE_TEXELS * bytes];
                for (target, [x, y, _]) in stored.chunks_exact_mut(bytes).zip(tile.texels) {
                    // Texels beyond the edge repeat it, whatever stands there in a block.
                    let (x, y) = (x.min(width - 1), y.min(height - 1));
                    let texel =
                        if texture.kind() == Kind::D1 { x % TILE_TEXELS } else { y % TILE * TILE + x % TILE };
                    target.copy_from_slice(&texel::encode_codes(format, codes[texel])[..bytes]);
                }
            }
        }
        image
    }

    /// A level as a sampler shows it, of so many bits a channel.
    fn shown(&self, level: u32, bits: u32) -> Raster {
        self.raster(level, bits, |stored| {
            self.tile_codes(stored).map(|texel| texel.map(|code| code.scaled(bits) as u16))
        })
    }

    /// What a sampler shows of the texels of a tile, with as many bits as are stored.
    fn tile_codes(&self, stored: &[u8]) -> [[Code; 4]; TILE_TEXELS] {
        let format = self.texture.format();
        let texels = match format.texel() {
            Texel::Block(_) => {
                let bits = block::channel_bits(format);
                block::decode_exactly(format, stored).map(|texel| texel.map(|value| Code { value, bits }))
            }
            Texel::Color(packing) => {
                let bytes = packing.bytes as usize;
                std::array::from_fn(|texel| {
                    texel::codes(&packing, texel::word(&stored[texel * bytes..][..bytes]))
                })
            }
            _ => unreachable!("texels of {format} are not converted"),
        };
        texels.map(|texel| {
            self.texture.swizzle().0.map(|component| match component {
                Component::Zero => Code::ZERO,
                Component::One => Code::ONE,
                stored => texel[stored as usize],
            })
        })
    }

    fn tile_texels(&self, stored: &[u8]) -> [[u16; 4]; TILE_TEXELS] {
        let format = self.texture.format();
        if format.is_block() {
            return block::decode(format, stored);
        }
        let bytes = format.bytes_per_texel() as usize;
        std::array::from_fn(|texel| {
            let stored = &stored[texel * bytes..][..bytes];
            match format.color_table_entry_bytes() as usize {
                0 => texel::decode(format, stored),
                entry_bytes => {
                    texel::decode(format, &self.memory[usize::from(stored[0]) * entry_bytes..][..entry_bytes])
                }
            }
        })
    }
}

impl From<TextureImage> for GeneralImage {
    /// The same bytes.
    fn from(image: TextureImage) -> Self {
        let (texture, memory) = image.into_parts();
        Self { texture: texture.into(), memory }
    }
}

impl Raster {
    /// What a sampler shows of these texels.
    #[must_use]
    pub fn swizzled(&self, swizzle: Swizzle) -> Raster {
        if swizzle == Swizzle::NONE {
            return self.clone();
        }
        let one = ((1u32 << self.bits()) - 1) as u16;
        let show = |texel: &[u16; 4]| {
            swizzle.0.map(|component| match component {
                Component::Zero => 0,
                Component::One => one,
                stored => texel[stored as usize],
            })
        };
        Raster::new(self.size(), self.bits(), self.texels().iter().map(show).collect())
    }
}
