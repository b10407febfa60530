//! `request`: from the bits of a binding to what the stages behind it look at as at a constant.
//!
//! Cost: reads the colour table, if the format has one.

use crate::datapath::address::Level;
use crate::datapath::decode::Texels;
use crate::datapath::lod;
use crate::memory::Memory;
use tmu_spec::level_offset::MAX_SIZE_LOG2;
use tmu_spec::{Binding, BindingRule, Features, Quad, Record};

/// A legal binding, made ready for sampling.
#[derive(Debug, Clone)]
pub struct Bound {
    binding: Binding,
    levels: [Level; MAX_SIZE_LOG2 as usize + 1],
    texels: Texels,
}

impl Bound {
    /// Checks a binding's record and makes it ready.
    ///
    /// # Errors
    /// The rules that the binding breaks for a unit with these features.
    pub fn new<M: Memory>(record: Record, features: &Features, memory: &M) -> Result<Self, Vec<BindingRule>> {
        let binding = Binding::decode_for(record, features)?;
        let texture = binding.texture();
        let last = texture.levels() - 1;
        Ok(Self {
            levels: std::array::from_fn(|level| Level::new(texture, last.min(level as u32))),
            texels: Texels::new(memory, &binding),
            binding,
        })
    }

    /// The binding.
    #[must_use]
    pub const fn binding(&self) -> &Binding {
        &self.binding
    }

    /// How its texels become colours.
    #[must_use]
    pub const fn texels(&self) -> &Texels {
        &self.texels
    }

    /// The level that a quad is read from.
    #[inline]
    #[must_use]
    pub fn level(&self, quad: &Quad) -> &Level {
        &self.levels[lod::of_quad(quad, &self.binding) as usize]
    }
}
