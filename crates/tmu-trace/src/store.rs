//! Rays, grid, lists and corners as textures in one memory.
//!
//! | texture | a texel is |
//! | --- | --- |
//! | origins, directions | x, y, z of a pixel's ray, as singles; a texel a pixel |
//! | boxes | where the list of a box begins, and how long it is: two numbers of 32 bits in halves |
//! | indices | the numbers of a triangle's corners, in lists |
//! | places | where in the texture of corners one of them stands, x and y; three texels of a column a triangle, in the same lists |
//! | corners | x, y, z and colour, as singles |
//!
//! Indices are for who has no indirect look-ups, places for who has: both say the same.

use crate::ray::Ray;
use crate::texel::put;
use crate::world::{MAX_ELEMENTS, World};
use tmu_scene::ImageSize;
use tmu_spec::general::indirect::{Aggregate, Part, Setup};
use tmu_spec::general::texture::{MAX_SIZE, Shape};
use tmu_spec::general::{Binding, Kind, Sampler, Swizzle, Texture};
use tmu_spec::{AddressMode, Format, LINE_BYTES, tile};

/// Triangles in a row of the lists: with [`PLACE_ROWS`] rows of places for each, all of them are as high as a texture may be.
const ROW_TRIANGLES: u32 = PLACE_ROWS * MAX_ELEMENTS as u32 / MAX_SIZE;
/// Rows of places for each row of triangles. A tile is as high: it holds all places of four triangles.
const PLACE_ROWS: u32 = tile::ROWS;
/// Boxes in a row of their texture.
const ROW_BOXES: u32 = 1024;
/// Corners in a row of their texture.
const ROW_CORNERS: u32 = 256;
/// Corners of a triangle.
const CORNERS: u32 = 3;

/// Which texture is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Name {
    /// Where rays begin.
    Origins,
    /// Where they go.
    Directions,
    /// Lists of the grid's boxes.
    Boxes,
    /// Numbers of corners.
    Indices,
    /// Places of corners.
    Places,
    /// Corners.
    Corners,
}

impl Name {
    /// All of them, in the order in which they stand in memory.
    pub const ALL: [Name; 6] =
        [Name::Origins, Name::Directions, Name::Boxes, Name::Indices, Name::Places, Name::Corners];
}

/// The texel of a box.
#[must_use]
pub const fn box_at(number: u32) -> [i32; 2] {
    [(number % ROW_BOXES) as i32, (number / ROW_BOXES) as i32]
}

/// The texel of a triangle's numbers in the lists.
#[must_use]
pub const fn indices_at(number: u32) -> [i32; 2] {
    [(number % ROW_TRIANGLES) as i32, (number / ROW_TRIANGLES) as i32]
}

/// The uppermost of the three texels of a triangle's places in the lists.
#[must_use]
pub const fn places_at(number: u32) -> [i32; 2] {
    let [x, y] = indices_at(number);
    [x, y * PLACE_ROWS as i32]
}

/// The texel of a corner.
#[must_use]
pub const fn corner_at(number: u32) -> [i32; 2] {
    [(number % ROW_CORNERS) as i32, (number / ROW_CORNERS) as i32]
}

/// How the corners of a triangle are looked up at once: three places below each other.
#[must_use]
pub fn setup() -> Setup {
    Setup {
        operation: Aggregate::None,
        values: CORNERS,
        offset_u: 0,
        offset_v: 1,
        u_field: Part::R,
        v_field: Part::G,
    }
}

/// The memory and what stands where in it.
#[derive(Debug, Clone)]
pub struct Store {
    bytes: Vec<u8>,
    bindings: [Binding; Name::ALL.len()],
}

/// Rows that hold so many texels.
fn rows(texels: usize, row: u32) -> u32 {
    (texels as u32).div_ceil(row).max(1)
}

impl Store {
    /// The memory of a world, with all rays zero.
    #[must_use]
    pub fn new(world: &World) -> Self {
        let [width, height] = [world.size.width(), world.size.height()];
        let elements = world.lists.triangles.len();
        let sizes = [
            (Format::Rgba32f, width, height),
            (Format::Rgba32f, width, height),
            (Format::Rgba16, ROW_BOXES, rows(world.lists.spans.len(), ROW_BOXES)),
            (Format::Rgba16, ROW_TRIANGLES, rows(elements, ROW_TRIANGLES)),
            (Format::Rg16, ROW_TRIANGLES, rows(elements, ROW_TRIANGLES) * PLACE_ROWS),
            (Format::Rgba32f, ROW_CORNERS, rows(world.corners.len(), ROW_CORNERS)),
        ];
        let mut end = 0;
        let bindings = sizes.map(|(format, width, height)| {
            let shape = Shape { kind: Kind::D2, width, height, depth: 1, levels: 1, format };
            let texture = Texture::packed(shape, Swizzle::NONE, false).expect("the world keeps the limits");
            let base = end;
            end += texture.bytes().next_multiple_of(LINE_BYTES);
            let sampler = Sampler { address: [AddressMode::Clamp; 3], ..Sampler::default() };
            Binding { base, texture, sampler, drop_cache: false }
        });
        let mut store = Self { bytes: vec![0; end as usize], bindings };
        store.fill(world);
        store
    }

    fn fill(&mut self, world: &World) {
        for (number, (first, count)) in (0..).zip(&world.lists.spans) {
            let halves = [*first, *count].map(|value| [value as u16, (value >> 16) as u16]);
            self.put(Name::Boxes, box_at(number), halves.as_flattened(), |half| half.to_le_bytes());
        }
        for (number, triangle) in (0..).zip(&world.lists.triangles) {
            let corners = world.triangles[*triangle as usize];
            let [a, b, c] = corners;
            self.put(Name::Indices, indices_at(number), &[a, b, c, 0], |half| half.to_le_bytes());
            let [x, y] = places_at(number);
            for (below, corner) in (0..).zip(corners) {
                let place = corner_at(corner.into()).map(|place| place as u16);
                self.put(Name::Places, [x, y + below], &place, |half| half.to_le_bytes());
            }
        }
        for (number, corner) in (0..).zip(&world.corners) {
            self.put(Name::Corners, corner_at(number), corner, |single| single.to_le_bytes());
        }
    }

    fn put<T: Copy, const BYTES: usize>(
        &mut self,
        name: Name,
        at: [i32; 2],
        components: &[T],
        bytes: impl Fn(T) -> [u8; BYTES],
    ) {
        put(&mut self.bytes, &self.bindings[name as usize], at.map(|place| place as u32), components, bytes);
    }

    /// Writes rays, one a pixel, row by row; pixels without one keep what they have.
    pub fn write_rays(&mut self, size: ImageSize, rays: &[Option<Ray>]) {
        let width = size.width() as usize;
        for (number, ray) in rays.iter().enumerate() {
            let Some(ray) = ray else { continue };
            let at = [(number % width) as i32, (number / width) as i32];
            for (name, vector) in [(Name::Origins, ray.origin), (Name::Directions, ray.direction)] {
                let singles = vector.to_array().map(|value| value as f32);
                self.put(name, at, &singles, |single| single.to_le_bytes());
            }
        }
    }

    /// The memory from address 0 on.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What is bound to look at a texture.
    #[must_use]
    pub const fn binding(&self, name: Name) -> &Binding {
        &self.bindings[name as usize]
    }
}
