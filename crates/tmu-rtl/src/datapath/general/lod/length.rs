//! `length`: the squared length of an edge, and the ROM that turns its upper bits into half its logarithm.

use super::component::SQUARED_BITS;
use tmu_hdl::primitives::{Contents, Rom};
use tmu_hdl::value::Value;
use tmu_spec::general::tables::LOG2;

/// Bits of the length of an edge along two axes, squared. Along three it has one more.
pub(super) const LENGTH_BITS: usize = 2 * SQUARED_BITS + 1;
/// Bits below those that tell its logarithm: 8 behind the lowest one that the highest one may be.
pub(super) const BELOW_ADDRESS_BITS: usize = 24;
/// Bits of half a logarithm above 32, in 1/256.
pub(super) const LOGARITHM_BITS: usize = 9;

/// Bits of the length of an edge, squared.
pub(super) fn length_bits(has_volumes: bool) -> usize {
    LENGTH_BITS + usize::from(has_volumes)
}

/// Half the logarithm of a squared length less 2^32, in 1/256, for each of its upper bits. Of lengths below it is 0: the other edge
/// is longer.
pub(super) fn half_logarithms(length_bits: usize) -> Rom {
    let entry = |address: u32| {
        let above = (address >> 8).checked_ilog2()?;
        Some(128 * above + u32::from(LOG2[(address >> above & 0xff) as usize] >> 1))
    };
    let word = |address| Value::from_u128(LOGARITHM_BITS, entry(address).unwrap_or(0).into());
    let words = (0..1 << (length_bits - BELOW_ADDRESS_BITS)).map(word).collect();
    Rom::new(Contents::in_file("half_logarithm", words), true)
}
