/* The bring-up kit of cores that have one: quads without a stream, a CRC of the results, a measure of memory, captured
 * requests.
 *
 *   struct tmu_walk walk = {0, 15, 1024, 32, {512, 512}, {1024, 0}, {0, 1024}};  // a texel a pixel of 64 x 64
 *   tmu_words(&texture, words);
 *   tmu_bring_up_take(&core, 0);
 *   tmu_bring_up_start(&core, words, TMU_BINDING_WORDS, &walk);
 *   tmu_bring_up_wait(&core);
 *   tmu_bring_up_report(&core, &report);  // report.crc is what `tmugen bringup` prints
 *   tmu_bring_up_give_back(&core);
 */
#ifndef TMU_BRING_UP_H
#define TMU_BRING_UP_H

#include "tmu.h"

/* Quads that the kit sends. Numbers are s16.16: 65536 is the full extent of the texture. u stands in front of v. */
struct tmu_walk {
  uint8_t is_random; /* quads anywhere; `first` seeds them and must not be 0 */
  uint8_t valid;     /* valid bits of each quad */
  uint32_t quads;
  uint16_t row_quads; /* quads of a row, at least 1 */
  uint32_t first[2];  /* of the first pixel */
  int32_t across[2];  /* change from a pixel to the one on its right */
  int32_t down[2];    /* to the one below */
};

/* Walks with a name over a texture of `width` x `height` texels, which must not be 0: what `tmugen bringup` calls so. */
enum tmu_pattern { TMU_CONSTANT, TMU_SCAN, TMU_TURNED, TMU_ROTATED, TMU_RANDOM };
void tmu_walk_of(struct tmu_walk *walk, enum tmu_pattern pattern, uint32_t width, uint32_t height, uint32_t quads,
                 uint16_t row_quads);

struct tmu_report {
  uint32_t crc;     /* CRC-32 of the results */
  uint32_t results; /* how many they were */
  uint32_t failed;  /* how many of them have the error bit */
  uint32_t clocks;  /* of tmu_aclk, from the start to the last result */
  uint32_t reads;   /* whose latency was measured */
  uint32_t least_latency, most_latency, latency_sum; /* in clocks of tmu_aclk, the memory port included */
  uint32_t lines;   /* of 16 bytes, from memory */
  uint32_t waiting; /* clocks in which lines were to come */
};

/* Clocks of a latency that the memory port takes, and not memory. */
#define TMU_PORT_CLOCKS 3u

/* Keys of a configuration with a prefetching cache that hide a latency. */
struct tmu_needs {
  uint32_t outstanding_reads; /* axi.outstanding_reads */
  uint32_t queue_depth;       /* cache.queue_depth */
};

/* Takes a unit from its stream, whose packets wait, once it has answered what it has. */
int tmu_bring_up_take(const struct tmu *core, uint32_t unit);
/* Gives it back. What is bound is the kit's: the stream goes on with a binding. */
int tmu_bring_up_give_back(const struct tmu *core);
/* Starts a run with a binding, as tmu_words or tmu_general_words makes it, and quads of a walk. The unit must be taken. */
int tmu_bring_up_start(const struct tmu *core, const uint32_t *binding, uint32_t words, const struct tmu_walk *walk);
/* Sends no further quads; tmu_bring_up_wait waits for the results of those that were sent. */
int tmu_bring_up_stop(const struct tmu *core);
/* Waits for the end of a run. */
int tmu_bring_up_wait(const struct tmu *core);
int tmu_bring_up_report(const struct tmu *core, struct tmu_report *report);
/* The mean latency, rounded up; 0 if nothing was read. */
uint32_t tmu_mean_latency(const struct tmu_report *report);
/* What hides a latency that was measured, beside so many units and with datapath.pixels_per_clock. */
void tmu_needs_of(struct tmu_needs *needs, uint32_t measured_clocks, uint32_t units, uint32_t pixels_per_clock);
/* Forgets what was captured and captures the requests of a unit, from its next binding on until the memory is full, and what
 * the unit reads from memory for them. */
int tmu_bring_up_capture(const struct tmu *core, uint32_t unit);
/* Beats that were captured so far. */
int tmu_bring_up_captured(const struct tmu *core, uint32_t *beats);
/* A word of a captured beat: tdata from bit 0 up, directly above it tuser, above it tlast. */
int tmu_bring_up_word(const struct tmu *core, uint32_t beat, uint32_t word, uint32_t *value);
/* Reads from memory that were captured so far, from the binding on: no more than the kit holds, and none if a quad was under way
 * when the binding came. */
int tmu_bring_up_captured_reads(const struct tmu *core, uint32_t *reads);
/* A captured read: its first line, counted in 16 bytes from the start of the texture window, and how many lines. */
int tmu_bring_up_read(const struct tmu *core, uint32_t number, uint32_t *line, uint32_t *lines);

#endif
