//! What a scene defines by name, whatever its numerics: textures one behind the other in one memory, samplers, and the
//! bindings that meshes make of them.

use std::collections::HashMap;

use tmu_spec::{LINE_BYTES, TEXTURE_ADDRESS_BITS, general};

use crate::document::{Document, Section};
use crate::numerics::Numerics;
use crate::problem::Rule;

/// Textures, samplers and projectors that a scene may define.
pub(super) const MAX_DEFINITIONS: usize = 64;

/// What `[[texture]]` and `[[sampler]]` define.
pub(super) trait Definitions: Numerics {
    /// A texture without its place.
    type Texture: Copy;
    /// How a texture is read.
    type Sampler;

    /// A texture at a base, read by a sampler.
    fn bind(base: u32, texture: &Self::Texture, sampler: &Self::Sampler) -> Option<Self::Binding>;

    /// Width and height in texels of what is bound.
    fn texture_size(binding: &Self::Binding) -> [f64; 2];
}

/// A `[[texture]]` in memory.
struct PlacedTexture<T> {
    base: u32,
    texture: T,
}

/// The textures of a scene, by name, and their memory. A texture that could not be read has a name and no place.
pub(super) struct Textures<T> {
    names: Vec<String>,
    placed: Vec<Option<PlacedTexture<T>>>,
    memory: Vec<u8>,
}

impl<T> Default for Textures<T> {
    fn default() -> Self {
        Self { names: Vec::new(), placed: Vec::new(), memory: Vec::new() }
    }
}

impl<T: Copy> Textures<T> {
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The memory, and the names in the order of the file.
    pub(super) fn into_memory(self) -> (Vec<u8>, Vec<String>) {
        (self.memory, self.names)
    }

    /// Adds a texture with its bytes behind those that are there, or just its name.
    pub(super) fn add(
        &mut self,
        document: &mut Document<'_>,
        section: &Section<'_>,
        name: String,
        image: Option<(&[u8], T)>,
    ) {
        let placed = image.and_then(|(bytes, texture)| {
            let base = self.place(bytes);
            if base.is_none() {
                let message = format!("{} does not fit the texture memory of 2 GiB", section.label);
                document.report.add(Rule::Limit, section.line, message, "use fewer or smaller textures");
            }
            Some(PlacedTexture { base: base?, texture })
        });
        self.names.push(name);
        self.placed.push(placed);
    }

    /// Adds bytes; none where the window is full.
    fn place(&mut self, bytes: &[u8]) -> Option<u32> {
        let base = self.memory.len().next_multiple_of(LINE_BYTES as usize);
        if (base + bytes.len()) as u64 > 1 << TEXTURE_ADDRESS_BITS {
            return None;
        }
        self.memory.resize(base, 0);
        self.memory.extend_from_slice(bytes);
        Some(base as u32)
    }

    /// The texture with a number, if it could be read, as a sampler of the general numerics reads it.
    pub(super) fn bound(&self, number: usize, sampler: &general::Sampler) -> Option<general::Binding>
    where
        T: Into<general::Texture>,
    {
        let PlacedTexture { base, texture } = self.placed[number].as_ref()?;
        let texture = (*texture).into();
        Some(general::Binding { base: *base, texture, sampler: *sampler, drop_cache: false })
    }

    /// The texture with a number, if it could be read, and the memory from its base on.
    pub(super) fn placed_mut(&mut self, number: usize) -> Option<(T, &mut [u8])> {
        let PlacedTexture { base, texture } = self.placed[number].as_ref()?;
        Some((*texture, &mut self.memory[*base as usize..]))
    }
}

/// The samplers of a scene, by name.
pub(super) struct Samplers<S> {
    names: Vec<String>,
    samplers: Vec<S>,
}

impl<S> Default for Samplers<S> {
    fn default() -> Self {
        Self { names: Vec::new(), samplers: Vec::new() }
    }
}

impl<S> Samplers<S> {
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// One of them by its number.
    pub(super) fn get(&self, number: usize) -> &S {
        &self.samplers[number]
    }

    pub(super) fn add(&mut self, name: String, sampler: S) {
        self.names.push(name);
        self.samplers.push(sampler);
    }
}

/// Takes the name of a definition, which no other of its kind may have.
pub(super) fn definition_name<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    taken: &[String],
) -> String {
    let Some(name) = document.required::<String>(section, "name", "\"…\"") else { return String::new() };
    if taken.contains(&name.value) {
        let message = format!("{} has the name {:?}, which an earlier one has", section.label, name.value);
        document.report.add(Rule::DuplicateName, name.line, message, "give it another name");
    }
    name.value
}

/// A binding, and what it was made of.
#[derive(Debug, Clone)]
pub(super) struct Bound<B> {
    pub(super) binding: B,
    /// Index of the texture's name.
    pub(super) texture: usize,
    /// Name of the sampler.
    pub(super) sampler: String,
}

/// The bindings that the meshes of a scene need, each once.
pub(super) struct Bindings<'s, N: Definitions> {
    textures: &'s Textures<N::Texture>,
    samplers: &'s Samplers<N::Sampler>,
    list: Vec<Bound<N::Binding>>,
    by_names: HashMap<(usize, usize), usize>,
}

impl<'s, N: Definitions> Bindings<'s, N> {
    pub(super) fn new(textures: &'s Textures<N::Texture>, samplers: &'s Samplers<N::Sampler>) -> Self {
        Self { textures, samplers, list: Vec::new(), by_names: HashMap::new() }
    }

    pub(super) fn into_list(self) -> Vec<Bound<N::Binding>> {
        self.list
    }

    /// Takes `texture` and `sampler` of a mesh. None if that is not possible, which is then in the report.
    pub(super) fn take<'t>(
        &mut self,
        document: &mut Document<'t>,
        section: &mut Section<'t>,
    ) -> Option<usize> {
        let texture = find(document, section, "texture", "texture", &self.textures.names);
        let sampler = find(document, section, "sampler", "sampler", &self.samplers.names);
        let key = texture.zip(sampler)?;
        if let Some(&binding) = self.by_names.get(&key) {
            return Some(binding);
        }
        let PlacedTexture { base, texture } = self.textures.placed[key.0].as_ref()?;
        let binding = N::bind(*base, texture, &self.samplers.samplers[key.1])?;
        self.list.push(Bound { binding, texture: key.0, sampler: self.samplers.names[key.1].clone() });
        self.by_names.insert(key, self.list.len() - 1);
        Some(self.list.len() - 1)
    }

    /// Width and height in texels of the texture of a binding.
    pub(super) fn texture_size(&self, binding: usize) -> [f64; 2] {
        N::texture_size(&self.list[binding].binding)
    }
}

/// Takes a key that holds the name of a `[[what]]`, one of `names`, and returns which.
pub(super) fn find<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    key: &'static str,
    what: &str,
    names: &[String],
) -> Option<usize> {
    let name = document.required::<String>(section, key, &format!("\"…\" with the name of a [[{what}]]"))?;
    let found = names.iter().position(|known| *known == name.value);
    if found.is_none() {
        let message = format!("{} `{key}`: no [[{what}]] has the name {:?}", section.label, name.value);
        let remedy = match names {
            [] => format!("add a [[{what}]] with this name"),
            _ => format!("use one of {}", names.join(", ")),
        };
        document.report.add(Rule::UnknownName, name.line, message, remedy);
    }
    found
}
