//! Test benches of systems without streams, for engines that registers start and that read and write memory.
//!
//! Knows no engine: [`Memory`] is memory at the AXI4 port, all five channels of it, [`System`] is a system between memory
//! and control port. An engine's test brings the golden model.

mod memory;
mod system;

pub use memory::{Answer, Memory, MemoryPauses};
pub use system::System;
