//! Pictures as files and as texels: PNG, JPEG, TGA and BMP in and out.
//!
//! Contract: whatever the bytes, decoding ends with a picture or a [`Problems`]; the decoder gets at most
//! [`MAX_DECODE_BYTES`], and turning its result into texels takes 8 bytes a texel beside that. Greyscale, 16-bit and
//! palettised files become RGBA of 8 bits; a picture without alpha gets 255; a camera's note on orientation is obeyed;
//! colour profiles and gamma are
//! not, which [`Decoded`] says. A file that is damaged or cut short is refused whatever its kind.
//! Cost: the decoder's, and two copies of the texels.

use crate::color::{Ignored, png_has_end};
use crate::jpeg;
use crate::problem::Rule;
use crate::read::read_whole;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, RgbImage, RgbaImage};
use std::cell::Cell;
use std::io::{self, Cursor};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use tmu_problem::Problems;

/// The longest side that is decoded, in texels. Larger than a texture may be, so that photographs can be resized.
pub const MAX_DECODE_SIDE: u32 = 8192;

/// The most memory that a decoder may ask for, in bytes.
pub const MAX_DECODE_BYTES: u64 = 512 << 20;

/// A picture: rows from the top, R, G, B, A of each texel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: usize,
    height: usize,
    texels: Vec<[u8; 4]>,
}

/// A picture with what its file says beside its texels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The texels.
    pub picture: Picture,
    /// What is said of their colours and passed over.
    pub ignored: Ignored,
}

impl Picture {
    /// A picture of `width × height` texels, given row by row from the top.
    ///
    /// # Panics
    /// If the number of texels is not the product of the sizes, or is zero.
    pub fn from_texels(width: usize, height: usize, texels: Vec<[u8; 4]>) -> Self {
        assert!(!texels.is_empty() && texels.len() == width * height, "{width} x {height}: {}", texels.len());
        Picture { width, height, texels }
    }

    /// Width in texels, at least 1.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Height in texels, at least 1.
    pub fn height(&self) -> usize {
        self.height
    }

    /// R, G, B, A of every texel, row by row.
    pub fn texels(&self) -> &[[u8; 4]] {
        &self.texels
    }

    /// R, G, B, A of one texel.
    ///
    /// # Panics
    /// If there is no such texel.
    pub fn texel(&self, x: usize, y: usize) -> [u8; 4] {
        assert!(x < self.width, "column {x} of {}", self.width);
        self.texels[y * self.width + x]
    }

    /// The same colours with alpha 255 everywhere.
    pub fn opaque(&self) -> Self {
        let texels = self.texels.iter().map(|&[r, g, b, _]| [r, g, b, 255]).collect();
        Picture { texels, ..*self }
    }

    /// Reads a picture file.
    ///
    /// # Errors
    /// [`Rule::Read`], and those of [`Picture::decode`].
    pub fn open(path: &Path) -> Result<Self, Problems> {
        Ok(Decoded::open(path)?.picture)
    }

    /// Decodes the content of a picture file; `path` is for messages, and its ending tells TGA files, which their
    /// content does not.
    ///
    /// # Errors
    /// [`Rule::PictureKind`], [`Rule::PictureDecode`] and [`Rule::PictureLimit`].
    pub fn decode(bytes: &[u8], path: &Path) -> Result<Self, Problems> {
        Picture::decode_up_to(MAX_DECODE_TEXELS, bytes, path)
    }

    /// The same, with a limit on the texels, which is checked before they are decoded.
    ///
    /// # Errors
    /// As [`Picture::decode`].
    pub fn decode_up_to(max_texels: u64, bytes: &[u8], path: &Path) -> Result<Self, Problems> {
        Ok(Decoded::decode_up_to(max_texels, bytes, path)?.picture)
    }

    /// The content of a picture file of the kind that the ending of `path` names. JPEG files lose alpha.
    ///
    /// # Errors
    /// [`Rule::PictureKind`] for another ending.
    pub fn encode(&self, path: &Path) -> Result<Vec<u8>, Problems> {
        encode_image(self.to_image().into(), path)
    }

    /// As an image of the crate `image`.
    pub(crate) fn to_image(&self) -> RgbaImage {
        RgbaImage::from_raw(self.width as u32, self.height as u32, self.texels.as_flattened().to_vec())
            .expect("as many texels as the sizes say")
    }
}

impl Decoded {
    /// Reads a picture file.
    ///
    /// # Errors
    /// [`Rule::Read`], and those of [`Picture::decode`].
    pub fn open(path: &Path) -> Result<Self, Problems> {
        Self::decode_up_to(MAX_DECODE_TEXELS, &read_picture(path)?, path)
    }

    /// As [`Picture::decode_up_to`].
    ///
    /// # Errors
    /// As [`Picture::decode`].
    pub fn decode_up_to(max_texels: u64, bytes: &[u8], path: &Path) -> Result<Self, Problems> {
        let (image, ignored) = decode_image(max_texels, bytes, path)?;
        let image = image.into_rgba8();
        let (width, height) = (image.width() as usize, image.height() as usize);
        let texels = image.as_raw().as_chunks::<4>().0.to_vec();
        Ok(Decoded { picture: Picture::from_texels(width, height, texels), ignored })
    }
}

pub(crate) fn read_picture(path: &Path) -> Result<Vec<u8>, Problems> {
    read_whole(path, MAX_DECODE_BYTES).map_err(|error| {
        Problems::one(Rule::Read, path, format!("the picture cannot be read: {error}"), "check the path")
    })
}

/// As many texels as are decoded without another limit.
pub(crate) const MAX_DECODE_TEXELS: u64 = (MAX_DECODE_SIDE as u64).pow(2);

/// Whether the content of a file begins as that of a picture does; that of TGA files does not say.
pub(crate) fn is_picture(start: &[u8]) -> bool {
    image::guess_format(start).is_ok_and(|format| FORMATS.contains(&format))
}

pub(crate) fn decode_image(
    max_texels: u64,
    bytes: &[u8],
    path: &Path,
) -> Result<(DynamicImage, Ignored), Problems> {
    let format = image::guess_format(bytes).ok().or_else(|| ImageFormat::from_path(path).ok());
    let format = format.filter(|format| FORMATS.contains(format)).ok_or_else(|| {
        Problems::one(
            Rule::PictureKind,
            path,
            "the file is not a picture of a known kind",
            "convert it to PNG, JPEG, TGA or BMP",
        )
    })?;
    let sides = catching_panics(|| ImageReader::with_format(Cursor::new(bytes), format).into_dimensions());
    if let Some(Ok((width, height))) = sides
        && u64::from(width) * u64::from(height) > max_texels
        && width.max(height) <= MAX_DECODE_SIDE
    {
        let message = format!("the picture has {width} x {height} texels; at most {max_texels} are decoded");
        return Err(Problems::one(Rule::PictureLimit, path, message, "make it smaller in a paint program"));
    }
    catching_panics(|| decode_as(bytes, format))
        .unwrap_or_else(|| Err(ImageError::IoError(io::Error::other("the decoder gave up on it"))))
        .map_err(|error| decode_problem(&error, format, path))
}

/// The content of a picture file of the kind that the ending of `path` names, from R, G, B of each pixel, row by row
/// from the top.
///
/// # Errors
/// [`Rule::PictureKind`] for another ending.
///
/// # Panics
/// If there are not three bytes for each pixel.
pub fn encode_rgb(width: u32, height: u32, rgb: Vec<u8>, path: &Path) -> Result<Vec<u8>, Problems> {
    let image = RgbImage::from_raw(width, height, rgb).expect("three bytes for each pixel");
    encode_image(image.into(), path)
}

/// Checks that a picture can be written under this name, before work is spent on it.
///
/// # Errors
/// [`Rule::PictureKind`] if the name does not end as that of a known kind.
pub fn check_picture_name(path: &Path) -> Result<(), Problems> {
    format_of_name(path).map(drop)
}

pub(crate) fn format_of_name(path: &Path) -> Result<ImageFormat, Problems> {
    let format = ImageFormat::from_path(path).ok().filter(|format| FORMATS.contains(format));
    format.ok_or_else(|| unwritable(path, "its name does not end as that of a known kind"))
}

fn unwritable(path: &Path, reason: &str) -> Problems {
    let message = format!("the picture cannot be written: {reason}");
    Problems::one(Rule::PictureKind, path, message, "let the name end in .png, .jpg, .jpeg, .tga or .bmp")
}

pub(crate) fn encode_image(image: DynamicImage, path: &Path) -> Result<Vec<u8>, Problems> {
    let format = format_of_name(path)?;
    let image = if format == ImageFormat::Jpeg { DynamicImage::from(image.into_rgb8()) } else { image };
    let mut bytes = Cursor::new(Vec::new());
    let written = match format {
        // Half the size of the crate's own choice, and still fast.
        ImageFormat::Png => {
            let (compression, filter) = (CompressionType::Default, FilterType::Adaptive);
            image.write_with_encoder(PngEncoder::new_with_quality(&mut bytes, compression, filter))
        }
        _ => image.write_to(&mut bytes, format),
    };
    written.map_err(|error| unwritable(path, &error.to_string()))?;
    Ok(bytes.into_inner())
}

/// The kinds of picture file that are read and written.
const FORMATS: [ImageFormat; 4] = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Tga, ImageFormat::Bmp];

thread_local! {
    static IS_DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in a decoder: a panic there is caught and becomes a problem with the picture, so a panic hook
/// need not report it.
pub fn is_decoding() -> bool {
    IS_DECODING.get()
}

/// The result of a decoder, or none if it panicked. Decoders are other people's code that reads anyone's files: the
/// PNG decoder, for one, panics on a palette whose length is no multiple of three.
pub(crate) fn catching_panics<T>(decode: impl FnOnce() -> T) -> Option<T> {
    IS_DECODING.set(true);
    // What the decoder leaves behind half done is its own and dropped.
    let outcome = catch_unwind(AssertUnwindSafe(decode));
    IS_DECODING.set(false);
    outcome.ok()
}

fn decode_as(bytes: &[u8], format: ImageFormat) -> Result<(DynamicImage, Ignored), ImageError> {
    if format == ImageFormat::Jpeg {
        jpeg::check(bytes)?;
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_DECODE_SIDE);
    limits.max_image_height = Some(MAX_DECODE_SIDE);
    limits.max_alloc = Some(MAX_DECODE_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    // Not every decoder looks at the limits before it allocates.
    limits.check_dimensions(width, height)?;
    limits.reserve(decoder.total_bytes())?;
    let orientation = decoder.orientation()?;
    // What cannot be read of a profile is as good as none.
    let profile = decoder.icc_profile().unwrap_or_default();
    let ignored = Ignored::find(bytes, profile.as_deref());
    let mut image = match format {
        ImageFormat::Jpeg => jpeg::decode(bytes)?,
        _ => DynamicImage::from_decoder(decoder)?,
    };
    if format == ImageFormat::Png && !png_has_end(bytes) {
        return Err(ImageError::IoError(io::Error::other("it ends before its last chunk, IEND")));
    }
    image.apply_orientation(orientation);
    Ok((image, ignored))
}

fn decode_problem(error: &ImageError, format: ImageFormat, path: &Path) -> Problems {
    let kind = format.extensions_str()[0].to_uppercase();
    match error {
        ImageError::Limits(limit) => Problems::one(
            Rule::PictureLimit,
            path,
            format!(
                "the picture is too large to decode ({limit}): at most {MAX_DECODE_SIDE} texels a side and {} MiB",
                MAX_DECODE_BYTES >> 20
            ),
            "make it smaller in a paint program",
        ),
        other => Problems::one(
            Rule::PictureDecode,
            path,
            format!("the {kind} picture is damaged or cut short: {other}"),
            "open it in a paint program, save it again, or fetch it anew",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::hashed_picture;
    use tmu_problem::RuleCode;

    fn code_of(result: Result<Picture, Problems>) -> Option<&'static str> {
        result.err().map(|problems| problems.as_slice()[0].code)
    }

    #[test]
    fn lossless_kinds_give_the_texels_back() {
        let picture = hashed_picture(7, 5, 3);
        for name in ["a.png", "a.tga", "a.bmp"] {
            let bytes = picture.encode(Path::new(name)).unwrap();
            assert_eq!(Picture::decode(&bytes, Path::new(name)).unwrap(), picture, "{name}");
        }
        let jpeg = picture.encode(Path::new("a.JPG")).unwrap();
        let decoded = Picture::decode(&jpeg, Path::new("a.jpeg")).unwrap();
        assert_eq!((decoded.width(), decoded.height()), (7, 5));
        assert!(decoded.texels().iter().all(|texel| texel[3] == 255));
    }

    #[test]
    fn the_content_counts_more_than_the_name() {
        let picture = hashed_picture(4, 4, 3);
        let png = picture.encode(Path::new("a.png")).unwrap();
        assert_eq!(Picture::decode(&png, Path::new("a.jpg")).unwrap(), picture);
    }

    #[test]
    fn each_bad_file_breaks_its_rule() {
        let png = hashed_picture(16, 16, 3).encode(Path::new("a.png")).unwrap();
        let mut flipped = png.clone();
        flipped[60] ^= 0xff;
        // The size stands in bytes 16 … 24 of a PNG; the CRC of the header follows at 29.
        let huge = png_with_size(&png, 100_000, 100_000);
        let wide = png_with_size(&png, MAX_DECODE_SIDE + 1, 16);
        let cases: [(&str, &[u8], &str, Rule); 8] = [
            ("empty", b"", "a.png", Rule::PictureDecode),
            ("text", b"no picture", "a.txt", Rule::PictureKind),
            ("text called PNG", b"no picture", "a.png", Rule::PictureDecode),
            ("text called TGA", b"no picture", "a.tga", Rule::PictureDecode),
            ("cut short", &png[..png.len() / 2], "a.png", Rule::PictureDecode),
            ("flipped bits", &flipped, "a.png", Rule::PictureDecode),
            ("bomb", &huge, "a.png", Rule::PictureLimit),
            ("too wide", &wide, "a.png", Rule::PictureLimit),
        ];
        for (name, bytes, path, rule) in cases {
            assert_eq!(code_of(Picture::decode(bytes, Path::new(path))), Some(rule.code()), "{name}");
        }
        assert_eq!(code_of(Picture::open(Path::new("no/such/file.png"))), Some("E0101"));
    }

    /// The same file with another size in its header.
    fn png_with_size(png: &[u8], width: u32, height: u32) -> Vec<u8> {
        let mut bytes = png.to_vec();
        bytes[16..20].copy_from_slice(&width.to_be_bytes());
        bytes[20..24].copy_from_slice(&height.to_be_bytes());
        let crc = crc32fast::hash(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&crc.to_be_bytes());
        bytes
    }

    #[test]
    fn a_limit_on_texels_is_kept() {
        let picture = hashed_picture(16, 9, 3);
        for name in ["a.png", "a.tga", "a.bmp", "a.jpg"] {
            let (path, bytes) = (Path::new(name), picture.encode(Path::new(name)).unwrap());
            assert!(Picture::decode_up_to(144, &bytes, path).is_ok(), "{name}");
            let problems = Picture::decode_up_to(143, &bytes, path).unwrap_err();
            let problem = &problems.as_slice()[0];
            assert_eq!(problem.code, "E0104", "{name}");
            assert!(problem.message.contains("16 x 9"), "{problem}");
        }
    }

    #[test]
    fn unknown_endings_are_refused() {
        for name in ["a", "a.gif", "a.png.txt"] {
            let problems = hashed_picture(1, 1, 0).encode(Path::new(name)).unwrap_err();
            assert_eq!(problems.as_slice()[0].code, "E0102", "{name}");
        }
    }

    #[test]
    fn a_texel_is_found_by_column_and_row() {
        let picture = hashed_picture(5, 3, 2);
        for (index, texel) in picture.texels().iter().enumerate() {
            assert_eq!(picture.texel(index % 5, index / 5), *texel, "texel {index}");
            let [r, g, b, _] = *texel;
            assert_eq!(picture.opaque().texel(index % 5, index / 5), [r, g, b, 255], "texel {index}");
        }
    }

    #[test]
    fn a_picture_that_is_too_wide_says_so_whatever_the_limit_on_texels() {
        let png = hashed_picture(16, 16, 3).encode(Path::new("a.png")).unwrap();
        let wide = png_with_size(&png, MAX_DECODE_SIDE + 1, 16);
        for max_texels in [100, 1 << 40] {
            let problems = Picture::decode_up_to(max_texels, &wide, Path::new("a.png")).unwrap_err();
            assert!(problems.to_string().contains("at most 8192 texels a side and 512 MiB"), "{problems}");
        }
    }

    #[test]
    fn a_side_without_texels_is_an_error() {
        let square = hashed_picture(1, 1, 3).encode(Path::new("a.png")).unwrap();
        for (width, height) in [(0, 1), (1, 0), (0, 0)] {
            let png = png_with_size(&square, width.into(), height.into());
            // A TGA file without compression: kind at byte 2, sizes at 12 and 14, bits a texel at 16.
            let mut tga = [0; 32];
            (tga[2], tga[12], tga[14], tga[16]) = (2, width, height, 24);
            // A BMP file of 24 bits: where its texels begin, and its header's length, sizes, planes and bits a texel.
            let mut bmp = [0; 64];
            bmp[..2].copy_from_slice(b"BM");
            (bmp[10], bmp[14], bmp[18], bmp[22], bmp[26], bmp[28]) = (54, 40, width, height, 1, 24);
            for (bytes, name) in [(&tga[..], "a.tga"), (&bmp[..], "a.bmp"), (&png[..], "a.png")] {
                let problems = Picture::decode(bytes, Path::new(name)).unwrap_err();
                assert_eq!(problems.as_slice()[0].code, "E0103", "{name}, {width} x {height}");
                assert!(!problems.to_string().contains("gave up"), "{name}, {width} x {height}: {problems}");
            }
        }
    }

    #[test]
    fn a_panic_in_a_decoder_is_caught_and_known_as_one() {
        assert!(!is_decoding());
        assert_eq!(catching_panics(is_decoding), Some(true));
        // Without the hook that would print it.
        assert_eq!(catching_panics(|| -> u8 { std::panic::resume_unwind(Box::new(())) }), None);
        assert!(!is_decoding());
    }

    #[test]
    fn pictures_from_the_hardware_are_written() {
        let path = Path::new("a.png");
        let bytes = encode_rgb(2, 1, vec![1, 2, 3, 4, 5, 6], path).unwrap();
        let expected = Picture::from_texels(2, 1, vec![[1, 2, 3, 255], [4, 5, 6, 255]]);
        assert_eq!(Picture::decode(&bytes, path).unwrap(), expected);
        assert!(check_picture_name(path).is_ok() && check_picture_name(Path::new("a.webp")).is_err());
    }

    #[test]
    fn png_files_are_half_of_the_crates_own() {
        let ramp = (0..64u8).flat_map(|y| (0..64u8).map(move |x| [4 * x, 4 * y, x + y, 255])).collect();
        let ramp = Picture::from_texels(64, 64, ramp);
        let mut own = Cursor::new(Vec::new());
        ramp.to_image().write_to(&mut own, ImageFormat::Png).unwrap();
        let bytes = ramp.encode(Path::new("a.png")).unwrap();
        assert!(2 * bytes.len() < own.get_ref().len(), "{} of {}", bytes.len(), own.get_ref().len());
    }
}
