//! Rows of inputs: given, or at random with enables that come in bursts and lulls and data with the values where
//! arithmetic goes wrong.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt;
use tmu_verilate::{Column, RowLayout, Rows};

/// Chances in 16 that a one-bit input is high, for one phase of the run.
const CHANCES: [u32; 7] = [0, 1, 4, 8, 12, 15, 16];
/// Rows for which a chance holds.
const PHASE_ROWS: std::ops::Range<usize> = 1..400;
/// One row in so many resets, and the first two do.
const RESET_ONE_IN: u32 = 200;

/// Changes a random row so that it is a legal one.
pub type Fix = Box<dyn Fn(&mut ChaCha8Rng, &mut Rows, usize)>;

/// What goes into a block.
pub struct Stimulus {
    rows: usize,
    seed: u64,
    fix: Option<Fix>,
    given: Option<Rows>,
}

impl fmt::Debug for Stimulus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stimulus({} rows, seed {})", self.rows, self.seed)
    }
}

impl Stimulus {
    /// Random inputs for so many clocks. Inputs whose name ends in `rst` are high in the first two rows and rarely
    /// afterwards.
    #[must_use]
    pub fn random(rows: usize) -> Stimulus {
        Stimulus { rows, seed: 1, fix: None, given: None }
    }

    /// These rows, laid out for the inputs of the block without its clocks.
    #[must_use]
    pub fn rows(rows: Rows) -> Stimulus {
        Stimulus { rows: rows.len(), seed: 0, fix: None, given: Some(rows) }
    }

    /// Another seed than 1.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Stimulus {
        self.seed = seed;
        self
    }

    /// Makes every random row a legal one.
    #[must_use]
    pub fn fix(mut self, fix: impl Fn(&mut ChaCha8Rng, &mut Rows, usize) + 'static) -> Stimulus {
        self.fix = Some(Box::new(fix));
        self
    }

    pub(crate) fn seed_value(&self) -> u64 {
        self.seed
    }

    pub(crate) fn make(&self, layout: &RowLayout, rng: &mut ChaCha8Rng) -> Rows {
        if let Some(rows) = &self.given {
            return rows.clone();
        }
        let mut rows = Rows::zeros(layout.clone(), self.rows);
        let mut bursts = vec![Bursts::default(); layout.columns().len()];
        for row in 0..self.rows {
            for (column, bursts) in layout.columns().iter().zip(&mut bursts) {
                let words = rows.value_mut(row, column);
                if column.name.ends_with("rst") {
                    words[0] = u32::from(row < 2 || rng.random_ratio(1, RESET_ONE_IN));
                } else if column.width_bits == 1 {
                    words[0] = u32::from(bursts.next(rng));
                } else {
                    random_value(rng, words, column);
                }
            }
            if let Some(fix) = &self.fix {
                fix(rng, &mut rows, row);
            }
        }
        rows
    }
}

/// A bit that is high for long, low for long, or anything between.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bursts {
    chance: u32,
    /// For how many more bits the chance holds.
    left: usize,
}

impl Bursts {
    /// The next bit.
    pub fn next(&mut self, rng: &mut ChaCha8Rng) -> bool {
        if self.left == 0 {
            self.chance = CHANCES[rng.random_range(0..CHANCES.len())];
            self.left = rng.random_range(PHASE_ROWS);
        }
        self.left -= 1;
        rng.random_ratio(self.chance, 16)
    }
}

/// A generator of its own for each subject, so that one more subject changes no other.
#[must_use]
pub fn generator(seed: u64, name: &str) -> ChaCha8Rng {
    let stream = name.bytes().fold(0u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(stream);
    rng
}

/// Random bits, and now and then all zeros, all ones, or the sign alone.
pub fn random_value(rng: &mut ChaCha8Rng, words: &mut [u32], column: &Column) {
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
