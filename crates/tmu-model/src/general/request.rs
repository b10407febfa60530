//! `request`: from a texture and a sampler to what the stages behind look at as at a constant.
//!
//! Cost: reads the colour table, if the format has one.

use super::channels::Channels;
use super::decode::{Decoder, Depth};
use crate::memory::Memory;
use tmu_spec::general::texture::MAX_LEVELS;
use tmu_spec::general::{General, Kind, MipFilter, Operation, Rule, Sampler, Swizzle, Texture};
use tmu_spec::{AddressMode, Features, tile};

/// Where a texel stands: its column and its row together.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Where its tile starts, in bytes from the texture's base.
    pub tile: u32,
    /// Its number in the tile.
    pub texel: u32,
}

impl Place {
    /// A column's and a row's together.
    #[inline]
    #[must_use]
    pub const fn with(self, row: Place) -> Place {
        Place { tile: self.tile + row.tile, texel: self.texel + row.texel }
    }
}

/// Which texel stands at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texel {
    /// Its level; of a ripmap, whose levels differ along u and v, both of them.
    pub level: [u32; 2],
    /// Column, row and slice in the level.
    pub place: [u32; 3],
}

/// A level of a texture.
#[derive(Debug, Clone, Copy, Default)]
pub struct Level {
    /// Width, height and slices in texels; faces and layers are slices.
    pub size: [u32; 3],
    /// Column and row of its first texel: other than 0 in a ripmap, whose levels stand in one picture.
    origin: [u32; 2],
    offset: u32,
    slice_bytes: u32,
    tile_bytes: u32,
    row_bytes: u32,
    /// log2 of the texels along a row of a tile: a row texture fills tiles along x.
    columns_log2: u32,
}

impl Level {
    fn new(texture: &Texture, level: u32) -> Self {
        let shape = texture.shape();
        let is_row = shape.kind == Kind::D1;
        Self {
            size: shape.level_size(level),
            origin: [0; 2],
            offset: texture.level_offsets()[level as usize],
            slice_bytes: shape.slice_bytes(level),
            tile_bytes: shape.format.tile_bytes(),
            row_bytes: shape.level_tiles(level)[0] * shape.format.tile_bytes(),
            columns_log2: if is_row { tile::COLUMNS * tile::ROWS } else { tile::COLUMNS }.ilog2(),
        }
    }

    /// The level of a ripmap that is smaller by `levels` along u and v. This one is its whole picture.
    #[must_use]
    pub fn of_ripmap(&self, levels: [u32; 2]) -> Level {
        let [width, height, slices] = self.size;
        let [u, v] = levels;
        Level {
            size: [width >> (u + 1), height >> (v + 1), slices],
            origin: [width - (width >> u), height - (height >> v)],
            ..*self
        }
    }

    /// What a column adds to the place of a texel.
    #[inline]
    #[must_use]
    pub const fn column(&self, x: u32) -> Place {
        let x = x + self.origin[0];
        let inside = (1 << self.columns_log2) - 1;
        Place { tile: (x >> self.columns_log2) * self.tile_bytes, texel: x & inside }
    }

    /// What a row of a slice adds to the place of a texel.
    #[inline]
    #[must_use]
    pub const fn row(&self, y: u32, slice: u32) -> Place {
        let y = y + self.origin[1];
        let tile = self.offset + slice * self.slice_bytes + y / tile::ROWS * self.row_bytes;
        Place { tile, texel: y % tile::ROWS * tile::COLUMNS }
    }

    /// Column, row and slice of the texel at a place of the level: what [`Level::column`] and [`Level::row`] came from.
    fn texel(&self, Place { tile, texel }: Place) -> [u32; 3] {
        let inside = tile - self.offset;
        let (slice, inside) = (inside / self.slice_bytes, inside % self.slice_bytes);
        let columns = 1 << self.columns_log2;
        let x = inside % self.row_bytes / self.tile_bytes * columns + texel % columns;
        [x, inside / self.row_bytes * tile::ROWS + texel / columns, slice]
    }
}

/// What happens along an axis of a texture.
#[derive(Debug, Clone, Copy)]
pub struct Axis {
    /// Its address mode; that of a cube is to limit.
    pub mode: AddressMode,
    /// Whether texels outside are something else: the border, or the next face.
    pub goes_on: bool,
}

impl Axis {
    fn of(kind: Kind, sampler: &Sampler, number: usize) -> Self {
        match (kind, sampler.address[number]) {
            (Kind::Cube, _) => Self { mode: AddressMode::Clamp, goes_on: sampler.cube_seamless },
            (_, mode) => Self { mode, goes_on: mode == AddressMode::Border },
        }
    }
}

/// A texture and a sampler that keep every rule, made ready for sampling.
#[derive(Debug, Clone)]
pub struct Bound {
    texture: Texture,
    /// Bytes of the texture.
    bytes: u32,
    /// Every channel of a sample shows its own component.
    shows_all: bool,
    base: u32,
    axes: [Axis; 3],
    sampler: Sampler,
    general: General,
    levels: [Level; MAX_LEVELS as usize],
    decoder: Decoder,
    border: Channels,
    border_depth: Depth,
}

impl Bound {
    /// Checks a texture at a base with a sampler and makes them ready.
    ///
    /// # Errors
    /// The rules that they break for a unit with these features.
    pub fn new<M: Memory>(
        texture: &Texture,
        base: u32,
        sampler: &Sampler,
        features: &Features,
        general: &General,
        memory: &M,
    ) -> Result<Self, Vec<Rule>> {
        let broken = Rule::broken(texture, sampler, features, general);
        if !broken.is_empty() {
            return Err(broken);
        }
        let decoder = Decoder::new(texture, base, general.channel_bits, memory);
        let last = texture.levels() - 1;
        Ok(Self {
            texture: *texture,
            bytes: texture.bytes(),
            shows_all: texture.swizzle() == Swizzle::NONE,
            base,
            axes: [0, 1, 2].map(|number| Axis::of(texture.kind(), sampler, number)),
            sampler: *sampler,
            general: *general,
            levels: std::array::from_fn(|level| Level::new(texture, last.min(level as u32))),
            border: decoder.border(sampler.border),
            border_depth: decoder.border_depth(sampler.border[0]),
            decoder,
        })
    }

    /// The texture.
    #[must_use]
    pub const fn texture(&self) -> &Texture {
        &self.texture
    }

    /// Its bytes, from its base on.
    #[must_use]
    pub const fn bytes(&self) -> u32 {
        self.bytes
    }

    /// Whether every channel of a sample shows its own component.
    #[inline]
    #[must_use]
    pub const fn shows_all(&self) -> bool {
        self.shows_all
    }

    /// One of its axes.
    #[inline]
    #[must_use]
    pub const fn axis(&self, number: usize) -> Axis {
        self.axes[number]
    }

    /// Its address.
    #[must_use]
    pub const fn base(&self) -> u32 {
        self.base
    }

    /// How it is read.
    #[must_use]
    pub const fn sampler(&self) -> &Sampler {
        &self.sampler
    }

    /// What the unit was built to do.
    #[must_use]
    pub const fn general(&self) -> &General {
        &self.general
    }

    /// Whether it is read as a ripmap, of which level 0 is the whole picture.
    #[must_use]
    pub fn is_ripmap(&self) -> bool {
        self.sampler.mip == MipFilter::Ripmap
    }

    /// One of its levels.
    #[inline]
    #[must_use]
    pub const fn level(&self, level: u32) -> &Level {
        &self.levels[level as usize]
    }

    /// The texel at a place of the texture.
    #[must_use]
    pub fn texel_at(&self, place: Place) -> Texel {
        let levels = (0..self.texture.levels()).filter(|level| self.level(*level).offset <= place.tile);
        let number = levels.max_by_key(|level| self.level(*level).offset).unwrap_or(0);
        let level = self.level(number);
        let [x, y, slice] = level.texel(place);
        if !self.is_ripmap() {
            return Texel { level: [number; 2], place: [x, y, slice] };
        }
        let first = |smaller: u32, axis: usize| level.size[axis] - (level.size[axis] >> smaller);
        let along =
            |at: u32, axis: usize| (0..31).take_while(|smaller| first(smaller + 1, axis) <= at).count();
        let levels = [along(x, 0) as u32, along(y, 1) as u32];
        Texel { level: levels, place: [x - first(levels[0], 0), y - first(levels[1], 1), slice] }
    }

    /// How texels become channels.
    #[must_use]
    pub const fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// What lies around the texture.
    #[must_use]
    pub const fn border(&self) -> Channels {
        self.border
    }

    /// Which depth lies around the texture.
    #[must_use]
    pub const fn border_depth(&self) -> Depth {
        self.border_depth
    }

    /// Whether the unit does this with this texture.
    #[must_use]
    pub fn does(&self, operation: Operation) -> bool {
        let has_footprint = matches!(self.texture.kind(), Kind::D2 | Kind::Cube | Kind::D2Array);
        self.general.has_operation(operation) && (has_footprint || !matches!(operation, Operation::Gather(_)))
    }
}
