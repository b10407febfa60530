//! Writing of .ktx2 files: all levels, layers, faces and slices of a texture as they are.
//!
//! Contract: reading the file gives the same texture again, its levels one behind the other. Nothing in it depends on when or
//! where it was written. Levels stand smallest first, as the format asks for.

use super::formats::to_vulkan;
use super::unusable;
use crate::general_image::GeneralImage;
use ktx2::{Header, Index, LevelIndex, dfd};
use std::path::Path;
use tmu_problem::Problems;
use tmu_spec::general::texture::FACES;
use tmu_spec::general::{Kind, Swizzle};

/// The content of a .ktx2 file of a texture; `path` is for messages.
///
/// # Errors
/// [`crate::Rule::ContainerContent`] of colour tables, which these files do not have.
pub fn write_ktx2(image: &GeneralImage, path: &Path) -> Result<Vec<u8>, Problems> {
    let texture = image.texture();
    let shape = texture.shape();
    let format = to_vulkan(shape.format, texture.is_srgb());
    let described = format.and_then(|format| dfd::Basic::from_format(format).ok());
    let (Some(format), Some((description, type_size))) = (format, described) else {
        let what = format!("a .ktx2 file has no texels of format {}", shape.format);
        return Err(unusable(path, what, "write pictures, or pack them in a format without a colour table"));
    };
    let description = dfd::Block::Basic(description).to_vec();
    let keys = key_values(texture.swizzle());
    let level_count = shape.levels as usize;
    let dfd_at = Header::LENGTH + level_count * LevelIndex::LENGTH;
    let dfd_bytes = 4 + description.len();
    let keys_at = dfd_at + dfd_bytes;
    // Of blocks and texels alike: a multiple of 4 and of what is stored.
    let unit =
        if shape.format.is_block() { shape.format.tile_bytes() } else { shape.format.bytes_per_texel() };
    let alignment =
        if unit.is_multiple_of(4) { unit } else { unit * if unit.is_multiple_of(2) { 2 } else { 4 } };
    let mut levels = Vec::new();
    let mut indices =
        vec![LevelIndex { byte_offset: 0, byte_length: 0, uncompressed_byte_length: 0 }; level_count];
    let levels_at = keys_at + keys.len();
    for level in (0..shape.levels).rev() {
        let at = (levels_at + levels.len()).next_multiple_of(alignment as usize);
        levels.resize(at - levels_at, 0);
        image.append_rows(level, &mut levels);
        let bytes = (levels.len() + levels_at - at) as u64;
        indices[level as usize] =
            LevelIndex { byte_offset: at as u64, byte_length: bytes, uncompressed_byte_length: bytes };
    }
    let header = Header {
        format: Some(format),
        type_size,
        pixel_width: shape.width,
        pixel_height: if shape.kind == Kind::D1 { 0 } else { shape.height },
        pixel_depth: if shape.kind == Kind::D3 { shape.depth } else { 0 },
        layer_count: if shape.kind == Kind::D2Array { shape.depth } else { 0 },
        face_count: if shape.kind == Kind::Cube { FACES } else { 1 },
        level_count: shape.levels,
        supercompression_scheme: None,
        index: Index {
            dfd_byte_offset: dfd_at as u32,
            dfd_byte_length: dfd_bytes as u32,
            kvd_byte_offset: keys_at as u32,
            kvd_byte_length: keys.len() as u32,
            sgd_byte_offset: 0,
            sgd_byte_length: 0,
        },
    };
    let mut file = header.as_bytes().to_vec();
    indices.iter().for_each(|index| file.extend(index.as_bytes()));
    file.extend((dfd_bytes as u32).to_le_bytes());
    file.extend(description);
    file.extend(keys);
    file.extend(levels);
    Ok(file)
}

/// Who wrote it, and the swizzle if there is one, in the order of the keys.
fn key_values(swizzle: Swizzle) -> Vec<u8> {
    let mut pairs = Vec::new();
    if swizzle != Swizzle::NONE {
        pairs.push(("KTXswizzle", swizzle.to_string()));
    }
    pairs.push(("KTXwriter", "tmugen".to_owned()));
    let mut bytes = Vec::new();
    for (key, value) in pairs {
        bytes.extend(((key.len() + value.len() + 2) as u32).to_le_bytes());
        bytes.extend(format!("{key}\0{value}\0").bytes());
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    bytes
}
