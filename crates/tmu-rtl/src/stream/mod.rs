//! The streaming unit: one pixel or one quad a clock, tags ahead of texels. The same stages as the blocking unit's, one file
//! each in data-flow order.

pub mod words;
pub mod delay;

pub mod request;
pub mod lod;
pub mod coordinate;
pub mod axis;
pub mod span;
pub mod address;
pub mod cache;
pub mod decode;
pub mod filter;
pub mod unit;
