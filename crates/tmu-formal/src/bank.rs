//! The registers of the proof of register banks: each kind of field, fields over bytes and next to gaps, and addresses
//! without a register.

use std::borrow::Cow;
use tmu_hdl::bus::{FieldAccess, FieldRecord, RegisterRecord};

const fn field(name: &'static str, bits: (usize, usize), access: FieldAccess, reset: u32) -> FieldRecord {
    FieldRecord { name, low_bit: bits.0, width_bits: bits.1, access, reset, doc: "" }
}

/// The table.
pub(crate) const TABLE: &[RegisterRecord] = &[
    RegisterRecord {
        name: "control",
        offset_bytes: 0,
        fields: Cow::Borrowed(&[
            field("enable", (0, 1), FieldAccess::ReadWrite, 1),
            field("start", (1, 1), FieldAccess::Pulse, 0),
            field("level", (6, 5), FieldAccess::ReadWrite, 0x12),
        ]),
        doc: "",
    },
    RegisterRecord {
        name: "status",
        offset_bytes: 8,
        fields: Cow::Borrowed(&[
            field("errors", (28, 4), FieldAccess::WriteOneToClear, 0),
            field("count", (0, 9), FieldAccess::ReadOnly, 0),
        ]),
        doc: "",
    },
];
