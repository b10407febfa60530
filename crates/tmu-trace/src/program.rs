//! What a shader would do for four pixels: read their rays, walk through the grid, and test the triangles of each box.
//!
//! The four lanes go side by side; one that has ended is no longer valid in what is asked for.

use crate::grid::{Grid, Walk};
use crate::ray::{Corner, Hit, Ray, Triangle};
use crate::store::{Name, box_at, corner_at, indices_at, places_at};
use crate::unit::{Counted, Counts, PacketBytes, Textures};
use glam::DVec3;
use serde::Serialize;
use tmu_spec::general::indirect::IndirectQuad;

/// How the corners of a triangle are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// Their numbers first, then each of them: four operations, two round trips.
    Direct,
    /// All at once by an indirect look-up.
    Indirect,
}

/// What ends a ray.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// The nearest triangle.
    AtNearest,
    /// Any triangle.
    AtAny,
}

/// What four rays met, and what that has cost.
pub(crate) struct Outcome {
    pub(crate) rays: [Ray; 4],
    pub(crate) hits: [Option<Hit>; 4],
    pub(crate) all: Counts,
    pub(crate) triangles: Counts,
    pub(crate) has_error: bool,
}

/// The program with what it knows beside its textures.
pub(crate) struct Program<'u> {
    pub(crate) unit: &'u dyn Textures,
    pub(crate) packets: PacketBytes,
    pub(crate) grid: Grid,
    pub(crate) way: Way,
    pub(crate) ends: Ends,
}

/// A pixel's ray on its way.
struct Lane {
    ray: Ray,
    walk: Option<Walk>,
    /// The first place of the box's list, and the number of places.
    list: (u32, u32),
    hit: Option<Hit>,
}

/// A quad that asks for something of the lanes for which there is a place.
fn quad(places: [Option<[i32; 2]>; 4]) -> IndirectQuad {
    let valid = (0..4).filter(|lane| places[*lane].is_some()).fold(0, |valid, lane| valid | 1 << lane);
    IndirectQuad { places: places.map(Option::unwrap_or_default), valid }
}

/// A number of 16 bits, which comes as a part of 65535.
fn half(bits: u32) -> u32 {
    (f64::from(f32::from_bits(bits)) * 65535.0).round() as u32
}

fn vector(channels: [u32; 4]) -> DVec3 {
    let [x, y, z, _] = channels.map(|bits| f64::from(f32::from_bits(bits)));
    DVec3::new(x, y, z)
}

impl Program<'_> {
    /// Follows the rays of up to four pixels.
    pub(crate) fn run(&self, pixels: [Option<[i32; 2]>; 4]) -> Outcome {
        let mut unit = Counted::new(self.unit, self.packets);
        let mut of_triangles = Counts::default();
        let mut lanes = self.begin(pixels, &mut unit);
        while lanes.iter().any(|lane| lane.walk.is_some()) {
            self.enter(&mut lanes, &mut unit);
            let longest = lanes.iter().map(|lane| lane.list.1).max().unwrap_or(0);
            for number in 0..longest {
                let mut counted = Counted::new(self.unit, self.packets);
                self.test(number, &mut lanes, &mut counted);
                of_triangles += counted.counts();
                unit.join(&counted);
            }
            lanes.iter_mut().for_each(|lane| self.leave(lane));
        }
        Outcome {
            rays: std::array::from_fn(|lane| lanes[lane].ray),
            hits: std::array::from_fn(|lane| lanes[lane].hit),
            all: unit.counts(),
            triangles: of_triangles,
            has_error: unit.has_error(),
        }
    }

    /// Reads the rays: two operations, one round trip.
    fn begin(&self, pixels: [Option<[i32; 2]>; 4], unit: &mut Counted<'_>) -> [Lane; 4] {
        let asked = quad(pixels);
        let [origins, directions] = [Name::Origins, Name::Directions].map(|name| unit.fetch(name, &asked));
        unit.wait();
        std::array::from_fn(|lane| {
            let [origin, direction] = [origins, directions].map(|result| vector(result.channels[lane]));
            let ray = Ray { origin, direction };
            let walk = pixels[lane].and_then(|_| self.grid.way(&ray));
            Lane { ray, walk, list: (0, 0), hit: None }
        })
    }

    /// Reads the lists of the boxes that rays are in: one operation, one round trip.
    fn enter(&self, lanes: &mut [Lane; 4], unit: &mut Counted<'_>) {
        let boxes = lanes.each_ref().map(|lane| Some(box_at(lane.walk.as_ref()?.box_number())));
        let result = unit.fetch(Name::Boxes, &quad(boxes));
        unit.wait();
        for (lane, channels) in lanes.iter_mut().zip(result.channels) {
            let [first, first_high, count, count_high] = channels.map(half);
            lane.list = (first_high << 16 | first, count_high << 16 | count);
        }
    }

    /// Tests a triangle of each lane's list.
    fn test(&self, number: u32, lanes: &mut [Lane; 4], unit: &mut Counted<'_>) {
        let own = lanes.each_ref().map(|lane| {
            let is_open = self.ends == Ends::AtNearest || lane.hit.is_none();
            (number < lane.list.1 && is_open).then_some(lane.list.0 + number)
        });
        if own.iter().all(Option::is_none) {
            return;
        }
        let corners = self.corners(own, unit);
        for (number, lane) in lanes.iter_mut().enumerate().filter(|(number, _)| own[*number].is_some()) {
            let corner = |of: &[[u32; 4]; 4]| -> Corner { of[number].map(f32::from_bits) };
            let triangle = Triangle(corners.each_ref().map(corner));
            lane.hit = Hit::nearer(lane.hit, &lane.ray, triangle);
        }
    }

    /// The corners of triangles by their numbers in the lists: three times the channels of four lanes.
    fn corners(&self, own: [Option<u32>; 4], unit: &mut Counted<'_>) -> [[[u32; 4]; 4]; 3] {
        match self.way {
            Way::Direct => {
                let indices = unit.fetch(Name::Indices, &quad(own.map(|own| own.map(indices_at))));
                unit.wait();
                let corners = std::array::from_fn(|corner| {
                    let place =
                        |lane: usize| own[lane].map(|_| corner_at(half(indices.channels[lane][corner])));
                    unit.fetch(Name::Corners, &quad(std::array::from_fn(place))).channels
                });
                unit.wait();
                corners
            }
            Way::Indirect => {
                let results = unit.look_up(&quad(own.map(|own| own.map(places_at))));
                unit.wait();
                // A quad that could not be looked up has fewer results; its picture is not shown.
                std::array::from_fn(|corner| {
                    results.get(corner).map_or([[0; 4]; 4], |result| result.channels)
                })
            }
        }
    }

    /// Goes to the next box, unless the ray ends in this one.
    fn leave(&self, lane: &mut Lane) {
        let Some(walk) = &mut lane.walk else { return };
        let ends = match (lane.hit, self.ends) {
            (Some(hit), Ends::AtNearest) => hit.distance <= walk.leaves_at(),
            (Some(_), Ends::AtAny) => true,
            (None, _) => false,
        };
        if ends || !walk.advance() {
            lane.walk = None;
            lane.list = (0, 0);
        }
    }
}
