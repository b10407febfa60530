//! The engine `mesh`: textured meshes of rectangles from memory into a frame buffer in memory.

pub mod words;

pub mod address;
pub mod texture_cache;
