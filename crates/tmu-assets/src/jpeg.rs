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

/// The texels of a whole and sound file, grey or RGB.
///
/// # Errors
/// Whatever is wrong with it.
pub(crate) fn decode(bytes: &[u8]) -> ImageResult<DynamicImage> {
    sound::check(bytes).map_err(|wrong| damaged(&wrong))?;
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
