//! What both drivers look up indirectly by the emitted hardware of `indirect`.

use super::drawing::on;
use super::random::told;
use super::store::told_look_up;
use crate::Tmu;
use crate::bus::SimBus;
use crate::c::{self, CDriver, FULL};
use std::sync::Arc;
use tmu_driver::general::{self as driver, Indirect, QuadResult, Value};
use tmu_model::general::unit::Unit;
use tmu_sim::engines::sampler::contents::{SharedMemory, TextureMemory};
use tmu_spec::general::indirect::{Aggregate, IndirectQuad, Setup};
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{Binding, Kind, Sampler, Swizzle, Texture};
use tmu_spec::{Features, Format, Preset};

/// What both drivers do on a core in simulation.
trait LookUps {
    fn set_up(&mut self, look_up: &mut Indirect<'_>);
    fn request(&mut self, setup: &driver::Setup, quad: &driver::IndirectQuad) -> bool;
    fn collect(&mut self) -> Option<Value>;
}

impl LookUps for Tmu<SimBus> {
    fn set_up(&mut self, look_up: &mut Indirect<'_>) {
        while !self.set_up_indirect(0, look_up).unwrap() {}
    }

    fn request(&mut self, setup: &driver::Setup, quad: &driver::IndirectQuad) -> bool {
        self.request_indirect(0, setup, quad).unwrap()
    }

    fn collect(&mut self) -> Option<Value> {
        self.collect_indirect(0).unwrap()
    }
}

impl LookUps for CDriver<SimBus> {
    fn set_up(&mut self, look_up: &mut Indirect<'_>) {
        assert_eq!(self.set_up_indirect(0, look_up), 0);
    }

    fn request(&mut self, setup: &driver::Setup, quad: &driver::IndirectQuad) -> bool {
        match self.request_indirect(0, setup, quad) {
            0 => true,
            FULL => false,
            status => panic!("tmu_request_indirect gives {status}"),
        }
    }

    fn collect(&mut self) -> Option<Value> {
        self.collect_indirect(0)
    }
}

fn binding(format: Format, base: u32) -> Binding {
    let shape = Shape { kind: Kind::D2, width: 64, height: 32, depth: 1, levels: 1, format };
    let texture = Texture::packed(shape, Swizzle::NONE, false).unwrap();
    Binding { base, texture, sampler: Sampler::default(), drop_cache: false }
}

fn look_up(driver: &mut dyn LookUps, contents: &Arc<TextureMemory>, features: Features) {
    let mut golden = Unit::new(SharedMemory(Arc::clone(contents)), features);
    let (primary, secondary) = (binding(Format::Rg16, 0x1000), binding(Format::Rgba8, 0x2_0000));
    golden.take_binding(&primary.words()).unwrap();
    golden.take_binding(&secondary.secondary_words()).unwrap();
    let (of_primary, of_secondary) = (told(&primary), told(&secondary));
    for (operation, values) in [(Aggregate::None, 3), (Aggregate::Average, 2), (Aggregate::None, 1)] {
        let setup = Setup { operation, values, offset_u: 5, offset_v: -3, ..Setup::default() };
        let quad = |number: i32| {
            let place = |pixel: i32| [2 * number + (pixel & 1), number / 8 * 2 + (pixel >> 1)];
            IndirectQuad { places: [0, 1, 2, 3].map(place), valid: if number % 5 == 0 { 0b0110 } else { 15 } }
        };
        let quads: Vec<_> = (0..60).map(quad).collect();
        let mut expected = vec![];
        for quad in &quads {
            let results = golden.look_up_by(Ok(setup), quad);
            let last = results.as_slice().len() - 1;
            expected.extend(results.as_slice().iter().enumerate().map(|(number, result)| Value {
                result: QuadResult { channels: result.channels, valid: result.valid, error: result.error },
                is_last: number == last,
            }));
        }
        assert!(expected.iter().all(|value| !value.result.error));
        let of_driver = told_look_up(&setup, &quads[0]).0;
        driver.set_up(&mut Indirect::new(
            (&of_primary.0, &of_primary.1),
            (&of_secondary.0, &of_secondary.1),
            of_driver,
        ));
        let (mut asked, mut got) = (0, vec![]);
        while got.len() < expected.len() {
            while asked < quads.len() && driver.request(&of_driver, &told_look_up(&setup, &quads[asked]).1) {
                asked += 1;
            }
            got.extend(driver.collect());
        }
        assert!(got == expected, "{setup:?} differs");
    }
}

/// Runs a test on `indirect` in simulation; not without Verilator.
fn on_indirect(test: impl Fn(SimBus, u32, &Arc<TextureMemory>, Features)) {
    on(&Preset::find("indirect").unwrap().config().unwrap(), test);
}

#[test]
fn the_driver_in_rust_looks_up_indirectly() {
    on_indirect(|bus, built, contents, features| {
        look_up(&mut Tmu::open_general(bus, built).unwrap(), contents, features);
    });
}

#[test]
fn the_driver_in_c_looks_up_indirectly() {
    let folder = tempfile::tempdir().unwrap();
    let Some(library) = c::compile(folder.path()) else { return };
    on_indirect(|bus, built, contents, features| {
        let (mut driver, status) = CDriver::open_general(&library, bus, built);
        assert_eq!(status, 0);
        look_up(&mut driver, contents, features);
    });
}
