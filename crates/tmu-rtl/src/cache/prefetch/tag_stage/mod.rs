//! `tag_stage`: which tiles the cache holds, before their texels are needed.
//!
//! All four banks look up one tile each in a clock; a tile that is missing has its place at once, so that the next
//! item that needs it hits. An item that looks into a set that one of the items just before may still change waits, as
//! `address` says. Emptying takes a clock a set.
//!
//! Where a bank remembers several tiles (see [`remembered`](crate::datapath::general::address)), it notes the way of each. A tile that
//! comes into a set in which one is to stay takes another way.
//!
//! Banks of a fully associative cache have no sets: a [`tile_search`](super::tile_search) stands in the place of their RAMs, and no
//! item waits for another one.
//!
//! Latency 5 clocks, initiation interval 1; for an item that waits up to 5. Tags: one RAM a bank and way, of
//! the bank's sets x (kind, first line, valid bit), and one a bank of the sets' last users; replacement: a word a set and
//! bank in LUT RAM.

mod anywhere;
mod sets;

use super::words::{
    AGE_BITS, LAST_READERS, LINES, PLACES, fill_count_bits, miss_layout, place_bits, queue_layout,
    sequence_bits, texel_banks,
};
use crate::datapath::bundles::{Layout, line_bits};
use crate::datapath::delay::Delay;
use crate::datapath::general::words::{WordSelect, has_rows};
use crate::datapath::words::{
    TileRequest, bank_columns, by_parity, kind_bits, kind_of_word, lanes, tap_bits, word_select_bits,
    word_select_layout,
};
use anywhere::Anywhere;
use sets::OfSets;
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::tile::BANKS;

/// Items that may still change tags when the next one reads them.
pub const UNSETTLED_STEPS: usize = 4;

/// Tiles that a bank remembers where it remembers several: one for each item that may still change tags.
pub const REMEMBERED: usize = UNSETTLED_STEPS;

const BANK_COUNT: usize = BANKS as usize;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct TagStage {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Tiles of an item.
    pub tiles: TileRequest<Field<In>>,
    /// All items in front move on at the next edge.
    pub advance: Net<Out>,
    /// High for one clock: empty the cache.
    pub invalidate: Net<In>,
    /// The cache is being emptied.
    pub invalidating: Net<Out>,
    /// The queues behind can take all that is under way.
    pub has_room: Net<In>,
    /// An item misses.
    pub misses: Net<Out>,
    /// See [`miss_layout`].
    pub miss: Net<Out>,
    /// An item leaves.
    pub out_valid: Net<Out>,
    /// See [`queue_layout`].
    pub queue_entry: Net<Out>,
    /// Look-ups, repeats, hits, misses of this clock: four numbers of 0 to 4.
    pub events: Optional<Net<Out>>,
    bank: Vec<Bank>,
    in_flight: Delay,
    is_settled: Reg,
    is_open: Reg,
    kinds: Delay,
    word_selects: Delay,
    taps: Delay,
    tile_parities: Vec<Reg>,
    upper_rows: Vec<Reg>,
    number: Reg,
    fill_count: Reg,
    queued: Reg,
    queued_words: Vec<Reg>,
    queued_places: Vec<Reg>,
    queued_selects: Optional<Reg>,
    queued_tap: Reg,
    invalidate_pending: Reg,
    clearing: Reg,
    clear_set: Reg,
    counts: Vec<Reg>,
    accepted: Net<Local>,
    missed: Net<Local>,
    _config: Config,
    /// None in a unit of the general numerics, which has a record for it.
    _word_select: Option<Layout>,
    _miss: Layout,
    _queue: Layout,
}

/// What there is once a bank.
#[derive(Bundle)]
struct Bank {
    of_sets: Optional<Flat<OfSets>>,
    anywhere: Optional<Flat<Anywhere>>,
    needed: Delay,
    lines: Delay,
}

impl Bank {
    fn new(config: &Config, clocks: &Clocks) -> Bank {
        let is_associative = config.cache().is_associative();
        Bank {
            of_sets: Optional::new(!is_associative, || Flat(OfSets::new(config, clocks))),
            anywhere: Optional::new(is_associative, || Flat(Anywhere::new(config))),
            needed: Delay::flag(clocks, UNSETTLED_STEPS),
            lines: Delay::new(clocks, UNSETTLED_STEPS, line_bits(config)),
        }
    }

    /// Of one kind of banks or the other.
    fn either(&self, of_sets: impl Fn(&OfSets) -> Bits, anywhere: impl Fn(&Anywhere) -> Bits) -> Bits {
        match (self.of_sets.as_ref(), self.anywhere.as_ref()) {
            (Some(own), _) => of_sets(own),
            (_, Some(own)) => anywhere(own),
            _ => unreachable!("a bank is of one kind"),
        }
    }

    /// One bit: the tile of an item that leaves is missing.
    fn miss(&self) -> Bits {
        self.either(|own| own.miss.val(), Anywhere::miss)
    }

    /// Where it stands.
    fn place(&self) -> Bits {
        self.either(OfSets::place, Anywhere::place)
    }

    /// The item that last looked there.
    fn last_reader(&self) -> Bits {
        self.either(OfSets::last_reader, Anywhere::last_reader)
    }
}

impl TagStage {
    /// The tags of a configuration.
    pub fn new(config: &Config) -> TagStage {
        let clocks = Clocks::new();
        let (miss, queue) = (miss_layout(config), queue_layout(config));
        let is_general = config.features().general().is_some();
        let has_words = !has_rows(config);
        let words = if has_words { texel_banks(config) } else { 0 };
        let counted = config.control().counters();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        TagStage {
            tiles: TileRequest::of(config).nets(),
            advance: Net::bit(),
            invalidate: Net::bit(),
            invalidating: Net::bit(),
            has_room: Net::bit(),
            misses: Net::bit(),
            miss: Net::new(miss.width()),
            out_valid: Net::bit(),
            queue_entry: Net::new(queue.width()),
            events: Optional::new(counted, || Net::new(4 * 3)),
            bank: (0..BANK_COUNT).map(|_| Bank::new(config, &clocks)).collect(),
            in_flight: Delay::flag(&clocks, UNSETTLED_STEPS),
            is_settled: Reg::with_reset(&clocks, 1, 1),
            is_open: flag(),
            kinds: Delay::new(&clocks, UNSETTLED_STEPS, kind_bits(config)),
            word_selects: Delay::new(
                &clocks,
                UNSETTLED_STEPS - usize::from(has_words),
                word_select_bits(config),
            ),
            taps: Delay::new(&clocks, UNSETTLED_STEPS, tap_bits(config)),
            tile_parities: Reg::array(words, &clocks, 2),
            upper_rows: Reg::array(if lanes(config) == 1 { 2 } else { 0 }, &clocks, 1),
            number: Reg::with_reset(&clocks, AGE_BITS, 0),
            fill_count: Reg::with_reset(&clocks, fill_count_bits(config), 0),
            queued: flag(),
            queued_words: Reg::array(words, &clocks, super::words::word_address_bits(config)),
            queued_places: Reg::array(if has_words { 0 } else { BANK_COUNT }, &clocks, place_bits(config)),
            queued_selects: Optional::new(!has_words, || Reg::new(&clocks, word_select_bits(config))),
            queued_tap: Reg::new(&clocks, tap_bits(config)),
            invalidate_pending: Reg::with_reset(&clocks, 1, 1),
            clearing: flag(),
            clear_set: Reg::with_reset(&clocks, clear_bits(config), 0),
            counts: if counted { (0..4).map(|_| Reg::with_reset(&clocks, 3, 0)).collect() } else { vec![] },
            accepted: Net::bit(),
            missed: Net::new(BANK_COUNT),
            clocks,
            _config: config.clone(),
            _word_select: (!is_general).then(|| word_select_layout(config)),
            _miss: miss,
            _queue: queue,
        }
    }
}

/// Four banks of tags, looked up ahead of the texels.
#[kernel]
impl TagStage {
    fn logic(&self) {
        timing(5, 1);
        self.go();
        for number in 0..BANK_COUNT {
            self.look_up(number);
        }
        self.miss();
        self.queue();
        self.clear();
        self.count();
    }

    fn go(&self) {
        /// # Go
        let tiles = &self.tiles;
        /// All items wait together, also those with nothing in them: whatever `request` may take depends on this.
        let advance = self.is_open.val() && !tiles.waits.val().any();
        self.accepted.next = tiles.valid.val() && advance;
        self.advance.next = advance;
        self.in_flight.take(self.accepted.val(), lit(1, 1u32));
        let before_last =
            (1..UNSETTLED_STEPS).fold(self.accepted.val(), |any, age| any || self.in_flight.after(age));
        self.is_settled.next = !before_last;
        self.kinds.take(tiles.kind.val(), lit(1, 1u32));
        self.word_selects.take(tiles.word_selects.val(), lit(1, 1u32));
        self.taps.take(tiles.tap.val(), lit(1, 1u32));
    }

    fn key(&self, age: usize, line: Bits) -> Bits {
        cat(&[self.kinds.after(age), line])
    }

    fn look_up(&self, number: usize) {
        /// # Tags of a bank
        let always = lit(1, 1u32);
        let (tiles, bank) = (&self.tiles, &self.bank[number]);
        bank.needed.take(tiles.needed.val().bit(number) && self.accepted.val(), always);
        bank.lines.take(tiles.line[number].val(), always);
        if let Some(own) = bank.of_sets.as_ref() {
            sets::look_up(self, number, own);
        }
        if let Some(own) = bank.anywhere.as_ref() {
            anywhere::look_up(self, number, own);
        }
    }

    fn miss(&self) {
        /// # Misses
        let missed: Vec<Bits> = self.bank.iter().rev().map(Bank::miss).collect();
        self.missed.next = cat(&missed);
        let kind = kind_of_word(&self._config, self.kinds.last());
        let mut values = vec![
            ("misses", self.missed.val()),
            ("is_rgb", kind.is_rgb),
            ("is_indexed", kind.is_indexed),
            ("packing", kind.packing),
            ("is_block", kind.is_block),
            ("sequence", self.number.val().low(sequence_bits(&self._config))),
        ];
        for (number, bank) in self.bank.iter().enumerate() {
            values.push((LINES[number], bank.lines.last()));
            values.push((PLACES[number], bank.place()));
            values.push((LAST_READERS[number], bank.last_reader()));
        }
        self.misses.next = self.missed.val().any();
        self.miss.next = self._miss.pack(&values);
        let out_valid = self.in_flight.last();
        if out_valid {
            self.number.next = self.number.val() + 1;
        }
        let count_bits = self.fill_count.width();
        let count = sum(self.missed.val());
        self.fill_count.next = self.fill_count.val() + count.zero_extend(count_bits);
    }

    fn queue(&self) {
        /// # Words to read
        let word_selects = self.word_selects.last();
        if let Some(selects) = self.queued_selects.as_ref() {
            selects.next = word_selects;
            for (number, place) in self.queued_places.iter().enumerate() {
                place.next = self.bank[number].place();
            }
        } else if let Some(layout) = self._word_select.as_ref() {
            self.words_by_parity(layout, word_selects);
        } else {
            self.words_of_banks(word_selects);
        }
        self.queued_tap.next = self.taps.last();
        self.queued.next = self.in_flight.last();
        self.out_valid.next = self.queued.val();
        let mut values = vec![("fills", self.fill_count.val())];
        if let Some(selects) = self.queued_selects.as_ref() {
            let places: Vec<Bits> = self.queued_places.iter().rev().map(|place| place.val()).collect();
            values.extend([("places", cat(&places)), ("word_selects", selects.val())]);
        } else {
            let words: Vec<Bits> = self.queued_words.iter().rev().map(|word| word.val()).collect();
            values.push(("words", cat(&words)));
        }
        values.push(("tap", self.queued_tap.val()));
        self.queue_entry.next = self._queue.pack(&values);
    }

    /// The tile of a bank of texels follows from its column and row.
    fn words_by_parity(&self, layout: &Layout, word_selects: Bits) {
        let field = |name: &str| layout.get(word_selects, name);
        let (column_bit2, row_bit2, row_bit1) = (field("column_bit2"), field("row_bit2"), field("row_bit1"));
        let is_indexed = kind_of_word(&self._config, self.kinds.after(UNSETTLED_STEPS - 1)).is_indexed;
        for (parity, upper_row) in self.upper_rows.iter().enumerate() {
            upper_row.next = row_bit1.bit(parity) && !is_indexed;
        }
        let columns = bank_columns(&self._config);
        for (number, word) in self.queued_words.iter().enumerate() {
            let (first, second) = (number % columns, number / columns);
            /// Of indices the rows of texels stand where columns do otherwise, and the other way round.
            let column = if is_indexed { column_bit2.bit(second) } else { column_bit2.bit(first) };
            let row = if is_indexed { row_bit2.bit(first) } else { row_bit2.bit(second) };
            self.tile_parities[number].next = cat(&[row, column]);
            self.queue_word(number, second, word);
        }
    }

    /// The tile of a bank of texels is told: neighbours may lie on different faces of a cube, and compressed tiles side by side.
    fn words_of_banks(&self, word_selects: Bits) {
        let selects = WordSelect::shape().unpack(word_selects);
        for (upper_row, selected) in self.upper_rows.iter().zip(selects.upper_row) {
            upper_row.next = selected;
        }
        for (number, word) in self.queued_words.iter().enumerate() {
            self.tile_parities[number].next = selects.banks[number];
            self.queue_word(number, number / bank_columns(&self._config), word);
        }
    }

    /// The word of a bank of texels, by the bank of tags of its tile.
    fn queue_word(&self, number: usize, row: usize, word: &Reg) {
        let parities = &self.tile_parities[number];
        let place = by_parity(
            parities.val().bit(0),
            parities.val().bit(1),
            &[0, 1, 2, 3].map(|bank: usize| self.bank[bank].place()),
        );
        let upper = self.upper_rows.get(row).map(|reg| reg.val());
        let parts: Vec<Bits> = [parities.val(), place].into_iter().chain(upper).collect();
        word.next = cat(&parts);
    }

    fn clear(&self) {
        /// # Sweep
        let tiles = &self.tiles;
        let invalidates = self.invalidate.val() || (tiles.invalidates.val() && self.advance.val());
        let ends = self.clearing.val() && self.clear_set.val().all();
        let wanted = invalidates || (self.invalidate_pending.val() && !ends);
        self.invalidate_pending.next = wanted;
        self.is_open.next = self.has_room.val() && !wanted;
        /// Nothing looks up any more once the tags are quiet.
        if ends {
            self.clearing.next = 0;
        } else if self.invalidate_pending.val() && self.is_settled.val() {
            self.clearing.next = 1;
        }
        if self.clearing.val() {
            self.clear_set.next = self.clear_set.val() + 1;
        }
        self.invalidating.next = self.invalidate_pending.val();
    }

    fn count(&self) {
        /// # Events
        let Some(events) = self.events.as_ref() else { return };
        let each = |bit: &dyn Fn(&Bank) -> Bits| {
            let bits: Vec<Bits> = self.bank.iter().map(bit).collect();
            sum(cat(&bits))
        };
        self.counts[0].next = each(&|bank| bank.needed.after(3));
        // A fully associative bank looks every tile up.
        let repeats = |bank: &Bank, age: usize| bank.either(|own| own.same_tile.after(age), |_| lit(1, 0u32));
        self.counts[1].next = each(&|bank| bank.needed.after(3) && repeats(bank, 3));
        self.counts[2].next = each(&|bank| bank.needed.last() && !repeats(bank, 4) && !bank.miss());
        self.counts[3].next = each(&|bank| bank.miss());
        let counts: Vec<Bits> = self.counts.iter().rev().map(|count| count.val()).collect();
        events.next = cat(&counts);
    }
}

/// Bits that count the clocks of emptying: a set each, or a place of a fully associative cache.
fn clear_bits(config: &Config) -> usize {
    let cache = config.cache();
    (if cache.is_associative() { cache.way_bits() } else { cache.bank_set_bits() }) as usize
}

/// How many of four bits are set: 3 bits.
#[kernel]
fn sum(bits: Bits) -> Bits {
    (0..bits.width()).fold(lit(3, 0u32), |sum, number| sum + bits.bit(number).zero_extend(3))
}
