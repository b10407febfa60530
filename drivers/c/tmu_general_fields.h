/* Fields and codes of bindings and quads of the general numerics, the same for every core.
 * Made from the generator's tables: UPDATE_DRIVERS=1 cargo test -p tmu-package writes it anew. */
#ifndef TMU_GENERAL_FIELDS_H
#define TMU_GENERAL_FIELDS_H

/* How many axes a texture has, and what its slices are. */
enum tmu_kind {
  TMU_KIND_1D = 0,
  TMU_KIND_2D = 1,
  TMU_KIND_3D = 2,
  TMU_KIND_CUBE = 3,
  TMU_KIND_2D_ARRAY = 4
};

/* What a channel of a result shows. */
enum tmu_component {
  TMU_COMPONENT_R = 0,
  TMU_COMPONENT_G = 1,
  TMU_COMPONENT_B = 2,
  TMU_COMPONENT_A = 3,
  TMU_COMPONENT_0 = 4,
  TMU_COMPONENT_1 = 5
};

/* How many texels of a level a sample takes. */
enum tmu_filter {
  TMU_FILTER_NEAREST = 0,
  TMU_FILTER_LINEAR = 1
};

/* Which levels a sample takes. */
enum tmu_mip_filter {
  TMU_MIP_NONE = 0,
  TMU_MIP_NEAREST = 1,
  TMU_MIP_LINEAR = 2,
  TMU_MIP_RIPMAP = 3
};

/* How a reference is compared with a depth: true where `reference op depth` holds. */
enum tmu_compare_op {
  TMU_COMPARE_NEVER = 0,
  TMU_COMPARE_LESS = 1,
  TMU_COMPARE_EQUAL = 2,
  TMU_COMPARE_LEQUAL = 3,
  TMU_COMPARE_GREATER = 4,
  TMU_COMPARE_NOTEQUAL = 5,
  TMU_COMPARE_GEQUAL = 6,
  TMU_COMPARE_ALWAYS = 7
};

/* What is done with the pixels of a quad. */
enum tmu_operation {
  TMU_OPERATION_SAMPLE = 0,
  TMU_OPERATION_LOD = 1,
  TMU_OPERATION_BIAS = 2,
  TMU_OPERATION_FETCH = 3,
  TMU_OPERATION_GATHER = 4
};

/* How coordinates are given. */
enum tmu_numbers {
  TMU_NUMBERS_S16P16 = 0,
  TMU_NUMBERS_FP32 = 1
};

/* How channels of a result are given. */
enum tmu_result_numbers {
  TMU_RESULT_UNORM8 = 0,
  TMU_RESULT_UNORM16 = 1,
  TMU_RESULT_FP32 = 2
};

/* What becomes of a pixel's values in an indirect look-up. */
enum tmu_aggregate {
  TMU_AGGREGATE_NONE = 0,
  TMU_AGGREGATE_SUM = 1,
  TMU_AGGREGATE_PRODUCT = 2,
  TMU_AGGREGATE_AVERAGE = 3,
  TMU_AGGREGATE_MIN = 4,
  TMU_AGGREGATE_MAX = 5
};

/* Longest side of a texture in texels. */
#define TMU_MAX_SIZE 4096u

/* Most layers of an array. */
#define TMU_MAX_LAYERS 2048u

/* Most levels of a texture. */
#define TMU_MAX_LEVELS 13u

/* Steps of a level of detail between two levels. */
#define TMU_LOD_STEPS 256

/* Farthest level of detail on either side of 0. */
#define TMU_MAX_LOD 8192

/* Most beats of a quad. */
#define TMU_QUAD_BEATS 6u

/* Lowest bit of the operation in its beat. */
#define TMU_OPERATION_SHIFT 32u

/* Lowest bit of the component in the same beat. */
#define TMU_COMPONENT_SHIFT 40u

/* The code of indirect look-ups among operations. */
#define TMU_INDIRECT_OPERATION 5u

/* Lowest bit of their set-up in the same beat. */
#define TMU_SETUP_SHIFT 64u

/* Most values of a pixel. */
#define TMU_MAX_VALUES 4u

/* Fields of a binding: the word of 32 bits that has them, counted from 0, and where they stand in it. */
#define TMU_GENERAL_BEATS 5u
#define TMU_GENERAL_WORDS_PER_BEAT 4u

/* byte address of the texture in the texture window, a multiple of 16 */
#define TMU_GENERAL_BASE_WORD 0u
#define TMU_GENERAL_BASE_SHIFT 0u
#define TMU_GENERAL_BASE_MASK 0x7fffffffu

/* code of the format */
#define TMU_GENERAL_FORMAT_WORD 1u
#define TMU_GENERAL_FORMAT_SHIFT 12u
#define TMU_GENERAL_FORMAT_MASK 0x000ff000u

/* 1: the cache drops what it holds first, since memory has changed */
#define TMU_GENERAL_DROP_CACHE_WORD 1u
#define TMU_GENERAL_DROP_CACHE_SHIFT 30u
#define TMU_GENERAL_DROP_CACHE_MASK 0x40000000u

/* width in texels, less one */
#define TMU_GENERAL_WIDTH_WORD 2u
#define TMU_GENERAL_WIDTH_SHIFT 0u
#define TMU_GENERAL_WIDTH_MASK 0x00000fffu

/* height in texels, less one */
#define TMU_GENERAL_HEIGHT_WORD 2u
#define TMU_GENERAL_HEIGHT_SHIFT 12u
#define TMU_GENERAL_HEIGHT_MASK 0x00fff000u

/* levels, less one */
#define TMU_GENERAL_LEVELS_WORD 2u
#define TMU_GENERAL_LEVELS_SHIFT 24u
#define TMU_GENERAL_LEVELS_MASK 0x0f000000u

/* code of the kind: 0 1d, 1 2d, 2 3d, 3 cube, 4 2d_array */
#define TMU_GENERAL_KIND_WORD 2u
#define TMU_GENERAL_KIND_SHIFT 28u
#define TMU_GENERAL_KIND_MASK 0x70000000u

/* slices of a volume or layers of an array, less one */
#define TMU_GENERAL_DEPTH_WORD 3u
#define TMU_GENERAL_DEPTH_SHIFT 0u
#define TMU_GENERAL_DEPTH_MASK 0x00000fffu

/* what R shows: 0 to 3 R, G, B, A of the texel, 4 zero, 5 all ones */
#define TMU_GENERAL_SWIZZLE_R_WORD 3u
#define TMU_GENERAL_SWIZZLE_R_SHIFT 12u
#define TMU_GENERAL_SWIZZLE_R_MASK 0x00007000u

/* what G shows */
#define TMU_GENERAL_SWIZZLE_G_WORD 3u
#define TMU_GENERAL_SWIZZLE_G_SHIFT 15u
#define TMU_GENERAL_SWIZZLE_G_MASK 0x00038000u

/* what B shows */
#define TMU_GENERAL_SWIZZLE_B_WORD 3u
#define TMU_GENERAL_SWIZZLE_B_SHIFT 18u
#define TMU_GENERAL_SWIZZLE_B_MASK 0x001c0000u

/* what A shows */
#define TMU_GENERAL_SWIZZLE_A_WORD 3u
#define TMU_GENERAL_SWIZZLE_A_SHIFT 21u
#define TMU_GENERAL_SWIZZLE_A_MASK 0x00e00000u

/* 1: colours are sRGB-coded */
#define TMU_GENERAL_SRGB_WORD 3u
#define TMU_GENERAL_SRGB_SHIFT 24u
#define TMU_GENERAL_SRGB_MASK 0x01000000u

/* 1: footprints of a cube go on across edges */
#define TMU_GENERAL_SEAMLESS_WORD 3u
#define TMU_GENERAL_SEAMLESS_SHIFT 25u
#define TMU_GENERAL_SEAMLESS_MASK 0x02000000u

/* 1: depths are compared */
#define TMU_GENERAL_COMPARES_WORD 3u
#define TMU_GENERAL_COMPARES_SHIFT 26u
#define TMU_GENERAL_COMPARES_MASK 0x04000000u

/* 0 never, 1 less, 2 equal, 3 lequal, 4 greater, 5 notequal, 6 gequal, 7 always */
#define TMU_GENERAL_COMPARE_WORD 3u
#define TMU_GENERAL_COMPARE_SHIFT 27u
#define TMU_GENERAL_COMPARE_MASK 0x38000000u

/* address mode of u: 0 wrap, 1 clamp, 2 mirror, 3 border, 4 mirror_once */
#define TMU_GENERAL_ADDRESS_U_WORD 4u
#define TMU_GENERAL_ADDRESS_U_SHIFT 0u
#define TMU_GENERAL_ADDRESS_U_MASK 0x00000007u

/* address mode of v */
#define TMU_GENERAL_ADDRESS_V_WORD 4u
#define TMU_GENERAL_ADDRESS_V_SHIFT 3u
#define TMU_GENERAL_ADDRESS_V_MASK 0x00000038u

/* address mode of w */
#define TMU_GENERAL_ADDRESS_W_WORD 4u
#define TMU_GENERAL_ADDRESS_W_SHIFT 6u
#define TMU_GENERAL_ADDRESS_W_MASK 0x000001c0u

/* filter where a texel covers less than a pixel: 0 nearest, 1 linear */
#define TMU_GENERAL_MIN_WORD 4u
#define TMU_GENERAL_MIN_SHIFT 9u
#define TMU_GENERAL_MIN_MASK 0x00000200u

/* filter where a texel covers more than a pixel */
#define TMU_GENERAL_MAG_WORD 4u
#define TMU_GENERAL_MAG_SHIFT 10u
#define TMU_GENERAL_MAG_MASK 0x00000400u

/* filter of levels: 0 none, 1 nearest, 2 linear, 3 the nearest along each axis of a ripmap */
#define TMU_GENERAL_MIP_WORD 4u
#define TMU_GENERAL_MIP_SHIFT 11u
#define TMU_GENERAL_MIP_MASK 0x00001800u

/* log2 of the most probes of a footprint: 0 to 4 */
#define TMU_GENERAL_ANISOTROPY_LOG2_WORD 4u
#define TMU_GENERAL_ANISOTROPY_LOG2_SHIFT 13u
#define TMU_GENERAL_ANISOTROPY_LOG2_MASK 0x0000e000u

/* added to the level of detail, signed, in 1/256 of a level */
#define TMU_GENERAL_LOD_BIAS_WORD 4u
#define TMU_GENERAL_LOD_BIAS_SHIFT 16u
#define TMU_GENERAL_LOD_BIAS_MASK 0xffff0000u

/* least level of detail, signed, in 1/256 of a level */
#define TMU_GENERAL_MIN_LOD_WORD 5u
#define TMU_GENERAL_MIN_LOD_SHIFT 0u
#define TMU_GENERAL_MIN_LOD_MASK 0x0000ffffu

/* most level of detail, signed, in 1/256 of a level */
#define TMU_GENERAL_MAX_LOD_WORD 5u
#define TMU_GENERAL_MAX_LOD_SHIFT 16u
#define TMU_GENERAL_MAX_LOD_MASK 0xffff0000u

/* colour around the texture, R lowest */
#define TMU_GENERAL_BORDER_WORD 6u
#define TMU_GENERAL_BORDER_SHIFT 0u
#define TMU_GENERAL_BORDER_MASK 0xffffffffu

/* byte offset of the level from the base, a multiple of 16; means nothing beyond the last level */
#define TMU_GENERAL_LEVEL_0_WORD 7u
#define TMU_GENERAL_LEVEL_0_SHIFT 0u
#define TMU_GENERAL_LEVEL_0_MASK 0x7fffffffu

/* byte offset of the level from the base, a multiple of 16; means nothing beyond the last level */
#define TMU_GENERAL_LEVEL_1_WORD 8u
#define TMU_GENERAL_LEVEL_1_SHIFT 0u
#define TMU_GENERAL_LEVEL_1_MASK 0x7fffffffu

/* byte offset of the level from the base, a multiple of 16; means nothing beyond the last level */
#define TMU_GENERAL_LEVEL_2_WORD 9u
#define TMU_GENERAL_LEVEL_2_SHIFT 0u
#define TMU_GENERAL_LEVEL_2_MASK 0x7fffffffu

/* byte offset of the level from the base, a multiple of 16; means nothing beyond the last level */
#define TMU_GENERAL_LEVEL_3_WORD 10u
#define TMU_GENERAL_LEVEL_3_SHIFT 0u
#define TMU_GENERAL_LEVEL_3_MASK 0x7fffffffu

/* byte offset of the level from the base, a multiple of 16; means nothing beyond the last level */
#define TMU_GENERAL_LEVEL_4_WORD 11u
#define TMU_GENERAL_LEVEL_4_SHIFT 0u
#define TMU_GENERAL_LEVEL_4_MASK 0x7fffffffu

/* byte offset of the level from the base, a multiple of 16; means nothing beyond the last level */
#define TMU_GENERAL_LEVEL_5_WORD 12u
#define TMU_GENERAL_LEVEL_5_SHIFT 0u
#define TMU_GENERAL_LEVEL_5_MASK 0x7fffffffu

/* byte offset of the level from the base, a multiple of 16; means nothing beyond the last level */
#define TMU_GENERAL_LEVEL_6_WORD 13u
#define TMU_GENERAL_LEVEL_6_SHIFT 0u
#define TMU_GENERAL_LEVEL_6_MASK 0x7fffffffu

/* byte offset of the level from the base, a multiple of 16; means nothing beyond the last level */
#define TMU_GENERAL_LEVEL_7_WORD 14u
#define TMU_GENERAL_LEVEL_7_SHIFT 0u
#define TMU_GENERAL_LEVEL_7_MASK 0x7fffffffu

/* byte offset of the level from the base, a multiple of 16; means nothing beyond the last level */
#define TMU_GENERAL_LEVEL_8_WORD 15u
#define TMU_GENERAL_LEVEL_8_SHIFT 0u
#define TMU_GENERAL_LEVEL_8_MASK 0x7fffffffu

/* byte offset of the level from the base, a multiple of 16; means nothing beyond the last level */
#define TMU_GENERAL_LEVEL_9_WORD 16u
#define TMU_GENERAL_LEVEL_9_SHIFT 0u
#define TMU_GENERAL_LEVEL_9_MASK 0x7fffffffu

/* byte offset of the level from the base, a multiple of 16; means nothing beyond the last level */
#define TMU_GENERAL_LEVEL_10_WORD 17u
#define TMU_GENERAL_LEVEL_10_SHIFT 0u
#define TMU_GENERAL_LEVEL_10_MASK 0x7fffffffu

/* byte offset of the level from the base, a multiple of 16; means nothing beyond the last level */
#define TMU_GENERAL_LEVEL_11_WORD 18u
#define TMU_GENERAL_LEVEL_11_SHIFT 0u
#define TMU_GENERAL_LEVEL_11_MASK 0x7fffffffu

/* byte offset of the level from the base, a multiple of 16; means nothing beyond the last level */
#define TMU_GENERAL_LEVEL_12_WORD 19u
#define TMU_GENERAL_LEVEL_12_SHIFT 0u
#define TMU_GENERAL_LEVEL_12_MASK 0x7fffffffu

/* 1: the binding is that of the secondary texture; with indirect look-ups only */
#define TMU_GENERAL_SECONDARY_WORD 1u
#define TMU_GENERAL_SECONDARY_SHIFT 31u
#define TMU_GENERAL_SECONDARY_MASK 0x80000000u

/* number of an entry of the parameter store */
#define TMU_GENERAL_ENTRY_WORD 1u
#define TMU_GENERAL_ENTRY_SHIFT 0u
#define TMU_GENERAL_ENTRY_MASK 0x0000007fu

/* 1: the binding is kept in the entry, at the target of its kind, and what is bound stays */
#define TMU_GENERAL_STORES_WORD 1u
#define TMU_GENERAL_STORES_SHIFT 7u
#define TMU_GENERAL_STORES_MASK 0x00000080u

/* targets of the entry that are enabled: bit 0 1d, 1 2d, 2 3d, 3 cube */
#define TMU_GENERAL_ENABLES_WORD 1u
#define TMU_GENERAL_ENABLES_SHIFT 8u
#define TMU_GENERAL_ENABLES_MASK 0x00000f00u

/* 1: the entry's enables become these; 0: they stay */
#define TMU_GENERAL_SETS_ENABLES_WORD 1u
#define TMU_GENERAL_SETS_ENABLES_SHIFT 20u
#define TMU_GENERAL_SETS_ENABLES_MASK 0x00100000u

/* Fields of the set-up of an indirect look-up, a word of 64 bits. */

/* 0 none, 1 sum, 2 product, 3 average, 4 min, 5 max */
#define TMU_SETUP_OPERATION_WORD 0u
#define TMU_SETUP_OPERATION_SHIFT 0u
#define TMU_SETUP_OPERATION_MASK 0x00000007u

/* values of a pixel, less one */
#define TMU_SETUP_VALUES_WORD 0u
#define TMU_SETUP_VALUES_SHIFT 3u
#define TMU_SETUP_VALUES_MASK 0x00000018u

/* component that is the first coordinate: 0 to 3 for R, G, B, A */
#define TMU_SETUP_U_FIELD_WORD 0u
#define TMU_SETUP_U_FIELD_SHIFT 5u
#define TMU_SETUP_U_FIELD_MASK 0x00000060u

/* component that is the second coordinate */
#define TMU_SETUP_V_FIELD_WORD 0u
#define TMU_SETUP_V_FIELD_SHIFT 7u
#define TMU_SETUP_V_FIELD_MASK 0x00000180u

/* texels between values along u, signed */
#define TMU_SETUP_OFFSET_U_WORD 1u
#define TMU_SETUP_OFFSET_U_SHIFT 0u
#define TMU_SETUP_OFFSET_U_MASK 0x0000ffffu

/* texels between values along v, signed */
#define TMU_SETUP_OFFSET_V_WORD 1u
#define TMU_SETUP_OFFSET_V_SHIFT 16u
#define TMU_SETUP_OFFSET_V_MASK 0xffff0000u

/* What the units were built to do: the word NAME_BUILT of a core's header. */

/* bit n: textures of the kind of code n are sampled */
#define TMU_BUILT_KINDS_WORD 0u
#define TMU_BUILT_KINDS_SHIFT 0u
#define TMU_BUILT_KINDS_MASK 0x0000001fu

/* bit n: a request may ask for the operation of code n */
#define TMU_BUILT_OPERATIONS_WORD 0u
#define TMU_BUILT_OPERATIONS_SHIFT 5u
#define TMU_BUILT_OPERATIONS_MASK 0x000003e0u

/* bit n: the address mode of code n is built */
#define TMU_BUILT_ADDRESS_MODES_WORD 0u
#define TMU_BUILT_ADDRESS_MODES_SHIFT 10u
#define TMU_BUILT_ADDRESS_MODES_MASK 0x00007c00u

/* sides need not be powers of two */
#define TMU_BUILT_ANY_SIZE_WORD 0u
#define TMU_BUILT_ANY_SIZE_SHIFT 15u
#define TMU_BUILT_ANY_SIZE_MASK 0x00008000u

/* two levels are weighted */
#define TMU_BUILT_TRILINEAR_WORD 0u
#define TMU_BUILT_TRILINEAR_SHIFT 16u
#define TMU_BUILT_TRILINEAR_MASK 0x00010000u

/* log2 of the most probes of a footprint */
#define TMU_BUILT_ANISOTROPY_LOG2_WORD 0u
#define TMU_BUILT_ANISOTROPY_LOG2_SHIFT 17u
#define TMU_BUILT_ANISOTROPY_LOG2_MASK 0x000e0000u

/* depths are compared */
#define TMU_BUILT_COMPARE_WORD 0u
#define TMU_BUILT_COMPARE_SHIFT 20u
#define TMU_BUILT_COMPARE_MASK 0x00100000u

/* sRGB-coded colours are decoded */
#define TMU_BUILT_SRGB_WORD 0u
#define TMU_BUILT_SRGB_SHIFT 21u
#define TMU_BUILT_SRGB_MASK 0x00200000u

/* channels of a result show any component */
#define TMU_BUILT_SWIZZLE_WORD 0u
#define TMU_BUILT_SWIZZLE_SHIFT 22u
#define TMU_BUILT_SWIZZLE_MASK 0x00400000u

/* form of coordinates: 0 s16.16, 1 fp32 */
#define TMU_BUILT_NUMBERS_WORD 0u
#define TMU_BUILT_NUMBERS_SHIFT 23u
#define TMU_BUILT_NUMBERS_MASK 0x00800000u

/* coordinates are divided by q */
#define TMU_BUILT_PROJECTIVE_WORD 0u
#define TMU_BUILT_PROJECTIVE_SHIFT 24u
#define TMU_BUILT_PROJECTIVE_MASK 0x01000000u

/* channels have 16 bits in the filter instead of 8 */
#define TMU_BUILT_WIDE_CHANNELS_WORD 0u
#define TMU_BUILT_WIDE_CHANNELS_SHIFT 25u
#define TMU_BUILT_WIDE_CHANNELS_MASK 0x02000000u

/* form of results: 0 unorm8, 1 unorm16, 2 fp32 */
#define TMU_BUILT_RESULT_WORD 0u
#define TMU_BUILT_RESULT_SHIFT 26u
#define TMU_BUILT_RESULT_MASK 0x0c000000u

/* indirect look-ups are built */
#define TMU_BUILT_INDIRECT_WORD 0u
#define TMU_BUILT_INDIRECT_SHIFT 28u
#define TMU_BUILT_INDIRECT_MASK 0x10000000u

/* entries of the parameter store: 0 none, 1 64 of them, 2 128 */
#define TMU_BUILT_STORE_WORD 0u
#define TMU_BUILT_STORE_SHIFT 29u
#define TMU_BUILT_STORE_MASK 0x60000000u

/* ripmaps are sampled */
#define TMU_BUILT_RIPMAPS_WORD 0u
#define TMU_BUILT_RIPMAPS_SHIFT 31u
#define TMU_BUILT_RIPMAPS_MASK 0x80000000u

#endif
