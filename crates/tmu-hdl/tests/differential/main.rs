//! Rust simulation against Verilator and Icarus.

mod arrays;
mod attacks;
mod bench;
mod faults;
mod generate;
mod harness;
mod lint;
mod machine;
mod order;
mod probes;
mod program;

use harness::{Case, compare};
use machine::case;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tmu_hdl::verilog::fault::{Fault, plant};
use tmu_testing::setting;
use tmu_verilate::{Batch, Tools};

/// Kernels of the normal run.
const KERNELS: u64 = 300;
/// Faults in the printing of expressions and statements, which random kernels are full of.
const FOUND_AT_RANDOM: [Fault; 12] = [
    Fault::NoParentheses,
    Fault::NarrowLiteral,
    Fault::ZeroForSign,
    Fault::SwappedChoice,
    Fault::NoReset,
    Fault::LessForLessOrEqual,
    Fault::SliceBound,
    Fault::CarryLeak,
    Fault::ShiftKind,
    Fault::NoElse,
    Fault::UnsignedComparison,
    Fault::ReversedConcatenation,
];
/// Kernels that have to find a planted fault.
const KERNELS_FOR_A_FAULT: u64 = 40;

/// How to run one kernel again.
fn repeat(seed: u64, kernel: u64) -> String {
    format!(
        "TMUGEN_SEED={seed} TMUGEN_FUZZ_KERNEL={kernel} cargo test -p tmu-hdl --test differential random_kernels"
    )
}

fn cases(seed: u64, kernels: &[u64]) -> Vec<Case> {
    kernels.iter().map(|&kernel| case(&generate::program(seed, kernel), seed ^ kernel)).collect()
}

/// Runs a batch of kernels; text for each that differs.
fn run(seed: u64, kernels: &[u64], show: bool) -> Vec<String> {
    let cases = cases(seed, kernels);
    let text = |i: usize| if show { cases[i].source.files[0].text.as_str() } else { "" };
    match compare(&cases) {
        Ok(found) => found
            .iter()
            .map(|(&i, difference)| {
                let kernel = kernels[i];
                format!("kernel {kernel}:\n{difference}repeat: {}\n{}", repeat(seed, kernel), text(i))
            })
            .collect(),
        Err(error) => {
            let (first, last) = (kernels[0], kernels[kernels.len() - 1]);
            vec![format!("kernels {first} to {last}, first: {}\n{error}\n{}", repeat(seed, first), text(0))]
        }
    }
}

#[test]
fn random_kernels_mean_the_same_in_rust_and_in_verilog() {
    if Tools::are_missing() {
        return;
    }
    let seed = setting("TMUGEN_SEED").unwrap_or(1);
    if let Some(kernel) = setting("TMUGEN_FUZZ_KERNEL") {
        let failures = run(seed, &[kernel], true);
        assert!(failures.is_empty(), "{}", failures.join("\n"));
        return;
    }
    let count = setting("TMUGEN_FUZZ_KERNELS").unwrap_or(KERNELS);
    let next = AtomicU64::new(0);
    let worker = || {
        let mut failures = vec![];
        loop {
            let first = next.fetch_add(Batch::MEMBERS as u64, Relaxed);
            if first >= count || failures.len() > 10 {
                return failures;
            }
            let kernels: Vec<u64> = (first..count.min(first + Batch::MEMBERS as u64)).collect();
            failures.extend(run(seed, &kernels, false));
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let failures: Vec<String> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        handles
            .into_iter()
            .flat_map(|handle| handle.join().unwrap_or_else(|_| vec!["panic".into()]))
            .collect()
    });
    assert!(
        failures.is_empty(),
        "{} of {count} kernels with seed {seed}:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
#[ignore = "builds a model for each fault, for more than a minute"]
fn random_kernels_find_the_faults_planted_in_what_they_are_made_of() {
    if Tools::are_missing() {
        return;
    }
    let kernels: Vec<u64> = (0..KERNELS_FOR_A_FAULT).collect();
    let differing = |fault| {
        plant(fault);
        let cases = cases(1, &kernels);
        plant(None);
        compare(&cases).unwrap_or_else(|e| panic!("{fault:?}: a tool refuses the Verilog: {e}")).len()
    };
    assert_eq!(differing(None), 0);
    let missed: Vec<Fault> =
        FOUND_AT_RANDOM.into_iter().filter(|&fault| differing(Some(fault)) == 0).collect();
    assert!(missed.is_empty(), "{KERNELS_FOR_A_FAULT} kernels do not tell {missed:?} from the right printer");
}
