//! A system on its bench: clocks, resets, memory and the control port, and around them what its engines need.
//!
//! [`System::step`] goes to the next clock edge of any clock. Before a rising edge the bus models of that clock
//! see what the hardware shows; after it they change what they show. The falling edge lets combinational paths
//! settle. A step costs one evaluation of the model and, at a rising edge, a few loads and stores for each
//! port with something to say.
//!
//! Whatever breaks a rule ends the simulation with a [`Failure`]: a bus rule, what the engine's bench holds to be wrong, an
//! assertion in the Verilog, or standstill.

mod edges;
mod options;
mod registers;
mod surroundings;

pub use options::SystemOptions;
pub use surroundings::Surroundings;

use crate::kit::clock::{FS_PER_PS, Schedule};
use crate::kit::control::ControlDriver;
use crate::kit::domain::Domain;
use crate::kit::error::{Cause, Failure, Result};
use crate::kit::memory::{Contents, Memory};
use crate::kit::ports::{ControlPorts, DomainPorts, MemoryPorts};
use crate::kit::tape::{Recorder, Tape};
use std::path::Path;
use tmu_spec::Config;
use tmu_verilate::{Direction, Instance, Model};

/// One instance of a system over memory with some contents. See the module's documentation.
#[derive(Debug)]
pub struct System<C, S> {
    instance: Instance,
    domains: Vec<DomainPorts>,
    /// Bit i: the reset of domain i is asserted.
    in_reset: u8,
    /// Number of the domain that the memory port is on.
    memory_domain: usize,
    schedule: Schedule,
    surroundings: S,
    memory_ports: MemoryPorts,
    memory: Memory<C>,
    control_ports: Option<ControlPorts>,
    control: ControlDriver,
    patience_clocks: u64,
    time_fs: u64,
    rising: [u64; 3],
    last_progress: u64,
    traced_ps: Option<u64>,
    recorder: Option<Recorder>,
    last_event: Option<String>,
}

impl<C: Contents, S: Surroundings<C>> System<C, S> {
    /// Sets a model up with all inputs low but those that are driven, for engines without streams, and all resets asserted.
    ///
    /// # Errors
    /// If the model lacks a port or cannot be made an instance of.
    pub fn without_streams(
        model: &Model,
        config: &Config,
        options: &SystemOptions,
        contents: C,
        surroundings: S,
    ) -> tmu_verilate::Result<Self> {
        let mut instance = model.instance_with(options.initial)?;
        // Streams of other engines are silent.
        for port in model.ports(Direction::Input) {
            match model.describe(port).width_bits {
                0..=64 => instance.set(port, 0),
                wide => instance.set_wide(port, &vec![0; wide.div_ceil(32) as usize]),
            }
        }
        Self::around(instance, config, options, contents, surroundings)
    }

    /// Sets an instance up with all resets asserted.
    ///
    /// # Errors
    /// If the model lacks a port.
    pub fn around(
        instance: Instance,
        config: &Config,
        options: &SystemOptions,
        contents: C,
        surroundings: S,
    ) -> tmu_verilate::Result<Self> {
        let model = instance.model();
        let domains = DomainPorts::find_all(model, config)?;
        let shapes = [options.core, options.tmu, options.memory];
        let control_ports = config.control().port().then(|| ControlPorts::find(model)).transpose()?;
        let mut system = Self {
            memory_ports: MemoryPorts::find(model, config)?,
            instance,
            in_reset: 0,
            memory_domain: domains.len() - 1,
            schedule: Schedule::new(&shapes[..domains.len()], options.seed_of(2)),
            domains,
            surroundings,
            memory: Memory::new(config, options.memory_timing, contents, options.seed_of(1)),
            control_ports,
            control: ControlDriver::new(options.control_pauses, options.seed_of(3)),
            patience_clocks: options.patience_clocks,
            time_fs: 0,
            rising: [0; 3],
            last_progress: 0,
            traced_ps: None,
            recorder: None,
            last_event: None,
        };
        for domain in Domain::ALL {
            system.assert_reset(domain);
        }
        system.drive_core();
        system.drive_memory();
        Ok(system)
    }

    /// What its engines' bench adds.
    pub const fn surroundings(&self) -> &S {
        &self.surroundings
    }

    /// The same, to be changed.
    pub const fn surroundings_mut(&mut self) -> &mut S {
        &mut self.surroundings
    }

    /// Its memory.
    pub const fn memory(&self) -> &Memory<C> {
        &self.memory
    }

    /// The same, to be changed.
    pub const fn memory_mut(&mut self) -> &mut Memory<C> {
        &mut self.memory
    }

    /// The instance.
    pub const fn instance(&self) -> &Instance {
        &self.instance
    }

    /// Writes a waveform from now on. The model must be built for it.
    ///
    /// # Errors
    /// If it is not, or the file cannot be made.
    pub fn trace(&mut self, path: &Path) -> tmu_verilate::Result<()> {
        self.instance.trace_open(path)?;
        self.traced_ps = Some(0);
        Ok(())
    }

    /// Records all ports from now on.
    pub fn record(&mut self) {
        self.recorder = Some(Recorder::new(self.instance.model()));
    }

    /// What was recorded; nothing without [`System::record`].
    pub fn take_tape(&mut self) -> Tape {
        self.recorder.take().map(Recorder::finish).unwrap_or_default()
    }

    /// Writes what the model has covered. The model must be built for it.
    ///
    /// # Errors
    /// If it is not, or the file cannot be made.
    pub fn write_coverage(&mut self, path: &Path) -> tmu_verilate::Result<()> {
        self.instance.coverage_write(path)
    }

    /// Whether there is a control port.
    #[must_use]
    pub const fn has_control(&self) -> bool {
        self.control_ports.is_some()
    }

    /// Simulated time.
    #[must_use]
    pub const fn time_ps(&self) -> u64 {
        self.time_fs / FS_PER_PS
    }

    /// Rising edges of a clock so far.
    #[must_use]
    pub const fn clocks(&self, domain: Domain) -> u64 {
        self.rising[domain as usize]
    }

    /// What an output of one bit shows.
    ///
    /// # Errors
    /// If there is no such port.
    pub fn output(&self, name: &str) -> tmu_verilate::Result<bool> {
        Ok(self.instance.get(self.instance.model().port(name)?) != 0)
    }

    /// Remembers what was done to the hardware, for the report of a failure.
    pub(crate) fn note(&mut self, event: &str) {
        self.last_event = Some(format!("{event} at {} ps", self.time_ps()));
    }

    pub(crate) fn failure(&self, cause: Cause) -> Failure {
        Failure { cause, time_ps: self.time_ps(), last_event: self.last_event.clone(), repeat: None }
    }

    /// Asserts a reset; memory is reset with its clock. Whatever is in flight is forgotten.
    pub fn assert_reset(&mut self, domain: Domain) {
        let number = domain as usize;
        let Some(ports) = self.domains.get(number) else { return };
        self.in_reset |= 1 << number;
        self.instance.set(ports.reset, 0);
        self.surroundings.reset_asserted(domain, self.memory.outstanding_reads() > 0);
        self.note(&format!("reset of {domain:?} asserted"));
        self.drive_core();
        if domain == Domain::Core {
            self.control.clear();
        }
        if number == self.memory_domain {
            self.memory.clear();
            self.drive_memory();
        }
    }

    /// Releases a reset.
    pub fn release_reset(&mut self, domain: Domain) {
        let number = domain as usize;
        let Some(ports) = self.domains.get(number) else { return };
        self.in_reset &= !(1 << number);
        self.instance.set(ports.reset, 1);
        self.note(&format!("reset of {domain:?} released"));
        if self.in_reset == 0 {
            self.lose_in_flight();
        }
    }

    /// What was in flight is lost, as behind a reset.
    pub(crate) fn lose_in_flight(&mut self) {
        self.surroundings.lose_in_flight(&self.instance);
        self.last_progress = self.rising[0];
    }

    /// Releases all resets after some clocks.
    ///
    /// # Errors
    /// As [`System::step`].
    pub fn start(&mut self) -> Result<()> {
        self.run_clocks(16)?;
        for domain in Domain::ALL {
            self.release_reset(domain);
        }
        Ok(())
    }

    /// Whether anything was asked for that is not answered, or waits to be sent.
    #[must_use]
    pub fn busy(&self) -> bool {
        self.surroundings.busy() || self.control.busy()
    }

    /// Goes on until everything that was asked for is answered.
    ///
    /// # Errors
    /// As [`System::step`].
    pub fn run_until_idle(&mut self) -> Result<()> {
        while self.busy() {
            self.step()?;
        }
        Ok(())
    }

    /// Goes on for some clocks of `core_aclk`.
    ///
    /// # Errors
    /// As [`System::step`].
    pub fn run_clocks(&mut self, clocks: u64) -> Result<()> {
        let end = self.rising[0] + clocks;
        while self.rising[0] < end {
            self.step()?;
        }
        Ok(())
    }

    /// Goes on while something lasts, for as long as the patience allows. `lasts` looks, and takes time in doing so or
    /// steps itself; `waiting` says what it is that does not end.
    pub(crate) fn wait_while(
        &mut self,
        mut lasts: impl FnMut(&mut Self) -> Result<bool>,
        waiting: impl FnOnce(&Self) -> String,
    ) -> Result<()> {
        let clocks = self.patience_clocks;
        let end = self.rising[0] + clocks;
        while lasts(self)? {
            if self.rising[0] > end {
                return Err(self.failure(Cause::Hang { clocks, waiting: waiting(self) }));
            }
        }
        Ok(())
    }
}
