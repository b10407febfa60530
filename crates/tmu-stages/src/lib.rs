//! The bench on which a stage runs by itself. For tests only: everything panics with what differs and how to repeat it.
//!
//! A [`Rig`] is a block under the interpreter of its recorded graph: inputs are driven and outputs read through the fields of
//! the block. A [`Check`] compares what comes with what must, and knows the seed. Under [`tape::record`] a rig also writes
//! down what went in, so that Verilator may repeat it.
//!
//! The bench knows no texture, so that a change of the hardware builds nothing here but the tests themselves.

mod check;
mod rig;
pub mod tape;

pub use check::{Check, Flow};
pub use rig::Rig;
