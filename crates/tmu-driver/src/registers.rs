//! Addresses and fields of the control port, the same for every core.
//!
//! Made from the register table: `UPDATE_DRIVERS=1 cargo test -p tmu-package` writes it anew.

/// Most units of a core.
pub const MAX_UNITS: u32 = 16;

/// Identity of the core.
pub const ID: u32 = 0x000;
/// Lowest bit of field `VALUE` (31:0) of [`ID`]. The characters `TMUG`, the first in the highest byte.
pub const ID_VALUE_SHIFT: u32 = 0;
/// The bits of field `VALUE` in [`ID`].
pub const ID_VALUE_MASK: u32 = 0xffff_ffff;

/// Version of the generator that wrote the core.
pub const VERSION: u32 = 0x004;
/// Lowest bit of field `PATCH` (7:0) of [`VERSION`]. Third number of the version.
pub const VERSION_PATCH_SHIFT: u32 = 0;
/// The bits of field `PATCH` in [`VERSION`].
pub const VERSION_PATCH_MASK: u32 = 0x0000_00ff;
/// Lowest bit of field `MINOR` (15:8) of [`VERSION`]. Second number of the version.
pub const VERSION_MINOR_SHIFT: u32 = 8;
/// The bits of field `MINOR` in [`VERSION`].
pub const VERSION_MINOR_MASK: u32 = 0x0000_ff00;
/// Lowest bit of field `MAJOR` (31:16) of [`VERSION`]. First number of the version.
pub const VERSION_MAJOR_SHIFT: u32 = 16;
/// The bits of field `MAJOR` in [`VERSION`].
pub const VERSION_MAJOR_MASK: u32 = 0xffff_0000;

/// What the configuration built. A binding that asks for more is an error.
pub const CAPABILITIES: u32 = 0x008;
/// Lowest bit of field `LAST_UNIT` (3:0) of [`CAPABILITIES`]. Number of the last texture unit: units - 1.
pub const CAPABILITIES_LAST_UNIT_SHIFT: u32 = 0;
/// The bits of field `LAST_UNIT` in [`CAPABILITIES`].
pub const CAPABILITIES_LAST_UNIT_MASK: u32 = 0x0000_000f;
/// Lowest bit of field `FORMATS` (7:4) of [`CAPABILITIES`]. Formats built: bit 0 `rgba8`, bit 1 `rgb8`, bit 2 `i8_rgba8`, bit 3 `i8_rgb8`; `FORMATS_LOW` has all.
pub const CAPABILITIES_FORMATS_SHIFT: u32 = 4;
/// The bits of field `FORMATS` in [`CAPABILITIES`].
pub const CAPABILITIES_FORMATS_MASK: u32 = 0x0000_00f0;
/// Lowest bit of field `BILINEAR` (8) of [`CAPABILITIES`]. Bilinear filtering is built.
pub const CAPABILITIES_BILINEAR_SHIFT: u32 = 8;
/// The bits of field `BILINEAR` in [`CAPABILITIES`].
pub const CAPABILITIES_BILINEAR_MASK: u32 = 0x0000_0100;
/// Lowest bit of field `MIPMAPS` (9) of [`CAPABILITIES`]. Mipmapping is built.
pub const CAPABILITIES_MIPMAPS_SHIFT: u32 = 9;
/// The bits of field `MIPMAPS` in [`CAPABILITIES`].
pub const CAPABILITIES_MIPMAPS_MASK: u32 = 0x0000_0200;
/// Lowest bit of field `ADDRESS_MODES` (12:10) of [`CAPABILITIES`]. Address modes built: bit 0 wrap, bit 1 clamp, bit 2 mirror.
pub const CAPABILITIES_ADDRESS_MODES_SHIFT: u32 = 10;
/// The bits of field `ADDRESS_MODES` in [`CAPABILITIES`].
pub const CAPABILITIES_ADDRESS_MODES_MASK: u32 = 0x0000_1c00;
/// Lowest bit of field `MAX_SIZE_LOG2` (16:13) of [`CAPABILITIES`]. Log2 of the longest side of a texture in texels.
pub const CAPABILITIES_MAX_SIZE_LOG2_SHIFT: u32 = 13;
/// The bits of field `MAX_SIZE_LOG2` in [`CAPABILITIES`].
pub const CAPABILITIES_MAX_SIZE_LOG2_MASK: u32 = 0x0001_e000;
/// Lowest bit of field `COUNTERS` (17) of [`CAPABILITIES`]. The counters of each unit are built.
pub const CAPABILITIES_COUNTERS_SHIFT: u32 = 17;
/// The bits of field `COUNTERS` in [`CAPABILITIES`].
pub const CAPABILITIES_COUNTERS_MASK: u32 = 0x0002_0000;
/// Lowest bit of field `ONE_BEAT` (18) of [`CAPABILITIES`]. A quad is one beat of the request stream instead of two.
pub const CAPABILITIES_ONE_BEAT_SHIFT: u32 = 18;
/// The bits of field `ONE_BEAT` in [`CAPABILITIES`].
pub const CAPABILITIES_ONE_BEAT_MASK: u32 = 0x0004_0000;
/// Lowest bit of field `CACHE_KIND` (20:19) of [`CAPABILITIES`]. Kind of the cache: 0 blocking, 1 prefetching.
pub const CAPABILITIES_CACHE_KIND_SHIFT: u32 = 19;
/// The bits of field `CACHE_KIND` in [`CAPABILITIES`].
pub const CAPABILITIES_CACHE_KIND_MASK: u32 = 0x0018_0000;
/// Lowest bit of field `GENERAL` (21) of [`CAPABILITIES`]. Units follow the general numerics: a binding is five beats, and textures are of any size.
pub const CAPABILITIES_GENERAL_SHIFT: u32 = 21;
/// The bits of field `GENERAL` in [`CAPABILITIES`].
pub const CAPABILITIES_GENERAL_MASK: u32 = 0x0020_0000;
/// Lowest bit of field `LAYOUT` (31:28) of [`CAPABILITIES`]. Version of the words of capabilities: 1 for this one with `FORMATS_LOW` and `FORMATS_HIGH`; a higher one keeps what is here.
pub const CAPABILITIES_LAYOUT_SHIFT: u32 = 28;
/// The bits of field `LAYOUT` in [`CAPABILITIES`].
pub const CAPABILITIES_LAYOUT_MASK: u32 = 0xf000_0000;

/// Shape of each unit's cache.
pub const CACHE_GEOMETRY: u32 = 0x00c;
/// Lowest bit of field `WAYS` (7:0) of [`CACHE_GEOMETRY`]. Lines of a set.
pub const CACHE_GEOMETRY_WAYS_SHIFT: u32 = 0;
/// The bits of field `WAYS` in [`CACHE_GEOMETRY`].
pub const CACHE_GEOMETRY_WAYS_MASK: u32 = 0x0000_00ff;
/// Lowest bit of field `SETS` (23:8) of [`CACHE_GEOMETRY`]. Number of sets.
pub const CACHE_GEOMETRY_SETS_SHIFT: u32 = 8;
/// The bits of field `SETS` in [`CACHE_GEOMETRY`].
pub const CACHE_GEOMETRY_SETS_MASK: u32 = 0x00ff_ff00;
/// Lowest bit of field `LINE_BYTES` (31:24) of [`CACHE_GEOMETRY`]. Bytes of a line.
pub const CACHE_GEOMETRY_LINE_BYTES_SHIFT: u32 = 24;
/// The bits of field `LINE_BYTES` in [`CACHE_GEOMETRY`].
pub const CACHE_GEOMETRY_LINE_BYTES_MASK: u32 = 0xff00_0000;

/// Commands; reads 0. `STATUS` says when they are done.
pub const CONTROL: u32 = 0x010;
/// Lowest bit of field `SOFT_RESET` (0) of [`CONTROL`]. Write 1 to empty the texture units: requests, results, bindings and caches. The control port goes on. A result that is offered stays until it is taken; what comes behind it was asked for after the reset.
pub const CONTROL_SOFT_RESET_SHIFT: u32 = 0;
/// The bits of field `SOFT_RESET` in [`CONTROL`].
pub const CONTROL_SOFT_RESET_MASK: u32 = 0x0000_0001;
/// Lowest bit of field `CACHE_INVALIDATE` (1) of [`CONTROL`]. Write 1 to drop what every cache holds, after the memory has changed. A colour table is read anew with the next binding.
pub const CONTROL_CACHE_INVALIDATE_SHIFT: u32 = 1;
/// The bits of field `CACHE_INVALIDATE` in [`CONTROL`].
pub const CONTROL_CACHE_INVALIDATE_MASK: u32 = 0x0000_0002;

/// Progress of the commands given through `CONTROL`.
pub const STATUS: u32 = 0x014;
/// Lowest bit of field `SOFT_RESET` (0) of [`STATUS`]. A soft reset is in progress.
pub const STATUS_SOFT_RESET_SHIFT: u32 = 0;
/// The bits of field `SOFT_RESET` in [`STATUS`].
pub const STATUS_SOFT_RESET_MASK: u32 = 0x0000_0001;
/// Lowest bit of field `CACHE_INVALIDATE` (1) of [`STATUS`]. An invalidation is in progress.
pub const STATUS_CACHE_INVALIDATE_SHIFT: u32 = 1;
/// The bits of field `CACHE_INVALIDATE` in [`STATUS`].
pub const STATUS_CACHE_INVALIDATE_MASK: u32 = 0x0000_0002;

/// Byte address of the texture window, to which texture addresses are added. Change it while no request is in flight, and invalidate the caches afterwards.
pub const WINDOW_BASE_LOW: u32 = 0x018;
/// Lowest bit of field `ADDRESS` (31:12) of [`WINDOW_BASE_LOW`]. Bits 31:12 of the address; a multiple of 4096 bytes.
pub const WINDOW_BASE_LOW_ADDRESS_SHIFT: u32 = 12;
/// The bits of field `ADDRESS` in [`WINDOW_BASE_LOW`].
pub const WINDOW_BASE_LOW_ADDRESS_MASK: u32 = 0xffff_f000;

/// Upper half of `WINDOW_BASE_LOW`.
pub const WINDOW_BASE_HIGH: u32 = 0x01c;
/// Lowest bit of field `ADDRESS` (31:0) of [`WINDOW_BASE_HIGH`]. Bits 63:32 of the address; those that the memory port does not have read 0.
pub const WINDOW_BASE_HIGH_ADDRESS_SHIFT: u32 = 0;
/// The bits of field `ADDRESS` in [`WINDOW_BASE_HIGH`].
pub const WINDOW_BASE_HIGH_ADDRESS_MASK: u32 = 0xffff_ffff;

/// What went wrong since the bits were last cleared, in any unit.
pub const ERROR: u32 = 0x020;
/// Lowest bit of field `BINDING_RULES` (7:0) of [`ERROR`]. Rules that bindings broke: bit 0 reserved bits, 1 format, 2 size, 3 max_lod, 4 base, 5 address mode, 6 feature not built, 7 past the texture window.
pub const ERROR_BINDING_RULES_SHIFT: u32 = 0;
/// The bits of field `BINDING_RULES` in [`ERROR`].
pub const ERROR_BINDING_RULES_MASK: u32 = 0x0000_00ff;
/// Lowest bit of field `MEMORY_SLVERR` (8) of [`ERROR`]. A memory access was answered SLVERR.
pub const ERROR_MEMORY_SLVERR_SHIFT: u32 = 8;
/// The bits of field `MEMORY_SLVERR` in [`ERROR`].
pub const ERROR_MEMORY_SLVERR_MASK: u32 = 0x0000_0100;
/// Lowest bit of field `MEMORY_DECERR` (9) of [`ERROR`]. A memory access was answered DECERR.
pub const ERROR_MEMORY_DECERR_SHIFT: u32 = 9;
/// The bits of field `MEMORY_DECERR` in [`ERROR`].
pub const ERROR_MEMORY_DECERR_MASK: u32 = 0x0000_0200;
/// Lowest bit of field `PACKET_LENGTH` (10) of [`ERROR`]. A request packet of the wrong length was dropped.
pub const ERROR_PACKET_LENGTH_SHIFT: u32 = 10;
/// The bits of field `PACKET_LENGTH` in [`ERROR`].
pub const ERROR_PACKET_LENGTH_MASK: u32 = 0x0000_0400;
/// Lowest bit of field `MEMORY_LENGTH` (11) of [`ERROR`]. A memory read was answered with more or fewer beats than ARLEN asked for, as RLAST tells.
pub const ERROR_MEMORY_LENGTH_SHIFT: u32 = 11;
/// The bits of field `MEMORY_LENGTH` in [`ERROR`].
pub const ERROR_MEMORY_LENGTH_MASK: u32 = 0x0000_0800;

/// Address, on the memory port, of the first access that failed since all memory bits of `ERROR` were clear; of a write the burst's.
pub const ERROR_ADDRESS_LOW: u32 = 0x024;
/// Lowest bit of field `ADDRESS` (31:0) of [`ERROR_ADDRESS_LOW`]. Bits 31:0 of the address.
pub const ERROR_ADDRESS_LOW_ADDRESS_SHIFT: u32 = 0;
/// The bits of field `ADDRESS` in [`ERROR_ADDRESS_LOW`].
pub const ERROR_ADDRESS_LOW_ADDRESS_MASK: u32 = 0xffff_ffff;

/// Upper half of `ERROR_ADDRESS_LOW`.
pub const ERROR_ADDRESS_HIGH: u32 = 0x028;
/// Lowest bit of field `ADDRESS` (31:0) of [`ERROR_ADDRESS_HIGH`]. Bits 63:32 of the address.
pub const ERROR_ADDRESS_HIGH_ADDRESS_SHIFT: u32 = 0;
/// The bits of field `ADDRESS` in [`ERROR_ADDRESS_HIGH`].
pub const ERROR_ADDRESS_HIGH_ADDRESS_MASK: u32 = 0xffff_ffff;

/// Formats built, by the code that a binding gives: codes 0 to 31.
pub const FORMATS_LOW: u32 = 0x02c;
/// Lowest bit of field `CODES` (31:0) of [`FORMATS_LOW`]. Bit n: the format of code n is built.
pub const FORMATS_LOW_CODES_SHIFT: u32 = 0;
/// The bits of field `CODES` in [`FORMATS_LOW`].
pub const FORMATS_LOW_CODES_MASK: u32 = 0xffff_ffff;

/// Formats built, by the code that a binding gives: codes 32 to 63.
pub const FORMATS_HIGH: u32 = 0x030;
/// Lowest bit of field `CODES` (31:0) of [`FORMATS_HIGH`]. Bit n: the format of code 32 + n is built.
pub const FORMATS_HIGH_CODES_SHIFT: u32 = 0;
/// The bits of field `CODES` in [`FORMATS_HIGH`].
pub const FORMATS_HIGH_CODES_MASK: u32 = 0xffff_ffff;

/// What [`ID`] reads.
pub const ID_VALUE: u32 = 0x544d_5547;

/// Address of the first counter of unit 0.
pub const UNIT_BASE: u32 = 0x100;
/// Bytes from the counters of one unit to those of the next.
pub const UNIT_STRIDE: u32 = 0x040;

/// Quads answered, no-ops and failed ones included. Counts from [`UNIT_BASE`] and the unit's stride.
pub const UNIT_QUADS: u32 = 0x000;

/// Valid pixels of the quads answered. Counts from [`UNIT_BASE`] and the unit's stride.
pub const UNIT_VALID_PIXELS: u32 = 0x004;

/// Lines asked of the cache: LINE_REPEATS + HITS + MISSES. Counts from [`UNIT_BASE`] and the unit's stride.
pub const UNIT_LINE_LOOKUPS: u32 = 0x008;

/// Lookups of the line that was asked for just before. Counts from [`UNIT_BASE`] and the unit's stride.
pub const UNIT_LINE_REPEATS: u32 = 0x00c;

/// Other lookups of lines that the cache held. Counts from [`UNIT_BASE`] and the unit's stride.
pub const UNIT_HITS: u32 = 0x010;

/// Lookups that read memory. Counts from [`UNIT_BASE`] and the unit's stride.
pub const UNIT_MISSES: u32 = 0x014;

/// Transfers from memory, those of colour tables included. Counts from [`UNIT_BASE`] and the unit's stride.
pub const UNIT_MEMORY_BEATS: u32 = 0x018;

/// Clocks of `tmu_aclk` spent waiting for memory. Counts from [`UNIT_BASE`] and the unit's stride.
pub const UNIT_STALL_CYCLES: u32 = 0x01c;

/// Request packets of the wrong length, dropped. Counts from [`UNIT_BASE`] and the unit's stride.
pub const UNIT_DROPPED_PACKETS: u32 = 0x020;
