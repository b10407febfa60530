//! `shade_answers`: what texture instructions give goes to registers in their order, and their quads go on.
//!
//! Channels of textures become registers: `floor((c·4096 + 32767) / 65535)` is `(c + 8) >> 4`, for all c of 16 bits. A row is
//! written in a turn in which arithmetic writes nothing; for each that waits, one such turn is asked for.
//!
//! Contract: an answer is taken as soon as its token is there and some rows have room. A quad goes on behind its last answer.
//!
//! Latency: 2 clocks and the wait for a turn, initiation interval one turn. LUT RAM only.

use super::way::{ConvertedWord, ROW_BITS, TokenWord, WayWord, WriteWord, enables, numbered};
use super::words::{CHANNEL_BITS, SAMPLE_BITS, ShadeShape, TextureAnswerWord};
use crate::engines::pixel::words::PIXELS;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DistributedRam, SyncFifo};

/// Rows that wait for a turn.
const ROWS: usize = 16;
/// Bits of a sample that are below a register's.
const DROPPED_BITS: usize = 4;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct ShadeAnswers {
    /// Clock and reset.
    pub clocks: Clocks,
    /// What is to be waited for, see `shade_texture`.
    pub tokens: StreamIn,
    /// Answers, see [`TextureAnswerWord`].
    pub answers: StreamIn,
    /// Converted coordinates.
    pub converted: StreamIn,
    /// A row waits.
    pub owes: Net<Out>,
    /// Arithmetic writes in the next clock.
    pub is_busy: Net<In>,
    /// The pixel that is written, where they come one after the other.
    pub turn: Optional<Net<In>>,
    /// A row is written.
    pub writes: Net<Out>,
    /// Where.
    pub write: WriteWord<Field<Out>>,
    /// What, pixel by pixel.
    pub results: Vec<Net<Out>>,
    /// Quads that go on.
    pub woken: StreamOut,
    /// Of each quad: a texture could not be read, of those that it has looked at since it went on.
    errors: DistributedRam,
    is_writing: Reg,
    held: WriteWord<FieldReg>,
    held_pixels: Vec<Reg>,
    rows: SyncFifo,
    woken_fifo: SyncFifo,
    _shape: ShadeShape,
}

/// A row that waits.
#[derive(Clone, Debug, Record)]
struct RowWord<T = Bits> {
    token: TokenWord<T>,
    pixels: [T; PIXELS],
}

fn row_word(shape: &ShadeShape) -> RowWord<Width> {
    RowWord { token: TokenWord::of(shape), pixels: [Width::bits(ROW_BITS); PIXELS] }
}

impl ShadeAnswers {
    /// The part for a shape.
    #[must_use]
    pub fn new(shape: &ShadeShape) -> ShadeAnswers {
        let clocks = Clocks::new();
        let has_turns = shape.turns() > 1;
        let way = WayWord::of(shape).width();
        ShadeAnswers {
            tokens: StreamIn::new(TokenWord::of(shape).width()),
            answers: StreamIn::new(TextureAnswerWord::shape().width()),
            converted: StreamIn::new(ConvertedWord::shape().width()),
            owes: Net::bit(),
            is_busy: Net::bit(),
            turn: Optional::new(has_turns, || Net::new(shape.turn_bits())),
            writes: Net::bit(),
            write: WriteWord::of(shape).nets(),
            results: Net::array(shape.lanes, ROW_BITS),
            woken: StreamOut::new(way),
            errors: DistributedRam::new(shape.quads(), 1),
            is_writing: Reg::with_reset(&clocks, 1, 0),
            held: WriteWord::of(shape).registers(&clocks),
            held_pixels: Reg::array(PIXELS, &clocks, ROW_BITS),
            rows: SyncFifo::new(ROWS, row_word(shape).width()),
            woken_fifo: SyncFifo::new(shape.quads(), way),
            clocks,
            _shape: *shape,
        }
    }
}

/// A channel of a texture as a register holds it.
#[kernel]
fn from_texture(sample: Bits) -> Bits {
    let kept = sample.high(SAMPLE_BITS - DROPPED_BITS).zero_extend(CHANNEL_BITS);
    discard(sample.low(DROPPED_BITS - 1), "it is rounded");
    kept + sample.bit(DROPPED_BITS - 1).zero_extend(CHANNEL_BITS)
}

/// Answers to rows of registers.
#[kernel]
impl ShadeAnswers {
    fn module_name(&self) -> String {
        "shade_answers".into()
    }

    fn logic(&self) {
        self.take();
        self.put();
    }

    fn take(&self) {
        /// # Answers
        let mut token = TokenWord::of(&self._shape).unpack(self.tokens.data.val());
        let (answers, converted) = (&self.answers, &self.converted);
        let has_room = self.rows.input.ready.val();
        let owes_other = !token.converts || converted.valid.val();
        let is_there = if token.samples { answers.valid.val() } else { owes_other };
        let takes = self.tokens.valid.val() && has_room;
        self.tokens.ready.next = is_there && has_room;
        answers.ready.next = takes && token.samples;
        converted.ready.next = takes && token.converts;
        let moves = takes && is_there;
        let writes = token.samples || token.converts;
        self.owes.next = moves && writes;
        let answer = TextureAnswerWord::shape().unpack(answers.data.val());
        let errors = &self.errors;
        errors.clocks.follow(&self.clocks);
        errors.read_address.next = token.way.quad;
        let error = (errors.read_data.val() && token.goes_on) || (token.samples && answer.error);
        errors.write_enable.next = moves;
        errors.write_address.next = token.way.quad;
        errors.write_data.next = error;
        token.way.fate.error = token.way.fate.error || error;
        let own = ConvertedWord::shape().unpack(converted.data.val());
        let pixels = [0, 1, 2, 3].map(|pixel: usize| {
            let sampled = stack(answer.channels[pixel].map(from_texture));
            let coordinates = stack(own.pixels[pixel]).zero_extend(ROW_BITS);
            if token.samples { sampled } else { coordinates }
        });
        let rows = &self.rows;
        rows.clocks.follow(&self.clocks);
        rows.input.valid.next = moves;
        rows.input.data.next = row_word(&self._shape).pack(&RowWord { token, pixels });
        discard(rows.level.val(), "ready says enough");
    }

    fn put(&self) {
        /// # Rows
        let rows = &self.rows.output;
        let next = row_word(&self._shape).unpack(rows.data.val());
        discard(next.token.goes_on, "its errors are put together");
        let writes = next.token.samples || next.token.converts;
        let is_writing = self.is_writing.val();
        /// The last clock of a turn decides on the next one.
        let is_last = match &*self.turn {
            Some(turn) => turn.val().all(),
            None => lit(1, 1u32),
        };
        let starts = is_last && rows.valid.val() && writes && !self.is_busy.val();
        self.is_writing.next = starts || (is_writing && !is_last);
        let leaves = starts || (rows.valid.val() && !writes);
        rows.ready.next = leaves;
        let RowWord { token, pixels } = next;
        let [enables, clears] = enables(token.mask, !token.fills);
        if starts {
            self.held.next = WriteWord {
                quad: token.way.quad,
                color: token.destination,
                alpha: token.destination,
                enables,
                clears,
            };
            for (held, pixel) in self.held_pixels.iter().zip(pixels) {
                held.next = pixel;
            }
        }
        self.writes.next = is_writing;
        self.write.next = self.held.val();
        let pixels: Vec<Bits> = self.held_pixels.iter().map(Reg::val).collect();
        let turn = self.turn.as_ref().map(Net::val);
        for (lane, net) in self.results.iter().enumerate() {
            net.next = match turn {
                Some(turn) => numbered(&pixels, turn),
                None => pixels[lane],
            };
        }
        /// # Quads that go on
        let woken = &self.woken_fifo;
        woken.clocks.follow(&self.clocks);
        woken.input.valid.next = leaves && token.wakes;
        woken.input.data.next = WayWord::of(&self._shape).pack(&token.way);
        discard(cat(&[woken.input.ready.val(), woken.level.val()]), "all quads have room");
        self.woken.forward(&woken.output);
    }
}
