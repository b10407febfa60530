//! What the drivers of engines share: one job is at work at a time, and registers from `IDENTITY` on are the same in each.

use crate::mesh::{Bus, Error};

/// Registers by byte offset in an engine's block.
pub(crate) mod register {
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

/// The registers of an engine.
#[derive(Debug)]
pub(crate) struct Block<B> {
    bus: B,
    base: u32,
    /// What the job at work has of its caller.
    job: Option<usize>,
}

/// How a job has ended, as the registers say it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended {
    pub(crate) code: u32,
    pub(crate) response: u32,
    pub(crate) address: u32,
    pub(crate) user: usize,
}

impl<B: Bus> Block<B> {
    /// Opens the engine with this identity whose block begins at `base`; interrupts are off.
    pub(crate) fn open<F>(bus: B, base: u32, magic: u32) -> Result<Self, Error<B::Error, F>> {
        let mut block = Self { bus, base, job: None };
        let identity = block.read(register::IDENTITY)?;
        if identity != magic {
            return Err(Error::Identity(identity));
        }
        block.enable_interrupt(false)?;
        Ok(block)
    }

    fn read<F>(&mut self, offset: u32) -> Result<u32, Error<B::Error, F>> {
        self.bus.read(self.base + offset).map_err(Error::Bus)
    }

    pub(crate) fn write<F>(&mut self, offset: u32, value: u32) -> Result<(), Error<B::Error, F>> {
        self.bus.write(self.base + offset, value).map_err(Error::Bus)
    }

    /// Writes the registers of a job, which stand one behind the other from `first` on, and starts it.
    pub(crate) fn start<F>(
        &mut self,
        first: u32,
        values: &[u32],
        control: u32,
        user: usize,
    ) -> Result<(), Error<B::Error, F>> {
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

    /// How the job has ended, once; none while it is at work.
    pub(crate) fn poll<F>(&mut self) -> Result<Option<Ended>, Error<B::Error, F>> {
        let user = self.job.ok_or(Error::Idle)?;
        if self.read(register::INTERRUPT)? & DONE == 0 {
            return Ok(None);
        }
        let status = self.read(register::STATUS)?;
        let address = self.read(register::FAULT_ADDRESS)?;
        self.write(register::INTERRUPT, DONE)?;
        self.job = None;
        Ok(Some(Ended { code: status >> 8 & 0xf, response: status >> 12 & 3, address, user }))
    }

    pub(crate) fn is_busy<F>(&mut self) -> Result<bool, Error<B::Error, F>> {
        Ok(self.read(register::STATUS)? & 1 != 0)
    }

    pub(crate) fn enable_interrupt<F>(&mut self, enable: bool) -> Result<(), Error<B::Error, F>> {
        self.write(register::INTERRUPT_ENABLE, u32::from(enable))
    }

    /// Counts that stand one behind the other.
    pub(crate) fn counts<const COUNTS: usize, F>(
        &mut self,
        first: u32,
    ) -> Result<[u32; COUNTS], Error<B::Error, F>> {
        let mut counts = [0; COUNTS];
        for (offset, count) in (first..).step_by(4).zip(&mut counts) {
            *count = self.read(offset)?;
        }
        Ok(counts)
    }

    pub(crate) fn into_bus(self) -> B {
        self.bus
    }
}

/// Asks for the outcome of a job up to so many times.
pub(crate) fn wait<O, E, F>(
    polls: u32,
    mut poll: impl FnMut() -> Result<Option<O>, Error<E, F>>,
) -> Result<O, Error<E, F>> {
    for _ in 0..polls {
        if let Some(outcome) = poll()? {
            return Ok(outcome);
        }
    }
    Err(Error::Time)
}
