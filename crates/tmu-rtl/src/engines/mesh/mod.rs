//! The engine `mesh`: textured meshes of rectangles from memory into a frame buffer in memory.

pub mod blend;
pub mod colors;
pub mod filter;
pub mod frame_reader;
pub mod shade;
pub mod words;
pub mod write_combiner;
