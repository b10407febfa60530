//! The columns or rows of a footprint, sorted by parity, and the weight of the odd one. Part of `address`.
//!
//! Interpolating from a to b by w is interpolating from b to a by 256 - w, exactly. So the even one may always stand in
//! front.

use tmu_hdl::prelude::*;

/// The two columns or rows of a footprint, as far as they lie in their tiles, and the weight of the second.
pub(super) struct Pair {
    pub(super) first: Bits,
    pub(super) second: Bits,
    pub(super) weight: Bits,
}

/// Bits 1 and 2 of a footprint's columns or rows, of the even one below that of the odd one.
pub(super) struct ByParity {
    pub(super) bit1: Bits,
    pub(super) bit2: Bits,
}

/// A pair in the order of its parities. The entry of a colour table stands at both.
#[kernel]
pub(super) fn by_parity(pair: &Pair, is_table: Bits, entry: Bits) -> ByParity {
    let is_odd = pair.first.bit(0);
    let sorted = |number: usize| {
        let (first, second, entry) = (pair.first.bit(number), pair.second.bit(number), entry.bit(number));
        let even = if is_odd { second } else { first };
        let odd = if is_odd { first } else { second };
        cat(&[if is_table { entry } else { odd }, if is_table { entry } else { even }])
    };
    ByParity { bit1: sorted(1), bit2: sorted(2) }
}

/// The weight of the odd one of a pair, 0 to 256, where the first is odd or not.
#[kernel]
pub(super) fn odd_weight(pair: &Pair, is_table: Bits, is_odd: Bits) -> Bits {
    let bits = pair.weight.width();
    /// At the edge of a level both may be the same texel, which then takes all.
    let differs = (pair.first.bit(0) ^ pair.second.bit(0)) && !is_table;
    let second = pair.weight & differs.repeat(bits);
    (second ^ is_odd.repeat(bits)).zero_extend(bits + 1) + is_odd.zero_extend(bits + 1)
}
