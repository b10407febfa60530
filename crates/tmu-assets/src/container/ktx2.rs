//! Reading of .ktx2 files.
//!
//! A level has all its layers, faces and slices, one after the other, its rows without gaps.

use super::formats::{Stored, of_vulkan};
use super::{Axes, Found, checked_shape, damaged, slice_bytes, unusable};
use ktx2::{Header, LevelIndex, ParseError, Reader, SupercompressionScheme};
use ruzstd::decoding::StreamingDecoder;
use std::borrow::Cow;
use std::io::Read;
use std::path::Path;
use tmu_problem::Problems;
use tmu_spec::general::texture::{MAX_LEVELS, Shape};
use tmu_spec::general::{Kind, Swizzle};

pub(super) fn read<'a>(bytes: &'a [u8], path: &Path) -> Result<Found<'a>, Problems> {
    check_description(bytes, path)?;
    let reader = Reader::new(bytes).map_err(|error| parse_problem(&error, bytes, path))?;
    let header = reader.header();
    let stored = stored_of(&header, path)?;
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
    // The index lists them from level 0 on, wherever they stand; the reader has checked that they lie in the file.
    let index = bytes[Header::LENGTH..].as_chunks().0.iter().map(LevelIndex::from_bytes);
    for (number, level) in (0..levels).zip(index) {
        let data = inflated(&header, bytes, &level, number, path, &stored, &shape)?;
        slices.push(cut(data, slice_bytes(&shape, &stored, number) as usize));
    }
    let mut notes = stored.notes();
    let swizzle = swizzle_of(&reader, &mut notes);
    Ok(Found { shape, stored, slices, swizzle, notes })
}

/// Checks what the crate takes for granted of a description of texels, and would panic on. Where nothing can be read, the crate says
/// so.
fn check_description(bytes: &[u8], path: &Path) -> Result<(), Problems> {
    const PLACE_AT: usize = 48;
    /// Of a basic description without samples, its own head of 8 bytes included.
    const LEAST_BYTES: u16 = 24;
    let word = |at: usize| bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes);
    let Some(at) = word(PLACE_AT).and_then(|start| usize::try_from(start).ok()?.checked_add(4)) else {
        return Ok(());
    };
    let Some([vendor_and_kind @ .., low, high]) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) else {
        return Ok(());
    };
    let is_basic = vendor_and_kind[..4] == [0; 4];
    let length = u16::from_le_bytes([*low, *high]);
    // Of a block of texels, less 1.
    let sides = bytes.get(at + 12..at + 16).unwrap_or_default();
    if is_basic && (length < LEAST_BYTES || sides.contains(&u8::MAX)) {
        let what = "the description of the texels cannot be: it is too short, or its blocks are too large";
        return Err(damaged(path, at as u64, what));
    }
    Ok(())
}

fn parse_problem(error: &ParseError, bytes: &[u8], path: &Path) -> Problems {
    match error {
        ParseError::BadMagic => damaged(path, 0, "it does not begin as a .ktx2 file does"),
        ParseError::ZeroWidth => damaged(path, 20, "the width is 0"),
        ParseError::ZeroFaceCount => damaged(path, 36, "the number of faces is 0"),
        ParseError::UnexpectedEnd => {
            let what = format!(
                "the header or the index names bytes beyond the end of the file, which has {}",
                bytes.len()
            );
            damaged(path, 48.min(bytes.len() as u64), &what)
        }
        other => {
            let at = bytes.get(48..52).and_then(|field| field.try_into().ok()).map_or(48, u32::from_le_bytes);
            damaged(path, at.into(), &format!("the description of the texels cannot be: {other}"))
        }
    }
}

fn stored_of(header: &Header, path: &Path) -> Result<Stored, Problems> {
    let help = "convert the file to one of the formats of --format";
    let Some(format) = header.format else {
        let what = "the file is one of Basis Universal, which units do not sample as it is".to_owned();
        return Err(unusable(
            path,
            what,
            "transcode it first, for example with `ktx transcode --target bc7`",
        ));
    };
    of_vulkan(format).ok_or_else(|| {
        unusable(path, format!("the format of the texels is {format:?}, which units do not have"), help)
    })
}

/// The bytes of a level, which has just as many as its size asks for.
fn inflated<'a>(
    header: &Header,
    bytes: &'a [u8],
    level: &LevelIndex,
    number: u32,
    path: &Path,
    stored: &Stored,
    shape: &Shape,
) -> Result<Cow<'a, [u8]>, Problems> {
    let [width, height, slices] = shape.level_size(number);
    let wanted = slice_bytes(shape, stored, number) * u64::from(slices);
    let there = &bytes[level.byte_offset as usize..][..level.byte_length as usize];
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
fn swizzle_of(reader: &Reader<&[u8]>, notes: &mut Vec<String>) -> Swizzle {
    let mut swizzle = Swizzle::NONE;
    for (key, value) in reader.key_value_data() {
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
