/* See tmu_general.h. */
#include "tmu_general.h"

#include "tmu_internal.h"

#define CUBE_FACES 6u
#define TILE_SIDE 4u
#define MOST_PROBES 16u
#define WINDOW_BYTES ((uint64_t)1 << 31)
#define FIXED_ONE 0x10000u
#define SINGLE_ONE 0x3f800000u
#define SET(record, name, value) TMU_SET(record, GENERAL_##name, value)
#define BUILT_FIELD(core, name) tmu_field((core)->built, TMU_BUILT_##name##_MASK, TMU_BUILT_##name##_SHIFT)
#define HAS_KIND(core, kind) (BUILT_FIELD(core, KINDS) >> (kind) & 1u)

static const uint16_t tile_bytes[] = TMU_FORMAT_TILE_BYTES;
static const uint16_t table_bytes[] = TMU_FORMAT_TABLE_BYTES;

int tmu_open_general(struct tmu *core, const struct tmu_bus *bus, uint32_t built) {
  int failed = tmu_open(core, bus);
  uint32_t modes = CAPABILITY(core, ADDRESS_MODES);
  uint32_t both = TMU_CAPABILITIES_ADDRESS_MODES_MASK >> TMU_CAPABILITIES_ADDRESS_MODES_SHIFT;
  if (failed) return failed;
  if (!CAPABILITY(core, GENERAL) || !built) return TMU_FAILED_BUILT;
  core->built = built;
  /* What both say must be the same. */
  if ((BUILT_FIELD(core, ADDRESS_MODES) & both) != modes) {
    core->built = 0;
    return TMU_FAILED_BUILT;
  }
  return TMU_OK;
}

void tmu_default_sampler(struct tmu_sampler *sampler) {
  uint32_t i;
  sampler->min = sampler->mag = TMU_FILTER_NEAREST;
  sampler->mip = TMU_MIP_NONE;
  sampler->lod_bias = 0;
  sampler->min_lod = -TMU_MAX_LOD;
  sampler->max_lod = TMU_MAX_LOD;
  sampler->max_anisotropy = 1;
  sampler->cube_seamless = 1;
  for (i = 0; i < 3; i++) sampler->address[i] = TMU_WRAP;
  for (i = 0; i < TMU_CHANNELS; i++) sampler->border[i] = 0;
  sampler->compares = 0;
  sampler->compare = TMU_COMPARE_NEVER;
}

static uint32_t halved(uint32_t size, uint32_t level) { return size >> level ? size >> level : 1u; }

static uint32_t log2_of(uint32_t value) {
  uint32_t log2 = 0;
  while (value >>= 1) log2++;
  return log2;
}

static int is_power_of_two(uint32_t value) { return value && !(value & (value - 1u)); }

uint32_t tmu_most_levels(const struct tmu_general_texture *texture) {
  uint32_t longest = texture->width > texture->height ? texture->width : texture->height;
  if (texture->kind == TMU_KIND_3D && texture->depth > longest) longest = texture->depth;
  return log2_of(longest) + 1u;
}

uint64_t tmu_level_bytes(const struct tmu_general_texture *texture, uint32_t level) {
  uint32_t width = halved(texture->width, level), height = halved(texture->height, level);
  uint32_t columns = (width + TILE_SIDE - 1u) / TILE_SIDE, rows = (height + TILE_SIDE - 1u) / TILE_SIDE, slices = 1;
  uint64_t slice;
  if (texture->kind == TMU_KIND_1D) {
    columns = (columns + TILE_SIDE - 1u) / TILE_SIDE;
    rows = 1;
  }
  if (texture->kind == TMU_KIND_3D) slices = halved(texture->depth, level);
  if (texture->kind == TMU_KIND_CUBE) slices = CUBE_FACES;
  if (texture->kind == TMU_KIND_2D_ARRAY) slices = texture->depth;
  slice = (uint64_t)(columns * rows) * tile_bytes[texture->format] + LINE_BYTES - 1u;
  return (slice & ~(uint64_t)(LINE_BYTES - 1u)) * slices;
}

void tmu_pack_levels(struct tmu_general_texture *texture) {
  uint64_t offset = table_bytes[texture->format];
  uint32_t level;
  for (level = 0; level < texture->levels && level < TMU_MAX_LEVELS; level++) {
    /* One that is cut off lies behind the window, which is refused. */
    texture->level_offsets[level] = offset >> 32 ? 0u - LINE_BYTES : (uint32_t)offset;
    offset += tmu_level_bytes(texture, level);
  }
}

/* A side that is filtered along. */
static int fits(const struct tmu *core, uint32_t side) {
  uint32_t most = 1u << CAPABILITY(core, MAX_SIZE_LOG2);
  if (!side || side > most || side > TMU_MAX_SIZE) return 0;
  return BUILT_FIELD(core, ANY_SIZE) || is_power_of_two(side);
}

static int has_right_size(const struct tmu *core, const struct tmu_general_texture *texture) {
  if (!fits(core, texture->width)) return 0;
  switch (texture->kind) {
    case TMU_KIND_1D: return texture->height == 1 && texture->depth == 1;
    case TMU_KIND_2D: return fits(core, texture->height) && texture->depth == 1;
    case TMU_KIND_3D: return fits(core, texture->height) && fits(core, texture->depth);
    case TMU_KIND_CUBE: return texture->height == texture->width && texture->depth == 1;
    default: return fits(core, texture->height) && texture->depth && texture->depth <= TMU_MAX_LAYERS;
  }
}

static int is_line(uint32_t byte) { return byte % LINE_BYTES == 0 && byte < WINDOW_BYTES; }

static int is_aligned(const struct tmu_general_texture *texture) {
  uint32_t level;
  if (!is_line(texture->base)) return 0;
  for (level = 0; level < texture->levels; level++) {
    uint32_t offset = texture->level_offsets[level];
    if (!is_line(offset) || offset < table_bytes[texture->format]) return 0;
  }
  return 1;
}

static int has_modes(const struct tmu *core, const struct tmu_general_texture *texture, const struct tmu_sampler *sampler) {
  /* By kind; cubes have no address mode. */
  static const uint8_t axes[] = {1, 2, 3, 0, 2};
  uint32_t axis;
  for (axis = 0; axis < axes[texture->kind]; axis++) {
    uint32_t mode = sampler->address[axis];
    if (mode > TMU_MIRROR_ONCE || !(BUILT_FIELD(core, ADDRESS_MODES) >> mode & 1u)) return 0;
  }
  return 1;
}

static int is_linear(const struct tmu_sampler *sampler) { return sampler->min || sampler->mag; }

static int has_filters(const struct tmu *core, const struct tmu_sampler *sampler) {
  if (sampler->min > TMU_FILTER_LINEAR || sampler->mag > TMU_FILTER_LINEAR || sampler->mip > TMU_MIP_RIPMAP) return 0;
  if (is_linear(sampler) && !CAPABILITY(core, BILINEAR)) return 0;
  if (sampler->mip != TMU_MIP_NONE && !CAPABILITY(core, MIPMAPS)) return 0;
  return sampler->mip != TMU_MIP_LINEAR || BUILT_FIELD(core, TRILINEAR);
}

static int is_ripmap(const struct tmu *core, const struct tmu_general_texture *texture, const struct tmu_sampler *sampler) {
  return BUILT_FIELD(core, RIPMAPS) && texture->kind == TMU_KIND_2D && texture->levels == 1 && texture->width > 1 &&
         texture->height > 1 && is_power_of_two(texture->width) && is_power_of_two(texture->height) && sampler->max_anisotropy == 1;
}

static int has_anisotropy(const struct tmu *core, uint32_t probes) {
  return is_power_of_two(probes) && probes <= MOST_PROBES && probes <= 1u << BUILT_FIELD(core, ANISOTROPY_LOG2);
}

static int has_swizzle(const struct tmu *core, const uint8_t *swizzle) {
  uint32_t i, is_plain = 1;
  for (i = 0; i < TMU_CHANNELS; i++) {
    if (swizzle[i] > TMU_COMPONENT_1) return 0;
    if (swizzle[i] != i) is_plain = 0;
  }
  return is_plain || BUILT_FIELD(core, SWIZZLE);
}

static int is_in_window(const struct tmu_general_texture *texture) {
  uint32_t level;
  for (level = 0; level < texture->levels; level++) {
    uint64_t start = (uint64_t)texture->base + texture->level_offsets[level];
    if (start + tmu_level_bytes(texture, level) > WINDOW_BYTES) return 0;
  }
  return 1;
}

int tmu_check_general(const struct tmu *core, const struct tmu_general_texture *texture, const struct tmu_sampler *sampler) {
  uint64_t format;
  int is_weighted = is_linear(sampler) || sampler->mip == TMU_MIP_LINEAR || sampler->max_anisotropy > 1;
  int has_srgb = BUILT_FIELD(core, SRGB) && BUILT_FIELD(core, WIDE_CHANNELS);
  if (!CAPABILITY(core, GENERAL)) return TMU_FAILED_NUMERICS;
  if (texture->kind > TMU_KIND_2D_ARRAY || !HAS_KIND(core, texture->kind)) return TMU_FAILED_KIND;
  if (!tmu_has_format(core, texture->format)) return TMU_FAILED_FORMAT;
  format = (uint64_t)1 << texture->format;
  if (!has_right_size(core, texture)) return TMU_FAILED_SIZE;
  if (!texture->levels || texture->levels > tmu_most_levels(texture)) return TMU_FAILED_LEVELS;
  if (!is_aligned(texture)) return TMU_FAILED_BASE;
  if (!has_modes(core, texture, sampler)) return TMU_FAILED_MODE;
  if (!has_filters(core, sampler)) return TMU_FAILED_FILTER;
  if (!has_anisotropy(core, sampler->max_anisotropy)) return TMU_FAILED_ANISOTROPY;
  if (sampler->mip == TMU_MIP_RIPMAP && !is_ripmap(core, texture, sampler)) return TMU_FAILED_RIPMAP;
  if (sampler->compares && (!BUILT_FIELD(core, COMPARE) || !(format & TMU_FORMATS_DEPTH))) return TMU_FAILED_COMPARE;
  if (sampler->compares && sampler->compare > TMU_COMPARE_ALWAYS) return TMU_FAILED_COMPARE;
  if (texture->srgb && (!has_srgb || !(format & TMU_FORMATS_SRGB))) return TMU_FAILED_SRGB;
  if (!has_swizzle(core, texture->swizzle)) return TMU_FAILED_SWIZZLE;
  if (format & TMU_FORMATS_FLOAT && !sampler->compares && is_weighted) return TMU_FAILED_FLOAT;
  if (sampler->min_lod > sampler->max_lod) return TMU_FAILED_LOD_ORDER;
  if (format & TMU_FORMATS_BLOCK && (texture->kind == TMU_KIND_1D || texture->kind == TMU_KIND_3D)) return TMU_FAILED_BLOCK;
  /* Only of a texture that there can be is it known where it ends. */
  return is_in_window(texture) ? TMU_OK : TMU_FAILED_WINDOW;
}

void tmu_general_words(const struct tmu_general_texture *texture, const struct tmu_sampler *sampler,
                       uint32_t words[TMU_GENERAL_WORDS]) {
  uint32_t i;
  for (i = 0; i < TMU_GENERAL_WORDS; i++) words[i] = 0;
  SET(words, BASE, texture->base);
  SET(words, FORMAT, texture->format);
  SET(words, DROP_CACHE, texture->drop_cache ? 1 : 0);
  SET(words, WIDTH, texture->width - 1);
  SET(words, HEIGHT, texture->height - 1);
  SET(words, LEVELS, texture->levels - 1);
  SET(words, KIND, texture->kind);
  SET(words, DEPTH, texture->depth - 1);
  SET(words, SWIZZLE_R, texture->swizzle[0]);
  SET(words, SWIZZLE_G, texture->swizzle[1]);
  SET(words, SWIZZLE_B, texture->swizzle[2]);
  SET(words, SWIZZLE_A, texture->swizzle[3]);
  SET(words, SRGB, texture->srgb ? 1 : 0);
  SET(words, SEAMLESS, sampler->cube_seamless ? 1 : 0);
  SET(words, COMPARES, sampler->compares ? 1 : 0);
  SET(words, COMPARE, sampler->compares ? sampler->compare : 0);
  SET(words, ADDRESS_U, sampler->address[0]);
  SET(words, ADDRESS_V, sampler->address[1]);
  SET(words, ADDRESS_W, sampler->address[2]);
  SET(words, MIN, sampler->min);
  SET(words, MAG, sampler->mag);
  SET(words, MIP, sampler->mip);
  SET(words, ANISOTROPY_LOG2, log2_of(sampler->max_anisotropy));
  SET(words, LOD_BIAS, sampler->lod_bias);
  SET(words, MIN_LOD, sampler->min_lod);
  SET(words, MAX_LOD, sampler->max_lod);
  /* The border colour and offsets have a word each; those of the levels stand one behind the other. */
  for (i = 0; i < TMU_CHANNELS; i++) words[TMU_GENERAL_BORDER_WORD] |= (uint32_t)sampler->border[i] << 8 * i;
  for (i = 0; i < texture->levels && i < TMU_MAX_LEVELS; i++)
    words[TMU_GENERAL_LEVEL_0_WORD + i] |= texture->level_offsets[i] & TMU_GENERAL_LEVEL_0_MASK;
}

/* Whether calls for the general numerics may go on. */
static int check_core(const struct tmu *core, uint32_t unit) {
  if (unit >= core->units) return TMU_FAILED_UNIT;
  return core->built ? TMU_OK : TMU_FAILED_NUMERICS;
}

int tmu_bind_general(const struct tmu *core, uint32_t unit, const struct tmu_general_texture *texture,
                     const struct tmu_sampler *sampler) {
  struct tmu_beat beats[TMU_GENERAL_BEATS];
  uint32_t words[TMU_GENERAL_WORDS];
  int refused = check_core(core, unit);
  if (!refused) refused = tmu_check_general(core, texture, sampler);
  if (refused) return refused;
  tmu_general_words(texture, sampler, words);
  tmu_put_record(beats, words, TMU_GENERAL_BEATS);
  return tmu_send(core, unit, beats, TMU_GENERAL_BEATS);
}

/* Whether any of the numbers must be told. */
static int is_any(const uint32_t *numbers, uint32_t left_out) {
  uint32_t pixel;
  for (pixel = 0; pixel < TMU_PIXELS; pixel++)
    if (numbers[pixel] != left_out) return 1;
  return 0;
}

/* 1 as a divisor. */
static uint32_t one_of(const struct tmu *core) {
  return BUILT_FIELD(core, NUMBERS) == TMU_NUMBERS_FP32 ? SINGLE_ONE : FIXED_ONE;
}

/* The packet of a quad with this word of the operation; returns how many beats it has: as few as the quad needs, or one with all that
 * the core has. */
static uint32_t put_parts(const struct tmu *core, const struct tmu_general_quad *quad, const uint32_t *operation,
                          int needs_operation, struct tmu_beat *beats) {
  uint32_t first[] = {quad->u[0], quad->v[0], quad->u[1], quad->v[1]};
  uint32_t second[] = {quad->u[2], quad->v[2], quad->u[3], quad->v[3]};
  uint32_t one = one_of(core);
  int has_third = HAS_KIND(core, TMU_KIND_CUBE) || HAS_KIND(core, TMU_KIND_3D) || HAS_KIND(core, TMU_KIND_2D_ARRAY);
  /* What the unit has, whether the quad needs it, and the numbers. */
  struct {
    int has, needs;
    const uint32_t *numbers;
  } parts[TMU_QUAD_BEATS] = {
      {1, 1, first},
      {1, 1, second},
      {has_third, is_any(quad->w, 0), quad->w},
      {BUILT_FIELD(core, PROJECTIVE) != 0, is_any(quad->q, one), quad->q},
      {BUILT_FIELD(core, COMPARE) != 0, is_any(quad->d, 0), quad->d},
      {BUILT_FIELD(core, OPERATIONS) >> TMU_OPERATION_LOD != 0 || BUILT_FIELD(core, INDIRECT), needs_operation, operation}};
  int is_one_beat = CAPABILITY(core, ONE_BEAT) != 0;
  uint32_t part, needed = 0, number, count = 0, at = 0;
  for (part = 0; part < TMU_QUAD_BEATS; part++)
    if (is_one_beat || (parts[part].has && parts[part].needs)) needed = part + 1u;
  for (part = 0; part < needed; part++) {
    struct tmu_beat *beat;
    if (!parts[part].has) continue;
    if (!is_one_beat || !count) {
      tmu_clear(&beats[count]);
      count++;
      at = 0;
    }
    beat = &beats[count - 1u];
    for (number = 0; number < TMU_PIXELS; number++, at += 4) tmu_put_word(beat->tdata + at, parts[part].numbers[number]);
  }
  /* Every beat carries the valid bits behind its numbers. */
  for (number = 0; number < count; number++) {
    beats[number].tdata[at] = quad->valid & VALID_BITS;
    beats[number].tuser = 0;
    beats[number].tlast = number + 1u == count;
  }
  return count;
}

static uint32_t put_quad(const struct tmu *core, const struct tmu_general_quad *quad, struct tmu_beat *beats) {
  uint32_t component = quad->operation == TMU_OPERATION_GATHER ? quad->component : 0u;
  uint32_t code = (uint32_t)quad->operation << TMU_OPERATION_SHIFT % 32u | component << TMU_COMPONENT_SHIFT % 32u;
  uint32_t operation[] = {quad->lod, code, 0, 0};
  return put_parts(core, quad, operation, quad->operation != TMU_OPERATION_SAMPLE, beats);
}

int tmu_queue_general(const struct tmu *core, uint32_t unit, const struct tmu_general_quad *quad) {
  struct tmu_beat beats[TMU_QUAD_BEATS];
  int refused = check_core(core, unit);
  if (refused) return refused;
  if (quad->operation > TMU_OPERATION_GATHER || quad->component > 3u) return TMU_FAILED_OPERATION;
  if (!(BUILT_FIELD(core, OPERATIONS) >> quad->operation & 1u)) return TMU_FAILED_OPERATION;
  return tmu_send(core, unit, beats, put_quad(core, quad, beats));
}

static int collect(const struct tmu *core, uint32_t unit, struct tmu_general_result *result, uint8_t *is_last) {
  struct tmu_result_beat beat;
  uint32_t number, bits;
  int received = check_core(core, unit);
  if (received) return received;
  received = core->bus->receive(core->bus->context, unit, &beat);
  if (received < 0) return TMU_FAILED_BUS;
  if (!received) return TMU_EMPTY;
  bits = 8u << BUILT_FIELD(core, RESULT);
  for (number = 0; number < TMU_PIXELS * TMU_CHANNELS; number++) {
    uint32_t low = number * bits;
    result->channels[number / TMU_CHANNELS][number % TMU_CHANNELS] =
        beat.tdata[low / 32u] >> low % 32u & 0xffffffffu >> (32u - bits);
  }
  result->valid = beat.tuser & VALID_BITS;
  result->error = (beat.tuser & ERROR_BIT) != 0;
  *is_last = beat.tlast;
  return TMU_OK;
}

int tmu_collect_general(const struct tmu *core, uint32_t unit, struct tmu_general_result *result) {
  uint8_t is_last;
  return collect(core, unit, result, &is_last);
}

/* Whether calls for an entry may go on. */
static int check_entry(const struct tmu *core, uint32_t unit, uint32_t entry) {
  int refused = check_core(core, unit);
  if (refused) return refused;
  return entry < BUILT_FIELD(core, STORE) * 64u ? TMU_OK : TMU_FAILED_ENTRY;
}

/* Says which entry, and which of its targets are enabled. */
static void name_entry(uint32_t *words, uint32_t entry, uint32_t enables) {
  SET(words, ENTRY, entry);
  if (enables == TMU_ENABLES_STAY) return;
  SET(words, ENABLES, enables);
  SET(words, SETS_ENABLES, 1);
}

int tmu_store_general(const struct tmu *core, uint32_t unit, uint32_t entry, uint32_t enables,
                      const struct tmu_general_texture *texture, const struct tmu_sampler *sampler) {
  struct tmu_beat beats[TMU_GENERAL_BEATS];
  uint32_t words[TMU_GENERAL_WORDS];
  int refused = check_entry(core, unit, entry);
  if (!refused) refused = tmu_check_general(core, texture, sampler);
  if (refused) return refused;
  tmu_general_words(texture, sampler, words);
  SET(words, STORES, 1);
  name_entry(words, entry, enables);
  tmu_put_record(beats, words, TMU_GENERAL_BEATS);
  return tmu_send(core, unit, beats, TMU_GENERAL_BEATS);
}

int tmu_use_entry(const struct tmu *core, uint32_t unit, const struct tmu_use *use) {
  struct tmu_beat beat;
  uint32_t words[WORDS_PER_BEAT] = {0, 0, 0, 0};
  int refused = check_entry(core, unit, use->entry);
  if (refused) return refused;
  if (use->secondary && !BUILT_FIELD(core, INDIRECT)) return TMU_FAILED_INDIRECT;
  name_entry(words, use->entry, use->enables);
  SET(words, DROP_CACHE, use->drop_cache ? 1 : 0);
  SET(words, SECONDARY, use->secondary ? 1 : 0);
  tmu_put_record(&beat, words, 1);
  return tmu_send(core, unit, &beat, 1);
}

/* Whether texels of a format may be places by this component. */
static int holds(uint32_t format, uint32_t component) {
  static const uint64_t masks[] = {TMU_FORMATS_PLACES, TMU_FORMATS_GREEN, TMU_FORMATS_BLUE, TMU_FORMATS_ALPHA};
  return component <= TMU_COMPONENT_A && (masks[component] >> format & 1u);
}

static int has_flat_kind(const struct tmu_general_texture *texture) {
  return texture->kind == TMU_KIND_1D || texture->kind == TMU_KIND_2D;
}

static int is_setup(const struct tmu *core, const struct tmu_setup *setup) {
  return BUILT_FIELD(core, INDIRECT) && setup->values && setup->values <= TMU_MAX_VALUES &&
         setup->operation <= TMU_AGGREGATE_MAX && setup->u_field <= TMU_COMPONENT_A && setup->v_field <= TMU_COMPONENT_A;
}

int tmu_set_up_indirect(const struct tmu *core, uint32_t unit, struct tmu_indirect *look_up) {
  const struct tmu_setup *setup = &look_up->setup;
  struct tmu_beat beats[TMU_GENERAL_BEATS];
  uint32_t words[TMU_GENERAL_WORDS];
  int refused = check_core(core, unit);
  if (refused) return refused;
  if (!BUILT_FIELD(core, INDIRECT)) return TMU_FAILED_INDIRECT;
  refused = tmu_check_general(core, look_up->primary, look_up->primary_sampler);
  if (!refused) refused = tmu_check_general(core, look_up->secondary, look_up->secondary_sampler);
  if (refused) return refused;
  if (!is_setup(core, setup) || !has_flat_kind(look_up->primary) || !has_flat_kind(look_up->secondary) ||
      !holds(look_up->primary->format, setup->u_field) ||
      (look_up->secondary->kind != TMU_KIND_1D && !holds(look_up->primary->format, setup->v_field)))
    return TMU_FAILED_INDIRECT;
  if (look_up->queued == 0) {
    tmu_general_words(look_up->primary, look_up->primary_sampler, words);
    tmu_put_record(beats, words, TMU_GENERAL_BEATS);
    refused = tmu_send(core, unit, beats, TMU_GENERAL_BEATS);
    if (refused) return refused;
    look_up->queued = 1;
  }
  if (look_up->queued == 1) {
    tmu_general_words(look_up->secondary, look_up->secondary_sampler, words);
    SET(words, SECONDARY, 1);
    tmu_put_record(beats, words, TMU_GENERAL_BEATS);
    refused = tmu_send(core, unit, beats, TMU_GENERAL_BEATS);
    if (refused) return refused;
    look_up->queued = 2;
  }
  return TMU_OK;
}

int tmu_request_indirect(const struct tmu *core, uint32_t unit, const struct tmu_setup *setup,
                         const struct tmu_indirect_quad *quad) {
  struct tmu_beat beats[TMU_QUAD_BEATS];
  struct tmu_general_quad places;
  uint32_t words[2] = {0, 0}, operation[TMU_PIXELS], pixel;
  int refused = check_core(core, unit);
  if (refused) return refused;
  if (!is_setup(core, setup)) return TMU_FAILED_INDIRECT;
  TMU_SET(words, SETUP_OPERATION, setup->operation);
  TMU_SET(words, SETUP_VALUES, setup->values - 1);
  TMU_SET(words, SETUP_U_FIELD, setup->u_field);
  TMU_SET(words, SETUP_V_FIELD, setup->v_field);
  TMU_SET(words, SETUP_OFFSET_U, setup->offset_u);
  TMU_SET(words, SETUP_OFFSET_V, setup->offset_v);
  for (pixel = 0; pixel < TMU_PIXELS; pixel++) {
    places.u[pixel] = (uint32_t)quad->x[pixel];
    places.v[pixel] = (uint32_t)quad->y[pixel];
    places.w[pixel] = places.d[pixel] = 0;
    places.q[pixel] = one_of(core);
  }
  places.valid = quad->valid;
  operation[0] = 0;
  operation[1] = TMU_INDIRECT_OPERATION << TMU_OPERATION_SHIFT % 32u;
  operation[2] = words[0];
  operation[3] = words[1];
  return tmu_send(core, unit, beats, put_parts(core, &places, operation, 1, beats));
}

int tmu_collect_indirect(const struct tmu *core, uint32_t unit, struct tmu_general_result *value, uint8_t *is_last) {
  return collect(core, unit, value, is_last);
}

uint32_t tmu_single(float value) {
  union {
    float single;
    uint32_t bits;
  } both;
  both.single = value;
  return both.bits;
}
