//! Driver of the mesh engine: jobs in the form of Milkymist's TMU2, by registers.
//!
//! A [`Mesh`] is given one [`Job`] at a time: [`Mesh::submit`], then [`Mesh::poll`] or [`Mesh::wait`] until it gives how the job ended,
//! or [`Mesh::poll`] from the interrupt's handler. Memory must be as the engine sees it: what the processor has written is
//! flushed before a job, what it has cached of the frame buffer dropped behind it. `drivers/c/tmu_mesh.h` is the same in C.
//!
//! ```
//! use tmu_driver::mesh::{Bus, Error, Job, Mesh};
//!
//! # fn draw<B: Bus>(bus: B, vertices: u32, texture: u32, frame: u32) -> Result<(), Error<B::Error>> {
//! let mut mesh = Mesh::open(bus, 0)?;
//! let job = Job { vertices, texfbuf: texture, dstfbuf: frame, ..Job::default() };
//! mesh.submit(&job)?;
//! mesh.wait(1_000_000)?;
//! # Ok(())
//! # }
//! ```

use crate::engine::{Called, Ended, Engine, EngineKind, START};
use core::fmt;

/// Registers by byte offset in the engine's block.
pub mod register {
    pub use crate::engine::register::*;

    /// The first of the registers of a job, which stand one behind the other in the order of the fields of a [`Job`](super::Job).
    pub const HMESHLAST: u32 = 0x04;
    /// The first of the counts, in the order of [`Counters`](super::Counters).
    pub const PIXELS_DRAWN: u32 = 0x114;
    /// Ends the job that is at work.
    pub const RESET: u32 = 0x128;
}

/// What `IDENTITY` reads: `MESH`.
pub const MAGIC: u32 = u32::from_be_bytes(*b"MESH");
/// Points of a row of the mesh in memory.
pub const MAX_POINTS: u32 = 128;
/// The most that brightness and alpha may be.
pub const MOST_LEVEL: u32 = 63;
/// The most that a mask may be: every bit of a coordinate.
pub const MOST_MASK: u32 = 0x3_ffff;

const CHROMAKEY: u32 = 2;
const ADDITIVE: u32 = 4;

/// What the platform does; addresses count in bytes from where it has the control port.
pub trait Bus {
    /// How an access fails.
    type Error;

    /// Reads a register.
    ///
    /// # Errors
    /// If the access fails.
    fn read(&mut self, address: u32) -> Result<u32, Self::Error>;

    /// Writes a register.
    ///
    /// # Errors
    /// If the access fails.
    fn write(&mut self, address: u32, value: u32) -> Result<(), Self::Error>;
}

/// A job. The names are the original's; addresses are those that the engine sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// Pixels whose filtered colour is `chromakey` are left out.
    pub is_keyed: bool,
    /// Colours are added to those in the frame buffer.
    pub is_additive: bool,
    /// Rectangles across, 1 to 127.
    pub hmeshlast: u32,
    /// Rectangles down, 1 to 127.
    pub vmeshlast: u32,
    /// Colours are multiplied by this plus 1, of 64.
    pub brightness: u32,
    /// RGB565.
    pub chromakey: u16,
    /// The points, [`MAX_POINTS`] a row, 8 bytes each: a multiple of 8.
    pub vertices: u32,
    /// The texture, RGB565: a multiple of 2.
    pub texfbuf: u32,
    /// Its width.
    pub texhres: u32,
    /// Its height.
    pub texvres: u32,
    /// ANDed to columns in the texture.
    pub texhmask: u32,
    /// ANDed to rows.
    pub texvmask: u32,
    /// The frame buffer, RGB565: a multiple of 2.
    pub dstfbuf: u32,
    /// Its width.
    pub dsthres: u32,
    /// Its height.
    pub dstvres: u32,
    /// Column of the mesh's first pixel in it.
    pub dsthoffset: i32,
    /// Its row.
    pub dstvoffset: i32,
    /// Width of a rectangle in pixels.
    pub dstsquarew: u32,
    /// Its height.
    pub dstsquareh: u32,
    /// New colours have this plus 1, of 64.
    pub alpha: u32,
    /// The caller's, given back with the outcome.
    pub user: usize,
}

impl Default for Job {
    /// As the engine is after a reset.
    fn default() -> Self {
        Self {
            is_keyed: false,
            is_additive: false,
            hmeshlast: 32,
            vmeshlast: 24,
            brightness: MOST_LEVEL,
            chromakey: 0,
            vertices: 0,
            texfbuf: 0,
            texhres: 512,
            texvres: 512,
            texhmask: MOST_MASK,
            texvmask: MOST_MASK,
            dstfbuf: 0,
            dsthres: 640,
            dstvres: 480,
            dsthoffset: 0,
            dstvoffset: 0,
            dstsquarew: 16,
            dstsquareh: 16,
            alpha: MOST_LEVEL,
            user: 0,
        }
    }
}

/// Why a job was refused or has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// `hmeshlast` or `vmeshlast` is 0 or over 127.
    MeshSize,
    /// `texhres` or `texvres` is 0 or over 2047.
    TextureSize,
    /// `dsthres` or `dstvres` is 0 or over 2047.
    FrameSize,
    /// `dstsquarew` or `dstsquareh` is 0 or over 2047.
    RectangleSize,
    /// `vertices` is no multiple of 8, or `texfbuf` or `dstfbuf` none of 2.
    Alignment,
    /// Brightness or alpha is over 63.
    Level,
    /// A mask is over 0x3ffff.
    Mask,
    /// A read of vertices failed.
    Vertices,
    /// A read of the texture failed.
    Texture,
    /// A read of the frame buffer failed.
    Frame,
    /// A write of the frame buffer failed.
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
            1 => Fault::MeshSize,
            2 => Fault::TextureSize,
            3 => Fault::FrameSize,
            4 => Fault::RectangleSize,
            5 => Fault::Alignment,
            8 => Fault::Vertices,
            9 => Fault::Texture,
            10 => Fault::Frame,
            11 => Fault::Write,
            15 => Fault::Reset,
            code => Fault::Unknown(code),
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::MeshSize => "hmeshlast and vmeshlast are 1 to 127",
            Fault::TextureSize => "sizes of the texture are 1 to 2047",
            Fault::FrameSize => "sizes of the frame buffer are 1 to 2047",
            Fault::RectangleSize => "sizes of a rectangle are 1 to 2047",
            Fault::Alignment => "vertices is a multiple of 8, texfbuf and dstfbuf are multiples of 2",
            Fault::Level => "brightness and alpha are 0 to 63",
            Fault::Mask => "masks are 0 to 0x3ffff",
            Fault::Vertices => "a read of vertices failed",
            Fault::Texture => "a read of the texture failed",
            Fault::Frame => "a read of the frame buffer failed",
            Fault::Write => "a write of the frame buffer failed",
            Fault::Reset => "the job was ended by a reset",
            Fault::Unknown(code) => return write!(f, "the job has ended with code {code}"),
        })
    }
}

/// How a job has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// What was wrong; none if all pixels were drawn.
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
    /// Pixels drawn.
    pub pixels_drawn: u32,
    /// Pixels outside the frame buffer or of the key's colour.
    pub pixels_left_out: u32,
    /// Lines of the texture that were read.
    pub texture_lines: u32,
    /// Look-ups of the texture cache that found their line.
    pub texture_hits: u32,
    /// Clocks in which a pixel waited for the texture cache.
    pub clocks_stalled: u32,
}

/// Why a call did nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error<E, F = Fault> {
    /// The platform failed.
    Bus(E),
    /// No such engine answers; this is what its identity reads.
    Identity(u32),
    /// A job is at work, or has ended and its outcome was not taken.
    Busy,
    /// There is no job.
    Idle,
    /// The job cannot be written to the registers.
    Refused(F),
    /// The job has not ended in so many polls.
    Time,
}

impl Job {
    /// Checks what registers have too few bits for; all else the engine checks itself.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self) -> Result<(), Fault> {
        let fits = |sizes: [u32; 2]| sizes.iter().all(|size| *size <= 0xffff);
        let checks = [
            (self.brightness.max(self.alpha) <= MOST_LEVEL, Fault::Level),
            (self.texhmask.max(self.texvmask) <= MOST_MASK, Fault::Mask),
            (fits([self.hmeshlast, self.vmeshlast]), Fault::MeshSize),
            (fits([self.texhres, self.texvres]), Fault::TextureSize),
            (fits([self.dsthres, self.dstvres]), Fault::FrameSize),
            (fits([self.dstsquarew, self.dstsquareh]), Fault::RectangleSize),
        ];
        checks.into_iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, fault)| Err(fault))
    }

    /// The values of its registers, from [`register::HMESHLAST`] on.
    #[must_use]
    pub const fn values(&self) -> [u32; 18] {
        [
            self.hmeshlast,
            self.vmeshlast,
            self.brightness,
            self.chromakey as u32,
            self.vertices,
            self.texfbuf,
            self.texhres,
            self.texvres,
            self.texhmask,
            self.texvmask,
            self.dstfbuf,
            self.dsthres,
            self.dstvres,
            self.dsthoffset as u32,
            self.dstvoffset as u32,
            self.dstsquarew,
            self.dstsquareh,
            self.alpha,
        ]
    }
}

/// What is particular to the mesh engine.
#[derive(Debug)]
pub enum MeshEngine {}

impl EngineKind for MeshEngine {
    type Fault = Fault;
    type Outcome = Outcome;
    const MAGIC: u32 = MAGIC;
    const RESET: u32 = register::RESET;

    fn outcome(Ended { code, response, address, user }: Ended) -> Outcome {
        Outcome { fault: Fault::of_code(code), address, response, user }
    }
}

/// A mesh engine.
pub type Mesh<B> = Engine<B, MeshEngine>;

impl<B: Bus> Mesh<B> {
    /// Starts a job.
    ///
    /// # Errors
    /// [`Error::Busy`], [`Error::Refused`], and the bus's. What the engine itself refuses is the outcome of the job.
    pub fn submit(&mut self, job: &Job) -> Called<(), B, MeshEngine> {
        job.check().map_err(Error::Refused)?;
        let flags = [(job.is_keyed, CHROMAKEY), (job.is_additive, ADDITIVE)];
        let flags = flags.into_iter().filter(|(is_set, _)| *is_set).fold(0, |all, (_, flag)| all | flag);
        self.start(register::HMESHLAST, &job.values(), START | flags, job.user)
    }

    /// Counts of the last job.
    ///
    /// # Errors
    /// The bus's.
    pub fn counters(&mut self) -> Called<Counters, B, MeshEngine> {
        let [pixels_drawn, pixels_left_out, texture_lines, texture_hits, clocks_stalled] =
            self.counts(register::PIXELS_DRAWN)?;
        Ok(Counters { pixels_drawn, pixels_left_out, texture_lines, texture_hits, clocks_stalled })
    }
}
