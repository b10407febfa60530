//! What the pixel pipeline finds in memory: a frame, its tile lists, triangles, vertices, states; and what it ends with.
//!
//! Records stand in the order in which data meets them. Model, hardware, drivers and documentation are made from one definition of
//! each ([`record`]).
//!
//! | module | holds |
//! | --- | --- |
//! | [`field`] | bits of a record and what they say |
//! | [`choices`] | tile sizes, blend modes, forms of the picture and other values that go by codes |
//! | [`record`] | the records |
//! | [`list`] | entries of tile lists |
//! | [`fault`] | how a frame ends |

pub mod choices;
pub mod fault;
pub mod field;
pub mod list;
pub mod record;

pub use choices::{Blend, Cull, OutputFormat, TileSize};
pub use fault::FaultCode;
pub use field::{Field, Misfit};
pub use list::{Entry, Part};
pub use record::{Frame, Position, State, Triangle, VertexColors, VertexCoordinates};

/// Bytes of a line: records are whole lines at addresses that are multiples of it.
pub const LINE_BYTES: usize = crate::LINE_BYTES as usize;
/// The most pixels of a side of a frame.
pub const MAX_FRAME_SIDE: u32 = 4096;
/// Bits behind the point of a vertex's place.
pub const SUBPIXEL_BITS: u32 = 4;
/// Bits of a coordinate of a vertex's place.
pub const PLACE_BITS: u32 = 18;
/// The most opaque triangles of a tile that are looked at together; where there are more, these are shaded first.
pub const BATCH_TRIANGLES: usize = 1024;
/// Coordinate sets of a vertex, and textures of a state.
pub const SETS: usize = 6;
/// Bytes of a texture in the store: a binding of the general numerics.
pub const TEXTURE_BYTES: usize = crate::general::field::WORDS * LINE_BYTES;

/// Values of the 4 × 4 ordered dither by row and column of the picture, 0 to 15: half of one is added to a channel of 5 bits before
/// it is cut, a quarter to one of 6.
pub const DITHER: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
