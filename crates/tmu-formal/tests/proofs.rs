//! Each line of the table of proofs as a test: the proof with its covers, and its mutants.
//!
//! What stands in the ledger as it is now is not proved again. Proofs that take minutes are made only where `UPDATE_DOCS` or
//! `TMUGEN_PROVE` asks for them. Mutants are ignored here and run by `scripts/test-long`.
//!
//! `UPDATE_DOCS` enters what has been proved in the ledger, and writes the page. `TMUGEN_PROVE` proves what stands in the ledger, too.

use libtest_mimic::{Arguments, Failed, Trial};
use std::fs::{self, File};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tmu_formal::{Ledger, Proof, Table, Workplace, missing_provers, page};
use tmu_testing::{UPDATE_MEASURED, check_committed, is_set, repository, setting};

/// The page, from the repository's root.
const PAGE: &str = "docs/reference/proofs.md";

/// What was proved in this run: name, digest, seconds.
static PROVED: Mutex<Vec<(String, String, u64)>> = Mutex::new(Vec::new());

fn main() {
    let table = Table::read().unwrap_or_else(|error| panic!("proofs.toml: {error}"));
    let made = Arc::new(Ledger::read().unwrap_or_else(|error| panic!("{error}")));
    let trials = table.proofs.clone().into_iter().flat_map(|proof| trials(proof, &made));
    let missing = Trial::test("provers_are_installed", || match missing_provers().as_slice() {
        [] => Ok(()),
        missing => Err(Failed::from(missing.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))),
    });
    let expected = page(&table, &made);
    let page_is_current = Trial::test("page_shows_the_table", move || {
        if !is_update() {
            check_committed(PAGE, &expected, "UPDATE_DOCS", "cargo test -p tmu-formal --test proofs");
        }
        Ok(())
    });
    let all = trials.chain([missing, page_is_current]).collect();
    let arguments = Arguments::from_args();
    let done = libtest_mimic::run(&arguments, all);
    if is_update() && !arguments.list {
        enter(&table);
    }
    done.exit();
}

/// Whether what is proved is entered in the ledger.
fn is_update() -> bool {
    is_set("UPDATE_DOCS") || is_set(UPDATE_MEASURED)
}

/// Whether everything is proved, whatever the ledger says.
fn is_everything_proved() -> bool {
    setting("TMUGEN_PROVE").is_some_and(|number| number != 0)
}

/// Enters what was proved in this run, and writes the page. Some runners take a process for each test, so one after the other
/// reads the ledger anew.
fn enter(table: &Table) {
    let lock = File::create(Path::new(env!("CARGO_TARGET_TMPDIR")).join("ledger.lock")).unwrap();
    lock.lock().unwrap();
    let mut made = Ledger::read().unwrap_or_else(|error| panic!("{error}"));
    for (proof, digest, seconds) in PROVED.lock().unwrap().drain(..) {
        made.enter(&proof, digest, seconds);
    }
    made.keep(|name| table.proofs.iter().any(|proof| proof.name == name));
    made.write().unwrap_or_else(|error| panic!("{error}"));
    fs::write(repository().join(PAGE), page(table, &made)).unwrap_or_else(|error| panic!("{PAGE}: {error}"));
}

/// Proof and covers are one test, each mutant is one.
fn trials(proof: Proof, made: &Arc<Ledger>) -> Vec<Trial> {
    let mutants = proof.mutants.clone().into_iter().enumerate().map(|(number, mutant)| {
        let proof = proof.clone();
        let name = format!("{}::mutant_{number}", proof.name);
        Trial::test(name, move || on_place(&proof, |place| place.kill(number, &mutant)))
            .with_ignored_flag(true)
    });
    let mutants: Vec<_> = mutants.collect();
    let name = format!("{}::holds", proof.name);
    let made = Arc::clone(made);
    let holds = Trial::test(name, move || holds(&proof, &made));
    [holds].into_iter().chain(mutants).collect()
}

/// Proves what the ledger does not have.
fn holds(proof: &Proof, made: &Ledger) -> Result<(), Failed> {
    let digest = place(proof).digest().map_err(|failure| failure.to_string())?;
    if made.has(&proof.name, &digest) && !is_everything_proved() {
        return Ok(());
    }
    if proof.long && !is_update() && !is_everything_proved() {
        let name = &proof.name;
        let what = format!(
            "proof {name}: what it is made of has changed since it was made, and it takes minutes\n  make it: \
             UPDATE_DOCS=1 cargo test -p tmu-formal --test proofs -- {name}::holds"
        );
        return Err(what.into());
    }
    on_place(proof, |place| {
        let start = Instant::now();
        place.cover()?;
        place.prove()?;
        let seconds = start.elapsed().as_secs() + 1;
        PROVED.lock().unwrap().push((proof.name.clone(), digest, seconds));
        Ok(())
    })
}

fn place(proof: &Proof) -> Workplace<'_> {
    Workplace::new(proof, Path::new(env!("CARGO_TARGET_TMPDIR")))
}

fn on_place(
    proof: &Proof,
    act: impl FnOnce(&Workplace<'_>) -> Result<(), tmu_formal::Failure>,
) -> Result<(), Failed> {
    // One test says what is missing; the others have nothing to do then.
    if !missing_provers().is_empty() {
        return Ok(());
    }
    act(&place(proof)).map_err(|failure| Failed::from(failure.to_string()))
}
