/* A frame as it is put into memory: records, and the lists of tiles. */
#include "tmu_pixel_internal.h"
#include "tmu_pixel_layout.h"

#define LINE_BYTES 16u
#define MOST_PIXELS 4096u
#define MOST_TEXTURES 256u
#define MOST_ENTRIES ((1u << 20) - 1u)
#define MOST_TILE 3u
#define MOST_OUTPUT 2u
#define MOST_BLEND 4u
#define MOST_COMPARE 7u
#define MOST_CULL 2u
#define MOST_PART 3u
/* A list is a chain of blocks, whose last entry jumps to the next block, one chain for each part of each tile. */
#define BLOCK_ENTRIES 16u
#define ENTRY_BYTES 4u
#define JUMP 4u
/* The letters TPS1, which encoded programs begin with. */
#define PROGRAM_MAGIC 0x31535054u

/* Sets a value of a field in a record of zeros, the first of them 0, of which the bits count that the field has. */
static void set_field(uint32_t *words, uint32_t word, uint32_t bit, uint32_t bits, uint32_t number, uint32_t value)
{
  uint32_t from_start = word * 32u + bit + number * bits;
  words[from_start / 32u] |= (value & 0xffffffffu >> (32u - bits)) << from_start % 32u;
}

static void clear(uint32_t *words, uint32_t count)
{
  while (count--) words[count] = 0;
}

/* Takes whole lines of zeros; gives their address. */
static int take(struct tmu_pixel_frame *frame, uint32_t bytes, uint32_t *address)
{
  uint64_t end = (uint64_t)frame->used + ((uint64_t)bytes + LINE_BYTES - 1u) / LINE_BYTES * LINE_BYTES;
  uint32_t at;
  /* The last byte has an address, too. */
  if (end > frame->bytes || frame->base + end > 0xffffffffu) return TMU_PIXEL_FAILED_MEMORY;
  *address = frame->base + frame->used;
  for (at = frame->used; at < (uint32_t)end; at++) frame->memory[at] = 0;
  frame->used = (uint32_t)end;
  return TMU_PIXEL_OK;
}

/* Writes a word at an address that was taken. */
static void set_word(struct tmu_pixel_frame *frame, uint32_t address, uint32_t word)
{
  uint8_t *bytes = frame->memory + (address - frame->base);
  uint32_t at;
  for (at = 0; at < 4; at++) bytes[at] = (uint8_t)(word >> 8 * at);
}

/* Puts words behind all that was taken; gives their address. */
static int put(struct tmu_pixel_frame *frame, const uint32_t *words, uint32_t count, uint32_t *address)
{
  uint32_t at;
  int status = take(frame, 4u * count, address);
  if (status) return status;
  for (at = 0; at < count; at++) set_word(frame, *address + 4u * at, words[at]);
  return TMU_PIXEL_OK;
}

void tmu_pixel_settings_init(struct tmu_pixel_settings *settings, uint32_t width, uint32_t height)
{
  settings->width = width;
  settings->height = height;
  settings->tile = TMU_PIXEL_32X32;
  settings->output = TMU_PIXEL_RGBA8;
  settings->dithers = 0;
  settings->clear_color[0] = settings->clear_color[1] = settings->clear_color[2] = 0;
  settings->clear_color[3] = 255;
  settings->clear_depth = 1.0f;
  settings->picture = 0;
  settings->picture_pitch = width <= MOST_PIXELS ? (4u * width + LINE_BYTES - 1u) / LINE_BYTES * LINE_BYTES : 0;
  settings->writes_depth = 0;
  settings->depth = 0;
  settings->depth_pitch = 0;
}

void tmu_pixel_state_init(struct tmu_pixel_state *state, uint32_t program)
{
  uint32_t stage, number;
  state->program = program;
  state->blend = TMU_PIXEL_BLEND_NONE;
  state->alpha_compare = TMU_PIXEL_ALWAYS;
  state->alpha_reference = 0;
  state->sets = 0;
  state->has_colors = 0;
  for (stage = 0; stage < TMU_PIXEL_SETS; stage++) {
    state->textures[stage] = 0;
    for (number = 0; number < 4; number++) state->bump[stage][number] = 0;
  }
  for (stage = 0; stage < TMU_PIXEL_CONSTANTS; stage++)
    for (number = 0; number < 4; number++) state->constants[stage][number] = 0;
}

void tmu_pixel_corner_init(struct tmu_pixel_corner *corner)
{
  uint32_t set, at;
  for (at = 0; at < 4; at++) {
    corner->place[at] = 0.0f;
    corner->colors[0][at] = 255.0f;
    corner->colors[1][at] = 0.0f;
    for (set = 0; set < TMU_PIXEL_SETS; set++) corner->coordinates[set][at] = 0.0f;
  }
}

uint32_t tmu_pixel_tiles(const struct tmu_pixel_settings *settings)
{
  uint32_t size[2];
  tmu_pixel_tile_size(settings->tile, size);
  return (settings->width + size[0] - 1) / size[0] * ((settings->height + size[1] - 1) / size[1]);
}

static int is_side(uint32_t side)
{
  return side >= 1 && side <= MOST_PIXELS;
}

static int fits(uint32_t base, uint32_t pitch, uint32_t row_bytes)
{
  return base % LINE_BYTES == 0 && pitch % LINE_BYTES == 0 && pitch >= row_bytes;
}

static int check_settings(const struct tmu_pixel_settings *settings)
{
  uint32_t pixel_bytes = settings->output == TMU_PIXEL_RGB565 ? 2u : 4u;
  if (!is_side(settings->width) || !is_side(settings->height)) return TMU_PIXEL_FAILED_SIZE;
  if (settings->output > MOST_OUTPUT || settings->tile > MOST_TILE) return TMU_PIXEL_FAILED_CODE;
  if (!fits(settings->picture, settings->picture_pitch, settings->width * pixel_bytes)) return TMU_PIXEL_FAILED_PICTURE;
  if (settings->writes_depth && !fits(settings->depth, settings->depth_pitch, settings->width * 4u))
    return TMU_PIXEL_FAILED_PICTURE;
  return TMU_PIXEL_OK;
}

int tmu_pixel_begin(struct tmu_pixel_frame *frame, void *memory, uint32_t bytes, uint32_t base, struct tmu_pixel_lists *lists,
                    uint32_t list_count, const struct tmu_pixel_settings *settings,
                    const uint32_t (*textures)[TMU_PIXEL_TEXTURE_WORDS], uint32_t texture_count)
{
  uint32_t number, part, address;
  int status = check_settings(settings);
  if (status) return status;
  if (base == 0 || base % LINE_BYTES) return TMU_PIXEL_FAILED_BASE;
  if (texture_count > MOST_TEXTURES) return TMU_PIXEL_FAILED_TEXTURES;
  if (list_count < tmu_pixel_tiles(settings)) return TMU_PIXEL_FAILED_LISTS;
  frame->memory = memory;
  frame->bytes = bytes;
  frame->base = base;
  frame->used = 0;
  frame->lists = lists;
  frame->settings = *settings;
  frame->viewport.left = frame->viewport.top = 0.0f;
  frame->viewport.width = (float)settings->width;
  frame->viewport.height = (float)settings->height;
  frame->texture_count = texture_count;
  frame->triangles = 0;
  for (number = 0; number < tmu_pixel_tiles(settings); number++) {
    for (part = 0; part < MOST_PART; part++)
      lists[number].parts[part].first = lists[number].parts[part].next = lists[number].parts[part].free = 0;
    lists[number].entries = 0;
  }
  status = take(frame, 0, &frame->textures);
  for (number = 0; number < texture_count && !status; number++)
    status = put(frame, textures[number], TMU_PIXEL_TEXTURE_WORDS, &address);
  return status;
}

void tmu_pixel_set_viewport(struct tmu_pixel_frame *frame, const struct tmu_pixel_viewport *viewport)
{
  frame->viewport = *viewport;
}

int tmu_pixel_program(struct tmu_pixel_frame *frame, const uint8_t *program, uint32_t bytes, uint32_t *address)
{
  uint32_t at;
  int status;
  if (bytes < 4 || bytes % LINE_BYTES) return TMU_PIXEL_FAILED_PROGRAM;
  for (at = 0; at < 4; at++)
    if (program[at] != (uint8_t)(PROGRAM_MAGIC >> 8 * at)) return TMU_PIXEL_FAILED_PROGRAM;
  status = take(frame, bytes, address);
  if (status) return status;
  for (at = 0; at < bytes; at++) frame->memory[*address - frame->base + at] = program[at];
  return TMU_PIXEL_OK;
}

int tmu_pixel_put_state(struct tmu_pixel_frame *frame, const struct tmu_pixel_state *state, struct tmu_pixel_state_name *name)
{
  uint32_t words[TMU_PIXEL_STATE_WORDS], number;
  if (state->sets > TMU_PIXEL_SETS) return TMU_PIXEL_FAILED_SETS;
  if (state->blend > MOST_BLEND || state->alpha_compare > MOST_COMPARE) return TMU_PIXEL_FAILED_CODE;
  if (state->program % LINE_BYTES) return TMU_PIXEL_FAILED_ALIGNMENT;
  /* Stages that sample nothing may have any; 0 is what they have if nothing is said. */
  for (number = 0; number < TMU_PIXEL_SETS; number++)
    if (state->textures[number] != 0 && state->textures[number] >= frame->texture_count) return TMU_PIXEL_FAILED_TEXTURES;
  clear(words, TMU_PIXEL_STATE_WORDS);
  set_field(words, TMU_PIXEL_STATE_PROGRAM, 0, state->program);
  set_field(words, TMU_PIXEL_STATE_BLEND, 0, state->blend);
  set_field(words, TMU_PIXEL_STATE_ALPHA_COMPARE, 0, state->alpha_compare);
  set_field(words, TMU_PIXEL_STATE_ALPHA_REFERENCE, 0, state->alpha_reference);
  set_field(words, TMU_PIXEL_STATE_SETS, 0, state->sets);
  set_field(words, TMU_PIXEL_STATE_HAS_COLORS, 0, state->has_colors ? 1u : 0u);
  for (number = 0; number < TMU_PIXEL_SETS; number++)
    set_field(words, TMU_PIXEL_STATE_TEXTURES, number, state->textures[number]);
  for (number = 0; number < 4 * TMU_PIXEL_SETS; number++)
    set_field(words, TMU_PIXEL_STATE_BUMP, number, (uint32_t)state->bump[number / 4][number % 4]);
  for (number = 0; number < 4 * TMU_PIXEL_CONSTANTS; number++)
    set_field(words, TMU_PIXEL_STATE_CONSTANTS, number, (uint32_t)state->constants[number / 4][number % 4]);
  name->sets = state->sets;
  name->has_colors = state->has_colors;
  return put(frame, words, TMU_PIXEL_STATE_WORDS, &name->address);
}

/* Puts a vertex; gives its address. */
static int put_vertex(struct tmu_pixel_frame *frame, const struct tmu_pixel_state_name *state, const struct tmu_pixel_corner *corner,
                      const struct tmu_pixel_placed *placed, uint32_t *address)
{
  uint32_t words[TMU_PIXEL_POSITION_WORDS], set, at, behind;
  int status;
  clear(words, TMU_PIXEL_POSITION_WORDS);
  set_field(words, TMU_PIXEL_POSITION_X, 0, (uint32_t)placed->place[0]);
  set_field(words, TMU_PIXEL_POSITION_Y, 0, (uint32_t)placed->place[1]);
  set_field(words, TMU_PIXEL_POSITION_Z, 0, tmu_pixel_bits(placed->z));
  set_field(words, TMU_PIXEL_POSITION_RHW, 0, tmu_pixel_bits(placed->rhw));
  status = put(frame, words, TMU_PIXEL_POSITION_WORDS, address);
  if (!status && state->has_colors) {
    uint32_t colors[TMU_PIXEL_VERTEX_COLORS_WORDS];
    clear(colors, TMU_PIXEL_VERTEX_COLORS_WORDS);
    for (at = 0; at < 4; at++) {
      set_field(colors, TMU_PIXEL_VERTEX_COLORS_FIRST, at, tmu_pixel_limited(corner->colors[0][at], 255.0f));
      set_field(colors, TMU_PIXEL_VERTEX_COLORS_SECOND, at, tmu_pixel_limited(corner->colors[1][at], 255.0f));
    }
    status = put(frame, colors, TMU_PIXEL_VERTEX_COLORS_WORDS, &behind);
  }
  for (set = 0; set < state->sets && !status; set++) {
    uint32_t values[4];
    for (at = 0; at < 4; at++) values[at] = tmu_pixel_bits(corner->coordinates[set][at] * placed->rhw);
    status = put(frame, values, 4, &behind);
  }
  return status;
}

/* Puts a triangle with its vertices; gives its address. */
static int put_record(struct tmu_pixel_frame *frame, const struct tmu_pixel_triangle *how,
                      const struct tmu_pixel_corner *const corners[3], const struct tmu_pixel_placed placed[3], uint32_t *address)
{
  uint32_t words[TMU_PIXEL_TRIANGLE_WORDS], number, vertex;
  clear(words, TMU_PIXEL_TRIANGLE_WORDS);
  set_field(words, TMU_PIXEL_TRIANGLE_STATE, 0, how->state.address);
  set_field(words, TMU_PIXEL_TRIANGLE_INVERSE_AREA, 0, tmu_pixel_bits(tmu_pixel_inverse_area(placed)));
  set_field(words, TMU_PIXEL_TRIANGLE_COMPARE, 0, how->compare);
  set_field(words, TMU_PIXEL_TRIANGLE_CULL, 0, how->cull);
  for (number = 0; number < 3; number++) {
    int status = put_vertex(frame, &how->state, corners[number], &placed[number], &vertex);
    if (status) return status;
    set_field(words, TMU_PIXEL_TRIANGLE_VERTICES, number, vertex);
  }
  return put(frame, words, TMU_PIXEL_TRIANGLE_WORDS, address);
}

/* Adds a triangle to the list of a tile by its address. */
static int add(struct tmu_pixel_frame *frame, struct tmu_pixel_lists *lists, uint32_t part, uint32_t triangle)
{
  uint32_t block;
  /* The last entry of a block is kept for the jump to the next one. */
  if (lists->parts[part - 1].free <= 1) {
    int status = take(frame, BLOCK_ENTRIES * ENTRY_BYTES, &block);
    if (status) return status;
    if (lists->parts[part - 1].first == 0)
      lists->parts[part - 1].first = block;
    else {
      set_word(frame, lists->parts[part - 1].next, block | JUMP);
      lists->entries++;
    }
    lists->parts[part - 1].next = block;
    lists->parts[part - 1].free = BLOCK_ENTRIES;
  }
  set_word(frame, lists->parts[part - 1].next, triangle | part);
  lists->parts[part - 1].next += ENTRY_BYTES;
  lists->parts[part - 1].free--;
  lists->entries++;
  return TMU_PIXEL_OK;
}

/* A triangle on its way to the tiles that it touches: it is put when the first of them is found. */
struct piece {
  struct tmu_pixel_frame *frame;
  const struct tmu_pixel_triangle *how;
  const struct tmu_pixel_corner *corners[3];
  struct tmu_pixel_placed placed[3];
  uint32_t address;
};

static int found_tile(void *context, uint32_t tile)
{
  struct piece *piece = context;
  struct tmu_pixel_frame *frame = piece->frame;
  if (piece->address == 0) {
    int status = put_record(frame, piece->how, piece->corners, piece->placed, &piece->address);
    if (status) return status;
    frame->triangles++;
  }
  return add(frame, &frame->lists[tile], piece->how->part, piece->address);
}

/* A triangle that needs no clipping. */
static int put_piece(struct piece *piece)
{
  uint32_t number;
  int64_t area;
  for (number = 0; number < 3; number++) piece->placed[number] = tmu_pixel_placed(piece->corners[number]);
  area = tmu_pixel_area(piece->placed);
  if (area == 0 || (piece->how->cull == TMU_PIXEL_CULL_CLOCKWISE && area > 0)
      || (piece->how->cull == TMU_PIXEL_CULL_COUNTER_CLOCKWISE && area < 0))
    return TMU_PIXEL_OK;
  piece->address = 0;
  return tmu_pixel_touched(piece->placed, &piece->frame->settings, found_tile, piece);
}

int tmu_pixel_put_triangle(struct tmu_pixel_frame *frame, const struct tmu_pixel_triangle *how,
                           const struct tmu_pixel_corner corners[3])
{
  struct tmu_pixel_polygon polygon;
  struct piece piece;
  uint32_t number;
  int status = TMU_PIXEL_OK;
  if (how->compare > MOST_COMPARE || how->cull > MOST_CULL || how->part < 1 || how->part > MOST_PART)
    return TMU_PIXEL_FAILED_CODE;
  tmu_pixel_clip(corners, &frame->viewport, &polygon);
  piece.frame = frame;
  piece.how = how;
  for (number = 2; number < polygon.count && !status; number++) {
    piece.corners[0] = &polygon.corners[0];
    piece.corners[1] = &polygon.corners[number - 1];
    piece.corners[2] = &polygon.corners[number];
    status = put_piece(&piece);
  }
  return status;
}

/* Joins the parts of a tile's list; gives its entry of the table of tiles, and how many entries the list has. */
static uint32_t join(struct tmu_pixel_frame *frame, const struct tmu_pixel_lists *lists, uint32_t *entries)
{
  uint32_t part, start = 0, end = 0;
  *entries = lists->entries;
  for (part = 0; part < MOST_PART; part++) {
    if (lists->parts[part].first == 0) continue;
    /* The entry behind the last triangle is free, and 0, an end. */
    if (end)
      set_word(frame, end, lists->parts[part].first | JUMP);
    else
      start = lists->parts[part].first | JUMP;
    end = lists->parts[part].next;
    ++*entries;
  }
  return start;
}

int tmu_pixel_finish(struct tmu_pixel_frame *frame, uint32_t *record)
{
  const struct tmu_pixel_settings *settings = &frame->settings;
  uint32_t words[TMU_PIXEL_FRAME_WORDS], tiles, number, entries, most = 0;
  int status = take(frame, 4u * tmu_pixel_tiles(settings), &tiles);
  if (status) return status;
  for (number = 0; number < tmu_pixel_tiles(settings); number++) {
    set_word(frame, tiles + ENTRY_BYTES * number, join(frame, &frame->lists[number], &entries));
    if (entries > most) most = entries;
  }
  if (most > MOST_ENTRIES) return TMU_PIXEL_FAILED_LIST;
  clear(words, TMU_PIXEL_FRAME_WORDS);
  set_field(words, TMU_PIXEL_FRAME_MAGIC, 0, TMU_PIXEL_FRAME_MAGIC_VALUE);
  set_field(words, TMU_PIXEL_FRAME_WIDTH_LESS_ONE, 0, settings->width - 1u);
  set_field(words, TMU_PIXEL_FRAME_HEIGHT_LESS_ONE, 0, settings->height - 1u);
  set_field(words, TMU_PIXEL_FRAME_TILE, 0, settings->tile);
  set_field(words, TMU_PIXEL_FRAME_OUTPUT, 0, settings->output);
  set_field(words, TMU_PIXEL_FRAME_DITHERS, 0, settings->dithers ? 1u : 0u);
  set_field(words, TMU_PIXEL_FRAME_LIST_LIMIT, 0, most);
  for (number = 0; number < 4; number++) set_field(words, TMU_PIXEL_FRAME_CLEAR_COLOR, number, settings->clear_color[number]);
  set_field(words, TMU_PIXEL_FRAME_CLEAR_DEPTH, 0, tmu_pixel_bits(settings->clear_depth));
  set_field(words, TMU_PIXEL_FRAME_TILES, 0, tiles);
  set_field(words, TMU_PIXEL_FRAME_TEXTURES, 0, frame->textures);
  set_field(words, TMU_PIXEL_FRAME_TEXTURE_COUNT, 0, frame->texture_count);
  set_field(words, TMU_PIXEL_FRAME_PICTURE, 0, settings->picture);
  set_field(words, TMU_PIXEL_FRAME_PICTURE_PITCH, 0, settings->picture_pitch);
  if (settings->writes_depth) {
    set_field(words, TMU_PIXEL_FRAME_WRITES_DEPTH, 0, 1);
    set_field(words, TMU_PIXEL_FRAME_DEPTH, 0, settings->depth);
    set_field(words, TMU_PIXEL_FRAME_DEPTH_PITCH, 0, settings->depth_pitch);
  }
  return put(frame, words, TMU_PIXEL_FRAME_WORDS, record);
}
