//! What an item reads of its tiles, and what it takes along to the filter.

use super::tiles::{Sides, block_tile, blocks_by_row, parity};
use crate::datapath::general::footprint::TapItem;
use crate::datapath::general::tile::{entry_row_is_odd, is_sixteen_bytes, is_wide, may_be_wide};
use crate::datapath::general::words::{ODD_WEIGHT_BITS, ProbeTap, TAPS, TexelUse, WordSelect, has_pairs};
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// Which words of the banks of texels are read.
#[kernel]
pub(in crate::datapath::general) fn word_select(item: &TapItem, [columns, rows]: &[Sides; 2]) -> WordSelect {
    /// # Words
    let by_row = blocks_by_row(item);
    let bank = |place: usize| {
        let plain = cat(&[rows.tile_bit(place >> 1), columns.tile_bit(place & 1)]);
        let (row, column) = block_tile(item, place & 1, by_row, [columns, rows]);
        let of_block = cat(&[row, parity(item, column, row)]);
        if item.level.is_block { of_block } else { plain }
    };
    let own = WordSelect {
        banks: [0, 1, 2, 3].map(bank),
        upper_row: [0, 1].map(|parity: usize| rows.of(parity).bit(0) && !item.level.is_block),
    };
    if !may_be_wide(item.level.tile_halves) {
        return own;
    }
    let wide = select_wide(item);
    let is_wide = is_wide(item.level.tile_halves);
    WordSelect {
        banks: [0, 1, 2, 3].map(|bank: usize| is_wide.mux(wide.banks[bank], own.banks[bank])),
        upper_row: [0, 1].map(|row: usize| is_wide.mux(wide.upper_row[row], own.upper_row[row])),
    }
}

/// Which words are read where texels have 8 or 16 bytes: of one row of texels, each in one row of banks.
#[kernel]
fn select_wide(item: &TapItem) -> WordSelect {
    /// # Words of wide texels
    let is_sixteen = is_sixteen_bytes(item.level.tile_halves);
    let [first, second] = item.x;
    let row_of_first = match is_sixteen {
        Some(is_sixteen) => is_sixteen.mux(first.bit(0), first.bit(1)),
        None => first.bit(1),
    };
    let column = |row: usize, bit: usize| {
        let has_first = if row == 1 { row_of_first } else { !row_of_first };
        if has_first || !item.uses_second_x { first.bit(bit) } else { second.bit(bit) }
    };
    let upper_row = |row: usize| match is_sixteen {
        Some(is_sixteen) => is_sixteen.mux(column(row, 1), item.y[0].bit(0)),
        None => item.y[0].bit(0),
    };
    let row_is_odd = entry_row_is_odd(item.y[0], item.level.tile_halves);
    WordSelect {
        banks: [0, 1, 2, 3].map(|bank: usize| cat(&[row_is_odd, column(bank >> 1, 2)])),
        upper_row: [0, 1].map(upper_row),
    }
}

/// What goes on to the filter.
#[kernel]
pub(in crate::datapath::general) fn tap(
    config: &Config,
    item: &TapItem,
    [columns, rows]: &[Sides; 2],
) -> ProbeTap {
    /// # Taps
    let ends = item.ends.clone();
    let is_valid = ends.is_valid;
    let brings_any = is_valid && !item.reads_nothing;
    let told = told(config, item);
    let brings = |place: usize| {
        let own = columns.has(place & 1) && rows.has(place >> 1);
        (if item.is_by_place { told.bit(place) } else { own }) && brings_any
    };
    let by_row = blocks_by_row(item);
    let upper_half = |slot: usize| {
        let (row, column) = block_tile(item, slot, by_row, [columns, rows]);
        discard(column, "which line it is in does not matter");
        column.bit(0) ^ (row && item.level.is_odd)
    };
    let odd_weight = |texels: [Bits; 2], weight: Bits, is_odd: Bits, is_alone: Bits| {
        let is_odd = is_odd && !item.is_by_place;
        let counts = is_alone || (texels[0].bit(0) ^ texels[1].bit(0));
        let of_second = weight & counts.repeat(weight.width());
        (of_second ^ is_odd.repeat(weight.width())).zero_extend(ODD_WEIGHT_BITS)
            + is_odd.zero_extend(ODD_WEIGHT_BITS)
    };
    ProbeTap {
        pixel: ends.pixel,
        is_valid,
        is_failed: ends.is_failed,
        is_table: ends.is_table,
        is_secondary: ends.is_secondary,
        starts_probe: item.starts_probe,
        ends_probe: item.ends_probe,
        ends_pixel: ends.ends_pixel && item.ends_probe,
        ends_quad: ends.ends_quad && item.ends_probe,
        spread: ends.spread,
        valid: ends.valid,
        brings: stack([0, 1, 2, 3].map(brings)),
        is_by_place: item.is_by_place,
        sources: sources(config, item),
        column_bit1: [0, 1].map(|parity: usize| columns.of(parity).bit(0)),
        row_bit1: [0, 1].map(|parity: usize| rows.of(parity).bit(0)),
        odd_weight_x: odd_weight(item.x, item.weight_x, item.x[0].bit(0), item.is_by_place),
        odd_weight_y: odd_weight(
            item.y,
            item.weight_y,
            first_row_is_odd(item),
            item.is_by_place || item.is_by_row,
        ),
        has_corner: item.has_corner,
        corner: item.corner,
        weight: ends.weight,
        texels: texel_use(item),
        format: item.level.format,
        is_block: item.level.is_block,
        blocks_by_row: by_row,
        upper_half: [0, 1].map(upper_half),
    }
}

/// The taps that are told by their places, a bit for each place.
#[kernel]
fn told(config: &Config, item: &TapItem) -> Bits {
    let first = (0..TAPS as u64).map(|place| item.place == place);
    if !has_pairs(config) {
        return stack(first);
    }
    let beside = item.place ^ cat(&[item.in_column, !item.in_column]);
    let has_second = item.uses_second_x || item.uses_second_y;
    stack((0..TAPS as u64).map(|place| item.place == place || (has_second && beside == place)))
}

/// Their banks: of the outer places and of the inner ones. Of two taps beside each other one is at an outer place.
#[kernel]
fn sources(config: &Config, item: &TapItem) -> [Bits; 2] {
    let [column, second_column] = item.x.map(|texel| texel.bit(0));
    let [row, second_row] = item.y.map(|texel| texel.bit(0));
    let first = cat(&[row, column]);
    if !has_pairs(config) {
        return [first, lit(2, 0u32)];
    }
    let second = cat(&[
        if item.uses_second_y { second_row } else { row },
        if item.uses_second_x { second_column } else { column },
    ]);
    let is_inner = item.place.bit(0) ^ item.place.bit(1);
    [if is_inner { second } else { first }, if is_inner { first } else { second }]
}

/// One bit: the first row of the item's probe is odd. Of a probe that comes by rows the item may have the second one.
#[kernel]
fn first_row_is_odd(item: &TapItem) -> Bits {
    item.y[0].bit(0) ^ (item.is_by_row && item.place.bit(1))
}

/// What becomes of the texels of an item's probe.
#[kernel]
fn texel_use(item: &TapItem) -> TexelUse {
    let (ends, bound) = (&item.ends, &item.texels);
    let is_by_place = item.is_by_place;
    TexelUse {
        border_taps: item.border_taps,
        border: bound.border,
        is_void: item.is_void,
        is_srgb: bound.is_srgb,
        compares: bound.compares,
        compare: bound.compare,
        reference: ends.reference,
        swizzle: bound.swizzle,
        is_gather: ends.is_gather,
        component: ends.component,
        first_is_odd: [item.x[0].bit(0) && !is_by_place, first_row_is_odd(item) && !is_by_place],
    }
}
