//! The recorded graph does what the kernel does, or the block is refused.
//!
//! A kernel is Rust, and hardware is made from one run of it in which both sides of every hardware `if` ran, one
//! after the other. A Rust value that one side changes is then seen by everything behind that side, which simulation,
//! where one side runs, does not do. So every kernel runs again, several times, each time on one side of every hardware
//! `if`, `&&` and `||`, and what it drives is compared with what the graph says for these sides. It does not matter how
//! the value changed: assignment, `&mut`, a closure, a `Cell`, an iterator, a static.
//!
//! Which sides a run takes does not depend on data, so no condition has to be met by luck. The runs of one kernel
//! (`schedule`) take each side of each branch and leave it out, and for every two branches each combination of their
//! sides that can be had, as far as a limit on deeply nested kernels. Before that, two runs like the one that hardware is
//! made from must record the same: a kernel that keeps something from run to run, or has an order by chance, does not.
//!
//! Equality (`compare`) is that of the two graphs, node by node; where they differ, as one of them could be simplified,
//! it is that of their values on directed and random values of all nets (`evaluate`).
//!
//! The cost is a run for each of some `4 + log2(branches)` sets of sides, and nothing in the hardware.

mod compare;
mod evaluate;
mod report;
mod schedule;

use crate::diagnostic::Problem;
use crate::record::{self, Body, Endless, Recorded, Sides, Trace};
use compare::{Difference, compare, unlike};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// A run whose graph may become hardware.
pub(crate) struct Run {
    pub(crate) body: Body,
    pub(crate) trace: Rc<Trace>,
}

impl Run {
    /// How much it recorded.
    fn steps(&self) -> usize {
        fn count(statements: &[record::Statement]) -> usize {
            let inside = statements.iter().map(|s| match s {
                record::Statement::If { then, otherwise, .. } => count(then) + count(otherwise),
                _ => 1,
            });
            inside.sum()
        }
        self.body.nodes.len() + count(&self.body.statements) + self.trace.occurrences.len()
    }
}

#[cfg(any(test, feature = "planted-faults"))]
thread_local! {
    static SWITCHED_OFF: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Switches the comparison off on this thread, so that tests can show that they would see what it keeps away.
#[cfg(any(test, feature = "planted-faults"))]
pub fn switch_off(off: bool) {
    SWITCHED_OFF.set(off);
}

#[cfg(any(test, feature = "planted-faults"))]
fn is_switched_off() -> bool {
    SWITCHED_OFF.get()
}

#[cfg(not(any(test, feature = "planted-faults")))]
fn is_switched_off() -> bool {
    false
}

/// Records the kernel of the block at `path` and compares the graph with the kernel.
pub(crate) fn record_and_compare<R>(path: &str, kernel: impl Fn() -> R) -> (R, Body, Vec<Problem>) {
    let first = record::record(path, Sides::Both, &kernel);
    // A primitive is described, not recorded, and a block of another kind is refused.
    if first.body.primitive.is_some() || first.body.type_name.is_empty() || !first.problems.is_empty() {
        return (first.result, first.body, first.problems);
    }
    let Recorded { result, body, trace, mut problems } = record::record(path, Sides::Both, &kernel);
    let joint = Run { body, trace: Rc::new(trace) };
    if problems.is_empty() && !is_switched_off() {
        problems.extend(match unlike(&first.body, &joint.body) {
            Some(difference) => Some(report::unsteady(path, &difference)),
            None => check(path, &kernel, &joint),
        });
    }
    (result, joint.body, problems)
}

/// Why a run left nothing to compare.
enum Stopped {
    /// It records without end.
    Endless,
    /// It panicked.
    Panicked,
}

fn run_once<R>(path: &str, kernel: impl Fn() -> R, sides: Sides) -> Result<Recorded<R>, Stopped> {
    catch_unwind(AssertUnwindSafe(|| record::record(path, sides, &kernel)))
        .map_err(|panic| if panic.is::<Endless>() { Stopped::Endless } else { Stopped::Panicked })
}

/// Judges a run on single sides.
fn judge<R>(joint: &Run, run: Result<Recorded<R>, Stopped>) -> Option<Difference> {
    match run {
        Err(Stopped::Endless) => Some(Difference::Endless),
        Err(Stopped::Panicked) => Some(Difference::Panic),
        Ok(run) => match run.problems.into_iter().next() {
            Some(Problem { message, notes, .. }) => {
                let places = notes.into_iter().filter(|note| note.place.is_known()).collect();
                Some(Difference::Refused { message, places })
            }
            None => compare(joint, &run.body, &run.trace).err(),
        },
    }
}

fn check<R>(path: &str, kernel: impl Fn() -> R, joint: &Run) -> Option<Problem> {
    let steps = 4 * joint.steps() + 1_000;
    let run = |sides: Vec<bool>| {
        let sides = Sides::One { chosen: (joint.trace.clone(), sides), steps_left: steps };
        judge(joint, run_once(path, &kernel, sides))
    };
    let mut runs = schedule::plan(&joint.trace).into_iter();
    let (sides, difference) =
        runs.find_map(|sides| run(sides.clone()).map(|difference| (sides, difference)))?;
    Some(report::refuse(path, joint, &sides, difference, run))
}
