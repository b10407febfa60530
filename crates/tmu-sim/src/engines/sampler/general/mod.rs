//! Units of the general numerics against their golden model.
//!
//! | module | holds |
//! | --- | --- |
//! | [`traffic`] | random bindings and quads |
//! | [`comparison`] | a run of them through the hardware, and what must come out |
//! | [`campaign`] | faults of every kind in the middle of that |
//! | [`faults`] | faults of memory in either pass of indirect look-ups |
//! | [`look_ups`] | the hardware as something that looks up indirectly |
//! | [`rates`] | walks over pictures and cubes, timed |
//! | [`changes`] | changes between entries of the parameter store, timed |
//! | [`writes`] | the same while entries of the parameter store are written over the control port and loaded |
//! | [`sampling`] | what [`Sampler`](crate::engines::sampler::sampling::Sampler) needs to sample with them |

pub mod campaign;
pub mod changes;
pub mod comparison;
pub mod faults;
pub mod look_ups;
pub mod rates;
pub mod sampling;
pub mod traffic;
pub mod writes;
