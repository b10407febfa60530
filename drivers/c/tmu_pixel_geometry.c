/* From places in a scene to triangles on the screen: transform, light, clip, set up, and which tiles a triangle touches. */
#include "tmu_pixel_internal.h"

/* The farthest place, in pixels, either side of the screen's corner, so that places have 18 bits. */
#define GUARD 8191.0f
/* The least w: in front of the eye. */
#define LEAST_W 1.0e-6f
/* Parts of a pixel, and the farthest place in them. */
#define PARTS 16.0f
#define MOST_PLACE ((1 << 17) - 1)

void tmu_pixel_place(const struct tmu_pixel_matrix *matrix, const float place[4], float moved[4])
{
  float found[4];
  uint32_t row;
  for (row = 0; row < 4; row++) {
    const float *of = matrix->rows[row];
    found[row] = ((of[0] * place[0] + of[1] * place[1]) + of[2] * place[2]) + of[3] * place[3];
  }
  for (row = 0; row < 4; row++) moved[row] = found[row];
}

void tmu_pixel_join(struct tmu_pixel_matrix *joined, const struct tmu_pixel_matrix *after, const struct tmu_pixel_matrix *before)
{
  struct tmu_pixel_matrix found;
  uint32_t row, column;
  for (column = 0; column < 4; column++) {
    float place[4];
    for (row = 0; row < 4; row++) place[row] = before->rows[row][column];
    tmu_pixel_place(after, place, place);
    for (row = 0; row < 4; row++) found.rows[row][column] = place[row];
  }
  *joined = found;
}

uint32_t tmu_pixel_limited(float value, float most)
{
  if (!(value > 0.0f)) return 0; /* what is no number, too */
  return (uint32_t)((value > most ? most : value) + 0.5f);
}

void tmu_pixel_lit(const uint8_t surface[4], const float normal[3], const float ambient[3], const struct tmu_pixel_light *lights,
                   uint32_t count, uint8_t color[4])
{
  float sum[3];
  uint32_t number, channel;
  for (channel = 0; channel < 3; channel++) sum[channel] = ambient[channel];
  for (number = 0; number < count; number++) {
    const float *direction = lights[number].direction;
    float facing = (direction[0] * normal[0] + direction[1] * normal[1]) + direction[2] * normal[2];
    if (facing > 0.0f)
      for (channel = 0; channel < 3; channel++) sum[channel] += lights[number].color[channel] * facing;
  }
  for (channel = 0; channel < 3; channel++) {
    float bright = sum[channel] > 1.0f ? 1.0f : sum[channel];
    color[channel] = (uint8_t)tmu_pixel_limited((float)surface[channel] * bright, 255.0f);
  }
  color[3] = surface[3];
}

/* A place of the cube from -1 to 1, times w, in pixels, times w: y downwards, z as it was. */
static void to_pixels(const struct tmu_pixel_viewport *viewport, float place[4])
{
  float half_width = viewport->width * 0.5f, half_height = viewport->height * 0.5f;
  float x = place[0], y = place[1], w = place[3];
  place[0] = x * half_width + w * (viewport->left + half_width);
  place[1] = w * (viewport->top + half_height) - y * half_height;
}

/* How far a place lies inside a plane: not below 0 where it is inside. */
static float inside(uint32_t plane, const float place[4])
{
  float x = place[0], y = place[1], z = place[2], w = place[3];
  switch (plane) {
  case 0: return z;
  case 1: return w - LEAST_W;
  case 2: return x + GUARD * w;
  case 3: return GUARD * w - x;
  case 4: return y + GUARD * w;
  default: return GUARD * w - y;
  }
}

static void four_between(const float from[4], const float to[4], float part, float found[4])
{
  uint32_t at;
  for (at = 0; at < 4; at++) found[at] = from[at] + (to[at] - from[at]) * part;
}

/* A plane adds at most one corner to a convex shape; rounding that makes it another one loses a corner, not a frame. */
static struct tmu_pixel_corner *push(struct tmu_pixel_polygon *polygon)
{
  struct tmu_pixel_corner *corner = &polygon->corners[polygon->count];
  if (polygon->count < TMU_PIXEL_MOST_CORNERS) polygon->count++;
  return corner;
}

static void clip_by(uint32_t plane, const struct tmu_pixel_polygon *polygon, struct tmu_pixel_polygon *clipped)
{
  uint32_t number, at;
  clipped->count = 0;
  for (number = 0; number < polygon->count; number++) {
    const struct tmu_pixel_corner *to = &polygon->corners[number];
    const struct tmu_pixel_corner *from = &polygon->corners[(number + polygon->count - 1u) % polygon->count];
    float before = inside(plane, from->place), behind = inside(plane, to->place);
    if ((before >= 0.0f) != (behind >= 0.0f)) {
      struct tmu_pixel_corner *corner = push(clipped);
      float part = before / (before - behind);
      four_between(from->place, to->place, part, corner->place);
      for (at = 0; at < 2; at++) four_between(from->colors[at], to->colors[at], part, corner->colors[at]);
      for (at = 0; at < TMU_PIXEL_SETS; at++)
        four_between(from->coordinates[at], to->coordinates[at], part, corner->coordinates[at]);
    }
    if (behind >= 0.0f) *push(clipped) = *to;
  }
}

static int is_finite(float value)
{
  return (tmu_pixel_bits(value) >> 23 & 0xffu) != 0xffu;
}

/* Whether all three corners lie beyond an edge of the screen, or one of them has no place. */
static int is_beside(const struct tmu_pixel_polygon *polygon, const struct tmu_pixel_viewport *viewport)
{
  float right = viewport->left + viewport->width, bottom = viewport->top + viewport->height;
  uint32_t number, at, beyond = 0xfu;
  for (number = 0; number < polygon->count; number++) {
    const float *place = polygon->corners[number].place;
    float x = place[0], y = place[1], w = place[3];
    for (at = 0; at < 4; at++)
      if (!is_finite(place[at])) return 1;
    beyond &= (x < viewport->left * w ? 1u : 0u) | (x > right * w ? 2u : 0u) | (y < viewport->top * w ? 4u : 0u)
              | (y > bottom * w ? 8u : 0u);
  }
  return beyond != 0;
}

void tmu_pixel_clip(const struct tmu_pixel_corner corners[3], const struct tmu_pixel_viewport *viewport,
                    struct tmu_pixel_polygon *polygon)
{
  struct tmu_pixel_polygon other;
  uint32_t number;
  for (number = 0; number < 3; number++) {
    polygon->corners[number] = corners[number];
    to_pixels(viewport, polygon->corners[number].place);
  }
  polygon->count = 3;
  if (is_beside(polygon, viewport)) {
    polygon->count = 0;
    return;
  }
  for (number = 0; number < TMU_PIXEL_PLANES; number += 2) {
    clip_by(number, polygon, &other);
    clip_by(number + 1u, &other, polygon);
  }
}

/* A number rounded to an integer, halves upwards, inside the guard band; 0 of what is no number. */
static int32_t rounded(float value)
{
  float moved = value + 0.5f;
  int32_t cut;
  if (!(moved == moved)) return 0;
  if (moved <= (float)(-MOST_PLACE - 1)) return -MOST_PLACE - 1;
  if (moved >= (float)MOST_PLACE) return MOST_PLACE;
  cut = (int32_t)moved;
  return (float)cut > moved ? cut - 1 : cut;
}

struct tmu_pixel_placed tmu_pixel_placed(const struct tmu_pixel_corner *corner)
{
  struct tmu_pixel_placed placed;
  float rhw = 1.0f / corner->place[3];
  placed.place[0] = rounded(corner->place[0] * rhw * PARTS);
  placed.place[1] = rounded(corner->place[1] * rhw * PARTS);
  placed.z = corner->place[2] * rhw;
  placed.rhw = rhw;
  return placed;
}

int64_t tmu_pixel_area(const struct tmu_pixel_placed placed[3])
{
  int64_t x0 = placed[0].place[0], y0 = placed[0].place[1];
  int64_t x1 = placed[1].place[0], y1 = placed[1].place[1];
  int64_t x2 = placed[2].place[0], y2 = placed[2].place[1];
  return (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
}

float tmu_pixel_inverse_area(const struct tmu_pixel_placed placed[3])
{
  float x[3], y[3], c;
  uint32_t number;
  for (number = 0; number < 3; number++) {
    x[number] = (float)placed[number].place[0] / PARTS;
    y[number] = (float)placed[number].place[1] / PARTS;
  }
  c = (x[1] - x[2]) * (y[1] - y[0]) - (y[1] - y[2]) * (x[1] - x[0]);
  return c == 0.0f ? PARTS * PARTS / (float)tmu_pixel_area(placed) : 1.0f / c;
}

void tmu_pixel_tile_size(uint32_t tile, uint32_t size[2])
{
  static const uint8_t sizes[4][2] = {{16, 16}, {32, 32}, {64, 64}, {32, 4}};
  size[0] = sizes[tile & 3u][0];
  size[1] = sizes[tile & 3u][1];
}

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }

/* A place in tiles, rounded down. */
static int32_t tile_of(int32_t place, int32_t size)
{
  return place >= 0 ? place / size : -((-place + size - 1) / size);
}

/* Whether all centres of pixels of a tile lie outside an edge of a triangle. */
static int is_outside(const struct tmu_pixel_placed placed[3], const uint32_t tile[2], const uint32_t size[2])
{
  int64_t sign = tmu_pixel_area(placed) < 0 ? -1 : 1;
  int64_t first[2];
  uint32_t number, axis, corner;
  for (axis = 0; axis < 2; axis++) first[axis] = (int64_t)(16 * tile[axis] * size[axis] + 8);
  for (number = 0; number < 3; number++) {
    int64_t x0 = placed[number].place[0], y0 = placed[number].place[1];
    int64_t x1 = placed[(number + 1) % 3].place[0], y1 = placed[(number + 1) % 3].place[1];
    int is_inside = 0;
    for (corner = 0; corner < 4; corner++) {
      int64_t x = first[0] + (corner & 1u ? (int64_t)(16 * (size[0] - 1)) : 0);
      int64_t y = first[1] + (corner & 2u ? (int64_t)(16 * (size[1] - 1)) : 0);
      if (sign * ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) >= 0) is_inside = 1;
    }
    if (!is_inside) return 1;
  }
  return 0;
}

int tmu_pixel_touched(const struct tmu_pixel_placed placed[3], const struct tmu_pixel_settings *settings,
                      int (*found)(void *context, uint32_t tile), void *context)
{
  const uint32_t pixels[2] = {settings->width, settings->height};
  uint32_t size[2], tile[2], axis;
  int32_t first[2], end[2], across[2];
  tmu_pixel_tile_size(settings->tile, size);
  for (axis = 0; axis < 2; axis++) {
    int32_t a = placed[0].place[axis], b = placed[1].place[axis], c = placed[2].place[axis];
    across[axis] = (int32_t)((pixels[axis] + size[axis] - 1) / size[axis]);
    first[axis] = most(tile_of(least(least(a, b), c), (int32_t)(16 * size[axis])), 0);
    end[axis] = least(tile_of(most(most(a, b), c), (int32_t)(16 * size[axis])) + 1, across[axis]);
  }
  for (tile[1] = (uint32_t)first[1]; (int32_t)tile[1] < end[1]; tile[1]++)
    for (tile[0] = (uint32_t)first[0]; (int32_t)tile[0] < end[0]; tile[0]++)
      if (!is_outside(placed, tile, size)) {
        int status = found(context, tile[1] * (uint32_t)across[0] + tile[0]);
        if (status) return status;
      }
  return TMU_PIXEL_OK;
}
