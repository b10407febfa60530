//! `taking`: the item whose turn it is, and what is said of it when it comes.

use super::super::shapes::Parts;
use super::Turns;
use crate::datapath::general::words::{RequestItem, general};
use tmu_hdl::prelude::*;
use tmu_spec::general::Kind;
use tmu_spec::general::features::OperationName;

/// One bit: the texture is of this kind.
#[kernel]
fn is_kind(turns: &Turns, kind: Kind) -> Bits {
    let has_kind = general(&turns._config).has_kind(kind);
    match turns.kind.as_ref() {
        Some(reg) if has_kind => reg.val() == u64::from(kind.code()),
        _ => lit(1, u32::from(has_kind)),
    }
}

/// Takes the next item as the last one ends.
#[kernel]
pub(super) fn take(turns: &Turns, parts: Parts) {
    /// # The item whose turn it is
    let free = !turns.full.val() || turns.ends.val();
    turns.slot.clocks.follow(&turns.clocks);
    turns.slot.input.valid.next = turns.input.valid.val();
    turns.slot.input.data.next = turns.input.data.val();
    turns.input.ready.next = turns.slot.input.ready.val();
    turns.slot.output.ready.next = free;
    let (comes, word) = (turns.slot.output.valid.val(), turns.slot.output.data.val());
    let next = RequestItem::of(&turns._config).unpack(word);
    let is_fetch = parts.fetch && next.marks.operation == OperationName::Fetch as u64;
    let is_raw = next.head.is_binding || is_fetch;
    if free {
        turns.full.next = comes;
        turns.item.next = word;
        turns.manners.is_raw.next = is_raw;
    }
    if let Some(has_v) = turns.manners.has_v.as_ref() {
        if free {
            has_v.next = is_raw || !is_kind(turns, Kind::D1);
        }
    }
    if let Some(has_w) = turns.manners.has_w.as_ref() {
        if free {
            has_w.next = is_raw || is_kind(turns, Kind::D3) || is_kind(turns, Kind::D2Array);
        }
    }
    if let Some(is_layered) = turns.manners.is_layered.as_ref() {
        if free {
            is_layered.next = is_kind(turns, Kind::D2Array);
        }
    }
    let Some(divided) = turns.divided.as_ref() else { return };
    let one = general(&turns._config).numbers.one();
    let is_one = next.pixels.each_ref().map(|pixel| pixel.q == u64::from(one));
    let has_q = if parts.projective { !stack(is_one).all() } else { lit(1, 0u32) };
    let is_cube = is_kind(turns, Kind::Cube) && !is_raw;
    if free {
        divided.is_divided.next = is_cube || (has_q && !is_raw);
    }
    if let Some(reg) = divided.is_cube.as_ref() {
        if free {
            reg.next = is_cube;
        }
    }
}
