//! The engine `copy` in simulation, against its golden model: random jobs, pauses, failing accesses, refused writes, resets.

#[path = "../support/mod.rs"]
mod support;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tmu_model::engines::copy::Job;
use tmu_rtl::engines::copy::registers::TABLE;
use tmu_rtl::system::registers::{self, ERROR, ERROR_ADDRESS_HIGH, ERROR_ADDRESS_LOW, engine_base_bytes};
use tmu_sim::bench::Domain;
use tmu_sim::kit::{Answer, Memory, MemoryPauses, System};
use tmu_sim::pauses::Pauses;
use tmu_spec::Config;
use tmu_spec::config::EngineKind;
use tmu_verilate::ModelOptions;

/// Where memory begins; it goes over many boundaries of 4 KiB.
const BASE: u64 = 0x12_3456_4000;
const BYTES: u64 = 0x1_0000;
const HALF: u64 = BYTES / 2;

/// Ends of jobs, as `STATUS` shows them.
const READ_FAILED: u32 = 4;
const WRITE_FAILED: u32 = 5;
const WRONG_LENGTH: u32 = 6;

fn address(name: &str) -> u32 {
    let register = TABLE.iter().find(|register| register.name == name).unwrap();
    engine_base_bytes(EngineKind::Copy) + register.offset_bytes
}

/// The system of a configuration with random bytes in its memory; none without Verilator.
fn system(toml: &str, percent: u8, seed: u64) -> Option<(Config, System)> {
    let config = Config::from_toml(toml).unwrap();
    let (_, model) = support::built(&config, &ModelOptions::default())?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let bytes = (0..BYTES).map(|_| random.random()).collect();
    let pauses = Pauses::percent(percent);
    let timing = MemoryPauses { pauses, latency_clocks: 40 };
    let memory = Memory::new(BASE, bytes, timing, seed);
    let mut system = System::new(&model, &config, memory, pauses, seed).unwrap();
    system.start().unwrap();
    Some((config, system))
}

fn set(system: &mut System, name: &str, value: u32) {
    assert!(system.write(address(name), value).unwrap(), "{name} is not taken");
}

fn get(system: &mut System, name: &str) -> u32 {
    system.read(address(name)).unwrap()
}

fn start(system: &mut System, job: &Job) {
    for (name, value) in [
        ("SOURCE_LOW", job.source as u32),
        ("SOURCE_HIGH", (job.source >> 32) as u32),
        ("DESTINATION_LOW", job.destination as u32),
        ("DESTINATION_HIGH", (job.destination >> 32) as u32),
        ("LENGTH", job.length),
        ("CONTROL", 1),
    ] {
        set(system, name, value);
    }
}

/// Waits for the end of a job; gives its code.
fn end(system: &mut System) -> u32 {
    for _ in 0..10_000 {
        if get(system, "INTERRUPT") & 1 == 1 {
            let status = get(system, "STATUS");
            assert_eq!(status & 1, 0, "the engine is busy behind its end");
            set(system, "INTERRUPT", 1);
            return status >> 8;
        }
    }
    panic!("the job does not end");
}

/// A job from one half of memory to the other; edges and boundaries come often.
fn job(random: &mut ChaCha8Rng) -> Job {
    let place = random.random_range(0..16u64);
    let length = [random.random_range(1..40), random.random_range(1..600), random.random_range(1..6000)]
        [random.random_range(0..3)];
    let line = |random: &mut ChaCha8Rng| {
        let room = (HALF - 6016) / 16;
        let near = random.random_range(1..6u64) * 256 - random.random_range(0..3u64);
        if random.random_bool(0.5) { near } else { random.random_range(0..room) }
    };
    let ends = [BASE + 16 * line(random) + place, BASE + HALF + 16 * line(random) + place];
    let turned = random.random_bool(0.5);
    Job { source: ends[usize::from(turned)], destination: ends[usize::from(!turned)], length }
}

/// The configurations: as it ships, and with bursts of other lengths beside texture units of both kinds.
const CONFIGURATIONS: [&str; 3] = [
    "name = \"copier\"\nengines = [\"copy\"]",
    "name = \"copier_both\"\nunits = 2\nengines = [\"sampler\", \"copy\"]\n[copy]\nburst_lines = 64",
    "name = \"copier_ahead\"\nengines = [\"copy\", \"sampler\"]\ncache = { kind = \"prefetch\", sets = 64 }\n\
     axi = { outstanding_reads = 16, address_bits = 64 }\ncopy = { burst_lines = 4 }",
];

#[test]
fn random_jobs_leave_what_the_model_leaves() {
    for (number, toml) in CONFIGURATIONS.into_iter().enumerate() {
        for percent in [0, 20] {
            let seed = 7 + number as u64;
            let Some((config, mut system)) = system(toml, percent, seed) else { return };
            let bits = config.axi().address_bits();
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let mut expected = system.memory().bytes().to_vec();
            let mut lines = 0;
            for round in 0..60 {
                let job = job(&mut random);
                job.run(bits, BASE, &mut expected).unwrap();
                lines += job.lines();
                start(&mut system, &job);
                assert_eq!(end(&mut system), 0, "{toml}: job {round}, {job:x?}");
                assert!(system.memory().bytes() == expected, "{toml}: job {round}, {job:x?}");
            }
            assert_eq!(u64::from(get(&mut system, "LINES_READ")), lines);
            assert_eq!(u64::from(get(&mut system, "LINES_WRITTEN")), lines);
            assert_eq!(system.read(ERROR.offset_bytes).unwrap(), 0);
        }
    }
}

#[test]
fn jobs_that_break_a_rule_are_refused() {
    let Some((config, mut system)) = system(CONFIGURATIONS[0], 10, 3) else { return };
    let before = system.memory().bytes().to_vec();
    let end_of_space = 1 << config.axi().address_bits();
    for (source, destination, length) in [
        (BASE, BASE + HALF, 0),
        (BASE, BASE + HALF + 1, 8),
        (BASE, end_of_space - 16, 17),
        (end_of_space - 32, BASE, 33),
    ] {
        let job = Job { source, destination, length };
        let refusal = job.check(config.axi().address_bits()).unwrap_err();
        start(&mut system, &job);
        assert_eq!(end(&mut system), refusal as u32, "{job:x?}");
    }
    assert!(system.memory().bytes() == before);
    assert_eq!(get(&mut system, "LINES_READ"), 0);
}

#[test]
fn what_fails_is_told_and_the_next_job_runs() {
    let Some((_, mut system)) = system(CONFIGURATIONS[0], 10, 4) else { return };
    let job = Job { source: BASE + 0x0f38, destination: BASE + HALF + 0x2008, length: 900 };
    let table = [
        (2, true, job.source + 0x100 - 8, READ_FAILED),
        (3, true, job.source - 8, READ_FAILED),
        (2, false, job.destination - 8, WRITE_FAILED),
        (3, false, job.destination + 0x200 - 8, WRITE_FAILED),
    ];
    for (response, reads, at, code) in table {
        let before = system.memory().bytes().to_vec();
        let answer = Answer { addresses: at..at + 16, response, reads, writes: !reads };
        system.memory().answer(vec![answer]);
        start(&mut system, &job);
        assert_eq!(end(&mut system), code);
        let error = system.read(ERROR.offset_bytes).unwrap();
        assert_eq!(
            error,
            if response == 2 { registers::ERROR_MEMORY_SLVERR } else { registers::ERROR_MEMORY_DECERR }
                .mask()
        );
        let low = u64::from(system.read(ERROR_ADDRESS_LOW.offset_bytes).unwrap());
        let failed = u64::from(system.read(ERROR_ADDRESS_HIGH.offset_bytes).unwrap()) << 32 | low;
        // Of a write the burst's first address is known, which lies no further back than a burst is long.
        assert!(
            if reads { failed == at } else { (at - 256 < failed) && failed <= at },
            "{failed:x} for {at:x}"
        );
        let inside =
            (job.destination - BASE) as usize..(job.destination - BASE) as usize + job.length as usize;
        let now = system.memory().bytes();
        assert!((0..now.len()).all(|byte| inside.contains(&byte) || now[byte] == before[byte]));
        system.memory().answer(vec![]);
        assert!(system.write(ERROR.offset_bytes, u32::MAX).unwrap());
        runs(&mut system, &job);
    }
    for by in [1, -1] {
        system.memory().break_next_read(by);
        start(&mut system, &job);
        assert_eq!(end(&mut system), WRONG_LENGTH, "{by}");
        assert_eq!(system.read(ERROR.offset_bytes).unwrap(), registers::ERROR_MEMORY_LENGTH.mask());
        assert!(system.write(ERROR.offset_bytes, u32::MAX).unwrap());
        runs(&mut system, &job);
    }
}

/// A job does what the model does, now.
fn runs(system: &mut System, job: &Job) {
    let mut expected = system.memory().bytes().to_vec();
    job.run(40, BASE, &mut expected).unwrap();
    start(system, job);
    assert_eq!(end(system), 0);
    assert!(system.memory().bytes() == expected);
}

#[test]
fn a_job_at_work_is_left_alone_and_interrupts_at_its_end() {
    let Some((_, mut system)) = system(CONFIGURATIONS[0], 0, 5) else { return };
    let job = Job { source: BASE + 3, destination: BASE + HALF + 3, length: 0x4000 };
    let mut expected = system.memory().bytes().to_vec();
    job.run(40, BASE, &mut expected).unwrap();
    set(&mut system, "INTERRUPT_ENABLE", 1);
    start(&mut system, &job);
    assert_eq!(get(&mut system, "STATUS") & 1, 1);
    for name in ["CONTROL", "SOURCE_LOW", "SOURCE_HIGH", "DESTINATION_LOW", "DESTINATION_HIGH", "LENGTH"] {
        assert!(!system.write(address(name), 1).unwrap(), "{name} is taken while a job is at work");
    }
    assert_eq!(get(&mut system, "LENGTH"), job.length);
    assert!(!system.output("copy_interrupt").unwrap());
    for _ in 0..100_000 {
        system.step().unwrap();
        if system.output("copy_interrupt").unwrap() {
            break;
        }
    }
    assert!(system.output("copy_interrupt").unwrap() && !system.memory().busy());
    assert_eq!(end(&mut system), 0);
    assert!(!system.output("copy_interrupt").unwrap() && system.memory().bytes() == expected);
    // An address without a register fails, in the block and behind it.
    for behind in [0x30, 0x1fc, 0x200] {
        assert!(!system.write(engine_base_bytes(EngineKind::Copy) + behind, 0).unwrap(), "{behind:x}");
    }
}

#[test]
fn after_any_reset_the_next_job_runs() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    for (percent, toml) in [(0, CONFIGURATIONS[0]), (30, CONFIGURATIONS[0]), (10, CONFIGURATIONS[1])] {
        let Some((_, mut system)) = system(toml, percent, 6) else { return };
        let job = Job { source: BASE + 0x0f3b, destination: BASE + HALF + 0x200b, length: 3000 };
        for round in 0..60 {
            start(&mut system, &job);
            system.run_clocks(random.random_range(0..300)).unwrap();
            match round % 3 {
                0 => {
                    let soft_reset = registers::CONTROL_SOFT_RESET.mask();
                    assert!(system.write(registers::CONTROL.offset_bytes, soft_reset).unwrap());
                }
                1 => {
                    system.assert_reset(Domain::Tmu);
                    system.run_clocks(random.random_range(1..40)).unwrap();
                    system.release_reset(Domain::Tmu);
                    system.run_clocks(40).unwrap();
                }
                // The job goes on: no stream is the engine's.
                _ => {
                    system.assert_reset(Domain::Core);
                    system.run_clocks(random.random_range(1..40)).unwrap();
                    system.release_reset(Domain::Core);
                    system.run_clocks(40).unwrap();
                    if toml == CONFIGURATIONS[0] {
                        assert_eq!(end(&mut system), 0);
                    }
                }
            }
            while system.read(registers::STATUS.offset_bytes).unwrap() != 0
                || get(&mut system, "STATUS") & 1 != 0
            {}
            set(&mut system, "INTERRUPT", 1);
            runs(&mut system, &job);
        }
    }
}
