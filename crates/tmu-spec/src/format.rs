//! Formats: how texels are stored. Each is one line of the table below; hardware, golden model, packer, drivers, coverage and
//! documentation follow from it.
//!
//! An n-bit channel v means v / (2^n - 1). Texels are packed colours, 8-bit indices into a table of 256 of them, depths, floats, or
//! stand in compressed blocks of 4 x 4. Bits and bytes rise from the least significant.

use crate::choice::{Choice, impl_choice};
use crate::{LINE_BYTES, tile};
use serde::{Deserialize, Serialize};

/// Where a channel stands in a packed colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Channel {
    /// Its lowest bit.
    pub lo: u32,
    /// Its bits, at most 16; none if the colour lacks it: a colour is 0 then, and alpha full.
    pub bits: u32,
}

/// How a colour is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Packing {
    /// Bytes of the colour, 1 to 8.
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

/// What the texels of a format are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Texel {
    /// Packed colours.
    Color(Packing),
    /// 8-bit indices into a table of 256 packed colours.
    Index(Packing),
    /// They stand in compressed blocks of 4 x 4.
    Block(Block),
    /// A depth of so many bits, lowest in its bytes, which stands for v / (2^n - 1).
    Depth {
        /// Bytes.
        bytes: u32,
        /// Bits that count.
        bits: u32,
    },
    /// A depth as an IEEE single.
    DepthFloat,
    /// IEEE floats, R first.
    Floats {
        /// Bits of each: 16 or 32.
        bits: u32,
        /// How many channels there are.
        channels: u32,
    },
}

/// A compressed block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block {
    /// Its bytes: 8 or 16.
    pub bytes: u32,
    /// Channels that its texels have, from R on; 4 where alpha is stored.
    pub channels: u32,
    /// Bits of a channel as the format's decoder gives it: 8, or 11.
    pub channel_bits: u32,
}

impl Block {
    const fn of(bytes: u32, channels: u32, channel_bits: u32) -> Texel {
        Texel::Block(Block { bytes, channels, channel_bits })
    }
}

/// What a format is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Descriptor {
    /// The format.
    pub format: Format,
    /// What it is, for people.
    pub doc: &'static str,
    /// What its texels are.
    pub texel: Texel,
}

/// Writes the enum and its table from one list.
macro_rules! formats {
    ($($(#[doc = $doc:literal])+ $format:ident = $code:literal, $name:literal, $texel:expr;)+) => {
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
            texel: $texel,
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
    Rgba8 = 0, "rgba8", Texel::Color(Packing::upwards([8, 8, 8, 8]));
    /// R, G, B packed, 3 bytes; alpha is 255. Some texels lie across two lines.
    Rgb8 = 1, "rgb8", Texel::Color(Packing::upwards([8, 8, 8, 0]));
    /// 8-bit index into 256 colours of 4 bytes.
    I8Rgba8 = 2, "i8_rgba8", Texel::Index(Packing::upwards([8, 8, 8, 8]));
    /// 8-bit index into 256 colours of 3 bytes; alpha is 255.
    I8Rgb8 = 3, "i8_rgb8", Texel::Index(Packing::upwards([8, 8, 8, 0]));
    /// R, 1 byte.
    R8 = 4, "r8", Texel::Color(Packing::upwards([8, 0, 0, 0]));
    /// R, G, 2 bytes.
    Rg8 = 5, "rg8", Texel::Color(Packing::upwards([8, 8, 0, 0]));
    /// R in bits 15:11, G in 10:5, B in 4:0 of 2 bytes; alpha is 255.
    Rgb565 = 6, "rgb565", Texel::Color(Packing::at([(11, 5), (5, 6), (0, 5), (0, 0)]));
    /// R in bits 15:11, G in 10:6, B in 5:1, A in bit 0 of 2 bytes.
    Rgba5551 = 7, "rgba5551", Texel::Color(Packing::at([(11, 5), (6, 5), (1, 5), (0, 1)]));
    /// R in bits 15:12, G in 11:8, B in 7:4, A in 3:0 of 2 bytes.
    Rgba4444 = 8, "rgba4444", Texel::Color(Packing::at([(12, 4), (8, 4), (4, 4), (0, 4)]));
    /// R, G, B of 10 bits from the lowest up, A of 2 bits, 4 bytes.
    Rgb10a2 = 9, "rgb10a2", Texel::Color(Packing::upwards([10, 10, 10, 2]));
    /// R of 16 bits.
    R16 = 10, "r16", Texel::Color(Packing::upwards([16, 0, 0, 0]));
    /// R, G of 16 bits.
    Rg16 = 11, "rg16", Texel::Color(Packing::upwards([16, 16, 0, 0]));
    /// R, G, B, A of 16 bits.
    Rgba16 = 12, "rgba16", Texel::Color(Packing::upwards([16, 16, 16, 16]));
    /// Blocks of 8 bytes: two colours of 565 and what lies between; one bit of alpha (S3TC DXT1).
    Bc1 = 13, "bc1", Block::of(8, 4, 8);
    /// Blocks of 16 bytes: colours as BC1, alpha of 4 bits (DXT3).
    Bc2 = 14, "bc2", Block::of(16, 4, 8);
    /// Blocks of 16 bytes: colours as BC1, interpolated alpha (DXT5).
    Bc3 = 15, "bc3", Block::of(16, 4, 8);
    /// Blocks of 8 bytes: interpolated R (RGTC1).
    Bc4 = 16, "bc4", Block::of(8, 1, 8);
    /// Blocks of 16 bytes: interpolated R and G (RGTC2).
    Bc5 = 17, "bc5", Block::of(16, 2, 8);
    /// Blocks of 8 bytes: ETC2 colours.
    Etc2Rgb8 = 18, "etc2_rgb8", Block::of(8, 3, 8);
    /// Blocks of 8 bytes: ETC2 colours, some of them transparent black.
    Etc2Rgb8a1 = 19, "etc2_rgb8a1", Block::of(8, 4, 8);
    /// Blocks of 16 bytes: ETC2 colours, EAC alpha.
    Etc2Rgba8 = 20, "etc2_rgba8", Block::of(16, 4, 8);
    /// Blocks of 8 bytes: R of 11 bits.
    EacR11 = 21, "eac_r11", Block::of(8, 1, 11);
    /// Blocks of 16 bytes: R and G of 11 bits.
    EacRg11 = 22, "eac_rg11", Block::of(16, 2, 11);
    /// Blocks of 16 bytes: BPTC colours with alpha.
    Bc7 = 23, "bc7", Block::of(16, 4, 8);
    /// Depth of 16 bits.
    D16 = 32, "d16", Texel::Depth { bytes: 2, bits: 16 };
    /// Depth of 24 bits, the lowest of 4 bytes.
    D24 = 33, "d24", Texel::Depth { bytes: 4, bits: 24 };
    /// Depth as an IEEE single.
    D32f = 34, "d32f", Texel::DepthFloat;
    /// R as an IEEE single.
    R32f = 40, "r32f", Texel::Floats { bits: 32, channels: 1 };
    /// R, G as IEEE singles.
    Rg32f = 41, "rg32f", Texel::Floats { bits: 32, channels: 2 };
    /// R, G, B, A as IEEE singles.
    Rgba32f = 42, "rgba32f", Texel::Floats { bits: 32, channels: 4 };
    /// R as an IEEE half.
    R16f = 43, "r16f", Texel::Floats { bits: 16, channels: 1 };
    /// R, G as IEEE halves.
    Rg16f = 44, "rg16f", Texel::Floats { bits: 16, channels: 2 };
    /// R, G, B, A as IEEE halves.
    Rgba16f = 45, "rgba16f", Texel::Floats { bits: 16, channels: 4 };
}

impl Format {
    /// The formats that a unit has unless its configuration says otherwise: those of the FuryGpu article.
    pub const DEFAULT: [Format; 4] = [Format::Rgba8, Format::Rgb8, Format::I8Rgba8, Format::I8Rgb8];

    /// The formats that units of the classic numerics may have.
    pub const CLASSIC: [Format; 5] =
        [Format::Rgba8, Format::Rgb8, Format::I8Rgba8, Format::I8Rgb8, Format::Rgb565];

    /// The formats whose texels stand in compressed blocks, by rising code.
    pub const BLOCKS: [Format; 11] = [
        Format::Bc1,
        Format::Bc2,
        Format::Bc3,
        Format::Bc4,
        Format::Bc5,
        Format::Etc2Rgb8,
        Format::Etc2Rgb8a1,
        Format::Etc2Rgba8,
        Format::EacR11,
        Format::EacRg11,
        Format::Bc7,
    ];

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

    /// What its texels are.
    #[must_use]
    pub const fn texel(self) -> Texel {
        self.descriptor().texel
    }

    /// How its colours are packed: the texels themselves, or the entries of the colour table; none of other texels.
    #[must_use]
    pub const fn packing(self) -> Option<&'static Packing> {
        match &self.descriptor().texel {
            Texel::Color(packing) | Texel::Index(packing) => Some(packing),
            _ => None,
        }
    }

    /// How its colours are packed.
    ///
    /// # Panics
    /// If they are not packed colours. Those of [`Format::CLASSIC`] are.
    #[must_use]
    pub const fn colors(self) -> &'static Packing {
        self.packing().expect("a format of packed colours")
    }

    /// Bytes that one texel takes in a level; 0 where texels stand in blocks.
    #[must_use]
    pub const fn bytes_per_texel(self) -> u32 {
        match self.texel() {
            Texel::Color(packing) => packing.bytes,
            Texel::Index(_) => 1,
            Texel::Block(_) => 0,
            Texel::Depth { bytes, .. } => bytes,
            Texel::DepthFloat => 4,
            Texel::Floats { bits, channels } => bits / 8 * channels,
        }
    }

    /// Bytes that a tile of 4 x 4 texels takes.
    #[must_use]
    pub const fn tile_bytes(self) -> u32 {
        match self.texel() {
            Texel::Block(block) => block.bytes,
            _ => self.bytes_per_texel() * tile::COLUMNS * tile::ROWS,
        }
    }

    /// Lines that a tile of 4 x 4 texels takes, the last one perhaps in part.
    #[must_use]
    pub const fn lines_per_tile(self) -> u32 {
        self.tile_bytes().div_ceil(LINE_BYTES)
    }

    /// Whether texels stand in compressed blocks.
    #[must_use]
    pub const fn is_block(self) -> bool {
        matches!(self.texel(), Texel::Block(_))
    }

    /// Whether texels are depths.
    #[must_use]
    pub const fn is_depth(self) -> bool {
        matches!(self.texel(), Texel::Depth { .. } | Texel::DepthFloat)
    }

    /// Whether texels are floats, which are not filtered; depths too.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self.texel(), Texel::DepthFloat | Texel::Floats { .. })
    }

    /// Whether colours may be sRGB-coded: channels of 8 bits, three or four of them.
    #[must_use]
    pub const fn can_be_srgb(self) -> bool {
        match self.texel() {
            Texel::Color(packing) | Texel::Index(packing) => {
                packing.channels[2].bits == 8 && packing.channels[0].bits == 8
            }
            Texel::Block(block) => block.channels >= 3,
            _ => false,
        }
    }

    /// Whether alpha is stored.
    #[must_use]
    pub const fn has_alpha(self) -> bool {
        match self.texel() {
            Texel::Color(packing) | Texel::Index(packing) => packing.has_alpha(),
            Texel::Block(block) => block.channels == 4,
            Texel::Depth { .. } | Texel::DepthFloat => false,
            Texel::Floats { channels, .. } => channels == 4,
        }
    }

    /// Whether texels are indices into a colour table.
    #[must_use]
    pub const fn has_color_table(self) -> bool {
        matches!(self.texel(), Texel::Index(_))
    }

    /// Bytes of one colour table entry, 0 without a table.
    #[must_use]
    pub const fn color_table_entry_bytes(self) -> u32 {
        if self.has_color_table() { self.colors().bytes } else { 0 }
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
        let Texel::Index(colors) = self.texel() else { return self };
        Self::ALL
            .into_iter()
            .find(|format| format.texel() == Texel::Color(colors))
            .expect("a format of its own")
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
        let blocks: Vec<_> = Format::ALL.into_iter().filter(|format| format.is_block()).collect();
        assert_eq!(blocks, Format::BLOCKS);
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
            assert_eq!(!format.has_color_table(), format.of_colors() == format);
            let Some(colors) = format.packing() else { continue };
            let mut taken = 0u64;
            for Channel { lo, bits } in colors.channels {
                assert!(bits <= 16, "{format}");
                let mask = ((1u64 << bits) - 1) << lo;
                assert_eq!(taken & mask, 0, "{format}");
                taken |= mask;
            }
            let all = u64::MAX >> (64 - 8 * colors.bytes);
            assert_eq!(taken, all, "{format} has bits that are no channel's");
        }
        for format in Format::CLASSIC {
            let colors = format.colors();
            assert!([1, 2, 3, 4].contains(&format.lines_per_tile()), "{format}");
            // A colour of whole bytes is read as it is; another one has two bytes, which hardware turns into channels.
            assert!(colors.is_bytes() && colors.bytes > 2 || colors.bytes == 2, "{format}");
        }
    }

    /// Code, bytes of a texel, bytes of a tile, alpha, may be sRGB, float.
    #[test]
    fn formats_by_hand() {
        let table = [
            (Format::R8, 4, 1, 16, false, false, false),
            (Format::Rgb8, 1, 3, 48, false, true, false),
            (Format::I8Rgba8, 2, 1, 16, true, true, false),
            (Format::Rgba5551, 7, 2, 32, true, false, false),
            (Format::Rgb10a2, 9, 4, 64, true, false, false),
            (Format::Rgba16, 12, 8, 128, true, false, false),
            (Format::Bc1, 13, 0, 8, true, true, false),
            (Format::Bc4, 16, 0, 8, false, false, false),
            (Format::Etc2Rgb8, 18, 0, 8, false, true, false),
            (Format::EacRg11, 22, 0, 16, false, false, false),
            (Format::Bc7, 23, 0, 16, true, true, false),
            (Format::D24, 33, 4, 64, false, false, false),
            (Format::D32f, 34, 4, 64, false, false, true),
            (Format::Rgba32f, 42, 16, 256, true, false, true),
            (Format::Rg16f, 44, 4, 64, false, false, true),
        ];
        for (format, code, texel, tile, alpha, srgb, float) in table {
            let got = (format.code(), format.bytes_per_texel(), format.tile_bytes());
            assert_eq!(got, (code, texel, tile), "{format}");
            assert_eq!(
                (format.has_alpha(), format.can_be_srgb(), format.is_float()),
                (alpha, srgb, float),
                "{format}"
            );
        }
    }
}
