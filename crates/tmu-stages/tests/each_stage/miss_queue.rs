//! `miss_queue`: the tiles of items, lowest bank first, as reads that cross no boundary of 4 KiB.

use crate::address::{kind_fields, kinds};
use crate::support::{any_bits, configs, is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_rtl::cache::prefetch::miss_queue::MissQueue;
use tmu_rtl::cache::prefetch::words::{LAST_READERS, LINES, MARGIN, PLACES, fill_layout, miss_layout};
use tmu_rtl::datapath::bundles::Layout;
use tmu_spec::tile::BANKS;
use tmu_spec::{Config, Format, LINE_BYTES};
use tmu_stages::{Check, Flow, Rig};

/// Lines of 4 KiB.
const PAGE_LINES: u64 = 4096 / LINE_BYTES as u64;

/// The reads of a tile: first lines and numbers of lines.
type Reads = Vec<(u64, u64)>;

/// As [`Reads`].
pub(crate) fn reads_of(line: u64, kind: Format) -> Reads {
    let lines = u64::from(kind.lines_per_tile());
    let here = lines.min(PAGE_LINES - line % PAGE_LINES);
    let parts = [(line, here), (line + here, lines - here)];
    parts.into_iter().filter(|(_, lines)| *lines > 0).collect()
}

#[test]
pub(crate) fn pixel() {
    miss_queue("miss_queue_pixel", &configs::pixel());
}

#[test]
pub(crate) fn quad() {
    miss_queue("miss_queue_quad", &configs::quad());
}

#[test]
pub(crate) fn blocks() {
    miss_queue("miss_queue_blocks", &configs::multi_lite());
}

#[test]
pub(crate) fn stored() {
    miss_queue("miss_queue_stored", &configs::multi_lite_stored());
}

/// A value of each field that the layout has.
fn pack(layout: &Layout, mut value: impl FnMut(&str, usize) -> u64, names: &[&'static str]) -> Bits {
    let field = |name: &&'static str| {
        let width = layout.bits(name).len().max(1);
        (*name, number(width, value(name, width)))
    };
    layout.pack(&names.iter().map(field).collect::<Vec<_>>())
}

fn miss_queue(name: &str, config: &Config) {
    const ITEMS: usize = 1500;
    let fill = fill_layout(config);
    let mut check = Check::new(name);
    let mut rig = Rig::new(name, MissQueue::new(config));
    let (mut asks, mut reads) = (Flow::<Value>::default(), Flow::<(u64, u64)>::default());
    let (mut splits, mut expected_splits) = (0, 0);
    let mut on_the_way = MARGIN;
    let mut items = 0;
    let mut idle = 0;
    while items < ITEMS || !asks.is_empty() || !reads.is_empty() {
        // As much comes as may be on its way when there is no room any more.
        rig.settle();
        on_the_way = if is_high(rig.has_room.val()) { 0 } else { on_the_way + 1 };
        let comes = items < ITEMS && on_the_way < MARGIN - 2 && !check.one_in(8);
        rig.misses.drive(comes);
        if comes {
            items += 1;
            let (word, tiles) = item(&mut check, config);
            rig.miss.drive(word);
            for (tile, parts) in tiles {
                asks.put(tile);
                expected_splits += parts.len() - 1;
                parts.into_iter().for_each(|part| reads.put(part));
            }
        }
        rig.may_fetch.drive(!check.one_in(6));
        let ready = !check.one_in(3);
        rig.read.ready.drive(ready);
        rig.settle();
        if is_high(rig.asks.val()) {
            let owed = asks.next(&mut check);
            check.same("tile that is asked for", rig.fill.val().value(), owed);
        }
        splits += usize::from(is_high(rig.splits.val()));
        if ready && is_high(rig.read.valid.val()) {
            let word = rig.read.data.val();
            let line_bits = fill.bits("line").len();
            let got = (word.low(line_bits).to_u64(), word.high(word.width() - line_bits).to_u64() + 1);
            let owed = reads.next(&mut check);
            check.same("first line of a read, and how many", got, owed);
        }
        rig.tick();
        idle += 1;
        check.holds(idle < 40 * ITEMS, "all tiles are asked for");
    }
    (0..6).for_each(|_| {
        rig.settle();
        splits += usize::from(is_high(rig.splits.val()));
        rig.tick();
    });
    check.same("reads that go on behind a boundary", splits, expected_splits);
    check.at_least(ITEMS as u64);
}

/// An item that misses, and what its tiles are asked for with: lowest bank first, each with its reads.
fn item(check: &mut Check, config: &Config) -> (Bits, Vec<(Value, Reads)>) {
    let (miss, fill) = (miss_layout(config), fill_layout(config));
    let kind = check.pick(&kinds(config));
    let fields = kind_fields(config, kind);
    let names: Vec<&'static str> = ["misses", "sequence"]
        .into_iter()
        .chain(fields.map(|(name, _)| name))
        .chain(LINES)
        .chain(PLACES)
        .chain(LAST_READERS)
        .collect();
    let banks = check.rng.random_range(1..1u64 << BANKS);
    let lines: Vec<u64> = (0..BANKS).map(|_| any_line(check)).collect();
    let value = |name: &str, width: usize| match name {
        "misses" => banks,
        _ => {
            let line = LINES.iter().position(|line| *line == name).map(|bank| lines[bank]);
            let of_kind = fields.iter().find(|(field, _)| *field == name).map(|(_, value)| *value);
            line.or(of_kind).unwrap_or_else(|| any_bits(check, width).to_u64())
        }
    };
    let word = pack(&miss, value, &names);
    let of = |name: &str| miss.get(word, name);
    let tile = |bank: usize| {
        let own = [
            ("bank", number(2, bank as u64)),
            ("place", of(PLACES[bank])),
            ("line", of(LINES[bank])),
            ("sequence", of("sequence")),
            ("last_reader", of(LAST_READERS[bank])),
        ];
        let owed =
            fill.pack(&own.into_iter().chain(fields.map(|(name, _)| (name, of(name)))).collect::<Vec<_>>());
        (owed.value(), reads_of(lines[bank], kind))
    };
    let tiles = (0..BANKS as usize).filter(|bank| banks >> bank & 1 == 1).map(tile).collect();
    (word, tiles)
}

/// A line that is often near the end of 4 KiB.
fn any_line(check: &mut Check) -> u64 {
    let page = check.rng.random_range(1..1u64 << 18) * PAGE_LINES;
    if check.one_in(2) {
        page - check.rng.random_range(1..6)
    } else {
        page + check.rng.random_range(0..PAGE_LINES - 4)
    }
}
