//! Entries of tile lists: words of 32 bits, an address with a kind in its lowest four bits.
//!
//! A frame has a table of entries, one a tile, row by row, each a jump to the tile's list or its end. A list is read word by word in
//! rising addresses until a jump goes on elsewhere or it ends. Its parts stand in the order of [`Part`].

/// Bits of an entry that hold its kind.
const KIND_MASK: u32 = 15;

/// Which part of its list a triangle is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Part {
    /// Hides what lies behind; shaded once all of them have been looked at.
    Opaque = 1,
    /// Tested, shaded, and only then written to depth.
    PunchThrough = 2,
    /// Tested, shaded and blended.
    Translucent = 3,
}

/// An entry. Addresses are multiples of 16.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Entry {
    /// The list ends.
    End,
    /// A triangle by the address of its record.
    Triangle(Part, u32),
    /// The list goes on at an address.
    Jump(u32),
}

/// The kinds of entries: code, name, meaning.
pub const KINDS: [(u32, &str, &str); 5] = [
    (0, "end", "the list ends; the address is 0"),
    (1, "opaque", "a triangle of the opaque part, by its address"),
    (2, "punch_through", "a triangle of the punch-through part"),
    (3, "translucent", "a triangle of the translucent part"),
    (4, "jump", "the list goes on at the address"),
];

impl Entry {
    /// Its word.
    #[must_use]
    pub const fn to_word(self) -> u32 {
        match self {
            Entry::End => 0,
            Entry::Triangle(part, address) => address & !KIND_MASK | part as u32,
            Entry::Jump(address) => address & !KIND_MASK | 4,
        }
    }

    /// The entry of a word, if it is one.
    #[must_use]
    pub const fn from_word(word: u32) -> Option<Self> {
        let address = word & !KIND_MASK;
        Some(match word & KIND_MASK {
            0 if address == 0 => Entry::End,
            1 => Entry::Triangle(Part::Opaque, address),
            2 => Entry::Triangle(Part::PunchThrough, address),
            3 => Entry::Triangle(Part::Translucent, address),
            4 => Entry::Jump(address),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_by_hand() {
        let table = [
            (0, Some(Entry::End)),
            (0x1231, Some(Entry::Triangle(Part::Opaque, 0x1230))),
            (0x1232, Some(Entry::Triangle(Part::PunchThrough, 0x1230))),
            (0x1233, Some(Entry::Triangle(Part::Translucent, 0x1230))),
            (0xffff_fff4, Some(Entry::Jump(0xffff_fff0))),
            (0x10, None),
            (0x1235, None),
            (0x123f, None),
        ];
        for (word, entry) in table {
            assert_eq!(Entry::from_word(word), entry, "{word:#x}");
            assert!(entry.is_none_or(|entry| entry.to_word() == word), "{word:#x}");
        }
    }
}
