/* What the parts of the driver share; not for programs. Loops instead of memcpy and memset, which a freestanding program
 * may not have. */
#ifndef TMU_INTERNAL_H
#define TMU_INTERNAL_H

#include "tmu.h"

#define BINDING_USER 1u
#define ERROR_BIT 0x10u
#define VALID_BITS 0x0fu
#define LINE_BYTES 16u
#define WORDS_PER_BEAT 4u

static inline uint32_t tmu_field(uint32_t value, uint32_t mask, uint32_t shift) { return (value & mask) >> shift; }

#define CAPABILITY(core, name) \
  tmu_field((core)->capabilities, TMU_CAPABILITIES_##name##_MASK, TMU_CAPABILITIES_##name##_SHIFT)

/* Sets a field of a record that is 0. */
#define TMU_SET(record, name, value) \
  ((record)[TMU_##name##_WORD] |= (uint32_t)(value) << TMU_##name##_SHIFT & TMU_##name##_MASK)

/* Polls of a status after which it is given up. */
#define TMU_MAX_POLLS 1000000u

static inline int tmu_read(const struct tmu *core, uint32_t address, uint32_t *value) {
  return core->bus->read(core->bus->context, address, value) < 0 ? TMU_FAILED_BUS : TMU_OK;
}

static inline int tmu_write(const struct tmu *core, uint32_t address, uint32_t value) {
  return core->bus->write(core->bus->context, address, value) < 0 ? TMU_FAILED_BUS : TMU_OK;
}

static inline int tmu_send(const struct tmu *core, uint32_t unit, const struct tmu_beat *beats, uint32_t count) {
  int taken = core->bus->send(core->bus->context, unit, beats, count);
  if (taken < 0) return TMU_FAILED_BUS;
  return taken ? TMU_OK : TMU_FULL;
}

static inline int tmu_has_format(const struct tmu *core, uint32_t format) {
  return format <= TMU_LAST_FORMAT && (core->formats[format >> 5] >> (format & 31u) & 1u);
}

static inline void tmu_put_word(uint8_t *bytes, uint32_t word) {
  uint32_t i;
  for (i = 0; i < 4; i++) bytes[i] = (uint8_t)(word >> 8 * i);
}

static inline void tmu_clear(struct tmu_beat *beat) {
  uint32_t i;
  for (i = 0; i < TMU_BEAT_BYTES; i++) beat->tdata[i] = 0;
}

/* The packet of a binding of so many beats. */
static inline void tmu_put_record(struct tmu_beat *beats, const uint32_t *record, uint32_t count) {
  uint32_t number, word;
  for (number = 0; number < count; number++) {
    struct tmu_beat *beat = &beats[number];
    tmu_clear(beat);
    for (word = 0; word < WORDS_PER_BEAT; word++)
      tmu_put_word(beat->tdata + 4 * word, record[number * WORDS_PER_BEAT + word]);
    beat->tuser = BINDING_USER;
    beat->tlast = number + 1u == count;
  }
}

#endif
