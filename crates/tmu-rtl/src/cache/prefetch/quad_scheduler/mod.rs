//! `quad_scheduler`: from the texels around an item's pixels to the tiles that they lie in.
//!
//! Columns and rows are taken apart by the parity of their tile, since each bank of tags looks up one tile. Taps without
//! weight need none. One pixel never needs more than two columns and two rows of tiles, of different parity. Four pixels go
//! on together if that is true of all their taps, and if no bank of texels, of which there is one for each place in a tile,
//! is asked for texels of two tiles; otherwise each pixel with something to read has an item of its own. The entries of a
//! colour table are the texels of a row of 16 tiles.
//!
//! With one pixel an item it is wires and multiplexers: latency 0. With four latency 6 steps, initiation interval 1 where the
//! pixels stay together, otherwise as many items as there are pixels to read. No RAMs, no multipliers.

mod serialiser;

use crate::datapath::bundles::{Layout, texel_bits};
use crate::datapath::words::{
    COLUMN_BITS, ScheduledTiles, footprint_layout, lane_layout, lanes, odd_weight_bits, tap_layout,
    taps_layout, word_select_layout,
};
use serialiser::{Serialiser, serialise, sorted_layout};
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// Items from a quad's footprint to its first tiles.
const LATENCY_STEPS: usize = 6;

/// Columns of texels in a tile, and rows.
const TILE_SIDE: usize = 4;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct QuadScheduler {
    /// Clock and reset, where anything is kept.
    pub clocks: Optional<Clocks>,
    /// All items behind move on at the next edge.
    pub advance: Net<In>,
    /// All items in front move on at the next edge.
    pub upstream_advance: Net<Out>,
    /// There is something in the item.
    pub in_valid: Net<In>,
    /// The item, see [`footprint_layout`].
    pub footprint: Net<In>,
    /// There is something in the item that leaves.
    pub out_valid: Net<Out>,
    /// What leaves, see [`ScheduledTiles`].
    pub out_tiles: Net<Out>,
    entry: Optional<Reg>,
    serialiser: Optional<Serialiser>,
    _config: Config,
    _footprint: Layout,
    _taps: Layout,
    _lane: Layout,
    _sorted: Layout,
    _scheduled: ScheduledTiles<Width>,
    _tap: Layout,
    _word_select: Layout,
}

impl QuadScheduler {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> QuadScheduler {
        let clocks = Clocks::new();
        let (footprint, quad_scheduler) = (footprint_layout(config), ScheduledTiles::of(config));
        let (serialises, has_table) = (lanes(config) > 1, config.features().has_color_table());
        QuadScheduler {
            advance: Net::bit(),
            upstream_advance: Net::bit(),
            in_valid: Net::bit(),
            footprint: Net::new(footprint.width()),
            out_valid: Net::bit(),
            out_tiles: Net::new(quad_scheduler.width()),
            entry: Optional::new(has_table, || Reg::with_reset(&clocks, 8, 0)),
            serialiser: Optional::new(serialises, || Serialiser::new(config, &clocks)),
            clocks: Optional::new(serialises || has_table, || clocks),
            _config: config.clone(),
            _footprint: footprint,
            _taps: taps_layout(config),
            _lane: lane_layout(config),
            _sorted: sorted_layout(config),
            _scheduled: quad_scheduler,
            _tap: tap_layout(config),
            _word_select: word_select_layout(config),
        }
    }
}

/// What a coordinate's two texels need: tiles by parity, whether they are needed, and of a quad's pixel the places in them;
/// bits 1 and 2 of the texel of each parity, and the weight of the odd one.
struct Sorted {
    tiles: Bits,
    needed: Bits,
    even_banks: Vec<Bits>,
    odd_banks: Vec<Bits>,
    bit1: Bits,
    bit2: Bits,
    weight: Bits,
}

/// Tiles under the pixels of an item.
#[kernel]
impl QuadScheduler {
    fn logic(&self) {
        timing(if self.serialiser.is_some() { LATENCY_STEPS as u32 } else { 0 }, 1);
        self.count_entries();
        if let Some(serialiser) = self.serialiser.as_ref() {
            serialise(self, serialiser);
        } else {
            self.pass();
        }
    }

    fn field(&self, name: &str) -> Bits {
        self._footprint.get(self.footprint.val(), name)
    }

    fn count_entries(&self) {
        /// # Entries of the colour table
        let upstream_advance = self.advance.val()
            && self.serialiser.as_ref().map_or_else(|| lit(1, 1u32), |serialiser| serialiser.is_last.val());
        self.upstream_advance.next = upstream_advance;
        if let Some(entry) = self.entry.as_ref() {
            if self.in_valid.val() && self.field("is_binding") && upstream_advance {
                entry.next = 0;
            } else if self.in_valid.val() && self.field("is_table") && upstream_advance {
                entry.next = entry.val() + 1;
            }
        }
    }

    /// Columns or rows of a pixel by parity.
    fn sorted(&self, lane: usize, axis: usize) -> Sorted {
        let width = self._taps.width();
        let tap = |name: &str| self._taps.get(self.field("taps").slice(lane * width, width), name);
        let (first_name, second_name, weight_name) =
            [("x0", "x1", "weight_x"), ("y0", "y1", "weight_y")][axis];
        let is_table = self.field("is_table");
        let texel_bits = texel_bits(&self._config);
        let entry = self.entry.as_ref().map_or_else(|| lit(8, 0u32), |reg| reg.val());
        let of_table =
            if axis == 0 { cat(&[entry.high(4), entry.low(2)]) } else { entry.slice(2, 2).zero_extend(6) };
        let tile_of = |texel: Bits| texel.high(texel_bits - 2).zero_extend(COLUMN_BITS);
        /// The entry of a colour table stands at both places.
        let has_entry = lane == 0 && self.entry.is_some();
        let texel = |name: &str| {
            let own = tap(name);
            if !has_entry {
                return (own.low(2), tile_of(own));
            }
            let low = if is_table { of_table.low(2) } else { own.low(2) };
            let tile = if is_table { of_table.high(4).zero_extend(COLUMN_BITS) } else { tile_of(own) };
            (low, tile)
        };
        let (low, first_tile) = texel(first_name);
        /// An only tap stands at both places too.
        let second = if self._config.features().bilinear() { second_name } else { first_name };
        let (second_low, second_tile) = texel(second);
        let weight = tap(weight_name);
        let needs_second = weight.any() && !is_table;
        let mut tiles = vec![];
        let mut needed = vec![];
        let mut banks = vec![];
        for parity in 0..2usize {
            let is_own = |tile: Bits| if parity == 1 { tile.bit(0) } else { !tile.bit(0) };
            let (first_is, second_is) = (is_own(first_tile), is_own(second_tile));
            tiles.push(if first_is { first_tile } else { second_tile });
            needed.push(first_is || (needs_second && second_is));
            let at = |place: usize| {
                let place = place as u64;
                (first_is && low == place) || (needs_second && second_is && second_low == place)
            };
            // One pixel never needs a bank twice.
            let word_selects = if lanes(&self._config) > 1 { TILE_SIDE } else { 0 };
            let places: Vec<Bits> = (0..word_selects).rev().map(at).collect();
            banks.push(places);
        }
        let is_odd = low.bit(0);
        let by_parity = |first: Bits, second: Bits| {
            let (even, odd) = (if is_odd { second } else { first }, if is_odd { first } else { second });
            cat(&[odd, even])
        };
        Sorted {
            tiles: cat(&[tiles[1], tiles[0]]),
            needed: cat(&[needed[1], needed[0]]),
            odd_banks: banks.pop().unwrap_or_default(),
            even_banks: banks.pop().unwrap_or_default(),
            bit1: by_parity(low.bit(1), second_low.bit(1)),
            bit2: by_parity(first_tile.bit(0), second_tile.bit(0)),
            weight: self.odd_weight(is_odd, second_low.bit(0), weight, needs_second),
        }
    }

    /// The weight of the texel of odd parity. Where an edge makes both texels one it has all the weight.
    fn odd_weight(&self, is_odd: Bits, second_is_odd: Bits, weight: Bits, needs_second: Bits) -> Bits {
        if !self._config.features().bilinear() {
            discard(second_is_odd, "one tap a pixel");
            return is_odd;
        }
        let bits = odd_weight_bits(&self._config);
        let differs = needs_second && (is_odd ^ second_is_odd);
        let of_second = weight & differs.repeat(weight.width());
        (of_second ^ is_odd.repeat(weight.width())).zero_extend(bits) + is_odd.zero_extend(bits)
    }

    /// One bit for each pixel: it has something to read.
    fn reads(&self) -> Bits {
        let is_table = self.field("is_table");
        let is_read = !self.field("is_failed") && !self.field("is_binding") && !is_table;
        let valid = self.field("is_valid");
        let first = is_table.zero_extend(valid.width());
        let in_valid = self.in_valid.val().repeat(valid.width());
        ((valid & is_read.repeat(valid.width())) | first) & in_valid
    }

    /// One pixel.
    fn pass(&self) {
        /// # Tiles
        let [columns, rows] = [0, 1].map(|axis| self.sorted(0, axis));
        let reads = self.reads();
        let needed: Vec<Bits> = (0..4usize)
            .rev()
            .map(|bank| reads && columns.needed.bit(bank & 1) && rows.needed.bit(bank >> 1))
            .collect();
        let lane = self._lane.pack(&[
            ("column_bit1", columns.bit1),
            ("row_bit1", rows.bit1),
            ("odd_weight_x", columns.weight),
            ("odd_weight_y", rows.weight),
        ]);
        let tile = |tiles: Bits, parity: usize| tiles.slice(parity * COLUMN_BITS, COLUMN_BITS);
        self.hand_on(
            self.sideband(),
            self.in_valid.val(),
            [tile(columns.tiles, 0), tile(columns.tiles, 1), tile(rows.tiles, 0), tile(rows.tiles, 1)],
            cat(&needed),
            [columns.bit2, rows.bit2, rows.bit1],
            &[("pixel", self.field("pixel")), ("is_last", self.field("is_last")), ("lanes", lane)],
        );
    }

    /// The footprint without its taps.
    fn sideband(&self) -> Bits {
        self.footprint.val().low(self._footprint.bits("taps").start)
    }

    fn hand_on(
        &self,
        sideband: Bits,
        out_valid: Bits,
        tiles: [Bits; 4],
        needed: Bits,
        word_selects: [Bits; 3],
        own: &[(&'static str, Bits)],
    ) {
        let mark = |name: &str| self._footprint.get(sideband, name);
        let mut tap = vec![
            ("is_table", mark("is_table")),
            ("is_valid", mark("is_valid")),
            ("is_failed", mark("is_failed")),
            ("is_indexed", lit(1, 0u32)),
        ];
        tap.extend_from_slice(own);
        let whole = self._tap.pack(&tap);
        let known_bits = self._scheduled.tap.value_bits();
        if known_bits < whole.width() {
            discard(whole.high(1), "`address` knows");
        }
        self.out_valid.next = out_valid;
        self.out_tiles.next = self._scheduled.pack(&ScheduledTiles {
            is_binding: mark("is_binding"),
            column: [tiles[0], tiles[1]],
            row: [tiles[2], tiles[3]],
            needed,
            level_lines: mark("level_lines"),
            tiles_log2: mark("tiles_log2"),
            place: mark("place"),
            word_selects: self._word_select.pack(&[
                ("column_bit2", word_selects[0]),
                ("row_bit2", word_selects[1]),
                ("row_bit1", word_selects[2]),
            ]),
            tap: whole.low(known_bits),
        });
    }
}
