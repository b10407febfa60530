//! `address` against `tmu_model`: lines, sets, tiles asked for again, sets that are unsettled.

use crate::support::{any_bits, binding_of, configs, drive_binding, is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_model::Tile;
use tmu_model::datapath::address::{Level, line_of, texture_address};
use tmu_rtl::cache::prefetch::tag_stage::UNSETTLED_STEPS;
use tmu_rtl::datapath::address::{blocking, pipelined};
use tmu_rtl::datapath::bundles::{footprint_layout, sideband_layout};
use tmu_rtl::datapath::format::Kind;
use tmu_rtl::datapath::general::words::has_stored_texels;
use tmu_rtl::datapath::words::{BindingPlace, ScheduledTiles, tap_layout, word_select_layout};
use tmu_spec::tile::BANKS;
use tmu_spec::{Config, Format, LINE_BYTES};
use tmu_stages::{Check, Flow, Rig};

/// A look-up: line and byte, the line behind the texel's first one, the last line of a texel, number of the tap.
type LookUp = (u32, u64, bool, bool, u64);

#[test]
pub(crate) fn blocking() {
    const FOOTPRINTS: usize = 3000;
    let config = configs::blocking();
    let layout = footprint_layout(&config);
    let mut check = Check::new("address::blocking");
    let mut rig = Rig::new("address_blocking", blocking::Address::new(&config));
    let mut owed: Flow<Option<LookUp>> = Flow::default();
    let (mut before, mut sent, mut bound_for) = (None, 0, 0);
    let mut bound = binding_of(&mut check, &config);
    drive_binding(&rig.binding, &bound);
    let mut offered: Option<(Bits, Vec<Option<LookUp>>)> = None;
    while sent < FOOTPRINTS || !owed.is_empty() || offered.is_some() {
        let waits = sent % 100 == 0 && bound_for != sent;
        if waits && owed.is_empty() && offered.is_none() {
            bound_for = sent;
            // The end that is owed takes its second place before the next binding comes.
            for _ in 0..8 {
                rig.input.valid.drive(false);
                rig.output.ready.drive(true);
                rig.tick();
            }
            bound = binding_of(&mut check, &config);
            drive_binding(&rig.binding, &bound);
        }
        if offered.is_none() && sent < FOOTPRINTS && !waits && !check.one_in(5) {
            offered = Some(footprint(&mut check, &config, &bound));
            sent += 1;
        }
        let ready = !check.one_in(4);
        rig.output.ready.drive(ready);
        rig.input.valid.drive(offered.is_some());
        rig.input
            .data
            .drive(offered.as_ref().map_or_else(|| any_bits(&mut check, layout.width()), |(word, _)| *word));
        rig.settle();
        if ready && is_high(rig.output.valid.val()) {
            let expected = owed.next(&mut check);
            before = check_look_up(&mut check, &config, rig.output.data.val(), expected, before);
        }
        let taken = offered.is_some() && is_high(rig.input.ready.val());
        rig.tick();
        if taken && let Some((_, look_ups)) = offered.take() {
            look_ups.into_iter().for_each(|look_up| owed.put(look_up));
        }
    }
    owed.is_done(&mut check);
    check.at_least(FOOTPRINTS as u64);
}

/// Compares what leaves, and gives the line that was looked up last.
fn check_look_up(
    check: &mut Check,
    config: &Config,
    word: Bits,
    expected: Option<LookUp>,
    before: Option<u64>,
) -> Option<u64> {
    let sideband = sideband_layout(config);
    let field = |name: &str| sideband.get(word.low(sideband.width()), name).to_u64();
    let line = word.slice(sideband.width(), word.width() - sideband.width() - 1).to_u64();
    check.same(
        format_args!("end of a quad, for {expected:?}"),
        field("is_end"),
        u64::from(expected.is_none()),
    );
    let Some(look_up) = expected else { return before };
    let got = (line as u32, field("byte"), field("is_rest") == 1, field("completes") == 1, field("tap"));
    check.same("look-up", got, look_up);
    if let Some(before) = before {
        check.same("the line before again", is_high(word.high(1)), line == before);
    }
    Some(line)
}

/// A footprint with its look-ups, or the end of a quad.
fn footprint(
    check: &mut Check,
    config: &Config,
    bound: &crate::support::Bound,
) -> (Bits, Vec<Option<LookUp>>) {
    let (layout, texture) = (footprint_layout(config), &bound.texture);
    let level_number = check.rng.random_range(0..=texture.max_lod());
    let level = Level::new(texture, level_number);
    let mut texel = |size: u32| check.rng.random_range(0..1u32 << size);
    let [width_log2, height_log2] = level.sizes_log2();
    let [x0, x1] = [(); 2].map(|()| texel(width_log2));
    let [y0, y1] = [(); 2].map(|()| texel(height_log2));
    let is_end = check.one_in(4);
    let word = layout.pack(&[
        ("is_end", number(1, is_end)),
        ("valid_pixels", any_bits(check, 4)),
        ("pixel", any_bits(check, 2)),
        ("x0", number(layout.bits("x0").len(), x0)),
        ("x1", number(layout.bits("x1").len(), x1)),
        ("y0", number(layout.bits("y0").len(), y0)),
        ("y1", number(layout.bits("y1").len(), y1)),
        ("weight_x", any_bits(check, layout.bits("weight_x").len())),
        ("weight_y", any_bits(check, layout.bits("weight_y").len())),
        ("level_offset", number(layout.bits("level_offset").len(), texture.level_offset(level_number))),
        ("tiles_log2", number(4, texture.stored_width_log2(level_number) - 2)),
    ]);
    if is_end {
        return (word, vec![None]);
    }
    let taps = [(x0, y0), (x1, y0), (x0, y1), (x1, y1)];
    let taps = if bound.sampler.bilinear { &taps[..] } else { &taps[..1] };
    let bytes = texture.format().bytes_per_texel();
    let of_tap = |(tap, &(x, y)): (usize, &(u32, u32))| {
        let offset = level.texel_offset(level.column(x), level.row(y), bytes);
        let [first, last] = [offset, offset + bytes - 1].map(|at| line_of(texture_address(bound.base, at)));
        let byte = u64::from(offset % LINE_BYTES);
        let is_split = first != last;
        let one = Some((first, byte, false, !is_split, tap as u64));
        [one, is_split.then_some((last, byte, true, true, tap as u64))]
    };
    (word, taps.iter().enumerate().flat_map(of_tap).flatten().map(Some).collect())
}

#[test]
pub(crate) fn pipelined_pixel() {
    pipelined("address_pixel", &configs::pixel());
}

#[test]
pub(crate) fn pipelined_quad() {
    pipelined("address_quad", &configs::quad());
}

/// What an item asks the banks for, and what is said of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    pub(crate) is_valid: bool,
    pub(crate) invalidates: bool,
    pub(crate) tiles: [Option<Tile>; BANKS as usize],
    pub(crate) same_tile: u64,
    /// A bit for each step before whose set is asked for again, the nearest one on top.
    pub(crate) waits: u64,
}

fn pipelined(name: &str, config: &Config) {
    const ITEMS: usize = 4000;
    let shape = ScheduledTiles::of(config);
    let mut check = Check::new(name);
    let mut rig = Rig::new(name, pipelined::Address::new(config));
    let mut reference = Reference::new(config);
    let mut owed: Flow<Asked> = Flow::default();
    let mut item: Option<(Bits, Asked)> = None;
    let mut place = (0u32, Format::Rgba8);
    // Every step is owed, those with nothing in them too: what is marked follows from steps.
    let mut steps = 0;
    let mut depth = None;
    let (mut arrived, mut waits_first) = (true, 0);
    while steps < ITEMS {
        if item.is_none() {
            let is_binding = steps == 0 || check.one_in(30);
            if is_binding {
                place = (check.rng.random_range(0..1 << 20), check.pick(&kinds(config)));
            }
            item = Some(make_item(&mut check, config, &shape, is_binding, place));
        }
        rig.settle();
        let waits = rig.tiles.val().waits.to_u64();
        if arrived {
            waits_first = waits;
        }
        // Nothing moves while an item waits.
        let advance = !check.one_in(5) && waits == 0;
        arrived = advance;
        let Some((word, asked)) = &item else { unreachable!("one was made") };
        let is_there = asked.is_valid || asked.invalidates || word.low(2).to_u64() != 0;
        rig.advance.drive(advance);
        rig.in_valid.drive(is_there);
        rig.in_tiles.drive(*word);
        rig.settle();
        // The first item that is there says how many steps it takes.
        if advance && depth.is_none() && is_high(rig.tiles.valid.val()) {
            let ahead = reference.first_valid.unwrap_or_else(|| check.fail("an item leaves that never came"));
            depth = Some(steps - ahead);
            for _ in 0..ahead {
                owed.next(&mut check);
            }
        }
        if advance && depth.is_some() {
            let expected = owed.next(&mut check);
            check_tiles(&mut check, config, &rig, &expected);
            check.same(format_args!("clocks to wait, of {expected:?}"), waits_first, expected.waits);
        }
        rig.tick();
        if advance && let Some((_, asked)) = item.take() {
            owed.put(reference.step(asked, steps));
            steps += 1;
        }
    }
    check.at_least(ITEMS as u64);
}

/// The kinds of tiles of a configuration's formats, a format of each.
pub(crate) fn kinds(config: &Config) -> Vec<Format> {
    let mut formats: Vec<Format> = config.features().formats().collect();
    formats.dedup_by_key(|format| kind_fields(config, *format));
    formats
}

/// A kind's fields by name.
pub(crate) type KindFields = [(&'static str, u64); 4];

/// What the cache knows of the tiles of a format.
pub(crate) fn kind_fields(config: &Config, kind: Format) -> KindFields {
    let [is_rgb, is_indexed] = kind_bits(kind);
    let is_packed = |format: &Format| matches!(format, Format::Rgb565 | Format::Rgba5551 | Format::Rgba4444);
    let packing = config.features().formats().filter(is_packed).position(|format| format == kind);
    let packing = if has_stored_texels(config) { width_number(config, kind) } else { packing };
    [
        ("is_rgb", is_rgb.into()),
        ("is_indexed", is_indexed.into()),
        ("packing", packing.map_or(0, |before| before as u64 + 1)),
        ("is_block", kind.is_block().into()),
    ]
}

/// The number less one of texels of one or two bytes that stand in the cache as in memory: by their width.
fn width_number(config: &Config, kind: Format) -> Option<usize> {
    let width = |format: Format| Some(format.bytes_per_texel()).filter(|bytes| [1, 2].contains(bytes));
    let mut widths: Vec<u32> = vec![];
    for width in config.features().formats().filter_map(width) {
        if !widths.contains(&width) {
            widths.push(width);
        }
    }
    widths.iter().position(|own| Some(*own) == width(kind))
}

/// Whether a kind has colours of three bytes, and whether it is indices.
pub(crate) fn kind_bits(kind: Format) -> [bool; 2] {
    [matches!(kind, Format::Rgb8 | Format::I8Rgb8), matches!(kind, Format::I8Rgba8 | Format::I8Rgb8)]
}

fn make_item(
    check: &mut Check,
    config: &Config,
    shape: &ScheduledTiles<Width>,
    is_binding: bool,
    (line, kind): (u32, Format),
) -> (Bits, Asked) {
    let tiles_log2 = check.rng.random_range(0..=9u32);
    // Few places, so that sets and tiles meet.
    let spread = check.pick(&[2, 4, 40]);
    let mut near = |parity: u32| (check.rng.random_range(0..spread) * 2 + parity) % (1 << 9);
    let columns = [near(0), near(1)];
    let rows = [near(0), near(1)];
    let is_valid = !is_binding && !check.one_in(4);
    let needed = if is_valid { check.rng.random_range(0..16u64) } else { 0 };
    let level_lines = check.rng.random_range(0..1u32 << 10);
    let invalidates = is_binding && check.one_in(3);
    let [is_rgb, is_indexed] = kind_bits(kind);
    let binding = BindingPlace {
        line: number(shape_line(config), line),
        kind: Kind {
            is_rgb: number(1, is_rgb),
            is_indexed: number(1, is_indexed),
            packing: number(1, false),
            is_block: number(1, false),
        },
        invalidates: number(1, invalidates),
    };
    let tap = tap_layout(config);
    let word = shape.pack(&ScheduledTiles {
        is_binding: number(1, is_binding),
        column: columns.map(|column| number(shape.column[0].value_bits(), column)),
        row: rows.map(|row| number(shape.row[0].value_bits(), row)),
        needed: number(BANKS as usize, needed),
        level_lines: number(shape.level_lines.value_bits(), level_lines),
        tiles_log2: number(4, tiles_log2),
        place: BindingPlace::of(config).pack(&binding),
        word_selects: any_bits(check, word_select_layout(config).width()),
        // No entry of a colour table, which has no level.
        tap: tap_without_table(check, config, shape.tap.value_bits(), tap.bits("is_table")),
    });
    let tile = |bank: u32| {
        let (column, row) = (columns[bank as usize & 1], rows[bank as usize >> 1]);
        let first_line = line + level_lines + ((row << tiles_log2) + column) * kind.lines_per_tile();
        Tile { column, row, first_line, level_line: line + level_lines, kind }
    };
    let tiles = std::array::from_fn(|bank| (needed >> bank & 1 == 1).then(|| tile(bank as u32)));
    (word, Asked { is_valid, invalidates, tiles, ..Asked::default() })
}

fn shape_line(config: &Config) -> usize {
    BindingPlace::of(config).line.value_bits()
}

fn tap_without_table(check: &mut Check, _: &Config, width: usize, table: std::ops::Range<usize>) -> Bits {
    let mut value = any_bits(check, width).value();
    table.for_each(|bit| value.set_bit(bit, false));
    Bits::constant(value)
}

/// What follows from the items so far.
pub(crate) struct Reference {
    set_bits: u32,
    pub(crate) last: [Option<Tile>; BANKS as usize],
    before: VecDeque<[Option<u32>; BANKS as usize]>,
    first_valid: Option<usize>,
}

impl Reference {
    pub(crate) fn new(config: &Config) -> Reference {
        let set_bits = config.cache().bank_set_bits();
        Reference { set_bits, last: Default::default(), before: VecDeque::new(), first_valid: None }
    }

    pub(crate) fn step(&mut self, mut asked: Asked, step: usize) -> Asked {
        if asked.is_valid {
            self.first_valid.get_or_insert(step);
        }
        if asked.invalidates {
            self.last = Default::default();
        }
        let set = |tile: Tile| tile.set(self.set_bits);
        let key = |tile: Tile| (set(tile), tile.first_line, tile.kind);
        for (bank, tile) in asked.tiles.iter().enumerate() {
            let Some(tile) = *tile else { continue };
            let is_same = self.last[bank].replace(tile).is_some_and(|last| key(last) == key(tile));
            asked.same_tile |= u64::from(is_same) << bank;
            let meets =
                self.before.iter().enumerate().filter(|(_, sets)| sets[bank] == Some(set(tile)) && !is_same);
            asked.waits |=
                meets.map(|(before, _)| 1 << (UNSETTLED_STEPS - 1 - before)).fold(0, |all, bit| all | bit);
        }
        self.before.push_front(asked.tiles.map(|tile| tile.map(set)));
        self.before.truncate(UNSETTLED_STEPS);
        asked
    }
}

fn check_tiles(check: &mut Check, config: &Config, rig: &Rig<pipelined::Address>, expected: &Asked) {
    let tiles = rig.tiles.val();
    let said = |what: &str| format!("{what} of {expected:?}");
    check.same(said("valid"), is_high(tiles.valid), expected.is_valid);
    check.same(said("invalidates"), is_high(tiles.invalidates), expected.invalidates);
    if !expected.is_valid {
        return;
    }
    let needed = (0..).zip(expected.tiles).map(|(bank, tile)| u64::from(tile.is_some()) << bank).sum::<u64>();
    check.same(said("banks"), tiles.needed.to_u64(), needed);
    check.same(
        said("banks with the tile of the time before"),
        tiles.same_tile.to_u64() & needed,
        expected.same_tile,
    );
    for (bank, tile) in expected.tiles.iter().enumerate() {
        let Some(tile) = tile else { continue };
        let mask = (1u64 << tiles.line[bank].width()) - 1;
        check.same(
            said(&format!("line in bank {bank}")),
            tiles.line[bank].to_u64(),
            u64::from(tile.first_line) & mask,
        );
        let set = tile.set(config.cache().bank_set_bits());
        check.same(said(&format!("set in bank {bank}")), tiles.set[bank].to_u64(), set.into());
    }
}
