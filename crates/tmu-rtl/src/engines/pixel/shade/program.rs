//! `shade_program`: what lines of states and programs say, kept for several states at once.
//!
//! A line takes three clocks. The instructions of a pair are kept as one, a half for colour and one for alpha; both halves of an
//! instruction by itself are the same. What follows an instruction is kept beside it: whether it is the last, and whether a texture
//! instruction may be followed by the next one before its answer has come, since that one reads coordinates too.
//!
//! Contract: nobody reads a slot that is loaded. Instructions of a slot come together and in their order, not mixed with those of another
//! one. More than there is room for take the place of the first ones: such a program means nothing, but it ends.
//!
//! Latency: what arithmetic does 2 clocks behind its place, everything else 1. Two block RAMs; all else is LUT RAM.

use super::decode::{HalfWord, TextureInstruction, half, header_counts, instruction_number, texture};
use super::way::{INDEX_BITS, REGISTER_BITS, ROW_BITS, TEMPORARIES};
use super::words::{LINE_BITS, LineKind, LoadWord, SOURCES, ShadeShape, TEXTURE_BITS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle};
use tmu_spec::pixel::State;

/// Clocks that a line takes.
const STEPS: usize = 3;
/// Bits of the textures of a state.
pub(super) const TEXTURES_BITS: usize = TEMPORARIES * TEXTURE_BITS;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct ShadeProgram {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Lines, see [`LoadWord`].
    pub load: StreamIn,
    /// Of each slot: a line of it is being kept.
    pub is_loading: Net<Out>,
    /// Of each slot: its program has no instruction.
    pub is_empty: Net<Out>,
    /// Of each slot: its program begins with an instruction that reads coordinates.
    pub begins_with_texture: Net<Out>,
    /// The instruction that arithmetic looks at: slot and number.
    pub arithmetic_place: Net<In>,
    /// Halves for colour and alpha, two clocks later.
    pub halves: [Net<Out>; 2],
    /// It is the last one, a clock later.
    pub is_last: Net<Out>,
    /// The constants that its sources read: slot and number.
    pub constant_places: Vec<Net<In>>,
    /// They, a clock later.
    pub constants: Vec<Net<Out>>,
    /// The matrix of a stage: slot and number.
    pub bump_place: Net<In>,
    /// It, a clock later.
    pub bump: Net<Out>,
    /// The texture instruction that is looked at: slot and number.
    pub texture_place: Net<In>,
    /// It, a clock later.
    pub texture: Net<Out>,
    /// The next one may follow at once, a clock later.
    pub continues: Net<Out>,
    /// It is the last one, a clock later.
    pub is_last_texture: Net<Out>,
    /// The slot whose textures are looked at.
    pub sampled_slot: Net<In>,
    /// The numbers of its textures, a clock later.
    pub sampled: Net<Out>,
    held: LoadWord<FieldReg>,
    /// A bit for each clock of a line.
    steps: Reg,
    /// Where the instruction is kept.
    index: Reg,
    /// It is the second one of a pair.
    is_second: Reg,
    /// The one before it is a texld or a texcrd.
    follows: Reg,
    empty: Vec<Reg>,
    first_texture: Vec<Reg>,
    half_words: [RamSimpleDualPort; 2],
    texture_words: RamSimpleDualPort,
    last_bits: RamSimpleDualPort,
    texture_bits: RamSimpleDualPort,
    constant_words: Vec<RamSimpleDualPort>,
    bump_words: RamSimpleDualPort,
    sampled_words: RamSimpleDualPort,
    _shape: ShadeShape,
}

impl ShadeProgram {
    /// The part for a shape.
    #[must_use]
    pub fn new(shape: &ShadeShape) -> ShadeProgram {
        let clocks = Clocks::new();
        let bits = |count: usize| (0..count).map(|_| Reg::new(&clocks, 1)).collect();
        let place = shape.slots_log2 + INDEX_BITS;
        let of_slot = shape.slots_log2 + REGISTER_BITS;
        let ram = |address: usize, width: usize| {
            RamSimpleDualPort::new(RamShape::new(1 << address, width).style(RamStyle::Distributed))
        };
        let half_width = HalfWord::shape().width();
        let halves = || {
            let shape = RamShape::new(1 << place, half_width).style(RamStyle::Block).output_register(true);
            RamSimpleDualPort::new(shape)
        };
        ShadeProgram {
            load: StreamIn::new(LoadWord::of(shape).width()),
            is_loading: Net::new(shape.slots()),
            is_empty: Net::new(shape.slots()),
            begins_with_texture: Net::new(shape.slots()),
            arithmetic_place: Net::new(place),
            halves: [(); 2].map(|()| Net::new(half_width)),
            is_last: Net::bit(),
            constant_places: Net::array(2 * SOURCES, of_slot),
            constants: Net::array(2 * SOURCES, ROW_BITS),
            bump_place: Net::new(of_slot),
            bump: Net::new(ROW_BITS),
            texture_place: Net::new(place),
            texture: Net::new(TextureInstruction::shape().width()),
            continues: Net::bit(),
            is_last_texture: Net::bit(),
            sampled_slot: Net::new(shape.slots_log2),
            sampled: Net::new(TEXTURES_BITS),
            held: LoadWord::of(shape).registers(&clocks),
            steps: Reg::with_reset(&clocks, STEPS, 0),
            index: Reg::new(&clocks, INDEX_BITS),
            is_second: Reg::new(&clocks, 1),
            follows: Reg::new(&clocks, 1),
            empty: bits(shape.slots()),
            first_texture: bits(shape.slots()),
            half_words: [(); 2].map(|()| halves()),
            texture_words: ram(place, TextureInstruction::shape().width()),
            last_bits: ram(place, 1),
            texture_bits: ram(place, 2),
            constant_words: (0..2 * SOURCES).map(|_| ram(of_slot, ROW_BITS)).collect(),
            bump_words: ram(of_slot, ROW_BITS),
            sampled_words: ram(shape.slots_log2, TEXTURES_BITS),
            clocks,
            _shape: *shape,
        }
    }
}

/// Reads a memory in every clock.
#[kernel]
fn read(ram: &RamSimpleDualPort, clocks: &Clocks, place: Bits) -> Bits {
    ram.clocks.follow(clocks);
    ram.read_enable.next = 1;
    ram.read_address.next = place;
    if let Some(enable) = &*ram.output_enable {
        enable.next = 1;
    }
    ram.read_data.val()
}

#[kernel]
fn write(ram: &RamSimpleDualPort, enable: Bits, place: Bits, data: Bits) {
    ram.write_enable.next = enable;
    ram.write_address.next = place;
    ram.write_data.next = data;
}

/// What one kind of line is at its steps.
struct Steps {
    first: Bits,
    second: Bits,
    third: Bits,
}

/// Lines to what instructions ask for.
#[kernel]
impl ShadeProgram {
    fn module_name(&self) -> String {
        "shade_program".into()
    }

    fn logic(&self) {
        /// # Lines
        let [first, second, third] = [0, 1, 2].map(|step: usize| self.steps.val().bit(step));
        let is_free = !self.steps.val().low(STEPS - 1).any();
        self.load.ready.next = is_free;
        let takes = is_free && self.load.valid.val();
        self.steps.next = cat(&[second, first, takes]);
        if takes {
            self.held.next = LoadWord::of(&self._shape).unpack(self.load.data.val());
        }
        let line = self.held.val();
        let is_loading = |slot: u64| self.steps.val().any() && line.slot == slot;
        self.is_loading.next = stack((0..self._shape.slots() as u64).map(is_loading));
        let steps = |kind: LineKind| {
            let is_own = line.kind == kind as u64;
            Steps { first: first && is_own, second: second && is_own, third: third && is_own }
        };
        self.instructions(&line, &steps(LineKind::Instruction));
        self.state(&line, &steps(LineKind::State), &steps(LineKind::Header));
        self.constants(&line, &steps(LineKind::Constants), &steps(LineKind::Bump));
        self.reads();
    }

    fn instructions(&self, line: &LoadWord, steps: &Steps) {
        /// # Instructions
        let one = instruction_number(line.line, line.number);
        let (index, is_second) = (self.index.val(), self.is_second.val());
        if steps.first {
            self.is_second.next = one.is_paired;
            if one.is_first {
                self.index.next = 0;
            } else if !one.is_paired {
                self.index.next = index + 1;
            }
        }
        let place = cat(&[line.slot, index]);
        let (own, texture) = (half(line.line), texture(line.line));
        let is_alpha = own.mask.high(1);
        for (number, words) in self.half_words.iter().enumerate() {
            let takes = if number == 0 { !is_alpha } else { is_alpha };
            let writes = steps.second && (takes || !is_second);
            write(words, writes, place, HalfWord::shape().pack(&own));
        }
        let begins = steps.second && !is_second;
        write(&self.texture_words, begins, place, TextureInstruction::shape().pack(&texture));
        /// In the second clock the one before learns what follows; in the third one nothing follows this one.
        let before = cat(&[line.slot, index - 1]);
        let learns = begins && index.any();
        let ends = steps.third && !is_second;
        let known = if steps.third { place } else { before };
        let reads_coordinates = one.is_texture && !texture.is_register;
        let is_next = reads_coordinates && self.follows.val();
        write(&self.last_bits, learns || ends, known, steps.third);
        let of_texture = cat(&[steps.third, steps.second && is_next]);
        write(&self.texture_bits, learns || ends, known, of_texture);
        if ends {
            self.follows.next = one.is_sampling;
        }
        for (slot, first) in self.first_texture.iter().enumerate() {
            if ends && !index.any() && line.slot == slot as u64 {
                first.next = reads_coordinates;
            }
        }
    }

    fn state(&self, line: &LoadWord, state: &Steps, header: &Steps) {
        /// # Textures and headers
        let textures =
            State::FIELDS.iter().find(|field| field.name == "textures").map_or(0, |field| field.word);
        let textures = line.line.slice(textures * 32, TEXTURES_BITS);
        write(&self.sampled_words, state.first, line.slot, textures);
        for (slot, empty) in self.empty.iter().enumerate() {
            if header.first && line.slot == slot as u64 {
                empty.next = !header_counts(line.line).any();
            }
        }
        self.is_empty.next = stack(self.empty.iter().map(Reg::val));
        self.begins_with_texture.next = stack(self.first_texture.iter().map(Reg::val));
    }

    fn constants(&self, line: &LoadWord, constants: &Steps, bump: &Steps) {
        /// # Constants and matrices, two of each line
        let is_second = self.steps.val().bit(1);
        let place = cat(&[line.slot, line.number.low(REGISTER_BITS - 1), is_second]);
        let data = if is_second { line.line.high(LINE_BITS / 2) } else { line.line.low(LINE_BITS / 2) };
        let [first, second] = [0, 1].map(|own: usize| line.enables.bit(own));
        let writes = (constants.first && first) || (constants.second && second);
        for words in &self.constant_words {
            write(words, writes, place, data);
        }
        write(&self.bump_words, bump.first || bump.second, place, data);
        discard(cat(&[constants.third, bump.third, line.number]), "lines of others");
    }

    fn reads(&self) {
        /// # What is read
        let clocks = &self.clocks;
        let place = self.arithmetic_place.val();
        for (net, words) in self.halves.iter().zip(&self.half_words) {
            net.next = read(words, clocks, place);
        }
        self.is_last.next = read(&self.last_bits, clocks, place);
        for ((net, words), place) in
            self.constants.iter().zip(&self.constant_words).zip(&self.constant_places)
        {
            net.next = read(words, clocks, place.val());
        }
        self.bump.next = read(&self.bump_words, clocks, self.bump_place.val());
        let place = self.texture_place.val();
        self.texture.next = read(&self.texture_words, clocks, place);
        let follows = read(&self.texture_bits, clocks, place);
        self.continues.next = follows.bit(0);
        self.is_last_texture.next = follows.bit(1);
        self.sampled.next = read(&self.sampled_words, clocks, self.sampled_slot.val());
    }
}
