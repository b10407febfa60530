/* See tmu_bring_up.h. */
#include "tmu_bring_up.h"
#include "tmu_internal.h"

static int until(const struct tmu *core, uint32_t mask, uint32_t value) {
  uint32_t polls, status;
  for (polls = 0; polls < TMU_MAX_POLLS; polls++) {
    if (tmu_read(core, TMU_BRING_UP_STATUS, &status)) return TMU_FAILED_BUS;
    if ((status & mask) == value) return TMU_OK;
  }
  return TMU_FAILED_TIME;
}

/* TMU_OK unless the kit is at work. */
static int idle(const struct tmu *core) {
  uint32_t status;
  if (tmu_read(core, TMU_BRING_UP_STATUS, &status)) return TMU_FAILED_BUS;
  return status & TMU_BRING_UP_STATUS_BUSY_MASK ? TMU_FAILED_BUSY : TMU_OK;
}

void tmu_walk_of(struct tmu_walk *walk, enum tmu_pattern pattern, uint32_t width, uint32_t height, uint32_t quads,
                 uint16_t row_quads) {
  int32_t u = 0x10000 / (int32_t)width, v = 0x10000 / (int32_t)height;
  walk->is_random = pattern == TMU_RANDOM;
  walk->valid = 0xf;
  walk->quads = quads;
  walk->row_quads = row_quads;
  walk->first[0] = walk->is_random ? 0x9e3779b9u : (uint32_t)u / 2u;
  walk->first[1] = walk->is_random ? 0x243f6a88u : (uint32_t)v / 2u;
  walk->across[0] = walk->across[1] = walk->down[0] = walk->down[1] = 0;
  switch (pattern) {
    case TMU_CONSTANT: break;
    case TMU_TURNED:
      walk->across[1] = v;
      walk->down[0] = -u;
      break;
    case TMU_ROTATED:
      walk->across[0] = 4 * u / 5;
      walk->across[1] = 3 * v / 5;
      walk->down[0] = -3 * u / 5;
      walk->down[1] = 4 * v / 5;
      break;
    case TMU_SCAN:
    case TMU_RANDOM:
      walk->across[0] = u;
      walk->down[1] = v;
      break;
  }
}

int tmu_bring_up_take(const struct tmu *core, uint32_t unit) {
  int busy;
  if (unit >= core->units) return TMU_FAILED_UNIT;
  busy = idle(core);
  if (busy) return busy;
  if (tmu_write(core, TMU_BRING_UP_UNIT, unit) || tmu_write(core, TMU_BRING_UP_TAKE, 1u)) return TMU_FAILED_BUS;
  return until(core, TMU_BRING_UP_STATUS_OWNS_MASK, TMU_BRING_UP_STATUS_OWNS_MASK);
}

int tmu_bring_up_give_back(const struct tmu *core) {
  int busy = idle(core);
  if (busy) return busy;
  if (tmu_write(core, TMU_BRING_UP_TAKE, 0u)) return TMU_FAILED_BUS;
  return until(core, TMU_BRING_UP_STATUS_OWNS_MASK, 0u);
}

int tmu_bring_up_start(const struct tmu *core, const uint32_t *binding, uint32_t words, const struct tmu_walk *walk) {
  const uint32_t registers[][2] = {
      {TMU_BRING_UP_PATTERN, (uint32_t)(walk->is_random ? 1 : 0) << TMU_BRING_UP_PATTERN_RANDOM_SHIFT |
                                 (walk->valid & 0xfu) << TMU_BRING_UP_PATTERN_VALID_SHIFT},
      {TMU_BRING_UP_QUADS, walk->quads},
      {TMU_BRING_UP_ROW, walk->row_quads},
      {TMU_BRING_UP_U, walk->first[0]},
      {TMU_BRING_UP_V, walk->first[1]},
      {TMU_BRING_UP_U_ACROSS, (uint32_t)walk->across[0]},
      {TMU_BRING_UP_V_ACROSS, (uint32_t)walk->across[1]},
      {TMU_BRING_UP_U_DOWN, (uint32_t)walk->down[0]},
      {TMU_BRING_UP_V_DOWN, (uint32_t)walk->down[1]},
      {TMU_BRING_UP_CONTROL, TMU_BRING_UP_CONTROL_START_MASK},
  };
  uint32_t number;
  int busy = idle(core);
  if (busy) return busy;
  for (number = 0; number < words; number++)
    if (tmu_write(core, TMU_BRING_UP_BINDING_0 + 4u * number, binding[number])) return TMU_FAILED_BUS;
  for (number = 0; number < sizeof registers / sizeof registers[0]; number++)
    if (tmu_write(core, registers[number][0], registers[number][1])) return TMU_FAILED_BUS;
  return TMU_OK;
}

int tmu_bring_up_stop(const struct tmu *core) {
  return tmu_write(core, TMU_BRING_UP_CONTROL, TMU_BRING_UP_CONTROL_STOP_MASK);
}

int tmu_bring_up_wait(const struct tmu *core) { return until(core, TMU_BRING_UP_STATUS_BUSY_MASK, 0u); }

int tmu_bring_up_report(const struct tmu *core, struct tmu_report *report) {
  uint32_t latency;
  if (tmu_read(core, TMU_BRING_UP_CRC, &report->crc) || tmu_read(core, TMU_BRING_UP_RESULTS, &report->results) ||
      tmu_read(core, TMU_BRING_UP_FAILED, &report->failed) || tmu_read(core, TMU_BRING_UP_CLOCKS, &report->clocks) ||
      tmu_read(core, TMU_BRING_UP_READS, &report->reads) || tmu_read(core, TMU_BRING_UP_LATENCY, &latency) ||
      tmu_read(core, TMU_BRING_UP_LATENCY_SUM, &report->latency_sum) ||
      tmu_read(core, TMU_BRING_UP_LINES, &report->lines) || tmu_read(core, TMU_BRING_UP_WAITING, &report->waiting))
    return TMU_FAILED_BUS;
  report->least_latency = latency & TMU_BRING_UP_LATENCY_LEAST_MASK;
  report->most_latency = latency >> TMU_BRING_UP_LATENCY_MOST_SHIFT;
  return TMU_OK;
}

static uint32_t divided_up(uint32_t number, uint32_t by) { return number / by + (number % by != 0u); }

uint32_t tmu_mean_latency(const struct tmu_report *report) {
  return report->reads ? divided_up(report->latency_sum, report->reads) : 0u;
}

void tmu_needs_of(struct tmu_needs *needs, uint32_t measured_clocks, uint32_t units, uint32_t pixels_per_clock) {
  uint32_t latency = measured_clocks > TMU_PORT_CLOCKS ? measured_clocks - TMU_PORT_CLOCKS : 0u;
  /* Clocks from a tile to the next, as memory gives them and as a row of quads asks for them. */
  uint32_t memory_every = 4u * units, asked_every = 8u / pixels_per_clock;
  uint32_t every = memory_every > asked_every ? memory_every : asked_every;
  uint32_t behind = divided_up(512u / pixels_per_clock * (every - asked_every), asked_every);
  uint32_t waits = latency + memory_every + behind + 23u;
  needs->outstanding_reads = 4u + divided_up(latency + memory_every + 11u, every);
  needs->queue_depth = 64u;
  while (needs->queue_depth < waits) needs->queue_depth *= 2u;
}

int tmu_bring_up_capture(const struct tmu *core, uint32_t unit) {
  int busy;
  if (unit >= core->units) return TMU_FAILED_UNIT;
  busy = idle(core);
  if (busy) return busy;
  if (tmu_write(core, TMU_BRING_UP_UNIT, unit)) return TMU_FAILED_BUS;
  return tmu_write(core, TMU_BRING_UP_CONTROL, TMU_BRING_UP_CONTROL_CAPTURE_MASK);
}

int tmu_bring_up_captured(const struct tmu *core, uint32_t *beats) {
  int status = tmu_read(core, TMU_BRING_UP_CAPTURED, beats);
  if (status == TMU_OK) *beats &= TMU_BRING_UP_CAPTURED_BEATS_MASK;
  return status;
}

int tmu_bring_up_word(const struct tmu *core, uint32_t beat, uint32_t word, uint32_t *value) {
  uint32_t place = beat << TMU_BRING_UP_PLACE_BEAT_SHIFT | word << TMU_BRING_UP_PLACE_WORD_SHIFT;
  if (tmu_write(core, TMU_BRING_UP_PLACE, place)) return TMU_FAILED_BUS;
  return tmu_read(core, TMU_BRING_UP_DATA, value);
}

int tmu_bring_up_captured_reads(const struct tmu *core, uint32_t *reads) {
  int status = tmu_read(core, TMU_BRING_UP_CAPTURED_READS, reads);
  if (status == TMU_OK) *reads &= TMU_BRING_UP_CAPTURED_READS_READS_MASK;
  return status;
}

int tmu_bring_up_read(const struct tmu *core, uint32_t number, uint32_t *line, uint32_t *lines) {
  uint32_t value;
  if (tmu_write(core, TMU_BRING_UP_PLACE, number << TMU_BRING_UP_PLACE_BEAT_SHIFT)) return TMU_FAILED_BUS;
  if (tmu_read(core, TMU_BRING_UP_READ, &value)) return TMU_FAILED_BUS;
  *line = value & TMU_BRING_UP_READ_LINE_MASK;
  *lines = ((value & TMU_BRING_UP_READ_MORE_MASK) >> TMU_BRING_UP_READ_MORE_SHIFT) + 1u;
  return TMU_OK;
}
