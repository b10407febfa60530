//! `texels`: keeps items until their tiles are there, and reads their texels.
//!
//! Four banks, one for each parity of column and row, so that the texels under a pixel come in one clock: a word is the two
//! texels that a row of a tile has in a bank. Where four pixels come together there are 16 banks, one for each column and
//! row of a tile. Of a tile of indices the four bytes of a row stand as a texel, in the banks of what would be its column,
//! so that the bank of an index has its row and its column, in this order. The queue in front is as long as memory's
//! latency.
//!
//! Lanes of the general numerics have four banks each, written alike, so that they never meet in one. Rows of lanes stand in the queue
//! with the places of their four tiles; each lane's words follow from these as the row leaves the queue.
//!
//! Latency 6 clocks from an item to its texels where the queue is empty and its tiles are there, initiation interval 1. Where paths
//! are to be short, 9: behind the queue stands a buffer, and texels take a clock on the wires from block RAM to `decode`.
//! A RAM a bank, the queue in block RAM.

use super::fill::{ROW_BITS, TEXEL_BITS};
use super::words::{
    AGE_BITS, MARGIN, fill_count_bits, head_layout, place_bits, queue_layout, sequence_bits, texel_banks,
    word_address_bits, word_bits,
};
use crate::datapath::bundles::Layout;
use crate::datapath::delay::Delay;
use crate::datapath::general::words::{WordSelect, has_rows};
use crate::datapath::words::{bank_columns, by_parity, has_short_paths, tap_bits};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamSimpleDualPort, RamStyle, SyncFifo};
use tmu_spec::Config;
use tmu_spec::tile::{BANKS, COLUMNS};

/// Clocks from an item that goes to its texels.
fn read_clocks(config: &Config) -> usize {
    2 + usize::from(has_short_paths(config))
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct DataStage {
    /// Clock and reset.
    pub clocks: Clocks,
    /// An item comes.
    pub in_valid: Net<In>,
    /// See [`queue_layout`].
    pub queue_entry: Net<In>,
    /// The queue can take all that is under way.
    pub has_room: Net<Out>,
    /// The stages behind can take an item.
    pub out_ready: Net<In>,
    /// Rows are written, one bit for each row of banks.
    pub writes: Net<In>,
    /// Where.
    pub write_address: Net<In>,
    /// Row of even parity.
    pub even: Net<In>,
    /// Row of odd parity.
    pub odd: Net<In>,
    /// Tiles written.
    pub fills: Net<In>,
    /// Number of the next item to be read.
    pub next_read: Net<Out>,
    /// Number of the item read last.
    pub last_read: Net<Out>,
    /// The item whose turn it is waits for memory.
    pub stalls: Net<Out>,
    /// An item leaves with its texels.
    pub out_valid: Net<Out>,
    /// What belongs to it, see [`tap_bits`].
    pub tap: Net<Out>,
    /// The word of each bank, column by column in the order of rows; lane by lane.
    pub words: Vec<Net<Out>>,
    queue: SyncFifo,
    room: Reg,
    head_full: Reg,
    head_ready: Reg,
    head: Reg,
    next: Reg,
    last: Reg,
    waits: Reg,
    reading: Delay,
    taps: Delay,
    ram: Vec<RamSimpleDualPort>,
    /// Where paths are to be short: the word of each bank a clock later.
    arrived: Vec<Reg>,
    /// There as well: `head_ready` and `out_ready` of the clock before, so that one register moves everything.
    goes: Optional<Reg>,
    issues: Net<Local>,
    _config: Config,
    _queue: Layout,
    _head: Layout,
}

impl DataStage {
    /// For a configuration.
    pub fn new(config: &Config) -> DataStage {
        let clocks = Clocks::new();
        let (queue, head) = (queue_layout(config), head_layout(config));
        let depth = config.cache().queue_depth() as usize;
        let banks = texel_banks(config);
        let words = 1 << word_address_bits(config);
        let ones = (1u128 << AGE_BITS) - 1;
        let short = has_short_paths(config);
        DataStage {
            in_valid: Net::bit(),
            queue_entry: Net::new(queue.width()),
            has_room: Net::bit(),
            out_ready: Net::bit(),
            writes: Net::new(bank_columns(config)),
            write_address: Net::new(word_address_bits(config)),
            even: Net::new(ROW_BITS),
            odd: Net::new(ROW_BITS),
            fills: Net::new(fill_count_bits(config)),
            next_read: Net::new(sequence_bits(config)),
            last_read: Net::new(AGE_BITS),
            stalls: Net::bit(),
            out_valid: Net::bit(),
            tap: Net::new(tap_bits(config)),
            words: Net::array(banks, word_bits(config)),
            queue: SyncFifo::with_style(depth, queue.width(), RamStyle::Block)
                .with_late_level()
                .with_output_buffer(short),
            room: Reg::with_reset(&clocks, 1, 0),
            head_full: Reg::with_reset(&clocks, 1, 0),
            head_ready: Reg::with_reset(&clocks, 1, 0),
            head: Reg::new(&clocks, head.width()),
            next: Reg::with_reset(&clocks, AGE_BITS, 0),
            last: Reg::with_reset(&clocks, AGE_BITS, ones),
            waits: Reg::with_reset(&clocks, 1, 0),
            reading: Delay::flag(&clocks, read_clocks(config)),
            taps: Delay::new(&clocks, read_clocks(config), tap_bits(config)),
            ram: (0..banks)
                .map(|_| crate::cache::ram(words, word_bits(config), config.cache().data_ram()))
                .collect(),
            arrived: Reg::array(if short { banks } else { 0 }, &clocks, word_bits(config)),
            goes: Optional::new(short, || Reg::with_reset(&clocks, 1, 0)),
            issues: Net::bit(),
            clocks,
            _config: config.clone(),
            _queue: queue,
            _head: head,
        }
    }
}

/// Items wait for their tiles, then read their texels.
#[kernel]
impl DataStage {
    fn logic(&self) {
        timing(if self.goes.is_some() { 9 } else { 6 }, 1);
        self.queue();
        self.head();
        self.read();
    }

    fn queue(&self) {
        /// # Queue
        let queue = &self.queue;
        queue.clocks.follow(&self.clocks);
        queue.input.valid.next = self.in_valid.val();
        queue.input.data.next = self.queue_entry.val();
        discard(queue.input.ready.val(), "no item comes when there is no room");
        self.room.next = queue.level.val() < (queue.depth() - MARGIN) as u64;
        self.has_room.next = self.room.val();
    }

    fn head(&self) {
        /// # The item whose turn it is
        self.issues.next = self
            .goes
            .as_ref()
            .map_or_else(|| self.head_ready.val() && self.out_ready.val(), |goes| goes.val());
        let free = !self.head_full.val() || self.issues.val();
        let output = &self.queue.output;
        output.ready.next = free;
        if free {
            self.head_full.next = output.valid.val();
            self.head.next = self.head_of(output.data.val());
        }
        /// It goes when as many tiles have been written as were asked for up to it; found out for both that it may
        /// be, which is faster than for one of them.
        let fills = (self._queue.get(output.data.val(), "fills"), self._head.get(self.head.val(), "fills"));
        let (next, current) = (self.is_filled(fills.0), self.is_filled(fills.1));
        let is_ready = || if free { output.valid.val() && next } else { self.head_full.val() && current };
        self.head_ready.next = is_ready();
        if let Some(goes) = self.goes.as_ref() {
            goes.next = is_ready() && self.out_ready.val();
        }
        if self.issues.val() {
            self.next.next = self.next.val() + 1;
            self.last.next = self.next.val();
        }
        self.next_read.next = self.next.val().low(self.next_read.width());
        self.last_read.next = self.last.val();
        self.waits.next = self.head_full.val() && !self.head_ready.val();
        self.stalls.next = self.waits.val();
    }

    /// An item with its words.
    fn head_of(&self, queue_entry: Bits) -> Bits {
        if !has_rows(&self._config) {
            return queue_entry;
        }
        let field = |name: &str| self._queue.get(queue_entry, name);
        let (places, selects) = (field("places"), field("word_selects"));
        let place_bits = place_bits(&self._config);
        let places: Vec<Bits> =
            (0..BANKS as usize).map(|bank| places.slice(bank * place_bits, place_bits)).collect();
        let shape = WordSelect::shape();
        let of_lane = |lane: usize| {
            let WordSelect { banks, upper_row } =
                shape.unpack(selects.slice(lane * shape.width(), shape.width()));
            let word = |bank: usize| {
                let tile = banks[bank];
                cat(&[tile, by_parity(tile.bit(0), tile.bit(1), &places), upper_row[bank / 2]])
            };
            stack((0..banks.len()).map(word))
        };
        let words = stack((0..selects.width() / shape.width()).map(of_lane));
        self._head.pack(&[("fills", field("fills")), ("words", words), ("tap", field("tap"))])
    }

    /// One bit: so many tiles are there.
    fn is_filled(&self, fills: Bits) -> Bits {
        let more = self.fills.val() - fills;
        discard(more.low(more.width() - 1), "only the sign counts");
        !more.high(1)
    }

    fn read(&self) {
        /// # Texels
        let always = lit(1, 1u32);
        let head = self.head.val();
        let columns = self.writes.width();
        let (words, address_bits) = (self._head.get(head, "words"), self.write_address.width());
        for (number, ram) in self.ram.iter().enumerate() {
            let (column, row) = (number % columns, number / columns % columns);
            let written = if row & 1 == 1 { self.odd.val() } else { self.even.val() };
            let own = (column..COLUMNS as usize).step_by(columns).rev();
            let texels: Vec<Bits> =
                own.map(|column| written.slice(TEXEL_BITS * column, TEXEL_BITS)).collect();
            ram.clocks.follow(&self.clocks);
            ram.write_enable.next = self.writes.val().bit(row);
            ram.write_address.next = self.write_address.val();
            ram.write_data.next = cat(&texels);
            ram.read_enable.next = 1;
            ram.read_address.next = words.slice(number * address_bits, address_bits);
            if let Some(enable) = ram.output_enable.as_ref() {
                enable.next = 1;
            }
            let word = ram.read_data.val();
            match self.arrived.get(number) {
                Some(arrived) => {
                    arrived.next = word;
                    self.words[number].next = arrived.val();
                }
                None => self.words[number].next = word,
            }
        }
        self.reading.take(self.issues.val(), always);
        self.taps.take(self._head.get(head, "tap"), always);
        self.out_valid.next = self.reading.last();
        self.tap.next = self.taps.last();
    }
}
