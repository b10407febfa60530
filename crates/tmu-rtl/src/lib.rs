//! The hardware of texture units: arithmetic, caches, samplers made of them, and the system around them.
//!
//! | module | holds |
//! | --- | --- |
//! | [`datapath`] | the arithmetic of each stage, in data-flow order, for units that take a tap, a pixel or a quad a clock |
//! | [`cache`] | the blocking cache and the parts of the prefetching one |
//! | [`sampler`] | compositions of stages and a cache: one texture unit each |
//! | [`system`] | what is around the units: memory port, control port, counters, resets, and `top` |
//! | [`outputs`] | the files that are written for a configuration |

pub mod datapath;

pub mod cache;

pub mod sampler;

pub mod system;

pub mod outputs;
