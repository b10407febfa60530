//! The streaming unit: one pixel a clock, tags ahead of texels. The same stages as the blocking unit's, one file
//! each in data-flow order.

#![cfg_attr(rustfmt, rustfmt_skip)]

pub mod words;
pub mod delay;

pub mod request;
pub mod lod;
pub mod coordinate;
pub mod axis;
mod parity;
pub mod address;
pub mod cache;
pub mod decode;
pub mod filter;
pub mod unit;
