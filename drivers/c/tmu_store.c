/* See tmu_store.h. */
#include "tmu_store.h"
#include "tmu_internal.h"

#define SET(record, name, value) TMU_SET(record, GENERAL_##name, value)

static int is_busy(const struct tmu *core, uint32_t *busy) {
  if (tmu_read(core, TMU_STORE_STATUS, busy)) return TMU_FAILED_BUS;
  *busy &= TMU_STORE_STATUS_BUSY_MASK;
  return TMU_OK;
}

/* Whether there is such an entry. */
static int check_entry(const struct tmu *core, uint32_t entry) {
  uint32_t entries = 64u * tmu_field(core->built, TMU_BUILT_STORE_MASK, TMU_BUILT_STORE_SHIFT);
  if (!core->built) return TMU_FAILED_NUMERICS;
  return entry < entries ? TMU_OK : TMU_FAILED_ENTRY;
}

/* Whether there are such units, and nothing is at work. */
static int check_free(const struct tmu *core, uint32_t units) {
  uint32_t busy;
  if (units >> core->units) return TMU_FAILED_UNIT;
  if (is_busy(core, &busy)) return TMU_FAILED_BUS;
  return busy ? TMU_FAILED_BUSY : TMU_OK;
}

static void words_of(const struct tmu_general_texture *texture, const struct tmu_sampler *sampler, uint32_t enables,
                     uint32_t words[TMU_GENERAL_WORDS]) {
  tmu_general_words(texture, sampler, words);
  if (enables == TMU_ENABLES_STAY) return;
  SET(words, ENABLES, enables);
  SET(words, SETS_ENABLES, 1);
}

void tmu_entry_bytes(const struct tmu_general_texture *texture, const struct tmu_sampler *sampler, uint32_t enables,
                     uint8_t bytes[TMU_ENTRY_BYTES]) {
  uint32_t words[TMU_GENERAL_WORDS], number;
  words_of(texture, sampler, enables, words);
  for (number = 0; number < TMU_GENERAL_WORDS; number++) tmu_put_word(bytes + 4u * number, words[number]);
}

int tmu_write_entry(const struct tmu *core, uint32_t units, uint32_t entry, uint32_t enables,
                    const struct tmu_general_texture *texture, const struct tmu_sampler *sampler) {
  uint32_t words[TMU_GENERAL_WORDS], number;
  int refused = check_entry(core, entry);
  if (!refused) refused = tmu_check_general(core, texture, sampler);
  if (!refused) refused = check_free(core, units);
  if (refused) return refused;
  words_of(texture, sampler, enables, words);
  for (number = 0; number < TMU_GENERAL_WORDS; number++)
    if (tmu_write(core, TMU_STORE_BINDING_0 + 4u * number, words[number])) return TMU_FAILED_BUS;
  if (tmu_write(core, TMU_STORE_UNITS, units) || tmu_write(core, TMU_STORE_ENTRY, entry) ||
      tmu_write(core, TMU_STORE_CONTROL, TMU_STORE_CONTROL_SEND_MASK))
    return TMU_FAILED_BUS;
  return TMU_OK;
}

int tmu_load_entries(const struct tmu *core, uint32_t units, uint32_t table, uint32_t first, uint32_t count) {
  int refused = check_entry(core, first);
  if (refused) return refused;
  if (count && (count > 128u || check_entry(core, first + count - 1u))) return TMU_FAILED_ENTRY;
  if (table % LINE_BYTES || table >> 31) return TMU_FAILED_BASE;
  refused = check_free(core, units);
  if (refused) return refused;
  if (tmu_write(core, TMU_STORE_UNITS, units) || tmu_write(core, TMU_STORE_ENTRY, first) ||
      tmu_write(core, TMU_STORE_COUNT, count) || tmu_write(core, TMU_STORE_TABLE, table) ||
      tmu_write(core, TMU_STORE_LOAD, TMU_STORE_LOAD_LOAD_MASK))
    return TMU_FAILED_BUS;
  return TMU_OK;
}

int tmu_wait_for_entries(const struct tmu *core) {
  uint32_t polls, busy;
  for (polls = 0; polls < TMU_MAX_POLLS; polls++) {
    if (is_busy(core, &busy)) return TMU_FAILED_BUS;
    if (!busy) return TMU_OK;
  }
  return TMU_FAILED_TIME;
}

int tmu_failed_entry(const struct tmu *core, uint8_t *failed, uint32_t *entry) {
  uint32_t loaded;
  if (tmu_read(core, TMU_STORE_LOADED, &loaded)) return TMU_FAILED_BUS;
  *failed = (loaded & TMU_STORE_LOADED_FAILED_MASK) != 0;
  *entry = tmu_field(loaded, TMU_STORE_LOADED_ENTRY_MASK, TMU_STORE_LOADED_ENTRY_SHIFT);
  return TMU_OK;
}
