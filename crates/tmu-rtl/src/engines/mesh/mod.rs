//! The engine `mesh`: textured meshes of rectangles from memory into a frame buffer in memory.

pub mod registers;
pub mod words;
