//! Reading of .dds files.
//!
//! Each layer or face has all its levels, one after the other, the largest first; a level of a volume has all its slices.

use super::formats::{Stored, of_dxgi, of_letters};
use super::masks::{Bits, of_masks};
use super::{Axes, Found, checked_shape, damaged, slice_bytes, unusable};
use ddsfile::{Caps2, D3D10ResourceDimension, Dds, Error, FourCC, MiscFlag, PixelFormatFlags};
use std::borrow::Cow;
use std::path::Path;
use tmu_problem::Problems;
use tmu_spec::general::texture::{FACES, Shape};
use tmu_spec::general::{Kind, Swizzle};

/// Bytes of the header with its mark, and of the second header.
const HEADER_BYTES: usize = 128;
const SECOND_HEADER_BYTES: usize = 20;

/// All faces of a cube.
const ALL_FACES: Caps2 = Caps2::CUBEMAP_ALLFACES;

pub(super) fn read<'a>(bytes: &'a [u8], path: &Path) -> Result<Found<'a>, Problems> {
    // Texels are not copied with the header.
    let head = &bytes[..bytes.len().min(HEADER_BYTES + SECOND_HEADER_BYTES)];
    let dds = Dds::read(head).map_err(|error| header_problem(&error, bytes.len(), path))?;
    let stored = stored_of(&dds, head, path)?;
    let axes = axes_of(&dds);
    let kind = axes.kind(path)?;
    let array_size = dds.header10.as_ref().map_or(1, |header| header.array_size);
    let depth = match kind {
        Kind::D3 => dds.header.depth.unwrap_or(1),
        Kind::D2Array => array_size,
        _ => 1,
    };
    let height = if kind == Kind::D1 { 1 } else { dds.header.height };
    let levels = dds.header.mip_map_count.unwrap_or(1).max(1);
    let shape = Shape { kind, width: dds.header.width, height, depth, levels, format: stored.format };
    let shape = checked_shape(shape, path)?;
    let start = HEADER_BYTES + if dds.header10.is_some() { SECOND_HEADER_BYTES } else { 0 };
    let slices = slices_of(bytes, start, &shape, &stored, path)?;
    let mut notes = stored.notes();
    let letters = dds.header.spf.fourcc.as_ref().map(|letters| letters.0);
    if matches!(letters, Some(FourCC::DXT2 | FourCC::DXT4)) {
        notes.push("its colours are multiplied by alpha already; they are taken as they are".into());
    }
    Ok(Found { shape, stored, slices, swizzle: Swizzle::NONE, notes })
}

fn header_problem(error: &Error, length: usize, path: &Path) -> Problems {
    match error {
        Error::InvalidField(field) if field == "dxgi_format" => {
            unknown_format("one that it does not name", path)
        }
        Error::BadMagicNumber => damaged(path, 0, "it does not begin as a .dds or .ktx2 file does"),
        Error::Io(_) | Error::ShortFile => damaged(
            path,
            length as u64,
            "it ends inside its header, which has 128 bytes, or 148 with the mark DX10",
        ),
        other => damaged(path, 4, &format!("the header cannot be: {other}")),
    }
}

fn unknown_format(name: &str, path: &Path) -> Problems {
    let what = format!("the format of the texels is {name}, which units do not have");
    unusable(path, what, "convert the file to one of the formats of --format")
}

fn stored_of(dds: &Dds, head: &[u8], path: &Path) -> Result<Stored, Problems> {
    let (stored, name) = match (&dds.header10, &dds.header.spf.fourcc) {
        (Some(header), _) => (of_dxgi(header.dxgi_format), format!("{:?}", header.dxgi_format)),
        (None, Some(letters)) => (of_letters(letters.0), name_of(letters.0)),
        (None, None) => masked(dds.header.spf.flags, head),
    };
    stored.ok_or_else(|| unknown_format(&name, path))
}

/// A code as the four letters that it is, or as a number.
fn name_of(letters: u32) -> String {
    let bytes = letters.to_le_bytes();
    match bytes.iter().all(u8::is_ascii_graphic) {
        true => String::from_utf8_lossy(&bytes).into_owned(),
        false => format!("the number {letters}"),
    }
}

/// A format by the masks in the header, of which the crate passes over those of luminance.
fn masked(flags: PixelFormatFlags, head: &[u8]) -> (Option<Stored>, String) {
    const BIT_COUNT_AT: usize = 88;
    let word = |number: usize| {
        let bytes = &head[BIT_COUNT_AT + 4 * number..][..4];
        u32::from_le_bytes(bytes.try_into().expect("4 bytes"))
    };
    let (count, [r, g, b, a]) = (word(0), [word(1), word(2), word(3), word(4)]);
    let bits = match flags {
        _ if flags.contains(PixelFormatFlags::RGB) => Bits::Rgb,
        _ if flags.contains(PixelFormatFlags::LUMINANCE) => Bits::Luminance,
        _ if flags.contains(PixelFormatFlags::ALPHA) => Bits::Alpha,
        _ => return (None, "one that the header does not tell".to_owned()),
    };
    let has_alpha = flags.intersects(PixelFormatFlags::ALPHA_PIXELS | PixelFormatFlags::ALPHA);
    let masks = [r, g, b, if has_alpha { a } else { 0 }];
    (
        of_masks(bits, count, masks),
        format!("one of {count} bits with the masks {r:#x}, {g:#x}, {b:#x} and {a:#x}"),
    )
}

fn axes_of(dds: &Dds) -> Axes {
    let caps = dds.header.caps2;
    match &dds.header10 {
        Some(header) => {
            let is_cube = header.misc_flag.contains(MiscFlag::TEXTURECUBE);
            Axes {
                has_height: header.resource_dimension != D3D10ResourceDimension::Texture1D,
                has_depth: header.resource_dimension == D3D10ResourceDimension::Texture3D,
                is_array: header.array_size > 1,
                faces: if is_cube { FACES } else { 1 },
            }
        }
        None => {
            let is_cube = caps.contains(Caps2::CUBEMAP);
            // A cube with faces missing has some of them, but neither one nor six.
            let faces = match (is_cube, caps.contains(ALL_FACES)) {
                (false, _) => 1,
                (true, true) => FACES,
                (true, false) => FACES - 1,
            };
            Axes { has_height: true, has_depth: caps.contains(Caps2::VOLUME), is_array: false, faces }
        }
    }
}

/// The bytes of each slice of each level.
fn slices_of<'a>(
    bytes: &'a [u8],
    start: usize,
    shape: &Shape,
    stored: &Stored,
    path: &Path,
) -> Result<Vec<Vec<Cow<'a, [u8]>>>, Problems> {
    let layers = if shape.kind.has_layers() { shape.level_size(0)[2] } else { 1 };
    let mut slices = vec![Vec::new(); shape.levels as usize];
    let mut at = start as u64;
    for layer in 0..layers {
        for level in 0..shape.levels {
            let depth = if shape.kind == Kind::D3 { shape.level_size(level)[2] } else { 1 };
            for _ in 0..depth {
                let end = at + slice_bytes(shape, stored, level);
                let texels = usize::try_from(end).ok().and_then(|end| bytes.get(at as usize..end));
                let texels = texels.ok_or_else(|| {
                    let what = format!(
                        "level {level} of layer {layer} reaches to byte {end}, but the file has {} bytes",
                        bytes.len()
                    );
                    damaged(path, at, &what)
                })?;
                slices[level as usize].push(Cow::Borrowed(texels));
                at = end;
            }
        }
    }
    Ok(slices)
}
