//! `tile_search`: where a bank of a fully associative cache holds a tile. Part of `tag_stage`.
//!
//! A tile may stand in any place of its bank. Each place has its tag in registers, and all of them are compared with what is asked for
//! at once. A tile that is missing takes the place of the one that came longest ago: that place is known before it is needed, the order
//! takes one number a bank, and a tile that has just come is the last one to go. Contract: a look-up comes in each clock or not; its
//! answer is what the bank held when all look-ups before it had been answered.
//!
//! # Look-ups under way
//!
//! A tag that is written shows [`UNSEEN`] look-ups later, so the bank remembers as many answers.
//!
//! - A look-up that asks for the tile of one of them takes its place from the nearest one.
//! - A place that one of them has filled since does not count, wherever it was found: its tile has gone.
//!
//! Latency [`LATENCY`] clocks, initiation interval 1. Registers for a tag a place, and a comparison for each.

use crate::datapath::bundles::line_bits;
use crate::datapath::words::kind_bits;
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// Clocks from a look-up that is taken to its answer.
pub const LATENCY: usize = 4;
/// Places whose tags are looked at together.
const PLACES_TOGETHER: usize = 4;
/// Look-ups just before whose tags do not show yet.
pub const UNSEEN: usize = LATENCY - 1;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct TileSearch {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Which tile the bank was asked for in each of the last [`LATENCY`] clocks, the latest one first: kind above line.
    pub keys: Vec<Net<In>>,
    /// Whether it was, a bit for each of these clocks but the latest one, for which it does not count yet.
    pub needed: Net<In>,
    /// Forget all tiles. Nothing is under way then.
    pub clear: Net<In>,
    /// The tile of [`LATENCY`] clocks before was missing.
    pub miss: Net<Out>,
    /// Where it stands.
    pub place: Net<Out>,
    tags: Vec<Reg>,
    valids: Reg,
    hits: Reg,
    /// Some of these, a bit for each few places: with less to look at the place and whether there is one are known sooner.
    some_hit: Reg,
    /// Look-ups just before that asked for the same tile, the latest one lowest.
    same: Reg,
    /// The latest one of these, alone.
    latest: Reg,
    /// The tags have the tile, and no look-up just before asked for it.
    found: Reg,
    found_place: Reg,
    /// The answers, the latest one first.
    misses: Vec<Reg>,
    places: Vec<Reg>,
    /// The place filled longest ago, but for the latest answer; and the one behind it.
    oldest: Reg,
    second_oldest: Reg,
}

impl TileSearch {
    /// A bank of a configuration.
    pub fn new(config: &Config) -> TileSearch {
        let clocks = Clocks::new();
        let places = config.cache().ways() as usize;
        let place_bits = config.cache().way_bits() as usize;
        let key_bits = kind_bits(config) + line_bits(config);
        TileSearch {
            keys: Net::array(LATENCY, key_bits),
            needed: Net::new(UNSEEN),
            clear: Net::bit(),
            miss: Net::bit(),
            place: Net::new(place_bits),
            tags: Reg::array(places, &clocks, key_bits),
            valids: Reg::with_reset(&clocks, places, 0),
            hits: Reg::new(&clocks, places),
            some_hit: Reg::new(&clocks, places.div_ceil(PLACES_TOGETHER)),
            same: Reg::new(&clocks, UNSEEN),
            latest: Reg::new(&clocks, UNSEEN),
            found: Reg::new(&clocks, 1),
            found_place: Reg::new(&clocks, place_bits),
            misses: (0..UNSEEN).map(|_| Reg::with_reset(&clocks, 1, 0)).collect(),
            places: Reg::array(UNSEEN, &clocks, place_bits),
            oldest: Reg::with_reset(&clocks, place_bits, 0),
            second_oldest: Reg::with_reset(&clocks, place_bits, 1),
            clocks,
        }
    }
}

/// Tags of a bank, all compared at once.
#[kernel]
impl TileSearch {
    fn logic(&self) {
        timing(LATENCY as u32, 1);
        self.compare();
        self.encode();
        self.decide();
        self.keep();
    }

    fn compare(&self) {
        /// # Tags
        let (wanted, valids) = (self.keys[0].val(), self.valids.val());
        let hit = |(place, tag): (usize, &Reg)| tag.val() == wanted && valids.bit(place);
        let hits = stack(self.tags.iter().enumerate().map(hit));
        self.hits.next = hits;
        let some = |first: usize| hits.slice(first, PLACES_TOGETHER.min(hits.width() - first)).any();
        self.some_hit.next = stack((0..hits.width()).step_by(PLACES_TOGETHER).map(some));
        /// # Tiles just before
        let needed = self.needed.val();
        let same = |before: usize| self.keys[before + 1].val() == wanted && needed.bit(before);
        self.same.next = stack((0..UNSEEN).map(same));
    }

    fn encode(&self) {
        /// # Place
        let (hits, some_hit, same) = (self.hits.val(), self.some_hit.val(), self.same.val());
        self.found.next = some_hit.any() && !same.any();
        let with = |of: Bits, bit: usize| {
            let own = (0..of.width()).filter(|place| place >> bit & 1 == 1);
            stack(own.map(|place| of.bit(place))).any()
        };
        for first in (0..hits.width()).step_by(PLACES_TOGETHER) {
            discard(hits.bit(first), "its number has no bit inside of those together");
        }
        let inner_bits = PLACES_TOGETHER.ilog2() as usize;
        let bit = |bit: usize| {
            if bit < inner_bits { with(hits, bit) } else { with(some_hit, bit - inner_bits) }
        };
        self.found_place.next = stack((0..self.found_place.width()).map(bit));
        let is_latest = |answer: usize| {
            if answer == 0 { same.bit(0) } else { same.bit(answer) && !same.low(answer).any() }
        };
        self.latest.next = stack((0..UNSEEN).map(is_latest));
    }

    fn decide(&self) {
        /// # Answer
        let (latest, found_place) = (self.latest.val(), self.found_place.val());
        /// Whether one of the last answers has filled a place, in so many of them.
        let is_gone = |answers: usize, place: Bits| {
            let filled = |answer: usize| self.misses[answer].val() && self.places[answer].val() == place;
            if answers == 0 { lit(1, 0u32) } else { stack((0..answers).map(filled)).any() }
        };
        let has_it = |answer: usize| latest.bit(answer) && !is_gone(answer, self.places[answer].val());
        let is_there =
            stack((0..UNSEEN).map(has_it)).any() || (self.found.val() && !is_gone(UNSEEN, found_place));
        let from_tags = found_place & (!latest.any()).repeat(found_place.width());
        let own = |answer: usize| self.places[answer].val() & latest.bit(answer).repeat(found_place.width());
        let place = (0..UNSEEN).map(own).fold(from_tags, |any, own| any | own);
        let oldest = if self.misses[0].val() { self.second_oldest.val() } else { self.oldest.val() };
        self.misses[0].next = self.needed.val().bit(UNSEEN - 2) && !is_there;
        self.places[0].next = if is_there { place } else { oldest };
        for answer in 1..UNSEEN {
            self.misses[answer].next = self.misses[answer - 1].val();
            self.places[answer].next = self.places[answer - 1].val();
        }
        self.miss.next = self.misses[0].val();
        self.place.next = self.places[0].val();
    }

    fn keep(&self) {
        /// # What came
        let (fills, place, tile) = (self.misses[0].val(), self.places[0].val(), self.keys[LATENCY - 1].val());
        if self.clear.val() {
            self.oldest.next = 0;
            self.second_oldest.next = 1;
        } else if fills {
            self.oldest.next = self.second_oldest.val();
            self.second_oldest.next = self.second_oldest.val() + 1;
        }
        let here = |number: usize| fills && place == number as u64;
        for (number, tag) in self.tags.iter().enumerate() {
            if here(number) {
                tag.next = tile;
            }
        }
        let filled = stack((0..self.tags.len()).map(here));
        self.valids.next = (self.valids.val() | filled) & (!self.clear.val()).repeat(self.tags.len());
    }
}
