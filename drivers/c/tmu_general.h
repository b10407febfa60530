/* Bindings, quads and results of the general numerics, in the manner of tmu.h, which has the rest.
 *
 *   struct tmu core;
 *   struct tmu_sampler sampler;
 *   struct tmu_general_texture texture = {.kind = TMU_KIND_2D, .format = TMU_BC1, .width = 300, .height = 200, .depth = 1,
 *                                         .levels = 9, .swizzle = TMU_NO_SWIZZLE};
 *   tmu_open_general(&core, &bus, NAME_BUILT);       // the word of the core's header
 *   tmu_pack_levels(&texture);
 *   tmu_default_sampler(&sampler);
 *   sampler.min = sampler.mag = TMU_FILTER_LINEAR;
 *   tmu_bind_general(&core, 0, &texture, &sampler);  // holds for all quads behind it
 *   tmu_queue_general(&core, 0, &quad);              // TMU_FULL: collect, then try again
 *   tmu_collect_general(&core, 0, &result);          // TMU_EMPTY: nothing yet
 */
#ifndef TMU_GENERAL_H
#define TMU_GENERAL_H

#include "tmu.h"
#include "tmu_general_fields.h"

#define TMU_GENERAL_WORDS (TMU_GENERAL_BEATS * TMU_GENERAL_WORDS_PER_BEAT)
#define TMU_CHANNELS 4u

/* Each channel shows itself. */
#define TMU_NO_SWIZZLE {TMU_COMPONENT_R, TMU_COMPONENT_G, TMU_COMPONENT_B, TMU_COMPONENT_A}

/* A texture in memory. */
struct tmu_general_texture {
  uint32_t base; /* bytes from the start of the texture window, a multiple of 16 */
  /* Bytes from the base to each level, multiples of 16. Those beyond the last level mean nothing. */
  uint32_t level_offsets[TMU_MAX_LEVELS];
  uint16_t width, height; /* in texels; the height of a 1d texture is 1 */
  uint16_t depth;         /* slices of a volume, layers of an array, 1 otherwise */
  uint8_t kind, format;
  uint8_t levels;
  uint8_t swizzle[TMU_CHANNELS]; /* what the channels of a result show: enum tmu_component */
  uint8_t srgb;                  /* colours are sRGB-coded */
  uint8_t drop_cache;            /* drop what the unit's cache holds first: memory has changed */
};

/* How a texture is read. Levels of detail count in 1/256 of a level. */
struct tmu_sampler {
  int16_t lod_bias, min_lod, max_lod;
  uint8_t min, mag;       /* filters where a texel covers less or more than a pixel: enum tmu_filter */
  uint8_t mip;            /* which levels are taken: enum tmu_mip_filter */
  uint8_t max_anisotropy; /* most probes of a footprint: 1, 2, 4, 8 or 16 */
  uint8_t cube_seamless;  /* footprints of a cube go on across edges */
  uint8_t address[3];     /* address modes of u, v and w */
  uint8_t border[TMU_CHANNELS]; /* R, G, B, A outside the texture, with address mode border */
  uint8_t compares;       /* depths are compared with the pixel's reference, */
  uint8_t compare;        /* like this: enum tmu_compare_op */
};

/* Four pixels, 2 x 2. u, v, w and q are s16.16 or IEEE singles, as the core was built, or the integers of a fetch; d and lod
 * are always singles. tmu_single gives the bits of one. */
struct tmu_general_quad {
  uint32_t u[TMU_PIXELS], v[TMU_PIXELS];
  uint32_t w[TMU_PIXELS]; /* only textures of three axes, layers or faces look at it */
  uint32_t q[TMU_PIXELS]; /* divisor; only a projective core looks at it */
  uint32_t d[TMU_PIXELS]; /* depth that texels are compared with */
  uint32_t lod;           /* level of detail or bias; nothing of TMU_OPERATION_SAMPLE */
  uint8_t operation;      /* enum tmu_operation */
  uint8_t component;      /* what a gather returns: 0 to 3 for R, G, B, A */
  uint8_t valid;          /* bit i: pixel i counts */
};

struct tmu_general_result {
  /* Bits of R, G, B and A of each pixel as the core was built; 0 for pixels that are not valid. */
  uint32_t channels[TMU_PIXELS][TMU_CHANNELS];
  uint8_t valid;
  uint8_t error; /* the quad could not be sampled: see tmu_errors */
};

/* Opens a core of the general numerics. `built` is NAME_BUILT of the core's header. */
int tmu_open_general(struct tmu *core, const struct tmu_bus *bus, uint32_t built);
/* The nearest texel of level 0, repeated. */
void tmu_default_sampler(struct tmu_sampler *sampler);
/* Puts levels one behind the other, behind the colour table if there is one, the largest first. The format must be known. */
void tmu_pack_levels(struct tmu_general_texture *texture);
/* As many levels as there may be: down to one texel. */
uint32_t tmu_most_levels(const struct tmu_general_texture *texture);
/* Bytes of a level with all its slices. The format must be known. */
uint64_t tmu_level_bytes(const struct tmu_general_texture *texture, uint32_t level);
/* Why the core would refuse a binding: the first rule that is broken, or TMU_OK. */
int tmu_check_general(const struct tmu *core, const struct tmu_general_texture *texture, const struct tmu_sampler *sampler);
/* The words of the binding, whether a core takes it or not. */
void tmu_general_words(const struct tmu_general_texture *texture, const struct tmu_sampler *sampler,
                       uint32_t words[TMU_GENERAL_WORDS]);
/* Queues a binding. One that the core would refuse is refused here, and nothing is sent. */
int tmu_bind_general(const struct tmu *core, uint32_t unit, const struct tmu_general_texture *texture,
                     const struct tmu_sampler *sampler);
/* Queues a quad, in one beat or in as few as it needs, as the core was built. */
int tmu_queue_general(const struct tmu *core, uint32_t unit, const struct tmu_general_quad *quad);
int tmu_collect_general(const struct tmu *core, uint32_t unit, struct tmu_general_result *result);

/* An entry of the parameter store holds a texture for each target: rows, pictures and arrays, volumes, cubes. Of those that are
 * enabled the cube holds before the volume before the picture before the row; where none is, results are zeros without an error. */
#define TMU_ENABLE_1D 1u
#define TMU_ENABLE_2D 2u
#define TMU_ENABLE_3D 4u
#define TMU_ENABLE_CUBE 8u
/* Enables stay as they are. */
#define TMU_ENABLES_STAY 0xffu

/* What binds an entry. */
struct tmu_use {
  uint8_t entry;
  uint8_t enables;    /* from now on, or TMU_ENABLES_STAY */
  uint8_t drop_cache; /* drop what the unit's cache holds first: memory has changed */
  uint8_t secondary;  /* it is the secondary texture of indirect look-ups */
};

/* Queues a texture for an entry, where it stands at the target of its kind. What is bound stays as it is. */
int tmu_store_general(const struct tmu *core, uint32_t unit, uint32_t entry, uint32_t enables,
                      const struct tmu_general_texture *texture, const struct tmu_sampler *sampler);
/* Queues what binds an entry for all quads behind it. */
int tmu_use_entry(const struct tmu *core, uint32_t unit, const struct tmu_use *use);

/* How a quad of an indirect look-up is looked up. */
struct tmu_setup {
  int16_t offset_u, offset_v; /* texels of the primary texture from a value's place to that of the next one */
  uint8_t operation;          /* what becomes of the values: enum tmu_aggregate */
  uint8_t values;             /* of each pixel: 1 to 4 */
  uint8_t u_field, v_field;   /* components of a primary texel that are x and y: TMU_COMPONENT_R to TMU_COMPONENT_A */
};

/* An indirect look-up: texels of the primary texture are the places of texels in the secondary one. */
struct tmu_indirect {
  const struct tmu_general_texture *primary, *secondary;
  const struct tmu_sampler *primary_sampler, *secondary_sampler;
  struct tmu_setup setup;
  uint8_t queued; /* textures that have been queued: begins as 0 */
};

/* Four pixels, 2 x 2: the texels of the primary texture at which their first values are found. */
struct tmu_indirect_quad {
  int32_t x[TMU_PIXELS], y[TMU_PIXELS];
  uint8_t valid; /* bit i: pixel i counts */
};

/* Sets an indirect look-up up: queues both its textures. TMU_FULL: try again, as often as it takes. */
int tmu_set_up_indirect(const struct tmu *core, uint32_t unit, struct tmu_indirect *look_up);
/* Requests values of textures that are bound. */
int tmu_request_indirect(const struct tmu *core, uint32_t unit, const struct tmu_setup *setup,
                         const struct tmu_indirect_quad *quad);
/* Gives the oldest value that was not collected, those of a quad one after the other, and whether no other one follows. */
int tmu_collect_indirect(const struct tmu *core, uint32_t unit, struct tmu_general_result *value, uint8_t *is_last);
/* The bits of a single. */
uint32_t tmu_single(float value);

#endif
