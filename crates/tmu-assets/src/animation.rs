//! Pictures of one size as an animated PNG file, without loss.

use crate::problem::Rule;
use std::path::Path;
use tmu_problem::Problems;

/// The content of an animated PNG file that shows pictures of one size one after the other, and begins again: R, G, B of each
/// pixel, row by row from the top.
///
/// # Errors
/// [`Rule::PictureKind`] if there are no pictures, or not three bytes for each pixel; `path` is for the message.
pub fn encode_animation(
    [width, height]: [u32; 2],
    pictures: &[Vec<u8>],
    delay_ms: u16,
    path: &Path,
) -> Result<Vec<u8>, Problems> {
    let mut bytes = Vec::new();
    animate(&mut bytes, [width, height], pictures, delay_ms).map_err(|error| {
        let message = format!("the animation cannot be written: {error}");
        Problems::one(Rule::PictureKind, path, message, "write numbered pictures")
    })?;
    Ok(bytes)
}

fn animate(
    bytes: &mut Vec<u8>,
    [width, height]: [u32; 2],
    pictures: &[Vec<u8>],
    delay_ms: u16,
) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_filter(png::Filter::Adaptive);
    encoder.set_animated(pictures.len() as u32, 0)?;
    encoder.set_frame_delay(delay_ms, 1000)?;
    let mut writer = encoder.write_header()?;
    for picture in pictures {
        writer.write_image_data(picture)?;
    }
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_picture_comes_back() {
        let pictures: Vec<Vec<u8>> =
            (0..3_u8).map(|number| (0..4 * 5 * 3).map(|at| at * 3 + number).collect()).collect();
        let bytes = encode_animation([4, 5], &pictures, 40, Path::new("a.apng")).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        assert_eq!(reader.info().animation_control.unwrap().num_frames, 3);
        for picture in &pictures {
            let mut read = vec![0; 4 * 5 * 3];
            reader.next_frame(&mut read).unwrap();
            assert_eq!(reader.info().frame_control.unwrap().delay_num, 40);
            assert_eq!(read, *picture);
        }
        // Who knows no animation shows the first one.
        let first = crate::Picture::decode(&bytes, Path::new("a.png")).unwrap();
        assert_eq!(first.texel(0, 0)[..], [0, 3, 6, 255]);
    }

    #[test]
    fn what_is_no_animation_is_an_error() {
        for pictures in [vec![], vec![vec![0; 5]]] {
            let problems = encode_animation([2, 2], &pictures, 40, Path::new("a.apng")).unwrap_err();
            assert_eq!(problems.as_slice()[0].code, "E0102");
        }
    }
}
