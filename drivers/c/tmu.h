/* Driver of texture units in freestanding C99: no library, no memory of its own.
 *
 * The driver makes bindings and quads into beats of the request stream, takes results apart, and knows the control
 * port. How beats reach the core and registers are accessed is the platform's matter: it fills in a struct tmu_bus.
 * Calls never wait but for the core's own commands (tmu_invalidate, tmu_soft_reset), and for those only
 * for a number of polls. A core is one struct tmu; it may be used by one thread at a time.
 *
 *   struct tmu core;
 *   tmu_open(&core, &bus);
 *   tmu_bind(&core, 0, &texture);         // holds for all quads behind it
 *   tmu_queue(&core, 0, &quad);           // TMU_FULL: collect, then try again
 *   tmu_collect(&core, 0, &result);       // TMU_EMPTY: nothing yet; results come in the order of the quads
 *
 * Cores of the general numerics have tmu_general.h beside it, cores with a bring-up kit tmu_bring_up.h.
 */
#ifndef TMU_H
#define TMU_H

#include <stdint.h>

#include "tmu_registers.h"

#define TMU_PIXELS 4u
#define TMU_RESULT_WORDS 16u
#define TMU_BINDING_WORDS (TMU_BINDING_BEATS * TMU_BINDING_WORDS_PER_BEAT)

/* What a call gives: TMU_OK, or why not. */
enum tmu_status {
  TMU_OK = 0,
  TMU_FULL = 1,           /* the request stream takes nothing now; try again after tmu_collect */
  TMU_EMPTY = 2,          /* no result has arrived */
  TMU_FAILED_BUS = -1,    /* the platform's function failed */
  TMU_FAILED_ID = -2,     /* no texture unit answers */
  TMU_FAILED_UNIT = -3,   /* the core has no unit of that number */
  TMU_FAILED_FORMAT = -4, /* the format is unknown or not built */
  TMU_FAILED_SIZE = -5,   /* a side is longer than the core was built for, has no texels, or does not fit the kind */
  TMU_FAILED_LOD = -6,    /* max_lod is over max(width_log2, height_log2) */
  TMU_FAILED_BASE = -7,   /* the base or a level's is not a multiple of 16 below 2^31, or the window's not one of 4096 */
  TMU_FAILED_MODE = -8,   /* an address mode is unknown or not built */
  TMU_FAILED_FILTER = -9, /* bilinear filtering, mipmapping or weighting of two levels is not built */
  TMU_FAILED_TIME = -10,  /* a command did not end; is tmu_aclk running? */
  TMU_FAILED_COUNTERS = -11, /* the core was built without counters */
  TMU_FAILED_WINDOW = -12, /* the texture reaches past the texture window: its last byte lies behind 2^31 */
  TMU_FAILED_NUMERICS = -13, /* the core follows other numerics, or was not opened with tmu_open_general */
  /* Of the general numerics. */
  TMU_FAILED_LEVELS = -14,     /* there are no levels, or more than down to one texel */
  TMU_FAILED_KIND = -15,       /* the kind is unknown or not built */
  TMU_FAILED_ANISOTROPY = -16, /* the anisotropy is none of 1, 2, 4, 8 and 16, or over the largest one built */
  TMU_FAILED_COMPARE = -17,    /* comparison is not built, or texels are no depths */
  TMU_FAILED_SRGB = -18,       /* sRGB decoding is not built, or the format's colours are never sRGB-coded */
  TMU_FAILED_SWIZZLE = -19,    /* a component is unknown, or swizzles are not built */
  TMU_FAILED_FLOAT = -20,      /* floats are not weighted */
  TMU_FAILED_LOD_ORDER = -21,  /* the least level of detail is over the most */
  TMU_FAILED_BLOCK = -22,      /* textures of the kind have no block formats */
  TMU_FAILED_BUILT = -23,      /* the word given to tmu_open_general is not this core's */
  TMU_FAILED_OPERATION = -24,  /* the operation is not built, or the component of a gather is over 3 */
  TMU_FAILED_BUSY = -25,       /* the bring-up kit is at work, or entries of a store are being written */
  TMU_FAILED_ENTRY = -26,      /* there is no such entry of the parameter store, or no store */
  TMU_FAILED_INDIRECT = -27,   /* indirect look-ups are not built, or textures and set-up do not allow one */
  TMU_FAILED_RIPMAP = -28      /* ripmaps are not built, or the texture or its anisotropy does not fit one */
};

/* A beat of the request stream. */
struct tmu_beat {
  /* From bit 0 upwards: 17 bytes of it if a quad takes two beats or more, 33 if a classic core takes it in one. */
  uint8_t tdata[TMU_BEAT_BYTES];
  uint8_t tuser;
  uint8_t tlast;
};

/* A beat of the result stream. */
struct tmu_result_beat {
  uint32_t tdata[TMU_RESULT_WORDS]; /* 4 of them with 8 bits a channel; those over the stream's width are not looked at */
  uint8_t tuser;
  uint8_t tlast; /* of a core with indirect look-ups: no other result of the quad follows; looked at by nothing else */
};

/* What the platform does. Functions return a negative number if they fail. */
struct tmu_bus {
  void *context;
  /* Accesses a register; `address` is the byte address from the start of the control port. */
  int (*read)(void *context, uint32_t address, uint32_t *value);
  int (*write)(void *context, uint32_t address, uint32_t value);
  /* Takes all beats of a packet and returns 1, or none and returns 0. */
  int (*send)(void *context, uint32_t unit, const struct tmu_beat *beats, uint32_t count);
  /* Gives the oldest result that was not given and returns 1, or returns 0 if there is none. */
  int (*receive)(void *context, uint32_t unit, struct tmu_result_beat *beat);
};

/* A core. Its fields are for reading. */
struct tmu {
  const struct tmu_bus *bus;
  uint32_t capabilities; /* the register TMU_CAPABILITIES */
  uint32_t formats[2];   /* a bit for each format built, by its code */
  uint32_t units;
  uint32_t built; /* what tmu_open_general was told */
};

/* A texture in memory and how it is read. */
struct tmu_texture {
  uint32_t base; /* bytes from the start of the texture window, a multiple of 16; all of the texture lies below 2^31 */
  uint8_t format;
  uint8_t width_log2, height_log2;
  uint8_t max_lod; /* the smallest level that may be sampled */
  uint8_t bilinear, mipmapped;
  uint8_t address_u, address_v;
  uint8_t drop_cache; /* drop what the unit's cache holds first: memory has changed */
};

/* Four pixels, 2 x 2: coordinates in s16.16, 1.0 being the texture's side, and which of the pixels count. */
struct tmu_quad {
  int32_t u[TMU_PIXELS], v[TMU_PIXELS];
  uint8_t valid;
};

struct tmu_result {
  uint32_t rgba[TMU_PIXELS]; /* R in the lowest byte; 0 for pixels that are not valid */
  uint8_t valid;
  uint8_t error; /* the quad could not be sampled: see tmu_errors */
};

struct tmu_counters {
  uint32_t quads, valid_pixels, line_lookups, line_repeats, hits, misses, memory_beats, stall_cycles, dropped_packets;
};

struct tmu_errors {
  uint32_t flags;   /* the register TMU_ERROR; 0: nothing went wrong */
  uint64_t address; /* of the first failed read, if a memory flag is set */
};

/* Looks whether a core answers, and what it was built to do. `bus` must live as long as `core`. */
int tmu_open(struct tmu *core, const struct tmu_bus *bus);
/* Queues a binding. One that the core would refuse is refused here, and nothing is sent. */
int tmu_bind(const struct tmu *core, uint32_t unit, const struct tmu_texture *texture);
/* The words of a binding, lowest bits first. */
void tmu_words(const struct tmu_texture *texture, uint32_t words[TMU_BINDING_WORDS]);
int tmu_queue(const struct tmu *core, uint32_t unit, const struct tmu_quad *quad);
int tmu_collect(const struct tmu *core, uint32_t unit, struct tmu_result *result);
/* Drops what every cache holds, after textures have changed in memory. No quad may be in flight that needs the old ones. */
int tmu_invalidate(const struct tmu *core);
/* Empties the units. The platform must have stopped sending, and drops results that it still holds; one that was offered
 * by the core stays offered, and is dropped, too, before the next quad is sent. */
int tmu_soft_reset(const struct tmu *core);
/* Where the texture window lies in memory. Nothing may be in flight. The caches are emptied. */
int tmu_set_window(const struct tmu *core, uint64_t base);
int tmu_counters(const struct tmu *core, uint32_t unit, struct tmu_counters *counters);
int tmu_errors(const struct tmu *core, struct tmu_errors *errors);
int tmu_clear_errors(const struct tmu *core);

#endif
