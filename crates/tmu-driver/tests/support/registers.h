/* Registers of an engine that behave as the contract says. A test says where its engine's differ before it includes this:
 * MAGIC, JOB_LAST (the last register of a job) and RESET. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE 0x400u
#define CONTROL 0x00u
#define IDENTITY 0x100u
#define INTERRUPT 0x108u
#define STATUS 0x10cu
#define FAULT_ADDRESS 0x110u
#define COUNTS 0x114u

#define EXPECT(condition)                                           \
  do {                                                              \
    if (!(condition)) {                                             \
      printf("line %d: not %s\n", __LINE__, #condition);            \
      exit(1);                                                      \
    }                                                               \
  } while (0)

struct registers {
  uint32_t words[0x80];
  uint32_t clocks; /* polls of the interrupt until a job ends */
  uint32_t code;   /* that it ends with */
  int is_busy;
  int works;       /* accesses that work before one fails */
};

static int read_word(void *context, uint32_t address, uint32_t *value)
{
  struct registers *registers = context;
  uint32_t offset = address - BASE;
  EXPECT(offset < 0x200u && offset % 4 == 0);
  if (registers->works-- == 0) return -1;
  if (offset == INTERRUPT && registers->is_busy) {
    if (registers->clocks == 0) {
      registers->is_busy = 0;
      registers->words[offset / 4] = 1;
    } else
      registers->clocks--;
  }
  if (offset == STATUS)
    *value = registers->is_busy ? 1u : registers->code << 8 | 3u << 12;
  else
    *value = registers->words[offset / 4];
  return 0;
}

static int write_word(void *context, uint32_t address, uint32_t value)
{
  struct registers *registers = context;
  uint32_t offset = address - BASE;
  EXPECT(offset < 0x200u && offset % 4 == 0);
  if (registers->works-- == 0 || (registers->is_busy && offset <= JOB_LAST)) return -1;
  if (offset == INTERRUPT)
    registers->words[offset / 4] &= ~value;
  else if (offset == RESET) {
    registers->clocks = 0;
    registers->code = 15;
  } else
    registers->words[offset / 4] = value;
  if (offset == CONTROL && value & 1u) registers->is_busy = 1;
  return 0;
}

static struct registers fresh(uint32_t clocks, uint32_t code)
{
  struct registers registers;
  uint32_t offset;
  memset(&registers, 0, sizeof registers);
  registers.words[IDENTITY / 4] = MAGIC;
  registers.words[FAULT_ADDRESS / 4] = 0x1230;
  registers.words[INTERRUPT / 4] = 1;
  for (offset = COUNTS; offset < RESET; offset += 4) registers.words[offset / 4] = 100 + (offset - COUNTS) / 4;
  registers.clocks = clocks;
  registers.code = code;
  registers.works = -1;
  return registers;
}
