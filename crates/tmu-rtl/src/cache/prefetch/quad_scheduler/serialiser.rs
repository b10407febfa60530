//! Four pixels an item: finds out whether the pixels of a quad go together, and deals them out if not.

use super::{LATENCY_STEPS, QuadScheduler, TILE_SIDE};
use crate::datapath::bundles::Layout;
use crate::datapath::delay::Delay;
use crate::datapath::words::{COLUMN_BITS, LANES_OF_QUAD, footprint_layout, lane_layout, taps_layout};
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// What is kept of the quads on their way.
#[derive(Bundle)]
pub(super) struct Serialiser {
    waiting: Delay,
    sideband: Delay,
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
    remaining: Reg,
    /// The item that leaves next is its quad's last.
    pub(super) is_last: Reg,
    chosen: Vec<Reg>,
}

/// A pixel's columns and rows by the parity of their tile: the tile, the odd one above the even one, and whether it is
/// needed; for each place in a tile, whether a texel there in a tile of odd parity is needed.
pub(super) fn sorted_layout(config: &Config) -> Layout {
    Layout::new(&[
        ("columns", 2 * COLUMN_BITS, true),
        ("rows", 2 * COLUMN_BITS, true),
        ("needed_columns", 2, true),
        ("needed_rows", 2, true),
        ("odd_columns", TILE_SIDE, true),
        ("odd_rows", TILE_SIDE, true),
        ("lane", lane_layout(config).width(), true),
    ])
}

/// Columns, then rows: names in [`sorted_layout`].
const AXES: [(&str, &str, &str); 2] =
    [("columns", "needed_columns", "odd_columns"), ("rows", "needed_rows", "odd_rows")];

impl Serialiser {
    pub(super) fn new(config: &Config, clocks: &Clocks) -> Serialiser {
        let sorted = sorted_layout(config).width();
        let sideband = footprint_layout(config).width() - LANES_OF_QUAD * taps_layout(config).width();
        let word_selects = AXES.len();
        let delay = |steps: usize, width: usize| Delay::new(clocks, steps, width);
        Serialiser {
            waiting: Delay::flag(clocks, LATENCY_STEPS),
            sideband: delay(LATENCY_STEPS, sideband),
            sorted: delay(LATENCY_STEPS, LANES_OF_QUAD * sorted),
            reads: delay(LATENCY_STEPS - 1, LANES_OF_QUAD),
            even_banks: Reg::new(clocks, word_selects * LANES_OF_QUAD * TILE_SIDE),
            firsts: delay(LATENCY_STEPS - 2, 2 * word_selects * 2),
            all_even: Reg::new(clocks, word_selects * TILE_SIDE),
            all_odd: Reg::new(clocks, word_selects * TILE_SIDE),
            candidates: Reg::array(2 * word_selects, clocks, COLUMN_BITS),
            clashes: delay(LATENCY_STEPS - 3, 1),
            differences: Reg::new(clocks, 2 * word_selects * LANES_OF_QUAD),
            differs: Reg::new(clocks, 1),
            together: Reg::new(clocks, 1),
            reading: Reg::new(clocks, LANES_OF_QUAD),
            remaining: Reg::new(clocks, LANES_OF_QUAD),
            is_last: Reg::with_reset(clocks, 1, 1),
            chosen: Reg::array(2 * word_selects, clocks, 2),
        }
    }
}

/// Drives everything, in data-flow order.
pub(super) fn serialise(quad_scheduler: &QuadScheduler, serialiser: &Serialiser) {
    sort(quad_scheduler, serialiser);
    agree(quad_scheduler, serialiser);
    compare(quad_scheduler, serialiser);
    turn(quad_scheduler, serialiser);
    leave(quad_scheduler, serialiser);
}

#[kernel]
fn sort(quad_scheduler: &QuadScheduler, serialiser: &Serialiser) {
    /// # Sort by parity
    let upstream_advance = quad_scheduler.upstream_advance.val();
    let mut words = vec![];
    let mut even_banks = vec![];
    for lane in (0..LANES_OF_QUAD).rev() {
        let [columns, rows] = [0, 1].map(|axis| quad_scheduler.sorted(lane, axis));
        let taps = quad_scheduler._lane.pack(&[
            ("column_bit1", columns.bit1),
            ("row_bit1", rows.bit1),
            ("odd_weight_x", columns.weight),
            ("odd_weight_y", rows.weight),
        ]);
        words.push(quad_scheduler._sorted.pack(&[
            ("columns", columns.tiles),
            ("rows", rows.tiles),
            ("needed_columns", columns.needed),
            ("needed_rows", rows.needed),
            ("odd_columns", cat(&columns.odd_banks)),
            ("odd_rows", cat(&rows.odd_banks)),
            ("lane", taps),
        ]));
        even_banks.push(cat(&[cat(&rows.even_banks), cat(&columns.even_banks)]));
        discard(cat(&[rows.bit2, columns.bit2]), "a column of banks is a column of tiles");
    }
    serialiser.sorted.take(cat(&words), upstream_advance);
    serialiser.reads.take(quad_scheduler.reads(), upstream_advance);
    serialiser.waiting.take(quad_scheduler.in_valid.val(), upstream_advance);
    serialiser.sideband.take(quad_scheduler.sideband(), upstream_advance);
    if upstream_advance {
        serialiser.even_banks.next = cat(&even_banks);
    }
}

/// A field of a pixel's sorted word, so many items after it was sorted.
#[kernel]
fn of_lane(
    quad_scheduler: &QuadScheduler,
    serialiser: &Serialiser,
    age: usize,
    lane: usize,
    name: &str,
) -> Bits {
    let width = quad_scheduler._sorted.width();
    quad_scheduler._sorted.get(serialiser.sorted.after(age).slice(lane * width, width), name)
}

#[kernel]
fn agree(quad_scheduler: &QuadScheduler, serialiser: &Serialiser) {
    /// # First pixel that needs each parity, and all places in tiles
    let reads = serialiser.reads.after(1);
    let even_banks = serialiser.even_banks.val();
    let mut firsts = vec![];
    let mut all_even = vec![];
    let mut all_odd = vec![];
    for (axis, (_, used, odd_banks)) in AXES.iter().enumerate() {
        for parity in 0..2usize {
            let needs = |lane: usize| {
                reads.bit(lane) && of_lane(quad_scheduler, serialiser, 1, lane, used).bit(parity)
            };
            firsts.push(lowest(cat(&[needs(3), needs(2), needs(1), needs(0)])));
        }
        for place in 0..TILE_SIDE {
            let even = |lane: usize| even_banks.bit((lane * AXES.len() + axis) * TILE_SIDE + place);
            let odd = |lane: usize| of_lane(quad_scheduler, serialiser, 1, lane, odd_banks).bit(place);
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
    serialiser.firsts.take(cat(&firsts), quad_scheduler.upstream_advance.val());
    if quad_scheduler.upstream_advance.val() {
        serialiser.all_even.next = cat(&all_even);
        serialiser.all_odd.next = cat(&all_odd);
    }
}

#[kernel]
fn compare(quad_scheduler: &QuadScheduler, serialiser: &Serialiser) {
    /// # Whether the others need the same tiles
    let upstream_advance = quad_scheduler.upstream_advance.val();
    /// A place that is needed in tiles of both parities would have to be read twice.
    serialiser.clashes.take((serialiser.all_even.val() & serialiser.all_odd.val()).any(), upstream_advance);
    let reads = serialiser.reads.after(3);
    let mut differences = vec![];
    for (axis, (tiles, used, _)) in AXES.iter().enumerate() {
        for parity in 0..2usize {
            let number = 2 * axis + parity;
            let first = serialiser.firsts.after(1).slice(2 * number, 2);
            let of = |age: usize, lane: usize| {
                of_lane(quad_scheduler, serialiser, age, lane, tiles).slice(parity * COLUMN_BITS, COLUMN_BITS)
            };
            let candidate = &serialiser.candidates[number];
            if upstream_advance {
                candidate.next = one_of(first, &[of(2, 0), of(2, 1), of(2, 2), of(2, 3)]);
            }
            for lane in 0..LANES_OF_QUAD {
                let needs = reads.bit(lane) && of_lane(quad_scheduler, serialiser, 3, lane, used).bit(parity);
                differences.push(needs && of(3, lane) != candidate.val());
            }
        }
    }
    if upstream_advance {
        serialiser.differences.next = cat(&differences);
        serialiser.differs.next = serialiser.differences.val().any();
    }
}

#[kernel]
fn turn(quad_scheduler: &QuadScheduler, serialiser: &Serialiser) {
    /// # The pixels whose turn it is
    let is_last = serialiser.is_last.val();
    let fits = is_last && !serialiser.differs.val() && !serialiser.clashes.last();
    let remaining = if is_last { serialiser.reads.last() } else { serialiser.remaining.val() };
    let first = lowest(remaining);
    let own: Vec<Bits> =
        (0..LANES_OF_QUAD as u64).rev().map(|lane| first == lane && remaining.bit(lane as usize)).collect();
    let own = cat(&own);
    let others = remaining & !own;
    if quad_scheduler.advance.val() {
        serialiser.together.next = fits;
        serialiser.reading.next = if fits { remaining } else { own };
        serialiser.remaining.next = others & (!fits).repeat(LANES_OF_QUAD);
        serialiser.is_last.next = fits || !others.any();
        for (number, chosen) in serialiser.chosen.iter().enumerate() {
            chosen.next = if fits { serialiser.firsts.last().slice(2 * number, 2) } else { first };
        }
    }
}

#[kernel]
fn leave(quad_scheduler: &QuadScheduler, serialiser: &Serialiser) {
    /// # Tiles
    let reading = serialiser.reading.val();
    let standing = |lane: usize, name: &str| of_lane(quad_scheduler, serialiser, LATENCY_STEPS, lane, name);
    let tile = |number: usize| {
        let (name, _, _) = AXES[number >> 1];
        let of = |lane: usize| standing(lane, name).slice((number & 1) * COLUMN_BITS, COLUMN_BITS);
        one_of(serialiser.chosen[number].val(), &[of(0), of(1), of(2), of(3)])
    };
    let used = |bank: usize| {
        let needs = |lane: usize| {
            reading.bit(lane)
                && standing(lane, "needed_columns").bit(bank & 1)
                && standing(lane, "needed_rows").bit(bank >> 1)
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
    let own_served = reading | serialiser.together.val().repeat(LANES_OF_QUAD);
    quad_scheduler.hand_on(
        serialiser.sideband.last(),
        serialiser.waiting.last(),
        [tile(0), tile(1), tile(2), tile(3)],
        cat(&used),
        [odd("odd_columns"), odd("odd_rows"), lit(2, 0u32)],
        &[("is_last", serialiser.is_last.val()), ("pixel_mask", own_served), ("lanes", cat(&lanes))],
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
