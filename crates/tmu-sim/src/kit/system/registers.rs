//! Accesses of the control port.

use super::System;
use crate::kit::control::{Access, Answer};
use crate::kit::error::{Cause, Result};
use crate::kit::memory::Contents;
use crate::kit::system::surroundings::Surroundings;
use tmu_rtl::system::registers;

impl<C: Contents, S: Surroundings<C>> System<C, S> {
    /// Accesses a register and waits for the answer, while everything else goes on.
    ///
    /// # Errors
    /// As [`System::step`].
    pub fn access(&mut self, access: Access) -> Result<Answer> {
        self.control.push(access);
        self.answer()
    }

    /// Accesses registers without waiting for one answer before the next address, reads beside writes, while everything
    /// else goes on. Answers come in the order of the accesses.
    ///
    /// # Errors
    /// As [`System::step`].
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
    /// As [`System::step`], and if the answer is not OKAY.
    pub fn read_register(&mut self, address: u32) -> Result<u32> {
        let Answer { data, response } = self.access(Access::Read { address })?;
        let okay =
            || Cause::Check(format!("reading register {address:#x} was answered {response}, not OKAY"));
        if response == 0 { Ok(data) } else { Err(self.failure(okay())) }
    }

    /// Writes a register that there is.
    ///
    /// # Errors
    /// As [`System::step`], and if the answer is not OKAY.
    pub fn write_register(&mut self, address: u32, data: u32) -> Result<()> {
        let Answer { response, .. } = self.access(Access::Write { address, data, strobe: 15 })?;
        let okay =
            || Cause::Check(format!("writing register {address:#x} was answered {response}, not OKAY"));
        if response == 0 { Ok(()) } else { Err(self.failure(okay())) }
    }

    /// Polls the status until a command is done.
    pub(crate) fn wait_for_command(&mut self, field: registers::Field) -> Result<()> {
        let runs = |system: &mut Self| {
            let status = system.read_register(registers::STATUS.offset_bytes)?;
            Ok(field.extract(status) != 0)
        };
        self.wait_while(runs, |_| format!("STATUS.{} stays 1", field.name))
    }
}
