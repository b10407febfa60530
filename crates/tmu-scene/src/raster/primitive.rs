//! Triangle setup: what the tile walk needs to know of a triangle, worked out once a frame.
//!
//! * Coverage is decided in integers: corners are snapped to 1/256 pixel, edge functions are exact in 64 bits, and
//!   the top-left rule gives a pixel centre on a common edge to exactly one of the two triangles.
//! * Interpolation is exact in perspective (Olano and Greer, 1997): `u / z`, `v / z` and `1 / z` are affine in the
//!   picture. Their coefficients come from the corners before clipping and snapping, so that neither moves a texture.
//!
//! 112 bytes, and 24 for each edge, are kept for a triangle that may be seen; 96 more where more than u and v are interpolated.

use arrayvec::ArrayVec;
use glam::{DVec2, DVec3};

use super::clip::{ClipVolume, Corner, GUARD_BAND_PIXELS, MAX_CORNERS, Polygon};
use super::tile::TILE_PIXELS;

/// Corners are snapped to 1/256 pixel.
const SUBPIXEL_BITS: u32 = 8;
const SUBPIXELS: i64 = 1 << SUBPIXEL_BITS;

/// Corners in 1/256 pixels.
type SnappedPolygon = ArrayVec<[i64; 2], MAX_CORNERS>;

/// A corner with its texture coordinates, both homogeneous: `uv` is scaled by `corner.weight` as the position is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShadedCorner {
    pub(crate) corner: Corner,
    pub(crate) uv: DVec2,
}

/// Values of a corner beyond u and v.
pub(crate) const MORE: usize = 4;

/// What is interpolated over a triangle: u and v, and the values beyond; those that a triangle does not have are 0.
pub(crate) type Values = [f64; 2 + MORE];

/// Which side of a triangle is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cull {
    /// Triangles whose corners run clockwise on the screen are left out.
    Back,
    /// Both sides are drawn.
    None,
}

/// One edge of a primitive: a function of the pixel that is not negative on its inner side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    /// Growth for one pixel to the right, and for one down.
    per_x: i64,
    per_y: i64,
    /// Value at the centre of pixel (0, 0), less one where a centre on the edge is not the primitive's.
    at_origin: i64,
}

impl Edge {
    /// The edge from `from` to `to` (1/256 pixels) of a polygon that runs clockwise on the screen.
    fn new(from: [i64; 2], to: [i64; 2]) -> Self {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let centre = SUBPIXELS / 2;
        let at_centre = dx * (centre - from[1]) - dy * (centre - from[0]);
        let is_top_left = dy < 0 || (dy == 0 && dx > 0);
        Self { per_x: -dy * SUBPIXELS, per_y: dx * SUBPIXELS, at_origin: at_centre - i64::from(!is_top_left) }
    }

    /// Not negative where the centre of pixel (`x`, `y`) lies inside.
    pub(crate) fn at(&self, x: i64, y: i64) -> i64 {
        self.per_x * x + self.per_y * y + self.at_origin
    }
}

/// A value that is affine in the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Affine {
    per_x: f64,
    per_y: f64,
    at_origin: f64,
}

impl Affine {
    /// From its coefficients for homogeneous pixels, so that [`Self::at`] takes whole pixels at their centres.
    fn new(coefficients: DVec3) -> Self {
        let DVec3 { x: per_x, y: per_y, z } = coefficients;
        Self { per_x, per_y, at_origin: z + 0.5 * per_x + 0.5 * per_y }
    }

    fn at(&self, x: i64, y: i64) -> f64 {
        self.per_x * x as f64 + self.per_y * y as f64 + self.at_origin
    }
}

/// The inclusive range of pixels a primitive may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PixelBox {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) right: u32,
    pub(crate) bottom: u32,
}

impl PixelBox {
    /// Whether it reaches into a row of tiles.
    pub(crate) fn touches_tile_row(&self, row: u32) -> bool {
        (self.top / TILE_PIXELS..=self.bottom / TILE_PIXELS).contains(&row)
    }

    /// Whether it reaches into a column of tiles.
    pub(crate) fn touches_tile_column(&self, column: u32) -> bool {
        (self.left / TILE_PIXELS..=self.right / TILE_PIXELS).contains(&column)
    }
}

/// The values of a triangle, each affine in the picture.
struct Plane {
    nearness: Affine,
    u: Affine,
    v: Affine,
    more: Option<[Affine; MORE]>,
}

/// A triangle ready to be walked. Its edges are in a list that all primitives share.
#[derive(Debug, Clone)]
pub(crate) struct Primitive {
    pub(crate) bounds: PixelBox,
    /// Index of the draw it belongs to.
    pub(crate) draw: u32,
    pub(crate) first_edge: u32,
    pub(crate) edge_count: u32,
    /// 1 / distance; u and v over distance.
    nearness: Affine,
    u: Affine,
    v: Affine,
    /// Where its values beyond u and v stand in a list that all primitives share, if it has any.
    more: Option<u32>,
}

impl Primitive {
    /// 1 / distance at the centre of pixel (`x`, `y`), the larger the nearer. Not positive beyond the horizon.
    pub(crate) fn nearness(&self, x: i64, y: i64) -> f64 {
        self.nearness.at(x, y)
    }

    /// Texture coordinates of the quad whose upper left pixel is (`x`, `y`), in the quad's order.
    ///
    /// `reference` is a pixel of the quad that is drawn. The others may lie off the triangle: they extend its plane.
    pub(crate) fn quad_uv(&self, x: i64, y: i64, reference: usize) -> [[f64; 2]; 4] {
        let pixels = quad_pixels(x, y);
        pixels.map(|pixel| [&self.u, &self.v].map(|value| self.interpolated(value, pixel, pixels[reference])))
    }

    /// A value at a pixel. Where the plane is beyond its horizon there the perspective has no answer, and the value
    /// continues from `reference` with the slope it has there.
    fn interpolated(&self, value: &Affine, (x, y): (i64, i64), reference: (i64, i64)) -> f64 {
        let nearness = self.nearness.at(x, y);
        if nearness > 0.0 {
            return value.at(x, y) / nearness;
        }
        let nearness = self.nearness.at(reference.0, reference.1);
        let start = value.at(reference.0, reference.1) / nearness;
        let slope = |per: fn(&Affine) -> f64| (per(value) - start * per(&self.nearness)) / nearness;
        let (right, down) = ((x - reference.0) as f64, (y - reference.1) as f64);
        start + slope(|affine| affine.per_x) * right + slope(|affine| affine.per_y) * down
    }
}

/// The pixels of the quad whose upper left one is (`x`, `y`), in the quad's order.
fn quad_pixels(x: i64, y: i64) -> [(i64, i64); 4] {
    [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
}

/// The sides of a polygon, from each corner to the next.
fn sides(points: &[[i64; 2]]) -> impl Iterator<Item = ([i64; 2], [i64; 2])> {
    points.iter().copied().zip(points.iter().copied().cycle().skip(1))
}

/// Whether a clockwise polygon turns right or goes straight on at each of its corners.
fn is_convex(points: &[[i64; 2]]) -> bool {
    (0..points.len()).all(|index| {
        let [from, corner, to] = [0, 1, 2].map(|step| points[(index + step) % points.len()]);
        let (before, after) =
            ([0, 1].map(|axis| corner[axis] - from[axis]), [0, 1].map(|axis| to[axis] - corner[axis]));
        let turn = before[0] * after[1] - before[1] * after[0];
        turn > 0 || (turn == 0 && before[0] * after[0] + before[1] * after[1] > 0)
    })
}

/// The primitives of a frame, in the order in which they are drawn.
#[derive(Debug)]
pub(crate) struct PrimitiveList {
    volume: ClipVolume,
    width: u32,
    height: u32,
    /// Triangles that are among the primitives.
    triangles: usize,
    primitives: Vec<Primitive>,
    edges: Vec<Edge>,
    /// Values beyond u and v of the primitives that have them.
    more: Vec<[Affine; MORE]>,
}

impl PrimitiveList {
    /// An empty list for a picture of `width` × `height` pixels.
    pub(crate) fn new(width: u32, height: u32) -> Self {
        let volume = ClipVolume {
            near: None,
            right_pixels: f64::from(width) + GUARD_BAND_PIXELS,
            bottom_pixels: f64::from(height) + GUARD_BAND_PIXELS,
        };
        Self {
            volume,
            width,
            height,
            triangles: 0,
            primitives: Vec::new(),
            edges: Vec::new(),
            more: Vec::new(),
        }
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Primitive> {
        self.primitives.iter()
    }

    /// Triangles of which something may be seen.
    pub(crate) fn triangles(&self) -> usize {
        self.triangles
    }

    pub(crate) fn edges(&self, primitive: &Primitive) -> &[Edge] {
        let first = primitive.first_edge as usize;
        &self.edges[first..first + primitive.edge_count as usize]
    }

    /// All values of the quad whose upper left pixel is (`x`, `y`), as [`Primitive::quad_uv`].
    pub(crate) fn quad_values(&self, primitive: &Primitive, x: i64, y: i64, reference: usize) -> [Values; 4] {
        let pixels = quad_pixels(x, y);
        let uv = primitive.quad_uv(x, y, reference);
        let more = primitive.more.map(|first| &self.more[first as usize]);
        std::array::from_fn(|pixel| {
            let [u, v] = uv[pixel];
            let value = |affine: &Affine| primitive.interpolated(affine, pixels[pixel], pixels[reference]);
            let [a, b, c, d] = more.map_or([0.0; MORE], |more| more.each_ref().map(value));
            [u, v, a, b, c, d]
        })
    }

    /// Adds a triangle, unless nothing of it can be seen. `more` are the values of its corners beyond u and v, scaled as
    /// those are. `near` cuts off what is nearer than that. Nearly always it
    /// is one primitive.
    pub(crate) fn push(
        &mut self,
        draw: u32,
        triangle: [ShadedCorner; 3],
        more: Option<&[[f64; MORE]; 3]>,
        near: Option<f64>,
        cull: Cull,
    ) {
        let corners = triangle.map(|shaded| shaded.corner);
        let [p0, p1, p2] = corners.map(|corner| corner.position);
        let (first, second) = (p1 - p0, p2 - p0);
        let normal = first.cross(second);
        // Six times the signed volume over the eye; positive where the corners run clockwise on the screen.
        let volume = p0.dot(normal);
        if !volume.is_normal() || (volume > 0.0 && cull == Cull::Back) {
            return;
        }
        let mut polygon = ClipVolume { near, ..self.volume }.clip(corners);
        if volume < 0.0 {
            polygon.reverse();
        }
        // The value that is a_i at corner i is a_0 n·p + (a_1 - a_0) (p_2 × p_0)·p + (a_2 - a_0) (p_0 × p_1)·p over
        // the volume. Written in differences, far and small triangles lose no precision.
        let (along_second, along_first) = (second.cross(p0), p0.cross(first));
        let affine = |a: [f64; 3]| {
            let sum = normal * a[0] + along_second * (a[1] - a[0]) + along_first * (a[2] - a[0]);
            Affine::new(sum / volume)
        };
        let plane = || Plane {
            nearness: affine(corners.map(|corner| corner.weight)),
            u: affine(triangle.map(|shaded| shaded.uv.x)),
            v: affine(triangle.map(|shaded| shaded.uv.y)),
            more: more.map(|more| std::array::from_fn(|value| affine(more.map(|corner| corner[value])))),
        };
        let points = self.snapped(&polygon);
        let before = self.primitives.len();
        if is_convex(&points) {
            self.push_convex(draw, &points, &plane);
        } else {
            // Snapping may turn a corner that clipping made, a fraction of 1/256 pixel wide, inside out. Its edges
            // would cut away what lies far from it. A fan of triangles leaves nothing out, and draws no more than a
            // hair twice.
            for pair in points.get(1..).unwrap_or_default().windows(2) {
                self.push_convex(draw, &[points[0], pair[0], pair[1]], &plane);
            }
        }
        self.triangles += usize::from(self.primitives.len() > before);
    }

    /// Adds a convex polygon that runs clockwise, unless it covers no pixel of the picture. Only what is added asks for
    /// its plane.
    fn push_convex(&mut self, draw: u32, points: &[[i64; 2]], plane: &impl Fn() -> Plane) {
        let twice_area: i64 = sides(points).map(|(from, to)| from[0] * to[1] - from[1] * to[0]).sum();
        if twice_area <= 0 {
            return;
        }
        let Some(bounds) = self.bounds(points) else { return };
        let first_edge = self.edges.len() as u32;
        self.edges.extend(sides(points).map(|(from, to)| Edge::new(from, to)));
        let edge_count = self.edges.len() as u32 - first_edge;
        let Plane { nearness, u, v, more } = plane();
        let more = more.map(|values| {
            self.more.push(values);
            self.more.len() as u32 - 1
        });
        self.primitives.push(Primitive { bounds, draw, first_edge, edge_count, nearness, u, v, more });
    }

    /// The polygon's corners, each of those that fall together once.
    fn snapped(&self, polygon: &Polygon) -> SnappedPolygon {
        let mut points: SnappedPolygon = polygon.iter().map(|corner| self.snap(corner)).collect();
        let mut last = points.last().copied();
        points.retain(|point| last.replace(*point) != Some(*point));
        points
    }

    /// A corner's place in 1/256 pixels. Clipping keeps it within the guard band; rounding does not break that.
    fn snap(&self, corner: &Corner) -> [i64; 2] {
        let snap = |value: f64, end: f64| {
            let pixels = (value / corner.position.z).clamp(-GUARD_BAND_PIXELS, end);
            (pixels * SUBPIXELS as f64).round() as i64
        };
        [
            snap(corner.position.x, self.volume.right_pixels),
            snap(corner.position.y, self.volume.bottom_pixels),
        ]
    }

    fn bounds(&self, points: &[[i64; 2]]) -> Option<PixelBox> {
        let range = |axis: usize, size: u32| {
            let values = points.iter().map(|point| point[axis]);
            // The first pixel whose centre is not before all corners, and the last not behind, in the picture.
            let half = SUBPIXELS / 2;
            let first = (values.clone().min()? - half + SUBPIXELS - 1).div_euclid(SUBPIXELS).max(0);
            let last = (values.max()? - half).div_euclid(SUBPIXELS).min(i64::from(size) - 1);
            (first <= last).then_some((first as u32, last as u32))
        };
        let ((left, right), (top, bottom)) = (range(0, self.width)?, range(1, self.height)?);
        Some(PixelBox { left, top, right, bottom })
    }
}
