//! `sampling`: between the shader and a texture unit: which texture a quad reads, and what was wrong with it.
//!
//! Bindings are read from the store of textures in memory when they are first asked for, and stay in the unit's parameter store: the lowest bits of a texture's number say in
//! which entry. Quads of one texture follow each other without a gap; another one is named first. A binding is read when all quads before have been answered, so that it
//! is known whose rules are broken. The unit's cache is emptied with the first use of a frame.
//!
//! What could not be read is answered with an error, and what is asked behind it as if nothing had been wrong: quads in front of the one that failed still ask,
//! and their tiles are written. Where memory answers out of step nothing more is read, and all is answered with errors.
//!
//! Contract: the stage is reset between frames. While `stops` is high answers are dropped, and `is_quiet` comes when none is to come.
//!
//! Cost: a clock a quad; four clocks for a change of texture, and what the unit needs for it; a read of five lines for each texture of a frame. Four RAMs of LUTs and a FIFO.

mod faults;

use super::reads::{AskWord, CameWord};
use super::records::nth;
use super::shade::words::{
    CHANNELS, ORDER_BITS, SAMPLE_BITS, TEXTURE_BITS, TextureAnswerWord, TextureRequestWord,
};
use super::tile_fetch::words::FaultWord;
use super::words::{LINE_NUMBER_BITS, PIXELS, RECORD_LINES_BITS};
use crate::engine::count::counted;
use crate::engine::memory::LINE_BITS;
use faults::Faults;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DistributedRam, SyncFifo};
use tmu_spec::Config;
use tmu_spec::binding::field::{BASE, DROP_CACHE, FORMAT, Field as BindingField};
use tmu_spec::general::Kind;
use tmu_spec::general::field::{ENABLES, ENTRY, KIND, SECONDARY, SETS_ENABLES, STORES, WORDS};
use tmu_spec::general::packet::Extras;

/// Quads that the unit has not answered.
const OPEN: usize = 64;
/// Bits of their number.
const OPEN_BITS: usize = OPEN.ilog2() as usize + 1;
/// Bits of what tells the place of a binding from that of the first one, in lines.
const PLACE_BITS: usize = TEXTURE_BITS + 3;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// Quads of the bound texture go.
    Quads,
    /// Another one is looked for in the unit's store.
    Look,
    /// It is known whether it is there.
    Known,
    /// All quads are to be answered.
    Drain,
    /// The binding is asked for.
    Ask,
    /// Its lines come.
    Lines,
    /// They go to the unit.
    Store,
    /// The texture is named.
    Use,
    /// It could not be read.
    Fail,
    /// None can be read any more.
    Broken,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Sampling {
    /// Clock and reset.
    pub clocks: Clocks,
    /// The first line of the store of textures.
    pub textures: Net<In>,
    /// Nothing more is asked; answers are dropped.
    pub stops: Net<In>,
    /// None is to come.
    pub is_quiet: Net<Out>,
    /// See [`TextureRequestWord`].
    pub request: StreamIn,
    /// See [`TextureAnswerWord`].
    pub answer: StreamOut,
    /// Reads, see [`AskWord`].
    pub ask: StreamOut,
    /// What comes.
    pub came: CameWord<Field<In>>,
    /// A line could not be read.
    pub read_fails: Net<In>,
    /// Its number.
    pub failed_line: Net<In>,
    /// Lines come that nobody has asked for, or too few.
    pub read_breaks: Net<In>,
    /// Beats to the unit: `tdata`, and above it `tuser` and `tlast`.
    pub beat: StreamOut,
    /// Results of the unit: `tdata`, and above it `tuser`.
    pub result: StreamIn,
    /// A binding has broken a rule.
    pub breaks_rule: Net<In>,
    /// What was wrong with the texture that could not be sampled, of the quad that is drawn first among those that could not.
    pub fault: FaultWord<Field<Out>>,
    state: EnumReg<State>,
    bound: Reg,
    has_bound: Reg,
    /// Entries of the unit's store that hold a texture.
    valid: Reg,
    /// The entry that a texture would have holds one, and this one if any.
    holds_one: Reg,
    has_tag: Reg,
    /// Of each entry the upper bits of the texture's number.
    tags: DistributedRam,
    lines: DistributedRam,
    /// The line that comes or goes.
    number: Reg,
    base: Reg,
    /// A texture has been used in this frame.
    was_used: Reg,
    open: Reg,
    asked: SyncFifo,
    place: Reg,
    faults: Faults,
    _config: Config,
}

/// Entries of the unit's parameter store.
fn entries(config: &Config) -> usize {
    config.features().general().map_or(0, |general| general.store_entries as usize)
}

impl Sampling {
    /// For the unit of a configuration, whose parameter store has fewer entries than there are textures.
    #[must_use]
    pub fn new(config: &Config) -> Sampling {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let entries = entries(config);
        let tag_bits = TEXTURE_BITS - entries.ilog2() as usize;
        Sampling {
            textures: Net::new(LINE_NUMBER_BITS),
            stops: Net::bit(),
            is_quiet: Net::bit(),
            request: StreamIn::new(TextureRequestWord::shape().width()),
            answer: StreamOut::new(TextureAnswerWord::shape().width()),
            ask: StreamOut::new(AskWord::shape().width()),
            came: CameWord::shape().nets(),
            read_fails: Net::bit(),
            failed_line: Net::new(LINE_NUMBER_BITS),
            read_breaks: Net::bit(),
            beat: StreamOut::new(config.request_tdata_bits() as usize + 2),
            result: StreamIn::new(config.result_tdata_bits() as usize + PIXELS + 1),
            breaks_rule: Net::bit(),
            fault: FaultWord::shape().nets(),
            state: EnumReg::with_reset(&clocks, State::Quads),
            bound: Reg::new(&clocks, TEXTURE_BITS),
            has_bound: flag(),
            valid: Reg::with_reset(&clocks, entries, 0),
            holds_one: flag(),
            has_tag: flag(),
            tags: DistributedRam::new(entries, tag_bits),
            lines: DistributedRam::new(1 << RECORD_LINES_BITS, LINE_BITS),
            number: Reg::with_reset(&clocks, RECORD_LINES_BITS, 0),
            base: Reg::new(&clocks, BASE.bits as usize),
            was_used: flag(),
            open: Reg::with_reset(&clocks, OPEN_BITS, 0),
            asked: SyncFifo::new(OPEN, ORDER_BITS + entries.ilog2() as usize),
            place: Reg::new(&clocks, PLACE_BITS),
            faults: Faults::new(config, &clocks),
            clocks,
            _config: config.clone(),
        }
    }
}

/// A word with fields in place of what stands there; values are cut to the bits of their fields, or have zeros above them.
fn with_fields(word: Bits, fields: &[(BindingField, Bits)]) -> Bits {
    let mut bits: Vec<Bits> = (0..word.width()).map(|bit| word.bit(bit)).collect();
    for (field, value) in fields {
        for bit in 0..field.bits as usize {
            bits[field.shift as usize + bit] =
                if bit < value.width() { value.bit(bit) } else { lit(1, 0u32) };
        }
    }
    stack(bits)
}

/// A field of a word.
fn of_word(word: Bits, field: BindingField) -> Bits {
    word.slice(field.shift as usize, field.bits as usize)
}

/// Requests to quads of a unit.
#[kernel]
impl Sampling {
    fn module_name(&self) -> String {
        "sampling".into()
    }

    /// One bit: this is done.
    fn is(&self, state: State) -> Bits {
        self.state.val() == state
    }

    fn logic(&self) {
        let word = TextureRequestWord::shape().unpack(self.request.data.val());
        self.store(word.texture);
        self.read(word.texture);
        self.send(&word);
        self.answer();
        faults::keep(self, self.asked.output.data.val());
        self.states(word.texture);
    }

    /// One bit: the texture is the one that is bound.
    fn is_bound(&self, texture: Bits) -> Bits {
        self.has_bound.val() && self.bound.val() == texture
    }

    /// One bit: a quad may go.
    fn may_go(&self, texture: Bits) -> Bits {
        let has_room = !self.open.val().high(1);
        self.is(State::Quads) && self.is_bound(texture) && has_room && !self.stops.val()
    }

    /// One bit: the last line of a binding goes to the unit.
    fn stores(&self) -> Bits {
        let is_last = self.number.val() == (WORDS - 1) as u64;
        self.is(State::Store) && self.beat.ready.val() && is_last
    }

    fn store(&self, texture: Bits) {
        /// # Unit's store
        let entry_bits = entries(&self._config).ilog2() as usize;
        let (entry, tag) = (texture.low(entry_bits), texture.high(TEXTURE_BITS - entry_bits));
        let (tags, valid) = (&self.tags, self.valid.val());
        tags.clocks.follow(&self.clocks);
        tags.write_enable.next = self.stores();
        tags.write_address.next = entry;
        tags.write_data.next = tag;
        tags.read_address.next = entry;
        self.holds_one.next = nth(valid, valid.width(), entry);
        self.has_tag.next = tags.read_data.val() == tag;
        let with_own: Vec<Bits> = (0..valid.width())
            .map(|number| valid.bit(number) || (self.stores() && entry == number as u64))
            .collect();
        self.valid.next = stack(with_own);
    }

    fn read(&self, texture: Bits) {
        /// # Binding
        let came = self.came.val();
        let comes = self.is(State::Lines) && came.valid;
        let number = texture.zero_extend(PLACE_BITS);
        self.place.next = number + cat(&[number.low(PLACE_BITS - 2), lit(2, 0u32)]);
        let first = self.textures.val() + self.place.val().zero_extend(LINE_NUMBER_BITS);
        self.ask.valid.next = self.is(State::Ask);
        self.ask.data.next =
            AskWord::shape().pack(&AskWord { line: first, more: lit(RECORD_LINES_BITS, (WORDS - 1) as u32) });
        let goes = self.is(State::Store) && self.beat.ready.val();
        if self.is(State::Ask) || (comes && came.ends) {
            self.number.next = 0;
        } else if comes || goes {
            self.number.next = self.number.val() + 1;
        }
        if comes && !self.number.val().any() {
            self.base.next = of_word(came.line, BASE);
        }
        faults::load(self, first, self.base.val());
        let lines = &self.lines;
        lines.clocks.follow(&self.clocks);
        lines.write_enable.next = comes;
        lines.write_address.next = self.number.val();
        lines.write_data.next = came.line;
        lines.read_address.next = self.number.val();
    }

    fn send(&self, word: &TextureRequestWord) {
        /// # Beats
        let general = self._config.features().general().expect("the unit is one of the general numerics");
        let bits = self._config.request_tdata_bits() as usize;
        let entry_bits = entries(&self._config).ilog2() as usize;
        let entry = word.texture.low(entry_bits);
        let line = self.lines.read_data.val();
        let one = lit(1, 1u32);
        /// What only the unit's store has must not stand in memory: a format that there is not is refused.
        let reserved: Vec<Bits> = [ENTRY, STORES, ENABLES, SETS_ENABLES, SECONDARY]
            .map(|field| of_word(line, field).any())
            .to_vec();
        let is_refused = stack(reserved).any();
        let format = of_word(line, FORMAT) | is_refused.repeat(FORMAT.bits as usize);
        let kind = of_word(line, KIND);
        let is = |of: Kind| kind == of as u64;
        let (row, volume, cube) = (is(Kind::D1), is(Kind::D3), is(Kind::Cube));
        let enables = cat(&[cube, volume, !(row || volume || cube), row]);
        let none = lit(1, 0u32);
        let first = with_fields(
            line,
            &[
                (ENTRY, entry),
                (STORES, one),
                (ENABLES, enables),
                (SETS_ENABLES, one),
                (SECONDARY, none),
                (FORMAT, format),
            ],
        );
        let stored = if self.number.val().any() { line } else { first };
        let named = with_fields(lit(LINE_BITS, 0u32), &[(ENTRY, entry), (DROP_CACHE, !self.was_used.val())]);
        let of_binding = if self.is(State::Use) { named } else { stored };
        let pair = |pixel: usize| cat(&[word.places[pixel][1], word.places[pixel][0]]);
        let mut words = vec![cat(&[pair(1), pair(0)]), cat(&[pair(3), pair(2)])];
        let extras = Extras::of(general);
        if extras.third {
            words.push(stack(word.places.iter().map(|place| place[2])));
        } else {
            word.places.iter().for_each(|place| discard(place[2], "no texture has a third coordinate"));
        }
        if extras.reference {
            words.push(lit(LINE_BITS, 0u32));
        }
        words.push(lit(PIXELS, 15u32));
        let quad = stack(words).zero_extend(bits);
        let is_quad = self.is(State::Quads);
        let is_end = is_quad || self.is(State::Use) || self.number.val() == (WORDS - 1) as u64;
        self.beat.data.next =
            cat(&[is_end, !is_quad, if is_quad { quad } else { of_binding.zero_extend(bits) }]);
        let goes = self.request.valid.val() && self.may_go(word.texture);
        self.beat.valid.next = goes || self.is(State::Store) || self.is(State::Use);
        let quad_goes = self.beat.ready.val() && self.may_go(word.texture);
        self.request.ready.next = quad_goes || (self.is_failing() && self.answer.ready.val());
        let (asked, sent) = (&self.asked, goes && self.beat.ready.val());
        asked.clocks.follow(&self.clocks);
        asked.input.valid.next = sent;
        asked.input.data.next = cat(&[word.order, entry]);
        discard(cat(&[asked.level.val(), asked.output.valid.val()]), "what is answered was asked");
        discard(asked.input.ready.val(), "no more are open than it has room for");
        let answered = self.result.valid.val() && self.result.ready.val();
        asked.output.ready.next = answered;
        self.open.next = counted(self.open.val(), sent, answered);
        self.is_quiet.next = self.stops.val() && !self.open.val().any();
    }

    fn answer(&self) {
        /// # Answers
        let result = self.result.data.val();
        let channel = |pixel: usize, channel: usize| {
            result.slice((pixel * CHANNELS + channel) * SAMPLE_BITS, SAMPLE_BITS)
        };
        let is_failing = self.is_failing();
        let valid = result.slice(PIXELS * CHANNELS * SAMPLE_BITS, PIXELS);
        discard(valid, "all pixels are");
        let channels =
            [0, 1, 2, 3].map(|pixel: usize| [0, 1, 2, 3].map(|number: usize| channel(pixel, number)));
        let fails = is_failing && self.request.valid.val();
        self.answer.valid.next = (self.result.valid.val() || fails) && !self.stops.val();
        self.answer.data.next = TextureAnswerWord::shape()
            .pack(&TextureAnswerWord { channels, error: result.high(1) || is_failing });
        self.result.ready.next = (self.answer.ready.val() && !is_failing) || self.stops.val();
    }

    /// One bit: what is asked is answered with an error.
    fn is_failing(&self) -> Bits {
        self.is(State::Fail) || self.is(State::Broken)
    }

    fn states(&self, texture: Bits) {
        /// # States
        let (came, goes) = (self.came.val(), self.beat.ready.val());
        match self.state.val() {
            State::Quads => {
                if self.request.valid.val() && !self.is_bound(texture) && !self.stops.val() {
                    self.state.next = State::Look;
                }
            }
            State::Look => self.state.next = State::Known,
            State::Known => {
                if self.holds_one.val() && self.has_tag.val() {
                    self.state.next = State::Use;
                } else {
                    self.state.next = State::Drain;
                }
            }
            State::Drain => {
                if !self.open.val().any() {
                    self.state.next = State::Ask;
                }
            }
            State::Ask => {
                if self.ask.ready.val() {
                    self.state.next = State::Lines;
                }
            }
            State::Lines => {
                if self.read_breaks.val() {
                    self.state.next = State::Broken;
                } else if came.valid && came.ends {
                    if faults::lacks_lines(self) {
                        self.state.next = State::Fail;
                    } else {
                        self.state.next = State::Store;
                    }
                }
            }
            State::Store => {
                if self.stores() {
                    self.state.next = State::Use;
                }
            }
            State::Use => {
                if goes {
                    self.bound.next = texture;
                    self.has_bound.next = 1;
                    self.was_used.next = 1;
                    self.state.next = State::Quads;
                }
            }
            State::Fail => {
                if self.answer.ready.val() {
                    self.state.next = State::Quads;
                }
            }
            State::Broken => self.state.next = State::Broken,
        }
    }
}
