//! From where a texel starts to its bytes: what stands between `address` and `decode`, where the hardware has its caches.

use crate::datapath::address::{line_of, texture_address};
use crate::datapath::coordinate::AxisTaps;
use crate::memory::{LineError, Memory};
use tmu_spec::LINE_BYTES;

/// The texels of a probe of the general numerics, those beyond the level among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footprint {
    /// Width, height and slices of the level in texels.
    pub size: [u32; 3],
    /// The two columns.
    pub columns: [i32; 2],
    /// The two rows.
    pub rows: [i32; 2],
    /// Slice, face or layer.
    pub slice: i32,
    /// Weight of the second column and of the second row, of 256.
    pub weights: [u32; 2],
}

/// Where the bytes of texels come from.
pub trait TexelSource {
    /// The bytes at an offset from the texture's base.
    ///
    /// # Errors
    /// [`LineError`] if they cannot be read.
    fn bytes<const BYTES: usize>(&mut self, offset: u32) -> Result<[u8; BYTES], LineError>;

    /// The texels of an axis that are read for its taps: these, unless the source knows others that give the same sample.
    #[inline]
    fn taps_read(&self, taps: AxisTaps) -> AxisTaps {
        taps
    }

    /// Told in front of a pixel's texels, for who looks on; costs nothing where nobody does.
    #[inline]
    fn begin_pixel(&mut self, _number: usize) {}

    /// Told in front of a probe's texels, and which part of 65536 of the sample it is.
    #[inline]
    fn begin_probe(&mut self, _footprint: &Footprint, _weight: u32) {}

    /// Told of each texel that a sample of the general numerics takes: where its tile starts, and its number in it.
    #[inline]
    fn take_texel(&mut self, _tile: u32, _texel: u32) {}

    /// Told where a probe takes the border instead of a texel.
    #[inline]
    fn take_border(&mut self) {}

    /// Told where a probe at a corner of a cube takes the mean of the other three instead of the texel with this number in it.
    #[inline]
    fn take_mean(&mut self, _tap: usize) {}
}

/// A texture whose bytes stand together.
#[derive(Debug)]
pub struct SliceSource<'a>(pub &'a [u8]);

impl TexelSource for SliceSource<'_> {
    #[inline]
    fn bytes<const BYTES: usize>(&mut self, offset: u32) -> Result<[u8; BYTES], LineError> {
        self.0.get(offset as usize..).and_then(<[u8]>::first_chunk).copied().ok_or(LineError)
    }
}

/// The line in which the first of some bytes of a texture lies, and that of the last.
#[must_use]
pub fn lines(base: u32, offset: u32, bytes: usize) -> [u32; 2] {
    [offset, offset + bytes as u32 - 1].map(|offset| line_of(texture_address(base, offset)))
}

/// A texture that is read line by line.
#[derive(Debug)]
pub struct LineSource<'a, M> {
    /// The memory.
    pub memory: &'a M,
    /// Texture address of the texture.
    pub base: u32,
}

impl<M: Memory> TexelSource for LineSource<'_, M> {
    fn bytes<const BYTES: usize>(&mut self, offset: u32) -> Result<[u8; BYTES], LineError> {
        let [first, last] = lines(self.base, offset, BYTES);
        let head = self.memory.read_line(first)?;
        let tail = if last == first { head } else { self.memory.read_line(last)? };
        // Bases lie on lines, so the offset tells the place within one.
        let start = (offset % LINE_BYTES) as usize;
        Ok(std::array::from_fn(|byte| match start + byte {
            place if place < head.len() => head[place],
            place => tail[place - head.len()],
        }))
    }
}
