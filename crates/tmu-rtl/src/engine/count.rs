//! Counts of what is under way. Wires only.

use tmu_hdl::prelude::*;

/// A count with one more, one less, or both.
#[kernel]
pub(crate) fn counted(count: Bits, more: Bits, less: Bits) -> Bits {
    let step = cat(&[(!more).repeat(count.width() - 1), lit(1, 1u32)]);
    if more ^ less { count + step } else { count }
}
