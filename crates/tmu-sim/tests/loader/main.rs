//! The engine `loader` in simulation, against its golden model: random jobs, pauses, refused jobs, failing accesses, resets, rates.

mod packets;
#[path = "../support/mod.rs"]
mod support;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tmu_model::engines::loader::{Job, Settings};
use tmu_rtl::system::registers::{self, ERROR, ERROR_ADDRESS_HIGH, ERROR_ADDRESS_LOW};
use tmu_sim::engines::loader::jobs::{self, BASE};
use tmu_sim::engines::loader::rates::{TEXTURES, measure};
use tmu_sim::engines::loader::{Done, Loader};
use tmu_sim::kit::domain::Domain;
use tmu_sim::kit::memory::{self, Bytes, Fault, LengthFault, MemoryTiming};
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::system::SystemOptions;
use tmu_spec::general::Kind;
use tmu_spec::general::texture::Shape;
use tmu_spec::loader::Refusal;
use tmu_spec::{Config, Format, Preset};
use tmu_testing::setting;
use tmu_verilate::{Initial, ModelOptions};

/// Ends of jobs that fail, as `STATUS` shows them.
const READ_FAULT: u32 = 9;
const WRITE_FAULT: u32 = 10;
const RESET: u32 = 15;

fn preset() -> Config {
    Preset::find("loader").unwrap().config().unwrap()
}

/// The system of a configuration; none without Verilator.
fn loader(config: &Config, percent: u8, seed: u64) -> Option<Loader> {
    let (_, model) = support::built(config, &ModelOptions::default())?;
    let pauses = Pauses::percent(percent);
    let options = SystemOptions {
        memory_timing: MemoryTiming { latency_spread_clocks: 40, pauses, ..MemoryTiming::latency(1) },
        control_pauses: pauses,
        initial: Initial::Random(seed as u32),
        seed,
        ..SystemOptions::new(config, 1)
    };
    Some(Loader::new(&model, config, &options, Bytes::new(BASE.into(), vec![0; 16])).unwrap())
}

/// Does a job, and compares all of memory with what the model makes of it.
fn check(loader: &mut Loader, job: &Job, memory: &[u8], told: &str) -> Done {
    let mut expected = memory.to_vec();
    let bytes = job.run(BASE, &mut expected);
    loader.set_memory(Bytes::new(BASE.into(), memory.to_vec()));
    let done = loader.run(&job.settings()).unwrap_or_else(|error| panic!("{told}: {job:x?}: {error}"));
    assert_eq!(done.code, 0, "{told}: {job:x?}");
    assert_eq!(done.lines_written * 16, bytes, "{told}: {job:x?}");
    if let Some(at) = (0..expected.len()).find(|byte| loader.bytes()[*byte] != expected[*byte]) {
        let offset = at as i64 - i64::from(job.texture - BASE);
        let (got, wanted) = (loader.bytes()[at], expected[at]);
        panic!("{told}: {job:x?}: byte {offset} of the texture is {got:02x}, not {wanted:02x}");
    }
    done
}

/// Jobs of random shapes, formats and places.
fn random_jobs(toml: Option<&str>, percent: u8, jobs: u64, most: u32, seed: u64) {
    let config = toml.map_or_else(preset, |toml| Config::from_toml(toml).unwrap());
    let Some(mut loader) = loader(&config, percent, seed) else { return };
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for round in 0..jobs {
        let (job, memory) = jobs::random(&mut random, most);
        check(&mut loader, &job, &memory, &format!("seed {seed}, job {round}"));
    }
    assert_eq!(loader.system().read_register(ERROR.offset_bytes).unwrap(), 0);
}

/// A configuration with another engine beside this one, and a longer ring.
const BESIDE: &str =
    "name = \"loader_beside\"\nengines = [\"copy\", \"loader\"]\n[loader]\nbuffer_lines = 1024";

#[test]
fn random_jobs_make_what_the_model_makes() {
    random_jobs(None, 0, 60, 40, 1);
    random_jobs(None, 25, 60, 40, 2);
}

#[test]
#[ignore = "builds a model of its own; in scripts/test-long"]
fn random_jobs_beside_another_engine_make_what_the_model_makes() {
    random_jobs(Some(BESIDE), 10, 40, 40, 3);
}

#[test]
#[ignore = "takes minutes; in scripts/test-long"]
fn many_random_jobs_make_what_the_model_makes() {
    let seed = setting("TMUGEN_SEED").unwrap_or(100);
    for (number, percent) in [0, 10, 40, 70].into_iter().enumerate() {
        random_jobs(None, percent, 400, 150, seed + number as u64);
        random_jobs(Some(BESIDE), percent, 200, 100, seed + 10 + number as u64);
    }
}

/// Each format, each parity of each side, and the sides around a group of tiles.
#[test]
fn every_format_and_every_parity_of_sides() {
    let Some(mut loader) = loader(&preset(), 5, 4) else { return };
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let formats = Format::ALL.into_iter().filter(|format| tmu_spec::loader::loads(*format));
    for (number, format) in formats.enumerate() {
        for (kind, width, height, depth) in [
            (Kind::D2, 33 + number as u32, 7, 1),
            (Kind::D3, 5, 6, 7),
            (Kind::D3, 9, 3, 4 + number as u32 % 3),
            (Kind::D2Array, 1, 10, 3),
        ] {
            let shape = Shape { kind, width, height, depth, levels: 1, format };
            let has_means = tmu_spec::loader::has_means(format);
            let levels = if has_means { shape.most_levels() } else { 1 };
            let shape = Shape { levels, ..shape };
            let (job, memory) = jobs::of_shape(&mut random, shape, format.can_be_srgb() && number % 2 == 0);
            check(&mut loader, &job, &memory, "parities");
        }
    }
}

/// The longest sides that there are: a row of 4096 texels of 16 bytes, and a column.
#[test]
fn the_longest_sides() {
    let Some(mut loader) = loader(&preset(), 0, 5) else { return };
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for (width, height, levels, format) in [
        (4096, 3, 1, Format::Rgba32f),
        (4095, 2, 12, Format::Rgba16),
        (4096, 1, 13, Format::R8),
        (3, 4096, 13, Format::Rgb8),
        (2, 4095, 12, Format::Rg16),
    ] {
        let shape = Shape { kind: Kind::D2, width, height, depth: 1, levels, format };
        let (job, memory) = jobs::of_shape(&mut random, shape, false);
        check(&mut loader, &job, &memory, "long");
    }
}

/// A job for the tests of what goes wrong.
fn job_of_faults(random: &mut ChaCha8Rng) -> (Job, Vec<u8>) {
    let shape = Shape { kind: Kind::D2, width: 37, height: 50, depth: 1, levels: 6, format: Format::Rgba8 };
    jobs::of_shape(random, shape, true)
}

#[test]
fn jobs_that_break_a_rule_are_refused() {
    let Some(mut loader) = loader(&preset(), 10, 6) else { return };
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let mut seen = [0; Refusal::ALL.len() + 1];
    while seen.iter().any(|count| *count < 2) {
        let (job, memory) = jobs::random(&mut random, 20);
        let settings = jobs::wild(&mut random, &job.settings());
        let Err(refusal) = settings.job() else {
            seen[0] += 1;
            continue;
        };
        loader.set_memory(Bytes::new(BASE.into(), memory.clone()));
        let done = loader.run(&settings).unwrap();
        assert_eq!(done.code, u32::from(refusal.code()), "{settings:x?}: {refusal}");
        assert_eq!((done.lines_read, done.lines_written), (0, 0), "{settings:x?}");
        assert!(loader.bytes() == memory, "{settings:x?}");
        seen[usize::from(refusal.code())] += 1;
    }
    let (job, memory) = job_of_faults(&mut random);
    check(&mut loader, &job, &memory, "behind refused jobs");
}

#[test]
fn what_fails_is_told_and_the_next_job_runs() {
    let Some(mut loader) = loader(&preset(), 10, 7) else { return };
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for round in 0..24 {
        let (job, memory) = job_of_faults(&mut random);
        let (fault, response) = [(Fault::Subordinate, 2), (Fault::Decode, 3)][round % 2];
        let reads = round / 2 % 2 == 0;
        let of_level_0 = job.shape.level_bytes(0);
        // Reads fail in the picture or, of smaller levels, in the texture.
        let at = match round / 4 % 2 {
            0 if reads => u64::from(job.picture) + u64::from(job.pitch) * random.random_range(0..50u64),
            _ => u64::from(job.texture) + 16 * random.random_range(0..of_level_0 / 16),
        };
        let answer = memory::Answer { addresses: at..at + 16, fault, reads, writes: !reads };
        loader.set_memory(Bytes::new(BASE.into(), memory.clone()));
        loader.system().memory_mut().contents_mut().answer(vec![answer]);
        let done = loader.run(&job.settings()).unwrap();
        assert_eq!(done.code, if reads { READ_FAULT } else { WRITE_FAULT }, "round {round}");
        assert_eq!(done.response, response, "round {round}");
        let told = u64::from(loader.read("FAULT_ADDRESS").unwrap());
        // Of a write the burst's first address is known, which lies no further back than a burst is long.
        assert!(
            if reads { told == at } else { at - 256 < told && told <= at },
            "round {round}: {told:x} for {at:x}"
        );
        let error = loader.system().read_register(ERROR.offset_bytes).unwrap();
        let is_slverr = response == 2;
        let mask = if is_slverr { registers::ERROR_MEMORY_SLVERR } else { registers::ERROR_MEMORY_DECERR };
        assert_eq!(error, mask.mask(), "round {round}");
        let low = loader.system().read_register(ERROR_ADDRESS_LOW.offset_bytes).unwrap();
        let high = loader.system().read_register(ERROR_ADDRESS_HIGH.offset_bytes).unwrap();
        assert_eq!((u64::from(low), high), (told, 0), "round {round}");
        let texture = (job.texture - BASE) as usize;
        let end = memory.len() - 4096;
        let outside = |byte: usize| byte < texture || byte >= end;
        assert!((0..memory.len()).all(|byte| !outside(byte) || loader.bytes()[byte] == memory[byte]));
        assert!(loader.system().access(write_of(ERROR.offset_bytes)).unwrap().response == 0);
        check(&mut loader, &job, &memory, "behind a fault");
    }
}

fn write_of(address: u32) -> tmu_sim::kit::control::Access {
    tmu_sim::kit::control::Access::Write { address, data: u32::MAX, strobe: 15 }
}

#[test]
fn answers_of_the_wrong_length_are_told_and_the_next_job_runs() {
    let Some(mut loader) = loader(&preset(), 10, 8) else { return };
    let mut random = ChaCha8Rng::seed_from_u64(8);
    for by in [LengthFault::Late(1), LengthFault::Early, LengthFault::Late(3)] {
        let (job, memory) = job_of_faults(&mut random);
        loader.set_memory(Bytes::new(BASE.into(), memory.clone()));
        loader.system().memory_mut().break_answers(by, 1);
        let done = loader.run(&job.settings()).unwrap();
        assert_eq!((done.code, done.response), (READ_FAULT, 1), "{by:?}");
        let error = loader.system().read_register(ERROR.offset_bytes).unwrap();
        assert_eq!(error, registers::ERROR_MEMORY_LENGTH.mask(), "{by:?}");
        assert!(loader.system().access(write_of(ERROR.offset_bytes)).unwrap().response == 0);
        check(&mut loader, &job, &memory, "behind a wrong length");
    }
}

#[test]
fn a_job_at_work_is_left_alone_and_interrupts_at_its_end() {
    let Some(mut loader) = loader(&preset(), 0, 9) else { return };
    let (job, memory) = job_of_faults(&mut ChaCha8Rng::seed_from_u64(9));
    let mut expected = memory.clone();
    job.run(BASE, &mut expected);
    loader.set_memory(Bytes::new(BASE.into(), memory));
    assert!(loader.write("INTERRUPT_ENABLE", 1).unwrap());
    assert_eq!(loader.read("IDENTITY").unwrap(), u32::from_be_bytes(*b"LOAD"));
    let Settings { width, .. } = job.settings();
    loader.start(&job.settings()).unwrap();
    assert_eq!(loader.read("STATUS").unwrap() & 1, 1);
    for name in [
        "CONTROL",
        "PICTURE",
        "PITCH",
        "SLICE_PITCH",
        "TEXTURE",
        "WIDTH",
        "HEIGHT",
        "DEPTH",
        "FORMAT",
        "LEVELS",
    ] {
        assert!(!loader.write(name, 1).unwrap(), "{name} is taken while a job is at work");
    }
    assert_eq!(loader.read("WIDTH").unwrap(), width);
    assert!(!loader.system().output("loader_interrupt").unwrap());
    for _ in 0..100_000 {
        loader.system().step().unwrap();
        if loader.system().output("loader_interrupt").unwrap() {
            break;
        }
    }
    assert!(loader.system().output("loader_interrupt").unwrap() && !loader.system().memory().busy());
    assert_eq!(loader.end(0).unwrap().code, 0);
    assert!(!loader.system().output("loader_interrupt").unwrap() && loader.bytes() == expected);
}

#[test]
fn after_any_reset_the_next_job_runs() {
    let mut random = ChaCha8Rng::seed_from_u64(10);
    for percent in [0, 30] {
        let Some(mut loader) = loader(&preset(), percent, 10) else { return };
        for round in 0..30 {
            let (job, memory) = job_of_faults(&mut random);
            loader.set_memory(Bytes::new(BASE.into(), memory.clone()));
            loader.start(&job.settings()).unwrap();
            loader.system().run_clocks(random.random_range(0..3000)).unwrap();
            match round % 3 {
                0 => {
                    // The engine's own: the job ends, told as what it is, unless it had ended before.
                    assert!(loader.write("RESET", 1).unwrap());
                    let code = loader.end(0).unwrap().code;
                    assert!(code == RESET || code == 0, "round {round}: {code}");
                }
                1 => {
                    let soft_reset = registers::CONTROL_SOFT_RESET.mask();
                    let address = registers::CONTROL.offset_bytes;
                    let access =
                        tmu_sim::kit::control::Access::Write { address, data: soft_reset, strobe: 15 };
                    assert_eq!(loader.system().access(access).unwrap().response, 0);
                }
                _ => {
                    loader.system().assert_reset(Domain::Tmu);
                    loader.system().run_clocks(random.random_range(1..40)).unwrap();
                    loader.system().release_reset(Domain::Tmu);
                    loader.system().run_clocks(40).unwrap();
                }
            }
            while loader.system().read_register(registers::STATUS.offset_bytes).unwrap() != 0
                || loader.read("STATUS").unwrap() & 1 != 0
            {}
            assert!(loader.write("INTERRUPT", 1).unwrap());
            check(&mut loader, &job, &memory, &format!("behind reset {round}"));
        }
    }
}

/// Every texture is made at its rate, or as fast as its lines allow.
#[test]
#[ignore = "takes half a minute; in scripts/test-long"]
#[allow(clippy::print_stdout, reason = "the figures of a long run")]
fn whole_textures_are_made_at_their_rates() {
    let config = preset();
    let Some((_, model)) = support::built(&config, &ModelOptions::default()) else { return };
    let mut slow = Vec::new();
    for texture in TEXTURES {
        for latency in [0, 20, 60] {
            let rate = measure(&model, &config, &texture, latency, Pauses::NONE).unwrap();
            let (name, bound) = (texture.name, rate.bound);
            let told = format!("{name}, latency {latency}: {:.3} of {bound:.3}", rate.texels_per_clock);
            println!("{told}");
            slow.extend((rate.texels_per_clock < texture.least).then_some(told));
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}
