//! A uniform grid around triangles: for each of its boxes the triangles that may reach into it, and the way of a ray from box to
//! box. An empty box knows how far around it there is nothing, so that rays look at few of them (after Cohen and Sheffer, *Proximity
//! clouds*, 1994).
//!
//! Boxes are taken a little larger than they are when triangles are put into them, so that no rounding on a ray's way loses one.

use crate::ray::{Corner, Ray};
use glam::DVec3;

/// Boxes for each triangle, about.
const BOXES_PER_TRIANGLE: f64 = 4.0;
/// Most boxes along an axis.
const MAX_BOXES: u32 = 128;
/// Part of the longest side by which the grid is larger than what is in it.
const MARGIN: f64 = 1e-3;
/// Part of a box by which it is larger when triangles are put into it.
const SLACK: f64 = 1e-6;

/// The grid, without what is in it: what a program knows beside its textures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    low: DVec3,
    box_size: DVec3,
    boxes: [u32; 3],
}

/// Triangles by box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lists {
    /// By box, the first of its places in `triangles`, and how many there are. Where there are none, the first number says how many
    /// boxes around it are empty as well, in all directions.
    pub spans: Vec<(u32, u32)>,
    /// Numbers of triangles.
    pub triangles: Vec<u32>,
}

impl Grid {
    /// A grid around the corners of so many triangles.
    #[must_use]
    pub fn around(corners: &[Corner], triangles: usize) -> Self {
        let place = |corner: &Corner| DVec3::new(corner[0].into(), corner[1].into(), corner[2].into());
        let low = corners.iter().map(place).reduce(DVec3::min).unwrap_or_default();
        let high = corners.iter().map(place).reduce(DVec3::max).unwrap_or_default();
        // What has no extent has a grid all the same, which stands far enough off singles of its size.
        let least = low.abs().max(high.abs()).max_element().max(1.0) * MARGIN * MARGIN;
        let margin = ((high - low).max_element() * MARGIN).max(least);
        let (low, size) = (low - margin, high - low + 2.0 * margin);
        let side = libm::cbrt(size.element_product() / (BOXES_PER_TRIANGLE * triangles.max(1) as f64));
        let boxes = size.to_array().map(|size| ((size / side).ceil() as u32).clamp(1, MAX_BOXES));
        let box_size = size / DVec3::from_array(boxes.map(f64::from));
        Self { low, box_size, boxes }
    }

    /// Boxes along each axis.
    #[must_use]
    pub const fn boxes(&self) -> [u32; 3] {
        self.boxes
    }

    /// The longest way through the grid.
    #[must_use]
    pub fn diagonal(&self) -> f64 {
        (self.box_size * DVec3::from_array(self.boxes.map(f64::from))).length()
    }

    fn number([x, y, z]: [u32; 3], boxes: [u32; 3]) -> u32 {
        (z * boxes[1] + y) * boxes[0] + x
    }

    /// Puts triangles into boxes; none if the lists would have more than `most` entries.
    #[must_use]
    pub fn lists(&self, triangles: &[[DVec3; 3]], most: usize) -> Option<Lists> {
        let mut entries = Vec::new();
        for (number, corners) in (0..).zip(triangles) {
            self.for_each_box(*corners, |at| entries.push((at, number)));
            if entries.len() > most {
                return None;
            }
        }
        entries.sort_unstable();
        let boxes: u32 = self.boxes.iter().product();
        let mut spans = vec![(0, 0); boxes as usize];
        for (place, (at, _)) in (0..).zip(&entries) {
            let (first, count) = &mut spans[*at as usize];
            if *count == 0 {
                *first = place;
            }
            *count += 1;
        }
        let clearances = self.clearances(&spans);
        for (span, clearance) in spans.iter_mut().zip(clearances) {
            if span.1 == 0 {
                span.0 = clearance;
            }
        }
        Some(Lists { spans, triangles: entries.into_iter().map(|(_, number)| number).collect() })
    }

    /// By box, how many boxes around it are empty as it is; of no meaning where it is not. Two sweeps, each from what it has passed:
    /// exact where a step may go along all axes at once.
    fn clearances(&self, spans: &[(u32, u32)]) -> Vec<u32> {
        let most = self.boxes.into_iter().max().unwrap_or(0);
        // Steps to the next box that is not empty.
        let mut steps: Vec<u32> = spans.iter().map(|(_, count)| if *count == 0 { most } else { 0 }).collect();
        let [width, height, depth] = self.boxes;
        let all = (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
        let all: Vec<[u32; 3]> = all.collect();
        let mut pass = |at: &[u32; 3]| {
            let near = |axis: usize| {
                let place: u32 = at[axis];
                place.saturating_sub(1)..=(place + 1).min(self.boxes[axis] - 1)
            };
            let around = near(2).flat_map(|z| near(1).flat_map(move |y| near(0).map(move |x| [x, y, z])));
            let nearest = around.map(|at| steps[Self::number(at, self.boxes) as usize]).min();
            let own = &mut steps[Self::number(*at, self.boxes) as usize];
            *own = (*own).min(nearest.unwrap_or(0) + 1);
        };
        all.iter().for_each(&mut pass);
        all.iter().rev().for_each(&mut pass);
        steps.into_iter().map(|steps| steps.saturating_sub(1)).collect()
    }

    /// Calls with each box that a triangle's plane passes within the triangle's bounds.
    fn for_each_box(&self, [a, b, c]: [DVec3; 3], mut call: impl FnMut(u32)) {
        let normal = (b - a).cross(c - a);
        let half = self.box_size * (0.5 + SLACK);
        let box_of = |point: DVec3| {
            let place = ((point - self.low) / self.box_size).floor().to_array();
            std::array::from_fn::<u32, 3, _>(|axis| (place[axis].max(0.0) as u32).min(self.boxes[axis] - 1))
        };
        let slack = self.box_size * SLACK;
        let first = box_of(a.min(b).min(c) - slack);
        let last = box_of(a.max(b).max(c) + slack);
        let reach = normal.abs().dot(half);
        for z in first[2]..=last[2] {
            for y in first[1]..=last[1] {
                for x in first[0]..=last[0] {
                    let middle =
                        self.low + self.box_size * (DVec3::from_array([x, y, z].map(f64::from)) + 0.5);
                    if normal.dot(middle - a).abs() <= reach {
                        call(Self::number([x, y, z], self.boxes));
                    }
                }
            }
        }
    }

    /// The way of a ray through the grid; none if it passes by.
    #[must_use]
    pub fn way(&self, ray: &Ray) -> Option<Walk> {
        let (origin, direction) = (ray.origin.to_array(), ray.direction.to_array());
        let (low, size) = (self.low.to_array(), self.box_size.to_array());
        let (mut entry, mut exit) = (0.0f64, f64::INFINITY);
        for axis in 0..3 {
            let high = low[axis] + size[axis] * f64::from(self.boxes[axis]);
            if direction[axis] == 0.0 {
                if origin[axis] < low[axis] || origin[axis] > high {
                    return None;
                }
                continue;
            }
            let [near, far] = [low[axis], high].map(|side| (side - origin[axis]) / direction[axis]);
            entry = entry.max(near.min(far));
            exit = exit.min(near.max(far));
        }
        if entry > exit {
            return None;
        }
        let point = ray.at(entry).to_array();
        let mut walk =
            Walk { at: [0; 3], boxes: self.boxes, steps: [0; 3], next: [f64::INFINITY; 3], stride: [0.0; 3] };
        for axis in 0..3 {
            let inside = ((point[axis] - low[axis]) / size[axis]).floor();
            let at = (inside.max(0.0) as i64).min(i64::from(self.boxes[axis]) - 1);
            walk.at[axis] = at;
            if direction[axis] != 0.0 {
                let is_up = direction[axis] > 0.0;
                let side = low[axis] + size[axis] * (at + i64::from(is_up)) as f64;
                walk.steps[axis] = if is_up { 1 } else { -1 };
                walk.next[axis] = (side - origin[axis]) / direction[axis];
                walk.stride[axis] = (size[axis] / direction[axis]).abs();
            }
        }
        Some(walk)
    }
}

/// A ray on its way from box to box.
#[derive(Debug, Clone, PartialEq)]
pub struct Walk {
    at: [i64; 3],
    boxes: [u32; 3],
    steps: [i64; 3],
    /// Where the ray leaves the box along each axis, in lengths of its direction.
    next: [f64; 3],
    stride: [f64; 3],
}

impl Walk {
    /// The number of the box that it is in.
    #[must_use]
    pub fn box_number(&self) -> u32 {
        Grid::number(self.at.map(|place| place as u32), self.boxes)
    }

    fn nearest_axis(&self) -> usize {
        (0..3).min_by(|a, b| self.next[*a].total_cmp(&self.next[*b])).unwrap_or(0)
    }

    /// Where it leaves the box.
    #[must_use]
    pub fn leaves_at(&self) -> f64 {
        self.next[self.nearest_axis()]
    }

    /// Boxes from the one that another walk is in, along the axis on which they are most.
    #[must_use]
    pub fn boxes_from(&self, other: &Walk) -> u32 {
        let along = |axis: usize| self.at[axis].abs_diff(other.at[axis]) as u32;
        (0..3).map(along).max().unwrap_or(0)
    }

    /// Goes to the next box, and says whether there is one.
    pub fn advance(&mut self) -> bool {
        let axis = self.nearest_axis();
        self.at[axis] += self.steps[axis];
        self.next[axis] += self.stride[axis];
        self.steps[axis] != 0 && (0..i64::from(self.boxes[axis])).contains(&self.at[axis])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn grid() -> Grid {
        let corners = [[0.0, 0.0, 0.0, 0.0], [8.0, 4.0, 2.0, 0.0]];
        Grid::around(&corners, 16)
    }

    #[test]
    fn boxes_are_about_cubes_and_as_many_as_asked_for() {
        let boxes = grid().boxes();
        assert_eq!(boxes, [8, 4, 3]);
        let flat = Grid::around(&[[0.0; 4], [1.0, 1.0, 0.0, 0.0]], 100);
        assert!(flat.boxes()[2] == 1 && flat.boxes()[0] > 10, "{flat:?}");
        assert!(Grid::around(&[], 0).diagonal() > 0.0);
    }

    #[test]
    fn lists_have_an_end() {
        let triangle = [DVec3::ZERO, DVec3::new(8.0, 0.0, 0.0), DVec3::new(0.0, 4.0, 2.0)];
        let lists = grid().lists(&[triangle], 1000).unwrap();
        assert_eq!(
            lists.triangles.len(),
            lists.spans.iter().map(|(_, count)| *count as usize).sum::<usize>()
        );
        assert!(grid().lists(&[triangle], lists.triangles.len() - 1).is_none());
    }

    #[test]
    fn clearances_by_hand() {
        let grid = Grid::around(&[[0.0; 4], [8.0, 4.0, 2.0, 0.0]], 16);
        let mut spans = vec![(0, 0); 8 * 4 * 3];
        spans[Grid::number([1, 2, 0], grid.boxes()) as usize].1 = 1;
        let found = grid.clearances(&spans);
        let at = |x, y, z| found[Grid::number([x, y, z], grid.boxes()) as usize];
        assert_eq!([at(0, 1, 1), at(3, 2, 0), at(1, 0, 2), at(7, 3, 2)], [0, 1, 1, 5]);
        assert_eq!(grid.clearances(&vec![(0, 0); 8 * 4 * 3]), vec![7; 8 * 4 * 3]);
    }

    proptest! {
        /// A ray to a point of a triangle finds the triangle in a box that it leaves no earlier than there.
        #[test]
        fn no_triangle_is_passed_by(
            corners in prop::array::uniform3([0.0..8.0f64, 0.0..4.0, 0.0..2.0]),
            [u, v] in [0.0..1.0f64, 0.0..1.0],
            origin in prop::array::uniform3(-10.0..10.0f64),
        ) {
            let [a, b, c] = corners.map(DVec3::from_array);
            let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
            let point = a + (b - a) * u + (c - a) * v;
            let origin = DVec3::from_array(origin);
            let ray = Ray { origin, direction: point - origin };
            let lists = grid().lists(&[[a, b, c]], usize::MAX).unwrap();
            let mut walk = grid().way(&ray).expect("the point is inside");
            loop {
                // The ray lies in the box just before it leaves it.
                let inside = (ray.at(walk.leaves_at() - 1e-9) - grid().low) / grid().box_size;
                let off = inside - DVec3::from_array(walk.at.map(|at| at as f64)) - 0.5;
                prop_assert!(off.abs().max_element() < 0.5 + 1e-6, "{:?}, but in {}", walk, inside);
                let (first, count) = lists.spans[walk.box_number() as usize];
                if count > 0 && walk.leaves_at() >= 1.0 - 1e-9 {
                    break;
                }
                // What a box says of those around it holds for the next one too, but for the one step.
                let mut next = walk.clone();
                if count == 0 && next.advance() {
                    let (next_first, next_count) = lists.spans[next.box_number() as usize];
                    prop_assert!(first == 0 || next_count == 0, "an empty box is counted wrongly");
                    prop_assert!(next_count > 0 || next_first + 1 >= first, "clearance falls too fast");
                }
                prop_assert!(walk.leaves_at() < 1.0 + 1e-9, "passed by");
                prop_assert!(walk.advance(), "left the grid");
            }
        }
    }
}
