//! `address`: from a pixel's coordinates to the lines of memory with its texels.
//!
//! The row of texels begins at `base + width * row`, anywhere in a line. A line is told by its address and by its number in the row,
//! counted from the line in which the row begins: so the lines of a row have numbers that follow each other, at any width and any
//! base, and the texture cache sorts them by these.
//!
//! Latency: the stages of [`Stage`], initiation interval 1. One multiplier of 11 x 11 bits.

use super::words::{
    COORDINATE_BITS, FRACTION_BITS, FootprintWord, IN_LINE_BITS, LINE_ADDRESS_BITS, LINE_NUMBER_BITS,
    PLACE_BITS, SIZE_BITS, TapRow, footprint_word, pixel_word,
};
use Stage::{Entry, Exit, Lower, Row, Upper};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};

/// Where a pixel is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in, and its row goes into the multiplier.
    Entry,
    /// It is in the multiplier.
    Factors,
    /// It is multiplied.
    Multiply,
    /// The texels in front of its row are known, and where the row begins is found.
    Row,
    /// The upper left texel is found.
    Upper,
    /// The lower left texel is found.
    Lower,
    /// It leaves.
    Exit,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Address {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Bits 31:1 of the address of the texture. It stands still while pixels are under way.
    pub texture_base: Net<In>,
    /// Texels of a row. It stands still as well.
    pub texture_width: Net<In>,
    /// See [`PixelWord`](super::words::PixelWord).
    pub pixel: StreamIn,
    /// See [`FootprintWord`].
    pub footprint: StreamOut,
    row_start: Multiplier,
    pipe: Pipe<Stage>,
}

impl Default for Address {
    fn default() -> Address {
        Address::new()
    }
}

impl Address {
    /// The stage.
    pub fn new() -> Address {
        let address = Address {
            clocks: Clocks::new(),
            texture_base: Net::new(PLACE_BITS),
            texture_width: Net::new(SIZE_BITS),
            pixel: StreamIn::new(pixel_word().width()),
            footprint: StreamOut::new(footprint_word().width()),
            row_start: Multiplier::new(Operand::unsigned(SIZE_BITS), Operand::unsigned(SIZE_BITS)),
            pipe: Pipe::new(),
        };
        address.pipe.plan(&address.clocks, || address.logic());
        address
    }
}

/// Lines and places of the taps of each pixel.
#[kernel]
impl Address {
    fn logic(&self) {
        let advance = self.footprint.ready.val();
        let pipe = self.pipe.run(&self.clocks, advance);
        pipe.timing();
        /// # Pixels
        let pixel = pixel_word().unpack(self.pixel.data.val());
        self.pixel.ready.next = advance;
        let is_pixel = pipe.flag(Entry, "is_pixel", self.pixel.valid.val());
        let is_end = pipe.put(Entry, "is_end", pixel.is_end);
        let place = pipe.put(Entry, "place", pixel.place);
        let opens_line = pipe.put(Entry, "opens_line", pixel.opens_line);
        let fraction = |coordinate: Bits| coordinate.low(FRACTION_BITS);
        let whole = |coordinate: Bits| coordinate.high(COORDINATE_BITS - FRACTION_BITS);
        let weights = pipe.put(Entry, "weight", [fraction(pixel.u), fraction(pixel.v)]);
        let column = pipe.put(Entry, "column", whole(pixel.u));
        let row = pipe.put(Entry, "row", whole(pixel.v));
        /// # Places of the left texels
        let width = self.texture_width.val();
        let texel_place = |texels: Bits| texels.zero_extend(PLACE_BITS);
        let texels_before = pipe.through(Entry, "texels_before", &self.row_start, (whole(pixel.v), width));
        let row_start = self.texture_base.val() + texel_place(texels_before.at(Row));
        let row_start = pipe.put(Row, "row_start", row_start);
        let upper = pipe.put(Upper, "upper", row_start.at(Upper) + texel_place(column.at(Upper)));
        let lower = pipe.put(Lower, "lower", upper.at(Lower) + texel_place(width));
        /// # Numbers of their lines in the row
        let first = |start: Bits| start.low(IN_LINE_BITS);
        let upper_first = first(row_start.at(Upper));
        let lower_first = pipe.put(Upper, "lower_first", upper_first + first(width));
        let upper_line = pipe.put(Upper, "upper_line", line_number(upper_first, column.at(Upper)));
        let lower_line = line_number(lower_first.at(Lower), column.at(Lower));
        let lower_line = pipe.put(Lower, "lower_line", lower_line);
        let lower_row = pipe.put(Lower, "lower_row", row.at(Lower) + 1);
        /// # Footprint
        let taps = |row: Bits, line_number: Bits, place: Bits| TapRow {
            row,
            line_number,
            line: place.high(LINE_ADDRESS_BITS),
            in_line: place.low(IN_LINE_BITS),
        };
        let [fx, fy] = weights.at(Exit);
        self.footprint.valid.next = is_pixel.at(Exit);
        self.footprint.data.next = footprint_word().pack(&FootprintWord {
            rows: [
                taps(row.at(Exit), upper_line.at(Exit), upper.at(Exit)),
                taps(lower_row.at(Exit), lower_line.at(Exit), lower.at(Exit)),
            ],
            fx,
            fy,
            place: place.at(Exit),
            opens_line: opens_line.at(Exit),
            is_end: is_end.at(Exit),
        });
    }
}

/// Number of the line with the texel of a column, where the row begins at the texel `first` of a line.
#[kernel]
fn line_number(first: Bits, column: Bits) -> Bits {
    let texel = first.zero_extend(SIZE_BITS + 1) + column.zero_extend(SIZE_BITS + 1);
    discard(texel.low(IN_LINE_BITS), "the place of the texel has these bits, too");
    texel.high(LINE_NUMBER_BITS)
}
