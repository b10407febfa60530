//! Pictures of RGB565: from files and to them.
//!
//! A picture file is rounded to the nearest 565 colour, its alpha is not looked at, and back each component's bits are
//! repeated below it. A `.rgb565` file is the pixels themselves, row by row, two bytes each, the lower one first.

use std::path::Path;

use crate::problem::Rule;
use tmu_assets::{Ignored, Raster, encode_rgb, is_rgb565, read_whole};
use tmu_model::engines::mesh::job::MOST_PIXELS;
use tmu_problem::Problems;

/// Largest value of each component.
const LARGEST: [u32; 3] = [31, 63, 31];

/// A picture of RGB565, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture565 {
    width: u32,
    height: u32,
    pixels: Vec<u16>,
}

/// The 565 colour that is nearest to one with channels of so many bits. There is never a tie: 2^bits - 1 is odd.
fn to_565(rgb: [u16; 3], bits: u32) -> u16 {
    let largest = (1 << bits) - 1;
    let nearest = |of: usize| ((u32::from(rgb[of]) * LARGEST[of] + largest / 2) / largest) as u16;
    let [red, green, blue] = [0, 1, 2].map(nearest);
    red << 11 | green << 5 | blue
}

/// The 565 colour that is nearest to one written as RRGGBB in hexadecimal.
#[must_use]
pub fn parse_565(text: &str) -> Option<u16> {
    let is_hex = text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let rgb = is_hex.then(|| u32::from_str_radix(text, 16).ok()).flatten()?;
    let [_, red, green, blue] = rgb.to_be_bytes();
    Some(to_565([red, green, blue].map(u16::from), 8))
}

/// A 565 colour in 8 bits a component.
#[must_use]
pub const fn from_565(color: u16) -> [u8; 3] {
    let [red, green, blue] = [color >> 11, color >> 5 & 63, color & 31];
    [(red << 3 | red >> 2) as u8, (green << 2 | green >> 4) as u8, (blue << 3 | blue >> 2) as u8]
}

impl Picture565 {
    /// A black picture.
    #[must_use]
    pub fn black(width: u32, height: u32) -> Self {
        Self { width, height, pixels: vec![0; (width * height) as usize] }
    }

    /// A picture of its pixels' bytes, the lower one of each first.
    ///
    /// # Panics
    /// If there are not two for each pixel.
    #[must_use]
    pub fn from_bytes(width: u32, height: u32, bytes: &[u8]) -> Self {
        let pixels: Vec<_> = bytes.as_chunks().0.iter().copied().map(u16::from_le_bytes).collect();
        assert_eq!((pixels.len(), bytes.len() % 2), ((width * height) as usize, 0), "{width} x {height}");
        Self { width, height, pixels }
    }

    /// Pixels of a row.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Width and height.
    #[must_use]
    pub const fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// As they lie in memory.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.pixels.iter().flat_map(|pixel| pixel.to_le_bytes()).collect()
    }

    /// R, G, B of each pixel.
    #[must_use]
    pub fn rgb(&self) -> Vec<u8> {
        self.pixels.iter().flat_map(|pixel| from_565(*pixel)).collect()
    }

    /// The content of a file of the kind that the ending of its name says.
    ///
    /// # Errors
    /// If it says none that is known.
    pub fn encode(&self, path: &Path) -> Result<Vec<u8>, Problems> {
        if is_rgb565(path) { Ok(self.bytes()) } else { encode_rgb(self.width, self.height, self.rgb(), path) }
    }

    /// Reads a file; `asked` is the size that the job says.
    pub(super) fn open(path: &Path, asked: [Option<u32>; 2]) -> Result<(Self, Option<Ignored>), Problems> {
        let wrong = |message: String, help: &str| Err(Problems::one(Rule::MeshPicture, path, message, help));
        if is_rgb565(path) {
            let [Some(width), Some(height)] = asked else {
                let help = "give its width and height in the job, or a picture that has a size, such as PNG";
                return wrong("a .rgb565 file has no size of its own".to_owned(), help);
            };
            let expected = 2 * u64::from(width) * u64::from(height);
            let bytes = read_whole(path, 2 * u64::from(MOST_PIXELS).pow(2)).map_err(|error| {
                let message = format!("the picture cannot be read: {error}");
                Problems::one(Rule::File, path, message, "check the path")
            })?;
            if bytes.len() as u64 != expected {
                let message =
                    format!("the file has {} bytes; {width} x {height} pixels take {expected}", bytes.len());
                return wrong(message, "correct the size in the job, or take the whole file");
            }
            return Ok((Self::from_bytes(width, height, &bytes), None));
        }
        let (picture, ignored) = Raster::open(path)?;
        let [width, height, _] = picture.size();
        let size = [width, height];
        if size.iter().any(|side| *side > MOST_PIXELS as usize) {
            let message = format!(
                "the picture has {} x {} pixels; {MOST_PIXELS} a side are the most",
                size[0], size[1]
            );
            return wrong(message, "make it smaller in a paint program");
        }
        let [width, height] = size.map(|side| side as u32);
        if [(asked[0], width), (asked[1], height)]
            .iter()
            .any(|(asked, is)| asked.is_some_and(|asked| asked != *is))
        {
            let shown = |asked: Option<u32>, is| asked.unwrap_or(is);
            let message = format!(
                "the picture has {width} x {height} pixels, and the job says {} x {}",
                shown(asked[0], width),
                shown(asked[1], height)
            );
            return wrong(message, "leave the size out of the job, or correct it");
        }
        let nearest = |&[red, green, blue, _]: &[u16; 4]| to_565([red, green, blue], picture.bits());
        let pixels = picture.texels().iter().map(nearest).collect();
        Ok((Self { width, height, pixels }, Some(ignored)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_color_survives_the_way_to_8_bits_and_back() {
        for color in 0..=u16::MAX {
            assert_eq!(to_565(from_565(color).map(u16::from), 8), color);
        }
        assert_eq!(from_565(0xffff), [255; 3]);
    }

    #[test]
    fn colors_are_rounded_to_the_nearest() {
        for (bits, largest) in [(8, 255), (16, 65535)] {
            for value in 0..=largest {
                let color = to_565([value; 3], bits);
                for (is, most) in [(color >> 11, 31.0), (color >> 5 & 63, 63.0), (color & 31, 31.0)] {
                    let expected = (f64::from(value) * most / f64::from(largest)).round();
                    assert_eq!(f64::from(is), expected, "{value} of {bits} bits");
                }
            }
        }
    }

    #[test]
    fn pixels_are_their_bytes() {
        let picture = Picture565::from_bytes(2, 1, &[0x34, 0x12, 0x00, 0xf8]);
        assert_eq!(picture.pixels, [0x1234, 0xf800]);
        assert_eq!(picture.bytes(), [0x34, 0x12, 0x00, 0xf8]);
        assert_eq!(picture.rgb()[3..], [255, 0, 0]);
        assert_eq!(picture.encode(Path::new("a.RGB565")).unwrap(), picture.bytes());
        assert!(picture.encode(Path::new("a.gif")).is_err());
    }
}
