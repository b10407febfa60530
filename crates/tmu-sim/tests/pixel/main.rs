//! The engine `pixel` in simulation, against its golden model: shipped scenes, pauses, faults, resets.

#[path = "../support/mod.rs"]
mod support;

mod frames;
mod random;

use std::path::Path;
use tmu_driver::mesh::Bus;
use tmu_driver::pixel::TileSize;
use tmu_driver::pixel::engine::{Fault as Ended, Pixel as Driver};
use tmu_model::MemoryImage;
use tmu_model::pixel::{Build, draw};
use tmu_rtl::system::registers::engine_base_bytes;
use tmu_scene::{ImageSize, PixelDrawn, PixelFrame, PixelScene, draw_pixel, put_pixel};
use tmu_sim::engines::pixel::{Done, Pixel};
use tmu_sim::kit::clock::ClockShape;
use tmu_sim::kit::control::Access;
use tmu_sim::kit::error::Failure;
use tmu_sim::kit::memory::{Answer, Bytes, Fault, MemoryTiming};
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::system::SystemOptions;
use tmu_spec::config::EngineKind;
use tmu_spec::pixel::FaultCode;
use tmu_spec::{Config, Preset};
use tmu_verilate::{Initial, Model, ModelOptions};

fn preset(name: &str) -> Config {
    Preset::find(name).unwrap().config().unwrap()
}

/// The system of a configuration; none without Verilator.
fn pipeline(config: &Config, latency: u32, percent: u8, seed: u64) -> Option<Pixel> {
    let (_, model) = support::built(config, &ModelOptions::default())?;
    Some(system(&model, config, latency, percent, seed))
}

/// A system of a model.
fn system(model: &Model, config: &Config, latency: u32, percent: u8, seed: u64) -> Pixel {
    let pauses = Pauses::percent(percent);
    let options = SystemOptions {
        memory_timing: MemoryTiming {
            latency_spread_clocks: 10 * u32::from(percent > 0),
            pauses,
            ..MemoryTiming::latency(latency)
        },
        control_pauses: pauses,
        initial: Initial::Random(seed as u32),
        seed,
        // Registers alone have this clock. Where it is slow, simulation is faster.
        core: ClockShape::from_mhz(if percent > 0 { 97 } else { config.clocks().core_mhz() }),
        ..SystemOptions::new(config, 1)
    };
    Pixel::new(model, config, &options, Bytes::new(0, vec![0; 16])).unwrap()
}

/// Memory with room for the picture.
fn memory(frame: &PixelFrame) -> Vec<u8> {
    let mut memory = frame.memory.clone();
    memory.resize(frame.picture as usize + frame.picture_bytes(), 0x5a);
    memory
}

/// A shipped scene at a size.
fn scene(name: &str, size: [u32; 2], tile: TileSize) -> PixelFrame {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/pixel").join(format!("{name}.toml"));
    let scene = PixelScene::load(&path).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let [width, height] = size;
    put_pixel(&scene, ImageSize::new(width, height).unwrap(), tile).unwrap()
}

/// Draws a frame and compares all of memory.
fn check(pixel: &mut Pixel, frame: &PixelFrame, build: &Build, told: &str) -> Done {
    let PixelDrawn { picture, .. } =
        draw_pixel(frame, build).unwrap_or_else(|error| panic!("{told}: {error}"));
    pixel.set_memory(Bytes::new(0, memory(frame)));
    let done = pixel.draw(frame.address).unwrap_or_else(|error| panic!("{told}: {error}"));
    assert_eq!((done.code, done.address), (0, 0), "{told}");
    let start = frame.picture as usize;
    let row = 4 * frame.size.width() as usize;
    for (y, expected) in picture.chunks(frame.pitch()).enumerate() {
        let got = &pixel.bytes()[start + y * frame.pitch()..][..row];
        if let Some(at) = (0..row).find(|at| got[*at] != expected[*at]) {
            panic!(
                "{told}: pixel {}, {y}: {:?}, not {:?}",
                at / 4,
                &got[at / 4 * 4..][..4],
                &expected[at / 4 * 4..][..4]
            );
        }
    }
    assert!(pixel.bytes()[..frame.memory.len()] == frame.memory[..], "{told}: nothing else is written");
    done
}

/// Shipped scenes without ripmaps.
const SCENES: [&str; 3] = ["light-mapped-level", "courtyard", "bump-reflection"];

/// Some shipped scenes, small.
fn scenes_of(name: &str, tile: TileSize, scenes: &[&str]) {
    let config = preset(name);
    let build = Build::of(&config).unwrap();
    let Some(mut pixel) = pipeline(&config, 20, 0, 1) else { return };
    for name in scenes {
        let frame = scene(name, [64, 48], tile);
        check(&mut pixel, &frame, &build, name);
    }
}

#[test]
#[ignore = "compiles a large model; in scripts/test-long"]
fn shipped_scenes_are_drawn_as_the_model_draws_them() {
    scenes_of("pixel-lite", TileSize::Square16, &SCENES);
}

#[test]
#[ignore = "compiles a very large model; in scripts/test-long"]
fn the_preset_pixel_draws_shipped_scenes_as_the_model_draws_them() {
    scenes_of("pixel", TileSize::Square32, &[&SCENES[..], &["ripmap-floor"]].concat());
}

#[test]
#[ignore = "compiles a large model; in scripts/test-long"]
fn a_frame_whose_memory_fails_ends_with_a_fault_and_the_next_one_is_drawn() {
    let config = preset("pixel-lite");
    let build = Build::of(&config).unwrap();
    let Some(mut pixel) = pipeline(&config, 5, 10, 2) else { return };
    let frame = scene("light-mapped-level", [48, 40], TileSize::Square16);
    let lines = (frame.memory.len() / 16) as u64;
    for round in 0..12u64 {
        let at = 16 * (1 + round * 7919 % (lines - 1));
        let reads = round % 3 != 2;
        let at = if reads { at } else { u64::from(frame.picture) + 16 * (round * 31 % 100) };
        let answer = Answer { addresses: at..at + 16, fault: Fault::Subordinate, reads, writes: !reads };
        let image = MemoryImage::new(0, &frame.memory[..]);
        let _ = draw(&image, frame.address, &build, |_, _| Ok(()));
        pixel.set_memory(Bytes::new(0, memory(&frame)));
        pixel.system().memory_mut().contents_mut().answer(vec![answer]);
        let done = pixel.draw(frame.address).unwrap();
        let codes = [0, FaultCode::Read as u32, FaultCode::Write as u32, FaultCode::Texels as u32];
        assert!(codes.contains(&done.code), "round {round}: {done:?}");
        if done.code == FaultCode::Read as u32 {
            assert_eq!(u64::from(done.address), at, "round {round}");
        }
        check(&mut pixel, &frame, &build, "behind a fault");
    }
}

/// The platform of the driver: each access takes its clocks, and some more.
struct Platform(Pixel);

impl Bus for Platform {
    type Error = Failure;

    fn read(&mut self, address: u32) -> Result<u32, Failure> {
        self.0.system().run_clocks(64)?;
        self.0.system().read_register(address)
    }

    fn write(&mut self, address: u32, data: u32) -> Result<(), Failure> {
        self.0.system().access(Access::Write { address, data, strobe: 15 })?;
        Ok(())
    }
}

/// Frames that the driver puts, started and waited for by the driver: one that is drawn, one that is ended, and the first one again.
#[test]
#[ignore = "compiles a large model; in scripts/test-long"]
fn the_driver_draws_frames() {
    let config = preset("pixel-lite");
    let build = Build::of(&config).unwrap();
    let Some(mut pixel) = pipeline(&config, 20, 10, 3) else { return };
    let frame = scene("light-mapped-level", [48, 40], TileSize::Square16);
    let picture = draw_pixel(&frame, &build).unwrap().picture;
    pixel.set_memory(Bytes::new(0, memory(&frame)));
    let mut driver = Driver::open(Platform(pixel), engine_base_bytes(EngineKind::Pixel)).unwrap();
    for (user, is_ended) in [false, true, false].into_iter().enumerate() {
        driver.submit(frame.address, user).unwrap();
        assert!(driver.is_busy().unwrap());
        if is_ended {
            driver.reset().unwrap();
        }
        let outcome = driver.wait(1_000_000).unwrap();
        assert_eq!((outcome.fault, outcome.user), (is_ended.then_some(Ended::Reset), user));
        assert!(!driver.is_busy().unwrap());
    }
    let counters = driver.counters().unwrap();
    assert!(counters.busy_clocks > counters.lines_read && counters.lines_read > 0, "{counters:?}");
    let Platform(pixel) = driver.into_bus();
    let row = 4 * frame.size.width() as usize;
    let drawn = &pixel.bytes()[frame.picture as usize..];
    for (y, (got, expected)) in drawn.chunks(frame.pitch()).zip(picture.chunks(frame.pitch())).enumerate() {
        assert!(got[..row] == expected[..row], "row {y} differs");
    }
}
