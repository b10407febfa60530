//! The registers of `mesh`.

use crate::system::registers::{Access, Field, Register};

const COUNT: &[Field] = &[Field::new("COUNT", 0, 32, "Count; stops less than 64 below 2^32.")];
const ADDRESS: &[Field] = &[Field::new("ADDRESS", 0, 32, "Byte address.")];
const OFFSET: &[Field] = &[Field::new("PIXELS", 0, 32, "Two's complement.")];
const MASK: &[Field] = &[Field::new("BITS", 0, MASK_BITS as u32, "The mask.").with_reset(0x3_ffff)];

const fn size(reset: u32) -> Field {
    Field::new("PIXELS", 0, SIZE_FIELD_BITS as u32, "1 to 2047.").with_reset(reset)
}

const fn rectangles(reset: u32) -> Field {
    Field::new("COUNT", 0, SIZE_FIELD_BITS as u32, "1 to 127.").with_reset(reset)
}

const fn share(doc: &'static str) -> Field {
    Field::new("LEVEL", 0, 6, doc).with_reset(63)
}

/// Bits of a field for a size: more than a size has, so that one that is too large is seen and refused.
pub const SIZE_FIELD_BITS: usize = 16;
/// Bits of a mask, and of a coordinate.
pub const MASK_BITS: usize = 18;
/// Bits of the numbers of the registers with the settings of a job: those up to `ALPHA`.
pub const SETTINGS_BITS: usize = 5;
/// What `IDENTITY` reads: `MESH`.
pub const IDENTITY: u32 = u32::from_be_bytes(*b"MESH");

/// How a job ended, as `STATUS` shows it.
pub mod code {
    /// Well.
    pub const OK: u32 = 0;
    /// Refused: `HMESHLAST` or `VMESHLAST` is 0 or over 127.
    pub const MESH_SIZE: u32 = 1;
    /// Refused: `TEXTURE_WIDTH` or `TEXTURE_HEIGHT` is 0 or over 2047.
    pub const TEXTURE_SIZE: u32 = 2;
    /// Refused: `FRAME_WIDTH` or `FRAME_HEIGHT` is 0 or over 2047.
    pub const FRAME_SIZE: u32 = 3;
    /// Refused: `RECTANGLE_WIDTH` or `RECTANGLE_HEIGHT` is 0 or over 2047.
    pub const RECTANGLE_SIZE: u32 = 4;
    /// Refused: `VERTICES` is no multiple of 8, or `TEXTURE` or `FRAME` none of 2.
    pub const ALIGNMENT: u32 = 5;
    /// Failed: a read of vertices.
    pub const VERTICES_FAULT: u32 = 8;
    /// Failed: a read of the texture.
    pub const TEXTURE_FAULT: u32 = 9;
    /// Failed: a read of the frame buffer.
    pub const FRAME_FAULT: u32 = 10;
    /// Failed: a write of the frame buffer.
    pub const WRITE_FAULT: u32 = 11;
    /// Ended by `RESET`.
    pub const RESET: u32 = 15;
}

/// The table, by rising offset.
pub const TABLE: &[Register] = &[
    Register::new(
        "CONTROL",
        0x00,
        Access::ReadWriteUntil,
        &[
            Field::new("START", 0, 1, "Write 1 to start a job; reads 1 until it has ended."),
            Field::new("CHROMA_KEY", 1, 1, "Pixels whose filtered colour is the key are left out."),
            Field::new("ADDITIVE", 2, 1, "Colours are added to those in the frame buffer."),
        ],
        "Starts a job. While one is at work a write of this register, or of any up to `ALPHA`, is answered with an error and changes nothing.",
    ),
    Register::new("HMESHLAST", 0x04, Access::ReadWrite, &[rectangles(32)], "Rectangles across."),
    Register::new("VMESHLAST", 0x08, Access::ReadWrite, &[rectangles(24)], "Rectangles down."),
    Register::new(
        "BRIGHTNESS",
        0x0c,
        Access::ReadWrite,
        &[share("Colours are multiplied by this plus 1, of 64.")],
        "Fade.",
    ),
    Register::new(
        "CHROMA_KEY",
        0x10,
        Access::ReadWrite,
        &[Field::new("COLOR", 0, 16, "RGB565.")],
        "The key.",
    ),
    Register::new(
        "VERTICES",
        0x14,
        Access::ReadWrite,
        ADDRESS,
        "Where the points of the mesh are: a multiple of 8. Point (x, y) lies at 8 (128 y + x) bytes from here: a word of 32 bits for the \
         column in the texture, and one for the row, with 6 bits behind the point and 18 bits in use.",
    ),
    Register::new("TEXTURE", 0x18, Access::ReadWrite, ADDRESS, "Where the texture is: a multiple of 2."),
    Register::new("TEXTURE_WIDTH", 0x1c, Access::ReadWrite, &[size(512)], "Pixels of a row of the texture."),
    Register::new("TEXTURE_HEIGHT", 0x20, Access::ReadWrite, &[size(512)], "Rows of the texture."),
    Register::new("MASK_X", 0x24, Access::ReadWrite, MASK, "ANDed to columns in the texture, of 12.6 bits."),
    Register::new("MASK_Y", 0x28, Access::ReadWrite, MASK, "ANDed to rows in the texture."),
    Register::new("FRAME", 0x2c, Access::ReadWrite, ADDRESS, "Where the frame buffer is: a multiple of 2."),
    Register::new(
        "FRAME_WIDTH",
        0x30,
        Access::ReadWrite,
        &[size(640)],
        "Pixels of a row of the frame buffer.",
    ),
    Register::new("FRAME_HEIGHT", 0x34, Access::ReadWrite, &[size(480)], "Rows of the frame buffer."),
    Register::new(
        "X_OFFSET",
        0x38,
        Access::ReadWrite,
        OFFSET,
        "Column of the first pixel of the mesh in the frame buffer.",
    ),
    Register::new("Y_OFFSET", 0x3c, Access::ReadWrite, OFFSET, "Its row."),
    Register::new("RECTANGLE_WIDTH", 0x40, Access::ReadWrite, &[size(16)], "Pixels of a row of a rectangle."),
    Register::new("RECTANGLE_HEIGHT", 0x44, Access::ReadWrite, &[size(16)], "Rows of a rectangle."),
    Register::new(
        "ALPHA",
        0x48,
        Access::ReadWrite,
        &[share("New colours have this plus 1, of 64; those in the frame buffer have the rest.")],
        "Blending. At 63, and without `ADDITIVE`, the frame buffer is not read.",
    ),
    Register::new(
        "IDENTITY",
        0x100,
        Access::ReadOnly,
        &[Field::new("VALUE", 0, 32, "The characters `MESH`, the first in the highest byte.")
            .with_reset(IDENTITY)],
        "Identity of the engine.",
    ),
    Register::new(
        "INTERRUPT_ENABLE",
        0x104,
        Access::ReadWrite,
        &[Field::new("DONE", 0, 1, "`mesh_interrupt` is high for a clock when a job has ended.")],
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
                "How the last job ended: 0 well; refused, nothing is read or written: 1 `HMESHLAST` or `VMESHLAST` is 0 or over 127, \
                 2 a size of the texture is 0 or over 2047, 3 one of the frame buffer, 4 one of a rectangle, 5 `VERTICES` is no \
                 multiple of 8, or `TEXTURE` or `FRAME` none of 2; failed: 8 a read of vertices, 9 of the texture, 10 of the frame \
                 buffer, 11 a write; 15 ended by `RESET`.",
            ),
            Field::new(
                "RESPONSE",
                12,
                2,
                "How an access has failed: 2 SLVERR, 3 DECERR, 1 an answer of the wrong length.",
            ),
        ],
        "What the engine does, and how its last job ended. One that has failed may have drawn any part of its pixels.",
    ),
    Register::new(
        "FAULT_ADDRESS",
        0x110,
        Access::ReadOnly,
        ADDRESS,
        "Where the last job has failed: a line of 16 bytes.",
    ),
    Register::new("PIXELS_DRAWN", 0x114, Access::ReadOnly, COUNT, "Pixels that the last job has drawn."),
    Register::new(
        "PIXELS_LEFT_OUT",
        0x118,
        Access::ReadOnly,
        COUNT,
        "Pixels that it has left out: outside the frame buffer, or of the key's colour.",
    ),
    Register::new("TEXTURE_LINES", 0x11c, Access::ReadOnly, COUNT, "Lines of the texture that it has read."),
    Register::new(
        "TEXTURE_HITS",
        0x120,
        Access::ReadOnly,
        COUNT,
        "Look-ups of its texture cache that found their line.",
    ),
    Register::new(
        "CLOCKS_STALLED",
        0x124,
        Access::ReadOnly,
        COUNT,
        "Clocks of it in which a pixel waited for its texels.",
    ),
    Register::new(
        "RESET",
        0x128,
        Access::Command,
        &[Field::new(
            "END",
            0,
            1,
            "Write 1 to end the job that is at work: it draws nothing more, and ends when memory has answered.",
        )],
        "Soft reset.",
    ),
];

/// Numbers, which are offsets in words, of the registers that must not be written while a job is at work.
pub(super) const GUARDED: [u32; 19] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18];
