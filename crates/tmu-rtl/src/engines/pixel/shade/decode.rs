//! What the words of an encoded program say. Wires only; where their fields lie is the encoding's table.

use super::way::REGISTER_BITS;
use super::words::{CHANNELS, OperationWord, SOURCES, SourceWord};
use tmu_hdl::prelude::*;
use tmu_shader::{File, Modifier, Operation};

/// Bits of the part of a word that fields count in.
const PART_BITS: usize = 32;
/// The place of v0 behind the registers that are read: r0 to r5, v0, v1.
const FIRST_COLOR: u32 = 6;

/// An instruction by itself, or what it is to colour or alpha.
#[derive(Clone, Debug, Record)]
pub(super) struct HalfWord<T = Bits> {
    /// What it does.
    pub(super) operation: OperationWord<T>,
    /// The number of the register that it writes.
    pub(super) destination: T,
    /// Which channels of it.
    pub(super) mask: T,
    /// Of each source the place among the registers, or the number of a constant.
    pub(super) places: [T; SOURCES],
    /// Which sources are constants.
    pub(super) are_constants: T,
}

impl HalfWord<Width> {
    pub(super) fn shape() -> HalfWord<Width> {
        HalfWord {
            operation: OperationWord::shape(),
            destination: Width::bits(REGISTER_BITS),
            mask: Width::bits(CHANNELS),
            places: [Width::bits(REGISTER_BITS); SOURCES],
            are_constants: Width::bits(SOURCES),
        }
    }
}

/// What an instruction is to textures.
#[derive(Clone, Debug, Record)]
pub(super) struct TextureInstruction<T = Bits> {
    pub(super) samples: T,
    pub(super) converts: T,
    pub(super) kills: T,
    pub(super) gives_depth: T,
    /// The number of the register that it writes, and of the texture.
    pub(super) destination: T,
    /// Which channels.
    pub(super) mask: T,
    /// It reads a register r, not coordinates.
    pub(super) is_register: T,
    /// The number of what it reads.
    pub(super) set: T,
    pub(super) takes_fourth: T,
    pub(super) divides_by_third: T,
    pub(super) divides_by_fourth: T,
}

impl TextureInstruction<Width> {
    pub(super) fn shape() -> TextureInstruction<Width> {
        let bit = Width::bits(1);
        TextureInstruction {
            samples: bit,
            converts: bit,
            kills: bit,
            gives_depth: bit,
            destination: Width::bits(REGISTER_BITS),
            mask: Width::bits(CHANNELS),
            is_register: bit,
            set: Width::bits(REGISTER_BITS),
            takes_fourth: bit,
            divides_by_third: bit,
            divides_by_fourth: bit,
        }
    }
}

/// A field of the encoding, of a source that lies so many parts further on.
#[kernel]
fn field(line: Bits, name: &str, source: usize) -> Bits {
    let found = tmu_shader::LAYOUT.iter().find(|field| field.name == name);
    let field = found.unwrap_or_else(|| panic!("the encoding has a field {name}"));
    line.slice((field.part + source) * PART_BITS + field.bit as usize, field.width as usize)
}

#[kernel]
fn is_one_of(operation: Bits, operations: &[Operation]) -> Bits {
    stack(operations.iter().map(|own| operation == *own as u64)).any()
}

/// The texture instructions.
const TEXTURES: [Operation; 4] =
    [Operation::Texld, Operation::Texcrd, Operation::Texkill, Operation::Texdepth];

/// One bit: it is a texture instruction.
#[kernel]
pub(super) fn is_texture(operation: Bits) -> Bits {
    is_one_of(operation, &TEXTURES)
}

/// How many instructions both phases have.
#[kernel]
pub(super) fn header_counts(line: Bits) -> Bits {
    cat(&[field(line, "header.second", 0), field(line, "header.first", 0)])
}

/// Where an instruction stands in its program.
pub(super) struct Standing {
    /// It is the second of a pair.
    pub(super) is_paired: Bits,
    pub(super) is_first: Bits,
    pub(super) is_texture: Bits,
    /// It is a texld or a texcrd.
    pub(super) is_sampling: Bits,
}

#[kernel]
pub(super) fn instruction_number(line: Bits, number: Bits) -> Standing {
    let operation = field(line, "operation", 0);
    let is_first = !number.any();
    Standing {
        is_paired: field(line, "paired", 0) && !is_first,
        is_first,
        is_texture: is_texture(operation),
        is_sampling: is_one_of(operation, &[Operation::Texld, Operation::Texcrd]),
    }
}

/// Whether texture instructions read what they name as their destination.
#[kernel]
fn reads_destination(operation: Bits) -> Bits {
    is_one_of(operation, &[Operation::Texkill, Operation::Texdepth])
}

/// An instruction as arithmetic takes it. What a texture instruction reads is its first source.
#[kernel]
pub(super) fn half(line: Bits) -> HalfWord {
    let operation = field(line, "operation", 0);
    let destination = field(line, "destination.number", 0);
    let sources = [0, 1, 2].map(|source: usize| SourceWord {
        selector: field(line, "source.selector", source),
        modifier: field(line, "source.modifier", source),
    });
    let file = |source: usize| field(line, "source.file", source);
    let place = |source: usize| {
        let number = field(line, "source.number", source);
        let color = cat(&[lit(REGISTER_BITS - 1, FIRST_COLOR >> 1), number.low(1)]);
        if file(source) == File::Color as u64 { color } else { number }
    };
    let first = if reads_destination(operation) { destination } else { place(0) };
    HalfWord {
        operation: OperationWord {
            operation,
            shift: field(line, "destination.shift", 0),
            saturates: field(line, "destination.saturate", 0),
            sources,
        },
        destination,
        mask: field(line, "destination.mask", 0),
        places: [first, place(1), place(2)],
        are_constants: stack((0..SOURCES).map(|source| file(source) == File::Constant as u64)),
    }
}

/// An instruction as textures take it.
#[kernel]
pub(super) fn texture(line: Bits) -> TextureInstruction {
    /// Selectors of coordinates, as they are encoded.
    const XYW: u64 = 6;
    let operation = field(line, "operation", 0);
    let destination = field(line, "destination.number", 0);
    let is = |own: Operation| operation == own as u64;
    let reads_destination = reads_destination(operation);
    let modifier = field(line, "source.modifier", 0);
    let divides = |own: Modifier| modifier == own as u64 && !reads_destination;
    let file =
        if reads_destination { field(line, "destination.file", 0) } else { field(line, "source.file", 0) };
    TextureInstruction {
        samples: is(Operation::Texld),
        converts: is(Operation::Texcrd),
        kills: is(Operation::Texkill),
        gives_depth: is(Operation::Texdepth),
        destination,
        mask: field(line, "destination.mask", 0),
        is_register: !(file == File::Coordinate as u64),
        set: if reads_destination { destination } else { field(line, "source.number", 0) },
        takes_fourth: field(line, "source.selector", 0) == XYW && !reads_destination,
        divides_by_third: divides(Modifier::Dz),
        divides_by_fourth: divides(Modifier::Dw),
    }
}
