//! The Wishbone buses of the engine: the master of its registers, and the slave that has the points of the mesh. Both have classic
//! cycles, with random waits.

use crate::kit::control::{Access, Answer};
use crate::kit::domain::Domain;
use crate::kit::memory::{Bytes, Contents as _, Line, Memory};
use crate::kit::pauses::{Pauser, Pauses};
use crate::kit::system::Surroundings;
use tmu_spec::LINE_BYTES;
use tmu_verilate::{Instance, Model, PortId, Result};

/// Bytes of a word of the buses.
const WORD_BYTES: u64 = 4;
/// How an access is answered that ends with ERR.
const FAILED: u8 = 2;

/// The ports of a bus, by what the engine calls them: inputs of its slave, outputs of its master, and the other way round.
#[derive(Debug, Clone, Copy)]
struct BusPorts {
    cyc: PortId,
    stb: PortId,
    we: PortId,
    adr: PortId,
    sel: PortId,
    dat_i: PortId,
    dat_o: PortId,
    ack: PortId,
    err: PortId,
}

impl BusPorts {
    fn find(model: &Model, bus: &str) -> Result<Self> {
        let port = |signal: &str| model.port(&format!("{bus}_{signal}"));
        Ok(Self {
            cyc: port("cyc")?,
            stb: port("stb")?,
            we: port("we")?,
            adr: port("adr")?,
            sel: port("sel")?,
            dat_i: port("dat_i")?,
            dat_o: port("dat_o")?,
            ack: port("ack")?,
            err: port("err")?,
        })
    }

    /// Whether a master asks for something.
    fn is_asked(self, instance: &Instance) -> bool {
        instance.get(self.cyc) != 0 && instance.get(self.stb) != 0
    }
}

/// Both buses.
#[derive(Debug)]
struct Buses {
    registers: BusPorts,
    points: BusPorts,
    pauser: Pauser,
    /// The access of a register that is under way; it is shown once it has begun.
    access: Option<Access>,
    is_shown: bool,
    answer: Option<Answer>,
    /// What the point that was asked for is answered with; none with ERR.
    given: Option<Option<u32>>,
}

/// What stands around an engine: nothing, or its Wishbone buses.
#[derive(Debug)]
pub struct MeshBench(Option<Buses>);

impl MeshBench {
    /// For an engine that has the buses, or has not.
    ///
    /// # Errors
    /// If the model lacks a port.
    pub fn new(model: &Model, is_wishbone: bool, pauses: Pauses, seed: u64) -> Result<Self> {
        if !is_wishbone {
            return Ok(Self(None));
        }
        Ok(Self(Some(Buses {
            registers: BusPorts::find(model, "mesh_slave")?,
            points: BusPorts::find(model, "mesh_master")?,
            pauser: Pauser::new(pauses, seed),
            access: None,
            is_shown: false,
            answer: None,
            given: None,
        })))
    }

    /// Whether registers are behind Wishbone.
    #[must_use]
    pub const fn is_wishbone(&self) -> bool {
        self.0.is_some()
    }

    /// Begins an access of a register, at an address in the engine's block.
    pub const fn push(&mut self, access: Access) {
        if let Some(buses) = &mut self.0 {
            buses.access = Some(access);
            buses.answer = None;
        }
    }

    /// How it was answered, once it was.
    pub fn answer(&mut self) -> Option<Answer> {
        self.0.as_mut()?.answer.take()
    }
}

impl Buses {
    /// The registers' bus at an edge of its clock.
    fn registers(&mut self, instance: &Instance) {
        let (ports, is_read) = (self.registers, matches!(self.access, Some(Access::Read { .. })));
        if !self.is_shown {
            self.is_shown = self.access.is_some() && !self.pauser.paused();
        } else if instance.get(ports.ack) != 0 || instance.get(ports.err) != 0 {
            let response = if instance.get(ports.err) != 0 { FAILED } else { 0 };
            let data = if is_read { instance.get(ports.dat_o) as u32 } else { 0 };
            self.answer = Some(Answer { data, response });
            (self.access, self.is_shown) = (None, false);
        }
    }

    /// That of the points.
    fn points(&mut self, instance: &Instance, memory: &Memory<Bytes>) {
        let is_asked = self.points.is_asked(instance);
        if self.given.take().is_none() && is_asked && !self.pauser.paused() {
            let address = instance.get(self.points.adr) * WORD_BYTES;
            let place = address % u64::from(LINE_BYTES);
            let line = memory.contents().read(address - place);
            let word =
                |line: Line| line[place as usize..].first_chunk().map(|word| u32::from_le_bytes(*word));
            self.given = Some(line.ok().and_then(word));
        }
    }

    fn drive(&self, instance: &mut Instance) {
        let ports = self.registers;
        instance.set(ports.cyc, self.is_shown.into());
        instance.set(ports.stb, self.is_shown.into());
        if let (true, Some(access)) = (self.is_shown, self.access) {
            let (address, is_write, data, strobe) = match access {
                Access::Read { address } => (address, false, 0, 15),
                Access::Write { address, data, strobe } => (address, true, data, strobe),
            };
            instance.set(ports.adr, u64::from(address) / WORD_BYTES);
            instance.set(ports.we, is_write.into());
            instance.set(ports.dat_i, data.into());
            instance.set(ports.sel, strobe.into());
        }
        let ports = self.points;
        instance.set(ports.ack, matches!(self.given, Some(Some(_))).into());
        instance.set(ports.err, matches!(self.given, Some(None)).into());
        instance.set(ports.dat_i, self.given.flatten().unwrap_or_default().into());
    }
}

impl Surroundings<Bytes> for MeshBench {
    fn tmu_edge(&mut self, instance: &Instance, memory: &Memory<Bytes>) {
        if let Some(buses) = &mut self.0 {
            buses.registers(instance);
            buses.points(instance, memory);
        }
    }

    fn drive_tmu(&self, instance: &mut Instance) {
        if let Some(buses) = &self.0 {
            buses.drive(instance);
        }
    }

    fn busy(&self) -> bool {
        self.0.as_ref().is_some_and(|buses| buses.access.is_some())
    }

    fn waits_for(&self) -> Vec<String> {
        if self.busy() { vec!["the Wishbone slave owes an answer".to_owned()] } else { Vec::new() }
    }

    fn reset_asserted(&mut self, domain: Domain, _reads_under_way: bool) {
        if let (Domain::Tmu, Some(buses)) = (domain, &mut self.0) {
            (buses.access, buses.is_shown, buses.given) = (None, false, None);
        }
    }
}
