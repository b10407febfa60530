/* See tmu.h. Loops instead of memcpy and memset, which a freestanding program may not have. */
#include "tmu_internal.h"

#define TILE_TEXELS 16u
#define WINDOW_ALIGNMENT 4096u

int tmu_open(struct tmu *core, const struct tmu_bus *bus) {
  uint32_t id;
  core->bus = bus;
  core->capabilities = 0;
  core->formats[0] = core->formats[1] = 0;
  core->units = 0;
  core->built = 0;
  if (tmu_read(core, TMU_ID, &id)) return TMU_FAILED_BUS;
  if (id != TMU_ID_VALUE) return TMU_FAILED_ID;
  if (tmu_read(core, TMU_CAPABILITIES, &core->capabilities)) return TMU_FAILED_BUS;
  if (tmu_read(core, TMU_FORMATS_LOW, &core->formats[0])) return TMU_FAILED_BUS;
  if (tmu_read(core, TMU_FORMATS_HIGH, &core->formats[1])) return TMU_FAILED_BUS;
  core->units = CAPABILITY(core, LAST_UNIT) + 1u;
  return TMU_OK;
}

/* Bytes of the colour table and of all levels down to a single texel, each stored in whole tiles of 4 x 4 texels. */
static uint32_t texture_bytes(const struct tmu_texture *texture, uint32_t longest) {
  static const uint16_t tile_bytes[] = TMU_FORMAT_TILE_BYTES;
  static const uint16_t table_bytes[] = TMU_FORMAT_TABLE_BYTES;
  uint32_t texels = 0, level;
  for (level = 0; level <= longest; level++) {
    uint32_t width_log2 = texture->width_log2 > level + 2u ? texture->width_log2 - level : 2u;
    uint32_t height_log2 = texture->height_log2 > level + 2u ? texture->height_log2 - level : 2u;
    texels += 1u << (width_log2 + height_log2);
  }
  return table_bytes[texture->format] + texels / TILE_TEXELS * tile_bytes[texture->format];
}

/* Why the core would refuse a binding. */
static int check(const struct tmu *core, const struct tmu_texture *texture) {
  uint32_t longest = texture->width_log2 > texture->height_log2 ? texture->width_log2 : texture->height_log2;
  uint32_t modes = CAPABILITY(core, ADDRESS_MODES);
  if (CAPABILITY(core, GENERAL)) return TMU_FAILED_NUMERICS;
  if (!tmu_has_format(core, texture->format)) return TMU_FAILED_FORMAT;
  if (longest > CAPABILITY(core, MAX_SIZE_LOG2)) return TMU_FAILED_SIZE;
  if (texture->max_lod > longest) return TMU_FAILED_LOD;
  if (texture->base % LINE_BYTES || texture->base >> 31) return TMU_FAILED_BASE;
  if (texture->address_u > TMU_MIRROR || texture->address_v > TMU_MIRROR) return TMU_FAILED_MODE;
  if (!(modes >> texture->address_u & modes >> texture->address_v & 1u)) return TMU_FAILED_MODE;
  if (texture->bilinear && !CAPABILITY(core, BILINEAR)) return TMU_FAILED_FILTER;
  if (texture->mipmapped && !CAPABILITY(core, MIPMAPS)) return TMU_FAILED_FILTER;
  if (texture_bytes(texture, longest) > (1u << 31) - texture->base) return TMU_FAILED_WINDOW;
  return TMU_OK;
}

#define SET(record, name, value) TMU_SET(record, BINDING_##name, value)

void tmu_words(const struct tmu_texture *texture, uint32_t words[TMU_BINDING_WORDS]) {
  uint32_t number;
  for (number = 0; number < TMU_BINDING_WORDS; number++) words[number] = 0;
  SET(words, BASE, texture->base);
  SET(words, WIDTH_LOG2, texture->width_log2);
  SET(words, HEIGHT_LOG2, texture->height_log2);
  SET(words, MAX_LOD, texture->max_lod);
  SET(words, FORMAT, texture->format);
  SET(words, BILINEAR, texture->bilinear ? 1 : 0);
  SET(words, MIPMAPPED, texture->mipmapped ? 1 : 0);
  SET(words, ADDRESS_U, texture->address_u);
  SET(words, ADDRESS_V, texture->address_v);
  SET(words, DROP_CACHE, texture->drop_cache ? 1 : 0);
}

int tmu_bind(const struct tmu *core, uint32_t unit, const struct tmu_texture *texture) {
  struct tmu_beat beats[TMU_BINDING_BEATS];
  uint32_t words[TMU_BINDING_WORDS];
  int refused = check(core, texture);
  if (unit >= core->units) return TMU_FAILED_UNIT;
  if (refused) return refused;
  tmu_words(texture, words);
  tmu_put_record(beats, words, TMU_BINDING_BEATS);
  return tmu_send(core, unit, beats, TMU_BINDING_BEATS);
}

int tmu_queue(const struct tmu *core, uint32_t unit, const struct tmu_quad *quad) {
  struct tmu_beat beats[2];
  uint32_t count = CAPABILITY(core, ONE_BEAT) ? 1u : 2u;
  uint32_t per_beat = TMU_PIXELS / count;
  uint32_t number, pixel;
  if (unit >= core->units) return TMU_FAILED_UNIT;
  for (number = 0; number < count; number++) {
    struct tmu_beat *beat = &beats[number];
    tmu_clear(beat);
    for (pixel = 0; pixel < per_beat; pixel++) {
      tmu_put_word(beat->tdata + 8 * pixel, (uint32_t)quad->u[number * per_beat + pixel]);
      tmu_put_word(beat->tdata + 8 * pixel + 4, (uint32_t)quad->v[number * per_beat + pixel]);
    }
    /* Every beat carries the valid bits behind its pixels. */
    beat->tdata[8 * per_beat] = quad->valid & VALID_BITS;
    beat->tuser = 0;
    beat->tlast = number + 1u == count;
  }
  return tmu_send(core, unit, beats, count);
}

int tmu_collect(const struct tmu *core, uint32_t unit, struct tmu_result *result) {
  struct tmu_result_beat beat;
  uint32_t pixel;
  int received;
  if (unit >= core->units) return TMU_FAILED_UNIT;
  received = core->bus->receive(core->bus->context, unit, &beat);
  if (received < 0) return TMU_FAILED_BUS;
  if (!received) return TMU_EMPTY;
  for (pixel = 0; pixel < TMU_PIXELS; pixel++) result->rgba[pixel] = beat.tdata[pixel];
  result->valid = beat.tuser & VALID_BITS;
  result->error = (beat.tuser & ERROR_BIT) != 0;
  return TMU_OK;
}

/* Gives a command and waits for its end. */
static int command(const struct tmu *core, uint32_t control, uint32_t status) {
  uint32_t poll, value;
  if (tmu_write(core, TMU_CONTROL, control)) return TMU_FAILED_BUS;
  for (poll = 0; poll < TMU_MAX_POLLS; poll++) {
    if (tmu_read(core, TMU_STATUS, &value)) return TMU_FAILED_BUS;
    if (!(value & status)) return TMU_OK;
  }
  return TMU_FAILED_TIME;
}

int tmu_invalidate(const struct tmu *core) {
  return command(core, TMU_CONTROL_CACHE_INVALIDATE_MASK, TMU_STATUS_CACHE_INVALIDATE_MASK);
}

int tmu_soft_reset(const struct tmu *core) {
  return command(core, TMU_CONTROL_SOFT_RESET_MASK, TMU_STATUS_SOFT_RESET_MASK);
}

int tmu_set_window(const struct tmu *core, uint64_t base) {
  if (base % WINDOW_ALIGNMENT) return TMU_FAILED_BASE;
  if (tmu_write(core, TMU_WINDOW_BASE_LOW, (uint32_t)base)) return TMU_FAILED_BUS;
  if (tmu_write(core, TMU_WINDOW_BASE_HIGH, (uint32_t)(base >> 32))) return TMU_FAILED_BUS;
  return tmu_invalidate(core);
}

int tmu_counters(const struct tmu *core, uint32_t unit, struct tmu_counters *counters) {
  static const uint32_t offsets[] = {
      TMU_UNIT_QUADS,  TMU_UNIT_VALID_PIXELS, TMU_UNIT_LINE_LOOKUPS, TMU_UNIT_LINE_REPEATS,   TMU_UNIT_HITS,
      TMU_UNIT_MISSES, TMU_UNIT_MEMORY_BEATS, TMU_UNIT_STALL_CYCLES, TMU_UNIT_DROPPED_PACKETS};
  uint32_t *values[] = {&counters->quads,        &counters->valid_pixels, &counters->line_lookups,
                        &counters->line_repeats, &counters->hits,         &counters->misses,
                        &counters->memory_beats, &counters->stall_cycles, &counters->dropped_packets};
  uint32_t i;
  if (unit >= core->units) return TMU_FAILED_UNIT;
  if (!CAPABILITY(core, COUNTERS)) return TMU_FAILED_COUNTERS;
  for (i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
    if (tmu_read(core, TMU_UNIT_BASE + unit * TMU_UNIT_STRIDE + offsets[i], values[i])) return TMU_FAILED_BUS;
  return TMU_OK;
}

int tmu_errors(const struct tmu *core, struct tmu_errors *errors) {
  uint32_t low, high;
  if (tmu_read(core, TMU_ERROR, &errors->flags)) return TMU_FAILED_BUS;
  if (tmu_read(core, TMU_ERROR_ADDRESS_LOW, &low)) return TMU_FAILED_BUS;
  if (tmu_read(core, TMU_ERROR_ADDRESS_HIGH, &high)) return TMU_FAILED_BUS;
  errors->address = (uint64_t)high << 32 | low;
  return TMU_OK;
}

int tmu_clear_errors(const struct tmu *core) { return tmu_write(core, TMU_ERROR, 0xffffffffu); }
