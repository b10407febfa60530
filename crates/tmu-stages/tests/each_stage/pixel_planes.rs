//! `triangle_setup`, `reciprocal` and `interpolation` of the pixel pipeline against their counterparts in the golden model: any triangles and
//! values, what is no number, infinities and denormals among them.

use crate::support::{any_bits, is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_model::pixel::interpolation as model;
use tmu_model::pixel::reciprocal::of_rhw;
use tmu_model::pixel::triangle_setup::{Corners, Plane};
use tmu_rtl::engines::pixel::interpolation::{Interpolation, PixelsWord, REGISTER_BITS, ValueWord};
use tmu_rtl::engines::pixel::reciprocal::{LATENCY_CLOCKS, Reciprocal};
use tmu_rtl::engines::pixel::triangle_setup::{PlaceWord, PlaneWord, SetupWord, TAG_BITS, TriangleSetup};
use tmu_spec::pixel::Position;
use tmu_stages::{Check, Flow, Rig};

/// The bits of a single; what is no number has one form.
fn bits_of(value: f32) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}

/// A single as programs have them, or anything.
fn any_single(check: &mut Check) -> f32 {
    const EDGES: [u32; 8] =
        [0, 1, 0x007f_ffff, 0x0080_0000, 0x3f80_0000, 0x7f7f_ffff, 0x7f80_0000, 0x7f80_0001];
    let sign = u32::from(check.one_in(2)) << 31;
    match check.rng.random_range(0..8) {
        0 => f32::from_bits(check.rng.random()),
        1 => f32::from_bits(check.pick(&EDGES) | sign),
        2..5 => check.rng.random_range(-300f32..300.0),
        5 => f32::from(check.rng.random::<u8>()),
        _ => check.rng.random_range(0f32..1.0),
    }
}

fn single(value: f32) -> Bits {
    number(32, value.to_bits())
}

#[test]
pub(crate) fn reciprocals() {
    const COUNT: usize = 20_000;
    let mut check = Check::new("pixel_reciprocal");
    let mut rig = Rig::new("reciprocal", Reciprocal::new());
    let mut owed = Flow::default();
    let mut moves = 0;
    while moves < COUNT {
        let rhw = any_single(&mut check);
        let moves_on = !check.one_in(4);
        rig.rhw.drive(single(rhw));
        rig.enable.drive(moves_on);
        if moves_on {
            owed.put(bits_of(of_rhw(rhw)));
        }
        rig.settle();
        if moves_on {
            if moves >= LATENCY_CLOCKS as usize {
                let expected = owed.next(&mut check);
                check.same("reciprocal", rig.result.val().to_u64() as u32, expected);
            }
            moves += 1;
        }
        rig.tick();
    }
    check.at_least(COUNT as u64 / 2);
}

/// A stage with a stream at both ends.
trait Streams: Block {
    fn ends(&self) -> (&StreamIn, &StreamOut);
}

impl Streams for TriangleSetup {
    fn ends(&self) -> (&StreamIn, &StreamOut) {
        (&self.input, &self.output)
    }
}

impl Streams for Interpolation {
    fn ends(&self) -> (&StreamIn, &StreamOut) {
        (&self.input, &self.output)
    }
}

/// A stage and what it owes.
struct Bench<B: Streams, T> {
    rig: Rig<B>,
    owed: Flow<T>,
    got: fn(Bits) -> T,
    clocks: u64,
}

impl<B: Streams, T: PartialEq + std::fmt::Debug> Bench<B, T> {
    fn new(name: &str, block: B, got: fn(Bits) -> T) -> Bench<B, T> {
        Bench { rig: Rig::new(name, block), owed: Flow::default(), got, clocks: 0 }
    }

    fn clock(&mut self, check: &mut Check, ready: bool) -> bool {
        self.rig.ends().1.ready.drive(ready);
        self.rig.settle();
        let (input, output) = self.rig.ends();
        let is_taken = is_high(input.ready.val());
        if ready && is_high(output.valid.val()) {
            let got = (self.got)(output.data.val());
            let expected = self.owed.next(check);
            check.same("result", got, expected);
        }
        self.rig.tick();
        self.clocks += 1;
        is_taken
    }

    /// Sends an item and notes what it gives.
    fn send(&mut self, check: &mut Check, item: Bits, expected: Option<T>, pause: u32) {
        while check.one_in(pause) {
            let noise = any_bits(check, item.width());
            self.rig.ends().0.valid.drive(false);
            self.rig.ends().0.data.drive(noise);
            let ready = !check.one_in(pause);
            self.clock(check, ready);
        }
        self.rig.ends().0.valid.drive(true);
        self.rig.ends().0.data.drive(item);
        loop {
            let ready = !check.one_in(pause);
            if self.clock(check, ready) {
                break;
            }
        }
        expected.into_iter().for_each(|expected| self.owed.put(expected));
        self.rig.ends().0.valid.drive(false);
    }

    fn finish(&mut self, check: &mut Check) {
        (0..200).for_each(|_| {
            self.clock(check, true);
        });
        self.owed.is_done(check);
    }
}

/// E, F, G and what came along.
fn plane(data: Bits) -> ([u32; 3], u64) {
    let word = PlaneWord::shape().unpack(data);
    ([word.e, word.f, word.g].map(|part| part.to_u64() as u32), word.tag.to_u64())
}

fn place(check: &mut Check, near: i32) -> i32 {
    match check.rng.random_range(0..4) {
        0 => check.rng.random_range(-(1 << 17)..1 << 17),
        1 => check.pick(&[-(1 << 17), (1 << 17) - 1, 0, near]),
        _ => (near + check.rng.random_range(-800..800)).clamp(-(1 << 17), (1 << 17) - 1),
    }
}

#[test]
pub(crate) fn setup() {
    const TRIANGLES: usize = 700;
    let mut check = Check::new("pixel_triangle_setup");
    let mut bench = Bench::new("triangle_setup", TriangleSetup::new(), plane);
    for turn in 0..TRIANGLES {
        let near = check.rng.random_range(-1000..30_000);
        let places = [(); 3].map(|()| Position {
            x: place(&mut check, near),
            y: place(&mut check, near),
            z: 0.0,
            rhw: 0.0,
        });
        let inverse = if check.one_in(8) {
            any_single(&mut check)
        } else {
            let [x, y] = [places.map(|place| place.x as f32), places.map(|place| place.y as f32)];
            256.0 / ((x[1] - x[2]) * (y[1] - y[0]) - (y[1] - y[2]) * (x[1] - x[0]))
        };
        let corners = Corners::new(&places, inverse);
        let count = check.rng.random_range(1..6);
        for _ in 0..count {
            let values = [(); 3].map(|()| any_single(&mut check));
            let tag = check.rng.random_range(0..1u64 << TAG_BITS);
            let word = SetupWord {
                places: places.map(|place| {
                    let [x, y] =
                        [place.x, place.y].map(|at| number(18, u64::from(at.cast_unsigned() & 0x3_ffff)));
                    PlaceWord { x, y }
                }),
                inverse: single(inverse),
                values: values.map(single),
                tag: number(TAG_BITS, tag),
            };
            let Plane { e, f, g } = corners.plane(values);
            let expected = Some(([e, f, g].map(bits_of), tag));
            let pause = [1000, 2, 5][turn / 40 % 3];
            bench.send(&mut check, SetupWord::shape().pack(&word), expected, pause);
        }
    }
    bench.finish(&mut check);
    check.at_least(2 * TRIANGLES as u64);
}

/// Tags from this one on are those of colours, and the bit above them says that a value is the last one of its quad.
const FIRST_COLOR: u64 = 24;
/// Bits of the number of a value.
const NUMBER_BITS: usize = TAG_BITS - 1;

/// What came along, and the pixels.
type Given = (u64, [u32; 4]);

/// What leaves. Above colours there may be anything.
fn pixels(data: Bits) -> Given {
    let word = PixelsWord::shape().unpack(data);
    let tag = word.tag.to_u64();
    let is_color = tag % (1 << NUMBER_BITS) >= FIRST_COLOR;
    let mask = if is_color { (1 << REGISTER_BITS) - 1 } else { u32::MAX };
    (tag, word.pixels.map(|pixel| pixel.to_u64() as u32 & mask))
}

/// A product, denormals as zeros.
fn product(a: f32, b: f32) -> f32 {
    let flush = |value: f32| if value.is_subnormal() { 0.0f32.copysign(value) } else { value };
    flush(flush(a) * flush(b))
}

/// A plane of what may be seen, or of anything.
fn any_plane(check: &mut Check) -> Plane {
    let part = |check: &mut Check, most: f32| {
        if check.one_in(12) { any_single(check) } else { check.rng.random_range(-most..most) }
    };
    Plane { e: part(check, 0.3), f: part(check, 0.3), g: part(check, 300.0) }
}

/// What a value is.
#[derive(Clone, Copy, PartialEq)]
enum Value {
    Rhw,
    Coordinate,
    Color,
}

/// Values of a quad as they come: RHW in front where there are coordinates.
fn any_values(check: &mut Check) -> Vec<Value> {
    let has_rhw = !check.one_in(4);
    let count = check.pick(&[1, 1, 2, 3, 4, 6]);
    let other = |check: &mut Check| match has_rhw && check.one_in(2) {
        true => Value::Coordinate,
        false => Value::Color,
    };
    has_rhw.then_some(Value::Rhw).into_iter().chain((0..count).map(|_| other(check))).collect()
}

/// A quad's items, each with what it gives.
fn quad(check: &mut Check, values: &[Value]) -> Vec<(Bits, Option<Given>)> {
    // Near the corner of the screen as often as far from it, since centres have fewer bits there.
    let corner = [(); 2].map(|()| 2 * (check.rng.random_range(0..2048u32) >> check.rng.random_range(0..12)));
    let rhw = any_plane(check);
    let at = |plane: &Plane| {
        let rows = [0, 1].map(|odd| plane.row((corner[1] + odd) as f32 + 0.5));
        [0, 1, 2, 3u32].map(|pixel| plane.at((corner[0] + pixel % 2) as f32 + 0.5, rows[pixel as usize / 2]))
    };
    let factors = at(&rhw).map(of_rhw);
    let item = |(place, value): (usize, &Value)| {
        let own = if *value == Value::Rhw { rhw } else { any_plane(check) };
        let own_number = match value {
            Value::Rhw => check.rng.random_range(0..1 << NUMBER_BITS),
            Value::Coordinate => check.rng.random_range(0..FIRST_COLOR),
            Value::Color => check.rng.random_range(FIRST_COLOR..1 << NUMBER_BITS),
        };
        // With RHW the bit means nothing.
        let is_last = if *value == Value::Rhw { check.one_in(2) } else { place + 1 == values.len() };
        let tag = u64::from(is_last) << NUMBER_BITS | own_number;
        let word = ValueWord {
            is_rhw: number(1, *value == Value::Rhw),
            is_color: number(1, *value == Value::Color),
            column: number(11, corner[0] / 2),
            row: number(11, corner[1] / 2),
            plane: PlaneWord {
                e: single(own.e),
                f: single(own.f),
                g: single(own.g),
                tag: number(TAG_BITS, tag),
            },
        };
        let here = at(&own);
        let pixels = [0, 1, 2, 3].map(|pixel: usize| match value {
            Value::Color => model::color(here[pixel]) as u32,
            _ => bits_of(product(here[pixel], factors[pixel])),
        });
        (ValueWord::shape().pack(&word), (*value != Value::Rhw).then_some((tag, pixels)))
    };
    values.iter().enumerate().map(item).collect()
}

#[test]
pub(crate) fn values() {
    const QUADS: usize = 900;
    let mut check = Check::new("pixel_interpolation");
    let mut bench = Bench::new("interpolation", Interpolation::new(), pixels);
    for turn in 0..QUADS {
        let values = any_values(&mut check);
        let pause = [1000, 2, 5][turn / 40 % 3];
        for (item, expected) in quad(&mut check, &values) {
            bench.send(&mut check, item, expected, pause);
        }
    }
    bench.finish(&mut check);
    check.at_least(QUADS as u64);
}

/// A value comes in each clock, and a quad with RHW takes four clocks at least.
#[test]
fn clocks_of_values() {
    use Value::{Color, Coordinate, Rhw};
    const QUADS: u64 = 30;
    const NEVER: u32 = u32::MAX;
    let cases: [(&[Value], u64); 4] = [
        (&[Color], 1),
        (&[Rhw, Coordinate], 4),
        (&[Rhw, Coordinate, Color, Color, Color], 5),
        (&[Rhw, Coordinate, Coordinate, Coordinate, Color, Color, Color, Color, Color], 9),
    ];
    for (values, clocks) in cases {
        let mut check = Check::new("pixel_interpolation of rates");
        let mut bench = Bench::new("interpolation", Interpolation::new(), pixels);
        let mut begin = 0;
        for turn in 0..=QUADS {
            for (item, (word, expected)) in quad(&mut check, values).into_iter().enumerate() {
                bench.send(&mut check, word, expected, NEVER);
                if turn == 0 && item == 0 {
                    begin = bench.clocks;
                }
            }
        }
        let spare = clocks - values.len() as u64;
        check.same("clocks", bench.clocks - begin + spare + 1, (QUADS + 1) * clocks);
        bench.finish(&mut check);
    }
}
