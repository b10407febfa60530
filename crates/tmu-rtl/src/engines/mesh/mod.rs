//! The engine `mesh`: textured meshes of rectangles from memory into a frame buffer in memory.

pub mod coordinate;
pub mod interpolate;
pub mod job;
pub mod registers;
pub mod vertices;
pub mod words;
