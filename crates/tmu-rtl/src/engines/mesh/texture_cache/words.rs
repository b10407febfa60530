//! What passes between the parts of the texture cache, and how large it is.

use crate::engine::memory::LINE_BYTES;
use crate::engines::mesh::words::{
    FRACTION_BITS, IN_LINE_BITS, LINE_ADDRESS_BITS, LINE_NUMBER_BITS, PLACE_BITS, SIZE_BITS,
};
use tmu_hdl::prelude::*;

/// Parities of rows, and parities of lines in their row.
pub const PARITIES: usize = 2;
/// Banks of tags, by the parity of the row, and below it that of the line's number in the row.
pub const BANKS: usize = PARITIES * PARITIES;
/// Bits of a row without its parity.
pub const ROW_PAIR_BITS: usize = SIZE_BITS - 1;
/// Bits of a line's number in its row without its parity.
pub const LINE_PAIR_BITS: usize = LINE_NUMBER_BITS - 1;

/// Items that wait for their texels.
pub const QUEUE_DEPTH: usize = 256;
/// Items whose lines wait to be asked for.
pub const MISS_DEPTH: usize = 32;
/// Lines that may be asked for and not yet written.
pub const MOST_LINES: usize = 128;
/// Items that may be on their way behind the entry of `line_tags` when a queue reports that it fills.
pub const MARGIN: usize = 12;

/// Bits that tell apart the items that wait for their texels and those just in front of the queue.
pub const SEQUENCE_BITS: usize = QUEUE_DEPTH.ilog2() as usize + 1;
/// Bits that number items: so many more than wait that a number that is long gone is hardly ever taken for one that still waits. If it
/// is, a line waits for its own item, which is always safe, but costs a clock or two. A cache of 32 KiB holds `2^14` texels, so a picture that is
/// copied comes back to a set about `2^14` items later, and one that is drawn twice as large `2^16`; the numbers come round behind that.
pub const AGE_BITS: usize = 18;
/// Bits of the count of lines written: twice as many as there can be between an item in the queue and the newest one that was asked
/// for, four an item.
pub const FILL_COUNT_BITS: usize = 12;

/// Size of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheShape {
    /// Bits of a set: each bank of tags has a line in each.
    pub set_bits: usize,
}

impl CacheShape {
    /// A cache of so many KiB, a power of two of at least 8.
    ///
    /// # Panics
    /// With any other number.
    #[must_use]
    pub fn of_kib(kib: usize) -> CacheShape {
        assert!(kib >= 8 && kib.is_power_of_two(), "a cache has 8, 16, 32 … KiB, not {kib}");
        CacheShape { set_bits: (kib * 1024 / LINE_BYTES / BANKS).ilog2() as usize }
    }

    /// Sets of a bank.
    #[must_use]
    pub const fn sets(self) -> usize {
        1 << self.set_bits
    }

    /// Bits of what tells apart the lines of a set.
    #[must_use]
    pub const fn tag_bits(self) -> usize {
        LINE_PAIR_BITS + ROW_PAIR_BITS.saturating_sub(self.set_bits)
    }

    /// Bits of a word's address in a bank of texels: the parity of the line's number above its set.
    #[must_use]
    pub const fn word_bits(self) -> usize {
        self.set_bits + 1
    }
}

/// An item that lacks lines.
#[derive(Clone, Debug, Record)]
pub struct MissWord<T = Bits> {
    /// A bit for each bank: its line must be asked for.
    pub misses: T,
    /// The lines with the left taps of the upper and the lower row.
    pub lines: [T; 2],
    /// Parities of their numbers.
    pub line_is_odd: [T; 2],
    /// The upper row is an odd one.
    pub row_is_odd: T,
    /// Where the lines go in their banks.
    pub sets: [T; BANKS],
    /// The items that looked into these sets last.
    pub last_readers: [T; BANKS],
    /// The item's own number.
    pub sequence: T,
}

/// Shape of a [`MissWord`].
pub fn miss_word(shape: CacheShape) -> MissWord<Width> {
    MissWord {
        misses: Width::bits(BANKS),
        lines: [Width::bits(LINE_ADDRESS_BITS); 2],
        line_is_odd: [Width::bits(1); 2],
        row_is_odd: Width::bits(1),
        sets: [Width::bits(shape.set_bits); BANKS],
        last_readers: [Width::bits(AGE_BITS); BANKS],
        sequence: Width::bits(SEQUENCE_BITS),
    }
}

/// A line that has been asked for.
#[derive(Clone, Debug, Record)]
pub struct FillWord<T = Bits> {
    /// Parity of its row.
    pub row_is_odd: T,
    /// Parity of its number.
    pub line_is_odd: T,
    /// Where it goes.
    pub set: T,
    /// Its address.
    pub line: T,
    /// The item that looked into its set last.
    pub last_reader: T,
    /// The item that asked for it.
    pub sequence: T,
}

/// Shape of a [`FillWord`].
pub fn fill_word(shape: CacheShape) -> FillWord<Width> {
    FillWord {
        row_is_odd: Width::bits(1),
        line_is_odd: Width::bits(1),
        set: Width::bits(shape.set_bits),
        line: Width::bits(LINE_ADDRESS_BITS),
        last_reader: Width::bits(AGE_BITS),
        sequence: Width::bits(SEQUENCE_BITS),
    }
}

/// The two taps in a row of texels, as they are read. In each row one of them has an even place in its line, the other one an odd place.
#[derive(Clone, Debug, Record)]
pub struct RowSelect<T = Bits> {
    /// Where the lines with the texels in even and in odd places are.
    pub words: [T; PARITIES],
    /// Place of the left tap in its line.
    pub in_line: T,
}

/// An item that waits for its texels.
#[derive(Clone, Debug, Record)]
pub struct QueueWord<T = Bits> {
    /// As many lines must have been written before.
    pub fills: T,
    /// What goes on with the texels.
    pub item: ItemWord<T>,
    /// The taps in the even and the odd row.
    pub rows: [RowSelect<T>; PARITIES],
}

/// What stays beside the texels of an item.
#[derive(Clone, Debug, Record)]
pub struct ItemWord<T = Bits> {
    /// The upper row is an odd one.
    pub row_is_odd: T,
    /// Weight of the right taps.
    pub fx: T,
    /// Weight of the lower taps.
    pub fy: T,
    /// Where the pixel is drawn.
    pub place: T,
    /// That is another line of the frame buffer.
    pub opens_line: T,
    /// The end of the job.
    pub is_end: T,
}

/// Shape of an [`ItemWord`].
pub fn item_word() -> ItemWord<Width> {
    ItemWord {
        row_is_odd: Width::bits(1),
        fx: Width::bits(FRACTION_BITS),
        fy: Width::bits(FRACTION_BITS),
        place: Width::bits(PLACE_BITS),
        opens_line: Width::bits(1),
        is_end: Width::bits(1),
    }
}

/// Shape of a [`QueueWord`].
pub fn queue_word(shape: CacheShape) -> QueueWord<Width> {
    let row = || RowSelect {
        words: [Width::bits(shape.word_bits()); PARITIES],
        in_line: Width::bits(IN_LINE_BITS),
    };
    QueueWord { fills: Width::bits(FILL_COUNT_BITS), item: item_word(), rows: [row(), row()] }
}
