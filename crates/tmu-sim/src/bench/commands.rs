//! Accesses of the control port, and the commands behind it.

use super::Bench;
use crate::bus::control::{Access, Answer};
use crate::coverage::Disturbance;
use crate::error::{Cause, Result};
use tmu_rtl::system::registers;

impl Bench {
    /// Accesses a register and waits for the answer, while everything else goes on.
    ///
    /// # Errors
    /// As [`Bench::step`].
    pub fn access(&mut self, access: Access) -> Result<Answer> {
        self.control.push(access);
        self.answer()
    }

    /// Accesses registers without waiting for one answer before the next address, reads beside writes, while everything
    /// else goes on. Answers come in the order of the accesses.
    ///
    /// # Errors
    /// As [`Bench::step`].
    pub fn overlapping(&mut self, accesses: &[Access]) -> Result<Vec<Answer>> {
        for &access in accesses {
            self.control.push_overlapping(access);
        }
        accesses.iter().map(|_| self.answer()).collect()
    }

    /// Waits for the next answer of the control port.
    fn answer(&mut self) -> Result<Answer> {
        loop {
            if let Some(answer) = self.control.answer() {
                return Ok(answer);
            }
            self.step()?;
        }
    }

    /// Reads a register that there is.
    ///
    /// # Errors
    /// As [`Bench::step`], and if the answer is not OKAY.
    pub fn read_register(&mut self, address: u32) -> Result<u32> {
        let Answer { data, response } = self.access(Access::Read { address })?;
        let okay =
            || Cause::Check(format!("reading register {address:#x} was answered {response}, not OKAY"));
        if response == 0 { Ok(data) } else { Err(self.failure(okay())) }
    }

    /// Writes a register that there is.
    ///
    /// # Errors
    /// As [`Bench::step`], and if the answer is not OKAY.
    pub fn write_register(&mut self, address: u32, data: u32) -> Result<()> {
        let Answer { response, .. } = self.access(Access::Write { address, data, strobe: 15 })?;
        let okay =
            || Cause::Check(format!("writing register {address:#x} was answered {response}, not OKAY"));
        if response == 0 { Ok(()) } else { Err(self.failure(okay())) }
    }

    /// Stops sending behind the packets that were begun, empties the units by the control port's command, and
    /// waits for the end of it.
    ///
    /// # Errors
    /// As [`Bench::step`], and if the command does not end.
    pub fn soft_reset(&mut self) -> Result<()> {
        for unit in &mut self.units {
            unit.requests.stop_behind_packet();
        }
        while self.units.iter().any(|unit| unit.requests.queued_beats() > 0) {
            self.step()?;
        }
        self.note("soft reset begun");
        let command = registers::CONTROL_SOFT_RESET.place(1);
        self.write_register(registers::CONTROL.offset_bytes, command)?;
        self.disturb(Disturbance::SoftReset);
        self.wait_for_command(registers::STATUS_SOFT_RESET)?;
        self.forget_in_flight();
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

    /// Polls the status until a command is done.
    fn wait_for_command(&mut self, field: registers::Field) -> Result<()> {
        let runs = |bench: &mut Self| {
            let status = bench.read_register(registers::STATUS.offset_bytes)?;
            Ok(field.extract(status) != 0)
        };
        self.wait_while(runs, |_| format!("STATUS.{} stays 1", field.name))
    }
}
