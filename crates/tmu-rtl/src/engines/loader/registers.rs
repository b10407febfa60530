//! The registers of `loader`.

use crate::system::registers::{Access, Field, Register};

const COUNT: &[Field] = &[Field::new("COUNT", 0, 32, "Count; stops at 2^32 - 1.")];
const ADDRESS: &[Field] = &[Field::new("ADDRESS", 0, 32, "Byte address.")];
const BYTES: &[Field] = &[Field::new("BYTES", 0, 32, "A multiple of 16.")];
const TEXELS: &[Field] = &[Field::new("TEXELS", 0, SIZE_FIELD_BITS as u32, "1 to 4096.").with_reset(1)];

/// Bits of a field for a side: more than a side has, so that one that is too large is seen and refused.
pub const SIZE_FIELD_BITS: usize = 16;
/// Bits of a field for levels.
pub const LEVELS_FIELD_BITS: usize = 8;
/// What `IDENTITY` reads: `LOAD`.
pub const IDENTITY: u32 = u32::from_be_bytes(*b"LOAD");

/// How a job ended, as `STATUS` shows it, where no rule was broken: those are 1 to 8, see [`tmu_spec::loader::Refusal`].
pub mod code {
    /// Well.
    pub const OK: u32 = 0;
    /// Failed: a read of the picture, or of the texture.
    pub const READ_FAULT: u32 = 9;
    /// Failed: a write of the texture.
    pub const WRITE_FAULT: u32 = 10;
    /// Ended by `RESET`.
    pub const RESET: u32 = 15;
}

/// The table, by rising offset.
pub const TABLE: &[Register] = &[
    Register::new(
        "CONTROL",
        0x00,
        Access::Command,
        &[Field::new("START", 0, 1, "Write 1 to start a job.")],
        "Starts a job. While one is at work a write of this register, or of any up to `LEVELS`, is answered with an error and changes nothing.",
    ),
    Register::new("PICTURE", 0x04, Access::ReadWrite, ADDRESS, "Where the picture is: a multiple of 16."),
    Register::new(
        "PITCH",
        0x08,
        Access::ReadWrite,
        BYTES,
        "From a row of the picture to the next, at least the bytes of a row.",
    ),
    Register::new(
        "SLICE_PITCH",
        0x0c,
        Access::ReadWrite,
        BYTES,
        "From a slice, face or layer of the picture to the next.",
    ),
    Register::new(
        "TEXTURE",
        0x10,
        Access::ReadWrite,
        ADDRESS,
        "Where the texture is to be: a multiple of 16. Levels stand one behind the other, the largest first. It must not meet the picture.",
    ),
    Register::new("WIDTH", 0x14, Access::ReadWrite, TEXELS, "Texels of a row."),
    Register::new("HEIGHT", 0x18, Access::ReadWrite, TEXELS, "Rows."),
    Register::new(
        "DEPTH",
        0x1c,
        Access::ReadWrite,
        TEXELS,
        "Slices of a `3d` texture, layers of a `2d_array` (at most 2048), 6 faces of a `cube`, 1 of a `2d`.",
    ),
    Register::new(
        "FORMAT",
        0x20,
        Access::ReadWrite,
        &[
            Field::new(
                "FORMAT",
                0,
                8,
                "Code of the format, as in a binding: any without colour table and blocks.",
            ),
            Field::new("KIND", 8, 3, "1 `2d`, 2 `3d`, 3 `cube`, 4 `2d_array`.").with_reset(1),
            Field::new(
                "SRGB",
                16,
                1,
                "Colours are averaged as the light that they stand for: `rgba8` and `rgb8`.",
            ),
        ],
        "What texels and slices are.",
    ),
    Register::new(
        "LEVELS",
        0x24,
        Access::ReadWrite,
        &[Field::new(
            "COUNT",
            0,
            LEVELS_FIELD_BITS as u32,
            "1 to as many as there are down to one texel; 1 for depths and floats.",
        )
        .with_reset(1)],
        "Levels of the texture.",
    ),
    Register::new(
        "IDENTITY",
        0x100,
        Access::ReadOnly,
        &[Field::new("VALUE", 0, 32, "The characters `LOAD`, the first in the highest byte.")
            .with_reset(IDENTITY)],
        "Identity of the engine.",
    ),
    Register::new(
        "INTERRUPT_ENABLE",
        0x104,
        Access::ReadWrite,
        &[Field::new("DONE", 0, 1, "`loader_interrupt` is high while `INTERRUPT` has this bit.")],
        "What interrupts.",
    ),
    Register::new(
        "INTERRUPT",
        0x108,
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
        "STATUS",
        0x10c,
        Access::ReadOnly,
        &[
            Field::new("BUSY", 0, 1, "A job is at work."),
            Field::new("ERROR", 1, 1, "The last job was refused or has failed."),
            Field::new(
                "CODE",
                8,
                4,
                "How the last job ended: 0 well; refused, nothing is read or written: 1 a side is 0 or over 4096, or there are more than 2048 \
                 layers, 2 a kind that is not built, or sides that it does not have, 3 a format with a colour table or blocks, or none, \
                 4 no levels, or more than down to one texel, 5 more than one level of depths or floats, 6 `SRGB` with another format than \
                 `rgba8` and `rgb8`, 7 an address or a pitch that is no multiple of 16, 8 a `PITCH` below the bytes of a row; failed: 9 a read, 10 a \
                 write; 15 ended by `RESET`.",
            ),
            Field::new(
                "RESPONSE",
                12,
                2,
                "How an access has failed: 2 SLVERR, 3 DECERR, 1 an answer of the wrong length.",
            ),
        ],
        "What the engine does, and how its last job ended. One that has failed may have written any part of the texture.",
    ),
    Register::new(
        "FAULT_ADDRESS",
        0x110,
        Access::ReadOnly,
        ADDRESS,
        "Where the last job has failed: a line of 16 bytes; of a write the first line of its burst.",
    ),
    Register::new(
        "LINES_READ",
        0x114,
        Access::ReadOnly,
        COUNT,
        "Lines of 16 bytes that the last job has read.",
    ),
    Register::new("LINES_WRITTEN", 0x118, Access::ReadOnly, COUNT, "Lines that it has written."),
    Register::new("BUSY_CLOCKS", 0x11c, Access::ReadOnly, COUNT, "Clocks of `tmu_aclk` that it took."),
    Register::new(
        "RESET",
        0x120,
        Access::Command,
        &[Field::new(
            "END",
            0,
            1,
            "Write 1 to end the job that is at work: it ends when memory has answered.",
        )],
        "Soft reset.",
    ),
];

/// Numbers, which are offsets in words, of the registers that must not be written while a job is at work.
pub(super) const GUARDED: [u32; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
