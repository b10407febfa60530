//! `shade_issue`: an instruction or a pair of some quad in every turn: fetched, its sources read, computed, its result written.
//!
//! A turn is as many clocks as arithmetic takes for a quad. Whose answers have come goes first, then who has run an instruction, then who
//! is new. A quad has one instruction on its way, so that nothing waits for a result; other quads fill the pipeline. A texture
//! instruction passes, too, if it stands behind arithmetic or reads a register: its operand goes on to `shade_texture`. A turn is
//! left out for each row of registers that a texture writes, so that it finds room.
//!
//! Contract: as many quads as the ring has may wait; nothing stops. A result is written before its quad is looked at again.
//!
//! Latency: a quad's next instruction begins [`LOOP_CLOCKS`] after the one before at the earliest, initiation interval one turn.

use super::arithmetic::Arithmetic;
use super::decode::{HalfWord, is_texture};
use super::registers::READS;
use super::way::{
    FateWord, INDEX_BITS, REGISTER_BITS, ROW_BITS, TEMPORARIES, WayWord, WriteWord, enables, one_register,
};
use super::words::{ArithmeticWord, CHANNEL_BITS, CHANNELS, SOURCES, ShadeShape};
use crate::engines::pixel::step::Step;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;

/// The instruction is fetched, and the quad's registers are read.
const WORD: Step = Step::ENTRY.after(2);
/// Registers of the quad stand there.
const ROWS: Step = WORD.after(1);
/// What each source reads.
const OPERANDS: Step = ROWS.after(1);
/// A clock before the result.
const BEFORE: Step = OPERANDS.after(super::arithmetic::LATENCY_CLOCKS - 1);
/// The result.
const RESULT: Step = BEFORE.after(1);
/// Clocks from the exit of a quad to the clock in which its registers are read again: the FIFO, the choice, the fetch.
const AGAIN_CLOCKS: usize = 2 + 1 + WORD.clocks();
/// Clocks from a result to its register: `shade_registers` chooses, and writes.
const WRITE_CLOCKS: usize = 2;
/// The quad goes on to its next instruction, so late that it reads what is written.
const AGAIN: Step = Step::ENTRY.after(RESULT.clocks() + WRITE_CLOCKS - AGAIN_CLOCKS);
/// The last result is written.
const FINISH: Step = RESULT.after(WRITE_CLOCKS);
/// Clocks from an instruction of a quad to its next one, at least.
pub const LOOP_CLOCKS: usize = AGAIN.clocks() + 2 + 1;
/// Bits of the number of turns to leave out.
const OWED_BITS: usize = 5;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct ShadeIssue {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Quads whose answers have come.
    pub woken: StreamIn,
    /// New quads.
    pub entered: StreamIn,
    /// A texture has a row to write: a turn is left out.
    pub owes: Net<In>,
    /// Slot and number of the instruction, see `shade_program`.
    pub place: Net<Out>,
    /// Halves, two clocks later.
    pub halves: [Net<In>; 2],
    /// It is the last one, a clock later.
    pub is_last: Net<In>,
    /// Constants: slot and number.
    pub constant_places: Vec<Net<Out>>,
    /// The matrix for `bem`: slot and number.
    pub bump_place: Net<Out>,
    /// It, a clock later.
    pub bump: Net<In>,
    /// The quad whose registers are read.
    pub quad: Net<Out>,
    /// Which of them hold a colour.
    pub holds_colors: Net<Out>,
    /// Which hold an alpha.
    pub holds_alphas: Net<Out>,
    /// The pixel that is read.
    pub turn: Optional<Net<Out>>,
    /// A clock later, the registers that sources read.
    pub places: Vec<Net<Out>>,
    /// A clock later, which sources read constants instead.
    pub are_constants: Net<Out>,
    /// Two clocks later, what they hold.
    pub operands: Vec<Net<In>>,
    /// A result is there in the next clock.
    pub will_write: Net<Out>,
    /// A result is there.
    pub writes: Net<Out>,
    /// Where it goes.
    pub write: WriteFields,
    /// Its pixel, and that of a texture that writes in its place.
    pub write_turn: Optional<Net<Out>>,
    /// Results, pixel by pixel.
    pub results: Vec<Net<Out>>,
    /// Quads whose texture instruction is next. There is room.
    pub to_texture: SendWay,
    /// Their operands, one a clock.
    pub operand: SendOperand,
    /// A quad ends.
    pub finishes: Net<Out>,
    /// Which.
    pub finished: Net<Out>,
    /// What becomes of it.
    pub fate: FateWord<Field<Out>>,
    /// Whether r0 holds a colour, and an alpha.
    pub holds: Net<Out>,
    current: Current,
    again: SyncFifo,
    lanes: Vec<Arithmetic>,
    pipe: Pipe<Step>,
    _shape: ShadeShape,
}

type WriteFields = WriteWord<Field<Out>>;

/// Quads without a handshake.
#[derive(Bundle)]
pub struct SendWay {
    /// One goes.
    pub valid: Net<Out>,
    /// It.
    pub data: Net<Out>,
}

/// Operands without a handshake.
#[derive(Bundle)]
pub struct SendOperand {
    /// One goes.
    pub valid: Net<Out>,
    /// Registers of the pixels of a clock.
    pub data: Vec<Net<Out>>,
}

/// What is fetched.
#[derive(Bundle)]
struct Current {
    valid: Reg,
    way: WayWord<FieldReg>,
    turn: Optional<Reg>,
    is_end: Optional<Reg>,
    owed: Reg,
    /// There are such turns; where a turn has several clocks there is one to find it out.
    is_owed: Optional<Reg>,
}

impl ShadeIssue {
    /// The part for a shape.
    #[must_use]
    pub fn new(shape: &ShadeShape) -> ShadeIssue {
        let clocks = Clocks::new();
        let way = WayWord::of(shape).width();
        let has_turns = shape.turns() > 1;
        let turn = || Optional::new(has_turns, || Net::new(shape.turn_bits()));
        let of_slot = shape.slots_log2 + REGISTER_BITS;
        let issue = ShadeIssue {
            woken: StreamIn::new(way),
            entered: StreamIn::new(way),
            owes: Net::bit(),
            place: Net::new(shape.slots_log2 + INDEX_BITS),
            halves: [(); 2].map(|()| Net::new(HalfWord::shape().width())),
            is_last: Net::bit(),
            constant_places: Net::array(READS, of_slot),
            bump_place: Net::new(of_slot),
            bump: Net::new(ROW_BITS),
            quad: Net::new(shape.quads_log2),
            holds_colors: Net::new(TEMPORARIES),
            holds_alphas: Net::new(TEMPORARIES),
            turn: turn(),
            places: Net::array(READS, REGISTER_BITS),
            are_constants: Net::new(READS),
            operands: Net::array(shape.lanes * READS, ROW_BITS),
            will_write: Net::bit(),
            writes: Net::bit(),
            write: WriteWord::of(shape).nets(),
            write_turn: turn(),
            results: Net::array(shape.lanes, ROW_BITS),
            to_texture: SendWay { valid: Net::bit(), data: Net::new(way) },
            operand: SendOperand { valid: Net::bit(), data: Net::array(shape.lanes, ROW_BITS) },
            finishes: Net::bit(),
            finished: Net::new(shape.quads_log2),
            fate: FateWord::shape().nets(),
            holds: Net::new(2),
            current: Current {
                valid: Reg::with_reset(&clocks, 1, 0),
                way: WayWord::of(shape).registers(&clocks),
                turn: Optional::new(has_turns, || Reg::with_reset(&clocks, shape.turn_bits(), 0)),
                is_end: Optional::new(has_turns, || Reg::with_reset(&clocks, 1, 0)),
                owed: Reg::with_reset(&clocks, OWED_BITS, 0),
                is_owed: Optional::new(has_turns, || Reg::with_reset(&clocks, 1, 0)),
            },
            again: SyncFifo::new(shape.quads(), way),
            lanes: (0..shape.lanes).map(|_| Arithmetic::new()).collect(),
            pipe: Pipe::with(FINISH.all()).keep_in(Keep::ShiftRegisters),
            clocks,
            _shape: *shape,
        };
        issue.pipe.plan(&issue.clocks, || issue.logic());
        issue
    }
}

type Fetched<'a, W> = Payload<'a, Step, W>;

/// Quads to results.
#[kernel]
impl ShadeIssue {
    fn module_name(&self) -> String {
        "shade_issue".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        timing(LOOP_CLOCKS as u32, self._shape.turns() as u32);
        self.choose();
        /// # Fetch
        let current = &self.current;
        let own = current.way.val();
        self.place.next = cat(&[own.slot, own.index]);
        let valid = pipe.flag(Step::ENTRY, "valid", current.valid.val());
        let way = pipe.put(Step::ENTRY, "way", own);
        let turn = current.turn.as_ref().map(|turn| pipe.put(Step::ENTRY, "turn", turn.val()));
        let is_end = match &*current.is_end {
            Some(is_end) => is_end.val(),
            None => lit(1, 1u32),
        };
        let is_end = pipe.put(Step::ENTRY, "is_end", is_end);
        /// Behind the last place of all nothing follows, whatever stands there.
        let fetched = Step::ENTRY.after(1);
        let is_last = self.is_last.val() || way.at(fetched).index.all();
        let is_last = pipe.put(fetched, "is_last", is_last);
        let halves = [0, 1].map(|half: usize| HalfWord::shape().unpack(self.halves[half].val()));
        let halves = pipe.put(WORD, "half", halves);
        /// # Registers
        let own = way.at(WORD);
        self.quad.next = own.quad;
        self.holds_colors.next = own.colors;
        self.holds_alphas.next = own.alphas;
        if let (Some(net), Some(turn)) = (&*self.turn, &turn) {
            net.next = turn.at(WORD);
        }
        if let (Some(net), Some(turn)) = (&*self.write_turn, &turn) {
            net.next = turn.at(RESULT);
        }
        let results = self.compute(&pipe, &way, &halves);
        /// # Which unit
        let is_texture = is_texture(halves.at(ROWS)[0].operation.operation);
        let counts = valid.at(ROWS) && !way.at(ROWS).is_done;
        let passes = pipe.flag(ROWS, "passes", counts && is_texture);
        let runs = pipe.flag(ROWS, "runs", counts && !is_texture);
        let ends = valid.at(ROWS) && (way.at(ROWS).is_done || (!is_texture && is_last.at(ROWS)));
        let ends = pipe.flag(ROWS, "ends", ends && is_end.at(ROWS));
        self.operand.valid.next = passes.at(OPERANDS);
        for (lane, net) in self.operand.data.iter().enumerate() {
            net.next = self.operands[lane * READS].val();
        }
        let shape = WayWord::of(&self._shape);
        self.to_texture.valid.next = passes.at(OPERANDS) && is_end.at(OPERANDS);
        self.to_texture.data.next = shape.pack(&way.at(OPERANDS));
        /// # Results
        let own = way.at(ROWS);
        let both = halves.at(ROWS);
        let write = pipe.put(ROWS, "write", write(&own, &both));
        self.will_write.next = runs.at(BEFORE);
        self.writes.next = runs.at(RESULT);
        self.write.next = write.at(RESULT);
        for (net, result) in self.results.iter().zip(results) {
            net.next = result;
        }
        /// # What follows
        let goes = counts && !is_texture && !is_last.at(ROWS);
        let goes = pipe.flag(ROWS, "goes", goes && is_end.at(ROWS));
        let behind = after(&own, &both);
        let (is_done, alphas, colors) = (own.is_done, behind.alphas, behind.colors);
        let next = pipe.put(ROWS, "next", behind);
        self.again.clocks.follow(&self.clocks);
        self.again.input.valid.next = goes.at(AGAIN);
        self.again.input.data.next = shape.pack(&next.at(AGAIN));
        discard(cat(&[self.again.input.ready.val(), self.again.level.val()]), "all quads have room");
        let held = |own: Bits, behind: Bits| if is_done { own.bit(0) } else { behind.bit(0) };
        let (alpha, color) = (held(own.alphas, alphas), held(own.colors, colors));
        let holds = pipe.put(ROWS, "holds", cat(&[alpha, color]));
        self.finishes.next = ends.at(FINISH);
        self.finished.next = way.at(FINISH).quad;
        self.fate.next = way.at(FINISH).fate;
        self.holds.next = holds.at(FINISH);
    }

    fn choose(&self) {
        /// # Who is next
        let current = &self.current;
        let owed = current.owed.val();
        let is_end = match (&*current.turn, &*current.is_end) {
            (Some(turn), Some(is_end)) => {
                turn.next = turn.val() + 1;
                is_end.next = turn.val() == (self._shape.turns() - 2) as u64;
                is_end.val()
            }
            _ => lit(1, 1u32),
        };
        let is_owed = match &*current.is_owed {
            Some(is_owed) => {
                is_owed.next = owed.any();
                is_owed.val()
            }
            None => owed.any(),
        };
        let (woken, again, entered) = (&self.woken, &self.again.output, &self.entered);
        let (is_woken, is_again) = (woken.valid.val(), again.valid.val());
        let shape = WayWord::of(&self._shape);
        let first = shape.unpack(woken.data.val());
        /// Who ends writes nothing, so that its turn is free.
        let takes = is_end && (!is_owed || (is_woken && first.is_done));
        woken.ready.next = takes;
        again.ready.next = takes && !is_woken;
        entered.ready.next = takes && !is_woken && !is_again;
        if is_end {
            let others = if is_again { again.data.val() } else { entered.data.val() };
            current.valid.next = takes && (is_woken || is_again || entered.valid.val());
            current.way.next = if is_woken { first } else { shape.unpack(others) };
        }
        let pays = is_end && is_owed;
        let more = owed + 1;
        let less = owed - 1;
        if self.owes.val() && !pays {
            current.owed.next = more;
        } else if pays && !self.owes.val() {
            current.owed.next = less;
        }
    }

    /// The pixels of a clock through arithmetic: at [`RESULT`].
    fn compute<'a>(
        &self,
        pipe: &Run<'a, Step>,
        way: &Fetched<'a, WayWord>,
        halves: &Fetched<'a, [HalfWord; 2]>,
    ) -> Vec<Bits> {
        /// # Sources
        let (fetched, read) = (halves.at(WORD), halves.at(ROWS));
        for (number, (place, constant)) in self.places.iter().zip(&self.constant_places).enumerate() {
            let (half, source) = (number / SOURCES, number % SOURCES);
            place.next = read[half].places[source];
            constant.next = cat(&[way.at(WORD).slot, fetched[half].places[source]]);
        }
        self.are_constants.next = cat(&[read[1].are_constants, read[0].are_constants]);
        let slot = way.at(ROWS).slot;
        self.bump_place.next = cat(&[slot, read[0].destination]);
        let own = halves.at(OPERANDS);
        let channels =
            |row: Bits| [0, 1, 2, 3].map(|channel: usize| row.slice(channel * CHANNEL_BITS, CHANNEL_BITS));
        let bump = channels(self.bump.val());
        let mut results = vec![];
        for (lane, arithmetic) in self.lanes.iter().enumerate() {
            let registers = [0, 1].map(|half: usize| {
                [0, 1, 2].map(|source: usize| {
                    let number = half * SOURCES + source;
                    channels(self.operands[lane * READS + number].val())
                })
            });
            let operations = [0, 1].map(|half: usize| own[half].operation.clone());
            let word = ArithmeticWord { halves: operations, registers, bump };
            let result = pipe.through(OPERANDS, &format!("result_{lane}"), arithmetic, word);
            results.push(stack(result.at(RESULT)));
        }
        results
    }
}

/// What an instruction writes.
#[kernel]
fn write(way: &WayWord, halves: &[HalfWord; 2]) -> WriteWord {
    let [color, alpha] = halves;
    let holds = (way.colors & one_register(color.destination)).any();
    let mask = cat(&[alpha.mask.high(1), color.mask.low(CHANNELS - 1)]);
    discard(cat(&[color.mask.high(1), alpha.mask.low(CHANNELS - 1)]), "of the other half");
    let [enables, clears] = enables(mask, holds);
    WriteWord { quad: way.quad, color: color.destination, alpha: alpha.destination, enables, clears }
}

/// A quad behind an instruction.
#[kernel]
fn after(way: &WayWord, halves: &[HalfWord; 2]) -> WayWord {
    let [color, alpha] = halves;
    let writes_color = color.mask.low(CHANNELS - 1).any();
    let writes_alpha = alpha.mask.high(1);
    WayWord {
        index: way.index + 1,
        colors: way.colors | (one_register(color.destination) & writes_color.repeat(TEMPORARIES)),
        alphas: way.alphas | (one_register(alpha.destination) & writes_alpha.repeat(TEMPORARIES)),
        ..way.clone()
    }
}
