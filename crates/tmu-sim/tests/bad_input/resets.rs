//! Resets of any side at any moment: whatever was in flight is gone, nothing is bound any more, and good
//! requests are served as after power-on.

use crate::test_bench::{LATENCY_CLOCKS, TestBench, binding, failed, good_binding, on_each_bed, quads};
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::streams::request::Packet;
use tmu_sim::kit::domain::Domain;
use tmu_spec::{Binding, Format, Record};

/// Clocks of `core_aclk` from a reset's assertion to when the streams' side has learnt of it, however short it was.
const LEARNING_CLOCKS: u64 = 16;

/// Clocks of `core_aclk` in which results that must not come would come.
const SETTLE_CLOCKS: u64 = 60;

fn memory() -> TextureMemory {
    TextureMemory::noise(5)
}

fn indexed() -> Binding {
    binding(0x6_0000, Format::I8Rgb8, 4, 4, true)
}

/// Requests of every kind: a packet of the wrong length, a colour table, reads, a bad binding.
fn load(test_bench: &mut TestBench) {
    let quads = quads(10);
    test_bench.bind(&good_binding());
    test_bench.sample(&quads[..4]);
    test_bench.bind(&indexed().with_drop_cache(true));
    test_bench.sample(&quads[4..7]);
    test_bench.send(Packet::bind(Record::from_first_word(3)));
    test_bench.sample(&quads[7..]);
}

/// Steps that the load takes, counted on a unit that has just been reset.
fn steps_of_load(test_bench: &mut TestBench) -> u64 {
    load(test_bench);
    let mut steps = 0;
    while test_bench.bench.busy() {
        test_bench.bench.step().unwrap();
        steps += 1;
    }
    test_bench.answers();
    steps
}

fn run_steps(test_bench: &mut TestBench, steps: u64) {
    for _ in 0..steps {
        test_bench.bench.step().unwrap();
    }
}

/// Nothing of what was sent before comes out any more, nothing is bound, and everything works.
fn starts_anew(test_bench: &mut TestBench, after: &str) {
    let name = test_bench.config.name().to_owned();
    test_bench.bench.run_clocks(SETTLE_CLOCKS).unwrap();
    let late = test_bench.answers();
    assert_eq!(late, [], "{name}: results came after {after}");
    let quads = quads(3);
    test_bench.sample(&quads);
    assert_eq!(test_bench.answers(), failed(&quads), "{name}: something is bound after {after}");
    test_bench.serves(&good_binding(), &quads, after);
    test_bench.serves(&indexed(), &quads, after);
}

/// Resets one clock, and takes what came before and what was on its way to the other side already.
fn reset(test_bench: &mut TestBench, domain: Domain, clocks: u64) {
    test_bench.bench.assert_reset(domain);
    let learnt = test_bench.bench.clocks(Domain::Core) + LEARNING_CLOCKS;
    let end = test_bench.bench.clocks(domain) + clocks;
    while test_bench.bench.clocks(domain) < end {
        test_bench.bench.step().unwrap();
    }
    test_bench.bench.release_reset(domain);
    while test_bench.bench.clocks(Domain::Core) < learnt {
        test_bench.bench.step().unwrap();
    }
    test_bench.bench.take_results(test_bench.unit);
}

/// Runs a test for moments from the start of the load to its end, so many edges apart.
fn at_any_moment(stride: usize, test: impl Fn(&mut TestBench, u64)) {
    on_each_bed(&memory(), |test_bench| {
        let steps = steps_of_load(test_bench);
        assert!(steps > 1000, "the load is over after {steps} edges");
        for moment in (0..steps).step_by(stride) {
            test(test_bench, moment);
        }
    });
}

#[test]
fn a_reset_of_one_side_at_any_moment() {
    at_any_moment(43, |test_bench, moment| {
        for &domain in Domain::of(&test_bench.config) {
            load(test_bench);
            run_steps(test_bench, moment);
            // From a single clock to longer than anything takes.
            let clocks = [1, 2, 5, 40][moment as usize % 4];
            reset(test_bench, domain, clocks);
            starts_anew(
                test_bench,
                &format!("a reset of {domain:?} for {clocks} clocks, {moment} edges into the load"),
            );
        }
    });
}

/// Every order of asserting and of releasing, at several moments.
#[test]
fn resets_of_all_sides_in_any_order() {
    on_each_bed(&memory(), |test_bench| {
        let orders = orders(Domain::of(&test_bench.config));
        let steps = steps_of_load(test_bench);
        for (number, asserted) in orders.iter().enumerate() {
            for (other, released) in orders.iter().enumerate() {
                load(test_bench);
                run_steps(test_bench, steps * (1 + number as u64 * 7 + other as u64) / 50);
                for domain in asserted {
                    test_bench.bench.assert_reset(*domain);
                    run_steps(test_bench, 5 + number as u64 * 3);
                }
                test_bench.bench.run_clocks(4).unwrap();
                for domain in released {
                    test_bench.bench.release_reset(*domain);
                    run_steps(test_bench, 5 + other as u64 * 3);
                }
                test_bench.bench.take_results(test_bench.unit);
                starts_anew(test_bench, &format!("{asserted:?} asserted and {released:?} released"));
            }
        }
    });
}

/// Every order of some clocks.
fn orders(domains: &[Domain]) -> Vec<Vec<Domain>> {
    if domains.is_empty() {
        return vec![Vec::new()];
    }
    let with_first = |first: usize| {
        let mut rest = domains.to_vec();
        let first = rest.remove(first);
        orders(&rest).into_iter().map(move |rest| [vec![first], rest].concat())
    };
    (0..domains.len()).flat_map(with_first).collect()
}

/// A side is held in reset for long while the other one is asked to work.
#[test]
fn requests_while_the_other_side_is_in_reset() {
    on_each_bed(&memory(), |test_bench| {
        for domain in Domain::of(&test_bench.config).iter().copied().filter(|domain| *domain != Domain::Core)
        {
            test_bench.bench.assert_reset(domain);
            load(test_bench);
            test_bench.bench.run_clocks(500).unwrap();
            assert_eq!(test_bench.bench.take_results(test_bench.unit), [], "a result came out of a reset");
            test_bench.bench.forget_requests();
            test_bench.bench.release_reset(domain);
            starts_anew(test_bench, &format!("requests during a reset of {domain:?}"));
        }
    });
}

#[test]
fn a_soft_reset_at_any_moment() {
    at_any_moment(61, |test_bench, moment| {
        load(test_bench);
        run_steps(test_bench, moment);
        test_bench.bench.soft_reset().unwrap();
        test_bench.bench.take_results(test_bench.unit);
        starts_anew(test_bench, &format!("a soft reset, {moment} edges into the load"));
    });
}

/// While commands are under way, at different moments of them.
#[test]
fn resets_during_commands() {
    on_each_bed(&memory(), |test_bench| {
        let control = tmu_rtl::system::registers::CONTROL;
        for command in [
            tmu_rtl::system::registers::CONTROL_SOFT_RESET,
            tmu_rtl::system::registers::CONTROL_CACHE_INVALIDATE,
        ] {
            for &domain in Domain::of(&test_bench.config) {
                for steps in (0..120).step_by(13) {
                    load(test_bench);
                    run_steps(test_bench, 400);
                    test_bench.bench.write_register(control.offset_bytes, command.place(1)).unwrap();
                    run_steps(test_bench, steps);
                    reset(test_bench, domain, 3);
                    starts_anew(
                        test_bench,
                        &format!("a reset of {domain:?}, {steps} edges after {}", command.name),
                    );
                }
            }
        }
    });
}

/// Reads that were under way when the units were reset are answered later, to nobody's harm.
#[test]
fn answers_to_reads_from_before_a_reset() {
    on_each_bed(&memory(), |test_bench| {
        if test_bench.config.clocks().memory_mhz().is_none() {
            // The interconnect is reset together with the units.
            return;
        }
        for wait in 0..40 {
            load(test_bench);
            // Until the unit waits for its first line.
            let before = test_bench.lines_read();
            while test_bench.lines_read() == before {
                test_bench.bench.step().unwrap();
            }
            run_steps(test_bench, wait * u64::from(LATENCY_CLOCKS) / 3);
            reset(test_bench, Domain::Tmu, 1);
            starts_anew(test_bench, &format!("a reset with a read under way, {wait}"));
        }
    });
}
