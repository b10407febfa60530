//! What `shade_texture` keeps.

use super::super::decode::TextureInstruction;
use super::super::way::{TEMPORARIES, WayWord, one_register};
use super::super::words::{CHANNEL_BITS, CHANNELS, COMPONENTS, ShadeShape};
use crate::engines::pixel::words::SINGLE_BITS;
use tmu_hdl::prelude::*;

/// The instruction that is fetched.
#[derive(Bundle)]
pub(super) struct Fetch {
    pub(super) valid: Reg,
    pub(super) has_operand: Reg,
    pub(super) goes_on: Reg,
    pub(super) way: WayWord<FieldReg>,
    /// What is known a clock before it is needed: the next instruction follows at once, this one is the last, there is room.
    pub(super) continues: Reg,
    pub(super) is_last: Reg,
    pub(super) has_room: Reg,
}

/// An instruction whose coordinates are read, or whose pixels are sent.
#[derive(Bundle)]
pub(super) struct Read {
    pub(super) valid: Reg,
    pub(super) has_operand: Reg,
    pub(super) goes_on: Reg,
    pub(super) ends: Reg,
    pub(super) fills: Reg,
    pub(super) instruction: TextureInstruction<FieldReg>,
    pub(super) way: WayWord<FieldReg>,
}

/// What a pixel of the instruction has given.
#[derive(Bundle)]
pub(super) struct Kept {
    pub(super) place: Vec<Reg>,
    pub(super) register: Vec<Reg>,
    pub(super) is_killed: Reg,
}

impl Fetch {
    pub(super) fn new(shape: &ShadeShape, clocks: &Clocks) -> Fetch {
        let bit = || Reg::new(clocks, 1);
        Fetch {
            valid: Reg::with_reset(clocks, 1, 0),
            has_operand: bit(),
            goes_on: bit(),
            way: WayWord::of(shape).registers(clocks),
            continues: bit(),
            is_last: bit(),
            has_room: bit(),
        }
    }
}

impl Kept {
    pub(super) fn new(clocks: &Clocks) -> Kept {
        Kept {
            place: Reg::array(COMPONENTS, clocks, SINGLE_BITS),
            register: Reg::array(COMPONENTS, clocks, CHANNEL_BITS),
            is_killed: Reg::new(clocks, 1),
        }
    }
}

impl Read {
    pub(super) fn new(shape: &ShadeShape, clocks: &Clocks) -> Read {
        let bit = || Reg::new(clocks, 1);
        Read {
            valid: Reg::with_reset(clocks, 1, 0),
            has_operand: bit(),
            goes_on: bit(),
            ends: bit(),
            fills: bit(),
            instruction: TextureInstruction::shape().registers(clocks),
            way: WayWord::of(shape).registers(clocks),
        }
    }
}

/// What is sent with a pixel.
#[derive(Clone, Debug, Record)]
pub(super) struct SentWord<T = Bits> {
    pub(super) instruction: TextureInstruction<T>,
    pub(super) texture: T,
    pub(super) ends: T,
    pub(super) goes_on: T,
    pub(super) fills: T,
    pub(super) way: WayWord<T>,
}

/// A quad behind an instruction.
#[kernel]
pub(super) fn after(way: &WayWord, instruction: &TextureInstruction, is_last: Bits) -> WayWord {
    let writes = instruction.samples || instruction.converts;
    let writes_color = instruction.samples || (writes && instruction.mask.low(CHANNELS - 1).any());
    let writes_alpha = instruction.samples || (writes && instruction.mask.high(1));
    let own = one_register(instruction.destination);
    WayWord {
        index: way.index + 1,
        is_done: is_last,
        colors: way.colors | (own & writes_color.repeat(TEMPORARIES)),
        alphas: way.alphas | (own & writes_alpha.repeat(TEMPORARIES)),
        ..way.clone()
    }
}
