//! `write_port`: the write channels of the memory port, for the channels of all engines that write.
//!
//! Takes one write at a time from each channel, chooses between them in turn, and lets their lines follow in the order of
//! the addresses. AWID is the channel's number. Addresses run ahead of lines by as many writes as `QUEUE_DEPTH`. A write
//! that has been chosen is always finished: after a flush its lines go on with no strobe set, its answer is dropped, and the
//! channel is not chosen again before all of its writes have been answered.
//!
//! Latency 3 clocks from a request to AWVALID, 2 with one channel; 1 from a line to WVALID where it is its turn; 1 from an
//! answer to the engine. A line a clock. On the units' clock only.

use crate::engine::memory::{FAULT_BITS, LINE_BITS, LINE_BYTES, WriteShape};
use crate::system::memory_port::select;
use tmu_hdl::bus::{AxiWidths, AxiWrite};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{GrantTiming, RoundRobinArbiter, SyncFifo};
use tmu_spec::Config;

/// Writes that may wait for their lines.
const QUEUE_DEPTH: usize = 4;

/// A line and a strobe for each of its bytes.
pub const STROBED_BITS: usize = LINE_BITS + LINE_BYTES;

/// What is written: AXI4 write channels, transfers of a line.
pub(crate) fn axi_write(config: &Config) -> AxiWrite {
    let axi = config.axi();
    AxiWrite::new(AxiWidths {
        id_bits: axi.id_bits() as usize,
        address_bits: axi.address_bits() as usize,
        data_bytes: LINE_BYTES,
    })
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct WritePort {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Forget all requests.
    pub flush: Net<In>,
    /// Writes wanted: the first line, and above it their number less one.
    pub writes: Vec<StreamIn>,
    /// Lines, with their strobes above them.
    pub lines: Vec<StreamIn>,
    /// A write has been answered, one bit a channel.
    pub done: Vec<Net<Out>>,
    /// Its response.
    pub response: Net<Out>,
    /// A read has failed, and where.
    pub read_fault: Net<In>,
    /// The line of the read.
    pub read_fault_line: Net<In>,
    /// An access has failed: bit 0 with SLVERR, bit 1 with DECERR, bit 2 with an answer of the wrong length.
    pub fault: Net<Out>,
    /// Line address of it; of a write that of its first line.
    pub fault_line: Net<Out>,
    /// The port.
    pub axi: AxiWrite,
    arbiter: Optional<RoundRobinArbiter>,
    pending: Vec<Reg>,
    pending_write: Vec<Reg>,
    unanswered: Vec<Reg>,
    abandoned: Vec<Reg>,
    asked: Vec<SyncFifo>,
    address_valid: Reg,
    address: Reg,
    length: Reg,
    id: Reg,
    /// Writes whose lines are to come: channel above length.
    turns: SyncFifo,
    place: Reg,
    line_valid: Reg,
    /// The line that is offered: whether it is the last one, its strobes, its bytes.
    line: Reg,
    answered: Vec<Reg>,
    answer_response: Reg,
    fault_seen: Reg,
    fault_line_seen: Reg,
    _config: Config,
    _shapes: Vec<WriteShape>,
}

impl WritePort {
    /// The port for channels of these shapes, at least one.
    pub fn new(config: &Config, shapes: &[WriteShape]) -> WritePort {
        let clocks = Clocks::new();
        let channels = shapes.len();
        let line_bits = config.axi().address_bits() as usize - LINE_BYTES.ilog2() as usize;
        let length_bits = shapes.iter().map(|shape| shape.length_bits).max().unwrap_or(1);
        let number_bits = (channels.next_power_of_two().ilog2() as usize).max(1);
        let flags =
            |count: usize| -> Vec<Reg> { (0..count).map(|_| Reg::with_reset(&clocks, 1, 0)).collect() };
        let count = |shape: &WriteShape| {
            Reg::with_reset(&clocks, shape.most_writes.next_power_of_two().ilog2() as usize + 1, 0)
        };
        WritePort {
            flush: Net::bit(),
            writes: shapes.iter().map(|shape| StreamIn::new(line_bits + shape.length_bits)).collect(),
            lines: shapes.iter().map(|_| StreamIn::new(STROBED_BITS)).collect(),
            done: Net::array(channels, 1),
            response: Net::new(2),
            read_fault: Net::new(FAULT_BITS),
            read_fault_line: Net::new(line_bits),
            fault: Net::new(FAULT_BITS),
            fault_line: Net::new(line_bits),
            axi: axi_write(config),
            arbiter: Optional::new(channels > 1, || {
                RoundRobinArbiter::new(channels, GrantTiming::Registered)
            }),
            pending: flags(channels),
            pending_write: shapes
                .iter()
                .map(|shape| Reg::new(&clocks, line_bits + shape.length_bits))
                .collect(),
            unanswered: shapes.iter().map(count).collect(),
            abandoned: flags(channels),
            asked: shapes.iter().map(|shape| SyncFifo::new(shape.most_writes, line_bits)).collect(),
            address_valid: Reg::with_reset(&clocks, 1, 0),
            address: Reg::new(&clocks, line_bits),
            length: Reg::new(&clocks, length_bits),
            id: Reg::new(&clocks, number_bits),
            turns: SyncFifo::new(QUEUE_DEPTH, number_bits + length_bits),
            place: Reg::with_reset(&clocks, length_bits, 0),
            line_valid: Reg::with_reset(&clocks, 1, 0),
            line: Reg::new(&clocks, STROBED_BITS + 1),
            answered: flags(channels),
            answer_response: Reg::new(&clocks, 2),
            fault_seen: Reg::with_reset(&clocks, FAULT_BITS, 0),
            fault_line_seen: Reg::new(&clocks, line_bits),
            clocks,
            _config: config.clone(),
            _shapes: shapes.to_vec(),
        }
    }
}

/// The write channels of the memory port.
#[kernel]
impl WritePort {
    fn logic(&self) {
        self.requests();
        self.choose();
        self.lines();
        self.answers();
        self.faults();
    }

    fn requests(&self) {
        /// # Requests
        for (number, write) in self.writes.iter().enumerate() {
            let pending = &self.pending[number];
            let taken = write.valid.val() && !pending.val();
            write.ready.next = !pending.val();
            if self.flush.val() {
                pending.next = 0;
            } else if taken {
                pending.next = 1;
            } else if self.leaves(number) {
                pending.next = 0;
            }
            if taken {
                self.pending_write[number].next = write.data.val();
            }
        }
    }

    /// One bit: the channel wants to write, and there is room for one more answer.
    fn wants(&self, number: usize) -> Bits {
        let has_room = self.asked[number].input.ready.val();
        self.pending[number].val() && !self.abandoned[number].val() && has_room
    }

    /// One bit: an address may be taken.
    fn is_free(&self) -> Bits {
        let turn = self.turns.input.ready.val();
        (!self.address_valid.val() || self.axi.awready.val()) && turn && !self.flush.val()
    }

    /// One bit: the channel's request goes on at the next edge.
    fn leaves(&self, number: usize) -> Bits {
        match self.arbiter.as_ref() {
            Some(arbiter) => arbiter.grant.val().bit(number) && self.is_free(),
            None => self.wants(number) && self.is_free(),
        }
    }

    fn choose(&self) {
        /// # Choose
        let config = self._config.axi();
        let axi = &self.axi;
        let (line_bits, length_bits) = (self.address.width(), self.length.width());
        let channels = self.writes.len();
        let wants: Vec<Bits> = (0..channels).rev().map(|number| self.wants(number)).collect();
        let mut any = cat(&wants).any();
        let mut number = lit(self.id.width(), 0u32);
        if let Some(arbiter) = self.arbiter.as_ref() {
            let forgets = self.clocks.reset() || self.flush.val();
            arbiter.clocks.follow_with(self.clocks.clk.val(), forgets);
            arbiter.requests.next = cat(&wants);
            arbiter.accept.next = self.is_free();
            any = arbiter.grant.val().any();
            number = arbiter.grant_index.val();
        }
        let word = |number: usize| {
            let word = self.pending_write[number].val();
            let length = word.high(self._shapes[number].length_bits).zero_extend(length_bits);
            cat(&[length, word.low(line_bits)])
        };
        let words: Vec<Bits> = (0..channels).map(word).collect();
        let chosen = select(&words, number);
        let starts = any && self.is_free();
        if starts {
            self.address.next = chosen.low(line_bits);
            self.length.next = chosen.high(length_bits);
            self.id.next = number;
        }
        if starts {
            self.address_valid.next = 1;
        } else if axi.awready.val() {
            self.address_valid.next = 0;
        }
        self.turns.clocks.follow(&self.clocks);
        discard(self.turns.level.val(), "ready says enough");
        self.turns.input.valid.next = starts;
        self.turns.input.data.next = cat(&[number, chosen.high(length_bits)]);
        axi.awvalid.next = self.address_valid.val();
        axi.awaddr.next = cat(&[self.address.val(), lit(LINE_BYTES.ilog2() as usize, 0u32)]);
        axi.awlen.next = self.length.val().zero_extend(8);
        axi.awid.next =
            self.id.val().low(self.id.width().min(axi.awid.width())).zero_extend(axi.awid.width());
        axi.awsize.next = u64::from(LINE_BYTES.ilog2());
        axi.awburst.next = 1;
        axi.awcache.next = u64::from(config.arcache());
        axi.awprot.next = u64::from(config.arprot());
        axi.awqos.next = u64::from(config.arqos());
    }

    fn lines(&self) {
        /// # Lines
        let (turns, axi) = (&self.turns.output, &self.axi);
        let length_bits = self.length.width();
        let turn = turns.data.val();
        let number = turn.high(self.id.width());
        let is_last = self.place.val() == turn.low(length_bits);
        let given: Vec<Bits> = (0..self.lines.len())
            .map(|number| {
                let (line, abandoned) = (&self.lines[number], self.abandoned[number].val());
                let kept = (!abandoned).repeat(LINE_BYTES);
                let strobes = line.data.val().high(LINE_BYTES) & kept;
                cat(&[line.valid.val() || abandoned, strobes, line.data.val().low(LINE_BITS)])
            })
            .collect();
        let line = select(&given, number);
        let comes = turns.valid.val() && line.high(1);
        /// No skid buffer, which would be a multiplexer of a whole line: WREADY goes on to the engine's FIFO, and ends there.
        let is_free = !self.line_valid.val() || axi.wready.val();
        for (channel, stream) in self.lines.iter().enumerate() {
            let is_turn = turns.valid.val() && number == channel as u64;
            stream.ready.next = is_free && is_turn && !self.abandoned[channel].val();
        }
        turns.ready.next = is_free && line.high(1) && is_last;
        if is_free {
            self.line_valid.next = comes;
            self.line.next = cat(&[is_last, line.low(STROBED_BITS)]);
        }
        if is_free && comes {
            self.place.next = (self.place.val() + 1) & (!is_last).repeat(length_bits);
        }
        let word = self.line.val();
        axi.wvalid.next = self.line_valid.val();
        axi.wlast.next = word.high(1);
        axi.wstrb.next = word.slice(LINE_BITS, LINE_BYTES);
        axi.wdata.next = word.low(LINE_BITS);
    }

    fn answers(&self) {
        /// # Answers
        let axi = &self.axi;
        axi.bready.next = 1;
        let id_bits = self.id.width().min(axi.bid.width());
        let id = axi.bid.val().low(id_bits);
        if id_bits < axi.bid.width() {
            discard(axi.bid.val().high(axi.bid.width() - id_bits), "bits of AWID that are always 0");
        }
        for (number, unanswered) in self.unanswered.iter().enumerate() {
            let (abandoned, asked) = (&self.abandoned[number], &self.asked[number]);
            let owed = unanswered.val().any();
            let ends = axi.bvalid.val() && id == number as u64 && owed;
            let starts = self.leaves(number);
            let width = unanswered.width();
            let change = cat(&[(ends && !starts).repeat(width - 1), ends ^ starts]);
            unanswered.next = unanswered.val() + change;
            asked.clocks.follow(&self.clocks);
            discard(asked.level.val(), "ready says enough");
            discard(asked.output.valid.val(), "there is one for each write without an answer");
            asked.input.valid.next = starts;
            asked.input.data.next = self.pending_write[number].val().low(self.address.width());
            asked.output.ready.next = ends;
            if !owed {
                abandoned.next = 0;
            } else if self.flush.val() {
                abandoned.next = 1;
            }
            self.answered[number].next = ends && !abandoned.val() && !self.flush.val();
            self.done[number].next = self.answered[number].val();
        }
        self.answer_response.next = axi.bresp.val();
        self.response.next = self.answer_response.val();
    }

    fn faults(&self) {
        /// # Faults
        let response = self.axi.bresp.val();
        let mut fails = lit(1, 0u32);
        let mut line = self.asked[0].output.data.val();
        for (number, asked) in self.asked.iter().enumerate() {
            let own = asked.output.ready.val() && !self.abandoned[number].val();
            fails = fails || own;
            line = if own { asked.output.data.val() } else { line };
        }
        let failed = fails && response.bit(1);
        self.fault_seen.next = cat(&[lit(1, 0u32), failed && response.bit(0), failed && !response.bit(0)]);
        self.fault_line_seen.next = line;
        /// Where both fail in one clock the read's address is kept.
        self.fault.next = self.read_fault.val() | self.fault_seen.val();
        self.fault_line.next =
            if self.read_fault.val().any() { self.read_fault_line.val() } else { self.fault_line_seen.val() };
    }
}
