//! The stages of a texture unit, in data-flow order.
//!
//! `blocking` stages take one operand after the other and hold a handshake on either side; `pipelined` ones take a pixel or a
//! quad each clock and move all in step.

pub mod bundles;
pub mod format;
pub(crate) mod binding;
pub mod words;
pub mod delay;

pub mod request;
pub mod lod;
pub mod coordinate;
pub mod address;
pub mod blocks;
pub mod decode;
pub mod filter;
pub mod general;
