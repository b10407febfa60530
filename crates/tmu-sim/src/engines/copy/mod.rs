//! The copy engine, driven by its registers as a processor drives it.

pub mod jobs;

use crate::kit::control::Access;
use crate::kit::error::{Cause, Failure, Result};
use crate::kit::memory::Bytes;
use crate::kit::system::{System, SystemOptions};
use tmu_model::engines::copy::Job;
use tmu_rtl::engines::copy::registers::TABLE;
use tmu_rtl::system::registers::engine_base_bytes;
use tmu_spec::Config;
use tmu_spec::config::EngineKind;
use tmu_verilate::Model;

/// Clocks of `core_aclk` behind a reset after which registers answer.
const SETTLE_CLOCKS: u64 = 32;

/// A system with a copy engine, over memory that is written.
#[derive(Debug)]
pub struct Copier {
    system: System<Bytes, ()>,
}

impl Copier {
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
        self.write_at(address, data)
    }

    /// Writes any register, or where there is none. Gives whether it was taken.
    ///
    /// # Errors
    /// As [`System::access`].
    pub fn write_at(&mut self, address: u32, data: u32) -> Result<bool> {
        Ok(self.system.access(Access::Write { address, data, strobe: 15 })?.response == 0)
    }

    fn address(&self, name: &str) -> Result<u32> {
        let register = TABLE.iter().find(|register| register.name == name);
        let none = || self.system.failure(Cause::Check(format!("the copy engine has no register {name}")));
        Ok(engine_base_bytes(EngineKind::Copy) + register.ok_or_else(none)?.offset_bytes)
    }

    /// Starts a job.
    ///
    /// # Errors
    /// As [`System::access`], and if a register is not taken.
    pub fn start(&mut self, job: &Job) -> Result<()> {
        for (name, value) in [
            ("SOURCE_LOW", job.source as u32),
            ("SOURCE_HIGH", (job.source >> 32) as u32),
            ("DESTINATION_LOW", job.destination as u32),
            ("DESTINATION_HIGH", (job.destination >> 32) as u32),
            ("LENGTH", job.length),
            ("CONTROL", 1),
        ] {
            if !self.write(name, value)? {
                return Err(self.system.failure(Cause::Check(format!("{name} is not taken"))));
            }
        }
        Ok(())
    }

    /// Waits for the end of a job. Gives its code.
    ///
    /// # Errors
    /// As [`System::access`], and if the job does not end or the engine is busy behind its end.
    pub fn end(&mut self) -> Result<u32> {
        let interrupt = self.address("INTERRUPT")?;
        let runs = |system: &mut System<Bytes, ()>| Ok(system.read_register(interrupt)? & 1 == 0);
        self.system.wait_while(runs, |_| "the job does not end".to_owned())?;
        let status = self.read("STATUS")?;
        if status & 1 == 1 {
            let what = "the engine is busy behind its end".to_owned();
            return Err(self.system.failure(Cause::Check(what)));
        }
        self.write("INTERRUPT", 1)?;
        Ok(status >> 8)
    }
}
