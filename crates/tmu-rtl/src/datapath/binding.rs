//! `binding`: the fields of a binding's record, as stages read them. Wires only.

use crate::datapath::bundles::line_bits;
use crate::datapath::format::{Kind, kind_of_code};
use tmu_hdl::prelude::*;
use tmu_spec::binding::field::{ALL, BASE, FORMAT, Field, WORDS};
use tmu_spec::{Config, LINE_BYTES};

/// Bits of a record up to the last field, a power of two; all above are reserved.
pub(crate) const BINDING_BITS: usize = {
    let (mut bits, mut number) = (0, 0);
    while number < ALL.len() {
        let end = (ALL[number].shift + ALL[number].bits) as usize;
        bits = if end > bits { end } else { bits };
        number += 1;
    }
    bits.next_power_of_two()
};

/// `request` takes a binding in one beat.
const _: () = assert!(WORDS == 1);

/// Bits of a byte's number in a line.
pub(crate) const LINE_SHIFT: usize = LINE_BYTES.ilog2() as usize;

/// Lowest bit of the number of the line where the texture starts.
pub(crate) const FIRST_LINE_SHIFT: usize = BASE.shift as usize + LINE_SHIFT;

/// A field of the record that stands at the lowest bits of `raw`.
#[kernel]
pub(crate) fn part(raw: Bits, field: Field) -> Bits {
    raw.slice(field.shift as usize, field.bits as usize)
}

/// What the texels of the binding are.
#[kernel]
pub(crate) fn kind(config: &Config, raw: Bits) -> Kind {
    kind_of_code(config, part(raw, FORMAT))
}

/// The line where the texture starts, or its colour table.
#[kernel]
pub(crate) fn first_line(config: &Config, raw: Bits) -> Bits {
    raw.slice(FIRST_LINE_SHIFT, line_bits(config))
}
