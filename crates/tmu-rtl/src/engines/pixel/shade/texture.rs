//! `shade_texture`: texture instructions, a pixel a clock: where textures are looked at, what `texcrd` gives, what `texkill` and `texdepth` find.
//!
//! One unit serves a quad in four clocks, whatever arithmetic takes: a sampler seldom is faster, programs have more arithmetic than
//! textures, and three more would cost as much as all of the arithmetic of a pixel each. A quad whose next texture instruction reads coordinates
//! goes on with it before the answer has come, once other quads have had theirs, see `waiting`; answers come in order, so that the quad goes on
//! with the last of them. Behind an instruction that may change the fate of a quad it waits.
//!
//! Contract: answers and conversions have room: an instruction begins when its request, its conversion and its token have. Nothing stops
//! behind that.
//!
//! Latency: four turns of four clocks and `coordinates`, initiation interval 4. Parts of `coordinates`; FIFOs in LUT RAM.

mod parts;
mod waiting;

use super::coordinates::{Coordinates, PlaceWord, TextureWord};
use super::decode::TextureInstruction;
use super::entry::SET_BITS;
use super::program::TEXTURES_BITS;
use super::way::{
    ConvertedWord, INDEX_BITS, ROW_BITS, TEMPORARIES, TokenWord, WayWord, numbered, one_register,
};
use super::words::{
    CHANNEL_BITS, CHANNELS, COMPONENTS, ORDER_BITS, ShadeShape, TEXTURE_BITS, TextureRequestWord,
};
use crate::engines::pixel::step::Step;
use crate::engines::pixel::words::{PIXELS, SINGLE_BITS};
use parts::{Fetch, Kept, Read, SentWord, after};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;
use waiting::Waiting;

/// What is computed is there.
const EXIT: Step = Step::ENTRY.after(super::coordinates::LATENCY_CLOCKS);
/// Requests that have room: as many as are on their way to it. Quads that wait for a slow sampler wait before their request, where they can be put together.
const REQUESTS: usize = 16;
/// Conversions that have room.
const CONVERSIONS: usize = 32;
/// Tokens that have room, for each quad.
const TOKENS_OF_QUAD: usize = 4;
/// Bits of the number of a pixel.
const PIXEL_BITS: usize = 2;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct ShadeTexture {
    /// Clock and reset.
    pub clocks: Clocks,
    /// New quads that begin with a texture instruction.
    pub entered: StreamIn,
    /// A quad comes from arithmetic.
    pub passes: Net<In>,
    /// It.
    pub passed: Net<In>,
    /// What it reads comes, one a clock.
    pub operand_comes: Net<In>,
    /// Registers of the pixels of a clock.
    pub operand: Vec<Net<In>>,
    /// Slot and number of the instruction, see `shade_program`.
    pub place: Net<Out>,
    /// It, a clock later.
    pub instruction: Net<In>,
    /// The next one may follow at once.
    pub continues: Net<In>,
    /// It is the last one.
    pub is_last: Net<In>,
    /// The slot whose textures are sampled.
    pub sampled_slot: Net<Out>,
    /// Their numbers, a clock later.
    pub sampled: Net<In>,
    /// The set of coordinates, see `shade_entry`.
    pub set_place: Net<Out>,
    /// It is read.
    pub set_reads: Net<Out>,
    /// It leaves.
    pub set_leaves: Net<Out>,
    /// It, pixel by pixel.
    pub sets: Vec<Net<In>>,
    /// Which components of it have come; the others are 0.
    pub set_is_there: Net<In>,
    /// What textures are asked, see [`TextureRequestWord`].
    pub requests: StreamOut,
    /// Converted coordinates.
    pub converted: StreamOut,
    /// What is to be waited for.
    pub tokens: StreamOut,
    /// Depths of a quad are there.
    pub has_depths: Net<Out>,
    /// Which.
    pub depth_quad: Net<Out>,
    /// They.
    pub depths: Net<Out>,
    turn: Reg,
    /// The turn is the last one.
    is_end: Reg,
    fetch: Fetch,
    read: Read,
    send: Read,
    texture: Reg,
    rooms: Vec<Reg>,
    kept: Vec<Kept>,
    waiting: Waiting,
    operands: SyncFifo,
    request_fifo: SyncFifo,
    converted_fifo: SyncFifo,
    token_fifo: SyncFifo,
    coordinates: Coordinates,
    pipe: Pipe<Step>,
    _shape: ShadeShape,
}

impl ShadeTexture {
    /// The part for a shape.
    #[must_use]
    pub fn new(shape: &ShadeShape) -> ShadeTexture {
        let clocks = Clocks::new();
        let way = WayWord::of(shape).width();
        let tokens = TOKENS_OF_QUAD * shape.quads();
        let room = |depth: usize| Reg::with_reset(&clocks, depth.ilog2() as usize + 1, 0);
        let texture = ShadeTexture {
            entered: StreamIn::new(way),
            passes: Net::bit(),
            passed: Net::new(way),
            operand_comes: Net::bit(),
            operand: Net::array(shape.lanes, ROW_BITS),
            place: Net::new(shape.slots_log2 + INDEX_BITS),
            instruction: Net::new(TextureInstruction::shape().width()),
            continues: Net::bit(),
            is_last: Net::bit(),
            sampled_slot: Net::new(shape.slots_log2),
            sampled: Net::new(TEXTURES_BITS),
            set_place: Net::new(shape.quads_log2 + SET_BITS),
            set_reads: Net::bit(),
            set_leaves: Net::bit(),
            sets: Net::array(PIXELS, CHANNELS * SINGLE_BITS),
            set_is_there: Net::new(CHANNELS),
            requests: StreamOut::new(TextureRequestWord::shape().width()),
            converted: StreamOut::new(ConvertedWord::shape().width()),
            tokens: StreamOut::new(TokenWord::of(shape).width()),
            has_depths: Net::bit(),
            depth_quad: Net::new(shape.quads_log2),
            depths: Net::new(PIXELS * SINGLE_BITS),
            turn: Reg::with_reset(&clocks, PIXEL_BITS, 0),
            is_end: Reg::with_reset(&clocks, 1, 0),
            fetch: Fetch::new(shape, &clocks),
            read: Read::new(shape, &clocks),
            send: Read::new(shape, &clocks),
            texture: Reg::new(&clocks, TEXTURE_BITS),
            rooms: vec![room(REQUESTS), room(CONVERSIONS), room(tokens)],
            kept: (1..PIXELS).map(|_| Kept::new(&clocks)).collect(),
            waiting: Waiting::new(shape, &clocks),
            operands: SyncFifo::new(shape.quads() * shape.turns(), shape.lanes * ROW_BITS),
            request_fifo: SyncFifo::new(REQUESTS, TextureRequestWord::shape().width()),
            converted_fifo: SyncFifo::new(CONVERSIONS, ConvertedWord::shape().width()),
            token_fifo: SyncFifo::new(tokens, TokenWord::of(shape).width()),
            coordinates: Coordinates::new(),
            pipe: Pipe::with(EXIT.all()).keep_in(Keep::ShiftRegisters),
            clocks,
            _shape: *shape,
        };
        texture.pipe.plan(&texture.clocks, || texture.logic());
        texture
    }
}

/// Quads to requests.
#[kernel]
impl ShadeTexture {
    fn module_name(&self) -> String {
        "shade_texture".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        let turn = self.turn.val();
        self.turn.next = turn + 1;
        self.is_end.next = turn == (PIXELS - 2) as u64;
        self.operands();
        self.fetch();
        self.read();
        let (valid, sent, found) = self.send(&pipe);
        self.leave(valid.at(EXIT), &sent.at(EXIT), &found.at(EXIT));
    }

    fn operands(&self) {
        /// # Operands
        self.operands.clocks.follow(&self.clocks);
        self.operands.input.valid.next = self.operand_comes.val();
        self.operands.input.data.next = stack(self.operand.iter().map(Net::val));
        discard(cat(&[self.operands.input.ready.val(), self.operands.level.val()]), "all quads have room");
    }

    fn fetch(&self) {
        /// # Fetch
        let (fetch, read) = (&self.fetch, &self.read);
        let own = fetch.way.val();
        self.place.next = cat(&[own.slot, own.index]);
        discard(own.is_done, "it has an instruction");
        let instruction = TextureInstruction::shape().unpack(self.instruction.val());
        /// Behind the last place of all nothing follows, whatever stands there.
        let is_last = self.is_last.val() || own.index.all();
        fetch.is_last.next = is_last;
        fetch.continues.next = fetch.valid.val() && self.continues.val() && !is_last;
        fetch.has_room.next = stack(self.rooms.iter().map(|room| !room.val().high(1))).all();
        let (continues, has_room) = (fetch.continues.val(), fetch.has_room.val());
        let next = after(&own, &instruction, fetch.is_last.val());
        let is_end = self.is_end.val();
        let goes = is_end && fetch.valid.val() && has_room;
        let moves = is_end && (has_room || !fetch.valid.val());
        let shape = WayWord::of(&self._shape);
        let passed = (self.passes.val(), self.passed.val());
        waiting::wait(
            &self.waiting,
            &self.clocks,
            passed,
            &self.entered,
            (goes && continues, shape.pack(&next)),
        );
        let taken = waiting::next(&self.waiting, moves);
        if moves {
            fetch.valid.next = taken.comes;
            fetch.has_operand.next = taken.has_operand;
            fetch.goes_on.next = taken.goes_on;
            fetch.way.next = shape.unpack(taken.way);
        }
        if is_end {
            read.valid.next = goes;
            read.has_operand.next = fetch.has_operand.val();
            read.goes_on.next = fetch.goes_on.val();
            read.ends.next = !continues;
            read.fills.next = !(own.colors & one_register(instruction.destination)).any();
            read.instruction.next = &instruction;
            read.way.next = next;
        }
        let begins = [goes && instruction.samples, goes && instruction.converts, goes];
        let ends = [self.requests.moves(), self.converted.moves(), self.tokens.moves()];
        for (room, (begins, ends)) in self.rooms.iter().zip(begins.into_iter().zip(ends)) {
            let open = room.val();
            let more = open + 1;
            let less = open - 1;
            if begins && !ends {
                room.next = more;
            } else if ends && !begins {
                room.next = less;
            }
        }
    }

    fn read(&self) {
        /// # Coordinates are read
        let (read, send) = (&self.read, &self.send);
        let (way, instruction) = (read.way.val(), read.instruction.val());
        self.sampled_slot.next = way.slot;
        self.set_place.next = cat(&[way.quad, instruction.set]);
        let turn = self.turn.val();
        let is_end = self.is_end.val();
        self.set_reads.next = turn == 1;
        self.set_leaves.next = is_end;
        let sampled = self.sampled.val();
        let textures: Vec<Bits> =
            (0..TEMPORARIES).map(|stage| sampled.slice(stage * TEXTURE_BITS, TEXTURE_BITS)).collect();
        if is_end {
            send.valid.next = read.valid.val();
            send.has_operand.next = read.has_operand.val();
            send.goes_on.next = read.goes_on.val();
            send.ends.next = read.ends.val();
            send.fills.next = read.fills.val();
            send.instruction.next = &instruction;
            send.way.next = way;
            self.texture.next = numbered(&textures, instruction.destination);
        }
    }

    /// A pixel a clock: whether there is one that ends its quad, what goes along, what is found.
    fn send<'a>(&self, pipe: &Run<'a, Step>) -> Sent<'a> {
        /// # Pixels
        let send = &self.send;
        let turn = self.turn.val();
        let instruction = send.instruction.val();
        discard(instruction.set, "it is read");
        let sets: Vec<Bits> = self.sets.iter().map(Net::val).collect();
        let set = numbered(&sets, turn);
        let operands = self.operands.output.data.val();
        let rows: Vec<Bits> =
            (0..self._shape.lanes).map(|lane| operands.slice(lane * ROW_BITS, ROW_BITS)).collect();
        let row = numbered(&rows, turn);
        let is_end = self.is_end.val();
        let leaves = if self._shape.lanes == 1 { lit(1, 1u32) } else { is_end };
        self.operands.output.ready.next = send.valid.val() && send.has_operand.val() && leaves;
        discard(self.operands.output.valid.val(), "it is there before its quad");
        let valid = pipe.flag(Step::ENTRY, "valid", send.valid.val() && is_end);
        let sent = SentWord {
            instruction: instruction.clone(),
            texture: self.texture.val(),
            ends: send.ends.val(),
            goes_on: send.goes_on.val(),
            fills: send.fills.val(),
            way: send.way.val(),
        };
        let sent = pipe.put(Step::ENTRY, "sent", sent);
        let source = TextureWord {
            is_register: instruction.is_register,
            takes_fourth: instruction.takes_fourth,
            divides_by_third: instruction.divides_by_third,
            divides_by_fourth: instruction.divides_by_fourth,
            divides_by_second: instruction.gives_depth,
            set: [0, 1, 2, 3].map(|channel: usize| {
                let is_there = self.set_is_there.val().bit(channel);
                set.slice(channel * SINGLE_BITS, SINGLE_BITS) & is_there.repeat(SINGLE_BITS)
            }),
            register: [0, 1, 2, 3].map(|channel: usize| row.slice(channel * CHANNEL_BITS, CHANNEL_BITS)),
        };
        let found = pipe.through(Step::ENTRY, "found", &self.coordinates, source);
        (valid, sent, found)
    }

    fn leave(&self, valid: Bits, sent: &SentWord, found: &PlaceWord) {
        /// # What is found
        for (number, kept) in self.kept.iter().enumerate() {
            let next = self.kept.get(number + 1);
            for component in 0..COMPONENTS {
                kept.place[component].next =
                    next.map_or(found.place[component], |next| next.place[component].val());
                kept.register[component].next =
                    next.map_or(found.register[component], |next| next.register[component].val());
            }
            kept.is_killed.next = next.map_or(found.is_killed, |next| next.is_killed.val());
        }
        let component = |pixel: usize, component: usize| match self.kept.get(pixel) {
            Some(kept) => [kept.place[component].val(), kept.register[component].val()],
            None => [found.place[component], found.register[component]],
        };
        let each = |which: usize| {
            [0, 1, 2, 3].map(|pixel: usize| [0, 1, 2].map(|at: usize| component(pixel, at)[which]))
        };
        let places = each(0);
        let killed = self.kept.iter().map(|kept| kept.is_killed.val()).chain([found.is_killed]);
        let killed = stack(killed) & sent.instruction.kills.repeat(PIXELS);
        let (instruction, way) = (&sent.instruction, &sent.way);
        /// # Requests, conversions, depths
        for fifo in [&self.request_fifo, &self.converted_fifo, &self.token_fifo] {
            fifo.clocks.follow(&self.clocks);
            discard(cat(&[fifo.input.ready.val(), fifo.level.val()]), "there is room");
        }
        self.request_fifo.input.valid.next = valid && instruction.samples;
        let place = cat(&[way.round, way.quad]);
        let below = ORDER_BITS - place.width();
        let order = if below > 0 { cat(&[place, lit(below, 0u32)]) } else { place };
        let request = TextureRequestWord { texture: sent.texture, order, places };
        self.request_fifo.input.data.next = TextureRequestWord::shape().pack(&request);
        self.requests.forward(&self.request_fifo.output);
        self.converted_fifo.input.valid.next = valid && instruction.converts;
        self.converted_fifo.input.data.next = ConvertedWord::shape().pack(&ConvertedWord { pixels: each(1) });
        self.converted.forward(&self.converted_fifo.output);
        self.has_depths.next = valid && instruction.gives_depth;
        self.depth_quad.next = way.quad;
        self.depths.next = stack(places.iter().map(|place| place[0]));
        /// # Tokens
        let mut way = way.clone();
        way.fate.killed = way.fate.killed | killed;
        way.fate.has_depth = way.fate.has_depth || instruction.gives_depth;
        self.token_fifo.input.valid.next = valid;
        self.token_fifo.input.data.next = TokenWord::of(&self._shape).pack(&TokenWord {
            samples: instruction.samples,
            converts: instruction.converts,
            destination: instruction.destination,
            mask: instruction.mask | instruction.samples.repeat(CHANNELS),
            fills: sent.fills,
            wakes: sent.ends,
            goes_on: sent.goes_on,
            way,
        });
        self.tokens.forward(&self.token_fifo.output);
    }
}

type Sent<'a> = (Payload<'a, Step, Bits>, Payload<'a, Step, SentWord>, Payload<'a, Step, PlaceWord>);
