/* Driver of the loader engine in freestanding C99: pictures in memory to textures in memory, by registers.
 *
 *   struct tmu_loader loader;
 *   tmu_loader_open(&loader, &bus, 0);
 *   tmu_loader_job_init(&job);            // one texel of rgba8
 *   job.picture = ...;
 *   tmu_loader_submit(&loader, &job);     // TMU_LOADER_BUSY: wait for the job before it
 *   tmu_loader_wait(&loader, polls);      // or tmu_loader_poll from the interrupt's handler
 *
 * How registers are accessed is the platform's matter: it fills in a struct tmu_loader_bus. Memory must be as the engine sees it: flush
 * what the processor has written before a job, and drop what it has cached of the texture behind it. An engine is used by
 * one thread at a time, or by a thread and the handler if the interrupt is disabled around calls.
 */
#ifndef TMU_LOADER_H
#define TMU_LOADER_H

#include <stdint.h>

/* Registers by byte offset in the engine's block. */
#define TMU_LOADER_CONTROL 0x00u
#define TMU_LOADER_PICTURE 0x04u
#define TMU_LOADER_PITCH 0x08u
#define TMU_LOADER_SLICE_PITCH 0x0cu
#define TMU_LOADER_TEXTURE 0x10u
#define TMU_LOADER_WIDTH 0x14u
#define TMU_LOADER_HEIGHT 0x18u
#define TMU_LOADER_DEPTH 0x1cu
#define TMU_LOADER_FORMAT 0x20u
#define TMU_LOADER_LEVELS 0x24u
#define TMU_LOADER_IDENTITY 0x100u
#define TMU_LOADER_INTERRUPT_ENABLE 0x104u
#define TMU_LOADER_INTERRUPT 0x108u
#define TMU_LOADER_STATUS 0x10cu
#define TMU_LOADER_FAULT_ADDRESS 0x110u
#define TMU_LOADER_LINES_READ 0x114u
#define TMU_LOADER_LINES_WRITTEN 0x118u
#define TMU_LOADER_BUSY_CLOCKS 0x11cu
#define TMU_LOADER_RESET 0x120u

/* Words of a packet for the job port. */
#define TMU_LOADER_PACKET_WORDS 9

/* What IDENTITY reads. */
#define TMU_LOADER_MAGIC 0x4c4f4144u

/* What slices of a picture are to each other. */
enum tmu_loader_kind {
  TMU_LOADER_2D = 1,
  TMU_LOADER_3D = 2,
  TMU_LOADER_CUBE = 3,
  TMU_LOADER_2D_ARRAY = 4
};

/* What a call gives, or how a job has ended: TMU_LOADER_OK, or why not. */
enum tmu_loader_status {
  TMU_LOADER_OK = 0,
  /* How a job has ended, as the engine says it. Refused, nothing is read or written: */
  TMU_LOADER_REFUSED_SIZE = 1,         /* a side is 0 or over 4096, or there are more than 2048 layers */
  TMU_LOADER_REFUSED_KIND = 2,         /* depth is none of the kind's, or the faces of a cube are not square */
  TMU_LOADER_REFUSED_FORMAT = 3,       /* the format has a colour table or blocks, or there is none of that code */
  TMU_LOADER_REFUSED_LEVELS = 4,       /* no levels, or more than down to one texel */
  TMU_LOADER_REFUSED_LEVELS_OF = 5,    /* more than one level of depths or floats */
  TMU_LOADER_REFUSED_SRGB = 6,         /* is_srgb with another format than rgba8 and rgb8 */
  TMU_LOADER_REFUSED_ALIGNMENT = 7,    /* an address or a pitch is no multiple of 16 */
  TMU_LOADER_REFUSED_PITCH = 8,        /* the pitch is below the bytes of a row */
  /* Failed, any part of the texture may be written: */
  TMU_LOADER_FAULT_READ = 9,
  TMU_LOADER_FAULT_WRITE = 10,
  TMU_LOADER_REFUSED_LENGTH = 11, /* a packet has not TMU_LOADER_PACKET_WORDS; nothing is read or written */
  TMU_LOADER_ENDED_BY_RESET = 15,
  /* Of calls. */
  TMU_LOADER_BUSY = 16,         /* a job is at work, or has ended and nobody has been told yet */
  TMU_LOADER_IDLE = 17,         /* there is no job */
  TMU_LOADER_FAILED_BUS = -1,   /* the platform's function failed */
  TMU_LOADER_FAILED_ID = -2,    /* no loader engine answers */
  TMU_LOADER_FAILED_TIME = -3   /* the job has not ended in so many polls */
};

/* A job. Addresses are those that the engine sees, and multiples of 16 as the pitches are. */
struct tmu_loader_job {
  uint32_t picture;
  uint32_t pitch;
  uint32_t slice_pitch;
  uint32_t texture;
  uint32_t width;
  uint32_t height;
  uint32_t depth;    /* slices, layers, or 6 faces */
  uint8_t format;    /* its code, as in a binding */
  uint8_t kind;      /* enum tmu_loader_kind */
  uint8_t is_srgb;   /* colours are averaged as light */
  uint32_t levels;
  /* What has become of it, when it has ended. */
  int status;        /* enum tmu_loader_status */
  uint32_t address;  /* of the line that failed, with TMU_LOADER_FAULT_* */
  uint32_t response; /* how it failed: 2 SLVERR, 3 DECERR, 1 an answer of the wrong length */
};

/* What the platform does; `address` counts in bytes from where the platform has the control port. A negative number says that it failed. */
struct tmu_loader_bus {
  void *context;
  int (*read)(void *context, uint32_t address, uint32_t *value);
  int (*write)(void *context, uint32_t address, uint32_t value);
};

/* An engine. The driver's own. */
struct tmu_loader {
  const struct tmu_loader_bus *bus;
  uint32_t base;
  struct tmu_loader_job *job;
};

/* Counts of the last job. */
struct tmu_loader_counters {
  uint32_t lines_read;
  uint32_t lines_written;
  uint32_t busy_clocks;
};

/* A job of one texel of rgba8, and no addresses. */
void tmu_loader_job_init(struct tmu_loader_job *job);

/* Opens the engine whose block begins at `base`; interrupts are off. */
int tmu_loader_open(struct tmu_loader *loader, const struct tmu_loader_bus *bus, uint32_t base);

/* Checks what fields have too few bits for; all else the engine checks itself. */
int tmu_loader_check(const struct tmu_loader_job *job);

/* The words of the packet for s_axis_job of a job that tmu_loader_check passes, the last one with tlast. */
void tmu_loader_packet(const struct tmu_loader_job *job, uint32_t words[TMU_LOADER_PACKET_WORDS]);

/* Gives a job what a beat of m_axis_done says, in the order of packets; returns its status. */
int tmu_loader_answer(struct tmu_loader_job *job, uint64_t answer);

/* Starts a job, which must stay where it is until it has ended. TMU_LOADER_BUSY: one is at work. */
int tmu_loader_submit(struct tmu_loader *loader, struct tmu_loader_job *job);

/* TMU_LOADER_BUSY while the job is at work, TMU_LOADER_IDLE if there is none; when it has ended its status, once. Also for the
 * interrupt's handler. */
int tmu_loader_poll(struct tmu_loader *loader);

/* The same, up to so many times. */
int tmu_loader_wait(struct tmu_loader *loader, uint32_t polls);

/* 1 while a job is at work. */
int tmu_loader_busy(struct tmu_loader *loader);

/* Lets the engine interrupt when a job ends, or not. */
int tmu_loader_enable_interrupt(struct tmu_loader *loader, int enable);

/* Ends the job that is at work; it still has to be waited for, and ends with TMU_LOADER_ENDED_BY_RESET. */
int tmu_loader_reset(struct tmu_loader *loader);

int tmu_loader_read_counters(struct tmu_loader *loader, struct tmu_loader_counters *counters);

/* What a status means, in English. */
const char *tmu_loader_status_text(int status);

#endif
