//! The texture unit: one file per stage in data-flow order.

pub mod bundles;
pub mod request;
pub mod lod;
pub mod coordinate;
pub mod address;
pub mod cache;
pub mod replacement;
pub mod decode;
pub mod filter;
pub mod memory_port;
