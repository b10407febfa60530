//! `write_back`: from the colours and depths of a tile to lines of the picture and of depth, row by row.
//!
//! A row of quads is read for each of its two rows of pixels. Of a quad come two pixels: two quads fill a line of a picture of four bytes a
//! pixel, four one of RGB565; four depths are a line. Strobes say which bytes lie in the frame; lines without any are not made.
//!
//! Contract: `start` comes while `is_busy` is low; settings hold from then on until it is low again. The tile is read through ports whose
//! answers come two moves after their places; they move with `read_enable`. The last lines may wait at the exit when `is_busy` has fallen.
//!
//! Cost: a clock for each quad and row up to the line with the last column, one for each four depths. Latency of a line: the steps up to
//! `EXIT` and three clocks. 685 LUTs, as Yosys 0.70 estimates them for UltraScale+.

mod form;

use super::step::Step;
use super::tile_buffer::{COLOR_BITS, quad_bits};
use super::words::{LINE_NUMBER_BITS, PIXELS, SINGLE_BITS, TileShape};
use form::{dithered, packed};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;
use tmu_spec::pixel::OutputFormat;

/// Bytes of a line.
const LINE_BYTES: usize = 16;
/// Bits of a line.
const LINE_BITS: usize = 8 * LINE_BYTES;
/// Bits of two pixels of four bytes.
const PAIR_BITS: usize = 2 * COLOR_BITS;
/// Lines that wait at the exit.
const EXIT_DEPTH: usize = 8;

/// What is read is there.
const THERE: Step = Step::ENTRY.after(2);
/// With what dithers.
const FORM: Step = THERE.after(1);
/// In the picture's form.
const GATHER: Step = FORM.after(1);
/// The line leaves.
const EXIT: Step = GATHER.after(1);

/// How a tile is written, and where.
#[derive(Clone, Debug, Record)]
pub struct WriteSettings<T = Bits> {
    /// The number of an [`OutputFormat`].
    pub output: T,
    /// Pixels of two bytes are dithered.
    pub dithers: T,
    /// Depths are written too.
    pub writes_depth: T,
    /// The last column of the tile that is in the frame.
    pub last_column: T,
    /// The last row.
    pub last_row: T,
    /// The line of the tile's first pixel.
    pub picture: T,
    /// Lines from a row of the picture to the next.
    pub picture_pitch: T,
    /// The line of its first depth.
    pub depth: T,
    /// Lines from a row of depths to the next.
    pub depth_pitch: T,
}

impl WriteSettings<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &TileShape) -> WriteSettings<Width> {
        let (bit, line) = (Width::bits(1), Width::bits(LINE_NUMBER_BITS));
        WriteSettings {
            output: Width::bits(2),
            dithers: bit,
            writes_depth: bit,
            last_column: Width::bits(shape.width_log2),
            last_row: Width::bits(shape.height_log2),
            picture: line,
            picture_pitch: line,
            depth: line,
            depth_pitch: line,
        }
    }
}

/// A line that is written.
#[derive(Clone, Debug, Record)]
pub struct LineWord<T = Bits> {
    /// Its number in memory.
    pub line: T,
    /// Which bytes of it.
    pub strobes: T,
    /// The bytes, the first one lowest.
    pub bytes: T,
}

impl LineWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> LineWord<Width> {
        LineWord {
            line: Width::bits(LINE_NUMBER_BITS),
            strobes: Width::bits(LINE_BYTES),
            bytes: Width::bits(LINE_BITS),
        }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct WriteBack {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A tile is written.
    pub start: Net<In>,
    /// It is.
    pub is_busy: Net<Out>,
    /// How and where.
    pub settings: WriteSettings<Field<In>>,
    /// What is read moves on.
    pub read_enable: Net<Out>,
    /// The quad that is read, see [`TileBuffer`](super::tile_buffer::TileBuffer).
    pub color_place: Net<Out>,
    /// Its colours.
    pub colors: Net<In>,
    /// The four depths that are read: row and four columns, the columns below.
    pub depth_place: Net<Out>,
    /// These depths, the first one lowest.
    pub depths: Net<In>,
    /// Lines, see [`LineWord`].
    pub lines: StreamOut,
    /// The settings say RGB565: so one LUT less stands before what depends on it.
    is_short: Reg,
    walk: Walk,
    pipe: Pipe<Step>,
    gathered: Vec<Reg>,
    exit: SyncFifo,
    _shape: TileShape,
}

/// Where it is.
#[derive(Bundle)]
struct Walk {
    is_busy: Reg,
    /// Depths of the row are read.
    is_depth: Reg,
    row: Reg,
    /// Quads of two columns, or four depths.
    place: Reg,
    /// The lines of the row that begin the picture's and the depths'.
    picture_row: Reg,
    depth_row: Reg,
    /// The line that is made next.
    line: Reg,
}

/// A step on its way.
#[derive(Clone, Debug, Record)]
struct Way<T = Bits> {
    is_depth: T,
    /// The row of the picture, of four.
    row: T,
    place: T,
    line: T,
    /// A line is whole behind it.
    ends_line: T,
}

impl WriteBack {
    /// The stage for tiles of a shape.
    #[must_use]
    pub fn new(shape: &TileShape) -> WriteBack {
        let clocks = Clocks::new();
        let low = || Reg::with_reset(&clocks, 1, 0);
        let register = |width| Reg::new(&clocks, width);
        let width = LineWord::shape().width();
        let write_back = WriteBack {
            start: Net::bit(),
            is_busy: Net::bit(),
            settings: WriteSettings::of(shape).nets(),
            read_enable: Net::bit(),
            color_place: Net::new(quad_bits(shape)),
            colors: Net::new(PIXELS * COLOR_BITS),
            depth_place: Net::new(shape.width_log2 + shape.height_log2 - 2),
            depths: Net::new(4 * SINGLE_BITS),
            lines: StreamOut::new(width),
            is_short: register(1),
            walk: Walk {
                is_busy: low(),
                is_depth: low(),
                row: register(shape.height_log2),
                place: register(shape.width_log2 - 1),
                picture_row: register(LINE_NUMBER_BITS),
                depth_row: register(LINE_NUMBER_BITS),
                line: register(LINE_NUMBER_BITS),
            },
            pipe: Pipe::with(EXIT.all()),
            gathered: Reg::array(3, &clocks, PAIR_BITS / 2),
            exit: SyncFifo::new(EXIT_DEPTH, width),
            clocks,
            _shape: *shape,
        };
        write_back.pipe.plan(&write_back.clocks, || write_back.logic());
        write_back
    }
}

/// A tile to lines.
#[kernel]
impl WriteBack {
    fn module_name(&self) -> String {
        "write_back".into()
    }

    fn logic(&self) {
        /// # Steps
        self.is_short.next = self.settings.output.val() == OutputFormat::Rgb565 as u64;
        let advance = self.exit.input.ready.val();
        let pipe = self.pipe.run(&self.clocks, advance);
        let way = self.walk(advance);
        self.read_enable.next = advance;
        let row = self.walk.row.val();
        self.color_place.next = cat(&[row.high(row.width() - 1), way.place]);
        self.depth_place.next = cat(&[row, way.place.low(way.place.width() - 1)]);
        let busy = self.walk.is_busy.val();
        let valid = pipe.flag(Step::ENTRY, "valid", busy);
        let under_way = EXIT.all()[1..].iter().map(|step| valid.at(*step)).collect::<Vec<_>>();
        self.is_busy.next = busy || stack(under_way).any();
        let way = pipe.put(Step::ENTRY, "way", way);
        let (pair, depths) = self.form(&pipe, &way);
        self.gather(advance, &pipe, &valid, &way, pair, depths);
    }

    fn walk(&self, advance: Bits) -> Way {
        /// # Rows
        let settings = self.settings.val();
        let Walk { is_busy, is_depth, row, place, picture_row, depth_row, line } = &self.walk;
        let at = place.val();
        let is_short = self.is_short.val();
        let last = settings.last_column;
        /// The last column in quads, at the end of its line; or in four depths.
        let quads = last.high(last.width() - 1);
        let of_line = cat(&[is_short && !is_depth.val(), !is_depth.val()]).zero_extend(quads.width());
        let units = if is_depth.val() { quads >> 1 } else { quads };
        let ends_part = at == (units | of_line);
        let ends_line = is_depth.val() || (at.bit(0) && (at.bit(1) || !is_short));
        let goes_to_depth = ends_part && !is_depth.val() && settings.writes_depth;
        let ends_row = ends_part && !goes_to_depth;
        let ends = ends_row && row.val() == settings.last_row;
        let (next_picture, next_depth) =
            (picture_row.val() + settings.picture_pitch, depth_row.val() + settings.depth_pitch);
        if self.start.val() {
            is_busy.next = 1;
            is_depth.next = 0;
            row.next = 0;
            place.next = 0;
            picture_row.next = settings.picture;
            depth_row.next = settings.depth;
            line.next = settings.picture;
        } else if advance && is_busy.val() {
            is_busy.next = !ends;
            is_depth.next = goes_to_depth || (is_depth.val() && !ends_part);
            place.next = if ends_part { lit(at.width(), 0u32) } else { at + 1 };
            let more = line.val() + ends_line.zero_extend(LINE_NUMBER_BITS);
            let other = if goes_to_depth { depth_row.val() } else { next_picture };
            line.next = if ends_part { other } else { more };
            if ends_row {
                row.next = row.val() + 1;
                picture_row.next = next_picture;
                depth_row.next = next_depth;
            }
        }
        Way { is_depth: is_depth.val(), row: row.val().low(2), place: at, line: line.val(), ends_line }
    }

    /// Two pixels in the picture's form, and four depths, at [`GATHER`].
    fn form(&self, pipe: &Run<'_, Step>, way: &Payload<'_, Step, Way>) -> (Bits, Bits) {
        /// # Form
        let settings = self.settings.val();
        let colors = self.colors.val();
        let own = way.at(THERE);
        let half = PIXELS / 2 * COLOR_BITS;
        let pair = if own.row.bit(0) { colors.high(half) } else { colors.low(half) };
        let pixels = [0, 1].map(|pixel: usize| pair.slice(pixel * COLOR_BITS, COLOR_BITS));
        let noise = [0, 1].map(|pixel: usize| {
            let column = cat(&[own.place.bit(0), lit(1, pixel as u32)]);
            dithered(own.row, column, settings.dithers)
        });
        let short = [0, 1].map(|pixel: usize| packed(pixels[pixel], noise[pixel]));
        let short = pipe.put(THERE, "short", short).at(FORM);
        let pixels = pipe.put(THERE, "pixel", pixels).at(FORM);
        let is_turned = settings.output == OutputFormat::Bgra8 as u64;
        let whole = pixels.map(|pixel| {
            let turned = cat(&[pixel.slice(24, 8), pixel.low(8), pixel.slice(8, 8), pixel.slice(16, 8)]);
            if is_turned { turned } else { pixel }
        });
        let short = cat(&[lit(PAIR_BITS / 2, 0u32), short[1], short[0]]);
        let pair = if self.is_short.val() { short } else { cat(&[whole[1], whole[0]]) };
        let pair = pipe.put(FORM, "pair", pair).at(GATHER);
        let depths = pipe.put(THERE, "depths", self.depths.val()).at(GATHER);
        (pair, depths)
    }

    fn gather(
        &self,
        advance: Bits,
        pipe: &Run<'_, Step>,
        valid: &Payload<'_, Step, Bits>,
        way: &Payload<'_, Step, Way>,
        pair: Bits,
        depths: Bits,
    ) {
        /// # Lines
        let is_short = self.is_short.val();
        let part = PAIR_BITS / 2;
        let (low, high) = (pair.low(part), pair.high(part));
        let [first, second, third] = [0, 1, 2].map(|at: usize| self.gathered[at].val());
        /// The last parts that came, the newest one third.
        if advance && valid.at(GATHER) {
            self.gathered[2].next = if is_short { low } else { high };
            self.gathered[1].next = if is_short { third } else { low };
            self.gathered[0].next = second;
        }
        let of_short = cat(&[low, third, second, first]);
        let of_whole = cat(&[high, low, third, second]);
        let of_picture = if is_short { of_short } else { of_whole };
        let own = way.at(GATHER);
        let bytes = if own.is_depth { depths } else { of_picture };
        /// Columns of the line that lie in the frame.
        let last = self.settings.last_column.val();
        let (units, bits) = (own.place, last.width());
        let of_depth = cat(&[units.low(bits - 2), lit(2, 0u32)]);
        let of_colors = cat(&[units.high(units.width() - 1), lit(2, 0u32)]);
        let of_shorts = cat(&[units.high(units.width() - 2), lit(3, 0u32)]);
        let of_pixels = if is_short { of_shorts } else { of_colors };
        let start = if own.is_depth { of_depth } else { of_pixels };
        let halves = is_short && !own.is_depth;
        let is_in = |column: u64| (start | column) <= last;
        let columns: Vec<Bits> = (0..8).map(is_in).collect();
        let strobes = (0..LINE_BYTES).map(|byte| if halves { columns[byte / 2] } else { columns[byte / 4] });
        let strobes = stack(strobes.collect::<Vec<_>>());
        let line = LineWord { line: own.line, strobes, bytes };
        let line = pipe.put(GATHER, "made", line).at(EXIT);
        let is_made = pipe.flag(GATHER, "is_made", valid.at(GATHER) && own.ends_line).at(EXIT);
        /// # Exit
        self.exit.clocks.follow(&self.clocks);
        self.exit.input.valid.next = is_made;
        self.exit.input.data.next = LineWord::shape().pack(&line);
        discard(self.exit.level.val(), "ready says enough");
        self.lines.forward(&self.exit.output);
    }
}
