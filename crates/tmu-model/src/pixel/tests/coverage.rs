//! Which pixels a triangle covers, against another way to say the same: the centre, moved a little to the right and much less downwards,
//! lies strictly inside.

use super::super::hidden_surfaces::{Area, Coverage};
use proptest::prelude::*;
use tmu_spec::pixel::{Cull, Position};

/// What a step of 1/16 of a pixel is cut into.
const PARTS: i128 = 1 << 40;
/// What a centre is moved by to the right, where it is moved by 1 downwards.
const MOVED: i128 = 1 << 20;

fn positions(places: [[i32; 2]; 3]) -> [Position; 3] {
    places.map(|[x, y]| Position { x, y, z: 0.0, rhw: 1.0 })
}

/// Whether a triangle covers a pixel, in integers of any length that is needed.
fn is_covered(places: [[i32; 2]; 3], x: u32, y: u32) -> bool {
    let centre = |pixel: u32| (i128::from(pixel) * 16 + 8) * PARTS;
    let (px, py) = (centre(x) + MOVED, centre(y) + 1);
    let places = places.map(|place| place.map(|value| i128::from(value) * PARTS));
    let signs = [0, 1, 2].map(|number| {
        let ([x0, y0], [x1, y1]) = (places[number], places[(number + 1) % 3]);
        // Both factors are whole steps but for the move, so nothing is lost.
        (((x1 - x0) / PARTS) * (py - y0) - ((y1 - y0) / PARTS) * (px - x0)).signum()
    });
    signs == [1; 3] || signs == [-1; 3]
}

fn covered(places: [[i32; 2]; 3], cull: Cull, area: &Area) -> Vec<[u32; 2]> {
    let mut found = Vec::new();
    if let Some(coverage) = Coverage::new(&positions(places), cull) {
        coverage.for_each(area, |x, y| found.push([x, y]));
    }
    found
}

const NONE: [[u32; 2]; 0] = [];
const AREA: Area = Area { start: [32, 16], end: [48, 27] };

/// Places around the area, on centres often, and anywhere.
fn place() -> impl Strategy<Value = [i32; 2]> {
    let near = (28 * 2..52 * 2, 12 * 2..30 * 2).prop_map(|(x, y)| [8 * x, 8 * y]);
    let fine = (28 * 16..52 * 16, 12 * 16..30 * 16).prop_map(|(x, y)| [x, y]);
    let any = (-131_072..131_072, -131_072..131_072).prop_map(|(x, y)| [x, y]);
    prop_oneof![near, fine, any]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn pixels_are_those_of_exact_arithmetic(places in [place(), place(), place()]) {
        let expected: Vec<_> = (AREA.start[1]..AREA.end[1])
            .flat_map(|y| (AREA.start[0]..AREA.end[0]).map(move |x| [x, y]))
            .filter(|[x, y]| is_covered(places, *x, *y))
            .collect();
        prop_assert_eq!(covered(places, Cull::None, &AREA), expected);
    }

    /// Triangles on two sides of an edge share no pixel.
    #[test]
    fn neighbours_share_their_edge(middle in [place(), place()], ends in [place(), place()]) {
        let [a, b] = middle;
        let side = |[x, y]: [i32; 2]| {
            let [dx, dy] = [b[0] - a[0], b[1] - a[1]].map(i64::from);
            (dx * i64::from(y - a[1]) - dy * i64::from(x - a[0])).signum()
        };
        // Turned around the middle of the edge it comes to the other side.
        let turned = [a[0] + b[0] - ends[1][0], a[1] + b[1] - ends[1][1]];
        let other = if side(ends[0]) * side(ends[1]) > 0 { turned } else { ends[1] };
        let [one, other] = [ends[0], other].map(|end| covered([a, b, end], Cull::None, &AREA));
        prop_assert!(one.iter().all(|pixel| !other.contains(pixel)));
    }
}

#[test]
fn rules_by_hand() {
    let area = Area { start: [0, 0], end: [8, 8] };
    // Corners on the centres of pixels (1, 1) and (3, 3): left and top edges belong to it, right and bottom ones do not.
    let (low, high) = (24, 56);
    let upper = [[low, low], [high, low], [low, high]];
    let all = vec![[1, 1], [2, 1], [1, 2]];
    assert_eq!(covered(upper, Cull::None, &area), all);
    // y downwards: right, then down is clockwise.
    assert_eq!(covered(upper, Cull::CounterClockwise, &area), all);
    assert_eq!(covered(upper, Cull::Clockwise, &area), NONE);
    let turned = [upper[0], upper[2], upper[1]];
    assert_eq!(covered(turned, Cull::None, &area), all);
    assert_eq!(covered(turned, Cull::Clockwise, &area), all);
    assert_eq!(covered(turned, Cull::CounterClockwise, &area), NONE);
    // The other half of the square: the diagonal is its left edge.
    let lower = [[high, low], [high, high], [low, high]];
    assert_eq!(covered(lower, Cull::None, &area), [[2, 2]]);
    // No area: a line through centres, a point.
    assert_eq!(covered([[8, 8], [120, 120], [24, 24]], Cull::None, &area), NONE);
    assert_eq!(covered([[8, 8]; 3], Cull::None, &area), NONE);
    // The largest triangle that there is.
    let far = [[-131_072, -131_072], [131_071, -131_072], [-131_072, 131_071]];
    assert_eq!(covered(far, Cull::None, &area).len(), 0);
    let far = [[-131_072, -131_072], [131_071, -131_072], [131_071, 131_071]];
    assert_eq!(covered(far, Cull::None, &area).len(), 36);
}
