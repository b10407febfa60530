//! Faults of memory in either pass of indirect look-ups, one by one among quads that need nothing of what fails.
//!
//! Each fault has an episode of its own: textures where nothing has been read yet, quads of both sorts, and a line of either texture that
//! cannot be read, or an answer of the wrong length. What cannot be read fails the quads that need it, by the golden model, to the last
//! bit; of a quad whose places could not be read nothing of the secondary texture is read. Behind an answer of the wrong length a quad is right or
//! has failed as a whole. The textures of the next episode are read as if nothing had been.

use super::look_ups::{LAST_CLOCKS, LookUps, Step};
use crate::engines::sampler::bench::BenchOptions;
use crate::engines::sampler::contents::{SharedMemory, TextureMemory};
use crate::kit::error::{Cause, Failure, Result};
use crate::kit::memory::{Fault, LengthFault};
use crate::kit::pauses::Pauses;
use crate::kit::rtl::Rtl;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use tmu_model::general::unit::Unit;
use tmu_model::{LineError, Memory};
use tmu_spec::choice::Choice as _;
use tmu_spec::general::indirect::{Aggregate, IndirectQuad, MAX_VALUES, Setup};
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{Binding, Kind, Operation, Pixel, Quad, QuadResult, Sampler, Swizzle, Texture};
use tmu_spec::quad::PIXELS;
use tmu_spec::{Format, LINE_BYTES};
use tmu_verilate::Model;

/// Quads of an episode.
const QUADS: usize = 20;
/// Sides of the primary texture, whose texels are anything, and of the secondary one, in which they are repeated.
const PRIMARY_SIDE: u32 = 64;
const SECONDARY_SIDE: u32 = 512;
/// From one episode's textures to those of the next one.
const EPISODE_BYTES: u32 = 1 << 21;
/// Where the secondary texture lies behind the primary one.
const SECONDARY_BYTES: u32 = 1 << 20;
/// Episodes until addresses come again: more than the cache holds.
const PLACES: u64 = 512;
/// Lines of a tile, which is read as a whole.
const TILE_LINES: u32 = 4;
/// Looks for results until an answer of the wrong length may come, at most: while most quads wait for places or values.
const MOST_LOOKS: u64 = 256 / LAST_CLOCKS;

/// Which run.
#[derive(Debug, Clone, Copy)]
pub struct FaultRun {
    /// Everything random follows from it.
    pub seed: u64,
    /// Faults, one by one.
    pub faults: u64,
    /// Clocks of memory from address to data.
    pub latency_clocks: u32,
    /// Pauses of streams and memory.
    pub pauses: Pauses,
}

/// What a run came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Lines of the primary texture that could not be read.
    pub first_pass: u64,
    /// Lines of the secondary one.
    pub second_pass: u64,
    /// Answers of the wrong length, to reads of either.
    pub lengths: u64,
    /// Times that there was no such answer, since nothing more was read.
    pub none: u64,
    /// Quads that came back with the error bit.
    pub failed: u64,
    /// All quads that were asked for.
    pub quads: u64,
}

impl Outcome {
    /// Adds those of another run.
    pub const fn add(&mut self, other: &Outcome) {
        self.first_pass += other.first_pass;
        self.second_pass += other.second_pass;
        self.lengths += other.lengths;
        self.none += other.none;
        self.failed += other.failed;
        self.quads += other.quads;
    }

    /// Faults of all kinds that came.
    #[must_use]
    pub const fn faults(&self) -> u64 {
        self.first_pass + self.second_pass + self.lengths
    }
}

/// The golden model's memory, which keeps the lines that were read.
#[derive(Debug, Clone)]
struct Recorded {
    memory: SharedMemory,
    lines: Rc<RefCell<BTreeSet<u32>>>,
}

impl Memory for Recorded {
    fn read_line(&self, line: u32) -> Result<[u8; LINE_BYTES as usize], LineError> {
        self.lines.borrow_mut().insert(line);
        self.memory.read_line(line)
    }
}

/// What is asked for.
#[derive(Debug, Clone)]
enum Asked {
    Direct(Quad),
    Indirect(IndirectQuad, Setup),
}

impl Asked {
    const fn step(&self) -> Step<'_> {
        match self {
            Asked::Direct(quad) => Step::Sample(quad),
            Asked::Indirect(quad, setup) => Step::LookUp(quad, setup),
        }
    }
}

/// What the golden model makes of a quad, and which lines it reads for that.
#[derive(Debug, Clone)]
struct Answer {
    results: Vec<QuadResult>,
    lines: BTreeSet<u32>,
}

impl Answer {
    fn tiles(&self) -> BTreeSet<u32> {
        self.lines.iter().copied().map(tile_of).collect()
    }
}

/// Both textures of an episode.
#[derive(Debug, Clone, Copy)]
struct Textures {
    primary: Binding,
    secondary: Binding,
}

impl Textures {
    fn of(episode: u64) -> Textures {
        let base = (episode % PLACES) as u32 * EPISODE_BYTES;
        let binding = |format: Format, side: u32, base: u32| {
            let shape = Shape { kind: Kind::D2, width: side, height: side, depth: 1, levels: 1, format };
            let texture = Texture::packed(shape, Swizzle::NONE, false).expect("the texture is legal");
            Binding { base, texture, sampler: Sampler::default(), drop_cache: false }
        };
        Textures {
            primary: binding(Format::Rg16, PRIMARY_SIDE, base),
            secondary: binding(Format::Rgba8, SECONDARY_SIDE, base + SECONDARY_BYTES),
        }
    }

    /// Whether a line is of the secondary texture.
    const fn is_secondary(&self, line: u32) -> bool {
        line >= self.secondary.base / LINE_BYTES
    }

    /// What the golden model answers over some memory, quad by quad.
    fn answers(
        &self,
        features: tmu_spec::Features,
        memory: &Arc<TextureMemory>,
        quads: &[Asked],
    ) -> Vec<Answer> {
        let lines = Rc::new(RefCell::new(BTreeSet::new()));
        let memory = Recorded { memory: SharedMemory(Arc::clone(memory)), lines: Rc::clone(&lines) };
        let mut unit = Unit::new(memory, features);
        for words in [self.primary.words(), self.secondary.secondary_words()] {
            assert!(unit.take_binding(&words).is_ok(), "both textures are legal");
        }
        let answer = |asked: &Asked| {
            lines.borrow_mut().clear();
            let results = match asked {
                Asked::Direct(quad) => vec![unit.sample(quad)],
                Asked::Indirect(quad, setup) => unit.look_up_by(Ok(*setup), quad).as_slice().to_vec(),
            };
            Answer { results, lines: lines.borrow().clone() }
        };
        quads.iter().map(answer).collect()
    }
}

/// A quad near a place: its pixels, and where they are.
fn places(rng: &mut impl Rng) -> [[i32; 2]; PIXELS] {
    let start = [0, 1].map(|_| rng.random_range(0..PRIMARY_SIDE as i32));
    std::array::from_fn(|_| start.map(|start| start + rng.random_range(-2..3)))
}

fn any_quad(rng: &mut impl Rng) -> Asked {
    if rng.random_range(0..4) == 0 {
        let pixel =
            |[u, v]: [i32; 2]| Pixel { u: u.cast_unsigned(), v: v.cast_unsigned(), ..Pixel::default() };
        let pixels = places(rng).map(pixel);
        return Asked::Direct(Quad { pixels, valid: 0xf, lod: 0, operation: Operation::Fetch });
    }
    let mut offset = || rng.random_range(-2..3);
    let (offset_u, offset_v) = (offset(), offset());
    let operation = Aggregate::CHOICES[rng.random_range(0..Aggregate::CHOICES.len())];
    let setup =
        Setup { operation, values: rng.random_range(1..=MAX_VALUES), offset_u, offset_v, ..Setup::default() };
    Asked::Indirect(IndirectQuad { places: places(rng), valid: rng.random_range(1..16) }, setup)
}

/// A fault of an episode.
#[derive(Debug, Clone, Copy)]
enum Injected {
    Line(u32, Fault),
    /// From so many looks for results on.
    Length(LengthFault, u64),
}

struct Run<'a> {
    rtl: &'a Rtl,
    hardware: LookUps,
    rng: ChaCha8Rng,
    clean: TextureMemory,
    outcome: Outcome,
}

/// Runs episode after episode.
///
/// # Errors
/// The first quad that is not as it must be; whatever else ends a simulation, as standing still does.
///
/// # Panics
/// If the configuration has no indirect look-ups.
pub fn inject(model: &Model, rtl: &Rtl, run: &FaultRun) -> Result<Outcome> {
    let clean = TextureMemory::noise(run.seed);
    let mut options = BenchOptions {
        stream_pauses: run.pauses,
        seed: run.seed,
        ..BenchOptions::collecting(&rtl.config, run.latency_clocks)
    };
    options.memory_timing.pauses = run.pauses;
    let hardware = LookUps::over(model, rtl, options, Arc::new(clean.clone())).map_err(Failure::at_start)?;
    let mut run_of =
        Run { rtl, hardware, rng: ChaCha8Rng::seed_from_u64(run.seed), clean, outcome: Outcome::default() };
    for episode in 0..run.faults {
        run_of.episode(episode)?;
    }
    Ok(run_of.outcome)
}

impl Run<'_> {
    fn episode(&mut self, number: u64) -> Result<()> {
        let features = *self.rtl.config.features();
        let textures = Textures::of(number);
        let quads: Vec<Asked> = (0..QUADS).map(|_| any_quad(&mut self.rng)).collect();
        let right = textures.answers(features, &Arc::new(self.clean.clone()), &quads);
        let injected = self.draw(&textures, &quads, &right);
        let mut memory = self.clean.clone();
        if let Injected::Line(line, fault) = injected {
            memory.fail(line, fault);
        }
        let memory = Arc::new(memory);
        let expected = textures.answers(features, &memory, &quads);
        self.hardware.bench().set_contents(&memory);
        self.hardware.bench().take_reads(0);
        let broken = self.hardware.bench().broken_answers();
        let found = self.ask(&textures, &quads, injected)?;
        self.hardware.bench().excuse_none()?;
        let tiles: BTreeSet<u32> = self
            .hardware
            .bench()
            .take_reads(0)
            .iter()
            .flat_map(|read| read.line..read.line + read.lines)
            .map(tile_of)
            .collect();
        for (place, results) in found.iter().enumerate() {
            let (asked, right, expected) = (&quads[place], &right[place], &expected[place]);
            let has_failed = results.iter().all(|result| *result == QuadResult::failed(result.valid));
            let is_right = match injected {
                Injected::Line(..) => *results == expected.results,
                Injected::Length(..) => {
                    *results == right.results || (has_failed && results.len() == right.results.len())
                }
            };
            if !is_right {
                let said = format!(
                    "episode {number}, {injected:?}, quad {place}: {asked:?}\nexpected {expected:?}\nright {right:?}\ngot {results:?}"
                );
                return Err(self.hardware.bench().failure(Cause::Check(said)));
            }
            self.outcome.failed += u64::from(results[0].error);
        }
        self.outcome.quads += quads.len() as u64;
        if let Injected::Line(line, _) = injected {
            self.check_reads(number, line, &textures, [&right, &expected], &tiles)?;
        }
        match injected {
            Injected::Line(line, _) if textures.is_secondary(line) => self.outcome.second_pass += 1,
            Injected::Line(..) => self.outcome.first_pass += 1,
            Injected::Length(..) if self.hardware.bench().broken_answers() > broken => {
                self.outcome.lengths += 1
            }
            Injected::Length(..) => self.outcome.none += 1,
        }
        Ok(())
    }

    /// A line that an indirect quad needs, of either texture, or an answer of the wrong length.
    fn draw(&mut self, textures: &Textures, quads: &[Asked], right: &[Answer]) -> Injected {
        let kind = self.rng.random_range(0..5);
        if kind == 4 {
            let fault = LengthFault::KINDS[self.rng.random_range(0..LengthFault::KINDS.len())];
            return Injected::Length(fault, self.rng.random_range(0..MOST_LOOKS));
        }
        let is_second = kind % 2 == 1;
        let needed: Vec<u32> = quads
            .iter()
            .zip(right)
            .filter(|(asked, _)| matches!(asked, Asked::Indirect(..)))
            .flat_map(|(_, answer)| answer.lines.iter().copied())
            .filter(|line| textures.is_secondary(*line) == is_second)
            .collect();
        let fault = if self.rng.random() { Fault::Subordinate } else { Fault::Decode };
        Injected::Line(needed[self.rng.random_range(0..needed.len())], fault)
    }

    /// Binds both textures and asks for all quads; their results, quad by quad.
    fn ask(
        &mut self,
        textures: &Textures,
        quads: &[Asked],
        injected: Injected,
    ) -> Result<Vec<Vec<QuadResult>>> {
        let bound = [Step::Bind(&textures.primary), Step::BindSecondary(&textures.secondary)];
        let steps: Vec<_> = bound.into_iter().chain(quads.iter().map(Asked::step)).collect();
        let mut looks = 0;
        self.hardware.run_watched(&steps, |bench| {
            if let Injected::Length(fault, after) = injected
                && looks == after
            {
                bench.break_next_answer(fault);
            }
            looks += 1;
        })
    }

    /// Of the secondary texture only tiles are read that quads need whose places could be read; what a second pass needs may be read though
    /// some of it fails.
    fn check_reads(
        &mut self,
        number: u64,
        line: u32,
        textures: &Textures,
        [right, expected]: [&[Answer]; 2],
        tiles: &BTreeSet<u32>,
    ) -> Result<()> {
        let has_places = |expected: &Answer| textures.is_secondary(line) || !expected.results[0].error;
        let of = right.iter().zip(expected).filter(|(_, expected)| has_places(expected));
        let needed: BTreeSet<u32> = of.flat_map(|(right, _)| right.tiles()).collect();
        let is_idle = |tile: &&u32| textures.is_secondary(**tile * TILE_LINES) && !needed.contains(*tile);
        let idle: Vec<u32> = tiles.iter().filter(is_idle).copied().collect();
        if idle.is_empty() {
            return Ok(());
        }
        let said = format!(
            "episode {number}, line {line:#x}: tiles {idle:x?} of the secondary texture are read, which no quad needs that has its places"
        );
        Err(self.hardware.bench().failure(Cause::Check(said)))
    }
}

const fn tile_of(line: u32) -> u32 {
    line / TILE_LINES
}
