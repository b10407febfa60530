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

use crate::block::{Block, Ended, START, wait};
use crate::mesh::{Bus, Error};
use core::fmt;

/// Registers by byte offset in the engine's block.
pub mod register {
    pub use crate::block::register::*;

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
    /// The values of its registers, from [`register::PICTURE`] on.
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

/// A loader engine.
#[derive(Debug)]
pub struct Loader<B>(Block<B>);

/// What a call gives.
type Called<T, B> = Result<T, Error<<B as Bus>::Error, Fault>>;

impl<B: Bus> Loader<B> {
    /// Opens the engine whose block begins at `base`; interrupts are off.
    ///
    /// # Errors
    /// [`Error::Identity`] if there is none, and the bus's.
    pub fn open(bus: B, base: u32) -> Called<Self, B> {
        Block::open(bus, base, MAGIC).map(Self)
    }

    /// Starts a job.
    ///
    /// # Errors
    /// [`Error::Busy`], [`Error::Refused`], and the bus's. What the engine itself refuses is the outcome of the job.
    pub fn submit(&mut self, job: &Job) -> Called<(), B> {
        job.check().map_err(Error::Refused)?;
        self.0.start(register::PICTURE, &job.values(), START, job.user)
    }

    /// The outcome of the job, once it has ended; none while it is at work. Also what the interrupt's handler calls.
    ///
    /// # Errors
    /// [`Error::Idle`], and the bus's.
    pub fn poll(&mut self) -> Called<Option<Outcome>, B> {
        let ended = self.0.poll()?;
        Ok(ended.map(|Ended { code, response, address, user }| Outcome {
            fault: Fault::of_code(code),
            address,
            response,
            user,
        }))
    }

    /// The same, up to so many times.
    ///
    /// # Errors
    /// [`Error::Time`] if the job is still at work, and those of [`Loader::poll`].
    pub fn wait(&mut self, polls: u32) -> Called<Outcome, B> {
        wait(polls, || self.poll())
    }

    /// Whether a job is at work.
    ///
    /// # Errors
    /// The bus's.
    pub fn is_busy(&mut self) -> Called<bool, B> {
        self.0.is_busy()
    }

    /// Lets the engine interrupt when a job ends, or not.
    ///
    /// # Errors
    /// The bus's.
    pub fn enable_interrupt(&mut self, enable: bool) -> Called<(), B> {
        self.0.enable_interrupt(enable)
    }

    /// Ends the job that is at work; it still has to be waited for, and ends with [`Fault::Reset`].
    ///
    /// # Errors
    /// The bus's.
    pub fn reset(&mut self) -> Called<(), B> {
        self.0.write(register::RESET, 1)
    }

    /// Counts of the last job.
    ///
    /// # Errors
    /// The bus's.
    pub fn counters(&mut self) -> Called<Counters, B> {
        let [lines_read, lines_written, busy_clocks] = self.0.counts(register::LINES_READ)?;
        Ok(Counters { lines_read, lines_written, busy_clocks })
    }

    /// The bus, back.
    #[must_use]
    pub fn into_bus(self) -> B {
        self.0.into_bus()
    }
}
