//! `grouping`: from the triangle that is seen at each pixel of a tile to quads, triangle by triangle.
//!
//! What is found replaces what was found there before. After `start` the other of two banks takes what is found, so that the next
//! tile is looked at meanwhile. Two rows of pixels are looked at together: the first pixel in them that no quad has says which triangle
//! comes next, row by row; then it is looked for in these two rows and all that follow, and its quads leave.
//!
//! Contract: no pixel is found before `start.ready` was high once after reset, nor in the clock of `start`. Quads leave in the order of
//! the golden model, `starts` with the first one of each triangle, and behind them a word with `is_end`. All pixels leave, so that
//! a bank is empty when its end has left.
//!
//! Cost: a triangle takes 5 clocks, and for each two rows from its first one on a clock or, if more, one for each quad; a pair of rows without
//! more pixels 3 clocks. 2904 LUTs with tiles of 32 × 32 pixels and 1472 with 16 × 16, as Yosys 0.70 estimates them for UltraScale+.

mod parts;

use super::words::{FoundWord, PIXELS, QuadWord, TileShape};
use parts::{Counted, Entry, Matched, QuadsLeft, Rows, Turn};
use tmu_hdl::arithmetic::priority;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DistributedRam, SyncFifo};

/// Quads that wait at the exit.
const EXIT_DEPTH: usize = 8;
/// Pixels of which the first one is sought in a clock.
const SOUGHT_TOGETHER: usize = 8;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Grouping {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Pixels are found.
    pub found_valid: Net<In>,
    /// Which, and of what triangle.
    pub found: FoundWord<Field<In>>,
    /// All pixels of a tile have been found; taken where `start_ready` is high too.
    pub start: Net<In>,
    /// Quads of the tile before have left.
    pub start_ready: Net<Out>,
    /// Quads, see [`QuadWord`].
    pub quads: StreamOut,
    entry: Entry,
    /// Of each bank, which pixels no quad has yet: a bit for each pixel of two rows.
    pending: [Vec<DistributedRam>; 2],
    /// The triangles of both banks, a number for each pixel of two rows.
    numbers: Vec<DistributedRam>,
    turn: Turn,
    read: Rows,
    firsts: Vec<Reg>,
    has_first: Vec<Reg>,
    matched: Matched,
    counted: Counted,
    quads_left: QuadsLeft,
    exit: SyncFifo,
    _shape: TileShape,
}

impl Grouping {
    /// The stage for tiles of a shape.
    #[must_use]
    pub fn new(shape: &TileShape) -> Grouping {
        let clocks = Clocks::new();
        let pixels = 2 * shape.width();
        let pending = || (0..pixels).map(|_| DistributedRam::new(shape.height() / 2, 1)).collect::<Vec<_>>();
        Grouping {
            found_valid: Net::bit(),
            found: FoundWord::of(shape).nets(),
            start: Net::bit(),
            start_ready: Net::bit(),
            quads: StreamOut::new(QuadWord::of(shape).width()),
            entry: Entry::new(shape, &clocks),
            pending: [pending(), pending()],
            numbers: (0..pixels).map(|_| DistributedRam::new(shape.height(), shape.number_bits)).collect(),
            turn: Turn::new(shape, &clocks),
            read: Rows::new(shape, &clocks),
            firsts: Reg::array(pixels / SOUGHT_TOGETHER, &clocks, shape.number_bits),
            has_first: Reg::array(pixels / SOUGHT_TOGETHER, &clocks, 1),
            matched: Matched::new(shape, &clocks),
            counted: Counted::new(shape, &clocks),
            quads_left: QuadsLeft::new(shape, &clocks),
            exit: SyncFifo::new(EXIT_DEPTH, QuadWord::of(shape).width()),
            clocks,
            _shape: *shape,
        }
    }
}

/// What moves in a clock while a triangle is looked for.
struct Moves {
    read: Bits,
    matched: Bits,
    counted: Bits,
    /// A quad leaves.
    leaves: Bits,
    /// All quads of the triangle have left.
    is_done: Bits,
}

/// One bit: at least two bits are set. Halves, since a sum would be too deep.
#[kernel]
fn has_two(value: Bits) -> Bits {
    if value.width() == 1 {
        return lit(1, 0u32);
    }
    let (low, high) = (value.low(value.width() / 2), value.high(value.width().div_ceil(2)));
    has_two(low) || has_two(high) || (low.any() && high.any())
}

/// The triangles of pixels to quads of triangles.
#[kernel]
impl Grouping {
    fn module_name(&self) -> String {
        "grouping".into()
    }

    fn logic(&self) {
        let moves = self.moves();
        self.bank(&moves);
        self.turns(&moves);
        self.seek();
        self.scan(&moves);
        self.leave(&moves);
    }

    fn moves(&self) -> Moves {
        /// # Moves
        let left = &self.quads_left;
        let ready = self.exit.input.ready.val();
        let has_quad = left.has_quad.val();
        let takes = !left.has_more.val() && (ready || !has_quad);
        let counted = takes || !self.counted.valid.val();
        let matched = counted || !self.matched.valid.val();
        Moves {
            read: self.turn.scans.val() && (matched || !self.read.valid.val()),
            matched,
            counted: takes,
            leaves: has_quad && ready,
            is_done: takes && left.is_last.val(),
        }
    }

    /// Pixels that no quad has and where the triangle is seen.
    fn matching(&self) -> Bits {
        let pending = self.read.pending.val();
        let number = self.turn.number.val();
        let pixels = self.read.numbers.iter().enumerate();
        stack(pixels.map(|(pixel, own)| pending.bit(pixel) && own.val() == number))
    }

    fn bank(&self, moves: &Moves) {
        /// # What is found
        let shape = &self._shape;
        self.entry.valid.next = self.found_valid.val();
        self.entry.found.next = self.found.val();
        let FoundWord { number, place, mask } = self.entry.found.val();
        let (group, row) = (place.low(shape.group_bits()), place.high(shape.height_log2));
        let (is_lower, found_rows) = (row.bit(0), row.high(shape.height_log2 - 1));
        let bank = self.turn.bank.val();
        let drops = self.turn.clears.val();
        let own_rows = self.turn.rows.val();
        let read_rows = if self.turn.scans.val() { self.turn.next_rows.val() } else { own_rows };
        let in_row = 1 << shape.width_log2;
        let mut pending = vec![];
        for pixel in 0..2 * in_row {
            let (lower, column): (bool, usize) = (pixel >= in_row, pixel % in_row);
            let is_row = if lower { is_lower } else { !is_lower };
            let is_here = is_row && group == (column >> shape.lanes_log2) as u64;
            let is_found = self.entry.valid.val() && is_here && mask.bit(column % shape.lanes());
            let numbers = &self.numbers[pixel];
            numbers.clocks.follow(&self.clocks);
            numbers.write_enable.next = is_found;
            numbers.write_address.next = cat(&[bank, found_rows]);
            numbers.write_data.next = number;
            numbers.read_address.next = cat(&[!bank, read_rows]);
            /// Pixels that a quad has are no more pending, again as long as they stand there.
            let quad_has = self.matched.valid.val() && self.matched.pixels.val().bit(pixel);
            let mut words = vec![];
            for own in 0..2 {
                let words_of = &self.pending[own][pixel];
                let is_filled = bank == own as u64;
                words_of.clocks.follow(&self.clocks);
                words_of.write_enable.next = drops || (if is_filled { is_found } else { quad_has });
                let rows = if is_filled { found_rows } else { self.matched.rows.val() };
                words_of.write_address.next = if drops { own_rows } else { rows };
                words_of.write_data.next = is_filled && !drops;
                words_of.read_address.next = read_rows;
                words.push(words_of.read_data.val());
            }
            pending.push(if bank { words[0] } else { words[1] });
        }
        let loads = self.turn.reads.val() || moves.read;
        if loads {
            self.read.pending.next = stack(pending);
            for (register, numbers) in self.read.numbers.iter().zip(&self.numbers) {
                register.next = numbers.read_data.val();
            }
        }
    }

    fn turns(&self, moves: &Moves) {
        /// # Turns
        let Turn { bank, clears, is_idle, reads, seeks, picks, scans, ends, rows, .. } = &self.turn;
        let starts = self.start.val() && is_idle.val();
        self.start_ready.next = is_idle.val();
        if starts {
            bank.next = !bank.val();
        }
        let is_last = rows.val().all();
        let has_more = stack(self.has_first.iter().map(Reg::val)).any();
        let passes_rows = picks.val() && !has_more;
        let cleared = clears.val() && is_last;
        let ended = ends.val() && self.exit.input.ready.val();
        if starts {
            rows.next = 0;
        } else if clears.val() || passes_rows {
            rows.next = rows.val() + 1;
        }
        clears.next = clears.val() && !is_last;
        is_idle.next = (is_idle.val() && !starts) || cleared || ended;
        let is_done = scans.val() && moves.is_done;
        reads.next = starts || is_done || (passes_rows && !is_last);
        seeks.next = reads.val();
        picks.next = seeks.val();
        scans.next = (scans.val() && !moves.is_done) || (picks.val() && has_more);
        ends.next = (ends.val() && !ended) || (passes_rows && is_last);
    }

    fn seek(&self) {
        /// # The next triangle
        let pending = self.read.pending.val();
        for (place, first) in self.firsts.iter().enumerate() {
            let start = place * SOUGHT_TOGETHER;
            let own = start..start + SOUGHT_TOGETHER;
            let cases: Vec<_> =
                own.map(|pixel| (pending.bit(pixel), self.read.numbers[pixel].val())).collect();
            first.next = priority(&cases[..SOUGHT_TOGETHER - 1], cases[SOUGHT_TOGETHER - 1].1);
            self.has_first[place].next = pending.slice(start, SOUGHT_TOGETHER).any();
        }
        let cases: Vec<_> =
            self.has_first.iter().zip(&self.firsts).map(|(has, first)| (has.val(), first.val())).collect();
        if self.turn.picks.val() {
            self.turn.number.next = priority(&cases[..cases.len() - 1], cases[cases.len() - 1].1);
        }
    }

    fn scan(&self, moves: &Moves) {
        /// # Its pixels
        let Turn { picks, scans, rows, next_rows, has_next, .. } = &self.turn;
        let (read, matched, counted, left) = (&self.read, &self.matched, &self.counted, &self.quads_left);
        if picks.val() {
            next_rows.next = rows.val();
            has_next.next = 1;
        } else if moves.read {
            next_rows.next = next_rows.val() + 1;
            has_next.next = has_next.val() && !next_rows.val().all();
        }
        if moves.read {
            read.valid.next = has_next.val();
            read.rows.next = next_rows.val();
            read.is_last.next = next_rows.val().all();
        }
        if moves.matched {
            matched.valid.next = read.valid.val() && scans.val();
            matched.rows.next = read.rows.val();
            matched.is_last.next = read.is_last.val();
            matched.pixels.next = self.matching();
        }
        /// # Its quads
        let pixels = matched.pixels.val();
        let in_row = self._shape.width();
        let masks: Vec<Bits> = (0..in_row / 2)
            .map(|quad| cat(&[pixels.slice(in_row + 2 * quad, 2), pixels.slice(2 * quad, 2)]))
            .collect();
        if moves.counted || !counted.valid.val() {
            counted.valid.next = matched.valid.val();
            counted.rows.next = matched.rows.val();
            counted.is_last.next = matched.is_last.val();
            counted.are_there.next = stack(masks.iter().map(|mask| mask.any()));
            for (register, mask) in counted.masks.iter().zip(&masks) {
                register.next = *mask;
            }
        }
        let come = counted.are_there.val() & counted.valid.val().repeat(counted.are_there.width());
        if moves.counted {
            left.is_last.next = counted.is_last.val() && counted.valid.val();
            left.rows.next = counted.rows.val();
            for (register, mask) in left.masks.iter().zip(&counted.masks) {
                register.next = mask.val();
            }
        }
        let are_there = if moves.counted { come } else { left.others.val() };
        if moves.counted || moves.leaves {
            left.are_there.next = are_there;
            left.others.next = are_there & (are_there - 1);
            left.has_quad.next = are_there.any();
            // Both before the choice: behind it they would be too deep.
            let come_two = has_two(counted.are_there.val()) && counted.valid.val();
            left.has_more.next = if moves.counted { come_two } else { has_two(left.others.val()) };
        }
    }

    fn leave(&self, moves: &Moves) {
        /// # Exit
        let left = &self.quads_left;
        let Turn { is_first, picks, number, ends, .. } = &self.turn;
        if picks.val() {
            is_first.next = 1;
        } else if moves.leaves {
            is_first.next = 0;
        }
        let lowest = left.are_there.val() & !left.others.val();
        let column_bits = self._shape.width_log2 - 1;
        let column = |bit: usize| {
            let own = (0..lowest.width()).filter(|quad| quad >> bit & 1 == 1);
            stack(own.map(|quad| lowest.bit(quad))).any()
        };
        let pixel = |number: usize| {
            let own = left.masks.iter().enumerate();
            stack(own.map(|(quad, mask)| mask.val().bit(number) & lowest.bit(quad))).any()
        };
        self.exit.clocks.follow(&self.clocks);
        self.exit.input.valid.next = moves.leaves || ends.val();
        self.exit.input.data.next = QuadWord::of(&self._shape).pack(&QuadWord {
            number: number.val(),
            column: stack((0..column_bits).map(column)),
            row: left.rows.val(),
            mask: stack((0..PIXELS).map(pixel)),
            starts: is_first.val(),
            is_end: ends.val(),
        });
        discard(self.exit.level.val(), "ready says enough");
        self.quads.forward(&self.exit.output);
    }
}
