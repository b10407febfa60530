//! What passes between the parts of `shade`.

use super::words::{CHANNEL_BITS, CHANNELS, COMPONENTS, ShadeShape};
use crate::engines::pixel::words::PIXELS;
use tmu_hdl::prelude::*;

/// Registers r0 to r5.
pub(super) const TEMPORARIES: usize = 6;
/// Bits of the number of a register.
pub(super) const REGISTER_BITS: usize = 3;
/// Bits of the number of an instruction, a pair counted as one.
pub(super) const INDEX_BITS: usize = 5;

/// A quad on its way from instruction to instruction.
#[derive(Clone, Debug, Record)]
pub struct WayWord<T = Bits> {
    /// Its place in the ring.
    pub quad: T,
    /// It changes from round to round of the ring.
    pub round: T,
    /// Its state.
    pub slot: T,
    /// The instruction that is next.
    pub index: T,
    /// There is none: the quad ends.
    pub is_done: T,
    /// Which registers hold a colour; the others read as 0.
    pub colors: T,
    /// Which hold an alpha.
    pub alphas: T,
    /// What becomes of the quad.
    pub fate: FateWord<T>,
}

/// What becomes of a quad, beside colours and depths.
#[derive(Clone, Debug, Record)]
pub struct FateWord<T = Bits> {
    /// Pixels that a texkill has found.
    pub killed: T,
    /// There was a texdepth.
    pub has_depth: T,
    /// A texture could not be read.
    pub error: T,
}

impl FateWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> FateWord<Width> {
        FateWord { killed: Width::bits(PIXELS), has_depth: Width::bits(1), error: Width::bits(1) }
    }
}

impl WayWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &ShadeShape) -> WayWord<Width> {
        WayWord {
            quad: Width::bits(shape.quads_log2),
            round: Width::bits(1),
            slot: Width::bits(shape.slots_log2),
            index: Width::bits(INDEX_BITS),
            is_done: Width::bits(1),
            colors: Width::bits(TEMPORARIES),
            alphas: Width::bits(TEMPORARIES),
            fate: FateWord::shape(),
        }
    }
}

/// What a quad writes to its registers: colour to one of them, alpha to the same or to another one.
#[derive(Clone, Debug, Record)]
pub struct WriteWord<T = Bits> {
    /// The quad.
    pub quad: T,
    /// The register of the colour.
    pub color: T,
    /// The register of the alpha.
    pub alpha: T,
    /// Which channels are written.
    pub enables: T,
    /// Which of the colour are written with 0.
    pub clears: T,
}

impl WriteWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &ShadeShape) -> WriteWord<Width> {
        WriteWord {
            quad: Width::bits(shape.quads_log2),
            color: Width::bits(REGISTER_BITS),
            alpha: Width::bits(REGISTER_BITS),
            enables: Width::bits(CHANNELS),
            clears: Width::bits(CHANNELS - 1),
        }
    }
}

/// Which channels are written, by a mask, and which of them with 0: if the register holds no colour yet, all of the colour are.
#[kernel]
pub(super) fn enables(mask: Bits, holds_color: Bits) -> [Bits; 2] {
    let color = mask.low(CHANNELS - 1);
    let fills = (color.any() && !holds_color).repeat(CHANNELS - 1);
    [cat(&[mask.high(1), color | fills]), !color]
}

/// A texture instruction that has been computed: what is to be waited for, and what then happens.
#[derive(Clone, Debug, Record)]
pub struct TokenWord<T = Bits> {
    /// An answer of the textures is written.
    pub samples: T,
    /// Converted coordinates are written.
    pub converts: T,
    /// The register that is written.
    pub destination: T,
    /// Which channels of it.
    pub mask: T,
    /// It holds no colour yet.
    pub fills: T,
    /// The quad goes on then.
    pub wakes: T,
    /// It has tokens in front of this one, which have not let it go on.
    pub goes_on: T,
    /// The quad, as it goes on.
    pub way: WayWord<T>,
}

impl TokenWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &ShadeShape) -> TokenWord<Width> {
        let bit = Width::bits(1);
        TokenWord {
            samples: bit,
            converts: bit,
            destination: Width::bits(REGISTER_BITS),
            mask: Width::bits(CHANNELS),
            fills: bit,
            wakes: bit,
            goes_on: bit,
            way: WayWord::of(shape),
        }
    }
}

/// Coordinates of a pixel as registers hold them.
#[derive(Clone, Debug, Record)]
pub struct ConvertedWord<T = Bits> {
    /// Pixel by pixel.
    pub pixels: [[T; COMPONENTS]; PIXELS],
}

impl ConvertedWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> ConvertedWord<Width> {
        ConvertedWord { pixels: [[Width::bits(CHANNEL_BITS); COMPONENTS]; PIXELS] }
    }
}

/// Bits of a register.
pub(super) const ROW_BITS: usize = CHANNELS * CHANNEL_BITS;

/// The address of a pixel of a quad, where pixels come one after the other.
#[kernel]
pub(super) fn pixel_place(quad: Bits, turn: Option<Bits>) -> Bits {
    match turn {
        Some(turn) => cat(&[quad, turn]),
        None => quad,
    }
}

/// A bit for each register r, the one of this number.
#[kernel]
pub(super) fn one_register(number: Bits) -> Bits {
    stack((0..TEMPORARIES as u64).map(|own| number == own))
}

/// One of several values by its number; any of them for a number that none has.
#[kernel]
pub(super) fn numbered(values: &[Bits], number: Bits) -> Bits {
    let mut level = values.to_vec();
    let mut digit = 0;
    while level.len() > 1 {
        let chosen = number.bit(digit);
        level = level
            .chunks(2)
            .map(|pair| if pair.len() == 2 { chosen.mux(pair[1], pair[0]) } else { pair[0] })
            .collect();
        digit += 1;
    }
    level[0]
}
