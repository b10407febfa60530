/* Addresses and fields of the control port, fields of a binding, formats of texels and address modes, the same for every core.
 * Made from the generator's tables: UPDATE_DRIVERS=1 cargo test -p tmu-package writes it anew. */
#ifndef TMU_REGISTERS_H
#define TMU_REGISTERS_H

/* Identity of the core. */
#define TMU_ID 0x000u
#define TMU_ID_VALUE_SHIFT 0u
#define TMU_ID_VALUE_MASK 0xffffffffu

/* Version of the generator that wrote the core. */
#define TMU_VERSION 0x004u
#define TMU_VERSION_PATCH_SHIFT 0u
#define TMU_VERSION_PATCH_MASK 0x000000ffu
#define TMU_VERSION_MINOR_SHIFT 8u
#define TMU_VERSION_MINOR_MASK 0x0000ff00u
#define TMU_VERSION_MAJOR_SHIFT 16u
#define TMU_VERSION_MAJOR_MASK 0xffff0000u

/* What the configuration built. A binding that asks for more is an error. */
#define TMU_CAPABILITIES 0x008u
#define TMU_CAPABILITIES_LAST_UNIT_SHIFT 0u
#define TMU_CAPABILITIES_LAST_UNIT_MASK 0x0000000fu
#define TMU_CAPABILITIES_FORMATS_SHIFT 4u
#define TMU_CAPABILITIES_FORMATS_MASK 0x000000f0u
#define TMU_CAPABILITIES_BILINEAR_SHIFT 8u
#define TMU_CAPABILITIES_BILINEAR_MASK 0x00000100u
#define TMU_CAPABILITIES_MIPMAPS_SHIFT 9u
#define TMU_CAPABILITIES_MIPMAPS_MASK 0x00000200u
#define TMU_CAPABILITIES_ADDRESS_MODES_SHIFT 10u
#define TMU_CAPABILITIES_ADDRESS_MODES_MASK 0x00001c00u
#define TMU_CAPABILITIES_MAX_SIZE_LOG2_SHIFT 13u
#define TMU_CAPABILITIES_MAX_SIZE_LOG2_MASK 0x0001e000u
#define TMU_CAPABILITIES_COUNTERS_SHIFT 17u
#define TMU_CAPABILITIES_COUNTERS_MASK 0x00020000u
#define TMU_CAPABILITIES_ONE_BEAT_SHIFT 18u
#define TMU_CAPABILITIES_ONE_BEAT_MASK 0x00040000u
#define TMU_CAPABILITIES_CACHE_KIND_SHIFT 19u
#define TMU_CAPABILITIES_CACHE_KIND_MASK 0x00180000u
#define TMU_CAPABILITIES_GENERAL_SHIFT 21u
#define TMU_CAPABILITIES_GENERAL_MASK 0x00200000u
#define TMU_CAPABILITIES_LAYOUT_SHIFT 28u
#define TMU_CAPABILITIES_LAYOUT_MASK 0xf0000000u

/* Shape of each unit's cache. */
#define TMU_CACHE_GEOMETRY 0x00cu
#define TMU_CACHE_GEOMETRY_WAYS_SHIFT 0u
#define TMU_CACHE_GEOMETRY_WAYS_MASK 0x000000ffu
#define TMU_CACHE_GEOMETRY_SETS_SHIFT 8u
#define TMU_CACHE_GEOMETRY_SETS_MASK 0x00ffff00u
#define TMU_CACHE_GEOMETRY_LINE_BYTES_SHIFT 24u
#define TMU_CACHE_GEOMETRY_LINE_BYTES_MASK 0xff000000u

/* Commands; reads 0. `STATUS` says when they are done. */
#define TMU_CONTROL 0x010u
#define TMU_CONTROL_SOFT_RESET_SHIFT 0u
#define TMU_CONTROL_SOFT_RESET_MASK 0x00000001u
#define TMU_CONTROL_CACHE_INVALIDATE_SHIFT 1u
#define TMU_CONTROL_CACHE_INVALIDATE_MASK 0x00000002u

/* Progress of the commands given through `CONTROL`. */
#define TMU_STATUS 0x014u
#define TMU_STATUS_SOFT_RESET_SHIFT 0u
#define TMU_STATUS_SOFT_RESET_MASK 0x00000001u
#define TMU_STATUS_CACHE_INVALIDATE_SHIFT 1u
#define TMU_STATUS_CACHE_INVALIDATE_MASK 0x00000002u

/* Byte address of the texture window, to which texture addresses are added. Change it while no request is in flight, and invalidate the caches afterwards. */
#define TMU_WINDOW_BASE_LOW 0x018u
#define TMU_WINDOW_BASE_LOW_ADDRESS_SHIFT 12u
#define TMU_WINDOW_BASE_LOW_ADDRESS_MASK 0xfffff000u

/* Upper half of `WINDOW_BASE_LOW`. */
#define TMU_WINDOW_BASE_HIGH 0x01cu
#define TMU_WINDOW_BASE_HIGH_ADDRESS_SHIFT 0u
#define TMU_WINDOW_BASE_HIGH_ADDRESS_MASK 0xffffffffu

/* What went wrong since the bits were last cleared, in any unit. */
#define TMU_ERROR 0x020u
#define TMU_ERROR_BINDING_RULES_SHIFT 0u
#define TMU_ERROR_BINDING_RULES_MASK 0x000000ffu
#define TMU_ERROR_MEMORY_SLVERR_SHIFT 8u
#define TMU_ERROR_MEMORY_SLVERR_MASK 0x00000100u
#define TMU_ERROR_MEMORY_DECERR_SHIFT 9u
#define TMU_ERROR_MEMORY_DECERR_MASK 0x00000200u
#define TMU_ERROR_PACKET_LENGTH_SHIFT 10u
#define TMU_ERROR_PACKET_LENGTH_MASK 0x00000400u
#define TMU_ERROR_MEMORY_LENGTH_SHIFT 11u
#define TMU_ERROR_MEMORY_LENGTH_MASK 0x00000800u

/* Address, on the memory port, of the first access that failed since all memory bits of `ERROR` were clear; of a write the burst's. */
#define TMU_ERROR_ADDRESS_LOW 0x024u
#define TMU_ERROR_ADDRESS_LOW_ADDRESS_SHIFT 0u
#define TMU_ERROR_ADDRESS_LOW_ADDRESS_MASK 0xffffffffu

/* Upper half of `ERROR_ADDRESS_LOW`. */
#define TMU_ERROR_ADDRESS_HIGH 0x028u
#define TMU_ERROR_ADDRESS_HIGH_ADDRESS_SHIFT 0u
#define TMU_ERROR_ADDRESS_HIGH_ADDRESS_MASK 0xffffffffu

/* Formats built, by the code that a binding gives: codes 0 to 31. */
#define TMU_FORMATS_LOW 0x02cu
#define TMU_FORMATS_LOW_CODES_SHIFT 0u
#define TMU_FORMATS_LOW_CODES_MASK 0xffffffffu

/* Formats built, by the code that a binding gives: codes 32 to 63. */
#define TMU_FORMATS_HIGH 0x030u
#define TMU_FORMATS_HIGH_CODES_SHIFT 0u
#define TMU_FORMATS_HIGH_CODES_MASK 0xffffffffu

/* Commands; reads 0. */
#define TMU_BRING_UP_CONTROL 0x600u
#define TMU_BRING_UP_CONTROL_START_SHIFT 0u
#define TMU_BRING_UP_CONTROL_START_MASK 0x00000001u
#define TMU_BRING_UP_CONTROL_STOP_SHIFT 1u
#define TMU_BRING_UP_CONTROL_STOP_MASK 0x00000002u
#define TMU_BRING_UP_CONTROL_CAPTURE_SHIFT 2u
#define TMU_BRING_UP_CONTROL_CAPTURE_MASK 0x00000004u

/* What the kit does. */
#define TMU_BRING_UP_STATUS 0x604u
#define TMU_BRING_UP_STATUS_OWNS_SHIFT 0u
#define TMU_BRING_UP_STATUS_OWNS_MASK 0x00000001u
#define TMU_BRING_UP_STATUS_BUSY_SHIFT 1u
#define TMU_BRING_UP_STATUS_BUSY_MASK 0x00000002u
#define TMU_BRING_UP_STATUS_CAPTURING_SHIFT 2u
#define TMU_BRING_UP_STATUS_CAPTURING_MASK 0x00000004u

/* The unit that is driven, measured and captured. Writes are refused while busy. */
#define TMU_BRING_UP_UNIT 0x608u
#define TMU_BRING_UP_UNIT_NUMBER_SHIFT 0u
#define TMU_BRING_UP_UNIT_NUMBER_MASK 0x0000000fu

/* Takes the unit, at the end of a packet and once all is answered, and gives it back; then the stream begins with a binding. Writes are refused while busy. */
#define TMU_BRING_UP_TAKE 0x60cu
#define TMU_BRING_UP_TAKE_TAKE_SHIFT 0u
#define TMU_BRING_UP_TAKE_TAKE_MASK 0x00000001u

/* Which quads are sent. This and what follows is not to be written while busy. */
#define TMU_BRING_UP_PATTERN 0x610u
#define TMU_BRING_UP_PATTERN_RANDOM_SHIFT 0u
#define TMU_BRING_UP_PATTERN_RANDOM_MASK 0x00000001u
#define TMU_BRING_UP_PATTERN_VALID_SHIFT 4u
#define TMU_BRING_UP_PATTERN_VALID_MASK 0x000000f0u

/* How many quads are sent. */
#define TMU_BRING_UP_QUADS 0x614u
#define TMU_BRING_UP_QUADS_COUNT_SHIFT 0u
#define TMU_BRING_UP_QUADS_COUNT_MASK 0xffffffffu

/* Length of a row of quads. */
#define TMU_BRING_UP_ROW 0x618u
#define TMU_BRING_UP_ROW_QUADS_SHIFT 0u
#define TMU_BRING_UP_ROW_QUADS_MASK 0x0000ffffu

/* u of the first pixel; with `RANDOM` the seed of u, not 0. */
#define TMU_BRING_UP_U 0x61cu
#define TMU_BRING_UP_U_NUMBER_SHIFT 0u
#define TMU_BRING_UP_U_NUMBER_MASK 0xffffffffu

/* v of the first pixel; with `RANDOM` the seed of v, not 0. */
#define TMU_BRING_UP_V 0x620u
#define TMU_BRING_UP_V_NUMBER_SHIFT 0u
#define TMU_BRING_UP_V_NUMBER_MASK 0xffffffffu

/* How u changes from a pixel to the one on its right. */
#define TMU_BRING_UP_U_ACROSS 0x624u
#define TMU_BRING_UP_U_ACROSS_NUMBER_SHIFT 0u
#define TMU_BRING_UP_U_ACROSS_NUMBER_MASK 0xffffffffu

/* How v changes from a pixel to the one on its right. */
#define TMU_BRING_UP_V_ACROSS 0x628u
#define TMU_BRING_UP_V_ACROSS_NUMBER_SHIFT 0u
#define TMU_BRING_UP_V_ACROSS_NUMBER_MASK 0xffffffffu

/* How u changes from a pixel to the one below. */
#define TMU_BRING_UP_U_DOWN 0x62cu
#define TMU_BRING_UP_U_DOWN_NUMBER_SHIFT 0u
#define TMU_BRING_UP_U_DOWN_NUMBER_MASK 0xffffffffu

/* How v changes from a pixel to the one below. */
#define TMU_BRING_UP_V_DOWN 0x630u
#define TMU_BRING_UP_V_DOWN_NUMBER_SHIFT 0u
#define TMU_BRING_UP_V_DOWN_NUMBER_MASK 0xffffffffu

/* CRC of the results since the start: of each the bytes of `tdata` from bit 0 up, then a byte with `tuser`. */
#define TMU_BRING_UP_CRC 0x634u
#define TMU_BRING_UP_CRC_VALUE_SHIFT 0u
#define TMU_BRING_UP_CRC_VALUE_MASK 0xffffffffu

/* Results since the start. */
#define TMU_BRING_UP_RESULTS 0x638u
#define TMU_BRING_UP_RESULTS_COUNT_SHIFT 0u
#define TMU_BRING_UP_RESULTS_COUNT_MASK 0xffffffffu

/* Results since the start that have the error bit. */
#define TMU_BRING_UP_FAILED 0x63cu
#define TMU_BRING_UP_FAILED_COUNT_SHIFT 0u
#define TMU_BRING_UP_FAILED_COUNT_MASK 0xffffffffu

/* Clocks of `tmu_aclk` from the start to the last result. */
#define TMU_BRING_UP_CLOCKS 0x640u
#define TMU_BRING_UP_CLOCKS_COUNT_SHIFT 0u
#define TMU_BRING_UP_CLOCKS_COUNT_MASK 0xffffffffu

/* Reads of the unit whose latency was measured since the start: one at a time, the next one that the unit asks for. */
#define TMU_BRING_UP_READS 0x644u
#define TMU_BRING_UP_READS_COUNT_SHIFT 0u
#define TMU_BRING_UP_READS_COUNT_MASK 0x0000ffffu

/* Clocks of `tmu_aclk` from a read of the unit to its first line, the memory port included. */
#define TMU_BRING_UP_LATENCY 0x648u
#define TMU_BRING_UP_LATENCY_LEAST_SHIFT 0u
#define TMU_BRING_UP_LATENCY_LEAST_MASK 0x0000ffffu
#define TMU_BRING_UP_LATENCY_MOST_SHIFT 16u
#define TMU_BRING_UP_LATENCY_MOST_MASK 0xffff0000u

/* Divided by `BRING_UP_READS` the mean latency. */
#define TMU_BRING_UP_LATENCY_SUM 0x64cu
#define TMU_BRING_UP_LATENCY_SUM_CLOCKS_SHIFT 0u
#define TMU_BRING_UP_LATENCY_SUM_CLOCKS_MASK 0xffffffffu

/* Lines of 16 bytes that memory gave the unit since the start. */
#define TMU_BRING_UP_LINES 0x650u
#define TMU_BRING_UP_LINES_COUNT_SHIFT 0u
#define TMU_BRING_UP_LINES_COUNT_MASK 0xffffffffu

/* Clocks since the start in which lines were to come. */
#define TMU_BRING_UP_WAITING 0x654u
#define TMU_BRING_UP_WAITING_COUNT_SHIFT 0u
#define TMU_BRING_UP_WAITING_COUNT_MASK 0xffffffffu

/* How far a capture is. */
#define TMU_BRING_UP_CAPTURED 0x658u
#define TMU_BRING_UP_CAPTURED_BEATS_SHIFT 0u
#define TMU_BRING_UP_CAPTURED_BEATS_MASK 0x0000ffffu
#define TMU_BRING_UP_CAPTURED_DEPTH_SHIFT 16u
#define TMU_BRING_UP_CAPTURED_DEPTH_MASK 0xffff0000u

/* What `BRING_UP_DATA` and `BRING_UP_READ` show. */
#define TMU_BRING_UP_PLACE 0x65cu
#define TMU_BRING_UP_PLACE_WORD_SHIFT 0u
#define TMU_BRING_UP_PLACE_WORD_MASK 0x0000001fu
#define TMU_BRING_UP_PLACE_BEAT_SHIFT 16u
#define TMU_BRING_UP_PLACE_BEAT_MASK 0x01ff0000u

/* A word of a captured beat. */
#define TMU_BRING_UP_DATA 0x660u
#define TMU_BRING_UP_DATA_WORD_SHIFT 0u
#define TMU_BRING_UP_DATA_WORD_MASK 0xffffffffu

/* How many reads from memory a capture has, from its binding on; no more than the memory holds. */
#define TMU_BRING_UP_CAPTURED_READS 0x664u
#define TMU_BRING_UP_CAPTURED_READS_READS_SHIFT 0u
#define TMU_BRING_UP_CAPTURED_READS_READS_MASK 0x0000ffffu
#define TMU_BRING_UP_CAPTURED_READS_DEPTH_SHIFT 16u
#define TMU_BRING_UP_CAPTURED_READS_DEPTH_MASK 0xffff0000u

/* A captured read: the one whose number is `BRING_UP_PLACE.BEAT`. */
#define TMU_BRING_UP_READ 0x668u
#define TMU_BRING_UP_READ_LINE_SHIFT 0u
#define TMU_BRING_UP_READ_LINE_MASK 0x07ffffffu
#define TMU_BRING_UP_READ_MORE_SHIFT 27u
#define TMU_BRING_UP_READ_MORE_MASK 0xf8000000u

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_0 0x680u
#define TMU_BRING_UP_BINDING_0_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_0_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_1 0x684u
#define TMU_BRING_UP_BINDING_1_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_1_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_2 0x688u
#define TMU_BRING_UP_BINDING_2_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_2_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_3 0x68cu
#define TMU_BRING_UP_BINDING_3_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_3_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_4 0x690u
#define TMU_BRING_UP_BINDING_4_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_4_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_5 0x694u
#define TMU_BRING_UP_BINDING_5_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_5_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_6 0x698u
#define TMU_BRING_UP_BINDING_6_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_6_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_7 0x69cu
#define TMU_BRING_UP_BINDING_7_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_7_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_8 0x6a0u
#define TMU_BRING_UP_BINDING_8_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_8_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_9 0x6a4u
#define TMU_BRING_UP_BINDING_9_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_9_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_10 0x6a8u
#define TMU_BRING_UP_BINDING_10_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_10_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_11 0x6acu
#define TMU_BRING_UP_BINDING_11_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_11_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_12 0x6b0u
#define TMU_BRING_UP_BINDING_12_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_12_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_13 0x6b4u
#define TMU_BRING_UP_BINDING_13_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_13_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_14 0x6b8u
#define TMU_BRING_UP_BINDING_14_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_14_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_15 0x6bcu
#define TMU_BRING_UP_BINDING_15_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_15_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_16 0x6c0u
#define TMU_BRING_UP_BINDING_16_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_16_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_17 0x6c4u
#define TMU_BRING_UP_BINDING_17_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_17_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_18 0x6c8u
#define TMU_BRING_UP_BINDING_18_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_18_BITS_MASK 0xffffffffu

/* Word of the binding that the kit sends, the lowest bits first. */
#define TMU_BRING_UP_BINDING_19 0x6ccu
#define TMU_BRING_UP_BINDING_19_BITS_SHIFT 0u
#define TMU_BRING_UP_BINDING_19_BITS_MASK 0xffffffffu

/* Commands; reads 0. While busy writes to this register and to all that follow but read-only ones are refused. */
#define TMU_STORE_CONTROL 0x700u
#define TMU_STORE_CONTROL_SEND_SHIFT 0u
#define TMU_STORE_CONTROL_SEND_MASK 0x00000001u

/* What the port does. */
#define TMU_STORE_STATUS 0x704u
#define TMU_STORE_STATUS_BUSY_SHIFT 0u
#define TMU_STORE_STATUS_BUSY_MASK 0x00000001u

/* Units whose stores are written, one after the other. */
#define TMU_STORE_UNITS 0x708u
#define TMU_STORE_UNITS_UNITS_SHIFT 0u
#define TMU_STORE_UNITS_UNITS_MASK 0x0000ffffu

/* The entry that is written, or the first one that is loaded. */
#define TMU_STORE_ENTRY 0x70cu
#define TMU_STORE_ENTRY_NUMBER_SHIFT 0u
#define TMU_STORE_ENTRY_NUMBER_MASK 0x0000007fu

/* How many entries are loaded, from `STORE_ENTRY` up. */
#define TMU_STORE_COUNT 0x710u
#define TMU_STORE_COUNT_ENTRIES_SHIFT 0u
#define TMU_STORE_COUNT_ENTRIES_MASK 0x000000ffu

/* Where the table is: entry n stands 80 n bytes behind. */
#define TMU_STORE_TABLE 0x714u
#define TMU_STORE_TABLE_ADDRESS_SHIFT 4u
#define TMU_STORE_TABLE_ADDRESS_MASK 0x7ffffff0u

/* Commands; reads 0. */
#define TMU_STORE_LOAD 0x718u
#define TMU_STORE_LOAD_LOAD_SHIFT 0u
#define TMU_STORE_LOAD_LOAD_MASK 0x00000001u

/* What has come of loading since it was begun. */
#define TMU_STORE_LOADED 0x71cu
#define TMU_STORE_LOADED_FAILED_SHIFT 0u
#define TMU_STORE_LOADED_FAILED_MASK 0x00000001u
#define TMU_STORE_LOADED_ENTRY_SHIFT 8u
#define TMU_STORE_LOADED_ENTRY_MASK 0x00007f00u

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_0 0x780u
#define TMU_STORE_BINDING_0_BITS_SHIFT 0u
#define TMU_STORE_BINDING_0_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_1 0x784u
#define TMU_STORE_BINDING_1_BITS_SHIFT 0u
#define TMU_STORE_BINDING_1_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_2 0x788u
#define TMU_STORE_BINDING_2_BITS_SHIFT 0u
#define TMU_STORE_BINDING_2_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_3 0x78cu
#define TMU_STORE_BINDING_3_BITS_SHIFT 0u
#define TMU_STORE_BINDING_3_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_4 0x790u
#define TMU_STORE_BINDING_4_BITS_SHIFT 0u
#define TMU_STORE_BINDING_4_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_5 0x794u
#define TMU_STORE_BINDING_5_BITS_SHIFT 0u
#define TMU_STORE_BINDING_5_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_6 0x798u
#define TMU_STORE_BINDING_6_BITS_SHIFT 0u
#define TMU_STORE_BINDING_6_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_7 0x79cu
#define TMU_STORE_BINDING_7_BITS_SHIFT 0u
#define TMU_STORE_BINDING_7_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_8 0x7a0u
#define TMU_STORE_BINDING_8_BITS_SHIFT 0u
#define TMU_STORE_BINDING_8_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_9 0x7a4u
#define TMU_STORE_BINDING_9_BITS_SHIFT 0u
#define TMU_STORE_BINDING_9_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_10 0x7a8u
#define TMU_STORE_BINDING_10_BITS_SHIFT 0u
#define TMU_STORE_BINDING_10_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_11 0x7acu
#define TMU_STORE_BINDING_11_BITS_SHIFT 0u
#define TMU_STORE_BINDING_11_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_12 0x7b0u
#define TMU_STORE_BINDING_12_BITS_SHIFT 0u
#define TMU_STORE_BINDING_12_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_13 0x7b4u
#define TMU_STORE_BINDING_13_BITS_SHIFT 0u
#define TMU_STORE_BINDING_13_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_14 0x7b8u
#define TMU_STORE_BINDING_14_BITS_SHIFT 0u
#define TMU_STORE_BINDING_14_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_15 0x7bcu
#define TMU_STORE_BINDING_15_BITS_SHIFT 0u
#define TMU_STORE_BINDING_15_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_16 0x7c0u
#define TMU_STORE_BINDING_16_BITS_SHIFT 0u
#define TMU_STORE_BINDING_16_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_17 0x7c4u
#define TMU_STORE_BINDING_17_BITS_SHIFT 0u
#define TMU_STORE_BINDING_17_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_18 0x7c8u
#define TMU_STORE_BINDING_18_BITS_SHIFT 0u
#define TMU_STORE_BINDING_18_BITS_MASK 0xffffffffu

/* Word of the binding, the lowest bits first. Refused while busy. After loading the last entry that was read. */
#define TMU_STORE_BINDING_19 0x7ccu
#define TMU_STORE_BINDING_19_BITS_SHIFT 0u
#define TMU_STORE_BINDING_19_BITS_MASK 0xffffffffu

/* What TMU_ID reads. */
#define TMU_ID_VALUE 0x544d5547u

/* Most units of a core; the counters of unit n start at TMU_UNIT_BASE + n * TMU_UNIT_STRIDE. */
#define TMU_MAX_UNITS 16u
#define TMU_UNIT_BASE 0x100u
#define TMU_UNIT_STRIDE 0x040u

/* Quads answered, no-ops and failed ones included. */
#define TMU_UNIT_QUADS 0x000u

/* Valid pixels of the quads answered. */
#define TMU_UNIT_VALID_PIXELS 0x004u

/* Lines asked of the cache: LINE_REPEATS + HITS + MISSES. */
#define TMU_UNIT_LINE_LOOKUPS 0x008u

/* Lookups of the line that was asked for just before. */
#define TMU_UNIT_LINE_REPEATS 0x00cu

/* Other lookups of lines that the cache held. */
#define TMU_UNIT_HITS 0x010u

/* Lookups that read memory. */
#define TMU_UNIT_MISSES 0x014u

/* Transfers from memory, those of colour tables included. */
#define TMU_UNIT_MEMORY_BEATS 0x018u

/* Clocks of `tmu_aclk` spent waiting for memory. */
#define TMU_UNIT_STALL_CYCLES 0x01cu

/* Request packets of the wrong length, dropped. */
#define TMU_UNIT_DROPPED_PACKETS 0x020u

/* Fields of a binding: the word of 32 bits that has them, counted from 0, and where they stand in it. */
#define TMU_BINDING_BEATS 1u
#define TMU_BINDING_WORDS_PER_BEAT 4u

/* Most bytes of a beat of requests. */
#define TMU_BEAT_BYTES 97u

/* byte address of the texture in the texture window, a multiple of 16 */
#define TMU_BINDING_BASE_WORD 0u
#define TMU_BINDING_BASE_SHIFT 0u
#define TMU_BINDING_BASE_MASK 0x7fffffffu

/* log2 of the width in texels */
#define TMU_BINDING_WIDTH_LOG2_WORD 1u
#define TMU_BINDING_WIDTH_LOG2_SHIFT 0u
#define TMU_BINDING_WIDTH_LOG2_MASK 0x0000000fu

/* log2 of the height in texels */
#define TMU_BINDING_HEIGHT_LOG2_WORD 1u
#define TMU_BINDING_HEIGHT_LOG2_SHIFT 4u
#define TMU_BINDING_HEIGHT_LOG2_MASK 0x000000f0u

/* number of the smallest level that may be sampled */
#define TMU_BINDING_MAX_LOD_WORD 1u
#define TMU_BINDING_MAX_LOD_SHIFT 8u
#define TMU_BINDING_MAX_LOD_MASK 0x00000f00u

/* code of the format */
#define TMU_BINDING_FORMAT_WORD 1u
#define TMU_BINDING_FORMAT_SHIFT 12u
#define TMU_BINDING_FORMAT_MASK 0x000ff000u

/* 1: four weighted taps a pixel; 0: the nearest texel */
#define TMU_BINDING_BILINEAR_WORD 1u
#define TMU_BINDING_BILINEAR_SHIFT 20u
#define TMU_BINDING_BILINEAR_MASK 0x00100000u

/* 1: the level follows the footprint; 0: level 0 */
#define TMU_BINDING_MIPMAPPED_WORD 1u
#define TMU_BINDING_MIPMAPPED_SHIFT 21u
#define TMU_BINDING_MIPMAPPED_MASK 0x00200000u

/* address mode of u: 0 wrap, 1 clamp, 2 mirror */
#define TMU_BINDING_ADDRESS_U_WORD 1u
#define TMU_BINDING_ADDRESS_U_SHIFT 24u
#define TMU_BINDING_ADDRESS_U_MASK 0x03000000u

/* address mode of v */
#define TMU_BINDING_ADDRESS_V_WORD 1u
#define TMU_BINDING_ADDRESS_V_SHIFT 26u
#define TMU_BINDING_ADDRESS_V_MASK 0x0c000000u

/* 1: the cache drops what it holds first, since memory has changed */
#define TMU_BINDING_DROP_CACHE_WORD 1u
#define TMU_BINDING_DROP_CACHE_SHIFT 30u
#define TMU_BINDING_DROP_CACHE_MASK 0x40000000u

/* Formats of texels; the codes between are reserved. */
enum tmu_format {
  TMU_RGBA8 = 0, /* R, G, B, A at rising addresses, 4 bytes. */
  TMU_RGB8 = 1, /* R, G, B packed, 3 bytes; alpha is 255. Some texels lie across two lines. */
  TMU_I8_RGBA8 = 2, /* 8-bit index into 256 colours of 4 bytes. */
  TMU_I8_RGB8 = 3, /* 8-bit index into 256 colours of 3 bytes; alpha is 255. */
  TMU_R8 = 4, /* R, 1 byte. */
  TMU_RG8 = 5, /* R, G, 2 bytes. */
  TMU_RGB565 = 6, /* R in bits 15:11, G in 10:5, B in 4:0 of 2 bytes; alpha is 255. */
  TMU_RGBA5551 = 7, /* R in bits 15:11, G in 10:6, B in 5:1, A in bit 0 of 2 bytes. */
  TMU_RGBA4444 = 8, /* R in bits 15:12, G in 11:8, B in 7:4, A in 3:0 of 2 bytes. */
  TMU_RGB10A2 = 9, /* R, G, B of 10 bits from the lowest up, A of 2 bits, 4 bytes. */
  TMU_R16 = 10, /* R of 16 bits. */
  TMU_RG16 = 11, /* R, G of 16 bits. */
  TMU_RGBA16 = 12, /* R, G, B, A of 16 bits. */
  TMU_BC1 = 13, /* Blocks of 8 bytes: two colours of 565 and what lies between; one bit of alpha (S3TC DXT1). */
  TMU_BC2 = 14, /* Blocks of 16 bytes: colours as BC1, alpha of 4 bits (DXT3). */
  TMU_BC3 = 15, /* Blocks of 16 bytes: colours as BC1, interpolated alpha (DXT5). */
  TMU_BC4 = 16, /* Blocks of 8 bytes: interpolated R (RGTC1). */
  TMU_BC5 = 17, /* Blocks of 16 bytes: interpolated R and G (RGTC2). */
  TMU_ETC2_RGB8 = 18, /* Blocks of 8 bytes: ETC2 colours. */
  TMU_ETC2_RGB8A1 = 19, /* Blocks of 8 bytes: ETC2 colours, some of them transparent black. */
  TMU_ETC2_RGBA8 = 20, /* Blocks of 16 bytes: ETC2 colours, EAC alpha. */
  TMU_EAC_R11 = 21, /* Blocks of 8 bytes: R of 11 bits. */
  TMU_EAC_RG11 = 22, /* Blocks of 16 bytes: R and G of 11 bits. */
  TMU_BC7 = 23, /* Blocks of 16 bytes: BPTC colours with alpha. */
  TMU_D16 = 32, /* Depth of 16 bits. */
  TMU_D24 = 33, /* Depth of 24 bits, the lowest of 4 bytes. */
  TMU_D32F = 34, /* Depth as an IEEE single. */
  TMU_R32F = 40, /* R as an IEEE single. */
  TMU_RG32F = 41, /* R, G as IEEE singles. */
  TMU_RGBA32F = 42, /* R, G, B, A as IEEE singles. */
  TMU_R16F = 43, /* R as an IEEE half. */
  TMU_RG16F = 44, /* R, G as IEEE halves. */
  TMU_RGBA16F = 45, /* R, G, B, A as IEEE halves. */
  TMU_LAST_FORMAT = 45
};

/* Bytes of a tile of 4 x 4 texels and of the colour table by the format's code; 0 for a reserved one. */
#define TMU_FORMAT_TILE_BYTES {64, 48, 16, 16, 16, 32, 32, 32, 32, 64, 32, 64, 128, 8, 16, 16, 8, 16, 8, 8, 16, 8, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0, 32, 64, 64, 0, 0, 0, 0, 0, 64, 128, 256, 32, 64, 128}
#define TMU_FORMAT_TABLE_BYTES {0, 0, 1024, 768, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/* Formats with a property: bit n for the format of code n. */
/* Texels stand in compressed blocks. */
#define TMU_FORMATS_BLOCK 0x000000ffe000ull
/* Texels are depths. */
#define TMU_FORMATS_DEPTH 0x000700000000ull
/* Texels are floats. */
#define TMU_FORMATS_FLOAT 0x3f0400000000ull
/* Colours may be sRGB-coded. */
#define TMU_FORMATS_SRGB 0x0000009ce00full
/* Texels may be places of an indirect look-up. */
#define TMU_FORMATS_PLACES 0x000000001c33ull
/* They have G. */
#define TMU_FORMATS_GREEN 0x000000001823ull
/* They have B. */
#define TMU_FORMATS_BLUE 0x000000001003ull
/* They have A. */
#define TMU_FORMATS_ALPHA 0x000000001001ull

/* What lies outside the texture. Cores of the classic numerics have the first three at most. */
enum tmu_address_mode {
  TMU_WRAP = 0,
  TMU_CLAMP = 1,
  TMU_MIRROR = 2,
  TMU_BORDER = 3,
  TMU_MIRROR_ONCE = 4
};

#endif
