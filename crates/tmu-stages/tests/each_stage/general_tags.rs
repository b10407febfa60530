//! `tag_stage` of four lanes: what each bank remembers of its last tiles must be there; the rest as for one lane.
//! Behind `address`, rows whose tiles take turns, in one set or several, must not wait for each other. Of a fully associative cache
//! nothing is remembered, and nothing waits.

use crate::general_support::lanes_with;
use crate::support::{any_bits, is_high, number};
use rand::Rng;
use std::collections::{HashMap, VecDeque};
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_rtl::cache::prefetch::tag_stage::{REMEMBERED, TagStage, UNSETTLED_STEPS};
use tmu_rtl::cache::prefetch::words::{AGE_BITS, LAST_READERS, LINES, PLACES, miss_layout, queue_layout};
use tmu_rtl::datapath::general::address::Address;
use tmu_rtl::datapath::general::coordinate::LevelPlace;
use tmu_rtl::datapath::general::group::Group;
use tmu_rtl::datapath::words::{TileRequest, tap_bits, word_select_bits};
use tmu_spec::Config;
use tmu_spec::tile::BANKS;
use tmu_stages::{Check, Flow, Rig};

const BANK_COUNT: usize = BANKS as usize;

/// Four lanes in caches of two, four and one ways, with volumes and without.
pub(crate) fn configs() -> Vec<(&'static str, Config)> {
    let volumes = r#"kinds = ["2d", "3d", "cube"]"#;
    let of = |name, texture: &str, cache: &str| {
        (name, lanes_with(name, &format!("[texture]\n{texture}\n[cache]\n{cache}")))
    };
    vec![
        of("two_ways", "", ""),
        of("volumes_in_four_ways", volumes, "ways = 4"),
        of("one_way", "", "ways = 1\nsets = 256"),
        of("no_levels", "trilinear = false", ""),
        of("anywhere", volumes, "associative_lines = 16"),
    ]
}

/// What tells tiles of a bank apart: set, line, kind.
pub(crate) type Key = (u64, u64, u64);

/// What is said of an item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) same_tile: u64,
    /// By bank, which of its last tiles is this one, or which is to stay.
    pub(crate) remembered: [u64; BANK_COUNT],
    /// A bit for each step before whose set is asked for again, the nearest one on top.
    pub(crate) waits: u64,
}

/// What each bank remembers: its last tiles, the latest first, unless they may be gone.
pub(crate) struct Memory {
    ways: u32,
    has_sets: bool,
    last: [VecDeque<Option<Key>>; BANK_COUNT],
    before: VecDeque<[Option<u64>; BANK_COUNT]>,
}

impl Memory {
    pub(crate) fn new(config: &Config) -> Memory {
        Memory {
            ways: config.cache().ways(),
            has_sets: !config.cache().is_associative(),
            last: Default::default(),
            before: VecDeque::new(),
        }
    }

    pub(crate) fn forget(&mut self) {
        self.last = Default::default();
    }

    /// What is said of an item that asks for these tiles.
    pub(crate) fn step(&mut self, asks: &[Option<Key>; BANK_COUNT]) -> Marks {
        let mut marks = Marks::default();
        if !self.has_sets {
            return marks;
        }
        for (bank, ask) in asks.iter().enumerate() {
            let Some(key) = *ask else { continue };
            let last = &mut self.last[bank];
            let same: u64 = (0..).zip(&*last).map(|(at, last)| u64::from(*last == Some(key)) << at).sum();
            if same == 0 {
                // One tile of the set stays, if there is a way for it.
                let mut others =
                    last.iter_mut().enumerate().filter(|(_, last)| last.is_some_and(|last| last.0 == key.0));
                if self.ways > 1
                    && let Some((at, _)) = others.next()
                {
                    marks.remembered[bank] = 1 << at;
                }
                others.for_each(|(_, other)| *other = None);
            } else {
                marks.remembered[bank] = same;
            }
            last.push_front(Some(key));
            last.truncate(REMEMBERED);
            if same != 0 {
                marks.same_tile |= 1 << bank;
                continue;
            }
            let meets = self.before.iter().enumerate().filter(|(_, sets)| sets[bank] == Some(key.0));
            marks.waits |=
                meets.map(|(before, _)| 1 << (UNSETTLED_STEPS - 1 - before)).fold(0, |all, bit| all | bit);
        }
        self.before.push_front(asks.map(|ask| ask.map(|key| key.0)));
        self.before.truncate(UNSETTLED_STEPS);
        marks
    }
}

/// A step on its way to the tags.
#[derive(Clone)]
struct Step {
    is_valid: bool,
    invalidates: bool,
    asks: [Option<Key>; BANK_COUNT],
    marks: Marks,
    word_selects: Value,
    tap: Value,
    /// Clocks that it has stood here.
    waited: u32,
    /// The cache was emptied meanwhile: what is said of it is of the time before.
    is_stale: bool,
}

/// An item that misses: its number, its tiles' kind; of each bank, line, place and last reader.
type Miss = (u64, Vec<(usize, u64, u64, u64)>);

/// An item that leaves: tiles asked for up to it, places of its tiles, what goes along.
#[derive(Debug)]
struct Item {
    fills: u64,
    places: [Option<u64>; BANK_COUNT],
    word_selects: Value,
    tap: Value,
}

/// A set: what its ways hold, and the way after the one filled last.
type Ways = (Vec<Option<Key>>, usize);

/// What the tags must hold.
struct Tags {
    ways: usize,
    set_bits: u32,
    is_associative: bool,
    sets: HashMap<(usize, u64), Ways>,
    /// The ways of each bank's last tiles, the latest first.
    noted: [VecDeque<usize>; BANK_COUNT],
    readers: HashMap<(usize, u64), u64>,
    reader_at_clear: u64,
    number: u64,
    fills: u64,
    events: [u64; 4],
    /// How often a tile that was to stay would have gone.
    stayed: u64,
}

impl Tags {
    fn new(config: &Config) -> Tags {
        Tags {
            ways: config.cache().ways() as usize,
            set_bits: config.cache().bank_set_bits(),
            is_associative: config.cache().is_associative(),
            sets: HashMap::new(),
            noted: Default::default(),
            readers: HashMap::new(),
            reader_at_clear: 0,
            number: 0,
            fills: 0,
            events: [0; 4],
            stayed: 0,
        }
    }

    fn take(&mut self, check: &mut Check, step: &Step) -> (Option<Miss>, Item) {
        let (mut missing, mut places) = (vec![], [None; BANK_COUNT]);
        for (bank, ask) in step.asks.iter().enumerate() {
            let Some(key) = *ask else { continue };
            let ways = self.ways;
            let (held, after) = self.sets.entry((bank, key.0)).or_insert_with(|| (vec![None; ways], 0));
            let hit = held.iter().position(|held| *held == Some(key));
            let is_same = step.marks.same_tile >> bank & 1 == 1;
            let marked = step.marks.remembered[bank];
            let noted = (marked != 0).then(|| self.noted[bank][marked.trailing_zeros() as usize]);
            self.events[0] += 1;
            self.events[1] += u64::from(is_same);
            let way = if is_same {
                check.holds(
                    step.is_stale || hit == noted,
                    "what is remembered is there, in the way that was noted",
                );
                noted.expect("one is remembered")
            } else if let Some(way) = hit {
                way
            } else {
                let mut way = held.iter().position(Option::is_none).unwrap_or(*after);
                if noted == Some(way) {
                    way ^= 1;
                    self.stayed += 1;
                }
                held[way] = Some(key);
                *after = (way + 1) % ways;
                let reader = self.readers.get(&(bank, self.read(key, way)));
                let reader = reader.copied().unwrap_or(self.reader_at_clear);
                missing.push((bank, key.1, (way as u64) << self.set_bits | key.0, reader));
                way
            };
            self.noted[bank].push_front(way);
            self.noted[bank].truncate(REMEMBERED);
            self.readers.insert((bank, self.read(key, way)), self.number % (1 << AGE_BITS));
            places[bank] = Some((way as u64) << self.set_bits | key.0);
        }
        self.events[3] += missing.len() as u64;
        self.fills += missing.len() as u64;
        let item = Item { fills: self.fills, places, word_selects: step.word_selects, tap: step.tap };
        let miss = (!missing.is_empty()).then_some((self.number, missing));
        self.number += 1;
        (miss, item)
    }

    /// What the last reader is kept of: the set, or the place.
    fn read(&self, key: Key, way: usize) -> u64 {
        if self.is_associative { way as u64 } else { key.0 }
    }

    fn clear(&mut self) {
        if self.is_associative {
            // The lowest place is the next one.
            self.sets.clear();
        }
        self.sets.values_mut().for_each(|(held, _)| held.fill(None));
        self.readers.clear();
        self.reader_at_clear = self.number % (1 << AGE_BITS);
    }
}

#[test]
pub(crate) fn general_tags() {
    for (name, config) in configs() {
        tags(&format!("general_tags_{name}"), &config);
    }
}

fn tags(name: &str, config: &Config) {
    const CLOCKS: usize = 6000;
    let mut check = Check::new(name);
    let mut rig = Rig::new("general_tags", TagStage::new(config));
    let (mut memory, mut tags) = (Memory::new(config), Tags::new(config));
    let (mut misses, mut items) = (Flow::<Miss>::default(), Flow::<Item>::default());
    let mut step: Option<Step> = None;
    let mut counted = [0; 4];
    for clock in 0..CLOCKS {
        let is_over = clock > CLOCKS - 20;
        let now = step.get_or_insert_with(|| make_step(&mut check, config, &mut memory)).clone();
        drive(&rig, config, &now, is_over);
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
        if advance {
            step = None;
            if now.is_valid {
                let (miss, item) = tags.take(&mut check, &now);
                miss.into_iter().for_each(|miss| misses.put(miss));
                items.put(item);
            }
            if now.invalidates {
                tags.clear();
            }
        }
        if let Some(step) = step.as_mut() {
            step.waited += 1;
            step.is_stale |= empties;
        }
        if empties {
            tags.clear();
            memory.forget();
        }
    }
    misses.is_done(&mut check);
    items.is_done(&mut check);
    tags.events[2] = tags.events[0] - tags.events[1] - tags.events[3];
    if rig.events.is_some() {
        check.same("look-ups, repeats, hits, misses", counted, tags.events);
    }
    let may_stay = config.cache().ways() > 1 && !config.cache().is_associative();
    check.holds(tags.stayed > 20 || !may_stay, "tiles that stay are met");
    check.at_least(1500);
}

fn make_step(check: &mut Check, config: &Config, memory: &mut Memory) -> Step {
    let invalidates = check.one_in(200);
    let is_valid = !invalidates && !check.one_in(5);
    let (sets, lines, kind) = if config.cache().is_associative() {
        (1, check.pick(&[1, 3, 12, 40]), check.rng.random_range(0..2))
    } else {
        (check.pick(&[1, 2, 6]), check.pick(&[1, 2, 3, 5, 9]), 0)
    };
    let ask = |check: &mut Check| (check.rng.random_range(0..sets), check.rng.random_range(0..lines), kind);
    let asks = std::array::from_fn(|_| (is_valid && check.one_in(2)).then(|| ask(check)));
    if invalidates {
        memory.forget();
    }
    Step {
        is_valid,
        invalidates,
        asks,
        marks: memory.step(&asks),
        word_selects: any_bits(check, word_select_bits(config)).value(),
        tap: any_bits(check, tap_bits(config)).value(),
        waited: 0,
        is_stale: false,
    }
}

fn drive(rig: &Rig<TagStage>, config: &Config, step: &Step, is_over: bool) {
    let shape = TileRequest::of(config);
    let of_banks = |of: &dyn Fn(Key) -> u64, width: usize| -> Vec<Bits> {
        step.asks.iter().map(|ask| number(width, ask.map_or(0, of))).collect()
    };
    let needed = (0..).zip(&step.asks).map(|(bank, ask)| u64::from(ask.is_some()) << bank).sum::<u64>();
    rig.tiles.drive(TileRequest {
        valid: number(1, step.is_valid && !is_over),
        invalidates: number(1, step.invalidates && !is_over),
        needed: number(BANK_COUNT, needed),
        same_tile: number(BANK_COUNT, step.marks.same_tile),
        remembered: (step.marks.remembered.iter())
            .map(|marked| number(REMEMBERED, *marked).low(shape.remembered[0].value_bits()))
            .collect(),
        waits: number(1, step.marks.waits.checked_shr(step.waited).unwrap_or(0) != 0),
        line: of_banks(&|(_, line, _)| line, shape.line[0].value_bits()),
        set: of_banks(&|(set, ..)| set, shape.set[0].value_bits()),
        kind: number(shape.kind.value_bits(), step.asks.iter().flatten().next().map_or(0, |key| key.2)),
        word_selects: Bits::constant(step.word_selects),
        tap: Bits::constant(step.tap),
    });
}

fn check_miss(check: &mut Check, config: &Config, word: Bits, (of, tiles): &Miss) {
    let layout = miss_layout(config);
    let field = |name: &str| layout.get(word, name).to_u64();
    let banks = tiles.iter().map(|(bank, ..)| 1u64 << bank).sum::<u64>();
    check.same(format_args!("banks of item {of}: {tiles:?}"), field("misses"), banks);
    check.same(format_args!("number of {of}"), field("sequence"), of % (1 << layout.bits("sequence").len()));
    for &(bank, line, place, reader) in tiles {
        let got = (bank, field(LINES[bank]), field(PLACES[bank]), field(LAST_READERS[bank]));
        check.same(
            format_args!("bank, line, place, last reader of item {of}"),
            got,
            (bank, line, place, reader),
        );
    }
}

fn check_item(check: &mut Check, config: &Config, word: Bits, item: &Item) {
    let layout = queue_layout(config);
    let field = |name: &str| layout.get(word, name);
    let fills = item.fills % (1 << layout.bits("fills").len());
    check.same("tiles asked for up to an item", field("fills").to_u64(), fills);
    check.same("what goes along with an item", field("tap").value(), item.tap);
    check.same("words to select", field("word_selects").value(), item.word_selects);
    let bits = layout.bits("places").len() / BANK_COUNT;
    for (bank, place) in item.places.iter().enumerate() {
        let got = field("places").slice(bank * bits, bits).to_u64();
        check.same(
            format_args!("place in bank {bank} of {item:?}"),
            Some(got).filter(|_| place.is_some()),
            *place,
        );
    }
}

/// `address` with the tags behind it.
#[derive(LogicBlock)]
struct Tiles {
    clocks: Clocks,
    in_valid: Net<In>,
    group: Net<In>,
    advance: Net<Out>,
    address: Address,
    tag_stage: TagStage,
}

#[kernel]
impl Tiles {
    fn logic(&self) {
        let (address, tag_stage) = (&self.address, &self.tag_stage);
        address.clocks.follow(&self.clocks);
        tag_stage.clocks.follow(&self.clocks);
        address.in_valid.next = self.in_valid.val();
        address.item.next = self.group.val();
        address.advance.next = tag_stage.advance.val();
        address.invalidating.next = tag_stage.invalidating.val();
        tag_stage.tiles.next = address.tiles.val();
        tag_stage.invalidate.next = 0;
        tag_stage.has_room.next = 1;
        self.advance.next = tag_stage.advance.val();
        discard(tag_stage.misses.val(), "not looked at");
        discard(tag_stage.miss.val(), "not looked at");
        discard(tag_stage.out_valid.val(), "not looked at");
        discard(tag_stage.queue_entry.val(), "not looked at");
        if let Some(events) = tag_stage.events.as_ref() {
            discard(events.val(), "not looked at");
        }
    }
}

/// A group that needs the tile of the first column and row in bank 0, of the level that begins at a line.
fn group_of_level(config: &Config, line: u32) -> Bits {
    let shape = Group::of(config);
    let zeros = shape.unpack(number_of(shape.width()));
    let level = LevelPlace {
        line: number(shape.level.line.value_bits(), line),
        row_halves: number(shape.level.row_halves.value_bits(), 16u32),
        tile_halves: number(shape.level.tile_halves.value_bits(), 8u32),
        ..zeros.level.clone()
    };
    shape.pack(&Group { needed: number(BANK_COUNT, 1u32), level, ..zeros })
}

fn number_of(width: usize) -> Bits {
    Bits::constant(Value::zero(width))
}

/// First lines of the levels whose rows take turns, and whether their sets are one: 1 and 1 << 5 are folded alike.
const TURNS: [(&[u32], bool); 3] = [(&[1, 1 << 5], true), (&[1, 2], false), (&[1, 2, 4, 8], false)];

#[test]
pub(crate) fn rows_that_take_turns_do_not_wait() {
    for (name, config) in configs() {
        for (lines, are_in_one_set) in TURNS {
            let mut check = Check::new(&format!("turns of {lines:?} in {name}"));
            let waits = clocks_that_turns_wait(&config, lines);
            let are_in_one_set = are_in_one_set && !config.cache().is_associative();
            let waits_each_time = are_in_one_set && config.cache().ways() == 1;
            check.holds(are_in_one_set == (waits > 0), "the second row of a set waits for the first one");
            check.holds(
                waits_each_time || waits <= UNSETTLED_STEPS,
                format_args!("{name}: rows wait {waits} clocks"),
            );
        }
    }
}

/// Clocks that rows of the levels that begin at some lines wait, one level after the other.
fn clocks_that_turns_wait(config: &Config, lines: &[u32]) -> usize {
    const ROWS: usize = 60;
    let mut rig = Rig::new(
        "turns",
        Tiles {
            clocks: Clocks::new(),
            in_valid: Net::bit(),
            group: Net::new(Group::of(config).width()),
            advance: Net::bit(),
            address: Address::new(config),
            tag_stage: TagStage::new(config),
        },
    );
    rig.in_valid.drive(false);
    rig.group.drive(number_of(Group::of(config).width()));
    rig.settle();
    while !is_high(rig.advance.val()) {
        rig.tick();
        rig.settle();
    }
    let mut waits = 0;
    for row in 0..ROWS {
        rig.in_valid.drive(true);
        rig.group.drive(group_of_level(config, lines[row % lines.len()]));
        rig.settle();
        while !is_high(rig.advance.val()) {
            rig.tick();
            rig.settle();
            waits += 1;
        }
        rig.tick();
    }
    waits
}
