//! The check at the end of a program: CRC-32 of IEEE 802.3, a line a clock. Wires only.

use crate::engine::memory::LINE_BITS;
use tmu_hdl::prelude::*;

/// Bits of the check.
pub(super) const CHECK_BITS: usize = 32;
/// What it begins with.
pub(super) const START: u32 = u32::MAX;
/// The polynomial, its lowest coefficient in the highest bit.
const POLYNOMIAL: u32 = 0xedb8_8320;

/// Which bits of the check before and of the line a bit of the check is the sum of.
#[derive(Clone, Copy, Default)]
struct Sum {
    check: u32,
    line: u128,
}

impl std::ops::BitXor for Sum {
    type Output = Sum;
    fn bitxor(self, other: Sum) -> Sum {
        Sum { check: self.check ^ other.check, line: self.line ^ other.line }
    }
}

/// The sums for a line: the check is shifted a bit at a time, the lowest bit of the first byte first.
fn sums() -> [Sum; CHECK_BITS] {
    let mut sums = std::array::from_fn(|bit| Sum { check: 1 << bit, line: 0 });
    for bit in 0..LINE_BITS {
        let out = sums[0] ^ Sum { check: 0, line: 1 << bit };
        for place in 0..CHECK_BITS {
            let above = sums.get(place + 1).copied().unwrap_or_default();
            let tap = POLYNOMIAL >> place & 1 == 1;
            sums[place] = above ^ if tap { out } else { Sum::default() };
        }
    }
    sums
}

/// What the check before is to the check with a line more: the sum of this and of [`of_line`].
pub(super) fn of_check(check: Bits) -> Bits {
    parities(check, |sum| sum.check.into())
}

/// What a line is to it.
pub(super) fn of_line(line: Bits) -> Bits {
    parities(line, |sum| sum.line)
}

/// Of each sum the parity of the bits that it has of a value.
fn parities(value: Bits, of: impl Fn(Sum) -> u128) -> Bits {
    let parity = |sum: Sum| {
        let own = (0..value.width()).filter(|bit| of(sum) >> bit & 1 == 1);
        stack(own.map(|bit| value.bit(bit)).collect::<Vec<_>>()).parity()
    };
    stack(sums().map(parity))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check of bytes, by the sums that the hardware has.
    fn check(bytes: &[u8]) -> u32 {
        let step = |check: u32, line: &[u8; 16]| {
            let line = u128::from_le_bytes(*line);
            let bit = |sum: &Sum| ((sum.check & check).count_ones() + (sum.line & line).count_ones()) & 1;
            sums().iter().enumerate().fold(0, |next, (place, sum)| next | bit(sum) << place)
        };
        let lines = bytes.chunks_exact(16).filter_map(|line| line.first_chunk());
        !lines.fold(START, step)
    }

    #[test]
    fn programs_have_the_check_that_hardware_finds() {
        let program = tmu_shader::read_text("ps_1_4\ndef c0, 1, 0.5, -1, 2\ntexld r0, t0\nmul r0, r0, c0\n");
        let bytes = program.unwrap().encode();
        let (before, trailer) = bytes.split_at(bytes.len() - 16);
        assert_eq!(check(before).to_le_bytes(), trailer[..4]);
        // "123456789" has the check cbf43926; here a line of zeros, worked out by hand elsewhere.
        assert_eq!(check(&[0; 16]), 0xecbb_4b55);
    }
}
