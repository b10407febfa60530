//! The stages against exact arithmetic and hand-worked cases, and whole frames.

mod coverage;
mod faults;
mod frames;
mod memory;
mod trace;
mod values;
