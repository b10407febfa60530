//! Random jobs.

use rand::Rng;
use std::ops::Range;
use tmu_model::engines::copy::Job;

/// Most bytes of a job.
const MOST_BYTES: u64 = 6016;

/// A job from one half of memory to the other; edges and boundaries come often.
///
/// # Panics
/// If memory is too small for one.
pub fn random(random: &mut impl Rng, memory: Range<u64>) -> Job {
    let half = (memory.end - memory.start) / 2;
    let place = random.random_range(0..16u64);
    let length = [random.random_range(1..40), random.random_range(1..600), random.random_range(1..6000)]
        [random.random_range(0..3)];
    let mut line = || {
        let room = (half - MOST_BYTES) / 16;
        let near = random.random_range(1..6u64) * 256 - random.random_range(0..3u64);
        if random.random_bool(0.5) { near } else { random.random_range(0..room) }
    };
    let ends = [memory.start + 16 * line() + place, memory.start + half + 16 * line() + place];
    let turned = random.random_bool(0.5);
    Job { source: ends[usize::from(turned)], destination: ends[usize::from(!turned)], length }
}
