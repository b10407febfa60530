//! From one clock edge to the next.

use super::System;
use crate::kit::clock::{Edges, FS_PER_PS};
use crate::kit::domain::Domain;
use crate::kit::error::{Cause, Result};
use crate::kit::memory::Contents;
use crate::kit::system::surroundings::Surroundings;

impl<C: Contents, S: Surroundings<C>> System<C, S> {
    /// Goes to the next clock edge.
    ///
    /// # Errors
    /// Whatever the module's documentation lists.
    pub fn step(&mut self) -> Result<()> {
        let edges = self.schedule.advance();
        self.time_fs = edges.time_fs;
        self.step_to(edges).map_err(|cause| self.failure(cause))
    }

    fn step_to(&mut self, edges: Edges) -> Result<(), Cause> {
        let is_live = |domain: usize| edges.rises(domain) && self.in_reset >> domain & 1 == 0;
        let (core, tmu, memory) = (is_live(0), is_live(Domain::Tmu as usize), is_live(self.memory_domain));
        if core {
            self.core_edge()?;
        }
        if tmu {
            self.surroundings.tmu_edge(&self.instance, &self.memory);
        }
        if memory {
            self.memory_edge()?;
        }
        if let Some(traced_ps) = &mut self.traced_ps {
            *traced_ps = (edges.time_fs / FS_PER_PS).max(*traced_ps + 1);
            self.instance.set_time(*traced_ps);
        }
        for (number, ports) in self.domains.iter().enumerate() {
            let rises = edges.rises(number);
            if rises || edges.falling >> number & 1 == 1 {
                self.rising[number] += u64::from(rises);
                self.instance.set(ports.clock, rises.into());
            }
        }
        self.instance.eval()?;
        if let Some(recorder) = &mut self.recorder {
            recorder.note(&self.instance);
        }
        if core {
            self.drive_core();
        }
        if tmu {
            self.surroundings.drive_tmu(&mut self.instance);
        }
        if memory {
            self.drive_memory();
        }
        if edges.rises(0) && self.rising[0] - self.last_progress > self.patience_clocks {
            self.check_standstill()?;
        }
        Ok(())
    }

    /// The bus models of the core's clock at its rising edge.
    fn core_edge(&mut self) -> Result<(), Cause> {
        let mut progress = self.surroundings.core_edge(&self.instance)?;
        if let Some(ports) = &self.control_ports {
            progress |= self.control.clock(ports.shown(&self.instance))?;
        }
        if progress {
            self.last_progress = self.rising[0];
        }
        Ok(())
    }

    /// The memory at the rising edge of its clock.
    fn memory_edge(&mut self) -> Result<(), Cause> {
        let events = self.memory.clock(self.memory_ports.shown(&self.instance))?;
        if events.taken.is_some() {
            self.last_progress = self.rising[0];
        }
        self.surroundings.memory_edge(&events, &self.memory, self.in_reset != 0)
    }

    pub(crate) fn drive_core(&mut self) {
        self.surroundings.drive(&mut self.instance);
        if let Some(ports) = &self.control_ports {
            ports.drive(&mut self.instance, self.control.driven());
        }
    }

    pub(super) fn drive_memory(&mut self) {
        self.memory_ports.drive(&mut self.instance, &self.memory.driven());
    }

    fn check_standstill(&mut self) -> Result<(), Cause> {
        if self.in_reset != 0 || !self.busy() {
            self.last_progress = self.rising[0];
            return Ok(());
        }
        let mut waiting = self.surroundings.waits_for();
        waiting.push(format!("memory owes {} reads", self.memory.outstanding_reads()));
        if self.control.busy() {
            waiting.push("the control port owes an answer".to_owned());
        }
        Err(Cause::Hang { clocks: self.patience_clocks, waiting: waiting.join(", ") })
    }
}
