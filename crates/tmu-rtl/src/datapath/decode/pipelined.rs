//! `decode`: from words of texels to the colours of each pixel's four taps.
//!
//! A tap has the place of its parities. With one pixel an item each bank of texels always serves the same one: its word
//! gives one of two texels. With four pixels a tap chooses between the four banks of its parities. Indices take their byte
//! and are looked up in the colour table, which is kept once for each tap and filled here too. Without bilinear filtering
//! one pixel has one tap, which takes the word of its bank first.
//!
//! Latency 4 clocks with a colour table, 1 without; of one pixel without bilinear filtering one more. Initiation interval 1.
//! With a colour table a RAM of 256 x 33 bits for each tap.

use crate::cache::prefetch::fill::TEXEL_BITS;
use crate::cache::prefetch::words::{texel_banks, word_bits};
use crate::datapath::bundles::Layout;
use crate::datapath::delay::Delay;
use crate::datapath::words::{bank_columns, by_parity, has_short_paths, lane_layout, lanes, tap_layout};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle};
use tmu_spec::Config;

/// Clocks from a word to the entries of the colour table.
const TABLE_CLOCKS: usize = 3;

/// Taps of a pixel: the even row's even and odd column, then the odd row's.
const TAPS: usize = 4;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Decode {
    /// Clock and reset.
    pub clocks: Clocks,
    /// An item comes with its texels.
    pub in_valid: Net<In>,
    /// What belongs to it, see [`tap_layout`].
    pub tap: Net<In>,
    /// The word of each bank.
    pub words: Vec<Net<In>>,
    /// An item leaves.
    pub out_valid: Net<Out>,
    /// What belongs to it, see [`tap_layout`].
    pub out_tap: Net<Out>,
    /// Colours of the taps, R in the lowest byte, pixel by pixel: the even row's even and odd column, then the odd row's.
    pub colors: Vec<Net<Out>>,
    /// A texel that a valid pixel needs could not be read.
    pub error: Net<Out>,
    waiting: Delay,
    taps: Delay,
    own_word: Optional<Reg>,
    table: Optional<Table>,
    /// Where paths are to be short: a tap of the item whose entries come has weight, found out a clock before.
    weighted: Vec<Reg>,
    colors_found: Vec<Reg>,
    _columns: usize,
    _tap: Layout,
    _lane: Layout,
}

/// The tap, or the bank, with column and row exchanged.
const fn swapped(tap: usize) -> usize {
    tap >> 1 | (tap & 1) << 1
}

/// The colour table, once for each tap, and the clocks that it takes.
#[derive(Bundle)]
struct Table {
    entry: Reg,
    written: Reg,
    rams: Vec<RamSimpleDualPort>,
    indices: Vec<Reg>,
    index_errors: Vec<Delay>,
    words: Vec<Delay>,
}

impl Table {
    fn new(clocks: &Clocks, taps: usize, word_bits: usize) -> Table {
        let ram = || {
            RamSimpleDualPort::new(
                RamShape::new(256, TEXEL_BITS).style(RamStyle::Block).output_register(true),
            )
        };
        let waiting = |width: usize| (0..taps).map(|_| Delay::new(clocks, TABLE_CLOCKS, width)).collect();
        Table {
            entry: Reg::with_reset(clocks, 8, 0),
            written: Reg::new(clocks, TEXEL_BITS),
            rams: (0..taps).map(|_| ram()).collect(),
            indices: Reg::array(taps, clocks, 8),
            index_errors: waiting(1),
            words: waiting(word_bits),
        }
    }
}

impl Decode {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Decode {
        let clocks = Clocks::new();
        let tap = tap_layout(config);
        let has_table = config.features().has_color_table();
        let (lanes, word_bits) = (lanes(config), word_bits(config));
        let has_one_tap = lanes == 1 && !config.features().bilinear();
        let taps = if has_one_tap { 1 } else { lanes * TAPS };
        let steps = 1 + usize::from(has_one_tap) + if has_table { TABLE_CLOCKS } else { 0 };
        Decode {
            in_valid: Net::bit(),
            tap: Net::new(tap.width()),
            words: Net::array(texel_banks(config), word_bits),
            out_valid: Net::bit(),
            out_tap: Net::new(tap.width()),
            colors: Net::array(taps, 32),
            error: Net::bit(),
            waiting: Delay::flag(&clocks, steps),
            taps: Delay::new(&clocks, steps, tap.width()),
            own_word: Optional::new(has_one_tap, || Reg::new(&clocks, word_bits)),
            table: Optional::new(has_table, || Table::new(&clocks, taps, word_bits)),
            weighted: Reg::array(
                if has_table && !has_one_tap && has_short_paths(config) { taps } else { 0 },
                &clocks,
                1,
            ),
            colors_found: Reg::array(taps, &clocks, TEXEL_BITS),
            clocks,
            _columns: bank_columns(config),
            _tap: tap,
            _lane: lane_layout(config),
        }
    }
}

/// Texels out of words, colours out of texels.
#[kernel]
impl Decode {
    fn logic(&self) {
        timing(self.clocks_before_words() as u32 + if self.table.is_some() { 4 } else { 1 }, 1);
        let always = lit(1, 1u32);
        self.waiting.take(self.in_valid.val(), always);
        self.taps.take(self.tap.val(), always);
        self.own_word();
        self.fill_table();
        self.look_up();
        self.colors();
        self.errors();
    }

    /// Clocks until the word of an only tap is known.
    fn clocks_before_words(&self) -> usize {
        usize::from(self.own_word.is_some())
    }

    /// What belongs to the item whose words came so many clocks ago.
    fn aged_tap(&self, clocks: usize) -> Bits {
        let age = self.clocks_before_words() + clocks;
        if age == 0 { self.tap.val() } else { self.taps.after(age) }
    }

    fn field(&self, clocks: usize, name: &str) -> Bits {
        self._tap.get(self.aged_tap(clocks), name)
    }

    /// As [`Decode::field`], of the pixel that a tap belongs to.
    fn of_lane(&self, clocks: usize, tap: usize, name: &str) -> Bits {
        let width = self._lane.width();
        self._lane.get(self.field(clocks, "lanes").slice(tap / TAPS * width, width), name)
    }

    fn own_word(&self) {
        /// # Word of the only tap
        let Some(own_word) = self.own_word.as_ref() else { return };
        let field = |name: &str| self._lane.get(self._tap.get(self.tap.val(), "lanes"), name);
        let (x, y) = (field("odd_weight_x"), field("odd_weight_y"));
        let is_indexed = self._tap.get(self.tap.val(), "is_indexed");
        /// The bank of an index has the parities exchanged.
        let (column, row) = (if is_indexed { y } else { x }, if is_indexed { x } else { y });
        let words: Vec<Bits> = self.words.iter().map(|word| word.val()).collect();
        own_word.next = by_parity(column, row, &words);
    }

    /// The word of a tap; that of the only tap where there is one.
    fn word(&self, tap: usize) -> Bits {
        let (column, row) = (tap & 1, tap >> 1 & 1);
        if let Some(own_word) = self.own_word.as_ref() {
            return own_word.val();
        }
        if self._columns == 2 {
            return self.words[tap].val();
        }
        let bit = |name: &str, parity: usize| self.of_lane(0, tap, name).bit(parity);
        let bank =
            |half: usize| self.words[self._columns * (row + (half & 2)) + column + 2 * (half & 1)].val();
        by_parity(bit("column_bit1", column), bit("row_bit1", row), &[bank(0), bank(1), bank(2), bank(3)])
    }

    /// The byte of a tap's index, and above it whether it could not be read.
    fn index(&self, tap: usize) -> Bits {
        let (column, row) = (tap & 1, tap >> 1 & 1);
        let bit = |name: &str, parity: usize| self.of_lane(0, tap, name).bit(parity);
        let (column_bit1, row_bit1) = (bit("column_bit1", column), bit("row_bit1", row));
        if self._columns > 2 {
            /// Banks of indices have rows where others have columns, and each has the bytes of one column.
            let byte = |half: usize| {
                let (own_column, own_row) = (column + 2 * (half & 1), row + (half & 2));
                let word = self.words[self._columns * own_column + own_row].val();
                cat(&[word.high(1), word.slice(8 * own_column, 8)])
            };
            return by_parity(column_bit1, row_bit1, &[byte(0), byte(1), byte(2), byte(3)]);
        }
        let (word, is_odd) = match self.own_word.as_ref() {
            Some(own_word) => (own_word.val(), Some(self.of_lane(0, tap, "odd_weight_x"))),
            None => (self.words[swapped(tap)].val(), None),
        };
        let byte = |number: usize| {
            let of = |texel: usize| word.slice(TEXEL_BITS * texel + 8 * number, 8);
            if row_bit1 { of(1) } else { of(0) }
        };
        let of_parity = |parity: usize| if column_bit1 { byte(parity + 2) } else { byte(parity) };
        let own = match is_odd {
            Some(is_odd) => {
                if is_odd {
                    of_parity(1)
                } else {
                    of_parity(0)
                }
            }
            None => of_parity(column),
        };
        /// The two rows of a word come from one line.
        cat(&[word.bit(TEXEL_BITS - 1), own])
    }

    fn fill_table(&self) {
        /// # Filling of the colour table
        let Some(table) = self.table.as_ref() else { return };
        let is_odd = |name: &str| self.of_lane(0, 0, name).high(1);
        let word = if self.own_word.is_some() {
            self.word(0)
        } else {
            let words: Vec<Bits> = (0..TAPS).map(|tap| self.word(tap)).collect();
            by_parity(is_odd("odd_weight_x"), is_odd("odd_weight_y"), &words)
        };
        table.written.next = texel(word, self.of_lane(0, 0, "column_bit1").bit(0));
        let fills = self.waiting.after(self.clocks_before_words() + 1) && self.field(1, "is_table");
        if fills {
            table.entry.next = table.entry.val() + 1;
        }
        for ram in &table.rams {
            ram.write_enable.next = fills;
            ram.write_address.next = table.entry.val();
            ram.write_data.next = table.written.val();
        }
    }

    fn look_up(&self) {
        /// # Colour table
        let Some(table) = self.table.as_ref() else { return };
        let always = lit(1, 1u32);
        for (tap, ram) in table.rams.iter().enumerate() {
            let index = self.index(tap);
            table.indices[tap].next = index.low(8);
            table.index_errors[tap].take(index.high(1), always);
            table.words[tap].take(self.word(tap), always);
            ram.clocks.follow(&self.clocks);
            ram.read_enable.next = 1;
            ram.read_address.next = table.indices[tap].val();
            if let Some(enable) = ram.output_enable.as_ref() {
                enable.next = 1;
            }
        }
    }

    fn colors(&self) {
        /// # Colours
        /// A tap without weight is zero: its bank may hold what was never written.
        for (tap, found) in self.colors_found.iter().enumerate() {
            self.colors[tap].next = found.val().low(32);
            let Some(table) = self.table.as_ref() else {
                let direct = texel(self.word(tap), self.of_lane(0, tap, "column_bit1").bit(tap & 1));
                found.next = if self.needs(0, tap) { direct } else { lit(TEXEL_BITS, 0u32) };
                continue;
            };
            let is_indexed = self.field(TABLE_CLOCKS, "is_indexed");
            let right_bit = self.of_lane(TABLE_CLOCKS, tap, "column_bit1").bit(tap & 1);
            let direct = texel(table.words[tap].last(), right_bit);
            let entry = table.rams[tap].read_data.val();
            /// An index that could not be read fails whatever entry it seems to name.
            let index_failed = table.index_errors[tap].last();
            let failed = if is_indexed { index_failed || entry.high(1) } else { direct.high(1) };
            let color = if is_indexed { entry.low(32) } else { direct.low(32) };
            let needs = match self.weighted.get(tap) {
                Some(weighted) => {
                    weighted.next = self.needs(TABLE_CLOCKS - 1, tap);
                    weighted.val()
                }
                None => self.needs(TABLE_CLOCKS, tap),
            };
            found.next = if needs { cat(&[failed, color]) } else { lit(TEXEL_BITS, 0u32) };
        }
    }

    /// One bit: the tap has weight.
    fn needs(&self, clocks: usize, tap: usize) -> Bits {
        if self.own_word.is_some() {
            return lit(1, 1u32);
        }
        let of = |name: &str| self.of_lane(clocks, tap, name);
        let has = |name: &str, parity: usize| if parity == 1 { of(name).any() } else { !of(name).high(1) };
        has("odd_weight_x", tap & 1) && has("odd_weight_y", tap >> 1 & 1)
    }

    fn errors(&self) {
        /// # Errors
        let tap = self.taps.last();
        let field = |name: &str| self._tap.get(tap, name);
        let counts = if self._tap.bits("pixel_mask").is_empty() {
            field("is_valid")
        } else {
            field("is_valid") & field("pixel_mask")
        };
        let lane_taps = self.colors_found.len() / counts.width();
        let failed = |lane: usize| {
            let own = &self.colors_found[lane * lane_taps..(lane + 1) * lane_taps];
            let any = own.iter().fold(lit(1, 0u32), |any, found| any || found.val().high(1));
            any && counts.bit(lane)
        };
        self.error.next = (0..counts.width()).fold(lit(1, 0u32), |any, lane| any || failed(lane));
        self.out_valid.next = self.waiting.last() && !field("is_table");
        self.out_tap.next = tap;
    }
}

/// The texel of a word with bit 1 of its column, of indices of its row.
#[kernel]
fn texel(word: Bits, bit1: Bits) -> Bits {
    if word.width() == TEXEL_BITS {
        return word;
    }
    if bit1 { word.high(TEXEL_BITS) } else { word.low(TEXEL_BITS) }
}
