//! `decode`: from words of texels to the colours of a pixel's four taps.
//!
//! A tap has the place of its parities, and each bank of texels always serves the same one: a word gives one of its two
//! texels. Indices take their byte and are looked up in the colour table, which is kept once for each tap and filled
//! here too. Without bilinear filtering there is one tap, which takes the word of its bank first.
//!
//! Latency 4 clocks with a colour table, 1 without; one more without bilinear filtering. Initiation interval 1. With a
//! colour table a RAM of 256 x 33 bits for each tap.

use super::cache::fill::TEXEL_BITS;
use super::cache::texels::WORD_BITS;
use super::delay::Delay;
use super::words::tap_layout;
use crate::bundles::Layout;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle};
use tmu_spec::Config;
use tmu_spec::tile::BANKS;

/// Clocks from a word to the entries of the colour table.
const TABLE_CLOCKS: usize = 3;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Decode {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A slot comes with its texels.
    pub comes: Net<In>,
    /// What belongs to it, see [`tap_layout`].
    pub tap: Net<In>,
    /// The word of each bank.
    pub words: Vec<Net<In>>,
    /// A slot leaves.
    pub leaves: Net<Out>,
    /// What belongs to it, see [`tap_layout`].
    pub tap_left: Net<Out>,
    /// Colours of the taps, R in the lowest byte: the even row's even and odd column, then the odd row's.
    pub colors: Vec<Net<Out>>,
    /// A texel that it needs could not be read.
    pub error: Net<Out>,
    waiting: Delay,
    taps: Delay,
    own_word: Optional<Reg>,
    table: Optional<Table>,
    colors_found: Vec<Reg>,
    _config: Config,
    _tap: Layout,
}

/// The tap, or the bank, with the parities of column and row exchanged.
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
    words: Vec<Delay>,
}

impl Table {
    fn new(clocks: &Clocks, taps: usize) -> Table {
        let ram = || RamSimpleDualPort::new(RamShape::new(256, TEXEL_BITS).style(RamStyle::Block).output_register(true));
        Table {
            entry: Reg::with_reset(clocks, 8, 0),
            written: Reg::new(clocks, TEXEL_BITS),
            rams: (0..taps).map(|_| ram()).collect(),
            indices: Reg::array(taps, clocks, 8),
            words: (0..taps).map(|_| Delay::new(clocks, TABLE_CLOCKS, WORD_BITS)).collect(),
        }
    }
}

impl Decode {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Decode {
        let clocks = Clocks::new();
        let tap = tap_layout(config);
        let has_table = config.features().has_color_table();
        let bilinear = config.features().bilinear();
        let taps = if bilinear { BANKS as usize } else { 1 };
        let steps = 1 + usize::from(!bilinear) + if has_table { TABLE_CLOCKS } else { 0 };
        Decode {
            comes: Net::bit(),
            tap: Net::new(tap.width()),
            words: Net::array(BANKS as usize, WORD_BITS),
            leaves: Net::bit(),
            tap_left: Net::new(tap.width()),
            colors: Net::array(taps, 32),
            error: Net::bit(),
            waiting: Delay::flag(&clocks, steps),
            taps: Delay::new(&clocks, steps, tap.width()),
            own_word: Optional::new(!bilinear, || Reg::new(&clocks, WORD_BITS)),
            table: Optional::new(has_table, || Table::new(&clocks, taps)),
            colors_found: Reg::array(taps, &clocks, TEXEL_BITS),
            clocks,
            _config: config.clone(),
            _tap: tap,
        }
    }
}

/// Texels out of words, colours out of texels.
#[kernel]
impl Decode {
    fn logic(&self) {
        timing(self.clocks_before_words() as u32 + if self.table.is_some() { 4 } else { 1 }, 1);
        let always = lit(1, 1u32);
        self.waiting.take(self.comes.val(), always);
        self.taps.take(self.tap.val(), always);
        self.own_word();
        self.fill_table();
        self.look_up();
        self.colors();
        self.errors();
    }

    /// Clocks until the words of the taps are known.
    fn clocks_before_words(&self) -> usize {
        usize::from(self.own_word.is_some())
    }

    /// A field of the slot whose words came so many clocks ago.
    fn field(&self, clocks: usize, name: &str) -> Bits {
        let age = self.clocks_before_words() + clocks;
        self._tap.get(if age == 0 { self.tap.val() } else { self.taps.after(age) }, name)
    }

    fn own_word(&self) {
        /// # Word of the only tap
        let Some(own_word) = self.own_word.as_ref() else { return };
        let field = |name: &str| self._tap.get(self.tap.val(), name);
        let (x, y, is_indexed) = (field("odd_weight_x"), field("odd_weight_y"), field("is_indexed"));
        /// The bank of an index has the parities exchanged.
        let (column, row) = (if is_indexed { y } else { x }, if is_indexed { x } else { y });
        own_word.next = self.bank_word(column, row);
    }

    /// The word of the bank of these parities.
    fn bank_word(&self, column: Bits, row: Bits) -> Bits {
        let even = if column { self.words[1].val() } else { self.words[0].val() };
        let odd = if column { self.words[3].val() } else { self.words[2].val() };
        if row { odd } else { even }
    }

    /// The word of a bank; the only one where there is one tap.
    fn word(&self, bank: usize) -> Bits {
        self.own_word.as_ref().map_or_else(|| self.words[bank].val(), |own_word| own_word.val())
    }

    /// The bank that has the index of a tap.
    fn index_bank(&self, tap: usize) -> usize {
        if self.own_word.is_some() { 0 } else { swapped(tap) }
    }

    fn fill_table(&self) {
        /// # Filling of the colour table
        let Some(table) = self.table.as_ref() else { return };
        let is_odd = |name: &str| self.field(0, name).high(1);
        let word = match self.own_word.as_ref() {
            Some(own_word) => own_word.val(),
            None => self.bank_word(is_odd("odd_weight_x"), is_odd("odd_weight_y")),
        };
        table.written.next = texel(word, self.field(0, "column_bit1").bit(0));
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
        for (tap, ram) in table.rams.iter().enumerate() {
            let (column, row) = (tap & 1, tap >> 1);
            let (word, is_lower) = (self.word(self.index_bank(tap)), self.field(0, "row_bit1").bit(row));
            let byte = |number: usize| {
                let of = |texel: usize| word.slice(TEXEL_BITS * texel + 8 * number, 8);
                if is_lower { of(1) } else { of(0) }
            };
            let of_parity = |parity: usize| {
                if self.field(0, "column_bit1").bit(column) { byte(parity + 2) } else { byte(parity) }
            };
            let is_odd = self.field(0, "odd_weight_x");
            table.indices[tap].next = match self.own_word.as_ref() {
                Some(_) => if is_odd { of_parity(1) } else { of_parity(0) },
                None => of_parity(column),
            };
            ram.clocks.follow(&self.clocks);
            ram.read_enable.next = 1;
            ram.read_address.next = table.indices[tap].val();
            if let Some(enable) = ram.output_enable.as_ref() {
                enable.next = 1;
            }
            table.words[tap].take(self.word(tap), lit(1, 1u32));
        }
    }

    fn colors(&self) {
        /// # Colours
        for (tap, found) in self.colors_found.iter().enumerate() {
            self.colors[tap].next = found.val().low(32);
            let Some(table) = self.table.as_ref() else {
                found.next = texel(self.word(tap), self.field(0, "column_bit1").bit(tap & 1));
                continue;
            };
            let is_indexed = self.field(TABLE_CLOCKS, "is_indexed");
            let bit1 = self.field(TABLE_CLOCKS, "column_bit1").bit(tap & 1);
            let direct = texel(table.words[tap].last(), bit1);
            let entry = table.rams[tap].read_data.val();
            /// An index that could not be read fails whatever entry it seems to name; the two rows of a word of
            /// indices come from one line.
            let index_failed = table.words[self.index_bank(tap)].last().bit(TEXEL_BITS - 1);
            let failed = if is_indexed { index_failed || entry.high(1) } else { direct.high(1) };
            let color = if is_indexed { entry.low(32) } else { direct.low(32) };
            found.next = cat(&[failed, color]);
        }
    }

    fn errors(&self) {
        /// # Errors
        let tap = self.taps.last();
        let field = |name: &str| self._tap.get(tap, name);
        let (odd_x, odd_y) = (field("odd_weight_x"), field("odd_weight_y"));
        let has = |parity: usize, odd_weight: Bits| if parity == 1 { odd_weight.any() } else { !odd_weight.high(1) };
        let failed = |number: usize| {
            let failed = self.colors_found[number].val().high(1);
            match self.own_word.as_ref() {
                Some(_) => failed,
                None => failed && has(number & 1, odd_x) && has(number >> 1, odd_y),
            }
        };
        let any = (0..self.colors_found.len()).fold(lit(1, 0u32), |any, number| any || failed(number));
        self.error.next = any && field("is_valid");
        self.leaves.next = self.waiting.last() && !field("is_table");
        self.tap_left.next = tap;
    }
}

/// The texel of a word with bit 1 of its column, of indices of its row.
#[kernel]
fn texel(word: Bits, bit1: Bits) -> Bits {
    if bit1 { word.high(TEXEL_BITS) } else { word.low(TEXEL_BITS) }
}
