//! The numbers that hold for a level. They follow from the sides of what it is made from and from the registers, stand in registers
//! that are written all the time, and are right when a level starts.

use super::{Job, State};
use crate::engines::loader::words::{
    AXES, GROUP_BITS, LAYOUTS, LINE_ADDRESS_BITS, LevelWord, ROW_LINES_BITS, SIDE_BITS, TEXEL_BYTES,
    TILES_BITS, chosen, is_one_of, layout_of, times_bytes,
};
use tmu_hdl::prelude::*;
use tmu_spec::Format;
use tmu_spec::general::Kind;

/// Bits of the lines of a row of tiles: at most 1024 tiles of 8 lines.
pub(super) const PITCH_BITS: usize = 14;
/// Bits of the bytes of a row of texels.
const ROW_BYTES_BITS: usize = SIDE_BITS + 4;
/// Bits of a texel's place in a line.
const BYTE_BITS: usize = 4;

/// What follows from sides and registers.
#[derive(Clone, Debug, Record)]
pub struct Prepared<T = Bits> {
    /// It is level 0.
    pub is_copy: T,
    /// A smaller level of a volume.
    pub is_volume: T,
    /// A bit for each of the texel sizes.
    pub bytes: T,
    /// A bit for each of the layouts.
    pub layout: T,
    /// Bytes of a row of texels.
    pub row_bytes: T,
    /// Lines of a row of texels.
    pub texel_lines: T,
    /// Tiles of a row, and rows of them, of what the level is made from.
    pub source_tiles: [T; 2],
    /// Lines of such a row.
    pub tile_lines: T,
    /// Sides of the level.
    pub texels: [T; AXES],
    /// The number of its last texel along each axis.
    pub last: [T; AXES],
    /// Axes that are odd and have three texels or more.
    pub is_odd: [T; AXES],
    /// Axes that have one texel, or are not halved.
    pub is_single: [T; AXES],
    /// Lines of the tile with the odd texel.
    pub extra: T,
    /// Lines of a row of a region.
    pub step: T,
    /// Tiles of a group.
    pub group: T,
    /// Rows of a region in a slice.
    pub rows: T,
    /// Slices of a region.
    pub slices: T,
    /// Rows of a region in all.
    pub region_rows: T,
}

/// Shape of [`Prepared`].
pub(super) fn prepared() -> Prepared<Width> {
    let bit = || Width::bits(1);
    Prepared {
        is_copy: bit(),
        is_volume: bit(),
        bytes: Width::bits(TEXEL_BYTES.len()),
        layout: Width::bits(LAYOUTS.len()),
        row_bytes: Width::bits(ROW_BYTES_BITS),
        texel_lines: Width::bits(ROW_BYTES_BITS - BYTE_BITS + 1),
        source_tiles: [Width::bits(TILES_BITS), Width::bits(TILES_BITS)],
        tile_lines: Width::bits(PITCH_BITS),
        texels: [Width::bits(SIDE_BITS); AXES],
        last: [Width::bits(SIDE_BITS); AXES],
        is_odd: [bit(); AXES],
        is_single: [bit(); AXES],
        extra: Width::bits(ROW_LINES_BITS),
        step: Width::bits(ROW_LINES_BITS),
        group: Width::bits(GROUP_BITS),
        rows: Width::bits(3),
        slices: Width::bits(2),
        region_rows: Width::bits(4),
    }
}

/// Numbers of texel sizes in bytes, as one number; there is none of 16 where texels are averaged.
#[kernel]
fn of_bytes(bytes: Bits, width: usize, number: impl Fn(u32) -> u32) -> Bits {
    chosen(bytes, width, |index| lit(width, number(TEXEL_BYTES[index])))
}

/// Whether a format has the layout of a number.
fn has_number(format: Format, number: usize) -> bool {
    layout_of(format) == Some(number)
}

/// Tiles that cover so many texels.
#[kernel]
fn tiles(side: Bits) -> Bits {
    let covered = side + 3;
    discard(covered.low(2), "a tile is covered in part");
    covered.high(TILES_BITS)
}

/// The numbers, from register to register.
#[kernel]
pub(super) fn prepare(job: &Job) {
    sides(job);
    formats(job);
    regions(job);
    level(job);
}

#[kernel]
fn sides(job: &Job) {
    /// # Sides
    let rests = job.is(State::Idle) || job.is(State::Measure);
    let is_next = job.is(State::Next);
    let prepared = &job.prepared;
    let is_copy = !job.number.val().any();
    let of_volume = job.setting("FORMAT", "KIND") == u64::from(Kind::D3.code());
    if rests {
        job.number.next = 0;
        job.first.next = job.setting("TEXTURE", "ADDRESS").high(LINE_ADDRESS_BITS);
    } else if is_next {
        job.number.next = job.number.val() + 1;
        job.above.next = job.first.val();
        job.first.next = job.next_line.val();
    }
    prepared.is_copy.next = is_copy;
    prepared.is_volume.next = of_volume && !is_copy;
    for (axis, name) in ["WIDTH", "HEIGHT", "DEPTH"].into_iter().enumerate() {
        let side = job.sides[axis].val();
        let is_halved = axis < 2 || of_volume;
        let half = side.high(SIDE_BITS - 1).zero_extend(SIDE_BITS);
        let is_one = !half.any();
        if rests {
            job.sides[axis].next = job.setting(name, "TEXELS").low(SIDE_BITS);
        } else if is_next && !is_copy && is_halved {
            job.sides[axis].next = if is_one { lit(SIDE_BITS, 1u32) } else { half };
        }
        let shrinks = is_halved && !is_copy;
        prepared.texels[axis].next = if shrinks && !is_one { half } else { side };
        prepared.last[axis].next = prepared.texels[axis].val() - 1;
        prepared.is_odd[axis].next = shrinks && side.bit(0) && !is_one;
        prepared.is_single[axis].next = !shrinks || is_one;
    }
}

#[kernel]
fn formats(job: &Job) {
    /// # Texels
    let prepared = &job.prepared;
    let format = job.setting("FORMAT", "FORMAT");
    let has_bytes = |count: u32| is_one_of(format, |of| of.bytes_per_texel() == count);
    prepared.bytes.next = stack(TEXEL_BYTES.map(has_bytes));
    let has_layout = |number: usize| is_one_of(format, |of| has_number(of, number));
    prepared.layout.next = stack((0..LAYOUTS.len()).map(has_layout));
    let bytes = prepared.bytes.val();
    prepared.row_bytes.next = times_bytes(job.sides[0].val(), bytes, ROW_BYTES_BITS);
    let covered = prepared.row_bytes.val().zero_extend(ROW_BYTES_BITS + 1) + 15;
    discard(covered.low(BYTE_BITS), "a line is covered in part");
    prepared.texel_lines.next = covered.high(ROW_BYTES_BITS + 1 - BYTE_BITS);
    for axis in 0..2 {
        prepared.source_tiles[axis].next = tiles(job.sides[axis].val());
    }
    prepared.tile_lines.next = times_bytes(prepared.source_tiles[0].val(), bytes, PITCH_BITS);
}

#[kernel]
fn regions(job: &Job) {
    /// # Regions
    let prepared = &job.prepared;
    let (bytes, is_copy) = (prepared.bytes.val(), prepared.is_copy.val());
    let [odd_x, odd_y, odd_z] = prepared.is_odd.each_ref().map(|of| of.val());
    let extra = of_bytes(bytes, ROW_LINES_BITS, |count| count.min(8));
    prepared.extra.next = extra & odd_x.repeat(ROW_LINES_BITS);
    let step = of_bytes(bytes, ROW_LINES_BITS, |count| if count == 3 { 6 } else { 8 });
    let twice = cat(&[step.low(ROW_LINES_BITS - 1), lit(1, 0u32)]);
    prepared.step.next = if is_copy { step } else { twice };
    let of_copy = of_bytes(bytes, GROUP_BITS, |count| if count == 3 { 8 } else { 32 / count });
    let of_mean = of_bytes(bytes, GROUP_BITS, |count| if count == 3 { 2 } else { (8 / count).max(1) });
    prepared.group.next = if is_copy { of_copy } else { of_mean };
    let rows = if odd_y { lit(3, 3u32) } else { lit(3, 2u32) };
    prepared.rows.next = if is_copy { lit(3, 4u32) } else { rows };
    let of_volume = if odd_z { lit(2, 3u32) } else { lit(2, 2u32) };
    let slices = if prepared.is_single[2].val() { lit(2, 1u32) } else { of_volume };
    prepared.slices.next = slices;
    let rows = prepared.rows.val().zero_extend(4);
    let (one, two) = (prepared.slices.val().bit(0), prepared.slices.val().bit(1));
    let twice = cat(&[rows.low(3), lit(1, 0u32)]);
    prepared.region_rows.next = (rows & one.repeat(4)) + (twice & two.repeat(4));
}

#[kernel]
fn level(job: &Job) {
    /// # The level
    let prepared = job.prepared.val();
    let is_copy = prepared.is_copy;
    let lines = |register, field| job.setting(register, field).high(LINE_ADDRESS_BITS);
    let product = &job.slice_lines;
    product.clocks.follow(&job.clocks);
    product.enable.next = 1;
    product.a.next = prepared.tile_lines;
    product.b.next = prepared.source_tiles[1];
    let tile_pitch = prepared.tile_lines.zero_extend(LINE_ADDRESS_BITS);
    let slice_pitch = product.product.val().zero_extend(LINE_ADDRESS_BITS);
    let texel_lines = prepared.texel_lines;
    let [last_x, last_y, last_z] = prepared.last;
    let last_tile_row = (prepared.source_tiles[1] - 1).zero_extend(SIDE_BITS);
    let last_texel_row = job.sides[1].val() - 1;
    let last_of = |last: Bits| {
        discard(last.low(2), "the place in the tile stands apart");
        last.high(TILES_BITS)
    };
    job.level.next = LevelWord {
        is_copy,
        bytes: prepared.bytes,
        layout: prepared.layout,
        is_srgb: job.setting("FORMAT", "SRGB"),
        source: if is_copy { lines("PICTURE", "ADDRESS") } else { job.above.val() },
        pitch: if is_copy { lines("PITCH", "BYTES") } else { tile_pitch },
        slice_pitch: if is_copy { lines("SLICE_PITCH", "BYTES") } else { slice_pitch },
        row_lines: if is_copy { texel_lines } else { prepared.tile_lines },
        last_row: if is_copy { last_texel_row } else { last_tile_row },
        step: prepared.step,
        extra: prepared.extra,
        group: prepared.group,
        rows: prepared.rows,
        slices: prepared.slices,
        region_rows: prepared.region_rows,
        is_volume: prepared.is_volume,
        last_column: last_of(last_x),
        last_tile_row: last_of(last_y),
        last_slice: last_z,
        last_x: last_x.low(2),
        last_y: last_y.low(2),
        is_odd: prepared.is_odd,
        is_single: prepared.is_single,
        reciprocal: job.reciprocals.each_ref().map(|part| part.val()),
        whole: job.wholes.each_ref().map(|part| part.val()),
    };
    job.texture.next = job.first.val();
}
