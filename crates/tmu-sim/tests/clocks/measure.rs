//! What is measured: scenarios on a bench whose waveform is read afterwards.

use crate::page::{Bound, Row, Section};
use crate::waves::Waves;
use std::sync::Arc;
use tmu_sim::engines::sampler::bench::{Bench, BenchOptions};
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::streams::request::Packet;
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::{Binding, Format, Quad, Sampler, Texture};
use tmu_verilate::Model;

/// The memory of all other scenarios.
pub(crate) const LATENCY_CLOCKS: u32 = 20;

const UNIT_SIGNALS: [&str; 33] = [
    "request.beat_valid",
    "request.beat_ready",
    "request.beat_data",
    "request.table_load",
    "lod.input_valid",
    "lod.input_ready",
    "lod.output_valid",
    "lod.output_ready",
    "coordinate.input_valid",
    "coordinate.input_ready",
    "coordinate.output_valid",
    "coordinate.output_ready",
    "address.input_valid",
    "address.input_ready",
    "address.output_valid",
    "address.output_ready",
    "cache.input_valid",
    "cache.input_ready",
    "cache.input_data",
    "cache.read_valid",
    "cache.read_ready",
    "cache.out_valid",
    "cache.invalidating",
    "decode.in_valid",
    "decode.sideband",
    "decode.out_valid",
    "decode.tap",
    "filter.in_valid",
    "filter.tap",
    "filter.sample_valid",
    "filter.done",
    "s_axis_req_tvalid",
    "m_axis_res_tvalid",
];

/// Hardware to be measured.
pub(crate) struct Subject<'a> {
    pub(crate) rtl: &'a Rtl,
    model: &'a Model,
}

impl Subject<'_> {
    /// A unit out of reset over memory of a latency.
    pub(crate) fn bench(&self, latency_clocks: u32) -> Bench {
        let options = BenchOptions::new(&self.rtl.config, latency_clocks);
        let contents = Arc::new(TextureMemory::noise(1));
        Bench::new(self.model, self.rtl, options, contents).unwrap()
    }

    /// Runs a scenario and gives its waveform.
    pub(crate) fn waves(&self, latency_clocks: u32, scenario: impl FnOnce(&mut Bench)) -> Waves {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.fst");
        let mut bench = self.bench(latency_clocks);
        bench.trace(&path).unwrap();
        bench.start().unwrap();
        // After reset the cache empties itself.
        bench.run_clocks(1500).unwrap();
        scenario(&mut bench);
        bench.run_until_idle().unwrap();
        drop(bench);
        let top = self.rtl.source.top.as_str();
        Waves::read(&path, &[top, "unit_0"], "tmu_aclk", &UNIT_SIGNALS)
    }

    pub(crate) fn send(&self, bench: &mut Bench, quads: &[Quad]) {
        for quad in quads {
            bench.sample(0, quad, &self.rtl.config);
        }
    }

    /// Sends quads one by one, each when the one before has been answered.
    pub(crate) fn send_apart(&self, bench: &mut Bench, quads: &[Quad]) {
        for quad in quads {
            self.send(bench, &[*quad]);
            bench.run_until_idle().unwrap();
            bench.run_clocks(10).unwrap();
        }
    }
}

pub(crate) fn bind(bench: &mut Bench, binding: &Binding) {
    bench.send(0, Packet::bind(binding.record()));
}

pub(crate) fn texture(format: Format, size_log2: u32, sampler: Sampler) -> Binding {
    Binding::new(0x10_0000, Texture::new(format, size_log2, size_log2, size_log2).unwrap(), sampler).unwrap()
}

pub(crate) const NEAREST: Sampler = Sampler {
    bilinear: false,
    mipmapped: false,
    address_u: tmu_spec::AddressMode::Wrap,
    address_v: tmu_spec::AddressMode::Wrap,
};
pub(crate) const BILINEAR: Sampler = Sampler { bilinear: true, ..NEAREST };
pub(crate) const MIPMAPPED: Sampler = Sampler { mipmapped: true, ..BILINEAR };

/// Quads that go over a texture of 64 x 64 texels row by row, one texel a pixel, off the texels' centres.
pub(crate) fn walk(count: usize) -> Vec<Quad> {
    let texel = 1 << 10;
    let quad = |number: i32| {
        let [u, v] = [number % 32 * 2 * texel + 300, number / 32 * 2 * texel + 700];
        Quad::new([[u, v], [u + texel, v], [u, v + texel], [u + texel, v + texel]], 15)
    };
    (0..count as i32).map(quad).collect()
}

/// Quads in the middle of a tile of 64 x 64 texels, where all taps of a texture of 8-bit indices lie in one line.
pub(crate) fn in_one_line(count: usize, valid: u8) -> Vec<Quad> {
    let texel = 1 << 10;
    vec![Quad::new([[texel * 2 + 9; 2]; 4], valid); count]
}

pub(crate) fn row(what: impl Into<String>, clocks: &[u64], bound: Option<Bound>) -> Row {
    let what = what.into();
    let (Some(least), Some(most)) = (clocks.iter().min(), clocks.iter().max()) else {
        panic!("{what} was not seen")
    };
    Row { what, clocks: *least..=*most, bound }
}

/// Everything that the page says.
pub(crate) fn all(rtl: &Rtl, model: &Model) -> Vec<Section> {
    let subject = Subject { rtl, model };
    vec![
        subject.look_ups(),
        subject.stages(),
        subject.in_flight(),
        subject.requests_to_results(),
        subject.throughput(),
        subject.bindings(),
        subject.resets(),
    ]
}
