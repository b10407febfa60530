//! `hidden_surfaces` against `tmu_model::pixel::hidden_surfaces`: any triangles in and around any tile, and what they leave at its pixels.

use crate::support::{is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::pixel::hidden_surfaces::{Area, Coverage, passing};
use tmu_model::pixel::triangle_setup::Plane;
use tmu_rtl::engines::pixel::hidden_surfaces::{DepthPlane, HiddenSurfaces, SurfaceWord, TileWord};
use tmu_rtl::engines::pixel::triangle_setup::PlaceWord;
use tmu_rtl::engines::pixel::words::TileShape;
use tmu_spec::choice::Choice;
use tmu_spec::general::CompareOp;
use tmu_spec::pixel::{Cull, Position};
use tmu_stages::{Check, Rig};

#[test]
pub(crate) fn full() {
    tiles("pixel_hidden_surfaces", TileShape::FULL, 30, 40);
}

#[test]
pub(crate) fn lite() {
    tiles("pixel_hidden_surfaces of small tiles", TileShape::LITE, 80, 40);
}

#[test]
fn other_tiles() {
    tiles("pixel_hidden_surfaces of large tiles", TileShape::LARGE, 8, 40);
    tiles("pixel_hidden_surfaces of four rows", TileShape::ROWS, 80, 40);
}

/// Pixels of a group that were found: triangle, group, and the bits of the depth of each that was.
type Found = (u32, usize, Vec<Option<u32>>);

/// A triangle as the stage takes it.
#[derive(Clone, Debug)]
struct Triangle {
    places: [Position; 3],
    plane: Plane,
    compare: CompareOp,
    cull: Cull,
    keeps: bool,
}

/// The bits of a depth; what is no number has one form.
fn bits_of(depth: f32) -> u32 {
    if depth.is_nan() { 0x7fc0_0000 } else { depth.to_bits() }
}

impl Triangle {
    fn any(check: &mut Check, area: &Area) -> Triangle {
        let spread = check.pick(&[3, 10, 60, 400]);
        let mut coordinate = |axis: usize| {
            let (start, end) = (area.start[axis] as i32 * 16, area.end[axis] as i32 * 16);
            match check.rng.random_range(0..40) {
                0 => check.rng.random_range(-(1 << 17)..1 << 17),
                // Centres and corners of pixels, where ties are.
                1..12 => check.rng.random_range(start / 8 - 3..end / 8 + 3) * 8,
                _ => check.rng.random_range(start - spread..end + spread).clamp(-(1 << 17), (1 << 17) - 1),
            }
        };
        let mut places = [(); 3].map(|()| Position { x: coordinate(0), y: coordinate(1), z: 0.0, rhw: 0.0 });
        if check.one_in(12) {
            places[2] = places[check.rng.random_range(0..2)];
        }
        if check.one_in(3) {
            // Small ones.
            for axis in 1..3 {
                places[axis].x =
                    (places[0].x + check.rng.random_range(-60..60)).clamp(-(1 << 17), (1 << 17) - 1);
                places[axis].y =
                    (places[0].y + check.rng.random_range(-60..60)).clamp(-(1 << 17), (1 << 17) - 1);
            }
        }
        let part = |check: &mut Check, most: f32| {
            if check.one_in(40) {
                f32::from_bits(check.rng.random())
            } else {
                check.rng.random_range(-most..most)
            }
        };
        let mut plane = Plane { e: part(check, 0.02), f: part(check, 0.02), g: 0.5 };
        if check.one_in(4) {
            // Depths that are often the same.
            plane = Plane { e: 0.0, f: 0.0, g: check.rng.random_range(0..4u8).into() };
        } else {
            plane.g -= plane.e * area.start[0] as f32 + plane.f * area.start[1] as f32;
        }
        let usual = !check.one_in(3);
        Triangle {
            places,
            plane,
            compare: if usual { CompareOp::Lequal } else { check.pick(CompareOp::CHOICES) },
            cull: check.pick(Cull::CHOICES),
            keeps: !check.one_in(4),
        }
    }

    fn found(&self, own: u32, area: &Area, shape: &TileShape, depths: &mut [f32]) -> Vec<Found> {
        let mut all: Vec<Found> = vec![];
        let Some(coverage) = Coverage::new(&self.places, self.cull) else { return all };
        let keeps = self.keeps;
        let mut pixels = vec![];
        passing(&coverage, &self.plane, self.compare, area, depths, |index, depth, there| {
            pixels.push((index, depth));
            if keeps {
                *there = depth;
            }
        });
        for (index, depth) in pixels {
            let (row, column) = (index / area.width() as usize, index % area.width() as usize);
            let (place, lane) = ((row * shape.width() + column) / shape.lanes(), column % shape.lanes());
            if all.last().is_none_or(|last| last.1 != place) {
                all.push((own, place, vec![None; shape.lanes()]));
            }
            all.last_mut().expect("there is one").2[lane] = Some(bits_of(depth));
        }
        all
    }

    fn word(&self, own: u32, shape: &TileShape) -> Bits {
        let single = |value: f32| number(32, value.to_bits());
        let Plane { e, f, g } = self.plane;
        SurfaceWord::of(shape).pack(&SurfaceWord {
            is_end: number(1, false),
            number: number(shape.number_bits, own),
            compare: number(3, self.compare as u64),
            cull: number(2, self.cull as u64),
            keeps: number(1, self.keeps),
            places: self.places.map(|place| {
                let [x, y] =
                    [place.x, place.y].map(|at| number(18, u64::from(at.cast_unsigned() & 0x3_ffff)));
                PlaceWord { x, y }
            }),
            depth: DepthPlane { e: single(e), f: single(f), g: single(g) },
        })
    }
}

/// The stage and what it owes; an end is none.
struct Bench {
    rig: Rig<HiddenSurfaces>,
    shape: TileShape,
    owed: VecDeque<Option<Found>>,
}

impl Bench {
    fn clock(&mut self, check: &mut Check) -> bool {
        self.rig.settle();
        let is_taken = is_high(self.rig.triangles.ready.val());
        let lanes = self.shape.lanes();
        if is_high(self.rig.found_valid.val()) {
            let (found, depths) = (self.rig.found.val(), self.rig.found_depths.val());
            let mask = found.mask.to_u64();
            let depth =
                |lane: usize| (mask >> lane & 1 == 1).then(|| depths.slice(32 * lane, 32).to_u64() as u32);
            let got = (
                found.number.to_u64() as u32,
                found.place.to_u64() as usize,
                (0..lanes).map(depth).collect(),
            );
            let expected = self.owed.pop_front().unwrap_or(None);
            check.same("found", Some(got), expected);
        }
        if is_high(self.rig.done.val()) {
            let expected = self.owed.pop_front();
            check.same("an end", Some(None), expected);
        }
        self.rig.tick();
        is_taken
    }

    fn send(&mut self, check: &mut Check, word: Bits) {
        self.rig.triangles.valid.drive(true);
        self.rig.triangles.data.drive(word);
        let mut clocks = 0;
        while !self.clock(check) {
            clocks += 1;
            check.holds(clocks < 10_000, "a triangle is taken");
        }
        self.rig.triangles.valid.drive(false);
        while check.one_in(2) {
            self.clock(check);
        }
    }

    fn clear(&mut self, check: &mut Check, depth: f32) {
        self.rig.clear.drive(true);
        self.rig.clear_depth.drive(number(32, depth.to_bits()));
        self.clock(check);
        self.rig.clear.drive(false);
        self.rig.settle();
        while is_high(self.rig.is_clearing.val()) {
            self.clock(check);
            self.rig.settle();
        }
        // What was cleared last is kept.
        (0..2).for_each(|_| {
            self.clock(check);
        });
    }

    /// Puts depths at some pixels.
    fn put(&mut self, check: &mut Check, area: &Area, depths: &mut [f32]) {
        let shape = self.shape;
        for _ in 0..8 {
            let place: usize = check.rng.random_range(0..1 << shape.place_bits());
            let mask = check.rng.random_range(0..1u64 << shape.lanes());
            let own: Vec<f32> = (0..shape.lanes()).map(|_| check.rng.random_range(0f32..1.0)).collect();
            let limbs: Vec<u64> = own
                .chunks(2)
                .map(|pair| u64::from(pair[0].to_bits()) | u64::from(pair[1].to_bits()) << 32)
                .collect();
            self.rig.put_valid.drive(true);
            self.rig.put_place.drive(number(shape.place_bits(), place as u64));
            self.rig.put_mask.drive(number(shape.lanes(), mask));
            self.rig.put_depths.drive(Bits::constant(Value::from_limbs(32 * shape.lanes(), &limbs)));
            self.clock(check);
            self.rig.put_valid.drive(false);
            for (lane, depth) in own.into_iter().enumerate().filter(|(lane, _)| mask >> lane & 1 == 1) {
                let pixel = place * shape.lanes() + lane;
                let (row, column) = (pixel / shape.width(), pixel % shape.width());
                if column < area.width() as usize && row < area.height() as usize {
                    depths[row * area.width() as usize + column] = depth;
                }
            }
        }
        self.clock(check);
    }
}

fn any_area(check: &mut Check, shape: &TileShape) -> Area {
    let (width, height) = (shape.width() as u32, shape.height() as u32);
    let tile = [check.rng.random_range(0..4096 / width), check.rng.random_range(0..4096 / height)];
    let start = [tile[0] * width, tile[1] * height];
    let size = if check.one_in(3) {
        [check.rng.random_range(1..=width), check.rng.random_range(1..=height)]
    } else {
        [width, height]
    };
    Area { start, end: [start[0] + size[0], start[1] + size[1]] }
}

fn tiles(name: &str, shape: TileShape, count: usize, triangles: u32) {
    let mut check = Check::new(name);
    let rig = Rig::new(&format!("hidden_surfaces_{}", shape.width()), HiddenSurfaces::new(&shape));
    let mut bench = Bench { rig, shape, owed: VecDeque::new() };
    for _ in 0..count {
        let area = any_area(&mut check, &shape);
        let of = TileWord::of(&shape);
        bench.rig.tile.drive(TileWord {
            column: number(of.column.value_bits(), area.start[0] / shape.width() as u32),
            row: number(of.row.value_bits(), area.start[1] / shape.height() as u32),
            last_column: number(shape.width_log2, area.width() - 1),
            last_row: number(shape.height_log2, area.height() - 1),
        });
        let clear = check.pick(&[1.0, 0.0, 2.0, f32::NAN]);
        bench.clear(&mut check, clear);
        let mut depths = vec![clear; (area.width() * area.height()) as usize];
        for own in 0..triangles {
            let triangle = Triangle::any(&mut check, &area);
            bench.owed.extend(triangle.found(own, &area, &shape, &mut depths).into_iter().map(Some));
            bench.send(&mut check, triangle.word(own, &shape));
            if own == triangles / 2 || own == triangles - 1 {
                bench.owed.push_back(None);
                let end = SurfaceWord::of(&shape);
                let zero = end.unpack(number(end.width().min(64), 0u32).zero_extend(end.width()));
                bench.send(&mut check, end.pack(&SurfaceWord { is_end: number(1, true), ..zero }));
                let mut clocks = 0;
                while !bench.owed.is_empty() {
                    bench.clock(&mut check);
                    clocks += 1;
                    check.holds(clocks < 20_000, "an end comes");
                }
                bench.put(&mut check, &area, &mut depths);
            }
        }
    }
    check.at_least(20 * count as u64);
}
