//! Each stage by itself against its counterpart in the golden model, or against a few lines where it is about time.

mod address;
mod cache;
mod coordinate;
mod counters;
mod decode;
mod filter;
mod lod;
mod miss_queue;
mod replacer;
mod reset;
mod support;
