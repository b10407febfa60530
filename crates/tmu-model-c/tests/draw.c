/* Draws one texel by the classic and by the general numerics, from streams' beats alone. */
#include "tmu_golden.h"

#include <stdio.h>
#include <string.h>

static void fail(const char *what)
{
    printf("%s: %s\n", what, tmu_golden_error());
}

/* A texture of 4 x 4 texels, all of one colour, at address 0x1000: a tile for each of its levels. */
static int write_texture(tmu_golden *model)
{
    uint8_t tiles[3 * 64];
    size_t at;
    for (at = 0; at < sizeof tiles; at += 4) {
        tiles[at] = 0x80;
        tiles[at + 1] = 0x40;
        tiles[at + 2] = 0x20;
        tiles[at + 3] = 0xff;
    }
    return tmu_golden_write(model, 0x1000, tiles, sizeof tiles);
}

static int send(tmu_golden *model, const uint32_t *words, size_t count, uint32_t tuser, uint32_t tlast)
{
    uint32_t tdata[TMU_GOLDEN_REQUEST_WORDS];
    memset(tdata, 0, sizeof tdata);
    memcpy(tdata, words, count * sizeof *words);
    return tmu_golden_request(model, tdata, tuser, tlast);
}

/* Sends a quad whose pixel 0 counts, at u = v = 0, and gives its colour. */
static int draw(tmu_golden *model, uint32_t *color)
{
    const uint32_t half[5] = {0, 0, 0, 0, 1};
    uint32_t tdata[TMU_GOLDEN_RESULT_WORDS], tuser;
    if (send(model, half, 5, 0, 0) || send(model, half, 5, 0, 1) || tmu_golden_result(model, tdata, &tuser) || tuser != 1) {
        fail("no sample");
        return 1;
    }
    *color = tdata[0];
    return 0;
}

static void print(const char *name, uint32_t color, const char *end)
{
    printf("%s %02x%02x%02x%02x%s", name, (unsigned)(color & 255), (unsigned)(color >> 8 & 255), (unsigned)(color >> 16 & 255),
           (unsigned)(color >> 24), end);
}

int main(void)
{
    /* 4 x 4 texels of rgba8 at 0x1000, nearest, level 0 only. */
    const uint32_t classic_binding[2] = {0x1000, 2 | 2 << 4};
    const uint32_t general_binding[5][4] = {
        {0x1000, 0, 3 | 3 << 12 | 1u << 28, 0 << 12 | 1 << 15 | 2 << 18 | 3 << 21}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
    uint32_t color;
    size_t beat;
    tmu_golden *classic = tmu_golden_preset("fury-single");
    tmu_golden *general = tmu_golden_preset("multi-lite");
    if (!classic || !general || write_texture(classic) || write_texture(general)) {
        fail("no model");
        return 1;
    }
    if (send(classic, classic_binding, 2, 1, 1)) {
        fail("classic binding");
        return 1;
    }
    for (beat = 0; beat < 5; beat++)
        if (send(general, general_binding[beat], 4, 1, beat == 4)) {
            fail("general binding");
            return 1;
        }
    if (draw(classic, &color))
        return 1;
    print("classic", color, ", ");
    if (draw(general, &color))
        return 1;
    print("general", color, "\n");
    tmu_golden_free(classic);
    tmu_golden_free(general);
    return 0;
}
