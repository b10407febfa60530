//! JPEG pictures, decoded strictly.
//!
//! The crate `image` shows as much as it can of a damaged file and calls that a picture. Its decoder, `zune-jpeg`, has strict
//! options, but even with them it fills up what is missing and passes over what is left. So the file is gone through block
//! by block first, see [`sound`].
//!
//! Contract: a picture is whole up to its end-of-image marker, and nothing in it is as it cannot be. What stands behind the
//! end of the image (thumbnails, padding) is not looked at.

mod codes;
mod sound;

use image::error::{DecodingError, ImageFormatHint};
use image::{DynamicImage, GrayImage, ImageError, ImageFormat, ImageResult, RgbImage};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

/// Markers by their second byte.
mod marker {
    pub(super) const TEM: u8 = 0x01;
    pub(super) const SOF0: u8 = 0xc0;
    pub(super) const SOF2: u8 = 0xc2;
    pub(super) const SOF3: u8 = 0xc3;
    pub(super) const DHT: u8 = 0xc4;
    pub(super) const SOF15: u8 = 0xcf;
    pub(super) const RST0: u8 = 0xd0;
    pub(super) const RST7: u8 = 0xd7;
    pub(super) const SOI: u8 = 0xd8;
    pub(super) const EOI: u8 = 0xd9;
    pub(super) const SOS: u8 = 0xda;
    pub(super) const DQT: u8 = 0xdb;
    pub(super) const DRI: u8 = 0xdd;
}

/// Refuses a file that is cut short or damaged in a way that shows.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn check(bytes: &[u8]) -> ImageResult<()> {
    sound::check(bytes).map_err(|wrong| damaged(&wrong))
}

/// The texels of a file that was checked, grey or RGB.
///
/// # Errors
/// Whatever is wrong with it.
pub(crate) fn decode(bytes: &[u8]) -> ImageResult<DynamicImage> {
    let options = DecoderOptions::default()
        .set_strict_mode(true)
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX));
    let failed = |error: zune_jpeg::errors::DecodeErrors| damaged(&error.to_string());
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(failed)?;
    let is_grey = decoder.input_colorspace() == Some(ColorSpace::Luma);
    let wanted = if is_grey { ColorSpace::Luma } else { ColorSpace::RGB };
    decoder.set_options(decoder.options().jpeg_set_out_colorspace(wanted));
    let texels = decoder.decode().map_err(failed)?;
    let (width, height) = decoder.dimensions().ok_or_else(|| damaged("it has no size"))?;
    let (width, height) = (width as u32, height as u32);
    let image = if is_grey {
        GrayImage::from_raw(width, height, texels).map(DynamicImage::from)
    } else {
        RgbImage::from_raw(width, height, texels).map(DynamicImage::from)
    };
    image.ok_or_else(|| damaged("it holds fewer texels than its size says"))
}

fn damaged(wrong: &str) -> ImageError {
    ImageError::Decoding(DecodingError::new(ImageFormatHint::Exact(ImageFormat::Jpeg), wrong.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    /// Single bytes of entropy-coded data changed at random, always the same: how many files are refused. Most that pass
    /// have as many blocks as before, so nothing is left to find them by. The guide on pictures has these numbers.
    #[test]
    fn of_200_changed_bytes_as_many_are_refused_as_the_book_says() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let whole = fs::read(folder.join("assets/coffee.jpg")).unwrap();
        check(&whole).unwrap();
        let start = whole.windows(2).position(|pair| pair == [0xff, marker::SOS]).unwrap() + 14;
        let mut state = 1u64;
        let mut random = |limit: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % limit
        };
        let (mut changed, mut refused, mut refused_by_decoder) = (0, 0, 0);
        while changed < 200 {
            let mut bytes = whole.clone();
            let (at, code) = (start + random(whole.len() - 2 - start), random(256) as u8);
            if bytes[at] != code {
                bytes[at] = code;
                changed += 1;
                refused_by_decoder += usize::from(decode(&bytes).is_err());
                refused += usize::from(check(&bytes).is_err());
            }
        }
        assert_eq!((refused, refused_by_decoder), (55, 4));
    }
}
