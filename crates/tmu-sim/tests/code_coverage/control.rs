//! Register accesses under random traffic: every register read and written, the window moved, counts and errors
//! held against what was sent.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use std::sync::Arc;
use tmu_rtl::system::registers::{self, Counter};
use tmu_sim::engines::sampler::bench::{Bench, BenchOptions};
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::regression::{COVERAGE_AT_END, COVERAGE_AT_START};
use tmu_sim::engines::sampler::streams::request::Request;
use tmu_sim::engines::sampler::traffic::{Traffic, TrafficOptions};
use tmu_sim::kit::control::Access;
use tmu_sim::kit::domain::Domain;
use tmu_sim::kit::error::Result;
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::TEXTURE_ADDRESS_BITS;
use tmu_verilate::Model;

/// Times that the window is moved.
const ROUNDS: u64 = 24;

/// Accesses between two moves, while requests are served.
const ACCESSES: u64 = 40;

const OKAY: u8 = 0;
const SLVERR: u8 = 2;

/// Accesses registers of a configuration with a control port, and writes its coverage to a directory.
pub(crate) fn run(model: &Model, rtl: &Rtl, seed: u64, directory: &Path) -> Result<()> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut contents = TextureMemory::noise(seed);
    contents.fail_one_in(500);
    let options =
        BenchOptions { stream_pauses: Pauses::percent(20), seed, ..BenchOptions::new(&rtl.config, 20) };
    let bench = Bench::new(model, rtl, options, Arc::new(contents));
    let mut bench = bench.unwrap_or_else(|error| panic!("{error}"));
    let write = |bench: &mut Bench, name: &str| {
        bench.write_coverage(&directory.join(name)).unwrap_or_else(|error| panic!("{error}"));
    };
    bench.start()?;
    write(&mut bench, COVERAGE_AT_START);
    // Accesses are errors until the units have left reset.
    bench.run_clocks(60)?;
    let options = TrafficOptions { faults_one_in: 40, ..TrafficOptions::default() };
    let traffic = |_| Traffic::new(&rtl.config, options, random.random());
    let mut traffic: Vec<_> = (0..bench.units()).map(traffic).collect();
    for _ in 0..ROUNDS {
        move_window(&mut bench, rtl, &mut random)?;
        for _ in 0..ACCESSES {
            for (unit, traffic) in traffic.iter_mut().enumerate() {
                while bench.queued_beats(unit) < 8 {
                    bench.send(unit, traffic.packet());
                }
            }
            access_anything(&mut bench, rtl, &mut random)?;
        }
        for (unit, traffic) in traffic.iter_mut().enumerate() {
            end_with_a_quad(&mut bench, unit, traffic);
        }
        bench.run_until_idle()?;
        check_counts(&mut bench, rtl)?;
        clear_errors(&mut bench)?;
    }
    access_in_reset(&mut bench)?;
    write(&mut bench, COVERAGE_AT_END);
    Ok(())
}

/// Resets that accesses meet, each a clock later than the one before, up to 16.
const RESETS: u64 = 96;

/// While the units are in reset every access is an error; around its end one is an error or is served.
fn access_in_reset(bench: &mut Bench) -> Result<()> {
    let address = registers::ID.offset_bytes;
    for clocks in 0..RESETS {
        bench.assert_reset(Domain::Tmu);
        bench.run_clocks(40)?;
        for access in [Access::Read { address }, Access::Write { address, data: 0, strobe: 15 }] {
            assert_eq!(bench.access(access)?.response, SLVERR, "{access:?} in reset");
        }
        bench.release_reset(Domain::Tmu);
        bench.run_clocks(clocks % 16)?;
        let mut errors = 0;
        while bench.access(Access::Read { address })?.response == SLVERR {
            errors += 1;
            assert!(errors < 60, "still an error after a reset");
        }
        assert_eq!(bench.read_register(address)?, registers::ID_VALUE, "after a reset");
    }
    Ok(())
}

/// A colour table is still read when nothing is due behind its binding; the answer to a quad says that it is there.
fn end_with_a_quad(bench: &mut Bench, unit: usize, traffic: &mut Traffic) {
    loop {
        let packet = traffic.packet();
        let is_quad = matches!(packet.request, Request::Sample(_));
        bench.send(unit, packet);
        if is_quad {
            break;
        }
    }
}

/// Reads any address, or writes one that is no command and moves no window; it answers as the map says.
fn access_anything(bench: &mut Bench, rtl: &Rtl, random: &mut ChaCha8Rng) -> Result<()> {
    let map = registers::map(&rtl.config);
    let mapped = map[random.random_range(0..map.len())].address;
    let anything = random.random_range(0..1 << (registers::ADDRESS_BITS - 2)) * registers::REGISTER_BYTES;
    let address = if random.random_ratio(7, 8) { mapped } else { anything };
    let moves = [registers::CONTROL, registers::WINDOW_BASE_LOW, registers::WINDOW_BASE_HIGH];
    let access = if random.random() || moves.iter().any(|register| register.offset_bytes == address) {
        Access::Read { address }
    } else {
        Access::Write { address, data: random.random(), strobe: random.random_range(0..16) }
    };
    let answer = bench.access(access)?;
    let expected = if map.iter().any(|placed| placed.address == address) { OKAY } else { SLVERR };
    assert_eq!(answer.response, expected, "{}: {access:?}", rtl.config.name());
    Ok(())
}

/// Writes the window's registers byte by byte, reads them back, and moves the window somewhere in the address space.
fn move_window(bench: &mut Bench, rtl: &Rtl, random: &mut ChaCha8Rng) -> Result<()> {
    let [low, high] = [registers::WINDOW_BASE_LOW, registers::WINDOW_BASE_HIGH].map(|one| one.offset_bytes);
    let bits = rtl.config.axi().address_bits();
    let all = u64::MAX >> (64 - bits);
    let masks = [all as u32 & registers::WINDOW_BASE_LOW.mask(), (all >> 32) as u32];
    for (address, mask) in [low, high].into_iter().zip(masks) {
        let mut expected = bench.read_register(address)?;
        for _ in 0..8 {
            let (data, strobe) = (random.random::<u32>(), random.random_range(0..16u8));
            bench.access(Access::Write { address, data, strobe })?;
            let bytes = (0..4).filter(|byte| strobe >> byte & 1 == 1).map(|byte| 0xffu32 << (8 * byte));
            let written: u32 = bytes.sum::<u32>() & mask;
            expected = expected & !written | data & written;
            assert_eq!(bench.read_register(address)?, expected, "{}: {address:#x}", rtl.config.name());
        }
    }
    let last = all - (u64::MAX >> (64 - TEXTURE_ADDRESS_BITS));
    let base = random.random_range(0..=last) & !0xfff;
    bench.write_register(low, base as u32)?;
    bench.write_register(high, (base >> 32) as u32)?;
    bench.set_window_base(base);
    bench.invalidate()
}

/// Once idle, each unit has counted the quads that were answered.
fn check_counts(bench: &mut Bench, rtl: &Rtl) -> Result<()> {
    if !rtl.config.control().counters() {
        return Ok(());
    }
    for unit in 0..bench.units() {
        let counted = bench.read_register(Counter::Quads.address(unit as u32))?;
        let answered = bench.answered(unit);
        assert_eq!(u64::from(counted), answered, "{}: quads of unit {unit}", rtl.config.name());
    }
    Ok(())
}

/// Errors go where a one is written, and nothing new comes while nothing is sent.
fn clear_errors(bench: &mut Bench) -> Result<()> {
    let address = registers::ERROR.offset_bytes;
    let mut left = bench.read_register(address)?;
    for (data, strobe) in [(0x0f, 1), (0x300, 2), (u32::MAX, 4), (u32::MAX, 15)] {
        bench.access(Access::Write { address, data, strobe })?;
        left &= if strobe == 4 { u32::MAX } else { !data };
        assert_eq!(bench.read_register(address)?, left, "after writing {data:#x} with strobes {strobe:04b}");
    }
    Ok(())
}
