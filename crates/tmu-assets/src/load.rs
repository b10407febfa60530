//! A texture from its two files.
//!
//! Contract and cost: those of [`crate::descriptor()`]; an image of another length than the descriptor says is not kept.

use crate::descriptor::{AnyTexture, memory_path, parse, parse_with_bytes};
use crate::general_image::GeneralImage;
use crate::problem::Rule;
use crate::read::{read_start, read_text};
use crate::texture_image::TextureImage;
use std::io;
use std::path::Path;
use tmu_problem::Problems;
use tmu_spec::general;

/// The longest descriptor that is read, in bytes; a real one has about a hundred.
const MAX_DESCRIPTOR_BYTES: u64 = 64 << 10;

/// A texture of either kind and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyImage {
    /// Of powers of two.
    Classic(TextureImage),
    /// Of any kind and size.
    General(GeneralImage),
}

impl AnyImage {
    /// The image as one of a texture of any kind; the bytes stay what they are.
    #[must_use]
    pub fn into_general(self) -> GeneralImage {
        match self {
            AnyImage::Classic(image) => GeneralImage::from(image),
            AnyImage::General(image) => image,
        }
    }
}

/// Reads `NAME.toml` and the `NAME.bin` beside it, of a texture of powers of two.
///
/// # Errors
/// Every rule about descriptors and memory images that the two files break.
pub fn load(descriptor: &Path) -> Result<TextureImage, Problems> {
    let texture = parse(&read_descriptor(descriptor)?, descriptor)?;
    load_memory(texture.into(), texture.bytes(), descriptor)
        .map(|memory| TextureImage::from_memory(texture, memory).expect("as many bytes as were asked for"))
}

/// Reads `NAME.toml` and the `NAME.bin` beside it, of a texture of either kind.
///
/// # Errors
/// Every rule about descriptors and memory images that the two files break.
pub fn load_any(descriptor: &Path) -> Result<AnyImage, Problems> {
    let (texture, bytes) = parse_with_bytes(&read_descriptor(descriptor)?, descriptor)?;
    let memory = load_memory(texture.into_general(), bytes, descriptor)?;
    Ok(match texture {
        AnyTexture::Classic(texture) => AnyImage::Classic(
            TextureImage::from_memory(texture, memory).expect("as many bytes as were asked for"),
        ),
        AnyTexture::General(texture) => AnyImage::General(
            GeneralImage::from_memory(texture, memory).expect("as many bytes as were asked for"),
        ),
    })
}

fn read_descriptor(descriptor: &Path) -> Result<String, Problems> {
    if descriptor.extension().is_some_and(|extension| extension == "bin") {
        return Err(Problems::one(
            Rule::Read,
            descriptor,
            "a memory image does not say what it holds",
            format!("name its descriptor, {}", descriptor.with_extension("toml").display()),
        ));
    }
    read_text(descriptor, MAX_DESCRIPTOR_BYTES).map_err(|error| {
        let remedy = match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::FileTooLarge => {
                "name the NAME.toml that `tmugen pack` has written: UTF-8 text of a few lines"
            }
            _ => "check the path, or make a texture with `tmugen pack`",
        };
        Problems::one(Rule::Read, descriptor, format!("the descriptor cannot be read: {error}"), remedy)
    })
}

/// The memory image beside a descriptor that says it has so many bytes.
fn load_memory(texture: general::Texture, bytes: u32, descriptor: &Path) -> Result<Vec<u8>, Problems> {
    let path = memory_path(descriptor);
    let memory = read_start(&path, u64::from(bytes) + 1).map_err(|error| {
        Problems::one(
            Rule::Read,
            &path,
            format!("the memory image of {} cannot be read: {error}", descriptor.display()),
            "keep NAME.bin beside NAME.toml",
        )
    })?;
    if memory.len() == bytes as usize {
        return Ok(memory);
    }
    let length = std::fs::metadata(&path).map_or(memory.len() as u64, |metadata| metadata.len());
    let shape = texture.shape();
    Err(Problems::one(
        Rule::TextureBytes,
        &path,
        format!(
            "the file has {length} bytes, but a {} texture of {} x {} has {bytes}",
            shape.format, shape.width, shape.height,
        ),
        "pack the picture again: one of the two files is cut short or belongs to another texture",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const GOOD: &str = "format = \"rgb8\"\nwidth_log2 = 3\nheight_log2 = 1\nmax_lod = 2\nbytes = 240\n";

    #[test]
    fn the_image_must_have_the_length_of_the_layout() {
        let folder = tempfile::tempdir().unwrap();
        let toml = folder.path().join("t.toml");
        fs::write(&toml, GOOD).unwrap();
        let code = || load(&toml).map_err(|problems| problems.as_slice()[0].code);
        assert_eq!(code(), Err("E0101"), "no image");
        for length in [0, 239, 241, 5000] {
            fs::write(memory_path(&toml), vec![7; length]).unwrap();
            let problems = load(&toml).unwrap_err();
            assert_eq!(problems.as_slice()[0].code, "E0110", "{length}");
            assert!(problems.to_string().contains(&format!("the file has {length} bytes")), "{problems}");
        }
        fs::write(memory_path(&toml), vec![7; 240]).unwrap();
        assert_eq!(code().map(|image| image.texture()), Ok(parse(GOOD, &toml).unwrap()));
        let of_image = load(&memory_path(&toml)).unwrap_err();
        assert_eq!(of_image.as_slice()[0].code, "E0101", "image for descriptor");
    }

    #[test]
    fn textures_of_either_kind_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let toml = folder.path().join("t.toml");
        fs::write(&toml, GOOD).unwrap();
        let memory: Vec<u8> = (0..240).collect();
        fs::write(memory_path(&toml), &memory).unwrap();
        let general = load_any(&toml).unwrap().into_general();
        assert_eq!(general.memory(), memory);
        assert_eq!(general.texture().level_offsets(), [144, 96, 48]);
        fs::write(&toml, general.descriptor()).unwrap();
        assert_eq!(load_any(&toml), Ok(AnyImage::General(general)));
        assert_eq!(load(&toml).unwrap().memory(), memory);
        // An image that is longer than its levels.
        let longer = fs::read_to_string(&toml).unwrap().replace("240", "250");
        fs::write(&toml, longer).unwrap();
        assert_eq!(load_any(&toml).unwrap_err().as_slice()[0].code, "E0110");
        fs::write(memory_path(&toml), vec![3; 250]).unwrap();
        assert_eq!(load_any(&toml).unwrap().into_general().memory().len(), 250);
        assert_eq!(load(&toml).unwrap_err().as_slice()[0].code, "E0112");
    }
}
