//! The list of a tile, entry by entry. A line of it is kept, so that memory is asked once for four entries.
//!
//! Cost: four clocks an entry, and a read for each line.

use super::words::{ADDRESS_BITS, CODE_BITS, FaultWord, LIMIT_BITS, PART_BITS};
use crate::engine::memory::LINE_BITS;
use crate::engines::pixel::reads::{AskWord, CameWord};
use crate::engines::pixel::records::{BYTE_BITS, nth};
use crate::engines::pixel::words::{LINE_NUMBER_BITS, RECORD_LINES_BITS};
use tmu_hdl::prelude::*;
use tmu_spec::pixel::{Entry, FaultCode, Part};

/// Bits of the address of an entry, which is a word.
pub(super) const ENTRY_BITS: usize = ADDRESS_BITS - 2;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// Nothing.
    Idle,
    /// Whether the line is there is found out.
    Look,
    /// It is asked for.
    Ask,
    /// It comes.
    Line,
    /// The entry is taken from it.
    Take,
    /// What it is, is found out.
    Judge,
    /// It is followed.
    Act,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct List {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A list begins, at an entry of the table of tiles.
    pub begin: Net<In>,
    /// The address of that entry, in words.
    pub entry: Net<In>,
    /// The most entries of a list.
    pub limit: Net<In>,
    /// The next triangle is wanted.
    pub next: Net<In>,
    /// Reads, see [`AskWord`].
    pub ask: StreamOut,
    /// What comes.
    pub came: CameWord<Field<In>>,
    /// A triangle, or the end, is found.
    pub found: Net<Out>,
    /// It is the end.
    pub is_end: Net<Out>,
    /// The part of the triangle.
    pub part: Net<Out>,
    /// The line of its record.
    pub triangle: Net<Out>,
    /// There is a fault instead.
    pub fails: Net<Out>,
    /// Which.
    pub fault: FaultWord<Field<Out>>,
    state: EnumReg<State>,
    address: Reg,
    /// Entries that were read, that of the table among them.
    entries: Reg,
    is_of_table: Reg,
    has_line: Reg,
    line_number: Reg,
    is_same: Reg,
    is_beyond: Reg,
    line: Reg,
    word: Reg,
    kinds: Kinds<FieldReg>,
    last: Reg,
}

impl List {
    /// The block.
    #[must_use]
    pub(super) fn new() -> List {
        let clocks = Clocks::new();
        let bit = || Reg::new(&clocks, 1);
        List {
            begin: Net::bit(),
            entry: Net::new(ENTRY_BITS),
            limit: Net::new(LIMIT_BITS),
            next: Net::bit(),
            ask: StreamOut::new(AskWord::shape().width()),
            came: CameWord::shape().nets(),
            found: Net::bit(),
            is_end: Net::bit(),
            part: Net::new(PART_BITS),
            triangle: Net::new(LINE_NUMBER_BITS),
            fails: Net::bit(),
            fault: FaultWord::shape().nets(),
            state: EnumReg::with_reset(&clocks, State::Idle),
            address: Reg::new(&clocks, ENTRY_BITS),
            entries: Reg::new(&clocks, LIMIT_BITS + 1),
            is_of_table: bit(),
            has_line: bit(),
            line_number: Reg::new(&clocks, LINE_NUMBER_BITS),
            is_same: bit(),
            is_beyond: bit(),
            line: Reg::new(&clocks, LINE_BITS),
            word: Reg::new(&clocks, ADDRESS_BITS),
            kinds: Kinds::shape().registers(&clocks),
            last: Reg::new(&clocks, PART_BITS),
            clocks,
        }
    }
}

/// What an entry is.
#[derive(Clone, Debug, Record)]
struct Kinds<T = Bits> {
    is_end: T,
    is_jump: T,
    is_triangle: T,
    is_none: T,
}

impl Kinds<Width> {
    fn shape() -> Kinds<Width> {
        let bit = Width::bits(1);
        Kinds { is_end: bit, is_jump: bit, is_triangle: bit, is_none: bit }
    }
}

/// The list of a tile.
#[kernel]
impl List {
    fn module_name(&self) -> String {
        "tile_fetch_list".into()
    }

    /// One bit: this is done.
    fn is(&self, state: State) -> Bits {
        self.state.val() == state
    }

    fn judged(&self) -> Kinds {
        /// # Entry
        let word = self.word.val();
        let (kind, address) = (word.low(BYTE_BITS), word.high(LINE_NUMBER_BITS));
        let is_end = kind == u64::from(Entry::End.to_word()) && !address.any();
        let is_jump = kind == u64::from(Entry::Jump(0).to_word());
        let is_part = [Part::Opaque, Part::PunchThrough, Part::Translucent].map(|part| kind == part as u64);
        let part = kind.low(PART_BITS);
        let is_triangle = stack(is_part).any() && !self.is_of_table.val() && part >= self.last.val();
        Kinds { is_end, is_jump, is_triangle, is_none: !(is_end || is_jump || is_triangle) }
    }

    fn logic(&self) {
        let address = self.address.val();
        let line = address.high(LINE_NUMBER_BITS);
        /// # Line
        self.is_same.next = self.has_line.val() && line == self.line_number.val();
        self.is_beyond.next = self.entries.val() > self.limit.val().zero_extend(LIMIT_BITS + 1);
        self.ask.valid.next = self.is(State::Ask) && !self.is_beyond.val() && !self.is_same.val();
        self.ask.data.next = AskWord::shape().pack(&AskWord { line, more: lit(RECORD_LINES_BITS, 0u32) });
        let came = self.came.val();
        discard(came.ends, "reads have one line");
        let comes = self.is(State::Line) && came.valid;
        if comes {
            self.has_line.next = 1;
            self.line.next = came.line;
            self.line_number.next = line;
        }
        if self.is(State::Take) {
            self.word.next = nth(self.line.val(), LINE_BITS / ADDRESS_BITS, address.low(2));
        }
        self.kinds.next = self.judged();
        let kinds = self.kinds.val();
        let acts = self.is(State::Act);
        let word = self.word.val();
        /// # Where it goes on
        if self.begin.val() {
            self.address.next = self.entry.val();
            self.entries.next = 0;
            self.is_of_table.next = 1;
            self.has_line.next = 0;
            self.last.next = Part::Opaque as u64;
        } else if acts {
            self.entries.next = self.entries.val() + 1;
            self.is_of_table.next = 0;
            if kinds.is_jump {
                self.address.next = cat(&[word.high(LINE_NUMBER_BITS), lit(2, 0u32)]);
            } else if kinds.is_triangle {
                self.address.next = address + 1;
                self.last.next = word.low(PART_BITS);
            }
        }
        match self.state.val() {
            State::Idle => {
                if self.next.val() {
                    self.state.next = State::Look;
                }
            }
            State::Look => self.state.next = State::Ask,
            State::Ask => {
                if self.is_beyond.val() {
                    self.state.next = State::Idle;
                } else if self.is_same.val() {
                    self.state.next = State::Take;
                } else if self.ask.ready.val() {
                    self.state.next = State::Line;
                }
            }
            State::Line => {
                if comes {
                    self.state.next = State::Take;
                }
            }
            State::Take => self.state.next = State::Judge,
            State::Judge => self.state.next = State::Act,
            State::Act => {
                if kinds.is_jump {
                    self.state.next = State::Look;
                } else {
                    self.state.next = State::Idle;
                }
            }
        }
        /// # What is found
        self.found.next = acts && (kinds.is_end || kinds.is_triangle);
        self.is_end.next = kinds.is_end;
        self.part.next = word.low(PART_BITS);
        self.triangle.next = word.high(LINE_NUMBER_BITS);
        let is_endless = self.is(State::Ask) && self.is_beyond.val();
        self.fails.next = (acts && kinds.is_none) || is_endless;
        let (entry, endless) =
            (lit(CODE_BITS, FaultCode::Entry as u32), lit(CODE_BITS, FaultCode::Endless as u32));
        self.fault.next = FaultWord {
            code: if is_endless { endless } else { entry },
            address: cat(&[address, lit(2, 0u32)]),
        };
    }
}
