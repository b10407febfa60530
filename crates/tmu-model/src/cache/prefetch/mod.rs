//! The prefetching cache: what is looked up together, and which tiles hit.

pub mod quad_scheduler;
pub mod tag_stage;
pub mod tile;
