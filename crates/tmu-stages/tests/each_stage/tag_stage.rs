//! `tag_stage` against `tmu_model::cache::prefetch::tag_stage`: which tiles miss, where they go, who looked into their sets last.

use crate::address::{Asked, KindFields, Reference, kind_fields, kinds};
use crate::support::{any_bits, configs, is_high, number};
use rand::Rng;
use std::collections::HashMap;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::{Lookup, Tile, TileCacheModel};
use tmu_rtl::cache::prefetch::tag_stage::{TagStage, UNSETTLED_STEPS};
use tmu_rtl::cache::prefetch::words::{
    AGE_BITS, LAST_READERS, LINES, PLACES, miss_layout, queue_layout, word_address_bits,
};
use tmu_rtl::datapath::format::Kind;
use tmu_rtl::datapath::general::words::WordSelect;
use tmu_rtl::datapath::words::{
    TileRequest, bank_columns, kind_word, lanes, tap_bits, word_select_bits, word_select_layout,
};
use tmu_spec::tile::BANKS;
use tmu_spec::{Config, Format};
use tmu_stages::{Check, Flow, Rig};

#[test]
pub(crate) fn pixel() {
    tag_stage("tag_stage_pixel", &configs::pixel());
}

#[test]
pub(crate) fn quad() {
    tag_stage("tag_stage_quad", &configs::quad());
}

#[test]
pub(crate) fn four_ways() {
    tag_stage("tag_stage_four_ways", &configs::pixel_ways(4, "round_robin"));
}

#[test]
pub(crate) fn one_way() {
    tag_stage("tag_stage_one_way", &configs::pixel_ways(1, "round_robin"));
}

#[test]
pub(crate) fn half_used_less() {
    tag_stage("tag_stage_half", &configs::pixel_ways(2, "plru_random"));
}

#[test]
pub(crate) fn blocks() {
    tag_stage("tag_stage_blocks", &configs::multi_lite());
}

/// A tile that is missing: bank, first line, place, the last item that looked into its set.
type Missing = (usize, u64, u64, u64);

/// An item that misses.
#[derive(Debug)]
struct Miss {
    number: u64,
    kind: KindFields,
    tiles: Vec<Missing>,
}

/// An item that leaves: tiles asked for up to it, the places of its tiles, what goes along.
#[derive(Debug)]
struct Item {
    fills: u64,
    places: [Option<u64>; BANKS as usize],
    is_indexed: bool,
    word_selects: Value,
    tap: Value,
}

/// A step on its way to the tags.
struct Step {
    asked: Asked,
    kind: Format,
    word_selects: Value,
    tap: Value,
    /// Clocks that it has stood here.
    waited: u32,
}

/// What follows from the items so far.
struct Tags {
    config: Config,
    set_bits: u32,
    model: TileCacheModel,
    places: [u64; BANKS as usize],
    readers: HashMap<(usize, u32), u64>,
    reader_at_clear: u64,
    number: u64,
    fills: u64,
    events: [u64; 4],
}

impl Tags {
    fn take(&mut self, step: &Step) -> (Option<Miss>, Item) {
        let mut missing = vec![];
        let mut places = [None; BANKS as usize];
        for (bank, tile) in step.asked.tiles.iter().enumerate() {
            let Some(tile) = *tile else { continue };
            let set = tile.set(self.set_bits);
            self.events[0] += 1;
            if step.asked.same_tile >> bank & 1 == 1 {
                self.events[1] += 1;
            } else {
                let lookup = self.model.lookup(tile, 0);
                // Where the cache was emptied from outside a repeat may come unmarked, and is looked up.
                if let Lookup::Hit { way } | Lookup::Miss { way, .. } = lookup {
                    self.places[bank] = u64::from(way) << self.set_bits | u64::from(set);
                }
                if matches!(lookup, Lookup::Miss { .. }) {
                    let reader = self.readers.get(&(bank, set)).copied().unwrap_or(self.reader_at_clear);
                    missing.push((bank, tile.first_line.into(), self.places[bank], reader));
                }
            }
            self.readers.insert((bank, set), self.number % (1 << AGE_BITS));
            places[bank] = Some(self.places[bank]);
        }
        self.events[3] += missing.len() as u64;
        self.fills += missing.len() as u64;
        let kind = kind_fields(&self.config, step.kind);
        let item = Item {
            fills: self.fills,
            places,
            is_indexed: step.kind.has_color_table(),
            word_selects: step.word_selects,
            tap: step.tap,
        };
        let miss = (!missing.is_empty()).then_some(Miss { number: self.number, kind, tiles: missing });
        self.number += 1;
        (miss, item)
    }

    fn clear(&mut self) {
        self.model.invalidate();
        self.readers.clear();
        self.reader_at_clear = self.number % (1 << AGE_BITS);
    }
}

fn tag_stage(name: &str, config: &Config) {
    const CLOCKS: usize = 6000;
    let mut check = Check::new(name);
    let mut rig = Rig::new(name, TagStage::new(config));
    let mut reference = Reference::new(config);
    let mut tags = Tags {
        config: config.clone(),
        set_bits: config.cache().bank_set_bits(),
        model: TileCacheModel::new(config.cache()),
        places: Default::default(),
        readers: HashMap::new(),
        reader_at_clear: 0,
        number: 0,
        fills: 0,
        events: [0; 4],
    };
    let (mut misses, mut items) = (Flow::<Miss>::default(), Flow::<Item>::default());
    let mut step: Option<Step> = None;
    let mut counted = [0; 4];
    for clock in 0..CLOCKS {
        let is_over = clock > CLOCKS - 20;
        if step.is_none() {
            let mut made = make_step(&mut check, config);
            made.asked = reference.step(made.asked, 0);
            step = Some(made);
        }
        let Some(now) = &step else { unreachable!("one was made") };
        drive(&rig, config, now, is_over);
        rig.has_room.drive(!check.one_in(10));
        let empties = check.one_in(400);
        rig.invalidate.drive(empties);
        rig.settle();
        if is_high(rig.misses.val()) {
            let miss = misses.next(&mut check);
            check_miss(&mut check, config, rig.miss.val(), &miss);
        }
        if is_high(rig.out_valid.val()) {
            let item = items.next(&mut check);
            check_item(&mut check, config, rig.queue_entry.val(), &item);
        }
        if let Some(events) = rig.events.as_ref() {
            (0..4).for_each(|event| counted[event] += events.val().slice(3 * event, 3).to_u64());
        }
        let advance = is_high(rig.advance.val()) && !is_over;
        rig.tick();
        if let Some(now) = step.take_if(|_| advance) {
            if now.asked.is_valid {
                let (miss, item) = tags.take(&now);
                miss.into_iter().for_each(|miss| misses.put(miss));
                items.put(item);
            }
            if now.asked.invalidates {
                tags.clear();
            }
        }
        if let Some(step) = step.as_mut() {
            step.waited += 1;
        }
        if empties {
            tags.clear();
            reference.last = Default::default();
        }
    }
    misses.is_done(&mut check);
    items.is_done(&mut check);
    tags.events[2] = tags.events[0] - tags.events[1] - tags.events[3];
    if rig.events.is_some() {
        check.same("look-ups, repeats, hits, misses", counted, tags.events);
    }
    check.at_least(2000);
}

fn make_step(check: &mut Check, config: &Config) -> Step {
    let kind = check.pick(&kinds(config));
    let invalidates = check.one_in(200);
    let is_valid = !invalidates && !check.one_in(5);
    let spread = check.pick(&[1, 2, 6]);
    let bank_sets = config.cache().bank_sets();
    let base = check.pick(&[0, 0, 1 << 16]);
    let tile = |check: &mut Check, bank: u32| {
        // Few sets, more tiles in each than there are ways.
        let column =
            2 * (check.rng.random_range(0..spread) + bank_sets * check.rng.random_range(0..2)) + (bank & 1);
        let (column, row) = (column % 512, bank >> 1);
        Tile {
            column,
            row,
            first_line: base + ((row << 9) + column) * kind.lines_per_tile(),
            level_line: base,
            kind,
        }
    };
    let tiles = std::array::from_fn(|bank| (is_valid && check.one_in(2)).then(|| tile(check, bank as u32)));
    let asked = Asked { is_valid, invalidates, tiles, ..Asked::default() };
    let word_selects = any_bits(check, word_select_bits(config)).value();
    Step { asked, kind, word_selects, tap: any_bits(check, tap_bits(config)).value(), waited: 0 }
}

fn drive(rig: &Rig<TagStage>, config: &Config, step: &Step, is_over: bool) {
    let asked = &step.asked;
    let shape = TileRequest::of(config);
    let of_banks = |of: &dyn Fn(Tile) -> u32, width: usize| -> Vec<Bits> {
        asked.tiles.iter().map(|tile| number(width, tile.map_or(0, of))).collect()
    };
    let needed = (0..).zip(&asked.tiles).map(|(bank, tile)| u64::from(tile.is_some()) << bank).sum::<u64>();
    let field = |name: &str| {
        kind_fields(config, step.kind)
            .into_iter()
            .find(|(field, _)| *field == name)
            .map_or(0, |(_, value)| value)
    };
    let of = |width: Width, name: &str| number(width.value_bits(), field(name));
    let kind = Kind::of(config);
    let kind = Kind {
        is_rgb: of(kind.is_rgb, "is_rgb"),
        is_indexed: of(kind.is_indexed, "is_indexed"),
        packing: of(kind.packing, "packing"),
        is_block: of(kind.is_block, "is_block"),
    };
    let set_bits = config.cache().bank_set_bits();
    rig.tiles.drive(TileRequest {
        valid: number(1, asked.is_valid && !is_over),
        invalidates: number(1, asked.invalidates && !is_over),
        needed: number(BANKS as usize, needed),
        same_tile: number(BANKS as usize, asked.same_tile),
        remembered: vec![number(1, 0u32); BANKS as usize],
        waits: number(UNSETTLED_STEPS, asked.waits.checked_shr(step.waited).unwrap_or(0)),
        line: of_banks(&|tile| tile.first_line, shape.line[0].value_bits()),
        set: of_banks(&|tile| tile.set(set_bits), shape.set[0].value_bits()),
        kind: kind_word(config, &kind),
        word_selects: Bits::constant(step.word_selects),
        tap: Bits::constant(step.tap),
    });
}

fn check_miss(check: &mut Check, config: &Config, word: Bits, miss: &Miss) {
    let layout = miss_layout(config);
    let field = |name: &str| layout.get(word, name).to_u64();
    let banks = miss.tiles.iter().map(|(bank, ..)| 1u64 << bank).sum::<u64>();
    check.same(format_args!("banks of {miss:?}"), field("misses"), banks);
    check.same(format_args!("kind of {miss:?}"), miss.kind.map(|(name, _)| (name, field(name))), miss.kind);
    let sequence = miss.number % (1 << layout.bits("sequence").len());
    check.same(format_args!("number of {miss:?}"), field("sequence"), sequence);
    for &(bank, line, place, reader) in &miss.tiles {
        let got = (bank, field(LINES[bank]), field(PLACES[bank]), field(LAST_READERS[bank]));
        check.same(
            format_args!("bank, line, place and last reader of item {}", miss.number),
            got,
            (bank, line, place, reader),
        );
    }
}

fn check_item(check: &mut Check, config: &Config, word: Bits, item: &Item) {
    let layout = queue_layout(config);
    let fills = layout.bits("fills").len();
    check.same(
        "tiles asked for up to an item",
        layout.get(word, "fills").to_u64(),
        item.fills % (1 << fills),
    );
    check.same("what goes along with an item", layout.get(word, "tap").value(), item.tap);
    let (columns, bits) = (bank_columns(config), word_address_bits(config));
    for bank in 0..columns * columns {
        let (parities, upper) = selected(config, item, bank);
        let Some(place) = item.places[parities as usize] else { continue };
        let mut expected = parities << (config.cache().way_bits() + config.cache().bank_set_bits()) | place;
        if lanes(config) == 1 {
            expected = expected << 1 | u64::from(upper);
        }
        let got = layout.get(word, "words").slice(bank * bits, bits).to_u64();
        check.same(format_args!("word of bank {bank} of {item:?}"), got, expected);
    }
}

/// The bank of tags of the tile that a bank of texels reads, and whether it reads the upper rows.
fn selected(config: &Config, item: &Item, bank: usize) -> (u64, bool) {
    let columns = bank_columns(config);
    let (first, second) = (bank % columns, bank / columns);
    if config.features().general().is_some() {
        let select = WordSelect::shape().unpack(Bits::constant(item.word_selects));
        return (select.banks[bank].to_u64(), is_high(select.upper_row[second]));
    }
    let select = word_select_layout(config);
    let selects =
        |name: &str, bit: usize| select.get(Bits::constant(item.word_selects), name).value().bit(bit);
    let [column, row] = if item.is_indexed { [second, first] } else { [first, second] };
    let parities = u64::from(selects("row_bit2", row)) << 1 | u64::from(selects("column_bit2", column));
    (parities, lanes(config) == 1 && selects("row_bit1", second) && !item.is_indexed)
}
