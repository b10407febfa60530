//! EAC: a base, a multiplier, and one of sixteen tables of modifiers, an entry for each texel.
//!
//! The entries of a table are four magnitudes below the base and the same, less one, above it. So a texel looks up a magnitude of
//! four bits, which is the factor of its product, and adds or subtracts.

use super::select::{first_byte_on_top, for_texels, range, table};
use tmu_hdl::prelude::*;
use tmu_spec::blocks::EAC_MODIFIERS;

/// What eight bytes say, but for the base, which is the first one.
pub(super) struct Modified {
    pub(super) multiplier: Bits,
    pub(super) modifiers: Bits,
    pub(super) indices: Bits,
}

/// Eight bytes taken apart.
#[kernel]
pub(super) fn modified(half: Bits, index_bits: usize) -> Modified {
    let bits = first_byte_on_top(half.high(56));
    /// Texels go column by column, the first one on top.
    let place = |texel: usize| 4 * (texel % 4) + texel / 4;
    Modified {
        multiplier: range(bits, 55, 52),
        modifiers: range(bits, 51, 48),
        indices: for_texels(index_bits, |texel| bits.slice(45 - 3 * place(texel), 3)),
    }
}

/// How far an index is from the base, in multipliers.
#[kernel]
pub(super) fn magnitude(modifiers: Bits, index: Bits) -> Bits {
    let entry = cat(&[modifiers, index.low(2)]);
    let of = |above: u64| {
        move |entry: u64| {
            EAC_MODIFIERS[(entry >> 2) as usize][(4 * above + (entry & 3)) as usize].unsigned_abs().into()
        }
    };
    let (below, above) = (table(entry, 4, of(0)), table(entry, 4, of(1)));
    if index.bit(2) { above } else { below }
}
