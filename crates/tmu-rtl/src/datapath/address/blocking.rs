//! `address`: from footprints to the lines that hold their texels.
//!
//! One tap a clock: the tile of its texel, the texel's place behind the start of the texture in texels, then in
//! bytes, then the line itself. A texel of three bytes may lie across two lines and then takes two look-ups. Each
//! look-up is marked when it asks for the same line as the one before. While the colour table is loaded its 256
//! entries are the texels of a row of 16 tiles.
//!
//! Latency 6 clocks from a footprint to its first look-up. Initiation interval 1 clock a look-up, 2 for the end
//! of a quad. No RAM, no multiplier.

use crate::datapath::bundles::BindingField::{FirstLine, IsBilinear, IsIndexed, IsRgb, Packing};
use crate::datapath::bundles::{
    BindingState, Layout, footprint_layout, line_bits, sideband_layout, texel_bits,
};
use crate::datapath::format::has_rgb;
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// Entries of a colour table.
const TABLE_ENTRIES: usize = 256;
/// Bits of a tile's number inside its level.
const TILE_BITS: usize = 18;
/// Bits of a texel's number inside its tile.
const TEXEL_BITS: usize = 4;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Address {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Footprints and ends, see [`footprint_layout`].
    pub input: StreamIn,
    /// The binding in force.
    pub binding: BindingState<In>,
    /// Load the colour table.
    pub table_load: Optional<Net<In>>,
    /// Look-ups and ends: the line, whether it is the line before, and the look-up, see [`sideband_layout`].
    pub output: StreamOut,
    footprint: Reg,
    active: Reg,
    tap: Reg,
    /// The last tap is here, or none: the next footprint may come. A register, since `coordinate` waits for it.
    free: Reg,
    table_entry: Optional<Reg>,
    table_active: Optional<Reg>,
    in_tile: Stage,
    texel: Reg,
    row: Reg,
    column: Reg,
    tile_offset: Reg,
    in_texture: Stage,
    texture_texel: Reg,
    /// The same number where texels have three bytes, otherwise 0: what the adder of the bytes needs beside it.
    third: Optional<Reg>,
    in_bytes: Stage,
    texture_byte: Reg,
    /// A texel that lies across two lines is here for the first of its two clocks.
    rest_follows: Optional<Reg>,
    is_rest: Optional<Reg>,
    in_memory: Stage,
    line: Reg,
    looked_up: Stage,
    looked_up_line: Reg,
    looked_up_repeat: Reg,
    advance: Net<Local>,
    advance_tap: Net<Local>,
    take: Net<Local>,
    _config: Config,
    _footprint: Layout,
    _sideband: Layout,
}

/// A pipeline stage: whether it holds a look-up or an end, and what travels along.
#[derive(Debug, Bundle)]
struct Stage {
    is_valid: Reg,
    sideband: Reg,
}

impl Stage {
    /// The reset of what travels along keeps tools from making shift registers of LUTs: flip-flops cost less.
    fn new(clocks: &Clocks, sideband: &Layout) -> Stage {
        Stage {
            is_valid: Reg::with_reset(clocks, 1, 0),
            sideband: Reg::with_reset(clocks, sideband.width(), 0),
        }
    }

    fn follow(&self, before: &Stage) {
        self.is_valid.drive(before.is_valid.val());
        self.sideband.drive(before.sideband.val());
    }
}

impl Address {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Address {
        let clocks = Clocks::new();
        let (footprint, sideband) = (footprint_layout(config), sideband_layout(config));
        let line_bits = line_bits(config);
        let has_table = config.features().has_color_table();
        let stage = || Stage::new(&clocks, &sideband);
        Address {
            input: StreamIn::new(footprint.width()),
            binding: BindingState::new(config, &[FirstLine, IsBilinear, IsIndexed, IsRgb, Packing]),
            table_load: Optional::new(has_table, Net::bit),
            output: StreamOut::new(sideband.width() + line_bits + 1),
            footprint: Reg::new(&clocks, footprint.width()),
            active: Reg::with_reset(&clocks, 1, 0),
            tap: Reg::with_reset(&clocks, 2, 0),
            free: Reg::with_reset(&clocks, 1, 1),
            table_entry: Optional::new(has_table, || Reg::with_reset(&clocks, 8, 0)),
            table_active: Optional::new(has_table, || Reg::with_reset(&clocks, 1, 0)),
            in_tile: stage(),
            texel: Reg::new(&clocks, TEXEL_BITS),
            row: Reg::new(&clocks, TILE_BITS),
            column: Reg::new(&clocks, texel_bits(config) - 2),
            tile_offset: Reg::new(&clocks, tmu_spec::level_offset::ENTRY_BITS as usize),
            in_texture: stage(),
            texture_texel: Reg::new(&clocks, TILE_BITS + 1 + TEXEL_BITS),
            third: Optional::new(has_rgb(config), || Reg::new(&clocks, TILE_BITS + 1 + TEXEL_BITS)),
            in_bytes: stage(),
            texture_byte: Reg::new(&clocks, TILE_BITS + 1 + TEXEL_BITS + 2),
            rest_follows: Optional::new(has_rgb(config), || Reg::with_reset(&clocks, 1, 0)),
            is_rest: Optional::new(has_rgb(config), || Reg::with_reset(&clocks, 1, 0)),
            in_memory: stage(),
            line: Reg::new(&clocks, line_bits).width_named("LINE_NUMBER_BITS"),
            looked_up: stage(),
            looked_up_line: Reg::new(&clocks, line_bits).width_named("LINE_NUMBER_BITS"),
            looked_up_repeat: Reg::new(&clocks, 1),
            advance: Net::bit(),
            advance_tap: Net::bit(),
            take: Net::bit(),
            clocks,
            _config: config.clone(),
            _footprint: footprint,
            _sideband: sideband,
        }
    }
}

/// Lines of the taps of each footprint, one after the other.
#[kernel]
impl Address {
    fn logic(&self) {
        timing(6, 1);
        self.taps();
        self.tile();
        self.texture();
        self.bytes();
        self.memory();
        self.lookup();
    }

    fn taps(&self) {
        /// # Taps
        let bilinear = self.binding.get(IsBilinear);
        let is_end = |word: Bits| self._footprint.get(word, "is_end");
        let tap = self.tap.val();
        self.take.next = self.advance_tap.val() && self.free.val();
        self.input.ready.next = self.take.val();
        if self.take.val() {
            self.active.next = self.input.valid.val();
            self.footprint.next = self.input.data.val();
            self.tap.next = 0;
            self.free.next = !self.input.valid.val() || (!is_end(self.input.data.val()) && !bilinear);
        } else if self.advance_tap.val() {
            /// The end of a quad takes two places, so that the pixels of the next one come after its result.
            self.tap.next = tap + 1;
            self.free.next = is_end(self.footprint.val()) || tap == 2;
        }
        let (Some(entry), Some(active), Some(load)) =
            (self.table_entry.as_ref(), self.table_active.as_ref(), self.table_load.as_ref())
        else {
            return;
        };
        /// # Colour table
        /// Active from the request until the last entry has gone; the request stays up until the entry is written.
        let last_entry = entry.val() == (TABLE_ENTRIES - 1) as u64;
        let steps = active.val() && self.advance_tap.val();
        if !load.val() {
            entry.next = 0;
            active.next = 1;
        } else if steps {
            entry.next = entry.val() + 1;
            active.next = !last_entry;
        }
    }

    /// One bit: an entry of the colour table is to be looked up.
    fn loads(&self) -> Bits {
        match (self.table_active.as_ref(), self.table_load.as_ref()) {
            (Some(active), Some(load)) => active.val() && load.val(),
            _ => lit(1, 0u32),
        }
    }

    fn tile(&self) {
        /// # Tile in the level
        let word = self.footprint.val();
        let field = |name: &str| self._footprint.get(word, name);
        let tap = self.tap.val();
        let has_taps = self._config.features().bilinear();
        let x = if has_taps && tap.bit(0) { field("x1") } else { field("x0") };
        let y = if has_taps && tap.bit(1) { field("y1") } else { field("y0") };
        let texel_bits = x.width();
        let column = x.high(texel_bits - 2);
        let loads = self.loads();
        let row = y.high(texel_bits - 2).zero_extend(TILE_BITS) << field("tiles_log2");
        let none = lit(TILE_BITS, 0u32);
        let table_entry = self.table_entry.as_ref().map(|reg| reg.val());
        let table_texel = table_entry.map_or_else(|| lit(TEXEL_BITS, 0u32), |entry| entry.low(4));
        let table_column = table_entry.map_or(column, |entry| entry.high(4).zero_extend(column.width()));
        let is_end = field("is_end");
        let is_pause = is_end && tap == 1;
        if self.advance_tap.val() {
            let stage = &self.in_tile;
            stage.is_valid.next = (self.active.val() && !is_pause) || loads;
            self.texel.next = if loads { table_texel } else { cat(&[y.low(2), x.low(2)]) };
            stage.sideband.next = self._sideband.pack(&[
                ("byte", lit(4, 0u32)),
                ("is_rest", lit(1, 0u32)),
                ("completes", lit(1, 1u32)),
                ("is_table", loads),
                ("is_end", is_end && !loads),
                ("valid_pixels", field("valid_pixels")),
                ("pixel", field("pixel")),
                ("tap", tap),
                ("weight_x", field("weight_x")),
                ("weight_y", field("weight_y")),
            ]);
            self.row.next = if loads { none } else { row };
            self.column.next = if loads { table_column } else { column };
            self.tile_offset.next = if loads { none } else { field("level_offset") };
        }
    }

    fn texture(&self) {
        /// # Texel in the texture
        /// Below the row's bits lie those of the column: they meet in the adder's own LUTs.
        let tile = self.row.val() | self.column.val().zero_extend(TILE_BITS);
        let texture_tile = self.tile_offset.val().add_wide(tile);
        let texel = cat(&[texture_tile, self.texel.val()]);
        if self.advance_tap.val() {
            self.in_texture.follow(&self.in_tile);
            self.texture_texel.next = texel;
            if let Some(third) = self.third.as_ref() {
                third.next = if self.is_three() { texel } else { lit(texel.width(), 0u32) };
            }
        }
    }

    /// One bit: texels have three bytes.
    fn is_three(&self) -> Bits {
        self.binding.get(IsRgb) && !self.binding.get(IsIndexed)
    }

    fn bytes(&self) {
        /// # Byte in the texture
        /// Texels of four bytes, of three or two bytes, or indices of one byte.
        let (is_rgb, is_indexed) = (self.binding.get(IsRgb), self.binding.get(IsIndexed));
        let width = self.texture_byte.width();
        let texel = self.texture_texel.val().zero_extend(width);
        let twice = texel << 1;
        let is_packed = self.binding.get(Packing).any();
        let four = if is_rgb || is_packed { twice } else { texel << 2 };
        let first = if is_indexed { texel } else { four };
        let second = self.third.as_ref().map_or_else(|| lit(width, 0u32), |reg| reg.val().zero_extend(width));
        let in_tile = self.texture_texel.val().low(TEXEL_BITS);
        let is_end = self._sideband.get(self.in_texture.sideband.val(), "is_end");
        if self.advance_tap.val() {
            self.in_bytes.follow(&self.in_texture);
            self.texture_byte.next = second + first;
        }
        if let Some(rest_follows) = self.rest_follows.as_ref() {
            /// Of the 16 texels of a tile of three lines these two lie across the ends of lines.
            let straddles = self.is_three() && !is_end && (in_tile == 5 || in_tile == 10);
            if self.advance.val() {
                rest_follows.next = self.in_texture.is_valid.val() && straddles && !rest_follows.val();
            }
        }
    }

    fn memory(&self) {
        /// # Line in memory
        let none = lit(1, 0u32);
        let rest_follows = self.rest_follows.as_ref().map_or(none, |reg| reg.val());
        let is_rest = self.is_rest.as_ref().map_or(none, |reg| reg.val());
        let line_bits = self.line.width();
        let byte_bits = self._config.cache().line_offset_bits() as usize;
        let byte = self.texture_byte.val().low(byte_bits);
        let texture_line = self.texture_byte.val().high(self.texture_byte.width() - byte_bits);
        /// The line behind is one more: it comes in as the carry, through a bit below all others.
        let texture_line = cat(&[texture_line.zero_extend(line_bits), is_rest]);
        let line = cat(&[self.binding.get(FirstLine), lit(1, 1u32)]) + texture_line;
        discard(line.low(1), "where the carry comes in");
        /// A texel that lies across two lines stays here for a second clock.
        self.advance_tap.next = self.advance.val() && !rest_follows;
        let sideband = self.in_bytes.sideband.val();
        let is_rgb = self.is_rest.is_some();
        let marks = match is_rgb {
            true => cat(&[!rest_follows, is_rest, byte]),
            false => byte,
        };
        discard(sideband.low(marks.width()), "known here first");
        if self.advance.val() {
            self.in_memory.is_valid.next = self.in_bytes.is_valid.val();
            self.in_memory.sideband.next = cat(&[sideband.high(sideband.width() - marks.width()), marks]);
            self.line.next = line.high(line_bits);
            if let Some(is_rest) = self.is_rest.as_ref() {
                is_rest.next = rest_follows;
            }
        }
    }

    fn lookup(&self) {
        /// # Look-up
        let sideband = self.in_memory.sideband.val();
        let looks_up = self.in_memory.is_valid.val() && !self._sideband.get(sideband, "is_end");
        if self.advance.val() {
            self.looked_up.follow(&self.in_memory);
            if looks_up {
                self.looked_up_line.next = self.line.val();
            }
            self.looked_up_repeat.next = self.line.val() == self.looked_up_line.val();
        }
        self.output.valid.next = self.looked_up.is_valid.val();
        self.output.data.next =
            cat(&[self.looked_up_repeat.val(), self.looked_up_line.val(), self.looked_up.sideband.val()]);
        self.advance.next = !self.looked_up.is_valid.val() || self.output.ready.val();
    }
}
