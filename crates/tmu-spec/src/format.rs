//! Formats: how texels are stored. Each is one line of the table below; hardware, golden model, packer, drivers, coverage and
//! documentation follow from it.
//!
//! A colour is packed into one to four bytes, least significant byte first. Texels are such colours, or 8-bit indices into a
//! table of 256 of them. An n-bit channel v means `round(v * 255 / (2^n - 1))`.

use crate::choice::{Choice, impl_choice};
use crate::{LINE_BYTES, tile};
use serde::{Deserialize, Serialize};

/// Where a channel stands in a packed colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Channel {
    /// Its lowest bit.
    pub lo: u32,
    /// Its bits, at most 8; none if the colour lacks it: a colour is 0 then, and alpha 255.
    pub bits: u32,
}

/// How a colour is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Packing {
    /// Bytes of the colour, 1 to 4.
    pub bytes: u32,
    /// R, G, B and A.
    pub channels: [Channel; 4],
}

impl Packing {
    /// Channels from the lowest bit upwards in the order R, G, B, A; 0 bits for one that is not there.
    const fn upwards(bits: [u32; 4]) -> Self {
        let [r, g, b, a] = bits;
        Self::at([(0, r), (r, g), (r + g, b), (r + g + b, a)])
    }

    /// Channels by lowest bit and number of bits.
    const fn at(places: [(u32, u32); 4]) -> Self {
        let mut channels = [Channel { lo: 0, bits: 0 }; 4];
        let mut all_bits = 0;
        let mut number = 0;
        while number < 4 {
            let (lo, bits) = places[number];
            channels[number] = Channel { lo, bits };
            all_bits += bits;
            number += 1;
        }
        Self { bytes: all_bits.div_ceil(8), channels }
    }

    /// Whether all channels have 8 bits at rising bytes: the bytes are the channels.
    #[must_use]
    pub fn is_bytes(&self) -> bool {
        let is_byte = |(number, channel): (usize, &Channel)| {
            channel.bits == 0 || (channel.bits, channel.lo) == (8, 8 * number as u32)
        };
        self.channels.iter().enumerate().all(is_byte)
    }

    /// Whether alpha is stored.
    #[must_use]
    pub const fn has_alpha(&self) -> bool {
        self.channels[3].bits != 0
    }
}

/// What a format is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Descriptor {
    /// The format.
    pub format: Format,
    /// What it is, for people.
    pub doc: &'static str,
    /// Its colours: the texels themselves, or the entries of the colour table.
    pub colors: Packing,
    /// Whether texels are 8-bit indices into a table of 256 colours.
    pub is_indexed: bool,
}

/// Writes the enum and its table from one list.
macro_rules! formats {
    ($($(#[doc = $doc:literal])+ $format:ident = $code:literal, $name:literal, $colors:expr, $is_indexed:literal;)+) => {
        /// How texels are stored.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[repr(u8)]
        pub enum Format {
            $($(#[doc = $doc])+ $format = $code,)+
        }

        /// Every format, by rising code.
        const TABLE: [Descriptor; Format::COUNT] = [$(Descriptor {
            format: Format::$format,
            doc: concat!($($doc),+),
            colors: $colors,
            is_indexed: $is_indexed,
        },)+];

        impl Format {
            const COUNT: usize = [$($code),+].len();
            /// Every format, by rising code.
            pub const ALL: [Format; Format::COUNT] = [$(Format::$format),+];
        }

        impl_choice!(Format, "a texture format", $($format = $name),+);
    };
}

formats! {
    /// R, G, B, A at rising addresses, 4 bytes.
    Rgba8 = 0, "rgba8", Packing::upwards([8, 8, 8, 8]), false;
    /// R, G, B packed, 3 bytes; alpha is 255. Some texels lie across two lines.
    Rgb8 = 1, "rgb8", Packing::upwards([8, 8, 8, 0]), false;
    /// 8-bit index into 256 colours of 4 bytes.
    I8Rgba8 = 2, "i8_rgba8", Packing::upwards([8, 8, 8, 8]), true;
    /// 8-bit index into 256 colours of 3 bytes; alpha is 255.
    I8Rgb8 = 3, "i8_rgb8", Packing::upwards([8, 8, 8, 0]), true;
    /// R in bits 15:11, G in 10:5, B in 4:0 of 2 bytes; alpha is 255.
    Rgb565 = 6, "rgb565", Packing::at([(11, 5), (5, 6), (0, 5), (0, 0)]), false;
}

impl Format {
    /// The formats that a unit has unless its configuration says otherwise: those of the FuryGpu article.
    pub const DEFAULT: [Format; 4] = [Format::Rgba8, Format::Rgb8, Format::I8Rgba8, Format::I8Rgb8];

    /// Entries of a colour table.
    pub const COLOR_TABLE_ENTRIES: u32 = 256;

    /// What the format is.
    #[must_use]
    pub const fn descriptor(self) -> &'static Descriptor {
        &TABLE[self.number()]
    }

    /// The code in a binding.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Its place in [`Format::ALL`].
    #[must_use]
    pub const fn number(self) -> usize {
        let mut number = 0;
        while TABLE[number].format as u8 != self as u8 {
            number += 1;
        }
        number
    }

    /// The format of a binding's code; none if the code is reserved.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.code() == code)
    }

    /// The name in descriptors, configurations and command lines.
    #[must_use]
    pub fn name(self) -> &'static str {
        Choice::name(self)
    }

    /// Bytes that one texel takes in a level.
    #[must_use]
    pub const fn bytes_per_texel(self) -> u32 {
        let descriptor = self.descriptor();
        if descriptor.is_indexed { 1 } else { descriptor.colors.bytes }
    }

    /// Lines that a tile of 4 x 4 texels takes.
    #[must_use]
    pub const fn lines_per_tile(self) -> u32 {
        self.bytes_per_texel() * tile::COLUMNS * tile::ROWS / LINE_BYTES
    }

    /// Whether texels are indices into a colour table.
    #[must_use]
    pub const fn has_color_table(self) -> bool {
        self.descriptor().is_indexed
    }

    /// Bytes of one colour table entry, 0 without a table.
    #[must_use]
    pub const fn color_table_entry_bytes(self) -> u32 {
        if self.has_color_table() { self.descriptor().colors.bytes } else { 0 }
    }

    /// Bytes of the colour table in front of the levels, 0 without a table.
    #[must_use]
    pub const fn color_table_bytes(self) -> u32 {
        self.color_table_entry_bytes() * Self::COLOR_TABLE_ENTRIES
    }

    /// The format whose texels the entries of the colour table are; itself without a table.
    ///
    /// # Panics
    /// Never: the table of formats has one for each, which a test holds.
    #[must_use]
    pub fn of_colors(self) -> Self {
        let is_it = |format: &Format| {
            !format.has_color_table() && format.descriptor().colors == self.descriptor().colors
        };
        Self::ALL.into_iter().find(is_it).expect("colours of a table are a format of their own")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_round_trip() {
        for format in Format::ALL {
            assert_eq!(Format::from_code(format.code()), Some(format));
            assert_eq!(format.name().parse(), Ok(format));
            assert_eq!(serde_json::to_string(&format).unwrap(), format!("\"{format}\""));
            assert_eq!(format.descriptor().format, format);
        }
        assert!(Format::ALL.is_sorted());
        let known = Format::ALL.map(Format::code);
        assert!((0..=255).all(|code| known.contains(&code) == Format::from_code(code).is_some()));
        let names: Vec<_> = Format::ALL.map(Format::name).to_vec();
        assert_eq!(
            "rgb655".parse::<Format>().unwrap_err().to_string(),
            format!("\"rgb655\" is not a texture format; use one of {}", names.join(", "))
        );
    }

    /// What hardware and packer take for granted of every line of the table.
    #[test]
    fn packings_are_whole_and_do_not_overlap() {
        for format in Format::ALL {
            let Descriptor { colors, is_indexed, .. } = *format.descriptor();
            let mut taken = 0u64;
            for Channel { lo, bits } in colors.channels {
                assert!(bits <= 8, "{format}");
                let mask = ((1u64 << bits) - 1) << lo;
                assert_eq!(taken & mask, 0, "{format}");
                taken |= mask;
            }
            assert_eq!(taken, (1u64 << (8 * colors.bytes)) - 1, "{format} has bits that are no channel's");
            assert_eq!(!is_indexed, format.of_colors() == format);
            assert!([1, 2, 3, 4].contains(&format.lines_per_tile()), "{format}");
            // A colour of whole bytes is read as it is; another one has two bytes, which hardware turns into channels.
            assert!(colors.is_bytes() && colors.bytes > 2 || colors.bytes == 2, "{format}");
        }
    }
}
