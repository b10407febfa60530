//! JPEG pictures, decoded strictly.
//!
//! The crate `image` shows as much as it can of a damaged file and calls that a picture. Here its decoder, `zune-jpeg`, is
//! called with its strict options, and the file is gone through marker by marker first, so that one that ends early is
//! refused in whichever scan it ends.
//!
//! Contract: a picture is whole up to its end-of-image marker, its restart markers count as they should, and every code in
//! it means something. What stands behind the end of the image (thumbnails, padding) is not looked at.

use image::error::{DecodingError, ImageFormatHint};
use image::{DynamicImage, GrayImage, ImageError, ImageFormat, ImageResult, RgbImage};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

/// Markers by their second byte.
mod marker {
    pub(super) const TEM: u8 = 0x01;
    pub(super) const RST0: u8 = 0xd0;
    pub(super) const RST7: u8 = 0xd7;
    pub(super) const SOI: u8 = 0xd8;
    pub(super) const EOI: u8 = 0xd9;
    pub(super) const SOS: u8 = 0xda;
}

/// The texels of a whole and sound file, grey or RGB.
///
/// # Errors
/// Whatever is wrong with it.
pub(crate) fn decode(bytes: &[u8]) -> ImageResult<DynamicImage> {
    check_markers(bytes).map_err(|wrong| damaged(&wrong))?;
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

/// Goes through segments and entropy-coded data up to the end of the image.
fn check_markers(bytes: &[u8]) -> Result<(), String> {
    let cut = || "it ends before its end-of-image marker".to_owned();
    if !bytes.starts_with(&[0xff, marker::SOI]) {
        return Err("it does not begin as a JPEG file".to_owned());
    }
    let mut at = 2;
    loop {
        let rest = bytes.get(at..).ok_or_else(cut)?;
        let fill = rest.iter().take_while(|byte| **byte == 0xff).count();
        let kind = *rest.get(fill).ok_or_else(cut)?;
        if fill == 0 {
            return Err(format!("a marker should stand at byte {at}"));
        }
        at += fill + 1;
        match kind {
            marker::EOI => return Ok(()),
            marker::TEM => {}
            marker::SOI | 0 | marker::RST0..=marker::RST7 => {
                return Err(format!("a marker stands at byte {} that does not belong there", at - 2));
            }
            _ => {
                let length = bytes.get(at..at + 2).ok_or_else(cut)?;
                at += usize::from(u16::from_be_bytes([length[0], length[1]])).max(2);
                if kind == marker::SOS {
                    at = scan_end(bytes, at)?;
                }
            }
        }
    }
}

/// Where the marker stands that ends the entropy-coded data from `start` on.
fn scan_end(bytes: &[u8], start: usize) -> Result<usize, String> {
    let mut restarts = 0u8;
    let mut at = start;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let found = rest.windows(2).position(|pair| pair[0] == 0xff && pair[1] != 0 && pair[1] != 0xff);
        at += found.ok_or("it ends in the middle of its picture")?;
        match bytes[at + 1] {
            kind @ marker::RST0..=marker::RST7 => {
                if kind - marker::RST0 != restarts % 8 {
                    return Err(format!("the restart marker at byte {at} is out of order"));
                }
                restarts = restarts.wrapping_add(1);
                at += 2;
            }
            _ => return Ok(at),
        }
    }
}
