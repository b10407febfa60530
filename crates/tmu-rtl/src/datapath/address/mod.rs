//! `address`, for units that take a tap at a time and for those that take a pixel or a quad a clock.

pub mod blocking;
pub(crate) mod hazards;
pub mod pipelined;
