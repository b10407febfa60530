//! Units of the general numerics against their golden model.
//!
//! | module | holds |
//! | --- | --- |
//! | [`traffic`] | random bindings and quads |
//! | [`comparison`] | a run of them through the hardware, and what must come out |

pub mod comparison;
pub mod traffic;
