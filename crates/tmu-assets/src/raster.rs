//! Texels of a whole level: pictures one behind the other, with 8 or 16 bits a channel.
//!
//! Contract: a picture of 8 bits comes back bit for bit. Cost: 8 bytes a texel.

use crate::color::Ignored;
use crate::picture::{MAX_DECODE_TEXELS, Picture, decode_image, encode_image, format_of_name, read_picture};
use image::{DynamicImage, ImageBuffer, ImageFormat};
use std::path::Path;
use tmu_problem::Problems;

/// Texels of a level: rows from the top, slices one behind the other, R, G, B, A of each texel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raster {
    size: [usize; 3],
    bits: u32,
    texels: Vec<[u16; 4]>,
}

impl Raster {
    /// A raster of so many columns, rows and slices with channels of 8 or 16 bits.
    ///
    /// # Panics
    /// If the number of texels is not the product of the sizes, or is zero.
    #[must_use]
    pub fn new(size: [usize; 3], bits: u32, texels: Vec<[u16; 4]>) -> Self {
        let count = size.iter().product::<usize>();
        assert!(count > 0 && texels.len() == count, "{size:?}: {}", texels.len());
        debug_assert!(texels.as_flattened().iter().all(|&code| u32::from(code) < 1 << bits));
        Raster { size, bits, texels }
    }

    /// Pictures of one size as the slices of one raster; that of the widest channels if they differ.
    ///
    /// # Panics
    /// If there are none, or of several sizes.
    #[must_use]
    pub fn stacked(slices: &[Raster]) -> Self {
        let bits = slices.iter().map(Raster::bits).max().expect("a slice");
        let [width, height, _] = slices[0].size;
        assert!(slices.iter().all(|slice| slice.size[..2] == [width, height]), "slices of several sizes");
        let texels: Vec<_> = slices.iter().flat_map(|slice| slice.with_bits(bits).texels).collect();
        Raster::new([width, height, texels.len() / (width * height)], bits, texels)
    }

    /// Columns, rows and slices.
    #[must_use]
    pub fn size(&self) -> [usize; 3] {
        self.size
    }

    /// Bits of a channel: 8 or 16.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// R, G, B, A of every texel.
    #[must_use]
    pub fn texels(&self) -> &[[u16; 4]] {
        &self.texels
    }

    /// R, G, B, A of one texel, that at the edge if it lies beyond.
    #[must_use]
    pub fn texel(&self, [x, y, slice]: [usize; 3]) -> [u16; 4] {
        let [width, height, _] = self.size;
        self.texels[(slice * height + y.min(height - 1)) * width + x.min(width - 1)]
    }

    /// One of its slices.
    ///
    /// # Panics
    /// If there is no such slice.
    #[must_use]
    pub fn slice(&self, slice: usize) -> Raster {
        let [width, height, _] = self.size;
        let texels = self.texels[slice * width * height..][..width * height].to_vec();
        Raster { size: [width, height, 1], bits: self.bits, texels }
    }

    /// So many of its columns, rows and slices, the first ones.
    ///
    /// # Panics
    /// If it has fewer.
    #[must_use]
    pub fn corner(&self, [width, height, slices]: [usize; 3]) -> Raster {
        let place = |number: usize| [number % width, number / width % height, number / (width * height)];
        let texels = (0..width * height * slices).map(|number| self.texel(place(number))).collect();
        Raster::new([width, height, slices], self.bits, texels)
    }

    /// The same with channels of 8 or 16 bits, each rounded to the nearest.
    #[must_use]
    pub fn with_bits(&self, bits: u32) -> Raster {
        let scale = |code: u16| scaled(u64::from(code), self.bits, bits) as u16;
        let texels = match bits == self.bits {
            true => self.texels.clone(),
            false => self.texels.iter().map(|texel| texel.map(scale)).collect(),
        };
        Raster { size: self.size, bits, texels }
    }

    /// The same colours with full alpha everywhere.
    #[must_use]
    pub fn opaque(&self) -> Raster {
        let full = ((1u32 << self.bits) - 1) as u16;
        let texels = self.texels.iter().map(|&[r, g, b, _]| [r, g, b, full]).collect();
        Raster { texels, ..*self }
    }

    /// A slice as a picture of 8 bits.
    ///
    /// # Panics
    /// If there is no such slice.
    #[must_use]
    pub fn to_picture(&self, slice: usize) -> Picture {
        let slice = self.slice(slice).with_bits(8);
        let texels = slice.texels.iter().map(|texel| texel.map(|code| code as u8)).collect();
        Picture::from_texels(slice.size[0], slice.size[1], texels)
    }
}

impl Raster {
    /// Reads a picture file; one of 16 bits a channel keeps them.
    ///
    /// # Errors
    /// [`crate::Rule::Read`], and those of [`Picture::decode`].
    pub fn open(path: &Path) -> Result<(Self, Ignored), Problems> {
        Self::decode(&read_picture(path)?, path)
    }

    /// Decodes the content of a picture file; one of 16 bits a channel keeps them.
    ///
    /// # Errors
    /// As [`Picture::decode`].
    pub fn decode(bytes: &[u8], path: &Path) -> Result<(Self, Ignored), Problems> {
        let (image, ignored) = decode_image(MAX_DECODE_TEXELS, bytes, path)?;
        let size = [image.width() as usize, image.height() as usize, 1];
        let is_wide = image.color().bytes_per_pixel() > image.color().channel_count();
        let raster = if is_wide {
            Raster::new(size, 16, image.into_rgba16().as_raw().as_chunks::<4>().0.to_vec())
        } else {
            let narrow = image.into_rgba8();
            let texels = narrow.as_raw().as_chunks::<4>().0.iter();
            Raster::new(size, 8, texels.map(|texel| texel.map(u16::from)).collect())
        };
        Ok((raster, ignored))
    }

    /// The content of a picture file of a slice, of the kind that the ending of `path` names. PNG files keep 16 bits, JPEG
    /// files lose alpha.
    ///
    /// # Errors
    /// [`crate::Rule::PictureKind`] for another ending.
    ///
    /// # Panics
    /// If there is no such slice.
    pub fn encode(&self, slice: usize, path: &Path) -> Result<Vec<u8>, Problems> {
        if self.bits() == 8 || format_of_name(path)? != ImageFormat::Png {
            return self.to_picture(slice).encode(path);
        }
        let [width, height, _] = self.size();
        let samples = self.slice(slice).texels().as_flattened().to_vec();
        let image = ImageBuffer::from_raw(width as u32, height as u32, samples);
        encode_image(DynamicImage::ImageRgba16(image.expect("as many texels as the sizes say")), path)
    }
}

impl From<&Picture> for Raster {
    fn from(picture: &Picture) -> Self {
        let texels = picture.texels().iter().map(|texel| texel.map(u16::from)).collect();
        Raster::new([picture.width(), picture.height(), 1], 8, texels)
    }
}

/// A value of so many bits as the nearest of another number of bits.
pub(crate) const fn scaled(value: u64, from_bits: u32, to_bits: u32) -> u64 {
    let (from, to) = ((1 << from_bits) - 1, (1 << to_bits) - 1);
    (2 * value * to + from) / (2 * from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::hashed_picture;

    #[test]
    fn pictures_come_back() {
        let picture = hashed_picture(5, 3, 1);
        let raster = Raster::from(&picture);
        assert_eq!(raster.to_picture(0), picture);
        assert_eq!(raster.with_bits(16).with_bits(8), raster);
        let other = Raster::from(&hashed_picture(5, 3, 2)).with_bits(16);
        let both = Raster::stacked(&[raster.clone(), other.clone()]);
        assert_eq!((both.size(), both.bits()), ([5, 3, 2], 16));
        assert_eq!(both.slice(0).with_bits(8), raster);
        assert_eq!(both.slice(1), other);
        assert_eq!(both.texel([9, 7, 1]), other.texel([4, 2, 0]));
    }

    #[test]
    fn values_scale_to_the_nearest() {
        let table = [
            (255, 8, 16, 65535),
            (1, 8, 5, 0),
            (5, 8, 5, 1),
            (128, 8, 10, 514),
            (3, 2, 8, 255),
            (65535, 16, 24, 0xff_ffff),
        ];
        for (value, from, to, expected) in table {
            assert_eq!(scaled(value, from, to), expected, "{value} of {from} bits to {to}");
        }
    }
}
