//! What a frame is drawn into, and what triangles are drawn with.

use super::error::Error;
use super::record::LINE_BYTES;
use super::tiles::{Part, TileSize};

/// Coordinate sets of a vertex, and stages.
pub(super) const SETS: usize = 6;
/// The most pixels of a side.
const MOST_PIXELS: u32 = 4096;
/// The last codes.
const MOST_OUTPUT: u32 = 2;
pub(super) const MOST_BLEND: u32 = 4;
pub(super) const MOST_COMPARE: u32 = 7;
pub(super) const MOST_CULL: u32 = 2;

/// What a frame is drawn into.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Pixels of a tile.
    pub tile: TileSize,
    /// Form of the picture by its code: 0 rgba8, 1 bgra8, 2 rgb565.
    pub output: u32,
    /// rgb565 is dithered.
    pub dithers: bool,
    /// Red, green, blue and alpha where nothing is drawn.
    pub clear_color: [u8; 4],
    /// Depth where nothing is drawn.
    pub clear_depth: f32,
    /// Address of the picture.
    pub picture: u32,
    /// Bytes from a row to the next.
    pub picture_pitch: u32,
    /// Address and pitch of depths, if they are written.
    pub depth: Option<[u32; 2]>,
}

impl Settings {
    /// A frame of this size: black, as far away as can be, rgba8 at address 0.
    #[must_use]
    pub const fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            tile: TileSize::Square32,
            output: 0,
            dithers: false,
            clear_color: [0, 0, 0, 255],
            clear_depth: 1.0,
            picture: 0,
            picture_pitch: width.saturating_mul(4).next_multiple_of(LINE_BYTES as u32),
            depth: None,
        }
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        let is_side = |side: u32| (1..=MOST_PIXELS).contains(&side);
        if !is_side(self.width) || !is_side(self.height) {
            return Err(Error::Size);
        }
        if self.output > MOST_OUTPUT {
            return Err(Error::Code);
        }
        let fits = |[base, pitch]: [u32; 2], pixel: u32| {
            base.is_multiple_of(16) && pitch.is_multiple_of(16) && pitch >= self.width * pixel
        };
        let pixel = if self.output == 2 { 2 } else { 4 };
        let picture = fits([self.picture, self.picture_pitch], pixel);
        if picture && self.depth.is_none_or(|depth| fits(depth, 4)) { Ok(()) } else { Err(Error::Picture) }
    }
}

/// What triangles are drawn with. Codes are those of the state's record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// Address of the program, as [`Frame::program`](super::Frame::program) has given it.
    pub program: u32,
    /// 0 none, 1 alpha, 2 premultiplied, 3 additive, 4 multiply.
    pub blend: u32,
    /// 0 never, 1 less, 2 equal, 3 lequal, 4 greater, 5 notequal, 6 gequal, 7 always.
    pub alpha_compare: u32,
    /// What alpha is compared with.
    pub alpha_reference: u8,
    /// Coordinate sets.
    pub sets: u32,
    /// Whether vertices have colours.
    pub has_colors: bool,
    /// Textures of the store, by stage.
    pub textures: [u8; SETS],
    /// By stage m00, m01, m10 and m11, s3.12.
    pub bump: [[i16; 4]; SETS],
    /// c0 to c7, s3.12.
    pub constants: [[i16; 4]; 8],
}

impl State {
    /// Nothing but a program.
    #[must_use]
    pub const fn new(program: u32) -> Self {
        Self {
            program,
            blend: 0,
            alpha_compare: 7,
            alpha_reference: 0,
            sets: 0,
            has_colors: false,
            textures: [0; SETS],
            bump: [[0; 4]; SETS],
            constants: [[0; 4]; 8],
        }
    }
}

/// How a triangle is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Triangle {
    /// Its part of the lists.
    pub part: Part,
    /// Address of its state, as [`Frame::state`](super::Frame::state) has given it.
    pub state: StateAddress,
    /// As [`State::alpha_compare`], of depth.
    pub compare: u32,
    /// 0 none, 1 clockwise, 2 counter-clockwise ones are not drawn.
    pub cull: u32,
}

impl Triangle {
    /// Nearest in front, from both sides.
    #[must_use]
    pub const fn new(part: Part, state: StateAddress) -> Self {
        Self { part, state, compare: 3, cull: 0 }
    }
}

/// A state that was put into memory, and what vertices have with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateAddress {
    pub(super) address: u32,
    pub(super) sets: u32,
    pub(super) has_colors: bool,
}
