//! The engine `copy` in simulation, against its golden model: random jobs, pauses, failing accesses, refused writes, resets.

#[path = "../support/mod.rs"]
mod support;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tmu_model::engines::copy::Job;
use tmu_rtl::system::registers::{self, ERROR, ERROR_ADDRESS_HIGH, ERROR_ADDRESS_LOW, engine_base_bytes};
use tmu_sim::engines::copy::{Copier, jobs};
use tmu_sim::kit::domain::Domain;
use tmu_sim::kit::memory::{Answer, Bytes, Fault, LengthFault, MemoryTiming};
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::system::SystemOptions;
use tmu_spec::Config;
use tmu_spec::config::EngineKind;
use tmu_verilate::{Initial, ModelOptions};

/// Where memory begins; it goes over many boundaries of 4 KiB.
const BASE: u64 = 0x12_3456_4000;
const BYTES: u64 = 0x1_0000;
const HALF: u64 = BYTES / 2;

/// Ends of jobs, as `STATUS` shows them.
const READ_FAILED: u32 = 4;
const WRITE_FAILED: u32 = 5;
const WRONG_LENGTH: u32 = 6;

/// The system of a configuration with random bytes in its memory; none without Verilator.
fn copier(toml: &str, percent: u8, seed: u64) -> Option<(Config, Copier)> {
    let config = Config::from_toml(toml).unwrap();
    let (_, model) = support::built(&config, &ModelOptions::default())?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let bytes = (0..BYTES).map(|_| random.random()).collect();
    let pauses = Pauses::percent(percent);
    let options = SystemOptions {
        memory_timing: MemoryTiming { latency_spread_clocks: 40, pauses, ..MemoryTiming::latency(1) },
        control_pauses: pauses,
        initial: Initial::Random(seed as u32),
        seed,
        ..SystemOptions::new(&config, 1)
    };
    let copier = Copier::new(&model, &config, &options, Bytes::new(BASE, bytes)).unwrap();
    Some((config, copier))
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
            let Some((config, mut copier)) = copier(toml, percent, seed) else { return };
            let bits = config.axi().address_bits();
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let mut expected = copier.bytes().to_vec();
            let mut lines = 0;
            for round in 0..60 {
                let job = jobs::random(&mut random, BASE..BASE + BYTES);
                job.run(bits, BASE, &mut expected).unwrap();
                lines += job.lines();
                copier.start(&job).unwrap();
                assert_eq!(copier.end().unwrap(), 0, "{toml}: job {round}, {job:x?}");
                assert!(copier.bytes() == expected, "{toml}: job {round}, {job:x?}");
            }
            assert_eq!(u64::from(copier.read("LINES_READ").unwrap()), lines);
            assert_eq!(u64::from(copier.read("LINES_WRITTEN").unwrap()), lines);
            assert_eq!(copier.system().read_register(ERROR.offset_bytes).unwrap(), 0);
        }
    }
}

#[test]
fn jobs_that_break_a_rule_are_refused() {
    let Some((config, mut copier)) = copier(CONFIGURATIONS[0], 10, 3) else { return };
    let before = copier.bytes().to_vec();
    let end_of_space = 1 << config.axi().address_bits();
    for (source, destination, length) in [
        (BASE, BASE + HALF, 0),
        (BASE, BASE + HALF + 1, 8),
        (BASE, end_of_space - 16, 17),
        (end_of_space - 32, BASE, 33),
    ] {
        let job = Job { source, destination, length };
        let refusal = job.check(config.axi().address_bits()).unwrap_err();
        copier.start(&job).unwrap();
        assert_eq!(copier.end().unwrap(), refusal as u32, "{job:x?}");
    }
    assert!(copier.bytes() == before);
    assert_eq!(copier.read("LINES_READ").unwrap(), 0);
}

#[test]
fn what_fails_is_told_and_the_next_job_runs() {
    let Some((_, mut copier)) = copier(CONFIGURATIONS[0], 10, 4) else { return };
    let job = Job { source: BASE + 0x0f38, destination: BASE + HALF + 0x2008, length: 900 };
    let (subordinate, decode) = (Fault::Subordinate, Fault::Decode);
    let table = [
        (subordinate, true, job.source + 0x100 - 8, READ_FAILED),
        (decode, true, job.source - 8, READ_FAILED),
        (subordinate, false, job.destination - 8, WRITE_FAILED),
        (decode, false, job.destination + 0x200 - 8, WRITE_FAILED),
    ];
    for (fault, reads, at, code) in table {
        let before = copier.bytes().to_vec();
        let answer = Answer { addresses: at..at + 16, fault, reads, writes: !reads };
        copier.system().memory_mut().contents_mut().answer(vec![answer]);
        copier.start(&job).unwrap();
        assert_eq!(copier.end().unwrap(), code);
        let error = copier.system().read_register(ERROR.offset_bytes).unwrap();
        assert_eq!(
            error,
            if fault == subordinate {
                registers::ERROR_MEMORY_SLVERR
            } else {
                registers::ERROR_MEMORY_DECERR
            }
            .mask()
        );
        let low = u64::from(copier.system().read_register(ERROR_ADDRESS_LOW.offset_bytes).unwrap());
        let failed =
            u64::from(copier.system().read_register(ERROR_ADDRESS_HIGH.offset_bytes).unwrap()) << 32 | low;
        // Of a write the burst's first address is known, which lies no further back than a burst is long.
        assert!(
            if reads { failed == at } else { (at - 256 < failed) && failed <= at },
            "{failed:x} for {at:x}"
        );
        let inside =
            (job.destination - BASE) as usize..(job.destination - BASE) as usize + job.length as usize;
        let now = copier.bytes();
        assert!((0..now.len()).all(|byte| inside.contains(&byte) || now[byte] == before[byte]));
        copier.system().memory_mut().contents_mut().answer(vec![]);
        assert!(copier.write_at(ERROR.offset_bytes, u32::MAX).unwrap());
        runs(&mut copier, &job);
    }
    for by in [LengthFault::Late(1), LengthFault::Early] {
        copier.system().memory_mut().break_answers(by, 1);
        copier.start(&job).unwrap();
        assert_eq!(copier.end().unwrap(), WRONG_LENGTH, "{by:?}");
        assert_eq!(
            copier.system().read_register(ERROR.offset_bytes).unwrap(),
            registers::ERROR_MEMORY_LENGTH.mask()
        );
        assert!(copier.write_at(ERROR.offset_bytes, u32::MAX).unwrap());
        runs(&mut copier, &job);
    }
}

/// A job does what the model does, now.
fn runs(copier: &mut Copier, job: &Job) {
    let mut expected = copier.bytes().to_vec();
    job.run(40, BASE, &mut expected).unwrap();
    copier.start(job).unwrap();
    assert_eq!(copier.end().unwrap(), 0);
    assert!(copier.bytes() == expected);
}

#[test]
fn a_job_at_work_is_left_alone_and_interrupts_at_its_end() {
    let Some((_, mut copier)) = copier(CONFIGURATIONS[0], 0, 5) else { return };
    let job = Job { source: BASE + 3, destination: BASE + HALF + 3, length: 0x4000 };
    let mut expected = copier.bytes().to_vec();
    job.run(40, BASE, &mut expected).unwrap();
    assert!(copier.write("INTERRUPT_ENABLE", 1).unwrap());
    copier.start(&job).unwrap();
    assert_eq!(copier.read("STATUS").unwrap() & 1, 1);
    for name in ["CONTROL", "SOURCE_LOW", "SOURCE_HIGH", "DESTINATION_LOW", "DESTINATION_HIGH", "LENGTH"] {
        assert!(!copier.write(name, 1).unwrap(), "{name} is taken while a job is at work");
    }
    assert_eq!(copier.read("LENGTH").unwrap(), job.length);
    assert!(!copier.system().output("copy_interrupt").unwrap());
    for _ in 0..100_000 {
        copier.system().step().unwrap();
        if copier.system().output("copy_interrupt").unwrap() {
            break;
        }
    }
    assert!(copier.system().output("copy_interrupt").unwrap() && !copier.system().memory().busy());
    assert_eq!(copier.end().unwrap(), 0);
    assert!(!copier.system().output("copy_interrupt").unwrap() && copier.bytes() == expected);
    // An address without a register fails, in the block and behind it.
    for behind in [0x30, 0x1fc, 0x200] {
        assert!(!copier.write_at(engine_base_bytes(EngineKind::Copy) + behind, 0).unwrap(), "{behind:x}");
    }
}

#[test]
fn after_any_reset_the_next_job_runs() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    for (percent, toml) in [(0, CONFIGURATIONS[0]), (30, CONFIGURATIONS[0]), (10, CONFIGURATIONS[1])] {
        let Some((_, mut copier)) = copier(toml, percent, 6) else { return };
        let job = Job { source: BASE + 0x0f3b, destination: BASE + HALF + 0x200b, length: 3000 };
        for round in 0..60 {
            copier.start(&job).unwrap();
            copier.system().run_clocks(random.random_range(0..300)).unwrap();
            match round % 3 {
                0 => {
                    let soft_reset = registers::CONTROL_SOFT_RESET.mask();
                    assert!(copier.write_at(registers::CONTROL.offset_bytes, soft_reset).unwrap());
                }
                1 => {
                    copier.system().assert_reset(Domain::Tmu);
                    copier.system().run_clocks(random.random_range(1..40)).unwrap();
                    copier.system().release_reset(Domain::Tmu);
                    copier.system().run_clocks(40).unwrap();
                }
                // The job goes on: no stream is the engine's.
                _ => {
                    copier.system().assert_reset(Domain::Core);
                    copier.system().run_clocks(random.random_range(1..40)).unwrap();
                    copier.system().release_reset(Domain::Core);
                    copier.system().run_clocks(40).unwrap();
                    if toml == CONFIGURATIONS[0] {
                        assert_eq!(copier.end().unwrap(), 0);
                    }
                }
            }
            while copier.system().read_register(registers::STATUS.offset_bytes).unwrap() != 0
                || copier.read("STATUS").unwrap() & 1 != 0
            {}
            assert!(copier.write("INTERRUPT", 1).unwrap());
            runs(&mut copier, &job);
        }
    }
}
