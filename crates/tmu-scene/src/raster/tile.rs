//! The walk of a primitive over one 8 × 8 tile: coverage, depth, and the quads that remain visible.
//!
//! Quads come row by row. A quad is returned if at least one of its pixels is covered and not hidden by what was
//! drawn in the tile before; the others are helper pixels. So what is hidden by then costs no texture read.

use arrayvec::ArrayVec;

use super::clip::MAX_CORNERS;
use super::primitive::{Edge, PixelBox, Primitive};

/// Width and height of a tile in pixels.
pub(crate) const TILE_PIXELS: u32 = 8;

const TILE_AREA: usize = (TILE_PIXELS * TILE_PIXELS) as usize;

/// A quad with at least one visible pixel. Pixels are in the order upper left, upper right, lower left, lower right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct VisibleQuad {
    /// Upper left pixel; both are even.
    pub(crate) x: u32,
    pub(crate) y: u32,
    /// Bit i: pixel i is drawn.
    pub(crate) valid: u8,
    /// 1 / distance of the drawn pixels, 0 for the others.
    pub(crate) nearness: [f32; 4],
}

impl VisibleQuad {
    /// The first pixel that is drawn.
    pub(crate) fn first_valid(&self) -> usize {
        self.valid.trailing_zeros() as usize
    }

    /// Whether pixel `index` is drawn.
    pub(crate) fn draws(&self, index: usize) -> bool {
        self.valid >> index & 1 == 1
    }

    /// Place of pixel `index` in the picture.
    pub(crate) fn pixel(&self, index: usize) -> (u32, u32) {
        (self.x + (index as u32 & 1), self.y + (index as u32 >> 1))
    }
}

/// A tile of the picture with the depth of what was drawn in it.
#[derive(Debug)]
pub(crate) struct Tile {
    left: u32,
    top: u32,
    /// 1 / distance of the nearest surface that surely hides what is behind it; 0 is nothing.
    nearness: [f32; TILE_AREA],
}

impl Tile {
    /// The empty tile in column `column` and row `row` of the picture's tiles.
    pub(crate) fn new(column: u32, row: u32) -> Self {
        Self { left: column * TILE_PIXELS, top: row * TILE_PIXELS, nearness: [0.0; TILE_AREA] }
    }

    /// Draws a primitive and hands out the quads that are visible.
    ///
    /// `hides` is false where the pixels may still turn out to be transparent: they then hide nothing yet.
    pub(crate) fn draw(
        &mut self,
        primitive: &Primitive,
        edges: &[Edge],
        hides: bool,
        mut emit: impl FnMut(VisibleQuad),
    ) {
        let Some(edges) = self.edges_within(edges) else { return };
        let PixelBox { left, top, right, bottom } = primitive.bounds;
        let even = |value: u32| value & !1;
        let columns = even(left.max(self.left))..=right.min(self.left + TILE_PIXELS - 1);
        for y in (even(top.max(self.top))..=bottom.min(self.top + TILE_PIXELS - 1)).step_by(2) {
            for x in columns.clone().step_by(2) {
                let quad = self.visible(primitive, &edges, x, y);
                if quad.valid == 0 {
                    continue;
                }
                if hides {
                    self.hide_behind(&quad);
                }
                emit(quad);
            }
        }
    }

    /// The edges that cut through this tile, or none where the tile lies outside one of them.
    fn edges_within<'a>(&self, edges: &'a [Edge]) -> Option<ArrayVec<&'a Edge, MAX_CORNERS>> {
        let (left, top) = (i64::from(self.left), i64::from(self.top));
        let (right, bottom) = (left + i64::from(TILE_PIXELS) - 1, top + i64::from(TILE_PIXELS) - 1);
        let mut within = ArrayVec::new();
        for edge in edges {
            let corners =
                [edge.at(left, top), edge.at(right, top), edge.at(left, bottom), edge.at(right, bottom)];
            if corners.iter().all(|&value| value < 0) {
                return None;
            }
            if corners.iter().any(|&value| value < 0) {
                within.push(edge);
            }
        }
        Some(within)
    }

    fn visible(&self, primitive: &Primitive, edges: &[&Edge], x: u32, y: u32) -> VisibleQuad {
        let mut quad = VisibleQuad { x, y, valid: 0, nearness: [0.0; 4] };
        for index in 0..4 {
            let (px, py) = quad.pixel(index);
            if px > primitive.bounds.right || py > primitive.bounds.bottom {
                continue;
            }
            let (column, row) = (i64::from(px), i64::from(py));
            if edges.iter().any(|edge| edge.at(column, row) < 0) {
                continue;
            }
            let nearness = primitive.nearness(column, row) as f32;
            if nearness > 0.0 && nearness >= self.nearness[self.index(px, py)] {
                quad.valid |= 1 << index;
                quad.nearness[index] = nearness;
            }
        }
        quad
    }

    fn hide_behind(&mut self, quad: &VisibleQuad) {
        for index in (0..4).filter(|index| quad.draws(*index)) {
            let (x, y) = quad.pixel(index);
            self.nearness[self.index(x, y)] = quad.nearness[index];
        }
    }

    fn index(&self, x: u32, y: u32) -> usize {
        ((y - self.top) * TILE_PIXELS + (x - self.left)) as usize
    }
}
