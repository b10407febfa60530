//! What the drivers of engines share: one job is at work at a time, and registers from `IDENTITY` on are the same in each.
//!
//! An [`Engine`] of some [`EngineKind`] is a [`Mesh`](crate::mesh::Mesh), a [`Loader`](crate::loader::Loader) or a
//! [`Pixel`](crate::pixel::Pixel), whose jobs are frames; these say what a job is.

use crate::mesh::{Bus, Error};
use core::marker::PhantomData;

/// Registers by byte offset in an engine's block.
pub mod register {
    /// Bit 0 starts a job.
    pub const CONTROL: u32 = 0x00;
    /// Identity of the engine.
    pub const IDENTITY: u32 = 0x100;
    /// Bit 0: an interrupt when a job ends.
    pub const INTERRUPT_ENABLE: u32 = 0x104;
    /// Bit 0: a job has ended; write 1 to clear it.
    pub const INTERRUPT: u32 = 0x108;
    /// Busy, and how the last job has ended.
    pub const STATUS: u32 = 0x10c;
    /// Where it has failed.
    pub const FAULT_ADDRESS: u32 = 0x110;
}

/// The bit of `CONTROL` that starts a job.
pub(crate) const START: u32 = 1;
const DONE: u32 = 1;

/// What is particular to an engine.
pub trait EngineKind {
    /// Why a job is refused or has failed.
    type Fault;
    /// How a job has ended.
    type Outcome;
    /// What `IDENTITY` reads.
    const MAGIC: u32;
    /// The register that ends the job at work.
    const RESET: u32;

    /// How a job has ended, by what the registers say.
    fn outcome(ended: Ended) -> Self::Outcome;
}

/// How a job has ended, as the registers say it.
#[derive(Debug, Clone, Copy)]
pub struct Ended {
    /// Its code; 0 is well.
    pub code: u32,
    /// How an access to memory failed.
    pub response: u32,
    /// Where it has failed.
    pub address: u32,
    /// What the caller has given.
    pub user: usize,
}

/// What a call gives.
pub type Called<T, B, K> = Result<T, Error<<B as Bus>::Error, <K as EngineKind>::Fault>>;

/// An engine by its registers.
#[derive(Debug)]
pub struct Engine<B, K> {
    bus: B,
    base: u32,
    /// What the job at work has of its caller.
    job: Option<usize>,
    kind: PhantomData<K>,
}

impl<B: Bus, K: EngineKind> Engine<B, K> {
    /// Opens the engine whose block begins at `base`; interrupts are off.
    ///
    /// # Errors
    /// [`Error::Identity`] if there is none, and the bus's.
    pub fn open(bus: B, base: u32) -> Called<Self, B, K> {
        let mut engine = Self { bus, base, job: None, kind: PhantomData };
        let identity = engine.read(register::IDENTITY)?;
        if identity != K::MAGIC {
            return Err(Error::Identity(identity));
        }
        engine.enable_interrupt(false)?;
        Ok(engine)
    }

    fn read(&mut self, offset: u32) -> Called<u32, B, K> {
        self.bus.read(self.base + offset).map_err(Error::Bus)
    }

    fn write(&mut self, offset: u32, value: u32) -> Called<(), B, K> {
        self.bus.write(self.base + offset, value).map_err(Error::Bus)
    }

    /// Writes the registers of a job, which stand one behind the other from `first` on, and starts it.
    pub(crate) fn start(
        &mut self,
        first: u32,
        values: &[u32],
        control: u32,
        user: usize,
    ) -> Called<(), B, K> {
        if self.job.is_some() {
            return Err(Error::Busy);
        }
        for (offset, value) in (first..).step_by(4).zip(values) {
            self.write(offset, *value)?;
        }
        // What is held of a job before must not end this one.
        self.write(register::INTERRUPT, DONE)?;
        self.write(register::CONTROL, control)?;
        self.job = Some(user);
        Ok(())
    }

    /// The outcome of the job, once it has ended; none while it is at work. Also what the interrupt's handler calls.
    ///
    /// # Errors
    /// [`Error::Idle`], and the bus's.
    pub fn poll(&mut self) -> Called<Option<K::Outcome>, B, K> {
        let user = self.job.ok_or(Error::Idle)?;
        if self.read(register::INTERRUPT)? & DONE == 0 {
            return Ok(None);
        }
        let status = self.read(register::STATUS)?;
        let address = self.read(register::FAULT_ADDRESS)?;
        self.write(register::INTERRUPT, DONE)?;
        self.job = None;
        let ended = Ended { code: status >> 8 & 0xf, response: status >> 12 & 3, address, user };
        Ok(Some(K::outcome(ended)))
    }

    /// The same, up to so many times.
    ///
    /// # Errors
    /// [`Error::Time`] if the job is still at work, and those of [`Engine::poll`].
    pub fn wait(&mut self, polls: u32) -> Called<K::Outcome, B, K> {
        for _ in 0..polls {
            if let Some(outcome) = self.poll()? {
                return Ok(outcome);
            }
        }
        Err(Error::Time)
    }

    /// Whether a job is at work.
    ///
    /// # Errors
    /// The bus's.
    pub fn is_busy(&mut self) -> Called<bool, B, K> {
        Ok(self.read(register::STATUS)? & 1 != 0)
    }

    /// Lets the engine interrupt when a job ends, or not.
    ///
    /// # Errors
    /// The bus's.
    pub fn enable_interrupt(&mut self, enable: bool) -> Called<(), B, K> {
        self.write(register::INTERRUPT_ENABLE, u32::from(enable))
    }

    /// Ends the job that is at work; it still has to be waited for, and its fault says so.
    ///
    /// # Errors
    /// The bus's.
    pub fn reset(&mut self) -> Called<(), B, K> {
        self.write(K::RESET, 1)
    }

    /// Counts that stand one behind the other.
    pub(crate) fn counts<const COUNTS: usize>(&mut self, first: u32) -> Called<[u32; COUNTS], B, K> {
        let mut counts = [0; COUNTS];
        for (offset, count) in (first..).step_by(4).zip(&mut counts) {
            *count = self.read(offset)?;
        }
        Ok(counts)
    }

    /// The bus, back.
    #[must_use]
    pub fn into_bus(self) -> B {
        self.bus
    }
}
