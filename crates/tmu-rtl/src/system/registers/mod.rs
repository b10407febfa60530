//! Control registers: the one table from which the control port, its documents and its driver are made.
//!
//! A [`Register`] has a byte offset and [`Field`]s; hardware and documents use the same constants. What a
//! register reads after reset may depend on the configuration, so [`reset_value`] takes one. All registers
//! have 32 bits, bits without a field read 0 and ignore writes, and an address without a register answers
//! SLVERR. The table costs nothing at run time.

mod map;

pub use crate::engines::register_table;
pub use map::{PlacedRegister, engine_base_bytes, map, of_engine, on_own_buses, records, reset_value};

use tmu_spec::BindingRule;
use tmu_spec::config::EngineKind;

/// Bits of an address of the control port.
pub const ADDRESS_BITS: u32 = 12;

/// Bytes of a register.
pub const REGISTER_BYTES: u32 = 4;

/// Where the counters of unit 0 start.
pub const UNIT_BASE_BYTES: u32 = 0x100;

/// Bytes from the counters of one unit to those of the next.
pub const UNIT_STRIDE_BYTES: u32 = 0x40;

/// Most units that the map has room for.
pub const MAX_UNITS: u32 = 16;

/// Where the registers of engines start, each engine's in a block of its own.
pub const ENGINE_BASE_BYTES: u32 = 0x800;

/// Bytes of the block of an engine.
pub const ENGINE_STRIDE_BYTES: u32 = 0x200;

/// Addresses of a block of registers beside those of the system: a power of two, and a multiple of it where they start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegisterSpace {
    /// Byte address of the first one.
    pub base_bytes: u32,
    /// Bytes that it has room for.
    pub bytes: u32,
}

impl RegisterSpace {
    /// That of an engine.
    #[must_use]
    pub fn of_engine(kind: EngineKind) -> RegisterSpace {
        RegisterSpace { base_bytes: engine_base_bytes(kind), bytes: ENGINE_STRIDE_BYTES }
    }

    /// Bits of a register's number in it.
    #[must_use]
    pub const fn number_bits(&self) -> usize {
        (self.bytes / REGISTER_BYTES).ilog2() as usize
    }
}

/// What a master may do with a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads a value; writes are accepted and change nothing.
    ReadOnly,
    /// Reads what was written.
    ReadWrite,
    /// Writing 1 to a bit starts something; reads 0.
    Command,
    /// Bits are set by events and stay; writing 1 to a bit clears it.
    WriteOneToClear,
    /// Reads what was written, until the hardware clears bits of it.
    ReadWriteUntil,
}

impl Access {
    /// The usual abbreviation in register maps.
    #[must_use]
    pub const fn abbreviation(self) -> &'static str {
        match self {
            Access::ReadOnly => "RO",
            Access::ReadWrite => "RW",
            Access::Command => "W1S",
            Access::WriteOneToClear => "W1C",
            Access::ReadWriteUntil => "RWH",
        }
    }
}

/// Some bits of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Upper-case name, unique in its register.
    pub name: &'static str,
    /// Lowest bit.
    pub shift: u32,
    /// Number of bits.
    pub width_bits: u32,
    /// What it holds after reset, where that does not depend on the configuration.
    pub reset: u32,
    /// What it means, as a sentence.
    pub doc: &'static str,
}

impl Field {
    /// A field.
    #[must_use]
    pub const fn new(name: &'static str, shift: u32, width_bits: u32, doc: &'static str) -> Self {
        Self { name, shift, width_bits, reset: 0, doc }
    }

    /// The field, with this value after reset.
    #[must_use]
    pub const fn with_reset(self, reset: u32) -> Self {
        Self { reset, ..self }
    }

    /// The bits of the register that it takes.
    #[must_use]
    pub const fn mask(&self) -> u32 {
        (u32::MAX >> (32 - self.width_bits)) << self.shift
    }

    /// A value in its place.
    ///
    /// # Panics
    /// If the value has more bits than the field.
    #[must_use]
    pub fn place(&self, value: u32) -> u32 {
        assert!(value <= self.mask() >> self.shift, "{value} does not fit field {}", self.name);
        value << self.shift
    }

    /// The field's value in a register's value.
    #[must_use]
    pub const fn extract(&self, register: u32) -> u32 {
        (register & self.mask()) >> self.shift
    }
}

/// A register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Register {
    /// Upper-case name, unique in the map.
    pub name: &'static str,
    /// Byte address; for a unit's counter the distance from the unit's first, for an engine's register from its block.
    pub offset_bytes: u32,
    /// What a master may do with it.
    pub access: Access,
    /// Its fields from bit 0 upwards.
    pub fields: &'static [Field],
    /// What it is for, in sentences.
    pub doc: &'static str,
}

impl Register {
    /// A register of these parts.
    #[must_use]
    pub const fn new(
        name: &'static str,
        offset_bytes: u32,
        access: Access,
        fields: &'static [Field],
        doc: &'static str,
    ) -> Register {
        Register { name, offset_bytes, access, fields, doc }
    }

    /// What it reads after reset, where that does not depend on the configuration.
    #[must_use]
    pub fn reset(&self) -> u32 {
        self.fields.iter().fold(0, |value, field| value | field.place(field.reset))
    }

    /// All bits that have a field.
    #[must_use]
    pub fn mask(&self) -> u32 {
        self.fields.iter().fold(0, |mask, field| mask | field.mask())
    }
}

/// Says that a texture unit answers.
pub const ID: Register = Register {
    name: "ID",
    offset_bytes: 0x000,
    access: Access::ReadOnly,
    fields: &[Field::new("VALUE", 0, 32, "The characters `TMUG`, the first in the highest byte.")],
    doc: "Identity of the core.",
};

/// What [`ID`] reads: `TMUG`.
pub const ID_VALUE: u32 = u32::from_be_bytes(*b"TMUG");

/// Version of the generator.
pub const VERSION: Register = Register {
    name: "VERSION",
    offset_bytes: 0x004,
    access: Access::ReadOnly,
    fields: &[
        Field::new("PATCH", 0, 8, "Third number of the version."),
        Field::new("MINOR", 8, 8, "Second number of the version."),
        Field::new("MAJOR", 16, 16, "First number of the version."),
    ],
    doc: "Version of the generator that wrote the core.",
};

/// Number of units less one.
pub const CAPABILITIES_LAST_UNIT: Field =
    Field::new("LAST_UNIT", 0, 4, "Number of the last texture unit: units - 1.");
/// Formats built, by code.
pub const CAPABILITIES_FORMATS: Field = Field::new(
    "FORMATS",
    4,
    4,
    "Formats built: bit 0 `rgba8`, bit 1 `rgb8`, bit 2 `i8_rgba8`, bit 3 `i8_rgb8`; `FORMATS_LOW` has all.",
);
/// Bilinear filtering is built.
pub const CAPABILITIES_BILINEAR: Field = Field::new("BILINEAR", 8, 1, "Bilinear filtering is built.");
/// Mipmapping is built.
pub const CAPABILITIES_MIPMAPS: Field = Field::new("MIPMAPS", 9, 1, "Mipmapping is built.");
/// Address modes built, by code.
pub const CAPABILITIES_ADDRESS_MODES: Field =
    Field::new("ADDRESS_MODES", 10, 3, "Address modes built: bit 0 wrap, bit 1 clamp, bit 2 mirror.");
/// Longest side of a texture.
pub const CAPABILITIES_MAX_SIZE_LOG2: Field =
    Field::new("MAX_SIZE_LOG2", 13, 4, "Log2 of the longest side of a texture in texels.");
/// The counters are built.
pub const CAPABILITIES_COUNTERS: Field =
    Field::new("COUNTERS", 17, 1, "The counters of each unit are built.");
/// A quad is one beat of the request stream.
pub const CAPABILITIES_ONE_BEAT: Field =
    Field::new("ONE_BEAT", 18, 1, "A quad is one beat of the request stream instead of two.");
/// The kind of the cache.
pub const CAPABILITIES_CACHE_KIND: Field =
    Field::new("CACHE_KIND", 19, 2, "Kind of the cache: 0 blocking, 1 prefetching.");
/// Which numerics the units follow.
pub const CAPABILITIES_GENERAL: Field = Field::new(
    "GENERAL",
    21,
    1,
    "Units follow the general numerics: a binding is five beats, and textures are of any size.",
);

/// What words of capabilities there are.
pub const CAPABILITIES_LAYOUT: Field = Field::new(
    "LAYOUT",
    28,
    4,
    "Version of the words of capabilities: 1 for this one with `FORMATS_LOW` and `FORMATS_HIGH`; a higher one keeps what is here.",
);
/// What [`CAPABILITIES_LAYOUT`] reads.
pub const CAPABILITIES_LAYOUT_VALUE: u32 = 1;

/// What the configuration built.
pub const CAPABILITIES: Register = Register {
    name: "CAPABILITIES",
    offset_bytes: 0x008,
    access: Access::ReadOnly,
    fields: &[
        CAPABILITIES_LAST_UNIT,
        CAPABILITIES_FORMATS,
        CAPABILITIES_BILINEAR,
        CAPABILITIES_MIPMAPS,
        CAPABILITIES_ADDRESS_MODES,
        CAPABILITIES_MAX_SIZE_LOG2,
        CAPABILITIES_COUNTERS,
        CAPABILITIES_ONE_BEAT,
        CAPABILITIES_CACHE_KIND,
        CAPABILITIES_GENERAL,
        CAPABILITIES_LAYOUT,
    ],
    doc: "What the configuration built. A binding that asks for more is an error.",
};

/// Lines of a set.
pub const CACHE_GEOMETRY_WAYS: Field = Field::new("WAYS", 0, 8, "Lines of a set.");
/// Number of sets.
pub const CACHE_GEOMETRY_SETS: Field = Field::new("SETS", 8, 16, "Number of sets.");
/// Bytes of a line.
pub const CACHE_GEOMETRY_LINE_BYTES: Field = Field::new("LINE_BYTES", 24, 8, "Bytes of a line.");

/// Shape of each unit's cache.
pub const CACHE_GEOMETRY: Register = Register {
    name: "CACHE_GEOMETRY",
    offset_bytes: 0x00C,
    access: Access::ReadOnly,
    fields: &[CACHE_GEOMETRY_WAYS, CACHE_GEOMETRY_SETS, CACHE_GEOMETRY_LINE_BYTES],
    doc: "Shape of each unit's cache.",
};

/// Starts a soft reset.
pub const CONTROL_SOFT_RESET: Field = Field::new(
    "SOFT_RESET",
    0,
    1,
    "Write 1 to empty the texture units: requests, results, bindings and caches. The control port goes on. A result that is offered stays until it is taken; what comes behind it was asked for after the reset.",
);
/// Empties the caches.
pub const CONTROL_CACHE_INVALIDATE: Field = Field::new(
    "CACHE_INVALIDATE",
    1,
    1,
    "Write 1 to drop what every cache holds, after the memory has changed. A colour table is read anew with the next binding.",
);

/// Commands.
pub const CONTROL: Register = Register {
    name: "CONTROL",
    offset_bytes: 0x010,
    access: Access::Command,
    fields: &[CONTROL_SOFT_RESET, CONTROL_CACHE_INVALIDATE],
    doc: "Commands; reads 0. `STATUS` says when they are done.",
};

/// A soft reset is in progress.
pub const STATUS_SOFT_RESET: Field = Field::new("SOFT_RESET", 0, 1, "A soft reset is in progress.");
/// An invalidation is in progress.
pub const STATUS_INVALIDATE: Field = Field::new("CACHE_INVALIDATE", 1, 1, "An invalidation is in progress.");

/// Progress of commands.
pub const STATUS: Register = Register {
    name: "STATUS",
    offset_bytes: 0x014,
    access: Access::ReadOnly,
    fields: &[STATUS_SOFT_RESET, STATUS_INVALIDATE],
    doc: "Progress of the commands given through `CONTROL`.",
};

/// Low half of the window's address.
pub const WINDOW_BASE_LOW: Register = Register {
    name: "WINDOW_BASE_LOW",
    offset_bytes: 0x018,
    access: Access::ReadWrite,
    fields: &[Field::new("ADDRESS", 12, 20, "Bits 31:12 of the address; a multiple of 4096 bytes.")],
    doc: "Byte address of the texture window, to which texture addresses are added. Change it while no request is in flight, and invalidate the caches afterwards.",
};

/// High half of the window's address.
pub const WINDOW_BASE_HIGH: Register = Register {
    name: "WINDOW_BASE_HIGH",
    offset_bytes: 0x01C,
    access: Access::ReadWrite,
    fields: &[Field::new(
        "ADDRESS",
        0,
        32,
        "Bits 63:32 of the address; those that the memory port does not have read 0.",
    )],
    doc: "Upper half of `WINDOW_BASE_LOW`.",
};

/// Rules that bindings broke.
pub const ERROR_BINDING_RULES: Field = Field::new(
    "BINDING_RULES",
    0,
    BindingRule::ALL.len() as u32,
    "Rules that bindings broke: bit 0 reserved bits, 1 format, 2 size, 3 max_lod, 4 base, 5 address mode, 6 feature not built, 7 past the texture window.",
);
/// An access was answered SLVERR.
pub const ERROR_MEMORY_SLVERR: Field =
    Field::new("MEMORY_SLVERR", 8, 1, "A memory access was answered SLVERR.");
/// An access was answered DECERR.
pub const ERROR_MEMORY_DECERR: Field =
    Field::new("MEMORY_DECERR", 9, 1, "A memory access was answered DECERR.");
/// A packet was dropped.
pub const ERROR_PACKET_LENGTH: Field =
    Field::new("PACKET_LENGTH", 10, 1, "A request packet of the wrong length was dropped.");

/// An answer of memory had more or fewer beats than were asked for.
pub const ERROR_MEMORY_LENGTH: Field = Field::new(
    "MEMORY_LENGTH",
    11,
    1,
    "A memory read was answered with more or fewer beats than ARLEN asked for, as RLAST tells.",
);

/// Sticky errors.
pub const ERROR: Register = Register {
    name: "ERROR",
    offset_bytes: 0x020,
    access: Access::WriteOneToClear,
    fields: &[
        ERROR_BINDING_RULES,
        ERROR_MEMORY_SLVERR,
        ERROR_MEMORY_DECERR,
        ERROR_PACKET_LENGTH,
        ERROR_MEMORY_LENGTH,
    ],
    doc: "What went wrong since the bits were last cleared, in any unit.",
};

/// Low half of the first failing address.
pub const ERROR_ADDRESS_LOW: Register = Register {
    name: "ERROR_ADDRESS_LOW",
    offset_bytes: 0x024,
    access: Access::ReadOnly,
    fields: &[Field::new("ADDRESS", 0, 32, "Bits 31:0 of the address.")],
    doc: "Address, on the memory port, of the first access that failed since all memory bits of `ERROR` were clear; of a write the burst's.",
};

/// High half of the first failing address.
pub const ERROR_ADDRESS_HIGH: Register = Register {
    name: "ERROR_ADDRESS_HIGH",
    offset_bytes: 0x028,
    access: Access::ReadOnly,
    fields: &[Field::new("ADDRESS", 0, 32, "Bits 63:32 of the address.")],
    doc: "Upper half of `ERROR_ADDRESS_LOW`.",
};

/// Formats built, codes 0 to 31.
pub const FORMATS_LOW: Register = Register {
    name: "FORMATS_LOW",
    offset_bytes: 0x02C,
    access: Access::ReadOnly,
    fields: &[Field::new("CODES", 0, 32, "Bit n: the format of code n is built.")],
    doc: "Formats built, by the code that a binding gives: codes 0 to 31.",
};

/// Formats built, codes 32 to 63.
pub const FORMATS_HIGH: Register = Register {
    name: "FORMATS_HIGH",
    offset_bytes: 0x030,
    access: Access::ReadOnly,
    fields: &[Field::new("CODES", 0, 32, "Bit n: the format of code 32 + n is built.")],
    doc: "Formats built, by the code that a binding gives: codes 32 to 63.",
};

/// The registers that there are once, by rising offset.
pub const CORE: [Register; 13] = [
    ID,
    VERSION,
    CAPABILITIES,
    CACHE_GEOMETRY,
    CONTROL,
    STATUS,
    WINDOW_BASE_LOW,
    WINDOW_BASE_HIGH,
    ERROR,
    ERROR_ADDRESS_LOW,
    ERROR_ADDRESS_HIGH,
    FORMATS_LOW,
    FORMATS_HIGH,
];

const COUNTER_FIELDS: &[Field] = &[Field::new("COUNT", 0, 32, "Count since reset; stops at 2^32 - 1.")];

/// What a unit counts, by rising offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Counter {
    /// Quads answered.
    Quads,
    /// Valid pixels in them.
    ValidPixels,
    /// Lines asked of the cache.
    LineLookups,
    /// Lookups of the line asked for last.
    LineRepeats,
    /// Other lookups answered by the cache.
    Hits,
    /// Lookups that read memory.
    Misses,
    /// Transfers from memory.
    MemoryBeats,
    /// Clocks that the cache waited for memory.
    StallCycles,
    /// Request packets of the wrong length.
    DroppedPackets,
}

impl Counter {
    /// Every counter, by rising offset.
    pub const ALL: [Counter; 9] = [
        Counter::Quads,
        Counter::ValidPixels,
        Counter::LineLookups,
        Counter::LineRepeats,
        Counter::Hits,
        Counter::Misses,
        Counter::MemoryBeats,
        Counter::StallCycles,
        Counter::DroppedPackets,
    ];

    /// Its register; the offset counts from the unit's first counter.
    #[must_use]
    pub const fn register(self) -> Register {
        let (name, doc) = match self {
            Counter::Quads => ("QUADS", "Quads answered, no-ops and failed ones included."),
            Counter::ValidPixels => ("VALID_PIXELS", "Valid pixels of the quads answered."),
            Counter::LineLookups => {
                ("LINE_LOOKUPS", "Lines asked of the cache: LINE_REPEATS + HITS + MISSES.")
            }
            Counter::LineRepeats => ("LINE_REPEATS", "Lookups of the line that was asked for just before."),
            Counter::Hits => ("HITS", "Other lookups of lines that the cache held."),
            Counter::Misses => ("MISSES", "Lookups that read memory."),
            Counter::MemoryBeats => {
                ("MEMORY_BEATS", "Transfers from memory, those of colour tables included.")
            }
            Counter::StallCycles => ("STALL_CYCLES", "Clocks of `tmu_aclk` spent waiting for memory."),
            Counter::DroppedPackets => ("DROPPED_PACKETS", "Request packets of the wrong length, dropped."),
        };
        Register {
            name,
            offset_bytes: self as u32 * REGISTER_BYTES,
            access: Access::ReadOnly,
            fields: COUNTER_FIELDS,
            doc,
        }
    }

    /// Byte address of the counter of one unit.
    #[must_use]
    pub const fn address(self, unit: u32) -> u32 {
        UNIT_BASE_BYTES + unit * UNIT_STRIDE_BYTES + self as u32 * REGISTER_BYTES
    }
}
