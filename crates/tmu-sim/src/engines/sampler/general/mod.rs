//! Units of the general numerics against their golden model.
//!
//! | module | holds |
//! | --- | --- |
//! | [`traffic`] | random bindings and quads |
//! | [`comparison`] | a run of them through the hardware, and what must come out |
//! | [`sampling`] | what [`Sampler`](crate::engines::sampler::sampling::Sampler) needs to sample with them |

pub mod comparison;
pub mod sampling;
pub mod traffic;
