//! What every simulation is made of, whatever engine there is: clocks, pauses, the control port; and test benches of systems
//! without streams, for engines that registers start and that read and write memory.
//!
//! [`Memory`] is memory at the AXI4 port, all five channels of it, [`System`] is a system between memory
//! and control port. An engine's test brings the golden model.

pub mod clock;
pub mod control;
mod memory;
pub mod pauses;
mod system;

pub use memory::{Answer, Memory, MemoryPauses};
pub use system::System;
