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

/// Commands; reads 0.
pub const BRING_UP_CONTROL: u32 = 0x600;
/// Lowest bit of field `START` (0) of [`BRING_UP_CONTROL`]. Write 1 to send the binding and the quads. Without effect unless `STATUS` has `OWNS` and not `BUSY`.
pub const BRING_UP_CONTROL_START_SHIFT: u32 = 0;
/// The bits of field `START` in [`BRING_UP_CONTROL`].
pub const BRING_UP_CONTROL_START_MASK: u32 = 0x0000_0001;
/// Lowest bit of field `STOP` (1) of [`BRING_UP_CONTROL`]. Write 1 to send no further quads.
pub const BRING_UP_CONTROL_STOP_SHIFT: u32 = 1;
/// The bits of field `STOP` in [`BRING_UP_CONTROL`].
pub const BRING_UP_CONTROL_STOP_MASK: u32 = 0x0000_0002;
/// Lowest bit of field `CAPTURE` (2) of [`BRING_UP_CONTROL`]. Write 1 to forget what was captured and to capture from the next binding on.
pub const BRING_UP_CONTROL_CAPTURE_SHIFT: u32 = 2;
/// The bits of field `CAPTURE` in [`BRING_UP_CONTROL`].
pub const BRING_UP_CONTROL_CAPTURE_MASK: u32 = 0x0000_0004;

/// What the kit does.
pub const BRING_UP_STATUS: u32 = 0x604;
/// Lowest bit of field `OWNS` (0) of [`BRING_UP_STATUS`]. The unit has answered all requests of its stream, and takes those of the kit.
pub const BRING_UP_STATUS_OWNS_SHIFT: u32 = 0;
/// The bits of field `OWNS` in [`BRING_UP_STATUS`].
pub const BRING_UP_STATUS_OWNS_MASK: u32 = 0x0000_0001;
/// Lowest bit of field `BUSY` (1) of [`BRING_UP_STATUS`]. Quads are sent or have not been answered.
pub const BRING_UP_STATUS_BUSY_SHIFT: u32 = 1;
/// The bits of field `BUSY` in [`BRING_UP_STATUS`].
pub const BRING_UP_STATUS_BUSY_MASK: u32 = 0x0000_0002;
/// Lowest bit of field `CAPTURING` (2) of [`BRING_UP_STATUS`]. A capture waits for a binding or goes on.
pub const BRING_UP_STATUS_CAPTURING_SHIFT: u32 = 2;
/// The bits of field `CAPTURING` in [`BRING_UP_STATUS`].
pub const BRING_UP_STATUS_CAPTURING_MASK: u32 = 0x0000_0004;

/// The unit that is driven, measured and captured. Writes are refused while busy.
pub const BRING_UP_UNIT: u32 = 0x608;
/// Lowest bit of field `NUMBER` (3:0) of [`BRING_UP_UNIT`]. Number of the unit.
pub const BRING_UP_UNIT_NUMBER_SHIFT: u32 = 0;
/// The bits of field `NUMBER` in [`BRING_UP_UNIT`].
pub const BRING_UP_UNIT_NUMBER_MASK: u32 = 0x0000_000f;

/// Takes the unit, at the end of a packet and once all is answered, and gives it back; then the stream begins with a binding. Writes are refused while busy.
pub const BRING_UP_TAKE: u32 = 0x60c;
/// Lowest bit of field `TAKE` (0) of [`BRING_UP_TAKE`]. The kit drives the unit. Requests of the stream wait meanwhile.
pub const BRING_UP_TAKE_TAKE_SHIFT: u32 = 0;
/// The bits of field `TAKE` in [`BRING_UP_TAKE`].
pub const BRING_UP_TAKE_TAKE_MASK: u32 = 0x0000_0001;

/// Which quads are sent. This and what follows is not to be written while busy.
pub const BRING_UP_PATTERN: u32 = 0x610;
/// Lowest bit of field `RANDOM` (0) of [`BRING_UP_PATTERN`]. 0: rows of quads, one below the other. 1: quads anywhere.
pub const BRING_UP_PATTERN_RANDOM_SHIFT: u32 = 0;
/// The bits of field `RANDOM` in [`BRING_UP_PATTERN`].
pub const BRING_UP_PATTERN_RANDOM_MASK: u32 = 0x0000_0001;
/// Lowest bit of field `VALID` (7:4) of [`BRING_UP_PATTERN`]. Valid bits of each quad.
pub const BRING_UP_PATTERN_VALID_SHIFT: u32 = 4;
/// The bits of field `VALID` in [`BRING_UP_PATTERN`].
pub const BRING_UP_PATTERN_VALID_MASK: u32 = 0x0000_00f0;

/// How many quads are sent.
pub const BRING_UP_QUADS: u32 = 0x614;
/// Lowest bit of field `COUNT` (31:0) of [`BRING_UP_QUADS`]. Number of quads.
pub const BRING_UP_QUADS_COUNT_SHIFT: u32 = 0;
/// The bits of field `COUNT` in [`BRING_UP_QUADS`].
pub const BRING_UP_QUADS_COUNT_MASK: u32 = 0xffff_ffff;

/// Length of a row of quads.
pub const BRING_UP_ROW: u32 = 0x618;
/// Lowest bit of field `QUADS` (15:0) of [`BRING_UP_ROW`]. Quads of a row, at least 1.
pub const BRING_UP_ROW_QUADS_SHIFT: u32 = 0;
/// The bits of field `QUADS` in [`BRING_UP_ROW`].
pub const BRING_UP_ROW_QUADS_MASK: u32 = 0x0000_ffff;

/// u of the first pixel; with `RANDOM` the seed of u, not 0.
pub const BRING_UP_U: u32 = 0x61c;
/// Lowest bit of field `NUMBER` (31:0) of [`BRING_UP_U`]. In s16.16: 65536 is the full extent of the texture.
pub const BRING_UP_U_NUMBER_SHIFT: u32 = 0;
/// The bits of field `NUMBER` in [`BRING_UP_U`].
pub const BRING_UP_U_NUMBER_MASK: u32 = 0xffff_ffff;

/// v of the first pixel; with `RANDOM` the seed of v, not 0.
pub const BRING_UP_V: u32 = 0x620;
/// Lowest bit of field `NUMBER` (31:0) of [`BRING_UP_V`]. In s16.16: 65536 is the full extent of the texture.
pub const BRING_UP_V_NUMBER_SHIFT: u32 = 0;
/// The bits of field `NUMBER` in [`BRING_UP_V`].
pub const BRING_UP_V_NUMBER_MASK: u32 = 0xffff_ffff;

/// How u changes from a pixel to the one on its right.
pub const BRING_UP_U_ACROSS: u32 = 0x624;
/// Lowest bit of field `NUMBER` (31:0) of [`BRING_UP_U_ACROSS`]. In s16.16: 65536 is the full extent of the texture.
pub const BRING_UP_U_ACROSS_NUMBER_SHIFT: u32 = 0;
/// The bits of field `NUMBER` in [`BRING_UP_U_ACROSS`].
pub const BRING_UP_U_ACROSS_NUMBER_MASK: u32 = 0xffff_ffff;

/// How v changes from a pixel to the one on its right.
pub const BRING_UP_V_ACROSS: u32 = 0x628;
/// Lowest bit of field `NUMBER` (31:0) of [`BRING_UP_V_ACROSS`]. In s16.16: 65536 is the full extent of the texture.
pub const BRING_UP_V_ACROSS_NUMBER_SHIFT: u32 = 0;
/// The bits of field `NUMBER` in [`BRING_UP_V_ACROSS`].
pub const BRING_UP_V_ACROSS_NUMBER_MASK: u32 = 0xffff_ffff;

/// How u changes from a pixel to the one below.
pub const BRING_UP_U_DOWN: u32 = 0x62c;
/// Lowest bit of field `NUMBER` (31:0) of [`BRING_UP_U_DOWN`]. In s16.16: 65536 is the full extent of the texture.
pub const BRING_UP_U_DOWN_NUMBER_SHIFT: u32 = 0;
/// The bits of field `NUMBER` in [`BRING_UP_U_DOWN`].
pub const BRING_UP_U_DOWN_NUMBER_MASK: u32 = 0xffff_ffff;

/// How v changes from a pixel to the one below.
pub const BRING_UP_V_DOWN: u32 = 0x630;
/// Lowest bit of field `NUMBER` (31:0) of [`BRING_UP_V_DOWN`]. In s16.16: 65536 is the full extent of the texture.
pub const BRING_UP_V_DOWN_NUMBER_SHIFT: u32 = 0;
/// The bits of field `NUMBER` in [`BRING_UP_V_DOWN`].
pub const BRING_UP_V_DOWN_NUMBER_MASK: u32 = 0xffff_ffff;

/// CRC of the results since the start: of each the bytes of `tdata` from bit 0 up, then a byte with `tuser`.
pub const BRING_UP_CRC: u32 = 0x634;
/// Lowest bit of field `VALUE` (31:0) of [`BRING_UP_CRC`]. CRC-32 as Ethernet, zlib and PNG have it.
pub const BRING_UP_CRC_VALUE_SHIFT: u32 = 0;
/// The bits of field `VALUE` in [`BRING_UP_CRC`].
pub const BRING_UP_CRC_VALUE_MASK: u32 = 0xffff_ffff;

/// Results since the start.
pub const BRING_UP_RESULTS: u32 = 0x638;
/// Lowest bit of field `COUNT` (31:0) of [`BRING_UP_RESULTS`]. Count since the start; stops at 2^32 - 1.
pub const BRING_UP_RESULTS_COUNT_SHIFT: u32 = 0;
/// The bits of field `COUNT` in [`BRING_UP_RESULTS`].
pub const BRING_UP_RESULTS_COUNT_MASK: u32 = 0xffff_ffff;

/// Results since the start that have the error bit.
pub const BRING_UP_FAILED: u32 = 0x63c;
/// Lowest bit of field `COUNT` (31:0) of [`BRING_UP_FAILED`]. Count since the start; stops at 2^32 - 1.
pub const BRING_UP_FAILED_COUNT_SHIFT: u32 = 0;
/// The bits of field `COUNT` in [`BRING_UP_FAILED`].
pub const BRING_UP_FAILED_COUNT_MASK: u32 = 0xffff_ffff;

/// Clocks of `tmu_aclk` from the start to the last result.
pub const BRING_UP_CLOCKS: u32 = 0x640;
/// Lowest bit of field `COUNT` (31:0) of [`BRING_UP_CLOCKS`]. Count since the start; stops at 2^32 - 1.
pub const BRING_UP_CLOCKS_COUNT_SHIFT: u32 = 0;
/// The bits of field `COUNT` in [`BRING_UP_CLOCKS`].
pub const BRING_UP_CLOCKS_COUNT_MASK: u32 = 0xffff_ffff;

/// Reads of the unit whose latency was measured since the start: one at a time, the next one that the unit asks for.
pub const BRING_UP_READS: u32 = 0x644;
/// Lowest bit of field `COUNT` (15:0) of [`BRING_UP_READS`]. Reads measured; stops at 65535, and the sum with it.
pub const BRING_UP_READS_COUNT_SHIFT: u32 = 0;
/// The bits of field `COUNT` in [`BRING_UP_READS`].
pub const BRING_UP_READS_COUNT_MASK: u32 = 0x0000_ffff;

/// Clocks of `tmu_aclk` from a read of the unit to its first line, the memory port included.
pub const BRING_UP_LATENCY: u32 = 0x648;
/// Lowest bit of field `LEAST` (15:0) of [`BRING_UP_LATENCY`]. The least; 65535 before the first.
pub const BRING_UP_LATENCY_LEAST_SHIFT: u32 = 0;
/// The bits of field `LEAST` in [`BRING_UP_LATENCY`].
pub const BRING_UP_LATENCY_LEAST_MASK: u32 = 0x0000_ffff;
/// Lowest bit of field `MOST` (31:16) of [`BRING_UP_LATENCY`]. The most.
pub const BRING_UP_LATENCY_MOST_SHIFT: u32 = 16;
/// The bits of field `MOST` in [`BRING_UP_LATENCY`].
pub const BRING_UP_LATENCY_MOST_MASK: u32 = 0xffff_0000;

/// Divided by `BRING_UP_READS` the mean latency.
pub const BRING_UP_LATENCY_SUM: u32 = 0x64c;
/// Lowest bit of field `CLOCKS` (31:0) of [`BRING_UP_LATENCY_SUM`]. Sum of the latencies.
pub const BRING_UP_LATENCY_SUM_CLOCKS_SHIFT: u32 = 0;
/// The bits of field `CLOCKS` in [`BRING_UP_LATENCY_SUM`].
pub const BRING_UP_LATENCY_SUM_CLOCKS_MASK: u32 = 0xffff_ffff;

/// Lines of 16 bytes that memory gave the unit since the start.
pub const BRING_UP_LINES: u32 = 0x650;
/// Lowest bit of field `COUNT` (31:0) of [`BRING_UP_LINES`]. Count since the start; stops at 2^32 - 1.
pub const BRING_UP_LINES_COUNT_SHIFT: u32 = 0;
/// The bits of field `COUNT` in [`BRING_UP_LINES`].
pub const BRING_UP_LINES_COUNT_MASK: u32 = 0xffff_ffff;

/// Clocks since the start in which lines were to come.
pub const BRING_UP_WAITING: u32 = 0x654;
/// Lowest bit of field `COUNT` (31:0) of [`BRING_UP_WAITING`]. Count since the start; stops at 2^32 - 1.
pub const BRING_UP_WAITING_COUNT_SHIFT: u32 = 0;
/// The bits of field `COUNT` in [`BRING_UP_WAITING`].
pub const BRING_UP_WAITING_COUNT_MASK: u32 = 0xffff_ffff;

/// How far a capture is.
pub const BRING_UP_CAPTURED: u32 = 0x658;
/// Lowest bit of field `BEATS` (15:0) of [`BRING_UP_CAPTURED`]. Beats captured; the capture ends when the memory is full.
pub const BRING_UP_CAPTURED_BEATS_SHIFT: u32 = 0;
/// The bits of field `BEATS` in [`BRING_UP_CAPTURED`].
pub const BRING_UP_CAPTURED_BEATS_MASK: u32 = 0x0000_ffff;
/// Lowest bit of field `DEPTH` (31:16) of [`BRING_UP_CAPTURED`]. Beats that the memory holds.
pub const BRING_UP_CAPTURED_DEPTH_SHIFT: u32 = 16;
/// The bits of field `DEPTH` in [`BRING_UP_CAPTURED`].
pub const BRING_UP_CAPTURED_DEPTH_MASK: u32 = 0xffff_0000;

/// What `BRING_UP_DATA` and `BRING_UP_READ` show.
pub const BRING_UP_PLACE: u32 = 0x65c;
/// Lowest bit of field `WORD` (4:0) of [`BRING_UP_PLACE`]. Word of 32 bits of the beat, from bit 0 up: `tdata`, above it `tuser`, above it `tlast`.
pub const BRING_UP_PLACE_WORD_SHIFT: u32 = 0;
/// The bits of field `WORD` in [`BRING_UP_PLACE`].
pub const BRING_UP_PLACE_WORD_MASK: u32 = 0x0000_001f;
/// Lowest bit of field `BEAT` (24:16) of [`BRING_UP_PLACE`]. Beat, or read, from 0.
pub const BRING_UP_PLACE_BEAT_SHIFT: u32 = 16;
/// The bits of field `BEAT` in [`BRING_UP_PLACE`].
pub const BRING_UP_PLACE_BEAT_MASK: u32 = 0x01ff_0000;

/// A word of a captured beat.
pub const BRING_UP_DATA: u32 = 0x660;
/// Lowest bit of field `WORD` (31:0) of [`BRING_UP_DATA`]. The word; bits over the beat read 0.
pub const BRING_UP_DATA_WORD_SHIFT: u32 = 0;
/// The bits of field `WORD` in [`BRING_UP_DATA`].
pub const BRING_UP_DATA_WORD_MASK: u32 = 0xffff_ffff;

/// How many reads from memory a capture has, from its binding on; no more than the memory holds.
pub const BRING_UP_CAPTURED_READS: u32 = 0x664;
/// Lowest bit of field `READS` (15:0) of [`BRING_UP_CAPTURED_READS`]. Reads captured; none if a quad was under way when the binding came.
pub const BRING_UP_CAPTURED_READS_READS_SHIFT: u32 = 0;
/// The bits of field `READS` in [`BRING_UP_CAPTURED_READS`].
pub const BRING_UP_CAPTURED_READS_READS_MASK: u32 = 0x0000_ffff;
/// Lowest bit of field `DEPTH` (31:16) of [`BRING_UP_CAPTURED_READS`]. Reads that the memory holds.
pub const BRING_UP_CAPTURED_READS_DEPTH_SHIFT: u32 = 16;
/// The bits of field `DEPTH` in [`BRING_UP_CAPTURED_READS`].
pub const BRING_UP_CAPTURED_READS_DEPTH_MASK: u32 = 0xffff_0000;

/// A captured read: the one whose number is `BRING_UP_PLACE.BEAT`.
pub const BRING_UP_READ: u32 = 0x668;
/// Lowest bit of field `LINE` (26:0) of [`BRING_UP_READ`]. First line of 16 bytes, counted from the start of the texture window.
pub const BRING_UP_READ_LINE_SHIFT: u32 = 0;
/// The bits of field `LINE` in [`BRING_UP_READ`].
pub const BRING_UP_READ_LINE_MASK: u32 = 0x07ff_ffff;
/// Lowest bit of field `MORE` (31:27) of [`BRING_UP_READ`]. Lines behind it that are read, too.
pub const BRING_UP_READ_MORE_SHIFT: u32 = 27;
/// The bits of field `MORE` in [`BRING_UP_READ`].
pub const BRING_UP_READ_MORE_MASK: u32 = 0xf800_0000;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_0: u32 = 0x680;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_0`]. Bits of the binding.
pub const BRING_UP_BINDING_0_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_0`].
pub const BRING_UP_BINDING_0_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_1: u32 = 0x684;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_1`]. Bits of the binding.
pub const BRING_UP_BINDING_1_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_1`].
pub const BRING_UP_BINDING_1_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_2: u32 = 0x688;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_2`]. Bits of the binding.
pub const BRING_UP_BINDING_2_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_2`].
pub const BRING_UP_BINDING_2_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_3: u32 = 0x68c;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_3`]. Bits of the binding.
pub const BRING_UP_BINDING_3_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_3`].
pub const BRING_UP_BINDING_3_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_4: u32 = 0x690;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_4`]. Bits of the binding.
pub const BRING_UP_BINDING_4_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_4`].
pub const BRING_UP_BINDING_4_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_5: u32 = 0x694;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_5`]. Bits of the binding.
pub const BRING_UP_BINDING_5_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_5`].
pub const BRING_UP_BINDING_5_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_6: u32 = 0x698;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_6`]. Bits of the binding.
pub const BRING_UP_BINDING_6_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_6`].
pub const BRING_UP_BINDING_6_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_7: u32 = 0x69c;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_7`]. Bits of the binding.
pub const BRING_UP_BINDING_7_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_7`].
pub const BRING_UP_BINDING_7_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_8: u32 = 0x6a0;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_8`]. Bits of the binding.
pub const BRING_UP_BINDING_8_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_8`].
pub const BRING_UP_BINDING_8_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_9: u32 = 0x6a4;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_9`]. Bits of the binding.
pub const BRING_UP_BINDING_9_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_9`].
pub const BRING_UP_BINDING_9_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_10: u32 = 0x6a8;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_10`]. Bits of the binding.
pub const BRING_UP_BINDING_10_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_10`].
pub const BRING_UP_BINDING_10_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_11: u32 = 0x6ac;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_11`]. Bits of the binding.
pub const BRING_UP_BINDING_11_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_11`].
pub const BRING_UP_BINDING_11_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_12: u32 = 0x6b0;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_12`]. Bits of the binding.
pub const BRING_UP_BINDING_12_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_12`].
pub const BRING_UP_BINDING_12_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_13: u32 = 0x6b4;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_13`]. Bits of the binding.
pub const BRING_UP_BINDING_13_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_13`].
pub const BRING_UP_BINDING_13_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_14: u32 = 0x6b8;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_14`]. Bits of the binding.
pub const BRING_UP_BINDING_14_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_14`].
pub const BRING_UP_BINDING_14_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_15: u32 = 0x6bc;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_15`]. Bits of the binding.
pub const BRING_UP_BINDING_15_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_15`].
pub const BRING_UP_BINDING_15_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_16: u32 = 0x6c0;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_16`]. Bits of the binding.
pub const BRING_UP_BINDING_16_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_16`].
pub const BRING_UP_BINDING_16_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_17: u32 = 0x6c4;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_17`]. Bits of the binding.
pub const BRING_UP_BINDING_17_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_17`].
pub const BRING_UP_BINDING_17_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_18: u32 = 0x6c8;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_18`]. Bits of the binding.
pub const BRING_UP_BINDING_18_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_18`].
pub const BRING_UP_BINDING_18_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding that the kit sends, the lowest bits first.
pub const BRING_UP_BINDING_19: u32 = 0x6cc;
/// Lowest bit of field `BITS` (31:0) of [`BRING_UP_BINDING_19`]. Bits of the binding.
pub const BRING_UP_BINDING_19_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`BRING_UP_BINDING_19`].
pub const BRING_UP_BINDING_19_BITS_MASK: u32 = 0xffff_ffff;

/// Commands; reads 0. While busy writes to this register and to all that follow but read-only ones are refused.
pub const STORE_CONTROL: u32 = 0x700;
/// Lowest bit of field `SEND` (0) of [`STORE_CONTROL`]. Write 1 to write the binding to the entry.
pub const STORE_CONTROL_SEND_SHIFT: u32 = 0;
/// The bits of field `SEND` in [`STORE_CONTROL`].
pub const STORE_CONTROL_SEND_MASK: u32 = 0x0000_0001;

/// What the port does.
pub const STORE_STATUS: u32 = 0x704;
/// Lowest bit of field `BUSY` (0) of [`STORE_STATUS`]. What was begun is at work. When it is not, all packets that a unit takes from its request stream find the entry written.
pub const STORE_STATUS_BUSY_SHIFT: u32 = 0;
/// The bits of field `BUSY` in [`STORE_STATUS`].
pub const STORE_STATUS_BUSY_MASK: u32 = 0x0000_0001;

/// Units whose stores are written, one after the other.
pub const STORE_UNITS: u32 = 0x708;
/// Lowest bit of field `UNITS` (15:0) of [`STORE_UNITS`]. Bit n: unit n. Bits of units that are not there mean nothing.
pub const STORE_UNITS_UNITS_SHIFT: u32 = 0;
/// The bits of field `UNITS` in [`STORE_UNITS`].
pub const STORE_UNITS_UNITS_MASK: u32 = 0x0000_ffff;

/// The entry that is written, or the first one that is loaded.
pub const STORE_ENTRY: u32 = 0x70c;
/// Lowest bit of field `NUMBER` (6:0) of [`STORE_ENTRY`]. Number of an entry; with 64 entries 6 bits count.
pub const STORE_ENTRY_NUMBER_SHIFT: u32 = 0;
/// The bits of field `NUMBER` in [`STORE_ENTRY`].
pub const STORE_ENTRY_NUMBER_MASK: u32 = 0x0000_007f;

/// How many entries are loaded, from `STORE_ENTRY` up.
pub const STORE_COUNT: u32 = 0x710;
/// Lowest bit of field `ENTRIES` (7:0) of [`STORE_COUNT`]. Number of entries. Behind the last one of the store loading ends.
pub const STORE_COUNT_ENTRIES_SHIFT: u32 = 0;
/// The bits of field `ENTRIES` in [`STORE_COUNT`].
pub const STORE_COUNT_ENTRIES_MASK: u32 = 0x0000_00ff;

/// Where the table is: entry n stands 80 n bytes behind.
pub const STORE_TABLE: u32 = 0x714;
/// Lowest bit of field `ADDRESS` (30:4) of [`STORE_TABLE`]. Bits 30:4 of the byte address in the texture window.
pub const STORE_TABLE_ADDRESS_SHIFT: u32 = 4;
/// The bits of field `ADDRESS` in [`STORE_TABLE`].
pub const STORE_TABLE_ADDRESS_MASK: u32 = 0x7fff_fff0;

/// Commands; reads 0.
pub const STORE_LOAD: u32 = 0x718;
/// Lowest bit of field `LOAD` (0) of [`STORE_LOAD`]. Write 1 to load entries from the table; `STORE_STATUS` says when that is done.
pub const STORE_LOAD_LOAD_SHIFT: u32 = 0;
/// The bits of field `LOAD` in [`STORE_LOAD`].
pub const STORE_LOAD_LOAD_MASK: u32 = 0x0000_0001;

/// What has come of loading since it was begun.
pub const STORE_LOADED: u32 = 0x71c;
/// Lowest bit of field `FAILED` (0) of [`STORE_LOADED`]. An entry could not be read. Bindings of it break a rule.
pub const STORE_LOADED_FAILED_SHIFT: u32 = 0;
/// The bits of field `FAILED` in [`STORE_LOADED`].
pub const STORE_LOADED_FAILED_MASK: u32 = 0x0000_0001;
/// Lowest bit of field `ENTRY` (14:8) of [`STORE_LOADED`]. The first such entry.
pub const STORE_LOADED_ENTRY_SHIFT: u32 = 8;
/// The bits of field `ENTRY` in [`STORE_LOADED`].
pub const STORE_LOADED_ENTRY_MASK: u32 = 0x0000_7f00;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_0: u32 = 0x780;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_0`]. Bits of the binding.
pub const STORE_BINDING_0_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_0`].
pub const STORE_BINDING_0_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_1: u32 = 0x784;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_1`]. Bits of the binding.
pub const STORE_BINDING_1_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_1`].
pub const STORE_BINDING_1_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_2: u32 = 0x788;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_2`]. Bits of the binding.
pub const STORE_BINDING_2_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_2`].
pub const STORE_BINDING_2_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_3: u32 = 0x78c;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_3`]. Bits of the binding.
pub const STORE_BINDING_3_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_3`].
pub const STORE_BINDING_3_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_4: u32 = 0x790;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_4`]. Bits of the binding.
pub const STORE_BINDING_4_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_4`].
pub const STORE_BINDING_4_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_5: u32 = 0x794;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_5`]. Bits of the binding.
pub const STORE_BINDING_5_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_5`].
pub const STORE_BINDING_5_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_6: u32 = 0x798;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_6`]. Bits of the binding.
pub const STORE_BINDING_6_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_6`].
pub const STORE_BINDING_6_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_7: u32 = 0x79c;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_7`]. Bits of the binding.
pub const STORE_BINDING_7_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_7`].
pub const STORE_BINDING_7_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_8: u32 = 0x7a0;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_8`]. Bits of the binding.
pub const STORE_BINDING_8_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_8`].
pub const STORE_BINDING_8_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_9: u32 = 0x7a4;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_9`]. Bits of the binding.
pub const STORE_BINDING_9_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_9`].
pub const STORE_BINDING_9_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_10: u32 = 0x7a8;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_10`]. Bits of the binding.
pub const STORE_BINDING_10_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_10`].
pub const STORE_BINDING_10_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_11: u32 = 0x7ac;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_11`]. Bits of the binding.
pub const STORE_BINDING_11_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_11`].
pub const STORE_BINDING_11_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_12: u32 = 0x7b0;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_12`]. Bits of the binding.
pub const STORE_BINDING_12_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_12`].
pub const STORE_BINDING_12_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_13: u32 = 0x7b4;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_13`]. Bits of the binding.
pub const STORE_BINDING_13_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_13`].
pub const STORE_BINDING_13_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_14: u32 = 0x7b8;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_14`]. Bits of the binding.
pub const STORE_BINDING_14_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_14`].
pub const STORE_BINDING_14_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_15: u32 = 0x7bc;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_15`]. Bits of the binding.
pub const STORE_BINDING_15_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_15`].
pub const STORE_BINDING_15_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_16: u32 = 0x7c0;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_16`]. Bits of the binding.
pub const STORE_BINDING_16_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_16`].
pub const STORE_BINDING_16_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_17: u32 = 0x7c4;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_17`]. Bits of the binding.
pub const STORE_BINDING_17_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_17`].
pub const STORE_BINDING_17_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_18: u32 = 0x7c8;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_18`]. Bits of the binding.
pub const STORE_BINDING_18_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_18`].
pub const STORE_BINDING_18_BITS_MASK: u32 = 0xffff_ffff;

/// Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read.
pub const STORE_BINDING_19: u32 = 0x7cc;
/// Lowest bit of field `BITS` (31:0) of [`STORE_BINDING_19`]. Bits of the binding.
pub const STORE_BINDING_19_BITS_SHIFT: u32 = 0;
/// The bits of field `BITS` in [`STORE_BINDING_19`].
pub const STORE_BINDING_19_BITS_MASK: u32 = 0xffff_ffff;
