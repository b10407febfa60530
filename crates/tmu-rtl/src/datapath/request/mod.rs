//! `request`, for units that take a tap at a time and for those that take a pixel or a quad a clock.

pub mod blocking;
pub mod pipelined;
pub mod rules;
pub mod extent;
mod turn;
