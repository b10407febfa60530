//! Stages of pipes that are counted: chains of floats are dozens of clocks long, and their lengths are those of the toolkit's blocks.
//!
//! A stage is called after what stands there, and is so many clocks behind another one: `const SUM: Step = PRODUCT.after(ADD)`.

use tmu_hdl::arithmetic::{
    FixedToFloat, FloatAdd, FloatCompare, FloatMultiply, FloatReciprocal, FloatToFixed,
};
use tmu_hdl::pipe::Stages;
use tmu_hdl::primitives::Multiplier;

/// The most stages of a pipe.
const MOST: usize = 96;

/// Clocks of a sum of singles.
pub(super) const ADD: usize = FloatAdd::LATENCY_CLOCKS as usize;
/// Clocks of a product of singles.
pub(super) const MULTIPLY: usize = FloatMultiply::LATENCY_CLOCKS as usize;
/// Clocks of a comparison of singles.
pub(super) const COMPARE: usize = FloatCompare::LATENCY_CLOCKS as usize;
/// Clocks of a reciprocal of a single.
pub(super) const RECIPROCAL: usize = FloatReciprocal::LATENCY_CLOCKS as usize;
/// Clocks from a fixed-point number to a single.
pub(super) const TO_FLOAT: usize = FixedToFloat::LATENCY_CLOCKS as usize;
/// Clocks from a single to a fixed-point number.
pub(super) const TO_FIXED: usize = FloatToFixed::LATENCY_CLOCKS as usize;
/// Clocks of a product of whole numbers.
pub(super) const WHOLE: usize = Multiplier::LATENCY_CLOCKS as usize;

/// So many clocks behind what comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step(usize);

impl Step {
    /// Where it comes in.
    pub(super) const ENTRY: Step = Step(0);

    /// So many clocks later.
    pub(super) const fn after(self, clocks: usize) -> Step {
        assert!(self.0 + clocks < MOST, "a pipe has no more stages");
        Step(self.0 + clocks)
    }

    /// Clocks from what comes in.
    pub(super) const fn clocks(self) -> usize {
        self.0
    }

    /// All stages up to this one, which is the last.
    pub(super) fn all(self) -> &'static [Step] {
        &ALL[..=self.0]
    }
}

const ALL: [Step; MOST] = {
    let mut all = [Step(0); MOST];
    let mut number = 0;
    while number < MOST {
        all[number] = Step(number);
        number += 1;
    }
    all
};

const NAMES: [&str; MOST] = [
    "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11", "c12", "c13", "c14", "c15",
    "c16", "c17", "c18", "c19", "c20", "c21", "c22", "c23", "c24", "c25", "c26", "c27", "c28", "c29", "c30",
    "c31", "c32", "c33", "c34", "c35", "c36", "c37", "c38", "c39", "c40", "c41", "c42", "c43", "c44", "c45",
    "c46", "c47", "c48", "c49", "c50", "c51", "c52", "c53", "c54", "c55", "c56", "c57", "c58", "c59", "c60",
    "c61", "c62", "c63", "c64", "c65", "c66", "c67", "c68", "c69", "c70", "c71", "c72", "c73", "c74", "c75",
    "c76", "c77", "c78", "c79", "c80", "c81", "c82", "c83", "c84", "c85", "c86", "c87", "c88", "c89", "c90",
    "c91", "c92", "c93", "c94", "c95",
];

impl Stages for Step {
    const ALL: &'static [Step] = &ALL;

    fn name(self) -> &'static str {
        NAMES[self.0]
    }
}
