//! Entries of the parameter store that both drivers write over the control port and load from memory: what is drawn by them in simulation,
//! and what is refused.

use super::drawing::{Drawing, bindings, collected, quads};
use super::random::{binding, told};
use super::{Pair, status_of, with_library};
use crate::bus::SimBus;
use crate::c::{self, CDriver};
use crate::support::built;
use crate::{Format, Refusal, Tmu};
use rand::Rng;
use std::sync::Arc;
use tmu_driver::Error;
use tmu_driver::general::{self as driver, QuadResult, Use, enables};
use tmu_model::general::unit::Unit;
use tmu_sim::engines::sampler::bench::{Bench, BenchOptions};
use tmu_sim::engines::sampler::contents::{SharedMemory, TextureMemory};
use tmu_sim::kit::memory::Fault;
use tmu_spec::general::built::word;
use tmu_spec::general::store::{self, entry_bytes, line_of_entry, written};
use tmu_spec::general::{Binding, General};
use tmu_spec::{Config, Features, Preset};
use tmu_verilate::ModelOptions;

/// Where the table stands: an entry of it lies across 4 KiB.
const TABLE: u32 = 0x30_0ff0 - 80 * 3;
/// Entries of it: a picture, a cube, and a picture of which a line cannot be read.
const FIRST: u32 = 3;
/// The last one.
const UNREADABLE: u32 = 5;

/// What the unit is asked to look up, and what comes.
fn draws_what_is_used(
    driver: &mut dyn Drawing,
    golden: &mut Unit<SharedMemory>,
    entry: u32,
    binding: &Binding,
) {
    let kind = binding.texture.kind();
    let is_there = golden.take_use(store::Use { entry, ..store::Use::default() }.word()).is_ok();
    assert!(is_there, "entry {entry} was written");
    while !driver.use_entry(&Use::new(entry)) {}
    let quads = &quads(kind)[..80];
    let expected: Vec<_> = quads
        .iter()
        .map(|quad| golden.sample(quad))
        .map(|result| QuadResult { channels: result.channels, valid: result.valid, error: result.error })
        .collect();
    assert!(expected.iter().all(|result| result.error == (entry == UNREADABLE)));
    assert!(collected(driver, quads) == expected, "entry {entry} differs");
}

fn draws(driver: &mut dyn Drawing, mut golden: Unit<SharedMemory>) {
    let both = enables(&[driver::Kind::D2, driver::Kind::Cube]);
    let [picture, cube] = bindings();
    // Over the control port, both into one entry, while quads of another one are looked up.
    let alone = enables(&[driver::Kind::D2]);
    for (entry, enables, binding) in [(40, alone, picture), (63, both, picture), (63, both, cube)] {
        let (texture, sampler) = told(&binding);
        golden.take_binding(&written(store::stored(binding.words(), 0, Some(enables)), entry)).unwrap();
        driver.write_entry(entry, Some(enables), &texture, &sampler);
        if entry == 63 {
            draws_what_is_used(driver, &mut golden, 40, &picture);
        }
        driver.wait_for_entries();
    }
    draws_what_is_used(driver, &mut golden, 63, &cube);
    assert_eq!(driver.error_flags(), 0);
    // From memory, while quads are looked up; what is bound stays.
    driver.load_entries(TABLE, FIRST, 2);
    draws_what_is_used(driver, &mut golden, 63, &cube);
    driver.wait_for_entries();
    assert_eq!(golden.load_entries(TABLE, FIRST, 2), Ok(()));
    assert_eq!((driver.failed_entry(), driver.error_flags()), (None, 0));
    draws_what_is_used(driver, &mut golden, FIRST, &picture);
    draws_what_is_used(driver, &mut golden, FIRST + 1, &cube);
    // An entry that cannot be read fails, and nothing else does.
    driver.load_entries(TABLE, FIRST, 3);
    driver.wait_for_entries();
    assert_eq!(golden.load_entries(TABLE, FIRST, 3), Err(UNREADABLE));
    assert_eq!(driver.failed_entry(), Some(UNREADABLE));
    draws_what_is_used(driver, &mut golden, UNREADABLE, &picture);
    draws_what_is_used(driver, &mut golden, FIRST + 1, &cube);
    assert_ne!(driver.error_flags(), 0);
}

/// Memory with the table.
fn contents() -> Arc<TextureMemory> {
    let mut contents = TextureMemory::noise(1);
    let [picture, cube] = bindings();
    let mut bytes = vec![];
    for (binding, kind) in
        [(picture, driver::Kind::D2), (cube, driver::Kind::Cube), (picture, driver::Kind::D2)]
    {
        bytes.extend(entry_bytes(&binding.words(), Some(enables(&[kind]))));
    }
    contents.place(16 * line_of_entry(TABLE, FIRST, 0), bytes);
    contents.fail(line_of_entry(TABLE, UNREADABLE, 2), Fault::Subordinate);
    Arc::new(contents)
}

/// Runs a test on `multi-lite` with a parameter store and all ways to write it, with either form of quads; not without Verilator.
fn on_stores(test: impl Fn(SimBus, u32, Unit<SharedMemory>)) {
    let preset = Preset::find("multi-lite").unwrap().config().unwrap();
    for (name, beats) in [("stores", "beats_per_quad = 2"), ("stores_at_once", "beats_per_quad = 1")] {
        let text = preset.canonical_toml().replace("multi_lite", name).replace("beats_per_quad = 2", beats);
        let text = text.replace("[texture]", "[texture]\nstore_entries = 64");
        let text = text.replace("[control]", "[control]\nstore_port = true\nstore_table = true");
        let config = Config::from_toml(&text).unwrap();
        let Some((rtl, model)) = built(&config, &ModelOptions::default()) else { return };
        let contents = contents();
        let options = BenchOptions::collecting(&config, 20);
        let mut bench = Bench::new(&model, &rtl, options, Arc::clone(&contents)).unwrap();
        bench.start().unwrap();
        bench.run_clocks(100).unwrap();
        let features = *config.features();
        let golden = Unit::new(SharedMemory(contents), features);
        test(SimBus::new(bench, &config), word(&features), golden);
    }
}

#[test]
fn the_driver_in_rust_draws_entries_that_it_has_written() {
    on_stores(|bus, built, golden| draws(&mut Tmu::open_general(bus, built).unwrap(), golden));
}

#[test]
fn the_driver_in_c_draws_entries_that_it_has_written() {
    let folder = tempfile::tempdir().unwrap();
    let Some(library) = c::compile(folder.path()) else { return };
    on_stores(|bus, built, golden| {
        let (mut driver, status) = CDriver::open_general(&library, bus, built);
        assert_eq!(status, 0);
        draws(&mut driver, golden);
    });
}

#[test]
fn entries_of_tables_are_those_of_the_specification() {
    with_library(|library, rng| {
        let pair = Pair::open(library, &Features::GENERAL);
        for _ in 0..1000 {
            let binding = binding(rng);
            let enables = rng.random::<bool>().then(|| rng.random_range(0..16));
            let (texture, sampler) = told(&binding);
            let expected = written_bytes(&binding, enables);
            assert_eq!(texture.entry_bytes(&sampler, enables), expected, "{binding:?}");
            if let Some(c) = &pair.c {
                assert_eq!(c.entry_bytes(&texture, &sampler, enables), expected, "{binding:?}");
            }
        }
    });
}

/// An entry without the bits that say where it is kept, which mean nothing there.
fn written_bytes(binding: &Binding, enables: Option<u8>) -> [u8; driver::ENTRY_BYTES] {
    let mut bytes = entry_bytes(&binding.words(), enables);
    bytes[4] &= 0x7f;
    bytes
}

#[test]
fn entries_and_tables_that_are_not_there_are_refused() {
    with_library(|library, _| {
        let texture = driver::Texture::new(Format::Rgba8, [8, 8]).packed();
        let sampler = driver::Sampler::default();
        for entries in [0, 64, 128] {
            let general = General::ALL.with_store(entries).with_indirect(false);
            let mut pair = Pair::open(library, &Features::GENERAL.with_general(general, 12));
            let wrong = driver::Texture { base: 8, ..texture };
            let by_entry = Err(Error::Refused(Refusal::Entry));
            assert_eq!(pair.rust.write_entry(1, entries, None, &texture, &sampler), by_entry);
            assert_eq!(pair.rust.load_entries(1, 0, entries, 1), by_entry);
            if let Some(c) = &mut pair.c {
                assert_eq!(c.write_entry(1, entries, None, &texture, &sampler), status_of(Refusal::Entry));
                assert_eq!(c.load_entries(1, 0, entries, 1), status_of(Refusal::Entry));
            }
            if entries == 0 {
                continue;
            }
            let by_base = Err(Error::Refused(Refusal::Base));
            assert_eq!(pair.rust.load_entries(1, 0, entries - 1, 2), by_entry);
            assert_eq!(pair.rust.load_entries(1, 8, 0, 2), by_base);
            assert_eq!(pair.rust.load_entries(1, 1 << 31, 0, 2), by_base);
            assert_eq!(pair.rust.load_entries(2, 0, 0, 1), Err(Error::Unit(1)));
            assert_eq!(pair.rust.write_entry(5, 0, None, &texture, &sampler), Err(Error::Unit(2)));
            assert_eq!(pair.rust.write_entry(1, 0, None, &wrong, &sampler), by_base);
            // Without the registers the platform fails.
            assert_eq!(pair.rust.write_entry(1, 0, None, &texture, &sampler), Err(Error::Bus(())));
            let Some(c) = &mut pair.c else { continue };
            assert_eq!(c.load_entries(1, 0, entries - 1, 2), status_of(Refusal::Entry));
            assert_eq!(c.load_entries(1, 8, 0, 2), status_of(Refusal::Base));
            assert_eq!(c.load_entries(1, 1 << 31, 0, 2), status_of(Refusal::Base));
            assert_eq!(c.load_entries(2, 0, 0, 1), -3);
            assert_eq!(c.write_entry(5, 0, None, &texture, &sampler), -3);
            assert_eq!(c.write_entry(1, 0, None, &wrong, &sampler), status_of(Refusal::Base));
            assert_eq!(c.write_entry(1, 0, None, &texture, &sampler), -1);
        }
    });
}
