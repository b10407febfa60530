//! The texture unit of the general numerics: one texture and sampler after another, and quads to results.
//!
//! Contract: [`Unit::sample`] gives what the hardware gives, to the last bit, for every quad. Where reads fail or nothing legal is
//! bound, all channels are 0, the error bit is set and the valid bits are the quad's.

use super::indirect::{self, IndirectResults, Textures, look_up_textures};
use super::request::Bound;
use super::sample::sample;
use super::store::{Found, Store};
use super::trace::{QuadTrace, trace};
use crate::datapath::fetch::{LineSource, SliceSource};
use crate::memory::Memory;
use tmu_spec::Features;
use tmu_spec::binding::BindingRule;
use tmu_spec::general::binding::{Words, is_secondary};
use tmu_spec::general::field::WORDS;
use tmu_spec::general::indirect::{IndirectQuad, Setup, WordError};
use tmu_spec::general::store::{Use, is_stored, line_of_entry, unreadable, written};
use tmu_spec::general::{Binding, General, Quad, QuadResult, Rule, Sampler, Texture};

/// A texture unit that reads from `M`, without a cache: what is sampled is always what memory holds, but for the colour table, which
/// is read when the texture is bound.
#[derive(Debug, Clone)]
pub struct Unit<M> {
    memory: M,
    features: Features,
    general: General,
    bound: Option<Bound>,
    secondary: Option<Bound>,
    store: Store,
    /// Of the texture and of the secondary one: no target of its entry is enabled.
    is_off: [bool; 2],
    indirect: Option<Box<indirect::Bound>>,
}

impl<M: Memory> Unit<M> {
    /// A unit with these features; what is not said of the general numerics is as little as there is.
    #[must_use]
    pub fn new(memory: M, features: Features) -> Self {
        let general = features.general().copied().unwrap_or(General::LEAST);
        Self {
            memory,
            features,
            general,
            bound: None,
            secondary: None,
            store: Store::default(),
            is_off: [false; 2],
            indirect: None,
        }
    }

    /// Binds a texture at a base for the quads that follow.
    ///
    /// # Errors
    /// The rules that are broken; the quads that follow are then answered with errors.
    pub fn bind(&mut self, texture: &Texture, base: u32, sampler: &Sampler) -> Result<(), Vec<Rule>> {
        self.unbind();
        let bound = Bound::new(texture, base, sampler, &self.features, &self.general, &self.memory)?;
        self.bound = Some(bound);
        Ok(())
    }

    /// Leaves nothing bound, as a binding that breaks a rule does.
    pub fn unbind(&mut self) {
        self.bound = None;
        self.is_off[0] = false;
    }

    /// What is bound.
    #[must_use]
    pub const fn bound(&self) -> Option<&Bound> {
        self.bound.as_ref()
    }

    /// Samples a quad.
    #[must_use]
    pub fn sample(&self, quad: &Quad) -> QuadResult {
        if self.is_off[0] {
            return nothing(quad.valid);
        }
        let Some(bound) = &self.bound else { return QuadResult::failed(quad.valid) };
        match self.memory.contiguous(bound.base(), bound.bytes()) {
            Some(bytes) => sample(bound, quad, &mut SliceSource(bytes)),
            None => sample(bound, quad, &mut LineSource { memory: &self.memory, base: bound.base() }),
        }
    }

    /// Samples a quad and tells what happens to it; nothing where nothing legal is bound.
    #[must_use]
    pub fn trace(&self, quad: &Quad) -> Option<QuadTrace> {
        let bound = self.bound.as_ref()?;
        Some(trace(bound, quad, &mut LineSource { memory: &self.memory, base: bound.base() }))
    }

    /// Does what a packet of a binding says, whose words are these: binds a texture for the quads that follow, or, in a unit with
    /// indirect look-ups, the secondary texture of those that name their set-up themselves. The other one stays. In a unit with a
    /// parameter store it may be kept there instead.
    ///
    /// # Errors
    /// The rules that it breaks; nothing is bound in its place then.
    pub fn take_binding(&mut self, words: &Words) -> Result<(), Vec<BindingRule>> {
        if is_stored(words, &self.general) {
            let decoded = Binding::decode_for(words, &self.features);
            self.store.write(words, decoded.is_ok());
            return decoded.map(|_| ());
        }
        self.bind_words(words, is_secondary(words, &self.general))
    }

    /// Does what a packet of a use says: binds what an entry of the parameter store holds.
    ///
    /// # Errors
    /// The rule that it breaks; nothing is bound then.
    pub fn take_use(&mut self, word: u128) -> Result<(), BindingRule> {
        let of = Use::from_word(word, &self.general);
        let is_secondary = is_secondary(&[word, 0, 0, 0, 0], &self.general);
        let found = of.and_then(|of| self.store.find(&of));
        let is_off = found == Ok(Found::Nothing);
        match found {
            Ok(Found::Kept(words)) => {
                self.bind_words(&words, is_secondary).expect("what is kept keeps the rules");
            }
            _ => *(if is_secondary { &mut self.secondary } else { &mut self.bound }) = None,
        }
        self.is_off[usize::from(is_secondary)] = is_off;
        found.map(|_| ())
    }

    /// Loads entries of the parameter store from a table in memory, one after the other, no more than there are. An entry that cannot be
    /// read breaks a rule from then on.
    ///
    /// # Errors
    /// The first entry that could not be read.
    pub fn load_entries(&mut self, table: u32, first: u32, count: u32) -> Result<(), u32> {
        let mut failed = None;
        for entry in first..(first + count).min(self.general.store_entries) {
            let mut words = [0; WORDS];
            let is_read = words.iter_mut().zip(0..).all(|(word, number)| {
                let line = self.memory.read_line(line_of_entry(table, entry, number));
                *word = line.map_or(0, u128::from_le_bytes);
                line.is_ok()
            });
            if !is_read {
                failed.get_or_insert(entry);
            }
            // A rule that it breaks is told in the status.
            let _ = self.take_binding(&if is_read { written(words, entry) } else { unreadable(entry) });
        }
        failed.map_or(Ok(()), Err)
    }

    fn bind_words(&mut self, words: &Words, is_secondary: bool) -> Result<(), Vec<BindingRule>> {
        self.is_off[usize::from(is_secondary)] = false;
        let place = if is_secondary { &mut self.secondary } else { &mut self.bound };
        *place = None;
        let Binding { base, texture, sampler, .. } = Binding::decode_for(words, &self.features)?;
        let bound = Bound::new(&texture, base, &sampler, &self.features, &self.general, &self.memory);
        *place = Some(bound.map_err(|_| vec![BindingRule::Feature])?);
        Ok(())
    }

    /// Looks a quad up that names its set-up, or none that there is.
    #[must_use]
    pub fn look_up_by(&self, setup: Result<Setup, WordError>, quad: &IndirectQuad) -> IndirectResults {
        if self.is_off.contains(&true) {
            return IndirectResults::one(nothing(quad.valid));
        }
        let bound = [self.bound.as_ref(), self.secondary.as_ref()];
        let textures = setup.as_ref().ok().and_then(|setup| Textures::of(setup, bound, &self.features));
        match textures {
            Some(textures) => look_up_textures(textures, quad, &self.memory),
            None => IndirectResults::failed(1, quad.valid),
        }
    }

    /// Binds two textures and how they are looked up for the indirect look-ups that follow.
    ///
    /// # Errors
    /// The rules that are broken; the quads that follow are then answered with errors.
    pub fn bind_indirect(
        &mut self,
        setup: &Setup,
        primary: &Binding,
        secondary: &Binding,
    ) -> Result<(), indirect::Broken> {
        self.indirect = None;
        let bound = indirect::Bound::new(setup, primary, secondary, &self.features, &self.memory)?;
        self.indirect = Some(Box::new(bound));
        Ok(())
    }

    /// Looks a quad up in the primary texture and what is found there in the secondary one.
    #[must_use]
    pub fn look_up(&self, quad: &IndirectQuad) -> IndirectResults {
        match &self.indirect {
            Some(bound) => indirect::look_up(bound, quad, &self.memory),
            None => IndirectResults::failed(1, quad.valid),
        }
    }
}

/// The answer where no target of an entry is enabled.
fn nothing(valid: u8) -> QuadResult {
    QuadResult { error: false, ..QuadResult::failed(valid) }
}
