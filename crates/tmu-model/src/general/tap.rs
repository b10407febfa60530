//! Taps: texels as the filter sees them, decoded and compared, the border and the texels across the edges of a cube among them.

use super::channels::Channels;
use super::coordinate::AxisTaps;
use super::cube;
use super::decode::BlockMemo;
use super::filter::{Sum, bilinear, bilinear_of_bytes, lerp};
use super::request::{Bound, Level, Place};
use crate::datapath::fetch::{Footprint, TexelSource};
use crate::memory::LineError;
use tmu_spec::general::{CompareOp, Kind, Operation};

/// Reads taps of one texture for one pixel after another.
pub(super) struct Taps<'a, S> {
    bound: &'a Bound,
    source: &'a mut S,
    memo: BlockMemo,
    /// How depths become true or false.
    compare: Option<CompareOp>,
    /// Taps are floats.
    are_floats: bool,
    /// Bits of a channel where texels are four bytes, each widened and nothing else.
    bytes_bits: Option<u32>,
    /// The pixel's reference.
    reference: u32,
}

impl<'a, S: TexelSource> Taps<'a, S> {
    pub(super) fn new(bound: &'a Bound, source: &'a mut S, operation: Operation) -> Self {
        let compare = bound.sampler().compare.filter(|_| operation != Operation::Fetch);
        let are_floats = compare.is_none() && bound.texture().format().is_float();
        let bytes_bits = bound.decoder().bytes_bits().filter(|_| compare.is_none());
        Self { bound, source, memo: BlockMemo::default(), compare, are_floats, bytes_bits, reference: 0 }
    }

    pub(super) const fn bound(&self) -> &'a Bound {
        self.bound
    }

    /// The taps that follow are a pixel's with this number and reference.
    pub(super) fn begin_pixel(&mut self, number: usize, reference: u32) {
        self.source.begin_pixel(number);
        self.reference = reference;
    }

    /// Whether taps are floats.
    pub(super) const fn are_floats(&self) -> bool {
        self.are_floats
    }

    /// A texel inside a level: x, y and slice.
    #[inline]
    pub(super) fn texel(&mut self, level: &Level, texel: [u32; 3]) -> Result<Channels, LineError> {
        let [x, y, slice] = texel;
        self.at(level.column(x).with(level.row(y, slice)))
    }

    /// The components of a texel of level 0 as they are stored.
    pub(super) fn integers(&mut self, x: u32, y: u32) -> Result<[u32; 4], LineError> {
        let level = self.bound.level(0);
        let Place { tile, texel } = level.column(x).with(level.row(y, 0));
        self.bound.decoder().integers(self.source, tile, texel)
    }

    /// The texel at a place.
    #[inline]
    fn at(&mut self, Place { tile, texel }: Place) -> Result<Channels, LineError> {
        let decoder = self.bound.decoder();
        self.source.take_texel(tile, texel);
        match self.compare {
            None => decoder.texel(self.source, &mut self.memo, tile, texel),
            Some(op) => {
                let depth = decoder.depth(self.source, tile, texel)?;
                Ok(decoder.compared(op, self.reference, depth))
            }
        }
    }

    fn border(&self) -> Channels {
        let decoder = self.bound.decoder();
        match self.compare {
            None => self.bound.border(),
            Some(op) => decoder.compared(op, self.reference, self.bound.border_depth()),
        }
    }

    /// A texel of a level or beyond one of its edges.
    #[inline]
    fn tap(&mut self, level: &Level, [x, y, slice]: [i32; 3]) -> Result<Channels, LineError> {
        let [width, height, slices] = level.size;
        // Negative numbers are beyond every size.
        if (x as u32) < width && (y as u32) < height && (slice as u32) < slices {
            return self.texel(level, [x as u32, y as u32, slice as u32]);
        }
        if self.bound.texture().kind() == Kind::Cube {
            let (face, x, y) = cube::across(slice as u32, x, y, width);
            return self.texel(level, [x, y, face]);
        }
        self.source.take_border();
        Ok(self.border())
    }

    /// The needed ones of the taps (x0, y0), (x1, y0), (x0, y1), (x1, y1). At the corner of a cube three faces meet, and the tap that
    /// would lie on a fourth is the mean of the others; of floats, which have no mean, the texel at the corner.
    pub(super) fn footprint(
        &mut self,
        level: &Level,
        [x0, x1]: [i32; 2],
        [y0, y1]: [i32; 2],
        slice: i32,
        needed: [bool; 4],
    ) -> Result<[Channels; 4], LineError> {
        let places = [[x0, y0], [x1, y0], [x0, y1], [x1, y1]];
        let size = level.size[0] as i32;
        let is_cube = self.bound.texture().kind() == Kind::Cube;
        let is_outside = |texel: i32| !(0..size).contains(&texel);
        let corner = places.iter().position(|[x, y]| is_cube && is_outside(*x) && is_outside(*y));
        let mut taps = [[0; 4]; 4];
        for (number, [x, y]) in places.into_iter().enumerate() {
            let is_corner = corner == Some(number);
            let [x, y] = if is_corner { [x, y].map(|texel| texel.clamp(0, size - 1)) } else { [x, y] };
            if needed[number] {
                taps[number] = self.tap(level, [x, y, slice])?;
            }
        }
        if let Some(corner) = corner.filter(|corner| needed[*corner] && !self.are_floats()) {
            let sum = |channel: usize| {
                (0..4).filter(|tap| *tap != corner).map(|tap| taps[tap][channel]).sum::<u32>()
            };
            taps[corner] = std::array::from_fn(|channel| (sum(channel) + 1) / 3);
            self.source.take_mean(corner);
        }
        Ok(taps)
    }

    /// Adds a probe, which has `weight`, to a sum: up to four taps of a slice of a level.
    #[inline]
    pub(super) fn add_probe(
        &mut self,
        level: &Level,
        [x, y]: [AxisTaps; 2],
        slice: i32,
        weight: u32,
        sum: &mut Sum,
    ) -> Result<(), LineError> {
        let weights = [x.weight, y.weight];
        let footprint = Footprint { size: level.size, columns: x.texels, rows: y.texels, slice, weights };
        self.source.begin_probe(&footprint, weight);
        let [width, height, slices] = level.size;
        // Negative numbers are beyond every size.
        let is_inside = |[first, last]: [i32; 2], size| (first as u32) < size && (last as u32) < size;
        if is_inside(x.texels, width) && is_inside(y.texels, height) && (slice as u32) < slices {
            // This is nearly every probe, so columns and rows are looked at once.
            let columns = x.texels.map(|texel| level.column(texel as u32));
            let rows = y.texels.map(|texel| level.row(texel as u32, slice as u32));
            match self.bytes_bits {
                Some(bits) => {
                    let texels = self.byte_texels(columns, rows, weights)?;
                    sum.add_pairs(weight, bilinear_of_bytes(texels, x.weight, y.weight, bits));
                }
                None => sum.add(weight, self.probe_inside(columns, rows, weights)?),
            }
            return Ok(());
        }
        sum.add(weight, self.probe_beyond(level, x, y, slice)?);
        Ok(())
    }

    /// A probe of which texels may lie outside the level.
    fn probe_beyond(
        &mut self,
        level: &Level,
        x: AxisTaps,
        y: AxisTaps,
        slice: i32,
    ) -> Result<Channels, LineError> {
        let (in_x, in_y) = (x.weight != 0, y.weight != 0);
        let needed = [true, in_x, in_y, in_x && in_y];
        let taps = self.footprint(level, x.texels, y.texels, slice, needed)?;
        Ok(bilinear(taps, x.weight, y.weight))
    }

    /// A probe whose texels lie inside the level.
    fn probe_inside(
        &mut self,
        [x0, x1]: [Place; 2],
        [y0, y1]: [Place; 2],
        [weight_x, weight_y]: [u32; 2],
    ) -> Result<Channels, LineError> {
        let mut along = |row: Place| {
            let first = self.at(x0.with(row))?;
            if weight_x == 0 { Ok(first) } else { Ok(lerp(first, self.at(x1.with(row))?, weight_x)) }
        };
        let upper = along(y0)?;
        if weight_y == 0 { Ok(upper) } else { Ok(lerp(upper, along(y1)?, weight_y)) }
    }

    /// Four texels of four bytes, of which those without weight are not read and may be any.
    #[inline]
    fn byte_texels(
        &mut self,
        [x0, x1]: [Place; 2],
        [y0, y1]: [Place; 2],
        [weight_x, weight_y]: [u32; 2],
    ) -> Result<[u32; 4], LineError> {
        let mut read = |column: Place, row: Place| {
            let Place { tile, texel } = column.with(row);
            self.source.take_texel(tile, texel);
            self.source.bytes(tile + 4 * texel).map(u32::from_le_bytes)
        };
        let first = read(x0, y0)?;
        let mut texels = [first; 4];
        if weight_x != 0 {
            texels[1] = read(x1, y0)?;
        }
        if weight_y != 0 {
            texels[2] = read(x0, y1)?;
            if weight_x != 0 {
                texels[3] = read(x1, y1)?;
            }
        }
        Ok(texels)
    }
}
