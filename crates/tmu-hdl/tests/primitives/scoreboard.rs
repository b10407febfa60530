//! What an asynchronous FIFO promises, checked on what went in and came out, whatever the clocks and resets.

use crate::clocking::{ClockPair, Instant};
use tmu_verilate::Rows;

/// Slower clocks after which a flush is over, as the documentation of the FIFO says.
const FLUSH_CLOCKS: u64 = 24;
/// Slower clocks within which the reading side learns that the writing side was reset.
const NOTICE_CLOCKS: u64 = 6;
/// Registers behind the memory, at most: its latch and its output register.
const BEHIND_MEMORY: usize = 2;

/// An item that was taken.
struct Item {
    data: Vec<u32>,
    taken_ps: u64,
    /// Edges of the read clock until then.
    read_edges: usize,
    given_ps: Option<u64>,
}

/// One reset of one side: from the first edge that sees it to the last.
#[derive(Clone, Copy)]
struct Reset {
    side: usize,
    first_ps: u64,
    last_ps: u64,
}

/// Follows the items of one FIFO.
pub(crate) struct Scoreboard {
    name: String,
    clocks: ClockPair,
    /// Items that it can hold.
    capacity: usize,
    items: Vec<Item>,
    /// Items before this one can no longer come.
    next: usize,
    resets: Vec<Reset>,
    in_reset: [bool; 2],
    /// Outputs before the present instant.
    ready: bool,
    valid: bool,
    data: Vec<u32>,
    /// Least number of read clocks from taking an item to handing it on.
    latency_clocks: usize,
    /// When the write side became ready.
    ready_since_ps: Vec<u64>,
    /// Edges of each clock between the first item that came out and the last.
    edges: [usize; 2],
    edges_at_first: Option<[usize; 2]>,
    edges_at_last: [usize; 2],
    now_ps: u64,
}

impl Scoreboard {
    pub(crate) fn new(name: String, clocks: ClockPair, depth: usize) -> Scoreboard {
        Scoreboard {
            name,
            clocks,
            capacity: depth + BEHIND_MEMORY,
            items: vec![],
            next: 0,
            resets: vec![],
            in_reset: [false; 2],
            ready: false,
            valid: false,
            data: vec![],
            latency_clocks: usize::MAX,
            ready_since_ps: vec![],
            edges: [0; 2],
            edges_at_first: None,
            edges_at_last: [0; 2],
            now_ps: 0,
        }
    }

    /// One instant with its row of inputs and outputs.
    pub(crate) fn see(&mut self, instant: &Instant, inputs: &Rows, outputs: &Rows, row: usize) {
        self.now_ps = instant.time_ps;
        let high = |name: &str| inputs.get(row, name) == 1;
        let resets = [high("write_rst"), high("read_rst")];
        for side in (0..2).filter(|&side| instant.rises[side]) {
            self.edges[side] += 1;
            self.edge_of_reset(side, resets[side]);
        }
        if instant.rises[1] && self.valid && high("output_ready") {
            self.give();
        }
        let taken_before = self.items.len();
        if instant.rises[0] && self.ready && high("input_valid") && !resets[0] {
            let column = inputs.layout().column("input_data").map(|c| inputs.value(row, c).to_vec());
            let data = column.unwrap_or_default();
            self.items.push(Item { data, taken_ps: self.now_ps, read_edges: self.edges[1], given_ps: None });
        }
        if instant.rises[0] && outputs.layout().column("write_level").is_some() && self.resets.is_empty() {
            self.level(outputs.get(row, "write_level") as usize, taken_before);
        }
        let ready = outputs.get(row, "input_ready") == 1;
        if ready && !self.ready {
            self.ready_since_ps.push(self.now_ps);
        }
        (self.ready, self.valid) = (ready, outputs.get(row, "output_valid") == 1);
        self.data = outputs.layout().column("output_data").map_or(vec![], |c| outputs.value(row, c).to_vec());
        let open = [self.ready, self.valid];
        for side in (0..2).filter(|&side| instant.rises[side] && resets[side]) {
            assert!(!open[side], "{}: side {side} is open in reset at {} ps", self.name, self.now_ps);
        }
    }

    /// The write side counts at least what the memory holds of the items before `taken`.
    fn level(&self, level: usize, taken: usize) {
        // All but what left, and what stands in the registers behind the memory.
        let least = taken.saturating_sub(self.next + BEHIND_MEMORY);
        let within = (least..=self.capacity - BEHIND_MEMORY).contains(&level);
        assert!(within, "{}: level {level} at {} ps, at least {least}", self.name, self.now_ps);
    }

    fn edge_of_reset(&mut self, side: usize, reset: bool) {
        if reset && !self.in_reset[side] {
            self.resets.push(Reset { side, first_ps: self.now_ps, last_ps: self.now_ps });
        }
        if let (true, Some(last)) = (reset, self.resets.iter_mut().rev().find(|r| r.side == side)) {
            last.last_ps = self.now_ps;
        }
        self.in_reset[side] = reset;
    }

    /// An item comes out: the first one with this data that can still come. What it passes over is lost.
    fn give(&mut self) {
        let found = self.items[self.next..].iter().position(|item| item.data == self.data);
        let Some(found) = found else {
            panic!("{}: at {} ps came {:x?}, which is doubled or made up", self.name, self.now_ps, self.data);
        };
        self.next += found;
        let item = &mut self.items[self.next];
        item.given_ps = Some(self.now_ps);
        self.latency_clocks = self.latency_clocks.min(self.edges[1] - item.read_edges);
        self.next += 1;
        self.edges_at_first.get_or_insert(self.edges);
        self.edges_at_last = self.edges;
    }

    /// Items that came out for each clock of the slower side, between the first and the last one.
    pub(crate) fn throughput(&self) -> f64 {
        let given = self.items.iter().filter(|item| item.given_ps.is_some()).count();
        let first = self.edges_at_first.unwrap_or_default();
        let slower = if self.clocks.period_ps[0] > self.clocks.period_ps[1] { 0 } else { 1 };
        given as f64 / (self.edges_at_last[slower] - first[slower] + 1) as f64
    }

    /// Least number of read clocks from taking an item to handing it on.
    pub(crate) fn latency_clocks(&self) -> usize {
        self.latency_clocks
    }

    /// Items that came out.
    pub(crate) fn given(&self) -> usize {
        self.items.iter().filter(|item| item.given_ps.is_some()).count()
    }

    /// Resets of both sides.
    pub(crate) fn resets(&self) -> usize {
        self.resets.len()
    }

    /// Checks what only the whole run shows: nothing is lost but to a reset, nothing outlives one.
    pub(crate) fn finish(&self) {
        let slower = self.clocks.slower_ps();
        self.losses(FLUSH_CLOCKS * slower);
        self.leftovers(NOTICE_CLOCKS * slower);
        self.restarts(FLUSH_CLOCKS * slower);
    }

    fn losses(&self, flush_ps: u64) {
        for (i, item) in self.items.iter().enumerate().filter(|(_, item)| item.given_ps.is_none()) {
            let after = self.items[i..].iter().find(|other| other.given_ps.is_some());
            // Something that was taken later came out: a reset lies between, or has just been.
            let until_ps = after.map_or(self.now_ps, |after| after.taken_ps);
            let reset =
                self.resets.iter().any(|r| r.first_ps <= until_ps && item.taken_ps <= r.last_ps + flush_ps);
            let held_at_the_end = after.is_none() && self.items.len() - i <= self.capacity;
            assert!(
                reset || held_at_the_end,
                "{}: the item taken at {} ps is lost",
                self.name,
                item.taken_ps
            );
        }
    }

    fn leftovers(&self, notice_ps: u64) {
        for reset in &self.resets {
            // The side that is reset closes at once; the reading side learns of the other's reset.
            let closed_ps = reset.first_ps + if reset.side == 1 { 0 } else { notice_ps };
            let before = self.items.iter().take_while(|item| item.taken_ps < reset.first_ps);
            let stale = before.filter(|item| item.given_ps.is_some_and(|given| given > closed_ps)).count();
            assert_eq!(stale, 0, "{}: items outlive the reset at {} ps", self.name, reset.first_ps);
        }
    }

    fn restarts(&self, flush_ps: u64) {
        for reset in &self.resets {
            let due_ps = reset.last_ps + flush_ps;
            let again = self.resets.iter().any(|r| r.last_ps > reset.last_ps && r.first_ps <= due_ps);
            if !again && due_ps < self.now_ps {
                let started = self.ready_since_ps.iter().any(|&at| at > reset.last_ps && at <= due_ps);
                let (name, last_ps) = (&self.name, reset.last_ps);
                assert!(started, "{name}: not ready {flush_ps} ps after the reset at {last_ps} ps");
            }
        }
    }
}
