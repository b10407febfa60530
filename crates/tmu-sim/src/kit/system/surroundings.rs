//! What an engine's bench adds to a system.

use crate::kit::domain::Domain;
use crate::kit::error::Cause;
use crate::kit::memory::{Memory, MemoryEvents};
use tmu_verilate::Instance;

/// What stands around a system beside its memory and its control port: streams, and those who watch what memory is asked for.
/// `()` is nothing, for engines without streams.
pub trait Surroundings<C> {
    /// A rising edge of `core_aclk` outside its reset. Gives whether anything was transferred.
    ///
    /// # Errors
    /// What the hardware did wrong.
    fn core_edge(&mut self, _instance: &Instance) -> Result<bool, Cause> {
        Ok(false)
    }

    /// A rising edge of the memory port's clock outside its reset, and what happened there. `in_reset` says whether another
    /// side is reset.
    ///
    /// # Errors
    /// If memory was asked for what nothing needs.
    fn memory_edge(
        &mut self,
        _events: &MemoryEvents,
        _memory: &Memory<C>,
        _in_reset: bool,
    ) -> Result<(), Cause> {
        Ok(())
    }

    /// A rising edge of `tmu_aclk` outside its reset.
    fn tmu_edge(&mut self, _instance: &Instance, _memory: &Memory<C>) {}

    /// Drives inputs on the clock of `tmu_aclk`.
    fn drive_tmu(&self, _instance: &mut Instance) {}

    /// Drives the inputs of the streams.
    fn drive(&self, _instance: &mut Instance) {}

    /// Whether anything was sent that is not answered, or waits to be sent.
    fn busy(&self) -> bool {
        false
    }

    /// What is waited for, a line each.
    fn waits_for(&self) -> Vec<String> {
        Vec::new()
    }

    /// A reset was asserted, with reads under way or without.
    fn reset_asserted(&mut self, _domain: Domain, _reads_under_way: bool) {}

    /// What was in flight is lost: the last reset was released, or a command has ended that does the same.
    fn lose_in_flight(&mut self, _instance: &Instance) {}
}

impl<C> Surroundings<C> for () {}
