//! Stages of the engine `pixel`: tile-based deferred rendering with a programmable shader. Nothing wires them together yet.

pub mod depth_setup;
pub mod drawing;
pub mod grouping;
pub mod hidden_surfaces;
pub mod interpolation;
pub mod reads;
mod records;
pub mod reciprocal;
pub mod shade;
mod step;
pub mod tile_buffer;
pub mod tile_depths;
pub mod tile_draw;
pub mod tile_fetch;
pub mod tile_walk;
pub mod triangle_data;
pub mod triangle_setup;
pub mod words;
pub mod write_back;
