//! Where the fields of the pixel pipeline's records stand.
//!
//! Made from the tables of records: `UPDATE_DRIVERS=1 cargo test -p tmu-spec` writes it anew.

use super::record::Field;

/// What a frame's record begins with.
pub(super) const FRAME_MAGIC: u32 = 0x31465054;

/// A frame: the picture that is drawn, and where its lists are.
pub(super) mod frame {
    use super::Field;

    pub(in super::super) const WORDS: usize = 16;
    /// the letters TPF1.
    pub(in super::super) const MAGIC: Field = Field { word: 0, bit: 0, bits: 32 };
    /// width in pixels, less one.
    pub(in super::super) const WIDTH_LESS_ONE: Field = Field { word: 1, bit: 0, bits: 12 };
    /// height in pixels, less one.
    pub(in super::super) const HEIGHT_LESS_ONE: Field = Field { word: 1, bit: 16, bits: 12 };
    /// pixels of a tile: 0 16x16, 1 32x32, 2 64x64, 3 32x4.
    pub(in super::super) const TILE: Field = Field { word: 2, bit: 0, bits: 2 };
    /// form of the picture: 0 rgba8, 1 bgra8, 2 rgb565.
    pub(in super::super) const OUTPUT: Field = Field { word: 2, bit: 4, bits: 2 };
    /// 1: rgb565 is dithered.
    pub(in super::super) const DITHERS: Field = Field { word: 2, bit: 8, bits: 1 };
    /// 1: depth is written too.
    pub(in super::super) const WRITES_DEPTH: Field = Field { word: 2, bit: 9, bits: 1 };
    /// the most entries that are read for a tile, jumps and the end among them.
    pub(in super::super) const LIST_LIMIT: Field = Field { word: 3, bit: 0, bits: 20 };
    /// red, green, blue and alpha where nothing is drawn.
    pub(in super::super) const CLEAR_COLOR: Field = Field { word: 4, bit: 0, bits: 8 };
    /// depth where nothing is drawn, a single.
    pub(in super::super) const CLEAR_DEPTH: Field = Field { word: 5, bit: 0, bits: 32 };
    /// address of the table of tiles: an entry each, row by row.
    pub(in super::super) const TILES: Field = Field { word: 6, bit: 0, bits: 32 };
    /// address of the store of textures: a binding of five lines each.
    pub(in super::super) const TEXTURES: Field = Field { word: 7, bit: 0, bits: 32 };
    /// address of the picture.
    pub(in super::super) const PICTURE: Field = Field { word: 8, bit: 0, bits: 32 };
    /// bytes from a row of it to the next, a multiple of 16.
    pub(in super::super) const PICTURE_PITCH: Field = Field { word: 9, bit: 0, bits: 32 };
    /// address of the written depths, singles.
    pub(in super::super) const DEPTH: Field = Field { word: 10, bit: 0, bits: 32 };
    /// bytes from a row of them to the next, a multiple of 16.
    pub(in super::super) const DEPTH_PITCH: Field = Field { word: 11, bit: 0, bits: 32 };
    /// textures of the store, 0 to 256.
    pub(in super::super) const TEXTURE_COUNT: Field = Field { word: 12, bit: 0, bits: 9 };
}

/// A triangle.
pub(super) mod triangle {
    use super::Field;

    pub(in super::super) const WORDS: usize = 8;
    /// addresses of its vertices.
    pub(in super::super) const VERTICES: Field = Field { word: 0, bit: 0, bits: 32 };
    /// address of its state.
    pub(in super::super) const STATE: Field = Field { word: 3, bit: 0, bits: 32 };
    /// 1/C, a single.
    pub(in super::super) const INVERSE_AREA: Field = Field { word: 4, bit: 0, bits: 32 };
    /// drawn where its depth compares so with the one that is there: 0 never, 1 less, 2 equal, 3 lequal, 4 greater, 5 notequal, 6 gequal, 7 always.
    pub(in super::super) const COMPARE: Field = Field { word: 5, bit: 0, bits: 3 };
    /// not drawn if its vertices follow each other so on the screen: 0 none, 1 clockwise, 2 counter-clockwise.
    pub(in super::super) const CULL: Field = Field { word: 5, bit: 4, bits: 2 };
}

/// The first line of a vertex.
pub(super) mod position {
    use super::Field;

    pub(in super::super) const WORDS: usize = 4;
    /// column in 1/16 of a pixel, two's complement.
    pub(in super::super) const X: Field = Field { word: 0, bit: 0, bits: 18 };
    /// row in 1/16 of a pixel, downwards, two's complement.
    pub(in super::super) const Y: Field = Field { word: 1, bit: 0, bits: 18 };
    /// depth, a single.
    pub(in super::super) const Z: Field = Field { word: 2, bit: 0, bits: 32 };
    /// 1/w, a single.
    pub(in super::super) const RHW: Field = Field { word: 3, bit: 0, bits: 32 };
}

/// The second line of a vertex whose state has colours.
pub(super) mod vertex_colors {
    use super::Field;

    pub(in super::super) const WORDS: usize = 4;
    /// red, green, blue and alpha of v0.
    pub(in super::super) const FIRST: Field = Field { word: 0, bit: 0, bits: 8 };
    /// those of v1.
    pub(in super::super) const SECOND: Field = Field { word: 1, bit: 0, bits: 8 };
}

/// What triangles are drawn with.
pub(super) mod state {
    use super::Field;

    pub(in super::super) const WORDS: usize = 32;
    /// address of the encoded program.
    pub(in super::super) const PROGRAM: Field = Field { word: 0, bit: 0, bits: 32 };
    /// of translucent triangles: 0 none, 1 alpha, 2 premultiplied, 3 additive, 4 multiply.
    pub(in super::super) const BLEND: Field = Field { word: 1, bit: 0, bits: 3 };
    /// a pixel stays where its alpha compares so with the reference; 7 always is no test.
    pub(in super::super) const ALPHA_COMPARE: Field = Field { word: 1, bit: 4, bits: 3 };
    /// the reference.
    pub(in super::super) const ALPHA_REFERENCE: Field = Field { word: 1, bit: 8, bits: 8 };
    /// coordinate sets of a vertex, 0 to 6; t registers beyond them are 0.
    pub(in super::super) const SETS: Field = Field { word: 1, bit: 16, bits: 3 };
    /// 1: vertices have colours; without them v0 is 255 and v1 is 0 in all channels.
    pub(in super::super) const HAS_COLORS: Field = Field { word: 1, bit: 20, bits: 1 };
    /// which textures of the store are sampled, by stage.
    pub(in super::super) const TEXTURES: Field = Field { word: 2, bit: 0, bits: 8 };
    /// by stage m00, m01, m10 and m11 of bem, s3.12.
    pub(in super::super) const BUMP: Field = Field { word: 4, bit: 0, bits: 16 };
    /// c0 to c7, red first, s3.12; those that the program defines are its own.
    pub(in super::super) const CONSTANTS: Field = Field { word: 16, bit: 0, bits: 16 };
}
