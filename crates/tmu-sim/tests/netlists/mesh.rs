//! The netlist of the engine `mesh`: random jobs, with pauses and without.

use super::netlist;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tmu_sim::engines::mesh::Mesher;
use tmu_sim::engines::mesh::jobs::{ANY, BASE, SMALL, random};
use tmu_sim::kit::memory::{Bytes, MemoryTiming};
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::system::SystemOptions;
use tmu_testing::setting;
use tmu_verilate::{Cells, Initial};

/// Jobs of up to 64 x 64 pixels for each share of pauses.
const JOBS: u64 = 20;

#[test]
#[ignore = "minutes of synthesis and simulation; scripts/test-long runs it"]
fn mesh() {
    let Some((rtl, model)) = netlist("mesh", Cells::UltraScalePlus) else { return };
    let jobs = setting("TMUGEN_NETLIST_MESH_JOBS").unwrap_or(JOBS);
    for (seed, percent) in [(1, 0), (2, 30)] {
        let pauses = Pauses::percent(percent);
        let options = SystemOptions {
            memory_timing: MemoryTiming { latency_spread_clocks: 40, pauses, ..MemoryTiming::latency(1) },
            control_pauses: pauses,
            initial: Initial::Random(seed as u32),
            seed,
            ..SystemOptions::new(&rtl.config, 1)
        };
        let memory = Bytes::new(BASE.into(), Vec::new());
        let mut mesher =
            Mesher::new(&model, &rtl.config, &options, memory).expect("an instance of the model");
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        for number in 0..=jobs {
            // The last one is of any size.
            let (job, memory) = random(&mut generator, if number < jobs { &SMALL } else { &ANY });
            let mut expected = memory.clone();
            let counts = job.run(BASE, &mut expected).expect("a job that breaks no rule");
            mesher.set_memory(Bytes::new(BASE.into(), memory));
            let what = format!("{percent} % pauses, job {number}");
            let done = mesher.run(&job).unwrap_or_else(|failure| panic!("{what}: {failure}\n{job:x?}"));
            assert_eq!(
                (done.code, done.drawn, done.left_out),
                (0, counts.drawn, counts.left_out),
                "{what}\n{job:x?}"
            );
            assert!(mesher.bytes() == expected, "{what}: the frames differ\n{job:x?}");
        }
    }
}
