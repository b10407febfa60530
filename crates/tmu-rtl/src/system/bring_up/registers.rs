//! The registers of the bring-up kit.

use super::request_capture::CAPTURE_DEPTH;
use crate::system::registers::{Access, Field, Register, RegisterSpace};
use tmu_spec::Config;

/// Where the kit's registers stand.
pub const BRING_UP_SPACE: RegisterSpace = RegisterSpace { base_bytes: 0x600, bytes: 0x100 };

/// Bits of a count that stops at its end.
const COUNT: &[Field] = &[Field::new("COUNT", 0, 32, "Count since the start; stops at 2^32 - 1.")];
const NUMBER: &[Field] =
    &[Field::new("NUMBER", 0, 32, "In s16.16: 65536 is the full extent of the texture.")];

/// The table without the binding, by rising offset.
pub const TABLE: &[Register] = &[
    Register::new(
        "BRING_UP_CONTROL",
        0x00,
        Access::Command,
        &[
            Field::new(
                "START",
                0,
                1,
                "Write 1 to send the binding and the quads. Without effect unless `STATUS` has `OWNS` and not `BUSY`.",
            ),
            Field::new("STOP", 1, 1, "Write 1 to send no further quads."),
            Field::new(
                "CAPTURE",
                2,
                1,
                "Write 1 to forget what was captured and to capture from the next binding on.",
            ),
        ],
        "Commands; reads 0.",
    ),
    Register::new(
        "BRING_UP_STATUS",
        0x04,
        Access::ReadOnly,
        &[
            Field::new(
                "OWNS",
                0,
                1,
                "The unit has answered all requests of its stream, and takes those of the kit.",
            ),
            Field::new("BUSY", 1, 1, "Quads are sent or have not been answered."),
            Field::new("CAPTURING", 2, 1, "A capture waits for a binding or goes on."),
        ],
        "What the kit does.",
    ),
    Register::new(
        "BRING_UP_UNIT",
        0x08,
        Access::ReadWrite,
        &[Field::new("NUMBER", 0, 4, "Number of the unit.")],
        "The unit that is driven, measured and captured. Writes are refused while busy.",
    ),
    Register::new(
        "BRING_UP_TAKE",
        0x0c,
        Access::ReadWrite,
        &[Field::new("TAKE", 0, 1, "The kit drives the unit. Requests of the stream wait meanwhile.")],
        "Takes the unit, at the end of a packet and once all is answered, and gives it back; then the stream begins with a binding. Writes are refused while busy.",
    ),
    Register::new(
        "BRING_UP_PATTERN",
        0x10,
        Access::ReadWrite,
        &[
            Field::new("RANDOM", 0, 1, "0: rows of quads, one below the other. 1: quads anywhere."),
            Field::new("VALID", 4, 4, "Valid bits of each quad."),
        ],
        "Which quads are sent. This and what follows is not to be written while busy.",
    ),
    Register::new(
        "BRING_UP_QUADS",
        0x14,
        Access::ReadWrite,
        &[Field::new("COUNT", 0, 32, "Number of quads.")],
        "How many quads are sent.",
    ),
    Register::new(
        "BRING_UP_ROW",
        0x18,
        Access::ReadWrite,
        &[Field::new("QUADS", 0, 16, "Quads of a row, at least 1.")],
        "Length of a row of quads.",
    ),
    Register::new(
        "BRING_UP_U",
        0x1c,
        Access::ReadWrite,
        NUMBER,
        "u of the first pixel; with `RANDOM` the seed of u, not 0.",
    ),
    Register::new(
        "BRING_UP_V",
        0x20,
        Access::ReadWrite,
        NUMBER,
        "v of the first pixel; with `RANDOM` the seed of v, not 0.",
    ),
    Register::new(
        "BRING_UP_U_ACROSS",
        0x24,
        Access::ReadWrite,
        NUMBER,
        "How u changes from a pixel to the one on its right.",
    ),
    Register::new(
        "BRING_UP_V_ACROSS",
        0x28,
        Access::ReadWrite,
        NUMBER,
        "How v changes from a pixel to the one on its right.",
    ),
    Register::new(
        "BRING_UP_U_DOWN",
        0x2c,
        Access::ReadWrite,
        NUMBER,
        "How u changes from a pixel to the one below.",
    ),
    Register::new(
        "BRING_UP_V_DOWN",
        0x30,
        Access::ReadWrite,
        NUMBER,
        "How v changes from a pixel to the one below.",
    ),
    Register::new(
        "BRING_UP_CRC",
        0x34,
        Access::ReadOnly,
        &[Field::new("VALUE", 0, 32, "CRC-32 as Ethernet, zlib and PNG have it.")],
        "CRC of the results since the start: of each the bytes of `tdata` from bit 0 up, then a byte with `tuser`.",
    ),
    Register::new("BRING_UP_RESULTS", 0x38, Access::ReadOnly, COUNT, "Results since the start."),
    Register::new(
        "BRING_UP_FAILED",
        0x3c,
        Access::ReadOnly,
        COUNT,
        "Results since the start that have the error bit.",
    ),
    Register::new(
        "BRING_UP_CLOCKS",
        0x40,
        Access::ReadOnly,
        COUNT,
        "Clocks of `tmu_aclk` from the start to the last result.",
    ),
    Register::new(
        "BRING_UP_READS",
        0x44,
        Access::ReadOnly,
        &[Field::new("COUNT", 0, 16, "Reads measured; stops at 65535, and the sum with it.")],
        "Reads of the unit whose latency was measured since the start: one at a time, the next one that the unit asks for.",
    ),
    Register::new(
        "BRING_UP_LATENCY",
        0x48,
        Access::ReadOnly,
        &[
            Field::new("LEAST", 0, 16, "The least; 65535 before the first."),
            Field::new("MOST", 16, 16, "The most."),
        ],
        "Clocks of `tmu_aclk` from a read of the unit to its first line, the memory port included.",
    ),
    Register::new(
        "BRING_UP_LATENCY_SUM",
        0x4c,
        Access::ReadOnly,
        &[Field::new("CLOCKS", 0, 32, "Sum of the latencies.")],
        "Divided by `BRING_UP_READS` the mean latency.",
    ),
    Register::new(
        "BRING_UP_LINES",
        0x50,
        Access::ReadOnly,
        COUNT,
        "Lines of 16 bytes that memory gave the unit since the start.",
    ),
    Register::new(
        "BRING_UP_WAITING",
        0x54,
        Access::ReadOnly,
        COUNT,
        "Clocks since the start in which lines were to come.",
    ),
    Register::new(
        "BRING_UP_CAPTURED",
        0x58,
        Access::ReadOnly,
        &[
            Field::new("BEATS", 0, 16, "Beats captured; the capture ends when the memory is full."),
            Field::new("DEPTH", 16, 16, "Beats that the memory holds."),
        ],
        "How far a capture is.",
    ),
    Register::new(
        "BRING_UP_PLACE",
        0x5c,
        Access::ReadWrite,
        &[
            Field::new(
                "WORD",
                0,
                5,
                "Word of 32 bits of the beat, from bit 0 up: `tdata`, above it `tuser`, above it `tlast`.",
            ),
            Field::new("BEAT", 16, 9, "Beat, or read, from 0."),
        ],
        "What `BRING_UP_DATA` and `BRING_UP_READ` show.",
    ),
    Register::new(
        "BRING_UP_DATA",
        0x60,
        Access::ReadOnly,
        &[Field::new("WORD", 0, 32, "The word; bits over the beat read 0.")],
        "A word of a captured beat.",
    ),
    Register::new(
        "BRING_UP_CAPTURED_READS",
        0x64,
        Access::ReadOnly,
        &[
            Field::new("READS", 0, 16, "Reads captured; none if a quad was under way when the binding came."),
            Field::new("DEPTH", 16, 16, "Reads that the memory holds."),
        ],
        "How many reads from memory a capture has, from its binding on; no more than the memory holds.",
    ),
    Register::new(
        "BRING_UP_READ",
        0x68,
        Access::ReadOnly,
        &[
            Field::new(
                "LINE",
                0,
                27,
                "First line of 16 bytes, counted from the start of the texture window.",
            ),
            Field::new("MORE", 27, 5, "Lines behind it that are read, too."),
        ],
        "A captured read: the one whose number is `BRING_UP_PLACE.BEAT`.",
    ),
];

const WORD: &[Field] = &[Field::new("BITS", 0, 32, "Bits of the binding.")];

/// Registers of the binding, four for each of its beats: classic units have the first four.
pub const BINDING: [Register; 20] = {
    const fn word(name: &'static str, number: u32) -> Register {
        Register::new(
            name,
            0x80 + 4 * number,
            Access::ReadWrite,
            WORD,
            "Word of the binding that the kit sends, the lowest bits first.",
        )
    }
    [
        word("BRING_UP_BINDING_0", 0),
        word("BRING_UP_BINDING_1", 1),
        word("BRING_UP_BINDING_2", 2),
        word("BRING_UP_BINDING_3", 3),
        word("BRING_UP_BINDING_4", 4),
        word("BRING_UP_BINDING_5", 5),
        word("BRING_UP_BINDING_6", 6),
        word("BRING_UP_BINDING_7", 7),
        word("BRING_UP_BINDING_8", 8),
        word("BRING_UP_BINDING_9", 9),
        word("BRING_UP_BINDING_10", 10),
        word("BRING_UP_BINDING_11", 11),
        word("BRING_UP_BINDING_12", 12),
        word("BRING_UP_BINDING_13", 13),
        word("BRING_UP_BINDING_14", 14),
        word("BRING_UP_BINDING_15", 15),
        word("BRING_UP_BINDING_16", 16),
        word("BRING_UP_BINDING_17", 17),
        word("BRING_UP_BINDING_18", 18),
        word("BRING_UP_BINDING_19", 19),
    ]
};

/// Beats of a binding.
#[must_use]
pub fn binding_beats(config: &Config) -> usize {
    if config.features().general().is_some() {
        tmu_spec::general::field::WORDS
    } else {
        tmu_spec::binding::field::WORDS
    }
}

/// The registers of a configuration's kit, by rising offset.
#[must_use]
pub fn table(config: &Config) -> Vec<Register> {
    TABLE.iter().chain(&BINDING[..4 * binding_beats(config)]).copied().collect()
}

/// What a register reads after reset.
#[must_use]
pub fn reset_value(register: &Register) -> u32 {
    match register.name {
        "BRING_UP_LATENCY" => u32::from(u16::MAX),
        "BRING_UP_CAPTURED" | "BRING_UP_CAPTURED_READS" => (CAPTURE_DEPTH as u32) << 16,
        _ => 0,
    }
}

/// Numbers, which are offsets in words, of the registers that must not be written while quads are under way.
pub(super) const GUARDED: [u32; 2] = [2, 3];
