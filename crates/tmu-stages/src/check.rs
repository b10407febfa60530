//! Seeds, and what a failure says.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::fmt::{Debug, Display};
use tmu_hdl::prelude::*;
use tmu_hdl::records::LayoutRow;

/// The variable with another seed.
const SEED: &str = "TMUGEN_STAGE_SEED";

/// What a failure needs to say: the stage, the seed, and how often something was compared.
#[derive(Debug)]
pub struct Check {
    stage: String,
    seed: u64,
    compared: u64,
    /// Everything random of a test comes from here.
    pub rng: ChaCha8Rng,
}

impl Check {
    /// For a stage, with the seed of the environment where there is one.
    ///
    /// # Panics
    /// When the variable holds no number.
    pub fn new(stage: &str) -> Check {
        let seed = std::env::var(SEED).ok();
        let seed =
            seed.map_or(1, |text| text.parse().unwrap_or_else(|_| panic!("{SEED} = {text} is no number")));
        Check { stage: stage.into(), seed, compared: 0, rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: u32) -> bool {
        self.rng.random_range(0..times) == 0
    }

    /// One of some values.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.rng.random_range(0..from.len())]
    }

    /// What comes is what must.
    ///
    /// # Panics
    /// If not, with the stage, what it was, both values, the seed and the command that repeats it.
    #[track_caller]
    pub fn same<T: PartialEq + Debug>(&mut self, what: impl Display, got: T, expected: T) {
        self.compared += 1;
        if got != expected {
            self.fail(format!("{what}: expected {expected:?}, got {got:?}"));
        }
    }

    /// Packed words of a record are the same in the parts that count, by name: `got` and what was expected.
    ///
    /// # Panics
    /// If not, with the part.
    #[track_caller]
    pub fn same_parts(
        &mut self,
        layout: &[LayoutRow],
        [got, expected]: [Bits; 2],
        counts: impl Fn(&str) -> bool,
        what: impl Display,
    ) {
        for row in layout.iter().filter(|row| counts(&row.name)) {
            let [got, expected] = [got, expected].map(|word| word.slice(row.lsb, row.width).value());
            self.same(format_args!("{} {what}", row.name), got, expected);
        }
    }

    /// What must hold.
    ///
    /// # Panics
    /// If it does not.
    #[track_caller]
    pub fn holds(&mut self, holds: bool, what: impl Display) {
        self.compared += 1;
        if !holds {
            self.fail(what);
        }
    }

    /// # Panics
    /// With what is wrong.
    #[track_caller]
    pub fn fail(&self, what: impl Display) -> ! {
        let Check { stage, seed, compared, .. } = self;
        let test = std::thread::current().name().unwrap_or_default().to_owned();
        panic!(
            "{stage}: {what}\nafter {compared} comparisons with the seed {seed}; repeat with\n\
             {SEED}={seed} cargo nextest run -p tmu-stages --test each_stage {test}"
        )
    }

    /// So much was compared at least: a test that sees nothing come must not pass.
    ///
    /// # Panics
    /// If not.
    #[track_caller]
    pub fn at_least(&self, comparisons: u64) {
        if self.compared < comparisons && !crate::tape::is_recording() {
            self.fail(format!("only {} comparisons of {comparisons}", self.compared));
        }
    }
}

/// What went in and must come out, in order.
#[derive(Debug)]
pub struct Flow<T> {
    owed: VecDeque<T>,
    taken: u64,
}

impl<T: Debug> Default for Flow<T> {
    fn default() -> Flow<T> {
        Flow { owed: VecDeque::new(), taken: 0 }
    }
}

impl<T: Debug> Flow<T> {
    /// Something went in.
    pub fn put(&mut self, expected: T) {
        self.owed.push_back(expected);
    }

    /// What must come next.
    ///
    /// # Panics
    /// When nothing is owed.
    #[track_caller]
    pub fn next(&mut self, check: &mut Check) -> T {
        self.taken += 1;
        match self.owed.pop_front() {
            Some(owed) => owed,
            None => check.fail(format!("number {} comes, and nothing is owed", self.taken)),
        }
    }

    /// How much is owed.
    pub fn len(&self) -> usize {
        self.owed.len()
    }

    /// Whether nothing is owed.
    pub fn is_empty(&self) -> bool {
        self.owed.is_empty()
    }

    /// Everything came.
    ///
    /// # Panics
    /// If not.
    #[track_caller]
    pub fn is_done(&self, check: &mut Check) {
        if !crate::tape::is_recording() {
            check.holds(
                self.is_empty(),
                format_args!("{} never came, the first one {:?}", self.len(), self.owed.front()),
            );
        }
    }
}
