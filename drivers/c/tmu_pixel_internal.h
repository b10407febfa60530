/* What the parts of the pixel pipeline's driver share; not for programs. Loops instead of memcpy and memset, which a freestanding
 * program may not have. */
#ifndef TMU_PIXEL_INTERNAL_H
#define TMU_PIXEL_INTERNAL_H

#include "tmu_pixel.h"

/* Planes that triangles are clipped by, and corners of what is left of one. */
#define TMU_PIXEL_PLANES 6u
#define TMU_PIXEL_MOST_CORNERS (3u + TMU_PIXEL_PLANES)

/* Corners of a convex shape, and a place behind the last one. */
struct tmu_pixel_polygon {
  struct tmu_pixel_corner corners[TMU_PIXEL_MOST_CORNERS + 1u];
  uint32_t count;
};

/* A corner on the screen: in 1/16 of a pixel, y downwards. */
struct tmu_pixel_placed {
  int32_t place[2];
  float z;
  float rhw;
};

/* The part of a triangle that can be drawn, its places in homogeneous pixels. Nothing if none of it is on the screen. */
void tmu_pixel_clip(const struct tmu_pixel_corner corners[3], const struct tmu_pixel_viewport *viewport,
                    struct tmu_pixel_polygon *polygon);

/* A corner in homogeneous pixels, inside the guard band, on the screen. */
struct tmu_pixel_placed tmu_pixel_placed(const struct tmu_pixel_corner *corner);

/* Twice the area, exactly; above 0 of a clockwise triangle. */
int64_t tmu_pixel_area(const struct tmu_pixel_placed placed[3]);

/* 1/C by the steps that the pipeline takes. Where they lose C, that of the exact area, which is not 0. */
float tmu_pixel_inverse_area(const struct tmu_pixel_placed placed[3]);

/* Calls `found` for the tiles of a frame that a triangle may touch, row by row, as long as it gives TMU_PIXEL_OK. */
int tmu_pixel_touched(const struct tmu_pixel_placed placed[3], const struct tmu_pixel_settings *settings,
                      int (*found)(void *context, uint32_t tile), void *context);

/* Columns and rows of a tile. */
void tmu_pixel_tile_size(uint32_t tile, uint32_t size[2]);

/* A number that is not below 0 and at most `most`, rounded to the nearest; 0 of what is no number. */
uint32_t tmu_pixel_limited(float value, float most);

static inline uint32_t tmu_pixel_bits(float value)
{
  union {
    float value;
    uint32_t bits;
  } as;
  as.value = value;
  return as.bits;
}

#endif
