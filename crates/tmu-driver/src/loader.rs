//! Driver of the loader engine: pictures in memory to textures in memory, by registers.
//!
//! A [`Loader`] is given one [`Job`] at a time: [`Loader::submit`], then [`Loader::poll`] or [`Loader::wait`] until it gives how the job
//! ended, or [`Loader::poll`] from the interrupt's handler. Memory must be as the engine sees it: what the processor has written is
//! flushed before a job, what it has cached of the texture dropped behind it. `drivers/c/tmu_loader.h` is the same in C.
//!
//! ```
//! use tmu_driver::loader::{Job, Loader};
//! use tmu_driver::mesh::{Bus, Error};
//!
//! # fn load<B: Bus>(bus: B, picture: u32, texture: u32) -> Result<(), Error<B::Error, tmu_driver::loader::Fault>> {
//! let mut loader = Loader::open(bus, 0)?;
//! let job = Job { picture, pitch: 4 * 640, texture, width: 640, height: 480, levels: 10, ..Job::default() };
//! loader.submit(&job)?;
//! loader.wait(1_000_000)?;
//! # Ok(())
//! # }
//! ```

use crate::engine::{Called, Ended, Engine, EngineKind, START};
use crate::mesh::{Bus, Error};
use core::fmt;

/// Registers by byte offset in the engine's block.
pub mod register {
    pub use crate::engine::register::*;

    /// The first of the registers of a job, which stand one behind the other in the order of [`Job::values`](super::Job::values).
    pub const PICTURE: u32 = 0x04;
    /// The first of the counts, in the order of [`Counters`](super::Counters).
    pub const LINES_READ: u32 = 0x114;
    /// Ends the job that is at work.
    pub const RESET: u32 = 0x120;
}

/// What `IDENTITY` reads: `LOAD`.
pub const MAGIC: u32 = u32::from_be_bytes(*b"LOAD");

/// The most that a field of 16 bits holds, and one of 8.
const MOST_SIDE: u32 = 0xffff;
const MOST_LEVELS: u32 = 0xff;

/// What slices of a picture are to each other, by their codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Kind {
    /// There is one.
    #[default]
    D2 = 1,
    /// A volume.
    D3 = 2,
    /// Six faces.
    Cube = 3,
    /// Layers of an array.
    D2Array = 4,
}

/// A job. Addresses are those that the engine sees, and multiples of 16 as the pitches are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// The first texel of the picture.
    pub picture: u32,
    /// Bytes from a row to the next.
    pub pitch: u32,
    /// Bytes from a slice to the next.
    pub slice_pitch: u32,
    /// Where the texture is to be.
    pub texture: u32,
    /// Texels of a row, 1 to 4096.
    pub width: u32,
    /// Rows, 1 to 4096.
    pub height: u32,
    /// Slices, layers, or 6 faces.
    pub depth: u32,
    /// Code of the format, as in a binding.
    pub format: u8,
    /// What slices are.
    pub kind: Kind,
    /// Colours are averaged as light.
    pub is_srgb: bool,
    /// Levels to make.
    pub levels: u32,
    /// The caller's, given back with the outcome.
    pub user: usize,
}

impl Default for Job {
    /// One texel of `rgba8`.
    fn default() -> Self {
        Self {
            picture: 0,
            pitch: 16,
            slice_pitch: 0,
            texture: 0,
            width: 1,
            height: 1,
            depth: 1,
            format: 0,
            kind: Kind::D2,
            is_srgb: false,
            levels: 1,
            user: 0,
        }
    }
}

impl Job {
    /// The values of its registers, from [`register::PICTURE`] on. They are its packet for the job port, too, the last one with `tlast`; what
    /// comes back is [`Outcome::of_answer`].
    #[must_use]
    pub const fn values(&self) -> [u32; 9] {
        let format = self.format as u32 | (self.kind as u32) << 8 | (self.is_srgb as u32) << 16;
        [
            self.picture,
            self.pitch,
            self.slice_pitch,
            self.texture,
            self.width,
            self.height,
            self.depth,
            format,
            self.levels,
        ]
    }

    /// Checks what registers have too few bits for; all else the engine checks itself.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self) -> Result<(), Fault> {
        if self.width.max(self.height).max(self.depth) > MOST_SIDE {
            Err(Fault::Size)
        } else if self.levels > MOST_LEVELS {
            Err(Fault::Levels)
        } else {
            Ok(())
        }
    }
}

/// Why a job was refused or has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A side is 0 or over 4096, or there are more than 2048 layers.
    Size,
    /// `depth` is none of the kind's, or the faces of a cube are not square.
    Kind,
    /// The format has a colour table or blocks, or there is none of that code.
    Format,
    /// No levels, or more than down to one texel.
    Levels,
    /// More than one level of depths or floats.
    LevelsOfFormat,
    /// `is_srgb` with another format than `rgba8` and `rgb8`.
    Srgb,
    /// An address or a pitch is no multiple of 16.
    Alignment,
    /// `pitch` is below the bytes of a row.
    Pitch,
    /// A read failed.
    Read,
    /// A write failed.
    Write,
    /// A packet did not have as many words as [`Job::values`].
    Length,
    /// The job was ended by a reset.
    Reset,
    /// A code that this driver does not know.
    Unknown(u32),
}

impl Fault {
    const fn of_code(code: u32) -> Option<Self> {
        Some(match code {
            0 => return None,
            1 => Fault::Size,
            2 => Fault::Kind,
            3 => Fault::Format,
            4 => Fault::Levels,
            5 => Fault::LevelsOfFormat,
            6 => Fault::Srgb,
            7 => Fault::Alignment,
            8 => Fault::Pitch,
            9 => Fault::Read,
            10 => Fault::Write,
            11 => Fault::Length,
            15 => Fault::Reset,
            code => Fault::Unknown(code),
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Size => "sides are 1 to 4096, and layers at most 2048",
            Fault::Kind => "depth is 1 of a 2d picture and 6 of a cube, whose faces are square",
            Fault::Format => "the format has neither colour table nor blocks",
            Fault::Levels => "levels are 1 to as many as there are down to one texel",
            Fault::LevelsOfFormat => "depths and floats have one level",
            Fault::Srgb => "sRGB is for rgba8 and rgb8",
            Fault::Alignment => "addresses and pitches are multiples of 16",
            Fault::Pitch => "the pitch is at least the bytes of a row",
            Fault::Read => "a read failed",
            Fault::Write => "a write failed",
            Fault::Length => "the packet has another length than that of a job",
            Fault::Reset => "the job was ended by a reset",
            Fault::Unknown(code) => return write!(f, "the job has ended with code {code}"),
        })
    }
}

/// How a job has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// What was wrong; none if the texture was made.
    pub fault: Option<Fault>,
    /// The line that could not be read or written, if that was it.
    pub address: u32,
    /// How the access failed: 2 SLVERR, 3 DECERR, 1 an answer of the wrong length.
    pub response: u32,
    /// The job's.
    pub user: usize,
}

impl Outcome {
    /// From a beat of `m_axis_done`; answers come in the order of packets.
    #[must_use]
    pub const fn of_answer(answer: u64, user: usize) -> Self {
        let (code, response) = ((answer & 15) as u32, (answer >> 4 & 3) as u32);
        Self { fault: Fault::of_code(code), address: (answer >> 32) as u32, response, user }
    }
}

/// Counts of the last job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Lines of 16 bytes that were read.
    pub lines_read: u32,
    /// Lines that were written.
    pub lines_written: u32,
    /// Clocks of the engine.
    pub busy_clocks: u32,
}

/// What is particular to the loader engine.
#[derive(Debug)]
pub enum LoaderEngine {}

impl EngineKind for LoaderEngine {
    type Fault = Fault;
    type Outcome = Outcome;
    const MAGIC: u32 = MAGIC;
    const RESET: u32 = register::RESET;

    fn outcome(Ended { code, response, address, user }: Ended) -> Outcome {
        Outcome { fault: Fault::of_code(code), address, response, user }
    }
}

/// A loader engine.
pub type Loader<B> = Engine<B, LoaderEngine>;

impl<B: Bus> Loader<B> {
    /// Starts a job.
    ///
    /// # Errors
    /// [`Error::Busy`], [`Error::Refused`], and the bus's. What the engine itself refuses is the outcome of the job.
    pub fn submit(&mut self, job: &Job) -> Called<(), B, LoaderEngine> {
        job.check().map_err(Error::Refused)?;
        self.start(register::PICTURE, &job.values(), START, job.user)
    }

    /// Counts of the last job.
    ///
    /// # Errors
    /// The bus's.
    pub fn counters(&mut self) -> Called<Counters, B, LoaderEngine> {
        let [lines_read, lines_written, busy_clocks] = self.counts(register::LINES_READ)?;
        Ok(Counters { lines_read, lines_written, busy_clocks })
    }
}
