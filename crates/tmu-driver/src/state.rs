//! What a core says of itself through its registers.

use crate::formats::Format;
use crate::general::codes::AddressMode;
use crate::registers;

/// What a core was built to do: the registers `CAPABILITIES`, `FORMATS_LOW` and `FORMATS_HIGH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    word: u32,
    formats: u64,
}

/// A field of a register's value.
macro_rules! field {
    ($value:expr, $mask:ident, $shift:ident) => {
        ($value & registers::$mask) >> registers::$shift
    };
}

impl Capabilities {
    /// Reads them from the registers' values.
    #[must_use]
    pub const fn from_registers(word: u32, formats_low: u32, formats_high: u32) -> Self {
        Self { word, formats: (formats_high as u64) << 32 | formats_low as u64 }
    }

    /// Texture units.
    #[must_use]
    pub const fn units(self) -> u32 {
        field!(self.word, CAPABILITIES_LAST_UNIT_MASK, CAPABILITIES_LAST_UNIT_SHIFT) + 1
    }

    /// Whether a format is built.
    #[must_use]
    pub const fn has_format(self, format: Format) -> bool {
        self.formats >> format as u32 & 1 != 0
    }

    /// Whether an address mode is built, of those that classic cores have.
    #[must_use]
    pub const fn has_address_mode(self, mode: AddressMode) -> bool {
        field!(self.word, CAPABILITIES_ADDRESS_MODES_MASK, CAPABILITIES_ADDRESS_MODES_SHIFT) >> mode as u32
            & 1
            != 0
    }

    /// Whether bilinear filtering is built.
    #[must_use]
    pub const fn has_bilinear(self) -> bool {
        self.word & registers::CAPABILITIES_BILINEAR_MASK != 0
    }

    /// Whether mipmapping is built.
    #[must_use]
    pub const fn has_mipmaps(self) -> bool {
        self.word & registers::CAPABILITIES_MIPMAPS_MASK != 0
    }

    /// Whether units count.
    #[must_use]
    pub const fn has_counters(self) -> bool {
        self.word & registers::CAPABILITIES_COUNTERS_MASK != 0
    }

    /// Log2 of the longest side of a texture.
    #[must_use]
    pub const fn max_size_log2(self) -> u32 {
        field!(self.word, CAPABILITIES_MAX_SIZE_LOG2_MASK, CAPABILITIES_MAX_SIZE_LOG2_SHIFT)
    }

    /// Whether units follow the general numerics.
    #[must_use]
    pub const fn is_general(self) -> bool {
        self.word & registers::CAPABILITIES_GENERAL_MASK != 0
    }

    /// Beats of a quad's packet.
    #[must_use]
    pub const fn beats_per_quad(self) -> usize {
        if self.word & registers::CAPABILITIES_ONE_BEAT_MASK != 0 { 1 } else { 2 }
    }
}

/// What a unit has counted. Counters stop at their highest value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Quads answered.
    pub quads: u32,
    /// Valid pixels in them.
    pub valid_pixels: u32,
    /// Lines asked of the cache.
    pub line_lookups: u32,
    /// Lookups of the line asked for just before.
    pub line_repeats: u32,
    /// Other lookups that the cache answered.
    pub hits: u32,
    /// Lookups that read memory.
    pub misses: u32,
    /// Transfers from memory.
    pub memory_beats: u32,
    /// Clocks spent waiting for memory.
    pub stall_cycles: u32,
    /// Packets of the wrong length.
    pub dropped_packets: u32,
}

/// What went wrong since it was last cleared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Errors {
    /// The register `ERROR`; 0: nothing.
    pub flags: u32,
    /// Address of the first read that failed, if a memory flag is set.
    pub address: u64,
}
