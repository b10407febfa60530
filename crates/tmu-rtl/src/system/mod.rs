//! What is around engines: the memory port that they share, the control port with its registers and counters, resets, and
//! `top`, which wires them.

pub mod memory_port;
pub mod write_port;

pub mod bring_up;
pub mod registers;
pub mod counters;
pub mod control;
pub mod control_registers;
pub mod register_guard;
pub mod reset;

pub mod top;
