//! What the parts of the loader engine agree on: regions of texels, and what holds for a level.
//!
//! A level is made in **groups** of tiles that lie side by side, from the region of texels under them: of level 0 four rows of the
//! picture, of a smaller level two or three rows of tiles of the level above it, in one to three slices. A region is read row by row, each
//! row as one burst, into a ring of lines, and then walked over.

use tmu_hdl::prelude::*;
use tmu_spec::Format;
use tmu_spec::format::Texel;
use tmu_spec::loader::{has_means, loads};

/// Bits of a side in texels: 1 to 4096.
pub const SIDE_BITS: usize = 13;
/// Bits of a texel's place on an axis of a level that is averaged.
pub const PLACE_BITS: usize = 12;
/// Bits of a number of tiles on an axis: 1 to 1024.
pub const TILES_BITS: usize = 11;
/// Bits of the number of a line of memory.
pub const LINE_ADDRESS_BITS: usize = 28;
/// Bits of a response of the bus: SLVERR 2, DECERR 3; 1 an answer of the wrong length.
pub const RESPONSE_BITS: usize = 2;
/// Bits of the lines of a row of a region: 1 to 24.
pub const ROW_LINES_BITS: usize = 5;
/// Bits of the lines of a region: at most 216.
pub const REGION_LINES_BITS: usize = 8;
/// Bits of the tiles of a group: at most 32.
pub const GROUP_BITS: usize = 6;
/// Axes: x, y, z.
pub const AXES: usize = 3;
/// Bits of `2^20 / s`, where s is 3 or more.
pub const RECIPROCAL_BITS: usize = 20;
/// Bits of a weight: 0 to 256.
pub const WEIGHT_BITS: usize = 9;
/// Bits of a channel.
pub const CHANNEL_BITS: usize = 16;
/// Channels of a texel.
pub const CHANNELS: usize = 4;
/// Bits of the longest texel that is averaged.
pub const TEXEL_BITS: usize = 64;

/// Bytes of a texel that there are, of which each format has one.
pub const TEXEL_BYTES: [u32; 6] = [1, 2, 3, 4, 8, 16];
/// Where channels stand in a texel: lowest bit and bits of R, G, B and A.
pub type Layout = [(u32, u32); CHANNELS];
/// Layouts of the formats that are averaged; one with fewer channels has that of the one with four.
pub const LAYOUTS: [Layout; 6] = [
    [(0, 8), (8, 8), (16, 8), (24, 8)],
    [(11, 5), (5, 6), (0, 5), (0, 0)],
    [(11, 5), (6, 5), (1, 5), (0, 1)],
    [(12, 4), (8, 4), (4, 4), (0, 4)],
    [(0, 10), (10, 10), (20, 10), (30, 2)],
    [(0, 16), (16, 16), (32, 16), (48, 16)],
];

/// The number of a format's layout; none if it is not averaged.
#[must_use]
pub fn layout_of(format: Format) -> Option<usize> {
    let Texel::Color(packing) = format.texel() else { return None };
    let fits = |layout: &Layout| {
        let mut places = packing.channels.iter().zip(layout);
        places.all(|(channel, place)| channel.bits == 0 || (channel.lo, channel.bits) == *place)
    };
    LAYOUTS.iter().position(fits)
}

/// A bit for each of the texel sizes, chosen by a code of a format.
#[kernel]
pub fn is_one_of(code: Bits, of: impl Fn(Format) -> bool) -> Bits {
    let mut found = lit(1, 0u32);
    for format in Format::ALL.into_iter().filter(|format| loads(*format) && of(*format)) {
        found = found || code == u64::from(format.code());
    }
    found
}

/// One bit: a format that is averaged.
#[kernel]
pub fn is_averaged(code: Bits) -> Bits {
    is_one_of(code, has_means)
}

/// What one of several bits chooses; 0 where none does.
#[kernel]
pub fn chosen(bits: Bits, width: usize, choice: impl Fn(usize) -> Bits) -> Bits {
    let mut found = lit(width, 0u32);
    for number in 0..bits.width() {
        found = found | (choice(number) & bits.bit(number).repeat(width));
    }
    found
}

/// `value` times the bytes of a texel, as wide as asked for; `bytes` has a bit for each of [`TEXEL_BYTES`].
#[kernel]
pub fn times_bytes(value: Bits, bytes: Bits, width: usize) -> Bits {
    let wide = value.zero_extend(width);
    chosen(bytes, width, |number| match TEXEL_BYTES[number] {
        1 => wide,
        3 => wide + cat(&[wide.low(width - 1), lit(1, 0u32)]),
        count => cat(&[wide.low(width - count.ilog2() as usize), lit(count.ilog2() as usize, 0u32)]),
    })
}

/// The number, or the last one there is.
#[kernel]
pub fn nearest(number: Bits, last: Bits) -> Bits {
    if number > last { last } else { number }
}

/// What holds for a level while it is made.
#[derive(Clone, Debug, Record)]
pub struct LevelWord<T = Bits> {
    /// It is level 0: texels are copied.
    pub is_copy: T,
    /// A bit for each of [`TEXEL_BYTES`].
    pub bytes: T,
    /// A bit for each of [`LAYOUTS`].
    pub layout: T,
    /// Colours are averaged as light.
    pub is_srgb: T,
    /// First line of what it is made from.
    pub source: T,
    /// Lines from a row to the next: of texels, or of tiles.
    pub pitch: T,
    /// Lines from a slice to the next.
    pub slice_pitch: T,
    /// Lines of a row.
    pub row_lines: T,
    /// The last row.
    pub last_row: T,
    /// Lines of a row of a region, but for the odd texel behind it and the end of a row.
    pub step: T,
    /// Lines of the tile with the odd texel.
    pub extra: T,
    /// Tiles of a group.
    pub group: T,
    /// Rows of a region in a slice.
    pub rows: T,
    /// Slices of a region.
    pub slices: T,
    /// Rows of a region in all.
    pub region_rows: T,
    /// Slices are halved.
    pub is_volume: T,
    /// Tiles of a row of the level, less one.
    pub last_column: T,
    /// Rows of tiles, less one.
    pub last_tile_row: T,
    /// Slices, less one.
    pub last_slice: T,
    /// The last texel of a row in its tile.
    pub last_x: T,
    /// The last row in its tile.
    pub last_y: T,
    /// The axis is odd, and has three texels or more.
    pub is_odd: [T; AXES],
    /// The axis has one texel, or is not halved.
    pub is_single: [T; AXES],
    /// `2^20 / s` of an odd axis.
    pub reciprocal: [T; AXES],
    /// So often as the level has texels on the axis.
    pub whole: [T; AXES],
}

/// Shape of a [`LevelWord`].
pub fn level_word() -> LevelWord<Width> {
    let bit = || Width::bits(1);
    let line = || Width::bits(LINE_ADDRESS_BITS);
    LevelWord {
        is_copy: bit(),
        bytes: Width::bits(TEXEL_BYTES.len()),
        layout: Width::bits(LAYOUTS.len()),
        is_srgb: bit(),
        source: line(),
        pitch: line(),
        slice_pitch: line(),
        row_lines: Width::bits(SIDE_BITS + 1),
        last_row: Width::bits(SIDE_BITS),
        step: Width::bits(ROW_LINES_BITS),
        extra: Width::bits(ROW_LINES_BITS),
        group: Width::bits(GROUP_BITS),
        rows: Width::bits(3),
        slices: Width::bits(2),
        region_rows: Width::bits(4),
        is_volume: bit(),
        last_column: Width::bits(TILES_BITS),
        last_tile_row: Width::bits(TILES_BITS),
        last_slice: Width::bits(SIDE_BITS),
        last_x: Width::bits(2),
        last_y: Width::bits(2),
        is_odd: [bit(); AXES],
        is_single: [bit(); AXES],
        reciprocal: [Width::bits(RECIPROCAL_BITS); AXES],
        whole: [Width::bits(RECIPROCAL_BITS); AXES],
    }
}

/// A region whose lines are asked for.
#[derive(Clone, Debug, Record)]
pub struct RegionWord<T = Bits> {
    /// Lines of a row.
    pub row: T,
    /// Lines of all rows.
    pub lines: T,
    /// Tiles of the group, less one.
    pub last_tile: T,
    /// It is the last one of its row of tiles.
    pub ends_row: T,
}

/// Shape of a [`RegionWord`].
pub fn region_word() -> RegionWord<Width> {
    RegionWord {
        row: Width::bits(ROW_LINES_BITS),
        lines: Width::bits(REGION_LINES_BITS),
        last_tile: Width::bits(GROUP_BITS - 1),
        ends_row: Width::bits(1),
    }
}

/// A fault, where it is found.
#[derive(Clone, Debug, Record)]
pub struct FaultWord<T = Bits> {
    /// Something has failed, for this clock.
    pub happened: T,
    /// How: the response of the bus, or 1.
    pub response: T,
    /// The line.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_has_its_bytes_and_its_layout() {
        for format in Format::ALL.into_iter().filter(|format| loads(*format)) {
            assert!(TEXEL_BYTES.contains(&format.bytes_per_texel()), "{format}");
            assert_eq!(layout_of(format).is_some(), has_means(format), "{format}");
            assert!(!has_means(format) || format.bytes_per_texel() <= 8, "{format}");
        }
    }
}
