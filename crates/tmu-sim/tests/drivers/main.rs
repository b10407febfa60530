//! Both drivers, in C and in Rust, draw a small picture by the emitted hardware in simulation; it is the golden model's.
//! Then memory changes, reads fail, the window moves, and the core is reset.

mod bring_up;
mod bus;
mod c;
mod general;
#[path = "../support/mod.rs"]
mod support;

use bus::SimBus;
use std::sync::Arc;
use support::{OWN_CLOCK, built};
use tmu_driver::{AddressMode, Counters, Errors, Format, Quad, QuadResult, Refusal, Texture, Tmu, registers};
use tmu_model::TextureUnit;
use tmu_sim::engines::sampler::bench::{Bench, BenchOptions};
use tmu_sim::engines::sampler::contents::SharedMemory;
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::kit::memory::Fault;
use tmu_spec::presets::Preset;
use tmu_spec::{Binding, Config};
use tmu_verilate::ModelOptions;

/// Side of the picture in pixels.
const SIDE: i32 = 32;

const TEXTURE: Texture = Texture {
    base: 0x2_0000,
    format: Format::I8Rgb8,
    width_log2: 6,
    height_log2: 5,
    max_lod: 6,
    bilinear: true,
    mipmapped: true,
    address_u: AddressMode::Wrap,
    address_v: AddressMode::Clamp,
    drop_cache: false,
};

/// What both drivers can do. Failures of the bus are not expected, and end the test.
trait Driver {
    /// Whether it was queued; none if the driver refused it.
    fn bind(&mut self, unit: u32, texture: &Texture) -> Option<bool>;
    /// Whether the driver refuses it for its place in the texture window.
    fn refuses_the_window(&mut self, unit: u32, texture: &Texture) -> bool;
    fn queue(&mut self, unit: u32, quad: &Quad) -> bool;
    fn collect(&mut self, unit: u32) -> Option<QuadResult>;
    fn invalidate(&mut self);
    fn soft_reset(&mut self);
    fn set_window(&mut self, base: u64);
    fn counters(&mut self, unit: u32) -> Counters;
    fn errors(&mut self) -> Errors;
    fn clear_errors(&mut self);
    fn bus(&mut self) -> &mut SimBus;
}

impl Driver for Tmu<SimBus> {
    fn bind(&mut self, unit: u32, texture: &Texture) -> Option<bool> {
        match self.bind(unit, texture) {
            Ok(queued) => Some(queued),
            Err(tmu_driver::Error::Refused(_)) => None,
            Err(error) => panic!("{error:?}"),
        }
    }

    fn refuses_the_window(&mut self, unit: u32, texture: &Texture) -> bool {
        matches!(self.bind(unit, texture), Err(tmu_driver::Error::Refused(Refusal::Window)))
    }

    fn queue(&mut self, unit: u32, quad: &Quad) -> bool {
        self.queue(unit, quad).unwrap()
    }

    fn collect(&mut self, unit: u32) -> Option<QuadResult> {
        self.collect(unit).unwrap()
    }

    fn invalidate(&mut self) {
        self.invalidate().unwrap();
    }

    fn soft_reset(&mut self) {
        self.soft_reset().unwrap();
    }

    fn set_window(&mut self, base: u64) {
        self.set_window(base).unwrap();
    }

    fn counters(&mut self, unit: u32) -> Counters {
        self.counters(unit).unwrap()
    }

    fn errors(&mut self) -> Errors {
        self.errors().unwrap()
    }

    fn clear_errors(&mut self) {
        self.clear_errors().unwrap();
    }

    fn bus(&mut self) -> &mut SimBus {
        self.bus()
    }
}

/// What memory holds, for the hardware and for the golden model.
struct Scene {
    contents: Arc<TextureMemory>,
    config: Config,
}

impl Scene {
    /// Another texture in memory.
    fn upload(&mut self, driver: &mut dyn Driver, contents: TextureMemory) {
        self.contents = Arc::new(contents);
        driver.bus().bench.set_contents(&self.contents);
    }

    /// Colours of quads by the golden model, from numbers that no driver has touched.
    fn golden(&self, texture: &Texture, quads: &[Quad]) -> Vec<QuadResult> {
        let format = tmu_spec::Format::from_code(texture.format as u8).unwrap();
        let mode = |mode: AddressMode| tmu_spec::AddressMode::from_code(mode as u8).unwrap();
        let [width_log2, height_log2, max_lod] =
            [texture.width_log2, texture.height_log2, texture.max_lod].map(u32::from);
        let sampler = tmu_spec::Sampler {
            bilinear: texture.bilinear,
            mipmapped: texture.mipmapped,
            address_u: mode(texture.address_u),
            address_v: mode(texture.address_v),
        };
        let texture_of_spec = tmu_spec::Texture::new(format, width_log2, height_log2, max_lod).unwrap();
        let binding = Binding::new(texture.base, texture_of_spec, sampler).unwrap();
        let memory = SharedMemory(Arc::clone(&self.contents));
        let mut unit = TextureUnit::with_features(memory, *self.config.features());
        unit.bind(&binding).unwrap();
        let sample = |quad: &Quad| {
            let result = unit.sample(&tmu_spec::Quad::new(quad.uv, quad.valid));
            let rgba = result.rgba().map(u32::from_le_bytes);
            QuadResult { rgba, valid: result.valid(), error: result.error() }
        };
        quads.iter().map(sample).collect()
    }
}

/// The picture: the texture turned and shrunk towards the bottom, and a few pixels left out.
fn picture() -> Vec<Quad> {
    let uv = |x: i32, y: i32| {
        let step = 900 + 150 * y;
        [x * step - y * 700 - 20_000, x * 500 + y * step - 9_000]
    };
    let corners = (0..SIDE / 2).flat_map(|row| (0..SIDE / 2).map(move |column| (2 * column, 2 * row)));
    let quad = |(x, y): (i32, i32)| Quad {
        uv: [uv(x, y), uv(x + 1, y), uv(x, y + 1), uv(x + 1, y + 1)],
        valid: if (x + y) % 14 == 0 { 0b0101 } else { 0b1111 },
    };
    corners.map(quad).collect()
}

/// Draws quads as a program would: queue what the stream takes, collect what is there.
fn draw(driver: &mut dyn Driver, unit: u32, texture: &Texture, quads: &[Quad]) -> Vec<QuadResult> {
    while !driver.bind(unit, texture).expect("the binding is legal") {}
    let (mut queued, mut results) = (0, Vec::new());
    while results.len() < quads.len() {
        while queued < quads.len() && driver.queue(unit, &quads[queued]) {
            queued += 1;
        }
        results.extend(driver.collect(unit));
    }
    results
}

fn draws_what_the_golden_model_draws(driver: &mut dyn Driver, scene: &Scene, texture: &Texture, why: &str) {
    let (unit, quads) = (scene.config.units() - 1, picture());
    let (got, expected) = (draw(driver, unit, texture, &quads), scene.golden(texture, &quads));
    assert!(expected.iter().all(|result| !result.error));
    assert!(got == expected, "{}: the picture differs {why}", scene.config.name());
}

/// Everything that a driver does, one after the other.
fn exercise(driver: &mut dyn Driver, scene: &mut Scene) {
    let unit = scene.config.units() - 1;
    let texture = Texture { mipmapped: scene.config.features().mipmaps(), ..TEXTURE };
    draws_what_the_golden_model_draws(driver, scene, &texture, "at first");
    assert!(driver.bus().refusals > 0, "the stream was never full");
    driver.bus().bench.run_clocks(100).unwrap();
    let (counters, quads) = (driver.counters(unit), picture());
    assert_eq!(counters.quads as usize, quads.len());
    assert_eq!(counters.valid_pixels, quads.iter().map(|quad| quad.valid.count_ones()).sum::<u32>());
    assert_eq!(counters.line_lookups, counters.line_repeats + counters.hits + counters.misses);
    assert_eq!(u64::from(counters.memory_beats), driver.bus().bench.memory_beats(unit as usize));
    assert_eq!(counters.dropped_packets, 0);

    // A texture that the core would refuse is not sent.
    let packets = driver.bus().packets;
    for refused in [
        Texture { base: 8, ..texture },
        Texture { max_lod: 7, ..texture },
        Texture { width_log2: 12, ..texture },
        Texture { base: (1 << 31) - 1024, format: Format::Rgba8, width_log2: 8, height_log2: 8, ..texture },
    ] {
        assert_eq!(driver.bind(unit, &refused), None);
    }
    assert_eq!((driver.bus().packets, driver.errors().flags), (packets, 0));
    refuses_textures_past_the_window(driver, scene, unit);

    // Memory changes: the caches are dropped by the control port, or by the binding.
    scene.upload(driver, TextureMemory::noise(2));
    driver.invalidate();
    draws_what_the_golden_model_draws(driver, scene, &texture, "after tmu_invalidate");
    scene.upload(driver, TextureMemory::noise(3));
    let dropping = Texture { drop_cache: true, ..texture };
    draws_what_the_golden_model_draws(driver, scene, &dropping, "after a binding that drops the cache");

    a_failing_read_is_told(driver, scene);
    draws_what_the_golden_model_draws(driver, scene, &texture, "after failing reads");

    let window = 0x20_0000_0000;
    driver.set_window(window);
    driver.bus().bench.set_window_base(window);
    draws_what_the_golden_model_draws(driver, scene, &texture, "with the window moved");
    driver.soft_reset();
    draws_what_the_golden_model_draws(driver, scene, &texture, "after a soft reset");
}

/// Of every format and size the first base from which a texture ends behind the window.
fn refuses_textures_past_the_window(driver: &mut dyn Driver, scene: &Scene, unit: u32) {
    let features = scene.config.features();
    let largest = features.max_size_log2();
    for format in [Format::Rgba8, Format::Rgb8, Format::I8Rgba8, Format::I8Rgb8] {
        let of_spec = tmu_spec::Format::from_code(format as u8).unwrap();
        if !features.has_format(of_spec) {
            continue;
        }
        for (width, height) in
            (0..=largest).flat_map(|width| (0..=largest).map(move |height| (width, height)))
        {
            let texture = tmu_spec::Texture::new(of_spec, width, height, 0).unwrap();
            let base = Binding::last_base(&texture);
            let [width_log2, height_log2] = [width, height].map(|side| side as u8);
            let fits =
                Texture { base, format, width_log2, height_log2, max_lod: 0, mipmapped: false, ..TEXTURE };
            assert!(driver.bind(unit, &fits).is_some(), "{fits:?}");
            let past = Texture { base: base + 16, ..fits };
            assert!(driver.refuses_the_window(unit, &past), "{past:?}");
        }
    }
    assert_eq!(driver.errors().flags, 0);
}

/// A quad whose line cannot be read fails, and the first address is told until it is cleared.
fn a_failing_read_is_told(driver: &mut dyn Driver, scene: &mut Scene) {
    // One texel, so that the line is the first.
    let texture = Texture {
        format: Format::Rgba8,
        width_log2: 0,
        height_log2: 0,
        max_lod: 0,
        bilinear: false,
        mipmapped: false,
        drop_cache: true,
        ..TEXTURE
    };
    let quad = Quad { uv: [[0; 2]; 4], valid: 15 };
    let mut contents = TextureMemory::noise(4);
    contents.fail(texture.base / 16, Fault::Decode);
    scene.upload(driver, contents);
    let unit = scene.config.units() - 1;
    let result = draw(driver, unit, &texture, &[quad])[0];
    assert_eq!(result, QuadResult { rgba: [0; 4], valid: 15, error: true });
    let address = scene.config.axi().window_base() + u64::from(texture.base);
    assert_eq!(driver.errors(), Errors { flags: registers::ERROR_MEMORY_DECERR_MASK, address });
    driver.clear_errors();
    assert_eq!(driver.errors().flags, 0);
    scene.upload(driver, TextureMemory::noise(5));
    driver.invalidate();
}

/// Runs a test on three cores that differ in all that a driver meets. Without Verilator it does not run, which a test
/// of `tmu-verilate` reports.
fn on_each_core(test: impl Fn(SimBus, &mut Scene)) {
    let presets = ["fury-single", "stream", "quad"].map(|name| Preset::find(name).unwrap().toml());
    for toml in presets.into_iter().chain([OWN_CLOCK]) {
        let config = Config::from_toml(toml).unwrap();
        let Some((rtl, model)) = built(&config, &ModelOptions::default()) else { return };
        let contents = Arc::new(TextureMemory::noise(1));
        let options = BenchOptions::collecting(&config, 20);
        let mut bench = Bench::new(&model, &rtl, options, Arc::clone(&contents)).unwrap();
        bench.start().unwrap();
        // Until every FIFO has been emptied, registers cannot be reached.
        bench.run_clocks(100).unwrap();
        test(SimBus::new(bench, &config), &mut Scene { contents, config });
    }
}

#[test]
fn the_driver_in_rust_draws_the_golden_picture() {
    on_each_core(|bus, scene| {
        let mut driver = Tmu::open(bus).unwrap();
        let (core, config) = (driver.capabilities(), &scene.config);
        assert_eq!(core.units(), config.units());
        assert_eq!(core.max_size_log2(), config.features().max_size_log2());
        assert_eq!(core.beats_per_quad() as u32, config.request().beats_per_quad().beats());
        assert!(core.has_counters() && core.has_format(Format::Rgba8));
        exercise(&mut driver, scene);
    });
}

#[test]
fn the_driver_in_c_draws_the_golden_picture() {
    let folder = tempfile::tempdir().unwrap();
    let Some(library) = c::compile(folder.path()) else { return };
    on_each_core(|bus, scene| exercise(&mut c::CDriver::open(&library, bus), scene));
}
