/* The driver of the loader engine on registers that behave as the engine's do. */
#include "tmu_loader.h"

#define MAGIC TMU_LOADER_MAGIC
#define JOB_LAST TMU_LOADER_LEVELS
#define RESET TMU_LOADER_RESET
#include "support/registers.h"

static void runs(void)
{
  struct registers registers = fresh(3, 0);
  const struct tmu_loader_bus bus = {&registers, read_word, write_word};
  struct tmu_loader loader;
  struct tmu_loader_counters counters;
  struct tmu_loader_job job;
  EXPECT(tmu_loader_open(&loader, &bus, BASE) == TMU_LOADER_OK);
  EXPECT(tmu_loader_poll(&loader) == TMU_LOADER_IDLE);
  tmu_loader_job_init(&job);
  job.texture = 0x8000;
  job.kind = TMU_LOADER_CUBE;
  job.depth = 6;
  job.is_srgb = 1;
  EXPECT(tmu_loader_submit(&loader, &job) == TMU_LOADER_OK);
  EXPECT(tmu_loader_submit(&loader, &job) == TMU_LOADER_BUSY && tmu_loader_busy(&loader) == 1);
  EXPECT(tmu_loader_wait(&loader, 2) == TMU_LOADER_FAILED_TIME && job.status == TMU_LOADER_BUSY);
  EXPECT(tmu_loader_wait(&loader, 2) == TMU_LOADER_OK && job.status == TMU_LOADER_OK);
  EXPECT(tmu_loader_poll(&loader) == TMU_LOADER_IDLE && tmu_loader_busy(&loader) == 0);
  EXPECT(registers.words[TMU_LOADER_TEXTURE / 4] == 0x8000 && registers.words[TMU_LOADER_FORMAT / 4] == 0x10300);
  EXPECT(registers.words[TMU_LOADER_PITCH / 4] == 16 && registers.words[TMU_LOADER_LEVELS / 4] == 1);
  EXPECT(tmu_loader_read_counters(&loader, &counters) == TMU_LOADER_OK);
  EXPECT(counters.lines_read == 100 && counters.lines_written == 101 && counters.busy_clocks == 102);
}

static void faults(void)
{
  uint32_t code;
  int works;
  struct tmu_loader loader;
  struct tmu_loader_job job;
  for (code = 1; code <= TMU_LOADER_REFUSED_LENGTH; code++) {
    struct registers registers = fresh(0, code);
    const struct tmu_loader_bus bus = {&registers, read_word, write_word};
    tmu_loader_job_init(&job);
    EXPECT(tmu_loader_open(&loader, &bus, BASE) == TMU_LOADER_OK);
    EXPECT(tmu_loader_submit(&loader, &job) == TMU_LOADER_OK);
    EXPECT(tmu_loader_wait(&loader, 1) == (int)code && job.address == 0x1230 && job.response == 3);
    EXPECT(strcmp(tmu_loader_status_text((int)code), "unknown"));
    EXPECT(tmu_loader_submit(&loader, &job) == TMU_LOADER_OK);
    EXPECT(tmu_loader_reset(&loader) == TMU_LOADER_OK);
    EXPECT(tmu_loader_wait(&loader, 1) == TMU_LOADER_ENDED_BY_RESET);
  }
  for (works = 0; works < 15; works++) {
    struct registers registers = fresh(0, 0);
    const struct tmu_loader_bus bus = {&registers, read_word, write_word};
    int status;
    registers.works = works;
    tmu_loader_job_init(&job);
    status = tmu_loader_open(&loader, &bus, BASE);
    if (!status) status = tmu_loader_submit(&loader, &job);
    if (!status) status = tmu_loader_wait(&loader, 1);
    EXPECT(status == TMU_LOADER_FAILED_BUS);
  }
}

static void packets(void)
{
  struct tmu_loader_job job;
  uint32_t words[TMU_LOADER_PACKET_WORDS];
  tmu_loader_job_init(&job);
  job.picture = 0x1000;
  job.kind = TMU_LOADER_CUBE;
  job.is_srgb = 1;
  job.levels = 3;
  tmu_loader_packet(&job, words);
  EXPECT(words[0] == 0x1000 && words[1] == 16 && words[7] == 0x10300 && words[8] == 3);
  EXPECT(tmu_loader_answer(&job, 0x8000012000000039u) == TMU_LOADER_FAULT_READ);
  EXPECT(job.status == TMU_LOADER_FAULT_READ && job.response == 3 && job.address == 0x80000120u);
  EXPECT(tmu_loader_answer(&job, 0) == TMU_LOADER_OK && job.address == 0);
}

static void refusals(void)
{
  struct registers registers = fresh(0, 0);
  const struct tmu_loader_bus bus = {&registers, read_word, write_word};
  struct tmu_loader loader;
  struct tmu_loader_job job;
  EXPECT(tmu_loader_open(&loader, &bus, BASE) == TMU_LOADER_OK);
  tmu_loader_job_init(&job);
  job.height = 0x10001;
  EXPECT(tmu_loader_submit(&loader, &job) == TMU_LOADER_REFUSED_SIZE);
  tmu_loader_job_init(&job);
  job.kind = 9;
  EXPECT(tmu_loader_submit(&loader, &job) == TMU_LOADER_REFUSED_KIND);
  tmu_loader_job_init(&job);
  job.levels = 0x101;
  EXPECT(tmu_loader_submit(&loader, &job) == TMU_LOADER_REFUSED_LEVELS);
  EXPECT(registers.words[TMU_LOADER_PITCH / 4] == 0 && tmu_loader_poll(&loader) == TMU_LOADER_IDLE);
  registers.words[TMU_LOADER_IDENTITY / 4] = 5;
  EXPECT(tmu_loader_open(&loader, &bus, BASE) == TMU_LOADER_FAILED_ID);
}

int main(void)
{
  runs();
  faults();
  packets();
  refusals();
  printf("all is well\n");
  return 0;
}
