//! The pixel pipeline: what a frame leaves in memory, to the last bit. One file a stage, in the order in which a frame passes them.
//!
//! | module | from | to |
//! | --- | --- | --- |
//! | [`tile_fetch`] | memory | the frame, a tile's list, the places of its triangles |
//! | [`hidden_surfaces`] | a triangle | the pixels of a tile that it covers and whose depth passes |
//! | [`grouping`] | the triangle seen at each pixel | quads, triangle by triangle |
//! | [`triangle_data`] | memory | colours and coordinates of a triangle that is seen, its state and program |
//! | [`triangle_setup`] | three vertices | the plane of each value |
//! | [`interpolation`] | planes and a pixel | depth, texture coordinates, colours |
//! | [`reciprocal`] | RHW | what coordinates are multiplied by |
//! | [`texture`](mod@texture) | coordinates of a quad | channels of 16 bits |
//! | [`shade`](mod@shade) | a quad | colours, depths, pixels that go |
//! | [`tile_buffer`] | colours | the tile: alpha test, blending |
//! | [`write_back`] | the tile | bytes of the picture and of depth |
//!
//! [`tile`](mod@tile) takes a tile through them; [`draw()`] a frame. [`watch`] is for who looks on, [`trace`] what is seen then of a pixel.
//!
//! Contract: the written rules and nothing else. Floats are singles, rounded to the nearest even after every operation, denormals are
//! zeros. A frame that cannot be drawn ends with a [`Fault`]; tiles before the one at fault, in the order of rows, are written.
//!
//! Cost: a tile by itself; tiles need nothing of each other and can be drawn on all threads.

pub mod fault;
pub mod grouping;
pub mod hidden_surfaces;
pub mod interpolation;
mod kept;
pub mod reciprocal;
pub mod shade;
mod records;
mod single;
pub mod texture;
pub mod tile;
pub mod tile_buffer;
pub mod tile_fetch;
pub mod trace;
pub mod triangle_data;
pub mod triangle_setup;
pub mod watch;
pub mod write_back;

mod counts;
mod draw;

pub use counts::Counts;
pub use draw::{UsedBefore, draw};
pub use fault::Fault;
pub use texture::Build;
pub use tile::{Tile, Tiles};
pub use trace::PixelTrace;

#[cfg(test)]
mod tests;
