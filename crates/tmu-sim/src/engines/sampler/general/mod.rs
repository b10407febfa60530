//! Units of the general numerics against their golden model.
//!
//! | module | holds |
//! | --- | --- |
//! | [`traffic`] | random bindings and quads |
//! | [`comparison`] | a run of them through the hardware, and what must come out |
//! | [`rates`] | walks over pictures and cubes, timed |

pub mod comparison;
pub mod rates;
pub mod traffic;
