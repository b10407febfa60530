//! Packets of the loader engine's job port, `s_axis_job`, and its answers, `m_axis_done`.
//!
//! A packet has [`WORDS`] beats of 32 bits: what would be written to the registers of a job, in their order, from `PICTURE` to `LEVELS`.

use crate::binding::field::Field;

/// Beats of a packet.
pub const WORDS: usize = 9;

/// Bits of an answer.
pub const DONE_BITS: u32 = 64;

/// [`CODE`] of a packet of another length; nothing was read or written for it.
pub const WRONG_LENGTH: u8 = 11;

/// How the job has ended.
pub const CODE: Field = Field {
    name: "code",
    word: 0,
    shift: 0,
    bits: 4,
    doc: "as `STATUS.CODE`: 0 well; 1 to 8 refused, 9 and 10 failed, 15 ended by `RESET`; 11 a packet of another length, which starts no job",
};
/// How an access has failed.
pub const RESPONSE: Field = Field {
    name: "response",
    word: 0,
    shift: 4,
    bits: 2,
    doc: "as `STATUS.RESPONSE`: 2 SLVERR, 3 DECERR, 1 an answer of the wrong length",
};
/// Where.
pub const ADDRESS: Field = Field {
    name: "address",
    word: 0,
    shift: 32,
    bits: 32,
    doc: "as `FAULT_ADDRESS`: where the job has failed",
};

/// Fields of an answer, the lowest first; all other bits are 0.
pub const DONE: [Field; 3] = [CODE, RESPONSE, ADDRESS];
