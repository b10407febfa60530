//! The hardware: texture units with their arithmetic and caches, other engines, and the system that they share.
//!
//! | module | holds |
//! | --- | --- |
//! | [`datapath`] | the arithmetic of each stage, in data-flow order, for units that take a tap, a pixel or a quad a clock |
//! | [`cache`] | the blocking cache and the parts of the prefetching one |
//! | [`engine`] | what an engine is to the system: channels to memory, registers, clocks |
//! | [`engines`] | the engines that there are, each in a folder of its own |
//! | [`sampler`] | compositions of stages and a cache: one texture unit each |
//! | [`system`] | what is around the units: memory port, control port, counters, resets, and `top` |
//! | [`outputs`] | the files that are written for a configuration |

pub mod engine;
pub mod engines;

pub mod datapath;

pub mod cache;

pub mod sampler;

pub mod system;

pub mod outputs;

pub use engines::reads_in_flight;
