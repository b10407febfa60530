//! What `shade` is built for, the words at its ports, and what an instruction is to the arithmetic of a pixel.

use crate::engines::pixel::words::{PIXELS, SINGLE_BITS};
use tmu_hdl::prelude::*;

/// Channels of a register.
pub const CHANNELS: usize = 4;
/// Bits of a channel, s3.12.
pub const CHANNEL_BITS: usize = 16;
/// Bits behind its point.
pub const CHANNEL_FRACTION_BITS: usize = 12;
/// Sources of an instruction at most.
pub const SOURCES: usize = 3;

/// A source, as programs are encoded.
#[derive(Clone, Debug, Record)]
pub struct SourceWord<T = Bits> {
    /// Each channel itself 0, all from red, green, blue, alpha 1 to 4.
    pub selector: T,
    /// The number of a modifier.
    pub modifier: T,
}

/// What an instruction does with its sources.
#[derive(Clone, Debug, Record)]
pub struct OperationWord<T = Bits> {
    /// The number of an operation.
    pub operation: T,
    /// The result is multiplied by 2 to this power, two's complement.
    pub shift: T,
    /// Limited to 0 … 1 then.
    pub saturates: T,
    /// What it reads.
    pub sources: [SourceWord<T>; SOURCES],
}

impl OperationWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> OperationWord<Width> {
        let source = || SourceWord { selector: Width::bits(3), modifier: Width::bits(4) };
        OperationWord {
            operation: Width::bits(4),
            shift: Width::bits(3),
            saturates: Width::bits(1),
            sources: [source(), source(), source()],
        }
    }
}

/// The registers of a source, red first.
pub type Channels<T = Bits> = [T; CHANNELS];

/// What a pixel computes in a clock: one instruction for all channels, or two of a pair.
#[derive(Clone, Debug, Record)]
pub struct ArithmeticWord<T = Bits> {
    /// What colour and alpha do; without a pair both are the same.
    pub halves: [OperationWord<T>; 2],
    /// Of both the registers that are read.
    pub registers: [[[T; CHANNELS]; SOURCES]; 2],
    /// What `bem` multiplies by: m00, m01, m10, m11.
    pub bump: [T; CHANNELS],
}

impl ArithmeticWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> ArithmeticWord<Width> {
        let channel = Width::bits(CHANNEL_BITS);
        ArithmeticWord {
            halves: [OperationWord::shape(), OperationWord::shape()],
            registers: [[[channel; CHANNELS]; SOURCES]; 2],
            bump: [channel; CHANNELS],
        }
    }
}

/// Components of a place in a texture.
pub const COMPONENTS: usize = 3;
/// Bits of the number of a texture of the store.
pub const TEXTURE_BITS: usize = 8;
/// Bits of a channel of a sample.
pub const SAMPLE_BITS: usize = 16;
/// Bits of a colour that leaves, of one channel.
pub const COLOR_BITS: usize = 8;
/// Bits of the order of quads on their way, of which there are at most half as many as it has values.
pub const ORDER_BITS: usize = 7;
/// Bits of a line of memory.
pub const LINE_BITS: usize = 128;

/// How many quads, states and pixels the stage has at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShadeShape {
    /// Quads on their way, a power of two.
    pub quads_log2: usize,
    /// Loaded states, a power of two.
    pub slots_log2: usize,
    /// Pixels that arithmetic takes in a clock, 1 or 4.
    pub lanes: usize,
    /// Bits of what goes along with a quad.
    pub along_bits: usize,
}

impl ShadeShape {
    /// Four pixels a clock, 64 quads, four states.
    #[must_use]
    pub const fn full(along_bits: usize) -> ShadeShape {
        ShadeShape { quads_log2: 6, slots_log2: 2, lanes: 4, along_bits }
    }

    /// The same with a pixel a clock and 32 quads.
    #[must_use]
    pub const fn lite(along_bits: usize) -> ShadeShape {
        ShadeShape { quads_log2: 5, lanes: 1, ..ShadeShape::full(along_bits) }
    }

    /// Quads on their way.
    #[must_use]
    pub const fn quads(&self) -> usize {
        1 << self.quads_log2
    }

    /// Loaded states.
    #[must_use]
    pub const fn slots(&self) -> usize {
        1 << self.slots_log2
    }

    /// Clocks that arithmetic takes for a quad.
    #[must_use]
    pub const fn turns(&self) -> usize {
        PIXELS / self.lanes
    }

    /// Bits of the number of such a clock.
    #[must_use]
    pub const fn turn_bits(&self) -> usize {
        self.turns().ilog2() as usize
    }
}

/// What a line of memory is to the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum LineKind {
    /// The first line of a state: which textures its stages sample.
    State = 0,
    /// The first line of a program.
    Header = 1,
    /// Two constants.
    Constants = 2,
    /// The matrices of two stages for `bem`.
    Bump = 3,
    /// An instruction.
    Instruction = 4,
}

/// A line of a state or of its program, as it stands in memory. Instructions of a program come together, in their order. A quad of the slot
/// comes when all lines have been taken.
#[derive(Clone, Debug, Record)]
pub struct LoadWord<T = Bits> {
    /// Where it is kept. No quad of it may be on its way.
    pub slot: T,
    /// See [`LineKind`].
    pub kind: T,
    /// Which one of its kind: of two constants, of two stages, an instruction.
    pub number: T,
    /// Which of the two constants are written, the first one lowest.
    pub enables: T,
    /// The line.
    pub line: T,
}

impl LoadWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &ShadeShape) -> LoadWord<Width> {
        LoadWord {
            slot: Width::bits(shape.slots_log2),
            kind: Width::bits(3),
            number: Width::bits(6),
            enables: Width::bits(2),
            line: Width::bits(LINE_BITS),
        }
    }
}

/// A quad that is to be shaded, or an end that passes in its order.
#[derive(Clone, Debug, Record)]
pub struct ShadeQuadWord<T = Bits> {
    /// There is no quad.
    pub is_end: T,
    /// Its state.
    pub slot: T,
    /// Values come for it.
    pub has_values: T,
    /// What goes along.
    pub along: T,
}

impl ShadeQuadWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &ShadeShape) -> ShadeQuadWord<Width> {
        let bit = Width::bits(1);
        ShadeQuadWord {
            is_end: bit,
            slot: Width::bits(shape.slots_log2),
            has_values: bit,
            along: Width::bits(shape.along_bits),
        }
    }
}

/// Where a texture is looked at by the pixels of a quad.
#[derive(Clone, Debug, Record)]
pub struct TextureRequestWord<T = Bits> {
    /// Its number in the store.
    pub texture: T,
    /// Which of two quads on their way is drawn first: its place in the ring, of smaller rings with zeros below it, and above it the bit that changes from
    /// round to round.
    pub order: T,
    /// Singles, pixel by pixel.
    pub places: [[T; COMPONENTS]; PIXELS],
}

impl TextureRequestWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> TextureRequestWord<Width> {
        TextureRequestWord {
            texture: Width::bits(TEXTURE_BITS),
            order: Width::bits(ORDER_BITS),
            places: [[Width::bits(SINGLE_BITS); COMPONENTS]; PIXELS],
        }
    }
}

/// What a texture has there.
#[derive(Clone, Debug, Record)]
pub struct TextureAnswerWord<T = Bits> {
    /// Red first, pixel by pixel.
    pub channels: [[T; CHANNELS]; PIXELS],
    /// It could not be read.
    pub error: T,
}

impl TextureAnswerWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> TextureAnswerWord<Width> {
        TextureAnswerWord { channels: [[Width::bits(SAMPLE_BITS); CHANNELS]; PIXELS], error: Width::bits(1) }
    }
}

/// What became of a quad, or an end.
#[derive(Clone, Debug, Record)]
pub struct ShadedQuadWord<T = Bits> {
    /// There is no quad; nothing but `along` means something.
    pub is_end: T,
    /// What went along.
    pub along: T,
    /// A texture could not be read.
    pub error: T,
    /// Which pixels are not drawn.
    pub killed: T,
    /// The program has computed depths.
    pub has_depth: T,
    /// The colour of each pixel, red lowest.
    pub colors: [T; PIXELS],
    /// The depth of each pixel.
    pub depths: [T; PIXELS],
}

impl ShadedQuadWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &ShadeShape) -> ShadedQuadWord<Width> {
        let bit = Width::bits(1);
        ShadedQuadWord {
            is_end: bit,
            along: Width::bits(shape.along_bits),
            error: bit,
            killed: Width::bits(PIXELS),
            has_depth: bit,
            colors: [Width::bits(CHANNELS * COLOR_BITS); PIXELS],
            depths: [Width::bits(SINGLE_BITS); PIXELS],
        }
    }
}
