//! The records, each with its reader and writer from one table of fields.
//!
//! A vertex is [`Position`], then [`VertexColors`] if its state says so, then as many [`VertexCoordinates`] as it says.

use super::LINE_BYTES;
use super::choices::{Blend, Cull, OutputFormat, TileSize};
use super::field::{Field, Misfit, Value, reserved};
use crate::general::CompareOp;

/// What a frame's record begins with: `TPF1`.
pub const FRAME_MAGIC: u32 = u32::from_le_bytes(*b"TPF1");

/// A record's name, lines, meaning and fields, for who writes of all.
#[derive(Debug, Clone, Copy)]
pub struct Described {
    /// Its name.
    pub name: &'static str,
    /// How many lines it has.
    pub lines: usize,
    /// What it is.
    pub doc: &'static str,
    /// Its fields.
    pub fields: &'static [Field],
}

/// Declares the records: of each field its type, word, lowest bit, bits and meaning.
macro_rules! records {
    ($(
        $name:ident, $lines:literal, $what:literal {
            $( $field:ident: $type:ty = $word:literal, $bit:literal, $bits:literal, $doc:literal; )*
        }
    )*) => {
        $(
            #[doc = $what]
            #[derive(Debug, Clone, Copy, PartialEq)]
            pub struct $name {
                $( #[doc = $doc] pub $field: $type, )*
            }

            impl $name {
                /// Bytes of the record.
                pub const BYTES: usize = $lines * LINE_BYTES;
                /// Its fields.
                pub const FIELDS: &'static [Field] = &[$( Field {
                    name: stringify!($field),
                    word: $word,
                    bit: $bit,
                    bits: $bits,
                    count: <$type as Value>::COUNT,
                    doc: $doc,
                } ),*];

                /// Reads the record.
                ///
                /// # Errors
                /// The first thing that keeps the bytes from being one.
                pub fn read(bytes: &[u8; Self::BYTES]) -> Result<Self, Misfit> {
                    let mut words = [0; Self::BYTES / 4];
                    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(4)) {
                        *word = bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
                    }
                    let mut fields = Self::FIELDS.iter();
                    let record = Self {
                        $( $field: {
                            let field = fields.next().ok_or(Misfit::Code(stringify!($field)))?;
                            Value::get(&words, field).ok_or(Misfit::Code(field.name))?
                        }, )*
                    };
                    let unused = |(word, bits): &(usize, &u32)| *bits & reserved(Self::FIELDS, *word) != 0;
                    match words.iter().enumerate().find(unused) {
                        Some((word, _)) => Err(Misfit::Reserved(word)),
                        None => Ok(record),
                    }
                }

                /// Its bytes. Values are cut to the bits of their fields.
                #[must_use]
                pub fn write(&self) -> [u8; Self::BYTES] {
                    let mut words = [0; Self::BYTES / 4];
                    let mut fields = Self::FIELDS.iter();
                    $( if let Some(field) = fields.next() {
                        self.$field.set(&mut words, field);
                    } )*
                    let mut bytes = [0; Self::BYTES];
                    for (bytes, word) in bytes.chunks_exact_mut(4).zip(words) {
                        bytes.copy_from_slice(&word.to_le_bytes());
                    }
                    bytes
                }
            }
        )*

        /// Every record, in the order in which data meets them.
        pub const ALL: &[Described] = &[$(
            Described { name: stringify!($name), lines: $lines, doc: $what, fields: $name::FIELDS }
        ),*];
    };
}

records! {
    Frame, 4, "A frame: the picture that is drawn, and where its lists are." {
        magic: u32 = 0, 0, 32, "the letters TPF1";
        width_less_one: u32 = 1, 0, 12, "width in pixels, less one";
        height_less_one: u32 = 1, 16, 12, "height in pixels, less one";
        tile: TileSize = 2, 0, 2, "pixels of a tile: 0 16x16, 1 32x32, 2 64x64, 3 32x4";
        output: OutputFormat = 2, 4, 2, "form of the picture: 0 rgba8, 1 bgra8, 2 rgb565";
        dithers: bool = 2, 8, 1, "1: rgb565 is dithered";
        writes_depth: bool = 2, 9, 1, "1: depth is written too";
        list_limit: u32 = 3, 0, 20, "the most entries that are read for a tile, jumps and the end among them";
        clear_color: [u8; 4] = 4, 0, 8, "red, green, blue and alpha where nothing is drawn";
        clear_depth: f32 = 5, 0, 32, "depth where nothing is drawn, a single";
        tiles: u32 = 6, 0, 32, "address of the table of tiles: an entry each, row by row";
        textures: u32 = 7, 0, 32, "address of the store of textures: a binding of five lines each";
        picture: u32 = 8, 0, 32, "address of the picture";
        picture_pitch: u32 = 9, 0, 32, "bytes from a row of it to the next, a multiple of 16";
        depth: u32 = 10, 0, 32, "address of the written depths, singles";
        depth_pitch: u32 = 11, 0, 32, "bytes from a row of them to the next, a multiple of 16";
        texture_count: u32 = 12, 0, 9, "textures of the store, 0 to 256";
    }
    Triangle, 2, "A triangle." {
        vertices: [u32; 3] = 0, 0, 32, "addresses of its vertices";
        state: u32 = 3, 0, 32, "address of its state";
        inverse_area: f32 = 4, 0, 32, "1/C, a single";
        compare: CompareOp = 5, 0, 3, "drawn where its depth compares so with the one that is there: 0 never, 1 less, 2 equal, 3 lequal, 4 greater, 5 notequal, 6 gequal, 7 always";
        cull: Cull = 5, 4, 2, "not drawn if its vertices follow each other so on the screen: 0 none, 1 clockwise, 2 counter-clockwise";
    }
    Position, 1, "The first line of a vertex." {
        x: i32 = 0, 0, 18, "column in 1/16 of a pixel, two's complement";
        y: i32 = 1, 0, 18, "row in 1/16 of a pixel, downwards, two's complement";
        z: f32 = 2, 0, 32, "depth, a single";
        rhw: f32 = 3, 0, 32, "1/w, a single";
    }
    VertexColors, 1, "The second line of a vertex whose state has colours." {
        first: [u8; 4] = 0, 0, 8, "red, green, blue and alpha of v0";
        second: [u8; 4] = 1, 0, 8, "those of v1";
    }
    VertexCoordinates, 1, "A line of a vertex for each coordinate set of its state." {
        components: [f32; 4] = 0, 0, 32, "x, y, z and w, multiplied by RHW, singles";
    }
    State, 8, "What triangles are drawn with." {
        program: u32 = 0, 0, 32, "address of the encoded program";
        blend: Blend = 1, 0, 3, "of translucent triangles: 0 none, 1 alpha, 2 premultiplied, 3 additive, 4 multiply";
        alpha_compare: CompareOp = 1, 4, 3, "a pixel stays where its alpha compares so with the reference; 7 always is no test";
        alpha_reference: u8 = 1, 8, 8, "the reference";
        sets: u32 = 1, 16, 3, "coordinate sets of a vertex, 0 to 6; t registers beyond them are 0";
        has_colors: bool = 1, 20, 1, "1: vertices have colours; without them v0 is 255 and v1 is 0 in all channels";
        textures: [u8; 6] = 2, 0, 8, "which textures of the store are sampled, by stage";
        bump: [i16; 24] = 4, 0, 16, "by stage m00, m01, m10 and m11 of bem, s3.12";
        constants: [i16; 32] = 16, 0, 16, "c0 to c7, red first, s3.12; those that the program defines are its own";
    }
}

impl State {
    /// Lines of a vertex.
    #[must_use]
    pub const fn vertex_lines(&self) -> usize {
        1 + self.has_colors as usize + self.sets as usize
    }
}

impl Frame {
    /// Pixels of a row and rows.
    #[must_use]
    pub const fn size(&self) -> [u32; 2] {
        [self.width_less_one + 1, self.height_less_one + 1]
    }

    /// Tiles of a row and rows of tiles.
    #[must_use]
    pub const fn tiles_across(&self) -> [u32; 2] {
        let [width, height] = self.size();
        [width.div_ceil(self.tile.width()), height.div_ceil(self.tile.height())]
    }
}

#[cfg(test)]
mod tests;
