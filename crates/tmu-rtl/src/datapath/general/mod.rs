//! Stages of the general numerics, those that are there. Blocks by themselves: no unit is made of them yet.

pub mod axis;
pub mod decode;
pub mod filter;
pub mod words;
