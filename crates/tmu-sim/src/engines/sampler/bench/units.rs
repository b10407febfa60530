//! The streams of texture units, and the scoreboard of each.

use crate::engines::sampler::bench::options::BenchOptions;
use crate::engines::sampler::bench::ports::UnitPorts;
use crate::engines::sampler::contents::{TextureMemory, TextureWindow};
use crate::engines::sampler::coverage::{Coverage, Disturbance};
use crate::engines::sampler::scoreboard::Scoreboard;
use crate::engines::sampler::streams::request::{Packet, Request, RequestDriver};
use crate::engines::sampler::streams::result::{ResultBeat, ResultMonitor};
use crate::kit::domain::Domain;
use crate::kit::error::Cause;
use crate::kit::memory::{Memory, MemoryEvents};
use crate::kit::system::Surroundings;
use std::sync::Arc;
use tmu_model::UnitCache;
use tmu_spec::config::{CacheKind, EngineKind};
use tmu_spec::{Config, LINE_BYTES};
use tmu_verilate::{Instance, Model, Result};

/// One unit's bus models.
#[derive(Debug)]
pub(super) struct Unit {
    ports: UnitPorts,
    pub(super) requests: RequestDriver,
    pub(super) results: ResultMonitor,
    pub(super) scoreboard: Scoreboard,
    /// Quads sent and not answered, counted without the scoreboard.
    pub(super) due: u64,
    /// What is offered was offered before the last reset, and stays until it is taken.
    pub(super) left_over: bool,
    pub(super) answered: u64,
    pub(super) collected: Vec<ResultBeat>,
    pub(super) collected_reads: Vec<UnitRead>,
}

/// A read of a unit, as memory gets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitRead {
    /// Its first line, counted from the start of the texture window.
    pub line: u32,
    /// How many lines.
    pub lines: u32,
}

impl Unit {
    fn new(
        number: u32,
        model: &Model,
        config: &Config,
        options: &BenchOptions,
        contents: Arc<TextureMemory>,
    ) -> Result<Self> {
        let seed = |part: u64| options.system().seed_of(part + 2 * u64::from(number));
        Ok(Self {
            ports: UnitPorts::find(model, number, config)?,
            requests: RequestDriver::new(options.stream_pauses, seed(16)),
            results: ResultMonitor::new(
                format!("m_axis_res{number}"),
                options.result_pauses.unwrap_or(options.stream_pauses),
                seed(17),
            ),
            scoreboard: Scoreboard::new(number as usize, *config.features(), contents)
                .with_prefetch(config.cache().kind() == CacheKind::Prefetch)
                .with_cache(UnitCache::new(config)),
            due: 0,
            left_over: false,
            answered: 0,
            collected: Vec::new(),
            collected_reads: Vec::new(),
        })
    }

    pub(super) fn offers(&self, instance: &Instance) -> bool {
        self.ports.result_valid(instance)
    }
}

/// Channels for reads have the order of the engines.
fn first_channel(config: &Config) -> usize {
    let before = config.engines().iter().take_while(|kind| **kind != EngineKind::Sampler);
    before.map(|kind| kind.channels(config.units()).reads as usize).sum()
}

/// The units of a system.
#[derive(Debug)]
pub struct Units {
    pub(super) units: Vec<Unit>,
    checked: bool,
    collected: bool,
    reads_per_unit: u32,
    /// Number of the first unit's channel to memory, behind those of engines that are listed before.
    first_channel: usize,
    /// Reads that were made to fail.
    pub(super) failed_reads: u64,
    /// The unit and the line of the last one.
    pub(super) failed_read: Option<(usize, u32)>,
    /// Resets and commands, among what was exercised.
    pub(super) disturbances: Coverage,
}

impl Units {
    pub(super) fn new(
        model: &Model,
        config: &Config,
        options: &BenchOptions,
        contents: &Arc<TextureMemory>,
    ) -> Result<Self> {
        let unit = |number| Unit::new(number, model, config, options, Arc::clone(contents));
        Ok(Self {
            units: (0..config.units()).map(unit).collect::<Result<_>>()?,
            checked: options.checked,
            collected: options.collected,
            reads_per_unit: config.axi().outstanding_reads(),
            first_channel: first_channel(config),
            failed_reads: 0,
            failed_read: None,
            disturbances: Coverage::default(),
        })
    }

    /// The unit whose channel to memory it is; none of another engine's.
    pub(super) fn number_of(&self, channel: usize) -> Option<usize> {
        channel.checked_sub(self.first_channel).filter(|number| *number < self.units.len())
    }

    /// The channel to memory of a unit.
    pub(super) const fn channel_of(&self, number: usize) -> usize {
        self.first_channel + number
    }

    /// Queues a packet.
    pub(super) fn send(&mut self, unit: usize, packet: Packet) {
        self.units[unit].requests.push(packet);
    }

    pub(super) fn forget_requests(&mut self) {
        self.units.iter_mut().for_each(|unit| unit.requests.clear());
    }

    /// A transfer of a unit's result stream.
    fn result(&mut self, number: usize, beat: ResultBeat) -> Result<(), Cause> {
        let unit = &mut self.units[number];
        if self.collected {
            unit.collected.push(beat);
        }
        if std::mem::take(&mut unit.left_over) {
            return if self.checked { unit.scoreboard.left_over(beat) } else { Ok(()) };
        }
        let ended_quads = u64::from(beat.last);
        unit.due = unit.due.saturating_sub(ended_quads);
        if self.checked {
            unit.scoreboard.result(beat)?;
        }
        unit.answered += ended_quads;
        Ok(())
    }
}

impl Surroundings<TextureWindow> for Units {
    fn core_edge(&mut self, instance: &Instance) -> Result<bool, Cause> {
        let mut progress = false;
        for number in 0..self.units.len() {
            let unit = &mut self.units[number];
            let (taken, request) = unit.requests.clock(unit.ports.request_ready(instance));
            progress |= taken;
            if let Some(request) = request {
                unit.due += u64::from(matches!(request, Request::Sample(_)));
                if self.checked {
                    unit.scoreboard.request(&request);
                }
            }
            let valid = unit.ports.result_valid(instance);
            if let Some(beat) = unit.results.clock(valid, || unit.ports.result(instance))? {
                progress = true;
                self.result(number, beat)?;
            }
        }
        Ok(progress)
    }

    fn memory_edge(
        &mut self,
        events: &MemoryEvents,
        memory: &Memory<TextureWindow>,
        in_reset: bool,
    ) -> Result<(), Cause> {
        let window = memory.contents();
        if let Some((channel, address)) = events.failed {
            self.failed_reads += 1;
            self.failed_read = self.number_of(channel).zip(window.line_at(address));
            if let Some((number, line)) = self.failed_read {
                self.units[number].scoreboard.excuse(line);
            }
        }
        if let Some(fault) = events.broken {
            self.disturbances.broken_answer(fault);
        }
        let Some(taken) = events.taken.filter(|_| !in_reset) else { return Ok(()) };
        let Some(number) = self.number_of(memory.channel_of(taken.id)) else { return Ok(()) };
        let unit = &mut self.units[number];
        let line = window.line_at(taken.address);
        if let Some(line) = line.filter(|_| self.collected) {
            unit.collected_reads.push(UnitRead { line, lines: taken.beats() });
        }
        if !self.checked {
            return Ok(());
        }
        for beat in 0..u64::from(taken.beats()) {
            let address = taken.address + beat * u64::from(LINE_BYTES);
            let line = window.line_at(address).ok_or_else(|| {
                Cause::Check(format!("unit {number} reads {address:#x}, outside the texture window"))
            })?;
            unit.scoreboard.read(line)?;
            if events.broken.is_some() {
                unit.scoreboard.mislead(line);
            }
        }
        Ok(())
    }

    fn drive(&self, instance: &mut Instance) {
        for unit in &self.units {
            unit.ports.drive_request(instance, &unit.requests);
            unit.ports.drive_result(instance, &unit.results);
        }
    }

    fn busy(&self) -> bool {
        self.units.iter().any(|unit| unit.due > 0 || unit.requests.queued_beats() > 0)
    }

    fn waits_for(&self) -> Vec<String> {
        let of_unit = |(number, unit): (usize, &Unit)| {
            let (due, queued) = (unit.due, unit.requests.queued_beats());
            format!("unit {number} owes {due} results and has {queued} beats waiting")
        };
        self.units.iter().enumerate().map(of_unit).collect()
    }

    /// Requests that were not sent are taken back.
    fn reset_asserted(&mut self, domain: Domain, reads_under_way: bool) {
        let disturbance = match domain {
            Domain::Core => Disturbance::CoreReset,
            Domain::Tmu => Disturbance::TmuReset,
            Domain::Memory => Disturbance::MemoryReset,
        };
        self.disturbances.disturbance(disturbance, reads_under_way);
        self.forget_requests();
        if domain == Domain::Core {
            // No other reset takes back what is offered.
            self.units.iter_mut().for_each(|unit| unit.results.clear());
        }
    }

    /// What is bound is forgotten, too; but a result that is offered stays.
    fn lose_in_flight(&mut self, instance: &Instance) {
        for unit in &mut self.units {
            unit.left_over = unit.ports.result_valid(instance);
            unit.scoreboard.clear(self.reads_per_unit, unit.left_over);
            unit.due = 0;
        }
    }
}
