//! From a position to a place inside the texture, and from a pixel of the mesh to its place in the frame buffer.

use super::job::Job;

/// Bits of a position and of a mask.
const POSITION_BITS: u32 = 18;
/// Bits behind the point.
pub const FRACTION_BITS: u32 = 6;

/// The low 18 bits as a number with a sign.
#[must_use]
pub(super) const fn signed(word: u32) -> i32 {
    let unused = u32::BITS - POSITION_BITS;
    (word << unused) as i32 >> unused
}

/// A position behind its mask, limited to a side of the texture of so many texels: 11.6.
#[must_use]
pub fn limited(position: i32, mask: u32, texels: u32) -> u32 {
    let masked = signed(position as u32 & mask);
    masked.clamp(0, ((texels - 1) << FRACTION_BITS) as i32) as u32
}

/// Address of a pixel of the frame buffer; none outside of it.
#[must_use]
pub fn frame_address(job: &Job, column: i64, row: i64) -> Option<u32> {
    let inside = |at: i64, pixels: u32| (0..i64::from(pixels)).contains(&at).then_some(at as u32);
    let (column, row) = (inside(column, job.frame_width)?, inside(row, job.frame_height)?);
    Some(job.frame.wrapping_add(2 * (row * job.frame_width + column)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_come_before_limits() {
        for (position, mask, texels, expected) in [
            (100, 0x3_ffff, 8, 100),
            (-1, 0x3_ffff, 8, 0),
            (8 * 64, 0x3_ffff, 8, 7 * 64),
            (7 * 64 + 1, 0x3_ffff, 8, 7 * 64),
            // A mask of a power of two wraps around, below 0, too; the fraction of the last texel is lost to the limit.
            (8 * 64 + 5, 0x1ff, 8, 5),
            (-64, 0x1ff, 8, 7 * 64),
            (-1, 0x1ff, 8, 7 * 64),
            // The sign is a bit like others.
            (-131_072, 0x2_0000, 2047, 0),
            (-131_072 + 70, 0x1_ffff, 2047, 70),
            (131_071, 0x3_ffff, 2047, 2046 * 64),
            (131_071, 0x3_ffff, 1, 0),
            (12_345, 0, 2047, 0),
        ] {
            assert_eq!(limited(position, mask, texels), expected, "{position} {mask:x} {texels}");
        }
    }

    #[test]
    fn the_frame_buffer_ends_where_it_ends() {
        let job = Job { frame: 0x100, frame_width: 3, frame_height: 2, ..Job::default() };
        for (column, row, expected) in [
            (0, 0, Some(0x100)),
            (2, 1, Some(0x10a)),
            (3, 0, None),
            (-1, 0, None),
            (0, 2, None),
            (0, -1, None),
            (1 << 40, 0, None),
        ] {
            assert_eq!(frame_address(&job, column, row), expected, "{column} {row}");
        }
    }
}
