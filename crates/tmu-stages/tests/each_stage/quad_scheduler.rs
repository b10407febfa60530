//! `quad_scheduler` against `tmu_model::cache::prefetch::quad_scheduler`: which pixels go together, and the tiles under them.

use crate::support::{any_bits, configs, is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::cache::prefetch::quad_scheduler::{Footprint, is_one_item};
use tmu_rtl::cache::prefetch::quad_scheduler::QuadScheduler;
use tmu_rtl::datapath::words::{
    BindingPlace, ScheduledTiles, footprint_layout, lane_layout, lanes, tap_layout, taps_layout,
    word_select_layout,
};
use tmu_spec::quad::PIXELS;
use tmu_spec::tile::{BANKS, COLUMNS};
use tmu_spec::{Config, Format};
use tmu_stages::{Check, Flow, Rig};

#[test]
pub(crate) fn pixel() {
    quad_scheduler("quad_scheduler_pixel", &configs::pixel());
}

#[test]
pub(crate) fn quad() {
    quad_scheduler("quad_scheduler_quad", &configs::quad());
}

/// The texels of an axis: first, second, weight of the second.
type Axis = (u32, u32, u32);

/// An item that comes in.
#[derive(Clone, Debug)]
struct Item {
    is_binding: bool,
    is_table: bool,
    is_failed: bool,
    valid: u64,
    pixels: Vec<[Axis; 2]>,
}

/// An item that leaves: the pixels that read something, those whose turn it is, and whether it is the last one.
#[derive(Clone, Debug)]
struct Dealt {
    item: Item,
    reading: u64,
    turn: u64,
    is_last: bool,
    sideband: Value,
}

/// Texels of an axis near a place; the second wraps or stays at the edge. Often without weight.
fn axis(check: &mut Check, around: u32, size_log2: u32) -> Axis {
    let size = 1u32 << size_log2;
    let first = (around + check.pick(&[0, 1, 1, 2, 3, 4, 5, 8])) % size;
    let second = if check.one_in(16) { first } else { (first + 1) % size };
    (first, second, if check.one_in(4) { 0 } else { check.rng.random_range(0..256) })
}

impl Item {
    fn any(check: &mut Check, lanes: usize) -> Item {
        let sizes = [(); 2].map(|()| check.rng.random_range(0..=11));
        let around = sizes.map(|size| check.rng.random_range(0..1u32 << size));
        let pixels = (0..lanes).map(|_| [0, 1].map(|of| axis(check, around[of], sizes[of]))).collect();
        let random = check.rng.random_range(0..16);
        let valid = check.pick(&[0, 0b1111, random]) & ((1 << lanes) - 1);
        let is_binding = check.one_in(12);
        Item { is_binding, is_table: false, is_failed: check.one_in(12), valid, pixels }
    }

    /// An entry of a colour table, a texel of a row of tiles.
    fn of_table(lanes: usize, entry: u32) -> Item {
        let column = entry / 16 * COLUMNS + entry % COLUMNS;
        let one = [(column, column, 0), (entry / COLUMNS % 4, entry / COLUMNS % 4, 0)];
        Item { is_binding: false, is_table: true, is_failed: false, valid: 0, pixels: vec![one; lanes] }
    }

    /// The texels that a pixel needs.
    fn footprint(&self, pixel: usize) -> Footprint {
        let of = |(first, second, weight): Axis| [first, if weight == 0 { first } else { second }];
        let [columns, rows] = self.pixels[pixel].map(of);
        Footprint { columns, rows }
    }

    /// The items that it becomes.
    fn dealt(&self, sideband: Value) -> Vec<Dealt> {
        let lanes = self.pixels.len();
        let all = (1u64 << lanes) - 1;
        let reads = match self {
            Item { is_table: true, .. } => 1,
            Item { is_binding: false, is_failed: false, valid, .. } => *valid,
            _ => 0,
        };
        let footprints: [Option<Footprint>; PIXELS] =
            std::array::from_fn(|pixel| (reads >> pixel & 1 == 1).then(|| self.footprint(pixel)));
        let item = |reading: u64, turn: u64, is_last: bool| Dealt {
            item: self.clone(),
            reading,
            turn,
            is_last,
            sideband,
        };
        if lanes == 1 || is_one_item(&footprints) {
            return vec![item(reads, all, true)];
        }
        let pixels: Vec<u64> =
            (0..lanes as u64).map(|pixel| 1 << pixel).filter(|pixel| reads & pixel != 0).collect();
        pixels.iter().map(|pixel| item(*pixel, *pixel, Some(pixel) == pixels.last())).collect()
    }
}

fn quad_scheduler(name: &str, config: &Config) {
    const ITEMS: usize = 4000;
    let lanes = lanes(config);
    let mut check = Check::new(name);
    let mut rig = Rig::new(name, QuadScheduler::new(config));
    let mut owed: Flow<Dealt> = Flow::default();
    let mut coming: VecDeque<Item> = VecDeque::new();
    let mut offered: Option<(Bits, Item)> = None;
    let (mut items, mut clocks) = (0, 0);
    while items < ITEMS || offered.is_some() || !owed.is_empty() {
        if coming.is_empty() && items < ITEMS {
            coming.push_back(Item::any(&mut check, lanes));
            if check.one_in(500) {
                let binding = Item { is_binding: true, ..Item::any(&mut check, lanes) };
                coming.push_back(binding);
                coming.extend((0..Format::COLOR_TABLE_ENTRIES).map(|entry| Item::of_table(lanes, entry)));
            }
        }
        if offered.is_none() && !check.one_in(8) {
            offered = coming.pop_front().map(|item| (word(&mut check, config, &item), item));
            items += usize::from(offered.is_some());
        }
        let advance = !check.one_in(4);
        rig.advance.drive(advance);
        rig.in_valid.drive(offered.is_some());
        offered.iter().for_each(|(word, _)| rig.footprint.drive(*word));
        rig.settle();
        let takes = is_high(rig.upstream_advance.val());
        if takes && let Some((word, item)) = offered.take() {
            let sideband = word.low(footprint_layout(config).bits("taps").start).value();
            item.dealt(sideband).into_iter().for_each(|dealt| owed.put(dealt));
        }
        if advance && is_high(rig.out_valid.val()) {
            let dealt = owed.next(&mut check);
            check_item(&mut check, config, rig.out_tiles.val(), &dealt);
        }
        rig.tick();
        clocks += 1;
        check.holds(clocks < 20 * ITEMS, format_args!("{} items leave", owed.len()));
    }
    owed.is_done(&mut check);
    check.at_least(ITEMS as u64);
}

/// The item as it comes.
fn word(check: &mut Check, config: &Config, item: &Item) -> Bits {
    let (layout, taps, lanes) = (footprint_layout(config), taps_layout(config), lanes(config));
    let texel = taps.bits("x0").len();
    // The entry itself is counted, whatever the texels say.
    let of_pixel = |[x, y]: &[Axis; 2]| {
        taps.pack(&[
            ("x0", number(texel, x.0)),
            ("x1", number(texel, x.1)),
            ("y0", number(texel, y.0)),
            ("y1", number(texel, y.1)),
            ("weight_x", number(taps.bits("weight_x").len(), x.2)),
            ("weight_y", number(taps.bits("weight_y").len(), y.2)),
        ])
    };
    let noise = any_bits(check, taps.width());
    let all = item.pixels.iter().map(|pixel| if item.is_table { noise } else { of_pixel(pixel) });
    let mut any = |name: &str| any_bits(check, layout.bits(name).len().max(1));
    let rest = ["pixel", "is_last", "level_lines", "tiles_log2", "place"].map(|name| (name, any(name)));
    let known = [
        ("is_binding", number(1, item.is_binding)),
        ("is_table", number(1, item.is_table)),
        ("is_valid", number(lanes, item.valid)),
        ("is_failed", number(1, item.is_failed)),
        ("taps", stack(all)),
    ];
    layout.pack(&known.into_iter().chain(rest).collect::<Vec<_>>())
}

fn check_item(check: &mut Check, config: &Config, word: Bits, dealt: &Dealt) {
    let (lanes, shape, layout) = (lanes(config), ScheduledTiles::of(config), footprint_layout(config));
    let tiles = shape.unpack(word);
    let own = |name: &str| layout.get(Bits::constant(dealt.sideband), name);
    let said = |what: &str| format!("{what} of {dealt:x?}");
    let passed = [
        (tiles.is_binding, "is_binding"),
        (tiles.level_lines, "level_lines"),
        (tiles.tiles_log2, "tiles_log2"),
        (tiles.place, "place"),
    ];
    check.same("bits of a binding's place", tiles.place.width(), BindingPlace::of(config).width());
    passed.into_iter().for_each(|(got, name)| check.same(said(name), got.value(), own(name).value()));
    let reading: Vec<Footprint> = (0..lanes)
        .filter(|lane| dealt.reading >> lane & 1 == 1)
        .map(|lane| dealt.item.footprint(lane))
        .collect();
    let mut needed = 0u64;
    for [column, row] in reading.iter().flat_map(Footprint::tiles) {
        let bank = (row & 1) << 1 | (column & 1);
        needed |= 1 << bank;
        let got = [tiles.column[column as usize & 1], tiles.row[row as usize & 1]].map(Bits::to_u64);
        check.same(said(&format!("column and row in bank {bank}")), got, [column.into(), row.into()]);
    }
    check.same(said("banks"), tiles.needed.to_u64() & ((1 << BANKS) - 1), needed);
    let select = word_select_layout(config);
    let side = select.bits("column_bit2").len() as u32;
    for Footprint { columns, rows } in &reading {
        let texels = columns.map(|x| ("column_bit2", x)).into_iter().chain(rows.map(|y| ("row_bit2", y)));
        for (name, texel) in texels {
            let got = select.get(tiles.word_selects, name).value().bit((texel % side) as usize);
            check.same(said(&format!("{name} of texel {texel}")), got, texel >> 2 & 1 == 1);
        }
        if lanes == 1 {
            for row in rows {
                let got = select.get(tiles.word_selects, "row_bit1").value().bit((row % 2) as usize);
                check.same(said(&format!("row_bit1 of {row}")), got, row >> 1 & 1 == 1);
            }
        }
    }
    check_tap(check, config, tiles.tap, dealt);
}

fn check_tap(check: &mut Check, config: &Config, word: Bits, dealt: &Dealt) {
    let (lanes, tap, lane) = (lanes(config), tap_layout(config), lane_layout(config));
    let word = word.zero_extend(tap.width());
    let field = |name: &str| tap.get(word, name);
    let said = |what: &str| format!("{what} of {dealt:x?}");
    let is_last = if lanes > 1 {
        dealt.is_last
    } else {
        is_high(footprint_layout(config).get(Bits::constant(dealt.sideband), "is_last"))
    };
    check.same(said("the last item"), is_high(field("is_last")), is_last);
    if lanes > 1 {
        check.same(said("pixels whose turn it is"), field("pixel_mask").to_u64(), dealt.turn);
    }
    check.same(said("is_failed"), is_high(field("is_failed")), dealt.item.is_failed);
    check.same(said("is_valid"), field("is_valid").to_u64(), dealt.item.valid);
    for pixel in (0..lanes).filter(|pixel| dealt.reading >> pixel & 1 == 1) {
        let own = field("lanes").slice(pixel * lane.width(), lane.width());
        let axes = [("column_bit1", "odd_weight_x"), ("row_bit1", "odd_weight_y")];
        for ((bit1, weight), (first, second, of_second)) in axes.into_iter().zip(dealt.item.pixels[pixel]) {
            let used = if of_second == 0 { vec![first] } else { vec![first, second] };
            for texel in used {
                let got = lane.get(own, bit1).value().bit((texel % 2) as usize);
                check.same(said(&format!("{bit1} of {texel}, pixel {pixel}")), got, texel >> 1 & 1 == 1);
            }
            let one = 1 << 8;
            let odd = match (first % 2, second % 2) {
                (0, 1) => of_second,
                (1, 0) => one - of_second,
                (parity, _) => parity * one,
            };
            check.same(said(&format!("{weight}, pixel {pixel}")), lane.get(own, weight).to_u64(), odd.into());
        }
    }
}
