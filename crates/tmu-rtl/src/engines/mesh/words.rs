//! What passes between the stages of the mesh engine.
//!
//! From `interpolate` to `write_combiner` everything moves in items, one a clock, in the order of the pixels, under handshakes.
//! An item is a pixel, or the end of the job: that is its last item, goes through every stage in its turn, and stands for no pixel.
//! What holds for a whole job does not move with the items: its constants stand still from `start` until the job has ended.

use tmu_hdl::prelude::*;

/// Bits of a size in pixels: 1 to 2047.
pub const SIZE_BITS: usize = 11;
/// Bits behind the point of a coordinate.
pub const FRACTION_BITS: usize = 6;
/// Bits of a coordinate that lies inside a texture: never negative, 11.6.
pub const COORDINATE_BITS: usize = SIZE_BITS + FRACTION_BITS;
/// Bits of the address of a pixel or texel in memory, counted in pixels of two bytes: bits 31:1 of an address.
pub const PLACE_BITS: usize = 31;
/// Bits of a pixel's number in a line of memory.
pub const IN_LINE_BITS: usize = 3;
/// Bits of the address of a line of memory, of eight pixels.
pub const LINE_ADDRESS_BITS: usize = PLACE_BITS - IN_LINE_BITS;
/// Bits of the number of a line in a row of texels, counted from the line in which the row begins: up to (7 + 2047) / 8.
pub const LINE_NUMBER_BITS: usize = 9;
/// Bits of a colour in memory, RGB565.
pub const COLOR_BITS: usize = 16;
/// Bits of `brightness` and `alpha`: 0 to 63.
pub const SHARE_BITS: usize = 6;
/// Texels under a pixel: upper left, upper right, lower left, lower right.
pub const TAPS: usize = 4;
/// Bits of a response of the bus: SLVERR 2, DECERR 3, as a fault says it; 1 an answer of the wrong length.
pub const RESPONSE_BITS: usize = 2;

/// Bits of a coordinate of a point of the mesh, and of one between points, before it is masked: two's complement, 12.6.
pub const POINT_BITS: usize = 18;
/// Bits of a column or row of the frame buffer that may lie outside of it: two's complement.
pub const POSITION_BITS: usize = 20;
/// Bits of the number of a rectangle in its row, and of a row of rectangles: 1 to 127.
pub const MESH_BITS: usize = 7;
/// Axes: u before v, x before y.
pub const AXES: usize = 2;

/// From `vertices` to `interpolate`: an edge between two points of the mesh, one below the other. Edges come row by row, and in a row from
/// left to right: each but the last is the left edge of a rectangle, each but the first the right edge of one.
#[derive(Clone, Debug, Record)]
pub struct EdgeWord<T = Bits> {
    /// The upper point, u and v.
    pub upper: [T; AXES],
    /// The lower point.
    pub lower: [T; AXES],
    /// The first of its row.
    pub is_first: T,
    /// The last of the mesh.
    pub is_last: T,
}

/// Shape of an [`EdgeWord`].
pub fn edge_word() -> EdgeWord<Width> {
    EdgeWord {
        upper: [Width::bits(POINT_BITS); AXES],
        lower: [Width::bits(POINT_BITS); AXES],
        is_first: Width::bits(1),
        is_last: Width::bits(1),
    }
}

/// From `interpolate` to `coordinate`: a pixel of a rectangle, as it comes out of the interpolation.
#[derive(Clone, Debug, Record)]
pub struct PositionWord<T = Bits> {
    /// Column in the texture.
    pub u: T,
    /// Row in the texture.
    pub v: T,
    /// Column in the frame buffer, which may lie outside.
    pub x: T,
    /// Row in the frame buffer.
    pub y: T,
    /// The end of the job, and no pixel.
    pub is_end: T,
}

/// Shape of a [`PositionWord`].
pub fn position_word() -> PositionWord<Width> {
    PositionWord {
        u: Width::bits(POINT_BITS),
        v: Width::bits(POINT_BITS),
        x: Width::bits(POSITION_BITS),
        y: Width::bits(POSITION_BITS),
        is_end: Width::bits(1),
    }
}

/// From `coordinate` to `address`: where the pixel looks into the texture, and where it is drawn. It lies in the frame buffer.
#[derive(Clone, Debug, Record)]
pub struct PixelWord<T = Bits> {
    /// Column in the texture, 11.6.
    pub u: T,
    /// Row in the texture, 11.6.
    pub v: T,
    /// Bits 31:1 of the address of the pixel in the frame buffer.
    pub place: T,
    /// The pixel lies in another line of the frame buffer than the one before, or is the job's first.
    pub opens_line: T,
    /// The end of the job, and no pixel: nothing else of the word counts.
    pub is_end: T,
}

/// Shape of a [`PixelWord`].
pub fn pixel_word() -> PixelWord<Width> {
    PixelWord {
        u: Width::bits(COORDINATE_BITS),
        v: Width::bits(COORDINATE_BITS),
        place: Width::bits(PLACE_BITS),
        opens_line: Width::bits(1),
        is_end: Width::bits(1),
    }
}

/// The two taps of one row of texels.
#[derive(Clone, Debug, Record)]
pub struct TapRow<T = Bits> {
    /// The row of the texture.
    pub row: T,
    /// Number in the row of the line with the left tap; the right one lies in it, or in the next one where `in_line` is 7.
    pub line_number: T,
    /// Address of the line with the left tap.
    pub line: T,
    /// Place of the left tap in its line.
    pub in_line: T,
}

/// From `address` to the cache: the texels under a pixel.
#[derive(Clone, Debug, Record)]
pub struct FootprintWord<T = Bits> {
    /// Upper and lower row.
    pub rows: [TapRow<T>; 2],
    /// Weight of the right taps, of 64; at 0 they are not read.
    pub fx: T,
    /// Weight of the lower taps, of 64; at 0 they are not read.
    pub fy: T,
    /// See [`PixelWord`].
    pub place: T,
    /// See [`PixelWord`].
    pub opens_line: T,
    /// The end of the job, and no pixel: it needs no texel.
    pub is_end: T,
}

/// Shape of a [`FootprintWord`].
pub fn footprint_word() -> FootprintWord<Width> {
    let row = || TapRow {
        row: Width::bits(SIZE_BITS),
        line_number: Width::bits(LINE_NUMBER_BITS),
        line: Width::bits(LINE_ADDRESS_BITS),
        in_line: Width::bits(IN_LINE_BITS),
    };
    FootprintWord {
        rows: [row(), row()],
        fx: Width::bits(FRACTION_BITS),
        fy: Width::bits(FRACTION_BITS),
        place: Width::bits(PLACE_BITS),
        opens_line: Width::bits(1),
        is_end: Width::bits(1),
    }
}

/// From the cache to `filter`: the texels themselves, in RGB565. Those of weight 0 may be anything.
#[derive(Clone, Debug, Record)]
pub struct TapsWord<T = Bits> {
    /// Upper left, upper right, lower left, lower right.
    pub texels: [T; TAPS],
    /// Weight of the right taps, of 64.
    pub fx: T,
    /// Weight of the lower taps, of 64.
    pub fy: T,
    /// See [`PixelWord`].
    pub place: T,
    /// See [`PixelWord`].
    pub opens_line: T,
    /// The end of the job, and no pixel.
    pub is_end: T,
}

/// Shape of a [`TapsWord`].
pub fn taps_word() -> TapsWord<Width> {
    TapsWord {
        texels: [Width::bits(COLOR_BITS); TAPS],
        fx: Width::bits(FRACTION_BITS),
        fy: Width::bits(FRACTION_BITS),
        place: Width::bits(PLACE_BITS),
        opens_line: Width::bits(1),
        is_end: Width::bits(1),
    }
}

/// A picture in memory: its first pixel, and its size in pixels.
#[derive(Clone, Debug, Record)]
pub struct Picture<T = Bits> {
    /// Bits 31:1 of the address of its first pixel.
    pub base: T,
    /// Pixels of a row.
    pub width: T,
    /// Rows.
    pub height: T,
}

/// Shape of a [`Picture`].
pub fn picture() -> Picture<Width> {
    Picture { base: Width::bits(PLACE_BITS), width: Width::bits(SIZE_BITS), height: Width::bits(SIZE_BITS) }
}

/// What `shade` does in a job.
#[derive(Clone, Debug, Record)]
pub struct ShadeSettings<T = Bits> {
    /// Pixels whose filtered colour is the key are left out.
    pub has_key: T,
    /// The key.
    pub key: T,
    /// Fade.
    pub brightness: T,
}

/// Shape of [`ShadeSettings`].
pub fn shade_settings() -> ShadeSettings<Width> {
    ShadeSettings {
        has_key: Width::bits(1),
        key: Width::bits(COLOR_BITS),
        brightness: Width::bits(SHARE_BITS),
    }
}

/// What `frame_reader` and `blend` do in a job.
#[derive(Clone, Debug, Record)]
pub struct BlendSettings<T = Bits> {
    /// Share of the new colour, less one, of 64.
    pub alpha: T,
    /// Colours are added.
    pub is_additive: T,
    /// Pixels depend on what is in the frame buffer: alpha is not 63, or colours are added. Otherwise it is not read.
    pub reads_frame: T,
}

/// Shape of [`BlendSettings`].
pub fn blend_settings() -> BlendSettings<Width> {
    BlendSettings { alpha: Width::bits(SHARE_BITS), is_additive: Width::bits(1), reads_frame: Width::bits(1) }
}

/// What of a job holds for all its pixels: it stands still from `start` until the job has ended. A stage has ports for the parts that
/// it reads.
#[derive(Clone, Debug, Record)]
pub struct JobPorts<T = Bits> {
    /// The texture.
    pub texture: Picture<T>,
    /// The frame buffer.
    pub frame: Picture<T>,
    /// Of `shade`.
    pub shade: ShadeSettings<T>,
    /// Of `frame_reader` and `blend`.
    pub blend: BlendSettings<T>,
}

/// Shape of [`JobPorts`].
pub fn job_ports() -> JobPorts<Width> {
    JobPorts { texture: picture(), frame: picture(), shade: shade_settings(), blend: blend_settings() }
}

/// A fault that a stage reports to `job`. `happened` is high for one clock, at most once a job.
///
/// `job` then raises `cancelled` until the job has ended: what comes through `write_combiner` is dropped, stages need ask for nothing
/// new, and everything drains as it does without a fault, so that the end comes out.
#[derive(Clone, Debug, Record)]
pub struct FaultWord<T = Bits> {
    /// It has happened.
    pub happened: T,
    /// The response, see [`RESPONSE_BITS`].
    pub response: T,
    /// The line of memory.
    pub line: T,
}

/// Shape of a [`FaultWord`].
pub fn fault_word() -> FaultWord<Width> {
    FaultWord {
        happened: Width::bits(1),
        response: Width::bits(RESPONSE_BITS),
        line: Width::bits(LINE_ADDRESS_BITS),
    }
}
