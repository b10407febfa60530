//! `tile_draw`: from what has been shaded to the tile: quads into `tile_buffer`, depths of what stays into `tile_depths`, and in their turn the orders: triangles
//! that are done, a tile that is to be written, the end of the frame.
//!
//! Contract: quads come in the order in which they are drawn. An order is done when all before it is drawn and put. A tile is written, and its bank cleared for the
//! one behind it, while the next one is drawn. Behind a fault nothing is drawn and nothing written that is not on its way.
//!
//! Cost: a quad a clock, of a punch-through triangle as many as `tile_depths` puts; some clocks an order.

use super::hidden_surfaces::TileWord;
use super::shade::words::{ShadeShape, ShadedQuadWord};
use super::tile_buffer::ShadedWord;
use super::tile_depths::StayWord;
use super::tile_fetch::words::{FrameWord, Order};
use super::tile_walk::TileWalk;
use super::triangle_data::words::AlongWord;
use super::words::{LINE_NUMBER_BITS, PIXELS, SINGLE_BITS, TileShape};
use super::write_back::WriteSettings;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;
use tmu_spec::pixel::{OutputFormat, Part};

/// Quads that are drawn or put.
const QUADS: usize = 32;
/// Bits of their number.
const QUADS_BITS: usize = QUADS.ilog2() as usize + 1;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// Nothing.
    Idle,
    /// The frame's first tile.
    Start,
    /// Colours of a bank are to be cleared.
    Clear,
    /// They are being.
    Clearing,
    /// That bank becomes the one that is drawn into, and colours of the other one are to be cleared.
    Turn,
    /// Quads are drawn.
    Draw,
    /// What is drawn is waited for, before an order.
    Drain,
    /// Triangles are done.
    Batch,
    /// A tile waits until the one before it is written, and its bank cleared.
    Room,
    /// It is written.
    Write,
    /// The last tile is.
    Last,
    /// The frame ends.
    End,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct TileDraw {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A frame starts; what it says holds.
    pub start: Net<In>,
    /// What the frame says.
    pub frame: FrameWord<Field<In>>,
    /// Shaded quads and orders, see [`ShadedQuadWord`].
    pub shaded: StreamIn,
    /// Quads for `tile_buffer`, see [`ShadedWord`].
    pub quads: StreamOut,
    /// Which bank of it is drawn into.
    pub bank: Net<Out>,
    /// The other one is to be cleared.
    pub clear: Net<Out>,
    /// It is being.
    pub is_clearing: Net<In>,
    /// A quad was drawn.
    pub drawn: Net<In>,
    /// Where.
    pub drawn_place: Net<In>,
    /// Which of its pixels stayed.
    pub drawn_mask: Net<In>,
    /// Quads whose depths are to be put, see [`StayWord`].
    pub stays: StreamOut,
    /// A tile is written.
    pub writes: Net<Out>,
    /// How and where.
    pub settings: WriteSettings<Field<Out>>,
    /// It is being.
    pub is_writing: Net<In>,
    /// Triangles are shaded, drawn and put.
    pub batch_done: Net<Out>,
    /// A tile has been written.
    pub tile_done: Net<Out>,
    /// The frame has ended, all but what is under way to memory.
    pub finished: Net<Out>,
    /// With a fault.
    pub has_failed: Net<Out>,
    /// It is one of texels.
    pub lacks_texels: Net<Out>,
    state: EnumReg<State>,
    walk: TileWalk,
    bank_reg: Reg,
    owed: Reg,
    is_drained: Reg,
    waiting: SyncFifo,
    stay: SyncFifo,
    picture_row: Reg,
    picture: Reg,
    depth_row: Reg,
    depth: Reg,
    kept: WriteSettings<FieldReg>,
    was_writing: Reg,
    fails: Reg,
    fails_in_texels: Reg,
    order: Reg,
    _tile: TileShape,
    _shade: ShadeShape,
}

impl TileDraw {
    /// The stage for tiles of a shape and a shader.
    #[must_use]
    pub fn new(tile: &TileShape, shade: &ShadeShape) -> TileDraw {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let line = || Reg::new(&clocks, LINE_NUMBER_BITS);
        let place = StayWord::of(tile).place.value_bits();
        TileDraw {
            start: Net::bit(),
            frame: FrameWord::shape().nets(),
            shaded: StreamIn::new(ShadedQuadWord::of(shade).width()),
            quads: StreamOut::new(ShadedWord::of(tile).width()),
            bank: Net::bit(),
            clear: Net::bit(),
            is_clearing: Net::bit(),
            drawn: Net::bit(),
            drawn_place: Net::new(place),
            drawn_mask: Net::new(PIXELS),
            stays: StreamOut::new(StayWord::of(tile).width()),
            writes: Net::bit(),
            settings: WriteSettings::of(tile).nets(),
            is_writing: Net::bit(),
            batch_done: Net::bit(),
            tile_done: Net::bit(),
            finished: Net::bit(),
            has_failed: Net::bit(),
            lacks_texels: Net::bit(),
            state: EnumReg::with_reset(&clocks, State::Idle),
            walk: TileWalk::new(tile),
            bank_reg: flag(),
            owed: Reg::with_reset(&clocks, QUADS_BITS, 0),
            is_drained: flag(),
            waiting: SyncFifo::new(QUADS, 2 + PIXELS * SINGLE_BITS),
            stay: SyncFifo::new(QUADS, StayWord::of(tile).width()),
            picture_row: line(),
            picture: line(),
            depth_row: line(),
            depth: line(),
            kept: WriteSettings::of(tile).registers(&clocks),
            was_writing: flag(),
            fails: flag(),
            fails_in_texels: flag(),
            order: Reg::new(&clocks, 2),
            clocks,
            _tile: *tile,
            _shade: *shade,
        }
    }
}

/// Shaded quads to the tile.
#[kernel]
impl TileDraw {
    fn module_name(&self) -> String {
        "tile_draw".into()
    }

    /// One bit: this is done.
    fn is(&self, state: State) -> Bits {
        self.state.val() == state
    }

    fn logic(&self) {
        let word = ShadedQuadWord::of(&self._shade).unpack(self.shaded.data.val());
        let along = AlongWord::of(&self._tile).unpack(word.along);
        let comes = self.is(State::Draw) && self.shaded.valid.val();
        self.draw(&word, &along, comes && !word.is_end && !word.error);
        self.stay();
        self.tiles();
        self.states(comes, &word, &along);
        /// # Ends
        let fails = comes && !word.is_end && word.error;
        if fails {
            self.fails_in_texels.next = 1;
        }
        if fails || (comes && word.is_end && along.order == Order::Fault as u64) {
            self.fails.next = 1;
        }
        self.has_failed.next = self.fails.val();
        self.lacks_texels.next = self.fails_in_texels.val();
        self.batch_done.next = self.is(State::Batch);
        self.finished.next = self.is(State::End);
        let is_order = comes && word.is_end;
        self.shaded.ready.next = is_order || fails || (comes && self.may_draw());
    }

    /// One bit: no tile is written.
    fn is_free(&self) -> Bits {
        !self.is_writing.val() && !self.was_writing.val()
    }

    /// One bit: there is room for what becomes of a quad, and the tile's buffer takes it.
    fn may_draw(&self) -> Bits {
        !self.owed.val().high(1) && self.waiting.input.ready.val() && self.quads.ready.val()
    }

    fn draw(&self, word: &ShadedQuadWord, along: &AlongWord, comes: Bits) {
        /// # Quads
        let is_opaque = along.part == Part::Opaque as u64;
        let is_translucent = along.part == Part::Translucent as u64;
        let is_punch_through = along.part == Part::PunchThrough as u64;
        let room = !self.owed.val().high(1) && self.waiting.input.ready.val();
        self.quads.valid.next = comes && room;
        let test = &along.test;
        self.quads.data.next = ShadedWord::of(&self._tile).pack(&ShadedWord {
            place: along.place,
            mask: along.mask,
            is_tested: !is_opaque,
            blend: test.blend & is_translucent.repeat(test.blend.width()),
            alpha_compare: test.alpha_compare,
            alpha_reference: test.alpha_reference,
            killed: word.killed,
            colors: word.colors,
        });
        let waiting = &self.waiting;
        waiting.clocks.follow(&self.clocks);
        let goes = comes && self.may_draw();
        waiting.input.valid.next = goes;
        let depths = cat(&[word.depths[3], word.depths[2], word.depths[1], word.depths[0]]);
        waiting.input.data.next = cat(&[is_punch_through, word.has_depth, depths]);
        waiting.output.ready.next = self.drawn.val();
        discard(cat(&[waiting.level.val(), waiting.output.valid.val()]), "what is drawn was put there");
        /// Quads that were taken and are not drawn, or not put.
        let puts = waiting.output.data.val().high(1);
        let ends = (self.drawn.val() && !puts) || (self.stays.valid.val() && self.stays.ready.val());
        let both = self.drawn.val() && !puts && self.stays.valid.val() && self.stays.ready.val();
        let change = cat(&[((ends && !goes) || both).repeat(QUADS_BITS - 1), (goes ^ ends) ^ both]);
        self.owed.next = self.owed.val() + change;
        self.is_drained.next = !self.owed.val().any() && !goes;
    }

    fn stay(&self) {
        /// # Depths
        let stay = &self.stay;
        stay.clocks.follow(&self.clocks);
        let kept = self.waiting.output.data.val();
        let depth = |pixel: usize| kept.slice(pixel * SINGLE_BITS, SINGLE_BITS);
        stay.input.valid.next = self.drawn.val() && kept.high(1);
        stay.input.data.next = StayWord::of(&self._tile).pack(&StayWord {
            place: self.drawn_place.val(),
            mask: self.drawn_mask.val(),
            has_depth: kept.bit(PIXELS * SINGLE_BITS),
            depths: [0, 1, 2, 3].map(depth),
        });
        discard(cat(&[stay.level.val(), stay.input.ready.val()]), "there is room for what is owed");
        self.stays.forward(&stay.output);
    }

    fn tiles(&self) {
        /// # Tiles
        let (walk, frame) = (&self.walk, self.frame.val());
        let shape = &self._tile;
        walk.clocks.follow(&self.clocks);
        let writes = self.is(State::Write);
        walk.start.next = self.is(State::Start);
        walk.next.next = writes;
        walk.width_less_one.next = frame.width_less_one;
        walk.height_less_one.next = frame.height_less_one;
        discard(walk.is_last.val(), "an order says it");
        let is_short = frame.output == OutputFormat::Rgb565 as u64;
        /// Lines of a row of a tile: four pixels each, or eight.
        let long = shape.width() as u64 / 4;
        let along = if is_short { lit(LINE_NUMBER_BITS, long / 2) } else { lit(LINE_NUMBER_BITS, long) };
        let down = |pitch: Bits| {
            cat(&[pitch.low(LINE_NUMBER_BITS - shape.height_log2), lit(shape.height_log2, 0u32)])
        };
        discard(
            cat(&[frame.picture_pitch.high(shape.height_log2), frame.depth_pitch.high(shape.height_log2)]),
            "addresses wrap",
        );
        let ends_row = walk.ends_row.val();
        let next_row = self.picture_row.val() + down(frame.picture_pitch);
        let next_depth_row = self.depth_row.val() + down(frame.depth_pitch);
        if self.is(State::Start) {
            self.picture_row.next = frame.picture;
            self.picture.next = frame.picture;
            self.depth_row.next = frame.depth;
            self.depth.next = frame.depth;
        } else if writes {
            if ends_row {
                self.picture_row.next = next_row;
                self.depth_row.next = next_depth_row;
            }
            self.picture.next = if ends_row { next_row } else { self.picture.val() + along };
            self.depth.next = if ends_row { next_depth_row } else { self.depth.val() + long };
        }
        let TileWord { last_column, last_row, column, row } = walk.tile.val();
        discard(cat(&[column, row]), "lines say where");
        let settings = WriteSettings {
            output: frame.output,
            dithers: frame.dithers,
            writes_depth: frame.writes_depth,
            last_column,
            last_row,
            picture: self.picture.val(),
            picture_pitch: frame.picture_pitch,
            depth: self.depth.val(),
            depth_pitch: frame.depth_pitch,
        };
        if self.is(State::Room) && self.is_free() {
            self.kept.next = settings;
        }
        self.settings.next = self.kept.val();
        self.writes.next = writes;
        for unused in [
            frame.list_limit,
            frame.clear_color,
            frame.clear_depth,
            frame.tiles,
            frame.textures,
            frame.texture_count,
        ] {
            discard(unused, "others need it");
        }
        if writes || self.is(State::Turn) {
            self.bank_reg.next = !self.bank_reg.val();
        }
        self.bank.next = self.bank_reg.val();
        self.was_writing.next = self.is_writing.val();
        let is_written = self.was_writing.val() && !self.is_writing.val();
        self.clear.next = self.is(State::Clear) || self.is(State::Turn) || is_written;
        self.tile_done.next = is_written;
    }

    fn states(&self, comes: Bits, word: &ShadedQuadWord, along: &AlongWord) {
        /// # States
        if comes && word.is_end {
            self.order.next = along.order;
        }
        let order = self.order.val();
        match self.state.val() {
            State::Idle => {
                if self.start.val() {
                    self.state.next = State::Start;
                }
            }
            State::Start => self.state.next = State::Clear,
            State::Clear => self.state.next = State::Clearing,
            State::Clearing => {
                if !self.is_clearing.val() {
                    self.state.next = State::Turn;
                }
            }
            State::Turn => self.state.next = State::Draw,
            State::Draw => {
                if comes && word.is_end {
                    self.state.next = State::Drain;
                } else if comes && word.error {
                    self.state.next = State::Last;
                }
            }
            State::Drain => {
                if self.is_drained.val() {
                    if order == Order::Batch as u64 {
                        self.state.next = State::Batch;
                    } else if order == Order::TileEnd as u64 {
                        self.state.next = State::Room;
                    } else {
                        self.state.next = State::Last;
                    }
                }
            }
            State::Batch => self.state.next = State::Draw,
            State::Room => {
                if self.is_free() && !self.is_clearing.val() {
                    self.state.next = State::Write;
                }
            }
            State::Write => self.state.next = State::Draw,
            State::Last => {
                if self.is_free() {
                    self.state.next = State::End;
                }
            }
            State::End => self.state.next = State::Idle,
        }
    }
}
