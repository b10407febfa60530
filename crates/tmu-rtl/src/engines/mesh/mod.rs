//! The engine `mesh`: textured meshes of rectangles from memory into a frame buffer in memory.

pub mod address;
pub mod blend;
pub mod colors;
pub mod coordinate;
pub mod filter;
pub mod frame_reader;
pub mod interpolate;
pub mod job;
pub mod registers;
pub mod shade;
pub mod texture_cache;
pub mod vertices;
pub mod words;
pub mod write_combiner;
