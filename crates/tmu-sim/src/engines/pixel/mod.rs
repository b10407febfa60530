//! The pixel pipeline, driven by its registers as a processor drives it.

use crate::kit::control::Access;
use crate::kit::domain::Domain;
use crate::kit::error::{Cause, Failure, Result};
use crate::kit::memory::Bytes;
use crate::kit::system::{System, SystemOptions};
use tmu_rtl::engines::pixel::registers::TABLE;
use tmu_rtl::system::registers::engine_base_bytes;
use tmu_spec::Config;
use tmu_spec::config::EngineKind;
use tmu_verilate::Model;

/// Clocks of `core_aclk` behind a reset after which registers answer.
const SETTLE_CLOCKS: u64 = 32;
/// Clocks between two looks at `INTERRUPT`.
const LOOK_CLOCKS: u64 = 64;
/// Clocks in which nothing is read or written, after which a frame counts as one without end.
const PATIENCE_CLOCKS: u64 = 200_000;

/// A system with a pixel pipeline, over memory that is written.
#[derive(Debug)]
pub struct Pixel {
    system: System<Bytes, ()>,
}

/// How a frame has ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Done {
    /// The code that `STATUS` shows; 0 is well.
    pub code: u32,
    /// `FAULT_ADDRESS`.
    pub address: u32,
    /// `BUSY_CLOCKS`.
    pub clocks: u64,
    /// `LINES_READ`.
    pub lines_read: u64,
    /// `LINES_WRITTEN`.
    pub lines_written: u64,
}

impl Pixel {
    /// Sets a model up and lets it out of reset.
    ///
    /// # Errors
    /// If the model lacks a port or breaks a rule.
    pub fn new(model: &Model, config: &Config, options: &SystemOptions, memory: Bytes) -> Result<Self> {
        let system = System::without_streams(model, config, options, memory, ());
        let mut system = system.map_err(Failure::at_start)?;
        system.start()?;
        system.run_clocks(SETTLE_CLOCKS)?;
        Ok(Self { system })
    }

    /// The system.
    pub const fn system(&mut self) -> &mut System<Bytes, ()> {
        &mut self.system
    }

    /// What memory holds.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.system.memory().contents().as_slice()
    }

    /// Puts other memory in the place of what is there. No frame is drawn.
    pub fn set_memory(&mut self, memory: Bytes) {
        *self.system.memory_mut().contents_mut() = memory;
    }

    /// Reads a register of the engine.
    ///
    /// # Errors
    /// As [`System::read_register`], and if there is none of that name.
    pub fn read(&mut self, name: &str) -> Result<u32> {
        let address = self.address(name)?;
        self.system.read_register(address)
    }

    /// Writes a register of the engine. Gives whether it was taken.
    ///
    /// # Errors
    /// As [`System::access`], and if there is none of that name.
    pub fn write(&mut self, name: &str, data: u32) -> Result<bool> {
        let address = self.address(name)?;
        Ok(self.system.access(Access::Write { address, data, strobe: 15 })?.response == 0)
    }

    fn address(&self, name: &str) -> Result<u32> {
        let register = TABLE.iter().find(|register| register.name == name);
        let none = || self.system.failure(Cause::Check(format!("the pixel pipeline has no register {name}")));
        Ok(engine_base_bytes(EngineKind::Pixel) + register.ok_or_else(none)?.offset_bytes)
    }

    /// Starts a frame by the address of its record.
    ///
    /// # Errors
    /// As [`System::access`], and if a register is not taken.
    pub fn start(&mut self, frame: u32) -> Result<()> {
        for (name, value) in [("FRAME", frame), ("CONTROL", 1)] {
            if !self.write(name, value)? {
                return Err(self.system.failure(Cause::Check(format!("{name} is not taken"))));
            }
        }
        Ok(())
    }

    /// Waits for the end of a frame. Gives how it has ended.
    ///
    /// # Errors
    /// As [`System::access`], and if the frame does not end or the engine is busy behind its end.
    pub fn end(&mut self) -> Result<Done> {
        let (mut seen, mut since) = ([0; 2], self.system.clocks(Domain::Core));
        while self.read("INTERRUPT")? & 1 == 0 {
            self.system.run_clocks(LOOK_CLOCKS)?;
            let lines = [self.read("LINES_READ")?, self.read("LINES_WRITTEN")?];
            let now = self.system.clocks(Domain::Core);
            if lines != seen {
                (seen, since) = (lines, now);
            } else if now - since > PATIENCE_CLOCKS {
                let waiting = format!("the frame does not end: {lines:?} lines were read and written");
                return Err(self.system.failure(Cause::Hang { clocks: now - since, waiting }));
            }
        }
        let status = self.read("STATUS")?;
        if status & 1 == 1 || self.system.memory().busy() {
            let what = "the engine or memory is busy behind the end of a frame".to_owned();
            return Err(self.system.failure(Cause::Check(what)));
        }
        self.write("INTERRUPT", 1)?;
        Ok(Done {
            code: status >> 8 & 15,
            address: self.read("FAULT_ADDRESS")?,
            clocks: self.read("BUSY_CLOCKS")?.into(),
            lines_read: self.read("LINES_READ")?.into(),
            lines_written: self.read("LINES_WRITTEN")?.into(),
        })
    }

    /// Draws a frame.
    ///
    /// # Errors
    /// As of [`Pixel::start`] and [`Pixel::end`].
    pub fn draw(&mut self, frame: u32) -> Result<Done> {
        self.start(frame)?;
        self.end()
    }
}
