//! Measurements against the cycle-free model, and against what must hold for any hardware.

mod support;

use tmu_sim::engines::sampler::throughput::{
    Conditions, Measurement, Pattern, Workload, estimate, issue_rate, measure,
};
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::{Config, Format, Quad};
use tmu_verilate::{Model, ModelOptions};

/// Replacement that follows from the look-ups alone, in a cache that is too small for most patterns.
const SMALL: &str = "name = \"small_cache\"\n[cache]\nways = 2\nsets = 64\nreplacement = \"round_robin\"\n\
                     data_ram = \"block\"\n";

/// The hardware and its model; none without Verilator, which a test of `tmu-verilate` reports.
fn built(toml: &str) -> Option<(Rtl, Model)> {
    support::built(&Config::from_toml(toml).unwrap(), &ModelOptions::default())
}

fn run((rtl, model): &(Rtl, Model), workload: &Workload, latency_clocks: u32) -> Measurement {
    let conditions = Conditions { latency_clocks, pauses: Pauses::NONE };
    let mut quads = 0;
    let measured = measure(model, rtl, workload, conditions, |more| quads += more).unwrap();
    assert_eq!(quads, workload.quads.len() as u64);
    measured
}

/// A prefetching cache that is too small for most patterns, and keeps enough reads in flight.
const SMALL_PREFETCH: &str = "name = \"small_prefetch\"\n[cache]\nkind = \"prefetch\"\nways = 2\nsets = 32\n\
                              replacement = \"round_robin\"\ndata_ram = \"block\"\n[axi]\noutstanding_reads = 64\n";

/// The same for whole quads.
const SMALL_QUAD: &str = "name = \"small_quad\"\nrequest = { beats_per_quad = 1 }\nresult = { fifo_depth = 64 }\n\
                          datapath = { pixels_per_clock = 4 }\n[cache]\nkind = \"prefetch\"\nways = 2\nsets = 32\n\
                          replacement = \"round_robin\"\ndata_ram = \"block\"\n[axi]\noutstanding_reads = 64\n";

#[test]
fn the_hardware_reads_what_the_model_says_and_is_no_faster() {
    for (units, toml) in [(1, SMALL), (2, SMALL), (1, SMALL_PREFETCH), (1, SMALL_QUAD)] {
        let Some(hardware) = built(&format!("units = {units}\n{toml}")) else { return };
        let config = &hardware.0.config;
        for pattern in Pattern::ALL {
            let format = match pattern {
                Pattern::Diagonal => Format::I8Rgb8,
                Pattern::Vertical => Format::I8Rgba8,
                Pattern::Minified => Format::Rgb8,
                _ => Format::Rgba8,
            };
            let workload = pattern.workload(config, format, 5);
            let (measured, estimated) = (run(&hardware, &workload, 20), estimate(config, &workload, 20));
            let name = format!("{} on {}", pattern.name(), config.name());
            assert_eq!(measured.lookups, Some(estimated.lookups), "{name}");
            assert_eq!(measured.bytes_per_sample(), estimated.bytes_per_sample, "{name}");
            assert_eq!(measured.bytes_per_touched_byte(), estimated.bytes_per_touched_byte, "{name}");
            let share = measured.samples_per_clock() / estimated.samples_per_clock;
            assert!(share > 0.0 && share < 1.02, "{name}: {measured:?} {estimated:?}");
            assert!(measured.samples_per_clock() <= issue_rate(config), "{name}: {measured:?}");
            assert!((f64::MIN_POSITIVE..=1.0).contains(&measured.share_of_bound()), "{name}: {measured:?}");
        }
    }
}

#[test]
fn latency_slows_down_what_reads_memory() {
    let Some(hardware) = built(SMALL) else { return };
    let rate = |pattern: Pattern, latency| {
        run(&hardware, &pattern.workload(&hardware.0.config, Format::Rgba8, 5), latency).samples_per_clock()
    };
    // A miss of the blocking cache takes the latency longer.
    assert!(rate(Pattern::Random, 200) < 0.25 * rate(Pattern::Random, 0));
    assert_eq!(rate(Pattern::Random, 1), rate(Pattern::Random, 0));
}

#[test]
fn the_warm_up_does_not_count() {
    // The region of `hits` fits this cache, so behind the first pass memory makes no difference at all.
    let Some(hardware) = built("name = \"large_cache\"\n[cache]\nsets = 1024\n") else { return };
    let workload = Pattern::Hits.workload(&hardware.0.config, Format::Rgba8, 5);
    let [fast, slow] = [0, 200].map(|latency| run(&hardware, &workload, latency));
    assert_eq!(fast.timed_samples, slow.timed_samples);
    assert!(fast.timed_clocks.abs_diff(slow.timed_clocks) <= 2, "{fast:?} {slow:?}");
    assert_eq!(fast.bytes_per_touched_byte(), 1.0);
}

/// Queues too short, and reads too few, for the longer latencies.
#[test]
#[ignore = "models of six configurations, for a minute"]
fn the_prefetching_cache_is_about_as_fast_as_its_timeline() {
    let limits = [
        "queue_depth = 64\n[axi]\noutstanding_reads = 64",
        "queue_depth = 512\n[axi]\noutstanding_reads = 16",
        "queue_depth = 512\n[axi]\noutstanding_reads = 6",
    ];
    let quads = [1, 4].into_iter().flat_map(|pixels| limits.map(|limit| (pixels, limit)));
    for (number, (pixels_per_clock, limit)) in quads.enumerate() {
        let toml = format!(
            "name = \"limited_{number}\"\nrequest = {{ beats_per_quad = 1 }}\nresult = {{ fifo_depth = 64 }}\n\
             datapath = {{ pixels_per_clock = {pixels_per_clock} }}\n[cache]\nkind = \"prefetch\"\nways = 2\n\
             sets = 256\nreplacement = \"round_robin\"\ndata_ram = \"block\"\n{limit}\n"
        );
        let Some(hardware) = built(&toml) else { return };
        let config = &hardware.0.config;
        for pattern in [Pattern::Scan, Pattern::Diagonal, Pattern::Minified, Pattern::Floor, Pattern::Random]
        {
            let workload = pattern.workload(config, Format::Rgba8, 6);
            for latency in [0, 60, 200] {
                let measured = run(&hardware, &workload, latency).samples_per_clock();
                let estimated = estimate(config, &workload, latency).samples_per_clock;
                let name = format!("{} on {}, latency {latency}", pattern.name(), config.name());
                let share = measured / estimated;
                assert!((0.85..1.02).contains(&share), "{name}: {measured} measured, {estimated} estimated");
            }
        }
    }
}

/// Quads in part, and quads that fall into pixels, between whole ones.
#[test]
fn items_of_every_kind_are_counted_as_the_model_counts_them() {
    let Some(hardware) = built(SMALL_QUAD) else { return };
    let config = &hardware.0.config;
    for format in config.features().formats() {
        let mut workload = Pattern::Diagonal.workload(config, format, 5);
        let random = Pattern::Random.workload(config, format, 5).quads;
        let mixed = workload.quads.iter().enumerate().map(|(number, quad)| match number % 5 {
            0 => Quad::new(*quad.uv(), (number / 5 % 16) as u8),
            1 => Quad::new(*random[number % random.len()].uv(), (number / 7 % 16) as u8),
            _ => *quad,
        });
        workload.quads = mixed.collect();
        let (measured, estimated) = (run(&hardware, &workload, 20), estimate(config, &workload, 20));
        assert_eq!(measured.lookups, Some(estimated.lookups), "{format}");
        assert_eq!(measured.bytes_per_sample(), estimated.bytes_per_sample, "{format}");
        let issued = workload.issue_rate(config);
        assert!(
            (1.0..3.0).contains(&issued),
            "{format}: {issued} samples a clock, so some quads fall into pixels"
        );
    }
}
