//! `decode`: from rows to the colours of a pixel's four taps.
//!
//! Each bank of rows gives the two words that a footprint can take from it, each tap chooses its bank, indices take
//! their byte and are looked up in the colour table, which is kept once for each tap and filled here too.
//!
//! Latency 6 clocks with a colour table, 2 without. Initiation interval 1. With a colour table a RAM of 256 x 33
//! bits for each tap.

use super::cache::fill::{ROW_BITS, TEXEL_BITS};
use super::delay::Delay;
use super::words::tap_layout;
use crate::bundles::Layout;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle};
use tmu_spec::Config;
use tmu_spec::tile::BANKS;

/// Clocks from a texel to its colour.
const TABLE_CLOCKS: usize = 4;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Decode {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A slot comes with its rows.
    pub comes: Net<In>,
    /// What belongs to it, see [`tap_layout`].
    pub tap: Net<In>,
    /// The rows, one for each parity of column and row.
    pub rows: Vec<Net<In>>,
    /// A slot leaves.
    pub leaves: Net<Out>,
    /// What belongs to it, see [`tap_layout`].
    pub tap_left: Net<Out>,
    /// Colours of the taps, R in the lowest byte: x0 y0, x1 y0, x0 y1, x1 y1.
    pub colors: Vec<Net<Out>>,
    /// A texel that it needs could not be read.
    pub error: Net<Out>,
    waiting: Delay,
    taps: Delay,
    first_words: Vec<Reg>,
    second_words: Vec<Reg>,
    texels: Vec<Reg>,
    table: Optional<Table>,
    _config: Config,
    _tap: Layout,
}

/// Column and row of each tap.
const TAPS: [(&str, &str); 4] = [("x0", "y0"), ("x1", "y0"), ("x0", "y1"), ("x1", "y1")];

/// The tap with column and row exchanged.
const fn swapped(tap: usize) -> usize {
    tap >> 1 | (tap & 1) << 1
}

/// The colour table, once for each tap, and the clocks that it takes.
#[derive(Bundle)]
struct Table {
    entry: Reg,
    rams: Vec<RamSimpleDualPort>,
    indices: Vec<Reg>,
    beside: Vec<Delay>,
    colors: Vec<Reg>,
}

impl Table {
    fn new(clocks: &Clocks, taps: usize) -> Table {
        let ram = || RamSimpleDualPort::new(RamShape::new(256, TEXEL_BITS).style(RamStyle::Block).output_register(true));
        Table {
            entry: Reg::with_reset(clocks, 8, 0),
            rams: (0..taps).map(|_| ram()).collect(),
            indices: Reg::array(taps, clocks, 8),
            beside: (0..taps).map(|_| Delay::new(clocks, TABLE_CLOCKS - 1, TEXEL_BITS)).collect(),
            colors: Reg::array(taps, clocks, TEXEL_BITS),
        }
    }
}

impl Decode {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Decode {
        let clocks = Clocks::new();
        let tap = tap_layout(config);
        let has_table = config.features().has_color_table();
        let taps = if config.features().bilinear() { 4 } else { 1 };
        let banks = BANKS as usize;
        let steps = 2 + if has_table { TABLE_CLOCKS } else { 0 };
        Decode {
            comes: Net::bit(),
            tap: Net::new(tap.width()),
            rows: Net::array(banks, ROW_BITS),
            leaves: Net::bit(),
            tap_left: Net::new(tap.width()),
            colors: Net::array(taps, 32),
            error: Net::bit(),
            waiting: Delay::flag(&clocks, steps),
            taps: Delay::new(&clocks, steps, tap.width()),
            first_words: Reg::array(banks, &clocks, TEXEL_BITS),
            second_words: Reg::array(if taps == 4 { banks } else { 0 }, &clocks, TEXEL_BITS),
            texels: Reg::array(taps, &clocks, TEXEL_BITS),
            table: Optional::new(has_table, || Table::new(&clocks, taps)),
            clocks,
            _config: config.clone(),
            _tap: tap,
        }
    }
}

/// Texels out of rows, colours out of texels.
#[kernel]
impl Decode {
    fn logic(&self) {
        timing(if self.table.is_some() { 6 } else { 2 }, 1);
        self.words();
        self.choose();
        self.look_up();
        self.errors();
    }

    fn words(&self) {
        /// # Words
        let always = lit(1, 1u32);
        self.waiting.take(self.comes.val(), always);
        self.taps.take(self.tap.val(), always);
        let field = |name: &str| self._tap.get(self.tap.val(), name);
        let is_indexed = field("is_indexed");
        /// A row of colours has a texel in each word, a tile of indices a row.
        let first = if is_indexed { field("y0").low(2) } else { field("x0").low(2) };
        let second = if is_indexed { field("y1").low(2) } else { field("x1").low(2) };
        for (number, row) in self.rows.iter().enumerate() {
            let word = |place: Bits| {
                let of = |word: usize| row.val().slice(TEXEL_BITS * word, TEXEL_BITS);
                let upper = if place.bit(0) { of(3) } else { of(2) };
                let lower = if place.bit(0) { of(1) } else { of(0) };
                if place.bit(1) { upper } else { lower }
            };
            self.first_words[number].next = word(first);
            if let Some(reg) = self.second_words.get(number) {
                reg.next = word(second);
            }
        }
    }

    fn choose(&self) {
        /// # Bank of each tap
        /// A bank's first word is that of x0, its second that of x1; of indices that of y0 and that of y1. So the
        /// two taps in the middle change places for indices, until they have their colours.
        let field = |name: &str| self._tap.get(self.taps.after(1), name);
        let is_indexed = field("is_indexed");
        for (number, texel) in self.texels.iter().enumerate() {
            let (x, y) = TAPS[number];
            let (other_x, other_y) = TAPS[swapped(number)];
            let column_parity = if is_indexed { field(other_x).bit(2) } else { field(x).bit(2) };
            /// Tiles of indices stand in the bank of their tile row, colours in that of their row.
            let row_parity = if is_indexed { field(other_y).bit(2) } else { field(y).bit(0) };
            let words = if number & 1 == 1 { &self.second_words } else { &self.first_words };
            let even = if column_parity { words[1].val() } else { words[0].val() };
            let odd = if column_parity { words[3].val() } else { words[2].val() };
            texel.next = if row_parity { odd } else { even };
        }
    }

    fn look_up(&self) {
        /// # Colour table
        let always = lit(1, 1u32);
        let Some(table) = self.table.as_ref() else {
            for (color, texel) in self.colors.iter().zip(&self.texels) {
                color.next = texel.val().low(32);
            }
            return;
        };
        let field = |name: &str| self._tap.get(self.taps.after(2), name);
        /// A clock later than the look-ups beside it, which so never meet the entry being written.
        let fills = self.waiting.after(3) && self._tap.get(self.taps.after(3), "is_table");
        if fills {
            table.entry.next = table.entry.val() + 1;
        }
        let is_indexed = self._tap.get(self.taps.after(5), "is_indexed");
        for (number, ram) in table.rams.iter().enumerate() {
            let texel = self.texels[number].val();
            let x = field(TAPS[swapped(number)].0).low(2);
            let byte = |number: usize| texel.slice(8 * number, 8);
            let upper = if x.bit(0) { byte(3) } else { byte(2) };
            let lower = if x.bit(0) { byte(1) } else { byte(0) };
            table.indices[number].next = if x.bit(1) { upper } else { lower };
            ram.clocks.follow(&self.clocks);
            ram.write_enable.next = fills;
            ram.write_address.next = table.entry.val();
            ram.write_data.next = table.beside[0].after(1);
            ram.read_enable.next = 1;
            ram.read_address.next = table.indices[number].val();
            if let Some(enable) = ram.output_enable.as_ref() {
                enable.next = 1;
            }
            table.beside[number].take(texel, always);
        }
        for number in 0..table.rams.len() {
            let direct = table.beside[number].last();
            let entry = table.rams[swapped(number)].read_data.val();
            let index = table.beside[swapped(number)].last();
            /// An index that could not be read fails whatever entry it seems to name.
            let failed = if is_indexed { index.high(1) || entry.high(1) } else { direct.high(1) };
            let color = if is_indexed { entry.low(32) } else { direct.low(32) };
            table.colors[number].next = cat(&[failed, color]);
            self.colors[number].next = table.colors[number].val().low(32);
        }
    }

    fn errors(&self) {
        /// # Errors
        let tap = self.taps.last();
        let field = |name: &str| self._tap.get(tap, name);
        let (has_x1, has_y1) = (field("weight_x").any(), field("weight_y").any());
        let texels: &[Reg] = self.table.as_ref().map_or(&self.texels, |table| &table.colors);
        let failed = |number: usize| {
            let needed = match number {
                0 => lit(1, 1u32),
                1 => has_x1,
                2 => has_y1,
                _ => has_x1 && has_y1,
            };
            texels[number].val().high(1) && needed
        };
        let any = (0..texels.len()).fold(lit(1, 0u32), |any, number| any || failed(number));
        self.error.next = any && field("is_valid");
        self.leaves.next = self.waiting.last() && !field("is_table");
        self.tap_left.next = tap;
    }
}
