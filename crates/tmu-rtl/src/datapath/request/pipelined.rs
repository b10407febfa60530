//! `request`: from beats of the request FIFO to items.
//!
//! Puts the beats of a quad together and drops packets of the wrong length. A binding is checked against the rules
//! and then takes its place between the quads, so that quads of different bindings may be under way together. One
//! with a colour table goes twice: first as a binding of the table itself, with its 256 entries behind it,
//! then as that of the levels.
//!
//! Latency 2 clocks from a quad's last beat to its first item, 7 for a binding. Initiation interval one item: with one pixel
//! an item as many as the quad has valid pixels, but see [`least_items`](crate::datapath::words::least_items).

use crate::datapath::binding::{self, BINDING_BITS, LINE_SHIFT, part};
use crate::datapath::bundles::{BindingField, BindingState, Layout, line_bits};
use crate::datapath::format::Kind;
use crate::datapath::request::extent::Extent;
use crate::datapath::request::rules::{
    MEASURING_CLOCKS, RULES_AT_SIGHT, all_rules, any_in_parts, broken_rules, measure, parts_above,
};
use crate::datapath::request::turn::{self, Turn};
use crate::datapath::words::{
    LANES_OF_QUAD, PIXEL_BITS, QUAD_BITS, binding_pixel, item_layout, items_of_quad, lanes,
};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::binding::BindingRule;
use tmu_spec::binding::field::{DROP_CACHE, FORMAT, HEIGHT_LOG2, MAX_LOD, MIPMAPPED, WIDTH_LOG2};
use tmu_spec::quad::BeatsPerQuad;

/// The bit of a binding that tells a format with a colour table from that of the table's colours.
const INDEXED_BIT: usize = FORMAT.shift as usize + 1;
/// Bits of the number of an entry of a colour table.
const ENTRY_BITS: usize = 8;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Request {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Beats: `tdata`, then one bit for a binding, then one for the last beat of a packet.
    pub beat: StreamIn,
    /// All items move on at the next edge.
    pub advance: Net<In>,
    /// There is something in the item.
    pub out_valid: Net<Out>,
    /// The item, see [`item_layout`].
    pub out_item: Net<Out>,
    /// The quad that the item belongs to: pixels 0 to 3, u below v.
    pub quad: Net<Out>,
    /// Its valid bits.
    pub valid_pixels: Net<Out>,
    /// What `lod` needs of the quad's binding.
    pub binding: BindingState<Out>,
    /// Rules that a binding has just broken, bit by bit.
    pub broken_rules: Net<Out>,
    /// A packet of the wrong length has just been dropped.
    pub packet_dropped: Net<Out>,
    /// A quad has just entered.
    pub quad_enters: Net<Out>,
    /// Valid pixels that have just left, at most as many as an item has.
    pub pixels_leave: Net<Out>,
    half: Optional<Reg>,
    has_half: Optional<Reg>,
    skipping: Reg,
    dropped: Reg,
    packet: Reg,
    packet_full: Reg,
    packet_is_binding: Reg,
    raw_above: Reg,
    rules: Reg,
    extent: Extent,
    line_behind: Optional<Reg>,
    is_checked: Reg,
    is_measured: Vec<Reg>,
    is_good: Reg,
    has_table: Optional<Reg>,
    is_judged: Reg,
    reported: Reg,
    in_table: Optional<Reg>,
    behind_table: Optional<Reg>,
    table_row: Optional<Reg>,
    filled: Reg,
    turn: Optional<Turn>,
    is_binding: Reg,
    is_table: Optional<Reg>,
    item_is_good: Reg,
    pixels: Reg,
    valid: Reg,
    width_log2: Optional<Reg>,
    height_log2: Optional<Reg>,
    max_lod: Optional<Reg>,
    is_mipmapped: Optional<Reg>,
    entered: Reg,
    left_pixels: Reg,
    packet_free: Net<Local>,
    item_free: Net<Local>,
    takes_quad: Net<Local>,
    takes_binding: Net<Local>,
    takes_row: Net<Local>,
    raw: Net<Local>,
    _config: Config,
    _item: Layout,
    _lanes: usize,
}

impl Request {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Request {
        let clocks = Clocks::new();
        let beats = config.request().beats_per_quad();
        let two_beats = beats == BeatsPerQuad::Two;
        let has_table = config.features().has_color_table();
        let mipmaps = config.features().mipmaps();
        let out_item = item_layout(config);
        let lanes = lanes(config);
        let row_bits = ENTRY_BITS - items_of_quad(lanes).ilog2() as usize;
        let pixel_count_bits = lanes.ilog2() as usize + 1;
        let flag = || Reg::with_reset(&clocks, 1, 0);
        Request {
            beat: StreamIn::new(beats.tdata_bits() as usize + 2),
            advance: Net::bit(),
            out_valid: Net::bit(),
            out_item: Net::new(out_item.width()),
            quad: Net::new(QUAD_BITS),
            valid_pixels: Net::new(LANES_OF_QUAD),
            binding: BindingState::new(
                config,
                if mipmaps { &crate::datapath::lod::pipelined::BINDING_FIELDS } else { &[] },
            ),
            broken_rules: Net::new(BindingRule::ALL.len()),
            packet_dropped: Net::bit(),
            quad_enters: Net::bit(),
            pixels_leave: Net::new(pixel_count_bits),
            half: Optional::new(two_beats, || Reg::new(&clocks, 128)),
            has_half: Optional::new(two_beats, flag),
            skipping: flag(),
            dropped: flag(),
            packet: Reg::new(&clocks, QUAD_BITS + LANES_OF_QUAD),
            packet_full: flag(),
            packet_is_binding: Reg::new(&clocks, 1),
            raw_above: Reg::new(&clocks, parts_above(config)),
            rules: Reg::new(&clocks, RULES_AT_SIGHT),
            extent: Extent::new(config),
            line_behind: Optional::new(has_table, || Reg::new(&clocks, line_bits(config))),
            is_checked: flag(),
            is_measured: (0..MEASURING_CLOCKS).map(|_| flag()).collect(),
            is_good: Reg::new(&clocks, 1),
            has_table: Optional::new(has_table, || Reg::new(&clocks, 1)),
            is_judged: flag(),
            reported: flag(),
            in_table: Optional::new(has_table, flag),
            behind_table: Optional::new(has_table, flag),
            table_row: Optional::new(has_table, || Reg::with_reset(&clocks, row_bits, 0)),
            filled: flag(),
            turn: Optional::new(lanes == 1, || Turn::new(&clocks)),
            is_binding: Reg::new(&clocks, 1),
            is_table: Optional::new(has_table, || Reg::new(&clocks, 1)),
            item_is_good: Reg::new(&clocks, 1),
            pixels: Reg::new(&clocks, QUAD_BITS),
            valid: Reg::new(&clocks, LANES_OF_QUAD),
            width_log2: Optional::new(mipmaps, || Reg::new(&clocks, 4)),
            height_log2: Optional::new(mipmaps, || Reg::new(&clocks, 4)),
            max_lod: Optional::new(mipmaps, || Reg::new(&clocks, 4)),
            is_mipmapped: Optional::new(mipmaps, || Reg::new(&clocks, 1)),
            entered: flag(),
            left_pixels: Reg::with_reset(&clocks, pixel_count_bits, 0),
            packet_free: Net::bit(),
            item_free: Net::bit(),
            takes_quad: Net::bit(),
            takes_binding: Net::bit(),
            takes_row: Net::bit(),
            raw: Net::new(BINDING_BITS),
            clocks,
            _config: config.clone(),
            _item: out_item,
            _lanes: lanes,
        }
    }
}

/// Puts quads together, checks bindings, and deals both out in items.
#[kernel]
impl Request {
    fn logic(&self) {
        timing(2, 1);
        self.packets();
        self.check();
        self.order();
        self.items();
        self.bind();
    }

    fn packets(&self) {
        /// # Packets
        let tdata_bits = self._config.request().beats_per_quad().tdata_bits() as usize;
        let beat = self.beat.data.val();
        let is_binding = beat.bit(tdata_bits);
        let last = beat.bit(tdata_bits + 1);
        let has_half = self.has_half.as_ref().map_or_else(|| lit(1, 0u32), |reg| reg.val());
        /// A beat that may end a packet waits while a whole one stands here. One that is a packet may come as another leaves.
        let comes_at_once = self._lanes > 1 || self.half.is_none();
        let makes_room = if comes_at_once { self.takes_quad.val() } else { lit(1, 0u32) };
        self.packet_free.next = !self.packet_full.val() || makes_room;
        let is_first_half = if comes_at_once { lit(1, 0u32) } else { !has_half && !is_binding };
        self.beat.ready.next = self.packet_free.val() || is_first_half;
        let moves = self.beat.moves();
        /// A binding is one beat; a quad ends where its last pixel is.
        let ends_here = is_binding || (self.half.is_none() || has_half);
        let starts_binding = is_binding && !has_half;
        let fits = last == ends_here;
        self.dropped.next = moves && last && (self.skipping.val() || !fits);
        self.packet_dropped.next = self.dropped.val();
        if moves {
            self.skipping.next = !last && (self.skipping.val() || !fits);
        }
        let ends_well = fits && last && !self.skipping.val();
        let pixels = beat.low(tdata_bits - 8);
        let valid_pixels = beat.slice(tdata_bits - 8, 4);
        discard(beat.slice(tdata_bits - 4, 4), "filling of tdata to whole bytes; reserved in a binding");
        let whole = match (self.half.as_ref(), self.has_half.as_ref()) {
            (Some(half), Some(has_half)) => {
                if moves {
                    has_half.next = !self.skipping.val() && !is_binding && !has_half.val() && !last;
                    half.next = pixels;
                }
                cat(&[valid_pixels, pixels, half.val()])
            }
            _ => cat(&[valid_pixels, pixels]),
        };
        /// What stands here when no beat may come leaves or stays; worded so that little waits for who takes it.
        let stays = !self.takes_quad.val() && !self.takes_binding.val();
        let in_valid = self.beat.valid.val() && ends_well;
        self.packet_full.next = if self.packet_free.val() { in_valid } else { stays };
        /// What stands here when there is no packet does not count.
        if self.packet_free.val() {
            self.packet.next = whole;
            if let Some(turn) = self.turn.as_ref() {
                turn::stand(turn, &self._config, valid_pixels, starts_binding);
            }
            self.packet_is_binding.next = starts_binding;
            self.raw_above.next = any_in_parts(beat.slice(BINDING_BITS, tdata_bits - BINDING_BITS));
        }
        self.raw.next = self.packet.val().slice(self.binding_lo(), BINDING_BITS);
    }

    /// Where a binding stands in a packet: its beat is a quad's last.
    fn binding_lo(&self) -> usize {
        binding_pixel(&self._config) * PIXEL_BITS
    }

    fn check(&self) {
        /// # Rules of a binding
        let raw = self.raw.val();
        self.rules.next = broken_rules(&self._config, raw, self.raw_above.val().any());
        let stands = self.packet_full.val() && self.packet_is_binding.val();
        let out_valid = self.takes_binding.val();
        self.is_checked.next = stands && !out_valid;
        measure(&self._config, &self.extent, &self.clocks, raw);
        /// The texture's extent takes longer than the other rules.
        let mut before = self.is_checked.val();
        for step in &self.is_measured {
            step.next = before && !out_valid;
            before = step.val();
        }
        self.is_judged.next = before && !out_valid;
        let is_good = !self.rules.val().any() && !self.extent.is_past.val();
        self.is_good.next = is_good;
        if let Some(has_table) = self.has_table.as_ref() {
            has_table.next = self.kind().is_indexed && is_good;
        }
        /// Reported once, when the binding leaves.
        self.reported.next = out_valid;
        let reported = self.reported.val().repeat(BindingRule::ALL.len());
        self.broken_rules.next = all_rules(self.rules.val(), &self.extent) & reported;
        if let Some(behind) = self.line_behind.as_ref() {
            let line = binding::first_line(&self._config, raw);
            let table_lines = |lines: u32| lit(behind.width(), lines);
            behind.next = line + if self.kind().is_rgb { table_lines(48) } else { table_lines(64) };
        }
    }

    /// What the texels of the binding that stands here are.
    fn kind(&self) -> Kind {
        binding::kind(&self._config, self.raw.val())
    }

    fn order(&self) {
        /// # Order
        /// What goes into the items next: a quad, a binding, or a row of the colour table.
        let free = self.item_free.val();
        let full = self.packet_full.val();
        self.takes_quad.next = free && full && !self.packet_is_binding.val();
        let (Some(has_table), Some(in_table), Some(behind), Some(row)) = (
            self.has_table.as_ref(),
            self.in_table.as_ref(),
            self.behind_table.as_ref(),
            self.table_row.as_ref(),
        ) else {
            self.takes_binding.next = free && self.is_judged.val();
            self.takes_row.next = 0;
            return;
        };
        let has_table = has_table.val();
        let begins_table = free && self.is_judged.val() && has_table && !in_table.val() && !behind.val();
        let ends_table = self.takes_row.val() && row.val().all();
        self.takes_row.next = free && in_table.val();
        self.takes_binding.next =
            free && self.is_judged.val() && !in_table.val() && (!has_table || behind.val());
        if begins_table {
            in_table.next = 1;
        } else if ends_table {
            in_table.next = 0;
        }
        if ends_table {
            behind.next = 1;
        } else if self.takes_binding.val() {
            behind.next = 0;
        }
        if self.takes_row.val() {
            row.next = row.val() + 1;
        }
    }

    fn items(&self) {
        /// # Items
        let always = || lit(1, 1u32);
        let is_last = self.turn.as_ref().map_or_else(always, |turn| turn.is_last.val());
        let pixel = self.turn.as_ref().map_or_else(|| lit(2, 0u32), |turn| turn.pixel.val());
        self.item_free.next = self.advance.val() && (is_last || !self.filled.val());
        let binds = self.is_judged.val() && !self.is_in_table();
        let fills = self.takes_quad.val() || self.takes_row.val() || (self.item_free.val() && binds);
        if self.item_free.val() {
            self.filled.next = fills;
        }
        if let Some(turn) = self.turn.as_ref() {
            if self.advance.val() {
                turn::step(turn, self.item_free.val(), self.is_in_table());
            }
        }
        let packet = self.packet.val();
        if self.item_free.val() {
            self.is_binding.next = binds;
            if let Some(is_table) = self.is_table.as_ref() {
                is_table.next = self.is_in_table();
            }
            self.item_is_good.next = self.is_good.val();
            self.valid.next = packet.high(4);
            /// A binding stands where one of the pixels is.
            let lo = self.binding_lo();
            let above = packet.slice(lo + BINDING_BITS, QUAD_BITS - lo - BINDING_BITS);
            let own = if binds { self.binding_word() } else { self.raw.val() };
            self.pixels.next = if lo == 0 { cat(&[above, own]) } else { cat(&[above, own, packet.low(lo)]) };
        }
        let (pixels, valid) = (self.pixels.val(), self.valid.val());
        let chosen = |from: Bits| {
            let width = from.width() / LANES_OF_QUAD;
            let of = |pixel: usize| from.slice(pixel * width, width);
            let upper = if pixel.bit(0) { of(1) } else { of(0) };
            let lower = if pixel.bit(0) { of(3) } else { of(2) };
            if pixel.bit(1) { lower } else { upper }
        };
        let (own_pixels, own_valid) =
            if self._lanes == 1 { (chosen(pixels), chosen(valid)) } else { (pixels, valid) };
        let is_good = self.item_is_good.val().zero_extend(own_valid.width());
        let is_valid = if self.is_binding.val() { is_good } else { own_valid };
        let is_table = self.is_table.as_ref().map_or_else(|| lit(1, 0u32), |reg| reg.val());
        self.out_valid.next = self.filled.val();
        self.out_item.next = self._item.pack(&[
            ("is_binding", self.is_binding.val()),
            ("is_table", is_table),
            ("pixel", pixel),
            ("is_last", is_last),
            ("is_valid", is_valid),
            ("pixels", own_pixels),
        ]);
        self.quad.next = pixels;
        self.valid_pixels.next = valid;
        self.entered.next = self.takes_quad.val();
        self.quad_enters.next = self.entered.val();
        let bits = self.left_pixels.width();
        let count =
            (0..self._lanes).fold(lit(bits, 0u32), |sum, lane| sum + own_valid.bit(lane).zero_extend(bits));
        let leaves = self.filled.val() && self.advance.val() && !self.is_binding.val() && !is_table;
        self.left_pixels.next = count & leaves.repeat(bits);
        self.pixels_leave.next = self.left_pixels.val();
    }

    /// One bit: rows of the colour table go into the items.
    fn is_in_table(&self) -> Bits {
        self.in_table.as_ref().map_or_else(|| lit(1, 0u32), |reg| reg.val())
    }

    /// The binding as it goes on: of a texture with a colour table first the table, as colours, then the levels.
    fn binding_word(&self) -> Bits {
        let raw = self.raw.val();
        let (Some(behind), Some(line)) = (self.behind_table.as_ref(), self.line_behind.as_ref()) else {
            return raw;
        };
        let is_behind = behind.val();
        /// The codes of packed formats may have the bit too.
        let packed = self.kind().packing.any();
        let first_line = if is_behind { line.val() } else { binding::first_line(&self._config, raw) };
        let above = raw.slice(LINE_SHIFT + line.width(), INDEXED_BIT - LINE_SHIFT - line.width());
        let drop_cache_bit = DROP_CACHE.shift as usize;
        /// What is in the cache goes once.
        let invalidates = part(raw, DROP_CACHE) && !is_behind;
        let upper = raw.slice(INDEXED_BIT + 1, drop_cache_bit - INDEXED_BIT - 1);
        cat(&[
            raw.high(BINDING_BITS - drop_cache_bit - 1),
            invalidates,
            upper,
            raw.bit(INDEXED_BIT) && (is_behind || packed),
            above,
            first_line,
            raw.low(LINE_SHIFT),
        ])
    }

    fn bind(&self) {
        /// # Binding of the quads
        let raw = self.raw.val();
        for (reg, field, value) in [
            (&self.width_log2, BindingField::WidthLog2, part(raw, WIDTH_LOG2)),
            (&self.height_log2, BindingField::HeightLog2, part(raw, HEIGHT_LOG2)),
            (&self.max_lod, BindingField::MaxLod, part(raw, MAX_LOD)),
            (&self.is_mipmapped, BindingField::IsMipmapped, part(raw, MIPMAPPED)),
        ] {
            if let (Some(reg), Some(net)) = (reg.as_ref(), self.binding.net(field)) {
                if self.takes_binding.val() {
                    reg.next = value;
                }
                net.next = reg.val();
            }
        }
    }
}
