//! Arithmetic: fixed point, counting, division, and IEEE 754 single precision.
//!
//! What takes no clock is a function that kernels call. What takes some is a block, like those of
//! [`primitives`](crate::primitives): a clock, an `enable` that moves all registers of the block, inputs and outputs; a
//! result stands at the output so many enabled clocks after its operands, and operands may come in every clock. No
//! register has a reset, since none holds more than data on its way: who needs to know which results mean something
//! sends a bit along.
//!
//! | function | result | cost |
//! | --- | --- | --- |
//! | [`round`], [`round_signed`] | fewer fraction bits, one integer bit more | an incrementer |
//! | [`saturate`], [`saturate_signed`], [`saturate_to_unsigned`] | the nearest number of the width | a LUT a bit |
//! | [`leading_zeros`] | 0 to width | a tree of multiplexers |
//! | [`count_ones`] | 0 to width | a tree of small adders |
//! | [`adder_tree`], [`adder_tree_signed`] | a sum that never wraps | an adder for each term but one, in log2 layers |
//! | [`priority`] | the value of the first condition that holds | a multiplexer for each case, in log2 layers |
//!
//! | block | result | latency, enabled clocks |
//! | --- | --- | --- |
//! | [`Divider`] | quotient and remainder, exact | half the dividend's bits, rounded up, and 1 |
//! | [`FloatAdd`] | sum or difference | 9 |
//! | [`FloatMultiply`] | product | 7 |
//! | [`FloatReciprocal`] | 1 / x | 16 |
//! | [`FloatCompare`] | less, equal, unordered | 2 |
//! | [`FixedToFloat`], [`FloatToFixed`] | the same number | 7, 6 |
//!
//! Every block takes operands in every clock (II 1). Between registers there are at most five LUT levels, as Yosys maps
//! them; a test holds that.
//!
//! # What single precision means here
//!
//! Operands and results are the 32 bits of IEEE 754 binary32. Results are rounded to nearest, ties to even. Denormals are
//! zero: a denormal operand counts as the zero of its sign, and a result whose IEEE value, rounded as IEEE rounds it,
//! is denormal is the zero of its sign. A result that is no number is `7FC00000`, whatever the operands were. So
//! results are those of a host that computes with flushed operands and flushes the result, bit for bit.

mod count;
mod delay;
mod divider;
mod fixed;
mod fixed_format;
mod fixed_to_float;
mod float;
mod float_add;
mod float_compare;
mod float_multiply;
mod float_reciprocal;
mod float_to_fixed;

pub use count::{adder_tree, adder_tree_signed, count_ones, leading_zeros, priority};
pub use divider::Divider;
pub use fixed::{Rounding, round, round_signed, saturate, saturate_signed, saturate_to_unsigned};
pub use fixed_to_float::FixedToFloat;
pub use float_add::FloatAdd;
pub use float_compare::FloatCompare;
pub use float_multiply::FloatMultiply;
pub use float_reciprocal::FloatReciprocal;
pub use float_to_fixed::FloatToFixed;
