#include "tmu_mesh.h"

#define START 1u
#define DONE 1u
#define STATUS_CODE(status) ((status) >> 8 & 0xfu)
#define STATUS_RESPONSE(status) ((status) >> 12 & 3u)
#define MOST_LEVEL 63u
#define MOST_MASK 0x3ffffu

static int read_register(struct tmu_mesh *mesh, uint32_t offset, uint32_t *value)
{
  return mesh->bus->read(mesh->bus->context, mesh->base + offset, value) < 0 ? TMU_MESH_FAILED_BUS : TMU_MESH_OK;
}

static int write_register(struct tmu_mesh *mesh, uint32_t offset, uint32_t value)
{
  return mesh->bus->write(mesh->bus->context, mesh->base + offset, value) < 0 ? TMU_MESH_FAILED_BUS : TMU_MESH_OK;
}

void tmu_td_init(struct tmu_td *td)
{
  td->flags = 0;
  td->hmeshlast = 32;
  td->vmeshlast = 24;
  td->brightness = MOST_LEVEL;
  td->chromakey = 0;
  td->vertices = 0;
  td->texfbuf = 0;
  td->texhres = 512;
  td->texvres = 512;
  td->texhmask = MOST_MASK;
  td->texvmask = MOST_MASK;
  td->dstfbuf = 0;
  td->dsthres = 640;
  td->dstvres = 480;
  td->dsthoffset = 0;
  td->dstvoffset = 0;
  td->dstsquarew = 16;
  td->dstsquareh = 16;
  td->alpha = MOST_LEVEL;
  td->callback = 0;
  td->user = 0;
  td->status = TMU_MESH_IDLE;
  td->address = 0;
  td->response = 0;
}

int tmu_mesh_open(struct tmu_mesh *mesh, const struct tmu_mesh_bus *bus, uint32_t base)
{
  uint32_t identity;
  mesh->bus = bus;
  mesh->base = base;
  mesh->job = 0;
  if (read_register(mesh, TMU_MESH_IDENTITY, &identity)) return TMU_MESH_FAILED_BUS;
  if (identity != TMU_MESH_MAGIC) return TMU_MESH_FAILED_ID;
  return tmu_mesh_enable_interrupt(mesh, 0);
}

/* Larger sizes are seen by the engine up to 16 bits; what lies above would be cut off. */
static int is_cut_off(uint32_t size)
{
  return size > 0xffffu;
}

int tmu_mesh_check(const struct tmu_td *td)
{
  if (td->flags & ~(TMU_CTL_CHROMAKEY | TMU_CTL_ADDITIVE)) return TMU_MESH_FAILED_FLAGS;
  if (td->brightness > MOST_LEVEL || td->alpha > MOST_LEVEL) return TMU_MESH_FAILED_LEVEL;
  if (td->texhmask > MOST_MASK || td->texvmask > MOST_MASK) return TMU_MESH_FAILED_MASK;
  if (is_cut_off(td->hmeshlast) || is_cut_off(td->vmeshlast)) return TMU_MESH_REFUSED_MESH;
  if (is_cut_off(td->texhres) || is_cut_off(td->texvres)) return TMU_MESH_REFUSED_TEXTURE;
  if (is_cut_off(td->dsthres) || is_cut_off(td->dstvres)) return TMU_MESH_REFUSED_FRAME;
  if (is_cut_off(td->dstsquarew) || is_cut_off(td->dstsquareh)) return TMU_MESH_REFUSED_RECTANGLE;
  return TMU_MESH_OK;
}

int tmu_mesh_submit(struct tmu_mesh *mesh, struct tmu_td *td)
{
  const uint32_t values[18] = {
    td->hmeshlast, td->vmeshlast, td->brightness, td->chromakey, td->vertices, td->texfbuf, td->texhres, td->texvres, td->texhmask,
    td->texvmask, td->dstfbuf, td->dsthres, td->dstvres, (uint32_t)td->dsthoffset, (uint32_t)td->dstvoffset, td->dstsquarew,
    td->dstsquareh, td->alpha};
  uint32_t number;
  int status = tmu_mesh_check(td);
  if (status) return status;
  if (mesh->job) return TMU_MESH_BUSY;
  /* In the order of the registers, which stand one behind the other. */
  for (number = 0; number < 18; number++)
    if (write_register(mesh, TMU_MESH_HMESHLAST + 4 * number, values[number])) return TMU_MESH_FAILED_BUS;
  /* What is held of a job before must not end this one. */
  if (write_register(mesh, TMU_MESH_INTERRUPT, DONE)) return TMU_MESH_FAILED_BUS;
  td->status = TMU_MESH_BUSY;
  /* Before the start: the handler may be called at once. */
  mesh->job = td;
  if (write_register(mesh, TMU_MESH_CONTROL, START | td->flags)) {
    mesh->job = 0;
    return TMU_MESH_FAILED_BUS;
  }
  return TMU_MESH_OK;
}

int tmu_mesh_poll(struct tmu_mesh *mesh)
{
  uint32_t pending, status, address = 0;
  struct tmu_td *job = mesh->job;
  if (!job) return TMU_MESH_IDLE;
  if (read_register(mesh, TMU_MESH_INTERRUPT, &pending)) return TMU_MESH_FAILED_BUS;
  if (!(pending & DONE)) return TMU_MESH_BUSY;
  if (read_register(mesh, TMU_MESH_STATUS, &status)) return TMU_MESH_FAILED_BUS;
  if (read_register(mesh, TMU_MESH_FAULT_ADDRESS, &address)) return TMU_MESH_FAILED_BUS;
  if (write_register(mesh, TMU_MESH_INTERRUPT, DONE)) return TMU_MESH_FAILED_BUS;
  job->status = (int)STATUS_CODE(status);
  job->response = STATUS_RESPONSE(status);
  job->address = address;
  /* The callback may submit the next one. */
  mesh->job = 0;
  status = STATUS_CODE(status);
  if (job->callback) job->callback(job);
  return (int)status;
}

int tmu_mesh_wait(struct tmu_mesh *mesh, uint32_t polls)
{
  while (polls--) {
    int status = tmu_mesh_poll(mesh);
    if (status != TMU_MESH_BUSY) return status;
  }
  return TMU_MESH_FAILED_TIME;
}

int tmu_mesh_busy(struct tmu_mesh *mesh)
{
  uint32_t status;
  if (read_register(mesh, TMU_MESH_STATUS, &status)) return TMU_MESH_FAILED_BUS;
  return (int)(status & 1u);
}

int tmu_mesh_enable_interrupt(struct tmu_mesh *mesh, int enable)
{
  return write_register(mesh, TMU_MESH_INTERRUPT_ENABLE, enable ? DONE : 0u);
}

int tmu_mesh_interrupt(struct tmu_mesh *mesh)
{
  return tmu_mesh_poll(mesh);
}

int tmu_mesh_reset(struct tmu_mesh *mesh)
{
  return write_register(mesh, TMU_MESH_RESET, 1u);
}

int tmu_mesh_read_counters(struct tmu_mesh *mesh, struct tmu_mesh_counters *counters)
{
  uint32_t *const places[5] = {&counters->pixels_drawn, &counters->pixels_left_out, &counters->texture_lines, &counters->texture_hits,
                               &counters->clocks_stalled};
  uint32_t number;
  for (number = 0; number < 5; number++)
    if (read_register(mesh, TMU_MESH_PIXELS_DRAWN + 4 * number, places[number])) return TMU_MESH_FAILED_BUS;
  return TMU_MESH_OK;
}

const char *tmu_mesh_status_text(int status)
{
  switch (status) {
  case TMU_MESH_OK: return "done";
  case TMU_MESH_REFUSED_MESH: return "hmeshlast and vmeshlast are 1 to 127";
  case TMU_MESH_REFUSED_TEXTURE: return "sizes of the texture are 1 to 2047";
  case TMU_MESH_REFUSED_FRAME: return "sizes of the frame buffer are 1 to 2047";
  case TMU_MESH_REFUSED_RECTANGLE: return "sizes of a rectangle are 1 to 2047";
  case TMU_MESH_REFUSED_ALIGNMENT: return "vertices is a multiple of 8, texfbuf and dstfbuf are multiples of 2";
  case TMU_MESH_FAULT_VERTICES: return "a read of vertices failed";
  case TMU_MESH_FAULT_TEXTURE: return "a read of the texture failed";
  case TMU_MESH_FAULT_FRAME: return "a read of the frame buffer failed";
  case TMU_MESH_FAULT_WRITE: return "a write of the frame buffer failed";
  case TMU_MESH_ENDED_BY_RESET: return "the job was ended by a reset";
  case TMU_MESH_BUSY: return "a job is at work";
  case TMU_MESH_IDLE: return "there is no job";
  case TMU_MESH_FAILED_BUS: return "the bus failed";
  case TMU_MESH_FAILED_ID: return "no mesh engine answers";
  case TMU_MESH_FAILED_TIME: return "the job has not ended";
  case TMU_MESH_FAILED_LEVEL: return "brightness and alpha are 0 to 63";
  case TMU_MESH_FAILED_MASK: return "masks are 0 to 0x3ffff";
  case TMU_MESH_FAILED_FLAGS: return "flags are TMU_CTL_CHROMAKEY and TMU_CTL_ADDITIVE";
  default: return "unknown";
  }
}
