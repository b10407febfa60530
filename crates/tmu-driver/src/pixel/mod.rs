//! The host's part of the pixel pipeline: from triangles in a scene to a frame in memory.
//!
//! A [`Frame`] is given the memory that it may fill, states and triangles, and in the end gives the address of the frame's record.
//! Nothing is allocated; what does not fit is a named error.
//!
//! | module | does |
//! | --- | --- |
//! | `layout` | where the fields of records stand, made from the generator's tables |
//! | `record` | words of memory |
//! | `transform` | vertices to homogeneous pixels |
//! | `light` | colours of vertices |
//! | `clip` | what lies in front of the eye and inside the guard band |
//! | `set_up` | places in 1/16 of a pixel, 1/C |
//! | `tiles` | which tiles a triangle touches, and their lists |
//! | `settings` | what is drawn into, and with what |
//! | `frame` | all of it |
//! | [`engine`] | the hardware that draws it, by its registers |
//!
//! Contract: `docs/reference/pixel.md`. Floats are singles, so a frame is the same on every machine.
//!
//! ```
//! use tmu_driver::pixel::{Corner, Error, Frame, Lists, Part, Settings, State, Triangle};
//!
//! # fn draw(memory: &mut [u8], program: &[u8], corners: [Corner; 3]) -> Result<u32, Error> {
//! let settings = Settings { picture: 0x100_0000, picture_pitch: 640 * 4, ..Settings::new(640, 480) };
//! let mut lists = [Lists::EMPTY; 300];
//! let mut frame = Frame::new(memory, 0x1000, &mut lists, settings, &[])?;
//! let program = frame.program(program)?;
//! let state = frame.state(&State { sets: 1, ..State::new(program) })?;
//! frame.triangle(&Triangle::new(Part::Opaque, state), &corners)?;
//! frame.finish()
//! # }
//! ```

mod clip;
pub mod engine;
mod error;
mod frame;
#[rustfmt::skip]
mod layout;
mod light;
mod record;
mod set_up;
mod settings;
mod tiles;
mod transform;

pub use clip::Corner;
pub use engine::Pixel;
pub use error::Error;
pub use frame::Frame;
pub use light::{Light, lit};
pub use settings::{Settings, State, StateAddress, Triangle};
pub use tiles::{Lists, Part, TileSize};
pub use transform::{Matrix, Viewport};

/// Words of a texture of the store: a binding of the general numerics, as [`crate::general`] makes it.
pub const TEXTURE_WORDS: usize = 20;
