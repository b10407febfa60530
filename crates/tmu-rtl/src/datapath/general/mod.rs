//! Stages of the general numerics, those that are there. Blocks by themselves: no unit is made of them yet.

pub mod axis;
pub mod lod;
pub mod probes;
pub mod words;
