//! What both drivers draw by the emitted hardware of `multi-lite`.

use super::random::{told, told_quad};
use crate::bus::SimBus;
use crate::c::{self, CDriver, FULL};
use crate::support::built;
use crate::{Format, Refusal, TEXTURE, Tmu};
use std::sync::Arc;
use tmu_driver::Error;
use tmu_driver::general::{self as driver, QuadResult, Use, enables};
use tmu_model::general::unit::Unit;
use tmu_sim::engines::sampler::bench::{Bench, BenchOptions};
use tmu_sim::engines::sampler::contents::{SharedMemory, TextureMemory};
use tmu_spec::general::built::word;
use tmu_spec::general::store::{self, stored};
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{Binding, General, Kind, Operation, Pixel, Quad, Sampler, Swizzle, Texture};
use tmu_spec::{Config, Features, Preset};
use tmu_verilate::ModelOptions;

/// What both drivers do on a core in simulation.
pub(super) trait Drawing {
    fn bind(&mut self, texture: &driver::Texture, sampler: &driver::Sampler) -> Option<bool>;
    fn binds_classic(&mut self) -> bool;
    fn queue(&mut self, quad: &driver::Quad) -> bool;
    fn collect(&mut self) -> Option<QuadResult>;
    fn store(
        &mut self,
        entry: u32,
        enables: Option<u8>,
        texture: &driver::Texture,
        sampler: &driver::Sampler,
    ) -> bool;
    fn use_entry(&mut self, of: &Use) -> bool;
    fn write_entry(
        &mut self,
        entry: u32,
        enables: Option<u8>,
        texture: &driver::Texture,
        sampler: &driver::Sampler,
    );
    fn load_entries(&mut self, table: u32, first: u32, count: u32);
    fn wait_for_entries(&mut self);
    fn failed_entry(&mut self) -> Option<u32>;
    fn platform(&mut self) -> &mut SimBus;
    fn error_flags(&mut self) -> u32;
}

impl Drawing for Tmu<SimBus> {
    fn bind(&mut self, texture: &driver::Texture, sampler: &driver::Sampler) -> Option<bool> {
        match self.bind_general(0, texture, sampler) {
            Ok(queued) => Some(queued),
            Err(Error::Refused(_)) => None,
            Err(error) => panic!("{error:?}"),
        }
    }

    fn binds_classic(&mut self) -> bool {
        !matches!(Tmu::bind(self, 0, &TEXTURE), Err(Error::Refused(Refusal::Numerics)))
    }

    fn queue(&mut self, quad: &driver::Quad) -> bool {
        self.queue_general(0, quad).unwrap()
    }

    fn collect(&mut self) -> Option<QuadResult> {
        self.collect_general(0).unwrap()
    }

    fn store(
        &mut self,
        entry: u32,
        enables: Option<u8>,
        texture: &driver::Texture,
        sampler: &driver::Sampler,
    ) -> bool {
        self.store_general(0, entry, enables, texture, sampler).unwrap()
    }

    fn use_entry(&mut self, of: &Use) -> bool {
        Tmu::use_entry(self, 0, of).unwrap()
    }

    fn write_entry(
        &mut self,
        entry: u32,
        enables: Option<u8>,
        texture: &driver::Texture,
        sampler: &driver::Sampler,
    ) {
        Tmu::write_entry(self, 1, entry, enables, texture, sampler).unwrap();
    }

    fn load_entries(&mut self, table: u32, first: u32, count: u32) {
        Tmu::load_entries(self, 1, table, first, count).unwrap();
    }

    fn wait_for_entries(&mut self) {
        Tmu::wait_for_entries(self).unwrap();
    }

    fn failed_entry(&mut self) -> Option<u32> {
        Tmu::failed_entry(self).unwrap()
    }

    fn platform(&mut self) -> &mut SimBus {
        self.bus()
    }

    fn error_flags(&mut self) -> u32 {
        self.errors().unwrap().flags
    }
}

impl Drawing for CDriver<SimBus> {
    fn bind(&mut self, texture: &driver::Texture, sampler: &driver::Sampler) -> Option<bool> {
        match self.bind_general(0, texture, sampler) {
            0 => Some(true),
            FULL => Some(false),
            _ => None,
        }
    }

    fn binds_classic(&mut self) -> bool {
        crate::Driver::bind(self, 0, &TEXTURE).is_some()
    }

    fn queue(&mut self, quad: &driver::Quad) -> bool {
        match self.queue_general(0, quad) {
            0 => true,
            FULL => false,
            status => panic!("tmu_queue_general gives {status}"),
        }
    }

    fn collect(&mut self) -> Option<QuadResult> {
        self.collect_general(0)
    }

    fn store(
        &mut self,
        entry: u32,
        enables: Option<u8>,
        texture: &driver::Texture,
        sampler: &driver::Sampler,
    ) -> bool {
        taken(self.store_general(0, entry, enables, texture, sampler))
    }

    fn use_entry(&mut self, of: &Use) -> bool {
        taken(CDriver::use_entry(self, 0, of))
    }

    fn write_entry(
        &mut self,
        entry: u32,
        enables: Option<u8>,
        texture: &driver::Texture,
        sampler: &driver::Sampler,
    ) {
        assert_eq!(CDriver::write_entry(self, 1, entry, enables, texture, sampler), 0);
    }

    fn load_entries(&mut self, table: u32, first: u32, count: u32) {
        assert_eq!(CDriver::load_entries(self, 1, table, first, count), 0);
    }

    fn wait_for_entries(&mut self) {
        CDriver::wait_for_entries(self);
    }

    fn failed_entry(&mut self) -> Option<u32> {
        CDriver::failed_entry(self)
    }

    fn platform(&mut self) -> &mut SimBus {
        CDriver::platform(self)
    }

    fn error_flags(&mut self) -> u32 {
        crate::Driver::errors(self).flags
    }
}

/// Whether the stream has taken a packet.
fn taken(status: std::ffi::c_int) -> bool {
    match status {
        0 => true,
        FULL => false,
        status => panic!("the driver in C gives {status}"),
    }
}

fn of_shape(kind: Kind, width: u32, height: u32, levels: u32, format: tmu_spec::Format) -> Texture {
    let shape = Shape { kind, width, height, depth: 1, levels, format };
    Texture::packed(shape, Swizzle::NONE, false).unwrap()
}

/// A picture in BC1 and a cube of 16 bits a texel, both trilinear.
pub(super) fn bindings() -> [Binding; 2] {
    let sampler = Sampler {
        min: tmu_spec::general::Filter::Linear,
        mag: tmu_spec::general::Filter::Linear,
        mip: tmu_spec::general::MipFilter::Linear,
        address: [tmu_spec::AddressMode::Wrap, tmu_spec::AddressMode::Mirror, tmu_spec::AddressMode::Wrap],
        ..Sampler::default()
    };
    let picture = of_shape(Kind::D2, 300, 200, 9, tmu_spec::Format::Bc1);
    let cube = of_shape(Kind::Cube, 90, 90, 7, tmu_spec::Format::Rgb565);
    [
        Binding { base: 0x2_0000, texture: picture, sampler, drop_cache: false },
        Binding {
            base: 0x1000_0010,
            texture: cube,
            sampler: Sampler { lod_bias: -80, ..sampler },
            drop_cache: true,
        },
    ]
}

/// Quads of a picture that is turned and shrinks, or of directions all around; some at a level that they tell.
pub(super) fn quads(kind: Kind) -> Vec<Quad> {
    let corners = (0..16).flat_map(|row| (0..16).map(move |column| (2 * column, 2 * row)));
    let pixel = |x: i32, y: i32| {
        let step = 300 + 200 * y;
        let [u, v, w] = match kind {
            Kind::Cube => [(x - 16) * 9_000, 40_000 - y * 7_000, (x + y - 30) * 5_000],
            _ => [x * step - y * 700 - 20_000, x * 500 + y * step - 9_000, 0],
        };
        Pixel { u: u as u32, v: v as u32, w: w as u32, q: 1 << 16, d: 0 }
    };
    let quad = |(x, y): (i32, i32)| {
        let (operation, lod) = match (x + y) % 10 {
            0 => (Operation::Lod, (y as f32 / 5.0).to_bits()),
            2 => (Operation::Bias, (-x as f32 / 9.0).to_bits()),
            _ => (Operation::Sample, 0),
        };
        let valid = if (x + y) % 14 == 0 { 0b0101 } else { 0b1111 };
        Quad {
            pixels: [pixel(x, y), pixel(x + 1, y), pixel(x, y + 1), pixel(x + 1, y + 1)],
            valid,
            lod,
            operation,
        }
    };
    corners.map(quad).collect()
}

fn draw(driver: &mut dyn Drawing, binding: &Binding, quads: &[Quad]) -> Vec<QuadResult> {
    let (texture, sampler) = told(binding);
    while !driver.bind(&texture, &sampler).expect("the binding is legal") {}
    collected(driver, quads)
}

pub(super) fn collected(driver: &mut dyn Drawing, quads: &[Quad]) -> Vec<QuadResult> {
    let (mut queued, mut results) = (0, Vec::new());
    while results.len() < quads.len() {
        while queued < quads.len() && driver.queue(&told_quad(&quads[queued])) {
            queued += 1;
        }
        results.extend(driver.collect());
    }
    results
}

fn draws(driver: &mut dyn Drawing, contents: &Arc<TextureMemory>, features: Features) {
    assert!(!driver.binds_classic());
    let mut golden = Unit::new(SharedMemory(Arc::clone(contents)), features);
    for binding in bindings() {
        let quads = quads(binding.texture.kind());
        golden.bind(&binding.texture, binding.base, &binding.sampler).unwrap();
        let expected: Vec<_> = quads
            .iter()
            .map(|quad| golden.sample(quad))
            .map(|result| QuadResult { channels: result.channels, valid: result.valid, error: result.error })
            .collect();
        assert!(expected.iter().all(|result| !result.error));
        let got = draw(driver, &binding, &quads);
        assert!(got == expected, "{:?} differs", binding.texture.kind());
    }
    assert!(driver.platform().refusals > 0, "the stream was never full");
    // What the core would refuse is not sent.
    let (packets, (texture, sampler)) = (driver.platform().packets, told(&bindings()[0]));
    for texture in [
        driver::Texture { levels: 10, ..texture },
        driver::Texture { kind: driver::Kind::D2Array, ..texture },
        driver::Texture { base: 8, ..texture },
        driver::Texture { format: Format::Bc7, ..texture },
    ] {
        assert_eq!(driver.bind(&texture, &sampler), None);
    }
    assert_eq!((driver.platform().packets, driver.error_flags()), (packets, 0));
    if features.general().is_some_and(General::has_store) {
        draws_entries(driver, &mut golden);
    }
}

/// A picture and a cube in one entry, of which the one is drawn that is enabled.
fn draws_entries(driver: &mut dyn Drawing, golden: &mut Unit<SharedMemory>) {
    const ENTRY: u32 = 63;
    let both = enables(&[driver::Kind::D2, driver::Kind::Cube]);
    for binding in bindings() {
        golden.take_binding(&stored(binding.words(), ENTRY, Some(both))).unwrap();
        let (texture, sampler) = told(&binding);
        while !driver.store(ENTRY, Some(both), &texture, &sampler) {}
    }
    let picture = enables(&[driver::Kind::D2]);
    // The last one names an entry that was never written.
    for (entry, enables, kind) in [
        (ENTRY, None, Kind::Cube),
        (ENTRY, Some(picture), Kind::D2),
        (ENTRY, Some(0), Kind::D2),
        (ENTRY, Some(both), Kind::Cube),
        (0, Some(both), Kind::D2),
    ] {
        let of = Use { enables, ..Use::new(entry) };
        let is_there = golden.take_use(store::Use { entry, enables, ..store::Use::default() }.word()).is_ok();
        assert_eq!(is_there, entry == ENTRY);
        while !driver.use_entry(&of) {}
        let quads = &quads(kind)[..60];
        let expected: Vec<_> = quads
            .iter()
            .map(|quad| golden.sample(quad))
            .map(|result| QuadResult { channels: result.channels, valid: result.valid, error: result.error })
            .collect();
        assert!(expected.iter().all(|result| result.error != is_there));
        assert!(collected(driver, quads) == expected, "{of:?} differs");
    }
    assert_ne!(driver.error_flags(), 0);
}

/// Runs a test on `multi-lite` in simulation, and on the same with quads in one beat and a parameter store; not without Verilator.
fn on_multi_lite(test: impl Fn(SimBus, u32, &Arc<TextureMemory>, Features)) {
    let preset = Preset::find("multi-lite").unwrap().config().unwrap();
    let text = preset.canonical_toml().replace("beats_per_quad = 2", "beats_per_quad = 1");
    let text = text.replace("[texture]", "[texture]\nstore_entries = 64");
    let at_once = Config::from_toml(&text.replace("multi_lite", "at_once")).unwrap();
    assert_eq!([&preset, &at_once].map(Config::request_tdata_bits), [136, 520]);
    [preset, at_once].iter().for_each(|config| on(config, &test));
}

pub(super) fn on(config: &Config, test: impl Fn(SimBus, u32, &Arc<TextureMemory>, Features)) {
    let Some((rtl, model)) = built(config, &ModelOptions::default()) else { return };
    let contents = Arc::new(TextureMemory::noise(1));
    let options = BenchOptions::collecting(config, 20);
    let mut bench = Bench::new(&model, &rtl, options, Arc::clone(&contents)).unwrap();
    bench.start().unwrap();
    bench.run_clocks(100).unwrap();
    let features = *config.features();
    test(SimBus::new(bench, config), word(&features), &contents, features);
}

#[test]
fn the_driver_in_rust_draws_on_multi_lite() {
    on_multi_lite(|bus, built, contents, features| {
        draws(&mut Tmu::open_general(bus, built).unwrap(), contents, features);
    });
}

#[test]
fn the_driver_in_c_draws_on_multi_lite() {
    let folder = tempfile::tempdir().unwrap();
    let Some(library) = c::compile(folder.path()) else { return };
    on_multi_lite(|bus, built, contents, features| {
        let (mut driver, status) = CDriver::open_general(&library, bus, built);
        assert_eq!(status, 0);
        draws(&mut driver, contents, features);
    });
}
