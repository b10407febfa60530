/* Where the fields of the pixel pipeline's records stand: word, lowest bit, bits.
 * Made from the tables of records: UPDATE_DRIVERS=1 cargo test -p tmu-spec writes it anew. */
#ifndef TMU_PIXEL_LAYOUT_H
#define TMU_PIXEL_LAYOUT_H

/* What a frame's record begins with. */
#define TMU_PIXEL_FRAME_MAGIC_VALUE 0x31465054u

/* A frame: the picture that is drawn, and where its lists are. */
#define TMU_PIXEL_FRAME_WORDS 16u
/* the letters TPF1. */
#define TMU_PIXEL_FRAME_MAGIC 0u, 0u, 32u
/* width in pixels, less one. */
#define TMU_PIXEL_FRAME_WIDTH_LESS_ONE 1u, 0u, 12u
/* height in pixels, less one. */
#define TMU_PIXEL_FRAME_HEIGHT_LESS_ONE 1u, 16u, 12u
/* pixels of a tile: 0 16x16, 1 32x32, 2 64x64, 3 32x4. */
#define TMU_PIXEL_FRAME_TILE 2u, 0u, 2u
/* form of the picture: 0 rgba8, 1 bgra8, 2 rgb565. */
#define TMU_PIXEL_FRAME_OUTPUT 2u, 4u, 2u
/* 1: rgb565 is dithered. */
#define TMU_PIXEL_FRAME_DITHERS 2u, 8u, 1u
/* 1: depth is written too. */
#define TMU_PIXEL_FRAME_WRITES_DEPTH 2u, 9u, 1u
/* the most entries that are read for a tile, jumps and the end among them. */
#define TMU_PIXEL_FRAME_LIST_LIMIT 3u, 0u, 20u
/* red, green, blue and alpha where nothing is drawn. */
#define TMU_PIXEL_FRAME_CLEAR_COLOR 4u, 0u, 8u
/* depth where nothing is drawn, a single. */
#define TMU_PIXEL_FRAME_CLEAR_DEPTH 5u, 0u, 32u
/* address of the table of tiles: an entry each, row by row. */
#define TMU_PIXEL_FRAME_TILES 6u, 0u, 32u
/* address of the store of textures: a binding of five lines each. */
#define TMU_PIXEL_FRAME_TEXTURES 7u, 0u, 32u
/* address of the picture. */
#define TMU_PIXEL_FRAME_PICTURE 8u, 0u, 32u
/* bytes from a row of it to the next, a multiple of 16. */
#define TMU_PIXEL_FRAME_PICTURE_PITCH 9u, 0u, 32u
/* address of the written depths, singles. */
#define TMU_PIXEL_FRAME_DEPTH 10u, 0u, 32u
/* bytes from a row of them to the next, a multiple of 16. */
#define TMU_PIXEL_FRAME_DEPTH_PITCH 11u, 0u, 32u
/* textures of the store, 0 to 256. */
#define TMU_PIXEL_FRAME_TEXTURE_COUNT 12u, 0u, 9u

/* A triangle. */
#define TMU_PIXEL_TRIANGLE_WORDS 8u
/* addresses of its vertices. */
#define TMU_PIXEL_TRIANGLE_VERTICES 0u, 0u, 32u
/* address of its state. */
#define TMU_PIXEL_TRIANGLE_STATE 3u, 0u, 32u
/* 1/C, a single. */
#define TMU_PIXEL_TRIANGLE_INVERSE_AREA 4u, 0u, 32u
/* drawn where its depth compares so with the one that is there: 0 never, 1 less, 2 equal, 3 lequal, 4 greater, 5 notequal, 6 gequal, 7 always. */
#define TMU_PIXEL_TRIANGLE_COMPARE 5u, 0u, 3u
/* not drawn if its vertices follow each other so on the screen: 0 none, 1 clockwise, 2 counter-clockwise. */
#define TMU_PIXEL_TRIANGLE_CULL 5u, 4u, 2u

/* The first line of a vertex. */
#define TMU_PIXEL_POSITION_WORDS 4u
/* column in 1/16 of a pixel, two's complement. */
#define TMU_PIXEL_POSITION_X 0u, 0u, 18u
/* row in 1/16 of a pixel, downwards, two's complement. */
#define TMU_PIXEL_POSITION_Y 1u, 0u, 18u
/* depth, a single. */
#define TMU_PIXEL_POSITION_Z 2u, 0u, 32u
/* 1/w, a single. */
#define TMU_PIXEL_POSITION_RHW 3u, 0u, 32u

/* The second line of a vertex whose state has colours. */
#define TMU_PIXEL_VERTEX_COLORS_WORDS 4u
/* red, green, blue and alpha of v0. */
#define TMU_PIXEL_VERTEX_COLORS_FIRST 0u, 0u, 8u
/* those of v1. */
#define TMU_PIXEL_VERTEX_COLORS_SECOND 1u, 0u, 8u

/* What triangles are drawn with. */
#define TMU_PIXEL_STATE_WORDS 32u
/* address of the encoded program. */
#define TMU_PIXEL_STATE_PROGRAM 0u, 0u, 32u
/* of translucent triangles: 0 none, 1 alpha, 2 premultiplied, 3 additive, 4 multiply. */
#define TMU_PIXEL_STATE_BLEND 1u, 0u, 3u
/* a pixel stays where its alpha compares so with the reference; 7 always is no test. */
#define TMU_PIXEL_STATE_ALPHA_COMPARE 1u, 4u, 3u
/* the reference. */
#define TMU_PIXEL_STATE_ALPHA_REFERENCE 1u, 8u, 8u
/* coordinate sets of a vertex, 0 to 6; t registers beyond them are 0. */
#define TMU_PIXEL_STATE_SETS 1u, 16u, 3u
/* 1: vertices have colours; without them v0 is 255 and v1 is 0 in all channels. */
#define TMU_PIXEL_STATE_HAS_COLORS 1u, 20u, 1u
/* which textures of the store are sampled, by stage. */
#define TMU_PIXEL_STATE_TEXTURES 2u, 0u, 8u
/* by stage m00, m01, m10 and m11 of bem, s3.12. */
#define TMU_PIXEL_STATE_BUMP 4u, 0u, 16u
/* c0 to c7, red first, s3.12; those that the program defines are its own. */
#define TMU_PIXEL_STATE_CONSTANTS 16u, 0u, 16u

#endif
