/* Driver of the pixel pipeline in freestanding C99: triangles of a scene to a frame in memory, and the engine that draws it.
 *
 *   struct tmu_pixel_frame frame;
 *   tmu_pixel_settings_init(&settings, 640, 480);
 *   tmu_pixel_begin(&frame, memory, bytes, address, lists, count, &settings, textures, texture_count);
 *   tmu_pixel_program(&frame, program, program_bytes, &where);
 *   tmu_pixel_state_init(&state, where);
 *   tmu_pixel_put_state(&frame, &state, &name);
 *   tmu_pixel_put_triangle(&frame, &how, corners);    // for each triangle
 *   tmu_pixel_finish(&frame, &record);
 *   tmu_pixel_submit(&engine, record);
 *   tmu_pixel_wait(&engine, polls);                   // or tmu_pixel_poll from the interrupt's handler
 *
 * Nothing is allocated; what does not fit is a named error. Floats are singles, each operation rounded by itself, so that a frame is the
 * same on every machine: compile without contraction of floats (gcc and clang: -ffp-contract=off), on processors whose
 * singles are rounded as singles. Memory must be as the engine sees it: flush what the processor has written before a frame, and drop
 * what it has cached of the picture behind it. An engine is used by one thread at a time, or by a thread and the handler if the
 * interrupt is disabled around calls. */
#ifndef TMU_PIXEL_H
#define TMU_PIXEL_H

#include <stdint.h>

/* Registers by byte offset in the engine's block. */
#define TMU_PIXEL_CONTROL 0x00u
#define TMU_PIXEL_FRAME 0x04u
#define TMU_PIXEL_IDENTITY 0x100u
#define TMU_PIXEL_INTERRUPT_ENABLE 0x104u
#define TMU_PIXEL_INTERRUPT 0x108u
#define TMU_PIXEL_STATUS 0x10cu
#define TMU_PIXEL_FAULT_ADDRESS 0x110u
#define TMU_PIXEL_LINES_READ 0x114u
#define TMU_PIXEL_LINES_WRITTEN 0x118u
#define TMU_PIXEL_BUSY_CLOCKS 0x11cu
#define TMU_PIXEL_RESET 0x120u

enum {
  /* What IDENTITY reads. */
  TMU_PIXEL_MAGIC = 0x5049584c,
  /* Coordinate sets of a vertex, and stages of a program. */
  TMU_PIXEL_SETS = 6,
  TMU_PIXEL_CONSTANTS = 8,
  /* Words of a texture of the store: a binding of the general numerics. */
  TMU_PIXEL_TEXTURE_WORDS = 20
};

/* What a call gives, or how a frame has ended: TMU_PIXEL_OK, or why not. */
enum tmu_pixel_status {
  TMU_PIXEL_OK = 0,
  /* How a frame has ended, as the engine says it; tiles before the one at fault are written. */
  TMU_PIXEL_FAULT_READ = 1,
  TMU_PIXEL_FAULT_WRITE = 2,
  TMU_PIXEL_FAULT_FRAME = 3,        /* its record breaks a rule */
  TMU_PIXEL_FAULT_ENTRY = 4,        /* a list holds no entry, or parts out of order */
  TMU_PIXEL_FAULT_LIST_LIMIT = 5,   /* a list has more entries than the frame's limit */
  TMU_PIXEL_FAULT_TRIANGLE = 6,
  TMU_PIXEL_FAULT_VERTEX = 7,
  TMU_PIXEL_FAULT_STATE = 8,
  TMU_PIXEL_FAULT_PROGRAM = 9,      /* a program was not checked */
  TMU_PIXEL_FAULT_TEXTURE = 10,     /* a texture of the store breaks a rule */
  TMU_PIXEL_FAULT_TEXELS = 11,      /* texels could not be read */
  TMU_PIXEL_FAULT_OPAQUE_STATE = 12, /* the state of an opaque triangle may let pixels go */
  TMU_PIXEL_ENDED_BY_RESET = 15,
  /* Of calls. */
  TMU_PIXEL_BUSY = 16,              /* a frame is drawn, or has ended and nobody has been told yet */
  TMU_PIXEL_IDLE = 17,              /* there is no frame */
  TMU_PIXEL_FAILED_BUS = -1,        /* the platform's function failed */
  TMU_PIXEL_FAILED_ID = -2,         /* no pixel engine answers */
  TMU_PIXEL_FAILED_TIME = -3,       /* the frame has not ended in so many polls */
  /* Of a frame that cannot be made. */
  TMU_PIXEL_FAILED_MEMORY = -4,     /* the memory is full, or ends beyond the last address */
  TMU_PIXEL_FAILED_BASE = -5,       /* it does not begin at a multiple of 16, or at 0 */
  TMU_PIXEL_FAILED_SIZE = -6,       /* a side is 0 or over 4096 */
  TMU_PIXEL_FAILED_PICTURE = -7,    /* an address or a pitch is no multiple of 16, or the pitch is shorter than a row */
  TMU_PIXEL_FAILED_LISTS = -8,      /* not one list for each tile */
  TMU_PIXEL_FAILED_LIST = -9,       /* the list of a tile has over 1048575 entries */
  TMU_PIXEL_FAILED_TEXTURES = -10,  /* over 256 textures, or a state names one that there is not */
  TMU_PIXEL_FAILED_PROGRAM = -11,   /* it does not begin as an encoded one */
  TMU_PIXEL_FAILED_SETS = -12,      /* over 6 coordinate sets */
  TMU_PIXEL_FAILED_ALIGNMENT = -13, /* an address is no multiple of 16 */
  TMU_PIXEL_FAILED_CODE = -14       /* a code stands for nothing */
};

/* Pixels of a tile. */
enum tmu_pixel_tile { TMU_PIXEL_16X16 = 0, TMU_PIXEL_32X32 = 1, TMU_PIXEL_64X64 = 2, TMU_PIXEL_32X4 = 3 };

/* Forms of the picture. */
enum tmu_pixel_output { TMU_PIXEL_RGBA8 = 0, TMU_PIXEL_BGRA8 = 1, TMU_PIXEL_RGB565 = 2 };

/* Parts of a tile's list. */
enum tmu_pixel_part { TMU_PIXEL_OPAQUE = 1, TMU_PIXEL_PUNCH_THROUGH = 2, TMU_PIXEL_TRANSLUCENT = 3 };

enum tmu_pixel_blend {
  TMU_PIXEL_BLEND_NONE = 0,
  TMU_PIXEL_BLEND_ALPHA = 1,
  TMU_PIXEL_BLEND_PREMULTIPLIED = 2,
  TMU_PIXEL_BLEND_ADDITIVE = 3,
  TMU_PIXEL_BLEND_MULTIPLY = 4
};

enum tmu_pixel_compare {
  TMU_PIXEL_NEVER = 0,
  TMU_PIXEL_LESS = 1,
  TMU_PIXEL_EQUAL = 2,
  TMU_PIXEL_LEQUAL = 3,
  TMU_PIXEL_GREATER = 4,
  TMU_PIXEL_NOTEQUAL = 5,
  TMU_PIXEL_GEQUAL = 6,
  TMU_PIXEL_ALWAYS = 7
};

/* Which triangles are not drawn, as they are seen on the screen. */
enum tmu_pixel_cull { TMU_PIXEL_CULL_NONE = 0, TMU_PIXEL_CULL_CLOCKWISE = 1, TMU_PIXEL_CULL_COUNTER_CLOCKWISE = 2 };

/* A matrix by rows, for columns of x, y, z, w. */
struct tmu_pixel_matrix {
  float rows[4][4];
};

/* Where the cube from -1 to 1 is on the screen: x to the right, y upwards; depth is 0 to 1 before and behind. In pixels. */
struct tmu_pixel_viewport {
  float left, top, width, height;
};

/* A light that is far away: the direction in which it lies, of length 1, in the coordinates of the normals; red, green, blue, 0 to 1. */
struct tmu_pixel_light {
  float direction[3];
  float color[3];
};

/* A corner of a triangle, transformed: on the screen where x / w and y / w lie in -1 to 1; z / w is the depth, from 0. */
struct tmu_pixel_corner {
  float place[4];
  float colors[2][4]; /* red, green, blue and alpha of v0 and v1, 0 to 255 */
  float coordinates[TMU_PIXEL_SETS][4]; /* only the sets of the state count */
};

/* What a frame is drawn into. */
struct tmu_pixel_settings {
  uint32_t width;
  uint32_t height;
  uint32_t tile;          /* enum tmu_pixel_tile */
  uint32_t output;        /* enum tmu_pixel_output */
  int dithers;            /* rgb565 is dithered */
  uint8_t clear_color[4]; /* red, green, blue and alpha where nothing is drawn */
  float clear_depth;
  uint32_t picture;       /* its address */
  uint32_t picture_pitch; /* bytes from a row to the next */
  int writes_depth;       /* depths are written, too: to this address, with this pitch */
  uint32_t depth;
  uint32_t depth_pitch;
};

/* What triangles are drawn with. */
struct tmu_pixel_state {
  uint32_t program;                        /* its address, as tmu_pixel_program gives it */
  uint32_t blend;                          /* enum tmu_pixel_blend */
  uint32_t alpha_compare;                  /* enum tmu_pixel_compare */
  uint8_t alpha_reference;
  uint32_t sets;                           /* coordinate sets */
  int has_colors;                          /* vertices have colours */
  uint8_t textures[TMU_PIXEL_SETS];        /* of the store, by stage */
  int16_t bump[TMU_PIXEL_SETS][4];         /* by stage m00, m01, m10 and m11, s3.12 */
  int16_t constants[TMU_PIXEL_CONSTANTS][4]; /* c0 to c7, s3.12 */
};

/* A state that was put into memory, and what vertices have with it. */
struct tmu_pixel_state_name {
  uint32_t address;
  uint32_t sets;
  int has_colors;
};

/* How a triangle is drawn. */
struct tmu_pixel_triangle {
  uint32_t part;    /* enum tmu_pixel_part */
  struct tmu_pixel_state_name state;
  uint32_t compare; /* enum tmu_pixel_compare, of depth */
  uint32_t cull;    /* enum tmu_pixel_cull */
};

/* The lists of a tile while a frame is made. The driver's own. */
struct tmu_pixel_lists {
  struct {
    uint32_t first, next, free;
  } parts[3];
  uint32_t entries;
};

/* A frame while it is made. The driver's own, but for the counts. */
struct tmu_pixel_frame {
  uint8_t *memory;
  uint32_t bytes;
  uint32_t base;
  uint32_t used;
  struct tmu_pixel_lists *lists;
  struct tmu_pixel_settings settings;
  struct tmu_pixel_viewport viewport;
  uint32_t textures;
  uint32_t texture_count;
  uint32_t triangles; /* put so far, pieces of clipped ones among them */
};

/* A place under a matrix. */
void tmu_pixel_place(const struct tmu_pixel_matrix *matrix, const float place[4], float moved[4]);

/* First `before`, then `after`. */
void tmu_pixel_join(struct tmu_pixel_matrix *joined, const struct tmu_pixel_matrix *after, const struct tmu_pixel_matrix *before);

/* The colour of a vertex: a surface of this colour whose normal has length 1, under an ambient light and others. */
void tmu_pixel_lit(const uint8_t surface[4], const float normal[3], const float ambient[3], const struct tmu_pixel_light *lights,
                   uint32_t count, uint8_t color[4]);

/* Tiles of a row of the frame, times rows of tiles: so many lists it needs. */
uint32_t tmu_pixel_tiles(const struct tmu_pixel_settings *settings);

/* A frame of this size: black, as far away as can be, rgba8 at address 0, tiles of 32 x 32. */
void tmu_pixel_settings_init(struct tmu_pixel_settings *settings, uint32_t width, uint32_t height);

/* A state of nothing but a program. */
void tmu_pixel_state_init(struct tmu_pixel_state *state, uint32_t program);

/* A corner of white, without coordinates. */
void tmu_pixel_corner_init(struct tmu_pixel_corner *corner);

/* Begins a frame in memory whose first byte the engine sees at `base`. There is a list for each tile, whatever is in it; textures are
 * words of bindings, one behind the other. */
int tmu_pixel_begin(struct tmu_pixel_frame *frame, void *memory, uint32_t bytes, uint32_t base, struct tmu_pixel_lists *lists,
                    uint32_t list_count, const struct tmu_pixel_settings *settings,
                    const uint32_t (*textures)[TMU_PIXEL_TEXTURE_WORDS], uint32_t texture_count);

/* Where the cube from -1 to 1 is on the screen from now on; at first the whole frame. */
void tmu_pixel_set_viewport(struct tmu_pixel_frame *frame, const struct tmu_pixel_viewport *viewport);

/* Puts an encoded program; gives its address. */
int tmu_pixel_program(struct tmu_pixel_frame *frame, const uint8_t *program, uint32_t bytes, uint32_t *address);

/* Puts a state; gives what triangles name it by. */
int tmu_pixel_put_state(struct tmu_pixel_frame *frame, const struct tmu_pixel_state *state, struct tmu_pixel_state_name *name);

/* Clips a triangle, sets up what is left of it, and sorts it into tiles. */
int tmu_pixel_put_triangle(struct tmu_pixel_frame *frame, const struct tmu_pixel_triangle *how,
                           const struct tmu_pixel_corner corners[3]);

/* Puts lists and the frame's record; gives the address of the record. */
int tmu_pixel_finish(struct tmu_pixel_frame *frame, uint32_t *record);

/* What the platform does; `address` counts in bytes from where the platform has the control port. A negative number says that it
 * failed. */
struct tmu_pixel_bus {
  void *context;
  int (*read)(void *context, uint32_t address, uint32_t *value);
  int (*write)(void *context, uint32_t address, uint32_t value);
};

/* An engine. The driver's own, but for `address`: what the fault of the last frame is of. */
struct tmu_pixel {
  const struct tmu_pixel_bus *bus;
  uint32_t base;
  int is_drawing;
  uint32_t address;
};

/* Counts of the last frame. */
struct tmu_pixel_counters {
  uint32_t lines_read; /* of records */
  uint32_t lines_written;
  uint32_t busy_clocks;
};

/* Opens the engine whose block begins at `base`; interrupts are off. */
int tmu_pixel_open(struct tmu_pixel *engine, const struct tmu_pixel_bus *bus, uint32_t base);

/* Starts a frame by the address of its record. TMU_PIXEL_BUSY: one is drawn. */
int tmu_pixel_submit(struct tmu_pixel *engine, uint32_t record);

/* TMU_PIXEL_BUSY while a frame is drawn, TMU_PIXEL_IDLE if there is none; when it has ended its status, once. Also for the interrupt's
 * handler. */
int tmu_pixel_poll(struct tmu_pixel *engine);

/* The same, up to so many times. */
int tmu_pixel_wait(struct tmu_pixel *engine, uint32_t polls);

/* 1 while a frame is drawn. */
int tmu_pixel_busy(struct tmu_pixel *engine);

/* Lets the engine interrupt when a frame ends, or not. */
int tmu_pixel_enable_interrupt(struct tmu_pixel *engine, int enable);

/* Ends the frame that is drawn; it still has to be waited for, and ends with TMU_PIXEL_ENDED_BY_RESET. */
int tmu_pixel_reset(struct tmu_pixel *engine);

int tmu_pixel_read_counters(struct tmu_pixel *engine, struct tmu_pixel_counters *counters);

/* What a status means, in English. */
const char *tmu_pixel_status_text(int status);

#endif
