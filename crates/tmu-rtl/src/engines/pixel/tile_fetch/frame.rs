//! The frame's record, and the rules that it keeps. Four lines; a few clocks behind the last one it is known whether it does.

use super::words::{FrameWord, PIXEL_BITS};
use crate::engine::memory::LINE_BITS;
use crate::engines::pixel::reads::{AskWord, CameWord};
use crate::engines::pixel::records::{has_reserved, is_misaligned, line_of, value};
use crate::engines::pixel::shade::coordinates::canonical;
use crate::engines::pixel::words::{LINE_NUMBER_BITS, RECORD_LINES_BITS, SINGLE_BITS};
use tmu_hdl::prelude::*;
use tmu_spec::LINE_BYTES;
use tmu_spec::pixel::record::{FRAME_MAGIC, Frame};
use tmu_spec::pixel::{OutputFormat, TileSize};

/// Lines of the record.
const LINES: usize = Frame::BYTES / LINE_BYTES as usize;
/// Rules.
const RULES: usize = 8;
/// Bits of the lines of a row.
const ROW_BITS: usize = PIXEL_BITS - 1;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// Nothing.
    Idle,
    /// The record is asked for.
    Ask,
    /// Its lines come.
    Lines,
    /// Lines of a row are counted.
    Measure,
    /// Each rule is looked at.
    Look,
    /// It is known whether all hold.
    Tell,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct FrameRecord {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A frame starts.
    pub start: Net<In>,
    /// The line of its record.
    pub address: Net<In>,
    /// Reads, see [`AskWord`].
    pub ask: StreamOut,
    /// What comes.
    pub came: CameWord<Field<In>>,
    /// The record keeps every rule.
    pub done: Net<Out>,
    /// It does not.
    pub refused: Net<Out>,
    /// What it says.
    pub frame: FrameWord<Field<Out>>,
    state: EnumReg<State>,
    /// The last line that came is the highest.
    lines: Vec<Reg>,
    clear_depth: Reg,
    picture_row: Reg,
    depth_row: Reg,
    broken: Reg,
    _tile: TileSize,
}

impl FrameRecord {
    /// Of frames with tiles of this size.
    #[must_use]
    pub(super) fn new(tile: TileSize) -> FrameRecord {
        let clocks = Clocks::new();
        FrameRecord {
            start: Net::bit(),
            address: Net::new(LINE_NUMBER_BITS),
            ask: StreamOut::new(AskWord::shape().width()),
            came: CameWord::shape().nets(),
            done: Net::bit(),
            refused: Net::bit(),
            frame: FrameWord::shape().nets(),
            state: EnumReg::with_reset(&clocks, State::Idle),
            lines: Reg::array(LINES, &clocks, LINE_BITS),
            clear_depth: Reg::new(&clocks, SINGLE_BITS),
            picture_row: Reg::new(&clocks, ROW_BITS),
            depth_row: Reg::new(&clocks, ROW_BITS),
            broken: Reg::new(&clocks, RULES),
            clocks,
            _tile: tile,
        }
    }

    fn of(&self, name: &str) -> Bits {
        value(Frame::FIELDS, name, 0, &self.read())
    }

    fn line_of(&self, name: &str) -> Bits {
        line_of(Frame::FIELDS, name, 0, &self.read())
    }

    fn read(&self) -> Vec<Bits> {
        self.lines.iter().map(Reg::val).collect()
    }
}

/// The frame's record.
#[kernel]
impl FrameRecord {
    fn module_name(&self) -> String {
        "tile_fetch_frame".into()
    }

    /// One bit: this is done.
    fn is(&self, state: State) -> Bits {
        self.state.val() == state
    }

    fn logic(&self) {
        /// # Reads
        self.ask.valid.next = self.is(State::Ask);
        self.ask.data.next = AskWord::shape()
            .pack(&AskWord { line: self.address.val(), more: lit(RECORD_LINES_BITS, (LINES - 1) as u32) });
        let came = self.came.val();
        let comes = self.is(State::Lines) && came.valid;
        if comes {
            for (number, line) in self.lines.iter().enumerate() {
                line.next = if number + 1 == LINES { came.line } else { self.lines[number + 1].val() };
            }
        }
        match self.state.val() {
            State::Idle => {
                if self.start.val() {
                    self.state.next = State::Ask;
                }
            }
            State::Ask => {
                if self.ask.ready.val() {
                    self.state.next = State::Lines;
                }
            }
            State::Lines => {
                if comes && came.ends {
                    self.state.next = State::Measure;
                }
            }
            State::Measure => self.state.next = State::Look,
            State::Look => self.state.next = State::Tell,
            State::Tell => self.state.next = State::Idle,
        }
        let keeps_rules = !self.broken.val().any();
        self.done.next = self.is(State::Tell) && keeps_rules;
        self.refused.next = self.is(State::Tell) && !keeps_rules;
        self.rules();
        self.say();
    }

    fn rules(&self) {
        /// # Rules
        let last = self.of("width_less_one");
        let row = |log2: usize| last.high(PIXEL_BITS - log2).zero_extend(ROW_BITS) + 1;
        discard(last.low(2), "rows have whole lines");
        let is_short = self.of("output") == OutputFormat::Rgb565 as u64;
        self.picture_row.next = if is_short { row(3) } else { row(2) };
        self.depth_row.next = row(2);
        let lines = self.read();
        let reserved: Vec<Bits> = lines
            .iter()
            .enumerate()
            .map(|(number, line)| has_reserved(Frame::FIELDS, number, *line))
            .collect();
        let misaligned = |names: &[&str]| {
            let each: Vec<Bits> =
                names.iter().map(|name| is_misaligned(Frame::FIELDS, name, 0, &lines)).collect();
            stack(each).any()
        };
        let writes_depth = self.of("writes_depth");
        let is_narrow = |pitch: &str, row: Bits| {
            let pitch = self.line_of(pitch);
            !pitch.high(LINE_NUMBER_BITS - ROW_BITS).any() && pitch.low(ROW_BITS) < row
        };
        let count = self.of("texture_count");
        let most = count.high(1) && count.low(count.width() - 1).any();
        self.broken.next = stack([
            self.of("magic") != u64::from(FRAME_MAGIC),
            stack(reserved).any(),
            self.of("tile") != self._tile as u64,
            self.of("output").all(),
            misaligned(&["tiles", "textures", "picture", "picture_pitch"]),
            is_narrow("picture_pitch", self.picture_row.val()),
            writes_depth
                && (misaligned(&["depth", "depth_pitch"]) || is_narrow("depth_pitch", self.depth_row.val())),
            most,
        ]);
    }

    fn say(&self) {
        /// # Frame
        self.clear_depth.next = canonical(self.of("clear_depth"));
        let color: Vec<Bits> =
            (0..4).rev().map(|channel| value(Frame::FIELDS, "clear_color", channel, &self.read())).collect();
        self.frame.next = FrameWord {
            width_less_one: self.of("width_less_one"),
            height_less_one: self.of("height_less_one"),
            output: self.of("output"),
            dithers: self.of("dithers"),
            writes_depth: self.of("writes_depth"),
            list_limit: self.of("list_limit"),
            clear_color: cat(&color),
            clear_depth: self.clear_depth.val(),
            tiles: self.line_of("tiles"),
            textures: self.line_of("textures"),
            picture: self.line_of("picture"),
            picture_pitch: self.line_of("picture_pitch"),
            depth: self.line_of("depth"),
            depth_pitch: self.line_of("depth_pitch"),
            texture_count: self.of("texture_count"),
        };
    }
}
