//! Four pixels a slot: finds out whether the pixels of a quad go together, and deals them out if not.

use super::{LATENCY_SLOTS, Span, TILE_SIDE};
use crate::bundles::Layout;
use crate::stream::delay::Delay;
use crate::stream::words::{COLUMN_BITS, LANES_OF_QUAD, footprint_layout, lane_layout, taps_layout};
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// What is kept of the quads on their way.
#[derive(Bundle)]
pub(super) struct Deal {
    waiting: Delay,
    marks: Delay,
    sorted: Delay,
    reads: Delay,
    even_banks: Reg,
    firsts: Delay,
    all_even: Reg,
    all_odd: Reg,
    candidates: Vec<Reg>,
    clashes: Delay,
    differences: Reg,
    differs: Reg,
    together: Reg,
    reading: Reg,
    left: Reg,
    /// The slot that leaves next is its quad's last.
    pub(super) is_last: Reg,
    chosen: Vec<Reg>,
}

/// A pixel's columns and rows by the parity of their tile: the tile, the odd one above the even one, and whether it is
/// needed; for each place in a tile, whether a texel there in a tile of odd parity is needed.
pub(super) fn sorted_layout(config: &Config) -> Layout {
    Layout::new(&[
        ("columns", 2 * COLUMN_BITS, true),
        ("rows", 2 * COLUMN_BITS, true),
        ("used_columns", 2, true),
        ("used_rows", 2, true),
        ("odd_columns", TILE_SIDE, true),
        ("odd_rows", TILE_SIDE, true),
        ("lane", lane_layout(config).width(), true),
    ])
}

/// Columns, then rows: names in [`sorted_layout`].
const SIDES: [(&str, &str, &str); 2] =
    [("columns", "used_columns", "odd_columns"), ("rows", "used_rows", "odd_rows")];

impl Deal {
    pub(super) fn new(config: &Config, clocks: &Clocks) -> Deal {
        let sorted = sorted_layout(config).width();
        let marks = footprint_layout(config).width() - LANES_OF_QUAD * taps_layout(config).width();
        let sides = SIDES.len();
        let delay = |steps: usize, width: usize| Delay::new(clocks, steps, width);
        Deal {
            waiting: Delay::flag(clocks, LATENCY_SLOTS),
            marks: delay(LATENCY_SLOTS, marks),
            sorted: delay(LATENCY_SLOTS, LANES_OF_QUAD * sorted),
            reads: delay(LATENCY_SLOTS - 1, LANES_OF_QUAD),
            even_banks: Reg::new(clocks, sides * LANES_OF_QUAD * TILE_SIDE),
            firsts: delay(LATENCY_SLOTS - 2, 2 * sides * 2),
            all_even: Reg::new(clocks, sides * TILE_SIDE),
            all_odd: Reg::new(clocks, sides * TILE_SIDE),
            candidates: Reg::array(2 * sides, clocks, COLUMN_BITS),
            clashes: delay(LATENCY_SLOTS - 3, 1),
            differences: Reg::new(clocks, 2 * sides * LANES_OF_QUAD),
            differs: Reg::new(clocks, 1),
            together: Reg::new(clocks, 1),
            reading: Reg::new(clocks, LANES_OF_QUAD),
            left: Reg::new(clocks, LANES_OF_QUAD),
            is_last: Reg::with_reset(clocks, 1, 1),
            chosen: Reg::array(2 * sides, clocks, 2),
        }
    }
}

/// Drives everything, in data-flow order.
pub(super) fn deal_out(span: &Span, deal: &Deal) {
    sort(span, deal);
    agree(span, deal);
    compare(span, deal);
    turn(span, deal);
    leave(span, deal);
}

#[kernel]
fn sort(span: &Span, deal: &Deal) {
    /// # Sort by parity
    let moves = span.moves.val();
    let mut words = vec![];
    let mut even_banks = vec![];
    for lane in (0..LANES_OF_QUAD).rev() {
        let [columns, rows] = [0, 1].map(|side| span.sorted(lane, side));
        let taps = span._lane.pack(&[
            ("column_bit1", columns.bit1),
            ("row_bit1", rows.bit1),
            ("odd_weight_x", columns.weight),
            ("odd_weight_y", rows.weight),
        ]);
        words.push(span._sorted.pack(&[
            ("columns", columns.tiles),
            ("rows", rows.tiles),
            ("used_columns", columns.used),
            ("used_rows", rows.used),
            ("odd_columns", cat(&columns.odd_banks)),
            ("odd_rows", cat(&rows.odd_banks)),
            ("lane", taps),
        ]));
        even_banks.push(cat(&[cat(&rows.even_banks), cat(&columns.even_banks)]));
        discard(cat(&[rows.bit2, columns.bit2]), "a column of banks is a column of tiles");
    }
    deal.sorted.take(cat(&words), moves);
    deal.reads.take(span.reads(), moves);
    deal.waiting.take(span.active.val(), moves);
    deal.marks.take(span.marks(), moves);
    if moves {
        deal.even_banks.next = cat(&even_banks);
    }
}

/// A field of a pixel's sorted word, so many slots after it was sorted.
#[kernel]
fn of_lane(span: &Span, deal: &Deal, age: usize, lane: usize, name: &str) -> Bits {
    let width = span._sorted.width();
    span._sorted.get(deal.sorted.after(age).slice(lane * width, width), name)
}

#[kernel]
fn agree(span: &Span, deal: &Deal) {
    /// # First pixel that needs each parity, and all places in tiles
    let reads = deal.reads.after(1);
    let even_banks = deal.even_banks.val();
    let mut firsts = vec![];
    let mut all_even = vec![];
    let mut all_odd = vec![];
    for (side, (_, used, odd_banks)) in SIDES.iter().enumerate() {
        for parity in 0..2usize {
            let needs = |lane: usize| reads.bit(lane) && of_lane(span, deal, 1, lane, used).bit(parity);
            firsts.push(lowest(cat(&[needs(3), needs(2), needs(1), needs(0)])));
        }
        for place in 0..TILE_SIDE {
            let even = |lane: usize| even_banks.bit((lane * SIDES.len() + side) * TILE_SIDE + place);
            let odd = |lane: usize| of_lane(span, deal, 1, lane, odd_banks).bit(place);
            let any = |of: &dyn Fn(usize) -> Bits| {
                (0..LANES_OF_QUAD).fold(lit(1, 0u32), |any, lane| any || (reads.bit(lane) && of(lane)))
            };
            all_even.push(any(&even));
            all_odd.push(any(&odd));
        }
    }
    for list in [&mut firsts, &mut all_even, &mut all_odd] {
        list.reverse();
    }
    deal.firsts.take(cat(&firsts), span.moves.val());
    if span.moves.val() {
        deal.all_even.next = cat(&all_even);
        deal.all_odd.next = cat(&all_odd);
    }
}

#[kernel]
fn compare(span: &Span, deal: &Deal) {
    /// # Whether the others need the same tiles
    let moves = span.moves.val();
    /// A place that is needed in tiles of both parities would have to be read twice.
    deal.clashes.take((deal.all_even.val() & deal.all_odd.val()).any(), moves);
    let reads = deal.reads.after(3);
    let mut differences = vec![];
    for (side, (tiles, used, _)) in SIDES.iter().enumerate() {
        for parity in 0..2usize {
            let number = 2 * side + parity;
            let first = deal.firsts.after(1).slice(2 * number, 2);
            let of = |age: usize, lane: usize| {
                of_lane(span, deal, age, lane, tiles).slice(parity * COLUMN_BITS, COLUMN_BITS)
            };
            let candidate = &deal.candidates[number];
            if moves {
                candidate.next = one_of(first, &[of(2, 0), of(2, 1), of(2, 2), of(2, 3)]);
            }
            for lane in 0..LANES_OF_QUAD {
                let needs = reads.bit(lane) && of_lane(span, deal, 3, lane, used).bit(parity);
                differences.push(needs && of(3, lane) != candidate.val());
            }
        }
    }
    if moves {
        deal.differences.next = cat(&differences);
        deal.differs.next = deal.differences.val().any();
    }
}

#[kernel]
fn turn(span: &Span, deal: &Deal) {
    /// # The pixels whose turn it is
    let is_last = deal.is_last.val();
    let fits = is_last && !deal.differs.val() && !deal.clashes.last();
    let left = if is_last { deal.reads.last() } else { deal.left.val() };
    let first = lowest(left);
    let own: Vec<Bits> =
        (0..LANES_OF_QUAD as u64).rev().map(|lane| first == lane && left.bit(lane as usize)).collect();
    let own = cat(&own);
    let others = left & !own;
    if span.advance.val() {
        deal.together.next = fits;
        deal.reading.next = if fits { left } else { own };
        deal.left.next = others & (!fits).repeat(LANES_OF_QUAD);
        deal.is_last.next = fits || !others.any();
        for (number, chosen) in deal.chosen.iter().enumerate() {
            chosen.next = if fits { deal.firsts.last().slice(2 * number, 2) } else { first };
        }
    }
}

#[kernel]
fn leave(span: &Span, deal: &Deal) {
    /// # Tiles
    let reading = deal.reading.val();
    let standing = |lane: usize, name: &str| of_lane(span, deal, LATENCY_SLOTS, lane, name);
    let tile = |number: usize| {
        let (name, _, _) = SIDES[number >> 1];
        let of = |lane: usize| standing(lane, name).slice((number & 1) * COLUMN_BITS, COLUMN_BITS);
        one_of(deal.chosen[number].val(), &[of(0), of(1), of(2), of(3)])
    };
    let used = |bank: usize| {
        let needs = |lane: usize| {
            reading.bit(lane)
                && standing(lane, "used_columns").bit(bank & 1)
                && standing(lane, "used_rows").bit(bank >> 1)
        };
        (0..LANES_OF_QUAD).fold(lit(1, 0u32), |any, lane| any || needs(lane))
    };
    let used: Vec<Bits> = (0..4).rev().map(used).collect();
    let odd = |name: &str| {
        (0..LANES_OF_QUAD).fold(lit(TILE_SIDE, 0u32), |all, lane| {
            all | (standing(lane, name) & reading.bit(lane).repeat(TILE_SIDE))
        })
    };
    let lanes: Vec<Bits> = (0..LANES_OF_QUAD).rev().map(|lane| standing(lane, "lane")).collect();
    let own_served = reading | deal.together.val().repeat(LANES_OF_QUAD);
    span.hand_on(
        deal.marks.last(),
        deal.waiting.last(),
        [tile(0), tile(1), tile(2), tile(3)],
        cat(&used),
        [odd("odd_columns"), odd("odd_rows"), lit(2, 0u32)],
        &[("is_last", deal.is_last.val()), ("served", own_served), ("lanes", cat(&lanes))],
    );
}

/// Number of the lowest of four bits that is set; 3 where none is.
#[kernel]
fn lowest(bits: Bits) -> Bits {
    cat(&[!bits.bit(0) && !bits.bit(1), !bits.bit(0) && (bits.bit(1) || !bits.bit(2))])
}

/// The one of four values with this number.
#[kernel]
fn one_of(number: Bits, values: &[Bits; 4]) -> Bits {
    let upper = if number.bit(0) { values[3] } else { values[2] };
    let lower = if number.bit(0) { values[1] } else { values[0] };
    if number.bit(1) { upper } else { lower }
}
