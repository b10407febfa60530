//! `fill`: from lines that memory answers to rows of texels.
//!
//! Lines come in the order in which they were asked for and are written as soon as no item waits for the texels
//! that they replace: the last item that looked into the tile's set has been read, or it is the turn of the item
//! that asked. One, two and three bytes a texel become four on the way, so that a row of a tile is a word; a line of texels of
//! one byte, which is a whole tile, takes two clocks. Each texel keeps whether its line could not be read; an error also
//! empties the tags, so that the line is read again.
//!
//! A line of compressed tiles, one of 16 bytes or two of 8, stays as it is and stands twice, so that two of them can be read
//! together: in each column of banks the even row has its low half, the odd row its high half, see [`block_half`].
//!
//! RLAST must come with the last line of a read. Where it does not, or a line comes that nobody asked for, all tiles
//! that have been asked for fail from that line on, as if their lines had come and could not be read. What memory still
//! gives is dropped, and nothing more is asked for until all has come and it has been quiet for a while; see
//! [`memory_port`](crate::system::memory_port).
//!
//! Latency 6 clocks from a line to its row, initiation interval 1. Two FIFOs in block RAM: lines and tiles.

use super::miss_queue::crosses_boundary;
use super::words::{AGE_BITS, fill_count_bits, fill_layout, kind_in, sequence_bits, word_address_bits};
use crate::datapath::bundles::{Layout, line_bits};
use crate::datapath::format::{
    COLOR_BITS, Kind, has_packed, has_rgb, has_single_bytes, is_single_byte, is_three_bytes, tile_lines,
    unpack,
};
use crate::datapath::general::words::has_blocks;
use crate::datapath::words::{bank_columns, has_short_paths};
use crate::engine::memory::{FAULT_BITS, LINE_BITS, QUIET_BITS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};
use tmu_spec::Config;
use tmu_spec::tile::{COLUMNS, MOST_LINES};

/// Bits of a row: four texels of four bytes, and for each whether it could not be read.
pub const ROW_BITS: usize = TEXEL_BITS * COLUMNS as usize;
/// Bits of a texel of a row.
pub const TEXEL_BITS: usize = 33;

/// Reads that may begin between the count that leaves no room and its effect.
const LAG: u64 = 4;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Fill {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A tile is asked for.
    pub asks: Net<In>,
    /// See [`fill_layout`].
    pub tile: Net<In>,
    /// The read of a tile goes on behind a boundary as another one.
    pub splits: Net<In>,
    /// One more tile may be asked for.
    pub may_fetch: Net<Out>,
    /// A line comes.
    pub line_valid: Net<In>,
    /// The line.
    pub line_data: Net<In>,
    /// Its response.
    pub line_response: Net<In>,
    /// It is the last one of its read, as memory says.
    pub line_last: Net<In>,
    /// A line came that was not asked for.
    pub unexpected: Net<In>,
    /// Lines are to come.
    pub outstanding: Net<In>,
    /// A read waits to be asked for.
    pub sends: Net<In>,
    /// Number of the next item to be read.
    pub next_read: Net<In>,
    /// Number of the item read last.
    pub last_read: Net<In>,
    /// Rows are written, one bit for each row of banks of texels.
    pub writes: Net<Out>,
    /// Where.
    pub write_address: Net<Out>,
    /// Row of even parity.
    pub even: Net<Out>,
    /// Row of odd parity.
    pub odd: Net<Out>,
    /// Tiles written, modulo its width.
    pub fills: Net<Out>,
    /// A line could not be read: bit 0 with SLVERR, bit 1 with DECERR, bit 2 for an answer of the wrong length.
    pub fault: Net<Out>,
    /// Which line.
    pub fault_line: Optional<Net<Out>>,
    lines: SyncFifo,
    tiles: SyncFifo,
    pending: Reg,
    room: Reg,
    current_full: Reg,
    next_safe: Reg,
    same_safe: Reg,
    changed: Reg,
    current_safe: Net<Local>,
    current: Reg,
    beat: Reg,
    taken: Reg,
    taken_last: Reg,
    taken_beat: Reg,
    taken_tile: Reg,
    taken_line: Reg,
    taken_error: Reg,
    taken_ends: Reg,
    taken_is_end: Reg,
    taken_again: Optional<Reg>,
    failing: Reg,
    quiet: Reg,
    before: Optional<Reg>,
    before_error: Optional<Reg>,
    writing: Reg,
    writing_address: Reg,
    writing_even: Reg,
    writing_odd: Reg,
    finished: Reg,
    finished_split: Reg,
    done: Reg,
    fault_seen: Reg,
    fault_line_seen: Optional<Reg>,
    takes: Net<Local>,
    is_wrong: Net<Local>,
    fails: Net<Local>,
    is_last: Net<Local>,
    _config: Config,
    _tile: Layout,
}

impl Fill {
    /// For a configuration.
    pub fn new(config: &Config) -> Fill {
        let clocks = Clocks::new();
        let tile = fill_layout(config);
        // The FIFOs count late, which does no harm: a tile makes room for another only when its last line has gone.
        let tiles = (config.axi().outstanding_reads().next_power_of_two() as usize).max(8);
        let lines = tiles * MOST_LINES as usize;
        let (has_rgb, has_port) = (has_rgb(config), config.control().port());
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let queue = |depth: usize, width: usize| {
            let queue = SyncFifo::with_style(depth, width, RamStyle::Block).with_late_level();
            queue.with_output_buffer(has_short_paths(config))
        };
        Fill {
            asks: Net::bit(),
            tile: Net::new(tile.width()),
            splits: Net::bit(),
            may_fetch: Net::bit(),
            line_valid: Net::bit(),
            line_data: Net::new(LINE_BITS),
            line_response: Net::new(2),
            line_last: Net::bit(),
            unexpected: Net::bit(),
            outstanding: Net::bit(),
            sends: Net::bit(),
            next_read: Net::new(sequence_bits(config)),
            last_read: Net::new(AGE_BITS),
            writes: Net::new(bank_columns(config)),
            write_address: Net::new(word_address_bits(config)),
            even: Net::new(ROW_BITS),
            odd: Net::new(ROW_BITS),
            fills: Net::new(fill_count_bits(config)),
            fault: Net::new(FAULT_BITS),
            fault_line: Optional::new(has_port, || Net::new(line_bits(config))),
            lines: queue(lines, LINE_BITS + 3),
            tiles: queue(tiles, tile.width()),
            pending: Reg::with_reset(&clocks, tiles.ilog2() as usize + 1, 0),
            room: flag(),
            current_full: flag(),
            next_safe: Reg::with_reset(&clocks, 2, 0),
            same_safe: Reg::with_reset(&clocks, 2, 0),
            changed: flag(),
            current_safe: Net::bit(),
            current: Reg::new(&clocks, tile.width()),
            beat: Reg::with_reset(&clocks, 2, 0),
            taken: flag(),
            taken_last: Reg::new(&clocks, 1),
            taken_beat: Reg::new(&clocks, 2),
            taken_tile: Reg::new(&clocks, tile.width() - AGE_BITS - sequence_bits(config)),
            taken_line: Reg::new(&clocks, LINE_BITS).width_named("LINE_BITS"),
            taken_error: Reg::new(&clocks, 2),
            taken_ends: Reg::new(&clocks, 1),
            taken_is_end: Reg::new(&clocks, 1),
            taken_again: Optional::new(has_single_bytes(config), || Reg::new(&clocks, 1)),
            failing: flag(),
            quiet: Reg::with_reset(&clocks, QUIET_BITS, 0),
            before: Optional::new(has_rgb, || Reg::new(&clocks, LINE_BITS / 2)),
            before_error: Optional::new(has_rgb, || Reg::new(&clocks, 1)),
            writing: Reg::with_reset(&clocks, bank_columns(config), 0),
            writing_address: Reg::new(&clocks, word_address_bits(config)).width_named("WORD_ADDRESS_BITS"),
            writing_even: Reg::new(&clocks, ROW_BITS),
            writing_odd: Reg::new(&clocks, ROW_BITS),
            finished: flag(),
            finished_split: Reg::new(&clocks, 1),
            done: Reg::with_reset(&clocks, fill_count_bits(config), 0),
            fault_seen: Reg::with_reset(&clocks, FAULT_BITS, 0),
            fault_line_seen: Optional::new(has_port, || Reg::new(&clocks, line_bits(config))),
            takes: Net::bit(),
            is_wrong: Net::bit(),
            fails: Net::bit(),
            is_last: Net::bit(),
            clocks,
            _config: config.clone(),
            _tile: tile,
        }
    }
}

/// Which four bytes of a line of compressed tiles stand in the place of a texel, by the parity of its row. As many as can be are
/// those that stand there otherwise.
const fn block_word(row: usize, column: usize) -> usize {
    2 * row + ((row + column + (column >> 1)) & 1)
}

/// Eight bytes of a line of compressed tiles, out of the word of the bank with these parities: the low ones in the even row.
#[kernel]
pub fn block_half(word: Bits, row: usize, column: usize) -> Bits {
    let part = |slot: usize| word.slice(TEXEL_BITS * slot, COLOR_BITS);
    let first_slot = block_word(row, column) & 1;
    cat(&[part(1 - first_slot), part(first_slot)])
}

/// Lines from memory to rows of texels.
#[kernel]
impl Fill {
    fn logic(&self) {
        timing(6, 1);
        self.queues();
        self.turn();
        self.take();
        self.lengths();
        self.place();
        self.rows();
        self.fault();
    }

    fn queues(&self) {
        /// # Queues
        let (lines, tiles) = (&self.lines, &self.tiles);
        lines.clocks.follow(&self.clocks);
        lines.input.valid.next = self.line_valid.val();
        lines.input.data.next = cat(&[self.line_last.val(), self.line_response.val(), self.line_data.val()]);
        discard(lines.input.ready.val(), "no more lines are asked for than there is room for");
        discard(lines.level.val(), "as above");
        tiles.clocks.follow(&self.clocks);
        tiles.input.valid.next = self.asks.val();
        tiles.input.data.next = self.tile.val();
        discard(tiles.input.ready.val(), "as above");
        discard(tiles.level.val(), "as above");
        let width = self.pending.width();
        /// Reads: a tile, or a tile on both sides of a boundary, which counts twice.
        let begun = self.asks.val().zero_extend(2) + self.splits.val().zero_extend(2);
        let ended = cat(&[
            self.finished.val() && self.finished_split.val(),
            self.finished.val() && !self.finished_split.val(),
        ]);
        self.pending.next = self.pending.val() + begun.zero_extend(width) - ended.zero_extend(width);
        let most = u64::from(self._config.axi().outstanding_reads());
        self.room.next = self.pending.val() < lit(width, (most - LAG).max(1)) && !self.failing.val();
        self.may_fetch.next = self.room.val();
    }

    fn turn(&self) {
        /// # The tile whose turn it is
        let ends = self.takes.val() && self.is_last.val();
        let free = !self.current_full.val() || ends;
        let next = self.tiles.output.data.val();
        self.tiles.output.ready.next = free;
        if free {
            self.current_full.next = self.tiles.output.valid.val();
            self.current.next = next;
        }
        /// Whether the texels that it replaces have been read; found out for both that may be the current one, and chosen
        /// a clock later, which is faster.
        self.next_safe.next = self.reasons(next) & self.tiles.output.valid.val().repeat(2);
        self.same_safe.next = self.reasons(self.current.val());
        self.changed.next = free;
        let is_safe = if self.changed.val() { self.next_safe.val() } else { self.same_safe.val() };
        self.current_safe.next = is_safe.any();
    }

    /// Two reasons why no item waits for the texels that the tile replaces, a bit each: they have been read, or its own item is next.
    fn reasons(&self, tile: Bits) -> Bits {
        let since = self.last_read.val() - self._tile.get(tile, "last_reader");
        /// A item that waits is less than a queue behind the one read last.
        let waiting_bits = sequence_bits(&self._config);
        discard(since.low(waiting_bits), "how long it waits does not matter");
        let is_next = self._tile.get(tile, "sequence") == self.next_read.val();
        cat(&[!since.high(AGE_BITS - waiting_bits).all(), is_next])
    }

    fn kind(&self, tile: Bits) -> Kind {
        kind_in(&self._tile, tile)
    }

    fn take(&self) {
        /// # Lines of the tile
        let tile = self.current.val();
        let kind = self.kind(tile);
        let is_packed = kind.packing.any();
        let is_one_line = kind.is_indexed || kind.is_block;
        let last = cat(&[!is_one_line && !is_packed, !is_one_line && !is_three_bytes(&kind)]);
        let output = &self.lines.output;
        /// Tiles that fail wait for no line; what comes is dropped.
        let failing = self.failing.val();
        let has_line = if failing { self.current_full.val() } else { output.valid.val() };
        let (stays, again) = self.twice(&kind);
        output.ready.next = (self.current_safe.val() && !stays) || failing;
        self.takes.next = has_line && self.current_safe.val();
        self.is_last.next = self.beat.val() == last;
        if self.takes.val() {
            self.beat.next = if self.is_last.val() { lit(2, 0u32) } else { self.beat.val() + 1 };
        }
        let word = output.data.val();
        self.taken.next = self.takes.val();
        self.taken_last.next = self.is_last.val();
        self.taken_beat.next = self.beat.val();
        self.taken_tile.next = tile.low(self.taken_tile.width());
        self.taken_line.next = word.low(LINE_BITS);
        self.taken_error.next = word.slice(LINE_BITS, 2);
        self.taken_ends.next = word.high(1);
        self.taken_is_end.next = self.is_last.val() || stays || self.is_before_boundary(tile);
        if let Some(taken_again) = self.taken_again.as_ref() {
            taken_again.next = again;
        }
        if let (Some(before), Some(before_error)) = (self.before.as_ref(), self.before_error.as_ref()) {
            if self.taken.val() {
                before.next = self.taken_line.val().high(LINE_BITS / 2);
                before_error.next = self.fails.val();
            }
        }
    }

    /// A line of texels of one byte is taken twice, for two rows each time: it stays, and it comes again.
    fn twice(&self, kind: &Kind) -> (Bits, Bits) {
        if self.taken_again.is_none() {
            return (lit(1, 0u32), lit(1, 0u32));
        }
        let is_byte = is_single_byte(&self._config, kind);
        let is_second = self.beat.val().bit(0);
        (is_byte && !is_second, is_byte && is_second)
    }

    /// One bit: the line that is next lies in front of a boundary of 4 KiB, where a read ends.
    fn is_before_boundary(&self, tile: Bits) -> Bits {
        let line = self._tile.get(tile, "line");
        discard(line.high(line.width() - 8), "only where in 4 KiB it lies counts");
        line.slice(2, 6).all() && (line.low(2) + self.beat.val()).all()
    }

    fn lengths(&self) {
        /// # Answers of the wrong length
        let failing = self.failing.val();
        self.is_wrong.next =
            self.taken.val() && !failing && (self.taken_ends.val() ^ self.taken_is_end.val());
        self.fails.next = self.taken_error.val().bit(1) || self.is_wrong.val() || failing;
        let is_quiet = self.quiet.val().all();
        if self.is_wrong.val() || self.unexpected.val() {
            self.failing.next = 1;
        } else if is_quiet && !self.pending.val().any() {
            self.failing.next = 0;
        }
        let line_comes = self.line_valid.val() || self.unexpected.val();
        if !failing || line_comes || self.outstanding.val() || self.sends.val() {
            self.quiet.next = 0;
        } else if !is_quiet {
            self.quiet.next = self.quiet.val() + 1;
        }
    }

    fn place(&self) {
        /// # Place
        let tile = self.taken_tile.val();
        let beat = self.taken_beat.val();
        let kind = self.kind(tile);
        let (is_indexed, is_packed) = (kind.is_indexed, kind.packing.any());
        /// A line is a row; the third line of three bytes a texel ends two; one of two bytes a texel is two; a line of
        /// indices is a tile, and goes everywhere.
        let is_both = is_indexed || (is_three_bytes(&kind) && beat.bit(1)) || is_packed || kind.is_block;
        let half = if is_packed { beat.bit(0) } else { beat.bit(1) };
        let rows = self.writes.width();
        let writes = |row: usize| {
            let has_parity = is_both || (if row & 1 == 1 { beat.bit(0) } else { !beat.bit(0) });
            let has_half = rows == 2 || is_indexed || (if row >> 1 == 1 { half } else { !half });
            has_parity && has_half && self.taken.val()
        };
        let writes: Vec<Bits> = (0..rows).rev().map(writes).collect();
        self.writing.next = cat(&writes);
        let place = cat(&[self._tile.get(tile, "bank"), self._tile.get(tile, "place")]);
        self.writing_address.next = if rows == 2 { cat(&[place, half]) } else { place };
        self.finished.next = self.taken.val() && self.taken_last.val();
        self.finished_split.next =
            crosses_boundary(self._tile.get(tile, "line"), tile_lines(&self._config, &kind));
        if self.finished.val() {
            self.done.next = self.done.val() + 1;
        }
        self.fills.next = self.done.val();
        self.writes.next = self.writing.val();
        self.write_address.next = self.writing_address.val();
        self.even.next = self.writing_even.val();
        self.odd.next = self.writing_odd.val();
    }

    fn rows(&self) {
        /// # Rows
        let line = self.taken_line.val();
        let error = self.fails.val();
        let whole: Vec<Bits> =
            (0..COLUMNS as usize).rev().map(|texel| cat(&[error, line.slice(32 * texel, 32)])).collect();
        let whole = cat(&whole);
        let [even_whole, odd_whole] = self.own_rows(line, error).unwrap_or([whole; 2]);
        let (Some(before), Some(before_error)) = (self.before.as_ref(), self.before_error.as_ref()) else {
            self.writing_even.next = even_whole;
            self.writing_odd.next = odd_whole;
            return;
        };
        /// The upper half of the line before, and this line.
        let bytes = cat(&[line, before.val()]);
        let row = |first_byte: usize| {
            let texels: Vec<Bits> = (0..COLUMNS as usize)
                .rev()
                .map(|texel| {
                    let byte = first_byte + 3 * texel;
                    let has_error = match (byte < 8, byte + 2 < 8) {
                        (true, true) => before_error.val(),
                        (true, false) => before_error.val() || error,
                        _ => error,
                    };
                    cat(&[has_error, lit(8, 255u32), bytes.slice(8 * byte, 24)])
                })
                .collect();
            cat(&texels)
        };
        let tile = self.taken_tile.val();
        let is_rgb = is_three_bytes(&self.kind(tile));
        let is_third = self.taken_beat.val().bit(1);
        let even = if is_third { row(0) } else { row(8) };
        let odd = if is_third { row(12) } else { row(4) };
        self.writing_even.next = if is_rgb { even } else { even_whole };
        self.writing_odd.next = if is_rgb { odd } else { odd_whole };
    }

    /// The two rows of a line whose colours are packed or whose tiles are compressed, or twice the line as it is; none where no
    /// format is so.
    fn own_rows(&self, line: Bits, error: Bits) -> Option<[Bits; 2]> {
        if !has_packed(&self._config) && !has_blocks(&self._config) {
            return None;
        }
        let Kind { packing, is_block, .. } = self.kind(self.taken_tile.val());
        let row = |row: usize| {
            let texel = |column: usize| {
                let word = |number: usize| line.slice(32 * number, 32);
                let own = match block_word(row, column) {
                    same if same == column => word(column),
                    other => is_block.mux(word(other), word(column)),
                };
                let packed = |bytes: u32| self.packed(line, bytes, row, column);
                cat(&[error, unpack(&self._config, packing, own, packed)])
            };
            let texels: Vec<Bits> = (0..COLUMNS as usize).rev().map(texel).collect();
            cat(&texels)
        };
        Some([row(0), row(1)])
    }

    /// The texel of so many bytes in a row of a line, of the half of it that is next where there are four rows.
    fn packed(&self, line: Bits, bytes: u32, row: usize, column: usize) -> Bits {
        let (bits, place) = (8 * bytes as usize, row * COLUMNS as usize + column);
        let first = line.slice(bits * place, bits);
        if bytes > 1 {
            return first;
        }
        let second = line.slice(LINE_BITS / 2 + bits * place, bits);
        if self.taken_beat.val().bit(0) { second } else { first }
    }

    fn fault(&self) {
        /// # Faults
        let error = self.taken_error.val();
        let failing = self.failing.val();
        let again = self.taken_again.as_ref().map_or_else(|| lit(1, 0u32), |again| again.val());
        let fails = self.taken.val() && !failing && error.bit(1) && !again;
        let is_length = self.is_wrong.val() || (self.taken.val() && failing) || self.unexpected.val();
        self.fault_seen.next = cat(&[is_length, fails && error.bit(0), fails && !error.bit(0)]);
        self.fault.next = self.fault_seen.val();
        let line = self._tile.get(self.taken_tile.val(), "line");
        if let (Some(seen), Some(fault_line)) = (self.fault_line_seen.as_ref(), self.fault_line.as_ref()) {
            let beat = self.taken_beat.val() & (!again).repeat(2);
            seen.next = line + beat.zero_extend(line.width());
            fault_line.next = seen.val();
        } else {
            discard(line, "only whether it lies before a boundary counts");
        }
    }
}
