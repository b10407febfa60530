//! The engine `pixel` by its registers: frames in memory to pictures in memory.
//!
//! A [`Pixel`] is given one frame at a time. Memory must be as the engine sees it: what the processor has written is flushed before a
//! frame, what it has cached of the picture dropped behind it. `drivers/c/tmu_pixel.h` is the same in C.

use crate::engine::{Called, Ended, Engine, EngineKind, START};
use crate::mesh::{Bus, Error};
use core::fmt;

/// Registers by byte offset in the engine's block.
pub mod register {
    pub use crate::engine::register::*;

    /// Address of the frame's record.
    pub const FRAME: u32 = 0x04;
    /// The first of the counts, in the order of [`Counters`](super::Counters).
    pub const LINES_READ: u32 = 0x114;
    /// Ends the frame that is drawn.
    pub const RESET: u32 = 0x120;
}

/// What `IDENTITY` reads: `PIXL`.
pub const MAGIC: u32 = u32::from_be_bytes(*b"PIXL");
/// Records begin at multiples of it.
const ALIGNMENT: u32 = 16;

/// Why a frame was refused or has ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Memory could not be read.
    Read,
    /// Memory could not be written.
    Write,
    /// The frame's record breaks a rule, or its address is no multiple of 16.
    Frame,
    /// A list holds no entry, or parts out of order.
    Entry,
    /// The list of a tile has more entries than the frame's limit.
    ListLimit,
    /// A triangle's record breaks a rule.
    Triangle,
    /// A vertex breaks a rule.
    Vertex,
    /// A state breaks a rule.
    State,
    /// A program was not checked.
    Program,
    /// A texture of the store breaks a rule.
    Texture,
    /// Texels could not be read.
    Texels,
    /// The state of an opaque triangle may let pixels go.
    OpaqueState,
    /// The frame was ended by a reset.
    Reset,
    /// A code that this driver does not know.
    Unknown(u32),
}

impl Fault {
    const fn of_code(code: u32) -> Option<Self> {
        Some(match code {
            0 => return None,
            1 => Fault::Read,
            2 => Fault::Write,
            3 => Fault::Frame,
            4 => Fault::Entry,
            5 => Fault::ListLimit,
            6 => Fault::Triangle,
            7 => Fault::Vertex,
            8 => Fault::State,
            9 => Fault::Program,
            10 => Fault::Texture,
            11 => Fault::Texels,
            12 => Fault::OpaqueState,
            15 => Fault::Reset,
            code => Fault::Unknown(code),
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Read => "memory could not be read",
            Fault::Write => "memory could not be written",
            Fault::Frame => "the frame's record breaks a rule",
            Fault::Entry => "a list holds no entry, or parts out of order",
            Fault::ListLimit => "the list of a tile has more entries than the frame's limit",
            Fault::Triangle => "a triangle's record breaks a rule",
            Fault::Vertex => "a vertex breaks a rule",
            Fault::State => "a state breaks a rule",
            Fault::Program => "a program was not checked",
            Fault::Texture => "a texture of the store breaks a rule",
            Fault::Texels => "texels could not be read",
            Fault::OpaqueState => "the state of an opaque triangle may let pixels go",
            Fault::Reset => "the frame was ended by a reset",
            Fault::Unknown(code) => return write!(f, "the frame has ended with code {code}"),
        })
    }
}

/// How a frame has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// What was wrong; none if the picture was drawn. Tiles before the one at fault are written.
    pub fault: Option<Fault>,
    /// What the fault is of: a line of memory, a record, an entry, or a texture's base.
    pub address: u32,
    /// What the caller has given.
    pub user: usize,
}

/// Counts of the last frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Lines of 16 bytes of records that were read.
    pub lines_read: u32,
    /// Lines that were written.
    pub lines_written: u32,
    /// Clocks of the engine.
    pub busy_clocks: u32,
}

/// What is particular to the pixel engine.
#[derive(Debug)]
pub enum PixelEngine {}

impl EngineKind for PixelEngine {
    type Fault = Fault;
    type Outcome = Outcome;
    const MAGIC: u32 = MAGIC;
    const RESET: u32 = register::RESET;

    fn outcome(Ended { code, address, user, .. }: Ended) -> Outcome {
        Outcome { fault: Fault::of_code(code), address, user }
    }
}

/// A pixel engine.
pub type Pixel<B> = Engine<B, PixelEngine>;

impl<B: Bus> Pixel<B> {
    /// Starts a frame by the address of its record, which [`Frame::finish`](super::Frame::finish) has given; `user` comes back with the
    /// outcome.
    ///
    /// # Errors
    /// [`Error::Busy`], [`Error::Refused`] with [`Fault::Frame`], and the bus's. What the engine refuses is the frame's outcome.
    pub fn submit(&mut self, frame: u32, user: usize) -> Called<(), B, PixelEngine> {
        if !frame.is_multiple_of(ALIGNMENT) {
            return Err(Error::Refused(Fault::Frame));
        }
        self.start(register::FRAME, &[frame], START, user)
    }

    /// Counts of the last frame.
    ///
    /// # Errors
    /// The bus's.
    pub fn counters(&mut self) -> Called<Counters, B, PixelEngine> {
        let [lines_read, lines_written, busy_clocks] = self.counts(register::LINES_READ)?;
        Ok(Counters { lines_read, lines_written, busy_clocks })
    }
}
