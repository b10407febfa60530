/* Entries of the parameter store that are written over the control port, or loaded from a table in memory.
 *
 * Only cores with control.store_port have the registers, and only those with control.store_table load: others answer SLVERR, which is the
 * platform's failure. Both begin here and go on by themselves until tmu_wait_for_entries is done. Packets that are sent behind
 * that find the entries written. One that was sent before may find what was there before, or not: who must know waits for its results
 * first.
 *
 *   tmu_write_entry(&core, 1u, 5, TMU_ENABLE_2D, &texture, &sampler);  // of unit 0
 *   tmu_wait_for_entries(&core);
 *   tmu_use_entry(&core, 0, &use);
 */
#ifndef TMU_STORE_H
#define TMU_STORE_H

#include "tmu_general.h"

/* Bytes of an entry of a table in memory. A table begins at a multiple of 16 bytes in the texture window; its entries follow each other. */
#define TMU_ENTRY_BYTES (4u * TMU_GENERAL_WORDS)

/* A texture as an entry of a table, whose enables become these, or TMU_ENABLES_STAY. */
void tmu_entry_bytes(const struct tmu_general_texture *texture, const struct tmu_sampler *sampler, uint32_t enables,
                     uint8_t bytes[TMU_ENTRY_BYTES]);
/* Begins to write a texture to an entry of the stores of these units, a bit each, at the target of its kind. What is bound stays as it is. */
int tmu_write_entry(const struct tmu *core, uint32_t units, uint32_t entry, uint32_t enables,
                    const struct tmu_general_texture *texture, const struct tmu_sampler *sampler);
/* Begins to load entries of the stores of these units, a bit each, from a table at an address in the texture window: so many from the
 * first one on, each to the entry that has its place. What the table says is not checked here: a binding that breaks a rule is told in
 * the errors, and quads that it is bound for fail. */
int tmu_load_entries(const struct tmu *core, uint32_t units, uint32_t table, uint32_t first, uint32_t count);
/* Waits until all that was begun is written. TMU_FAILED_TIME: a unit does not take it, as long as its results are not taken. */
int tmu_wait_for_entries(const struct tmu *core);
/* Whether an entry could not be read since loading was begun, and the first such one: its quads fail until it is written again. */
int tmu_failed_entry(const struct tmu *core, uint8_t *failed, uint32_t *entry);

#endif
