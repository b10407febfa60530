/* Frames by the driver in C, as standard input says: numbers of 32 bits, in the order in which they are read here, as often as there
 * are frames. Writes, of each call that may fail, how it has ended, and of each whole frame the address of its record, its triangles
 * and its memory. */
#include "tmu_pixel.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_BYTES (1u << 18)
#define MOST_LISTS 1024u
#define MOST_TEXTURES 4u
#define MOST_LIGHTS 2u

static uint8_t memory[MOST_BYTES];
static struct tmu_pixel_lists lists[MOST_LISTS];
static uint32_t textures[MOST_TEXTURES][TMU_PIXEL_TEXTURE_WORDS];

static uint32_t number(void)
{
  uint8_t bytes[4];
  if (fread(bytes, 1, 4, stdin) != 4) exit(2);
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static float single(void)
{
  union {
    uint32_t bits;
    float value;
  } as;
  as.bits = number();
  return as.value;
}

static void singles(float *values, uint32_t count)
{
  while (count--) *values++ = single();
}

static void tell(uint32_t value)
{
  uint32_t at;
  for (at = 0; at < 4; at++) putchar((int)(value >> 8 * at & 0xffu));
}

static void read_settings(struct tmu_pixel_settings *settings)
{
  uint32_t width = number(), height = number(), channel;
  tmu_pixel_settings_init(settings, width, height);
  settings->tile = number();
  settings->output = number();
  settings->dithers = (int)number();
  for (channel = 0; channel < 4; channel++) settings->clear_color[channel] = (uint8_t)number();
  settings->clear_depth = single();
  settings->picture = number();
  settings->picture_pitch += number();
  settings->writes_depth = (int)number();
  settings->depth = number();
  settings->depth_pitch = number();
}

static void read_state(struct tmu_pixel_state *state, uint32_t program)
{
  uint32_t stage;
  tmu_pixel_state_init(state, program);
  state->blend = number();
  state->alpha_compare = number();
  state->alpha_reference = (uint8_t)number();
  state->sets = number();
  state->has_colors = (int)number();
  for (stage = 0; stage < TMU_PIXEL_SETS; stage++) {
    state->textures[stage] = (uint8_t)number();
    state->bump[stage][stage % 4] = (int16_t)number();
    state->constants[stage][stage % 4] = (int16_t)number();
  }
}

static void read_corner(struct tmu_pixel_corner *corner, const struct tmu_pixel_matrix *matrix, const struct tmu_pixel_light *lights)
{
  float place[4], normal[3], ambient[3];
  uint8_t surface[4], color[4];
  uint32_t at;
  tmu_pixel_corner_init(corner);
  singles(place, 4);
  tmu_pixel_place(matrix, place, corner->place);
  for (at = 0; at < 4; at++) surface[at] = (uint8_t)number();
  singles(normal, 3);
  singles(ambient, 3);
  tmu_pixel_lit(surface, normal, ambient, lights, MOST_LIGHTS, color);
  for (at = 0; at < 4; at++) corner->colors[0][at] = (float)color[at];
  singles(corner->colors[1], 4);
  for (at = 0; at < TMU_PIXEL_SETS; at++) singles(corner->coordinates[at], 4);
}

static void draw(uint32_t base)
{
  struct tmu_pixel_frame frame;
  struct tmu_pixel_settings settings;
  struct tmu_pixel_state state;
  struct tmu_pixel_triangle how;
  struct tmu_pixel_viewport viewport;
  struct tmu_pixel_matrix first, second, joined;
  struct tmu_pixel_light lights[MOST_LIGHTS];
  uint8_t program[64];
  uint32_t bytes = number(), list_count = number(), texture_count, count, at, address = 0, has_viewport;
  int status;
  read_settings(&settings);
  texture_count = number();
  for (at = 0; at < MOST_TEXTURES * TMU_PIXEL_TEXTURE_WORDS; at++)
    textures[at / TMU_PIXEL_TEXTURE_WORDS][at % TMU_PIXEL_TEXTURE_WORDS] = number();
  has_viewport = number();
  viewport.left = single();
  viewport.top = single();
  viewport.width = single();
  viewport.height = single();
  for (at = 0; at < sizeof program; at++) program[at] = (uint8_t)number();
  status = tmu_pixel_begin(&frame, memory, bytes, base, lists, list_count, &settings, (const uint32_t(*)[TMU_PIXEL_TEXTURE_WORDS])textures,
                           texture_count);
  tell((uint32_t)status);
  if (!status) {
    status = tmu_pixel_program(&frame, program, sizeof program, &address);
    tell((uint32_t)status);
  }
  read_state(&state, address);
  if (!status) {
    status = tmu_pixel_put_state(&frame, &state, &how.state);
    tell((uint32_t)status);
  }
  if (!status && has_viewport) tmu_pixel_set_viewport(&frame, &viewport);
  for (at = 0; at < 4; at++) singles(first.rows[at], 4);
  for (at = 0; at < 4; at++) singles(second.rows[at], 4);
  tmu_pixel_join(&joined, &first, &second);
  for (at = 0; at < MOST_LIGHTS; at++) {
    singles(lights[at].direction, 3);
    singles(lights[at].color, 3);
  }
  for (count = number(); count; count--) {
    struct tmu_pixel_corner corners[3];
    how.part = number();
    how.compare = number();
    how.cull = number();
    for (at = 0; at < 3; at++) read_corner(&corners[at], &joined, lights);
    if (!status) {
      status = tmu_pixel_put_triangle(&frame, &how, corners);
      tell((uint32_t)status);
    }
  }
  if (!status) {
    status = tmu_pixel_finish(&frame, &address);
    tell((uint32_t)status);
  }
  if (!status) {
    tell(address);
    tell(frame.triangles);
    fwrite(memory, 1, frame.used, stdout);
  }
}

int main(void)
{
  uint32_t base;
  while ((base = number()) != 0xffffffffu) draw(base);
  return 0;
}
