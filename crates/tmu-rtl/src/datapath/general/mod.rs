//! Stages of the general numerics, those that are there. Blocks by themselves: no unit is made of them yet.

pub mod request;
pub mod axis;
pub mod coordinate;
pub mod footprint;
pub mod cube_edge;
pub mod address;
pub mod tile;
pub mod words;
