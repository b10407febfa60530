//! From one clock edge to the next.

use super::{Bench, UnitBench};
use crate::bus::request::Request;
use crate::clock::{Edges, FS_PER_PS};
use crate::error::{Cause, Failure, Result};

impl Bench {
    /// Goes to the next clock edge.
    ///
    /// # Errors
    /// Whatever the module's documentation lists.
    pub fn step(&mut self) -> Result<()> {
        let edges = self.schedule.advance();
        self.time_fs = edges.time_fs;
        self.step_to(edges).map_err(|cause| self.failure(cause))
    }

    pub(crate) fn failure(&self, cause: Cause) -> Failure {
        Failure { cause, time_ps: self.time_ps(), last_event: self.last_event.clone(), repeat: None }
    }

    fn step_to(&mut self, edges: Edges) -> Result<(), Cause> {
        let core = edges.rises(0) && self.in_reset & 1 == 0;
        let memory = edges.rises(self.memory_domain) && self.in_reset >> self.memory_domain & 1 == 0;
        if core {
            self.core_edge()?;
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
        if memory {
            self.drive_memory();
        }
        if edges.rises(0) && self.rising[0] - self.last_progress > self.options.patience_clocks {
            self.check_standstill()?;
        }
        Ok(())
    }

    /// The bus models of the core's clock at its rising edge.
    fn core_edge(&mut self) -> Result<(), Cause> {
        let mut progress = false;
        for unit in &mut self.units {
            let (taken, request) = unit.requests.clock(unit.ports.request_ready(&self.instance));
            progress |= taken;
            if let Some(request) = request {
                unit.due += u64::from(matches!(request, Request::Sample(_)));
                if self.options.checked {
                    unit.scoreboard.request(&request);
                }
            }
            let valid = unit.ports.result_valid(&self.instance);
            let received = unit.results.clock(valid, || unit.ports.result(&self.instance))?;
            if let Some(beat) = received {
                progress = true;
                if self.options.collected {
                    unit.collected.push(beat);
                }
                if std::mem::take(&mut unit.left_over) {
                    if self.options.checked {
                        unit.scoreboard.left_over(beat)?;
                    }
                    continue;
                }
                unit.due = unit.due.saturating_sub(1);
                if self.options.checked {
                    unit.scoreboard.result(beat)?;
                }
                unit.answered += 1;
            }
        }
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
        let address = self.memory_ports.address(&self.instance);
        let ready = self.memory_ports.data_ready(&self.instance);
        let events = self.memory.clock(address, ready)?;
        if let Some((unit, line)) = events.failed {
            self.failed_reads += 1;
            self.units[unit].scoreboard.excuse(line);
        }
        if let Some(fault) = events.broken {
            self.disturbances.broken_answer(fault);
        }
        if let Some(taken) = events.taken {
            self.last_progress = self.rising[0];
            if self.options.checked && self.in_reset == 0 {
                let unit = self.memory.unit_of(taken.id);
                for beat in 0..u64::from(taken.beats()) {
                    let address = taken.address + beat * u64::from(tmu_spec::LINE_BYTES);
                    let line = self.memory.line_at(address).ok_or_else(|| {
                        Cause::Check(format!("unit {unit} reads {address:#x}, outside the texture window"))
                    })?;
                    let scoreboard = &mut self.units[unit].scoreboard;
                    scoreboard.read(line)?;
                    if events.broken.is_some() {
                        scoreboard.mislead(line);
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn drive_core(&mut self) {
        for unit in &self.units {
            unit.ports.drive_request(&mut self.instance, &unit.requests);
            unit.ports.drive_result(&mut self.instance, &unit.results);
        }
        if let Some(ports) = &self.control_ports {
            ports.drive(&mut self.instance, self.control.driven());
        }
    }

    pub(super) fn drive_memory(&mut self) {
        self.memory_ports.drive(&mut self.instance, &self.memory);
    }

    fn check_standstill(&mut self) -> Result<(), Cause> {
        if self.in_reset != 0 || !self.busy() {
            self.last_progress = self.rising[0];
            return Ok(());
        }
        let of_unit = |(number, unit): (usize, &UnitBench)| {
            let (due, queued) = (unit.due, unit.requests.queued_beats());
            format!("unit {number} owes {due} results and has {queued} beats waiting")
        };
        let mut waiting: Vec<_> = self.units.iter().enumerate().map(of_unit).collect();
        waiting.push(format!("memory owes {} reads", self.memory.outstanding()));
        let clocks = self.options.patience_clocks;
        Err(Cause::Hang { clocks, waiting: waiting.join(", ") })
    }
}
