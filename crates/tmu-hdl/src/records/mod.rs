//! Records: words of named parts, whose widths come from a configuration.
//!
//! A record is written once, as a struct with a parameter for what stands in each place, and is then everything that a
//! design needs of it:
//!
//! | type | is | made by |
//! | --- | --- | --- |
//! | `Slot<Width>` | its shape: how wide each part is, and which are there at all | the user, from the configuration |
//! | `Slot<Bits>`, also written `Slot` | a value | a struct expression, [`Shape::unpack`], [`Signals::val`] |
//! | `Slot<Field<D>>` | ports or wires, one a part, `slot_number` in the Verilog | [`Shape::nets`] |
//! | `Slot<FieldReg>` | registers, one a part | [`Shape::registers`] |
//!
//! Parts are of the parameter's type, other records, enums of the hardware (`Enum<State, T>`, of the shape
//! `Enum::shape()`), and `Vec`s and arrays of all of them. A part that a configuration does
//! without takes no bits and no net and reads as a constant, so that a block is written once for every configuration.
//!
//! ```
//! use tmu_hdl::prelude::*;
//!
//! /// A pixel on its way.
//! #[derive(Clone, Debug, Record)]
//! struct Pixel<T = Bits> {
//!     /// It is drawn.
//!     valid: T,
//!     /// Column and row.
//!     place: [T; 2],
//!     /// Its level, where there are several.
//!     level: T,
//! }
//!
//! let has_levels = false;
//! let shape = Pixel {
//!     valid: Width::bits(1),
//!     place: [Width::bits(11), Width::bits(10)],
//!     level: Width::bits(4).when(has_levels),
//! };
//! assert_eq!(shape.width(), 22);
//! assert_eq!(shape.layout()[2].to_string(), "place_1 [21:12] Column and row.");
//!
//! // In a kernel values are packed, taken apart, compared and chosen between; here on numbers.
//! let pixel = shape.unpack(lit(22, 0x00_3003u32));
//! assert_eq!(pixel.place[0].to_u64(), 1);
//! assert_eq!(pixel.place[1].to_u64(), 3);
//! assert_eq!(pixel.level.width(), 4);
//! assert_eq!(shape.pack(&pixel).to_u64(), 0x00_3003);
//! ```
//!
//! Records connect in one line: `lookup.tiles.next = address.tiles.val();` drives every part of the one from the parts of
//! the other. `if c { a } else { b }` chooses between records, `a == b` compares them. A part's wire is called after the
//! `let` that holds the record and the part.
//!
//! [`Shape::layout`] is the table of the packed word, with the documentation of each part: what pages and drivers are made
//! from.

mod field;
mod layout;
mod part;
#[cfg(test)]
mod tests;
mod word;

pub use field::{Field, FieldReg, Signal};
pub use layout::LayoutRow;
pub use part::Part;
pub(crate) use word::parts_of;
pub use word::{Word, choose, chosen, equal, name_parts};

use crate::bits::{Bits, lit, stack};
use crate::clock::Clocks;
use crate::diagnostic::Rule;
use crate::record;
use crate::value::{MAX_WIDTH_BITS, Value};
use rust_hdl_core::direction::Direction;
use std::panic::Location;

/// A struct under `#[derive(Record)]`: the same parts, whatever stands in their places.
pub trait Record: Sized {
    /// What stands in the places.
    type Item;
    /// The same record of something else.
    type Of<U>: Record<Item = U>;

    /// Puts something else into every place, in order.
    fn map<U>(&self, at: &Part, f: &mut dyn FnMut(&Part, &Self::Item) -> U) -> Self::Of<U>;

    /// Brings two records together, part by part.
    ///
    /// # Panics
    /// When arrays of the two differ in length: both must be of one shape.
    fn zip<U, V>(
        &self,
        other: &Self::Of<U>,
        at: &Part,
        f: &mut dyn FnMut(&Part, &Self::Item, &U) -> V,
    ) -> Self::Of<V>;
}

/// How wide a part of a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    bits: usize,
    /// Set where the part has but one value, and takes no bits.
    constant: Option<u64>,
    name: Option<&'static str>,
}

impl Width {
    /// So many bits.
    pub const fn bits(bits: usize) -> Width {
        Width { bits, constant: None, name: None }
    }

    /// A part that always has this value: it takes no bits.
    pub const fn constant(bits: usize, value: u64) -> Width {
        Width { bits, constant: Some(value), name: None }
    }

    /// Names the width: see [`Reg::width_named`](crate::register::Reg::width_named).
    pub const fn named(self, name: &'static str) -> Width {
        Width { name: Some(name), ..self }
    }

    /// The part where `present`; otherwise it takes no bits and reads as zero.
    pub const fn when(self, present: bool) -> Width {
        if present { self } else { Width::constant(self.bits, 0) }
    }

    /// Bits of a value.
    pub const fn value_bits(self) -> usize {
        self.bits
    }

    /// Bits in the packed word: none for a constant.
    pub const fn packed_bits(self) -> usize {
        if self.constant.is_some() { 0 } else { self.bits }
    }

    /// The constant, where it is one.
    fn value(self) -> Option<Bits> {
        self.constant.map(|value| lit(self.bits, value))
    }
}

/// What the shape of a record can do.
pub trait Shape: Record<Item = Width> {
    /// Bits of the packed word.
    fn width(&self) -> usize {
        let mut width = 0;
        self.map(&Part::nameless(), &mut |_, part| width += part.packed_bits());
        width
    }

    /// The packed word as a table: parts upwards from bit 0, in the order of the struct.
    fn layout(&self) -> Vec<LayoutRow> {
        let mut rows: Vec<LayoutRow> = vec![];
        let mut lsb = 0;
        self.map(&Part::root(), &mut |part, width| {
            if width.packed_bits() > 0 {
                rows.push(LayoutRow {
                    name: part.name(),
                    lsb,
                    width: width.packed_bits(),
                    docs: part.docs().into(),
                });
            }
            lsb += width.packed_bits();
        });
        rows
    }

    /// The parts of a packed word.
    #[track_caller]
    fn unpack(&self, word: Bits) -> Self::Of<Bits> {
        let all = self.width();
        if word.width() != all && !word.is_poison() {
            refuse_width("a packed record", all, word, Location::caller());
        }
        let fits = word.width() == all;
        let mut lo = 0;
        self.map(&Part::nameless(), &mut |_, width| {
            let part = match width.value() {
                Some(value) => value,
                None if fits => word.slice(lo, width.bits),
                None => Bits::poison(width.bits),
            };
            lo += width.packed_bits();
            part
        })
    }

    /// The packed word of a value. Parts that take no bits are left out.
    #[track_caller]
    fn pack(&self, value: &Self::Of<Bits>) -> Bits {
        let source = Location::caller();
        let all = self.width();
        // A simulation packs records at every clock: the bits go straight into the word.
        let mut number =
            (!record::is_recording() && (1..=MAX_WIDTH_BITS).contains(&all)).then(|| Value::zero(all));
        let (mut parts, mut lo) = (vec![], 0);
        let mut all_fit = true;
        self.zip(value, &Part::nameless(), &mut |_, width, value: &Bits| {
            if width.packed_bits() > 0 {
                let fits = value.width() == width.bits;
                all_fit &= fits || value.is_poison();
                match &mut number {
                    Some(number) => number.place(lo, &value.value),
                    None => parts.push(if fits { *value } else { Bits::poison(width.bits) }),
                }
                lo += width.bits;
            }
        });
        if !all_fit {
            self.zip(value, &Part::root(), &mut |part, width, value: &Bits| {
                if width.packed_bits() > 0 && value.width() != width.bits && !value.is_poison() {
                    refuse_width(&format!("part `{}`", part.name()), width.bits, *value, source);
                }
            });
        }
        number.map_or_else(|| stack(parts), Bits::constant)
    }

    /// A port or wire for each part.
    #[track_caller]
    fn nets<D: Direction>(&self) -> Self::Of<Field<D>> {
        let source = Location::caller();
        self.map(&Part::root(), &mut |part, width| Field::new(part, *width, source))
    }

    /// A register for each part, without reset.
    #[track_caller]
    fn registers(&self, clocks: &Clocks) -> Self::Of<FieldReg> {
        let source = Location::caller();
        self.map(&Part::root(), &mut |part, width| FieldReg::new(clocks, part, *width, source))
    }
}

impl<R: Record<Item = Width>> Shape for R {}

/// Nets and registers of a record, read and driven together.
pub trait Signals: Record {
    /// The values of all parts.
    fn val(&self) -> Self::Of<Bits>
    where
        Self::Item: Signal,
    {
        self.map(&Part::nameless(), &mut |_, signal| signal.value())
    }

    /// Drives all parts: what `record.next = value` stands for.
    fn drive(&self, value: impl std::borrow::Borrow<Self::Of<Bits>>)
    where
        Self::Item: Signal,
    {
        self.zip(value.borrow(), &Part::nameless(), &mut |_, signal, value: &Bits| signal.take(*value));
    }
}

impl<R: Record> Signals for R {}

fn refuse_width(what: &str, wanted: usize, value: Bits, source: &'static Location<'static>) {
    record::refuse(
        Rule::Width,
        format!("{what} of {wanted} bits is given a value of {}", value.width()),
        vec![("written".into(), source), value.describe("value", source)],
        "extend or cut the value explicitly, or change the shape",
    );
}
