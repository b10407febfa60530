/* The driver of the pixel engine on registers that behave as the engine's do. */
#include "tmu_pixel.h"

#define MAGIC TMU_PIXEL_MAGIC
#define JOB_LAST TMU_PIXEL_FRAME
#define RESET TMU_PIXEL_RESET
#include "support/registers.h"

#define RECORD 0x4560u

static void runs(void)
{
  struct registers registers = fresh(3, 0);
  const struct tmu_pixel_bus bus = {&registers, read_word, write_word};
  struct tmu_pixel_counters counters;
  struct tmu_pixel engine;
  EXPECT(tmu_pixel_open(&engine, &bus, BASE) == TMU_PIXEL_OK);
  EXPECT(tmu_pixel_poll(&engine) == TMU_PIXEL_IDLE);
  EXPECT(tmu_pixel_submit(&engine, RECORD + 8) == TMU_PIXEL_FAULT_FRAME);
  EXPECT(registers.words[TMU_PIXEL_FRAME / 4] == 0);
  EXPECT(tmu_pixel_enable_interrupt(&engine, 1) == TMU_PIXEL_OK);
  EXPECT(registers.words[TMU_PIXEL_INTERRUPT_ENABLE / 4] == 1);
  EXPECT(tmu_pixel_submit(&engine, RECORD) == TMU_PIXEL_OK);
  EXPECT(registers.words[TMU_PIXEL_FRAME / 4] == RECORD);
  EXPECT(tmu_pixel_submit(&engine, RECORD) == TMU_PIXEL_BUSY && tmu_pixel_busy(&engine) == 1);
  EXPECT(tmu_pixel_wait(&engine, 2) == TMU_PIXEL_FAILED_TIME);
  EXPECT(tmu_pixel_wait(&engine, 2) == TMU_PIXEL_OK);
  EXPECT(tmu_pixel_poll(&engine) == TMU_PIXEL_IDLE && tmu_pixel_busy(&engine) == 0);
  EXPECT(tmu_pixel_read_counters(&engine, &counters) == TMU_PIXEL_OK);
  EXPECT(counters.lines_read == 100 && counters.lines_written == 101 && counters.busy_clocks == 102);
}

static void faults(void)
{
  static const int codes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  struct tmu_pixel engine;
  size_t number;
  int works;
  for (number = 0; number < sizeof codes / sizeof *codes; number++) {
    struct registers registers = fresh(0, (uint32_t)codes[number]);
    const struct tmu_pixel_bus bus = {&registers, read_word, write_word};
    EXPECT(tmu_pixel_open(&engine, &bus, BASE) == TMU_PIXEL_OK);
    EXPECT(tmu_pixel_submit(&engine, RECORD) == TMU_PIXEL_OK);
    EXPECT(tmu_pixel_wait(&engine, 1) == codes[number] && engine.address == 0x1230);
    EXPECT(strcmp(tmu_pixel_status_text(codes[number]), "unknown"));
    EXPECT(tmu_pixel_submit(&engine, RECORD) == TMU_PIXEL_OK);
    EXPECT(tmu_pixel_reset(&engine) == TMU_PIXEL_OK);
    EXPECT(tmu_pixel_wait(&engine, 1) == TMU_PIXEL_ENDED_BY_RESET);
  }
  for (works = 0; works < 9; works++) {
    struct registers registers = fresh(0, 0);
    const struct tmu_pixel_bus bus = {&registers, read_word, write_word};
    int status;
    registers.works = works;
    status = tmu_pixel_open(&engine, &bus, BASE);
    if (!status) status = tmu_pixel_submit(&engine, RECORD);
    if (!status) status = tmu_pixel_wait(&engine, 1);
    EXPECT(status == TMU_PIXEL_FAILED_BUS);
  }
}

int main(void)
{
  struct registers registers = fresh(0, 0);
  const struct tmu_pixel_bus bus = {&registers, read_word, write_word};
  struct tmu_pixel engine;
  runs();
  faults();
  registers.words[TMU_PIXEL_IDENTITY / 4] = 5;
  EXPECT(tmu_pixel_open(&engine, &bus, BASE) == TMU_PIXEL_FAILED_ID);
  puts("all is well");
  return 0;
}
