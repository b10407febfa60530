//! What the model knows of the hardware's caches: which lookups hit, and what passes together. No data, no results, no clocks.
//!
//! Stands on [`crate::datapath`], which knows nothing of it.

pub mod blocking;
pub mod lookup;
pub mod prefetch;
pub mod replacer;
