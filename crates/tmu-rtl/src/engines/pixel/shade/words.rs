//! What an instruction is to the arithmetic of a pixel.

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
