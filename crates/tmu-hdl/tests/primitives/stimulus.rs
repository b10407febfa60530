//! Random rows: enables that come in bursts and lulls, data with the values where arithmetic goes wrong.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tmu_testing::setting;
use tmu_verilate::{Column, RowLayout, Rows};

/// Chances in 16 that a one-bit input is high, for one phase of the run.
const CHANCES: [u32; 7] = [0, 1, 4, 8, 12, 15, 16];
/// Rows for which a chance holds.
const PHASE_ROWS: std::ops::Range<usize> = 1..400;

/// The seed of a run: fixed, unless the environment gives another.
pub(crate) fn seed() -> u64 {
    setting("TMUGEN_SEED").unwrap_or(20_260_101)
}

/// Clocks that each primitive runs against Verilator.
pub(crate) fn clocks() -> usize {
    setting("TMUGEN_CYCLES").unwrap_or(100_000) as usize
}

/// How to repeat the run of a test.
pub(crate) fn repeat(test: &str) -> String {
    format!("repeat with: TMUGEN_SEED={} cargo test -p tmu-hdl --test primitives {test}", seed())
}

/// A bit that is high for long, low for long, or anything between.
#[derive(Clone, Copy, Default)]
pub(crate) struct Bursts {
    chance: u32,
    /// For how many more bits the chance holds.
    left: usize,
}

impl Bursts {
    /// The next bit.
    pub(crate) fn next(&mut self, rng: &mut ChaCha8Rng) -> bool {
        if self.left == 0 {
            self.chance = CHANCES[rng.random_range(0..CHANCES.len())];
            self.left = rng.random_range(PHASE_ROWS);
        }
        self.left -= 1;
        rng.random_ratio(self.chance, 16)
    }
}

/// A generator of its own for each subject, so that one more subject changes no other.
pub(crate) fn generator(name: &str) -> ChaCha8Rng {
    let stream = name.bytes().fold(0u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    rng.set_stream(stream);
    rng
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

/// Random bits, and now and then all zeros, all ones, or the sign alone.
pub(crate) fn random_value(rng: &mut ChaCha8Rng, words: &mut [u32], column: &Column) {
    let kind = rng.random_range(0..16);
    words.iter_mut().for_each(|word| {
        *word = match kind {
            0 => 0,
            1 => u32::MAX,
            2 => 0,
            _ => rng.random(),
        }
    });
    let top = (column.width_bits - 1) % 32;
    let last = words.len() - 1;
    if kind == 2 {
        words[last] = 1 << top;
    }
    words[last] &= u32::MAX >> (31 - top);
}
