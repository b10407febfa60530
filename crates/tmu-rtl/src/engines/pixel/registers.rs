//! The registers of `pixel`.

use crate::system::registers::{Access, Field, Register};

const COUNT: &[Field] = &[Field::new("COUNT", 0, 32, "Count; stops at 2^32 - 1.")];
const ADDRESS: &[Field] = &[Field::new("ADDRESS", 0, 32, "Byte address.")];

/// What `IDENTITY` reads: `PIXL`.
pub const IDENTITY: u32 = u32::from_be_bytes(*b"PIXL");
/// The code of a frame that `RESET` has ended. The others are those of [`FaultCode`](tmu_spec::pixel::FaultCode), 0 is well.
pub const RESET_CODE: u32 = 15;

/// The table, by rising offset.
pub const TABLE: &[Register] = &[
    Register::new(
        "CONTROL",
        0x00,
        Access::Command,
        &[Field::new("START", 0, 1, "Write 1 to draw a frame.")],
        "Draws a frame. While one is drawn a write of this register or of `FRAME` is answered with an error and changes nothing.",
    ),
    Register::new(
        "FRAME",
        0x04,
        Access::ReadWrite,
        ADDRESS,
        "Where the frame's record is: a multiple of 16.",
    ),
    Register::new(
        "IDENTITY",
        0x100,
        Access::ReadOnly,
        &[Field::new("VALUE", 0, 32, "The characters `PIXL`, the first in the highest byte.")
            .with_reset(IDENTITY)],
        "Identity of the engine.",
    ),
    Register::new(
        "INTERRUPT_ENABLE",
        0x104,
        Access::ReadWrite,
        &[Field::new("DONE", 0, 1, "`pixel_interrupt` is high while `INTERRUPT` has this bit.")],
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
            "A frame has ended, well or not, and all that was written has been answered.",
        )],
        "What has happened.",
    ),
    Register::new(
        "STATUS",
        0x10c,
        Access::ReadOnly,
        &[
            Field::new("BUSY", 0, 1, "A frame is drawn."),
            Field::new("ERROR", 1, 1, "The last frame has ended with a fault."),
            Field::new(
                "CODE",
                8,
                4,
                "How the last frame ended: 0 well; 1 memory could not be read, 2 or written; what breaks a rule: 3 the frame's record, 4 an \
                 entry of a list, 6 a triangle, 7 a vertex, 8 a state, 9 a program, 10 a texture; 5 a list without end; 11 texels could not be read; 12 the \
                 state of an opaque triangle may let pixels go; 15 ended by `RESET`.",
            ),
        ],
        "What the engine does, and how its last frame ended. Tiles before the one at fault are written.",
    ),
    Register::new(
        "FAULT_ADDRESS",
        0x110,
        Access::ReadOnly,
        ADDRESS,
        "Of what the fault is; 0 of a frame that ended well or by `RESET`.",
    ),
    Register::new(
        "LINES_READ",
        0x114,
        Access::ReadOnly,
        COUNT,
        "Lines of 16 bytes of records that the last frame took; texels are not among them.",
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
            "Write 1 to end the frame that is drawn: it ends when memory has answered.",
        )],
        "Soft reset.",
    ),
];

/// Numbers, which are offsets in words, of the registers that must not be written while a frame is drawn.
pub(super) const GUARDED: [u32; 2] = [0, 1];
