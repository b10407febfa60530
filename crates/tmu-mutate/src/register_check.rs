//! A check of what random traffic does not look at: every register after each kind of event, and textures that change in memory.
//!
//! Results are compared with the golden model; what registers read is for the caller to compare.

use std::sync::Arc;
use tmu_rtl::system::registers;
use tmu_sim::engines::sampler::bench::{Bench, BenchOptions};
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::streams::request::Packet;
use tmu_sim::engines::sampler::throughput::{Pattern, Workload};
use tmu_sim::engines::sampler::traffic::{Traffic, TrafficOptions};
use tmu_sim::kit::control::{Access, Answer};
use tmu_sim::kit::domain::Domain;
use tmu_sim::kit::error::Failure;
use tmu_sim::kit::error::Result;
use tmu_sim::kit::memory::MemoryTiming;
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::{Binding, Format, Quad, Sampler, Texture};
use tmu_verilate::Model;

/// Clocks of the memory port from an address to its data.
const LATENCY_CLOCKS: u32 = 6;

/// Pauses of requests, results, memory and the control port: the address of a write may come before its data, or behind it.
const PAUSES_PERCENT: u8 = 30;

/// Clocks of `core_aclk` for which a reset is held.
const RESET_CLOCKS: u64 = 100;

/// Clocks of `core_aclk` after which counts have arrived, and caches are empty after a reset.
const SETTLING_CLOCKS: u64 = 1_500;

/// Packets of random traffic for each unit.
const PACKETS: usize = 4_000;

/// Quads that are sampled after each event.
const QUADS: usize = 64;

struct RegisterCheck<'a> {
    bench: Bench,
    rtl: &'a Rtl,
    workload: Workload,
    read: Vec<u32>,
    look: &'a mut dyn FnMut(),
}

/// Takes the register check; what all registers read on it.
///
/// # Errors
/// A result that is not the golden model's, a broken rule of a bus, standstill.
pub fn register_check(model: &Model, rtl: &Rtl, look: &mut dyn FnMut()) -> Result<Vec<u32>> {
    let config = &rtl.config;
    let formats = [Format::I8Rgba8, Format::I8Rgb8, Format::Rgb8, Format::Rgba8];
    let format =
        formats.into_iter().find(|format| config.features().has_format(*format)).unwrap_or(Format::Rgba8);
    let workload = Pattern::Scan.workload(config, format, 5);
    let pauses = Pauses::percent(PAUSES_PERCENT);
    let options = BenchOptions {
        patience_clocks: 20_000,
        stream_pauses: pauses,
        memory_timing: MemoryTiming { pauses, ..MemoryTiming::latency(LATENCY_CLOCKS) },
        ..BenchOptions::new(config, LATENCY_CLOCKS)
    };
    let bench = Bench::new(model, rtl, options, Arc::new(TextureMemory::noise(1)));
    let bench = bench.map_err(Failure::at_start)?;
    let mut register_check = RegisterCheck { bench, rtl, workload, read: Vec::new(), look };
    register_check.bench.start()?;
    register_check.registers()?;
    register_check.changes_of_memory()?;
    register_check.bad_input()?;
    if config.control().port() {
        register_check.commands()?;
    }
    register_check.resets()?;
    Ok(register_check.read)
}

impl RegisterCheck<'_> {
    /// Reads an address, whether it is a register or not.
    fn read(&mut self, address: u32) -> Result<()> {
        let Answer { data, response } = self.bench.access(Access::Read { address })?;
        self.read.extend([data, response.into()]);
        Ok(())
    }

    /// Waits until nothing is due, then reads every register.
    fn registers(&mut self) -> Result<()> {
        while self.bench.busy() {
            self.bench.step()?;
            (self.look)();
        }
        self.bench.run_clocks(SETTLING_CLOCKS)?;
        if self.rtl.config.control().port() {
            for placed in registers::map(&self.rtl.config) {
                self.read(placed.address)?;
            }
        }
        Ok(())
    }

    fn bind(&mut self, binding: &Binding) {
        for unit in 0..self.bench.units() {
            self.bench.send(unit, Packet::bind(binding.record()));
        }
    }

    fn sample(&mut self) {
        let quads = Arc::clone(&self.workload.quads);
        for unit in 0..self.bench.units() {
            for quad in &quads[unit..unit + QUADS] {
                self.bench.sample(unit, quad, &self.rtl.config);
            }
        }
    }

    /// The texel that was looked up last is another one when the cache has been dropped.
    fn one_texel(&mut self) -> Result<()> {
        let sampler = Sampler { bilinear: false, ..Sampler::default() };
        let texture = Texture::new(Format::Rgba8, 4, 4, 0).ok();
        let binding = texture.and_then(|of| Binding::new(self.workload.binding.base(), of, sampler).ok());
        let Some(binding) = binding else {
            unreachable!("the texture is within its limits, its base aligned")
        };
        for contents in 6..9 {
            self.bench.set_contents(&Arc::new(TextureMemory::noise(contents)));
            self.bind(&binding.with_drop_cache(true));
            for unit in 0..self.bench.units() {
                self.bench.sample(unit, &Quad::new([[0; 2]; 4], 15), &self.rtl.config);
            }
            self.registers()?;
        }
        Ok(())
    }

    /// Other texels are seen after a binding that drops the cache, and after an invalidation.
    fn changes_of_memory(&mut self) -> Result<()> {
        let binding = self.workload.binding;
        self.bind(&binding);
        self.sample();
        self.registers()?;
        self.one_texel()?;
        self.bench.set_contents(&Arc::new(TextureMemory::noise(2)));
        self.bind(&binding.with_drop_cache(true));
        self.sample();
        self.registers()?;
        if self.rtl.config.control().port() {
            self.bench.set_contents(&Arc::new(TextureMemory::noise(3)));
            self.bench.invalidate()?;
            self.bind(&binding);
            self.sample();
            self.registers()?;
        }
        Ok(())
    }

    /// Reads that fail, then bindings and packets that are not as they should be.
    fn bad_input(&mut self) -> Result<()> {
        let mut failing = TextureMemory::noise(4);
        failing.fail_one_in(8);
        self.bench.set_contents(&Arc::new(failing));
        self.bind(&self.workload.binding.with_drop_cache(true));
        self.sample();
        self.registers()?;
        self.traffic(0)?;
        self.bench.set_contents(&Arc::new(TextureMemory::noise(5)));
        self.bind(&self.workload.binding.with_drop_cache(true));
        self.traffic(4)
    }

    /// Random packets, one in so many of them bad.
    fn traffic(&mut self, faults_one_in: u32) -> Result<()> {
        let options = TrafficOptions { faults_one_in, ..TrafficOptions::default() };
        for unit in 0..self.bench.units() {
            let mut traffic = Traffic::new(&self.rtl.config, options, unit as u64);
            for _ in 0..PACKETS {
                self.bench.send(unit, traffic.packet());
            }
        }
        self.registers()
    }

    /// Writes of single bits and bytes to what can be written, except commands.
    fn strobes(&mut self) -> Result<()> {
        let map = registers::map(&self.rtl.config);
        let written = map.iter().filter(|placed| placed.register.access != registers::Access::ReadOnly);
        for placed in written.filter(|placed| placed.address != registers::CONTROL.offset_bytes) {
            for bit in 0..32 {
                let (address, data) = (placed.address, 1 << bit);
                for strobe in [!(1 << (bit / 8)) & 15, 1 << (bit / 8)] {
                    self.bench.access(Access::Write { address, data, strobe })?;
                    self.read(address)?;
                }
            }
        }
        Ok(())
    }

    /// Every register is read while the window's base is written again and again, no access waiting for the one before it.
    fn overlapping(&mut self) -> Result<()> {
        let map = registers::map(&self.rtl.config);
        let address = registers::WINDOW_BASE_LOW.offset_bytes;
        let accesses = (1..).zip(&map).flat_map(|(number, placed)| {
            let write = Access::Write { address, data: number << 12, strobe: 15 };
            [write, Access::Read { address: placed.address }, Access::Read { address }]
        });
        for Answer { data, response } in self.bench.overlapping(&accesses.collect::<Vec<_>>())? {
            self.read.extend([data, response.into()]);
        }
        Ok(())
    }

    /// Errors are cleared, the window moves, a reset empties everything; no other address is a register.
    fn commands(&mut self) -> Result<()> {
        self.strobes()?;
        self.overlapping()?;
        self.bench.write_register(registers::ERROR.offset_bytes, u32::MAX)?;
        self.registers()?;
        let base = 0x5a_a5c3_3000_u64;
        self.bench.write_register(registers::WINDOW_BASE_LOW.offset_bytes, base as u32)?;
        self.bench.write_register(registers::WINDOW_BASE_HIGH.offset_bytes, (base >> 32) as u32)?;
        self.bench.set_window_base(base);
        self.bench.invalidate()?;
        self.bind(&self.workload.binding.with_drop_cache(true));
        self.sample();
        self.registers()?;
        self.bench.soft_reset()?;
        self.registers()?;
        for address in (0..1 << registers::ADDRESS_BITS).step_by(4) {
            self.read(address)?;
            let written = self.bench.access(Access::Write { address, data: u32::MAX, strobe: 0 })?;
            self.read.push(written.response.into());
        }
        self.registers()
    }

    /// Resets each side by itself: nothing is bound behind it.
    fn resets(&mut self) -> Result<()> {
        for &domain in Domain::of(&self.rtl.config) {
            self.bench.assert_reset(domain);
            self.bench.run_clocks(RESET_CLOCKS)?;
            self.bench.release_reset(domain);
            self.registers()?;
            self.sample();
            self.registers()?;
        }
        Ok(())
    }
}
