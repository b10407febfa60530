//! Exact division of unsigned numbers, pipelined.

use super::count::add_or_subtract;
use crate::kernel::timing;
use crate::prelude::*;

/// Bits of the quotient that one stage finds: two subtractions in a row are four LUT levels.
const BITS_A_STAGE: usize = 2;

/// Exact division of unsigned numbers of any widths.
///
/// `dividend = quotient × divisor + remainder` with `remainder < divisor`. By zero every bit of the quotient is set
/// and the remainder is the dividend, as many of its bits as there are. Non-restoring: each step adds or subtracts
/// the divisor, whichever brings the partial remainder towards zero; a remainder that ends below zero gets the divisor
/// added once.
///
/// All registers move in a clock with `enable` high and hold in any other. Latency half the dividend's bits, rounded up,
/// and 1; II 1. Costs about dividend × (divisor + 1) LUTs, and dividend + 2 × divisor + 2 flip-flops a stage.
#[derive(Debug, LogicBlock)]
pub struct Divider {
    /// The clock.
    pub clocks: Clocks,
    /// High to move all registers.
    pub enable: Net<In>,
    /// What is divided.
    pub dividend: Net<In>,
    /// By what.
    pub divisor: Net<In>,
    /// How often the divisor goes into the dividend.
    pub quotient: Net<Out>,
    /// What is left.
    pub remainder: Net<Out>,
    stage: Vec<Stage>,
    result: Answer,
}

/// What a stage hands on.
#[derive(Debug, Bundle)]
struct Stage {
    /// In two's complement, at least minus the divisor and less than the divisor.
    partial: Reg,
    divisor: Reg,
    /// Bits of the dividend that are still to come, above the bits of the quotient that were found.
    digits: Reg,
    by_zero: Reg,
}

/// What leaves.
#[derive(Debug, Bundle)]
struct Answer {
    quotient: Reg,
    remainder: Reg,
}

impl Divider {
    /// A divider for these widths.
    #[track_caller]
    pub fn new(dividend_bits: usize, divisor_bits: usize) -> Divider {
        let clocks = Clocks::without_reset();
        let stage = || Stage {
            partial: Reg::new(&clocks, divisor_bits + 1),
            divisor: Reg::new(&clocks, divisor_bits),
            digits: Reg::new(&clocks, dividend_bits),
            by_zero: Reg::new(&clocks, 1),
        };
        Divider {
            enable: Net::bit(),
            dividend: Net::new(dividend_bits),
            divisor: Net::new(divisor_bits),
            quotient: Net::new(dividend_bits),
            remainder: Net::new(divisor_bits),
            stage: (0..dividend_bits.div_ceil(BITS_A_STAGE)).map(|_| stage()).collect(),
            result: Answer {
                quotient: Reg::new(&clocks, dividend_bits),
                remainder: Reg::new(&clocks, divisor_bits),
            },
            clocks,
        }
    }

    /// Enabled clocks from the operands to the results.
    pub fn latency_clocks(&self) -> u32 {
        self.stage.len() as u32 + 1
    }
}

/// One step: the next bit of the dividend joins the partial remainder, and the divisor brings it towards zero. Returns the
/// new partial remainder and a bit of the quotient.
#[kernel]
fn step(partial: Bits, next: Bits, divisor: Bits) -> (Bits, Bits) {
    let width = divisor.width() + 1;
    let subtracts = !partial.high(1);
    let joined = cat(&[partial.low(width - 1), next]);
    let partial = add_or_subtract(joined, divisor.zero_extend(width), subtracts);
    (partial, !partial.high(1))
}

/// Exact division of unsigned numbers, two bits of the quotient a stage.
#[kernel]
impl Divider {
    fn module_name(&self) -> String {
        format!("divider_{}_{}", self.dividend.width(), self.divisor.width())
    }

    fn logic(&self) {
        timing(self.latency_clocks(), 1);
        let enable = self.enable.val();
        let mut partial = lit(self.divisor.width() + 1, 0);
        let mut digits = self.dividend.val();
        let mut divisor = self.divisor.val();
        let mut by_zero = !divisor.any();
        let mut left_bits = self.dividend.width();
        for stage in &self.stage {
            let width = digits.width();
            let count = left_bits.min(BITS_A_STAGE);
            let mut found = vec![];
            for place in 0..count {
                let next = digits.bit(width - 1 - place);
                let (rest, bit) = step(partial, next, divisor);
                partial = rest;
                found.push(bit);
            }
            left_bits -= count;
            if count < width {
                found.insert(0, digits.low(width - count));
            }
            digits = cat(&found);
            if enable {
                stage.partial.next = partial;
                stage.digits.next = digits;
                stage.divisor.next = divisor;
                stage.by_zero.next = by_zero;
            }
            partial = stage.partial.val();
            digits = stage.digits.val();
            divisor = stage.divisor.val();
            by_zero = stage.by_zero.val();
        }
        /// # Result
        let width = self.divisor.width();
        let correction = divisor & partial.high(1).repeat(width);
        if enable {
            self.result.remainder.next = partial.low(width) + correction;
            self.result.quotient.next = digits | by_zero.repeat(digits.width());
        }
        self.quotient.next = self.result.quotient.val();
        self.remainder.next = self.result.remainder.val();
    }
}
