//! `[[texture]]` and `[[sampler]]`: pictures become textures in one memory, samplers say how they are read.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use tmu_assets::{Decoded, Ignored, PackOptions, TextureImage};
use tmu_problem::Problems;
use tmu_spec::choice::Choice;
use tmu_spec::{AddressMode, Binding, Format, LINE_BYTES, Sampler, TEXTURE_ADDRESS_BITS, Texture};

use crate::document::{Document, Section, Value};
use crate::problem::Rule;

/// Textures and samplers that a scene may define.
const MAX_DEFINITIONS: usize = 64;

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

/// A `[[texture]]` in memory.
struct PlacedTexture {
    base: u32,
    texture: Texture,
}

/// The textures of a scene, by name, and their memory. A texture that could not be read has a name and no place.
pub(super) struct Textures {
    names: Vec<String>,
    placed: Vec<Option<PlacedTexture>>,
    memory: Vec<u8>,
}

impl Textures {
    /// The memory, and the names in the order of the file.
    pub(super) fn into_memory(self) -> (Vec<u8>, Vec<String>) {
        (self.memory, self.names)
    }

    /// Adds a texture behind those that are there; none where the window is full.
    fn place(&mut self, image: &TextureImage) -> Option<PlacedTexture> {
        let base = self.memory.len().next_multiple_of(LINE_BYTES as usize);
        if (base + image.memory().len()) as u64 > 1 << TEXTURE_ADDRESS_BITS {
            return None;
        }
        self.memory.resize(base, 0);
        self.memory.extend_from_slice(image.memory());
        Some(PlacedTexture { base: base as u32, texture: image.texture() })
    }
}

/// What `[[sampler]]` says.
struct SceneSampler {
    sampler: Sampler,
    max_lod: u32,
}

/// The samplers of a scene, by name.
pub(super) struct Samplers {
    names: Vec<String>,
    samplers: Vec<SceneSampler>,
}

/// Reads all `[[texture]]` tables and the pictures or packed textures that they name.
pub(super) fn textures<'t>(
    document: &mut Document<'t>,
    root: &mut Section<'t>,
    directory: &Path,
    pictures: &dyn Pictures,
) -> Textures {
    let mut textures = Textures { names: Vec::new(), placed: Vec::new(), memory: Vec::new() };
    for mut section in document.tables(root, "texture", MAX_DEFINITIONS) {
        let name = definition_name(document, &mut section, &textures.names);
        let file = document.required::<String>(&mut section, "file", "\"picture.png\"");
        let image = read_texture(document, &mut section, directory, file, pictures);
        let placed = image.and_then(|image| {
            let placed = textures.place(&image);
            if placed.is_none() {
                let message = format!("{} does not fit the texture memory of 2 GiB", section.label);
                document.report.add(Rule::Limit, section.line, message, "use fewer or smaller textures");
            }
            placed
        });
        textures.names.push(name);
        textures.placed.push(placed);
        document.finish(section);
    }
    textures
}

/// Takes the name of a texture or sampler, which no other may have.
fn definition_name<'t>(document: &mut Document<'t>, section: &mut Section<'t>, taken: &[String]) -> String {
    let Some(name) = document.required::<String>(section, "name", "\"…\"") else { return String::new() };
    if taken.contains(&name.value) {
        let message = format!("{} has the name {:?}, which an earlier one has", section.label, name.value);
        document.report.add(Rule::DuplicateName, name.line, message, "give it another name");
    }
    name.value
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
pub(super) fn samplers<'t>(document: &mut Document<'t>, root: &mut Section<'t>) -> Samplers {
    let mut samplers = Samplers { names: Vec::new(), samplers: Vec::new() };
    for mut section in document.tables(root, "sampler", MAX_DEFINITIONS) {
        let name = definition_name(document, &mut section, &samplers.names);
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
        samplers.names.push(name);
        samplers.samplers.push(SceneSampler { sampler, max_lod });
        document.finish(section);
    }
    samplers
}

/// The bindings that the meshes of a scene need, each once.
pub(super) struct Bindings<'s> {
    textures: &'s Textures,
    samplers: &'s Samplers,
    list: Vec<(Binding, usize)>,
    by_names: HashMap<(usize, usize), usize>,
}

impl<'s> Bindings<'s> {
    pub(super) fn new(textures: &'s Textures, samplers: &'s Samplers) -> Self {
        Self { textures, samplers, list: Vec::new(), by_names: HashMap::new() }
    }

    /// The bindings, each with the index of its texture.
    pub(super) fn into_list(self) -> Vec<(Binding, usize)> {
        self.list
    }

    /// Takes `texture` and `sampler` of a mesh. None if that is not possible, which is then in the report.
    pub(super) fn take<'t>(
        &mut self,
        document: &mut Document<'t>,
        section: &mut Section<'t>,
    ) -> Option<usize> {
        let texture = find(document, section, "texture", &self.textures.names);
        let sampler = find(document, section, "sampler", &self.samplers.names);
        let key = texture.zip(sampler)?;
        if let Some(&binding) = self.by_names.get(&key) {
            return Some(binding);
        }
        let PlacedTexture { base, texture } = self.textures.placed[key.0].as_ref()?;
        let SceneSampler { sampler, max_lod } = &self.samplers.samplers[key.1];
        let max_lod = texture.max_lod().min(*max_lod);
        let texture =
            Texture::new(texture.format(), texture.width_log2(), texture.height_log2(), max_lod).ok()?;
        self.list.push((Binding::new(*base, texture, *sampler).ok()?, key.0));
        self.by_names.insert(key, self.list.len() - 1);
        Some(self.list.len() - 1)
    }

    /// Width and height in texels of the texture of a binding.
    pub(super) fn texture_size(&self, binding: usize) -> [f64; 2] {
        let texture = self.list[binding].0.texture();
        [texture.width(0), texture.height(0)].map(f64::from)
    }
}

/// Takes a key that holds one of the `names`, and returns which.
fn find<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    key: &'static str,
    names: &[String],
) -> Option<usize> {
    let name = document.required::<String>(section, key, &format!("\"…\" with the name of a [[{key}]]"))?;
    let found = names.iter().position(|known| *known == name.value);
    if found.is_none() {
        let message = format!("{} `{key}`: no [[{key}]] has the name {:?}", section.label, name.value);
        let remedy = match names {
            [] => format!("add a [[{key}]] with this name"),
            _ => format!("use one of {}", names.join(", ")),
        };
        document.report.add(Rule::UnknownName, name.line, message, remedy);
    }
    found
}
