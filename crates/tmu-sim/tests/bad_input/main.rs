//! Bad input in simulation: each case by name, what comes out of it to the bit, and that good requests after it
//! are served as if nothing had been.

mod test_bench;
mod bindings;
mod control;
mod lengths;
mod memory;
mod offers;
mod packets;
mod resets;
#[path = "../support/mod.rs"]
mod support;
