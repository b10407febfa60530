//! `memory_port`: one AXI4 read port for the channels of all engines.
//!
//! Takes one read at a time from each channel, chooses between them in turn and adds the base of the texture window to
//! those inside it. A channel whose reads have a line each gives one every clock: it has two places, and stays chosen while no other
//! one wants to read. ARID is the channel's number. A channel without a length reads a line and waits for it; one with a
//! length reads bursts and has many of them in flight, which are answered in order. After a flush the answers
//! that are still to come are dropped before the channel reads again. The port has its own clock where the
//! configuration asks for it; a reset of the units' clock then leaves reads under way, whose answers are dropped
//! before the port reads again.
//!
//! RLAST ends an answer where ARLEN says it does, or memory is broken: then nobody knows which beat belongs to which read.
//! So what comes for the channel is dropped, and it reads nothing, until all answers that it is owed have ended and none has
//! come for [`QUIET_CLOCKS`](crate::engine::memory::QUIET_CLOCKS) clocks. They have ended when as many beats or as many RLASTs have come as were asked
//! for: where one count is zero the other one is forgotten. For channels that wait for each line the port does all that; for
//! bursts it keeps both counts, and the engine does the rest.
//!
//! Latency: 3 clocks from a request to ARVALID, 2 with one channel, and 1 from the answer to the engine. A port
//! with its own clock adds the two crossings. Initiation interval 1. No RAM but the FIFOs of the crossings.

mod answers;
mod channels;

pub(crate) use channels::axi_read;

use crate::engine::memory::{FAULT_BITS, LINE_BITS, LINE_BYTES, QUIET_BITS, ReadShape};
use answers::answers;
use channels::{Offer, channels};
use tmu_hdl::bus::AxiRead;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{AsyncFifo, GrantTiming, RoundRobinArbiter, SkidBuffer};
use tmu_spec::Config;
use tmu_spec::config::AxiClock;

/// Depth of the FIFOs of a port with its own clock.
const CROSSING_DEPTH: usize = 16;

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
    /// Lines wanted, one stream a channel: the first line, and above it, where bursts are read, their number less one.
    pub reads: Vec<StreamIn>,
    /// The line has come, one bit a channel.
    pub line_valid: Vec<Net<Out>>,
    /// The line.
    pub line_data: Net<Out>,
    /// Whether it could not be read; where bursts are read its response, whose upper bit says that.
    pub line_response: Net<Out>,
    /// Whether it could not be read, for the channels that wait, where there are others.
    pub line_error: Optional<Net<Out>>,
    /// The line is the last one of its answer, as RLAST says, where bursts are read.
    pub line_last: Optional<Net<Out>>,
    /// A line has come that was not asked for, one bit a channel that reads bursts.
    pub unexpected: Vec<Net<Out>>,
    /// The channel is owed lines, one bit a channel that reads bursts.
    pub outstanding: Vec<Net<Out>>,
    /// Faults that engines report themselves, as in `fault`.
    pub unit_faults: Vec<Net<In>>,
    /// Their lines.
    pub unit_fault_lines: Vec<Net<In>>,
    /// Base of the texture window, in lines, where a channel is inside it.
    pub window_line: Optional<Net<In>>,
    /// A read has failed: bit 0 with SLVERR, bit 1 with DECERR, bit 2 with an answer of the wrong length.
    pub fault: Net<Out>,
    /// Line address of the read that has failed.
    pub fault_line: Net<Out>,
    /// The port.
    pub axi: AxiRead,
    pending: Vec<Reg>,
    pending_read: Vec<Reg>,
    buffers: Vec<SkidBuffer>,
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
    _shapes: Vec<ReadShape>,
}

/// Bits that count up to so many.
const fn count_bits(most: usize) -> usize {
    most.ilog2() as usize + 1
}

impl MemoryPort {
    /// The port for channels of these shapes, at least one.
    pub fn new(config: &Config, shapes: &[ReadShape]) -> MemoryPort {
        let clocks = Clocks::new();
        let channels = shapes.len();
        let axi = config.axi();
        let own_clock = matches!(axi.clock(), AxiClock::Own);
        let id_bits = axi.id_bits() as usize;
        let unit_bits = channels.next_power_of_two().ilog2() as usize;
        let memory_line_bits = axi.address_bits() as usize - LINE_BYTES.ilog2() as usize;
        let axi_clocks = Clocks::named("axi");
        let length_bits = shapes.iter().map(|shape| shape.length_bits).max().unwrap_or(0);
        let address_bits = id_bits + length_bits + memory_line_bits;
        let bursting: Vec<&ReadShape> = shapes.iter().filter(|shape| shape.bursts()).collect();
        let reporting: Vec<&ReadShape> = shapes.iter().filter(|shape| shape.reports_faults).collect();
        let (any_bursts, waiting) = (!bursting.is_empty(), channels - bursting.len());
        let (quick, slow): (Vec<&ReadShape>, Vec<&ReadShape>) =
            shapes.iter().partition(|shape| shape.reads_each_clock());
        let read_bits = |shape: &&ReadShape| shape.line_bits + shape.length_bits;
        let any_waits = waiting > 0;
        let flags =
            |count: usize| -> Vec<Reg> { (0..count).map(|_| Reg::with_reset(&clocks, 1, 0)).collect() };
        MemoryPort {
            offer: Optional::new(own_clock, || {
                let most_reads = shapes.iter().map(|shape| shape.most_reads).sum();
                let most_lines = shapes.iter().map(|shape| shape.most_lines).sum();
                Offer::new(&axi_clocks, address_bits, most_reads, most_lines)
            }),
            axi_clocks: Optional::new(own_clock, || axi_clocks),
            flush: Net::bit(),
            stopped: Net::bit(),
            reads: shapes.iter().map(|shape| StreamIn::new(shape.line_bits + shape.length_bits)).collect(),
            line_valid: Net::array(channels, 1),
            line_data: Net::new(LINE_BITS),
            line_response: Net::new(if any_bursts { 2 } else { 1 }),
            line_error: Optional::new(any_bursts && any_waits, Net::bit),
            line_last: Optional::new(any_bursts, Net::bit),
            unexpected: Net::array(bursting.len(), 1),
            outstanding: Net::array(bursting.len(), 1),
            unit_faults: Net::array(reporting.len(), FAULT_BITS),
            unit_fault_lines: reporting.iter().map(|shape| Net::new(shape.line_bits)).collect(),
            window_line: Optional::new(shapes.iter().any(|shape| shape.is_windowed), || {
                Net::new(memory_line_bits)
            }),
            fault: Net::new(FAULT_BITS),
            fault_line: Net::new(memory_line_bits),
            axi: axi_read(config),
            pending: flags(slow.len()),
            pending_read: slow.iter().map(|shape| Reg::new(&clocks, read_bits(shape))).collect(),
            buffers: quick.iter().map(|shape| SkidBuffer::new(read_bits(shape))).collect(),
            asked_line: Reg::array(waiting, &clocks, memory_line_bits),
            arbiter: Optional::new(channels > 1, || {
                RoundRobinArbiter::new(channels, GrantTiming::Registered)
            }),
            in_flight: shapes
                .iter()
                .map(|shape| Reg::with_reset(&clocks, count_bits(shape.most_lines), 0))
                .collect(),
            bursts: bursting
                .iter()
                .map(|shape| Reg::with_reset(&clocks, count_bits(shape.most_reads), 0))
                .collect(),
            none_outstanding: flags(bursting.len()),
            stale: flags(channels),
            lost: flags(waiting),
            quiet: Optional::new(any_waits, || Reg::with_reset(&clocks, QUIET_BITS, 0)),
            wrong_length: Optional::new(any_waits, || Reg::with_reset(&clocks, 1, 0)),
            address_valid: Reg::with_reset(&clocks, 1, 0),
            address: Reg::new(&clocks, memory_line_bits),
            address_length: Optional::new(any_bursts, || Reg::new(&clocks, length_bits)),
            address_id: Optional::new(channels > 1, || Reg::new(&clocks, unit_bits)),
            answer_valid: flags(channels),
            answer_data: Reg::new(&clocks, LINE_BITS),
            answer_response: Reg::new(&clocks, 2),
            answer_last: Reg::new(&clocks, 1),
            unexpected_seen: flags(bursting.len()),
            answer_unit: Optional::new(channels > 1 && any_waits, || Reg::new(&clocks, unit_bits)),
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
            _shapes: shapes.to_vec(),
        }
    }

    /// Position of a channel among those that are of its kind, and so among what only that kind has.
    fn place(&self, channel: usize) -> usize {
        let bursts = self._shapes[channel].bursts();
        self._shapes[..channel].iter().filter(|shape| shape.bursts() == bursts).count()
    }

    /// Two places for the reads of a channel that gives one every clock.
    fn buffer(&self, channel: usize) -> Option<&SkidBuffer> {
        let before = self._shapes[..channel].iter().filter(|shape| shape.reads_each_clock()).count();
        self._shapes[channel].reads_each_clock().then(|| &self.buffers[before])
    }

    /// The place for the read of any other channel, and whether one is there.
    fn pending(&self, channel: usize) -> (&Reg, &Reg) {
        let before = self._shapes[..channel].iter().filter(|shape| !shape.reads_each_clock()).count();
        (&self.pending[before], &self.pending_read[before])
    }

    /// One bit: a read of the channel waits.
    fn has_read(&self, channel: usize) -> Bits {
        self.buffer(channel).map_or_else(|| self.pending(channel).0.val(), |buffer| buffer.output.valid.val())
    }

    /// The read of the channel that waits.
    fn next_read(&self, channel: usize) -> Bits {
        self.buffer(channel).map_or_else(|| self.pending(channel).1.val(), |buffer| buffer.output.data.val())
    }

    /// What only channels that read bursts have.
    fn of_bursts<'a, T>(&self, all: &'a [T], channel: usize) -> Option<&'a T> {
        self._shapes[channel].bursts().then(|| &all[self.place(channel)])
    }

    /// What only channels that wait for each line have.
    fn of_waits<'a, T>(&self, all: &'a [T], channel: usize) -> Option<&'a T> {
        (!self._shapes[channel].bursts()).then(|| &all[self.place(channel)])
    }

    /// Whether all channels are inside the texture window.
    fn all_windowed(&self) -> bool {
        self._shapes.iter().all(|shape| shape.is_windowed)
    }

    /// The line of memory that a channel calls so.
    fn placed(&self, channel: usize, line: Bits) -> Bits {
        match self.window_line.as_ref() {
            Some(window) if self._shapes[channel].is_windowed => line + window.val(),
            _ => line,
        }
    }

    /// Channels whose faults engines report themselves.
    fn reporting(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self._shapes.len()).filter(|channel| self._shapes[*channel].reports_faults)
    }
}

/// One AXI4 read port for all units.
#[kernel]
impl MemoryPort {
    fn logic(&self) {
        self.requests();
        self.choose();
        answers(self);
        channels(self);
    }

    fn requests(&self) {
        /// # Requests
        for (unit, read) in self.reads.iter().enumerate() {
            if let Some(buffer) = self.buffer(unit) {
                buffer.clocks.follow_with(self.clocks.clk.val(), self.clocks.reset() || self.flush.val());
                buffer.input.forward(read);
                buffer.output.ready.next = self.leaves(unit);
                continue;
            }
            let (pending, pending_read) = self.pending(unit);
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
                pending_read.next = read.data.val();
            }
        }
    }

    /// One bit: the unit wants a line, and no answer is to come that would be taken for this one's.
    fn wants(&self, unit: usize) -> Bits {
        let busy = match self.of_waits(&self.lost, unit) {
            Some(lost) => self.in_flight[unit].val() || lost.val(),
            None => self.stale[unit].val(),
        };
        self.has_read(unit) && !busy
    }

    /// One bit: the FIFOs of a port with its own clock are being emptied.
    fn is_emptied(&self) -> Bits {
        if self.address_fifo.is_some() { self.stopped.val() } else { lit(1, 0u32) }
    }

    /// One bit: the unit's request goes on at the next edge.
    fn leaves(&self, unit: usize) -> Bits {
        let free = !self.address_valid.val() || self.address_taken.val();
        match self.arbiter.as_ref() {
            Some(_) => self.is_granted(unit) && free,
            None => self.wants(unit) && free,
        }
    }

    /// One bit: the unit has been chosen. One that stays chosen may have nothing to read.
    fn is_granted(&self, unit: usize) -> Bits {
        let granted = match self.arbiter.as_ref() {
            Some(arbiter) => arbiter.grant.val().bit(unit),
            None => lit(1, 1u32),
        };
        if self.buffer(unit).is_some() { granted && self.wants(unit) } else { granted }
    }

    /// One bit: a unit stays chosen, since it may give a read every clock and no other one wants to.
    fn stays_chosen(&self, arbiter: &RoundRobinArbiter, requests: Bits) -> Option<Bits> {
        let grant = arbiter.grant.val();
        let quick = (0..self.reads.len()).filter(|unit| self.buffer(*unit).is_some());
        let any_quick = quick.map(|unit| grant.bit(unit)).reduce(|any, one| any || one)?;
        Some(any_quick && !(requests & !grant).any())
    }

    fn choose(&self) {
        /// # Choose
        let units = self.reads.len();
        let free = !self.address_valid.val() || self.address_taken.val();
        let requests: Vec<Bits> = (0..units).rev().map(|unit| self.wants(unit)).collect();
        let requests = cat(&requests);
        let mut line = self.word(0);
        let mut chosen = requests.any();
        let mut unit = lit(self._unit_bits.max(1), 0u32);
        if let Some(arbiter) = self.arbiter.as_ref() {
            /// What was granted before a flush is not wanted any more.
            let forgets = self.clocks.reset() || self.flush.val();
            arbiter.clocks.follow_with(self.clocks.clk.val(), forgets);
            arbiter.requests.next = requests;
            let stays = self.stays_chosen(arbiter, requests);
            arbiter.accept.next = stays.map_or(free, |stays| free && !stays);
            chosen = match stays {
                Some(_) => stack((0..units).map(|unit| self.is_granted(unit))).any(),
                None => arbiter.grant.val().any(),
            };
            unit = arbiter.grant_index.val();
            let lines: Vec<Bits> = (0..units).map(|unit| self.word(unit)).collect();
            line = select(&lines, unit);
        }
        let line_bits = self.line_bits();
        let memory_line = match self.window(|unit| self.leaves(unit)) {
            Some(window) => window + line.low(line_bits).zero_extend(self.address.width()),
            None => line.low(line_bits).zero_extend(self.address.width()),
        };
        if self.is_emptied() {
            self.address_valid.next = 0;
        } else if free {
            self.address_valid.next = chosen && !self.flush.val();
        }
        if free {
            self.address.next = memory_line;
            if let Some(length) = self.address_length.as_ref() {
                length.next = line.high(length.width());
            }
            if let Some(address_id) = self.address_id.as_ref() {
                address_id.next = unit;
            }
            for number in 0..units {
                if let Some(asked) = self.of_waits(&self.asked_line, number) {
                    if self.leaves(number) {
                        asked.next = memory_line;
                    }
                }
            }
        }
    }

    /// Bits of the longest line number.
    fn line_bits(&self) -> usize {
        self._shapes.iter().map(|shape| shape.line_bits).max().unwrap_or(1)
    }

    /// What a channel asks for, with line and length as wide as those of any.
    fn word(&self, unit: usize) -> Bits {
        let word = self.next_read(unit);
        let shape = &self._shapes[unit];
        let length_bits = self.address_length.as_ref().map_or(0, |length| length.width());
        if shape.line_bits == self.line_bits() && shape.length_bits == length_bits {
            return word;
        }
        let line = word.low(shape.line_bits).zero_extend(self.line_bits());
        match (length_bits, shape.length_bits) {
            (0, _) => line,
            (_, 0) => cat(&[lit(length_bits, 0u32), line]),
            (_, own) => cat(&[word.high(own).zero_extend(length_bits), line]),
        }
    }

    /// Base of the texture window where a channel is inside it, of which one bit says that it is the one; nothing where none is.
    fn window(&self, is_one: impl Fn(usize) -> Bits) -> Option<Bits> {
        let window = self.window_line.as_ref()?.val();
        let outside: Vec<usize> =
            (0..self._shapes.len()).filter(|unit| !self._shapes[*unit].is_windowed).collect();
        let is_outside = outside.iter().map(|unit| is_one(*unit)).reduce(|any, one| any || one);
        Some(match is_outside {
            Some(is_outside) => window & (!is_outside).repeat(window.width()),
            None => window,
        })
    }
}

/// One of several values by its number, as a tree of multiplexers; any of them for a number that none has.
#[kernel]
pub(crate) fn select(values: &[Bits], number: Bits) -> Bits {
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
