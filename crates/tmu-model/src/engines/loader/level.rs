//! The stored texels of a level.

/// Bytes of the longest texel.
pub const MOST_BYTES: usize = 16;

/// The stored texels of a level: rows from the top, slices one behind the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// Columns, rows and slices.
    pub size: [usize; 3],
    /// Texels; bytes that the format does not have are 0.
    pub texels: Vec<[u8; MOST_BYTES]>,
}

impl Level {
    /// The texel at a place.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn at(&self, [x, y, z]: [usize; 3]) -> [u8; MOST_BYTES] {
        let [width, height, _] = self.size;
        self.texels[(z * height + y) * width + x]
    }
}
