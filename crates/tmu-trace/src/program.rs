//! What a shader would do for four pixels: read their rays, walk through the grid, and test the triangles of each box.
//!
//! The four lanes go side by side; one that has ended is no longer valid in what is asked for. A program says what it asks for, and
//! goes on with the answers: meanwhile others may be asking.

use crate::grid::{Grid, Walk};
use crate::ray::{Corner, Hit, Ray, Triangle};
use crate::store::{Name, box_at, corner_at, indices_at, places_at};
use crate::unit::{Answer, Ask, Counts, PacketBytes};
use arrayvec::ArrayVec;
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

/// What programs know beside their textures.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) packets: PacketBytes,
    pub(crate) grid: Grid,
    pub(crate) way: Way,
    pub(crate) ends: Ends,
}

/// Most looks at textures that a program asks for at once.
pub(crate) const MOST_ASKS: usize = 3;

/// Up to four pixels, the rays that they have, and what these met; and what that has cost.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) pixels: [Option<[i32; 2]>; 4],
    lanes: [Lane; 4],
    step: Step,
    /// The place in their lists that the lanes are at.
    number: u32,
    pub(crate) all: Counts,
    pub(crate) triangles: Counts,
    pub(crate) has_error: bool,
}

/// What is asked for next.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Rays: two operations.
    Rays,
    /// The lists of the boxes that rays are in: one operation.
    Lists,
    /// The numbers of a triangle's corners in each lane's list: one operation.
    Indices([Option<u32>; 4]),
    /// The corners by their numbers: three operations.
    Corners([Option<[u32; 3]>; 4]),
    /// The corners of a triangle in each lane's list: one operation.
    Places([Option<u32>; 4]),
    /// Nothing: all rays have ended.
    Ended,
}

/// A pixel's ray on its way.
#[derive(Debug)]
struct Lane {
    ray: Ray,
    walk: Option<Walk>,
    /// The first place of the box's list, and the number of places; of an empty box how many around it are empty, and 0.
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

impl Program {
    /// Begins to follow the rays of up to four pixels.
    pub(crate) fn new(pixels: [Option<[i32; 2]>; 4]) -> Self {
        let ray = Ray { origin: DVec3::ZERO, direction: DVec3::ZERO };
        let lane = || Lane { ray, walk: None, list: (0, 0), hit: None };
        Self {
            pixels,
            lanes: [lane(), lane(), lane(), lane()],
            step: Step::Rays,
            number: 0,
            all: Counts::default(),
            triangles: Counts::default(),
            has_error: false,
        }
    }

    /// The ray of a lane, and what it met.
    pub(crate) const fn met(&self, lane: usize) -> (Ray, Option<Hit>) {
        (self.lanes[lane].ray, self.lanes[lane].hit)
    }

    /// All rays have ended: nothing more is asked for.
    pub(crate) const fn has_ended(&self) -> bool {
        matches!(self.step, Step::Ended)
    }

    /// What is asked for; nothing when all rays have ended.
    pub(crate) fn asks(&self) -> ArrayVec<Ask, MOST_ASKS> {
        let fetch = |name, places| Ask::Fetch(name, quad(places));
        match self.step {
            Step::Rays => {
                [Name::Origins, Name::Directions].map(|name| fetch(name, self.pixels)).into_iter().collect()
            }
            Step::Lists => {
                let boxes = self.lanes.each_ref().map(|lane| Some(box_at(lane.walk.as_ref()?.box_number())));
                [fetch(Name::Boxes, boxes)].into_iter().collect()
            }
            Step::Indices(own) => {
                [fetch(Name::Indices, own.map(|own| own.map(indices_at)))].into_iter().collect()
            }
            Step::Corners(numbers) => {
                let corner = |corner: usize| numbers.map(|own| own.map(|own| corner_at(own[corner])));
                [0, 1, 2].map(|number| fetch(Name::Corners, corner(number))).into_iter().collect()
            }
            Step::Places(own) => [Ask::LookUp(quad(own.map(|own| own.map(places_at))))].into_iter().collect(),
            Step::Ended => ArrayVec::new(),
        }
    }

    /// Goes on with the answers to what was asked for, in that order.
    pub(crate) fn take(&mut self, rules: &Rules, answers: &[Answer]) {
        self.count(rules, answers);
        match self.step {
            Step::Rays => self.begin(rules, answers),
            Step::Lists => self.enter(rules, answers),
            Step::Indices(own) => {
                let channels = answers[0][0].channels;
                let numbers = |lane: usize| own[lane].map(|_| [0, 1, 2].map(|of| half(channels[lane][of])));
                self.step = Step::Corners(std::array::from_fn(numbers));
            }
            Step::Corners(numbers) => {
                let corners = std::array::from_fn(|corner| answers[corner][0].channels);
                self.test(rules, numbers.map(|own| own.is_some()), &corners);
            }
            Step::Places(own) => {
                // A quad that could not be looked up has fewer results; its picture is not shown.
                let corner = |of: usize| answers[0].get(of).map_or([[0; 4]; 4], |result| result.channels);
                self.test(rules, own.map(|own| own.is_some()), &std::array::from_fn(corner));
            }
            Step::Ended => {}
        }
    }

    fn count(&mut self, rules: &Rules, answers: &[Answer]) {
        let mut counts = Counts { round_trips: 1, ..Counts::default() };
        for (ask, answer) in self.asks().iter().zip(answers) {
            counts += Counts {
                operations: ask.quad().valid.count_ones().into(),
                quads: 1,
                round_trips: 0,
                request_bytes: rules.packets.request,
                result_bytes: rules.packets.result * answer.len() as u64,
            };
            self.has_error |= answer.iter().any(|result| result.error);
        }
        self.all += counts;
        if matches!(self.step, Step::Indices(_) | Step::Corners(_) | Step::Places(_)) {
            self.triangles += counts;
        }
    }

    /// The rays have come.
    fn begin(&mut self, rules: &Rules, answers: &[Answer]) {
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            let [origin, direction] = [0, 1].map(|of: usize| vector(answers[of][0].channels[number]));
            lane.ray = Ray { origin, direction };
            lane.walk = self.pixels[number].and_then(|_| rules.grid.way(&lane.ray));
        }
        self.go_on();
    }

    /// The lists have come.
    fn enter(&mut self, rules: &Rules, answers: &[Answer]) {
        for (lane, channels) in self.lanes.iter_mut().zip(answers[0][0].channels) {
            let [first, first_high, count, count_high] = channels.map(half);
            lane.list = (first_high << 16 | first, count_high << 16 | count);
        }
        self.number = 0;
        self.next_triangle(rules);
    }

    /// Tests a triangle of each lane that has asked for one, by its corners: three times the channels of four lanes.
    fn test(&mut self, rules: &Rules, asked: [bool; 4], corners: &[[[u32; 4]; 4]; 3]) {
        for (number, lane) in self.lanes.iter_mut().enumerate().filter(|(number, _)| asked[*number]) {
            let corner = |of: &[[u32; 4]; 4]| -> Corner { of[number].map(f32::from_bits) };
            let triangle = Triangle(corners.each_ref().map(corner));
            lane.hit = Hit::nearer(lane.hit, &lane.ray, triangle);
        }
        self.number += 1;
        self.next_triangle(rules);
    }

    /// Asks for the next triangle of the lists; behind the last one rays leave their boxes.
    fn next_triangle(&mut self, rules: &Rules) {
        let own = self.lanes.each_ref().map(|lane| {
            let is_open = rules.ends == Ends::AtNearest || lane.hit.is_none();
            (self.number < lane.list.1 && is_open).then_some(lane.list.0 + self.number)
        });
        if own.iter().any(Option::is_some) {
            self.step = match rules.way {
                Way::Direct => Step::Indices(own),
                Way::Indirect => Step::Places(own),
            };
            return;
        }
        self.lanes.iter_mut().for_each(|lane| lane.leave(rules.ends));
        self.go_on();
    }

    fn go_on(&mut self) {
        let is_on_way = self.lanes.iter().any(|lane| lane.walk.is_some());
        self.step = if is_on_way { Step::Lists } else { Step::Ended };
    }
}

impl Lane {
    /// Goes to the next box that may not be empty, unless the ray ends before it.
    fn leave(&mut self, ends: Ends) {
        let Some(walk) = &mut self.walk else { return };
        let clearance = if self.list.1 == 0 { self.list.0 } else { 0 };
        let start = walk.clone();
        while walk.boxes_from(&start) <= clearance {
            let is_over = match (self.hit, ends) {
                (Some(hit), Ends::AtNearest) => hit.distance <= walk.leaves_at(),
                (Some(_), Ends::AtAny) => true,
                (None, _) => false,
            };
            if is_over || !walk.advance() {
                self.walk = None;
                self.list = (0, 0);
                return;
            }
        }
    }
}
