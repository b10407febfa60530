//! The store of textures: each texture with each sampler that meshes read it with, once.

use tmu_spec::general::{Binding, Sampler, Texture};

use super::super::definition::{Samplers, Textures};
use crate::document::{Document, Section};
use crate::problem::Rule;

/// Entries of the store: what a stage names one with.
const MOST_PAIRS: usize = 1 << u8::BITS;

/// An entry of the store, and what it was made of.
#[derive(Debug, Clone)]
pub struct PixelBinding {
    /// The texture in memory, and how it is read.
    pub binding: Binding,
    /// The texture's name.
    pub texture: String,
    /// The sampler's name.
    pub sampler: String,
    /// The line of the first mesh whose program samples it; none if no program does.
    pub line: Option<usize>,
}

/// Textures bound with samplers, each pair once, as the store has them.
pub(super) struct Store<'s> {
    textures: &'s Textures<Texture>,
    samplers: &'s Samplers<Sampler>,
    pairs: Vec<(usize, usize)>,
    entries: Vec<PixelBinding>,
}

impl<'s> Store<'s> {
    pub(super) fn new(textures: &'s Textures<Texture>, samplers: &'s Samplers<Sampler>) -> Self {
        Self { textures, samplers, pairs: Vec::new(), entries: Vec::new() }
    }

    pub(super) fn into_entries(self) -> Vec<PixelBinding> {
        self.entries
    }

    /// The names of textures, and of samplers.
    pub(super) fn names(&self) -> [&'s [String]; 2] {
        [self.textures.names(), self.samplers.names()]
    }

    /// The place of a texture with a sampler, which are sampled for this line if they are. None if the texture could not be read, or
    /// the store is full; that is then in the report.
    pub(super) fn place(
        &mut self,
        document: &mut Document<'_>,
        section: &Section<'_>,
        (texture, sampler): (usize, usize),
        line: Option<usize>,
    ) -> Option<u8> {
        let found = self.pairs.iter().position(|known| *known == (texture, sampler));
        let place = match found {
            Some(place) => place,
            None => {
                let binding = self.textures.bound(texture, self.samplers.get(sampler))?;
                if self.pairs.len() == MOST_PAIRS {
                    let message = format!(
                        "{} reads another texture with another sampler; a scene has {MOST_PAIRS} such pairs at most",
                        section.label
                    );
                    document.report.add(Rule::Limit, section.line, message, "use fewer of them");
                    return None;
                }
                let [textures, samplers] = self.names();
                let names = (textures[texture].clone(), samplers[sampler].clone());
                self.entries.push(PixelBinding { binding, texture: names.0, sampler: names.1, line: None });
                self.pairs.push((texture, sampler));
                self.pairs.len() - 1
            }
        };
        let entry = &mut self.entries[place];
        entry.line = entry.line.or(line);
        u8::try_from(place).ok()
    }
}
