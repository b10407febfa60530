//! Free-running clocks of any ratio, phase and jitter.
//!
//! Time is counted in whole femtoseconds, so that periods like 1/480 MHz stay apart from those of other clocks
//! for hours. [`Schedule::advance`] finds the next edge of any clock in constant time.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Femtoseconds in a picosecond, the unit of waveforms.
pub const FS_PER_PS: u64 = 1000;

const FS_PER_US: u64 = 1_000_000_000;

/// One clock: `period_fs` apart, the first rising edge half a period after `phase_fs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockShape {
    /// Time between two rising edges.
    pub period_fs: u64,
    /// When the clock starts, low.
    pub phase_fs: u64,
    /// Edges come up to this much late, each by itself; below half a period.
    pub jitter_fs: u64,
}

impl ClockShape {
    /// A clock without phase and jitter. Below 1 GHz a period is exact to one femtosecond.
    ///
    /// # Panics
    /// If the frequency is 0.
    #[must_use]
    pub const fn from_mhz(mhz: u32) -> Self {
        Self { period_fs: FS_PER_US / mhz as u64, phase_fs: 0, jitter_fs: 0 }
    }
}

#[derive(Debug)]
struct Clock {
    shape: ClockShape,
    /// Half periods since the start.
    half_periods: u64,
    next_fs: u64,
    random: ChaCha8Rng,
}

impl Clock {
    fn new(shape: ClockShape, seed: u64) -> Self {
        assert!(shape.period_fs > 2 * shape.jitter_fs, "edges of {shape:?} would overtake each other");
        let mut clock = Self { shape, half_periods: 0, next_fs: 0, random: ChaCha8Rng::seed_from_u64(seed) };
        clock.plan();
        clock
    }

    /// Finds the time of the next edge.
    fn plan(&mut self) {
        let ClockShape { period_fs, phase_fs, jitter_fs } = self.shape;
        self.half_periods += 1;
        let jitter_fs = if jitter_fs == 0 { 0 } else { self.random.random_range(0..=jitter_fs) };
        self.next_fs = phase_fs + self.half_periods * period_fs / 2 + jitter_fs;
    }

    /// Whether the next edge rises.
    const fn next_rises(&self) -> bool {
        self.half_periods % 2 == 1
    }
}

/// Clock edges at one time, by number of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edges {
    /// When.
    pub time_fs: u64,
    /// Bit i: clock i rises.
    pub rising: u8,
    /// Bit i: clock i falls.
    pub falling: u8,
}

impl Edges {
    /// Whether a clock rises.
    #[must_use]
    pub const fn rises(&self, clock: usize) -> bool {
        self.rising >> clock & 1 == 1
    }
}

/// All clocks of a bench.
#[derive(Debug)]
pub struct Schedule {
    clocks: Vec<Clock>,
}

impl Schedule {
    /// Clocks in the order in which [`Edges`] names them; `seed` drives their jitter.
    ///
    /// # Panics
    /// If there is none or more than eight, or jitter reaches half a period.
    #[must_use]
    pub fn new(shapes: &[ClockShape], seed: u64) -> Self {
        assert!((1..=8).contains(&shapes.len()), "{} clocks", shapes.len());
        let clocks = (0..).zip(shapes).map(|(number, shape)| Clock::new(*shape, seed ^ number)).collect();
        Self { clocks }
    }

    /// Goes on to the next time at which any clock has an edge.
    pub fn advance(&mut self) -> Edges {
        let time_fs = self.clocks.iter().map(|clock| clock.next_fs).min().unwrap_or_default();
        let mut edges = Edges { time_fs, rising: 0, falling: 0 };
        for (number, clock) in self.clocks.iter_mut().enumerate() {
            if clock.next_fs == time_fs {
                if clock.next_rises() {
                    edges.rising |= 1 << number;
                } else {
                    edges.falling |= 1 << number;
                }
                clock.plan();
            }
        }
        edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_come_in_order_and_in_the_ratio_of_the_periods() {
        let shapes = [400, 480, 250].map(ClockShape::from_mhz);
        let shapes = [shapes[0], ClockShape { phase_fs: 777, jitter_fs: 900_000, ..shapes[1] }, shapes[2]];
        let mut schedule = Schedule::new(&shapes, 1);
        let mut rising = [0u64; 3];
        let mut high = [false; 3];
        let mut last_fs = 0;
        while last_fs < FS_PER_US {
            let edges = schedule.advance();
            assert!(edges.time_fs > last_fs, "time stood still at {last_fs}");
            assert_eq!(edges.rising & edges.falling, 0);
            last_fs = edges.time_fs;
            for clock in 0..3 {
                if edges.rises(clock) {
                    assert!(!std::mem::replace(&mut high[clock], true), "clock {clock} rose twice");
                    rising[clock] += 1;
                } else if edges.falling >> clock & 1 == 1 {
                    assert!(std::mem::replace(&mut high[clock], false), "clock {clock} fell twice");
                }
            }
        }
        assert_eq!(rising, [400, 480, 250]);
    }

    #[test]
    fn edges_at_one_time_come_together() {
        let shapes = [ClockShape::from_mhz(200), ClockShape::from_mhz(100)];
        let mut schedule = Schedule::new(&shapes, 0);
        let got: Vec<_> = (0..4).map(|_| schedule.advance()).map(|e| (e.rising, e.falling)).collect();
        // The slow clock rises while the fast one falls.
        assert_eq!(got, [(1, 0), (2, 1), (1, 0), (0, 3)]);
    }
}
