//! Kernels that try to get past the comparison of a kernel with its graph: each goes through `#[kernel]`, and is refused
//! with a message that names the place, or means the same in Rust, Verilator and Icarus.

mod refused;
mod right;

use crate::bench::{Bench, Turn, case};
use crate::harness::compare;
use std::fs;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::Enum;
use tmu_hdl::soundness::switch_off;

/// Clock cycles that each kernel runs for.
const CYCLES: usize = 60;

/// A kernel, its name, and for those that are refused a piece of a line that the message must point to.
pub(crate) type Attack = (&'static str, fn(&Bench), &'static str);

macro_rules! kernels {
    ($table:ident: $(fn $name:ident($k:ident) $place:literal $body:tt)*) => {
        $(#[kernel]
        fn $name($k: &Bench) $body)*

        pub(super) const $table: &[crate::attacks::Attack] = &[$((stringify!($name), $name, $place)),*];
    };
}
use kernels;
use tmu_verilate::Tools;

/// A turn that changes from clock to clock.
pub(crate) fn turn(k: &Bench) -> Enum<Turn> {
    Enum::of(k.a.val().low(2))
}

/// The lines that a message points to.
fn lines(message: &str) -> Vec<String> {
    let line = |place: &str| {
        let mut parts = place.rsplit(": ").next()?.rsplitn(3, ':');
        let (_, number, file) = (parts.next()?, parts.next()?.parse::<usize>().ok()?, parts.next()?);
        let text = fs::read_to_string(tmu_testing::repository().join(file.trim())).ok()?;
        Some(text.lines().nth(number.checked_sub(1)?)?.trim().to_string())
    };
    message.lines().filter(|text| text.contains(".rs:")).filter_map(line).collect()
}

#[test]
fn kernels_that_lie_are_refused_and_the_message_points_to_the_place() {
    let mut failures = vec![];
    for &(name, kernel, place) in refused::kernels() {
        match elaborate(name, &Bench::new(kernel)) {
            Ok(_) => failures.push(format!("{name} is accepted")),
            Err(error) => {
                let error = error.to_string();
                if !error.contains("H008") || !lines(&error).iter().any(|line| line.contains(place)) {
                    failures.push(format!(
                        "{name}, expected to point to `{place}`:\n{error}\n{:#?}",
                        lines(&error)
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn kernels_that_only_look_wrong_pass_and_mean_the_same_everywhere() {
    let mut failures = vec![];
    let mut cases = vec![];
    for &(name, kernel, _) in right::KERNELS {
        match case(name, kernel, 1, CYCLES) {
            Ok(case) => cases.push((name, case)),
            Err(error) => failures.push(format!("{name} is refused:\n{error}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    if Tools::are_missing() {
        return;
    }
    let (names, cases): (Vec<_>, Vec<_>) = cases.into_iter().unzip();
    let found = compare(&cases).unwrap_or_else(|e| panic!("{e}"));
    let found: Vec<String> = found.iter().map(|(&i, text)| format!("{}: {text}", names[i])).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn without_the_comparison_the_refused_kernels_are_wrong_hardware() {
    if Tools::are_missing() {
        return;
    }
    // What hangs, panics or changes from run to run has nothing that could be compared.
    let comparable = refused::kernels().filter(|(name, ..)| !name.starts_with("x_"));
    switch_off(true);
    let made: Vec<_> = comparable
        .filter_map(|&(name, kernel, _)| Some((name, case(name, kernel, 1, CYCLES).ok()?)))
        .collect();
    switch_off(false);
    let (names, cases): (Vec<_>, Vec<_>) = made.into_iter().unzip();
    let found = compare(&cases).unwrap_or_else(|e| panic!("{e}"));
    let same: Vec<&str> = (0..names.len()).filter(|i| !found.contains_key(i)).map(|i| names[i]).collect();
    assert!(names.len() >= 40, "only {} kernels are accepted without the comparison", names.len());
    assert!(same.is_empty(), "refused, but right: {same:?}");
}
