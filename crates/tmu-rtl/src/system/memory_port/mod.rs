//! `memory_port`: one AXI4 read port for all units.
//!
//! Takes one read at a time from each unit, chooses between them in turn and adds the base of the texture window.
//! ARID is the unit's number. The blocking cache reads a line and waits for it; the prefetching cache reads the lines
//! of a tile in a burst and has many reads in flight, which are answered in order. After a flush the answers
//! that are still to come are dropped before the unit reads again. The port has its own clock where the
//! configuration asks for it; a reset of the units' clock then leaves reads under way, whose answers are dropped
//! before the port reads again.
//!
//! RLAST ends an answer where ARLEN says it does, or memory is broken: then nobody knows which beat belongs to which read.
//! So what comes for the unit is dropped, and it reads nothing, until all answers that it is owed have ended and none has
//! come for [`QUIET_CLOCKS`] clocks. They have ended when as many beats or as many RLASTs have come as were asked
//! for: where one count is zero the other one is forgotten. The blocking cache's port does all that; with the
//! prefetching cache the port keeps both counts, and `fill` does the rest.
//!
//! Latency: 3 clocks from a unit's request to ARVALID, 2 with one unit, and 1 from the answer to the unit. A port
//! with its own clock adds the two crossings. Initiation interval 1. No RAM but the FIFOs of the crossings.

mod channels;

pub(crate) use channels::axi_read;

use crate::cache::LINE_BITS;
use crate::cache::prefetch::miss_queue::LENGTH_BITS;
use crate::datapath::bundles::line_bits;
use channels::{Offer, channels};
use tmu_hdl::bus::AxiRead;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{AsyncFifo, GrantTiming, RoundRobinArbiter};
use tmu_spec::Config;
use tmu_spec::config::{AxiClock, CacheKind};
use tmu_spec::tile::MOST_LINES;

/// Depth of the FIFOs of a port with its own clock.
const CROSSING_DEPTH: usize = 16;

/// Bits that say how a read has failed: with SLVERR, with DECERR, with an answer of the wrong length.
pub const FAULT_BITS: usize = 3;

/// Bits of the clocks in which nothing more must come after an answer of the wrong length.
pub(crate) const QUIET_BITS: usize = 8;

/// Clocks in which nothing more must come after an answer of the wrong length.
pub const QUIET_CLOCKS: u32 = 1 << QUIET_BITS;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct MemoryPort {
    /// Clock and reset of the units.
    pub clocks: Clocks,
    /// Clock and reset of the port, where it has its own.
    pub axi_clocks: Optional<Clocks>,
    /// Forget all requests; answers to come are dropped.
    pub flush: Net<In>,
    /// High while a reset of the port's own clock is being passed on.
    pub stopped: Net<Out>,
    /// Lines wanted, one stream a unit: the first line, and above it, where the cache prefetches, their number less one.
    pub reads: Vec<StreamIn>,
    /// The line has come, one bit a unit.
    pub line_valid: Vec<Net<Out>>,
    /// The line.
    pub line_data: Net<Out>,
    /// Whether it could not be read; where the cache prefetches its response, whose upper bit says that.
    pub line_response: Net<Out>,
    /// The line is the last one of its answer, as RLAST says, where the cache prefetches.
    pub line_last: Optional<Net<Out>>,
    /// A line has come that was not asked for, one bit a unit, where the cache prefetches.
    pub unexpected: Vec<Net<Out>>,
    /// The unit is owed lines, one bit a unit, where the cache prefetches.
    pub outstanding: Vec<Net<Out>>,
    /// Faults that units have seen, where the cache prefetches, as in `fault`.
    pub unit_faults: Vec<Net<In>>,
    /// Their lines.
    pub unit_fault_lines: Vec<Net<In>>,
    /// Base of the texture window, in lines.
    pub window_line: Net<In>,
    /// A read has failed: bit 0 with SLVERR, bit 1 with DECERR, bit 2 with an answer of the wrong length.
    pub fault: Net<Out>,
    /// Line address of the read that has failed.
    pub fault_line: Net<Out>,
    /// The port.
    pub axi: AxiRead,
    pending: Vec<Reg>,
    pending_read: Vec<Reg>,
    asked_line: Vec<Reg>,
    arbiter: Optional<RoundRobinArbiter>,
    in_flight: Vec<Reg>,
    bursts: Vec<Reg>,
    none_outstanding: Vec<Reg>,
    stale: Vec<Reg>,
    lost: Vec<Reg>,
    quiet: Optional<Reg>,
    wrong_length: Optional<Reg>,
    address_valid: Reg,
    address: Reg,
    address_length: Optional<Reg>,
    address_id: Optional<Reg>,
    answer_valid: Vec<Reg>,
    answer_data: Reg,
    answer_response: Reg,
    answer_last: Reg,
    unexpected_seen: Vec<Reg>,
    answer_unit: Optional<Reg>,
    fault_seen: Reg,
    fault_line_seen: Reg,
    address_fifo: Optional<AsyncFifo>,
    offer: Optional<Offer>,
    answer_fifo: Optional<AsyncFifo>,
    address_taken: Net<Local>,
    came: Net<Local>,
    came_id: Net<Local>,
    came_data: Net<Local>,
    came_response: Net<Local>,
    came_last: Net<Local>,
    _config: Config,
    _unit_bits: usize,
}

impl MemoryPort {
    /// The port for a configuration.
    pub fn new(config: &Config) -> MemoryPort {
        let clocks = Clocks::new();
        let units = config.units() as usize;
        let axi = config.axi();
        let own_clock = matches!(axi.clock(), AxiClock::Own);
        let id_bits = axi.id_bits() as usize;
        let unit_bits = units.next_power_of_two().ilog2() as usize;
        let line_bits = line_bits(config);
        let memory_line_bits = axi.address_bits() as usize - config.cache().line_offset_bits() as usize;
        let axi_clocks = Clocks::named("axi");
        let prefetches = config.cache().kind() == CacheKind::Prefetch;
        let length_bits = if prefetches { LENGTH_BITS } else { 0 };
        let address_bits = id_bits + length_bits + memory_line_bits;
        let most_reads = axi.outstanding_reads() as usize;
        // A burst may be split in two at a boundary.
        let most_bursts = if prefetches { 2 * most_reads * units } else { units };
        let most_lines = if prefetches { most_reads * MOST_LINES as usize } else { 1 };
        let blocking_units = if prefetches { 0 } else { units };
        let prefetching_units = units - blocking_units;
        let flags =
            |count: usize| -> Vec<Reg> { (0..count).map(|_| Reg::with_reset(&clocks, 1, 0)).collect() };
        let faulting_units = if prefetches && config.control().port() { units } else { 0 };
        MemoryPort {
            offer: Optional::new(own_clock, || {
                let most_lines = if prefetches { units * most_lines } else { units };
                Offer::new(&axi_clocks, address_bits, most_bursts, most_lines)
            }),
            axi_clocks: Optional::new(own_clock, || axi_clocks),
            flush: Net::bit(),
            stopped: Net::bit(),
            reads: (0..units).map(|_| StreamIn::new(line_bits + length_bits)).collect(),
            line_valid: Net::array(units, 1),
            line_data: Net::new(LINE_BITS),
            line_response: Net::new(if prefetches { 2 } else { 1 }),
            line_last: Optional::new(prefetches, Net::bit),
            unexpected: Net::array(prefetching_units, 1),
            outstanding: Net::array(prefetching_units, 1),
            unit_faults: Net::array(faulting_units, FAULT_BITS),
            unit_fault_lines: Net::array(faulting_units, line_bits),
            window_line: Net::new(memory_line_bits),
            fault: Net::new(FAULT_BITS),
            fault_line: Net::new(memory_line_bits),
            axi: axi_read(config),
            pending: flags(units),
            pending_read: Reg::array(units, &clocks, line_bits + length_bits),
            asked_line: Reg::array(blocking_units, &clocks, memory_line_bits),
            arbiter: Optional::new(units > 1, || RoundRobinArbiter::new(units, GrantTiming::Registered)),
            in_flight: (0..units)
                .map(|_| Reg::with_reset(&clocks, most_lines.ilog2() as usize + 1, 0))
                .collect(),
            bursts: (0..prefetching_units)
                .map(|_| Reg::with_reset(&clocks, (2 * most_reads).ilog2() as usize + 1, 0))
                .collect(),
            none_outstanding: flags(prefetching_units),
            stale: flags(units),
            lost: flags(blocking_units),
            quiet: Optional::new(!prefetches, || Reg::with_reset(&clocks, QUIET_BITS, 0)),
            wrong_length: Optional::new(!prefetches, || Reg::with_reset(&clocks, 1, 0)),
            address_valid: Reg::with_reset(&clocks, 1, 0),
            address: Reg::new(&clocks, memory_line_bits),
            address_length: Optional::new(prefetches, || Reg::new(&clocks, LENGTH_BITS)),
            address_id: Optional::new(units > 1, || Reg::new(&clocks, unit_bits)),
            answer_valid: flags(units),
            answer_data: Reg::new(&clocks, LINE_BITS),
            answer_response: Reg::new(&clocks, 2),
            answer_last: Reg::new(&clocks, 1),
            unexpected_seen: flags(prefetching_units),
            answer_unit: Optional::new(units > 1 && !prefetches, || Reg::new(&clocks, unit_bits)),
            fault_seen: Reg::with_reset(&clocks, FAULT_BITS, 0),
            fault_line_seen: Reg::new(&clocks, memory_line_bits),
            address_fifo: Optional::new(own_clock, || AsyncFifo::new(CROSSING_DEPTH, address_bits)),
            answer_fifo: Optional::new(own_clock, || AsyncFifo::new(CROSSING_DEPTH, LINE_BITS + id_bits + 3)),
            address_taken: Net::bit(),
            came: Net::bit(),
            came_id: Net::new(id_bits),
            came_data: Net::new(LINE_BITS),
            came_response: Net::new(2),
            came_last: Net::bit(),
            clocks,
            _config: config.clone(),
            _unit_bits: unit_bits,
        }
    }
}

/// One AXI4 read port for all units.
#[kernel]
impl MemoryPort {
    fn logic(&self) {
        self.requests();
        self.choose();
        self.answers();
        channels(self);
    }

    fn requests(&self) {
        /// # Requests
        for (unit, read) in self.reads.iter().enumerate() {
            let pending = &self.pending[unit];
            let taken = read.valid.val() && !pending.val();
            read.ready.next = !pending.val();
            if self.flush.val() {
                pending.next = 0;
            } else if taken {
                pending.next = 1;
            } else if self.leaves(unit) {
                pending.next = 0;
            }
            if taken {
                self.pending_read[unit].next = read.data.val();
            }
        }
    }

    /// One bit: the unit wants a line, and no answer is to come that would be taken for this one's.
    fn wants(&self, unit: usize) -> Bits {
        let busy = if self.address_length.is_some() {
            self.stale[unit].val()
        } else {
            self.in_flight[unit].val() || self.lost[unit].val()
        };
        self.pending[unit].val() && !busy
    }

    /// One bit: the FIFOs of a port with its own clock are being emptied.
    fn is_emptied(&self) -> Bits {
        if self.address_fifo.is_some() { self.stopped.val() } else { lit(1, 0u32) }
    }

    /// One bit: the unit's request goes on at the next edge.
    fn leaves(&self, unit: usize) -> Bits {
        let free = !self.address_valid.val() || self.address_taken.val();
        match self.arbiter.as_ref() {
            Some(arbiter) => arbiter.grant.val().bit(unit) && free,
            None => self.wants(unit) && free,
        }
    }

    fn choose(&self) {
        /// # Choose
        let units = self.reads.len();
        let free = !self.address_valid.val() || self.address_taken.val();
        let requests: Vec<Bits> = (0..units).rev().map(|unit| self.wants(unit)).collect();
        let requests = cat(&requests);
        let mut line = self.pending_read[0].val();
        let mut chosen = requests.any();
        let mut unit = lit(self._unit_bits.max(1), 0u32);
        if let Some(arbiter) = self.arbiter.as_ref() {
            /// What was granted before a flush is not wanted any more.
            let forgets = self.clocks.reset() || self.flush.val();
            arbiter.clocks.follow_with(self.clocks.clk.val(), forgets);
            arbiter.requests.next = requests;
            arbiter.accept.next = free;
            chosen = arbiter.grant.val().any();
            unit = arbiter.grant_index.val();
            let lines: Vec<Bits> = self.pending_read.iter().map(|reg| reg.val()).collect();
            line = select(&lines, unit);
        }
        let line_bits = line_bits(&self._config);
        let memory_line = self.window_line.val() + line.low(line_bits).zero_extend(self.address.width());
        if self.is_emptied() {
            self.address_valid.next = 0;
        } else if free {
            self.address_valid.next = chosen && !self.flush.val();
        }
        if free {
            self.address.next = memory_line;
            if let Some(length) = self.address_length.as_ref() {
                length.next = line.high(LENGTH_BITS);
            }
            if let Some(address_id) = self.address_id.as_ref() {
                address_id.next = unit;
            }
            for (number, asked) in self.asked_line.iter().enumerate() {
                if self.leaves(number) {
                    asked.next = memory_line;
                }
            }
        }
    }

    fn answers(&self) {
        /// # Answers
        let id = self.came_id.val();
        let unit = if self._unit_bits > 0 { id.low(self._unit_bits) } else { lit(1, 0u32) };
        if self._unit_bits < id.width() {
            discard(id.high(id.width() - self._unit_bits), "bits of ARID that are always 0");
        }
        for (number, reg) in self.answer_valid.iter().enumerate() {
            let stale = &self.stale[number];
            let answers = self.came.val() && unit == number as u64;
            let is_wanted = answers && !stale.val() && !self.flush.val();
            let is_outstanding = self.is_outstanding(number);
            reg.next = is_wanted && is_outstanding;
            self.line_valid[number].next = reg.val();
            self.keep_count(number, answers);
            if let (Some(seen), Some(unexpected), Some(outstanding)) =
                (self.unexpected_seen.get(number), self.unexpected.get(number), self.outstanding.get(number))
            {
                seen.next = is_wanted && !is_outstanding;
                unexpected.next = seen.val();
                outstanding.next = is_outstanding || self.pending[number].val();
            }
        }
        self.answer_data.next = self.came_data.val();
        self.answer_response.next = self.came_response.val();
        self.line_data.next = self.answer_data.val();
        self.answer_last.next = self.came_last.val();
        let response = self.answer_response.val();
        if let Some(line_last) = self.line_last.as_ref() {
            self.line_response.next = response;
            line_last.next = self.answer_last.val();
        } else {
            self.line_response.next = response.bit(1) || !self.answer_last.val();
        }
        if let Some(answer_unit) = self.answer_unit.as_ref() {
            answer_unit.next = unit;
        }
        if let (Some(quiet), Some(wrong_length)) = (self.quiet.as_ref(), self.wrong_length.as_ref()) {
            self.keep_lost(unit, quiet, wrong_length);
            self.line_faults(wrong_length.val());
        } else {
            self.unit_faults();
        }
        self.fault.next = self.fault_seen.val();
        self.fault_line.next = self.fault_line_seen.val();
    }

    /// One bit: there are lines that the unit has asked for and that have not come.
    fn is_outstanding(&self, number: usize) -> Bits {
        let lines = self.in_flight[number].val().any();
        self.bursts.get(number).map_or(lines, |bursts| lines && bursts.val().any())
    }

    /// Notes units that were given an answer of the wrong length, or one to no read, until it has been quiet.
    fn keep_lost(&self, unit: Bits, quiet: &Reg, wrong_length: &Reg) {
        let mut any_wrong = lit(1, 0u32);
        let mut any_lost = lit(1, 0u32);
        for (number, lost) in self.lost.iter().enumerate() {
            let answers = self.came.val() && unit == number as u64;
            let is_wrong = answers && !(self.came_last.val() && self.is_outstanding(number));
            if is_wrong {
                lost.next = 1;
            } else if quiet.val().all() {
                lost.next = 0;
            }
            any_wrong = any_wrong || is_wrong;
            any_lost = any_lost || lost.val();
        }
        wrong_length.next = any_wrong;
        if any_wrong {
            quiet.next = 0;
        } else if any_lost {
            quiet.next = quiet.val() + 1;
        }
    }

    /// Counts the lines that a unit waits for, and notes those that it does not want any more.
    fn keep_count(&self, number: usize, answers: Bits) {
        let (in_flight, stale) = (&self.in_flight[number], &self.stale[number]);
        if self.address_length.is_none() {
            /// Where the port's clock is reset, or drains, no answer comes.
            if answers || self.is_emptied() {
                in_flight.next = 0;
                stale.next = 0;
            } else if self.flush.val() {
                stale.next = in_flight.val();
            } else if self.leaves(number) {
                in_flight.next = 1;
            }
            return;
        }
        let width = in_flight.width();
        let length = self.pending_read[number].val().high(LENGTH_BITS);
        let asks = self.leaves(number) && !self.flush.val();
        let asked = (length.zero_extend(width) + 1) & asks.repeat(width);
        let answered = answers.repeat(width);
        let (bursts, none_outstanding) = (&self.bursts[number], &self.none_outstanding[number]);
        let ended = (answers && self.came_last.val()).repeat(bursts.width());
        let is_outstanding = self.is_outstanding(number);
        none_outstanding.next = !is_outstanding && !asks;
        if self.is_emptied() {
            in_flight.next = 0;
            bursts.next = 0;
        } else {
            /// Where one count is zero nothing more comes, whatever the other one says. What is forgotten is taken out in
            /// front of the sums, which is faster than a choice behind them.
            let keeps = !none_outstanding.val();
            let kept = keeps.repeat(width);
            in_flight.next = (in_flight.val() & kept) + asked + (answered & kept);
            let kept = keeps.repeat(bursts.width());
            bursts.next = (bursts.val() & kept) + asks.zero_extend(bursts.width()) + (ended & kept);
        }
        if self.is_emptied() {
            stale.next = 0;
        } else if self.flush.val() {
            stale.next = 1;
        } else if !is_outstanding {
            stale.next = 0;
        }
    }

    /// Faults that the units have seen, the lowest unit's first.
    fn unit_faults(&self) {
        let memory_line_bits = self.fault_line_seen.width();
        let mut fault = lit(FAULT_BITS, 0u32);
        let mut line = None;
        for (own, own_line) in self.unit_faults.iter().zip(&self.unit_fault_lines).rev() {
            let fails = own.val().any();
            fault = if fails { own.val() } else { fault };
            let own_line = own_line.val().zero_extend(memory_line_bits);
            line = Some(line.map_or(own_line, |line| if fails { own_line } else { line }));
        }
        let line = line.unwrap_or_else(|| lit(memory_line_bits, 0u32));
        self.fault_seen.next = fault;
        self.fault_line_seen.next = line + self.window_line.val();
    }

    fn line_faults(&self, wrong_length: Bits) {
        /// The line that each unit waits for is kept for the status register.
        let response = self.answer_response.val();
        let answers: Vec<Bits> = self.answer_valid.iter().rev().map(|reg| reg.val()).collect();
        let failed = cat(&answers).any() && response.bit(1);
        let mut line = self.asked_line[0].val();
        if let Some(answer_unit) = self.answer_unit.as_ref() {
            let asked: Vec<Bits> = self.asked_line.iter().map(|reg| reg.val()).collect();
            line = select(&asked, answer_unit.val());
        }
        self.fault_seen.next = cat(&[wrong_length, failed && response.bit(0), failed && !response.bit(0)]);
        self.fault_line_seen.next = line;
    }
}

/// One of several values by its number, as a tree of multiplexers; any of them for a number that none has.
#[kernel]
fn select(values: &[Bits], number: Bits) -> Bits {
    let mut level = values.to_vec();
    let mut digit = 0;
    while level.len() > 1 {
        let chosen = number.bit(digit);
        let pair = |pair: &[Bits]| match pair {
            [low, high] => {
                if chosen {
                    *high
                } else {
                    *low
                }
            }
            _ => pair[0],
        };
        level = level.chunks(2).map(pair).collect();
        digit += 1;
    }
    level[0]
}
