//! Units of the general numerics against their golden model.
//!
//! | module | holds |
//! | --- | --- |
//! | [`traffic`] | random bindings and quads |
//! | [`comparison`] | a run of them through the hardware, and what must come out |
//! | [`rates`] | walks over pictures and cubes, timed |
//! | [`sampling`] | what [`Sampler`](crate::engines::sampler::sampling::Sampler) needs to sample with them |

pub mod comparison;
pub mod rates;
pub mod sampling;
pub mod traffic;
