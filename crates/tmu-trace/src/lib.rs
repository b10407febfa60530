//! A tracer of rays whose every look at its data goes through a texture unit: what indirect look-ups are for.
//!
//! Rays, a uniform grid, its lists of triangles, and corners of triangles are textures of floats and of 16-bit numbers, as on
//! graphics processors that compute with their texture units (Purcell and others, 2002). A triangle of a list is three
//! corners by their numbers: without indirect look-ups four texture operations, of which three wait for the first one; with
//! them one.
//!
//! | module | does |
//! | --- | --- |
//! | [`ray`] | rays, triangles, and where they meet |
//! | [`grid`] | triangles of a scene by the boxes of a grid, and the way of a ray through them |
//! | [`world`] | the triangles of a scene with their colours |
//! | `texel`, [`store`] | all of it as textures in one memory |
//! | [`unit`](mod@unit) | what answers look-ups ([`Textures`], [`GoldenTextures`]), and what they cost ([`Counts`]) |
//! | [`program`] | what a shader would do for four pixels |
//! | [`picture`] | all pixels, and the light on them ([`trace`], [`trace_by`]) |
//!
//! [`window`] is another use of indirect look-ups: pictures filtered by what texels beside each other make together.
//!
//! Nothing here prints or writes files. A picture and its counts are the same on every machine and for any number of threads.

pub mod grid;
pub mod picture;
pub mod program;
pub mod ray;
pub mod store;
mod texel;
pub mod unit;
pub mod window;
pub mod world;

pub use picture::{Picture, Traced, trace, trace_by};
pub use program::Way;
pub use unit::{Answer, Ask, Counts, GoldenTextures, Textures};
pub use world::World;
