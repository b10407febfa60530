//! `triangle_data` of the pixel pipeline against `tmu_model::pixel::triangle_data` and `triangle_setup`: triangles of any frames, whole and damaged, in
//! any batches.

use crate::pixel_frames::{Answers, LINE_BYTES, Put};
use crate::support::{is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::Memory;
use tmu_model::pixel::Fault;
use tmu_model::pixel::tile_fetch::{self, TileFetch, Triangle};
use tmu_model::pixel::triangle_data::{self, TriangleData as Data};
use tmu_model::pixel::triangle_setup::{Corners, Plane};
use tmu_rtl::engines::pixel::hidden_surfaces::TileWord;
use tmu_rtl::engines::pixel::interpolation::ValueWord;
use tmu_rtl::engines::pixel::reads::AskWord;
use tmu_rtl::engines::pixel::shade::words::{LineKind, LoadWord, ShadeQuadWord, ShadeShape};
use tmu_rtl::engines::pixel::tile_fetch::words::{Order, OrderWord};
use tmu_rtl::engines::pixel::triangle_data::TriangleData;
use tmu_rtl::engines::pixel::triangle_data::words::AlongWord;
use tmu_rtl::engines::pixel::words::{QuadWord, TileShape};
use tmu_spec::pixel::record::State;
use tmu_spec::pixel::{Part, TileSize};
use tmu_stages::{Check, Flow, Rig};

type Line = [u8; LINE_BYTES];

/// What a slot holds.
#[derive(Clone, Debug, Default, PartialEq)]
struct Slot {
    state: Line,
    header: Line,
    /// Two constants a line.
    constants: [[u8; 8]; 8],
    bump: [Line; 3],
    instructions: Vec<Line>,
}

impl Slot {
    /// What that of a triangle's state must hold.
    fn of(put: &Put, data: &Data) -> Slot {
        let line = |address: u32| put.read_line(address / 16).unwrap_or_default();
        let (state, program) = (data.triangle.record.state, data.state.record.program);
        let header = line(program);
        let defined = data.state.program.constants();
        let constant = |base: u32, number: u32| -> [u8; 8] {
            let of_line = line(base + 16 * (number / 2));
            std::array::from_fn(|byte| of_line[8 * (number as usize % 2) + byte])
        };
        let count = data.state.program.instructions().count() as u32;
        Slot {
            state: line(state),
            header,
            constants: std::array::from_fn(|number| match defined[number] {
                Some(_) => constant(program + 16, number as u32),
                None => constant(state + 64, number as u32),
            }),
            bump: [0, 1, 2].map(|at| line(state + 16 + 16 * at)),
            instructions: (0..count).map(|at| line(program + 80 + 16 * at)).collect(),
        }
    }

    fn load(&mut self, kind: u64, number: usize, enables: u64, line: Line) {
        match kind {
            kind if kind == LineKind::State as u64 => self.state = line,
            kind if kind == LineKind::Header as u64 => self.header = line,
            kind if kind == LineKind::Constants as u64 => {
                for half in (0..2).filter(|half| enables >> half & 1 == 1) {
                    self.constants[2 * number + half].copy_from_slice(&line[8 * half..8 * half + 8]);
                }
            }
            kind if kind == LineKind::Bump as u64 => self.bump[number] = line,
            _ => {
                self.instructions.truncate(number);
                self.instructions.push(line);
            }
        }
    }
}

/// A quad or an order that leaves.
#[derive(Clone, Debug, PartialEq)]
enum Left {
    /// Row and column in the tile in quads, mask, part, blend, comparison, reference; what its slot holds; whether values come.
    Quad([u32; 7], Box<Slot>, bool),
    Order(u32, u32),
    Fault(u8, u32),
}

/// A value of a quad: RHW, colour, column, row; E, F and G; the number and whether it is the last, but for RHW.
type Valued = ([u32; 4], [u32; 3], Option<u32>);

fn single(value: f32) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}

/// The values that a program reads of a triangle, RHW first.
fn planes(data: &Data) -> Vec<(Option<u32>, Plane)> {
    let Data { triangle, vertices, state } = data;
    let corners = Corners::new(&triangle.positions, triangle.record.inverse_area);
    let reads = state.reads;
    let has = |number: u32| {
        let in_vertex = if number < 24 { number / 4 < state.record.sets } else { state.record.has_colors };
        in_vertex && reads >> number & 1 == 1
    };
    let own = (0..32).filter(|number| has(*number)).map(|number| {
        let (group, at) = (number as usize / 4, number as usize % 4);
        let values = vertices.map(|vertex| match group {
            0..6 => vertex.coordinates[group][at],
            _ => f32::from(vertex.colors[group - 6][at]),
        });
        (Some(number), corners.plane(values))
    });
    let own: Vec<_> = own.collect();
    let rhw = corners.plane(triangle.positions.map(|position| position.rhw));
    let needs = own.iter().any(|(number, _)| number.is_some_and(|number| number < 24));
    needs.then_some((None, rhw)).into_iter().chain(own).collect()
}

/// What goes in.
#[derive(Clone, Copy, Debug)]
enum Step {
    Name(u32, u32),
    Order(Order, Part, [u32; 2]),
    Quad { number: u32, at: [u32; 2], mask: u32, starts: bool },
    End,
}

struct Bench {
    rig: Rig<TriangleData>,
    tile: TileShape,
    shade: ShadeShape,
    answers: Answers,
    slots: Vec<Slot>,
    /// Slots of quads that are on their way, and for how many clocks.
    used: Vec<(usize, u32)>,
    steps: VecDeque<Step>,
    /// The order whose quads come.
    open: Option<Bits>,
    left: Flow<Left>,
    values: Flow<Valued>,
}

impl Bench {
    fn new(tile: TileShape) -> Bench {
        let along = AlongWord::of(&tile).width();
        let shade = ShadeShape::full(along);
        Bench {
            rig: Rig::new("triangle_data", TriangleData::new(&tile, &shade)),
            tile,
            slots: vec![Slot::default(); shade.slots()],
            shade,
            answers: Answers::default(),
            used: vec![],
            steps: VecDeque::new(),
            open: None,
            left: Flow::default(),
            values: Flow::default(),
        }
    }

    /// Some triangles of a frame whose quads come; false if the frame ends.
    fn batch(&mut self, check: &mut Check, put: &Put, triangles: &[Triangle], set: u32) -> bool {
        let part = check.pick(&[Part::Opaque, Part::PunchThrough, Part::Translucent]);
        let count = if part == Part::Opaque { check.rng.random_range(1..7) } else { 1 };
        let own: Vec<Triangle> = (0..count).map(|_| check.pick(triangles)).collect();
        for (number, triangle) in (0..).zip(&own) {
            self.steps.push_back(Step::Name(set << self.tile.number_bits | number, triangle.address / 16));
        }
        let tile = [check.rng.random_range(0..64), check.rng.random_range(0..64)];
        self.steps.push_back(Step::Order(Order::Batch, part, tile));
        let side = self.tile.width() as u32 / 2;
        for (number, triangle) in (0..).zip(&own) {
            if check.one_in(5) {
                continue;
            }
            let data = triangle_data::read(put, triangle);
            for place in 0..check.rng.random_range(1..6) {
                let at = [(); 2].map(|()| check.rng.random_range(0..side));
                let mask = check.rng.random_range(1..16);
                self.steps.push_back(Step::Quad { number, at, mask, starts: place == 0 });
                let data = match &data {
                    Ok(data) => data,
                    Err(fault) => {
                        self.left.put(Left::Fault(fault.code as u8, fault.address));
                        return false;
                    }
                };
                let State { blend, alpha_compare, alpha_reference, .. } = data.state.record;
                let test = [blend as u32, alpha_compare as u32, u32::from(alpha_reference)];
                let [x, y] = at;
                let all = planes(data);
                self.left.put(Left::Quad(
                    [y, x, mask, part as u32, test[0], test[1], test[2]],
                    Box::new(Slot::of(put, data)),
                    !all.is_empty(),
                ));
                let frame = [tile[0] * side + x, tile[1] * side + y];
                let last = all.len() - usize::from(!all.is_empty());
                for (index, (number, plane)) in all.iter().enumerate() {
                    let is_color = number.is_some_and(|number| number >= 24);
                    let tag = number.map(|number| number | u32::from(index == last) << 5);
                    self.values.put((
                        [u32::from(number.is_none()), u32::from(is_color), frame[0], frame[1]],
                        [plane.e, plane.f, plane.g].map(single),
                        tag,
                    ));
                }
            }
        }
        self.steps.push_back(Step::End);
        self.left.put(Left::Order(Order::Batch as u32, part as u32));
        true
    }

    fn order(&mut self, order: Order) {
        self.steps.push_back(Step::Order(order, Part::Opaque, [0; 2]));
        self.left.put(Left::Order(order as u32, Part::Opaque as u32));
    }

    fn order_bits(&self, order: Order, part: Part, [column, row]: [u32; 2]) -> Bits {
        let word = OrderWord::of(&self.tile);
        let tile = TileWord {
            column: number(word.tile.column.value_bits(), u64::from(column)),
            row: number(word.tile.row.value_bits(), u64::from(row)),
            last_column: number(word.tile.last_column.value_bits(), 3u64),
            last_row: number(word.tile.last_row.value_bits(), 5u64),
        };
        word.pack(&OrderWord { order: number(2, order as u64), part: number(2, part as u64), tile })
    }

    fn quad_bits(&self, own: u32, [column, row]: [u32; 2], mask: u32, starts: bool, is_end: bool) -> Bits {
        let word = QuadWord::of(&self.tile);
        word.pack(&QuadWord {
            number: number(word.number.value_bits(), u64::from(own)),
            column: number(word.column.value_bits(), u64::from(column)),
            row: number(word.row.value_bits(), u64::from(row)),
            mask: number(4, u64::from(mask)),
            starts: number(1, starts),
            is_end: number(1, is_end),
        })
    }

    /// Offers what is next.
    fn drive(&mut self, check: &mut Check) {
        let rig = &self.rig;
        let pauses = check.one_in(4);
        let next = self.steps.front().copied().filter(|_| !pauses);
        rig.names.drive(false);
        rig.quads.valid.drive(false);
        rig.orders.valid.drive(self.open.is_some());
        if let Some(open) = self.open {
            rig.orders.data.drive(open);
        }
        match next {
            Some(Step::Name(own, record)) => {
                rig.names.drive(true);
                rig.number.drive(number(self.tile.number_bits + 1, u64::from(own)));
                rig.record.drive(number(28, u64::from(record)));
                self.steps.pop_front();
            }
            Some(Step::Order(order, part, tile)) => {
                let bits = self.order_bits(order, part, tile);
                rig.orders.valid.drive(true);
                rig.orders.data.drive(bits);
                if order == Order::Batch {
                    self.open = Some(bits);
                    self.steps.pop_front();
                }
            }
            Some(Step::Quad { number, at, mask, starts }) => {
                rig.quads.valid.drive(true);
                rig.quads.data.drive(self.quad_bits(number, at, mask, starts, false));
            }
            Some(Step::End) => {
                rig.quads.valid.drive(true);
                rig.quads.data.drive(self.quad_bits(0, [0; 2], 0, false, true));
            }
            None => {}
        }
    }

    /// Takes away what went in.
    fn went(&mut self, check: &mut Check) {
        let rig = &self.rig;
        let goes = |valid: &Net<In>, ready: &Net<Out>| is_high(valid.val()) && is_high(ready.val());
        let (order, quad) =
            (goes(&rig.orders.valid, &rig.orders.ready), goes(&rig.quads.valid, &rig.quads.ready));
        if quad {
            let is_end = matches!(self.steps.pop_front(), Some(Step::End));
            check.same("an order goes with the last of its quads", order, is_end);
            if is_end {
                self.open = None;
            }
        } else if order {
            check.holds(self.open.is_none(), "an order stays until its quads have come");
            self.steps.pop_front();
        }
    }

    fn clock(&mut self, check: &mut Check, put: &Put) {
        self.drive(check);
        let rig = &self.rig;
        let came = self.answers.come(check, put);
        rig.came.valid.drive(came.is_some());
        rig.read_fails.drive(came.is_some_and(|came| came.bytes.is_err()));
        if let Some(came) = came {
            let bytes = came.bytes.unwrap_or([0xa5; LINE_BYTES]);
            rig.came.line.drive(Bits::constant(Value::from_u128(128, u128::from_le_bytes(bytes))));
            rig.came.ends.drive(came.ends);
            rig.failed_line.drive(number(28, u64::from(came.line)));
        }
        for ready in [&rig.ask.ready, &rig.load.ready, &rig.shade.ready, &rig.values.ready] {
            ready.drive(!check.one_in(3));
        }
        let used = (0..self.slots.len()).filter(|slot| self.used.iter().any(|(own, _)| own == slot));
        let used = used.fold(0, |bits, slot| bits | 1u64 << slot);
        rig.slot_is_used.drive(number(self.slots.len(), used));
        self.used.iter_mut().for_each(|(_, clocks)| *clocks -= 1);
        self.used.retain(|(_, clocks)| *clocks > 0);
        self.rig.settle();
        self.went(check);
        self.look(check);
        self.rig.tick();
    }

    fn look(&mut self, check: &mut Check) {
        let rig = &self.rig;
        let goes = |stream: &StreamOut| is_high(stream.valid.val()) && is_high(stream.ready.val());
        let bits = |bits: Bits| bits.to_u64() as u32;
        if goes(&rig.ask) {
            let AskWord { line, more } = AskWord::shape().unpack(rig.ask.data.val());
            self.answers.ask(check, bits(line), bits(more) + 1);
        }
        if goes(&rig.load) {
            let word = LoadWord::of(&self.shade).unpack(rig.load.data.val());
            let slot = word.slot.to_u64() as usize;
            check.holds(self.used.iter().all(|(own, _)| *own != slot), "a slot that is loaded is not in use");
            let line = word.line.value().low_u128().to_le_bytes();
            let (kind, place) = (word.kind.to_u64(), word.number.to_u64() as usize);
            self.slots[slot].load(kind, place, word.enables.to_u64(), line);
        }
        if goes(&rig.shade) {
            let word = ShadeQuadWord::of(&self.shade).unpack(rig.shade.data.val());
            let along = AlongWord::of(&self.tile).unpack(word.along);
            let slot = word.slot.to_u64() as usize;
            let left = if !is_high(word.is_end) {
                self.used.push((slot, check.rng.random_range(1..200)));
                let side = self.tile.width_log2 - 1;
                let (x, y) = (along.place.low(side), along.place.high(self.tile.height_log2 - 1));
                let test = &along.test;
                Left::Quad(
                    [y, x, along.mask, along.part, test.blend, test.alpha_compare, test.alpha_reference]
                        .map(bits),
                    Box::new(self.slots[slot].clone()),
                    is_high(word.has_values),
                )
            } else if along.order.to_u64() == Order::Fault as u64 {
                self.rig.tick();
                self.rig.settle();
                let fault = self.rig.fault.val();
                check.holds(is_high(self.rig.has_failed.val()), "the fault is its own");
                Left::Fault(bits(fault.code) as u8, bits(fault.address))
            } else {
                Left::Order(bits(along.order), bits(along.part))
            };
            let expected = self.left.next(check);
            check.same("quad or order", left, expected);
        }
        let rig = &self.rig;
        if goes(&rig.values) {
            let word = ValueWord::shape().unpack(rig.values.data.val());
            let plane = &word.plane;
            let is_rhw = is_high(word.is_rhw);
            let got = (
                [word.is_rhw, word.is_color, word.column, word.row].map(bits),
                [plane.e, plane.f, plane.g].map(bits),
                (!is_rhw).then(|| bits(plane.tag)),
            );
            let expected = self.values.next(check);
            check.same("value", got, expected);
        }
    }

    fn drain(&mut self, check: &mut Check, put: &Put) {
        let mut clocks = 0;
        while !self.left.is_empty() || !self.values.is_empty() {
            self.clock(check, put);
            clocks += 1;
            if clocks > 100_000 {
                check.fail(format!("{} quads and {} values do not come", self.left.len(), self.values.len()));
            }
        }
        (0..100).for_each(|_| self.clock(check, put));
    }
}

/// The triangles of a frame that hidden surfaces may look at.
fn triangles(put: &Put) -> Result<Vec<Triangle>, Fault> {
    let frame = tile_fetch::frame(put, put.address)?;
    let mut model = TileFetch::new(put, frame);
    let [across, down] = frame.tiles_across();
    let mut all = vec![];
    for tile in 0..across * down {
        let mut list = model.list(tile);
        while let Ok(Some(listed)) = model.next(&mut list) {
            all.extend(model.triangle(listed));
        }
    }
    Ok(all)
}

#[test]
pub(crate) fn frames() {
    frames_of("pixel_triangle_data", Put::any, 12);
}

#[test]
pub(crate) fn damaged_frames() {
    frames_of("pixel_triangle_data of damaged frames", Put::damaged, 40);
}

fn frames_of(name: &str, any: fn(&mut Check, TileSize) -> Put, count: u64) {
    let tile = TileShape::LITE;
    let mut check = Check::new(name);
    let mut bench = Bench::new(tile);
    for _ in 0..count {
        let put = any(&mut check, tile.size());
        let Ok(triangles) = triangles(&put) else { continue };
        if triangles.is_empty() {
            continue;
        }
        let goes_on = (0..10).all(|set| bench.batch(&mut check, &put, &triangles, set % 2));
        if goes_on {
            bench.order(Order::TileEnd);
            bench.order(Order::FrameEnd);
        }
        bench.drain(&mut check, &put);
        bench.rig.reset();
        bench = Bench { rig: bench.rig, ..Bench::new(tile) };
    }
    check.at_least(20 * count);
}
