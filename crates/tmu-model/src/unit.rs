//! The texture unit: ties the stages together for one binding after another.
//!
//! Contract: [`TextureUnit::sample`] gives what the hardware gives, to the last bit, for every quad and every
//! binding, legal or not. Where reads fail or the binding is refused, all four colours are 0, the error bit is
//! set and the valid bits are the quad's.
//!
//! Cost: a binding reads its colour table; a quad allocates nothing. Sampling from memory that is
//! [`contiguous`](Memory::contiguous) is many times faster than line by line and gives the same.

use crate::address::{Level, line_of, texture_address};
use crate::coordinate::AxisTaps;
use crate::decode::{ColorTable, packed, rgb8, rgba8};
use crate::memory::{LineError, Memory};
use crate::quad_scheduler::{Footprint, is_one_item};
use crate::tile_cache::Tile;
use crate::{coordinate, filter, lod};
use arrayvec::ArrayVec;
use tmu_spec::format::Packing;
use tmu_spec::level_offset::MAX_SIZE_LOG2;
use tmu_spec::quad::PIXELS;
use tmu_spec::tile;
use tmu_spec::{Binding, BindingRule, Features, LINE_BYTES, Quad, QuadResult};

/// A texture unit that reads from `M`.
///
/// There is no cache in it: what is sampled is always what memory holds, except for the colour table, which is
/// read when the texture is bound.
#[derive(Debug, Clone)]
pub struct TextureUnit<M> {
    memory: M,
    features: Features,
    drops_weightless_taps: bool,
    bound: Option<Bound>,
}

/// A legal binding, made ready for sampling.
#[derive(Debug, Clone)]
struct Bound {
    binding: Binding,
    drops_weightless_taps: bool,
    levels: [Level; MAX_SIZE_LOG2 as usize + 1],
    texels: Texels,
}

/// How the bytes of a texel become a colour.
#[derive(Debug, Clone)]
enum Texels {
    Rgba8,
    Rgb8,
    Packed(&'static Packing),
    Indexed(Box<ColorTable>),
}

impl<M: Memory> TextureUnit<M> {
    /// A unit with every feature and nothing bound: until the first binding, quads are answered with errors.
    #[must_use]
    pub const fn new(memory: M) -> Self {
        Self::with_features(memory, Features::ALL)
    }

    /// A unit that was built with only some features.
    #[must_use]
    pub const fn with_features(memory: M, features: Features) -> Self {
        Self { memory, features, drops_weightless_taps: false, bound: None }
    }

    /// The same unit, but whether taps without weight are left out rather than read: they show nowhere but in the
    /// lines that are read, and so in which quads fail.
    #[must_use]
    pub fn dropping_weightless_taps(mut self, drops: bool) -> Self {
        self.drops_weightless_taps = drops;
        self
    }

    /// Binds a texture for the quads that follow.
    ///
    /// # Errors
    /// The rules that the binding breaks for this unit's features; the quads that follow are then answered
    /// with errors.
    pub fn bind(&mut self, binding: &Binding) -> Result<(), Vec<BindingRule>> {
        self.bind_bits(u128::from(binding.encode()))
    }

    /// Binds by the bits of a binding's beat (see [`tmu_spec::RequestBeat::binding_bits`]), legal or not.
    ///
    /// # Errors
    /// As [`TextureUnit::bind`].
    pub fn bind_bits(&mut self, bits: u128) -> Result<(), Vec<BindingRule>> {
        self.bound = None;
        let binding = Binding::decode_for(bits, &self.features)?;
        self.bound = Some(Bound::new(binding, &self.memory, self.drops_weightless_taps));
        Ok(())
    }

    /// What is bound; none before the first binding and after one that was refused.
    #[must_use]
    pub fn binding(&self) -> Option<&Binding> {
        self.bound.as_ref().map(|bound| &bound.binding)
    }

    /// The memory.
    #[must_use]
    pub const fn memory(&self) -> &M {
        &self.memory
    }

    /// The memory, to write to: quads see the change at once, the colour table with the next binding.
    pub const fn memory_mut(&mut self) -> &mut M {
        &mut self.memory
    }

    /// Samples a quad.
    #[must_use]
    pub fn sample(&self, quad: &Quad) -> QuadResult {
        let Some(bound) = &self.bound else { return QuadResult::failed(quad.valid()) };
        let base = bound.binding.base();
        match self.memory.contiguous(base, bound.binding.texture().bytes()) {
            Some(bytes) => bound.sample(quad, &mut SliceSource(bytes)),
            None => bound.sample(quad, &mut LineSource { memory: &self.memory, base }),
        }
    }

    /// The level that a quad is sampled from; none if nothing is bound.
    #[must_use]
    pub fn lod(&self, quad: &Quad) -> Option<u32> {
        self.bound.as_ref().map(|bound| bound.lod(quad))
    }

    /// Visits the numbers of the lines that a quad looks up, in the order in which the blocking cache is asked
    /// for them: valid pixels 0 to 3, for each one its taps s0 to s3 (only one if nearest), and two lines for a
    /// texel that lies across them. Nothing is merged: repeats show.
    pub fn lookups(&self, quad: &Quad, visit: impl FnMut(u32)) {
        if let Some(bound) = &self.bound {
            let _ = bound.sample(quad, &mut LookupSource { base: bound.binding.base(), visit });
        }
    }

    /// Visits the items in which a quad passes the prefetching cache, in their order, with the tiles that each looks up,
    /// by rising bank. `takes_quads` says whether a quad may be a single item, see [`crate::quad_scheduler`]; otherwise each pixel
    /// is one, and those that are not valid look nothing up.
    pub fn items(&self, quad: &Quad, takes_quads: bool, visit: impl FnMut(&[Tile])) {
        if let Some(bound) = &self.bound {
            bound.items(quad, takes_quads, visit);
        }
    }
}

impl Bound {
    fn new<M: Memory>(binding: Binding, memory: &M, drops_weightless_taps: bool) -> Self {
        let texture = binding.texture();
        let last = texture.levels() - 1;
        Self {
            levels: std::array::from_fn(|level| Level::new(texture, last.min(level as u32))),
            texels: match (texture.format(), ColorTable::read(memory, &binding)) {
                (_, Some(table)) => Texels::Indexed(table),
                (format, None) => match format.descriptor().colors {
                    Packing { bytes: 4, .. } => Texels::Rgba8,
                    Packing { bytes: 3, .. } => Texels::Rgb8,
                    _ => Texels::Packed(&format.descriptor().colors),
                },
            },
            binding,
            drops_weightless_taps,
        }
    }

    #[inline]
    fn lod(&self, quad: &Quad) -> u32 {
        let texture = self.binding.texture();
        if !self.binding.sampler().mipmapped {
            return 0;
        }
        let squared = lod::footprint_squared(quad, texture.width_log2(), texture.height_log2());
        lod::level(squared, texture.max_lod())
    }

    /// Samples a quad from a source of texels.
    fn sample(&self, quad: &Quad, source: &mut impl TexelSource) -> QuadResult {
        let colors = match &self.texels {
            Texels::Rgba8 => self.pixels(quad, source, |bytes| Ok(rgba8(bytes))),
            Texels::Rgb8 => self.pixels(quad, source, |bytes| Ok(rgb8(bytes))),
            Texels::Packed(packing) => self.pixels(quad, source, |bytes| Ok(packed(packing, bytes))),
            Texels::Indexed(table) => self.pixels(quad, source, |[index]| table.color(index)),
        };
        match colors {
            Ok(colors) => QuadResult::new(colors.map(u32::to_le_bytes), quad.valid(), false),
            Err(LineError) => QuadResult::failed(quad.valid()),
        }
    }

    /// Where u and v lie within the texture.
    #[inline]
    const fn places(&self, [u, v]: [i32; 2]) -> [u32; 2] {
        let sampler = self.binding.sampler();
        [coordinate::addressed(u, sampler.address_u), coordinate::addressed(v, sampler.address_v)]
    }

    /// The taps of both axes; where taps without weight are left out, one reads what its neighbour reads.
    #[inline]
    fn bilinear_taps(&self, level: &Level, [u, v]: [u32; 2]) -> [AxisTaps; 2] {
        let sampler = self.binding.sampler();
        let x = coordinate::bilinear(u, level.width_log2(), sampler.address_u);
        let y = coordinate::bilinear(v, level.height_log2(), sampler.address_v);
        [x, y].map(|taps| {
            let is_left_out = self.drops_weightless_taps && taps.weight == 0;
            AxisTaps { second: if is_left_out { taps.first } else { taps.second }, ..taps }
        })
    }

    /// See [`TextureUnit::items`].
    fn items(&self, quad: &Quad, takes_quads: bool, mut visit: impl FnMut(&[Tile])) {
        let level = &self.levels[self.lod(quad) as usize];
        let footprints: [_; PIXELS] = std::array::from_fn(|pixel| {
            quad.is_valid(pixel).then(|| self.footprint(level, quad.uv()[pixel]))
        });
        let mut item = |pixels: &[Option<Footprint>]| {
            let mut of_banks = [None; tile::BANKS as usize];
            for place in pixels.iter().flatten().flat_map(Footprint::tiles) {
                let tile = self.tile(level, place);
                of_banks[tile.bank() as usize] = Some(tile);
            }
            visit(&of_banks.into_iter().flatten().collect::<ArrayVec<Tile, { tile::BANKS as usize }>>());
        };
        if !takes_quads {
            footprints.chunks(1).for_each(item);
        } else if is_one_item(&footprints) {
            item(&footprints);
        } else {
            footprints.chunks(1).filter(|pixel| pixel[0].is_some()).for_each(item);
        }
    }

    /// The texels that a pixel needs.
    fn footprint(&self, level: &Level, uv: [i32; 2]) -> Footprint {
        let places = self.places(uv);
        let [columns, rows] = if self.binding.sampler().bilinear {
            self.bilinear_taps(level, places).map(|taps| [taps.first, taps.second])
        } else {
            let [u, v] = places;
            [coordinate::nearest(u, level.width_log2()), coordinate::nearest(v, level.height_log2())]
                .map(|texel| [texel; 2])
        };
        Footprint { columns, rows }
    }

    /// The tile in some column and row of a level.
    fn tile(&self, level: &Level, [column, row]: [u32; 2]) -> Tile {
        let format = self.binding.texture().format();
        let line = |[column, row]: [u32; 2]| {
            let (x, y) = (level.column(column * tile::COLUMNS), level.row(row * tile::ROWS));
            let offset = level.texel_offset(x, y, format.bytes_per_texel());
            line_of(texture_address(self.binding.base(), offset))
        };
        let (first_line, level_line) = (line([column, row]), line([0, 0]));
        Tile { column, row, first_line, level_line, kind: format }
    }

    /// The colours of a quad's pixels; 0 for those that are not valid.
    ///
    /// Goes through all taps even if one fails, as the hardware does.
    #[inline]
    fn pixels<const BYTES: usize>(
        &self,
        quad: &Quad,
        source: &mut impl TexelSource,
        decode: impl Fn([u8; BYTES]) -> Result<u32, LineError>,
    ) -> Result<[u32; PIXELS], LineError> {
        let level = &self.levels[self.lod(quad) as usize];
        let sampler = self.binding.sampler();
        let mut outcome = Ok(());
        let mut texel = |column, row| {
            let offset = level.texel_offset(column, row, BYTES as u32);
            source.bytes(offset).and_then(&decode).unwrap_or_else(|error| {
                outcome = Err(error);
                0
            })
        };
        let mut colors = [0; PIXELS];
        for (pixel, color) in colors.iter_mut().enumerate() {
            if !quad.is_valid(pixel) {
                continue;
            }
            let [u, v] = self.places(quad.uv()[pixel]);
            *color = if sampler.bilinear {
                let [x, y] = self.bilinear_taps(level, [u, v]);
                let [left, right] = [level.column(x.first), level.column(x.second)];
                let [upper, lower] = [level.row(y.first), level.row(y.second)];
                let taps = [(left, upper), (right, upper), (left, lower), (right, lower)];
                filter::bilinear(taps.map(|(column, row)| texel(column, row)), x.weight, y.weight)
            } else {
                let x = coordinate::nearest(u, level.width_log2());
                let y = coordinate::nearest(v, level.height_log2());
                texel(level.column(x), level.row(y))
            };
        }
        outcome.map(|()| colors)
    }
}

/// Where the bytes of texels come from.
trait TexelSource {
    /// The bytes at an offset from the texture's base.
    fn bytes<const BYTES: usize>(&mut self, offset: u32) -> Result<[u8; BYTES], LineError>;
}

/// A texture whose bytes stand together.
struct SliceSource<'a>(&'a [u8]);

impl TexelSource for SliceSource<'_> {
    #[inline]
    fn bytes<const BYTES: usize>(&mut self, offset: u32) -> Result<[u8; BYTES], LineError> {
        self.0.get(offset as usize..).and_then(<[u8]>::first_chunk).copied().ok_or(LineError)
    }
}

/// The line in which the first of some bytes of a texture lies, and that of the last.
fn lines(base: u32, offset: u32, bytes: usize) -> [u32; 2] {
    [offset, offset + bytes as u32 - 1].map(|offset| line_of(texture_address(base, offset)))
}

/// A texture that is read line by line.
struct LineSource<'a, M> {
    memory: &'a M,
    base: u32,
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

/// No texture, only the lines that one would be read from.
struct LookupSource<F> {
    base: u32,
    visit: F,
}

impl<F: FnMut(u32)> TexelSource for LookupSource<F> {
    fn bytes<const BYTES: usize>(&mut self, offset: u32) -> Result<[u8; BYTES], LineError> {
        let [first, last] = lines(self.base, offset, BYTES);
        (self.visit)(first);
        if last != first {
            (self.visit)(last);
        }
        Ok([0; BYTES])
    }
}
