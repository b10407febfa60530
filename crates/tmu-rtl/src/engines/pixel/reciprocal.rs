//! `reciprocal`: one divided by RHW, rounded to the nearest even. What is not beyond 0 counts as the smallest normal number.
//!
//! Latency: [`LATENCY_CLOCKS`], initiation interval 1; moves with `enable`. Four DSP slices and a block RAM, see
//! [`FloatReciprocal`].

use super::words::{EXPONENT_BITS, FRACTION_BITS, SINGLE_BITS};
use tmu_hdl::arithmetic::FloatReciprocal;
use tmu_hdl::pipe::Registered;
use tmu_hdl::prelude::*;

/// Clocks from RHW to its reciprocal.
pub const LATENCY_CLOCKS: u32 = 1 + FloatReciprocal::LATENCY_CLOCKS;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Reciprocal {
    /// The clock.
    pub clocks: Clocks,
    /// High to move all registers.
    pub enable: Net<In>,
    /// RHW.
    pub rhw: Net<In>,
    /// The reciprocal of so many enabled clocks before.
    pub result: Net<Out>,
    limited: Reg,
    reciprocal: FloatReciprocal,
}

impl Reciprocal {
    /// The stage.
    #[must_use]
    pub fn new() -> Reciprocal {
        let clocks = Clocks::without_reset();
        Reciprocal {
            enable: Net::bit(),
            rhw: Net::new(SINGLE_BITS),
            result: Net::new(SINGLE_BITS),
            limited: Reg::new(&clocks, SINGLE_BITS),
            reciprocal: FloatReciprocal::new(),
            clocks,
        }
    }
}

impl Default for Reciprocal {
    fn default() -> Reciprocal {
        Reciprocal::new()
    }
}

/// One divided by RHW.
#[kernel]
impl Reciprocal {
    fn logic(&self) {
        timing(LATENCY_CLOCKS, 1);
        let rhw = self.rhw.val();
        let exponent = rhw.slice(FRACTION_BITS, EXPONENT_BITS);
        let is_nan = exponent.all() && rhw.low(FRACTION_BITS).any();
        let is_not_beyond = !exponent.any() || (rhw.high(1) && !is_nan);
        if self.enable.val() {
            self.limited.next =
                if is_not_beyond { lit(SINGLE_BITS, f32::MIN_POSITIVE.to_bits()) } else { rhw };
        }
        self.result.next = self.reciprocal.connect(&self.clocks, self.enable.val(), self.limited.val());
    }
}

impl Registered for Reciprocal {
    type Input = Bits;
    type Output = Bits;
    fn moves(&self) -> usize {
        LATENCY_CLOCKS as usize
    }
    fn connect(&self, clocks: &Clocks, advance: Bits, rhw: Bits) -> Bits {
        self.clocks.follow(clocks);
        self.enable.drive(advance);
        self.rhw.drive(rhw);
        self.result.val()
    }
}
