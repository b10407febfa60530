//! Faults in either pass of indirect look-ups, on the preset `indirect`: lines of the primary and of the secondary texture that cannot be
//! read, and answers of memory that are too short or too long, among quads that are in flight together. Each result is judged, and
//! good quads behind each round.
//!
//! | variable | default | |
//! | --- | --- | --- |
//! | `TMUGEN_FAULTS` | 500 | faults that quads meet |
//! | `TMUGEN_SEED` | 1 | what everything random follows from |

mod support;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::ops::{AddAssign, Range};
use std::sync::Arc;
use tmu_model::general::unit::Unit;
use tmu_sim::engines::sampler::bench::{BenchOptions, UnitRead};
use tmu_sim::engines::sampler::contents::{SharedMemory, TextureMemory};
use tmu_sim::engines::sampler::general::look_ups::{LookUps, Step};
use tmu_sim::engines::sampler::general::traffic::Traffic;
use tmu_sim::kit::memory::{Fault, LengthFault};
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::general::indirect::{IndirectQuad, Rule, Setup};
use tmu_spec::general::{Binding, QuadResult};
use tmu_spec::{Config, LINE_BYTES, Preset};
use tmu_testing::setting;
use tmu_verilate::{Model, ModelOptions};

/// Quads of a round, and those behind it that must all be right.
const QUADS: usize = 48;
const GOOD_QUADS: usize = 12;
/// Lines that fail in a round.
const LINES: usize = 4;
/// Where the textures stand.
const BASES: [u32; 2] = [0x10_0000, 0x50_0000];

fn preset() -> Config {
    Preset::find("indirect").expect("the preset ships").config().expect("presets are legal")
}

/// What was injected and what became of it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Tally {
    /// Lines that failed and that were read: of the primary texture and of the secondary one.
    lines: [u64; 2],
    /// Answers of the wrong length.
    lengths: u64,
    quads: u64,
    /// Quads that were answered with the error bit.
    failed: u64,
    /// Those that the model does not have fail: they needed what the hardware cannot trust after an answer of the wrong length.
    excused: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        for (own, other) in self.lines.iter_mut().zip(other.lines) {
            *own += other;
        }
        self.lengths += other.lengths;
        self.quads += other.quads;
        self.failed += other.failed;
        self.excused += other.excused;
    }
}

impl Tally {
    fn faults(&self) -> u64 {
        self.lines[0] + self.lines[1] + self.lengths
    }
}

/// Two textures, and quads that they allow.
struct Round {
    textures: [Binding; 2],
    asked: Vec<(IndirectQuad, Setup)>,
}

impl Round {
    fn new(traffic: &Traffic, config: &Config, random: &mut ChaCha8Rng) -> Self {
        let binding = |random: &mut ChaCha8Rng, base: u32| loop {
            let binding = Binding { base, drop_cache: true, ..traffic.binding(random) };
            // Small, so that quads meet the lines that fail.
            if binding.texture.bytes() <= 1 << 16 {
                return binding;
            }
        };
        loop {
            let textures = BASES.map(|base| binding(random, base));
            let [primary, secondary] = textures;
            let allowed = |setup: &Setup| {
                Rule::broken(setup, &primary.texture, &secondary.texture, config.features()).is_empty()
            };
            let asked: Vec<_> = (0..QUADS + GOOD_QUADS)
                .map(|_| traffic.indirect(random, &primary))
                .filter(|(_, setup)| allowed(setup))
                .collect();
            if asked.len() > GOOD_QUADS + QUADS / 2 {
                return Self { textures, asked };
            }
        }
    }

    /// Lines of a texture's level 0, by their number.
    fn lines(&self, texture: usize) -> Range<u32> {
        let Binding { base, texture, .. } = self.textures[texture];
        let first = base / LINE_BYTES;
        first..first + (texture.bytes() / LINE_BYTES).max(1)
    }

    fn steps(&self, quads: Range<usize>) -> Vec<Step<'_>> {
        let [primary, secondary] = &self.textures;
        let bound = [Step::Bind(primary), Step::BindSecondary(secondary)];
        bound
            .into_iter()
            .chain(self.asked[quads].iter().map(|(quad, setup)| Step::LookUp(quad, setup)))
            .collect()
    }

    fn golden(
        &self,
        config: &Config,
        contents: &Arc<TextureMemory>,
        quads: Range<usize>,
    ) -> Vec<Vec<QuadResult>> {
        let mut unit = Unit::new(SharedMemory(Arc::clone(contents)), *config.features());
        let [primary, secondary] = &self.textures;
        let look_up = |(quad, setup): &(IndirectQuad, Setup)| {
            unit.bind_indirect(setup, primary, secondary).expect("the set-up keeps the rules");
            unit.look_up(quad).as_slice().to_vec()
        };
        self.asked[quads].iter().map(look_up).collect()
    }
}

fn is_read(reads: &[UnitRead], line: u32) -> bool {
    reads.iter().any(|read| (read.line..read.line + read.lines).contains(&line))
}

/// One round. Everything of it follows from the seed.
fn play(rtl: &Rtl, model: &Model, seed: u64) -> Result<Tally, String> {
    let config = &rtl.config;
    let traffic = Traffic::new(config).expect("the configuration is one of the general numerics");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let round = Round::new(&traffic, config, &mut random);
    let good = Arc::new(TextureMemory::noise(seed));
    let mut failing = TextureMemory::noise(seed);
    let breaks = seed.is_multiple_of(3);
    let lines: Vec<_> = (0..if breaks { 0 } else { LINES })
        .map(|_| {
            let texture = random.random_range(0..2);
            let fault = if random.random_range(0..2) == 0 { Fault::Subordinate } else { Fault::Decode };
            let line = random.random_range(round.lines(texture));
            failing.fail(line, fault);
            (texture, line)
        })
        .collect();
    let failing = Arc::new(failing);
    let [latency, pauses] = [[1, 0], [20, 0], [20, 10], [60, 0], [1, 40]][(seed / 3 % 5) as usize];
    let mut options = BenchOptions::collecting(config, latency);
    options.memory_timing.pauses = Pauses::percent(pauses as u8);
    options.stream_pauses = Pauses::percent(pauses as u8);
    options.seed = seed;
    let mut hardware =
        LookUps::over(model, rtl, options, Arc::clone(&failing)).map_err(|error| error.to_string())?;
    let quads = round.asked.len() - GOOD_QUADS;
    let mut tally = Tally { quads: round.asked.len() as u64, ..Tally::default() };
    if breaks {
        let kind = LengthFault::KINDS[(seed / 3 % 4) as usize];
        hardware.bench().break_next_answer(kind);
    }
    let results = hardware.run(&round.steps(0..quads)).map_err(|failure| failure.to_string())?;
    let reads = hardware.bench().take_reads(0);
    for (texture, line) in &lines {
        tally.lines[*texture] += u64::from(is_read(&reads, *line));
    }
    tally.lengths =
        hardware.bench().excuse_none().map_err(|failure| failure.to_string())?.0.min(1) * u64::from(breaks);
    for (number, (got, expected)) in results.iter().zip(round.golden(config, &failing, 0..quads)).enumerate()
    {
        let is_failed = got.iter().all(|result| result.error && result.channels == [[0; 4]; 4]);
        let is_excused = tally.lengths > 0 && is_failed;
        if *got != expected && !is_excused {
            return Err(format!(
                "quad {number}, {:?}: expected {expected:x?}, got {got:x?}",
                round.asked[number]
            ));
        }
        tally.failed += u64::from(is_failed);
        tally.excused += u64::from(*got != expected);
    }
    // Everything is well again.
    hardware.bench().set_contents(&good);
    let behind = quads..round.asked.len();
    let results = hardware.run(&round.steps(behind.clone())).map_err(|failure| failure.to_string())?;
    if results != round.golden(config, &good, behind) {
        return Err("a good quad behind the faults is wrong".to_owned());
    }
    Ok(tally)
}

#[test]
fn faults_in_either_pass() {
    let Some((rtl, model)) = support::built(&preset(), &ModelOptions::default()) else { return };
    let first = setting("TMUGEN_SEED").unwrap_or(1) * 1_000_000;
    let wanted = setting("TMUGEN_FAULTS").unwrap_or(500);
    let mut tally = Tally::default();
    let mut next = first;
    while tally.faults() < wanted {
        let rounds: Vec<u64> = (next..next + 64).collect();
        next += 64;
        let play = |seed: &u64| {
            play(&rtl, &model, *seed).unwrap_or_else(|problem| panic!("round {seed}: {problem}"))
        };
        let tallies: Vec<Tally> = rounds.par_iter().map(play).collect();
        tallies.into_iter().for_each(|own| tally += own);
    }
    assert!(tally.lines.iter().all(|met| 10 * met > tally.faults()), "{tally:?}");
    assert!(tally.lengths > 0 && tally.failed > 0 && 2 * tally.failed < tally.quads, "{tally:?}");
    #[expect(clippy::print_stderr, reason = "figures of a long run")]
    {
        eprintln!("{tally:?}");
    }
}

/// A quad whose first pass has failed asks for no line of the secondary texture.
#[test]
fn a_failed_first_pass_reads_nothing_of_the_secondary_texture() {
    let Some((rtl, model)) = support::built(&preset(), &ModelOptions::default()) else { return };
    let config = &rtl.config;
    let traffic = Traffic::new(config).expect("the configuration is one of the general numerics");
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let (mut failed, mut read) = (0, 0);
    for number in 0..12 {
        let round = Round::new(&traffic, config, &mut random);
        let mut contents = TextureMemory::noise(number);
        round.lines(0).step_by(2).for_each(|line| contents.fail(line, Fault::Subordinate));
        let contents = Arc::new(contents);
        let options = BenchOptions::collecting(config, 20);
        let mut hardware = LookUps::over(&model, &rtl, options, Arc::clone(&contents)).unwrap();
        // One by one, each with an empty cache.
        for (at, (quad, setup)) in round.asked.iter().enumerate().filter(|(_, (quad, _))| quad.valid != 0) {
            let results = hardware.run(&round.steps(at..at + 1)).unwrap();
            let reads = hardware.bench().take_reads(0);
            let of_secondary = round.lines(1).any(|line| is_read(&reads, line));
            assert_eq!(results, round.golden(config, &contents, at..at + 1), "{quad:?} {setup:?}");
            let failing = results[0].iter().all(|result| result.error);
            assert!(!failing || !of_secondary, "round {number}: {quad:?} {setup:?} reads {reads:?}");
            failed += u32::from(failing);
            read += u32::from(of_secondary);
        }
    }
    assert!(failed > 50 && read > 20, "{failed} failed, {read} read the secondary texture");
}
