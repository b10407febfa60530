//! What an engine is to the system around it.
//!
//! An [`Engine`] is a bundle of its own top-level ports and of its hardware. The system gives it clocks and resets, shares
//! the memory port among the channels of all engines, and passes accesses to its registers on. `top` wires a set of
//! engines and knows none of them by name; [`crate::engines`] lists those that there are.

pub(crate) mod count;
pub mod memory;
pub mod read_ports;
mod set;

pub use set::Engines;

use crate::engine::memory::{ReadChannel, WriteChannel};
use crate::sampler::ports::UnitControl;
use crate::system::registers::RegisterSpace;
use tmu_hdl::bus::RegisterPort;
use tmu_hdl::prelude::*;
use tmu_spec::config::EngineKind;

/// Clocks and resets that an engine is given.
#[derive(Clone, Copy)]
pub struct SystemClocks {
    /// Clock of streams and control port.
    pub core: Bits,
    /// Its reset.
    pub core_reset: Bits,
    /// Clock of everything else.
    pub tmu: Bits,
    /// Resets FIFOs between the two clocks, on the engines' side.
    pub fifo_reset: Bits,
    /// Resets the stages; high for as long as any of those FIFOs is being emptied.
    pub flush: Bits,
}

/// Registers of an engine, at a place of their own in the map of the control port.
#[derive(Clone, Copy)]
pub struct RegisterBlock<'a> {
    /// Where it is accessed, on the engines' clock. The address counts registers from the block's first one.
    pub port: &'a RegisterPort,
    /// Where they stand.
    pub space: RegisterSpace,
}

impl<'a> RegisterBlock<'a> {
    /// Those of a kind of engine, which says where they stand.
    #[must_use]
    pub fn of(port: &'a RegisterPort, kind: EngineKind) -> RegisterBlock<'a> {
        RegisterBlock { port, space: RegisterSpace::of_engine(kind) }
    }
}

/// An engine: its top-level ports, under the names of its fields, and its hardware.
///
/// The system asks it for what it needs and calls [`Engine::connect`] once; whatever the engine does not need is left out.
pub trait Engine: Block {
    /// Drives clocks and resets of its hardware, and connects its top-level ports.
    fn connect(&self, clocks: SystemClocks);

    /// Channels for reads.
    fn reads(&self) -> Vec<ReadChannel<'_>> {
        vec![]
    }

    /// Channels for writes.
    fn writes(&self) -> Vec<WriteChannel<'_>> {
        vec![]
    }

    /// Its registers.
    fn registers(&self) -> Option<RegisterBlock<'_>> {
        None
    }

    /// Its texture units: they share the registers that there are once, and the counters.
    fn units(&self) -> Vec<UnitControl<'_>> {
        vec![]
    }

    /// Where its FIFOs between the clocks say that they are being emptied.
    fn stopped(&self) -> Vec<&Net<Out>> {
        vec![]
    }
}
