//! Resets of any side at any moment: whatever was in flight is gone, nothing is bound any more, and good
//! requests are served as after power-on.

use crate::bed::{Bed, LATENCY_CLOCKS, binding, failed, good_binding, on_each_bed, quads};
use tmu_sim::bench::Domain;
use tmu_sim::{TextureMemory, bus::request::Packet};
use tmu_spec::{Binding, Format};

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
fn load(bed: &mut Bed) {
    let quads = quads(10);
    bed.bind(&good_binding());
    bed.sample(&quads[..4]);
    bed.bind(&indexed().with_drop_cache(true));
    bed.sample(&quads[4..7]);
    bed.send(Packet::bind(3));
    bed.sample(&quads[7..]);
}

/// Steps that the load takes, counted on a unit that has just been reset.
fn steps_of_load(bed: &mut Bed) -> u64 {
    load(bed);
    let mut steps = 0;
    while bed.bench.busy() {
        bed.bench.step().unwrap();
        steps += 1;
    }
    bed.answers();
    steps
}

fn run_steps(bed: &mut Bed, steps: u64) {
    for _ in 0..steps {
        bed.bench.step().unwrap();
    }
}

/// Nothing of what was sent before comes out any more, nothing is bound, and everything works.
fn starts_anew(bed: &mut Bed, after: &str) {
    let name = bed.config.name().to_owned();
    bed.bench.run_clocks(SETTLE_CLOCKS).unwrap();
    let late = bed.answers();
    assert_eq!(late, [], "{name}: results came after {after}");
    let quads = quads(3);
    bed.sample(&quads);
    assert_eq!(bed.answers(), failed(&quads), "{name}: something is bound after {after}");
    bed.serves(&good_binding(), &quads, after);
    bed.serves(&indexed(), &quads, after);
}

/// Resets one clock, and takes what came before and what was on its way to the other side already.
fn reset(bed: &mut Bed, domain: Domain, clocks: u64) {
    bed.bench.assert_reset(domain);
    let learnt = bed.bench.clocks(Domain::Core) + LEARNING_CLOCKS;
    let end = bed.bench.clocks(domain) + clocks;
    while bed.bench.clocks(domain) < end {
        bed.bench.step().unwrap();
    }
    bed.bench.release_reset(domain);
    while bed.bench.clocks(Domain::Core) < learnt {
        bed.bench.step().unwrap();
    }
    bed.bench.take_results(bed.unit);
}

/// Runs a test for moments from the start of the load to its end, so many edges apart.
fn at_any_moment(stride: usize, test: impl Fn(&mut Bed, u64)) {
    on_each_bed(&memory(), |bed| {
        let steps = steps_of_load(bed);
        assert!(steps > 1000, "the load is over after {steps} edges");
        for moment in (0..steps).step_by(stride) {
            test(bed, moment);
        }
    });
}

#[test]
fn a_reset_of_one_side_at_any_moment() {
    at_any_moment(43, |bed, moment| {
        for &domain in Domain::of(&bed.config) {
            load(bed);
            run_steps(bed, moment);
            // From a single clock to longer than anything takes.
            let clocks = [1, 2, 5, 40][moment as usize % 4];
            reset(bed, domain, clocks);
            starts_anew(
                bed,
                &format!("a reset of {domain:?} for {clocks} clocks, {moment} edges into the load"),
            );
        }
    });
}

/// Every order of asserting and of releasing, at several moments.
#[test]
fn resets_of_all_sides_in_any_order() {
    on_each_bed(&memory(), |bed| {
        let orders = orders(Domain::of(&bed.config));
        let steps = steps_of_load(bed);
        for (number, asserted) in orders.iter().enumerate() {
            for (other, released) in orders.iter().enumerate() {
                load(bed);
                run_steps(bed, steps * (1 + number as u64 * 7 + other as u64) / 50);
                for domain in asserted {
                    bed.bench.assert_reset(*domain);
                    run_steps(bed, 5 + number as u64 * 3);
                }
                bed.bench.run_clocks(4).unwrap();
                for domain in released {
                    bed.bench.release_reset(*domain);
                    run_steps(bed, 5 + other as u64 * 3);
                }
                bed.bench.take_results(bed.unit);
                starts_anew(bed, &format!("{asserted:?} asserted and {released:?} released"));
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
    on_each_bed(&memory(), |bed| {
        for domain in Domain::of(&bed.config).iter().copied().filter(|domain| *domain != Domain::Core) {
            bed.bench.assert_reset(domain);
            load(bed);
            bed.bench.run_clocks(500).unwrap();
            assert_eq!(bed.bench.take_results(bed.unit), [], "a result came out of a reset");
            bed.bench.forget_requests();
            bed.bench.release_reset(domain);
            starts_anew(bed, &format!("requests during a reset of {domain:?}"));
        }
    });
}

#[test]
fn a_soft_reset_at_any_moment() {
    at_any_moment(61, |bed, moment| {
        load(bed);
        run_steps(bed, moment);
        bed.bench.soft_reset().unwrap();
        bed.bench.take_results(bed.unit);
        starts_anew(bed, &format!("a soft reset, {moment} edges into the load"));
    });
}

/// While commands are under way, at different moments of them.
#[test]
fn resets_during_commands() {
    on_each_bed(&memory(), |bed| {
        let control = tmu_rtl::registers::CONTROL;
        for command in [tmu_rtl::registers::CONTROL_SOFT_RESET, tmu_rtl::registers::CONTROL_CACHE_INVALIDATE]
        {
            for &domain in Domain::of(&bed.config) {
                for steps in (0..120).step_by(13) {
                    load(bed);
                    run_steps(bed, 400);
                    bed.bench.write_register(control.offset_bytes, command.place(1)).unwrap();
                    run_steps(bed, steps);
                    reset(bed, domain, 3);
                    starts_anew(bed, &format!("a reset of {domain:?}, {steps} edges after {}", command.name));
                }
            }
        }
    });
}

/// Reads that were under way when the units were reset are answered later, to nobody's harm.
#[test]
fn answers_to_reads_from_before_a_reset() {
    on_each_bed(&memory(), |bed| {
        if bed.config.clocks().memory_mhz().is_none() {
            // The interconnect is reset together with the units.
            return;
        }
        for wait in 0..40 {
            load(bed);
            // Until the unit waits for its first line.
            let before = bed.lines_read();
            while bed.lines_read() == before {
                bed.bench.step().unwrap();
            }
            run_steps(bed, wait * u64::from(LATENCY_CLOCKS) / 3);
            reset(bed, Domain::Tmu, 1);
            starts_anew(bed, &format!("a reset with a read under way, {wait}"));
        }
    });
}
