//! What each engine brings to a simulation, under its name.

pub mod copy;
pub mod loader;
pub mod mesh;
pub mod pixel;
pub mod sampler;
