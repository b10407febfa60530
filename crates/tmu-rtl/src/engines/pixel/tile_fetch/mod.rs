//! `tile_fetch`: the frame, the lists of its tiles, and of triangles what hidden surfaces need, out of memory.
//!
//! Triangles of a tile go to `hidden_surfaces` in the order of the list. Opaque ones are looked at together, as many as have numbers, each other one by
//! itself: behind them an end is sent, and when all before it was found and kept, `grouping` is told to hand on the quads, and an order to
//! shade them goes to the stages behind. Behind a punch-through triangle nothing is looked at before its pixels are shaded and its depths put.
//!
//! Contract: what is found first in the order of the lists ends the frame; its order comes behind those for all that was found before, but
//! opaque triangles that no end was sent for are dropped. While surfaces of a tile are looked for, the one before it may be shaded, and the one before
//! that written.
//!
//! Cost: one thing at a time. Of a triangle about 15 clocks and twice the latency of memory, three times more where its state is new.

mod frame;
mod list;
mod triangle;
pub mod words;

use super::hidden_surfaces::TileWord;
use super::reads::{AskWord, CameWord};
use super::tile_walk::TileWalk;
use super::words::{LINE_NUMBER_BITS, TileShape};
use crate::engine::count::counted;
use frame::FrameRecord;
use list::{ENTRY_BITS, List};
use tmu_hdl::prelude::*;
use tmu_spec::pixel::{FaultCode, Part};
use triangle::Triangle;
use words::{FaultWord, FrameWord, OrderWord, PART_BITS, TriangleWord};

/// Bits of the number of batches whose quads have not been looked up, up to two, and of tiles that are shaded or written, up to three.
const PENDING_BITS: usize = 3;
/// Bits of the number of batches that are not done: as many as the shader has quads may be on their way, since a triangle that is seen nowhere has no quad.
const BATCHES_BITS: usize = 6;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// Nothing.
    Idle,
    /// What was kept of states is forgotten.
    Forget,
    /// The frame's record is read.
    Frame,
    /// Where the first tile lies is known.
    Place,
    /// A tile waits for room.
    Room,
    /// Depths are cleared.
    Clear,
    /// Its list begins.
    Begin,
    /// The next triangle is wanted.
    Next,
    /// It is looked for.
    Seek,
    /// What was found.
    Found,
    /// A triangle is read.
    Triangle,
    /// It goes to hidden surfaces.
    Send,
    /// Triangles end.
    End,
    /// All before the end is found.
    Settle,
    /// The quads may go.
    Group,
    /// They are to be shaded.
    Batch,
    /// They must be shaded first.
    Wait,
    /// Nothing more of the tile.
    TileEnd,
    /// The next tile.
    NextTile,
    /// Nothing more of the frame.
    FrameEnd,
    /// The frame ends with a fault.
    Fault,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct TileFetch {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A frame starts.
    pub start: Net<In>,
    /// The line of its record.
    pub address: Net<In>,
    /// Reads, see [`AskWord`].
    pub ask: StreamOut,
    /// What comes.
    pub came: CameWord<Field<In>>,
    /// A line could not be read.
    pub read_fails: Net<In>,
    /// Its number.
    pub failed_line: Net<In>,
    /// The frame's record has been looked at, for this clock.
    pub known: Net<Out>,
    /// What it says.
    pub frame: FrameWord<Field<Out>>,
    /// The tile that is looked at.
    pub tile: TileWord<Field<Out>>,
    /// The part of the list that is looked at.
    pub part: Net<Out>,
    /// Depths are to be cleared.
    pub clear: Net<Out>,
    /// They are not yet.
    pub is_clearing: Net<In>,
    /// Triangles, see [`TriangleWord`].
    pub triangles: StreamOut,
    /// A number is given to a triangle.
    pub names: Net<Out>,
    /// The number, and above it which of two sets of them.
    pub number: Net<Out>,
    /// The line of the triangle's record.
    pub record: Net<Out>,
    /// An end has come through hidden surfaces.
    pub is_found: Net<In>,
    /// Quads may go.
    pub groups: Net<Out>,
    /// They go.
    pub groups_ready: Net<In>,
    /// Orders to shade, see [`OrderWord`].
    pub orders: StreamOut,
    /// The quads of some triangles have been looked at, and their numbers may name others.
    pub batch_taken: Net<In>,
    /// Triangles have been shaded, and depths put.
    pub batch_done: Net<In>,
    /// A tile has been written.
    pub tile_done: Net<In>,
    /// The first fault of the lists.
    pub fault: FaultWord<Field<Out>>,
    frame_record: FrameRecord,
    list: List,
    triangle: Triangle,
    state: EnumReg<State>,
    found: Found,
    walk: TileWalk,
    entry: Reg,
    /// Batches that are not taken, not done, and tiles that are not written.
    named: Reg,
    batches: Reg,
    tiles: Reg,
    /// A tile has been ordered, in the clock before.
    has_ordered_tile: Reg,
    bank: Reg,
    count: Reg,
    is_full: Reg,
    has_opaque: Reg,
    kept_fault: FaultWord<FieldReg>,
    _shape: TileShape,
}

/// What the list says is next.
#[derive(Bundle)]
struct Found {
    is_end: Reg,
    part: Reg,
    record: Reg,
}

impl TileFetch {
    /// The stage for tiles of a shape.
    ///
    /// # Panics
    /// If there is no tile size of that shape.
    #[must_use]
    pub fn new(shape: &TileShape) -> TileFetch {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let register = |width| Reg::new(&clocks, width);
        let pending = || Reg::with_reset(&clocks, PENDING_BITS, 0);
        TileFetch {
            start: Net::bit(),
            address: Net::new(LINE_NUMBER_BITS),
            ask: StreamOut::new(AskWord::shape().width()),
            came: CameWord::shape().nets(),
            read_fails: Net::bit(),
            failed_line: Net::new(LINE_NUMBER_BITS),
            known: Net::bit(),
            frame: FrameWord::shape().nets(),
            tile: TileWord::of(shape).nets(),
            part: Net::new(PART_BITS),
            clear: Net::bit(),
            is_clearing: Net::bit(),
            triangles: StreamOut::new(TriangleWord::of(shape).width()),
            names: Net::bit(),
            number: Net::new(shape.number_bits + 1),
            record: Net::new(LINE_NUMBER_BITS),
            is_found: Net::bit(),
            groups: Net::bit(),
            groups_ready: Net::bit(),
            orders: StreamOut::new(OrderWord::of(shape).width()),
            batch_taken: Net::bit(),
            batch_done: Net::bit(),
            tile_done: Net::bit(),
            fault: FaultWord::shape().nets(),
            frame_record: FrameRecord::new(shape.size()),
            list: List::new(),
            triangle: Triangle::new(),
            state: EnumReg::with_reset(&clocks, State::Idle),
            found: Found {
                is_end: register(1),
                part: register(PART_BITS),
                record: register(LINE_NUMBER_BITS),
            },
            walk: TileWalk::new(shape),
            entry: register(ENTRY_BITS),
            named: pending(),
            batches: Reg::with_reset(&clocks, BATCHES_BITS, 0),
            tiles: pending(),
            has_ordered_tile: flag(),
            bank: flag(),
            count: Reg::with_reset(&clocks, shape.number_bits, 0),
            is_full: flag(),
            has_opaque: flag(),
            kept_fault: FaultWord::shape().registers(&clocks),
            clocks,
            _shape: *shape,
        }
    }
}

/// Lists to triangles and orders.
#[kernel]
impl TileFetch {
    fn module_name(&self) -> String {
        "tile_fetch".into()
    }

    /// One bit: this is done.
    fn is(&self, state: State) -> Bits {
        self.state.val() == state
    }

    fn logic(&self) {
        self.frame();
        self.list();
        self.triangle();
        self.tiles();
        self.send();
        self.order();
        self.states();
        self.faults();
    }

    fn frame(&self) {
        /// # Frame
        let frame = &self.frame_record;
        frame.clocks.follow(&self.clocks);
        frame.start.next = self.start.val() && self.is(State::Idle);
        frame.address.next = self.address.val();
        frame.came.next = self.came.val();
        self.frame.next = frame.frame.val();
        self.known.next = self.is(State::Frame) && (frame.done.val() || self.fails());
        /// Only one of them asks at a time.
        let asks = [&frame.ask, &self.list.ask, &self.triangle.ask];
        let words: Vec<Bits> =
            asks.iter().map(|ask| ask.data.val() & ask.valid.val().repeat(ask.data.width())).collect();
        let valid: Vec<Bits> = asks.iter().map(|ask| ask.valid.val()).collect();
        self.ask.valid.next = stack(valid).any();
        self.ask.data.next = words[0] | words[1] | words[2];
        for ask in asks {
            ask.ready.next = self.ask.ready.val();
        }
    }

    fn list(&self) {
        /// # List
        let list = &self.list;
        list.clocks.follow(&self.clocks);
        list.begin.next = self.is(State::Begin);
        list.entry.next = self.entry.val();
        list.limit.next = self.frame_record.frame.list_limit.val();
        list.next.next = self.is(State::Next);
        list.came.next = self.came.val();
        if list.found.val() {
            self.found.is_end.next = list.is_end.val();
            self.found.part.next = list.part.val();
            self.found.record.next = list.triangle.val();
        }
    }

    /// One bit: what was found is opaque.
    fn is_opaque(&self) -> Bits {
        self.found.part.val() == Part::Opaque as u64
    }

    /// One bit: opaque triangles must be shaded before what was found.
    fn ends_opaque(&self) -> Bits {
        self.has_opaque.val() && (self.found.is_end.val() || !self.is_opaque() || self.is_full.val())
    }

    /// The part of the triangles that are looked at; what was found may be of another one.
    fn batch_part(&self) -> Bits {
        let opaque = lit(PART_BITS, Part::Opaque as u32);
        if self.has_opaque.val() { opaque } else { self.found.part.val() }
    }

    /// One bit: a triangle is read.
    fn reads_triangle(&self) -> Bits {
        self.is(State::Found) && !self.ends_opaque() && !self.found.is_end.val()
    }

    fn triangle(&self) {
        /// # Triangle
        let triangle = &self.triangle;
        triangle.clocks.follow(&self.clocks);
        triangle.forget.next = self.is(State::Forget);
        triangle.start.next = self.reads_triangle();
        triangle.address.next = self.found.record.val();
        triangle.part.next = self.found.part.val();
        triangle.texture_count.next = self.frame_record.frame.texture_count.val();
        triangle.came.next = self.came.val();
    }

    fn tiles(&self) {
        /// # Tiles
        let (walk, frame) = (&self.walk, &self.frame_record.frame);
        walk.clocks.follow(&self.clocks);
        walk.start.next = self.is(State::Place);
        walk.next.next = self.is(State::NextTile);
        walk.width_less_one.next = frame.width_less_one.val();
        walk.height_less_one.next = frame.height_less_one.val();
        discard(walk.ends_row.val(), "rows are not looked at");
        if self.is(State::Place) {
            self.entry.next = cat(&[frame.tiles.val(), lit(2, 0u32)]);
        } else if self.is(State::NextTile) {
            self.entry.next = self.entry.val() + 1;
        }
        self.tile.next = walk.tile.val();
        self.clear.next = self.is(State::Clear);
    }

    fn send(&self) {
        /// # Triangles
        let triangle = &self.triangle;
        /// A set of numbers names others when the quads of the last but one batch, which had it, are looked up.
        let (sends, ends) = (self.is(State::Send) && self.may_name(), self.is(State::End));
        self.triangles.valid.next = sends || ends;
        self.triangles.data.next = TriangleWord::of(&self._shape).pack(&TriangleWord {
            is_end: ends,
            number: self.count.val(),
            compare: triangle.compare.val(),
            cull: triangle.cull.val(),
            keeps: self.is_opaque(),
            setup: triangle.setup.val(),
        });
        self.part.next = self.batch_part();
        let goes = sends && self.triangles.ready.val();
        self.names.next = goes;
        self.number.next = cat(&[self.bank.val(), self.count.val()]);
        self.record.next = self.found.record.val();
        let takes = self.is(State::Group) && self.groups_ready.val();
        self.groups.next = self.is(State::Group);
        if takes {
            self.bank.next = !self.bank.val();
            self.count.next = 0;
            self.is_full.next = 0;
        } else if goes {
            self.count.next = self.count.val() + 1;
            self.is_full.next = self.count.val().all();
        }
    }

    /// One bit: nothing waits for what numbers of this set have named.
    fn may_name(&self) -> Bits {
        !self.named.val().high(PENDING_BITS - 1).any()
    }

    /// One bit: one more batch can be counted.
    fn may_order(&self) -> Bits {
        !self.batches.val().high(1)
    }

    fn order(&self) {
        /// # Orders
        let (batch, tile) = (self.is(State::Batch) && self.may_order(), self.is(State::TileEnd));
        let (frame, fault) = (self.is(State::FrameEnd), self.is(State::Fault));
        self.orders.valid.next = batch || tile || frame || fault;
        self.orders.data.next = OrderWord::of(&self._shape).pack(&OrderWord {
            order: cat(&[frame || fault, tile || fault]),
            part: self.batch_part(),
            tile: self.tile.val(),
        });
        let ready = self.orders.ready.val();
        self.named.next = counted(self.named.val(), batch && ready, self.batch_taken.val());
        self.batches.next = counted(self.batches.val(), batch && ready, self.batch_done.val());
        // A clock late, which is in time: the next tile asks two clocks behind the end of this one.
        self.has_ordered_tile.next = tile && ready;
        self.tiles.next = counted(self.tiles.val(), self.has_ordered_tile.val(), self.tile_done.val());
        if self.is(State::Send) {
            self.has_opaque.next = self.is_opaque();
        } else if (batch && ready) || self.is(State::Idle) {
            self.has_opaque.next = 0;
        }
    }

    fn states(&self) {
        /// # States
        let sent = self.triangles.ready.val();
        let ordered = self.orders.ready.val();
        let is_punch_through = self.found.part.val() == Part::PunchThrough as u64;
        let ends_frame = self.walk.is_last.val();
        match self.state.val() {
            State::Idle => {
                if self.start.val() {
                    self.state.next = State::Forget;
                }
            }
            State::Forget => self.state.next = State::Frame,
            State::Frame => {
                if self.frame_record.done.val() {
                    self.state.next = State::Place;
                }
            }
            State::Place => {
                if self.triangle.is_idle.val() {
                    self.state.next = State::Room;
                }
            }
            State::Room => {
                if !self.tiles.val().low(PENDING_BITS - 1).all() {
                    self.state.next = State::Clear;
                }
            }
            State::Clear => self.state.next = State::Begin,
            State::Begin => {
                if !self.is_clearing.val() {
                    self.state.next = State::Next;
                }
            }
            State::Next => self.state.next = State::Seek,
            State::Seek => {
                if self.list.found.val() {
                    self.state.next = State::Found;
                }
            }
            State::Found => {
                if self.ends_opaque() {
                    self.state.next = State::End;
                } else if self.found.is_end.val() {
                    self.state.next = State::TileEnd;
                } else {
                    self.state.next = State::Triangle;
                }
            }
            State::Triangle => {
                if self.triangle.done.val() {
                    self.state.next = State::Send;
                }
            }
            State::Send => {
                if sent && self.may_name() {
                    if self.is_opaque() {
                        self.state.next = State::Next;
                    } else {
                        self.state.next = State::End;
                    }
                }
            }
            State::End => {
                if sent {
                    self.state.next = State::Settle;
                }
            }
            State::Settle => {
                if self.is_found.val() {
                    self.state.next = State::Group;
                }
            }
            State::Group => {
                if self.groups_ready.val() {
                    self.state.next = State::Batch;
                }
            }
            State::Batch => {
                if ordered && self.may_order() {
                    if self.has_opaque.val() {
                        self.state.next = State::Found;
                    } else if is_punch_through {
                        self.state.next = State::Wait;
                    } else {
                        self.state.next = State::Next;
                    }
                }
            }
            State::Wait => {
                if !self.batches.val().any() {
                    self.state.next = State::Next;
                }
            }
            State::TileEnd => {
                if ordered {
                    self.state.next = State::NextTile;
                }
            }
            State::NextTile => {
                if ends_frame {
                    self.state.next = State::FrameEnd;
                } else {
                    self.state.next = State::Room;
                }
            }
            State::FrameEnd => {
                if ordered {
                    self.state.next = State::Idle;
                }
            }
            State::Fault => {
                if ordered {
                    self.state.next = State::Idle;
                }
            }
        }
        if self.fails() {
            self.state.next = State::Fault;
        }
    }

    /// One bit: a fault is found.
    fn fails(&self) -> Bits {
        let is_at_work = !self.is(State::Idle) && !self.is(State::Fault);
        let refused = self.frame_record.refused.val() || self.list.fails.val() || self.triangle.fails.val();
        (self.read_fails.val() || refused) && is_at_work
    }

    fn faults(&self) {
        /// # Faults
        let of_list = self.list.fault.val();
        let of_triangle = self.triangle.fault.val();
        let frame = FaultWord::at(FaultCode::Frame, self.address.val());
        let read = FaultWord::at(FaultCode::Read, self.failed_line.val());
        if self.fails() {
            self.kept_fault.next = read;
            if self.frame_record.refused.val() {
                self.kept_fault.next = frame;
            }
            if self.list.fails.val() {
                self.kept_fault.next = of_list;
            }
            if self.triangle.fails.val() {
                self.kept_fault.next = of_triangle;
            }
        }
        self.fault.next = self.kept_fault.val();
    }
}
