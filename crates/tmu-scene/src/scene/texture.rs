//! `[[texture]]` and `[[sampler]]` of the classic numerics.

use std::path::Path;
use std::sync::Arc;

use tmu_assets::{Decoded, Ignored, PackOptions, TextureImage};
use tmu_problem::Problems;
use tmu_spec::choice::Choice;
use tmu_spec::{AddressMode, Binding, Format, Sampler, Texture};

use super::definition::{Definitions, MAX_DEFINITIONS, Samplers, Textures, definition_name};
use crate::document::{Document, Section, Value};
use crate::numerics::Classic;
use crate::problem::Rule;

/// Where the pictures of a scene come from.
pub trait Pictures {
    /// The texture of the picture that a scene names, resampled to powers of two first where `resize` says so; and what
    /// its file says of colours and is passed over.
    ///
    /// # Errors
    /// Everything that is wrong with the picture.
    fn texture(
        &self,
        path: &Path,
        options: &PackOptions,
        resize: bool,
    ) -> Result<(Arc<TextureImage>, Ignored), Problems>;
}

/// Pictures that are files.
#[derive(Debug, Clone, Copy)]
pub(super) struct Files;

impl Pictures for Files {
    fn texture(
        &self,
        path: &Path,
        options: &PackOptions,
        resize: bool,
    ) -> Result<(Arc<TextureImage>, Ignored), Problems> {
        let Decoded { mut picture, ignored } = Decoded::open(path)?;
        if resize {
            picture = tmu_assets::resize_to_powers_of_two(&picture);
        }
        Ok((Arc::new(tmu_assets::pack(&picture, options, path)?), ignored))
    }
}

/// What `[[sampler]]` says.
pub(super) struct SceneSampler {
    sampler: Sampler,
    max_lod: u32,
}

impl Definitions for Classic {
    type Texture = Texture;
    type Sampler = SceneSampler;

    fn bind(base: u32, texture: &Texture, sampler: &SceneSampler) -> Option<Binding> {
        let SceneSampler { sampler, max_lod } = sampler;
        let max_lod = texture.max_lod().min(*max_lod);
        let texture =
            Texture::new(texture.format(), texture.width_log2(), texture.height_log2(), max_lod).ok()?;
        Binding::new(base, texture, *sampler).ok()
    }

    fn texture_size(binding: &Binding) -> [f64; 2] {
        let texture = binding.texture();
        [texture.width(0), texture.height(0)].map(f64::from)
    }
}

/// Reads all `[[texture]]` tables and the pictures or packed textures that they name.
pub(super) fn textures<'t>(
    document: &mut Document<'t>,
    root: &mut Section<'t>,
    directory: &Path,
    pictures: &dyn Pictures,
) -> Textures<Texture> {
    let mut textures = Textures::default();
    for mut section in document.tables(root, "texture", MAX_DEFINITIONS) {
        let name = definition_name(document, &mut section, textures.names());
        let file = document.required::<String>(&mut section, "file", "\"picture.png\"");
        let image = read_texture(document, &mut section, directory, file, pictures);
        let image = image.as_ref().map(|image| (image.memory(), image.texture()));
        textures.add(document, &section, name, image);
        document.finish(section);
    }
    textures
}

/// Reads a packed texture by its descriptor, or packs a picture, which has keys of its own.
fn read_texture<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    directory: &Path,
    file: Option<Value<String>>,
    pictures: &dyn Pictures,
) -> Option<Arc<TextureImage>> {
    let path = file.as_ref().map(|file| directory.join(&file.value));
    let is_packed =
        path.as_deref().and_then(Path::extension).is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    let picture_keys = (!is_packed).then(|| PictureKeys::take(document, section));
    let (file, path) = file.zip(path)?;
    let image = match picture_keys {
        None => {
            document.files.push(tmu_assets::memory_path(&path));
            tmu_assets::load(&path).map(|image| (Arc::new(image), Ignored::default()))
        }
        Some(keys) => pictures.texture(&path, &keys.options, keys.resize),
    };
    document.files.push(path.clone());
    match image {
        Ok((image, ignored)) => {
            if !ignored.is_empty() {
                document.ignored.push((path, ignored));
            }
            Some(image)
        }
        Err(problems) => {
            let message = format!("{} names the file {:?}, which cannot be used", section.label, file.value);
            let remedy = "see the problems of that file below; sizes are mended by `resize = \"pow2\"` here";
            document.report.add(Rule::Texture, file.line, message, remedy);
            document.report.absorb(problems);
            None
        }
    }
}

/// How a picture becomes a texture.
struct PictureKeys {
    options: PackOptions,
    resize: bool,
}

impl PictureKeys {
    fn take<'t>(document: &mut Document<'t>, section: &mut Section<'t>) -> Self {
        let options = PackOptions {
            format: document.choice(section, "format", parse_format).unwrap_or(Format::Rgba8),
            mip_filter: document.choice(section, "mip_filter", parse_name).unwrap_or_default(),
            mipmaps: true,
            dither: document.flag(section, "dither").unwrap_or(false),
        };
        let resize = document.choice(section, "resize", |name| match name {
            "pow2" => Ok(true),
            "none" => Ok(false),
            _ => Err(format!("{name:?} is not a way to resize; use one of none, pow2")),
        });
        Self { options, resize: resize.unwrap_or(false) }
    }
}

/// One of the values that the classic numerics have, by which scenes are drawn.
fn parse_classic<T: Choice>(name: &str, classic: &[T]) -> Result<T, String> {
    let found = classic.iter().copied().find(|choice| choice.name() == name);
    let names: Vec<_> = classic.iter().map(|choice| choice.name()).collect();
    found.ok_or_else(|| format!("\"{name}\" is not {}; use one of {}", T::WHAT, names.join(", ")))
}

fn parse_mode(name: &str) -> Result<AddressMode, String> {
    parse_classic(name, &AddressMode::CLASSIC)
}

fn parse_format(name: &str) -> Result<Format, String> {
    parse_classic(name, &Format::CLASSIC)
}

fn parse_name<T: std::str::FromStr<Err: ToString>>(name: &str) -> Result<T, String> {
    name.parse().map_err(|error: T::Err| error.to_string())
}

/// Reads all `[[sampler]]` tables.
pub(super) fn samplers<'t>(document: &mut Document<'t>, root: &mut Section<'t>) -> Samplers<SceneSampler> {
    let mut samplers = Samplers::default();
    for mut section in document.tables(root, "sampler", MAX_DEFINITIONS) {
        let name = definition_name(document, &mut section, samplers.names());
        let bilinear = document.choice(&mut section, "filter", |name| match name {
            "nearest" => Ok(false),
            "bilinear" => Ok(true),
            _ => Err(format!("{name:?} is not a filter; use one of nearest, bilinear")),
        });
        let sampler = Sampler {
            bilinear: bilinear.unwrap_or(true),
            mipmapped: document.flag(&mut section, "mipmaps").unwrap_or(true),
            address_u: document.choice(&mut section, "address_u", parse_mode).unwrap_or_default(),
            address_v: document.choice(&mut section, "address_v", parse_mode).unwrap_or_default(),
        };
        let last_level = tmu_spec::level_offset::MAX_SIZE_LOG2;
        let max_lod = document.integer(&mut section, "max_lod", 0..=last_level).unwrap_or(last_level);
        samplers.add(name, SceneSampler { sampler, max_lod });
        document.finish(section);
    }
    samplers
}
