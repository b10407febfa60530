/* First light on a board with Linux: a texture into memory, a pattern through the core's bring-up kit, and what it says.
 *
 *   first_light uio=/dev/uio0 memory=udmabuf0 texture=coffee.bin binding=0x0,0x40300999,0x0,0x0 size=512x512
 *               pattern=scan quads=1024 row=32 crc=0x12345678 capture=requests.txt
 *
 * binding and crc are what `tmugen bringup --texture coffee.toml` prints. crc, capture, unit and pixels may be left out.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tmu_bring_up.h"

#define CONTROL_BYTES 0x1000u
#define MOST_WORDS 20u
#define MOST_BEAT_WORDS 25u

static const char *option(int count, char **arguments, const char *name, const char *otherwise) {
  size_t length = strlen(name);
  for (int i = 1; i < count; i++)
    if (!strncmp(arguments[i], name, length) && arguments[i][length] == '=') return arguments[i] + length + 1;
  return otherwise;
}

static const char *needed(int count, char **arguments, const char *name) {
  const char *value = option(count, arguments, name, NULL);
  if (value) return value;
  fprintf(stderr, "first_light: %s= is missing; the head of first_light.c has an example\n", name);
  exit(2);
}

static void fail(const char *what) {
  fprintf(stderr, "first_light: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void check(int status, const char *what) {
  if (status == TMU_OK) return;
  fprintf(stderr, "first_light: %s gives %d; tmu.h says what that is\n", what, status);
  exit(1);
}

/* The bus of the driver: registers only, since the kit sends the requests. */
static int read_register(void *context, uint32_t address, uint32_t *value) {
  *value = ((volatile uint32_t *)context)[address / 4];
  return 0;
}

static int write_register(void *context, uint32_t address, uint32_t value) {
  ((volatile uint32_t *)context)[address / 4] = value;
  return 0;
}

static int send_nothing(void *context, uint32_t unit, const struct tmu_beat *beats, uint32_t count) {
  (void)context, (void)unit, (void)beats, (void)count;
  return -1;
}

static int receive_nothing(void *context, uint32_t unit, struct tmu_result_beat *beat) {
  (void)context, (void)unit, (void)beat;
  return -1;
}

/* Copies a texture to the start of the shared memory; returns its physical address. */
static uint64_t load(const char *memory, const char *texture) {
  char path[256], text[64] = {0};
  snprintf(path, sizeof path, "/sys/class/u-dma-buf/%s/phys_addr", memory);
  FILE *file = fopen(path, "r");
  if (!file || !fgets(text, sizeof text, file)) fail(path);
  fclose(file);
  uint64_t address = strtoull(text, NULL, 0);
  FILE *source = fopen(texture, "rb");
  struct stat status;
  if (!source || fstat(fileno(source), &status)) fail(texture);
  snprintf(path, sizeof path, "/dev/%s", memory);
  /* O_SYNC: what is written reaches memory, and not only the processor's cache. */
  int device = open(path, O_RDWR | O_SYNC);
  if (device < 0) fail(path);
  uint8_t *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, device, 0);
  if (bytes == MAP_FAILED) fail("mapping the texture's memory; is it large enough?");
  if (fread(bytes, 1, (size_t)status.st_size, source) != (size_t)status.st_size) fail(texture);
  fclose(source);
  munmap(bytes, (size_t)status.st_size);
  close(device);
  return address;
}

static enum tmu_pattern pattern_of(const char *name) {
  static const char *const names[] = {"constant", "scan", "turned", "rotated", "random"};
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
    if (!strcmp(name, names[i])) return (enum tmu_pattern)i;
  fprintf(stderr, "first_light: pattern=%s: use constant, scan, turned, rotated or random\n", name);
  exit(2);
}

/* Writes a capture as `tmugen sim --replay` reads it; a packet whose end was not captured is left out. */
static void write_capture(const struct tmu *core, const char *path, const char *texture, uint32_t tdata_bits) {
  uint32_t words = (tdata_bits + 2 + 31) / 32, count, reads, line, lines, value[MOST_BEAT_WORDS];
  FILE *file = fopen(path, "w");
  if (!file) fail(path);
  check(tmu_bring_up_captured(core, &count), "tmu_bring_up_captured");
  fprintf(file, "tmugen requests 1\ntdata %u\nmemory 0x00000000 %s\n", tdata_bits, texture);
  char packet[8 * (2 * 97 + 2)] = {0};
  size_t length = 0;
  for (uint32_t beat = 0; beat < count; beat++) {
    for (uint32_t word = 0; word < words; word++) check(tmu_bring_up_word(core, beat, word, &value[word]), "tmu_bring_up_word");
    uint32_t user = value[tdata_bits / 32] >> tdata_bits % 32 & 1u;
    uint32_t last = value[(tdata_bits + 1) / 32] >> (tdata_bits + 1) % 32 & 1u;
    if (!length) length = (size_t)snprintf(packet, sizeof packet, "%s", user ? "binding" : "quad");
    if (length + tdata_bits / 4 + 2 >= sizeof packet) fail("a packet of too many beats");
    packet[length++] = ' ';
    for (uint32_t byte = tdata_bits / 8; byte-- > 0;)
      length += (size_t)snprintf(packet + length, sizeof packet - length, "%02x", (unsigned)(value[byte / 4] >> 8 * (byte % 4) & 0xffu));
    if (last) {
      fprintf(file, "%s\n", packet);
      length = 0;
    }
  }
  check(tmu_bring_up_captured_reads(core, &reads), "tmu_bring_up_captured_reads");
  for (uint32_t number = 0; number < reads; number++) {
    check(tmu_bring_up_read(core, number, &line, &lines), "tmu_bring_up_read");
    fprintf(file, "read 0x%08x %u\n", 16u * line, lines);
  }
  if (fclose(file)) fail(path);
  printf("captured %u beats and %u reads in %s\n", count, reads, path);
}

int main(int count, char **arguments) {
  uint32_t words[MOST_WORDS], filled = 0;
  const char *text = needed(count, arguments, "binding");
  for (char *end; filled < MOST_WORDS; text = end + 1) {
    words[filled++] = (uint32_t)strtoul(text, &end, 0);
    if (*end != ',') break;
  }
  unsigned width, height;
  if (sscanf(needed(count, arguments, "size"), "%ux%u", &width, &height) != 2 || !width || !height) {
    fprintf(stderr, "first_light: size= is WIDTHxHEIGHT, like 512x512\n");
    return 2;
  }
  enum tmu_pattern pattern = pattern_of(option(count, arguments, "pattern", "scan"));
  uint32_t quads = (uint32_t)strtoul(option(count, arguments, "quads", "1024"), NULL, 0);
  uint16_t row = (uint16_t)strtoul(option(count, arguments, "row", "32"), NULL, 0);
  uint32_t unit = (uint32_t)strtoul(option(count, arguments, "unit", "0"), NULL, 0);
  uint32_t pixels = (uint32_t)strtoul(option(count, arguments, "pixels", "1"), NULL, 0);

  const char *device = option(count, arguments, "uio", "/dev/uio0");
  int uio = open(device, O_RDWR | O_SYNC);
  if (uio < 0) fail(device);
  void *registers = mmap(NULL, CONTROL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, uio, 0);
  if (registers == MAP_FAILED) fail(device);
  struct tmu_bus bus = {registers, read_register, write_register, send_nothing, receive_nothing};
  struct tmu core;
  check(tmu_open(&core, &bus), "tmu_open");
  const char *texture = needed(count, arguments, "texture");
  uint64_t window = load(option(count, arguments, "memory", "udmabuf0"), texture);
  check(tmu_set_window(&core, window), "tmu_set_window");
  printf("a core with %u units; textures from 0x%llx on\n", core.units, (unsigned long long)window);

  const char *capture = option(count, arguments, "capture", NULL);
  struct tmu_walk walk;
  tmu_walk_of(&walk, pattern, width, height, quads, row);
  check(tmu_bring_up_take(&core, unit), "tmu_bring_up_take");
  if (capture) check(tmu_bring_up_capture(&core, unit), "tmu_bring_up_capture");
  check(tmu_bring_up_start(&core, words, filled, &walk), "tmu_bring_up_start");
  check(tmu_bring_up_wait(&core), "tmu_bring_up_wait");
  struct tmu_report report;
  check(tmu_bring_up_report(&core, &report), "tmu_bring_up_report");
  check(tmu_bring_up_give_back(&core), "tmu_bring_up_give_back");

  struct tmu_needs needs;
  tmu_needs_of(&needs, report.most_latency, core.units, pixels);
  printf("%u results, %u failed, in %u clocks\nCRC 0x%08x\n", report.results, report.failed, report.clocks, report.crc);
  if (report.reads)
    printf("latency of %u reads: %u to %u clocks, %u in the mean\n%u lines in %u clocks of waiting\n"
           "to hide the longest: axi.outstanding_reads = %u, cache.queue_depth = %u\n",
           report.reads, report.least_latency, report.most_latency, tmu_mean_latency(&report), report.lines, report.waiting,
           needs.outstanding_reads, needs.queue_depth);
  if (capture) write_capture(&core, capture, texture, (uint32_t)strtoul(option(count, arguments, "tdata", "136"), NULL, 0));
  struct tmu_errors errors;
  check(tmu_errors(&core, &errors), "tmu_errors");
  if (errors.flags) printf("errors 0x%08x, first at 0x%llx\n", errors.flags, (unsigned long long)errors.address);
  const char *expected = option(count, arguments, "crc", NULL);
  if (!expected) return 0;
  int is_right = (uint32_t)strtoul(expected, NULL, 0) == report.crc;
  puts(is_right ? "first light: the CRC is the golden model's" : "the CRC is another one than expected");
  return is_right ? 0 : 1;
}
