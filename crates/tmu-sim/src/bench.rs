//! A texture unit on its bench: clocks, resets, bus models, and the scoreboard of each unit.
//!
//! [`Bench::step`] goes to the next clock edge of any clock. Before a rising edge the bus models of that clock
//! see what the hardware shows; after it they change what they show. The falling edge lets combinational paths
//! settle. A step costs one evaluation of the model and, at a rising edge, a few loads and stores for each
//! port with something to say.
//!
//! Whatever breaks a rule ends the simulation with a [`Failure`](crate::Failure): a wrong result, a bus rule, a read that
//! nothing needs, an assertion in the Verilog, or standstill.

mod commands;
mod edges;
mod options;

pub use options::{BenchOptions, Domain};

use crate::bus::control::ControlDriver;
use crate::bus::memory::{LengthFault, MemoryPort};
use crate::bus::request::{Packet, RequestDriver};
use crate::bus::result::{ResultBeat, ResultMonitor};
use crate::clock::{FS_PER_PS, Schedule};
use crate::contents::{Fault, TextureMemory};
use crate::coverage::{Coverage, Disturbance};
use crate::error::{Cause, Result};
use crate::ports::{ControlPorts, DomainPorts, MemoryPorts, UnitPorts};
use crate::rtl::Rtl;
use crate::scoreboard::Scoreboard;
use crate::tape::{Recorder, Tape};
use std::path::Path;
use std::sync::Arc;
use tmu_model::UnitCache;
use tmu_spec::config::CacheKind;
use tmu_spec::{Config, Quad};
use tmu_verilate::{Instance, Model};

/// One unit's bus models.
#[derive(Debug)]
struct UnitBench {
    ports: UnitPorts,
    requests: RequestDriver,
    results: ResultMonitor,
    scoreboard: Scoreboard,
    /// Quads sent and not answered, counted without the scoreboard.
    due: u64,
    /// What is offered was offered before the last reset, and stays until it is taken.
    left_over: bool,
    answered: u64,
    collected: Vec<ResultBeat>,
}

/// See the module's documentation.
#[derive(Debug)]
pub struct Bench {
    instance: Instance,
    domains: Vec<DomainPorts>,
    /// Bit i: the reset of domain i is asserted.
    in_reset: u8,
    reads_per_unit: u32,
    /// Number of the domain that the memory port is on.
    memory_domain: usize,
    schedule: Schedule,
    units: Vec<UnitBench>,
    memory_ports: MemoryPorts,
    memory: MemoryPort,
    control_ports: Option<ControlPorts>,
    control: ControlDriver,
    options: BenchOptions,
    time_fs: u64,
    rising: [u64; 3],
    last_progress: u64,
    /// Reads that were made to fail.
    failed_reads: u64,
    /// Resets and commands, among what was exercised.
    disturbances: Coverage,
    traced_ps: Option<u64>,
    recorder: Option<Recorder>,
    last_event: Option<String>,
}

impl Bench {
    /// Sets a model up with all resets asserted, over memory with some contents.
    ///
    /// # Errors
    /// If the model lacks a port or cannot be made an instance of.
    pub fn new(
        model: &Model,
        rtl: &Rtl,
        options: BenchOptions,
        contents: Arc<TextureMemory>,
    ) -> Result<Self, tmu_verilate::Error> {
        let config = &rtl.config;
        let domains = Domain::of(config);
        let shapes = [options.core, options.tmu, options.memory];
        let seed = |number: u64| options.seed.wrapping_mul(0x9e37_79b9).wrapping_add(number << 8);
        let unit = |number: u32| {
            let at = u64::from(number) * 2;
            Ok(UnitBench {
                ports: UnitPorts::find(model, number, config)?,
                requests: RequestDriver::new(options.stream_pauses, seed(16 + at)),
                results: ResultMonitor::new(
                    format!("m_axis_res{number}"),
                    options.result_pauses.unwrap_or(options.stream_pauses),
                    seed(17 + at),
                ),
                scoreboard: Scoreboard::new(number as usize, *config.features(), Arc::clone(&contents))
                    .with_prefetch(config.cache().kind() == CacheKind::Prefetch)
                    .with_cache(UnitCache::new(config)),
                due: 0,
                left_over: false,
                answered: 0,
                collected: Vec::new(),
            })
        };
        let units = (0..config.units()).map(unit).collect::<Result<_, tmu_verilate::Error>>()?;
        let control_ports = config.control().port().then(|| ControlPorts::find(model)).transpose()?;
        let memory = MemoryPort::new(config.axi(), config.units(), options.memory_timing, contents, seed(1));
        let mut bench = Self {
            instance: model.instance_with(options.initial)?,
            domains: DomainPorts::find_all(model, config)?,
            in_reset: 0,
            reads_per_unit: config.axi().outstanding_reads(),
            memory_domain: domains.len() - 1,
            schedule: Schedule::new(&shapes[..domains.len()], seed(2)),
            units,
            memory_ports: MemoryPorts::find(model)?,
            memory,
            control_ports,
            control: ControlDriver::new(options.stream_pauses, seed(3)),
            options,
            time_fs: 0,
            rising: [0; 3],
            last_progress: 0,
            failed_reads: 0,
            disturbances: Coverage::default(),
            traced_ps: None,
            recorder: None,
            last_event: None,
        };
        for domain in Domain::ALL {
            bench.assert_reset(domain);
        }
        bench.drive_core();
        bench.drive_memory();
        Ok(bench)
    }

    /// Writes a waveform from now on. The model must be built for it.
    ///
    /// # Errors
    /// If it is not, or the file cannot be made.
    pub fn trace(&mut self, path: &Path) -> Result<(), tmu_verilate::Error> {
        self.instance.trace_open(path)?;
        self.traced_ps = Some(0);
        Ok(())
    }

    /// Records all ports from now on.
    pub fn record(&mut self) {
        self.recorder = Some(Recorder::new(self.instance.model()));
    }

    /// What was recorded; nothing without [`Bench::record`].
    pub fn take_tape(&mut self) -> Tape {
        self.recorder.take().map(Recorder::finish).unwrap_or_default()
    }

    /// Writes what the model has covered. The model must be built for it.
    ///
    /// # Errors
    /// If it is not, or the file cannot be made.
    pub fn write_coverage(&mut self, path: &Path) -> Result<(), tmu_verilate::Error> {
        self.instance.coverage_write(path)
    }

    /// Whether there is a control port.
    #[must_use]
    pub const fn has_control(&self) -> bool {
        self.control_ports.is_some()
    }

    /// Number of units.
    #[must_use]
    pub fn units(&self) -> usize {
        self.units.len()
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

    /// Lets results wait from the next clock on, or takes them again.
    pub fn hold_results(&mut self, held: bool) {
        self.units.iter_mut().for_each(|unit| unit.results.hold(held));
    }

    /// Whether a unit offers a result from before the last reset.
    #[must_use]
    pub fn offers_left_over(&self, unit: usize) -> bool {
        self.units[unit].left_over
    }

    /// Whether a unit offers a result.
    #[must_use]
    pub fn offers(&self, unit: usize) -> bool {
        self.units[unit].ports.result_valid(&self.instance)
    }

    /// Quads of a unit that were answered, and found right if results are checked.
    #[must_use]
    pub fn answered(&self, unit: usize) -> u64 {
        self.units[unit].answered
    }

    /// Beats of a unit that wait to be sent.
    #[must_use]
    pub fn queued_beats(&self, unit: usize) -> usize {
        self.units[unit].requests.queued_beats()
    }

    /// Quads of all units that were sent and are not answered, or wait to be sent.
    #[must_use]
    pub fn owed_quads(&self) -> u64 {
        self.units.iter().map(|unit| unit.due + unit.requests.queued_quads() as u64).sum()
    }

    /// Beats that a unit has read from memory.
    #[must_use]
    pub fn memory_beats(&self, unit: usize) -> u64 {
        self.memory.beats_by_unit()[unit]
    }

    /// What the requests of all units have exercised.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        let mut all = self.disturbances.clone();
        for unit in &self.units {
            all.add(unit.scoreboard.coverage());
        }
        all
    }

    /// Takes the results of a unit, in their order; only a bench that is told to collects them.
    pub fn take_results(&mut self, unit: usize) -> Vec<ResultBeat> {
        std::mem::take(&mut self.units[unit].collected)
    }

    /// Queues a packet for a unit.
    pub fn send(&mut self, unit: usize, packet: Packet) {
        self.units[unit].requests.push(packet);
    }

    /// Puts other contents in place. Nothing may be in flight.
    pub fn set_contents(&mut self, contents: &Arc<TextureMemory>) {
        self.memory.set_contents(Arc::clone(contents));
        for unit in &mut self.units {
            unit.scoreboard.set_memory(Arc::clone(contents));
        }
    }

    /// Makes the next read fail that memory could answer. Quads that need the line may be answered with the error bit
    /// until [`Bench::excuse_none`].
    pub const fn fail_next_read(&mut self, fault: Fault) {
        self.memory.fail_next(Some(fault));
    }

    /// Makes the next answer of memory that can be of the wrong length so; see [`MemoryPort::break_next_answer`]. Quads that
    /// need what the hardware cannot trust then may be answered with the error bit until [`Bench::excuse_none`].
    pub const fn break_next_answer(&mut self, fault: LengthFault) {
        self.memory.break_next_answer(fault);
    }

    /// Ends [`Bench::fail_next_read`] and [`Bench::break_next_answer`]: every quad must be right again. Returns the reads that
    /// were made to fail or to be answered with the wrong length and the quads that were excused for it, since the start.
    ///
    /// # Errors
    /// If a quad has failed that needed nothing of what could not be read or trusted.
    pub fn excuse_none(&mut self) -> Result<(u64, u64)> {
        self.memory.fail_next(None);
        self.memory.mend();
        let excused = self.units.iter_mut().map(|unit| unit.scoreboard.excuse_none());
        let excused: Result<u64, Cause> = excused.sum();
        let excused = excused.map_err(|cause| self.failure(cause))?;
        Ok((self.failed_reads + self.memory.broken_answers(), excused))
    }

    /// Makes the answers to the next reads of the wrong length, so many of them; to single beats none can be too short.
    /// No quad is excused for it.
    pub const fn break_answers(&mut self, fault: LengthFault, count: u64) {
        self.memory.break_answers(fault, count);
    }

    /// Reads whose answers were made of the wrong length.
    #[must_use]
    pub const fn broken_answers(&self) -> u64 {
        self.memory.broken_answers()
    }

    /// Reads under way.
    #[must_use]
    pub fn reads_under_way(&self) -> usize {
        self.memory.outstanding()
    }

    /// Tells the memory where the texture window is, after the register was written.
    pub const fn set_window_base(&mut self, window_base: u64) {
        self.memory.set_window_base(window_base);
    }

    fn disturb(&mut self, disturbance: Disturbance) {
        self.disturbances.disturbance(disturbance, self.memory.outstanding() > 0);
    }

    fn note(&mut self, event: &str) {
        self.last_event = Some(format!("{event} at {} ps", self.time_ps()));
    }

    /// Asserts a reset. Whatever is in flight is forgotten; requests that were not sent are taken back.
    pub fn assert_reset(&mut self, domain: Domain) {
        let number = domain as usize;
        let Some(ports) = self.domains.get(number) else { return };
        self.in_reset |= 1 << number;
        self.instance.set(ports.reset, 0);
        self.disturb(match domain {
            Domain::Core => Disturbance::CoreReset,
            Domain::Tmu => Disturbance::TmuReset,
            Domain::Memory => Disturbance::MemoryReset,
        });
        self.note(&format!("reset of {domain:?} asserted"));
        self.forget_requests();
        if domain == Domain::Core {
            self.control.clear();
            // No other reset takes back what is offered.
            self.units.iter_mut().for_each(|unit| unit.results.clear());
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
            self.forget_in_flight();
        }
    }

    /// Releases all resets after some clocks.
    ///
    /// # Errors
    /// As [`Bench::step`].
    pub fn start(&mut self) -> Result<()> {
        self.run_clocks(16)?;
        for domain in Domain::ALL {
            self.release_reset(domain);
        }
        Ok(())
    }

    /// Takes back all requests that were not sent, even in the middle of a packet.
    pub fn forget_requests(&mut self) {
        for unit in &mut self.units {
            unit.requests.clear();
        }
        self.drive_core();
    }

    /// Forgets all quads in flight and what is bound, as a reset does; but a result that is offered stays.
    pub fn forget_in_flight(&mut self) {
        for unit in &mut self.units {
            unit.left_over = unit.ports.result_valid(&self.instance);
            unit.scoreboard.clear(self.reads_per_unit, unit.left_over);
            unit.due = 0;
        }
        self.last_progress = self.rising[0];
    }

    /// Whether requests were sent that are not answered, or wait to be sent.
    #[must_use]
    pub fn busy(&self) -> bool {
        self.units.iter().any(|unit| unit.due > 0 || unit.requests.queued_beats() > 0) || self.control.busy()
    }

    /// Goes on until everything that was asked for is answered.
    ///
    /// # Errors
    /// As [`Bench::step`].
    pub fn run_until_idle(&mut self) -> Result<()> {
        while self.busy() {
            self.step()?;
        }
        Ok(())
    }

    /// Goes on for some clocks of `core_aclk`.
    ///
    /// # Errors
    /// As [`Bench::step`].
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
        let clocks = self.options.patience_clocks;
        let end = self.rising[0] + clocks;
        while lasts(self)? {
            if self.rising[0] > end {
                return Err(self.failure(Cause::Hang { clocks, waiting: waiting(self) }));
            }
        }
        Ok(())
    }

    /// Sends a quad to a unit.
    pub fn sample(&mut self, unit: usize, quad: &Quad, config: &Config) {
        self.send(unit, Packet::sample(quad, config.request().beats_per_quad()));
    }
}
