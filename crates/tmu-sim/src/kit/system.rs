//! A system between memory and control port.

use super::clock::{ClockShape, Edges, FS_PER_PS, Schedule};
use super::control::{Access, Answer, ControlDriver};
use super::memory::{Address, Memory, Shown, WriteBeat};
use super::pauses::Pauses;
use crate::bench::Domain;
use crate::error::{Cause, Failure, Result};
use crate::ports::{ControlPorts, DomainPorts};
use tmu_spec::Config;
use tmu_verilate::{Direction, Initial, Instance, Model, PortId};

/// Clocks of the control port after which an access, or a wait, is given up.
const PATIENCE_CLOCKS: u64 = 200_000;

/// `m_axi`, all five channels.
#[derive(Debug)]
struct MemoryPorts {
    /// valid, ready, id, address, len, size, burst.
    read: [PortId; 7],
    write: [PortId; 7],
    /// valid, ready, data, strobes, last.
    beat: [PortId; 5],
    /// valid, ready, id, response.
    response: [PortId; 4],
    /// valid, ready, id, data, response, last.
    data: [PortId; 6],
}

impl MemoryPorts {
    fn find(model: &Model) -> tmu_verilate::Result<Self> {
        fn ports<const N: usize>(
            model: &Model,
            of: &str,
            names: [&str; N],
        ) -> tmu_verilate::Result<[PortId; N]> {
            let found: tmu_verilate::Result<Vec<_>> =
                names.iter().map(|name| model.port(&format!("m_axi_{of}{name}"))).collect();
            Ok(found?.try_into().unwrap_or_else(|_| unreachable!("one port for each name")))
        }
        let address = ["valid", "ready", "id", "addr", "len", "size", "burst"];
        Ok(Self {
            read: ports(model, "ar", address)?,
            write: ports(model, "aw", address)?,
            beat: ports(model, "w", ["valid", "ready", "data", "strb", "last"])?,
            response: ports(model, "b", ["valid", "ready", "id", "resp"])?,
            data: ports(model, "r", ["valid", "ready", "id", "data", "resp", "last"])?,
        })
    }

    fn shown(&self, instance: &Instance) -> Shown {
        let get = |port| instance.get(port);
        let address = |[valid, _, id, address, len, size, burst]: [PortId; 7]| {
            (get(valid) != 0).then(|| Address {
                id: get(id) as u32,
                address: get(address),
                len: get(len) as u8,
                size: get(size) as u8,
                burst: get(burst) as u8,
            })
        };
        Shown {
            read: address(self.read),
            read_ready: get(self.data[1]) != 0,
            write: address(self.write),
            beat: (get(self.beat[0]) != 0).then(|| WriteBeat {
                data: instance.get_u128(self.beat[2]),
                strobes: get(self.beat[3]) as u16,
                last: get(self.beat[4]) != 0,
            }),
            response_ready: get(self.response[1]) != 0,
        }
    }

    fn drive(&self, instance: &mut Instance, memory: &Memory) {
        let driven = memory.driven();
        instance.set(self.read[1], driven.read_ready.into());
        instance.set(self.write[1], driven.write_ready.into());
        instance.set(self.beat[1], driven.beat_ready.into());
        instance.set(self.data[0], driven.read.is_some().into());
        if let Some(beat) = driven.read {
            let words: [u32; 4] = std::array::from_fn(|word| (beat.data >> (32 * word)) as u32);
            instance.set(self.data[2], beat.id.into());
            instance.set_wide(self.data[3], &words);
            instance.set(self.data[4], beat.response.into());
            instance.set(self.data[5], beat.last.into());
        }
        instance.set(self.response[0], driven.response.is_some().into());
        if let Some((id, response)) = driven.response {
            instance.set(self.response[2], id.into());
            instance.set(self.response[3], response.into());
        }
    }
}

/// One instance of a system with its memory. It must have write channels, a control port, and memory on `tmu_aclk`.
#[derive(Debug)]
pub struct System {
    instance: Instance,
    domains: Vec<DomainPorts>,
    /// Bit i: the reset of domain i is asserted.
    in_reset: u8,
    schedule: Schedule,
    control: ControlDriver,
    control_ports: ControlPorts,
    memory_ports: MemoryPorts,
    memory: Memory,
    rising: [u64; 2],
    time_fs: u64,
}

impl System {
    /// Sets a model up with all resets asserted.
    ///
    /// # Errors
    /// If the model lacks a port or cannot be made an instance of.
    pub fn new(
        model: &Model,
        config: &Config,
        memory: Memory,
        pauses: Pauses,
        seed: u64,
    ) -> tmu_verilate::Result<Self> {
        let clocks = config.clocks();
        let shapes = [clocks.core_mhz(), clocks.tmu_mhz()].map(ClockShape::from_mhz);
        let mut system = Self {
            instance: model.instance_with(Initial::Random(seed as u32))?,
            domains: DomainPorts::find_all(model, config)?,
            in_reset: 0,
            schedule: Schedule::new(&shapes, seed),
            control: ControlDriver::new(pauses, seed),
            control_ports: ControlPorts::find(model)?,
            memory_ports: MemoryPorts::find(model)?,
            memory,
            rising: [0; 2],
            time_fs: 0,
        };
        // Streams of other engines are silent.
        for port in model.ports(Direction::Input) {
            match model.describe(port).width_bits {
                0..=64 => system.instance.set(port, 0),
                wide => system.instance.set_wide(port, &vec![0; wide.div_ceil(32) as usize]),
            }
        }
        for domain in [Domain::Core, Domain::Tmu] {
            system.assert_reset(domain);
        }
        Ok(system)
    }

    /// Its memory.
    pub const fn memory(&mut self) -> &mut Memory {
        &mut self.memory
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

    /// Asserts a reset; memory is reset with its clock.
    pub fn assert_reset(&mut self, domain: Domain) {
        self.in_reset |= 1 << domain as usize;
        self.instance.set(self.domains[domain as usize].reset, 0);
        match domain {
            Domain::Core => self.control.clear(),
            _ => self.memory.clear(),
        }
        self.drive();
    }

    /// Releases a reset.
    pub fn release_reset(&mut self, domain: Domain) {
        self.in_reset &= !(1 << domain as usize);
        self.instance.set(self.domains[domain as usize].reset, 1);
    }

    /// Releases all resets after some clocks, and waits until the registers answer.
    ///
    /// # Errors
    /// As [`System::step`].
    pub fn start(&mut self) -> Result<()> {
        self.run_clocks(16)?;
        for domain in [Domain::Core, Domain::Tmu] {
            self.release_reset(domain);
        }
        self.run_clocks(32)
    }

    fn drive(&mut self) {
        self.control_ports.drive(&mut self.instance, self.control.driven());
        self.memory_ports.drive(&mut self.instance, &self.memory);
    }

    fn failure(&self, cause: Cause) -> Failure {
        Failure { cause, time_ps: self.time_fs / FS_PER_PS, last_event: None, repeat: None }
    }

    /// Goes to the next clock edge.
    ///
    /// # Errors
    /// If the hardware breaks a rule of a bus, or breaks down.
    pub fn step(&mut self) -> Result<()> {
        let edges = self.schedule.advance();
        self.time_fs = edges.time_fs;
        self.step_to(edges).map_err(|cause| self.failure(cause))
    }

    fn step_to(&mut self, edges: Edges) -> std::result::Result<(), Cause> {
        let is_live = |domain: usize| edges.rises(domain) && self.in_reset >> domain & 1 == 0;
        let (core, tmu) = (is_live(0), is_live(1));
        if core {
            self.control.clock(self.control_ports.shown(&self.instance))?;
        }
        if tmu {
            self.memory.clock(self.memory_ports.shown(&self.instance))?;
        }
        for (number, ports) in self.domains.iter().enumerate() {
            let rises = edges.rises(number);
            if rises || edges.falling >> number & 1 == 1 {
                self.rising[number] += u64::from(rises);
                self.instance.set(ports.clock, rises.into());
            }
        }
        self.instance.eval()?;
        if core || tmu {
            self.drive();
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

    /// Does one access and waits for its answer.
    ///
    /// # Errors
    /// As [`System::step`], and if no answer comes.
    pub fn access(&mut self, access: Access) -> Result<Answer> {
        self.control.push(access);
        let end = self.rising[0] + PATIENCE_CLOCKS;
        loop {
            if let Some(answer) = self.control.answer() {
                return Ok(answer);
            }
            if self.rising[0] > end {
                let waiting = format!("{access:x?} is not answered");
                return Err(self.failure(Cause::Hang { clocks: PATIENCE_CLOCKS, waiting }));
            }
            self.step()?;
        }
    }

    /// Reads a register.
    ///
    /// # Errors
    /// As [`System::access`], and if it answers with an error.
    pub fn read(&mut self, address: u32) -> Result<u32> {
        let answer = self.access(Access::Read { address })?;
        if answer.response == 0 {
            return Ok(answer.data);
        }
        Err(self.failure(Cause::Check(format!("reading {address:#x} answered {}", answer.response))))
    }

    /// Writes a register. Gives whether it was taken.
    ///
    /// # Errors
    /// As [`System::access`].
    pub fn write(&mut self, address: u32, data: u32) -> Result<bool> {
        Ok(self.access(Access::Write { address, data, strobe: 15 })?.response == 0)
    }
}
