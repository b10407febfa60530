//! `places` of indirect look-ups against `tmu_model::general::coordinate::texel_at`: any places, near and far, sides and modes, with
//! and without a border, under any pauses; and how many clocks they take.

use crate::support::{configs, is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_model::general::coordinate::texel_at;
use tmu_rtl::datapath::general::indirect::places::{Extent, Places, QuadPlaces, QuadTexels};
use tmu_rtl::datapath::general::words::{PIXELS, PLACE_BITS};
use tmu_spec::texture::AddressMode;
use tmu_spec::{Config, Features};
use tmu_stages::{Check, Flow, Rig};

const QUADS: usize = 3000;
const ALONG_BITS: usize = 9;

#[test]
pub(crate) fn everything() {
    places("general_places", &configs::indirect());
}

#[test]
pub(crate) fn without_border() {
    places("general_places without border", &configs::multi_lite_quad(&[]));
}

/// A quad, and the texel of each place that counts; none outside.
#[derive(Clone, Debug)]
struct Quad {
    /// It is looked up.
    is_pass: bool,
    valid: u8,
    places: [[i32; 2]; PIXELS],
    /// Of each place the bits above an integer.
    above: u64,
    sides: [u32; 2],
    modes: [AddressMode; 2],
    is_row: bool,
    along: u64,
}

/// Places beside each other, or anywhere.
fn place(check: &mut Check, side: u32, is_near: bool) -> i32 {
    let side = side as i32;
    match check.rng.random_range(0..6) {
        0 if !is_near => check.rng.random(),
        1 if !is_near => check.pick(&[i32::MIN, i32::MIN + 1, i32::MAX, -32768, 65535]),
        2 if !is_near => check.rng.random_range(-9 * side..=9 * side),
        3 => check.pick(&[0, -1]) + side * check.rng.random_range(-1..=1),
        _ => check.rng.random_range(-side..side),
    }
}

impl Quad {
    fn any(check: &mut Check, features: &Features, is_near: bool) -> Quad {
        let modes: Vec<_> = features.address_modes().collect();
        let sides = [(); 2].map(|()| match check.rng.random_range(0..4) {
            0 => check.pick(&[1, 2, 3, 4095, 4096]),
            1 => 1 << check.rng.random_range(0..=12),
            _ => check.rng.random_range(1..=4096),
        });
        let valid = check.rng.random_range(0..16);
        let places = std::array::from_fn(|pixel| {
            // Those that do not count may be anywhere.
            let is_near = is_near && valid >> pixel & 1 == 1;
            sides.map(|side| place(check, side, is_near))
        });
        let is_row = check.one_in(4);
        Quad {
            is_pass: !check.one_in(5),
            valid,
            places,
            above: check.rng.random_range(0..16),
            sides,
            modes: [(); 2].map(|()| check.pick(&modes)),
            is_row,
            along: check.rng.random_range(0..1 << ALONG_BITS),
        }
    }

    fn expected(&self) -> Texels {
        let texel = |pixel: usize, axis: usize| {
            let counts = self.valid >> pixel & 1 == 1 && !(self.is_row && axis == 1);
            let texel = || texel_at(self.modes[axis], self.places[pixel][axis], self.sides[axis]);
            match self.is_pass {
                true => counts.then(|| texel().map(u64::from)),
                false => Some(Some(self.place(pixel, axis))),
            }
        };
        let texels = std::array::from_fn(|pixel| [texel(pixel, 0), texel(pixel, 1)]);
        Texels { is_pass: self.is_pass, along: self.along, texels }
    }

    /// A place as it comes.
    fn place(&self, pixel: usize, axis: usize) -> u64 {
        self.above << 32 | u64::from(self.places[pixel][axis].cast_unsigned())
    }

    fn packed(&self) -> Bits {
        let place = |pixel: usize| [0, 1].map(|axis: usize| number(PLACE_BITS, self.place(pixel, axis)));
        let extent = |axis: usize| Extent {
            last: number(12, self.sides[axis] - 1),
            mode: number(3, self.modes[axis].code()),
        };
        QuadPlaces::of(ALONG_BITS).pack(&QuadPlaces {
            is_pass: number(1, self.is_pass),
            valid: number(PIXELS, self.valid),
            places: std::array::from_fn(place),
            extents: [extent(0), extent(1)],
            is_row: number(1, self.is_row),
            along: number(ALONG_BITS, self.along),
        })
    }

    /// A place has to be divided.
    fn is_divided(&self) -> bool {
        (0..2 * PIXELS).any(|at| {
            let (pixel, axis) = (at / 2, at % 2);
            let repeats = matches!(self.modes[axis], AddressMode::Wrap | AddressMode::Mirror);
            let place = i64::from(self.places[pixel][axis]);
            let is_far = place.max(-1 - place) >= i64::from(2 * self.sides[axis]);
            self.is_pass && repeats && self.valid >> pixel & 1 == 1 && is_far && !(self.is_row && axis == 1)
        })
    }
}

/// What leaves: of each place that counts its texel, or none outside; of a quad that only goes along its places.
#[derive(Clone, Debug, PartialEq)]
struct Texels {
    is_pass: bool,
    along: u64,
    texels: [[Option<Option<u64>>; 2]; PIXELS],
}

/// The stage, and what it owes.
struct Bench {
    rig: Rig<Places>,
    shape: QuadTexels<Width>,
    owed: Flow<Texels>,
}

impl Bench {
    fn new(config: &Config) -> Bench {
        Bench {
            rig: Rig::new(&format!("places_of_{}", config.name()), Places::new(config, ALONG_BITS)),
            shape: QuadTexels::of(ALONG_BITS),
            owed: Flow::default(),
        }
    }

    /// A clock; whether the stage takes what comes.
    fn clock(&mut self, check: &mut Check, ready: bool) -> bool {
        self.rig.output.ready.drive(ready);
        self.rig.settle();
        if is_high(self.rig.output.valid.val()) && ready {
            let expected = self.owed.next(check);
            let got = self.got(&expected);
            check.same("texels", got, expected);
        }
        let takes = is_high(self.rig.input.ready.val()) && is_high(self.rig.input.valid.val());
        self.rig.tick();
        takes
    }

    /// What leaves, of the places that are looked at.
    fn got(&self, looked_at: &Texels) -> Texels {
        let got = self.shape.unpack(self.rig.output.data.val());
        let texel = |pixel: usize, axis: usize| {
            let texel = got.texels[pixel][axis];
            let is_outside = looked_at.is_pass && is_high(texel.bit(31));
            looked_at.texels[pixel][axis].map(|_| (!is_outside).then(|| texel.to_u64()))
        };
        let texels = std::array::from_fn(|pixel| [texel(pixel, 0), texel(pixel, 1)]);
        Texels { is_pass: looked_at.is_pass, along: got.along.to_u64(), texels }
    }
}

fn places(name: &str, config: &Config) {
    let mut check = Check::new(name);
    let mut bench = Bench::new(config);
    for at in 0..QUADS {
        // Stretches in which nothing is divided, and without a bubble.
        let is_dense = at / 50 % 2 == 0;
        let quad = Quad::any(&mut check, config.features(), at / 200 % 2 == 0);
        bench.owed.put(quad.expected());
        if !is_dense {
            bench.rig.input.valid.drive(false);
            for _ in 0..check.rng.random_range(0..3) {
                let ready = check.one_in(2);
                bench.clock(&mut check, ready);
            }
        }
        bench.rig.input.valid.drive(true);
        bench.rig.input.data.drive(quad.packed());
        while {
            let ready = is_dense || check.one_in(2);
            !bench.clock(&mut check, ready)
        } {}
    }
    bench.rig.input.valid.drive(false);
    for _ in 0..80 {
        bench.clock(&mut check, true);
    }
    bench.owed.is_done(&mut check);
    check.at_least(QUADS as u64);
}

/// A quad takes a clock, and 33 where something is divided.
#[test]
fn clocks_of_quads() {
    for is_near in [true, false] {
        let mut check = Check::new("general_places clocks");
        let mut bench = Bench::new(&configs::indirect());
        let (mut clocks, mut expected) = (0, 0);
        for _ in 0..300 {
            let quad = Quad::any(&mut check, configs::indirect().features(), is_near);
            check.holds(!is_near || !quad.is_divided(), "it is near");
            expected += if quad.is_divided() { 33 } else { 1 };
            bench.owed.put(quad.expected());
            bench.rig.input.valid.drive(true);
            bench.rig.input.data.drive(quad.packed());
            while {
                clocks += 1;
                !bench.clock(&mut check, true)
            } {}
        }
        bench.rig.input.valid.drive(false);
        while !bench.owed.is_empty() {
            clocks += 1;
            bench.clock(&mut check, true);
        }
        // A clock behind a reset it is known that there is room.
        let (latency, known) = (5, 1);
        check.same(
            format_args!("clocks where places are near: {is_near}"),
            clocks,
            expected + latency + known,
        );
    }
}
