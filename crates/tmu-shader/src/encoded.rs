//! The project's own encoding: little-endian words of 16 bytes that hardware can fetch ahead.
//!
//! A header of [`HEADER_BYTES`], then one word an instruction, those of phase 1 first, then a word with the CRC-32 of all before it: hardware
//! holds what it has fetched against it, so that a program that nobody has checked is found out. [`LAYOUT`] names every field; reader,
//! writer and the documentation use it. What no field covers is zero.

use crate::Rule;
use crate::program::{
    Destination, File, Instruction, Mask, Modifier, Operation, Program, Register, Selector, Source,
};
use crate::statement::{Statement, Statements, Where};
use tmu_problem::{Problem, Problems};

/// How an encoded program begins: `TPS1`.
pub const MAGIC: u32 = u32::from_le_bytes(*b"TPS1");
/// Bytes of a word.
pub const WORD_BYTES: usize = 16;
/// Bytes of the header: a word, and four with the constants.
pub const HEADER_BYTES: usize = 5 * WORD_BYTES;

/// Instructions that a header may count: more than a program that keeps the rules has.
pub const MOST_INSTRUCTIONS: usize = 63;

/// One in a register: s3.12.
const ONE: f32 = 4096.0;

/// A field of the encoding.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Which of the four 32-bit parts of its word holds it.
    pub part: usize,
    /// Its lowest bit there.
    pub bit: u32,
    /// How many bits it has.
    pub width: u32,
    /// What it says.
    pub meaning: &'static str,
}

/// Declares the fields: constants with their names, and the table of all.
macro_rules! fields {
    ($( $name:ident = $text:literal, $part:literal, $bit:literal, $width:literal, $meaning:literal; )*) => {
        $( const $name: Field = Field { name: $text, part: $part, bit: $bit, width: $width, meaning: $meaning }; )*

        /// The fields of the header's first word, whose names begin with `header.`, of an instruction, and of its sources, of
        /// which the n-th, from 0, lies n parts further on.
        pub const LAYOUT: &[Field] = &[$( $name ),*];
    };
}

fields! {
    HEADER_MAGIC = "header.magic", 0, 0, 32, "the letters TPS1";
    HEADER_FIRST = "header.first", 1, 0, 8, "instructions of phase 1";
    HEADER_SECOND = "header.second", 1, 8, 8, "instructions of phase 2";
    HEADER_DEFINED = "header.defined", 1, 16, 8, "constants that the program defines, bit n for cn";
    HEADER_TEXTURES = "header.textures", 2, 0, 6, "textures that are sampled, bit n for the n-th";
    HEADER_PUNCH = "header.punch_through", 2, 8, 1, "whether there is a texkill or a texdepth";
    HEADER_MARKER = "header.marker", 2, 9, 1, "whether the program has a phase marker; without it all of it is phase 2";
    HEADER_READS = "header.reads", 3, 0, 32, "what of a pixel is worked out: bit 4n + m component m of tn, bit 24 + m channel m of v0, bit 28 + m of v1; all that the program may read, but that components may be left out: they are 0 then";
    TRAILER_CHECK = "trailer.check", 0, 0, 32, "the CRC-32 of IEEE 802.3 of all bytes before this word";
    OPERATION = "operation", 0, 0, 4, "mov, add, sub, mul, mad, lrp, dp3, dp4, cmp, cnd, bem, texld, texcrd, texkill, texdepth from 0";
    PAIRED = "paired", 0, 7, 1, "runs with the instruction before it";
    NUMBER = "destination.number", 0, 8, 3, "number of the register";
    FILE = "destination.file", 0, 12, 2, "r 0, v 1, c 2, t 3";
    MASK = "destination.mask", 0, 16, 4, "channels that are written, red the lowest bit";
    SHIFT = "destination.shift", 0, 20, 3, "the result is multiplied by 2 to this power, two's complement";
    SATURATE = "destination.saturate", 0, 23, 1, "limited to 0 ... 1 then";
    SOURCE_NUMBER = "source.number", 1, 0, 3, "number of the register";
    SOURCE_FILE = "source.file", 1, 4, 2, "as of the destination";
    SOURCE_SELECTOR = "source.selector", 1, 8, 3, "each channel itself 0, all from r, g, b, a 1 to 4, xyz 5, xyw 6";
    SOURCE_MODIFIER = "source.modifier", 1, 12, 4, "none, -, bias, -bias, bx2, -bx2, 1-, x2, -x2, dz, dw from 0";
}

/// A word as its four parts.
type Word = [u32; 4];

impl Field {
    fn mask(self) -> u32 {
        u32::MAX >> (32 - self.width)
    }

    fn get(self, word: &Word) -> u32 {
        word[self.part] >> self.bit & self.mask()
    }

    fn set(self, word: &mut Word, value: u32) {
        word[self.part] |= (value & self.mask()) << self.bit;
    }

    /// The same field of a source.
    fn of_source(self, source: usize) -> Field {
        Field { part: self.part + source, ..self }
    }
}

/// The bits of [`Program::reads`] that are components of coordinates.
const COORDINATE_READS: u32 = 0x00ff_ffff;

impl Program {
    /// The program in the project's own encoding. Constants become s3.12, rounded to the nearest, halves up.
    pub fn encode(&self) -> Vec<u8> {
        self.encode_reading(self.reads())
    }

    /// The same for textures of which some have two coordinates, bit n for the n-th: what only those would read as a third one is not
    /// worked out.
    pub fn encode_for(&self, flat_textures: u8) -> Vec<u8> {
        self.encode_reading(self.reads_with(flat_textures))
    }

    fn encode_reading(&self, reads: u32) -> Vec<u8> {
        let mut header = [0; 4];
        let [first, second] = self.phases.each_ref().map(|phase| phase.len() as u32);
        let defined = (0..).zip(&self.constants).filter(|(_, values)| values.is_some());
        HEADER_MAGIC.set(&mut header, MAGIC);
        HEADER_FIRST.set(&mut header, first);
        HEADER_SECOND.set(&mut header, second);
        HEADER_DEFINED.set(&mut header, defined.fold(0, |bits, (number, _): (u32, _)| bits | 1 << number));
        HEADER_TEXTURES.set(&mut header, u32::from(self.textures()));
        HEADER_MARKER.set(&mut header, u32::from(self.has_marker()));
        HEADER_PUNCH.set(&mut header, u32::from(self.is_punch_through()));
        HEADER_READS.set(&mut header, reads);
        let constants = self.constants.iter().flat_map(|values| values.unwrap_or_default());
        let constants = constants.flat_map(|value| to_register(value).to_le_bytes());
        let words = self.instructions().map(word);
        let bytes = header.into_iter().flat_map(u32::to_le_bytes).chain(constants);
        let mut bytes: Vec<u8> = bytes.chain(words.flatten().flat_map(u32::to_le_bytes)).collect();
        let mut trailer = [0; 4];
        TRAILER_CHECK.set(&mut trailer, crc32fast::hash(&bytes));
        bytes.extend(trailer.into_iter().flat_map(u32::to_le_bytes));
        bytes
    }
}

/// A number as registers hold it.
fn to_register(value: f32) -> i16 {
    // Twelve more bits of exponent lose nothing in fp64, and the cast limits.
    (f64::from(value) * f64::from(ONE) + 0.5).floor() as i16
}

fn word(one: &Instruction) -> Word {
    let mut word = [0; 4];
    let Destination { register, mask, shift, saturate } = one.destination;
    OPERATION.set(&mut word, one.operation as u32);
    PAIRED.set(&mut word, u32::from(one.is_paired));
    NUMBER.set(&mut word, u32::from(register.number));
    FILE.set(&mut word, register.file as u32);
    MASK.set(&mut word, u32::from(mask.0));
    SHIFT.set(&mut word, shift as u32);
    SATURATE.set(&mut word, u32::from(saturate));
    for (number, source) in one.sources.iter().enumerate() {
        let selector = match source.selector {
            Selector::All => 0,
            Selector::Replicate(channel) => 1 + u32::from(channel),
            Selector::Xyz => 5,
            Selector::Xyw => 6,
        };
        SOURCE_NUMBER.of_source(number).set(&mut word, u32::from(source.register.number));
        SOURCE_FILE.of_source(number).set(&mut word, source.register.file as u32);
        SOURCE_SELECTOR.of_source(number).set(&mut word, selector);
        SOURCE_MODIFIER.of_source(number).set(&mut word, source.modifier as u32);
    }
    word
}

/// What the first word of an encoded program says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Bytes of the whole program.
    pub bytes: usize,
    /// Textures that are sampled, bit n for the n-th.
    pub textures: u8,
    /// Whether pixels may go or change their depth.
    pub is_punch_through: bool,
    /// What of a pixel is worked out; bits as of [`Program::reads`].
    pub reads: u32,
}

impl Header {
    /// Reads the first word; none if it is that of no program. What the program itself is, only [`read_bytes`](crate::read_bytes)
    /// tells.
    #[must_use]
    pub fn read(bytes: &[u8; WORD_BYTES]) -> Option<Self> {
        let word = parts(bytes);
        let of = |field: Field| field.get(&word) as usize;
        let fields = LAYOUT.iter().filter(|field| field.name.starts_with("header."));
        let mut rest = word;
        fields.for_each(|field| rest[field.part] &= !(field.mask() << field.bit));
        let instructions = of(HEADER_FIRST) + of(HEADER_SECOND);
        let is_header =
            HEADER_MAGIC.get(&word) == MAGIC && rest == [0; 4] && instructions <= MOST_INSTRUCTIONS;
        is_header.then(|| Header {
            bytes: program_bytes(instructions),
            textures: of(HEADER_TEXTURES) as u8,
            is_punch_through: of(HEADER_PUNCH) == 1,
            reads: HEADER_READS.get(&word),
        })
    }
}

/// Bytes of a program of so many instructions.
const fn program_bytes(instructions: usize) -> usize {
    HEADER_BYTES + (instructions + 1) * WORD_BYTES
}

/// The statements of an encoded program.
///
/// # Errors
/// What keeps it from being read. Also refused is what the program's own encoding would not be: bits that no field covers.
pub(crate) fn statements(bytes: &[u8]) -> Result<(Statements, Vec<Problem>), Problems> {
    let refuse = |at: usize, message: &str| {
        Problems::from(Where::Byte(at).problem(Rule::Bytes, message, "assemble the program again"))
    };
    let words: Vec<Word> = bytes.chunks_exact(WORD_BYTES).map(parts).collect();
    let header = words.first().copied().unwrap_or_default();
    let [first, second] = [HEADER_FIRST, HEADER_SECOND].map(|field| field.get(&header) as usize);
    if bytes.len() != program_bytes(first + second) {
        return Err(refuse(0, "the program has not the length that its header says"));
    }
    let mut statements = Vec::new();
    for number in (0..8).filter(|number| HEADER_DEFINED.get(&header) >> number & 1 == 1) {
        let at = WORD_BYTES + 8 * usize::from(number);
        let value = |channel: usize| {
            let low = at + 2 * channel;
            f32::from(i16::from_le_bytes([bytes[low], bytes[low + 1]])) / ONE
        };
        statements.push((Where::Byte(at), Statement::Constant(number, [0, 1, 2, 3].map(value))));
    }
    let count = first + second;
    let instructions = words.iter().enumerate().skip(HEADER_BYTES / WORD_BYTES).take(count);
    for (index, (number, found)) in instructions.enumerate() {
        let at = Where::Byte(number * WORD_BYTES);
        if index == first && HEADER_MARKER.get(&header) == 1 {
            statements.push((at, Statement::Phase));
        }
        let one = instruction(found).filter(|one| word(one) == *found);
        let one = one.ok_or_else(|| refuse(number * WORD_BYTES, "the word is no instruction"))?;
        statements.push((at, Statement::Instruction(one)));
    }
    let program = crate::check::check(&statements, Vec::new())?;
    let reads = HEADER_READS.get(&header);
    // Components may be left out.
    let has_own_reads =
        reads | COORDINATE_READS == program.reads() | COORDINATE_READS && reads & !program.reads() == 0;
    if !has_own_reads || program.encode_reading(reads) != bytes {
        return Err(refuse(0, "the header or the check at the end is not that of the instructions"));
    }
    Ok((statements, Vec::new()))
}

fn parts(bytes: &[u8]) -> Word {
    let part = |number: usize| bytes[4 * number..].first_chunk().map_or(0, |part| u32::from_le_bytes(*part));
    [0, 1, 2, 3].map(part)
}

fn instruction(word: &Word) -> Option<Instruction> {
    let file = |number: u32| File::ALL[number as usize & 3];
    let operation = *Operation::ALL.get(OPERATION.get(word) as usize)?;
    let register = Register { file: file(FILE.get(word)), number: NUMBER.get(word) as u8 };
    // A signed field of three bits.
    let shift = ((SHIFT.get(word) as i8) << 5) >> 5;
    let destination =
        Destination { register, mask: Mask(MASK.get(word) as u8), shift, saturate: SATURATE.get(word) == 1 };
    let source = |number: usize| {
        let get = |field: Field| field.of_source(number).get(word);
        let selector = match get(SOURCE_SELECTOR) {
            0 => Selector::All,
            5 => Selector::Xyz,
            6 => Selector::Xyw,
            one => Selector::Replicate(u8::try_from(one - 1).ok().filter(|channel| *channel < 4)?),
        };
        let modifier = *Modifier::ALL.get(get(SOURCE_MODIFIER) as usize)?;
        let register = Register { file: file(get(SOURCE_FILE)), number: get(SOURCE_NUMBER) as u8 };
        Some(Source { register, selector, modifier })
    };
    let sources = (0..operation.sources()).map(source).collect::<Option<_>>()?;
    Some(Instruction { operation, destination, sources, is_paired: PAIRED.get(word) == 1 })
}
