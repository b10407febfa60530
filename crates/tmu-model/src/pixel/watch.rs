//! `watch`: who looks on while a tile is drawn.
//!
//! Contract: nothing that is drawn depends on it.
//!
//! Cost: none where nobody looks on, which `()` stands for: every function is empty unless it is written.

use super::grouping::Quad;
use super::interpolation::Planes;
use super::triangle_data::TriangleData;
use crate::datapath::coordinate::AxisTaps;
use crate::datapath::fetch::TexelSource;
use crate::general::request::{Bound, Place};
use crate::memory::LineError;
use crate::shader::{Pixel, Registers, Shaded};

/// Looks on. Functions are called in the order in which they stand here, for each quad that is shaded.
pub trait Watch {
    /// The program of a triangle begins for a quad, whose pixels bring this along.
    #[inline]
    fn begin(&mut self, _data: &TriangleData, _planes: &Planes, _quad: &Quad, _pixels: &[Pixel; 4]) {}

    /// It looks into a texture of the store, at a place for each pixel.
    #[inline]
    fn look_up(&mut self, _texture: u8, _coordinates: &[[f32; 3]; 4]) {}

    /// The texels that follow are those of a pixel of the quad.
    #[inline]
    fn begin_pixel(&mut self, _number: usize) {}

    /// A texel is taken; `source` has its bytes.
    #[inline]
    fn take_texel<S: TexelSource>(&mut self, _bound: &Bound, _place: Place, _source: &mut S) {}

    /// An instruction is done.
    #[inline]
    fn after(&mut self, _registers: impl FnOnce() -> [Registers; 4]) {}

    /// The program is done for a pixel that is seen: what came out, and the colour of the tile there if it has been drawn.
    #[inline]
    fn end(&mut self, _place: [u32; 2], _shaded: &Shaded, _drawn: Option<[u8; 4]>) {}
}

/// Nobody.
impl Watch for () {}

/// A source of texels that somebody looks at.
#[derive(Debug)]
pub(super) struct WatchedSource<'a, S, W> {
    pub(super) source: S,
    pub(super) bound: &'a Bound,
    pub(super) watch: &'a mut W,
}

impl<S: TexelSource, W: Watch> TexelSource for WatchedSource<'_, S, W> {
    #[inline]
    fn bytes<const BYTES: usize>(&mut self, offset: u32) -> Result<[u8; BYTES], LineError> {
        self.source.bytes(offset)
    }

    #[inline]
    fn taps_read(&self, taps: AxisTaps) -> AxisTaps {
        self.source.taps_read(taps)
    }

    #[inline]
    fn begin_pixel(&mut self, number: usize) {
        self.watch.begin_pixel(number);
    }

    #[inline]
    fn take_texel(&mut self, tile: u32, texel: u32) {
        self.watch.take_texel(self.bound, Place { tile, texel }, &mut self.source);
    }
}
