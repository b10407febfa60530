//! From memory to the points of a mesh.

use super::coordinate::signed;

/// Points of a row of a mesh in memory, whether it has so many or not.
const ROW_POINTS: u32 = 128;
/// Bytes of a point.
const POINT_BYTES: u32 = 8;

/// Column and row in the texture, with 6 bits behind the point, 18 bits each.
pub type Point = [i32; 2];

/// Where a point lies in memory. Addresses have 32 bits.
#[must_use]
pub const fn point_address(vertices: u32, x: u32, y: u32) -> u32 {
    vertices.wrapping_add(POINT_BYTES * (ROW_POINTS * y + x))
}

/// A point of its two words, the column's first.
#[must_use]
pub fn point(words: [u32; 2]) -> Point {
    words.map(signed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_room_for_128_points() {
        assert_eq!(point_address(0x1000, 3, 2), 0x1000 + 8 * 259);
        assert_eq!(point_address(u32::MAX - 7, 1, 0), 0);
    }

    #[test]
    fn eighteen_bits_count() {
        assert_eq!(point([64, 0x3_ffff]), [64, -1]);
        assert_eq!(point([0xffff_ffc0, 0xfffc_0000]), [-64, 0]);
        assert_eq!(point([0x2_0000, 0x1_ffff]), [-131_072, 131_071]);
    }
}
