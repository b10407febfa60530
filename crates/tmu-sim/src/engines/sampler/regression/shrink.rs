//! Makes a short case of a run that failed: the fewest items and the plainest surroundings that this finds in which the
//! hardware still fails in the same way.
//!
//! Surroundings first (no pauses, plain clocks and memory, latency 1, no errors, no resets), then items by delta
//! debugging after Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input* (2002): leave out one of n
//! parts, go on from what still fails, and halve the parts where nothing can be left out. At the end no single item can
//! be left out, unless the budget of runs is spent before.
//!
//! Cost: at most [`MOST_RUNS`] runs, most of them of a few items.

use crate::engines::sampler::regression::items::Items;
use crate::engines::sampler::regression::options::Regression;
use crate::engines::sampler::regression::plan::Plan;
use crate::engines::sampler::regression::player::{PATIENCE_CLOCKS, Report, attempt};
use crate::kit::error::{Failure, Kind};
use crate::kit::pauses::Pauses;
use crate::kit::rtl::Rtl;
use std::fmt::Write as _;
use tmu_verilate::Model;

/// Runs after which the shortest case so far must do.
pub const MOST_RUNS: u32 = 400;

/// Clocks of `core_aclk`, beyond what memory takes, after which a trial hangs; the result is checked with the usual
/// patience.
const TRIAL_PATIENCE_CLOCKS: u64 = 2_000;

/// Items that are shown.
const SHOWN_ITEMS: usize = 16;

/// A short case.
#[derive(Debug)]
pub struct Shrunk {
    /// The run.
    pub regression: Regression,
    /// How it fails.
    pub failure: Failure,
    /// What it does, item by item, in lines.
    pub listing: String,
    /// Runs that it took to find it.
    pub runs: u32,
    /// Items that the first run had begun when it failed.
    pub items_before: u64,
}

impl Shrunk {
    /// Items that are left.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.regression.only.as_ref().map_or(self.items_before, Items::count)
    }
}

/// What to say of a run that failed: the short case, item by item, how it fails, and the one command that repeats it.
/// `config` is what names the configuration to `tmugen sim`.
#[must_use]
pub fn report(model: &Model, rtl: &Rtl, failing: &Regression, failure: &Failure, config: &str) -> String {
    let Some(short) = shrink(model, rtl, failing, |_, _| ()) else {
        return format!(
            "{failure}
it did not fail again by: tmugen sim {config} {failing}"
        );
    };
    let Shrunk { regression, failure, listing, runs, items_before } = &short;
    let items = short.items();
    format!(
        "{failure}
{listing}that is {items} of {items_before} items, found in {runs} runs
repeat with: tmugen sim \
         {config} {regression}"
    )
}

/// Shrinks a run that fails. None if it does not fail when it is repeated, or fails at the start. `progress` is told
/// runs and items.
pub fn shrink(
    model: &Model,
    rtl: &Rtl,
    failing: &Regression,
    mut progress: impl FnMut(u32, u64),
) -> Option<Shrunk> {
    let mut shrinker = Shrinker { model, rtl, kind: None, runs: 0, progress: &mut progress };
    let first = Regression { waves: None, ..failing.clone() };
    let (last, outcome) = attempt(model, rtl, &first, PATIENCE_CLOCKS, |_| ());
    let first_failure = outcome.err()?;
    shrinker.kind = Some(first_failure.cause.kind());
    let numbers: Vec<_> = match &first.only {
        Some(only) => only.iter().filter(|number| *number <= last).collect(),
        None => (0..=last).collect(),
    };
    let items_before = numbers.len() as u64;
    let mut best = Regression { only: Some(Items::from_sorted(&numbers)), ..first.clone() };
    best = shrinker.simplify(best);
    best = shrinker.fewer_items(best);
    // What only mattered among many items may not matter any more.
    let simpler = shrinker.simplify(best.clone());
    if simpler != best {
        best = shrinker.fewer_items(simpler);
    }
    let (_, outcome) = attempt(model, rtl, &best, PATIENCE_CLOCKS, |_| ());
    let (regression, failure) = match outcome {
        Err(failure) if Some(failure.cause.kind()) == shrinker.kind => (best, failure),
        // Only with less patience was it a hang.
        _ => (first, first_failure),
    };
    let listing = listing(rtl, &regression);
    Some(Shrunk { regression, failure, listing, runs: shrinker.runs, items_before })
}

/// What a run of some items does.
fn listing(rtl: &Rtl, run: &Regression) -> String {
    let Some(only) = &run.only else { return String::new() };
    let mut text = String::new();
    let kept = (0..).zip(Plan::new(&rtl.config, run)).take_while(|(number, _)| Some(*number) <= only.last());
    for (number, item) in kept.filter(|(number, _)| only.contains(*number)).take(SHOWN_ITEMS) {
        let _ = writeln!(text, "item {number}: {}", item.text(&rtl.config));
    }
    let left = only.count().saturating_sub(SHOWN_ITEMS as u64);
    if left > 0 {
        let _ = writeln!(text, "and {left} more");
    }
    text
}

struct Shrinker<'a> {
    model: &'a Model,
    rtl: &'a Rtl,
    /// How the case has to fail.
    kind: Option<Kind>,
    runs: u32,
    progress: &'a mut dyn FnMut(u32, u64),
}

impl Shrinker<'_> {
    /// Whether a run fails in the same way; no run does once the budget is spent.
    fn fails(&mut self, run: &Regression) -> bool {
        if self.runs >= MOST_RUNS {
            return false;
        }
        self.runs += 1;
        (self.progress)(self.runs, run.only.as_ref().map_or(0, Items::count));
        let patience_clocks = TRIAL_PATIENCE_CLOCKS + 40 * u64::from(run.latency_clocks);
        let outcome: Result<Report, Failure> =
            attempt(self.model, self.rtl, run, patience_clocks.min(PATIENCE_CLOCKS), |_| ()).1;
        outcome.is_err_and(|failure| Some(failure.cause.kind()) == self.kind)
    }

    /// Takes away what the failure does not need of the run's surroundings.
    fn simplify(&mut self, mut best: Regression) -> Regression {
        let simpler: [fn(&mut Regression); 5] = [
            |run| run.pauses = Pauses::NONE,
            |run| run.plain = true,
            |run| run.latency_clocks = 1,
            |run| run.resets = false,
            |run| run.errors = false,
        ];
        for simplify in simpler {
            let mut simpler = best.clone();
            simplify(&mut simpler);
            if simpler != best && self.fails(&simpler) {
                best = simpler;
            }
        }
        best
    }

    /// Leaves items out until each is needed.
    fn fewer_items(&mut self, run: Regression) -> Regression {
        let numbers: Vec<_> = run.only.iter().flat_map(Items::iter).collect();
        let with = |numbers: &[u64]| Regression { only: Some(Items::from_sorted(numbers)), ..run.clone() };
        let kept = fewest(numbers, |numbers| self.fails(&with(numbers)));
        with(&kept)
    }
}

/// Delta debugging: a part of `all`, which fails, that fails too and of which nothing can be left out by itself.
fn fewest(mut all: Vec<u64>, mut fails: impl FnMut(&[u64]) -> bool) -> Vec<u64> {
    let mut parts = 2;
    while all.len() >= 2 {
        let length = all.len().div_ceil(parts);
        // What comes first is most likely to be needed least.
        let without = all.chunks(length).enumerate().find_map(|(number, part)| {
            let start = number * length;
            let rest = [&all[..start], &all[start + part.len()..]].concat();
            fails(&rest).then_some(rest)
        });
        match without {
            Some(rest) => {
                all = rest;
                parts = (parts - 1).max(2);
            }
            None if length == 1 => break,
            None => parts = (parts * 2).min(all.len()),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_is_left() {
        for needed in [vec![7], vec![0, 999], vec![3, 500, 501, 502, 998], (400..420).collect()] {
            let mut runs = 0;
            let got = fewest((0..1000).collect(), |kept| {
                runs += 1;
                needed.iter().all(|number| kept.contains(number))
            });
            assert_eq!(got, needed);
            assert!(runs < 200, "{runs} runs for {needed:?}");
        }
    }

    #[test]
    fn what_depends_on_the_number_of_items_is_left_as_large_as_it_must_be() {
        let got = fewest((0..100).collect(), |kept| kept.len() >= 10);
        assert_eq!(got.len(), 10);
    }
}
