//! Two clocks as a sequence of instants: any ratio, drifting phases, jitter.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Two clocks, the writing one first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockPair {
    /// What the ratio stands for, in failures.
    pub(crate) name: &'static str,
    /// Mean periods.
    pub(crate) period_ps: [u64; 2],
    /// How far one period may differ from the mean.
    pub(crate) jitter_ps: [u64; 2],
}

/// Ratios from 1:12 to 8:1, with edges that meet, that drift past each other and that jump about.
pub(crate) const CLOCK_PAIRS: [ClockPair; 8] = [
    ClockPair { name: "the same", period_ps: [2500, 2500], jitter_ps: [0, 0] },
    ClockPair { name: "400 to 480 MHz", period_ps: [2500, 2083], jitter_ps: [0, 0] },
    ClockPair { name: "480 to 300 MHz", period_ps: [2083, 3333], jitter_ps: [20, 20] },
    ClockPair { name: "drifting slowly", period_ps: [5000, 5003], jitter_ps: [0, 0] },
    ClockPair { name: "3:1", period_ps: [3000, 1000], jitter_ps: [0, 0] },
    ClockPair { name: "1:12, drifting", period_ps: [1000, 12_007], jitter_ps: [0, 100] },
    ClockPair { name: "8:1, drifting", period_ps: [8009, 1000], jitter_ps: [200, 0] },
    ClockPair { name: "jumping", period_ps: [3000, 3000], jitter_ps: [1400, 1400] },
];

impl ClockPair {
    /// The longer period.
    pub(crate) fn slower_ps(&self) -> u64 {
        self.period_ps[0].max(self.period_ps[1])
    }
}

/// An instant at which clocks change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instant {
    /// Since the start.
    pub(crate) time_ps: u64,
    /// Levels from this instant on.
    pub(crate) levels: [bool; 2],
    /// Clocks that rise.
    pub(crate) rises: [bool; 2],
}

/// Walks the instants of a pair.
pub(crate) struct Clocking {
    pair: ClockPair,
    /// When each clock rises next.
    next_ps: [u64; 2],
    levels: [bool; 2],
}

impl Clocking {
    /// Both low, and rising within their first period.
    pub(crate) fn new(pair: ClockPair) -> Clocking {
        Clocking { pair, next_ps: pair.period_ps, levels: [false; 2] }
    }

    /// The next instant: a rise of one clock or both. A clock falls when the other one rises, or in an instant of
    /// its own before it rises again.
    pub(crate) fn step(&mut self, rng: &mut ChaCha8Rng) -> Instant {
        let time_ps = self.next_ps[0].min(self.next_ps[1]);
        let rises = self.next_ps.map(|next| next == time_ps);
        if (0..2).any(|side| rises[side] && self.levels[side]) {
            self.levels = [0, 1].map(|side| self.levels[side] && !rises[side]);
            return Instant { time_ps: time_ps - 1, levels: self.levels, rises: [false; 2] };
        }
        for side in (0..2).filter(|&side| rises[side]) {
            let jitter = self.pair.jitter_ps[side];
            self.next_ps[side] += self.pair.period_ps[side] - jitter + rng.random_range(0..=2 * jitter);
        }
        self.levels = rises;
        Instant { time_ps, levels: rises, rises }
    }
}
