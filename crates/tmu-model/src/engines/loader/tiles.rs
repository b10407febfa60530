//! A level as it stands in memory: tiles of 4 x 4 texels, row by row, slices one behind the other.
//!
//! Texels that pad a level to whole tiles repeat its edge.

use super::level::Level;

/// Texels along a side of a tile.
const SIDE: usize = 4;

/// The bytes of a level whose texels have so many.
#[must_use]
pub fn store(level: &Level, bytes: usize) -> Vec<u8> {
    let [width, height, slices] = level.size;
    let mut memory = Vec::new();
    for slice in 0..slices {
        for row in 0..height.div_ceil(SIDE) {
            for column in 0..width.div_ceil(SIDE) {
                for texel in 0..SIDE * SIDE {
                    let x = (column * SIDE + texel % SIDE).min(width - 1);
                    let y = (row * SIDE + texel / SIDE).min(height - 1);
                    memory.extend(&level.at([x, y, slice])[..bytes]);
                }
            }
        }
    }
    memory
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edge_is_repeated() {
        let texels = (0..5 * 3).map(|number| [number as u8; 16]).collect();
        let stored = store(&Level { size: [5, 3, 1], texels }, 1);
        assert_eq!(stored[..16], [0, 1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 13, 10, 11, 12, 13]);
        assert_eq!(stored[16..], [4, 4, 4, 4, 9, 9, 9, 9, 14, 14, 14, 14, 14, 14, 14, 14]);
    }
}
