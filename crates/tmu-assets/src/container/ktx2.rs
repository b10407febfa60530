//! Reading of .ktx2 files.
//!
//! A level has all its layers, faces and slices, one after the other, its rows without gaps. Of the crate's reader only parts are used:
//! it refuses files without a description of their texels, and panics on some that cannot be.

use super::formats::{Stored, of_vulkan};
use super::{Axes, Found, checked_shape, damaged, slice_bytes, unusable};
use ktx2::{ColorModel, Header, KeyValueDataIterator, LevelIndex, ParseError, SupercompressionScheme};
use ruzstd::decoding::StreamingDecoder;
use std::borrow::Cow;
use std::io::Read;
use std::path::Path;
use tmu_problem::Problems;
use tmu_spec::general::texture::{MAX_LEVELS, Shape};
use tmu_spec::general::{Kind, Swizzle};

pub(super) fn read<'a>(bytes: &'a [u8], path: &Path) -> Result<Found<'a>, Problems> {
    let header = bytes
        .first_chunk()
        .ok_or_else(|| damaged(path, bytes.len() as u64, "it ends inside its header, which has 80 bytes"))?;
    let header = Header::from_bytes(header).map_err(|error| header_problem(&error, path))?;
    let keys = sections(&header, bytes, path)?;
    let stored = stored_of(&header, color_model(&header, bytes, path)?, path)?;
    let axes = Axes {
        has_height: header.pixel_height > 0,
        has_depth: header.pixel_depth > 0,
        is_array: header.layer_count > 0,
        faces: header.face_count,
    };
    let kind = axes.kind(path)?;
    let depth = match kind {
        Kind::D3 => header.pixel_depth,
        Kind::D2Array => header.layer_count,
        _ => 1,
    };
    let (width, height) = (header.pixel_width, header.pixel_height.max(1));
    let levels = header.level_count.max(1);
    let shape = checked_shape(Shape { kind, width, height, depth, levels, format: stored.format }, path)?;
    let mut slices = Vec::with_capacity(MAX_LEVELS as usize);
    for number in 0..levels {
        let (level, there) = level_of(bytes, number, path)?;
        let data = inflated(&header, there, &level, number, path, &stored, &shape)?;
        slices.push(cut(data, slice_bytes(&shape, &stored, number) as usize));
    }
    let mut notes = stored.notes();
    let swizzle = swizzle_of(keys, &mut notes);
    Ok(Found { shape, stored, slices, swizzle, notes })
}

fn header_problem(error: &ParseError, path: &Path) -> Problems {
    match error {
        ParseError::ZeroWidth => damaged(path, 20, "the width is 0"),
        ParseError::ZeroFaceCount => damaged(path, 36, "the number of faces is 0"),
        other => damaged(path, 0, &format!("the header cannot be: {other}")),
    }
}

/// So many bytes from an offset on, which stands at `at` in the file.
fn section<'a>(
    bytes: &'a [u8],
    at: usize,
    (offset, length): (u64, u64),
    what: &str,
    path: &Path,
) -> Result<&'a [u8], Problems> {
    let end = offset.checked_add(length);
    // One that is empty stands nowhere.
    let offset = if length == 0 { 0 } else { offset };
    let range = || Some(usize::try_from(offset).ok()?..usize::try_from(offset.checked_add(length)?).ok()?);
    range().and_then(|range| bytes.get(range)).ok_or_else(|| {
        let end = end.map_or_else(|| "past all files".to_owned(), |end| format!("to byte {end}"));
        let what =
            format!("{what} reaches {end}, beyond the end of the file, which has {} bytes", bytes.len());
        damaged(path, at as u64, &what)
    })
}

/// The keys and values; all that the header names lies in the file.
fn sections<'a>(header: &Header, bytes: &'a [u8], path: &Path) -> Result<&'a [u8], Problems> {
    let index = &header.index;
    let global = (index.sgd_byte_offset, index.sgd_byte_length);
    section(bytes, 64, global, "the global data of supercompression", path)?;
    let keys = (index.kvd_byte_offset.into(), index.kvd_byte_length.into());
    section(bytes, 56, keys, "the table of keys and values", path)
}

/// Where a level stands, and its bytes. The index lists them from level 0 on.
fn level_of<'a>(bytes: &'a [u8], number: u32, path: &Path) -> Result<(LevelIndex, &'a [u8]), Problems> {
    let at = Header::LENGTH + number as usize * LevelIndex::LENGTH;
    let entry = section(bytes, 40, (at as u64, LevelIndex::LENGTH as u64), "the index of the levels", path)?;
    let level = LevelIndex::from_bytes(entry.first_chunk().expect("an entry"));
    let place = (level.byte_offset, level.byte_length);
    Ok((level, section(bytes, at, place, &format!("level {number}"), path)?))
}

/// Bytes of a description of texels: of the number that stands in front of its blocks, of the head of a block, of a basic block
/// without samples, and of a sample.
const TOTAL_BYTES: usize = 4;
const HEAD_BYTES: usize = 8;
const BASIC_BYTES: usize = 24;
const SAMPLE_BYTES: usize = 16;

/// Where the colour model and the sides of a block of texels stand in a basic block.
const MODEL_AT: usize = 8;
const SIDES_AT: usize = 12;

/// The colour model by the description of the texels: a number of the Khronos Data Format Specification. None without a
/// description, for which vkFormat says enough.
fn color_model(header: &Header, bytes: &[u8], path: &Path) -> Result<Option<u8>, Problems> {
    let place = (header.index.dfd_byte_offset.into(), header.index.dfd_byte_length.into());
    let description = section(bytes, 48, place, "the description of the texels", path)?;
    if description.is_empty() {
        return Ok(None);
    }
    let unsound = |at: usize, what: &str| {
        let what = format!("the description of the texels cannot be: {what}");
        damaged(path, u64::from(header.index.dfd_byte_offset) + at as u64, &what)
    };
    let mut rest = description.get(TOTAL_BYTES..).ok_or_else(|| unsound(0, "it is too short"))?;
    let mut model = None;
    while !rest.is_empty() {
        let at = description.len() - rest.len();
        let length = rest.get(6..HEAD_BYTES).map_or(0, |size| u16::from_le_bytes([size[0], size[1]]).into());
        if length < HEAD_BYTES || length > rest.len() {
            return Err(unsound(at, "a block of it is too short, or ends beyond it"));
        }
        let (block, others) = rest.split_at(length);
        rest = others;
        if block[..4] != [0; 4] {
            continue;
        }
        if length < BASIC_BYTES || !(length - BASIC_BYTES).is_multiple_of(SAMPLE_BYTES) {
            return Err(unsound(at, "its basic block is too short, or ends inside a sample"));
        }
        if block[SIDES_AT..][..4].contains(&u8::MAX) {
            return Err(unsound(at + SIDES_AT, "its blocks of texels are too large"));
        }
        model = model.or(Some(block[MODEL_AT]));
    }
    Ok(model)
}

fn stored_of(header: &Header, model: Option<u8>, path: &Path) -> Result<Stored, Problems> {
    let help = "convert the file to one of the formats of --format";
    let Some(format) = header.format else {
        let model = model.and_then(ColorModel::new);
        let is_basis = matches!(model, Some(ColorModel::ETC1S | ColorModel::UASTC))
            || header.supercompression_scheme == Some(SupercompressionScheme::BasisLZ);
        if is_basis {
            let what = "the file is one of Basis Universal, which units do not sample as it is".to_owned();
            let help = "transcode it first, for example with `ktx transcode --target bc7`";
            return Err(unusable(path, what, help));
        }
        let model = model.map_or_else(|| "no colour model".to_owned(), |model| format!("{model:?}"));
        let what =
            format!("the file names no format of texels: vkFormat is 0, and its description has {model}");
        return Err(unusable(path, what, help));
    };
    of_vulkan(format).ok_or_else(|| {
        unusable(path, format!("the format of the texels is {format:?}, which units do not have"), help)
    })
}

/// The bytes of a level, which has just as many as its size asks for.
fn inflated<'a>(
    header: &Header,
    there: &'a [u8],
    level: &LevelIndex,
    number: u32,
    path: &Path,
    stored: &Stored,
    shape: &Shape,
) -> Result<Cow<'a, [u8]>, Problems> {
    let [width, height, slices] = shape.level_size(number);
    let wanted = slice_bytes(shape, stored, number) * u64::from(slices);
    let damage = |what: String| damaged(path, level.byte_offset, &format!("level {number} {what}"));
    let data = match header.supercompression_scheme {
        None => Cow::Borrowed(there),
        Some(SupercompressionScheme::Zstandard) => {
            let mut data = Vec::new();
            let unsound = |error: &dyn std::fmt::Display| damage(format!("is not sound Zstandard: {error}"));
            let decoder = StreamingDecoder::new(there).map_err(|error| unsound(&error))?;
            decoder.take(wanted + 1).read_to_end(&mut data).map_err(|error| unsound(&error))?;
            Cow::Owned(data)
        }
        Some(other) => {
            let what = format!("the levels are compressed once more by {other:?}");
            return Err(unusable(path, what, "write the file without supercompression, or with Zstandard"));
        }
    };
    if data.len() as u64 == wanted {
        return Ok(data);
    }
    let (has, format) = (data.len(), stored.format);
    let size = format!("{width} x {height} x {slices}");
    Err(damage(format!("has {has} bytes, but {size} texels of {format} are {wanted}")))
}

/// Slices of so many bytes.
fn cut(data: Cow<[u8]>, bytes: usize) -> Vec<Cow<[u8]>> {
    match data {
        Cow::Borrowed(data) => data.chunks_exact(bytes).map(Cow::Borrowed).collect(),
        Cow::Owned(data) => data.chunks_exact(bytes).map(|slice| Cow::Owned(slice.to_vec())).collect(),
    }
}

/// What the file says of its channels, and what is not looked at.
fn swizzle_of(keys: &[u8], notes: &mut Vec<String>) -> Swizzle {
    let mut swizzle = Swizzle::NONE;
    for (key, value) in KeyValueDataIterator::new(keys) {
        let text = String::from_utf8_lossy(value);
        let text = text.trim_end_matches('\0');
        match key {
            "KTXswizzle" => match text.parse() {
                Ok(parsed) => swizzle = parsed,
                Err(_) => notes.push(format!("its key KTXswizzle, {text:?}, is no swizzle and passed over")),
            },
            "KTXorientation" if text.contains(['l', 'u', 'o']) => {
                notes.push(format!(
                    "its key KTXorientation says {text:?}; texels are taken in the order of the file"
                ));
            }
            _ => {}
        }
    }
    swizzle
}
