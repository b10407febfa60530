//! The driver in C runs each pattern of the bring-up kit; `tests/bring_up` does the same in Rust.

use crate::bus::SimBus;
use crate::c::bring_up::CNeeds;
use crate::c::{self, CDriver};
use crate::support::built;
use crate::{Bench, BenchOptions, SharedMemory, TEXTURE, TextureMemory, TextureUnit};
use std::sync::Arc;
use tmu_driver::bring_up::needs;
use tmu_model::bring_up::quad_generator::quads;
use tmu_model::bring_up::result_crc::ResultCrc;
use tmu_spec::bring_up::Pattern;
use tmu_spec::choice::Choice;
use tmu_spec::{Config, Preset, Record};
use tmu_verilate::ModelOptions;

#[test]
fn the_driver_in_c_runs_each_pattern() {
    let folder = tempfile::tempdir().unwrap();
    let Some(library) = c::compile(folder.path()) else { return };
    let toml = Preset::find("stream").unwrap().toml();
    let toml = match toml.contains("[control]") {
        true => toml.replace("[control]", "[control]\nbring_up = true"),
        false => format!("{toml}\n[control]\nbring_up = true\n"),
    };
    let config = Config::from_toml(&toml).unwrap();
    let Some((rtl, model)) = built(&config, &ModelOptions::default()) else { return };
    let contents = Arc::new(TextureMemory::noise(1));
    let options = BenchOptions::collecting(&config, 20);
    let mut bench = Bench::new(&model, &rtl, options, Arc::clone(&contents)).unwrap();
    bench.start().unwrap();
    bench.run_clocks(100).unwrap();
    let mut driver = CDriver::open(&library, SimBus::new(bench, &config));
    let words = TEXTURE.words();
    let number = words.iter().rev().fold(0, |number, word| number << 32 | u128::from(*word));
    let mut unit = TextureUnit::with_features(SharedMemory(contents), *config.features());
    unit.bind_record(Record::from_first_word(number)).unwrap();
    for (number, pattern) in (0..).zip(Pattern::CHOICES) {
        let walk = pattern.walk([64, 32], 100, 8);
        let mut expected = ResultCrc::default();
        quads(&walk).for_each(|quad| expected.add(&unit.sample(&quad)));
        let (report, beats) = driver.bring_up(&words, number, [64, 32], 100, 8);
        assert_eq!([report.crc, report.results, report.failed], [expected.crc(), 100, 0], "{pattern}");
        assert_eq!(beats, 201, "{pattern}: a binding and quads of two beats");
        let reads = driver.captured_reads();
        let of_bench = driver.platform().bench.take_reads(0);
        let of_bench: Vec<_> = of_bench.iter().map(|read| [read.line, read.lines]).collect();
        assert_eq!(reads, of_bench, "{pattern}");
        assert!(report.least_latency <= report.most_latency || report.reads == 0, "{report:?}");
        assert!(report.clocks > 0 && report.lines <= report.waiting, "{report:?}");
        assert!(report.latency_sum >= report.reads * report.least_latency.min(1), "{report:?}");
    }
    for (units, pixels, clocks) in [(1, 1, 203), (1, 4, 0), (4, 4, 403), (16, 1, 77)] {
        let of_rust = needs(clocks, units, pixels);
        let expected =
            CNeeds { outstanding_reads: of_rust.outstanding_reads, queue_depth: of_rust.queue_depth };
        assert_eq!(driver.needs(clocks, units, pixels), expected);
    }
}
