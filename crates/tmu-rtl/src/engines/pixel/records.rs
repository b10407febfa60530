//! Fields of records in lines of memory. Wires only; the tables are those of the written formats.

use crate::engine::memory::LINE_BITS;
use crate::system::memory_port::select;
use tmu_hdl::prelude::*;
use tmu_shader::LAYOUT;
use tmu_spec::pixel::field::{Field, reserved};
use tmu_spec::pixel::record::Triangle;

/// Bits of a word of a record.
const WORD_BITS: usize = 32;
/// Words of a line.
const LINE_WORDS: usize = LINE_BITS / WORD_BITS;
/// Bits of an address that say which byte of a line.
pub(super) const BYTE_BITS: usize = 4;

/// A value of a field, of a record whose first lines are given.
///
/// # Panics
/// If the record has no such field there.
pub(super) fn value(record: &[Field], name: &str, number: usize, lines: &[Bits]) -> Bits {
    let field = record.iter().find(|field| field.name == name).expect("a field of the record");
    let (word, bit) = field.place(number);
    lines[word / LINE_WORDS].slice(word % LINE_WORDS * WORD_BITS + bit as usize, field.bits as usize)
}

/// The number of the line that a field gives the address of.
pub(super) fn line_of(record: &[Field], name: &str, number: usize, lines: &[Bits]) -> Bits {
    value(record, name, number, lines).high(WORD_BITS - BYTE_BITS)
}

/// The line of a corner of a triangle, by its number.
pub(super) fn vertex_line(triangle: &[Bits], corner: Bits) -> Bits {
    let line = |number: usize| line_of(Triangle::FIELDS, "vertices", number, triangle);
    select(&[line(0), line(1), line(2)], corner)
}

/// The address of a line.
pub(super) fn byte_address(line: Bits) -> Bits {
    cat(&[line, lit(BYTE_BITS, 0u32)])
}

/// One bit: the address is that of no line.
pub(super) fn is_misaligned(record: &[Field], name: &str, number: usize, lines: &[Bits]) -> Bits {
    value(record, name, number, lines).low(BYTE_BITS).any()
}

/// One bit: a bit of a line is set that no field of its record has.
pub(super) fn has_reserved(record: &[Field], line: usize, bits: Bits) -> Bits {
    let masks = (0..LINE_WORDS).map(|word| (word, reserved(record, line * LINE_WORDS + word)));
    let set: Vec<Bits> = masks
        .flat_map(|(word, mask)| (0..WORD_BITS).map(move |bit| (word, bit, mask)))
        .filter(|(_, bit, mask)| mask >> bit & 1 == 1)
        .map(|(word, bit, _)| bits.bit(word * WORD_BITS + bit))
        .collect();
    any_of(set)
}

/// One of so many parts of a word, by its number.
pub(super) fn nth(word: Bits, parts: usize, number: Bits) -> Bits {
    let bits = word.width() / parts;
    let own: Vec<Bits> = (0..parts).map(|part| word.slice(part * bits, bits)).collect();
    select(&own, number)
}

/// One bit: one of some is set.
fn any_of(bits: Vec<Bits>) -> Bits {
    if bits.is_empty() { lit(1, 0u32) } else { stack(bits).any() }
}

/// A value of a field of a word of an encoded program.
///
/// # Panics
/// If there is no such field.
pub(super) fn of_program(name: &str, word: Bits) -> Bits {
    let field = LAYOUT.iter().find(|field| field.name == name).expect("a field of the encoding");
    word.slice(field.part * WORD_BITS + field.bit as usize, field.width as usize)
}

/// One bit: a bit of a program's first word is set that no field has.
pub(super) fn has_reserved_of_program(word: Bits) -> Bits {
    let of_header = |place: &usize| {
        let (part, bit) = (place / WORD_BITS, place % WORD_BITS);
        let mut fields = LAYOUT.iter().filter(|field| field.name.starts_with("header."));
        fields.any(|field| {
            let first = field.bit as usize;
            field.part == part && (first..first + field.width as usize).contains(&bit)
        })
    };
    let set: Vec<Bits> =
        (0..LINE_BITS).filter(|place| !of_header(place)).map(|place| word.bit(place)).collect();
    any_of(set)
}
