//! What is instantiated for Lattice ECP5, because open tools infer it without its registers.

mod block_ram;
mod multiplier;

pub(super) use block_ram::{crossing_ram, rom, simple_ram};
pub(super) use multiplier::{FACTOR_BITS, Factor, multiplier};
