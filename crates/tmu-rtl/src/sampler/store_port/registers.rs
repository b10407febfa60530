//! The registers of the store port.

use crate::system::registers::{Access, Field, Register, RegisterSpace};
use tmu_spec::Config;
use tmu_spec::general::field::{WORD_REGISTERS, WORDS};

/// Where the registers stand.
pub const STORE_SPACE: RegisterSpace = RegisterSpace { base_bytes: 0x700, bytes: 0x100 };
/// Distance of the words of the binding from the first register.
pub const WORDS_BYTES: u32 = 0x80;

/// The registers that are there wherever the port is, by rising offset.
pub const TABLE: &[Register] = &[
    Register::new(
        "STORE_CONTROL",
        0x00,
        Access::Command,
        &[Field::new("SEND", 0, 1, "Write 1 to write the binding to the entry.")],
        "Commands; reads 0. While busy writes to this register and to all that follow but read-only ones are refused.",
    ),
    Register::new(
        "STORE_STATUS",
        0x04,
        Access::ReadOnly,
        &[Field::new(
            "BUSY",
            0,
            1,
            "What was begun is at work. When it is not, all packets that a unit takes from its request stream find the entry written.",
        )],
        "What the port does.",
    ),
    Register::new(
        "STORE_UNITS",
        0x08,
        Access::ReadWrite,
        &[Field::new("UNITS", 0, 16, "Bit n: unit n. Bits of units that are not there mean nothing.")
            .with_reset(0xffff)],
        "Units whose stores are written, one after the other.",
    ),
    Register::new(
        "STORE_ENTRY",
        0x0c,
        Access::ReadWrite,
        &[Field::new("NUMBER", 0, 7, "Number of an entry; with 64 entries 6 bits count.")],
        "The entry that is written, or the first one that is loaded.",
    ),
];

/// Those of the table in memory.
pub const OF_TABLE: &[Register] = &[
    Register::new(
        "STORE_COUNT",
        0x10,
        Access::ReadWrite,
        &[Field::new("ENTRIES", 0, 8, "Number of entries. Behind the last one of the store loading ends.")
            .with_reset(1)],
        "How many entries are loaded, from `STORE_ENTRY` up.",
    ),
    Register::new(
        "STORE_TABLE",
        0x14,
        Access::ReadWrite,
        &[Field::new("ADDRESS", 4, 27, "Bits 30:4 of the byte address in the texture window.")],
        "Where the table is: entry n stands 80 n bytes behind.",
    ),
    Register::new(
        "STORE_LOAD",
        0x18,
        Access::Command,
        &[Field::new(
            "LOAD",
            0,
            1,
            "Write 1 to load entries from the table; `STORE_STATUS` says when that is done.",
        )],
        "Commands; reads 0.",
    ),
    Register::new(
        "STORE_LOADED",
        0x1c,
        Access::ReadOnly,
        &[
            Field::new("FAILED", 0, 1, "An entry could not be read. Bindings of it break a rule."),
            Field::new("ENTRY", 8, 7, "The first such entry."),
        ],
        "What has come of loading since it was begun.",
    ),
];

const WORD: &[Field] = &[Field::new("BITS", 0, 32, "Bits of the binding.")];

/// The words of the binding.
pub const BINDING: [Register; WORDS * WORD_REGISTERS as usize] = {
    const fn word(name: &'static str, number: u32) -> Register {
        Register::new(
            name,
            WORDS_BYTES + 4 * number,
            Access::ReadWrite,
            WORD,
            "Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.",
        )
    }
    [
        word("STORE_BINDING_0", 0),
        word("STORE_BINDING_1", 1),
        word("STORE_BINDING_2", 2),
        word("STORE_BINDING_3", 3),
        word("STORE_BINDING_4", 4),
        word("STORE_BINDING_5", 5),
        word("STORE_BINDING_6", 6),
        word("STORE_BINDING_7", 7),
        word("STORE_BINDING_8", 8),
        word("STORE_BINDING_9", 9),
        word("STORE_BINDING_10", 10),
        word("STORE_BINDING_11", 11),
        word("STORE_BINDING_12", 12),
        word("STORE_BINDING_13", 13),
        word("STORE_BINDING_14", 14),
        word("STORE_BINDING_15", 15),
        word("STORE_BINDING_16", 16),
        word("STORE_BINDING_17", 17),
        word("STORE_BINDING_18", 18),
        word("STORE_BINDING_19", 19),
    ]
};

/// The registers of a configuration in the bank, by rising offset: all but the words, which stand in RAM.
pub(super) fn bank(config: &Config) -> Vec<Register> {
    let of_table = if config.control().store_table() { OF_TABLE } else { &[] };
    TABLE.iter().chain(of_table).copied().collect()
}

/// All registers of a configuration that has the port, by rising offset.
#[must_use]
pub fn table(config: &Config) -> Vec<Register> {
    bank(config).into_iter().chain(BINDING).collect()
}
