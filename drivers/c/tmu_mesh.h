/* Driver of the mesh engine in freestanding C99: jobs in the form of Milkymist's TMU2, by registers.
 *
 *   struct tmu_mesh mesh;
 *   tmu_mesh_open(&mesh, &bus, 0);
 *   tmu_td_init(&td);                     // as the engine is after a reset
 *   td.vertices = ...;
 *   tmu_mesh_submit(&mesh, &td);          // TMU_MESH_BUSY: wait for the job before it
 *   tmu_mesh_wait(&mesh, polls);          // or tmu_mesh_interrupt from the interrupt's handler
 *
 * How registers are accessed is the platform's matter: it fills in a struct tmu_mesh_bus. Memory must be as the engine sees it: flush
 * what the processor has written before a job, and drop what it has cached of the frame buffer behind it. An engine is used by
 * one thread at a time, or by a thread and the handler if the interrupt is disabled around calls.
 */
#ifndef TMU_MESH_H
#define TMU_MESH_H

#include <stdint.h>

/* Registers by byte offset in the engine's block. */
#define TMU_MESH_CONTROL 0x00u
#define TMU_MESH_HMESHLAST 0x04u
#define TMU_MESH_VMESHLAST 0x08u
#define TMU_MESH_BRIGHTNESS 0x0cu
#define TMU_MESH_CHROMA_KEY 0x10u
#define TMU_MESH_VERTICES 0x14u
#define TMU_MESH_TEXTURE 0x18u
#define TMU_MESH_TEXTURE_WIDTH 0x1cu
#define TMU_MESH_TEXTURE_HEIGHT 0x20u
#define TMU_MESH_MASK_X 0x24u
#define TMU_MESH_MASK_Y 0x28u
#define TMU_MESH_FRAME 0x2cu
#define TMU_MESH_FRAME_WIDTH 0x30u
#define TMU_MESH_FRAME_HEIGHT 0x34u
#define TMU_MESH_X_OFFSET 0x38u
#define TMU_MESH_Y_OFFSET 0x3cu
#define TMU_MESH_RECTANGLE_WIDTH 0x40u
#define TMU_MESH_RECTANGLE_HEIGHT 0x44u
#define TMU_MESH_ALPHA 0x48u
#define TMU_MESH_IDENTITY 0x100u
#define TMU_MESH_INTERRUPT_ENABLE 0x104u
#define TMU_MESH_INTERRUPT 0x108u
#define TMU_MESH_STATUS 0x10cu
#define TMU_MESH_FAULT_ADDRESS 0x110u
#define TMU_MESH_PIXELS_DRAWN 0x114u
#define TMU_MESH_PIXELS_LEFT_OUT 0x118u
#define TMU_MESH_TEXTURE_LINES 0x11cu
#define TMU_MESH_TEXTURE_HITS 0x120u
#define TMU_MESH_CLOCKS_STALLED 0x124u
#define TMU_MESH_RESET 0x128u

/* What IDENTITY reads. */
#define TMU_MESH_MAGIC 0x4d455348u

/* Flags of a job; the engine's own bit to start is the driver's. */
#define TMU_CTL_CHROMAKEY 0x02u
#define TMU_CTL_ADDITIVE 0x04u

/* Points of a row of the mesh in memory. */
#define TMU_MESH_MAXSIZE 128u

/* What a call gives, or how a job has ended: TMU_MESH_OK, or why not. */
enum tmu_mesh_status {
  TMU_MESH_OK = 0,
  /* How a job has ended, as the engine says it. Refused, nothing is read or written: */
  TMU_MESH_REFUSED_MESH = 1,      /* hmeshlast or vmeshlast is 0 or over 127 */
  TMU_MESH_REFUSED_TEXTURE = 2,   /* texhres or texvres is 0 or over 2047 */
  TMU_MESH_REFUSED_FRAME = 3,     /* dsthres or dstvres is 0 or over 2047 */
  TMU_MESH_REFUSED_RECTANGLE = 4, /* dstsquarew or dstsquareh is 0 or over 2047 */
  TMU_MESH_REFUSED_ALIGNMENT = 5, /* vertices is no multiple of 8, or texfbuf or dstfbuf none of 2 */
  /* Failed, any part of the pixels may be drawn: */
  TMU_MESH_FAULT_VERTICES = 8,
  TMU_MESH_FAULT_TEXTURE = 9,
  TMU_MESH_FAULT_FRAME = 10,
  TMU_MESH_FAULT_WRITE = 11,
  TMU_MESH_ENDED_BY_RESET = 15,
  /* Of calls. */
  TMU_MESH_BUSY = 16,         /* a job is at work, or has ended and nobody has been told yet */
  TMU_MESH_IDLE = 17,         /* there is no job */
  TMU_MESH_FAILED_BUS = -1,   /* the platform's function failed */
  TMU_MESH_FAILED_ID = -2,    /* no mesh engine answers */
  TMU_MESH_FAILED_TIME = -3,  /* the job has not ended in so many polls */
  TMU_MESH_FAILED_LEVEL = -4, /* brightness or alpha is over 63 */
  TMU_MESH_FAILED_MASK = -5,  /* a mask is over 0x3ffff */
  TMU_MESH_FAILED_FLAGS = -6  /* a flag is none of TMU_CTL_CHROMAKEY and TMU_CTL_ADDITIVE */
};

/* A point of the mesh in memory: column and row in the texture with 6 fraction bits. */
struct tmu_vertex {
  int32_t x;
  int32_t y;
};

struct tmu_td;

/* Called once when a job has ended. */
typedef void (*tmu_callback)(struct tmu_td *td);

/* A job. Addresses are those that the engine sees. */
struct tmu_td {
  uint32_t flags;
  uint32_t hmeshlast;
  uint32_t vmeshlast;
  uint32_t brightness;
  uint16_t chromakey;
  uint32_t vertices; /* of TMU_MESH_MAXSIZE points a row */
  uint32_t texfbuf;
  uint32_t texhres;
  uint32_t texvres;
  uint32_t texhmask;
  uint32_t texvmask;
  uint32_t dstfbuf;
  uint32_t dsthres;
  uint32_t dstvres;
  int32_t dsthoffset;
  int32_t dstvoffset;
  uint32_t dstsquarew;
  uint32_t dstsquareh;
  uint32_t alpha;
  tmu_callback callback; /* or null */
  void *user;
  /* What has become of it, when it has ended. */
  int status;       /* enum tmu_mesh_status */
  uint32_t address; /* of the line that failed, with TMU_MESH_FAULT_* */
  uint32_t response; /* how it failed: 2 SLVERR, 3 DECERR, 1 an answer of the wrong length */
};

/* What the platform does; `address` counts in bytes from where the platform has the control port. A negative number says that it failed. */
struct tmu_mesh_bus {
  void *context;
  int (*read)(void *context, uint32_t address, uint32_t *value);
  int (*write)(void *context, uint32_t address, uint32_t value);
};

/* An engine. The driver's own. */
struct tmu_mesh {
  const struct tmu_mesh_bus *bus;
  uint32_t base;
  struct tmu_td *job;
};

/* Counts of the last job. */
struct tmu_mesh_counters {
  uint32_t pixels_drawn;
  uint32_t pixels_left_out;
  uint32_t texture_lines;
  uint32_t texture_hits;
  uint32_t clocks_stalled;
};

/* A job with the values that the engine has after a reset, and no addresses. */
void tmu_td_init(struct tmu_td *td);

/* Opens the engine whose block begins at `base`; interrupts are off. */
int tmu_mesh_open(struct tmu_mesh *mesh, const struct tmu_mesh_bus *bus, uint32_t base);

/* Checks what fields have too few bits for; all else the engine checks itself. */
int tmu_mesh_check(const struct tmu_td *td);

/* Starts a job, which must stay where it is until it has ended. TMU_MESH_BUSY: one is at work. */
int tmu_mesh_submit(struct tmu_mesh *mesh, struct tmu_td *td);

/* TMU_MESH_BUSY while the job is at work, TMU_MESH_IDLE if there is none; when it has ended its status, once, after its callback. */
int tmu_mesh_poll(struct tmu_mesh *mesh);

/* The same, up to so many times. */
int tmu_mesh_wait(struct tmu_mesh *mesh, uint32_t polls);

/* 1 while a job is at work. */
int tmu_mesh_busy(struct tmu_mesh *mesh);

/* Lets the engine interrupt when a job ends, or not. */
int tmu_mesh_enable_interrupt(struct tmu_mesh *mesh, int enable);

/* For the interrupt's handler: as tmu_mesh_poll. TMU_MESH_BUSY and TMU_MESH_IDLE: the interrupt is another's. */
int tmu_mesh_interrupt(struct tmu_mesh *mesh);

/* Ends the job that is at work; it still has to be waited for, and ends with TMU_MESH_ENDED_BY_RESET. */
int tmu_mesh_reset(struct tmu_mesh *mesh);

int tmu_mesh_read_counters(struct tmu_mesh *mesh, struct tmu_mesh_counters *counters);

/* What a status means, in English. */
const char *tmu_mesh_status_text(int status);

#endif
