//! `coordinate`: where a pixel looks into the texture, and where it is drawn.
//!
//! Coordinates are masked, and limited to the texels that there are. A pixel outside the frame buffer is left out; of the others those
//! that open a line of the frame buffer are marked. Nothing stops on the way: what has come in has a place in the FIFO at the end, and
//! `ready` of the input comes from a register.
//!
//! Latency 8 clocks, II 1. One multiplier, one FIFO of 16 pixels in block RAM.

use super::words::{
    AXES, FRACTION_BITS, LINE_ADDRESS_BITS, PLACE_BITS, POINT_BITS, POSITION_BITS, Picture, PixelWord,
    PositionWord, SIZE_BITS, picture, pixel_word, position_word,
};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand, RamStyle, SyncFifo};

/// Pixels that the FIFO holds.
const DEPTH: usize = 16;
/// Pixels for which there must be room: the register of `ready` is two clocks behind.
const MARGIN: usize = 2;

/// Where a pixel is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
enum Stage {
    /// It comes in, and is masked.
    Entry,
    /// Its coordinates are compared with the size of the texture.
    Compare,
    /// They are limited.
    Limit,
    /// The start of its row of the frame buffer is there.
    Row,
    /// Its line of the frame buffer is compared with the one before.
    Line,
    /// It goes into the FIFO.
    Exit,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Coordinate {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Masks of both axes.
    pub masks: [Net<In>; AXES],
    /// Width and height of the texture.
    pub texture_size: [Net<In>; AXES],
    /// The frame buffer.
    pub frame: Picture<Field<In>>,
    /// A [`PositionWord`].
    pub input: StreamIn,
    /// A [`PixelWord`].
    pub output: StreamOut,
    /// A pixel was left out.
    pub left_out: Net<Out>,
    last_texel: [Reg; AXES],
    row: Multiplier,
    /// The next pixel is the first one of a job; and the line of the one before.
    is_first: Reg,
    line: Reg,
    fifo: SyncFifo,
    held: Reg,
    ready: Reg,
    pipe: Pipe<Stage>,
}

impl Coordinate {
    /// The stage.
    pub fn new() -> Coordinate {
        let clocks = Clocks::new();
        let size = || Operand::unsigned(SIZE_BITS);
        let coordinate = Coordinate {
            masks: [Net::new(POINT_BITS), Net::new(POINT_BITS)],
            texture_size: [Net::new(SIZE_BITS), Net::new(SIZE_BITS)],
            frame: picture().nets(),
            input: StreamIn::new(position_word().width()),
            output: StreamOut::new(pixel_word().width()),
            left_out: Net::bit(),
            last_texel: [Reg::new(&clocks, SIZE_BITS), Reg::new(&clocks, SIZE_BITS)],
            row: Multiplier::new(size(), size()),
            is_first: Reg::with_reset(&clocks, 1, 1),
            line: Reg::new(&clocks, LINE_ADDRESS_BITS),
            fifo: SyncFifo::with_style(DEPTH, pixel_word().width(), RamStyle::Block),
            held: Reg::with_reset(&clocks, DEPTH.ilog2() as usize + 1, 0),
            ready: Reg::with_reset(&clocks, 1, 0),
            pipe: Pipe::new(),
            clocks,
        };
        coordinate.pipe.plan(&coordinate.clocks, || coordinate.logic());
        coordinate
    }
}

impl Default for Coordinate {
    fn default() -> Coordinate {
        Coordinate::new()
    }
}

/// One bit: a column or row lies in the frame buffer.
#[kernel]
fn is_inside(position: Bits, size: Bits) -> Bits {
    !position.high(POSITION_BITS - SIZE_BITS).any() && position.low(SIZE_BITS) < size
}

/// Where a pixel looks into the texture, and where it is drawn.
#[kernel]
impl Coordinate {
    fn module_name(&self) -> String {
        "mesh_coordinate".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        timing(pipe_latency() + self.fifo.latency_clocks(), 1);
        let word = position_word().unpack(self.input.data.val());
        let valid = pipe.flag(Stage::Entry, "valid", self.input.moves());
        let is_end = pipe.put(Stage::Entry, "is_end", word.is_end);
        let [u, v] = self.coordinates(&pipe, [word.u, word.v]);
        let place = self.place(&pipe, &word);
        let is_inside = [(word.x, self.frame.width.val()), (word.y, self.frame.height.val())]
            .map(|(position, size)| is_inside(position, size));
        let is_inside = pipe.put(Stage::Entry, "is_inside", is_inside[0] && is_inside[1]);
        let is_kept = |stage| valid.at(stage) && (is_inside.at(stage) || is_end.at(stage));
        let is_new = self.is_new(is_kept(Stage::Line), place.at(Stage::Line), is_end.at(Stage::Line));
        let is_new = pipe.put(Stage::Line, "is_new", is_new).at(Stage::Exit);
        /// # FIFO
        let (is_end, place) = (is_end.at(Stage::Exit), place.at(Stage::Exit));
        let is_left_out = valid.at(Stage::Exit) && !is_kept(Stage::Exit);
        self.left_out.next = is_left_out;
        self.fifo.clocks.follow(&self.clocks);
        self.fifo.input.valid.next = is_kept(Stage::Exit);
        let opens_line = is_new.any() && !is_end;
        self.fifo.input.data.next = pixel_word().pack(&PixelWord { u, v, place, opens_line, is_end });
        discard(self.fifo.input.ready.val(), "what has come in has room");
        self.output.forward(&self.fifo.output);
        self.count(is_left_out);
    }

    /// Masked and limited.
    fn coordinates(&self, pipe: &Run<'_, Stage>, coordinates: [Bits; AXES]) -> [Bits; AXES] {
        /// # Texture
        let mut limited = vec![];
        for (axis, names) in [
            ["raw_u", "is_above_u", "texel_u", "fraction_u"],
            ["raw_v", "is_above_v", "texel_v", "fraction_v"],
        ]
        .iter()
        .enumerate()
        {
            // The mask costs nothing in the LUTs of what follows: so it is applied there, and not here.
            let raw = pipe.put(Stage::Entry, names[0], coordinates[axis]);
            let mask = self.masks[axis].val();
            let whole = |point: Bits| point.slice(FRACTION_BITS, SIZE_BITS);
            self.last_texel[axis].next = self.texture_size[axis].val() - 1;
            let last_texel = self.last_texel[axis].val();
            let is_above = !(last_texel > (whole(raw.at(Stage::Compare)) & whole(mask)));
            let is_above = pipe.put(Stage::Compare, names[1], is_above).at(Stage::Limit);
            let masked = raw.at(Stage::Limit) & mask;
            let (fraction, texel) = (masked.low(FRACTION_BITS), whole(masked));
            let is_negative = masked.high(1);
            let texel = if is_above { last_texel } else { texel };
            let texel = texel & (!is_negative).repeat(SIZE_BITS);
            let fraction = fraction & (!(is_above || is_negative)).repeat(FRACTION_BITS);
            let texel = pipe.put(Stage::Limit, names[2], texel);
            let fraction = pipe.put(Stage::Limit, names[3], fraction);
            limited.push(cat(&[texel.at(Stage::Exit), fraction.at(Stage::Exit)]));
        }
        [limited[0], limited[1]]
    }

    /// The pixel in the frame buffer.
    fn place<'p>(&self, pipe: &Run<'p, Stage>, word: &PositionWord) -> Payload<'p, Stage, Bits> {
        /// # Frame buffer
        let frame = self.frame.val();
        let column = frame.base + word.x.low(SIZE_BITS).zero_extend(PLACE_BITS);
        let column = pipe.put(Stage::Entry, "column", column);
        let factors = (word.y.low(SIZE_BITS), frame.width);
        let row = pipe.through(Stage::Entry, "row", &self.row, factors).at(Stage::Row);
        let place = column.at(Stage::Row) + row.zero_extend(PLACE_BITS);
        pipe.put(Stage::Row, "place", place)
    }

    /// Two bits, which say together that a pixel lies in another line than the one before that was kept, or is the job's first. The halves
    /// of a line's number are compared each for itself: together they are too many for the levels of a clock.
    fn is_new(&self, is_kept: Bits, place: Bits, is_end: Bits) -> Bits {
        /// # Lines of the frame buffer
        let (line, half) = (place.high(LINE_ADDRESS_BITS), LINE_ADDRESS_BITS / 2);
        if is_kept {
            self.is_first.next = is_end;
            self.line.next = line;
        }
        let differs = line ^ self.line.val();
        cat(&[differs.high(half).any(), differs.low(half).any()]) | self.is_first.val().repeat(2)
    }

    /// Pixels that have come in and have neither left nor been left out.
    fn count(&self, is_left_out: Bits) {
        /// # Room
        let bits = self.held.width();
        let comes = self.input.moves().zero_extend(bits);
        let goes = self.output.moves().zero_extend(bits) + is_left_out.zero_extend(bits);
        let held = self.held.val();
        self.held.next = held + comes - goes;
        self.ready.next = held < (DEPTH - MARGIN) as u64;
        self.input.ready.next = self.ready.val();
    }
}

/// Clocks from the input to the FIFO.
fn pipe_latency() -> u32 {
    Stage::ALL.len() as u32 - 1
}
