/* The golden model of a texture unit: every sample as the emitted hardware gives it, to the last bit.
 *
 * Beats of the request stream go in as the hardware takes them and beats of the result stream come out, in order; how their bits are
 * laid out stands in docs/reference/streams.md. The same functions serve the classic and the general numerics. A model is used by one
 * thread at a time. Functions that return int return one of enum tmu_golden_status; for what is not TMU_GOLDEN_OK,
 * tmu_golden_error says more. Link with libtmu_golden.so, or with libtmu_golden.a -lpthread -ldl -lm.
 */
#ifndef TMU_GOLDEN_H
#define TMU_GOLDEN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Words of 32 bits of the widest beats; unused ones do not count in requests and are 0 in results. */
#define TMU_GOLDEN_REQUEST_WORDS 25
#define TMU_GOLDEN_RESULT_WORDS 16
/* Words of a line of memory. */
#define TMU_GOLDEN_LINE_WORDS 4

enum tmu_golden_status {
    TMU_GOLDEN_OK = 0,
    /* The binding breaks rules: quads behind it are answered with the error bit. */
    TMU_GOLDEN_REFUSED = 1,
    /* The packet has the wrong length and was dropped, as the hardware does. */
    TMU_GOLDEN_DROPPED = 2,
    /* There is no result. */
    TMU_GOLDEN_EMPTY = 3,
    /* The line cannot be read: nothing was written there, or it was made to fail. */
    TMU_GOLDEN_UNREADABLE = 4,
    /* An argument is null or out of its range. */
    TMU_GOLDEN_ARGUMENT = -1,
    /* A file cannot be read. */
    TMU_GOLDEN_FILE = -2,
    /* A fault of the library. */
    TMU_GOLDEN_INTERNAL = -3
};

/* A texture unit with its memory. Of a core with several units it is one: make a model for each. */
typedef struct tmu_golden tmu_golden;

/* A model of a preset ("fury-single"), of the text of a configuration, or of a configuration file, with empty memory and nothing
 * bound; null if there is none such. */
tmu_golden *tmu_golden_preset(const char *name);
tmu_golden *tmu_golden_toml(const char *toml);
tmu_golden *tmu_golden_open(const char *path);
void tmu_golden_free(tmu_golden *model);

/* The last message of this thread, until its next call. */
const char *tmu_golden_error(void);

/* Bits of tdata of the model's streams. */
int tmu_golden_request_bits(tmu_golden *model);
int tmu_golden_result_bits(tmu_golden *model);

/* Texture memory, of 2^31 bytes. Lines of which nothing was written cannot be read, so that quads that need them have the error bit.
 * Quads see what is written at once, as if there were no cache; a colour table is read when it is bound. */
int tmu_golden_write(tmu_golden *model, uint32_t address, const uint8_t *bytes, size_t count);
/* The same of a whole file, such as the .bin of `tmugen pack`. */
int tmu_golden_load(tmu_golden *model, uint32_t address, const char *path);
/* The line of 16 bytes that has an address, lowest byte first: for the memory beside the hardware. */
int tmu_golden_write_line(tmu_golden *model, uint32_t address, const uint32_t data[TMU_GOLDEN_LINE_WORDS]);
int tmu_golden_read_line(tmu_golden *model, uint32_t address, uint32_t data[TMU_GOLDEN_LINE_WORDS]);
/* Makes the line of an address fail until it is written again. */
int tmu_golden_fail_line(tmu_golden *model, uint32_t address);

/* Takes a beat of the request stream: bit 0 of tuser says that the packet is a binding, bit 0 of tlast that it ends. */
int tmu_golden_request(tmu_golden *model, const uint32_t tdata[TMU_GOLDEN_REQUEST_WORDS], uint32_t tuser, uint32_t tlast);
/* Takes the oldest result that was not taken yet: TMU_GOLDEN_EMPTY where there is none. */
int tmu_golden_result(tmu_golden *model, uint32_t tdata[TMU_GOLDEN_RESULT_WORDS], uint32_t *tuser);
/* How many there are. */
int tmu_golden_pending(tmu_golden *model);

/* As a reset of the units: nothing bound, no packet begun, no result owed. Memory stays. */
int tmu_golden_reset(tmu_golden *model);

#ifdef __cplusplus
}
#endif

#endif
