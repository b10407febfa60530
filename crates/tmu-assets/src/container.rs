//! Containers of ready textures, .dds and .ktx2: their levels, faces, layers, slices and blocks as they are.
//!
//! | module | does |
//! | --- | --- |
//! | [`dds`] | reads .dds, by the crate `ddsfile` |
//! | [`ktx2`] | reads .ktx2, by the crate `ktx2`; Zstandard by `ruzstd` |
//! | [`ktx2_write`] | writes .ktx2 |
//! | [`formats`], [`masks`] | which of their formats are which of ours, by name and by masks |
//!
//! Contract: whatever the bytes, reading ends with a texture or with all that is wrong; a header is believed only as far as there
//! are bytes behind it, and no more memory is taken than these bytes and the texture they make. Texels are moved to their tiles,
//! blocks are left as they are; an order of channels that no format has becomes a swizzle, or the texels are changed, and
//! [`Container::notes`] says so. Cost: two copies of the texels.

mod dds;
mod formats;
mod ktx2;
mod ktx2_write;
mod masks;

pub use ktx2_write::write_ktx2;

use crate::general_image::GeneralImage;
use crate::general_pack::{Origin, shape_problems};
use crate::picture::{catching_panics, is_picture};
use crate::problem::Rule;
use crate::read::{read_start, read_whole};
use formats::Stored;
use std::borrow::Cow;
use std::path::Path;
use tmu_problem::Problems;
use tmu_spec::general::texture::{FACES, Shape};
use tmu_spec::general::{Kind, Swizzle, Texture};
use tmu_spec::{Format, TEXTURE_ADDRESS_BITS};

/// Bytes of the longest file that is read: a texture, and room for what stands around it.
const MAX_BYTES: u64 = (1 << TEXTURE_ADDRESS_BITS) + (1 << 20);

/// A texture as a file had it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Container {
    /// The texture.
    pub image: GeneralImage,
    /// What had to be changed, or is not looked at.
    pub notes: Vec<String>,
}

/// What a file is to become, where that is not what it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct ContainerOptions {
    /// The kind that it must be of.
    pub kind: Option<Kind>,
    /// The format; texels are converted if the file has another.
    pub format: Option<Format>,
    /// How many of its levels are kept.
    pub levels: Option<u32>,
    /// Whether its colours count as sRGB-coded, whatever the file says.
    pub is_srgb: bool,
    /// What a sample shows of the channels that the file shows.
    pub swizzle: Swizzle,
}

/// How a container begins.
const MAGICS: [&[u8]; 2] = [b"DDS ", &::ktx2::MAGIC];

/// Whether the content of a file is that of a container.
#[must_use]
pub fn is_container(content: &[u8]) -> bool {
    MAGICS.iter().any(|magic| content.starts_with(magic))
}

/// Whether a file is a container by its content, or by its name, if it is not a picture by its content: that a damaged one does not
/// begin as it should is told by who reads it, and so is that there is no file.
#[must_use]
pub fn is_container_file(path: &Path) -> bool {
    let is_named = path
        .extension()
        .is_some_and(|ending| ["dds", "ktx2"].iter().any(|known| ending.eq_ignore_ascii_case(known)));
    let start = read_start(path, 16).unwrap_or_default();
    is_container(&start) || (is_named && !is_picture(&start))
}

/// What a reader finds in a file.
struct Found<'a> {
    shape: Shape,
    stored: Stored,
    /// The texels of a slice of a level: rows from the top without gaps, or blocks.
    slices: Vec<Vec<Cow<'a, [u8]>>>,
    /// What the file itself says of the channels.
    swizzle: Swizzle,
    notes: Vec<String>,
}

impl Container {
    /// Reads a .dds or .ktx2 file.
    ///
    /// # Errors
    /// [`Rule::Read`], and those of [`Container::decode`].
    pub fn open(path: &Path) -> Result<Self, Problems> {
        let bytes = read_whole(path, MAX_BYTES).map_err(|error| {
            Problems::one(Rule::Read, path, format!("the file cannot be read: {error}"), "check the path")
        })?;
        Self::decode(&bytes, path)
    }

    /// Reads the content of a .dds or .ktx2 file; `path` is for messages.
    ///
    /// # Errors
    /// [`Rule::ContainerDecode`] and [`Rule::ContainerContent`].
    pub fn decode(bytes: &[u8], path: &Path) -> Result<Self, Problems> {
        let read = || {
            if bytes.starts_with(&::ktx2::MAGIC) { ktx2::read(bytes, path) } else { dds::read(bytes, path) }
        };
        let found =
            catching_panics(read).unwrap_or_else(|| Err(damaged(path, 0, "the reader gave up on it")))?;
        let Found { shape, stored, slices, swizzle, notes } = found;
        let swizzle = composed(swizzle, stored.swizzle);
        let texture = Texture::packed(shape, swizzle, stored.is_srgb)
            .map_err(|rules| shape_problems(&rules, &shape, Origin::File, path))?;
        let image = GeneralImage::from_slices(texture, |level, slice, place| {
            let row = &slices[level as usize][slice as usize];
            stored.texel(row, place)
        });
        Ok(Container { image, notes })
    }

    /// The same as it is asked for.
    ///
    /// # Errors
    /// [`Rule::TextureShape`] and [`Rule::ContainerContent`].
    pub fn with(self, options: &ContainerOptions, path: &Path) -> Result<Self, Problems> {
        let Container { image, mut notes } = self;
        let texture = *image.texture();
        let shape = *texture.shape();
        if let Some(kind) = options.kind.filter(|&kind| kind != shape.kind) {
            let message = format!("the file is of kind {}, not {kind}", shape.kind);
            return Err(Problems::one(Rule::TextureShape, path, message, "leave --kind out"));
        }
        let levels = options.levels.unwrap_or(shape.levels);
        if !(1..=shape.levels).contains(&levels) {
            let message = format!("--levels is {levels}, but the file has {} levels", shape.levels);
            return Err(Problems::one(Rule::TextureShape, path, message, "ask for at most as many"));
        }
        let format = options.format.unwrap_or(shape.format);
        let wanted = Shape { levels, format, ..shape };
        let is_converted = format != shape.format;
        let mut is_srgb = texture.is_srgb() || options.is_srgb;
        if is_converted && is_srgb && !options.is_srgb && !format.can_be_srgb() {
            notes.push(format!("its colours are sRGB-coded, which {format} cannot say"));
            is_srgb = false;
        }
        let broken = |rules: Vec<_>| shape_problems(&rules, &wanted, Origin::File, path);
        if !is_converted {
            let texture = Texture::packed(wanted, composed(options.swizzle, texture.swizzle()), is_srgb);
            let image = image.with_texture(texture.map_err(broken)?);
            return Ok(Container { image, notes });
        }
        check_conversion(shape.format, format, path)?;
        let texture_after = Texture::packed(wanted, options.swizzle, is_srgb).map_err(broken)?;
        notes.push(format!("its texels are converted from {} to {format}", shape.format));
        Ok(Container { image: image.converted(texture_after), notes })
    }
}

/// Floats and depths reach beyond what texels of other formats can be, and back.
fn check_conversion(from: Format, to: Format, path: &Path) -> Result<(), Problems> {
    if from.is_float() || from.is_depth() || to.is_depth() {
        let message = format!("the file has texels of {from}, which are not converted to {to}");
        return Err(Problems::one(Rule::ContainerContent, path, message, format!("use --format {from}")));
    }
    Ok(())
}

/// What shows what `outer` shows of what `inner` shows.
fn composed(outer: Swizzle, inner: Swizzle) -> Swizzle {
    Swizzle(outer.0.map(|component| inner.0.get(component as usize).copied().unwrap_or(component)))
}

/// A file that is cut short or says what cannot be, and where.
fn damaged(path: &Path, offset: u64, what: &str) -> Problems {
    let message = format!("at byte {offset}: {what}");
    Problems::one(Rule::ContainerDecode, path, message, "make the file anew with the program that wrote it")
}

/// A sound file of what units do not have.
fn unusable(path: &Path, what: String, help: &str) -> Problems {
    Problems::one(Rule::ContainerContent, path, what, help)
}

/// Bytes of a slice of a level as files have them.
fn slice_bytes(shape: &Shape, stored: &Stored, level: u32) -> u64 {
    let [width, height, _] = shape.level_size(level).map(u64::from);
    match shape.format.is_block() {
        true => width.div_ceil(4) * height.div_ceil(4) * u64::from(shape.format.tile_bytes()),
        false => width * height * u64::from(stored.bytes),
    }
}

/// Checks what a header says before anything is made of it: the sizes, and that there is room for all levels.
fn checked_shape(shape: Shape, path: &Path) -> Result<Shape, Problems> {
    let texture = Texture::packed(shape, Swizzle::NONE, false);
    texture.map(|_| shape).map_err(|rules| shape_problems(&rules, &shape, Origin::File, path))
}

/// The kind by what both kinds of file say; arrays of anything but pictures there are none.
struct Axes {
    has_height: bool,
    has_depth: bool,
    is_array: bool,
    faces: u32,
}

impl Axes {
    fn kind(&self, path: &Path) -> Result<Kind, Problems> {
        let what = match (self.has_height, self.has_depth, self.is_array, self.faces) {
            (false, false, false, 1) => return Ok(Kind::D1),
            (true, false, false, 1) => return Ok(Kind::D2),
            (true, true, false, 1) => return Ok(Kind::D3),
            (true, false, true, 1) => return Ok(Kind::D2Array),
            (true, false, false, FACES) => return Ok(Kind::Cube),
            (true, false, true, FACES) => "an array of cubes",
            (false, false, true, 1) => "an array of rows",
            (.., 1) => "an array of volumes",
            _ => "a cube of which faces are missing",
        };
        Err(unusable(path, format!("the file holds {what}"), "kinds are 1d, 2d, 3d, cube and 2d_array"))
    }
}
