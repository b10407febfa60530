//! Level-offset ROM: from texture size and level to where the level starts.
//!
//! Levels are stored smallest first, so a level starts behind all smaller ones. Its offset is the sum of their
//! stored sizes, in units of 16 texels (one 4 × 4 tile). Hardware reads it from a ROM of [`ENTRIES`] entries
//! of [`ENTRY_BITS`] bits, built as two RAMs of [`HALF_BITS`] bits; the model reads the same table.
//! Cost: 16 KiB, made at compile time.

/// Largest log2 of a texture's width or height: 2048 texels.
pub const MAX_SIZE_LOG2: u32 = 11;

/// Log2 of the smallest stored width and height: a level takes at least one 4 × 4 tile.
pub const TILE_LOG2: u32 = 2;

/// Entries of the ROM: `{width_log2[3:0], height_log2[3:0], level[3:0]}`.
pub const ENTRIES: usize = 1 << 12;

/// Width of an entry.
pub const ENTRY_BITS: u32 = 18;

/// Width of each of the two RAMs that make up the ROM.
pub const HALF_BITS: u32 = 9;

/// What an entry holds that no texture can reach: all ones.
pub const UNREACHABLE: u32 = (1 << ENTRY_BITS) - 1;

/// The ROM, addressed by [`index`].
pub static TABLE: [u32; ENTRIES] = table();

/// Address in the ROM of a level of a `2^width_log2 × 2^height_log2` texture. Each argument uses its low four
/// bits, as the ROM's address port does.
#[must_use]
pub const fn index(width_log2: u32, height_log2: u32, level: u32) -> usize {
    ((width_log2 & 15) << 8 | (height_log2 & 15) << 4 | (level & 15)) as usize
}

/// The lower nine bits of every entry: contents of the first RAM.
pub fn lower_half() -> impl Iterator<Item = u16> {
    TABLE.iter().map(|entry| (entry & ((1 << HALF_BITS) - 1)) as u16)
}

/// The upper nine bits of every entry: contents of the second RAM.
pub fn upper_half() -> impl Iterator<Item = u16> {
    TABLE.iter().map(|entry| (entry >> HALF_BITS) as u16)
}

/// Log2 of the stored size of one axis at `level`.
pub(crate) const fn stored_size_log2(size_log2: u32, level: u32) -> u32 {
    let size = size_log2.saturating_sub(level);
    if size < TILE_LOG2 { TILE_LOG2 } else { size }
}

/// Tiles of one stored level.
pub(crate) const fn level_tiles(width_log2: u32, height_log2: u32, level: u32) -> u32 {
    1 << (stored_size_log2(width_log2, level) + stored_size_log2(height_log2, level) - 2 * TILE_LOG2)
}

/// Number of levels of a texture, down to 1 × 1.
pub(crate) const fn level_count(width_log2: u32, height_log2: u32) -> u32 {
    1 + if width_log2 > height_log2 { width_log2 } else { height_log2 }
}

/// Fills the ROM from the smallest level of each size upwards, so that each sum is made once.
const fn table() -> [u32; ENTRIES] {
    let mut entries = [UNREACHABLE; ENTRIES];
    let mut size = 0;
    while size < (MAX_SIZE_LOG2 + 1) * (MAX_SIZE_LOG2 + 1) {
        let (width_log2, height_log2) = (size / (MAX_SIZE_LOG2 + 1), size % (MAX_SIZE_LOG2 + 1));
        let mut level = level_count(width_log2, height_log2);
        let mut offset = 0;
        while level > 0 {
            level -= 1;
            entries[index(width_log2, height_log2, level)] = offset;
            offset += level_tiles(width_log2, height_log2, level);
        }
        size += 1;
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, written as the sum that it is: stored texels of the levels below, divided by 16.
    fn sum_definition(width_log2: u32, height_log2: u32, level: u32) -> Option<u32> {
        let levels = width_log2.max(height_log2) + 1;
        if width_log2 > 11 || height_log2 > 11 || level >= levels {
            return None;
        }
        let stored = |size_log2: u32, m: u32| 1u64 << (i64::from(size_log2) - i64::from(m)).max(2);
        let texels: u64 = (level + 1..levels).map(|m| stored(width_log2, m) * stored(height_log2, m)).sum();
        assert_eq!(texels % 16, 0);
        Some(u32::try_from(texels / 16).unwrap())
    }

    #[test]
    fn every_entry_is_the_sum_or_all_ones() {
        for width_log2 in 0..16 {
            for height_log2 in 0..16 {
                for level in 0..16 {
                    let got = TABLE[index(width_log2, height_log2, level)];
                    let expected = sum_definition(width_log2, height_log2, level).unwrap_or(0x3_ffff);
                    assert_eq!(got, expected, "size 2^{width_log2} x 2^{height_log2}, level {level}");
                    assert!(got < 1 << ENTRY_BITS);
                }
            }
        }
    }

    #[test]
    fn hand_worked_entries() {
        // 4 x 4: its levels 2, 1, 0 take one tile each.
        assert_eq!([2, 1, 0].map(|level| TABLE[index(2, 2, level)]), [0, 1, 2]);
        // 16 x 1: widths 1, 2, 4, 8, 16 are stored as 4, 4, 4, 8, 16 by 4 texels.
        assert_eq!([4, 3, 2, 1, 0].map(|level| TABLE[index(4, 0, level)]), [0, 1, 2, 3, 5]);
        // 2048 x 2048: 65536 + 16384 + ... + 4 + 1 + 1 + 1 tiles lie below level 0.
        assert_eq!(TABLE[index(11, 11, 0)], (4u32.pow(9) - 1) / 3 + 2);
    }

    #[test]
    fn an_index_takes_four_bits_of_each() {
        assert_eq!(index(3, 9, 14), 0x39e);
        assert_eq!(index(16 + 3, 32 + 9, 64 + 14), 0x39e);
    }

    #[test]
    fn halves_join_to_the_entry() {
        assert_eq!((lower_half().count(), upper_half().count()), (ENTRIES, ENTRIES));
        for ((lower, upper), entry) in lower_half().zip(upper_half()).zip(TABLE) {
            assert!(lower < 512 && upper < 512);
            assert_eq!(u32::from(upper) << 9 | u32::from(lower), entry);
        }
    }
}
