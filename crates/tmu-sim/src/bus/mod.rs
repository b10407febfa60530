//! Bus models: what stands around the hardware.
//!
//! Each is a plain state machine over one clock: `clock` takes what the hardware showed before a rising edge
//! and decides what the model shows after it. None of them knows a simulator, so they are tested by
//! themselves. All check the rules of their bus that the hardware has to keep.

pub use crate::kit::control;
pub mod memory;
pub mod request;
pub mod result;
