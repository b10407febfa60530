//! Random Rust programs as kernels: accepted where they never change a variable under a hardware condition, otherwise
//! refused or right, and whatever is accepted means the same in Rust and in Verilog.

#[path = "../../tmu-hdl/tests/differential/bench.rs"]
mod bench;
#[path = "../../tmu-hdl/tests/differential/harness.rs"]
#[allow(dead_code)]
mod harness;

use bench::{Bench, case};
use harness::{Case, Mismatches, compare_with_verilator, tools_are_missing};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::soundness::switch_off;
use tmu_testing::setting;

/// The programs, as the build script writes them.
#[allow(clippy::all, unused)]
mod programs {
    use crate::bench::Bench;
    use std::cell::Cell;
    use tmu_hdl::prelude::*;

    struct Accumulator {
        sum: Bits,
        count: usize,
    }

    impl Accumulator {
        fn add(&mut self, x: Bits) -> &mut Accumulator {
            self.sum = self.sum + x;
            self.count += 1;
            self
        }
    }

    struct Word {
        low: Bits,
        high: usize,
    }

    #[derive(HardwareEnum, Clone, Copy, Debug, PartialEq)]
    enum Turn {
        Left,
        Right,
        Back,
    }

    fn set(x: &mut Bits, new: Bits) {
        *x = new;
    }

    include!(concat!(env!("OUT_DIR"), "/programs.rs"));
}
use programs::{PROGRAMS, SEED};

/// Clock cycles that each program runs for.
const CYCLES: usize = 24;
/// Programs in one Verilated model.
const MEMBERS: usize = 250;
/// Refused programs that are built without the comparison.
const REFUSED: usize = 250;

fn repeat(program: usize) -> String {
    let count = PROGRAMS.len();
    format!(
        "repeat: TMUGEN_SEED={SEED} TMUGEN_FUZZ_PROGRAMS={count} TMUGEN_FUZZ_PROGRAM={program} \
         cargo test -p tmu-hdl-fuzz; its text is fn p{program} in target/debug/build/tmu-hdl-fuzz-*/out/programs.rs"
    )
}

/// What came of a piece of the programs.
#[derive(Default)]
struct Outcome {
    failures: Vec<String>,
    accepted: usize,
    refused: Vec<usize>,
    planted_and_right: usize,
}

fn run(programs: &[usize]) -> Outcome {
    let mut outcome = Outcome::default();
    let mut cases: Vec<(usize, Case)> = vec![];
    for &program in programs {
        let (kernel, is_planted) = PROGRAMS[program];
        let name = format!("p{program}");
        match elaborate(&name, &Bench::new(kernel)) {
            Ok(_) => match case(&name, kernel, SEED ^ program as u64, CYCLES) {
                Ok(case) => {
                    outcome.planted_and_right += usize::from(is_planted);
                    cases.push((program, case));
                }
                Err(error) => outcome.failures.push(format!("{name}: {error}\n{}", repeat(program))),
            },
            Err(error) if is_planted && error.0.iter().all(|e| e.rule.code() == "H008") => {
                outcome.refused.push(program);
            }
            Err(error) => {
                outcome.failures.push(format!("{name} is refused, wrongly:\n{error}\n{}", repeat(program)));
            }
        }
    }
    outcome.accepted = cases.len();
    let (numbers, cases): (Vec<_>, Vec<_>) = cases.into_iter().unzip();
    let found = differences(&cases, numbers.first().copied().unwrap_or(0));
    outcome
        .failures
        .extend(found.iter().map(|(&i, text)| format!("p{}: {text}\n{}", numbers[i], repeat(numbers[i]))));
    outcome
}

fn differences(cases: &[Case], first: usize) -> Mismatches {
    if cases.is_empty() || tools_are_missing() {
        return Mismatches::new();
    }
    compare_with_verilator(cases).unwrap_or_else(|e| panic!("programs from p{first} on: {e}"))
}

#[test]
fn random_programs_are_refused_or_mean_the_same_in_rust_and_in_verilog() {
    // The build script has read how many there are to be.
    let count = setting("TMUGEN_FUZZ_PROGRAMS").unwrap_or(PROGRAMS.len() as u64);
    assert_eq!(PROGRAMS.len() as u64, count, "programs of this build");
    let programs: Vec<usize> = match setting("TMUGEN_FUZZ_PROGRAM") {
        Some(program) => vec![program as usize],
        None => (0..PROGRAMS.len()).collect(),
    };
    let pieces: Vec<&[usize]> = programs.chunks(MEMBERS).collect();
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut outcomes = vec![];
        while let Some(piece) = pieces.get(next.fetch_add(1, Relaxed)) {
            outcomes.push(run(piece));
        }
        outcomes
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        handles.into_iter().flat_map(|handle| handle.join().unwrap_or_else(|_| panic!("a worker"))).collect()
    });
    let failures: Vec<&String> = outcomes.iter().flat_map(|o| &o.failures).collect();
    assert!(
        failures.is_empty(),
        "{} of {} programs with seed {SEED}:\n{}",
        failures.len(),
        programs.len(),
        failures.iter().take(10).map(|text| text.as_str()).collect::<Vec<_>>().join("\n")
    );
    let sum = |f: fn(&Outcome) -> usize| outcomes.iter().map(f).sum::<usize>();
    let (accepted, refused) = (sum(|o| o.accepted), sum(|o| o.refused.len()));
    assert_eq!(accepted + refused, programs.len());
    if programs.len() >= 1_000 {
        // Otherwise the programs would not say much.
        assert!(refused * 5 > programs.len(), "only {refused} of {} programs are refused", programs.len());
        let right = sum(|o| o.planted_and_right);
        assert!(right * 100 > programs.len(), "only {right} programs with a planted change are right");
    }
}

#[test]
fn without_the_comparison_refused_programs_are_wrong_hardware() {
    if tools_are_missing() {
        return;
    }
    let is_refused = |&i: &usize| PROGRAMS[i].1 && elaborate("p", &Bench::new(PROGRAMS[i].0)).is_err();
    let refused: Vec<usize> = (0..PROGRAMS.len()).filter(is_refused).take(REFUSED).collect();
    switch_off(true);
    let cases = refused.iter().filter_map(|&i| case(&format!("p{i}"), PROGRAMS[i].0, SEED, 4 * CYCLES).ok());
    let cases: Vec<Case> = cases.collect();
    switch_off(false);
    let found = differences(&cases, refused.first().copied().unwrap_or(0));
    // Some differ on few values only, which the random rows do not meet.
    let (cases, found) = (cases.len(), found.len());
    assert!(cases > 0 && found * 10 >= cases * 8, "{found} of {cases} refused programs are wrong hardware");
}
