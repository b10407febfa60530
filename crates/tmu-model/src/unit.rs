//! The texture unit: the stages of [`crate::datapath`] for one binding after another, and what it looks up in its cache.
//!
//! Contract: [`TextureUnit::sample`] gives what the hardware gives, to the last bit, for every quad and every
//! binding, legal or not. Where reads fail or the binding is refused, all four colours are 0, the error bit is
//! set and the valid bits are the quad's.
//!
//! Cost: a binding reads its colour table; a quad allocates nothing. Sampling from memory that is
//! [`contiguous`](Memory::contiguous) is many times faster than line by line and gives the same.

use crate::cache::blocking::LookupSource;
use crate::cache::prefetch::quad_scheduler::{Scheduler, WithoutWeightless};
use crate::cache::prefetch::tile::Tile;
use crate::datapath;
use crate::datapath::fetch::{LineSource, SliceSource, TexelSource};
use crate::datapath::lod;
use crate::datapath::request::Bound;
use crate::memory::Memory;
use tmu_spec::{Binding, BindingRule, Features, Quad, QuadResult, Record};

/// A texture unit that reads from `M`.
///
/// There is no cache in it: what is sampled is always what memory holds, except for the colour table, which is
/// read when the texture is bound.
#[derive(Debug, Clone)]
pub struct TextureUnit<M> {
    memory: M,
    features: Features,
    drops_weightless_taps: bool,
    bound: Option<Bound>,
}

impl<M: Memory> TextureUnit<M> {
    /// A unit with every feature and nothing bound: until the first binding, quads are answered with errors.
    #[must_use]
    pub const fn new(memory: M) -> Self {
        Self::with_features(memory, Features::ALL)
    }

    /// A unit that was built with only some features.
    #[must_use]
    pub const fn with_features(memory: M, features: Features) -> Self {
        Self { memory, features, drops_weightless_taps: false, bound: None }
    }

    /// The same unit, but whether taps without weight are left out rather than read: they show nowhere but in the
    /// lines that are read, and so in which quads fail.
    #[must_use]
    pub fn dropping_weightless_taps(mut self, drops: bool) -> Self {
        self.drops_weightless_taps = drops;
        self
    }

    /// Binds a texture for the quads that follow.
    ///
    /// # Errors
    /// The rules that the binding breaks for this unit's features; the quads that follow are then answered
    /// with errors.
    pub fn bind(&mut self, binding: &Binding) -> Result<(), Vec<BindingRule>> {
        self.bind_record(binding.record())
    }

    /// Binds by a record, legal or not.
    ///
    /// # Errors
    /// As [`TextureUnit::bind`].
    pub fn bind_record(&mut self, record: Record) -> Result<(), Vec<BindingRule>> {
        self.bound = None;
        self.bound = Some(Bound::new(record, &self.features, &self.memory)?);
        Ok(())
    }

    /// What is bound; none before the first binding and after one that was refused.
    #[must_use]
    pub fn binding(&self) -> Option<&Binding> {
        self.bound.as_ref().map(Bound::binding)
    }

    /// The memory.
    #[must_use]
    pub const fn memory(&self) -> &M {
        &self.memory
    }

    /// The memory, to write to: quads see the change at once, the colour table with the next binding.
    pub const fn memory_mut(&mut self) -> &mut M {
        &mut self.memory
    }

    /// Samples a quad.
    #[must_use]
    pub fn sample(&self, quad: &Quad) -> QuadResult {
        let Some(bound) = &self.bound else { return QuadResult::failed(quad.valid()) };
        let base = bound.binding().base();
        match self.memory.contiguous(base, bound.binding().texture().bytes()) {
            // No read fails there, so that taps without weight show nowhere.
            Some(bytes) => datapath::sample(bound, quad, &mut SliceSource(bytes)),
            None => self.sample_from(bound, quad, LineSource { memory: &self.memory, base }),
        }
    }

    /// The level that a quad is sampled from; none if nothing is bound.
    #[must_use]
    pub fn lod(&self, quad: &Quad) -> Option<u32> {
        self.bound.as_ref().map(|bound| lod::of_quad(quad, bound.binding()))
    }

    /// Visits the numbers of the lines that a quad looks up, in the order in which the blocking cache is asked
    /// for them: valid pixels 0 to 3, for each one its taps s0 to s3 (only one if nearest), and two lines for a
    /// texel that lies across them. Nothing is merged: repeats show.
    pub fn lookups(&self, quad: &Quad, visit: impl FnMut(u32)) {
        if let Some(bound) = &self.bound {
            let _ = self.sample_from(bound, quad, LookupSource { base: bound.binding().base(), visit });
        }
    }

    /// Visits the items in which a quad passes the prefetching cache, in their order, with the tiles that each looks up,
    /// by rising bank. `takes_quads` says whether a quad may be a single item, see [`crate::cache::prefetch::quad_scheduler`]; otherwise each valid
    /// pixel is one.
    pub fn items(&self, quad: &Quad, takes_quads: bool, visit: impl FnMut(&[Tile])) {
        if let Some(bound) = &self.bound {
            let scheduler = Scheduler { takes_quads, drops_weightless_taps: self.drops_weightless_taps };
            scheduler.items(bound, quad, visit);
        }
    }

    /// Samples from a source of which it shows what is read.
    fn sample_from(&self, bound: &Bound, quad: &Quad, mut source: impl TexelSource) -> QuadResult {
        if self.drops_weightless_taps {
            datapath::sample(bound, quad, &mut WithoutWeightless(source))
        } else {
            datapath::sample(bound, quad, &mut source)
        }
    }
}
