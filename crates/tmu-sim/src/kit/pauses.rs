//! Random pauses of a bus signal.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// How often a valid or ready signal pauses on its own account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pauses {
    percent: u8,
}

impl Pauses {
    /// No pauses.
    pub const NONE: Pauses = Pauses { percent: 0 };

    /// At each clock without a pause one begins with this probability, capped at 95. Most last 1 to 4 clocks,
    /// one in 32 up to 128.
    #[must_use]
    pub const fn percent(percent: u8) -> Self {
        Self { percent: if percent > 95 { 95 } else { percent } }
    }
}

impl fmt::Display for Pauses {
    /// In percent, without the sign.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.percent)
    }
}

/// The pauses of one signal.
#[derive(Debug)]
pub struct Pauser {
    pauses: Pauses,
    left: u32,
    random: ChaCha8Rng,
}

impl Pauser {
    /// Pauses drawn from a seed.
    #[must_use]
    pub fn new(pauses: Pauses, seed: u64) -> Self {
        Self { pauses, left: 0, random: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// Whether the signal pauses during the next clock. Called once a clock.
    #[inline]
    pub fn paused(&mut self) -> bool {
        if self.left > 0 {
            self.left -= 1;
            return true;
        }
        if self.pauses.percent == 0 {
            return false;
        }
        let drawn: u32 = self.random.random();
        if drawn % 100 >= u32::from(self.pauses.percent) {
            return false;
        }
        let shape = drawn / 100;
        self.left = if shape.is_multiple_of(32) { shape / 32 % 128 } else { shape / 32 % 4 };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paused_clocks(percent: u8) -> usize {
        let mut pauser = Pauser::new(Pauses::percent(percent), 7);
        (0..100_000).filter(|_| pauser.paused()).count()
    }

    #[test]
    fn pauses_are_as_frequent_as_asked_for() {
        assert_eq!(paused_clocks(0), 0);
        // A pause lasts (31 * 2.5 + 64.5) / 32 = 4.4 clocks on average.
        let ten = paused_clocks(10);
        assert!((30_000..36_000).contains(&ten), "{ten}");
        assert!((90_000..100_000).contains(&paused_clocks(100)));
    }
}
