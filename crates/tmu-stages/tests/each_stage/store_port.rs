//! `store_port`: what its registers read, and which packets units get of them and of a table in memory.

use crate::general_support::changed;
use crate::support::{is_high, number};
use rand::Rng;
use std::collections::BTreeMap;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_rtl::sampler::store_port::StorePort;
use tmu_rtl::sampler::store_port::registers::{BINDING, OF_TABLE, TABLE, table};
use tmu_rtl::sampler::store_switch::STORE_BEAT_BITS;
use tmu_rtl::system::registers::{Access, REGISTER_BYTES, Register};
use tmu_spec::Config;
use tmu_spec::general::binding::Words;
use tmu_spec::general::field::WORDS;
use tmu_spec::general::store::{line_of_entry, unreadable, written};
use tmu_stages::{Check, Rig};

/// Clocks within which anything must be done that nothing keeps waiting.
const PATIENCE: usize = 4000;

pub(crate) fn config(units: u32, entries: u32, has_table: bool) -> Config {
    let config = changed(
        "port",
        &format!(
            "[texture]\nstore_entries = {entries}\n[control]\nstore_port = true\nstore_table = {has_table}"
        ),
    );
    let text = config.canonical_toml().to_owned();
    let several = text.replace("units = 1", &format!("units = {units}"));
    Config::from_toml(&several).unwrap_or_else(|refused| panic!("{refused}"))
}

/// A port with its units and its memory.
struct Bench {
    rig: Rig<StorePort>,
    /// What each unit was sent so far, beat by beat.
    got: Vec<Vec<(u128, bool)>>,
    /// Once in so many clocks a unit takes a beat.
    takes_in: u32,
    lines: BTreeMap<u32, Result<u128, ()>>,
    /// The line that is read, and clocks until it comes.
    reading: Option<(u32, usize)>,
    reads: Vec<u32>,
}

impl Bench {
    fn new(config: &Config) -> Bench {
        // Both forms stand beside each other in one model.
        let name = if config.control().store_table() { "store_port_table" } else { "store_port" };
        let rig = Rig::new(name, StorePort::new(config));
        let got = vec![vec![]; rig.units.len()];
        Bench { rig, got, takes_in: 1, lines: BTreeMap::new(), reading: None, reads: vec![] }
    }

    fn tick(&mut self, check: &mut Check) {
        let takes: Vec<bool> = self.rig.units.iter().map(|_| check.one_in(self.takes_in)).collect();
        for (unit, takes) in self.rig.units.iter().zip(&takes) {
            unit.ready.drive(*takes);
        }
        if let Some(table) = self.rig.table.as_ref() {
            let comes = self.reading.filter(|(_, left)| *left == 0);
            let line = comes.map(|(line, _)| self.lines.get(&line).copied().unwrap_or(Err(())));
            table.line_valid.drive(comes.is_some());
            let noise = check.rng.random();
            let data = line.map_or(noise, |line| line.unwrap_or(noise));
            table.line_data.drive(Bits::constant(Value::from_u128(128, data)));
            table.line_error.drive(line.is_some_and(|line| line.is_err()));
            table.read.ready.drive(check.one_in(2));
        }
        self.rig.settle();
        if let Some(table) = self.rig.table.as_ref() {
            self.reading = self.reading.and_then(|(line, left)| left.checked_sub(1).map(|left| (line, left)));
            if is_high(table.read.valid.val()) && is_high(table.read.ready.val()) {
                check.holds(self.reading.is_none(), "a line is waited for");
                let line = table.read.data.val().to_u64() as u32;
                self.reads.push(line);
                self.reading = Some((line, check.rng.random_range(0..9)));
            }
        }
        for ((unit, got), takes) in self.rig.units.iter().zip(&mut self.got).zip(takes) {
            if is_high(unit.valid.val()) && takes {
                let beat = unit.data.val();
                got.push((beat.low(STORE_BEAT_BITS - 1).value().low_u128(), is_high(beat.high(1))));
            }
        }
        self.rig.tick();
    }

    /// An access to a register; what is read, unless it fails.
    fn access(&mut self, check: &mut Check, register: &str, write: Option<(u32, u8)>) -> Result<u32, ()> {
        let number_of = register_of(register).offset_bytes / REGISTER_BYTES;
        self.access_number(check, number_of, write)
    }

    fn access_number(&mut self, check: &mut Check, place: u32, write: Option<(u32, u8)>) -> Result<u32, ()> {
        let port = &self.rig.registers;
        port.valid.drive(true);
        port.is_write.drive(write.is_some());
        port.address.drive(number(6, place));
        let (data, strobes) = write.unwrap_or((check.rng.random(), check.rng.random_range(0..16)));
        port.write_data.drive(number(32, data));
        port.strobes.drive(number(4, strobes));
        for _ in 0..PATIENCE {
            self.rig.settle();
            let port = &self.rig.registers;
            let done = is_high(port.done.val());
            let read = (!is_high(port.failed.val())).then(|| port.read_data.val().to_u64() as u32);
            self.tick(check);
            if done {
                self.rig.registers.valid.drive(false);
                for _ in 0..check.rng.random_range(1..4) {
                    self.tick(check);
                }
                return read.ok_or(());
            }
        }
        check.fail(format!("an access to register {place} is not done"))
    }

    fn write(&mut self, check: &mut Check, register: &str, data: u32) {
        let done = self.access(check, register, Some((data, 15)));
        check.holds(done.is_ok(), format_args!("{register} is written"));
    }

    /// Waits until nothing is at work.
    fn wait(&mut self, check: &mut Check) {
        for _ in 0..PATIENCE {
            if self.access(check, "STORE_STATUS", None) == Ok(0) {
                return;
            }
        }
        check.fail("the port stays busy")
    }

    /// Compares what units were sent since the last time with packets.
    fn same_packets(&mut self, check: &mut Check, mask: u32, packets: &[Words]) {
        let beats = |words: &Words| {
            words.iter().enumerate().map(|(at, word)| (*word, at + 1 == WORDS)).collect::<Vec<_>>()
        };
        let expected: Vec<_> = packets.iter().flat_map(beats).collect();
        for (unit, got) in self.got.iter_mut().enumerate() {
            let owed = if mask >> unit & 1 == 1 { &expected[..] } else { &[] };
            check.same(
                format_args!("packets of unit {unit} of {mask:#x}"),
                std::mem::take(got),
                owed.to_vec(),
            );
        }
    }
}

fn register_of(name: &str) -> Register {
    let mut all = TABLE.iter().chain(OF_TABLE).chain(&BINDING);
    *all.find(|register| register.name == name).unwrap_or_else(|| panic!("no register {name}"))
}

/// Any words, with what they hold and what is told of entries.
fn any_words(check: &mut Check) -> Words {
    std::array::from_fn(|_| check.rng.random())
}

fn write_binding(check: &mut Check, bench: &mut Bench, words: &Words) {
    for (place, register) in BINDING.iter().enumerate() {
        bench.write(check, register.name, (words[place / 4] >> (32 * (place % 4))) as u32);
    }
}

#[test]
pub(crate) fn registers() {
    let mut check = Check::new("store_port, registers");
    for has_table in [false, true] {
        let config = config(2, 128, has_table);
        let mut bench = Bench::new(&config);
        let table = table(&config);
        let mut held: BTreeMap<u32, u32> =
            table.iter().map(|register| (register.offset_bytes / REGISTER_BYTES, register.reset())).collect();
        for _ in 0..1500 {
            let place = check.rng.random_range(0..64u32);
            let register = table.iter().find(|register| register.offset_bytes == place * REGISTER_BYTES);
            // Commands are for the other tests.
            if register.is_some_and(|register| register.access == Access::Command) {
                continue;
            }
            let write = check.one_in(2).then(|| (check.rng.random::<u32>(), check.rng.random_range(0..16)));
            let done = bench.access_number(&mut check, place, write);
            check.same(format_args!("register {place} is there"), done.is_ok(), register.is_some());
            let (Some(register), Ok(read)) = (register, done) else { continue };
            match write {
                Some((data, strobes)) if register.access == Access::ReadWrite => {
                    let bytes: u32 =
                        (0..4).filter(|byte| strobes >> byte & 1 == 1).map(|byte| 0xff << (8 * byte)).sum();
                    let mask = bytes & register.mask();
                    let value = held.entry(place).or_default();
                    *value = *value & !mask | data & mask;
                }
                Some(_) => {}
                None => check.same(register.name, read, held[&place]),
            }
        }
    }
    check.at_least(1500);
}

#[test]
pub(crate) fn packets() {
    let mut check = Check::new("store_port, packets");
    for (units, entries, takes_in) in [(1, 64, 1), (3, 128, 2), (16, 128, 5)] {
        let mut bench = Bench::new(&config(units, entries, false));
        bench.takes_in = takes_in;
        for _ in 0..20 {
            let words = any_words(&mut check);
            let entry = check.rng.random_range(0..entries);
            let mask = check.rng.random::<u32>() & 0xffff;
            write_binding(&mut check, &mut bench, &words);
            bench.write(&mut check, "STORE_UNITS", mask);
            bench.write(&mut check, "STORE_ENTRY", entry);
            bench.write(&mut check, "STORE_CONTROL", 1);
            bench.wait(&mut check);
            bench.same_packets(&mut check, mask, &[written(words, entry)]);
        }
        // A unit that takes nothing: what is at work stays as it is, and reads go on.
        let words = any_words(&mut check);
        write_binding(&mut check, &mut bench, &words);
        bench.write(&mut check, "STORE_UNITS", 1);
        bench.takes_in = u32::MAX;
        bench.write(&mut check, "STORE_CONTROL", 1);
        let seen = bench.access(&mut check, "STORE_STATUS", None);
        check.same("at work", seen, Ok(1));
        for refused in ["STORE_CONTROL", "STORE_UNITS", "STORE_ENTRY", "STORE_BINDING_7"] {
            let write = Some((check.rng.random(), 15));
            let seen = bench.access(&mut check, refused, write);
            check.same(refused, seen, Err(()));
        }
        let seen = bench.access(&mut check, "STORE_BINDING_7", None);
        check.same("a word at work", seen, Err(()));
        let seen = bench.access(&mut check, "STORE_UNITS", None);
        check.same("units", seen, Ok(1));
        let entry = bench.access(&mut check, "STORE_ENTRY", None).unwrap_or_default();
        bench.takes_in = 1;
        bench.wait(&mut check);
        bench.same_packets(&mut check, 1, &[written(words, entry)]);
        bench.rig.reset();
        let after = [
            bench.access(&mut check, "STORE_BINDING_7", None),
            bench.access(&mut check, "STORE_UNITS", None),
        ];
        check.same("registers after a reset", after, [Ok(0), Ok(0xffff)]);
    }
    check.at_least(60);
}

#[test]
pub(crate) fn entries_of_tables() {
    let mut check = Check::new("store_port, tables");
    for (units, entries) in [(1, 64), (3, 128)] {
        let mut bench = Bench::new(&config(units, entries, true));
        bench.takes_in = 2;
        for round in 0..40 {
            let address = 16 * check.rng.random_range(0..1u32 << 27);
            let address = if round % 8 == 0 { 0x7fff_ff00 } else { address };
            let first = check.rng.random_range(0..entries);
            let first = if round % 5 == 0 { entries - 2 } else { first };
            let count = check.pick(&[0, 1, 1, 2, 3, 5]);
            let last = (first + count).min(entries);
            bench.lines.clear();
            let mut expected = vec![];
            let mut failed = 0;
            for entry in first..last {
                let words = any_words(&mut check);
                let broken = check.one_in(3).then(|| check.rng.random_range(0..WORDS));
                for (number, word) in words.iter().enumerate() {
                    let line = line_of_entry(address, entry, number as u32);
                    bench.lines.insert(line, if broken == Some(number) { Err(()) } else { Ok(*word) });
                }
                if broken.is_some() && failed == 0 {
                    failed = 1 | entry << 8;
                }
                expected.push(if broken.is_some() { unreadable(entry) } else { written(words, entry) });
            }
            for (register, value) in
                [("STORE_TABLE", address), ("STORE_ENTRY", first), ("STORE_COUNT", count), ("STORE_LOAD", 1)]
            {
                bench.write(&mut check, register, value);
            }
            bench.wait(&mut check);
            bench.same_packets(&mut check, u32::MAX, &expected);
            let number = |entry: u32| (0..WORDS as u32).map(move |word| line_of_entry(address, entry, word));
            let reads: Vec<u32> = (first..last).flat_map(number).collect();
            check.same("lines that are read", std::mem::take(&mut bench.reads), reads);
            let told = bench
                .access(&mut check, "STORE_LOADED", None)
                .map(|value| if value & 1 == 0 { 0 } else { value });
            if count > 0 {
                check.same("what could not be read", told, Ok(failed));
            }
            // What is written by registers comes out as it is, whatever was loaded before.
            if check.one_in(3) {
                let words = any_words(&mut check);
                write_binding(&mut check, &mut bench, &words);
                bench.write(&mut check, "STORE_CONTROL", 1);
                bench.wait(&mut check);
                bench.same_packets(&mut check, u32::MAX, &[written(words, first)]);
            }
        }
    }
    check.at_least(200);
}
