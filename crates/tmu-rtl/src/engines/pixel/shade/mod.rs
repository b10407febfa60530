//! Parts of `shade`, which runs a program for the quads of a tile. [`arithmetic`] and [`coordinates`] compute; nothing sends quads through them yet.

pub mod arithmetic;
pub mod coordinates;
mod operand;
pub mod words;
