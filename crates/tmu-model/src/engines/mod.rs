//! Engines other than texture units, one file each: what they do to memory.

pub mod copy;
