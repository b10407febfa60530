//! Answers of memory that have more or fewer beats than were asked for: the error has its own bit and its address, quads that
//! needed what cannot be trusted fail, no line of it is kept, and the next good request is served.

use crate::test_bench::{TestBench, binding, failed, good_binding, on_every_preset, quad_on, quads};
use tmu_rtl::system::registers::ERROR_MEMORY_LENGTH;
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::kit::memory::LengthFault;
use tmu_spec::config::CacheKind;
use tmu_spec::{Binding, Format, QuadResult};

fn noise() -> TextureMemory {
    TextureMemory::noise(8)
}

/// Runs a test with an answer of the wrong length where one is possible: a single beat cannot be too short.
fn on_each_bed_with(fault: LengthFault, test: impl Fn(&mut TestBench)) {
    on_every_preset(&noise(), |test_bench| {
        let is_early = matches!(fault, LengthFault::Early | LengthFault::EarlyAndDue);
        if !is_early || test_bench.config.cache().kind() == CacheKind::Prefetch {
            test(test_bench);
        }
    });
}

fn texture() -> Binding {
    binding(0x8_0000, Format::Rgba8, 5, 5, true).with_drop_cache(true)
}

/// Whether each result is the golden one or a failure; how many failed.
fn failures(
    test_bench: &TestBench,
    got: &[QuadResult],
    golden: &[QuadResult],
    of: &[QuadResult],
    when: &str,
) -> usize {
    let name = test_bench.config.name();
    assert_eq!(got.len(), golden.len(), "{name}: {when}");
    let mut count = 0;
    for (number, result) in got.iter().enumerate() {
        if result.error() {
            assert_eq!(*result, of[number], "{name}: quad {number}, {when}");
            count += 1;
        } else {
            assert_eq!(
                *result, golden[number],
                "{name}: quad {number} is wrong without the error bit, {when}"
            );
        }
    }
    count
}

/// One answer in the middle of the load, at many moments.
fn one_answer(fault: LengthFault) {
    on_each_bed_with(fault, |test_bench| {
        let load = quads(40);
        let (mut all, mut moments) = (0, 0);
        for moment in (0..400).step_by(53) {
            test_bench.bind(&texture());
            test_bench.sample(&load);
            let golden = test_bench.golden(&load);
            let broken = test_bench.bench.broken_answers();
            for _ in 0..moment {
                test_bench.bench.step().unwrap();
            }
            test_bench.bench.break_answers(fault, 1);
            let got = test_bench.answers();
            let when = format!("{fault:?} from edge {moment}");
            let failures = failures(test_bench, &got, &golden, &failed(&load), &when);
            test_bench.bench.break_answers(fault, 0);
            let was_broken = test_bench.bench.broken_answers() > broken;
            let errors = test_bench.take_errors();
            let expected = if was_broken { ERROR_MEMORY_LENGTH.mask() } else { 0 };
            assert_eq!(errors, expected, "{}: {when}", test_bench.config.name());
            if was_broken {
                moments += 1;
                let address = test_bench.error_address() - test_bench.config.axi().window_base();
                let base = u64::from(texture().base());
                let end = base + u64::from(texture().texture().bytes());
                assert!((base..end).contains(&address), "{}: {address:#x}, {when}", test_bench.config.name());
            } else {
                assert_eq!(failures, 0, "{}: {when}", test_bench.config.name());
            }
            all += failures;
            // Without dropping the cache: no line of a broken answer is kept.
            test_bench.serves(&texture().with_drop_cache(false), &load, &when);
            test_bench.serves(&good_binding(), &load, &when);
        }
        assert!(
            moments > 3 && all >= moments,
            "{}: {all} failures, {moments} answers",
            test_bench.config.name()
        );
    });
}

#[test]
fn an_answer_that_ends_early() {
    one_answer(LengthFault::Early);
}

#[test]
fn an_answer_with_rlast_early_and_when_due() {
    one_answer(LengthFault::EarlyAndDue);
}

#[test]
fn an_answer_that_ends_late() {
    one_answer(LengthFault::Late(1));
    one_answer(LengthFault::Late(9));
}

#[test]
fn an_answer_without_rlast() {
    one_answer(LengthFault::Absent);
}

/// The line is known: its address is told, its quad fails, and it is read anew for the next one.
#[test]
fn the_address_and_the_quad_of_an_answer_that_ends_late() {
    on_each_bed_with(LengthFault::Late(1), |test_bench| {
        let quad = quad_on(&texture(), 0, 0, 15);
        let lone = binding(0x8_0000, Format::I8Rgba8, 0, 0, false);
        let has_format = test_bench.config.features().has_format(Format::I8Rgba8);
        let lone = if has_format { lone } else { binding(0x8_0000, Format::Rgba8, 0, 0, false) };
        test_bench.bind(&lone);
        // The colour table first.
        test_bench.bench.run_clocks(5000).unwrap();
        test_bench.bench.break_answers(LengthFault::Late(3), 1);
        test_bench.sample(&[quad]);
        assert_eq!(test_bench.answers(), failed(&[quad]), "{}", test_bench.config.name());
        let line = test_bench.lines(&quad)[0];
        let is_burst = test_bench.config.cache().kind() == CacheKind::Prefetch && !has_format;
        let told = test_bench.error_address() - test_bench.config.axi().window_base();
        let last = u64::from(line) * 16 + if is_burst { 48 } else { 0 };
        assert_eq!(
            told,
            last,
            "{}: the line with which the answer should have ended",
            test_bench.config.name()
        );
        assert_eq!(test_bench.take_errors(), ERROR_MEMORY_LENGTH.mask());
        test_bench.sample(&[quad]);
        assert_eq!(
            test_bench.answers(),
            test_bench.golden(&[quad]),
            "{}: read anew",
            test_bench.config.name()
        );
        assert_eq!(test_bench.take_errors(), 0);
    });
}

/// Memory that is never right: every quad fails that reads, nothing hangs, and when memory has healed all is well.
#[test]
fn memory_whose_answers_are_always_wrong() {
    for fault in [LengthFault::Early, LengthFault::EarlyAndDue, LengthFault::Late(2), LengthFault::Absent] {
        on_each_bed_with(fault, |test_bench| {
            let load = quads(12);
            test_bench.bench.break_answers(fault, u64::MAX);
            test_bench.bind(&texture());
            test_bench.sample(&load);
            let got = test_bench.answers();
            let golden = test_bench.golden(&load);
            let when = format!("always {fault:?}");
            let failures = failures(test_bench, &got, &golden, &failed(&load), &when);
            assert!(failures * 2 > load.len(), "{}: {failures} failures, {when}", test_bench.config.name());
            test_bench.bench.break_answers(fault, 0);
            assert_eq!(
                test_bench.take_errors(),
                ERROR_MEMORY_LENGTH.mask(),
                "{}: {when}",
                test_bench.config.name()
            );
            test_bench.serves(&texture(), &load, &when);
        });
    }
}

/// A reset while answers are of the wrong length, at many moments: good requests are served afterwards.
#[test]
fn a_soft_reset_among_answers_of_the_wrong_length() {
    for fault in [LengthFault::Early, LengthFault::Late(2), LengthFault::Absent] {
        on_each_bed_with(fault, |test_bench| {
            let load = quads(12);
            for moment in (100..900).step_by(193) {
                test_bench.bench.break_answers(fault, u64::MAX);
                test_bench.bind(&texture());
                test_bench.sample(&load);
                for _ in 0..moment {
                    test_bench.bench.step().unwrap();
                }
                test_bench.bench.break_answers(fault, 0);
                // What memory still gives too much of belongs to no read that is known after the reset.
                test_bench.bench.run_clocks(200).unwrap();
                test_bench.bench.soft_reset().unwrap();
                test_bench.bench.run_clocks(60).unwrap();
                test_bench.bench.take_results(test_bench.unit);
                test_bench.take_errors();
                test_bench.serves(
                    &texture(),
                    &load,
                    &format!("a soft reset after {fault:?}, {moment} edges into the load"),
                );
            }
        });
    }
}
