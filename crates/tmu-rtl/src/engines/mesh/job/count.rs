//! What a job has done, in numbers.
//!
//! Counters stand in block RAM, and one adder goes round: each has its turn in eight clocks, and what happens meanwhile is kept beside it. So
//! a counter is up to twelve clocks late, fewer than it takes from the end of a job to the answer of a register.
//!
//! A counter stops where the largest sum of eight clocks might take it past its end. Latency 2 clocks from a number to its count: it has gone
//! through by the time that the bank answers.

use super::{HITS_BITS, Job, State};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle};

/// Registers of counters, and bits of the most that each counts in eight clocks.
const COUNTERS: [(&str, usize); 5] = [
    ("PIXELS_DRAWN", TURN_BITS + 1),
    ("PIXELS_LEFT_OUT", TURN_BITS + 2),
    ("TEXTURE_LINES", TURN_BITS + 1),
    ("TEXTURE_HITS", MOST_BITS),
    ("CLOCKS_STALLED", TURN_BITS + 1),
];
/// Bits of a counter.
const COUNTER_BITS: usize = 32;
/// Bits of a counter's place: its register's number has them lowest.
const TURN_BITS: usize = 3;
/// Bits of the most that any counts in eight clocks.
const MOST_BITS: usize = TURN_BITS + HITS_BITS;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Counters {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All are 0, while this has been high for eight clocks.
    pub clears: Net<In>,
    /// So many more of each.
    pub by: [Net<In>; COUNTERS.len()],
    /// The place of one of them.
    pub number: Net<In>,
    /// Its count.
    pub count: Net<Out>,
    turn: Reg,
    /// Whose sum comes out of the RAM.
    read: Reg,
    /// Whose sum is made.
    added: Reg,
    value: Reg,
    /// What is added.
    more: Reg,
    beside: Vec<Reg>,
    sums: RamSimpleDualPort,
    shown: RamSimpleDualPort,
    _places: Vec<usize>,
}

impl Counters {
    /// Counters with places; each of them another.
    fn new(places: Vec<usize>) -> Counters {
        let clocks = Clocks::new();
        let ram = |has_register| {
            let shape = RamShape::new(1 << TURN_BITS, COUNTER_BITS).style(RamStyle::Block);
            RamSimpleDualPort::new(shape.output_register(has_register))
        };
        Counters {
            clears: Net::bit(),
            by: COUNTERS.map(|_| Net::new(HITS_BITS)),
            number: Net::new(TURN_BITS),
            count: Net::new(COUNTER_BITS),
            turn: Reg::with_reset(&clocks, TURN_BITS, 0),
            read: Reg::with_reset(&clocks, TURN_BITS, 0),
            added: Reg::with_reset(&clocks, TURN_BITS, 0),
            value: Reg::new(&clocks, COUNTER_BITS),
            more: Reg::with_reset(&clocks, MOST_BITS, 0),
            beside: COUNTERS.iter().map(|(_, bits)| Reg::with_reset(&clocks, *bits, 0)).collect(),
            sums: ram(false),
            shown: ram(true),
            clocks,
            _places: places,
        }
    }
}

/// Counters in block RAM.
#[kernel]
impl Counters {
    fn module_name(&self) -> String {
        "mesh_counters".into()
    }

    fn logic(&self) {
        timing(2, 1);
        /// # Turns
        let (turn, read, added) = (self.turn.val(), self.read.val(), self.added.val());
        self.turn.next = turn + 1;
        self.read.next = turn;
        self.added.next = read;
        let mut more = lit(MOST_BITS, 0u32);
        for (number, beside) in self.beside.iter().enumerate() {
            let bits = beside.width();
            let is_turn = read == self._places[number] as u64;
            more = if is_turn { beside.val().zero_extend(MOST_BITS) } else { more };
            let kept = beside.val() & (!is_turn).repeat(bits);
            beside.next = kept + self.by[number].val().zero_extend(bits);
        }
        self.more.next = more;
        /// # Sums
        let more = self.more.val();
        /// Cleared by the register's reset, which costs no LUT.
        if self.clears.val() {
            self.value.next = 0;
        } else {
            self.value.next = self.sums.read_data.val();
        }
        let value = self.value.val();
        let is_full = value.high(COUNTER_BITS - MOST_BITS).all();
        let sum = value + (more & (!is_full).repeat(MOST_BITS)).zero_extend(COUNTER_BITS);
        for (ram, address) in [(&self.sums, turn), (&self.shown, self.number.val())] {
            ram.clocks.follow(&self.clocks);
            ram.write_enable.next = 1;
            ram.write_address.next = added;
            ram.write_data.next = sum;
            ram.read_enable.next = 1;
            ram.read_address.next = address;
            if let Some(enable) = ram.output_enable.as_ref() {
                enable.next = 1;
            }
        }
        self.count.next = self.shown.read_data.val();
    }
}

/// The counters of a job.
pub(super) fn counters() -> Counters {
    let place = |(name, _): &(&str, usize)| super::number_of(name) % (1 << TURN_BITS);
    Counters::new(COUNTERS.iter().map(place).collect())
}

/// Counts.
#[kernel]
pub(super) fn count(job: &Job) {
    /// # Counters
    let events = job.events.val();
    let wide = |bit: Bits| bit.zero_extend(HITS_BITS);
    let by = [
        wide(events.drawn),
        wide(events.outside) + wide(events.dropped),
        wide(events.texture_line),
        events.hits,
        wide(events.stalled),
    ];
    let counters = &job.counters;
    counters.clocks.follow(&job.clocks);
    /// Behind a reset there has been no job; and a job that starts takes longer to make a reciprocal than counters to become 0.
    counters.clears.next = job.is_first.val() || job.state.val() == State::Height;
    if job.state.val() == State::Start {
        job.is_first.next = 0;
    }
    counters.number.next = job.guard.bank.address.val().low(TURN_BITS);
    for (number, (name, _)) in COUNTERS.iter().enumerate() {
        counters.by[number].next = by[number];
        job.bank.input.of(name, "COUNT").next = counters.count.val();
    }
}
