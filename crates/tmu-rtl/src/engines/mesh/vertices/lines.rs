//! Points of the mesh from the memory port: lines of two points, in bursts of up to eight lines.
//!
//! A burst is asked for when there is room for it. Its end lies at a multiple of eight lines, so that it never crosses 4 KiB.

use crate::engine::memory::{FAULT_BITS, QUIET_BITS, ReadShape, line_bits};
use crate::engine::read_ports::LinePorts;
use crate::engines::mesh::words::{
    AXES, FaultWord, LINE_ADDRESS_BITS, MESH_BITS, POINT_BITS, RESPONSE_BITS, fault_word,
};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};
use tmu_spec::Config;

/// Bits of the number of lines of a burst, less one.
const LENGTH_BITS: usize = 3;
/// Lines of the longest burst.
const BURST_LINES: usize = 1 << LENGTH_BITS;
/// Lines that the FIFO holds.
const DEPTH: usize = 2 * BURST_LINES;
/// Points in a line.
const POINTS: usize = 2;
/// Bits of a word of a point in memory.
const WORD_BITS: usize = 32;
/// Bits of the number of lines of a row of points, less one.
const ROW_LINES_BITS: usize = MESH_BITS;
/// Lines from one row of points to the next.
const ROW_STRIDE_LINES: u64 = 64;
/// Bits of the address of a point: bits 31:3 of an address.
pub const POINT_ADDRESS_BITS: usize = LINE_ADDRESS_BITS + 1;

/// Channel for reads: one burst at a time.
pub fn read_shape(config: &Config) -> ReadShape {
    ReadShape {
        line_bits: line_bits(config),
        length_bits: LENGTH_BITS,
        most_reads: 1,
        most_lines: BURST_LINES,
        is_windowed: false,
        reports_faults: true,
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// Nothing.
    Idle,
    /// A burst is being planned, and waits for room.
    Plan,
    /// It is asked for.
    Ask,
    /// Its lines come.
    Fill,
    /// The next one is found.
    Next,
    /// Nothing more of a broken answer must come.
    Drain,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Lines {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A job starts.
    pub start: Net<In>,
    /// A job ends early: no further burst is asked for.
    pub cancelled: Net<In>,
    /// Address of the first point.
    pub base: Net<In>,
    /// Rectangles across and down.
    pub mesh: [Net<In>; AXES],
    /// The channel.
    pub memory: LinePorts,
    /// Points, row by row: u, and above it v.
    pub output: StreamOut,
    /// A read has failed.
    pub fault: FaultWord<Field<Out>>,
    /// Nothing is being read, and nothing waits.
    pub is_idle: Net<Out>,
    fifo: SyncFifo,
    state: EnumReg<State>,
    /// A fault counts: points are being read, and none has failed.
    listens: Reg,
    row_line: Reg,
    line: Reg,
    rows_left: Reg,
    lines_left: Reg,
    burst: Reg,
    place: Reg,
    quiet: Reg,
    has_failed: Reg,
    fails: Reg,
    fault_seen: Reg,
    fault_line_seen: Reg,
    column: Reg,
    is_last_point: Reg,
    is_second: Reg,
    is_offered: Reg,
    offered: Reg,
}

impl Lines {
    /// For a configuration.
    pub fn new(config: &Config) -> Lines {
        let clocks = Clocks::new();
        let line = || Reg::new(&clocks, LINE_ADDRESS_BITS);
        Lines {
            start: Net::bit(),
            cancelled: Net::bit(),
            base: Net::new(POINT_ADDRESS_BITS),
            mesh: [Net::new(MESH_BITS), Net::new(MESH_BITS)],
            memory: LinePorts::new(&read_shape(config)),
            output: StreamOut::new(AXES * POINT_BITS),
            fault: fault_word().nets(),
            is_idle: Net::bit(),
            fifo: SyncFifo::with_style(DEPTH, POINTS * AXES * POINT_BITS, RamStyle::Block),
            state: EnumReg::with_reset(&clocks, State::Idle),
            listens: Reg::with_reset(&clocks, 1, 0),
            row_line: line(),
            line: line(),
            rows_left: Reg::new(&clocks, MESH_BITS),
            lines_left: Reg::new(&clocks, ROW_LINES_BITS),
            burst: Reg::new(&clocks, LENGTH_BITS),
            place: Reg::new(&clocks, LENGTH_BITS),
            quiet: Reg::with_reset(&clocks, QUIET_BITS, 0),
            has_failed: Reg::with_reset(&clocks, 1, 0),
            fails: Reg::with_reset(&clocks, 1, 0),
            fault_seen: Reg::with_reset(&clocks, FAULT_BITS, 0),
            fault_line_seen: line(),
            column: Reg::new(&clocks, MESH_BITS),
            is_last_point: Reg::new(&clocks, 1),
            is_second: Reg::new(&clocks, 1),
            is_offered: Reg::with_reset(&clocks, 1, 0),
            offered: Reg::new(&clocks, AXES * POINT_BITS),
            clocks,
        }
    }
}

/// Points of the mesh from the memory port.
#[kernel]
impl Lines {
    fn module_name(&self) -> String {
        "mesh_lines".into()
    }

    fn logic(&self) {
        let comes = self.memory.line_valid.val() && self.state.val() == State::Fill;
        let fills = comes && self.place.val() == self.burst.val();
        self.states(fills);
        self.bursts(comes);
        self.faults(comes, fills);
        self.points(comes);
    }

    fn states(&self, fills: Bits) {
        /// # States
        let is_wrong = self.fault_seen.val().high(1);
        let has_room = !self.fifo.level.val().high(2).any();
        match self.state.val() {
            State::Idle => {
                self.listens.next = self.start.val();
                if self.start.val() {
                    self.state.next = State::Plan;
                }
            }
            State::Plan => {
                if is_wrong {
                    self.state.next = State::Drain;
                } else if self.cancelled.val() || self.has_failed.val() {
                    self.state.next = State::Idle;
                } else if has_room {
                    self.state.next = State::Ask;
                }
            }
            State::Ask => {
                if self.memory.read.ready.val() {
                    self.state.next = State::Fill;
                }
            }
            State::Fill => {
                if is_wrong || self.has_failed.val() {
                    self.state.next = State::Drain;
                } else if fills {
                    self.state.next = State::Next;
                }
            }
            State::Next => {
                let ends = self.ends_row() && !self.rows_left.val().any();
                if is_wrong {
                    self.state.next = State::Drain;
                } else if ends || self.has_failed.val() {
                    self.state.next = State::Idle;
                } else {
                    self.state.next = State::Plan;
                }
            }
            State::Drain => {
                if self.quiet.val().all() {
                    self.state.next = State::Idle;
                }
            }
        }
        let is_empty = !self.fifo.level.val().any() && !self.is_offered.val();
        self.is_idle.next = self.state.val() == State::Idle && is_empty;
    }

    /// One bit: all lines of a row have come, so that their number less one is below 0.
    fn ends_row(&self) -> Bits {
        self.lines_left.val().all()
    }

    fn bursts(&self, comes: Bits) {
        /// # Bursts
        let base = self.base.val();
        let points = self.mesh[0].val().zero_extend(MESH_BITS + 1) + base.bit(0).zero_extend(MESH_BITS + 1);
        discard(points.bit(0), "two points a line");
        let row_lines = points.high(ROW_LINES_BITS);
        let count = self.burst.val();
        if self.start.val() {
            self.row_line.next = base.high(LINE_ADDRESS_BITS);
            self.line.next = base.high(LINE_ADDRESS_BITS);
            self.rows_left.next = self.mesh[1].val();
            self.lines_left.next = row_lines;
        } else if self.state.val() == State::Next && self.ends_row() {
            let next_row = self.row_line.val() + ROW_STRIDE_LINES;
            self.row_line.next = next_row;
            self.line.next = next_row;
            self.rows_left.next = self.rows_left.val() - 1;
            self.lines_left.next = row_lines;
        } else if comes {
            self.line.next = self.line.val() + 1;
            self.lines_left.next = self.lines_left.val() - 1;
        }
        let left = self.lines_left.val();
        let has_more = left.high(ROW_LINES_BITS - LENGTH_BITS).any();
        let longest = left.low(LENGTH_BITS) | has_more.repeat(LENGTH_BITS);
        let to_boundary = !self.line.val().low(LENGTH_BITS);
        if self.state.val() == State::Plan {
            self.burst.next = if longest < to_boundary { longest } else { to_boundary };
            self.place.next = 0;
        } else if comes {
            self.place.next = self.place.val() + 1;
        }
        let read = &self.memory.read;
        let line_bits = read.data.width() - LENGTH_BITS;
        read.valid.next = self.state.val() == State::Ask;
        read.data.next = cat(&[count, self.line.val().zero_extend(line_bits)]);
    }

    fn faults(&self, comes: Bits, fills: Bits) {
        /// # Faults
        let memory = &self.memory;
        let response = memory.line_response.val();
        let fails = comes && response.bit(1);
        /// An answer ends too early or too late, or comes without a question.
        let is_wrong = (comes && (memory.line_last.val() ^ fills)) || memory.unexpected.val();
        self.fault_seen.next = cat(&[is_wrong, fails && response.bit(0), fails && !response.bit(0)]);
        self.fails.next = is_wrong || fails;
        self.fault_line_seen.next = self.line.val();
        /// What was seen counts a clock later, which is faster.
        let seen = self.fault_seen.val();
        memory.fault.next = seen;
        memory.fault_line.next = self.fault_line_seen.val().zero_extend(memory.fault_line.width());
        let happens = self.fails.val() && self.listens.val();
        if self.start.val() {
            self.has_failed.next = 0;
        } else if happens {
            self.has_failed.next = 1;
            self.listens.next = 0;
        }
        let wrong_length = lit(RESPONSE_BITS, 1u32);
        self.fault.next = FaultWord {
            happened: happens,
            response: if seen.high(1) { wrong_length } else { cat(&[lit(1, 1u32), seen.bit(1)]) },
            line: self.fault_line_seen.val(),
        };
        let is_quiet = !memory.outstanding.val() && !memory.line_valid.val() && !memory.unexpected.val();
        if is_quiet && self.state.val() == State::Drain {
            self.quiet.next = self.quiet.val() + 1;
        } else {
            self.quiet.next = 0;
        }
    }

    /// Out of the FIFO, point by point; what is left of a job that is cancelled is dropped.
    fn points(&self, comes: Bits) {
        /// # Points
        let data = self.memory.line_data.val();
        let word = |number: usize| data.slice(number * WORD_BITS, POINT_BITS);
        for number in 0..POINTS * AXES {
            discard(data.slice(number * WORD_BITS + POINT_BITS, WORD_BITS - POINT_BITS), "18 bits are used");
        }
        let fifo = &self.fifo;
        fifo.clocks.follow(&self.clocks);
        fifo.input.valid.next = comes;
        fifo.input.data.next = stack((0..POINTS * AXES).map(word));
        discard(fifo.input.ready.val(), "there is room for a burst");
        let (first, second) =
            (fifo.output.data.val().low(AXES * POINT_BITS), fifo.output.data.val().high(AXES * POINT_BITS));
        let (is_second, is_offered, cancelled) =
            (self.is_second.val(), self.is_offered.val(), self.cancelled.val());
        self.output.valid.next = is_offered && !cancelled;
        self.output.data.next = self.offered.val();
        /// A point is offered when none is, so that the way of `ready` ends here: an edge takes more clocks than two points.
        if !is_offered {
            self.offered.next = if is_second { second } else { first };
            self.is_offered.next = fifo.output.valid.val() && !cancelled;
        } else if self.output.ready.val() || cancelled {
            self.is_offered.next = 0;
        }
        /// Known in the clock behind the last point, in which none leaves.
        self.is_last_point.next = self.column.val() == self.mesh[0].val();
        let ends_row = self.is_last_point.val();
        let leaves = fifo.output.valid.val() && !is_offered && !cancelled;
        fifo.output.ready.next = (!is_offered && (is_second || ends_row)) || cancelled;
        if self.start.val() || (leaves && ends_row) {
            self.column.next = 0;
            self.is_second.next = self.base.val().bit(0);
        } else if leaves {
            self.column.next = self.column.val() + 1;
            self.is_second.next = !is_second;
        }
    }
}
