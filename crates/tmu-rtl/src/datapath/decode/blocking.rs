//! `decode`: from lines to colours.
//!
//! Turns the texel's bytes to the front of the line, first by words, then by bytes, puts a texel together that
//! lies across two lines, and looks indices up in the colour table, which it also fills. Nothing here waits: the
//! request stage lets no more quads in than the result FIFO can take.
//!
//! Latency 5 clocks with a colour table, 2 without. Initiation interval 1. One RAM of 256 x 33 bits for the
//! table, whose entries remember when memory could not give them.

use crate::datapath::bundles::BindingField::{IsIndexed, IsRgb, Packing};
use crate::datapath::bundles::{BindingState, Layout, sideband_layout, tap_fields, tap_layout};
use crate::datapath::format::{PACKED_BITS, has_packed, has_rgb, unpack};
use crate::engine::memory::LINE_BITS;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle};
use tmu_spec::Config;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Decode {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A look-up comes with its line.
    pub in_valid: Net<In>,
    /// The look-up, see [`sideband_layout`].
    pub sideband: Net<In>,
    /// The line is in `fetched_line`, otherwise in `held_line`.
    pub is_fetched: Net<In>,
    /// The line as it stands in the cache.
    pub held_line: Net<In>,
    /// The line as it came from memory.
    pub fetched_line: Net<In>,
    /// The line could not be read.
    pub error: Net<In>,
    /// The binding in force.
    pub binding: BindingState<In>,
    /// A texel, or the end of a quad, leaves.
    pub out_valid: Net<Out>,
    /// What belongs to it, see [`tap_layout`].
    pub tap: Net<Out>,
    /// Its colour, R in the lowest byte.
    pub color: Net<Out>,
    /// A line that it needs could not be read.
    pub tap_error: Net<Out>,
    /// The last entry of the colour table has been written.
    pub table_done: Optional<Net<Out>>,
    words: Passing,
    words_bytes: Reg,
    words_byte: Reg,
    words_is_rest: Optional<Reg>,
    words_completes: Optional<Reg>,
    words_is_table: Optional<Reg>,
    texel: Passing,
    texel_bytes: Vec<Reg>,
    texel_is_table: Optional<Reg>,
    table: Optional<Table>,
    _config: Config,
    _sideband: Layout,
    _tap: Layout,
}

/// A pipeline stage: whether it holds a texel or an end, and what travels along.
#[derive(Debug, Bundle)]
struct Passing {
    is_valid: Reg,
    tap: Reg,
    error: Reg,
}

impl Passing {
    fn new(clocks: &Clocks, tap: &Layout) -> Passing {
        Passing {
            is_valid: Reg::with_reset(clocks, 1, 0),
            tap: Reg::with_reset(clocks, tap.width(), 0),
            error: Reg::with_reset(clocks, 1, 0),
        }
    }

    fn follow(&self, before: &Passing) {
        self.is_valid.drive(before.is_valid.val());
        self.tap.drive(before.tap.val());
        self.error.drive(before.error.val());
    }
}

/// The colour table and the two clocks that it takes.
#[derive(Bundle)]
struct Table {
    ram: RamSimpleDualPort,
    entry: Reg,
    loaded: Reg,
    read: Passing,
    read_color: Reg,
    looked_up: Passing,
    looked_up_color: Reg,
    colored: Passing,
    colored_color: Reg,
}

impl Table {
    fn new(clocks: &Clocks, tap: &Layout) -> Table {
        Table {
            ram: RamSimpleDualPort::new(RamShape::new(256, 33).style(RamStyle::Block).output_register(true)),
            entry: Reg::with_reset(clocks, 8, 0),
            loaded: Reg::with_reset(clocks, 1, 0),
            read: Passing::new(clocks, tap),
            read_color: Reg::new(clocks, 32),
            looked_up: Passing::new(clocks, tap),
            looked_up_color: Reg::new(clocks, 32),
            colored: Passing::new(clocks, tap),
            colored_color: Reg::new(clocks, 32),
        }
    }
}

impl Decode {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Decode {
        let clocks = Clocks::new();
        let (sideband, tap) = (sideband_layout(config), tap_layout(config));
        let (has_table, has_rgb) = (config.features().has_color_table(), has_rgb(config));
        Decode {
            in_valid: Net::bit(),
            sideband: Net::new(sideband.width()),
            is_fetched: Net::bit(),
            held_line: Net::new(LINE_BITS),
            fetched_line: Net::new(LINE_BITS),
            error: Net::bit(),
            binding: BindingState::new(config, &[IsIndexed, IsRgb, Packing]),
            out_valid: Net::bit(),
            tap: Net::new(tap.width()),
            color: Net::new(32),
            tap_error: Net::bit(),
            table_done: Optional::new(has_table, Net::bit),
            words: Passing::new(&clocks, &tap),
            words_bytes: Reg::new(&clocks, 48),
            words_byte: Reg::new(&clocks, 2),
            words_is_rest: Optional::new(has_rgb, || Reg::new(&clocks, 1)),
            words_completes: Optional::new(has_rgb, || Reg::new(&clocks, 1)),
            words_is_table: Optional::new(has_table, || Reg::new(&clocks, 1)),
            texel: Passing::new(&clocks, &tap),
            texel_bytes: Reg::array(4, &clocks, 8),
            texel_is_table: Optional::new(has_table, || Reg::with_reset(&clocks, 1, 0)),
            table: Optional::new(has_table, || Table::new(&clocks, &tap)),
            clocks,
            _config: config.clone(),
            _sideband: sideband,
            _tap: tap,
        }
    }
}

/// Texels out of lines, colours out of texels.
#[kernel]
impl Decode {
    fn logic(&self) {
        timing(if self.table.is_some() { 5 } else { 2 }, 1);
        self.select_words();
        self.select_bytes();
        self.look_up();
    }

    fn select_words(&self) {
        /// # Words
        /// Six bytes from the word in which the texel starts: all that a texel of three bytes can reach.
        let sideband = self.sideband.val();
        let field = |name: &str| self._sideband.get(sideband, name);
        let byte = field("byte");
        let word = byte.high(2);
        let byte_of = |line: Bits, number: usize| line.slice(8 * (number % 16), 8);
        let from_word = |line: Bits, number: usize| {
            let upper = if word.bit(0) { byte_of(line, 12 + number) } else { byte_of(line, 8 + number) };
            let lower = if word.bit(0) { byte_of(line, 4 + number) } else { byte_of(line, number) };
            if word.bit(1) { upper } else { lower }
        };
        let (held, fetched) = (self.held_line.val(), self.fetched_line.val());
        let bytes: Vec<Bits> = (0..6)
            .rev()
            .map(
                |number| {
                    if self.is_fetched.val() { from_word(fetched, number) } else { from_word(held, number) }
                },
            )
            .collect();
        let values: Vec<(&str, Bits)> =
            tap_fields(&self._config).iter().map(|(name, _, _)| (*name, field(name))).collect();
        self.words.is_valid.next = self.in_valid.val();
        self.words.tap.next = self._tap.pack(&values);
        self.words.error.next = self.error.val();
        self.words_bytes.next = cat(&bytes);
        self.words_byte.next = byte.low(2);
        for (reg, name) in [
            (&self.words_is_rest, "is_rest"),
            (&self.words_completes, "completes"),
            (&self.words_is_table, "is_table"),
        ] {
            if let Some(reg) = reg.as_ref() {
                reg.next = field(name);
            }
        }
    }

    fn select_bytes(&self) {
        /// # Bytes
        let (bytes, byte) = (self.words_bytes.val(), self.words_byte.val());
        let none = lit(1, 0u32);
        let is_rest = self.words_is_rest.as_ref().map_or(none, |reg| reg.val());
        let completes = self.words_completes.as_ref().map_or(!none, |reg| reg.val());
        let is_table = self.words_is_table.as_ref().map_or(none, |reg| reg.val());
        let is_rgb = self.binding.get(IsRgb);
        let turned = |number: usize| {
            let from = |shift: usize| bytes.slice(8 * (number + shift), 8);
            let upper = if byte.bit(0) { from(3) } else { from(2) };
            let lower = if byte.bit(0) { from(1) } else { from(0) };
            if byte.bit(1) { upper } else { lower }
        };
        for (number, reg) in self.texel_bytes.iter().enumerate() {
            /// Texels of four bytes start with a word, and of the others the fourth byte is not theirs.
            let value = match number {
                3 => bytes.slice(24, 8) | is_rgb.repeat(8),
                _ => turned(number),
            };
            /// Of a texel's second line only the bytes count that its first line did not have.
            let is_new = match number {
                0 => !is_rest,
                1 => !is_rest || byte.bit(0),
                _ => !none,
            };
            if self.words.is_valid.val() && is_new {
                reg.next = value;
            }
        }
        /// An error of the first line stays until the texel is complete.
        let spoilt = self.words.error.val() || (is_rest && self.texel.error.val());
        if self.words.is_valid.val() {
            self.texel.error.next = spoilt;
        }
        self.texel.is_valid.next = self.words.is_valid.val() && completes && !is_table;
        self.texel.tap.next = self.words.tap.val();
        if let Some(reg) = self.texel_is_table.as_ref() {
            reg.next = self.words.is_valid.val() && completes && is_table;
        }
    }

    /// The colour of a texel that is no index.
    fn color_of(&self, texel: Bits) -> Bits {
        if !has_packed(&self._config) {
            return texel;
        }
        let packing = self.binding.get(Packing);
        unpack(&self._config, packing, texel, |_| texel.low(PACKED_BITS))
    }

    fn look_up(&self) {
        /// # Colour table
        let bytes: Vec<Bits> = self.texel_bytes.iter().rev().map(|reg| reg.val()).collect();
        let texel = self.color_of(cat(&bytes));
        let (Some(table), Some(is_table)) = (self.table.as_ref(), self.texel_is_table.as_ref()) else {
            self.out_valid.next = self.texel.is_valid.val();
            self.tap.next = self.texel.tap.val();
            self.color.next = texel;
            self.tap_error.next = self.texel.error.val();
            return;
        };
        table.ram.clocks.follow(&self.clocks);
        table.ram.write_enable.next = is_table.val();
        table.ram.write_address.next = table.entry.val();
        table.ram.write_data.next = cat(&[self.texel.error.val(), texel]);
        table.ram.read_enable.next = 1;
        table.ram.read_address.next = texel.low(8);
        if let Some(enable) = table.ram.output_enable.as_ref() {
            enable.next = 1;
        }
        if is_table.val() {
            table.entry.next = table.entry.val() + 1;
        }
        table.loaded.next = is_table.val() && table.entry.val().all();
        if let Some(done) = self.table_done.as_ref() {
            done.next = table.loaded.val();
        }
        table.read.follow(&self.texel);
        table.read_color.next = texel;
        table.looked_up.follow(&table.read);
        table.looked_up_color.next = table.read_color.val();
        let entry = table.ram.read_data.val();
        let is_indexed = self.binding.get(IsIndexed);
        let is_texel = !self._tap.get(table.looked_up.tap.val(), "is_end");
        table.colored.is_valid.next = table.looked_up.is_valid.val();
        table.colored.tap.next = table.looked_up.tap.val();
        table.colored.error.next = table.looked_up.error.val() || (is_indexed && is_texel && entry.high(1));
        table.colored_color.next = if is_indexed { entry.low(32) } else { table.looked_up_color.val() };
        self.out_valid.next = table.colored.is_valid.val();
        self.tap.next = table.colored.tap.val();
        self.color.next = table.colored_color.val();
        self.tap_error.next = table.colored.error.val();
    }
}
