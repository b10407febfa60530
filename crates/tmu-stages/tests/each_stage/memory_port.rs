//! `memory_port` in front of a memory that answers when it likes: each unit gets the line that it asked for last, whatever
//! flushes come between.

use crate::support::{any_bits, configs, is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_rtl::engine::memory::ReadShape;
use tmu_rtl::system::memory_port::MemoryPort;
use tmu_spec::{Config, LINE_BYTES};
use tmu_stages::{Check, Rig};

#[test]
pub(crate) fn four_units() {
    memory_port("memory_port_four", &configs::four_units());
}

#[test]
pub(crate) fn one_unit() {
    memory_port("memory_port_one", &configs::blocking());
}

/// A read that memory has taken.
#[derive(Debug)]
struct Read {
    id: u64,
    line: u64,
    serial: u64,
}

/// What a unit waits for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    Idle,
    Asks {
        line: u64,
    },
    /// Reads that memory took before the unit asked are none of its own.
    Waits {
        line: u64,
        since: u64,
    },
}

fn memory_port(name: &str, config: &Config) {
    const CLOCKS: usize = 8000;
    let line_bits = config.cache().line_address_bits() as usize;
    let mut check = Check::new(name);
    let engines = tmu_rtl::engines::engines(config);
    let shapes: Vec<_> = engines.reads().iter().map(|channel| channel.shape).collect();
    let mut rig = Rig::new(name, MemoryPort::new(config, &shapes));
    let window = check.rng.random_range(0..1u64 << 20);
    if let Some(net) = rig.window_line.as_ref() {
        net.drive(window);
    }
    let mut units = vec![Unit::Idle; config.units() as usize];
    let mut under_way: VecDeque<Read> = VecDeque::new();
    let (mut serial, mut flushes, mut answered) = (0, 0u32, 0u64);
    for _ in 0..CLOCKS {
        if flushes == 0 && check.one_in(50) {
            flushes = check.rng.random_range(2..5);
            units.fill(Unit::Idle);
        }
        rig.flush.drive(flushes > 0);
        for (unit, read) in units.iter_mut().zip(&rig.reads) {
            if *unit == Unit::Idle && flushes == 0 && check.one_in(3) {
                *unit = Unit::Asks { line: check.rng.random_range(0..1u64 << line_bits) };
            }
            let line = if let Unit::Asks { line } = unit { Some(*line) } else { None };
            read.valid.drive(line.is_some());
            read.data.drive(line.unwrap_or(0));
        }
        let takes = check.one_in(2);
        rig.axi.arready.drive(takes);
        answer(&mut check, &rig, &mut under_way);
        rig.settle();
        for (number, unit) in units.iter_mut().enumerate() {
            if flushes == 0 && is_high(rig.line_valid[number].val()) {
                let data = rig.line_data.val();
                let (got, of) = (data.low(64).to_u64(), data.high(64).to_u64());
                let Unit::Waits { line, since } = *unit else {
                    check.fail(format!("unit {number} gets line {got:#x} and is {unit:?}"))
                };
                check.same(format_args!("line of unit {number}"), got, window + line);
                check.holds(
                    of >= since,
                    format_args!("unit {number} gets read {of}, and asked when {since} had been taken"),
                );
                check.same("it was read well", is_high(rig.line_response.val()), false);
                *unit = Unit::Idle;
                answered += 1;
            }
        }
        if takes && is_high(rig.axi.arvalid.val()) {
            under_way.push_back(taken(&mut check, &rig, serial));
            serial += 1;
        }
        for (unit, read) in units.iter_mut().zip(&rig.reads) {
            if let Unit::Asks { line } = *unit
                && is_high(read.ready.val())
            {
                *unit = Unit::Waits { line, since: serial };
            }
        }
        rig.tick();
        flushes = flushes.saturating_sub(1);
    }
    check.holds(
        answered > 200 || tmu_stages::tape::is_recording(),
        format_args!("only {answered} lines are read"),
    );
    check.at_least(500);
}

/// Memory answers one of its reads, whichever, or none.
fn answer(check: &mut Check, rig: &Rig<MemoryPort>, under_way: &mut VecDeque<Read>) {
    let answers = !under_way.is_empty() && check.one_in(6);
    let at = if answers { check.rng.random_range(0..under_way.len()) } else { 0 };
    let answer = if answers { under_way.remove(at) } else { None };
    rig.axi.rvalid.drive(answer.is_some());
    rig.axi.rlast.drive(true);
    rig.axi.rresp.drive(0);
    match &answer {
        Some(Read { id, line, serial }) => {
            rig.axi.rid.drive(*id);
            rig.axi.rdata.drive(cat(&[number(64, *serial), number(64, *line)]));
        }
        None => rig.axi.rdata.drive(any_bits(check, rig.axi.rdata.width())),
    }
}

/// The read that memory takes.
fn taken(check: &mut Check, rig: &Rig<MemoryPort>, serial: u64) -> Read {
    let address = rig.axi.araddr.val().to_u64();
    check.same("bytes in front of a line", address % u64::from(LINE_BYTES), 0);
    check.same("beats but one", rig.axi.arlen.val().to_u64(), 0);
    let id = rig.axi.arid.val().to_u64();
    check.holds(id < rig.reads.len() as u64, format_args!("ARID {id} is a unit"));
    Read { id, line: address / u64::from(LINE_BYTES), serial }
}

/// A channel whose reads have a line each gives one every clock while it is alone, in order, and leaves room for others.
#[test]
pub(crate) fn a_read_each_clock() {
    const CLOCKS: u64 = 1500;
    let mut check = Check::new("memory_port_each_clock");
    let lines = tmu_rtl::engines::mesh::texture_cache::read_shape();
    let bursts = ReadShape { length_bits: 2, most_reads: 16, most_lines: 64, ..lines };
    // Who asks, and in how many of 100 clocks memory takes a read; how many of 100 clocks each must have got at least.
    for (asks, takes, least) in
        [([true, false], 100, [98, 0]), ([true, true], 100, [60, 20]), ([true, true], 30, [5, 5])]
    {
        let mut rig = Rig::new("memory_port", MemoryPort::new(&configs::four_units(), &[lines, bursts]));
        let (mut next, mut got) = ([0u64; 2], [0u64; 2]);
        for _ in 0..CLOCKS {
            for channel in 0..2 {
                rig.reads[channel].valid.drive(asks[channel]);
                rig.reads[channel].data.drive(1000 * (channel as u64 + 1) + next[channel]);
            }
            let ready = check.rng.random_range(0..100) < takes;
            rig.axi.arready.drive(ready);
            rig.settle();
            for channel in 0..2 {
                next[channel] += u64::from(asks[channel] && is_high(rig.reads[channel].ready.val()));
            }
            if ready && is_high(rig.axi.arvalid.val()) {
                let channel = rig.axi.arid.val().to_u64() as usize;
                let line = rig.axi.araddr.val().to_u64() / u64::from(LINE_BYTES);
                check.same("reads in order", line, 1000 * (channel as u64 + 1) + got[channel]);
                got[channel] += 1;
            }
            rig.tick();
        }
        for channel in 0..2 {
            let enough = got[channel] * 100 >= least[channel] * CLOCKS;
            check.holds(
                enough,
                format_args!("channel {channel} gets {} reads in {CLOCKS} clocks", got[channel]),
            );
        }
    }
    check.at_least(CLOCKS);
}
