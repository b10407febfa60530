//! Engines other than texture units: what they do to memory. A file each, or a folder with a file for each stage.

pub mod copy;
pub mod loader;
pub mod mesh;
