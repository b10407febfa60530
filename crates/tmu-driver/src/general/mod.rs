//! Bindings, quads and results of the general numerics.
//!
//! Such a core is opened with [`Tmu::open_general`], which is given the word `BUILT` of the core's registers in Rust: what the units
//! were built to do, beside what the core says of itself.
//!
//! ```
//! use tmu_driver::general::{Filter, MipFilter, Quad, Sampler, Texture};
//! use tmu_driver::{Bus, Error, Format, Tmu};
//!
//! # fn draw<B: Bus>(bus: B, built: u32, quad: &Quad) -> Result<(), Error<B::Error>> {
//! let mut tmu = Tmu::open_general(bus, built)?;
//! let texture = Texture { levels: 9, ..Texture::new(Format::Bc1, [300, 200]) }.packed();
//! let sampler = Sampler { min: Filter::Linear, mag: Filter::Linear, mip: MipFilter::Linear, ..Sampler::default() };
//! while !tmu.bind_general(0, &texture, &sampler)? {}
//! while !tmu.queue_general(0, quad)? {}
//! let result = loop {
//!     if let Some(result) = tmu.collect_general(0)? {
//!         break result;
//!     }
//! };
//! # let _ = result;
//! # Ok(())
//! # }
//! ```
//!
//! A core with a parameter store keeps textures: [`Tmu::store_general`] writes an entry, [`Tmu::use_entry`] binds it. Where the core was built
//! for it, [`Tmu::write_entry`] writes one over the control port, and [`Tmu::load_entries`] loads them from memory. One with indirect
//! look-ups has three calls for them: [`Tmu::set_up_indirect`], [`Tmu::request_indirect`], [`Tmu::collect_indirect`].

mod built;
mod check;
pub mod codes;
pub mod field;
mod indirect;
mod quad;
mod result;
mod store;
mod store_port;
mod texture;

pub use built::Built;
pub use codes::{
    AddressMode, Aggregate, CompareOp, Component, Filter, Kind, MAX_LEVELS, MipFilter, Numbers, Operation,
    ResultNumbers,
};
pub use indirect::{Indirect, IndirectQuad, Setup, Value};
pub use quad::{Pixel, Quad};
pub use result::QuadResult;
pub use store::{Use, enables};
pub use store_port::ENTRY_BYTES;
pub use texture::{Sampler, Texture, WORDS};

use crate::{Bus, Error, Refusal, Tmu};

impl<B: Bus> Tmu<B> {
    /// Opens a core of the general numerics. `built` is the constant `BUILT` of its registers.
    ///
    /// # Errors
    /// As [`Tmu::open`], or if the word is not this core's.
    pub fn open_general(bus: B, built: u32) -> Result<Self, Error<B::Error>> {
        let mut tmu = Self::open(bus)?;
        let (core, word) = (tmu.capabilities(), Built::from_word(built));
        // What both say must be the same.
        let agrees = AddressMode::ALL[..3]
            .iter()
            .all(|mode| core.has_address_mode(*mode) == word.has_address_mode(*mode));
        if !core.is_general() || built == 0 || !agrees {
            return Err(Error::Built(built));
        }
        tmu.built = word;
        Ok(tmu)
    }

    /// What its units were built to do beside [`Tmu::capabilities`], as it was told.
    pub const fn built(&self) -> Built {
        self.built
    }

    fn check_general(&self, unit: u32) -> Result<(), Error<B::Error>> {
        self.check_unit(unit)?;
        if self.built.word() == 0 { Err(Error::Refused(Refusal::Numerics)) } else { Ok(()) }
    }

    /// Queues a binding, which holds for all quads behind it. False: the stream is full, try again.
    ///
    /// # Errors
    /// If the core would refuse it; nothing is sent then.
    pub fn bind_general(
        &mut self,
        unit: u32,
        texture: &Texture,
        sampler: &Sampler,
    ) -> Result<bool, Error<B::Error>> {
        self.check_general(unit)?;
        texture.check(sampler, self.capabilities(), self.built).map_err(Error::Refused)?;
        Ok(self.bus().send(unit, &texture.to_beats(sampler))?)
    }

    /// Queues a quad, in one beat or in as few as it needs, as the core was built. False: the stream is full; collect results, then try again.
    ///
    /// # Errors
    /// If the operation is not built.
    pub fn queue_general(&mut self, unit: u32, quad: &Quad) -> Result<bool, Error<B::Error>> {
        self.check_general(unit)?;
        if !self.built.has_operation(quad.operation) || quad.component > 3 {
            return Err(Error::Operation);
        }
        let is_one_beat = self.capabilities().beats_per_quad() == 1;
        let (beats, count) = quad.to_beats(self.built, is_one_beat);
        Ok(self.bus().send(unit, &beats[..count])?)
    }

    /// The oldest result that was not collected. Results come in the order of the quads.
    ///
    /// # Errors
    /// If there is no such unit, or the platform fails.
    pub fn collect_general(&mut self, unit: u32) -> Result<Option<QuadResult>, Error<B::Error>> {
        self.check_general(unit)?;
        let numbers = self.built.result();
        Ok(self.bus().receive(unit)?.map(|beat| QuadResult::from_beat(&beat, numbers)))
    }
}
