//! A texture from its two files.
//!
//! Contract and cost: those of [`crate::descriptor()`]; an image of another length than the descriptor says is not kept.

use crate::descriptor::{memory_path, parse};
use crate::problem::Rule;
use crate::read::{read_start, read_text};
use crate::texture_image::TextureImage;
use std::io;
use std::path::Path;
use tmu_problem::Problems;
use tmu_spec::texture::Texture;

/// The longest descriptor that is read, in bytes; a real one has about a hundred.
const MAX_DESCRIPTOR_BYTES: u64 = 64 << 10;

/// Reads `NAME.toml` and the `NAME.bin` beside it.
///
/// # Errors
/// Every rule about descriptors and memory images that the two files break.
pub fn load(descriptor: &Path) -> Result<TextureImage, Problems> {
    if descriptor.extension().is_some_and(|extension| extension == "bin") {
        return Err(Problems::one(
            Rule::Read,
            descriptor,
            "a memory image does not say what it holds",
            format!("name its descriptor, {}", descriptor.with_extension("toml").display()),
        ));
    }
    let text = read_text(descriptor, MAX_DESCRIPTOR_BYTES).map_err(|error| {
        let remedy = match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::FileTooLarge => {
                "name the NAME.toml that `tmugen pack` has written: UTF-8 text of five lines"
            }
            _ => "check the path, or make a texture with `tmugen pack`",
        };
        Problems::one(Rule::Read, descriptor, format!("the descriptor cannot be read: {error}"), remedy)
    })?;
    let texture = parse(&text, descriptor)?;
    load_memory(texture, descriptor)
}

fn load_memory(texture: Texture, descriptor: &Path) -> Result<TextureImage, Problems> {
    let path = memory_path(descriptor);
    let too_long = u64::from(texture.bytes()) + 1;
    let memory = read_start(&path, too_long).map_err(|error| {
        Problems::one(
            Rule::Read,
            &path,
            format!("the memory image of {} cannot be read: {error}", descriptor.display()),
            "keep NAME.bin beside NAME.toml",
        )
    })?;
    TextureImage::from_memory(texture, memory).map_err(|read| {
        let length = std::fs::metadata(&path).map_or(read as u64, |metadata| metadata.len());
        Problems::one(
            Rule::TextureBytes,
            &path,
            format!(
                "the file has {length} bytes, but a {} texture of {} x {} has {}",
                texture.format(),
                texture.width(0),
                texture.height(0),
                texture.bytes()
            ),
            "pack the picture again: one of the two files is cut short or belongs to another texture",
        )
    })
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
}
