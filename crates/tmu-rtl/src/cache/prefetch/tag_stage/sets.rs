//! The tags of a bank with sets: RAMs, a way each, and what chooses among the ways. Part of `tag_stage`.

use super::super::victim::Victim;
use super::super::words::AGE_BITS;
use super::{REMEMBERED, TagStage, UNSETTLED_STEPS};
use crate::datapath::bundles::{line_bits, parts, same_parts};
use crate::datapath::delay::Delay;
use crate::datapath::words::{PART_BITS, keeps_others, kind_bits};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::RamSimpleDualPort;
use tmu_spec::Config;

/// Clocks from an item that is taken to the ways of its tiles being chosen.
const DECISION: usize = 3;

/// What a bank has for its sets.
#[derive(Bundle)]
pub(super) struct OfSets {
    tags: Vec<RamSimpleDualPort>,
    choice: Optional<Choice>,
    last_readers: RamSimpleDualPort,
    pub(super) same_tile: Delay,
    sets: Delay,
    same_parts: Vec<Reg>,
    pub(super) miss: Reg,
}

/// Which way of a set, where there are several.
#[derive(Bundle)]
struct Choice {
    victim: Victim,
    valids: Reg,
    last_way: Reg,
    noted: Optional<Noted>,
    way: Reg,
}

/// Where the bank remembers several tiles.
#[derive(Bundle)]
struct Noted {
    /// See [`TileRequest::remembered`].
    remembered: Delay,
    /// Ways of the tiles before the last one, the latest first.
    ways: Vec<Reg>,
    /// The way that stays, and above it whether one does.
    kept: Reg,
}

impl Noted {
    fn new(config: &Config, clocks: &Clocks) -> Noted {
        let way_bits = config.cache().way_bits() as usize;
        Noted {
            remembered: Delay::new(clocks, DECISION, REMEMBERED),
            ways: Reg::array(REMEMBERED - 1, clocks, way_bits),
            kept: Reg::new(clocks, way_bits + 1),
        }
    }
}

impl OfSets {
    pub(super) fn new(config: &Config, clocks: &Clocks) -> OfSets {
        let cache = config.cache();
        let (ways, sets, set_bits) =
            (cache.ways() as usize, cache.bank_sets() as usize, cache.bank_set_bits() as usize);
        let key_bits = kind_bits(config) + line_bits(config);
        let way_bits = cache.way_bits() as usize;
        let delay = |steps: usize, width: usize| Delay::new(clocks, steps, width);
        OfSets {
            tags: (0..ways).map(|_| crate::cache::ram(sets, 1 + key_bits, cache.tag_ram())).collect(),
            choice: Optional::new(ways > 1, || Choice {
                victim: Victim::new(config),
                valids: Reg::new(clocks, ways),
                last_way: Reg::new(clocks, way_bits),
                noted: Optional::new(keeps_others(config), || Noted::new(config, clocks)),
                way: Reg::new(clocks, way_bits),
            }),
            last_readers: crate::cache::ram(sets, AGE_BITS, cache.tag_ram()),
            same_tile: delay(UNSETTLED_STEPS - usize::from(!config.control().counters()), 1),
            sets: delay(UNSETTLED_STEPS, set_bits),
            same_parts: Reg::array(ways, clocks, 1 + parts(key_bits, PART_BITS)),
            miss: Reg::with_reset(clocks, 1, 0),
        }
    }

    /// Ways that hold the tile, a bit each.
    fn hits(&self) -> Bits {
        let hits: Vec<Bits> = self.same_parts.iter().rev().map(|parts| parts.val().all()).collect();
        cat(&hits)
    }

    /// Where the tile of an item that leaves stands.
    pub(super) fn place(&self) -> Bits {
        match self.choice.as_ref() {
            Some(choice) => cat(&[choice.way.val(), self.sets.last()]),
            None => self.sets.last(),
        }
    }

    /// The item that last looked into its set.
    pub(super) fn last_reader(&self) -> Bits {
        self.last_readers.read_data.val()
    }
}

/// Looks up and changes the tags of a bank.
#[kernel]
pub(super) fn look_up(of: &TagStage, number: usize, bank: &OfSets) {
    let always = lit(1, 1u32);
    let (tiles, lines) = (&of.tiles, &of.bank[number].lines);
    bank.same_tile.take(tiles.same_tile.val().bit(number), always);
    bank.sets.take(tiles.set[number].val(), always);
    if let Some(noted) = bank.choice.as_ref().and_then(|choice| choice.noted.as_ref()) {
        noted.remembered.take(tiles.remembered[number].val(), always);
    }
    let clearing = of.clearing.val();
    let write_set = if clearing { of.clear_set.val() } else { bank.sets.last() };
    let entry = cat(&[!clearing, of.key(UNSETTLED_STEPS, lines.last())]);
    compare(of, number, bank, write_set, entry);
    decide(of, number, bank, write_set);
}

/// Compares what the RAMs hold with what is wanted, in parts; what is to be written goes in.
#[kernel]
fn compare(of: &TagStage, number: usize, bank: &OfSets, write_set: Bits, entry: Bits) {
    let wanted = of.key(2, of.bank[number].lines.after(2));
    let mut valids = vec![];
    for (way, ram) in bank.tags.iter().enumerate() {
        let is_way =
            bank.choice.as_ref().map_or_else(|| lit(1, 1u32), |choice| choice.way.val() == way as u64);
        ram.clocks.follow(&of.clocks);
        ram.write_enable.next = of.clearing.val() || (bank.miss.val() && is_way);
        ram.write_address.next = write_set;
        ram.write_data.next = entry;
        ram.read_enable.next = 1;
        ram.read_address.next = of.tiles.set[number].val();
        if let Some(enable) = ram.output_enable.as_ref() {
            enable.next = 1;
        }
        let held = ram.read_data.val();
        let is_valid = held.high(1);
        let mut same = vec![is_valid];
        same.extend(same_parts(held.low(wanted.width()), wanted, PART_BITS));
        bank.same_parts[way].next = cat(&same);
        valids.push(is_valid);
    }
    valids.reverse();
    if let Some(choice) = bank.choice.as_ref() {
        choice.valids.next = cat(&valids);
    }
}

/// Chooses the ways.
#[kernel]
fn decide(of: &TagStage, number: usize, bank: &OfSets, write_set: Bits) {
    let needs = &of.bank[number].needed;
    let hits = bank.hits();
    let (needed, same_tile) = (needs.after(3), bank.same_tile.after(3));
    bank.miss.next = needed && !same_tile && !hits.any();
    if let Some(Choice { victim, valids, last_way, noted, way }) = bank.choice.as_ref() {
        let way_bits = way.width();
        let numbered = |way: usize| {
            let number = lit(way_bits, way as u32);
            if hits.bit(way) { number } else { lit(way_bits, 0u32) }
        };
        let hit_way = (1..bank.tags.len()).fold(lit(way_bits, 0u32), |number, way| number | numbered(way));
        let noted = noted.as_ref();
        let filled = noted.map_or_else(|| victim.way.val(), |noted| other_than_kept(noted, victim.way.val()));
        let found = if hits.any() { hit_way } else { filled };
        let ways: Vec<Bits> = std::iter::once(last_way)
            .chain(noted.into_iter().flat_map(|noted| &noted.ways))
            .map(|way| way.val())
            .collect();
        let last = noted.map_or(ways[0], |noted| noted_way(noted.remembered.last(), &ways));
        let chosen = if same_tile { last } else { found };
        if needed {
            last_way.next = chosen;
        }
        if let Some(noted) = noted {
            for (before, way) in ways.iter().zip(&noted.ways) {
                if needed {
                    way.next = *before;
                }
            }
            keep(noted, needed, &ways);
        }
        way.next = chosen;
        victim.clocks.follow(&of.clocks);
        victim.read_set.next = bank.sets.after(2);
        victim.valids.next = valids.val();
        victim.write_set.next = write_set;
        victim.clear.next = of.clearing.val();
        victim.hit.next = needs.last();
        victim.fill.next = bank.miss.val();
        victim.used_way.next = way.val();
    }
    /// The item that last looked into the set: its texels may still be needed.
    bank.last_readers.clocks.follow(&of.clocks);
    bank.last_readers.write_enable.next = needs.last() || of.clearing.val();
    bank.last_readers.write_address.next = write_set;
    bank.last_readers.write_data.next = of.number.val();
    bank.last_readers.read_enable.next = 1;
    bank.last_readers.read_address.next = bank.sets.after(2);
    if let Some(enable) = bank.last_readers.output_enable.as_ref() {
        enable.next = 1;
    }
}

/// The way of the tiles that a bit is set for: they are one tile.
#[kernel]
fn noted_way(remembered: Bits, ways: &[Bits]) -> Bits {
    let none = lit(ways[0].width(), 0u32);
    let own = |(number, way): (usize, &Bits)| *way & remembered.bit(number).repeat(way.width());
    ways.iter().enumerate().map(own).fold(none, |any, own| any | own)
}

/// The way that is to stay, a clock before it counts: by then the tile that has it was found long ago. The item just before is about
/// to be noted, if it needs the bank; then all others stand one place nearer yet, and it is not what stays.
#[kernel]
fn keep(noted: &Noted, notes: Bits, ways: &[Bits]) {
    let coming = noted.remembered.after(DECISION - 1);
    let stays = if notes { coming.high(REMEMBERED - 1).zero_extend(REMEMBERED) } else { coming };
    noted.kept.next = cat(&[stays.any(), noted_way(stays, ways)]);
}

/// The way to fill: the one beside it where it is to stay.
#[kernel]
fn other_than_kept(noted: &Noted, way: Bits) -> Bits {
    let kept = noted.kept.val();
    let is_kept = kept.high(1) && kept.low(way.width()) == way;
    way ^ is_kept.zero_extend(way.width())
}
