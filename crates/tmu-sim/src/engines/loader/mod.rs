//! The loader engine, driven by its registers as a processor drives it, or by packets.

pub mod job_streams;
pub mod jobs;
pub mod rates;

use crate::kit::control::Access;
use crate::kit::domain::Domain;
use crate::kit::error::{Cause, Failure, Result};
use crate::kit::memory::Bytes;
use crate::kit::system::{System, SystemOptions};
use job_streams::{Answer, JobStreams};
use tmu_model::engines::loader::Settings;
use tmu_rtl::engines::loader::registers::TABLE;
use tmu_rtl::system::registers::engine_base_bytes;
use tmu_spec::Config;
use tmu_spec::config::EngineKind;
use tmu_spec::loader::job_port::WORDS;
use tmu_verilate::Model;

/// Clocks of `core_aclk` behind a reset after which registers answer.
const SETTLE_CLOCKS: u64 = 32;
/// Clocks of the core that a job may take beyond some for each texel.
const PATIENCE_CLOCKS: u64 = 400_000;

/// A system with a loader engine, over memory that is written.
#[derive(Debug)]
pub struct Loader {
    system: System<Bytes, JobStreams>,
}

/// How a job has ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Done {
    /// The code that `STATUS` shows; 0 is well.
    pub code: u32,
    /// How an access has failed.
    pub response: u32,
    /// `BUSY_CLOCKS`.
    pub clocks: u64,
    /// `LINES_READ`.
    pub lines_read: u64,
    /// `LINES_WRITTEN`.
    pub lines_written: u64,
}

impl Loader {
    /// Sets a model up and lets it out of reset.
    ///
    /// # Errors
    /// If the model lacks a port or breaks a rule.
    pub fn new(model: &Model, config: &Config, options: &SystemOptions, memory: Bytes) -> Result<Self> {
        let streams = JobStreams::new(model, config, options.control_pauses, options.seed_of(4));
        let streams = streams.map_err(Failure::at_start)?;
        let system = System::without_streams(model, config, options, memory, streams);
        let mut system = system.map_err(Failure::at_start)?;
        system.start()?;
        system.run_clocks(SETTLE_CLOCKS)?;
        Ok(Self { system })
    }

    /// The system.
    pub const fn system(&mut self) -> &mut System<Bytes, JobStreams> {
        &mut self.system
    }

    /// What memory holds.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.system.memory().contents().as_slice()
    }

    /// Puts other memory in the place of what is there. No job is at work.
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

    /// The address of a register of the engine.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn address(&self, name: &str) -> Result<u32> {
        let register = TABLE.iter().find(|register| register.name == name);
        let none = || self.system.failure(Cause::Check(format!("the loader engine has no register {name}")));
        Ok(engine_base_bytes(EngineKind::Loader) + register.ok_or_else(none)?.offset_bytes)
    }

    /// Starts a job.
    ///
    /// # Errors
    /// As [`System::access`], and if a register is not taken.
    pub fn start(&mut self, job: &Settings) -> Result<()> {
        for (name, value) in registers(job) {
            if !self.write(name, value)? {
                return Err(self.system.failure(Cause::Check(format!("{name} is not taken"))));
            }
        }
        Ok(())
    }

    /// Waits for the end of a job of so many texels. Gives how it has ended.
    ///
    /// # Errors
    /// As [`System::access`], and if the job does not end or the engine is busy behind its end.
    pub fn end(&mut self, texels: u64) -> Result<Done> {
        let start = self.system.clocks(Domain::Core);
        while self.read("INTERRUPT")? & 1 == 0 {
            self.system.run_clocks(32)?;
            let clocks = self.system.clocks(Domain::Core) - start;
            if clocks > PATIENCE_CLOCKS + 60 * texels {
                let waiting = "the job does not end".to_owned();
                return Err(self.system.failure(Cause::Hang { clocks, waiting }));
            }
        }
        let status = self.read("STATUS")?;
        if status & 1 == 1 || self.system.memory().busy() {
            let what = "the engine or memory is busy behind the end of a job".to_owned();
            return Err(self.system.failure(Cause::Check(what)));
        }
        self.write("INTERRUPT", 1)?;
        Ok(Done {
            code: status >> 8 & 15,
            response: status >> 12 & 3,
            clocks: self.read("BUSY_CLOCKS")?.into(),
            lines_read: self.read("LINES_READ")?.into(),
            lines_written: self.read("LINES_WRITTEN")?.into(),
        })
    }

    /// Does a job.
    ///
    /// # Errors
    /// As of [`Loader::start`] and [`Loader::end`].
    pub fn run(&mut self, job: &Settings) -> Result<Done> {
        self.start(job)?;
        self.end(u64::from(job.width) * u64::from(job.height) * u64::from(job.depth))
    }

    /// Queues the packet of a job.
    pub fn send(&mut self, job: &Settings) {
        self.system.surroundings_mut().send(&packet(job));
    }

    /// Waits for the next answer, whose job has so many texels at most.
    ///
    /// # Errors
    /// As [`System::step`], and if none comes.
    pub fn answer(&mut self, texels: u64) -> Result<Answer> {
        let start = self.system.clocks(Domain::Core);
        loop {
            if let Some(answer) = self.system.surroundings_mut().answer() {
                return Ok(answer);
            }
            self.system.step()?;
            let clocks = self.system.clocks(Domain::Core) - start;
            if clocks > PATIENCE_CLOCKS + 60 * texels {
                let waiting = "no answer comes".to_owned();
                return Err(self.system.failure(Cause::Hang { clocks, waiting }));
            }
        }
    }
}

/// The packet of a job.
#[must_use]
pub fn packet(job: &Settings) -> [u32; WORDS] {
    let all = registers(job);
    std::array::from_fn(|word| all[word].1)
}

/// Registers of a job and what is written to them, the start last.
#[must_use]
pub const fn registers(job: &Settings) -> [(&'static str, u32); WORDS + 1] {
    let format = job.format as u32 | (job.kind as u32) << 8 | (job.is_srgb as u32) << 16;
    [
        ("PICTURE", job.picture),
        ("PITCH", job.pitch),
        ("SLICE_PITCH", job.slice_pitch),
        ("TEXTURE", job.texture),
        ("WIDTH", job.width),
        ("HEIGHT", job.height),
        ("DEPTH", job.depth),
        ("FORMAT", format),
        ("LEVELS", job.levels),
        ("CONTROL", 1),
    ]
}
