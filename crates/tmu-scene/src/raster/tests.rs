//! What holds for clipping, setup and the tile walk together, against direct computation of rays and planes.

use glam::{DVec2, DVec3};
use proptest::prelude::*;
use tmu_spec::AddressMode;

use super::{Corner, Cull, PrimitiveList, ShadedCorner, TILE_PIXELS, Tile, VisibleQuad, to_fixed};

const WIDTH: u32 = 37;
const HEIGHT: u32 = 29;
const NEAR: f64 = 0.25;

/// A point at pixel (`x`, `y`) and distance `distance`.
fn point(x: f64, y: f64, distance: f64, uv: [f64; 2]) -> ShadedCorner {
    let position = DVec3::new(x, y, 1.0) * distance;
    ShadedCorner { corner: Corner { position, weight: 1.0 }, uv: DVec2::from_array(uv) }
}

fn flat(x: f64, y: f64) -> ShadedCorner {
    point(x, y, 1.0, [0.0, 0.0])
}

/// Draws triangles over the whole picture and returns every quad with its coordinates.
fn draw(triangles: &[[ShadedCorner; 3]], cull: Cull) -> Vec<(VisibleQuad, [[i32; 2]; 4])> {
    let mut list = PrimitiveList::new(WIDTH, HEIGHT);
    for &triangle in triangles {
        list.push(0, triangle, None, Some(NEAR), cull);
    }
    let mut quads = Vec::new();
    for row in 0..HEIGHT.div_ceil(TILE_PIXELS) {
        for column in 0..WIDTH.div_ceil(TILE_PIXELS) {
            let mut tile = Tile::new(column, row);
            for primitive in list.iter().filter(|primitive| {
                primitive.bounds.touches_tile_row(row) && primitive.bounds.touches_tile_column(column)
            }) {
                tile.draw(primitive, list.edges(primitive), true, |quad| {
                    let reference = quad.first_valid();
                    let uv = primitive.quad_uv(quad.x.into(), quad.y.into(), reference);
                    let [u, v] =
                        [0, 1].map(|axis| to_fixed(uv.map(|uv| uv[axis]), reference, AddressMode::Wrap));
                    quads.push((quad, std::array::from_fn(|pixel| [u[pixel], v[pixel]])));
                });
            }
        }
    }
    quads
}

/// How often each pixel was drawn, row by row.
fn coverage(triangles: &[[ShadedCorner; 3]], cull: Cull) -> Vec<u32> {
    let mut counts = vec![0; (WIDTH * HEIGHT) as usize];
    for (quad, _) in draw(triangles, cull) {
        for index in (0..4).filter(|index| quad.valid >> index & 1 == 1) {
            let (x, y) = quad.pixel(index);
            counts[(y * WIDTH + x) as usize] += 1;
        }
    }
    counts
}

fn covered(counts: &[u32]) -> Vec<(u32, u32)> {
    (0..)
        .zip(counts)
        .filter(|(_, count)| **count > 0)
        .map(|(index, _)| (index % WIDTH, index / WIDTH))
        .collect()
}

/// Two triangles over the rectangle from (`left`, `top`) to (`right`, `bottom`), counter-clockwise.
fn rectangle(left: f64, top: f64, right: f64, bottom: f64) -> [[ShadedCorner; 3]; 2] {
    let corners = [flat(left, top), flat(left, bottom), flat(right, bottom), flat(right, top)];
    [[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]]
}

#[test]
fn the_top_left_rule_decides_on_pixel_centres() {
    // Left and top edges through centres take them, right and bottom edges leave them.
    assert_eq!(
        covered(&coverage(&rectangle(2.5, 3.5, 4.5, 5.5), Cull::Back)),
        [(2, 3), (3, 3), (2, 4), (3, 4)]
    );
    assert_eq!(covered(&coverage(&rectangle(2.0, 3.0, 3.0, 5.0), Cull::Back)), [(2, 3), (2, 4)]);
    // A hair to the right of the centre leaves it: half a step of 1/256 pixel rounds away.
    assert_eq!(covered(&coverage(&rectangle(2.5 + 1.0 / 256.0, 3.5, 4.5, 4.5), Cull::Back)), [(3, 3)]);
    assert!(coverage(&rectangle(2.6, 3.6, 3.4, 4.4), Cull::Back).iter().all(|&count| count == 0));
}

#[test]
fn triangles_that_turn_away_are_culled() {
    let [front, _] = rectangle(1.0, 1.0, 20.0, 20.0);
    let [a, b, c] = front;
    assert!(draw(&[[a, c, b]], Cull::Back).is_empty());
    assert_eq!(coverage(&[[a, c, b]], Cull::None), coverage(&[front], Cull::Back));
}

#[test]
fn triangles_without_area_draw_nothing() {
    let cases = [
        ("a line", [flat(1.0, 1.0), flat(9.0, 9.0), flat(5.0, 5.0)]),
        ("a point", [flat(3.5, 3.5); 3]),
        ("not a number", [flat(1.0, 1.0), flat(f64::NAN, 9.0), flat(9.0, 1.0)]),
        ("infinite", [flat(1.0, 1.0), flat(f64::INFINITY, 9.0), flat(9.0, 1.0)]),
        (
            "behind",
            [
                point(1.0, 1.0, -1.0, [0.0; 2]),
                point(1.0, 9.0, -1.0, [0.0; 2]),
                point(9.0, 9.0, -1.0, [0.0; 2]),
            ],
        ),
    ];
    for (name, triangle) in cases {
        assert!(draw(&[triangle], Cull::None).is_empty(), "{name}");
    }
}

#[test]
fn a_pixel_is_hidden_only_by_what_is_nearer() {
    let at = |distance: f64| {
        rectangle(0.0, 0.0, 8.0, 8.0).map(|triangle| {
            triangle.map(|ShadedCorner { corner, uv }| ShadedCorner {
                corner: Corner { position: corner.position * distance, ..corner },
                uv,
            })
        })
    };
    let samples = |distances: &[f64]| {
        let triangles: Vec<_> = distances.iter().flat_map(|&distance| at(distance)).collect();
        coverage(&triangles, Cull::Back).iter().sum::<u32>()
    };
    assert_eq!(samples(&[2.0]), 64);
    assert_eq!(samples(&[2.0, 3.0]), 64, "the far one is hidden");
    assert_eq!(samples(&[3.0, 2.0]), 128, "the near one came later");
    assert_eq!(samples(&[2.0, 2.0]), 128, "at one distance the later one is drawn over");
}

#[test]
fn a_plane_to_the_horizon_covers_all_below_it_and_nothing_above() {
    // The second horizon is snapped to the pixel centres of row 14, but lies below them.
    for (horizon, first_row) in [(14.0, 14), (14.501, 15)] {
        // A floor one unit below the eye: directions ahead, to both sides and back.
        let focal = 20.0;
        let to_corner = |x: f64, y: f64, z: f64, weight: f64| {
            let position = DVec3::new(focal * x + 18.5 * z, focal * y + horizon * z, z);
            ShadedCorner { corner: Corner { position, weight }, uv: DVec2::new(x, z) }
        };
        let eye = to_corner(0.0, 1.0, 0.0, 1.0);
        let ends = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].map(|(x, z)| to_corner(x, 0.0, z, 0.0));
        let fan: Vec<_> = (0..4).map(|side| [eye, ends[side], ends[(side + 1) % 4]]).collect();
        let expected: Vec<u32> =
            (0..WIDTH * HEIGHT).map(|pixel| u32::from(pixel / WIDTH >= first_row)).collect();
        assert_eq!(coverage(&fan, Cull::Back), expected, "horizon {horizon}");
    }
}

#[test]
fn a_corner_that_is_barely_cut_takes_nothing_from_its_triangle() {
    // The third corner lies a hair before the near plane. The two corners that the cut leaves are less than 1/256
    // pixel apart; in an unlucky order their edge would face away from all that lies a hundred pixels below.
    let corner = |x: f64, y: f64, z: f64| ShadedCorner {
        corner: Corner { position: DVec3::new(x, y, z), weight: 1.0 },
        uv: DVec2::ZERO,
    };
    let triangle = [
        corner(0.0, -21.49828421748414, 2.1909490239318155),
        corner(63.32770428892263, 76.61107677742366, 3.1053881432083346),
        corner(-23.746772389887152, -40.63705079530035, 0.24995818835313358),
    ];
    let counts = coverage(&[triangle], Cull::None);
    let wrong = |&(x, y): &(u32, u32)| {
        covers(&triangle, x, y).is_some_and(|drawn| counts[(y * WIDTH + x) as usize] != u32::from(drawn))
    };
    let pixels = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    assert_eq!(pixels.filter(wrong).collect::<Vec<_>>(), []);
    assert_eq!(covers(&triangle, 6, 1), Some(true));
}

/// Where the ray through a pixel centre meets a triangle's plane: the weights of its corners, and the distance.
fn ray(triangle: &[ShadedCorner; 3], x: f64, y: f64) -> (DVec3, f64) {
    // The ray is distance × (x, y, 1) in homogeneous pixels; weights × corners must equal it, and sum to one.
    let [a, b, c] = triangle.map(|shaded| shaded.corner.position);
    let weights = glam::DMat3::from_cols(a, b, c).inverse() * DVec3::new(x + 0.5, y + 0.5, 1.0);
    let sum = weights.x + weights.y + weights.z;
    (weights / sum, 1.0 / sum)
}

/// Whether a triangle covers a pixel's centre; none where snapping, by up to 1/512 pixel, may decide otherwise.
fn covers(triangle: &[ShadedCorner; 3], x: u32, y: u32) -> Option<bool> {
    let around = [(0.0, 0.0), (0.02, 0.02), (-0.02, 0.02), (0.02, -0.02), (-0.02, -0.02)].map(|(dx, dy)| {
        let (weights, distance) = ray(triangle, f64::from(x) + dx, f64::from(y) + dy);
        // Before the division by the distance all four are linear on the screen: a square whose corners lie on one
        // side of one of them lies there as a whole. That its corners are outside is not enough: a sharp corner of
        // the triangle may reach between them.
        let [a, b, c] = (weights / distance).to_array();
        [a > 0.0, b > 0.0, c > 0.0, 1.0 / distance < 1.0 / NEAR]
    });
    if around.iter().all(|sides| sides.iter().all(|&inside| inside)) {
        return Some(true);
    }
    (0..4).any(|side| around.iter().all(|sides| !sides[side])).then_some(false)
}

fn uv_of(triangle: &[ShadedCorner; 3], weights: DVec3) -> DVec2 {
    triangle[0].uv * weights.x + triangle[1].uv * weights.y + triangle[2].uv * weights.z
}

/// Triangles around the picture, some far beyond the guard band, before and behind the camera, and none edge-on.
fn any_triangle() -> impl Strategy<Value = [ShadedCorner; 3]> {
    let corner = (-2.0..3.0, -2.0..3.0, -0.5..4.0, -8.0..8.0, -8.0..8.0);
    let corners = (prop::array::uniform3(corner), prop::sample::select(vec![1.0, 1000.0]));
    let triangle = corners.prop_map(|(corners, spread)| {
        corners.map(|(x, y, z, u, v): (f64, f64, f64, f64, f64)| {
            let position = DVec3::new(x * f64::from(WIDTH) * spread, y * f64::from(HEIGHT) * spread, z);
            ShadedCorner { corner: Corner { position, weight: 1.0 }, uv: DVec2::new(u, v) }
        })
    });
    triangle.prop_filter("edge-on", is_not_edge_on)
}

/// Triangles within the picture, a fraction of a pixel to a few pixels wide.
fn any_sliver() -> impl Strategy<Value = [ShadedCorner; 3]> {
    let end = (0.0..f64::from(WIDTH), 0.0..f64::from(HEIGHT), 0.5..4.0);
    let middle = (0.0..1.0, -1.0..1.0, 0.5..4.0);
    let triangle =
        (end.clone(), end, middle).prop_map(|(a, b, (part, offset, distance)): (_, _, (f64, f64, f64))| {
            let middle = |a: f64, b: f64| a + (b - a) * part + offset;
            let ends = [a, b].map(|(x, y, distance)| point(x, y, distance, [0.0; 2]));
            [ends[0], ends[1], point(middle(a.0, b.0), middle(a.1, b.1), distance, [0.0; 2])]
        });
    triangle.prop_filter("edge-on", is_not_edge_on)
}

fn is_not_edge_on(triangle: &[ShadedCorner; 3]) -> bool {
    let [a, b, c] = triangle.map(|shaded| shaded.corner.position);
    a.dot(b.cross(c)).abs() > 1.0
}

proptest! {
    /// A net of triangles over the whole picture draws each pixel once, whatever its corners, among them corners
    /// on pixel centres and edges along them.
    #[test]
    fn common_edges_are_drawn_exactly_once(
        moves in prop::collection::vec((-1.5_f64..1.5, -1.5_f64..1.5), 49),
        turns in prop::collection::vec(any::<bool>(), 36),
        steps_per_pixel in prop::sample::select(vec![2.0, 3.0, 256.0]),
    ) {
        let corner = |column: usize, row: usize| {
            let (dx, dy) = moves[row * 7 + column];
            let place = |index: usize, cell: f64, offset: f64| {
                let moved = (offset * steps_per_pixel).round() / steps_per_pixel;
                index as f64 * cell + if index == 0 || index == 6 { 0.0 } else { moved }
            };
            flat(place(column, 7.0, dx) - 2.5, place(row, 6.0, dy) - 3.5)
        };
        let mut triangles = Vec::new();
        for (cell, turned) in turns.into_iter().enumerate() {
            let (column, row) = (cell % 6, cell / 6);
            let [a, b, c, d] = [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(x, y)| corner(column + x, row + y));
            triangles.extend(if turned { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
        }
        let counts = coverage(&triangles, Cull::Back);
        let wrong: Vec<_> = (0..).zip(&counts).filter(|(_, count)| **count != 1).collect();
        prop_assert!(wrong.is_empty(), "pixels (index, count): {:?}", wrong);
    }

    /// What is drawn, and with which coordinates, is what the ray through each pixel meets.
    #[test]
    fn pixels_agree_with_rays(triangle in prop_oneof![any_triangle(), any_sliver()]) {
        let quads = draw(&[triangle], Cull::None);
        let mut drawn = vec![false; (WIDTH * HEIGHT) as usize];
        for (quad, uv) in &quads {
            let rays = [0, 1, 2, 3].map(|index| {
                let (x, y) = quad.pixel(index);
                let (weights, distance) = ray(&triangle, f64::from(x), f64::from(y));
                (distance, uv_of(&triangle, weights) * 65536.0)
            });
            // Where one of the four is too far out, whole periods of two repeats are taken from all.
            let all_fit = rays.iter().all(|(distance, uv)| *distance > 0.0 && uv.abs().max_element() < 2e9);
            for (index, uv) in uv.iter().enumerate() {
                let (x, y) = quad.pixel(index);
                let (distance, expected) = rays[index];
                if quad.valid >> index & 1 == 1 {
                    drawn[(y * WIDTH + x) as usize] = true;
                    let got = f64::from(quad.nearness[index]);
                    let expected = 1.0 / distance;
                    prop_assert!((got / expected - 1.0).abs() < 1e-6, "1 / distance: {} not {}", got, expected);
                }
                // Helper pixels extend the plane: the same holds for them while the plane is before the camera.
                if distance > 0.0 && distance < 100.0 {
                    for (got, expected) in uv.iter().zip(expected.to_array()) {
                        let off = f64::from(*got) - expected;
                        let periods = if all_fit { 0.0 } else { (off / 131_072.0).round() * 131_072.0 };
                        let tolerance = 0.51 + expected.abs() * 1e-9;
                        prop_assert!(
                            (off - periods).abs() <= tolerance || expected.abs() > 2e9,
                            "pixel ({}, {}): got {}, expected {}", x, y, got, expected,
                        );
                    }
                }
            }
        }
        for (index, drawn) in drawn.into_iter().enumerate() {
            let (x, y) = (index as u32 % WIDTH, index as u32 / WIDTH);
            if let Some(expected) = covers(&triangle, x, y) {
                prop_assert_eq!(drawn, expected, "pixel ({}, {})", x, y);
            }
        }
    }

    /// Coordinates of helper pixels stay near those of the pixels that are drawn, even where the plane's horizon
    /// runs through the quad.
    #[test]
    fn helper_pixels_beyond_the_horizon_continue_the_slope(
        height in 0.1_f64..4.0, focal in 5.0_f64..50.0, horizon in 3.0_f64..25.0,
    ) {
        let to_corner = |x: f64, z: f64, weight: f64| {
            let position = DVec3::new(focal * x + 18.0 * z, focal * height * weight + horizon * z, z);
            ShadedCorner { corner: Corner { position, weight }, uv: DVec2::new(x, z) }
        };
        let floor = [to_corner(0.0, 0.0, 1.0), to_corner(40.0, 1.0, 0.0), to_corner(-40.0, 1.0, 0.0)];
        for (quad, uv) in draw(&[floor], Cull::Back) {
            let reference = quad.first_valid();
            for (index, uv) in uv.iter().enumerate() {
                let (_, y) = quad.pixel(index);
                if f64::from(y) + 0.5 > horizon {
                    continue;
                }
                // Along a column v is height × focal / rows below the horizon; its slope at the reference follows.
                let rows = f64::from(quad.pixel(reference).1) + 0.5 - horizon;
                let v = height * focal / rows;
                let expected = (v + v / rows * f64::from(quad.pixel(reference).1 - y)).min(32767.9);
                let got = f64::from(uv[1]) / 65536.0;
                let turns = ((got - expected) / 2.0).round() * 2.0;
                let is_near = (got - expected - turns).abs() < 1e-3 || expected > 30000.0;
                prop_assert!(is_near, "row {}: got {}, expected {}", y, got, expected);
            }
        }
    }
}
