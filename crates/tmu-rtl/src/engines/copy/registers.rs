//! The registers of `copy`.

use crate::system::registers::{Access, Field, Register};

const COUNT: &[Field] = &[Field::new("COUNT", 0, 32, "Count since reset; stops at 2^32 - 1.")];
const LOW: &[Field] = &[Field::new("ADDRESS", 0, 32, "Bits 31:0 of the address.")];
const HIGH: &[Field] = &[Field::new(
    "ADDRESS",
    0,
    32,
    "Bits 63:32 of the address; those that the memory port does not have count as 0.",
)];

/// Bits of a length.
pub const LENGTH_BITS: usize = 24;

/// The table, by rising offset.
pub const TABLE: &[Register] = &[
    Register::new(
        "CONTROL",
        0x00,
        Access::Command,
        &[Field::new("START", 0, 1, "Write 1 to start a job. Refused while one is at work.")],
        "Starts a job.",
    ),
    Register::new(
        "STATUS",
        0x04,
        Access::ReadOnly,
        &[
            Field::new("BUSY", 0, 1, "A job is at work."),
            Field::new(
                "CODE",
                8,
                4,
                "How the last job ended: 0 well; refused, nothing is read or written: 1 length of 0, 2 source and destination in different places of a line, 3 past the end of the address space; failed: 4 a read, 5 a write, 6 an answer of the wrong length.",
            ),
        ],
        "What the engine does, and how its last job ended. A job that has failed may have written any part of the destination.",
    ),
    Register::new(
        "INTERRUPT_ENABLE",
        0x08,
        Access::ReadWrite,
        &[Field::new("DONE", 0, 1, "`copy_interrupt` is high while `INTERRUPT` has this bit.")],
        "What interrupts.",
    ),
    Register::new(
        "INTERRUPT",
        0x0c,
        Access::WriteOneToClear,
        &[Field::new(
            "DONE",
            0,
            1,
            "A job has ended, well or not, and all it has written has been answered.",
        )],
        "What has happened.",
    ),
    Register::new(
        "SOURCE_LOW",
        0x10,
        Access::ReadWrite,
        LOW,
        "Address of the first byte to read. Not to be written while busy.",
    ),
    Register::new("SOURCE_HIGH", 0x14, Access::ReadWrite, HIGH, "Upper half of `SOURCE_LOW`."),
    Register::new(
        "DESTINATION_LOW",
        0x18,
        Access::ReadWrite,
        LOW,
        "Address of the first byte to write. Its lowest 4 bits are those of the source. Not to be written while busy.",
    ),
    Register::new("DESTINATION_HIGH", 0x1c, Access::ReadWrite, HIGH, "Upper half of `DESTINATION_LOW`."),
    Register::new(
        "LENGTH",
        0x20,
        Access::ReadWrite,
        &[Field::new("BYTES", 0, LENGTH_BITS as u32, "Bytes to copy, at least 1.")],
        "How much is copied. Not to be written while busy.",
    ),
    Register::new("LINES_READ", 0x24, Access::ReadOnly, COUNT, "Lines of 16 bytes that were read."),
    Register::new(
        "LINES_WRITTEN",
        0x28,
        Access::ReadOnly,
        COUNT,
        "Lines that were written, whole or in part.",
    ),
    Register::new(
        "BUSY_CLOCKS",
        0x2c,
        Access::ReadOnly,
        COUNT,
        "Clocks of `tmu_aclk` in which a job was at work.",
    ),
];

/// Numbers, which are offsets in words, of the registers that must not be written while a job is at work.
pub(super) const GUARDED: [u32; 6] = [0, 4, 5, 6, 7, 8];
