//! Random Rust programs as kernels: accepted where they never change a variable under a hardware condition, otherwise
//! refused or right, and whatever is accepted means the same in Rust and in Verilog.
//!
//! The programs are spread over several tests, `part_0.rs` and so on, so that the compiler works on them side by side.

use crate::bench::{Bench, case};
use crate::harness::{Case, compare_in};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tmu_cosim::Differences;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::Bits;
use tmu_hdl::record::NodeKind;
use tmu_hdl::soundness::switch_off;
use tmu_testing::setting;
use tmu_verilate::Tools;

/// A program, as the build script writes it.
pub(crate) struct Program {
    pub(crate) number: u64,
    pub(crate) kernel: fn(&Bench),
    /// Whether it changes a variable where it may have to be refused.
    pub(crate) is_planted: bool,
}

/// The programs of one test.
pub(crate) struct Part {
    pub(crate) seed: u64,
    /// Programs of all tests together.
    pub(crate) count: u64,
    pub(crate) programs: &'static [Program],
}

/// A change that no `=` shows.
pub(crate) fn set(x: &mut Bits, new: Bits) {
    *x = new;
}

/// The programs of a part, which the build script has written, and the test that runs them.
macro_rules! part {
    ($file:literal) => {
        #[allow(clippy::all, unused)]
        mod part {
            use crate::bench::{Accumulator, Bench, Turn, Word};
            use crate::programs::{Part, Program, set};
            use std::cell::Cell;
            use tmu_hdl::prelude::*;

            #[cfg(not(clippy))]
            include!(concat!(env!("OUT_DIR"), $file));
            // It would take a minute and a half over programs of which everything is allowed.
            #[cfg(clippy)]
            pub(crate) const PART: Part = Part { seed: 0, count: 0, programs: &[] };
        }

        #[test]
        fn random_programs_are_refused_or_mean_the_same_in_rust_and_in_verilog() {
            crate::programs::compare(&part::PART);
        }
    };
}
pub(crate) use part;

/// Clock cycles that each program runs for.
const CYCLES: usize = 24;
/// Programs in one Verilated model.
const MEMBERS: usize = 250;
/// Refused programs that are built without the comparison.
const REFUSED: usize = 250;
/// Operators in the hardware of an accepted program, on average.
const LEAST_OPERATORS: usize = 20;

impl Part {
    fn repeat(&self, program: &Program) -> String {
        let (seed, count, number) = (self.seed, self.count, program.number);
        format!(
            "repeat: TMUGEN_SEED={seed} TMUGEN_FUZZ_PROGRAMS={count} TMUGEN_FUZZ_PROGRAM={number} \
             cargo test -p tmu-hdl-fuzz; its text is fn p{number} in target/debug/build/tmu-hdl-fuzz-*/out"
        )
    }

    fn case(&self, program: &Program, cycles: usize) -> Result<Case, String> {
        case(&format!("p{}", program.number), program.kernel, self.seed ^ program.number, cycles)
    }
}

/// What came of some programs.
#[derive(Default)]
struct Outcome {
    failures: Vec<String>,
    accepted: usize,
    refused: usize,
    planted_and_right: usize,
    /// Operators in the hardware of the accepted ones.
    operators: usize,
}

fn run(part: &Part, programs: &[&Program]) -> Outcome {
    let mut outcome = Outcome::default();
    let mut cases: Vec<(&Program, Case)> = vec![];
    for &program in programs {
        let name = format!("p{}", program.number);
        match elaborate(&name, &Bench::new(program.kernel)) {
            Ok(design) => match part.case(program, CYCLES) {
                Ok(case) => {
                    let nodes = design.blocks.iter().flat_map(|block| &block.body.nodes);
                    outcome.operators += nodes.filter(|n| matches!(n.kind, NodeKind::Op(..))).count();
                    outcome.planted_and_right += usize::from(program.is_planted);
                    cases.push((program, case));
                }
                Err(error) => outcome.failures.push(format!("{name}: {error}\n{}", part.repeat(program))),
            },
            Err(error) if program.is_planted && error.as_slice().iter().all(|e| e.code == "H008") => {
                outcome.refused += 1;
            }
            Err(error) => {
                let repeat = part.repeat(program);
                outcome.failures.push(format!("{name} is refused, wrongly:\n{error}\n{repeat}"));
            }
        }
    }
    outcome.accepted = cases.len();
    let (programs, cases): (Vec<_>, Vec<_>) = cases.into_iter().unzip();
    let found = differences(&cases);
    let told = |(&i, text): (&usize, &String)| {
        format!("p{}: {text}\n{}", programs[i].number, part.repeat(programs[i]))
    };
    outcome.failures.extend(found.iter().map(told));
    outcome
}

fn differences(cases: &[Case]) -> Differences {
    if cases.is_empty() || Tools::are_missing() {
        return Differences::new();
    }
    compare_in(cases, false).unwrap_or_else(|e| panic!("{e}"))
}

/// Runs the programs of a part, or the one of them that `TMUGEN_FUZZ_PROGRAM` names, and says what came of them.
#[allow(clippy::print_stdout, reason = "a long run says what it did")]
pub(crate) fn compare(part: &Part) {
    // The build script has read how many there are to be.
    if let Some(count) = setting("TMUGEN_FUZZ_PROGRAMS") {
        assert_eq!(part.count, count, "programs of this build");
    }
    let only = setting("TMUGEN_FUZZ_PROGRAM");
    let is_chosen = |program: &&Program| only.is_none_or(|only| only == program.number);
    let programs: Vec<&Program> = part.programs.iter().filter(is_chosen).collect();
    let pieces: Vec<&[&Program]> = programs.chunks(MEMBERS).collect();
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut outcomes = vec![];
        while let Some(piece) = pieces.get(next.fetch_add(1, Relaxed)) {
            outcomes.push(run(part, piece));
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
        "{} of {} programs with seed {}:\n{}",
        failures.len(),
        programs.len(),
        part.seed,
        failures.iter().take(10).map(|text| text.as_str()).collect::<Vec<_>>().join("\n")
    );
    let sum = |f: fn(&Outcome) -> usize| outcomes.iter().map(f).sum::<usize>();
    let (accepted, refused, right) = (sum(|o| o.accepted), sum(|o| o.refused), sum(|o| o.planted_and_right));
    assert_eq!(accepted + refused, programs.len());
    if programs.len() >= 500 {
        // Otherwise the programs would not say much.
        let all = programs.len();
        assert!(refused * 6 > all, "only {refused} of {all} programs are refused");
        assert!(right * 500 > all, "only {right} of {all} programs with a planted change are right");
        let operators = sum(|o| o.operators);
        assert!(operators > LEAST_OPERATORS * accepted, "{operators} operators in {accepted} programs");
        println!(
            "{all} programs, {accepted} accepted with {operators} operators, {refused} refused, {right} planted and right"
        );
    }
}

/// Without the comparison of the graph with the kernel, refused programs are wrong hardware.
pub(crate) fn refused_programs_are_wrong_hardware(part: &Part) {
    if Tools::are_missing() {
        return;
    }
    let is_refused = |p: &&Program| p.is_planted && elaborate("p", &Bench::new(p.kernel)).is_err();
    let refused: Vec<&Program> = part.programs.iter().filter(is_refused).take(REFUSED).collect();
    switch_off(true);
    let cases: Vec<Case> = refused.iter().filter_map(|p| part.case(p, 4 * CYCLES).ok()).collect();
    switch_off(false);
    let found = differences(&cases);
    // Some differ on few values only, which the random rows do not meet.
    let (cases, found) = (cases.len(), found.len());
    assert!(cases > 0 && found * 10 >= cases * 8, "{found} of {cases} refused programs are wrong hardware");
}
