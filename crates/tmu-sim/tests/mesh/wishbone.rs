//! The engine with its registers and the points of its mesh over Wishbone: the same jobs, with waits and failing accesses.

use crate::{VERTICES_FAULT, mesher_of, preset, random_jobs_of, runs, timing, whole_job};
use tmu_sim::engines::mesh::jobs::{BASE, SMALL};
use tmu_sim::engines::mesh::registers;
use tmu_sim::kit::memory::{Answer, Bytes, Fault};
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::Config;
use tmu_testing::setting;

/// The preset with the other bus.
fn config() -> Config {
    let text = preset().canonical_toml().replace("bus = \"axi\"", "bus = \"wishbone\"");
    let config = Config::from_toml(&text).unwrap();
    assert!(config.engine_configs().mesh().is_wishbone());
    config
}

#[test]
fn random_jobs_leave_what_the_model_leaves_over_wishbone() {
    random_jobs_of(&config(), &SMALL, setting("TMUGEN_MESH_WISHBONE_JOBS").unwrap_or(30), 21);
}

#[test]
fn a_point_that_fails_is_told_and_the_next_job_runs() {
    let pauses = Pauses::percent(20);
    let Some(mut mesher) = mesher_of(&config(), timing(pauses), pauses, 22) else { return };
    let (job, memory) = whole_job();
    let point = u64::from(job.vertices) + 8;
    let line = point & !15..(point & !15) + 16;
    let mut failing = Bytes::new(BASE.into(), memory.clone());
    let answer = Answer { addresses: line.clone(), fault: Fault::Subordinate, reads: true, writes: false };
    failing.answer(vec![answer]);
    mesher.set_memory(failing);
    mesher.start(&job).unwrap();
    assert_eq!(mesher.end().unwrap().code, VERTICES_FAULT);
    assert_eq!(u64::from(mesher.read("FAULT_ADDRESS").unwrap()), line.start);
    runs(&mut mesher, &job, memory.clone(), "a job behind one that failed");
    mesher.set_memory(Bytes::new(BASE.into(), memory));
    mesher.start(&job).unwrap();
    for (name, value) in registers(&job) {
        assert!(!mesher.write(name, value ^ 1).unwrap(), "{name} is taken while a job is at work");
    }
    assert_eq!(mesher.end().unwrap().code, 0);
}
