//! A unit on its bench: requests in, results out, and what the golden model makes of them.

use crate::support::{OWN_CLOCK, built};
use std::sync::Arc;
use tmu_model::TextureUnit;
use tmu_rtl::system::registers;
use tmu_sim::engines::sampler::bench::{Bench, BenchOptions};
use tmu_sim::engines::sampler::contents::SharedMemory;
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::streams::request::Packet;
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::config::CacheKind;
use tmu_spec::presets::Preset;
use tmu_spec::{Binding, Config, Format, Quad, QuadResult, Sampler, Texture};
use tmu_verilate::{Model, ModelOptions};

/// Clocks of the memory port from an address to its data.
pub(crate) const LATENCY_CLOCKS: u32 = 6;

/// Clocks of `core_aclk` after which a reset is over everywhere, and a dropped packet has been counted.
const SETTLE_CLOCKS: u64 = 100;

/// A unit on its bench.
pub(crate) struct TestBench {
    pub(crate) bench: Bench,
    pub(crate) config: Config,
    /// The unit that requests go to: the last one.
    pub(crate) unit: usize,
    golden: TextureUnit<SharedMemory>,
}

/// Runs a test on `fury_single`, on a configuration that differs from it in everything that bad input meets, and on
/// `stream` and `quad`. Without Verilator it does not run, which a test of `tmu-verilate` reports.
pub(crate) fn on_each_bed(contents: &TextureMemory, test: impl Fn(&mut TestBench)) {
    let [blocking, pixels, quads] =
        ["fury-single", "stream", "quad"].map(|name| Preset::find(name).unwrap().toml());
    on_benches(&[blocking, OWN_CLOCK, pixels, quads], contents, test);
}

/// As [`on_each_bed`], and on `fury`.
pub(crate) fn on_every_preset(contents: &TextureMemory, test: impl Fn(&mut TestBench)) {
    on_benches(&[Preset::find("fury").unwrap().toml()], contents, &test);
    on_each_bed(contents, test);
}

/// Runs a test of what only the blocking cache promises, line by line.
pub(crate) fn on_each_blocking_bed(contents: &TextureMemory, test: impl Fn(&mut TestBench)) {
    on_benches(&[Preset::find("fury-single").unwrap().toml(), OWN_CLOCK], contents, test);
}

fn on_benches(configurations: &[&str], contents: &TextureMemory, test: impl Fn(&mut TestBench)) {
    for toml in configurations {
        let config = Config::from_toml(toml).unwrap();
        let Some((rtl, model)) = built(&config, &ModelOptions::default()) else { return };
        test(&mut TestBench::new(&rtl, &model, contents.clone()));
    }
}

impl TestBench {
    fn new(rtl: &Rtl, model: &Model, contents: TextureMemory) -> Self {
        let config = rtl.config.clone();
        let contents = Arc::new(contents);
        let options =
            BenchOptions { patience_clocks: 20_000, ..BenchOptions::collecting(&config, LATENCY_CLOCKS) };
        let mut bench = Bench::new(model, rtl, options, Arc::clone(&contents)).unwrap();
        bench.start().unwrap();
        // Until every FIFO has been emptied, registers cannot be reached.
        bench.run_clocks(SETTLE_CLOCKS).unwrap();
        let unit = config.units() as usize - 1;
        let prefetches = config.cache().kind() == CacheKind::Prefetch;
        let golden = TextureUnit::with_features(SharedMemory(contents), *config.features())
            .dropping_weightless_taps(prefetches);
        Self { bench, config, unit, golden }
    }

    /// Puts other contents in place; nothing is in flight.
    pub(crate) fn set_contents(&mut self, contents: TextureMemory) {
        let contents = Arc::new(contents);
        self.bench.set_contents(&contents);
        *self.golden.memory_mut() = SharedMemory(contents);
    }

    /// Sends a packet.
    pub(crate) fn send(&mut self, packet: Packet) {
        self.bench.send(self.unit, packet);
    }

    /// Sends a legal binding.
    pub(crate) fn bind(&mut self, binding: &Binding) {
        self.golden.bind(binding).unwrap();
        self.send(Packet::bind(binding.record()));
    }

    /// Sends quads.
    pub(crate) fn sample(&mut self, quads: &[Quad]) {
        for quad in quads {
            self.send(Packet::sample(quad, self.config.request().beats_per_quad()));
        }
    }

    /// Waits for everything that is due, and takes it.
    pub(crate) fn answers(&mut self) -> Vec<QuadResult> {
        self.bench.run_until_idle().unwrap_or_else(|failure| panic!("{}: {failure}", self.config.name()));
        let beats = self.bench.take_results(self.unit);
        beats.into_iter().map(|beat| QuadResult::from_beat(beat.tdata, beat.tuser)).collect()
    }

    /// What the golden model makes of quads under the last legal binding.
    pub(crate) fn golden(&self, quads: &[Quad]) -> Vec<QuadResult> {
        quads.iter().map(|quad| self.golden.sample(quad)).collect()
    }

    /// The lines that a quad looks up under the last legal binding, in their order.
    pub(crate) fn lines(&self, quad: &Quad) -> Vec<u32> {
        let mut lines = Vec::new();
        self.golden.lookups(quad, |line| lines.push(line));
        lines
    }

    /// Good requests are served as if nothing had been before.
    #[track_caller]
    pub(crate) fn serves(&mut self, binding: &Binding, quads: &[Quad], after: &str) {
        self.bind(binding);
        self.sample(quads);
        let (got, expected) = (self.answers(), self.golden(quads));
        assert!(expected.iter().all(|result| !result.error()), "the request is not good");
        assert_eq!(got, expected, "{} after {after}", self.config.name());
    }

    /// Lines that the unit has read.
    pub(crate) fn lines_read(&self) -> u64 {
        self.bench.memory_beats(self.unit)
    }

    /// The sticky errors, when everything so far has had its effect; cleared for the next look.
    pub(crate) fn take_errors(&mut self) -> u32 {
        self.bench.run_clocks(SETTLE_CLOCKS).unwrap();
        let errors = self.bench.read_register(registers::ERROR.offset_bytes).unwrap();
        self.bench.write_register(registers::ERROR.offset_bytes, errors).unwrap();
        errors
    }

    /// The address of the first read that failed, as the status holds it.
    pub(crate) fn error_address(&mut self) -> u64 {
        self.bench.run_clocks(SETTLE_CLOCKS).unwrap();
        let [low, high] = [registers::ERROR_ADDRESS_LOW, registers::ERROR_ADDRESS_HIGH]
            .map(|register| u64::from(self.bench.read_register(register.offset_bytes).unwrap()));
        high << 32 | low
    }

    /// A counter of the unit.
    pub(crate) fn count(&mut self, counter: registers::Counter) -> u32 {
        self.bench.run_clocks(SETTLE_CLOCKS).unwrap();
        self.bench.read_register(counter.address(self.unit as u32)).unwrap()
    }
}

/// A binding of a texture with some sides, not mipmapped.
pub(crate) fn binding(
    base: u32,
    format: Format,
    width_log2: u32,
    height_log2: u32,
    bilinear: bool,
) -> Binding {
    let max_lod = width_log2.max(height_log2);
    let texture = Texture::new(format, width_log2, height_log2, max_lod).unwrap();
    Binding::new(base, texture, Sampler { bilinear, ..Sampler::default() }).unwrap()
}

/// A good binding for every bench.
pub(crate) fn good_binding() -> Binding {
    binding(0x4_0000, Format::Rgba8, 5, 4, true)
}

/// A quad whose four pixels lie on the centre of one texel.
pub(crate) fn quad_on(binding: &Binding, x: u32, y: u32, valid: u8) -> Quad {
    let [width_log2, height_log2] = [binding.texture().width_log2(), binding.texture().height_log2()];
    let centre = |texel: u32, size_log2: u32| (((2 * texel + 1) << 16) >> size_log2 >> 1) as i32;
    Quad::new([[centre(x, width_log2), centre(y, height_log2)]; 4], valid)
}

/// Quads here and there, with all valid bits among them.
pub(crate) fn quads(count: u32) -> Vec<Quad> {
    let quad = |number: u32| {
        let [u, v] = [number.wrapping_mul(7919) % 150_000, number.wrapping_mul(104_729) % 120_000];
        let [u, v] = [u as i32 - 40_000, v as i32 - 30_000];
        let step = 700 + 13 * number as i32;
        Quad::new([[u, v], [u + step, v], [u, v + step], [u + step, v + step]], 15 - (number % 15) as u8)
    };
    (0..count).map(quad).collect()
}

/// The answer to each quad that cannot be sampled: nothing but its valid bits and the error bit.
pub(crate) fn failed(quads: &[Quad]) -> Vec<QuadResult> {
    quads.iter().map(|quad| QuadResult::failed(quad.valid())).collect()
}
