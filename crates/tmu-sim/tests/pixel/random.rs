//! Random frames, whole and damaged, in systems with memory that pauses and answers late.

use crate::frames::{Kinds, Put};
use crate::support::built;
use crate::{preset, system};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use tmu_model::pixel::{Fault, draw, tile_fetch};
use tmu_model::{LineError, Memory};
use tmu_sim::engines::pixel::{Done, Pixel};
use tmu_sim::kit::memory::{self, Answer, Bytes};
use tmu_spec::pixel::{FaultCode, Frame};
use tmu_testing::setting;
use tmu_verilate::{ModelOptions, OptimizeFor};

/// From so many frames on a fast model is worth its compilation.
const MANY_FRAMES: u64 = 500;
/// Latency of memory, and in how many of a hundred clocks it pauses, of the systems that frames are drawn in by turns.
const SYSTEMS: [(u32, u8); 3] = [(1, 0), (20, 20), (60, 50)];
/// One of so many damaged frames is drawn whole behind that, one of four times as many after a reset.
const WHOLE: u64 = 7;
/// Codes of ends among some hundred damaged frames; a list without end and a state that lets opaque pixels go are rare.
const FEWEST_ENDS: usize = 10;
/// The code of a frame that a reset has ended.
const ENDED_BY_RESET: u32 = 15;
/// What the programs of many frames have.
const WORDS: [&str; 36] = [
    "mov",
    "add",
    "sub",
    "mul",
    "mad",
    "lrp",
    "dp3",
    "dp4",
    "cmp",
    "cnd",
    "bem",
    "texld",
    "texcrd",
    "texkill t",
    "texkill r",
    "texdepth",
    "phase",
    "def",
    "_x2",
    "_x4",
    "_x8",
    "_d2",
    "_d4",
    "_d8",
    "_sat",
    "_bias",
    "_bx2",
    "_dz",
    "_dw",
    "1-",
    ", -",
    "\n+",
    "v1",
    ".xyw",
    "r3",
    "c4",
];

/// A frame's memory as the model reads it: some lines fail, and those that are read are known.
struct Seen<'a> {
    put: &'a Put,
    failing: &'a [u32],
    read: RefCell<HashSet<u32>>,
}

impl Memory for Seen<'_> {
    fn read_line(&self, line: u32) -> Result<[u8; 16], LineError> {
        self.read.borrow_mut().insert(line);
        let place = self.put.place(16 * u64::from(line), 16).filter(|_| !self.failing.contains(&line));
        let bytes = place.and_then(|place| self.put.bytes[place].first_chunk());
        bytes.copied().ok_or(LineError)
    }
}

impl Put {
    /// Where bytes stand, if all of them are there.
    fn place(&self, address: u64, count: usize) -> Option<Range<usize>> {
        let start = usize::try_from(address.checked_sub(self.base.into())?).ok()?;
        (start + count <= self.bytes.len()).then_some(start..start + count)
    }

    /// What the frame may change: the picture, and depth if it is written.
    fn may_change(&self, kinds: &Kinds) -> Vec<bool> {
        let mut may_change = vec![false; self.bytes.len()];
        let image = Seen { put: self, failing: &[], read: RefCell::default() };
        let Ok(frame) = tile_fetch::frame(&image, self.address) else { return may_change };
        if frame.tile != kinds.tile {
            return may_change;
        }
        let Frame { picture, picture_pitch, output, depth, depth_pitch, .. } = frame;
        let [width, height] = frame.size();
        let parts = [
            (picture, picture_pitch, output.pixel_bytes(), true),
            (depth, depth_pitch, 4, frame.writes_depth),
        ];
        for (start, pitch, pixel_bytes, _) in parts.into_iter().filter(|(.., is_there)| *is_there) {
            for y in 0..height {
                let row = start.wrapping_add(y.wrapping_mul(pitch));
                for address in (0..width * pixel_bytes).map(|at| row.wrapping_add(at)) {
                    if let Some(place) = self.place(address.into(), 1) {
                        may_change[place.start] = true;
                    }
                }
            }
        }
        may_change
    }
}

/// What a frame leaves, by the model.
struct Expected {
    bytes: Vec<u8>,
    end: Result<(), Fault>,
    /// The row that could not be written.
    failed: Option<Range<u64>>,
    /// What is read is overwritten, so that it matters when.
    is_entangled: bool,
}

impl Expected {
    fn of(put: &Put, failing: &[u32], kinds: &Kinds) -> Expected {
        let memory = Seen { put, failing, read: RefCell::default() };
        let (mut bytes, mut failed, mut written) = (put.bytes.clone(), None, HashSet::new());
        let end = draw(&memory, put.address, &kinds.build, |address, data| {
            let addresses = u64::from(address)..u64::from(address) + data.len() as u64;
            written.extend((addresses.start / 16..=(addresses.end - 1) / 16).map(|line| line as u32));
            match put.place(addresses.start, data.len()) {
                Some(place) => bytes[place].copy_from_slice(data),
                None => {
                    failed = Some(addresses);
                    return Err(LineError);
                }
            }
            Ok(())
        });
        let is_entangled = memory.read.borrow().iter().any(|line| written.contains(line));
        Expected { bytes, end: end.map(|_| ()), failed, is_entangled }
    }

    /// Whether it is only known where the frame may write: the hardware does not stop at a write that fails as the model does.
    const fn is_bounded(&self) -> bool {
        self.failed.is_some() || self.is_entangled
    }

    /// How the hardware has ended the frame, and what it has left.
    fn check(&self, put: &Put, kinds: &Kinds, done: Done, got: &[u8], told: &str) {
        let (code, address) = (done.code, done.address);
        if let Some(failed) = self.failed.as_ref().filter(|_| !self.is_entangled) {
            let lines = failed.start / 16 * 16..failed.end;
            assert_eq!(code, FaultCode::Write as u32, "{told}: {done:?}, not a write in {lines:x?}");
            assert!(lines.contains(&u64::from(address)), "{told}: {done:x?} is not in {lines:x?}");
        }
        if self.is_bounded() {
            let may_change = put.may_change(kinds);
            let differs = (0..got.len()).find(|at| got[*at] != put.bytes[*at] && !may_change[*at]);
            assert_eq!(differs, None, "{told}: a byte outside of the picture is written");
            return;
        }
        let fault = self.end.err().map_or((0, 0), |fault| (fault.code as u32, fault.address));
        assert_eq!((code, address), fault, "{told}: ends with {done:?}, not {:?}", self.end);
        if let Some(at) = (0..got.len()).find(|at| got[*at] != self.bytes[*at]) {
            let all = (0..got.len()).filter(|at| got[*at] != self.bytes[*at]).count();
            let [got, expected] = [got, &self.bytes].map(|bytes| bytes[at & !3..][..4].to_vec());
            let frame = tile_fetch::frame(&Seen { put, failing: &[], read: RefCell::default() }, put.address);
            panic!(
                "{told}: {all} bytes differ, first that at {:#x}: {got:?}, not {expected:?}\n{frame:x?}",
                u64::from(put.base) + at as u64
            );
        }
    }
}

/// What is wrong with a frame.
fn damage(rng: &mut ChaCha8Rng, put: &mut Put) -> Vec<u32> {
    let mut failing = vec![];
    for _ in 0..rng.random_range(1..4) {
        // Texels may be anything, so they are only not to be read.
        let kind = rng.random_range(0..9);
        let (is_read_only, kind) = if kind < 7 { (false, kind) } else { (true, rng.random_range(0..8)) };
        let records = &put.records[kind];
        let record = records[rng.random_range(0..records.len())].clone();
        if is_read_only {
            failing.push((put.base + rng.random_range(record) as u32) / 16);
        } else {
            put.bytes[rng.random_range(record)] ^= 1 << rng.random_range(0..8);
        }
    }
    failing
}

/// A test of random frames.
struct Plan {
    /// Its name.
    test: &'static str,
    preset: &'static str,
    /// Pixels of a side of a frame, at most.
    most_side: u32,
    /// Frames, where nothing else is asked for.
    count: u64,
    /// The seed of the first frame.
    seed: u64,
}

impl Plan {
    /// As it is asked for.
    #[allow(clippy::print_stdout, reason = "a random test says its seed")]
    fn set(self, count: Option<u64>) -> Plan {
        let count = count.unwrap_or(self.count);
        let seed = setting("TMUGEN_SEED").unwrap_or(self.seed);
        println!("{}: {count} frames of {} from seed {seed} on", self.test, self.preset);
        Plan { count, seed, ..self }
    }

    fn seeds(&self) -> Range<u64> {
        self.seed..self.seed + self.count
    }
}

/// Systems that frames are drawn in by turns.
struct Campaign {
    kinds: Kinds,
    systems: Vec<Pixel>,
    /// What repeats a frame.
    command: String,
    clocks: u64,
    /// Frames by the code of their end.
    ends: BTreeMap<u32, u64>,
    /// Frames of which only how far they write was looked at.
    bounded: u64,
}

impl Campaign {
    /// None without Verilator.
    fn of(plan: &Plan, variable: &str) -> Option<Campaign> {
        let config = preset(plan.preset);
        let test = plan.test;
        let command = format!("{variable}=1 cargo test -p tmu-sim --test pixel {test} -- --include-ignored");
        let optimize = if plan.count < MANY_FRAMES { OptimizeFor::Both } else { OptimizeFor::Speed };
        let (_, model) = built(&config, &ModelOptions { optimize, ..ModelOptions::default() })?;
        let systems =
            SYSTEMS.iter().map(|(latency, percent)| system(&model, &config, *latency, *percent, plan.seed));
        let systems = systems.collect();
        let kinds = Kinds::of(&config, plan.most_side);
        Some(Campaign { kinds, systems, command, clocks: 0, ends: BTreeMap::new(), bounded: 0 })
    }

    /// The system of a frame with the frame's memory, and what repeats it.
    fn system(&mut self, seed: u64, put: &Put, failing: &[u32]) -> (&mut Pixel, String) {
        let number = seed as usize % SYSTEMS.len();
        let mut memory = Bytes::new(put.base.into(), put.bytes.clone());
        let fails = |line: &u32| Answer {
            addresses: 16 * u64::from(*line)..16 * u64::from(*line) + 16,
            fault: memory::Fault::Subordinate,
            reads: true,
            writes: false,
        };
        memory.answer(failing.iter().map(fails).collect());
        let pixel = &mut self.systems[number];
        pixel.set_memory(memory);
        (pixel, format!("TMUGEN_SEED={seed} {}: {:?}", self.command, SYSTEMS[number]))
    }

    /// Draws a frame and compares.
    fn draw(&mut self, seed: u64, put: &Put, failing: &[u32]) {
        let expected = Expected::of(put, failing, &self.kinds);
        let (pixel, told) = self.system(seed, put, failing);
        let done = pixel
            .draw(put.address)
            .unwrap_or_else(|error| panic!("{told}: {error}\nthe model ends with {:?}", expected.end));
        let got = pixel.bytes().to_vec();
        self.clocks += done.clocks;
        *self.ends.entry(done.code).or_default() += 1;
        self.bounded += u64::from(expected.is_bounded());
        expected.check(put, &self.kinds, done, &got, &told);
    }

    /// Starts a frame and ends it before it is drawn, as a rule.
    fn reset(&mut self, seed: u64, clocks: u64, put: &Put) {
        let (pixel, told) = self.system(seed, put, &[]);
        let ends = |pixel: &mut Pixel| {
            pixel.start(put.address)?;
            pixel.system().run_clocks(clocks)?;
            pixel.write("RESET", 1)?;
            pixel.end()
        };
        let done = ends(pixel).unwrap_or_else(|error| panic!("{told}: {error}"));
        assert!([0, ENDED_BY_RESET].contains(&done.code), "{told}: {done:?} behind a reset");
    }
}

#[allow(clippy::print_stdout, reason = "a random test says what it has drawn")]
fn whole_frames(plan: Plan) {
    let plan = plan.set(setting("TMUGEN_PIXEL_FRAMES"));
    let Some(mut campaign) = Campaign::of(&plan, "TMUGEN_PIXEL_FRAMES") else { return };
    let mut programs = String::new();
    for seed in plan.seeds() {
        let put = Put::any(&mut ChaCha8Rng::seed_from_u64(seed), &campaign.kinds);
        campaign.draw(seed, &put, &[]);
        programs += &put.programs;
    }
    println!("{} clocks; frames by code: {:?}", campaign.clocks, campaign.ends);
    assert_eq!(campaign.ends.get(&0), Some(&plan.count), "whole frames are drawn");
    let missing: Vec<&&str> = WORDS.iter().filter(|word| !programs.contains(**word)).collect();
    assert!(plan.count < 100 || missing.is_empty(), "no program has {missing:?}");
}

#[allow(clippy::print_stdout, reason = "a random test says what it has drawn")]
fn damaged_frames(plan: Plan) {
    let plan = plan.set(setting("TMUGEN_PIXEL_DAMAGED"));
    let Some(mut campaign) = Campaign::of(&plan, "TMUGEN_PIXEL_DAMAGED") else { return };
    for seed in plan.seeds() {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut put = Put::any(&mut rng, &campaign.kinds);
        let whole = put.clone();
        let failing = damage(&mut rng, &mut put);
        campaign.draw(seed, &put, &failing);
        if seed % (4 * WHOLE) == 0 {
            campaign.reset(seed, rng.random_range(0..20_000), &whole);
        }
        if seed % WHOLE == 0 {
            campaign.draw(seed, &whole, &[]);
        }
    }
    let Campaign { clocks, ends, bounded, .. } = campaign;
    println!("{clocks} clocks; frames by code: {ends:?}; of {bounded} only how far they write was looked at");
    assert!(
        plan.count < 300 || ends.len() >= FEWEST_ENDS,
        "there are few ways in which frames end: {ends:?}"
    );
}

#[test]
fn small_random_frames_are_drawn_as_the_model_draws_them() {
    whole_frames(Plan {
        test: "random::small_random_frames",
        preset: "pixel-lite",
        most_side: 32,
        count: 200,
        seed: 300_001,
    });
}

#[test]
#[ignore = "compiles a large model; in scripts/test-long"]
fn random_frames_are_drawn_as_the_model_draws_them() {
    whole_frames(Plan {
        test: "random::random_frames_are",
        preset: "pixel-lite",
        most_side: 128,
        count: 200,
        seed: 1,
    });
}

#[test]
#[ignore = "compiles a large model; in scripts/test-long"]
fn random_frames_of_the_preset_pixel_are_drawn_as_the_model_draws_them() {
    whole_frames(Plan {
        test: "random::random_frames_of_the_preset_pixel",
        preset: "pixel",
        most_side: 128,
        count: 200,
        seed: 100_001,
    });
}

#[test]
#[ignore = "compiles a large model; in scripts/test-long"]
fn damaged_frames_end_and_write_nothing_else() {
    damaged_frames(Plan {
        test: "random::damaged_frames",
        preset: "pixel-lite",
        most_side: 32,
        count: 300,
        seed: 200_001,
    });
}
