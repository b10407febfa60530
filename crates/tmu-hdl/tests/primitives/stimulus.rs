//! Random rows for many subjects at once, under settings from the environment.

use rand_chacha::ChaCha8Rng;
pub(crate) use tmu_cosim::{Bursts, random_value};
use tmu_testing::setting;
use tmu_verilate::{RowLayout, Rows};

/// The seed of a run: fixed, unless the environment gives another.
pub(crate) fn seed() -> u64 {
    setting("TMUGEN_SEED").unwrap_or(20_260_101)
}

/// Clocks that each primitive runs against Verilator.
pub(crate) fn clocks() -> usize {
    setting("TMUGEN_CYCLES").unwrap_or(50_000) as usize
}

/// How to repeat the run of a test.
pub(crate) fn repeat(test: &str) -> String {
    format!("repeat with: TMUGEN_SEED={} cargo test -p tmu-hdl --test primitives {test}", seed())
}

/// A generator of its own for each subject, so that one more subject changes no other.
pub(crate) fn generator(name: &str) -> ChaCha8Rng {
    tmu_cosim::generator(seed(), name)
}

/// Fills the rows of one subject.
pub(crate) struct Stimulus {
    rng: ChaCha8Rng,
    /// For each column.
    bursts: Vec<Bursts>,
}

impl Stimulus {
    /// Rows for the subject of this name.
    pub(crate) fn new(name: &str) -> Stimulus {
        Stimulus { rng: generator(name), bursts: vec![] }
    }

    /// The next `count` rows; `fix` then changes each as the subject needs it.
    pub(crate) fn rows(
        &mut self,
        layout: &RowLayout,
        count: usize,
        mut fix: impl FnMut(&mut ChaCha8Rng, &mut Rows, usize),
    ) -> Rows {
        let mut rows = Rows::zeros(layout.clone(), count);
        self.bursts.resize(layout.columns().len(), Bursts::default());
        for row in 0..count {
            for (i, column) in layout.columns().iter().enumerate() {
                if column.width_bits == 1 {
                    rows.value_mut(row, column)[0] = u32::from(self.bursts[i].next(&mut self.rng));
                } else {
                    random_value(&mut self.rng, rows.value_mut(row, column), column);
                }
            }
            fix(&mut self.rng, &mut rows, row);
        }
        rows
    }
}
