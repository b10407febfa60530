//! What a fetch of level 0 needs of the secondary texture of indirect look-ups, beside what is kept of the primary one.

use super::words::BoundTexels;
use super::{LINE_SHIFT, SIZE_BITS};
use crate::datapath::bundles::line_bits;
use crate::datapath::general::words::{FORMAT_BITS, ItemHead, field_of, has_secondary_field};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::binding::field::{BASE, FORMAT, Field as RecordField};
use tmu_spec::general::Kind;
use tmu_spec::general::field::{HEIGHT, KIND, LEVEL_OFFSETS, SRGB, SWIZZLE, WIDTH};

/// What is kept.
#[derive(Clone, Debug, Record)]
pub(super) struct Second<T = Bits> {
    /// Columns and rows.
    pub(super) sides: [T; 2],
    /// It has one row.
    pub(super) is_row: T,
    /// The line in which it begins, and that of level 0 from there.
    pub(super) first_line: T,
    pub(super) offset: T,
    /// Code of the format.
    pub(super) format: T,
    /// Colours are sRGB-coded.
    pub(super) is_srgb: T,
    /// What the channels of a value show.
    pub(super) swizzle: T,
}

impl Second<Width> {
    /// The shape of a configuration.
    pub(super) fn of(config: &Config) -> Second<Width> {
        let BoundTexels { is_srgb, swizzle, .. } = BoundTexels::of(config);
        let line = Width::bits(line_bits(config));
        Second {
            sides: [Width::bits(SIZE_BITS); 2],
            is_row: Width::bits(1),
            first_line: line,
            offset: line,
            format: Width::bits(FORMAT_BITS),
            is_srgb,
            swizzle,
        }
    }
}

/// A register of a binding comes.
#[kernel]
pub(super) fn keep(second: &Second<FieldReg>, head: &ItemHead, register: Bits, comes: Bits) {
    /// # Binding of the secondary texture
    let takes = |of: RecordField| comes && has_secondary_field(head, of);
    for (side, of) in second.sides.iter().zip([WIDTH, HEIGHT]) {
        if takes(of) {
            side.next = field_of(register, of).zero_extend(SIZE_BITS) + 1;
        }
    }
    if takes(KIND) {
        second.is_row.next = field_of(register, KIND) == u64::from(Kind::D1.code());
    }
    let line = |of: RecordField| field_of(register, of).high(of.bits as usize - LINE_SHIFT);
    if takes(BASE) {
        second.first_line.next = line(BASE);
    }
    if takes(LEVEL_OFFSETS[0]) {
        second.offset.next = line(LEVEL_OFFSETS[0]);
    }
    if takes(FORMAT) {
        second.format.next = field_of(register, FORMAT);
    }
    // One register has both.
    if takes(SRGB) {
        second.is_srgb.next = field_of(register, SRGB);
        second.swizzle.next = stack(SWIZZLE.map(|of| field_of(register, of)));
    }
}
