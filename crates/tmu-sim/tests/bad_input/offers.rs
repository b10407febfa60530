//! Results that are offered when a reset comes: AXI4-Stream lets no reset but the streams' own take one back.

use crate::support::{OWN_CLOCK, built};
use crate::test_bench::{binding, good_binding, quads};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use tmu_sim::engines::sampler::bench::{Bench, BenchOptions};
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::streams::request::Packet;
use tmu_sim::kit::domain::Domain;
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::presets::classic;
use tmu_spec::{Binding, Config, Format};
use tmu_verilate::ModelOptions;

/// Resets of each kind and configuration.
const RUNS: u64 = 24;

/// Clocks of `core_aclk` that a reset lasts, so that every side has learnt of it.
const RESET_CLOCKS: u64 = 40;

/// A reset that leaves the streams alone.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Soft,
    One(Domain),
}

fn send(bench: &mut Bench, config: &Config, binding: &Binding) {
    for unit in 0..bench.units() {
        bench.send(unit, Packet::bind(binding.record()));
        for quad in quads(30) {
            bench.sample(unit, &quad, config);
        }
    }
}

/// Resets at random moments with a slow sink. The bench wants every offer to stay with its data until it is taken, each
/// result to be the golden one of the quad that was due, and nothing more from before the reset.
fn resets(toml: &str, kind: impl Fn(&Config) -> Option<Kind>, seed: u64) {
    let config = Config::from_toml(toml).unwrap();
    let Some(kind) = kind(&config) else { return };
    let Some((rtl, model)) = built(&config, &ModelOptions::default()) else { return };
    let options =
        BenchOptions { result_pauses: Some(Pauses::percent(80)), seed, ..BenchOptions::new(&config, 5) };
    let contents = Arc::new(TextureMemory::noise(6));
    let mut bench = Bench::new(&model, &rtl, options, contents).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut stayed, name) = (0, config.name());
    let mut run = |bench: &mut Bench, number: u64| -> Result<(), tmu_sim::kit::error::Failure> {
        send(bench, &config, &good_binding());
        let moment = random.random_range(200..2500);
        for _ in 0..moment {
            bench.step()?;
        }
        // Mostly the sink stops, so that what is offered waits for the reset and over it.
        bench.hold_results(!number.is_multiple_of(4));
        for _ in 0..random.random_range(0..200) {
            bench.step()?;
        }
        match kind {
            Kind::Soft => bench.soft_reset()?,
            Kind::One(domain) => {
                bench.assert_reset(domain);
                bench.run_clocks(RESET_CLOCKS)?;
                bench.release_reset(domain);
                bench.run_clocks(RESET_CLOCKS)?;
            }
        }
        stayed += (0..bench.units()).filter(|unit| bench.offers_left_over(*unit)).count();
        // With what is offered still there, or not, as the sink likes.
        let settle = if number.is_multiple_of(2) { 0 } else { 300 };
        bench.hold_results(number % 8 > 4);
        bench.run_clocks(settle)?;
        bench.hold_results(false);
        send(bench, &config, &binding(0x9_0000, Format::Rgba8, 4, 4, true));
        bench.run_until_idle()?;
        // Nothing comes behind the results of requests after the reset.
        bench.run_clocks(200)
    };
    bench.start().unwrap();
    bench.run_clocks(100).unwrap();
    for number in 0..RUNS {
        run(&mut bench, number).unwrap_or_else(|failure| {
            panic!("{name}, {kind:?}, seed {seed}, run {number} of {RUNS}: {failure}")
        });
    }
    assert!(
        stayed as u64 > RUNS / 4,
        "{name}, {kind:?}: an offer stayed over only {stayed} of {RUNS} resets"
    );
}

fn on_each_configuration(kind: impl Fn(&Config) -> Option<Kind>) {
    // The seed of the configuration that is no preset does not follow how many presets there are.
    let presets = classic().map(|(preset, _)| preset.toml()).zip(14..);
    for (toml, seed) in presets.chain([(OWN_CLOCK, 18)]) {
        resets(toml, &kind, seed);
    }
}

#[test]
fn an_offered_result_stays_over_a_soft_reset() {
    on_each_configuration(|config| config.control().port().then_some(Kind::Soft));
}

#[test]
fn an_offered_result_stays_over_a_reset_of_the_units() {
    on_each_configuration(|_| Some(Kind::One(Domain::Tmu)));
}

#[test]
fn an_offered_result_stays_over_a_reset_of_the_memory_port() {
    on_each_configuration(|config| config.clocks().memory_mhz().map(|_| Kind::One(Domain::Memory)));
}

/// The streams' own reset does take it back: nothing from before it is offered afterwards.
#[test]
fn the_streams_own_reset_takes_back_what_is_offered() {
    for (_, config) in classic() {
        let Some((rtl, model)) = built(&config, &ModelOptions::default()) else { return };
        let options =
            BenchOptions { result_pauses: Some(Pauses::percent(95)), ..BenchOptions::new(&config, 5) };
        let mut bench = Bench::new(&model, &rtl, options, Arc::new(TextureMemory::noise(6))).unwrap();
        bench.start().unwrap();
        for _ in 0..10 {
            send(&mut bench, &config, &good_binding());
            while !(0..bench.units()).all(|unit| bench.offers(unit)) {
                bench.step().unwrap();
            }
            bench.assert_reset(Domain::Core);
            bench.run_clocks(1).unwrap();
            assert!(!(0..bench.units()).any(|unit| bench.offers(unit)), "{}", config.name());
            bench.run_clocks(RESET_CLOCKS).unwrap();
            bench.release_reset(Domain::Core);
            bench.run_clocks(RESET_CLOCKS).unwrap();
        }
    }
}
