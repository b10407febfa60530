//! Random bindings and quads while entries of the parameter store are written over the control port, and loaded from tables in memory.
//!
//! A run has rounds. In each the streams name some entries and the port writes the others; then they change places, once everything
//! is answered and the port has nothing to do: what a driver may count on, and no more.

use super::comparison::{Comparison, Lane, Outcome, Run};
use super::traffic::Traffic;
use crate::engines::sampler::contents::TextureMemory;
use crate::kit::control::{Access, Answer};
use crate::kit::error::{Cause, Result};
use crate::kit::memory::Fault;
use crate::kit::rtl::Rtl;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tmu_rtl::sampler::store_port::registers::{BINDING, OF_TABLE, STORE_SPACE, TABLE};
use tmu_spec::TEXTURE_ADDRESS_BITS;
use tmu_spec::general::binding::{Words, with};
use tmu_spec::general::field::{ALL, ENABLES, SETS_ENABLES};
use tmu_spec::general::store::{line_of_entry, written};
use tmu_verilate::Model;

/// Tables in memory.
const TABLES: u32 = 4;
/// Bytes of the texture window.
const WINDOW_BYTES: u32 = 1 << TEXTURE_ADDRESS_BITS;
/// Steps of a run within which the port must be done.
const PATIENCE: usize = 2000;

/// What was written while quads were answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// Entries by registers.
    pub sent: u64,
    /// Entries from tables, those that could not be read among them.
    pub loaded: u64,
    /// Loads of which an entry could not be read.
    pub failed: u64,
}

/// The address of a register.
fn address(name: &str) -> u32 {
    let mut all = TABLE.iter().chain(OF_TABLE).chain(&BINDING);
    let register = all.find(|register| register.name == name).expect("the port has the register");
    STORE_SPACE.base_bytes + register.offset_bytes
}

/// Where a table stands: anywhere in the window, one of them over its end.
fn place_of_table(number: u32) -> u32 {
    match number {
        0 => 0x7fff_ff90,
        number => number * 0x1234_5670,
    }
}

/// Words of a binding with enables, which in some runs break a rule.
fn any_words(rng: &mut ChaCha8Rng, traffic: &Traffic, errors: bool) -> Words {
    let words = traffic.binding(rng).words();
    let words = match errors && rng.random_range(0..8) == 0 {
        true => with(words, ALL[rng.random_range(0..ALL.len())], rng.random()),
        false => words,
    };
    match rng.random_range(0..4) {
        0 => words,
        _ => with(with(words, ENABLES, rng.random_range(0..16)), SETS_ENABLES, 1),
    }
}

/// Puts tables into memory, of which some lines cannot be read.
fn tables(contents: &mut TextureMemory, traffic: &Traffic, comparison: &Comparison) {
    let mut rng = ChaCha8Rng::seed_from_u64(comparison.seed ^ 0x7ab1e);
    for table in (0..TABLES).map(place_of_table) {
        let mut bytes = vec![];
        for entry in 0..=traffic.entries()[3] {
            // Where it is kept says the place in the table.
            let words = written(any_words(&mut rng, traffic, comparison.errors), rng.random_range(0..64));
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            if comparison.errors && rng.random_range(0..4) == 0 {
                contents.fail(line_of_entry(table, entry, rng.random_range(0..5)), Fault::Decode);
            }
        }
        let behind = bytes.split_off(bytes.len().min((WINDOW_BYTES - table) as usize));
        contents.place(table, bytes);
        contents.place(0, behind);
    }
}

/// Runs a comparison with writes.
///
/// # Errors
/// The first result that differs, with its quad and binding; whatever else ends a simulation.
///
/// # Panics
/// If the configuration is none of the general numerics, or has not both ways to write its stores.
pub fn compare_while_written(
    model: &Model,
    rtl: &Rtl,
    comparison: &Comparison,
    rounds: u32,
) -> Result<(Outcome, Written)> {
    let traffic = Traffic::new(&rtl.config).expect("the configuration is one of the general numerics");
    let mut contents = TextureMemory::noise(comparison.seed);
    tables(&mut contents, &traffic, comparison);
    let mut run = Run::new(model, rtl, comparison, contents)?;
    let mut written = Written::default();
    run.bench.start()?;
    let [a, b, c, d] = traffic.entries();
    for round in 0..rounds {
        let halves = if round % 2 == 0 { [[a, b], [c, d]] } else { [[c, d], [a, b]] };
        run.named = Some(halves[0]);
        let mut round =
            Round { run: &mut run, errors: comparison.errors, written: &mut written, left: comparison.quads };
        round.all(halves[1])?;
    }
    Ok((run.outcome, written))
}

/// A part of a run in which nothing changes places.
struct Round<'a> {
    run: &'a mut Run,
    errors: bool,
    written: &'a mut Written,
    /// Quads that are still to be sent.
    left: u64,
}

impl Round<'_> {
    fn step(&mut self) -> Result<()> {
        self.left -= self.run.step(self.left)?;
        Ok(())
    }

    fn all(&mut self, entries: [u32; 2]) -> Result<()> {
        let end = self.run.outcome.quads + self.left;
        while self.left > 0 {
            self.step()?;
            let entry = entries[self.run.rng.random_range(0..2)];
            let units = self.run.rng.random_range(1..1u32 << self.run.lanes.len());
            if self.run.rng.random() {
                self.send(entry, units)?
            } else {
                self.load(entry, units)?
            }
            self.wait()?;
        }
        for _ in 0..PATIENCE {
            if self.run.outcome.quads == end {
                return Ok(());
            }
            self.step()?;
        }
        Err(self.run.bench.failure(Cause::Check("quads are not answered".into())))
    }

    fn access(&mut self, access: Access) -> Result<u32> {
        match self.run.bench.access(access)? {
            Answer { data, response: 0 } => Ok(data),
            answer => Err(self.run.bench.failure(Cause::Check(format!("{access:?} is answered {answer:?}")))),
        }
    }

    fn write(&mut self, register: &str, data: u32) -> Result<()> {
        self.access(Access::Write { address: address(register), data, strobe: 15 }).map(|_| ())
    }

    fn read(&mut self, register: &str) -> Result<u32> {
        self.access(Access::Read { address: address(register) })
    }

    /// Waits for the port, while the streams go on.
    fn wait(&mut self) -> Result<()> {
        for _ in 0..PATIENCE {
            if self.read("STORE_STATUS")? == 0 {
                return Ok(());
            }
            self.step()?;
        }
        Err(self.run.bench.failure(Cause::Check("the store port stays busy".into())))
    }

    /// The golden units that are written.
    fn chosen(&mut self, units: u32) -> impl Iterator<Item = &mut Lane> {
        let lanes = self.run.lanes.iter_mut().enumerate();
        lanes.filter(move |(unit, _)| units >> unit & 1 == 1).map(|(_, lane)| lane)
    }

    /// Writes an entry by registers.
    fn send(&mut self, entry: u32, units: u32) -> Result<()> {
        let words = any_words(&mut self.run.rng, &self.run.traffic, self.errors);
        for (number, register) in BINDING.iter().enumerate() {
            self.write(register.name, (words[number / 4] >> (32 * (number % 4))) as u32)?;
        }
        for (register, value) in [("STORE_UNITS", units), ("STORE_ENTRY", entry), ("STORE_CONTROL", 1)] {
            self.write(register, value)?;
        }
        for lane in self.chosen(units) {
            // A rule that it breaks is told in the status.
            let _ = lane.golden.take_binding(&written(words, entry));
        }
        self.written.sent += 1;
        Ok(())
    }

    /// Loads an entry from a table, or an entry and those behind it that nobody names.
    fn load(&mut self, entry: u32, units: u32) -> Result<()> {
        let table = place_of_table(self.run.rng.random_range(0..TABLES));
        let [.., third, last] = self.run.traffic.entries();
        let count = match entry {
            entry if entry == third => self.run.rng.random_range(1..=last - third),
            _ => 1,
        };
        for (register, value) in [
            ("STORE_UNITS", units),
            ("STORE_ENTRY", entry),
            ("STORE_COUNT", count),
            ("STORE_TABLE", table),
            ("STORE_LOAD", 1),
        ] {
            self.write(register, value)?;
        }
        let mut expected = None;
        for lane in self.chosen(units) {
            expected = lane.golden.load_entries(table, entry, count).err();
        }
        self.wait()?;
        let loaded = self.read("STORE_LOADED")?;
        let failed = (loaded & 1 == 1).then_some(loaded >> 8);
        if failed != expected {
            let said = format!("loading fails at entry {failed:?}, not {expected:?}");
            return Err(self.run.bench.failure(Cause::Check(said)));
        }
        self.written.loaded += u64::from(count);
        self.written.failed += u64::from(failed.is_some());
        Ok(())
    }
}
