//! What every simulation is made of, whatever engines there are.
//!
//! Bus models are plain state machines over one clock: `clock` takes what the hardware showed before a rising edge
//! and decides what the model shows after it. None of them knows a simulator, so they are tested by
//! themselves. All check the rules of their bus that the hardware has to keep.
//!
//! | module | holds |
//! | --- | --- |
//! | [`rtl`] | the hardware to be simulated, as data |
//! | [`error`] | what a simulation can end with |
//! | [`domain`], [`clock`] | which clocks there are; edges of clocks of any ratio |
//! | [`pauses`] | random pauses of a handshake |
//! | [`control`] | the manager of the control port |
//! | [`memory`](mod@memory) | memory at the AXI4 port, all five channels |
//! | [`tape`] | ports over time, to be played to the Rust simulation |
//! | [`system`](mod@system) | all of them around one instance of the hardware |

pub mod clock;
pub mod control;
pub mod domain;
pub mod error;
pub mod memory;
pub mod pauses;
mod ports;
pub mod rtl;
pub mod system;
pub mod tape;
