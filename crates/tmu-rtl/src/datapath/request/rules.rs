//! `rules`: what a binding must keep to, for the blocking and the pipelined `request`.
//!
//! All rules but the last are decided at sight, in one clock; where the texture ends takes `MEASURING_CLOCKS` more.

use crate::datapath::binding::{self, BINDING_BITS, LINE_SHIFT, part};
use crate::datapath::request::extent::Extent;
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::binding::BindingRule;
use tmu_spec::binding::field::{
    ADDRESS_U, ADDRESS_V, BILINEAR, FORMAT, HEIGHT_LOG2, MAX_LOD, MIPMAPPED, RESERVED, WIDTH_LOG2,
};

/// Bits that are looked through in one clock; what is in the parts comes together in the next.
const PART_BITS: usize = 36;

/// Parts of a beat above a binding's own bits.
pub(crate) fn parts_above(config: &Config) -> usize {
    (config.request().beats_per_quad().tdata_bits() as usize - BINDING_BITS).div_ceil(PART_BITS)
}

/// Whether any bit is set in each part.
#[kernel]
pub(crate) fn any_in_parts(bits: Bits) -> Bits {
    let parts: Vec<Bits> = (0..bits.width())
        .step_by(PART_BITS)
        .map(|lo| bits.slice(lo, PART_BITS.min(bits.width() - lo)).any())
        .collect();
    cat(&parts)
}

/// Clocks that the extent of a binding's texture takes longer than its other rules.
pub(crate) const MEASURING_CLOCKS: usize = 3;

/// Rules that a look at the binding decides: all but the last one, [`BindingRule::Window`].
pub(crate) const RULES_AT_SIGHT: usize = BindingRule::ALL.len() - 1;

/// Gives the fields of a binding to the block that measures its texture.
#[kernel]
pub(crate) fn measure(config: &Config, extent: &Extent, clocks: &Clocks, raw: Bits) {
    extent.clocks.follow(clocks);
    extent.first_line.next = binding::first_line(config, raw);
    extent.width_log2.next = part(raw, WIDTH_LOG2);
    extent.height_log2.next = part(raw, HEIGHT_LOG2);
    extent.kind.next = binding::kind(config, raw);
}

/// All rules that a binding breaks. Where another one is broken, where its texture would end means nothing.
#[kernel]
pub(crate) fn all_rules(rules: Bits, extent: &Extent) -> Bits {
    cat(&[extent.is_past.val() && !rules.any(), rules])
}

/// The rules that a binding breaks at sight, bit by bit; `raw_above` says that a bit above its own is set.
#[kernel]
pub(crate) fn broken_rules(config: &Config, raw: Bits, raw_above: Bits) -> Bits {
    let features = config.features();
    let reserved = (0..BINDING_BITS).filter(|bit| RESERVED[0] >> bit & 1 == 1);
    let reserved: Vec<Bits> = reserved.map(|bit| raw.bit(bit)).collect();
    let format = part(raw, FORMAT);
    let known = features.formats().fold(lit(1, 0u32), |any, code| any || format == u64::from(code.code()));
    let (width_log2, height_log2, max_lod) =
        (part(raw, WIDTH_LOG2), part(raw, HEIGHT_LOG2), part(raw, MAX_LOD));
    let largest = u64::from(features.max_size_log2());
    let mode_known =
        |mode: Bits| features.address_modes().fold(lit(1, 0u32), |any, m| any || mode == u64::from(m.code()));
    let broken = [
        cat(&reserved).any() || raw_above,
        !known,
        width_log2 > largest || height_log2 > largest,
        max_lod > width_log2 && max_lod > height_log2,
        raw.low(LINE_SHIFT).any(),
        !(mode_known(part(raw, ADDRESS_U)) && mode_known(part(raw, ADDRESS_V))),
        (part(raw, BILINEAR) && !features.bilinear()) || (part(raw, MIPMAPPED) && !features.mipmaps()),
    ];
    let broken: Vec<Bits> = broken.into_iter().rev().collect();
    cat(&broken)
}
