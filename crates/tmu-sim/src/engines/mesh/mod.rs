//! The mesh engine, driven by its registers as a processor drives it.

pub mod jobs;
pub mod rates;
mod wishbone;

use crate::kit::control::{Access, Answer};
use crate::kit::domain::Domain;
use crate::kit::error::{Cause, Failure, Result};
use crate::kit::memory::Bytes;
use crate::kit::system::{System, SystemOptions};
use tmu_model::engines::mesh::Job;
use tmu_rtl::engines::mesh::registers::TABLE;
use tmu_rtl::system::registers::engine_base_bytes;
use tmu_spec::Config;
use tmu_spec::config::EngineKind;
use tmu_verilate::Model;
use wishbone::MeshBench;

/// Clocks of `core_aclk` behind a reset after which registers answer.
const SETTLE_CLOCKS: u64 = 32;
/// Clocks behind a start after which the interrupt's register is looked at first.
const FIRST_LOOK_CLOCKS: u64 = 64;
/// `CONTROL`.
const START: u32 = 1;
const CHROMA_KEY: u32 = 1 << 1;
const ADDITIVE: u32 = 1 << 2;

/// A system with a mesh engine, over memory that is written.
#[derive(Debug)]
pub struct Mesher {
    system: System<Bytes, MeshBench>,
    patience_clocks: u64,
}

/// How a job has ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Done {
    /// The code that `STATUS` shows; 0 is well.
    pub code: u32,
    /// Clocks of `tmu_aclk` from the start to the interrupt.
    pub clocks: u64,
    /// `PIXELS_DRAWN`.
    pub drawn: u64,
    /// `PIXELS_LEFT_OUT`.
    pub left_out: u64,
    /// `TEXTURE_LINES`.
    pub texture_lines: u64,
    /// `TEXTURE_HITS`.
    pub texture_hits: u64,
    /// `CLOCKS_STALLED`.
    pub clocks_stalled: u64,
}

impl Mesher {
    /// Sets a model up and lets it out of reset.
    ///
    /// # Errors
    /// If the model lacks a port or breaks a rule.
    pub fn new(model: &Model, config: &Config, options: &SystemOptions, memory: Bytes) -> Result<Self> {
        let is_wishbone = config.engine_configs().mesh().is_wishbone();
        let bench = MeshBench::new(model, is_wishbone, options.control_pauses, options.seed)
            .map_err(Failure::at_start)?;
        let system = System::without_streams(model, config, options, memory, bench);
        let mut system = system.map_err(Failure::at_start)?;
        system.start()?;
        system.run_clocks(SETTLE_CLOCKS)?;
        Ok(Self { system, patience_clocks: options.patience_clocks })
    }

    /// The system.
    pub const fn system(&mut self) -> &mut System<Bytes, MeshBench> {
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
    /// As [`System::step`], if it is refused, and if there is none of that name.
    pub fn read(&mut self, name: &str) -> Result<u32> {
        let address = self.address(name)?;
        let Answer { data, response } = self.access(Access::Read { address })?;
        let refused = || Cause::Check(format!("reading {name} was answered {response}, not OKAY"));
        if response == 0 { Ok(data) } else { Err(self.system.failure(refused())) }
    }

    /// Writes a register of the engine. Gives whether it was taken.
    ///
    /// # Errors
    /// As [`System::access`], and if there is none of that name.
    pub fn write(&mut self, name: &str, data: u32) -> Result<bool> {
        let address = self.address(name)?;
        Ok(self.access(Access::Write { address, data, strobe: 15 })?.response == 0)
    }

    /// Accesses a register by the bus that it is behind.
    fn access(&mut self, access: Access) -> Result<Answer> {
        if !self.system.surroundings().is_wishbone() {
            return self.system.access(access);
        }
        self.system.surroundings_mut().push(access);
        loop {
            if let Some(answer) = self.system.surroundings_mut().answer() {
                return Ok(answer);
            }
            self.system.step()?;
        }
    }

    /// The address of a register of the engine; over Wishbone its block begins at 0.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn address(&self, name: &str) -> Result<u32> {
        let register = TABLE.iter().find(|register| register.name == name);
        let none = || self.system.failure(Cause::Check(format!("the mesh engine has no register {name}")));
        let is_wishbone = self.system.surroundings().is_wishbone();
        let base = if is_wishbone { 0 } else { engine_base_bytes(EngineKind::Mesh) };
        Ok(base + register.ok_or_else(none)?.offset_bytes)
    }

    /// Starts a job.
    ///
    /// # Errors
    /// As [`System::access`], and if a register is not taken.
    pub fn start(&mut self, job: &Job) -> Result<()> {
        for (name, value) in registers(job) {
            if !self.write(name, value)? {
                return Err(self.system.failure(Cause::Check(format!("{name} is not taken"))));
            }
        }
        Ok(())
    }

    /// Waits for the end of a job. Gives how it has ended, without its clocks.
    ///
    /// # Errors
    /// As [`System::access`], and if the job does not end or the engine is busy behind its end.
    pub fn end(&mut self) -> Result<Done> {
        let (start, patience) = (self.system.clocks(Domain::Core), self.patience_clocks);
        while self.read("INTERRUPT")? & 1 == 0 {
            if self.system.clocks(Domain::Core) - start > patience {
                return Err(self.hang(patience));
            }
        }
        self.outcome()
    }

    /// What registers show behind the end of a job; the interrupt is taken back.
    fn outcome(&mut self) -> Result<Done> {
        let status = self.read("STATUS")?;
        if status & 1 == 1 || self.system.memory().busy() {
            let what = "the engine or memory is busy behind the end of a job".to_owned();
            return Err(self.system.failure(Cause::Check(what)));
        }
        self.write("INTERRUPT", 1)?;
        let mut count = |name| self.read(name).map(u64::from);
        Ok(Done {
            code: status >> 8 & 15,
            clocks: 0,
            drawn: count("PIXELS_DRAWN")?,
            left_out: count("PIXELS_LEFT_OUT")?,
            texture_lines: count("TEXTURE_LINES")?,
            texture_hits: count("TEXTURE_HITS")?,
            clocks_stalled: count("CLOCKS_STALLED")?,
        })
    }

    /// The failure of a job that does not end.
    fn hang(&self, clocks: u64) -> Failure {
        self.system.failure(Cause::Hang { clocks, waiting: "the job does not end".to_owned() })
    }

    /// Does a job, and counts its clocks by the interrupt.
    ///
    /// # Errors
    /// As of [`Mesher::start`] and [`Mesher::end`].
    pub fn run(&mut self, job: &Job) -> Result<Done> {
        self.write("INTERRUPT_ENABLE", 1)?;
        self.start(job)?;
        let start = self.system.clocks(Domain::Tmu);
        // A job takes some clocks a pixel at worst, and the rows of a mesh.
        let patience = 1_000_000 + 300 * job.pixels();
        // A short job may have ended while its start was answered: the register is looked at now and then.
        let mut next_look = FIRST_LOOK_CLOCKS;
        while !self.system.output("mesh_interrupt").map_err(|error| self.system.failure(error.into()))? {
            self.system.step()?;
            let clocks = self.system.clocks(Domain::Tmu) - start;
            if clocks >= next_look {
                next_look *= 2;
                if self.read("INTERRUPT")? & 1 == 1 {
                    break;
                }
            }
            if clocks > patience {
                return Err(self.hang(clocks));
            }
        }
        let clocks = self.system.clocks(Domain::Tmu) - start;
        Ok(Done { clocks, ..self.outcome()? })
    }
}

/// Registers of a job and what is written to them, the start last.
#[must_use]
pub fn registers(job: &Job) -> [(&'static str, u32); 19] {
    let bit = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
    [
        ("HMESHLAST", job.hmeshlast),
        ("VMESHLAST", job.vmeshlast),
        ("BRIGHTNESS", job.brightness),
        ("CHROMA_KEY", job.chroma_key.into()),
        ("VERTICES", job.vertices),
        ("TEXTURE", job.texture),
        ("TEXTURE_WIDTH", job.texture_width),
        ("TEXTURE_HEIGHT", job.texture_height),
        ("MASK_X", job.mask_x),
        ("MASK_Y", job.mask_y),
        ("FRAME", job.frame),
        ("FRAME_WIDTH", job.frame_width),
        ("FRAME_HEIGHT", job.frame_height),
        ("X_OFFSET", job.x_offset as u32),
        ("Y_OFFSET", job.y_offset as u32),
        ("RECTANGLE_WIDTH", job.rectangle_width),
        ("RECTANGLE_HEIGHT", job.rectangle_height),
        ("ALPHA", job.alpha),
        ("CONTROL", START | bit(job.chroma_key_enable, CHROMA_KEY) | bit(job.additive, ADDITIVE)),
    ]
}
