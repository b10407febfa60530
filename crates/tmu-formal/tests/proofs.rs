//! Each line of the table of proofs as a test: the proof, its covers, and its mutants.
//!
//! Mutants, and proofs that take minutes, are ignored here and run by `scripts/test-long`. With
//! `UPDATE_DOCS` set the page of the proofs is written when all are done, with the seconds that those took that ran.

use libtest_mimic::{Arguments, Conclusion, Failed, Trial};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;
use tmu_formal::{Proof, Table, Workplace, missing_provers, page, seconds_of};
use tmu_testing::{UPDATE_MEASURED, is_set, repository};

/// The page, from the repository's root.
const PAGE: &str = "docs/reference/proofs.md";

/// What each proof took in this run.
static SECONDS: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

fn main() {
    let table = Table::read().unwrap_or_else(|error| panic!("proofs.toml: {error}"));
    let trials = table.proofs.clone().into_iter().flat_map(trials);
    let missing = Trial::test("provers_are_installed", || match missing_provers().as_slice() {
        [] => Ok(()),
        missing => Err(Failed::from(missing.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))),
    });
    let update = is_set("UPDATE_DOCS") || is_set(UPDATE_MEASURED);
    let expected = table.clone();
    let page_is_current = Trial::test("page_shows_the_table", move || {
        let written = fs::read_to_string(repository().join(PAGE)).unwrap_or_default();
        if update || written == page(&expected, &seconds_of(&written)) {
            return Ok(());
        }
        Err("docs/reference/proofs.md is not what the table says; run it with UPDATE_DOCS=1".into())
    });
    let all = trials.chain([missing, page_is_current]).collect();
    let arguments = Arguments::from_args();
    let done = libtest_mimic::run(&arguments, all);
    if update && !arguments.list {
        write_page(&table, &done);
    }
    done.exit();
}

fn write_page(table: &Table, done: &Conclusion) {
    assert!(!done.has_failed(), "no page is written of proofs that failed");
    let mut seconds = seconds_of(&fs::read_to_string(repository().join(PAGE)).unwrap_or_default());
    seconds.extend(SECONDS.lock().unwrap().clone());
    fs::write(repository().join(PAGE), page(table, &seconds)).unwrap();
}

/// Proof and covers are one test, each mutant is one.
fn trials(proof: Proof) -> Vec<Trial> {
    let mutants = proof.mutants.clone().into_iter().enumerate().map(|(number, mutant)| {
        let proof = proof.clone();
        let name = format!("{}::mutant_{number}", proof.name);
        Trial::test(name, move || on_place(&proof, |place| place.kill(number, &mutant)))
            .with_ignored_flag(true)
    });
    let mutants: Vec<_> = mutants.collect();
    let long = proof.long;
    let name = format!("{}::holds", proof.name);
    let holds = Trial::test(name, move || {
        let start = Instant::now();
        on_place(&proof, |place| {
            place.cover()?;
            place.prove()
        })?;
        let seconds = format!("{:.0}", start.elapsed().as_secs_f64().ceil());
        SECONDS.lock().unwrap().insert(proof.name.clone(), seconds);
        Ok(())
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
