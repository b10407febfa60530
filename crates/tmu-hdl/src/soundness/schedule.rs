//! Which sides of its branches the runs of a kernel take.
//!
//! For branches that stand beside each other, words of equal weight give every pair of branches each combination of
//! sides in some run, with about `log2(branches)` runs. Branches inside others are seen by fewer runs; what these
//! leave out is added one run at a time, every side at least once, and pairs of sides as far as [`PAIR_RUNS`] goes.
//! Branches on one and the same bit always go the same way, as they do in hardware.

use crate::record::{Condition, Region, Trace};
use rustc_hash::FxHashMap;

/// Runs that are added for pairs of sides which the words leave out.
const PAIR_RUNS: usize = 8;
/// Runs that are added for sides which the words leave out.
const SIDE_RUNS: usize = 256;
/// Sides up to which pairs are looked at.
const MOST_SIDES_FOR_PAIRS: usize = 512;

/// The side of every branch, one list for each run. Without branches there is nothing to choose.
pub(super) fn plan(trace: &Trace) -> Vec<Vec<bool>> {
    let mut planner = Planner::new(trace);
    if planner.classes == 0 {
        return vec![];
    }
    let none = vec![false; trace.occurrences.len()];
    let mut runs = vec![none, planner.spread(|_| true, 0)];
    let words = words(planner.heavy);
    for row in 0..words.1 {
        runs.push(planner.spread(|class| words.0[class] >> row & 1 == 1, row as u64 + 1));
    }
    let mut coverage = Coverage::new(&planner);
    runs.iter().for_each(|run| coverage.add(&planner, run));
    for _ in 0..SIDE_RUNS {
        let Some(side) = coverage.unseen() else { break };
        let run = planner.through(planner.sides[side]);
        coverage.give_up(side);
        coverage.add(&planner, &run);
        runs.push(run);
    }
    let mut added = 0;
    while added < PAIR_RUNS && planner.sides.len() <= MOST_SIDES_FOR_PAIRS {
        let Some((with, without)) = coverage.open_pair() else { break };
        let found = (0..4).find_map(|_| {
            let run = planner.through(planner.sides[with]);
            (planner.passes(&run, with) && !planner.passes(&run, without)).then_some(run)
        });
        coverage.close_pair(with, without);
        if let Some(run) = found {
            coverage.add(&planner, &run);
            runs.push(run);
            added += 1;
        }
    }
    runs
}

/// `count` different words of equal weight, and their length.
fn words(count: usize) -> (Vec<u32>, usize) {
    let mut length = 0;
    loop {
        let all = (0u32..1 << length).filter(|w| w.count_ones() == length / 2);
        let words: Vec<u32> = all.take(count).collect();
        if words.len() == count && count > 0 || count == 0 || length >= 20 {
            let mut words = words;
            // More branches than any kernel has: the rest repeats.
            words.extend((words.len()..count).map(|i| (i as u32).wrapping_mul(0x9e37_79b9) >> 12));
            return (words, length as usize);
        }
        length += 2;
    }
}

struct Planner<'a> {
    trace: &'a Trace,
    /// The condition of each branch, numbered; those with more than an expression on their sides come first.
    class_of: Vec<Option<usize>>,
    classes: usize,
    heavy: usize,
    /// The sides of branches that may do more than compute.
    sides: Vec<Region>,
    random: u64,
}

impl Planner<'_> {
    fn new(trace: &Trace) -> Planner<'_> {
        let is_heavy = |i: usize| {
            let o = &trace.occurrences[i];
            !o.is_operator || o.has_statements || o.inside.iter().any(|side| !side.is_empty())
        };
        let mut class_of = vec![None; trace.occurrences.len()];
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        let mut heavy = 0;
        let mut sides = vec![];
        for wants_heavy in [true, false] {
            for (i, occurrence) in trace.occurrences.iter().enumerate() {
                if let Condition::Node(node) = occurrence.condition
                    && is_heavy(i) == wants_heavy
                {
                    let next = numbers.len();
                    class_of[i] = Some(*numbers.entry(node.index()).or_insert(next));
                    if wants_heavy {
                        sides.extend([Region::Side(i, false), Region::Side(i, true)]);
                    }
                }
            }
            if wants_heavy {
                heavy = numbers.len();
            }
        }
        Planner { trace, class_of, classes: numbers.len(), heavy, sides, random: 1 }
    }

    fn random(&mut self) -> u64 {
        // SplitMix64.
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.random;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// A side for every branch from one for every condition; plain `&&` and `||` go either way.
    fn spread(&mut self, side: impl Fn(usize) -> bool, row: u64) -> Vec<bool> {
        let light: Vec<bool> =
            (self.heavy..self.classes).map(|_| row == 0 || self.random() & 1 == 1).collect();
        let heavy = self.heavy;
        self.by_class(|class| if class < heavy { side(class) } else { light[class - heavy] })
    }

    fn by_class(&self, side: impl Fn(usize) -> bool) -> Vec<bool> {
        self.class_of.iter().map(|class| class.is_some_and(&side)).collect()
    }

    /// Sides that lead to a region, with chance deciding about the rest.
    fn through(&mut self, mut region: Region) -> Vec<bool> {
        let mut side: Vec<bool> = (0..self.classes).map(|_| self.random() & 1 == 1).collect();
        while let Region::Side(occurrence, then) = region {
            if let Some(class) = self.class_of[occurrence] {
                side[class] = then;
            }
            region = self.trace.occurrences[occurrence].region;
        }
        self.by_class(|class| side[class])
    }

    /// The side of a branch that a run takes where it gets there.
    fn taken(&self, run: &[bool], occurrence: usize) -> bool {
        match self.trace.occurrences[occurrence].condition {
            Condition::Constant(taken) => taken,
            Condition::Node(_) => run[occurrence],
        }
    }

    /// Whether a run goes through one of [`Planner::sides`]: the branches around it say so.
    fn passes(&self, run: &[bool], side: usize) -> bool {
        let mut region = self.sides[side];
        while let Region::Side(occurrence, then) = region {
            if self.taken(run, occurrence) != then {
                return false;
            }
            region = self.trace.occurrences[occurrence].region;
        }
        true
    }

    /// Which of [`Planner::sides`] a run goes through: [`Planner::passes`] for all of them at once.
    fn visited(&self, run: &[bool]) -> Vec<bool> {
        let mut reached = vec![false; self.trace.occurrences.len()];
        let takes = |reached: &[bool], region| match region {
            Region::Top => true,
            Region::Side(occurrence, then) => reached[occurrence] && self.taken(run, occurrence) == then,
        };
        for (i, occurrence) in self.trace.occurrences.iter().enumerate() {
            reached[i] = takes(&reached, occurrence.region);
        }
        self.sides.iter().map(|&side| takes(&reached, side)).collect()
    }
}

/// Which sides were run, and which others were not run then.
struct Coverage {
    seen: Vec<bool>,
    /// For each side a set of bits: the sides that some run through it left out, or that none can.
    left_out: Vec<Vec<u64>>,
    /// The first side that may have an open pair.
    next: usize,
}

impl Coverage {
    fn new(planner: &Planner<'_>) -> Coverage {
        let count = planner.sides.len();
        let kept = if count <= MOST_SIDES_FOR_PAIRS { count } else { 0 };
        let mut left_out = vec![vec![0; count.div_ceil(64)]; kept];
        for (i, &side) in planner.sides.iter().enumerate().take(kept) {
            // No run through a side leaves out what is around it.
            let around = planner.sides.iter().enumerate();
            for (j, _) in around.filter(|&(_, &around)| planner.trace.is_inside(side, around)) {
                left_out[i][j / 64] |= 1 << (j % 64);
            }
        }
        Coverage { seen: vec![false; count], left_out, next: 0 }
    }

    fn add(&mut self, planner: &Planner<'_>, run: &[bool]) {
        let visited = planner.visited(run);
        let mut skipped = vec![0u64; visited.len().div_ceil(64)];
        for (i, &visited) in visited.iter().enumerate() {
            self.seen[i] |= visited;
            skipped[i / 64] |= u64::from(!visited) << (i % 64);
        }
        for (left_out, _) in self.left_out.iter_mut().zip(&visited).filter(|(_, visited)| **visited) {
            left_out.iter_mut().zip(&skipped).for_each(|(to, from)| *to |= from);
        }
    }

    fn unseen(&self) -> Option<usize> {
        self.seen.iter().position(|seen| !seen)
    }

    fn give_up(&mut self, side: usize) {
        self.seen[side] = true;
    }

    /// A side with one that no run through it has left out. Pairs are only ever closed, so the search goes on where it
    /// stopped.
    fn open_pair(&mut self) -> Option<(usize, usize)> {
        let count = self.seen.len();
        while let Some(left_out) = self.left_out.get(self.next) {
            let open = left_out.iter().position(|&word| word != u64::MAX);
            let without = open.map(|word| 64 * word + left_out[word].trailing_ones() as usize);
            if let Some(without) = without.filter(|&without| without < count) {
                return Some((self.next, without));
            }
            self.next += 1;
        }
        None
    }

    fn close_pair(&mut self, with: usize, without: usize) {
        self.left_out[with][without / 64] |= 1 << (without % 64);
    }
}
