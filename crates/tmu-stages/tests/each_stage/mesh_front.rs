//! The stages of the mesh engine in front of its cache: `vertices`, `interpolate` and `coordinate` against the golden model, each behind
//! pauses and in front of them, and jobs that are cancelled.

use crate::support::{is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::engines::mesh::coordinate::limited;
use tmu_model::engines::mesh::interpolate::{Rectangle, step};
use tmu_rtl::engines::mesh::coordinate::Coordinate;
use tmu_rtl::engines::mesh::interpolate::Interpolate;
use tmu_rtl::engines::mesh::interpolate::divide::Divide;
use tmu_rtl::engines::mesh::job::reciprocal::Reciprocal;
use tmu_rtl::engines::mesh::vertices::Vertices;
use tmu_rtl::engines::mesh::words::{
    EdgeWord, POINT_BITS, POSITION_BITS, PositionWord, edge_word, pixel_word, position_word,
};
use tmu_spec::Config;
use tmu_stages::{Check, Flow, Rig};

type Point = [i32; 2];

/// A number in two's complement.
fn signed(width: usize, value: i32) -> Bits {
    number(width, value as u64 & ((1 << width) - 1))
}

/// A number of so many bits in two's complement.
fn to_signed(value: Bits) -> i32 {
    let width = value.width();
    ((value.to_u64() as i64) << (64 - width) >> (64 - width)) as i32
}

/// `ceil(2^s / n)`, to 26 bits.
fn reciprocal(n: u32) -> u64 {
    let shift = if n < 512 { 26 } else { 28 };
    (1u64 << shift).div_ceil(n.into()) & ((1 << 26) - 1)
}

fn coordinate(check: &mut Check) -> i32 {
    match check.rng.random_range(0..4) {
        0 => check.pick(&[-(1 << 17), (1 << 17) - 1, 0, 1, -1, 63, 64]),
        1 => check.rng.random_range(-(1 << 17)..1 << 17),
        _ => check.rng.random_range(-200..60_000),
    }
}

fn size(check: &mut Check) -> u32 {
    match check.rng.random_range(0..4) {
        0 => check.pick(&[1, 2, 3, 511, 512, 513, 1023, 1024, 2046, 2047]),
        1 => check.rng.random_range(1..=2047),
        _ => check.rng.random_range(1..=17),
    }
}

#[test]
fn mesh_reciprocal() {
    let mut check = Check::new("mesh_reciprocal");
    let mut rig = Rig::new("mesh_reciprocal", Reciprocal::new());
    for n in (2..=2047).step_by(3).chain([510, 511, 512, 513, 2046, 2047]) {
        rig.count.drive(u64::from(n));
        rig.start.drive(1);
        rig.tick();
        rig.start.drive(0);
        let mut clocks = 0;
        while !is_high(rig.done.val()) {
            rig.tick();
            clocks += 1;
            check.holds(clocks < 40, format_args!("1 / {n} comes"));
        }
        check.same(format_args!("1 / {n}"), rig.result.val().to_u64(), reciprocal(n));
    }
    check.at_least(600);
}

#[test]
fn mesh_divide() {
    let mut check = Check::new("mesh_divide");
    let mut rig = Rig::new("mesh_divide", Divide::new(8));
    let mut owed = Flow::default();
    let mut steps = 1;
    for item in 0..20_000u64 {
        if item % 50 == 0 {
            let n = size(&mut check);
            rig.in_valid.drive(0);
            rig.advance.drive(1);
            for _ in 0..12 {
                rig.settle();
                take_slope(&rig, &mut check, &mut owed, steps);
                rig.tick();
            }
            steps = n;
            rig.steps.count.drive(u64::from(n));
            rig.steps.reciprocal.drive(reciprocal(n));
        }
        let [from, to] = [coordinate(&mut check), coordinate(&mut check)];
        let (valid, advance) = (!check.one_in(4), !check.one_in(5));
        rig.in_valid.drive(valid);
        rig.advance.drive(advance);
        rig.from.drive(signed(POINT_BITS, from));
        rig.to.drive(signed(POINT_BITS, to));
        rig.in_rest.drive(item & 255);
        if valid && advance {
            owed.put((from, to, item & 255));
        }
        rig.settle();
        if advance {
            take_slope(&rig, &mut check, &mut owed, steps);
        }
        rig.tick();
    }
    check.at_least(40_000);
}

/// What leaves a divider when it moves.
fn take_slope(rig: &Rig<Divide>, check: &mut Check, owed: &mut Flow<(i32, i32, u64)>, n: u32) {
    if !is_high(rig.out_valid.val()) {
        return;
    }
    let (from, to, rest) = owed.next(check);
    let difference = from.abs_diff(to) & 0x1_ffff;
    check.same(format_args!("start of {from} to {to}"), to_signed(rig.start.val()), from);
    check.same("what goes along", rig.out_rest.val().to_u64(), rest);
    check.same("sign", is_high(rig.slope.is_negative.val()), to < from);
    if n > 1 {
        let got = (rig.slope.quotient.val().to_u64(), rig.slope.remainder.val().to_u64());
        let expected = (u64::from(difference / n), u64::from(difference % n));
        check.same(format_args!("({to} - {from}) / {n}"), got, expected);
    }
}

/// A mesh of few rectangles.
#[derive(Debug)]
struct Mesh {
    rectangles: [u32; 2],
    size: [u32; 2],
    offset: [i32; 2],
    points: Vec<Vec<Point>>,
}

impl Mesh {
    fn any(check: &mut Check) -> Mesh {
        let rectangles = [check.rng.random_range(1..=4), check.rng.random_range(1..=3)];
        let is_long = check.one_in(3);
        let mut long = is_long.then(|| [size(check), 2]);
        if check.one_in(2) {
            long = long.map(|[a, b]| [b, a]);
        }
        let size = long.unwrap_or_else(|| [check.rng.random_range(1..=17), check.rng.random_range(1..=9)]);
        let offset = [0, 1].map(|_| match check.rng.random_range(0..4) {
            0 => check.pick(&[-(1 << 19), (1 << 19) - 1]),
            _ => check.rng.random_range(-100..700),
        });
        let row = |check: &mut Check| {
            (0..=rectangles[0]).map(|_| [coordinate(check), coordinate(check)]).collect::<Vec<Point>>()
        };
        let points = (0..=rectangles[1]).map(|_| row(check)).collect();
        Mesh { rectangles, size, offset, points }
    }

    /// Ends of all edges, in order, and whether each is the first of its row and the last of the mesh.
    fn edges(&self) -> VecDeque<([Point; 2], bool, bool)> {
        let [across, down] = self.rectangles.map(|count| count as usize);
        let place = |row: usize, column: usize| {
            let ends = [self.points[row][column], self.points[row + 1][column]];
            (ends, column == 0, column == across && row + 1 == down)
        };
        (0..down).flat_map(|row| (0..=across).map(move |column| place(row, column))).collect()
    }

    /// u, v, x, y of all pixels, in order.
    fn pixels(&self) -> VecDeque<[i32; 4]> {
        let mut pixels = VecDeque::new();
        let wrapped = |position: i64| ((position as i32) << 12) >> 12;
        for j in 0..self.rectangles[1] as usize {
            for i in 0..self.rectangles[0] as usize {
                let (upper, lower) = (&self.points[j], &self.points[j + 1]);
                let corners = [upper[i], upper[i + 1], lower[i], lower[i + 1]];
                let rectangle = Rectangle { corners, size: self.size };
                for y in 0..self.size[1] {
                    let [left, right] = rectangle.row(y);
                    for x in 0..self.size[0] {
                        let [u, v] = [0, 1].map(|axis| step(left[axis], right[axis], self.size[0], x));
                        let at = |axis: usize, number: usize, inside: u32| {
                            let from = number as i64 * i64::from(self.size[axis]);
                            wrapped(i64::from(self.offset[axis]) + from + i64::from(inside))
                        };
                        pixels.push_back([u, v, at(0, i, x), at(1, j, y)]);
                    }
                }
            }
        }
        pixels
    }
}

fn start(rig: &mut Rig<Interpolate>, mesh: &Mesh) {
    for axis in 0..2 {
        rig.size[axis].count.drive(u64::from(mesh.size[axis]));
        rig.size[axis].reciprocal.drive(reciprocal(mesh.size[axis]));
        rig.offset[axis].drive(signed(POSITION_BITS, mesh.offset[axis]));
    }
    rig.start.drive(1);
    rig.tick();
    rig.start.drive(0);
}

/// Pauses of both sides: never, or one clock of so many.
fn interpolate(name: &str, jobs: u32, pauses: [u32; 2], cancels: bool) -> [u64; 2] {
    let mut check = Check::new(name);
    let mut rig = Rig::new("interpolate", Interpolate::new());
    let (mut clocks, mut drawn) = (0, 0);
    for _ in 0..jobs {
        let mesh = Mesh::any(&mut check);
        start(&mut rig, &mesh);
        let (mut edges, mut pixels) = (mesh.edges(), mesh.pixels());
        let cut = if cancels { check.rng.random_range(0..pixels.len() * 2) } else { usize::MAX };
        let (mut job_clocks, mut is_offered, mut ended) = (0usize, false, false);
        let limit = 200 + 40 * (pixels.len() + 8 * edges.len());
        while !ended {
            let cancelled = job_clocks >= cut;
            rig.cancelled.drive(cancelled);
            is_offered = (is_offered || pauses[0] == 0 || !check.one_in(pauses[0])) && !edges.is_empty();
            rig.input.valid.drive(is_offered);
            if let Some((ends, is_first, is_last)) = edges.front() {
                let [upper, lower] = ends.map(|point| point.map(|at| signed(POINT_BITS, at)));
                let (is_first, is_last) = (number(1, *is_first), number(1, *is_last));
                rig.input.data.drive(edge_word().pack(&EdgeWord { upper, lower, is_first, is_last }));
            }
            rig.output.ready.drive(pauses[1] == 0 || !check.one_in(pauses[1]));
            rig.settle();
            if is_high(rig.input.moves()) {
                edges.pop_front();
                is_offered = false;
            }
            if is_high(rig.output.moves()) {
                let got = position_word().unpack(rig.output.data.val());
                ended = is_high(got.is_end);
                if !ended {
                    let expected = pixels.pop_front();
                    let got = [got.u, got.v, got.x, got.y].map(to_signed);
                    check.same(format_args!("pixel of {mesh:?}"), Some(got), expected);
                    drawn += 1;
                }
            }
            rig.tick();
            clocks += 1;
            job_clocks += 1;
            check.holds(job_clocks < limit, format_args!("{mesh:?} ends"));
        }
        check.holds(pixels.is_empty() || job_clocks > cut, "the end is the last item");
        rig.input.valid.drive(0);
        for _ in 0..40 {
            rig.tick();
            check.holds(!is_high(rig.output.valid.val()), "nothing comes behind the end");
        }
        rig.cancelled.drive(0);
    }
    [clocks, drawn]
}

#[test]
pub(crate) fn mesh_interpolate() {
    interpolate("mesh_interpolate", 60, [3, 4], false);
    interpolate("mesh_interpolate", 20, [0, 0], false);
}

#[test]
fn mesh_interpolate_cancelled() {
    interpolate("mesh_interpolate_cancelled", 60, [3, 4], true);
}

/// A row of rectangles of so many pixels, without pauses: clocks for all pixels.
fn clocks_of(width: u32, height: u32, across: u32) -> u32 {
    let mut rig = Rig::new("interpolate", Interpolate::new());
    let points: Vec<Vec<Point>> =
        (0..2).map(|row| (0..=across as i32).map(|x| [x * 1000, row * 500]).collect()).collect();
    let mesh = Mesh { rectangles: [across, 1], size: [width, height], offset: [0, 0], points };
    start(&mut rig, &mesh);
    rig.output.ready.drive(1);
    let mut edges = mesh.edges();
    for clock in 0..100_000 {
        rig.input.valid.drive(!edges.is_empty());
        if let Some((ends, is_first, is_last)) = edges.front() {
            let [upper, lower] = ends.map(|point| point.map(|at| signed(POINT_BITS, at)));
            let (is_first, is_last) = (number(1, *is_first), number(1, *is_last));
            rig.input.data.drive(edge_word().pack(&EdgeWord { upper, lower, is_first, is_last }));
        }
        rig.settle();
        if is_high(rig.input.moves()) {
            edges.pop_front();
        }
        if is_high(rig.output.moves()) && is_high(position_word().unpack(rig.output.data.val()).is_end) {
            return clock;
        }
        rig.tick();
    }
    panic!("the row does not end");
}

/// A pixel a clock from 3 pixels a row on; with 2 an edge costs a clock.
#[test]
fn mesh_interpolate_rate() {
    const LATENCY: u32 = 40;
    for [width, height, across] in
        [[16, 16, 8], [16, 1, 30], [4, 1, 60], [2, 4, 30], [2, 2, 30], [3, 5, 20], [100, 1, 4]]
    {
        let clocks = clocks_of(width, height, across);
        let pixels = width * height * across;
        let edges = if width == 2 { across } else { 0 };
        assert!(
            clocks <= pixels + edges + LATENCY,
            "{width} x {height}: {clocks} clocks for {pixels} pixels"
        );
    }
}

#[test]
pub(crate) fn mesh_coordinate() {
    let mut check = Check::new("mesh_coordinate");
    let mut rig = Rig::new("mesh_coordinate", Coordinate::new());
    for _ in 0..120 {
        let texture = [size(&mut check), size(&mut check)];
        let frame = [size(&mut check), size(&mut check)];
        let masks = [0, 1].map(|_| match check.rng.random_range(0..3) {
            0 => check.rng.random_range(0..1 << 18),
            1 => check.pick(&[0x3_ffff, 0xfff, 0x1_ffff, 0x3_ffc0]),
            _ => 0x3_ffffu32,
        });
        let base: u64 = check.rng.random_range(0..1 << 31);
        rig.frame.base.drive(base);
        rig.frame.width.drive(u64::from(frame[0]));
        rig.frame.height.drive(u64::from(frame[1]));
        for axis in 0..2 {
            rig.masks[axis].drive(u64::from(masks[axis]));
            rig.texture_size[axis].drive(u64::from(texture[axis]));
        }
        rig.tick();
        let (mut owed, mut left_out, mut sent) = (Flow::default(), 0, 0);
        // The frame buffer's line of the pixel before: behind an end there is none.
        let mut line = None;
        let mut before = [0, 0];
        let mut offered: Option<([i32; 4], bool)> = None;
        let mut quiet = 0;
        while sent < 200 || quiet < 60 {
            if offered.is_none() && sent < 200 && !check.one_in(6) {
                let position = |check: &mut Check, size: u32| {
                    let near = check.rng.random_range(-3..3);
                    match check.rng.random_range(0..4) {
                        0 => check.pick(&[near, size as i32 + near, 4096 + near]),
                        1 => check.rng.random_range(-(1 << 19)..1 << 19),
                        _ => check.rng.random_range(0..size as i32),
                    }
                };
                let elsewhere = [position(&mut check, frame[0]), position(&mut check, frame[1])];
                let [x, y] = if check.one_in(2) { [before[0] + 1, before[1]] } else { elsewhere };
                before = [x, y];
                let at = [coordinate(&mut check), coordinate(&mut check), x, y];
                offered = Some((at, check.one_in(40)));
            }
            rig.input.valid.drive(offered.is_some());
            if let Some(([u, v, x, y], is_end)) = offered {
                let [u, v] = [u, v].map(|at| signed(POINT_BITS, at));
                let [x, y] = [x, y].map(|at| signed(POSITION_BITS, at));
                rig.input.data.drive(position_word().pack(&PositionWord {
                    u,
                    v,
                    x,
                    y,
                    is_end: number(1, is_end),
                }));
            }
            rig.output.ready.drive(!check.one_in(3));
            rig.settle();
            left_out -= i32::from(is_high(rig.left_out.val()));
            quiet += 1;
            if is_high(rig.input.moves())
                && let Some(([u, v, x, y], is_end)) = offered.take()
            {
                sent += 1;
                quiet = 0;
                let is_inside = (0..frame[0] as i32).contains(&x) && (0..frame[1] as i32).contains(&y);
                let at = [limited(u, masks[0], texture[0]), limited(v, masks[1], texture[1])];
                let row = (y as u64).wrapping_mul(u64::from(frame[0]));
                let place = base.wrapping_add(row).wrapping_add(x as u64) & 0x7fff_ffff;
                if is_end {
                    line = None;
                    owed.put((None, false));
                } else if is_inside {
                    let opens_line = line.replace(place / 8) != Some(place / 8);
                    owed.put((Some((at, place)), opens_line));
                } else {
                    left_out += 1;
                }
            }
            if is_high(rig.output.moves()) {
                let got = pixel_word().unpack(rig.output.data.val());
                let at = [got.u, got.v].map(|at| at.to_u64() as u32);
                let opens_line = is_high(got.opens_line);
                let got = ((!is_high(got.is_end)).then(|| (at, got.place.to_u64())), opens_line);
                let expected = owed.next(&mut check);
                check.same(format_args!("{texture:?}, {masks:x?}, {frame:?} at {base:x}"), got, expected);
            }
            rig.tick();
        }
        owed.is_done(&mut check);
        check.same("left out", left_out, 0);
    }
    check.at_least(5_000);
}

/// What of a job `vertices` knows.
#[derive(Debug)]
struct Points {
    /// In points.
    base: u64,
    mesh: [u32; 2],
}

/// A word of a point: its address makes it.
fn word_at(point: u64, axis: u64) -> u64 {
    (point.wrapping_mul(0x9e37_79b9) ^ axis.wrapping_mul(0x85eb_ca6b)) & 0xffff_ffff
}

impl Points {
    fn any(check: &mut Check) -> Points {
        let across =
            if check.one_in(4) { check.pick(&[1, 2, 126, 127]) } else { check.rng.random_range(1..40) };
        Points { base: check.rng.random_range(0..1 << 29), mesh: [across, check.rng.random_range(1..=4)] }
    }

    fn edges(&self) -> VecDeque<([[u64; 2]; 2], bool, bool)> {
        let point = |x: u32, y: u32| {
            let point = (self.base + 128 * u64::from(y) + u64::from(x)) & 0x1fff_ffff;
            [0, 1].map(|axis| word_at(point, axis) & 0x3_ffff)
        };
        let [across, down] = self.mesh;
        let edges = (0..down).flat_map(|y| (0..=across).map(move |x| (x, y)));
        edges.map(|(x, y)| ([point(x, y), point(x, y + 1)], x == 0, x == across && y + 1 == down)).collect()
    }
}

/// Takes an edge, where one is offered.
fn take_edge(
    rig: &Rig<Vertices>,
    check: &mut Check,
    edges: &mut VecDeque<([[u64; 2]; 2], bool, bool)>,
    what: &Points,
) {
    if is_high(rig.output.moves()) {
        let got = edge_word().unpack(rig.output.data.val());
        let ends = [got.upper, got.lower].map(|point| point.map(|at| at.to_u64()));
        let expected = edges.pop_front();
        check.same(
            format_args!("edge of {what:?}"),
            Some((ends, is_high(got.is_first), is_high(got.is_last))),
            expected,
        );
    }
}

fn start_vertices(rig: &mut Rig<Vertices>, points: &Points) {
    rig.base.drive(points.base);
    rig.mesh[0].drive(u64::from(points.mesh[0]));
    rig.mesh[1].drive(u64::from(points.mesh[1]));
    rig.start.drive(1);
    rig.tick();
    rig.start.drive(0);
}

#[test]
pub(crate) fn mesh_vertices() {
    let config = Config::from_toml("engines = [\"mesh\"]").expect("a legal configuration");
    let mut check = Check::new("mesh_vertices");
    let mut rig = Rig::new("vertices", Vertices::new(&config));
    for job in 0..40 {
        let points = Points::any(&mut check);
        start_vertices(&mut rig, &points);
        let mut edges = points.edges();
        let mut owed: VecDeque<(u64, bool, u32)> = VecDeque::new();
        let fails_at = if job % 3 == 2 { check.rng.random_range(0..60) } else { u32::MAX };
        let (mut lines, mut has_failed, mut clocks) = (0u32, false, 0u32);
        while !(edges.is_empty() || has_failed && is_high(rig.is_idle.val())) {
            let Some(memory) = rig.memory.as_ref() else { unreachable!("points come from the memory port") };
            rig.cancelled.drive(has_failed);
            memory.read.ready.drive(!check.one_in(3));
            rig.output.ready.drive(!check.one_in(3));
            let comes = owed.front().is_some_and(|(_, _, from)| *from <= clocks) && !check.one_in(4);
            memory.line_valid.drive(comes);
            memory.outstanding.drive(!owed.is_empty());
            let fails = comes && lines == fails_at;
            memory.line_response.drive(if fails { 2u64 } else { 0 });
            if comes && let Some((line, is_last, _)) = owed.pop_front() {
                let words = [0, 1, 2, 3].map(|word| word_at((2 * line + word / 2) & 0x1fff_ffff, word % 2));
                let data = words.iter().rev().fold(0u128, |data, word| data << 32 | u128::from(*word));
                memory.line_data.drive(Bits::constant(Value::from_u128(128, data)));
                memory.line_last.drive(is_last);
                lines += 1;
            }
            rig.settle();
            let Some(memory) = rig.memory.as_ref() else { unreachable!("points come from the memory port") };
            if is_high(rig.fault.happened.val()) {
                check.holds(lines > fails_at, "a fault without a failing line");
                check.same("response", rig.fault.response.val().to_u64(), 2);
                has_failed = true;
            }
            if is_high(memory.read.moves()) {
                let read = memory.read.data.val();
                let (length, line) = (read.high(3).to_u64(), read.low(28).to_u64());
                check.holds(line % 256 + length < 256, "a read does not cross 4 KiB");
                check.holds(owed.is_empty(), "one read at a time");
                let wait = check.rng.random_range(0..70);
                owed.extend((0..=length).map(|number| (line + number, number == length, clocks + wait)));
            }
            take_edge(&rig, &mut check, &mut edges, &points);
            rig.tick();
            clocks += 1;
            check.holds(clocks < 60_000, format_args!("{points:?} ends"));
        }
        check.same("failed", has_failed, lines > fails_at && has_failed);
        for clock in 0..40 {
            rig.tick();
            check.holds(clock < 20 || is_high(rig.is_idle.val()), "nothing is read behind the end");
        }
        rig.cancelled.drive(0);
    }
    check.at_least(1_500);
}

#[test]
fn mesh_vertices_over_wishbone() {
    let config =
        Config::from_toml("engines = [\"mesh\"]\n[mesh]\nbus = \"wishbone\"").expect("a legal configuration");
    let mut check = Check::new("mesh_vertices_over_wishbone");
    let mut rig = Rig::new("vertices", Vertices::new(&config));
    for job in 0..20 {
        let points = Points::any(&mut check);
        start_vertices(&mut rig, &points);
        let mut edges = points.edges();
        let fails_at = if job % 3 == 2 { check.rng.random_range(0..100) } else { u32::MAX };
        let (mut words, mut has_failed, mut clocks) = (0u32, false, 0u32);
        while !(edges.is_empty() || has_failed && is_high(rig.is_idle.val())) {
            let Some(bus) = rig.bus.as_ref() else { unreachable!("points come over Wishbone") };
            rig.cancelled.drive(has_failed);
            rig.output.ready.drive(!check.one_in(3));
            let answers = is_high(bus.stb.val()) && !check.one_in(3);
            let fails = answers && words == fails_at;
            bus.ack.drive(answers && !fails);
            bus.err.drive(fails);
            if answers {
                check.holds(is_high(bus.cyc.val()) && !is_high(bus.we.val()), "it reads in a cycle");
                check.same("bytes", bus.sel.val().to_u64(), 15);
                let address = bus.adr.val().to_u64();
                bus.dat_i.drive(word_at(address / 2, address % 2));
                words += 1;
            }
            rig.settle();
            has_failed = has_failed || is_high(rig.fault.happened.val());
            take_edge(&rig, &mut check, &mut edges, &points);
            rig.tick();
            clocks += 1;
            check.holds(clocks < 60_000, format_args!("{points:?} ends"));
        }
        if let Some(bus) = rig.bus.as_ref() {
            bus.ack.drive(0);
            bus.err.drive(0);
        }
        (0..20).for_each(|_| rig.tick());
        check.holds(is_high(rig.is_idle.val()), "nothing is read behind the end");
        rig.cancelled.drive(0);
    }
    check.at_least(1_000);
}
