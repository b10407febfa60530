//! The engine `mesh` in simulation, against its golden model: random and adversarial jobs, pauses, failing accesses, refused
//! writes, resets, and whole frames.

#[path = "../support/mod.rs"]
mod support;

mod rates;
mod wishbone;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tmu_model::engines::mesh::Job;
use tmu_sim::engines::mesh::jobs::{ANY, BASE, SMALL, Shape, random};
use tmu_sim::engines::mesh::rates::FRAMES;
use tmu_sim::engines::mesh::{Done, Mesher, registers};
use tmu_sim::kit::domain::Domain;
use tmu_sim::kit::memory::{Answer, Bytes, Fault, LengthFault, MemoryTiming};
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::system::SystemOptions;
use tmu_spec::{Config, Preset};
use tmu_testing::setting;
use tmu_verilate::{Initial, ModelOptions};

/// How jobs end, as `STATUS` shows it.
pub(crate) const VERTICES_FAULT: u32 = 8;
const TEXTURE_FAULT: u32 = 9;
const FRAME_FAULT: u32 = 10;
const WRITE_FAULT: u32 = 11;
const ENDED_BY_RESET: u32 = 15;

/// The preset of the engine.
pub(crate) fn preset() -> Config {
    Preset::find("mesh").expect("the preset ships").config().expect("presets are legal")
}

/// The engine with memory of a timing; none without Verilator.
pub(crate) fn mesher_of(config: &Config, timing: MemoryTiming, pauses: Pauses, seed: u64) -> Option<Mesher> {
    let (_, model) = support::built(config, &ModelOptions::default())?;
    let options = SystemOptions {
        memory_timing: timing,
        control_pauses: pauses,
        initial: Initial::Random(seed as u32),
        seed,
        ..SystemOptions::new(config, 1)
    };
    Some(Mesher::new(&model, config, &options, Bytes::new(BASE.into(), Vec::new())).unwrap())
}

/// Memory with pauses whose answers come sooner or later.
pub(crate) fn timing(pauses: Pauses) -> MemoryTiming {
    MemoryTiming { latency_spread_clocks: 40, pauses, ..MemoryTiming::latency(1) }
}

/// The preset with such memory, and pauses at its registers, too.
fn with_pauses(percent: u8, seed: u64) -> Option<Mesher> {
    let pauses = Pauses::percent(percent);
    mesher_of(&preset(), timing(pauses), pauses, seed)
}

/// A job does what the model does.
pub(crate) fn runs(mesher: &mut Mesher, job: &Job, memory: Vec<u8>, what: &str) -> Done {
    let mut expected = memory.clone();
    let counts = job.run(BASE, &mut expected).unwrap();
    mesher.set_memory(Bytes::new(BASE.into(), memory));
    let done = mesher.run(job).unwrap_or_else(|failure| panic!("{what}: {failure}\n{job:x?}"));
    if let Some(at) = (0..expected.len()).find(|at| mesher.bytes()[*at] != expected[*at]) {
        let pixel = (BASE + at as u32).wrapping_sub(job.frame) / 2;
        let (x, y) = (pixel % job.frame_width, pixel / job.frame_width);
        let [got, expected] =
            [mesher.bytes(), expected.as_slice()].map(|bytes| bytes[at & !1..][..2].to_vec());
        panic!("{what}: pixel ({x}, {y}) of the frame: expected {expected:x?}, got {got:x?}\n{job:x?}");
    }
    let got = (done.code, done.drawn, done.left_out);
    assert_eq!(got, (0, counts.drawn, counts.left_out), "{what}: code, drawn, left out\n{job:x?}");
    done
}

/// Random jobs of a shape, one after the other in a few systems.
#[allow(clippy::print_stdout, reason = "a random test says its seed")]
pub(crate) fn random_jobs_of(config: &Config, shape: &Shape, count: u64, seed: u64) {
    let seed = setting("TMUGEN_SEED").unwrap_or(seed);
    let repeat = format!("TMUGEN_SEED={seed} cargo test -p tmu-sim --test mesh");
    println!("{count} jobs of seed {seed}: {repeat}");
    for (number, percent) in [0, 20, 60].into_iter().enumerate() {
        let (pauses, seed) = (Pauses::percent(percent), seed + number as u64);
        let Some(mut mesher) = mesher_of(config, timing(pauses), pauses, seed) else { return };
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        for round in 0..count.div_ceil(3) {
            let (job, memory) = random(&mut generator, shape);
            runs(&mut mesher, &job, memory, &format!("{repeat}: {percent} % pauses, job {round}"));
        }
    }
}

#[test]
fn random_jobs_leave_what_the_model_leaves() {
    random_jobs_of(&preset(), &SMALL, setting("TMUGEN_MESH_JOBS").unwrap_or(300), 11);
}

#[test]
fn any_resolution_mask_and_alignment_works() {
    random_jobs_of(&preset(), &ANY, setting("TMUGEN_MESH_ANY_JOBS").unwrap_or(12), 12);
}

#[test]
fn jobs_that_break_a_rule_are_refused() {
    let Some(mut mesher) = with_pauses(10, 3) else { return };
    let (good, memory) = random(&mut ChaCha8Rng::seed_from_u64(3), &SMALL);
    for job in [
        Job { hmeshlast: 0, ..good.clone() },
        Job { vmeshlast: 128, ..good.clone() },
        Job { texture_width: 0, ..good.clone() },
        Job { texture_height: 2048, ..good.clone() },
        Job { frame_width: 2048, ..good.clone() },
        Job { frame_height: 0, ..good.clone() },
        Job { rectangle_width: 0, ..good.clone() },
        Job { rectangle_height: 0, ..good.clone() },
        Job { vertices: good.vertices + 4, ..good.clone() },
        Job { texture: good.texture + 1, ..good.clone() },
        Job { frame: good.frame + 1, ..good.clone() },
    ] {
        let refusal = job.check().unwrap_err();
        mesher.set_memory(Bytes::new(BASE.into(), memory.clone()));
        mesher.start(&job).unwrap();
        assert_eq!(mesher.end().unwrap().code, refusal as u32, "{job:x?}");
        assert!(mesher.bytes() == memory, "{job:x?}");
    }
    runs(&mut mesher, &good, memory, "a job behind refused ones");
}

/// A job that reads and writes everything there is, so that each access can fail.
pub(crate) fn whole_job() -> (Job, Vec<u8>) {
    let mut generator = ChaCha8Rng::seed_from_u64(4);
    loop {
        let (job, memory) = random(&mut generator, &SMALL);
        let is_large = job.frame_width > 16 && job.frame_height > 16 && job.texture_width > 16;
        let job = Job { x_offset: 0, y_offset: 0, alpha: 31, chroma_key_enable: false, ..job };
        let mut counted = memory.clone();
        if is_large && job.run(BASE, &mut counted).unwrap().drawn > 400 {
            return (job, memory);
        }
    }
}

#[test]
fn what_fails_is_told_and_the_next_job_runs() {
    let Some(mut mesher) = with_pauses(10, 4) else { return };
    let (job, memory) = whole_job();
    let texture = u64::from(job.texture)..u64::from(job.texture + 2 * job.texture_width * job.texture_height);
    let frame = u64::from(job.frame)..u64::from(job.frame + 2 * job.frame_width * job.frame_height);
    let vertices = u64::from(job.vertices)..u64::from(job.vertices) + 64;
    for (addresses, fault, reads, code) in [
        (vertices, Fault::Subordinate, true, VERTICES_FAULT),
        (texture, Fault::Decode, true, TEXTURE_FAULT),
        (frame.clone(), Fault::Subordinate, true, FRAME_FAULT),
        (frame, Fault::Decode, false, WRITE_FAULT),
    ] {
        let lines = addresses.start & !15..addresses.end.next_multiple_of(16);
        let mut failing = Bytes::new(BASE.into(), memory.clone());
        failing.answer(vec![Answer { addresses: lines.clone(), fault, reads, writes: !reads }]);
        mesher.set_memory(failing);
        mesher.start(&job).unwrap();
        assert_eq!(mesher.end().unwrap().code, code);
        let at = u64::from(mesher.read("FAULT_ADDRESS").unwrap());
        assert!(lines.contains(&at), "{at:x} lies outside {lines:x?}, code {code}");
        runs(&mut mesher, &job, memory.clone(), &format!("a job behind one that ended with {code}"));
    }
    for by in [LengthFault::Late(1), LengthFault::Early] {
        mesher.set_memory(Bytes::new(BASE.into(), memory.clone()));
        mesher.system().memory_mut().break_answers(by, 1);
        mesher.start(&job).unwrap();
        let code = mesher.end().unwrap().code;
        assert!((VERTICES_FAULT..=FRAME_FAULT).contains(&code), "{by:?} ends with {code}");
        mesher.system().memory_mut().mend();
        runs(&mut mesher, &job, memory.clone(), &format!("a job behind {by:?}"));
    }
}

#[test]
fn a_job_at_work_is_left_alone() {
    let Some(mut mesher) = with_pauses(0, 5) else { return };
    let (frame, memory) = FRAMES[0].job();
    let job = Job { vmeshlast: 5, ..frame };
    let mut expected = memory.clone();
    job.run(BASE, &mut expected).unwrap();
    mesher.set_memory(Bytes::new(BASE.into(), memory));
    mesher.start(&job).unwrap();
    assert_eq!(mesher.read("STATUS").unwrap() & 1, 1);
    for (name, value) in registers(&job) {
        assert!(!mesher.write(name, value ^ 1).unwrap(), "{name} is taken while a job is at work");
    }
    assert_eq!(mesher.read("ALPHA").unwrap(), job.alpha);
    assert_eq!(mesher.end().unwrap().code, 0);
    assert!(mesher.bytes() == expected);
}

#[test]
fn after_any_reset_the_next_job_runs() {
    let Some(mut mesher) = with_pauses(20, 6) else { return };
    let mut generator = ChaCha8Rng::seed_from_u64(6);
    let (job, memory) = whole_job();
    for round in 0..24 {
        mesher.set_memory(Bytes::new(BASE.into(), memory.clone()));
        mesher.start(&job).unwrap();
        mesher.system().run_clocks(generator.random_range(0..1500)).unwrap();
        if round % 2 == 0 {
            mesher.write("RESET", 1).unwrap();
            let code = mesher.end().unwrap().code;
            assert!([0, ENDED_BY_RESET].contains(&code), "round {round} ends with {code}");
        } else {
            mesher.system().assert_reset(Domain::Tmu);
            mesher.system().run_clocks(generator.random_range(1..40)).unwrap();
            mesher.system().release_reset(Domain::Tmu);
            mesher.system().run_clocks(40).unwrap();
        }
        runs(&mut mesher, &job, memory.clone(), &format!("round {round}"));
    }
}
