//! The commands behind the control port.

use super::Bench;
use crate::engines::sampler::coverage::Disturbance;
use crate::kit::error::Result;
use tmu_rtl::system::registers;

impl Bench {
    /// Stops sending behind the packets that were begun, empties the units by the control port's command, and
    /// waits for the end of it.
    ///
    /// # Errors
    /// As [`Bench::step`], and if the command does not end.
    pub fn soft_reset(&mut self) -> Result<()> {
        for unit in &mut self.surroundings_mut().units {
            unit.requests.stop_behind_packet();
        }
        while self.surroundings().units.iter().any(|unit| unit.requests.queued_beats() > 0) {
            self.step()?;
        }
        self.note("soft reset begun");
        let command = registers::CONTROL_SOFT_RESET.place(1);
        self.write_register(registers::CONTROL.offset_bytes, command)?;
        self.disturb(Disturbance::SoftReset);
        self.wait_for_command(registers::STATUS_SOFT_RESET)?;
        self.lose_in_flight();
        self.note("soft reset done");
        Ok(())
    }

    /// Drops what the caches hold by the control port's command, while everything goes on, and waits for the end.
    ///
    /// # Errors
    /// As [`Bench::step`], and if the command does not end.
    pub fn invalidate(&mut self) -> Result<()> {
        let command = registers::CONTROL_CACHE_INVALIDATE.place(1);
        self.write_register(registers::CONTROL.offset_bytes, command)?;
        self.note("invalidation begun");
        self.disturb(Disturbance::Invalidation);
        self.wait_for_command(registers::STATUS_INVALIDATE)
    }
}
