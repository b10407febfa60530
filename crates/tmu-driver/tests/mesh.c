/* The driver of the mesh engine on registers that behave as the engine's do. */
#include "tmu_mesh.h"

#define MAGIC TMU_MESH_MAGIC
#define JOB_LAST TMU_MESH_ALPHA
#define RESET TMU_MESH_RESET
#include "support/registers.h"

static void ended(struct tmu_td *td)
{
  ++*(int *)td->user;
}

int main(void)
{
  static const int codes[] = {1, 2, 3, 4, 5, 8, 9, 10, 11};
  struct registers registers;
  struct tmu_mesh_bus bus;
  struct tmu_mesh mesh;
  struct tmu_mesh_counters counters;
  struct tmu_td td;
  int calls = 0, works;
  size_t number;
  bus.context = &registers;
  bus.read = read_word;
  bus.write = write_word;

  registers = fresh(3, 0);
  EXPECT(tmu_mesh_open(&mesh, &bus, BASE) == TMU_MESH_OK);
  EXPECT(tmu_mesh_poll(&mesh) == TMU_MESH_IDLE);
  tmu_td_init(&td);
  td.flags = TMU_CTL_CHROMAKEY;
  td.dstvoffset = -1;
  td.dstfbuf = 0x2000;
  td.callback = ended;
  td.user = &calls;
  EXPECT(tmu_mesh_submit(&mesh, &td) == TMU_MESH_OK);
  EXPECT(tmu_mesh_submit(&mesh, &td) == TMU_MESH_BUSY);
  EXPECT(tmu_mesh_busy(&mesh) == 1);
  EXPECT(tmu_mesh_wait(&mesh, 2) == TMU_MESH_FAILED_TIME);
  EXPECT(calls == 0);
  EXPECT(tmu_mesh_wait(&mesh, 2) == TMU_MESH_OK);
  EXPECT(calls == 1 && td.status == TMU_MESH_OK);
  EXPECT(tmu_mesh_interrupt(&mesh) == TMU_MESH_IDLE && tmu_mesh_busy(&mesh) == 0);
  EXPECT(registers.words[0] == 3 && registers.words[1] == 32 && registers.words[0x2c / 4] == 0x2000);
  EXPECT(registers.words[0x3c / 4] == 0xffffffffu && registers.words[0x48 / 4] == 63);
  EXPECT(tmu_mesh_read_counters(&mesh, &counters) == TMU_MESH_OK);
  EXPECT(counters.pixels_drawn == 100 && counters.clocks_stalled == 104);

  for (number = 0; number < sizeof codes / sizeof *codes; number++) {
    registers = fresh(0, (uint32_t)codes[number]);
    EXPECT(tmu_mesh_submit(&mesh, &td) == TMU_MESH_OK);
    EXPECT(tmu_mesh_wait(&mesh, 1) == codes[number]);
    EXPECT(td.status == codes[number] && td.address == 0x1230 && td.response == 3);
    EXPECT(tmu_mesh_status_text(td.status)[0] != 'u');
  }
  registers = fresh(1000, 0);
  EXPECT(tmu_mesh_submit(&mesh, &td) == TMU_MESH_OK);
  EXPECT(tmu_mesh_reset(&mesh) == TMU_MESH_OK);
  EXPECT(tmu_mesh_wait(&mesh, 2) == TMU_MESH_ENDED_BY_RESET);

  td.alpha = 64;
  EXPECT(tmu_mesh_submit(&mesh, &td) == TMU_MESH_FAILED_LEVEL);
  tmu_td_init(&td);
  td.flags = 1;
  EXPECT(tmu_mesh_submit(&mesh, &td) == TMU_MESH_FAILED_FLAGS);
  tmu_td_init(&td);
  td.texhmask = 0x40000;
  EXPECT(tmu_mesh_submit(&mesh, &td) == TMU_MESH_FAILED_MASK);
  tmu_td_init(&td);
  td.hmeshlast = 0x10001;
  EXPECT(tmu_mesh_submit(&mesh, &td) == TMU_MESH_REFUSED_MESH);
  EXPECT(tmu_mesh_poll(&mesh) == TMU_MESH_IDLE);

  tmu_td_init(&td);
  for (works = 0; works < 26; works++) {
    int status;
    registers = fresh(0, 0);
    registers.works = works;
    status = tmu_mesh_open(&mesh, &bus, BASE);
    if (!status) status = tmu_mesh_submit(&mesh, &td);
    if (!status) status = tmu_mesh_wait(&mesh, 1);
    EXPECT((status == TMU_MESH_FAILED_BUS) == (works < 26));
  }
  registers = fresh(0, 0);
  registers.words[TMU_MESH_IDENTITY / 4] = 5;
  EXPECT(tmu_mesh_open(&mesh, &bus, BASE) == TMU_MESH_FAILED_ID);
  puts("all is well");
  return 0;
}
