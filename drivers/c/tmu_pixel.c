#include "tmu_pixel.h"

#define START 1u
#define DONE 1u
#define STATUS_CODE(status) ((status) >> 8 & 0xfu)
#define ALIGNMENT 16u

static int read_register(struct tmu_pixel *engine, uint32_t offset, uint32_t *value)
{
  return engine->bus->read(engine->bus->context, engine->base + offset, value) < 0 ? TMU_PIXEL_FAILED_BUS : TMU_PIXEL_OK;
}

static int write_register(struct tmu_pixel *engine, uint32_t offset, uint32_t value)
{
  return engine->bus->write(engine->bus->context, engine->base + offset, value) < 0 ? TMU_PIXEL_FAILED_BUS : TMU_PIXEL_OK;
}

int tmu_pixel_open(struct tmu_pixel *engine, const struct tmu_pixel_bus *bus, uint32_t base)
{
  uint32_t identity;
  engine->bus = bus;
  engine->base = base;
  engine->is_drawing = 0;
  engine->address = 0;
  if (read_register(engine, TMU_PIXEL_IDENTITY, &identity)) return TMU_PIXEL_FAILED_BUS;
  if (identity != (uint32_t)TMU_PIXEL_MAGIC) return TMU_PIXEL_FAILED_ID;
  return tmu_pixel_enable_interrupt(engine, 0);
}

int tmu_pixel_submit(struct tmu_pixel *engine, uint32_t record)
{
  if (record % ALIGNMENT) return TMU_PIXEL_FAULT_FRAME;
  if (engine->is_drawing) return TMU_PIXEL_BUSY;
  if (write_register(engine, TMU_PIXEL_FRAME, record)) return TMU_PIXEL_FAILED_BUS;
  /* What is held of a frame before must not end this one. */
  if (write_register(engine, TMU_PIXEL_INTERRUPT, DONE)) return TMU_PIXEL_FAILED_BUS;
  /* Before the start: the handler may be called at once. */
  engine->is_drawing = 1;
  if (write_register(engine, TMU_PIXEL_CONTROL, START)) {
    engine->is_drawing = 0;
    return TMU_PIXEL_FAILED_BUS;
  }
  return TMU_PIXEL_OK;
}

int tmu_pixel_poll(struct tmu_pixel *engine)
{
  uint32_t pending, status, address;
  if (!engine->is_drawing) return TMU_PIXEL_IDLE;
  if (read_register(engine, TMU_PIXEL_INTERRUPT, &pending)) return TMU_PIXEL_FAILED_BUS;
  if (!(pending & DONE)) return TMU_PIXEL_BUSY;
  if (read_register(engine, TMU_PIXEL_STATUS, &status)) return TMU_PIXEL_FAILED_BUS;
  if (read_register(engine, TMU_PIXEL_FAULT_ADDRESS, &address)) return TMU_PIXEL_FAILED_BUS;
  if (write_register(engine, TMU_PIXEL_INTERRUPT, DONE)) return TMU_PIXEL_FAILED_BUS;
  engine->is_drawing = 0;
  engine->address = address;
  return (int)STATUS_CODE(status);
}

int tmu_pixel_wait(struct tmu_pixel *engine, uint32_t polls)
{
  while (polls--) {
    int status = tmu_pixel_poll(engine);
    if (status != TMU_PIXEL_BUSY) return status;
  }
  return TMU_PIXEL_FAILED_TIME;
}

int tmu_pixel_busy(struct tmu_pixel *engine)
{
  uint32_t status;
  if (read_register(engine, TMU_PIXEL_STATUS, &status)) return TMU_PIXEL_FAILED_BUS;
  return (int)(status & 1u);
}

int tmu_pixel_enable_interrupt(struct tmu_pixel *engine, int enable)
{
  return write_register(engine, TMU_PIXEL_INTERRUPT_ENABLE, enable ? DONE : 0u);
}

int tmu_pixel_reset(struct tmu_pixel *engine)
{
  return write_register(engine, TMU_PIXEL_RESET, 1u);
}

int tmu_pixel_read_counters(struct tmu_pixel *engine, struct tmu_pixel_counters *counters)
{
  uint32_t *const places[3] = {&counters->lines_read, &counters->lines_written, &counters->busy_clocks};
  uint32_t number;
  for (number = 0; number < 3; number++)
    if (read_register(engine, TMU_PIXEL_LINES_READ + 4 * number, places[number])) return TMU_PIXEL_FAILED_BUS;
  return TMU_PIXEL_OK;
}

const char *tmu_pixel_status_text(int status)
{
  switch (status) {
  case TMU_PIXEL_OK: return "done";
  case TMU_PIXEL_FAULT_READ: return "memory could not be read";
  case TMU_PIXEL_FAULT_WRITE: return "memory could not be written";
  case TMU_PIXEL_FAULT_FRAME: return "the frame's record breaks a rule";
  case TMU_PIXEL_FAULT_ENTRY: return "a list holds no entry, or parts out of order";
  case TMU_PIXEL_FAULT_LIST_LIMIT: return "the list of a tile has more entries than the frame's limit";
  case TMU_PIXEL_FAULT_TRIANGLE: return "a triangle's record breaks a rule";
  case TMU_PIXEL_FAULT_VERTEX: return "a vertex breaks a rule";
  case TMU_PIXEL_FAULT_STATE: return "a state breaks a rule";
  case TMU_PIXEL_FAULT_PROGRAM: return "a program was not checked";
  case TMU_PIXEL_FAULT_TEXTURE: return "a texture of the store breaks a rule";
  case TMU_PIXEL_FAULT_TEXELS: return "texels could not be read";
  case TMU_PIXEL_FAULT_OPAQUE_STATE: return "the state of an opaque triangle may let pixels go";
  case TMU_PIXEL_ENDED_BY_RESET: return "the frame was ended by a reset";
  case TMU_PIXEL_BUSY: return "a frame is drawn";
  case TMU_PIXEL_IDLE: return "there is no frame";
  case TMU_PIXEL_FAILED_BUS: return "the bus failed";
  case TMU_PIXEL_FAILED_ID: return "no pixel engine answers";
  case TMU_PIXEL_FAILED_TIME: return "the frame has not ended";
  case TMU_PIXEL_FAILED_MEMORY: return "the memory for the frame is full, or ends beyond the last address";
  case TMU_PIXEL_FAILED_BASE: return "the memory begins at a multiple of 16 that is not 0";
  case TMU_PIXEL_FAILED_SIZE: return "sides of a frame are 1 to 4096";
  case TMU_PIXEL_FAILED_PICTURE: return "addresses and pitches are multiples of 16, and a pitch holds a row";
  case TMU_PIXEL_FAILED_LISTS: return "a frame needs one list for each tile";
  case TMU_PIXEL_FAILED_LIST: return "the list of a tile has up to 1048575 entries, 15 of 16 of them triangles";
  case TMU_PIXEL_FAILED_TEXTURES: return "a store has up to 256 textures, and states name those that there are";
  case TMU_PIXEL_FAILED_PROGRAM: return "programs are those that `tmugen assemble` encodes";
  case TMU_PIXEL_FAILED_SETS: return "a state has up to 6 coordinate sets";
  case TMU_PIXEL_FAILED_ALIGNMENT: return "addresses are those that the frame has given";
  case TMU_PIXEL_FAILED_CODE:
    return "ways to blend are 0 to 4, comparisons 0 to 7, ways to cull and forms of the picture 0 to 2";
  default: return "unknown";
  }
}
