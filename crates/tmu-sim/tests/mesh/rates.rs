//! Pixels a clock of whole frames, by latency, against what memory allows.

use crate::{preset, support};
use tmu_sim::engines::mesh::rates::{FRAMES, measure};
use tmu_sim::kit::pauses::Pauses;
use tmu_verilate::ModelOptions;

/// Every frame is drawn at nearly a pixel a clock, or as fast as the lines that it reads and writes allow.
#[test]
#[ignore = "takes half a minute; in scripts/test-long"]
#[allow(clippy::print_stdout, reason = "the figures of a long run")]
fn whole_frames_are_drawn_at_the_rate_that_memory_allows() {
    let config = preset();
    let Some((_, model)) = support::built(&config, &ModelOptions::default()) else { return };
    let mut slow = Vec::new();
    for frame in FRAMES {
        for latency in [0, 20, 60] {
            let rate = measure(&model, &config, &frame, latency, Pauses::NONE).unwrap();
            let name = frame.name;
            let told =
                format!("{name}, latency {latency}: {:.3} of {:.3}", rate.pixels_per_clock, rate.bound);
            println!("{told}");
            slow.extend((rate.share() < frame.least_share).then_some(told));
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}
