#include "tmu_loader.h"

#define START 1u
#define DONE 1u
#define STATUS_CODE(status) ((status) >> 8 & 0xfu)
#define STATUS_RESPONSE(status) ((status) >> 12 & 3u)
#define MOST_KIND 7u

static int read_register(struct tmu_loader *loader, uint32_t offset, uint32_t *value)
{
  return loader->bus->read(loader->bus->context, loader->base + offset, value) < 0 ? TMU_LOADER_FAILED_BUS : TMU_LOADER_OK;
}

static int write_register(struct tmu_loader *loader, uint32_t offset, uint32_t value)
{
  return loader->bus->write(loader->bus->context, loader->base + offset, value) < 0 ? TMU_LOADER_FAILED_BUS : TMU_LOADER_OK;
}

void tmu_loader_job_init(struct tmu_loader_job *job)
{
  job->picture = 0;
  job->pitch = 16;
  job->slice_pitch = 0;
  job->texture = 0;
  job->width = 1;
  job->height = 1;
  job->depth = 1;
  job->format = 0;
  job->kind = TMU_LOADER_2D;
  job->is_srgb = 0;
  job->levels = 1;
  job->status = TMU_LOADER_IDLE;
  job->address = 0;
  job->response = 0;
}

int tmu_loader_open(struct tmu_loader *loader, const struct tmu_loader_bus *bus, uint32_t base)
{
  uint32_t identity;
  loader->bus = bus;
  loader->base = base;
  loader->job = 0;
  if (read_register(loader, TMU_LOADER_IDENTITY, &identity)) return TMU_LOADER_FAILED_BUS;
  if (identity != TMU_LOADER_MAGIC) return TMU_LOADER_FAILED_ID;
  return tmu_loader_enable_interrupt(loader, 0);
}

/* Larger sides are seen by the engine up to 16 bits; what lies above would be cut off. */
static int is_cut_off(uint32_t side)
{
  return side > 0xffffu;
}

int tmu_loader_check(const struct tmu_loader_job *job)
{
  if (is_cut_off(job->width) || is_cut_off(job->height) || is_cut_off(job->depth)) return TMU_LOADER_REFUSED_SIZE;
  if (job->kind > MOST_KIND) return TMU_LOADER_REFUSED_KIND;
  if (job->levels > 0xffu) return TMU_LOADER_REFUSED_LEVELS;
  return TMU_LOADER_OK;
}

void tmu_loader_packet(const struct tmu_loader_job *job, uint32_t words[TMU_LOADER_PACKET_WORDS])
{
  words[0] = job->picture;
  words[1] = job->pitch;
  words[2] = job->slice_pitch;
  words[3] = job->texture;
  words[4] = job->width;
  words[5] = job->height;
  words[6] = job->depth;
  words[7] = (uint32_t)job->format | (uint32_t)job->kind << 8 | (job->is_srgb ? 1u << 16 : 0u);
  words[8] = job->levels;
}

int tmu_loader_answer(struct tmu_loader_job *job, uint64_t answer)
{
  job->status = (int)(answer & 15u);
  job->response = (uint32_t)(answer >> 4 & 3u);
  job->address = (uint32_t)(answer >> 32);
  return job->status;
}

int tmu_loader_submit(struct tmu_loader *loader, struct tmu_loader_job *job)
{
  uint32_t values[TMU_LOADER_PACKET_WORDS];
  uint32_t number;
  int status = tmu_loader_check(job);
  if (status) return status;
  if (loader->job) return TMU_LOADER_BUSY;
  /* In the order of the registers, which stand one behind the other. */
  tmu_loader_packet(job, values);
  for (number = 0; number < TMU_LOADER_PACKET_WORDS; number++)
    if (write_register(loader, TMU_LOADER_PICTURE + 4 * number, values[number])) return TMU_LOADER_FAILED_BUS;
  /* What is held of a job before must not end this one. */
  if (write_register(loader, TMU_LOADER_INTERRUPT, DONE)) return TMU_LOADER_FAILED_BUS;
  job->status = TMU_LOADER_BUSY;
  /* Before the start: the handler may be called at once. */
  loader->job = job;
  if (write_register(loader, TMU_LOADER_CONTROL, START)) {
    loader->job = 0;
    return TMU_LOADER_FAILED_BUS;
  }
  return TMU_LOADER_OK;
}

int tmu_loader_poll(struct tmu_loader *loader)
{
  uint32_t pending, status, address = 0;
  struct tmu_loader_job *job = loader->job;
  if (!job) return TMU_LOADER_IDLE;
  if (read_register(loader, TMU_LOADER_INTERRUPT, &pending)) return TMU_LOADER_FAILED_BUS;
  if (!(pending & DONE)) return TMU_LOADER_BUSY;
  if (read_register(loader, TMU_LOADER_STATUS, &status)) return TMU_LOADER_FAILED_BUS;
  if (read_register(loader, TMU_LOADER_FAULT_ADDRESS, &address)) return TMU_LOADER_FAILED_BUS;
  if (write_register(loader, TMU_LOADER_INTERRUPT, DONE)) return TMU_LOADER_FAILED_BUS;
  job->status = (int)STATUS_CODE(status);
  job->response = STATUS_RESPONSE(status);
  job->address = address;
  loader->job = 0;
  return (int)STATUS_CODE(status);
}

int tmu_loader_wait(struct tmu_loader *loader, uint32_t polls)
{
  while (polls--) {
    int status = tmu_loader_poll(loader);
    if (status != TMU_LOADER_BUSY) return status;
  }
  return TMU_LOADER_FAILED_TIME;
}

int tmu_loader_busy(struct tmu_loader *loader)
{
  uint32_t status;
  if (read_register(loader, TMU_LOADER_STATUS, &status)) return TMU_LOADER_FAILED_BUS;
  return (int)(status & 1u);
}

int tmu_loader_enable_interrupt(struct tmu_loader *loader, int enable)
{
  return write_register(loader, TMU_LOADER_INTERRUPT_ENABLE, enable ? DONE : 0u);
}

int tmu_loader_reset(struct tmu_loader *loader)
{
  return write_register(loader, TMU_LOADER_RESET, 1u);
}

int tmu_loader_read_counters(struct tmu_loader *loader, struct tmu_loader_counters *counters)
{
  uint32_t *const places[3] = {&counters->lines_read, &counters->lines_written, &counters->busy_clocks};
  uint32_t number;
  for (number = 0; number < 3; number++)
    if (read_register(loader, TMU_LOADER_LINES_READ + 4 * number, places[number])) return TMU_LOADER_FAILED_BUS;
  return TMU_LOADER_OK;
}

const char *tmu_loader_status_text(int status)
{
  switch (status) {
  case TMU_LOADER_OK: return "done";
  case TMU_LOADER_REFUSED_SIZE: return "sides are 1 to 4096, and layers at most 2048";
  case TMU_LOADER_REFUSED_KIND: return "depth is 1 of a 2d picture and 6 of a cube, whose faces are square";
  case TMU_LOADER_REFUSED_FORMAT: return "the format has neither colour table nor blocks";
  case TMU_LOADER_REFUSED_LEVELS: return "levels are 1 to as many as there are down to one texel";
  case TMU_LOADER_REFUSED_LEVELS_OF: return "depths and floats have one level";
  case TMU_LOADER_REFUSED_SRGB: return "sRGB is for rgba8 and rgb8";
  case TMU_LOADER_REFUSED_ALIGNMENT: return "addresses and pitches are multiples of 16";
  case TMU_LOADER_REFUSED_PITCH: return "the pitch is at least the bytes of a row";
  case TMU_LOADER_FAULT_READ: return "a read failed";
  case TMU_LOADER_FAULT_WRITE: return "a write failed";
  case TMU_LOADER_REFUSED_LENGTH: return "the packet has another length than that of a job";
  case TMU_LOADER_ENDED_BY_RESET: return "the job was ended by a reset";
  case TMU_LOADER_BUSY: return "a job is at work";
  case TMU_LOADER_IDLE: return "there is no job";
  case TMU_LOADER_FAILED_BUS: return "the bus failed";
  case TMU_LOADER_FAILED_ID: return "no loader engine answers";
  case TMU_LOADER_FAILED_TIME: return "the job has not ended";
  default: return "unknown";
  }
}
