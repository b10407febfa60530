//! Each line of the table of proofs as a test: the proof, its covers, and its mutants.
//!
//! Those that take minutes are ignored here and run by `scripts/test-long`.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use tmu_formal::{Proof, Table, Workplace, missing_provers};

fn main() {
    let table = Table::read().unwrap_or_else(|error| panic!("proofs.toml: {error}"));
    let trials = table.proofs.into_iter().flat_map(trials);
    let missing = Trial::test("provers_are_installed", || match missing_provers().as_slice() {
        [] => Ok(()),
        missing => Err(Failed::from(missing.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))),
    });
    libtest_mimic::run(&Arguments::from_args(), trials.chain([missing]).collect()).exit();
}

/// Proof and covers are one test, each mutant is one.
fn trials(proof: Proof) -> Vec<Trial> {
    let mutants = proof.mutants.clone().into_iter().enumerate().map(|(number, mutant)| {
        let proof = proof.clone();
        let name = format!("{}::mutant_{number}", proof.name);
        let long = mutant.long;
        Trial::test(name, move || on_place(&proof, |place| place.kill(number, &mutant))).with_ignored_flag(long)
    });
    let mutants: Vec<_> = mutants.collect();
    let long = proof.long;
    let name = format!("{}::holds", proof.name);
    let holds = Trial::test(name, move || {
        on_place(&proof, |place| {
            place.cover()?;
            place.prove()
        })
    });
    [holds.with_ignored_flag(long)].into_iter().chain(mutants).collect()
}

fn on_place(
    proof: &Proof,
    act: impl FnOnce(&Workplace<'_>) -> Result<(), tmu_formal::Failure>,
) -> Result<(), Failed> {
    // One test says what is missing; the others have nothing to do then.
    if !missing_provers().is_empty() {
        return Ok(());
    }
    let place = Workplace::new(proof, Path::new(env!("CARGO_TARGET_TMPDIR")));
    act(&place).map_err(|failure| Failed::from(failure.to_string()))
}
